/* Entries of BibTeX files as entries of a bibliography. */
#include "server/text/bibliography_bibtex.h"

#include "server/text/work.h"

static enum result open_file(void **state, struct arena *arena, struct slice text,
                             const struct bibtex_limits *limits)
{
    struct bibtex *parser;
    TRY(bibtex_open(&parser, arena, text, limits));
    *state = parser;
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

static enum result next_entry(struct bibliography_entry *entry, void *state,
                              struct arena *arena)
{
    struct bibtex_entry found;
    TRY(bibtex_next(&found, state));
    entry->line = found.line;
    entry->source = found.source;
    entry->key = without_nul(arena, found.key);
    take_remarks(entry, &found);
    if (found.refused != BIBTEX_SOUND)
        refuse(entry, found.refused, found.refused_line);
    else if (!bibtex_is_entry(&found))
        refuse(entry, found.remarks[0].problem, found.remarks[0].line);
    else
        entry->document = work_document(arena, &found);
    return OK;
}

const struct bibliography_reader bibtex_reader = {open_file, next_entry};
