/* Judging the entry that a work came from; see bibtex_original.h. What may be shown is a
 * list of fields, not what may not: a reference manager of tomorrow has private fields of
 * its own. */
#include "server/text/bibtex_original.h"

#include "server/base/document.h"
#include "server/text/bibtex.h"
#include "server/text/work.h"
#include "server/text/work_key.h"

#include <string.h>

static const char *const shown[] = {
    "abstract",     "addendum",     "address",        "archiveprefix",
    "articleno",    "author",       "author+an",      "award",
    "booksubtitle", "booktitle",    "booktitleaddon", "chapter",
    "code",         "data",         "date",           "day",
    "doi",          "edition",      "editor",         "eid",
    "eprint",       "eprintclass",  "eprinttype",     "eventdate",
    "eventtitle",   "howpublished", "html",           "institution",
    "isbn",         "issn",         "issue",          "issuetitle",
    "journal",      "journaltitle", "langid",         "language",
    "location",     "mainsubtitle", "maintitle",      "month",
    "note",         "number",       "numpages",       "organization",
    "pages",        "pagetotal",    "part",           "pdf",
    "pmid",         "poster",       "preprint",       "primaryclass",
    "publisher",    "pubstate",     "school",         "series",
    "shorttitle",   "slides",       "subtitle",       "title",
    "titleaddon",   "translator",   "type",           "url",
    "urldate",      "version",      "video",          "volume",
    "volumes",      "website",      "year",
};

static bool field_is(struct slice name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (slice_like(name, names[i]))
            return true;
    return false;
}

static bool contains(struct slice text, const char *what)
{
    return memmem(text.bytes, text.length, what, strlen(what)) != NULL;
}

/* "C:\Users\...", "/home/...", "file://": the address of nothing that others have. */
static bool local_path(struct slice value)
{
    static const char *const signs[] = {"file:",   ":\\", ":/Users", "/home/", "/Users/",
                                        "\\Users", "~/",  ":pdf",    ":PDF"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (contains(value, signs[i]))
            return true;
    return value.length > 0 && value.bytes[0] == '/';
}

/* null and "" and [] say the same. */
static bool nothing(json_t *value)
{
    return value == NULL || json_is_null(value) || json_is_false(value) ||
           (json_is_string(value) && json_string_length(value) == 0) ||
           (json_is_array(value) && json_array_size(value) == 0);
}

static bool same(json_t *read, json_t *now);

static bool same_list(json_t *read, json_t *now)
{
    if (json_array_size(read) != json_array_size(now))
        return false;
    for (size_t i = 0; i < json_array_size(read); i++)
        if (!same(json_array_get(read, i), json_array_get(now, i)))
            return false;
    return true;
}

/* Does the document say all that was read? What it says besides, in objects of a list, is
 * the lab's (which person an author is). */
static bool same(json_t *read, json_t *now)
{
    const char *key;
    json_t *value;
    if (nothing(read) || nothing(now))
        return nothing(read) && nothing(now);
    if (json_is_array(read))
        return json_is_array(now) && same_list(read, now);
    if (!json_is_object(read))
        return json_equal(read, now);
    json_object_foreach(read, key,
                        value) if (!same(value, json_object_get(now, key))) return false;
    return true;
}

/* The entry in `text`, when it is one and nothing is wrong with it. */
static bool read_entry(struct bibtex_entry *entry, struct arena *arena, const char *text)
{
    struct bibtex *parser;
    return bibtex_open(&parser, arena, slice_of(text), &bibtex_paste_limits) == OK &&
           bibtex_next(entry, parser) == OK && bibtex_is_entry(entry) &&
           entry->refused == BIBTEX_SOUND && entry->remark_count == 0 &&
           bibtex_value(entry, "crossref").length == 0 &&
           bibtex_value(entry, "xdata").length == 0;
}

static bool stands(struct bibtex_entry *entry, struct arena *arena, json_t *document)
{
    static const char *const apart[] = {"bibtex", "bibtex_key", "bibtex_type", "others"};
    const char *text = filled_of(document, "bibtex"), *key;
    json_t *value;
    if (text == NULL || !read_entry(entry, arena, text))
        return false;
    json_t *read = work_document(arena, entry);
    for (size_t i = 0; i < sizeof apart / sizeof apart[0]; i++)
        json_object_del(read, apart[i]);
    json_object_foreach(
        read, key, value) if (!same(value, json_object_get(document, key))) return false;
    const char *given = text_at(document, "bibtex_key", "");
    return slice_is(entry->key, given);
}

static size_t percents(struct slice text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.length; i++)
        count += text.bytes[i] == '%';
    return count;
}

/* A % outside all values begins a comment, and says to nobody else what is in it. */
static bool has_comments(const struct bibtex_entry *entry)
{
    size_t in_values = 0;
    for (size_t i = 0; i < entry->field_count; i++)
        in_values += percents(entry->fields[i].value);
    return percents(entry->source) != in_values;
}

bool bibtex_original_stands(struct arena *arena, json_t *document)
{
    struct bibtex_entry entry;
    return stands(&entry, arena, document);
}

const char *bibtex_original_shown(struct arena *arena, json_t *document)
{
    struct bibtex_entry entry;
    if (!stands(&entry, arena, document) ||
        !work_key_sound(text_at(document, "bibtex_key", "")))
        return NULL;
    for (size_t i = 0; i < entry.field_count; i++)
        if (!field_is(entry.fields[i].name, shown, sizeof shown / sizeof shown[0]) ||
            local_path(entry.fields[i].value))
            return NULL;
    const char *text = text_of(document, "bibtex");
    if (has_comments(&entry))
        return NULL;
    return slice_is(entry.source, text) ? text : NULL;
}
