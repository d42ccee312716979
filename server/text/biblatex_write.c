/* biblatex's types and fields; see biblatex_write.h. */
#include "server/text/biblatex_write.h"

#include "server/text/entry_write.h"

#include <string.h>

static const struct entry_shape shapes[] = {
    {"article",    "article",       "journaltitle", "publisher",   "number", "eid"   },
    {"conference", "inproceedings", "booktitle",    "publisher",   "issue",  "number"},
    {"book",       "book",          "maintitle",    "publisher",   "issue",  "number"},
    {"chapter",    "incollection",  "booktitle",    "publisher",   "issue",  "number"},
    {"thesis",     "thesis",        "howpublished", "institution", "issue",  "number"},
    {"report",     "report",        "journaltitle", "institution", "issue",  "number"},
    {"preprint",   "unpublished",   "howpublished", "publisher",   "issue",  "number"},
    {"software",   "software",      "journaltitle", "publisher",   "issue",  "number"},
    {"dataset",    "dataset",       "journaltitle", "publisher",   "issue",  "number"},
    {NULL,         "misc",          "howpublished", "publisher",   "issue",  "number"},
};

static const struct entry_dialect dialect = {shapes, "journaltitle", "location", true};

/* The genres that biblatex has words for in every language (manual, 4.9.2.13). */
static const char *genre_key(const char *genre)
{
    static const char *const keys[][2] = {
        {"PhD thesis",          "phdthesis" },
        {"Master’s thesis",   "mathesis"  },
        {"Bachelor’s thesis", "bathesis"  },
        {"Candidate thesis",    "candthesis"},
        {"Technical report",    "techreport"},
        {"Research report",     "resreport" },
    };
    for (size_t i = 0; genre != NULL && i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(keys[i][0], genre) == 0)
            return keys[i][1];
    return genre;
}

void biblatex_write(struct buf *out, json_t *work)
{
    struct entry entry = entry_of(&dialect, work);
    entry.genre = genre_key(entry.genre);
    entry_write(out, &dialect, &entry, work);
}
