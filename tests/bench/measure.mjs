// The measures of `make bench`, one function each; tests/bench/README.md says what they
// are, tests/bench/run what they need.
//   node measure.mjs FOLDER      a scratch folder

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase, labd, root, startServer } from '../support/server.mjs';
import { collections } from './collections.mjs';
import { alone, bytes, compare, get, inTurns, median, nginx, output, pgbench, pgbenchScript,
    pin, runs, wrk } from './tools.mjs';

const scratch = process.argv[2];
const workers = 6; // and clients of pgbench
const here = import.meta.dirname;

const demo = createDatabase();
const loaded = await labd({ LABD_DATABASE: demo.conninfo }, 'demo');
assert.equal(loaded.status, 0, loaded.stderr);
const serve = (...args) =>
    startServer({ database: demo, args: [`--workers=${workers}`, ...args] });

// As a browser gets them, and as a simple client does: [path, Accept-Encoding].
const cached = [['/en/', 'br'], ['/en/publications', 'br'], ['/en/', 'identity'],
    ['/en/publications', 'identity']];

async function cachedPages() {
    const server = await serve('--threads=1'); // as nginx has one worker
    const pages = [];
    for (const [path, coding] of cached) pages.push(await bytes(server.url + path, coding));
    const folder = join(scratch, 'nginx');
    mkdirSync(folder);
    const peer = await nginx(folder, pages);
    await pin([server.pid, ...peer.workers]);
    const measures = [];
    for (const [i, [path, coding]] of cached.entries()) {
        const spent = [[], []];
        const size = (pages[i].body.length / 1000).toFixed(1);
        measures.push({
            name: `cached page ${path}, ${coding}, ${size} kB, against nginx`,
            unit: 'requests/s', bar: 1.3,
            ...await inTurns(
                () => wrk(server.url + path, { coding, pids: [server.pid], spent: spent[0] }),
                () => wrk(peer.urls[i], { coding, pids: peer.workers, spent: spent[1] })),
        });
        const each = spent[0].length / runs;
        const mean = (times, run) =>
            times.slice(run * each, (run + 1) * each).reduce((a, b) => a + b) / each;
        measures.push({
            name: '  processor time for it', unit: 'us/request',
            ...compare(Array.from({ length: runs }, (_, run) =>
                spent.map((times) => mean(times, run)))),
        });
    }
    await peer.stop();
    await server.stop();
    return measures;
}

async function listPage() {
    const server = await serve('--cache-bytes=0');
    const [after] = demo.query(
        `select id from public_publication order by listed desc, title_start desc, id desc
            offset 20 limit 1`);
    const page = `${server.url}/en/publications?after=${after.id}`;
    assert.equal((await (await get(page)).text()).match(/<li class="work"/g).length, 20);
    // As db/store/public.c gives them: all works, of all years, behind that one.
    const values = ['all', null, null, null, null, null, null, null, null, 0,
        '9223372036854775807', after.id, 51, 50];
    const script = join(scratch, 'list.sql');
    writeFileSync(script, pgbenchScript(join(root, 'db/store/public.sql'),
        'public_works_rows', values));
    const measure = {
        name: 'list page of 20, uncached, against pgbench', unit: 'requests/s', bar: 0.5,
        ...await inTurns(() => wrk(page),
            () => pgbench(demo.conninfo, script, values, workers)),
    };
    await server.stop();
    return [measure];
}

async function templateEngine() {
    const rest = ['index.html', join(here, 'page/document.json'), 1];
    const rendering = async (...command) => {
        const told = JSON.parse(await output(...command, join(here, 'page'), ...rest));
        return told.renders_per_s;
    };
    return [{
        name: 'template engine against mustache.js', unit: 'pages/s', bar: 5,
        ...await inTurns(() => rendering(join(root, 'build/bench/template')),
            () => rendering(process.execPath, join(here, 'mustache.mjs'))),
    }];
}

// A bibliography of invented works, no two the same.
function bibliography(count) {
    const list = ('adaptive certified causal robust sparse temporal neural retrieval '
        + 'planning systems grammars protocols graphs storage').split(' ');
    const entry = (i) => `@article{work${i},
  author = {Lin, Xiao and M{\\"u}ller, J{\\"o}rg and Ada B. Writer and 王芳},
  title = {On {${list[i % 14]}} ${list[(i >> 2) % 14]} and ${list[(i >> 4) % 14]}, part ${i}},
  journal = {Transactions on Everyday Systems}, volume = ${i % 40}, number = {${i % 12}},
  pages = {${i}--${i + 12}}, year = ${1990 + i % 36}, month = may,
  doi = {10.5555/bench.${i}}
}
`;
    return Array.from({ length: count }, (_, i) => entry(i)).join('\n');
}

