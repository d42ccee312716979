/* The one door: proposing, deciding, and who wins when two decide at once. */
#include "db/store/account.h"
#include "db/store/lab.h"
#include "db/store/person.h"
#include "server/base/arena.h"
#include "tests/support/lab.h"

#include <criterion/criterion.h>
#include <pthread.h>

LAB_SUITE(change);

static json_t *person(const char *given, const char *family)
{
    return json_pack("{s:s, s:s, s:[{s:s, s:s}]}", "given_latin", given, "family_latin",
                     family, "appointments", "role", "phd", "starts", "2023-09-01");
}

static json_t *save(const char *entity, int64_t target, json_t *document)
{
    return lab_save(db, entity, target, document);
}

static struct actor member(const char *email)
{
    json_t *account;
    struct new_account new_account = {.email = email, .language = "en"};
    cr_assert_eq(account_create(&account, db, &command_line, &new_account), OK);
    return (struct actor){number(account, "id"), email, "r1"};
}

static json_t *offer(const struct actor *actor, int64_t target, json_t *document)
{
    json_t *outcome;
    struct proposal proposal = {.entity = "person",
                                .target = target,
                                .document = document,
                                .source = "form",
                                .change_version = -1};
    cr_assert_eq(change_propose(&outcome, db, actor, &proposal), OK, "%s", db->problem);
    return outcome;
}

static const char *value(json_t *outcome, const char *key)
{
    return text(lab_document(db, "person", outcome), key);
}

Test(change, a_new_person_gets_a_slug_a_revision_and_an_event)
{
    json_t *made = save("person", 0, person("Xiao", "Lin")), *rows;
    cr_assert_str_eq(text(made, "outcome"), "created");
    cr_assert_str_eq(text(made, "slug"), "xiao-lin");
    cr_assert_str_eq(value(made, "given_latin"), "Xiao");
    cr_assert_eq(change_revisions(&rows, db, "person", number(made, "target_id")), OK);
    cr_assert_eq(json_array_size(rows), 1);
    cr_assert_eq(number(json_array_get(rows, 0), "version"), 1);
    cr_assert_eq(event_of(&rows, db, "person", number(made, "target_id"), 10), OK);
    cr_assert_str_eq(text(json_array_get(rows, 0), "action"), "change.approved");
}

Test(change, slugs_stay_apart)
{
    const char *expected[] = {"jia-wu", "jia-wu-2", "jia-wu-3"};
    for (size_t i = 0; i < 3; i++)
        cr_assert_str_eq(text(save("person", 0, person("Jia", "Wu")), "slug"),
                         expected[i]);
    json_t *han = json_pack("{s:s}", "name_han", "王伟");
    cr_assert_str_eq(text(save("person", 0, han), "slug"), "王伟");
}

Test(change, a_partial_document_leaves_the_rest)
{
    json_t *made = save("person", 0, person("Xiao", "Lin"));
    json_t *again = save("person", number(made, "target_id"),
                         json_pack("{s:s}", "office", "West 417"));
    cr_assert_str_eq(text(again, "outcome"), "updated");
    cr_assert_eq(number(again, "version"), 2);
    cr_assert_str_eq(value(made, "office"), "West 417");
    cr_assert_str_eq(value(made, "family_latin"), "Lin");
    cr_assert_str_eq(value(made, "slug"), "xiao-lin");
}

Test(change, saying_what_is_there_already_changes_nothing)
{
    struct actor lin = member("lin@lab.example");
    json_t *made = save("person", 0, person("Xiao", "Lin")), *rows;
    int64_t id = number(made, "target_id");
    json_t *same = person("Xiao", "Lin");
    json_object_set_new(same, "biography_en", json_string(""));
    json_object_set_new(same, "links", json_array());
    cr_assert_str_eq(text(offer(&lin, id, same), "outcome"), "unchanged");
    offer(&lin, id, json_pack("{s:s}", "office", "West 417"));
    cr_assert_eq(change_queue(&rows, db), OK);
    cr_assert_eq(json_array_size(rows), 1);
    /* Back to what is there: the open change is moot. */
    json_t *back = offer(&lin, id, json_pack("{s:n}", "office"));
    cr_assert_str_eq(text(back, "outcome"), "unchanged");
    cr_assert_eq(change_queue(&rows, db), OK);
    cr_assert_eq(json_array_size(rows), 0);
}

