// /api/v1: reading with filters and pages, writing through the one door, and every way of
// being refused.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { call, grantToken } from '../support/api.mjs';
import { startServer } from '../support/server.mjs';

let server;
let token; // whose changes take effect at once
const works = '/api/v1/publications';
const people = '/api/v1/people';
const count = 37; // works made below, beside those of single tests

const get = (path, options) => call(server, 'GET', path, options);
const post = (path, document, options) =>
    call(server, 'POST', path, { token, document, ...options });
const patch = (path, document, options) =>
    call(server, 'PATCH', path, { token, document, ...options });
const rows = (sql) => server.database.query(sql);
const value = (sql) => server.database.value(sql);

before(async () => {
    server = await startServer();
    token = grantToken(server.database, 'approver');
    const made = [['林晓', 'Xiao', 'Lin', 'phd'], ['', 'Ada', 'Berg', 'faculty'],
        ['欧阳博', 'Bo', 'Ouyang', 'postdoc']];
    for (const [name_han, given_latin, family_latin, role] of made) {
        const answer = await post(people, { name_han, given_latin, family_latin,
            email: `${given_latin.toLowerCase()}@lab.example`, phone: '+86 10 5555 0100',
            appointments: [{ role, starts: '2020-09-01' }], visibility: { phone: 'public' } });
        assert.equal(answer.status, 201, answer.text);
    }
    for (let i = 0; i < count; i++) {
        const answer = await post(works, {
            kind: i % 3 === 0 ? 'article' : 'conference',
            title: `Work number ${i} on ${i % 2 ? 'memory' : '内存'}`,
            authors: [{ name: i % 4 === 0 ? 'Xiao Lin' : 'Ada Berg' }],
            year: 2000 + i % 5, month: i % 7 === 0 ? null : 1 + i % 12,
        });
        assert.equal(answer.status, 201, answer.text);
    }
});
after(() => server.stop());

// Every item of a list, page by page; no page may be empty but a lone one.
async function walk(path, limit) {
    const glue = path.includes('?') ? '&' : '?';
    const items = [];
    let next = '';
    for (let pages = 0; next !== null; pages++) {
        assert.ok(pages <= 1 + count, 'the pages go on for ever');
        const after = next && `&after=${encodeURIComponent(next)}`;
        const page = await get(`${path}${glue}limit=${limit}${after}`);
        assert.equal(page.status, 200, page.text);
        assert.ok(page.json.items.length <= limit);
        assert.ok(page.json.items.length > 0 || pages === 0);
        items.push(...page.json.items);
        next = page.json.next;
    }
    return items;
}

test('pages by key show every work once, the newest first, whatever their size', async () => {
    const all = await walk(works, 200);
    assert.equal(all.length, count);
    assert.equal(new Set(all.map((w) => w.slug)).size, count);
    const date = (w) => w.year * 10000 + (w.month ?? 0) * 100;
    for (let i = 1; i < all.length; i++) assert.ok(date(all[i - 1]) >= date(all[i]));
    for (const limit of [1, 5, count, count + 1])
        assert.deepEqual(await walk(works, limit), all, `limit ${limit}`);
    assert.deepEqual((await walk(people, 1)).map((p) => p.slug),
        ['ada-berg', 'bo-ouyang', 'xiao-lin']);
});

test('a work added between two pages moves nothing', async () => {
    const first = await get(`${works}?limit=10`);
    const newer = await post(works, { kind: 'other', title: 'Between two pages', year: 2020 });
    const second = await get(`${works}?limit=10&after=${first.json.next}`);
    const slugs = [...first.json.items, ...second.json.items].map((w) => w.slug);
    assert.equal(new Set(slugs).size, 20);
    assert.ok(!slugs.includes(newer.json.slug));
    server.database.run(`delete from publication where slug = '${newer.json.slug}'`);
});

test('filters narrow the lists, together and across pages', async () => {
    const all = await walk(works, 200);
    const cases = [
        ['kind=article', (w) => w.kind === 'article'],
        ['year=2003', (w) => w.year === 2003],
        ['person=xiao-lin', (w) => w.authors.some((a) => a.person === 'xiao-lin')],
        [`q=${encodeURIComponent('内存')}`, (w) => w.title.includes('内存')],
        ['q=MEMORY', (w) => w.title.includes('memory')],
        ['kind=article&year=2003&q=memory',
            (w) => w.kind === 'article' && w.year === 2003 && w.title.includes('memory')],
    ];
    for (const [query, wanted] of cases) {
        const expected = all.filter(wanted);
        assert.ok(expected.length > 0 && expected.length < all.length, query);
        assert.deepEqual(await walk(`${works}?${query}`, 3), expected, query);
    }
    for (const query of ['kind=none', 'person=nobody', 'q=zzzz', 'q=%25', 'q=_'])
        assert.deepEqual(await walk(`${works}?${query}`, 3), [], query);
    assert.deepEqual((await walk(`${people}?role=phd&current=true`, 5)).map((p) => p.slug),
        ['xiao-lin']);
    assert.deepEqual(await walk(`${people}?current=false`, 5), []);
});

