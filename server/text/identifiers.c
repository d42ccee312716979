/* Lists of DOIs, arXiv numbers, PubMed numbers and ORCIDs, to be looked up: bare, behind
 * a prefix ("doi:", "PMID 123") or as addresses; one a line or many, words between them.
 * A line in which there is none is refused; one that starts with # is a comment. */
#include "server/base/identifier.h"
#include "server/text/bibliography_reader.h"

struct identifiers {
    const char *at, *end; /* of the text */
    size_t line;
    const char *word, *line_end; /* within the line at hand */
    const char *line_start;
    bool found;  /* something in this line */
    bool pubmed; /* "PMID" went before */
};

static struct slice without_ends(struct slice word)
{
    while (word.length > 0 && strchr("<([{\"'", word.bytes[0]) != NULL) {
        word.bytes++;
        word.length--;
    }
    while (word.length > 0 && strchr(">]}\"',;.", word.bytes[word.length - 1]) != NULL)
        word.length--;
    bool open = memchr(word.bytes, '(', word.length) != NULL;
    if (word.length > 0 && !open && word.bytes[word.length - 1] == ')')
        word.length--;
    return word;
}

/* "10.1000/a;10.1000/b": the part up to a separator behind which another one starts. */
static size_t part_length(struct slice word)
{
    static const char *const starts[] = {"10.", "http", "doi", "arxiv", "pmid", "0000-"};
    for (size_t i = 1; i + 1 < word.length; i++) {
        if (word.bytes[i] != ',' && word.bytes[i] != ';')
            continue;
        for (size_t s = 0; s < sizeof starts / sizeof starts[0]; s++)
            if (word.length - i > strlen(starts[s]) &&
                strncasecmp(word.bytes + i + 1, starts[s], strlen(starts[s])) == 0)
                return i;
    }
    return word.length;
}

/* A number alone is PubMed's if it is said so, or if nothing else stands in its line. */
static bool may_be_pubmed(const struct identifiers *list, struct slice word)
{
    for (size_t i = 0; i < word.length; i++)
        if (!text_digit(word.bytes[i]))
            return true;
    struct slice line = slice_trim(slice_between(list->line_start, list->line_end));
    return list->pubmed || (line.length == word.length && word.length >= 5);
}

static const char *identify(struct slice *value, struct arena *arena, struct slice word,
                            const struct identifiers *list)
{
    static const struct {
        const char *scheme;
        struct slice (*find)(struct arena *arena, struct slice text);
    } schemes[] = {
        {"orcid", identifier_orcid},
        {"doi",   identifier_doi  },
        {"arxiv", identifier_arxiv},
        {"pmid",  identifier_pmid },
    };
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        if (i == 3 && !may_be_pubmed(list, word))
            continue;
        *value = schemes[i].find(arena, word);
        if (value->length > 0)
            return schemes[i].scheme;
    }
    return NULL;
}

static enum result open_list(void **state, struct arena *arena, struct slice text,
                             const struct bibtex_limits *limits)
{
    (void)limits;
    struct identifiers *list = ARENA_NEW(arena, struct identifiers);
    *list = (struct identifiers){.at = text.bytes, .end = text.bytes + text.length};
    *state = list;
    return OK;
}

/* Sets up the next line that is neither blank nor a comment; false at the end. */
static bool next_line(struct identifiers *list)
{
    while (list->at < list->end) {
        const char *at = list->at;
        while (at < list->end && *at != '\n' && *at != '\r')
            at++;
        list->line_start = list->word = list->at;
        list->line_end = at;
        list->line++;
        list->found = list->pubmed = false;
        bool both = at + 1 < list->end && at[0] == '\r' && at[1] == '\n';
        list->at = at + (at < list->end) + both;
        struct slice line = slice_trim(slice_between(list->line_start, at));
        if (line.length > 0 && line.bytes[0] != '#')
            return true;
    }
    return false;
}

/* The next word of the line; false at its end. */
static bool next_word(struct slice *word, struct identifiers *list)
{
    const char *at = list->word;
    while (at < list->line_end && (text_space(*at) || *at == ',' || *at == ';'))
        at++;
    const char *from = at;
    while (at < list->line_end && !text_space(*at))
        at++;
    *word = slice_between(from, at);
    word->length = part_length(*word);
    list->word = from + word->length;
    *word = without_ends(*word);
    return at > from;
}

static void refuse_line(struct bibliography_entry *entry, const struct identifiers *list)
{
    entry->refused = "no_identifier";
    entry->reason = "no DOI, arXiv number, PubMed number or ORCID stands in this line";
    entry->refused_line = entry->line = list->line;
    entry->source = slice_trim(slice_between(list->line_start, list->line_end));
}

static enum result next_identifier(struct bibliography_entry *entry, void *state,
                                   struct arena *arena)
{
    struct identifiers *list = state;
    struct slice word;
    struct slice value;
    do {
        while (list->word != NULL && next_word(&word, list)) {
            const char *scheme =
                word.length > 2000 ? NULL : identify(&value, arena, word, list);
            list->pubmed = slice_like(word, "pmid") || slice_like(word, "pmid:") ||
                           slice_like(word, "pubmed");
            if (scheme == NULL)
                continue;
            list->found = true;
            entry->line = list->line;
            entry->scheme = scheme;
            entry->value = value.bytes;
            entry->source = word;
            return OK;
        }
        if (list->word != NULL && !list->found) {
            list->found = true;
            refuse_line(entry, list);
            return OK;
        }
    } while (next_line(list));
    return NOT_FOUND;
}

const struct bibliography_reader identifiers_reader = {open_list, next_identifier};
