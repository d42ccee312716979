/* Where in an HTML page a template's tag stands. The literal text of a template is fed
 * through this small machine as the template is read; at each tag it says how a value is
 * written there, or why nothing may be written there.
 *
 * Values are allowed in the text and in quoted attribute values. Refused are <script>,
 * <style> and the other elements whose text is not parsed, comments, <!...>, the names of
 * elements and attributes, unquoted values, the attributes style, srcdoc and on..., and
 * the start of srcset. Sections are allowed there and between the attributes of a tag as
 * well; each must end in the place where it began, so that a page is well formed
 * whichever branches are taken. */
#ifndef LABD_VIEW_HTML_CONTEXT_H
#define LABD_VIEW_HTML_CONTEXT_H

#include "server/view/escape.h"

#include <stdbool.h>
#include <stddef.h>

enum html_place {
    HTML_TEXT,
    HTML_TAG_OPEN, /* behind "<" */
    HTML_TAG_NAME,
    HTML_BETWEEN,    /* white space between attributes */
    HTML_NAME_ENDED, /* a tag of the template ended the name or value before it */
    HTML_ATTRIBUTE_NAME,
    HTML_BEHIND_NAME, /* white space behind an attribute's name */
    HTML_BEFORE_VALUE,
    HTML_VALUE,
    HTML_BARE_VALUE,
    HTML_BEHIND_VALUE,
    HTML_DECLARATION, /* <!doctype ...> and <?...> */
    HTML_COMMENT,
    HTML_RAW /* the inside of <script> and the like */
};

enum html_attribute {
    HTML_PLAIN,
    HTML_URL,    /* src, action, ...: URL */
    HTML_HREF,   /* URL, mailto: allowed */
    HTML_SRCSET, /* a list of URLs: a value may only be a part of one */
    HTML_REFUSED
};

/* How much of a URL stands before the tag. */
enum html_url {
    HTML_URL_START,
    HTML_URL_BEGUN,
    HTML_URL_ADDRESS, /* behind "mailto:" */
    HTML_URL_UNSURE   /* begun in one branch only */
};

/* All zero at the start of a page. */
struct html_context {
    enum html_place place;
    enum html_attribute attribute;
    enum html_url url;
    char quote;
    bool closing;        /* in </...> */
    unsigned char match; /* progress in what is being looked for */
    unsigned char name_length, element_length;
    char name[16], element[16]; /* lower case, cut */
};

/* Each returns NULL, or a reason in English why the template is refused. */

/* Literal text; `*at` is where in it the refused character stands. */
const char *html_context_text(struct html_context *context, const char *text,
                              size_t length, size_t *at);
/* A variable; `*escape` is set. `raw` for {{{...}}}: the text alone. */
const char *html_context_variable(struct html_context *context, bool raw,
                                  enum escape *escape);
/* A message: as a variable, but never in a URL. */
const char *html_context_message(struct html_context *context);
/* The beginning or end of a section or block. */
const char *html_context_section(struct html_context *context);
/* The end of a section that began in `before`; the machine goes on with what both
 * branches have in common. */
const char *html_context_join(struct html_context *context,
                              const struct html_context *before);
/* A partial, a parent, the end of a template: the text alone. */
const char *html_context_whole(const struct html_context *context);

#endif
