/* What view.c keeps: one reading of all files. It never changes once made. */
#ifndef LABD_VIEW_SET_H
#define LABD_VIEW_SET_H

#include "server/view/catalog.h"

#include <stdatomic.h>
#include <stdint.h>

struct view_file {
    const char *name;          /* "people/show.html" */
    const char *path;          /* as opened */
    int layer;                 /* 1: of the theme */
    struct template *template; /* NULL: a catalog */
    _Atomic size_t usual;      /* length of its last page */
};

struct view_set {
    struct template_library library; /* first: its callbacks get a pointer to it */
    struct arena *arena;
    struct view_file *files; /* sorted by name */
    size_t count, capacity;
    struct catalog catalog;
    uint64_t signature; /* of names, sizes and times of all files */
    bool broken;        /* then `problem` says why */
    struct template_problem problem;
    unsigned users; /* view.c's, under its lock */
};

/* Never fails: a set that cannot be made is broken. */
struct view_set *view_set_load(const char *home, const char *theme);
void view_set_free(struct view_set *set);
/* The signature that a set read now would have. */
uint64_t view_set_signature(const char *home, const char *theme);

struct view_file *view_set_find(const struct view_set *set, const char *name,
                                size_t length, const char *ending);

#endif
