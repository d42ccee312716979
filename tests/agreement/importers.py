"""Suites that say what a reference manager or citation processor makes of a file."""
import json
import re

import yaml

import csl_fields
from csl_fields import differences, of_csl, of_document
from support import files, path, plain, text, works


def first_of(entry, names):
    return next((entry[name] for name in names if entry.get(name)), None)


def joined(title, subtitle):
    if not (title and subtitle):
        return title
    return title + (" " if title[-1] in ".?!:" else ": ") + subtitle


def of_fields(kind, fields, person):
    """Fields under biblatex's and BibTeX's names, values plain text, in CSL's words.
    `person` makes a name of an item of a list of persons. What a document has no place
    for is left out."""
    def text_of(*names):
        value = first_of(fields, names)
        if isinstance(value, list):
            value = " and ".join(map(str, value))
        return plain(value)
    journal = text_of("journal", "journaltitle")
    book = joined(text_of("booktitle"), text_of("booksubtitle"))
    serial = kind in ("article", "suppperiodical")
    thesis = kind.endswith("thesis") or kind in ("techreport", "report")
    publisher = (("school", "institution", "organization", "publisher") if thesis
                 else ("publisher", "organization", "institution", "school"))
    return {
        "title": joined(text_of("title"), text_of("subtitle")),
        "container-title": journal if serial else book or journal,
        "collection-title": text_of("series"),
        "volume": text_of("volume"),
        "issue": text_of("number", "issue") if serial else text_of("issue"),
        "number": text_of("eid") if serial else text_of("number"),
        "page": text_of("pages"),
        "edition": text_of("edition"),
        "publisher": text_of(*publisher),
        "publisher-place": text_of("address", "location"),
        "genre": text_of("type"),
        "DOI": (text_of("doi") or "").lower() or None,
        "URL": text_of("url"),
        "language": text_of("language", "langid"),
        "abstract": text_of("abstract"),
        "note": text_of("note", "addendum"),
        "author": [person(p) for p in fields.get("author") or []],
        "editor": [person(p) for p in fields.get("editor") or []],
    }


KEYS = {"title", "container-title", "collection-title", "volume", "issue", "number",
        "page", "edition", "publisher", "publisher-place", "DOI", "URL", "language",
        "abstract", "note", "author", "editor"}


def retorquere():
    for name in files("bib-suites/retorquere", ".expected.yaml"):
        short = name.replace(".expected.yaml", "")
        expected = yaml.safe_load(text("bib-suites/retorquere", name))
        found = works(path("bib-suites/retorquere", short + ".bib"))
        for entry in expected["entries"]:
            case = f"{short}: {entry['key']}"
            if entry["key"] not in found:
                yield case, "entry", None, "an entry"
                continue
            theirs = of_fields(entry["type"], entry["fields"], lambda p: plain(
                p.get("name") or " ".join(p[key] for key in ("firstName", "prefix",
                                                             "lastName", "suffix")
                                          if p.get(key))))
            ours = of_document(found[entry["key"]])
            ours["author"] = [plain(p["name"]) for p in found[entry["key"]]["authors"]]
            ours["editor"] = [plain(p["name"]) for p in found[entry["key"]]["editors"]]
            yield from differences(case, ours, theirs, KEYS)
            date = str(first_of(entry["fields"], ("date", "year")) or "")
            yield case, "year", (ours["issued"] or "")[:4], date[:4]


def rich(value):
    """biblatex-csl-converter's text: runs, plain or with variables."""
    if isinstance(value, list):
        return "".join(map(rich, value))
    if isinstance(value, dict):
        return value.get("text") or value.get("attrs", {}).get("variable") or ""
    return str(value)


def rich_name(name):
    if name.get("literal"):
        return plain(rich(name["literal"]))
    return plain(" ".join(rich(name[key]) for key in ("given", "prefix", "family", "suffix")
                          if name.get(key)))


def biblatex_csl_converter():
    folder = "bib-suites/biblatex-csl-converter"
    for name in files(folder, ".expected.json"):
        short = name.replace(".expected.json", "")
        expected = json.loads(text(folder, name))
        found = works(path(folder, short + ".bib"))
        for entry in expected["entries"].values():
            case = f"{short}: {entry['entry_key']}"
            ours = found.get(entry["entry_key"])
            if ours is None:
                yield case, "entry", None, "an entry"
                continue
            fields = {}
            for key, value in entry["fields"].items():
                persons = key in ("author", "editor")
                runs = isinstance(value, list) and not persons
                if key == "pages":
                    value = ", ".join("-".join(map(rich, pair)) for pair in value)
                elif runs and value and isinstance(value[0], list):
                    value = " and ".join(map(rich, value))
                elif runs:
                    value = rich(value) if isinstance(value[0], dict) else " and ".join(
                        map(str, value))
                fields[key] = value
            theirs = of_fields(entry["bib_type"], fields, rich_name)
            reduced = of_document(ours)
            reduced["author"] = [plain(p["name"]) for p in ours["authors"]]
            reduced["editor"] = [plain(p["name"]) for p in ours["editors"]]
            yield from differences(case, reduced, theirs, KEYS)
            date = str(entry["fields"].get("date", "")).replace("~", "").replace("?", "")
            yield case, "issued", reduced["issued"] or "", date.split("/")[0]


def items_of(case, found, items, keys=None):
    for item in items:
        ours = found.get(item.get("id"))
        if ours is None:
            yield f"{case}: {item.get('id')}", "entry", None, "an entry"
            continue
        yield from differences(f"{case}: {item['id']}", of_document(ours), of_csl(item),
                               keys)


