/* A compiled template and a document become text. See template.h for the rules. */
#include "server/view/catalog.h"
#include "server/view/node.h"

/* A parent being rendered: its blocks stand before the defaults. */
struct frame {
    const struct frame *outer;
    const struct template *template;
    const struct node *parent;
};

struct render {
    struct buf *out;
    const struct template_call *call;
    const struct template *template; /* whose nodes are being rendered */
    const struct frame *frame;
    struct buf indent;
    bool line_start; /* the next thing shown starts a line; kept while there is indent */
    unsigned partials, open; /* partials, and ranges of nodes, within one another */
    size_t steps, limit;
    size_t depth;
    struct template_problem *problem;
    json_t *contexts[TEMPLATE_OPEN_MAX + 1];
};

static enum result render_range(struct render *render, const struct node *from,
                                const struct node *to);

#define COMPLAIN(render, node, ...)                                                      \
    complain((render), (node)->at, (render)->problem, __VA_ARGS__)
#define complain(render, at, problem, ...)                                               \
    (template_complain((render)->template, (at), (problem), __VA_ARGS__), FAILED)

static bool strict(const struct render *render)
{
    return template_strict(render->template);
}

/* Names. */

static inline json_t *member(json_t *value, struct slice key)
{
    return json_is_object(value) ? json_object_getn(value, key.bytes, key.length) : NULL;
}

/* NULL: not found. */
static inline json_t *look_up(const struct render *render, struct path path)
{
    size_t depth = render->depth;
    if (path.count == 0)
        return render->contexts[depth - 1];
    json_t *value = NULL;
    while (value == NULL && depth > 0)
        value = member(render->contexts[--depth], path.segments[0]);
    for (size_t i = 1; value != NULL && i < path.count; i++)
        value = member(value, path.segments[i]);
    return value;
}

static const struct lambda *find_lambda(const struct render *render,
                                        const struct node *node)
{
    for (size_t i = 0; i < render->call->lambda_count; i++) {
        const struct lambda *lambda = &render->call->lambdas[i];
        if (slice_equal(node->text, (struct slice){lambda->name, strlen(lambda->name)}))
            return lambda;
    }
    return NULL;
}

static enum result missing(struct render *render, const struct node *node,
                           struct slice name)
{
    return COMPLAIN(render, node, "'%.*s' is not in the document", (int)name.length,
                    name.bytes);
}

static bool truthy(const json_t *value)
{
    if (value == NULL)
        return false;
    switch (json_typeof(value)) {
    case JSON_NULL:
    case JSON_FALSE:
        return false;
    case JSON_ARRAY:
        return json_array_size(value) > 0;
    case JSON_STRING:
        return json_string_length(value) > 0;
    case JSON_INTEGER:
        return json_integer_value(value) != 0;
    case JSON_REAL:
        return json_real_value(value) != 0;
    case JSON_TRUE:
    case JSON_OBJECT:
        break;
    }
    return true;
}

/* Text. */

/* buf_append for the many short pieces: no call where there is room. */
static inline void put(struct buf *out, const char *bytes, size_t length)
{
    if (out->capacity - out->length <= length)
        buf_reserve(out, length);
    memcpy(out->data + out->length, bytes, length);
    out->length += length;
    out->data[out->length] = '\0';
}

static inline void start_line(struct render *render)
{
    if (render->indent.length == 0)
        return;
    if (render->line_start)
        buf_append(render->out, render->indent.data, render->indent.length);
    render->line_start = false;
}

static void render_text(struct render *render, struct slice text)
{
    if (render->indent.length == 0) {
        put(render->out, text.bytes, text.length);
        return;
    }
    const char *end = text.bytes + text.length;
    for (const char *line = text.bytes; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const char *next = newline != NULL ? newline + 1 : end;
        start_line(render);
        buf_append(render->out, line, (size_t)(next - line));
        render->line_start = newline != NULL;
        line = next;
    }
}

