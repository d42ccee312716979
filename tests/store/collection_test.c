/* Collections: waves, invitations, deadlines where the lab is, reminders' schedule. */
#include "db/store/account.h"
#include "db/store/answer.h"
#include "db/store/collection.h"
#include "server/base/arena.h"
#include "tests/support/lab.h"

#include <string.h>

LAB_SUITE(collection);

static json_t *value(const char *sql)
{
    json_t *row;
    struct query query = {arena_print(arena_current(), "test_%p", (const void *)sql), sql,
                          0, 0, 0};
    struct query *kept = arena_alloc(arena_current(), sizeof query);
    *kept = query;
    cr_assert_eq(db_row(&row, db, kept), OK, "%s", db->problem);
    return json_object_get(row, "value");
}

static int64_t member(const char *email)
{
    json_t *made, *person = json_pack("{s:s,s:s}", "family_latin", email, "email", email);
    struct new_account account = {.email = email, .language = "en"};
    cr_assert_eq(
        account_create_member(&made, db, &command_line, &account, person, "form"), OK);
    return number(made, "id");
}

static int64_t collection(const char *deadline)
{
    int64_t id;
    json_t *document =
        json_pack("{s:s,s:s,s:s?,s:[i,i,i],s:i,s:i}", "title_en", "Profiles", "title_zh",
                  "个人资料", "deadline", deadline, "remind_days", 7, 3, 1, "remind_most",
                  2, "remind_gap", 2);
    json_t *definition = json_pack(
        "{s:{s:s,s:s},s:[{s:[{s:s,s:s,s:{s:s,s:s},s:i}]}]}", "title", "en", "Profiles",
        "zh", "个人资料", "sections", "fields", "name", "office", "type", "text", "label",
        "en", "Office", "zh", "办公室", "max_length", 100);
    cr_assert_eq(
        collection_create(&id, db, &command_line, "custom", document, definition), OK,
        "%s", db->problem);
    return id;
}

static json_t *open_wave(int64_t id, const char *kind, json_t *accounts)
{
    json_t *wave;
    cr_assert_eq(wave_insert_invitations(&wave, db, &command_line, id, kind, accounts),
                 OK, "%s", db->problem);
    return wave;
}

static size_t invited(json_t *wave)
{
    return json_array_size(json_object_get(wave, "invitations"));
}

Test(collection, asks_nobody_twice)
{
    int64_t lin = member("lin@lab.example"), bo = member("bo@lab.example");
    int64_t id = collection(NULL);
    json_t *row, *invitation;
    json_t *both = json_pack("[I,I]", lin, bo);
    cr_assert_eq(invited(open_wave(id, "pilot", json_pack("[I,I]", lin, lin))), 1);
    cr_assert_eq(collection_row(&row, db, id), OK);
    cr_assert_str_eq(text(row, "state"), "open");
    cr_assert_eq(number(row, "published"), 1);
    cr_assert_eq(collection_invitation(&invitation, db, id, lin), OK);
    int64_t first = number(invitation, "id");
    json_t *wave = open_wave(id, "everyone", both);
    cr_assert_eq(invited(wave), 1);
    cr_assert_eq(json_array_size(json_object_get(wave, "older")), 0);
    cr_assert_eq(collection_invitation(&invitation, db, id, lin), OK);
    cr_assert_eq(number(invitation, "id"), first);
    cr_assert(json_is_true(json_object_get(invitation, "pilot")));
    cr_assert_eq(invited(open_wave(id, "everyone", both)), 0);
    cr_assert_eq(collection_row(&row, db, id), OK);
    cr_assert_eq(number(row, "invited"), 2);
    cr_assert_eq(number(row, "pilot"), 1);
}

