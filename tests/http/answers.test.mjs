// What every answer carries, and how pages answer those who ask again: security fields,
// languages, conditions, codings, refusals.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { call } from '../support/api.mjs';
import { startServer } from '../support/server.mjs';
import { admin } from '../support/visitor.mjs';

let server;
before(async () => {
    server = await startServer({ demo: true });
});
after(() => server.stop());

const ask = (method, path, headers = {}, body) => call(server, method, path, { headers, body });
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; " +
    "object-src 'none'; frame-ancestors 'none'";

function expectSecure({ headers }, what) {
    assert.equal(headers['content-security-policy'], policy, what);
    assert.equal(headers['x-content-type-options'], 'nosniff', what);
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin', what);
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin', what);
    assert.ok(headers['referrer-policy'], what);
    assert.ok(headers['permissions-policy'], what);
    assert.equal(headers['x-powered-by'], undefined, what);
    assert.equal(headers['strict-transport-security'], undefined, `${what}: this is http`);
}

test('every kind of answer carries the security fields', async () => {
    const page = await ask('GET', '/en/');
    assert.equal(page.status, 200, `${page.text}\n${server.log.join('\n')}`);
    const css = /href="(\/static\/[^"]+\.css)"/.exec(page.text)[1];
    const cases = [
        [200, 'GET', '/en/'], [200, 'HEAD', '/en/'], [200, 'GET', css],
        [304, 'GET', '/en/', { 'If-None-Match': page.headers.etag }],
        [302, 'GET', '/people'], [303, 'GET', '/my'], [404, 'GET', '/en/nothing'],
        [404, 'GET', '/static/nothing.css'], [405, 'DELETE', '/en/people'],
        [200, 'GET', '/healthz'], [200, 'GET', '/readyz'], [200, 'GET', '/api/v1/people'],
        [404, 'GET', '/api/v1/nothing'], [401, 'POST', '/api/v1/people', {}, '{}'],
        [400, 'GET', '/%00'], [400, 'GET', '/en/%zz'], [400, 'GET', '/', { Host: 'a b' }],
        [403, 'POST', '/sign-in', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'a=b'],
        [415, 'POST', '/sign-in', { 'Content-Type': 'text/plain' }, 'a=b'],
        [431, 'GET', '/', { 'X-Large': 'x'.repeat(40_000) }],
    ];
    for (const [status, method, path, headers, body] of cases) {
        const answer = await ask(method, path, headers, body);
        assert.equal(answer.status, status, `${method} ${path} ${answer.text.slice(0, 200)}`);
        expectSecure(answer, `${status} ${method} ${path}`);
        if (method === 'HEAD' || status === 304) assert.equal(answer.bytes.length, 0);
    }
});

test('addresses without a language lead to the one that is preferred', async () => {
    const cases = [[{}, 'en'], [{ 'Accept-Language': 'zh-CN,zh;q=0.9,en;q=0.8' }, 'zh'],
        [{ 'Accept-Language': 'en-GB, zh;q=0.5' }, 'en'], [{ 'Accept-Language': 'de, fr' }, 'en'],
        [{ 'Accept-Language': 'de, zh;q=0.2' }, 'zh'], [{ 'Accept-Language': ';;q=,' }, 'en'],
        [{ 'Accept-Language': 'en', Cookie: 'labd_language=zh' }, 'zh'],
        [{ 'Accept-Language': 'zh', Cookie: 'labd_language=xx' }, 'zh']];
    for (const path of ['/', '/people', '/publications?kind=article&q=a%26b', '/people/x%2Dy'])
        for (const [headers, language] of cases) {
            const answer = await ask('GET', path, headers);
            assert.equal(answer.status, 302, path);
            assert.equal(answer.headers.location, `/${language}${path}`, JSON.stringify(headers));
            assert.match(answer.headers.vary, /Accept-Language/);
            assert.match(answer.headers.vary, /Cookie/);
        }
    for (const path of ['//evil.example/', '/\\evil.example', '/en//evil.example']) {
        const answer = await ask('GET', path);
        assert.ok(answer.status === 404 || answer.status === 400, `${path} ${answer.status}`);
    }
});

test('HEAD is GET without its body', async () => {
    for (const path of ['/en/', '/zh/publications', '/publications.bib', '/api/v1/publications',
        '/en/nothing', '/people', '/healthz']) {
        const { headers: get, status } = await ask('GET', path);
        const { headers: head, status: same, bytes } = await ask('HEAD', path);
        assert.equal(same, status, path);
        assert.equal(bytes.length, 0);
        for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary',
            'location'])
            if (status !== 404 || name !== 'content-length') // it has the request's number
                assert.equal(head[name], get[name], `${path} ${name}`);
    }
});

