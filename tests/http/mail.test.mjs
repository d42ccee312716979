// Mails as a real mail server gets them: what is in them, that each arrives whatever the
// server does, and what comes back.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { program, root, startServer } from '../support/server.mjs';
import { selfSigned, startSmtp } from '../support/smtp.mjs';
import { linkOf, mailLab, queue, until } from '../support/mails.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let smtp;
let server;
let ada;
const environment = () => ({ LABD_SMTP_URL: smtp.url, LABD_MAIL_FROM: 'lab@tides.example' });

before(async () => {
    smtp = await startSmtp();
    server = await startServer({ env: environment() });
    mailLab(server.database);
    ada = await admin(server);
});
after(async () => {
    await server?.stop();
    await smtp?.stop();
});

beforeEach(() => smtp.mode('accept'));

const value = (sql) => server.database.value(sql);
const states = (ids) => server.database.query(
    `select state, count(*)::int as count from mail where id in (${ids}) group by state`);
const all = (ids, state) => {
    const [one, ...rest] = states(ids);
    return rest.length === 0 && one.state === state && one.count === ids.length;
};

// Lets mails go, as an admin does.
async function release(ids, by = ada) {
    const page = await by.get(`/admin/outbox/${ids[0]}`);
    const { csrf } = Object.fromEntries(page.forms[0].fields);
    const fields = [['csrf', csrf], ['deed', 'release'], ...ids.map((id) => ['id', id])];
    const answer = await by.post('/admin/outbox', fields);
    assert.equal(answer.location, '/admin/outbox?notice=mails_released', answer.text);
}

// The mail made for a token, as it arrived.
const arrived = (token) => smtp.next({ id: `labd.${token}@tides.example` });

const newest = () => value('select message_id from mail order by id desc limit 1');

// The time between tries is over.
async function hurry(ids) {
    server.database.run(`update mail set due_at = now() - interval '1 second',
        leased_until = now() - interval '1 second' where id in (${ids})
        and state in ('waiting', 'sending')`);
    const page = await ada.get('/admin/outbox');
    await ada.submit(page, '/admin/outbox/test'); // wakes the sender, as any order does
}

test('a mail is text and HTML, short ASCII lines, and says what it is', async () => {
    const names = ['林晓', 'Lin, "Xiao" \\ <x@y.example>', 'Ann\r\nBcc: evil@example.org',
        '=?utf-8?q?x?=', 'Ünal', '潮'.repeat(60), ''];
    for (const name of names) {
        const [{ id, token }] = queue(server.database, 1, { name, template: 'reminder',
            subject: `Still to do: ${name}`, to: 'bo@tides.example',
            body: 'Dear you,\nsee\n{{link}}\n.\n..two\n' + 'Ein sehr langer Satz. '.repeat(99) +
                '你好\n\n<b>&amp;</b> {{code}}\n' });
        await release([id]);
        const mail = await arrived(token);
        const oneLine = name.replace(/\s+/g, ' ');
        assert.deepEqual(mail.defects, [], mail.bytes);
        assert.ok(mail.ascii);
        assert.equal(mail.bare, 0);
        assert.ok(mail.longest <= 78, `a line of ${mail.longest}`);
        assert.deepEqual(mail.to, [oneLine, 'bo@tides.example']);
        assert.deepEqual(mail.from, ['Tidal "Systems", Lab', 'lab@tides.example']);
        assert.deepEqual(mail.recipients, ['bo@tides.example']);
        assert.deepEqual(mail.envelope.to, ['bo@tides.example']);
        assert.equal(mail.headers.subject, `Still to do: ${oneLine}`.trim());
        assert.equal(mail.headers['message-id'],
            `<${value(`select message_id from mail where id = ${id}`)}>`);
        assert.equal(mail.headers['auto-submitted'], 'auto-generated');
        assert.equal(mail.headers['reply-to'], 'office@tides.example');
        assert.ok(Math.abs(new Date(mail.headers.date) - Date.now()) < 120_000);
        assert.ok(!mail.names.includes('bcc'));
        assert.equal(new Set(mail.names).size, mail.names.length, 'each field once');
        assert.equal(mail.type, 'multipart/alternative');
        assert.deepEqual(mail.parts.map((p) => [p.type, p.charset]),
            [['text/plain', 'utf-8'], ['text/html', 'utf-8']]);
        const [text, html] = mail.parts.map((p) => p.text);
        const link = `${server.url}/sign-in/link/${token}`;
        assert.match(text, /\n\.\n\.\.two\nEin sehr/);
        assert.ok(text.includes(`\n${link}\n`), text);
        assert.match(text, /<b>&amp;<\/b> [0-9A-Z]{4}-[0-9A-Z]{4}\n/);
        assert.ok(html.includes(`<a href="${link}">${link}</a>`), html);
        assert.ok(html.includes('&lt;b&gt;&amp;amp;&lt;/b&gt;'), html);
        assert.equal(value(`select state from mail where id = ${id}`), 'sent');
        assert.equal(value(`select count(*)::int from mail where id = ${id}
            and secret is null`), 1);
    }
});

