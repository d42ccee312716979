/* Whose works they are: offered, said, kept when the work changes, taken back. */
#include "db/store/claim.h"
#include "server/base/arena.h"
#include "tests/support/lab.h"

#include <string.h>

LAB_SUITE(claim);

static int64_t person(const char *given, const char *family)
{
    return number(
        lab_save(db, "person", 0,
                 json_pack("{s:s, s:s}", "given_latin", given, "family_latin", family)),
        "target_id");
}

static int64_t work(const char *title, const char *author)
{
    return number(lab_save(db, "publication", 0,
                           json_pack("{s:s, s:s, s:[{s:s}]}", "kind", "article", "title",
                                     title, "authors", "name", author)),
                  "target_id");
}

static struct actor account_of(int64_t person)
{
    static int64_t accounts;
    test_sql(db,
             arena_print(arena_current(),
                         "insert into account (person_id, email, email_folded) values "
                         "(%lld, 'p%lld@lab.example', 'p%lld@lab.example')",
                         (long long)person, (long long)person, (long long)person));
    return (struct actor){++accounts, "p@lab.example", NULL};
}

/* How many works a list has. */
static json_int_t in_list(int64_t person, const char *list)
{
    json_t *claims;
    cr_assert_eq(claim_list(&claims, db, person, list, 50, 0), OK, "%s", db->problem);
    json_t *rows = json_object_get(claims, "rows");
    cr_assert_eq((json_int_t)json_array_size(rows), number(claims, list));
    return number(claims, list);
}

static int64_t say(const struct actor *actor, int64_t person, enum claim_verdict verdict,
                   int64_t work)
{
    int64_t count;
    cr_assert_eq(
        claim_say(&count, db, actor, person, verdict, json_pack("[I]", (json_int_t)work)),
        OK, "%s", db->problem);
    return count;
}

static const char *linked(int64_t work, size_t position)
{
    json_t *current;
    cr_assert_eq(entity_current(&current, db, "publication", work), OK);
    json_t *authors = json_object_get(json_object_get(current, "document"), "authors");
    return text(json_array_get(authors, position), "person");
}

Test(claim, initials_are_offered_and_become_links_when_they_are_claimed)
{
    int64_t lin = person("Xiao", "Lin"), paper = work("Ferry", "X. Lin");
    struct actor actor = account_of(lin);
    cr_assert_str_eq(linked(paper, 0), "");
    cr_assert_eq(in_list(lin, "confirm"), 1);
    cr_assert_eq(say(&actor, lin, CLAIM_MINE, paper), 1);
    cr_assert_str_eq(linked(paper, 0), "xiao-lin");
    cr_assert_eq(in_list(lin, "mine"), 1);
    cr_assert_eq(in_list(lin, "confirm"), 0);
    /* It outlives authors that are written anew, in another order. */
    lab_save(db, "publication", paper,
             json_pack("{s:[{s:s}, {s:s}]}", "authors", "name", "Bo Ouyang", "name",
                       "X. Lin"));
    cr_assert_str_eq(linked(paper, 1), "xiao-lin");
    cr_assert_eq(in_list(lin, "mine"), 1);
    cr_assert_eq(say(&actor, lin, CLAIM_UNDO, paper), 1);
    cr_assert_str_eq(linked(paper, 1), "");
    cr_assert_eq(in_list(lin, "confirm"), 1);
    cr_assert_eq(say(&actor, lin, CLAIM_UNDO, paper), 0);
}

Test(claim, namesakes_are_both_offered_and_one_has_it)
{
    int64_t one = person("Jia", "Wu"), other = person("Jia", "Wu");
    int64_t paper = work("Ferry", "Jia Wu");
    struct actor first = account_of(one), second = account_of(other);
    cr_assert_eq(in_list(one, "confirm"), 1);
    cr_assert_eq(in_list(other, "confirm"), 1);
    json_t *open;
    cr_assert_eq(claim_open(&open, db, 50, 0), OK, "%s", db->problem);
    json_t *row = json_array_get(json_object_get(open, "rows"), 0);
    cr_assert_eq(json_array_size(json_object_get(row, "people")), 2);
    cr_assert_eq(say(&first, one, CLAIM_NOT_MINE, paper), 1);
    cr_assert_eq(in_list(one, "confirm"), 0);
    cr_assert_eq(in_list(one, "not_mine"), 1);
    cr_assert_eq(in_list(other, "confirm"), 1);
    cr_assert_eq(say(&second, other, CLAIM_MINE, paper), 1);
    cr_assert_eq(say(&first, one, CLAIM_MINE, paper), 0);
    cr_assert_str_eq(linked(paper, 0), "jia-wu-2");
}

