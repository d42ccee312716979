/* The organiser's board; see board.h and board.sql. */
#include "db/store/board.h"

#include "db/store/board.sql.h"
#include "db/store/join.h"
#include "server/base/utf8.h"

#include <string.h>

enum { WORDS_MAX = 8 };

static const char *text_or_all(const char *text)
{
    return text != NULL && *text != '\0' ? text : NULL;
}

/* The words of a search, folded, as a JSON array; NULL without any. */
static const char *search_words(const char *text)
{
    if (text == NULL || !utf8_valid(text, strlen(text)))
        return NULL;
    const char *word = utf8_fold(arena_current(), text, strlen(text));
    json_t *list = json_array();
    while (*word != '\0' && json_array_size(list) < WORDS_MAX) {
        size_t length = strcspn(word, " ");
        if (length > 0)
            json_array_append_new(list, json_stringn(word, length));
        word += length + strspn(word + length, " ");
    }
    return json_array_size(list) > 0 ? json_dumps(list, JSON_COMPACT) : NULL;
}

enum result board_list(json_t **people, struct db *db, const struct board_filter *filter)
{
    return db_rows(people, db, &board_rows, NUM(filter->collection),
                   text_or_all(filter->state), ID(filter->wave),
                   text_or_all(filter->role), text_or_all(filter->mail),
                   search_words(filter->text),
                   filter->ids != NULL ? json_dumps(filter->ids, JSON_COMPACT) : NULL,
                   filter->sort != NULL ? filter->sort : "name",
                   filter->descending ? "true" : "false", NUM(filter->offset),
                   filter->limit > 0 ? NUM(filter->limit) : NULL);
}

enum result board_count(json_t **counts, struct db *db, int64_t collection)
{
    return db_row(counts, db, &board_counts, NUM(collection));
}

enum result board_wave_list(json_t **waves, struct db *db, int64_t collection)
{
    return db_rows(waves, db, &board_waves, NUM(collection));
}

enum result board_day_list(json_t **days, struct db *db, int64_t collection)
{
    return db_rows(days, db, &board_days, NUM(collection));
}

enum result board_lock(int64_t *mail, struct db *db, int64_t invitation)
{
    json_t *row;
    TRY(db_row(&row, db, &board_lock_row, NUM(invitation)));
    TRY(db_row(&row, db, &board_latest_mail, NUM(invitation)));
    *mail = integer_at(row, "id");
    return OK;
}

enum result board_day_over(bool *over, struct db *db, const char *day)
{
    json_t *row;
    TRY(db_row(&row, db, &board_day_is_over, day));
    *over = truth_at(row, "over");
    return OK;
}

enum result board_history(json_t **history, struct db *db, int64_t invitation)
{
    return db_rows(history, db, &board_history_rows, NUM(invitation));
}
