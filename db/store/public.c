/* Reading for visitors; see public.h and public.sql. */
#include "db/store/public.h"

#include "db/connection.h"
#include "db/store/public.sql.h"
#include "server/base/buf.h"
#include "server/base/utf8.h"

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

/* The column `listed` of the works of a date, without weights; see 0009_lists.sql. */
static int64_t listed_at(int64_t issued)
{
    return (30000000 - issued) * 100000;
}

struct range {
    int64_t least, beyond; /* of `listed` */
};

static struct range range_of(const struct public_works_filter *filter)
{
    const int64_t year = 10000, weight = 50000;
    struct range range = {0, INT64_MAX};
    if (filter->to > 0)
        range.least = listed_at(filter->to * year + year - 1) - weight;
    if (filter->from > 0 || filter->to > 0)
        range.beyond = listed_at((filter->from > 0 ? filter->from : 1) * year) + weight;
    return range;
}

/* Which part of public_works_rows finds them. */
static const char *way_of(const struct public_works_filter *filter, const char *word)
{
    if (filter->person != NULL || filter->topic != NULL || filter->project != NULL)
        return "few";
    if (word != NULL)
        return filter->selected ? "few" : "text";
    if (filter->venue != NULL)
        return "venue";
    if (filter->selected)
        return "few";
    return filter->kind != NULL ? "kind" : "all";
}

/* A common word is on a page of the works that come first; the index of words would take
 * all that have it before it gives one. */
static bool enough(const json_t *works, const struct public_works_filter *filter)
{
    const json_t *first = json_array_get(works, 0);
    return first != NULL &&
           (!json_is_true(json_object_get(first, "open")) ||
            json_integer_value(json_object_get(first, "found")) > filter->limit);
}

enum result public_works(json_t **works, struct db *db,
                         const struct public_works_filter *filter)
{
    const char *longest, *all;
    patterns(&longest, &all, filter->text);
    struct range range = range_of(filter);
    const char *way = way_of(filter, longest);
    bool text = strcmp(way, "text") == 0;
    int count_to = filter->after == 0 ? PUBLIC_WORKS_COUNTED + 1 : filter->limit + 1;
    for (int tries = text ? 0 : 1; tries < 2; tries++) {
        TRY(db_rows(works, db, &public_works_rows, tries == 0 ? "walk" : way,
                    filter->kind, filter->person, filter->topic, filter->project,
                    filter->venue, filter->selected ? "true" : NULL, longest, all,
                    NUM(range.least), NUM(range.beyond), NUM(filter->after),
                    NUM(count_to > filter->limit ? count_to : filter->limit),
                    NUM(filter->limit)));
        if (tries == 0 && enough(*works, filter))
            return OK;
    }
    return OK;
}

enum result public_work_counts_of(json_t **counts, struct db *db)
{
    return db_rows(counts, db, &public_work_counts);
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
    struct range range = range_of(filter);
    return db_rows(works, db, &public_work_entries_rows, filter->kind, filter->person,
                   filter->topic, filter->project, filter->venue,
                   filter->selected ? "true" : NULL, all, NUM(range.least),
                   NUM(range.beyond), NUM(filter->after),
                   filter->slugs != NULL ? json_dumps(filter->slugs, JSON_COMPACT) : NULL,
                   NUM(filter->limit));
}
