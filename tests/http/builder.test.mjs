// The form builder without scripts: a form of every kind of question is made, shown,
// published; two editors don't undo each other; what is taken out can be put back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { admin } from '../support/visitor.mjs';

let server;
let ada;
let eve; // another admin

before(async () => {
    server = await startServer({ demo: true });
    ada = await admin(server);
    eve = await admin(server, 'eve@lab.example');
});
after(() => server.stop());

async function newCollection(kind, title = 'Survey') {
    const path = `/admin/collections/new?kind=${kind}`;
    const made = await ada.submit(await ada.get(path), path,
        { title_en: title, title_zh: '调查' });
    assert.equal(made.status, 303, made.text);
    return /^\/admin\/collections\/\d+/.exec(made.location)[0];
}

const definitionOf = (base) => server.database.value(
    `select definition from collection where id = ${/\d+/.exec(base)[0]}`);
const fieldsOf = (base) => definitionOf(base).sections.flatMap((s) => s.fields);
const fieldOf = (base, name) => fieldsOf(base).find((f) => f.name === name);
const press = async (base, action, values = {}) =>
    ada.submit(await ada.get(`${base}/form`), `${base}/form`, { action, ...values });

async function addQuestion(base, type, values, { section = 0, group } = {}) {
    const path = `${base}/form/new-question`;
    const page = await ada.get(`${path}?section=${section}&type=${type}` +
        (group ? `&group=${group}` : ''));
    assert.equal(page.status, 200, page.text);
    const saved = await ada.submit(page, path, values);
    assert.equal(saved.status, 303, saved.text);
    return /#q-(.*)/.exec(saved.location)[1];
}

const types = ['text', 'textarea', 'markdown', 'integer', 'decimal', 'date', 'month',
    'boolean', 'choice', 'multichoice', 'email', 'url', 'phone', 'orcid', 'person', 'file',
    'photo', 'group'];

test('a form of every kind of question is made, shown as drawn, and published', async () => {
    const base = await newCollection('custom');
    const empty = await ada.get(`${base}/form`);
    assert.equal(empty.status, 200, empty.text);
    assert.match(empty.text, /It has no questions/);
    const refused = await ada.submit(empty, `${base}/form/publish`);
    assert.equal(refused.status, 422);
    assert.match(refused.text, /One thing is missing/);

    const kinds = await ada.get(`${base}/form/new-question?section=0`);
    for (const type of types) assert.match(kinds.text, new RegExp(`type=${type}"`));
    for (const type of types) {
        const values = { label_en: `About ${type}`, label_zh: `关于 ${type}` };
        if (type === 'choice' || type === 'multichoice') {
            values['choices.0.label_en'] = 'First, with a comma';
            values['choices.0.label_zh'] = '第一，有逗号';
            values['choices.1.label_en'] = '第二';
            values['choices.1.label_zh'] = '🦊';
            values['choices.2.label_en'] = 'x'.repeat(300);
            values['choices.2.label_zh'] = '三'.repeat(300);
        }
        const name = await addQuestion(base, type, values);
        assert.equal(name, `about_${type}`);
    }
    const choices = fieldOf(base, 'about_choice').choices;
    assert.deepEqual(choices.map((c) => c.value),
        ['first_with_a_comma', 'c1', 'x'.repeat(30)]);
    assert.equal(choices[1].label.zh, '🦊');
    await addQuestion(base, 'text', { label_en: 'Where', label_zh: '地点' },
        { group: 'about_group' });
    assert.equal(fieldOf(base, 'about_group').fields[0].name, 'where');

    for (const language of ['en', 'zh']) {
        const preview = await ada.get(`${base}/form/preview?in=${language}`);
        assert.equal(preview.status, 200);
        for (const type of types)
            assert.ok(preview.text.includes(language === 'en' ? `About ${type}`
                : `关于 ${type}`), type);
    }
    const part = await ada.get(`${base}/form/preview?part=1`);
    assert.doesNotMatch(part.text, /<html/);
    const list = await ada.get(`${base}/form`);
    assert.doesNotMatch(list.text, /missing before/);
    const published = await ada.submit(list, `${base}/form/publish`);
    assert.equal(published.location, `${base}/form/versions?notice=form_published`);
    const versions = await ada.follow(published);
    assert.match(versions.text, /Version 1/);
    assert.equal((await ada.get(`${base}/form/versions/1`)).status, 200);
    assert.equal((await ada.get(`${base}/form/versions/2`)).status, 404);
});

