/* Three-way, a field at a time; see answer_section.h. */
#include "server/site/answer_section.h"

#include "db/store/change.h"
#include "server/base/document.h"
#include "server/form/section.h"
#include "server/site/flow.h"
#include "server/site/photos.h"

#include <string.h>

enum result answer_section_find(struct answer_section *section, const struct answering *a,
                                const char *number)
{
    int64_t index;
    TRY(number_of(&index, number));
    if ((size_t)index > a->form->section_count ||
        !answering_has_section(a, (size_t)index - 1))
        return NOT_FOUND;
    *section = (struct answer_section){.index = (size_t)index - 1};
    section->form = form_section(a->form, section->index, a->document);
    return OK;
}

/* FNV-1a, 64 bits: tells a value that was altered from one that was not; it guards
 * nothing. */
static uint64_t mix(uint64_t hash, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

/* What is blank counts for nothing, as when documents are compared. */
static uint64_t mix_value(uint64_t hash, json_t *value)
{
    const char *key;
    size_t index;
    json_t *child;
    if (change_same(value, NULL))
        return hash;
    if (json_is_array(value)) {
        json_array_foreach(value, index, child) hash =
            mix_value(mix(hash, ";", 1), child);
        return hash;
    }
    if (json_is_object(value)) {
        json_object_foreach(value, key, child)
        {
            if (!change_same(child, NULL))
                hash = mix_value(mix(hash, key, strlen(key) + 1), child);
        }
        return hash;
    }
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    return mix(hash, text, strlen(text));
}

static const char *print_of(json_t *value)
{
    return arena_print(
        arena_current(), "%016llx",
        (unsigned long long)mix_value(UINT64_C(14695981039346656037), value));
}

/* A hidden member of a row is not in what comes back: only what a member can see counts.
 */
static json_t *visible(const struct field *field, json_t *value)
{
    size_t index;
    json_t *row, *rows = json_array();
    if (field->type != FIELD_GROUP || !json_is_array(value))
        return value;
    json_array_foreach(value, index, row)
    {
        json_t *copy = json_object();
        for (size_t i = 0; i < field->field_count; i++) {
            const struct field *inner = &field->fields[i];
            json_t *cell = json_object_get(row, inner->name);
            if (form_asks(inner, row, FOR_MEMBER) && cell != NULL)
                json_object_set(copy, inner->name, cell);
        }
        json_array_append_new(rows, copy);
    }
    return rows;
}

json_t *answer_section_seen(const struct answer_section *section, json_t *document)
{
    struct buf seen = buf_on(arena_current());
    for (size_t i = 0; i < section->form->field_count; i++) {
        const struct field *field = &section->form->fields[i];
        json_t *value = json_object_get(document, field->name);
        if (field->type != FIELD_RECORD) {
            buf_print(&seen, "%s:%s ", field->name, print_of(visible(field, value)));
            continue;
        }
        for (size_t j = 0; j < field->field_count; j++)
            buf_print(&seen, "%s.%s:%s ", field->name, field->fields[j].name,
                      print_of(json_object_get(value, field->fields[j].name)));
    }
    return json_string(seen.data);
}

/* The print of a name in the hidden field, or NULL. */
static const char *seen_print(const char *seen, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = seen; at != NULL && *at != '\0';
         at = strchr(at, ' ') != NULL ? strchr(at, ' ') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && at[length] == ':' &&
            strspn(at + length + 1, "0123456789abcdef") == 16)
            return arena_copy(arena_current(), at + length + 1, 16);
    return NULL;
}

/* Of one value: mine, unless it was not touched here. */
static json_t *chosen(struct answer_section *section, const char *seen, const char *name,
                      const struct field *field, json_t *theirs, json_t *mine)
{
    const char *was = seen_print(seen, name);
    const char *now = print_of(visible(field, theirs));
    const char *own = print_of(visible(field, mine));
    if (was == NULL)
        return mine;
    bool moved = strcmp(was, now) != 0, altered = strcmp(was, own) != 0;
    if (moved && strcmp(now, own) != 0) {
        section->overtaken = true;
        if (altered)
            json_array_append_new(section->conflicts, json_string(name));
    }
    return altered ? mine : theirs;
}

static void merge_field(struct answer_section *section, const char *seen,
                        const struct field *field, json_t *before, json_t *mine)
{
    json_t *theirs = json_object_get(before, field->name);
    json_t *own = json_object_get(mine, field->name);
    if (field->type != FIELD_RECORD) {
        json_t *value = chosen(section, seen, field->name, field, theirs, own);
        json_object_set(section->document, field->name,
                        value != NULL ? value : json_null());
        return;
    }
    json_t *record = json_is_object(theirs) ? json_copy(theirs) : json_object();
    for (size_t i = 0; i < field->field_count; i++) {
        const char *name = field->fields[i].name;
        json_t *value = chosen(
            section, seen, arena_print(arena_current(), "%s.%s", field->name, name),
            &field->fields[i], json_object_get(theirs, name), json_object_get(own, name));
        if (value != NULL)
            json_object_set(record, name, value);
    }
    json_object_set(section->document, field->name, record);
}

/* The form's own fields alone: what else the page carries is taken away for the reading,
 * and is there again after it. */
static enum result read_fields(struct answer_section *section, struct request *request)
{
    static const char *const carried[] = {"-seen", "-section", "-merge"};
    json_t *kept = json_object();
    request->fields =
        request->fields != NULL ? json_copy(request->fields) : json_object();
    for (size_t i = 0; i < sizeof carried / sizeof *carried; i++) {
        json_object_set(kept, carried[i], json_object_get(request->fields, carried[i]));
        json_object_del(request->fields, carried[i]);
    }
    enum result result = photos_read(&section->read, request, section->form, FOR_MEMBER);
    json_object_update(request->fields, kept);
    return result == INVALID ? OK : result;
}

enum result answer_section_read(struct answer_section *section, const struct answering *a,
                                struct request *request)
{
    const char *seen = field(request, "-seen");
    section->conflicts = json_array();
    section->seen = seen != NULL ? seen : "";
    TRY(read_fields(section, request));
    json_t *mine = form_merge(section->form, a->document,
                              form_draft(section->form, &section->read, a->document));
    section->document = json_copy(a->document);
    for (size_t i = 0; i < section->form->field_count; i++)
        merge_field(section, section->seen, &section->form->fields[i], a->document, mine);
    section->typed = section->read.typed;
    return OK;
}
