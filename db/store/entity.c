/* The entities that change through the one door. A new one is a migration, its .sql and
 * .c beside a row here, a form, templates and routes. */
#include "db/store/entity.h"

#include "db/store/lab.sql.h"
#include "db/store/person.sql.h"
#include "db/store/publication.sql.h"
#include "server/base/buf.h"
#include "server/base/utf8.h"

#include <string.h>
#include <utf8proc.h>

const struct entity entities[] = {
    {.name = "lab",                .document = &lab_document, .update = &lab_update},
    { .name = "person",
     .document = &person_document,
     .by_slug = &person_id_by_slug,
     .insert = &person_insert,
     .update = &person_update,
     .clear = &person_clear,
     .steps = {&person_parts, &person_recognise},
     .derive = person_derive,
     .slug = person_slug},
    {                                      .name = "publication",
     .document = &publication_document,
     .by_slug = &publication_id_by_slug,
     .insert = &publication_insert,
     .update = &publication_update,
     .check = &publication_check,
     .clear = &publication_clear,
     .steps = {&publication_parts},
     .derive = publication_derive,
     .slug = publication_slug},
};
const size_t entity_count = sizeof entities / sizeof *entities;

const struct entity *entity_find(const char *name)
{
    for (size_t i = 0; i < entity_count; i++)
        if (strcmp(entities[i].name, name) == 0)
            return &entities[i];
    return NULL;
}

static bool letter_or_digit(int32_t code)
{
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
        return true;
    default:
        return false;
    }
}

char *slug_from(struct arena *arena, const char *text, int words, int length)
{
    char *folded = utf8_fold(arena, text, strlen(text));
    size_t left = strlen(folded);
    struct buf slug = buf_on(arena);
    bool gap = false;
    while (left > 0 && length > 0) {
        size_t size;
        int32_t code = utf8_next(folded, left, &size);
        if (letter_or_digit(code)) {
            if (gap && slug.length > 0) {
                if (--words <= 0)
                    break;
                buf_char(&slug, '-');
                length--;
            }
            gap = false;
            buf_append(&slug, folded, size);
            length--;
        } else if (code != '\'' && code != 0x2019) {
            gap = true;
        }
        folded += size;
        left -= size;
    }
    if (slug.length > 0 && slug.data[slug.length - 1] == '-')
        slug.data[--slug.length] = '\0';
    return slug.data;
}
