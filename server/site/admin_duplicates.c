/* /admin/duplicates: pairs of works that may be one, to be merged or never proposed
 * again. */
#include "db/store/merge.h"
#include "server/site/admin_works.h"
#include "server/site/flow.h"

#include <string.h>

/* Which of a pair stays: what was published before a preprint, else the older. */
static bool newer_stays(json_t *pair)
{
    const char *newer = text_at(json_object_get(pair, "newer"), "kind", "");
    const char *older = text_at(json_object_get(pair, "older"), "kind", "");
    return strcmp(older, "preprint") == 0 && strcmp(newer, "preprint") != 0;
}

enum result admin_duplicate_index(struct request *request, struct response *response)
{
    json_t *found, *dismissed, *pair;
    int64_t before;
    size_t index;
    if (number_of(&before, query_argument(request, "before")) != OK)
        before = 0;
    TRY(merge_duplicates(&found, request->db, before));
    TRY(merge_dismissed(&dismissed, request->db));
    json_t *pairs = json_object_get(found, "pairs");
    json_array_foreach(pairs, index, pair)
    {
        bool newer = newer_stays(pair);
        json_object_set(pair, "into", json_object_get(pair, newer ? "newer" : "older"));
        json_object_set(pair, "from", json_object_get(pair, newer ? "older" : "newer"));
    }
    json_t *document = json_object();
    json_object_set(document, "pairs", pairs);
    json_object_set(document, "next", json_object_get(found, "next"));
    json_object_set(document, "dismissed", dismissed);
    json_object_set_new(document, "any_dismissed",
                        json_boolean(json_array_size(dismissed) > 0));
    json_object_set_new(document, "before",
                        before > 0 ? json_integer(before) : json_null());
    return flow_page(request, response, "admin/duplicates.html", document);
}

enum result admin_duplicate_say(struct request *request, struct response *response)
{
    struct actor actor = actor_of(request);
    int64_t one, other, before;
    const char *say = field(request, "say"), *back = "/admin/duplicates";
    if (say == NULL || number_of(&one, field(request, "one")) != OK ||
        number_of(&other, field(request, "other")) != OK)
        return INVALID;
    if (number_of(&before, field(request, "before")) == OK)
        back = arena_print(request->arena, "%s?before=%lld", back, (long long)before);
    bool dismissed = strcmp(say, "dismiss") == 0;
    if (!dismissed && strcmp(say, "recall") != 0)
        return INVALID;
    TRY(merge_dismiss(request->db, &actor, one, other, dismissed));
    flow_done(response, back, dismissed ? "not_duplicate" : "claim_undone");
    return OK;
}
