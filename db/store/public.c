/* Reading for visitors; see public.h and public.sql. */
#include "db/store/public.h"

#include "db/connection.h"
#include "db/store/public.sql.h"
#include "server/base/buf.h"
#include "server/base/utf8.h"

#include <limits.h>
#include <string.h>

enum { WORDS_MAX = 8 };

enum result public_lab(json_t **lab, struct db *db)
{
    return db_row(lab, db, &public_lab_row);
}

enum result public_people(json_t **people, struct db *db)
{
    return db_rows(people, db, &public_people_rows);
}

enum result public_person(json_t **person, struct db *db, const char *slug)
{
    return db_row(person, db, &public_person_row, slug);
}

/* "%word%", with the characters that mean something to LIKE taken literally. */
static const char *like_pattern(struct arena *arena, const char *word, size_t length)
{
    struct buf pattern = buf_on(arena);
    buf_char(&pattern, '%');
    for (size_t i = 0; i < length; i++) {
        if (strchr("%_\\", word[i]) != NULL)
            buf_char(&pattern, '\\');
        buf_char(&pattern, word[i]);
    }
    buf_char(&pattern, '%');
    return pattern.data;
}

/* The words of a search as patterns: the longest, which the index is asked for, and a
 * JSON list of all. Both NULL for a text without words. */
static void patterns(const char **longest, const char **all, const char *text)
{
    struct arena *arena = arena_current();
    *longest = *all = NULL;
    if (text == NULL || !utf8_valid(text, strlen(text)))
        return;
    const char *word = utf8_fold(arena, text, strlen(text));
    json_t *list = json_array();
    while (*word != '\0' && json_array_size(list) < WORDS_MAX) {
        size_t length = strcspn(word, " ");
        if (length > 0) {
            const char *pattern = like_pattern(arena, word, length);
            json_array_append_new(list, json_string(pattern));
            if (*longest == NULL || strlen(pattern) > strlen(*longest))
                *longest = pattern;
        }
        word += length + strspn(word + length, " ");
    }
    if (*longest != NULL)
        *all = json_dumps(list, JSON_COMPACT);
}

enum result public_works(json_t **works, struct db *db,
                         const struct public_works_filter *filter)
{
    const char *longest, *all;
    patterns(&longest, &all, filter->text);
    bool first = filter->after_id == 0;
    int least = filter->year * 10000;
    int beyond = filter->year > 0 ? least + 10000 : INT_MAX;
    int count_to = first ? PUBLIC_WORKS_COUNTED + 1 : filter->limit + 1;
    return db_rows(works, db, &public_works_rows, filter->kind, filter->person, longest,
                   all, NUM(least), NUM(beyond),
                   NUM(first ? INT_MAX : filter->after_issued), NUM(filter->after_id),
                   NUM(count_to > filter->limit ? count_to : filter->limit),
                   NUM(filter->limit));
}

enum result public_work_choices_of(json_t **choices, struct db *db)
{
    return db_row(choices, db, &public_work_choices);
}

enum result public_work(json_t **work, struct db *db, const char *slug)
{
    return db_row(work, db, &public_work_row, slug);
}

enum result public_work_entries(json_t **works, struct db *db,
                                const struct public_works_filter *filter)
{
    const char *longest, *all;
    patterns(&longest, &all, filter->text);
    int least = filter->year * 10000;
    int beyond = filter->year > 0 ? least + 10000 : INT_MAX;
    return db_rows(works, db, &public_work_entries_rows, filter->kind, filter->person,
                   all, NUM(least), NUM(beyond), NUM(filter->limit));
}
