// Every page that members and admins have, found by following links from the first one and
// held against the table of routes: in both languages it is accessible, and the keyboard
// alone comes to everything on it that can be used, and shows where it is.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Person, launch } from '../support/browser.mjs';
import { root, startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

// What answers a GET and is no page, and the one page whose address only a mail that was
// sent knows (tests/browser/mail.test.mjs looks at it).
const others = ['/healthz', '/readyz', '/photos/:token/:name', '/files/:token/:name', '/my/data/export',
    '/admin/collections/:id/live', '/publications.bib', '/publications/:slug/bibtex',
    '/mail/stop/:token', '/.well-known/security.txt'];

const routes = [...readFileSync(join(root, 'server/routes.c'), 'utf8')
    .matchAll(/\{GET,\s+"([^"]+)",\s*(ANYONE|MEMBER|ADMIN),/g)]
    .map(([, pattern, audience]) => ({ pattern, audience, expression: new RegExp(
        `^${pattern.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`) }))
    .filter(({ pattern }) => !others.includes(pattern) && !pattern.startsWith('/api/'));

// The most exact of the routes that a path fits.
const routeOf = (path) => routes.filter(({ expression }) => expression.test(path))
    .sort((a, b) => (a.pattern.match(/:/g) ?? []).length - (b.pattern.match(/:/g) ?? []).length)[0];

let browser;
let server;

before(async () => {
    browser = await launch();
    server = await startServer({ demo: true });
});
after(async () => {
    await browser?.close();
    await server?.stop();
});

async function member(ada, slug) {
    const page = await ada.submit(await ada.get(`/admin/people/${slug}`),
        `/admin/people/${slug}/links`);
    const visitor = new Visitor(server);
    visitor.link = /http:\/\/[^"<\s]*\/sign-in\/link\/[\w-]+/.exec(page.text)[0];
    await visitor.open(visitor.link);
    return visitor;
}

// Where each kind of page is, as one who is signed in finds it: {pattern: path}.
async function explore(visitor, begin, found = {}) {
    const queue = [...begin];
    const seen = new Set(queue);
    while (queue.length > 0) {
        const address = queue.shift();
        const path = address.split('?')[0];
        const route = routeOf(path);
        if (!route || found[route.pattern]?.visited > 2) continue;
        const answer = await visitor.get(address);
        if (answer.status === 303) {
            queue.push(answer.location.replace(server.url, ''));
            continue;
        }
        if (answer.status !== 200 || !/text\/html/.test(answer.headers['content-type'])) continue;
        found[route.pattern] ??= { address, visited: 0 };
        found[route.pattern].visited += 1;
        for (const [, href] of answer.text.matchAll(/href="(\/(?:my|admin|members|sign-in)[^"#]*)/g)) {
            const next = href.replaceAll('&amp;', '&');
            if (!seen.has(next)) queue.push(next);
            seen.add(next);
        }
    }
    return found;
}

// What the keyboard does not come to, or comes to without a mark.
async function walk(person) {
    const { page } = person;
    const wanted = await page.evaluate(() => {
        const usable = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
        const list = [...document.querySelectorAll(usable)].filter((e) =>
            !e.disabled && e.type !== 'hidden' && e.tabIndex >= 0 && e.checkVisibility({
                visibilityProperty: true }));
        // Of radio buttons one is come to.
        const kept = list.filter((e) => {
            if (e.type !== 'radio') return true;
            const group = list.filter((o) => o.type === 'radio' && o.name === e.name && o.form === e.form);
            return e === (group.find((o) => o.checked) ?? group[0]);
        });
        globalThis.wanted = new Set(kept);
        globalThis.marked = new Map(); // a date has several stops, its picker's mark within
        document.activeElement?.blur();
        scrollTo(0, 0);
        return kept.length;
    });
    for (let i = 0; i < wanted + 12; i++) {
        await page.keyboard.press('Tab');
        const ended = await page.evaluate(() => {
            const e = document.activeElement;
            if (e === document.body) return globalThis.wanted.size === 0;
            globalThis.wanted.delete(e);
            const marks = [e, e.parentElement, e.nextElementSibling].filter(Boolean)
                .map((m) => getComputedStyle(m));
            globalThis.marked.set(e, globalThis.marked.get(e) || marks.some((s) =>
                s.outlineStyle !== 'none' || s.boxShadow !== 'none'));
            return globalThis.wanted.size === 0;
        });
        if (ended) break;
    }
    return page.evaluate(() => [
        ...[...globalThis.wanted].map((e) => `not reached: ${e.outerHTML.slice(0, 160)}`),
        ...[...globalThis.marked].filter(([, marked]) => !marked)
            .map(([e]) => `no mark: ${e.outerHTML.slice(0, 160)}`)]);
}

async function look(visitor, pages) {
    const faults = [];
    for (const language of ['en', 'zh']) {
        const person = await Person.sit(browser, server, { language,
            viewport: { width: 1280, height: 800 } });
        await person.context.addCookies([...visitor.cookies].map(([name, value]) =>
            ({ name, value, url: server.url })));
        for (const address of pages) {
            try {
                await person.open(`${address}${address.includes('?') ? '&' : '?'}lang=${language}`);
                if (language === 'en')
                    faults.push(...(await walk(person)).map((fault) => `${address}: ${fault}`));
            } catch (error) {
                faults.push(`${address} (${language}): ${error.message.slice(0, 2000)}`);
            }
        }
        await person.context.close();
    }
    return faults;
}

test('every page is accessible in both languages, and usable by keyboard alone', async () => {
    const ada = await admin(server, 'ada@lantern.example');
    // Mails in the outbox, somebody who wants to leave, a form that lost its session.
    const wave = await ada.get('/admin/collections/1/waves/everyone');
    await ada.submit(wave, '/admin/collections/1/waves/everyone');
    const yutong = await member(ada, 'yutong-shen');
    const bo = await member(ada, 'bo-ouyang');
    const data = await bo.get('/my/data');
    for (const [action, values] of [
        ['/my/data/leaving', { ends: '2027-06-30', lasting: 'bo@elsewhere.example' }],
        ['/my/data/deletion', { sure: 'true' }]]) {
        const answer = await bo.submit(data, action, values);
        assert.equal(answer.status, 303, answer.text);
    }
    const profile = await bo.get('/my/profile');
    server.database.run(`update session set expires_at = now() - interval '1 minute' where
        account_id = (select id from account where email_folded = 'bo.ouyang@lantern.example')`);
    const held = await bo.submit(profile, '/my/profile', { office: 'typed too late' });
    const again = await member(ada, 'bo-ouyang');
    await again.submit(await again.get('/my/imports'), '/my/imports', { text: `
@article{a, title = {Ferry: Moving Pages Before They Are Missed}, author = {Lin, Xiao}, year = 2026}
@article{b, title = {Never seen before}, author = {Ouyang, Bo}, year = 2025, month = nomonth}
@article{c, title = {No end` });
    const heldAt = new URL(held.location, server.url).searchParams.get('next').split('?')[0];
    const deletion = server.database.query(
        `select '/admin/deletions/' || id as path from deletion_request`);
    const lasting = server.database.query(
        `select coalesce(substring(body from '/my/data/lasting/[A-Za-z0-9_-]+'), body) as path
        from mail where template = 'lasting_address'`);
    const unused = await ada.submit(await ada.get('/admin/people/jiahao-zhou'),
        '/admin/people/jiahao-zhou/links');
    const link = new URL(/http:\/\/[^"<\s]*\/sign-in\/link\/[\w-]+/.exec(unused.text)[0]).pathname;

    const stranger = new Visitor(server);
    const open = await explore(stranger, ['/sign-in', '/sign-in/code', link]);
    const admins = await explore(ada, ['/admin', '/admin/collections/1/waves/everyone',
        ...deletion.map((row) => row.path)]);
    const own = await explore(again, ['/my', heldAt, '/members/ada-okonkwo', '/my/page',
        '/my/collections/1?all=1', ...lasting.map((row) => row.path)]);
    await explore(yutong, ['/my', '/my/collections/1/receipt'], own);
    const all = { ...own, ...admins, ...open };
    assert.deepEqual(routes.map((r) => r.pattern).filter((pattern) => !all[pattern]), [],
        'pages that nothing leads to');
    const paths = (found, begin) => Object.entries(found)
        .filter(([pattern]) => pattern.startsWith(begin)).map(([, { address }]) => address);
    const receipt = paths(own, '/my/collections/:id/receipt');
    const faults = [
        ...await look(stranger, paths(open, '/sign-in')),
        ...await look(ada, paths(admins, '/admin')),
        ...await look(again, [...paths(own, '/my').filter((p) => !receipt.includes(p)),
            ...paths(own, '/members')]),
        ...await look(yutong, receipt),
    ];
    assert.deepEqual(faults, []);
});
