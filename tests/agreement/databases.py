"""Suites of the formats of databases and reference managers: RIS, MEDLINE, CSL-JSON."""
import html
import json
import os
import re

from csl_fields import differences, of_csl, of_document
from importers import KEYS, of_fields, rich, rich_name
from support import convert, files, path, plain, text

# CSL's types that are one kind for us; those that are none are "document".
COARSE = {
    "article-magazine": "article-journal", "article-newspaper": "article-journal",
    "review": "article-journal", "review-book": "article-journal",
    "entry-encyclopedia": "chapter", "entry-dictionary": "chapter",
    "manuscript": "article", "standard": "report", "collection": "book", "classic": "book",
}
KINDS = {"article-journal", "paper-conference", "book", "chapter", "thesis", "report",
         "article", "software", "dataset"}


def markup_gone(value):
    """Text as it reads: no tags, no entities, nothing that is not seen."""
    if not isinstance(value, str):
        return value
    value = re.sub(r"<(script|style).*?</\1>", "", value, flags=re.S)
    value = html.unescape(re.sub(r"</?[a-zA-Z][^<>]*>", " ", value))
    return re.sub("[\u200b-\u200f\u2060\ufeff]", "", value)


def formless(fields):
    """Both sides alike in what is a matter of form alone: markup, blanks beside
    punctuation (left where a tag stood) and around the dash of pages, addresses without
    their scheme, DOIs as addresses."""
    for key, value in fields.items():
        if isinstance(value, str):
            value = plain(re.sub(r" ?([.,;:)])", r"\1", markup_gone(value)))
            if key == "page":
                value = re.sub(r"\s*-\s*", "-", value or "") or None
            if key == "URL" and value:
                value = re.sub("^https?://", "", value.split()[0].rstrip(";,"))
            if key == "DOI" and value:
                value = re.sub("^(https?://(dx.)?doi.org/|doi:? *)", "", value.lower())
            fields[key] = value
    return fields


def coarse(kind):
    kind = COARSE.get(kind, kind)
    return kind if kind in KINDS else "document"


def documents(*names, source=None):
    return [entry["document"] for entry in convert(*names, source=source)
            if entry["document"] is not None]


def with_whole_names(document):
    reduced = formless(of_document(document))
    for role, rows in (("author", document["authors"]), ("editor", document["editors"])):
        reduced[role] = [plain(row["name"]) for row in rows]
    return reduced


def whole_name(name):
    """As one reads it: 王小明, Ludwig van Beethoven Jr."""
    if isinstance(name, str):
        return plain(name)
    family = " ".join(name[key] for key in ("dropping-particle", "non-dropping-particle",
                                            "family") if name.get(key)).replace('"', "")
    given = name.get("given") or ""
    if re.fullmatch("[\u4e00-\u9fff·]+", family + given):
        return plain(family + given)
    return plain(name.get("literal") or name.get("name") or
                 " ".join(p for p in (given, family, name.get("suffix")) if p))


def note_of(item):
    """The note without the lines that reference managers keep there for themselves
    ("Select: zotero://...", "PMID: 12", "tex.related: x"), which are no note for us."""
    lines = [line for line in (item.get("note") or "").split("\n")
             if not re.match(r"\s*(\d{5,}\s*$|mlzsync1|[\w.-]*[_.-][\w.-]*\s*:|(Select|PMID|PMCID|"
                             r"DOI|WOS|OCLC|type|issued|genre|page|jurisdiction|publisher|"
                             r"Citation Key|Page Version ID|arXiv|ISBN|ISSN|narrator|"
                             r"Publication Title|place|LCCN|ADS Bibcode|Accession Number)\s*:)",
                             line, re.I)]
    return "\n".join(lines)


def whole_item(item):
    """An item of CSL-JSON, in the form of with_whole_names()."""
    fields = of_csl(item | {"note": note_of(item)})
    fields["type"] = coarse(fields["type"])
    if fields["type"] in ("software", "dataset"):
        fields["edition"] = fields["edition"] or plain(item.get("version"))
    for role in ("author", "editor"):
        fields[role] = [whole_name(name) for name in item.get(role) or []]
    del fields["ISBN"]
    return formless(fields)


