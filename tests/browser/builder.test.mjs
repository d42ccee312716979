// The form builder in a browser: composed, dragged and tried out with scripts in a wide
// window; by keyboard and without scripts in a phone's; the pilot's page. Every page on the
// way is checked (see Person).

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Person, launch, words } from '../support/browser.mjs';
import { seedCollection } from '../support/collection.mjs';
import { startServer } from '../support/server.mjs';

let browser;
let server;

before(async () => {
    browser = await launch();
    server = await startServer({ demo: true });
});
after(async () => {
    await browser.close();
    await server.stop();
});

const field = (person, name) => person.page.locator(`main form [name="${name}"]`);

async function signIn(options) {
    const person = await Person.sit(browser, server, options);
    const { stdout } = await server.labd('admin', 'link', 'ada@lab.example');
    await person.open(new URL(/https?:\S+/.exec(stdout)[0]).pathname);
    await person.press(words(options.language ?? 'en', 'sign_in.link_submit'));
    await person.open(`/admin?lang=${options.language ?? 'en'}`); // not the account's
    return person;
}

// A collection of its own questions: [type, {name: value}]; its path.
async function compose(person, questions) {
    await person.open('/admin/collections/new?kind=custom');
    await field(person, 'title_en').fill('Retreat');
    await field(person, 'title_zh').fill('务虚会');
    await person.act(() => field(person, 'title_zh').press('Enter'));
    const [base] = /\/admin\/collections\/\d+/.exec(person.page.url());
    for (const [type, values] of questions) {
        await person.open(`${base}/form/new-question?section=0&type=${type}`);
        for (const [name, value] of Object.entries(values)) {
            const input = field(person, name);
            if (await input.evaluate((e) => e.tagName === 'SELECT'))
                await input.selectOption(value);
            else await input.fill(value);
        }
        await person.act(() => person.page.locator('main form p.actions .btn').last().click());
    }
    return base;
}

const names = (base) => server.database.value(`select json_agg(f ->> 'name') from collection c,
    json_array_elements(definition -> 'sections') s, json_array_elements(s -> 'fields') f
    where c.id = ${/\d+/.exec(base)[0]}`);

const choices = { 'choices.0.label_en': 'Rice', 'choices.0.label_zh': '米饭' };

test('with scripts: dragged, moved by its buttons with the focus kept, seen beside',
    async () => {
        const ada = await signIn({ viewport: { width: 1280, height: 900 } });
        const { page } = ada;
        const base = await compose(ada, [
            ['boolean', { label_en: 'I come', label_zh: '参加' }],
            ['choice', { label_en: 'Food', label_zh: '食物', ...choices }],
            ['text', { label_en: 'Room', label_zh: '房间' }]]);
        await ada.open(`${base}/form`);
        const live = page.locator('.live [data-drawn]');
        await live.getByText('Room').waitFor();

        // By its button; the focus stays on it, at the end on the other.
        const up = page.locator('button[value="up:room"]');
        await up.click();
        await page.locator('.question:nth-child(2)[data-path=room]').waitFor();
        assert.equal(await page.evaluate(() => document.activeElement.value), 'up:room');
        await page.keyboard.press('Enter');
        await page.locator('.question:nth-child(1)[data-path=room]').waitFor();
        assert.equal(await page.evaluate(() => document.activeElement.value), 'down:room');
        assert.deepEqual(names(base), ['room', 'i_come', 'food']);
        assert.match(await page.locator('#builder-said').textContent(), /changed/);

        // Dragged below the last.
        const grip = await page.locator('[data-path=room] .grip').boundingBox();
        const last = await page.locator('[data-path=food]').boundingBox();
        await page.mouse.move(grip.x + 5, grip.y + 5);
        await page.mouse.down();
        await page.mouse.move(last.x + 60, last.y + last.height - 5, { steps: 5 });
        await page.mouse.up();
        await page.locator('.question:nth-child(3)[data-path=room]').waitFor();
        assert.deepEqual(names(base), ['i_come', 'food', 'room']);
        await ada.look();

        // Taken out and put back; the focus is on the way back.
        await page.locator('button[value="remove:food"]').click();
        await page.locator('[data-path=food]').waitFor({ state: 'detached' });
        assert.match(await page.evaluate(() => document.activeElement.value), /^put_back:/);
        await page.keyboard.press('Enter');
        await page.locator('.question:nth-child(2)[data-path=food]').waitFor();

        // What is typed is seen before it is saved; choices come without a new page.
        await ada.open(`${base}/form/questions/food`);
        await field(ada, 'label_en').fill('What do you eat?');
        await live.getByText('What do you eat?').waitFor();
        const [add] = await page.getByRole('button', { name: /^Add another/ }).all();
        await add.click();
        await page.locator('[name$=".label_en"]').last().fill('Bread');
        await page.locator('[name$=".label_zh"]').last().fill('面包');
        await page.getByRole('button', { name: /^Up Choice 3/ }).click();
        await field(ada, 'choices.1.label_en').waitFor();
        assert.equal(await field(ada, 'choices.1.label_en').inputValue(), 'Bread');
        await page.selectOption('[name=show_field]', 'i_come');
        assert.equal(await page.locator('[data-ruler=i_come]').isVisible(), true);
        await page.getByLabel('Yes', { exact: true }).check();
        await ada.look();
        await ada.press('Save');

        // A question is there when it matters, in the preview as on the member's page.
        await ada.open(`${base}/form/preview`);
        const food = page.locator('[data-drawn] label', { hasText: 'What do you eat?' });
        assert.equal(await food.isVisible(), false);
        await page.getByLabel('I come').check();
        assert.equal(await food.isVisible(), true);
        await ada.leave();
    });

