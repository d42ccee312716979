// Signing in: sessions, links, forged requests, limits.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

const password = 'nine herons on the quay';
let server;
let ada;

before(async () => {
    server = await startServer();
    ada = await admin(server);
    const page = await ada.get('/my/password');
    const done = await ada.submit(page, '/my/password', { password });
    assert.equal(done.status, 303, done.text);
});
after(() => server.stop());

const count = (sql) => server.database.value(`select count(*)::int from ${sql}`);
const newLink = async (email = 'ada@lab.example') =>
    new URL(/https?:\S+/.exec((await server.labd('admin', 'link', email)).stdout)[0]).pathname;

async function signIn(visitor, email, secret, options) {
    const page = await visitor.get('/sign-in');
    return visitor.submit(page, '/sign-in', { email, password: secret }, options);
}

test('an admin without a password is sent to set one', async () => {
    assert.equal(ada.landing.status, 303);
    assert.equal(ada.landing.location, '/my/password?notice=welcome');
});

test('a preset session cookie is ignored; signing in makes a new token and deletes the old',
    async () => {
        const visitor = new Visitor(server);
        const preset = 'A'.repeat(43);
        visitor.cookies.set('labd', preset);
        assert.equal((await visitor.get('/my')).status, 303);
        assert.equal((await signIn(visitor, 'ada@lab.example', password)).status, 303);
        const first = visitor.cookies.get('labd');
        assert.notEqual(first, preset);
        assert.equal((await visitor.get('/my')).status, 200);
        // Again, by link: another token, and the first one is dead.
        const path = await newLink();
        const page = await visitor.get(path);
        assert.equal((await visitor.submit(page, path)).status, 303);
        const second = visitor.cookies.get('labd');
        assert.notEqual(second, first);
        visitor.cookies.set('labd', first);
        assert.equal((await visitor.get('/my')).status, 303);
    });

test('the session cookie is out of reach of scripts and of other sites', async () => {
    const visitor = new Visitor(server);
    const answer = await signIn(visitor, 'ada@lab.example', password);
    const line = answer.headers['set-cookie'].find((c) => c.startsWith('labd='));
    assert.match(line, /^labd=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax/);
    assert.equal(count(`session where encode(token_hash, 'escape') like '%${
        visitor.cookies.get('labd')}%'`), 0);
});

test('unknown and known addresses get the same answer in the same time', async () => {
    const times = { known: [], unknown: [] };
    const bodies = {};
    for (let i = 0; i < 7; i++)
        for (const [kind, email] of [['known', 'ada@lab.example'],
            ['unknown', 'nobody@lab.example']]) {
            server.database.run('delete from rate');
            const visitor = new Visitor(server);
            const page = await visitor.get('/sign-in');
            const start = performance.now();
            const answer = await visitor.submit(page, '/sign-in',
                { email, password: 'a wrong guess of mine' });
            times[kind].push(performance.now() - start);
            assert.equal(answer.status, 401);
            bodies[kind] = answer.text.replaceAll(email, '').replace(/value="[\w-]{43}"/g, '')
                .replace(/[0-9a-f]{14}/g, '');
        }
    assert.equal(bodies.known, bodies.unknown);
    // Other work on the machine only ever adds time, so the least of each tells most.
    const ratio = Math.min(...times.known) / Math.min(...times.unknown);
    // 5 % is the bar on a quiet machine; tests run on busy ones.
    assert.ok(ratio > 0.7 && ratio < 1.4, `ratio of the least times ${ratio}`);
});

test('guessing is slowed down, and its victim is not locked out', async () => {
    server.database.run('delete from rate');
    const guesser = new Visitor(server);
    let answer;
    for (let i = 0; i < 11; i++)
        answer = await signIn(guesser, 'ada@lab.example', `a wrong guess ${i}`);
    assert.equal(answer.status, 429);
    assert.ok(Number(answer.headers['retry-after']) > 0);
    // The limit is the guesser's: rows are by account and peer.
    assert.equal(count("rate where key like 'sign_in:%'"), 1);
    assert.equal((await ada.get('/my')).status, 200);
    server.database.run('delete from rate');
    assert.equal((await signIn(guesser, 'ada@lab.example', password)).status, 303);
});

