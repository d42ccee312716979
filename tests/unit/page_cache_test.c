/* The page cache: versions, waiting for one rendering, limits, and threads. */
#include "server/http/page_flight.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct waiting {
    struct page_waiter waiter; /* first */
    int woken;
    struct ready *ready;
    struct page_flight *flight;
};

static void wake(struct page_waiter *waiter, struct ready *ready,
                 struct page_flight *flight)
{
    struct waiting *waiting = (struct waiting *)waiter;
    waiting->woken++;
    waiting->ready = ready;
    waiting->flight = flight;
}

static struct ready *make_page(size_t length)
{
    static const struct field none[] = {
        {NULL, NULL}
    };
    char *bytes = malloc(length);
    memset(bytes, 'x', length);
    struct ready *ready = ready_new(0, bytes, length, none, 0);
    free(bytes);
    return ready;
}

static enum page_join join(struct page_cache *cache, const char *key,
                           struct waiting *waiting)
{
    *waiting = (struct waiting){.waiter.wake = wake};
    return page_cache_join(cache, key, &waiting->waiter, &waiting->ready,
                           &waiting->flight);
}

static void land(struct page_cache *cache, struct waiting *waiting, size_t length,
                 uint64_t tables)
{
    struct ready *ready = make_page(length);
    page_cache_land(cache, waiting->flight, ready, tables, false);
    ready_release(ready);
}

/* Renders a page of one table and keeps it. */
static void fill(struct page_cache *cache, const char *key, uint64_t tables)
{
    struct waiting waiting;
    cr_assert_eq(join(cache, key, &waiting), PAGE_RENDER);
    land(cache, &waiting, 100, tables);
}

static bool has(struct page_cache *cache, const char *key)
{
    struct ready *ready = page_cache_get(cache, key);
    bool there = ready != NULL;
    ready_release(ready);
    return there;
}

Test(page_cache, serves_until_a_table_changes)
{
    struct page_cache *cache = page_cache_new(1 << 20);
    fill(cache, "/en/people", 1 | 4);
    fill(cache, "/en/about", 0);
    cr_expect(has(cache, "/en/people"));
    page_cache_touch(cache, 2);
    cr_expect(has(cache, "/en/people"));
    page_cache_touch(cache, 4 | 8);
    cr_expect(!has(cache, "/en/people"));
    cr_expect(has(cache, "/en/about"));
    cr_expect(!has(cache, "/zh/people"));
    fill(cache, "/en/people", 1 | 4);
    cr_expect(has(cache, "/en/people"));
    page_cache_free(cache);
}

Test(page_cache, keeps_no_page_that_changed_while_it_was_rendered)
{
    struct page_cache *cache = page_cache_new(1 << 20);
    struct waiting early, late;
    cr_assert_eq(join(cache, "/en", &early), PAGE_RENDER);
    page_cache_touch(cache, 1);
    /* Who asks after the change does not get the page begun before it. */
    cr_assert_eq(join(cache, "/en", &late), PAGE_RENDER);
    land(cache, &late, 100, 1);
    struct ready *newer = page_cache_get(cache, "/en");
    land(cache, &early, 200, 1);
    struct ready *still = page_cache_get(cache, "/en");
    cr_assert_not_null(newer);
    cr_expect_eq(newer, still, "the older rendering took the newer one's place");
    ready_release(newer);
    ready_release(still);
    page_cache_free(cache);
}

Test(page_cache, renders_a_missing_page_once)
{
    struct page_cache *cache = page_cache_new(1 << 20);
    struct waiting first, waiting[3];
    cr_assert_eq(join(cache, "/en", &first), PAGE_RENDER);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(join(cache, "/en", &waiting[i]), PAGE_WAIT);
    land(cache, &first, 100, 1);
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(waiting[i].woken, 1);
        cr_expect_not_null(waiting[i].ready);
        ready_release(waiting[i].ready);
    }
    cr_expect_eq(page_cache_facts(cache).waits, 3);
    page_cache_free(cache);
}

Test(page_cache, lets_the_next_one_try_when_a_rendering_fails)
{
    struct page_cache *cache = page_cache_new(1 << 20);
    struct waiting first, waiting[3];
    cr_assert_eq(join(cache, "/en", &first), PAGE_RENDER);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(join(cache, "/en", &waiting[i]), PAGE_WAIT);
    page_cache_land(cache, first.flight, NULL, 0, true);
    cr_expect_eq(waiting[0].woken, 1);
    cr_assert_not_null(waiting[0].flight);
    cr_expect_eq(waiting[1].woken + waiting[2].woken, 0);
    /* Not a page for all: the others render for themselves. */
    page_cache_land(cache, waiting[0].flight, NULL, 0, false);
    for (int i = 1; i < 3; i++) {
        cr_expect_eq(waiting[i].woken, 1);
        cr_expect_null(waiting[i].ready);
        cr_expect_null(waiting[i].flight);
    }
    cr_expect(!has(cache, "/en"));
    page_cache_free(cache);
}

