/* page(): the layout's part of every document, in one place; see page.h. */
#include "server/site/page.h"

#include "db/store/public.h"
#include "server/base/config.h"
#include "server/base/percent.h"
#include "server/guard/csrf.h"
#include "server/http/query.h"
#include "server/http/router.h"
#include "server/http/static.h"
#include "server/site/site.h"
#include "server/text/markdown.h"
#include "server/view/view.h"

#include <string.h>

struct site site;

/* A page of the cache is one for many targets: it names the one that is its key, never
 * what else the first visitor wrote in theirs. */
static const char *other_url(const struct request *request, enum language other)
{
    const char *query = strchr(request->target, '?');
    if (request->language_in_path)
        return arena_print(request->arena, "/%s%s", language_codes[other],
                           query_page_key(request) + strlen("/en"));
    struct buf url = buf_on(request->arena);
    const char *key;
    json_t *value;
    buf_append(&url, request->target,
               query != NULL ? (size_t)(query - request->target)
                             : strlen(request->target));
    buf_print(&url, "?lang=%s", language_codes[other]);
    json_object_foreach(request->query, key, value)
    {
        if (strcmp(key, "lang") == 0)
            continue;
        buf_print(&url, "&%s=%s", percent_text(request->arena, key),
                  percent_text(request->arena, json_string_value(value)));
    }
    return url.data;
}

/* The first segment of `path` below `prefix`; NULL: it is not below it. */
static const char *segment_below(struct arena *arena, const char *prefix,
                                 const char *path)
{
    size_t length = strlen(prefix);
    if (strncmp(path, prefix, length) != 0 || path[length] != '/')
        return NULL;
    path += length + 1;
    return arena_copy(arena, path, strcspn(path, "/"));
}

json_t *page_sections(const char *prefix, const char *path)
{
    json_t *sections = json_object();
    struct arena *arena = arena_current();
    const char *here = segment_below(arena, prefix, path), *name;
    for (const struct route *const *table = site.routes; *table != NULL; table++)
        for (const struct route *route = *table; route->pattern != NULL; route++)
            if ((name = segment_below(arena, prefix, route->pattern)) != NULL)
                json_object_set_new(
                    sections, name,
                    json_boolean(here != NULL && strcmp(here, name) == 0));
    return sections;
}

static json_t *navigation(const char *path)
{
    json_t *nav = page_sections("", path);
    json_object_set_new(nav, "home", json_boolean(strcmp(path, "/") == 0));
    return nav;
}

json_t *page_markdown(const struct request *request, json_t *text)
{
    struct slice html;
    struct slice source = {json_string_value(text), json_string_length(text)};
    if (source.bytes == NULL || markdown_html(&html, request->arena, source) != OK)
        return json_null();
    return json_stringn(html.bytes, html.length);
}

enum result page_lab(json_t **lab, const struct request *request)
{
    enum result found = public_lab(lab, request->db);
    if (found == NOT_FOUND) { /* a new installation */
        *lab = json_pack("{s:n,s:n,s:n,s:n,s:n,s:n,s:n,s:n,s:n,s:n,s:n}", "name_en",
                         "name_zh", "sentence_en", "sentence_zh", "about_en", "about_zh",
                         "affiliation_en", "affiliation_zh", "address_en", "address_zh",
                         "email");
        json_object_set_new(*lab, "name_en",
                            json_string(view_message(site.view, ENGLISH, "lab.unnamed")));
        json_object_set_new(*lab, "name_zh",
                            json_string(view_message(site.view, CHINESE, "lab.unnamed")));
    } else {
        TRY(found);
    }
    bool chinese = request->language == CHINESE;
    json_object_set(*lab, "name_other",
                    json_object_get(*lab, chinese ? "name_en" : "name_zh"));
    localize(*lab, request->language);
    return OK;
}

static enum result add_layout(const struct request *request, json_t *document)
{
    enum language language = request->language;
    enum language other = language == ENGLISH ? CHINESE : ENGLISH;
    const char *code = language_codes[language];
    const char *path = request->path != NULL ? request->path : request->target;
    json_t *lab;
    TRY(page_lab(&lab, request));
    localize(document, language);
    json_t *account = request->account;
    if (account != NULL)
        localize(account, language);
    json_object_set_new(document, "lab", lab);
    json_object_set_new(document, "language", json_string(code));
    json_object_set_new(document, "html_lang",
                        json_string(language == CHINESE ? "zh-CN" : "en"));
    json_object_set_new(document, "prefix",
                        json_string(arena_print(request->arena, "/%s", code)));
    json_object_set_new(document, "other",
                        json_pack("{s:s,s:s,s:s}", "language", language_codes[other],
                                  "label",
                                  view_message(site.view, other, "language.name"), "url",
                                  other_url(request, other)));
    json_object_set_new(document, "assets", statics_assets(site.statics));
    json_object_set_new(document, "nav", navigation(path));
    json_object_set_new(document, "account",
                        account != NULL ? json_incref(account) : json_null());
    if (json_object_get(document, "csrf") == NULL) /* else: of a form without a session */
        json_object_set_new(document, "csrf", json_string(csrf_token(request)));
    json_object_set_new(document, "path", json_string(path));
    json_object_set_new(
        document, "canonical",
        *config.base_url == '\0'
            ? json_null()
            : json_string(arena_print(request->arena, "%s%s", config.base_url,
                                      query_page_key(request))));
    json_object_set_new(document, "request_id", json_string(request->id));
    if (json_object_get(document, "noindex") == NULL)
        json_object_set_new(
            document, "noindex",
            json_boolean(request->route == NULL || !request->route->cache));
    return OK;
}

enum result page(struct request *request, struct response *response, const char *template,
                 json_t *document)
{
    TRY(add_layout(request, document));
    response->type = "text/html; charset=utf-8";
    return view_render(site.view, &response->body, template, document, request->language);
}
