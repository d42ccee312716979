/* The databases of the cluster that tests/run started, for C tests. Each Criterion test
 * is a process of its own; several run at once. */
#ifndef LABD_TESTS_DATABASE_H
#define LABD_TESTS_DATABASE_H

#include "db/connection.h"

/* A database of this test alone, migrated and empty of content: its connection string,
 * and a connection with a current arena for what it returns. Dropped when the test
 * ends. */
const char *test_lab(void);
struct db *test_lab_db(void);

/* The database that all tests share, for tests that need no tables of ours: likewise. */
const char *test_conninfo(void);
struct db *test_db(void);

/* Runs SQL that must succeed. */
void test_sql(struct db *db, const char *sql);

/* The text of the first column of the only row of `sql`, over a connection of its own
 * to the shared database. */
const char *test_value(const char *sql);

/* Ends the backend behind `db`, as a restart of the server would; returns when it is
 * gone. */
void test_kill(struct db *db);

#endif
