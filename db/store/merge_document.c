/* Two documents of a work become one; see merge.h. Pure. */
#include "db/store/change.h"
#include "db/store/entity.h"
#include "db/store/merge.h"
#include "db/store/person.h"

#include <string.h>

static bool among(const char *const *list, const char *key)
{
    for (; *list != NULL; list++)
        if (strcmp(*list, key) == 0)
            return true;
    return false;
}

bool merge_joins(const char *key)
{
    static const char *const joined[] = {"identifiers", "links", "topics", "files", NULL};
    return among(joined, key);
}

/* What is said of where and when a work came out belongs together. */
static bool of_the_issue(const char *key)
{
    static const char *const keys[] = {
        "kind",      "venue", "series", "volume", "issue", "number", "pages", "edition",
        "publisher", "place", "genre",  "year",   "month", "day",    "title", NULL};
    return among(keys, key);
}

static bool of_the_date(const char *key)
{
    static const char *const keys[] = {"year", "month", "day", NULL};
    return among(keys, key);
}

static bool of_the_entry(const char *key)
{
    static const char *const keys[] = {"bibtex", "bibtex_key", "bibtex_type", NULL};
    return among(keys, key);
}

static bool is_preprint(json_t *document)
{
    return strcmp(text_at(document, "kind", ""), "preprint") == 0;
}

static bool has(json_t *document, const char *key)
{
    return !change_same(json_object_get(document, key), NULL);
}

static size_t length_of(json_t *value)
{
    return json_is_string(value) ? json_string_length(value) : json_array_size(value);
}

/* How much of a date is told. */
static int precision(json_t *document)
{
    return (has(document, "year") ? 1 : 0) + (has(document, "month") ? 1 : 0) +
           (has(document, "day") ? 1 : 0);
}

static bool from_wins(json_t *into, json_t *from, const char *key)
{
    bool published = is_preprint(into) && !is_preprint(from);
    if (is_preprint(into) != is_preprint(from)) {
        if (of_the_issue(key))
            return published;
        if (of_the_entry(key) && has(into, "bibtex") && has(from, "bibtex"))
            return published;
    }
    if (of_the_entry(key))
        return has(from, "bibtex") && !has(into, "bibtex");
    if (of_the_date(key))
        return precision(from) > precision(into) &&
               (!has(into, "year") || change_same(json_object_get(into, "year"),
                                                  json_object_get(from, "year")));
    static const char *const longer[] = {"authors", "editors", "abstract", NULL};
    json_t *mine = json_object_get(into, key), *theirs = json_object_get(from, key);
    if (among(longer, key))
        return length_of(theirs) > length_of(mine);
    if (strcmp(key, "weight") == 0)
        return json_integer_value(theirs) > json_integer_value(mine);
    return has(from, key) && !has(into, key);
}

json_t *merge_choices(json_t *into, json_t *from)
{
    json_t *choices = json_object(), *value;
    const char *key;
    json_object_foreach(into, key, value)
    {
        json_t *other = json_object_get(from, key);
        if (strcmp(key, "slug") == 0 || change_same(value, other))
            continue;
        const char *choice = from_wins(into, from, key) ? "from" : "into";
        if (merge_joins(key))
            choice = "both";
        json_object_set_new(choices, key, json_string(choice));
    }
    return choices;
}

static json_t *joined(json_t *first, json_t *second)
{
    json_t *all = json_array(), *row, *other;
    size_t index, at;
    json_array_foreach(first, index, row) json_array_append(all, row);
    json_array_foreach(second, index, row)
    {
        bool there = false;
        json_array_foreach(all, at, other) there = there || change_same(row, other);
        if (!there)
            json_array_append(all, row);
    }
    return all;
}

/* The one of `authors` with that name, folded. */
static json_t *namesake(json_t *authors, const char *folded)
{
    size_t index;
    json_t *author;
    json_array_foreach(authors, index, author)
    {
        if (strcmp(text_at(author, "folded", ""), folded) == 0)
            return author;
    }
    return NULL;
}

static json_t *with_folded(json_t *authors)
{
    json_t *document = json_pack("{s:o}", "authors", json_deep_copy(authors));
    publication_derive(document, arena_current());
    return json_object_get(document, "authors");
}

/* Whom they are linked to, and their marks, from the list that was not chosen. */
static json_t *linked_authors(json_t *chosen, json_t *other)
{
    json_t *authors = with_folded(chosen), *others = with_folded(other), *author;
    static const char *const flags[] = {"equal", "corresponding"};
    size_t index;
    json_array_foreach(authors, index, author)
    {
        json_t *same = namesake(others, text_at(author, "folded", ""));
        if (filled_of(author, "person") == NULL && filled_of(same, "person") != NULL)
            json_object_set(author, "person", json_object_get(same, "person"));
        for (size_t i = 0; i < 2; i++)
            if (truth_at(same, flags[i]))
                json_object_set_new(author, flags[i], json_true());
        json_object_del(author, "folded");
    }
    return authors;
}

json_t *merge_document(json_t *into, json_t *from, json_t *choices)
{
    json_t *merged = json_copy(into), *defaults = merge_choices(into, from), *choice;
    const char *key;
    json_object_foreach(defaults, key, choice)
    {
        json_t *mine = json_object_get(into, key), *theirs = json_object_get(from, key);
        const char *said = text_at(choices, key, json_string_value(choice));
        bool from_said = strcmp(said, "from") == 0;
        if (strcmp(said, "both") == 0 && merge_joins(key))
            json_object_set_new(merged, key, joined(mine, theirs));
        else
            json_object_set(merged, key, from_said && theirs != NULL ? theirs : mine);
        if (strcmp(key, "authors") == 0)
            json_object_set_new(
                merged, key,
                linked_authors(from_said ? theirs : mine, from_said ? mine : theirs));
    }
    return merged;
}