Test(change, proposing_again_replaces_the_open_change)
{
    struct actor lin = member("lin@lab.example");
    json_t *made = save("person", 0, person("Xiao", "Lin")), *shown;
    int64_t id = number(made, "target_id");
    json_t *first = offer(&lin, id, json_pack("{s:s}", "office", "West 1"));
    json_t *second = offer(&lin, id, json_pack("{s:s}", "phone", "+86 10 1"));
    cr_assert_eq(number(first, "id"), number(second, "id"));
    cr_assert_eq(number(second, "version"), 2);
    cr_assert_eq(change_open(&shown, db, lin.account, "person", id), OK);
    json_t *differences = json_object_get(shown, "differences");
    cr_assert_eq(json_array_size(differences), 2);
    cr_assert_str_eq(text(json_array_get(differences, 0), "field"), "phone");
    cr_assert_str_eq(text(json_array_get(differences, 1), "field"), "office");
    cr_assert(json_is_false(json_object_get(shown, "stale")));
    json_t *applied;
    cr_assert_eq(change_approve(&applied, db, &command_line, number(first, "id"), 1),
                 CONFLICT);
    cr_assert_eq(change_approve(&applied, db, &command_line, number(first, "id"), 2), OK);
    cr_assert_str_eq(value(made, "office"), "West 1");
    cr_assert_str_eq(value(made, "phone"), "+86 10 1");
}

Test(change, a_stale_tab_is_told)
{
    struct actor lin = member("lin@lab.example");
    json_t *made = save("person", 0, person("Xiao", "Lin")), *outcome;
    struct proposal proposal = {.entity = "person",
                                .target = number(made, "target_id"),
                                .base_version = 1,
                                .document = json_pack("{s:s}", "phone", "1"),
                                .source = "form"};
    cr_assert_eq(change_propose(&outcome, db, &lin, &proposal), OK);
    /* The other tab saw no open change. */
    proposal.document = json_pack("{s:s}", "office", "2");
    cr_assert_eq(change_propose(&outcome, db, &lin, &proposal), CONFLICT);
    json_t *open = json_object_get(outcome, "change");
    cr_assert_str_eq(text(json_object_get(open, "document"), "phone"), "1");
    proposal.change_version = number(open, "version");
    cr_assert_eq(change_propose(&outcome, db, &lin, &proposal), OK);
}

Test(change, an_older_base_is_a_conflict_that_shows_what_is_there)
{
    json_t *made = save("person", 0, person("Xiao", "Lin")), *outcome;
    save("person", number(made, "target_id"), json_pack("{s:s}", "office", "W 2"));
    struct proposal proposal = {.entity = "person",
                                .target = number(made, "target_id"),
                                .base_version = 1,
                                .document = json_pack("{s:s}", "office", "W 3"),
                                .source = "form"};
    cr_assert_eq(change_save(&outcome, db, &command_line, &proposal), CONFLICT);
    cr_assert_eq(number(outcome, "version"), 2);
    cr_assert_str_eq(text(json_object_get(outcome, "document"), "office"), "W 2");
}

Test(change, one_overtaken_is_not_approved_until_proposed_again)
{
    struct actor lin = member("lin@lab.example");
    json_t *made = save("person", 0, person("Xiao", "Lin")), *applied, *shown;
    int64_t id = number(made, "target_id");
    json_t *mine = offer(&lin, id, json_pack("{s:s}", "office", "West 1"));
    save("person", id, json_pack("{s:s}", "phone", "+86 10 2"));
    cr_assert_eq(change_approve(&applied, db, &command_line, number(mine, "id"), 1),
                 CONFLICT);
    cr_assert_eq(change_show(&shown, db, number(mine, "id")), OK);
    cr_assert(json_is_true(json_object_get(shown, "stale")));
    cr_assert_eq(json_array_size(json_object_get(shown, "differences")), 1);
    /* What the admin wrote meanwhile survives. */
    mine = offer(&lin, id, json_pack("{s:s}", "email", "lin@lab.example"));
    cr_assert_eq(change_approve(&applied, db, &command_line, number(mine, "id"), 2), OK);
    cr_assert_str_eq(value(made, "phone"), "+86 10 2");
    cr_assert_str_eq(value(made, "office"), "West 1");
}