def bcc_ris():
    """biblatex-csl-converter's own library, read from RIS."""
    expected = json.loads(text("ris", "bcc-library-462.expected.json"))["entries"]
    found = documents(path("ris", "bcc-library-462.ris"))
    yield "library", "entries", str(len(found)), str(len(expected))
    for ours, entry in zip(found, expected.values()):
        case = f"{entry['entry_key']}"
        fields = {}
        for key, value in entry["fields"].items():
            if key == "pages":
                value = ", ".join("-".join(map(rich, pair))
                                  for group in value for pair in [sum(group, [])
                                  if group and isinstance(group[0], list) else group])
            elif key not in ("author", "editor") and isinstance(value, list):
                value = " and ".join(map(rich, value)) if value and isinstance(
                    value[0], list) else rich(value)
            fields[key] = value
        kind = {"article-journal": "article", "article-newspaper": "article",
                "article-magazine": "article"}.get(entry["bib_type"], entry["bib_type"])
        fields.pop("langid", None)
        theirs = formless(of_fields(kind, fields, rich_name))
        reduced = with_whole_names(ours)
        yield from differences(case, reduced, theirs, KEYS - {"language"})
        yield case, "issued", reduced["issued"], fields.get("date")


ZOTERO = {
    "title": "title", "publicationTitle": "container-title", "bookTitle": "container-title",
    "proceedingsTitle": "container-title", "encyclopediaTitle": "container-title",
    "dictionaryTitle": "container-title", "websiteTitle": "container-title",
    "blogTitle": "container-title", "caseName": "title", "nameOfAct": "title",
    "subject": "title", "volume": "volume", "issue": "issue", "pages": "page",
    "numPages": "page", "edition": "edition", "versionNumber": "edition",
    "publisher": "publisher", "university": "publisher", "institution": "publisher",
    "company": "publisher", "distributor": "publisher", "repository": "publisher",
    "place": "publisher-place", "repositoryLocation": "publisher-place",
    "DOI": "DOI", "url": "URL", "series": "collection-title",
    "seriesTitle": "collection-title", "abstractNote": "abstract", "language": "language",
    "reportNumber": "number", "thesisType": "genre", "reportType": "genre",
}
ZOTERO_KINDS = {
    "journalArticle": "article-journal", "magazineArticle": "article-journal",
    "newspaperArticle": "article-journal", "conferencePaper": "paper-conference",
    "book": "book", "bookSection": "chapter", "encyclopediaArticle": "chapter",
    "dictionaryEntry": "chapter", "thesis": "thesis", "report": "report",
    "manuscript": "article", "preprint": "article", "computerProgram": "software",
    "dataset": "dataset", "standard": "report",
}


def zotero_ris():
    for name in files("ris/zotero", ".expected.json"):
        short = name.replace(".expected.json", "")
        expected = json.loads(text("ris/zotero", name))
        found = documents(path("ris/zotero", short + ".ris"))
        yield short, "entries", str(len(found)), str(len(expected))
        for i, (ours, item) in enumerate(zip(found, expected)):
            theirs = {"type": ZOTERO_KINDS.get(item["itemType"], "document")}
            for key, field in ZOTERO.items():
                if item.get(key) and not theirs.get(field):
                    theirs[field] = plain(item[key])
            theirs["DOI"] = theirs.get("DOI") and theirs["DOI"].lower()
            theirs = formless(theirs)
            if "." not in (theirs.get("URL") or "."):
                del theirs["URL"]
            reduced = formless(of_document(ours))
            for role, kinds in (("author", ("author", "programmer", "inventor")),
                                ("editor", ("editor",))):
                theirs[role] = [plain(" ".join(p for p in (one.get("firstName"),
                                                           one.get("lastName")) if p))
                                for one in item["creators"] if one["creatorType"] in kinds]
            reduced["issued"] = (reduced["issued"] or "")[:4] or None
            year = re.search(r"[12]\d{3}", item.get("date") or "")
            theirs["issued"] = year[0] if year else None
            keys = {"type", "issued", "author", "editor", *ZOTERO.values()}
            if item["itemType"] not in ZOTERO_KINDS:
                keys &= {key for key in theirs if theirs[key]} # the others have no place
            yield from differences(f"{short} {i + 1} {item['itemType']}", reduced, theirs,
                                   keys)


