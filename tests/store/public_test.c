/* What a visitor can read, and what not; how the filters of the list combine. */
#include "db/connection.h"
#include "db/query.h"
#include "db/store/public.h"
#include "server/base/arena.h"
#include "server/base/buf.h"
#include "tests/support/database.h"

#include <criterion/criterion.h>
#include <string.h>

static const char content[] =
    "insert into person (slug, given_latin, family_latin, name_han, email, phone, office,"
    " biography_en, visibility) values"
    " ('xiao-lin', 'Xiao', 'Lin', '林晓', 'x@a.example', '+86 1', 'W 1', 'Bio',"
    "  '{\"email\": \"public\", \"office\": \"admins\"}'),"
    " ('bo-ouyang', 'Bo', 'Ouyang', '欧阳博', 'b@a.example', '+86 2', 'W 2', 'Bio',"
    "  '{\"biography\": \"members\"}'),"
    " ('wei-tang', 'Wei', 'Tang', null, null, null, null, null, '{}'),"
    " ('not-yet', 'Not', 'Yet', null, null, null, null, null, '{}');"
    "insert into appointment (person_id, position, role, starts, ends)"
    " select id, 0, 'phd', date '2015-09-01', date '2020-07-01' from person"
    "  where slug = 'bo-ouyang'"
    " union all select id, 1, 'faculty', date '2021-01-01', null from person"
    "  where slug = 'bo-ouyang'"
    " union all select id, 0, 'phd', date '2018-09-01', date '2022-07-01' from person"
    "  where slug = 'wei-tang'"
    " union all select id, 0, 'phd', lab_today() + 30, null from person"
    "  where slug = 'not-yet';"
    "insert into publication (slug, kind, title, title_folded, year, month, search)"
    " values ('ferry', 'conference', 'Ferry', 'ferry', 2026, 11,"
    "  '100% of mullers pages_missed c:\\temp'),"
    " ('cache', 'article', '缓存', '缓存', 2025, 3, '缓存一致性协议的形式化验证 "
    "计算机学报'),"
    " ('warp', 'conference', 'Warp', 'warp', 2025, 3, 'a cost model for warp stalls'),"
    " ('old', 'article', 'Old', 'old', null, null, 'an undated model');"
    "insert into authorship (publication_id, position, name, folded, person_id)"
    " select w.id, 0, 'X. Lin', '', p.id from publication w, person p"
    "  where p.slug = 'xiao-lin' and w.slug in ('ferry', 'warp')"
    " union all select w.id, 1, 'Somebody', '', null from publication w where slug = "
    "'ferry';";

static struct db *db_with_content(void)
{
    struct db *db = test_lab_db();
    test_sql(db, content);
    db_public_only(db, true);
    return db;
}

/* The slugs found, in their order. */
static const char *found(struct db *db, struct public_works_filter filter)
{
    json_t *works, *work;
    size_t i;
    struct buf slugs = buf_on(arena_current());
    if (filter.limit == 0)
        filter.limit = 10;
    cr_assert_eq(public_works(&works, db, &filter), OK);
    json_array_foreach(works, i, work)
        buf_print(&slugs, "%s%s", i > 0 ? " " : "",
                  json_string_value(json_object_get(work, "slug")));
    return slugs.data;
}

Test(public, contact_data_shows_only_where_its_owner_says_so)
{
    struct db *db = db_with_content();
    json_t *person;
    cr_assert_eq(public_person(&person, db, "xiao-lin"), OK);
    cr_assert_str_eq(json_string_value(json_object_get(person, "email")), "x@a.example");
    cr_assert(json_is_null(json_object_get(person, "phone")));
    cr_assert(json_is_null(json_object_get(person, "office")));
    cr_assert_str_eq(json_string_value(json_object_get(person, "biography_en")), "Bio");
    cr_assert_eq(public_person(&person, db, "bo-ouyang"), OK);
    cr_assert(json_is_null(json_object_get(person, "email")));
    cr_assert(json_is_null(json_object_get(person, "biography_en")));
    cr_assert_null(strstr(json_dumps(person, 0), "+86"));
    cr_assert_eq(public_person(&person, db, "nobody"), NOT_FOUND);
    db_free(db);
}

