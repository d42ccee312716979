/* The outbox: ordering, the worker's leases, what an admin may do, and bounces. */
#include "db/store/account.h"
#include "db/store/mail.h"
#include "server/base/buf.h"
#include "server/guard/token.h"
#include "tests/support/lab.h"
#include "tests/support/mail.h"

#include <criterion/criterion.h>
#include <string.h>

static struct db *db;

static void open_mail(void)
{
    db = test_lab_db();
    mail_test_open();
    test_sql(
        db,
        "insert into lab (name_en, name_zh) values ('Tidal Lab', '潮汐实验室')"
        " on conflict (id) do update set name_en = excluded.name_en,"
        "  name_zh = excluded.name_zh;"
        "insert into person (slug, given_latin, family_latin, name_han)"
        " values ('xiao-lin', 'Xiao', 'Lin', '林晓');"
        "insert into account (email, email_folded, language, person_id)"
        " values ('xiao@lab.example', 'xiao@lab.example', 'zh', 1),"
        "  ('ann@lab.example', 'ann@lab.example', 'en', null);"
        "insert into collection (kind, title_en, title_zh, deadline, definition, state)"
        " values ('custom', 'Profile 2027', '2027 年信息', current_date + 9, '{}',"
        "  'open');"
        "insert into form_version (collection_id, number, definition)"
        " values (1, 1, '{}');"
        "insert into wave (collection_id, number, kind, form_version_id)"
        " values (1, 1, 'everyone', 1);"
        "insert into invitation (collection_id, account_id, wave_id, pilot,"
        "  form_version_id) values (1, 1, 1, false, 1), (1, 2, 1, false, 1);");
}

static void close_mail(void)
{
    mail_test_close();
    db_free(db);
}

TestSuite(mail, .init = open_mail, .fini = close_mail);

static struct mail_order order_of(const char *template, int64_t account)
{
    return (struct mail_order){.template = template,
                               .account = account,
                               .collection = 1,
                               .invitation = account,
                               .next = "/my/collections/1",
                               .link_hours = 72};
}

static json_t *ordered(struct mail_order order)
{
    int64_t id;
    json_t *mail;
    cr_assert_eq(mail_order(&id, db, &command_line, &order), OK, "%s", db->problem);
    cr_assert_eq(mail_find(&mail, db, id), OK);
    return mail;
}

static int64_t counted(const char *sql)
{
    static int number; /* the connection keeps what it has prepared */
    struct query *query = ARENA_NEW(arena_current(), struct query);
    json_t *row;
    query->name = arena_print(arena_current(), "test_count_%d", ++number);
    query->sql = sql;
    cr_assert_eq(db_row(&row, db, query), OK, "%s", db->problem);
    return integer_at(row, "n");
}

Test(mail, is_written_in_the_language_of_its_reader_with_the_link_left_open)
{
    json_t *mail = ordered(order_of("invitation", 1));
    cr_expect_str_eq(text(mail, "subject"), "请填写：2027 年信息");
    cr_expect_str_eq(text(mail, "to_name"), "林晓");
    cr_expect_str_eq(text(mail, "to_address"), "xiao@lab.example");
    cr_expect(strstr(text(mail, "body"), "林晓，您好！\n") == text(mail, "body"));
    cr_expect_not_null(strstr(text(mail, "body"), "\n{{link}}\n"));
    cr_expect_not_null(strstr(text(mail, "body"), "{{code}}"));
    cr_expect_null(strstr(text(mail, "body"), text(mail, "secret")));
    cr_expect_not_null(strstr(text(mail, "body"), "（Asia/Shanghai 时间）"));
    mail = ordered(order_of("invitation", 2));
    cr_expect_str_eq(text(mail, "subject"), "Please fill in: Profile 2027");
    cr_expect(strstr(text(mail, "body"), "Hello,\n") == text(mail, "body"));
    /* The token is there as a hash alone, once the mail is out. */
    cr_expect_eq(counted("select count(*)::int as n from sign_in_link where mailed"
                         " and next = '/my/collections/1' and invitation_id is not null"
                         " and code_hash is not null"),
                 2);
}

static void expect_words(const char *prefix, const char *name)
{
    const char *key = arena_print(arena_current(), "%s%s", prefix, name);
    cr_expect(view_has_message(mail_view(), key), "no message %s", key);
}

