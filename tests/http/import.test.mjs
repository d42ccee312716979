// `labd import`, `export` and `check` from the command line: every entry of a file is
// accounted for, whatever its encoding and its faults.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createDatabase, labd, program, root, run } from '../support/server.mjs';

let database;
let folder;
let env;

before(() => {
    database = createDatabase();
    folder = mkdtempSync(join(tmpdir(), 'labd-import-'));
    env = { LABD_DATABASE: database.conninfo };
});
after(() => {
    database.drop();
    rmSync(folder, { recursive: true });
});

const count = (table) => database.value(`select count(*)::int from ${table}`);

function file(name, content) {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
}

function expectWhole(report) {
    const { entries, created, updated, unchanged, duplicate, refused } = report;
    assert.equal(entries, created + updated + unchanged + duplicate + refused,
        JSON.stringify(report));
    assert.ok(report.problems.length >= duplicate + refused);
    for (const problem of report.problems) {
        assert.equal(typeof problem.line, 'number');
        assert.equal(typeof problem.key, 'string');
        assert.ok(problem.reason, JSON.stringify(problem));
    }
}

async function imported(kind, path, ...flags) {
    const { status, stdout, stderr } = await labd(env, 'import', kind, path, '--json', ...flags);
    assert.equal(status, 0, stderr);
    const report = JSON.parse(stdout);
    expectWhole(report);
    return report;
}

const fates = ({ created, updated, unchanged, duplicate, refused }) =>
    [created, updated, unchanged, duplicate, refused];

// "姓名,邮箱,身份,入学时间" and two people, in GB18030, as Excel saves it in China.
const gb18030 = Buffer.concat([
    Buffer.from('d0d5c3fb2cd3cacfe42cc9edb7dd2cc8ebd1a7cab1bce40d0a', 'hex'),
    Buffer.from('d6dcc3f7', 'hex'), Buffer.from(',ming@lab.example,'),
    Buffer.from('b2a9cabfc9fa', 'hex'), Buffer.from(',2023-09\r\n'),
    Buffer.from('cee2b7bc', 'hex'), Buffer.from(',fang@lab.example,'),
    Buffer.from('cbb6cabfc9fa', 'hex'), Buffer.from(',2024-09\r\n')]);

test('a roster in any usual encoding and with any usual separator', async () => {
    const rosters = [
        ['bom.csv', '\ufeff姓名,英文名,邮箱,身份\n林晓,Xiao Lin,lin@lab.example,博士生\n', 'UTF-8', 1],
        ['gb.csv', gb18030, 'GB18030', 2],
        ['semicolon.csv', 'first name;last name;e-mail;role\nAda;Berg;ada@lab.example;Professor\n' +
            'Uli;"Groß; junior";uli@lab.example;Postdoc\n', 'UTF-8', 2],
        ['tab.tsv', 'name\temail\trole\tsince\nBo Ouyang\tbo@lab.example\tPhD\t2022-09-01\n',
            'UTF-8', 1],
        ['crlf.csv', 'name,email,role\r\n"Wei\r\nTang",wei@lab.example,Staff\r\n', 'UTF-8', 1],
    ];
    for (const [name, content, encoding, people] of rosters) {
        const path = file(name, content);
        const before = [count('person'), count('account'), count('change'), count('event')];
        const trial = await imported('people', path, '--dry-run');
        assert.equal(trial.dry_run, true);
        assert.deepEqual([count('person'), count('account'), count('change'), count('event')],
            before, 'a dry run writes nothing');
        const real = await imported('people', path);
        assert.match(real.encoding, new RegExp(`^${encoding}`), name);
        assert.deepEqual(fates(real), [people, 0, 0, 0, 0], name + JSON.stringify(real));
        assert.deepEqual({ ...real, dry_run: true }, trial, name);
        assert.equal(count('person'), before[0] + people);
        const again = await imported('people', path);
        assert.deepEqual(fates(again), [0, 0, people, 0, 0], name + JSON.stringify(again));
    }
    assert.deepEqual(database.query(`select p.name_han, a.role, a.starts::text, c.email
        from person p join appointment a on a.person_id = p.id
        join account c on c.person_id = p.id where c.email like 'ming%'`),
    [{ name_han: '周明', role: 'phd', starts: '2023-09-01', email: 'ming@lab.example' }]);
});

