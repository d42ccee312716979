/* Words of mails: found, filled in, turned into HTML; see text.h. */
#include "server/mail/text.h"

#include "server/base/buf.h"
#include "server/base/config.h"
#include "server/base/file.h"
#include "server/base/log.h"
#include "server/base/utf8.h"
#include "server/view/template.h"
#include "server/view/view.h"

#include <strings.h>

static struct view *templates;

void mail_use(struct view *view)
{
    templates = view;
}

struct view *mail_view(void)
{
    return templates;
}

const struct mail_kind mail_kinds[] = {
    {"invitation",      true,  true,  true,  "name lab collection deadline link code"        },
    {"reminder",        true,  true,  true,  "name lab collection deadline missing link code"},
    {"asked_again",     true,  true,  true,
     "name lab collection deadline missing comment link code"                                },
    {"receipt",         true,  false, true,  "name lab collection deadline link code"        },
    {"returned",        true,  false, true,  "name lab collection deadline comment link code"},
    {"approved",        false, false, true,  "name lab collection comment link code"         },
    {"sign_in",         true,  false, false, "name lab hours link code"                      },
    {"lasting_address", true,  false, false, "name lab address hours link"                   },
    {"test",            false, false, false, "name lab"                                      },
};
const size_t mail_kind_count = sizeof mail_kinds / sizeof *mail_kinds;

const struct mail_kind *mail_kind_find(const char *name)
{
    for (size_t i = 0; i < mail_kind_count; i++)
        if (strcmp(mail_kinds[i].name, name) == 0)
            return &mail_kinds[i];
    return NULL;
}

const char *mail_line(const char *text)
{
    struct buf out = buf_on(arena_current());
    size_t length = strlen(text), size;
    for (size_t at = 0; at < length; at += size) {
        int32_t code = utf8_next(text + at, length - at, &size);
        bool blank = code <= 0x20 || (code >= 0x7f && code <= 0xa0) || code == 0x2028 ||
                     code == 0x2029;
        if (!blank)
            buf_append(&out, text + at, size);
        else if (out.length > 0 && out.data[out.length - 1] != ' ')
            buf_char(&out, ' ');
    }
    if (out.length > 0 && out.data[out.length - 1] == ' ')
        out.data[--out.length] = '\0';
    return out.data;
}

const char *mail_replace(const char *text, const char *mark, const char *with)
{
    struct buf out = buf_on(arena_current());
    for (const char *found; (found = strstr(text, mark)) != NULL;
         text = found + strlen(mark)) {
        buf_append(&out, text, (size_t)(found - text));
        buf_string(&out, with);
    }
    buf_string(&out, text);
    return out.data;
}

static const struct template *no_partial(const struct template_library *library,
                                         enum template_kind kind, const char *name,
                                         size_t length)
{
    (void)library, (void)kind, (void)name, (void)length;
    return NULL;
}

static const struct message *no_message(const struct template_library *library,
                                        const char *key, size_t length)
{
    (void)library, (void)key, (void)length;
    return NULL;
}

static const struct template_library empty_library = {no_partial, no_message};

static enum result fill(const char **out, const char *name, const char *text,
                        json_t *values)
{
    struct template_problem problem = {0};
    struct template *template;
    struct buf filled = buf_on(arena_current());
    struct template_call call = {.library = &empty_library, .limit = 1024 * 1024};
    enum result result = template_read(&template, arena_current(), TEMPLATE_TEXT, name,
                                       text, strlen(text), &problem);
    if (result == OK)
        result = template_link(template, &empty_library, &problem);
    if (result == OK)
        result = template_check(template, &problem);
    if (result == OK)
        result = template_render(template, &filled, values, &call, &problem);
    if (result != OK)
        log_info("mail.words", "part", name, "reason", problem.reason);
    *out = filled.data;
    return result;
}

enum result mail_text_fill(struct mail_words *filled, const struct mail_words *words,
                           json_t *values)
{
    TRY(fill(&filled->subject, "subject", words->subject, values));
    filled->subject = mail_line(filled->subject);
    return fill(&filled->body, "body", words->body, values);
}

