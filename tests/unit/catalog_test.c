/* The words of the program itself: each message exists in every language, and each is
 * used. A message is used when a template names it, when a template names it dynamically
 * ({{t.error.*code}} uses all of "error."), or when the C sources hold its key in a call
 * of view_message() (a literal that ends in "." uses all that begin with it). */
#include "server/routes.h"
#include "server/view/view.h"

#include <criterion/criterion.h>
#include <fts.h>

struct key {
    const char *name;
    bool prefix;
};

struct seen {
    struct key *keys;
    size_t count, capacity;
    size_t kept, faults;
};

static void see_used(void *data, const char *key, size_t length, bool dynamic)
{
    struct seen *seen = data;
    struct arena *arena = arena_current();
    if (seen->count == seen->capacity) {
        size_t capacity = seen->capacity * 2 + 64;
        struct key *keys = ARENA_ARRAY(arena, struct key, capacity);
        if (seen->count > 0)
            memcpy(keys, seen->keys, seen->count * sizeof *keys);
        seen->keys = keys;
        seen->capacity = capacity;
    }
    seen->keys[seen->count++] = (struct key){arena_copy(arena, key, length), dynamic};
}

static bool used(const struct seen *seen, const char *key)
{
    for (size_t i = 0; i < seen->count; i++) {
        const struct key *known = &seen->keys[i];
        if (known->prefix ? strncmp(known->name, key, strlen(known->name)) == 0
                          : strcmp(known->name, key) == 0)
            return true;
    }
    return false;
}

static void see_kept(void *data, const char *key, const bool has[LANGUAGE_COUNT])
{
    struct seen *seen = data;
    seen->kept++;
    for (int l = 0; l < LANGUAGE_COUNT; l++)
        if (!has[l]) {
            seen->faults++;
            cr_log_error("i18n/%s.json has no message '%s'", language_codes[l], key);
        }
    if (!used(seen, key)) {
        seen->faults++;
        cr_log_error("message '%s' is not used", key);
    }
}

static char *read_source(const char *path)
{
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    struct buf text = buf_on(arena_current());
    char piece[4096];
    for (size_t got = sizeof piece; got == sizeof piece;) {
        got = fread(piece, 1, sizeof piece, file);
        buf_append(&text, piece, got);
    }
    fclose(file);
    return text.data;
}

/* The literals in one call; `at` is behind its opening parenthesis. */
static void see_call(struct seen *seen, const char *at)
{
    for (int depth = 1; *at != '\0' && depth > 0; at++) {
        depth += (*at == '(') - (*at == ')');
        if (*at != '"')
            continue;
        const char *close = strchr(at + 1, '"');
        if (close == NULL)
            return;
        if (close > at + 1)
            see_used(seen, at + 1, (size_t)(close - at - 1), close[-1] == '.');
        at = close;
    }
}

static void see_source(struct seen *seen, const char *path)
{
    static const char call[] = "view_message(";
    const char *text = read_source(path);
    for (const char *at = strstr(text, call); at != NULL; at = strstr(at, call)) {
        at += sizeof call - 1;
        see_call(seen, at);
    }
}

static void see_sources(struct seen *seen)
{
    char *const roots[] = {(char[]){"server"}, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    cr_assert_not_null(walk);
    for (FTSENT *entry = fts_read(walk); entry != NULL; entry = fts_read(walk)) {
        size_t length = entry->fts_namelen;
        if (entry->fts_info == FTS_F && length > 2 &&
            strcmp(entry->fts_name + length - 2, ".c") == 0)
            see_source(seen, entry->fts_path);
    }
    fts_close(walk);
}

Test(catalog, every_message_is_in_each_language_and_used)
{
    char problem[512];
    struct view *view;
    struct seen seen = {0};
    arena_enter(arena_new());
    cr_assert_eq(view_open(&view, ".", "", false, problem, sizeof problem), OK, "%s",
                 problem);
    see_sources(&seen);
    /* The templates are seen before the catalogs. */
    view_messages(view, see_used, see_kept, &seen);
    cr_expect_gt(seen.kept, 0);
    cr_expect_eq(seen.faults, 0, "%zu faults in %zu messages", seen.faults, seen.kept);
    view_close(view);
    arena_free(arena_enter(NULL));
}

static void has_words(struct view *view, const char *prefix, const char *code)
{
    const char *key = arena_print(arena_current(), "%s%s", prefix, code);
    cr_expect(view_has_message(view, key), "templates/i18n has no message '%s'", key);
}

/* Names made from a route's entity, as my/edit.html and the lists of changes do. */
static void see_route(struct view *view, const struct route *route)
{
    if (route->entity == NULL)
        return;
    has_words(view, "change.entity.", route->entity);
    if (route->audience != ADMIN && route->audience != MEMBER)
        return;
    const char *code =
        arena_print(arena_current(), "%s_%s%s", route->audience == ADMIN ? "admin" : "my",
                    route->entity, strchr(route->pattern, ':') != NULL ? "" : "_new");
    has_words(view, "edit.title.", code);
    has_words(view, "edit.lead.", code);
    has_words(view, "edit.save.", code);
}

Test(catalog, every_entity_that_a_route_edits_has_its_words)
{
    char problem[512];
    struct view *view;
    arena_enter(arena_new());
    cr_assert_eq(view_open(&view, ".", "", false, problem, sizeof problem), OK, "%s",
                 problem);
    for (const struct route *const *table = all_routes; *table != NULL; table++)
        for (const struct route *route = *table; route->pattern != NULL; route++)
            see_route(view, route);
    view_close(view);
    arena_free(arena_enter(NULL));
}
