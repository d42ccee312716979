/* Who sees what of a person: the standing of an account, what each standing sees of each
 * level, and that files follow. */
#include "db/store/account.h"
#include "db/store/file.h"
#include "db/store/person.h"
#include "tests/support/lab.h"

LAB_SUITE(seen);

static int64_t person(const char *given, const char *family, json_t *more)
{
    json_t *document =
        json_pack("{s:s, s:s}", "given_latin", given, "family_latin", family);
    if (more != NULL)
        json_object_update(document, more);
    return number(lab_save(db, "person", 0, document), "target_id");
}

static int64_t account(const char *email, int64_t person_id, bool admin)
{
    json_t *row;
    struct new_account new_account = {
        .email = email, .language = "en", .admin = admin, .person = person_id};
    cr_assert_eq(account_create(&row, db, &command_line, &new_account), OK);
    return number(row, "id");
}

/* Mo Chen, advised as `advisor` says, with a past stay under somebody else. */
static void advised(const char *advisor, const char *past, const char *ends)
{
    json_t *stays = json_pack("[{s:s, s:s, s:s?, s:s?}]", "role", "phd", "advisor",
                              advisor, "starts", "2020-01-01", "ends", ends);
    if (past != NULL)
        json_array_append_new(stays, json_pack("{s:s, s:s, s:s}", "role", "master",
                                               "advisor", past, "ends", "2019-12-31"));
    person("Mo", "Chen", json_pack("{s:o}", "appointments", stays));
}

static void expect_standing(int64_t viewer, const char *expected)
{
    const char *standing;
    cr_assert_eq(person_standing(&standing, db, "mo-chen", viewer), OK);
    cr_expect_str_eq(standing, expected);
}

Test(seen, an_advisor_is_found_by_any_of_the_names_that_the_text_gives)
{
    static const struct {
        const char *advisor;
        bool is;
    } texts[] = {
        {"Xiao Lin",              true },
        {"LIN, Xiao",             true },
        {"X. Lin",                true },
        {"林晓",                true },
        {"Wei Tang; Xiao Lin",    true },
        {"唐薇、林晓",       true },
        {"Wei Tang, Xiao Lin",    true },
        {"Wei Tang and Xiao Lin", true },
        {"Xiao Li",               false},
        {"Lin",                   false},
        {"Tang, Xiao",            false},
        {"; , 、",               false},
    };
    int64_t lin =
        account("lin@a.example",
                person("Xiao", "Lin", json_pack("{s:s}", "name_han", "林晓")), false);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        test_sql(db, "delete from person where slug = 'mo-chen'");
        advised(texts[i].advisor, NULL, NULL);
        const char *standing;
        cr_assert_eq(person_standing(&standing, db, "mo-chen", lin), OK);
        cr_expect_str_eq(standing, texts[i].is ? "advisor" : "member", "%s: %s",
                         texts[i].advisor, standing);
    }
}

Test(seen, a_name_that_two_people_share_is_no_advisors)
{
    int64_t lin = account("lin@a.example", person("Xiao", "Lin", NULL), false);
    person("Xiao", "Lin", NULL);
    advised("Xiao Lin", NULL, NULL);
    expect_standing(lin, "member");
}

Test(seen, the_advisor_is_the_present_one_or_of_alumni_any)
{
    int64_t lin = account("lin@a.example", person("Xiao", "Lin", NULL), false);
    int64_t tang = account("tang@a.example", person("Wei", "Tang", NULL), false);
    advised("Xiao Lin", "Wei Tang", NULL);
    expect_standing(lin, "advisor");
    expect_standing(tang, "member");
    test_sql(db, "delete from person where slug = 'mo-chen'");
    advised("Xiao Lin", "Wei Tang", "2022-01-01");
    expect_standing(lin, "advisor");
    expect_standing(tang, "advisor");
}

Test(seen, the_standing_of_everybody_else)
{
    int64_t lin = account("lin@a.example", 0, false);
    advised("Nobody", NULL, NULL);
    json_t *current;
    cr_assert_eq(entity_by_slug(&current, db, "person", "mo-chen"), OK);
    int64_t mo = account("mo@a.example", number(current, "id"), false);
    int64_t ada = account("ada@a.example", 0, true);
    expect_standing(0, "visitor");
    expect_standing(4711, "visitor");
    expect_standing(lin, "member");
    expect_standing(mo, "owner");
    expect_standing(ada, "admin");
    test_sql(db, "update account set disabled_at = now() where email = 'ada@a.example'");
    expect_standing(ada, "visitor");
}

/* Each level by each standing, for every field that has one: what is seen is what the
 * table says, and the public view agrees with what visitors see. */
