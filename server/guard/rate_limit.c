/* Limits on guessing. An account's attempts are counted per peer, so that a stranger who
 * guesses cannot lock its owner out; the peer's own count bounds how many accounts it can
 * try. */
#include "server/guard/rate_limit.h"

#include "db/store/account.h"
#include "server/base/log.h"
#include "server/guard/token.h"

const struct rate_rule rate_sign_in = {"sign_in", 10, 15 * 60};
const struct rate_rule rate_peer = {"peer", 60, 15 * 60};
const struct rate_rule rate_link = {"link", 30, 15 * 60};

static const char *key_of(struct request *request, const struct rate_rule *rule,
                          const char *subject)
{
    return arena_print(request->arena, "%s:%s", rule->name,
                       token_hash(request->arena, subject));
}

enum result rate_count(struct request *request, struct response *response,
                       const struct rate_rule *rule, const char *subject)
{
    int attempts, seconds_left;
    TRY(rate_hit(&attempts, &seconds_left, request->db, key_of(request, rule, subject),
                 rule->seconds));
    if (attempts <= rule->attempts)
        return OK;
    log_warning("guard.rate", "rule", rule->name, "peer", request->peer);
    response->status = 429;
    response_header(
        response, "Retry-After",
        arena_print(request->arena, "%d", seconds_left > 0 ? seconds_left : 1));
    return BUSY;
}

enum result rate_forget(struct request *request, const struct rate_rule *rule,
                        const char *subject)
{
    return rate_clear(request->db, key_of(request, rule, subject));
}
