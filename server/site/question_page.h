/* The page of one question in the builder: what it asks, by the type of the question. For
 * admin_form_question.c. */
#ifndef LABD_SITE_QUESTION_PAGE_H
#define LABD_SITE_QUESTION_PAGE_H

#include "server/form/definition.h"
#include "server/site/builder.h"

struct panel {
    struct builder builder;
    const struct form *form; /* question.json */
    const char *path;        /* NULL: a new question */
    const char *group;       /* that it stands in, or NULL */
    int64_t section;
    json_t *field; /* as it stands there; NULL: new */
    const char *type;
    bool fixed;   /* published: its name and type stay */
    bool profile; /* of the profile: only its words change */
    json_t *values, *errors;
    const char *ruler; /* of show_if */
    json_t *ruled;     /* its values */
    json_t *mine;      /* somebody was faster: what was typed, as a document; else NULL */
};

/* May an organiser choose the type, here? */
bool question_type_fits(const struct panel *panel, const char *name);

/* The questions before it that may rule when it is asked: [{name, ruler_label, selected,
 * options: [{value "name=value", label or word ("true", "false"), checked, id}]}]. */
json_t *question_rulers(const struct panel *panel);

/* The page; with panel->mine beside what stands there now, 409. */
MUST_USE enum result question_draw(struct panel *panel);
/* The first step of a new one: its type. */
MUST_USE enum result question_draw_types(struct panel *panel);

#endif
