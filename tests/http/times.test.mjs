// Times are shown by the lab's clock with its distance from UTC, whatever the clock of the
// server says.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { admin } from '../support/visitor.mjs';

let server, ada;
before(async () => {
    server = await startServer({ demo: true, env: { TZ: 'UTC', PGTZ: 'UTC' } });
    ada = await admin(server);
});
after(() => server?.stop());

test('times stand in the lab’s zone, on each page that has any', async () => {
    server.database.run(`update change set submitted_at = '2026-11-30T18:05:07Z',
        updated_at = '2026-11-30T18:05:07Z'`);
    for (const [zone, day, minute] of [['Asia/Shanghai', '2026-12-01', '02:05 UTC+8'],
        ['UTC', '2026-11-30', '18:05 UTC'], ['Asia/Kolkata', '2026-11-30', '23:35 UTC+5:30'],
        ['America/New_York', '2026-11-30', '13:05 UTC-5']]) {
        server.database.run(`update lab set time_zone = '${zone}'`);
        const id = server.database.value(
            "select min(id) from change where state = 'submitted'");
        for (const path of ['/admin', '/admin/changes', `/admin/changes/${id}`]) {
            const page = await ada.get(path);
            assert.equal(page.status, 200);
            assert.ok(page.text.includes(`>${day} ${minute}<`), `${path} in ${zone}`);
            assert.ok(page.text.includes('datetime="2026-11-30T18:05:07Z"'));
        }
    }
});

test('summer time counts at each time for itself', async () => {
    server.database.run("update lab set time_zone = 'Europe/Berlin'");
    server.database.run(`insert into event (at, actor, action) values
        ('2027-01-15T12:00:00Z', 'x', 'sign_out'), ('2027-07-15T12:00:00Z', 'x', 'sign_out')`);
    const page = await ada.get('/admin/events');
    assert.ok(page.text.includes('2027-01-15 13:00 UTC+1'));
    assert.ok(page.text.includes('2027-07-15 14:00 UTC+2'));
});
