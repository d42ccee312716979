/* Accounts and the ways to be one. Time is moved by changing the stored moments. */
#include "db/store/account.h"
#include "server/base/arena.h"
#include "tests/support/lab.h"

#include <pthread.h>
#include <string.h>

LAB_SUITE(account);

/* A hash, told apart by its first digit. */
static const char *hash(char digit)
{
    char *text = arena_alloc(arena_current(), 65);
    memset(text, digit, 64);
    text[64] = '\0';
    return text;
}

static int64_t account(const char *email, bool is_admin)
{
    json_t *made;
    struct new_account new_account = {
        .email = email, .admin = is_admin, .language = "zh"};
    cr_assert_eq(account_create(&made, db, &command_line, &new_account), OK);
    return number(made, "id");
}

Test(account, an_address_is_one_account_in_any_case)
{
    json_t *made;
    int64_t id = account("Lin.X@Lab.example", false);
    struct new_account again = {.email = "lin.x@lab.EXAMPLE", .language = "en"};
    cr_assert_eq(account_create(&made, db, &command_line, &again), CONFLICT);
    cr_assert_eq(account_by_email(&made, db, "LIN.x@lab.example"), OK);
    cr_assert_eq(number(made, "id"), id);
    cr_assert_str_eq(text(made, "email"), "Lin.X@Lab.example");
    cr_assert(json_is_false(json_object_get(made, "has_password")));
    cr_assert_eq(account_by_email(&made, db, "bo@lab.example"), NOT_FOUND);
}

Test(account, a_member_is_person_and_account_or_neither)
{
    json_t *made, *people;
    struct new_account lin = {.email = "lin@lab.example", .language = "en"};
    json_t *person = json_pack("{s:s}", "name_han", "林晓");
    cr_assert_eq(account_create_member(&made, db, &command_line, &lin, person, "form"),
                 OK);
    cr_assert_str_eq(text(made, "name_han"), "林晓");
    cr_assert_eq(account_create_member(&made, db, &command_line, &lin, person, "form"),
                 CONFLICT);
    cr_assert_eq(account_list(&people, db), OK);
    cr_assert_eq(json_array_size(people), 1);
    static const struct query count = {"test_people", "select count(*) as n from person",
                                       0, 0, 0};
    json_t *row;
    cr_assert_eq(db_row(&row, db, &count), OK);
    cr_assert_eq(number(row, "n"), 1);
    cr_assert_eq(account_of_person(&made, db, number(made, "person_id")), OK);
    cr_assert_str_eq(text(made, "email"), "lin@lab.example");
}

Test(account, sessions_end_as_promised)
{
    json_t *found;
    int64_t member = account("lin@lab.example", false),
            admin = account("a@b.example", true);
    cr_assert_eq(session_create(db, member, hash('a'), NULL, NULL), OK);
    cr_assert_eq(session_create(db, admin, hash('b'), NULL, NULL), OK);
    cr_assert_eq(session_find(&found, db, hash('a')), OK);
    cr_assert_eq(number(found, "id"), member);
    cr_assert_null(json_object_get(found, "unseen"));
    cr_assert_eq(session_find(&found, db, hash('c')), NOT_FOUND);
    /* Seen an hour ago: the end moves on. */
    test_sql(db, "update session set seen_at = now() - interval '1 hour', expires_at = "
                 "now() + interval '1 minute'");
    cr_assert_eq(session_find(&found, db, hash('b')), OK);
    static const struct query left = {"test_left",
                                      "select round(extract(epoch from expires_at - "
                                      "now()) / 3600) as hours from session "
                                      "where token_hash = decode($1, 'hex')",
                                      1, 0, 0};
    cr_assert_eq(db_row(&found, db, &left, hash('b')), OK);
    cr_assert_eq(number(found, "hours"), 12);
    /* But not beyond its absolute end. */
    test_sql(db, "update session set seen_at = now() - interval '1 hour', created_at = "
                 "now() - interval '6 days 22 hours'");
    cr_assert_eq(session_find(&found, db, hash('b')), OK);
    cr_assert_eq(db_row(&found, db, &left, hash('b')), OK);
    cr_assert_eq(number(found, "hours"), 2);
    test_sql(db, "update session set expires_at = now()");
    cr_assert_eq(session_find(&found, db, hash('a')), NOT_FOUND);
    cr_assert_eq(session_sweep(db), OK);
    cr_assert_eq(db_row(&found, db, &left, hash('b')), NOT_FOUND);
}

