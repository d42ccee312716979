// The public pages of the demo lab in a browser: each kind of page, in both languages, in
// a wide window and a phone's, light and dark.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Person, launch, words } from '../support/browser.mjs';
import { startServer } from '../support/server.mjs';

let browser;
let server;

before(async () => {
    [browser, server] = await Promise.all([launch(), startServer({ demo: true })]);
});
after(async () => {
    await browser.close();
    await server.stop();
});

const slug = (table, order) => encodeURIComponent(
    server.database.value(`select slug from ${table} order by ${order} limit 1`));

for (const [name, viewport] of [['wide', { width: 1440, height: 900 }],
    ['a phone', { width: 360, height: 740 }]])
    test(`each kind of page: ${name}`, async () => {
        const pages = [['/'], ['/people'],
            [`/people/${slug('person', 'length(biography_en) desc nulls last')}`],
            [`/people/${slug('public_person', 'current, slug')}`],
            ['/publications'], ['/publications?kind=article&year=2022&q=memory'],
            ['/publications?q=nothing-has-these-words'],
            [`/publications/${slug('publication', 'length(abstract) desc nulls last')}`],
            [`/publications/${slug('publication', 'length(title) desc')}`],
            ['/people/nobody', 404]];
        for (const language of ['en', 'zh']) {
            const eve = await Person.sit(browser, server, { language, viewport });
            for (const [path, status] of pages) await eve.open(`/${language}${path}`, status);
            if (viewport.width > 400) await eve.open('/sign-in');
            await eve.leave();
        }
    });

test('a visitor filters the list by keyboard alone and changes the language', async () => {
    const eve = await Person.sit(browser, server);
    await eve.open('/en/publications');
    await eve.page.locator('#q').focus();
    await eve.page.keyboard.type('memory');
    await eve.act(() => eve.page.keyboard.press('Enter'));
    assert.equal(new URL(eve.page.url()).searchParams.get('q'), 'memory');
    const found = await eve.page.locator('li.work').count();
    assert.ok(found > 0);
    await eve.act(() => eve.page.locator('nav.own a').click());
    const { pathname, searchParams } = new URL(eve.page.url());
    assert.equal(pathname, '/zh/publications');
    assert.equal(searchParams.get('q'), 'memory');
    assert.equal(await eve.page.locator('li.work').count(), found);
    await eve.expect(new RegExp(words('zh', 'publications.title')));
    // The skip link leads into the page.
    await eve.page.keyboard.press('Tab');
    assert.equal(await eve.page.evaluate(() => document.activeElement.className), 'skip');
    await eve.page.keyboard.press('Enter');
    assert.equal(await eve.page.evaluate(() => document.activeElement.id), 'main');
    await eve.leave();
});

test('the BibTeX of a work is copied from the list, filters are taken away one by one', async () => {
    const eve = await Person.sit(browser, server,
        { permissions: ['clipboard-read', 'clipboard-write'] });
    await eve.open('/en/publications?kind=conference&venue=osdi&selected=yes');
    const first = eve.page.locator('li.work').first();
    await first.getByRole('button', { name: words('en', 'work.copy_bibtex') }).click();
    await first.getByRole('button', { name: words('en', 'work.copied') }).waitFor();
    assert.match(await eve.page.evaluate(() => navigator.clipboard.readText()),
        /^@inproceedings\{/);
    for (const left of [3, 2, 1]) {
        assert.equal(await eve.page.locator('.chips a:not(.all)').count(), left);
        await eve.act(() => eve.page.locator('.chips a').first().click());
    }
    assert.equal(await eve.page.locator('.chips').count(), 0);
    await eve.page.locator('.works-chart summary').click();
    await eve.act(() => eve.page.locator('.works-chart th a').first().click());
    assert.match(eve.page.url(), /year=\d{4}$/);
    await eve.leave();
});

test('the list is filtered without scripts', async () => {
    const eve = await Person.sit(browser, server, { javaScriptEnabled: false,
        viewport: { width: 360, height: 740 } });
    await eve.open('/zh/publications');
    await eve.page.locator('#topic').selectOption('memory-systems');
    await eve.page.locator('#from').selectOption('2024');
    await eve.act(() => eve.page.locator('.filters button').click());
    assert.equal(await eve.page.locator('.chips a:not(.all)').count(), 2);
    assert.equal(await eve.page.locator('button[data-copy-from]:visible').count(), 0);
    await eve.leave();
});

// WCAG 1.4.10: a window of 320 pixels, which is also what zooming in leaves.
test('the narrowest window shows everything without scrolling sideways', async () => {
    const eve = await Person.sit(browser, server, { viewport: { width: 320, height: 640 } });
    for (const path of ['/en/', '/zh/people', '/en/publications', '/sign-in'])
        await eve.open(path);
    await eve.leave();
});
