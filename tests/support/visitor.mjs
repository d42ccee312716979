// A browser without JavaScript for the HTTP tests: keeps cookies, sends Origin with what it
// posts, reads the forms of a page and submits them as a person would.

import http from 'node:http';

const entities = { amp: '&', lt: '<', gt: '>', quot: '"' };
const unescape = (text) => text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi,
    (all, decimal, hex, name) => decimal ? String.fromCodePoint(Number(decimal))
        : hex ? String.fromCodePoint(parseInt(hex, 16)) : entities[name] ?? all);

function attributes(tag) {
    const found = {};
    for (const [, name, , value] of tag.matchAll(/\s([\w-]+)(="([^"]*)")?/g))
        found[name] = value === undefined ? '' : unescape(value);
    return found;
}

// The successful controls of a form, as [name, value] pairs; buttons left out.
function controls(html) {
    const fields = [];
    const pattern =
        /<input\b[^>]*>|<textarea\b[^>]*>[^]*?<\/textarea>|<select\b[^>]*>[^]*?<\/select>/g;
    for (const [tag] of html.matchAll(pattern)) {
        const own = attributes(/^<[^>]*>/.exec(tag)[0]);
        if (!own.name || 'disabled' in own || own.type === 'file') continue;
        if (tag.startsWith('<textarea'))
            fields.push([own.name, unescape(/^<[^>]*>\n?([^]*)<\/textarea>$/.exec(tag)[1])]);
        else if (tag.startsWith('<select')) {
            const options = [...tag.matchAll(/<option\b[^>]*>/g)].map(([o]) => attributes(o));
            const chosen = options.find((o) => 'selected' in o) ?? options[0];
            if (chosen) fields.push([own.name, chosen.value]);
        } else if (!['checkbox', 'radio'].includes(own.type) || 'checked' in own)
            fields.push([own.name, own.value ?? 'on']);
    }
    return fields;
}

function readForms(html) {
    return [...html.matchAll(/(<form\b[^>]*>)([^]*?)<\/form>/g)].map(([, open, inside]) => {
        const own = attributes(open);
        return { action: own.action, method: (own.method ?? 'get').toLowerCase(),
            multipart: own.enctype === 'multipart/form-data', fields: controls(inside),
            inside };
    });
}

export class Visitor {
    constructor(server, { language = 'en' } = {}) {
        this.server = server;
        this.language = language;
        this.cookies = new Map();
    }

    // One request; redirects are not followed. `headers` with the value null leave out.
    request(method, path, { body, headers = {} } = {}) {
        const all = { 'Accept-Language': this.language, ...headers };
        if (this.cookies.size > 0 && !('Cookie' in headers))
            all.Cookie = [...this.cookies].map(([k, v]) => `${k}=${v}`).join('; ');
        if (body !== undefined) all['Content-Length'] = Buffer.byteLength(body);
        for (const name of Object.keys(all)) if (all[name] === null) delete all[name];
        return new Promise((resolve, reject) => {
            const request = http.request({ host: '127.0.0.1', port: this.server.port,
                method, path, headers: all }, (response) => {
                const chunks = [];
                response.on('data', (chunk) => chunks.push(chunk));
                response.on('end', () => {
                    this.#keep(response.headers['set-cookie'] ?? []);
                    const bytes = Buffer.concat(chunks), text = bytes.toString();
                    resolve({ status: response.statusCode, headers: response.headers, text, bytes,
                        location: response.headers.location, forms: readForms(text) });
                });
            });
            request.on('error', reject);
            request.end(body);
        });
    }

    #keep(lines) {
        for (const line of lines) {
            const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
            if (/Max-Age=0\b/.test(line)) this.cookies.delete(name);
            else this.cookies.set(name, value);
        }
    }

    get(path, options) {
        return this.request('GET', path, options);
    }

    post(path, fields, { headers = {} } = {}) {
        return this.request('POST', path, { body: new URLSearchParams(fields).toString(),
            headers: { 'Content-Type': 'application/x-www-form-urlencoded',
                Origin: this.server.url, ...headers } });
    }

    // Fills in the page's form that posts to `action` and submits it. A value of null takes
    // the field away, {filename, type, bytes} is a file. As multipart when the form says so.
    submit(page, action, values = {}, { headers = {}, extra = [] } = {}) {
        const form = page.forms.find((f) => f.action === action && f.method === 'post');
        if (!form)
            throw new Error(`no form ${action} among ${page.forms.map((f) => f.action)}`);
        const fields = form.fields.filter(([name]) => !(name in values));
        for (const [name, value] of Object.entries(values))
            if (value !== null) fields.push([name, value]);
        fields.push(...extra);
        if (!form.multipart) return this.post(action, fields, { headers });
        const boundary = '----labd-test-boundary';
        const part = (name, value) => typeof value === 'string'
            ? [`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n` +
                `${value.replace(/\r?\n/g, '\r\n')}\r\n`]
            : [`--${boundary}\r\nContent-Disposition: form-data; name="${name}"; ` +
                `filename="${value.filename}"\r\nContent-Type: ${value.type}\r\n\r\n`,
            value.bytes, '\r\n'];
        const body = Buffer.concat([...fields.flatMap(([name, value]) => part(name, value)),
            `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
        return this.request('POST', action, { body, headers: { Origin: this.server.url,
            'Content-Type': `multipart/form-data; boundary=${boundary}`, ...headers } });
    }

    async follow(answer) {
        return this.get(answer.location);
    }

    // Opens a sign-in link and presses its button.
    async open(link) {
        const path = new URL(link).pathname;
        return this.submit(await this.get(path), path);
    }
}

// An admin with a link of the command line, signed in.
export async function admin(server, email = 'ada@lab.example', options) {
    const { status, stdout, stderr } = await server.labd('admin', 'link', email);
    if (status !== 0) throw new Error(stderr);
    const visitor = new Visitor(server, options);
    visitor.landing = await visitor.open(/https?:\S+/.exec(stdout)[0]);
    return visitor;
}
