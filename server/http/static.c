/* The static files, read at start; see static.h. One table by target, built once and
 * read-only; in development an entry is replaced when its file has changed. */
#include "server/base/log.h"
#include "server/http/static_private.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { EFFORT = 6, PATH_SIZE = 512, HASH_SIZE = 6, DEPTH_MAX = 4, BYTES_MAX = 1 << 24 };

struct file {
    char *path;   /* in the file system */
    char *name;   /* below the folder: "css/site.css" */
    char *target; /* "/static/css/site.3f2a9c01b7d4.css" */
    struct ready *ready;
    struct timespec changed;
};

struct statics {
    bool development;
    pthread_mutex_t lock; /* in development */
    struct file *files;   /* sorted by target */
    size_t count, room;
};

static const char *type_of(const char *name)
{
    static const char *const types[][2] = {
        {".css",         "text/css; charset=utf-8"       },
        {".js",          "text/javascript; charset=utf-8"},
        {".mjs",         "text/javascript; charset=utf-8"},
        {".json",        "application/json"              },
        {".txt",         "text/plain; charset=utf-8"     },
        {".html",        "text/html; charset=utf-8"      },
        {".svg",         "image/svg+xml"                 },
        {".png",         "image/png"                     },
        {".jpg",         "image/jpeg"                    },
        {".jpeg",        "image/jpeg"                    },
        {".webp",        "image/webp"                    },
        {".ico",         "image/vnd.microsoft.icon"      },
        {".woff2",       "font/woff2"                    },
        {".webmanifest", "application/manifest+json"     }
    };
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot != NULL && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(dot, types[i][0]) == 0)
            return types[i][1];
    return "application/octet-stream";
}

/* --- reading ------------------------------------------------------------------------ */