def citation_js():
    folder = "bib-suites/citation-js"
    for name in files(folder, ".expected.json"):
        short = name.replace(".expected.json", "")
        expected = json.loads(text(folder, name))
        expected = next((part for part in expected if isinstance(part, list)
                         and part and "type" in part[0]), expected)
        items = [one for one in expected if isinstance(one, dict)]
        for item in items:
            item.setdefault("id", item.get("citation-key") or item.get("label"))
        yield from items_of(short, works(path(folder, short + ".bib")), items)
    yield from items_of("mapping", works(path(folder, "mapping_bibtex-input.bib")),
                        json.loads(text(folder, "mapping_bibtex-csl.json")))


LANGUAGES = {"german": "de-DE", "ngerman": "de-DE", "french": "fr-FR", "english": "en-US",
             "american": "en-US", "british": "en-GB", "spanish": "es-ES"}


def without_markdown(item):
    """pandoc writes titles in Markdown and in the case of a sentence: what it does not
    say of the source is taken off. Languages it names by their codes."""
    for key in ("title", "container-title", "collection-title", "genre"):
        if item.get(key):
            item[key] = re.sub(r"[*~^\\]", "", str(item[key])).lower()
    item["language"] = LANGUAGES.get(item.get("language"), item.get("language"))
    return item


def pandoc_citeproc():
    """Its expected result stands behind each source, as YAML between --- and ..."""
    folder = "bib-suites/pandoc-citeproc"
    for ending in (".biblatex", ".bibtex", ".bib"):
        for name in files(folder, ending):
            source = text(folder, name)
            match = re.search(r"^---$\n(.*?)^\.\.\.$", source, re.S | re.M)
            if match is None:
                continue
            found = works(source=source[:match.start()])
            for item in yaml.safe_load(match[1]).get("references", []):
                ours = found.get(str(item["id"]))
                if ours is None:
                    yield f"{name}: {item['id']}", "entry", None, "an entry"
                    continue
                yield from differences(f"{name}: {item['id']}",
                                       without_markdown(of_document(ours)),
                                       without_markdown(of_csl(item)))


ZOTERO = {"title": "title", "publicationTitle": "container-title",
          "bookTitle": "container-title", "proceedingsTitle": "container-title",
          "volume": "volume", "issue": "issue", "pages": "page", "edition": "edition",
          "publisher": "publisher", "university": "publisher", "institution": "publisher",
          "place": "publisher-place", "DOI": "DOI", "url": "URL", "series": "collection-title",
          "abstractNote": "abstract", "language": "language", "reportNumber": "number",
          "seriesNumber": "number", "thesisType": "genre"}


def zotero():
    for number, case in enumerate(json.loads(text("bib-suites/zotero/BibTeX-cases-a.json"))):
        found = list(works(source=case["input"]).items())
        name = f"case {number + 1}"
        yield name, "entries", str(len(found)), str(len(case["items"]))
        for (key, document), item in zip(found, case["items"]):
            ours = of_document(document)
            ours["author"] = [plain(p["name"]) for p in document["authors"]]
            ours["editor"] = [plain(p["name"]) for p in document["editors"]]
            theirs = {field: plain(item.get(key)) for key, field in ZOTERO.items()
                      if item.get(key)}
            theirs["DOI"] = theirs.get("DOI") and theirs["DOI"].lower()
            for role in ("author", "editor"):
                theirs[role] = [
                    plain(p.get("name") or re.sub(r"^(.*?), (.*)$", r"\1", p.get("firstName", ""))
                          + " " + p["lastName"]
                          + re.sub(r"^.*?(, (.*))?$", lambda m: " " + m[2] if m[2] else "",
                                   p.get("firstName", "")))
                    for p in item["creators"] if p["creatorType"] == role]
            yield from differences(f"{name}: {key}", ours, theirs,
                                   set(ZOTERO.values()) | {"author", "editor"})
            yield (f"{name}: {key}", "year", (ours["issued"] or "")[:4],
                   (re.search(r"\d{4}", item.get("date") or "") or [""])[0])


def cnki2bib():
    """CNKI's own export, {Tag}: value, beside the BibTeX made of it."""
    folder = "bib-suites/cnki2bib"
    tags = {"Title": "title", "Journal": "container-title",
            "Tertiary Title": "container-title", "Volume": "volume", "Issue": "issue",
            "Pages": "page", "Abstract": "abstract"}
    for name in files(folder, ".net"):
        records = []
        for line in text(folder, name).splitlines():
            match = re.match(r"\{([^}]*)\}[:：] ?(.*)", line)
            if match and match[1] == "Reference Type":
                records.append({})
            if match and records:
                before = records[-1].get(match[1])
                records[-1][match[1]] = (before + ";" if before else "") + match[2]
        short = name.replace(".net", "")
        found = list(works(path(folder, f"title_{short}.bib")).items())
        yield short, "entries", str(len(found)), str(len(records))
        for (key, document), record in zip(found, records):
            ours = of_document(document)
            theirs = {field: plain(record[tag]) for tag, field in tags.items()
                      if tag in record}
            theirs["author"] = [plain(one) for one in
                                re.split("[;；]", record.get("Author", "")) if one]
            ours["author"] = [plain(p["name"]) for p in document["authors"]]
            yield from differences(f"{short}: {key}", ours, theirs,
                                   {"author", *tags.values()})
            yield (f"{short}: {key}", "year", (ours["issued"] or "")[:4],
                   record.get("Year") or record.get("Date", "")[:4])


SUITES = {
    "retorquere": retorquere,
    "biblatex-csl-converter": biblatex_csl_converter,
    "citation-js": citation_js,
    "pandoc-citeproc": pandoc_citeproc,
    "zotero": zotero,
    "cnki2bib": cnki2bib,
}