test('arguments that can’t be meant are refused', async () => {
    for (const query of ['limit=0', 'limit=201', 'limit=', 'limit=ten', 'limit=5x',
        'limit=-1', 'limit=99999999999999999999', 'year=20', 'year=2x20', 'after=5',
        'after=x.1', 'after=-1.1', 'after=20240000.0', 'after=20240000.x',
        'after=20240000.99999999999999999999']) {
        const answer = await get(`${works}?${query}`);
        assert.equal(answer.status, 422, `${query}: ${answer.text}`);
        assert.equal(answer.headers['content-type'], 'application/problem+json');
        assert.equal(answer.json.status, 422);
    }
    assert.equal((await get(`${people}?current=perhaps`)).status, 422);
});

test('one document, its entity tag, and 304', async () => {
    const path = `${people}/xiao-lin`;
    const seen = await get(path);
    assert.equal(seen.status, 200);
    assert.equal(seen.json.name_han, '林晓');
    assert.equal(seen.json.phone, '+86 10 5555 0100');
    assert.equal(seen.json.email, null, 'an address for members alone is out');
    const tags = seen.raw.filter((_, i, raw) => i % 2 && /^etag$/i.test(raw[i - 1]));
    assert.equal(tags.length, 1, tags);
    for (const round of ['first', 'from the cache']) {
        const same = await get(path, { headers: { 'If-None-Match': seen.headers.etag } });
        assert.equal(same.status, 304, round);
        assert.equal(same.text, '');
        assert.equal(same.headers.etag, seen.headers.etag);
    }
    const head = await call(server, 'HEAD', path);
    assert.equal(head.status, 200);
    assert.equal(head.headers.etag, seen.headers.etag);
    assert.equal(head.headers['content-length'], seen.headers['content-length']);
    assert.equal((await get(`${people}/nobody`)).status, 404);
    assert.equal((await get(`${works}/nothing`)).status, 404);
});

test('what was read, changed and sent back changes only that', async () => {
    const made = await post(works, { kind: 'conference', title: 'Ferry: moving pages',
        authors: [{ name: 'Xiao Lin', corresponding: true }, { name: 'B. Other', equal: true }],
        venue: 'OSDI', year: 2026, month: 7, abstract: 'Two\nlines.',
        identifiers: [{ scheme: 'doi', value: '10.5555/ferry' }],
        links: [{ kind: 'pdf', url: 'https://lab.example/ferry.pdf' }] });
    assert.equal(made.status, 201, made.text);
    const path = made.headers.location;
    assert.equal(path, `${works}/${made.json.slug}`);
    const schema = (await get('/api/v1/schema/publication')).json;
    const before = await get(path);
    const document = Object.fromEntries(Object.keys(schema.properties)
        .filter((key) => key in before.json).map((key) => [key, before.json[key]]));
    // All but the entry that a work was imported from, which is not for visitors.
    assert.deepEqual(Object.keys(schema.properties).filter((key) => !(key in document)),
        ['bibtex']);
    const unchanged = await patch(path, document, { ifMatch: before.headers.etag });
    assert.equal(unchanged.status, 200, unchanged.text);
    assert.equal(unchanged.json.outcome, 'unchanged');
    document.venue = 'OSDI ’26';
    const updated = await patch(path, document, { ifMatch: before.headers.etag });
    assert.equal(updated.json.outcome, 'updated', updated.text);
    const after = await get(path);
    assert.notEqual(after.headers.etag, before.headers.etag);
    const { version, updated_at, venue, ...rest } = after.json;
    const { version: first, updated_at: at, venue: old, ...same } = before.json;
    assert.deepEqual(rest, same);
    assert.deepEqual([first, old, version, venue], [1, 'OSDI', 2, 'OSDI ’26']);
    assert.ok(updated_at >= at);
    // A part alone is enough, and leaves the rest, hidden contact data too.
    const person = await get(`${people}/ada-berg`);
    const part = await patch(`${people}/ada-berg`, { office: 'West 301' },
        { ifMatch: person.headers.etag });
    assert.equal(part.status, 200, part.text);
    assert.deepEqual(rows(`select email, phone, office, version from person
        where slug = 'ada-berg'`), [{ email: 'ada@lab.example', phone: '+86 10 5555 0100',
        office: 'West 301', version: 2 }]);
    assert.equal((await get(`${people}/ada-berg`)).json.office, 'West 301');
});

