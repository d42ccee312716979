/* Telling notes from lines that programs keep; see csl_note.h. */
#include "server/text/csl_note.h"

#include "server/base/buf.h"

/* Keys of Zotero's "Extra" field that have neither a hyphen, a dot nor an underscore. */
static const char *const keys[] = {"select",
                                   "citation key",
                                   "page version id",
                                   "wos",
                                   "doi",
                                   "pmid",
                                   "pmcid",
                                   "arxiv",
                                   "oclc",
                                   "issn",
                                   "isbn",
                                   "lccn",
                                   "type",
                                   "issued",
                                   "genre",
                                   "page",
                                   "jurisdiction",
                                   "ads bibcode",
                                   "google scholar",
                                   "publisher",
                                   "place",
                                   "narrator",
                                   "zsccnumber",
                                   "zscc",
                                   "citations",
                                   "accession number",
                                   "publication title"};

static bool is_key(struct slice key)
{
    if (key.length == 0 || key.length > 40)
        return false;
    bool spaced = memchr(key.bytes, ' ', key.length) != NULL;
    bool joined = memchr(key.bytes, '-', key.length) != NULL ||
                  memchr(key.bytes, '.', key.length) != NULL ||
                  memchr(key.bytes, '_', key.length) != NULL;
    for (size_t i = 0; i < key.length; i++)
        if (!text_letter(key.bytes[i]) && !text_digit(key.bytes[i]) &&
            strchr(" -._", key.bytes[i]) == NULL)
            return false;
    if (joined && !spaced)
        return true;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (slice_like(key, keys[i]))
            return true;
    return strncasecmp(key.bytes, "mlzsync1", 8) == 0;
}

static bool digits(struct slice text)
{
    for (size_t i = 0; i < text.length; i++)
        if (!text_digit(text.bytes[i]))
            return false;
    return text.length > 0;
}

static void take(struct draft *draft, struct slice key, struct slice value)
{
    static const char *const schemes[] = {"doi", "pmid", "arxiv"};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
        if (slice_like(key, schemes[i]))
            draft_identifier(draft, schemes[i], value);
    if (slice_like(key, "publisher"))
        draft_put(draft, "publisher", value);
    if (slice_like(key, "publisher-place") || slice_like(key, "place"))
        draft_put(draft, "place", value);
}

/* A line that a program keeps? */
static bool kept_line(struct draft *draft, struct slice line)
{
    const char *colon = memchr(line.bytes, ':', line.length);
    if (colon == NULL)
        return digits(line) && line.length >= 5; /* a count of citations, padded */
    struct slice key = slice_trim(slice_between(line.bytes, colon));
    if (!is_key(key))
        return false;
    take(draft, key, slice_trim(slice_between(colon + 1, line.bytes + line.length)));
    return true;
}

void csl_put_note(struct draft *draft, struct slice note)
{
    struct buf rest = buf_on(draft->arena);
    while (note.length > 0) {
        size_t length = 0;
        while (length < note.length && note.bytes[length] != '\n')
            length++;
        struct slice line = slice_trim((struct slice){note.bytes, length});
        if (line.length > 0 && !kept_line(draft, line)) {
            if (rest.length > 0)
                buf_char(&rest, '\n');
            buf_append(&rest, line.bytes, line.length);
        }
        length += length < note.length;
        note.bytes += length;
        note.length -= length;
    }
    draft_put(draft, "note", (struct slice){rest.data, rest.length});
}
