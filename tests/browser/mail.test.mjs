// The pages of mails and links in a browser: each in both languages, on a wide screen and
// a phone's, with scripts and without; the usual ways by keyboard alone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Person, launch, words } from '../support/browser.mjs';
import { mailLab, queue } from '../support/mails.mjs';
import { startServer } from '../support/server.mjs';
import { newTokens } from '../support/smtp.mjs';

let browser;
let server;

before(async () => {
    [browser, server] = await Promise.all([launch(), startServer()]);
    mailLab(server.database);
    server.database.run("insert into account (email, email_folded, admin) values " +
        "('ada@tides.example', 'ada@tides.example', true)");
    const set = (id, values) =>
        server.database.run(`update mail set ${values} where id = ${id}`);
    const mails = queue(server.database, 60, { template: 'reminder', language: 'zh',
        subject: '待完成：2027 年信息' });
    const ways = ["state = 'waiting', attempts = 2, reason = '451 4.3.0 come again later'",
        "state = 'failed', reason = '550 5.1.1 no such user'", "state = 'sent', sent_at = now()",
        "state = 'cancelled', reason = 'not_needed'", "state = 'bounced', reason = '5.1.1'"];
    ways.forEach((values, i) => set(mails[55 + i].id, values));
    server.ids = mails.slice(54).map((m) => m.id);
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

async function enter(person, email = 'ada@tides.example') {
    const [{ token }] = queue(server.database, 1,
        { to: email, template: 'test', next: '/admin/outbox' });
    server.database.run(`update mail set state = 'sent', secret = null where secret = '${token}'`);
    await person.open(`/sign-in/link/${token}`);
    await person.press(words(person.language, 'sign_in.link_submit'));
}

for (const [name, languages, options] of [
    ['wide', ['en', 'zh'], { viewport: { width: 1440, height: 900 } }],
    ['a phone', ['zh'], { viewport: { width: 360, height: 740 } }],
    ['without scripts', ['en'], { javaScriptEnabled: false }]])
    test(`each page of mails and links: ${name}`, async () => {
        for (const language of languages) {
            server.database.run(`delete from rate;
                update account set language = '${language}' where admin`);
            const ada = await Person.sit(browser, server, { language, ...options });
            ada.language = language;
            const [used, fresh] = queue(server.database, 2,
                { template: 'reminder', next: '/my', stop: true });
            server.database.run(`update sign_in_link set redeemed_at = now() where id =
                (select link_id from mail where id = ${used.id})`);
            await ada.open('/sign-in');
            await ada.open('/sign-in/code?notice=link_mailed');
            await ada.open(`/sign-in/link/${used.token}`, 410);
            await ada.open(`/sign-in/link/${newTokens(1)[0]}`, 404);
            await enter(ada);
            await ada.open(`/sign-in/link/${fresh.token}`); // somebody else's
            await ada.open('/admin/outbox');
            await ada.open('/admin/outbox?state=sending');
            for (const id of server.ids) await ada.open(`/admin/outbox/${id}`);
            await ada.open('/admin/mail-texts');
            await ada.open(`/admin/mail-texts/invitation/${language}`);
            await ada.page.locator('[name=body]').fill('{{nobody}}');
            await ada.press(words(language, 'mail_text.preview'), 422);
            await ada.leave();
        }
    });

test('a mail is held, edited and released by keyboard alone', async () => {
    const ada = await Person.sit(browser, server);
    ada.language = 'en';
    await enter(ada);
    const [{ id }] = queue(server.database, 1, { subject: 'By keyboard' });
    await ada.open(`/admin/outbox/${id}`);
    const { page } = ada;
    // Tab comes to everything, in order, and Enter and Space do it.
    async function tabTo(selector) {
        for (let i = 0; i < 60; i++) {
            await page.keyboard.press('Tab');
            if (await page.evaluate((s) => document.activeElement.matches(s), selector)) return;
        }
        assert.fail(`Tab never comes to ${selector}`);
    }
    await tabTo('[name=subject]');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Typed by hand');
    await ada.act(() => page.keyboard.press('Enter'));
    assert.equal(server.database.value(`select subject from mail where id = ${id}`),
        'Typed by hand');
    await tabTo('button[value=release]');
    await ada.act(() => page.keyboard.press('Space'));
    assert.equal(server.database.value(`select state from mail where id = ${id}`), 'waiting');
    await ada.open('/admin/outbox?state=waiting');
    await tabTo('#all');
    await page.keyboard.press('Space');
    await tabTo('button[value=hold]');
    await ada.act(() => page.keyboard.press('Enter'));
    assert.equal(server.database.value(`select state from mail where id = ${id}`), 'held');
    await ada.leave();
});
