"""Suites that say what a parser of BibTeX finds in difficult files."""
import json
import re

from csl_fields import people
from support import convert, path, plain, text, works

FIELDS = {"title": "title", "journal": "venue", "booktitle": "venue", "note": "note",
          "volume": "volume", "pages": "pages", "publisher": "publisher", "url": "url"}


def whole_of(part):
    return " ".join(" ".join(part[key]) for key in ("first", "middle", "prelast", "last",
                                                    "lineage") if part.get(key))


def pybtex():
    """Keys, types, persons and the fields that a document has."""
    for case in json.loads(text("bib-suites/pybtex/parser-cases.json")):
        if "wanted_entries" in case["options"]:
            continue  # what a style cites is no matter of reading
        found = works(source="\n".join(case["inputs"]))
        name = case["case"]
        expected = {key: one for key, one in case["expected"].items()
                    if not key.startswith("unnamed-")}
        nameless = len(case["expected"]) - len(expected)
        entries = convert(source="\n".join(case["inputs"]))
        yield (name, "keys", " ".join(key for key in found if key), " ".join(expected))
        yield (name, "without a key",
               str(sum(1 for one in entries if not one["key"] and one["document"])),
               str(nameless))
        for key, entry in expected.items():
            ours = found.get(key)
            if ours is None:
                yield f"{name}: {key}", "entry", None, "an entry"
                continue
            yield f"{name}: {key}", "type", ours["bibtex_type"].lower(), entry["type"]
            for role in ("author", "editor"):
                theirs = [plain(whole_of(p)) for p in entry["persons"].get(role, [])]
                if theirs or ours[role + "s"]:
                    yield (f"{name}: {key}", role,
                           " / ".join(people(ours[role + "s"])), " / ".join(theirs))
            for field, value in entry["fields"]:
                if field.lower() in FIELDS:
                    yield (f"{name}: {key}", field.lower(),
                           plain(ours[FIELDS[field.lower()]]),
                           plain(value.replace("{", "").replace("}", "")))


def bibtexparser_splitter():
    """The entries, their types, keys and lines, of each whole input in the tables."""
    tables = json.loads(text("bib-suites/bibtexparser/splitter-tables.json"))
    for name, parameters in tables.items():
        short = name.replace("test_splitter_", "")
        table = dict((row[0], row[1]) for row in parameters)
        for row in table.get("expected", []) if "test_strings" not in name else []:
            if "raw" not in row and "fields" not in row:
                continue
            raw = row.get("raw") or "@%s{%s,\n%s\n}" % (
                row["type"], row["key"],
                ",\n".join(f"{k} = {v}" for k, v in row["fields"].items()))
            found = convert(source="text\n" + raw + " more\n")
            yield short, row["key"], " ".join(e["key"] for e in found), row["key"]
            types = [e["document"]["bibtex_type"].lower() for e in found if e["document"]]
            yield short, row["key"] + " type", " ".join(types), row["type"]
        for row in table.get("declared_block_type,expected", []):
            found = convert(source=row[0] + "{test,\n author = \"John Doe\"\n}")
            yield short, row[0], found[0]["document"]["bibtex_type"].lower(), row[1]
        for value in ([table["input"]] if isinstance(table.get("input"), str) else []):
            keys = re.findall(r"@(?!preamble|string|comment)\w+\s*\{\s*([^,\s]+)", value)
            found = convert(source=value)
            yield short, value, " ".join(e["key"] for e in found), " ".join(keys)
        for block in table.get("block", []):
            keys = re.findall(r"@article\{(\w+)", block)
            source = block + " and a comment on this line\n@article{after, title={A}}"
            found = convert(source=source)
            yield (short, block, " ".join(e["key"] for e in found if e["document"]),
                   " ".join([*keys, "after"]))


def best_of_four():
    """How many entries BibTeX, btparse, pybtex and bibtexparser find in each file, the
    best of them, against what is read or refused here with a reason."""
    rows = []
    for line in text("ORACLE.tsv").splitlines():
        cells = line.split("\t")
        if cells[0].startswith(("bib/", "bib-suites/")):
            counts = [re.match(r"\d+", cell) for cell in cells[4:8]]
            rows.append((cells[0], max((int(c[0]) for c in counts if c), default=0)))
    found = []
    for at in range(0, len(rows), 100):
        found += entry_counts([name for name, _ in rows[at:at + 100]])
    for (name, best), ours in zip(rows, found):
        yield name, "entries", str(ours), str(max(best, ours))


def entry_counts(names):
    """As a parser counts: @xdata are entries, too."""
    counts = []
    for name in names:
        with open(path(name), "rb") as file:
            counts.append(len(re.findall(rb"^\s*@xdata\s*\{", file.read(), re.I | re.M)))
    for entry in convert(*map(path, names)):
        counts[entry["file"]] += bool(entry["key"] or entry["document"])
    return counts


SUITES = {
    "pybtex parser": pybtex,
    "bibtexparser splitter": bibtexparser_splitter,
    "best of four parsers": best_of_four,
}
