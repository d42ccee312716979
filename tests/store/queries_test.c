/* Every named SQL block of the program on the migrated schema: it can be prepared, what
 * its header says it reads and writes is what PostgreSQL locks for it, and a public one
 * names public views alone. */
#include "server/base/arena.h"
#include "server/base/buf.h"
#include "tables.h"
#include "tests/support/database.h"

#include <criterion/criterion.h>
#include <string.h>

/* The tables that the open transaction has locked, and those that functions read which
 * its query ($1) or the views behind it call: planning does not open these. A row lock
 * ("for update") counts as reading. */
static const struct query touched = {
    "queries_touched",
    "with locked as (select c.oid, c.relname, c.relkind, l.mode from pg_locks l"
    "  join pg_class c on c.oid = l.relation"
    "  where l.pid = pg_backend_pid() and c.relnamespace = 'public'::regnamespace),"
    " texts as (select $1::text as body"
    "  union all select pg_get_viewdef(oid) from locked where relkind = 'v'),"
    " called as (select p.prosrc as body from pg_proc p"
    "  join pg_language g on g.oid = p.prolang and g.lanname in ('sql', 'plpgsql')"
    "  where p.pronamespace = 'public'::regnamespace"
    "  and exists (select from texts where texts.body ~ ('\\m' || p.proname || '\\M')))"
    " select relname as name, mode = 'RowExclusiveLock' as written from locked"
    "  where relkind = 'r'"
    " union select c.relname, false from pg_class c join called"
    "  on called.body ~ ('\\m(from|join)\\s+' || c.relname || '\\M')"
    "  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace",
    1, 0, 0};

static uint64_t bit(const char *name)
{
    for (int table = 0; table < TABLE_COUNT; table++)
        if (strcmp(table_names[table], name) == 0)
            return TABLE_BIT(table);
    return 0;
}

static const char *names(uint64_t bits)
{
    struct buf text = buf_on(arena_current());
    for (int table = 0; table < TABLE_COUNT; table++)
        if (bits & TABLE_BIT(table))
            buf_print(&text, " %s", table_names[table]);
    return text.data;
}

static bool open_plan(struct db *db, const struct query *query)
{
    struct buf sql = buf_on(arena_current());
    buf_print(&sql,
              "begin; set local plan_cache_mode = force_generic_plan;"
              "prepare checked as %s; explain execute checked",
              query->sql);
    for (int i = 0; i < query->params; i++)
        buf_print(&sql, "%s null", i == 0 ? "(" : ",");
    buf_string(&sql, query->params > 0 ? ")" : "");
    bool planned = db_script(db, query->name, sql.data) == OK;
    cr_expect(planned, "%s: %s", query->name, db->problem);
    return planned;
}

static void compare(struct db *db, const struct query *query)
{
    uint64_t reads = 0, writes = 0;
    json_t *rows, *row;
    size_t i;
    cr_assert_eq(db_rows(&rows, db, &touched, query->sql), OK, "%s", db->problem);
    json_array_foreach(rows, i, row)
    {
        const char *name = json_string_value(json_object_get(row, "name"));
        cr_expect_neq(bit(name), 0, "%s touches %s, which its header does not name",
                      query->name, name);
        if (json_is_true(json_object_get(row, "written")))
            writes |= bit(name);
        else
            reads |= bit(name);
    }
    cr_expect_eq(query->writes, writes, "%s: its header says it writes%s; it writes%s",
                 query->name, names(query->writes), names(writes));
    /* An update reads what it writes, whether its header says so or not. */
    cr_expect_eq(query->reads & ~writes, reads & ~writes,
                 "%s: its header says it reads%s; it reads%s", query->name,
                 names(query->reads), names(reads));
}

Test(queries, read_and_write_what_their_headers_say)
{
    struct db *db = test_lab_db();
    for (int i = 0; all_queries[i] != NULL; i++) {
        if (open_plan(db, all_queries[i])) {
            compare(db, all_queries[i]);
            test_sql(db, "deallocate checked");
        }
        test_sql(db, "rollback");
    }
    db_free(db);
}

/* With every other relation renamed, a block that names one can't be prepared. The views
 * go on working: they know their tables by number. */
static const char hide[] =
    "do $$ declare name text; begin"
    " for name in select relname from pg_class where relkind in ('r', 'v', 'm')"
    "  and relnamespace = 'public'::regnamespace and relname not like 'public\\_%'"
    " loop execute format('alter table %I rename to %I', name, 'hidden_' || name);"
    " end loop; end $$";

Test(queries, public_ones_name_public_views_alone)
{
    struct db *db = test_lab_db();
    test_sql(db, hide);
    for (int i = 0; all_queries[i] != NULL; i++) {
        const struct query *query = all_queries[i];
        if (strncmp(query->name, "public_", 7) != 0)
            continue;
        cr_expect_eq(query->writes, 0, "%s writes", query->name);
        const char *sql =
            arena_print(arena_current(), "prepare hidden_%d as %s", i, query->sql);
        cr_expect_eq(db_script(db, query->name, sql), OK, "%s: %s", query->name,
                     db->problem);
    }
    db_free(db);
}

/* Pages are kept until a table that they read says that it changed. A table without its
 * trigger would leave them old for ever. */
Test(queries, of_kept_pages_read_tables_that_announce_their_changes)
{
    static const struct query announces = {
        "queries_announces",
        "select exists (select from pg_trigger where tgrelid = $1::regclass"
        "  and tgname = 'announce' and tgenabled = 'O'"
        "  and tgtype & 60 = 60 and tgtype & 1 = 0) as found", /* each kind of statement
                                                                */
        1, 0, 0};
    struct db *db = test_lab_db();
    uint64_t kept = 0;
    json_t *row;
    for (int i = 0; all_queries[i] != NULL; i++)
        if (all_queries[i]->kept || strncmp(all_queries[i]->name, "public_", 7) == 0)
            kept |= all_queries[i]->reads;
    cr_assert_neq(kept, 0);
    for (int table = 0; table < TABLE_COUNT; table++) {
        if ((kept & TABLE_BIT(table)) == 0)
            continue;
        cr_assert_eq(db_row(&row, db, &announces, table_names[table]), OK);
        cr_expect(json_is_true(json_object_get(row, "found")),
                  "public pages read %s, which has no trigger announce",
                  table_names[table]);
    }
    db_free(db);
}
