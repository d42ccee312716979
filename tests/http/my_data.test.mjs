// A member's own data: the copy, leaving with an address that lasts, deletion.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { quarters } from '../support/picture.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let server, ada, lin;
const value = (sql) => server.database.value(sql);

before(async () => {
    server = await startServer();
    ada = await admin(server);
    await ada.get('/admin/lab'); // makes the lab's row
    const added = await ada.submit(await ada.get('/admin/people/new'), '/admin/people/new',
        { role: 'phd', language: 'en', email: 'lin@lab.example', given_latin: 'Xiao',
            family_latin: 'Lin', name_han: '林晓' });
    assert.equal(added.status, 303, added.text);
    lin = await signIn('lin@lab.example');
    await lin.submit(await lin.get('/my/profile'), '/my/profile', { office: 'West 417',
        phone: '+86 10 5555 0100', biography_en: 'Private words' });
    const change = `/admin/changes/${value('select max(id) from change')}`;
    await ada.submit(await ada.get(change), `${change}/approve`);
});
after(() => server?.stop());

async function signIn(email) {
    const { stdout, stderr } = await server.labd('admin', 'link', email);
    assert.ok(stdout, stderr);
    server.database.run(`update account set admin = false where email = '${email}'`);
    const member = new Visitor(server);
    const opened = await member.open(/https?:\S+/.exec(stdout)[0]);
    assert.equal(opened.status, 303, opened.text);
    return member;
}

// The bytes of a download.
const download = (visitor, path) => new Promise((resolve, reject) => {
    http.get({ host: '127.0.0.1', port: server.port, path, headers: {
        Cookie: [...visitor.cookies].map(([k, v]) => `${k}=${v}`).join('; ') } }, (answer) => {
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers,
            bytes: Buffer.concat(chunks) }));
    }).on('error', reject);
});

test('the copy holds everything, and opens elsewhere', async () => {
    // More than one piece of rows.
    server.database.run(`insert into event (account_id, actor, action, peer)
        select id, email, 'sign_out', '192.0.2.7' from account, generate_series(1, 450)
        where email = 'lin@lab.example'`);
    server.database.run(`insert into event (account_id, actor, action, entity, target_id, peer)
        select a.id, a.email, 'account.enabled', 'account', l.id, '198.51.100.9'
        from account a, account l
        where a.email = 'ada@lab.example' and l.email = 'lin@lab.example'`);
    const answer = await download(lin, '/my/data/export');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['content-type'], 'application/zip');
    assert.match(answer.headers['content-disposition'], /attachment/);
    const folder = mkdtempSync(join(tmpdir(), 'labd-copy-'));
    try {
        writeFileSync(join(folder, 'copy.zip'), answer.bytes);
        execFileSync('python3', ['-m', 'zipfile', '-e', join(folder, 'copy.zip'), folder]);
        const read = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
        assert.equal(read('account.json').email, 'lin@lab.example');
        assert.equal(read('person.json').document.name_han, '林晓');
        assert.equal(read('person.json').document.office, 'West 417');
        assert.deepEqual(read('history.json').map((row) => row.id), [1, 2]);
        assert.equal(read('changes.json').length, 1);
        assert.ok(read('mails.json').some((mail) => mail.template === 'approved'));
        const events = read('events.json');
        assert.equal(events.filter((event) => event.action === 'sign_out').length, 450);
        assert.ok(events.some((event) => event.peer === '192.0.2.7'));
        assert.ok(!JSON.stringify(events).includes('198.51.100.9'), 'where an admin was');
        assert.deepEqual(read('answers.json'), []);
    } finally {
        rmSync(folder, { recursive: true });
    }
    assert.equal((await new Visitor(server).get('/my/data/export')).status, 303);
});

