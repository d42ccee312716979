// The reason of the program, from end to end: a roster of sixty is imported, five are asked
// first, three answer (without scripts; on a phone with a rotated photo; with a session that
// ends in between), what they say mends the form, everyone is asked, reminders reach those
// who lack something, answers are reviewed, and a workbook goes out. Mails are those that a
// mail server took.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Person, launch, words } from '../support/browser.mjs';
import { photographed } from '../support/picture.mjs';
import { bytes, people } from '../support/roster.mjs';
import { root, startServer } from '../support/server.mjs';
import { startSmtp } from '../support/smtp.mjs';
import { Visitor } from '../support/visitor.mjs';

const en = (key) => words('en', key);
const named = (person, name) => person.page.locator(`main [name="${name}"]`);

let browser;
let folder;
let smtp;
let server;

before(async () => {
    browser = await launch();
    folder = mkdtempSync(join(tmpdir(), 'labd-collection-'));
    smtp = await startSmtp();
    server = await startServer({ env: { LABD_SMTP_URL: smtp.url,
        LABD_MAIL_FROM: 'site@lab.example' } });
});
after(async () => {
    await server?.stop();
    await smtp?.stop();
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
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

// In the language of the page that they are on.
async function say(person, key) {
    const lang = await person.page.getAttribute('html', 'lang');
    return words(lang === 'en' ? 'en' : 'zh', key);
}
const press = async (person, key, status) => person.press(await say(person, key), status);

const stateOf = (email) => server.database.value(`select state from invitation i
    join account a on a.id = i.account_id where email_folded = '${email}'`);

async function comeIn(person, mail, id) {
    const link = linkOf(mail);
    await person.context.request.head(link); // the mail filter
    await person.open(link);
    await press(person, 'sign_in.link_submit');
    assert.equal(new URL(person.page.url()).pathname, `/my/collections/${id}`);
}

async function remark(person, comment, field) {
    const { page } = person;
    await page.locator('details.aside summary').click();
    await page.locator('#feedback-unclear').check();
    if (field) await page.locator('#feedback-question').selectOption(field);
    await page.locator('#feedback-comment').fill(comment);
    await press(person, 'answer.feedback_send');
}

async function send(person) {
    await press(person, 'answer.submit');
    assert.match(new URL(person.page.url()).pathname, /\/receipt$/);
}

// Without scripts; stops in between and comes back.
async function answerPlainly(person, mail, id) {
    await comeIn(person, mail, id);
    await person.follow(await say(person, 'answer.begin'));
    await fill(person, { name_han: '林晓', given_latin: 'Xiao', family_latin: 'Lin' });
    await remark(person, 'Is this the name on my papers?', 'given_latin');
    await fill(person, { name_han: '林晓', given_latin: 'Xiao', family_latin: 'Lin' });
    await press(person, 'answer.save_later');
    await person.open(`/my/collections/${id}`);
    await person.follow(await say(person, 'answer.check'));
    await person.open(`/my/collections/${id}/sections/2`);
    await fill(person, { interests_en: 'tiered memory', interests_zh: '分层内存' });
    await press(person, 'answer.save_next');
    await fill(person, { phone: 'call me' });
    await press(person, 'answer.save_next', 422);
    await fill(person, { phone: '+86 10 5555 0100', office: '00420017' });
    await press(person, 'answer.save_next');
    await send(person);
}

// On a phone, with a photo as phones make them: lying on its side, with an Exif mark.
async function answerOnPhone(person, mail, id) {
    await comeIn(person, mail, id);
    await person.open(`/my/collections/${id}/sections/1`);
    const jpeg = Buffer.from(await person.page.evaluate(() => {
        const canvas = new OffscreenCanvas(400, 300);
        const pen = canvas.getContext('2d');
        pen.fillStyle = '#d02020';
        pen.fillRect(0, 0, 200, 300); // red on the left: on top once turned by 90 degrees
        pen.fillStyle = '#2020d0';
        pen.fillRect(200, 0, 200, 300);
        return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 })
            .then((blob) => blob.arrayBuffer()).then((bytes) => [...new Uint8Array(bytes)]);
    }));
    await person.page.locator('main input[type=file]').setInputFiles({ name: '自拍.jpg',
        mimeType: 'image/jpeg', buffer: photographed(jpeg, 6) });
    await press(person, 'answer.save_next');
    await fill(person, { interests_zh: '调度' });
    await press(person, 'answer.save_next');
    await fill(person, { office: '=1+1', 'links.0.label': '主页',
        'links.0.url': 'https://example.org/a,b' });
    await press(person, 'answer.save_next');
    await send(person);
}

