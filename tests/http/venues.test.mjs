// The list of venues, and topics: what an admin writes there shows on visitors' pages at
// once, merging loses no name and no work.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let server;
let ada;
before(async () => {
    server = await startServer({ demo: true });
    ada = await admin(server);
    server.database.run('delete from venue; delete from topic');
});
after(() => server.stop());

const works = (page) => [...page.text.matchAll(/<li class="work">/g)].length;
const post = async (page, action, fields) => {
    const done = await ada.submit(await ada.get(page), action, fields);
    assert.equal(done.status, 303, done.text);
    return ada.get(done.headers.location);
};
const visitor = (path) => new Visitor(server).get(path);
const count = (sql) => server.database.value(`select count(*) from ${sql}`);

test('a text on works becomes a venue with one click, its rank stands on each', async () => {
    const listed = await ada.get('/admin/venues');
    assert.match(listed.text, /name="name" value="SOSP"/);
    const form = listed.forms.find((one) => one.action === '/admin/venues/add' &&
        one.fields.some(([, value]) => value === 'SOSP'));
    const added = await ada.post('/admin/venues/add', form.fields);
    assert.equal(added.status, 303);
    const page = await ada.get('/admin/venues');
    assert.doesNotMatch(page.text, /name="name" value="SOSP"/);
    await post('/admin/venues/sosp', '/admin/venues/sosp', { rank: 'CCF-A', aliases:
        'ACM Symposium on Operating Systems Principles\nOSDI' });
    const shown = await visitor('/en/publications?venue=sosp');
    assert.equal(works(shown), count("publication where venue in ('SOSP', 'OSDI')"));
    assert.equal([...shown.text.matchAll(/CCF-A</g)].length, works(shown));
});

test('a name is of one venue; what was typed stays', async () => {
    const page = await ada.get('/admin/venues/new');
    const refused = await ada.submit(page, '/admin/venues/new',
        { name: 'Osdi', rank: 'CCF-A', aliases: 'One more' });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /is that of another venue/);
    assert.match(refused.text, /One more/);
    const empty = await ada.submit(page, '/admin/venues/new', { name: 'Proceedings 2024' });
    assert.equal(empty.status, 422);
    assert.equal(count('venue'), 1);
});

test('a form that was drawn before another was saved changes nothing', async () => {
    const before = await ada.get('/admin/venues/sosp');
    await post('/admin/venues/sosp', '/admin/venues/sosp', { rank: 'CCF-A*' });
    const late = await ada.submit(before, '/admin/venues/sosp', { rank: 'B' });
    assert.equal(late.status, 409);
    assert.equal(server.database.value('select rank from venue'), 'CCF-A*');
});

test('a pasted list adds and brings up to date; what is left out is told', async () => {
    const table = 'Rank,Name,Short name,Kind\nCCF-A,Symposium on Operating Systems Principles,' +
        'SOSP,conference\nCCF-A,USENIX Annual Technical Conference,USENIX ATC,conference\n' +
        'CCF-B,,,\n,Nothing 计算机学报,计算机学报,期刊\n';
    const page = await ada.get('/admin/venues/import');
    const done = await ada.submit(page, '/admin/venues/import', { table });
    assert.equal(done.status, 200);
    assert.match(done.text, /2 added, 1 brought up to date/);
    assert.match(done.text, /Row 4/);
    const again = await ada.submit(page, '/admin/venues/import', { table });
    assert.match(again.text, /0 added, 3 brought up to date/);
    assert.equal(count("venue_alias where name = 'OSDI'"), 1, 'names are added');
    assert.equal(server.database.value("select rank from venue where slug = 'sosp'"), 'CCF-A');
    assert.equal(works(await visitor('/en/publications?venue=usenix-atc')),
        count("publication where venue = 'USENIX ATC'"));
    for (const [bad, status] of [['', 422], ['\n\n', 422], ['x,y\n'.repeat(5001), 422]])
        assert.equal((await ada.submit(page, '/admin/venues/import', { table: bad })).status,
            status);
});

