/* BibTeX's types and fields; see bibtex_write.h. Those that "BibTeXing" (Patashnik 1988)
 * does not have are biblatex's, which BibTeX's styles pass over. */
#include "server/text/bibtex_write.h"

#include "server/base/document.h"
#include "server/text/entry_write.h"

#include <string.h>

static const struct entry_shape shapes[] = {
    {"article",    "article",       "journal",      "publisher",   "number", "eid"   },
    {"conference", "inproceedings", "booktitle",    "publisher",   "issue",  "number"},
    {"book",       "book",          "booktitle",    "publisher",   "issue",  "number"},
    {"chapter",    "incollection",  "booktitle",    "publisher",   "issue",  "number"},
    {"thesis",     "phdthesis",     "howpublished", "school",      "issue",  "number"},
    {"report",     "techreport",    "journal",      "institution", "issue",  "number"},
    {"preprint",   "unpublished",   "howpublished", "publisher",   "issue",  "number"},
    {"software",   "software",      "journal",      "publisher",   "issue",  "number"},
    {"dataset",    "dataset",       "journal",      "publisher",   "issue",  "number"},
    {NULL,         "misc",          "howpublished", "publisher",   "issue",  "number"},
};

static const struct entry_dialect dialect = {shapes, "journal", "address", false};

/* BibTeX's styles know theses of two kinds and print their names unless told another; one
 * of which nobody said what it is is "Thesis". */
static void choose_thesis(struct entry *entry, json_t *work)
{
    const char *genre = entry->genre;
    if (genre == NULL && strcasecmp(text_at(work, "bibtex_type", ""), "thesis") == 0) {
        entry->type = "thesis";
    } else if (genre == NULL &&
               strcasecmp(text_at(work, "bibtex_type", ""), "mastersthesis") == 0) {
        entry->type = "mastersthesis";
    } else if (genre == NULL) {
        entry->genre = "Thesis";
    } else if (strcmp(genre, "PhD thesis") == 0) {
        entry->genre = NULL;
    } else if (strcmp(genre, "Master’s thesis") == 0) {
        entry->type = "mastersthesis";
        entry->genre = NULL;
    } else if (strcasestr(genre, "master") != NULL || strstr(genre, "硕士") != NULL) {
        entry->type = "mastersthesis";
    }
}

void bibtex_write(struct buf *out, json_t *work)
{
    struct entry entry = entry_of(&dialect, work);
    if (strcmp(entry.type, "phdthesis") == 0)
        choose_thesis(&entry, work);
    else if (strcmp(entry.type, "techreport") == 0 && entry.genre == NULL &&
             strcasecmp(text_at(work, "bibtex_type", ""), "manual") == 0)
        entry.type = "manual";
    else if (strcmp(entry.type, "book") == 0 &&
             strcasecmp(text_at(work, "bibtex_type", ""), "proceedings") == 0)
        entry.type = "proceedings";
    entry_write(out, &dialect, &entry, work);
}
