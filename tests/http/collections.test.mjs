// A collection by its organiser, without JavaScript: made, people chosen, the pilot asked,
// the form changed, everyone asked; what is refused, and what is kept then.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { admin } from '../support/visitor.mjs';

let server;
let ada;
let base; // /admin/collections/N

const later = (days) => new Date(Date.now() + days * 86400e3).toISOString().slice(0, 10);
const text = (page) => page.text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

before(async () => {
    server = await startServer();
    ada = await admin(server);
    server.database.run(`insert into person (slug, given_latin, family_latin, name_han, email)
        values ('lin', 'Xiao', 'Lin', '林晓', 'lin@lab.example'),
            ('bo', 'Bo', 'Ouyang', null, 'bo@lab.example'),
            ('wei', null, null, '王伟', null),
            ('dai', 'Dai', 'Yu', null, 'LIN@lab.example');
        insert into appointment (person_id, position, role, starts, ends)
        values (1, 1, 'phd', '2024-09-01', null), (2, 1, 'master', '2019-09-01', '2022-06-30'),
            (3, 1, 'phd', '2025-09-01', null)`);
});
after(() => server.stop());

// The page's boxes: {name: [value, ...]} of those that are ticked.
function ticked(page, name) {
    return page.forms.flatMap((form) => form.fields)
        .filter(([field]) => field === name).map(([, value]) => value);
}

test('nobody but an admin comes here', async () => {
    for (const path of ['/admin/collections', '/admin/collections/1/people'])
        assert.equal((await ada.get(path, { headers: { Cookie: '' } })).status, 303);
});

test('with nothing there, the page says what a collection is', async () => {
    for (const [language, words] of [['en', /A collection asks people by mail/],
        ['zh', /信息收集通过邮件邀请成员/]]) {
        const page = await ada.get(`/admin/collections?lang=${language}`);
        assert.equal(page.status, 200);
        assert.match(page.text, words);
    }
    await ada.get('/admin?lang=en');
});

test('a new one is refused with its words kept, then made', async () => {
    const path = '/admin/collections/new?kind=profile';
    const form = await ada.get(path);
    assert.match(form.text, /value="Your profile on the lab’s site"/);
    const values = { title_en: '', title_zh: '', words_en: 'Please <b>check</b> this',
        deadline: '2001-01-01', remind_most: '99' };
    const refused = await ada.submit(form, path, values);
    assert.equal(refused.status, 422);
    assert.match(refused.text, /Please &lt;b&gt;check&lt;\/b&gt; this/);
    assert.match(refused.text, /must be from 0 to 20/);
    const past = await ada.submit(form, path, { ...values, title_en: 'Profiles 2031',
        remind_most: '2' });
    assert.equal(past.status, 422);
    assert.match(past.text, /That day is over already/);
    assert.match(past.text, /value="Profiles 2031"/);
    const made = await ada.submit(form, path, { ...values, title_en: 'Profiles 2031',
        remind_most: '2', deadline: later(10) });
    assert.equal(made.status, 303, made.text);
    base = made.location.replace(/\/people.*/, '');
    const page = await ada.follow(made);
    assert.match(page.text, /Nobody is asked yet/);
    // A language left empty says what the other says; the deadline has its zone.
    assert.match(text(page), new RegExp(
        `until ${later(10)}, 23:59 \\(Asia/Shanghai, UTC\\+8\\)`));
    const chinese = await ada.get(`${base}/settings?lang=zh`);
    assert.match(chinese.text, /Profiles 2031/);
    assert.match(chinese.text, /（Asia\/Shanghai，UTC\+8）/);
    await ada.get('/admin?lang=en');
    // The profile's form, without what admins alone fill in.
    const form_now = server.database.value('select definition::text from collection');
    assert.match(form_now, /"biography_en"/);
    assert.doesNotMatch(form_now, /"appointments"|"slug"/);
});

