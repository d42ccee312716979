// Files of works: uploaded with the form, held while another field is mended, sent whole or
// in part, and to those alone who may see them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let server;
let ada;
let lin;
const visitor = () => new Visitor(server);

// Not compressible, so that every byte counts, and longer than two chunks.
function pdf(length) {
    const bytes = Buffer.alloc(length);
    for (let i = 0, x = 1; i < length; i++) {
        x = (x * 1103515245 + 12345) & 0x7fffffff;
        bytes[i] = x >> 16;
    }
    bytes.write('%PDF-1.7\n');
    bytes.write('\n%%EOF\n', length - 7);
    return bytes;
}
const file = (bytes, filename = "Lin's paper (final).pdf", type = 'application/pdf') =>
    ({ bytes, filename, type });
const tokenOf = (page) => /\/files\/(file-[\w-]{43})\//.exec(page.text)?.[1];

async function member(values) {
    const added = await ada.submit(await ada.get('/admin/people/new'), '/admin/people/new',
        { role: 'phd', language: 'en', ...values });
    const person = new URL(added.location, server.url).pathname;
    const made = await ada.submit(await ada.get(person), `${person}/links`);
    const signed = new Visitor(server);
    await signed.open(/value="(http[^"]*\/sign-in\/link\/[^"]+)"/.exec(made.text)[1]);
    return signed;
}

before(async () => {
    server = await startServer();
    ada = await admin(server);
    lin = await member({ email: 'lin@lab.example', given_latin: 'Xiao', family_latin: 'Lin' });
});
after(() => server.stop());

const whole = pdf(700_000);
const edit = '/admin/publications/lin-2024-ferry-files';

async function add(more) {
    const path = '/admin/publications/new';
    return ada.submit(await ada.get(path), path, { kind: 'article', title: 'Ferry files',
        'authors.0.name': 'Xiao Lin', year: '2024', ...more });
}

