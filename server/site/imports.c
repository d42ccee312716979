/* The pages of an import: what to read, what would become of each entry, what did. */
#include "server/site/imports.h"

#include "db/store/change.h"
#include "db/store/import.h"
#include "db/store/job.h"
#include "db/transaction.h"
#include "server/base/percent.h"
#include "server/base/utf8.h"
#include "server/form/forms.h"
#include "server/form/page.h"
#include "server/form/value.h"
#include "server/site/flow.h"
#include "server/site/importing.h"
#include "server/site/site.h"
#include "server/site/values.h"
#include "server/text/work_join.h"

#include <string.h>

enum { ENTRIES_A_PAGE = 50, FILES_MOST = 50 };

static const char *const fates[] = {"new",       "update",  "edited",  "duplicate",
                                    "repeated",  "sent",    "waiting", "failed",
                                    "unchanged", "refused", NULL};

static bool is_admin(const struct request *request)
{
    return truth_at(request->account, "admin");
}

static struct importing how_of(const struct request *request)
{
    return (struct importing){.db = request->db,
                              .form = form_named(site.forms, "publication"),
                              .audience = FOR_MEMBER,
                              .account = account_id(request)};
}

static enum result draw_new(struct request *request, struct response *response,
                            const struct submission *form)
{
    json_t *document = json_object(), *imports;
    TRY(import_list(&imports, request->db, account_id(request)));
    flow_add_form(document, request, "works", NULL, form);
    json_object_set(document, "imports", imports);
    json_object_set_new(document, "at_once", json_boolean(is_admin(request)));
    return flow_page(request, response, "imports/new.html", document);
}

enum result imports_new(struct request *request, struct response *response)
{
    return draw_new(request, response, NULL);
}

static enum result refuse(struct request *request, struct response *response,
                          struct submission *form, const char *code)
{
    form_error(form, NULL, code);
    response->status = 422;
    return draw_new(request, response, form);
}

/* What was pasted, then each file. */
static size_t gather(struct bibliography_file *files, const struct request *request,
                     const struct submission *form)
{
    size_t count = 0;
    const char *pasted = text_at(form->document, "text", "");
    if (*pasted != '\0')
        files[count++] = (struct bibliography_file){
            "", slice_of(flow_plain_lines(request->arena, pasted, strlen(pasted)))};
    for (const struct upload *file = request->uploads; file != NULL; file = file->next)
        if (strcmp(file->name, "file") == 0 && file->length > 0 && count < FILES_MOST)
            files[count++] = (struct bibliography_file){
                value_printable(request->arena, file->filename, strlen(file->filename),
                                100, false),
                {file->data, file->length}
            };
    return count;
}

struct storing {
    int64_t id, account;
    json_t *files, *entries;
};

static enum result look_up_later(struct storing *s, struct db *db, const json_t *entry)
{
    int64_t job;
    return job_add(&job, db, "lookup",
                   json_pack("{s:I, s:O}", "import", (json_int_t)s->id, "entry",
                             json_object_get(entry, "number")),
                   s->account);
}

/* With a job for each entry that has to be looked up. */
static enum result store(struct db *db, void *data)
{
    struct storing *s = data;
    json_t *entry;
    size_t index;
    TRY(import_add(&s->id, db, s->account, s->files, s->entries));
    json_array_foreach(s->entries, index, entry)
    {
        if (strcmp(text_at(entry, "fate", ""), "waiting") == 0)
            TRY(look_up_later(s, db, entry));
    }
    return OK;
}

static enum result look_up_again(struct db *db, void *data)
{
    struct storing *s = data;
    json_t *entry;
    size_t index;
    TRY(import_wait_again(&s->entries, db, s->id));
    json_array_foreach(s->entries, index, entry) TRY(look_up_later(s, db, entry));
    return OK;
}

static void go_to(struct response *response, int64_t id, const char *notice)
{
    flow_done(response, arena_print(response->arena, "/my/imports/%lld", (long long)id),
              notice);
}