// The session ends while they type; what they typed is there again once they are back.
async function answerInterrupted(person, mail, id, address) {
    await comeIn(person, mail, id);
    await person.open(`/my/collections/${id}/sections/2`);
    const biography = '研究**一致性缓存协议**。\n\n第二段，写了很久。';
    await person.context.setOffline(true); // so that nothing was saved meanwhile
    await fill(person, { interests_en: 'consistency', biography_zh: biography });
    server.database.run(`update session set expires_at = now() - interval '1 minute'
        where account_id = (select id from account where email_folded = '${address}')`);
    await person.context.setOffline(false);
    await press(person, 'answer.save_next');
    await fill(person, { address });
    await press(person, 'sign_in.mail_submit');
    await person.open(linkOf(await nextTo(address)));
    await press(person, 'sign_in.link_submit');
    await press(person, 'held.redraw');
    assert.equal(await named(person, 'biography_zh').inputValue(), biography);
    assert.equal(await named(person, 'interests_en').inputValue(), 'consistency');
    await press(person, 'answer.save_next');
    await person.open(`/my/collections/${id}/check`);
    await send(person);
}

// The next mail to one address; those to others are kept for whoever asks.
const kept = [];
async function nextTo(address) {
    for (;;) {
        const at = kept.findIndex((mail) => mail.envelope.to[0].toLowerCase() === address);
        if (at >= 0) return kept.splice(at, 1)[0];
        kept.push(await smtp.next());
    }
}

// What the pilot said stands beside its question; from there the form is mended.
async function learn(ada, id) {
    await ada.open(`/admin/collections/${id}/pilot`);
    const question = ada.page.locator('article', { hasText: 'Is this the name on my papers?' });
    assert.match(await question.innerText(), /Given name/);
    await ada.expect(new RegExp(en('pilot.code.phone')));
    await ada.act(() => question.getByRole('link').click());
    await fill(ada, { hint_en: 'As on your papers.' });
    await ada.press(en('builder.save'));
    await ada.open(`/admin/collections/${id}/form/new-question?section=2&type=multichoice`);
    await fill(ada, { label_en: 'Meals', label_zh: '用餐', 'choices.0.label_en': 'Rice',
        'choices.0.label_zh': '米饭' });
    await ada.page.locator('button[value="add:choices"]').click();
    const row = ada.page.locator('[data-group=choices] > fieldset').last();
    await row.locator('[name$=".label_en"]').fill('Noodles, dry');
    await row.locator('[name$=".label_zh"]').fill('干拌面');
    await named(ada, 'required').check();
    await ada.press(en('builder.save'));
}

// Who was asked already is asked again for the new question alone.
async function askEveryone(ada, id, pilot) {
    await openWave(ada, id, 'everyone');
    const taken = await mails(58); // 55, and the three who had sent in
    const again = [...taken].filter(([address]) => pilot.includes(address));
    assert.deepEqual(again.map(([address]) => address).sort(), pilot.slice(0, 3).sort());
    for (const [, mail] of again) assert.match(mail.parts[0].text, /用餐|Meals/);
    assert.equal(server.database.value(`select count(*)::int from invitation
        where form_version_id = (select max(id) from form_version)`), 60);
    return taken;
}

