/* Open addressing with linear probing over case-folded names; see bibtex_macro.h. */
#include "server/text/bibtex_macro.h"

#include <sodium.h>

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool same(struct slice a, struct slice b)
{
    if (a.length != b.length)
        return false;
    for (size_t i = 0; i < a.length; i++)
        if (lower(a.bytes[i]) != lower(b.bytes[i]))
            return false;
    return true;
}

static struct bibtex_macro *place_of(const struct bibtex_macros *macros,
                                     struct slice name)
{
    uint64_t hash = macros->seed;
    for (size_t i = 0; i < name.length; i++) {
        hash =
            (hash ^ (unsigned char)lower(name.bytes[i])) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    size_t mask = macros->capacity - 1;
    size_t at = hash & mask;
    while (macros->places[at].name.bytes != NULL && !same(macros->places[at].name, name))
        at = (at + 1) & mask;
    return &macros->places[at];
}

static void grow(struct bibtex_macros *macros, struct arena *arena)
{
    struct bibtex_macros larger = *macros;
    larger.capacity *= 4;
    larger.places = ARENA_ARRAY(arena, struct bibtex_macro, larger.capacity);
    for (size_t i = 0; i < macros->capacity; i++)
        if (macros->places[i].name.bytes != NULL)
            *place_of(&larger, macros->places[i].name) = macros->places[i];
    *macros = larger;
}

void bibtex_macro_define(struct bibtex_macros *macros, struct arena *arena,
                         struct slice name, struct slice text)
{
    if ((macros->count + 1) * 2 > macros->capacity)
        grow(macros, arena);
    struct bibtex_macro *place = place_of(macros, name);
    macros->count += place->name.bytes == NULL;
    *place = (struct bibtex_macro){.name = name, .text = text};
}

struct bibtex_macro *bibtex_macro_find(const struct bibtex_macros *macros,
                                       struct slice name)
{
    struct bibtex_macro *place = place_of(macros, name);
    return place->name.bytes == NULL ? NULL : place;
}

struct bibtex_macros bibtex_macros_empty(struct arena *arena)
{
    struct bibtex_macros macros = {.capacity = 64};
    macros.places = ARENA_ARRAY(arena, struct bibtex_macro, macros.capacity);
    randombytes_buf(&macros.seed, sizeof macros.seed);
    return macros;
}

struct bibtex_macros bibtex_macros_new(struct arena *arena)
{
    static const char *const months[][2] = {
        {"jan", "January"  },
        {"feb", "February" },
        {"mar", "March"    },
        {"apr", "April"    },
        {"may", "May"      },
        {"jun", "June"     },
        {"jul", "July"     },
        {"aug", "August"   },
        {"sep", "September"},
        {"oct", "October"  },
        {"nov", "November" },
        {"dec", "December" }
    };
    struct bibtex_macros macros = bibtex_macros_empty(arena);
    for (size_t i = 0; i < 12; i++)
        bibtex_macro_define(&macros, arena, slice_of(months[i][0]),
                            slice_of(months[i][1]));
    for (size_t i = 0; i < macros.capacity; i++)
        macros.places[i].standard = macros.places[i].name.bytes != NULL;
    return macros;
}
