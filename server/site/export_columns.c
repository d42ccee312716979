/* Columns of an export: those of the board, and every field that a published version of
 * the form has; see export.h. */
#include "server/site/export.h"

#include "db/store/form_version.h"
#include "server/base/document.h"
#include "server/site/form_versions.h"
#include "server/site/site.h"
#include "server/view/view.h"

#include <string.h>

static const struct {
    const char *group, *key;
} fixed[] = {
    {"person", "name_latin"  },
    {"person", "name_han"    },
    {"person", "email"       },
    {"person", "role"        },
    {"state",  "state"       },
    {"state",  "complete"    },
    {"state",  "wave"        },
    {"state",  "invited_at"  },
    {"state",  "opened_at"   },
    {"state",  "started_at"  },
    {"state",  "submitted_at"},
    {"state",  "decided_at"  },
    {"state",  "until"       },
    {"state",  "reminders"   },
    {"state",  "reminded_at" },
    {"state",  "mail_state"  },
};

enum { FIXED = sizeof fixed / sizeof *fixed };

static const char *joined(const char *prefix, const char *key)
{
    return arena_print(arena_current(), "%s%s", prefix, key);
}

static const char *word(const struct words *words, enum language language)
{
    const char *text = words->text[language];
    return text != NULL ? text : "";
}

struct list {
    struct export_column *items;
    size_t count, capacity;
};

static void add(struct list *list, struct export_column column)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity * 2 + 64;
        struct export_column *items =
            ARENA_ARRAY(arena_current(), struct export_column, capacity);
        if (list->count > 0)
            memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = column;
}

static bool has(const struct list *list, const char *group, const char *key)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].group, group) == 0 &&
            strcmp(list->items[i].key, key) == 0)
            return true;
    return false;
}

static bool label_taken(const struct list *list, const char *label)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].label, label) == 0)
            return true;
    return false;
}

/* Two columns of one heading could not be told apart: the later has its name behind. */
static void add_fields(struct list *list, const struct form *form, enum language language)
{
    for (size_t i = 0; i < form->field_count; i++) {
        const struct field *field = &form->fields[i];
        const char *label = word(&field->label, language);
        if (has(list, "answer", field->name))
            continue;
        if (*label == '\0')
            label = view_message(site.view, language, "form.visibility");
        if (label_taken(list, label))
            label = arena_print(arena_current(), "%s (%s)", label, field->name);
        add(list, (struct export_column){"answer", field->name, label, field, true});
    }
}

enum result export_columns(struct export_column **columns, size_t *count,
                           struct request *request, int64_t collection)
{
    struct list list = {0};
    json_t *versions, *version;
    size_t index;
    for (size_t i = 0; i < FIXED; i++) {
        const char *label = view_message(site.view, request->language,
                                         joined("export.column.", fixed[i].key));
        bool usual = strcmp(fixed[i].group, "person") == 0 ||
                     strcmp(fixed[i].key, "state") == 0 ||
                     strcmp(fixed[i].key, "submitted_at") == 0;
        add(&list,
            (struct export_column){fixed[i].group, fixed[i].key, label, NULL, usual});
    }
    TRY(form_version_list(&versions, request->db, collection));
    json_array_foreach(versions, index, version)
    {
        const struct form *form;
        TRY(form_version_get(&form, request->db, integer_at(version, "id")));
        add_fields(&list, form, request->language);
    }
    *columns = list.items;
    *count = list.count;
    return OK;
}

size_t export_choose(struct export_column *columns, size_t count,
                     const struct request *request)
{
    json_t *named = json_object_get(request->fields, "column"), *value;
    size_t index, chosen = 0;
    for (size_t i = 0; i < count; i++) {
        const char *name =
            arena_print(request->arena, "%s.%s", columns[i].group, columns[i].key);
        columns[i].chosen = false;
        json_array_foreach(named, index, value)
        {
            const char *text = json_string_value(value);
            if (text != NULL && strcmp(text, name) == 0)
                columns[i].chosen = true;
        }
        chosen += columns[i].chosen;
    }
    return chosen;
}

static json_t *choice_cell(const struct export_style *style, const struct field *field,
                           json_t *value)
{
    const char *text = json_string_value(value);
    for (size_t i = 0; text != NULL && !style->values && i < field->choice_count; i++)
        if (strcmp(field->choices[i].value, text) == 0)
            return json_string(word(&field->choices[i].label, style->language));
    return value;
}

static json_t *choices_cell(const struct export_style *style, const struct field *field,
                            json_t *values)
{
    json_t *words = json_array(), *value;
    size_t index;
    json_array_foreach(values, index, value)
        json_array_append(words, choice_cell(style, field, value));
    return sheet_list(words);
}

static json_t *field_cell(const struct export_style *style, const struct field *field,
                          json_t *value)
{
    if (field->type == FIELD_CHOICE)
        return choice_cell(style, field, value);
    if (field->type == FIELD_MULTICHOICE && json_is_array(value))
        return choices_cell(style, field, value);
    bool empty = (json_is_array(value) && json_array_size(value) == 0) ||
                 (json_is_object(value) && json_object_size(value) == 0);
    return empty ? json_null() : value;
}

json_t *export_cell(const struct export_style *style, const struct export_column *column,
                    json_t *value)
{
    const char *text = json_string_value(value);
    if (value == NULL || json_is_null(value))
        return json_null();
    if (column->field != NULL)
        return field_cell(style, column->field, value);
    if (text == NULL || style->values)
        return value;
    if (strcmp(column->key, "role") == 0)
        return json_string(
            view_message(site.view, style->language, joined("role.", text)));
    if (strcmp(column->key, "state") == 0)
        return json_string(
            view_message(site.view, style->language, joined("board.state.", text)));
    if (strcmp(column->key, "mail_state") == 0)
        return json_string(
            view_message(site.view, style->language, joined("board.mail.", text)));
    return value;
}
