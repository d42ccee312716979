/* A request about an invitation of the member's own: what is asked, what is answered. */
#ifndef LABD_SITE_ANSWERING_H
#define LABD_SITE_ANSWERING_H

#include "server/form/submission.h"
#include "server/http/request.h"
#include "server/http/response.h"

struct answering {
    json_t *state; /* answer_state() */
    const struct form *form;
    json_t *start;    /* what the form is before anything is typed: approved, or known;
                         NULL while there is a draft, until answering_find_start() */
    bool known;       /* `start` has been approved or confirmed before, as a whole */
    json_t *document; /* the open change's; else `start` */
    struct submission read; /* `document` as the form reads it */
    const char *base;       /* "/my/collections/7" */
};

/* Of :id. When there is nothing to answer (any more), `*answered` and the response says
 * why; with what was posted, if anything was. `writing`: what was sent in must be taken
 * back first. */
MUST_USE enum result answering_begin(struct answering *answering, struct request *request,
                                     struct response *response, bool writing,
                                     bool *answered);
/* Likewise without the gate. NOT_FOUND: not asked. */
MUST_USE enum result answering_load(struct answering *answering, struct request *request);
MUST_USE enum result answering_find_start(struct answering *answering,
                                          struct request *request);
/* Why nothing is taken: NULL, "withdrawn", "draft", "closed", "closing", "over". */
const char *answering_refusal(const struct answering *answering);
/* The page that says so, with status 200 for a GET, else 409. */
MUST_USE enum result answering_closed(const struct answering *answering,
                                      struct request *request, struct response *response,
                                      const char *reason);

bool answering_in(const struct answering *answering, const char *change_state);
/* Sent in, and nobody waits for more: not so once they are asked again. */
bool answering_waiting(const struct answering *answering);
/* "/my/collections/7/sections/2" */
const char *answering_path(const struct answering *answering, const char *below, ...)
    __attribute__((format(printf, 2, 3)));

/* Does section `index` have anything for members? */
bool answering_has_section(const struct answering *answering, size_t index);
/* Is anything of it among what is asked? All is, unless it is asked again. */
bool answering_asks(const struct answering *answering, size_t index);
/* The first asked section after `index` (-1: of all); -1: none. */
int answering_next(const struct answering *answering, int index);
/* [{number, title, state, state_class, asked, missing: [label]}] of all sections. States:
 * "new", "todo", "doing", "done", "attention". */
json_t *answering_sections(const struct answering *answering, enum language language);
/* Percent; `saved`: a section that counts as gone through, -1: none more. */
int answering_complete(const struct answering *answering, int saved);

/* Adds what all pages of an invitation have: `collection` {id, title_en, title_zh, kind},
 * `base`, `until` (null or {year, month, day, zone}), `state`, `change` ("12.3"),
 * `pilot`, `comment`, `session_ends`. */
void answering_add(json_t *document, const struct answering *answering,
                   const struct request *request);

/* {rows}, or null when there are none. */
json_t *answering_some(json_t *rows);

/* The reviewer's words about fields: null, or {rows: [{label, text, href}]}; of one
 * section, or (-1) of all. */
json_t *answering_remarks(const struct answering *answering, int section,
                          const struct request *request);

/* For `until` and `time_zone` of a row: {year, month, day, zone}, or null. */
json_t *answering_until(const json_t *row);

#endif