test('signing in well is not counted against those of the same address', async () => {
    server.database.run('delete from rate');
    for (let i = 0; i < 3; i++)
        assert.equal((await signIn(new Visitor(server), 'ada@lab.example', password)).status,
            303);
    assert.equal(server.database.value('select sum(attempts)::int from rate'), 0);
});

test('a long password is refused before it is hashed, one of 64 characters is not',
    async () => {
        server.database.run('delete from rate');
        const visitor = new Visitor(server);
        const start = performance.now();
        assert.equal((await signIn(visitor, 'ada@lab.example', 'x'.repeat(4096))).status, 422);
        assert.ok(performance.now() - start < 1000);
        const page = await ada.get('/my/password');
        const long = `${password}, `.repeat(3).slice(0, 64);
        const fresh = page.forms.find((f) => f.action === '/my/password');
        assert.ok(fresh);
        const answer = await ada.submit(page, '/my/password', { password: long });
        assert.equal(answer.status, 303, answer.text);
        const back = await ada.submit(await ada.get('/my/password'), '/my/password',
            { password });
        assert.equal(back.status, 303, back.text);
    });

test('weak passwords are refused with the reason', async () => {
    for (const weak of ['short', 'aaaaaaaaaaaaaaaa', 'password123456', 'ada@lab.example1'])
        assert.equal((await ada.submit(await ada.get('/my/password'), '/my/password',
            { password: weak })).status, 422, weak);
});

test('a new password needs the present one, unless one has signed in just now', async () => {
    server.database.run("update session set created_at = now() - interval '11 minutes'");
    const next = 'twelve cranes by the river';
    const page = await ada.get('/my/password');
    assert.match(page.text, /name="current"/);
    for (const current of ['', 'not the present one'])
        assert.equal((await ada.submit(page, '/my/password',
            { current, password: next })).status, 422);
    const changed = await ada.submit(page, '/my/password', { current: password, password: next });
    assert.equal(changed.status, 303, changed.text);
    const fresh = await ada.get('/my/password');
    assert.doesNotMatch(fresh.text, /name="current"/);
    assert.equal((await ada.submit(fresh, '/my/password', { password })).status, 303);
});

