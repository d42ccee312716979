/* Files one after the other, each by the reader of its format; see bibliography.h. */
#include "server/text/bibliography.h"

#include "server/base/utf8.h"
#include "server/text/bibliography_bibtex.h"
#include "server/text/bibliography_reader.h"
#include "server/text/encoding.h"

enum { WORD = 60 };

/* BibTeX is read apart, for its files know each other. */
static const struct bibliography_reader *const readers[] = {
    [BIBLIOGRAPHY_UNKNOWN] = NULL,
    [BIBLIOGRAPHY_BIBTEX] = NULL,
    [BIBLIOGRAPHY_RIS] = &ris_reader,
    [BIBLIOGRAPHY_CSL_JSON] = &csl_reader,
    [BIBLIOGRAPHY_ENDNOTE] = &endnote_reader,
    [BIBLIOGRAPHY_NBIB] = &nbib_reader,
    [BIBLIOGRAPHY_IDENTIFIERS] = &identifiers_reader,
};

struct source {
    const char *name;
    struct slice text; /* decoded */
    enum encoding encoding;
    enum bibliography_format format;
    const char *refused; /* the whole file */
    size_t entries;
    size_t bibtex; /* which of the BibTeX files */
};

struct bibliography {
    struct arena *arena;
    const struct bibtex_limits *limits;
    struct source *sources;
    size_t count;
    size_t current;
    bool opened; /* the current one */
    void *state; /* of its reader */
    struct bibtex_files *bibtex;
    size_t entries;
};

static const struct bibliography_reader *reader_of(const struct source *source)
{
    return readers[source->format];
}

static void decode(struct source *source, struct arena *arena,
                   const struct bibliography_file *file)
{
    struct decoded decoded;
    source->name = file->name;
    source->refused = "encoding";
    if (encoding_decode(&decoded, arena, file->bytes.bytes, file->bytes.length) == OK)
        source->refused = NULL;
    source->encoding = decoded.encoding;
    source->text = decoded.text;
    if (source->refused == NULL)
        source->format = bibliography_sniff(file->name, source->text);
    if (source->refused == NULL && source->format == BIBLIOGRAPHY_UNKNOWN)
        source->refused = "format";
}

static void gather_bibtex(struct bibliography *b)
{
    struct slice *texts = ARENA_ARRAY(b->arena, struct slice, b->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < b->count; i++)
        if (b->sources[i].format == BIBLIOGRAPHY_BIBTEX) {
            b->sources[i].bibtex = count;
            texts[count++] = b->sources[i].text;
        }
    b->bibtex = bibtex_files_new(b->arena, texts, count, b->limits);
}

enum result bibliography_open(struct bibliography **b, struct arena *arena,
                              const struct bibliography_file *files, size_t count,
                              const struct bibtex_limits *limits)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        if (files[i].bytes.length > limits->file_bytes - bytes)
            return INVALID;
        bytes += files[i].bytes.length;
    }
    struct bibliography *new = ARENA_NEW(arena, struct bibliography);
    new->arena = arena;
    new->limits = limits;
    new->count = count;
    new->sources = ARENA_ARRAY(arena, struct source, count + 1);
    for (size_t i = 0; i < count; i++)
        decode(&new->sources[i], arena, &files[i]);
    gather_bibtex(new);
    *b = new;
    return OK;
}

static enum result open_source(struct bibliography *b, const struct source *source)
{
    if (source->format == BIBLIOGRAPHY_BIBTEX)
        return bibtex_files_open(b->bibtex, source->bibtex);
    return reader_of(source)->open(&b->state, b->arena, source->text, b->limits);
}

static enum result next_of_file(struct bibliography_entry *entry, struct bibliography *b,
                                struct arena *arena)
{
    struct source *source = &b->sources[b->current];
    if (source->refused != NULL)
        return NOT_FOUND;
    if (!b->opened) {
        struct arena *outer = arena_enter(b->arena);
        enum result opened = open_source(b, source);
        arena_enter(outer);
        TRY(opened);
        b->opened = true;
    }
    if (source->format == BIBLIOGRAPHY_BIBTEX)
        return bibtex_files_next(entry, b->bibtex, arena);
    return reader_of(source)->next(entry, b->state, arena);
}

enum result bibliography_next(struct bibliography_entry *entry, struct bibliography *b,
                              struct arena *entry_arena)
{
    struct arena *outer = arena_enter(entry_arena);
    enum result result = NOT_FOUND;
    while (result == NOT_FOUND && b->current < b->count &&
           b->entries <= b->limits->entries) {
        *entry = (struct bibliography_entry){
            .file = b->current, .key = "", .remarks = json_array()};
        result = next_of_file(entry, b, entry_arena);
        if (result == NOT_FOUND) {
            b->current++;
            b->opened = false;
        }
    }
    arena_enter(outer);
    if (result != OK)
        return result;
    b->sources[b->current].entries++;
    if (++b->entries > b->limits->entries) {
        entry->document = NULL;
        entry->scheme = entry->value = NULL;
        entry->refused = bibtex_problem_code(BIBTEX_TOO_MANY_ENTRIES);
        entry->reason = bibtex_problem_text(BIBTEX_TOO_MANY_ENTRIES);
        entry->refused_line = entry->line;
    }
    return OK;
}

json_t *bibliography_files(const struct bibliography *b)
{
    json_t *files = json_array();
    for (size_t i = 0; i < b->count; i++) {
        const struct source *source = &b->sources[i];
        json_t *file = json_object();
        json_t *name = json_string(source->name);
        json_object_set_new(file, "name", name != NULL ? name : json_string(""));
        json_object_set_new(file, "format",
                            json_string(bibliography_format_name(source->format)));
        json_object_set_new(file, "encoding",
                            json_string(encoding_name(source->encoding)));
        json_object_set_new(file, "entries", json_integer((json_int_t)source->entries));
        json_object_set_new(file, "refused",
                            source->refused == NULL ? json_null()
                                                    : json_string(source->refused));
        json_array_append_new(files, file);
    }
    return files;
}

void bibliography_remark(struct bibliography_entry *entry, size_t line, const char *code,
                         struct slice word, const char *reason)
{
    size_t length = 0;
    size_t size = 0;
    while (length < word.length && length + size <= WORD) {
        utf8_next(word.bytes + length, word.length - length, &size);
        length += size;
    }
    json_t *remark = json_object();
    json_t *text = length > 0 ? json_stringn(word.bytes, length) : NULL;
    json_object_set_new(remark, "line", json_integer((json_int_t)line));
    json_object_set_new(remark, "code", json_string(code));
    json_object_set_new(remark, "word", text != NULL ? text : json_null());
    json_object_set_new(remark, "reason", json_string(reason));
    json_array_append_new(entry->remarks, remark);
}
