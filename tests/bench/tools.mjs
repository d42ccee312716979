// What the measures are made with: runs in turns, medians, wrk, pgbench and nginx.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const seconds = Number(process.env.SECONDS_EACH ?? 3);
export const runs = 5;

export async function output(program, ...args) {
    const { stdout } = await execute(program, args, { maxBuffer: 64 << 20 });
    return stdout;
}

export const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

// Five pairs of runs, summed up as {ours, peer, ratio, runs}.
export function compare(pairs) {
    return {
        ours: median(pairs.map(([value]) => value)),
        peer: median(pairs.map(([, value]) => value)),
        ratio: median(pairs.map(([one, other]) => one / other)),
        runs: pairs,
    };
}

// Ours and the peer's in turns, a second each, so that what else the machine does strikes
// both; a run is the mean of `seconds` turns.
export async function inTurns(ours, peer) {
    const pairs = [];
    for (let run = 0; run < runs; run++) {
        const sums = [0, 0];
        for (let turn = 0; turn < seconds; turn++) {
            sums[0] += await ours();
            sums[1] += await peer();
        }
        pairs.push(sums.map((sum) => sum / seconds));
    }
    return compare(pairs);
}

export async function alone(ours) {
    const values = [];
    for (let run = 0; run < runs; run++) values.push(await ours());
    return { ours: median(values), peer: null, ratio: null, runs: values };
}

// Keeps a server on the first processor: wrk has the second to itself, so that what is
// measured is the server and not who of the two the scheduler favours.
export const pin = (pids) =>
    Promise.all(pids.map((pid) => output('taskset', '-acp', '0', pid)));

// Requests a second, for a second; every answer has to be a good one. `spent` gets the
// microseconds of processor time that a request took in the processes `pids`.
export async function wrk(url,
    { connections = 32, coding = 'identity', pids = [], spent } = {}) {
    const before = processorTime(pids);
    const told = await output('taskset', '-c', '1', 'wrk', '-t1', `-c${connections}`, '-d1s',
        '-H', `Accept-Encoding: ${coding}`, url);
    assert(!/Non-2xx|Socket errors/.test(told), told);
    spent?.push((processorTime(pids) - before) / Number(/(\d+) requests in/.exec(told)[1]));
    return Number(/Requests\/sec:\s+([\d.]+)/.exec(told)[1]);
}

// Of all their threads, in microseconds.
function processorTime(pids) {
    const tasks = pids.flatMap((pid) =>
        readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}/schedstat`));
    return tasks.reduce((sum, task) =>
        sum + Number(readFileSync(task, 'utf8').split(' ')[0]) / 1000, 0);
}

// A named block of db/store/*.sql as a pgbench script. pgbench can't pass SQL's null as a
// parameter: it is written into the text, all else goes as parameters.
export function pgbenchScript(file, name, values) {
    const block = new RegExp(`^-- name: ${name}\n((?:--.*\n)*)([^]*?)(?=^--|$(?![^]))`, 'm');
    const found = block.exec(readFileSync(file, 'utf8'));
    assert(found, `${file} has no block ${name}`);
    return found[2].trim().replace(/\$(\d+)/g, (whole, number) => {
        assert(Number(number) <= values.length, whole);
        return values[number - 1] === null ? 'null' : `:v${number}`;
    }) + '\n;\n';
}

// Transactions a second.
export async function pgbench(conninfo, script, values, clients) {
    const set = values.flatMap((value, i) =>
        value === null ? [] : ['-D', `v${i + 1}=${value}`]);
    const told = await output('pgbench', '-n', '-M', 'prepared', '-c', clients, '-j', 2,
        '-T', 1, ...set, '-f', script, conninfo);
    assert.match(told, /number of failed transactions: 0 /, told);
    return Number(/tps = ([\d.]+)/.exec(told)[1]);
}

async function freePort() {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    server.close();
    await once(server, 'close');
    return port;
}

const own = new Set(['connection', 'content-length', 'content-type', 'date', 'etag',
    'keep-alive', 'server']);

// nginx with these responses as files: the same bytes, and the same fields but those it
// sets itself. urls[i] is where it serves pages[i]; it ends with this process.
export async function nginx(folder, pages) {
    const port = await freePort();
    let locations = '';
    for (const [i, page] of pages.entries()) {
        writeFileSync(join(folder, `page${i}`), page.body);
        const fields = Object.entries(page.headers).filter(([name]) => !own.has(name))
            .map(([name, value]) => `add_header ${name} "${value}";`).join(' ');
        locations += `location = /page${i} { ${fields} }\n`;
    }
    chmodSync(folder, 0o755);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
    writeFileSync(join(folder, 'nginx.conf'), `
worker_processes 1; daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
    access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
    open_file_cache max=100; open_file_cache_valid 60s; ${temporary}
    default_type "text/html; charset=utf-8"; root ${folder};
    server { listen 127.0.0.1:${port}; ${locations} }
}
`);
    const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder],
        { stdio: ['ignore', 'inherit', 'inherit'] });
    const end = () => child.kill('SIGTERM');
    process.once('exit', end);
    const urls = pages.map((_, i) => `http://127.0.0.1:${port}/page${i}`);
    for (const [i, url] of urls.entries())
        assert(pages[i].body.equals((await answered(url)).body));
    return {
        urls,
        workers: readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
            .trim().split(' '),
        async stop() {
            process.off('exit', end);
            end();
            if (child.exitCode === null) await once(child, 'exit');
        },
    };
}

// Asks until somebody listens there, for three seconds at most.
async function answered(url) {
    for (let tries = 0; ; tries++)
        try {
            return await bytes(url);
        } catch (error) {
            if (tries === 60) throw error;
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
}

// A page: {headers, body}, the body as it is sent, in the coding asked for.
export async function bytes(url, coding = 'identity') {
    const [response] = await once(request(url, { agent: false,
        headers: { 'Accept-Encoding': coding } }).end(), 'response');
    assert.equal(response.statusCode, 200, url);
    const body = Buffer.concat(await response.toArray());
    return { headers: response.headers, body };
}

// The same, of which only the text counts.
export async function get(url) {
    const response = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } });
    assert.equal(response.status, 200, url);
    return response;
}