static void write_integer(struct buf *out, json_int_t number)
{
    char digits[24];
    char *at = digits + sizeof digits;
    unsigned long long rest =
        number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number;
    do
        *--at = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (number < 0)
        *--at = '-';
    buf_append(out, at, (size_t)(digits + sizeof digits - at));
}

/* The shortest decimal that reads back as the same number. */
static void write_real(struct buf *out, double number)
{
    char digits[32];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number)
            break;
    }
    buf_string(out, digits);
}

/* A text, a number, true or false. */
static void write_scalar(struct buf *out, enum escape escape, const json_t *value)
{
    if (json_is_string(value)) {
        escape_value(out, escape, json_string_value(value), json_string_length(value));
    } else if (escape == ESCAPE_URL || escape == ESCAPE_HREF) {
        buf_char(out, '#'); /* a number is no URL */
    } else if (json_is_integer(value)) {
        write_integer(out, json_integer_value(value));
    } else if (json_is_real(value)) {
        write_real(out, json_real_value(value));
    } else {
        buf_string(out, json_is_true(value) ? "true" : "false");
    }
}

/* Lambdas. */

static enum result render_inner(struct render *render, const struct template *template)
{
    const struct template *before = render->template;
    if (++render->partials > TEMPLATE_PARTIALS_MAX)
        return complain(render, 0, render->problem,
                        "templates include one another more than %d deep",
                        TEMPLATE_PARTIALS_MAX);
    render->template = template;
    enum result result =
        render_range(render, template->nodes, template->nodes + template->count);
    render->template = before;
    render->partials--;
    return result;
}

/* Calls it, and renders what it gives into `out`. */
static enum result render_lambda(struct render *render, struct buf *out,
                                 const struct lambda *lambda, struct slice text,
                                 struct slice open, struct slice close)
{
    struct buf given = buf_on(out->arena);
    TRY(lambda->call(&given, text.bytes, text.length, lambda->data));
    struct template *template;
    TRY(template_read_with(&template, out->arena, render->template->kind, lambda->name,
                           (struct slice){given.data, given.length}, open, close,
                           render->problem));
    TRY(template_link(template, render->call->library, render->problem));
    struct buf *before = render->out;
    render->out = out;
    enum result result = render_inner(render, template);
    render->out = before;
    return result;
}

static enum result lambda_variable(struct render *render, const struct node *node,
                                   const struct lambda *lambda)
{
    struct buf value = buf_on(render->out->arena);
    size_t indent = render->indent.length;
    render->indent.length = 0;
    enum result result = render_lambda(render, &value, lambda, (struct slice){0},
                                       (struct slice){"{{", 2}, (struct slice){"}}", 2});
    render->indent.length = indent;
    escape_value(render->out, node->escape, value.data, value.length);
    return result;
}

/* Nodes. */

static enum result render_variable(struct render *render, const struct node *node)
{
    const json_t *value = look_up(render, node->path);
    start_line(render);
    if (value == NULL) {
        const struct lambda *lambda = find_lambda(render, node);
        if (lambda != NULL)
            return lambda_variable(render, node, lambda);
        return strict(render) ? missing(render, node, node->text) : OK;
    }
    if (json_is_object(value) || json_is_array(value)) {
        if (strict(render))
            return COMPLAIN(render, node, "'%.*s' is a list or an object, not a text",
                            (int)node->text.length, node->text.bytes);
        return OK;
    }
    if (!json_is_null(value))
        write_scalar(render->out, node->escape, value);
    return OK;
}

static enum result render_in(struct render *render, const struct node *node,
                             json_t *context)
{
    /* One a range: there is room. */
    render->contexts[render->depth++] = context;
    enum result result = render_range(render, node + 1, node + node->span);
    render->depth--;
    return result;
}

