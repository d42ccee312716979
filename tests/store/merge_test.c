/* Two works become one, and two again. */
#include "db/store/claim.h"
#include "db/store/merge.h"
#include "db/store/publication.h"
#include "server/base/arena.h"
#include "tests/support/lab.h"

#include <string.h>

LAB_SUITE(merge);

static json_t *preprint(void)
{
    return json_pack("{s:s, s:s, s:s, s:[{s:s}, {s:s}], s:i, s:i, s:s, s:[{s:s, s:s}], "
                     "s:[{s:s, s:s}], s:s}",
                     "kind", "preprint", "title",
                     "Ferry: Moving Pages Before They Are Missed", "venue", "arXiv",
                     "authors", "name", "Xiao Lin", "name", "Bo Ouyang", "year", 2025,
                     "month", 11, "abstract", "Long and full of pages.", "identifiers",
                     "scheme", "arxiv", "value", "2511.00001", "links", "kind", "code",
                     "url", "https://lab.example/ferry", "bibtex", "@misc{lin25, }");
}

static json_t *published(void)
{
    return json_pack("{s:s, s:s, s:s, s:[{s:s}, {s:s}], s:i, s:s, s:[{s:s, s:s}], s:s}",
                     "kind", "conference", "title",
                     "Ferry: Moving Pages Before They Are Missed", "venue", "OSDI",
                     "authors", "name", "Xiao Lin", "name", "Bo Ouyang", "year", 2026,
                     "pages", "1-16", "identifiers", "scheme", "doi", "value",
                     "10.5555/ferry", "abstract", "Short.");
}

static json_t *add(json_t *document)
{
    return lab_save(db, "publication", 0, document);
}

static json_t *document_of(json_t *saved)
{
    json_t *current;
    cr_assert_eq(entity_current(&current, db, "publication", number(saved, "target_id")),
                 OK);
    return json_object_get(current, "document");
}

static enum result join(json_t **outcome, json_t *into, json_t *from)
{
    json_t *one, *other;
    cr_assert_eq(entity_current(&one, db, "publication", number(into, "target_id")), OK);
    cr_assert_eq(entity_current(&other, db, "publication", number(from, "target_id")),
                 OK);
    struct merge merge = {.into = text(into, "slug"),
                          .from = text(from, "slug"),
                          .into_version = number(one, "version"),
                          .from_version = number(other, "version")};
    return merge_works(outcome, db, &command_line, &merge);
}

static const char *leads(json_t *from)
{
    const char *slug = "";
    enum result result = merge_leads_to(&slug, db, text(from, "slug"));
    return result == OK ? slug : "nowhere";
}

static json_int_t count(const char *sql)
{
    struct query query = {"test_count", sql, 0, 0, 0};
    json_t *row;
    db_free(db);
    db = db_new(test_lab());
    cr_assert_eq(db_row(&row, db, &query), OK, "%s", db->problem);
    return number(row, "n");
}

Test(merge, a_preprint_and_what_became_of_it_are_one_work)
{
    json_t *outcome, *from = add(preprint()), *into = add(published());
    cr_assert_eq(join(&outcome, into, from), OK, "%s", db->problem);
    json_t *work = document_of(into);
    cr_assert_str_eq(text(work, "kind"), "conference");
    cr_assert_str_eq(text(work, "venue"), "OSDI");
    cr_assert_eq(number(work, "year"), 2026);
    cr_assert_eq(number(work, "month"), 0);
    cr_assert_str_eq(text(work, "abstract"), "Long and full of pages.");
    cr_assert_eq(json_array_size(json_object_get(work, "identifiers")), 2);
    cr_assert_eq(json_array_size(json_object_get(work, "links")), 1);
    cr_assert_str_eq(text(work, "bibtex"), "@misc{lin25, }");
    cr_assert_str_eq(leads(from), text(into, "slug"));
    /* The same whichever of them stays. */
    json_t *defaults = merge_choices(preprint(), published());
    cr_assert_str_eq(text(defaults, "kind"), "from");
    cr_assert_str_eq(text(defaults, "year"), "from");
    cr_assert_str_eq(text(defaults, "abstract"), "into");
    cr_assert_str_eq(text(defaults, "identifiers"), "both");
    json_t *found;
    struct publication_filter all = {.limit = 10};
    cr_assert_eq(publication_list(&found, db, &all), OK);
    cr_assert_eq(number(found, "total"), 1);
    cr_assert_eq(publication_match(&found, db, preprint()), OK);
    cr_assert_eq(json_array_size(found), 1);
    cr_assert_str_eq(text(json_array_get(found, 0), "slug"), text(into, "slug"));
}

