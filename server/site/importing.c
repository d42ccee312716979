/* Reading and judging what is to be imported; see importing.h. */
#include "server/site/importing.h"

#include "db/store/change.h"
#include "db/store/import.h"
#include "db/store/person.h"
#include "db/store/publication.h"
#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/base/utf8.h"
#include "server/form/submission.h"
#include "server/text/bibtex.h"
#include "server/text/same_work.h"
#include "server/text/work_join.h"

#include <string.h>

enum { BATCH = 200 };

static json_t *problem_new(const char *code, size_t line, const char *reason)
{
    return json_pack("{s:s, s:I, s:s?, s:n, s:b}", "code", code, "line", (json_int_t)line,
                     "reason", reason, "word", "by_form", 0);
}

/* Of a form: what the messages error.CODE need is in it already. */
static json_t *problem_of_error(json_t *error)
{
    json_t *problem = json_copy(error);
    json_object_set_new(problem, "by_form", json_true());
    json_object_set_new(problem, "word", json_null());
    json_object_set_new(problem, "line", json_null());
    return problem;
}

/* What must be right is title, kind and authors; of the rest what is wrong is left out,
 * and said. */
static void read_form(json_t *entry, const struct importing *how, json_t *document)
{
    struct submission read;
    json_t *remarks = json_object_get(entry, "remarks"), *error;
    size_t index;
    enum result result =
        form_read_document(&read, how->form, document, how->audience, false);
    if (result == INVALID) {
        json_t *errors = read.errors;
        json_t *rest = form_without_faults(how->form, document, errors);
        if (rest != NULL)
            result = form_read_document(&read, how->form, rest, how->audience, false);
        if (result == OK)
            json_array_foreach(errors, index, error)
                json_array_append_new(remarks, problem_of_error(error));
        else
            json_object_set_new(entry, "problem",
                                problem_of_error(json_array_get(errors, 0)));
    }
    json_object_set_new(entry, "fate", json_string(result == OK ? "new" : "refused"));
    json_object_set(entry, "document", result == OK ? read.document : json_null());
}

static void keep_asked(json_t *document, const struct form *form)
{
    void *next;
    const char *key;
    json_t *value;
    json_object_foreach_safe(document, next, key, value)
    {
        if (field_named(form->fields, form->field_count, key) == NULL)
            json_object_del(document, key);
    }
}

json_t *importing_entry(const struct importing *how, json_t *document)
{
    json_t *entry = json_pack("{s:[], s:s, s:n, s:s, s:i, s:i}", "remarks", "key", "",
                              "problem", "choice", "skip", "file", 0, "line", 0);
    keep_asked(document, how->form);
    read_form(entry, how, document);
    return entry;
}

json_t *importing_row(const struct importing *how, const struct bibliography_entry *found)
{
    json_t *entry;
    if (found->document != NULL) {
        entry = importing_entry(how, found->document);
    } else {
        bool wanted = found->scheme != NULL;
        entry = json_pack(
            "{s:[], s:s, s:s, s:s?, s:s?, s:o, s:n}", "remarks", "fate",
            wanted ? "waiting" : "refused", "choice", "skip", "scheme", found->scheme,
            "value", found->value, "problem",
            wanted ? json_null()
                   : problem_new(found->refused, found->refused_line, found->reason),
            "document");
    }
    if (json_array_size(found->remarks) > 0) {
        json_t *remarks = json_copy(found->remarks);
        json_array_extend(remarks, json_object_get(entry, "remarks"));
        json_object_set_new(entry, "remarks", remarks);
    }
    json_object_set_new(entry, "file", json_integer((json_int_t)found->file));
    json_object_set_new(entry, "line", json_integer((json_int_t)found->line));
    json_object_set_new(entry, "key", json_string(found->key != NULL ? found->key : ""));
    return entry;
}

static const struct bibtex_limits limits = {.file_bytes = IMPORT_BYTES_MOST,
                                            .entries = IMPORT_ENTRIES_MOST,
                                            .fields = 512,
                                            .depth = 64,
                                            .value_bytes = (size_t)1 << 20,
                                            .macros = 10000,
                                            .macro_bytes = (size_t)8 << 20};