test('rows that can’t be taken are named with line and reason', async () => {
    const report = await imported('people', file('faults.csv',
        'name,email,role\nEve One,eve@lab.example,PhD\nEve One,EVE@lab.example,PhD\n' +
        'No Address,not-an-address,PhD\n,only@lab.example,\n\nKai Two,kai@lab.example,Wizard\n'));
    assert.equal(report.entries, report.problems.length + report.created);
    const lines = report.problems.map((p) => p.line);
    assert.ok([3, 4, 5].every((line) => lines.includes(line)), JSON.stringify(report));
    assert.equal(report.duplicate, 1);
});

test('an unclosed entry costs itself alone, with line and reason', async () => {
    const path = file('faults.bib', '\ufeff@string{v = "Venue"}\n' +
        '@article{one, title = {First {\\"o}ne}, journal = v, author = {Lin, Xiao and Wei T{\\"a}ng}, year = 2020}\n' +
        '@article{open, title = {Never closed, year = 2021\n\n' +
        '@article{two, title = "Second", year = 2022}\n' +
        '@article{again, title = "Second", year = 2022}\n' +
        '@book(three, title = {In parentheses}, publisher = "P" # " and Q")\n' +
        '@misc{untitled, year = 2020}\n');
    const trial = await imported('publications', path, '--dry-run');
    assert.equal(count('publication'), 0);
    const report = await imported('publications', path);
    assert.deepEqual({ ...report, dry_run: true }, trial);
    assert.equal(report.entries, 6);
    assert.equal(report.created, 3, JSON.stringify(report));
    assert.equal(report.duplicate, 1);
    assert.equal(report.refused, 2);
    const open = report.problems.find((p) => p.key === 'open');
    assert.equal(open.line, 3);
    assert.ok(report.problems.some((p) => p.key === 'untitled' && p.line === 8));
    assert.deepEqual(database.query(`select title, publisher from publication
        order by year nulls last`), [{ title: 'First öne', publisher: null },
        { title: 'Second', publisher: null },
        { title: 'In parentheses', publisher: 'P and Q' }]);
    assert.equal(database.value('select venue from publication where year = 2020'), 'Venue');
    assert.deepEqual(fates(await imported('publications', path)), [0, 0, 4, 0, 2]);
});

test('a bibliography in GB18030 and with CR alone', async () => {
    const gb = Buffer.concat([Buffer.from('@article{cn, title = {'),
        Buffer.from('c4dab4e6b5f7b6c8d1d0bebf', 'hex'), Buffer.from('}, author = {'),
        Buffer.from('c1d6cffe', 'hex'), Buffer.from('}, year = 2024}\n')]);
    const report = await imported('publications', file('gb.bib', gb));
    assert.equal(report.encoding, 'GB18030');
    assert.equal(database.value('select title from publication where year = 2024'),
        '内存调度研究');
    const cr = await imported('publications', file('cr.bib',
        '@article{cr,\r title = {Old Mac},\r year = 1999\r}\r@broken{x,\r'));
    assert.equal(cr.created, 1);
    assert.equal(cr.problems[0].line, 5);
});

test('without --json the same accounting in words', async () => {
    const { status, stdout } = await labd(env, 'import', 'publications',
        file('words.bib', '@article{w, title = {In words}, year = 2001}\n@article{x, title = {'),
        '--dry-run');
    assert.equal(status, 0);
    assert.match(stdout, /2 entries \(UTF-8\): 1 created, 0 updated, 0 unchanged, 0 duplicate, 1 refused; nothing was written/);
    assert.match(stdout, /line 2, x: /);
});

test('statuses: 2 for wrong usage, 1 for what fails', async () => {
    const binary = file('binary.bib', Buffer.from(Array.from({ length: 4096 }, (_, i) => i * 7 % 256)));
    const cases = [
        [2, []], [2, ['nonsense']], [2, ['import']], [2, ['import', 'people']],
        [2, ['import', 'people', 'a', 'b']], [2, ['import', 'publications', 'a', '--nonsense']],
        [2, ['admin', 'link', 'no-address']], [2, ['serve', '--port=x']],
        [2, ['serve', '--json']], [2, ['export', 'somewhere']],
        [1, ['import', 'people', join(folder, 'nothing.csv')]],
        [1, ['import', 'publications', folder]],
        [1, ['import', 'people', file('empty.csv', '')]],
        [1, ['import', 'publications', binary]],
    ];
    for (const [expected, args] of cases) {
        const { status, stdout, stderr } = await labd(env, ...args);
        assert.equal(status, expected, `${args.join(' ')}\n${stdout}${stderr}`);
        assert.ok(stderr.length > 0, args.join(' '));
    }
    const away = { LABD_DATABASE: 'host=/nonexistent dbname=labd' };
    for (const args of [['check'], ['export'], ['migrate'], ['demo'],
        ['admin', 'link', 'a@lab.example'], ['import', 'people', file('one.csv', 'name\nA B\n')]]) {
        const { status, stderr } = await labd(away, ...args);
        assert.equal(status, 1, args.join(' '));
        assert.match(stderr, /^labd: /m);
    }
});

