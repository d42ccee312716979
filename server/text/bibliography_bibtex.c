/* Entries of BibTeX files as entries of a bibliography; see bibliography_bibtex.h. */
#include "server/text/bibliography_bibtex.h"

#include "server/base/buf.h"
#include "server/text/bibliography_inherit.h"
#include "server/text/bibliography_reader.h"
#include "server/text/work.h"

struct bibtex_files {
    struct arena *arena;
    const struct bibtex_limits *limits;
    const struct slice *texts;
    size_t count;
    struct bibtex_macros macros; /* of all files */
    struct heritage heritage;
    struct bibtex *parser;
    bool forward; /* a macro's definition used one that was not known yet */
};

static struct slice kept(struct bibtex_files *files, struct slice text)
{
    return (struct slice){arena_copy(files->arena, text.bytes, text.length), text.length};
}

static void want(struct slice key, void *data)
{
    struct bibtex_files *files = data;
    if (bibtex_macro_find(&files->heritage.entries, key) == NULL)
        bibtex_macro_define(&files->heritage.entries, files->arena, kept(files, key),
                            (struct slice){"", 0});
}

static void keep_macros(struct bibtex_files *files, const struct bibtex_macros *macros)
{
    for (size_t i = 0; i < macros->capacity; i++) {
        const struct bibtex_macro *macro = &macros->places[i];
        if (macro->name.bytes == NULL || macro->standard)
            continue;
        struct bibtex_macro *known = bibtex_macro_find(&files->macros, macro->name);
        if (known != NULL)
            known->text = kept(files, macro->text);
        else if (files->macros.count < files->limits->macros)
            bibtex_macro_define(&files->macros, files->arena, kept(files, macro->name),
                                kept(files, macro->text));
    }
}

static void keep_ancestor(struct bibtex_files *files, const struct bibtex_entry *entry,
                          struct slice key)
{
    struct bibtex_macro *place = bibtex_macro_find(&files->heritage.entries, key);
    if (place == NULL || place->thing != NULL || key.length == 0)
        return;
    struct ancestor *ancestor = ARENA_NEW(files->arena, struct ancestor);
    struct bibtex_field *fields =
        ARENA_ARRAY(files->arena, struct bibtex_field, entry->field_count + 1);
    for (size_t i = 0; i < entry->field_count; i++)
        fields[i] = (struct bibtex_field){kept(files, entry->fields[i].name),
                                          kept(files, entry->fields[i].value)};
    *ancestor = (struct ancestor){kept(files, entry->type), fields, entry->field_count};
    place->thing = ancestor;
}

/* By its key and by others that biblatex's `ids` gives it. */
static void keep_by_keys(struct bibtex_files *files, const struct bibtex_entry *entry)
{
    struct slice ids = bibtex_value(entry, "ids");
    struct slice key;
    keep_ancestor(files, entry, entry->key);
    while (heritage_next_key(&key, &ids))
        keep_ancestor(files, entry, key);
}

/* Goes through one file, for macros and references or, again, for ancestors. */
static void go_through(struct bibtex_files *files, struct slice text, bool again)
{
    struct arena *arena = arena_new();
    struct bibtex *parser;
    struct bibtex_entry entry;
    if (bibtex_open(&parser, arena, text, files->limits) == OK) {
        bibtex_share(parser, &files->macros);
        while (bibtex_next(&entry, parser) == OK) {
            if (!bibtex_is_entry(&entry))
                files->forward = files->forward || entry.remark_count > 0;
            else if (entry.refused == BIBTEX_SOUND && again)
                keep_by_keys(files, &entry);
            else if (entry.refused == BIBTEX_SOUND)
                heritage_keys(entry.fields, entry.field_count, want, files);
        }
        keep_macros(files, bibtex_defined(parser));
    }
    arena_free(arena);
}

struct bibtex_files *bibtex_files_new(struct arena *arena, const struct slice *texts,
                                      size_t count, const struct bibtex_limits *limits)
{
    struct bibtex_files *files = ARENA_NEW(arena, struct bibtex_files);
    *files = (struct bibtex_files){.arena = arena,
                                   .limits = limits,
                                   .texts = texts,
                                   .count = count,
                                   .macros = bibtex_macros_empty(arena)};
    files->heritage.entries = bibtex_macros_empty(arena);
    files->heritage.left = limits->file_bytes;
    for (size_t i = 0; i < count; i++)
        go_through(files, texts[i], false);
    bool again = files->heritage.entries.count > 0 || files->forward;
    for (size_t i = 0; i < count && again; i++)
        go_through(files, texts[i], true);
    return files;
}