enum result importing_read(json_t **entries, json_t **files, const struct importing *how,
                           const struct bibliography_file *list, size_t count)
{
    struct arena *arena = arena_current();
    struct bibliography *bibliography;
    struct bibliography_entry found;
    enum result result;
    *entries = json_array();
    TRY(bibliography_open(&bibliography, arena, list, count, &limits));
    while ((result = bibliography_next(&found, bibliography, arena)) == OK) {
        if (json_array_size(*entries) == IMPORT_ENTRIES_MOST)
            return INVALID;
        json_t *entry = importing_row(how, &found);
        json_array_append_new(*entries, entry);
        json_object_set_new(entry, "number",
                            json_integer((json_int_t)json_array_size(*entries)));
    }
    *files = bibliography_files(bibliography);
    TRY(result == NOT_FOUND ? OK : result);
    return importing_judge(how, *entries, NULL);
}

/* Entries seen before, by their match keys. */
struct seen {
    json_t *by_key;       /* key -> [entry] */
    struct arena *memory; /* where these are copied to; NULL: they stay where they are */
};

/* Names under which it is found: match keys and identifiers. */
static json_t *names_of(json_t *document)
{
    size_t i;
    json_t *key, *row, *names = json_array();
    json_t *keys = same_work_keys(arena_current(), document);
    json_array_foreach(keys, i, key)
        json_array_append_new(names, json_string(NUM(json_integer_value(key))));
    json_array_foreach(json_object_get(document, "identifiers"), i, row)
        json_array_append_new(names, json_sprintf("%s:%s", text_at(row, "scheme", ""),
                                                  text_at(row, "value", "")));
    return names;
}

static json_t *earlier(struct seen *seen, json_t *document)
{
    size_t i, j;
    json_t *name, *entry, *names = names_of(document);
    json_array_foreach(names, i, name)
    {
        json_t *list = json_object_get(seen->by_key, json_string_value(name));
        json_array_foreach(list, j, entry)
        {
            if (strchr(json_string_value(name), ':') !=
                    NULL /* one identifier is one work */
                || same_work_compare(document, json_object_get(entry, "document")).same)
                return entry;
        }
    }
    return NULL;
}

static void see(struct seen *seen, json_t *entry)
{
    enum { OF_ONE_KEY = 20 };
    size_t i;
    json_t *name, *names = names_of(json_object_get(entry, "document"));
    struct arena *before = arena_current();
    if (seen->memory != NULL) {
        arena_enter(seen->memory);
        entry = json_pack("{s:O, s:o}", "line", json_object_get(entry, "line"),
                          "document", json_deep_copy(json_object_get(entry, "document")));
    }
    json_array_foreach(names, i, name)
    {
        json_t *list = json_object_get(seen->by_key, json_string_value(name));
        if (list == NULL)
            json_object_set_new(seen->by_key, json_string_value(name),
                                list = json_array());
        if (json_array_size(list) < OF_ONE_KEY)
            json_array_append(list, entry);
    }
    arena_enter(before);
}

static void decide(json_t *entry, const char *fate, const char *choice, json_t *match)
{
    json_object_set_new(entry, "fate", json_string(fate));
    json_object_set_new(entry, "choice", json_string(choice));
    if (match == NULL)
        return;
    json_object_set(entry, "target_id", json_object_get(match, "id"));
    json_object_set(entry, "target_version", json_object_get(match, "version"));
    json_object_set(entry, "score", json_object_get(match, "score"));
}

/* Does the file say what it said at the last import? */
static bool as_imported(json_t *document, json_t *imported)
{
    json_t *before, *now;
    if (!json_is_object(imported))
        return false;
    before = json_copy(imported);
    now = json_copy(document);
    json_object_del(before, "slug");
    json_object_del(now, "slug");
    return change_same(before, now);
}

/* `match` is the same work. */
static enum result compare(const struct importing *how, json_t *entry, json_t *match)
{
    json_t *current, *document = json_object_get(entry, "document");
    TRY(entity_current(&current, how->db, "publication", integer_at(match, "id")));
    json_t *here = json_object_get(current, "document");
    if (change_same(work_joined(here, document), here))
        decide(entry, "unchanged", "skip", match);
    else if (strcmp(text_at(match, "last_source", ""), "import") == 0)
        decide(entry, "update", "update", match);
    else
        decide(entry, "edited", "skip", match);
    json_object_set(entry, "slug", json_object_get(match, "slug"));
    json_object_set_new(entry, "imported",
                        json_boolean(json_is_object(json_object_get(match, "imported"))));
    return OK;
}