Test(account, signing_in_again_replaces_the_session)
{
    json_t *found;
    int64_t id = account("lin@lab.example", false);
    cr_assert_eq(session_create(db, id, hash('a'), NULL, NULL), OK);
    cr_assert_eq(session_create(db, id, hash('b'), hash('a'), NULL), OK);
    cr_assert_eq(session_find(&found, db, hash('a')), NOT_FOUND);
    cr_assert_eq(session_find(&found, db, hash('b')), OK);
    cr_assert_eq(session_end(db, hash('b')), OK);
    cr_assert_eq(session_find(&found, db, hash('b')), NOT_FOUND);
}

Test(account, disabling_shuts_every_door)
{
    json_t *found;
    const char *password;
    enum link_state state;
    int64_t id = account("lin@lab.example", true), link, token;
    cr_assert_eq(session_create(db, id, hash('a'), NULL, NULL), OK);
    cr_assert_eq(link_create(&link, db, &command_line, id, hash('b'), 24, NULL), OK);
    cr_assert_eq(token_create(&token, db, &command_line, id, "CI", hash('c'), true, 0),
                 OK);
    cr_assert_eq(account_set_password(db, &command_line, id, "$argon2id$x", hash('a')),
                 OK);
    cr_assert_eq(session_find(&found, db, hash('a')), OK);
    cr_assert_eq(token_find(&found, db, hash('c')), OK);
    cr_assert(json_is_true(json_object_get(found, "may_approve")));
    cr_assert_eq(account_set_disabled(db, &command_line, id, true), OK);
    cr_assert_eq(session_find(&found, db, hash('a')), NOT_FOUND);
    cr_assert_eq(token_find(&found, db, hash('c')), NOT_FOUND);
    cr_assert_eq(account_password(&id, &password, db, "lin@lab.example"), NOT_FOUND);
    cr_assert_eq(link_look(&state, &found, db, hash('b')), OK);
    cr_assert_eq(state, LINK_WITHDRAWN);
    cr_assert_eq(session_create(db, id, hash('d'), NULL, NULL), NOT_FOUND);
}

Test(account, rights_that_change_end_sessions)
{
    json_t *found;
    int64_t id = account("lin@lab.example", true), token;
    cr_assert_eq(session_create(db, id, hash('a'), NULL, NULL), OK);
    cr_assert_eq(token_create(&token, db, &command_line, id, "CI", hash('c'), true, 30),
                 OK);
    cr_assert_eq(account_set_admin(db, &command_line, id, false), OK);
    cr_assert_eq(session_find(&found, db, hash('a')), NOT_FOUND);
    cr_assert_eq(token_find(&found, db, hash('c')), OK);
    cr_assert(json_is_false(json_object_get(found, "may_approve")));
    cr_assert_eq(token_revoke(db, &command_line, token), OK);
    cr_assert_eq(token_revoke(db, &command_line, token), NOT_FOUND);
    cr_assert_eq(token_find(&found, db, hash('c')), NOT_FOUND);
    cr_assert_eq(token_list(&found, db, id), OK);
    cr_assert_eq(json_array_size(found), 1);
    cr_assert_eq(account_set_language(db, id, "en"), OK);
}

static enum link_state look(char digit)
{
    enum link_state state;
    json_t *found;
    cr_assert_eq(link_look(&state, &found, db, hash(digit)), OK);
    cr_assert_eq(found != NULL, state != LINK_UNKNOWN);
    return state;
}

