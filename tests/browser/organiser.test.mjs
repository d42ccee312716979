// The organiser's pages in a browser: a collection is made, people are chosen, the pilot
// and then everyone are asked. Every page on the way is checked (see Person), in both
// languages, with scripts in a wide window and without in a phone's.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Person, launch, words } from '../support/browser.mjs';
import { startServer } from '../support/server.mjs';

let browser;

before(async () => {
    browser = await launch();
});
after(() => browser.close());

async function arrive(person, server) {
    const { stdout } = await server.labd('admin', 'link', 'ada@lab.example');
    await person.open(new URL(/https?:\S+/.exec(stdout)[0]).pathname);
    await person.act(() => person.page.locator('main form button').first().click());
}

for (const { name, language, ...options } of [
    { name: 'with scripts, in a wide window', language: 'en',
        viewport: { width: 1440, height: 900 } },
    { name: 'without scripts, on a phone', language: 'zh', javaScriptEnabled: false,
        viewport: { width: 360, height: 740 } },
])
    test(`first the pilot, then everyone: ${name}`, async () => {
        const server = await startServer({ demo: true });
        const say = (key) => words(language, key);
        try {
            const ada = await Person.sit(browser, server, { ...options, language });
            await arrive(ada, server);
            await ada.open(`/admin/collections?lang=${language}`);
            await ada.open('/admin/collections/new');
            await ada.follow(say('collection.choose_kind.profile'));
            // The Enter key sends the form.
            const title = ada.page.locator('main [name=title_en]');
            await title.fill('');
            await ada.page.locator('main [name=title_zh]').fill('');
            await ada.act(() => title.press('Enter'), 422);
            await title.fill('Profiles 2031');
            await ada.page.locator('main [name=deadline]').fill('2031-03-01');
            await ada.press(say('collection.create'));
            assert.match(ada.page.url(), /\/people\?notice=collection_created/);
            const base = new URL(ada.page.url()).pathname.replace(/\/people$/, '');
            await ada.page.locator('#who').selectOption('current');
            await ada.press(say('collection.show'));
            await ada.press(say('collection.choose_all'));
            await ada.page.locator('#count').fill('2');
            await ada.press(say('collection.random'));
            await ada.follow(say('collection.to_waves'));
            await ada.follow(say('collection.wave_look.pilot'));
            await ada.press(say('collection.wave_open.pilot'));
            assert.match(ada.page.url(), /notice=wave_opened/);
            assert.equal(server.database.value(
                `select count(*) from invitation where collection_id = ${/\d+/.exec(base)}`), 2);
            await ada.follow(say('collection.wave_look.everyone'));
            await ada.press(say('collection.wave_open.everyone'));
            await ada.open(`${base}/mails`);
            await ada.open(`${base}/mails/reminder/en`);
            await ada.page.locator('main [name=body]').fill('Without what it needs');
            await ada.press(say('outbox.save'), 422);
            await ada.open(`${base}/settings`);
            await ada.press(say('collection.to.closing'));
            await ada.press(say('collection.to.closed'));
            await ada.press(say('collection.duplicate'));
            const other = language === 'en' ? 'zh' : 'en';
            for (const path of ['/admin', '/admin/collections', '/admin/collections/new',
                '/admin/collections/new?kind=custom', `${base}/people`, `${base}/waves`,
                `${base}/waves/everyone`, `${base}/mails`, `${base}/mails/invitation/zh`,
                `${base}/settings`])
                await ada.open(`${path}${path.includes('?') ? '&' : '?'}lang=${other}`);
            await ada.leave();
        } finally {
            await server.stop();
        }
    });
