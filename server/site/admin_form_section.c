/* Title and words of a section, and of the form as a whole ("head"). */
#include "server/base/document.h"
#include "server/form/edit.h"
#include "server/form/forms.h"
#include "server/form/submission.h"
#include "server/site/admin_form.h"
#include "server/site/builder.h"
#include "server/site/flow.h"
#include "server/site/site.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct section_page {
    struct builder builder;
    bool is_new, head;
    size_t number;
    json_t *there; /* the section, or the definition */
    const char *action;
    json_t *mine; /* somebody was faster: what was typed; else NULL */
};

static enum result open_page(struct section_page *page, struct request *request,
                             struct response *response, bool is_new)
{
    *page = (struct section_page){.is_new = is_new, .action = request->path};
    TRY(builder_open(&page->builder, request, response));
    page->there = page->builder.definition;
    if (is_new)
        return OK;
    const char *text = param(request, "number");
    page->head = strcmp(text, "head") == 0;
    if (page->head)
        return OK;
    if (strspn(text, "0123456789") != strlen(text) || strlen(text) > 5)
        return NOT_FOUND;
    page->number = strtoul(text, NULL, 10);
    page->there = json_array_get(json_object_get(page->builder.definition, "sections"),
                                 page->number);
    return page->there != NULL ? OK : NOT_FOUND;
}

static json_t *values_of(const struct section_page *page)
{
    static const char *const keys[] = {"title", "hint"};
    json_t *values = json_object();
    for (size_t i = 0; i < 2 && !page->is_new; i++)
        for (int j = 0; j < LANGUAGE_COUNT; j++) {
            const char *text =
                filled_of(json_object_get(page->there, keys[i]), language_codes[j]);
            json_object_set_new(
                values, arena_print(arena_current(), "%s_%s", keys[i], language_codes[j]),
                text != NULL ? json_string(text) : json_null());
        }
    return values;
}

static json_t *words_from(json_t *document)
{
    static const char *const keys[] = {"title", "hint"};
    json_t *section = json_object();
    for (size_t i = 0; i < 2; i++) {
        json_t *words = json_object();
        for (int j = 0; j < LANGUAGE_COUNT; j++) {
            const char *text =
                filled_of(document, arena_print(arena_current(), "%s_%s", keys[i],
                                                language_codes[j]));
            if (text != NULL)
                json_object_set_new(words, language_codes[j], json_string(text));
        }
        if (json_object_size(words) > 0)
            json_object_set_new(section, keys[i], words);
    }
    return section;
}

static enum result draw(struct section_page *page, const struct submission *sent)
{
    struct request *request = page->builder.request;
    json_t *document = json_object();
    flow_add_form(document, request, "section", values_of(page), sent);
    json_object_set_new(document, "action", json_string(page->action));
    json_object_set_new(document, "code",
                        json_string(page->is_new ? "new"
                                    : page->head ? "head"
                                                 : "section"));
    TRY(builder_add_conflict(document, &page->builder,
                             page->mine != NULL ? form_named(site.forms, "section")
                                                : NULL,
                             values_of(page), page->mine));
    return builder_page(&page->builder, "builder/section.html", document);
}

/* The section may have another number by now, or be gone: then a new one is offered. */
static enum result draw_conflict(struct section_page *page, const struct submission *sent)
{
    struct builder *builder = &page->builder;
    TRY(builder_open(builder, builder->request, builder->response));
    int64_t now =
        page->head || page->is_new ? -1 : builder_section_now(builder, page->number);
    json_t *sections = json_object_get(builder->definition, "sections");
    page->there = page->head
                      ? builder->definition
                      : json_array_get(sections, now >= 0 ? (size_t)now : SIZE_MAX);
    page->is_new = !page->head && now < 0;
    if (page->is_new)
        page->action =
            arena_print(builder->request->arena, "%s/new-section", builder->base);
    else if (!page->head)
        page->action = arena_print(builder->request->arena, "%s/sections/%lld",
                                   builder->base, (long long)now);
    page->mine = sent->document;
    return draw(page, sent);
}

static enum result save(struct section_page *page)
{
    struct submission submission;
    struct builder *builder = &page->builder;
    const char *anchor = "";
    if (flow_form(&submission, builder->request, builder->response, "section",
                  FOR_ADMIN) != OK)
        return draw(page, &submission);
    if (!builder_is_current(builder))
        return draw_conflict(page, &submission);
    json_t *words = words_from(submission.document);
    bool done = true;
    if (page->is_new) {
        done = edit_add_section(builder->definition, words);
        page->number =
            json_array_size(json_object_get(builder->definition, "sections")) - 1;
    } else if (page->head) {
        json_object_set(builder->definition, "title", json_object_get(words, "title"));
        json_object_del(builder->definition, "hint");
        if (json_object_get(words, "hint") != NULL)
            json_object_set(builder->definition, "hint", json_object_get(words, "hint"));
    } else {
        done = edit_set_section(builder->definition, page->number, words);
    }
    if (!done)
        return NOT_FOUND;
    if (!page->head)
        anchor = arena_print(builder->request->arena, "s-%zu", page->number);
    enum result result = builder_save(builder, "", "form_changed", anchor);
    return result == CONFLICT ? draw_conflict(page, &submission) : result;
}

enum result admin_form_section(struct request *request, struct response *response)
{
    struct section_page page;
    enum result found = open_page(&page, request, response, false);
    /* One that somebody has taken out: save() says so. */
    bool gone = found == NOT_FOUND && request->method == POST &&
                page.builder.definition != NULL && !builder_is_current(&page.builder);
    if (!gone)
        TRY(found);
    return request->method == POST ? save(&page) : draw(&page, NULL);
}

enum result admin_form_section_new(struct request *request, struct response *response)
{
    struct section_page page;
    TRY(open_page(&page, request, response, true));
    return request->method == POST ? save(&page) : draw(&page, NULL);
}
