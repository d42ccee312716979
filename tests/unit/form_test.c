/* Forms: definitions, each type's good and bad values, and that every way in gives the
 * same document. */
#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/form/forms.h"
#include "server/form/submission.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct arena *arena;
static struct forms *forms;
static const struct form *made; /* by the test itself, from text */

static void enter(void)
{
    arena = arena_new();
    arena_enter(arena);
}

static void leave(void)
{
    forms_close(forms);
    form_free(made);
    arena_enter(NULL);
    arena_free(arena);
}

TestSuite(form, .init = enter, .fini = leave);

static const struct form *shipped(const char *name)
{
    char problem[400] = "";
    if (forms == NULL)
        cr_assert_eq(forms_open(&forms, ".", "", false, problem, sizeof problem), OK,
                     "%s", problem);
    const struct form *form = form_named(forms, name);
    cr_assert_not_null(form, "%s", name);
    return form;
}

static json_t *parse(const char *text)
{
    json_error_t error;
    json_t *value = json_loads(
        text, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY, &error);
    cr_assert_not_null(value, "%s: %s", text, error.text);
    return value;
}

/* One field {"name": "x", ...} with ' for ". */
static const struct form *with_fields(const char *fields)
{
    char *text = arena_print(
        arena, "{'title': {'en': 'T', 'zh': 'T'}, 'sections': [{'fields': [%s]}]}",
        fields);
    for (char *at = text; *at != '\0'; at++)
        if (*at == '\'')
            *at = '"';
    char problem[400] = "";
    form_free(made);
    cr_assert_eq(form_load(&made, arena, "made", "made.json", parse(text), problem,
                           sizeof problem),
                 OK, "%s", problem);
    return made;
}

#define LABEL "'label': {'en': 'X', 'zh': 'X'}"

static const char *shown_json(json_t *value)
{
    return json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
}

struct value_case {
    const char *attributes; /* of the field x */
    const char *typed;
    const char *json; /* the value, or NULL */
    const char *code; /* of the error, or NULL */
};

