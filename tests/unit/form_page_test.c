/* Forms as pages, through the real templates in both languages, and as JSON Schema. */
#include "server/base/buf.h"
#include "server/form/forms.h"
#include "server/form/page.h"
#include "server/form/schema.h"
#include "server/view/view.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <string.h>

static struct forms *forms;
static struct view *view;
static char problem[600];

static void enter(void)
{
    arena_enter(arena_new());
    cr_assert_eq(forms_open(&forms, ".", "", false, problem, sizeof problem), OK, "%s",
                 problem);
}

static void leave(void)
{
    view_close(view);
    forms_close(forms);
    arena_free(arena_enter(NULL));
}

TestSuite(form_page, .init = enter, .fini = leave);

static json_t *parse(const char *text)
{
    json_error_t error;
    json_t *value = json_loads(text, JSON_DECODE_ANY, &error);
    cr_assert_not_null(value, "%s: %s", text, error.text);
    return value;
}

static const char *drawn(json_t *page, enum language language)
{
    if (view == NULL)
        cr_assert_eq(view_open(&view, ".", "", false, problem, sizeof problem), OK, "%s",
                     problem);
    struct buf out = buf_on(arena_current());
    json_object_set_new(
        page, "assets",
        json_pack("{s:s, s:s}", "form_js", "/form.js", "photo_js", "/photo.js"));
    cr_assert_eq(view_render(view, &out, "partials/form/form.html", page, language), OK,
                 "%s", view_problem(view, arena_current()));
    return out.data;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    while ((text = strstr(text, part)) != NULL) {
        text += strlen(part);
        count++;
    }
    return count;
}

Test(form_page, every_form_is_drawn_in_both_languages)
{
    DIR *folder = opendir("templates/forms");
    cr_assert_not_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char *name = arena_string(arena_current(), entry->d_name);
        char *end = strstr(name, ".json");
        if (end == NULL)
            continue;
        *end = '\0';
        const struct form *form = form_named(forms, name);
        cr_assert_not_null(form, "%s", name);
        for (int language = 0; language < LANGUAGE_COUNT; language++) {
            const char *html =
                drawn(form_page(form, NULL, NULL, FOR_ADMIN, language), language);
            cr_expect_eq(count_of(html, "<label"), count_of(html, "</label>"));
            cr_expect(count_of(html, "<label") >= 1, "%s", name);
            cr_expect_eq(count_of(html, "role=\"alert\""), 0);
        }
        count++;
    }
    closedir(folder);
    cr_expect(count >= 9);
}

Test(form_page, an_error_stands_at_its_field_and_in_the_summary)
{
    const struct form *form = form_named(forms, "person");
    struct submission out;
    cr_assert_eq(form_read_fields(
                     &out, form,
                     parse("{\"name_han\": [\" 林<晓> \"], \"email\": [\"xiao.lin@\"],"
                           "\"links.3.label\": [\"Code\"], \"links.3.url\": [\"x\"],"
                           "\"visibility.email\": [\"public\"], \"rank\": [\"1\"]}"),
                     FOR_MEMBER),
                 INVALID);
    const char *html =
        drawn(form_page(form, out.typed, out.errors, FOR_MEMBER, ENGLISH), ENGLISH);
    cr_expect_not_null(strstr(html, "role=\"alert\" tabindex=\"-1\" autofocus"));
    cr_expect_not_null(strstr(html, "<a href=\"#f-email\">Enter your e-mail address as "
                                    "name@example.org.</a>"));
    cr_expect_not_null(strstr(html, "<p class=\"msg\" id=\"f-email-error\">Enter your "
                                    "e-mail address as name@example.org.</p>"));
    cr_expect_not_null(strstr(html, "aria-describedby=\"f-email-error\""));
    cr_expect_not_null(strstr(html, "value=\"xiao.lin@\""));
    cr_expect_not_null(strstr(html, "value=\" 林&lt;晓&gt; \""));
    cr_expect_not_null(strstr(html, "<a href=\"#f-links-0-url\">Links 1: “Address” must "
                                    "begin with https:// or http://.</a>"));
    cr_expect_not_null(
        strstr(html, "<li>There is no field “rank” that you can fill in."));
    cr_expect_not_null(
        strstr(html, "name=\"links.0.label\" type=\"text\" value=\"Code\""));
    cr_expect_not_null(strstr(html, "name=\"links.1.label\" type=\"text\" value=\"\""));
    cr_expect_not_null(strstr(html, "name=\"action\" value=\"remove:links.0\""));
    cr_expect_null(strstr(html, "value=\"remove:links.1\""));
    cr_expect_not_null(strstr(html, "name=\"action\" value=\"add:links\""));
    cr_expect_not_null(strstr(html, "E-mail <span class=\"optional\">(optional)</span>"));
    const char *who = strstr(html, "name=\"visibility.email\"");
    cr_assert_not_null(who);
    cr_expect_eq(strncmp(strstr(who, " selected") + 9, ">Everyone<", 10), 0);
    cr_expect_null(strstr(html, "appointments"));
    cr_expect_null(strstr(html, "name=\"slug\""));
    const char *chinese =
        drawn(form_page(form, out.typed, out.errors, FOR_MEMBER, CHINESE), CHINESE);
    cr_expect_not_null(
        strstr(chinese, "链接第 1 项： “网址”应以 https:// 或 http:// 开头。"));
}

