// Files, pasted text and identifiers become works: each entry is shown first with what it is
// beside what the lab has, is chosen or skipped, and none is lost silently.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { startLookups } from '../support/lookup_server.mjs';
import { until } from '../support/mails.mjs';
import { createDatabase, startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let database;
let lookups;
let server;
let ada;
let lin;

async function member(values) {
    const added = await ada.submit(await ada.get('/admin/people/new'), '/admin/people/new',
        { role: 'phd', language: 'en', ...values });
    const person = new URL(added.location, server.url).pathname;
    const made = await ada.submit(await ada.get(person), `${person}/links`);
    const visitor = new Visitor(server);
    await visitor.open(/value="(http[^"]*\/sign-in\/link\/[^"]+)"/.exec(made.text)[1]);
    return visitor;
}

before(async () => {
    database = createDatabase();
    lookups = await startLookups();
    server = await startServer({ database, env: lookups.env });
    ada = await admin(server);
    lin = await member({ email: 'lin@lab.example', given_latin: 'Xiao', family_latin: 'Lin' });
});
after(async () => {
    await server?.stop();
    await lookups?.stop();
    database?.drop();
});

const file = (bytes, filename) => ({ bytes: Buffer.from(bytes), filename, type: 'text/plain' });

// Sends it and follows to the page that shows what was understood.
async function read(who, values) {
    const sent = await who.submit(await who.get('/my/imports'), '/my/imports', values);
    if (sent.status !== 303) return sent;
    const path = new URL(sent.location, server.url).pathname;
    return Object.assign(await who.get(path), { path });
}
const fates = (page) => [...page.text.matchAll(/<li id="entry-\d+">[^]*?<span class="tag[^"]*">([^<]*)</g)]
    .map(([, fate]) => fate);
const apply = (who, page, values = {}) => who.submit(page, page.path, { action: 'apply', ...values });
const works = () => database.value('select count(*) from publication');
const bib = (key, title, more = '') =>
    `@article{${key}, title={${title}}, author={Lin, Xiao and Doe, Ann}, journal={Tides}, year=2024${more}}\n`;

test('many files at once: an abbreviation of one, an entry of another, RIS, CSL-JSON, GB18030', async () => {
    const gb = execFileSync('iconv', ['-f', 'UTF-8', '-t', 'GB18030'],
        { input: '@article{mo, title={缓存一致性协议的验证}, author={莫言}, journal={软件学报}, year=2023}' });
    const boundary = 'x-labd';
    const page = await ada.get('/my/imports');
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)[1];
    const parts = [['csrf', csrf], ['redraws', 'yes'], ['text', '']];
    const files = [['a.bib', '@string{jt = {Journal of Tides}}'],
        ['b.bib', '@article{k1, title={Caches of the Sea}, author={Lin, Xiao}, journal=jt, year=2021}'],
        ['c.ris', 'TY  - JOUR\nTI  - Waves in RIS\nAU  - Doe, Ann\nPY  - 2020\nJO  - Tides\nER  - \n'],
        ['d.json', JSON.stringify([{ type: 'book', title: 'A book of CSL', author: [{ family: 'Lin', given: 'Xiao' }], issued: { 'date-parts': [[2019]] } }])],
        ['e.bib', gb], ['f.bib', '@article{broken, title={No end'], ['g.pdf', '%PDF-1.7 \x00\x01']];
    const body = Buffer.concat([...parts.map(([name, value]) => Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)),
    ...files.flatMap(([name, bytes]) => [Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n`), Buffer.from(bytes), Buffer.from('\r\n')]),
    Buffer.from(`--${boundary}--\r\n`)]);
    const sent = await ada.request('POST', '/my/imports', { body, headers: { Origin: server.url,
        'Content-Type': `multipart/form-data; boundary=${boundary}` } });
    assert.equal(sent.status, 303, sent.text);
    const path = new URL(sent.location, server.url).pathname;
    const shown = Object.assign(await ada.get(path), { path });
    assert.deepEqual(fates(shown), ['New', 'New', 'New', 'New', 'Refused']);
    assert.match(shown.text, /Journal of Tides/);
    assert.match(shown.text, /缓存一致性协议的验证/);
    assert.match(shown.text, /b\.bib, line 1/);
    assert.match(shown.text, /Line 1: It has no end/);
    assert.match(shown.text, /g\.pdf: This is no format that is known here/);
    const done = await apply(ada, shown);
    assert.equal(done.status, 303, done.text);
    assert.equal(works(), 4);
    const after = await ada.get(path);
    assert.match(after.text, /4 works added/);
    assert.equal((await ada.submit(after, path, { action: 'apply' })).status ?? 404, 303);
    assert.equal(works(), 4, 'nothing is imported twice');
});

test('the same again changes nothing; what says something else is an update', async () => {
    const text = bib('t1', 'Ferry of the tides', ', doi={10.5555/ferry.1}') + bib('t2', 'Second of its kind, about memory');
    await apply(ada, await read(ada, { text }));
    const before = works();
    const again = await read(ada, { text });
    assert.deepEqual(fates(again), ['Already here', 'Already here']);
    assert.doesNotMatch(again.text, /value="apply"/);
    const changed = await read(ada, { text: text.replace('journal={Tides}', 'journal={Journal of Tides}, pages={1--9}') });
    assert.deepEqual(fates(changed), ['Update', 'Already here']);
    assert.match(changed.text, /What would change[^]*<ins>1-9|1-9|1–9/);
    assert.equal((await apply(ada, changed)).status, 303);
    assert.equal(works(), before);
    assert.equal(database.value("select pages from publication where title = 'Ferry of the tides'").replace('–', '-'), '1-9');
});

test('a record that was edited here is not overwritten unasked', async () => {
    const slug = database.value("select slug from publication where title = 'Ferry of the tides'");
    const path = `/admin/publications/${slug}`;
    assert.equal((await ada.submit(await ada.get(path), path, { pages: '100-109' })).status, 303);
    const text = bib('t1', 'Ferry of the tides', ', doi={10.5555/ferry.1}, pages={1--9}, volume={3}');
    const page = await read(ada, { text });
    assert.deepEqual(fates(page), ['Differs']);
    await apply(ada, page);
    assert.equal(database.value(`select pages from publication where slug = '${slug}'`), '100-109');
    const number = /name="entry\.(\d+)"/.exec(page.text)[1];
    await apply(ada, page, { [`entry.${number}`]: 'update' });
    assert.equal(database.value(`select volume from publication where slug = '${slug}'`), '3');
});

test('a preprint and its published version are one work with both numbers', async () => {
    await apply(ada, await read(ada, { text: '@misc{p, title={Learning to Move Pages Before They Are Missed}, author={Lin, Xiao and Doe, Ann}, year=2023, eprint={2301.00077}, archiveprefix={arXiv}}' }));
    const before = works();
    const page = await read(ada, { text: '@inproceedings{q, title={Learning to Move Pages before They are Missed}, author={X. Lin and A. Doe}, booktitle={Proc. OSDI}, year=2024, doi={10.5555/osdi.77}}' });
    assert.deepEqual(fates(page), ['Update']);
    await apply(ada, page);
    assert.equal(works(), before);
    const [work] = database.query("select kind, year, (select string_agg(scheme, ',' order by scheme) from publication_identifier i where i.publication_id = p.id) as ids from publication p where title ilike 'learning to move%'");
    assert.deepEqual(work, { kind: 'conference', year: 2024, ids: 'arxiv,doi' });
});

test('repeated in one file, and perhaps a duplicate: the choice is asked', async () => {
    const page = await read(ada, { text: bib('r1', 'Repeated in a file of two') + bib('r2', 'Repeated in a File of Two') });
    assert.deepEqual(fates(page), ['New', 'Repeated']);
    const before = works();
    await apply(ada, page);
    assert.equal(works(), before + 1);
});

test('a member proposes; an admin approves; the import says what became of each', async () => {
    const before = works();
    const page = await read(lin, { text: bib('m1', 'Proposed by a member') });
    assert.deepEqual(fates(page), ['New']);
    await apply(lin, page);
    assert.equal(works(), before);
    assert.match((await lin.get(page.path)).text, /1 sent in for review/);
    assert.deepEqual(fates(await read(lin, { text: bib('m1', 'Proposed by a member') })), ['In review']);
    assert.match((await ada.get('/admin/changes')).text, /Proposed by a member/);
});

test('however many a member has sent in, the same text again sends nothing twice', async () => {
    // Unlike words: titles that differ by their number alone are parts of one work.
    const title = (i) => `${'bcdfghjklmnp'[i % 12]}anter ${'qrstvwxz'[i >> 4]}ull of ` +
        `${'abcdefghijklmnop'[i & 15]}oving ${'mnprst'[i % 6]}ides ${i}`;
    const text = Array.from({ length: 120 }, (unused, i) => bib(`s${i}`, title(i))).join('');
    const sent = () => database.value(
        "select count(*)::int from change where state = 'submitted' and target_id is null");
    await apply(lin, await read(lin, { text }));
    const once = sent();
    assert.ok(once > 100, `${once} sent in`);
    const again = await read(lin, { text });
    assert.doesNotMatch(again.text, />New</);
    await apply(lin, again);
    assert.equal(sent(), once);
});

test('an entry that the reader had to mend stands, and says what was wrong', async () => {
    const page = await read(ada, { text: `@article{mended, title={A Tide {Table}}, author={Lin, Xiao}
        journal=tidal, month=mai, year=2019, year=2020, crossref={nowhere}}\n` });
    assert.equal(page.status, 200, page.text);
    assert.deepEqual(fates(page), ['New']);
    assert.match(page.text, /An abbreviation is not defined: “mai”/);
    assert.match(page.text, /A field stands twice/);
    assert.match(page.text, /A comma is missing/);
    assert.match(page.text, /nowhere in these files: “nowhere”/);
});

test('a member is told which works name others alone; an admin’s are anybody’s', async () => {
    const text = `${bib('own', 'Written by oneself')}@article{theirs, title={Written by another},
        author={Qiao, Feng}, journal={Tides}, year=2021}\n`;
    const entries = (page) => page.text.split('<li id="entry-').slice(1)
        .map((entry) => /None of the authors has a name of yours/.test(entry));
    assert.deepEqual(entries(await read(lin, { text })), [false, true]);
    assert.deepEqual(entries(await read(ada, { text })), [false, false]);
});

test('nobody sees or applies what is not theirs', async () => {
    const page = await read(ada, { text: bib('n1', 'Of Ada alone') });
    for (const who of [lin, new Visitor(server)])
        assert.notEqual((await who.get(page.path)).status, 200);
    const mine = await read(lin, { text: bib('n2', 'Of Lin alone') });
    const csrf = /name="csrf" value="([^"]+)"/.exec(mine.text)[1];
    const tried = await lin.request('POST', page.path, { body: `csrf=${csrf}&action=apply`,
        headers: { Origin: server.url, 'Content-Type': 'application/x-www-form-urlencoded' } });
    assert.equal(tried.status, 404);
    assert.equal((await lin.submit(mine, `${mine.path}/discard`)).status, 303);
    assert.equal((await lin.get(mine.path)).status, 404);
});

test('identifiers are looked up by a job; what fails says why and can be tried again', async () => {
    const csl = (title, doi) => ({ body: { type: 'article-journal', title, DOI: doi,
        author: [{ family: 'Doe', given: 'Ann' }], issued: { 'date-parts': [[2022]] } } });
    lookups.crossref('10.5555/look.1', csl('Looked up the first', '10.5555/look.1'));
    lookups.orcid('0000-0002-1825-0097', { body: { group: [{ 'external-ids': { 'external-id': [
        { 'external-id-type': 'doi', 'external-id-value': '10.5555/look.2' }] }, 'work-summary': [{}] },
    { 'work-summary': [{ title: { title: { value: 'Only ORCID knows it' } }, type: 'journal-article',
        'publication-date': { year: { value: '2018' } } }] }] } });
    lookups.crossref('10.5555/look.2', csl('Looked up the second', '10.5555/look.2'));
    const page = await read(ada, { text: '10.5555/look.1\nhttps://doi.org/10.5555/nobody.knows\nhttps://orcid.org/0000-0002-1825-0097\n' });
    assert.deepEqual(fates(page), ['Being looked up', 'Being looked up', 'Being looked up']);
    await until(() => database.value(`select count(*) from import_entry where fate = 'waiting'`) === 0);
    const filled = Object.assign(await ada.get(page.path), { path: page.path });
    for (const title of ['Looked up the first', 'Looked up the second', 'Only ORCID knows it'])
        assert.match(filled.text, new RegExp(title));
    assert.match(filled.text, /Nobody knows this number/);
    lookups.datacite('10.5555/nobody.knows', csl('Known after all', '10.5555/nobody.knows'));
    database.run("delete from lookup where value = '10.5555/nobody.knows'");
    await ada.submit(filled, `${page.path}/retry`);
    await until(() => database.value(`select count(*) from import_entry where fate in ('waiting', 'failed')`) === 0);
    const again = Object.assign(await ada.get(page.path), { path: page.path });
    assert.deepEqual(new Set(fates(again)), new Set(['New']));
    const before = works();
    assert.equal((await apply(ada, again)).status, 303);
    assert.equal(works(), before + 4);
});

test('two thousand entries, page by page; too many, nothing, and any bytes', async () => {
    const text = Array.from({ length: 2000 }, (_, i) =>
        `@article{b${i}, title={Big import number ${i} of words ${(i * 7919).toString(36)}}, author={Writer${i}, W}, year=${1950 + i % 70}}\n`).join('');
    const page = await read(ada, { file: file(text, 'big.bib') });
    assert.match(page.text, /All <span class="count">2000</);
    assert.equal(fates(page).length, 50);
    const next = await ada.submit(page, page.path, { next: '50' });
    assert.equal(next.status, 303);
    assert.match((await ada.get(next.location.replace(server.url, ''))).text, /id="entry-51"/);
    const before = works();
    assert.equal((await apply(ada, page)).status, 303);
    assert.equal(works(), before + 2000);
    for (const [values, words] of [[{ text: '' }, /required|one of/i], [{ text: 'nothing at all' }, /Nothing in this could be read|Refused|no format/],
        [{ file: file('@article{a, title={x}}\n'.repeat(5001), 'many.bib') }, /more than 5,000/]]) {
        const refused = await read(ada, values);
        assert.ok([422, 200].includes(refused.status), String(refused.status));
        assert.match(refused.text, words);
    }
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 37 + (i >> 3)) & 255));
    assert.ok((await read(ada, { file: file(bytes, 'noise.bin') })).status < 500);
});
