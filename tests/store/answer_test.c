/* Answers of collections: versions, the invitation that follows, and what an approved one
 * does to the person. */
#include "db/store/account.h"
#include "db/store/answer.h"
#include "db/store/claim.h"
#include "db/transaction.h"
#include "server/base/arena.h"
#include "tests/support/lab.h"

#include <criterion/criterion.h>

LAB_SUITE(answer);

static struct actor member, reviewer;
static int64_t person, account;
enum { COLLECTION = 1 };

static struct actor signed_up(const char *email, int64_t person_id)
{
    json_t *row;
    struct new_account new_account = {
        .email = email, .language = "en", .person = person_id};
    cr_assert_eq(account_create(&row, db, &command_line, &new_account), OK);
    return (struct actor){number(row, "id"), email, "r1"};
}

static void collection(const char *kind)
{
    json_t *made =
        lab_save(db, "person", 0,
                 json_pack("{s:s, s:s, s:s, s:s, s:{s:s, s:s}}", "given_latin", "Xiao",
                           "family_latin", "Lin", "phone", "010-1", "office", "West 1",
                           "visibility", "phone", "members", "office", "public"));
    person = number(made, "target_id");
    member = signed_up("lin@lab.example", person);
    reviewer = signed_up("ada@lab.example", 0);
    account = member.account;
    test_sql(db,
             arena_print(arena_current(),
                         "insert into collection (kind, title_en, title_zh, state,"
                         " definition) values ('%s', 'Profiles', '资料', 'open', '{}');"
                         "insert into form_version (collection_id, number, definition)"
                         " values (1, 1, '{}');"
                         "insert into wave (collection_id, number, kind,"
                         " form_version_id) values (1, 1, 'everyone', 1);"
                         "insert into invitation (collection_id, account_id, wave_id,"
                         " pilot, form_version_id) values (1, %lld, 1, false, 1)",
                         kind, (long long)account));
}

static json_t *state(void)
{
    json_t *row;
    cr_assert_eq(answer_state(&row, db, COLLECTION, account), OK, "%s", db->problem);
    return row;
}

static const char *invitation(void)
{
    return text(state(), "state");
}

static enum result save(json_t **outcome, json_t *document, int64_t seen, bool draft)
{
    struct answer_saving saving = {.state = state(),
                                   .document = document,
                                   .change_version = seen,
                                   .complete = 50,
                                   .draft = draft};
    return answer_save(outcome, db, &member, &saving);
}

static json_t *saved(json_t *document, bool draft)
{
    json_t *outcome;
    cr_assert_eq(save(&outcome, document, number(state(), "change_version"), draft), OK,
                 "%s", db->problem);
    return outcome;
}

static json_t *phone(const char *number)
{
    return json_pack("{s:s, s:s, s:s, s:{s:s}}", "phone", number, "office", "West 1",
                     "shirt", "M", "visibility", "phone", "members");
}

static void approve(void)
{
    json_t *applied, *now = state();
    cr_assert_eq(change_approve(&applied, db, &reviewer, number(now, "change_id"),
                                number(now, "change_version")),
                 OK, "%s", db->problem);
}

static json_t *profile(void)
{
    json_t *current;
    cr_assert_eq(entity_current(&current, db, "person", person), OK);
    return current;
}

static const char *of_profile(const char *key)
{
    return text(json_object_get(profile(), "document"), key);
}

static void admin_writes(const char *key, const char *value)
{
    lab_save(db, "person", person, json_pack("{s:s}", key, value));
}

Test(answer, the_invitation_follows_draft_submission_return_and_approval)
{
    collection("custom");
    cr_assert_str_eq(invitation(), "invited");
    cr_assert_eq(answer_opened(db, number(state(), "id")), OK);
    cr_assert_str_eq(invitation(), "opened");
    cr_assert_str_eq(text(saved(phone("1"), true), "outcome"), "draft");
    cr_assert_str_eq(invitation(), "started");
    cr_assert_eq(number(state(), "complete"), 50);
    cr_assert_str_eq(text(saved(phone("2"), false), "outcome"), "submitted");
    cr_assert_str_eq(invitation(), "submitted");
    json_t *now = state();
    cr_assert_eq(change_return(db, &reviewer, number(now, "change_id"),
                               number(now, "change_version"), "The phone, please"),
                 OK);
    cr_assert_str_eq(invitation(), "returned");
    cr_assert_str_eq(text(saved(phone("3"), true), "outcome"), "returned");
    cr_assert_str_eq(invitation(), "returned");
    cr_assert_str_eq(text(state(), "comment"), "The phone, please");
    saved(phone("3"), false);
    approve();
    cr_assert_str_eq(invitation(), "approved");
    cr_assert_eq(number(state(), "version"), 2);
    cr_assert_eq(number(state(), "complete"), 100);
}

