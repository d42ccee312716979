/* Small things that every page of the member's and the admin's side needs; see flow.h. */
#include "server/site/flow.h"

#include "server/form/forms.h"
#include "server/form/page.h"
#include "server/site/page.h"
#include "server/site/site.h"
#include "server/view/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct actor actor_of(const struct request *request)
{
    return (struct actor){account_id(request),
                          text_at(request->account, "email", "visitor"), request->id};
}

int64_t account_id(const struct request *request)
{
    return integer_at(request->account, "id");
}

enum result number_of(int64_t *number, const char *text)
{
    char *end;
    if (!text || *text < '0' || *text > '9')
        return NOT_FOUND;
    errno = 0;
    *number = strtoll(text, &end, 10);
    return errno || *end || *number <= 0 ? NOT_FOUND : OK;
}

void flow_done(struct response *response, const char *path, const char *notice)
{
    response_redirect(response, arena_print(response->arena, "%s%snotice=%s", path,
                                            strchr(path, '?') ? "&" : "?", notice));
    response_header(response, "Cache-Control", "private, no-store");
}

/* Browsers send every line end of a form as CR LF (HTML, "constructing entry list"); a
 * pasted text is kept as it was. */
const char *flow_plain_lines(struct arena *arena, const char *text, size_t length)
{
    struct buf out = buf_on(arena);
    buf_reserve(&out, length + 1);
    for (size_t i = 0; i < length; i++)
        if (text[i] != '\r' || i + 1 == length || text[i + 1] != '\n')
            buf_char(&out, text[i]);
    return out.data;
}

enum result flow_form(struct submission *submission, struct request *request,
                      struct response *response, const char *name,
                      enum form_audience audience)
{
    const struct form *form = form_named(site.forms, name);
    json_t *fields = request->fields ? request->fields : json_object();
    if (!form)
        return FAILED;
    enum result result = form_read_fields(submission, form, fields, audience);
    if (result == INVALID)
        response->status = 422;
    return result;
}

void flow_add_form(json_t *document, const struct request *request, const char *name,
                   json_t *values, const struct submission *sent)
{
    json_object_set_new(document, "form",
                        form_page(form_named(site.forms, name),
                                  sent ? sent->typed : values, sent ? sent->errors : NULL,
                                  FOR_ADMIN, request->language));
}

void flow_change_states(json_t *changes)
{
    static const struct {
        const char *state, *class;
        bool open;
    } states[] = {
        {"draft",     "none", true },
        {"submitted", "",     true },
        {"returned",  "warn", true },
        {"approved",  "good", false},
        {"withdrawn", "none", false}
    };
    size_t index;
    json_t *change;
    json_array_foreach(changes, index, change)
    {
        const char *state = text_at(change, "state", "");
        for (size_t i = 0; i < sizeof states / sizeof *states; i++)
            if (strcmp(state, states[i].state) == 0) {
                json_object_set_new(change, "open", json_boolean(states[i].open));
                json_object_set_new(change, "state_class", json_string(states[i].class));
            }
        json_object_set_new(change, "waiting",
                            json_boolean(strcmp(state, "submitted") == 0));
        json_object_set_new(change, "was_returned",
                            json_boolean(strcmp(state, "returned") == 0));
    }
}

static bool has_words(struct arena *arena, const char *prefix, const char *code)
{
    return view_has_message(site.view, arena_print(arena, "%s%s", prefix, code));
}

void flow_event_names(json_t *events)
{
    /* Events of other versions of the program stand in the log too. */
    size_t index;
    json_t *event;
    json_array_foreach(events, index, event) json_object_set_new(
        event, "named",
        json_boolean(has_words(arena_current(), "event.", text_at(event, "action", ""))));
}

/* A code that has words; a visitor's own never reach a page. */
static json_t *known_notice(const struct request *request)
{
    const char *code = query_argument(request, "notice");
    return code && has_words(request->arena, "notice.", code) ? json_string(code)
                                                              : json_null();
}

static json_t *admin_sections(const char *path)
{
    json_t *sections = page_sections("/admin", path);
    json_object_set_new(sections, "overview", json_boolean(strcmp(path, "/admin") == 0));
    return sections;
}

/* "2026-11-30T18:05:07Z" cut for people. */
static void add_time(struct arena *arena, json_t *object, const char *key)
{
    bool bare = strcmp(key, "at") == 0;
    const char *at = text_at(object, key, NULL);
    bool fit = at && strlen(at) >= 16;
    json_object_set_new(object, bare ? "day" : arena_print(arena, "%s_day", key),
                        fit ? json_stringn(at, 10) : json_null());
    json_object_set_new(
        object, bare ? "minute" : arena_print(arena, "%s_minute", key),
        fit ? json_string(arena_print(arena, "%.10s %.5s UTC", at, at + 11))
            : json_null());
}

static void add_times(struct arena *arena, json_t *value)
{
    enum { KEYS_MAX = 16 };
    const char *key, *keys[KEYS_MAX];
    size_t index, count = 0;
    json_t *child;
    if (json_is_array(value)) {
        json_array_foreach(value, index, child) add_times(arena, child);
        return;
    }
    json_object_foreach(value, key, child)
    {
        size_t length = strlen(key);
        bool time = strcmp(key, "at") == 0 ||
                    (length > 3 && strcmp(key + length - 3, "_at") == 0);
        if (time && count < KEYS_MAX)
            keys[count++] = key;
        add_times(arena, child);
    }
    for (size_t i = 0; i < count; i++)
        add_time(arena, value, keys[i]);
}

enum result flow_page(struct request *request, struct response *response,
                      const char *template, json_t *document)
{
    json_object_set_new(document, "notice", known_notice(request));
    json_object_set_new(document, "section", admin_sections(request->path));
    add_times(request->arena, document);
    response_header(response, "Cache-Control", "private, no-store");
    return page(request, response, template, document);
}
