/* Compiled versions are kept for good: a lab publishes a handful a year, and a request
 * may hold one for as long as it likes. Each has an arena of its own; the list of them
 * grows at its head under a lock. */
#include "server/site/form_versions.h"

#include "db/store/form_version.h"
#include "server/base/document.h"
#include "server/base/log.h"
#include "server/form/forms.h"
#include "server/site/site.h"

#include <pthread.h>
#include <string.h>

struct kept_form {
    int64_t id;
    struct arena *arena;
    const struct form *form;
    struct kept_form *next;
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct kept_form *newest;

static const struct form *find(int64_t id)
{
    for (const struct kept_form *one = newest; one != NULL; one = one->next)
        if (one->id == id)
            return one->form;
    return NULL;
}

/* Keeps it, unless another thread was faster: then theirs is the one. */
static const struct form *keep(struct arena *arena, int64_t id, const struct form *form)
{
    pthread_rwlock_wrlock(&lock);
    const struct form *known = find(id);
    if (known == NULL) {
        struct kept_form *one = ARENA_NEW(arena, struct kept_form);
        *one = (struct kept_form){id, arena, form, newest};
        newest = one;
    }
    pthread_rwlock_unlock(&lock);
    if (known == NULL)
        return form;
    form_free(form);
    arena_free(arena);
    return known;
}

static enum result compile(const struct form **form, int64_t id, json_t *definition)
{
    char problem[400];
    struct arena *arena = arena_new();
    const char *where = arena_print(arena, "form version %lld", (long long)id);
    if (form_load(form, arena, "answer", where, definition, problem, sizeof problem) ==
        OK) {
        *form = keep(arena, id, *form);
        return OK;
    }
    log_error("form_version.refused", "problem", problem);
    form_free(*form);
    arena_free(arena);
    *form = NULL;
    return FAILED;
}

enum result form_version_get(const struct form **form, struct db *db, int64_t id)
{
    json_t *version;
    pthread_rwlock_rdlock(&lock);
    *form = find(id);
    pthread_rwlock_unlock(&lock);
    if (*form != NULL)
        return OK;
    TRY(form_version_read(&version, db, id));
    return compile(form, id, json_object_get(version, "definition"));
}

enum result change_form(const struct form **form, struct request *request,
                        const json_t *change)
{
    int64_t version;
    const char *entity = text_at(change, "entity", "");
    if (strcmp(entity, "answer") != 0) {
        *form = form_named(site.forms, entity);
        return *form != NULL ? OK : FAILED;
    }
    TRY(form_version_asked(&version, request->db, integer_at(change, "target_id")));
    return form_version_get(form, request->db, version);
}
