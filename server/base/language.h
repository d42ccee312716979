/* The languages of the site, as in its URLs and in BCP 47. */
#ifndef LABD_BASE_LANGUAGE_H
#define LABD_BASE_LANGUAGE_H

enum language { ENGLISH, CHINESE, LANGUAGE_COUNT };

static const char *const language_codes[] __attribute__((unused)) = {"en", "zh"};

#endif
