// The organiser's board in a browser: it keeps itself up to date and takes nothing away
// from whoever is working on it; by keyboard alone; without scripts on a phone, in
// Chinese. Every page on the way is checked (see Person).

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Person, launch, words } from '../support/browser.mjs';
import { seedCollection } from '../support/collection.mjs';
import { startServer } from '../support/server.mjs';

let browser;
let server;

before(async () => {
    browser = await launch();
    server = await startServer();
});
after(async () => {
    await server.stop();
    await browser.close();
});

async function sit(options = {}) {
    const person = await Person.sit(browser, server, options);
    const { stdout } = await server.labd('admin', 'link', 'ada@lab.example');
    const language = options.language ?? 'en';
    await person.open(`${new URL(/https?:\S+/.exec(stdout)[0]).pathname}?lang=${language}`);
    await person.press(words(language, 'sign_in.link_submit'));
    return person;
}

const seed = (count, title) => {
    const made = seedCollection(server.database, Array.from({ length: count }, (_, i) => ({
        given: 'Xiao', family: `Name${String(i).padStart(2, '0')}`, han: `林${i}`,
        state: ['invited', 'opened', 'started', 'submitted', 'returned', 'approved'][i % 6],
        complete: i % 101, mail: ['sent', 'bounced', 'waiting'][i % 3] })),
    { title, titleZh: '年度信息' });
    return { ...made, path: `/admin/collections/${made.collection}` };
};

// As a screen reader gets it: the words of a counter.
const counter = (page, key) => page.locator(`#count-${key}`).innerText();

test('an open board follows what happens, and ticks, focus and scrolling stay', async () => {
    const own = seed(30, 'Live');
    const ada = await sit({ viewport: { width: 1280, height: 700 } });
    await ada.open(own.path);
    const { page } = ada;
    const row = (i) => page.locator(`#row-${own.invitations[i]}`);
    await row(19).locator('input').check();
    await row(20).locator('input').check();
    assert.match(await page.locator('#board-chosen').innerText(), /2/);
    await row(22).locator('a').first().focus();
    const scrolled = await page.evaluate(() => scrollY);
    assert.ok(scrolled > 100);
    assert.match(await counter(page, 'started'), /5/);
    assert.equal(await page.locator('#board-counters').getAttribute('aria-live'), 'polite');
    assert.equal(await page.locator('[aria-live]').count(), 1);

    const look = () => page.evaluate(() =>
        document.dispatchEvent(new Event('visibilitychange')));
    server.database.run(`update invitation set state = 'started', complete = 99
        where id in (${own.invitations[22]}, ${own.invitations[19]})`);
    await Promise.all([page.waitForResponse(/\/live/), look()]);
    await row(22).getByText('99 %').waitFor();
    assert.match(await counter(page, 'started'), /7/);
    assert.ok(await row(19).locator('input').isChecked());
    assert.ok(await row(20).locator('input').isChecked());
    assert.equal(await page.evaluate(() => document.activeElement.closest('tr')?.id),
        `row-${own.invitations[22]}`);
    assert.equal(await page.evaluate(() => scrollY), scrolled);

    // Nothing new: the server says so without a body, and the page leaves all as it is.
    const [same] = await Promise.all([page.waitForResponse(/\/live/), look()]);
    assert.equal(same.status(), 304);

    // Under a filter, who does not match any more goes; who is ticked stays to be acted on.
    await ada.open(`${own.path}?state=invited`);
    await row(0).locator('input').check();
    server.database.run(`update invitation set state = 'opened'
        where id in (${own.invitations[0]}, ${own.invitations[6]})`);
    await Promise.all([page.waitForResponse(/\/live/), look()]);
    await row(6).waitFor({ state: 'detached' });
    assert.ok(await row(0).locator('input').isChecked());
    await ada.look();
    await ada.leave();
});

test('everything can be done by keyboard alone', async () => {
    const own = seed(6, 'Keys');
    const ada = await sit();
    await ada.open(own.path);
    const { page } = ada;
    const { keyboard } = page;
    // Tab until the focus is there.
    async function reach(selector, key = 'Tab') {
        for (let i = 0; i < 120; i++) {
            if (await page.evaluate((s) => document.activeElement.matches(s), selector)) return;
            await keyboard.press(key);
        }
        assert.fail(`Tab does not come to ${selector}`);
    }
    await reach('#q');
    await keyboard.type('name0');
    await ada.act(() => keyboard.press('Enter'));
    assert.match(page.url(), /q=name0/);
    await reach('#board-tick');
    await keyboard.press('Enter');
    assert.equal(await page.locator('input[name=id]:checked').count(), 6);
    await reach('input[name=id]');
    await keyboard.press('Space');
    assert.equal(await page.locator('input[name=id]:checked').count(), 5);
    await reach('button[value=extend]', 'Shift+Tab');
    await ada.act(() => keyboard.press('Enter'));
    await reach('input[name=until]');
    await ada.act(() => keyboard.press('Enter')); // empty: takes extensions back
    await ada.expect(/New last day for 5/);
    await reach('main .actions a');
    await ada.act(() => keyboard.press('Enter'));
    assert.match(page.url(), /q=name0/, 'back to the same list');
    await reach('th[aria-sort] a');
    await ada.act(() => keyboard.press('Enter'));
    assert.match(page.url(), /sort=-name/);
    await reach('details > summary');
    await keyboard.press('Enter');
    assert.ok(await page.locator('.chart-panel table').isVisible());
    await ada.leave();
});

for (const language of ['en', 'zh'])
    test(`pages of the board on a phone, without scripts (${language})`, async () => {
        const own = seed(8, `Phone ${language}`);
        const t = (key) => words(language, key);
        const ada = await sit({ language, javaScriptEnabled: false,
            viewport: { width: 360, height: 740 } });
        await ada.open(own.path);
        await ada.follow(t('board.tick_page'));
        assert.equal(await ada.page.locator('input[name=id]:checked').count(), 8);
        await ada.press(t('board.act.remind'));
        await ada.press(t('board.confirm.remind'));
        await ada.follow(t('board.back'));
        await ada.press(t('board.act.withdraw'), 422); // nobody ticked
        await ada.follow(t('board.back'));
        await ada.page.locator('input[name=id]').first().check();
        await ada.press(t('board.act.extend'));
        await ada.page.locator('[name=until]').fill('1999-01-01');
        await ada.press(t('board.confirm.extend'), 422);
        assert.equal(await ada.page.locator('[name=until]').inputValue(), '1999-01-01');
        await ada.page.locator('[name=until]').fill('2099-01-01');
        await ada.press(t('board.confirm.extend'));
        await ada.open(`${own.path}/invitations/${own.invitations[2]}`);
        await ada.press(t('board.act.link'));
        await ada.press(t('board.confirm.link'));
        await ada.open(`${own.path}/export`);
        for (const box of await ada.page.locator('input[name=column]').all()) await box.uncheck();
        await ada.press(t('export.download'), 422);
        await ada.expect(new RegExp(t('export.error.columns')));
        const empty = seed(0, 'Empty');
        await ada.open(empty.path);
        await ada.expect(new RegExp(t('board.empty_title')));
        await ada.leave();
    });
