/* The page cache: sixteen hash tables, each with a lock and an LRU list. Versions are
 * moments of one counter: a table's is the moment of its last change, a page's that of
 * the start of its rendering. */
#include "server/base/log.h"
#include "server/http/page_flight.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { SHARDS = 16, BUCKETS = 512, TABLES = 64 };

struct page_flight {
    uint64_t stamp;
    struct page_waiter *waiting, **last;
    char key[];
};

struct entry {
    struct entry *next;           /* of the bucket */
    struct entry *newer, *older;  /* by last use */
    struct ready *ready;          /* NULL: not there yet */
    struct page_flight *flight;   /* the latest one; NULL: none */
    uint64_t tables, stamp, seen; /* seen: a moment at which it was found current */
    uint64_t hash;
    size_t bytes;
    char key[];
};

struct shard {
    pthread_mutex_t lock;
    struct entry *buckets[BUCKETS];
    struct entry *newest, *oldest;
    size_t bytes, pages;
    uint64_t hits, misses, waits, evictions;
};

struct page_cache {
    size_t shard_bytes;
    unsigned char secret[crypto_shorthash_KEYBYTES];
    atomic_bool bypass;
    atomic_ullong now, changed[TABLES];
    pthread_mutex_t touching;
    struct shard shards[SHARDS];
};

struct page_cache *page_cache_new(size_t bytes)
{
    struct page_cache *cache = calloc(1, sizeof *cache);
    if (cache == NULL)
        abort();
    cache->shard_bytes = bytes / SHARDS;
    cache->bypass = bytes == 0;
    randombytes_buf(cache->secret, sizeof cache->secret);
    pthread_mutex_init(&cache->touching, NULL);
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_init(&cache->shards[i].lock, NULL);
    return cache;
}

static uint64_t hash_key(const struct page_cache *cache, const char *key)
{
    uint64_t hash = 0;
    crypto_shorthash((unsigned char *)&hash, (const unsigned char *)key, strlen(key),
                     cache->secret);
    return hash;
}

static struct shard *shard_of(struct page_cache *cache, uint64_t hash)
{
    return &cache->shards[hash % SHARDS];
}

static struct entry **slot(struct shard *shard, uint64_t hash, const char *key)
{
    struct entry **place = &shard->buckets[hash / SHARDS % BUCKETS];
    while (*place != NULL && ((*place)->hash != hash || strcmp((*place)->key, key) != 0))
        place = &(*place)->next;
    return place;
}

static void unlink_use(struct shard *shard, struct entry *entry)
{
    *(entry->newer != NULL ? &entry->newer->older : &shard->newest) = entry->older;
    *(entry->older != NULL ? &entry->older->newer : &shard->oldest) = entry->newer;
}

static void link_newest(struct shard *shard, struct entry *entry)
{
    entry->newer = NULL;
    entry->older = shard->newest;
    *(entry->older != NULL ? &entry->older->newer : &shard->oldest) = entry;
    shard->newest = entry;
}

/* Takes the page out of the entry, and the entry out of the table unless a rendering
 * hangs on it. */
static void drop(struct shard *shard, struct entry *entry)
{
    if (entry->ready != NULL) {
        shard->bytes -= entry->bytes;
        shard->pages--;
        ready_release(entry->ready);
        entry->ready = NULL;
    }
    if (entry->flight != NULL)
        return;
    struct entry **place = slot(shard, entry->hash, entry->key);
    *place = entry->next;
    unlink_use(shard, entry);
    free(entry);
}

static bool current(struct page_cache *cache, uint64_t tables, uint64_t stamp)
{
    for (; tables != 0; tables &= tables - 1)
        if (cache->changed[__builtin_ctzll(tables)] > stamp)
            return false;
    return true;
}

/* The entry's page if there is one and it is current; stale ones are dropped. */
static struct ready *fresh(struct page_cache *cache, struct shard *shard,
                           struct entry *entry)
{
    if (entry == NULL || entry->ready == NULL)
        return NULL;
    uint64_t now = cache->now;
    if (entry->seen != now && !current(cache, entry->tables, entry->stamp)) {
        drop(shard, entry);
        return NULL;
    }
    entry->seen = now;
    if (shard->newest != entry) {
        unlink_use(shard, entry);
        link_newest(shard, entry);
    }
    shard->hits++;
    return ready_hold(entry->ready);
}

struct ready *page_cache_get(struct page_cache *cache, const char *key)
{
    if (cache->bypass)
        return NULL;
    uint64_t hash = hash_key(cache, key);
    struct shard *shard = shard_of(cache, hash);
    pthread_mutex_lock(&shard->lock);
    struct ready *ready = fresh(cache, shard, *slot(shard, hash, key));
    pthread_mutex_unlock(&shard->lock);
    return ready;
}

static struct page_flight *flight_new(struct page_cache *cache, const char *key)
{
    struct page_flight *flight = calloc(1, sizeof *flight + strlen(key) + 1);
    if (flight == NULL)
        abort();
    flight->stamp = cache->now;
    flight->last = &flight->waiting;
    memcpy(flight->key, key, strlen(key) + 1);
    return flight;
}

static struct entry *entry_for(struct shard *shard, uint64_t hash, const char *key)
{
    struct entry **place = slot(shard, hash, key);
    if (*place != NULL)
        return *place;
    struct entry *entry = calloc(1, sizeof *entry + strlen(key) + 1);
    if (entry == NULL)
        abort();
    entry->hash = hash;
    memcpy(entry->key, key, strlen(key) + 1);
    *place = entry;
    link_newest(shard, entry);
    return entry;
}

/* A rendering that began before the last change may show what was before it: who asks
 * after the change does not wait for that one. */
