/* What the page of a pilot counts: times without pauses, where people stopped, what was
 * corrected, what differs from the profile that was shown. */
#include "db/store/form_version.h"
#include "db/store/pilot.h"
#include "server/base/arena.h"
#include "tests/support/lab.h"

LAB_SUITE(pilot);

/* Three are asked in the pilot and a fourth later. */
static void make_pilot(void)
{
    test_sql(db,
             "insert into account (email, email_folded, admin, language)"
             " select 'p' || n || '@lab.example', 'p' || n || '@lab.example', false, 'en'"
             " from generate_series(1, 4) n;"
             "insert into collection (kind, title_en, title_zh, state, definition)"
             " values ('custom', 'C', 'C', 'open', '{}');"
             "insert into form_version (collection_id, number, definition)"
             " select id, 1, '{}' from collection;"
             "insert into wave (collection_id, number, kind, form_version_id)"
             " select collection_id, 1, 'pilot', id from form_version;"
             "insert into invitation (collection_id, account_id, wave_id, pilot,"
             " form_version_id) select w.collection_id, a.id, w.id,"
             " a.email <> 'p4@lab.example', w.form_version_id from wave w, account a");
}

/* At `minute`, the person did something in the section. */
static void step(int person, int section, const char *kind, double minute,
                 const char *field, const char *code)
{
    test_sql(
        db,
        arena_print(arena_current(),
                    "insert into answer_step (invitation_id, form_version_id, section,"
                    " kind, field, code, at) select i.id, i.form_version_id, %d, '%s',"
                    " nullif('%s', ''), nullif('%s', ''), timestamptz '2026-01-05 08:00Z'"
                    " + %f * interval '1 minute' from invitation i join account a on"
                    " a.id = i.account_id where a.email = 'p%d@lab.example'",
                    section, kind, field, code, minute, person));
}

static json_t *read_pilot(void)
{
    json_t *pilot;
    cr_assert_eq(pilot_read(&pilot, db, 1), OK, "%s", db->problem);
    return pilot;
}

static json_t *section(json_t *pilot, size_t index)
{
    return json_array_get(json_object_get(pilot, "sections"), index);
}

Test(pilot, is_not_there_before_its_wave)
{
    json_t *pilot;
    test_sql(db, "insert into collection (kind, title_en, title_zh, definition)"
                 " values ('custom', 'C', 'C', '{}')");
    cr_expect_eq(pilot_read(&pilot, db, 1), NOT_FOUND);
}

Test(pilot, times_are_medians_and_leave_pauses_out)
{
    make_pilot();
    static const int minutes[] = {2, 4, 12};
    for (int person = 1; person <= 3; person++) {
        step(person, 0, "seen", 0, "", "");
        step(person, 0, "saved", minutes[person - 1], "", "");
        step(person, 1, "seen", minutes[person - 1], "", "");
    }
    step(1, 1, "saved", 3, "", "");
    step(2, 1, "saved", 4 + 16, "", ""); /* went to lunch */
    step(4, 0, "seen", 0, "", "");       /* was not in the pilot */
    step(4, 0, "saved", 9, "", "");
    test_sql(db, "update invitation set submitted_at = now() where id in"
                 " (select i.id from invitation i join account a on a.id = i.account_id"
                 " where a.email in ('p1@lab.example', 'p2@lab.example'))");
    json_t *pilot = read_pilot(), *people = json_object_get(pilot, "people");
    cr_expect_eq(number(people, "asked"), 3);
    cr_expect_eq(number(people, "submitted"), 2);
    cr_expect_eq(number(people, "seconds"), (180 + 240) / 2);
    cr_expect_eq(number(section(pilot, 0), "seconds"), 240);
    cr_expect_eq(number(section(pilot, 0), "timed"), 3);
    cr_expect_eq(number(section(pilot, 0), "stopped"), 0);
    cr_expect_eq(number(section(pilot, 1), "seconds"), 60);
    cr_expect_eq(number(section(pilot, 1), "pauses"), 1);
    /* The third looked at it and has not sent in. */
    cr_expect_eq(number(section(pilot, 1), "stopped"), 1);
}