Test(change, decisions_are_made_once)
{
    struct actor lin = member("lin@lab.example"), bo = member("bo@lab.example");
    json_t *made = save("person", 0, person("Xiao", "Lin")), *applied, *rows;
    int64_t target = number(made, "target_id");
    int64_t id = number(offer(&lin, target, json_pack("{s:s}", "office", "1")), "id");
    cr_assert_eq(change_return(db, &command_line, id, 1, "Which building?"), OK);
    cr_assert_eq(change_approve(&applied, db, &command_line, id, 1), CONFLICT);
    cr_assert_eq(change_approve(&applied, db, &command_line, id, 2), CONFLICT);
    cr_assert_eq(change_mine(&rows, db, lin.account), OK);
    cr_assert_str_eq(text(json_array_get(rows, 0), "comment"), "Which building?");
    cr_assert_str_eq(text(json_array_get(rows, 0), "state"), "returned");
    cr_assert_eq(change_withdraw(db, &bo, id, 2), NOT_FOUND);
    cr_assert_eq(change_withdraw(db, &lin, id, 2), OK);
    cr_assert_eq(change_withdraw(db, &lin, id, 3), CONFLICT);
    cr_assert_eq(change_return(db, &command_line, id, 3, "?"), CONFLICT);
    cr_assert_eq(change_approve(&applied, db, &command_line, 987654, 1), NOT_FOUND);
}

Test(change, a_draft_of_something_new_goes_on_by_its_id)
{
    struct actor lin = member("lin@lab.example"), bo = member("bo@lab.example");
    json_t *outcome;
    struct proposal proposal = {.entity = "publication",
                                .document = json_pack("{s:s}", "title", "Ferry"),
                                .source = "form",
                                .draft = true};
    cr_assert_eq(change_propose(&outcome, db, &lin, &proposal), OK);
    cr_assert_str_eq(text(outcome, "outcome"), "draft");
    proposal.change = number(outcome, "id");
    proposal.change_version = 1;
    proposal.draft = false;
    proposal.document = json_pack("{s:s}", "kind", "conference");
    cr_assert_eq(change_propose(&outcome, db, &bo, &proposal), NOT_FOUND);
    cr_assert_eq(change_propose(&outcome, db, &lin, &proposal), OK);
    cr_assert_eq(number(outcome, "id"), proposal.change);
    json_t *applied;
    cr_assert_eq(change_approve(&applied, db, &command_line, proposal.change, 2), OK);
    cr_assert_str_eq(text(applied, "slug"), "ferry");
    cr_assert_eq(change_propose(&outcome, db, &lin, &proposal), NOT_FOUND);
}

Test(change, a_key_that_no_form_has_is_refused)
{
    json_t *outcome;
    struct proposal proposal = {
        .entity = "person",
        .document = json_pack("{s:s, s:b}", "name_han", "林晓", "admin", 1),
        .source = "form"};
    cr_assert_eq(change_save(&outcome, db, &command_line, &proposal), FAILED);
}

/* One that the database does not know would fail every page that asks for today. */
Test(change, the_lab_is_in_a_time_zone_that_there_is)
{
    static const char *const zones[] = {"Asia/Shanghaj", "Europe/Berlin", "utc"};
    cr_assert_eq(lab_ensure(db), OK);
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
        json_t *outcome, *people;
        struct proposal proposal = {.entity = "lab",
                                    .target = 1,
                                    .document = json_pack("{s:s}", "time_zone", zones[i]),
                                    .source = "form"};
        enum result result = change_save(&outcome, db, &command_line, &proposal);
        cr_expect_eq(result, i == 0 ? INVALID : OK);
        if (result == INVALID)
            cr_expect_str_eq(
                text(json_array_get(json_object_get(outcome, "errors"), 0), "field"),
                "time_zone");
        cr_expect_eq(person_list(&people, db), OK);
    }
}

struct judge {
    int64_t change;
    enum result result;
};

static void *judge(void *data)
{
    struct judge *judge = data;
    struct arena *arena = arena_new();
    arena_enter(arena);
    struct db *own = db_new(test_lab());
    json_t *applied;
    judge->result = change_approve(&applied, own, &command_line, judge->change, 1);
    db_free(own);
    arena_enter(NULL);
    arena_free(arena);
    return NULL;
}

Test(change, of_several_who_approve_at_once_one_wins)
{
    enum { JUDGES = 6 };
    struct actor lin = member("lin@lab.example");
    struct judge judges[JUDGES];
    pthread_t threads[JUDGES];
    json_t *made = save("person", 0, person("Xiao", "Lin")), *rows;
    int64_t target = number(made, "target_id");
    json_t *mine = offer(&lin, target, json_pack("{s:s}", "office", "1"));
    int won = 0, lost = 0;
    for (int i = 0; i < JUDGES; i++) {
        judges[i] = (struct judge){number(mine, "id"), FAILED};
        cr_assert_eq(pthread_create(&threads[i], NULL, judge, &judges[i]), 0);
    }
    for (int i = 0; i < JUDGES; i++) {
        pthread_join(threads[i], NULL);
        won += judges[i].result == OK;
        lost += judges[i].result == CONFLICT;
    }
    cr_assert_eq(won, 1);
    cr_assert_eq(lost, JUDGES - 1);
    cr_assert_eq(change_revisions(&rows, db, "person", target), OK);
    cr_assert_eq(json_array_size(rows), 2);
}

