// A work looked up by its identifier fills in the form; whatever the other side does, what
// was typed stays and nothing is changed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startLookups } from '../support/lookup_server.mjs';
import { createDatabase, startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let lookups;
let database;
let server;
let ada;
const doi = '10.5555/tides.7';
const item = { type: 'article-journal', title: 'Tides of a <i>shared</i> cache', DOI: doi,
    'container-title': 'Journal of Tides', volume: '7', page: '1-9',
    issued: { 'date-parts': [[2024, 5, 2]] },
    author: [{ given: 'Xiao', family: 'Lin' }, { given: 'Ann', family: 'Doe' }] };

before(async () => {
    lookups = await startLookups();
    database = createDatabase();
    server = await startServer({ database, env: lookups.env });
    ada = await admin(server);
});
after(async () => {
    await server?.stop();
    database?.drop();
    await lookups?.stop();
});

const path = '/admin/publications/new';
const lookUp = async (identifier) => ada.submit(await ada.get(path), `${path}/look-up`,
    { identifier });
const value = (page, name) =>
    new RegExp(`name="${name}"[^>]*?value="([^"]*)"`).exec(page.text)?.[1];
const forget = () => database.run('delete from lookup; delete from lookup_host');

test('a DOI fills in the form, which is saved as any other', async () => {
    lookups.crossref(doi, { body: item, etag: '"7"' });
    const page = await lookUp(`  https://doi.org/${doi.toUpperCase()} `);
    assert.equal(page.status, 200, page.text);
    assert.match(page.text, /Found\. Please check/);
    assert.equal(value(page, 'title'), 'Tides of a shared cache');
    assert.equal(value(page, 'venue'), 'Journal of Tides');
    assert.equal(value(page, 'authors.1.name'), 'Ann Doe');
    assert.equal(value(page, 'identifiers.0.value'), doi);
    const [asked] = lookups.asked;
    assert.match(asked.headers['user-agent'], /^labd\//);
    assert.equal(asked.headers.accept, 'application/vnd.citationstyles.csl+json');
    assert.equal((await ada.submit(page, path)).status, 303);
    const again = await lookUp(doi);
    assert.match(again.text, /seems to be here already/);
    assert.equal(lookups.asked.length, 1, 'the answer was kept');
});

test('an answer that is a week old is asked for with its entity tag', async () => {
    database.run("update lookup set checked_at = now() - interval '8 days'");
    assert.equal((await lookUp(doi)).status, 200);
    assert.equal(lookups.asked.at(-1).headers['if-none-match'], '"7"');
    database.run("update lookup set checked_at = now() - interval '8 days'");
    lookups.crossref(doi, { hang: false, status: 500 });
    assert.equal((await lookUp(doi)).status, 200, 'what was known is better than nothing');
});

test('DataCite knows what Crossref does not; arXiv and PubMed numbers are found', async () => {
    forget();
    lookups.datacite('10.5555/data.1', { body: { ...item, type: 'dataset', title: 'Traces',
        DOI: '10.5555/data.1' } });
    assert.equal(value(await lookUp('10.5555/data.1'), 'title'), 'Traces');
    lookups.datacite('10.48550/arXiv.2301.00001', { body: { type: 'article', title: 'A preprint',
        DOI: '10.48550/arXiv.2301.00001' } });
    const preprint = await lookUp('arXiv:2301.00001v3');
    assert.equal(value(preprint, 'title'), 'A preprint');
    assert.match(preprint.text, /value="2301\.00001"/);
    lookups.pubmed({ body: { type: 'article-journal', title: 'Of medicine', PMID: '123' } });
    assert.equal(value(await lookUp('PMID: 123'), 'title'), 'Of medicine');
    assert.match(lookups.asked.at(-1).path, /[?&]id=123$/);
});

test('what the other side does wrong is told, and what was typed stays', async () => {
    const cases = [
        [{ status: 500 }, 502, /trouble of its own/],
        [{ status: 301, headers: { Location: 'http://127.0.0.1:1/' } }, 502, /trouble of its own/],
        [{ body: 'no json {' }, 502, /can’t be read/],
        [{ body: '[]' }, 502, /can’t be read/],
        [{ body: { type: 'book' } }, 502, /can’t be read/],
        [{ body: Buffer.alloc(1024 * 1024 + 1, 0x20) }, 502, /too long/],
        [{ body: JSON.stringify(item).slice(0, 100) }, 502, /can’t be read/],
        [{ hang: true }, 502, /took too long/],
        [{ status: 404 }, 422, /Nobody knows/],
        [{ status: 429, headers: { 'Retry-After': '40' } }, 503, /wait a little/],
    ];
    for (const [answer, status, words] of cases) {
        forget();
        lookups.crossref(doi, answer);
        const page = await lookUp(doi);
        assert.equal(page.status, status, JSON.stringify(answer).slice(0, 80));
        assert.match(page.text, words);
        assert.equal(value(page, 'identifier'), doi);
    }
    const before = lookups.asked.length;
    assert.equal((await lookUp(doi)).status, 503, 'the host asked for a pause');
    assert.equal(lookups.asked.length, before);
});

test('what is no identifier is asked of nobody', async () => {
    forget();
    const before = lookups.asked.length;
    for (const typed of ['', 'Tides', '10.1/../../etc', 'http://127.0.0.1:22/', 'x'.repeat(600),
        '0000-0002-1825-0097'])
        assert.equal((await lookUp(typed)).status, 422, typed.slice(0, 40));
    assert.equal(lookups.asked.length, before);
    const strange = await lookUp('10.5555/a?b#c/../d%2e');
    assert.equal(strange.status, 422);
    assert.ok(!lookups.asked.slice(before).some((one) => /\/\.\.\/|[?#]/.test(one.path.split('/transform')[0])));
});

test('a source that is gone, or none', async () => {
    const elsewhere = await startServer({ database, env: { ...lookups.env,
        LABD_LOOKUP_CROSSREF: 'http://127.0.0.1:1', LABD_LOOKUP_DATACITE: '' } });
    try {
        forget();
        const other = await admin(elsewhere);
        const page = await other.submit(await other.get(path), `${path}/look-up`,
            { identifier: doi });
        assert.equal(page.status, 502);
        assert.match(page.text, /turned off here|doesn’t answer/);
    } finally {
        await elsewhere.stop();
    }
    const member = new Visitor(server);
    assert.notEqual((await member.request('POST', `${path}/look-up`,
        { body: 'identifier=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }))
        .status, 200);
});
