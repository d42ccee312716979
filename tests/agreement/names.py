"""Suites that say how BibTeX takes one name, or a list of names, apart."""
import json

from support import balanced, latex, text, works


def authors_of(sources):
    """The authors that labd reads in each author field."""
    entries = "".join("@misc{k%d, author={%s}}\n" % (i, source)
                      for i, source in enumerate(sources))
    found = works(source=entries)
    return [found[f"k{i}"]["authors"] if f"k{i}" in found else [] for i in range(len(sources))]


def compare_parts(rows):
    """`rows`: (name, first, von, last, jr), LaTeX. A document has given and family (von
    with it), and the whole as one reads it, where jr stands at the end."""
    rows = [row for row in rows if balanced(row[0])]
    read = authors_of([row[0] for row in rows])
    parts = latex([" ".join(part) for row in rows for part in row[1:]])
    for i, row in enumerate(rows):
        first, von, last, jr = parts[i * 4:i * 4 + 4]
        one = read[i][0] if len(read[i]) == 1 else {}
        ours = (one.get("given") or "", one.get("family") or "", one.get("name") or "")
        family = " ".join(p for p in (von, last) if p)
        whole = " ".join(p for p in (first, family, jr) if p)
        if not read[i] and not row[1] + row[2] + row[3] + row[4]:
            yield row[0], "nobody", "", ""
            continue
        yield row[0], "given", ours[0], first
        yield row[0], "family", ours[1], family
        yield row[0], "name", ours[2], whole


def pybtex_names():
    rows = json.loads(text("bib-suites/pybtex/names-expected.json"))
    yield from compare_parts([(row["name"], row["first"], row["von"], row["last"], row["jr"])
                              for row in rows if "jr" in row])


def btparse_names():
    rows = json.loads(text("bib-suites/btparse/t_names-expected.json"))
    parts = []
    for row in rows:
        cells = [cell.split("+") if cell else []
                 for cell in row["expected_first_von_last_jr"].split("|")]
        parts.append((row["name"], *cells))
    yield from compare_parts(parts)


def bibtexparser_names():
    tables = json.loads(text("bib-suites/bibtexparser/names-expected.json"))
    yield from compare_parts([(name, p["first"], p["von"], p["last"], p["jr"])
                              for name, p in tables["REGULAR_NAME_PARTS_PARSING_TEST_CASES"]])


def bibtexparser_lists():
    tables = json.loads(text("bib-suites/bibtexparser/names-expected.json"))
    rows = [row for row in tables["test_split_coauthors_consistent_with_bibtex"]
            if balanced(row[0])]
    read = authors_of([row[0] for row in rows])
    singles = authors_of([name for _, names in rows for name in names])
    at = 0
    for (source, names), ours in zip(rows, read):
        theirs = [a["name"] for one in singles[at:at + len(names)] for a in one]
        at += len(names)
        yield source, "names", " / ".join(a["name"] for a in ours), " / ".join(theirs)


SUITES = {
    "pybtex names": pybtex_names,
    "btparse names": btparse_names,
    "bibtexparser names": bibtexparser_names,
    "bibtexparser lists": bibtexparser_lists,
}