static enum result judge(const struct importing *how, json_t *entry, json_t *matches)
{
    size_t index;
    json_t *match, *same = NULL, *likely = NULL;
    json_array_foreach(matches, index, match)
    {
        if (as_imported(json_object_get(entry, "document"),
                        json_object_get(match, "imported"))) {
            decide(entry, "unchanged", "skip", match);
            return OK;
        }
        if (same == NULL && truth_at(match, "same"))
            same = match;
        if (likely == NULL && truth_at(match, "likely"))
            likely = match;
    }
    if (same != NULL)
        return compare(how, entry, same);
    if (likely != NULL)
        decide(entry, "duplicate", "skip", likely);
    else
        decide(entry, "new", "add", NULL);
    return OK;
}

/* Whose entries they are: what this account has proposed already, and its names. */
struct owner {
    json_t *proposed; /* folded titles of works that wait for review */
    json_t *names;
};

static enum result read_owner(struct owner *owner, const struct importing *how)
{
    json_t *works, *work;
    size_t index;
    owner->proposed = json_object();
    TRY(import_proposed(&works, how->db, how->account));
    json_array_foreach(works, index, work)
    {
        const char *title = text_at(work, "title", "");
        json_object_set_new(owner->proposed,
                            utf8_fold(arena_current(), title, strlen(title)),
                            json_true());
    }
    return import_own_names(&owner->names, how->db, how->account);
}

/* A work of others is taken all the same, but a member's list is mostly the member's. */
static void remark_others(const struct owner *owner, json_t *entry)
{
    size_t index;
    json_t *author,
        *authors = json_object_get(json_object_get(entry, "document"), "authors");
    if (json_object_size(owner->names) == 0)
        return;
    json_array_foreach(authors, index, author)
    {
        const char *name = name_folded(arena_current(), text_at(author, "name", ""));
        if (json_object_get(owner->names, name) != NULL)
            return;
    }
    json_array_append_new(json_object_get(entry, "remarks"),
                          problem_new("not_yours", 0, NULL));
}

static enum result judge_batch(const struct importing *how, json_t *batch,
                               struct seen *seen, const struct owner *owner)
{
    json_t *documents = json_array(), *matches, *entry;
    size_t i;
    json_array_foreach(batch, i, entry)
        json_array_append(documents, json_object_get(entry, "document"));
    TRY(publication_match_many(&matches, how->db, documents));
    json_array_foreach(batch, i, entry)
    {
        json_t *document = json_object_get(entry, "document");
        const char *title = text_at(document, "title", "");
        json_t *first = earlier(seen, document);
        TRY(judge(how, entry, json_array_get(matches, i)));
        bool fresh = strcmp(text_at(entry, "fate", ""), "new") == 0;
        if (first != NULL && strcmp(text_at(entry, "fate", ""), "unchanged") != 0) {
            decide(entry, "repeated", "skip", NULL);
            json_object_set(entry, "first", json_object_get(first, "number"));
            json_object_set(entry, "first_line", json_object_get(first, "line"));
        } else if (fresh &&
                   json_object_get(owner->proposed,
                                   utf8_fold(arena_current(), title, strlen(title)))) {
            decide(entry, "sent", "skip", NULL);
        }
        remark_others(owner, entry);
        if (first == NULL)
            see(seen, entry);
    }
    return OK;
}

enum result importing_judge(const struct importing *how, json_t *entries, json_t *others)
{
    struct seen seen = {how->seen != NULL ? how->seen : json_object(), how->memory};
    json_t *batch = json_array(), *entry;
    struct owner owner;
    size_t i, count = json_array_size(entries);
    TRY(read_owner(&owner, how));
    json_array_foreach(others, i, entry)
    {
        if (json_is_object(json_object_get(entry, "document")))
            see(&seen, entry);
    }
    json_array_foreach(entries, i, entry)
    {
        if (strcmp(text_at(entry, "fate", ""), "new") == 0)
            json_array_append(batch, entry);
        if (json_array_size(batch) == BATCH ||
            (i + 1 == count && json_array_size(batch) > 0)) {
            TRY(judge_batch(how, batch, &seen, &owner));
            json_array_clear(batch);
        }
    }
    return OK;
}