test('bytes of any kind in the fields are refused or kept, never a fault', async () => {
    const path = '/admin/collections/new?kind=custom';
    const { csrf } = Object.fromEntries((await ada.get(path)).forms
        .find((form) => form.action === path).fields);
    for (const bytes of ['%00', '%ff%fe', '%ed%a0%80', 'a%0bb', 'x'.repeat(5000)]) {
        const answer = await ada.request('POST', path, {
            body: `csrf=${csrf}&title_en=${bytes}&remind_most=1&remind_gap=1`,
            headers: { 'Content-Type': 'application/x-www-form-urlencoded',
                Origin: server.url } });
        assert.ok(answer.status === 422 || answer.status === 400, `${answer.status}`);
    }
    for (const bad of ['/admin/collections/0/people', '/admin/collections/x/waves',
        '/admin/collections/99999999999999999999/settings', '/admin/collections/77/mails',
        `${base}/waves/both`, `${base}/mails/test/en`, `${base}/mails/invitation/fr`])
        assert.equal((await ada.get(bad)).status, 404, bad);
    assert.equal((await ada.get(`${base}/people?q=%25&role=nobody&year=x&who=them`)).status,
        200);
});

test('people are chosen by a search, which undoes nothing that it does not show',
    async () => {
        const all = await ada.get(`${base}/people`);
        assert.match(text(all), /王伟 .* no address/);
        assert.match(text(all), /LIN@lab\.example another has this address/);
        const alumni = await ada.get(`${base}/people?who=former`);
        assert.doesNotMatch(alumni.text, /Xiao Lin/);
        assert.match(alumni.text, /Bo Ouyang/);
        const chosen = await ada.submit(alumni, `${base}/people?who=former`,
            { action: 'all' });
        assert.equal(chosen.location, `${base}/people?who=former&notice=people_chosen`);
        const phds = await ada.get(`${base}/people?role=phd&year=2024`);
        assert.match(phds.text, /Xiao Lin/);
        assert.doesNotMatch(phds.text, /王伟/);
        await ada.submit(phds, `${base}/people?role=phd&year=2024`, { pilot: '1' });
        const now = await ada.get(`${base}/people`);
        assert.deepEqual(ticked(now, 'ask').sort(), ['1', '2', '4']);
        assert.deepEqual(ticked(now, 'pilot'), ['1']);
        const found = await ada.get(`${base}/people?q=${encodeURIComponent('王')}`);
        assert.match(found.text, /1 of 4 people are shown/);
        await ada.submit(found, `${base}/people?q=${encodeURIComponent('王')}`, { ask: '3' });
        // Somebody's number that was not on the page changes nothing.
        const forged = await ada.submit(found, `${base}/people?q=${encodeURIComponent('王')}`,
            { ask: '3', pilot: '2' });
        assert.equal(forged.status, 303);
        assert.deepEqual(ticked(await ada.get(`${base}/people`), 'pilot'), ['1']);
    });

test('the pilot may be drawn at random, from those who can be asked', async () => {
    const drawn = await ada.submit(await ada.get(`${base}/people`), `${base}/people`,
        { action: 'random', count: '50' });
    assert.match(drawn.location, /pilot_drawn/);
    const pilot = ticked(await ada.get(`${base}/people`), 'pilot');
    assert.ok(!pilot.includes('3'), 'nobody without an address');
    const none = await ada.submit(await ada.get(`${base}/people`), `${base}/people`,
        { action: 'random', count: 'many' });
    assert.match(none.location, /pilot_not_drawn/);
    server.database.run('update collection_person set pilot = person_id = 1');
});

