/* Rows of works; see works_table.h. */
#include "server/site/works_table.h"

#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/base/percent.h"
#include "server/form/forms.h"
#include "server/site/site.h"
#include "server/text/sheet.h"
#include "server/view/view.h"

#include <string.h>

/* Keys of the document; those of identifiers are schemes, whose names are the headings.
 */
static const struct column {
    const char *key, *heading;
} columns[] = {
    {"title",     NULL   },
    {"authors",   NULL   },
    {"kind",      NULL   },
    {"venue",     NULL   },
    {"year",      NULL   },
    {"month",     NULL   },
    {"day",       NULL   },
    {"volume",    NULL   },
    {"issue",     NULL   },
    {"number",    NULL   },
    {"pages",     NULL   },
    {"series",    NULL   },
    {"edition",   NULL   },
    {"editors",   NULL   },
    {"publisher", NULL   },
    {"place",     NULL   },
    {"genre",     NULL   },
    {"language",  NULL   },
    {"doi",       "DOI"  },
    {"arxiv",     "arXiv"},
    {"isbn",      "ISBN" },
    {"pmid",      "PMID" },
    {"url",       NULL   },
    {"award",     NULL   },
    {"note",      NULL   },
    {"abstract",  NULL   },
    {"slug",      NULL   },
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static const char *label_of(const struct form *form, const char *name,
                            enum language language)
{
    for (size_t f = 0; f < form->field_count; f++)
        if (strcmp(form->fields[f].name, name) == 0)
            return form->fields[f].label.text[language];
    return name;
}

json_t *works_table_headings(enum language language)
{
    const struct form *form = form_named(site.forms, "publication");
    json_t *headings = json_array();
    for (size_t i = 0; i < COLUMNS; i++)
        json_array_append_new(
            headings, json_string(columns[i].heading != NULL
                                      ? columns[i].heading
                                      : label_of(form, columns[i].key, language)));
    return headings;
}

static json_t *names_cell(json_t *people)
{
    size_t i;
    json_t *person, *names = json_array();
    json_array_foreach(people, i, person)
        json_array_append(names, json_object_get(person, "name"));
    return json_array_size(names) > 0 ? sheet_list(names) : json_null();
}

static json_t *identifier_cell(json_t *work, const char *scheme)
{
    size_t i;
    json_t *identifier;
    json_array_foreach(
        json_object_get(work, "identifiers"), i,
        identifier) if (strcmp(text_at(identifier, "scheme", ""), scheme) ==
                        0) return json_object_get(identifier, "value");
    return json_null();
}

static json_t *cell_of(json_t *work, const struct column *column, enum language language,
                       const char *origin)
{
    struct arena *arena = arena_current();
    json_t *value = json_object_get(work, column->key);
    if (column->heading != NULL)
        return identifier_cell(work, column->key);
    if (json_is_array(value))
        return names_cell(value);
    if (strcmp(column->key, "kind") == 0)
        return json_string(view_message(
            site.view, language,
            arena_print(arena, "%s%s", "kind.", text_at(work, "kind", "other"))));
    if (strcmp(column->key, "slug") == 0)
        return json_string(arena_print(arena, "%s/%s/publications/%s", origin,
                                       language_codes[language],
                                       percent_text(arena, text_at(work, "slug", ""))));
    return value != NULL ? value : json_null();
}

json_t *works_table_row(json_t *work, enum language language, const char *origin)
{
    json_t *row = json_array();
    for (size_t i = 0; i < COLUMNS; i++)
        json_array_append(row, cell_of(work, &columns[i], language, origin));
    return row;
}