Test(merge, is_undone_whole)
{
    json_t *outcome, *from = add(preprint()), *into = add(published());
    json_t *before = document_of(into), *other = document_of(from);
    cr_assert_eq(join(&outcome, into, from), OK);
    int64_t id = number(outcome, "id");
    cr_assert_eq(merge_undo(&outcome, db, &command_line, id), OK, "%s", db->problem);
    cr_assert(truth_at(outcome, "whole"));
    cr_assert(change_same(document_of(into), before));
    cr_assert(change_same(document_of(from), other));
    cr_assert_str_eq(leads(from), "nowhere");
    cr_assert_eq(merge_undo(&outcome, db, &command_line, id), CONFLICT);
    cr_assert_eq(merge_undo(&outcome, db, &command_line, 999), NOT_FOUND);
    /* And merged again. */
    cr_assert_eq(join(&outcome, into, from), OK, "%s", db->problem);
    json_t *merges;
    cr_assert_eq(merge_list(&merges, db, 10, 0), OK);
    cr_assert_eq(json_array_size(merges), 2);
    cr_assert_eq(count("select count(*)::int as n from event where action like "
                       "'publication.%merged'"),
                 3);
}

Test(merge, of_a_work_that_was_changed_since_the_other_comes_back)
{
    json_t *outcome, *from = add(preprint()), *into = add(published());
    cr_assert_eq(join(&outcome, into, from), OK);
    int64_t id = number(outcome, "id");
    lab_save(db, "publication", number(into, "target_id"),
             json_pack("{s:s}", "note", "Best paper"));
    cr_assert_eq(merge_undo(&outcome, db, &command_line, id), OK, "%s", db->problem);
    cr_assert_not(truth_at(outcome, "whole"));
    json_t *left = json_object_get(outcome, "left");
    cr_assert_eq(json_array_size(left), 1);
    cr_assert_str_eq(text(json_array_get(left, 0), "value"), "2511.00001");
    cr_assert_str_eq(text(document_of(into), "note"), "Best paper");
    cr_assert_str_eq(text(document_of(from), "kind"), "preprint");
    cr_assert_eq(json_array_size(json_object_get(document_of(from), "identifiers")), 0);
    cr_assert_eq(json_array_size(json_object_get(document_of(into), "identifiers")), 2);
    cr_assert_str_eq(leads(from), "nowhere");
}

Test(merge, chains_lead_to_the_end)
{
    json_t *outcome, *a = add(preprint()), *b = add(published());
    json_t *c = add(json_pack("{s:s, s:s, s:s}", "kind", "article", "title",
                              "Ferry, extended", "venue", "TOCS"));
    cr_assert_eq(join(&outcome, b, a), OK);
    int64_t first = number(outcome, "id");
    cr_assert_eq(join(&outcome, c, b), OK, "%s", db->problem);
    int64_t second = number(outcome, "id");
    cr_assert_str_eq(leads(a), text(c, "slug"));
    cr_assert_str_eq(leads(b), text(c, "slug"));
    cr_assert_eq(json_array_size(json_object_get(document_of(c), "identifiers")), 2);
    /* Nothing goes into what is merged, nor is it merged twice. */
    json_t *d = add(json_pack("{s:s, s:s}", "kind", "article", "title", "Harbour"));
    cr_assert_eq(join(&outcome, b, d), NOT_FOUND);
    cr_assert_eq(join(&outcome, d, a), NOT_FOUND);
    cr_assert_eq(join(&outcome, d, d), INVALID);
    /* The later one is undone first. */
    cr_assert_eq(merge_undo(&outcome, db, &command_line, first), CONFLICT);
    cr_assert_eq(merge_undo(&outcome, db, &command_line, second), OK);
    cr_assert(truth_at(outcome, "whole"));
    cr_assert_eq(merge_undo(&outcome, db, &command_line, first), OK);
    cr_assert(truth_at(outcome, "whole"));
    cr_assert_str_eq(text(document_of(a), "kind"), "preprint");
}

Test(merge, holds_for_the_versions_that_were_seen)
{
    json_t *outcome, *from = add(preprint()), *into = add(published());
    struct merge merge = {.into = text(into, "slug"),
                          .from = text(from, "slug"),
                          .into_version = 1,
                          .from_version = 1};
    lab_save(db, "publication", number(from, "target_id"),
             json_pack("{s:s}", "note", "Now with code"));
    cr_assert_eq(merge_works(&outcome, db, &command_line, &merge), CONFLICT);
    cr_assert_str_eq(leads(from), "nowhere");
    merge.from = "nothing-of-that-name";
    cr_assert_eq(merge_works(&outcome, db, &command_line, &merge), NOT_FOUND);
    cr_assert_eq(json_array_size(json_object_get(document_of(from), "identifiers")), 1);
}

Test(merge, an_open_change_of_the_loser_cannot_be_approved)
{
    json_t *outcome, *applied, *from = add(preprint()), *into = add(published());
    struct proposal proposal = {.entity = "publication",
                                .target = number(from, "target_id"),
                                .document = json_pack("{s:s}", "note", "Late"),
                                .source = "form"};
    cr_assert_eq(change_propose(&outcome, db, &command_line, &proposal), OK);
    int64_t change = number(outcome, "id");
    cr_assert_eq(join(&outcome, into, from), OK);
    cr_assert_eq(change_approve(&applied, db, &command_line, change, 1), CONFLICT);
}

