// The public pages of the demo lab: every one that a visitor can reach by links is there in
// both languages, filters live in the address, and what is typed comes back escaped.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';

let server;
const get = async (path, options) => {
    const answer = await fetch(server.url + path, { redirect: 'manual', ...options });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const unescaped = (text) => text.replaceAll('&amp;', '&');
const links = (html) => [...html.matchAll(/<a [^>]*href="(\/[^"]*)"/g)]
    .map(([, path]) => unescaped(path).replace(/#.*/, ''));
const works = (html) => [...html.matchAll(/<li class="work">/g)].length;

before(async () => {
    server = await startServer({ demo: true });
});
after(() => server.stop());

test('every page that links lead to is there, whole, in both languages', async () => {
    const seen = new Set(['/en/', '/zh/']);
    for (const path of seen) {
        const { status, text, headers } = await get(path);
        assert.equal(status, 200, path);
        if (!headers.get('content-type').startsWith('text/html')) continue;
        const lang = path.startsWith('/zh') ? 'zh-CN' : 'en';
        if (path.startsWith('/zh') || path.startsWith('/en'))
            assert.match(text, new RegExp(`<html lang="${lang}">`), path);
        assert.equal(text.match(/<h1[ >]/g)?.length, 1, path);
        assert.match(text, /<title>[^<]+<\/title>/, path);
        assert.doesNotMatch(text, / style="| on[a-z]+="|(src|href)="(http:)?\/\//, path);
        for (const next of links(text)) seen.add(next);
    }
    assert(seen.size > 180, `only ${seen.size} pages`);
});

test('the other language is one link away, with the same filters', async () => {
    const { text } = await get('/en/publications?kind=article&q=memory');
    assert(links(text).includes('/zh/publications?kind=article&q=memory'));
});

test('filters combine, count what they show, and can be cleared', async () => {
    const all = await get('/en/publications');
    const [{ n }] = server.database.query(
        `select count(*)::int as n from publication where kind = 'article'
            and year = 2022 and search like '%memory%'`);
    const some = await get('/en/publications?kind=article&year=2022&q=Memory');
    assert.equal(works(some.text), n);
    assert(works(all.text) > n);
    assert.match(some.text, /<option value="article" selected>/);
    assert(links(some.text).includes('/en/publications'));
    const none = await get('/en/publications?q=' + encodeURIComponent('"><script>x</script>'));
    assert.equal(none.status, 200);
    assert.equal(works(none.text), 0);
    assert.doesNotMatch(none.text, /<script>x/);
});

test('what narrows the list stands above it, each with a way to take it away', async () => {
    const { text } = await get('/en/publications?kind=article&from=2020&to=2023&q=e');
    const chips = /<ul class="chips"[^]*?<\/ul>/.exec(text)[0];
    assert.deepEqual(links(chips), ['/en/publications?kind=article&from=2020&to=2023',
        '/en/publications?q=e&from=2020&to=2023', '/en/publications?q=e&kind=article',
        '/en/publications']);
    assert.match(chips, />2020–2023 /);
    assert(links(text).includes('/publications.bib?q=e&kind=article&from=2020&to=2023'));
    const turned = await get('/en/publications?from=2023&to=2020');
    assert.equal(works(turned.text), server.database.value(
        'select count(*) from publication where year between 2020 and 2023'));
    assert.doesNotMatch((await get('/en/publications')).text, /class="chips"/);
});

test('selected papers stand on the home page and make a list', async () => {
    const n = server.database.value('select count(*) from publication where selected');
    assert(n > 0);
    assert(links((await get('/en/')).text).includes('/en/publications?selected=yes'));
    assert.equal(works((await get('/en/publications?selected=yes')).text), n);
});

test('the chart counts every work with a year, and is a table too', async () => {
    const { text } = await get('/zh/publications');
    const chart = /<section class="works-chart"[^]*?<\/section>/.exec(text)[0];
    const totals = [...chart.matchAll(/<td class="number">(\d+)<\/td><\/tr>/g)];
    assert.equal(totals.reduce((sum, [, total]) => sum + Number(total), 0), server.database.value(
        'select count(*) from publication where year is not null'));
    assert.doesNotMatch((await get('/zh/publications?kind=article')).text, /works-chart/);
});

test('numbers become links, a published paper leads to its preprint', async () => {
    server.database.run(`with w as (insert into publication (slug, kind, title, title_folded,
        venue, year, search, award) values ('both', 'article', 'Both', 'both', 'Tides', 2024,
        'both ways', 'Best paper') returning id) insert into publication_identifier
        select id, n, s, v from w, (values (1, 'arxiv', '2401.00001'), (2, 'doi', '10.1/a<b'))
        x (n, s, v)`);
    server.database.run(`with v as (insert into venue (slug, name, rank)
        values ('tides', 'Tides', 'CCF-A; CORE-A*') returning id)
        insert into venue_alias select 'tides', id, 'Tides' from v`);
    const { text } = await get('/en/publications?venue=tides');
    assert.equal(works(text), 1);
    assert.match(text, /href="https:\/\/arxiv.org\/abs\/2401.00001">Preprint</);
    assert.match(text, /href="https:\/\/doi.org\/10.1\/a%3Cb">DOI</);
    assert.match(text, /CCF-A<\/span>.*CORE-A\*<\/span>.*Best paper<\/span>/);
    server.database.run("delete from venue where slug = 'tides'");
    server.database.run("delete from publication where slug = 'both'");
});

test('arguments that mean nothing are as if they were not there', async () => {
    const all = await get('/en/publications');
    for (const nonsense of ['year=abc', 'year=-1', 'kind=poem', 'person=nobody', 'after=x',
        'after=99999999999999999999', 'after=20240101-0', 'after=999999999', 'venue=none',
        'topic=none', 'project=none', 'selected=no', 'from=12', 'to=99999', 'q=%20', 'colour=red']) {
        const { status, text } = await get(`/en/publications?${nonsense}`);
        assert.equal(status, 200, nonsense);
        assert.equal(works(text), works(all.text), nonsense);
    }
});

test('pages of the list show every work once', async () => {
    const slugs = [];
    for (let path = '/en/publications', pages = 0; path && pages < 9; pages++) {
        const { text } = await get(path);
        slugs.push(...[...text.matchAll(/<h3><a href="([^"]*)"/g)].map(([, slug]) => slug));
        path = unescaped(/rel="next" href="([^"]*)"/.exec(text)?.[1] ?? '');
    }
    assert.equal(slugs.length, server.database.value('select count(*) from publication'));
    assert.equal(new Set(slugs).size, slugs.length);
});

test('a BibTeX file has the works of the list; a work has its own', async () => {
    const all = await get('/publications.bib');
    assert.match(all.headers.get('content-type'), /^text\/x-bibtex/);
    assert.equal(all.text.match(/^@/gm).length,
        server.database.value('select count(*) from publication'));
    const { slug } = server.database.query('select slug from publication limit 1')[0];
    const one = await get(`/publications/${encodeURIComponent(slug)}/bibtex`);
    assert.equal(one.text.match(/^@/gm).length, 1);
    assert(all.text.includes(one.text));
});

test('an imported entry is kept, what its owner noted in it stays inside', async () => {
    const entry = '@article{Berg:24, title = {A quiet work}, author = {Ada Berg}, ' +
        'journal = {Tides}, year = 2024, annote = {inside}, file = {/home/inside/a.pdf}}';
    server.database.run(`insert into publication (slug, kind, title, title_folded, year, search,
        bibtex, bibtex_key, bibtex_type) values ('quiet', 'article', 'A quiet work',
        'a quiet work', 2024, 'a quiet work', '${entry}', 'Berg:24', 'article')`);
    for (const path of ['/en/publications/quiet', '/publications/quiet/bibtex',
        '/publications.bib?q=quiet', '/api/v1/publications/quiet',
        '/api/v1/publications?q=quiet']) {
        const { status, text } = await get(path);
        assert.equal(status, 200);
        assert(!text.includes('inside'), path);
    }
    const { text } = await get('/publications/quiet/bibtex');
    assert.match(text, /^@article\{Berg:24,/);
    server.database.run("delete from publication where slug = 'quiet'");
});

test('hidden contact data is on no page', async () => {
    const hidden = server.database.query(`select slug, email from person
        where coalesce(visibility ->> 'email', 'members') <> 'public' and email is not null`);
    assert(hidden.length > 0);
    for (const { slug, email } of hidden)
        assert(!(await get(`/en/people/${encodeURIComponent(slug)}`)).text.includes(email), slug);
});

test('what is not there says so in the language of the address', async () => {
    const { status, text } = await get('/zh/people/nobody');
    assert.equal(status, 404);
    assert.match(text, /<h1>页面不存在<\/h1>/);
    assert.match(text, /<meta name="robots" content="noindex">/);
});