/* "Subject: ..." and what stands below it. */
static enum result split(struct mail_words *words, const char *text)
{
    static const char head[] = "Subject: ";
    size_t line = strcspn(text, "\n");
    if (strncmp(text, head, sizeof head - 1) != 0) {
        log_error("mail.no_subject", "text", arena_copy(arena_current(), text, line));
        return FAILED;
    }
    words->subject =
        arena_copy(arena_current(), text + sizeof head - 1, line - (sizeof head - 1));
    text += line;
    words->body = text + strspn(text, "\n");
    return OK;
}

static const char *file_of(const struct mail_kind *kind, enum language language)
{
    return arena_print(arena_current(), "mail/%s.%s.txt", kind->name,
                       language_codes[language]);
}

enum result mail_text_render(struct mail_words *filled, const struct mail_kind *kind,
                             enum language language, json_t *values)
{
    struct buf text = buf_on(arena_current());
    if (templates == NULL) {
        log_error("mail.no_templates");
        return FAILED;
    }
    TRY(view_render(templates, &text, file_of(kind, language), values, language));
    TRY(split(filled, text.data));
    filled->subject = mail_line(filled->subject);
    return OK;
}

enum result mail_text_original(struct mail_words *words, const struct mail_kind *kind,
                               enum language language)
{
    struct buf text = buf_on(arena_current());
    const char *name = file_of(kind, language), *wrong = "no theme";
    if (*config.theme != '\0')
        wrong =
            file_read(&text, arena_print(arena_current(), "%s/%s", config.theme, name),
                      TEMPLATE_SOURCE_MAX);
    if (wrong != NULL)
        wrong = file_read(
            &text, arena_print(arena_current(), "%s/templates/%s", config.home, name),
            TEMPLATE_SOURCE_MAX);
    if (wrong != NULL) {
        log_error("mail.no_file", "name", name, "reason", wrong);
        return FAILED;
    }
    return split(words, text.data);
}

/* Up to where an address that begins at `text` goes; 0: none does. */
static size_t url_length(const char *text)
{
    if (strncmp(text, "https://", 8) != 0 && strncmp(text, "http://", 7) != 0)
        return 0;
    size_t length = 0;
    while ((unsigned char)text[length] > ' ' && (unsigned char)text[length] < 0x7f &&
           strchr("<>\"'`{}|\\^()", text[length]) == NULL)
        length++;
    while (length > 0 && strchr(".,;:!?", text[length - 1]) != NULL)
        length--;
    return length;
}

static json_t *parts_of(const char *line, size_t length)
{
    json_t *parts = json_array();
    size_t from = 0, at = 0;
    while (at < length) {
        size_t url = url_length(line + at);
        if (url == 0) {
            at++;
            continue;
        }
        if (at > from)
            json_array_append_new(
                parts, json_pack("{s:s%,s:n}", "text", line + from, at - from, "url"));
        json_array_append_new(parts,
                              json_pack("{s:n,s:s%}", "text", "url", line + at, url));
        at += url;
        from = at;
    }
    if (from < length)
        json_array_append_new(
            parts, json_pack("{s:s%,s:n}", "text", line + from, length - from, "url"));
    return parts;
}

json_t *mail_text_paragraphs(const char *body)
{
    json_t *paragraphs = json_array(), *lines = NULL;
    while (*body != '\0') {
        size_t length = strcspn(body, "\n"), blank = strspn(body, " \t\r");
        if (blank >= length) {
            lines = NULL;
        } else {
            json_t *line = json_pack("{s:b,s:o}", "more", lines != NULL, "parts",
                                     parts_of(body, length));
            if (lines == NULL) {
                lines = json_array();
                json_array_append_new(paragraphs, json_pack("{s:O}", "lines", lines));
            }
            json_array_append_new(lines, line);
        }
        body += length + (body[length] == '\n');
    }
    return paragraphs;
}

enum result mail_text_html(const char **html, const char *subject, const char *body,
                           enum language language)
{
    struct buf page = buf_on(arena_current());
    json_t *document = json_pack("{s:s,s:s,s:o}", "subject", subject, "html_lang",
                                 language == CHINESE ? "zh-CN" : "en", "paragraphs",
                                 mail_text_paragraphs(body));
    if (templates == NULL || document == NULL) {
        log_error("mail.no_html");
        return FAILED;
    }
    TRY(view_render(templates, &page, "mail/frame.html", document, language));
    *html = page.data;
    return OK;
}
