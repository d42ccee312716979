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
