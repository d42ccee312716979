/* BibTeX speed: `bibtex FILE...` reads the files as one and prints one JSON line,
 * {"parse_mb_s": ..., "document_mb_s": ...}: megabytes (10^6) a second of CPU time on one
 * core, parsing alone, and with every entry made into a publication document; medians of
 * five runs. */
#include "server/text/bibtex.h"
#include "server/base/buf.h"
#include "server/text/encoding.h"
#include "server/text/work.h"

#include <stdlib.h>
#include <time.h>

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int append_file(struct buf *all, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return 1;
    }
    struct buf bytes = buf_on(all->arena);
    char chunk[65536];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, file)) > 0)
        buf_append(&bytes, chunk, got);
    fclose(file);
    struct decoded decoded;
    if (encoding_decode(&decoded, all->arena, bytes.data, bytes.length) == OK) {
        buf_append(all, decoded.text.bytes, decoded.text.length);
        buf_char(all, '\n');
    }
    return 0;
}

/* Entries read, so that the work can't be optimised away. */
static size_t run(struct slice text, bool documents)
{
    struct arena *arena = arena_new();
    struct arena *scratch = arena_new();
    struct bibtex *parser;
    struct bibtex_entry entry;
    size_t entries = 0;
    if (bibtex_open(&parser, arena, text, &bibtex_import_limits) != OK)
        return 0;
    while (bibtex_next(&entry, parser) == OK)
        if (entry.refused == BIBTEX_SOUND && bibtex_is_entry(&entry)) {
            entries++;
            if (documents) {
                arena_enter(scratch);
                if (json_object_size(work_document(scratch, &entry)) == 0)
                    return 0;
                arena_reset(scratch);
            }
        }
    arena_free(scratch);
    arena_free(arena);
    return entries;
}

static int ascending(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median_speed(struct slice text, bool documents)
{
    double speeds[5];
    for (int i = 0; i < 5; i++) {
        double start = cpu_seconds();
        if (run(text, documents) == 0)
            return 0;
        speeds[i] = (double)text.length / 1e6 / (cpu_seconds() - start);
    }
    qsort(speeds, 5, sizeof speeds[0], ascending);
    return speeds[2];
}

int main(int argc, char *argv[])
{
    json_on_arena();
    struct arena *arena = arena_new();
    struct buf all = buf_on(arena);
    for (int i = 1; i < argc; i++)
        if (append_file(&all, argv[i]) != 0)
            return 1;
    struct slice text = {all.data, all.length};
    printf("{\"parse_mb_s\": %.1f, \"document_mb_s\": %.1f}\n", median_speed(text, false),
           median_speed(text, true));
    arena_free(arena);
    return 0;
}
