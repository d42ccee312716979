/* Previews are drawn by the form's own templates, with other ids: the page around one may
 * be a form itself. */
#include "server/site/preview.h"

#include "server/base/document.h"
#include "server/base/log.h"
#include "server/form/edit.h"
#include "server/form/page.h"
#include "server/http/static.h"
#include "server/site/site.h"
#include "server/view/view.h"

#include <string.h>

/* "f-phone-hint f-phone-error" → "p-phone-hint p-phone-error" */
static const char *other_ids(struct arena *arena, const char *ids)
{
    char *copy = arena_string(arena, ids);
    for (char *at = copy; *at != '\0'; at++)
        if ((at == copy || at[-1] == ' ') && strncmp(at, "f-", 2) == 0)
            *at = 'p';
    return copy;
}

static void change_ids(struct arena *arena, json_t *value)
{
    static const char *const keys[] = {"id", "described_by"};
    const char *key;
    json_t *child;
    size_t index;
    json_array_foreach(value, index, child) change_ids(arena, child);
    json_object_foreach(value, key, child) change_ids(arena, child);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *ids = text_of(value, keys[i]);
        if (ids != NULL)
            json_object_set_new(value, keys[i], json_string(other_ids(arena, ids)));
    }
}

enum result preview_html(json_t **html, const struct request *request, json_t *definition,
                         enum language language)
{
    char problem[400];
    const struct form *form;
    struct buf out = buf_on(request->arena);
    json_t *drawable = edit_drawable(definition);
    *html = json_null();
    if (drawable == NULL)
        return OK;
    if (form_load(&form, request->arena, "preview", "preview", drawable, problem,
                  sizeof problem) != OK) {
        log_error("preview.refused", "problem", problem);
        form_free(form);
        return FAILED;
    }
    json_t *page = form_page(form, NULL, NULL, FOR_MEMBER, language);
    form_free(form);
    change_ids(request->arena, page);
    json_object_set_new(page, "assets", statics_assets(site.statics));
    if (json_object_get(definition, "title") == NULL) /* one question alone */
        json_object_set_new(page, "title", json_null());
    TRY(view_render(site.view, &out, "builder/drawn.html", page, language));
    *html = json_stringn(out.data, out.length);
    return OK;
}

enum result preview_fragment(struct request *request, struct response *response,
                             json_t *definition, enum language language)
{
    json_t *html;
    TRY(preview_html(&html, request, definition, language));
    response_header(response, "Cache-Control", "private, no-store");
    buf_append(&response->body, json_string_value(html), json_string_length(html));
    return OK;
}
