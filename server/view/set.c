/* The files of templates/ and of a theme: found, read, linked. */
#include "server/view/set.h"

#include "server/base/file.h"
#include "server/view/node.h"

#include <fts.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { PATH_LONGEST = 4096 };

static bool ends(const char *name, const char *ending)
{
    size_t length = strlen(name);
    size_t n = strlen(ending);
    return length > n && strcmp(name + length - n, ending) == 0;
}

static bool starts(const char *name, const char *beginning)
{
    return strncmp(name, beginning, strlen(beginning)) == 0;
}

static bool catalog_name(const char *name)
{
    return starts(name, "i18n/") && ends(name, ".json");
}

static bool wanted(const char *name)
{
    return ends(name, ".html") || (starts(name, "mail/") && ends(name, ".txt")) ||
           catalog_name(name);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Calls `see` for each file below `root` that is ours to read. */
static void walk(const char *root,
                 void (*see)(void *data, const char *name, const FTSENT *entry),
                 void *data)
{
    char path[PATH_LONGEST];
    snprintf(path, sizeof path, "%s", root);
    char *const roots[] = {path, NULL};
    FTS *fts = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    if (fts == NULL)
        return;
    for (FTSENT *entry = fts_read(fts); entry != NULL; entry = fts_read(fts)) {
        const char *name = entry->fts_path + strlen(root);
        while (*name == '/')
            name++;
        if (entry->fts_info == FTS_F && wanted(name))
            see(data, name, entry);
        else if (entry->fts_level > 0 && entry->fts_name[0] == '.')
            fts_set(fts, entry, FTS_SKIP);
    }
    fts_close(fts);
}

static void mix(uint64_t *hash, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3U; /* FNV-1a */
}

static void sign(void *data, const char *name, const FTSENT *entry)
{
    const struct stat *status = entry->fts_statp;
    mix(data, name, strlen(name) + 1);
    mix(data, &status->st_size, sizeof status->st_size);
    mix(data, &status->st_mtim.tv_sec, sizeof status->st_mtim.tv_sec);
    mix(data, &status->st_mtim.tv_nsec, sizeof status->st_mtim.tv_nsec);
    mix(data, &status->st_ino, sizeof status->st_ino);
}

static void templates_folder(char path[PATH_LONGEST], const char *home)
{
    bool here = home[0] == '\0' || strcmp(home, ".") == 0;
    snprintf(path, PATH_LONGEST, "%s%stemplates", here ? "" : home, here ? "" : "/");
}

uint64_t view_set_signature(const char *home, const char *theme)
{
    uint64_t hash = 0xcbf29ce484222325U;
    char folder[PATH_LONGEST];
    templates_folder(folder, home);
    walk(folder, sign, &hash);
    mix(&hash, "", 1);
    if (theme[0] != '\0')
        walk(theme, sign, &hash);
    return hash;
}

struct view_file *view_set_find(const struct view_set *set, const char *name,
                                size_t length, const char *ending)
{
    size_t low = 0;
    size_t high = set->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *other = set->files[middle].name;
        int order = strncmp(name, other, length);
        if (order == 0)
            order = strcmp(ending, other + length);
        if (order == 0)
            return &set->files[middle];
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

struct listing {
    struct view_set *set;
    int layer;
};

static void add_file(void *data, const char *name, const FTSENT *entry)
{
    const struct listing *listing = data;
    struct view_set *set = listing->set;
    if (set->count == set->capacity) {
        size_t capacity = set->capacity > 0 ? set->capacity * 2 : 128;
        struct view_file *files = ARENA_ARRAY(set->arena, struct view_file, capacity);
        if (set->count > 0)
            memcpy(files, set->files, set->count * sizeof *files);
        set->files = files;
        set->capacity = capacity;
    }
    struct view_file *file = &set->files[set->count++];
    file->name = arena_string(set->arena, name);
    file->path = arena_string(set->arena, entry->fts_path);
    file->layer = listing->layer;
}

static int compare(const void *a, const void *b)
{
    const struct view_file *one = a;
    const struct view_file *other = b;
    int order = strcmp(one->name, other->name);
    return order != 0 ? order : one->layer - other->layer;
}

/* Both folders; a file of the theme takes the place of ours, but a catalog is kept beside
 * ours and read after it. */
static void find_files(struct view_set *set, const char *home, const char *theme)
{
    char folder[PATH_LONGEST];
    templates_folder(folder, home);
    walk(folder, add_file, &(struct listing){set, 0});
    if (theme[0] != '\0')
        walk(theme, add_file, &(struct listing){set, 1});
    if (set->count == 0)
        return;
    qsort(set->files, set->count, sizeof *set->files, compare);
    size_t kept = 0;
    for (size_t i = 0; i < set->count; i++) {
        const struct view_file *file = &set->files[i];
        if (kept > 0 && strcmp(set->files[kept - 1].name, file->name) == 0 &&
            !catalog_name(file->name))
            kept--;
        set->files[kept++] = *file;
    }
    set->count = kept;
}

static enum result cannot_read(struct view_set *set, const struct view_file *file,
                               const char *reason)
{
    set->problem = (struct template_problem){0};
    snprintf(set->problem.file, sizeof set->problem.file, "%s", file->path);
    snprintf(set->problem.reason, sizeof set->problem.reason, "%s", reason);
    return INVALID;
}

/* What is read for the moment only lives on the current arena. */
static enum result read_file(struct view_set *set, struct view_file *file)
{
    struct buf text = buf_on(arena_current());
    const char *wrong = file_read(&text, file->path, TEMPLATE_SOURCE_MAX);
    if (wrong != NULL)
        return cannot_read(set, file, wrong);
    if (!catalog_name(file->name))
        return template_read(&file->template, set->arena,
                             ends(file->name, ".html") ? TEMPLATE_HTML : TEMPLATE_TEXT,
                             file->path, text.data, text.length, &set->problem);
    for (int l = 0; l < LANGUAGE_COUNT; l++) {
        const char *code = file->name + strlen("i18n/");
        if (strncmp(code, language_codes[l], 2) == 0 && strcmp(code + 2, ".json") == 0)
            return catalog_add(&set->catalog, set->arena, l, file->path, text.data,
                               text.length, &set->problem);
    }
    return cannot_read(set, file, "no language of this site has such a catalog");
}

static const struct template *find_partial(const struct template_library *library,
                                           enum template_kind kind, const char *name,
                                           size_t length)
{
    const struct view_set *set = (const struct view_set *)library;
    const char *ending = kind == TEMPLATE_HTML ? ".html" : ".txt";
    const struct view_file *file = view_set_find(set, name, length, ending);
    return file != NULL ? file->template : NULL;
}

static const struct message *find_message(const struct template_library *library,
                                          const char *key, size_t length)
{
    return catalog_find(&((const struct view_set *)library)->catalog, key, length);
}

static enum result read_all(struct view_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        TRY(read_file(set, &set->files[i]));
        arena_reset(arena_current());
    }
    for (size_t i = 0; i < set->count; i++)
        if (set->files[i].template != NULL)
            TRY(template_link(set->files[i].template, &set->library, &set->problem));
    for (size_t i = 0; i < set->count; i++)
        if (set->files[i].template != NULL)
            TRY(template_check(set->files[i].template, &set->problem));
    return OK;
}

struct view_set *view_set_load(const char *home, const char *theme)
{
    struct arena *arena = arena_new();
    struct arena *scratch = arena_new();
    struct arena *before = arena_enter(scratch);
    struct view_set *set = ARENA_NEW(arena, struct view_set);
    set->arena = arena;
    set->library = (struct template_library){find_partial, find_message};
    /* First: a file changed while being read is then seen as changed later. */
    set->signature = view_set_signature(home, theme);
    find_files(set, home, theme);
    set->broken = read_all(set) != OK;
    arena_enter(before);
    arena_free(scratch);
    return set;
}

void view_set_free(struct view_set *set)
{
    arena_free(set->arena);
}