Test(mail, every_placeholder_is_explained_and_has_an_example)
{
    for (size_t i = 0; i < mail_kind_count; i++)
        for (const char *at = mail_kinds[i].placeholders; *at; at += strspn(at, " ")) {
            size_t length = strcspn(at, " ");
            const char *name = arena_copy(arena_current(), at, length);
            expect_words("mail_text.about.", name);
            if (strcmp(name, "link") != 0 && strcmp(name, "code") != 0)
                expect_words("mail.example.", name);
            at += length;
        }
}

Test(mail, of_every_kind_has_words_in_both_languages)
{
    json_t *values = json_pack("{s:[s,s],s:s,s:s}", "missing", "Photo", "ORCID",
                               "comment", "Two\nlines.", "address", "x@mail.example");
    for (size_t i = 0; i < mail_kind_count; i++)
        for (int64_t account = 1; account <= 2; account++) {
            struct mail_order order = order_of(mail_kinds[i].name, account);
            order.values = values;
            json_t *mail = ordered(order);
            cr_expect_neq(text(mail, "subject")[0], '\0');
            cr_expect_eq(strstr(text(mail, "body"), "{{link}}") != NULL,
                         mail_kinds[i].linked ||
                             strcmp(mail_kinds[i].name, "approved") == 0,
                         "%s", mail_kinds[i].name);
            cr_expect_null(strstr(text(mail, "body"), "\n\n\n"), "%s\n%s",
                           mail_kinds[i].name, text(mail, "body"));
            struct mail_words original;
            json_t *errors;
            cr_assert_eq(mail_text_original(&original, &mail_kinds[i],
                                            account == 1 ? CHINESE : ENGLISH),
                         OK);
            enum result checked =
                mail_text_check(&errors, &mail_kinds[i], original.subject, original.body);
            cr_expect_eq(checked, OK, "%s: %s", mail_kinds[i].name,
                         json_dumps(errors, 0));
        }
}

Test(mail, without_a_next_page_has_no_link)
{
    struct mail_order order = order_of("approved", 2);
    order.next = NULL;
    json_t *mail = ordered(order);
    cr_expect_null(text_of(mail, "secret"));
    cr_expect_null(strstr(text(mail, "body"), "{{"));
    cr_expect_eq(counted("select count(*)::int as n from sign_in_link"), 0);
}

Test(mail, takes_no_value_for_its_link_and_no_line_end_in_a_line)
{
    test_sql(db, "update person set name_han = E'林\\r\\nBcc: a@evil.example {{link}}'");
    json_t *mail = ordered(order_of("invitation", 1));
    cr_expect_str_eq(text(mail, "to_name"), "林 Bcc: a@evil.example {{link}}");
    const char *first = strstr(text(mail, "body"), "{{link}}");
    cr_assert_not_null(first);
    cr_expect_null(strstr(first + 1, "{{link}}"));
    cr_expect_not_null(
        strstr(text(mail, "body"), "林 Bcc: a@evil.example { {link}}，您好"));
}

Test(mail, of_the_collection_has_its_own_words_before_those_of_the_lab)
{
    cr_assert_eq(
        mail_text_save(db, &command_line, "invitation", "en", 0, 0, "Lab's", "{{link}}"),
        OK);
    cr_expect_str_eq(text(ordered(order_of("invitation", 2)), "subject"), "Lab's");
    cr_assert_eq(mail_text_save(db, &command_line, "invitation", "en", 1, 0,
                                "For {{collection}}", "{{name}}{{link}}"),
                 OK);
    cr_expect_str_eq(text(ordered(order_of("invitation", 2)), "subject"),
                     "For Profile 2027");
    cr_expect_eq(mail_text_save(db, &command_line, "invitation", "en", 1, 0, "x", "y"),
                 CONFLICT);
    cr_expect_eq(mail_text_save(db, &command_line, "invitation", "en", 1, 1, "x", "y"),
                 OK);
    cr_expect_eq(mail_text_drop(db, &command_line, "invitation", "en", 1, 1), CONFLICT);
    cr_expect_eq(mail_text_drop(db, &command_line, "invitation", "en", 1, 2), OK);
    cr_expect_str_eq(text(ordered(order_of("invitation", 2)), "subject"), "Lab's");
}

static json_t *taken(void)
{
    json_t *mail;
    cr_assert_eq(mail_take(&mail, db, 300), OK, "%s", db->problem);
    return mail;
}