// Reminders reach those who lack something at the moment when they go out.
async function remind(ada, id, pilot, invitations) {
    const other = people[10].email;
    server.database.run(`update invitation set invited_at = invited_at - interval '9 days',
        reminded_at = reminded_at - interval '9 days'`);
    const eve = await Person.sit(browser, server, { viewport: { width: 1440, height: 900 },
        language: 'zh' });
    await comeIn(eve, invitations.get(other), id);
    await eve.open(`/my/collections/${id}/sections/3`);
    await eve.page.getByLabel('干拌面').check();
    await eve.press(words('zh', 'answer.save_next'));

    await ada.open(`/admin/collections/${id}?state=lacking`);
    await ada.page.locator('input[name=scope][value=all]').check();
    await ada.act(() => ada.page.locator('button[name=action][value=remind]').click());
    await smtp.mode('later'); // they wait; meanwhile she sends in
    await ada.press(en('board.confirm.remind'));
    await eve.open(`/my/collections/${id}/check`);
    await send(eve);
    await eve.leave();
    await smtp.mode('accept');
    server.database.run("update mail set due_at = now() where state = 'waiting'");
    await ada.open('/admin/outbox');
    await ada.press(en('outbox.test')); // the worker wakes
    const taken = [];
    while (taken.length < 61) taken.push(await smtp.next()); // with a receipt and the test
    const reminded = taken.map((mail) => mail.envelope.to[0].toLowerCase())
        .filter((address) => address !== other && !address.startsWith('ada@')).sort();
    assert.deepEqual(reminded, people.map((p) => p.email).filter((e) => e !== other).sort());
}

async function decide(ada, address) {
    const change = server.database.value(`select max(c.id)::int from change c
        join account a on a.id = c.author_id where a.email_folded = '${address}'
        and c.state = 'submitted' and c.entity = 'answer'`);
    await ada.open('/admin/changes');
    await ada.act(() => ada.page.locator(`main a[href="/admin/changes/${change}"]`).first()
        .click());
}

const publicPage = async (address) => {
    const slug = server.database.value(`select p.slug from person p
        join account a on a.person_id = p.id where a.email_folded = '${address}'`);
    return (await new Visitor(server).get(`/zh/people/${slug}`)).text;
};

