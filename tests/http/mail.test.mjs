// Mails as a real mail server gets them, and what their links lead to.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { startSmtp } from '../support/smtp.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let smtp;
let server;
let ada;

before(async () => {
    smtp = await startSmtp();
    server = await startServer({ env: { LABD_SMTP_URL: smtp.url,
        LABD_MAIL_FROM: 'lab@tides.example' } });
    server.database.run(`
        insert into lab (name_en, name_zh, email) values ('Tidal "Systems", Lab', '潮汐实验室',
            'office@tides.example') on conflict (id) do update set name_en = excluded.name_en,
            name_zh = excluded.name_zh, email = excluded.email;
        insert into person (slug, given_latin, family_latin, name_han) values
            ('xiao-lin', 'Xiao', 'Lin', '林晓');
        insert into account (email, email_folded, language, person_id)
            select 'Xiao.Lin@Tides.example', 'xiao.lin@tides.example', 'zh', id from person;
        insert into account (email, email_folded) values
            ('bo@tides.example', 'bo@tides.example')`);
    ada = await admin(server);
});
after(async () => {
    await server?.stop();
    await smtp?.stop();
});

const count = (sql) => server.database.value(`select count(*)::int from ${sql}`);

// Asks for a link at the sign-in page.
async function askForLink(address, { visitor = new Visitor(server), next = '/my' } = {}) {
    server.database.run('delete from rate');
    const page = await visitor.get(`/sign-in?next=${encodeURIComponent(next)}`);
    const answer = await visitor.submit(page, '/sign-in/mail', { address });
    assert.equal(answer.status, 303, answer.text);
    return answer;
}

const linkOf = (mail) =>
    new URL(/https?:\/\/\S+\/sign-in\/link\/[\w-]{43}/.exec(mail.parts[0].text)[0]).pathname;
const codeOf = (mail) => /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(mail.parts[0].text)[0];

test('a link is mailed to whoever asks, in any case of the address, and its code serves ' +
    'once as well', async () => {
    const answer = await askForLink('XIAO.lin@TIDES.example', { next: '/my/profile' });
    assert.equal(answer.location, '/sign-in/code?next=%2Fmy%2Fprofile&notice=link_mailed');
    const mail = await smtp.next();
    assert.deepEqual(mail.to, [['林晓', 'Xiao.Lin@Tides.example']]);
    assert.deepEqual(mail.from, [['潮汐实验室', 'lab@tides.example']]);
    assert.equal(mail.headers.subject, '登录潮汐实验室');
    assert.equal(mail.envelope.from, 'lab@tides.example');
    assert.deepEqual(mail.envelope.to, ['Xiao.Lin@Tides.example']);
    const other = new Visitor(server);
    const page = await other.get('/sign-in/code');
    const wrong = await other.submit(page, '/sign-in/code',
        { address: 'xiao.lin@tides.example', code: '0000-0000' });
    assert.equal(wrong.status, 401);
    const code = ` ${codeOf(mail).toLowerCase().replace('-', ' ')} `;
    const done = await other.submit(wrong, '/sign-in/code',
        { address: 'xiao.lin@tides.example', code });
    assert.equal(done.status, 303, done.text);
    assert.equal(done.location, '/my/profile');
    assert.equal((await other.get('/my')).status, 200);
    // Link and code are one: both are spent.
    assert.equal((await new Visitor(server).get(linkOf(mail))).status, 410);
    const again = await other.submit(page, '/sign-in/code',
        { address: 'xiao.lin@tides.example', code });
    assert.equal(again.status, 403); // the form of somebody who was not signed in
});