test('merged venues keep every name', async () => {
    const names = count('venue_alias');
    const page = await post('/admin/venues/usenix-atc', '/admin/venues/usenix-atc/merge',
        { into: 'sosp' });
    assert.match(page.text, /one now/);
    assert.equal(count('venue_alias'), names);
    assert.equal((await ada.get('/admin/venues/usenix-atc')).status, 404);
    assert.equal(works(await visitor('/en/publications?venue=sosp')), count(
        "publication where venue in ('SOSP', 'OSDI', 'USENIX ATC')"));
    const none = await post('/admin/venues/sosp', '/admin/venues/sosp/merge', { into: '' });
    assert.match(none.text, /Nothing was changed/);
    await post('/admin/venues/sosp', '/admin/venues/sosp/delete', {});
    assert.doesNotMatch((await visitor('/en/publications')).text, /CCF-A/);
});

test('topics are made, named in both languages, merged through the works', async () => {
    for (const [kind, en, zh] of [['topic', 'Storage', '存储'], ['topic', 'Disks', ''],
        ['project', '', '渡轮']])
        await post('/admin/topics/new', '/admin/topics/new', { kind, name_en: en, name_zh: zh });
    assert.deepEqual(server.database.query('select name_en, name_zh from topic order by id'),
        [{ name_en: 'Storage', name_zh: '存储' }, { name_en: 'Disks', name_zh: 'Disks' },
            { name_en: '渡轮', name_zh: '渡轮' }]);
    const refused = await ada.submit(await ada.get('/admin/topics/new'), '/admin/topics/new',
        { kind: 'topic' });
    assert.equal(refused.status, 422);
    server.database.run(`insert into publication_topic select p.id, t.id, 1 from publication p,
        topic t where (t.slug = 'disks' and p.id % 2 = 0) or (t.slug = 'storage' and p.id % 4 = 0)`);
    const had = count('publication where id % 2 = 0');
    assert.equal(works(await visitor('/en/publications?topic=disks')), had);
    await post('/admin/topics/disks', '/admin/topics/disks/merge', { into: 'storage' });
    assert.equal(works(await visitor('/en/publications?topic=storage')), had);
    assert.equal(count('topic'), 2);
    assert.equal(count("revision where entity = 'publication' and version = 2"), had -
        count('publication where id % 4 = 0 and version = 1'));
    await post('/admin/topics/storage', '/admin/topics/storage/delete', {});
    assert.equal(count('publication_topic'), 0);
    assert.equal(count("publication where id % 2 = 0"), had);
});

test('the topics of a work are boxes to tick in its form', async () => {
    for (const [kind, en] of [['topic', 'Alpha'], ['topic', 'Beta'], ['project', 'Gamma']])
        await post('/admin/topics/new', '/admin/topics/new', { kind, name_en: en });
    const path = '/admin/publications/new';
    const form = await ada.get(path);
    assert.match(form.text, /name="topics.2.topic" type="checkbox" value="gamma"/);
    const saved = await ada.submit(form, path, { kind: 'other', title: 'Boxes',
        'topics.1.topic': 'beta', 'topics.2.topic': 'gamma' });
    assert.equal(saved.status, 303, saved.text);
    const slugs = () => server.database.query(`select t.slug from publication_topic x
        join topic t on t.id = x.topic_id join publication p on p.id = x.publication_id
        where p.title = 'Boxes' order by x.position`).map(({ slug }) => slug);
    assert.deepEqual(slugs(), ['beta', 'gamma']);
    const { slug } = server.database.query("select slug from publication where title = 'Boxes'")[0];
    const edit = await ada.get(`/admin/publications/${slug}`);
    assert.match(edit.text, /name="topics.1.topic" type="checkbox" value="beta" checked/);
    const refused = await ada.submit(edit, `/admin/publications/${slug}`,
        { 'topics.0.topic': 'nothing' });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /no longer there/);
    assert.match(refused.text, /value="nothing" checked/);
    await ada.submit(edit, `/admin/publications/${slug}`, { 'topics.1.topic': null });
    assert.deepEqual(slugs(), ['gamma']);
    server.database.run('delete from topic');
    assert.doesNotMatch((await ada.get(path)).text, /topics\./);
});

test('none of it is for members or visitors', async () => {
    for (const path of ['/admin/venues', '/admin/venues/new', '/admin/topics'])
        assert.equal((await visitor(path)).status, 303);
});
