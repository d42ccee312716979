/* Two documents of one work; see work_join.h. */
#include "server/text/work_join.h"

#include "server/base/document.h"
#include "server/base/utf8.h"

#include <string.h>

static bool nothing(const json_t *value)
{
    return value == NULL || json_is_null(value) || json_is_false(value) ||
           (json_is_string(value) && json_string_length(value) == 0) ||
           (json_is_array(value) && json_array_size(value) == 0);
}

static bool is_preprint(const json_t *document)
{
    return strcmp(text_at(document, "kind", ""), "preprint") == 0;
}

/* Rows of both, each `by` key (with the same scheme or kind) once. */
static json_t *united(const json_t *here, const json_t *coming, const char *by,
                      const char *with)
{
    json_t *rows = json_array();
    size_t i, j;
    const json_t *lists[] = {here, coming};
    for (size_t l = 0; l < 2; l++)
        for (i = 0; i < json_array_size(lists[l]); i++) {
            json_t *row = json_array_get(lists[l], i);
            bool known = false;
            for (j = 0; j < json_array_size(rows) && !known; j++) {
                json_t *other = json_array_get(rows, j);
                known = strcmp(text_at(row, by, ""), text_at(other, by, "")) == 0 &&
                        (with == NULL ||
                         strcmp(text_at(row, with, ""), text_at(other, with, "")) == 0);
            }
            if (!known)
                json_array_append(rows, row);
        }
    return rows;
}

/* "lin x" of "Xiao Lin": how authors are told apart within one work. */
static const char *sign(struct arena *arena, const json_t *author)
{
    const char *family = filled_of(author, "family"), *given = filled_of(author, "given");
    const char *text = text_at(author, "name", "");
    if (family != NULL) {
        size_t size = 0;
        if (given != NULL)
            utf8_next(given, strlen(given), &size);
        text = arena_print(arena, "%s %.*s", family, (int)size, given ? given : "");
    }
    return utf8_fold(arena, text, strlen(text));
}

/* Who the authors are stays, where the names agree. */
static json_t *authors_joined(const json_t *here, const json_t *coming)
{
    struct arena *arena = arena_current();
    static const char *const own[] = {"person", "equal", "corresponding"};
    json_t *authors = json_array();
    for (size_t i = 0; i < json_array_size(coming); i++) {
        json_t *author = json_copy(json_array_get(coming, i));
        const char *name = sign(arena, author);
        for (size_t j = 0; j < json_array_size(here); j++) {
            const json_t *other = json_array_get(here, (i + j) % json_array_size(here));
            if (strcmp(sign(arena, other), name) != 0)
                continue;
            for (size_t k = 0; k < sizeof own / sizeof *own; k++)
                if (nothing(json_object_get(author, own[k])))
                    json_object_set(author, own[k], json_object_get(other, own[k]));
            break;
        }
        json_array_append_new(authors, author);
    }
    return authors;
}

static bool stays(const char *key)
{
    static const char *const keys[] = {"slug", "selected", "weight", "topics", "files"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

/* An original that says nothing new, or less, does not take the other one's place. */
static void keep_source(json_t *joined, const json_t *here)
{
    static const char *const source[] = {"bibtex", "bibtex_key", "bibtex_type"};
    json_t *one = json_copy(joined), *other = json_copy((json_t *)(uintptr_t)here);
    for (size_t i = 0; i < sizeof source / sizeof *source; i++) {
        json_object_del(one, source[i]);
        json_object_del(other, source[i]);
    }
    for (size_t i = 0; json_equal(one, other) && i < sizeof source / sizeof *source; i++)
        json_object_set(joined, source[i], json_object_get(here, source[i]));
}

json_t *work_joined(const json_t *here, const json_t *coming)
{
    json_t *joined = json_copy((json_t *)(uintptr_t)here), *value;
    bool aside = is_preprint(coming) && !is_preprint(here);
    const char *key;
    json_object_foreach((json_t *)(uintptr_t)coming, key, value)
    {
        if (!aside && !nothing(value) && !stays(key))
            json_object_set(joined, key, value);
    }
    if (!aside && !nothing(json_object_get(coming, "authors")))
        json_object_set_new(joined, "authors",
                            authors_joined(json_object_get(here, "authors"),
                                           json_object_get(coming, "authors")));
    json_object_set_new(joined, "identifiers",
                        united(json_object_get(here, "identifiers"),
                               json_object_get(coming, "identifiers"), "value",
                               "scheme"));
    json_object_set_new(joined, "links",
                        united(json_object_get(here, "links"),
                               json_object_get(coming, "links"), "url", NULL));
    keep_source(joined, here);
    return joined;
}
