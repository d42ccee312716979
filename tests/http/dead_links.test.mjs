// Addresses on pages are asked for by a job; what twice leads nowhere is told to admins.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startLookups } from '../support/lookup_server.mjs';
import { until } from '../support/mails.mjs';
import { createDatabase, startServer } from '../support/server.mjs';
import { admin } from '../support/visitor.mjs';

let site;
let database;
before(async () => {
    site = await startLookups();
    database = createDatabase();
});
after(async () => {
    database?.drop();
    await site?.stop();
});

// One run of the job, in a server that is started for it.
async function look(env) {
    let server = await startServer({ database, env });
    await until(() => database.query("select from job where kind = 'links'").length === 1);
    await server.stop();
    database.run("update job set due_at = now(); update link_check set checked_at = checked_at - interval '2 days'");
    server = await startServer({ database, env });
    await until(() => database.query(
        "select from job where kind = 'links' and state = 'waiting' and due_at > now()").length === 1);
    return server;
}

test('a link that is gone is told the second time, one that refuses machines never', async () => {
    const env = { LABD_CHECK_LINKS: 'yes', LABD_PRIVATE_LINKS: 'yes' };
    let server = await startServer({ database });
    let ada = await admin(server);
    const path = '/admin/publications/new', fields = { kind: 'article', title: 'Linked',
        'authors.0.name': 'Ann Doe', year: '2024', venue: 'Tides' };
    for (const [name, status] of [['here', 200], ['gone', 404], ['robots', 403], ['down', 500],
        ['moved', 301]]) {
        site.at(`/${name}`, { status, body: 'x' });
        assert.equal((await ada.submit(await ada.get(path), path, { ...fields,
            title: `Linked ${name}`, url: `${site.base}/${name}` })).status, 303);
    }
    await server.stop();
    server = await look(env);
    assert.equal(database.value('select count(*) from link_check'), 5);
    ada = await admin(server);
    assert.doesNotMatch((await ada.get('/admin/health')).text, /Links that lead nowhere/);
    await server.stop();
    server = await look(env);
    ada = await admin(server);
    const page = await ada.get('/admin/health');
    assert.match(page.text, /Links that lead nowhere[^]*Linked gone[^]*HTTP 404/);
    for (const name of ['here', 'robots', 'down', 'moved'])
        assert.doesNotMatch(page.text.slice(page.text.indexOf('lead nowhere'),
            page.text.indexOf('</section>', page.text.indexOf('lead nowhere'))),
        new RegExp(`Linked ${name}`));
    await server.stop();
});

test('without leave, nothing private is asked for', async () => {
    const asked = site.asked.length;
    database.run("update link_check set checked_at = now() - interval '60 days'");
    const server = await look({ LABD_CHECK_LINKS: 'yes' });
    assert.equal(site.asked.length, asked);
    assert.equal(database.value("select count(*) from link_check where error = 'private'"), 5);
    await server.stop();
});