Test(answer, what_was_sent_in_can_be_taken_back)
{
    collection("custom");
    saved(phone("1"), false);
    cr_assert_str_eq(text(saved(phone("1"), true), "outcome"), "draft");
    cr_assert_str_eq(invitation(), "started");
    saved(phone("1"), false);
    approve();
    saved(phone("2"), false);
    cr_assert_str_eq(invitation(), "submitted");
    saved(phone("2"), true);
    cr_assert_str_eq(invitation(), "approved");
}

Test(answer, a_draft_beside_an_approved_answer_changes_nothing_that_is_waited_for)
{
    collection("custom");
    saved(phone("1"), false);
    approve();
    saved(phone("2"), true);
    cr_assert_str_eq(invitation(), "approved");
    cr_assert_str_eq(text(json_object_get(state(), "answer"), "phone"), "1");
}

Test(answer, a_save_that_changes_nothing_makes_no_version)
{
    collection("custom");
    json_t *first = saved(phone("1"), true), *again = saved(phone("1"), true);
    cr_assert_eq(number(first, "version"), number(again, "version"));
    saved(phone("1"), false);
    approve();
    cr_assert_str_eq(text(saved(phone("1"), false), "outcome"), "unchanged");
    cr_assert_eq(number(state(), "version"), 2);
    cr_assert_str_eq(invitation(), "approved");
}

Test(answer, asked_again_and_nothing_to_add_is_settled)
{
    collection("custom");
    saved(phone("1"), false);
    approve();
    test_sql(db, "update invitation set state = 'invited', asked = '[\"shirt\"]'");
    cr_assert_str_eq(text(saved(phone("1"), false), "outcome"), "unchanged");
    cr_assert_str_eq(invitation(), "approved");
    cr_assert(json_is_null(json_object_get(state(), "asked")));
}

Test(answer, asked_again_a_draft_withdrawn_leaves_the_question_open)
{
    collection("custom");
    saved(phone("1"), false);
    approve();
    test_sql(db, "update invitation set state = 'invited', asked = '[\"shirt\"]'");
    saved(phone("2"), true);
    json_t *now = state();
    cr_assert_eq(change_withdraw(db, &member, number(now, "change_id"),
                                 number(now, "change_version")),
                 OK);
    cr_assert_str_eq(invitation(), "started");
}

Test(answer, an_empty_answer_to_optional_questions_counts)
{
    collection("custom");
    json_t *empty = json_pack("{s:n, s:b}", "phone", "meat", 0);
    cr_assert_str_eq(text(saved(empty, false), "outcome"), "submitted");
    approve();
    cr_assert_eq(number(state(), "version"), 2);
}

Test(answer, a_stale_save_is_refused_and_writes_nothing)
{
    collection("custom");
    json_t *outcome;
    saved(phone("1"), true);
    saved(phone("2"), true);
    cr_assert_eq(save(&outcome, phone("3"), 1, true), CONFLICT);
    cr_assert_eq(save(&outcome, phone("3"), 1, false), CONFLICT);
    cr_assert_str_eq(text(json_object_get(state(), "draft"), "phone"), "2");
    struct answer_saving stale = {
        .state = state(), .document = phone("3"), .change_version = 1};
    cr_assert_eq(answer_keep(&outcome, db, &member, &stale), NOT_FOUND);
    cr_assert_eq(answer_keep(&outcome, db, &reviewer, &stale), NOT_FOUND);
    cr_assert_str_eq(text(json_object_get(state(), "draft"), "phone"), "2");
}

