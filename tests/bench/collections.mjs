// Measures of a large collection: 2,000 people asked 40 questions each, written straight
// into the tables; tests/bench/README.md says what they are.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';
import { alone, output } from './tools.mjs';

const people = 2000;
const fields = 40;
const members = 24; // who type at the same time

// Four of five have sent in; everybody has had three mails.
function fill(database) {
    database.run(`
        insert into lab (name_en, name_zh) values ('Bench', '测试') on conflict do nothing;
        insert into person (slug, given_latin, family_latin, name_han, email)
            select 'person-' || i, 'Given ' || i, 'Family ' || i * 7919 % 2003, '林晓' || i,
                'person-' || i || '@lab.example'
            from generate_series(1, ${people}) i;
        insert into person_alias (person_id, position, name, folded, stated)
            select id, 0, name_latin, lower(name_latin), false from person;
        insert into appointment (person_id, position, role, starts)
            select id, 0, (array['phd', 'master', 'postdoc', 'faculty'])[1 + id % 4],
                '2020-09-01' from person;
        insert into account (person_id, email, email_folded)
            select id, email, email from person;
        with c as (insert into collection (kind, title_en, title_zh, deadline, state,
                definition)
            values ('custom', 'Yearly', '年度信息', lab_today() + 10, 'open', '{}')
            returning id),
        f as (insert into form_version (collection_id, number, definition)
            select id, 1, json_build_object('title', json_build_object('en', 'Yearly', 'zh',
                '年度信息'), 'sections', json_build_array(json_build_object('title',
                json_build_object('en', 'All', 'zh', '全部'), 'fields', (
                    select json_agg(json_build_object('name', 'f' || n, 'type', 'text',
                        'label', json_build_object('en', 'Field ' || n, 'zh', '字段 ' || n)))
                    from generate_series(1, ${fields}) n))))
            from c returning id, collection_id),
        w as (insert into wave (collection_id, number, kind, form_version_id)
            select collection_id, 1, 'everyone', id from f returning *)
        insert into invitation (collection_id, account_id, wave_id, pilot, form_version_id,
                invited_at)
            select w.collection_id, a.id, w.id, false, w.form_version_id,
                now() - interval '9 days' from w, account a where a.person_id is not null;
        update collection set definition = f.definition from form_version f;
        insert into mail (message_id, template, language, account_id, collection_id,
                invitation_id, to_address, subject, body, state)
            select 'bench-' || i.id || '-' || n, 'invitation', 'en', i.account_id,
                i.collection_id, i.id, a.email, 'Asked', 'Please.', 'sent'
            from invitation i join account a on a.id = i.account_id,
                generate_series(1, 3) n;
        insert into change (entity, target_id, base_version, document, state, source,
                author_id, submitted_at)
            select 'answer', i.id, 1, (select json_object_agg('f' || n,
                    'Answer ' || n || ' 回答 of ' || i.id) from generate_series(1, ${fields}) n),
                'submitted', 'form', i.account_id, now()
            from invitation i where i.id % 5 > 0;`);
    database.run('vacuum analyze');
}

