// One change made to many works: through the history of each, told of each, undone in one.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let server;
let ada;
const list = '/admin/publications';
before(async () => {
    server = await startServer({ demo: true });
    ada = await admin(server);
});
after(() => server.stop());

const some = (n) => server.database.query(`select id from publication order by id limit ${n}`)
    .map(({ id }) => ['id', String(id)]);
const csrf = async () => (await ada.get(list)).forms
    .find(({ action }) => action.startsWith(`${list}/bulk`)).fields
    .find(([name]) => name === 'csrf');
const bulk = async (fields, query = '') => ada.post(`${list}/bulk${query}`,
    [await csrf(), ...fields]);
const works = (sql) => server.database.query(`select w.id, w.kind, w.venue, w.selected, w.weight,
    w.version, (select json_agg(t.slug order by x.position) from publication_topic x
        join topic t on t.id = x.topic_id where x.publication_id = w.id) as topics
    from publication w where ${sql} order by w.id`);
const snapshot = () => works('true').map(({ version, ...rest }) => rest);

test('the list has the filters of the public one', async () => {
    const n = server.database.value(`select count(*) from publication_topic x
        join topic t on t.id = x.topic_id where t.slug = 'ferry'`);
    const page = await ada.get(`${list}?project=ferry`);
    assert.equal([...page.text.matchAll(/type="checkbox" name="id"/g)].length, n);
    assert.match(page.text, /action="\/admin\/publications\/bulk\?project=ferry"/);
});

test('the chosen works change, others do not, and all of it is undone at once', async () => {
    const before = snapshot();
    const chosen = some(5);
    const done = await bulk([...chosen, ['set_kind', 'report'], ['set_venue', 'Elsewhere'],
        ['set_selected', 'yes'], ['set_weight', '7'], ['add_topic', 'ferry'],
        ['drop_topic', 'memory-systems']]);
    assert.equal(done.status, 200);
    assert.match(done.text, /5 works were changed/);
    const ids = chosen.map(([, id]) => id);
    for (const work of works(`w.id in (${ids})`)) {
        assert.equal(work.kind, 'report');
        assert.equal(work.venue, 'Elsewhere');
        assert.equal(work.selected, true);
        assert.equal(work.weight, 7);
        assert(work.topics.includes('ferry') && !work.topics.includes('memory-systems'));
        assert.equal(work.version, 2);
    }
    assert.deepEqual(snapshot().filter(({ id }) => !ids.includes(String(id))),
        before.filter(({ id }) => !ids.includes(String(id))));
    const undone = await ada.submit(done, `${list}/bulk/undo`);
    assert.match(undone.text, /5 works are as they were/);
    assert.deepEqual(snapshot(), before);
    const again = await ada.submit(done, `${list}/bulk/undo`);
    assert.match(again.text, /Changed by somebody else meanwhile/);
    assert.deepEqual(snapshot(), before);
});

test('what a filter finds is changed whole, beyond its first page', async () => {
    const done = await bulk([['all', 'yes'], ['set_weight', '3']], '?from=2015');
    const n = server.database.value('select count(*) from publication where year >= 2015');
    assert(n > 50);
    assert.match(done.text, new RegExp(`${n} works were changed`));
    assert.equal(works('weight = 3').length, n);
    const same = await bulk([['all', 'yes'], ['set_weight', '3']], '?from=2015');
    assert.match(same.text, /0 works were changed/);
});

test('nothing chosen, nothing set and impossible values change nothing', async () => {
    const before = snapshot();
    for (const [fields, notice] of [[[['set_kind', 'book']], 'nothing_chosen'],
        [some(2), 'works_nothing_set'], [[...some(2), ['set_kind', 'poem']], 'works_value'],
        [[...some(2), ['set_weight', '1e9']], 'works_value'],
        [[...some(2), ['set_selected', 'perhaps']], 'works_value'],
        [[['id', '1,x'], ['set_kind', 'book']], 'nothing_chosen']]) {
        const answer = await bulk(fields);
        assert.equal(answer.status, 303);
        assert.match(answer.headers.location ?? answer.location, new RegExp(`notice=${notice}`));
    }
    const refused = await bulk([...some(2), ['id', '999999'], ['add_topic', 'none']]);
    assert.match(refused.text, /Refused/);
    assert.match(refused.text, /No longer there/);
    assert.deepEqual(snapshot(), before);
    assert.equal((await new Visitor(server).post(`${list}/bulk`, some(1))).status === 200, false);
});