enum result bibtex_files_open(struct bibtex_files *files, size_t which)
{
    TRY(bibtex_open(&files->parser, files->arena, files->texts[which], files->limits));
    bibtex_share(files->parser, &files->macros);
    return OK;
}

static void refuse(struct bibliography_entry *entry, enum bibtex_problem problem,
                   size_t line)
{
    entry->refused = bibtex_problem_code(problem);
    entry->reason = bibtex_problem_text(problem);
    entry->refused_line = line;
}

static void take_remarks(struct bibliography_entry *entry,
                         const struct bibtex_entry *found)
{
    for (size_t i = 0; i < found->remark_count && i < BIBTEX_REMARKS; i++) {
        const struct bibtex_remark *remark = &found->remarks[i];
        bibliography_remark(entry, remark->line, bibtex_problem_code(remark->problem),
                            remark->where, bibtex_problem_text(remark->problem));
    }
}

/* Key and source may hold NUL bytes. */
static const char *without_nul(struct arena *arena, struct slice text)
{
    char *copy = arena_copy(arena, text.bytes, text.length);
    size_t used = 0;
    for (size_t i = 0; i < text.length; i++)
        if (text.bytes[i] != '\0')
            copy[used++] = text.bytes[i];
    copy[used] = '\0';
    return copy;
}

static bool balanced(struct slice value)
{
    size_t depth = 0;
    for (size_t i = 0; i < value.length; i++) {
        if (value.bytes[i] == '}' && depth == 0)
            return false;
        depth += value.bytes[i] == '{';
        depth -= value.bytes[i] == '}';
    }
    return depth == 0;
}

/* The entry as one that says all by itself, without macros or ancestors; as it is when
 * that cannot be written. */
static struct slice standing_alone(const struct bibtex_entry *found, struct arena *arena)
{
    struct buf out = buf_on(arena);
    buf_print(&out, "@%.*s{%.*s,\n", (int)found->type.length, found->type.bytes,
              (int)found->key.length, found->key.bytes);
    for (size_t i = 0; i < found->field_count; i++) {
        const struct bibtex_field *field = &found->fields[i];
        if (slice_like(field->name, "crossref") || slice_like(field->name, "xdata"))
            continue;
        if (!balanced(field->value))
            return found->source;
        buf_print(&out, "  %.*s = {", (int)field->name.length, field->name.bytes);
        buf_append(&out, field->value.bytes, field->value.length);
        buf_string(&out, "},\n");
    }
    buf_char(&out, '}');
    return (struct slice){out.data, out.length};
}

struct seeking {
    struct bibtex_files *files;
    struct bibliography_entry *entry;
};

static void remark_lost(struct slice key, void *data)
{
    struct seeking *seeking = data;
    const struct bibtex_macro *place =
        bibtex_macro_find(&seeking->files->heritage.entries, key);
    if (place == NULL || place->thing == NULL)
        bibliography_remark(seeking->entry, seeking->entry->line, "no_parent", key,
                            "the entry that it is a part of is not in these files");
}

static void take_entry(struct bibliography_entry *entry, struct bibtex_files *files,
                       struct bibtex_entry *found, struct arena *arena)
{
    bool inherited;
    struct seeking seeking = {files, entry};
    heritage_keys(found->fields, found->field_count, remark_lost, &seeking);
    if (heritage_take(found, &inherited, &files->heritage, arena) != OK) {
        refuse(entry, BIBTEX_TOO_MUCH_EXPANSION, found->line);
        return;
    }
    if (inherited || found->expanded)
        found->source = standing_alone(found, arena);
    entry->document = work_document(arena, found);
    const struct bibtex_macro *place =
        bibtex_macro_find(&files->heritage.entries, found->key);
    if (place != NULL && found->key.length > 0)
        bibliography_remark(entry, entry->line, "parent", found->key,
                            "other entries are parts of it");
}

enum result bibtex_files_next(struct bibliography_entry *entry,
                              struct bibtex_files *files, struct arena *arena)
{
    struct bibtex_entry found;
    do
        TRY(bibtex_next(&found, files->parser));
    while (found.refused == BIBTEX_SOUND && slice_like(found.type, "xdata"));
    entry->line = found.line;
    entry->source = found.source;
    entry->key = without_nul(arena, found.key);
    take_remarks(entry, &found);
    if (found.refused != BIBTEX_SOUND)
        refuse(entry, found.refused, found.refused_line);
    else if (!bibtex_is_entry(&found))
        refuse(entry, found.remarks[0].problem, found.remarks[0].line);
    else
        take_entry(entry, files, &found, arena);
    return OK;
}
