/* Taking fields of other entries; the rules are in bibliography_inherit.h. */
#include "server/text/bibliography_inherit.h"

enum { GENERATIONS = 8, FIELD_COST = 64 };

struct taking {
    struct heritage *heritage;
    struct arena *arena;
    bool spent; /* there was not enough left */
};

struct list {
    struct bibtex_field *fields;
    size_t count, capacity;
};

static bool any_of(struct slice word, const char *const words[])
{
    for (size_t i = 0; words[i] != NULL; i++)
        if (slice_like(word, words[i]))
            return true;
    return false;
}

static bool has(const struct list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (slice_like(list->fields[i].name, name))
            return true;
    return false;
}

static bool has_slice(const struct list *list, struct slice name)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->fields[i].name.length == name.length &&
            strncasecmp(list->fields[i].name.bytes, name.bytes, name.length) == 0)
            return true;
    return false;
}

static void add(struct taking *t, struct list *list, struct slice name,
                struct slice value)
{
    size_t cost = FIELD_COST + value.length;
    if (t->spent || cost > t->heritage->left) {
        t->spent = true;
        return;
    }
    t->heritage->left -= cost;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity * 2 + 16;
        struct bibtex_field *larger =
            ARENA_ARRAY(t->arena, struct bibtex_field, capacity);
        if (list->count > 0)
            memcpy(larger, list->fields, list->count * sizeof *larger);
        list->fields = larger;
        list->capacity = capacity;
    }
    list->fields[list->count++] = (struct bibtex_field){name, value};
}

static const char *const multi_volume[] = {"mvbook", "mvcollection", "mvproceedings",
                                           "mvreference", NULL};
static const char *const wholes[] = {"book", "collection", "proceedings", "reference",
                                     NULL};
static const char *const parts[] = {"inbook",        "bookinbook",  "suppbook",
                                    "incollection",  "inreference", "suppcollection",
                                    "inproceedings", "conference",  NULL};
static const char *const in_periodical[] = {"article", "suppperiodical", NULL};

/* What the title fields of a parent are to its child; NULL: what they are. The rest of
 * the name stays: subtitle, titleaddon. */
static const char *title_prefix(struct slice child, struct slice parent)
{
    if (any_of(parent, multi_volume))
        return any_of(child, parts) || any_of(child, wholes) ? "main" : NULL;
    if (any_of(parent, wholes) && any_of(child, parts))
        return "book";
    return slice_like(parent, "periodical") && any_of(child, in_periodical) ? "journal"
                                                                            : NULL;
}

/* Never a part's, though the whole has them. */
static const char *const never[] = {"crossref",
                                    "xref",
                                    "xdata",
                                    "ids",
                                    "entryset",
                                    "entrysubtype",
                                    "execute",
                                    "label",
                                    "options",
                                    "presort",
                                    "related",
                                    "relatedoptions",
                                    "relatedstring",
                                    "relatedtype",
                                    "shorthand",
                                    "shorthandintro",
                                    "sortkey",
                                    "shorttitle",
                                    "sorttitle",
                                    "indextitle",
                                    "indexsorttitle",
                                    "key",
                                    "doi",
                                    "url",
                                    "urldate",
                                    "ee",
                                    "link",
                                    "eprint",
                                    "eprinttype",
                                    "eprintclass",
                                    "archiveprefix",
                                    "primaryclass",
                                    "arxiv",
                                    "pmid",
                                    "abstract",
                                    "file",
                                    "pages",
                                    "pdf",
                                    "code",
                                    "slides",
                                    "video",
                                    "poster",
                                    "website",
                                    "html",
                                    "award",
                                    "biburl",
                                    "bibsource",
                                    "timestamp",
                                    "bdsk-url-1",
                                    NULL};

static const char *const dates[] = {"date", "year", "month", "day", NULL};