Test(mail, is_leased_to_one_and_comes_again_with_the_same_id_when_the_lease_ends)
{
    ordered(order_of("receipt", 1));
    json_t *first = taken(), *none;
    cr_expect_eq(mail_take(&none, db, 300), NOT_FOUND);
    test_sql(db, "update mail set leased_until = now() - interval '1 second'");
    json_t *second = taken();
    cr_expect_str_eq(text(second, "message_id"), text(first, "message_id"));
    cr_expect_str_eq(text(second, "secret"), text(first, "secret"));
    /* Who held the first lease comes late. */
    cr_assert_eq(mail_settle(db, first, MAIL_FAILED, "550 no", 0), OK);
    cr_expect_eq(counted("select count(*)::int as n from mail where state = 'sending'"),
                 1);
    cr_assert_eq(mail_settle(db, second, MAIL_SENT, NULL, 0), OK);
    cr_expect_eq(counted("select count(*)::int as n from mail where state = 'sent'"
                         " and secret is null and sent_at is not null"),
                 1);
}

Test(mail, that_nobody_needs_any_more_is_found_out_when_it_goes_out)
{
    static const struct {
        const char *template, *before, *unwanted;
    } cases[] = {
        {"reminder",   "update invitation set state = 'started'",                          ""          },
        {"reminder",   "update invitation set state = 'submitted'",                        "not_needed"},
        {"reminder",   "update invitation set state = 'withdrawn'",                        "not_needed"},
        {"invitation", "update invitation set state = 'withdrawn'",                        "not_needed"},
        {"invitation", "update invitation set state = 'invited'",                          ""          },
        {"reminder",   "update collection set state = 'closed'",                           "not_needed"},
        {"reminder",   "update collection set state = 'open', deadline = lab_today() - 1",
         "not_needed"                                                                                  },
        {"reminder",   "update invitation set extended_until = lab_today()",               ""          },
        {"reminder",   "update invitation set stopped_at = now()",                         "stopped"   },
        {"invitation", "update account set disabled_at = now()",                           "disabled"  },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ordered(order_of(cases[i].template, 2));
        test_sql(db, cases[i].before);
        json_t *mail = taken();
        cr_expect_str_eq(text(mail, "unwanted"), cases[i].unwanted, "case %zu: %s", i,
                         cases[i].before);
        cr_assert_eq(mail_settle(db, mail, MAIL_UNWANTED, "not_needed", 0), OK);
    }
    cr_expect_eq(counted("select count(*)::int as n from mail"
                         " where state <> 'cancelled' or secret is not null"),
                 0);
    cr_expect_eq(counted("select count(*)::int as n from sign_in_link"
                         " where withdrawn_at is null"),
                 0);
}

Test(mail, to_a_disabled_account_never_waits)
{
    test_sql(db, "update account set disabled_at = now() where id = 2");
    json_t *mail = ordered(order_of("invitation", 2)), *none;
    cr_expect_str_eq(text(mail, "state"), "cancelled");
    cr_expect_str_eq(text(mail, "reason"), "disabled");
    cr_expect_eq(mail_take(&none, db, 300), NOT_FOUND);
}

Test(mail, is_edited_at_the_version_that_was_seen_and_before_it_goes)
{
    int64_t id = integer_at(ordered(order_of("invitation", 2)), "id"), done;
    json_t *ids = json_pack("[I]", id);
    cr_expect_eq(mail_edit(db, &command_line, id, 1, "Other", "{{link}}"), OK);
    cr_expect_eq(mail_edit(db, &command_line, id, 1, "Third", "{{link}}"), CONFLICT);
    cr_assert_eq(mail_do(&done, db, &command_line, MAIL_HOLD, ids), OK);
    cr_expect_eq(done, 1);
    cr_expect_eq(mail_edit(db, &command_line, id, 3, "Held", "{{link}}"), OK);
    cr_assert_eq(mail_do(&done, db, &command_line, MAIL_RELEASE, ids), OK);
    json_t *mail = taken();
    cr_expect_str_eq(text(mail, "subject"), "Held");
    cr_expect_eq(mail_edit(db, &command_line, id, 5, "Late", "{{link}}"), CONFLICT);
    cr_assert_eq(mail_do(&done, db, &command_line, MAIL_CANCEL, ids), OK);
    cr_expect_eq(done, 0);
    cr_expect_eq(mail_resend(&id, db, &command_line, mail), CONFLICT);
}

