// A CSL item as a publication document, for citations.mjs: names and fields alone.
const kinds = {
    'article-journal': 'article', 'paper-conference': 'conference', book: 'book',
    chapter: 'chapter', thesis: 'thesis', report: 'report', article: 'preprint',
    software: 'software', dataset: 'dataset',
};
const text = value => value == null || value === '' ? null : String(value);
const untagged = value => text(value)?.replace(/<\/?(i|b|sup|sub|span)\b[^>]*>/g, '') ?? null;

function person(name) {
    if (name.literal)
        return {name: name.literal, family: name.literal, given: null}; // names.h
    const family = [name['dropping-particle'], name['non-dropping-particle'], name.family]
        .filter(Boolean).join(' ').replace(/([’'-]) /g, '$1');
    return {
        name: /\p{Script=Han}/u.test(family) ? family + (name.given ?? '')
            : [name.given, family, name.suffix].filter(Boolean).join(' '),
        family: text(family), given: text(name.given),
    };
}

export function documentOf(item) {
    const [year, month, day] = item.issued?.['date-parts']?.[0] ?? [];
    const doi = item.DOI?.replace(/^https?:\/\/(dx\.)?doi\.org\//, '');
    return {
        kind: kinds[item.type], title: untagged(item.title),
        authors: (item.author ?? []).map(person), editors: (item.editor ?? []).map(person),
        venue: untagged(item['container-title']), series: text(item['collection-title']),
        volume: text(item.volume), issue: text(item.issue), number: text(item.number),
        pages: text(item.page), edition: text(item.edition),
        publisher: text(item.publisher), place: text(item['publisher-place']),
        genre: text(item.genre), year: year ?? null, month: month ?? null, day: day ?? null,
        url: text(item.URL), identifiers: doi ? [{scheme: 'doi', value: doi}] : [],
    };
}