test('without scripts in a phone’s window, in Chinese, the same is possible', async () => {
    const ada = await signIn({ language: 'zh', javaScriptEnabled: false,
        viewport: { width: 360, height: 740 } });
    const zh = (key) => words('zh', key);
    const base = await compose(ada, [
        ['text', { label_en: 'Room', label_zh: '房间' }],
        ['multichoice', { label_en: 'Food', label_zh: '食物', ...choices }],
        ['group', { label_en: 'Guests' }]]);
    await ada.open(`${base}/form`);
    await ada.expect(/还差 2 处/);
    await ada.act(() => ada.page.locator('button[value="down:room"]').press('Enter'));
    assert.deepEqual(names(base), ['food', 'room', 'guests']);
    await ada.act(() => ada.page.locator('button[value="remove:guests"]').press('Enter'));
    await ada.act(() => ada.page.locator('button[value^="put_back:"]').first().press('Enter'));
    assert.deepEqual(names(base), ['food', 'room', 'guests']);
    await ada.act(() => ada.page.locator('button[value="remove:guests"]').press('Enter'));
    await ada.follow(zh('builder.add_section'));
    await field(ada, 'title_en').fill('More');
    await ada.press(zh('builder.save'));
    await ada.open(`${base}/form/questions/food`);
    // Somebody else is faster: nothing is lost, and the page says what has changed.
    server.database.run(`update collection set definition = definition,
            definition_version = definition_version + 1
        where id = ${/\d+/.exec(base)[0]}`);
    await field(ada, 'label_zh').fill('吃什么');
    await ada.press(zh('builder.save'), 409);
    assert.equal(await field(ada, 'label_zh').inputValue(), '吃什么');
    await ada.press(zh('builder.save'));
    await ada.open(`${base}/form`);
    server.database.run(`update collection set definition = definition,
            definition_version = definition_version + 1
        where id = ${/\d+/.exec(base)[0]}`);
    await ada.act(() => ada.page.locator('button[value="copy:room"]').press('Enter'), 409);
    await ada.press(zh('builder.do_it_now'));
    assert.deepEqual(names(base), ['food', 'room', 'room_2']);
    await ada.open(`${base}/form/sections/head`);
    await ada.open(`${base}/form/preview?width=phone&in=en`);
    await ada.open(`${base}/form/versions`);
    await ada.open(`${base}/form/new-question?section=0`);
    await ada.open(`${base}/pilot`);
    await ada.expect(new RegExp(zh('pilot.none_title')));
    await ada.leave();
});

