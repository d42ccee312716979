// A real mail server on loopback (tests/support/smtp.py, which is aiosmtpd), and what
// Python's email package makes of the bytes that it took.

import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './server.mjs';

const python = '/usr/bin/python3'; // Debian's, which has aiosmtpd
const script = (name) => join(root, 'tests/support', name);
const patience = 15_000;

export function parseMail(...files) {
    return execFileSync(python, [script('mime.py'), ...files],
        { encoding: 'utf8', maxBuffer: 64 << 20 }).trim().split('\n').map((l) => JSON.parse(l));
}

class MailServer {
    folder = mkdtempSync(join(tmpdir(), 'labd-smtp-'));
    #heard = [];
    #waiting = [];

    async start({ port = 0, tls } = {}) {
        this.child = spawn(python, [script('smtp.py'), this.folder, String(port),
            ...(tls ? [tls.certificate, tls.key] : [])],
        { stdio: ['pipe', 'pipe', tls ? 'ignore' : 'inherit'] /* it tells of broken handshakes */ });
        this.reap = () => this.child.kill('SIGKILL');
        process.once('exit', this.reap);
        createInterface({ input: this.child.stdout }).on('line', (line) => {
            const told = JSON.parse(line);
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

    // A conversation hangs.
    hanging() {
        return this.#hear((t) => t.hanging);
    }

    // The next message that it took, to an address or that of an id when one is named; parsed.
    async next({ to, id } = {}) {
        const told = await this.#hear((t) => t.message &&
            (!id || t.id === id) && (!to || t.to.includes(to)));
        return { ...this.read(told.message), envelope: told };
    }

    read(number) {
        const file = join(this.folder, `${number}.eml`);
        return { ...parseMail(file)[0], bytes: readFileSync(file, 'latin1') };
    }

    // How many messages it has taken.
    get kept() {
        return readdirSync(this.folder).filter((name) => name.endsWith('.eml')).length;
    }

    // All of them after the first `seen`, parsed.
    readAll(seen) {
        const files = [];
        for (let number = seen + 1; number <= this.kept; number++)
            files.push(join(this.folder, `${number}.eml`));
        return files.length > 0 ? parseMail(...files) : [];
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

// Tokens of sign-in links, and their hashes, which node can't make.
export const newTokens = (count) =>
    Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
const blake = (texts, line) => execFileSync(python, ['-c', `import base64, hashlib, sys
for text in sys.stdin.read().split():
    ${line}`], { input: texts.join('\n'), encoding: 'utf8' }).trim().split('\n');
export const hashes = (texts) => blake(texts,
    'print(hashlib.blake2b(text.encode(), digest_size=32).hexdigest())');
// As token_derive() makes them.
export const derived = (tokens, purpose) => blake(tokens,
    `print(base64.urlsafe_b64encode(hashlib.blake2b(b'${purpose}', key=text.encode(), ` +
    'digest_size=32).digest()).decode().rstrip("="))');
