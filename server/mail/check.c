/* Whether an admin's words may go out: they are read, and filled in twice, with every
 * value and with none but the link, so that no section can hide a fault. */
#include "server/mail/text.h"

#include "server/base/buf.h"
#include "server/base/document.h"
#include "server/base/utf8.h"
#include "server/view/view.h"

#include <ctype.h>
#include <strings.h>

static void add_error(json_t *errors, const char *field, const char *code,
                      const char *near)
{
    json_t *error = json_pack("{s:s,s:s}", "field", field, "code", code);
    if (near != NULL)
        json_object_set_new(error, "near", json_string(near));
    json_array_append_new(errors, error);
}

static bool listed(const char *list, const char *name, size_t length)
{
    for (const char *at = list; *at != '\0'; at += strspn(at, " ")) {
        size_t size = strcspn(at, " ");
        if (size == length && strncmp(at, name, length) == 0)
            return true;
        at += size;
    }
    return false;
}

/* NULL: every tag names something known; else the name of the first that does not. *odd:
 * a tag is of a sort that a mail has no use for. */
static const char *unknown_name(const char *text, const char *names, bool *odd)
{
    *odd = false;
    for (const char *at = strstr(text, "{{"); at != NULL; at = strstr(at, "{{")) {
        const char *close = strstr(at, "}}");
        if (close == NULL)
            return *odd = true, NULL;
        at += 2;
        bool comment = *at == '!';
        if (*at == '#' || *at == '^' || *at == '/')
            at++;
        else if (strchr("=>{&<$*%", *at) != NULL)
            return *odd = true, NULL;
        while (at < close && isspace((unsigned char)*at))
            at++;
        const char *end = close;
        while (end > at && isspace((unsigned char)end[-1]))
            end--;
        if (!comment && !listed(names, at, (size_t)(end - at)))
            return arena_copy(arena_current(), at, (size_t)(end - at));
        at = close + 2;
    }
    return NULL;
}

static bool has_personal_link(const char *text)
{
    return strcasestr(text, "/sign-in/link/") != NULL ||
           strcasestr(text, "/mail/stop/") != NULL;
}

static void check_part(json_t *errors, const char *field, const char *text,
                       const char *names, size_t longest)
{
    bool odd;
    size_t length = strlen(text);
    if (text[strspn(text, " \t\r\n")] == '\0') {
        add_error(errors, field, "required", NULL);
        return;
    }
    if (utf8_length(text, length) > longest) {
        add_error(errors, field, "too_long", NULL);
        json_t *error = json_array_get(errors, json_array_size(errors) - 1);
        json_object_set_new(error, "max", json_integer((json_int_t)longest));
    }
    const char *unknown = unknown_name(text, names, &odd);
    if (odd)
        add_error(errors, field, "mail_syntax", NULL);
    else if (unknown != NULL)
        add_error(errors, field, "mail_placeholder",
                  arena_print(arena_current(), "{{%s}}", unknown));
    if (has_personal_link(text))
        add_error(errors, field, "mail_personal_link", NULL);
}

/* Values with nothing in them but the link. */
static json_t *bare(const json_t *values)
{
    json_t *none = json_object();
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)values, key, value)
    {
        bool kept = strcmp(key, "link") == 0 || strcmp(key, "code") == 0;
        json_object_set(none, key, kept ? value : json_null());
    }
    return none;
}

static void check_filled(json_t *errors, const struct mail_kind *kind,
                         const struct mail_words *words)
{
    json_t *full = mail_text_example(kind, ENGLISH);
    json_t *cases[] = {full, bare(full)};
    for (size_t i = 0; i < 2 && json_array_size(errors) == 0; i++) {
        struct mail_words filled;
        if (mail_text_fill(&filled, words, cases[i]) != OK)
            add_error(errors, "body", "mail_syntax", NULL);
        else if (kind->linked && strstr(filled.body, "{{link}}") == NULL)
            add_error(errors, "body", "mail_link", "{{link}}");
        else if (*filled.subject == '\0')
            add_error(errors, "subject", "required", NULL);
    }
}

enum result mail_text_check(json_t **errors, const struct mail_kind *kind,
                            const char *subject, const char *body)
{
    struct mail_words words = {subject, body};
    *errors = json_array();
    check_part(*errors, "subject", subject,
               listed(kind->placeholders, "collection", strlen("collection"))
                   ? "name lab collection"
                   : "name lab",
               MAIL_SUBJECT_MAX);
    check_part(*errors, "body", body, kind->placeholders, MAIL_BODY_MAX);
    if (json_array_size(*errors) == 0)
        check_filled(*errors, kind, &words);
    return json_array_size(*errors) == 0 ? OK : INVALID;
}

enum result mail_edit_check(json_t **errors, bool linked, const char *subject,
                            const char *body)
{
    *errors = json_array();
    check_part(*errors, "subject", subject, "", MAIL_SUBJECT_MAX);
    check_part(*errors, "body", body, linked ? "link code" : "", MAIL_BODY_MAX);
    if (linked && json_array_size(*errors) == 0 && strstr(body, "{{link}}") == NULL)
        add_error(*errors, "body", "mail_link", "{{link}}");
    return json_array_size(*errors) == 0 ? OK : INVALID;
}

json_t *mail_text_example(const struct mail_kind *kind, enum language language)
{
    json_t *values = json_object();
    for (const char *at = kind->placeholders; *at != '\0'; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        const char *name = arena_copy(arena_current(), at, length), *text = name;
        if (strcmp(name, "link") == 0 || strcmp(name, "code") == 0)
            text = arena_print(arena_current(), "{{%s}}", name);
        else if (mail_view() != NULL)
            text =
                view_message(mail_view(), language,
                             arena_print(arena_current(), "%s%s", "mail.example.", name));
        json_object_set_new(values, name, json_string(text));
        at += length;
    }
    return values;
}