Test(public, people_stand_by_role_then_alumni_and_the_future_waits)
{
    struct db *db = db_with_content();
    json_t *people, *person;
    size_t i;
    struct buf slugs = buf_on(arena_current());
    cr_assert_eq(public_people(&people, db), OK);
    json_array_foreach(people, i, person)
        buf_print(&slugs, "%s%s ", json_string_value(json_object_get(person, "slug")),
                  json_is_true(json_object_get(person, "alumnus")) ? "*" : "");
    cr_assert_str_eq(slugs.data, "bo-ouyang xiao-lin wei-tang* ");
    cr_assert_eq(
        json_integer_value(json_object_get(json_array_get(people, 0), "from_year")),
        2015);
    db_free(db);
}

Test(public, works_are_newest_first_and_filters_combine)
{
    struct db *db = db_with_content();
    cr_assert_str_eq(found(db, (struct public_works_filter){0}), "ferry warp cache old");
    cr_assert_str_eq(found(db, (struct public_works_filter){.kind = "conference"}),
                     "ferry warp");
    cr_assert_str_eq(found(db, (struct public_works_filter){.person = "xiao-lin"}),
                     "ferry warp");
    cr_assert_str_eq(found(db, (struct public_works_filter){.from = 2025, .to = 2025}),
                     "warp cache");
    cr_assert_str_eq(found(db, (struct public_works_filter){.text = "model"}),
                     "warp old");
    cr_assert_str_eq(
        found(db, (struct public_works_filter){.text = "model", .kind = "article"}),
        "old");
    cr_assert_str_eq(found(db, (struct public_works_filter){.person = "xiao-lin",
                                                            .text = "a model",
                                                            .from = 2025}),
                     "warp");
    cr_assert_str_eq(found(db, (struct public_works_filter){.person = "nobody"}), "");
    db_free(db);
}

/* A list and a file of the same works have the same ones. */
static void both(struct db *db, const char *expected, struct public_works_filter filter)
{
    json_t *entries;
    struct buf slugs = buf_on(arena_current());
    cr_expect_str_eq(found(db, filter), expected);
    filter.limit = 10;
    cr_assert_eq(public_work_entries(&entries, db, &filter), OK);
    for (size_t e = 0; e < json_array_size(entries); e++)
        buf_print(&slugs, "%s%s", e > 0 ? " " : "",
                  json_string_value(json_object_get(json_array_get(entries, e), "slug")));
    cr_expect_str_eq(slugs.data, expected);
}

Test(public, of_one_date_weight_comes_first_and_then_the_title)
{
    struct db *db = test_lab_db();
    test_sql(
        db,
        "insert into publication (slug, kind, title, title_folded, year, month, weight,"
        " search) values ('b', 'article', 'B', 'b', 2024, 5, 0, 'x'),"
        " ('a', 'article', 'A', 'a', 2024, 5, 0, 'x'),"
        " ('heavy', 'article', 'Z', 'z', 2024, 5, 9, 'x'),"
        " ('light', 'article', '0', '0', 2024, 5, -9, 'x'),"
        " ('bare', 'article', '0', '0', 2024, null, 1000, 'x'),"
        " ('later', 'article', 'Y', 'y', 2024, 6, -1000, 'x'),"
        " ('before', 'article', 'Y', 'y', 2023, 12, 1000, 'x'),"
        " ('same', 'article', 'A', 'a', 2024, 5, 0, 'x')");
    const char *all = "later heavy a same b light bare before";
    both(db, all, (struct public_works_filter){0});
    both(db, all, (struct public_works_filter){.kind = "article"});
    both(db, all, (struct public_works_filter){.text = "x"});
    both(db, all, (struct public_works_filter){.from = 2000, .to = 2030});
    cr_assert_str_eq(found(db, (struct public_works_filter){.from = 2024}),
                     "later heavy a same b light bare");
    cr_assert_str_eq(found(db, (struct public_works_filter){.to = 2023}), "before");
    db_free(db);
}

