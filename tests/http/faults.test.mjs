// The server killed, the database restarted, the service stopped, each while clients write
// and read: no acknowledged write is lost, none is half there, and nobody waits for ever.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { call, grantToken } from '../support/api.mjs';
import { createDatabase, databaseAt, labd, root, startServer } from '../support/server.mjs';

const works = '/api/v1/publications';
const patience = 10_000; // ms; no answer may take longer, whatever is broken
const tries = 4000; // of what is waited for, 10 ms apart
const deeds = 500_000; // of one client: it gives up rather than going on for ever
const pause = () => new Promise((resolve) => { setTimeout(resolve, 10); });

// Clients that go on until they are told to stop. `server` may be replaced under them.
class Load {
    constructor(server, token) {
        this.server = server;
        this.token = token;
        this.agent = new http.Agent({ keepAlive: true });
        this.acknowledged = new Map(); // title of a work: its slug
        this.unknown = new Set(); // titles of works whose answer never came
        this.counter = 0; // the last acknowledged value
        this.sent = 0; // the last value sent
        this.answers = {}; // status: how many
        this.faults = [];
        this.stopped = false;
        this.clients = [];
    }

    async ask(method, path, options) {
        const start = performance.now();
        let answer;
        try {
            answer = await call(this.server, method, path, { agent: this.agent, ...options });
        } catch (error) {
            if (error.cut) this.faults.push(`cut reply: ${method} ${path}`);
            return undefined;
        } finally {
            const took = performance.now() - start;
            if (took > patience) this.faults.push(`${method} ${path} took ${took} ms`);
        }
        this.answers[answer.status] = (this.answers[answer.status] ?? 0) + 1;
        if (answer.status >= 500 && answer.status !== 503)
            this.faults.push(`${answer.status}: ${method} ${path} ${answer.text}`);
        if (answer.status === 503 && !(Number(answer.headers['retry-after']) > 0))
            this.faults.push(`503 without Retry-After: ${method} ${path}`);
        return answer;
    }

    async repeat(deed) {
        for (let i = 0; !this.stopped && i < deeds; i++) await deed(i);
        if (!this.stopped) this.faults.push('a client came to its end before the test');
    }

    // Adds works, each under its own title.
    writer(name) {
        return this.repeat(async (i) => {
            const title = `Work ${name} ${i}`;
            this.unknown.add(title);
            const answer = await this.ask('POST', works, { token: this.token,
                document: { kind: 'article', title, year: 2026,
                    authors: [{ name: 'Ada Berg' }, { name: 'Bo Ouyang' }],
                    identifiers: [{ scheme: 'doi', value: `10.5555/${name}.${i}` }] } });
            if (answer?.status === 201) {
                this.unknown.delete(title);
                this.acknowledged.set(title, answer.json.slug);
            } else {
                await pause();
            }
        });
    }

    // Counts in one work's note.
    updater(path) {
        return this.repeat(async () => {
            const value = ++this.sent;
            const answer = await this.ask('PATCH', path, { token: this.token, ifMatch: '*',
                document: { note: String(value) } });
            if (answer?.status === 200) this.counter = value;
            else await pause();
        });
    }

    reader(path) {
        return this.repeat(async () => {
            const answer = await this.ask('GET', path);
            if (answer?.status !== 200) await pause();
        });
    }

    start(counterPath) {
        this.clients = [this.writer('a'), this.writer('b'), this.updater(counterPath),
            this.reader('/en/publications'), this.reader(`${works}?limit=20`)];
    }

    async until(condition) {
        for (let i = 0; !condition(); i++) {
            assert.ok(i < tries, `waited in vain: ${condition} ${JSON.stringify(this.answers)}`);
            await pause();
        }
    }

    async more(count) {
        const goal = this.acknowledged.size + count;
        const value = this.counter;
        await this.until(() => this.acknowledged.size >= goal && this.counter > value);
    }

    async stop() {
        this.stopped = true;
        await Promise.all(this.clients);
        this.agent.destroy();
        assert.deepEqual(this.faults, []);
    }
}

async function makeCounter(server, token) {
    const made = await call(server, 'POST', works, { token,
        document: { kind: 'software', title: 'The counter', note: '0' } });
    assert.equal(made.status, 201, made.text);
    return made.headers.location;
}

// What the database holds against what was acknowledged.
function expectNothingLost(database, load) {
    const rows = database.query(`select w.title, w.slug, w.version, w.note,
            (select count(*)::int from authorship a where a.publication_id = w.id) as authors,
            (select count(*)::int from publication_identifier i
                where i.publication_id = w.id) as identifiers,
            (select count(*)::int from revision r where r.entity = 'publication'
                and r.target_id = w.id) as revisions,
            (select count(*)::int from change c where c.entity = 'publication'
                and c.target_id = w.id and c.state = 'approved') as changes,
            (select count(*)::int from event e where e.entity = 'publication'
                and e.target_id = w.id and e.action = 'change.approved') as events
        from publication w`);
    const found = new Map(rows.map((row) => [row.title, row]));
    assert.equal(found.size, rows.length, 'a work is there twice');
    for (const [title, slug] of load.acknowledged)
        assert.equal(found.get(title)?.slug, slug, `${title} was acknowledged and is lost`);
    for (const row of rows) {
        assert.equal(row.revisions, row.version, row.title);
        assert.equal(row.changes, row.version, row.title);
        assert.equal(row.events, row.version, row.title);
        if (row.title === 'The counter') {
            assert.ok(Number(row.note) >= load.counter && Number(row.note) <= load.sent,
                `the counter is ${row.note}, ${load.counter} was acknowledged`);
            continue;
        }
        assert.ok(load.acknowledged.has(row.title) || load.unknown.has(row.title), row.title);
        assert.deepEqual([row.authors, row.identifiers], [2, 1], `${row.title} is half there`);
    }
    const orphans = database.value(`select (select count(*) from revision r where entity =
            'publication' and target_id not in (select id from publication))
        + (select count(*) from change where state <> 'approved')`);
    assert.equal(Number(orphans), 0);
    return found;
}

