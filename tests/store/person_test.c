/* People: their names, and being recognised in what is printed. */
#include "db/store/person.h"
#include "db/store/publication.h"
#include "server/base/arena.h"
#include "tests/support/lab.h"

LAB_SUITE(person);

static json_t *add(const char *given, const char *family, const char *han)
{
    return lab_save(db, "person", 0,
                    json_pack("{s:s?, s:s?, s:s?}", "given_latin", given, "family_latin",
                              family, "name_han", han));
}

/* A work by one author; whom it was linked to ("" for nobody). */
static const char *linked(const char *title, json_t *author)
{
    json_t *work = lab_save(db, "publication", 0,
                            json_pack("{s:s, s:s, s:[o]}", "kind", "article", "title",
                                      title, "authors", author));
    json_t *authors = json_object_get(lab_document(db, "publication", work), "authors");
    return text(json_array_get(authors, 0), "person");
}

static json_t *printed(const char *name)
{
    return json_pack("{s:s}", "name", name);
}

Test(person, names_are_compared_without_points_case_and_order_marks)
{
    struct arena *arena = arena_current();
    const char *equal[][2] = {
        {"Xiao-Ming LI",     "Xiaoming Li" },
        {"Li, Xiaoming",     "Xiaoming Li" },
        {"D. O'Brien",       "d obrien"    },
        {"Ibáñez, María", "maria ibanez"},
        {"Ｌｉｎ",        "lin"         },
        {"Jr. , X",          "x jr"        }
    };
    for (size_t i = 0; i < sizeof equal / sizeof *equal; i++)
        cr_assert_str_eq(name_folded(arena, equal[i][0]),
                         name_folded(arena, equal[i][1]));
    cr_assert_str_neq(name_folded(arena, "Wei Wang"), name_folded(arena, "Wang Wei"));
    cr_assert_str_eq(name_folded(arena, ","), "");
}

Test(person, is_recognised_under_every_name_in_full)
{
    add("Xiao-Ling", "Lin", "林小玲");
    const char *names[] = {"Xiao-Ling Lin", "Xiaoling Lin",   "Xiao Ling Lin",
                           "Lin Xiaoling",  "Lin, Xiao-Ling", "林小玲",
                           "林 小玲",       "LIN, Xiaoling"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect_str_eq(linked(names[i], printed(names[i])), "xiao-ling-lin", "%s",
                         names[i]);
    cr_assert_str_eq(linked("1", json_pack("{s:s, s:s, s:s}", "name", "XL Lin", "family",
                                           "Lin", "given", "Xiaoling")),
                     "xiao-ling-lin");
    cr_assert_str_eq(linked("2", json_pack("{s:s, s:s, s:s}", "name", "林小玲", "family",
                                           "林", "given", "小玲")),
                     "xiao-ling-lin");
    const char *hints[] = {"X.-L. Lin", "X. L. Lin", "X. Lin", "Lin X L", "Y. Lin"};
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        cr_expect_str_eq(linked(hints[i], printed(hints[i])), "", "%s", hints[i]);
}

Test(person, namesakes_are_never_linked_by_name)
{
    add("Wei", "Wang", "王伟");
    cr_assert_str_eq(linked("before", printed("王伟")), "wei-wang");
    add("Wei", "Wang", "王伟");
    cr_assert_str_eq(linked("Latin", printed("Wei Wang")), "");
    cr_assert_str_eq(linked("Han", printed("王伟")), "");
    cr_assert_str_eq(linked("stated", json_pack("{s:s, s:s}", "name", "Wei Wang",
                                                "person", "wei-wang-2")),
                     "wei-wang-2");
}

Test(person, a_new_name_finds_what_was_printed_under_it)
{
    json_t *work = lab_save(db, "publication", 0,
                            json_pack("{s:s, s:s, s:[{s:s}, {s:s}]}", "kind", "article",
                                      "title", "Ferry", "authors", "name", "Bo Ouyang",
                                      "name", "Somebody Else"));
    json_t *bo = add("Bo", "Ou-Yang Li", NULL);
    json_t *authors = json_object_get(lab_document(db, "publication", work), "authors");
    cr_assert_str_eq(text(json_array_get(authors, 0), "person"), "");
    lab_save(db, "person", number(bo, "target_id"),
             json_pack("{s:[{s:s}]}", "other_names", "name", "Bo Ouyang"));
    authors = json_object_get(lab_document(db, "publication", work), "authors");
    cr_assert_str_eq(text(json_array_get(authors, 0), "person"), "bo-ou-yang-li");
    cr_assert_str_eq(text(json_array_get(authors, 1), "person"), "");
    json_t *names = json_object_get(lab_document(db, "person", bo), "other_names");
    cr_assert_eq(json_array_size(names), 1);
    cr_assert_str_eq(text(json_array_get(names, 0), "name"), "Bo Ouyang");
}

Test(person, what_a_person_confirmed_stays_confirmed)
{
    add("Xiao", "Lin", NULL);
    json_t *work = lab_save(db, "publication", 0,
                            json_pack("{s:s, s:s, s:[{s:s}]}", "kind", "article", "title",
                                      "Ferry", "authors", "name", "Xiao Lin"));
    test_sql(db, "update authorship set confirmed_at = now()");
    lab_save(db, "publication", number(work, "target_id"),
             json_pack("{s:s}", "note", "Best paper award"));
    static const struct query confirmed = {
        "test_confirmed", "select count(confirmed_at) as n from authorship", 0, 0, 0};
    json_t *row;
    cr_assert_eq(db_row(&row, db, &confirmed), OK);
    cr_assert_eq(number(row, "n"), 1);
}

Test(person, a_roster_row_is_matched_by_address_then_by_name)
{
    json_t *found;
    add("Bo", "Ouyang", "欧阳博");
    json_t *lin = add("Xiao", "Lin", "林晓");
    lab_save(db, "person", number(lin, "target_id"),
             json_pack("{s:s}", "email", "Lin.X@Lab.example"));
    cr_assert_eq(person_match(&found, db, "LIN.X@lab.example", "Bo Ouyang"), OK);
    cr_assert_str_eq(text(json_array_get(found, 0), "slug"), "xiao-lin");
    cr_assert_str_eq(text(json_array_get(found, 0), "by"), "email");
    cr_assert_eq(person_match(&found, db, "bo@lab.example", "欧阳博"), OK);
    cr_assert_str_eq(text(json_array_get(found, 0), "slug"), "bo-ouyang");
    cr_assert_eq(person_match(&found, db, NULL, "Nobody"), OK);
    cr_assert_eq(json_array_size(found), 0);
    cr_assert_eq(person_list(&found, db), OK);
    cr_assert_eq(json_array_size(found), 2);
}
