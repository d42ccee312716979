/* Works: what is derived from their documents, lists for members and admins, and finding
 * the work that a document stands for already. */
#include "db/store/publication.h"

#include "db/connection.h"
#include "db/store/entity.h"
#include "db/store/person.h"
#include "db/store/publication.sql.h"
#include "server/base/buf.h"
#include "server/base/utf8.h"
#include "server/text/same_work.h"

#include <string.h>

static const char *or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

/* The name by which an author is recognised: given and family name where they are told
 * apart, else the name as printed. */
static char *author_folded(struct arena *arena, json_t *author)
{
    const char *family = text_of(author, "family"), *given = text_of(author, "given");
    if (family == NULL || given == NULL)
        return name_folded(arena, or_empty(text_of(author, "name")));
    if (utf8_has_han(family, strlen(family)))
        return name_folded(arena, arena_print(arena, "%s%s", family, given));
    return name_folded(arena, arena_print(arena, "%s %s", given, family));
}

void publication_tidy(json_t *document, struct arena *arena)
{
    json_t *authors = json_object_get(document, "authors");
    if (json_is_array(authors))
        json_object_set(document, "authors", authors_without_marks(arena, authors));
}

const char *(*publication_shown)(struct arena *arena, json_t *document);

/* The original entry as visitors may see it; set here whatever a document says of it. */
static void derive_shown(json_t *document, struct arena *arena)
{
    const char *shown =
        publication_shown != NULL ? publication_shown(arena, document) : NULL;
    json_object_set_new(document, "bibtex_shown",
                        shown != NULL ? json_string(shown) : json_null());
}

void publication_derive(json_t *document, struct arena *arena)
{
    json_t *authors = json_object_get(document, "authors");
    const char *title = or_empty(text_of(document, "title"));
    json_int_t year = json_integer_value(json_object_get(document, "year"));
    struct buf search = buf_on(arena);
    buf_string(&search, title);
    for (size_t i = 0; i < json_array_size(authors); i++) {
        json_t *author = json_array_get(authors, i);
        buf_print(&search, " %s", or_empty(text_of(author, "name")));
        json_object_set_new(author, "folded", json_string(author_folded(arena, author)));
    }
    buf_print(&search, " %s", or_empty(text_of(document, "venue")));
    if (year != 0)
        buf_print(&search, " %s", NUM(year));
    json_object_set_new(document, "title_folded",
                        json_string(utf8_fold(arena, title, strlen(title))));
    json_object_set_new(document, "search",
                        json_string(utf8_fold(arena, search.data, search.length)));
    json_object_set_new(document, "match_keys", same_work_keys(arena, document));
    derive_shown(document, arena);
}

/* The family name, else the last word of the name (a Han name whole). */
static const char *first_family(json_t *document)
{
    json_t *author = json_array_get(json_object_get(document, "authors"), 0);
    const char *name = text_of(author, "name");
    if (text_of(author, "family") != NULL)
        return text_of(author, "family");
    if (name == NULL || utf8_has_han(name, strlen(name)))
        return name;
    return strrchr(name, ' ') != NULL ? strrchr(name, ' ') + 1 : name;
}

/* ferry-moving-pages of "Ferry: Moving Pages Before They Are Missed". */
char *publication_slug(struct arena *arena, json_t *document)
{
    json_int_t year = json_integer_value(json_object_get(document, "year"));
    struct buf slug = buf_on(arena);
    const char *parts[] = {
        slug_from(arena, or_empty(first_family(document)), 3, 24),
        year == 0 ? "" : arena_string(arena, NUM(year)),
        slug_from(arena, or_empty(text_of(document, "title")), 3, 32),
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (*parts[i] != '\0')
            buf_print(&slug, "%s%s", slug.length > 0 ? "-" : "", parts[i]);
    return slug.length == 0 ? arena_string(arena, "work") : slug.data;
}

enum result publication_list(json_t **found, struct db *db,
                             const struct publication_filter *filter)
{
    const char *text = filter->text;
    if (text != NULL)
        text = utf8_fold(arena_current(), text, strlen(text));
    if (text != NULL && *text == '\0')
        text = NULL;
    return db_row(found, db, &publication_found, text,
                  filter->person == 0 ? NULL : NUM(filter->person), NUM(filter->limit),
                  NUM(filter->offset));
}
