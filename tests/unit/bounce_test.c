/* Messages that come back, invented in the shapes that mail systems write them. */
#include "server/base/buf.h"
#include "server/mail/bounce.h"

#include <criterion/criterion.h>

#define ID "labd.abcDEF-_0123@lab.example"

static void begin(void)
{
    arena_enter(arena_new());
}

static void end(void)
{
    arena_free(arena_enter(NULL));
}

TestSuite(bounce, .init = begin, .fini = end);

static struct bounce read_text(const char *text)
{
    return bounce_read(slice_of(text));
}

static void expect(const char *what, const char *text, enum bounce_kind kind,
                   const char *words)
{
    struct bounce bounce = read_text(text);
    cr_expect_eq(bounce.kind, kind, "%s: %d", what, bounce.kind);
    if (kind != BOUNCE_NONE)
        cr_expect_str_eq(bounce.message_id, ID, "%s", what);
    if (words != NULL)
        cr_expect_str_eq(bounce.words, words, "%s: %s", what, bounce.words);
}

#define REPORT(report, original)                                                         \
    "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example (Mail Delivery System)\r\n"       \
    "Subject: Undelivered Mail Returned to Sender\r\nMIME-Version: 1.0\r\n"              \
    "Auto-Submitted: auto-replied\r\n"                                                   \
    "Content-Type: multipart/report; report-type=delivery-status;\r\n"                   \
    "\tboundary=\"B1\"\r\n\r\nThis is a MIME-encapsulated message.\r\n\r\n--B1\r\n"      \
    "Content-Type: text/plain\r\n\r\nYour message could not be delivered.\r\n\r\n"       \
    "--B1\r\nContent-Description: Delivery report\r\n"                                   \
    "Content-Type: message/delivery-status\r\n\r\n" report "\r\n--B1\r\n" original       \
    "\r\n--B1--\r\n"

#define ORIGINAL                                                                         \
    "Content-Type: message/rfc822\r\n\r\nFrom: lab@lab.example\r\nTo: a@b.example\r\n"   \
    "Message-ID: <" ID ">\r\nSubject: x\r\n\r\nText with Action: failed in it.\r\n"

Test(bounce, of_a_report_is_what_its_action_says)
{
    expect(
        "failed",
        REPORT("Reporting-MTA: dns; mx.example\r\n\r\n"
               "Final-Recipient: rfc822; a@b.example\r\nAction: failed\r\n"
               "Status: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1\r\n no such user\r\n",
               ORIGINAL),
        BOUNCE_FAILED, "5.1.1 smtp; 550 5.1.1 no such user");
    expect("delayed",
           REPORT("Reporting-MTA: dns; mx.example\r\n\r\nAction: delayed\r\n"
                  "Status: 4.4.1\r\n",
                  ORIGINAL),
           BOUNCE_DELAYED, "4.4.1");
    expect("delivered",
           REPORT("Reporting-MTA: dns; mx.example\r\n\r\nAction: delivered\r\n"
                  "Status: 2.0.0\r\n",
                  ORIGINAL),
           BOUNCE_NONE, NULL);
    expect("expired",
           REPORT("Reporting-MTA: dns; mx.example\r\n\r\naction: FAILED\r\n"
                  "status: 4.4.7\r\n",
                  ORIGINAL),
           BOUNCE_FAILED, "4.4.7");
    expect("one of several",
           REPORT("Reporting-MTA: dns; mx.example\r\n\r\nAction: relayed\r\n\r\n"
                  "Action: delayed\r\n\r\nAction: failed\r\nStatus: 5.2.2\r\n",
                  ORIGINAL),
           BOUNCE_FAILED, "5.2.2");
    expect("headers alone",
           REPORT("Reporting-MTA: dns; mx.example\r\n\r\nAction: failed\r\n",
                  "Content-Type: text/rfc822-headers\r\n\r\n"
                  "Message-ID:\r\n <" ID ">\r\n"),
           BOUNCE_FAILED, "");
    expect("quoted-printable",
           REPORT("Reporting-MTA: dns; mx.example\r\n\r\nAction: failed\r\n",
                  "Content-Type: text/rfc822-headers\r\n"
                  "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
                  "Message-ID: <labd.abcDEF-=5F01=\r\n23@lab.example>\r\n"),
           BOUNCE_FAILED, "");
    expect(
        "somebody else's",
        REPORT("Reporting-MTA: dns; mx.example\r\n\r\nAction: failed\r\n",
               "Content-Type: message/rfc822\r\n\r\nMessage-ID: <other@b.example>\r\n"),
        BOUNCE_NONE, NULL);
}