test('leaving: the last day waits for review, and the form beside it keeps it', async () => {
    const page = await lin.get('/my/data');
    const wrong = await lin.submit(page, '/my/data/leaving', { ends: '2027-02-30',
        lasting: 'xiao@home.example' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /value="xiao@home\.example"/);
    assert.equal(value('select count(*)::int from mail where template = $$lasting_address$$'), 0);
    assert.equal((await lin.submit(page, '/my/data/leaving', {})).status, 422);
    server.database.run(`update appointment set starts = '2024-09-01'`);
    assert.equal((await lin.submit(page, '/my/data/leaving', { ends: '2020-01-01' })).status,
        422);
    const sent = await lin.submit(page, '/my/data/leaving', { ends: '2027-06-30' });
    assert.equal(sent.status, 303, sent.text);
    assert.match((await lin.get('/my/data')).text, /2027-06-30/);
    const change = () => server.database.query(`select id,
        document -> 'appointments' -> 0 ->> 'ends' as ends, document ->> 'office' as office
        from change where state = 'submitted'`)[0];
    assert.equal(change().ends, '2027-06-30');
    await lin.submit(await lin.get('/my/profile'), '/my/profile', { office: 'East 1' });
    assert.equal(change().ends, '2027-06-30');
    assert.equal(change().office, 'East 1');
    const path = `/admin/changes/${change().id}`;
    const approved = await ada.submit(await ada.get(path), `${path}/approve`);
    assert.equal(approved.status, 303, approved.text);
    assert.equal(value('select ends::text from appointment'), '2027-06-30');
});

test('an address that lasts is confirmed by the mail to it, and then signs in', async () => {
    const page = await lin.get('/my/data');
    const taken = await lin.submit(page, '/my/data/leaving', { lasting: 'ADA@lab.example' });
    assert.equal(taken.status, 422);
    assert.match(taken.text, /belongs to another account/);
    const sent = await lin.submit(page, '/my/data/leaving', { lasting: 'Xiao@Home.example' });
    assert.match(sent.location, /lasting_mailed/, sent.text);
    const [mail] = server.database.query(`select to_address, secret, link_id, body from mail
        where template = 'lasting_address'`);
    assert.equal(mail.to_address, 'Xiao@Home.example');
    assert.equal(value("select count(*)::int from account where lasting_email is not null"), 0);
    // Whoever has that mailbox is not signed in by the mail: it may have been mistyped.
    assert.deepEqual([mail.secret, mail.link_id], [null, null]);
    assert.doesNotMatch(mail.body, /sign-in|\{\{|\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/);
    const link = new URL(/https?:\S+/.exec(mail.body)[0]).pathname;
    const stranger = await new Visitor(server).get(link);
    assert.equal(stranger.location, `/sign-in?next=${link}`);
    const asked = await lin.get(link);
    assert.match(asked.text, /Xiao@Home\.example/);
    assert.equal((await ada.get(link)).status, 404, 'another account’s');
    const confirmed = await lin.submit(asked, link);
    assert.match(confirmed.location, /lasting_confirmed/, confirmed.text);
    assert.equal((await lin.submit(asked, link)).status, 404, 'only once');
    // By that address one gets a link, there; a member's other mails stay where they were.
    const ask = new Visitor(server);
    const form = await ask.get('/sign-in');
    const mailForm = form.forms.find((f) => /sign-in\/(mail|link)/.test(f.action));
    assert.ok(mailForm, form.forms.map((f) => f.action).join());
    const before = value('select max(id)::int from mail');
    await ask.submit(form, mailForm.action, { address: 'xiao@home.example' });
    assert.equal(value(`select to_address from mail where id > ${before}`),
        'Xiao@Home.example');
    const tell = async () => {
        server.database.run("delete from mail");
        await lin.submit(await lin.get('/my/profile'), '/my/profile',
            { office: `Room ${Math.random()}` });
        const path = `/admin/changes/${value(
            "select max(id) from change where state = 'submitted'")}`;
        await ada.submit(await ada.get(path), `${path}/approve`);
        return value('select to_address from mail');
    };
    assert.equal(await tell(), 'lin@lab.example');
    server.database.run("update appointment set ends = '2026-01-01'");
    assert.equal(await tell(), 'Xiao@Home.example');
    await ask.submit(form, mailForm.action, { address: 'xiao@home.example' });
    const old = value("select secret from mail where template = 'sign_in'");
    assert.equal((await new Visitor(server).get(`/sign-in/link/${old}`)).status, 200);
    const dropped = await lin.submit(await lin.get('/my/data'), '/my/data/lasting/drop');
    assert.match(dropped.location, /lasting_dropped/);
    // Whoever has the mailbox that was given up gets in no more, by an old link or a new one.
    const finder = new Visitor(server);
    assert.equal((await finder.get(`/sign-in/link/${old}`)).status, 410);
    server.database.run(`update sign_in_link set withdrawn_at = null,
        expires_at = now() - interval '1 day' where withdrawn_at is not null`);
    const expired = await finder.get(`/sign-in/link/${old}`);
    await finder.submit(expired, `/sign-in/link/${old}/again`);
    assert.equal(value("select to_address from mail where template = 'sign_in' " +
        'order by id desc limit 1'), 'lin@lab.example');
    assert.equal(await tell(), 'lin@lab.example');
});

test('the copy holds nobody else’s data, whatever an admin did for them', async () => {
    const path = '/admin/people/xiao-lin/edit';
    await ada.submit(await ada.get(path), path,
        { phone: '+86 10 5555 0100', photo: { bytes: quarters(200, 200), filename: 'lin.png',
            type: 'image/png' } });
    const token = value("select photo from person where slug = 'xiao-lin'");
    assert.ok(token);
    const theirs = (await download(ada, '/my/data/export')).bytes;
    assert.ok(!theirs.includes(token), 'a file of somebody else');
    const folder = mkdtempSync(join(tmpdir(), 'labd-copy-'));
    try {
        writeFileSync(join(folder, 'copy.zip'), theirs);
        execFileSync('python3', ['-m', 'zipfile', '-e', join(folder, 'copy.zip'), folder]);
        const changes = readFileSync(join(folder, 'changes.json'), 'utf8');
        assert.ok(JSON.parse(changes).some((change) => change.entity === 'person'));
        assert.doesNotMatch(changes, /5555 0100|West 417/);
    } finally {
        rmSync(folder, { recursive: true });
    }
    assert.ok((await download(lin, '/my/data/export')).bytes.includes(`files/${token}/240.webp`),
        'one’s own photo, whoever uploaded it');
});

test('deletion is asked for, taken back, and carried out by an admin', async () => {
    const ask = async () => lin.submit(await lin.get('/my/data'), '/my/data/deletion',
        { words: 'Please, all of it', sure: 'true' });
    const unsure = await lin.submit(await lin.get('/my/data'), '/my/data/deletion',
        { words: 'Hmm <b>' });
    assert.equal(unsure.status, 422);
    assert.match(unsure.text, /Hmm &lt;b&gt;/);
    assert.match((await ask()).location, /deletion_asked/);
    const link = /\/admin\/deletions\/\d+/.exec((await ada.get('/admin')).text)[0];
    const seen = await ada.get(link);
    assert.match(seen.text, /Please, all of it/);
    await lin.submit(await lin.get('/my/data'), '/my/data/deletion/withdraw');
    const late = await ada.submit(seen, link, { email: 'lin@lab.example' });
    assert.equal(late.status, 409);
    assert.equal(value('select phone from person'), '+86 10 5555 0100');
    await ask();
    const again = /\/admin\/deletions\/\d+/.exec((await ada.get('/admin')).text)[0];
    const wrong = await ada.submit(await ada.get(again), again, { email: 'x' });
    assert.equal(wrong.status, 422);
    const done = await ada.submit(await ada.get(again), again, { email: 'lin@lab.example' });
    assert.match(done.location, /erased/, done.text);
    // Nothing private is left in any table.
    const tables = server.database.query(`select relname as name from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace`);
    assert.ok(tables.length > 30);
    const secrets = ['lin@lab.example', '5555 0100', 'Private words', 'Room 0.',
        'home.example', '192.0.2.7', 'Please, all'];
    assert.deepEqual(server.database.query(tables.map(({ name }) => `select '${name}' as held,
        x::text as row from "${name}" x
        where x::text ilike any (array['%${secrets.join("%', '%")}%'])`).join(' union all ')),
    []);
    assert.equal(value('select count(*)::int from file'), 0, 'nor the photo an admin uploaded');
    // The name stays.
    assert.deepEqual(server.database.query('select slug, name_latin, name_han from person'),
        [{ slug: 'xiao-lin', name_latin: 'Xiao Lin', name_han: '林晓' }]);
    assert.equal((await new Visitor(server).get('/en/people/xiao-lin')).status, 200);
    assert.equal((await lin.get('/my')).status, 303, 'signed out');
    const history = `/admin/history/person/${value('select id from person')}`;
    assert.equal((await ada.get(`${history}?restore=2`)).status, 200);
    assert.equal((await ada.get('/admin/events')).status, 200);
    assert.equal((await ada.get(again)).status, 200);
});

test('the log can be forgotten by its rule, and not be forged', () => {
    for (const forged of ["actor = 'somebody'", "peer = '192.0.2.1'", "detail = '{}'",
        "action = 'x'", 'at = now()'])
        assert.throws(() => server.database.run(`update event set ${forged}`), /append-only/);
    assert.throws(() => server.database.run('delete from event'), /append-only/);
});
