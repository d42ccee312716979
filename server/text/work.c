/* From the fields of a BibTeX or biblatex entry to a document; see work.h. */
#include "server/text/work.h"

#include "server/base/buf.h"
#include "server/base/identifier.h"
#include "server/text/latex.h"
#include "server/text/names.h"
#include "server/text/work_date.h"

struct work {
    struct arena *arena;
    const struct bibtex_entry *entry;
    json_t *document;
    const char *kind;
    struct slice arxiv;
};

enum { FALLBACKS = 7 };

/* The first of some fields that is there, still LaTeX. `names` may end early with NULL.
 */
static struct slice first_of(const struct work *w, const char *const names[FALLBACKS])
{
    struct slice value = {"", 0};
    for (size_t i = 0; i < FALLBACKS && names[i] != NULL && value.length == 0; i++)
        value = bibtex_value(w->entry, names[i]);
    return value;
}

static json_t *text_or_null(struct slice text)
{
    return text.length > 0 ? json_stringn_nocheck(text.bytes, text.length) : json_null();
}

static json_t *number_or_null(int number)
{
    return number > 0 ? json_integer(number) : json_null();
}

static void put(struct work *w, const char *key, struct slice text)
{
    json_object_set_new_nocheck(w->document, key, text_or_null(text));
}

static void put_field(struct work *w, const char *key, const char *const names[FALLBACKS])
{
    put(w, key, latex_text(w->arena, first_of(w, names)));
}
#define NAMES(...) ((const char *const[FALLBACKS]){__VA_ARGS__})

static const char *kind_of_type(struct slice type)
{
    static const char *const kinds[][2] = {
        {"article",         "article"   },
        {"inproceedings",   "conference"},
        {"conference",      "conference"},
        {"proceedings",     "book"      },
        {"mvproceedings",   "book"      },
        {"book",            "book"      },
        {"mvbook",          "book"      },
        {"booklet",         "book"      },
        {"collection",      "book"      },
        {"mvcollection",    "book"      },
        {"inbook",          "chapter"   },
        {"incollection",    "chapter"   },
        {"bookinbook",      "chapter"   },
        {"suppbook",        "chapter"   },
        {"inreference",     "chapter"   },
        {"phdthesis",       "thesis"    },
        {"mastersthesis",   "thesis"    },
        {"bachelorsthesis", "thesis"    },
        {"thesis",          "thesis"    },
        {"techreport",      "report"    },
        {"report",          "report"    },
        {"manual",          "report"    },
        {"unpublished",     "preprint"  },
        {"preprint",        "preprint"  },
        {"software",        "software"  },
        {"dataset",         "dataset"   },
        {"suppperiodical",  "article"   },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (slice_like(type, kinds[i][0]))
            return kinds[i][1];
    return "other";
}

static bool says(struct slice text, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= text.length; i++)
        if (strncasecmp(text.bytes + i, word, length) == 0)
            return true;
    return false;
}

/* The arXiv number, wherever exports put it. */
static struct slice find_arxiv(struct work *w)
{
    static const char *const fields[] = {
        "arxiv", "arxivid", "journal", "journaltitle", "volume",
        "url",   "doi",     "note",    "ee",           "howpublished"};
    struct slice prefix = first_of(w, NAMES("archiveprefix", "eprinttype"));
    struct slice eprint = latex_address(w->arena, first_of(w, NAMES("eprint")));
    struct slice found = {"", 0};
    if (prefix.length == 0 || slice_like(prefix, "arxiv"))
        found = identifier_arxiv(w->arena, eprint);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0] && found.length == 0; i++) {
        struct slice text = bibtex_value(w->entry, fields[i]);
        if (text.length == 0 || text.length > 2000)
            continue;
        text = latex_address(w->arena, text);
        if (i < 2 || says(text, "arxiv") || (i == 4 && says(text, "abs/")))
            found = identifier_arxiv(w->arena, text);
    }
    return found;
}

/* A "journal" that only says arXiv makes a preprint of an article. */
static void find_kind(struct work *w)
{
    w->arxiv = find_arxiv(w);
    w->kind = kind_of_type(w->entry->type);
    struct slice journal = first_of(w, NAMES("journal", "journaltitle", "howpublished"));
    bool article = strcmp(w->kind, "article") == 0;
    bool other = strcmp(w->kind, "other") == 0;
    if ((article && (says(journal, "arxiv") || slice_like(journal, "corr"))) ||
        (other && w->arxiv.length > 0))
        w->kind = "preprint";
    json_object_set_new(w->document, "kind", json_string(w->kind));
}