Test(claim, who_was_linked_before_a_namesake_came_may_lose_it_until_they_confirm)
{
    int64_t one = person("Jia", "Wu"), paper = work("Ferry", "Jia Wu"),
            sure = work("Pilot", "Jia Wu");
    cr_assert_str_eq(linked(paper, 0), "jia-wu");
    struct actor first = account_of(one);
    cr_assert_eq(say(&first, one, CLAIM_MINE, sure), 1);
    int64_t other = person("Jia", "Wu");
    struct actor second = account_of(other);
    cr_assert_str_eq(linked(paper, 0), "jia-wu");
    cr_assert_eq(in_list(one, "confirm"), 1);
    cr_assert_eq(in_list(other, "confirm"), 1);
    cr_assert_eq(say(&second, other, CLAIM_MINE, sure), 0);
    cr_assert_eq(say(&second, other, CLAIM_MINE, paper), 1);
    cr_assert_str_eq(linked(paper, 0), "jia-wu-2");
    cr_assert_eq(in_list(one, "confirm"), 0);
    cr_assert_eq(in_list(one, "mine"), 1);
}

Test(claim, what_is_not_theirs_is_never_linked_again)
{
    int64_t lin = person("Xiao", "Lin"), paper = work("Ferry", "Xiao Lin");
    struct actor actor = account_of(lin);
    cr_assert_str_eq(linked(paper, 0), "xiao-lin");
    cr_assert_eq(say(&actor, lin, CLAIM_NOT_MINE, paper), 1);
    cr_assert_str_eq(linked(paper, 0), "");
    lab_save(db, "publication", paper,
             json_pack("{s:s, s:[{s:s}]}", "note", "Best paper", "authors", "name",
                       "Lin, Xiao"));
    cr_assert_str_eq(linked(paper, 0), "");
    lab_save(db, "person", lin,
             json_pack("{s:[{s:s}]}", "other_names", "name", "Xiao Linn"));
    cr_assert_str_eq(linked(paper, 0), "");
    json_t *outcome;
    struct proposal proposal = {.entity = "publication",
                                .target = paper,
                                .document =
                                    json_pack("{s:[{s:s, s:s}]}", "authors", "name",
                                              "Xiao Lin", "person", "xiao-lin"),
                                .source = "form"};
    cr_assert_eq(change_save(&outcome, db, &command_line, &proposal), INVALID);
    json_t *error = json_array_get(json_object_get(outcome, "errors"), 0);
    cr_assert_str_eq(text(error, "code"), "not_theirs");
    cr_assert_eq(say(&actor, lin, CLAIM_UNDO, paper), 1);
    cr_assert_str_eq(linked(paper, 0), "xiao-lin");
    cr_assert_eq(in_list(lin, "confirm"), 1);
}

Test(claim, undoing_not_mine_links_again)
{
    int64_t lin = person("Xiao", "Lin"), paper = work("Ferry", "Xiao Lin");
    struct actor actor = account_of(lin);
    cr_assert_eq(say(&actor, lin, CLAIM_NOT_MINE, paper), 1);
    cr_assert_eq(say(&actor, lin, CLAIM_UNDO, paper), 1);
    cr_assert_str_eq(linked(paper, 0), "xiao-lin");
    cr_assert_eq(in_list(lin, "not_mine"), 0);
    cr_assert_eq(in_list(lin, "confirm"), 1);
}

Test(claim, a_work_without_ones_name_cannot_be_claimed)
{
    int64_t lin = person("Xiao", "Lin"), paper = work("Ferry", "Bo Ouyang");
    struct actor actor = account_of(lin);
    cr_assert_eq(say(&actor, lin, CLAIM_MINE, paper), 0);
    cr_assert_eq(say(&actor, lin, CLAIM_NOT_MINE, paper), 0);
    cr_assert_eq(say(&actor, lin, CLAIM_MINE, 999), 0);
    cr_assert_eq(in_list(lin, "not_mine"), 0);
}