static const struct value_case value_cases[] = {
    {"'type': 'text'",                                                           "  a b\t",                               "\"a b\"",                      NULL             },
    {"'type': 'text'",                                                           "\xE3\x80\x80 ",                         "null",                         NULL             },
    {"'type': 'text'",                                                           "e\xCC\x81",                             "\"\xC3\xA9\"",                 NULL             },
    {"'type': 'text'",                                                           "one\r\ntwo",                            "\"one two\"",                  NULL             },
    {"'type': 'text'",                                                           "a\x01",                                 NULL,                           "control"        },
    {"'type': 'text'",
     "a\xE2\x80\xAE"
     "b",                                                                                                                 NULL,                           "invisible"      },
    {"'type': 'text'",                                                           "\xFF",                                  NULL,                           "malformed"      },
    {"'type': 'text', 'required': true",                                         " ",                                     "null",                         "required"       },
    {"'type': 'text', 'max_length': 2",                                          "\xF0\xA0\xAE\xB7\xE6\x9E\x97",
     "\"\xF0\xA0\xAE\xB7\xE6\x9E\x97\"",                                                                                                                  NULL             },
    {"'type': 'text', 'max_length': 2",                                          "abc",                                   NULL,                           "too_long"       },
    {"'type': 'text', 'min_length': 2",                                          "a",                                     NULL,                           "too_short"      },
    {"'type': 'text', 'min_length': 2",                                          "",                                      "null",                         NULL             },
    {"'type': 'text', 'pattern': '[a-z]+|x1'",                                   "abc",                                   "\"abc\"",                      NULL             },
    {"'type': 'text', 'pattern': '[a-z]+|x1'",                                   "abc1",                                  NULL,                           "pattern"        },
    {"'type': 'textarea'",                                                       "a\r\nb\rc\n",                           "\"a\\nb\\nc\"",                NULL             },
    {"'type': 'textarea', 'max_length': 3",                                      "a\r\nb",                                "\"a\\nb\"",                    NULL             },
    {"'type': 'textarea', 'raw': true",                                          " a\x01\r\n ",                           "\" a\\u0001\\n \"",            NULL             },
    {"'type': 'password'",                                                       " s p ",                                 "\" s p \"",                    NULL             },
    {"'type': 'integer'",                                                        " 42 ",                                  "42",                           NULL             },
    {"'type': 'integer'",                                                        "-7",                                    "-7",                           NULL             },
    {"'type': 'integer'",                                                        "4.0",                                   NULL,                           "integer"        },
    {"'type': 'integer'",                                                        "9223372036854775808",                   NULL,                           "integer"        },
    {"'type': 'integer', 'min': 1000, 'max': 2999",                              "999",                                   NULL,                           "range"          },
    {"'type': 'decimal'",                                                        "2.5",                                   "2.5",                          NULL             },
    {"'type': 'decimal'",                                                        "1e9",                                   NULL,                           "decimal"        },
    {"'type': 'decimal'",                                                        "nan",                                   NULL,                           "decimal"        },
    {"'type': 'date'",                                                           "2024-09-01",                            "\"2024-09-01\"",               NULL             },
    {"'type': 'date'",                                                           "2024/9/1",                              "\"2024-09-01\"",               NULL             },
    {"'type': 'date'",
     "2024\xE5\xB9\xB4"
     "9\xE6\x9C\x88"
     "1\xE6\x97\xA5",                                                                                                     "\"2024-09-01\"",               NULL             },
    {"'type': 'date'",                                                           "2024-02-29",                            "\"2024-02-29\"",               NULL             },
    {"'type': 'date'",                                                           "2023-02-30",                            NULL,                           "date"           },
    {"'type': 'date'",                                                           "2024-00-10",                            NULL,                           "date"           },
    {"'type': 'date'",                                                           "2024-09",                               NULL,                           "date"           },
    {"'type': 'date'",                                                           "45000",                                 NULL,                           "date"           },
    {"'type': 'date'",                                                           "2024-9/1",                              NULL,                           "date"           },
    {"'type': 'date', 'round': 'start'",                                         "2024-09",                               "\"2024-09-01\"",               NULL             },
    {"'type': 'date', 'round': 'end'",                                           "2024.2",                                "\"2024-02-29\"",               NULL             },
    {"'type': 'date', 'round': 'end'",
     "2024\xE5\xB9\xB4"
     "6\xE6\x9C\x88",                                                                                                     "\"2024-06-30\"",               NULL             },
    {"'type': 'date', 'round': 'end'",                                           "2024",                                  "\"2024-12-31\"",               NULL             },
    {"'type': 'month'",                                                          "2024-9",                                "\"2024-09\"",                  NULL             },
    {"'type': 'month'",                                                          "2024-13",                               NULL,                           "month"          },
    {"'type': 'boolean'",                                                        "on",                                    "true",                         NULL             },
    {"'type': 'boolean'",                                                        "maybe",                                 NULL,                           "boolean"        },
    {"'type': 'email'",                                                          "a.b+c@example.org",                     "\"a.b+c@example.org\"",        NULL             },
    {"'type': 'email'",
     "c\xEF\xBC\xA0"
     "example\xEF\xBC\x8Eorg",                                                                                            "\"c@example.org\"",            NULL             },
    {"'type': 'email'",                                                          "g@\xE4\xBE\x8B\xE5\xAD\x90.example",
     "\"g@\xE4\xBE\x8B\xE5\xAD\x90.example\"",                                                                                                            NULL             },
    {"'type': 'email'",                                                          "root@localhost",                        "\"root@localhost\"",           NULL             },
    {"'type': 'email'",                                                          "xiao.lin@",                             NULL,                           "email"          },
    {"'type': 'email'",                                                          "a(at)example.org",                      NULL,                           "email"          },
    {"'type': 'email'",                                                          "a@b@example.org",                       NULL,                           "email"          },
    {"'type': 'email'",                                                          "a..b@example.org",                      NULL,                           "email"          },
    {"'type': 'email'",                                                          "a@example",                             NULL,                           "email"          },
    {"'type': 'email'",                                                          "a@-x.org",                              NULL,                           "email"          },
    {"'type': 'email'",                                                          "a@10.0.0.1",                            NULL,                           "email"          },
    {"'type': 'email'",                                                          "a@example.org\r\nBcc: b@x.org",         NULL,                           "email"          },
    {"'type': 'url'",                                                            "https://a.org/<b>|",                    "\"https://a.org/%3Cb%3E%7C\"", NULL             },
    {"'type': 'url'",                                                            "https://a.org/\">x",                    NULL,                           "url"            },
    {"'type': 'url'",                                                            "https://a<b.org/",                      NULL,                           "url"            },
    {"'type': 'url'",                                                            "HTTPS://Example.org:8080/a?b#c",
     "\"https://Example.org:8080/a?b#c\"",                                                                                                                NULL             },
    {"'type': 'url'",                                                            "http://[::1]:80/",                      "\"http://[::1]:80/\"",         NULL             },
    {"'type': 'url'",                                                            "javascript:alert(1)",                   NULL,                           "url_scheme"     },
    {"'type': 'url'",                                                            "example.org",                           NULL,                           "url_scheme"     },
    {"'type': 'url'",                                                            "https://a:b@example.org/",              NULL,                           "url_credentials"},
    {"'type': 'url'",                                                            "https:///x",                            NULL,                           "url"            },
    {"'type': 'url'",                                                            "https://ex ample.org",                  NULL,                           "url"            },
    {"'type': 'url'",                                                            "https://example.org\\\\@evil.org/",     NULL,                           "url_credentials"},
    {"'type': 'url'",                                                            "https://example.org:99999999/",         NULL,                           "url"            },
    {"'type': 'phone'",                                                          "+86 (10) 5555-0100",                    "\"+86 (10) 5555-0100\"",       NULL             },
    {"'type': 'phone'",                                                          "call me",                               NULL,                           "phone"          },
    {"'type': 'phone'",                                                          "1+2",                                   NULL,                           "phone"          },
    {"'type': 'orcid'",                                                          "https://orcid.org/0000-0002-1825-0097",
     "\"0000-0002-1825-0097\"",                                                                                                                           NULL             },
    {"'type': 'orcid'",                                                          "0000-0002-1694-233x",                   "\"0000-0002-1694-233X\"",      NULL             },
    {"'type': 'orcid'",                                                          "0000-0002-1825-0098",                   NULL,                           "orcid_check"    },
    {"'type': 'orcid'",                                                          "0000-0002",                             NULL,                           "orcid"          },
    {"'type': 'person'",                                                         "xiao-lin",                              "\"xiao-lin\"",                 NULL             },
    {"'type': 'person'",                                                         "林晓",                                "\"林晓\"",                   NULL             },
    {"'type': 'person'",                                                         "Xiao Lin",                              NULL,                           "person"         },
    {"'type': 'choice', 'choices': [{'value': 'a', " LABEL "}]",                 "a",                                     "\"a\"",                        NULL             },
    {"'type': 'choice', 'choices': [{'value': 'a', " LABEL "}]",                 "A",                                     NULL,                           "choice"         },
    {"'type': 'choice', 'default': 'a', 'choices': [{'value': 'a', " LABEL "}]", "",
     "\"a\"",                                                                                                                                             NULL             },
};