static void put_title(struct work *w)
{
    struct slice title = latex_text(w->arena, first_of(w, NAMES("title")));
    struct slice subtitle = latex_text(w->arena, first_of(w, NAMES("subtitle")));
    if (title.length > 0 && subtitle.length > 0) {
        struct buf both = buf_on(w->arena);
        buf_append(&both, title.bytes, title.length);
        bool ended = strchr(".?!:", title.bytes[title.length - 1]) != NULL;
        buf_string(&both, ended ? " " : ": ");
        buf_append(&both, subtitle.bytes, subtitle.length);
        title = (struct slice){both.data, both.length};
    }
    put(w, "title", title);
}

static void put_venue(struct work *w)
{
    static const struct {
        const char *kind;
        const char *fields[FALLBACKS];
    } venues[] = {
        {"article",    {"journal", "journaltitle", "booktitle", "howpublished"}        },
        {"conference", {"booktitle", "eventtitle", "journal", "series", "organization"}},
        {"book",       {"publisher", "series", "organization", "institution"}          },
        {"chapter",    {"booktitle", "maintitle", "series", "publisher"}               },
        {"thesis",     {"school", "institution", "publisher", "organization"}          },
        {"report",     {"institution", "organization", "school", "publisher", "series"}},
        {"preprint",
         {"journal", "journaltitle", "archiveprefix", "eprinttype", "howpublished",
          "institution"}                                                               },
        {"software",   {"publisher", "organization", "journal"}                        },
        {"dataset",    {"publisher", "organization", "journal"}                        },
        {"other",
         {"journal", "booktitle", "publisher", "institution", "organization", "school",
          "howpublished"}                                                              },
    };
    size_t i = 0;
    while (strcmp(venues[i].kind, w->kind) != 0)
        i++;
    struct slice venue = first_of(w, venues[i].fields);
    put(w, "venue",
        says(venue, "\\url") || says(venue, "://") ? (struct slice){"", 0}
                                                   : latex_text(w->arena, venue));
}

static void put_date(struct work *w)
{
    struct work_date date = work_date(first_of(w, NAMES("date")),
                                      latex_text(w->arena, first_of(w, NAMES("year"))),
                                      latex_text(w->arena, first_of(w, NAMES("month"))),
                                      latex_text(w->arena, first_of(w, NAMES("day"))));
    json_object_set_new(w->document, "year", number_or_null(date.year));
    json_object_set_new(w->document, "month", number_or_null(date.month));
    json_object_set_new(w->document, "day", number_or_null(date.day));
}

/* "1--10", "1 - 10" and "1-10" with an en dash; a hyphen between two others stays. */
static void put_pages(struct work *w)
{
    struct slice pages = latex_text(w->arena, first_of(w, NAMES("pages", "eid")));
    struct buf out = buf_on(w->arena);
    const char *hyphen = memchr(pages.bytes, '-', pages.length);
    bool one = hyphen != NULL && memrchr(pages.bytes, '-', pages.length) == hyphen;
    for (size_t i = 0; i < pages.length; i++) {
        bool dash = i + 2 < pages.length && memcmp(pages.bytes + i, "–", 3) == 0;
        if (dash || (one && pages.bytes + i == hyphen)) {
            while (out.length > 0 && out.data[out.length - 1] == ' ')
                out.length--;
            buf_string(&out, "–");
            i += dash ? 2 : 0;
            while (i + 1 < pages.length && pages.bytes[i + 1] == ' ')
                i++;
        } else {
            buf_char(&out, pages.bytes[i]);
        }
    }
    put(w, "pages", (struct slice){out.data, out.length});
}

static struct slice web_address(struct work *w, struct slice field)
{
    struct slice url = latex_address(w->arena, field);
    const char *from = memmem(url.bytes, url.length, "http", 4);
    if (from == NULL)
        return (struct slice){"", 0};
    url = slice_between(from, url.bytes + url.length);
    bool web = (url.length > 7 && strncasecmp(url.bytes, "http://", 7) == 0) ||
               (url.length > 8 && strncasecmp(url.bytes, "https://", 8) == 0);
    return web && url.length <= 2000 ? url : (struct slice){"", 0};
}

static struct slice find_url(struct work *w)
{
    struct slice url =
        web_address(w, first_of(w, NAMES("url", "ee", "link", "bdsk-url-1")));
    struct slice how = first_of(w, NAMES("howpublished"));
    if (url.length == 0 && says(how, "http"))
        url = web_address(w, how);
    return url;
}

static void put_authors(struct work *w)
{
    struct names names = names_parse(w->arena, first_of(w, NAMES("author", "editor")));
    json_t *authors = json_array();
    for (size_t i = 0; i < names.count; i++) {
        const struct name *name = &names.list[i];
        json_t *author = json_object();
        json_object_set_new(author, "name", text_or_null(name_display(w->arena, name)));
        json_object_set_new(author, "family", text_or_null(name_family(w->arena, name)));
        json_object_set_new(author, "given", text_or_null(name->given));
        json_object_set_new(author, "equal", json_boolean(name->star));
        json_object_set_new(author, "corresponding", json_boolean(name->dagger));
        json_array_append_new(authors, author);
    }
    json_object_set_new(w->document, "authors", authors);
    json_object_set_new(w->document, "others", json_boolean(names.others));
}

