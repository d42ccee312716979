/* The daemon's side of the page cache: finding pages, and rendering a missing one once
 * while others wait. Nothing here blocks. */
#ifndef LABD_HTTP_PAGE_FLIGHT_H
#define LABD_HTTP_PAGE_FLIGHT_H

#include "server/http/page_cache.h"
#include "server/http/ready.h"

struct page_flight; /* a rendering under way */

/* Somebody who waits for a rendering. `wake` is called once, from any thread, with one
 * of: a page (a reference of his own), a flight (it is his turn to render), or neither
 * (the answer is not for sharing: he renders for himself). */
struct page_waiter {
    struct page_waiter *next;
    void (*wake)(struct page_waiter *waiter, struct ready *ready,
                 struct page_flight *flight);
};

/* A current page of this key, with a reference for the caller, or NULL. */
struct ready *page_cache_get(struct page_cache *cache, const char *key);

enum page_join {
    PAGE_READY,  /* *ready, with a reference */
    PAGE_RENDER, /* the caller renders, and lands *flight */
    PAGE_WAIT,   /* `waiter` will be woken */
    PAGE_APART   /* no cache for now: the caller renders for himself */
};
enum page_join page_cache_join(struct page_cache *cache, const char *key,
                               struct page_waiter *waiter, struct ready **ready,
                               struct page_flight **flight);

/* Ends a rendering. With `ready`, which read `tables`: it is kept if still current, and
 * the waiters get it. Without: with `failed` the next waiter tries, else all render. */
void page_cache_land(struct page_cache *cache, struct page_flight *flight,
                     struct ready *ready, uint64_t tables, bool failed);

#endif
