// The organiser's board: who is shown in which order, and what is done with many at once.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { seedCollection } from '../support/collection.mjs';
import { startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let server;
let ada;
let made;
let base;

const people = [
    { given: 'Xiao', family: 'Lin', han: '林晓', email: 'lin@lab.example', state: 'started',
        complete: 40, role: 'phd', mail: 'sent', reminders: 2 },
    { given: 'Bo', family: 'Ouyang', han: '欧阳博', email: 'bo@lab.example',
        state: 'submitted', complete: 100, role: 'master', mail: 'bounced' },
    { given: 'Jörg', family: 'Müller', email: 'muller@lab.example', state: 'invited',
        role: 'postdoc', mail: 'failed' },
    { han: '王芳', email: 'wang@lab.example', state: 'returned', complete: 80, role: 'phd',
        mail: 'waiting' },
    { given: 'Ann', family: '<script>alert(1)</script>', email: 'ann@lab.example',
        state: 'approved', complete: 100, role: null, mail: 'sent' },
    { email: 'nameless@lab.example', state: 'withdrawn', role: null },
    { given: "'; drop table mail; --", family: '=1+1', han: '%_\\', state: 'opened',
        email: 'bobby@lab.example', role: 'visitor', mail: 'held' },
];
const [lin, bo, muller, wang, ann, nameless, bobby] = [0, 1, 2, 3, 4, 5, 6];

before(async () => {
    server = await startServer();
    ada = await admin(server);
    made = seedCollection(server.database, people);
    base = `/admin/collections/${made.collection}`;
});
after(() => server.stop());

// Which of the people a page shows, in order.
const shown = (page) => [...page.text.matchAll(/<tr id="row-(\d+)"/g)]
    .map(([, id]) => made.invitations.indexOf(Number(id)));
const board = async (query = '') => {
    const page = await ada.get(`${base}${query}`);
    assert.equal(page.status, 200, page.text);
    return page;
};
const sorted = (list) => [...list].sort((a, b) => a - b);

test('everybody who was asked has a row, hostile names as text', async () => {
    const page = await board();
    assert.deepEqual(sorted(shown(page)), [0, 1, 2, 3, 4, 5, 6]);
    assert.match(page.text, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
    assert.doesNotMatch(page.text, /<script>alert/);
    assert.match(page.text, /nameless@lab\.example/);
    assert.match(page.text, /林晓/);
});

test('filters narrow alone and together, and say what is chosen', async () => {
    const cases = [
        ['?state=started', [lin]],
        ['?state=lacking', [lin, muller, wang, bobby]],
        ['?role=phd', [lin, wang]],
        ['?role=none', [ann, nameless]],
        ['?mail=queued', [wang]],
        ['?mail=trouble', [bo, muller]],
        ['?mail=none', [nameless]],
        ['?wave=1', [0, 1, 2, 3, 4, 5, 6]],
        ['?wave=2', []],
        ['?state=lacking&role=phd', [lin, wang]],
        ['?state=lacking&role=phd&mail=queued', [wang]],
        ['?state=approved&mail=queued', []],
        ['?q=lin', [lin]],
        ['?q=XIAO+lin', [lin]],
        [`?q=${encodeURIComponent('欧阳')}`, [bo]],
        [`?q=${encodeURIComponent('müller')}`, [muller]],
        ['?q=wang%40lab.example', [wang]],
        ['?q=%25', [bobby]], // no wildcard
        ['?q=_', [bobby]],
        ['?q=lab.example&state=returned', [wang]],
        ['?q=nobody+at+all', []],
    ];
    for (const [query, expected] of cases)
        assert.deepEqual(sorted(shown(await board(query))), expected, query);
    const page = await board('?state=lacking&role=phd&q=lin&sort=-name');
    assert.match(page.text, /<option value="lacking" selected>/);
    assert.match(page.text, /<option value="phd" selected>/);
    assert.match(page.text, /name="q"[^>]*value="lin"/);
});

test('whatever stands in the address, there is a page', async () => {
    for (const query of ['?state=%27%3B', '?state=&role=&mail=&wave=&q=', '?wave=-1', '?page=0',
        '?wave=99999999999999999999', '?page=100000', '?page=99999999999999', '?sort=--name',
        `?q=${'x'.repeat(3000)}`, '?sort=id%3Bdrop', '?q=%F0%9F%98%80', '?q=%5C', '?q=%22%5D'])
        await board(query);
    for (const path of ['/admin/collections/0', '/admin/collections/x',
        '/admin/collections/99999999', '/admin/collections/99999999999999999999'])
        assert.equal((await ada.get(path)).status, 404, path);
    assert.equal((await new Visitor(server).get(base)).status, 303);
});

test('each column sorts both ways, empty ones last, ties always alike', async () => {
    const page = await board();
    const columns = [...page.text.matchAll(/<th scope="col" aria-sort="(\w+)"><a href="([^"]+)"/g)];
    assert.equal(columns.length, 13);
    assert.deepEqual(columns.filter(([, sort]) => sort !== 'none').length, 1);
    for (const [, , href] of columns) {
        const url = href.replaceAll('&amp;', '&');
        const key = /sort=-?(\w+)/.exec(url)[1];
        const [up, down] = [await board(`?sort=${key}`), await board(`?sort=-${key}`)];
        assert.match(up.text, /aria-sort="ascending"/);
        assert.match(down.text, /aria-sort="descending"/);
        assert.deepEqual(sorted(shown(up)), [0, 1, 2, 3, 4, 5, 6], key);
        assert.deepEqual(shown(await board(`?sort=${key}`)), shown(up), key);
        assert.equal(shown(up).length, shown(down).length);
    }
    assert.deepEqual(shown(await board('?sort=-complete')).slice(0, 4).map((i) =>
        people[i].complete), [100, 100, 80, 40]);
    const mails = shown(await board('?sort=mail'));
    assert.equal(mails.at(-1), nameless);
    assert.equal(shown(await board('?sort=-mail')).at(-1), nameless);
    const names = shown(await board('?sort=name')).filter((i) => [lin, bo, muller].includes(i));
    assert.deepEqual(names, [lin, muller, bo]);
});

test('counters count everybody and lead to those whom they count', async () => {
    const page = await board('?state=started');
    const counters = [...page.text.matchAll(
        /<li id="count-(\w+)"[^>]*><a href="([^"]+)"( aria-current="true")?><b>(\d+)/g)];
    const counted = Object.fromEntries(counters.map(([, key, , , count]) => [key, Number(count)]));
    assert.deepEqual(counted, { all: 7, lacking: 4, invited: 1, opened: 1, started: 1,
        submitted: 1, returned: 1, approved: 1, withdrawn: 1, trouble: 2 });
    for (const [, key, url, current, count] of counters) {
        assert.equal(current !== undefined, key === 'started');
        assert.equal(shown(await ada.get(url.replaceAll('&amp;', '&'))).length, Number(count),
            key);
    }
});

test('the fragment has the rows alone, and a tag until something changes', async () => {
    const first = await ada.get(`${base}/live?state=lacking`);
    assert.equal(first.status, 200);
    assert.doesNotMatch(first.text, /<html|csrf/);
    assert.deepEqual(shown(first), shown(await board('?state=lacking')));
    const tag = first.headers.etag;
    const again = () => ada.get(`${base}/live?state=lacking`, { headers: { 'If-None-Match': tag } });
    assert.equal((await again()).status, 304);
    server.database.run(`update invitation set complete = 60 where id = ${made.invitations[lin]}`);
    const changed = await again();
    assert.equal(changed.status, 200);
    assert.match(changed.text, /60 %/);
});

test('pages hold a hundred each; one that is not there any more is the first', async () => {
    const many = seedCollection(server.database, Array.from({ length: 101 }, (_, i) => ({
        family: `Name${i % 3}`, han: `名${i}`, state: 'invited' })), { title: 'Many' });
    const path = `/admin/collections/${many.collection}`;
    const rows = (page) => [...page.text.matchAll(/<tr id="row-(\d+)"/g)].map(([, id]) => id);
    const first = await ada.get(path);
    const second = await ada.get(/href="([^"]+)" rel="next"/.exec(first.text)[1]);
    assert.equal(rows(first).length, 100);
    assert.equal(rows(second).length, 1);
    assert.equal(new Set([...rows(first), ...rows(second)]).size, 101);
    assert.match(second.text, /101–101 of 101/);
    assert.deepEqual(rows(await ada.get(`${path}?page=7`)), rows(first));
});

test('before anybody is asked the page says what to do', async () => {
    const empty = seedCollection(server.database, [], { title: 'Empty' });
    const page = await ada.get(`/admin/collections/${empty.collection}`);
    assert.equal(page.status, 200, page.text);
    assert.match(page.text, new RegExp(`href="/admin/collections/${empty.collection}/people"`));
    assert.doesNotMatch(page.text, /<table/);
});

// Acting on many.

const texts = (page) => page.text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

// A collection of its own, and what one does on its board.
function organiser(list, options) {
    const own = seedCollection(server.database, list, { title: 'Acting', ...options });
    const path = `/admin/collections/${own.collection}`;
    return {
        ...own,
        path,
        act: `${path}/act`,
        // The page that asks once more.
        async choose(action, indices, { query = '', ...values } = {}) {
            const page = await ada.get(`${path}${query}`);
            return ada.submit(page, `${path}/act`, { id: null, action, ...values },
                { extra: indices.map((i) => ['id', String(own.invitations[i])]) });
        },
        confirm: (page, values = {}) => ada.submit(page, `${path}/act`, values),
        row: (i) => server.database.query(
            `select *, (select count(*) from mail where invitation_id = i.id)::int as mails
             from invitation i where id = ${own.invitations[i]}`)[0],
    };
}

test('reminding shows whom it reaches and why others not, then reaches exactly those', async () => {
    const own = organiser([
        { family: 'Lacking', state: 'started', email: 'lacking@lab.example' },
        { family: 'Done', state: 'submitted' },
        { family: 'Capped', state: 'opened', reminders: 3 },
        { family: 'Away', state: 'withdrawn' },
        { family: 'Disabled', state: 'invited', email: 'off@lab.example' }]);
    server.database.run("update account set disabled_at = now() where email = 'off@lab.example'");
    const page = await own.choose('remind', [0, 1, 2, 3, 4]);
    assert.equal(page.status, 200, page.text);
    assert.match(texts(page), /5 chosen; it will be done for 1/);
    assert.match(page.text, /lacking@lab\.example/); // the preview
    assert.equal(own.row(0).mails, 0, 'a preview sends nothing');
    const done = await own.confirm(page);
    assert.equal(done.status, 200, done.text);
    assert.match(texts(done), /Reminders on their way to 1\./);
    assert.match(texts(done), /Left out: 4\./);
    assert.deepEqual([0, 1, 2, 3, 4].map((i) => own.row(i).mails), [1, 0, 0, 0, 0]);
    assert.equal(own.row(0).reminders, 1);
});

test('nobody is acted on twice: not by a second press, nor from a page of before', async () => {
    const own = organiser([{ family: 'One', state: 'invited' }, { family: 'Two', state: 'opened' }]);
    for (const action of ['remind', 'resend']) {
        const count = own.row(0).mails;
        const page = await own.choose(action, [0, 1]);
        const [first, second] = await Promise.all([own.confirm(page), own.confirm(page)]);
        assert.deepEqual([first.status, second.status], [200, 200]);
        assert.deepEqual([own.row(0).mails, own.row(1).mails], [count + 1, count + 1], action);
        assert.match(texts(await own.confirm(page)), /Left out: 2\./);
        assert.deepEqual([own.row(0).mails, own.row(1).mails], [count + 1, count + 1], action);
    }
});

test('who sent in since the page was opened is left alone', async () => {
    const own = organiser([{ family: 'Quick', state: 'started' }, { family: 'Slow', state: 'started' }]);
    for (const action of ['remind', 'resend']) {
        const page = await own.choose(action, [0, 1]);
        server.database.run(`update invitation set state = 'submitted'
            where id = ${own.invitations[0]}`);
        assert.match(texts(await own.confirm(page)), /Has nothing left to do/);
    }
    assert.equal(own.row(0).mails, 0);
    assert.equal(own.row(1).mails, 2);
});

test('an extension needs a day that is to come, keeps what was typed, and can be taken back', async () => {
    const own = organiser([{ family: 'Late', state: 'started' }, { family: 'Gone', state: 'withdrawn' }]);
    for (const [until, words] of [['2020-01-01', /over already/], ['soon', /as a date/],
        ['2026-02-30', /as a date/], ['\u0000', /./]]) {
        const page = await own.confirm(await own.choose('extend', [0, 1]), { until });
        assert.ok([400, 422].includes(page.status), `${until} ${page.status}`);
        if (page.status === 422) assert.match(texts(page), words);
        if (until === 'soon') assert.match(page.text, /value="soon"/);
        assert.equal(own.row(0).extended_until, null);
    }
    const done = await own.confirm(await own.choose('extend', [0, 1]), { until: '2099-12-20' });
    assert.match(texts(done), /New last day for 1\..*Left out: 1\./);
    assert.equal(own.row(0).extended_until, '2099-12-20');
    assert.match((await ada.get(own.path)).text, /2099-12-20 <span class="tag">extended/);
    await own.confirm(await own.choose('extend', [0]), { until: '' });
    assert.equal(own.row(0).extended_until, null);
});

test('withdrawing asks first; who is withdrawn can be invited again', async () => {
    const own = organiser([{ family: 'Leaves', state: 'started', mail: 'waiting' }]);
    const asked = await own.choose('withdraw', [0]);
    assert.equal(own.row(0).state, 'started');
    assert.match(asked.text, /class="btn danger"/);
    assert.match(texts(await own.confirm(asked)), /Withdrawn: 1\./);
    assert.equal(own.row(0).state, 'withdrawn');
    assert.equal(server.database.value(
        `select state from mail where invitation_id = ${own.invitations[0]}`), 'cancelled');
    assert.match(texts(await own.confirm(asked)), /Left out: 1\./);
    const page = await ada.get(`${own.path}/invitations/${own.invitations[0]}`);
    const again = await ada.submit(page, own.act, { action: 'reinstate' });
    assert.match(texts(await own.confirm(again)), /Invited again: 1\./);
    assert.notEqual(own.row(0).state, 'withdrawn');
});

test('new links are shown once, each for its person', async () => {
    const own = organiser([{ family: 'Ling', email: 'ling@lab.example' }, { family: 'Bao' }]);
    const done = await own.confirm(await own.choose('link', [0, 1]));
    const links = [...done.text.matchAll(/value="(http[^"]+\/sign-in\/link\/[^"]+)"/g)]
        .map(([, link]) => link);
    assert.equal(links.length, 2);
    const visitors = [new Visitor(server), new Visitor(server)];
    for (const [i, visitor] of visitors.entries()) {
        const arrived = await visitor.open(links[i]);
        assert.match(arrived.location, /^\/my\/collections\/\d+$/);
    }
    const pages = await Promise.all(visitors.map((visitor) => visitor.get('/my')));
    assert.equal(pages.filter((page) => /ling@lab\.example/.test(page.text)).length, 1);
});

test('all that match is everybody whom the filter shows, at that moment', async () => {
    const own = organiser(Array.from({ length: 120 }, (_, i) => ({ family: `All ${i}`,
        state: i % 2 ? 'started' : 'submitted' })));
    const page = await own.choose('withdraw', [], { query: '?state=started', scope: 'all' });
    assert.match(texts(page), /60 chosen; it will be done for 60/);
    await own.confirm(page);
    assert.equal(server.database.value(`select count(*)::int from invitation
        where collection_id = ${own.collection} and state = 'withdrawn'`), 60);
});

test('nobody chosen, and what no page would send, change nothing', async () => {
    const own = organiser([{ family: 'Safe', state: 'started' }]);
    const page = await own.choose('withdraw', []);
    assert.equal(page.status, 422);
    assert.match(page.text, /Nobody was chosen/);
    const elsewhere = made.invitations[lin];
    const form = await ada.get(own.path);
    const bad = [{ action: 'delete', ids: own.invitations[0] }, { action: 'withdraw', ids: 'x' },
        { action: 'withdraw', ids: String(elsewhere), step: 'do' }, { action: null },
        { action: 'withdraw', ids: '1,'.repeat(30000) }];
    for (const values of bad) {
        const answer = await ada.submit(form, own.act, { id: null, ...values });
        assert.equal(answer.status, 422, JSON.stringify(values).slice(0, 80));
    }
    assert.equal(server.database.value(`select state from invitation where id = ${elsewhere}`),
        'started', 'somebody of another collection');
    assert.equal(own.row(0).state, 'started');
    const forged = await ada.post(own.act, { action: 'withdraw', step: 'do',
        ids: String(own.invitations[0]) });
    assert.equal(forged.status, 403);
});

test('a preview can be had for each person', async () => {
    const own = organiser([{ family: 'First', email: 'first@lab.example', state: 'opened' },
        { family: 'Second', email: 'second@lab.example', state: 'opened' }]);
    const page = await own.choose('resend', [0, 1]);
    assert.match(page.text, /&lt;first@lab\.example&gt;/);
    const other = await own.confirm(page, { preview: String(own.invitations[1]) });
    assert.match(other.text, /&lt;second@lab\.example&gt;/);
    assert.equal(own.row(1).mails, 0);
});

test('a person’s page has what happened and what was sent in, drafts left out', async () => {
    const own = organiser([{ family: 'Page', state: 'started', mail: 'sent' }]);
    const id = own.invitations[0];
    const path = `${own.path}/invitations/${id}`;
    const change = (state, document) => server.database.run(`insert into change (entity,
            target_id, base_version, document, state, source, author_id, submitted_at)
        select 'answer', id, 1, '${JSON.stringify(document)}', '${state}', 'form', account_id,
            now() from invitation where id = ${id}`);
    change('draft', { topic: 'half a secret' });
    const before = await ada.get(path);
    assert.equal(before.status, 200, before.text);
    assert.doesNotMatch(before.text, /half a secret/);
    assert.match(before.text, /Mail: invitation/);
    server.database.run(`update change set state = 'submitted', submitted_at = now(),
        document = '{"topic": "<b>tides</b>"}' where target_id = ${id} and entity = 'answer'`);
    const after_ = await ada.get(path);
    assert.match(after_.text, /&lt;b&gt;tides&lt;\/b&gt;/);
    assert.match(after_.text, /Waiting for review/);
    for (const bad of [made.invitations[lin], 0, 'x', 99999999])
        assert.equal((await ada.get(`${own.path}/invitations/${bad}`)).status, 404);
});
