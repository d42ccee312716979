/* What kind of work an entry is, by its type and by what betrays a preprint. */
#include "server/base/identifier.h"
#include "server/text/latex.h"
#include "server/text/work_private.h"

/* The types of BibTeX, biblatex and of what extends them (gb7714, exports), with the
 * genre that a type says. */
static const struct kind_row {
    const char *type, *kind, *genre;
} kinds[] = {
    {"article",         "article",    NULL                 },
    {"inproceedings",   "conference", NULL                 },
    {"conference",      "conference", NULL                 },
    {"proceedings",     "book",       NULL                 },
    {"mvproceedings",   "book",       NULL                 },
    {"book",            "book",       NULL                 },
    {"mvbook",          "book",       NULL                 },
    {"booklet",         "book",       NULL                 },
    {"collection",      "book",       NULL                 },
    {"mvcollection",    "book",       NULL                 },
    {"reference",       "book",       NULL                 },
    {"mvreference",     "book",       NULL                 },
    {"periodical",      "book",       NULL                 },
    {"inbook",          "chapter",    NULL                 },
    {"incollection",    "chapter",    NULL                 },
    {"bookinbook",      "chapter",    NULL                 },
    {"suppbook",        "chapter",    NULL                 },
    {"suppcollection",  "chapter",    NULL                 },
    {"inreference",     "chapter",    NULL                 },
    {"phdthesis",       "thesis",     "PhD thesis"         },
    {"mastersthesis",   "thesis",     "Master’s thesis"  },
    {"masterthesis",    "thesis",     "Master’s thesis"  },
    {"bachelorsthesis", "thesis",     "Bachelor’s thesis"},
    {"bachelorthesis",  "thesis",     "Bachelor’s thesis"},
    {"thesis",          "thesis",     NULL                 },
    {"techreport",      "report",     NULL                 },
    {"report",          "report",     NULL                 },
    {"manual",          "report",     NULL                 },
    {"standard",        "report",     "Standard"           },
    {"unpublished",     "preprint",   NULL                 },
    {"preprint",        "preprint",   NULL                 },
    {"software",        "software",   NULL                 },
    {"dataset",         "dataset",    NULL                 },
    {"database",        "dataset",    NULL                 },
    {"suppperiodical",  "article",    NULL                 },
    {"newspaper",       "article",    NULL                 },
    {"review",          "article",    NULL                 },
    {"patent",          "other",      "Patent"             },
};

static const struct kind_row *row_of(struct slice type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (slice_like(type, kinds[i].type))
            return &kinds[i];
    return NULL;
}

/* The arXiv number, wherever exports put it. */
static struct slice find_arxiv(struct work *w)
{
    static const char *const fields[] = {
        "arxiv", "arxivid", "journal", "journaltitle", "volume",
        "url",   "doi",     "note",    "ee",           "howpublished"};
    struct slice prefix = work_first(w, NAMES("archiveprefix", "eprinttype"));
    struct slice eprint = latex_address(w->arena, work_first(w, NAMES("eprint")));
    struct slice found = {"", 0};
    if (prefix.length == 0 || slice_like(prefix, "arxiv"))
        found = identifier_arxiv(w->arena, eprint);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0] && found.length == 0; i++) {
        struct slice text = bibtex_value(w->entry, fields[i]);
        if (text.length == 0 || text.length > 2000)
            continue;
        text = latex_address(w->arena, text);
        if (i < 2 || work_says(text, "arxiv") || (i == 4 && work_says(text, "abs/")))
            found = identifier_arxiv(w->arena, text);
    }
    return found;
}

/* A "journal" that only says arXiv makes a preprint of an article. */
void work_put_kind(struct work *w)
{
    const struct kind_row *row = row_of(w->entry->type);
    w->arxiv = find_arxiv(w);
    w->kind = row == NULL ? "other" : row->kind;
    struct slice journal =
        work_first(w, NAMES("journal", "journaltitle", "howpublished"));
    bool says_arxiv = work_says(journal, "arxiv") || slice_like(journal, "corr");
    bool other = work_is(w, "other") && (row == NULL || row->genre == NULL);
    if ((work_is(w, "article") && says_arxiv) || (other && w->arxiv.length > 0))
        w->kind = "preprint";
    json_object_set_new(w->document, "kind", json_string(w->kind));
}

/* `type` in words; biblatex has keys for the usual ones (manual, 4.9.2.13). */
void work_put_genre(struct work *w)
{
    static const char *const keys[][2] = {
        {"phdthesis",  "PhD thesis"             },
        {"mathesis",   "Master’s thesis"      },
        {"bathesis",   "Bachelor’s thesis"    },
        {"candthesis", "Candidate thesis"       },
        {"techreport", "Technical report"       },
        {"resreport",  "Research report"        },
        {"software",   "Computer software"      },
        {"patent",     "Patent"                 },
        {"patentde",   "German patent"          },
        {"patenteu",   "European patent"        },
        {"patentfr",   "French patent"          },
        {"patentuk",   "British patent"         },
        {"patentus",   "U.S. patent"            },
        {"patreq",     "Patent request"         },
        {"patreqde",   "German patent request"  },
        {"patreqeu",   "European patent request"},
        {"patreqfr",   "French patent request"  },
        {"patrequk",   "British patent request" },
        {"patrequs",   "U.S. patent request"    },
    };
    const struct kind_row *row = row_of(w->entry->type);
    struct slice genre = latex_text(w->arena, work_first(w, NAMES("type")));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (slice_like(genre, keys[i][0]))
            genre = slice_of(keys[i][1]);
    if (genre.length == 0 && row != NULL && row->genre != NULL)
        genre = slice_of(row->genre);
    work_put(w, "genre", genre);
}