Test(claim, an_admin_links_and_takes_it_back)
{
    int64_t lin = person("Xiao", "Lin"), paper = work("Ferry", "X. Lin");
    struct claim_link link = {paper, 1, lin, "X. Lin"};
    cr_assert_eq(claim_set(db, &command_line, &link, true), OK, "%s", db->problem);
    cr_assert_str_eq(linked(paper, 0), "xiao-lin");
    cr_assert_eq(claim_set(db, &command_line, &link, true), CONFLICT);
    cr_assert_eq(in_list(lin, "confirm"), 1);
    lab_save(db, "publication", paper,
             json_pack("{s:[{s:s}]}", "authors", "name", "X. Lin"));
    cr_assert_str_eq(linked(paper, 0), "xiao-lin");
    cr_assert_eq(claim_drop(db, &command_line, paper, lin), OK);
    cr_assert_str_eq(linked(paper, 0), "");
    cr_assert_eq(claim_drop(db, &command_line, paper, lin), CONFLICT);
    link.name = "Bo Ouyang";
    cr_assert_eq(claim_set(db, &command_line, &link, true), CONFLICT);
    link.name = "X. Lin";
    cr_assert_eq(claim_set(db, &command_line, &link, false), OK);
    cr_assert_eq(in_list(lin, "not_mine"), 1);
}

Test(claim, marks_typed_behind_a_name_are_flags)
{
    int64_t lin = person("Xiao", "Lin"), paper = work("Ferry", "Xiao Lin*");
    json_t *current;
    cr_assert_eq(entity_current(&current, db, "publication", paper), OK);
    json_t *author = json_array_get(
        json_object_get(json_object_get(current, "document"), "authors"), 0);
    cr_assert_str_eq(text(author, "name"), "Xiao Lin");
    cr_assert_str_eq(text(author, "person"), "xiao-lin");
    cr_assert(truth_at(author, "equal"));
    cr_assert_eq(in_list(lin, "confirm"), 1);
}

Test(claim, co_authors_judge_what_others_enter)
{
    int64_t lin = person("Xiao", "Lin"), bo = person("Bo", "Ouyang");
    struct actor author = account_of(bo), other = account_of(lin);
    json_t *outcome, *entered;
    struct proposal proposal = {
        .entity = "publication",
        .document = json_pack("{s:s, s:s, s:[{s:s}, {s:s}]}", "kind", "article", "title",
                              "Ferry", "authors", "name", "Bo Ouyang", "name", "X. Lin"),
        .source = "form"};
    cr_assert_eq(change_propose(&outcome, db, &author, &proposal), OK, "%s", db->problem);
    int64_t change = number(outcome, "id");
    cr_assert_eq(claim_entered_list(&entered, db, author.account), OK);
    cr_assert_eq(json_array_size(entered), 0);
    cr_assert_eq(claim_entered_list(&entered, db, other.account), OK);
    cr_assert_eq(json_array_size(entered), 1);
    cr_assert_str_eq(text(json_array_get(entered, 0), "authors"), "Bo Ouyang, X. Lin");
    cr_assert_eq(claim_confirm(db, &other, change, 2, "right", NULL), CONFLICT);
    cr_assert_eq(claim_confirm(db, &author, change, 1, "right", NULL), CONFLICT);
    cr_assert_eq(claim_confirm(db, &other, change, 1, "wrong", "It was 2025"), OK);
    json_t *said;
    cr_assert_eq(claim_confirmed(&said, db, change), OK);
    cr_assert_str_eq(text(json_array_get(said, 0), "comment"), "It was 2025");
    cr_assert(!truth_at(json_array_get(said, 0), "altered"));
    proposal.change = change;
    proposal.change_version = 1;
    json_object_set_new(proposal.document, "year", json_integer(2025));
    cr_assert_eq(change_propose(&outcome, db, &author, &proposal), OK);
    cr_assert_eq(claim_confirmed(&said, db, change), OK);
    cr_assert(truth_at(json_array_get(said, 0), "altered"));
    cr_assert_eq(claim_confirm(db, &other, change, 2, "right", NULL), OK);
    cr_assert_eq(claim_confirmed(&said, db, change), OK);
    cr_assert_str_eq(text(json_array_get(said, 0), "verdict"), "right");
    cr_assert_eq(claim_confirm_undo(db, &other, change), OK);
    cr_assert_eq(claim_confirmed(&said, db, change), OK);
    cr_assert_eq(json_array_size(said), 0);
}
