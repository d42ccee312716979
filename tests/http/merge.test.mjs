// Duplicates: proposed, dismissed, merged field by field, undone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let server, ada;

before(async () => {
    server = await startServer();
    ada = await admin(server);
});
after(() => server?.stop());

const value = (sql) => server.database.value(sql);
const query = (sql) => server.database.query(sql);

async function addWork(values) {
    const path = '/admin/publications/new';
    const saved = await ada.submit(await ada.get(path), path, values);
    assert.equal(saved.status, 303, saved.text);
    return value(`select slug from publication order by id desc limit 1`);
}

let number = 0;
async function pair() {
    const title = `Ferry ${'abcdefgh'[number++]}: Moving Pages Before They Are Missed`;
    const authors = { 'authors.0.name': 'Xiao Lin', 'authors.1.name': 'Bo Ouyang' };
    const preprint = await addWork({ title, kind: 'preprint', year: '2025', ...authors,
        venue: 'arXiv', 'identifiers.0.scheme': 'arxiv',
        'identifiers.0.value': `2511.0000${number}`, abstract: 'All of it' });
    const published = await addWork({ title, kind: 'conference', year: '2026', venue: 'OSDI',
        ...authors, 'identifiers.0.scheme': 'doi',
        'identifiers.0.value': `10.5555/ferry.${number}` });
    return { title, preprint, published };
}

const merging = (into, from) => `/admin/merge?into=${into}&from=${from}`;

test('a preprint and its published version are proposed, merged and undone', async () => {
    const { preprint, published } = await pair();
    const list = await ada.get('/admin/duplicates');
    assert.match(list.text, /A preprint and its published version/);
    const link = new RegExp(`/admin/merge\\?into=${published}&amp;from=${preprint}`);
    assert.match(list.text, link); // the published one stays
    const page = await ada.get(merging(published, preprint));
    assert.match(page.text, /Both together/);
    const merged = await ada.submit(page, '/admin/merge');
    assert.match(merged.location, /\/admin\/merges\?notice=works_merged/);
    const done = await ada.follow(merged);
    assert.match(done.text, /Took in: Ferry/);
    assert.deepEqual(query(`select kind, year, abstract from publication
        where merged_into is null and title like 'Ferry a%'`),
    [{ kind: 'conference', year: 2026, abstract: 'All of it' }]);
    assert.equal(value(`select count(*)::int from publication_identifier i
        join publication w on w.id = i.publication_id where w.slug = '${published}'`), 2);
    const led = await ada.get(`/admin/publications/${preprint}`);
    assert.equal(led.status, 303);
    assert.match(led.location, new RegExp(`/admin/publications/${published}$`));
    assert.doesNotMatch((await ada.get('/admin/duplicates')).text, link);
    const history = /\/admin\/history\/publication\/\d+/.exec(done.text)[0];
    assert.equal((await ada.get(history)).status, 200);
    const undo = done.forms.find((f) => /undo$/.test(f.action)).action;
    const undone = await ada.submit(done, undo);
    assert.match(undone.location, /notice=merge_undone$/);
    assert.match((await ada.get('/admin/duplicates')).text, link);
    const twice = await ada.submit(done, undo);
    assert.match(twice.location, /merge_not_undone/);
    const visitor = new Visitor(server);
    assert.equal((await visitor.get(`/en/publications/${preprint}`)).status, 200);
});

