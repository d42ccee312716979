/* From the fields of a BibTeX or biblatex entry to a document; see work.h. */
#include "server/text/work.h"

#include "server/base/buf.h"
#include "server/text/latex.h"
#include "server/text/names.h"
#include "server/text/work_date.h"
#include "server/text/work_private.h"

struct slice work_first(const struct work *w, const char *const names[FALLBACKS])
{
    struct slice value = {"", 0};
    for (size_t i = 0; i < FALLBACKS && names[i] != NULL && value.length == 0; i++)
        value = bibtex_value(w->entry, names[i]);
    return value;
}

bool work_says(struct slice text, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= text.length; i++)
        if (strncasecmp(text.bytes + i, word, length) == 0)
            return true;
    return false;
}

bool work_is(const struct work *w, const char *kind)
{
    return strcmp(w->kind, kind) == 0;
}

json_t *work_text(struct slice text)
{
    return text.length > 0 ? json_stringn_nocheck(text.bytes, text.length) : json_null();
}

static json_t *number_or_null(int number)
{
    return number > 0 ? json_integer(number) : json_null();
}

void work_put(struct work *w, const char *key, struct slice text)
{
    json_object_set_new_nocheck(w->document, key, work_text(text));
}

static void put_field(struct work *w, const char *key, const char *const names[FALLBACKS])
{
    work_put(w, key, latex_text(w->arena, work_first(w, names)));
}

/* "Title: subtitle" of two fields. */
static struct slice with_subtitle(struct work *w, struct slice title, const char *field)
{
    struct slice text = latex_text(w->arena, title);
    struct slice subtitle = latex_text(w->arena, bibtex_value(w->entry, field));
    if (text.length == 0 || subtitle.length == 0)
        return text;
    struct buf both = buf_on(w->arena);
    buf_append(&both, text.bytes, text.length);
    bool ended = strchr(".?!:", text.bytes[text.length - 1]) != NULL;
    buf_string(&both, ended ? " " : ": ");
    buf_append(&both, subtitle.bytes, subtitle.length);
    return (struct slice){both.data, both.length};
}

static void put_title(struct work *w)
{
    struct slice title = work_first(w, NAMES("title"));
    if (title.length == 0 && work_is(w, "book"))
        title = work_first(w, NAMES("maintitle", "booktitle"));
    work_put(w, "title", with_subtitle(w, title, "subtitle"));
}

/* What it is a part of. */
static void put_venue(struct work *w)
{
    static const struct {
        const char *kind;
        const char *fields[FALLBACKS];
    } venues[] = {
        {"article",    {"fjournal", "journal", "journaltitle", "booktitle", "howpublished"}},
        {"conference",
         {"booktitle", "eventtitle", "journal", "journaltitle", "maintitle"}               },
        {"book",       {"maintitle", "booktitle", "howpublished"}                          },
        {"chapter",    {"booktitle", "maintitle", "journal", "howpublished"}               },
        {"thesis",     {"howpublished"}                                                    },
        {"report",     {"journal", "journaltitle", "howpublished"}                         },
        {"preprint",
         {"journal", "journaltitle", "archiveprefix", "eprinttype", "howpublished"}        },
        {"software",   {"journal", "journaltitle", "howpublished"}                         },
        {"dataset",    {"journal", "journaltitle", "howpublished"}                         },
        {"other",
         {"journal", "journaltitle", "booktitle", "maintitle", "eventtitle",
          "howpublished"}                                                                  },
    };
    size_t i = 0;
    while (!work_is(w, venues[i].kind))
        i++;
    struct slice venue = work_first(w, venues[i].fields);
    if (work_says(venue, "\\url") || work_says(venue, "://"))
        venue.length = 0;
    bool journal =
        venue.length > 0 && (venue.bytes == work_first(w, NAMES("journaltitle")).bytes ||
                             venue.bytes == work_first(w, NAMES("journal")).bytes);
    struct slice text =
        with_subtitle(w, venue, journal ? "journalsubtitle" : "booksubtitle");
    const char *titled = json_string_value(json_object_get(w->document, "title"));
    struct slice title = slice_of(titled != NULL ? titled : "");
    if (work_is(w, "book") && text.length == title.length &&
        memcmp(text.bytes, title.bytes, text.length) == 0)
        text.length = 0; /* @proceedings say it twice, for BibTeX's crossref */
    work_put(w, "venue", text);
}