static enum result section_lambda(struct render *render, const struct node *node,
                                  const struct lambda *lambda)
{
    struct slice text = {render->template->source.bytes + node->inside.from,
                         node->inside.to - node->inside.from};
    return render_lambda(render, render->out, lambda, text, node->inside.open,
                         node->inside.close);
}

static enum result render_section(struct render *render, const struct node *node)
{
    json_t *value = look_up(render, node->path);
    if (value == NULL) {
        const struct lambda *lambda = find_lambda(render, node);
        if (lambda != NULL)
            return section_lambda(render, node, lambda);
        return strict(render) ? missing(render, node, node->text) : OK;
    }
    if (!truthy(value))
        return OK;
    if (!json_is_array(value))
        return render_in(render, node, value);
    size_t count = json_array_size(value);
    for (size_t i = 0; i < count; i++)
        TRY(render_in(render, node, json_array_get(value, i)));
    return OK;
}

static enum result render_inverted(struct render *render, const struct node *node)
{
    const json_t *value = look_up(render, node->path);
    if (value == NULL && find_lambda(render, node) != NULL)
        return OK;
    if (value == NULL && strict(render))
        return missing(render, node, node->text);
    return truthy(value) ? OK : render_range(render, node + 1, node + node->span);
}

/* The whole name of a dynamic partial or message, from a text or an integer; NULL text:
 * nothing to name. */
static enum result dynamic_name(struct render *render, const struct node *node,
                                struct slice *name)
{
    const json_t *value = look_up(render, node->path);
    *name = (struct slice){0};
    if (!json_is_string(value) && !json_is_integer(value)) {
        if (strict(render))
            return COMPLAIN(render, node, "the name behind '%.*s*' is %s",
                            (int)node->text.length, node->text.bytes,
                            value == NULL ? "not in the document" : "not a text");
        return OK;
    }
    struct buf whole = buf_on(render->out->arena);
    buf_append(&whole, node->text.bytes, node->text.length);
    write_scalar(&whole, ESCAPE_NONE, value);
    *name = (struct slice){whole.data, whole.length};
    return OK;
}

static enum result find_target(struct render *render, const struct node *node,
                               const struct template **target)
{
    *target = node->target;
    if (!node->dynamic)
        return OK;
    struct slice name;
    TRY(dynamic_name(render, node, &name));
    *target = name.bytes != NULL
                  ? library_partial(render->call->library, render->template->kind, name)
                  : NULL;
    if (*target == NULL && strict(render))
        return COMPLAIN(render, node, "there is no template '%.*s'", (int)name.length,
                        name.bytes);
    return OK;
}

static enum result render_partial(struct render *render, const struct node *node)
{
    const struct template *target;
    struct frame frame = {render->frame, render->template, node};
    TRY(find_target(render, node, &target));
    if (target == NULL)
        return OK;
    if (render->partials == TEMPLATE_PARTIALS_MAX)
        return COMPLAIN(render, node, "templates include one another more than %d deep",
                        TEMPLATE_PARTIALS_MAX);
    size_t indent = render->indent.length;
    if (node->indent.length > 0) {
        buf_append(&render->indent, node->indent.bytes, node->indent.length);
        render->line_start = true;
    }
    if (node->kind == NODE_PARENT)
        render->frame = &frame;
    enum result result = render_inner(render, target);
    render->frame = frame.outer;
    render->indent.length = indent;
    return result;
}

/* The outermost parent that has the block decides; NULL: the default. */
static const struct node * override(const struct render *render, const struct node *block,
                                    const struct frame **found)
{
    const struct node *best = NULL;
    for (const struct frame *frame = render->frame; frame != NULL; frame = frame->outer) {
        const struct node *end = frame->parent + frame->parent->span;
        for (const struct node *node = frame->parent + 1; node < end; node += node->span)
            if (node->kind == NODE_BLOCK && slice_equal(node->text, block->text)) {
                best = node;
                *found = frame;
            }
    }
    return best;
}