test('whatever the mail server does, each mail comes, with its one Message-ID', async () => {
    const mails = queue(server.database, 30);
    const ids = mails.map((m) => m.id);
    const seen = smtp.kept;
    const taken = () => smtp.kept - seen;
    // 4xx to the recipient, 4xx to the message: later, and the server's words are seen.
    await smtp.mode('later');
    await release(ids.slice(0, 10));
    await until(() => value(`select count(*)::int from mail where id in (${ids})
        and state = 'waiting' and reason like '451 4.3.0 come again%'`) === 10);
    assert.match((await ada.get(`/admin/outbox/${ids[0]}`)).text, /451 4\.3\.0 come again/);
    await smtp.mode('busy');
    await hurry(ids.slice(0, 10));
    await until(() => value(`select count(*)::int from mail where id in (${ids})
        and state = 'waiting' and reason like '451 4.3.0 the disk%' and attempts = 2`) === 10);
    assert.equal(taken(), 0);
    // It takes the message and dies before it says so.
    await smtp.mode('die');
    await hurry(ids.slice(0, 10));
    await until(() => value(`select count(*)::int from mail where id in (${ids})
        and attempts = 3 and state = 'waiting'`) === 10);
    await until(() => taken() >= 10);
    // It is stopped in the middle, and comes back.
    await smtp.mode('accept');
    await release(ids.slice(10));
    await until(() => taken() >= 15);
    await smtp.stop({ keep: true });
    const { port } = smtp;
    await hurry(ids);
    await until(() => states(ids).every(({ state }) => state === 'sent' || state === 'waiting'));
    await smtp.start({ port });
    await until(async () => {
        if (all(ids, 'sent')) return true;
        await hurry(ids);
        return false;
    });
    const known = new Map(mails.map(({ token }) => [`<labd.${token}@tides.example>`, 0]));
    for (const mail of smtp.readAll(seen))
        if (mail.parts[0].text.includes('Here it is')) {
            const id = mail.headers['message-id'];
            assert.ok(known.has(id), `a second Message-ID: ${id}`);
            known.set(id, known.get(id) + 1);
        }
    assert.deepEqual([...known].filter(([, times]) => times < 1), []);
    // Only those whose answer got lost came again.
    assert.equal([...known].slice(10).filter(([, times]) => times > 2).length, 0);
});

test('two instances share the work; no mail goes out twice', async () => {
    const other = await startServer({ database: server.database, env: environment() });
    const seen = smtp.kept;
    try {
        const mails = queue(server.database, 40);
        const ids = mails.map((m) => m.id);
        const eve = await admin(other, 'eve@tides.example');
        await Promise.all([release(ids.slice(0, 20)), release(ids.slice(20), eve)]);
        await until(() => all(ids, 'sent'));
        await until(() => smtp.kept - seen >= 40);
        assert.equal(smtp.kept - seen, 40);
    } finally {
        await other.stop();
    }
});