enum result imports_read(struct request *request, struct response *response)
{
    struct submission form;
    struct bibliography_file files[FILES_MOST + 1];
    struct storing storing = {.account = account_id(request)};
    struct importing how = how_of(request);
    if (flow_form(&form, request, response, "works", FOR_MEMBER) != OK)
        return draw_new(request, response, &form);
    size_t count = gather(files, request, &form);
    enum result result =
        importing_read(&storing.entries, &storing.files, &how, files, count);
    if (result == INVALID)
        return refuse(request, response, &form, "works_too_many");
    TRY(result);
    if (json_array_size(storing.entries) == 0)
        return refuse(request, response, &form, "works_none");
    TRY(db_transaction(request->db, store, &storing));
    response_redirect(
        response, arena_print(request->arena, "/my/imports/%lld", (long long)storing.id));
    return OK;
}

static json_t *author_names(struct arena *arena, json_t *document)
{
    enum { SHOWN = 8 };
    struct buf names = buf_on(arena);
    json_t *authors = json_object_get(document, "authors");
    for (size_t i = 0; i < json_array_size(authors) && i < SHOWN; i++)
        buf_print(&names, "%s%s", i > 0 ? ", " : "",
                  text_at(json_array_get(authors, i), "name", ""));
    if (json_array_size(authors) > SHOWN)
        buf_string(&names, ", …");
    return names.length > 0 ? json_string(names.data) : json_null();
}

static json_t *shown_problems(const struct request *request, json_t *problems)
{
    const struct form *form = form_named(site.forms, "publication");
    json_t *shown = json_array(), *problem;
    size_t index;
    json_array_foreach(problems, index, problem)
    {
        json_t *row = json_copy(problem);
        json_object_set_new(row, "by_form", json_boolean(truth_at(problem, "by_form")));
        json_object_set_new(row, "is_look_up",
                            json_boolean(truth_at(problem, "look_up")));
        if (truth_at(problem, "by_form")) {
            json_t *list =
                form_error_list(form, json_pack("[O]", problem), request->language);
            json_object_update(row, json_array_get(list, 0));
        }
        json_array_append_new(shown, row);
    }
    return shown;
}

/* What the update would change in the work that is here. */
static enum result difference(json_t **rows, struct request *request, json_t *entry)
{
    json_t *current;
    *rows = json_array();
    int64_t target = integer_at(entry, "target_id");
    if (target == 0 || !json_is_object(json_object_get(entry, "document")))
        return OK;
    enum result result = entity_current(&current, request->db, "publication", target);
    if (result != OK)
        return result == NOT_FOUND ? OK : result;
    json_t *here = json_object_get(current, "document");
    json_t *joined = work_joined(here, json_object_get(entry, "document"));
    *rows = difference_rows(request, form_named(site.forms, "publication"),
                            change_differences(here, joined));
    return OK;
}

static json_t *option(const char *value, const char *chosen)
{
    return json_pack("{s:s, s:b}", "value", value, "selected",
                     strcmp(value, chosen) == 0);
}

static json_t *options_of(const json_t *entry)
{
    const char *fate = text_at(entry, "fate", ""),
               *choice = text_at(entry, "choice", "skip");
    bool add = strcmp(fate, "new") == 0 || strcmp(fate, "duplicate") == 0 ||
               strcmp(fate, "repeated") == 0;
    bool update = strcmp(fate, "update") == 0 || strcmp(fate, "edited") == 0 ||
                  strcmp(fate, "duplicate") == 0;
    json_t *options = json_array();
    if (text_of(entry, "outcome") != NULL || (!add && !update))
        return options;
    if (add)
        json_array_append_new(options, option("add", choice));
    if (update)
        json_array_append_new(options, option("update", choice));
    json_array_append_new(options, option("skip", choice));
    return options;
}

