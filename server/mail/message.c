/* Mails written out; see message.h. */
#include "server/mail/message.h"

#include "server/base/utf8.h"
#include "server/mail/text.h"

#include <sodium.h>

enum {
    LINE = 76,         /* of an encoded part, RFC 2045 6.7 and 6.8 */
    WORD_BYTES = 42,   /* of text in one encoded word: "=?UTF-8?B?" 56 "?=" */
    PLAIN_LONGEST = 60 /* a name or subject that is left as it is */
};

bool message_address_fit(const char *address)
{
    const char *at = strchr(address, '@');
    if (at == NULL || at == address || at - address > 64 || at[1] == '\0' ||
        strchr(at + 1, '@') != NULL || strlen(address) > 254 || *address == '-')
        return false;
    for (const char *c = address; *c != '\0'; c++)
        if (*c <= ' ' || *c >= 0x7f || strchr("<>()[],;:\\\"", *c) != NULL)
            return false;
    return true;
}

static void base64(struct buf *out, const char *bytes, size_t length)
{
    size_t size = sodium_base64_ENCODED_LEN(length, sodium_base64_VARIANT_ORIGINAL);
    buf_reserve(out, size);
    sodium_bin2base64(out->data + out->length, size, (const unsigned char *)bytes, length,
                      sodium_base64_VARIANT_ORIGINAL);
    out->length += size - 1;
}

/* Characters are kept whole: RFC 2047 5 (3). */
static void encoded_words(struct buf *out, const char *text)
{
    size_t length = strlen(text), at = 0, size;
    while (at < length) {
        size_t end = at;
        while (end < length) {
            utf8_next(text + end, length - end, &size);
            if (end + size - at > WORD_BYTES)
                break;
            end += size;
        }
        buf_string(out, at > 0 ? "\r\n =?UTF-8?B?" : "=?UTF-8?B?");
        base64(out, text + at, end - at);
        buf_string(out, "?=");
        at = end;
    }
}

/* Fit to be left as it is? */
static bool plain(const char *text)
{
    size_t length = 0;
    for (; text[length] != '\0'; length++)
        if (text[length] < ' ' || text[length] >= 0x7f)
            return false;
    return length <= PLAIN_LONGEST && strstr(text, "=?") == NULL;
}

static void mailbox(struct buf *out, const char *field, const char *name,
                    const char *address)
{
    buf_print(out, "%s: ", field);
    name = name != NULL ? mail_line(name) : "";
    if (*name != '\0' && plain(name)) {
        buf_char(out, '"');
        for (; *name != '\0'; name++) {
            if (*name == '"' || *name == '\\')
                buf_char(out, '\\');
            buf_char(out, *name);
        }
        buf_string(out, "\"\r\n ");
    } else if (*name != '\0') {
        encoded_words(out, name);
        buf_string(out, "\r\n ");
    }
    buf_print(out, "<%s>\r\n", address);
}

/* Text has CR LF between its lines before it is encoded: RFC 2046 4.1.1. */
static struct buf canonical(const char *text)
{
    struct buf out = buf_on(arena_current());
    for (; *text != '\0'; text++) {
        if (*text == '\r')
            continue;
        if (*text == '\n')
            buf_char(&out, '\r');
        buf_char(&out, *text);
    }
    return out;
}

static void base64_lines(struct buf *out, const struct buf *text)
{
    enum { PIECE = LINE / 4 * 3 };
    for (size_t at = 0; at < text->length; at += PIECE) {
        size_t left = text->length - at;
        base64(out, text->data + at, left < PIECE ? left : PIECE);
        buf_string(out, "\r\n");
    }
}

/* RFC 2045 6.7. A blank before a line end is encoded, and so is a dot that begins a line:
 * not every server undoes its doubling. */
static void quoted_printable(struct buf *out, const struct buf *text)
{
    size_t column = 0;
    for (size_t i = 0; i < text->length; i++) {
        unsigned char c = (unsigned char)text->data[i];
        if (c == '\r' && text->data[i + 1] == '\n') {
            buf_string(out, "\r\n");
            column = 0;
            i++;
            continue;
        }
        bool line_end = i + 1 == text->length || text->data[i + 1] == '\r';
        bool as_is = c > ' ' && c < 0x7f && c != '=' && !(c == '.' && column == 0);
        as_is = as_is || ((c == ' ' || c == '\t') && !line_end);
        size_t width = as_is ? 1 : 3;
        if (column + width > LINE - 1) {
            buf_string(out, "=\r\n");
            column = 0;
            i--; /* again: a dot may come to begin the line */
            continue;
        }
        if (as_is)
            buf_char(out, (char)c);
        else
            buf_print(out, "=%02X", c);
        column += width;
    }
    if (column > 0)
        buf_string(out, "\r\n");
}

static void part(struct buf *out, const char *boundary, const char *type,
                 const char *text)
{
    struct buf bytes = canonical(text);
    size_t wide = 0;
    for (size_t i = 0; i < bytes.length; i++)
        wide += (unsigned char)bytes.data[i] >= 0x7f || bytes.data[i] == '=';
    bool quoted = wide * 6 < bytes.length; /* 1 + 2w against 4/3 */
    buf_print(out, "--%s\r\nContent-Type: %s; charset=utf-8\r\n", boundary, type);
    buf_print(out, "Content-Transfer-Encoding: %s\r\n\r\n",
              quoted ? "quoted-printable" : "base64");
    if (quoted)
        quoted_printable(out, &bytes);
    else
        base64_lines(out, &bytes);
    buf_string(out, "\r\n");
}

static void header(struct buf *out, const struct message *m)
{
    buf_print(out, "Date: %s\r\n", m->date);
    mailbox(out, "From", m->from_name, m->from_address);
    mailbox(out, "To", m->to_name, m->to_address);
    if (m->reply_to != NULL && message_address_fit(m->reply_to))
        mailbox(out, "Reply-To", NULL, m->reply_to);
    buf_string(out, "Subject: ");
    const char *subject = mail_line(m->subject);
    if (plain(subject))
        buf_string(out, subject);
    else
        encoded_words(out, subject);
    buf_print(out, "\r\nMessage-ID: <%s>\r\n", m->message_id);
    buf_print(out, "Content-Language: %s\r\n", m->language);
    buf_string(out, "Auto-Submitted: auto-generated\r\n"); /* RFC 3834 */
    if (m->stop_url != NULL)
        buf_print(out,
                  "List-Unsubscribe: <%s>\r\n"
                  "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n",
                  m->stop_url);
}

enum result message_write(struct buf *out, const struct message *m)
{
    /* Neither encoding ever writes "=_". */
    static const char boundary[] = "=_labd_alternative";
    if (!message_address_fit(m->from_address) || !message_address_fit(m->to_address))
        return INVALID;
    header(out, m);
    buf_print(out,
              "MIME-Version: 1.0\r\nContent-Type: multipart/alternative;\r\n"
              " boundary=\"%s\"\r\n\r\n",
              boundary);
    part(out, boundary, "text/plain", m->text);
    part(out, boundary, "text/html", m->html);
    buf_print(out, "--%s--\r\n", boundary);
    return OK;
}