const status = (pid, name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm')
    .exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024 / 1e6;

// What somebody waits for, from sending the request to the last byte.
async function fetched(url, options) {
    const before = performance.now();
    const answer = await fetch(url, options);
    const body = Buffer.from(await answer.arrayBuffer());
    assert.equal(answer.status, 200, body.subarray(0, 2000).toString());
    return { took: performance.now() - before, body };
}

async function exporting(server, headers, path) {
    const page = (await fetched(server.url + path, { headers })).body.toString();
    const form = new URLSearchParams([['csrf', /name="csrf" value="([^"]+)"/.exec(page)[1]],
        ['format', 'xlsx'], ['style', 'words'], ['which', 'sent'],
        ...[...page.matchAll(/name="column" value="([^"]+)"/g)].map(([, v]) => ['column', v])]);
    const growth = [];
    const took = await alone(async () => {
        const resident = status(server.pid, 'VmRSS');
        writeFileSync(`/proc/${server.pid}/clear_refs`, '5'); // VmHWM begins anew
        const { took: ms, body } = await fetched(server.url + path,
            { method: 'POST', body: form, headers: { ...headers, Origin: server.url } });
        assert.equal(body.readUInt32LE(), 0x04034b50); // a zip
        growth.push(status(server.pid, 'VmHWM') - resident);
        return ms;
    });
    return [
        { name: `export of ${people} x ${fields} to XLSX`, unit: 'ms', most: 2000, ...took },
        { name: '  memory that it takes at its peak', unit: 'MB', most: 100,
            ours: Math.max(...growth), peer: null, ratio: null, runs: growth },
    ];
}

// Members who have begun, each with a session of their own, made by links that the admin
// hands over.
async function writers(server, ada, path, ids) {
    const act = `${path}/act`;
    const asked = await ada.submit(await ada.get(path), act,
        { id: null, action: 'link', ids: ids.join(',') });
    const done = await ada.submit(asked, act);
    const links = [...done.text.matchAll(/value="(http[^"]+\/sign-in\/link\/[^"]+)"/g)];
    assert.equal(links.length, ids.length);
    return Promise.all(links.map(async ([, link]) => {
        const member = new Visitor(server);
        await member.open(link);
        return member;
    }));
}

// A section's 40 fields, one of which goes on growing; the draft is there already.
async function autosaves(server, ada, path, database) {
    const ids = database.query(`select i.id::int from invitation i
        where i.id % 5 = 0 order by i.id limit ${members}`).map(({ id }) => id);
    const own = path.replace('/admin', '/my');
    const lines = [];
    for (const member of await writers(server, ada, path, ids)) {
        const { forms } = await member.get(`${own}/sections/1`);
        const form = forms.find(({ action }) => action === `${own}/sections/1`);
        const values = new URLSearchParams(form.fields.filter(([name]) => name !== '-seen')
            .map(([name, value]) => [name, /^f\d+$/.test(name) ? `Answer 回答 ${name}` : value]));
        const first = await member.post(`${own}/autosave`, [...values,
            ['-seen', form.fields.find(([name]) => name === '-seen')[1]]]);
        assert.equal(first.status, 200, first.text);
        values.delete('f40');
        lines.push(`${[...member.cookies].map(([k, v]) => `${k}=${v}`).join('; ')}\t${values}` +
            '\tf40');
    }
    const folder = mkdtempSync(join(tmpdir(), 'labd-bench-'));
    const users = join(folder, 'users');
    writeFileSync(users, `${lines.join('\n')}\n`);
    const script = join(import.meta.dirname, 'autosave.lua');
    const version = 'select sum(version)::int from change where entity = \'answer\'';
    const took = await alone(async () => {
        const before = database.value(version);
        const told = await output('wrk', `-t${members}`, `-c${members}`, '-d3s', '-s', script,
            `${server.url}${own}/autosave`, '--', users);
        const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(told)?.[1] ?? 0);
        // The first save of each thread does not know what the last of the run before did.
        assert.ok(refused <= members, told);
        const saved = database.value(version) - before;
        const requests = Number(/(\d+) requests in/.exec(told)[1]);
        assert.ok(saved >= requests - refused - members, `${saved} saved of ${told}`);
        return saved / Number(/requests in ([\d.]+)s/.exec(told)[1]);
    });
    rmSync(folder, { recursive: true });
    return { name: `autosaves of a section with ${fields} fields`, unit: 'saves/s', bar: 1000,
        ...took };
}

export async function collections() {
    const database = createDatabase();
    fill(database);
    const server = await startServer({ database, args: ['--workers=6'] });
    const ada = await admin(server);
    const headers = { Cookie: [...ada.cookies].map(([k, v]) => `${k}=${v}`).join('; ') };
    const path = `/admin/collections/${database.value('select id::int from collection')}`;
    const page = async () => (await fetched(server.url + path, { headers })).took;
    for (let i = 0; i < 60; i++) await page(); // every worker has its statements
    const measures = [
        { name: `board of ${people}, first page`, unit: 'ms', most: 50, ...await alone(page) },
        ...await exporting(server, headers, `${path}/export`),
        await autosaves(server, ada, path, database),
    ];
    await server.stop();
    database.drop();
    return measures;
}
