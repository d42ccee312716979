/* Whole files, through every layer to the database and back. */
#include "server/base/arena.h"
#include "server/form/forms.h"
#include "server/site/import.h"
#include "tests/support/corpus.h"
#include "tests/support/lab.h"

#include <string.h>

static struct db *db;
static struct forms *forms;

static void open_lab(void)
{
    char problem[512] = "";
    db = test_lab_db();
    cr_assert_eq(forms_open(&forms, ".", NULL, false, problem, sizeof problem), OK, "%s",
                 problem);
}

static void close_lab(void)
{
    forms_close(forms);
    db_free(db);
}

TestSuite(import, .init = open_lab, .fini = close_lab);

static json_t *import(enum result (*run)(json_t **, const struct import *, const char *,
                                         size_t),
                      const char *bytes, size_t length, bool dry_run)
{
    json_t *report;
    struct import import = {
        .db = db, .actor = &command_line, .forms = forms, .dry_run = dry_run};
    cr_assert_eq(run(&report, &import, bytes, length), OK, "%s", db->problem);
    cr_assert_eq(number(report, "entries"),
                 number(report, "created") + number(report, "updated") +
                     number(report, "unchanged") + number(report, "duplicate") +
                     number(report, "refused"));
    cr_assert_geq((json_int_t)json_array_size(json_object_get(report, "problems")),
                  number(report, "duplicate") + number(report, "refused"));
    return report;
}

static json_t *works(const char *text)
{
    return import(import_publications, text, strlen(text), false);
}

static void expect(json_t *report, const char *counts)
{
    char *found =
        arena_print(arena_current(), "%d+%d+%d+%d+%d", (int)number(report, "created"),
                    (int)number(report, "updated"), (int)number(report, "unchanged"),
                    (int)number(report, "duplicate"), (int)number(report, "refused"));
    cr_assert_str_eq(found, counts, "%s: %s", found, json_dumps(report, JSON_INDENT(1)));
}

static const char *problem(json_t *report, size_t row, const char *key)
{
    return text(json_array_get(json_object_get(report, "problems"), row), key);
}

static const char two[] = "@article{a, title={Ferry}, author={Xiao Lin}, year=2026}\n"
                          "@inproceedings{b, title={Tides}, author={沈雨桐}, year=2024,\n"
                          " doi={10.5555/tides}}\n";

Test(import, works_are_created_once)
{
    expect(works(two), "2+0+0+0+0");
    expect(works(two), "0+0+2+0+0");
}

Test(import, works_that_a_new_file_says_otherwise_are_updated)
{
    works(two);
    expect(works("@article{a, title={Ferry}, author={Xiao Lin}, year=2026, note={Best}}"),
           "0+1+0+0+0");
    expect(works("@article{a, title={Ferry}, author={Xiao Lin}, year=2026, note={Best}}"),
           "0+0+1+0+0");
    expect(works(two), "0+1+1+0+0");
}

Test(import, what_was_edited_here_is_never_overwritten)
{
    json_t *found;
    works(two);
    cr_assert_eq(entity_by_slug(&found, db, "publication", "lin-2026-ferry"), OK);
    lab_save(db, "publication", number(found, "id"), json_pack("{s:s}", "note", "Mine"));
    expect(works(two), "0+0+2+0+0");
    json_t *report = works("@article{a, title={FERRY}, author={Lin, Xiao}, year=2026}");
    expect(report, "0+0+0+1+0");
    cr_assert_str_eq(problem(report, 0, "code"), "edited");
    cr_assert_str_eq(problem(report, 0, "slug"), "lin-2026-ferry");
}

Test(import, the_same_work_twice_in_a_file_is_one)
{
    json_t *report =
        works("@article{a, title={Ferry}, author={Xiao Lin}, year=2026}\n"
              "@misc{b, title={ferry}, author={X. Lin}, year=2026}\n"
              "@misc{c, title={Other}, doi={10.5555/x}}\n"
              "@misc{d, title={Another}, doi={https://doi.org/10.5555/X}}\n");
    expect(report, "2+0+0+2+0");
    cr_assert_str_eq(problem(report, 0, "code"), "repeated");
    cr_assert_eq(
        number(json_array_get(json_object_get(report, "problems"), 1), "first_line"), 3);
}

Test(import, a_broken_entry_costs_itself_alone)
{
    json_t *report = works("@article{a, title={Ferry}, author={Xiao Lin}, year=2026}\n"
                           "@article{b, title={Tides\n"
                           "@article{c, title={Ember}, author={Yue Song}, year=2022}\n"
                           "@article{d, author={Nobody}}\n");
    expect(report, "2+0+0+0+2");
    cr_assert_str_eq(problem(report, 0, "key"), "b");
    cr_assert_eq(number(json_array_get(json_object_get(report, "problems"), 0), "line"),
                 2);
    cr_assert_str_eq(problem(report, 1, "field"), "title");
    cr_assert_str_eq(problem(report, 1, "code"), "required");
}

Test(import, a_field_that_breaks_a_rule_is_left_out_with_a_remark)
{
    json_t *report = works("@article{a, title={Ferry}, author={Xiao Lin}, year=2026,\n"
                           "volume={a volume whose name is longer than any shelf mark in "
                           "any library would be}}");
    expect(report, "1+0+0+0+0");
    json_t *remarks = json_object_get(report, "remarks");
    cr_assert_eq(json_array_size(remarks), 1, "%s", json_dumps(remarks, 0));
    cr_assert_str_eq(text(json_array_get(remarks, 0), "field"), "volume");
}

Test(import, a_dry_run_reports_the_same_and_writes_nothing)
{
    json_t *dry = import(import_publications, two, strlen(two), true), *events;
    expect(dry, "2+0+0+0+0");
    cr_assert_eq(event_list(&events, db, 0, 10), OK);
    cr_assert_eq(json_array_size(events), 0);
    expect(works(two), "2+0+0+0+0");
}

Test(import, a_file_in_no_encoding_is_refused)
{
    json_t *report;
    struct import import = {.db = db, .actor = &command_line, .forms = forms};
    char bytes[512];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 7);
    cr_assert_eq(import_publications(&report, &import, bytes, sizeof bytes), INVALID);
    cr_assert_str_eq(problem(report, 0, "code"), "encoding");
}

/* Every file twice: the second time nothing is new. */
Test(import, every_entry_of_the_corpus_is_accounted_for, .timeout = 600)
{
    const char **names;
    struct arena *outer = arena_current(), *arena = arena_new();
    size_t count = corpus_list(&names, outer, "bib");
    json_int_t entries = 0, created = 0;
    for (size_t i = 0; i < count; i++) {
        arena_reset(arena);
        arena_enter(arena);
        struct slice file = corpus_read(arena, names[i]);
        if (file.length > 60000) /* the sanitized build is slow; see tests/bench */
            continue;
        json_t *first = import(import_publications, file.bytes, file.length, false);
        json_t *second = import(import_publications, file.bytes, file.length, false);
        cr_expect_eq(number(second, "entries"), number(first, "entries"), "%s", names[i]);
        cr_expect_eq(number(second, "created"), 0, "%s", names[i]);
        cr_expect_eq(number(second, "refused"), number(first, "refused"), "%s", names[i]);
        entries += number(first, "entries");
        created += number(first, "created");
    }
    arena_enter(outer);
    arena_free(arena);
    cr_assert_gt(entries, 1000);
    cr_assert_gt(created, entries / 2);
}