test('the entity tag of a compressed answer is as good for If-Match', async () => {
    const path = `${people}/bo-ouyang`;
    // Short answers are not compressed.
    const long = await patch(path, { biography_en: 'A line of many. '.repeat(200) },
        { ifMatch: '*' });
    assert.equal(long.status, 200, long.text);
    for (const coding of ['gzip', 'br', 'identity']) {
        const seen = await get(path, { headers: { 'Accept-Encoding': coding } });
        assert.equal(seen.headers['content-encoding'] ?? 'identity', coding);
        const answer = await patch(path, { office: `Room ${coding}` },
            { ifMatch: seen.headers.etag });
        assert.equal(answer.status, 200, answer.text);
        const again = await get(path, { headers: { 'Accept-Encoding': 'gzip' } });
        assert.equal(JSON.parse(gunzipSync(again.bytes)).office, `Room ${coding}`);
    }
});

test('a write without the version it stands on is refused, and one on an old version',
    async () => {
        const path = `${people}/bo-ouyang`;
        const seen = await get(path);
        assert.equal((await patch(path, { office: 'A' })).status, 428);
        assert.equal((await patch(path, { office: 'A' }, { ifMatch: '"0"' })).status, 412);
        assert.equal((await patch(path, { office: 'A' }, { ifMatch: 'nonsense' })).status, 412);
        assert.equal((await patch(path, { office: 'New' },
            { ifMatch: seen.headers.etag })).status, 200);
        const stale = await patch(path, { office: 'Old' }, { ifMatch: seen.headers.etag });
        assert.equal(stale.status, 412);
        assert.equal(stale.headers['content-type'], 'application/problem+json');
        assert.equal(value("select office from person where slug = 'bo-ouyang'"), 'New');
        assert.equal((await patch(path, { office: 'Any' }, { ifMatch: '*' })).status, 200);
        assert.equal((await patch(`${people}/nobody`, { office: 'A' },
            { ifMatch: '*' })).status, 404);
    });

test('of two writers on one version one wins and the other is told', async () => {
    const path = `${people}/bo-ouyang`;
    for (let round = 0; round < 5; round++) {
        const { etag } = (await get(path)).headers;
        const answers = await Promise.all(['one', 'two', 'three'].map((name) =>
            patch(path, { office: `${name} ${round}` }, { ifMatch: etag })));
        const statuses = answers.map((a) => a.status).sort();
        assert.equal(statuses[0], 200);
        for (const status of statuses.slice(1))
            assert.ok([409, 412].includes(status), statuses.join());
    }
});

test('a token that may not approve has its changes wait', async () => {
    const proposer = grantToken(server.database, 'proposer');
    const made = await post(works, { kind: 'article', title: 'Not yet' }, { token: proposer });
    assert.equal(made.status, 202, made.text);
    assert.equal(made.json.outcome, 'submitted');
    assert.equal(value(`select state || source from change where id = ${made.json.id}`),
        'submittedapi');
    assert.equal(value("select count(*)::int from publication where title = 'Not yet'"), 0);
    const path = `${people}/xiao-lin`;
    const seen = await get(path);
    const waiting = await patch(path, { office: 'East 5' },
        { token: proposer, ifMatch: seen.headers.etag });
    assert.equal(waiting.status, 202, waiting.text);
    const again = await patch(path, { interests_en: 'memory' },
        { token: proposer, ifMatch: seen.headers.etag });
    assert.equal(again.status, 202, again.text);
    assert.deepEqual(rows(`select document ->> 'office' as office,
        document ->> 'interests_en' as interests from change
        where id = ${waiting.json.id}`), [{ office: 'East 5', interests: 'memory' }]);
    assert.equal((await get(path)).json.office, null);
});

test('a member writes their own profile and nobody else’s', async () => {
    const member = grantToken(server.database, 'member', { person: 'xiao-lin' });
    const own = await patch(`${people}/xiao-lin`, { interests_zh: '内存' },
        { token: member, ifMatch: '*' });
    assert.equal(own.status, 202, own.text);
    assert.equal((await patch(`${people}/ada-berg`, { office: 'X' },
        { token: member, ifMatch: '*' })).status, 403);
    assert.equal((await post(people, { name_han: '假' }, { token: member })).status, 403);
    for (const field of ['appointments', 'slug']) {
        const answer = await patch(`${people}/xiao-lin`,
            { [field]: field === 'slug' ? 'boss' : [{ role: 'faculty' }] },
            { token: member, ifMatch: '*' });
        assert.equal(answer.status, 422, answer.text);
        assert.equal(answer.json.errors[0].field, field);
    }
});