test('after publishing, names, kinds and values stay; the version does not change',
    async () => {
        const base = await newCollection('custom');
        await addQuestion(base, 'choice', { label_en: 'Food', label_zh: '食物',
            'choices.0.label_en': 'Rice', 'choices.0.label_zh': '米饭',
            'choices.1.label_en': 'Noodles', 'choices.1.label_zh': '面' });
        const question = `${base}/form/questions/food`;
        const renamed = await ada.submit(await ada.get(question), question,
            { name: 'dish' });
        assert.match(renamed.location, /#q-dish/);
        await ada.submit(await ada.get(`${base}/form`), `${base}/form/publish`);
        const path = `${base}/form/questions/dish`;
        const page = await ada.get(path);
        assert.doesNotMatch(page.text, /name="name"/);
        const sent = await ada.submit(page, path, { label_en: 'Favourite food',
            name: 'other', type: 'text', 'choices.0.label_en': 'Boiled rice',
            'choices.2.label_en': 'Rice', 'choices.2.label_zh': '饭' });
        assert.equal(sent.status, 303, sent.text);
        const now = fieldOf(base, 'dish');
        assert.equal(now.type, 'choice');
        assert.deepEqual(now.choices.map((c) => c.value), ['rice', 'noodles', 'rice_2']);
        // A question that takes the place of a removed one never takes its name.
        await press(base, 'remove:dish');
        assert.equal(await addQuestion(base, 'text', { label_en: 'Dish', label_zh: '菜' }),
            'dish_2');
        const kept = server.database.value(`select definition::text from form_version
            where collection_id = ${/\d+/.exec(base)[0]}`);
        assert.match(kept, /Food/);
        assert.doesNotMatch(kept, /Favourite/);
        const versions = await ada.get(`${base}/form/versions`);
        assert.match(versions.text, /New: “Dish”/);
        assert.match(versions.text, /Removed: “Food”/);
    });

test('order, sections, copies: each by its button', async () => {
    const base = await newCollection('custom');
    for (const label of ['One', 'Two', 'Three'])
        await addQuestion(base, 'text', { label_en: label, label_zh: label });
    const names = () => fieldsOf(base).map((f) => f.name);
    await press(base, 'up:three');
    assert.deepEqual(names(), ['one', 'three', 'two']);
    await press(base, 'down:one');
    assert.deepEqual(names(), ['three', 'one', 'two']);
    const page = await ada.get(`${base}/form`);
    assert.match(page.text, /value="up:three" disabled/);
    assert.match(page.text, /value="down:two" disabled/);
    const nothing = await press(base, 'up:three');
    assert.equal(nothing.location, `${base}/form?notice=unchanged_form`);
    await press(base, 'copy:one');
    assert.deepEqual(names(), ['three', 'one', 'one_2', 'two']);

    const section = `${base}/form/new-section`;
    const added = await ada.submit(await ada.get(section), section,
        { title_en: 'Second', title_zh: '第二部分' });
    assert.match(added.location, /#s-1$/);
    await press(base, 'to:one', { 'to.one': '1' });
    await press(base, 'place:two:1:0');
    const shape = () => definitionOf(base).sections.map((s) => s.fields.map((f) => f.name));
    assert.deepEqual(shape(), [['three', 'one_2'], ['two', 'one']]);
    await press(base, 'section_up:1');
    assert.deepEqual(shape(), [['two', 'one'], ['three', 'one_2']]);
    await press(base, 'section_remove:0');
    assert.deepEqual(shape(), [['two', 'one', 'three', 'one_2']]);
});

test('what was removed is put back where it was, also much later', async () => {
    const base = await newCollection('custom');
    for (const label of ['One', 'Two', 'Three'])
        await addQuestion(base, 'text', { label_en: label, label_zh: label });
    const before = fieldsOf(base);
    const removed = await press(base, 'remove:two');
    const after = await ada.follow(removed);
    assert.match(after.text, /The question was removed/);
    const [, undo] = /name="action" value="(put_back:[^"]*)"/.exec(after.text);
    const back = await ada.submit(after, `${base}/form`, { action: undo });
    assert.match(back.location, /question_put_back/);
    assert.deepEqual(fieldsOf(base), before);

    await press(base, 'remove:one');
    await press(base, 'remove:three');
    await press(base, 'copy:two');
    const later = await ada.get(`${base}/form`);
    assert.match(later.text, /Removed questions/);
    for (const [, action] of later.text.matchAll(/value="(put_back:\d+:(?:one|three))"/g))
        await press(base, action);
    assert.deepEqual(fieldsOf(base).map((f) => f.name).sort(),
        ['one', 'three', 'two', 'two_2']);
});