test('a member’s question is there when it matters; without scripts it says when',
    async () => {
        const label = (en) => ({ en, zh: en });
        const made = seedCollection(server.database, [], { fields: [
            { name: 'come', type: 'boolean', label: label('I come') },
            { name: 'food', type: 'choice', label: label('Food'),
                show_if: { field: 'come', equals: true },
                choices: ['rice', 'other'].map((value) => ({ value, label: label(value) })) },
            { name: 'which', type: 'text', label: label('Which other'), required: true,
                show_if: { field: 'food', equals: 'other' } }] });
        const ada = await signIn({ viewport: { width: 1280, height: 900 } });
        server.database.run(`insert into invitation (collection_id, account_id, wave_id, pilot,
            form_version_id) select ${made.collection}, id, ${made.wave}, false,
            ${made.version} from account where email = 'ada@lab.example'`);
        const path = `/my/collections/${made.collection}/sections/1`;
        await ada.open(path);
        const shown = async () => Promise.all(['food', 'which'].map((name) =>
            field(ada, name).isVisible()));
        assert.deepEqual(await shown(), [false, false]);
        await field(ada, 'come').check();
        assert.deepEqual(await shown(), [true, false]);
        await field(ada, 'food').selectOption('other');
        assert.deepEqual(await shown(), [true, true]);
        await field(ada, 'which').fill('dumplings');
        // What rules it goes: so does what depends on that.
        await field(ada, 'come').uncheck();
        assert.deepEqual(await shown(), [false, false]);
        await ada.press(words('en', 'answer.save_next'));
        assert.equal(server.database.value(`select document ->> 'which' from change
            where entity = 'answer' order by id desc limit 1`), null);
        await ada.leave();

        const plain = await signIn({ javaScriptEnabled: false,
            viewport: { width: 360, height: 740 } });
        await plain.open(path);
        await plain.expect(/Only if “I come” is ticked/);
        await plain.expect(/Only if “Food” is: other/);
        assert.equal(await field(plain, 'which').isVisible(), true);
        await plain.leave();
    });

test('the pilot’s page says beside each question how it went', async () => {
    for (const language of ['en', 'zh']) {
        const ada = await signIn({ language, viewport: { width: 1280, height: 900 } });
        const base = await compose(ada, [
            ['text', { label_en: 'Room', label_zh: '房间' }],
            ['email', { label_en: 'Address', label_zh: '邮箱' }]]);
        const id = /\d+/.exec(base)[0];
        await ada.open(`${base}/form`);
        await ada.press(words(language, 'builder.publish'));
        // What members do in their own pages is that test's matter: here are its rows.
        server.database.run(`insert into wave (collection_id, number, kind, form_version_id)
                select ${id}, 1, 'pilot', id from form_version where collection_id = ${id};
            insert into invitation (collection_id, account_id, wave_id, pilot,
                form_version_id, opened_at)
                select ${id}, a.id, w.id, true, w.form_version_id, now()
                from wave w, account a where w.collection_id = ${id} and a.person_id is not null
                order by a.id limit 2;
            insert into answer_step (invitation_id, form_version_id, section, kind, field, code)
                select id, form_version_id, 0, 'refused', 'address', 'email'
                from invitation where collection_id = ${id};
            insert into feedback (invitation_id, form_version_id, section, field, unclear,
                comment) select id, form_version_id, 0, 'room', true, 'Which <room>?'
                from invitation where collection_id = ${id} limit 1`);
        await ada.open(`${base}/pilot`);
        await ada.expect(/Which <room>\?/);
        await ada.expect(language === 'en'
            ? /Not an e-mail address: 2 ×, by 2 people/ : /不是邮箱地址：2 次，2 人/);
        await ada.expect(language === 'en' ? /2 people stopped here/ : /2 人停在这里/);
        await ada.act(() => ada.page.getByRole('link',
            { name: words(language, 'pilot.edit') }).first().click());
        assert.match(ada.page.url(), /questions\/room$/);
        await ada.leave();
    }
});
