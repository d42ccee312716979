/* What happens by itself as time passes, on a thread with its own connection: reminders
 * by their schedule, looked at each minute. Any number of instances may do so at once. */
#ifndef LABD_SITE_SCHEDULE_H
#define LABD_SITE_SCHEDULE_H

struct schedule;

/* mail_use() was called before, and mail_set_origin(). */
struct schedule *schedule_start(const char *conninfo);
/* Ends after the reminders at hand. NULL is allowed. */
void schedule_stop(struct schedule *schedule);

#endif
