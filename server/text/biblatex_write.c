/* biblatex's types and fields; see biblatex_write.h. */
#include "server/text/biblatex_write.h"

#include "server/text/entry_write.h"

static const struct entry_shape shapes[] = {
    {"article",    "article",       "journaltitle", "publisher",   "number", "eid"   },
    {"conference", "inproceedings", "booktitle",    "publisher",   "issue",  "number"},
    {"book",       "book",          "maintitle",    "publisher",   "issue",  "number"},
    {"chapter",    "incollection",  "booktitle",    "publisher",   "issue",  "number"},
    {"thesis",     "thesis",        "howpublished", "institution", "issue",  "number"},
    {"report",     "report",        "howpublished", "institution", "issue",  "number"},
    {"preprint",   "unpublished",   "howpublished", "publisher",   "issue",  "number"},
    {"software",   "software",      "howpublished", "publisher",   "issue",  "number"},
    {"dataset",    "dataset",       "howpublished", "publisher",   "issue",  "number"},
    {NULL,         "misc",          "howpublished", "publisher",   "issue",  "number"},
};

static const struct entry_dialect dialect = {shapes, "location", "type", "note", true};

void biblatex_write(struct buf *out, json_t *work)
{
    entry_write(out, &dialect, entry_shape(&dialect, work)->type, work);
}