Test(form, reads_each_type_from_html)
{
    for (size_t i = 0; i < sizeof value_cases / sizeof value_cases[0]; i++) {
        const struct value_case *one = &value_cases[i];
        const struct form *form = with_fields(
            arena_print(arena, "{'name': 'x', " LABEL ", %s}", one->attributes));
        json_t *fields = json_object();
        json_object_set_new(fields, "x", json_array());
        json_array_append_new(json_object_get(fields, "x"),
                              json_stringn_nocheck(one->typed, strlen(one->typed)));
        struct submission out;
        enum result result = form_read_fields(&out, form, fields, FOR_MEMBER);
        json_t *error = json_array_get(out.errors, 0);
        const char *code = json_string_value(json_object_get(error, "code"));
        cr_expect_eq(result, one->code == NULL ? OK : INVALID, "case %zu", i);
        cr_expect_str_eq(code != NULL ? code : "none", one->code ? one->code : "none",
                         "case %zu: %s", i, one->typed);
        if (one->json != NULL)
            cr_expect_str_eq(shown_json(json_object_get(out.document, "x")), one->json,
                             "case %zu", i);
        cr_expect_eq(json_object_get(out.typed, "x"),
                     json_array_get(json_object_get(fields, "x"), 0));
    }
}

Test(form, a_document_keeps_json_types_apart)
{
    const struct form *form =
        with_fields("{'name': 'n', 'type': 'integer', " LABEL "},"
                    "{'name': 'd', 'type': 'decimal', " LABEL "},"
                    "{'name': 'b', 'type': 'boolean', " LABEL "},"
                    "{'name': 't', 'type': 'text', " LABEL "},"
                    "{'name': 'g', 'type': 'group', " LABEL
                    ", 'fields': [{'name': 't', 'type': 'text', " LABEL "}]}");
    static const char *const bad[] = {
        "{\"n\": \"7\"}",
        "{\"n\": 7.0}",
        "{\"n\": true}",
        "{\"b\": \"true\"}",
        "{\"b\": 1}",
        "{\"t\": 7}",
        "{\"t\": [\"x\"]}",
        "{\"d\": \"1.5\"}",
        "{\"g\": {}}",
        "{\"g\": [\"x\"]}",
        "{\"g\": [null]}",
        "{\"g\": [{\"t\": {}}]}",
        "{\"t\": \"a\\u0000b\"}",
        "{\"other\": 1}",
        "{\"g\": [{\"other\": 1}]}",
        "[]",
        "\"x\"",
        "{\"csrf\": \"x\"}",
    };
    struct submission out;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_expect_eq(form_read_document(&out, form, parse(bad[i]), FOR_ADMIN, false),
                     INVALID, "%s", bad[i]);
    cr_assert_eq(
        form_read_document(
            &out, form,
            parse("{\"n\": 7, \"d\": 2, \"b\": true, \"g\": [{\"t\": \"x\"}, {}]}"),
            FOR_ADMIN, false),
        OK);
    cr_expect_str_eq(
        shown_json(out.document),
        "{\"b\":true,\"d\":2.0,\"g\":[{\"t\":\"x\"},{\"t\":null}],\"n\":7,\"t\":null}");
    json_error_t error;
    cr_expect_null(json_loads("{\"n\": 9223372036854775808}", 0, &error));
}