test('a mail server that says nothing more keeps nobody from stopping; the mail goes later',
    async () => {
        const other = await startServer({ database: server.database, env: environment() });
        const [{ id, token }] = queue(server.database, 1);
        const eve = await admin(other, 'eve@tides.example');
        await smtp.mode('hang');
        await release([id], eve);
        await smtp.hanging();
        const start = performance.now();
        await other.stop();
        assert.ok(performance.now() - start < 10_000);
        await smtp.mode('accept');
        await hurry([id]);
        assert.equal((await arrived(token)).envelope.to[0], 'xiao.lin@tides.example');
        await until(() => all([id], 'sent'));
    });

test('a refusal is final, is told in the server’s words, and can be tried again by hand',
    async () => {
        await smtp.mode('refuse');
        const [{ id, token }] = queue(server.database, 1);
        await release([id]);
        await until(() => all([id], 'failed'));
        const page = await ada.get(`/admin/outbox/${id}`);
        assert.match(page.text, /550 5\.1\.1 nobody of that name here/);
        assert.match((await ada.get('/admin/outbox?state=failed')).text, /550 5\.1\.1/);
        await smtp.mode('accept');
        assert.equal((await ada.submit(page, `/admin/outbox/${id}/retry`)).status, 303);
        const mail = await arrived(token);
        await until(() => all([id], 'sent'));
        // Sending it once more makes a new mail with a new link.
        const again = await ada.submit(await ada.get(`/admin/outbox/${id}`),
            `/admin/outbox/${id}/resend`);
        assert.match(again.location, /^\/admin\/outbox\/\d+\?notice=mail_resent$/);
        const next = /\d+/.exec(again.location)[0];
        const second = await smtp.next(
            { id: value(`select message_id from mail where id = ${next}`) });
        assert.notEqual(second.headers['message-id'], mail.headers['message-id']);
        assert.notEqual(linkOf(second), linkOf(mail));
        assert.equal((await new Visitor(server).get(linkOf(second))).status, 200);
    });

