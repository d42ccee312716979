/* ORCID's list of works; see orcid.h. */
#include "server/lookup/orcid.h"

#include "server/base/document.h"
#include "server/base/identifier.h"
#include "server/text/csl.h"

#include <stdio.h>
#include <string.h>

enum { WORKS_MOST = 2000 };

bool orcid_fits(const char *value)
{
    static const char shape[] = "dddd-dddd-dddd-dddX";
    int sum = 0;
    if (strlen(value) != sizeof shape - 1)
        return false;
    for (size_t i = 0; shape[i] != '\0'; i++) {
        bool digit = value[i] >= '0' && value[i] <= '9';
        if (shape[i] == '-' ? value[i] != '-'
                            : !digit && !(shape[i] == 'X' && value[i] == 'X'))
            return false;
        if (shape[i] == 'd') /* ISO 7064, MOD 11-2 */
            sum = (sum + value[i] - '0') * 2;
    }
    int check = (12 - sum % 11) % 11;
    return value[sizeof shape - 2] == (check == 10 ? 'X' : '0' + check);
}

static json_t *deep(json_t *value, const char *first, const char *second)
{
    return json_object_get(json_object_get(value, first), second);
}

/* The best identifier among `ids`, that of the work itself: DOI before PubMed. */
static json_t *identifier_in(struct arena *arena, json_t *ids)
{
    static const char *const schemes[][2] = {
        {"doi",   "doi"  },
        {"arxiv", "arxiv"},
        {"pmid",  "pmid" }
    };
    size_t index;
    json_t *id;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        json_array_foreach(ids, index, id)
        {
            struct slice found;
            const char *type = text_of(id, "external-id-type");
            const char *relation = text_of(id, "external-id-relationship");
            const char *value = text_of(id, "external-id-value");
            bool own = relation == NULL || strcmp(relation, "self") == 0;
            if (type == NULL || value == NULL || !own ||
                strcmp(type, schemes[i][0]) != 0 ||
                !identifier_of(&found, arena, schemes[i][1], slice_of(value)) ||
                found.length == 0)
                continue;
            return json_pack("{s:s, s:s%}", "scheme", schemes[i][1], "value", found.bytes,
                             found.length);
        }
    return NULL;
}

static json_t *number_in(json_t *date, const char *part)
{
    const char *text = text_of(json_object_get(date, part), "value");
    int number;
    if (text == NULL || sscanf(text, "%5d", &number) != 1 || number <= 0)
        return NULL;
    return json_integer(number);
}

/* A summary as a CSL item: its words are few. */
static json_t *item_of(json_t *summary)
{
    static const char *const parts[] = {"year", "month", "day"};
    json_t *item = json_object(), *date = json_object_get(summary, "publication-date");
    json_t *numbers = json_array();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        json_t *number = number_in(date, parts[i]);
        if (number == NULL)
            break;
        json_array_append_new(numbers, number);
    }
    json_object_set(item, "type", json_object_get(summary, "type"));
    json_object_set(item, "title",
                    deep(json_object_get(summary, "title"), "title", "value"));
    json_object_set(item, "container-title", deep(summary, "journal-title", "value"));
    json_object_set(item, "URL", deep(summary, "url", "value"));
    if (json_array_size(numbers) > 0)
        json_object_set_new(item, "issued", json_pack("{s:[o]}", "date-parts", numbers));
    return item;
}

json_t *orcid_works(struct arena *arena, json_t *record)
{
    json_t *documents = json_array(), *identifiers = json_array(), *group;
    size_t index;
    json_array_foreach(json_object_get(record, "group"), index, group)
    {
        if (index == WORKS_MOST)
            break;
        json_t *summary = json_array_get(json_object_get(group, "work-summary"), 0);
        json_t *identifier =
            identifier_in(arena, deep(group, "external-ids", "external-id"));
        if (identifier == NULL)
            identifier =
                identifier_in(arena, deep(summary, "external-ids", "external-id"));
        if (identifier != NULL) {
            json_array_append_new(identifiers, identifier);
            continue;
        }
        json_t *document = summary ? csl_document(arena, item_of(summary)) : NULL;
        if (document != NULL && filled_of(document, "title") != NULL)
            json_array_append_new(documents, document);
    }
    return json_pack("{s:o, s:o}", "documents", documents, "identifiers", identifiers);
}
