/* CSL-JSON to documents; see csl.h. */
#include "server/text/csl.h"

#include "server/base/buf.h"
#include "server/text/csl_note.h"
#include "server/text/csl_rest.h"
#include "server/text/csl_split.h"
#include "server/text/plain.h"
#include "server/text/tagged_draft.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const struct slice nothing = {"", 0};

static const struct tagged_kind types[] = {
    {"article-journal",     "article"   },
    {"journal-article",     "article"   },
    {"article-magazine",    "article"   },
    {"article-newspaper",   "article"   },
    {"review",              "article"   },
    {"review-book",         "article"   },
    {"peer-review",         "article"   },
    {"paper-conference",    "conference"},
    {"proceedings-article", "conference"},
    {"book",                "book"      },
    {"monograph",           "book"      },
    {"edited-book",         "book"      },
    {"reference-book",      "book"      },
    {"proceedings",         "book"      },
    {"collection",          "book"      },
    {"classic",             "book"      },
    {"chapter",             "chapter"   },
    {"book-chapter",        "chapter"   },
    {"book-section",        "chapter"   },
    {"book-part",           "chapter"   },
    {"entry-dictionary",    "chapter"   },
    {"entry-encyclopedia",  "chapter"   },
    {"reference-entry",     "chapter"   },
    {"thesis",              "thesis"    },
    {"dissertation",        "thesis"    },
    {"report",              "report"    },
    {"report-component",    "report"    },
    {"standard",            "report"    },
    {"article",             "preprint"  },
    {"posted-content",      "preprint"  },
    {"preprint",            "preprint"  },
    {"manuscript",          "preprint"  },
    {"software",            "software"  },
    {"dataset",             "dataset"   },
    {"database",            "dataset"   },
};

/* A text, a number, or the first of a list of them. */
static struct slice text_of(struct arena *arena, const json_t *value)
{
    if (json_is_array(value))
        value = json_array_get(value, 0);
    if (json_is_string(value))
        return (struct slice){json_string_value(value), json_string_length(value)};
    if (json_is_integer(value))
        return slice_of(
            arena_print(arena, "%" JSON_INTEGER_FORMAT, json_integer_value(value)));
    if (json_is_real(value))
        return slice_of(arena_print(arena, "%.10g", json_real_value(value)));
    return nothing;
}

static struct slice field(struct arena *arena, const json_t *item, const char *key)
{
    return text_of(arena, json_object_get(item, key));
}

static bool says(struct slice text, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= text.length; i++)
        if (strncasecmp(text.bytes + i, word, length) == 0)
            return true;
    return false;
}

static const char *kind_of(struct arena *arena, const json_t *item)
{
    struct slice type = field(arena, item, "type");
    const char *kind = tagged_kind(type, types, COUNT(types));
    bool container = field(arena, item, "container-title").length > 0;
    if (slice_is(type, "article") && container &&
        !says(field(arena, item, "container-title"), "arxiv"))
        return "article";
    return kind == NULL ? "other" : kind;
}

struct rule {
    const char *key, *kinds;
    const char *fields[4];
};

static const struct rule rules[] = {
    {"venue",
     "article conference book chapter preprint other dataset", {"container-title"}                                               },
    {"venue",     "conference",                                {"event-title", "event"}                                          },
    {"venue",     "preprint",                                  {"publisher"}                                                     },
    {"series",    "",                                          {"collection-title"}                                              },
    {"volume",    "",                                          {"volume"}                                                        },
    {"issue",     "",                                          {"issue"}                                                         },
    {"number",    "",                                          {"number", "article-number", "report-number", "collection-number"}},
    {"edition",   "software dataset",                          {"version", "edition"}                                            },
    {"edition",   "",                                          {"edition", "edition-number"}                                     },
    {"publisher", "",                                          {"publisher"}                                                     },
    {"place",     "",                                          {"publisher-place", "publisher-location"}                         },
    {"genre",     "thesis report",                             {"genre"}                                                         },
    {"language",  "",                                          {"language"}                                                      },
    {"abstract",  "",                                          {"abstract"}                                                      },
};

static void apply_rules(struct draft *draft, const json_t *item)
{
    for (size_t i = 0; i < COUNT(rules); i++)
        for (size_t f = 0; f < COUNT(rules[i].fields) && rules[i].fields[f] != NULL; f++)
            if (rules[i].kinds[0] == '\0' || tagged_among(rules[i].kinds, draft->kind))
                draft_put(draft, rules[i].key,
                          field(draft->arena, item, rules[i].fields[f]));
}