test('of two editors the second is told, sees both, and loses nothing', async () => {
    const base = await newCollection('custom');
    await addQuestion(base, 'text', { label_en: 'One', label_zh: '一' });
    const path = `${base}/form/questions/one`;
    const mine = await ada.get(path);
    const hers = await eve.get(path);
    const list = await ada.get(`${base}/form`);
    assert.equal((await eve.submit(hers, path, { label_en: 'Hers' })).status, 303);

    const second = await ada.submit(mine, path, { label_en: 'Mine, long thought of' });
    assert.equal(second.status, 409);
    assert.match(second.text, /Somebody else has changed the form/);
    assert.match(second.text, /Changed: “Hers”/);
    assert.match(second.text, /value="Mine, long thought of"/);
    assert.match(second.text, /<del>Hers<\/del>/);
    assert.match(second.text, /<ins>Mine, long thought of<\/ins>/);
    assert.equal(fieldOf(base, 'one').label.en, 'Hers');
    // What was typed wrong before stays bound to what was seen.
    const wrong = await ada.submit(mine, path, { label_en: '', label_zh: '' });
    assert.equal(wrong.status, 422);
    assert.equal((await ada.submit(wrong, path, { label_en: 'Sneaked in' })).status, 409);
    assert.equal((await ada.submit(second, path)).status, 303);
    assert.equal(fieldOf(base, 'one').label.en, 'Mine, long thought of');

    const button = await ada.submit(list, `${base}/form`, { action: 'copy:one' });
    assert.equal(button.status, 409);
    assert.equal(fieldsOf(base).length, 1);
    assert.equal((await ada.submit(button, `${base}/form`)).status, 303);
    assert.equal(fieldsOf(base).length, 2);

    // The question is gone meanwhile.
    const open = await ada.get(`${base}/form/questions/one_2`);
    await eve.submit(await eve.get(`${base}/form`), `${base}/form`,
        { action: 'remove:one_2' });
    const gone = await ada.submit(open, `${base}/form/questions/one_2`,
        { label_en: 'Typed in vain?' });
    assert.equal(gone.status, 409);
    assert.match(gone.text, /Typed in vain\?/);
    const kept = await ada.submit(gone, `${base}/form/new-question`);
    assert.equal(kept.status, 303, kept.text);
    assert.equal(fieldsOf(base).at(-1).label.en, 'Typed in vain?');
});

test('a question depends on an earlier answer, and says so without scripts', async () => {
    const base = await newCollection('custom');
    await addQuestion(base, 'boolean', { label_en: 'I come', label_zh: '参加' });
    await addQuestion(base, 'choice', { label_en: 'Food', label_zh: '食物',
        'choices.0.label_en': 'Rice', 'choices.0.label_zh': '米饭',
        'choices.1.label_en': 'Noodles', 'choices.1.label_zh': '面' });
    await addQuestion(base, 'text', { label_en: 'Spice', label_zh: '辣度',
        show_field: 'food', show_values: 'food=noodles' });
    assert.deepEqual(fieldOf(base, 'spice').show_if, { field: 'food', equals: 'noodles' });
    const path = `${base}/form/questions/spice`;
    const page = await ada.get(path);
    assert.match(page.text, /value="food=noodles" checked/);
    await ada.submit(page, path, { show_field: 'i_come', show_values: 'i_come=true' });
    assert.deepEqual(fieldOf(base, 'spice').show_if, { field: 'i_come', equals: 'true' });
    const preview = await ada.get(`${base}/form/preview?in=en`);
    assert.match(preview.text, /Only if “I come” is ticked/);
    assert.match(preview.text, /data-show="i_come"/);
    // It comes before what it depends on: a problem, with a link to it.
    await press(base, 'up:spice');
    await press(base, 'up:spice');
    const list = await ada.get(`${base}/form`);
    assert.match(list.text, /href="[^"]*\/questions\/spice">Spice<\/a>: What it depends on/);
    assert.equal((await ada.get(`${base}/form/preview`)).status, 200);
    await ada.submit(await ada.get(path), path, { show_field: '' });
    assert.equal(fieldOf(base, 'spice').show_if, undefined);
});