static enum result render_block(struct render *render, const struct node *node)
{
    const struct frame *frame = NULL;
    const struct node *content = override(render, node, &frame);
    size_t indent = render->indent.length;
    if (node->indent.length > 0 && (content != NULL || node->alone)) {
        /* Inside a line, the line has begun. */
        bool begun = !node->alone || (indent > 0 && !render->line_start);
        buf_append(&render->indent, node->indent.bytes, node->indent.length);
        render->line_start = !begun;
    }
    enum result result;
    if (content == NULL) {
        result = render_range(render, node + 1, node + node->span);
    } else {
        const struct template *template = render->template;
        const struct frame *before = render->frame;
        render->template = frame->template;
        render->frame = frame->outer;
        result = render_range(render, content + 1, content + content->span);
        render->template = template;
        render->frame = before;
    }
    render->indent.length = indent;
    return result;
}

static const json_t *count_of(const struct render *render)
{
    static const struct slice count = {"count", 5};
    return look_up(render, (struct path){&count, 1});
}

static enum result render_message(struct render *render, const struct node *node)
{
    const struct message *message = node->message;
    struct slice key = node->text;
    if (node->dynamic) {
        TRY(dynamic_name(render, node, &key));
        message = library_message(render->call->library, key);
    }
    enum language language = render->call->language;
    const struct template *form =
        message == NULL
            ? NULL
            : message_form(message, language, render->template->kind == TEMPLATE_HTML,
                           message->plural ? count_of(render) : NULL);
    if (form == NULL)
        return message != NULL && message->plural
                   ? COMPLAIN(render, node, "message '%.*s' needs a number named 'count'",
                              (int)key.length, key.bytes)
                   : COMPLAIN(render, node, "i18n/%s.json has no message '%.*s'",
                              language_codes[language], (int)key.length, key.bytes);
    start_line(render);
    size_t indent = render->indent.length;
    render->indent.length = 0;
    enum result result = render_inner(render, form);
    render->indent.length = indent;
    return result;
}

static enum result render_node(struct render *render, const struct node *node)
{
    switch (node->kind) {
    case NODE_TEXT:
        render_text(render, node->text);
        return OK;
    case NODE_VARIABLE:
        return render_variable(render, node);
    case NODE_SECTION:
        return render_section(render, node);
    case NODE_INVERTED:
        return render_inverted(render, node);
    case NODE_PARTIAL:
    case NODE_PARENT:
        return render_partial(render, node);
    case NODE_BLOCK:
        return render_block(render, node);
    case NODE_MESSAGE:
        return render_message(render, node);
    }
    return FAILED;
}

static enum result render_range(struct render *render, const struct node *from,
                                const struct node *to)
{
    if (render->open == TEMPLATE_OPEN_MAX)
        return complain(render, from < to ? from->at : 0, render->problem,
                        "more than %d sections are open", TEMPLATE_OPEN_MAX);
    render->open++;
    for (const struct node *node = from; node < to; node += node->span) {
        TRY(render_node(render, node));
        if (++render->steps > TEMPLATE_STEPS_MAX || render->out->length > render->limit)
            return COMPLAIN(render, node, "the page grows without end (%zu bytes)",
                            render->out->length);
    }
    render->open--;
    return OK;
}

enum result template_render(const struct template *template, struct buf *out,
                            json_t *document, const struct template_call *call,
                            struct template_problem *problem)
{
    struct render render;
    render.out = out;
    render.call = call;
    render.template = template;
    render.frame = NULL;
    render.indent = buf_on(out->arena);
    render.line_start = true;
    render.partials = 0;
    render.open = 0;
    render.steps = 0;
    render.limit = out->length + (call->limit > 0 ? call->limit : TEMPLATE_OUTPUT_MAX);
    render.depth = 1;
    render.problem = problem;
    render.contexts[0] = document;
    return render_range(&render, template->nodes, template->nodes + template->count);
}