Test(form_page, every_code_has_its_words)
{
    static const char *const codes[] = {
        "required",   "one_of",     "unknown",
        "repeated",   "type",       "too_long",
        "too_short",  "too_many",   "too_few",
        "range",      "pattern",    "malformed",
        "control",    "invisible",  "email",
        "url",        "url_scheme", "url_credentials",
        "phone",      "orcid",      "orcid_check",
        "person",     "doi",        "arxiv",
        "isbn",       "pmid",       "date",
        "month",      "integer",    "decimal",
        "boolean",    "choice",     "file_size",
        "not_before", "extra_cell",
    };
    const struct form *form = form_named(forms, "member");
    struct submission out = {.errors = json_array()};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        form_error(&out, "email", codes[i]);
    form_error(&out, NULL, "unknown");
    for (int language = 0; language < LANGUAGE_COUNT; language++) {
        const char *html =
            drawn(form_page(form, NULL, out.errors, FOR_ADMIN, language), language);
        cr_expect_eq(count_of(html, "<li>"), (int)(sizeof codes / sizeof codes[0]) + 1);
    }
}

Test(form_page, a_document_is_drawn_and_comes_back_the_same)
{
    const struct form *form = form_named(forms, "publication");
    json_t *document =
        parse("{\"kind\": \"article\", \"title\": \"T\", \"year\": 2024, \"authors\": "
              "[{\"name\": \"A\", \"equal\": true}, {\"name\": \"B\"}], \"abstract\": "
              "\"\\na\"}");
    json_t *page = form_page(form, document, NULL, FOR_MEMBER, ENGLISH);
    const char *html = drawn(page, ENGLISH);
    cr_expect_not_null(strstr(html, "value=\"2024\""));
    cr_expect_not_null(strstr(html, ">Year <span class=\"optional\">"));
    cr_expect_not_null(strstr(html, ">Title</label>"));
    cr_expect_not_null(strstr(html, "<option value=\"article\" selected>"));
    cr_expect_not_null(strstr(
        html, "name=\"authors.0.equal\" type=\"checkbox\" value=\"true\" checked"));
    /* HTML drops one line end behind <textarea>: the text's own must not be that one. */
    cr_expect_not_null(strstr(html, "\">\n\na</textarea>"));
    cr_expect(json_is_true(json_object_get(page, "groups")));
    cr_expect(json_is_true(json_object_get(page, "multipart")));
    cr_expect(json_is_true(json_object_get(
        form_page(form_named(forms, "works"), NULL, NULL, FOR_MEMBER, ENGLISH),
        "multipart")));
}

