/* What HTML entities and scripts stand for, and looking up commands; every table is
 * sorted for bsearch. */
#include "server/text/latex_symbol.h"

#include "server/base/utf8.h"
#include "server/text/encoding.h"
#include "server/text/latex_commands.h"

#include <stdlib.h>

struct code_pair {
    int32_t from, to;
};

static const struct code_pair superscripts[] = {
    {0x27,   0x2032},
    {0x28,   0x207D},
    {0x29,   0x207E},
    {0x2A,   0x2A  },
    {0x2B,   0x207A},
    {0x2D,   0x207B},
    {0x30,   0x2070},
    {0x31,   0xB9  },
    {0x32,   0xB2  },
    {0x33,   0xB3  },
    {0x34,   0x2074},
    {0x35,   0x2075},
    {0x36,   0x2076},
    {0x37,   0x2077},
    {0x38,   0x2078},
    {0x39,   0x2079},
    {0x3D,   0x207C},
    {0x41,   0x1D2C},
    {0x42,   0x1D2E},
    {0x44,   0x1D30},
    {0x45,   0x1D31},
    {0x47,   0x1D33},
    {0x48,   0x1D34},
    {0x49,   0x1D35},
    {0x4A,   0x1D36},
    {0x4B,   0x1D37},
    {0x4C,   0x1D38},
    {0x4D,   0x1D39},
    {0x4E,   0x1D3A},
    {0x4F,   0x1D3C},
    {0x50,   0x1D3E},
    {0x52,   0x1D3F},
    {0x54,   0x1D40},
    {0x55,   0x1D41},
    {0x56,   0x2C7D},
    {0x57,   0x1D42},
    {0x61,   0x1D43},
    {0x62,   0x1D47},
    {0x63,   0x1D9C},
    {0x64,   0x1D48},
    {0x65,   0x1D49},
    {0x66,   0x1DA0},
    {0x67,   0x1D4D},
    {0x68,   0x2B0 },
    {0x69,   0x2071},
    {0x6A,   0x2B2 },
    {0x6B,   0x1D4F},
    {0x6C,   0x2E1 },
    {0x6D,   0x1D50},
    {0x6E,   0x207F},
    {0x6F,   0x1D52},
    {0x70,   0x1D56},
    {0x72,   0x2B3 },
    {0x73,   0x2E2 },
    {0x74,   0x1D57},
    {0x75,   0x1D58},
    {0x76,   0x1D5B},
    {0x77,   0x2B7 },
    {0x78,   0x2E3 },
    {0x79,   0x2B8 },
    {0x7A,   0x1DBB},
    {0xB0,   0xB0  },
    {0x3B2,  0x1D5D},
    {0x3B3,  0x1D5E},
    {0x3B4,  0x1D5F},
    {0x3C6,  0x1D60},
    {0x3C7,  0x1D61},
    {0x2020, 0x2020},
    {0x2021, 0x2021},
    {0x2032, 0x2032},
    {0x2212, 0x207B},
    {0x2217, 0x2A  },
    {0x2218, 0xB0  }
};

static const struct code_pair subscripts[] = {
    {0x28,   0x208D},
    {0x29,   0x208E},
    {0x2B,   0x208A},
    {0x2D,   0x208B},
    {0x30,   0x2080},
    {0x31,   0x2081},
    {0x32,   0x2082},
    {0x33,   0x2083},
    {0x34,   0x2084},
    {0x35,   0x2085},
    {0x36,   0x2086},
    {0x37,   0x2087},
    {0x38,   0x2088},
    {0x39,   0x2089},
    {0x3D,   0x208C},
    {0x61,   0x2090},
    {0x65,   0x2091},
    {0x68,   0x2095},
    {0x69,   0x1D62},
    {0x6A,   0x2C7C},
    {0x6B,   0x2096},
    {0x6C,   0x2097},
    {0x6D,   0x2098},
    {0x6E,   0x2099},
    {0x6F,   0x2092},
    {0x70,   0x209A},
    {0x72,   0x1D63},
    {0x73,   0x209B},
    {0x74,   0x209C},
    {0x75,   0x1D64},
    {0x76,   0x1D65},
    {0x78,   0x2093},
    {0x3B2,  0x1D66},
    {0x3B3,  0x1D67},
    {0x3C1,  0x1D68},
    {0x3C6,  0x1D69},
    {0x3C7,  0x1D6A},
    {0x2212, 0x208B}
};

struct entity {
    const char *name;
    int32_t code;
};