test('an upload is held while another field is mended, and then the work has it', async () => {
    const wrong = await add({ year: 'x', 'files.0.kind': 'pdf', 'files.0.visibility': 'public',
        'files.0.file.upload': file(whole) });
    assert.equal(wrong.status, 422);
    const token = tokenOf(wrong);
    assert.ok(token, 'the page leads to the file');
    assert.match(wrong.text, /value="Lin&#39;s paper \(final\)\.pdf"|Lin's paper \(final\)\.pdf/);
    assert.equal((await ada.get(`/files/${token}/a.pdf`)).status, 200);
    for (const other of [visitor(), lin])
        assert.equal((await other.get(`/files/${token}/a.pdf`)).status, 404);
    const saved = await ada.submit(wrong, '/admin/publications/new', { year: '2024' });
    assert.equal(saved.status, 303, saved.text);
    for (const path of ['/en/publications', '/en/publications/lin-2024-ferry-files'])
        assert.match((await visitor().get(path)).text,
            new RegExp(`href="/files/${token}/paper\\.pdf"`));
});

test('it is sent whole, in part, and not at all to whoever has it', async () => {
    const token = tokenOf(await visitor().get('/en/publications'));
    const path = `/files/${token}/paper.pdf`, someone = visitor();
    const all = await someone.get(path);
    assert.equal(all.status, 200);
    assert.ok(all.bytes.equals(whole));
    assert.equal(all.headers['content-type'], 'application/pdf');
    assert.equal(all.headers['accept-ranges'], 'bytes');
    assert.equal(all.headers['content-disposition'], 'inline; filename="Lin-s-paper-final.pdf"');
    assert.match(all.headers['cache-control'], /^public/);
    const { etag } = all.headers;
    const ask = (Range, more = {}) => someone.get(path, { headers: { Range, ...more } });
    for (const [range, from, to] of [['bytes=0-99', 0, 99], ['bytes=262140-262150', 262140, 262150],
        ['bytes=-5', 699_995, 699_999], ['bytes=699990-', 699_990, 699_999],
        ['bytes=100-9999999999', 100, 699_999], ['bytes=-9999999', 0, 699_999],
        ['bytes=5-5', 5, 5],
        ['bytes=9-99999999999999999999999', 9, 699_999]]) {
        const part = await ask(range);
        assert.equal(part.status, 206, range);
        assert.equal(part.headers['content-range'], `bytes ${from}-${to}/700000`);
        assert.ok(part.bytes.equals(whole.subarray(from, to + 1)), range);
    }
    for (const range of ['bytes=700000-', 'bytes=-0', 'bytes=99999999999999999999999-']) {
        const none = await ask(range);
        assert.equal(none.status, 416, range);
        assert.equal(none.headers['content-range'], 'bytes */700000');
    }
    for (const range of ['bytes=0-1,4-5', 'lines=1-2', 'bytes=9-2', 'bytes=-', 'bytes=a-b', 'bytes'])
        assert.equal((await ask(range)).status, 200, range);
    assert.equal((await ask('bytes=0-9', { 'If-Range': etag })).status, 206);
    assert.equal((await ask('bytes=0-9', { 'If-Range': '"other"' })).status, 200);
    assert.equal((await someone.get(path, { headers: { 'If-None-Match': etag } })).status, 304);
    const head = await someone.request('HEAD', path);
    assert.equal(head.status, 200);
    assert.equal(head.headers['content-length'], '700000');
    assert.equal(head.bytes.length, 0);
});

test('what is no PDF, not all of one, or too large is refused and changes nothing', async () => {
    const page = await ada.get(edit), before = tokenOf(page);
    for (const [bytes, words] of [[Buffer.from('<html>'), /no PDF/],
        [whole.subarray(0, 600_000), /end of this PDF is missing/],
        [pdf(33 * 1024 * 1024), /larger than 32 MB/]]) {
        const refused = await ada.submit(page, edit, { 'files.0.file.upload': file(bytes) });
        assert.equal(refused.status, 422);
        assert.match(refused.text, words);
        assert.equal(tokenOf(refused), before, 'the one that was there is still there');
    }
    assert.equal(tokenOf(await visitor().get('/en/publications')), before);
});

test('members, admins and the day of the embargo decide who sees it', async () => {
    const path = `/files/${tokenOf(await ada.get(edit))}/paper.pdf`;
    const see = async () => Promise.all([visitor(), lin, ada].map(async (who) =>
        (await who.get(path)).status));
    const set = async (values) => assert.equal((await ada.submit(await ada.get(edit), edit,
        values)).status, 303);
    assert.deepEqual(await see(), [200, 200, 200]);
    await set({ 'files.0.visibility': 'members' });
    assert.deepEqual(await see(), [404, 200, 200]);
    assert.doesNotMatch((await visitor().get('/en/publications')).text, /\/files\//);
    await set({ 'files.0.visibility': 'admins' });
    assert.deepEqual(await see(), [404, 404, 200]);
    await set({ 'files.0.visibility': 'public', 'files.0.embargo': '2999-01-01' });
    assert.deepEqual(await see(), [404, 200, 200]);
    assert.match((await lin.get(path)).headers['cache-control'], /^private/);
    await set({ 'files.0.embargo': '2001-01-01' });
    assert.deepEqual(await see(), [200, 200, 200]);
});

test("nobody's work can name a file that is not theirs", async () => {
    const mine = await add({ title: 'Hidden', 'files.0.kind': 'pdf',
        'files.0.visibility': 'admins', 'files.0.file.upload': file(pdf(3000)) });
    assert.equal(mine.status, 303);
    const token = tokenOf(await ada.get('/admin/publications/lin-2024-hidden'));
    const path = '/my/publications/new';
    const taken = await lin.submit(await lin.get(path), path, { kind: 'article', title: 'Mine',
        'authors.0.name': 'Xiao Lin', 'files.0.kind': 'pdf', 'files.0.visibility': 'public',
        'files.0.file': token });
    assert.equal(taken.status, 422);
    assert.match(taken.text, /not yours to use/);
    for (const strange of ['file-x', '../x', `file-${'a'.repeat(43)}`])
        assert.equal((await lin.submit(await lin.get(path), path, { kind: 'article',
            title: 'Mine', 'authors.0.name': 'Xiao Lin', 'files.0.kind': 'pdf',
            'files.0.visibility': 'public', 'files.0.file': strange })).status, 422, strange);
});
