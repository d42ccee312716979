// A member says which works are theirs, an admin merges a preprint with its published
// version and takes it back: by clicks, with and without scripts, on a telephone and a desk.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Person, launch, words } from '../support/browser.mjs';
import { startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

let browser, server, ada, bo;
const pictures = process.env.LABD_PICTURES; // a folder, to look at the pages

async function addWork(values) {
    const path = '/admin/publications/new';
    const saved = await ada.submit(await ada.get(path), path, values);
    assert.equal(saved.status, 303, saved.text);
}

async function member(slug) {
    const page = await ada.submit(await ada.get(`/admin/people/${slug}`),
        `/admin/people/${slug}/links`);
    const visitor = new Visitor(server);
    await visitor.open(/http:\/\/[^"<\s]*\/sign-in\/link\/[\w-]+/.exec(page.text)[0]);
    return visitor;
}

async function sit(visitor, options) {
    const person = await Person.sit(browser, server, options);
    await person.context.addCookies([...visitor.cookies].map(([name, value]) =>
        ({ name, value, url: server.url })));
    return person;
}

before(async () => {
    browser = await launch();
    server = await startServer({ demo: true });
    ada = await admin(server, 'ada@lantern.example');
    bo = await member('bo-ouyang');
    const authors = { 'authors.0.name': 'B. Ouyang', 'authors.1.name': 'Somebody Else' };
    const title = 'Lighthouse: Finding the Pages that Nobody Will Ever Ask for Again';
    await addWork({ title, kind: 'preprint', year: '2025', venue: 'arXiv', ...authors,
        'identifiers.0.scheme': 'arxiv', 'identifiers.0.value': '2511.00001',
        abstract: 'A long abstract of a short paper.' });
    await addWork({ title, kind: 'conference', year: '2026', venue: 'OSDI', ...authors,
        'identifiers.0.scheme': 'doi', 'identifiers.0.value': '10.5555/lighthouse' });
    const path = '/my/publications/new';
    const lin = await member('xiao-lin');
    const sent = await lin.submit(await lin.get(path), path, { title: 'Sent in by Lin',
        kind: 'article', year: '2026', 'authors.0.name': 'Bo Ouyang' });
    assert.equal(sent.status, 303, sent.text);
    if (pictures) mkdirSync(pictures, { recursive: true });
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

async function picture(person, name) {
    if (pictures) await person.page.screenshot({ path: `${pictures}/${name}.png`,
        fullPage: true });
}

const desks = [
    ['en', { language: 'en', viewport: { width: 1440, height: 900 } }],
    ['zh-narrow', { language: 'zh', viewport: { width: 360, height: 740 } }],
    ['en-narrow-plain', { language: 'en', viewport: { width: 360, height: 740 },
        javaScriptEnabled: false }],
];

for (const [name, options] of desks)
    test(`the pages with something on them (${name})`, async () => {
        const member = await sit(bo, options), reviewer = await sit(ada, options);
        const lang = `lang=${options.language}`;
        for (const [who, path] of [[member, '/my'], [member, '/my/publications?list=confirm'],
            [member, '/my/entered'], [reviewer, '/admin/authors'],
            [reviewer, '/admin/duplicates'], [reviewer, '/admin/merge'],
            [reviewer, '/admin/merges']]) {
            await who.open(`${path}${path.includes('?') ? '&' : '?'}${lang}`);
            await picture(who, `${path.replace(/\W+/g, '_')}-${name}`);
        }
        await reviewer.open(`/admin/duplicates?${lang}`);
        await reviewer.act(() => reviewer.page.click('a.btn.small'));
        await picture(reviewer, `compare-${name}`);
        for (const person of [member, reviewer]) {
            person.quiet();
            await person.context.close();
        }
    });

for (const javaScriptEnabled of [true, false])
    test(`merged and undone, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
        const person = await sit(ada, { javaScriptEnabled });
        const say = (key) => words('en', key);
        await person.open('/admin/duplicates?lang=en');
        await person.act(() => person.page.click('a.btn.small'));
        await person.act(() => person.page.click(`button:text-is("${say('merge.submit')}")`));
        assert.match(await person.page.innerText('main'), /Merged\./);
        await person.act(() => person.page.click(`main button:has-text("${say('claim.undo')}")`));
        assert.match(await person.page.innerText('main'), /both works are as they were/);
        await person.context.close();
        const member = await sit(bo, { javaScriptEnabled });
        await member.open('/my/publications?list=confirm&lang=en');
        await member.act(() => member.page.click('button[name=mine]'));
        assert.match(await member.page.innerText('main'), /Confirmed/);
        await member.act(() => member.page.click(`main button:has-text("${say('claim.undo')}")`));
        assert.match(await member.page.innerText('main'), /Taken back/);
        await member.context.close();
    });