static const struct entity entities[] = {
    {"AElig",   198  },
    {"Alpha",   913  },
    {"Beta",    914  },
    {"Delta",   916  },
    {"ETH",     208  },
    {"Gamma",   915  },
    {"Lambda",  923  },
    {"OElig",   338  },
    {"Omega",   937  },
    {"Oslash",  216  },
    {"Phi",     934  },
    {"Pi",      928  },
    {"Psi",     936  },
    {"Sigma",   931  },
    {"THORN",   222  },
    {"Theta",   920  },
    {"Xi",      926  },
    {"aelig",   230  },
    {"alpha",   945  },
    {"amp",     38   },
    {"apos",    39   },
    {"asymp",   8776 },
    {"bdquo",   8222 },
    {"beta",    946  },
    {"bull",    8226 },
    {"cent",    162  },
    {"chi",     967  },
    {"copy",    169  },
    {"dagger",  8224 },
    {"deg",     176  },
    {"delta",   948  },
    {"divide",  247  },
    {"emsp",    8195 },
    {"ensp",    8194 },
    {"epsilon", 949  },
    {"eta",     951  },
    {"eth",     240  },
    {"euro",    8364 },
    {"frac12",  189  },
    {"gamma",   947  },
    {"ge",      8805 },
    {"gt",      62   },
    {"harr",    8596 },
    {"hellip",  8230 },
    {"iexcl",   161  },
    {"infin",   8734 },
    {"iota",    953  },
    {"iquest",  191  },
    {"kappa",   954  },
    {"lambda",  955  },
    {"lang",    10216},
    {"laquo",   171  },
    {"larr",    8592 },
    {"ldquo",   8220 },
    {"le",      8804 },
    {"lsquo",   8216 },
    {"lt",      60   },
    {"mdash",   8212 },
    {"micro",   181  },
    {"middot",  183  },
    {"minus",   8722 },
    {"mu",      956  },
    {"nbsp",    160  },
    {"ndash",   8211 },
    {"ne",      8800 },
    {"nu",      957  },
    {"oelig",   339  },
    {"omega",   969  },
    {"omicron", 959  },
    {"oslash",  248  },
    {"para",    182  },
    {"part",    8706 },
    {"phi",     966  },
    {"pi",      960  },
    {"plusmn",  177  },
    {"pound",   163  },
    {"prime",   8242 },
    {"psi",     968  },
    {"quot",    34   },
    {"radic",   8730 },
    {"rang",    10217},
    {"raquo",   187  },
    {"rarr",    8594 },
    {"rdquo",   8221 },
    {"reg",     174  },
    {"rho",     961  },
    {"rsquo",   8217 },
    {"sbquo",   8218 },
    {"sect",    167  },
    {"shy",     173  },
    {"sigma",   963  },
    {"sum",     8721 },
    {"sup2",    178  },
    {"sup3",    179  },
    {"szlig",   223  },
    {"tau",     964  },
    {"theta",   952  },
    {"thinsp",  8201 },
    {"thorn",   254  },
    {"times",   215  },
    {"trade",   8482 },
    {"upsilon", 965  },
    {"xi",      958  },
    {"zeta",    950  }
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* As strcmp(), for a key that may hold NUL bytes. */
static int compare_names(struct slice key, const char *name)
{
    size_t length = strlen(name);
    int order = memcmp(key.bytes, name, key.length < length ? key.length : length);
    if (order == 0 && key.length != length)
        order = key.length < length ? -1 : 1;
    return order;
}

static int compare_meaning(const void *key, const void *row)
{
    return compare_names(*(const struct slice *)key,
                         ((const struct latex_meaning *)row)->name);
}

static int compare_entity(const void *key, const void *row)
{
    return compare_names(*(const struct slice *)key, ((const struct entity *)row)->name);
}

static int compare_code(const void *key, const void *row)
{
    return *(const int32_t *)key - ((const struct code_pair *)row)->from;
}

struct latex_meaning latex_meaning(struct slice name)
{
    const struct latex_meaning *found =
        bsearch(&name, latex_commands, latex_command_count, sizeof latex_commands[0],
                compare_meaning);
    return found != NULL ? *found : (struct latex_meaning){"", LATEX_UNKNOWN, "", 0};
}

int32_t latex_superscript(int32_t code)
{
    const struct code_pair *found = bsearch(&code, superscripts, COUNT(superscripts),
                                            sizeof superscripts[0], compare_code);
    return found != NULL ? found->to : 0;
}

int32_t latex_subscript(int32_t code)
{
    const struct code_pair *found =
        bsearch(&code, subscripts, COUNT(subscripts), sizeof subscripts[0], compare_code);
    return found != NULL ? found->to : 0;
}

/* "#233" or "#xE9"; 0 when it is no character. */
static int32_t numeric_entity(struct slice name)
{
    bool hexadecimal = name.length > 2 && (name.bytes[1] == 'x' || name.bytes[1] == 'X');
    size_t at = hexadecimal ? 2 : 1;
    int32_t code = 0;
    if (at == name.length || name.length > 9)
        return 0;
    for (; at < name.length; at++) {
        char c = name.bytes[at];
        int digit = text_digit(c)                         ? c - '0'
                    : hexadecimal && c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : hexadecimal && c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                          : -1;
        if (digit < 0 || code > 0x10FFFF)
            return 0;
        code = code * (hexadecimal ? 16 : 10) + digit;
    }
    if (code >= 0x80 && code < 0xA0)
        return encoding_cp1252((unsigned)code); /* as every browser reads &#147; */
    return code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ? 0 : code;
}

/* &eacute; and its kind: a letter and the name of an accent. */
static size_t accented_entity(char *out, struct slice name)
{
    static const struct entity accents[] = {
        {"acute", 0x301},
        {"grave", 0x300},
        {"circ",  0x302},
        {"uml",   0x308},
        {"tilde", 0x303},
        {"cedil", 0x327},
        {"ring",  0x30A},
        {"caron", 0x30C}
    };
    struct slice accent = {name.bytes + 1, name.length - 1};
    for (size_t i = 0; i < COUNT(accents); i++) {
        if (!text_letter(name.bytes[0]) || !slice_is(accent, accents[i].name))
            continue;
        out[0] = name.bytes[0];
        return 1 + utf8_put(out + 1, accents[i].code);
    }
    return 0;
}

size_t latex_entity(char *out, struct slice name)
{
    if (name.length == 0)
        return 0;
    if (name.bytes[0] == '#') {
        int32_t code = numeric_entity(name);
        return code == 0 ? 0 : utf8_put(out, code);
    }
    const struct entity *found =
        bsearch(&name, entities, COUNT(entities), sizeof entities[0], compare_entity);
    return found != NULL ? utf8_put(out, found->code) : accented_entity(out, name);
}
