/* Public pages, rendered once and kept ready to send (identity, gzip, brotli) until a
 * table that they read changes.
 *
 * A page remembers the version of every table at the START of its rendering; it is served
 * only while these are all current. page_cache_touch() raises versions; the database's
 * listener calls it for every notification. Only GET requests without the session cookie
 * are served or kept. Safe from any thread. */
#ifndef LABD_HTTP_PAGE_CACHE_H
#define LABD_HTTP_PAGE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct page_cache;

struct page_cache *page_cache_new(size_t bytes);
void page_cache_free(struct page_cache *cache); /* after the daemon has stopped */

/* The tables of this bit set have changed. */
void page_cache_touch(struct page_cache *cache, uint64_t tables);
/* true: nothing is served from the cache or kept (the listening connection is lost);
 * false: empties it and serves again. */
void page_cache_bypass(struct page_cache *cache, bool bypass);

struct page_cache_facts {
    uint64_t hits, misses, waits, evictions;
    size_t pages, bytes;
};
struct page_cache_facts page_cache_facts(struct page_cache *cache);

#endif
