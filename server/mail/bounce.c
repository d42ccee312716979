/* Reading what came back, line by line and without a MIME parser: the fields that matter
 * stand at the beginning of lines in every form of it, and a part of a report is never
 * encoded (RFC 3462, RFC 2046 5.2.1). See bounce.h. */
#include "server/mail/bounce.h"

#include "server/base/buf.h"
#include "server/base/percent.h"
#include "server/base/utf8.h"
#include "server/mail/text.h"

#include <ctype.h>
#include <stdbool.h>

enum { ID_LONGEST = 320, WORDS_LONGEST = 300, VALUE_LONGEST = 4096 };

/* A C string with LF alone at line ends. */
static const char *plain_text(struct slice message)
{
    struct buf out = buf_on(arena_current());
    size_t length = message.length < BOUNCE_BYTES ? message.length : BOUNCE_BYTES;
    buf_reserve(&out, length + 1);
    for (size_t i = 0; i < length; i++) {
        char c = message.bytes[i];
        if (c == '\r' && i + 1 < length && message.bytes[i + 1] == '\n')
            continue;
        buf_char(&out, c == '\0' ? ' ' : c == '\r' ? '\n' : c);
    }
    return out.data;
}

/* Quoted-printable undone, wherever it looks like it. */
static const char *unquoted(const char *text)
{
    struct buf out = buf_on(arena_current());
    buf_reserve(&out, strlen(text) + 1);
    while (*text != '\0') {
        int high = *text == '=' ? hex_digit(text[1]) : -1;
        int low = high >= 0 ? hex_digit(text[2]) : -1;
        if (*text == '=' && text[1] == '\n') {
            text += 2;
        } else if (low >= 0 && high * 16 + low != 0) {
            buf_char(&out, (char)(high * 16 + low));
            text += 3;
        } else {
            buf_char(&out, *text++);
        }
    }
    return out.data;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line == '\n' ? line + 1 : NULL;
}

/* Does the line begin with this field? Then its value, unfolded. */
static const char *field_at(const char *line, const char *name)
{
    size_t length = strlen(name);
    struct buf value = buf_on(arena_current());
    if (strncasecmp(line, name, length) != 0 || line[length] != ':')
        return NULL;
    for (line += length + 1; *line != '\0' && value.length < VALUE_LONGEST; line++) {
        if (*line == '\n' && line[1] != ' ' && line[1] != '\t')
            break;
        buf_char(&value, *line);
    }
    return mail_line(value.data);
}

/* The first field of that name from `text` on, up to `end` (NULL: to the end). */
static const char *find_field(const char *text, const char *end, const char *name)
{
    for (const char *line = text; line != NULL && (end == NULL || line < end);
         line = next_line(line)) {
        const char *value = field_at(line, name);
        if (value != NULL)
            return value;
    }
    return NULL;
}

/* The id that begins at `text` with "<labd."; NULL: none does. */
static const char *id_at(const char *text)
{
    size_t length = 0;
    if (strncmp(text, "<labd.", 6) != 0)
        return NULL;
    for (text++;
         text[length] > ' ' && text[length] < 0x7f && strchr("<>", text[length]) == NULL;)
        if (++length > ID_LONGEST)
            return NULL;
    bool whole = text[length] == '>' && memchr(text, '@', length) != NULL;
    return whole ? arena_copy(arena_current(), text, length) : NULL;
}

static const char *first_id(const char *text)
{
    for (; (text = strchr(text, '<')) != NULL; text++) {
        const char *id = id_at(text);
        if (id != NULL)
            return id;
    }
    return NULL;
}

/* In a quoted head: "Message-ID: <labd....>", behind marks of quoting, maybe folded. */
static const char *quoted_id(const char *body)
{
    for (const char *line = body; line != NULL; line = next_line(line)) {
        const char *at = line + strspn(line, "> \t|");
        if (strncasecmp(at, "message-id:", 11) != 0)
            continue;
        at += 11;
        at += strspn(at, "> \t\n|");
        const char *id = id_at(at);
        if (id != NULL)
            return id;
    }
    return NULL;
}

static bool has(const char *text, const char *word)
{
    return text != NULL && strcasestr(text, word) != NULL;
}