static enum page_join board(struct page_cache *cache, struct shard *shard,
                            struct entry *entry, struct page_waiter *waiter,
                            struct page_flight **flight)
{
    if (entry->flight != NULL && entry->flight->stamp == cache->now) {
        waiter->next = NULL;
        *entry->flight->last = waiter;
        entry->flight->last = &waiter->next;
        shard->waits++;
        return PAGE_WAIT;
    }
    shard->misses++;
    *flight = entry->flight = flight_new(cache, entry->key);
    return PAGE_RENDER;
}

enum page_join page_cache_join(struct page_cache *cache, const char *key,
                               struct page_waiter *waiter, struct ready **ready,
                               struct page_flight **flight)
{
    enum page_join outcome = PAGE_READY;
    *flight = NULL;
    *ready = NULL;
    if (cache->bypass)
        return PAGE_APART;
    uint64_t hash = hash_key(cache, key);
    struct shard *shard = shard_of(cache, hash);
    pthread_mutex_lock(&shard->lock);
    *ready = fresh(cache, shard, *slot(shard, hash, key));
    if (*ready == NULL)
        outcome = board(cache, shard, entry_for(shard, hash, key), waiter, flight);
    pthread_mutex_unlock(&shard->lock);
    return outcome;
}

static void keep(struct page_cache *cache, struct shard *shard, struct entry *entry,
                 const struct page_flight *flight, struct ready *ready, uint64_t tables)
{
    if (cache->bypass || ready->bytes > cache->shard_bytes / 2 ||
        !current(cache, tables, flight->stamp) ||
        (entry->ready != NULL && entry->stamp >= flight->stamp))
        return;
    if (entry->ready != NULL) {
        shard->bytes -= entry->bytes;
        shard->pages--;
        ready_release(entry->ready);
    }
    entry->ready = ready_hold(ready);
    entry->bytes = ready->bytes + sizeof *entry + strlen(entry->key);
    entry->tables = tables;
    entry->stamp = entry->seen = flight->stamp;
    shard->bytes += entry->bytes;
    shard->pages++;
    struct entry *newer = NULL;
    for (struct entry *oldest = shard->oldest;
         oldest != NULL && shard->bytes > cache->shard_bytes; oldest = newer) {
        newer = oldest->newer;
        if (oldest->ready == NULL || oldest == entry)
            continue;
        shard->evictions++;
        drop(shard, oldest);
    }
}

/* The next waiter's flight takes the place of a failed one, with the others on it. */
static struct page_flight *relay(struct page_cache *cache, struct page_flight *flight)
{
    struct page_flight *next = flight_new(cache, flight->key);
    next->waiting = flight->waiting->next;
    if (next->waiting != NULL)
        next->last = flight->last;
    flight->waiting->next = NULL;
    return next;
}

void page_cache_land(struct page_cache *cache, struct page_flight *flight,
                     struct ready *ready, uint64_t tables, bool failed)
{
    uint64_t hash = hash_key(cache, flight->key);
    struct shard *shard = shard_of(cache, hash);
    struct page_flight *next = NULL;
    pthread_mutex_lock(&shard->lock);
    struct entry *entry = entry_for(shard, hash, flight->key);
    bool latest = entry->flight == flight;
    if (ready == NULL && failed && flight->waiting != NULL)
        next = relay(cache, flight);
    if (latest)
        entry->flight = next;
    if (ready != NULL)
        keep(cache, shard, entry, flight, ready, tables);
    if (entry->ready == NULL)
        drop(shard, entry);
    struct page_waiter *waiter = flight->waiting;
    pthread_mutex_unlock(&shard->lock);
    while (waiter != NULL) {
        struct page_waiter *after = waiter->next;
        waiter->wake(waiter, ready != NULL ? ready_hold(ready) : NULL, next);
        waiter = after;
    }
    free(flight);
}

void page_cache_touch(struct page_cache *cache, uint64_t tables)
{
    pthread_mutex_lock(&cache->touching);
    uint64_t moment = cache->now + 1;
    for (; tables != 0; tables &= tables - 1)
        cache->changed[__builtin_ctzll(tables)] = moment;
    cache->now = moment;
    pthread_mutex_unlock(&cache->touching);
}

static void empty(struct page_cache *cache)
{
    for (int i = 0; i < SHARDS; i++) {
        struct shard *shard = &cache->shards[i];
        pthread_mutex_lock(&shard->lock);
        struct entry *older = NULL;
        for (struct entry *entry = shard->newest; entry != NULL; entry = older) {
            older = entry->older;
            drop(shard, entry);
        }
        pthread_mutex_unlock(&shard->lock);
    }
}

void page_cache_bypass(struct page_cache *cache, bool bypass)
{
    if (cache->shard_bytes == 0 || cache->bypass == bypass)
        return;
    if (bypass)
        log_debug("page_cache.bypassed");
    else
        log_info("page_cache.back");
    page_cache_touch(cache, UINT64_MAX);
    empty(cache);
    cache->bypass = bypass;
}

void page_cache_free(struct page_cache *cache)
{
    if (cache == NULL)
        return;
    empty(cache);
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_destroy(&cache->shards[i].lock);
    pthread_mutex_destroy(&cache->touching);
    free(cache);
}

struct page_cache_facts page_cache_facts(struct page_cache *cache)
{
    struct page_cache_facts facts = {0};
    for (int i = 0; i < SHARDS; i++) {
        struct shard *shard = &cache->shards[i];
        pthread_mutex_lock(&shard->lock);
        facts.hits += shard->hits;
        facts.misses += shard->misses;
        facts.waits += shard->waits;
        facts.evictions += shard->evictions;
        facts.pages += shard->pages;
        facts.bytes += shard->bytes;
        pthread_mutex_unlock(&shard->lock);
    }
    return facts;
}
