/* Whole files, through every layer to the database and back. */
#include "db/store/account.h"
#include "db/store/person.h"
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

TestSuite(import, .init = open_lab, .fini = close_lab, .timeout = 300);

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
    expect(works(two), "0+0+2+0+0"); /* what a file does not say stays */
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
    cr_assert(json_is_false(json_object_get(
        json_array_get(json_object_get(report, "problems"), 0), "by_form")));
    cr_assert(json_is_true(json_object_get(
        json_array_get(json_object_get(report, "problems"), 1), "by_form")));
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

static json_t *people(const char *text)
{
    return import(import_people, text, strlen(text), false);
}

static const char roster[] =
    "姓名,英文名,身份,入学时间,毕业时间,邮箱,研究方向,宿舍\n"
    "李明远,Mingyuan Li,教授,2005-07,,lmy@lab.example,机器学习,\n"
    "欧阳若水,Ruoshui Ouyang,博士研究生,2020-09-01,,oy@lab.example,,\n"
    "张伟,Wei Zhang,博士研究生,2021-09-01,,zw1@lab.example,,12\n"
    "张伟,Wei Zhang,硕士研究生,2023-09-01,,zw2@lab.example,,\n"
    "Seán O'Neill-Müller,,访问学者,2023-02-01,2023-08-31,,,\n"
    "共 5 人,,,,,,,\n";

static json_t *person(const char *slug)
{
    json_t *found;
    cr_assert_eq(entity_by_slug(&found, db, "person", slug), OK, "%s", slug);
    return json_object_get(found, "document");
}

Test(import, a_roster_makes_people_and_accounts_once)
{
    json_t *report = people(roster), *account;
    expect(report, "5+0+0+0+1");
    cr_assert_str_eq(problem(report, 0, "code"), "not_a_name");
    cr_assert_eq(number(json_array_get(json_object_get(report, "problems"), 0), "line"),
                 7);
    json_t *columns = json_object_get(report, "columns");
    cr_assert_str_eq(json_dumps(columns, JSON_COMPACT),
                     "{\"unknown\":[\"宿舍\"],\"repeated\":[]}");
    cr_assert_str_eq(text(person("mingyuan-li"), "interests_zh"), "机器学习");
    cr_assert_str_eq(text(person("wei-zhang-2"), "email"), "zw2@lab.example");
    cr_assert_str_eq(text(person("sean-oneill-muller"), "family_latin"),
                     "O'Neill-Müller");
    cr_assert_eq(account_by_email(&account, db, "OY@lab.example"), OK);
    cr_assert_str_eq(text(account, "person_slug"), "ruoshui-ouyang");
    cr_assert_str_eq(text(account, "language"), "zh");
    report = people(roster);
    expect(report, "0+0+5+0+1");
}

Test(import, a_roster_adds_and_never_overwrites)
{
    people(roster);
    json_t *report =
        people("Name,Email,Role,Until,Interests\n"
               "\"Li, Mingyuan\",LMY@lab.example,professor,2026-06,Databases\n"
               "ZHANG Wei,,master,2026-06-30,\n"
               "Wei Zhang,zw1@lab.example,phd,,Networks\n");
    expect(report, "0+3+0+0+0");
    cr_assert_str_eq(text(person("mingyuan-li"), "interests_en"), "Databases");
    cr_assert_str_eq(text(person("mingyuan-li"), "interests_zh"), "机器学习");
    cr_assert_str_eq(text(person("mingyuan-li"), "email"), "lmy@lab.example");
    json_t *appointments = json_object_get(person("wei-zhang-2"), "appointments");
    cr_assert_eq(json_array_size(appointments), 1);
    cr_assert_str_eq(text(json_array_get(appointments, 0), "ends"), "2026-06-30");
    cr_assert_str_eq(text(json_array_get(appointments, 0), "starts"), "2023-09-01");
    cr_assert_str_eq(text(person("wei-zhang"), "interests_en"), "Networks");
}

