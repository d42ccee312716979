/* Documents as RIS; see ris_write.h. */
#include "server/text/ris_write.h"

#include "server/base/document.h"
#include "server/text/work_key.h"
#include "server/text/written_name.h"

#include <stdbool.h>
#include <string.h>

static const char *type_of(json_t *work)
{
    static const char *const types[][2] = {
        {"article",    "JOUR"},
        {"conference", "CONF"},
        {"book",       "BOOK"},
        {"chapter",    "CHAP"},
        {"thesis",     "THES"},
        {"report",     "RPRT"},
        {"preprint",   "UNPB"},
        {"software",   "COMP"},
        {"dataset",    "DATA"},
    };
    const char *kind = text_at(work, "kind", "");
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i][0], kind) == 0)
            return types[i][1];
    return "GEN";
}

static void line(struct buf *out, const char *tag, const char *value)
{
    if (value == NULL)
        return;
    buf_print(out, "%s  - ", tag);
    for (; *value != '\0'; value++)
        buf_char(out, (unsigned char)*value < ' ' || *value == 0x7F ? ' ' : *value);
    buf_string(out, "\r\n");
}

/* "Family, Given, Suffix"; a comma behind the name of a group keeps it whole, as EndNote
 * has it. */
static void names(struct buf *out, const char *tag, json_t *people)
{
    size_t i;
    json_t *person;
    json_array_foreach(people, i, person)
    {
        struct written_name name = written_name(person);
        struct buf text = buf_on(arena_current());
        buf_print(&text, "%s,", name.family);
        if (name.given != NULL)
            buf_print(&text, " %s", name.given);
        if (name.given != NULL && name.suffix != NULL)
            buf_print(&text, ", %s", name.suffix);
        line(out, tag, text.data);
    }
}

/* PY is the year, DA "2026/11/05/" with what is known of it. */
static void date(struct buf *out, json_t *work)
{
    int year = (int)integer_at(work, "year"), month = (int)integer_at(work, "month"),
        day = (int)integer_at(work, "day");
    if (year <= 0)
        return;
    buf_print(out, "PY  - %04d\r\n", year);
    if (month >= 1 && month <= 12 && day >= 1 && day <= 31)
        buf_print(out, "DA  - %04d/%02d/%02d\r\n", year, month, day);
    else if (month >= 1 && month <= 12)
        buf_print(out, "DA  - %04d/%02d\r\n", year, month);
}

/* "1–18" as SP and EP; what is no range of two stays whole in SP. */
static void pages(struct buf *out, const char *text)
{
    if (text == NULL)
        return;
    const char *dash = strstr(text, "–");
    size_t length = 3;
    if (dash == NULL && strchr(text, '-') == strrchr(text, '-')) {
        dash = strchr(text, '-');
        length = 1;
    }
    bool range = dash != NULL && dash > text && dash[length] != '\0' &&
                 strstr(dash + length, "–") == NULL && strpbrk(text, ",;") == NULL &&
                 strncmp(text, dash + length, (size_t)(dash - text)) != 0;
    if (!range) {
        line(out, "SP", text);
        return;
    }
    line(out, "SP", arena_copy(arena_current(), text, (size_t)(dash - text)));
    line(out, "EP", dash + length);
}

static void identifiers(struct buf *out, json_t *work)
{
    static const char *const tags[][3] = {
        {"doi",   "DO", ""      },
        {"isbn",  "SN", ""      },
        {"pmid",  "AN", "PMID: "},
        {"arxiv", "AN", "arXiv:"},
    };
    size_t i;
    json_t *identifier;
    json_array_foreach(json_object_get(work, "identifiers"), i, identifier)
    {
        const char *scheme = text_at(identifier, "scheme", ""),
                   *value = filled_of(identifier, "value");
        for (size_t t = 0; t < sizeof tags / sizeof tags[0] && value != NULL; t++)
            if (strcmp(tags[t][0], scheme) == 0)
                line(out, tags[t][1],
                     arena_print(arena_current(), "%s%s", tags[t][2], value));
    }
}

static void pdf(struct buf *out, json_t *work)
{
    size_t i;
    json_t *link;
    json_array_foreach(json_object_get(work, "links"), i, link)
    {
        if (strcmp(text_at(link, "kind", ""), "pdf") != 0)
            continue;
        line(out, "L1", filled_of(link, "url"));
        return;
    }
}

/* Which tags say a key of works of some kinds ("" all of them). */
static const struct {
    const char *tag, *key, *kinds;
} texts[] = {
    {"T2", "venue",     " article conference chapter preprint other "},
    {"T3", "series",    " article conference chapter book report "   },
    {"VL", "volume",    ""                                           },
    {"IS", "issue",     " article conference preprint other "        },
    {"C7", "number",    " article conference preprint "              },
    {"M1", "number",    " report "                                   },
    {"ET", "edition",   ""                                           },
    {"PB", "publisher", ""                                           },
    {"CY", "place",     ""                                           },
    {"M3", "genre",     " thesis report "                            },
    {"LA", "language",  ""                                           },
    {"UR", "url",       ""                                           },
    {"N1", "note",      ""                                           },
    {"AB", "abstract",  ""                                           },
};

static bool of_kind(const char *kinds, const char *kind)
{
    const char *at = strstr(kinds, kind);
    return *kinds == '\0' || (at != NULL && at[-1] == ' ' && at[strlen(kind)] == ' ');
}

bool ris_says(const char *kind, const char *key)
{
    bool known = false;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(texts[i].key, key) != 0)
            continue;
        if (of_kind(texts[i].kinds, kind))
            return true;
        known = true;
    }
    return !known;
}

static void write_texts(struct buf *out, json_t *work)
{
    const char *kind = text_at(work, "kind", "other");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (of_kind(texts[i].kinds, kind))
            line(out, texts[i].tag, filled_of(work, texts[i].key));
    }
}

void ris_write(struct buf *out, json_t *work)
{
    line(out, "TY", type_of(work));
    line(out, "ID", work_key(arena_current(), work));
    names(out, "AU", json_object_get(work, "authors"));
    names(out, "ED", json_object_get(work, "editors"));
    line(out, "TI", filled_of(work, "title"));
    write_texts(out, work);
    date(out, work);
    pages(out, filled_of(work, "pages"));
    identifiers(out, work);
    pdf(out, work);
    buf_string(out, "ER  - \r\n");
}