static char *read_file(const char *path, size_t *length, struct timespec *changed)
{
    struct stat facts;
    FILE *stream = fopen(path, "rbe");
    char *bytes = NULL;
    if (stream != NULL && fstat(fileno(stream), &facts) == 0 &&
        facts.st_size <= BYTES_MAX) {
        *length = (size_t)facts.st_size;
        *changed = facts.st_mtim;
        bytes = malloc(*length + 1);
        if (bytes != NULL && fread(bytes, 1, *length, stream) != *length) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (bytes == NULL)
        log_error("static.not_read", "file", path, "reason", strerrordesc_np(errno));
    if (stream != NULL)
        (void)fclose(stream);
    return bytes;
}

/* The hash goes before the last suffix of the name. */
static char *make_target(const char *name, const char *bytes, size_t length)
{
    unsigned char hash[crypto_generichash_BYTES];
    char digits[2 * HASH_SIZE + 1];
    char target[PATH_SIZE + 64];
    crypto_generichash(hash, sizeof hash, (const unsigned char *)bytes, length, NULL, 0);
    sodium_bin2hex(digits, sizeof digits, hash, HASH_SIZE);
    const char *slash = strrchr(name, '/');
    const char *dot = strrchr(slash != NULL ? slash : name, '.');
    size_t stem = dot != NULL ? (size_t)(dot - name) : strlen(name);
    snprintf(target, sizeof target, "/static/%.*s.%s%s", (int)stem, name, digits,
             name + stem);
    return strdup(target);
}

static bool fixed_name(const char *name)
{
    return strcmp(name, "favicon.ico") == 0 || strcmp(name, "robots.txt") == 0;
}

static bool read_entry(struct file *file, bool fixed)
{
    size_t length = 0;
    char *bytes = read_file(file->path, &length, &file->changed);
    if (bytes == NULL)
        return false;
    const char *type = type_of(file->name);
    bool text = coding_is_text(type);
    const struct field fields[] = {
        {"Content-Type",       type                                            },
        {"Cache-Control",
         fixed ? "public, max-age=3600" : "public, max-age=31536000, immutable"},
        {text ? "Vary" : NULL, "Accept-Encoding"                               },
        {NULL,                 NULL                                            }
    };
    file->ready = ready_new(0, bytes, length, fields, text ? EFFORT : 0);
    if (fixed) {
        char target[PATH_SIZE + 1];
        snprintf(target, sizeof target, "/%s", file->name);
        file->target = strdup(target);
    } else {
        file->target = make_target(file->name, bytes, length);
    }
    free(bytes);
    return file->ready != NULL && file->target != NULL;
}

static void free_file(struct file *file)
{
    ready_release(file->ready);
    free(file->path);
    free(file->name);
    free(file->target);
}

static enum result add_file(struct statics *statics, const char *path, const char *name,
                            bool fixed)
{
    struct file file = {.path = strdup(path), .name = strdup(name)};
    if (file.path == NULL || file.name == NULL || !read_entry(&file, fixed)) {
        free_file(&file);
        return FAILED;
    }
    if (statics->count == statics->room) {
        size_t room = statics->room > 0 ? statics->room * 2 : 32;
        struct file *files = realloc(statics->files, room * sizeof *files);
        if (files == NULL) {
            free_file(&file);
            return FAILED;
        }
        statics->files = files;
        statics->room = room;
    }
    statics->files[statics->count++] = file;
    return OK;
}

static enum result add_folder(struct statics *statics, const char *folder,
                              const char *prefix, int depth);

static enum result add_path(struct statics *statics, const char *folder,
                            const char *prefix, const char *entry, int depth)
{
    char path[PATH_SIZE];
    char name[PATH_SIZE];
    struct stat facts;
    int path_length = snprintf(path, sizeof path, "%s/%s", folder, entry);
    int name_length = snprintf(name, sizeof name, "%s%s", prefix, entry);
    if (path_length >= PATH_SIZE || name_length >= PATH_SIZE - 1 ||
        stat(path, &facts) != 0) {
        log_error("static.bad_name", "folder", folder, "name", entry);
        return FAILED;
    }
    if (S_ISDIR(facts.st_mode)) {
        memcpy(name + name_length, "/", 2);
        return depth < DEPTH_MAX ? add_folder(statics, path, name, depth + 1) : OK;
    }
    if (!S_ISREG(facts.st_mode))
        return OK;
    TRY(add_file(statics, path, name, false));
    return fixed_name(name) ? add_file(statics, path, name, true) : OK;
}

static enum result add_folder(struct statics *statics, const char *folder,
                              const char *prefix, int depth)
{
    DIR *listing = opendir(folder);
    if (listing == NULL) {
        log_error("static.no_folder", "folder", folder, "reason", strerrordesc_np(errno));
        return FAILED;
    }
    enum result result = OK;
    struct dirent *entry;
    /* No other thread reads this listing. NOLINTNEXTLINE(concurrency-mt-unsafe) */
    while (result == OK && (entry = readdir(listing)) != NULL)
        if (entry->d_name[0] != '.')
            result = add_path(statics, folder, prefix, entry->d_name, depth);
    closedir(listing);
    return result;
}

static int by_target(const void *left, const void *right)
{
    return strcmp(((const struct file *)left)->target,
                  ((const struct file *)right)->target);
}

static void sort(struct statics *statics)
{
    if (statics->count > 0)
        qsort(statics->files, statics->count, sizeof *statics->files, by_target);
}

enum result statics_load(struct statics **made, const char *folder, bool development)
{
    struct statics *statics = calloc(1, sizeof *statics);
    if (statics == NULL)
        return FAILED;
    statics->development = development;
    pthread_mutex_init(&statics->lock, NULL);
    enum result result = add_folder(statics, folder, "", 0);
    if (result != OK) {
        statics_free(statics);
        return result;
    }
    sort(statics);
    *made = statics;
    return OK;
}

void statics_free(struct statics *statics)
{
    if (statics == NULL)
        return;
    for (size_t i = 0; i < statics->count; i++)
        free_file(&statics->files[i]);
    free(statics->files);
    pthread_mutex_destroy(&statics->lock);
    free(statics);
}

/* --- in development ----------------------------------------------------------------- */

/* Looks at every file of the folder for a newer one; keeps the old when it can't be read.
 */
static void refresh(struct statics *statics)
{
    bool any = false;
    for (size_t i = 0; i < statics->count; i++) {
        struct file *file = &statics->files[i];
        struct stat facts;
        if (stat(file->path, &facts) != 0 ||
            (facts.st_mtim.tv_sec == file->changed.tv_sec &&
             facts.st_mtim.tv_nsec == file->changed.tv_nsec))
            continue;
        struct file newer = {.path = file->path, .name = file->name};
        if (!read_entry(&newer, strncmp(file->target, "/static/", 8) != 0)) {
            ready_release(newer.ready);
            free(newer.target);
            continue;
        }
        ready_release(file->ready);
        free(file->target);
        *file = newer;
        any = true;
    }
    if (any)
        sort(statics);
}

/* --- asking ------------------------------------------------------------------------- */

static void lock(struct statics *statics)
{
    if (!statics->development)
        return;
    pthread_mutex_lock(&statics->lock);
    refresh(statics);
}

static void unlock(struct statics *statics)
{
    if (statics->development)
        pthread_mutex_unlock(&statics->lock);
}

struct ready *statics_find(struct statics *statics, const char *target)
{
    if (strncmp(target, "/static/", 8) != 0 && strcmp(target, "/favicon.ico") != 0 &&
        strcmp(target, "/robots.txt") != 0)
        return NULL;
    char wanted[PATH_SIZE + 64];
    size_t length = strcspn(target, "?");
    if (length >= sizeof wanted)
        return NULL;
    memcpy(wanted, target, length);
    wanted[length] = '\0';
    lock(statics);
    const struct file key = {.target = wanted};
    const struct file *file = statics->count == 0
                                  ? NULL
                                  : bsearch(&key, statics->files, statics->count,
                                            sizeof *statics->files, by_target);
    struct ready *ready = file != NULL ? ready_hold(file->ready) : NULL;
    unlock(statics);
    return ready;
}

json_t *statics_assets(struct statics *statics)
{
    json_t *assets = json_object();
    lock(statics);
    for (size_t i = 0; i < statics->count; i++) {
        const struct file *file = &statics->files[i];
        char key[PATH_SIZE];
        if (strncmp(file->target, "/static/", 8) != 0)
            continue;
        size_t length = strlen(file->name);
        for (size_t k = 0; k <= length; k++) {
            char c = file->name[k];
            bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '\0';
            key[k] = plain ? c : '_';
        }
        json_object_set_new(assets, key, json_string(file->target));
    }
    unlock(statics);
    return assets;
}