test('a profile’s questions keep name and type; own ones get a name apart', async () => {
    const base = await newCollection('profile');
    await press(base, 'remove:phone');
    const list = await ada.get(`${base}/form`);
    assert.match(list.text, /<option value="phone">Phone<\/option>/);
    const added = await press(base, 'profile:0', { 'profile.0': 'phone' });
    assert.match(added.location, /#q-phone/);
    assert.equal(fieldOf(base, 'phone').type, 'phone');
    const path = `${base}/form/questions/phone`;
    const saved = await ada.submit(await ada.get(path), path, { label_en: 'Mobile',
        type: 'text', name: 'mobile', pattern: 'x', required: 'true' });
    assert.equal(saved.status, 303, saved.text);
    const phone = fieldOf(base, 'phone');
    assert.equal(phone.type, 'phone');
    assert.equal(phone.label.en, 'Mobile');
    assert.equal(phone.required, true);
    assert.equal(phone.pattern, undefined);
    assert.ok(phone.visibility);
    assert.equal(await addQuestion(base, 'text', { label_en: 'Phone', label_zh: '电话' }),
        'own_phone');
    const own = `${base}/form/questions/own_phone`;
    const renamed = await ada.submit(await ada.get(own), own, { name: 'mobile' });
    assert.match(renamed.location, /#q-own_mobile$/);
    assert.equal((await ada.get(`${base}/form/questions/links.url`)).status, 404);
    // A rule that names a removed question goes, and comes back, with it.
    for (const name of ['name_han', 'given_latin', 'family_latin'])
        await press(base, `remove:${name}`);
    assert.equal((await ada.get(`${base}/form`)).text.includes('A rule names'), false);
    const later = await ada.get(`${base}/form`);
    const [, action] = /value="(put_back:\d+:name_han)"/.exec(later.text);
    await press(base, action);
    assert.deepEqual(definitionOf(base).require_one_of, [['name_han']]);
});

test('bad input is refused in words, and nothing of it is kept or lost', async () => {
    const base = await newCollection('custom');
    const path = `${base}/form/new-question`;
    const page = await ada.get(`${path}?section=0&type=choice`);
    const cases = [
        [{ label_en: '', label_zh: '' }, /Fill in at least one/],
        [{ label_en: 'a\0b' }, /can’t be read|control character/],
        [{ label_en: 'a\u202eb' }, /invisible/],
        [{ label_en: 'x'.repeat(301) }, /at most 300/],
        [{ label_en: 'L', 'choices.0.label_en': 'bad\0' }, /can’t be read|control character/],
        [{ label_en: 'L', 'choices.0.label_en': 'x'.repeat(301) }, /at most 300/],
    ];
    for (const [values, words] of cases) {
        const refused = await ada.submit(page, path, { label_zh: '题', ...values });
        assert.equal(refused.status, 422, JSON.stringify(values));
        assert.match(refused.text, words);
        assert.equal(fieldsOf(base).length, 0);
    }
    for (const action of ['', 'up:', 'up:none', 'to:x', 'place:x:9:9', 'put_back:1:x',
        'section_remove:0', 'section_up:99999', 'remove:\0', 'nonsense', 'profile:0',
        'place:' + 'x'.repeat(5000)]) {
        const answer = await press(base, action);
        assert.ok([303, 400].includes(answer.status), `${action}: ${answer.status}`);
    }
    for (const query of ['type=password&section=0', 'type=record&section=0',
        'type=text&section=7', 'type=group&section=0&group=none', 'type=%00&section=0'])
        assert.ok([400, 404].includes((await ada.get(`${path}?${query}`)).status), query);
    assert.equal((await ada.get(`${base}/form/questions/none`)).status, 404);
    assert.equal((await ada.get(`${base}/form/sections/9`)).status, 404);
    assert.equal((await ada.get('/admin/collections/999999/form')).status, 404);
});

test('rows of choices are added and ordered by their buttons', async () => {
    const base = await newCollection('custom');
    const path = `${base}/form/new-question`;
    let page = await ada.get(`${path}?section=0&type=choice`);
    page = await ada.submit(page, path, { label_en: 'Colour', label_zh: '颜色',
        'choices.0.label_en': 'Red', 'choices.0.label_zh': '红', action: 'add:choices' });
    page = await ada.submit(page, path, { 'choices.1.label_en': 'Blue',
        'choices.1.label_zh': '蓝', action: 'up:choices.1' });
    assert.equal(page.status, 200);
    await ada.submit(page, path);
    assert.deepEqual(fieldOf(base, 'colour').choices.map((c) => c.value), ['blue', 'red']);
    const again = `${base}/form/questions/colour`;
    page = await ada.submit(await ada.get(again), again, { action: 'remove:choices.0' });
    await ada.submit(page, again);
    assert.deepEqual(fieldOf(base, 'colour').choices.map((c) => c.value), ['red']);
});
