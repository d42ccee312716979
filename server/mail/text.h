/* The words of mails: templates/mail/KIND.LANGUAGE.txt, or what an admin wrote in their
 * place (db/store/mail.h). Both are Mustache for plain text; the first line of a file is
 * "Subject: ...". Of the names that a text may use, `link` and `code` stay as they are in
 * a mail that waits, and are filled in when it goes out. */
#ifndef LABD_MAIL_TEXT_H
#define LABD_MAIL_TEXT_H

#include "server/base/language.h"
#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct view;

struct mail_kind {
    const char *name;
    bool linked;    /* useless without its link */
    bool stoppable; /* not a direct answer to something that the person did */
    bool collected; /* of a collection, which may have words of its own for it */
    const char *placeholders; /* of its body, space between; `name`, `lab` and, where
                                 listed, `collection` may stand in the subject too */
};

extern const struct mail_kind mail_kinds[];
extern const size_t mail_kind_count;

/* NULL: there is no such kind. */
const struct mail_kind *mail_kind_find(const char *name);

enum { MAIL_SUBJECT_MAX = 200, MAIL_BODY_MAX = 20000 }; /* code points */

/* Whether words may stand for a kind. INVALID: *errors, as of a submission
 * (form/submission.h), name "subject" or "body": required, too_long, mail_link (of a kind
 * that needs it, not in it whatever the other values are), mail_personal_link,
 * mail_placeholder (`near`: the tag that is not known there), mail_syntax. */
MUST_USE enum result mail_text_check(json_t **errors, const struct mail_kind *kind,
                                     const char *subject, const char *body);

/* Whether an admin's words may stand in a mail that waits, which is filled in already but
 * for {{link}} and {{code}}. INVALID: *errors as above. */
MUST_USE enum result mail_edit_check(json_t **errors, bool linked, const char *subject,
                                     const char *body);

/* Values of an invented person, in the language, for looking at words. */
json_t *mail_text_example(const struct mail_kind *kind, enum language language);

struct mail_words {
    const char *subject, *body;
};

/* Fills in words of an admin, which were checked. FAILED: they break a rule yet. */
MUST_USE enum result mail_text_fill(struct mail_words *filled,
                                    const struct mail_words *words, json_t *values);
/* The program's own words, filled in. */
MUST_USE enum result mail_text_render(struct mail_words *filled,
                                      const struct mail_kind *kind,
                                      enum language language, json_t *values);
/* The program's own words as they stand in the file (of the theme, or ours). */
MUST_USE enum result mail_text_original(struct mail_words *words,
                                        const struct mail_kind *kind,
                                        enum language language);

/* The same text as an HTML page: paragraphs, lines, and links where it has addresses. */
MUST_USE enum result mail_text_html(const char **html, const char *subject,
                                    const char *body, enum language language);

/* What those pages are made of: [{lines: [{more: not the first, parts: [{text, url}]}]}],
 * one of the two null. */
json_t *mail_text_paragraphs(const char *body);

/* A text of one line: what is no character that shows becomes a space. */
const char *mail_line(const char *text);
/* `text` with each `mark` replaced. */
const char *mail_replace(const char *text, const char *mark, const char *with);

/* The templates that all of this uses; set once at start. */
void mail_use(struct view *view);
struct view *mail_view(void);

#endif