Test(form, rows_are_counted_anew_and_empty_ones_dropped)
{
    const struct form *form = shipped("publication");
    struct submission out;
    json_t *fields =
        parse("{\"kind\": [\"article\"], \"title\": [\"T\"], \"authors.7.name\": [\"B\"],"
              " \"authors.2.name\": [\"A\"], \"authors.2.equal\": [\"on\"],"
              " \"authors.3.name\": [\"\"], \"authors.9.person\": [\"bo\"],"
              " \"csrf\": [\"t\"]}");
    cr_assert_eq(form_read_fields(&out, form, fields, FOR_MEMBER), INVALID);
    cr_expect_str_eq(shown_json(out.errors),
                     "[{\"code\":\"required\",\"field\":\"authors.2.name\"}]");
    json_object_del(fields, "authors.9.person");
    cr_assert_eq(form_read_fields(&out, form, fields, FOR_MEMBER), OK, "%s",
                 shown_json(out.errors));
    json_t *authors = json_object_get(out.document, "authors");
    cr_expect_eq(json_array_size(authors), 2);
    cr_expect_str_eq(
        shown_json(json_array_get(authors, 0)),
        "{\"corresponding\":false,\"equal\":true,\"name\":\"A\",\"person\":null}");
}

Test(form, a_member_can_not_send_what_is_not_hers)
{
    const struct form *form = shipped("person");
    static const char *const names[] = {
        "slug",        "appointments.0.role",
        "id",          "visibility.slug",
        "visibility",  "links.0.person_id",
        "links.x.url", "links.01.url",
        "links",       "links.0",
        "name_han.0",  "family_latin.x",
    };
    struct submission out;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        json_t *fields = json_pack("{s:[s], s:[s]}", "name_han", "林晓", names[i], "x");
        cr_expect_eq(form_read_fields(&out, form, fields, FOR_MEMBER), INVALID, "%s",
                     names[i]);
        json_t *error = json_array_get(out.errors, 0);
        cr_expect_str_eq(json_string_value(json_object_get(error, "code")), "unknown");
        cr_expect_str_eq(json_string_value(json_object_get(error, "field")), names[i]);
    }
    json_t *document = parse("{\"name_han\": \"x\", \"appointments\": []}");
    cr_expect_eq(form_read_document(&out, form, document, FOR_MEMBER, false), INVALID);
    cr_expect_eq(form_read_document(&out, form, document, FOR_ADMIN, false), OK);
    cr_expect_eq(form_read_fields(&out, form,
                                  parse("{\"name_han\": [\"x\"], \"slug\": [\"x\"]}"),
                                  FOR_ADMIN),
                 OK);
}

Test(form, hidden_fields_come_from_documents_alone)
{
    const struct form *form = shipped("publication");
    struct submission out;
    json_t *fields = parse("{\"kind\": [\"other\"], \"title\": [\"T\"], "
                           "\"authors.0.name\": [\"A\"], \"bibtex\": [\"@x\"]}");
    cr_expect_eq(form_read_fields(&out, form, fields, FOR_ADMIN), INVALID);
    json_t *document =
        parse("{\"kind\": \"other\", \"title\": \"T\", \"authors\": "
              "[{\"name\": \"A\", \"family\": \"A\"}], \"bibtex\": \" @x\"}");
    cr_assert_eq(form_read_document(&out, form, document, FOR_MEMBER, false), OK);
    cr_expect_str_eq(json_string_value(json_object_get(out.document, "bibtex")), " @x");
    cr_expect_null(json_object_get(out.document, "bibtex_key"));
}

