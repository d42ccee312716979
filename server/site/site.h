/* What every handler may use of the running program; opened once at start, read-only
 * after. */
#ifndef LABD_SITE_SITE_H
#define LABD_SITE_SITE_H

struct view;
struct forms;
struct statics;

extern struct site {
    struct view *view;
    struct forms *forms;
    struct statics *statics;
} site;

#endif