Test(collection, a_published_form_never_changes)
{
    int64_t lin = member("lin@lab.example"), id = collection(NULL), version, now;
    json_t *row;
    open_wave(id, "pilot", json_pack("[I]", lin));
    cr_assert_eq(collection_row(&row, db, id), OK);
    cr_assert(json_is_false(json_object_get(row, "unpublished")));
    json_t *definition = json_deep_copy(json_object_get(row, "definition"));
    json_object_set_new(definition, "hint", json_pack("{s:s,s:s}", "en", "x", "zh", "x"));
    cr_assert_eq(collection_set_definition(&now, db, &command_line, id, 1, definition),
                 OK);
    cr_assert_eq(now, 2);
    cr_assert_eq(collection_set_definition(&now, db, &command_line, id, 1, definition),
                 CONFLICT);
    cr_assert_eq(collection_publish(&version, db, &command_line, id, 1), CONFLICT);
    cr_assert_eq(collection_row(&row, db, id), OK);
    cr_assert(json_is_true(json_object_get(row, "unpublished")));
    json_t *wave = open_wave(id, "everyone", json_pack("[I]", lin));
    json_t *older = json_array_get(json_object_get(wave, "older"), 0);
    cr_assert_eq(number(older, "account_id"), lin);
    cr_assert_neq(number(older, "form_version_id"), number(wave, "form_version_id"));
    cr_assert_eq(collection_publish(&version, db, &command_line, id, 2), OK);
    cr_assert_eq(version, number(wave, "form_version_id"));
}

/* frab#473: a deadline judged by the server's clock. The day ends where the lab is, 8
 * hours before it ends in UTC. */
Test(collection, a_deadline_lasts_to_the_end_of_the_day_where_the_lab_is)
{
    test_sql(db, "insert into lab (name_en, name_zh, time_zone)"
                 " values ('Lab', '课题组', 'Asia/Shanghai')");
    int64_t lin = member("lin@lab.example"), id = collection("2031-04-14");
    open_wave(id, "pilot", json_pack("[I]", lin));
    json_t *row;
    cr_assert_eq(collection_row(&row, db, id), OK);
    cr_assert_str_eq(text(row, "deadline_at"), "2031-04-14T15:59:59Z");
    cr_assert_str_eq(text(row, "deadline_offset"), "UTC+8");
    cr_assert_str_eq(text(row, "deadline_zone"), "Asia/Shanghai");
    /* Whatever the server's own zone is, today is the lab's day: the last moments of the
     * deadline's day are found by moving the deadline to today, and its end to
     * yesterday. */
    for (int east = 0; east < 2; east++) {
        test_sql(db, east ? "set time zone 'Pacific/Kiritimati'" : "set time zone 'UTC'");
        test_sql(db, "update collection set deadline = "
                     "(now() at time zone 'Asia/Shanghai')::date");
        cr_assert_eq(collection_invitation(&row, db, id, lin), OK);
        cr_assert(json_is_true(json_object_get(row, "accepts")));
        test_sql(db, "update collection set deadline = deadline - 1");
        cr_assert_eq(collection_invitation(&row, db, id, lin), OK);
        cr_assert(json_is_false(json_object_get(row, "accepts")));
    }
    const char *tomorrow =
        json_string_value(value("select (lab_today() + 1)::text as value"));
    cr_assert_eq(invitation_extend(db, &command_line, number(row, "id"), tomorrow), OK);
    cr_assert_eq(collection_invitation(&row, db, id, lin), OK);
    cr_assert(json_is_true(json_object_get(row, "accepts")));
    cr_assert_str_eq(text(row, "until"), tomorrow);
    cr_assert_eq(invitation_extend(db, &command_line, number(row, "id"), NULL), OK);
    cr_assert_eq(collection_invitation(&row, db, id, lin), OK);
    cr_assert(json_is_false(json_object_get(row, "accepts")));
}

