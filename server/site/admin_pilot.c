/* The page of the pilot: what people said of each question, what they had to correct, how
 * long it took and where they stopped, beside the question and the way to mend it. */
#include "db/store/pilot.h"
#include "server/base/document.h"
#include "server/form/difference.h"
#include "server/form/edit.h"
#include "server/site/admin_form.h"
#include "server/site/builder.h"
#include "server/site/site.h"
#include "server/view/view.h"

#include <string.h>

struct pilot {
    struct builder builder;
    json_t *found;   /* pilot_read() */
    json_t *changes; /* from the pilot's version to the form as it is now */
};

/* A time in words: minutes, or null and `brief` for less than one. */
static void put_time(json_t *shown, json_t *seconds)
{
    json_int_t all = json_integer_value(seconds);
    bool known = json_is_integer(seconds);
    json_object_set_new(shown, "has_time", json_boolean(known));
    json_object_set_new(shown, "brief", json_boolean(known && all < 60));
    json_object_set_new(shown, "minutes",
                        json_pack("{s:I}", "count", (json_int_t)((all + 30) / 60)));
}

/* "links.url" and "visibility.email" are about "links" and "email". */
static bool is_about(const char *path, const char *name)
{
    size_t length = strlen(name);
    if (path == NULL)
        return false;
    if (strncmp(path, "visibility.", 11) == 0)
        return strcmp(path + 11, name) == 0;
    return strncmp(path, name, length) == 0 &&
           (path[length] == '\0' || path[length] == '.');
}

static json_t *corrections_of(const struct pilot *pilot, const char *name)
{
    json_t *list = json_array(), *row;
    size_t i;
    json_array_foreach(json_object_get(pilot->found, "corrections"), i, row)
    {
        if (!is_about(text_of(row, "field"), name))
            continue;
        const char *code = text_at(row, "code", "");
        const char *key = arena_print(arena_current(), "pilot.code.%s", code);
        json_array_append_new(list,
                              json_pack("{s:s, s:O, s:O}", "word",
                                        view_has_message(site.view, key) ? code : "other",
                                        "times", json_object_get(row, "times"), "count",
                                        json_object_get(row, "people")));
    }
    return list;
}

/* With `name`: of that question; without: of the section as a whole. */
static json_t *feedback_of(const struct pilot *pilot, int64_t section, const char *name)
{
    json_t *list = json_array(), *row;
    size_t i;
    json_array_foreach(json_object_get(pilot->found, "feedback"), i, row)
    {
        const char *field = filled_of(row, "field");
        bool here = integer_at(row, "section") == section &&
                    (name != NULL ? is_about(field, name) : field == NULL);
        if (here)
            json_array_append(list, row);
    }
    return list;
}

static int64_t changed_by(const struct pilot *pilot, const char *name)
{
    json_t *row;
    size_t i;
    json_array_foreach(json_object_get(pilot->found, "changed"), i, row)
    {
        if (strcmp(text_at(row, "field", ""), name) == 0)
            return integer_at(row, "people");
    }
    return 0;
}

/* What has been done about it since: "altered", "removed", ...; null: nothing. */
static json_t *done_about(const struct pilot *pilot, const char *name)
{
    json_t *change;
    size_t i;
    json_array_foreach(pilot->changes, i, change)
    {
        if (strcmp(text_at(change, "name", ""), name) == 0)
            return json_object_get(change, "kind");
    }
    return json_null();
}

static json_t *show_field(const struct pilot *pilot, json_t *item, int64_t section)
{
    struct edit_place place;
    const char *name = text_at(item, "name", "");
    json_t *said = feedback_of(pilot, section, name);
    json_t *corrections = corrections_of(pilot, name);
    int64_t changed = changed_by(pilot, name);
    bool loud = json_array_size(said) + json_array_size(corrections) > 0 || changed > 0;
    json_t *shown = json_pack(
        "{s:s, s:b, s:o, s:o, s:o, s:b, s:b, s:O}", "name", name, "loud", (int)loud,
        "said", said, "corrections", corrections, "changed",
        changed > 0 ? json_pack("{s:I}", "count", (json_int_t)changed) : json_null(),
        "there", (int)edit_find(&place, pilot->builder.definition, name),
        "any_correction", (int)(json_array_size(corrections) > 0), "done",
        done_about(pilot, name));
    builder_put_words(shown, "label", json_object_get(item, "label"));
    return shown;
}

