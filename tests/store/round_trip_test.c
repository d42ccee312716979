/* BibTeX into a lab, out of it as BibTeX, and into an empty lab: no field of a work has
 * changed. Both ways out: the entry that was kept, and one that is written from the
 * document alone. */
#include "db/store/change.h"
#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/form/forms.h"
#include "server/site/importing.h"
#include "server/text/bibtex.h"
#include "server/text/bibtex_write.h"
#include "tests/support/corpus.h"
#include "tests/support/lab.h"

#include <stdio.h>
#include <string.h>

enum { BATCH = 250, WAYS = 2 };

static struct db *lab; /* emptied between */
static struct forms *forms;
static struct importing how;

static void open_labs(void)
{
    char problem[512] = "";
    lab = test_lab_db();
    cr_assert_eq(forms_open(&forms, ".", NULL, false, problem, sizeof problem), OK, "%s",
                 problem);
    how = (struct importing){.form = form_named(forms, "publication"),
                             .audience = FOR_ADMIN};
}

static void close_labs(void)
{
    forms_close(forms);
    db_free(lab);
}

TestSuite(round_trip_db, .init = open_labs, .fini = close_labs, .timeout = 600);

static struct {
    size_t works, refused, same[WAYS], changed[WAYS];
} tally;

/* Saves the documents; their ids, 0 for one that was not taken. */
static void save(int64_t ids[BATCH], json_t *documents)
{
    struct proposal proposals[BATCH];
    json_t *outcomes, *document;
    size_t i;
    json_array_foreach(documents, i, document) proposals[i] =
        (struct proposal){.entity = "publication",
                          .document = document,
                          .source = "import",
                          .change_version = -1};
    cr_assert_eq(change_save_many(&outcomes, lab, &command_line, proposals,
                                  json_array_size(documents)),
                 OK, "%s", lab->problem);
    for (i = 0; i < json_array_size(documents); i++)
        ids[i] = integer_at(json_array_get(outcomes, i), "target_id");
}

static json_t *read_back(int64_t id)
{
    json_t *current;
    cr_assert_eq(entity_current(&current, lab, "publication", id), OK);
    return json_object_get(current, "document");
}

/* The one work that the text says, as the form takes it; NULL: there is none. */
static json_t *document_of(struct slice text)
{
    const struct bibliography_file file = {"", text};
    struct bibliography *b;
    struct bibliography_entry entry;
    struct arena *arena = arena_current();
    if (bibliography_open(&b, arena, &file, 1, &bibtex_import_limits) != OK ||
        bibliography_next(&entry, b, arena) != OK || entry.document == NULL)
        return NULL;
    json_t *document = json_object_get(importing_entry(&how, entry.document), "document");
    return json_is_object(document) ? document : NULL;
}

static bool unlike(const char *key)
{
    return strcmp(key, "slug") == 0 || strncmp(key, "bibtex", 6) == 0;
}

static void compare(int way, json_t *before, json_t *after, const char *where)
{
    const char *key;
    json_t *value;
    bool same = true;
    json_object_foreach(before, key, value)
    {
        if (unlike(key) || change_same(value, json_object_get(after, key)))
            continue;
        same = false;
        printf("  %s, %s: %s was %.300s, is %.300s\n", where,
               text_at(before, "bibtex_key", ""), key, json_dumps(value, JSON_ENCODE_ANY),
               json_dumps(json_object_get(after, key), JSON_ENCODE_ANY));
    }
    *(same ? &tally.same[way] : &tally.changed[way]) += 1;
}

/* What was read from the lab goes out as BibTeX, and into the empty lab. */
static void through(json_t *stored, int way, const char *where)
{
    json_t *again = json_array(), *document;
    int64_t ids[BATCH];
    size_t i;
    json_array_foreach(stored, i, document)
    {
        struct buf text = buf_on(arena_current());
        const char *kept = text_of(document, "bibtex");
        if (way == 0 && kept != NULL) {
            buf_string(&text, kept);
        } else {
            json_t *work = json_copy(document);
            json_object_del(work, "bibtex");
            bibtex_write(&text, work);
        }
        json_t *read = document_of((struct slice){text.data, text.length});
        cr_assert_not_null(read, "%s, %s: %s", where, text_at(document, "bibtex_key", ""),
                           text.data);
        json_array_append(again, read);
    }
    save(ids, again);
    for (i = 0; i < json_array_size(stored); i++) {
        document = json_array_get(stored, i);
        cr_assert_neq(ids[i], 0, "%s, %s was not taken", where,
                      text_at(document, "bibtex_key", ""));
        compare(way, document, read_back(ids[i]), where);
    }
    test_sql(lab, "truncate publication cascade");
}

static void batch(json_t *documents, const char *where)
{
    json_t *stored = json_array();
    int64_t ids[BATCH];
    save(ids, documents);
    for (size_t i = 0; i < json_array_size(documents); i++)
        if (ids[i] != 0)
            json_array_append(stored, read_back(ids[i]));
        else
            tally.refused++; /* another of the file has its identifier */
    tally.works += json_array_size(stored);
    test_sql(lab, "truncate publication cascade");
    for (int way = 0; way < WAYS; way++)
        through(stored, way, where);
}

static void file_through(const char *name)
{
    struct arena *own = arena_new(), *before = arena_enter(own), *batches = arena_new();
    const struct bibliography_file file = {name, corpus_read(own, name)};
    struct bibliography *b;
    struct bibliography_entry entry;
    bool more = bibliography_open(&b, own, &file, 1, &bibtex_import_limits) == OK;
    while (more) {
        arena_reset(batches);
        arena_enter(batches);
        json_t *documents = json_array();
        while (json_array_size(documents) < BATCH &&
               (more = bibliography_next(&entry, b, batches) == OK)) {
            json_t *document =
                entry.document == NULL
                    ? NULL
                    : json_object_get(importing_entry(&how, entry.document), "document");
            if (json_is_object(document))
                json_array_append(documents, document);
        }
        if (json_array_size(documents) > 0)
            batch(documents, name);
        arena_enter(own);
    }
    arena_enter(before);
    arena_free(batches);
    arena_free(own);
}

Test(round_trip_db, the_corpus_comes_back_as_it_was)
{
    static const char *const folders[] = {"bib", "bib-suites"};
    const char **names;
    struct arena *arena = arena_new(), *before = arena_enter(arena);
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
        size_t count = corpus_list(&names, arena, folders[f]);
        for (size_t i = 0; i < count; i++)
            file_through(names[i]);
    }
    printf(
        "BibTeX -> database -> BibTeX -> database: %zu works (%zu more share an "
        "identifier "
        "with one of their file); kept entries: %zu the same, %zu changed; written anew: "
        "%zu the same, %zu changed\n",
        tally.works, tally.refused, tally.same[0], tally.changed[0], tally.same[1],
        tally.changed[1]);
    (void)fflush(stdout);
    arena_enter(before);
    arena_free(arena);
    cr_expect_eq(tally.changed[0], 0);
    cr_expect_eq(tally.changed[1], 0);
    cr_assert_gt(tally.works, 20000);
}
