/* BibTeX's types and fields; see bibtex_write.h. Those that "BibTeXing" (Patashnik 1988)
 * does not have are biblatex's, which BibTeX's styles pass over. */
#include "server/text/bibtex_write.h"

#include "server/base/document.h"
#include "server/text/entry_write.h"

#include <stdbool.h>
#include <string.h>

static const struct entry_shape shapes[] = {
    {"article",    "article",       "journal",      "publisher",   "number", "eid"   },
    {"conference", "inproceedings", "booktitle",    "publisher",   "issue",  "number"},
    {"book",       "book",          "booktitle",    "publisher",   "issue",  "number"},
    {"chapter",    "incollection",  "booktitle",    "publisher",   "issue",  "number"},
    {"thesis",     "phdthesis",     "howpublished", "school",      "issue",  "number"},
    {"report",     "techreport",    "howpublished", "institution", "issue",  "number"},
    {"preprint",   "unpublished",   "howpublished", "publisher",   "issue",  "number"},
    {"software",   "software",      "howpublished", "publisher",   "issue",  "number"},
    {"dataset",    "dataset",       "howpublished", "publisher",   "issue",  "number"},
    {NULL,         "misc",          "howpublished", "publisher",   "issue",  "number"},
};

static const struct entry_dialect dialect = {shapes, "address", "type", "note", false};

static bool has_arxiv(json_t *work)
{
    size_t i;
    json_t *identifier;
    json_array_foreach(json_object_get(work, "identifiers"), i,
                       identifier) if (strcmp(text_at(identifier, "scheme", ""),
                                              "arxiv") == 0) return true;
    return false;
}

/* @unpublished wants a note; what has an arXiv number is told by that. Master's theses
 * have a type of their own. */
static const char *type_of(json_t *work)
{
    const char *type = entry_shape(&dialect, work)->type;
    const char *given = text_at(work, "bibtex_type", "");
    const char *genre = text_at(work, "genre", "");
    if (strcmp(type, "phdthesis") == 0 &&
        (strcasecmp(given, "mastersthesis") == 0 || strcasestr(genre, "master") != NULL))
        return "mastersthesis";
    if (strcmp(type, "unpublished") == 0 && has_arxiv(work))
        return "misc";
    return type;
}

void bibtex_write(struct buf *out, json_t *work)
{
    entry_write(out, &dialect, type_of(work), work);
}
