/* Writes an entry field by field; see entry_write.h. */
#include "server/text/entry_write.h"

#include "server/base/document.h"
#include "server/text/tex_write.h"
#include "server/text/work_key.h"

#include <string.h>

static const struct entry_shape *shape_of(const struct entry_dialect *dialect,
                                          json_t *work)
{
    const char *kind = filled_of(work, "kind");
    const struct entry_shape *shape = dialect->shapes;
    while (shape->kind != NULL && (kind == NULL || strcmp(kind, shape->kind) != 0))
        shape++;
    return shape;
}

static bool is_preprint(json_t *work)
{
    return strcmp(text_at(work, "kind", ""), "preprint") == 0;
}

static bool has_arxiv(json_t *work)
{
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(work, "identifiers"), i,
                       one) if (strcmp(text_at(one, "scheme", ""), "arxiv") ==
                                0) return true;
    return false;
}

/* What every style prints well is an article in the "journal" arXiv; the type for what is
 * not published wants a note. */
static struct entry preprint_of(const struct entry_dialect *dialect, json_t *work)
{
    const char *venue = text_at(work, "venue", "");
    if (strcasestr(venue, "arxiv") != NULL || strcasecmp(venue, "corr") == 0)
        return (struct entry){"article", dialect->journal, NULL};
    if (has_arxiv(work))
        return (struct entry){dialect->date ? "online" : "misc", dialect->journal, NULL};
    return (struct entry){"unpublished", "howpublished", NULL};
}

struct entry entry_of(const struct entry_dialect *dialect, json_t *work)
{
    const struct entry_shape *shape = shape_of(dialect, work);
    struct entry entry = {shape->type, shape->venue, NULL};
    if (is_preprint(work))
        entry = preprint_of(dialect, work);
    entry.genre = filled_of(work, "genre");
    return entry;
}

static void open_field(struct buf *out, const char *field)
{
    buf_print(out, ",\n  %s = {", field);
}

static void write_text(struct buf *out, const char *field, const char *value)
{
    if (value == NULL)
        return;
    open_field(out, field);
    tex_text(out, value, strlen(value));
    buf_char(out, '}');
}

static void write_address(struct buf *out, const char *field, const char *value)
{
    if (value == NULL)
        return;
    open_field(out, field);
    tex_address(out, value);
    buf_char(out, '}');
}

static void write_title(struct buf *out, const char *title)
{
    if (title == NULL)
        return;
    open_field(out, "title");
    tex_title(out, title);
    buf_char(out, '}');
}

static void write_pages(struct buf *out, const char *pages)
{
    if (pages == NULL)
        return;
    open_field(out, "pages");
    tex_pages(out, pages);
    buf_char(out, '}');
}

static void write_names(struct buf *out, const char *field, json_t *names, bool others)
{
    if (json_array_size(names) == 0)
        return;
    open_field(out, field);
    tex_names(out, names, others);
    buf_char(out, '}');
}

/* Marks of authors as biblatex annotates lists: "author+an = {1=equal; 2=corresponding}".
 * BibTeX passes over the field. */
static void write_marks(struct buf *out, json_t *authors)
{
    size_t i;
    json_t *author;
    bool any = false;
    json_array_foreach(authors, i, author)
    {
        bool equal = truth_at(author, "equal");
        bool corresponding = truth_at(author, "corresponding");
        if (!equal && !corresponding)
            continue;
        if (any)
            buf_string(out, "; ");
        else
            open_field(out, "author+an");
        buf_print(out, "%zu=%s%s%s", i + 1, equal ? "equal" : "",
                  equal && corresponding ? ", " : "",
                  corresponding ? "corresponding" : "");
        any = true;
    }
    if (any)
        buf_char(out, '}');
}

static void write_date(struct buf *out, json_t *work)
{
    int year = (int)integer_at(work, "year"), month = (int)integer_at(work, "month"),
        day = (int)integer_at(work, "day");
    if (year <= 0)
        return;
    buf_print(out, ",\n  date = {%04d", year);
    if (month >= 1 && month <= 12)
        buf_print(out, "-%02d", month);
    if (month >= 1 && month <= 12 && day >= 1 && day <= 31)
        buf_print(out, "-%02d", day);
    buf_char(out, '}');
}