test('errors name their fields', async () => {
    const cases = [
        [{ title: 'No kind' }, 'kind'],
        [{ kind: 'article' }, 'title'],
        [{ kind: 'novel', title: 'T' }, 'kind'],
        [{ kind: 'article', title: 'T', is_admin: true }, 'is_admin'],
        [{ kind: 'article', title: 'T', id: 5 }, 'id'],
        [{ kind: 'article', title: 'T', year: '2026' }, 'year'],
        [{ kind: 'article', title: 'T', year: 2026.5 }, 'year'],
        [{ kind: 'article', title: 'T', year: 1 }, 'year'],
        [{ kind: 'article', title: 5 }, 'title'],
        [{ kind: 'article', title: ['T'] }, 'title'],
        [{ kind: 'article', title: 'T'.repeat(501) }, 'title'],
        [{ kind: 'article', title: 'bidi \u202e inside' }, 'title'],
        [{ kind: 'article', title: 'T', authors: 'Xiao Lin' }, 'authors'],
        [{ kind: 'article', title: 'T', authors: [{ name: 'A' }, {}] }, 'authors.1.name'],
        [{ kind: 'article', title: 'T', authors: [{ name: 'A', age: 3 }] }, 'authors.0.age'],
        [{ kind: 'article', title: 'T', url: 'javascript:alert(1)' }, 'url'],
        [{ kind: 'article', title: 'T', identifiers: [{ scheme: 'doi', value: 'x' }] },
            'identifiers.0.value'],
    ];
    const before = value('select count(*)::int from publication');
    for (const [document, field] of cases) {
        const answer = await post(works, document);
        assert.equal(answer.status, 422, `${JSON.stringify(document)} ${answer.text}`);
        assert.equal(answer.headers['content-type'], 'application/problem+json');
        assert.ok(answer.json.errors.some((e) => e.field === field && e.code),
            `${field}: ${answer.text}`);
        assert.equal(answer.json.title, 'Unprocessable Content');
        assert.ok(answer.json.request_id);
    }
    const unknown = await post(works, { kind: 'article', title: 'T',
        authors: [{ name: 'A', person: 'nobody-here' }] });
    assert.equal(unknown.status, 422, unknown.text);
    assert.equal(unknown.json.errors[0].field, 'authors.0.person');
    const taken = await post(works, { kind: 'article', title: 'Another with that DOI',
        identifiers: [{ scheme: 'doi', value: '10.5555/FERRY' }] });
    assert.equal(taken.status, 422, taken.text);
    assert.equal(taken.json.errors[0].field, 'identifiers.0.value');
    assert.equal(value('select count(*)::int from publication'), before);
});

test('bodies that are no JSON document are refused', async () => {
    const cases = [
        ['', 400], ['{', 400], ['[]', 422], ['"x"', 400], ['null', 400],
        ['{"kind":"article","kind":"book","title":"T"}', 400],
        ['{"kind":"article","title":"T"}x', 400],
        ['{"kind":"article","title":"\xff"}', 400],
        ['{"kind":"article","title":"nul \\u0000 inside"}', 400],
        ['{"kind":"article","title":"nul \0 inside"}', 400],
        ['{"kind":"article","title":"half a pair \\ud800"}', 400],
        [`${'['.repeat(5000)}${']'.repeat(5000)}`, 400],
        ['{"kind":"article","title":"T","year":1e999}', 400],
    ];
    for (const [body, expected] of cases) {
        const bytes = Buffer.from(body, 'latin1');
        const answer = await post(works, undefined, { body: bytes });
        assert.ok([400, 422].includes(answer.status) &&
            (expected === 422 || answer.status === expected),
        `${body.slice(0, 40)}: ${answer.status} ${answer.text}`);
        assert.equal(answer.headers['content-type'], 'application/problem+json', body.slice(0, 40));
    }
    const large = await post(works, { kind: 'article', title: 'T', abstract: 'x'.repeat(1 << 21) });
    assert.equal(large.status, 413);
});