Test(seen, each_level_is_seen_by_those_it_names)
{
    static const char *const levels[] = {"public", "members", "advisor", "admins", "?"};
    static const char *const standings[] = {"visitor", "member", "advisor",
                                            "admin",   "owner",  "?"};
    static const bool seen[][6] = {
        {true,  true,  true,  true, true, true },
        {false, true,  true,  true, true, false},
        {false, false, true,  true, true, false},
        {false, false, false, true, true, false},
        {false, false, false, true, true, false},
    };
    static const char *const fields[] = {"biography_en", "email", "phone", "office",
                                         "orcid"};
    person("Mo", "Chen",
           json_pack("{s:s, s:s, s:s, s:s, s:s}", "biography_en", "b", "email",
                     "m@a.example", "phone", "+1 2", "office", "1", "orcid",
                     "0000-0002-1825-0097"));
    for (size_t level = 0; level < 5; level++) {
        test_sql(db,
                 arena_print(arena_current(),
                             "update person set visibility = (select"
                             " jsonb_object_agg(f, '%s') from unnest(array['biography',"
                             " 'email', 'phone', 'office', 'orcid']) f)",
                             levels[level]));
        for (size_t who = 0; who < 6; who++) {
            json_t *row;
            cr_assert_eq(person_seen(&row, db, "mo-chen", standings[who]), OK);
            for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
                cr_expect_eq(text_of(row, fields[f]) != NULL, seen[level][who],
                             "%s of level %s by %s", fields[f], levels[level],
                             standings[who]);
            size_t hidden = json_array_size(json_object_get(row, "hidden"));
            cr_expect_eq(hidden, seen[level][who] ? 0 : 5);
        }
        test_sql(db, arena_print(arena_current(),
                                 "do $$ begin assert (select (email is not null) = %s and"
                                 " (phone is not null) = %s from public_person); end $$",
                                 level == 0 ? "true" : "false",
                                 level == 0 ? "true" : "false"));
    }
}

static const char *stored(int64_t owner, char digit)
{
    char *token = arena_print(arena_current(), "photo-%043d", 0);
    for (char *c = token + 6; *c != '\0'; c++)
        *c = digit;
    const struct file_part part = {"96.webp", "image/webp", "\0\xff RIFF", 7};
    cr_assert_eq(file_add(db, &(struct file){token, owner, 100, 100, &part, 1}), OK);
    return token;
}

static bool may_read(const char *token, int64_t viewer, bool *everyone)
{
    struct file_part part;
    enum result result = file_part_read(&part, everyone, db, token, "96.webp", viewer);
    cr_assert(result == OK || result == NOT_FOUND);
    if (result == OK)
        cr_expect(part.length == 7 && memcmp(part.bytes, "\0\xff RIFF", 7) == 0);
    return result == OK;
}

Test(seen, a_file_is_seen_by_its_owner_admins_and_those_the_profile_shows_it_to)
{
    int64_t lin = account("lin@a.example", person("Xiao", "Lin", NULL), false);
    int64_t mo = account("mo@a.example", 0, false);
    int64_t ada = account("ada@a.example", 0, true);
    const char *token = stored(lin, 'a');
    bool everyone;
    cr_expect(may_read(token, lin, &everyone) && !everyone);
    cr_expect(may_read(token, ada, &everyone) && !everyone);
    cr_expect_not(may_read(token, mo, &everyone));
    cr_expect_not(may_read(token, 0, &everyone));
    test_sql(db, arena_print(arena_current(),
                             "update person set photo = '%s', visibility ="
                             " '{\"photo\": \"members\"}'",
                             token));
    cr_expect(may_read(token, mo, &everyone) && !everyone);
    cr_expect_not(may_read(token, 0, &everyone));
    test_sql(db, "update person set visibility = '{}'");
    cr_expect(may_read(token, 0, &everyone) && everyone);
}

static enum result propose(int64_t author, int64_t target, const char *token, bool draft)
{
    json_t *outcome;
    struct actor actor = {author, "somebody", NULL};
    struct proposal proposal = {.entity = "person",
                                .target = target,
                                .document = json_pack("{s:s}", "photo", token),
                                .source = "form",
                                .change_version = -1,
                                .draft = draft};
    return change_propose(&outcome, db, &actor, &proposal);
}

Test(seen, nobody_takes_a_file_of_somebody_else_not_even_into_a_draft)
{
    int64_t person_id = person("Xiao", "Lin", NULL);
    int64_t lin = account("lin@a.example", person_id, false);
    int64_t mo = account("mo@a.example", 0, false);
    int64_t ada = account("ada@a.example", 0, true);
    const char *theirs = stored(mo, 'b'), *own = stored(lin, 'c');
    cr_expect_eq(propose(lin, person_id, theirs, false), INVALID);
    cr_expect_eq(propose(lin, person_id, theirs, true), INVALID);
    cr_expect_eq(propose(lin, person_id, own, false), OK);
    cr_expect_eq(propose(ada, person_id, own, false), OK);
    test_sql(db, "do $$ begin assert (select array_agg(kept order by token)"
                 " from file) = '{f,t}'; end $$");
    /* What the person's own history has, they may take again. */
    test_sql(db, "update file set account_id = null");
    cr_expect_eq(propose(lin, person_id, own, true), OK);
    cr_expect_eq(propose(lin, person_id, theirs, true), INVALID);
}

Test(seen, unused_files_have_a_limit_and_an_end)
{
    int64_t lin = account("lin@a.example", 0, false);
    stored(lin, 'd');
    test_sql(db, "insert into file (token, account_id, width, height) select 'x' || n,"
                 " (select id from account), 1, 1 from generate_series(1, 99) n");
    const struct file_part part = {"96.webp", "image/webp", "x", 1};
    cr_expect_eq(file_add(db, &(struct file){"photo-y", lin, 1, 1, &part, 1}), BUSY);
    test_sql(db, "update file set created_at = now() - interval '8 days',"
                 " kept = token = 'x7'");
    cr_assert_eq(file_sweep(db), OK);
    test_sql(db, "do $$ begin assert (select array_agg(token) from file) = '{x7}';"
                 " assert not exists (select from file_part); end $$");
}
