/* What BibTeX files say of works is what the publication form takes: the few entries that
 * it refuses are those that no publication can be made of. */
#include "server/form/forms.h"
#include "server/form/submission.h"
#include "server/text/encoding.h"
#include "server/text/work.h"
#include "tests/support/corpus.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tally {
    size_t works, mended, refused;
    size_t no_authors, no_title; /* of the refused: a required part is missing */
};

static void note(struct tally *tally, const char *file, const struct bibtex_entry *entry,
                 const struct submission *out)
{
    json_t *error = json_array_get(out->errors, 0);
    const char *field = json_string_value(json_object_get(error, "field"));
    const char *code = json_string_value(json_object_get(error, "code"));
    bool missing = strcmp(code, "required") == 0;
    tally->refused++;
    tally->no_authors += missing && strcmp(field, "authors") == 0;
    tally->no_title += missing && strcmp(field, "title") == 0;
    if (getenv("LABD_CORPUS_VERBOSE") != NULL)
        printf("%s:%zu: %s %s\n", file, entry->line, field, code);
}

static void read_works(struct tally *tally, const struct form *form, const char *file)
{
    struct arena *arena = arena_new();
    struct arena *outer = arena_enter(arena);
    struct slice bytes = corpus_read(arena, file);
    struct decoded decoded;
    struct bibtex *parser;
    struct bibtex_entry entry;
    if (encoding_decode(&decoded, arena, bytes.bytes, bytes.length) == OK &&
        bibtex_open(&parser, arena, decoded.text, &bibtex_import_limits) == OK)
        while (bibtex_next(&entry, parser) == OK) {
            if (!bibtex_is_entry(&entry) || entry.refused != BIBTEX_SOUND)
                continue;
            json_t *work = work_document(arena, &entry);
            json_object_del(work, "others");
            json_object_del(work, "language");
            struct submission out;
            tally->works++;
            if (form_read_document(&out, form, work, FOR_ADMIN, false) == OK)
                continue;
            json_t *rest = form_without_faults(form, work, out.errors);
            struct submission again;
            if (rest == NULL)
                note(tally, file, &entry, &out);
            else if (form_read_document(&again, form, rest, FOR_ADMIN, false) == OK)
                tally->mended++;
            else
                note(tally, file, &entry, &again);
        }
    arena_enter(outer);
    arena_free(arena);
}

Test(form_corpus, works_of_bibtex_files_are_accepted)
{
    struct arena *arena = arena_new();
    arena_enter(arena);
    struct forms *forms = NULL;
    char problem[400];
    cr_assert_eq(forms_open(&forms, ".", "", false, problem, sizeof problem), OK);
    const char **names;
    size_t count = corpus_list(&names, arena, "bib");
    struct tally tally = {0};
    for (size_t i = 0; i < count; i++)
        read_works(&tally, form_named(forms, "publication"), names[i]);
    printf(
        "%zu works, %zu without a part, %zu refused: %zu for authors, %zu for a title\n",
        tally.works, tally.mended, tally.refused, tally.no_authors, tally.no_title);
    size_t other = tally.refused - tally.no_authors - tally.no_title;
    cr_expect(tally.works > 10000);
    cr_expect(tally.mended < 100, "%zu", tally.mended);
    cr_expect(other <= 5, "%zu of %zu", other, tally.works);
    forms_close(forms);
    arena_enter(NULL);
    arena_free(arena);
}