test('each command has its help', async () => {
    const usage = await labd(env, '--help');
    assert.equal(usage.status, 0);
    const commands = [...usage.stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2,}\S/gm)].map((m) => m[1]);
    assert.deepEqual(commands.sort(), ['admin link', 'bounce', 'check', 'convert', 'demo', 'export',
        'import people', 'import publications', 'migrate', 'serve']);
    for (const command of commands) {
        const { status, stdout, stderr } = await labd({ LABD_DATABASE: 'host=/nonexistent' },
            ...command.split(' '), '--help');
        assert.equal(status, 0, command);
        assert.match(stdout, new RegExp(`^usage: labd ${command}`));
        assert.equal(stderr, '');
    }
});

test('check names every option, its value and source, and hides secrets', async () => {
    const { status, stdout } = await labd({ LABD_DATABASE: `${database.conninfo} password=hush`,
        LABD_WORKERS: '3' }, 'check', '--port=4321');
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^workers\s+3\s+.*LABD_WORKERS/m);
    assert.match(stdout, /^port\s+4321\s+--port/m);
    assert.match(stdout, /the database answers; its schema is at version (\d+) of \1/);
    assert.doesNotMatch(stdout, /hush/);
});

test('export is one document with everything, which imports know again', async () => {
    const { status, stdout } = await labd(env, 'export');
    assert.equal(status, 0);
    const all = JSON.parse(stdout);
    assert.equal(all.people.length, count('person'));
    assert.equal(all.publications.length, count('publication'));
    assert.ok(all.people.some((p) => p.name_han === '周明' && p.email === 'ming@lab.example'));
    const bib = all.publications.map((p) => p.bibtex).filter(Boolean).join('\n\n');
    const again = await imported('publications', file('again.bib', bib));
    assert.equal(again.created, 0, JSON.stringify(again));
});

const corpus = join(process.env.LABD_CORPUS ?? join(root, '../shared/corpus'), 'bib');
test('the whole corpus: nothing is dropped, and a second time nothing is new',
    { skip: !existsSync(corpus) && 'the corpus is not there' }, async () => {
        // The entries that the best of four other parsers finds in each file.
        const oracle = new Map(readFileSync(join(corpus, '../ORACLE.tsv'), 'utf8').split('\n')
            .filter((line) => line.startsWith('bib/')).map((line) => {
                const [path, , , ...found] = line.split('\t');
                return [path.slice(4), Math.max(...found.slice(0, 4).map((n) => parseInt(n, 10) || 0))];
            }));
        // The program as it is used: millions of allocations take long under sanitizers.
        const release = join(root, 'build/labd');
        const from = existsSync(release) ? release : program;
        let entries = 0;
        let created = 0;
        const files = readdirSync(corpus).filter((name) => name.endsWith('.bib'));
        assert.ok(files.length > 0);
        for (const name of files) {
            const first = await corpusImport(join(corpus, name), from);
            assert.ok(first.entries >= (oracle.get(name) ?? 0),
                `${name}: ${first.entries} of ${oracle.get(name)}`);
            const second = await corpusImport(join(corpus, name), from);
            assert.equal(second.created, 0, `${name}: created at the second time`);
            assert.equal(second.entries, first.entries, name);
            assert.equal(second.refused, first.refused, name);
            entries += first.entries;
            created += first.created;
        }
        assert.ok(created > 0.5 * entries, `${created} of ${entries}`);
    });

async function corpusImport(path, from) {
    const { status, stdout, stderr } =
        await run(from, env, 'import', 'publications', path, '--json');
    assert.equal(status, 0, `${path} ${stderr}`);
    const report = JSON.parse(stdout);
    expectWhole(report);
    return report;
}
