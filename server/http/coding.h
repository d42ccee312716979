/* Content codings (RFC 9110 section 8.4) and entity tags (section 8.8.3). */
#ifndef LABD_HTTP_CODING_H
#define LABD_HTTP_CODING_H

#include <stdbool.h>
#include <stddef.h>

enum coding { IDENTITY, GZIP, BROTLI, CODING_COUNT };

extern const char *const coding_names[CODING_COUNT];

/* The best coding that an Accept-Encoding field (may be NULL) allows; of equal ones the
 * denser. IDENTITY when it allows nothing. */
enum coding coding_choose(const char *accept_encoding);

/* Compresses into malloc'd memory; NULL when that does not make it smaller. `effort` is
 * zlib's 1..9 and brotli's 0..11. */
char *coding_compress(enum coding coding, int effort, const char *bytes, size_t length,
                      size_t *compressed);

/* Is the media type worth compressing? */
bool coding_is_text(const char *type);

enum { ETAG_SIZE = 40 };

/* The strong tag, with quotes, of a representation: the hash of the identity bytes and
 * the coding, whose output they determine; before them "VERSION." unless it is 0, so that
 * If-Match can name the version whatever the coding was. */
void etag_make(char etag[ETAG_SIZE], int version, const char *bytes, size_t length,
               enum coding coding);

/* Does an If-None-Match field name this tag (weak comparison; "*" names all)? */
bool etag_matches(const char *if_none_match, const char *etag);

#endif
