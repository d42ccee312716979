/* RIS and .ciw to documents; see ris.h. */
#include "server/text/ris.h"

#include "server/base/buf.h"
#include "server/base/identifier.h"
#include "server/text/plain.h"
#include "server/text/ris_private.h"
#include "server/text/tagged_draft.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const struct tagged_kind types[] = {
    {"JOUR",      "article"   },
    {"EJOUR",     "article"   },
    {"JFULL",     "article"   },
    {"JOURNAL",   "article"   },
    {"MGZN",      "article"   },
    {"NEWS",      "article"   },
    {"INPR",      "article"   },
    {"ABST",      "article"   },
    {"CONF",      "conference"},
    {"CPAPER",    "conference"},
    {"BOOK",      "book"      },
    {"EBOOK",     "book"      },
    {"EDBOOK",    "book"      },
    {"SER",       "book"      },
    {"WHOLE",     "book"      },
    {"CLSWK",     "book"      },
    {"CHAP",      "chapter"   },
    {"ECHAP",     "chapter"   },
    {"DICT",      "chapter"   },
    {"ENCYC",     "chapter"   },
    {"THES",      "thesis"    },
    {"RPRT",      "report"    },
    {"GOVDOC",    "report"    },
    {"STAND",     "report"    },
    {"UNPB",      "preprint"  },
    {"PREP",      "preprint"  },
    {"COMP",      "software"  },
    {"AGGR",      "dataset"   },
    {"DATA",      "dataset"   },
    {"DBASE",     "dataset"   },
    {"ELEC",      "other"     },
    {"WEB",       "other"     },
    {"BLOG",      "other"     },
    {"GEN",       "other"     },
    {"PAT",       "other"     },
    {"MANSCPT",   "other"     },
    {"PCOMM",     "other"     },
    {"ICOMM",     "other"     },
    {"SLIDE",     "other"     },
    {"VIDEO",     "other"     },
    {"SOUND",     "other"     },
    {"CASE",      "other"     },
    {"PAMP",      "other"     },
    {"MULTI",     "other"     },
    {"MUSIC",     "other"     },
    {"MPCT",      "other"     },
    {"ADVS",      "other"     },
    {"ANCIENT",   "other"     },
    {"ART",       "other"     },
    {"BILL",      "other"     },
    {"CHART",     "other"     },
    {"CTLG",      "other"     },
    {"EQUA",      "other"     },
    {"FIGURE",    "other"     },
    {"GRANT",     "other"     },
    {"GRNT",      "other"     },
    {"HEAR",      "other"     },
    {"LEGAL",     "other"     },
    {"MAP",       "other"     },
    {"STAT",      "other"     },
    {"UNBILL",    "other"     },
    {"UNPD",      "other"     },
    {"INTERVIEW", "other"     },
    {"POD",       "other"     },
};

static const struct tagged_rule rules[] = {
    {"title",     "",                            "TI T1"               },
    {"title",     "book",                        "BT CT ST T2"         },
    {"title",     "",                            "CT ST TT"            },
    {"venue",     "article",                     "JF T2 JO JA J2 J1 BT"},
    {"venue",     "conference",                  "C3 T2 BT JF JO J2"   },
    {"venue",     "chapter",                     "T2 BT JF J2 JO"      },
    {"venue",     "preprint",                    "T2 JF JO PB"         },
    {"venue",     "other",                       "T2 JF JO BT"         },
    {"series",    "article conference chapter",  "T3"                  },
    {"series",    "book report",                 "T2 T3 JF"            },
    {"volume",    "",                            "VL"                  },
    {"number",    "report",                      "M1 IS SN"            },
    {"number",    "other",                       "M1"                  },
    {"number",    "article conference preprint", "C7"                  },
    {"publisher", "",                            "PB PU"               },
    {"place",     "",                            "CY PP PI"            },
    {"genre",     "thesis report",               "M3"                  },
    {"language",  "",                            "LA"                  },
    {"abstract",  "",                            "AB N2"               },
};

static bool says(struct slice text, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= text.length && i < 400; i++)
        if (strncasecmp(text.bytes + i, word, length) == 0)
            return true;
    return false;
}

static const char *kind_of(const struct tagged_record *record, bool *unknown)
{
    *unknown = false;
    struct slice type = tagged_value(record, "TY");
    const char *kind = tagged_kind(type, types, COUNT(types));
    if (kind != NULL)
        return kind;
    if (says(type, "jour") || says(type, "article"))
        return "article";
    if (says(type, "conf") || says(type, "proceeding"))
        return "conference";
    bool journal =
        tagged_value(record, "JF").length > 0 || tagged_value(record, "JO").length > 0;
    *unknown = type.length > 0;
    return type.length == 0 && journal ? "article" : "other";
}

