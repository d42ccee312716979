// Links in mails, and what people and their programs do with them.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { hashes, newTokens, startSmtp } from '../support/smtp.mjs';
import { codeOf, linkOf, mailLab, queue } from '../support/mails.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let smtp;
let server;
let ada;

before(async () => {
    smtp = await startSmtp();
    server = await startServer({ env: { LABD_SMTP_URL: smtp.url,
        LABD_MAIL_FROM: 'lab@tides.example' } });
    mailLab(server.database);
    ada = await admin(server);
});
after(async () => {
    await server?.stop();
    await smtp?.stop();
});
beforeEach(() => server.database.run(`delete from rate;
    update invitation set state = 'invited', opened_at = null`));

const value = (sql) => server.database.value(sql);
const xiao = "(select id from account where email_folded = 'xiao.lin@tides.example')";
const invitation = () => server.database.query(`select state, opened_at from invitation
    where account_id = ${xiao}`)[0];
const newest = () => value('select message_id from mail order by id desc limit 1');

// An invitation's link, as mailed; the page behind it.
const next = '/my?asked=1';
const invite = () => `/sign-in/link/${queue(server.database, 1,
    { template: 'invitation', next })[0].token}`;

async function askForLink(address, { visitor = new Visitor(server), page: from = '/my' } = {}) {
    const page = await visitor.get(`/sign-in?next=${encodeURIComponent(from)}`);
    return visitor.submit(page, '/sign-in/mail', { address });
}

test('a link is mailed to whoever asks, in any case of the address; its code serves as well, ' +
    'once', async () => {
    const answer = await askForLink('XIAO.lin@TIDES.example', { page: '/my/profile' });
    assert.equal(answer.location,
        '/sign-in/code?next=%2Fmy%2Fprofile&notice=link_mailed', answer.text);
    const mail = await smtp.next({ to: 'Xiao.Lin@Tides.example' });
    assert.deepEqual(mail.to, ['林晓', 'Xiao.Lin@Tides.example']);
    assert.deepEqual(mail.from, ['潮汐实验室', 'lab@tides.example']);
    assert.equal(mail.headers.subject, '登录潮汐实验室');
    const other = new Visitor(server);
    const page = await other.get('/sign-in/code');
    for (const [address, code] of [['xiao.lin@tides.example', '0000-0000'],
        ['bo@tides.example', codeOf(mail)], ['nobody@tides.example', codeOf(mail)]]) {
        const wrong = await other.submit(page, '/sign-in/code', { address, code });
        assert.equal(wrong.status, 401);
        assert.match(wrong.text, /do not belong together/);
    }
    const done = await other.submit(page, '/sign-in/code', { address: 'xiao.lin@tides.example',
        code: ` ${codeOf(mail).toLowerCase().replace('-', ' ')} ` });
    assert.equal(done.status, 303, done.text);
    assert.equal(done.location, '/my/profile');
    assert.equal((await other.get('/my')).status, 200);
    // Link and code are one: both are spent.
    assert.equal((await new Visitor(server).get(linkOf(mail))).status, 410);
    const late = new Visitor(server);
    assert.equal((await late.submit(await late.get('/sign-in/code'), '/sign-in/code',
        { address: 'xiao.lin@tides.example', code: codeOf(mail) })).status, 401);
});

test('who types the lasting address gets the link there, and its code is good with it',
    async () => {
        server.database.run(`update account set lasting_email = 'Bo@Home.example',
            lasting_email_folded = 'bo@home.example', lasting_confirmed_at = now()
            where email = 'bo@tides.example'`);
        await askForLink('bo@HOME.example');
        const mail = await smtp.next({ id: newest() });
        assert.deepEqual(mail.envelope.to, ['Bo@Home.example']);
        const visitor = new Visitor(server);
        assert.equal((await visitor.submit(await visitor.get('/sign-in/code'), '/sign-in/code',
            { address: 'bo@home.example', code: codeOf(mail) })).status, 303);
        await askForLink('bo@tides.example');
        assert.deepEqual((await smtp.next({ id: newest() })).envelope.to, ['bo@tides.example']);
        server.database.run(`update account set lasting_email = null,
            lasting_email_folded = null, lasting_confirmed_at = null`);
    });