Test(form, what_is_not_shown_is_neither_required_nor_kept)
{
    const struct form *form = with_fields(
        "{'name': 'k', 'type': 'choice', " LABEL ", 'choices': [{'value': 'a', " LABEL
        "}, {'value': 'b', " LABEL "}]},"
        "{'name': 'x', 'type': 'text', 'required': true, " LABEL
        ", 'show_if': {'field': 'k', 'in': ['b']}}");
    struct submission out;
    cr_expect_eq(form_read_fields(&out, form, parse("{\"k\": [\"a\"], \"x\": [\"z\"]}"),
                                  FOR_MEMBER),
                 OK);
    cr_expect(json_is_null(json_object_get(out.document, "x")));
    cr_expect_eq(form_read_fields(&out, form, parse("{\"k\": [\"b\"]}"), FOR_MEMBER),
                 INVALID);
    cr_expect_eq(form_read_document(&out, form, parse("{\"k\": \"b\", \"x\": \"z\"}"),
                                    FOR_MEMBER, false),
                 OK);
    cr_expect_str_eq(json_string_value(json_object_get(out.document, "x")), "z");
}

Test(form, says_who_sees_a_field)
{
    const struct form *form = shipped("person");
    struct submission out;
    cr_assert_eq(form_read_fields(
                     &out, form,
                     parse("{\"name_han\": [\"x\"], \"visibility.email\": [\"public\"]}"),
                     FOR_MEMBER),
                 OK);
    json_t *levels = json_object_get(out.document, "visibility");
    for (size_t i = 0; i < form->field_count; i++)
        if (form->fields[i].visibility != NULL)
            cr_expect_not_null(json_object_get(levels, form->fields[i].visibility), "%s",
                               form->fields[i].visibility);
    cr_expect_str_eq(text_at(levels, "email", ""), "public");
    cr_expect_str_eq(text_at(levels, "phone", ""), "members");
    cr_expect_eq(form_read_fields(
                     &out, form,
                     parse("{\"name_han\": [\"x\"], \"visibility.email\": [\"world\"]}"),
                     FOR_MEMBER),
                 INVALID);
    cr_expect_str_eq(shown_json(out.errors),
                     "[{\"code\":\"choice\",\"field\":\"visibility.email\"}]");
}

Test(form, rules_over_several_fields)
{
    struct submission out;
    cr_expect_eq(form_read_fields(&out, shipped("person"), parse("{}"), FOR_MEMBER),
                 INVALID);
    cr_expect_str_eq(
        shown_json(out.errors),
        "[{\"code\":\"one_of\",\"field\":\"name_han\",\"other\":[\"name_han\","
        "\"given_latin\",\"family_latin\"]}]");
    json_t *document =
        parse("{\"name_han\": \"x\", \"appointments\": [{\"role\": \"phd\", "
              "\"starts\": \"2024-09\", \"ends\": \"2024-08\"}]}");
    cr_expect_eq(form_read_document(&out, shipped("person"), document, FOR_ADMIN, false),
                 INVALID);
    cr_expect_str_eq(shown_json(out.errors),
                     "[{\"code\":\"not_before\",\"field\":\"appointments.0.ends\","
                     "\"other\":[\"starts\"]}]");
}

Test(form, identifiers_take_one_form_by_their_scheme)
{
    static const struct {
        const char *scheme, *value, *kept;
    } cases[] = {
        {"doi",   "https://doi.org/10.1145/ABC.1",                  "10.1145/abc.1"  },
        {"doi",   "doi: 10.1000/x(y)z",                             "10.1000/x(y)z"  },
        {"doi",   "10.1002/1521-4095(200010)12:19<1::A>3.0.CO;2-X",
         "10.1002/1521-4095(200010)12:19<1::a>3.0.co;2-x"                            },
        {"doi",   "11.1000/x",                                      NULL             },
        {"doi",   "10.1000/",                                       NULL             },
        {"doi",   "10.1145/12 34",                                  NULL             },
        {"doi",   "https://doi.org/10.1000/a%2Fb",                  "10.1000/a/b"    },
        {"arxiv", "arXiv:2101.00001v2",                             "2101.00001"     },
        {"arxiv", "https://arxiv.org/pdf/2101.00001.pdf",           "2101.00001"     },
        {"arxiv", "hep-th/9901001",                                 "hep-th/9901001" },
        {"arxiv", "math.GT/0309136v1",                              "math.gt/0309136"},
        {"arxiv", "21.1",                                           NULL             },
        {"isbn",  "978-3-16-148410-0",                              "9783161484100"  },
        {"isbn",  "0-8044-2957-x",                                  "080442957X"     },
        {"isbn",  "978-3-16-148410-1",                              NULL             },
        {"pmid",  "PMID: 12345",                                    "12345"          },
        {"pmid",  "https://pubmed.ncbi.nlm.nih.gov/7/",             "7"              },
        {"pmid",  "x",                                              NULL             },
    };
    const struct form *form = shipped("publication");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        json_t *document =
            json_pack("{s:s, s:s, s:[{s:s}], s:[{s:s, s:s}]}", "kind", "article", "title",
                      "T", "authors", "name", "A", "identifiers", "scheme",
                      cases[i].scheme, "value", cases[i].value);
        struct submission out;
        enum result result = form_read_document(&out, form, document, FOR_MEMBER, false);
        cr_expect_eq(result, cases[i].kept != NULL ? OK : INVALID, "case %zu", i);
        json_t *row = json_array_get(json_object_get(out.document, "identifiers"), 0);
        if (cases[i].kept != NULL)
            cr_expect_str_eq(json_string_value(json_object_get(row, "value")),
                             cases[i].kept);
    }
}