static const char lists[] =
    "update publication set venue = 'Proc. of the 12th Symposium on Ferries (SoF ''26)',"
    " selected = true where slug = 'ferry';"
    "update publication set venue = 'SOF' where slug = 'warp';"
    "update publication set venue = 'Elsewhere' where slug = 'cache';"
    "insert into venue (slug, name, short_name, rank)"
    " values ('sof', 'Symposium on Ferries', 'SoF', 'CCF-B');"
    "insert into venue_alias (key, venue_id, name) select venue_key(n), id, n"
    " from venue, unnest(array[name, short_name]) n;"
    "insert into topic (slug, kind, name_en, name_zh) values ('water', 'topic', 'Water',"
    " '水'), ('boat', 'project', 'Boat', '船');"
    "insert into publication_topic select p.id, t.id, 1 from publication p, topic t"
    " where (p.slug, t.slug) in (('ferry', 'water'), ('old', 'water'), ('ferry', 'boat'),"
    " ('cache', 'boat'))";

Test(public, topics_projects_venues_and_the_selected_narrow_and_combine)
{
    struct db *db = test_lab_db();
    test_sql(db, content);
    test_sql(db, lists);
    db_public_only(db, true);
    both(db, "ferry old", (struct public_works_filter){.topic = "water"});
    both(db, "ferry cache", (struct public_works_filter){.project = "boat"});
    both(db, "ferry", (struct public_works_filter){.topic = "water", .project = "boat"});
    both(db, "ferry warp", (struct public_works_filter){.venue = "sof"});
    both(db, "warp", (struct public_works_filter){.venue = "sof", .to = 2025});
    both(db, "", (struct public_works_filter){.venue = "sof", .kind = "article"});
    both(db, "warp", (struct public_works_filter){.venue = "sof", .text = "model"});
    both(db, "ferry warp",
         (struct public_works_filter){.venue = "sof", .person = "xiao-lin"});
    both(db, "ferry", (struct public_works_filter){.venue = "sof", .topic = "water"});
    both(db, "", (struct public_works_filter){.venue = "nowhere"});
    both(db, "ferry", (struct public_works_filter){.selected = true});
    both(db, "ferry",
         (struct public_works_filter){
             .selected = true, .venue = "sof", .text = "mullers"});
    both(db, "", (struct public_works_filter){.selected = true, .kind = "article"});
    both(db, "ferry", (struct public_works_filter){.selected = true, .project = "boat"});
    both(db, "ferry", (struct public_works_filter){.topic = "water", .from = 1900});
    db_free(db);
}

Test(public, texts_of_one_venue_have_one_key)
{
    struct db *db = test_lab_db();
    static const char *const same[][2] = {
        {"Proceedings of the 2024 ACM Conference on Data",   "ACM Conference on Data"},
        {"In Proc. 27th Annual Symposium on X (SX'24)",      "Symposium on X"        },
        {"Proceedings of the Twenty-Seventh Symposium on X", "symposium on x"        },
        {"Computers & Graphics",                             "Computers and Graphics"},
        {"Théorie Générale",                              "theorie generale"      },
        {"第十二届中国计算机大会",                "中国计算机大会" },
        {"计算机学报（中文版）",                   "计算机学报"       },
    };
    json_t *row;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        static const struct query keys = {
            "keys", "select venue_key($1) as one, venue_key($2) as other", 2, 0, 0,
            false};
        cr_assert_eq(db_row(&row, db, &keys, same[i][0], same[i][1]), OK);
        cr_expect_str_eq(json_string_value(json_object_get(row, "one")),
                         json_string_value(json_object_get(row, "other")), "%s",
                         same[i][0]);
    }
    db_free(db);
}

