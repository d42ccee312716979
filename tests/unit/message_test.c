/* Mails as bytes. tests/http/mail.test.mjs has a MIME parser read them; these are the
 * rules that no parser complains of. */
#include "server/mail/message.h"
#include "server/mail/text.h"

#include <criterion/criterion.h>

static struct message usual(void)
{
    return (struct message){.message_id = "labd.x@lab.example",
                            .date = "Mon, 30 Nov 2026 10:00:00 +0000",
                            .from_name = "Tidal Lab",
                            .from_address = "lab@lab.example",
                            .to_name = "Ann",
                            .to_address = "ann@lab.example",
                            .subject = "Hello",
                            .text = "Text\n",
                            .html = "<p>Text</p>\n",
                            .language = "en"};
}

static const char *written(const struct message *message)
{
    struct buf out = buf_on(arena_current());
    cr_assert_eq(message_write(&out, message), OK);
    return out.data;
}

static void begin(void)
{
    arena_enter(arena_new());
}

static void end(void)
{
    arena_free(arena_enter(NULL));
}

TestSuite(message, .init = begin, .fini = end);

/* Lines end with CR LF and nothing else, are short, and are ASCII. */
static void expect_clean(const char *bytes)
{
    size_t column = 0;
    for (const char *c = bytes; *c != '\0'; c++) {
        cr_assert_lt((unsigned char)*c, 0x7f, "%s", bytes);
        cr_assert(*c != '\r' || c[1] == '\n', "%s", bytes);
        cr_assert(*c != '\n' || (c > bytes && c[-1] == '\r'), "%s", bytes);
        column = *c == '\n' ? 0 : column + 1;
        cr_assert_leq(column, 79, "%s", bytes);
    }
}

Test(message, keeps_whatever_a_name_or_subject_holds_in_its_header)
{
    static const char *const hostile[] = {
        "a\r\nBcc: evil@example.org",
        "a\nBcc: evil@example.org",
        "a\rBcc: evil@example.org",
        "\r\n\r\n<html>",
        "=?utf-8?Q?=0D=0ABcc:_evil@example.org?=",
        "林\r\nBcc: evil@example.org",
        "\"<evil@example.org>, \\",
        "a\xe2\x80\xa8 Bcc: evil@example.org",
        "",
        "   ",
    };
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        struct message m = usual();
        m.to_name = m.from_name = m.subject = hostile[i];
        const char *bytes = written(&m);
        expect_clean(bytes);
        cr_expect_null(strstr(bytes, "\nBcc"), "%s", bytes);
        cr_expect_null(strstr(bytes, "\n<html"), "%s", bytes);
        const char *subject = strstr(bytes, "\r\nSubject: ");
        cr_assert_not_null(subject);
    }
}

Test(message, folds_long_names_without_cutting_a_character)
{
    struct message m = usual();
    struct buf name = buf_on(arena_current());
    for (int i = 0; i < 60; i++)
        buf_string(&name, i % 3 == 0 ? "a" : i % 3 == 1 ? "林" : "\xf0\x9f\x8c\x8a");
    m.to_name = m.subject = name.data;
    const char *bytes = written(&m);
    expect_clean(bytes);
    cr_expect_not_null(strstr(bytes, "?=\r\n =?UTF-8?B?"));
}

Test(message, takes_no_address_that_means_more_than_one)
{
    static const char *const fit[] = {"a@b.example", "a+b@b.example", "o'x@b.example"};
    static const char *const unfit[] = {
        "",
        "@",
        "a@",
        "@b",
        "a b@c",
        "a@b@c",
        "a@b>\r\nBcc: x@y",
        "a@b,c@d",
        "<a@b>",
        "a@b\n",
        "\"a\"@b",
        "林@b.example",
        "-oQ@b",
        "a@b;c",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@b"};
    struct buf out = buf_on(arena_current());
    for (size_t i = 0; i < sizeof fit / sizeof *fit; i++)
        cr_expect(message_address_fit(fit[i]), "%s", fit[i]);
    for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++) {
        struct message m = usual();
        m.to_address = unfit[i];
        cr_expect_eq(message_write(&out, &m), INVALID, "%s", unfit[i]);
    }
}

Test(message, encodes_each_line_within_76_characters_and_no_dot_at_its_beginning)
{
    static const char *const texts[] = {
        "short\n", ".\n.\r\n..\nend",          "trailing blank \ntab\t\n",
        "=3D=\n",  "--=_labd_alternative--\n", "From the start\n",
        "\n\n\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct message m = usual();
        m.text = texts[i];
        const char *bytes = written(&m);
        expect_clean(bytes);
        cr_expect_null(strstr(bytes, "\n."), "%s", bytes);
        cr_expect_null(strstr(bytes, " \r\n"), "%s", bytes);
    }
    struct buf text = buf_on(arena_current());
    for (int i = 0; i < 5000; i++)
        buf_string(&text, i % 7 == 0 ? "." : i % 11 == 0 ? "é" : "x");
    struct message m = usual();
    m.text = text.data;
    expect_clean(written(&m));
    cr_expect_null(strstr(written(&m), "\n."));
}

Test(message, says_how_to_stop_it_only_when_it_can_be)
{
    struct message m = usual();
    cr_expect_null(strstr(written(&m), "List-Unsubscribe"));
    m.stop_url = "https://lab.example/mail/stop/x";
    cr_expect_not_null(strstr(written(&m),
                              "List-Unsubscribe: <https://lab.example/mail/stop/x>\r\n"
                              "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"));
}
