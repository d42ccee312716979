/* The six styles of citation. The order of parts, their punctuation and their terms are
 * here and nowhere else. */
#include "server/text/citation_style.h"

#include <stdint.h>

const char *const citation_style_names[CITATION_STYLES] = {"apa", "ieee",   "gbt7714",
                                                           "acm", "nature", "plain"};

/* A template is read as the reference that it makes. */
/* clang-format off */

#define SHORT_MONTHS                                                                      \
    {"Jan.", "Feb.", "Mar.", "Apr.", "May", "June",                                       \
     "July", "Aug.", "Sep.", "Oct.", "Nov.", "Dec."}
#define LONG_MONTHS                                                                       \
    {"January", "February", "March", "April", "May", "June",                              \
     "July", "August", "September", "October", "November", "December"}

#define INITIALS .initials = true, .dot = ". ", .hyphen = "-"
#define IN_FULL .dot = "", .hyphen = "", .most = SIZE_MAX, .others = ", et al."

/* APA 7: the title stands first where nobody is named (9.12), "n.d." without a year. */
#define APA_NAMES INITIALS, .last = ", & ", .most = 20, .first = 19, .ellipsis = true,    \
    .others = ", et al."
#define APA(title)                                                                        \
    "<{authors!}. (<{year}|n.d.>). " title "|" title ". (<{year}|n.d.>)>. "
#define APA_IN                                                                            \
    "<In <{editors} ({eds}), >_{venue!}_< (<{edition}><, Vol. {volume}><, {p} {pages}>)>" \
    "|{pages}>. "
#define APA_LINK "<{doilink}|{url}|{eprintlink}>"
#define APA_END "{publisher}. " APA_LINK

#define IEEE_NAMES INITIALS, .two = " and ", .last = ", and ", .most = 6, .first = 1,     \
    .others = " \1et al.\1"
#define IEEE "{authors}, “{title},” "
#define IEEE_PLACE "<{place}><: {publisher}>"
#define IEEE_END "<, doi: {doi}.|. [Online]. Available: {url}>"

/* Capitals, initials without points, three names. */
#define GBT_NAMES .family_first = true, .initials = true, .capitals = true,               \
    .separator = " ", .dot = " ", .hyphen = " ", .two = ", ", .last = ", ", .most = 3,    \
    .first = 3, .others = ", et al"
#define GBT "{authors}. {title}<: {number}>[{mark}]"
#define GBT_ISSUED "<{place}><: {publisher}><, {year}><: {pages}>"
#define GBT_DATED "<{published!}" GBT_ISSUED "|{online!}<({isodate})>|{year}>"
#define GBT_END "<. {url}><. DOI:{doi}>"

#define ACM "{authors}. <{year}|[n. d.]>. "
#define ACM_END "<{doilink}|Retrieved from <{url}|{eprintlink}>>"

#define NATURE_NAMES .family_first = true, .separator = ", ", INITIALS, .two = " & ",     \
    .last = " & ", .most = 5, .first = 1, .others = " \1et al.\1"
#define NATURE "{authors}. {title}. "
#define NATURE_ISSUED "< ({publisher}<, {place}><, {year}>)|({year})>"
#define NATURE_IN "<in _{venue}_>< ({eds} {editors})>< vol. {volume}>< {pages}>"
#define NATURE_END "<{unvolumed!}< doi:{doi}>>"

#define PLAIN "{authors}. {title}. "
#define PLAIN_BOOK "{authors}. _{title}_< ({edition})>. "
#define PLAIN_END "<, {publisher}><, {year}><. {doilink}|. {url}|. {eprintlink}>"

