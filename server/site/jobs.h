/* The thread that does work for later (db/store/job.h), one job at a time, and sends the
 * reminders that are due, beside any other instances of the program. */
#ifndef LABD_SITE_JOBS_H
#define LABD_SITE_JOBS_H

struct jobs;

struct jobs *jobs_start(const char *conninfo);
/* There may be a job; from any thread, at any time. */
void jobs_wake(struct jobs *jobs); /* NULL is allowed */
/* Ends within the second that a request to somebody else's server takes to be given up.
 */
void jobs_stop(struct jobs *jobs); /* NULL is allowed */

#endif
