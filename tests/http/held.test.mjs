// Nothing typed is lost: a form whose session has ended is kept for its writer, and signing
// in leads back to it. Asked of every form of the program that a crawl of the pages finds.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { root, startServer } from '../support/server.mjs';
import { admin, Visitor } from '../support/visitor.mjs';

let server, ada;

before(async () => {
    server = await startServer({ demo: true });
    await admin(server); // makes the account
    server.database.run(`update account set person_id =
        (select id from person p where not exists
            (select from account where person_id = p.id) order by id limit 1)
        where email = 'ada@lab.example' and person_id is null`);
    ada = await admin(server);
});
after(() => server?.stop());

const rows = () => server.database.query(`select
    (select count(*) from change) as changes, (select count(*) from revision) as revisions,
    (select count(*) from account) as accounts, (select count(*) from api_token) as tokens,
    (select max(version) from lab) as lab`);

// The ways in which a session ends while a form is open.
const endings = {
    expired: () => server.database.run('update session set expires_at = now()'),
    'deleted elsewhere': () => server.database.run('delete from session'),
    'signed out in another tab': async () =>
        ada.submit(await ada.get('/my'), '/sign-out'),
};

const member = async (email = 'ada@lab.example', options) => {
    const { stdout, stderr } = await server.labd('admin', 'link', email);
    assert.ok(stdout, stderr);
    const visitor = new Visitor(server, options);
    const path = new URL(/https?:\S+/.exec(stdout)[0]).pathname;
    visitor.landing = await visitor.submit(await visitor.get(path), path);
    return visitor;
};

