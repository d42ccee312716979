/* Under which spellings a person is known, and which of them only hint at them. */
#include "db/store/entity.h"
#include "db/store/person.h"
#include "server/base/document.h"

#include <criterion/criterion.h>
#include <string.h>

enum known { NO, WEAK, FULL };

static const struct {
    const char *given, *family, *han, *other;
    const char *printed;
    enum known known;
} names[] = {
  /* Chinese names, in either script and order */
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "Xiao-Ling Lin",             FULL},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "Xiaoling Lin",              FULL},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "Xiao Ling Lin",             FULL},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "LIN Xiaoling",              FULL},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "Lin, Xiao-Ling",            FULL},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "林小玲",                 FULL},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "林 小玲",                FULL},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "林，小玲",              FULL},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "Xiao-Ling Lin (林小玲)", FULL},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "林小玲 (Xiaoling Lin)",  FULL},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "林小玲 Xiao-Ling Lin",   FULL},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "X. Lin",                    WEAK},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "X.-L. Lin",                 WEAK},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "X. L. Lin",                 WEAK},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "XL Lin",                    WEAK},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "Lin X",                     WEAK},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "Lin XL",                    WEAK},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "Lin, X.-L.",                WEAK},
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "Y. Lin",                    NO  },
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "Xiao Lin",                  NO  },
    {"Xiao-Ling",    "Lin",              "林小玲", NULL,            "Ling Lin",                  NO  },
    {"Xiaoling",     "Lin",              NULL,        NULL,            "Xiao-ling Lin",             FULL},
    {"Xiao Ling",    "Lin",              NULL,        NULL,            "Xiaoling Lin",              FULL},
    {"Xiao Ling",    "Lin",              NULL,        NULL,            "Xiao Lin",                  WEAK},
    {"Wei",          "Wang",             "王伟",    NULL,            "Wang Wei",                  FULL},
    {"Wei",          "Wang",             "王伟",    NULL,            "W. Wang",                   WEAK},
    {"Wei",          "Wang",             "王伟",    NULL,            "王 伟",                   FULL},
    {"Wei",          "Wang",             "王伟",    NULL,            "王维",                    NO  },
    {"Bo",           "Ng",               NULL,        NULL,            "Bo Ng",                     FULL},
    {"Bo",           "Ng",               NULL,        NULL,            "B. Ng",                     WEAK},
    {"Jia",          "Wu",               "吴佳",    NULL,            "Ｊｉａ　Ｗｕ",        FULL},
    {"Nü",          "Lü",              "吕女",    NULL,            "Nu Lu",                     FULL},
    {"Bu",           "Lü",              "吕布",    NULL,            "Bu Lyu",                    FULL},
    {"Bu",           "Lü",              "吕布",    NULL,            "Lv Bu",                     FULL},
    {"Bu",           "Lü",              "吕布",    NULL,            "B. Lv",                     WEAK},
    {"T’ien-Hsin", "Chu",              "朱天心", NULL,            "Tienhsin Chu",              FULL},
 /* surnames of two syllables */
    {"Bo",           "Ouyang",           "欧阳博", NULL,            "Bo Ou Yang",                FULL},
    {"Bo",           "Ouyang",           "欧阳博", NULL,            "Ou-Yang, Bo",               FULL},
    {"Bo",           "Ouyang",           "欧阳博", NULL,            "OuYang Bo",                 FULL},
    {"Bo",           "Ouyang",           "欧阳博", NULL,            "欧阳 博",                FULL},
    {"Bo",           "Ouyang",           "欧阳博", NULL,            "B. Ou Yang",                WEAK},
    {"Bo",           "Ouyang",           "欧阳博", NULL,            "Bo Yang",                   NO  },
    {"Bo",           "Ou Yang",          NULL,        NULL,            "Bo Ouyang",                 FULL},
    {"Bo",           "Ou-Yang",          NULL,        NULL,            "Bo Ou Yang",                FULL},
    {"Liang",        "Zhuge",            "诸葛亮", NULL,            "Liang Zhu-Ge",              FULL},
    {"Liang",        "Zhuge",            "诸葛亮", NULL,            "L. Zhu Ge",                 WEAK},
    {"Guang",        "Sima",             "司马光", NULL,            "Si Ma Guang",               FULL},
 /* two surnames, particles */
    {"Gabriel",      "García Márquez", NULL,        NULL,            "Gabriel Garcia Marquez",    FULL},
    {"Gabriel",      "García Márquez", NULL,        NULL,            "García Márquez, Gabriel", FULL},
    {"Gabriel",      "García Márquez", NULL,        NULL,            "Gabriel García-Márquez",  FULL},
    {"Gabriel",      "García Márquez", NULL,        NULL,            "G. García Márquez",       WEAK},
    {"Gabriel",      "García Márquez", NULL,        NULL,            "Gabriel García",           WEAK},
    {"Gabriel",      "García Márquez", NULL,        NULL,            "Gabriel Márquez",          NO  },
    {"Ana",          "Sousa-Pinto",      NULL,        NULL,            "Ana Sousa Pinto",           FULL},
    {"Ana",          "Sousa-Pinto",      NULL,        NULL,            "A. Sousa",                  WEAK},
    {"Ludwig",       "van Beethoven",    NULL,        NULL,            "van Beethoven, Ludwig",     FULL},
    {"Ludwig",       "van Beethoven",    NULL,        NULL,            "Ludwig Beethoven",          WEAK},
    {"Jan",          "van den Berg",     NULL,        NULL,            "J. van den Berg",           WEAK},
    {"Jan",          "van den Berg",     NULL,        NULL,            "J. Berg",                   WEAK},
    {"Jan",          "van den Berg",     NULL,        NULL,            "Jan Berger",                NO  },
    {"Dara",         "O'Brien",          NULL,        NULL,            "Dara O’Brien",            FULL},
    {"Dara",         "O'Brien",          NULL,        NULL,            "D. OBrien",                 WEAK},
 /* accents and letters written otherwise */
    {"María José", "Ibáñez",         NULL,        NULL,            "Maria Jose Ibanez",         FULL},
    {"María José", "Ibáñez",         NULL,        NULL,            "Mariajose Ibanez",          FULL},
    {"María José", "Ibáñez",         NULL,        NULL,            "M. J. Ibáñez",            WEAK},
    {"María José", "Ibáñez",         NULL,        NULL,            "MJ Ibanez",                 WEAK},
    {"María José", "Ibáñez",         NULL,        NULL,            "Maria Ibañez",             WEAK},
    {"María José", "Ibáñez",         NULL,        NULL,            "María J. Ibáñez",        WEAK},
    {"Jörg",        "Müller",          NULL,        NULL,            "Joerg Mueller",             FULL},
    {"Jörg",        "Müller",          NULL,        NULL,            "Jorg Muller",               FULL},
    {"Jörg",        "Müller",          NULL,        NULL,            "J. Mueller",                WEAK},
    {"Søren",       "Ærø",            NULL,        NULL,            "Soren Ærø",               FULL},
    {"Søren",       "Kjær",            NULL,        NULL,            "Soeren Kjær",              FULL},
    {"Łukasz",      "Kaiser",           NULL,        NULL,            "Lukasz Kaiser",             FULL},
    {"Đorđe",      "Ilić",            NULL,        NULL,            "Dorde Ilic",                FULL},
    {"Jürgen",      "Groß",            NULL,        NULL,            "Juergen Gross",             FULL},
 /* former and other names */
    {"Mei",          "Chen",             NULL,        "Mei Zhang",     "Mei Zhang",                 FULL},
    {"Mei",          "Chen",             NULL,        "Mei Zhang",     "Zhang, Mei",                FULL},
    {"Mei",          "Chen",             NULL,        "Mei Zhang",     "M. Zhang",                  WEAK},
    {"Mei",          "Chen",             NULL,        "Zhang, Mei-Li", "Meili Zhang",               FULL},
    {"Mei",          "Chen",             NULL,        "张梅",        "张 梅",                   FULL},
    {"Mei",          "Chen",             NULL,        "M. Zhang",      "Zhang M",                   WEAK},
    {"Mei",          "Chen",             NULL,        "Mei Zhang",     "Mei Chen Zhang",            NO  },
 /* one name, no name */
    {NULL,           "Suharto",          NULL,        NULL,            "Suharto",                   FULL},
    {NULL,           NULL,               "林晓",    NULL,            "林晓",                    FULL},
    {NULL,           NULL,               "林晓",    NULL,            "林晓明",                 NO  },
    {"J. Robert",    "Oppenheimer",      NULL,        NULL,            "J. Robert Oppenheimer",     FULL},
    {"J. Robert",    "Oppenheimer",      NULL,        NULL,            "J. R. Oppenheimer",         WEAK},
    {"X.",           "Lin",              NULL,        NULL,            "X. Lin",                    WEAK},
};

