/* The inside of a compiled template, shared by the files that read, link and render it.
 * Nodes stand in document order: the children of a node follow it directly. */
#ifndef LABD_VIEW_NODE_H
#define LABD_VIEW_NODE_H

#include "server/base/slice.h"
#include "server/view/escape.h"
#include "server/view/template.h"

#include <stdint.h>

/* A dotted name, split; no segments: "." */
struct path {
    const struct slice *segments;
    size_t count;
};

enum node_kind {
    NODE_TEXT,
    NODE_VARIABLE,
    NODE_SECTION,
    NODE_INVERTED,
    NODE_PARTIAL,
    NODE_PARENT,
    NODE_BLOCK,
    NODE_MESSAGE
};

struct node {
    enum node_kind kind;
    enum escape escape; /* of a variable */
    uint32_t span;      /* nodes from this one to behind its last child */
    uint32_t at;        /* its tag in the source */
    bool dynamic;       /* partial, parent, message: `path` names the rest of the name */
    bool alone;         /* block: its content starts a line, and is kept without indent */
    bool in_attribute;  /* block: stands in an attribute's value */
    bool has_markup;    /* block: its text holds < > or " */
    struct slice text;  /* the literal text, or the name (of a dynamic one: the prefix) */
    struct path path;
    struct slice indent; /* partial, parent, block: put before each of its lines */
    union {
        const struct template *target; /* partial, parent */
        const struct message *message;
        struct {
            uint32_t from, to; /* the content in the source, for lambdas */
            struct slice open, close;
        } inside; /* section */
    };
};

struct template
{
    enum template_kind kind;
    const char *file;
    struct slice source;
    struct node *nodes;
    size_t count;
};

/* A piece of the source: text (that does not go beyond its line) or a tag. */
struct token {
    char sigil;          /* # ^ / > < $ ! = & {, 'v' a variable, 't' text */
    bool dropped;        /* text that goes away with the standalone tag on its line */
    bool standalone;     /* a tag on a line that holds nothing to show */
    bool first;          /* a tag with nothing but white space before it on its line */
    uint32_t from, to;   /* in the source, delimiters included */
    struct slice name;   /* without sigil and surrounding white space */
    struct slice indent; /* the white space before a `first` tag */
    struct slice open, close; /* delimiters in force behind the tag */
};

struct tokens {
    struct token *items;
    size_t count, capacity;
};

static inline bool template_strict(const struct template *template)
{
    return template->kind != TEMPLATE_LENIENT;
}

static inline bool slice_equal(struct slice a, struct slice b)
{
    return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

/* Fills `problem` for the place `at` in the template's source; returns INVALID. */
enum result template_complain(const struct template *template, size_t at,
                              struct template_problem *problem, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* scan.c: the source cut into tokens, standalone lines marked. */
MUST_USE enum result template_scan(struct tokens *out, const struct template *template,
                                   struct arena *arena, struct slice open,
                                   struct slice close, struct template_problem *problem);
/* The token that closes the section, parent or block at `index`, or `end` when it is not
 * before `end`. */
size_t token_match(const struct tokens *tokens, size_t index, size_t end);

/* parse.c: template_read with other delimiters. */
MUST_USE enum result template_read_with(struct template **out, struct arena *arena,
                                        enum template_kind kind, const char *file,
                                        struct slice text, struct slice open,
                                        struct slice close,
                                        struct template_problem *problem);

/* link.c: asks a library, which may be NULL or lack the function. */
const struct template *library_partial(const struct template_library *library,
                                       enum template_kind kind, struct slice name);
const struct message *library_message(const struct template_library *library,
                                      struct slice key);

#endif