static void write_year(struct buf *out, json_t *work)
{
    static const char *const months[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                         "jul", "aug", "sep", "oct", "nov", "dec"};
    int year = (int)integer_at(work, "year"), month = (int)integer_at(work, "month"),
        day = (int)integer_at(work, "day");
    if (year > 0)
        buf_print(out, ",\n  year = {%d}", year);
    if (month >= 1 && month <= 12)
        buf_print(out, ",\n  month = %s", months[month - 1]);
    if (month >= 1 && month <= 12 && day >= 1 && day <= 31)
        buf_print(out, ",\n  day = {%d}", day);
}

/* A number without eprinttype says itself whose it is: so a preprint without a venue does
 * not come back as one in the venue arXiv. */
static void write_arxiv(struct buf *out, const char *value, bool bare)
{
    if (bare)
        value = arena_print(arena_current(), "arXiv:%s", value);
    write_address(out, "eprint", value);
    if (!bare)
        buf_string(out, ",\n  eprinttype = {arxiv},\n  archiveprefix = {arXiv}");
}

static void write_identifiers(struct buf *out, json_t *work)
{
    size_t i;
    json_t *identifier;
    json_array_foreach(json_object_get(work, "identifiers"), i, identifier)
    {
        const char *scheme = filled_of(identifier, "scheme"),
                   *value = filled_of(identifier, "value");
        if (scheme == NULL || value == NULL)
            continue;
        if (strcmp(scheme, "arxiv") == 0)
            write_arxiv(out, value,
                        is_preprint(work) && filled_of(work, "venue") == NULL);
        else
            write_address(out, scheme, value);
    }
}

/* The first link of each kind that has a field; the fields are those of al-folio. */
static void write_links(struct buf *out, json_t *links)
{
    static const char *const kinds[] = {"pdf",   "preprint", "code",   "slides",
                                        "video", "data",     "poster", "website"};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        size_t i;
        json_t *link;
        json_array_foreach(links, i, link)
        {
            if (strcmp(text_at(link, "kind", ""), kinds[k]) != 0)
                continue;
            write_address(out, kinds[k], filled_of(link, "url"));
            break;
        }
    }
}

void entry_write(struct buf *out, const struct entry_dialect *dialect,
                 const struct entry *entry, json_t *work)
{
    const struct entry_shape *shape = shape_of(dialect, work);
    json_t *authors = json_object_get(work, "authors");
    buf_print(out, "@%s{%s", entry->type, work_key(arena_current(), work));
    write_names(out, "author", authors, truth_at(work, "others"));
    write_marks(out, authors);
    write_names(out, "editor", json_object_get(work, "editors"), false);
    write_title(out, filled_of(work, "title"));
    write_text(out, entry->venue, filled_of(work, "venue"));
    write_text(out, "series", filled_of(work, "series"));
    if (dialect->date)
        write_date(out, work);
    else
        write_year(out, work);
    write_text(out, "volume", filled_of(work, "volume"));
    write_text(out, shape->issue, filled_of(work, "issue"));
    write_text(out, shape->number, filled_of(work, "number"));
    write_pages(out, filled_of(work, "pages"));
    write_text(out, "edition", filled_of(work, "edition"));
    write_text(out, shape->publisher, filled_of(work, "publisher"));
    write_text(out, dialect->place, filled_of(work, "place"));
    write_text(out, "type", entry->genre);
    write_text(out, "language", filled_of(work, "language"));
    write_identifiers(out, work);
    write_address(out, "url", filled_of(work, "url"));
    write_links(out, json_object_get(work, "links"));
    write_text(out, "note", filled_of(work, "note"));
    write_text(out, "award", filled_of(work, "award"));
    write_text(out, "abstract", filled_of(work, "abstract"));
    buf_string(out, "\n}\n");
}