Test(account, a_link_tells_why_it_is_no_good)
{
    json_t *found;
    enum link_state state;
    int64_t id = account("lin@lab.example", false), link;
    cr_assert_eq(link_create(&link, db, &command_line, id, hash('a'), 24, NULL), OK);
    cr_assert_eq(look('a'), LINK_GOOD);
    cr_assert_eq(look('a'), LINK_GOOD);
    cr_assert_eq(link_create(&link, db, &command_line, id, hash('b'), 24, NULL), OK);
    cr_assert_eq(look('a'), LINK_WITHDRAWN); /* by the newer one */
    cr_assert_eq(link_redeem(&state, &found, db, hash('b'), "r1"), OK);
    cr_assert_eq(state, LINK_GOOD);
    cr_assert_eq(number(found, "id"), id);
    cr_assert_eq(link_redeem(&state, &found, db, hash('b'), "r1"), OK);
    cr_assert_eq(state, LINK_USED);
    cr_assert_null(found);
    cr_assert_eq(link_create(&link, db, &command_line, id, hash('c'), 24, NULL), OK);
    test_sql(db, "update sign_in_link set expires_at = now() where redeemed_at is null");
    cr_assert_eq(look('c'), LINK_EXPIRED);
    cr_assert_eq(look('d'), LINK_UNKNOWN);
    cr_assert_eq(link_withdraw(db, &command_line, link), OK);
    cr_assert_eq(look('c'), LINK_WITHDRAWN);
    cr_assert_eq(link_list(&found, db, id), OK);
    cr_assert_str_eq(text(json_array_get(found, 1), "state"), "used");
    cr_assert_eq(event_of(&found, db, "account", id, 20), OK);
    cr_assert_str_eq(text(json_array_get(found, 0), "action"), "sign_in_link.withdrawn");
}

static void *redeem(void *data)
{
    struct arena *arena = arena_new();
    arena_enter(arena);
    struct db *own = db_new(test_lab());
    json_t *found;
    if (link_redeem(data, &found, own, hash('a'), NULL) != OK)
        *(enum link_state *)data = LINK_UNKNOWN;
    db_free(own);
    arena_enter(NULL);
    arena_free(arena);
    return NULL;
}

Test(account, of_several_who_redeem_at_once_one_gets_in)
{
    enum { VISITORS = 6 };
    int64_t link, id = account("lin@lab.example", false);
    cr_assert_eq(link_create(&link, db, &command_line, id, hash('a'), 24, NULL), OK);
    pthread_t threads[VISITORS];
    enum link_state states[VISITORS];
    int good = 0, used = 0;
    for (int i = 0; i < VISITORS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, redeem, &states[i]), 0);
    for (int i = 0; i < VISITORS; i++) {
        pthread_join(threads[i], NULL);
        good += states[i] == LINK_GOOD;
        used += states[i] == LINK_USED;
    }
    cr_assert_eq(good, 1);
    cr_assert_eq(used, VISITORS - 1);
}

Test(account, attempts_are_counted_by_window)
{
    int attempts, left;
    for (int i = 1; i <= 3; i++) {
        cr_assert_eq(rate_hit(&attempts, &left, db, "sign_in 192.0.2.1", 600), OK);
        cr_assert_eq(attempts, i);
        cr_assert(left > 590 && left <= 600);
    }
    cr_assert_eq(rate_hit(&attempts, &left, db, "sign_in 192.0.2.2", 600), OK);
    cr_assert_eq(attempts, 1);
    test_sql(db, "update rate set resets_at = now()");
    cr_assert_eq(rate_hit(&attempts, &left, db, "sign_in 192.0.2.1", 600), OK);
    cr_assert_eq(attempts, 1);
    cr_assert_eq(rate_clear(db, "sign_in 192.0.2.1"), OK);
}