static enum result prepare(struct request *request, json_t *entry, json_t *files)
{
    static const char *const shown[] = {"title", "venue", "year"};
    json_t *document = json_object_get(entry, "document"), *rows;
    json_t *problem = json_object_get(entry, "problem");
    json_t *file = json_array_get(files, (size_t)integer_at(entry, "file"));
    const char *fate = text_at(entry, "fate", "");
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        json_t *value = json_object_get(document, shown[i]);
        json_object_set(entry, shown[i], value ? value : json_null());
    }
    bool changes = strcmp(fate, "update") == 0 || strcmp(fate, "edited") == 0 ||
                   strcmp(fate, "duplicate") == 0;
    TRY(difference(&rows, request, entry));
    json_object_set_new(entry, "authors", author_names(request->arena, document));
    json_object_set_new(entry, "file_name",
                        filled_of(file, "name") ? json_string(filled_of(file, "name"))
                                                : json_null());
    json_object_set_new(entry, "problems",
                        shown_problems(request, json_is_object(problem)
                                                    ? json_pack("[O]", problem)
                                                    : json_array()));
    json_object_set_new(entry, "notes",
                        shown_problems(request, json_object_get(entry, "remarks")));
    json_t *options = options_of(entry);
    json_object_set_new(entry, "has_options", json_boolean(json_array_size(options) > 0));
    json_object_set_new(entry, "options", options);
    json_object_set_new(entry, "difference",
                        changes && json_array_size(rows) > 0
                            ? json_pack("{s:o, s:b}", "rows", rows, "new_entity", 0)
                            : json_null());
    json_object_set_new(
        entry, "tag_class",
        json_string(strcmp(fate, "new") == 0 || strcmp(fate, "update") == 0       ? "good"
                    : strcmp(fate, "refused") == 0 || strcmp(fate, "failed") == 0 ? "bad"
                    : strcmp(fate, "unchanged") == 0                              ? "none"
                                                                                  : ""));
    return OK;
}

static json_t *tabs_of(const json_t *import, const char *fate)
{
    json_t *tabs = json_array(), *counts = json_object_get(import, "fates");
    json_array_append_new(tabs, json_pack("{s:n, s:O, s:b}", "fate", "count",
                                          json_object_get(import, "count"), "current",
                                          fate == NULL));
    for (size_t i = 0; fates[i] != NULL; i++) {
        json_t *count = json_object_get(counts, fates[i]);
        if (count != NULL)
            json_array_append_new(
                tabs, json_pack("{s:s, s:O, s:b}", "fate", fates[i], "count", count,
                                "current", fate != NULL && strcmp(fate, fates[i]) == 0));
    }
    return tabs;
}

static json_t *outcomes_of(const json_t *import)
{
    static const char *const names[] = {"created",  "updated", "submitted", "unchanged",
                                        "conflict", "refused", NULL};
    json_t *list = json_array(), *counts = json_object_get(import, "outcomes");
    for (size_t i = 0; names[i] != NULL; i++) {
        json_t *count = json_object_get(counts, names[i]);
        if (count != NULL)
            json_array_append_new(
                list, json_pack("{s:s, s:O}", "outcome", names[i], "count", count));
    }
    return list;
}

static const char *wanted_fate(const struct request *request)
{
    const char *name = query_argument(request, "show");
    for (size_t i = 0; name != NULL && fates[i] != NULL; i++)
        if (strcmp(fates[i], name) == 0)
            return fates[i];
    return NULL;
}

static enum result find(json_t **import, struct request *request)
{
    int64_t id;
    TRY(number_of(&id, param(request, "id")));
    return import_read(import, request->db, id, account_id(request));
}