/* Crossref keeps the subtitle apart; CSL-JSON has both in the title. */
static void put_title(struct draft *draft, const json_t *item)
{
    struct slice title = plain_text(draft->arena, field(draft->arena, item, "title"));
    struct slice subtitle =
        plain_text(draft->arena, field(draft->arena, item, "subtitle"));
    if (title.length > 0 && subtitle.length > 0 &&
        memmem(title.bytes, title.length, subtitle.bytes, subtitle.length) == NULL) {
        struct buf both = buf_on(draft->arena);
        buf_append(&both, title.bytes, title.length);
        bool ended = strchr(".?!:", title.bytes[title.length - 1]) != NULL;
        buf_string(&both, ended ? " " : ": ");
        buf_append(&both, subtitle.bytes, subtitle.length);
        title = (struct slice){both.data, both.length};
    }
    if (title.length == 0)
        title = plain_text(draft->arena, field(draft->arena, item, "title-short"));
    if (title.length > 0)
        json_object_set_new(draft->document, "title",
                            json_stringn_nocheck(title.bytes, title.length));
}

static struct slice name_part(struct draft *draft, const json_t *name, const char *key)
{
    struct slice part = plain_text(draft->arena, field(draft->arena, name, key));
    if (part.length > 2 && part.bytes[0] == '"' && part.bytes[part.length - 1] == '"')
        return slice_trim((struct slice){part.bytes + 1, part.length - 2});
    return part;
}

static struct slice particles(struct draft *draft, const json_t *name)
{
    struct slice dropping = name_part(draft, name, "dropping-particle");
    struct slice kept = name_part(draft, name, "non-dropping-particle");
    if (dropping.length == 0 || kept.length == 0)
        return dropping.length == 0 ? kept : dropping;
    return slice_of(arena_print(draft->arena, "%s %s", dropping.bytes, kept.bytes));
}

static void put_name(struct draft *draft, const char *list, const json_t *name)
{
    static const char *const wholes[] = {"literal", "name"};
    if (json_is_string(name)) {
        draft_person(draft, list, text_of(draft->arena, name));
        return;
    }
    struct slice family = name_part(draft, name, "family");
    struct slice given = name_part(draft, name, "given");
    if (family.length > 0 || given.length > 0) {
        draft_name(draft, list,
                   name_of_parts(given, particles(draft, name), family,
                                 name_part(draft, name, "suffix")));
        return;
    }
    for (size_t i = 0; i < COUNT(wholes); i++) {
        struct slice whole = name_part(draft, name, wholes[i]);
        if (whole.length > 0) {
            draft_whole_name(draft, list, whole);
            return;
        }
    }
}

static void put_names(struct draft *draft, const json_t *item)
{
    static const char *const roles[][2] = {
        {"author",           "authors"},
        {"editor",           "editors"},
        {"container-editor", "editors"}
    };
    for (size_t r = 0; r < COUNT(roles); r++) {
        const json_t *names = json_object_get(item, roles[r][0]);
        const json_t *name;
        size_t i;
        if (json_array_size(json_object_get(draft->document, roles[r][1])) > 0)
            continue;
        if (json_is_object(names) || json_is_string(names))
            put_name(draft, roles[r][1], names);
        json_array_foreach(names, i, name) put_name(draft, roles[r][1], name);
    }
}

static int number_of(struct arena *arena, const json_t *value)
{
    struct slice text =
        slice_trim(json_is_array(value) ? nothing : text_of(arena, value));
    int number = 0;
    if (text.length == 0 || text.length > 4)
        return 0;
    for (size_t i = 0; i < text.length; i++) {
        if (!text_digit(text.bytes[i]))
            return 0;
        number = number * 10 + (text.bytes[i] - '0');
    }
    return number;
}

static void put_date(struct draft *draft, const json_t *date)
{
    static const char *const words[] = {"raw", "literal", "string-value"};
    struct arena *arena = draft->arena;
    const json_t *parts = json_object_get(date, "date-parts");
    if (json_is_array(json_array_get(parts, 0)))
        parts = json_array_get(parts, 0);
    int year = number_of(arena, json_array_get(parts, 0));
    if (year == 0)
        year = number_of(arena, json_object_get(date, "year"));
    draft_day(draft, year, number_of(arena, json_array_get(parts, 1)),
              number_of(arena, json_array_get(parts, 2)));
    if (json_is_string(date))
        draft_date(draft, text_of(arena, date));
    for (size_t i = 0; i < COUNT(words) && !draft_has(draft, "year"); i++)
        draft_date(draft, field(arena, date, words[i]));
}

static void put_dates(struct draft *draft, const json_t *item)
{
    static const char *const keys[] = {"issued", "published", "published-print",
                                       "published-online", "posted"};
    for (size_t i = 0; i < COUNT(keys) && !draft_has(draft, "year"); i++)
        put_date(draft, json_object_get(item, keys[i]));
    if (strcmp(draft->kind, "conference") == 0 && !draft_has(draft, "year"))
        put_date(draft, json_object_get(item, "event-date"));
}