Test(mail, sent_again_is_a_new_one_with_a_new_link)
{
    int64_t id = integer_at(ordered(order_of("receipt", 2)), "id"), again;
    json_t *first, *second;
    cr_assert_eq(mail_settle(db, taken(), MAIL_SENT, NULL, 0), OK);
    cr_assert_eq(mail_find(&first, db, id), OK);
    cr_assert_eq(mail_resend(&again, db, &command_line, first), OK);
    cr_assert_eq(mail_find(&second, db, again), OK);
    cr_expect_str_neq(text(second, "message_id"), text(first, "message_id"));
    cr_expect_str_eq(text(second, "body"), text(first, "body"));
    cr_expect_str_eq(text(second, "next"), "/my/collections/1");
    cr_expect_eq(integer_at(second, "link_hours"), 72);
    cr_expect_not_null(text_of(second, "secret"));
}

Test(mail, that_failed_keeps_its_link_for_another_try)
{
    int64_t id = integer_at(ordered(order_of("receipt", 2)), "id");
    json_t *mail = taken();
    cr_assert_eq(mail_settle(db, mail, MAIL_FAILED, "550 no such user", 0), OK);
    cr_expect_eq(mail_retry(db, &command_line, id), OK);
    json_t *again = taken();
    cr_expect_str_eq(text(again, "message_id"), text(mail, "message_id"));
    cr_expect_str_eq(text(again, "secret"), text(mail, "secret"));
    cr_assert_eq(mail_settle(db, again, MAIL_SENT, NULL, 0), OK);
    cr_expect_eq(mail_retry(db, &command_line, id), CONFLICT);
}

Test(mail, that_came_back_marks_the_address)
{
    json_t *mail = ordered(order_of("receipt", 2));
    cr_assert_eq(mail_settle(db, taken(), MAIL_SENT, NULL, 0), OK);
    cr_expect_eq(mail_bounced(db, "labd.other@lab.example", "x"), NOT_FOUND);
    cr_expect_eq(mail_bounced(db, text(mail, "message_id"), "5.1.1 no such user"), OK);
    cr_expect_eq(counted("select count(*)::int as n from mail where state = 'bounced'"
                         " and reason = '5.1.1 no such user'"),
                 1);
    cr_expect_eq(counted("select count(*)::int as n from account"
                         " where bounced_at is not null and id = 2"),
                 1);
}

Test(mail, is_stopped_by_the_token_that_its_secret_makes)
{
    json_t *mail = ordered(order_of("reminder", 2)), *about;
    const char *token = token_derive(arena_current(), text(mail, "secret"), "labd stop");
    const char *hash = token_hash(arena_current(), token);
    cr_assert_eq(mail_stop_look(&about, db, hash), OK);
    cr_expect_not(truth_at(about, "stopped"));
    cr_assert_eq(mail_stop(db, hash, true), OK);
    cr_expect_str_eq(text(taken(), "unwanted"), "stopped");
    cr_assert_eq(mail_stop(db, hash, false), OK);
    cr_expect_eq(mail_stop(db, token_hash(arena_current(), "another"), true), NOT_FOUND);
}

Test(mail, previews_show_no_secret_and_write_nothing)
{
    struct mail_order order = order_of("invitation", 1);
    json_t *mail;
    cr_assert_eq(mail_preview(&mail, db, &order), OK);
    cr_expect_not_null(strstr(text(mail, "body"), "/sign-in/link/…"));
    cr_expect_not_null(strstr(text(mail, "html"), "<p style"));
    cr_expect_eq(counted("select count(*)::int as n from mail"), 0);
    cr_expect_eq(counted("select count(*)::int as n from sign_in_link"), 0);
}

Test(mail, codes_are_read_however_they_are_typed)
{
    const char *secret = token_new(arena_current()), *code = mail_code(secret);
    cr_assert_eq(strlen(code), 9);
    cr_expect_eq(code[4], '-');
    const char *hash = mail_code_hash(7, code);
    char typed[16];
    snprintf(typed, sizeof typed, " %.4s%s ", code, code + 5);
    for (char *at = typed; *at != '\0'; at++)
        *at = *at == '0' ? 'o' : *at == '1' ? 'l' : (char)(*at | (*at >= 'A' ? 0x20 : 0));
    cr_expect_str_eq(mail_code_hash(7, typed), hash);
    cr_expect_str_neq(mail_code_hash(8, code), hash);
}
