/* The demo lab as it is shipped: every document passes its form, and what it promises is
 * there. */
#include "db/store/account.h"
#include "db/store/collection.h"
#include "db/store/mail.h"
#include "db/store/person.h"
#include "db/store/publication.h"
#include "server/base/arena.h"
#include "server/form/forms.h"
#include "server/form/submission.h"
#include "server/site/demo.h"
#include "tests/support/lab.h"

LAB_SUITE(demo);

static void passes(struct forms *forms, const char *name, json_t *document)
{
    struct submission read;
    enum result result =
        form_read_document(&read, form_named(forms, name), document, FOR_ADMIN, true);
    cr_expect_eq(result, OK, "%s: %s", json_dumps(document, 0),
                 json_dumps(read.errors, 0));
}

/* Each field is filled in by one object at least: the tests of pages walk the demo lab,
 * so each value that a template shows is drawn there once. */
static void fills_in(const char *where, const struct field *fields, size_t count,
                     json_t *objects)
{
    size_t index;
    json_t *object;
    for (size_t i = 0; i < count; i++) {
        json_t *values = json_array();
        json_array_foreach(objects, index, object)
        {
            json_t *value = json_object_get(object, fields[i].name);
            if (json_is_array(value))
                json_array_extend(values, value);
            else if (!change_same(value, json_null()))
                json_array_append(values, value);
        }
        const char *path = arena_print(arena_current(), "%s.%s", where, fields[i].name);
        bool picture = fields[i].type == FIELD_PHOTO; /* no words of a demo file */
        if (strcmp(path, "publication.topics") == 0 ||
            strcmp(path, "publication.files") == 0)
            continue;
        cr_expect(fields[i].hidden || picture || json_array_size(values) > 0,
                  "templates/demo: %s is filled in nowhere", path);
        if (fields[i].type == FIELD_GROUP)
            fills_in(path, fields[i].fields, fields[i].field_count, values);
    }
}

Test(demo, passes_its_own_forms_and_fills_in_every_field)
{
    struct forms *forms;
    char problem[512] = "";
    const char *const files[][2] = {
        {"lab",          "lab"        },
        {"people",       "person"     },
        {"publications", "publication"}
    };
    cr_assert_eq(forms_open(&forms, ".", NULL, false, problem, sizeof problem), OK, "%s",
                 problem);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const struct form *form = form_named(forms, files[i][1]);
        json_t *rows = json_load_file(
            arena_print(arena_current(), "templates/demo/%s.json", files[i][0]),
            JSON_REJECT_DUPLICATES, NULL);
        cr_assert_not_null(rows, "%s", files[i][0]);
        if (json_is_object(rows))
            rows = json_pack("[O]", rows);
        for (size_t j = 0; j < json_array_size(rows); j++)
            passes(forms, files[i][1], json_array_get(rows, j));
        fills_in(form->name, form->fields, form->field_count, rows);
    }
    forms_close(forms);
}

Test(demo, fills_an_empty_lab_and_no_other)
{
    struct demo_report report;
    json_t *rows, *account;
    cr_assert_eq(demo_load(&report, db, ".", true), OK, "%s", report.problem);
    cr_assert(report.loaded);
    cr_assert_geq(report.people, 16);
    cr_assert_geq(report.works, 64);
    cr_assert_eq(demo_load(&report, db, ".", true), OK);
    cr_assert_not(report.loaded);
    cr_assert_eq(demo_load(&report, db, ".", false), CONFLICT);
    cr_assert_eq(account_by_email(&account, db, "ada@lantern.example"), OK);
    cr_assert(json_is_true(json_object_get(account, "admin")));
    cr_assert_eq(change_queue(&rows, db), OK);
    cr_assert_geq(json_array_size(rows), 1);
    cr_assert_eq(account_by_email(&account, db, "yutong.shen@lantern.example"), OK);
    cr_assert_eq(change_mine(&rows, db, number(account, "id")), OK);
    cr_assert_geq(json_array_size(rows), 2);
    /* A collection in its pilot, and nobody is written to. */
    cr_assert_eq(collection_list(&rows, db), OK);
    cr_assert_eq(number(json_array_get(rows, 0), "invited"), 4);
    cr_assert_eq(number(json_array_get(rows, 0), "submitted"), 1);
    cr_assert_gt(number(json_array_get(rows, 0), "chosen"), 4);
    cr_assert_eq(mail_list(&rows, db, NULL, 0, 10), OK);
    cr_assert_eq(json_array_size(rows), 0);
}

Test(demo, links_every_author_who_is_of_the_lab)
{
    struct demo_report report;
    cr_assert_eq(demo_load(&report, db, ".", false), OK, "%s", report.problem);
    static const struct query strangers = {
        "test_strangers",
        "select coalesce(string_agg(distinct a.name, ', '), '') as names from authorship "
        "a "
        "join person_alias n using (folded) where a.person_id is null",
        0, 0, 0};
    json_t *row;
    cr_assert_eq(db_row(&row, db, &strangers), OK);
    cr_assert_str_eq(text(row, "names"), "");
}
