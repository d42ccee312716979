// Answers as files, read back by another program: every value is what was sent in, and
// nothing in a file runs.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { quote, seedCollection } from '../support/collection.mjs';
import { root, startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let server;
let ada;
let made;
let path;
let folder;
let wei; // an admin who reads Chinese

const words = (text) => ({ en: text, zh: `${text}（中）` });
const choices = [['a', 'Apples'], ['b', 'Pears, ripe'], ['c', '樱桃']].map(([value, label]) =>
    ({ value, label: { en: label, zh: label } }));
const fields = [
    { name: 'text', type: 'text', label: words('=1+1') },
    { name: 'long', type: 'textarea', label: words('+86 heading'), max_length: 50000 },
    { name: 'phone', type: 'phone', label: words('@phone') },
    { name: 'count', type: 'integer', label: words('Count') },
    { name: 'share', type: 'decimal', label: words('Share') },
    { name: 'agrees', type: 'boolean', label: words('Agrees') },
    { name: 'born', type: 'date', label: words('Born') },
    { name: 'fruit', type: 'choice', label: words('Fruit'), choices },
    { name: 'fruits', type: 'multichoice', label: words('Fruits'), choices },
    { name: 'pets', type: 'group', label: words('Pets'), fields: [
        { name: 'name', type: 'text', label: words('Name') }] },
    { name: 'text_2', type: 'text', label: words('=1+1') }, // the same heading again
];
const many = 'é林😀'.repeat(100); // 300 characters
const hostile = ['=1+1', '+86 10 5555 0100', '-2+3', '@SUM(A1)', '\t=1', '＝1+1', '00420017',
    '1e5', '2026-11-30', 'TRUE', '-5', '林晓 欧阳', '😀', 'line\nline', ' spaced ', '"quoted", yes',
    "'=x", 'a;b', '_x0041_', '<b>&amp;</b>', 'sep=;', '=HYPERLINK("http://x.example","y")', many];
const answers = [
    ...hostile.map((text) => ({ text, long: `${text}\n${text}`, phone: '+86 10 5555 0100',
        count: 7, share: 0.1, agrees: true, born: '1899-12-31', fruit: 'c',
        fruits: ['a', 'c'], pets: [{ name: text }, { name: 'Rex' }], text_2: text })),
    { text: 'big', long: '长'.repeat(40000), phone: null, count: 'BIG', share: -1e-7,
        agrees: false, born: null, fruit: null, fruits: ['a', 'b'], pets: [], text_2: null },
    { text: 'control\u0001\u001f\u007f\ufffe', long: 'x', phone: null, count: -3, share: 5, agrees: false,
        born: '2024-02-29', fruit: 'b', fruits: [], pets: [], text_2: '' },
];

function send(invitation, document, state = 'submitted') {
    server.database.run(`insert into change (entity, target_id, base_version, document,
            state, source, author_id, submitted_at)
        select 'answer', id, 1, ${quote(JSON.stringify(document).replace('"BIG"', '9007199254740993'))},
            '${state}', 'form',
            account_id, now() from invitation where id = ${invitation}`);
}

before(async () => {
    server = await startServer();
    ada = await admin(server);
    folder = mkdtempSync(join(tmpdir(), 'labd-export-'));
    made = seedCollection(server.database, [
        ...answers.map((_, i) => ({ family: `Name ${String(i).padStart(2, '0')}`, han: '名' })),
        { family: 'Name 98 draft' }, { family: 'Name 99 nothing' }],
    { fields, title: 'Year: 2026/27 "all"', titleZh: '年度信息' });
    answers.forEach((document, i) => send(made.invitations[i], document));
    send(made.invitations.at(-2), { ...answers[0], text: 'SECRET DRAFT' }, 'draft');
    path = `/admin/collections/${made.collection}/export`;
});
after(() => {
    rmSync(folder, { recursive: true });
    return server.stop();
});

// The bytes of an export with all columns, as `visitor` gets them.
async function download(values, { query = '', visitor = ada, columns } = {}) {
    const page = await visitor.get(`${path}${query}`);
    assert.equal(page.status, 200, page.text);
    const form = page.forms.find((f) => f.action === path);
    const csrf = form.fields.find(([name]) => name === 'csrf')[1];
    const all = [...form.inside.matchAll(/name="column" value="([^"]+)"/g)].map(([, v]) => v);
    const fixed = form.fields.filter(([name]) =>
        !['column', ...Object.keys(values)].includes(name));
    const body = new URLSearchParams([...fixed, ...Object.entries(values),
        ...(columns ?? all).map((column) => ['column', column])]);
    const answer = await fetch(server.url + path, { method: 'POST', body, redirect: 'manual',
        headers: { Origin: server.url, 'Accept-Language': visitor.language,
            Cookie: [...visitor.cookies].map(([k, v]) => `${k}=${v}`).join('; ') } });
    return { csrf, status: answer.status, headers: answer.headers,
        bytes: Buffer.from(await answer.arrayBuffer()) };
}

function workbook(bytes) {
    const file = join(folder, 'answers.xlsx');
    writeFileSync(file, bytes);
    return JSON.parse(execFileSync('/usr/bin/python3',
        [join(root, 'tests/support/read_xlsx.py'), file], { maxBuffer: 64 << 20 }));
}

// RFC 4180, by the letter.
function readCsv(text) {
    const rows = [[]];
    const pattern = /("((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r\n|$)/gy;
    while (pattern.lastIndex < text.length) {
        const [, , quoted, bare, end] = pattern.exec(text);
        rows.at(-1).push(quoted !== undefined ? quoted.replaceAll('""', '"') : bare);
        if (end === '\r\n') rows.push([]);
    }
    rows.pop();
    return rows;
}

const columnOf = (rows, heading) => {
    const at = rows[0].indexOf(heading);
    assert.ok(at >= 0, `${heading} among ${rows[0]}`);
    return rows.slice(1).map((row) => row[at]);
};
const sent = (name) => answers.map((answer) => answer[name]);
const empty = [null, null]; // a draft, and nothing at all

test('XLSX, read by another program, has every value as it was sent in', async () => {
    const { status, headers, bytes } = await download({ format: 'xlsx', style: 'values' });
    assert.equal(status, 200);
    assert.match(headers.get('content-type'), /spreadsheetml\.sheet$/);
    const book = workbook(bytes);
    const [title, notes] = Object.keys(book);
    const { rows, frozen, formats } = book[title];
    assert.equal(rows.length, 1 + answers.length + 2);
    assert.equal(frozen, 'A2');
    assert.deepEqual(formats, ['@']); // texts, also when somebody edits them
    const texts = sent('text').map((text) => text.replace('\ufffe', '\ufffd'));
    assert.deepEqual(columnOf(rows, '=1+1'), [...texts, ...empty]);
    assert.deepEqual(columnOf(rows, '=1+1 (text_2)'), [...sent('text_2').map((t) => t || null),
        ...empty]);
    assert.deepEqual(columnOf(rows, '@phone'), [...sent('phone'), ...empty]);
    assert.deepEqual(columnOf(rows, 'Share'), [...sent('share'), ...empty]);
    assert.deepEqual(columnOf(rows, 'Agrees'), [...sent('agrees'), ...empty]);
    assert.deepEqual(columnOf(rows, 'Born'), [...sent('born'), ...empty]);
    assert.deepEqual(columnOf(rows, 'Fruit'), [...sent('fruit'), ...empty]);
    assert.deepEqual(columnOf(rows, 'Fruits').slice(0, hostile.length),
        hostile.map(() => 'a; c'));
    assert.deepEqual(columnOf(rows, 'Pets').slice(0, hostile.length).map((t) => JSON.parse(t)),
        sent('pets').slice(0, hostile.length));
    // Whole numbers beyond what a cell can hold stay exact as text.
    const counts = columnOf(rows, 'Count');
    assert.equal(counts[0], 7);
    assert.equal(counts[hostile.length], '9007199254740993');
    const longs = columnOf(rows, '+86 heading');
    assert.deepEqual(longs.slice(0, hostile.length), sent('long').slice(0, hostile.length));
    const cut = longs[hostile.length];
    assert.equal(cut.length, 32767);
    assert.match(cut, /^长+ … \[cut/);
    assert.deepEqual(book[notes].rows.slice(1), [[hostile.length + 2, '+86 heading', 40000]]);
    assert.doesNotMatch(JSON.stringify(book), /formula|SECRET DRAFT/);
});

test('CSV begins with a byte order mark, plain CSV does not, and both say the same', async () => {
    const marked = (await download({ format: 'csv', style: 'values' })).bytes;
    const plain = (await download({ format: 'csv-plain', style: 'values' })).bytes;
    assert.deepEqual([...marked.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    assert.ok(marked.subarray(3).equals(plain));
    const rows = readCsv(plain.toString());
    assert.equal(rows.length, 1 + answers.length + 2);
    for (const cells of rows) {
        assert.equal(cells.length, rows[0].length);
        for (const cell of cells)
            assert.ok(/^-[\d.]+$/.test(cell) || !/^[=+\-@\t\r＝＋－＠]/.test(cell), cell);
    }
    // A prefix alone: nothing of the text is lost, a phone number keeps its plus.
    const unguarded = (cell) => /^'[=+\-@\t\r＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
    const texts = columnOf(rows, "'=1+1").slice(0, hostile.length);
    assert.deepEqual(texts.map((cell, i) => hostile[i] === "'=x" ? cell : unguarded(cell)),
        hostile);
    assert.equal(columnOf(rows, "'@phone")[0], "'+86 10 5555 0100");
    assert.equal(columnOf(rows, "'+86 heading")[hostile.length], '长'.repeat(40000));
    assert.deepEqual(columnOf(rows, 'Agrees').slice(0, 1), ['true']);
});

test('JSON leaves every value untouched', async () => {
    const { bytes, headers } = await download({ format: 'json' });
    assert.match(headers.get('content-type'), /^application\/json/);
    const people = JSON.parse(bytes);
    assert.equal(people.length, answers.length + 2);
    assert.deepEqual(people.slice(0, answers.length).map((person) => person.answer),
        answers.map((answer) => answer.count === 'BIG' ? { ...answer, count: 2 ** 53 } : answer));
    assert.deepEqual(people.slice(-2).map((person) => person.answer), [null, null]);
    assert.ok(bytes.includes('"count":9007199254740993'));
    assert.equal(people[0].person.name_han, '名');
    assert.equal(people[0].state.state, 'submitted');
});

test('choices in words are those of the reader’s language; what can’t be split is JSON', async () => {
    const { rows } = Object.values(workbook((await download({ format: 'xlsx' })).bytes))[0];
    assert.equal(columnOf(rows, 'Fruit')[0], '樱桃');
    assert.equal(columnOf(rows, 'Fruits')[0], 'Apples; 樱桃');
    assert.deepEqual(JSON.parse(columnOf(rows, 'Fruits')[hostile.length]), ['Apples', 'Pears, ripe']);
    assert.equal(columnOf(rows, 'State')[0], 'sent in');
    wei = await admin(server, 'wei@lab.example');
    await wei.get('/my?lang=zh'); // remembered
    const chinese = Object.values(workbook((await download({ format: 'xlsx' },
        { visitor: wei })).bytes))[0].rows;
    assert.equal(columnOf(chinese, '状态')[0], '已提交');
    assert.equal(columnOf(chinese, '@phone（中）')[0], '+86 10 5555 0100');
});

test('the file has the collection’s name in any script', async () => {
    const { headers } = await download({ format: 'csv' });
    assert.equal(headers.get('content-disposition'),
        `attachment; filename="answers-${made.collection}.csv"; ` +
        "filename*=UTF-8''Year-%202026-27%20-all-.csv");
    const chinese = await download({ format: 'json' }, { visitor: wei });
    assert.match(chinese.headers.get('content-disposition'),
        /filename\*=UTF-8''%E5%B9%B4%E5%BA%A6%E4%BF%A1%E6%81%AF\.json$/);
    assert.match(headers.get('cache-control'), /no-store/);
});

test('who and which columns are as chosen', async () => {
    const one = await download({ format: 'json' }, { query: '?q=%22name+03%22' });
    assert.equal(JSON.parse(one.bytes).length, 0);
    const found = await download({ format: 'json' }, { query: '?q=03',
        columns: ['person.email', 'answer.text'] });
    const lines = JSON.parse(found.bytes);
    assert.equal(lines.length, 1);
    assert.deepEqual(lines[0].answer, { text: hostile[3] });
    assert.deepEqual(Object.keys(lines[0].person), ['email']);
    const ids = [made.invitations[1], made.invitations[4]];
    const chosen = JSON.parse((await download({ format: 'json', ids: ids.join(',') })).bytes);
    assert.deepEqual(chosen.map((person) => person.answer.text), [hostile[1], hostile[4]]);
    const none = await download({ format: 'csv' }, { columns: [] });
    assert.equal(none.status, 422);
    assert.match(none.bytes.toString(), /Choose at least one column/);
    assert.match(none.bytes.toString(), /value="csv" checked/);
    for (const bad of ['1,x', '-1', '1,,2', '99999999999999999999', "1;drop table mail"])
        assert.equal((await download({ format: 'csv', ids: bad })).status, 422, bad);
    assert.equal((await download({ format: 'xls' })).status, 422);
    assert.equal((await download({ format: 'csv' }, { columns: ['answer.nothing'] })).status, 422);
});

test('only what was approved, when that is wanted', async () => {
    const id = made.invitations[2];
    server.database.run(`insert into answer (id, version, document)
        values (${id}, 2, ${quote(JSON.stringify({ ...answers[2], text: 'approved' }))})`);
    const texts = async (which) => JSON.parse((await download({ format: 'json', which })).bytes)
        .map((person) => person.answer?.text);
    assert.equal((await texts('sent'))[2], hostile[2]);
    const approved = await texts('approved');
    assert.equal(approved[2], 'approved');
    assert.equal(approved.filter(Boolean).length, 1);
    server.database.run(`delete from answer where id = ${id}`);
});

test('an export is for admins, needs the page’s token, and is in the audit', async () => {
    const stranger = new Visitor(server);
    assert.equal((await stranger.get(path)).status, 303);
    assert.ok([303, 401, 403].includes((await stranger.post(path, { format: 'csv' })).status));
    assert.equal((await ada.post(path, { format: 'csv', column: 'person.email' })).status, 403);
    const before = server.database.value(
        "select count(*)::int from event where action = 'collection.exported'");
    await download({ format: 'csv' });
    assert.equal(server.database.value(
        "select count(*)::int from event where action = 'collection.exported'"), before + 1);
});

// People.

const peoplePath = '/admin/export/people';

async function downloadPeople(format, visitor = ada) {
    const page = await visitor.get(peoplePath);
    const csrf = page.forms.find((f) => f.action === peoplePath).fields[0][1];
    const answer = await fetch(server.url + peoplePath, { method: 'POST', redirect: 'manual',
        body: new URLSearchParams({ csrf, format }), headers: { Origin: server.url,
            Cookie: [...visitor.cookies].map(([k, v]) => `${k}=${v}`).join('; ') } });
    return { status: answer.status, headers: answer.headers,
        bytes: Buffer.from(await answer.arrayBuffer()) };
}

test('a roster that was exported is read back without a change, in both languages', async (t) => {
    const lab = await startServer({ demo: true });
    t.after(() => lab.stop());
    const own = await admin(lab);
    const everything = () => JSON.stringify([
        lab.database.query('select slug, version from person order by slug'),
        lab.database.query('select * from appointment order by person_id, position')]);
    const before = everything();
    for (const language of ['en', 'zh']) {
        await own.get(`/my?lang=${language}`);
        const page = await own.get(peoplePath);
        const csrf = page.forms.find((f) => f.action === peoplePath).fields[0][1];
        const answer = await fetch(lab.url + peoplePath, { method: 'POST',
            body: new URLSearchParams({ csrf, format: 'csv' }),
            headers: { Origin: lab.url,
                Cookie: [...own.cookies].map(([k, v]) => `${k}=${v}`).join('; ') } });
        const file = join(folder, `people-${language}.csv`);
        writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
        const { stdout, stderr } = await lab.labd('import', 'people', file, '--json');
        const report = JSON.parse(stdout);
        assert.equal(report.created, 0, stderr + stdout);
        assert.equal(report.updated, 0, stdout);
        assert.deepEqual(report.problems, []);
        assert.deepEqual(report.columns.unknown, []);
    }
    assert.equal(everything(), before);
    // Into an empty lab it brings everybody.
    const empty = await startServer();
    t.after(() => empty.stop());
    const { stdout } = await empty.labd('import', 'people', join(folder, 'people-zh.csv'), '--json');
    assert.equal(JSON.parse(stdout).created,
        lab.database.value('select count(*)::int from person'), stdout);
    const who = 'select name_han, given_latin, family_latin from person order by 1, 2, 3';
    assert.deepEqual(empty.database.query(who), lab.database.query(who));
});

test('people as XLSX and JSON have everybody; the audit says who took them', async () => {
    server.database.run(`insert into person (slug, given_latin, family_latin, name_han)
        values ('hostile', '=1+1', '@SUM(A1)', '林😀')`);
    const count = server.database.value('select count(*)::int from person');
    const book = workbook((await downloadPeople('xlsx')).bytes);
    const [{ rows }] = Object.values(book);
    assert.ok(rows.some((row) => row.includes('=1+1') && row.includes('@SUM(A1)')));
    assert.doesNotMatch(JSON.stringify(book), /formula/);
    const { bytes, headers } = await downloadPeople('json');
    const people = JSON.parse(bytes);
    assert.equal(people.length, count);
    assert.equal(people.find((person) => person.slug === 'hostile').name_han, '林😀');
    assert.match(headers.get('content-disposition'), /filename="people\.json"/);
    assert.equal((await downloadPeople('pdf')).status, 422);
    assert.equal(server.database.value(
        "select count(*)::int from event where action = 'people.exported'"), 2);
});
