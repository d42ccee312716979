/* Tables of tags at work; see tagged_draft.h. */
#include "server/text/tagged_draft.h"

#include "server/text/plain.h"

bool tagged_among(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; *at != '\0'; at += strspn(at, " ")) {
        size_t size = strcspn(at, " ");
        if (size == length && memcmp(at, word, length) == 0)
            return true;
        at += size;
    }
    return false;
}

static void apply(struct draft *draft, const struct tagged_record *record,
                  const struct tagged_rule *rule)
{
    for (const char *at = rule->tags; *at != '\0' && !draft_has(draft, rule->key);
         at += strspn(at, " ")) {
        char tag[5] = "";
        size_t size = strcspn(at, " ");
        memcpy(tag, at, size < sizeof tag ? size : sizeof tag - 1);
        draft_put(draft, rule->key, tagged_value(record, tag));
        at += size;
    }
}

void tagged_apply(struct draft *draft, const struct tagged_record *record,
                  const struct tagged_rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rules[i].kinds[0] == '\0' || tagged_among(rules[i].kinds, draft->kind))
            apply(draft, record, &rules[i]);
}

/* "A; B" and "A；B" */
static void people_of(struct draft *draft, const char *list, struct slice value)
{
    static const char wide[] = "\xEF\xBC\x9B";
    struct slice text = plain_text(draft->arena, value);
    const char *from = text.bytes;
    const char *end = text.bytes + text.length;
    for (const char *at = from; at < end;) {
        size_t size = *at == ';' ? 1 : 0;
        if (end - at >= 3 && memcmp(at, wide, 3) == 0)
            size = 3;
        if (size > 0) {
            draft_person(draft, list, slice_trim(slice_between(from, at)));
            from = at + size;
        }
        at += size > 0 ? size : 1;
    }
    draft_person(draft, list, slice_trim(slice_between(from, end)));
}

void tagged_people(struct draft *draft, const char *list,
                   const struct tagged_record *record, const char *tags, bool lines)
{
    for (size_t i = 0; i < record->count; i++) {
        struct slice value = record->fields[i].value;
        if (!tagged_among(tags, record->fields[i].tag))
            continue;
        while (lines && value.length > 0) {
            size_t at = 0;
            while (at < value.length && value.bytes[at] != '\n' &&
                   value.bytes[at] != '\r')
                at++;
            people_of(draft, list, slice_trim((struct slice){value.bytes, at}));
            at += at < value.length;
            value.bytes += at;
            value.length -= at;
        }
        if (!lines)
            people_of(draft, list, value);
    }
}

const char *tagged_kind(struct slice word, const struct tagged_kind *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (slice_like(word, kinds[i].word))
            return kinds[i].kind;
    return NULL;
}
