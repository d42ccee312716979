/* From the tags of a record to keys of a document, by tables. For ris.c, endnote.c and
 * nbib.c. */
#ifndef LABD_TEXT_TAGGED_DRAFT_H
#define LABD_TEXT_TAGGED_DRAFT_H

#include "server/text/draft.h"
#include "server/text/tagged.h"

/* For works of some kinds ("" all of them: "article chapter"): the key's value is the
 * first that is there of some tags. */
struct tagged_rule {
    const char *key;
    const char *kinds;
    const char *tags; /* "TI T1 BT" */
};

void tagged_apply(struct draft *draft, const struct tagged_record *record,
                  const struct tagged_rule *rules, size_t count);

/* Does `list` ("AU A1") have the word? */
bool tagged_among(const char *list, const char *word);

/* Every name of the fields with one of some tags, in the record's order. A field may hold
 * several, one a line (`lines`) or with ; between. */
void tagged_people(struct draft *draft, const char *list,
                   const struct tagged_record *record, const char *tags, bool lines);

/* A word and the kind that it stands for. */
struct tagged_kind {
    const char *word, *kind;
};
/* NULL when none of them is `word`. */
const char *tagged_kind(struct slice word, const struct tagged_kind *kinds, size_t count);

#endif
