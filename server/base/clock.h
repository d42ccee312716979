/* Monotonic time, for timers and durations. Expiry of anything stored is judged by the
 * database's clock, never by this one. */
#ifndef LABD_BASE_CLOCK_H
#define LABD_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Milliseconds since some fixed moment of this boot. */
static inline int64_t clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Microseconds, likewise. */
static inline int64_t clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

#endif
