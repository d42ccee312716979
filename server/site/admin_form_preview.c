/* The form as members see it, and its published versions with what changed in each. */
#include "db/store/form_version.h"
#include "server/base/document.h"
#include "server/form/difference.h"
#include "server/site/admin_form.h"
#include "server/site/builder.h"
#include "server/site/flow.h"
#include "server/site/preview.h"

#include <string.h>

static enum language language_asked(const struct request *request)
{
    const char *code = query_argument(request, "in");
    for (int i = 0; code != NULL && i < LANGUAGE_COUNT; i++)
        if (strcmp(code, language_codes[i]) == 0)
            return (enum language)i;
    return request->language;
}

/* Adds what both pages of a drawn form show. */
static enum result add_drawing(json_t *document, const struct request *request,
                               json_t *definition)
{
    json_t *html;
    enum language language = language_asked(request);
    const char *width = query_argument(request, "width");
    TRY(preview_html(&html, request, definition, language));
    json_object_set_new(document, "drawn_html", html);
    json_object_set_new(document, "drawn_lang",
                        json_string(language == CHINESE ? "zh-CN" : "en"));
    json_object_set_new(document, "in", json_string(language_codes[language]));
    json_object_set_new(document, "in_english", json_boolean(language == ENGLISH));
    json_object_set_new(document, "in_chinese", json_boolean(language == CHINESE));
    json_object_set_new(document, "narrow",
                        json_boolean(width != NULL && strcmp(width, "phone") == 0));
    json_object_set_new(document, "here", json_string(request->path));
    return OK;
}

enum result admin_form_preview(struct request *request, struct response *response)
{
    struct builder builder;
    json_t *document = json_object();
    TRY(builder_open(&builder, request, response));
    if (query_argument(request, "part") != NULL)
        return preview_fragment(request, response, builder.definition,
                                language_asked(request));
    TRY(add_drawing(document, request, builder.definition));
    json_object_set_new(document, "number", json_null());
    return builder_page(&builder, "builder/preview.html", document);
}

enum result admin_form_versions(struct request *request, struct response *response)
{
    struct builder builder;
    json_t *versions, *version;
    size_t index;
    TRY(builder_open(&builder, request, response));
    TRY(form_version_list(&versions, request->db, builder.id));
    json_array_foreach(versions, index, version)
    {
        json_t *before = json_array_get(versions, index + 1);
        json_t *changes = form_changes(json_object_get(before, "definition"),
                                       json_object_get(version, "definition"));
        json_object_set_new(version, "first", json_boolean(before == NULL));
        json_object_set(version, "count", json_object_get(version, "people"));
        json_object_set_new(version, "any_change",
                            json_boolean(json_array_size(changes) > 0));
        builder_dress_changes(changes);
        json_object_set(version, "changes", before != NULL ? changes : json_array());
    }
    json_t *last = json_array_get(versions, 0);
    json_t *changes =
        form_changes(json_object_get(last, "definition"), builder.definition);
    builder_dress_changes(changes);
    json_array_foreach(versions, index, version) json_object_del(version, "definition");
    json_t *document = json_pack("{s:O, s:b, s:o}", "versions", versions, "unpublished",
                                 (int)(last != NULL && json_array_size(changes) > 0),
                                 "changes", changes);
    return builder_page(&builder, "builder/versions.html", document);
}

enum result admin_form_version(struct request *request, struct response *response)
{
    struct builder builder;
    json_t *versions, *version, *document = json_object();
    size_t index;
    int64_t number;
    TRY(number_of(&number, param(request, "number")));
    TRY(builder_open(&builder, request, response));
    TRY(form_version_list(&versions, request->db, builder.id));
    json_array_foreach(versions, index, version)
    {
        if (integer_at(version, "number") != number)
            continue;
        TRY(add_drawing(document, request, json_object_get(version, "definition")));
        json_object_set_new(document, "number", json_integer(number));
        json_object_set(document, "published_at",
                        json_object_get(version, "published_at"));
        json_object_set(document, "count", json_object_get(version, "people"));
        return builder_page(&builder, "builder/preview.html", document);
    }
    return NOT_FOUND;
}
