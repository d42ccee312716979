/* A link to a person who is not here would get lost without a word; see authors.h. */
#include "server/site/authors.h"

#include "db/store/publication.h"
#include "server/base/arena.h"

enum result authors_check(struct submission *submission, struct db *db)
{
    json_t *strangers, *stranger;
    size_t index;
    TRY(publication_unknown_people(&strangers, db, submission->document));
    json_array_foreach(strangers, index, stranger)
        form_error(submission,
                   arena_print(arena_current(), "authors.%" JSON_INTEGER_FORMAT ".person",
                               json_integer_value(json_object_get(stranger, "author"))),
                   "person");
    return json_array_size(strangers) == 0 ? OK : INVALID;
}
