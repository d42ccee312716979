/* What every handler may use of the running program; opened once at start, read-only
 * after. */
#ifndef LABD_SITE_SITE_H
#define LABD_SITE_SITE_H

struct view;
struct forms;
struct statics;
struct route;

extern struct site {
    struct view *view;
    struct forms *forms;
    struct statics *statics;
    const struct route *const *routes; /* all of the program; see routes.h */
} site;

#endif