test('media types other than JSON are refused', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x', 'application/xml']) {
        const answer = await post(works, { kind: 'article', title: 'T' },
            { headers: { 'Content-Type': type } });
        assert.equal(answer.status, 415, `${type} ${answer.text}`);
        assert.equal(answer.headers['content-type'], 'application/problem+json');
    }
    const fine = await post(works, { kind: 'article', title: 'With a charset' },
        { headers: { 'Content-Type': 'application/json; charset=utf-8' } });
    assert.equal(fine.status, 201, fine.text);
});

test('nobody writes without a token that lives, and a cookie is none', async () => {
    const { labd } = server;
    const link = new URL(/https?:\S+/.exec((await labd('admin', 'link', 'a@lab.example')).stdout)[0]);
    assert.ok(link.pathname);
    const document = { kind: 'article', title: 'By nobody' };
    const attempts = [{}, { Authorization: 'Bearer' }, { Authorization: 'Bearer ' },
        { Authorization: `Basic ${Buffer.from('a:b').toString('base64')}` },
        { Authorization: `Bearer ${'A'.repeat(43)}` }, { Authorization: `Bearer ${token}x` },
        { Authorization: `Bearer ${token.toLowerCase().slice(0, 42)}` },
        { Cookie: `labd=${token}; __Host-labd=${token}` }];
    for (const headers of attempts) {
        const answer = await post(works, document, { token: undefined, headers });
        assert.equal(answer.status, 401, JSON.stringify(headers));
        assert.match(answer.headers['www-authenticate'], /^Bearer realm=/);
        assert.equal(answer.headers['content-type'], 'application/problem+json');
    }
    for (const [kill, revive] of [['revoked_at = now()', 'revoked_at = null'],
        ["expires_at = now() - interval '1 second'", 'expires_at = null']]) {
        server.database.run(`update api_token set ${kill}`);
        assert.equal((await post(works, document)).status, 401, kill);
        server.database.run(`update api_token set ${revive}`);
    }
    server.database.run('update account set disabled_at = now()');
    assert.equal((await post(works, document)).status, 401);
    server.database.run('update account set disabled_at = null');
    assert.equal(value("select count(*)::int from publication where title = 'By nobody'"), 0);
});

test('reading with a token or a cookie shows what everybody sees', async () => {
    const plain = await get(`${people}/ada-berg`);
    for (const headers of [{ Authorization: `Bearer ${token}` },
        { Authorization: 'Bearer nonsense' }, { Cookie: `labd=${token}` }]) {
        const answer = await get(`${people}/ada-berg`, { headers });
        assert.equal(answer.status, 200);
        assert.equal(answer.text, plain.text);
    }
});

test('the schema of a form, in both languages; other forms have none', async () => {
    for (const [form, required] of [['person', undefined], ['publication', ['kind', 'title']]]) {
        const answer = await get(`/api/v1/schema/${form}`);
        assert.equal(answer.status, 200);
        assert.equal(answer.headers['content-type'], 'application/schema+json');
        const schema = answer.json;
        assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
        assert.equal(schema.additionalProperties, false);
        assert.deepEqual(schema.required, required);
        const chinese = (await get(`/api/v1/schema/${form}?lang=zh`)).json;
        assert.match(chinese.title, /\p{Script=Han}/u);
        assert.deepEqual(Object.keys(chinese.properties), Object.keys(schema.properties));
    }
    for (const form of ['sign_in', 'password', 'member', 'nothing'])
        assert.equal((await get(`/api/v1/schema/${form}`)).status, 404, form);
});

test('paths and methods that are not there answer as problems', async () => {
    const missing = await get('/api/v1/nothing');
    assert.equal(missing.status, 404);
    assert.equal(missing.headers['content-type'], 'application/problem+json');
    assert.equal(missing.json.status, 404);
    for (const [method, path] of [['DELETE', `${people}/ada-berg`], ['PUT', works],
        ['POST', `${people}/ada-berg`], ['PATCH', works]]) {
        const answer = await call(server, method, path, { token, document: {}, ifMatch: '*' });
        assert.ok([405, 501].includes(answer.status), `${method} ${path} ${answer.status}`);
        if (answer.status === 405) assert.match(answer.headers.allow, /GET/);
    }
});

test('every write left its change, revision and event', async () => {
    assert.deepEqual(rows(`select entity, slug, version, revisions, events from (
            select 'person' as entity, id, slug, version from person
            union all select 'publication', id, slug, version from publication) t
        join lateral (select count(*)::int as revisions from revision r
            where r.entity = t.entity and r.target_id = t.id) r on true
        join lateral (select count(*)::int as events from event e where e.entity = t.entity
            and e.target_id = t.id and action = 'change.approved') e on true
        where revisions <> version or events <> version`), []);
});
