// A member answers a collection, without JavaScript: sections, what is kept and what is
// refused, sending in, review, deadlines.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { quote, seedCollection } from '../support/collection.mjs';
import { root, startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let server;
let ada;
let serial = 0;

const words = (en, zh) => ({ en, zh });
const form = { title: words('Profiles', '资料'), sections: [
    { title: words('Contact', '联系方式'), fields: [
        { name: 'phone', type: 'phone', label: words('Phone', '电话'), required: true },
        { name: 'office', type: 'text', label: words('Office', '办公室'), max_length: 255 },
        { name: 'students', type: 'integer', label: words('Students', '学生数') }] },
    { title: words('Research', '研究'), fields: [
        { name: 'topic', type: 'textarea', label: words('Topic', '研究方向'), required: true },
        { name: 'links', type: 'group', max: 5, label: words('Links', '链接'), fields: [
            { name: 'url', type: 'url', label: words('Address', '网址'), required: true }] }] },
] };

before(async () => {
    server = await startServer();
    ada = await admin(server);
    server.database.run(`insert into lab (name_en, name_zh, time_zone)
        values ('Lab', '实验室', 'Asia/Shanghai')
        on conflict (id) do update set time_zone = excluded.time_zone`);
});
after(() => server.stop());

const setForm = (made, definition) => server.database.run(
    `update form_version set definition = ${quote(JSON.stringify(definition))}
     where id = ${made.version}`);

// A collection with one person asked, who is signed in.
async function asked({ definition = form, language = 'en', ...options } = {}) {
    serial += 1;
    const email = `member-${serial}@lab.example`;
    const made = seedCollection(server.database,
        [{ given: 'Xiao', family: 'Lin', han: '林晓', email }], options);
    setForm(made, definition);
    server.database.run(
        `update account set language = '${language}' where email = ${quote(email)}`);
    const lin = new Visitor(server, { language });
    const person = `/admin/people/${server.database.value(`select slug from person where id =
        (select person_id from account where email = ${quote(email)})`)}`;
    const made_link = await ada.submit(await ada.get(person), `${person}/links`);
    await lin.open(/http:\/\/[^"<\s]*\/sign-in\/link\/[\w-]+/.exec(made_link.text)[0]);
    const base = `/my/collections/${made.collection}`;
    const section = async (number, values, action = 'next') => lin.submit(
        await lin.get(`${base}/sections/${number}`), `${base}/sections/${number}`,
        { ...values, action });
    const state = () => server.database.query(
        `select state, complete from invitation where id = ${made.invitations[0]}`)[0];
    const draft = () => server.database.query(`select document, version, state from change
        where entity = 'answer' and target_id = ${made.invitations[0]} order by id desc`)[0];
    const mails = () => server.database.query(`select template from mail
        where invitation_id = ${made.invitations[0]} order by id`).map((m) => m.template);
    return { lin, base, section, state, draft, mails, made, email };
}

test('from the overview to the receipt, section by section', async () => {
    const { lin, base, section, state, mails } = await asked();
    const my = await lin.get('/my');
    assert.match(my.text, /Forms for you/);
    assert.match(my.text, new RegExp(`href="${base}"`));
    const tasks = await lin.get(base);
    assert.equal(tasks.status, 200, tasks.text);
    assert.match(tasks.text, /23:59 \(Asia\/Shanghai\)/);
    assert.equal(state().state, 'opened');
    let answer = await section(1, { phone: '+86 10 5555 0100' });
    assert.equal(answer.location, `${base}/sections/2`);
    assert.deepEqual(state(), { state: 'started', complete: 60 });
    answer = await section(2, { topic: 'Caches', 'links.0.url': 'https://example.org/' });
    assert.equal(answer.location, `${base}/check`);
    const check = await lin.follow(answer);
    assert.match(check.text, /Caches/);
    answer = await lin.submit(check, `${base}/submit`);
    assert.equal(answer.location, `${base}/receipt`, answer.text);
    const receipt = await lin.follow(answer);
    assert.match(receipt.text, /It has arrived/);
    assert.match(receipt.text, new RegExp(`href="${base}\\?all=1"`));
    assert.deepEqual(state(), { state: 'submitted', complete: 100 });
    assert.deepEqual(mails(), ['receipt']);
});

test('sent twice, as after a lost reply, it is sent once', async () => {
    const { lin, base, section, draft, mails } = await asked();
    await section(1, { phone: '1234567' });
    await section(2, { topic: 'Caches' });
    const check = await lin.get(`${base}/check`);
    const answers = await Promise.all([lin.submit(check, `${base}/submit`),
        lin.submit(check, `${base}/submit`), lin.submit(check, `${base}/submit`)]);
    answers.push(await lin.submit(check, `${base}/submit`));
    for (const answer of answers) assert.equal(answer.location, `${base}/receipt`, answer.text);
    assert.deepEqual(mails(), ['receipt']);
    assert.equal(draft().state, 'submitted');
});

test('an answer sent in and taken back again and again does not fill the outbox', async () => {
    const { lin, base, section, draft, mails } = await asked();
    await section(1, { phone: '1234567' });
    await section(2, { topic: 'Caches' });
    for (let round = 0; round < 12; round++) {
        const sent = await lin.submit(await lin.get(`${base}/check`), `${base}/submit`);
        assert.equal(sent.location, `${base}/receipt`, sent.text);
        await lin.submit(await lin.get(base), `${base}/reopen`);
        assert.equal(draft().state, 'draft');
    }
    assert.equal(mails().length, 10);
});

test('an incomplete section is kept and says what it lacks', async () => {
    const { lin, base, section, draft } = await asked();
    const answer = await section(1, { office: 'West 1' });
    assert.equal(answer.location, `${base}/sections/2?from=1`);
    assert.match((await lin.follow(answer)).text, /still lacks:\s*<span class="lack">Phone/);
    assert.equal(draft().document.office, 'West 1');
    const check = await lin.get(`${base}/check`);
    const refused = await lin.submit(check, `${base}/submit`);
    assert.equal(refused.status, 422);
    assert.match(refused.text, new RegExp(`href="${base}/sections/1#f-phone"`));
    const later = await section(2, { topic: '' }, 'later');
    assert.match(later.location, new RegExp(`^${base}\\?notice=answer_kept`));
    assert.match((await lin.follow(later)).text, /in progress/);
});

test('what is wrong is refused with words, kept as typed and shown again', async () => {
    const { lin, base, section, draft } = await asked();
    const refused = await section(1, { phone: 'call me', office: 'West 1', students: 'many' });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /value="call me"/);
    assert.match(refused.text, /value="many"/);
    assert.equal(draft().document.phone, 'call me');
    const again = await lin.get(`${base}/sections/1`);
    assert.match(again.text, /value="call me"/);
    assert.match((await lin.get(base)).text, /needs attention/);
    const sent = await lin.submit(await lin.get(`${base}/check`), `${base}/submit`);
    assert.equal(sent.status, 422);
    assert.match(sent.text, /sections\/1#f-students/);
});

test('300 characters, NUL, malformed and unknown input: 4xx, the rest kept', async () => {
    const { lin, base, section, draft } = await asked();
    const long = await section(1, { phone: '1234567', office: 'x'.repeat(300) });
    assert.equal(long.status, 422);
    assert.match(long.text, /x{300}/);
    assert.equal(draft().document.phone, '1234567');
    const path = `${base}/sections/1`;
    const page = await lin.get(path);
    const csrf = page.forms.find((f) => f.action === path).fields
        .find(([name]) => name === 'csrf')[1];
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: server.url };
    for (const raw of ['office=a%00b', 'office=%ff%fe', 'office=%ed%a0%80', 'nonsense=1',
        'links.0.url=x', 'office=a&office=b', 'visibility.office=public',
        'office=%e2%80%ae', '-seen=x&office=%00', '-seen=office:zz&-section=9&students=9e99']) {
        const answer = await lin.request('POST', path, { headers,
            body: `csrf=${csrf}&phone=7654321&${raw}` });
        assert(answer.status >= 400 && answer.status < 500, `${raw}: ${answer.status}`);
        assert.doesNotMatch(JSON.stringify(draft().document), /\\u0000/);
    }
    for (const number of ['0', '3', '-1', '1e9', '99999999999999999999', 'x'])
        assert.equal((await lin.get(`${base}/sections/${number}`)).status, 404, number);
});

test('rows come and go without a script', async () => {
    const { lin, base, section } = await asked();
    const more = await section(2, { topic: 'Caches', 'links.0.url': 'https://example.org/' },
        'add:links');
    assert.equal(more.status, 200);
    assert.match(more.text, /name="links\.1\.url"/);
    assert.match(more.text, /Caches/);
    const less = await section(2, { 'links.0.url': 'https://example.org/' }, 'remove:links.0');
    assert.doesNotMatch(less.text, /example\.org\//);
    assert.equal((await lin.get(`${base}/check`)).status, 200);
});

test('drawn again from what was posted: nothing saved, nothing complained about', async () => {
    const { section, draft } = await asked();
    const again = await section(1, { phone: 'call me', office: 'West 2' }, 'redraw');
    assert.equal(again.status, 200);
    assert.match(again.text, /value="call me"/);
    assert.doesNotMatch(again.text, /class="summary"/);
    assert.equal(draft(), undefined);
});

test('two tabs: another field survives, the same field is shown twice', async () => {
    const { lin, base, section, draft } = await asked();
    await section(1, { phone: '1111111', office: 'West 1' });
    const path = `${base}/sections/1`;
    const one = await lin.get(path);
    const two = await lin.get(path);
    await lin.submit(one, path, { phone: '2222222' });
    await lin.submit(two, path, { office: 'East 9' });
    assert.equal(draft().document.phone, '2222222');
    assert.equal(draft().document.office, 'East 9');
    const stale = await lin.submit(one, path, { phone: '2222222', office: 'South 3' });
    assert.equal(stale.status, 409);
    assert.match(stale.text, /East/);
    assert.match(stale.text, /value="South 3"/);
    assert.equal(draft().document.office, 'East 9');
    const settled = await lin.submit(stale, path, {});
    assert.equal(settled.status, 303);
    assert.equal(draft().document.office, 'South 3');
    const { version } = draft();
    assert.equal((await section(1, {})).status, 303);
    assert.equal(draft().version, version, 'a save that changes nothing makes no version');
});

test('two windows at the same moment: what each has typed is kept', async () => {
    const { lin, base, section, draft } = await asked();
    await section(1, { phone: '1111111', office: 'West 1' });
    const path = `${base}/sections/1`;
    const page = await lin.get(path);
    const answers = await Promise.all([lin.submit(page, path, { phone: '2222222' }),
        lin.submit(page, path, { office: 'East 9' }), lin.submit(page, path, { students: '3' })]);
    assert.deepEqual(answers.map((answer) => answer.status), [303, 303, 303]);
    const { phone, office, students } = draft().document;
    assert.deepEqual({ phone, office, students },
        { phone: '2222222', office: 'East 9', students: 3 });
});

test('a check page that has been overtaken is shown again before anything is sent', async () => {
    const { lin, base, section, draft } = await asked();
    await section(1, { phone: '1111111' });
    await section(2, { topic: 'Caches' });
    const check = await lin.get(`${base}/check`);
    await section(2, { topic: 'Pipelines' });
    const moved = await lin.submit(check, `${base}/submit`);
    assert.equal(moved.status, 409);
    assert.match(moved.text, /Pipelines/);
    assert.equal(draft().state, 'draft');
    assert.equal((await lin.submit(moved, `${base}/submit`)).location, `${base}/receipt`);
});

test('returned, corrected, approved, edited again: the approved one stays meanwhile', async () => {
    const { lin, base, section, state, draft, made } = await asked();
    await section(1, { phone: '1111111' });
    await section(2, { topic: 'Caches' });
    await lin.submit(await lin.get(`${base}/check`), `${base}/submit`);
    assert.equal((await lin.get(`${base}/sections/1`)).location, base);
    const sent = () => server.database.value(`select id from change where entity = 'answer'
        and target_id = ${made.invitations[0]} order by id desc limit 1`);
    const review = async (action, values = {}) => ada.submit(
        await ada.get(`/admin/changes/${sent()}`), `/admin/changes/${sent()}/${action}`, values);
    assert.equal((await review('return', { comment: 'Almost.',
        'on.topic': 'Which caches?' })).status, 303);
    assert.equal(state().state, 'returned');
    assert.match((await lin.get(base)).text, /Which caches\?/);
    assert.match((await lin.get(base)).text, /needs attention/);
    assert.match((await lin.get(`${base}/sections/2`)).text, /Which caches\?/);
    assert.doesNotMatch((await lin.get(`${base}/sections/1`)).text, /Which caches\?/);
    await section(2, { topic: 'Caches of processors' });
    assert.equal(state().state, 'returned');
    assert.doesNotMatch((await lin.get(base)).text, /needs attention/);
    await lin.submit(await lin.get(`${base}/check`), `${base}/submit`);
    assert.equal((await review('approve')).status, 303);
    assert.equal(state().state, 'approved');
    assert.match((await lin.get(base)).text, /This is approved/);
    await section(2, { topic: 'Pipelines' });
    assert.equal(state().state, 'approved');
    const approved = () => server.database.value(
        `select document ->> 'topic' from answer where id = ${made.invitations[0]}`);
    assert.equal(approved(), 'Caches of processors');
    await lin.submit(await lin.get(`${base}/check`), `${base}/submit`);
    assert.equal(state().state, 'submitted');
    assert.equal(approved(), 'Caches of processors');
    assert.equal((await lin.get(`/my/changes/${sent()}`)).status, 200);
    // Taken back, made equal to the approved one: nothing is sent.
    await lin.submit(await lin.get(base), `${base}/reopen`);
    assert.equal(draft().state, 'draft');
    await section(2, { topic: 'Caches of processors' });
    assert.equal(state().state, 'approved');
    const versions = server.database.value(`select count(*) from revision
        where entity = 'answer' and target_id = ${made.invitations[0]}`);
    assert.equal(versions, 1);
});

test('the deadline is the last second of the day where the lab is', async () => {
    const { lin, base, section, draft, made } = await asked();
    await section(1, { phone: '1111111' });
    // The server's clock is UTC; the lab's day is another one for part of it.
    server.database.run(`update collection set deadline =
        (now() at time zone 'Asia/Shanghai')::date where id = ${made.collection}`);
    assert.equal((await section(1, { phone: '2222222' })).status, 303);
    const path = `${base}/sections/1`;
    const page = await lin.get(path);
    server.database.run(`update collection set deadline =
        (now() at time zone 'Asia/Shanghai')::date - 1 where id = ${made.collection}`);
    const late = await lin.submit(page, path, { phone: '3333333' });
    assert.equal(late.status, 409);
    assert.match(late.text, /deadline has passed/);
    assert.match(late.text, /3333333/, 'what was typed can be copied');
    assert.equal(draft().document.phone, '2222222');
    assert.match((await lin.get(base)).text, /deadline has passed/);
    server.database.run(`update invitation set extended_until =
        (now() at time zone 'Asia/Shanghai')::date where id = ${made.invitations[0]}`);
    assert.equal((await section(1, { phone: '4444444' })).status, 303);
});

test('closed, closing, withdrawn and not asked have a page each', async () => {
    const { lin, base, made, section } = await asked();
    const pages = [
        [`update collection set state = 'closed' where id = ${made.collection}`, /This is closed/],
        [`update collection set state = 'closing' where id = ${made.collection}`, /This is closing/],
        [`update collection set state = 'open' where id = ${made.collection};
          update invitation set state = 'withdrawn' where id = ${made.invitations[0]}`,
        /no longer need to fill/],
    ];
    for (const [sql, expected] of pages) {
        server.database.run(sql);
        for (const path of ['', '/sections/1', '/check'])
            assert.match((await lin.get(`${base}${path}`)).text, expected);
    }
    const other = await asked();
    const missing = await other.lin.get(base);
    assert.equal(missing.status, 404);
    assert.match(missing.text, /nothing for you to fill in here/);
    assert.equal((await other.lin.get('/my/collections/999999999')).status, 404);
    server.database.run(`update invitation set state = 'opened'
        where id = ${made.invitations[0]}`);
    assert.equal((await section(1, { phone: '1111111' })).status, 303);
});

const profile = { title: words('Profile', '资料'), sections: [
    { title: words('Contact', '联系方式'), fields: [
        { name: 'phone', type: 'phone', label: words('Phone', '电话'),
            visibility: { default: 'members', choices: ['public', 'members', 'admins'] } },
        { name: 'office', type: 'text', label: words('Office', '办公室'), max_length: 100 },
        { name: 'shirt', type: 'text', label: words('Shirt', 'T 恤') }] }] };

test('a profile is known already, is written back, and one button confirms it next year', async () => {
    const { lin, base, section, state, made, email } = await asked({ definition: profile,
        kind: 'profile' });
    server.database.run(`update person set phone = '010-1', office = 'West 1' where id =
        (select person_id from account where email = ${quote(email)})`);
    const page = await lin.get(`${base}/sections/1`);
    assert.match(page.text, /value="010-1"/);
    assert.match(page.text, /value="members" selected/, 'nothing said is the default');
    await section(1, { phone: '010-5555 0100', 'visibility.phone': 'public', shirt: 'M' });
    await lin.submit(await lin.get(`${base}/check`), `${base}/submit`);
    const id = server.database.value(`select id from change where entity = 'answer'
        and target_id = ${made.invitations[0]}`);
    const approved = await ada.submit(await ada.get(`/admin/changes/${id}`),
        `/admin/changes/${id}/approve`);
    assert.equal(approved.status, 303, approved.text);
    const person = server.database.query(`select phone, office, visibility from person where id =
        (select person_id from account where email = ${quote(email)})`)[0];
    assert.equal(person.phone, '010-5555 0100');
    assert.equal(person.office, 'West 1');
    assert.equal(person.visibility.phone, 'public');
    assert.equal(state().state, 'approved');

    const next = seedCollection(server.database, [], { kind: 'profile', title: 'Next year' });
    setForm(next, profile);
    server.database.run(`update collection set copied_from = ${made.collection}
            where id = ${next.collection};
        insert into invitation (collection_id, account_id, wave_id, pilot, form_version_id)
        select ${next.collection}, account_id, ${next.wave}, false, ${next.version}
        from invitation where id = ${made.invitations[0]}`);
    const again = `/my/collections/${next.collection}`;
    const shown = await lin.get(again);
    assert.equal(shown.location, `${again}/check`);
    const check = await lin.follow(shown);
    assert.match(check.text, /All of this is still right/);
    assert.match(check.text, />M</);
    const confirmed = await lin.submit(check, `${again}/confirm`);
    assert.equal(confirmed.location, `${again}/receipt`);
    assert.equal(server.database.value(`select state from invitation
        where collection_id = ${next.collection}`), 'approved');
    assert.equal((await lin.submit(check, `${again}/confirm`)).location, `${again}/receipt`);
    assert.equal((await lin.get(`${again}?all=1`)).status, 200);
});

test('a check of works begins with those under the person’s name', async () => {
    const definition = JSON.parse(readFileSync(join(root,
        'templates/forms/publication_check.json')));
    const { lin, base, section, draft, email } = await asked({ definition,
        kind: 'publications' });
    server.database.run(`with w as (insert into publication (slug, kind, title, title_folded, search)
            select t, 'article', t, t, t from unnest(array['ferry-${serial}',
                'tides-${serial}']) t returning id)
        insert into authorship (publication_id, position, name, folded, person_id)
        select w.id, 0, 'Xiao Lin', 'xiao lin', a.person_id from w, account a
        where a.email = ${quote(email)}`);
    const page = await lin.get(`${base}/sections/1`);
    assert.match(page.text, new RegExp(`value="ferry-${serial}"`));
    assert.match(page.text, new RegExp(`value="tides-${serial}"`));
    const answer = await section(1, { 'works.0.verdict': 'right', 'works.1.verdict': 'wrong',
        'works.1.remark': 'The year is 2025.' });
    assert.equal(answer.location, `${base}/sections/2`, answer.text);
    const { works } = draft().document;
    assert.deepEqual(works.map((work) => work.verdict), ['right', 'wrong']);
    assert.deepEqual(works.map((work) => work.slug), works.map((work) => work.title));
    await section(2, {});
    await lin.submit(await lin.get(`${base}/check`), `${base}/submit`);
    assert.equal(draft().state, 'submitted');
});

test('asked again, only the new section comes first', async () => {
    const { lin, base, section, made, state } = await asked();
    await section(1, { phone: '1111111' });
    await section(2, { topic: 'Caches' });
    await lin.submit(await lin.get(`${base}/check`), `${base}/submit`);
    const id = server.database.value(`select id from change where entity = 'answer'
        and target_id = ${made.invitations[0]}`);
    await ada.submit(await ada.get(`/admin/changes/${id}`), `/admin/changes/${id}/approve`);
    server.database.run(`with f as (insert into form_version (collection_id, number, definition)
            select collection_id, 2, definition from form_version where id = ${made.version}
            returning id)
        update invitation set state = 'invited', asked = '["students"]',
            form_version_id = (select id from f) where id = ${made.invitations[0]}`);
    const tasks = await lin.get(base);
    assert.match(tasks.text, />new</);
    assert.doesNotMatch(tasks.text, />Research</);
    assert.match((await lin.get(`${base}?all=1`)).text, />Research</);
    assert.match((await lin.get(`${base}/sections/1`)).text, /New here:\s*<a href="#f-students"/);
    assert.equal((await section(1, { students: '3' })).location, `${base}/check`);
    await lin.submit(await lin.get(`${base}/check`), `${base}/submit`);
    assert.equal(state().state, 'submitted');
});

test('people of the pilot say what was unclear; nobody else is asked', async () => {
    const { lin, base, made } = await asked();
    assert.doesNotMatch((await lin.get(`${base}/sections/1`)).text, /unclear/);
    server.database.run(`update invitation set pilot = true where id = ${made.invitations[0]}`);
    const page = await lin.get(`${base}/sections/1`);
    const said = await lin.submit(page, `${base}/feedback`,
        { unclear: 'true', question: 'phone', comment: 'Which phone?' });
    assert.match(said.location, new RegExp(`^${base}/sections/1\\?notice=`));
    const feedback = server.database.query(`select section, field, unclear, comment
        from feedback where invitation_id = ${made.invitations[0]}`);
    assert.deepEqual(feedback, [{ section: 0, field: 'phone', unclear: true,
        comment: 'Which phone?' }]);
    const long = await lin.submit(page, `${base}/feedback`, { comment: 'x'.repeat(5000) });
    assert.equal(long.status, 422);
    assert.match(long.text, /x{5000}/);
});

test('typing is kept as it comes, and an older window is told', async () => {
    const { lin, base, section, draft, state } = await asked();
    await section(1, { phone: '1111111' });
    const page = await lin.get(`${base}/sections/1`);
    const fields = Object.fromEntries(page.forms.find((f) => f.action.endsWith('/1')).fields);
    const send = (values) => lin.post(`${base}/autosave`, { ...fields, ...values });
    const first = JSON.parse((await send({ office: 'W' })).text);
    assert.equal(draft().document.office, 'W');
    assert(first.saved_at && first.change && first.seen);
    const stale = await send({ office: 'E' });
    assert.equal(stale.status, 409);
    assert.equal(draft().document.office, 'W');
    const next = await send({ '-seen': first.seen, office: 'West' });
    assert.equal(next.status, 200, next.text);
    assert.equal(draft().document.office, 'West');
    assert.equal(state().state, 'started');
    const wrong = await send({ '-seen': JSON.parse(next.text).seen, office: 'West', phone: 'x' });
    assert.equal(wrong.status, 200);
    assert.equal(draft().document.phone, 'x');
    assert.equal((await send({ '-section': '7' })).status, 422);
    server.database.run(`update collection set state = 'closed' where id =
        ${base.split('/').pop()}`);
    assert.equal((await send({ office: 'late' })).status, 403);
    assert.equal(server.database.value(`select count(*) from event where action =
        'change.drafted' and change_id = (select max(id) from change)`), 1);
});

test('typing takes no photo that somebody else uploaded', async () => {
    const { lin, base, section, draft } = await asked({ definition: { ...form, sections: [
        { title: words('Contact', '联系方式'), fields: [
            { name: 'phone', type: 'phone', label: words('Phone', '电话') },
            { name: 'portrait', type: 'photo', label: words('Photo', '照片') }] }] } });
    const theirs = `photo-${'x'.repeat(43)}`;
    server.database.run(`insert into file (token, account_id, width, height)
        select '${theirs}', id, 200, 200 from account where email = 'ada@lab.example'`);
    for (const began of [false, true]) {
        if (began) await section(1, { phone: '1111111' });
        const page = await lin.get(`${base}/sections/1`);
        const fields = Object.fromEntries(page.forms.find((f) => f.action.endsWith('/1')).fields);
        const taken = await lin.post(`${base}/autosave`, { ...fields, phone: '2222222',
            'portrait.kept': theirs });
        assert.equal(taken.status, 422, taken.text);
        assert.deepEqual(JSON.parse(taken.text), { refused: 'photo' });
        assert.equal(draft()?.document.portrait ?? null, null);
    }
    const before = draft().document;
    const taken = await section(1, { 'portrait.kept': theirs, phone: '3333333' });
    assert.equal(taken.status, 422, taken.text);
    assert.deepEqual(draft().document, before);
});

test('one’s own photo stays in an answer, whoever uploaded it', async () => {
    const { lin, base, section, draft, email } = await asked({ kind: 'profile', definition: {
        ...form, sections: [{ title: words('Contact', '联系方式'), fields: [
            { name: 'office', type: 'text', label: words('Office', '办公室') },
            { name: 'photo', type: 'photo', label: words('Photo', '照片') }] }] } });
    const own = `photo-${'y'.repeat(43)}`;
    server.database.run(`insert into file (token, account_id, width, height, kept)
        select '${own}', id, 200, 200, true from account where email = 'ada@lab.example';
        update person set photo = '${own}' where id =
            (select person_id from account where email = ${quote(email)})`);
    const page = await lin.get(`${base}/sections/1`);
    const fields = Object.fromEntries(page.forms.find((f) => f.action.endsWith('/1')).fields);
    const kept = await lin.post(`${base}/autosave`, { ...fields, office: 'West 1' });
    assert.equal(kept.status, 200, kept.text);
    assert.equal((await section(1, { office: 'West 2' })).status, 303);
    assert.equal(draft().document.photo, own);
    const sent = await lin.submit(await lin.get(`${base}/check`), `${base}/submit`);
    assert.equal(sent.location, `${base}/receipt`, sent.text);
});

test('what admins note in an answer, its member neither sees nor loses', async () => {
    const { lin, base, section, draft, made } = await asked({ definition: { ...form,
        sections: [{ title: words('Contact', '联系方式'), fields: [
            { name: 'office', type: 'text', label: words('Office', '办公室') },
            { name: 'remark', type: 'text', label: words('Our remark', '内部备注'),
                audience: 'admin' }] }] } });
    await section(1, { office: 'West 1' });
    await lin.submit(await lin.get(`${base}/check`), `${base}/submit`);
    const change = server.database.value(`select id from change where entity = 'answer'
        and target_id = ${made.invitations[0]}`);
    const path = `/admin/changes/${change}/edit`;
    const edited = await ada.submit(await ada.get(path), path, { remark: 'Late again' });
    assert.equal(edited.status, 303, edited.text);
    const remark = () => draft().document.remark;
    assert.equal(remark(), 'Late again');
    for (const url of [base, `${base}/sections/1`, `${base}/check`, `${base}/receipt`,
        `/my/changes/${change}`])
        assert.doesNotMatch((await lin.get(url)).text, /remark|Late again/, url);
    const page = await lin.get(`${base}/sections/1`);
    const fields = Object.fromEntries(page.forms.find((f) => f.action.endsWith('/1')).fields);
    for (const seen of [fields['-seen'], `${fields['-seen']} remark:${'0'.repeat(16)} `, '']) {
        const sent = { ...fields, '-seen': seen, remark: 'Never late', office: `East${seen.length}` };
        await lin.post(`${base}/sections/1`, sent);
        assert.equal(remark(), 'Late again');
        await lin.post(`${base}/autosave`, sent);
        assert.equal(remark(), 'Late again');
    }
    assert.equal((await section(1, { office: 'East 2' })).status, 303);
    await lin.submit(await lin.get(`${base}/check`), `${base}/submit`);
    assert.deepEqual([draft().state, remark()], ['submitted', 'Late again']);
});

test('what is seen of a form is noted some thousands of times, not without end', async () => {
    const { lin, base, section, made } = await asked();
    server.database.run(`insert into answer_step (invitation_id, form_version_id, section, kind)
        select ${made.invitations[0]}, ${made.version}, 0, 'seen' from generate_series(1, 5000)`);
    await lin.get(`${base}/sections/2`);
    assert.equal(server.database.value(`select count(*)::int from answer_step
        where invitation_id = ${made.invitations[0]} and section = 1`), 0);
    await section(1, { phone: '1111111' });
    await section(1, { phone: '2222222' });
    assert.equal(server.database.value(`select count(*)::int from answer_step
        where invitation_id = ${made.invitations[0]} and kind = 'saved'`), 1);
    assert.match((await lin.get(base)).text, /class="tag good"/);
});

test('a session lasts longer when asked', async () => {
    const { lin, base } = await asked();
    const page = await lin.get(`${base}/sections/1`);
    assert.match(page.text, /data-ends="20\d\d-\d\d-\d\dT/);
    const { csrf } = Object.fromEntries(page.forms.find((f) => f.action.endsWith('/1')).fields);
    const kept = await lin.post('/my/session', { csrf });
    assert.match(JSON.parse(kept.text).ends, /^20\d\d-/);
});

test('in Chinese', async () => {
    const { lin, base, section } = await asked({ language: 'zh' });
    assert.match((await lin.get(base)).text, /截止 \d{4} 年 \d+ 月 \d+ 日 23:59（Asia\/Shanghai）/);
    await section(1, { phone: '1111111' });
    await section(2, { topic: '缓存' });
    assert.match((await lin.get(`${base}/check`)).text, /缓存/);
});
