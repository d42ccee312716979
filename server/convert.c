/* `labd convert`: files of works in any format that we read, on standard output in one
 * that we write. Without a database. */
#include "server/base/file.h"
#include "server/command.h"
#include "server/text/biblatex_write.h"
#include "server/text/bibliography.h"
#include "server/text/bibtex_write.h"

#include <string.h>

/* What stands on standard error of an entry that is not as it should be. */
static void tell(const struct bibliography_file *files,
                 const struct bibliography_entry *entry)
{
    const char *name = files[entry->file].name;
    if (entry->refused != NULL)
        complain("%s:%zu: %s: left out: %s", name, entry->refused_line, entry->key,
                 entry->reason);
    else if (entry->scheme != NULL)
        complain("%s:%zu: %s %s: left out: it is an identifier to look up", name,
                 entry->line, entry->scheme, entry->value);
}

static void add_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, text == NULL ? json_null() : json_string(text));
}

static void write_json(struct buf *out, const struct bibliography_entry *entry)
{
    json_t *object = json_object();
    json_object_set_new(object, "file", json_integer((json_int_t)entry->file));
    json_object_set_new(object, "line", json_integer((json_int_t)entry->line));
    add_text(object, "key", entry->key);
    json_object_set_new(object, "document",
                        entry->document == NULL ? json_null() : entry->document);
    add_text(object, "refused", entry->refused);
    json_object_set_new(object, "refused_line",
                        json_integer((json_int_t)entry->refused_line));
    json_object_set_new(object, "remarks", entry->remarks);
    add_text(object, "scheme", entry->scheme);
    add_text(object, "value", entry->value);
    buf_string(out, json_dumps(object, JSON_COMPACT));
}

static void print_json(struct bibliography *b)
{
    struct bibliography_entry entry;
    struct arena *outer = arena_current();
    struct arena *arena = arena_new();
    const char *between = "";
    fputs("{\"entries\": [", stdout);
    while (bibliography_next(&entry, b, arena) == OK) {
        arena_enter(arena);
        struct buf out = buf_on(arena);
        write_json(&out, &entry);
        printf("%s\n%s", between, out.data);
        between = ",";
        arena_enter(outer);
        arena_reset(arena);
    }
    printf("\n],\n\"files\": %s}\n", json_dumps(bibliography_files(b), JSON_COMPACT));
    arena_free(arena);
}

static void print_works(struct bibliography *b, const struct bibliography_file *files,
                        void (*write)(struct buf *out, json_t *work))
{
    struct bibliography_entry entry;
    struct arena *outer = arena_current();
    struct arena *arena = arena_new();
    const char *between = "";
    while (bibliography_next(&entry, b, arena) == OK) {
        arena_enter(arena);
        tell(files, &entry);
        struct buf out = buf_on(arena);
        if (entry.document != NULL) {
            write(&out, entry.document);
            printf("%s%s", between, out.data);
            between = "\n";
        }
        arena_enter(outer);
        arena_reset(arena);
    }
    arena_free(arena);
}

static const char *read_all(struct bibliography_file *files,
                            const struct arguments *arguments)
{
    for (int i = 0; i < arguments->count; i++) {
        struct buf bytes = buf_on(arena_current());
        bool standard = strcmp(arguments->words[i], "-") == 0;
        size_t most = bibtex_import_limits.file_bytes;
        const char *problem = standard ? file_read_stream(&bytes, stdin, most)
                                       : file_read(&bytes, arguments->words[i], most);
        if (problem != NULL)
            return arena_print(arena_current(), "%s: %s", arguments->words[i], problem);
        files[i] = (struct bibliography_file){
            standard ? "" : arguments->words[i], {bytes.data, bytes.length}
        };
    }
    return NULL;
}

int command_convert(const struct arguments *arguments)
{
    static const struct {
        const char *to;
        void (*write)(struct buf *out, json_t *work);
    } formats[] = {
        {"json",     NULL          },
        {"bibtex",   bibtex_write  },
        {"biblatex", biblatex_write},
    };
    struct bibliography_file files[ARGUMENT_WORDS];
    struct bibliography *b;
    const char *problem = read_all(files, arguments);
    if (problem != NULL)
        return complain("%s", problem);
    if (bibliography_open(&b, arena_current(), files, (size_t)arguments->count,
                          &bibtex_import_limits) != OK)
        return complain("the files are too long");
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(arguments->to == NULL ? "json" : arguments->to, formats[i].to) != 0)
            continue;
        if (formats[i].write == NULL)
            print_json(b);
        else
            print_works(b, files, formats[i].write);
        return STATUS_FINE;
    }
    complain("there is no format %s to convert to: json, bibtex, biblatex",
             arguments->to);
    return STATUS_USAGE;
}