test('a wave shows each mail before it opens, and who can’t be asked', async () => {
    const pilot = await ada.get(`${base}/waves/pilot`);
    assert.match(text(pilot), /1 asked for the first time/);
    assert.match(text(pilot), /林晓 &lt;lin@lab\.example&gt;/);
    assert.match(pilot.text, /sign-in\/link\/…/);
    // Looking made nothing.
    assert.equal(server.database.value('select count(*) from mail'), 0);
    assert.equal(server.database.value('select count(*) from account'), 1);
    const everyone = await ada.get(`${base}/waves/everyone?person=2`);
    assert.match(text(everyone), /Bo Ouyang &lt;bo@lab\.example&gt;/);
    assert.match(text(everyone), /2 people can’t be asked yet Dai Yu another has this address 王伟 no address/);
});

test('the words of the collection’s mails are its own, checked, and kept when refused',
    async () => {
        const path = `${base}/mails/invitation/zh`;
        const page = await ada.get(path);
        const refused = await ada.submit(page, path, { subject: '请填写', body: '你好' });
        assert.equal(refused.status, 422);
        assert.match(refused.text, />\s*你好<\/textarea>/);
        const personal = await ada.submit(page, path, { subject: '请填写',
            body: `{{link}} ${server.url}/sign-in/link/abcdef` });
        assert.equal(personal.status, 422);
        assert.equal(server.database.value('select count(*) from mail_text'), 0);
        const saved = await ada.submit(page, path, { subject: '请 {{name}} 填写',
            body: '{{name}}同学：{{link}}' });
        assert.equal(saved.status, 303, saved.text);
        const stale = await ada.submit(page, path, { subject: '旧', body: '旧 {{link}}' });
        assert.equal(stale.status, 409);
        assert.match(stale.text, />\s*旧 \{\{link\}\}<\/textarea>/);
        // As each person reads it.
        assert.match((await ada.get(path)).text, /林晓同学/);
        assert.match(text(await ada.get(`${path}?person=2`)), /Bo Ouyang同学/);
        assert.match((await ada.get(`${base}/waves/pilot`)).text, /林晓同学/);
    });

test('the pilot is asked once, whoever presses twice', async () => {
    const page = await ada.get(`${base}/waves/pilot`);
    const opened = await ada.submit(page, `${base}/waves/pilot`);
    assert.match(opened.location, /waves\?notice=wave_opened/, opened.text);
    const again = await ada.submit(page, `${base}/waves/pilot`);
    assert.equal(again.status, 422);
    assert.match(again.text, /There is nobody to ask/);
    assert.equal(server.database.value(
        `select string_agg(template || ' ' || to_address || ' ' || left(body, 4), ',')
         from mail`), 'invitation lin@lab.example 林晓同学');
    assert.match(text(await ada.follow(opened)), /1\. The pilot form version 1, 1 people/);
    assert.match(text(await ada.get(`${base}/people`)), /asked Pilot/);
});

test('extending says what is asked again, and of whom', async () => {
    server.database.run(`with sent as (insert into change (entity, target_id, base_version,
            document, state, source, author_id, submitted_at)
        select 'answer', id, 1, '{"family_latin": "Lin", "office": "East 1"}', 'submitted', 'form', account_id, now()
        from invitation returning id)
        update collection set definition_version = definition_version + 1,
            definition = jsonb_set(definition::jsonb, '{sections,0,fields,999}',
            '{"name": "bicycle", "type": "boolean", "label": {"en": "I come by bicycle",
              "zh": "我骑车来"}}')::json`);
    const page = await ada.get(`${base}/waves/everyone`);
    assert.match(text(page), /1 asked for the first time/);
    assert.match(text(page), /1 asked again for something/);
    assert.match(text(page), /for I come by bicycle/);
    const person = page.forms.find((form) => form.action === `${base}/waves/everyone`);
    assert.ok(person);
    // The form was changed after the page was opened: look again.
    server.database.run('update collection set definition_version = definition_version + 1');
    const stale = await ada.submit(page, `${base}/waves/everyone`);
    assert.equal(stale.status, 409);
    assert.match(stale.text, /nobody was asked/);
    assert.equal(server.database.value('select count(*) from mail'), 1);
    const opened = await ada.submit(stale, `${base}/waves/everyone`);
    assert.equal(opened.status, 303, opened.text);
    assert.equal(server.database.value(`select string_agg(template || ' ' || to_address, ', '
        order by id) from mail`), 'invitation lin@lab.example, invitation bo@lab.example, ' +
        'asked_again lin@lab.example');
    assert.equal(server.database.value(
        `select state || ' ' || asked::text from invitation where pilot`),
    'invited ["bicycle"]');
});

