/* /people and /people/:slug, and what other pages show of people. */
#ifndef LABD_SITE_PEOPLE_H
#define LABD_SITE_PEOPLE_H

#include "server/http/request.h"
#include "server/http/response.h"

MUST_USE enum result people_index(struct request *request, struct response *response);
MUST_USE enum result people_show(struct request *request, struct response *response);

/* The roles of appointments (migrations/0001), and "none" of who has none, then NULL. */
extern const char *const people_roles[];

/* Adds to public_person() or person_seen() what partials/profile.html shows beyond. */
MUST_USE enum result people_profile(json_t *person, struct request *request);

/* Adds to a person {given_latin, family_latin, name_latin, name_han, ...} what
 * partials/person.html shows beyond the columns: monogram, monogram_lang, role_shown
 * (null to leave it out). */
void people_prepare(json_t *person, enum language language);

/* The letters that stand for a person without a photo: the Chinese family name, compound
 * ones whole, or the Latin initials, whichever suits the language and is there. */
const char *people_monogram(const json_t *person, enum language language,
                            enum language *written_in);

#endif