/* What databases and reference managers note for themselves. */
static bool machine_note(struct arena *arena, struct slice note)
{
    static const char *const marks[] = {
        "export date", "cited by",     "times cited", "accession number", "not in file",
        "caplus an",   "cited refere", "date added",  "source: ",         "copyright"};
    for (size_t i = 0; i < COUNT(marks); i++)
        if (says(note, marks[i]))
            return true;
    return note.length < 300 && identifier_doi(arena, note).length > 0;
}

static void put_note(struct draft *draft, const struct tagged_record *record)
{
    for (size_t i = 0; i < record->count; i++)
        if (strcmp(record->fields[i].tag, "N1") == 0 &&
            !machine_note(draft->arena, record->fields[i].value))
            draft_put(draft, "note", record->fields[i].value);
}

/* EndNote has the day on which an article was online in ET. */
static void put_edition(struct draft *draft, const struct tagged_record *record)
{
    struct slice edition = tagged_value(record, "ET");
    struct slice front = {edition.bytes, edition.length < 4 ? edition.length : 4};
    bool day = edition.length > 4 && edition.bytes[4] == '/' && front.length == 4 &&
               text_digit(front.bytes[0]) && text_digit(front.bytes[3]);
    if (!day)
        draft_put(draft, "edition", edition);
}

static bool digits(struct slice text)
{
    for (size_t i = 0; i < text.length; i++)
        if (!text_digit(text.bytes[i]))
            return false;
    return text.length > 0;
}

/* "MAY 4" says something only with the year of another tag. */
void ris_put_date(struct draft *draft, const struct tagged_record *record,
                  const char *const *tags, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct slice value = tagged_value(record, tags[i]);
        if (value.length == 0 || value.length > 100)
            continue;
        draft_date(draft, value);
        json_int_t year = json_integer_value(json_object_get(draft->document, "year"));
        if (year != 0 && text_letter(value.bytes[0]))
            draft_date(draft, slice_of(arena_print(draft->arena, "%d %.*s", (int)year,
                                                   (int)value.length, value.bytes)));
    }
}

void ris_put_identifiers(struct draft *draft, const struct tagged_record *record)
{
    static const char *const dois[] = {"DO", "DI", "M3 L3 N1 AN"};
    for (size_t i = 0; i < COUNT(dois); i++)
        for (size_t f = 0; f < record->count; f++)
            if (tagged_among(dois[i], record->fields[f].tag) &&
                record->fields[f].value.length < 300)
                draft_identifier(draft, "doi", record->fields[f].value);
    for (size_t f = 0; f < record->count; f++) { /* as our own writer tells them */
        struct slice value = record->fields[f].value;
        if (strcmp(record->fields[f].tag, "AN") == 0 && value.length < 300)
            draft_identifier(
                draft, says(value, "arxiv:") ? "arxiv" : "pmid",
                says(value, "arxiv:") || says(value, "pmid:") ? value : slice_of(""));
    }
    struct slice pubmed = tagged_value(record, "C2"); /* Scopus */
    if (digits(pubmed) && pubmed.length >= 6)
        draft_identifier(draft, "pmid", pubmed);
    if (says(tagged_value(record, "DB"), "pubmed"))
        draft_identifier(draft, "pmid", tagged_value(record, "AN"));
    draft_identifier(draft, "pmid", tagged_value(record, "PM"));
    struct slice note = tagged_value(record, "U1"); /* PubMed Central: "123[pmid]" */
    const char *mark = memmem(note.bytes, note.length, "[pmid]", 6);
    if (mark != NULL)
        draft_identifier(draft, "pmid", slice_between(note.bytes, mark));
}

static void put_links(struct draft *draft, const struct tagged_record *record)
{
    for (size_t i = 0; i < record->count; i++) {
        const struct tagged_field *field = &record->fields[i];
        if (strcmp(field->tag, "UR") == 0 || strcmp(field->tag, "LK") == 0)
            draft_url(draft, field->value);
        else if (strcmp(field->tag, "L1") == 0)
            draft_link(draft, "pdf", field->value);
        if (says(field->value, "doi:") && strcmp(field->tag, "L1") == 0)
            draft_identifier(draft, "doi", field->value);
    }
    draft_url(draft, tagged_value(record, "L2"));
}

/* "50(2)": the issue stands at the volume. */
static void divide_volume(struct draft *draft)
{
    const char *volume = json_string_value(json_object_get(draft->document, "volume"));
    size_t length = volume == NULL ? 0 : strlen(volume);
    const char *open = length > 0 ? strchr(volume, '(') : NULL;
    if (open == NULL || open == volume || volume[length - 1] != ')' ||
        draft_has(draft, "issue") || strcmp(draft->kind, "article") != 0)
        return;
    struct slice front = slice_trim(slice_between(volume, open));
    struct slice issue = slice_trim(slice_between(open + 1, volume + length - 1));
    if (!digits(front) || issue.length == 0)
        return;
    json_object_set_new(draft->document, "volume",
                        json_stringn(front.bytes, front.length));
    draft_put(draft, "issue", issue);
}

