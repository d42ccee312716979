/* See tags.h. */
#include "server/site/tags.h"

#include "server/base/document.h"

#include <string.h>

/* Those that are under way are not named. */
static const struct {
    const char *thing, *state, *class;
} tags[] = {
    {"change",     "draft",     "none"},
    {"change",     "returned",  "warn"},
    {"change",     "approved",  "good"},
    {"change",     "withdrawn", "none"},
    {"invitation", "invited",   "none"},
    {"invitation", "returned",  "warn"},
    {"invitation", "approved",  "good"},
    {"invitation", "withdrawn", "none"},
    {"mail",       "held",      "warn"},
    {"mail",       "sent",      "good"},
    {"mail",       "failed",    "bad" },
    {"mail",       "bounced",   "bad" },
    {"mail",       "cancelled", "none"},
    {"collection", "draft",     "none"},
    {"collection", "open",      "good"},
    {"collection", "closing",   "warn"},
    {"collection", "closed",    "none"},
    {"section",    "done",      "good"},
    {"section",    "attention", "bad" },
    {"section",    "new",       "warn"},
    {"section",    "todo",      "none"},
};

const char *tag_class(const char *thing, const char *state)
{
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (strcmp(tags[i].thing, thing) == 0 && strcmp(tags[i].state, state) == 0)
            return tags[i].class;
    return "";
}

void tag_add(json_t *row, const char *thing)
{
    json_object_set_new(row, "state_class",
                        json_string(tag_class(thing, text_at(row, "state", ""))));
}

void tag_add_all(json_t *rows, const char *thing)
{
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row) tag_add(row, thing);
}
