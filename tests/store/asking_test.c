/* Asking people: who gets which mail, what the pilot keeps when everyone is asked, and
 * reminders to exactly those who lack something. */
#include "db/store/account.h"
#include "db/store/answer.h"
#include "db/store/collection.h"
#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/site/asking.h"
#include "tests/support/lab.h"
#include "tests/support/mail.h"

#include <pthread.h>
#include <string.h>

static struct db *db;

static void open_asking(void)
{
    db = test_lab_db();
    mail_test_open();
    test_sql(db, "insert into lab (name_en, name_zh, time_zone)"
                 " values ('Tidal Lab', '潮汐实验室', 'Asia/Shanghai')");
}

static void close_asking(void)
{
    mail_test_close();
    db_free(db);
}

TestSuite(asking, .init = open_asking, .fini = close_asking);

/* The first column of the only row, as text. */
static const char *answered(const char *sql)
{
    static int number; /* the connection keeps what it has prepared */
    struct query *query = ARENA_NEW(arena_current(), struct query);
    json_t *row;
    *query = (struct query){arena_print(arena_current(), "test_%d", ++number),
                            arena_print(arena_current(), "select (%s)::text as v", sql),
                            0, 0, 0};
    cr_assert_eq(db_row(&row, db, query), OK, "%s: %s", sql, db->problem);
    return text(row, "v");
}

#define EXPECT(sql, value)                                                               \
    do {                                                                                 \
        const char *found_ = answered(sql);                                              \
        cr_assert_str_eq(found_, value, "%s: %s, not %s", sql, found_, value);           \
    } while (0)

static int64_t member(const char *email)
{
    json_t *made, *person = json_pack("{s:s,s:s}", "family_latin", email, "email", email);
    struct new_account account = {.email = email, .language = "en"};
    cr_assert_eq(
        account_create_member(&made, db, &command_line, &account, person, "form"), OK);
    return number(made, "id");
}

static json_t *words(const char *text)
{
    return json_pack("{s:s,s:s}", "en", text, "zh", text);
}

static json_t *text_field(const char *name, bool required)
{
    return json_pack("{s:s,s:s,s:o,s:b,s:i}", "name", name, "type", "text", "label",
                     words(name), "required", required, "max_length", 100);
}

static json_t *form_of(json_t *fields)
{
    return json_pack("{s:o,s:[{s:o}]}", "title", words("Questions"), "sections", "fields",
                     fields);
}

enum { DAYS = 3 };

/* A collection whose last day is in DAYS days, with the questions "office" and "desk". */
static int64_t collection(void)
{
    int64_t id;
    json_t *document =
        json_pack("{s:s,s:s,s:s,s:[i,i,i],s:i,s:i}", "title_en", "Desks", "title_zh",
                  "工位", "deadline", answered("select lab_today() + 3"), "remind_days",
                  7, 3, 1, "remind_most", 2, "remind_gap", 2);
    json_t *form = form_of(
        json_pack("[o,o]", text_field("office", true), text_field("desk", false)));
    cr_assert_eq(collection_create(&id, db, &command_line, "custom", document, form), OK,
                 "%s", db->problem);
    return id;
}

static json_t *opened(int64_t id, const char *kind, json_t *accounts)
{
    json_t *wave;
    cr_assert_eq(wave_open(&wave, db, &command_line, id, kind, accounts), OK, "%s",
                 db->problem);
    return wave;
}

static int64_t invitation_of(int64_t id, int64_t account)
{
    json_t *row;
    cr_assert_eq(collection_invitation(&row, db, id, account), OK);
    return number(row, "id");
}

static void answer_by(int64_t id, int64_t account, json_t *document, bool draft)
{
    json_t *outcome, *state;
    struct actor actor = {account, "member", NULL};
    cr_assert_eq(answer_state(&state, db, id, account), OK);
    struct answer_saving saving = {
        .state = state,
        .document = document,
        .change_version = number(state, "change_version"),
        .complete = 50,
        .draft = draft,
    };
    cr_assert_eq(answer_save(&outcome, db, &actor, &saving), OK, "%s", db->problem);
}

static void answer_with(int64_t id, int64_t account, const char *office, bool draft)
{
    answer_by(id, account, json_pack("{s:s}", "office", office), draft);
}

static void approve(int64_t id, int64_t account)
{
    json_t *state, *applied;
    cr_assert_eq(answer_state(&state, db, id, account), OK);
    cr_assert_eq(change_approve(&applied, db, &command_line, number(state, "change_id"),
                                number(state, "change_version")),
                 OK, "%s", db->problem);
}