test('settings hold for the version that was seen, and lose nothing that was typed',
    async () => {
        const path = `${base}/settings`;
        const first = await ada.get(path);
        const saved = await ada.submit(first, path, { words_en: 'By the first' });
        assert.equal(saved.status, 303, saved.text);
        const second = await ada.submit(first, path, { words_en: 'By the second' });
        assert.equal(second.status, 409);
        assert.match(second.text, />\s*By the second<\/textarea>/);
        assert.match(second.text, /By the .*first/);
        const kept = await ada.submit(second, path);
        assert.equal(kept.status, 303, kept.text);
        assert.equal(server.database.value('select words_en from collection'),
            'By the second');
    });

test('it closes, opens again, and is copied for the next year', async () => {
    const act = async (path, to) => {
        const page = await ada.get(`${base}/settings`);
        const form = page.forms.find((f) => f.action === `${base}/${path}` &&
            (to === undefined || f.fields.some(([n, v]) => n === 'to' && v === to)));
        assert.ok(form, `no way to ${to}`);
        return ada.post(`${base}/${path}`, form.fields);
    };
    const before = await ada.get(`${base}/settings`);
    assert.match((await act('state', 'closing')).location, /notice=collection_closing/);
    const stale = await ada.post(`${base}/state`, before.forms.find((f) =>
        f.fields.some(([n, v]) => n === 'to' && v === 'closed')).fields);
    assert.equal(stale.status, 409);
    assert.match(stale.text, /nothing was done/);
    assert.match((await act('state', 'closed')).location, /notice=collection_closed/);
    const waves = await ada.get(`${base}/waves`);
    assert.match(waves.text, /closing or closed, so nobody can be asked/);
    assert.match((await act('state', 'open')).location, /notice=collection_open/);
    // Open, but its last day is over: the page says what that means.
    server.database.run('update collection set deadline = deadline - 365');
    assert.match((await ada.get(`${base}/settings`)).text, /The last day is over: nobody can answer/);
    assert.match((await ada.get(`${base}/waves`)).text, /The last day is over, so nobody can be asked/);
    server.database.run('update collection set deadline = deadline + 365');
    assert.equal((await ada.post(`${base}/delete`, before.forms[1].fields)).status, 409);
    const copied = await act('duplicate');
    assert.match(copied.location, /notice=collection_duplicated/);
    const copy = await ada.follow(copied);
    assert.match(copy.text, /value="Profiles 2032"/);
    assert.match(copy.text, /no deadline/);
    base = copied.location.replace(/\/settings.*/, '');
    assert.deepEqual(ticked(await ada.get(`${base}/people`), 'ask').sort(),
        ['1', '2', '3', '4']);
    assert.match(text(await ada.get(`${base}/mails`)), /Your words/);
    assert.match((await act('delete')).location, /notice=collection_deleted/);
    assert.equal((await ada.get(`${base}/settings`)).status, 404);
    // Every word of the audit is there.
    const events = await ada.get('/admin/events');
    assert.doesNotMatch(events.text, /<code>(collection|wave|invitation)\./);
});