test('a post without the token or from elsewhere is refused and writes nothing', async () => {
    const page = await ada.get('/my');
    const language = () => server.database.value(
        "select language from account where email = 'ada@lab.example'");
    const before = language();
    const other = before === 'en' ? 'zh' : 'en';
    const attempts = [
        [{ csrf: null }, {}],
        [{ csrf: '' }, {}],
        [{ csrf: 'A'.repeat(43) }, {}],
        [{}, { Origin: 'https://evil.example' }],
        [{}, { Origin: `${server.url}.evil.example` }],
        [{}, { Origin: null }],
        [{}, { Origin: null, Referer: 'https://evil.example/' }],
        [{}, { Origin: null, 'Sec-Fetch-Site': 'cross-site' }],
        [{}, { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
    ];
    for (const [values, headers] of attempts) {
        const answer = await ada.submit(page, '/my/language', { ...values, language: other },
            { headers });
        assert.equal(answer.status, 403, JSON.stringify([values, headers]));
    }
    assert.equal(language(), before);
    for (const headers of [{ Origin: null, Referer: `${server.url}/my` },
        { Origin: null, 'Sec-Fetch-Site': 'same-origin' }]) {
        const answer = await ada.submit(page, '/my/language', { language: before },
            { headers });
        assert.equal(answer.status, 303, JSON.stringify(headers));
    }
});

test('signing in itself can’t be forged', async () => {
    const visitor = new Visitor(server);
    const page = await visitor.get('/sign-in');
    const values = { email: 'ada@lab.example', password };
    assert.equal((await visitor.submit(page, '/sign-in', { ...values, csrf: null })).status, 403);
    assert.equal((await visitor.submit(page, '/sign-in', values,
        { headers: { Origin: 'https://evil.example' } })).status, 403);
    const stranger = new Visitor(server); // has no form cookie
    assert.equal((await stranger.submit(page, '/sign-in', values)).status, 403);
    assert.equal((await visitor.submit(page, '/sign-in', values)).status, 303);
});

test('after signing in one goes to a path of this site alone', async () => {
    for (const [next, location] of [['/my/profile', '/my/profile'], ['//evil.example', '/my'],
        ['/\\evil.example', '/my'], ['/%0d%0aSet-Cookie:x=y', '/my'],
        ['https://evil.example/', '/my'], ['/admin/people?notice=saved',
            '/admin/people?notice=saved']]) {
        const visitor = new Visitor(server);
        const page = await visitor.get(`/sign-in?next=${encodeURIComponent(next)}`);
        const answer = await visitor.submit(page, '/sign-in',
            { email: 'ada@lab.example', password });
        assert.equal(answer.location, location, next);
    }
    const visitor = new Visitor(server);
    const answer = await visitor.get('/admin/changes?lang=zh');
    assert.equal(answer.location, '/sign-in?next=/admin/changes%3Flang%3Dzh');
});

test('looking at a link changes nothing; its button redeems it, once', async () => {
    const path = await newLink();
    for (const method of ['HEAD', 'GET', 'GET']) {
        const page = await new Visitor(server).request(method, path);
        assert.equal(page.status, 200);
        assert.equal(page.headers['referrer-policy'], 'no-referrer');
        assert.match(page.headers['cache-control'], /no-store/);
    }
    const [one, other] = [new Visitor(server), new Visitor(server)];
    const pages = [await one.get(path), await other.get(path)];
    const answers = await Promise.all([one.submit(pages[0], path),
        other.submit(pages[1], path)]);
    assert.deepEqual(answers.map((a) => a.status).sort(), [303, 410]);
    assert.equal((await new Visitor(server).get(path)).status, 410);
    assert.ok(!server.log.some((line) => line.includes(path.split('/').pop())),
        'the token is in the log');
});

test('unknown, expired and withdrawn links say what to do; guesses are counted', async () => {
    const visitor = new Visitor(server);
    const guess = `/sign-in/link/${'B'.repeat(43)}`;
    assert.equal((await visitor.get(guess)).status, 404);
    const expired = await newLink();
    server.database.run(`update sign_in_link set expires_at = now() - interval '1 second'
        where id = (select max(id) from sign_in_link)`);
    let page = await visitor.get(expired);
    assert.equal(page.status, 410);
    assert.match(page.text, /expired/);
    const withdrawn = await newLink();
    await newLink();
    page = await visitor.get(withdrawn);
    assert.equal(page.status, 410);
    assert.match(page.text, /withdrawn/);
    for (let i = 0; i < 31; i++) page = await visitor.get(guess);
    assert.equal(page.status, 429);
    server.database.run('delete from rate');
});

test('somebody else’s link names both and is unspent until the button', async () => {
    const path = await newLink('bo@lab.example');
    const page = await ada.get(path);
    assert.equal(page.status, 200);
    assert.match(page.text, /ada@lab\.example/);
    assert.match(page.text, /bo@lab\.example/);
    assert.equal((await ada.get('/my')).status, 200);
    const other = new Visitor(server);
    assert.equal((await other.submit(await other.get(path), path)).status, 303);
});

test('signing out, a changed role and a disabled account end sessions at once', async () => {
    const cy = await admin(server, 'cy@lab.example');
    const session = cy.cookies.get('labd');
    assert.equal((await cy.get('/admin')).status, 200);
    const out = await cy.submit(await cy.get('/my'), '/sign-out');
    assert.equal(out.location, '/sign-in?notice=signed_out');
    cy.cookies.set('labd', session);
    assert.equal((await cy.get('/my')).status, 303);

    const di = await admin(server, 'di@lab.example');
    server.database.run("update account set admin = false where email = 'di@lab.example'");
    assert.equal((await di.get('/admin')).status, 404);
    assert.equal((await di.get('/my')).status, 200);
    server.database.run(
        "update account set disabled_at = now() where email = 'di@lab.example'");
    assert.equal((await di.get('/my')).status, 303);
});

test('what a signed-out person posts is refused, and kept for after signing in', async () => {
    const eve = await admin(server, 'eve@lab.example');
    const page = await eve.get('/my');
    server.database.run(`delete from session where account_id =
        (select id from account where email = 'eve@lab.example')`);
    const answer = await eve.submit(page, '/my/language', { language: 'zh' });
    assert.equal(answer.status, 303);
    assert.match(answer.location, /^\/sign-in\?next=\/my\/held\/\d+&notice=kept$/);
    assert.equal(server.database.value(
        "select language from account where email = 'eve@lab.example'"), 'en');
});

test('private pages are kept by nobody and framed by nobody', async () => {
    for (const path of ['/my', '/admin', '/my/password', '/admin/events']) {
        const page = await ada.get(path);
        assert.equal(page.status, 200, path);
        assert.equal(page.headers['cache-control'], 'private, no-store');
        assert.match(page.headers['content-security-policy'], /frame-ancestors 'none'/);
    }
});

test('a flood of sign-ins waits in a short line, the rest is told to come back', async () => {
    server.database.run('delete from rate');
    const visitors = [];
    for (let i = 0; i < 40; i++) {
        const visitor = new Visitor(server);
        visitors.push([visitor, await visitor.get('/sign-in'), `flood${i}@lab.example`]);
    }
    const answers = await Promise.all(visitors.map(([visitor, page, email]) =>
        visitor.submit(page, '/sign-in', { email, password: 'a wrong guess of mine' })));
    for (const { status, headers } of answers) {
        assert.ok([401, 503].includes(status), `status ${status}`);
        if (status === 503) assert.ok(headers['retry-after']);
    }
    // Who was turned away has not guessed.
    const guesses = answers.filter(({ status }) => status === 401).length;
    assert.ok(guesses < answers.length);
    assert.equal(server.database.value(
        "select attempts from rate where key like 'peer:%'"), guesses);
    assert.equal((await new Visitor(server).get('/healthz')).status, 200);
    server.database.run('delete from rate');
});

test('behind https the cookies carry the prefix, and Host is not believed', async () => {
    const secure = await startServer({ env: { LABD_BASE_URL: 'https://lab.example' } });
    try {
        const { stdout } = await secure.labd('admin', 'link', 'ada@lab.example');
        const link = /https?:\S+/.exec(stdout)[0];
        assert.ok(link.startsWith('https://lab.example/sign-in/link/'), link);
        const visitor = new Visitor(secure);
        const path = new URL(link).pathname;
        const page = await visitor.get(path, { headers: { Host: 'evil.example' } });
        assert.deepEqual([...visitor.cookies.keys()], ['__Host-labd_form']);
        assert.equal((await visitor.submit(page, path, {}, // of this address, not of the site
            { headers: { Origin: secure.url } })).status, 403);
        assert.equal((await visitor.submit(page, path, {},
            { headers: { Origin: 'https://evil.example', Host: 'evil.example' } })).status, 403);
        const answer = await visitor.submit(page, path, {},
            { headers: { Origin: 'https://lab.example' } });
        assert.equal(answer.status, 303, answer.text);
        const line = answer.headers['set-cookie'].find((c) => c.startsWith('__Host-labd='));
        assert.match(line, /; Path=\/; HttpOnly; SameSite=Lax; Secure/);
        // Without the prefix it is nobody's cookie.
        const plain = new Visitor(secure);
        plain.cookies.set('labd', visitor.cookies.get('__Host-labd'));
        assert.equal((await plain.get('/my')).status, 303);
        assert.equal((await visitor.get('/my')).status, 200);
    } finally {
        await secure.stop();
    }
});
