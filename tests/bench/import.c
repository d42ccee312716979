/* How fast a bibliography becomes works: build/bench/import FILE.bib..., into the
 * database that LABD_DATABASE names (migrated; best a throw-away one). Prints a line a
 * file: seconds, entries a second, and the accounting. */
#include "server/site/import.h"
#include "server/base/arena.h"
#include "server/base/clock.h"
#include "server/base/config.h"
#include "server/form/forms.h"

#include "db/connection.h"

#include <stdlib.h>

static char *read_file(const char *name, size_t *length)
{
    FILE *file = fopen(name, "rb");
    if (file == NULL)
        return NULL;
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*length + 1);
    if (bytes != NULL && fread(bytes, 1, *length, file) != *length)
        *length = 0;
    fclose(file);
    return bytes;
}

static int import_one(const struct import *import, const char *name)
{
    size_t length = 0;
    char *bytes = read_file(name, &length);
    if (bytes == NULL)
        return 1;
    json_t *report;
    int64_t start = clock_us();
    enum result result = import_publications(&report, import, bytes, length);
    double seconds = (double)(clock_us() - start) / 1e6;
    json_int_t entries = json_integer_value(json_object_get(report, "entries"));
    printf("%s: %s, %.2f s, %.0f entries/s, ", name, result_name(result), seconds,
           (double)entries / seconds);
    import_print(stdout, report);
    free(bytes);
    return result == OK ? 0 : 1;
}

int main(int argc, char *argv[])
{
    char problem[512] = "";
    const char *conninfo;
    struct forms *forms;
    int status = 0;
    json_on_arena();
    if (config_load("labd.conf", problem, sizeof problem) != OK ||
        db_find(&conninfo) != OK ||
        forms_open(&forms, ".", NULL, false, problem, sizeof problem) != OK) {
        fprintf(stderr, "import: %s\n", *problem ? problem : "no database");
        return 1;
    }
    struct import import = {
        .db = db_new(conninfo), .actor = &command_line, .forms = forms};
    struct arena *arena = arena_new();
    arena_enter(arena);
    for (int i = 1; i < argc; i++) {
        arena_reset(arena);
        status |= import_one(&import, argv[i]);
    }
    arena_enter(NULL);
    arena_free(arena);
    db_free(import.db);
    forms_close(forms);
    return status;
}
