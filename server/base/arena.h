/* Memory that is given back all at once.
 *
 * A request, an import, a loaded catalog owns one arena; whatever is made for it lives
 * there until arena_reset() or arena_free(). Memory is aligned for any type. Allocation
 * never fails: when the system has no memory left the process ends with a log line, and
 * its supervisor starts it again (all input is bounded before it is stored).
 *
 * jansson allocates here too: once json_on_arena() has run, every json_t belongs to the
 * arena that is current on the calling thread (arena_enter) and json_decref() frees
 * nothing.
 *
 * In sanitizer builds every item has its own malloc, so that an overrun is caught. */
#ifndef LABD_BASE_ARENA_H
#define LABD_BASE_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *arena); /* NULL is allowed */

/* Gives back everything but a first block kept for reuse. */
void arena_reset(struct arena *arena);

/* Bytes handed out since the last reset. */
size_t arena_used(const struct arena *arena);

void *arena_alloc(struct arena *arena, size_t size); /* not zeroed */
void *arena_zero(struct arena *arena, size_t size);  /* zeroed */
/* A copy of `length` bytes with a NUL behind them. */
char *arena_copy(struct arena *arena, const char *bytes, size_t length);
char *arena_string(struct arena *arena, const char *string);
char *arena_print(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define ARENA_NEW(arena, type) ((type *)arena_zero((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count)                                                  \
    ((type *)arena_zero((arena), (count) * sizeof(type)))

/* Makes `arena` (or none: NULL) the one that jansson uses on this thread; returns the one
 * before, to be put back. */
struct arena *arena_enter(struct arena *arena);
/* The current arena of this thread; the process ends when there is none. */
struct arena *arena_current(void);

/* Installs the jansson hooks; called once at the start of every program. */
void json_on_arena(void);

#endif
