// A paper's way into the list, in a browser: pasted, looked at, joined with the one that is
// here, seen by visitors and taken away again in each format. Once with scripts in a wide
// window, once without in a phone's and in Chinese. Every page on the way is checked (see
// Person).

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Person, launch, words } from '../support/browser.mjs';
import { startServer } from '../support/server.mjs';

const preprint = `@misc{tides24, author = {Lin, Xiao and T{\\"a}ng, Wei}, title = {Tides of
  {NUMA} Memory}, year = 2024, eprint = {2405.01234}, archivePrefix = {arXiv}}
`;
const published = `@article{tides25, author = {Lin, Xiao and T{\\"a}ng, Wei}, title = {Tides of
  {NUMA} Memory}, journal = {Trans. Invented Systems}, year = 2025, volume = 7,
  doi = {10.5555/tides}}
@inproceedings{ferry, author = {T{\\"a}ng, Wei}, title = {A Ferry Between Two Shores},
  booktitle = {Invented Conference}, year = 2023}
@article{broken, title = {Never closed`;

let browser;

before(async () => {
    browser = await launch();
});
after(() => browser.close());

async function signIn(person, server) {
    const { stdout } = await server.labd('admin', 'link', 'ada@lab.example');
    await person.open(new URL(/https?:\S+/.exec(stdout)[0]).pathname);
    await person.act(() => person.page.locator('main form button').first().click());
}

async function paste(person, text, say) {
    await person.open('/my/imports');
    await person.page.locator('main textarea[name=text]').fill(text);
    await person.press(say('imports.read'));
}

const entry = (person, number) => person.page.locator(`#entry-${number}`);
const choice = (person, number, value) =>
    person.page.locator(`#entry-${number} input[value=${value}]`);

async function bringIn(ada, say) {
    await paste(ada, preprint, say);
    assert.match(await entry(ada, 1).innerText(), new RegExp(say('imports.fate.new')));
    await ada.press(say('imports.apply_admin'));
    await ada.expect(/Tides of NUMA Memory/);
}

// The published version is found to be the preprint, and joined with it.
async function join(ada, say, server) {
    await paste(ada, published, say);
    const first = entry(ada, 1);
    assert.match(await first.innerText(), /Wei Täng/);
    assert.equal(await first.locator('a[href^="/publications/"]').count(), 1);
    await first.locator('summary').click();
    assert.match(await first.locator('.diff').innerText(), /Trans\. Invented Systems/);
    assert.match(await entry(ada, 3).innerText(), new RegExp(say('imports.fate.refused')));
    await choice(ada, 1, 'update').check();
    await choice(ada, 2, 'skip').check();
    // What was chosen is kept until it is applied.
    await ada.press(say('imports.keep'));
    assert.ok(await choice(ada, 1, 'update').isChecked());
    assert.ok(await choice(ada, 2, 'skip').isChecked());
    await ada.press(say('imports.apply_admin'));
    assert.equal(server.database.value('select count(*)::int from publication'), 1);
    const schemes = server.database.query(
        'select scheme from publication_identifier order by scheme');
    assert.deepEqual(schemes.map((row) => row.scheme), ['arxiv', 'doi']);
}

// What a visitor gets from each link to all works.
async function takeAway(visitor, prefix) {
    await visitor.open(`${prefix}/publications`);
    await visitor.expect(/Tides of NUMA Memory/);
    const links = await visitor.page.locator('a[href*="/publications."]').evaluateAll(
        (all) => all.map((a) => a.getAttribute('href')));
    assert.ok(links.some((href) => href.includes('/publications.bib')), links.join(' '));
    for (const href of new Set(links)) {
        const answer = await visitor.context.request.get(href);
        assert.equal(answer.status(), 200, href);
        const body = await answer.body();
        if (/\.xlsx/.test(href)) assert.equal(body.subarray(0, 2).toString(), 'PK', href);
        else assert.match(body.toString(), /Tides of\s+\{?NUMA\}? Memory/, href);
    }
    await visitor.follow('Tides of NUMA Memory');
    await visitor.expect(/10\.5555\/tides/);
    await visitor.expect(/2405\.01234/);
}

async function wholeWay(language, options) {
    const server = await startServer();
    const say = (key) => words(language, key);
    try {
        const ada = await Person.sit(browser, server, { language, ...options });
        await signIn(ada, server);
        await ada.open(`/my/imports?lang=${language}`); // an admin's language is English at first
        await bringIn(ada, say);
        await join(ada, say, server);
        // The same text once more: nothing is left to do for the work that is here.
        await paste(ada, published, say);
        assert.match(await entry(ada, 1).innerText(),
            new RegExp(say('imports.fate.unchanged')));
        const visitor = await Person.sit(browser, server, { language, ...options });
        await takeAway(visitor, `/${language}`);
        await visitor.leave();
        await ada.leave();
    } finally {
        await server.stop();
    }
}

test('from pasted text to the public list, with scripts', () =>
    wholeWay('en', { viewport: { width: 1280, height: 900 } }));

test('the same without scripts, on a phone, in Chinese', () =>
    wholeWay('zh', { viewport: { width: 360, height: 780 }, javaScriptEnabled: false }));