def citation_js_ris():
    cases = json.loads(text("ris/citation-js", "ris-input-cases.json"))
    for group, items in cases.items():
        for name, (given, expected) in items.items():
            if isinstance(given, list):
                given = given[0] if len(given) == 1 else given
            if isinstance(given, dict):
                lines = [f"{tag}  - {value}" for tag, values in given.items()
                         for value in (values if isinstance(values, list) else [values])]
                given = "\n".join([*lines, "ER  - ", ""])
            expected = expected if isinstance(expected, list) else [expected]
            found = documents(source=given)
            yield name, "entries", str(len(found)), str(len(expected))
            for i, (ours, item) in enumerate(zip(found, expected)):
                theirs = whole_item(item)
                yield from differences(f"{name} {i + 1}", with_whole_names(ours), theirs,
                                       set(theirs))


def jabref(folder, ending):
    """Its importer's result stands beside each file, as BibTeX."""
    for name in files(folder, ending):
        short = name.replace(ending, "")
        if not os.path.exists(path(folder, short + ".bib")):
            continue
        expected = documents(path(folder, short + ".bib"))
        found = documents(path(folder, name))
        yield short, "entries", str(len(found)), str(len(expected))
        for i, (ours, theirs) in enumerate(zip(found, expected)):
            yield from differences(f"{short} {i + 1}", formless(of_document(ours)),
                                   formless(of_document(theirs)))


def jabref_ris():
    yield from jabref("ris/jabref", ".ris")


def jabref_nbib():
    yield from jabref("ris/nbib", ".nbib")


def csl_items(case, found, items):
    """Items of CSL-JSON say themselves what is in them."""
    items = [item for item in items if isinstance(item, dict)]
    yield case, "entries", str(len(found)), str(len(items))
    for i, (ours, item) in enumerate(zip(found, items)):
        theirs = whole_item(item)
        yield from differences(f"{case}: {item.get('id', i + 1)}", with_whole_names(ours),
                               theirs, set(theirs))


def csl_files(*folders):
    for folder in folders:
        for name in files(folder, ".json"):
            if name.startswith("made-") or name.endswith(("_raw.json", "_pruned.json")):
                continue
            items = json.loads(text(folder, name))
            if isinstance(items, dict):
                items = items.get("items") or [items]
            if items and isinstance(items[0], dict):
                yield from csl_items(name, documents(path(folder, name)), items)


def manubot():
    """What services answered, and what Manubot makes of it by CSL's schema."""
    for name in files("csl/manubot", "_raw.json"):
        pruned = json.loads(text("csl/manubot", name.replace("_raw", "_pruned")))
        yield from csl_items(name, documents(path("csl/manubot", name)), pruned)


def citation_js_csl():
    name = "citation-js-mapping-biblatex-csl.json"
    yield from csl_items(name, documents(path("csl", name)), json.loads(text("csl", name)))


def zotero_csl():
    yield from (one for one in csl_files("csl", "csl/zotero-chinese")
                if not one[0].startswith("citation-js"))


def better_bibtex_csl():
    yield from csl_files("csl/better-bibtex")


def csl_test_suite():
    yield from csl_files("csl/test-suite")


SUITES = {
    "bcc-ris": bcc_ris,
    "zotero-ris": zotero_ris,
    "citation-js-ris": citation_js_ris,
    "jabref-ris": jabref_ris,
    "jabref-nbib": jabref_nbib,
    "manubot": manubot,
    "citation-js-csl": citation_js_csl,
    "zotero-csl": zotero_csl,
    "better-bibtex-csl": better_bibtex_csl,
    "csl-test-suite": csl_test_suite,
}