Test(collection, offsets_of_zones_are_written_as_people_do)
{
    cr_expect_str_eq(
        json_string_value(value("select utc_offset('2026-07-01', 'UTC') as value")),
        "UTC");
    cr_expect_str_eq(json_string_value(value(
                         "select utc_offset('2026-07-01', 'Asia/Kolkata') as value")),
                     "UTC+5:30");
    cr_expect_str_eq(json_string_value(value(
                         "select utc_offset('2026-07-01', 'America/New_York') as value")),
                     "UTC-4");
}

Test(collection, a_withdrawn_invitation_comes_back_to_where_it_was)
{
    int64_t lin = member("lin@lab.example"), id = collection(NULL);
    json_t *row;
    open_wave(id, "pilot", json_pack("[I]", lin));
    cr_assert_eq(collection_invitation(&row, db, id, lin), OK);
    int64_t invitation = number(row, "id");
    cr_assert_eq(answer_opened(db, invitation), OK);
    cr_assert_eq(invitation_withdraw(db, &command_line, invitation), OK);
    cr_assert_eq(invitation_withdraw(db, &command_line, invitation), NOT_FOUND);
    cr_assert_eq(invitation_row(&row, db, invitation), OK);
    cr_assert(json_is_false(json_object_get(row, "accepts")));
    cr_assert(json_is_false(json_object_get(row, "lacking")));
    cr_assert_eq(invitation_reinstate(db, &command_line, invitation), OK);
    cr_assert_eq(invitation_row(&row, db, invitation), OK);
    cr_assert_str_eq(text(row, "state"), "opened");
}

Test(collection, states_lead_where_they_should)
{
    int64_t lin = member("lin@lab.example"), id = collection(NULL), copy;
    json_t *wave, *row;
    cr_assert_eq(collection_set_state(db, &command_line, id, "draft", "open"), CONFLICT);
    open_wave(id, "pilot", json_pack("[I]", lin));
    cr_assert_eq(collection_delete(db, &command_line, id), CONFLICT);
    cr_assert_eq(collection_set_state(db, &command_line, id, "open", "draft"), CONFLICT);
    cr_assert_eq(collection_set_state(db, &command_line, id, "open", "closing"), OK);
    cr_assert_eq(collection_set_state(db, &command_line, id, "open", "closed"), CONFLICT);
    cr_assert_eq(wave_insert_invitations(&wave, db, &command_line, id, "everyone",
                                         json_pack("[I]", lin)),
                 CONFLICT);
    cr_assert_eq(collection_set_state(db, &command_line, id, "closing", "closed"), OK);
    cr_assert_eq(collection_duplicate(&copy, db, &command_line, id, "2027", "2027"), OK);
    cr_assert_eq(collection_row(&row, db, copy), OK);
    cr_assert_str_eq(text(row, "state"), "draft");
    cr_assert_eq(number(row, "copied_from"), id);
    cr_assert_eq(number(row, "chosen"), 1);
    cr_assert_eq(number(row, "invited"), 0);
    cr_assert_eq(collection_delete(db, &command_line, copy), OK);
    cr_assert_eq(collection_row(&row, db, copy), NOT_FOUND);
    cr_assert_eq(collection_set_state(db, &command_line, id, "closed", "open"), OK);
}

Test(collection, settings_hold_for_the_version_that_was_seen)
{
    int64_t id = collection(NULL);
    json_t *row;
    cr_assert_eq(collection_row(&row, db, id), OK);
    json_object_set_new(row, "title_en", json_string("Other"));
    cr_assert_eq(collection_update(db, &command_line, id, 1, row), OK);
    cr_assert_eq(collection_update(db, &command_line, id, 1, row), CONFLICT);
    cr_assert_eq(collection_update(db, &command_line, id + 9, 1, row), NOT_FOUND);
    cr_assert_eq(collection_row(&row, db, id), OK);
    cr_assert_str_eq(text(row, "title_en"), "Other");
    cr_assert_eq(number(row, "version"), 2);
    cr_assert_eq(json_array_size(json_object_get(row, "remind_days")), 3);
}
