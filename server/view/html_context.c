/* The HTML tokenizer, as much of it as tells one place from another: HTML Living
 * Standard, 13.2.5, without character references. See html_context.h. */
#include "server/view/html_context.h"

#include <string.h>

static bool space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool letter(char c)
{
    return lower(c) >= 'a' && lower(c) <= 'z';
}

static bool one_of(const char *name, size_t length, const char *const names[])
{
    for (; *names != NULL; names++)
        if (strlen(*names) == length && memcmp(*names, name, length) == 0)
            return true;
    return false;
}

static void name_begin(struct html_context *context, char c)
{
    context->name[0] = lower(c);
    context->name_length = 1;
}

/* A name longer than the space is cut; none that matters is so long. */
static void name_add(struct html_context *context, char c)
{
    if (context->name_length < sizeof context->name)
        context->name[context->name_length++] = lower(c);
}

static enum html_attribute attribute_kind(const char *name, size_t length)
{
    static const char *const refused[] = {"style", "srcdoc", "imagesrcset", NULL};
    static const char *const urls[] = {"src",      "action",   "formaction", "poster",
                                       "cite",     "data",     "background", "ping",
                                       "manifest", "longdesc", "codebase",   NULL};
    static const char *const hrefs[] = {"href", "xlink:href", NULL};
    if ((length >= 2 && memcmp(name, "on", 2) == 0) || one_of(name, length, refused))
        return HTML_REFUSED;
    if (one_of(name, length, hrefs))
        return HTML_HREF;
    if (length == strlen("srcset") && memcmp(name, "srcset", length) == 0)
        return HTML_SRCSET;
    return one_of(name, length, urls) ? HTML_URL : HTML_PLAIN;
}

static void element_named(struct html_context *context)
{
    memcpy(context->element, context->name, context->name_length);
    context->element_length = context->name_length;
}

static void tag_end(struct html_context *context)
{
    static const char *const raw[] = {"script",  "style",    "xmp",       "iframe",
                                      "noembed", "noframes", "plaintext", NULL};
    bool opens_raw =
        !context->closing && one_of(context->element, context->element_length, raw);
    context->place = opens_raw ? HTML_RAW : HTML_TEXT;
    context->match = 0;
}

static void value_begin(struct html_context *context, enum html_place place, char quote)
{
    context->place = place;
    context->quote = quote;
    context->attribute = attribute_kind(context->name, context->name_length);
    context->url = HTML_URL_START;
    context->match = 0;
}

static void step_tag_open(struct html_context *context, char c)
{
    if (c == '!' || c == '?') {
        context->place = HTML_DECLARATION;
        context->match = c == '!' ? 0 : 3;
    } else if (c == '/' && !context->closing) {
        context->closing = true;
    } else if (letter(c)) {
        context->place = HTML_TAG_NAME;
        name_begin(context, c);
    } else if (context->closing && c != '>') {
        context->place = HTML_DECLARATION; /* "</" that names nothing: to the next ">" */
        context->match = 3;
    } else if (c != '<') {
        context->place = HTML_TEXT; /* a "<" that begins nothing */
    }
}

static void step_name(struct html_context *context, char c)
{
    bool element = context->place == HTML_TAG_NAME;
    if (element && (space(c) || c == '/' || c == '>'))
        element_named(context);
    if (c == '>')
        tag_end(context);
    else if (c == '/')
        context->place = HTML_BETWEEN;
    else if (space(c))
        context->place = element ? HTML_BETWEEN : HTML_BEHIND_NAME;
    else if (c == '=' && !element)
        context->place = HTML_BEFORE_VALUE;
    else
        name_add(context, c);
}

static const char *step_between(struct html_context *context, char c)
{
    if (c == '>') {
        tag_end(context);
    } else if (c == '=' && context->place == HTML_BEHIND_NAME) {
        context->place = HTML_BEFORE_VALUE;
    } else if (c == '=') {
        return "there is an '=' without the name of an attribute";
    } else if (space(c) || c == '/') {
        if (context->place != HTML_BEHIND_NAME || c == '/')
            context->place = HTML_BETWEEN;
    } else if (context->place == HTML_NAME_ENDED) {
        return "white space is missing behind a tag of the template";
    } else {
        context->place = HTML_ATTRIBUTE_NAME;
        name_begin(context, c);
    }
    return NULL;
}

