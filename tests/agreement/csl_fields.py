"""A document of labd in the words of CSL, and others' items in the same reduced form, so
that they can be compared: text by text, names as "given family", dates as 2020-02-03."""
from support import plain

TYPES = {
    "article": "article-journal", "conference": "paper-conference", "book": "book",
    "chapter": "chapter", "thesis": "thesis", "report": "report", "preprint": "article",
    "software": "software", "dataset": "dataset", "other": "document",
}
TEXTS = ["title", "container-title", "collection-title", "volume", "issue", "number",
         "page", "edition", "publisher", "publisher-place", "genre", "DOI", "URL", "ISBN",
         "language", "abstract", "note"]


def date(year, month, day):
    parts = [str(year).zfill(4) if year else ""]
    if year and month:
        parts.append("%02d" % month)
        if day:
            parts.append("%02d" % day)
    return "-".join(parts) or None


def of_document(document):
    """None: not said."""
    identifiers = {row["scheme"]: row["value"] for row in document["identifiers"]}
    fields = {
        "type": TYPES[document["kind"]],
        "title": document["title"],
        "container-title": document["venue"],
        "collection-title": document["series"],
        "volume": document["volume"],
        "issue": document["issue"],
        "number": document["number"],
        "page": document["pages"],
        "edition": document["edition"],
        "publisher": document["publisher"],
        "publisher-place": document["place"],
        "genre": document["genre"],
        "DOI": identifiers.get("doi"),
        "URL": document["url"],
        "ISBN": identifiers.get("isbn"),
        "language": document["language"],
        "abstract": document["abstract"],
        "note": document["note"],
    }
    fields = {key: plain(value) for key, value in fields.items()}
    fields["author"] = people(document["authors"])
    fields["editor"] = people(document["editors"])
    fields["issued"] = date(document["year"], document["month"], document["day"])
    return fields


def people(rows):
    return [plain(" ".join(p for p in (row.get("given"), row.get("family")) if p))
            or plain(row.get("name")) for row in rows]


def of_csl_name(name):
    if name.get("literal"):
        return plain(name["literal"])
    family = " ".join(name[key] for key in ("dropping-particle", "non-dropping-particle",
                                            "family") if name.get(key))
    return plain(" ".join(p for p in (name.get("given"), family) if p))


def of_csl(item):
    """A CSL-JSON item. `number` and `collection-number` are one for us."""
    fields = {key: plain(item.get(key)) for key in TEXTS}
    fields["type"] = item.get("type")
    fields["number"] = fields["number"] or plain(item.get("collection-number"))
    fields["DOI"] = fields["DOI"] and fields["DOI"].lower()
    for role in ("author", "editor"):
        fields[role] = [of_csl_name(name) for name in item.get(role) or []]
    fields["issued"] = csl_date(item.get("issued"))
    return fields


def csl_date(issued):
    """CSL-JSON's date-parts, and pandoc's older [{year, month, day}]."""
    if not issued:
        return None
    if isinstance(issued, list):
        first = issued[0]
        parts = [first.get("year"), first.get("month"), first.get("day")]
    elif isinstance(issued, dict) and issued.get("date-parts"):
        parts = list(issued["date-parts"][0])
    else:
        return plain(issued.get("raw") or issued.get("literal"))
    parts = [int(p) if p and str(p).lstrip("-").isdigit() else p for p in parts]
    parts += [None] * (3 - len(parts))
    return date(*parts[:3])


def differences(case, ours, theirs, keys=None):
    """Comparisons of two reduced items: names one by one, fields that either has."""
    for role in ("author", "editor"):
        if keys is not None and role not in keys:
            continue
        a, b = ours.get(role) or [], theirs.get(role) or []
        for i in range(max(len(a), len(b))):
            yield (case, f"{role} {i + 1}", a[i] if i < len(a) else None,
                   b[i] if i < len(b) else None)
    for key in ["type", "issued", *TEXTS]:
        if (keys is None or key in keys) and (ours.get(key) or theirs.get(key)):
            yield case, key, ours.get(key), theirs.get(key)
