/* Checks of single values, and their one form. Texts come in well-formed, without control
 * characters and trimmed; a function returns NULL and *out (on the arena) or the code of
 * the error ("email", "url_scheme", ...), whose words are in the catalogs. */
#ifndef LABD_FORM_VALUE_H
#define LABD_FORM_VALUE_H

#include "server/form/definition.h"

/* An addr-spec without comments and quotes (RFC 5321 4.1.2 Dot-string, RFC 6531 letters):
 * local part up to 64 bytes, a domain of at least two labels (or localhost). The
 * full-width ＠ and ． of Chinese keyboards are read as @ and . */
const char *value_email(const char **out, struct arena *arena, const char *text);
/* RFC 3986 with letters beyond ASCII left as they are; http or https, a host, no user or
 * password, no spaces, quotes or backslashes. Of the rest, what may not stand in a URL is
 * percent-encoded. */
const char *value_url(const char **out, struct arena *arena, const char *text);
const char *value_phone(const char **out, struct arena *arena, const char *text);
/* With or without https://orcid.org/; check digit by ISO 7064 mod 11-2. */
const char *value_orcid(const char **out, struct arena *arena, const char *text);
/* By server/base/identifier.h; the code is the name of the scheme. What a scheme not
 * known there has is taken as it is. */
const char *value_identifier(const char **out, struct arena *arena, const char *scheme,
                             const char *text);

/* 2024-09-01, 2024/9/1, 2024.9.1, 2024年9月1日, and without day or month when rounding is
 * asked for. Years 1000 to 2999, days by the calendar. */
const char *value_date(const char **out, struct arena *arena, const char *text,
                       enum rounding round);
/* Likewise "2024-09". */
const char *value_month(const char **out, struct arena *arena, const char *text);
/* A day number of Excel (1900 system), 367 (1901-01-01) to 109574 (2199-12-31), as text.
 */
bool value_excel_date(const char **out, struct arena *arena, const char *text);

/* Has it the shape of a photo's token: "photo-" and 43 characters of base64url? */
bool value_photo(const char *text);
/* Of a document's: "file-" and the same? */
bool value_document(const char *text);

bool value_integer(json_int_t *out, const char *text);
bool value_decimal(double *out, const char *text);

/* The text without white space (of any script) at its ends. */
const char *value_trim(struct arena *arena, const char *text, size_t length);

/* Up to `most` code points that can be shown anywhere: malformed bytes and control
 * characters as U+FFFD, "…" where it was cut. Line ends stay when `multiline`. */
const char *value_printable(struct arena *arena, const char *text, size_t length,
                            size_t most, bool multiline);

#endif