// Every page that a link of another leads to, one for each route.
async function crawl(visitor, patterns) {
    const found = new Map(), todo = ['/my', '/admin'], seen = new Set();
    const pattern = (path) => patterns.find(({ regex }) => regex.test(path))?.pattern ?? path;
    while (todo.length > 0) {
        const path = todo.shift();
        if (seen.has(pattern(path))) continue;
        seen.add(pattern(path));
        const page = await visitor.get(path);
        if (page.status !== 200) continue;
        for (const form of page.forms)
            if (form.method === 'post' && !found.has(pattern(form.action)) &&
                form.action !== '/sign-out')
                found.set(pattern(form.action), { path, form });
        for (const [, link] of page.text.matchAll(/href="((?:\/my|\/admin)[^"#]*)"/g))
            todo.push(link.replaceAll('&amp;', '&'));
    }
    return found;
}

function routes() {
    const source = readFileSync(join(root, 'server/routes.c'), 'utf8');
    return [...source.matchAll(/\{(GET|POST),\s+"([^"]+)",\s*(MEMBER|ADMIN)/g)]
        .map(([, method, pattern]) => ({ method, pattern,
            regex: new RegExp(`^${pattern.replace(/:\w+/g, '[^/?]+')}(\\?.*)?$`) }))
        .sort((a, b) => a.pattern.includes(':') - b.pattern.includes(':'));
}

// What a person would type into the form's own fields.
function fill(form) {
    let number = 0;
    const visible = new Set([...form.inside.matchAll(
        /<(?:input|textarea)\b[^>]*\sname="([^"]+)"[^>]*>/g)]
        .filter(([tag]) => !/type="(hidden|checkbox|radio|file|password)"/.test(tag))
        .map(([, name]) => name));
    return form.fields.map(([name, value]) =>
        [name, visible.has(name) ? `typed ${++number} 打的字 <&">` : value]);
}

test('every form comes back with every word after signing in again', async () => {
    const found = await crawl(ada, routes());
    assert.ok(found.size >= 12, `${found.size} forms`);
    const ways = Object.entries(endings);
    let turn = 0, redrawn = 0;
    for (const [pattern, { path, form }] of found) {
        const [way, end] = ways[turn++ % ways.length];
        const where = `${pattern} of ${path}, ${way}`;
        const sent = fill(form), before = rows();
        await end();
        const refused = await ada.request('POST', form.action, {
            body: new URLSearchParams(sent).toString(),
            headers: { 'Content-Type': 'application/x-www-form-urlencoded',
                Origin: server.url } });
        assert.equal(refused.status, 303, `${where}: ${refused.text}`);
        assert.match(refused.location, /^\/sign-in\?next=/, where);
        ada = await member();
        assert.match(ada.landing.location, /^\/my\/held\/\d+$/, where);
        const page = await ada.get(ada.landing.location);
        assert.equal(page.status, 200, where);
        const back = page.forms.find((f) => f.action === form.action);
        const carried = new Set(back.fields.map(String));
        for (const pair of sent.filter(([name]) => !['csrf', 'action'].includes(name)))
            if (!/password|current/.test(pair[0]))
                assert.ok(carried.has(String(pair)), `${where}: ${pair}`);
        if (form.inside.includes('name="redraws"')) {
            redrawn++;
            const drawn = await ada.submit(page, form.action);
            assert.equal(drawn.status, 200, `${where}: ${drawn.text}`);
            const again = drawn.forms.find((f) => f.action === form.action);
            assert.ok(again, `${where} is drawn`);
            const values = new Set(again.fields.map(String));
            for (const pair of sent)
                if (/^typed/.test(pair[1]))
                    assert.ok(values.has(String(pair)), `${where}: ${pair} came back`);
            assert.doesNotMatch(drawn.text, /class="summary"/, `${where} blames nobody`);
        }
        assert.deepEqual(rows(), before, `${where} wrote nothing`);
        server.database.run('delete from held_post');
    }
    assert.ok(redrawn >= 8, `${redrawn} forms drawn again`);
});

test('what was kept is sent to the end, and is then gone', async () => {
    ada = await member();
    const page = await ada.get('/my/profile');
    server.database.run('update session set expires_at = now()');
    await ada.submit(page, '/my/profile', { office: 'Tower 4, 第五室' });
    ada = await member();
    assert.match((await ada.get('/my')).text, /\/my\/held\/\d+/);
    const held = await ada.get(ada.landing.location);
    assert.match(held.text, /Office/);
    assert.match(held.text, /Tower 4, 第五室/);
    const drawn = await ada.submit(held, '/my/profile');
    const sent = await ada.submit(drawn, '/my/profile');
    assert.equal(sent.status, 303, sent.text);
    assert.equal(server.database.value(`select document ->> 'office' from change
        order by updated_at desc limit 1`), 'Tower 4, 第五室');
    assert.equal(server.database.value('select count(*)::int from held_post'), 0);
    assert.doesNotMatch((await ada.get('/my')).text, /\/my\/held\/\d+/);
});

test('a form from before one signed in again in another tab is not lost either', async () => {
    const page = await ada.get('/my/publications/new');
    const old = ada;
    ada = await member();
    old.cookies = new Map(ada.cookies);
    const answer = await old.submit(page, '/my/publications/new', { title: 'Late and kept' });
    assert.equal(answer.status, 303, answer.text);
    assert.match(answer.location, /^\/my\/held\/\d+$/);
    const held = await old.follow(answer);
    assert.match(held.text, /Late and kept/);
    const drawn = await old.submit(held, '/my/publications/new');
    assert.match(drawn.text, /value="Late and kept"/);
    const discarded = await old.submit(held, `${answer.location}/discard`);
    assert.equal(discarded.status, 303);
    assert.equal((await old.get(answer.location)).status, 404);
});

test('nobody else sees what was kept, nor is it written in their name', async () => {
    const other = await member('bo@lab.example');
    const page = await ada.get('/my/publications/new');
    // One browser, Ada's form in a tab, Bo signed in in the other.
    const browser = ada;
    const cookies = browser.cookies;
    browser.cookies = new Map(other.cookies);
    const before = rows();
    const answer = await browser.submit(page, '/my/publications/new', { title: 'Secret' });
    assert.equal(answer.status, 303);
    const shown = await browser.follow(answer);
    assert.equal(shown.status, 404);
    assert.doesNotMatch(shown.text, /Secret/);
    const csrf = shown.forms[0].fields.find(([name]) => name === 'csrf')[1];
    await browser.post(`${answer.location}/discard`, { csrf });
    assert.doesNotMatch((await other.get('/my')).text, /held/);
    browser.cookies = cookies;
    assert.match((await browser.get(answer.location)).text, /Secret/);
    assert.deepEqual(rows(), before);
});

test('strangers keep nothing, nor does another site, nor a script', async () => {
    const count = () => server.database.value('select count(*)::int from held_post');
    server.database.run('delete from held_post');
    const page = await ada.get('/my/profile');
    server.database.run('update session set expires_at = now()');
    const stranger = new Visitor(server);
    for (const csrf of ['', 'x', 'A'.repeat(43), null])
        assert.equal((await stranger.submit(page, '/my/profile', { csrf })).status, 401);
    for (const headers of [{ Origin: 'https://evil.example' }, { Origin: null },
        { 'Sec-Fetch-Mode': 'cors' }, { Accept: 'application/json' }])
        assert.equal((await ada.submit(page, '/my/profile', {}, { headers })).status, 401,
            JSON.stringify(headers));
    assert.equal(count(), 0);
    assert.equal((await ada.submit(page, '/my/profile', {})).status, 303);
    assert.equal(count(), 1);
});

test('a few are kept for a day, and no password', async () => {
    ada = await member();
    server.database.run('delete from held_post');
    const form = await ada.get('/my/password');
    const work = await ada.get('/my/publications/new');
    const csrf = work.forms.find((f) => f.action === '/my/publications/new').fields
        .find(([name]) => name === 'csrf')[1];
    server.database.run('update session set expires_at = now()');
    await ada.submit(form, '/my/password', { password: 'eleven herons at noon' });
    assert.doesNotMatch(server.database.value('select fields::text from held_post'), /herons/);
    for (let i = 1; i < 20; i++)
        assert.equal((await ada.post(`/my/changes/${i}/edit`, { csrf, title: `t${i}` })).status,
            303);
    assert.equal(server.database.value('select count(*)::int from held_post'), 5);
    server.database.run("update held_post set created_at = now() - interval '25 hours'");
    ada = await member(); // sweeps
    assert.equal(server.database.value('select count(*)::int from held_post'), 0);
    assert.equal(ada.landing.location, '/my/password?notice=welcome');
});

test('the sign-in form itself, open for too long, keeps the address', async () => {
    const visitor = new Visitor(server);
    const page = await visitor.get('/sign-in');
    visitor.cookies.clear();
    const late = await visitor.submit(page, '/sign-in', { email: 'ada@lab.example',
        password: 'eleven herons at noon' });
    assert.equal(late.status, 403);
    assert.doesNotMatch(late.text, /herons/);
    const drawn = await visitor.submit(late, '/sign-in');
    assert.equal(drawn.status, 200, drawn.text);
    assert.match(drawn.text, /value="ada@lab.example"/);
    assert.equal(server.database.value('select count(*)::int from held_post'), 0);
});

test('files are named, to be chosen again', async () => {
    ada = await member();
    const page = await ada.get('/admin/import');
    const csrf = page.forms.find((f) => f.action === '/admin/import').fields
        .find(([name]) => name === 'csrf')[1];
    server.database.run('update session set expires_at = now()');
    const part = (head, text) =>
        `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
    const body = part('name="csrf"', csrf) + part('name="redraws"', 'yes') +
        part('name="text"', 'name,email') +
        part('name="file"; filename="名单.csv"', 'a,b') + '--b--\r\n';
    const answer = await ada.request('POST', '/admin/import', { body, headers: {
        Origin: server.url, 'Content-Type': 'multipart/form-data; boundary=b' } });
    assert.equal(answer.status, 303);
    ada = await member();
    const held = await ada.get(ada.landing.location);
    assert.match(held.text, /名单\.csv/);
    assert.match(held.text, /name,email/);
});