Test(page_cache, is_passed_by_while_changes_are_not_heard_of)
{
    struct page_cache *cache = page_cache_new(1 << 20);
    struct waiting under_way, waiting;
    fill(cache, "/en", 1);
    cr_assert_eq(join(cache, "/zh", &under_way), PAGE_RENDER);
    page_cache_bypass(cache, true);
    cr_expect(!has(cache, "/en"));
    cr_expect_eq(join(cache, "/en", &waiting), PAGE_APART);
    page_cache_bypass(cache, false);
    land(cache, &under_way, 100, 1);
    cr_expect(!has(cache, "/en"));
    cr_expect(!has(cache, "/zh"));
    cr_expect_eq(page_cache_facts(cache).pages, 0);
    page_cache_free(cache);
    cache = page_cache_new(0);
    cr_expect_eq(join(cache, "/en", &waiting), PAGE_APART);
    page_cache_bypass(cache, false);
    cr_expect_eq(join(cache, "/en", &waiting), PAGE_APART);
    page_cache_free(cache);
}

Test(page_cache, stays_within_its_bytes)
{
    enum { LIMIT = 4 << 20, PAGES = 2000 };
    struct page_cache *cache = page_cache_new(LIMIT);
    char key[32];
    for (int i = 0; i < PAGES; i++) {
        struct waiting waiting;
        snprintf(key, sizeof key, "/en/%d", i);
        cr_assert_eq(join(cache, key, &waiting), PAGE_RENDER);
        land(cache, &waiting, 10000, 1);
    }
    struct page_cache_facts facts = page_cache_facts(cache);
    cr_expect_leq(facts.bytes, LIMIT);
    cr_expect_gt(facts.bytes, LIMIT / 2);
    cr_expect_eq(facts.pages + facts.evictions, PAGES);
    cr_expect(has(cache, key), "the newest page went first");
    cr_expect(!has(cache, "/en/0"));
    struct waiting large;
    cr_assert_eq(join(cache, "/en/large", &large), PAGE_RENDER);
    land(cache, &large, LIMIT / 2, 1);
    cr_expect(!has(cache, "/en/large"));
    page_cache_free(cache);
}

/* Many threads ask, render and change at once; a sanitizer watches. A page must never be
 * older than a change that was announced before it was asked for. */
struct race {
    struct page_cache *cache;
    atomic_int version, announced;
    atomic_int stale;
};

struct sleeper {
    struct waiting waiting; /* first */
    sem_t woken;
};

static void wake_sleeper(struct page_waiter *waiter, struct ready *ready,
                         struct page_flight *flight)
{
    struct sleeper *sleeper = (struct sleeper *)waiter;
    sleeper->waiting.ready = ready;
    sleeper->waiting.flight = flight;
    sem_post(&sleeper->woken);
}

static void ask_once(struct race *race, int round)
{
    struct sleeper sleeper = {.waiting.waiter.wake = wake_sleeper};
    struct waiting *waiting = &sleeper.waiting;
    char key[8];
    sem_init(&sleeper.woken, 0, 0);
    snprintf(key, sizeof key, "/%d", round % 7);
    int before = race->announced;
    if (page_cache_join(race->cache, key, &waiting->waiter, &waiting->ready,
                        &waiting->flight) == PAGE_WAIT)
        sem_wait(&sleeper.woken);
    if (waiting->ready != NULL) {
        if ((int)waiting->ready->codings[IDENTITY].length < before)
            race->stale++;
        ready_release(waiting->ready);
    }
    if (waiting->flight != NULL && round % 11 == 0)
        page_cache_land(race->cache, waiting->flight, NULL, 0, round % 2 == 0);
    else if (waiting->flight != NULL)
        land(race->cache, waiting, (size_t)race->version, 1);
    sem_destroy(&sleeper.woken);
}

static void change(struct race *race)
{
    int version = ++race->version;
    page_cache_touch(race->cache, 1);
    int announced = race->announced;
    while (announced < version &&
           !atomic_compare_exchange_weak(&race->announced, &announced, version))
        continue;
}

static void *race_along(void *context)
{
    for (int i = 0; i < 3000; i++) {
        if (i % 97 == 0)
            change(context);
        ask_once(context, i);
    }
    return NULL;
}

Test(page_cache, never_shows_what_was_before_a_change)
{
    struct race race = {.cache = page_cache_new(1 << 20), .version = 1};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, race_along, &race), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    cr_expect_eq(race.stale, 0);
    cr_expect_gt(page_cache_facts(race.cache).hits, 0);
    page_cache_free(race.cache);
}