const struct citation_rules citation_rules[CITATION_STYLES] = {
    [CITATION_APA] = {
        .authors = {.family_first = true, .separator = ", ", .two = ", & ", APA_NAMES},
        .editors = {.two = " & ", APA_NAMES},
        .editor_of = {"Ed.", "Eds."},
        .as_authors = {" (Ed.)", " (Eds.)"},
        .months = LONG_MONTHS,
        .range = "–",
        .templates = {
            [CITE_ARTICLE] = APA("{title}< [{genre}]>")
                "<_{venue}_><, _{volume!}_<({issue})>|, _{issue}_>"
                "<, {pages}|, Article {number}>. "
                APA_LINK,
            [CITE_CONFERENCE] = APA("{title}") APA_IN APA_END,
            [CITE_CHAPTER] = APA("{title}") APA_IN APA_END,
            [CITE_BOOK] = APA("_{title}_"
                "< (<{editors}, {eds}><; {edition}><, Vol. {volume}>)>< [{genre}]>")
                APA_END,
            [CITE_THESIS] = APA("_{title}_< (Publication No. {number})>"
                " [<{genre}|Thesis><, {publisher}>]") APA_LINK,
            [CITE_REPORT] = APA("_{title}_"
                "< (<<{genretitle} >No. {number!}><; {edition}>)>"
                "<{unnumbered!}< [{genre}]>>") APA_END,
            [CITE_PREPRINT] = APA("_{title}_< (<{eprint}|<{genretitle} >No. {number!}>)>")
                "{repository}. " APA_LINK,
            [CITE_SOFTWARE] = APA("_{title}_< ({version})>"
                " [<{genre}|Computer software>]") APA_END,
            [CITE_DATASET] = APA("_{title}_< (<{number}><; {version}>)>"
                " [<{genre}|Data set>]") APA_END,
            [CITE_OTHER] = APA("_{title}_< [{genre}]>")
                "<{venue}><, {volume}><({issue})><, {pages}>. " APA_END,
        },
    },
    [CITATION_IEEE] = {
        .authors = {IEEE_NAMES},
        .editors = {IEEE_NAMES},
        .editor_of = {"Ed.", "Eds."},
        .as_authors = {", Ed.", ", Eds."},
        .months = SHORT_MONTHS,
        .range = "–",
        .templates = {
            [CITE_ARTICLE] = (IEEE "_{venue}_<, vol. {volume}><, no. {issue}>"
                "<, {p} {pages}|, Art. no. {number}><, {monthyear}>" IEEE_END),
            [CITE_CONFERENCE] = (IEEE "<in _{venue}_><, {editors}, {eds}>"
                "<, in {series!}<, vol. {volume}>. |, vol. {volume}>"
                "<, <" IEEE_PLACE ">><, {monthyear}><, {p} {pages}>" IEEE_END),
            [CITE_CHAPTER] = (IEEE "<in _{venue}_><, {edition}><, vol. {volume}>"
                "<, {editors}, {eds}><, in {series}. >"
                "<, <" IEEE_PLACE ">><, {year}><, {p} {pages}>" IEEE_END),
            [CITE_BOOK] = ("{authors}, _{title}_<, {edition}>"
                "< in {series!}<, vol. {volume}>|, vol. {volume}>. "
                "<" IEEE_PLACE "><, {year}>" IEEE_END),
            [CITE_THESIS] = (IEEE "{genre}<, {publisher}><, {place}><, {year}>" IEEE_END),
            [CITE_REPORT] = (IEEE "<{publisher}><, {place}><, <{genre}>< {number}>>"
                "<, {monthyear}>" IEEE_END),
            [CITE_PREPRINT] = (IEEE "{longdate}<, _{eprint}_|, _{repository}_<: {number}>>"
                IEEE_END),
            [CITE_SOFTWARE] = ("{authors}, _{title}_. <({longdate}). ><{version}. >"
                "<{genre}. >{publisher}" IEEE_END),
            [CITE_DATASET] = ("{authors}, “{title}.” <{publisher}><, {longdate}>"
                IEEE_END),
            [CITE_OTHER] = (IEEE "_{venue}_<, vol. {volume}><, no. {issue}>"
                "<, {p} {pages}><, {publisher}><, {monthyear}>" IEEE_END),
        },
    },
    [CITATION_GBT7714] = {
        .authors = {GBT_NAMES},
        .editors = {GBT_NAMES},
        .editor_of = {"", ""},
        .as_authors = {"", ""},
        .months = SHORT_MONTHS,
        .range = "-",
        .ended = true,
        .templates = {
            [CITE_ARTICLE] = ("{authors}. {title}[{mark}]. <{venue}><, {year}><, {volume}>"
                "<({issue})><: {pages}|: {number}>" GBT_END),
            [CITE_CONFERENCE] = (GBT "<//<{editors}. >{venue!}<: {bookvolume}>>. "
                GBT_ISSUED GBT_END),
            [CITE_CHAPTER] = (GBT "<//<{editors}. >{venue!}<: {bookvolume}>>. "
                "{edition}. " GBT_ISSUED GBT_END),
            [CITE_BOOK] = ("{authors}. {title}<: {bookvolume}>[{mark}]. {edition}. "
                GBT_ISSUED GBT_END),
            [CITE_THESIS] = (GBT ". " GBT_ISSUED GBT_END),
            [CITE_REPORT] = (GBT ". {edition}. " GBT_DATED GBT_END),
            [CITE_PREPRINT] = ("{authors}. {title}[{mark}]. <{place}><: {repository}><, {year}>"
                "<. {url}|. {eprintlink}><. DOI:{doi}>"),
            [CITE_SOFTWARE] = (GBT ". " GBT_DATED GBT_END),
            [CITE_DATASET] = (GBT ". " GBT_DATED GBT_END),
            [CITE_OTHER] = (GBT ". <{venue}>. " GBT_DATED GBT_END),
        },
    },
    [CITATION_ACM] = {
        .authors = {IN_FULL, .two = " and ", .last = ", and "},
        .editors = {IN_FULL, .two = " and ", .last = " and "},
        .editor_of = {"ed.", "eds."},
        .as_authors = {" (Ed.)", " (Eds.)"},
        .months = LONG_MONTHS,
        .range = "–",
        .templates = {
            [CITE_ARTICLE] = (ACM "{title}. <_{venue}_>< {volume!}<, {issue}>| {issue}>"
                "< ({monthyear})><, {pages}|, Article {number}>. " ACM_END),
            [CITE_CONFERENCE] = (ACM "{title}. <In _{venue}_< (_{series}_)>>"
                "<, {longdate}>. <{publisher}><, {place}><, {pages}>. " ACM_END),
            [CITE_CHAPTER] = (ACM "{title}. <In _{venue}_< ({edition})>"
                "<, {editors} ({eds})>>. <{publisher}><, {place}><, {pages}>. " ACM_END),
            [CITE_BOOK] = (ACM "_{title}_< ({edition})>. <{publisher}><, {place}>. "
                ACM_END),
            [CITE_THESIS] = (ACM "{title}. {genre}. <{publisher}><, {place}>. " ACM_END),
            [CITE_REPORT] = (ACM "_{title}_< ({edition})>. <{publisher}><, {place}>. "
                ACM_END),
            [CITE_PREPRINT] = (ACM "{title}. _{repository}_. " ACM_END),
            [CITE_SOFTWARE] = (ACM "{title}. {publisher}. " ACM_END),
            [CITE_DATASET] = (ACM "{title}. {publisher}. " ACM_END),
            [CITE_OTHER] = (ACM "{title}. <_{venue}< {volume}>_><, {pages}>. "
                "{publisher}. " ACM_END),
        },
    },
    [CITATION_NATURE] = {
        .authors = {NATURE_NAMES},
        .editors = {NATURE_NAMES},
        .editor_of = {"ed.", "eds"},
        .as_authors = {" (ed.)", " (eds)"},
        .months = SHORT_MONTHS,
        .range = "–",
        .ended = true,
        .templates = {
            [CITE_ARTICLE] = (NATURE "<_{venue}_>< *{volume}*,>< {pages}| {number}>"
                "< ({year})>" NATURE_END),
            [CITE_CONFERENCE] = (NATURE NATURE_IN NATURE_ISSUED "." NATURE_END),
            [CITE_CHAPTER] = (NATURE NATURE_IN NATURE_ISSUED "." NATURE_END),
            [CITE_BOOK] = ("{authors}. _{title}_. <vol. {volume}>" NATURE_ISSUED "."
                NATURE_END),
            [CITE_THESIS] = (NATURE NATURE_ISSUED "." NATURE_END),
            [CITE_REPORT] = ("{authors}. _{title}_. < {url}>< ({year})>" NATURE_END),
            [CITE_PREPRINT] = (NATURE
                "<<{genre}|Preprint> at <{doilink}|{url}|{eprintlink}>>< ({year})>"),
            [CITE_SOFTWARE] = (NATURE "{publisher}< {doilink}>< ({year})>"),
            [CITE_DATASET] = (NATURE "{publisher}< {doilink}>< ({year})>"),
            [CITE_OTHER] = (NATURE "<_{venue}_>< {volume}>< {pages}>< {url}>< ({year})>."
                NATURE_END),
        },
    },
    [CITATION_PLAIN] = {
        .authors = {IN_FULL, .two = ", ", .last = ", "},
        .editors = {IN_FULL, .two = ", ", .last = ", "},
        .editor_of = {"ed.", "eds."},
        .as_authors = {" (ed.)", " (eds.)"},
        .months = LONG_MONTHS,
        .range = "–",
        .templates = {
            [CITE_ARTICLE] = (PLAIN "<_{venue}_>< {volume}><({issue})>"
                "<: {pages}|: {number}>" PLAIN_END),
            [CITE_CONFERENCE] = (PLAIN "<_{venue}_><, {series}>< {volume}><, {pages}>"
                PLAIN_END),
            [CITE_CHAPTER] = (PLAIN "<_{venue}_>< ({editors}, {eds})><, {pages}>"
                PLAIN_END),
            [CITE_BOOK] = (PLAIN_BOOK PLAIN_END),
            [CITE_THESIS] = (PLAIN_BOOK "{genre}" PLAIN_END),
            [CITE_REPORT] = (PLAIN_BOOK "<{genre}>< {number}>" PLAIN_END),
            [CITE_PREPRINT] = (PLAIN "<{eprint}|{repository}>" PLAIN_END),
            [CITE_SOFTWARE] = (PLAIN_BOOK PLAIN_END),
            [CITE_DATASET] = (PLAIN_BOOK PLAIN_END),
            [CITE_OTHER] = (PLAIN "<_{venue}_>< {volume}><({issue})><: {pages}>"
                PLAIN_END),
        },
    },
};
