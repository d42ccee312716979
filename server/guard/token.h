/* Secrets that are handed out once: session cookies, sign-in links, API tokens. A token
 * is 256 random bits as base64url text (RFC 4648 5, no padding); the database keeps only
 * its BLAKE2b-256 hash, as 64 hex digits. */
#ifndef LABD_GUARD_TOKEN_H
#define LABD_GUARD_TOKEN_H

#include "server/base/arena.h"

#include <stdbool.h>

enum { TOKEN_LENGTH = 43 };

const char *token_new(struct arena *arena);
/* The hash of any text; of a malformed token too, which is then simply not found. */
const char *token_hash(struct arena *arena, const char *token);
/* Has `text` the shape of a token? */
bool token_shaped(const char *text);
/* Another token that only who has `token` (of the right shape) can make, and that does
 * not give it away: keyed BLAKE2b-256 of `purpose`. */
const char *token_derive(struct arena *arena, const char *token, const char *purpose);
/* Compares in a time that depends on the lengths alone. */
bool token_equal(const char *a, const char *b);

#endif
