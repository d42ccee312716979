/* Making, hashing and comparing tokens, all by libsodium. sodium_init() may be called any
 * number of times from any thread; it fails only when the system has no random numbers,
 * without which no server should run. */
#include "server/guard/token.h"

#include "server/base/log.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static void ready(void)
{
    if (sodium_init() < 0) {
        log_error("guard.no_randomness");
        abort();
    }
}

const char *token_new(struct arena *arena)
{
    unsigned char secret[32];
    char *text = arena_alloc(arena, TOKEN_LENGTH + 1);
    ready();
    randombytes_buf(secret, sizeof secret);
    sodium_bin2base64(text, TOKEN_LENGTH + 1, secret, sizeof secret,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    sodium_memzero(secret, sizeof secret);
    return text;
}

const char *token_hash(struct arena *arena, const char *token)
{
    unsigned char hash[32];
    char *text = arena_alloc(arena, 2 * sizeof hash + 1);
    ready();
    crypto_generichash(hash, sizeof hash, (const unsigned char *)token, strlen(token),
                       NULL, 0);
    sodium_bin2hex(text, 2 * sizeof hash + 1, hash, sizeof hash);
    return text;
}

bool token_shaped(const char *text)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    return text && strspn(text, alphabet) == TOKEN_LENGTH && !text[TOKEN_LENGTH];
}

const char *token_derive(struct arena *arena, const char *token, const char *purpose)
{
    unsigned char hash[32];
    char *text = arena_alloc(arena, TOKEN_LENGTH + 1);
    ready();
    crypto_generichash(hash, sizeof hash, (const unsigned char *)purpose, strlen(purpose),
                       (const unsigned char *)token, TOKEN_LENGTH);
    sodium_bin2base64(text, TOKEN_LENGTH + 1, hash, sizeof hash,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    return text;
}

bool token_equal(const char *a, const char *b)
{
    size_t length = strlen(a);
    return length == strlen(b) && sodium_memcmp(a, b, length) == 0;
}