/* Who edited: A2 by the specification of 2001; by that of 2011 A2 edits a book's series,
 * A3 the book, and AU one that is edited as a whole. Of a thesis they are who advised. */
static void put_people(struct draft *draft, const struct tagged_record *record)
{
    bool named = tagged_value(record, "AU").length > 0;
    bool edited = named && slice_like(tagged_value(record, "TY"), "EDBOOK");
    tagged_people(draft, edited ? "editors" : "authors", record, "AU A1", false);
    if (strcmp(draft->kind, "thesis") == 0 || edited)
        return;
    static const struct tagged_kind others[] = {
        {"PCOMM",  "recipient"   },
        {"ICOMM",  "recipient"   },
        {"HEAR",   "committee"   },
        {"BILL",   "sponsor"     },
        {"CASE",   "reporter"    },
        {"VIDEO",  "performer"   },
        {"SOUND",  "performer"   },
        {"MUSIC",  "performer"   },
        {"ADVS",   "performer"   },
        {"MPCT",   "director"    },
        {"PAT",    "organization"},
        {"STAT",   "session"     },
        {"ART",    "artist"      },
        {"FIGURE", "file"        },
        {"CHART",  "file"        },
        {"EQUA",   "file"        },
        {"CTLG",   "institution" }
    };
    struct slice type = tagged_value(record, "TY");
    bool second = tagged_kind(type, others, COUNT(others)) == NULL;
    bool third =
        strcmp(draft->kind, "book") == 0 && tagged_value(record, "A3").length > 0;
    tagged_people(draft, "editors", record,
                  third    ? "ED A3"
                  : second ? "ED A2"
                           : "ED",
                  false);
}

json_t *ris_document(struct arena *arena, const struct tagged_record *record,
                     bool *unknown)
{
    static const char *const dates[] = {"PY", "Y1", "DA"};
    struct draft draft = draft_begin(arena, kind_of(record, unknown));
    bool patent = slice_like(tagged_value(record, "TY"), "PAT");
    if (tagged_among("article conference preprint other", draft.kind))
        draft_put(&draft, patent ? "number" : "issue", tagged_value(record, "IS"));
    tagged_apply(&draft, record, rules, COUNT(rules));
    put_edition(&draft, record);
    put_people(&draft, record);
    divide_volume(&draft);
    if (strcmp(draft.kind, "article") == 0 && digits(tagged_value(record, "M1")))
        draft_put(&draft, "issue", tagged_value(record, "M1"));
    draft_pages(&draft, tagged_value(record, "SP"), tagged_value(record, "EP"));
    ris_put_date(&draft, record, dates, COUNT(dates));
    put_note(&draft, record);
    ris_put_identifiers(&draft, record);
    put_links(&draft, record);
    if (strcmp(draft.kind, "book") == 0)
        draft_identifier(&draft, "isbn", tagged_value(record, "SN"));
    return draft_finish(&draft);
}

struct ris {
    struct tagged *tagged;
    enum tagged_dialect dialect;
};

static enum result ris_open(void **state, struct arena *arena, struct slice text,
                            const struct bibtex_limits *limits)
{
    struct ris *ris = ARENA_NEW(arena, struct ris);
    ris->dialect =
        tagged_dialect(text, 1U << TAGGED_RIS | 1U << TAGGED_WOS | 1U << TAGGED_REFWORKS);
    ris->tagged = tagged_open(arena, text, ris->dialect, limits);
    *state = ris;
    return OK;
}

static enum result ris_next(struct bibliography_entry *entry, void *state,
                            struct arena *arena)
{
    struct ris *ris = state;
    struct tagged_record record;
    bool unknown = false;
    TRY(tagged_next(&record, ris->tagged, arena));
    bool ris_file = ris->dialect == TAGGED_RIS;
    bool wos = ris->dialect == TAGGED_WOS;
    struct slice id = plain_text(arena, tagged_value(&record, wos ? "UT" : "ID"));
    if (id.length > 0 && id.length < 200)
        entry->key = id.bytes;
    if (!tagged_entry(entry, &record))
        return OK;
    entry->document = ris_file ? ris_document(arena, &record, &unknown)
                      : wos    ? wos_document(arena, &record)
                               : refworks_document(arena, &record, &unknown);
    if (unknown)
        bibliography_remark(entry, record.line, "unknown_type",
                            tagged_value(&record, ris_file ? "TY" : "RT"),
                            "a type of work that is not known");
    return OK;
}

const struct bibliography_reader ris_reader = {.open = ris_open, .next = ris_next};
