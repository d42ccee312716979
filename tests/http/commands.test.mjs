// The command line: what each command answers and with which status, the options of the
// README, and what changes while a server in development runs.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createDatabase, labd, root, startServer } from '../support/server.mjs';

let database, settings, scratch;
before(() => {
    database = createDatabase();
    settings = { LABD_DATABASE: database.conninfo };
    scratch = mkdtempSync(join(tmpdir(), 'labd-commands-'));
});
after(() => {
    database.drop();
    rmSync(scratch, { recursive: true });
});

test('a wrong call ends with status 2 and says why on standard error', async () => {
    const calls = [
        [[], /^usage: labd COMMAND/],
        [['nonsense'], /no such command.*: nonsense/],
        [['import'], /usage: labd import people FILE\.csv[^]*import publications FILE\.bib/],
        [['admin', 'link'], /an argument is missing\nusage: labd admin link EMAIL/],
        [['admin', 'link', 'nobody'], /"nobody" is not an e-mail address/],
        [['export', 'more'], /one word too many: more/],
        [['convert'], /an argument is missing\nusage: labd convert FILE\.\.\./],
        [['convert', '/dev/null', '--to=word'], /no format word to convert to: json, bibtex/],
        [['check', '--nonsense=1'], /there is no option "nonsense"/],
        [['check', '--nonsense'], /there is no option --nonsense/],
        [['check', '--port=66000'], /port must be .* from 0 to 65535.*\(--port\)/],
        [['check', '--trust-proxy=perhaps'], /trust_proxy must be yes or no/],
        [['check', '--log=loud'], /log must be debug, info, warning or error, not loud/],
        [['export', '--dry-run'], /there is no option --dry-run/],
    ];
    for (const [words, reason] of calls) {
        const { status, stdout, stderr } = await labd(settings, ...words);
        assert.equal(status, 2, words.join(' '));
        assert.equal(stdout, '', words.join(' '));
        assert.match(stderr, reason, words.join(' '));
    }
});

