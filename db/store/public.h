/* What a visitor may read: documents from the public_* views alone. Keys are the columns'
 * names; nothing is localized yet. */
#ifndef LABD_DB_STORE_PUBLIC_H
#define LABD_DB_STORE_PUBLIC_H

#include "server/base/result.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct db;

/* {name_en, name_zh, sentence_*, about_*, affiliation_*, address_*, email}; NOT_FOUND in
 * a new installation. */
MUST_USE enum result public_lab(json_t **lab, struct db *db);

/* [{slug, given_latin, family_latin, name_latin, name_han, interests_*, role, title_*,
 * alumnus, from_year, to_year}]: who is here, by role, then the alumni, last gone first.
 */
MUST_USE enum result public_people(json_t **people, struct db *db);

/* The same person in full: {..., biography_*, email, phone, office, orcid (each null
 * unless public), appointments[{role, title_*, from_year, to_year}], links[{label,
 * url}]}.
 */
MUST_USE enum result public_person(json_t **person, struct db *db, const char *slug);

struct public_works_filter {
    /* NULL: any. person, topic, project, venue are slugs; text: words that must all
     * occur, in any spelling utf8_fold() equates */
    const char *kind, *person, *topic, *project, *venue, *text;
    bool selected; /* these alone */
    int from, to;  /* years, both included; 0: any */
    int64_t after; /* id of the last work of the page before; 0: the first page */
    json_t *slugs; /* public_work_entries(): these alone; NULL: any */
    int limit;
};

enum { PUBLIC_WORKS_COUNTED = 1000 }; /* more are not counted */

/* Newest first, of one date by weight and then by title: [{id, slug, kind, title, venue,
 * venue_short, rank (of the venue), year, award, selected, note (a short one), found,
 * open, author_count, authors[{name, person_slug, equal, corresponding}] (the first
 * twelve), editors[{name}] or null, links[{kind, url}], identifiers {doi, arxiv} or null,
 * topics[{slug, kind, name_en, name_zh}]}]. On a first page `found` is how many there are
 * in all, at most PUBLIC_WORKS_COUNTED + 1, or, if `open`, how many there are at least;
 * behind it it only tells whether there are
 * more than `limit`. */
MUST_USE enum result public_works(json_t **works, struct db *db,
                                  const struct public_works_filter *filter);

/* {years[], kinds[], people[{slug, name_latin, name_han}], topics[{slug, kind, name_en,
 * name_zh}], venues[{slug, name, short_name, rank}]} that have works; selected: are there
 * any? */
MUST_USE enum result public_work_choices_of(json_t **choices, struct db *db);

/* One work in full: {slug, kind, title, venue, year, month, day, volume, issue, pages,
 * publisher, abstract, note, url, bibtex, bibtex_key, bibtex_type, authors[{name, family,
 * given, person_slug, equal, corresponding}], identifiers[{scheme, value}],
 * links[{kind, url}]}. */
MUST_USE enum result public_work(json_t **work, struct db *db, const char *slug);

/* [{year, kind, count}], of works with a year; the oldest year first. */
MUST_USE enum result public_work_counts_of(json_t **counts, struct db *db);

/* Whole works for files, in the order of public_works(): the keys of the publication's
 * document (without weight, files and the entry as it came), public ones alone, and id,
 * bibtex_shown (the original entry as visitors may see it), updated_at. */
MUST_USE enum result public_work_entries(json_t **works, struct db *db,
                                         const struct public_works_filter *filter);

#endif
