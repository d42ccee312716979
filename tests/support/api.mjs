// The API as a program sees it, and tokens for it.

import http from 'node:http';

// [token, its BLAKE2b-256]: node can't make that hash, and no test may read a token back.
const tokens = {
    approver: ['approver-token-of-the-tests-xxxxxxxxxxxxxxx',
        '51aa7c3057511e28cbdf5fd25a207aa02948cc467fcbe89887b633dffc1fbbfa'],
    proposer: ['proposer-token-of-the-tests-xxxxxxxxxxxxxxx',
        '0c0593f3f91063acff4a07141c12fa841330b4a0a2722a80eebf3c06d0ba5ada'],
    member: ['member-token-of-the-tests-xxxxxxxxxxxxxxxxx',
        '7f992fe09ed91878061f5da6470829b71933b1be06eb7f9b444721d5fd0b11f8'],
};

// Gives `<name>@lab.example` an account and a token; returns the token. "approver" is an
// admin whose changes take effect at once, "proposer" an admin whose changes wait, "member"
// a member, of the person with the given slug.
export function grantToken(database, name, { person } = {}) {
    const [token, hash] = tokens[name];
    const slug = person === undefined ? 'null' : `'${person}'`;
    database.run(`with owner as (
            insert into account (email, email_folded, admin, person_id)
            values ('${name}@lab.example', '${name}@lab.example', ${name !== 'member'},
                (select id from person where slug = ${slug})) returning id)
        insert into api_token (token_hash, account_id, name, may_approve)
        select decode('${hash}', 'hex'), id, 'tests', ${name === 'approver'} from owner`);
    return token;
}

// One request: {status, headers, text, json}. `document` is sent as JSON, text or bytes as
// they are; `ifMatch` is a short hand. A reply that is cut off rejects with `cut` set.
export function call(server, method, path, {
    token, document, body = document && JSON.stringify(document), ifMatch, headers = {},
    agent,
} = {}) {
    const all = { ...headers };
    if (token) all.Authorization ??= `Bearer ${token}`;
    if (ifMatch) all['If-Match'] = ifMatch;
    if (body !== undefined) {
        all['Content-Type'] ??= 'application/json';
        all['Content-Length'] = Buffer.byteLength(body);
    }
    return new Promise((resolve, reject) => {
        const request = http.request({ host: '127.0.0.1', port: server.port, method, path,
            headers: all, agent }, (response) => {
            const chunks = [];
            response.on('data', (chunk) => chunks.push(chunk));
            response.on('error', (error) => reject(Object.assign(error, { cut: true })));
            response.on('end', () => {
                const bytes = Buffer.concat(chunks);
                const text = bytes.toString();
                const type = response.headers['content-type'] ?? '';
                const json = /json/.test(type) && !response.headers['content-encoding'] &&
                    text !== '' ? JSON.parse(text) : undefined;
                resolve({ status: response.statusCode, headers: response.headers,
                    raw: response.rawHeaders, bytes, text, json });
            });
        });
        request.on('error', reject);
        request.end(body);
    });
}
