/* The current set of templates, and the change from one to the next while pages are being
 * rendered: a set is used under a count and freed by its last user. */
#include "server/view/view.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/view/set.h"

#include <pthread.h>

enum { LOOK_EVERY_MS = 200 };

struct view {
    struct arena *arena;
    const char *home, *theme;
    bool development;
    pthread_mutex_t lock; /* of the members below */
    struct view_set *set;
    struct template_problem problem;
    pthread_mutex_t loading; /* one thread looks and reads; guards `looked` */
    int64_t looked;
};

static struct view_set *acquire(struct view *view)
{
    pthread_mutex_lock(&view->lock);
    struct view_set *set = view->set;
    set->users++;
    pthread_mutex_unlock(&view->lock);
    return set;
}

static void release(struct view *view, struct view_set *set)
{
    pthread_mutex_lock(&view->lock);
    bool last = --set->users == 0;
    pthread_mutex_unlock(&view->lock);
    if (last)
        view_set_free(set);
}

/* "file:line:column: reason" */
static void tell(char *out, size_t size, const struct template_problem *problem)
{
    if (problem->line == 0)
        snprintf(out, size, "%s: %s", problem->file, problem->reason);
    else
        snprintf(out, size, "%s:%u:%u: %s", problem->file, problem->line, problem->column,
                 problem->reason);
}

static enum result report(struct view *view, const char *event,
                          const struct template_problem *problem)
{
    char text[512];
    pthread_mutex_lock(&view->lock);
    view->problem = *problem;
    pthread_mutex_unlock(&view->lock);
    tell(text, sizeof text, problem);
    log_error(event, "problem", text);
    return FAILED;
}

static void exchange(struct view *view, struct view_set *set)
{
    set->users = 1;
    pthread_mutex_lock(&view->lock);
    struct view_set *before = view->set;
    view->set = set;
    view->problem = set->problem;
    pthread_mutex_unlock(&view->lock);
    release(view, before);
}

static void look(struct view *view, bool now)
{
    pthread_mutex_lock(&view->loading);
    int64_t time = clock_ms();
    if (now || time - view->looked >= LOOK_EVERY_MS) {
        /* Only this thread changes view->set. */
        if (view_set_signature(view->home, view->theme) != view->set->signature) {
            exchange(view, view_set_load(view->home, view->theme));
            log_info("view.read_again");
        }
        view->looked = clock_ms();
    }
    pthread_mutex_unlock(&view->loading);
}

void view_refresh(struct view *view)
{
    look(view, true);
}

enum result view_open(struct view **out, const char *home, const char *theme,
                      bool development, char *problem, size_t problem_size)
{
    struct view_set *set = view_set_load(home, theme);
    *out = NULL;
    if (set->count == 0 && !set->broken) {
        snprintf(problem, problem_size, "no templates below %s/templates", home);
        view_set_free(set);
        return FAILED;
    }
    if (set->broken && !development) {
        tell(problem, problem_size, &set->problem);
        view_set_free(set);
        return INVALID;
    }
    struct arena *arena = arena_new();
    struct view *view = ARENA_NEW(arena, struct view);
    view->arena = arena;
    view->home = arena_string(arena, home);
    view->theme = arena_string(arena, theme);
    view->development = development;
    view->set = set;
    view->problem = set->problem;
    view->looked = clock_ms();
    set->users = 1;
    pthread_mutex_init(&view->lock, NULL);
    pthread_mutex_init(&view->loading, NULL);
    *out = view;
    return OK;
}

void view_close(struct view *view)
{
    if (view == NULL)
        return;
    release(view, view->set);
    pthread_mutex_destroy(&view->lock);
    pthread_mutex_destroy(&view->loading);
    arena_free(view->arena);
}

static enum result render(struct view *view, struct view_set *set, struct buf *out,
                          const char *name, json_t *document, enum language language)
{
    struct template_problem problem = {0};
    if (set->broken)
        return report(view, "view.broken", &set->problem);
    struct view_file *file = view_set_find(set, name, strlen(name), "");
    if (file == NULL || file->template == NULL) {
        snprintf(problem.file, sizeof problem.file, "%s", name);
        snprintf(problem.reason, sizeof problem.reason, "there is no such template");
        return report(view, "view.missing", &problem);
    }
    struct template_call call = {.library = &set->library, .language = language};
    size_t usual = atomic_load_explicit(&file->usual, memory_order_relaxed);
    size_t before = out->length;
    buf_reserve(out, usual + usual / 8);
    if (template_render(file->template, out, document, &call, &problem) != OK)
        return report(view, "view.failed", &problem);
    atomic_store_explicit(&file->usual, out->length - before, memory_order_relaxed);
    return OK;
}

enum result view_render(struct view *view, struct buf *out, const char *name,
                        json_t *document, enum language language)
{
    if (view->development)
        look(view, false);
    struct view_set *set = acquire(view);
    enum result result = render(view, set, out, name, document, language);
    release(view, set);
    return result;
}

const char *view_message(struct view *view, enum language language, const char *key)
{
    struct view_set *set = acquire(view);
    const struct message *message = catalog_find(&set->catalog, key, strlen(key));
    const struct template *form =
        message != NULL ? message_form(message, language, false, NULL) : NULL;
    const char *text = form != NULL ? template_plain(form) : NULL;
    if (text == NULL)
        log_error("view.no_message", "key", key, "language", language_codes[language]);
    const char *copy = arena_string(arena_current(), text != NULL ? text : key);
    release(view, set);
    return copy;
}

bool view_has_message(struct view *view, const char *key)
{
    struct view_set *set = acquire(view);
    bool found = catalog_find(&set->catalog, key, strlen(key)) != NULL;
    release(view, set);
    return found;
}

const char *view_problem(struct view *view, struct arena *arena)
{
    char text[512];
    pthread_mutex_lock(&view->lock);
    struct template_problem problem = view->problem;
    pthread_mutex_unlock(&view->lock);
    if (problem.file[0] == '\0')
        return "";
    tell(text, sizeof text, &problem);
    if (problem.line == 0)
        return arena_string(arena, text);
    return arena_print(arena, "%s\n%s", text, problem.source);
}

void view_messages(struct view *view,
                   void (*see_used)(void *data, const char *key, size_t length,
                                    bool dynamic),
                   void (*see_kept)(void *data, const char *key,
                                    const bool has[LANGUAGE_COUNT]),
                   void *data)
{
    struct view_set *set = acquire(view);
    for (size_t i = 0; i < set->count; i++)
        if (set->files[i].template != NULL)
            template_messages(set->files[i].template, see_used, data);
    for (size_t i = 0; i < set->catalog.count; i++) {
        const struct message *message = &set->catalog.messages[i];
        bool has[LANGUAGE_COUNT];
        for (int l = 0; l < LANGUAGE_COUNT; l++)
            has[l] = message->in[l].html[PLURAL_OTHER] != NULL;
        see_kept(data, message->key, has);
    }
    release(view, set);
}