Test(import, nobody_is_in_a_roster_twice)
{
    json_t *report = people("name,email,role\n"
                            "Ann Example,Ann@lab.example,phd\n"
                            "A. Example,ann@LAB.example,phd\n"
                            "Ann Example,,phd\n"
                            "Ben Example,,phd\n"
                            "Ben Example,ben@lab.example,phd\n"
                            "Ben Example,ben@lab.example,staff\n"
                            "Cy Example,not an address,phd\n"
                            "Di Example,di@lab.example,wizard\n");
    expect(report, "3+0+0+4+1");
    cr_assert_str_eq(problem(report, 4, "field"), "email");
    cr_assert_eq(
        number(json_array_get(json_object_get(report, "problems"), 0), "first_line"), 2);
    json_t *remarks = json_object_get(report, "remarks");
    cr_assert_eq(json_array_size(remarks), 1);
    cr_assert_str_eq(text(json_array_get(remarks, 0), "field"), "role");
}

Test(import, a_name_of_several_is_refused_without_an_address)
{
    people("name,email,role\nJia Wu,j1@lab.example,phd\nJia Wu,j2@lab.example,phd\n");
    json_t *report = people("name,role\nJia Wu,phd\n");
    expect(report, "0+0+0+0+1");
    cr_assert_str_eq(problem(report, 0, "code"), "ambiguous");
}

Test(import, an_account_without_a_person_gets_its_person)
{
    json_t *account;
    struct new_account ada = {
        .email = "ada@lab.example", .admin = true, .language = "en"};
    cr_assert_eq(account_create(&account, db, &command_line, &ada), OK);
    expect(people("name,email\nAda Okonkwo,ADA@lab.example\n"), "1+0+0+0+0");
    cr_assert_eq(account_by_email(&account, db, "ada@lab.example"), OK);
    cr_assert_str_eq(text(account, "person_slug"), "ada-okonkwo");
    expect(people("name,email\nAda Okonkwo,ADA@lab.example\n"), "0+0+1+0+0");
}

Test(import, a_dry_run_of_a_roster_reports_the_same)
{
    json_t *dry = import(import_people, roster, strlen(roster), true), *found;
    expect(dry, "5+0+0+0+1");
    cr_assert_eq(person_list(&found, db), OK);
    cr_assert_eq(json_array_size(found), 0);
    json_object_del(dry, "dry_run");
    json_t *real = people(roster);
    json_object_del(real, "dry_run");
    cr_assert(json_equal(dry, real));
}

/* Every odd file of the corpus: read or refused, nothing lost, and a second time nothing
 * new. */
Test(import, every_roster_of_the_corpus_is_accounted_for)
{
    const char **names;
    struct arena *outer = arena_current(), *arena = arena_new();
    size_t count = corpus_list(&names, outer, "csv/roster"), read = 0;
    struct import import = {
        .db = db, .actor = &command_line, .forms = forms, .dry_run = true};
    for (size_t i = 0; i < count; i++) {
        json_t *report;
        arena_reset(arena);
        arena_enter(arena);
        struct slice file = corpus_read(arena, names[i]);
        enum result result = import_people(&report, &import, file.bytes, file.length);
        cr_expect(result == OK || result == INVALID, "%s: %s", names[i], db->problem);
        cr_expect(result == OK ||
                      json_array_size(json_object_get(report, "problems")) == 1,
                  "%s", names[i]);
        cr_expect_eq(number(report, "entries"),
                     number(report, "created") + number(report, "updated") +
                         number(report, "unchanged") + number(report, "duplicate") +
                         number(report, "refused"));
        read += result == OK;
    }
    arena_enter(outer);
    arena_free(arena);
    cr_assert_gt(read, count / 2);
}

/* However a spreadsheet saved them, the same nine people. */
Test(import, nine_people_in_every_dress)
{
    const char *const names[] = {"all-quoted-cr.csv", "double-bom.csv",
                                 "gbk-crlf.csv",      "semicolon-bom.csv",
                                 "sep-line.csv",      "tab-lf.tsv",
                                 "utf16le-tab.txt",   "utf8-bom-crlf.csv",
                                 "utf8-lf.csv",       "trailing-commas-empty-rows.csv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct slice file = corpus_read(
            arena_current(),
            arena_print(arena_current(), "csv/roster/canonical-%s", names[i]));
        json_t *report = import(import_people, file.bytes, file.length, false);
        expect(report, i == 0 ? "9+0+0+0+0" : "0+0+9+0+0");
    }
    /* And with a title above them and a footer below. */
    struct slice file =
        corpus_read(arena_current(), "csv/roster/title-rows-footer-gbk.csv");
    expect(import(import_people, file.bytes, file.length, false), "0+0+9+0+1");
}

/* Every file twice: the second time nothing is new. */
Test(import, every_entry_of_the_corpus_is_accounted_for)
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