test('a page asked for again is not sent again', async () => {
    for (const path of ['/en/', '/zh/people', '/en/publications?year=2022', '/publications.bib']) {
        const seen = {};
        for (const coding of ['identity', 'gzip', 'br']) {
            const first = await ask('GET', path, { 'Accept-Encoding': coding });
            assert.equal(first.headers['content-encoding'] ?? 'identity', coding, path);
            assert.match(first.headers.vary, /Accept-Encoding/);
            seen[coding] = first;
            const again = await ask('GET', path, { 'Accept-Encoding': coding,
                'If-None-Match': `"other", W/${first.headers.etag}` });
            assert.equal(again.status, 304, `${path} ${coding}`);
            assert.equal(again.headers.etag, first.headers.etag);
            assert.match(again.headers.vary, /Accept-Encoding/);
            const other = await ask('GET', path, { 'Accept-Encoding': coding,
                'If-None-Match': '"other"' });
            assert.equal(other.status, 200);
        }
        assert.equal(new Set(Object.values(seen).map((s) => s.headers.etag)).size, 3);
        assert.equal(gunzipSync(seen.gzip.bytes).toString(), seen.identity.text);
        assert.equal(brotliDecompressSync(seen.br.bytes).toString(), seen.identity.text);
    }
    for (const [accept, coding] of [['gzip;q=0, br;q=0', undefined], ['*', 'br'],
        ['gzip;q=0.5, br;q=0.1', 'gzip'], ['deflate', undefined], ['', undefined]])
        assert.equal((await ask('GET', '/en/', { 'Accept-Encoding': accept }))
            .headers['content-encoding'], coding, accept);
});

test('static files keep for ever under the name of their bytes, and only there', async () => {
    const { text } = await ask('GET', '/en/');
    const files = [...new Set(text.match(/\/static\/[^"]+/g))];
    assert.ok(files.length >= 3, files);
    for (const path of files) {
        assert.match(path, /\.[0-9a-f]{12}\.\w+$/);
        const { status, headers } = await ask('GET', path);
        assert.equal(status, 200, path);
        assert.match(headers['cache-control'], /max-age=31536000.*immutable/);
        assert.equal((await ask('GET', path.replace(/\.[0-9a-f]{12}/, ''))).status, 404);
        assert.equal((await ask('GET', path.replace(/\.[0-9a-f]{12}/, '.0123456789ab'))).status, 404);
    }
    for (const path of ['/static/', '/static/..%2f..%2fMakefile', '/static/../server/main.c',
        '/static/%2e%2e/Makefile']) {
        const { status } = await ask('GET', path);
        assert.ok([400, 404].includes(status), `${path} ${status}`);
    }
});

test('pages of the signed-in are for them alone, and nothing of them is kept', async () => {
    const ada = await admin(server, 'ada@lab.example');
    const own = await ada.get('/en/people');
    assert.match(own.headers['cache-control'], /private|no-store/);
    assert.match(own.text, /ada@lab\.example/);
    const plain = await ask('GET', '/en/people');
    assert.doesNotMatch(plain.text, /ada@lab\.example|csrf/);
    const again = await ask('GET', '/en/people', { 'If-None-Match': own.headers.etag ?? '"x"' });
    assert.equal(again.status, 200);
});

test('what people keep to themselves is in no public answer', async () => {
    // Every second person keeps everything back.
    server.database.run(`update person set phone = '+86 10 7700 0' || 100 + id,
            office = 'Room ' || 900000 + id, biography_zh = '不公开' || 900000 + id,
            visibility = '{"email": "members", "phone": "admins", "office": "members",
                "orcid": "admins", "biography": "members"}' where id % 2 = 0`);
    const secrets = server.database.query(`select field, value from person,
        lateral (values ('email', email, 'members'), ('phone', phone, 'members'),
            ('office', office, 'public'), ('orcid', orcid, 'public'),
            ('biography', biography_en, 'public'), ('biography', biography_zh, 'public'))
            as f (field, value, fallback)
        where value is not null and coalesce(visibility ->> field, fallback) <> 'public'`);
    assert.ok(secrets.length > 25);
    // Of the secrets, one that somebody else shows is none.
    const shown = new Set(server.database.query(`select email as v from public_person union
        select office from public_person union select phone from public_person union
        select email from public_lab`).map((r) => r.v));
    const slugs = server.database.query('select slug from person').map((r) => r.slug);
    const paths = ['/en/', '/zh/people', '/publications.bib', '/api/v1/people?limit=200',
        '/api/v1/publications?limit=200',
        ...slugs.flatMap((s) => [`/en/people/${encodeURIComponent(s)}`,
            `/zh/people/${encodeURIComponent(s)}`, `/api/v1/people/${encodeURIComponent(s)}`])];
    for (const path of paths) {
        const { status, text } = await ask('GET', path);
        assert.equal(status, 200, path);
        for (const { field, value } of secrets)
            if (!shown.has(value)) assert.ok(!text.includes(value), `${field} on ${path}`);
    }
});

test('pages load nothing from elsewhere', async () => {
    const work = server.database.value('select slug from publication order by id limit 1');
    for (const path of ['/en/', '/zh/people', '/en/publications', `/en/publications/${work}`,
        '/sign-in', '/en/nothing']) {
        const { text } = await ask('GET', path);
        const tags = text.match(/<(?:script|img|iframe|source|video|audio|object|embed|link)\b[^>]*>/g);
        for (const tag of tags) {
            if (/rel="(canonical|alternate)"/.test(tag)) continue;
            if (tag === '<script type="application/ld+json">') continue; // data, never run
            const url = /(?:src|href|data)="([^"]*)"/.exec(tag)?.[1];
            assert.match(url ?? '', /^\/static\//, `${path} ${tag}`);
        }
        assert.doesNotMatch(text.replaceAll('<script type="application/ld+json">', ''),
            /<style|style="|<script(?![^>]*src=)|\son\w+="/, path);
    }
});