async function bibtex() {
    const folder = join(process.env.LABD_CORPUS, 'bib');
    let from = 'the corpus';
    let files;
    try {
        files = readdirSync(folder).filter((name) => name.endsWith('.bib'))
            .map((name) => join(folder, name));
    } catch {
        from = 'invented entries';
        files = [join(scratch, 'large.bib')];
        writeFileSync(files[0], bibliography(20000));
    }
    const told = [];
    const program = join(root, 'build/bench/bibtex');
    const parsed = await alone(async () => {
        told.push(JSON.parse(await output(program, ...files)));
        return told.at(-1).parse_mb_s;
    });
    const documents = told.map((one) => one.document_mb_s);
    return [
        { name: `BibTeX parsed, ${from}`, unit: 'MB/s', bar: 100, ...parsed },
        { name: `BibTeX to documents, ${from}`, unit: 'MB/s', ours: median(documents),
            peer: null, ratio: null, runs: documents },
    ];
}

// Of one file, each library in its own process, and its parsing alone counted.
async function parsers() {
    const count = 4000, file = join(scratch, 'parsers.bib');
    writeFileSync(file, bibliography(count));
    const megabytes = statSync(file).size / 1e6;
    const python = (library) => output('/usr/bin/python3', join(here, 'parse.py'), library, file);
    const measures = [];
    for (const [name, parse] of [['pybtex', () => python('pybtex')],
        ['bibtexparser', () => python('bibtexparser')],
        ['@retorquere/bibtex-parser',
            () => output(process.execPath, join(here, 'parse.mjs'), file)]]) {
        const pairs = [];
        for (let run = 0; run < runs; run++) {
            const ours = JSON.parse(await output(join(root, 'build/bench/bibtex'), file));
            const { seconds, entries } = JSON.parse(await parse());
            assert.equal(entries, count, name);
            pairs.push([ours.parse_mb_s, megabytes / seconds]);
        }
        measures.push({ name: `BibTeX parsed, against ${name}`, unit: 'MB/s', bar: 50,
            ...compare(pairs) });
    }
    return measures;
}

function residentMegabytes(pid) {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)[1]) * 1024 / 1e6;
}

async function startAndMemory() {
    const slugs = ['person', 'publication'].map((table) =>
        demo.value(`select min(slug) from public_${table}`));
    const paths = ['', 'people', `people/${slugs[0]}`, 'publications',
        `publications/${slugs[1]}`].flatMap((path) => [`/en/${path}`, `/zh/${path}`]);
    const memory = [];
    const starts = await alone(async () => {
        const before = performance.now();
        const server = await serve();
        await (await get(`${server.url}/en/`)).text();
        const took = performance.now() - before;
        for (const path of paths) await (await get(server.url + path)).text();
        memory.push(residentMegabytes(server.pid));
        await server.stop();
        return took;
    });
    return [
        { name: 'idle memory, demo lab', unit: 'MB', most: 30, ours: median(memory),
            peer: null, ratio: null, runs: memory },
        { name: 'start to first page', unit: 'ms', most: 100, ...starts },
    ];
}

// Works with nothing in common, as matching would have it: words drawn by a fixed rule.
function strangers(count, seed) {
    let state = seed;
    const draw = (n) => {
        state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
        return (state >> 8) % n;
    };
    const heads = 'ba ce di fo gu ha ki lo mu ne pa re si to vu wa ze cho gra stri plo'.split(' ');
    const tails = 'rk ld mn st tor ling mory che ter nal work tion ment graph'.split(' ');
    const word = () => heads[draw(heads.length)] + heads[draw(heads.length)]
        + tails[draw(tails.length)];
    const words = (n) => Array.from({ length: n }, word).join(' ');
    const author = () => `${word()}, ${'Xiao Ann Bo Wei Jun Ada Uli'.split(' ')[draw(7)]}`;
    const entry = (i) => `@article{k${i},
  title = {${words(5 + draw(6))}},
  author = {${Array.from({ length: 1 + draw(6) }, author).join(' and ')}},
  journal = {Journal of ${word()}}, volume = {${1 + draw(90)}},
  pages = {${1 + draw(900)}--${901 + draw(99)}}, year = {${1980 + draw(46)}},
  doi = {10.5555/${seed}.${i}}
}
`;
    return Array.from({ length: count }, (_, i) => entry(i)).join('\n');
}

// Entries a second, and the most memory that labd had.
async function importInto(database, count, seed, peaks) {
    const file = join(scratch, `import-${seed}.bib`);
    writeFileSync(file, strangers(count, seed));
    const before = performance.now();
    const child = spawn(join(root, 'build/labd'), ['import', 'publications', file, '--json'],
        { env: { ...process.env, LABD_HOME: root, LABD_DATABASE: database.conninfo },
            stdio: ['ignore', 'pipe', 'inherit'] });
    let report = '', peak = 0;
    child.stdout.on('data', (text) => { report += text; });
    const look = setInterval(() => {
        try {
            const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
            peak = Math.max(peak, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024 / 1e6);
        } catch { /* it has ended */ }
    }, 10);
    await once(child, 'close');
    clearInterval(look);
    assert.equal(JSON.parse(report).created, count, report.slice(0, 2000));
    peaks.push(peak);
    return count / (performance.now() - before) * 1000;
}

