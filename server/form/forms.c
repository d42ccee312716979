/* The set of definitions: reads the folders, overlays the theme's, and in development
 * looks at the files again when a form is asked for. Each reading is a generation with
 * its own arena; old generations stay until the end, since requests may still use their
 * forms. */
#include "server/form/forms.h"

#include "server/base/log.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FORMS_MAX = 100 };

struct generation {
    struct arena *arena;
    struct generation *before;
    const struct form *forms[FORMS_MAX];
    const char *texts[FORMS_MAX]; /* the definitions, as JSON */
    size_t count;
    uint64_t stamp;
};

struct forms {
    struct arena *arena;
    const char *folders[2]; /* the installation's, the theme's or NULL */
    bool development;
    pthread_mutex_t lock;
    struct generation *newest;
};

/* "name.json" → true; `length` of the name. */
static bool definition_name(const char *file, size_t *length)
{
    size_t all = strlen(file);
    if (all <= 5 || strcmp(file + all - 5, ".json") != 0)
        return false;
    *length = all - 5;
    return strspn(file, "abcdefghijklmnopqrstuvwxyz0123456789_-") == *length;
}

static int is_definition(const struct dirent *entry)
{
    size_t length;
    return definition_name(entry->d_name, &length);
}

/* What stat() says of a file, mixed: differs when the file does. */
static uint64_t file_stamp(const char *folder, const char *name, uint64_t stamp)
{
    char path[1024];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (stat(path, &status) != 0)
        return stamp;
    const uint64_t parts[] = {(uint64_t)status.st_ino, (uint64_t)status.st_size,
                              (uint64_t)status.st_mtim.tv_sec,
                              (uint64_t)status.st_mtim.tv_nsec};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        stamp = (stamp ^ parts[i]) * UINT64_C(0x100000001B3);
    return stamp;
}

/* Changes whenever a file of the folder does. */
static uint64_t folder_stamp(const char *folder, uint64_t stamp)
{
    struct dirent **entries = NULL;
    int count = folder != NULL ? scandir(folder, &entries, is_definition, alphasort) : 0;
    for (int i = 0; i < count; i++) {
        stamp = file_stamp(folder, entries[i]->d_name, stamp);
        free(entries[i]);
    }
    free(entries);
    return stamp;
}

static const struct form **find(struct generation *generation, const char *name)
{
    for (size_t i = 0; i < generation->count; i++)
        if (strcmp(generation->forms[i]->name, name) == 0)
            return &generation->forms[i];
    return NULL;
}

static enum result load_file(struct generation *generation, const char *path,
                             const char *name, char *problem, size_t size)
{
    json_error_t error;
    json_t *definition = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (definition == NULL) {
        snprintf(problem, size, "%s:%d:%d: %s", path, error.line, error.column,
                 error.text);
        return INVALID;
    }
    const struct form *form = NULL;
    enum result result =
        form_load(&form, generation->arena, name, path, definition, problem, size);
    const struct form **slot = find(generation, name);
    if (slot == NULL && generation->count == FORMS_MAX) {
        form_free(form);
        snprintf(problem, size, "%s: more than %d forms", path, FORMS_MAX);
        return INVALID;
    }
    if (slot == NULL)
        slot = &generation->forms[generation->count++];
    else
        form_free(*slot);
    *slot = form;
    generation->texts[slot - generation->forms] = json_dumps(definition, JSON_COMPACT);
    return result;
}

static enum result load_folder(struct generation *generation, const char *folder,
                               bool optional, char *problem, size_t size)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_definition, alphasort);
    if (count < 0 && optional && errno == ENOENT)
        return OK;
    if (count < 0) {
        snprintf(problem, size, "%s: %s", folder, strerrordesc_np(errno));
        return INVALID;
    }
    enum result result = OK;
    for (int i = 0; i < count; i++) {
        const char *file = entries[i]->d_name;
        size_t length;
        if (result == OK && definition_name(file, &length))
            result = load_file(
                generation, arena_print(generation->arena, "%s/%s", folder, file),
                arena_copy(generation->arena, file, length), problem, size);
        free(entries[i]);
    }
    free(entries);
    return result;
}

static void generation_free(struct generation *generation)
{
    for (size_t i = 0; i < generation->count; i++)
        form_free(generation->forms[i]);
    arena_free(generation->arena);
}

/* Reads everything anew; keeps what was there when that fails. */
static enum result load_generation(struct forms *forms, uint64_t stamp, char *problem,
                                   size_t size)
{
    struct arena *arena = arena_new();
    struct generation *generation = ARENA_NEW(arena, struct generation);
    *generation =
        (struct generation){.arena = arena, .before = forms->newest, .stamp = stamp};
    struct arena *outer = arena_enter(arena); /* the parsed JSON goes with it */
    enum result result = load_folder(generation, forms->folders[0], false, problem, size);
    if (result == OK && forms->folders[1] != NULL)
        result = load_folder(generation, forms->folders[1], true, problem, size);
    arena_enter(outer);
    if (result == OK)
        forms->newest = generation;
    else
        generation_free(generation);
    return result;
}

static uint64_t stamp_now(const struct forms *forms)
{
    return folder_stamp(forms->folders[1], folder_stamp(forms->folders[0], 1));
}

enum result forms_open(struct forms **out, const char *home, const char *theme,
                       bool development, char *problem, size_t problem_size)
{
    struct arena *arena = arena_new();
    struct forms *forms = ARENA_NEW(arena, struct forms);
    forms->arena = arena;
    forms->development = development;
    forms->folders[0] = arena_print(arena, "%s/templates/forms", home);
    if (theme != NULL && theme[0] != '\0')
        forms->folders[1] = arena_print(arena, "%s/forms", theme);
    pthread_mutex_init(&forms->lock, NULL);
    enum result result = load_generation(forms, stamp_now(forms), problem, problem_size);
    if (result != OK) {
        forms_close(forms);
        return result;
    }
    *out = forms;
    return OK;
}

void forms_close(struct forms *forms)
{
    if (forms == NULL)
        return;
    for (struct generation *one = forms->newest; one != NULL;) {
        struct generation *before = one->before;
        generation_free(one);
        one = before;
    }
    pthread_mutex_destroy(&forms->lock);
    arena_free(forms->arena);
}

/* The newest generation, after a look at the files in development. */
static struct generation *newest(struct forms *forms)
{
    if (forms->development) {
        uint64_t stamp = stamp_now(forms);
        if (stamp != forms->newest->stamp) {
            char problem[400];
            if (load_generation(forms, stamp, problem, sizeof problem) != OK) {
                log_error("form.refused", "problem", problem);
                forms->newest->stamp = stamp; /* said once a change */
            } else {
                log_info("form.reloaded");
            }
        }
    }
    return forms->newest;
}

const struct form *form_named(struct forms *forms, const char *name)
{
    pthread_mutex_lock(&forms->lock);
    const struct form **slot = find(newest(forms), name);
    const struct form *form = slot != NULL ? *slot : NULL;
    pthread_mutex_unlock(&forms->lock);
    return form;
}

json_t *form_definition(struct forms *forms, const char *name)
{
    pthread_mutex_lock(&forms->lock);
    struct generation *generation = newest(forms);
    const struct form **slot = find(generation, name);
    const char *text = slot != NULL ? generation->texts[slot - generation->forms] : NULL;
    pthread_mutex_unlock(&forms->lock);
    return text != NULL ? json_loads(text, 0, NULL) : NULL;
}