static void revise(int64_t id, json_t *fields)
{
    json_t *row;
    int64_t now;
    cr_assert_eq(collection_row(&row, db, id), OK);
    cr_assert_eq(collection_set_definition(&now, db, &command_line, id,
                                           number(row, "definition_version"),
                                           form_of(fields)),
                 OK);
}

Test(asking, each_person_gets_one_invitation_and_one_mail)
{
    int64_t lin = member("lin@lab.example"), bo = member("bo@lab.example");
    int64_t id = collection();
    json_t *both = json_pack("[I,I]", lin, bo);
    opened(id, "pilot", json_pack("[I]", lin));
    opened(id, "everyone", both);
    opened(id, "everyone", both);
    EXPECT("select count(*) from mail", "2");
    EXPECT("select count(*) from mail where template = 'invitation' and invitation_id is "
           "not null and collection_id is not null",
           "2");
    EXPECT("select string_agg(next, ',') from (select distinct next from sign_in_link) l",
           arena_print(arena_current(), "/my/collections/%lld", (long long)id));
}

Test(asking, people_without_an_account_get_one_if_they_have_an_address)
{
    json_t *accounts;
    json_t *with =
        lab_save(db, "person", 0,
                 json_pack("{s:s,s:s}", "name_han", "林晓", "email", "Lin@lab.example"));
    json_t *without = lab_save(db, "person", 0, json_pack("{s:s}", "name_han", "王伟"));
    json_t *taken =
        lab_save(db, "person", 0,
                 json_pack("{s:s,s:s}", "name_han", "林小", "email", "LIN@lab.example"));
    json_t *persons = json_pack("[I,I,I]", number(with, "target_id"),
                                number(without, "target_id"), number(taken, "target_id"));
    cr_assert_eq(asking_accounts(&accounts, db, &command_line, persons), OK);
    cr_assert_eq(json_array_size(accounts), 1);
    EXPECT("select language from account", "zh");
    cr_assert_eq(asking_accounts(&accounts, db, &command_line, persons), OK);
    cr_assert_eq(json_array_size(accounts), 1);
}

Test(asking, a_form_that_asks_nothing_opens_nothing)
{
    int64_t lin = member("lin@lab.example"), id = collection();
    json_t *wave;
    revise(id, json_array());
    cr_assert_eq(wave_open(&wave, db, &command_line, id, "pilot", json_pack("[I]", lin)),
                 INVALID);
    EXPECT("select state from collection", "draft");
    EXPECT("select count(*) from invitation", "0");
    EXPECT("select count(*) from mail", "0");
}

/* Five states of the pilot, and a form that has a new question. */
Test(asking, everyone_keeps_the_pilots_answers_and_asks_only_for_what_is_new)
{
    int64_t id = collection(), people[5];
    static const char *const names[] = {"approved@x.example", "submitted@x.example",
                                        "started@x.example", "opened@x.example",
                                        "withdrawn@x.example"};
    json_t *accounts = json_array();
    for (int i = 0; i < 5; i++) {
        people[i] = member(names[i]);
        json_array_append_new(accounts, json_integer(people[i]));
    }
    opened(id, "pilot", accounts);
    for (int i = 0; i < 3; i++)
        answer_with(id, people[i], "East 1", i == 2);
    approve(id, people[0]);
    cr_assert_eq(answer_opened(db, invitation_of(id, people[3])), OK);
    cr_assert_eq(invitation_withdraw(db, &command_line, invitation_of(id, people[4])),
                 OK);
    revise(id, json_pack("[o,o,o]", text_field("office", true), text_field("desk", false),
                         text_field("bicycle", false)));
    json_t *wave = opened(id, "everyone", json_pack("[I]", member("new@x.example")));
    cr_assert_eq(json_array_size(json_object_get(wave, "again")), 2);
    cr_assert_eq(number(wave, "kept"), 1);
    cr_assert_eq(number(wave, "moved"), 1);
    EXPECT("select string_agg(split_part(a.email, '@', 1) || ' ' || i.state || ' ' || "
           "v.number || ' ' || coalesce(i.asked::text, 'all'), ', ' order by i.id) from "
           "invitation i join account a on a.id = i.account_id join form_version v on "
           "v.id = i.form_version_id",
           "approved invited 2 [\"bicycle\"], submitted invited 2 [\"bicycle\"], started "
           "started 1 all, opened opened 2 all, withdrawn withdrawn 1 all, new invited 2 "
           "all");
    EXPECT("select string_agg(split_part(to_address, '@', 1), ' ' order by id) from mail "
           "where template = 'asked_again'",
           "approved submitted");
    EXPECT("select count(*) from mail where template = 'asked_again' and body like "
           "'%bicycle%' and body not like '%desk%'",
           "2");
    EXPECT("select document ->> 'office' from answer where version > 1", "East 1");
    /* Approved while asked again: the new question stays asked. */
    approve(id, people[1]);
    EXPECT("select i.state from invitation i join account a on a.id = i.account_id where "
           "a.email like 'submitted%'",
           "invited");
    /* Who was in the middle of it goes on once it is sent in. */
    int64_t started = invitation_of(id, people[2]);
    cr_assert_eq(invitation_move_on(db, &command_line, started), OK);
    EXPECT("select count(*) from mail where template = 'asked_again'", "2");
    answer_with(id, people[2], "West 2", false);
    cr_assert_eq(invitation_move_on(db, &command_line, started), OK);
    cr_assert_eq(invitation_move_on(db, &command_line, started), OK);
    EXPECT("select count(*) from mail where template = 'asked_again'", "3");
}