static enum known known(json_t *aliases, const char *folded)
{
    size_t index;
    json_t *alias;
    json_array_foreach(aliases, index, alias)
    {
        if (strcmp(text_at(alias, "folded", ""), folded) == 0)
            return truth_at(alias, "weak") ? WEAK : FULL;
    }
    return NO;
}

Test(alias, a_person_is_known_under_these_names)
{
    struct arena *arena = arena_new();
    arena_enter(arena);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        json_t *person =
            json_pack("{s:s?, s:s?, s:s?}", "given_latin", names[i].given, "family_latin",
                      names[i].family, "name_han", names[i].han);
        if (names[i].other != NULL)
            json_object_set_new(person, "other_names",
                                json_pack("[{s:s}]", "name", names[i].other));
        json_t *aliases = person_aliases(arena, person);
        enum known found = known(aliases, name_folded(arena, names[i].printed));
        cr_expect_eq(found, names[i].known, "%s %s: %s is %d, not %d", names[i].given,
                     names[i].family, names[i].printed, (int)found, (int)names[i].known);
        cr_expect_lt(json_array_size(aliases), 120);
    }
}

Test(alias, marks_become_flags)
{
    struct arena *arena = arena_new();
    arena_enter(arena);
    json_t *authors = json_pack("[{s:s, s:s}, {s:s}, {s:s}, {s:s}]", "name", "Xiao Lin*",
                                "family", "Lin ∗", "name", "Bo Ouyang *†", "name",
                                "林晓 ✉️", "name", "***");
    json_t *plain = authors_without_marks(arena, authors);
    json_t *first = json_array_get(plain, 0), *second = json_array_get(plain, 1);
    cr_assert_str_eq(text_at(first, "name", ""), "Xiao Lin");
    cr_assert_str_eq(text_at(first, "family", ""), "Lin");
    cr_assert(truth_at(first, "equal"));
    cr_assert_not(truth_at(first, "corresponding"));
    cr_assert_str_eq(text_at(second, "name", ""), "Bo Ouyang");
    cr_assert(truth_at(second, "equal") && truth_at(second, "corresponding"));
    cr_assert_str_eq(text_at(json_array_get(plain, 2), "name", ""), "林晓");
    cr_assert(truth_at(json_array_get(plain, 2), "corresponding"));
    cr_assert_str_eq(text_at(json_array_get(plain, 3), "name", ""), "***");
    cr_assert_str_eq(text_at(json_array_get(authors, 0), "name", ""), "Xiao Lin*");
    json_t *unmarked = json_pack("[{s:s}]", "name", "Xiao Lin");
    cr_assert_eq(authors_without_marks(arena, unmarked), unmarked);
}
