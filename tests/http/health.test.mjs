// What the works lack is told on one page, until it is mended.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let server;
let ada;
let number = 0;
before(async () => {
    server = await startServer();
    ada = await admin(server);
});
after(() => server.stop());

const add = async (values) => {
    const path = '/admin/publications/new';
    const saved = await ada.submit(await ada.get(path), path,
        { kind: 'article', 'authors.0.name': 'Ann Doe', year: '2024', venue: 'Tides',
            'identifiers.0.scheme': 'doi', 'identifiers.0.value': `10.5555/${++number}`,
            ...values });
    assert.equal(saved.status, 303, saved.text);
};
const sections = (page) => [...page.text.matchAll(/<section class="panel" id="(\w+)">/g)]
    .map(([, id]) => id);

test('a lab without works is well', async () => {
    const page = await ada.get('/admin/health');
    assert.equal(page.status, 200);
    assert.match(page.text, /All is well/);
    assert.deepEqual(sections(page), []);
    assert.equal((await new Visitor(server).get('/admin/health')).status, 303);
});

test('each fault is listed under its check, and gone when it is mended', async () => {
    await add({ title: 'Sound in every way' });
    assert.deepEqual(sections(await ada.get('/admin/health')), []);
    await add({ title: 'No year at all', year: '' });
    await add({ title: 'Nowhere', venue: '' });
    await add({ title: 'Not identified', 'identifiers.0.scheme': '', 'identifiers.0.value': '' });
    await add({ title: 'By nobody', 'authors.0.name': '' });
    for (const title of ['CACHES THAT SHOUT LOUDLY', 'all of it is small', 'An {FPGA}-based router',
        'Tuning of <sub>x</sub> films', 'It ends with a stop.'])
        await add({ title });
    const page = await ada.get('/admin/health');
    assert.deepEqual(sections(page), ['year', 'venue', 'identifier', 'authors', 'title']);
    assert.match(page.text, /Titles that look wrong <span class="count">5</);
    assert.doesNotMatch(page.text, /Sound in every way/);
    const one = await ada.get('/admin/health?check=title');
    assert.deepEqual(sections(one), ['title']);
    assert.deepEqual(sections(await ada.get('/admin/health?check=no-such')), sections(page));
    const path = /href="(\/admin\/publications\/[^"]+)">No year at all/.exec(page.text)[1];
    assert.equal((await ada.submit(await ada.get(path), path, { year: '2020' })).status, 303);
    assert.deepEqual(sections(await ada.get('/admin/health')),
        ['venue', 'identifier', 'authors', 'title']);
});

test('members without a work are named, in Chinese too', async () => {
    assert.equal((await ada.submit(await ada.get('/admin/people/new'), '/admin/people/new',
        { role: 'phd', language: 'en', name_han: '林晓', email: 'lin@lab.example' })).status, 303);
    const page = await ada.get('/admin/health', { headers: { 'Accept-Language': 'zh' } });
    assert.ok(sections(page).includes('people'));
    assert.match(page.text, /林晓/);
});