Test(asking, a_change_that_asks_nothing_again_only_moves_the_form)
{
    int64_t id = collection(), lin = member("lin@lab.example");
    opened(id, "pilot", json_pack("[I]", lin));
    answer_with(id, lin, "East 1", false);
    json_t *office = text_field("office", true);
    json_object_set_new(office, "label", words("Room"));
    revise(id, json_pack("[o]", office));
    json_t *wave = opened(id, "everyone", json_array());
    cr_assert_eq(json_array_size(json_object_get(wave, "again")), 0);
    EXPECT("select i.state || v.number from invitation i join form_version v on v.id = "
           "i.form_version_id",
           "submitted2");
    EXPECT("select count(*) from mail", "1");
}

/* As if it had been asked some days ago. */
static void days_pass(int days)
{
    test_sql(db, arena_print(arena_current(),
                             "update invitation set invited_at = invited_at - %d * "
                             "interval '1 day', reminded_at = reminded_at - %d * "
                             "interval '1 day'; update wave set opened_at = opened_at - "
                             "%d * interval '1 day'; update collection set deadline = "
                             "deadline - %d; update reminder set until = until - %d; "
                             "update invitation set extended_until = extended_until - %d",
                             days, days, days, days, days, days));
}

static int64_t due(void)
{
    int64_t sent;
    cr_assert_eq(reminders_due(&sent, db), OK, "%s", db->problem);
    return sent;
}

Test(asking, the_schedule_reminds_exactly_those_who_lack_something)
{
    int64_t id = collection(), people[4];
    json_t *accounts = json_array();
    static const char *const names[] = {"lacking@x.example", "started@x.example",
                                        "submitted@x.example", "withdrawn@x.example"};
    for (int i = 0; i < 4; i++) {
        people[i] = member(names[i]);
        json_array_append_new(accounts, json_integer(people[i]));
    }
    opened(id, "everyone", accounts);
    answer_by(id, people[1], json_pack("{s:s}", "desk", "3"), true);
    answer_with(id, people[2], "East 1", false);
    cr_assert_eq(invitation_withdraw(db, &command_line, invitation_of(id, people[3])),
                 OK);
    cr_assert_eq(due(), 0, "on the day that they were asked");
    test_sql(db, "update wave set opened_at = opened_at - interval '1 day';"
                 "update invitation set invited_at = invited_at - interval '1 day'");
    cr_assert_eq(due(), 2);
    cr_assert_eq(due(), 0, "twice");
    EXPECT("select string_agg(split_part(to_address, '@', 1), ' ' order by to_address) "
           "from mail where template = 'reminder'",
           "lacking started");
    EXPECT("select string_agg(distinct days::text, ' ') from reminder", "3");
    EXPECT("select bool_and(m.id is not null and m.due_at >= m.created_at and "
           "r.mail_id = m.id) from reminder r join mail m on m.id = r.mail_id",
           "true");
    days_pass(1); /* two days left: the third day's has been */
    cr_assert_eq(due(), 0);
    days_pass(1); /* one day left, two after the last one */
    cr_assert_eq(due(), 2);
    EXPECT("select min(reminders) filter (where state = 'invited') from invitation", "2");
    days_pass(1); /* the last day, and the cap is reached */
    test_sql(db, "update collection set remind_days = '{0}', remind_gap = 0");
    cr_assert_eq(due(), 0, "more than the most");
    test_sql(db, "update collection set remind_most = 9");
    cr_assert_eq(due(), 2);
    days_pass(1); /* over */
    test_sql(db, "update collection set remind_days = '{0,1,2,3}'");
    cr_assert_eq(due(), 0, "after the deadline");
    cr_assert_eq(invitation_extend(db, &command_line, invitation_of(id, people[0]),
                                   answered("select lab_today() + 2")),
                 OK);
    cr_assert_eq(due(), 1, "the one with an extension");
}

