/* A thread that does one step after another and dozes between them until the time it
 * asked for is over or somebody wakes it. */
#ifndef LABD_BASE_TICKER_H
#define LABD_BASE_TICKER_H

#include <stdbool.h>
#include <stdint.h>

struct ticker;

/* `step` runs on the thread, with an arena that is reset after it, and says for how many
 * milliseconds to doze (0: not at all). */
struct ticker *ticker_new(int64_t (*step)(void *data), void *data);
void ticker_begin(struct ticker *ticker);
/* There may be something to do; from any thread, at any time. Waking oneself does
 * nothing. */
void ticker_wake(struct ticker *ticker); /* NULL is allowed */
/* Is the end near? For long steps to ask. */
bool ticker_stopping(struct ticker *ticker);
void ticker_halt(struct ticker *ticker); /* no further step; NULL is allowed */
void ticker_stop(struct ticker *ticker); /* waits for the end; NULL is allowed */

#endif
