/* Works: kept whole, found again. */
#include "db/store/publication.h"
#include "server/base/arena.h"
#include "tests/support/lab.h"

#include <string.h>

LAB_SUITE(publication);

static json_t *ferry(void)
{
    return json_pack(
        "{s:s, s:s, s:[{s:s,s:s,s:s,s:b}, {s:s}], s:s, s:i, s:i, s:[{s:s,s:s}], "
        "s:[{s:s,s:s}], s:s, s:s}",
        "kind", "conference", "title", "Ferry: Moving Pages Before They Are Missed",
        "authors", "name", "Xiao Lin", "family", "Lin", "given", "Xiao", "equal", 1,
        "name", "M. Ibáñez", "venue", "OSDI", "year", 2026, "month", 7, "identifiers",
        "scheme", "doi", "value", "10.5555/ferry", "links", "kind", "pdf", "url",
        "https://lab.example/ferry.pdf", "bibtex", "@inproceedings{lin26, }",
        "bibtex_key", "lin26");
}

Test(publication, comes_back_as_it_was_given)
{
    json_t *work = lab_save(db, "publication", 0, ferry());
    cr_assert_str_eq(text(work, "slug"), "lin-2026-ferry-moving-pages");
    json_t *document = lab_document(db, "publication", work), *given = ferry();
    const char *key;
    json_t *value;
    json_object_foreach(given, key, value)
        cr_expect(change_same(value, json_object_get(document, key)), "%s", key);
    json_t *again = lab_save(db, "publication", number(work, "target_id"), document);
    cr_assert_str_eq(text(again, "outcome"), "unchanged");
}

Test(publication, loses_authors_and_links_that_are_taken_away)
{
    json_t *work = lab_save(db, "publication", 0, ferry());
    lab_save(db, "publication", number(work, "target_id"),
             json_pack("{s:[{s:s}], s:[], s:n}", "authors", "name", "Bo Ouyang", "links",
                       "identifiers"));
    json_t *document = lab_document(db, "publication", work);
    cr_assert_eq(json_array_size(json_object_get(document, "authors")), 1);
    cr_assert_eq(json_array_size(json_object_get(document, "links")), 0);
    cr_assert_eq(json_array_size(json_object_get(document, "identifiers")), 0);
}

static const char *match(json_t *document)
{
    json_t *works;
    cr_assert_eq(publication_match(&works, db, document), OK, "%s", db->problem);
    json_t *best = json_array_get(works, 0);
    return !json_is_true(json_object_get(best, "same")) ? "none" : text(best, "by");
}

Test(publication, is_matched_by_identifier_then_title_year_and_authors)
{
    lab_save(db, "publication", 0, ferry());
    cr_assert_str_eq(match(ferry()), "identifier");
    json_t *other = ferry();
    json_object_del(other, "identifiers");
    cr_assert_str_eq(match(other), "title");
    json_object_set_new(other, "title",
                        json_string("FERRY: moving pages  before they are missed"));
    cr_assert_str_eq(match(other), "title");
    json_object_set_new(other, "year", json_integer(2022));
    cr_assert_str_eq(match(other), "none");
    json_object_set_new(other, "year", json_integer(2026));
    json_object_set_new(other, "authors", json_pack("[{s:s}]", "name", "Bo Ouyang"));
    cr_assert_str_eq(match(other), "none");
}

Test(publication, an_identifier_belongs_to_one_work)
{
    json_t *outcome;
    lab_save(db, "publication", 0, ferry());
    struct proposal proposal = {
        .entity = "publication", .document = ferry(), .source = "form"};
    cr_assert_eq(change_save(&outcome, db, &command_line, &proposal), INVALID);
    json_t *error = json_array_get(json_object_get(outcome, "errors"), 0);
    cr_assert_str_eq(text(error, "field"), "identifiers.0.value");
    cr_assert_str_eq(text(error, "code"), "identifier_taken");
    /* A draft may be anything. */
    proposal.draft = true;
    cr_assert_eq(change_propose(&outcome, db, &command_line, &proposal), OK);
    proposal.draft = false;
    /* Two proposals of the same: the second can't be approved. */
    json_t *first;
    json_t *second;
    json_t *applied;
    json_object_set_new(
        proposal.document, "identifiers",
        json_pack("[{s:s, s:s}]", "scheme", "arxiv", "value", "2601.00001"));
    cr_assert_eq(change_propose(&first, db, &command_line, &proposal), OK);
    cr_assert_eq(change_propose(&second, db, &command_line, &proposal), OK);
    cr_assert_eq(change_approve(&applied, db, &command_line, number(first, "id"), 1), OK);
    cr_assert_eq(change_approve(&applied, db, &command_line, number(second, "id"), 1),
                 CONFLICT);
    cr_assert_str_eq(db->constraint, "publication_identifier_pkey");
}

Test(publication, an_author_is_linked_to_somebody_who_exists)
{
    json_t *outcome;
    json_t *work = ferry();
    json_object_set_new(json_array_get(json_object_get(work, "authors"), 1), "person",
                        json_string("nobody"));
    struct proposal proposal = {
        .entity = "publication", .document = work, .source = "form"};
    cr_assert_eq(change_propose(&outcome, db, &command_line, &proposal), INVALID);
    json_t *error = json_array_get(json_object_get(outcome, "errors"), 0);
    cr_assert_str_eq(text(error, "field"), "authors.1.person");
    cr_assert_str_eq(text(error, "code"), "person");
}

Test(publication, is_listed_by_words_and_person)
{
    json_t *found;
    json_t *lin =
        lab_save(db, "person", 0,
                 json_pack("{s:s, s:s}", "given_latin", "Xiao", "family_latin", "Lin"));
    lab_save(db, "publication", 0, ferry());
    lab_save(db, "publication", 0,
             json_pack("{s:s, s:s}", "kind", "article", "title",
                       "面向缓存一致性协议的100%验证"));
    const struct {
        const char *words;
        int64_t person, total;
    } cases[] = {
        {NULL,          0, 2},
        {"",            0, 2},
        {"IBANEZ osdi", 0, 1},
        {"缓存",      0, 1},
        {"2026 ferry",  0, 1},
        {"100%",        0, 1},
        {"1%验",       0, 0},
        {"_",           0, 0},
        {"\\",          0, 0},
        {NULL,          1, 1}
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct publication_filter filter = {
            .text = cases[i].words,
            .person = cases[i].person == 0 ? 0 : number(lin, "target_id"),
            .limit = 10};
        cr_assert_eq(publication_list(&found, db, &filter), OK, "%s", db->problem);
        cr_expect_eq(number(found, "total"), cases[i].total, "case %zu", i);
        cr_expect_eq((int64_t)json_array_size(json_object_get(found, "rows")),
                     cases[i].total);
    }
}

Test(publication, three_thousand_authors_are_kept)
{
    json_t *work = ferry(), *authors = json_array();
    for (int i = 0; i < 3000; i++)
        json_array_append_new(
            authors,
            json_pack("{s:s}", "name",
                      arena_print(arena_current(), "Author %d Collaboration", i)));
    json_object_set_new(work, "authors", authors);
    json_t *kept = lab_document(db, "publication", lab_save(db, "publication", 0, work));
    cr_assert_eq(json_array_size(json_object_get(kept, "authors")), 3000);
}