test('whether an address has an account shows neither in the answer nor in its time', async () => {
    const times = { known: [], unknown: [] };
    const answers = {};
    for (let i = 0; i < 5; i++)
        for (const [kind, address] of [['known', 'bo@tides.example'],
            ['unknown', 'nobody@tides.example']]) {
            server.database.run('delete from rate');
            const visitor = new Visitor(server);
            const page = await visitor.get('/sign-in');
            const start = performance.now();
            const answer = await visitor.submit(page, '/sign-in/mail', { address });
            times[kind].push(performance.now() - start);
            answers[kind] = [answer.status, answer.location, answer.text];
        }
    assert.deepEqual(answers.known, answers.unknown);
    const ratio = Math.min(...times.known) / Math.min(...times.unknown);
    assert.ok(ratio > 0.75 && ratio < 1.35, `ratio of the least times ${ratio}`);
    assert.equal(value("select count(*)::int from mail where to_address like 'nobody%'"), 0);
    server.database.run("update mail set state = 'cancelled' where state = 'waiting'");
});

test('nobody’s mailbox is filled by strangers, from wherever they ask', async () => {
    const trusting = await startServer({ env: { LABD_TRUST_PROXY: 'yes' } });
    try {
        mailLab(trusting.database);
        const statuses = [];
        for (let i = 0; i < 7; i++) {
            const visitor = new Visitor(trusting);
            const headers = { 'X-Forwarded-For': `192.0.2.${i}` };
            const page = await visitor.get('/sign-in', { headers });
            statuses.push((await visitor.submit(page, '/sign-in/mail',
                { address: i % 2 ? 'bo@tides.example' : 'BO@tides.example' },
                { headers })).status);
        }
        assert.deepEqual(statuses, [303, 303, 303, 303, 303, 429, 429]);
        assert.equal(trusting.database.value('select count(*)::int from mail'), 5);
    } finally {
        await trusting.stop();
    }
});

test('an address that is none is told so, and stays in the form', async () => {
    const visitor = new Visitor(server);
    for (const address of ['', 'x', 'a@b@c', 'x'.repeat(400), 'a\0@b.example']) {
        const answer = await visitor.submit(await visitor.get('/sign-in'), '/sign-in/mail',
            { address });
        assert.ok([400, 422].includes(answer.status), address);
        if (answer.status === 422 && address.length === 1)
            assert.match(answer.text, /name="address"[^>]*value="x"/);
    }
});

test('mail filters look at an invitation as often as they like; a person’s button opens it',
    async () => {
        const link = invite();
        for (const method of ['GET', 'HEAD', 'GET'])
            assert.equal((await new Visitor(server).request(method, link)).status, 200);
        assert.deepEqual(invitation(), { state: 'invited', opened_at: null });
        const visitor = new Visitor(server);
        const page = await visitor.get(link);
        assert.match(page.text, /Xiao.Lin@Tides.example/);
        const done = await visitor.submit(page, link);
        assert.equal(done.location, next);
        const { state, opened_at: opened } = invitation();
        assert.equal(state, 'opened');
        assert.ok(opened);
        server.database.run("update invitation set state = 'submitted'");
        const second = invite();
        const other = new Visitor(server);
        await other.submit(await other.get(second), second);
        assert.equal(invitation().state, 'submitted', 'never back');
    });

test('a forwarded link opened by somebody signed in names both, and is not used up', async () => {
    const link = invite();
    const page = await ada.get(link);
    assert.match(page.text, /ada@lab\.example/);
    assert.match(page.text, /Xiao\.Lin@Tides\.example/);
    assert.deepEqual(invitation(), { state: 'invited', opened_at: null });
    assert.equal((await ada.get('/admin')).status, 200);
    const owner = new Visitor(server);
    assert.equal((await owner.submit(await owner.get(link), link)).status, 303);
});

test('the owner who is signed in just goes on, with a fresh, used or expired link', async () => {
    const [first, used] = [invite(), invite()];
    const owner = new Visitor(server);
    await owner.submit(await owner.get(used), used);
    for (const link of [first, used]) {
        const answer = await owner.get(link);
        assert.equal(answer.status, 303);
        assert.equal(answer.location, next);
    }
    // The fresh one is still good for another device.
    assert.equal((await new Visitor(server).get(first)).status, 200);
});

