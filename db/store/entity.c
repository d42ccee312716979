/* The entities that change through the one door. A new one is a migration, its .sql and
 * .c beside a row here, a form, templates and routes. */
#include "db/store/entity.h"

#include "db/store/answer.sql.h"
#include "db/store/claim.h"
#include "db/store/lab.sql.h"
#include "db/store/person.sql.h"
#include "db/store/publication.sql.h"

#include <string.h>

const struct entity entities[] = {
    {.name = "lab",
     .document = &lab_document,
     .update = &lab_update,
     .check = &lab_check               },
    {        .name = "person",
     .document = &person_document,
     .by_slug = &person_id_by_slug,
     .insert = &person_insert,
     .update = &person_update,
     .clear = &person_clear,
     .steps = {&person_parts, &person_recognise},
     .derive = person_derive,
     .slug = person_slug},
    { .name = "publication",
     .document = &publication_document,
     .by_slug = &publication_id_by_slug,
     .insert = &publication_insert,
     .update = &publication_update,
     .check = &publication_check,
     .clear = &publication_clear,
     .steps = {&publication_parts},
     .tidy = publication_tidy,
     .derive = publication_derive,
     .slug = publication_slug,
     .proposed = claim_name_authors},
    {               .name = "answer",
     .own_forms = true,
     .document = &answer_document,
     .update = &answer_update,
     .steps = {&answer_settle},
     .follow = answer_follow},
};
const size_t entity_count = sizeof entities / sizeof *entities;

const struct entity *entity_find(const char *name)
{
    for (size_t i = 0; i < entity_count; i++)
        if (strcmp(entities[i].name, name) == 0)
            return &entities[i];
    return NULL;
}
