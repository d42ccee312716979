/* Documents as CSL-JSON; see csl_write.h. */
#include "server/text/csl_write.h"

#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/text/csl.h"
#include "server/text/csl_rest.h"
#include "server/text/names_split.h"
#include "server/text/work_key.h"
#include "server/text/written_name.h"

#include <string.h>

static const char *type_of(json_t *work)
{
    static const char *const types[][2] = {
        {"article",    "article-journal" },
        {"conference", "paper-conference"},
        {"book",       "book"            },
        {"chapter",    "chapter"         },
        {"thesis",     "thesis"          },
        {"report",     "report"          },
        {"preprint",   "article"         },
        {"software",   "software"        },
        {"dataset",    "dataset"         },
    };
    const char *kind = text_at(work, "kind", "");
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i][0], kind) == 0)
            return types[i][1];
    return "document";
}

static void put(json_t *item, const char *variable, const char *text)
{
    if (text != NULL)
        json_object_set_new(item, variable, json_string(text));
}

/* How much of "van der Berg" is the particle: the small words that it begins with. */
static size_t particle_length(const char *family)
{
    struct words words;
    words_of(&words, arena_current(), slice_of(family));
    size_t count = 0;
    while (count + 1 < words.count && word_is_small(words.list[count]))
        count++;
    return count == 0 ? 0 : (size_t)(words.list[count].bytes - family);
}

static json_t *name_item(const json_t *person)
{
    struct written_name name = written_name(person);
    json_t *item = json_object();
    if (name.given == NULL) {
        put(item, "literal", name.family);
        return item;
    }
    size_t particle = particle_length(name.family);
    put(item, "family", name.family + particle);
    put(item, "given", name.given);
    while (particle > 0 && name.family[particle - 1] == ' ')
        particle--;
    if (particle > 0)
        json_object_set_new(item, "non-dropping-particle",
                            json_stringn(name.family, particle));
    put(item, "suffix", name.suffix);
    return item;
}

static void put_names(json_t *item, const char *variable, json_t *people)
{
    size_t i;
    json_t *person, *names = json_array();
    json_array_foreach(people, i, person) json_array_append_new(names, name_item(person));
    if (i > 0)
        json_object_set_new(item, variable, names);
}

static void put_date(json_t *item, json_t *work)
{
    static const char *const keys[] = {"year", "month", "day"};
    json_t *parts = json_array();
    for (size_t i = 0; i < 3; i++) {
        json_t *part = json_object_get(work, keys[i]);
        if (!json_is_integer(part))
            break;
        json_array_append(parts, part);
    }
    if (json_array_size(parts) > 0)
        json_object_set_new(item, "issued", json_pack("{s:[o]}", "date-parts", parts));
}

/* "1–18" with a hyphen, as the schema's users expect. */
static void put_pages(json_t *item, const char *pages)
{
    struct buf text = buf_on(arena_current());
    if (pages == NULL)
        return;
    while (*pages != '\0') {
        bool en_dash = strncmp(pages, "–", 3) == 0;
        buf_char(&text, en_dash ? '-' : *pages);
        pages += en_dash ? 3 : 1;
    }
    put(item, "page", text.data);
}

static void put_identifiers(json_t *item, json_t *identifiers)
{
    static const char *const variables[][2] = {
        {"doi",  "DOI" },
        {"isbn", "ISBN"},
        {"pmid", "PMID"}
    };
    size_t i;
    json_t *identifier;
    json_array_foreach(identifiers, i, identifier)
    {
        const char *scheme = text_at(identifier, "scheme", ""),
                   *value = filled_of(identifier, "value");
        for (size_t v = 0; v < sizeof variables / sizeof variables[0]; v++)
            if (strcmp(variables[v][0], scheme) == 0)
                put(item, variables[v][1], value);
    }
}

static void put_texts(json_t *item, json_t *work)
{
    static const char *const variables[][2] = {
        {"container-title",  "venue"    },
        {"collection-title", "series"   },
        {"volume",           "volume"   },
        {"issue",            "issue"    },
        {"number",           "number"   },
        {"edition",          "edition"  },
        {"publisher",        "publisher"},
        {"publisher-place",  "place"    },
        {"genre",            "genre"    },
        {"language",         "language" },
        {"URL",              "url"      },
        {"abstract",         "abstract" },
        {"note",             "note"     },
    };
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        put(item, variables[i][0], filled_of(work, variables[i][1]));
}

/* What a reader of the item would not say as the document does. */
static json_t *unsaid(json_t *item, json_t *document)
{
    static const char *const apart[] = {"bibtex", "bibtex_key", "bibtex_type"};
    json_t *read = csl_document(arena_current(), item);
    json_t *rest = json_object(), *again;
    const char *key;
    for (size_t i = 0; i < sizeof apart / sizeof apart[0]; i++)
        json_object_del(read, apart[i]);
    json_object_foreach(read, key, again)
    {
        json_t *value = json_object_get(document, key);
        if (value != NULL && !csl_same(value, again))
            json_object_set(rest, key, value);
    }
    return rest;
}

json_t *csl_item(json_t *document)
{
    json_t *item = json_object();
    put(item, "id", work_key(arena_current(), document));
    put(item, "type", type_of(document));
    put(item, "title", filled_of(document, "title"));
    put_names(item, "author", json_object_get(document, "authors"));
    put_names(item, "editor", json_object_get(document, "editors"));
    put_date(item, document);
    put_texts(item, document);
    put_pages(item, filled_of(document, "pages"));
    put_identifiers(item, json_object_get(document, "identifiers"));
    json_t *rest = unsaid(item, document);
    if (json_object_size(rest) > 0)
        json_object_set_new(item, "custom", json_pack("{s:o}", "labd", rest));
    return item;
}
