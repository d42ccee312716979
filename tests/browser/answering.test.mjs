// A member answers in a browser: typing that is kept, a connection that goes, two windows,
// a session that ends; on a phone, by keyboard alone, in both languages.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Person, launch, words } from '../support/browser.mjs';
import { quote, seedCollection } from '../support/collection.mjs';
import { startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let browser;
let server;
let ada;
let serial = 0;

const both = (en, zh) => ({ en, zh });
const form = { title: both('Profiles', '资料'), sections: [
    { title: both('Contact', '联系方式'), fields: [
        { name: 'phone', type: 'phone', label: both('Phone', '电话'), required: true },
        { name: 'office', type: 'text', label: both('Office', '办公室'), max_length: 255 }] },
    { title: both('Research', '研究'), fields: [
        { name: 'topic', type: 'textarea', label: both('Topic', '研究方向'), required: true },
        { name: 'links', type: 'group', max: 5, label: both('Links', '链接'), fields: [
            { name: 'url', type: 'url', label: both('Address', '网址'), required: true }] }] },
] };

before(async () => {
    browser = await launch();
    server = await startServer();
    ada = await admin(server);
    server.database.run(`insert into lab (name_en, name_zh, time_zone)
        values ('Lab', '实验室', 'Asia/Shanghai')
        on conflict (id) do update set time_zone = excluded.time_zone`);
});
after(async () => {
    await browser.close();
    await server.stop();
});

async function asked({ language = 'en', pilot = false, ...options } = {}) {
    serial += 1;
    const email = `member-${serial}@lab.example`;
    const made = seedCollection(server.database,
        [{ given: 'Xiao', family: 'Lin', han: '林晓', email }]);
    server.database.run(`update form_version set definition = ${quote(JSON.stringify(form))}
            where id = ${made.version};
        update invitation set pilot = ${pilot} where id = ${made.invitations[0]};
        update account set language = '${language}' where email = ${quote(email)}`);
    const person = `/admin/people/${server.database.value(`select slug from person where id =
        (select person_id from account where email = ${quote(email)})`)}`;
    const page = await ada.submit(await ada.get(person), `${person}/links`);
    const visitor = new Visitor(server, { language });
    await visitor.open(/http:\/\/[^"<\s]*\/sign-in\/link\/[\w-]+/.exec(page.text)[0]);
    const lin = await Person.sit(browser, server, { language, ...options });
    await lin.context.addCookies([...visitor.cookies].map(([name, value]) =>
        ({ name, value, url: server.url })));
    const base = `/my/collections/${made.collection}`;
    const draft = () => server.database.query(`select document, version, state from change
        where entity = 'answer' and target_id = ${made.invitations[0]} order by id desc`)[0];
    return { lin, base, draft, made, visitor };
}

const field = (person, name) => person.page.locator(`#answer [name="${name}"]`);
const says = (person, pattern) => person.page.locator('#saved').filter({ hasText: pattern })
    .waitFor();
const t = (language, key) => words(language, key);

test('typing is kept, and the time is said beside the button', async () => {
    const { lin, base, draft } = await asked();
    await lin.open(`${base}/sections/1`);
    await field(lin, 'phone').fill('010-5555 0100');
    await field(lin, 'office').focus();
    await says(lin, /Saved at \d\d:\d\d/);
    assert.equal(draft().document.phone, '010-5555 0100');
    const described = await lin.page.getByRole('button', { name: t('en', 'answer.save_next') })
        .getAttribute('aria-describedby');
    assert.equal(described, 'saved');
    // No key is pressed for a while: no field need be left.
    await field(lin, 'office').fill('West 1');
    await lin.page.waitForFunction(() => Object.keys(localStorage).length === 0);
    assert.equal(draft().document.office, 'West 1');
    // Nothing is unsaved, so nothing asks before leaving.
    let asks = 0;
    lin.page.on('dialog', (dialog) => { asks += 1; dialog.accept(); });
    await lin.open(base);
    assert.equal(asks, 0);
    await lin.open(`${base}/sections/1`);
    assert.equal(await field(lin, 'office').inputValue(), 'West 1');
    await lin.leave();
});

test('sent while a save is under way, it is not in conflict with itself', async () => {
    const { lin, base, draft } = await asked();
    await lin.open(`${base}/sections/1`);
    let release;
    const pressed = new Promise((resolve) => { release = resolve; });
    const held = new Promise((resolve) => {
        lin.page.route('**/autosave', async (route) => {
            const reply = await route.fetch(); // the server has it
            resolve();
            await pressed;
            await route.fulfill({ response: reply });
        });
    });
    await field(lin, 'phone').fill('010-5555 0100');
    await field(lin, 'office').focus();
    await held;
    await field(lin, 'office').fill('West 2');
    await lin.act(async () => {
        await lin.page.getByRole('button', { name: t('en', 'answer.save_next') }).click();
        release();
    });
    assert.match(lin.page.url(), /sections\/2$/);
    assert.equal(draft().document.office, 'West 2');
    await lin.leave();
});

test('without a connection it stays on the device, leaving asks, and it comes back', async () => {
    const { lin, base, draft } = await asked();
    await lin.open(`${base}/sections/1`);
    await lin.context.setOffline(true);
    await field(lin, 'phone').fill('1111111');
    await field(lin, 'office').focus();
    await says(lin, /No connection/);
    assert.equal(draft(), undefined);
    let asks = 0;
    lin.page.on('dialog', (dialog) => { asks += 1; dialog.accept(); });
    await lin.context.setOffline(false);
    await says(lin, /Saved at/);
    assert.equal(draft().document.phone, '1111111');

    await lin.page.route('**/autosave', (route) => route.abort());
    await field(lin, 'phone').fill('2222222');
    await field(lin, 'office').focus();
    await says(lin, /No connection/);
    await lin.page.goto(`${base}?all=1`);
    assert.equal(asks, 1, 'what is unsaved asks before the page is left');
    await lin.page.unroute('**/autosave');
    await lin.page.goto(`${base}/sections/1`);
    await lin.page.waitForFunction(() => Object.keys(localStorage).length === 0);
    assert.equal(await field(lin, 'phone').inputValue(), '2222222');
    assert.equal(draft().document.phone, '2222222');
    await lin.context.close();
});

test('a newer draft of another device: both times, and the person chooses', async () => {
    for (const take of ['local', 'server']) {
        const { lin, base, draft, visitor } = await asked();
        const path = `${base}/sections/1`;
        await lin.open(path);
        await visitor.submit(await visitor.get(path), path,
            { phone: '1111111', office: 'East 9', action: 'later' });
        await field(lin, 'phone').fill('2222222');
        await field(lin, 'office').focus();
        const choice = lin.page.locator('#answer-choice');
        await choice.waitFor();
        assert.match(await choice.innerText(), /\d\d:\d\d[^]*\d\d:\d\d/);
        assert.equal(draft().document.phone, '1111111', 'nothing is overwritten unasked');
        await lin.act(() => choice.locator(`[data-take=${take}]`).click());
        assert.equal(draft().document.phone, take === 'local' ? '2222222' : '1111111');
        assert.equal(draft().document.office, 'East 9', 'the other window’s field survives');
        assert.equal(await field(lin, 'office').inputValue(), 'East 9');
        assert.equal(await field(lin, 'phone').inputValue(), draft().document.phone);
        await lin.leave();
    }
});

test('rows that were typed and not sent are there again', async () => {
    const { lin, base } = await asked();
    await lin.open(`${base}/sections/2`);
    await lin.page.route('**/autosave', (route) => route.abort());
    await field(lin, 'topic').fill('Caches');
    await field(lin, 'links.0.url').fill('https://example.org/a');
    await lin.page.getByRole('button', { name: /^Add/ }).click();
    await lin.page.locator('#answer [name^="links."][name$=".url"]').nth(1)
        .fill('https://example.org/b');
    lin.page.on('dialog', (dialog) => dialog.accept());
    await lin.page.goto(base);
    await lin.page.unroute('**/autosave');
    await lin.page.goto(`${base}/sections/2`);
    await lin.page.locator('#answer [name="links.1.url"]').waitFor();
    assert.equal(await field(lin, 'links.0.url').inputValue(), 'https://example.org/a');
    assert.equal(await field(lin, 'links.1.url').inputValue(), 'https://example.org/b');
    assert.equal(await field(lin, 'topic').inputValue(), 'Caches');
    await lin.context.close();
});

test('the end of a session is said in time and can be put off', async () => {
    const { lin, base, made } = await asked();
    server.database.run(`update session set expires_at = now() + interval '4 minutes',
        seen_at = now() where account_id = (select account_id from invitation
            where id = ${made.invitations[0]})`);
    await lin.open(`${base}/sections/1`);
    const box = lin.page.locator('#session-end');
    await box.waitFor();
    await lin.look();
    await box.getByRole('button').click();
    await box.waitFor({ state: 'hidden' });
    assert.equal(server.database.value(`select bool_and(expires_at > now() + interval '1 day')
        from session where account_id = (select account_id from invitation
            where id = ${made.invitations[0]})`), true);
    await lin.leave();
});

test('sent in, nothing of it is left on the device', async () => {
    const { lin, base } = await asked();
    await lin.open(`${base}/sections/1`);
    await lin.page.evaluate(() => localStorage.setItem('other', 'stays'));
    await field(lin, 'phone').fill('1111111');
    await lin.press(t('en', 'answer.save_next'));
    await field(lin, 'topic').fill('Caches');
    await lin.press(t('en', 'answer.save_next'));
    await lin.press(t('en', 'answer.submit'));
    await lin.expect(/It has arrived/);
    assert.deepEqual(await lin.page.evaluate(() => Object.keys(localStorage)), ['other']);
    await lin.leave();
});

for (const language of ['en', 'zh'])
    for (const scripts of [true, false])
        test(`every page on a phone, ${language}, ${scripts ? 'with' : 'without'} scripts`,
            async () => {
                const { lin, base, made } = await asked({ language, pilot: true,
                    viewport: { width: 360, height: 740 }, javaScriptEnabled: scripts });
                await lin.open('/my');
                await lin.open(base);
                await lin.follow(t(language, 'answer.begin'));
                await lin.page.locator('details.aside summary').click();
                await lin.look();
                await field(lin, 'phone').fill('x');
                await lin.press(t(language, 'answer.save_next'), 422);
                await field(lin, 'phone').fill('');
                await lin.press(t(language, 'answer.save_next'));
                await field(lin, 'topic').fill('缓存 '.repeat(60));
                await lin.press(t(language, 'answer.save_later'));
                await lin.follow(t(language, 'answer.check'));
                await lin.press(t(language, 'answer.submit'), 422);
                await lin.open(`${base}/sections/1`);
                await field(lin, 'phone').fill('1111111');
                await lin.press(t(language, 'answer.save_next'));
                await lin.open(`${base}/check`);
                await lin.press(t(language, 'answer.submit'));
                await lin.open(base);
                await lin.press(t(language, 'answer.reopen'));
                server.database.run(`update collection set state = 'closed'
                    where id = ${made.collection}`);
                await lin.open(base);
                await lin.open('/my/collections/999999', 404);
                await lin.leave();
            });

test('by keyboard alone', async () => {
    const { lin, base, draft } = await asked();
    const { keyboard } = lin.page;
    // Tab until the control is reached.
    const reach = async (selector) => {
        for (let i = 0; i < 60; i++) {
            await keyboard.press('Tab');
            if (await lin.page.evaluate((s) => document.activeElement?.matches(s), selector))
                return;
        }
        assert.fail(`${selector} is not reached by Tab`);
    };
    await lin.open(base);
    await reach('main a.btn');
    await lin.act(() => keyboard.press('Enter'));
    await reach('[name=phone]');
    await keyboard.type('1111111');
    await lin.act(() => keyboard.press('Enter'));
    await reach('[name=topic]');
    await keyboard.type('Caches');
    await reach('button[value=next]');
    await lin.act(() => keyboard.press('Enter'));
    await reach('form[action$="/submit"] button');
    await lin.act(() => keyboard.press('Enter'));
    assert.equal(draft().state, 'submitted');
    await lin.leave();
});
