/* Any bytes as the fields of a form, as a document, as a row, and as a definition that is
 * being written: make MODE=fuzz
 * build/fuzz/form, then run it from the repository with a folder of JSON files. What was
 * accepted must be accepted again, unchanged; and whatever came must be drawn. */
#include "server/form/difference.h"
#include "server/form/edit.h"
#include "server/form/forms.h"
#include "server/form/page.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static struct forms *forms;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    char problem[400];
    json_on_arena();
    if (forms_open(&forms, ".", "", false, problem, sizeof problem) != OK)
        abort();
    return 0;
}

static void once_more(const struct form *form, json_t *document)
{
    struct submission again;
    if (form_read_document(&again, form, document, FOR_ADMIN, false) != OK ||
        !json_equal(document, again.document))
        abort();
}

static void try_form(const struct form *form, json_t *input)
{
    struct submission out;
    if (form_read_document(&out, form, input, FOR_ADMIN, false) == OK)
        once_more(form, out.document);
    if (form_page(form, out.typed, out.errors, FOR_ADMIN, ENGLISH) == NULL)
        abort();
    if (form_read_document(&out, form, input, FOR_MEMBER, true) == OK)
        (void)form_merge(form, NULL, out.document);
    if (!json_is_object(input))
        return;
    (void)form_apply_action(form, input, "remove:links.0", FOR_MEMBER);
    bool file = json_object_get(input, "file") != NULL;
    if (form_read_fields(&out, form, input, FOR_ADMIN) == OK && !file)
        once_more(form, out.document);
    if (form_page(form, out.typed, out.errors, FOR_ADMIN, CHINESE) == NULL)
        abort();
}

/* A draft may be anything: its problems are named, and what can be drawn can be loaded.
 */
static void try_definition(struct arena *arena, json_t *input)
{
    char problem[400];
    const struct form *form = NULL;
    bool sound = json_array_size(form_problems(input)) == 0;
    bool loaded = form_load(&form, arena, "x", "x", input, problem, sizeof problem) == OK;
    form_free(form);
    if (sound != loaded)
        abort();
    json_t *drawable = edit_drawable(input);
    (void)form_changes(input, drawable);
    if (drawable == NULL)
        return;
    if (form_load(&form, arena, "x", "x", drawable, problem, sizeof problem) != OK)
        abort();
    (void)form_page(form, input, NULL, FOR_MEMBER, ENGLISH);
    form_free(form);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"person", "publication", "roster", "bibtex"};
    struct arena *arena = arena_new();
    arena_enter(arena);
    json_t *input =
        json_loadb((const char *)data, size,
                   JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY, NULL);
    if (input != NULL)
        try_definition(arena, input);
    for (size_t i = 0; input != NULL && i < sizeof names / sizeof names[0]; i++)
        try_form(form_named(forms, names[i]), input);
    if (json_is_array(input) && json_array_size(input) > 0) {
        struct submission out;
        struct columns columns = form_columns(form_named(forms, "roster"),
                                              json_array_get(input, 0), FOR_ADMIN);
        if (form_read_row(&out, &columns, json_array_get(input, 1), FOR_ADMIN) == OK)
            once_more(form_named(forms, "roster"), out.document);
    }
    arena_enter(NULL);
    arena_free(arena);
    return 0;
}
