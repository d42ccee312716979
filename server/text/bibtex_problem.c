/* Words for what can be wrong with an entry. */
#include "server/text/bibtex.h"

static const char *const words[][2] = {
    [BIBTEX_SOUND] = {"sound",              "nothing is wrong"                 },
    [BIBTEX_UNCLOSED] = {"unclosed",           "its end is missing"               },
    [BIBTEX_TOO_DEEP] = {"too_deep",           "braces are nested too deep"       },
    [BIBTEX_TOO_LONG] = {"too_long",           "a value is too long"              },
    [BIBTEX_TOO_MUCH_EXPANSION] = {"too_much_expansion", "@string macros grow too large"    },
    [BIBTEX_TOO_MANY_FIELDS] = {"too_many_fields",    "too many fields"                  },
    [BIBTEX_TOO_MANY_MACROS] = {"too_many_macros",    "too many @string macros"          },
    [BIBTEX_TOO_MANY_ENTRIES] = {"too_many_entries",
                      "too many entries; the rest was not read"                },
    [BIBTEX_UNDEFINED_MACRO] = {"undefined_macro",    "an undefined @string macro"       },
    [BIBTEX_REPEATED_FIELD] = {"repeated_field",     "a field stands twice"             },
    [BIBTEX_MISSING_COMMA] = {"missing_comma",      "a comma is missing"               },
    [BIBTEX_MISSING_KEY] = {"missing_key",        "there is no key"                  },
    [BIBTEX_MISSING_VALUE] = {"missing_value",      "a field has no value"             },
    [BIBTEX_NOT_A_FIELD] = {"not_a_field",        "text that is no field was skipped"},
    [BIBTEX_SURPLUS_BRACE] = {"surplus_brace",      "a brace too many"                 },
    [BIBTEX_WRONG_CLOSER] = {"wrong_closer",       "closed by the wrong delimiter"    },
};

const char *bibtex_problem_code(enum bibtex_problem problem)
{
    return words[problem][0];
}

const char *bibtex_problem_text(enum bibtex_problem problem)
{
    return words[problem][1];
}
