/* The board's queries where the pages' tests don't look: days, time zones, and who is
 * shown when nobody has a name. */
#include "db/store/board.h"
#include "server/base/arena.h"
#include "server/base/document.h"
#include "tests/support/database.h"

#include <criterion/criterion.h>

/* `people` asked `days` days ago, where the lab is. */
static struct db *asked(int people, int days)
{
    struct db *db = test_lab_db();
    test_sql(db, "insert into lab (name_en, name_zh, time_zone) values ('L', 'L',"
                 " 'Asia/Shanghai');"
                 "insert into collection (kind, title_en, title_zh, state, definition,"
                 " deadline) values ('custom', 'T', 'T', 'open', '{}', lab_today() + 2);"
                 "insert into form_version (collection_id, number, definition)"
                 " values (1, 1, '{}');"
                 "insert into wave (collection_id, number, kind, form_version_id)"
                 " values (1, 1, 'pilot', 1)");
    test_sql(db, arena_print(
                     arena_current(),
                     "insert into account (email, email_folded) select 'm' || i ||"
                     " '@lab.example', 'm' || i || '@lab.example'"
                     " from generate_series(1, %d) i;"
                     "insert into invitation (collection_id, account_id, wave_id, pilot,"
                     " form_version_id, invited_at) select 1, id, 1, true, 1,"
                     " (lab_today() - %d)::timestamp at time zone 'Asia/Shanghai'"
                     " from account",
                     people, days));
    return db;
}

Test(board, days_are_those_of_the_lab_and_sums_never_fall)
{
    struct db *db = asked(5, 4);
    json_t *days, *day;
    size_t i;
    int64_t before = 0, opened = 0;
    /* Midnight there is a day earlier in UTC; a second before it is the day before. */
    test_sql(db, "update invitation set opened_at = (lab_today() - 2)::timestamp"
                 " at time zone 'Asia/Shanghai' where id in (1, 2);"
                 "update invitation set opened_at = (lab_today() - 2)::timestamp"
                 " at time zone 'Asia/Shanghai' - interval '1 second' where id = 3");
    cr_assert_eq(board_day_list(&days, db, 1), OK);
    cr_assert_eq(json_array_size(days), 7); /* four days, today, two to come */
    json_array_foreach(days, i, day)
    {
        cr_assert_eq(integer_at(day, "invited"), 5);
        cr_assert_geq(integer_at(day, "opened"), before);
        before = integer_at(day, "opened");
        cr_assert_eq(truth_at(day, "future"), i > 4);
        opened = i == 1 ? integer_at(day, "opened") : opened;
    }
    cr_assert_eq(opened, 1);
    cr_assert_eq(integer_at(json_array_get(days, 2), "opened"), 3);
    db_free(db);
}

Test(board, has_no_days_before_anybody_is_asked)
{
    struct db *db = asked(0, 0);
    json_t *days;
    cr_assert_eq(board_day_list(&days, db, 1), OK);
    cr_assert_eq(json_array_size(days), 0);
    db_free(db);
}

Test(board, has_no_more_days_than_a_chart_can_show)
{
    json_t *days;
    struct db *db = asked(1, 5000);
    cr_assert_eq(board_day_list(&days, db, 1), OK);
    cr_assert_eq(json_array_size(days), 400);
    db_free(db);
}

Test(board, shows_those_without_a_person_by_their_address_in_a_stable_order)
{
    struct db *db = asked(30, 1);
    json_t *all, *first, *second;
    struct board_filter filter = {.collection = 1, .limit = 30, .sort = "state"};
    cr_assert_eq(board_list(&all, db, &filter), OK);
    cr_assert_eq(json_array_size(all), 30);
    filter.limit = 15;
    cr_assert_eq(board_list(&first, db, &filter), OK);
    filter.offset = 15;
    cr_assert_eq(board_list(&second, db, &filter), OK);
    cr_assert_eq(json_array_extend(first, second), 0);
    cr_assert(json_equal(first, all));
    cr_assert_eq(integer_at(json_array_get(second, 0), "total"), 30);
    db_free(db);
}

Test(board, a_persons_latest_mail_counts_alone)
{
    struct db *db = asked(1, 1);
    json_t *people;
    test_sql(db, "insert into mail (message_id, template, language, invitation_id,"
                 " to_address, subject, body, state) values"
                 " ('a', 'invitation', 'en', 1, 'm', 's', 'b', 'bounced'),"
                 " ('b', 'reminder', 'en', 1, 'm', 's', 'b', 'sending')");
    struct board_filter filter = {.collection = 1, .mail = "trouble"};
    cr_assert_eq(board_list(&people, db, &filter), OK);
    cr_assert_eq(json_array_size(people), 0);
    filter.mail = "queued";
    cr_assert_eq(board_list(&people, db, &filter), OK);
    cr_assert_str_eq(text_at(json_array_get(people, 0), "mail_template", ""), "reminder");
    db_free(db);
}

Test(board, an_extension_stands_in_place_of_the_deadline)
{
    struct db *db = asked(2, 30);
    json_t *people;
    test_sql(db, "update collection set deadline = lab_today() - 1;"
                 "update invitation set extended_until = lab_today() where id = 2");
    struct board_filter filter = {.collection = 1, .sort = "until"};
    cr_assert_eq(board_list(&people, db, &filter), OK);
    cr_assert(truth_at(json_array_get(people, 0), "late"));
    cr_assert_not(truth_at(json_array_get(people, 1), "late"));
    db_free(db);
}
