// Whose works they are: namesakes, mine and not mine, what co-authors say, unmatched authors.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let server, ada, wu, namesake, lin, bo;

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
    wu = await addMember({ email: 'wu@lab.example', given_latin: 'Jia', family_latin: 'Wu' });
    namesake = await addMember({ email: 'wu2@lab.example', given_latin: 'Jia',
        family_latin: 'Wu' });
    lin = await addMember({ email: 'lin@lab.example', given_latin: 'Xiao',
        family_latin: 'Lin' });
    bo = await addMember({ email: 'bo@lab.example', given_latin: 'Bo', family_latin: 'Ouyang' });
});
after(() => server?.stop());

const value = (sql) => server.database.value(sql);
const works = '/my/publications';

async function addWork(title, ...names) {
    const path = '/admin/publications/new', page = await ada.get(path);
    const values = { title, kind: 'article', year: '2026' };
    names.forEach((name, i) => { values[`authors.${i}.name`] = name; });
    const saved = await ada.submit(page, path, values);
    assert.equal(saved.status, 303, saved.text);
    return value('select max(id)::int from publication');
}

async function listed(member, list) {
    const page = await member.get(`${works}?list=${list}`);
    assert.equal(page.status, 200, page.text);
    return page;
}

test('a name that two people have is offered to both; one confirms, the other is refused',
    async () => {
        const id = await addWork('Lanterns at Scale', 'Jia Wu');
        for (const member of [wu, namesake]) {
            assert.match((await member.get('/my')).text, /1 work carries your name/);
            const page = await listed(member, 'confirm');
            assert.match(page.text, /Lanterns at Scale/);
            assert.match(page.text, /May also be/);
        }
        const late = await listed(namesake, 'confirm');
        const said = await wu.submit(await listed(wu, 'confirm'), works, { mine: `${id}` });
        assert.match(said.location, /said=\d+&notice=claim_mine/);
        assert.match((await wu.follow(said)).text, /value="\d+">Undo/);
        assert.match((await listed(wu, 'mine')).text, /Lanterns at Scale/);
        const refused = await namesake.submit(late, works, { mine: `${id}` });
        assert.match(refused.location, /notice=claim_none/);
        assert.match((await namesake.follow(refused)).text, /somebody else has confirmed/);
        assert.doesNotMatch((await listed(namesake, 'confirm')).text, /Lanterns/);
        assert.equal(value(`select p.slug from authorship a join person p on p.id = a.person_id
            where a.publication_id = ${id}`), 'jia-wu');
        const person = await new Visitor(server).get('/en/people/jia-wu');
        assert.match(person.text, /Lanterns at Scale/);
    });

test('initials are asked about; not mine and its undo', async () => {
    const ids = [await addWork('One', 'X. Lin'), await addWork('Two', 'Lin X')];
    const page = await listed(lin, 'confirm');
    assert.match(page.text, /Printed as “X. Lin”, which may be you/);
    const none = await lin.submit(page, works, { mine: 'chosen' });
    assert.match(none.location, /notice=none_chosen/);
    const said = await lin.submit(page, works, { not_mine: 'chosen' },
        { extra: ids.map((id) => ['work', `${id}`]) });
    assert.match(said.location, /notice=claim_not_mine/);
    const after = await lin.follow(said);
    assert.doesNotMatch(after.text, />One</);
    assert.match((await listed(lin, 'not_mine')).text, />Two</);
    const undone = await lin.submit(after, works, { undo: ids.join(',') });
    assert.match(undone.location, /notice=claim_undone/);
    assert.match((await listed(lin, 'confirm')).text, />Two<[^]*>One</);
    for (const action of ['claim.not_mine', 'claim.undone'])
        assert.equal(value(`select count(*)::int from event where action = '${action}'`), 2);
});

test('a form with nothing to say, or nonsense, changes nothing', async () => {
    const page = await listed(lin, 'confirm');
    assert.equal((await lin.submit(page, works, {})).status, 422);
    const odd = await lin.submit(page, works, { mine: '1,x' });
    assert.match(odd.location, /none_chosen/);
    const far = await lin.submit(page, works, { mine: '999999' });
    assert.match(far.location, /claim_none/);
    assert.equal((await lin.get(`${works}?list=%27&page=99999999999999999999&said=%3Cb%3E`)).status,
        200);
    assert.equal((await new Visitor(server).get(works)).status, 303);
});

