// A work's page: what a visitor reads, what Scholar, search engines and Zotero read, and
// the addresses that lead to it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../support/mails.mjs';
import { createDatabase, startServer } from '../support/server.mjs';
import { Visitor, admin } from '../support/visitor.mjs';

const site = 'https://lab.example';
let server; // writes; the other knows its address
let shown;
let database;
let ada;

const nasty = `Bridges </script><script>alert("1")</script> & 'more'`;
async function add(values) {
    const path = '/admin/publications/new';
    const saved = await ada.submit(await ada.get(path), path, values);
    assert.equal(saved.status, 303, saved.text);
    return saved;
}
const page = (slug, language = 'en') => new Visitor(shown).get(
    `/${language}/publications/${encodeURIComponent(slug)}`);
const slugOf = (title) => database.value(
    `select slug from publication where title like '${title}%'`);
const entities = (text) => text.replace(/&(amp|lt|gt|quot|#39);/g, (all) =>
    ({ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" })[all]);
const meta = (text) => [...text.matchAll(/<meta name="(citation_\w+)" content="([^"]*)">/g)]
    .map(([, name, value]) => [name, entities(value)]);
const linked = (text) => JSON.parse(
    /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(text)[1]);
const coins = (text) => new URLSearchParams(
    entities(/<span class="Z3988" title="([^"]*)">/.exec(text)[1]));

before(async () => {
    database = createDatabase();
    server = await startServer({ demo: true, database });
    ada = await admin(server);
    await add({ kind: 'article', title: nasty, venue: 'Journal of <Light> & Air',
        'authors.0.name': 'Xiao Lin', 'authors.1.name': 'Ludwig van Beethoven',
        year: '2024', month: '6', day: '1', volume: '12', issue: '3', pages: '100-112',
        abstract: 'Why & <how>.', award: 'Best paper <b>',
        'identifiers.0.scheme': 'doi', 'identifiers.0.value': '10.1234/a_b(c)',
        'identifiers.1.scheme': 'arxiv', 'identifiers.1.value': '2401.00001',
        'links.0.kind': 'code', 'links.0.url': 'https://code.example/',
        'links.1.kind': 'pdf', 'links.1.url': 'https://papers.example/p.pdf' });
    await add({ kind: 'thesis', title: '潮汐研究', genre: '博士学位论文', publisher: '清华大学',
        place: '北京', 'authors.0.name': '欧阳博', year: '2021', month: '6' });
    await add({ kind: 'other', title: 'Nothing else' });
    shown = await startServer({ database, env: { LABD_BASE_URL: site } });
});
after(async () => {
    await shown?.stop();
    await server?.stop();
    database?.drop();
});

test('Scholar reads an article in its fields', async () => {
    assert.deepEqual(meta((await page(slugOf('Bridges'))).text), [
        ['citation_title', nasty],
        ['citation_author', 'Xiao Lin'],
        ['citation_author', 'Ludwig van Beethoven'],
        ['citation_publication_date', '2024/06/01'],
        ['citation_journal_title', 'Journal of <Light> & Air'],
        ['citation_volume', '12'],
        ['citation_issue', '3'],
        ['citation_firstpage', '100'],
        ['citation_lastpage', '112'],
        ['citation_doi', '10.1234/a_b(c)'],
        ['citation_arxiv_id', '2401.00001'],
        ['citation_language', 'en'],
        ['citation_abstract_html_url', `${site}/en/publications/${slugOf('Bridges')}`],
        ['citation_pdf_url', 'https://papers.example/p.pdf'],
    ]);
});

test('a thesis names its university, and its date by the year alone', async () => {
    const fields = meta((await page(slugOf('潮汐'))).text);
    assert.deepEqual(fields.filter(([name]) => /date|dissertation|language/.test(name)), [
        ['citation_publication_date', '2021'],
        ['citation_dissertation_institution', '清华大学'],
        ['citation_dissertation_name', '博士学位论文'],
        ['citation_language', 'zh'],
    ]);
});

test('search engines read JSON-LD, which nothing in the work can leave', async () => {
    const { text } = await page(slugOf('Bridges'));
    const data = linked(text);
    assert.equal(data['@type'], 'ScholarlyArticle');
    assert.equal(data.name, nasty);
    assert.equal(data.datePublished, '2024-06-01');
    assert.equal(data.isPartOf.isPartOf.isPartOf.name, 'Journal of <Light> & Air');
    assert.equal(data.author[1].familyName, 'van Beethoven');
    assert.equal(data.author[0].url, `${site}/en/people/xiao-lin`);
    assert.deepEqual(data.sameAs, ['https://doi.org/10.1234/a_b(c)',
        'https://arxiv.org/abs/2401.00001']);
    assert.equal(text.match(/<script/g).length, 2, 'ours and the data');
    assert.equal(linked((await page(slugOf('潮汐'))).text)['@type'], 'Thesis');
});

test('Zotero finds the work', async () => {
    const article = coins((await page(slugOf('Bridges'))).text);
    assert.equal(article.get('rft_val_fmt'), 'info:ofi/fmt:kev:mtx:journal');
    assert.equal(article.get('rft.atitle'), nasty);
    assert.deepEqual(article.getAll('rft.au'), ['Xiao Lin', 'Ludwig van Beethoven']);
    assert.equal(article.getAll('rft_id')[0], 'info:doi/10.1234/a_b(c)');
    assert.equal(coins((await page(slugOf('潮汐'))).text).get('rft.inst'), '清华大学');
});

test('it is cited in every style, and can be had as a file', async () => {
    const { text } = await page(slugOf('Bridges'));
    for (const style of ['apa', 'ieee', 'gbt7714', 'acm', 'nature', 'plain'])
        assert.match(text, new RegExp(`id="citation-${style}"[^>]*>[^\\n]*Beethoven`, 'i'));
    assert.match(text, /Lin, X\., &amp; van Beethoven, L\. \(2024\)\. Bridges &lt;\/script&gt;/);
    assert.match(text, /@article\{/);
    const files = [...text.matchAll(/href="(\/publications\/[^"]*)" download/g)];
    assert.ok(files.length > 0);
    for (const [, path] of files)
        assert.equal((await new Visitor(shown).get(path)).status, 200, path);
    assert.match((await page(slugOf('潮汐'))).text,
        /欧阳博\. 潮汐研究\[D\]\. 北京: 清华大学, 2021\./);
});

test('buttons lead to what there is, a preprint by its number', async () => {
    const { text } = await page(slugOf('Bridges'));
    const bar = /<p class="actions">(<a.*)<\/p>/.exec(text)[1];
    assert.deepEqual([...bar.matchAll(/href="([^"]*)"[^>]*>([^<]*)/g)].map((m) => m.slice(1)), [
        ['https://papers.example/p.pdf', 'PDF'],
        ['https://arxiv.org/abs/2401.00001', 'Preprint'],
        ['https://code.example/', 'Code'],
        ['https://doi.org/10.1234/a_b(c)', 'DOI'],
    ]);
    assert.match(text, /Best paper &lt;b&gt;/);
});

test('what a work does not have is not there', async () => {
    for (const language of ['en', 'zh']) {
        const { status, text } = await page(slugOf('Nothing'), language);
        assert.equal(status, 200);
        assert.deepEqual(meta(text).map(([name]) => name),
            ['citation_title', 'citation_language', 'citation_abstract_html_url']);
        assert.doesNotMatch(text, /class="abstract"|class="award"|btn quiet" href|null/);
    }
});

test('a former address and a merged work lead on, in each language', async () => {
    const slug = slugOf('潮汐');
    database.run(`update publication set slug = '新的潮汐' where slug = '${slug}'`);
    const visitor = new Visitor(shown);
    const there = `/en/publications/${encodeURIComponent('新的潮汐')}`;
    let moved, merged; // the page cache hears of what psql wrote a moment later
    await until(async () => (moved = await visitor.get(
        `/en/publications/${encodeURIComponent(slug)}`)).status === 301);
    assert.equal(new URL(moved.location, site).pathname, there);
    assert.equal((await visitor.get(there)).status, 200);
    const other = slugOf('Nothing');
    database.run(`update publication set merged_into = (select id from publication
        where slug = '新的潮汐') where slug = '${other}'`);
    await until(async () => (merged = await visitor.get(`/zh/publications/${other}`)).status === 301);
    assert.equal(new URL(merged.location, site).pathname,
        there.replace('/en/', '/zh/'));
    assert.equal((await visitor.get('/en/publications/no-such-work')).status, 404);
});