test('an address that can’t stand in a header fails without a word to the server', async () => {
    const [{ id }] = queue(server.database, 1);
    server.database.run(`update mail set to_address = E'a@b.example>\\r\\nRCPT TO:<c@d.example'
        where id = ${id}`);
    await release([id]);
    await until(() => all([id], 'failed'));
    assert.match((await ada.get(`/admin/outbox/${id}`)).text, /can&#39;t be written to|can't be/);
});

test('who has answered, withdrawn or stopped is reminded no more, though the mail waited',
    async () => {
        const cases = [
            ["state = 'submitted'", 'cancelled', /no longer needed/],
            ["state = 'withdrawn'", 'cancelled', /no longer needed/],
            ["state = 'started', stopped_at = now()", 'cancelled', /no more reminders/],
            ["state = 'returned', stopped_at = null", 'sent', /Sent/],
        ];
        for (const [change, state, words] of cases) {
            const [{ id, token }] = queue(server.database, 1, { template: 'reminder' });
            server.database.run(`update invitation set ${change} where account_id =
                (select id from account where email_folded = 'xiao.lin@tides.example')`);
            await release([id]);
            await until(() => all([id], state));
            assert.match((await ada.get(`/admin/outbox/${id}`)).text, words);
            const page = await new Visitor(server).get(`/sign-in/link/${token}`);
            assert.equal(page.status, state === 'sent' ? 200 : 410);
        }
        server.database.run("update invitation set state = 'invited', stopped_at = null");
    });

test('List-Unsubscribe stops the reminders of that invitation by one post of a program',
    async () => {
        const [{ id, token }] = queue(server.database, 1,
            { template: 'reminder', stop: true });
        await release([id]);
        const mail = await arrived(token);
        assert.equal(mail.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
        const path = new URL(/^<(.*)>$/.exec(mail.headers['list-unsubscribe'])[1]).pathname;
        const stopped = () => value(`select stopped_at is not null from invitation i
            join account a on a.id = i.account_id
            where a.email_folded = 'xiao.lin@tides.example'`);
        const program = new Visitor(server);
        for (const method of ['GET', 'HEAD'])
            assert.equal((await program.request(method, path)).status, 200);
        assert.equal(stopped(), false);
        const answer = await program.request('POST', path, { body: 'List-Unsubscribe=One-Click',
            headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
        assert.equal(answer.status, 303);
        assert.equal(stopped(), true);
        // A person sees it, and may change their mind.
        const page = await new Visitor(server).get(path);
        assert.match(page.text, /Profile 2027/);
        assert.equal((await new Visitor(server).submit(page, path)).status, 303);
        assert.equal(stopped(), false);
        assert.equal((await program.get(`/mail/stop/${'B'.repeat(43)}`)).status, 404);
        const [receipt] = queue(server.database, 1);
        await release([receipt.id]);
        assert.ok(!(await arrived(receipt.token)).names.includes('list-unsubscribe'));
    });

// Runs `labd bounce` as a mail system does.
function bounce(message) {
    return new Promise((resolve) => {
        const child = execFile(program, ['bounce'], { env: { ...process.env,
            LABD_HOME: root, LABD_DATABASE: server.database.conninfo } },
        (error) => resolve(error ? error.code : 0));
        child.stdin.on('error', () => {});
        child.stdin.end(message);
    });
}

test('what comes back marks the mail and the address', async () => {
    const [{ id, token }] = queue(server.database, 1, { to: 'bo@tides.example', name: 'Bo' });
    await release([id]);
    const mail = await arrived(token);
    await until(() => all([id], 'sent'));
    const report = (action) => 'From: MAILER-DAEMON@mx.example\r\nContent-Type: ' +
        'multipart/report; report-type=delivery-status; boundary=B\r\n\r\n--B\r\n' +
        'Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n' +
        `Action: ${action}\r\nStatus: 5.1.1\r\n\r\n--B\r\n` +
        `Content-Type: message/rfc822\r\n\r\n${mail.bytes}\r\n--B--\r\n`;
    assert.equal(await bounce(report('delayed')), 0);
    assert.ok(all([id], 'sent'));
    assert.equal(await bounce(report('failed')), 0);
    assert.ok(all([id], 'bounced'));
    assert.equal(value("select bounced_at is not null from account where email = 'bo@tides.example'"),
        true);
    assert.match((await ada.get(`/admin/outbox/${id}`)).text, /5\.1\.1/);
    const foreign = report('failed').replaceAll('labd.', 'labd.x');
    for (const nothing of ['', 'x', foreign, '\0'.repeat(3 << 20)])
        assert.equal(await bounce(nothing), 65);
    const away = await new Promise((resolve) => {
        execFile(program, ['bounce'], { env: { ...process.env, LABD_HOME: root,
            LABD_DATABASE: 'host=/nowhere dbname=none' } },
        (error) => resolve(error ? error.code : 0)).stdin.end(report('failed'));
    });
    assert.equal(away, 75, 'the mail system is to try again');
});

test('a server whose certificate nobody vouches for gets no mail, encrypted or not', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'labd-tls-'));
    const secret = await startSmtp({ tls: selfSigned(folder) });
    const own = await startServer({ env: { ...environment(), LABD_SMTP_URL: secret.url } });
    try {
        mailLab(own.database);
        const eve = await admin(own, 'eve@tides.example');
        const [{ id }] = queue(own.database, 1);
        await release([id], eve);
        await until(() => own.database.value(`select count(*)::int from mail where id = ${id}
            and state = 'waiting' and reason like '%certificate%'`) === 1);
        assert.equal(secret.kept, 0);
    } finally {
        await own.stop();
        await secret.stop();
        rmSync(folder, { recursive: true });
    }
});

test('without a mail server mails wait, with their text and link, and it says so', async () => {
    const own = await startServer();
    try {
        mailLab(own.database);
        const eve = await admin(own, 'eve@tides.example');
        const visitor = new Visitor(own);
        await visitor.submit(await visitor.get('/sign-in'), '/sign-in/mail',
            { address: 'bo@tides.example' });
        const list = await eve.get('/admin/outbox');
        assert.match(list.text, /Nothing is being sent/);
        const id = own.database.value('select max(id) from mail');
        const page = await eve.get(`/admin/outbox/${id}`);
        const link = /value="(http[^"]+\/sign-in\/link\/[\w-]{43})"/.exec(page.text)[1];
        assert.ok(page.text.includes(`${link}\n`));
        assert.equal((await new Visitor(own).get(new URL(link).pathname)).status, 200);
        assert.ok(own.log.some((line) => line.includes('smtp_url is not set')));
    } finally {
        await own.stop();
    }
});

