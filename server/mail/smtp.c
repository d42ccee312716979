/* Sending by libcurl; see smtp.h. What an answer means depends on how far the
 * conversation had come, which is read from the commands that libcurl sends. */
#include "server/mail/smtp.h"

#include "server/base/config.h"
#include "server/base/log.h"
#include "server/base/utf8.h"
#include "server/mail/message.h"
#include "server/mail/text.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdlib.h>
#include <strings.h>

enum { CONNECT_SECONDS = 30, TALK_SECONDS = 150, WORDS = 400 };

enum phase { GREETING, SENDER, RECIPIENT, DATA };

struct smtp {
    CURL *curl;
    struct smtp_stop stop;
    enum phase phase;
    char answer[WORDS]; /* the last of the server's that was no yes; "" */
    const char *unsent;
    size_t left;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start_curl(void)
{
    curl_global_init(CURL_GLOBAL_DEFAULT);
}

static bool loopback(const char *url)
{
    const char *host = strstr(url, "://");
    static const char *const ours[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t i = 0; host != NULL && i < sizeof ours / sizeof *ours; i++) {
        size_t length = strlen(ours[i]);
        if (strncmp(host + 3, ours[i], length) == 0 &&
            strchr(":/", host[3 + length]) != NULL)
            return true;
    }
    return false;
}

const char *smtp_options_fault(void)
{
    const char *url = config.smtp_url;
    if (*url == '\0')
        return NULL;
    if (strncasecmp(url, "smtp://", 7) != 0 && strncasecmp(url, "smtps://", 8) != 0)
        return "smtp_url must begin with smtp:// or smtps://";
    if (strchr(url, '@') != NULL)
        return "name and password go into smtp_user and smtp_password, not into smtp_url";
    if (!message_address_fit(config.mail_from))
        return "mail_from must be the address that mails come from";
    if (*config.smtp_user != '\0' && *config.smtp_password == '\0')
        return "smtp_user is set, smtp_password is not";
    return NULL;
}

static size_t give(char *space, size_t size, size_t count, void *data)
{
    struct smtp *smtp = data;
    size_t length = size * count < smtp->left ? size * count : smtp->left;
    memcpy(space, smtp->unsent, length);
    smtp->unsent += length;
    smtp->left -= length;
    return length;
}

static size_t hear(char *line, size_t size, size_t count, void *data)
{
    struct smtp *smtp = data;
    size_t length = size * count;
    if (length < 3)
        return length;
    if (line[0] == '4' || line[0] == '5')
        snprintf(smtp->answer, sizeof smtp->answer, "%.*s", (int)length, line);
    else if (strncmp(line, "221", 3) != 0) /* the answer to QUIT */
        smtp->answer[0] = '\0';
    return length;
}

static int follow(CURL *curl, curl_infotype type, char *bytes, size_t size, void *data)
{
    struct smtp *smtp = data;
    (void)curl;
    if (type != CURLINFO_HEADER_OUT)
        return 0;
    if (size >= 4 && strncmp(bytes, "MAIL", 4) == 0)
        smtp->phase = SENDER;
    else if (size >= 4 && strncmp(bytes, "RCPT", 4) == 0)
        smtp->phase = RECIPIENT;
    else if (size >= 4 && strncmp(bytes, "DATA", 4) == 0)
        smtp->phase = DATA;
    return 0;
}

static int go_on(void *data, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    const struct smtp *smtp = data;
    (void)a, (void)b, (void)c, (void)d;
    if (!smtp->stop.stopping(smtp->stop.data))
        return 0;
    return smtp->phase < DATA || smtp->stop.late(smtp->stop.data);
}

static void set_options(struct smtp *smtp)
{
    CURL *curl = smtp->curl;
    bool login = *config.smtp_user != '\0';
    curl_easy_setopt(curl, CURLOPT_URL, config.smtp_url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(
        curl, CURLOPT_USE_SSL,
        (long)(login && !loopback(config.smtp_url) ? CURLUSESSL_ALL : CURLUSESSL_TRY));
    if (login) {
        curl_easy_setopt(curl, CURLOPT_USERNAME, config.smtp_user);
        curl_easy_setopt(curl, CURLOPT_PASSWORD, config.smtp_password);
    }
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)TALK_SECONDS);
    curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, give);
    curl_easy_setopt(curl, CURLOPT_READDATA, smtp);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, hear);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, smtp);
    curl_easy_setopt(curl, CURLOPT_DEBUGFUNCTION, follow);
    curl_easy_setopt(curl, CURLOPT_DEBUGDATA, smtp);
    curl_easy_setopt(curl, CURLOPT_VERBOSE, 1L); /* or follow() is not told */
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, go_on);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, smtp);
}

struct smtp *smtp_open(struct smtp_stop stop)
{
    pthread_once(&once, start_curl);
    struct smtp *smtp = calloc(1, sizeof *smtp);
    if (smtp == NULL || (smtp->curl = curl_easy_init()) == NULL)
        abort();
    smtp->stop = stop;
    set_options(smtp);
    return smtp;
}

void smtp_close(struct smtp *smtp)
{
    if (smtp == NULL)
        return;
    curl_easy_cleanup(smtp->curl);
    free(smtp);
}

/* A server's own words may be of any bytes. */
static const char *printable(const char *words)
{
    if (utf8_valid(words, strlen(words)))
        return mail_line(words);
    char *copy = arena_string(arena_current(), words);
    for (char *c = copy; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x7f)
            *c = '?';
    return mail_line(copy);
}

static enum smtp_outcome judge(const struct smtp *smtp, CURLcode code)
{
    if (code == CURLE_OK)
        return SMTP_SENT;
    if (code == CURLE_ABORTED_BY_CALLBACK)
        return SMTP_STOPPED;
    if (smtp->phase < RECIPIENT)
        return SMTP_NOBODY;
    return smtp->answer[0] == '5' ? SMTP_REFUSED : SMTP_LATER;
}

enum smtp_outcome smtp_send(struct smtp *smtp, const char **words, const char *from,
                            const char *to, const struct buf *message)
{
    char error[CURL_ERROR_SIZE] = "";
    struct curl_slist *recipients =
        curl_slist_append(NULL, arena_print(arena_current(), "<%s>", to));
    smtp->phase = GREETING;
    smtp->answer[0] = '\0';
    smtp->unsent = message->data;
    smtp->left = message->length;
    curl_easy_setopt(smtp->curl, CURLOPT_ERRORBUFFER, error);
    curl_easy_setopt(smtp->curl, CURLOPT_MAIL_FROM,
                     arena_print(arena_current(), "<%s>", from));
    curl_easy_setopt(smtp->curl, CURLOPT_MAIL_RCPT, recipients);
    curl_easy_setopt(smtp->curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)message->length);
    CURLcode code = curl_easy_perform(smtp->curl);
    curl_easy_setopt(smtp->curl, CURLOPT_ERRORBUFFER, NULL);
    curl_easy_setopt(smtp->curl, CURLOPT_MAIL_RCPT, NULL);
    curl_slist_free_all(recipients);
    *words = printable(smtp->answer[0] != '\0' ? smtp->answer
                       : error[0] != '\0'      ? error
                                               : curl_easy_strerror(code));
    return judge(smtp, code);
}