Test(asking, the_gap_between_reminders_is_kept)
{
    int64_t id = collection(), lin = member("lin@lab.example");
    json_t *outcomes;
    opened(id, "everyone", json_pack("[I]", lin));
    int64_t invitation = invitation_of(id, lin);
    json_t *ids = json_pack("[I,I]", invitation, (json_int_t)999999);
    cr_assert_eq(invitation_remind(&outcomes, db, &command_line, ids), OK);
    cr_assert_str_eq(text(json_array_get(outcomes, 0), "outcome"), "sent");
    cr_assert_str_eq(text(json_array_get(outcomes, 1), "outcome"), "not_found");
    cr_assert_eq(invitation_remind(&outcomes, db, &command_line, ids), OK);
    cr_assert_str_eq(text(json_array_get(outcomes, 0), "outcome"), "gap");
    days_pass(1);
    cr_assert_eq(due(), 0, "within the gap after one by hand");
    days_pass(1);
    cr_assert_eq(due(), 1);
    test_sql(db, "update collection set remind_gap = 0");
    cr_assert_eq(invitation_remind(&outcomes, db, &command_line, ids), OK);
    cr_assert_str_eq(text(json_array_get(outcomes, 0), "outcome"), "cap");
    answer_with(id, lin, "East 1", false);
    cr_assert_eq(invitation_remind(&outcomes, db, &command_line, ids), OK);
    cr_assert_str_eq(text(json_array_get(outcomes, 0), "outcome"), "not_lacking");
    cr_assert_eq(collection_set_state(db, &command_line, id, "open", "closed"), OK);
    test_sql(db, "update invitation set state = 'opened'");
    cr_assert_eq(invitation_remind(&outcomes, db, &command_line, ids), OK);
    cr_assert_str_eq(text(json_array_get(outcomes, 0), "outcome"), "closed");
    EXPECT("select count(*) from mail where template = 'reminder'", "2");
}

Test(asking, a_reminder_says_what_a_begun_answer_lacks)
{
    int64_t id = collection(), lin = member("lin@lab.example");
    json_t *outcomes;
    opened(id, "everyone", json_pack("[I]", lin));
    answer_by(id, lin, json_pack("{s:s}", "desk", "3"), true);
    int64_t invitation = invitation_of(id, lin);
    cr_assert_eq(
        invitation_remind(&outcomes, db, &command_line, json_pack("[I]", invitation)),
        OK);
    EXPECT("select body like '%office%' and body not like '%desk%' from mail where "
           "template = 'reminder'",
           "true");
}

static void *another_instance(void *data)
{
    struct db *own = db_new(data);
    int64_t *sent = calloc(1, sizeof *sent);
    struct arena *arena = arena_new();
    arena_enter(arena);
    for (int i = 0; i < 3; i++) {
        int64_t now = 0;
        if (reminders_due(&now, own) == OK)
            *sent += now;
    }
    db_free(own);
    arena_enter(NULL);
    arena_free(arena);
    return sent;
}

Test(asking, several_instances_at_once_remind_each_person_once)
{
    enum { PEOPLE = 40, INSTANCES = 4 };
    int64_t id = collection(), total = 0;
    json_t *accounts = json_array();
    for (int i = 0; i < PEOPLE; i++)
        json_array_append_new(
            accounts,
            json_integer(member(arena_print(arena_current(), "p%d@x.example", i))));
    opened(id, "everyone", accounts);
    test_sql(db, "update wave set opened_at = opened_at - interval '1 day';"
                 "update invitation set invited_at = invited_at - interval '1 day'");
    pthread_t threads[INSTANCES];
    for (int i = 0; i < INSTANCES; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, another_instance, db->conninfo),
                     0);
    for (int i = 0; i < INSTANCES; i++) {
        void *sent;
        pthread_join(threads[i], &sent);
        total += *(int64_t *)sent;
        free(sent);
    }
    cr_assert_eq(total, PEOPLE);
    EXPECT("select count(*) from mail where template = 'reminder'", "40");
    EXPECT("select max(reminders) from invitation", "1");
}
