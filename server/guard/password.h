/* Passwords: argon2id with 64 MiB and 3 passes (libsodium). One is hashed at a time in a
 * process; up to 16 callers wait (fewer where there are few workers), further ones get
 * BUSY. Rules as in ASVS 6.2: at least 12 code points, no composition rules, common ones
 * refused; 1,024 bytes at most, checked before hashing. */
#ifndef LABD_GUARD_PASSWORD_H
#define LABD_GUARD_PASSWORD_H

#include "server/base/arena.h"
#include "server/base/result.h"

#include <stdbool.h>

enum { PASSWORD_LEAST = 12, PASSWORD_BYTES = 1024 };

/* What is wrong with a new password; the names are catalog keys `guard.password.NAME`. */
enum password_fault {
    PASSWORD_FINE,
    PASSWORD_SHORT,
    PASSWORD_LONG,
    PASSWORD_MALFORMED, /* not UTF-8, or control characters */
    PASSWORD_REPEATED,  /* one or two characters over and over, or a row of keys */
    PASSWORD_PERSONAL,  /* little more than the address, or the lab's name */
    PASSWORD_COMMON     /* made of the words of templates/common_passwords.txt */
};

/* Reads the list of common words from `file`; once at start, before any thread. */
MUST_USE enum result password_load(const char *file);

/* `known`: NULL-terminated texts that anyone would try first (e-mail address, names). */
enum password_fault password_fault(struct arena *arena, const char *password,
                                   const char *const known[]);
const char *password_fault_name(enum password_fault fault); /* "short", ... */

MUST_USE enum result password_hash(const char **hash, struct arena *arena,
                                   const char *password);
/* OK when the password fits. DENIED when not; a NULL `hash` (no such account, or one
 * without a password) takes the same time. INVALID beyond PASSWORD_BYTES: not hashed. */
MUST_USE enum result password_verify(const char *hash, const char *password);
/* Was it made with other settings than today's? */
bool password_outdated(const char *hash);

#endif