static void add_identifier(json_t *list, const char *scheme, struct slice value)
{
    if (value.length == 0)
        return;
    json_t *identifier = json_object();
    json_object_set_new(identifier, "scheme", json_string(scheme));
    json_object_set_new(identifier, "value", text_or_null(value));
    json_array_append_new(list, identifier);
}

static struct slice find_doi(struct work *w)
{
    static const char *const addresses[] = {"url",  "ee",           "bdsk-url-1",
                                            "link", "howpublished", "note"};
    struct slice doi =
        identifier_doi(w->arena, latex_address(w->arena, first_of(w, NAMES("doi"))));
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0] && doi.length == 0;
         i++) {
        struct slice field = bibtex_value(w->entry, addresses[i]);
        if (field.length <= 2000 && says(field, "doi.org/"))
            doi = identifier_doi(w->arena, latex_address(w->arena, field));
    }
    return doi;
}

static void put_identifiers(struct work *w)
{
    json_t *list = json_array();
    struct slice pmid = first_of(w, NAMES("pmid"));
    if (pmid.length == 0 && slice_like(first_of(w, NAMES("eprinttype")), "pubmed"))
        pmid = first_of(w, NAMES("eprint"));
    add_identifier(list, "doi", find_doi(w));
    add_identifier(list, "arxiv", w->arxiv);
    if (strcmp(w->kind, "book") == 0)
        add_identifier(list, "isbn",
                       identifier_isbn(w->arena, first_of(w, NAMES("isbn"))));
    add_identifier(list, "pmid", identifier_pmid(w->arena, pmid));
    json_object_set_new(w->document, "identifiers", list);
}

static void put_source(struct work *w)
{
    struct slice source = w->entry->source;
    if (memchr(source.bytes, '\0', source.length) != NULL) {
        char *copy = arena_alloc(w->arena, source.length);
        size_t used = 0;
        for (size_t i = 0; i < source.length; i++)
            if (source.bytes[i] != '\0')
                copy[used++] = source.bytes[i];
        source = (struct slice){copy, used};
    }
    put(w, "bibtex", source);
    put(w, "bibtex_key", latex_address(w->arena, w->entry->key));
    put(w, "bibtex_type", w->entry->type);
}

json_t *work_blank(void)
{
    static const char *const texts[] = {
        "title",    "venue",   "series",     "volume",     "issue",     "number",
        "pages",    "edition", "place",      "genre",      "publisher", "language",
        "abstract", "note",    "award",      "url",        "year",      "month",
        "day",      "bibtex",  "bibtex_key", "bibtex_type"};
    static const char *const lists[] = {"authors", "editors", "identifiers", "links"};
    json_t *document = json_object();
    json_object_set_new(document, "kind", json_string("other"));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        json_object_set_new(document, texts[i], json_null());
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        json_object_set_new(document, lists[i], json_array());
    json_object_set_new(document, "others", json_false());
    return document;
}

json_t *work_document(struct arena *arena, const struct bibtex_entry *entry)
{
    struct work w = {.arena = arena, .entry = entry, .document = json_object()};
    find_kind(&w);
    put_title(&w);
    put_authors(&w);
    put_venue(&w);
    put_date(&w);
    put_field(&w, "volume", NAMES("volume"));
    put_field(&w, "issue", NAMES("number", "issue"));
    put_pages(&w);
    put_field(&w, "publisher", NAMES("publisher", "organization"));
    put_field(&w, "abstract", NAMES("abstract"));
    put_field(&w, "note", NAMES("note", "addendum"));
    put_field(&w, "language", NAMES("language", "langid"));
    put(&w, "url", find_url(&w));
    put_identifiers(&w);
    put_source(&w);
    return w.document;
}

void work_inherit(json_t *document, const json_t *parent)
{
    static const char *const keys[][2] = {
        {"venue",     "title"    },
        {"publisher", "publisher"},
        {"volume",    "volume"   }
    };
    static const char *const date[] = {"year", "month", "day"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (json_is_null(json_object_get(document, keys[i][0])))
            json_object_set(document, keys[i][0], json_object_get(parent, keys[i][1]));
    bool dated = !json_is_null(json_object_get(document, "year"));
    for (size_t i = 0; i < sizeof date / sizeof date[0] && !dated; i++)
        json_object_set(document, date[i], json_object_get(parent, date[i]));
}
