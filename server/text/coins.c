/* Works as OpenURL context objects; see coins.h. The keys are those of the formats
 * journal, book, dissertation and dc of the registry at openurl.info. */
#include "server/text/coins.h"

#include "server/base/document.h"
#include "server/base/percent.h"
#include "server/base/utf8.h"
#include "server/text/work_facts.h"
#include "server/text/written_name.h"

static void put(struct buf *out, const char *key, const char *value)
{
    if (value == NULL || *value == '\0')
        return;
    buf_print(out, "&%s=", key);
    percent_encode(out, value, strlen(value), false);
}

/* Which format a kind is told in, and its keys for the title and what it is part of. */
struct form {
    const char *kind, *format, *genre, *title, *venue;
};

static const struct form forms[] = {
    {"article",    "journal",      "article",    "rft.atitle", "rft.jtitle"},
    {"preprint",   "journal",      "preprint",   "rft.atitle", "rft.jtitle"},
    {"conference", "book",         "proceeding", "rft.atitle", "rft.btitle"},
    {"chapter",    "book",         "bookitem",   "rft.atitle", "rft.btitle"},
    {"book",       "book",         "book",       "rft.btitle", "rft.series"},
    {"report",     "book",         "report",     "rft.btitle", "rft.series"},
    {"thesis",     "dissertation", NULL,         "rft.title",  NULL        },
    {"software",   "dc",           NULL,         "rft.title",  "rft.source"},
    {"dataset",    "dc",           NULL,         "rft.title",  "rft.source"},
    {"other",      "dc",           NULL,         "rft.title",  "rft.source"},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

static const struct form *form_of(const json_t *work)
{
    const char *kind = text_at(work, "kind", "");
    for (size_t i = 0; i < FORMS; i++)
        if (strcmp(forms[i].kind, kind) == 0)
            return &forms[i];
    return &forms[FORMS - 1];
}

static void put_people(struct buf *out, const json_t *work, bool dc)
{
    size_t i;
    const json_t *one, *people = json_object_get(work, "authors");
    if (json_array_size(people) == 0)
        people = json_object_get(work, "editors");
    json_array_foreach(people, i, one)
    {
        struct written_name name = written_name(one);
        bool group =
            name.given == NULL && !utf8_has_han(name.family, strlen(name.family));
        if (i == 0 && !dc && name.given != NULL) {
            put(out, "rft.aulast", name.family);
            put(out, "rft.aufirst", name.given);
        }
        put(out,
            dc      ? "rft.creator"
            : group ? "rft.aucorp"
                    : "rft.au",
            filled_of(one, "name"));
    }
}

void coins_write(struct buf *out, const json_t *work, const char *url)
{
    const struct form *form = form_of(work);
    bool dc = strcmp(form->format, "dc") == 0;
    struct work_pages pages = work_pages(out->arena, work);
    const char *doi = work_identifier(work, "doi"), *pmid = work_identifier(work, "pmid");
    buf_print(out,
              "ctx_ver=Z39.88-2004&rft_val_fmt=info%%3Aofi%%2Ffmt%%3Akev%%3Amtx%%3A%s",
              form->format);
    if (doi != NULL)
        put(out, "rft_id", arena_print(out->arena, "info:doi/%s", doi));
    if (pmid != NULL)
        put(out, "rft_id", arena_print(out->arena, "info:pmid/%s", pmid));
    put(out, "rft_id", url);
    put(out, "rft.genre", form->genre);
    put(out, form->title, filled_of(work, "title"));
    if (form->venue != NULL) {
        bool series = strcmp(form->venue, "rft.series") == 0;
        put(out, form->venue, filled_of(work, series ? "series" : "venue"));
    }
    put_people(out, work, dc);
    put(out, "rft.date", work_date_text(out->arena, work));
    put(out, "rft.volume", filled_of(work, "volume"));
    put(out, "rft.issue", filled_of(work, "issue"));
    put(out, "rft.spage", pages.first);
    put(out, "rft.epage", pages.last);
    put(out, "rft.pages", pages.shown);
    put(out, "rft.edition", filled_of(work, "edition"));
    put(out,
        strcmp(form->format, "dissertation") == 0 ? "rft.inst"
        : dc                                      ? "rft.publisher"
                                                  : "rft.pub",
        filled_of(work, "publisher"));
    put(out, "rft.place", filled_of(work, "place"));
    put(out, "rft.degree", dc ? NULL : filled_of(work, "genre"));
    put(out, "rft.isbn", work_identifier(work, "isbn"));
}