static const struct query erase = {"test_erase", "delete from event", 0, 0, 0};
static const struct query rewrite = {"test_rewrite", "update event set actor = 'nobody'",
                                     0, 0, 0};

Test(change, events_are_only_ever_added)
{
    save("person", 0, person("Xiao", "Lin"));
    cr_assert_neq(db_run(NULL, db, &erase), OK);
    cr_assert_neq(db_run(NULL, db, &rewrite), OK);
    json_t *events;
    cr_assert_eq(event_list(&events, db, 0, 10), OK);
    cr_assert_eq(json_array_size(events), 1);
}

Test(change, the_reviewers_text_is_approved_beside_what_was_sent_in)
{
    struct actor lin = member("lin@lab.example");
    json_t *made = save("person", 0, person("Xiao", "Lin")), *applied, *change, *document;
    int64_t target = number(made, "target_id");
    int64_t id =
        number(offer(&lin, target, json_pack("{s:s}", "office", "West 1")), "id");
    cr_assert_eq(change_show(&change, db, id), OK);
    document = json_copy(json_object_get(change, "document"));
    json_object_set_new(document, "office", json_string("West 2"));
    cr_assert_eq(change_approve_edited(&applied, db, &command_line, id, 2, 1, document),
                 CONFLICT, "another version of the change");
    cr_assert_eq(change_approve_edited(&applied, db, &command_line, id, 1, 7, document),
                 CONFLICT, "another version of the target");
    cr_assert_eq(change_approve_edited(&applied, db, &command_line, id, 1, 1, document),
                 OK);
    cr_assert_str_eq(value(made, "office"), "West 2");
    cr_assert_eq(change_show(&change, db, id), OK);
    cr_assert(json_is_true(json_object_get(change, "edited")));
    cr_assert_str_eq(text(json_object_get(change, "proposed"), "office"), "West 1");
    cr_assert_eq(number(change, "author_id"), lin.account);
    cr_assert_eq(change_approve_edited(&applied, db, &command_line, id, 2, 2, document),
                 CONFLICT, "decided already");
}

Test(change, what_both_altered_is_a_clash_and_the_rest_is_put_together)
{
    json_t *base = json_pack("{s:s, s:s, s:s, s:n}", "a", "1", "b", "1", "c", "1", "d");
    json_t *now =
        json_pack("{s:s, s:s, s:s, s:s}", "a", "2", "b", "1", "c", "2", "d", "");
    json_t *mine = json_pack("{s:s, s:s, s:s, s:n}", "a", "3", "b", "3", "c", "2", "d");
    json_t *merged, *clashes;
    change_merge(&merged, &clashes, base, now, mine);
    cr_assert_str_eq(json_dumps(merged, JSON_COMPACT),
                     "{\"a\":\"3\",\"b\":\"3\",\"c\":\"2\",\"d\":\"\"}");
    cr_assert_eq(json_array_size(clashes), 1);
    cr_assert_str_eq(text(json_array_get(clashes, 0), "field"), "a");
}

Test(change, a_review_is_claimed_by_who_saw_it_free)
{
    struct actor lin = member("lin@lab.example"), ada = member("ada@lab.example"),
                 bo = member("bo@lab.example");
    json_t *made = save("person", 0, person("Xiao", "Lin")), *change;
    int64_t target = number(made, "target_id");
    int64_t id = number(offer(&lin, target, json_pack("{s:s}", "office", "1")), "id");
    cr_assert_eq(change_claim(db, &ada, id, 0), OK);
    cr_assert_eq(change_claim(db, &bo, id, 0), CONFLICT);
    cr_assert_eq(change_release(db, &bo, id), CONFLICT);
    cr_assert_eq(change_claim(db, &bo, id, ada.account), OK);
    cr_assert_eq(change_show(&change, db, id), OK);
    cr_assert_str_eq(text(change, "reviewer_email"), "bo@lab.example");
    cr_assert_eq(number(change, "version"), 1, "a claim is no new version");
    cr_assert_eq(
        change_return_with(db, &bo, id, 1, "", json_pack("{s:s}", "office", "Which?")),
        OK);
    cr_assert_eq(change_claim(db, &ada, id, bo.account), CONFLICT, "decided");
    cr_assert_eq(change_show(&change, db, id), OK);
    cr_assert_str_eq(text(json_object_get(change, "comments"), "office"), "Which?");
}
