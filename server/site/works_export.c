/* Files of works; see works_export.h. They are written piece by piece, so that the
 * documents of one piece alone are in memory beside what was written. */
#include "server/site/works_export.h"

#include "db/store/public_key.h"
#include "db/store/slug.h"
#include "server/base/document.h"
#include "server/base/percent.h"
#include "server/site/export.h"
#include "server/site/origin.h"
#include "server/site/page.h"
#include "server/site/site.h"
#include "server/site/work_filter.h"
#include "server/site/works_table.h"
#include "server/text/biblatex_write.h"
#include "server/text/bibtex_write.h"
#include "server/text/csl_write.h"
#include "server/text/ris_write.h"
#include "server/view/view.h"

#include <string.h>

enum { PIECE = 250, WORKS_MOST = 5000 };

void works_bibtex(struct buf *out, json_t *work)
{
    const char *shown = filled_of(work, "bibtex_shown");
    if (shown == NULL || truth_at(work, "key_shared")) {
        bibtex_write(out, work);
        return;
    }
    buf_string(out, shown);
    buf_char(out, '\n');
}

static void csl_write(struct buf *out, json_t *work)
{
    buf_string(out, json_dumps(csl_item(work), JSON_INDENT(1)));
}

static const struct format {
    const char *name; /* in addresses */
    const char *type, *ending;
    void (*write)(struct buf *out, json_t *work); /* NULL: a table */
    const char *before, *between, *after;
    bool comments; /* may say that there are more */
} formats[] = {
    {"bib",      "text/x-bibtex; charset=utf-8",            ".bib",          works_bibtex,   "",    "\n",   "",      true },
    {"bibtex",   "text/x-bibtex; charset=utf-8",            ".bib",          works_bibtex,   "",    "\n",   "",      true },
    {"biblatex", "text/x-bibtex; charset=utf-8",            "-biblatex.bib", biblatex_write, "",
     "\n",                                                                                                  "",      true },
    {"ris",      "application/x-research-info-systems",     ".ris",          ris_write,      "",    "\r\n", "",
     false                                                                                                                },
    {"csl.json", "application/vnd.citationstyles.csl+json", ".csl.json",     csl_write,      "[\n",
     ",\n",                                                                                                 "\n]\n", false},
    {"csv",      NULL,                                      NULL,            NULL,           "",    "",     "",      false},
    {"xlsx",     NULL,                                      NULL,            NULL,           "",    "",     "",      false},
};

json_t *works_files(const char *query)
{
    static const char *const names[][2] = {
        {"bib",      "bib"     },
        {"biblatex", "biblatex"},
        {"ris",      "ris"     },
        {"csl",      "csl.json"},
        {"csv",      "csv"     },
        {"xlsx",     "xlsx"    },
        {"atom",     "atom"    },
    };
    json_t *files = json_object();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        json_object_set_new(files, names[i][0],
                            json_string(arena_print(arena_current(), "/publications.%s%s",
                                                    names[i][1], query)));
    return files;
}

/* What stands behind the first dot of the last segment, or the whole of it. */
static const struct format *format_of(const struct request *request)
{
    const char *segment = strrchr(request->route->pattern, '/') + 1;
    const char *dot = strncmp(segment, "publications.", 13) == 0 ? segment + 13 : segment;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(formats[i].name, dot) == 0)
            return &formats[i];
    return NULL;
}

struct writing {
    struct request *request;
    const struct format *format;
    struct public_works_filter filter;
    struct buf *out;
    struct sheet *sheet;
    size_t works;
    bool more;
};

static enum result write_work(struct writing *w, json_t *work)
{
    if (w->sheet != NULL)
        return sheet_row(w->sheet,
                         works_table_row(work, w->request->language, origin_of_site()),
                         NULL);
    buf_string(w->out, w->works > 0 ? w->format->between : w->format->before);
    w->format->write(w->out, work);
    return OK;
}

static enum result write_piece(size_t *read, struct writing *w)
{
    json_t *works, *work;
    size_t i;
    TRY(public_work_entries(&works, w->request->db, &w->filter));
    TRY(public_keys(works, w->request->db));
    *read = json_array_size(works);
    json_array_foreach(works, i, work)
    {
        w->more = w->works == WORKS_MOST;
        if (w->more)
            return OK;
        TRY(write_work(w, work));
        w->works++;
        w->filter.after = integer_at(work, "id");
    }
    return OK;
}