test('what is chosen is what stays; a stale form changes nothing and keeps the choices',
    async () => {
        const { preprint, published } = await pair();
        const page = await ada.get(merging(published, preprint));
        const edit = `/admin/publications/${preprint}`;
        await ada.submit(await ada.get(edit), edit, { note: 'Meanwhile' });
        const choices = { 'choose.venue': 'from', 'choose.identifiers': 'into' };
        const stale = await ada.submit(page, '/admin/merge', choices);
        assert.equal(stale.status, 409);
        assert.match(stale.text, /Nothing was merged/);
        const form = stale.forms.find((f) => f.action === '/admin/merge' && f.method === 'post');
        const chosen = Object.fromEntries(form.fields);
        assert.equal(chosen['choose.venue'], 'from');
        assert.equal(chosen['choose.identifiers'], 'into');
        assert.equal(value(`select count(merged_into)::int from publication`), 0);
        const merged = await ada.submit(stale, '/admin/merge');
        assert.match(merged.location, /works_merged/);
        assert.deepEqual(query(`select venue, note from publication
            where slug = '${published}'`), [{ venue: 'arXiv', note: 'Meanwhile' }]);
        const merges = await ada.get('/admin/merges');
        const again = `/admin/publications/${published}`;
        await ada.submit(await ada.get(again), again, { note: 'After that' });
        assert.match((await ada.get('/admin/merges')).text, /It was changed since/);
        const undo = merges.forms.find((f) => /undo$/.test(f.action)).action;
        const undone = await ada.submit(merges, undo);
        assert.match(undone.location, /merge_undone_partly/);
        assert.match((await ada.follow(undone)).text, /history of the one that stayed/);
        assert.equal(value(`select note from publication where slug = '${published}'`),
            'After that');
    });

test('of merges at the same moment one is done, whichever way round', async () => {
    const { preprint, published } = await pair();
    const pages = await Promise.all([merging(published, preprint), merging(preprint, published),
        merging(published, preprint)].map((path) => ada.get(path)));
    const answers = await Promise.all(pages.map((page) => ada.submit(page, '/admin/merge')));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 409, 409]);
    assert.equal(value(`select count(*)::int from publication
        where slug in ('${preprint}', '${published}') and merged_into is null`), 1);
    assert.equal(value(`select count(*)::int from publication_identifier i join publication w
        on w.id = i.publication_id where w.merged_into is null
        and w.slug in ('${preprint}', '${published}')`), 2);
});

test('works said to differ are not proposed again, until that is taken back', async () => {
    const { title } = await pair();
    const list = await ada.get('/admin/duplicates');
    const at = list.forms.filter((f) => f.action === '/admin/duplicates' &&
        f.inside.includes(title))[0];
    const said = await ada.post('/admin/duplicates', [...at.fields, ['say', 'dismiss']]);
    assert.match(said.location, /not_duplicate/);
    const after = await ada.get('/admin/duplicates');
    assert.match(after.text, /Said to be different works/);
    assert.equal(after.forms.filter((f) => f.inside.includes(title)).length, 1);
    const recall = after.forms.find((f) => f.inside.includes(title));
    await ada.post('/admin/duplicates', [...recall.fields, ['say', 'recall']]);
    assert.match((await ada.get('/admin/duplicates')).forms.find((f) =>
        f.inside.includes(title)).inside, /Compare and merge/);
});

test('addresses that name nothing, or one work twice, are told so', async () => {
    const { published } = await pair();
    assert.match((await ada.get('/admin/merge')).text, /<input id="into"/);
    const unknown = await ada.get(merging(published, 'nothing'));
    assert.equal(unknown.status, 404);
    assert.match(unknown.text, /no work with that address/);
    assert.match(unknown.text, new RegExp(`value="${published}"`));
    const same = await ada.get(merging(published,
        encodeURIComponent(`http://x/en/publications/${published}`)));
    assert.equal(same.status, 422);
    assert.equal((await ada.get('/admin/merge?into=%C3%A9%22%3E')).status, 404);
    assert.equal((await ada.post('/admin/merge', [['csrf', 'x']])).status, 403);
    const page = await ada.get('/admin/duplicates');
    const csrf = page.forms.find((f) => f.fields.some(([n]) => n === 'csrf'))
        .fields.find(([n]) => n === 'csrf');
    for (const path of ['/admin/merge', '/admin/duplicates'])
        assert.equal((await ada.post(path, [csrf, ['say', 'x'], ['one', '1'], ['other', '2']]))
            .status, 422);
    assert.equal((await ada.post('/admin/merges/999/undo', [csrf])).status, 404);
});