static void step_before_value(struct html_context *context, char c)
{
    if (space(c))
        return;
    if (c == '>')
        tag_end(context);
    else if (c == '"' || c == '\'')
        value_begin(context, HTML_VALUE, c);
    else
        value_begin(context, HTML_BARE_VALUE, '\0');
}

static void step_value(struct html_context *context, char c)
{
    static const char mailto[] = "mailto:";
    if (c == context->quote) {
        context->place = HTML_BEHIND_VALUE;
        return;
    }
    bool from_start = context->url == HTML_URL_START || context->match > 0;
    if (context->url != HTML_URL_ADDRESS)
        context->url = HTML_URL_BEGUN;
    if (from_start && context->match < sizeof mailto - 1 &&
        lower(c) == mailto[context->match])
        context->match++;
    else
        context->match = 0;
    if (context->match == sizeof mailto - 1)
        context->url = HTML_URL_ADDRESS;
}

static void step_bare_value(struct html_context *context, char c)
{
    if (c == '>')
        tag_end(context);
    else if (space(c))
        context->place = HTML_BETWEEN;
}

static void step_declaration(struct html_context *context, char c)
{
    if (context->match < 2 && c == '-') {
        if (++context->match == 2) {
            context->place = HTML_COMMENT;
            context->match = 0;
        }
        return;
    }
    context->match = 3;
    if (c == '>')
        context->place = HTML_TEXT;
}

static void step_comment(struct html_context *context, char c)
{
    if (c == '>' && context->match >= 2)
        context->place = HTML_TEXT;
    else if (c == '-')
        context->match = context->match < 2 ? context->match + 1 : 2;
    else
        context->match = 0;
}

/* Looks for "</element". */
static void step_raw(struct html_context *context, char c)
{
    size_t at = context->match;
    if (at >= 2 && at == context->element_length + 2u) {
        if (space(c) || c == '/' || c == '>') {
            context->closing = true;
            context->place = HTML_BETWEEN;
            if (c == '>')
                tag_end(context);
            return;
        }
        context->match = 0;
        at = 0;
    }
    char wanted = at == 0 ? '<' : at == 1 ? '/' : context->element[at - 2];
    if (lower(c) == wanted)
        context->match++;
    else
        context->match = c == '<';
}

static const char *step(struct html_context *context, char c)
{
    switch (context->place) {
    case HTML_TEXT:
        if (c == '<') {
            context->place = HTML_TAG_OPEN;
            context->closing = false;
        }
        break;
    case HTML_TAG_OPEN:
        step_tag_open(context, c);
        break;
    case HTML_TAG_NAME:
    case HTML_ATTRIBUTE_NAME:
        step_name(context, c);
        break;
    case HTML_BETWEEN:
    case HTML_NAME_ENDED:
    case HTML_BEHIND_NAME:
        return step_between(context, c);
    case HTML_BEFORE_VALUE:
        step_before_value(context, c);
        break;
    case HTML_VALUE:
        step_value(context, c);
        break;
    case HTML_BARE_VALUE:
        step_bare_value(context, c);
        break;
    case HTML_BEHIND_VALUE:
        context->place = HTML_BETWEEN;
        return step_between(context, c);
    case HTML_DECLARATION:
        step_declaration(context, c);
        break;
    case HTML_COMMENT:
        step_comment(context, c);
        break;
    case HTML_RAW:
        step_raw(context, c);
        break;
    }
    return NULL;
}

const char *html_context_text(struct html_context *context, const char *text,
                              size_t length, size_t *at)
{
    for (size_t i = 0; i < length; i++) {
        const char *reason = step(context, text[i]);
        *at = i;
        if (reason != NULL)
            return reason;
    }
    return NULL;
}

