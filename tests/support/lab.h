/* What store tests say often: saving through the one door, and reading rows. */
#ifndef LABD_TESTS_LAB_H
#define LABD_TESTS_LAB_H

#include "db/store/change.h"
#include "tests/support/database.h"

#include <criterion/criterion.h>

static inline json_int_t number(json_t *row, const char *key)
{
    return json_integer_value(json_object_get(row, key));
}

/* "" where there is none. */
static inline const char *text(json_t *row, const char *key)
{
    const char *value = json_string_value(json_object_get(row, key));
    return value == NULL ? "" : value;
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
