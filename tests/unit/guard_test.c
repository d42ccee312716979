/* The parts of the guard that need neither request nor database. */
#include "server/base/config.h"
#include "server/guard/next.h"
#include "server/guard/password.h"
#include "server/guard/rate_limit.h"
#include "server/guard/token.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static struct arena *arena;

static void open_arena(void)
{
    arena = arena_new();
}

static void close_arena(void)
{
    arena_free(arena);
}

TestSuite(token, .init = open_arena, .fini = close_arena);
TestSuite(rate, .init = open_arena, .fini = close_arena);
TestSuite(next, .init = open_arena, .fini = close_arena);
TestSuite(password, .init = open_arena, .fini = close_arena, .timeout = 120);

Test(token, is_random_and_url_safe)
{
    const char *one = token_new(arena), *other = token_new(arena);
    cr_assert(token_shaped(one));
    cr_assert(token_shaped(other));
    cr_assert_str_neq(one, other);
    cr_assert_not(token_shaped(NULL));
    cr_assert_not(token_shaped(""));
    cr_assert_not(token_shaped(arena_print(arena, "%sA", one)));
    cr_assert_not(token_shaped(arena_print(arena, "+%s", one + 1)));
}

Test(token, hash_is_blake2b_256_in_hex)
{
    /* RFC 7693 gives BLAKE2b-512 alone; this value is `b2sum -l 256` of "abc". */
    cr_assert_str_eq(token_hash(arena, "abc"),
                     "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
    cr_assert_eq(strlen(token_hash(arena, "")), 64);
}

Test(token, derived_tokens_differ_by_secret_and_purpose)
{
    const char *one = token_new(arena), *other = token_new(arena);
    const char *derived = token_derive(arena, one, "forms");
    cr_assert(token_shaped(derived));
    cr_assert(token_equal(derived, token_derive(arena, one, "forms")));
    cr_assert_not(token_equal(derived, token_derive(arena, other, "forms")));
    cr_assert_not(token_equal(derived, token_derive(arena, one, "mail")));
    cr_assert_not(token_equal(derived, one));
    cr_assert_not(token_equal("", one));
}

Test(next, takes_only_paths_of_this_site)
{
    static const char *const good[] = {
        "/", "/my", "/my?x=1&y=", "/people/%E6%9E%97?lang=zh", "/a//b", "/my#part"};
    static const char *const bad[] = {"",
                                      "my",
                                      "//evil.example",
                                      "/\\evil.example",
                                      "\\evil",
                                      "/%5cevil",
                                      "/%2fevil",
                                      "/%2Fevil",
                                      "/x\r\nSet-Cookie: a=b",
                                      "/x%0d%0ay",
                                      "/x%0Ay",
                                      "/x%00",
                                      "https://evil.example/",
                                      "javascript:alert(1)",
                                      "/x%zz",
                                      "/x%4",
                                      "/\tevil",
                                      " /my",
                                      "/x y"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        cr_expect_str_eq(next_path(good[i], "/"), good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_str_eq(next_path(bad[i], "/"), "/", "%s", bad[i]);
    cr_expect_str_eq(next_path(NULL, "/my"), "/my");
}

static enum password_fault fault_of(const char *password)
{
    static const char *const known[] = {"xiao.lin@lab.example", "Lantern Systems Lab",
                                        "林晓", NULL};
    return password_fault(arena, password, known);
}

Test(password, rules)
{
    cr_assert_eq(password_load("templates/common_passwords.txt"), OK);
    static const struct {
        const char *password;
        enum password_fault fault;
    } cases[] = {
        {"",                                     PASSWORD_SHORT    },
        {"eleven char",                          PASSWORD_SHORT    },
        {"twelve chars",                         PASSWORD_FINE     },
        {"灯塔照着夜里的海面上的船", PASSWORD_FINE     },
        {"灯塔照着夜里的海面上的",    PASSWORD_SHORT    },
        {"aaaaaaaaaaaaaaaa",                     PASSWORD_REPEATED },
        {"abababababababab",                     PASSWORD_REPEATED },
        {"123456789012345",                      PASSWORD_REPEATED },
        {"abcdefghijklmnop",                     PASSWORD_REPEATED },
        {"password1234!",                        PASSWORD_COMMON   },
        {"P@ssw0rd-2026-!",                      PASSWORD_COMMON   },
        {"qwertyuiop123",                        PASSWORD_COMMON   },
        {"13800138000 1990",                     PASSWORD_COMMON   },
        {"Xiao.Lin-2026!",                       PASSWORD_PERSONAL },
        {"lantern systems lab 1",                PASSWORD_PERSONAL },
        {"xiaolin keeps nine herons",            PASSWORD_FINE     },
        {"tab\tis not \1 typed",                 PASSWORD_MALFORMED},
        {"cut off in the mid\xe4\xb8",           PASSWORD_MALFORMED},
        {"correct password of mine, heron",      PASSWORD_FINE     },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_eq(fault_of(cases[i].password), cases[i].fault, "%s: %s",
                     cases[i].password, password_fault_name(fault_of(cases[i].password)));
}

Test(password, is_bounded_before_it_is_hashed)
{
    char *long_one = arena_alloc(arena, 4097);
    const char *hash;
    for (int i = 0; i < 4096; i++)
        long_one[i] = (char)('a' + i * 7 % 26);
    long_one[4096] = '\0';
    cr_assert_eq(fault_of(long_one), PASSWORD_LONG);
    cr_assert_eq(password_hash(&hash, arena, long_one), INVALID);
    cr_assert_eq(password_verify(NULL, long_one), INVALID);
    long_one[PASSWORD_BYTES] = '\0';
    cr_assert_eq(fault_of(long_one), PASSWORD_FINE);
}

Test(password, verifies_its_own_hash_alone)
{
    const char *hash;
    cr_assert_eq(password_hash(&hash, arena, "nine herons on the quay"), OK);
    cr_assert_eq(strncmp(hash, "$argon2id$v=19$m=65536,t=3,p=1$", 31), 0, "%s", hash);
    cr_assert_eq(password_verify(hash, "nine herons on the quay"), OK);
    cr_assert_eq(password_verify(hash, "nine herons on the quay "), DENIED);
    cr_assert_eq(password_verify(NULL, "nine herons on the quay"), DENIED);
    cr_assert_eq(password_verify("not a hash", "nine herons on the quay"), DENIED);
    cr_assert_not(password_outdated(hash));
    cr_assert(password_outdated("$argon2id$v=19$m=8192,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$"
                                "E1r0DPvR0xDzVvWvIZVXWOmmEnjBKOvN9OD0H3xbHwA"));
}

static atomic_int denied, busy;

static void *guess(void *unused)
{
    (void)unused;
    enum result result = password_verify(NULL, "whatever it may be");
    if (result == DENIED)
        denied++;
    if (result == BUSY)
        busy++;
    return NULL;
}

Test(password, queue_is_bounded)
{
    enum { CALLERS = 24 };
    pthread_t threads[CALLERS];
    config.workers = CALLERS;
    for (int i = 0; i < CALLERS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, guess, NULL), 0);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(threads[i], NULL);
    cr_assert_eq(denied + busy, CALLERS);
    cr_assert_geq(denied, 17);
    cr_assert_gt(busy, 0);
}

Test(rate, counts_the_64_bits_that_a_site_has)
{
    static const struct {
        const char *peer, *network;
    } cases[] = {
        {"192.0.2.7",            "192.0.2.7"        },
        {"2001:db8:1:2::7",      "2001:db8:1:2::/64"},
        {"2001:db8:1:2:f:e:d:c", "2001:db8:1:2::/64"},
        {"2001:db8:1:3::7",      "2001:db8:1:3::/64"},
        {"::ffff:192.0.2.7",     "::ffff:192.0.2.7" },
        {"fe80::1%eth0",         "fe80::1%eth0"     },
        {"unknown",              "unknown"          }
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_str_eq(rate_network(arena, cases[i].peer), cases[i].network);
}