Test(form_page, a_password_is_never_drawn)
{
    const struct form *form = form_named(forms, "sign_in");
    const char *html = drawn(
        form_page(form, parse("{\"email\": \"a@b.cd\", \"password\": \"secret-words\"}"),
                  NULL, FOR_MEMBER, ENGLISH),
        ENGLISH);
    cr_expect_null(strstr(html, "secret-words"));
    cr_expect_not_null(strstr(html, "type=\"password\""));
}

/* As much of JSON Schema as form_schema() writes. */
static bool fits(json_t *schema, json_t *value);

static bool has_type(const char *type, json_t *value)
{
    return strcmp(type, "object") == 0    ? json_is_object(value)
           : strcmp(type, "array") == 0   ? json_is_array(value)
           : strcmp(type, "string") == 0  ? json_is_string(value)
           : strcmp(type, "integer") == 0 ? json_is_integer(value)
           : strcmp(type, "number") == 0  ? json_is_number(value)
           : strcmp(type, "boolean") == 0 ? json_is_boolean(value)
                                          : json_is_null(value);
}

static bool fits_type(json_t *type, json_t *value)
{
    if (type == NULL || json_is_string(type))
        return type == NULL || has_type(json_string_value(type), value);
    size_t index;
    json_t *one;
    json_array_foreach(type, index,
                       one) if (has_type(json_string_value(one), value)) return true;
    return false;
}

static bool within(json_t *schema, const char *least, const char *most, double number)
{
    json_t *low = json_object_get(schema, least);
    json_t *high = json_object_get(schema, most);
    return (low == NULL || number >= json_number_value(low)) &&
           (high == NULL || number <= json_number_value(high));
}

static bool fits_object(json_t *schema, json_t *value)
{
    size_t index;
    json_t *one;
    json_array_foreach(json_object_get(schema, "required"), index,
                       one) if (json_object_get(value, json_string_value(one)) ==
                                NULL) return false;
    const char *key;
    json_object_foreach(value, key, one)
    {
        json_t *own = json_object_get(json_object_get(schema, "properties"), key);
        if (own == NULL && json_is_false(json_object_get(schema, "additionalProperties")))
            return false;
        if (own != NULL && !fits(own, one))
            return false;
    }
    return true;
}

static bool fits_rules(json_t *schema, json_t *value)
{
    size_t index;
    json_t *one;
    json_array_foreach(json_object_get(schema, "allOf"), index,
                       one) if (!fits(one, value)) return false;
    json_t *any = json_object_get(schema, "anyOf");
    json_array_foreach(any, index, one) if (fits(one, value)) return true;
    return any == NULL;
}

static bool fits(json_t *schema, json_t *value)
{
    size_t index;
    json_t *one;
    if (!fits_type(json_object_get(schema, "type"), value) || !fits_rules(schema, value))
        return false;
    json_t *values = json_object_get(schema, "enum");
    bool listed = values == NULL;
    json_array_foreach(values, index, one) listed |= json_equal(one, value) == 1;
    json_t *items = json_object_get(schema, "items");
    json_array_foreach(json_is_array(value) ? value : NULL, index,
                       one) if (!fits(items, one)) return false;
    if (json_is_string(value) &&
        !within(schema, "minLength", "maxLength", (double)json_string_length(value)))
        return false;
    if (json_is_array(value) &&
        !within(schema, "minItems", "maxItems", (double)json_array_size(value)))
        return false;
    if (json_is_number(value) &&
        !within(schema, "minimum", "maximum", json_number_value(value)))
        return false;
    return listed && (!json_is_object(value) || fits_object(schema, value));
}