/* The row of pilot_sections, or an empty one. */
static json_t *section_row(const struct pilot *pilot, int64_t number)
{
    json_t *row;
    size_t i;
    json_array_foreach(json_object_get(pilot->found, "sections"), i, row)
    {
        if (integer_at(row, "section") == number)
            return row;
    }
    return json_object();
}

static json_t *count_or_null(int64_t count)
{
    return count > 0 ? json_pack("{s:I}", "count", (json_int_t)count) : json_null();
}

static json_t *show_section(const struct pilot *pilot, json_t *section, int64_t number)
{
    json_t *loud = json_array(), *quiet = json_array(), *item;
    json_t *row = section_row(pilot, number);
    size_t i;
    json_array_foreach(json_object_get(section, "fields"), i, item)
    {
        json_t *shown = show_field(pilot, item, number);
        json_array_append(truth_at(shown, "loud") ? loud : quiet, shown);
    }
    json_array_foreach(quiet, i, item)
        json_object_set_new(item, "last", json_boolean(i + 1 == json_array_size(quiet)));
    json_t *shown = json_pack("{s:I, s:o, s:o, s:b, s:o, s:o, s:o}", "ordinal",
                              (json_int_t)number + 1, "fields", loud, "quiet", quiet,
                              "any_quiet", (int)(json_array_size(quiet) > 0), "said",
                              feedback_of(pilot, number, NULL), "stopped",
                              count_or_null(integer_at(row, "stopped")), "pauses",
                              count_or_null(integer_at(row, "pauses")));
    builder_put_words(shown, "title", json_object_get(section, "title"));
    put_time(shown, json_object_get(row, "seconds"));
    return shown;
}

static enum result draw_empty(struct builder *builder, bool opened)
{
    json_t *document = json_pack("{s:n, s:b}", "pilot", "opened", (int)opened);
    return builder_page(builder, "builder/pilot.html", document);
}

enum result admin_pilot_show(struct request *request, struct response *response)
{
    struct pilot pilot = {0};
    json_t *section, *sections = json_array();
    size_t index;
    TRY(builder_open(&pilot.builder, request, response));
    enum result found = pilot_read(&pilot.found, request->db, pilot.builder.id);
    if (found == NOT_FOUND)
        return draw_empty(&pilot.builder, false);
    TRY(found);
    json_t *people = json_object_get(pilot.found, "people");
    if (integer_at(people, "opened") == 0 &&
        json_array_size(json_object_get(pilot.found, "sections")) == 0)
        return draw_empty(&pilot.builder, true);
    json_t *version = json_object_get(pilot.found, "version");
    json_t *definition = json_object_get(version, "definition");
    pilot.changes = form_changes(definition, pilot.builder.definition);
    json_array_foreach(json_object_get(definition, "sections"), index, section)
        json_array_append_new(sections, show_section(&pilot, section, (int64_t)index));
    builder_dress_changes(pilot.changes);
    put_time(people, json_object_get(people, "seconds"));
    json_t *shown =
        json_pack("{s:O, s:o, s:o, s:O, s:O, s:b}", "people", people, "sections",
                  sections, "said", feedback_of(&pilot, -1, NULL), "number",
                  json_object_get(version, "number"), "changes", pilot.changes,
                  "any_change", (int)(json_array_size(pilot.changes) > 0));
    return builder_page(&pilot.builder, "builder/pilot.html",
                        json_pack("{s:o, s:b}", "pilot", shown, "opened", 1));
}