// "姓名,邮箱,语言,入学时间" and two people, in GB18030, pasted from a list with a title above.
test('a roster’s columns are shown, corrected by hand, and its people asked', async () => {
    const people = () => server.database.value('select count(*) from person');
    server.database.run("update person set email = null where slug = 'dai'");
    const before = people();
    const roster = 'Group list 2031\n称呼,联系,说说,语言\n周明,ming@lab.example,爱骑车,英文\n' +
        '林晓,LIN@LAB.EXAMPLE,,\n林晓,lin@lab.example,,\n,nobody@lab.example,,\n';
    const page = await ada.get('/admin/import');
    const guess = await ada.submit(page, '/admin/import', { kind: 'people', text: roster });
    // Only "语言" was known: the rows have no names, and nothing can be imported yet.
    assert.match(text(guess), /称呼 周明 林晓/);
    assert.equal(people(), before);
    const columns = ['name_han', 'email', 'note', 'language'];
    const corrected = (source, action, list = columns) => ada.submit(source,
        '/admin/import/apply', { column: null, action },
        { extra: list.map((name) => ['column', name]) });
    // Pressing "import" with other columns than were tried out tries them out.
    const trial = await corrected(guess, 'apply');
    assert.equal(trial.status, 200, trial.text);
    assert.match(trial.text, /Nothing has been written yet/);
    assert.equal(people(), before);
    assert.match(text(trial), /周明 new/);
    assert.match(text(trial), /林晓 as before is here: lin/);
    assert.match(text(trial), /林晓 twice in the list It stands in line 4 already/);
    assert.match(text(trial), /The column “Note” was not taken/);
    const done = await corrected(trial, 'apply');
    assert.equal(done.status, 200);
    assert.equal(people(), before + 1);
    assert.equal(server.database.value(
        "select language from account where email = 'ming@lab.example'"), 'en');
    // Twice the same list is nobody twice.
    await corrected(await corrected(guess, 'try'), 'apply');
    assert.equal(people(), before + 1);
    // Without any heading that is known, and without headings at all.
    const bare = await ada.submit(page, '/admin/import', { kind: 'people',
        text: '吴芳,fang@lab.example\n郑洁,jie@lab.example\n' });
    assert.equal(bare.status, 422);
    assert.equal(bare.forms.find((f) => f.action === '/admin/import/apply').fields
        .filter(([name]) => name === 'column').length, 2);
    const named = await ada.submit(bare, '/admin/import/apply',
        { column: null, action: 'try', no_headings: 'yes' },
        { extra: [['column', 'name_han'], ['column', 'email']] });
    assert.match(text(named), /吴芳 new .*郑洁 new/);
    const imported = await ada.submit(named, '/admin/import/apply', { action: 'apply' });
    assert.match(imported.text, /Choose these 2 in/);
    assert.equal(people(), before + 3);
    // Into the collection: those of the pilot stay in it.
    server.database.run(`insert into collection_person values (1, 3, true)
        on conflict (collection_id, person_id) do update set pilot = true`);
    const added = await ada.submit(imported, '/admin/collections/1/people');
    assert.match(added.location, /people_chosen/);
    assert.equal(server.database.value(`select count(*) from collection_person c
        join person p on p.id = c.person_id where p.email in ('fang@lab.example',
            'jie@lab.example')`), 2);
    assert.equal(server.database.value('select bool_or(pilot) from collection_person'), true);
});

test('a server reminds by the schedule, without a mail server and without a visitor',
    async () => {
        server.database.run(`update collection set state = 'open', remind_days = '{30}',
                deadline = lab_today() + 5;
            update wave set opened_at = now() - interval '2 days';
            update invitation set invited_at = now() - interval '2 days', state = 'opened',
                reminders = 0, reminded_at = null`);
        const people = server.database.value('select count(*) from invitation');
        assert.ok(people > 0);
        const second = await startServer({ database: server.database });
        const ordered = () => server.database.value(
            "select count(*) from mail where template = 'reminder' and state = 'waiting'");
        for (let tries = 0; ordered() !== people && tries < 200; tries++)
            await fetch(`${second.url}/healthz`);
        await second.stop();
        assert.equal(ordered(), people);
    });
