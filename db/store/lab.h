/* The lab itself: one row, written through change.h as entity "lab", target 1. Its
 * document: name_en, name_zh, sentence_en, sentence_zh, about_en, about_zh,
 * affiliation_en, affiliation_zh, address_en, address_zh, email, time_zone. */
#ifndef LABD_DB_STORE_LAB_H
#define LABD_DB_STORE_LAB_H

#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>

struct db;

/* Makes the row, with nothing but a name, when there is none. */
MUST_USE enum result lab_ensure(struct db *db);
/* What the lab's clock says at `times` (ISO 8601 with zone): [{minute: "2026-12-01
 * 02:05", offset: minutes ahead of UTC}], in their order. */
MUST_USE enum result lab_times(json_t **shown, struct db *db, json_t *times);
/* Has the database neither people nor works nor accounts? */
MUST_USE enum result lab_empty(bool *empty, struct db *db);
/* After much was written: tells the planner how large the tables are. */
MUST_USE enum result lab_analyze(struct db *db);

#endif
