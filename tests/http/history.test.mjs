// Every version with who, when and from where; any two compared; going back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let server, ada, lin, person;

before(async () => {
    server = await startServer();
    ada = await admin(server);
    const added = await ada.submit(await ada.get('/admin/people/new'), '/admin/people/new',
        { role: 'phd', language: 'en', email: 'lin@lab.example', given_latin: 'Xiao',
            family_latin: 'Lin' });
    assert.equal(added.status, 303, added.text);
    const { stdout } = await server.labd('admin', 'link', 'lin@lab.example');
    server.database.run("update account set admin = false where email = 'lin@lab.example'");
    lin = new Visitor(server);
    await lin.open(/https?:\S+/.exec(stdout)[0]);
    person = server.database.value("select id from person where slug = 'xiao-lin'");
    const edit = '/admin/people/xiao-lin/edit';
    await ada.submit(await ada.get(edit), edit, { office: 'Old wing 1' });
    await lin.submit(await lin.get('/my/profile'), '/my/profile', { office: 'New wing 2' });
    const change = `/admin/changes/${server.database.value('select max(id) from change')}`;
    await ada.submit(await ada.get(change), `${change}/approve`);
});
after(() => server?.stop());

const path = () => `/admin/history/person/${person}`;
const office = () => server.database.value(`select office from person where id = ${person}`);

test('the versions stand with author, decider, time and place, for admins', async () => {
    const page = await ada.get(path());
    assert.equal(page.status, 200, page.text);
    assert.match(page.text, /lin@lab\.example[^]*approved by[^]*ada@lab\.example/);
    assert.match(page.text, /127\.0\.0\.1/);
    assert.match(page.text, /<del>Old<\/del>[^]*<ins>New<\/ins>/);
    assert.match(page.text, /UTC/);
    const whole = await ada.get(`${path()}?from=1&to=3`);
    assert.match(whole.text, /From version 1 to 3/);
    assert.doesNotMatch(whole.text, /Old/);
    assert.match(whole.text, /New wing 2/);
    const backwards = await ada.get(`${path()}?from=3&to=2`);
    assert.match(backwards.text, /<del>New<\/del>[^]*<ins>Old<\/ins>/);
    for (const strange of ['?from=x&to=y', '?from=99&to=98', '?restore=99', '?restore=3',
        '?from=99999999999999999999', '?restore=%00'])
        assert.notEqual((await ada.get(path() + strange)).status, 500, strange);
    for (const nothing of ['/admin/history/nothing/1', '/admin/history/person/999999',
        '/admin/history/person/x', '/admin/history/publication/1'])
        assert.equal((await ada.get(nothing)).status, 404, nothing);
});

test('members see their own, without addresses of machines, and no other', async () => {
    const page = await lin.get('/my/history');
    assert.equal(page.status, 200, page.text);
    assert.match(page.text, /<del>Old<\/del>/);
    assert.doesNotMatch(page.text, /127\.0\.0\.1|\/admin\/|restore/);
    assert.equal((await lin.get(path())).status, 404);
    assert.match((await ada.get('/my/history')).text, /No profile yet/);
});

test('going back asks first, is a new version, and gives way to who was faster', async () => {
    const asked = await ada.get(`${path()}?restore=2`);
    assert.match(asked.text, /Go back to version 2\?/);
    assert.equal(office(), 'New wing 2');
    const edit = '/admin/people/xiao-lin/edit';
    await ada.submit(await ada.get(edit), edit, { phone: '+86 10 5555 0100' });
    const late = await ada.submit(asked, `${path()}/restore`);
    assert.equal(late.status, 409);
    assert.match(late.text, /Not restored/);
    assert.equal(office(), 'New wing 2');
    const done = await ada.submit(late, `${path()}/restore`); // as it stands now
    assert.equal(done.status, 303, done.text);
    assert.match(done.location, /notice=restored/);
    assert.equal(office(), 'Old wing 1');
    assert.deepEqual(server.database.query(`select r.version, source from revision r
        join change c on c.id = r.change_id where r.entity = 'person'
        and r.target_id = ${person} order by r.version desc limit 1`),
    [{ version: 5, source: 'restore' }]);
    const again = await ada.submit(await ada.get(`${path()}?restore=2`),
        `${path()}/restore`);
    assert.match(again.location, /notice=unchanged/);
    assert.equal(server.database.value(`select version from person where id = ${person}`), 5);
});

test('links lead here from a person, a work and the lab', async () => {
    const works = '/admin/publications/new';
    await ada.submit(await ada.get(works), works, { title: 'Lanterns at Scale',
        kind: 'article', 'authors.0.name': 'Xiao Lin', year: '2026' });
    const slug = server.database.value('select slug from publication');
    for (const from of ['/admin/people/xiao-lin', `/admin/publications/${slug}`,
        '/admin/lab']) {
        const link = /href="(\/admin\/history\/[^"]+)"/.exec((await ada.get(from)).text);
        assert.ok(link, from);
        assert.equal((await ada.get(link[1])).status, 200, link[1]);
    }
});