static void put_identifiers(struct draft *draft, const json_t *item)
{
    static const char *const arxiv[] = {"arxiv", "number", "archive_location", "note"};
    struct arena *arena = draft->arena;
    draft_identifier(draft, "doi", field(arena, item, "DOI"));
    draft_identifier(draft, "doi", field(arena, item, "doi"));
    draft_identifier(draft, "pmid", field(arena, item, "PMID"));
    for (size_t i = 0; i < COUNT(arxiv); i++) {
        struct slice text = field(arena, item, arxiv[i]);
        if (i == 0 || says(text, "arxiv:") ||
            (i == 2 && says(field(arena, item, "archive"), "arxiv")))
            draft_identifier(draft, "arxiv", text);
    }
    if (strcmp(draft->kind, "book") != 0)
        return;
    const json_t *isbns = json_object_get(item, "ISBN");
    const json_t *isbn;
    size_t i;
    json_array_foreach(isbns, i, isbn)
        draft_identifier(draft, "isbn", text_of(arena, isbn));
    draft_identifier(draft, "isbn", text_of(arena, isbns));
}

json_t *csl_document(struct arena *arena, json_t *item)
{
    json_t *message = json_object_get(item, "message");
    if (json_is_object(message) && json_object_get(item, "title") == NULL)
        item = message;
    if (!json_is_object(item))
        return NULL;
    struct draft draft = draft_begin(arena, kind_of(arena, item));
    put_title(&draft, item);
    put_names(&draft, item);
    apply_rules(&draft, item);
    const json_t *event = json_object_get(item, "event");
    if (strcmp(draft.kind, "conference") == 0)
        draft_put(&draft, "venue", field(arena, event, "name"));
    const json_t *institution = json_array_get(json_object_get(item, "institution"), 0);
    draft_put(&draft, "publisher", field(arena, institution, "name"));
    struct slice first = field(arena, item, "page-first");
    draft_pages(&draft, field(arena, item, "page"), nothing);
    draft_pages(&draft, first, nothing);
    put_dates(&draft, item);
    csl_put_note(&draft, field(arena, item, "note"));
    put_identifiers(&draft, item);
    draft_url(&draft, field(arena, item, "URL"));
    json_t *document = draft_finish(&draft);
    csl_put_rest(document, json_object_get(json_object_get(item, "custom"), "labd"));
    return document;
}

static bool known_type(struct arena *arena, const json_t *item)
{
    static const char *const others[] = {"webpage",
                                         "post",
                                         "post-weblog",
                                         "patent",
                                         "speech",
                                         "bill",
                                         "figure",
                                         "graphic",
                                         "hearing",
                                         "interview",
                                         "map",
                                         "treaty",
                                         "motion_picture",
                                         "musical_score",
                                         "pamphlet",
                                         "song",
                                         "entry",
                                         "broadcast",
                                         "legal_case",
                                         "legislation",
                                         "document",
                                         "event",
                                         "performance",
                                         "periodical",
                                         "regulation",
                                         "personal_communication",
                                         "other",
                                         "journal",
                                         "component",
                                         "grant"};
    struct slice type = field(arena, item, "type");
    if (type.length == 0 || tagged_kind(type, types, COUNT(types)) != NULL)
        return true;
    for (size_t i = 0; i < COUNT(others); i++)
        if (slice_like(type, others[i]))
            return true;
    return false;
}

static void remark(struct bibliography_entry *entry, struct arena *arena,
                   const json_t *item)
{
    if (!known_type(arena, item))
        bibliography_remark(entry, entry->line, "unknown_type",
                            plain_text(arena, field(arena, item, "type")),
                            "a type of work that is not known");
    const json_t *issued = json_object_get(item, "issued");
    if (issued == NULL || json_is_null(issued) ||
        !json_is_null(json_object_get(entry->document, "year")))
        return;
    const char *date = json_dumps(issued, JSON_COMPACT | JSON_ENCODE_ANY);
    bibliography_remark(entry, entry->line, "bad_date",
                        date == NULL ? nothing : slice_of(date),
                        "a date that could not be read");
}

static enum result csl_open(void **state, struct arena *arena, struct slice text,
                            const struct bibtex_limits *limits)
{
    (void)limits;
    *state = csl_split(arena, text);
    return OK;
}

static enum result csl_next(struct bibliography_entry *entry, void *state,
                            struct arena *arena)
{
    json_t *item;
    TRY(csl_split_next(&item, entry, state));
    if (item == NULL)
        return OK;
    if (!json_is_object(item)) {
        entry->refused = "no_item";
        entry->reason = "it is no object, as an item is";
        entry->refused_line = entry->line;
        return OK;
    }
    struct slice id = plain_text(arena, field(arena, item, "id"));
    if (id.length > 0 && id.length < 200)
        entry->key = id.bytes;
    entry->document = csl_document(arena, item);
    remark(entry, arena, item);
    return OK;
}

const struct bibliography_reader csl_reader = {csl_open, csl_next};
