// The reason of the program, from end to end: a roster of sixty is imported, five are asked
// first, three answer (without scripts; on a phone with a rotated photo; with a session that
// ends in between), what they say mends the form, everyone is asked, reminders reach those
// who lack something, answers are reviewed, and a workbook goes out. Mails are those that a
// mail server took.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Person, launch, words } from '../support/browser.mjs';
import { bytes, people } from '../support/roster.mjs';
import { startServer } from '../support/server.mjs';
import { startSmtp } from '../support/smtp.mjs';

const en = (key) => words('en', key);
const named = (person, name) => person.page.locator(`main [name="${name}"]`);

let browser;
let smtp;
let server;

before(async () => {
    browser = await launch();
    smtp = await startSmtp();
    server = await startServer({ env: { LABD_SMTP_URL: smtp.url,
        LABD_MAIL_FROM: 'site@lab.example' } });
});
after(async () => {
    await server?.stop();
    await smtp?.stop();
    await browser?.close();
});

async function fill(person, values) {
    for (const [name, value] of Object.entries(values)) {
        const field = named(person, name);
        if (await field.evaluate((e) => e.tagName === 'SELECT')) await field.selectOption(value);
        else await field.fill(value);
    }
}

async function arrive(ada) {
    const { stdout } = await server.labd('admin', 'link', 'ada@lab.example');
    await ada.open(new URL(/https?:\S+/.exec(stdout)[0]).pathname);
    await ada.press(en('sign_in.link_submit'));
}

async function importRoster(ada) {
    await ada.open('/admin/import');
    await fill(ada, { kind: 'people' });
    await named(ada, 'file').setInputFiles({ name: '名单.csv', mimeType: 'text/csv',
        buffer: bytes() });
    await ada.press(en('admin.import.try'));
    assert.equal(server.database.value('select count(*)::int from person'), 0);
    await ada.press(en('admin.import.apply'));
    assert.equal(server.database.value('select count(*)::int from person'), 60);
    assert.deepEqual(server.database.query('select name_han from person where name_han is not null')
        .map((row) => row.name_han).sort(), people.map((p) => p.han).filter(Boolean).sort());
}

async function prepare(ada) {
    await ada.open('/admin/collections');
    await ada.follow(en('collection.new_first'));
    await ada.follow(en('collection.choose_kind.profile'));
    const deadline = server.database.value("select (lab_today() + 14)::text");
    await fill(ada, { title_en: 'Profiles of the year', title_zh: '年度个人信息',
        words_en: 'For the new site. *Ten minutes.*', words_zh: '用于新网站，*约十分钟*。',
        deadline });
    await ada.press(en('collection.create'));
    const id = server.database.value('select id::int from collection');
    await ada.open(`/admin/collections/${id}/people`);
    await ada.press(en('collection.choose_all'));
    for (const { email } of people.slice(0, 5)) {
        const row = ada.page.locator('tr', { hasText: new RegExp(email, 'i') });
        await row.locator('input[name=pilot]').check();
    }
    await ada.press(en('collection.save_choice'));
    return id;
}

async function openWave(ada, id, kind) {
    await ada.open(`/admin/collections/${id}/waves`);
    await ada.follow(en(`collection.wave_look.${kind}`));
    await ada.press(en(`collection.wave_open.${kind}`));
}

// The next `count` mails, by the address that they went to.
async function mails(count) {
    const taken = new Map();
    for (let i = 0; i < count; i++) {
        const mail = await smtp.next();
        taken.set(mail.envelope.to[0].toLowerCase(), mail);
    }
    assert.equal(taken.size, count, 'one each');
    return taken;
}

const linkOf = (mail) =>
    new URL(/https?:\/\/\S+\/sign-in\/link\/[\w-]{43}/.exec(mail.parts[0].text)[0]).pathname;

test('sixty people, first five of them', async () => {
    const ada = await Person.sit(browser, server, { viewport: { width: 1440, height: 900 } });
    await arrive(ada);
    await importRoster(ada);
    const id = await prepare(ada);
    await openWave(ada, id, 'pilot');
    const invitations = await mails(5);
    assert.deepEqual([...invitations.keys()].sort(), people.slice(0, 5).map((p) => p.email).sort());
    await ada.leave();
});