Test(form, every_way_in_gives_the_same_document)
{
    const struct form *form = shipped("roster");
    struct submission html;
    struct submission json;
    struct submission csv;
    cr_assert_eq(
        form_read_fields(&html, form,
                         parse("{\"name_han\": [\" 欧阳若水\"], \"role\": [\"phd\"],"
                               "\"starts\": [\"2020-09\"], \"email\": "
                               "[\"oy.rs@example.org\"], \"note\": [\"a\\r\\nb\"]}"),
                         FOR_ADMIN),
        OK);
    cr_assert_eq(
        form_read_document(&json, form,
                           parse("{\"name_han\": \"欧阳若水\", \"role\": \"phd\","
                                 "\"starts\": \"2020-09-01\", \"email\": "
                                 "\"oy.rs@example.org\", \"note\": \"a b\"}"),
                           FOR_ADMIN, false),
        OK);
    struct columns columns = form_columns(
        form,
        parse("[\"\xEF\xBB\xBF姓 名*\", \"身份\\n（教授/博士生…）\", \"入学时间\", "
              "\"毕业时间\", \"E‑mail邮箱\", \"备注\", \"\", \"宿舍\", \"邮箱\"]"),
        FOR_ADMIN);
    cr_expect_str_eq(shown_json(columns.unknown), "[\"宿舍\"]");
    cr_expect_str_eq(shown_json(columns.repeated), "[\"邮箱\"]");
    cr_expect_eq(columns.known, 6);
    cr_assert_eq(
        form_read_row(&csv, &columns,
                      parse("[\"欧阳若水\", \"博士研究生\", \"44075\", \"至今\", "
                            "\"oy.rs@example.org\", \"a\\nb\"]"),
                      FOR_ADMIN),
        OK, "%s", shown_json(csv.errors));
    cr_expect_str_eq(shown_json(html.document), shown_json(json.document));
    cr_expect_str_eq(shown_json(csv.document), shown_json(json.document));
    cr_expect_eq(form_read_row(&csv, &columns,
                               parse("[\"x\", \"\", \"\", \"\", \"\", \"\", \"\", \"\", "
                                     "\"\", \"beyond\"]"),
                               FOR_ADMIN),
                 INVALID);
}

Test(form, a_partial_document_merges_with_what_is_there)
{
    const struct form *form = shipped("publication");
    json_t *base = parse(
        "{\"kind\": \"article\", \"title\": \"Old\", \"bibtex\": \"@a{}\", \"authors\": "
        "[{\"name\": \"A\", \"family\": \"FA\"}, {\"name\": \"B\", \"family\": "
        "\"FB\"}]}");
    struct submission out;
    cr_assert_eq(
        form_read_document(&out, form, parse("{\"title\": \"New\"}"), FOR_MEMBER, true),
        OK);
    cr_expect_str_eq(shown_json(out.document), "{\"title\":\"New\"}");
    cr_assert_eq(form_read_fields(&out, form,
                                  parse("{\"kind\": [\"book\"], \"title\": [\"New\"], "
                                        "\"authors.0.name\": [\"B\"], "
                                        "\"authors.1.name\": [\"C\"]}"),
                                  FOR_MEMBER),
                 OK);
    json_t *merged = form_merge(form, base, out.document);
    cr_expect_str_eq(json_string_value(json_object_get(merged, "bibtex")), "@a{}");
    json_t *authors = json_object_get(merged, "authors");
    json_t *b = json_array_get(authors, 0);
    json_t *c = json_array_get(authors, 1);
    cr_expect_str_eq(json_string_value(json_object_get(b, "family")), "FB");
    cr_expect(json_is_null(json_object_get(c, "family")));
    cr_assert_eq(form_read_document(&out, form, merged, FOR_ADMIN, false), OK, "%s",
                 shown_json(out.errors));
}

