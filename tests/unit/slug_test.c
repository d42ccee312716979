/* The names of things in addresses. */
#include "db/store/slug.h"
#include "server/base/utf8.h"

#include <criterion/criterion.h>
#include <string.h>

Test(slug, names_things_in_addresses)
{
    static const struct {
        const char *text, *slug;
    } cases[] = {
        {"Mingyuan Li",                       "mingyuan-li"                },
        {"  José  Ángel Muñoz-Öz ",       "jose-angel-munoz-oz"        },
        {"Søren Łukasz Groß Æble",        "soren-lukasz-gross-aeble"   },
        {"Conan O'Neil, Jr.",                 "conan-oneil-jr"             },
        {"李明远",                         "李明远"                  },
        {"買買提·吐爾遜",              "買買提-吐爾遜"        },
        {"Иван Петров",             "иван-петров"      },
        {"ＬＩ",                            "li"                         },
        {"../../etc/passwd?a=b#c",            "etc-passwd-a-b-c"           },
        {"HfO₂ films: 100% better",         "hfo2-films-100-better"      },
        {"One two three four five six seven", "one-two-three-four-five-six"},
        {"***",                               ""                           },
        {"",                                  ""                           },
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        cr_expect_str_eq(slug_from(arena, cases[i].text, 6, 80), cases[i].slug);
    arena_free(arena);
}

Test(slug, is_bounded_and_cut_between_characters)
{
    struct arena *arena = arena_new();
    char *han = arena_zero(arena, 301);
    for (size_t i = 0; i < 300; i += 3)
        memcpy(han + i, "林", 3);
    const char *slug = slug_from(arena, han, 3, 24);
    cr_expect_eq(utf8_length(slug, strlen(slug)), 24);
    cr_expect(utf8_valid(slug, strlen(slug)));
    cr_expect_str_eq(slug_from(arena, "abc def", 3, 4), "abc");
    arena_free(arena);
}
