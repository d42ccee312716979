/* People, for members and admins (visitors' pages read public.h). They are written
 * through change.h alone.
 *
 * The document, in this order: slug, given_latin, family_latin, name_han, photo,
 * other_names[{name}], interests_en, interests_zh, biography_en, biography_zh, email,
 * phone, office, orcid, links[{label, url}], appointments[{role, title_en, title_zh,
 * advisor, starts, ends}], visibility{photo, biography, email, phone, office, orcid}.
 * Dates are "2024-09-01". */
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

/* How an account (0: a visitor) stands to somebody: "owner", "admin", "advisor", "member"
 * or "visitor". What each may see is the database's may_see() alone. NOT_FOUND: nobody
 * has the slug. */
MUST_USE enum result person_standing(const char **standing, struct db *db,
                                     const char *slug, int64_t account);

/* The person as somebody of that standing sees them: public_person(), and hidden
 * [{field}] (filled in, not for them), closed [{field}] (for them, not for visitors). */
MUST_USE enum result person_seen(json_t **person, struct db *db, const char *slug,
                                 const char *standing);

/* The form in which names are compared: utf8_fold(), then points and commas as spaces,
 * hyphens and apostrophes dropped: "Xiao-Ming LI", "Xiaoming Li" are equal. Of a name
 * written "Family, Given" the parts are turned round. */
char *name_folded(struct arena *arena, const char *name);

#endif
