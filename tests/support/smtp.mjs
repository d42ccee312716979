// A real mail server on loopback (tests/support/smtp.py, which is aiosmtpd), and what
// Python's email package makes of the bytes that it took.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './server.mjs';

const python = '/usr/bin/python3'; // Debian's, which has aiosmtpd
const script = (name) => join(root, 'tests/support', name);
const patience = 30_000;

export function parseMail(...files) {
    return execFileSync(python, [script('mime.py'), ...files],
        { encoding: 'utf8', maxBuffer: 64 << 20 }).trim().split('\n').map((l) => JSON.parse(l));
}

class MailServer {
    folder = mkdtempSync(join(tmpdir(), 'labd-smtp-'));
    envelopes = []; // {message, from, to, tls} of each that was taken
    #heard = [];
    #waiting = [];

    async start({ port = 0, tls } = {}) {
        this.child = spawn(python, [script('smtp.py'), this.folder, String(port),
            ...(tls ? [tls.certificate, tls.key] : [])],
        { stdio: ['pipe', 'pipe', 'inherit'] });
        this.reap = () => this.child.kill('SIGKILL');
        process.once('exit', this.reap);
        createInterface({ input: this.child.stdout }).on('line', (line) => {
            const told = JSON.parse(line);
            if (told.message) this.envelopes.push(told);
            this.#heard.push(told);
            this.#serve();
        });
        const told = await this.#hear((t) => t.port);
        this.port = told.port;
        this.url = `smtp://127.0.0.1:${told.port}`;
        return this;
    }

    #serve() {
        this.#waiting = this.#waiting.filter(({ wanted, resolve }) => {
            const at = this.#heard.findIndex(wanted);
            if (at < 0) return true;
            resolve(this.#heard.splice(at, 1)[0]);
            return false;
        });
    }

    #hear(wanted) {
        return new Promise((resolve, reject) => {
            const timer = setTimeout(() => reject(new Error('the mail server is silent')),
                patience);
            this.#waiting.push({ wanted,
                resolve: (told) => { clearTimeout(timer); resolve(told); } });
            this.#serve();
        });
    }

    // How it behaves from now on: see smtp.py.
    async mode(name) {
        this.child.stdin.write(`${name}\n`);
        await this.#hear((t) => t.mode === name);
    }

    // The next message that it took, parsed.
    async next() {
        const told = await this.#hear((t) => t.message);
        return { ...this.read(told.message), envelope: told };
    }

    read(number) {
        const file = join(this.folder, `${number}.eml`);
        return { ...parseMail(file)[0], bytes: readFileSync(file, 'latin1') };
    }

    // Stops it; `keep` what it took, to start it again on the same port.
    async stop({ keep = false } = {}) {
        const gone = new Promise((resolve) => this.child.once('exit', resolve));
        this.child.kill('SIGKILL');
        await gone;
        process.off('exit', this.reap);
        if (!keep) rmSync(this.folder, { recursive: true, force: true });
    }
}

export const startSmtp = (options) => new MailServer().start(options);

// An authority that nobody trusts, for the duration of a test.
export function selfSigned(folder) {
    const certificate = join(folder, 'certificate.pem'), key = join(folder, 'key.pem');
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1',
        '-subj', '/CN=127.0.0.1', '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    return { certificate, key };
}
