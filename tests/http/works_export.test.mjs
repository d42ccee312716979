// Files of works: each format of the demo lab's works, with the filters of the list, a
// selection and one work; what of an original entry a visitor sees; the feed.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { labd, root, startServer } from '../support/server.mjs';

let server, folder;
const get = async (path) => {
    const answer = await fetch(server.url + path, { redirect: 'manual' });
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, type: answer.headers.get('content-type'),
        name: answer.headers.get('content-disposition'), text: bytes.toString('utf8'), bytes };
};
const count = (where = 'true') => server.database.query(
    `select count(*)::int as n from publication where merged_into is null and ${where}`)[0].n;
const entries = (text) => [...text.matchAll(/^@\w+\{/gm)].length;
const imported = (bibtex) => {
    const file = join(folder, 'works.bib');
    writeFileSync(file, bibtex);
    return labd({ LABD_DATABASE: server.database.conninfo },
        'import', 'publications', file);
};

before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'labd-export-'));
    server = await startServer({ demo: true });
});
after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
});

test('every format holds every work, under a name of its own', async () => {
    const all = count();
    const bib = await get('/publications.bib');
    assert.equal(bib.status, 200);
    assert.equal(entries(bib.text), all);
    assert.match(bib.type, /^text\/x-bibtex/);
    assert.match(bib.name, /filename="[a-z-]+-publications\.bib"/);
    const biblatex = await get('/publications.biblatex');
    assert.equal(entries(biblatex.text), all);
    assert.match(biblatex.text, /^ {2}date = \{\d{4}/m);
    const ris = await get('/publications.ris');
    assert.equal(ris.text.match(/^TY {2}- /gm).length, all);
    assert.equal(ris.text.match(/^ER {2}- \r$/gm).length, all);
    const csl = await get('/publications.csl.json');
    assert.match(csl.type, /vnd\.citationstyles\.csl\+json/);
    const items = JSON.parse(csl.text);
    assert.equal(items.length, all);
    assert.equal(new Set(items.map((item) => item.id)).size, all);
    const csv = await get('/publications.csv');
    assert.match(csv.type, /^text\/csv/);
    assert.equal(csv.text.codePointAt(0), 0xfeff);
    assert.equal(csv.text.match(/\/publications\/[^",\r]+\r\n/g).length, all);
    const xlsx = await get('/publications.xlsx');
    assert.equal(xlsx.bytes.subarray(0, 2).toString(), 'PK');
});

test('filters, a period and a selection narrow every file and are in its name', async () => {
    const year = await get('/publications.bib?year=2024');
    assert.equal(entries(year.text), count('year = 2024'));
    assert.match(year.name, /publications-2024\.bib"/);
    const period = await get('/publications.csl.json?from=2023&to=2024&kind=article');
    assert.equal(JSON.parse(period.text).length,
        count(`year between 2023 and 2024 and kind = 'article'`));
    assert.match(period.name, /publications-article-2023-2024\.csl\.json"/);
    const two = server.database.query('select slug from publication order by id limit 2');
    const chosen = await get('/publications.ris?ids=' + two.map(({ slug }) =>
        encodeURIComponent(slug)).join(','));
    assert.equal(chosen.text.match(/^TY {2}- /gm).length, 2);
    const nothing = await get('/publications.csl.json?q=nothinghasthisword');
    assert.deepEqual(JSON.parse(nothing.text), []);
});

test('one work comes in each format; one that is not there in none', async () => {
    const [{ slug }] = server.database.query('select slug from publication order by id limit 1');
    const base = `/publications/${encodeURIComponent(slug)}`;
    assert.equal(entries((await get(`${base}/bibtex`)).text), 1);
    assert.equal(entries((await get(`${base}/biblatex`)).text), 1);
    assert.match((await get(`${base}/ris`)).text, /^TY {2}- /);
    assert.equal(JSON.parse((await get(`${base}/csl.json`)).text).length, 1);
    for (const format of ['bibtex', 'biblatex', 'ris', 'csl.json'])
        assert.equal((await get(`/publications/no-such-work/${format}`)).status, 404);
});

test('visitors see an original entry while it stands and says nothing private', async () => {
    const shown = '@Article{Shown24,\n  AUTHOR = {Erd{\\H o}s, P.},\n'
        + '  title = "On {\\TeX} as it was typed",\n  journal = {J. Typing}, year = 2024\n}';
    const hidden = '@article{Hidden24,\n  author = {Lin, Xiao},\n'
        + '  title = {Of notes that are nobody\'s business},\n  year = 2024,\n'
        + '  annote = {reviewer two is wrong},\n  file = {/home/lin/x.pdf}\n}';
    assert.equal((await imported(`${shown}\n\n${hidden}\n`)).status, 0);
    const file = await get('/publications.bib?year=2024');
    assert(file.text.includes(shown), 'as it was');
    assert(!file.text.includes('reviewer two'));
    assert(!file.text.includes('/home/lin'));
    assert.match(file.text, /title = \{Of notes that are nobody's business\}/);
});

test('works with one key get keys of their own, the same in every file', async () => {
    const twin = (title) => `@misc{Twin, title = {${title}}, year = 2019, url = `
        + `{https://twin.example/${title}}}`;
    assert.equal((await imported(`${twin('Castor')}\n${twin('Pollux of another kind')}\n`)).status, 0);
    const keys = (text) => [...text.matchAll(/^@\w+\{(Twin[^,]*),/gm)].map(([, key]) => key);
    const all = keys((await get('/publications.bib')).text);
    assert.equal(new Set(all).size, 2);
    const [{ slug }] = server.database.query(
        `select slug from publication where title = 'Castor'`);
    const [alone] = keys((await get(`/publications.bib?ids=${slug}`)).text);
    assert(all.includes(alone));
    const [one] = keys((await get(`/publications/${slug}/bibtex`)).text);
    assert.equal(one, alone);
});

test('the feed is well-formed, has its 50 newest and is found by the list', async () => {
    const feed = await get('/publications.atom');
    assert.match(feed.type, /^application\/atom\+xml/);
    const file = join(folder, 'feed.xml');
    writeFileSync(file, feed.text);
    const told = JSON.parse(execFileSync('python3', [join(root, 'tests/support/read_atom.py'),
        file]));
    assert.equal(told.entries.length, Math.min(50, count()));
    assert.equal(new Set(told.entries.map(({ id }) => id)).size, told.entries.length);
    for (const { id, title, updated, link } of [told, ...told.entries]) {
        assert.match(id, /^http/);
        assert(title.length > 0);
        assert.match(updated, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
        assert.match(link, /^http/);
    }
    const { text } = await get('/en/publications');
    assert.match(text, /<link rel="alternate" type="application\/atom\+xml"[^>]*publications\.atom"/);
});

test('what is too much for one file is said, not cut', async () => {
    server.database.run(`insert into publication (slug, kind, title, title_folded, year,
        search, version) select 'many-' || n, 'other', 'Many ' || n, 'many ' || n, 1999,
        'many', 1 from generate_series(1, 5001) n`);
    const csl = await get('/publications.csl.json?year=1999');
    assert.equal(csl.status, 422);
    assert.match(csl.text, /5000|5,000/);
    assert.equal((await get('/publications.csv?year=1999')).status, 422);
    const bib = await get('/publications.bib?year=1999');
    assert.equal(entries(bib.text), 5000);
    assert.match(bib.text, /\n% [^\n]+\n$/);
});