Test(answer, typing_is_kept_in_one_statement_while_answers_are_taken)
{
    collection("custom");
    json_t *kept;
    saved(phone("1"), true);
    struct answer_saving saving = {
        .state = state(), .document = phone("2"), .change_version = 1, .complete = 60};
    cr_assert_eq(answer_keep(&kept, db, &member, &saving), OK, "%s", db->problem);
    cr_assert_eq(number(kept, "version"), 2);
    cr_assert_eq(number(state(), "complete"), 60);
    cr_assert_str_eq(invitation(), "started");
    saving.change_version = 2;
    test_sql(db, "update collection set state = 'closed'");
    cr_assert_eq(answer_keep(&kept, db, &member, &saving), NOT_FOUND);
    test_sql(db, "update collection set state = 'open', deadline = lab_today() - 1");
    cr_assert_eq(answer_keep(&kept, db, &member, &saving), NOT_FOUND);
    test_sql(db, "update collection set deadline = lab_today()");
    cr_assert_eq(answer_keep(&kept, db, &member, &saving), OK);
}

Test(answer, approved_it_changes_what_the_member_altered_and_nothing_else)
{
    json_t *rows;
    collection("profile");
    saved(phone("010-2"), true);
    admin_writes("office", "East 9");
    saved(phone("010-2"), false);
    approve();
    cr_assert_str_eq(of_profile("phone"), "010-2");
    cr_assert_str_eq(of_profile("office"), "East 9");
    cr_assert_str_eq(of_profile("family_latin"), "Lin");
    cr_assert_eq(change_revisions(&rows, db, "person", person), OK);
    json_t *newest = json_array_get(rows, 0);
    cr_assert_str_eq(text(newest, "author_email"), "lin@lab.example");
    cr_assert_str_eq(text(newest, "decided_by_email"), "ada@lab.example");
}

Test(answer, approved_without_a_difference_it_makes_no_version_of_the_person)
{
    collection("profile");
    saved(phone("010-1"), false);
    approve();
    cr_assert_eq(number(profile(), "version"), 1);
}

Test(answer, who_sees_what_is_merged_field_by_field)
{
    collection("profile");
    json_t *document = phone("010-1");
    json_object_set_new(document, "visibility",
                        json_pack("{s:s, s:s}", "phone", "admins", "shirt", "public"));
    saved(document, true);
    lab_save(db, "person", person,
             json_pack("{s:{s:s, s:s}}", "visibility", "phone", "members", "office",
                       "admins"));
    saved(document, false);
    approve();
    json_t *who = json_object_get(json_object_get(profile(), "document"), "visibility");
    cr_assert_str_eq(text(who, "phone"), "admins");
    cr_assert_str_eq(text(who, "office"), "admins");
    cr_assert_null(json_object_get(who, "shirt"));
}

Test(answer, the_members_own_open_change_of_the_profile_stays)
{
    json_t *outcome, *open;
    collection("profile");
    struct proposal own = {.entity = "person",
                           .target = person,
                           .document = json_pack("{s:s}", "interests_en", "Caches"),
                           .source = "form"};
    cr_assert_eq(change_propose(&outcome, db, &member, &own), OK);
    saved(phone("010-3"), false);
    approve();
    cr_assert_str_eq(of_profile("phone"), "010-3");
    cr_assert_str_eq(of_profile("interests_en"), "");
    cr_assert_eq(change_open(&open, db, account, "person", person), OK);
    cr_assert_str_eq(text(open, "state"), "submitted");
}

Test(answer, a_draft_takes_over_what_others_changed_but_not_what_it_alters)
{
    collection("profile");
    admin_writes("office", "East 9");
    admin_writes("phone", "010-7");
    json_t *document = phone("010-2");
    cr_assert_eq(answer_rebase(&document, db, person, 1), OK);
    cr_assert_str_eq(text(document, "phone"), "010-2");
    cr_assert_str_eq(text(document, "office"), "East 9");
    cr_assert_str_eq(text(document, "shirt"), "M");
}

Test(answer, confirmed_by_the_member_it_is_approved_at_once)
{
    json_t *outcome;
    collection("profile");
    struct answer_saving saving = {
        .state = state(), .document = phone("010-1"), .complete = 100};
    cr_assert_eq(answer_confirm(&outcome, db, &member, &saving), OK, "%s", db->problem);
    cr_assert_str_eq(invitation(), "approved");
    cr_assert_eq(number(state(), "version"), 2);
    cr_assert_eq(number(profile(), "version"), 1);
}

