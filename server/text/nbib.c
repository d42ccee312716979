/* MEDLINE to documents; see nbib.h. */
#include "server/text/nbib.h"

#include "server/text/plain.h"
#include "server/text/tagged_draft.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const struct tagged_rule rules[] = {
    {"title",     "",                                          "BTI TT" },
    {"venue",     "article conference preprint other dataset", "JT TA"  },
    {"venue",     "chapter",                                   "BTI CTI"},
    {"series",    "book",                                      "CTI"    },
    {"volume",    "",                                          "VI"     },
    {"issue",     "",                                          "IP"     },
    {"edition",   "",                                          "EN"     },
    {"publisher", "",                                          "PB"     },
    {"place",     "book chapter",                              "PL"     },
    {"language",  "",                                          "LA"     },
    {"abstract",  "",                                          "AB OAB" },
    {"note",      "",                                          "GN"     },
};

static bool is(const struct tagged_field *field, const char *tag)
{
    return strcmp(field->tag, tag) == 0;
}

static const char *kind_of(const struct tagged_record *record)
{
    static const struct tagged_kind types[] = {
        {"Preprint",              "preprint"  },
        {"Book",                  "book"      },
        {"Book Chapter",          "chapter"   },
        {"Dataset",               "dataset"   },
        {"Technical Report",      "report"    },
        {"Academic Dissertation", "thesis"    },
        {"Congress",              "conference"},
    };
    for (size_t i = 0; i < record->count; i++)
        if (is(&record->fields[i], "PT")) {
            const char *kind = tagged_kind(record->fields[i].value, types, COUNT(types));
            if (kind != NULL)
                return strcmp(kind, "book") == 0 &&
                               tagged_value(record, "TI").length > 0 &&
                               tagged_value(record, "BTI").length > 0
                           ? "chapter"
                           : kind;
        }
    return "article";
}

/* FAU and AU are one person; CN stands where its author does. */
static void put_people(struct draft *draft, const struct tagged_record *record)
{
    bool full = false;
    for (size_t i = 0; i < record->count; i++) {
        const struct tagged_field *field = &record->fields[i];
        const char *list = field->tag[0] == 'E' || strcmp(field->tag, "FED") == 0
                               ? "editors"
                               : "authors";
        struct slice none = {"", 0};
        if (is(field, "FAU") || is(field, "FED"))
            draft_person(draft, list, field->value);
        else if ((is(field, "AU") || is(field, "ED")) && !full)
            draft_person(draft, list, field->value);
        else if (is(field, "CN"))
            draft_name(
                draft, "authors",
                name_of_parts(none, none, plain_text(draft->arena, field->value), none));
        full = is(field, "FAU") || is(field, "FED");
    }
}

/* "10.1000/x [doi]", "S0048 [pii]" */
static void put_identifiers(struct draft *draft, const struct tagged_record *record)
{
    static const char mark[] = "[doi]";
    draft_identifier(draft, "pmid", tagged_value(record, "PMID"));
    for (size_t i = 0; i < record->count; i++) {
        struct slice value = record->fields[i].value;
        if (!is(&record->fields[i], "LID") && !is(&record->fields[i], "AID"))
            continue;
        const char *at = memmem(value.bytes, value.length, mark, sizeof mark - 1);
        if (at != NULL)
            draft_identifier(draft, "doi", slice_between(value.bytes, at));
    }
    if (strcmp(draft->kind, "book") == 0)
        draft_identifier(draft, "isbn", tagged_value(record, "ISBN"));
}

/* MEDLINE ends titles with a full stop. */
static struct slice title_of(const struct tagged_record *record)
{
    struct slice title = tagged_value(record, "TI");
    bool stop = title.length > 1 && title.bytes[title.length - 1] == '.' &&
                title.bytes[title.length - 2] != '.';
    title.length -= stop;
    return title;
}

json_t *nbib_document(struct arena *arena, const struct tagged_record *record)
{
    struct draft draft = draft_begin(arena, kind_of(record));
    draft_put(&draft, "title", title_of(record));
    tagged_apply(&draft, record, rules, COUNT(rules));
    put_people(&draft, record);
    draft_pages(&draft, tagged_value(record, "PG"), (struct slice){"", 0});
    draft_date(&draft, tagged_value(record, "DP"));
    draft_date(&draft, tagged_value(record, "DEP"));
    put_identifiers(&draft, record);
    return draft_finish(&draft);
}

static enum result nbib_open(void **state, struct arena *arena, struct slice text,
                             const struct bibtex_limits *limits)
{
    *state = tagged_open(arena, text, TAGGED_MEDLINE, limits);
    return OK;
}

static enum result nbib_next(struct bibliography_entry *entry, void *state,
                             struct arena *arena)
{
    struct tagged_record record;
    TRY(tagged_next(&record, state, arena));
    struct slice id = plain_text(arena, tagged_value(&record, "PMID"));
    if (id.length > 0 && id.length < 200)
        entry->key = id.bytes;
    if (tagged_entry(entry, &record))
        entry->document = nbib_document(arena, &record);
    return OK;
}

const struct bibliography_reader nbib_reader = {.open = nbib_open, .next = nbib_next};
