// A server of its own for a JavaScript test: a fresh copy of the migrated database, the
// program with sanitizers on a free port, and what a test wants to ask of both.
// tests/run makes the cluster and says in LABD_DATABASE and LABD_TEST_TEMPLATE where.

import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const program = process.env.LABD_PROGRAM ?? join(root, 'build/asan/labd');
const patience = 30_000; // ms, for what takes milliseconds unless it hangs

let databases = 0;

function psql(conninfo, command) {
    return execFileSync(
        'psql',
        [conninfo, '-qAtX', '-v', 'ON_ERROR_STOP=1', '-c', command],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    );
}

// A database of the caller's own, migrated and without content.
export function createDatabase() {
    const { LABD_DATABASE: shared, LABD_TEST_TEMPLATE: template } = process.env;
    assert(shared && template, 'run the tests with tests/run: it starts their database');
    const name = `test_js_${process.pid}_${++databases}`;
    psql(shared, `create database ${name} template ${template}`);
    return databaseAt(`${shared} dbname=${name}`,
        () => psql(shared, `drop database if exists ${name} with (force)`));
}

// The database that a connection string names.
export function databaseAt(conninfo, drop = () => {}) {
    return {
        conninfo,
        // Rows of a query as objects.
        query: (sql) => JSON.parse(
            psql(conninfo, `select coalesce(json_agg(t), '[]') from (${sql}) t`)),
        // The only value of the only row.
        value(sql) {
            const rows = this.query(sql);
            assert.equal(rows.length, 1, sql);
            return Object.values(rows[0])[0];
        },
        run: (sql) => psql(conninfo, sql),
        drop,
    };
}

// Runs a command of the program, such as labd(env, 'admin', 'link', 'a@lab.example').
export const labd = (env, ...args) => run(program, env, ...args);

// The same of any build of it.
export function run(from, env, ...args) {
    return new Promise((resolve) => {
        execFile(from, args, { env: { ...process.env, LABD_HOME: root, ...env },
            maxBuffer: 64 << 20 }, (error, stdout, stderr) =>
            resolve({ status: error ? error.code ?? error.signal : 0, stdout, stderr }));
    });
}

async function listening(child, log) {
    let timer;
    const port = new Promise((resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`no answer:\n${log.join('\n')}`)),
            patience);
        child.once('exit', (code, signal) =>
            reject(new Error(`serve ended (${code ?? signal}):\n${log.join('\n')}`)));
        createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
        createInterface({ input: child.stdout }).on('line', (line) => {
            const found = /^http:.*:(\d+)\/$/.exec(line);
            if (found) resolve(Number(found[1]));
        });
    });
    return port.finally(() => clearTimeout(timer));
}

async function ended(child) {
    if (child.exitCode === null && child.signalCode === null) {
        const timer = setTimeout(() => child.kill('SIGABRT'), 2 * patience);
        await once(child, 'exit');
        clearTimeout(timer);
    }
    return child.signalCode ?? child.exitCode;
}

// Starts `labd serve`. `demo` loads the demo lab first; `env` adds to the environment
// ({LABD_WORKERS: '2'}); `database` is one of createDatabase() that outlives this server.
export async function startServer({ demo = false, env = {}, database, args = [] } = {}) {
    const own = database === undefined;
    database ??= createDatabase();
    // Away from a developer's labd.conf.
    const folder = mkdtempSync(join(tmpdir(), 'labd-serve-'));
    // Nothing leaves the machine.
    const settings = { LABD_DATABASE: database.conninfo, LABD_CHECK_LINKS: 'no',
        LABD_LOOKUP_CROSSREF: '', LABD_LOOKUP_DATACITE: '', LABD_LOOKUP_PUBMED: '',
        LABD_LOOKUP_ORCID: '', ...env };
    if (demo) {
        const { status, stderr } = await labd(settings, 'demo');
        assert.equal(status, 0, stderr);
    }
    const log = [];
    const child = spawn(program, ['serve', '--port=0', ...args], {
        cwd: folder,
        env: { ...process.env, LABD_HOME: root, ...settings },
        stdio: ['ignore', 'pipe', 'pipe'],
    });
    // A test that fails must not leave it behind.
    const reap = () => child.kill('SIGKILL');
    process.once('exit', reap);
    const release = () => {
        process.off('exit', reap);
        rmSync(folder, { recursive: true, force: true });
        if (own) database.drop();
    };
    let port;
    try {
        port = await listening(child, log);
    } catch (error) {
        child.kill('SIGKILL');
        release();
        throw error;
    }
    return {
        url: `http://127.0.0.1:${port}`,
        port,
        pid: child.pid,
        database,
        log, // the lines of its standard error so far
        labd: (...words) => labd(settings, ...words),
        // Ends it as a service manager would, and expects it to end well.
        async stop() {
            child.kill('SIGTERM');
            const status = await ended(child);
            release();
            assert.equal(status, 0, `serve ended with ${status}:\n${log.slice(-40).join('\n')}`);
        },
        // Ends it as a power cut would.
        async kill() {
            child.kill('SIGKILL');
            await ended(child);
            release();
        },
    };
}