test('an admin edits what waits at the version that was seen', async () => {
    const [{ id, token }] = queue(server.database, 1);
    const path = `/admin/outbox/${id}`;
    const [first, second] = [await ada.get(path), await ada.get(path)];
    assert.ok(first.text.includes(`/sign-in/link/${token}`));
    assert.equal((await ada.submit(first, path, { subject: 'New words' })).status, 303);
    const late = await ada.submit(second, path, { subject: 'Typed too late' });
    assert.equal(late.status, 409);
    assert.match(late.text, /value="Typed too late"/);
    assert.match(late.text, /New words/);
    const page = await ada.get(path);
    const faults = [
        [{ body: 'no link' }, /needs the link/],
        [{ body: `{{link}} ${server.url}/sign-in/link/${token}` }, /personal link/],
        [{ body: '{{link}} {{nobody}}' }, /\{\{nobody\}\}/],
        [{ body: '{{link}} {{' }, /double braces/],
        [{ subject: '' }, /error/],
        [{ subject: 'x'.repeat(201) }, /200/],
    ];
    for (const [values, words] of faults) {
        const answer = await ada.submit(page, path, values);
        assert.equal(answer.status, 422, JSON.stringify(values));
        assert.match(answer.text, words);
        assert.ok(answer.text.includes(Object.values(values)[0].replaceAll('&', '&amp;')));
    }
    await release([id]);
    assert.equal((await arrived(token)).headers.subject, 'New words');
    await until(() => all([id], 'sent'));
    assert.equal((await ada.submit(page, path, { subject: 'After' })).status, 409);
    assert.equal((await ada.post(`${path}/retry`,
        [['csrf', Object.fromEntries(page.forms[0].fields).csrf]])).status, 409);
});

test('many are held, released and cancelled at once; a cancelled mail’s link is dead',
    async () => {
        const mails = queue(server.database, 3);
        const ids = mails.map((m) => m.id);
        const page = await ada.get('/admin/outbox?state=held');
        const cancelled = await ada.submit(page, '/admin/outbox', {},
            { extra: [['deed', 'cancel'], ['id', String(ids[0])], ['id', String(ids[1])]] });
        assert.equal(cancelled.location, '/admin/outbox?state=held&notice=mails_cancelled');
        assert.ok(all(ids.slice(0, 2), 'cancelled'));
        assert.equal((await new Visitor(server).get(`/sign-in/link/${mails[0].token}`)).status,
            410);
        const none = await ada.submit(page, '/admin/outbox', {},
            { extra: [['deed', 'release'], ['id', String(ids[0])], ['id', 'x'], ['id', '-1']] });
        assert.match(none.location, /mails_none/);
        const rest = await ada.submit(await ada.get('/admin/outbox?state=held'), '/admin/outbox',
            {}, { extra: [['deed', 'cancel'], ['all', 'yes']] });
        assert.match(rest.location, /mails_cancelled/);
        assert.equal(value("select count(*)::int from mail where state = 'held'"), 0);
        assert.equal((await ada.submit(page, '/admin/outbox', {},
            { extra: [['deed', 'burn']] })).status, 422);
    });

