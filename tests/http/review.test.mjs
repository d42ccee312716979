// Reviewing: claims, comments on fields, approving with edits, merging what has moved on,
// many at once, and who is told.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let server, ada, bo, lin, wu;

async function addMember(values) {
    const added = await ada.submit(await ada.get('/admin/people/new'), '/admin/people/new',
        { role: 'phd', language: 'en', ...values });
    assert.equal(added.status, 303, added.text);
    const { stdout } = await server.labd('admin', 'link', values.email);
    server.database.run(`update account set admin = false where email = '${values.email}'`);
    const member = new Visitor(server);
    await member.open(/https?:\S+/.exec(stdout)[0]);
    return member;
}

before(async () => {
    server = await startServer();
    ada = await admin(server);
    bo = await admin(server, 'bo@lab.example');
    lin = await addMember({ email: 'lin@lab.example', given_latin: 'Xiao',
        family_latin: 'Lin' });
    wu = await addMember({ email: 'wu@lab.example', given_latin: 'Jia', family_latin: 'Wu' });
});
after(() => server?.stop());

const value = (sql) => server.database.value(sql);
const latest = () => value('select max(id)::int from change');
const propose = async (member, values) => {
    const sent = await member.submit(await member.get('/my/profile'), '/my/profile', values);
    assert.equal(sent.location, '/my?notice=submitted', sent.text);
    return latest();
};
const mails = (template) => value(
    `select count(*)::int from mail where template = '${template}'`);
const panel = (page, name) => page.text.split('<section class="panel">')
    .find((part) => part.includes(`<h2>${name}`));

test('a change is taken into review, which the others see, and given back', async () => {
    const id = await propose(lin, { office: 'A 1' });
    const path = `/admin/changes/${id}`;
    const seen = await bo.get(path);
    await ada.submit(await ada.get(path), `${path}/claim`);
    assert.match(panel(await ada.get('/admin/changes'), 'In my review'), new RegExp(path));
    assert.match(panel(await bo.get('/admin/changes'), 'In review by others'),
        new RegExp(`${path}[^]*ada@lab.example`));
    const late = await bo.submit(seen, `${path}/claim`); // saw it free
    assert.match(late.location, /notice=not_claimed/);
    assert.equal(value(`select email from account a join change c on c.reviewer_id = a.id
        where c.id = ${id}`), 'ada@lab.example');
    await bo.submit(await bo.get(path), `${path}/claim`); // sees Ada, takes it over
    assert.match(panel(await bo.get('/admin/changes'), 'In my review'), new RegExp(path));
    await bo.submit(await bo.get(path), `${path}/release`);
    assert.match(panel(await bo.get('/admin/changes'), 'Awaiting review'), new RegExp(path));
    assert.deepEqual(server.database.query(`select action from event where change_id = ${id}
        order by id`).map((e) => e.action), ['change.submitted', 'change.claimed',
        'change.claimed', 'change.released']);
});

test('it is returned with comments on fields, which stand beside the fields', async () => {
    const id = await propose(lin, { office: 'A 2', phone: '+86 10 5555 0100' });
    const path = `/admin/changes/${id}`;
    const page = await ada.get(path), seenByBo = await bo.get(path);
    const nothing = await ada.submit(page, `${path}/return`, { comment: '' });
    assert.equal(nothing.status, 422);
    const long = await ada.submit(page, `${path}/return`, { 'on.office': '长'.repeat(2001) });
    assert.equal(long.status, 422);
    assert.ok(long.text.includes('长'.repeat(2001)), 'what was typed is still there');
    const returned = await ada.submit(page, `${path}/return`, { comment: '',
        'on.office': 'Which <building>?', 'on.phone': ' ' });
    assert.equal(returned.location, '/admin/changes?notice=returned', returned.text);
    const form = await lin.get('/my/profile');
    assert.match(form.text, /id="f-office-remark"[^]*Which &lt;building&gt;\?/);
    assert.match(form.text, /<input id="f-office"[^>]*aria-describedby="[^"]*f-office-remark"/);
    assert.doesNotMatch(form.text, /f-phone-remark/);
    assert.equal(mails('returned'), 1);
    const [mail] = server.database.query(`select m.*, a.email from mail m
        join account a on a.id = m.account_id where template = 'returned'`);
    assert.equal(mail.to_address, 'lin@lab.example');
    assert.match(mail.body, /Office: Which <building>\?/);
    // A second decision is refused and tells nobody.
    const again = await bo.submit(seenByBo, `${path}/approve`);
    assert.equal(again.status, 409);
    assert.match(again.text, /returned already/);
    assert.equal(mails('approved'), 0);
    assert.equal(mails('returned'), 1);
    // Sent in again, the old comments are gone from the form.
    await propose(lin, { office: 'West 2' });
    assert.doesNotMatch((await lin.get('/my/profile')).text, /f-office-remark/);
});