async function importing() {
    const peaks = [];
    const rate = await alone(async () => {
        const database = createDatabase();
        const each = await importInto(database, 10_000, 7, peaks);
        database.drop();
        return each;
    });
    return [
        { name: 'import of 10,000 new works', unit: 'entries/s', bar: 5000, ...rate },
        { name: '  memory that it takes at its peak', unit: 'MB', most: 200,
            ours: median(peaks), peer: null, ratio: null, runs: peaks },
    ];
}

async function importingIntoMany() {
    const database = fill(1_000_000), peaks = [];
    await importInto(database, 1, 11, []); // the keys of those that came by SQL
    let seed = 12;
    const rate = await alone(() => importInto(database, 5000, ++seed, peaks));
    database.drop();
    return [
        { name: 'import of 5,000 into 1,000,000', unit: 'entries/s', bar: 2000, ...rate },
        { name: '  memory that it takes at its peak', unit: 'MB', most: 200,
            ours: median(peaks), peer: null, ratio: null, runs: peaks },
    ];
}

// So many works, written straight into the tables. However many there are, 10,000 are by
// the lab's thirty people and each has a word of its own; every fourth has "grammars".
function fill(count) {
    const database = createDatabase();
    database.run(`
        insert into person (slug, given_latin, family_latin)
            select 'person-' || i, 'Person', i from generate_series(1, 30) i;
        insert into publication (slug, kind, title, title_folded, venue, year, month, search)
            select 'work-' || i, (array['article', 'conference', 'report'])[1 + i % 3], title,
                title, 'Everyday Systems', 1960 + i % 66, 1 + i % 12,
                title || ' person everyday systems ' || 1960 + i % 66
            from generate_series(1, ${count}) i, lateral (select 'a work on '
                || (array['retrieval', 'planning', 'storage', 'grammars'])[1 + i % 4]
                || ' number n' || i || 'x' as title) t;
        insert into authorship (publication_id, position, name, folded, person_id)
            select p.id, n, 'Person ' || n, 'person ' || n || ' ' || p.id % 5000, case when n = 1
                and p.id <= 10000
                then (select min(id) from person) + p.id % 30 end
            from publication p, generate_series(1, 3) n`);
    database.run('vacuum analyze');
    return database;
}

async function manyWorks() {
    const servers = [];
    for (const count of [1_000_000, 10_000])
        servers.push(await startServer({ database: fill(count),
            args: [`--workers=${workers}`, '--cache-bytes=0'] }));
    const time = async (url) => 1000 / await wrk(url, { connections: 1 });
    const measures = [];
    for (const [name, path] of [['first page', '/en/publications'],
        ['search for a common word', '/en/publications?q=grammars'],
        ['search for a rare one', '/en/publications?q=n7777x'],
        ['of some years', '/en/publications?from=1990&to=2020'],
        ['of a person and kind', '/en/publications?person=person-7&kind=report']])
        measures.push({
            name: `list, ${name}: 1,000,000 works against 10,000`, unit: 'ms', most: 1.5,
            ...await inTurns(...servers.map(({ url }) => () => time(url + path))),
        });
    for (const server of servers) {
        await server.stop();
        server.database.drop();
    }
    return measures;
}

function passed({ bar, most, ratio, ours }) {
    const value = ratio ?? ours;
    if (bar !== undefined) return value >= bar;
    return most === undefined ? null : value <= most;
}

const short = (value) => value === null ? '' : value >= 1000
    ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

function print(measures) {
    const rows = measures.map((one) => [one.name, short(one.ours), short(one.peer), one.unit,
        one.ratio === null ? '' : `${one.ratio.toFixed(2)} x`,
        one.bar !== undefined ? `>= ${one.bar}` : one.most !== undefined
            ? `<= ${one.most}` : '',
        { true: 'passed', false: 'MISSED', null: '' }[one.passed]]);
    rows.unshift(['measure', 'ours', 'peer', 'unit', 'ratio', 'bar', '']);
    const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
    const left = new Set([0, 3, 6]);
    for (const row of rows)
        console.log(row.map((text, i) => left.has(i)
            ? text.padEnd(widths[i]) : text.padStart(widths[i])).join('  ').trimEnd());
}

const families = { cachedPages, listPage, templateEngine, bibtex, parsers, startAndMemory,
    importing, collections };
if (process.env.BENCH === 'all') Object.assign(families, { manyWorks, importingIntoMany });
const only = process.env.BENCH_ONLY ?? '';
const measures = [];
for (const [name, measure] of Object.entries(families)) {
    if (!name.toLowerCase().includes(only.toLowerCase())) continue;
    process.stderr.write(`measuring ${name} ...\n`);
    for (const one of await measure())
        measures.push({ ...one, passed: passed(one) });
}
demo.drop();
writeFileSync(join(root, 'build/bench.json'), JSON.stringify(measures, null, 1) + '\n');
print(measures);
const missed = measures.filter((one) => one.passed === false).length;
if (missed > 0) {
    console.log(`${missed} below the bar.`);
    if (process.env.BENCH_STRICT) process.exitCode = 1;
}
