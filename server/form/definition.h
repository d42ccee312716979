/* Form definitions: what may be written about one kind of thing, said once.
 *
 * A definition is a JSON document templates/forms/NAME.json, which a theme's
 * forms/NAME.json replaces whole:
 *
 *   {"title": WORDS, "hint": WORDS, "require_one_of": [["name_han", "family_latin"]],
 *    "sections": [{"title": WORDS, "hint": WORDS, "fields": [FIELD]}]}
 *
 * WORDS is {"en": "...", "zh": "..."}, both present. A FIELD has "name", "type", "label"
 * and any of the attributes below. A definition with a mistake is refused at load, with
 * its file and the path of the mistake ("sections[0].fields[2].show_if: ...").
 *
 * The same definition draws the HTML form (page.h), reads and checks what comes back from
 * it, from JSON, BibTeX and CSV (submission.h) and publishes a JSON Schema (schema.h). */
#ifndef LABD_FORM_DEFINITION_H
#define LABD_FORM_DEFINITION_H

#include "server/base/arena.h"
#include "server/base/language.h"
#include "server/base/result.h"

#include <jansson.h>
#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

enum field_type {
    FIELD_TEXT,        /* one line */
    FIELD_TEXTAREA,    /* several lines */
    FIELD_MARKDOWN,    /* several lines, drawn as Markdown */
    FIELD_PASSWORD,    /* never drawn again, not trimmed; NFC (RFC 8265, OpaqueString) */
    FIELD_INTEGER,     /* JSON integer */
    FIELD_DECIMAL,     /* JSON number */
    FIELD_DATE,        /* "2024-09-01" */
    FIELD_MONTH,       /* "2024-09" */
    FIELD_BOOLEAN,     /* never null: absent is false */
    FIELD_CHOICE,      /* one of "choices" */
    FIELD_MULTICHOICE, /* array of some of them, in their order */
    FIELD_EMAIL,       /* name@example.org */
    FIELD_URL,         /* http or https, with a host, without credentials */
    FIELD_PHONE,       /* digits, +, spaces, ( ) - . */
    FIELD_ORCID,       /* bare, "0000-0002-1825-0097", check digit right */
    FIELD_PERSON,      /* the slug of a person; that there is one, the store checks */
    FIELD_FILE,        /* {"filename", "size"}; the bytes are the request's upload */
    FIELD_PHOTO,       /* the token of a stored photo; an upload becomes one before a form
                          is read (site/photos.h) */
    FIELD_DOCUMENT,    /* the token of a stored PDF, likewise (site/documents.h) */
    FIELD_GROUP,       /* array of objects with the fields in "fields" */
    FIELD_RECORD,      /* one object; only made by us: "visibility" */
    FIELD_TYPE_COUNT
};

/* Who fills the form in. */
enum form_audience { FOR_MEMBER, FOR_ADMIN };

/* A date that names only a month or a year means its first or its last day; without
 * rounding it is refused. */
enum rounding { ROUND_NOT, ROUND_TO_START, ROUND_TO_END };

struct words {
    const char *text[LANGUAGE_COUNT]; /* NULL when there are none */
};

struct strings {
    const char **items;
    size_t count;
};

struct choice {
    const char *value;
    struct words label;
    struct strings words; /* value, labels and "also" (other words that mean it), folded:
                             what a CSV cell may say */
};

struct field {
    const char *name; /* a-z, digits, underscore; the document's key */
    enum field_type type;
    struct words label, hint;
    bool required;
    bool multiple; /* a file: several may be chosen; the form has the first */
    bool admin;    /* "audience": "admin": nobody else sees it or may send it */
    bool hidden;   /* only in documents (JSON, BibTeX), never in HTML or CSV */
    bool raw;      /* text kept as sent: neither trimmed nor NFC */
    size_t min_length, max_length; /* code points, line ends counted once; max_length > 0
                                      for every text */
    json_int_t least,
        most;            /* "min", "max": of a number; bytes of a file; rows of a group */
    const char *pattern; /* POSIX extended, without {} and back references; anchored */
    regex_t matcher;
    enum rounding round;
    const char *not_before;    /* a date that this date may not precede */
    const char *identifier_of; /* the choice beside it (doi, arxiv, isbn, pmid) says how
                                  this value is checked and normalised */
    const char *show_field;    /* "show_if": {"field", "equals": x or "in": [..]} */
    struct strings show_values;
    const char *visibility; /* its key in the document's "visibility", or NULL */
    const char *fallback;   /* "default": of a choice that was left out */
    struct choice *choices;
    size_t choice_count;
    struct strings nothing; /* words that mean "empty" in a CSV cell ("至今"), folded */
    struct strings columns; /* other headings for it in a CSV file */
    const char *autocomplete; /* token of HTML's autofill */
    const char *input_mode;   /* as HTML's inputmode; NULL: as the type has it */
    const char *language;     /* BCP 47 tag of its text, or NULL */
    json_int_t rows;          /* height of a text area, lines */
    struct field *fields;     /* of a group or record */
    size_t field_count;
};

struct section {
    struct words title, hint;
    size_t first, count; /* of the form's fields */
};

struct form {
    const char *name;
    struct words title, hint;
    struct section *sections;
    size_t section_count;
    struct field
        *fields; /* of all sections, in order; then "visibility" if any needs it */
    size_t field_count;
    struct strings *require_one_of; /* at least one field of each is not empty */
    size_t require_one_of_count;
};

/* Reads a definition. Everything lives on `arena`, except the compiled patterns: give
 * those back with form_free(). On INVALID `problem` holds one English sentence. `where`
 * is the file, for that sentence. */
MUST_USE enum result form_load(const struct form **form, struct arena *arena,
                               const char *name, const char *where, json_t *definition,
                               char *problem, size_t problem_size);
void form_free(const struct form *form);

/* All that form_load() would refuse in a definition that is still being written, in its
 * order: [{code, path, section, group, name, rest, detail}]. section: its number from 0,
 * or null; name: of the field, group: of the group that it stands in, or null; rest: what
 * is wrong there, "label.en" or "choices[2].label.zh"; detail: one English sentence.
 * Codes: "empty" (a text or list at `rest`), "label", "choices", "choice_twice",
 * "section_empty", "no_sections", "group_empty", "show_if", "least_most", "number",
 * "group_rows", "pattern" (and pattern_long, _braces, _escape, _length), "default",
 * "name", "name_twice", "not_before", "identifier_of", "one_of", "visibility_many",
 * "group_nested", "type", "not_for_type", "shape". */
json_t *form_problems(json_t *definition);

/* The name of a type as in a definition: "text", "group". */
const char *field_type_name(enum field_type type);
/* The type of that name; false: there is none that a definition may name. */
bool field_type_named(enum field_type *type, const char *name);

/* A field of `fields` by name, or NULL. */
const struct field *field_named(const struct field *fields, size_t count,
                                const char *name);

/* May it not be empty (required, or a group of at least one row)? */
bool field_needed(const struct field *field);

/* Is it a text (its value in a document is a string that length and pattern apply to)? */
bool field_is_text(enum field_type type);

/* Body fields that every form may carry and no definition may take: csrf, version,
 * change, action, next; and redraws, which form.html adds: a form drawn by it knows the
 * action "redraw" (submission.h). */
bool form_reserved(const char *name);

#endif
