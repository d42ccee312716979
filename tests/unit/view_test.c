/* A view over real files: overlay, catalogs, hot reload, problems with their place. */
#include "server/view/view.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char home[64];
static struct view *view;
static char problem[512];

static void enter(void)
{
    arena_enter(arena_new());
    snprintf(home, sizeof home, "/tmp/labd-view-XXXXXX");
    cr_assert_not_null(mkdtemp(home));
}

static void leave(void)
{
    view_close(view);
    view = NULL;
    arena_free(arena_enter(NULL));
    char command[96];
    snprintf(command, sizeof command, "rm -r '%s'", home);
    cr_assert_eq(system(command), 0);
}

TestSuite(view, .init = enter, .fini = leave);

/* Writes a file below the home, making its folders. */
static void put(const char *name, const char *text)
{
    char *path = arena_print(arena_current(), "%s/%s", home, name);
    for (char *slash = strchr(path + strlen(home) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        cr_assert(mkdir(path, 0700) == 0 || errno == EEXIST);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    cr_assert_eq(fclose(file), 0);
}

static void open_view(const char *theme, bool development)
{
    const char *folder =
        theme[0] != '\0' ? arena_print(arena_current(), "%s/%s", home, theme) : "";
    enum result result =
        view_open(&view, home, folder, development, problem, sizeof problem);
    cr_assert_eq(result, OK, "%s", problem);
}

/* The problem without the folder of the test. */
static const char *short_problem(const char *text)
{
    size_t n = strlen(home);
    return strncmp(text, home, n) == 0 ? text + n + 1 : text;
}

static const char *show_in(const char *name, const char *document, enum language language)
{
    json_t *json = json_loads(document, JSON_DECODE_ANY, NULL);
    cr_assert_not_null(json, "%s", document);
    struct buf out = buf_on(arena_current());
    if (view_render(view, &out, name, json, language) != OK)
        return short_problem(view_problem(view, arena_current()));
    return out.data;
}

static const char *show(const char *name, const char *document)
{
    return show_in(name, document, ENGLISH);
}

static const char *refusal(void)
{
    cr_assert_eq(view_open(&view, home, "", false, problem, sizeof problem), INVALID);
    cr_assert_null(view);
    return short_problem(problem);
}

Test(view, pages_extend_the_layout_and_include_partials)
{
    put("templates/layout.html", "<title>{{$title}}Lab{{/title}}</title><body "
                                 "class=\"{{$class}}page{{/class}}\">\n"
                                 "  {{$main}}\n  {{/main}}\n</body>\n");
    put("templates/partials/work.html", "<li>{{title}}</li>\n");
    put("templates/works/index.html", "{{<layout}}\n{{$title}}Works{{/title}}\n"
                                      "{{$main}}\n<ul>\n"
                                      "  {{#works}}\n  {{>partials/work}}\n  {{/works}}\n"
                                      "</ul>\n{{/main}}\n{{/layout}}\n");
    open_view("", false);
    cr_assert_str_eq(show("works/index.html", "{\"works\": [{\"title\": \"A & B\"}]}"),
                     "<title>Works</title><body class=\"page\">\n<ul>\n"
                     "<li>A &amp; B</li>\n</ul>\n</body>\n");
    cr_assert_str_eq(show("works/none.html", "{}"),
                     "works/none.html: there is no such template");
}

Test(view, a_theme_stands_before_our_files_and_messages)
{
    put("templates/page.html", "{{t.a}} {{t.b}} {{>part}}");
    put("templates/part.html", "ours");
    put("templates/i18n/en.json", "{\"a\": \"A\", \"b\": \"B\"}");
    put("templates/i18n/zh.json", "{\"a\": \"甲\", \"b\": \"乙\"}");
    put("theme/part.html", "theirs {{>more}}");
    put("theme/more.html", "and more");
    put("theme/i18n/en.json", "{\"b\": \"their B\"}");
    open_view("theme", false);
    cr_assert_str_eq(show("page.html", "{}"), "A their B theirs and more");
    cr_assert_str_eq(show_in("page.html", "{}", CHINESE), "甲 乙 theirs and more");
}

Test(view, messages_have_values_plurals_and_dynamic_keys)
{
    put("templates/page.html", "<p title=\"{{t.hello}}\">{{t.found}}: {{t.role.*role}}");
    put("templates/mail/note.txt", "{{t.hello}} {{t.found}}");
    put("templates/i18n/en.json",
        "{\"hello\": \"Hi <{{name}}>{{#old}} again{{/old}}\",\n"
        " \"found\": {\"one\": \"{{count}} work\", \"other\": \"{{count}} works\"},\n"
        " \"role.head\": \"Head\", \"plain\": \"Plain & simple\"}");
    put("templates/i18n/zh.json",
        "{\"hello\": \"你好，{{name}}\", \"found\": {\"other\": \"{{count}} 篇\"},\n"
        " \"role.head\": \"负责人\", \"plain\": \"简单\"}");
    open_view("", false);
    static const char one[] =
        "{\"name\": \"\\\"O&\", \"old\": true, \"count\": 1, \"role\": \"head\"}";
    static const char two[] =
        "{\"name\": \"Li\", \"old\": null, \"count\": 2, \"role\": \"head\"}";
    cr_assert_str_eq(show("page.html", one),
                     "<p title=\"Hi &lt;&quot;O&amp;&gt; again\">1 work: Head");
    cr_assert_str_eq(show("page.html", two), "<p title=\"Hi &lt;Li&gt;\">2 works: Head");
    cr_assert_str_eq(show_in("page.html", one, CHINESE),
                     "<p title=\"你好，&quot;O&amp;\">1 篇: 负责人");
    cr_assert_str_eq(show("mail/note.txt", one), "Hi <\"O&> again 1 work");
    cr_assert_str_eq(view_message(view, ENGLISH, "plain"), "Plain & simple");
    cr_assert_str_eq(view_message(view, CHINESE, "plain"), "简单");
    cr_assert_str_eq(view_message(view, ENGLISH, "none"), "none");
    cr_assert_str_eq(show("page.html", "{\"name\": \"\", \"old\": 0, \"count\": 3,\n"
                                       " \"role\": \"tail\"}"),
                     "templates/page.html:1:37: i18n/en.json has no message 'role.tail'\n"
                     "<p title=\"{{t.hello}}\">{{t.found}}: {{t.role.*role}}");
    cr_assert_str_eq(
        show("mail/note.txt", "{\"name\": \"\", \"old\": 0}"),
        "templates/mail/note.txt:1:13: message 'found' needs a number named 'count'\n"
        "{{t.hello}} {{t.found}}");
}

Test(view, an_integer_names_a_message_as_its_digits_do)
{
    put("templates/page.html", "{{t.month.*month}}");
    put("templates/i18n/en.json", "{\"month.11\": \"November {{year}}\"}");
    put("templates/i18n/zh.json", "{\"month.11\": \"{{year}} 年 11 月\"}");
    open_view("", false);
    cr_assert_str_eq(show("page.html", "{\"month\": 11, \"year\": 2026}"),
                     "November 2026");
    cr_assert_str_eq(show("page.html", "{\"month\": null, \"year\": 2026}"),
                     "templates/page.html:1:1: the name behind 'month.*' is not a text\n"
                     "{{t.month.*month}}");
}

Test(view, a_message_that_one_language_lacks_is_refused)
{
    put("templates/page.html", "<p>\n  {{t.title}}");
    put("templates/i18n/en.json", "{\"title\": \"Title\"}");
    put("templates/i18n/zh.json", "{\"titel\": \"标题\"}");
    cr_assert_str_eq(refusal(),
                     "templates/page.html:2:3: i18n/zh.json has no message 'title'");
}

Test(view, a_broken_catalog_is_refused_with_its_place)
{
    put("templates/page.html", "x");
    put("templates/i18n/en.json", "{\n  \"a\": \"A\",\n  \"b\": \"{{{b}}}\"\n}");
    cr_assert_str_eq(refusal(),
                     "templates/i18n/en.json:3:3: message 'b': only a name that ends in "
                     "_html may go out without escaping");
    put("templates/i18n/en.json", "{\n  \"a\": \"A\",\n  \"a\": \"B\"\n}");
    cr_assert_eq(strncmp(refusal(), "templates/i18n/en.json:3:", 25), 0, "%s", problem);
    put("templates/i18n/en.json", "{\"a\": {\"one\": \"1\"}}");
    cr_assert_str_eq(refusal(), "templates/i18n/en.json:1:2: message 'a' must be a text, "
                                "or an object with the texts \"one\" and \"other\" "
                                "(Chinese: \"other\")");
}

Test(view, production_refuses_a_broken_template_at_the_start)
{
    put("templates/good.html", "good");
    put("templates/people/show.html", "<h1>{{name}}</h1>\n<p>{{#bio}}</p>\n");
    cr_assert_str_eq(refusal(), "templates/people/show.html:2:4: {{#bio}} is not closed");
    put("templates/people/show.html", "一二 {{>partials/none}}");
    cr_assert_str_eq(refusal(), "templates/people/show.html:1:4: there is no template "
                                "'partials/none'");
}

Test(view, development_reads_a_changed_template_again)
{
    put("templates/page.html", "one {{>part}}");
    put("templates/part.html", "part");
    open_view("", true);
    cr_assert_str_eq(show("page.html", "{}"), "one part");
    put("templates/page.html", "one more {{>part}}");
    view_refresh(view);
    cr_assert_str_eq(show("page.html", "{}"), "one more part");
    put("templates/part.html", "line\n  {{#open}}");
    view_refresh(view);
    cr_assert_str_eq(show("page.html", "{}"),
                     "templates/part.html:2:3: {{#open}} is not closed\n  {{#open}}");
    put("templates/part.html", "mended");
    put("templates/new.html", "new");
    view_refresh(view);
    cr_assert_str_eq(show("page.html", "{}"), "one more mended");
    cr_assert_str_eq(show("new.html", "{}"), "new");
    cr_assert_str_eq(view_problem(view, arena_current()), "");
}

Test(view, a_missing_name_is_an_error_with_its_place)
{
    put("templates/page.html", "<p>{{name}}</p>\n<p>名 {{nmae}}</p>\n");
    open_view("", false);
    cr_assert_str_eq(show("page.html", "{\"name\": null}"),
                     "templates/page.html:2:6: 'nmae' is not in the document\n"
                     "<p>名 {{nmae}}</p>");
}

/* Shows the page over and over; NULL, or what was shown instead of one of its versions.
 */
static void *show_often(void *unused)
{
    (void)unused;
    struct arena *arena = arena_new();
    char *wrong = NULL;
    arena_enter(arena);
    for (int i = 0; i < 400 && wrong == NULL; i++) {
        struct buf out = buf_on(arena);
        enum result result = view_render(view, &out, "page.html", json_object(), CHINESE);
        if (result != OK || (strcmp(out.data, "<p>一</p>: 1") != 0 &&
                             strcmp(out.data, "<p>一</p>: more of 2") != 0))
            wrong = strdup(out.data);
        arena_reset(arena);
    }
    arena_free(arena_enter(NULL));
    return wrong;
}

Test(view, threads_render_while_templates_change)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    put("templates/page.html", "{{>part}}: 1");
    put("templates/part.html", "<p>{{t.one}}</p>");
    put("templates/i18n/en.json", "{\"one\": \"one\"}");
    put("templates/i18n/zh.json", "{\"one\": \"一\"}");
    open_view("", true);
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, show_often, NULL), 0);
    for (int i = 0; i < 50; i++) {
        /* A new file takes the place of the old at once, as editors do it. */
        put("templates/page.new", i % 2 == 0 ? "{{>part}}: more of 2" : "{{>part}}: 1");
        cr_assert_eq(rename(arena_print(arena_current(), "%s/templates/page.new", home),
                            arena_print(arena_current(), "%s/templates/page.html", home)),
                     0);
        view_refresh(view);
    }
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        cr_assert_eq(pthread_join(threads[i], &wrong), 0);
        cr_expect_null(wrong, "shown: %s", (const char *)wrong);
        free(wrong);
    }
}
