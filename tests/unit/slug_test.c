/* Slugs of names and titles. */
#include "server/base/utf8.h"
#include "server/text/slug.h"

#include <criterion/criterion.h>

struct slug_case {
    const char *(*make)(struct arena *, struct slice);
    const char *text, *slug;
};

Test(slug, names_things_in_addresses)
{
    static const struct slug_case cases[] = {
        {slug_of_name,  "Mingyuan Li",                        "mingyuan-li"                 },
        {slug_of_name,  "  José  Ángel Muñoz-Öz ",        "jose-angel-munoz-oz"         },
        {slug_of_name,  "Søren Łukasz Groß Æble",         "soren-lukasz-gross-aeble"    },
        {slug_of_name,  "Conan O'Neil, Jr.",                  "conan-oneil-jr"              },
        {slug_of_name,  "李明远",                          "李明远"                   },
        {slug_of_name,  "Mingyuan Li 李明远",              "mingyuan-li"                 },
        {slug_of_name,  "買買提·吐爾遜",               "買買提-吐爾遜"         },
        {slug_of_name,  "Иван Петров",              "иван-петров"       },
        {slug_of_name,  "ＬＩ",                             "li"                          },
        {slug_of_name,  "../../etc/passwd?a=b#c",             "etc-passwd-a-b-c"            },
        {slug_of_name,  "***",                                ""                            },
        {slug_of_name,  "",                                   ""                            },
        {slug_of_title, "On the Caching of Pages for Humans", "caching-pages-humans"        },
        {slug_of_title, "One two three four five six seven",
         "one-two-three-four-five-six"                                                      },
        {slug_of_title, "On the And",                         "on-the-and"                  },
        {slug_of_title, "HfO₂ films: 100% better",          "hfo2-films-100-better"       },
        {slug_of_title, "一致性缓存协议：设计",     "一致性缓存协议-设计"},
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_expect_str_eq(cases[i].make(arena, slice_of(cases[i].text)), cases[i].slug);
    arena_free(arena);
}

Test(slug, is_bounded_and_cut_between_characters)
{
    struct arena *arena = arena_new();
    char *latin = arena_zero(arena, 301);
    memset(latin, 'a', 300);
    cr_expect_eq(strlen(slug_of_name(arena, slice_of(latin))), SLUG_BYTES);
    char *han = arena_zero(arena, 301);
    for (size_t i = 0; i < 300; i += 3)
        memcpy(han + i, "林", 3);
    const char *slug = slug_of_name(arena, slice_of(han));
    cr_expect_leq(strlen(slug), SLUG_BYTES);
    cr_expect(utf8_valid(slug, strlen(slug)));
    cr_expect_eq(strlen(slug_of_title(arena, slice_of(han))), 72);
    arena_free(arena);
}