Test(form, buttons_add_and_remove_rows)
{
    const struct form *form = shipped("person");
    json_t *fields = parse("{\"links.0.url\": [\"a\"], \"links.2.url\": [\"b\"], "
                           "\"links.20.url\": [\"c\"]}");
    cr_expect(form_apply_action(form, fields, "add:links", FOR_MEMBER));
    cr_expect(form_apply_action(form, fields, "remove:links.2", FOR_MEMBER));
    cr_expect_str_eq(shown_json(fields),
                     "{\"links.0.url\":[\"a\"],\"links.20.url\":[\"c\"]}");
    static const char *const none[] = {
        "save",          "add:email",          "add:appointments",
        "remove:links.", "remove:links.0.url", "add:"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        cr_expect_not(form_apply_action(form, fields, none[i], FOR_MEMBER), "%s",
                      none[i]);
    cr_expect_not(form_apply_action(form, fields, NULL, FOR_MEMBER));
}

Test(form, a_definition_with_a_mistake_is_refused_with_its_path)
{
    static const struct {
        const char *field, *path;
    } cases[] = {
        {"{'name': 'x', 'type': 'txt', " LABEL "}",                                       "fields[0]"         },
        {"{'name': 'csrf', 'type': 'text', " LABEL "}",                                   "fields[0]"         },
        {"{'name': 'x', 'type': 'text'}",                                                 "label is missing"  },
        {"{'name': 'x', 'type': 'text', 'label': {'en': 'X'}}",                           "fields[0].label.zh"},
        {"{'name': 'x', 'type': 'text', " LABEL ", 'maxlength': 3}",                      "maxlength"         },
        {"{'name': 'x', 'type': 'integer', " LABEL ", 'max_length': 3}",
         "fields[0].max_length"                                                                               },
        {"{'name': 'x', 'type': 'text', " LABEL ", 'pattern': '('}",                      "fields[0].pattern" },
        {"{'name': 'x', 'type': 'text', " LABEL ", 'pattern': 'a++++++++'}",
         "fields[0].pattern"                                                                                  },
        {"{'name': 'x', 'type': 'text', " LABEL ", 'pattern': '(((((((a)+)+)+)+)+)+)+'}",
         "fields[0].pattern"                                                                                  },
        {"{'name': 'x', 'type': 'text', " LABEL ", 'pattern': 'a{9}'}",
         "fields[0].pattern"                                                                                  },
        {"{'name': 'x', 'type': 'text', " LABEL
         ", 'show_if': {'field': 'y', 'equals': 'a'}}",                          "show_if"           },
        {"{'name': 'x', 'type': 'choice', " LABEL "}",                                    "choices"           },
        {"{'name': 'x', 'type': 'group', " LABEL ", 'fields': [{'name': 'a'}]}",
         "fields[0].fields[0].type"                                                                           },
        {"{'name': 'x', 'type': 'text', " LABEL "}, {'name': 'x', 'type': 'text', " LABEL
         "}",                                                                    "fields[1]"         },
        {"{'name': 'x', 'type': 'email', " LABEL
         ", 'visibility': {'default': 'a', 'choices': ['a']}}",                  "visibility"        },
        {"{'name': 'x', 'type': 'text', 'min_length': 9, 'max_length': 3, " LABEL "}",
         "least"                                                                                              },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = arena_print(arena,
                                 "{'title': {'en': 'T', 'zh': 'T'}, "
                                 "'sections': [{'fields': [%s]}]}",
                                 cases[i].field);
        for (char *at = text; *at != '\0'; at++)
            if (*at == '\'')
                *at = '"';
        char problem[400] = "";
        form_free(made);
        enum result result = form_load(&made, arena, "made", "made.json", parse(text),
                                       problem, sizeof problem);
        cr_expect_eq(result, INVALID, "case %zu", i);
        cr_expect(strstr(problem, "made.json: ") == problem &&
                      strstr(problem, cases[i].path) != NULL,
                  "case %zu: %s", i, problem);
    }
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    fputs(text, file);
    fclose(file);
}

Test(form, a_theme_replaces_a_form_and_development_reads_changes)
{
    static const char ours[] =
        "{\"title\": {\"en\": \"%s\", \"zh\": \"T\"}, \"sections\": [{\"fields\": "
        "[{\"name\": \"x\", \"type\": \"text\", \"label\": {\"en\": \"X\", \"zh\": "
        "\"X\"}}]}]}";
    char home[] = "/tmp/labd-form-XXXXXX";
    cr_assert_not_null(mkdtemp(home));
    const char *folder = arena_print(arena, "%s/templates/forms", home);
    const char *theme = arena_print(arena, "%s/theme", home);
    cr_assert_eq(system(arena_print(arena, "mkdir -p %s %s/forms", folder, theme)), 0);
    put(arena_print(arena, "%s/a.json", folder), arena_print(arena, ours, "A"));
    put(arena_print(arena, "%s/b.json", folder), arena_print(arena, ours, "B"));
    put(arena_print(arena, "%s/forms/b.json", theme), arena_print(arena, ours, "Theme"));
    char problem[400] = "";
    cr_assert_eq(forms_open(&forms, home, theme, true, problem, sizeof problem), OK, "%s",
                 problem);
    const struct form *a = form_named(forms, "a");
    cr_assert_not_null(a);
    cr_expect_str_eq(a->title.text[ENGLISH], "A");
    cr_expect_str_eq(form_named(forms, "b")->title.text[ENGLISH], "Theme");
    cr_expect_null(form_named(forms, "c"));
    put(arena_print(arena, "%s/a.json", folder), arena_print(arena, ours, "Longer"));
    cr_expect_str_eq(form_named(forms, "a")->title.text[ENGLISH], "Longer");
    cr_expect_str_eq(a->title.text[ENGLISH], "A"); /* what a request still holds */
    put(arena_print(arena, "%s/a.json", folder), "{");
    cr_expect_str_eq(form_named(forms, "a")->title.text[ENGLISH], "Longer");
    struct forms *again = NULL;
    cr_expect_eq(forms_open(&again, home, theme, false, problem, sizeof problem),
                 INVALID);
    cr_expect_not_null(strstr(problem, "templates/forms/a.json:1:"), "%s", problem);
    cr_expect_eq(system(arena_print(arena, "rm -r %s", home)), 0);
}

Test(form, faulty_parts_that_may_be_missing_can_be_left_out)
{
    const struct form *form = shipped("publication");
    json_t *document = parse("{\"kind\": \"book\", \"title\": \"T\", \"authors\": "
                             "[{\"name\": \"A\"}], \"url\": "
                             "\"x\", \"others\": true, \"identifiers\": [{\"scheme\": "
                             "\"doi\", \"value\": \"x\"}, "
                             "{\"scheme\": \"pmid\", \"value\": \"7\"}, {\"scheme\": "
                             "\"isbn\", \"value\": \"8\"}]}");
    struct submission out;
    cr_assert_eq(form_read_document(&out, form, document, FOR_MEMBER, false), INVALID);
    cr_expect_eq(json_array_size(out.errors), 4);
    json_t *rest = form_without_faults(form, document, out.errors);
    cr_assert_eq(form_read_document(&out, form, rest, FOR_MEMBER, false), OK, "%s",
                 shown_json(out.errors));
    cr_expect_str_eq(shown_json(json_object_get(out.document, "identifiers")),
                     "[{\"scheme\":\"pmid\",\"value\":\"7\"}]");
    cr_expect(json_is_null(json_object_get(out.document, "url")));
    cr_assert_eq(
        form_read_document(&out, form, parse("{\"title\": 7}"), FOR_MEMBER, false),
        INVALID);
    cr_expect_null(form_without_faults(form, parse("{\"title\": 7}"), out.errors));
}

Test(form, groups_have_a_least_and_a_most)
{
    const struct form *form =
        with_fields("{'name': 'g', 'type': 'group', 'min': 2, 'max': 3, " LABEL
                    ", 'fields': [{'name': 't', 'type': 'text', " LABEL "}]}");
    static const char *const codes[] = {"required", "too_few", NULL, NULL, "too_many"};
    for (size_t count = 0; count < 5; count++) {
        json_t *rows = json_array();
        for (size_t i = 0; i < count; i++)
            json_array_append_new(rows, parse("{\"t\": \"x\"}"));
        struct submission out;
        enum result result = form_read_document(&out, form, json_pack("{s:o}", "g", rows),
                                                FOR_MEMBER, false);
        cr_expect_eq(result, codes[count] == NULL ? OK : INVALID, "%zu rows", count);
        json_t *code = json_object_get(json_array_get(out.errors, 0), "code");
        if (codes[count] != NULL)
            cr_expect_str_eq(json_string_value(code), codes[count]);
    }
}
