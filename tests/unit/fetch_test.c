/* Fetching goes to no private address, however it is written. */
#include "server/base/arena.h"
#include "server/lookup/fetch.h"
#include "server/lookup/orcid.h"

#include "tests/support/json.h"

Test(fetch, refuses_private_addresses_when_it_connects)
{
    static const char *const urls[] = {
        "http://127.0.0.1/",       "http://127.0.0.1:22/", "http://[::1]/",
        "http://10.1.2.3/",        "http://192.168.0.1/",  "http://172.16.9.9/",
        "http://169.254.169.254/", "http://0.0.0.0/",      "http://[::ffff:127.0.0.1]/",
        "http://[fe80::1]/",       "http://[fd00::1]/",    "http://2130706433/",
        "http://0x7f.1/",          "http://127.1/",        "http://localhost/",
        "http://100.64.0.1/",      "http://224.0.0.1/",    "http://[2002:7f00:1::]/",
    };
    arena_enter(arena_new());
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct fetched fetched;
        const struct fetch fetch = {.url = urls[i]};
        cr_expect_eq(fetch_get(&fetched, &fetch), FAILED, "%s", urls[i]);
        cr_expect_str_eq(fetched.error, "private", "%s: %s", urls[i], fetched.error);
    }
}

Test(fetch, speaks_http_alone)
{
    static const char *const urls[] = {"file:///etc/passwd", "ftp://192.0.2.1/",
                                       "gopher://192.0.2.1/", "", "http://"};
    arena_enter(arena_new());
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct fetched fetched;
        const struct fetch fetch = {.url = urls[i]};
        cr_expect_eq(fetch_get(&fetched, &fetch), FAILED, "%s", urls[i]);
        cr_expect_eq(fetched.body.length, 0);
    }
}

Test(fetch, knows_what_names_a_private_machine_by_number)
{
    cr_expect(fetch_is_private("http://127.0.0.1:8080"));
    cr_expect(fetch_is_private("http://[::1]:80"));
    cr_expect(fetch_is_private("http://localhost"));
    cr_expect_not(fetch_is_private("https://api.crossref.org"));
    cr_expect_not(fetch_is_private("http://8.8.8.8"));
    cr_expect_not(fetch_is_private("http://localhost.example"));
}

Test(orcid, takes_the_identifier_of_the_work_and_else_its_words)
{
    arena_enter(arena_new());
    json_t *record = parse_quoted(
        "{'group': [{'external-ids': {'external-id': ["
        "{'external-id-type': 'issn', 'external-id-value': '1234-5678',"
        " 'external-id-relationship': 'part-of'},"
        "{'external-id-type': 'doi', 'external-id-value': 'https://doi.org/10.5555/A',"
        " 'external-id-relationship': 'self'}]}, 'work-summary': [{}]},"
        "{'external-ids': {'external-id': [{'external-id-type': 'doi',"
        " 'external-id-value': '10.5555/book', 'external-id-relationship': 'part-of'}]},"
        " 'work-summary': [{'title': {'title': {'value': 'A talk'}},"
        " 'type': 'lecture-speech', 'publication-date': {'year': {'value': '2020'}},"
        " 'journal-title': {'value': 'Tides'}}]}, 7]}");
    json_t *works = orcid_works(arena_current(), record);
    json_t *id = json_array_get(json_object_get(works, "identifiers"), 0);
    json_t *talk = json_array_get(json_object_get(works, "documents"), 0);
    cr_expect_eq(json_array_size(json_object_get(works, "identifiers")), 1);
    cr_expect_str_eq(json_string_value(json_object_get(id, "value")), "10.5555/a");
    cr_expect_eq(json_array_size(json_object_get(works, "documents")), 1);
    cr_expect_str_eq(json_string_value(json_object_get(talk, "title")), "A talk");
    cr_expect_eq(json_integer_value(json_object_get(talk, "year")), 2020);
    cr_expect(orcid_fits("0000-0002-1825-0097"));
    cr_expect_not(orcid_fits("0000-0002-1825-0098"));
    cr_expect_not(orcid_fits("0000-0002-1825-009"));
    cr_expect_not(orcid_fits("../../etc/passwd.."));
}