Test(merge, keeps_who_is_linked_and_what_people_said)
{
    json_t *lin =
        lab_save(db, "person", 0,
                 json_pack("{s:s, s:s}", "given_latin", "Xiao", "family_latin", "Lin"));
    json_t *bo =
        lab_save(db, "person", 0,
                 json_pack("{s:s, s:s}", "given_latin", "Bo", "family_latin", "Ouyang"));
    test_sql(db, "insert into account (person_id, email, email_folded) values "
                 "(1, 'lin@lab.example', 'lin@lab.example'), "
                 "(2, 'bo@lab.example', 'bo@lab.example')");
    json_t *outcome, *from = add(preprint()), *into = add(published());
    struct actor actor = {1, "lin@lab.example", NULL},
                 other = {2, "bo@lab.example", NULL};
    int64_t said;
    cr_assert_eq(claim_say(&said, db, &actor, number(lin, "target_id"), CLAIM_MINE,
                           json_pack("[I]", number(from, "target_id"))),
                 OK);
    cr_assert_eq(said, 1);
    cr_assert_eq(claim_say(&said, db, &other, number(bo, "target_id"), CLAIM_NOT_MINE,
                           json_pack("[I]", number(from, "target_id"))),
                 OK);
    cr_assert_eq(join(&outcome, into, from), OK, "%s", db->problem);
    json_t *claims;
    cr_assert_eq(claim_list(&claims, db, number(lin, "target_id"), "mine", 10, 0), OK);
    cr_assert_eq(number(claims, "mine"), 1);
    cr_assert_eq(claim_list(&claims, db, number(bo, "target_id"), "not_mine", 10, 0), OK);
    cr_assert_eq(number(claims, "not_mine"), 1);
    json_t *authors = json_object_get(document_of(into), "authors");
    cr_assert_str_eq(text(json_array_get(authors, 0), "person"), "xiao-lin");
    cr_assert_str_eq(text(json_array_get(authors, 1), "person"), "");
    cr_assert_eq(merge_undo(&outcome, db, &command_line, number(outcome, "id")), OK);
    cr_assert(truth_at(outcome, "whole"));
    cr_assert_eq(claim_list(&claims, db, number(lin, "target_id"), "mine", 10, 0), OK);
    cr_assert_eq(number(claims, "mine"), 1); /* of the preprint again */
    cr_assert_eq(number(claims, "confirm"), 1);
    authors = json_object_get(document_of(into), "authors");
    cr_assert_str_eq(text(json_array_get(authors, 1), "person"), "bo-ouyang");
}

Test(merge, two_at_once_end_in_one)
{
    json_t *outcome, *from = add(preprint()), *into = add(published());
    struct merge there = {text(into, "slug"), text(from, "slug"), 1, 1, NULL};
    struct merge back = {text(from, "slug"), text(into, "slug"), 1, 1, NULL};
    struct db *second = db_new(test_lab());
    /* What the first has done is not yet seen by what the second has read. */
    cr_assert_eq(merge_works(&outcome, db, &command_line, &there), OK);
    enum result late = merge_works(&outcome, second, &command_line, &back);
    cr_assert(late == CONFLICT || late == NOT_FOUND);
    db_free(second);
    cr_assert_str_eq(leads(from), text(into, "slug"));
    cr_assert_eq(count("select count(*)::int as n from publication_identifier"), 2);
}

static size_t proposed(void)
{
    json_t *found;
    cr_assert_eq(merge_duplicates(&found, db, 0), OK, "%s", db->problem);
    return json_array_size(json_object_get(found, "pairs"));
}

Test(merge, pairs_are_proposed_until_they_are_said_to_differ)
{
    json_t *found, *from = add(preprint()), *into = add(published());
    add(json_pack("{s:s, s:s, s:[{s:s}]}", "kind", "article", "title", "Harbour",
                  "authors", "name", "Xiao Lin"));
    cr_assert_eq(merge_duplicates(&found, db, 0), OK, "%s", db->problem);
    json_t *pair = json_array_get(json_object_get(found, "pairs"), 0);
    cr_assert_eq(json_array_size(json_object_get(found, "pairs")), 1);
    cr_assert_str_eq(text(pair, "reason"), "preprint");
    cr_assert_gt(number(pair, "score"), 59);
    cr_assert(json_is_null(json_object_get(found, "next")));
    int64_t one = number(from, "target_id"), other = number(into, "target_id");
    cr_assert_eq(merge_dismiss(db, &command_line, other, one, true), OK);
    cr_assert_eq(merge_dismiss(db, &command_line, one, other, true), OK);
    cr_assert_eq(proposed(), 0);
    cr_assert_eq(merge_dismissed(&found, db), OK);
    cr_assert_eq(json_array_size(found), 1);
    cr_assert_eq(merge_dismiss(db, &command_line, one, other, false), OK);
    cr_assert_eq(proposed(), 1);
    cr_assert_eq(merge_dismiss(db, &command_line, one, one, true), INVALID);
    json_t *outcome;
    cr_assert_eq(join(&outcome, into, from), OK);
    cr_assert_eq(proposed(), 0);
}