static void take_mapped(struct taking *t, struct list *child, struct slice type,
                        const struct list *parent, struct slice parent_type)
{
    const char *prefix = title_prefix(type, parent_type);
    bool dated = has(child, "date") || has(child, "year");
    bool own_booktitle = prefix != NULL && has(parent, "booktitle");
    bool bookauthor = any_of(type, parts) && !slice_like(type, "inproceedings") &&
                      any_of(parent_type, (const char *const[]){"book", "mvbook", NULL});
    for (size_t i = 0; i < parent->count; i++) {
        struct slice name = parent->fields[i].name;
        struct slice value = parent->fields[i].value;
        if (any_of(name, never) || (dated && any_of(name, dates)))
            continue;
        if (bookauthor && slice_like(name, "author") && !has(child, "bookauthor"))
            add(t, child, slice_of("bookauthor"), value);
        bool title =
            any_of(name, (const char *const[]){"title", "subtitle", "titleaddon", NULL});
        if (title && prefix != NULL) {
            if (own_booktitle && *prefix == 'b' && slice_like(name, "title"))
                continue;
            const char *full =
                arena_print(t->arena, "%s%.*s", prefix, (int)name.length, name.bytes);
            if (*prefix == 'j' && slice_like(name, "title") && has(child, "journal"))
                continue;
            name = slice_of(full);
        }
        if (!has_slice(child, name))
            add(t, child, name, value);
    }
}

bool heritage_next_key(struct slice *key, struct slice *rest)
{
    while (rest->length > 0) {
        const char *comma = memchr(rest->bytes, ',', rest->length);
        size_t length = comma == NULL ? rest->length : (size_t)(comma - rest->bytes);
        *key = slice_trim((struct slice){rest->bytes, length});
        length += comma != NULL;
        rest->bytes += length;
        rest->length -= length;
        if (key->length > 0)
            return true;
    }
    return false;
}

void heritage_keys(const struct bibtex_field *fields, size_t count,
                   void (*found)(struct slice key, void *data), void *data)
{
    for (size_t i = 0; i < count; i++) {
        struct slice rest = fields[i].value;
        struct slice key;
        if (slice_like(fields[i].name, "xdata"))
            while (heritage_next_key(&key, &rest))
                found(key, data);
        else if (slice_like(fields[i].name, "crossref") && slice_trim(rest).length > 0)
            found(slice_trim(rest), data);
    }
}

struct reference {
    struct taking *taking;
    struct list *list;
    struct slice type;
    size_t generation;
    bool xdata;
};

static void take_from(struct slice key, const struct reference *to);

/* First all xdata, then the crossref, whatever their order in the entry. */
static void take_references(struct taking *t, struct list *list, struct slice type,
                            size_t generation)
{
    size_t own = list->count;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < own && !t->spent; i++) {
            struct reference to = {t, list, type, generation, pass == 0};
            struct slice rest = list->fields[i].value;
            struct slice key;
            if (pass == 0 && slice_like(list->fields[i].name, "xdata"))
                while (!t->spent && heritage_next_key(&key, &rest))
                    take_from(key, &to);
            if (pass == 1 && slice_like(list->fields[i].name, "crossref"))
                take_from(slice_trim(rest), &to);
        }
}

static void take_from(struct slice key, const struct reference *to)
{
    struct taking *t = to->taking;
    const struct bibtex_macro *place = bibtex_macro_find(&t->heritage->entries, key);
    const struct ancestor *ancestor = place == NULL ? NULL : place->thing;
    if (ancestor == NULL || to->generation == GENERATIONS)
        return;
    struct list parent = {NULL, 0, 0};
    for (size_t i = 0; i < ancestor->count; i++)
        add(t, &parent, ancestor->fields[i].name, ancestor->fields[i].value);
    take_references(t, &parent, ancestor->type, to->generation + 1);
    if (!to->xdata) {
        take_mapped(t, to->list, to->type, &parent, ancestor->type);
        return;
    }
    for (size_t i = 0; i < parent.count; i++)
        if (!any_of(parent.fields[i].name,
                    (const char *const[]){"xdata", "crossref", "ids", NULL}) &&
            !has_slice(to->list, parent.fields[i].name))
            add(t, to->list, parent.fields[i].name, parent.fields[i].value);
}

static void note_key(struct slice key, void *data)
{
    (void)key;
    *(bool *)data = true;
}

enum result heritage_take(struct bibtex_entry *entry, bool *inherited,
                          struct heritage *heritage, struct arena *arena)
{
    bool refers = false;
    *inherited = false;
    heritage_keys(entry->fields, entry->field_count, note_key, &refers);
    if (!refers)
        return OK;
    struct taking taking = {.heritage = heritage, .arena = arena};
    struct list list = {NULL, 0, 0};
    for (size_t i = 0; i < entry->field_count; i++)
        add(&taking, &list, entry->fields[i].name, entry->fields[i].value);
    take_references(&taking, &list, entry->type, 0);
    if (taking.spent)
        return INVALID;
    *inherited = list.count > entry->field_count;
    entry->fields = list.fields;
    entry->field_count = list.count;
    return OK;
}