/* The text in one line, well-formed, not too long. */
static const char *shown(const char *text)
{
    char *copy = arena_string(arena_current(), text);
    bool valid = utf8_valid(copy, strlen(copy));
    for (char *c = copy; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || (!valid && (unsigned char)*c >= 0x7f))
            *c = *c == '\n' || *c == '\t' ? ' ' : '?';
    const char *line = mail_line(copy);
    size_t length = strlen(line), end = 0, size;
    while (end < length) {
        utf8_next(line + end, length - end, &size);
        if (end + size > WORDS_LONGEST)
            break;
        end += size;
    }
    return arena_copy(arena_current(), line, end);
}

/* The fields of all recipients: one that failed decides. */
static void read_report(struct bounce *bounce, const char *report)
{
    const char *status = NULL, *diagnosis = NULL, *action;
    const char *end = strstr(report, "\n--");
    for (const char *line = report; line != NULL && (end == NULL || line < end);
         line = next_line(line)) {
        if ((action = field_at(line, "Action")) == NULL)
            continue;
        if (strncasecmp(action, "failed", 6) == 0)
            bounce->kind = BOUNCE_FAILED;
        else if (strncasecmp(action, "delayed", 7) == 0 && bounce->kind == BOUNCE_NONE)
            bounce->kind = BOUNCE_DELAYED;
    }
    status = find_field(report, end, "Status");
    diagnosis = find_field(report, end, "Diagnostic-Code");
    bounce->words =
        shown(arena_print(arena_current(), "%s%s%s", status != NULL ? status : "",
                          status != NULL && diagnosis != NULL ? " " : "",
                          diagnosis != NULL ? diagnosis : ""));
}

/* "550 " or "5.1.1" in it? */
static bool tells_failure(const char *line)
{
    size_t length = strcspn(line, "\n");
    for (size_t i = 0; i + 3 <= length; i++) {
        bool begins = i == 0 || !isalnum((unsigned char)line[i - 1]);
        if (!begins || line[i] != '5')
            continue;
        if (isdigit((unsigned char)line[i + 1]) && isdigit((unsigned char)line[i + 2]) &&
            !isalnum((unsigned char)line[i + 3]))
            return true;
        if (line[i + 1] == '.' && isdigit((unsigned char)line[i + 2]) &&
            line[i + 3] == '.')
            return true;
    }
    return false;
}

/* A mail system of the old kind wrote this? People and their vacation notes quote heads
 * as well. */
static bool from_a_system(const char *head, const char *body)
{
    const char *from = find_field(head, body, "From");
    const char *automatic = find_field(head, body, "Auto-Submitted");
    const char *path = find_field(head, body, "Return-Path");
    if (find_field(head, body, "X-Failed-Recipients") != NULL ||
        has(from, "mailer-daemon@") || has(from, "postmaster@"))
        return true;
    return path != NULL && strcmp(path, "<>") == 0 && !has(automatic, "auto-replied");
}

static void read_plain(struct bounce *bounce, const char *head, const char *body)
{
    const char *subject = find_field(head, body, "Subject");
    if (!from_a_system(head, body))
        return;
    bounce->kind = has(subject, "delayed") || has(subject, "warning") ? BOUNCE_DELAYED
                                                                      : BOUNCE_FAILED;
    for (const char *line = body; line != NULL; line = next_line(line))
        if (tells_failure(line)) {
            bounce->words = shown(arena_copy(arena_current(), line, strcspn(line, "\n")));
            return;
        }
}

struct bounce bounce_read(struct slice message)
{
    struct bounce bounce = {BOUNCE_NONE, "", ""};
    const char *head = plain_text(message), *id;
    const char *body = strstr(head, "\n\n");
    if (body == NULL)
        return bounce;
    const char *type = find_field(head, body, "Content-Type");
    const char *report = strcasestr(body, "\ncontent-type: message/delivery-status");
    if (has(type, "multipart/report") && report != NULL) {
        if ((id = first_id(body)) == NULL && (id = first_id(unquoted(body))) == NULL)
            id = first_id(head);
        if (id != NULL)
            read_report(&bounce, report + 1);
    } else {
        if ((id = quoted_id(body)) == NULL)
            id = quoted_id(unquoted(body));
        if (id != NULL)
            read_plain(&bounce, head, body);
    }
    if (id != NULL)
        bounce.message_id = id;
    return bounce;
}