test('files of any format are converted, macros and parents shared among them', async () => {
    const strings = join(scratch, 'strings.bib');
    const papers = join(scratch, 'papers.bib');
    const others = join(scratch, 'others.txt');
    writeFileSync(strings, '@string{lab = "Lab Notes"}\n@proceedings{p, title={Proc}, year=2024}');
    writeFileSync(papers, '@article{a, title={One}, journal=lab}\n' +
        '@inproceedings{b, title={Two}, crossref={p}}\n@article{c, title={Three}');
    writeFileSync(others, 'TY  - JOUR\nTI  - Four\nJO  - Lab Notes\nER  - \n10.1000/x\n');
    const { status, stdout } = await labd({}, 'convert', strings, papers, others);
    assert.equal(status, 0);
    const { entries, files } = JSON.parse(stdout);
    const seen = entries.map(({ document, refused }) =>
        [document?.title ?? null, document?.venue ?? null, document?.year ?? null, refused]);
    assert.deepEqual(seen.slice(0, 5), [
        ['Proc', null, 2024, null],
        ['One', 'Lab Notes', null, null],
        ['Two', 'Proc', 2024, null],
        [null, null, null, 'unclosed'],
        ['Four', 'Lab Notes', null, null],
    ]);
    assert.deepEqual(files.map(file => file.format), ['bibtex', 'bibtex', 'ris']);
    const bibtex = await labd({}, 'convert', papers, '--to=bibtex');
    assert.match(bibtex.stdout, /^@article\{a,[^]*@inproceedings\{b,/);
    assert.match(bibtex.stderr, /papers\.bib:3: c: left out: its end is missing/);
});

test('a failure ends with status 1 and says why on standard error', async () => {
    const nowhere = { LABD_DATABASE: `host=${scratch} dbname=labd` };
    const empty = { LABD_DATABASE: '', LABD_VAR: scratch };
    const calls = [
        [settings, ['import', 'people', join(scratch, 'none.csv')], /No such file/],
        [nowhere, ['check'], /the database does not answer/],
        [nowhere, ['export'], /the database does not answer/],
        [nowhere, ['migrate'], /labd: /],
        [empty, ['export'], /no database: set LABD_DATABASE, or `make run` once/],
        [{ ...settings, LABD_HOST: 'nowhere' }, ['serve'], /can't listen on nowhere/],
        [{ ...settings, LABD_HOME: scratch }, ['serve'], /no templates below/],
    ];
    for (const [env, words, reason] of calls) {
        const { status, stderr } = await labd(env, ...words);
        assert.equal(status, 1, words.join(' '));
        assert.match(stderr, reason, words.join(' '));
    }
});

test('a stopped private database is told with what starts it', async () => {
    writeFileSync(join(scratch, 'database'), `host=${scratch} dbname=labd\n`);
    const { status, stderr } =
        await labd({ LABD_DATABASE: '', LABD_VAR: scratch }, 'check');
    assert.equal(status, 1);
    assert.match(stderr, /`deploy\/local-database start .*` starts it alone/);
});

test('every command explains itself', async () => {
    const { status, stdout } = await labd(settings, '--help');
    assert.equal(status, 0);
    for (const command of ['serve', 'migrate', 'demo', 'admin link', 'import people',
        'import publications', 'export', 'check']) {
        assert.match(stdout, new RegExp(`^  ${command}  `, 'm'));
        const help = await labd(settings, ...command.split(' '), '--help');
        assert.equal(help.status, 0, command);
        assert.match(help.stdout, new RegExp(`^usage: labd ${command}`));
        assert.equal(help.stderr, '');
    }
});

test('the README lists every option with its default', async () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const table = /\| option \| default \|[^]*?\n\n/.exec(readme)[0];
    const listed = [...table.matchAll(/^\| `(\w+)` \|([^|]*)\|/gm)]
        .map(([, name, value]) => `${name}=${value.replaceAll('`', '').trim()}`);
    const { stdout } = await labd({ LABD_DATABASE: '', LABD_VAR: 'var',
        LABD_HOME: undefined }, '--help');
    const known = [...stdout.matchAll(/^ {2}--(\w+) +(.*)$/gm)].map(([, name, help]) =>
        `${name}=${/ \(([^()]*)\)$/.exec(help)?.[1] ?? (name === 'home'
            ? 'beside the program' : '')}`);
    assert.deepEqual(listed, known);
});

test('labd check tells the value and source of each option, and no secret', async () => {
    const { status, stdout } =
        await labd({ ...settings, LABD_QUEUE: '9' }, 'check', '--port=8123');
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^database +\(set\) +LABD_DATABASE$/m);
    assert.match(stdout, /^queue +9 +LABD_QUEUE$/m);
    assert.match(stdout, /^port +8123 +--port$/m);
    assert.match(stdout, /^workers +6 +default$/m);
    assert.match(stdout, /^the database answers; its schema is at version (\d+) of \1$/m);
    assert(!stdout.includes(database.conninfo));
});

test('in development a changed template and form are seen at the next page', async () => {
    const home = join(scratch, 'home');
    for (const folder of ['templates', 'static', 'migrations'])
        cpSync(join(root, folder), join(home, folder), { recursive: true });
    const server = await startServer({ env: { LABD_HOME: home, LABD_DEVELOPMENT: 'yes' } });
    const people = async () => (await fetch(`${server.url}/en/people`)).text();
    const file = join(home, 'templates/people/index.html');
    const template = readFileSync(file, 'utf8');
    // The files are looked at now and then; each request may be the one.
    const until = async (seen) => {
        const end = Date.now() + 30_000;
        let page;
        do page = await people(); while (!seen(page) && Date.now() < end);
        assert(seen(page), page);
    };
    try {
        await until((page) => page.includes('<h1'));
        writeFileSync(file, template.replace('<h1', '<p id="fresh">Fresh</p><h1'));
        await until((page) => page.includes('id="fresh"'));
        writeFileSync(file, `{{#open}}\n${template}`);
        await until((page) => !page.includes('id="fresh"'));
        assert(server.log.some((line) => /people\/index\.html:1:/.test(line)),
            server.log.join('\n'));
        writeFileSync(file, template);
        await until((page) => page.includes('<h1') && !page.includes('index.html'));
    } finally {
        await server.stop();
    }
});
