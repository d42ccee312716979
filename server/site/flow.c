/* Small things that every page of the member's and the admin's side needs; see flow.h. */
#include "server/site/flow.h"

#include "db/store/lab.h"
#include "server/form/forms.h"
#include "server/form/page.h"
#include "server/site/page.h"
#include "server/site/photos.h"
#include "server/site/site.h"
#include "server/site/tags.h"
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

json_t *flow_numbers(const struct request *request, const char *name)
{
    json_t *found = json_array(), *value;
    size_t index;
    json_array_foreach(json_object_get(request->fields, name), index, value)
    {
        const char *at = json_string_value(value);
        while (at != NULL && *at != '\0') {
            int64_t number;
            size_t length = strcspn(at, ",");
            if (number_of(&number, arena_copy(request->arena, at, length)) != OK)
                return json_array();
            json_array_append_new(found, json_integer(number));
            at += length + (at[length] == ',');
        }
    }
    return found;
}

json_t *flow_number_list(json_t *rows, const char *key)
{
    struct buf out = buf_on(arena_current());
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row) buf_print(
        &out, "%s%lld", out.length > 0 ? "," : "",
        (long long)(key != NULL ? integer_at(row, key) : json_integer_value(row)));
    return json_string(out.data);
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
    if (!form)
        return FAILED;
    enum result result = photos_read(submission, request, form, audience);
    if (result == INVALID)
        response->status = 422;
    return result;
}

json_t *flow_options(const char *const *values, const char *chosen)
{
    json_t *options = json_array();
    for (; *values != NULL; values++)
        json_array_append_new(
            options, json_pack("{s:s,s:b}", "value", *values, "selected",
                               (int)(chosen != NULL && strcmp(*values, chosen) == 0)));
    return options;
}

void flow_store_errors(struct submission *submission, json_t *errors)
{
    json_t *error;
    size_t index;
    json_array_foreach(errors, index, error)
        form_error(submission, text_at(error, "field", NULL), text_at(error, "code", ""));
    if (json_array_size(errors) == 0)
        form_error(submission, NULL, "refused");
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
    tag_add_all(changes, "change");
    size_t index;
    json_t *change;
    json_array_foreach(changes, index, change)
    {
        const char *state = text_at(change, "state", "");
        json_object_set_new(change, "open",
                            json_boolean(strcmp(state, "approved") != 0 &&
                                         strcmp(state, "withdrawn") != 0));
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

/* The times of a page, collected so that the lab's clock is asked once. */
struct times {
    json_t *texts;  /* ["2026-11-30T18:05:07Z", ...] */
    json_t *places; /* [[object, key], ...] */
};

static int digits(const char *text, int count)
{
    int number = 0;
    for (int i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        number = number * 10 + text[i] - '0';
    }
    return number;
}

/* A time as the database gives it (db_rows()), and that exists: documents hold texts of
 * members too. */
static bool is_time(const char *text)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    size_t length = text ? strlen(text) : 0;
    if (length < 20 || length > 27 || text[4] != '-' || text[7] != '-' ||
        text[10] != 'T' || text[13] != ':' || text[16] != ':' || text[length - 1] != 'Z')
        return false;
    if (length > 20 &&
        (text[19] != '.' || strspn(text + 20, "0123456789") != length - 21))
        return false;
    int year = digits(text, 4), month = digits(text + 5, 2), day = digits(text + 8, 2);
    int hour = digits(text + 11, 2), minute = digits(text + 14, 2);
    int second = digits(text + 17, 2);
    if (year < 1 || month < 1 || month > 12)
        return false;
    int leap = month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return day >= 1 && day <= days[month - 1] + leap && hour >= 0 && hour < 24 &&
           minute >= 0 && minute < 60 && second >= 0 && second < 60;
}

static void collect_times(struct times *times, json_t *value)
{
    const char *key;
    size_t index;
    json_t *child;
    if (json_is_array(value)) {
        json_array_foreach(value, index, child) collect_times(times, child);
        return;
    }
    json_object_foreach(value, key, child)
    {
        size_t length = strlen(key);
        if (strcmp(key, "at") != 0 &&
            (length < 4 || strcmp(key + length - 3, "_at") != 0)) {
            collect_times(times, child);
            continue;
        }
        json_array_append_new(times->places, json_pack("[O,s]", value, key));
        json_array_append(times->texts,
                          is_time(json_string_value(child)) ? child : json_null());
    }
}

/* "2026-12-01 02:05 UTC+8" */
static const char *minute_of(struct arena *arena, const json_t *shown)
{
    int offset = (int)integer_at(shown, "offset"), size = offset < 0 ? -offset : offset;
    const char *zone = "";
    if (size % 60 != 0)
        zone =
            arena_print(arena, "%c%d:%02d", offset < 0 ? '-' : '+', size / 60, size % 60);
    else if (size != 0)
        zone = arena_print(arena, "%c%d", offset < 0 ? '-' : '+', size / 60);
    return arena_print(arena, "%s UTC%s", text_at(shown, "minute", ""), zone);
}

static void add_time(struct arena *arena, const json_t *place, const json_t *shown)
{
    json_t *object = json_array_get(place, 0);
    const char *key = json_string_value(json_array_get(place, 1));
    const char *prefix = strcmp(key, "at") == 0 ? "" : arena_print(arena, "%s_", key);
    const char *minute = text_at(shown, "minute", NULL);
    json_object_set_new(object, arena_print(arena, "%sday", prefix),
                        minute ? json_stringn(minute, 10) : json_null());
    json_object_set_new(object, arena_print(arena, "%sminute", prefix),
                        minute ? json_string(minute_of(arena, shown)) : json_null());
}

static enum result add_times(struct request *request, json_t *document)
{
    struct times times = {json_array(), json_array()};
    json_t *shown = json_array(), *place;
    size_t index;
    collect_times(&times, document);
    for (index = 0; index < json_array_size(times.texts); index++)
        if (json_is_string(json_array_get(times.texts, index)))
            break;
    if (index < json_array_size(times.texts))
        TRY(lab_times(&shown, request->db, times.texts));
    json_array_foreach(times.places, index, place)
        add_time(request->arena, place, json_array_get(shown, index));
    return OK;
}

enum result flow_page(struct request *request, struct response *response,
                      const char *template, json_t *document)
{
    json_object_set_new(document, "notice", known_notice(request));
    json_object_set_new(document, "section", admin_sections(request->path));
    TRY(add_times(request, document));
    response_header(response, "Cache-Control", "private, no-store");
    return page(request, response, template, document);
}