test('an approval with edits publishes the reviewer’s text and names both', async () => {
    const id = latest(), path = `/admin/changes/${id}`;
    const form = await ada.get(`${path}/edit`), other = await bo.get(`${path}/edit`);
    assert.match(form.text, /value="West 2"/);
    const wrong = await ada.submit(form, `${path}/edit`, { office: 'East 3', orcid: '12' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /value="East 3"/);
    const saved = await ada.submit(form, `${path}/edit`, { office: 'East 3' });
    assert.equal(saved.location, '/admin/changes?notice=approved', saved.text);
    const [change] = server.database.query(`select state, document ->> 'office' as office,
        proposed ->> 'office' as sent, a.email as author, d.email as decider
        from change c join account a on a.id = author_id join account d on d.id = decided_by
        where c.id = ${id}`);
    assert.deepEqual(change, { state: 'approved', office: 'East 3', sent: 'West 2',
        author: 'lin@lab.example', decider: 'ada@lab.example' });
    const shown = await bo.get(path);
    assert.match(shown.text, /edited by the reviewer/);
    assert.match(shown.text, /<del>West<\/del> <del>2<\/del>/);
    assert.equal(mails('approved'), 1);
    assert.equal((await bo.submit(other, `${path}/edit`, { office: 'Late' })).status, 409);
    assert.equal(value("select office from person where slug = 'xiao-lin'"), 'East 3');
});

test('what has moved on is merged, and where both altered a field, both are shown',
    async () => {
        const id = await propose(lin, { office: 'North 9', interests_en: 'memory' });
        const path = `/admin/changes/${id}`;
        const old = await ada.get(path);
        const oldEdit = await ada.get(`${path}/edit`);
        // Bo edits the profile meanwhile.
        const edit = '/admin/people/xiao-lin/edit';
        await bo.submit(await bo.get(edit), edit, { office: 'South 1', interests_zh: '内存' });
        assert.equal((await ada.submit(old, `${path}/approve`)).status, 409);
        const moved = await ada.submit(oldEdit, `${path}/edit`, { office: 'Mine' });
        assert.equal(moved.status, 409);
        assert.match(moved.text, /value="Mine"/);
        assert.equal(value("select office from person where slug = 'xiao-lin'"), 'South 1');
        const merge = await ada.get(`${path}/edit`);
        assert.match(merge.text, /<del>South<\/del>/);
        assert.match(merge.text, /value="North 9"/);
        assert.match(merge.text, /value="内存"/);
        assert.match(merge.text, /value="memory"/);
        const saved = await ada.submit(merge, `${path}/edit`);
        assert.equal(saved.status, 303, saved.text);
        assert.deepEqual(server.database.query(`select office, interests_en, interests_zh
            from person where slug = 'xiao-lin'`), [{ office: 'North 9',
            interests_en: 'memory', interests_zh: '内存' }]);
    });

test('many are approved at once, each as it was seen', async () => {
    const first = await propose(lin, { office: 'L 1' });
    const second = await propose(wu, { office: 'W 1' });
    const page = await ada.get('/admin/changes');
    const done = value("select count(*)::int from mail where template = 'approved'");
    await propose(wu, { office: 'W 2' }); // after the list was opened
    const form = page.forms.find((f) => f.action === '/admin/changes/approve');
    const boxes = [...form.inside.matchAll(/name="change" value="(\d+\.\d+)"/g)]
        .map(([, chosen]) => chosen);
    assert.equal(boxes.length, 2);
    const csrf = form.fields.find(([name]) => name === 'csrf')[1];
    const send = (list) => ada.post('/admin/changes/approve',
        [['csrf', csrf], ...list.map((chosen) => ['change', chosen])]);
    const answer = await send(boxes);
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.text, /Approved: 1 of 2/);
    assert.match(answer.text, /sent in anew/);
    const states = () => server.database.query(
        `select state from change where id in (${first}, ${second}) order by id`)
        .map((c) => c.state);
    assert.deepEqual(states(), ['approved', 'submitted']);
    const again = await send(boxes);
    assert.match(again.text, /Approved: 0 of 2/);
    assert.match(again.text, /approved already/);
    assert.equal(mails('approved'), done + 1);
    for (const bad of ['x', '1', '1.', '0.1', '-1.1', '99999999999999999999.1'])
        assert.notEqual((await send([bad])).status, 500, bad);
    assert.equal((await send([])).location, '/admin/changes?notice=none_chosen');
});

test('the queue is filtered by what it has', async () => {
    await propose(lin, { office: 'Filter 1' });
    const works = await lin.submit(await lin.get('/my/publications/new'),
        '/my/publications/new', { title: 'Lanterns at Scale', kind: 'article',
            'authors.0.name': 'Xiao Lin', year: '2026' });
    assert.equal(works.status, 303, works.text);
    const all = await ada.get('/admin/changes');
    assert.match(all.text, /Lanterns at Scale/);
    const people = await ada.get('/admin/changes?entity=person');
    assert.doesNotMatch(people.text, /Lanterns at Scale/);
    assert.match(people.text, /Xiao Lin/);
    for (const strange of ['entity=%00', 'entity=%27', 'collection=x', 'collection=99',
        `entity=${'a'.repeat(3000)}`])
        assert.notEqual((await ada.get(`/admin/changes?${strange}`)).status, 500, strange);
});

test('who shall see a field is part of what is reviewed', async () => {
    const id = await propose(wu, { phone: '+86 10 5555 0199', 'visibility.phone': 'admins',
        'visibility.office': 'members' });
    assert.ok(id);
    const own = value(`select c.id from change c join account a on a.id = author_id
        where a.email = 'wu@lab.example' order by updated_at desc limit 1`);
    const page = (await ada.get(`/admin/changes/${own}`)).text.replace(/<\/?ins>/g, '');
    assert.match(page, /Phone: Administrators/);
    assert.match(page, /Office: Members/);
});

test('events tell admins from where', async () => {
    assert.equal(value(`select count(*)::int from event where action = 'change.approved'
        and account_id is not null and peer is distinct from '127.0.0.1'`), 0);
});