static void put_publisher(struct work *w)
{
    bool publishes = !work_is(w, "thesis") && !work_is(w, "report");
    put_field(w, "publisher",
              publishes ? NAMES("publisher", "organization", "institution", "school")
                        : NAMES("school", "institution", "organization", "publisher"));
}

/* A journal's issue and an article's number; of anything else `number` is its own. */
static void put_numbers(struct work *w)
{
    bool article = work_is(w, "article");
    put_field(w, "volume", NAMES("volume"));
    put_field(w, "issue", article ? NAMES("number", "issue") : NAMES("issue"));
    put_field(w, "number",
              article ? NAMES("eid", "articleno", "article-number")
                      : NAMES("number", "eid"));
}

static void put_date(struct work *w)
{
    struct slice whole = work_first(w, NAMES("date"));
    if (whole.length == 0 && work_first(w, NAMES("year")).length == 0)
        whole = work_first(w, NAMES("eventdate"));
    struct work_date date =
        work_date(whole, latex_text(w->arena, work_first(w, NAMES("year"))),
                  latex_text(w->arena, work_first(w, NAMES("month"))),
                  latex_text(w->arena, work_first(w, NAMES("day"))));
    json_object_set_new(w->document, "year", number_or_null(date.year));
    json_object_set_new(w->document, "month", number_or_null(date.month));
    json_object_set_new(w->document, "day", number_or_null(date.day));
}

/* "1--10", "1 - 10" and "1-10" with an en dash; a hyphen between two others stays. */
static void put_pages(struct work *w)
{
    struct slice pages = latex_text(w->arena, work_first(w, NAMES("pages")));
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
    work_put(w, "pages", (struct slice){out.data, out.length});
}

static json_t *person(struct work *w, const struct name *name)
{
    json_t *person = json_object();
    json_object_set_new(person, "name", work_text(name_display(w->arena, name)));
    json_object_set_new(person, "family", work_text(name_family(w->arena, name)));
    json_object_set_new(person, "given", work_text(name->given));
    return person;
}

static void put_people(struct work *w)
{
    struct names authors = names_parse(w->arena, work_first(w, NAMES("author")));
    struct names editors = names_parse(w->arena, work_first(w, NAMES("editor")));
    json_t *list = json_array();
    for (size_t i = 0; i < authors.count; i++) {
        json_t *author = person(w, &authors.list[i]);
        json_object_set_new(author, "equal", json_boolean(authors.list[i].star));
        json_object_set_new(author, "corresponding",
                            json_boolean(authors.list[i].dagger));
        json_array_append_new(list, author);
    }
    json_object_set_new(w->document, "authors", list);
    json_object_set_new(w->document, "others", json_boolean(authors.others));
    work_put_marks(w);
    list = json_array();
    for (size_t i = 0; i < editors.count; i++)
        json_array_append_new(list, person(w, &editors.list[i]));
    json_object_set_new(w->document, "editors", list);
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
    work_put(w, "bibtex", source);
    work_put(w, "bibtex_key", latex_address(w->arena, w->entry->key));
    work_put(w, "bibtex_type", w->entry->type);
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
    work_put_kind(&w);
    put_title(&w);
    put_people(&w);
    put_venue(&w);
    put_field(&w, "series", NAMES("series"));
    put_numbers(&w);
    put_pages(&w);
    put_field(&w, "edition", NAMES("edition"));
    put_publisher(&w);
    if (slice_like(entry->type, "patent")) /* there it is where the patent holds */
        work_put(&w, "place", (struct slice){"", 0});
    else
        put_field(&w, "place", NAMES("address", "location"));
    work_put_genre(&w);
    put_date(&w);
    put_field(&w, "language", NAMES("language", "langid", "hyphenation"));
    put_field(&w, "abstract", NAMES("abstract"));
    put_field(&w, "note", NAMES("note", "addendum"));
    put_field(&w, "award", NAMES("award", "award_name"));
    work_put_links(&w);
    put_source(&w);
    return w.document;
}
