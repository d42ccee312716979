/* Journals by their macros; see bibtex_journals.h. Those that are TeX commands as well
 * stand among the commands. */
#include "server/text/bibtex_journals.h"

#include "server/text/latex_symbol.h"

enum { LONGEST = 16, SHORTEST_NAME = 10 };

static const char *const journals[][2] = {
    {"acmcs",    "ACM Computing Surveys"                                            },
    {"acta",     "Acta Informatica"                                                 },
    {"cacm",     "Communications of the ACM"                                        },
    {"ibmjrd",   "IBM Journal of Research and Development"                          },
    {"ibmsj",    "IBM Systems Journal"                                              },
    {"ieeese",   "IEEE Transactions on Software Engineering"                        },
    {"ieeetc",   "IEEE Transactions on Computers"                                   },
    {"ieeetcad", "IEEE Transactions on Computer-Aided Design of Integrated Circuits"},
    {"ipl",      "Information Processing Letters"                                   },
    {"jacm",     "Journal of the ACM"                                               },
    {"jcss",     "Journal of Computer and System Sciences"                          },
    {"scp",      "Science of Computer Programming"                                  },
    {"sicomp",   "SIAM Journal on Computing"                                        },
    {"tocs",     "ACM Transactions on Computer Systems"                             },
    {"tods",     "ACM Transactions on Database Systems"                             },
    {"tog",      "ACM Transactions on Graphics"                                     },
    {"toms",     "ACM Transactions on Mathematical Software"                        },
    {"toois",    "ACM Transactions on Office Information Systems"                   },
    {"toplas",   "ACM Transactions on Programming Languages and Systems"            },
    {"tcs",      "Theoretical Computer Science"                                     },
    {"icarus",   "Icarus"                                                           },
    {"nat",      "Nature"                                                           },
    {"science",  "Science"                                                          },
};

struct slice bibtex_journal(struct slice word)
{
    char small[LONGEST];
    if (word.length > LONGEST)
        return (struct slice){"", 0};
    for (size_t i = 0; i < word.length; i++)
        small[i] = word.bytes[i] >= 'A' && word.bytes[i] <= 'Z'
                       ? (char)(word.bytes[i] + 32)
                       : word.bytes[i];
    struct slice folded = {small, word.length};
    for (size_t i = 0; i < sizeof journals / sizeof journals[0]; i++)
        if (slice_is(folded, journals[i][0]))
            return slice_of(journals[i][1]);
    struct latex_meaning meaning = latex_meaning(folded);
    bool journal =
        meaning.command == LATEX_SYMBOL && strlen(meaning.text) >= SHORTEST_NAME;
    return journal ? slice_of(meaning.text) : (struct slice){"", 0};
}