// The colours of a picture of ours, at its top and at its bottom.
const colours = (person, url) => person.page.evaluate(async (source) => {
    const picture = await createImageBitmap(await (await fetch(source)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const pen = canvas.getContext('2d', { willReadFrequently: true });
    pen.drawImage(picture, 0, 0);
    const at = (x, y) => [...pen.getImageData(x * picture.width, y * picture.height, 1, 1)
        .data.slice(0, 3)];
    return { top: at(0.5, 0.1), bottom: at(0.5, 0.9) };
}, url);

async function answerMeals(person, id, label) {
    await person.open(`/my/collections/${id}`);
    await person.open(`/my/collections/${id}/sections/3`);
    await person.page.getByLabel(label).check();
    await press(person, 'answer.save_next');
    await person.open(`/my/collections/${id}/check`);
    await send(person);
}

// One is approved at once, one after it came back; visitors then see both, and nothing of
// what nobody has looked at.
async function review({ ada, lin, bo }, id, pilot) {
    await answerMeals(bo, id, '米饭');
    await answerMeals(lin, id, '米饭');
    assert.doesNotMatch(await publicPage(pilot[1]), /调度|\/photos\//);
    await decide(ada, pilot[1]);
    const [photo] = /\/photos\/[^"]+/.exec(await ada.page.locator('main .diff img').last()
        .getAttribute('src'));
    await ada.press(en('admin.change.approve'));
    const page = await publicPage(pilot[1]);
    assert.match(page, /调度/);
    const [shown] = /\/photos\/[\w-]+\/240\.\w+/.exec(page);
    assert.equal(shown.split('/')[2], photo.split('/')[2]);
    const { top, bottom } = await colours(bo, shown);
    assert.ok(top[0] > 150 && top[2] < 100 && bottom[2] > 150 && bottom[0] < 100,
        `red is on top: ${top} / ${bottom}`);

    await decide(ada, pilot[0]);
    await ada.page.locator('details', { has: ada.page.locator('[name="on.office"]') })
        .locator('summary').click();
    await fill(ada, { comment: 'Nearly there.', 'on.office': 'Which building?' });
    await ada.press(en('admin.change.return'));
    assert.equal(stateOf(pilot[0]), 'returned');
    await lin.open(`/my/collections/${id}/sections/3`);
    await lin.expect(/Which building\?/);
    await fill(lin, { office: '西楼 00420017' });
    await press(lin, 'answer.save_next');
    await lin.open(`/my/collections/${id}/check`);
    await send(lin);
    await decide(ada, pilot[0]);
    await ada.press(en('admin.change.approve'));
    assert.equal(stateOf(pilot[0]), 'approved');
    assert.match(await publicPage(pilot[0]), /西楼 00420017/);
}

// The workbook says what the answers say, to a program that is not ours.
async function exported(ada, id) {
    await ada.open(`/admin/collections/${id}/export`);
    await ada.page.locator('#format-xlsx').check();
    for (const box of await ada.page.locator('input[name=column]').all()) await box.check();
    await ada.page.locator('#style-values').check();
    const [download] = await Promise.all([ada.page.waitForEvent('download'),
        ada.page.getByRole('button', { name: en('export.download') }).click()]);
    const file = join(folder, 'answers.xlsx');
    await download.saveAs(file);
    const { rows } = Object.values(JSON.parse(execFileSync('/usr/bin/python3',
        [join(root, 'tests/support/read_xlsx.py'), file],
        { encoding: 'utf8', maxBuffer: 64 << 20 })))[0];
    const column = (label) => rows[0].indexOf(label);
    const address = column(en('export.column.email'));
    assert.equal(rows.length, 61);
    const sent = server.database.query(`select a.email, c.document from change c
        join account a on a.id = c.author_id where c.entity = 'answer'
        and c.id in (select max(id) from change where entity = 'answer'
            and state in ('submitted', 'approved') group by author_id)`);
    assert.ok(sent.length >= 4);
    for (const { email, document } of sent) {
        const row = rows.find((r) => r[address] === email);
        for (const [label, value] of [['Name in Chinese', document.name_han],
            ['Research interests, in English', document.interests_en],
            ['About you, in Chinese', document.biography_zh], ['Phone', document.phone],
            ['Office', document.office], ['Meals', document[mealsName()]?.join('; ')]])
            assert.equal(row[rows[0].lastIndexOf(label)] ?? '', value ?? '', `${email} ${label}`);
    }
    assert.ok(sent.some(({ document }) => document.office === '=1+1'));
    assert.ok(sent.some(({ document }) => document.office === '西楼 00420017'));
}

const mealsName = () => server.database.value(`select f ->> 'name' from collection c,
    json_array_elements(definition -> 'sections') s, json_array_elements(s -> 'fields') f
    where f -> 'label' ->> 'en' = 'Meals'`);

test('sixty people are asked, five of them first, and what they answer is reviewed and exported', async () => {
    const wide = { viewport: { width: 1440, height: 900 } };
    const phone = { viewport: { width: 360, height: 740 } };
    const ada = await Person.sit(browser, server, wide);
    await arrive(ada);
    await importRoster(ada);
    const id = await prepare(ada);
    await openWave(ada, id, 'pilot');
    const invitations = await mails(5);
    const pilot = people.slice(0, 5).map((p) => p.email);
    assert.deepEqual([...invitations.keys()].sort(), [...pilot].sort());

    const lin = await Person.sit(browser, server,
        { ...phone, javaScriptEnabled: false, language: 'zh' });
    await answerPlainly(lin, invitations.get(pilot[0]), id);
    const bo = await Person.sit(browser, server, { ...phone, language: 'zh' });
    await answerOnPhone(bo, invitations.get(pilot[1]), id);
    const jia = await Person.sit(browser, server, wide);
    await answerInterrupted(jia, invitations.get(pilot[2]), id, pilot[2]);
    for (const address of pilot.slice(0, 3)) {
        assert.equal(stateOf(address), 'submitted');
        const receipt = await nextTo(address);
        assert.match(receipt.parts[0].text, new RegExp(`/my/collections/${id}|/sign-in/link/`));
    }
    await learn(ada, id);
    const everyone = await askEveryone(ada, id, pilot);
    await remind(ada, id, pilot, everyone);
    await review({ ada, lin, bo }, id, pilot);
    await exported(ada, id);
    for (const person of [ada, lin, bo]) await person.leave();
    await jia.context.close(); // her console has told of the lost connection
});
