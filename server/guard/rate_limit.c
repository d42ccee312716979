/* Limits on guessing. An account's attempts are counted per peer, so that a stranger who
 * guesses cannot lock its owner out; the peer's own count bounds how many accounts it can
 * try. */
#include "server/guard/rate_limit.h"

#include "db/store/account.h"
#include "server/base/log.h"
#include "server/guard/token.h"

#include <arpa/inet.h>
#include <string.h>

const struct rate_rule rate_sign_in = {"sign_in", 10, 15 * 60};
const struct rate_rule rate_peer = {"peer", 60, 15 * 60};
const struct rate_rule rate_link = {"link", 30, 15 * 60};
/* Nobody's mailbox is filled by strangers; the mails of the hour before are good yet. */
const struct rate_rule rate_mail = {"mail", 5, 60 * 60, .everywhere = true};
const struct rate_rule rate_mailer = {"mailer", 60, 15 * 60};

const char *rate_network(struct arena *arena, const char *peer)
{
    struct in6_addr address;
    char text[INET6_ADDRSTRLEN];
    if (inet_pton(AF_INET6, peer, &address) != 1 || IN6_IS_ADDR_V4MAPPED(&address))
        return peer;
    memset(address.s6_addr + 8, 0, 8);
    inet_ntop(AF_INET6, &address, text, sizeof text);
    return arena_print(arena, "%s/64", text);
}

static const char *key_of(struct request *request, const struct rate_rule *rule,
                          const char *subject)
{
    const char *who =
        arena_print(request->arena, "%s\n%s",
                    rule->everywhere ? "" : rate_network(request->arena, request->peer),
                    subject ? subject : "");
    return arena_print(request->arena, "%s:%s", rule->name,
                       token_hash(request->arena, who));
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

enum result rate_uncount(struct request *request, const struct rate_rule *rule,
                         const char *subject)
{
    return rate_take_back(request->db, key_of(request, rule, subject));
}

enum result rate_forget(struct request *request, const struct rate_rule *rule,
                        const char *subject)
{
    return rate_clear(request->db, key_of(request, rule, subject));
}