#define QUOTED                                                                           \
    "\nHi. This is the mail program at mx.example.\n<a@b.example>:\n"                    \
    "550 5.1.1 no mailbox here by that name\n\n--- Below this line is a copy.\n\n"       \
    "Received: from x\nMessage-Id: <" ID ">\nSubject: x\n\nText\n"

Test(bounce, of_the_old_kind_quotes_the_head_and_comes_from_a_mail_system)
{
    expect("daemon", "From: MAILER-DAEMON@mx.example\nSubject: failure notice\n" QUOTED,
           BOUNCE_FAILED, "550 5.1.1 no mailbox here by that name");
    expect("exim",
           "From: Mail Delivery System <Mailer-Daemon@mx.example>\n"
           "X-Failed-Recipients: a@b.example\nAuto-Submitted: auto-replied\n"
           "Subject: Mail delivery failed: returning message to sender\n" QUOTED,
           BOUNCE_FAILED, NULL);
    expect("still trying",
           "From: Mail Delivery System <Mailer-Daemon@mx.example>\n"
           "Subject: Warning: message 1abc-00 delayed 24 hours\n" QUOTED,
           BOUNCE_DELAYED, NULL);
    expect("null sender", "Return-Path: <>\nFrom: system@mx.example\n" QUOTED,
           BOUNCE_FAILED, NULL);
    expect("indented",
           "From: postmaster@mx.example\n\n550 no\n\n > Message-ID:\n >  <" ID ">\n",
           BOUNCE_FAILED, "550 no");
}

Test(bounce, is_no_answer_and_no_vacation_note)
{
    expect("an answer", "From: Ann <ann@b.example>\nSubject: Re: x\n" QUOTED, BOUNCE_NONE,
           NULL);
    expect("vacation",
           "Return-Path: <>\nFrom: Ann <ann@b.example>\nAuto-Submitted: auto-replied\n"
           "In-Reply-To: <" ID ">\n" QUOTED,
           BOUNCE_NONE, NULL);
    expect("ours in its own head only",
           "From: MAILER-DAEMON@mx.example\nMessage-ID: <" ID ">\n\nText\n", BOUNCE_NONE,
           NULL);
    expect("nothing", "", BOUNCE_NONE, NULL);
    expect("no body", "From: MAILER-DAEMON@mx.example\n", BOUNCE_NONE, NULL);
    expect("an id without end", "From: MAILER-DAEMON@mx.example\n\nMessage-ID: <labd.abc",
           BOUNCE_NONE, NULL);
    expect("an id without a host",
           "From: MAILER-DAEMON@mx.example\n\nMessage-ID: <labd.abc>\n", BOUNCE_NONE,
           NULL);
}

/* Bytes of any kind end up as one line that may be stored and shown. */
Test(bounce, words_are_one_line_of_text)
{
    struct bounce bounce =
        read_text(REPORT("Reporting-MTA: dns; mx\r\n\r\nAction: failed\r\n"
                         "Diagnostic-Code: smtp; \xff\x01\x1b[31m\xe6\x9e red\r\n",
                         ORIGINAL));
    cr_expect_str_eq(bounce.words, "smtp; ? [31m?? red", "%s", bounce.words);
    struct buf long_one = buf_on(arena_current());
    for (int i = 0; i < 400; i++)
        buf_string(&long_one, "林");
    const char *text =
        arena_print(arena_current(), REPORT("Action: failed\r\nStatus: %s\r\n", ORIGINAL),
                    long_one.data);
    cr_expect_eq(strlen(read_text(text).words), 300);
}

/* As much as there is room for, in about linear time. */
Test(bounce, hostile_lengths_take_no_time)
{
    static const char *const pieces[] = {"<labd.",   "message-id:",    "\n--",
                                         "Action: ", "\n> ",           "\n\n",
                                         "= \n",     "\ncontent-type:"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        struct buf text = buf_on(arena_current());
        buf_string(&text, "From: MAILER-DAEMON@x\nContent-Type: multipart/report\n\n"
                          "\ncontent-type: message/delivery-status\n");
        while (text.length < BOUNCE_BYTES + 10)
            buf_string(&text, pieces[i]);
        struct bounce bounce = bounce_read((struct slice){text.data, text.length});
        cr_expect_eq(bounce.kind, BOUNCE_NONE);
    }
}
