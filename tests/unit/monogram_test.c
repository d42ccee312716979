/* The letters that stand for a person without a photo. */
#include "server/base/arena.h"
#include "server/site/people.h"

#include <criterion/criterion.h>

Test(monogram, is_the_family_name_in_chinese_and_initials_in_latin)
{
    static const struct {
        const char *person, *english, *chinese;
    } cases[] = {
        {"{\"given_latin\": \"Xiao\", \"family_latin\": \"Lin\", \"name_han\": \"林晓\"}",
         "XL",                                                                                         "林"   },
        {"{\"given_latin\": \"Bo\", \"family_latin\": \"Ouyang\", \"name_han\": "
         "\"欧阳博\"}",                                                          "BO",     "欧阳"},
        {"{\"name_han\": \"司马清扬\"}",                                                 "司马", "司马"},
        {"{\"name_han\": \"欧阳\"}",                                                       "欧",    "欧"   },
        {"{\"name_han\": \"玛丽亚·伊瓦涅斯\"}",                                      "玛",    "玛"   },
        {"{\"given_latin\": \"Élodie\", \"family_latin\": null, \"name_han\": null}",       "É",
         "É"                                                                                                  },
        {"{\"family_latin\": \"Groß\"}",                                                    "G",      "G"     },
    };
    arena_enter(arena_new());
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        enum language in;
        json_t *person = json_loads(cases[i].person, 0, NULL);
        cr_assert_str_eq(people_monogram(person, ENGLISH, &in), cases[i].english);
        cr_assert_str_eq(people_monogram(person, CHINESE, &in), cases[i].chinese);
    }
    arena_free(arena_enter(NULL));
}