enum result imports_show(struct request *request, struct response *response)
{
    json_t *import, *entries, *entry;
    size_t index;
    int64_t after = 0;
    const char *fate = wanted_fate(request);
    TRY(find(&import, request));
    if (number_of(&after, query_argument(request, "after")) != OK || after > INT32_MAX)
        after = 0;
    TRY(import_entries(&entries, request->db, integer_at(import, "id"), fate, after,
                       ENTRIES_A_PAGE + 1));
    bool more = json_array_size(entries) > ENTRIES_A_PAGE;
    if (more)
        json_array_remove(entries, ENTRIES_A_PAGE);
    bool choosing = false;
    json_array_foreach(entries, index, entry)
    {
        TRY(prepare(request, entry, json_object_get(import, "files")));
        choosing |= json_array_size(json_object_get(entry, "options")) > 0;
    }
    json_t *last = json_array_get(entries, json_array_size(entries) - 1);
    bool waiting = json_object_get(json_object_get(import, "fates"), "waiting") != NULL;
    bool failed = json_object_get(json_object_get(import, "fates"), "failed") != NULL;
    bool applied = strcmp(text_at(import, "state", ""), "applied") == 0;
    json_t *document = json_pack(
        "{s:O, s:O, s:o, s:o, s:o?, s:s?, s:b, s:b, s:b, s:b, s:b, s:I}", "import",
        import, "entries", entries, "tabs", tabs_of(import, fate), "outcomes",
        outcomes_of(import), "next", more ? json_object_get(last, "number") : NULL,
        "show", fate, "waiting", waiting, "applied", applied, "choosing", choosing,
        "at_once", is_admin(request), "first_page", after == 0, "id",
        (json_int_t)integer_at(import, "id"));
    json_object_set(document, "chosen", json_object_get(import, "chosen"));
    json_object_set_new(document, "has_failed", json_boolean(failed));
    return flow_page(request, response, "imports/show.html", document);
}

/* The page's choices: entry.12=add. */
static enum result save_choices(struct request *request, int64_t id)
{
    json_t *choices = json_array(), *value;
    const char *key;
    json_object_foreach(request->fields, key, value)
    {
        int64_t number;
        if (strncmp(key, "entry.", 6) != 0 || number_of(&number, key + 6) != OK ||
            number > IMPORT_ENTRIES_MOST)
            continue;
        json_array_append_new(choices,
                              json_pack("{s:I, s:O}", "number", (json_int_t)number,
                                        "choice", json_array_get(value, 0)));
    }
    return json_array_size(choices) == 0 ? OK : import_choose(request->db, id, choices);
}

enum result imports_choose(struct request *request, struct response *response)
{
    json_t *import;
    struct actor actor = actor_of(request);
    const char *action = field(request, "action"), *next = field(request, "next");
    const char *fate = field(request, "show");
    TRY(find(&import, request));
    int64_t id = integer_at(import, "id"), after;
    TRY(save_choices(request, id));
    if (action != NULL && strcmp(action, "apply") == 0) {
        TRY(importing_apply(request->db, &actor, id, is_admin(request)));
        go_to(response, id, "imported");
        return OK;
    }
    const char *path =
        arena_print(request->arena, "/my/imports/%lld?after=%lld%s%s", (long long)id,
                    number_of(&after, next) == OK ? (long long)after : 0LL,
                    fate && *fate ? "&show=" : "",
                    fate && *fate ? percent_text(request->arena, fate) : "");
    response_redirect(response, path);
    return OK;
}

enum result imports_discard(struct request *request, struct response *response)
{
    json_t *import;
    TRY(find(&import, request));
    TRY(import_close(request->db, integer_at(import, "id"), "discarded"));
    flow_done(response, "/my/imports", "import_discarded");
    return OK;
}

enum result imports_retry(struct request *request, struct response *response)
{
    json_t *import;
    struct storing storing = {.account = account_id(request)};
    TRY(find(&import, request));
    storing.id = integer_at(import, "id");
    TRY(db_transaction(request->db, look_up_again, &storing));
    response_redirect(
        response, arena_print(request->arena, "/my/imports/%lld", (long long)storing.id));
    return OK;
}