test('the server is killed while it writes, and started again', async () => {
    const database = createDatabase();
    try {
        let server = await startServer({ database });
        const token = grantToken(database, 'approver');
        const load = new Load(server, token);
        const counter = await makeCounter(server, token);
        load.start(counter);
        for (let round = 0; round < 6; round++) {
            await load.more(8);
            await server.kill();
            server = await startServer({ database });
            load.server = server;
        }
        await load.more(8);
        await load.stop();
        expectNothingLost(database, load);
        assert.ok(load.acknowledged.size >= 7 * 8);
        await server.stop();
    } finally {
        database.drop();
    }
});

test('the service is stopped under load: every write that was made is acknowledged',
    async () => {
        const database = createDatabase();
        try {
            const server = await startServer({ database });
            const token = grantToken(database, 'approver');
            const load = new Load(server, token);
            load.start(await makeCounter(server, token));
            await load.more(10);
            await server.stop(); // expects that it ends well
            await load.stop();
            const found = expectNothingLost(database, load);
            const silent = [...load.unknown].filter((title) => found.has(title));
            assert.deepEqual(silent, [], 'written, but the reply was cut off');
            assert.equal(Number(found.get('The counter').note), load.counter);
        } finally {
            database.drop();
        }
    });

// A cluster of its own, as durable as a real one.
function startCluster() {
    const folder = mkdtempSync(join(tmpdir(), 'labd-cluster-'));
    execFileSync('chmod', ['755', folder]);
    const run = (command) => execFileSync(join(root, 'deploy/local-database'),
        [command, folder], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
    const conninfo = run('start');
    return {
        conninfo,
        start: () => run('start'),
        // Like a crash: every session ends at once, the next start recovers from the log.
        crash() {
            const place = join(folder, 'postgresql/data/postmaster.pid');
            const pid = Number(readFileSync(place, 'utf8').split('\n')[0]);
            process.kill(pid, 'SIGQUIT');
            return pid;
        },
        remove() {
            run('stop');
            rmSync(folder, { recursive: true, force: true });
        },
    };
}

const alive = (pid) => {
    try {
        return process.kill(pid, 0);
    } catch {
        return false;
    }
};

test('the database crashes and comes back under load', async () => {
    const cluster = startCluster();
    let server;
    try {
        const migrated = await labd({ LABD_DATABASE: cluster.conninfo }, 'migrate');
        assert.equal(migrated.status, 0, migrated.stderr);
        const database = databaseAt(cluster.conninfo);
        server = await startServer({ database });
        const token = grantToken(database, 'approver');
        const load = new Load(server, token);
        const counter = await makeCounter(server, token);
        const shown = async () => (await call(server, 'GET', '/en/')).text;
        load.start(counter);
        for (let round = 0; round < 2; round++) {
            await load.more(8);
            await shown();
            const busy = load.answers[503] ?? 0;
            const pid = cluster.crash();
            await load.until(() => !alive(pid) && (load.answers[503] ?? 0) > busy + 5);
            const ready = await call(server, 'GET', '/readyz');
            assert.equal(ready.status, 503);
            assert.equal((await call(server, 'GET', '/healthz')).status, 200);
            const page = await call(server, 'GET', '/zh/');
            assert.ok([200, 503].includes(page.status), `${page.status}`);

            cluster.start();
            // A write that the server can't have been told of: nothing old may be shown.
            const name = `Lab number ${round}`;
            database.run(`insert into lab (name_en, name_zh) values ('${name}', '室')
                on conflict (id) do update set name_en = excluded.name_en`);
            for (let i = 0; ; i++) {
                assert.ok(i < tries, 'the service does not come back');
                const home = await call(server, 'GET', '/en/');
                assert.ok([200, 503].includes(home.status), `${home.status}`);
                if (home.status === 503) {
                    await pause();
                    continue;
                }
                assert.ok(home.text.includes(name), 'an old page after the recovery');
                break;
            }
            await load.more(8); // on the same process, all by itself
            assert.equal((await call(server, 'GET', '/readyz')).status, 200);
            assert.ok((await shown()).includes(name));
        }
        await load.stop();
        assert.ok(load.answers[503] > 10);
        expectNothingLost(database, load);
        const running = server;
        server = undefined;
        await running.stop();
    } finally {
        await server?.kill();
        cluster.remove();
    }
});
