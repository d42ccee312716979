/* People, for members and admins (visitors' pages read public.h). They are written
 * through change.h alone.
 *
 * The document, in this order: slug, given_latin, family_latin, name_han, photo,
 * other_names[{name}], interests_en, interests_zh, biography_en, biography_zh, email,
 * phone, office, orcid, links[{label, url}], appointments[{role, title_en, title_zh,
 * advisor, starts, ends}], visibility{photo, biography, email, phone, office, orcid}. Dates are
 * "2024-09-01". */
#ifndef LABD_DB_STORE_PERSON_H
#define LABD_DB_STORE_PERSON_H

#include "server/base/arena.h"
#include "server/base/result.h"

#include <jansson.h>
#include <stdint.h>

struct db;

/* Everybody, by name: [{id, slug, version, name_latin, name_han, role, starts, ends,
 * current, email, account_id, account_email, updated_at}]. */
MUST_USE enum result person_list(json_t **people, struct db *db);

/* Those whom a roster's row may mean: with that address (on the profile or the account,
 * folded), else with exactly that name among their names. Either may be NULL. Rows {id,
 * slug, version, by: "email" | "name", roles: [role, ...], addressed: has an address}. */
MUST_USE enum result person_match(json_t **people, struct db *db, const char *email,
                                  const char *name);

/* The form in which names are compared: utf8_fold(), then points and commas as spaces,
 * hyphens and apostrophes dropped: "Xiao-Ming LI", "Xiaoming Li" are equal. Of a name
 * written "Family, Given" the parts are turned round. */
char *name_folded(struct arena *arena, const char *name);

#endif