static enum result write_all(struct writing *w)
{
    size_t read = PIECE;
    w->filter.limit = PIECE;
    w->filter.after = 0;
    while (read == PIECE && !w->more) {
        struct arena *arena = arena_new(), *before = arena_enter(arena);
        enum result result = write_piece(&read, w);
        arena_enter(before);
        arena_free(arena);
        TRY(result);
    }
    return OK;
}

static void add_part(struct buf *name, const char *part)
{
    if (part != NULL && name->length < 120)
        buf_print(name, "-%s", part);
}

static void add_years(struct buf *name, int from, int to)
{
    if (from > 0 && from == to)
        buf_print(name, "-%d", from);
    else if (from > 0 && to > 0)
        buf_print(name, "-%d-%d", from, to);
    else if (from > 0 || to > 0)
        buf_print(name, from > 0 ? "-from-%d" : "-to-%d", from > 0 ? from : to);
}

enum result works_file_name(const char **name, const struct request *request,
                            const struct public_works_filter *filter)
{
    json_t *lab;
    struct buf text = buf_on(request->arena);
    TRY(page_lab(&lab, request));
    const char *stem = slug_from(request->arena, text_at(lab, "name", ""), 4, 40);
    buf_print(&text, "%s%spublications", stem, *stem != '\0' ? "-" : "");
    add_part(&text, filter->person);
    add_part(&text, filter->kind);
    add_part(&text, filter->topic);
    add_part(&text, filter->project);
    add_part(&text, filter->venue);
    add_part(&text, filter->slugs != NULL || filter->text != NULL ? "selection"
                    : filter->selected                            ? "selected"
                                                                  : NULL);
    add_years(&text, filter->from, filter->to);
    *name = text.data;
    return OK;
}

/* A name may hold any script; hence the form of RFC 8187 behind a plain name. */
static void as_file(struct response *response, const char *name,
                    const struct format *format)
{
    const char *encoded = percent_text(response->arena, name);
    bool plain = strcmp(encoded, name) == 0;
    response->type = format->type;
    response_header(response, "Content-Disposition",
                    arena_print(response->arena,
                                "attachment; filename=\"%s%s\"; filename*=UTF-8''%s%s",
                                plain ? name : "publications", format->ending, encoded,
                                format->ending));
}

static enum result too_many(struct request *request, struct response *response)
{
    response->status = 422;
    response->body = buf_on(request->arena);
    return page(request, response, "publications/too_many.html",
                json_pack("{s:i}", "count", WORKS_MOST));
}

static enum result table(struct writing *w, struct response *response, const char *name)
{
    enum sheet_format format;
    struct request *request = w->request;
    int fd;
    struct sheet_words words = export_words(
        request, view_message(site.view, request->language, "publications.title"));
    TRY(sheet_format_of(&format, w->format->name));
    TRY(sheet_open(&w->sheet, request->arena, format, &words,
                   works_table_headings(request->language)));
    enum result result = write_all(w);
    if (result != OK || w->more) {
        sheet_abandon(w->sheet);
        return result == OK ? too_many(request, response) : result;
    }
    TRY(sheet_close(&fd, w->sheet));
    export_send(response, fd, format, "publications", name);
    return OK;
}

enum result works_export(struct request *request, struct response *response)
{
    const char *name;
    json_t *choices;
    struct writing w = {
        .request = request, .format = format_of(request), .out = &response->body};
    if (w.format == NULL)
        return NOT_FOUND;
    TRY(work_filter_read(&w.filter, &choices, request));
    TRY(works_file_name(&name, request, &w.filter));
    if (w.format->write == NULL)
        return table(&w, response, name);
    TRY(write_all(&w));
    if (w.works == 0)
        buf_string(&response->body, w.format->before);
    buf_string(&response->body, w.format->after);
    if (w.more && !w.format->comments)
        return too_many(request, response);
    if (w.more)
        buf_print(&response->body, "\n%% %s\n",
                  view_message(site.view, request->language, "publications.cut"));
    as_file(response, name, w.format);
    return OK;
}

enum result works_export_one(struct request *request, struct response *response)
{
    json_t *works, *slugs = json_array();
    const char *slug = param(request, "slug");
    const struct format *format = format_of(request);
    json_array_append_new(slugs, json_string(slug));
    struct public_works_filter filter = {.slugs = slugs, .limit = 1};
    if (format == NULL)
        return NOT_FOUND;
    TRY(public_work_entries(&works, request->db, &filter));
    if (json_array_size(works) == 0)
        return NOT_FOUND;
    TRY(public_keys(works, request->db));
    buf_string(&response->body, format->before);
    format->write(&response->body, json_array_get(works, 0));
    buf_string(&response->body, format->after);
    as_file(response, slug, format);
    return OK;
}