static const char *refusal(const struct html_context *context)
{
    switch (context->place) {
    case HTML_TEXT:
        return NULL;
    case HTML_VALUE:
        if (context->attribute == HTML_REFUSED ||
            (context->attribute == HTML_SRCSET && context->url != HTML_URL_BEGUN))
            return "no tag may stand in this attribute (on..., style, srcset, srcdoc)";
        return NULL;
    case HTML_TAG_OPEN:
    case HTML_TAG_NAME:
        return "no tag may stand in the name of an element";
    case HTML_BETWEEN:
    case HTML_NAME_ENDED:
    case HTML_ATTRIBUTE_NAME:
    case HTML_BEHIND_NAME:
    case HTML_BEHIND_VALUE:
        return "no value may stand in the name of an attribute";
    case HTML_BEFORE_VALUE:
    case HTML_BARE_VALUE:
        return "the value of the attribute must be in quotes";
    case HTML_DECLARATION:
    case HTML_COMMENT:
        return "no tag may stand in an HTML comment or declaration";
    case HTML_RAW:
        return "no tag may stand in <script>, <style> and the like";
    }
    return NULL;
}

static const char *url_variable(struct html_context *context, enum escape *escape)
{
    switch (context->url) {
    case HTML_URL_START:
        *escape = context->attribute == HTML_HREF ? ESCAPE_HREF : ESCAPE_URL;
        break;
    case HTML_URL_BEGUN:
        *escape = ESCAPE_COMPONENT;
        break;
    case HTML_URL_ADDRESS:
        *escape = ESCAPE_ADDRESS;
        break;
    case HTML_URL_UNSURE:
        return "the URL begins before this value in some branches only";
    }
    if (context->url == HTML_URL_START)
        context->url = HTML_URL_BEGUN;
    context->match = 0;
    return NULL;
}

const char *html_context_variable(struct html_context *context, bool raw,
                                  enum escape *escape)
{
    const char *reason = refusal(context);
    if (reason != NULL)
        return reason;
    *escape = raw ? ESCAPE_NONE : ESCAPE_HTML;
    if (context->place != HTML_VALUE)
        return NULL;
    if (raw)
        return "HTML may not stand in an attribute";
    return context->attribute == HTML_PLAIN ? NULL : url_variable(context, escape);
}

const char *html_context_message(struct html_context *context)
{
    const char *reason = refusal(context);
    if (reason == NULL && context->place == HTML_VALUE &&
        context->attribute != HTML_PLAIN)
        return "a message may not stand in a URL";
    return reason;
}

const char *html_context_section(struct html_context *context)
{
    switch (context->place) {
    case HTML_BEHIND_NAME:
        context->place = HTML_BETWEEN;
        return NULL;
    case HTML_BETWEEN:
    case HTML_NAME_ENDED:
        return NULL;
    case HTML_TAG_NAME:
        if (context->closing)
            return refusal(context);
        element_named(context);
        context->place = HTML_NAME_ENDED;
        return NULL;
    case HTML_ATTRIBUTE_NAME:
    case HTML_BEHIND_VALUE:
        context->place = HTML_NAME_ENDED;
        return NULL;
    case HTML_TEXT:
    case HTML_TAG_OPEN:
    case HTML_BEFORE_VALUE:
    case HTML_VALUE:
    case HTML_BARE_VALUE:
    case HTML_DECLARATION:
    case HTML_COMMENT:
    case HTML_RAW:
        break;
    }
    return refusal(context);
}

static bool in_tag(const struct html_context *context)
{
    return context->place == HTML_BETWEEN || context->place == HTML_NAME_ENDED;
}

static bool same_element(const struct html_context *a, const struct html_context *b)
{
    return a->closing == b->closing && a->element_length == b->element_length &&
           memcmp(a->element, b->element, a->element_length) == 0;
}

const char *html_context_join(struct html_context *context,
                              const struct html_context *before)
{
    const char *reason = html_context_section(context);
    if (reason != NULL)
        return reason;
    if (context->place == HTML_TEXT && before->place == HTML_TEXT)
        return NULL;
    if (in_tag(context) && in_tag(before) && same_element(context, before)) {
        if (before->place == HTML_NAME_ENDED)
            context->place = HTML_NAME_ENDED;
        return NULL;
    }
    if (context->place != HTML_VALUE || before->place != HTML_VALUE ||
        context->quote != before->quote || context->attribute != before->attribute)
        return "the section must end where it began: in the text, in the same tag or in "
               "the same value";
    if (context->url != before->url)
        context->url = HTML_URL_UNSURE;
    context->match = 0;
    return NULL;
}

const char *html_context_whole(const struct html_context *context)
{
    if (context->place == HTML_TEXT)
        return NULL;
    return "partials, parents and the end of the file must stand outside of HTML tags";
}