test('a used or expired link sends a new one to its own address, and tells nobody which',
    async () => {
        for (const spoil of ['redeemed_at = now()', "expires_at = now() - interval '1 s'"]) {
            const link = invite();
            server.database.run(`update sign_in_link set ${spoil}
                where id = (select max(id) from sign_in_link)`);
            const visitor = new Visitor(server);
            const page = await visitor.get(link);
            assert.equal(page.status, 410);
            assert.ok(!/xiao/i.test(page.text));
            const answer = await visitor.submit(page, `${link}/again`);
            assert.equal(answer.location, '/sign-in/code?next=%2Fmy&notice=link_mailed');
            const mail = await smtp.next({ id: newest() });
            assert.deepEqual(mail.envelope.to, ['Xiao.Lin@Tides.example']);
            const fresh = linkOf(mail);
            const owner = new Visitor(server);
            assert.equal((await owner.submit(await owner.get(fresh), fresh)).location, next);
        }
        const mails = () => value('select count(*)::int from mail');
        const before = mails();
        const visitor = new Visitor(server);
        const page = await visitor.get('/sign-in');
        const { csrf } = Object.fromEntries(page.forms[0].fields);
        const unknown = await visitor.post(`/sign-in/link/${'B'.repeat(43)}/again`, { csrf });
        assert.equal(unknown.location, '/sign-in/code?next=%2Fmy&notice=link_mailed');
        assert.equal(mails(), before);
    });

test('links of a withdrawn invitation and of a disabled account are withdrawn', async () => {
    for (const [set, reset] of [
        ["update invitation set state = 'withdrawn'", "update invitation set state = 'invited'"],
        [`update account set disabled_at = now() where id = ${xiao}`,
            'update account set disabled_at = null']]) {
        const link = invite();
        server.database.run(set);
        const visitor = new Visitor(server);
        const page = await visitor.get(link);
        assert.equal(page.status, 410);
        assert.match(page.text, /withdrawn/);
        assert.ok(page.forms.some(({ action }) => action === '/sign-in/mail'));
        const { csrf } = Object.fromEntries(page.forms[0].fields);
        assert.equal((await visitor.post(link, { csrf })).status, 410);
        server.database.run(reset);
    }
    assert.equal((await askForLink('xiao.lin@tides.example')).status, 303);
});

test('a later link that an admin makes does not withdraw those in mails', async () => {
    const link = invite();
    const page = await ada.get('/admin/people/xiao-lin');
    assert.equal((await ada.submit(page, '/admin/people/xiao-lin/links')).status, 200);
    assert.equal((await new Visitor(server).get(link)).status, 200);
});

test('1,000 invitations, 50 people at once, each link tried twice: exactly 1,000 redeemed',
    async () => {
        const tokens = newTokens(1000);
        const found = hashes(tokens);
        server.database.run(`
            insert into account (email, email_folded)
                select 'm' || n || '@tides.example', 'm' || n || '@tides.example'
                from generate_series(1, 1000) n;
            insert into invitation (collection_id, account_id, wave_id, pilot, form_version_id)
                select w.collection_id, a.id, w.id, false, w.form_version_id
                from wave w, account a where a.email like 'm%@tides.example';
            insert into sign_in_link (token_hash, account_id, expires_at, next, invitation_id,
                mailed)
                select decode(t.hash, 'hex'), a.id, now() + interval '1 day', '/my', i.id, true
                from unnest(array[${found.map((h) => `'${h}'`)}]) with ordinality t(hash, n)
                join account a on a.email = 'm' || t.n || '@tides.example'
                join invitation i on i.account_id = a.id`);
        const work = tokens.concat(tokens).map((token, i) => ({ token, i }));
        // Each token's two tries are close together, on different clients.
        work.sort((a, b) => (a.i % 1000) - (b.i % 1000));
        const statuses = new Map();
        const one = async () => {
            const visitor = new Visitor(server);
            const { csrf } = Object.fromEntries((await visitor.get('/sign-in')).forms[0].fields);
            const form = visitor.cookies.get('labd_form');
            for (let job = work.shift(); job; job = work.shift()) {
                visitor.cookies.clear(); // nobody is signed in yet
                visitor.cookies.set('labd_form', form);
                const path = `/sign-in/link/${job.token}`;
                let answer;
                do answer = await visitor.post(path, { csrf });
                while (answer.status === 503);
                statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
            }
        };
        await Promise.all(Array.from({ length: 50 }, one));
        assert.deepEqual([...statuses].sort(), [[303, 1000], [410, 1000]]);
        const opened = "invitation i join account a on a.id = i.account_id " +
            "where a.email like 'm%@tides.example' and i.state = 'opened'";
        assert.equal(value(`select count(*)::int from ${opened}`), 1000);
        assert.equal(value(`select count(*)::int from event where action =
            'sign_in_link.redeemed' and actor like 'm%@tides.example'`), 1000);
    });
