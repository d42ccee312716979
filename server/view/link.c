/* Templates tied to one another: partials, parents and messages by pointer, and the
 * checks that need more than one file. */
#include "server/view/catalog.h"
#include "server/view/node.h"

const struct template *library_partial(const struct template_library *library,
                                       enum template_kind kind, struct slice name)
{
    if (library == NULL || library->partial == NULL)
        return NULL;
    return library->partial(library, kind, name.bytes, name.length);
}

const struct message *library_message(const struct template_library *library,
                                      struct slice key)
{
    if (library == NULL || library->message == NULL)
        return NULL;
    return library->message(library, key.bytes, key.length);
}

static enum result link_partial(const struct template *template, struct node *node,
                                const struct template_library *library,
                                struct template_problem *problem)
{
    node->target = library_partial(library, template->kind, node->text);
    if (node->target == NULL && template_strict(template))
        return template_complain(template, node->at, problem,
                                 "there is no template '%.*s'", (int)node->text.length,
                                 node->text.bytes);
    return OK;
}

static enum result link_message(const struct template *template, struct node *node,
                                const struct template_library *library,
                                struct template_problem *problem)
{
    node->message = library_message(library, node->text);
    for (int l = 0; l < LANGUAGE_COUNT; l++)
        if (node->message == NULL || node->message->in[l].html[PLURAL_OTHER] == NULL)
            return template_complain(
                template, node->at, problem, "i18n/%s.json has no message '%.*s'",
                language_codes[l], (int)node->text.length, node->text.bytes);
    return OK;
}

enum result template_link(struct template *template,
                          const struct template_library *library,
                          struct template_problem *problem)
{
    for (size_t i = 0; i < template->count; i++) {
        struct node *node = &template->nodes[i];
        if (node->dynamic)
            continue;
        if (node->kind == NODE_PARTIAL || node->kind == NODE_PARENT)
            TRY(link_partial(template, node, library, problem));
        else if (node->kind == NODE_MESSAGE)
            TRY(link_message(template, node, library, problem));
    }
    return OK;
}

enum { CHAIN_MAX = 16 };

struct search {
    struct slice name;
    bool found, in_attribute;
    bool open; /* something dynamic: it may be anywhere */
};

/* Looks for the block in `template` and in all it includes. */
static void find_block(const struct template *template, struct search *search, int depth)
{
    if (depth == CHAIN_MAX) {
        search->open = true;
        return;
    }
    for (size_t i = 0; i < template->count; i++) {
        const struct node *node = &template->nodes[i];
        if (node->kind == NODE_BLOCK && slice_equal(node->text, search->name)) {
            search->found = true;
            search->in_attribute |= node->in_attribute;
        } else if (node->kind == NODE_PARTIAL || node->kind == NODE_PARENT) {
            if (node->dynamic)
                search->open = true;
            else if (node->target != NULL && node->target != template)
                find_block(node->target, search, depth + 1);
        }
    }
}

static enum result check_blocks(const struct template *template,
                                const struct node *parent,
                                struct template_problem *problem)
{
    const struct node *end = parent + parent->span;
    for (const struct node *block = parent + 1; block < end; block += block->span) {
        struct search search = {.name = block->text};
        if (block->kind != NODE_BLOCK)
            continue;
        find_block(parent->target, &search, 0);
        if (!search.found && !search.open)
            return template_complain(template, block->at, problem,
                                     "'%.*s' has no block '%.*s'",
                                     (int)parent->text.length, parent->text.bytes,
                                     (int)block->text.length, block->text.bytes);
        if (search.in_attribute && block->has_markup)
            return template_complain(template, block->at, problem,
                                     "'%.*s' shows block '%.*s' in an attribute: it may "
                                     "hold no markup",
                                     (int)parent->text.length, parent->text.bytes,
                                     (int)block->text.length, block->text.bytes);
    }
    return OK;
}

enum result template_check(const struct template *template,
                           struct template_problem *problem)
{
    for (size_t i = 0; i < template->count; i++) {
        const struct node *node = &template->nodes[i];
        if (node->kind == NODE_PARENT && !node->dynamic && node->target != NULL)
            TRY(check_blocks(template, node, problem));
    }
    return OK;
}

void template_messages(const struct template *template,
                       void (*see)(void *data, const char *key, size_t length,
                                   bool dynamic),
                       void *data)
{
    for (size_t i = 0; i < template->count; i++) {
        const struct node *node = &template->nodes[i];
        if (node->kind == NODE_MESSAGE)
            see(data, node->text.bytes, node->text.length, node->dynamic);
    }
}

const char *template_plain(const struct template *template)
{
    if (template->count == 0)
        return "";
    /* The literals of a template end with a NUL. */
    if (template->count == 1 && template->nodes[0].kind == NODE_TEXT)
        return template->nodes[0].text.bytes;
    return NULL;
}