Test(answer, lists_show_the_collection)
{
    json_t *rows;
    collection("custom");
    saved(json_pack("{s:s}", "title", "Not this"), false);
    cr_assert_eq(change_queue(&rows, db), OK, "%s", db->problem);
    json_t *row = json_array_get(rows, 0);
    cr_assert_str_eq(text(row, "title"), "Profiles");
    cr_assert_str_eq(text(row, "title_other"), "资料");
    cr_assert_str_eq(text(row, "author_name_latin"), "Xiao Lin");
    cr_assert_eq(number(row, "collection_id"), COLLECTION);
    approve();
    json_t *shown;
    cr_assert_eq(change_show(&shown, db, number(row, "id")), OK);
    cr_assert_eq(json_array_size(json_object_get(shown, "differences")), 1);
}

static json_t *shown_differences(int64_t change)
{
    json_t *shown;
    cr_assert_eq(change_show(&shown, db, change), OK, "%s", db->problem);
    return json_object_get(shown, "differences");
}

Test(answer, a_first_answer_is_shown_beside_the_profile_that_it_goes_into)
{
    collection("profile");
    json_t *seen = profile();
    json_t *outcome;
    struct answer_saving saving = {.state = state(),
                                   .document = phone("020-2"),
                                   .person_version = number(seen, "version"),
                                   .complete = 100};
    cr_assert_eq(answer_save(&outcome, db, &member, &saving), OK, "%s", db->problem);
    int64_t id = number(state(), "change_id");
    json_t *waiting = shown_differences(id);
    cr_assert_eq(json_array_size(waiting), 2, "the phone, and the shirt that is new");
    cr_assert_str_eq(text(json_array_get(waiting, 0), "field"), "phone");
    cr_assert_str_eq(text(json_array_get(waiting, 0), "before"), "010-1");
    cr_assert_str_eq(text(json_array_get(waiting, 1), "field"), "shirt");
    approve();
    cr_assert(json_equal(shown_differences(id), waiting), "also once it is approved");
}

Test(answer, feedback_is_kept_one_a_section)
{
    json_t *rows;
    collection("custom");
    struct answer_feedback said = {
        .section = 0, .unclear = true, .comment = "Which phone?"};
    cr_assert_eq(answer_feedback_save(db, state(), &said), OK, "%s", db->problem);
    said.comment = "Which of my phones?";
    said.field = "phone";
    cr_assert_eq(answer_feedback_save(db, state(), &said), OK);
    cr_assert_eq(answer_step_add(db, state(), 0, "refused", "phone", "phone"), OK);
    cr_assert_eq(answer_step_add(db, state(), 0, "saved", NULL, NULL), OK);
    cr_assert_eq(answer_feedback_rows(&rows, db, state()), OK);
    cr_assert_eq(json_array_size(rows), 1);
    cr_assert_str_eq(text(json_array_get(rows, 0), "field"), "phone");
    cr_assert(json_equal(json_object_get(state(), "saved"), json_pack("[i]", 0)));
}

Test(answer, an_approved_check_of_publications_says_whose_they_are)
{
    json_t *applied, *claims;
    collection("publications");
    const char *const names[] = {"Xiao Lin", "X. Lin", "Xiao Lin", "Bo Ouyang"};
    json_t *slugs[4];
    for (size_t i = 0; i < 4; i++)
        slugs[i] = lab_save(db, "publication", 0,
                            json_pack("{s:s, s:s, s:[{s:s}]}", "kind", "article", "title",
                                      arena_print(arena_current(), "Work %zu", i),
                                      "authors", "name", names[i]));
    json_t *sent = saved(
        json_pack("{s:[{s:s,s:s,s:s}, {s:s,s:s,s:s}, {s:s,s:s,s:s}, {s:s,s:s,s:s}]}",
                  "works", "title", "a", "slug", text(slugs[0], "slug"), "verdict",
                  "right", "title", "b", "slug", text(slugs[1], "slug"), "verdict",
                  "wrong", "title", "c", "slug", text(slugs[2], "slug"), "verdict",
                  "not_mine", "title", "d", "slug", text(slugs[3], "slug"), "verdict",
                  "right"),
        false);
    cr_assert_eq(change_approve(&applied, db, &reviewer, number(sent, "id"),
                                number(sent, "version")),
                 OK, "%s", db->problem);
    cr_assert_eq(claim_list(&claims, db, person, "mine", 10, 0), OK);
    cr_assert_eq(number(claims, "mine"), 2); /* not that of Bo Ouyang */
    cr_assert_eq(number(claims, "not_mine"), 1);
    cr_assert_eq(number(claims, "confirm"), 0);
}