Test(pilot, counts_corrections_by_field_whatever_the_row)
{
    make_pilot();
    step(1, 0, "refused", 1, "links.0.url", "url");
    step(1, 0, "refused", 2, "links.3.url", "url");
    step(2, 0, "refused", 1, "links.1.url", "url");
    step(2, 0, "refused", 1, "links.2", "type");
    step(3, 0, "refused", 1, "phone", "phone");
    step(4, 0, "refused", 1, "phone", "phone");
    json_t *list = json_object_get(read_pilot(), "corrections");
    cr_assert_eq(json_array_size(list), 3);
    json_t *first = json_array_get(list, 0);
    cr_expect_str_eq(text(first, "field"), "links.url");
    cr_expect_eq(number(first, "times"), 3);
    cr_expect_eq(number(first, "people"), 2);
    cr_expect_str_eq(text(json_array_get(list, 1), "field"), "links");
    cr_expect_str_eq(text(json_array_get(list, 2), "field"), "phone");
    cr_expect_eq(number(json_array_get(list, 2), "times"), 1);
}

Test(pilot, keeps_to_what_was_said_of_its_version)
{
    make_pilot();
    test_sql(db, "insert into form_version (collection_id, number, definition)"
                 " values (1, 2, '{}');"
                 "insert into feedback (invitation_id, form_version_id, section, field,"
                 " unclear, comment) select i.id, v.id, 0, null, i.account_id % 2 = 0,"
                 " case when v.number = 1 then 'said' end"
                 " from invitation i, form_version v");
    json_t *list = json_object_get(read_pilot(), "feedback");
    cr_expect_eq(json_array_size(list), 3);
}

Test(pilot, sees_what_differs_from_the_profile_that_was_shown)
{
    json_t *document =
        json_pack("{s:s, s:s, s:[]}", "family_latin", "Ito", "office", "1", "links");
    json_t *made = lab_save(db, "person", 0, document);
    make_pilot();
    test_sql(db, "update collection set kind = 'profile';"
                 "update account set person_id = 1 where email = 'p1@lab.example'");
    cr_assert_eq(number(made, "target_id"), 1);
    test_sql(db, "insert into answer (id, person_version, document) select i.id, 1,"
                 " '{\"family_latin\": \"Ito\", \"office\": \"2\", \"links\": [],"
                 " \"phone\": null, \"own_x\": \"new\"}' from invitation i"
                 " join account a on a.id = i.account_id where a.person_id = 1");
    json_t *list = json_object_get(read_pilot(), "changed");
    cr_assert_eq(json_array_size(list), 1);
    cr_expect_str_eq(text(json_array_get(list, 0), "field"), "office");
    cr_expect_eq(number(json_array_get(list, 0), "people"), 1);
}

Test(form_draft, is_kept_when_the_form_changes_and_knows_what_was_removed)
{
    json_t *draft, *removed;
    db = test_lab_db();
    test_sql(db, "insert into collection (kind, title_en, title_zh, definition) values"
                 " ('custom', 'C', 'C', '{\"sections\": [{\"fields\": [{\"name\": \"a\"},"
                 " {\"name\": \"b\", \"label\": {\"en\": \"B\"}}]}]}');"
                 "update collection set definition = '{\"sections\": [{\"fields\":"
                 " [{\"name\": \"a\"}]}]}', definition_version = 2;"
                 "update collection set title_en = 'D'");
    cr_assert_eq(form_draft_read(&draft, db, 1, 1), OK);
    cr_expect_eq(form_draft_read(&draft, db, 1, 2), NOT_FOUND);
    cr_assert_eq(form_draft_list_removed(&removed, db, 1), OK);
    cr_assert_eq(json_array_size(removed), 1);
    cr_expect_str_eq(text(json_array_get(removed, 0), "name"), "b");
    cr_expect_str_eq(text(json_array_get(removed, 0), "label_en"), "B");
    db_free(db);
}
