// What has broken other people's collecting systems, where it concerns every form at once
// and no family of pages alone: whatever bytes arrive in any field of any form of a
// collection's pages, organiser's and member's, the answer is a page and not a fault, and
// nothing is half written. (A NUL and 300 characters in a column of 255 took down
// MTG/freesound#1016 and zenml-io/kitaru#927.)

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { seedCollection } from '../support/collection.mjs';
import { startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let server;
let ada;
let lin;
let made;

const fields = [
    { name: 'topic', type: 'text', label: { en: 'Topic', zh: '方向' }, required: true },
    { name: 'about', type: 'textarea', label: { en: 'About', zh: '简介' } },
    { name: 'phone', type: 'phone', label: { en: 'Phone', zh: '电话' } },
    { name: 'since', type: 'date', label: { en: 'Since', zh: '开始' } },
    { name: 'count', type: 'integer', label: { en: 'Count', zh: '数目' } },
    { name: 'pets', type: 'group', label: { en: 'Pets', zh: '宠物' }, fields: [
        { name: 'name', type: 'text', label: { en: 'Name', zh: '名字' } }] },
];

before(async () => {
    server = await startServer();
    ada = await admin(server);
    made = seedCollection(server.database, [{ given: 'Xiao', family: 'Lin', han: '林晓',
        email: 'lin@lab.example', state: 'invited', mail: 'waiting' }], { fields });
    const path = `/admin/collections/${made.collection}`;
    const asked = await ada.submit(await ada.get(path), `${path}/act`,
        { id: null, action: 'link', ids: String(made.invitations[0]) });
    const done = await ada.submit(asked, `${path}/act`);
    lin = new Visitor(server);
    await lin.open(/value="(http[^"]+\/sign-in\/link\/[^"]+)"/.exec(done.text)[1]);
});
after(() => server.stop());

const organisers = () => {
    const base = `/admin/collections/${made.collection}`;
    return ['/admin/collections/new', `${base}?q=lin`, `${base}/people`, `${base}/waves`,
        `${base}/waves/everyone`, `${base}/form`, `${base}/form/new-question?section=0&type=text`,
        `${base}/form/new-section`, `${base}/form/questions/topic`, `${base}/form/sections/0`,
        `${base}/mails`, `${base}/mails/invitation/en`, `${base}/settings`, `${base}/export`,
        `${base}/pilot`, `${base}/invitations/${made.invitations[0]}`, '/admin/outbox',
        '/admin/mail-texts', '/admin/mail-texts/invitation/zh', '/admin/export/people',
        '/admin/import', `/admin/outbox/${server.database.value('select max(id)::int from mail')}`];
};
const members = () => {
    const base = `/my/collections/${made.collection}`;
    return [base, `${base}/sections/1`, `${base}/check`, '/my/data', '/my/page', '/my/profile',
        '/my/password', '/my/publications/new', '/my/imports'];
};

const hostile = [
    '%00', 'a%00b', '%FF%FE', '%C0%80', '%ED%A0%80', // NUL, and what is not UTF-8
    encodeURIComponent('林'.repeat(300)), encodeURIComponent('😀'.repeat(300)),
    'x'.repeat(20000), '%E2%80%AEgnp.exe', '%EF%BF%BE', '%0D%0ASet-Cookie:%20a=b',
    encodeURIComponent("'; drop table mail; --"), encodeURIComponent('{{link}}{{#a}}'),
    encodeURIComponent('{"a":['), '-1', '99999999999999999999999', '1e309', '%25s%25n',
    encodeURIComponent('<script>alert(1)</script>'),
];

// A form's body with `value`, encoded already, in each field that somebody fills in.
function bodyOf(form, value, kept) {
    return form.fields.map(([name, own]) => `${encodeURIComponent(name)}=` +
        (kept.has(name) ? encodeURIComponent(own) : value)).join('&');
}

const sent = (visitor, action, body) => visitor.request('POST', action, { body,
    headers: { Origin: server.url, 'Content-Type': 'application/x-www-form-urlencoded' } });

// Every form of a page with every value: `hidden` says whether hidden fields keep theirs.
async function tryForms(visitor, path) {
    const page = await visitor.get(path);
    assert.ok(page.status === 200 || page.status === 404 || page.status === 303,
        `${path}: ${page.status}`);
    let tried = 0;
    for (const form of page.forms.filter(({ method }) => method === 'post')) {
        if (/sign-out|delete|leave/.test(form.action)) continue;
        const hidden = [...form.inside.matchAll(/<input type="hidden" name="([^"]+)"/g)]
            .map(([, name]) => name);
        for (const value of hostile)
            for (const kept of [new Set(hidden), new Set(['csrf'])]) {
                const answer = await sent(visitor, form.action, bodyOf(form, value, kept));
                assert.ok(answer.status < 500,
                    `${path} ${form.action} ${value.slice(0, 40)}: ${answer.status}`);
                assert.doesNotMatch(answer.text, /<script>alert/, form.action);
                assert.equal(answer.headers['set-cookie']?.some((c) => c.startsWith('a=')) ?? false,
                    false);
                tried += 1;
            }
    }
    return tried;
}

test('every page of these tests is there, with its forms', async () => {
    const counts = {};
    for (const path of [...organisers(), ...members()]) {
        const page = await (path.startsWith('/my') ? lin : ada).get(path);
        assert.equal(page.status, 200, path);
        counts[path] = page.forms.filter(({ method }) => method === 'post').length;
    }
    const without = Object.keys(counts).filter((path) => counts[path] < 2);
    assert.ok(without.length < 10, JSON.stringify(counts));
});

for (const [who, paths, visitor] of [['organiser', organisers, () => ada],
    ['member', members, () => lin]])
    test(`no bytes in any form of the ${who}’s pages are a fault`, async () => {
        let tried = 0;
        for (const path of paths()) tried += await tryForms(visitor(), path);
        assert.ok(tried > 200, `${tried} bodies`);
        // All that stands in the tables can be shown, and nothing is there that may not be.
        for (const path of [...organisers(), ...members()]) {
            const page = await (path.startsWith('/my') ? lin : ada).get(path);
            assert.ok(page.status < 500, `${path}: ${page.status}`);
            assert.doesNotMatch(page.text, /<script>alert/, path);
        }
        assert.equal(server.database.value(
            "select count(*)::int from mail where state = 'sent' and id > 1"), 0);
    });

test('the same in every argument of an address', async () => {
    const names = ['q', 'state', 'role', 'mail', 'wave', 'sort', 'page', 'tick', 'notice', 'lang',
        'before', 'year', 'who', 'from', 'to'];
    for (const path of [...organisers().filter((p) => !p.includes('?')), ...members()])
        for (const value of hostile.filter((v) => v.length < 3000)) {
            const address = `${path}?${names.map((name) => `${name}=${value}`).join('&')}`;
            const answer = await (path.startsWith('/my') ? lin : ada).get(address);
            assert.ok(answer.status < 500, `${address.slice(0, 200)}: ${answer.status}`);
            assert.doesNotMatch(answer.text, /<script>alert/, path);
        }
});