Test(form_page, schema_and_reader_agree)
{
    static const struct {
        const char *form, *document;
        bool fine;
    } cases[] = {
        {"person",      "{\"name_han\": \"x\"}",                                           true },
        {"person",      "{}",                                                              false},
        {"person",      "{\"name_han\": null, \"family_latin\": \"Lin\"}",                 true },
        {"person",      "{\"name_han\": \"x\", \"id\": 7}",                                false},
        {"person",      "{\"name_han\": \"x\", \"visibility\": {\"email\": \"public\"}}",
         true                                                                                   },
        {"person",      "{\"name_han\": \"x\", \"visibility\": {\"email\": \"world\"}}",
         false                                                                                  },
        {"person",      "{\"name_han\": \"x\", \"visibility\": {\"slug\": \"public\"}}",
         false                                                                                  },
        {"person",      "{\"name_han\": \"x\", \"appointments\": [{\"role\": \"phd\"}]}",
         true                                                                                   },
        {"person",      "{\"name_han\": \"x\", \"appointments\": [{\"role\": \"king\"}]}",
         false                                                                                  },
        {"person",      "{\"name_han\": \"x\", \"links\": [{\"label\": \"a\"}]}",          false},
        {"person",      "{\"name_han\": 7}",                                               false},
        {"publication",
         "{\"kind\": \"book\", \"title\": \"T\", \"authors\": [{\"name\": \"A\"}]}",       true },
        {"publication", "{\"kind\": \"book\", \"title\": \"T\", \"authors\": []}",         true },
        {"publication",
         "{\"kind\": \"book\", \"title\": \"\", \"authors\": [{\"name\": \"A\"}]}",        false},
        {"publication",
         "{\"kind\": null, \"title\": \"T\", \"authors\": [{\"name\": \"A\"}]}",           false},
        {"publication",
         "{\"kind\": \"book\", \"title\": \"T\", \"year\": 2024, \"authors\": "
         "[{\"name\": \"A\", \"equal\": true}]}",                                          true },
        {"publication",
         "{\"kind\": \"book\", \"title\": \"T\", \"year\": 999, \"authors\": [{\"name\": "
         "\"A\"}]}",                                                                       false},
        {"publication",
         "{\"kind\": \"book\", \"title\": \"T\", \"year\": \"2024\", \"authors\": "
         "[{\"name\": \"A\"}]}",                                                           false},
        {"member",
         "{\"email\": \"a@example.org\", \"name_han\": \"x\", \"role\": \"phd\"}",         true },
        {"member",      "{\"email\": \"a@example.org\", \"name_han\": \"x\"}",             false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct form *form = form_named(forms, cases[i].form);
        json_t *document = parse(cases[i].document);
        struct submission out;
        enum result result = form_read_document(&out, form, document, FOR_ADMIN, false);
        cr_expect_eq(result, cases[i].fine ? OK : INVALID, "reader, case %zu", i);
        json_t *schema = form_schema(form, FOR_ADMIN, ENGLISH);
        cr_expect_eq(fits(schema, document), cases[i].fine, "schema, case %zu", i);
        if (result == OK)
            cr_expect(fits(schema, out.document), "normalised, case %zu: %s", i,
                      json_dumps(out.document, JSON_COMPACT));
    }
    json_t *member = form_schema(form_named(forms, "person"), FOR_MEMBER, CHINESE);
    json_t *properties = json_object_get(member, "properties");
    cr_expect_null(json_object_get(properties, "appointments"));
    cr_expect_not_null(json_object_get(properties, "biography_zh"));
}

Test(form_page, who_sees_a_field_is_its_default_until_somebody_says_otherwise)
{
    const char *documents[] = {"{}", "{\"visibility\": {}}",
                               "{\"visibility\": {\"phone\": null}}"};
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        const char *html =
            drawn(form_page(form_named(forms, "person"), parse(documents[i]), NULL,
                            FOR_MEMBER, ENGLISH),
                  ENGLISH);
        const char *phone = strstr(html, "name=\"visibility.phone\"");
        cr_assert_not_null(phone);
        const char *selected = strstr(phone, " selected>");
        cr_assert_not_null(selected);
        cr_assert_eq(strncmp(selected - strlen("\"members\""), "\"members\"", 9), 0, "%s",
                     documents[i]);
    }
}
