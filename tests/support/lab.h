/* What store tests say often: saving through the one door, and reading rows. */
#ifndef LABD_TESTS_LAB_H
#define LABD_TESTS_LAB_H

#include "db/store/change.h"
#include "server/base/document.h"
#include "tests/support/database.h"

#include <criterion/criterion.h>

/* A suite whose tests have a database each, open as `db`. */
#define LAB_SUITE(suite)                                                                 \
    static struct db *db;                                                                \
                                                                                         \
    static void open_lab(void)                                                           \
    {                                                                                    \
        db = test_lab_db();                                                              \
    }                                                                                    \
                                                                                         \
    static void close_lab(void)                                                          \
    {                                                                                    \
        db_free(db);                                                                     \
    }                                                                                    \
                                                                                         \
    TestSuite(suite, .init = open_lab, .fini = close_lab)

static inline json_int_t number(json_t *row, const char *key)
{
    return integer_at(row, key);
}

/* "" where there is none. */
static inline const char *text(json_t *row, const char *key)
{
    return text_at(row, key, "");
}

static inline json_t *lab_save(struct db *db, const char *entity, int64_t target,
                               json_t *document)
{
    json_t *outcome;
    struct proposal proposal = {.entity = entity,
                                .target = target,
                                .document = document,
                                .source = "form",
                                .change_version = -1};
    cr_assert_eq(change_save(&outcome, db, &command_line, &proposal), OK, "%s",
                 db->problem);
    return outcome;
}

/* The document that stands there now. */
static inline json_t *lab_document(struct db *db, const char *entity, json_t *outcome)
{
    json_t *current;
    cr_assert_eq(entity_current(&current, db, entity, number(outcome, "target_id")), OK);
    return json_object_get(current, "document");
}

#endif