test('an admin sees whom an author may be, links, and takes it back', async () => {
    const id = await addWork('Harbour', 'J. Wu');
    const path = '/admin/authors';
    const page = await ada.get(path);
    assert.match(page.text, /Harbour/);
    const forms = page.forms.filter((f) => f.action === path &&
        f.fields.some(([n, v]) => n === 'work' && v === `${id}`));
    assert.equal(forms.length, 2); // both namesakes
    const link = await ada.post(path, [...forms[1].fields, ['say', 'link']]);
    assert.match(link.location, /author_linked/);
    assert.equal(value(`select p.slug from authorship a join person p on p.id = a.person_id
        where a.publication_id = ${id}`), 'jia-wu-2');
    const again = await ada.post(path, [...forms[0].fields, ['say', 'link']]);
    assert.match(again.location, /author_moved/);
    const listedNow = await ada.get(path);
    const undo = listedNow.forms.find((f) => f.action === path &&
        f.fields.some(([n, v]) => n === 'work' && v === `${id}`));
    await ada.post(path, [...undo.fields, ['say', 'undo']]);
    assert.equal(value(`select count(person_id)::int from authorship
        where publication_id = ${id}`), 0);
    assert.equal((await lin.get(path)).status, 404);
});

test('co-authors judge what one of them sends in, and the reviewer sees it', async () => {
    const path = '/my/publications/new';
    const sent = await bo.submit(await bo.get(path), path, { title: 'Sent by Bo',
        kind: 'article', 'authors.0.name': 'Bo Ouyang', 'authors.1.name': 'Lin, X.*' });
    assert.match(sent.location, /submitted/);
    const change = value('select max(id)::int from change');
    assert.match((await lin.get('/my')).text, /A co-author entered 1 work with you/);
    assert.doesNotMatch((await wu.get('/my/entered')).text, /Sent by Bo/);
    const entered = await lin.get('/my/entered'), say = `/my/entered/${change}`;
    const empty = await lin.submit(entered, say, { verdict: 'wrong', comment: ' ' });
    assert.equal(empty.status, 422);
    assert.match(empty.text, /Write what is wrong/);
    const told = await lin.submit(entered, say, { verdict: 'wrong', comment: 'Add me <first>' });
    assert.match(told.location, /entered_wrong/);
    const review = await ada.get(`/admin/changes/${change}`);
    assert.match(review.text, /something is wrong[^]*Xiao Lin[^]*Add me &lt;first&gt;/);
    const right = await lin.submit(await lin.get('/my/entered'), say, { verdict: 'right' });
    assert.match(right.location, /entered_right/);
    assert.match((await ada.get(`/admin/changes/${change}`)).text, /Co-author: right/);
    const stale = await lin.submit(entered, say, { verdict: 'wrong', comment: 'kept?',
        version: '7' });
    assert.equal(stale.status, 409);
    assert.match(stale.text, /kept\?/);
    const approve = `/admin/changes/${change}/approve`;
    await ada.submit(await ada.get(`/admin/changes/${change}`), approve);
    assert.match((await listed(lin, 'confirm')).text, /Sent by Bo/);
    assert.equal(value(`select name from authorship a join publication w
        on w.id = a.publication_id where w.title = 'Sent by Bo' and a.equal`), 'Lin, X.');
    assert.match((await listed(bo, 'confirm')).text, /linked to you/);
});

test('what is not theirs is refused in the admin’s form with a reason', async () => {
    const id = await addWork('Quay', 'Bo Ouyang');
    await bo.submit(await listed(bo, 'confirm'), works, { not_mine: `${id}` });
    const slug = value(`select slug from publication where id = ${id}`);
    const path = `/admin/publications/${slug}`;
    const refused = await ada.submit(await ada.get(path), path,
        { 'authors.0.person': 'bo-ouyang' });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /has said that the work is not theirs/);
});