test('words of a mail: refused with a reason, shown before, tested, used, put back', async () => {
    const path = '/admin/mail-texts/sign_in/en';
    const page = await ada.get(path);
    assert.match(page.text, /With this link you sign in/);
    const faults = [
        [{ body: 'Hello {{name}}' }, /write \{\{link\}\}/],
        [{ body: '{{#name}}{{link}}{{/name}}' }, /write \{\{link\}\}/],
        [{ body: '{{link}} {{salary}}' }, /\{\{salary\}\}/],
        [{ body: '{{link}} {{deadline}}' }, /\{\{deadline\}\}/],
        [{ body: '{{link}} {{>layout}}' }, /double braces/],
        [{ body: '{{link}} {{=<% %>=}}' }, /double braces/],
        [{ body: '{{link}} {{{name}}}' }, /double braces/],
        [{ body: '{{link}} {{#name}}' }, /double braces/],
        [{ body: '{{link}} {{t.nav.home}}' }, /t\.nav\.home/],
        [{ body: `{{link}} https://x.example/Sign-In/Link/${'A'.repeat(43)}` }, /personal link/],
        [{ subject: 'Come to {{link}}' }, /\{\{link\}\}/],
        [{ subject: '{{#lab}}' }, /double braces/],
    ];
    for (const [values, words] of faults)
        for (const action of [null, 'preview', 'test']) {
            const answer = await ada.submit(page, path, values,
                { extra: action ? [['action', action]] : [] });
            assert.equal(answer.status, 422, JSON.stringify(values));
            assert.match(answer.text, words);
        }
    const mine = { subject: 'Come in, {{name}}', body: 'Mine: {{link}}' };
    const shown = await ada.submit(page, path, mine, { extra: [['action', 'preview']] });
    assert.equal(shown.status, 200);
    assert.match(shown.text, /Come in, Xiao Lin/);
    assert.equal(value('select count(*)::int from mail_text'), 0);
    const tested = await ada.submit(shown, path, {}, { extra: [['action', 'test']] });
    assert.equal(tested.status, 200);
    const sample = await smtp.next({ id: newest() });
    assert.deepEqual(sample.envelope.to, ['ada@lab.example']);
    assert.equal(sample.headers.subject, 'Come in, Xiao Lin');
    assert.equal((await new Visitor(server).get(linkOf(sample))).status, 200);
    assert.equal((await ada.submit(tested, path)).location,
        '/admin/mail-texts?notice=mail_text_saved');
    // Who was slower finds their words in the form.
    const late = await ada.submit(page, path, { subject: 'Slow', body: '{{link}}' });
    assert.equal(late.status, 409);
    assert.match(late.text, /value="Slow"/);
    server.database.run('delete from rate');
    const visitor = new Visitor(server);
    await visitor.submit(await visitor.get('/sign-in'), '/sign-in/mail',
        { address: 'bo@tides.example' });
    const mail = await smtp.next({ id: newest() });
    assert.match(mail.parts[0].text, /^Mine: http/);
    const back = await ada.submit(await ada.get(path), path, {},
        { extra: [['action', 'original']] });
    assert.equal(back.location, '/admin/mail-texts?notice=mail_text_dropped');
    assert.equal(value('select count(*)::int from mail_text'), 0);
    for (const nowhere of ['/admin/mail-texts/none/en', '/admin/mail-texts/sign_in/fr'])
        assert.equal((await ada.get(nowhere)).status, 404);
});

test('members and visitors see none of it', async () => {
    for (const path of ['/admin/outbox', '/admin/outbox/1', '/admin/mail-texts'])
        assert.equal((await new Visitor(server).get(path)).status, 303);
});
