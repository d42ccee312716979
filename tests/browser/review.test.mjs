// What was typed survives the end of a session; reviewing, history and one's own data: in a
// wide window with scripts and in English, in a phone's without scripts and in Chinese.
// Every page on the way is checked (see Person).

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Person, launch, words } from '../support/browser.mjs';
import { startServer } from '../support/server.mjs';

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser.close());

const field = (person, name) => person.page.locator(`main [name="${name}"]`);

async function arrive(person, server, email, language) {
    const { stdout } = await server.labd('admin', 'link', email);
    server.database.run(`update account set language = '${language}'`);
    await person.open(new URL(/https?:\S+/.exec(stdout)[0]).pathname);
    await person.act(() => person.page.locator('main form button').first().click());
}

// Along the page by the keyboard alone until `locator` has the focus, then the key.
async function byKeyboard(person, locator, key = 'Enter') {
    for (let i = 0; i < 200; i++) {
        if (await locator.evaluate((e) => e === document.activeElement)) {
            await person.page.keyboard.press(key);
            return;
        }
        await person.page.keyboard.press('Tab');
    }
    assert.fail('the keyboard does not come there');
}

function walk(language, options) {
    const say = (key) => words(language, key);
    const scripts = options.javaScriptEnabled !== false;
    const button = (person, key) =>
        person.page.getByRole('button', { name: say(key), exact: true }).first();

    test(`${language}, ${options.viewport.width} px, scripts ${scripts}`, async () => {
        const server = await startServer({ demo: true });
        try {
            const sql = (text) => server.database.value(text);
            const email = sql(`select email from account where person_id is not null
                and not admin and disabled_at is null order by id limit 1`);
            const person = sql(`select person_id from account where email = '${email}'`);
            server.database.run(`delete from change where state <> 'approved'
                and entity = 'person'`);
            server.database.run(`update change set author_id = null where state <> 'approved'`);
            const lin = await Person.sit(browser, server, { language, ...options });
            const ada = await Person.sit(browser, server, { language, ...options });
            await arrive(ada, server, 'ada@lab.example', language);
            await arrive(lin, server, email, language);
            server.database.run(`update account set admin = false where email = '${email}'`);

            // Signed out in mid-form.
            await lin.open('/my/profile');
            await field(lin, 'office').fill('Tower 4, 第五室');
            await field(lin, 'biography_en').fill('Several\nlines <of> text');
            server.database.run(`delete from session using account
                where account.id = account_id and email = '${email}'`);
            await lin.act(() => lin.page.locator('main form:has([name=office]) .actions .btn')
                .last().click());
            await lin.expect(new RegExp(say('notice.kept').slice(0, 12)));
            await arrive(lin, server, email, language);
            server.database.run(`update account set admin = false where email = '${email}'`);
            assert.match(lin.page.url(), /\/my\/held\/\d+/);
            await lin.expect(/Tower 4, 第五室/);
            await lin.act(() => byKeyboard(lin, button(lin, 'held.redraw')));
            assert.equal(await field(lin, 'office').inputValue(), 'Tower 4, 第五室');
            assert.equal(await field(lin, 'biography_en').inputValue(),
                'Several\nlines <of> text');
            await lin.open('/my');
            await lin.follow(say('held.kept'));
            await lin.press(say('held.redraw'));
            await lin.press(say('edit.save.my_person'));

            // Reviewing: claimed, returned with a comment on a field.
            const id = sql('select max(id) from change');
            await ada.open('/admin/changes');
            await ada.open(`/admin/changes/${id}`);
            await ada.act(() => byKeyboard(ada, button(ada, 'review.claim')));
            await ada.act(() => ada.page.locator('main form[action$="/return"] .btn').last()
                .click(), 422);
            await ada.page.locator('summary').click();
            await ada.page.locator('[name="on.office"]').fill('Which tower?');
            await ada.press(say('admin.change.return'));
            await lin.open('/my/profile');
            await lin.expect(/Which tower\?/);
            await field(lin, 'office').fill('Tower 6');
            await lin.press(say('edit.save.my_person'));

            // What was published meanwhile is merged, and approved with an edit.
            server.database.run(`update person set version = version where id = ${person}`);
            const slug = sql(`select slug from person where id = ${person}`);
            await ada.open(`/admin/people/${slug}/edit`);
            await field(ada, 'office').fill('Basement');
            await ada.press(say('edit.save.admin_person'));
            await ada.open(`/admin/changes/${id}`);
            await ada.follow(say('review.merge'));
            await ada.expect(/Basement/);
            assert.equal(await field(ada, 'office').inputValue(), 'Tower 6');
            await field(ada, 'office').fill('Tower 6, second floor');
            await ada.press(say('review.approve_edited'));
            await ada.open(`/admin/changes/${id}`);
            await ada.expect(/second floor/);

            // History: compared, undone.
            await ada.follow(say('review.undo'));
            await ada.press(say('history.restore_confirm'));
            assert.equal(sql(`select office from person where id = ${person}`), 'Basement');
            await ada.act(() => byKeyboard(ada, button(ada, 'history.compare')));
            await lin.open('/my/history');

            // Many at once.
            await ada.open('/admin/changes');
            const boxes = ada.page.locator('main input[type=checkbox]');
            if (await boxes.count() > 0) {
                await boxes.first().check();
                await ada.press(say('review.approve_chosen'));
            }

            // One's own data.
            await lin.open('/my/data');
            await field(lin, 'lasting').fill('me@home.example');
            await lin.press(say('data.leaving_send'));
            await lin.open(sql(`select substring(body from '/my/data/lasting/[[:alnum:]_-]+')
                from mail where template = 'lasting_address'`));
            await lin.press(say('data.lasting_confirm'));
            await lin.press(say('data.deletion_send'), 422);
            await field(lin, 'sure').check();
            await lin.press(say('data.deletion_send'));
            await ada.open('/admin');
            await ada.follow(say('data.request_link'));
            await ada.press(say('data.request_erase'), 422);
            await field(ada, 'email').fill(email);
            await ada.press(say('data.request_erase'));
            await ada.open(`/admin/history/person/${person}`);
            await lin.leave();
            await ada.leave();
        } finally {
            await server.stop();
        }
    });
}

walk('en', { viewport: { width: 1280, height: 900 } });
walk('zh', { viewport: { width: 360, height: 740 }, javaScriptEnabled: false });
