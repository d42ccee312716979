// Strangers with long bodies: what is under way at one time is bounded, and forms of a usual
// size are read all the same.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { Visitor } from '../support/visitor.mjs';

const mebibyte = 1024 * 1024;
let server;
before(async () => { server = await startServer(); });
after(() => server.stop());

const part = '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n';
const head = (length) => 'POST /admin/import HTTP/1.1\r\nHost: lab.example\r\n' +
    'Content-Type: multipart/form-data; boundary=b\r\n' +
    `Content-Length: ${length}\r\n\r\n${part}`;

// Sends all of an upload but its last bytes; resolves with the status when one comes.
function openUpload() {
    const socket = connect(server.port, '127.0.0.1');
    const status = once(socket, 'data').then(([bytes]) =>
        Number(/^HTTP\/1\.1 (\d+)/.exec(bytes)[1]));
    status.catch(() => {}); // of those that are closed without an answer
    socket.on('error', () => {});
    socket.write(head(16 * mebibyte));
    socket.write(Buffer.alloc(15 * mebibyte));
    return { socket, status };
}

async function upload() {
    const end = '\r\n--b--\r\n';
    const socket = connect(server.port, '127.0.0.1');
    const body = Buffer.alloc(mebibyte);
    socket.write(head(part.length + body.length + end.length));
    socket.write(body);
    socket.write(end);
    const [bytes] = await once(socket, 'data');
    socket.destroy();
    return Number(/^HTTP\/1\.1 (\d+)/.exec(bytes)[1]);
}

test('long bodies under way share a limit, usual ones are read', async (t) => {
    assert.equal(await upload(), 401);
    const uploads = Array.from({ length: 6 }, openUpload);
    t.after(() => uploads.forEach(({ socket }) => socket.destroy()));
    assert.equal(await Promise.race(uploads.map(({ status }) => status)), 503);
    const visitor = new Visitor(server);
    const answer = await visitor.submit(await visitor.get('/sign-in'), '/sign-in',
        { email: 'nobody@lab.example', password: 'x'.repeat(1000) });
    assert.equal(answer.status, 401);
    for (const { socket } of uploads) socket.destroy();
    let status = 503;
    for (let i = 0; i < 1000 && status === 503; i++) status = await upload();
    assert.equal(status, 401);
});