Test(public, text_is_found_folded_in_parts_and_taken_literally)
{
    struct db *db = db_with_content();
    static const struct {
        const char *text, *found;
    } cases[] = {
        {"缓存",              "cache"               },
        {"一致性 学报",    "cache"               },
        {"形",                 "cache"               },
        {"MÜLLER",             "ferry"               },
        {"ｗａｒｐ",        "warp"                },
        {"100%",                "ferry"               },
        {"1%f",                 ""                    },
        {"s_m",                 "ferry"               },
        {"s_missed page",       "ferry"               },
        {"w_rp",                ""                    },
        {"c:\\temp",            "ferry"               },
        {"\\",                  "ferry"               },
        {"' or true --",        ""                    },
        {"\"},{\"",             ""                    },
        {"   ",                 "ferry warp cache old"},
        {"\xff\xfe",            "ferry warp cache old"},
        {"a b c d e f g h i j", ""                    },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_assert_str_eq(found(db, (struct public_works_filter){.text = cases[i].text}),
                         cases[i].found, "%s", cases[i].text);
    db_free(db);
}

Test(public, pages_follow_one_another_without_gap_or_repetition)
{
    struct db *db = db_with_content();
    struct public_works_filter filter = {.limit = 1};
    struct buf slugs = buf_on(arena_current());
    for (int i = 0; i < 4; i++) {
        json_t *works;
        cr_assert_eq(public_works(&works, db, &filter), OK);
        cr_assert_eq(json_array_size(works), 1);
        json_t *work = json_array_get(works, 0);
        json_int_t left = json_integer_value(json_object_get(work, "found"));
        cr_assert_eq(left, i == 0 ? 4 : i == 3 ? 1 : 2);
        buf_print(&slugs, "%s ", json_string_value(json_object_get(work, "slug")));
        filter.after = json_integer_value(json_object_get(work, "id"));
    }
    cr_assert_str_eq(slugs.data, "ferry warp cache old ");
    cr_assert_str_eq(found(db, filter), "");
    db_free(db);
}

Test(public, choices_are_what_works_have)
{
    struct db *db = db_with_content();
    json_t *choices, *entries;
    cr_assert_eq(public_work_choices_of(&choices, db), OK);
    cr_assert_str_eq(json_dumps(choices, JSON_COMPACT),
                     "{\"years\":[2026,2025],\"kinds\":[\"article\",\"conference\"],"
                     "\"people\":[{\"slug\":\"xiao-lin\",\"name_latin\":\"Xiao Lin\","
                     "\"name_han\":\"林晓\"}],\"topics\":[],\"venues\":[],"
                     "\"selected\":false}");
    struct public_works_filter filter = {
        .person = "xiao-lin", .text = "warp", .from = 2025, .limit = 10};
    cr_assert_eq(public_work_entries(&entries, db, &filter), OK);
    cr_assert_eq(json_array_size(entries), 1);
    db_free(db);
}

Test(public, an_empty_lab_has_empty_lists)
{
    struct db *db = test_lab_db();
    json_t *lab, *choices, *people;
    cr_assert_eq(public_lab(&lab, db), NOT_FOUND);
    cr_assert_eq(public_people(&people, db), OK);
    cr_assert_eq(json_array_size(people), 0);
    cr_assert_eq(public_work_choices_of(&choices, db), OK);
    cr_assert_str_eq(json_dumps(choices, JSON_COMPACT),
                     "{\"years\":[],\"kinds\":[],\"people\":[],\"topics\":[],"
                     "\"venues\":[],\"selected\":false}");
    cr_assert_str_eq(found(db, (struct public_works_filter){0}), "");
    db_free(db);
}
