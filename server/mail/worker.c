/* The thread that sends; see worker.h. */
#include "server/mail/worker.h"

#include "db/connection.h"
#include "db/store/mail.h"
#include "server/base/buf.h"
#include "server/base/clock.h"
#include "server/base/config.h"
#include "server/base/document.h"
#include "server/base/log.h"
#include "server/guard/token.h"
#include "server/mail/message.h"
#include "server/mail/order.h"
#include "server/mail/smtp.h"
#include "server/mail/text.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    LEASE_SECONDS = 300, /* longer than any conversation */
    TICK_SECONDS = 30,   /* what other instances and psql wrote is found by then */
    RETRY_LEAST = 60,
    RETRY_MOST = 3600,
    TRIES = 78,            /* three days of them */
    PAUSE_LEAST_MS = 1000, /* when there is no server, or no database */
    PAUSE_MOST_MS = 300 * 1000
};

struct mail_worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool woken; /* under the lock */
    atomic_bool stopping;
    atomic_llong late; /* clock_ms() at which nothing waits any more */
    struct db *db;
    struct smtp *smtp;
    int pause_ms;
};

static bool stopping(void *data)
{
    return atomic_load(&((struct mail_worker *)data)->stopping);
}

static bool late(void *data)
{
    return clock_ms() >= atomic_load(&((struct mail_worker *)data)->late);
}

/* Until woken or the time is over. */
static void doze(struct mail_worker *worker, int64_t ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&worker->lock);
    while (!worker->woken && !stopping(worker))
        if (pthread_cond_timedwait(&worker->changed, &worker->lock, &until) != 0)
            break;
    worker->woken = false;
    pthread_mutex_unlock(&worker->lock);
}

static int retry_seconds(int64_t attempts)
{
    int seconds = RETRY_LEAST;
    for (; attempts > 1 && seconds < RETRY_MOST; attempts--)
        seconds *= 2;
    return seconds < RETRY_MOST ? seconds : RETRY_MOST;
}

static const char *in_language(const json_t *mail, const char *en, const char *zh)
{
    bool chinese = strcmp(text_at(mail, "language", "en"), "zh") == 0;
    const char *text = filled_of(mail, chinese ? zh : en);
    return text != NULL ? text : text_at(mail, chinese ? en : zh, "");
}

static enum result write_out(struct buf *out, const json_t *mail)
{
    const char *secret = text_of(mail, "secret"), *html;
    const char *language = text_at(mail, "language", "en");
    const char *body = mail_finished(text_at(mail, "body", ""), secret);
    TRY(mail_text_html(&html, text_at(mail, "subject", ""), body,
                       strcmp(language, "zh") == 0 ? CHINESE : ENGLISH));
    const char *stop = NULL;
    if (truth_at(mail, "stoppable") && secret != NULL)
        stop = arena_print(arena_current(), "%s/mail/stop/%s", mail_origin(),
                           token_derive(arena_current(), secret, "labd stop"));
    const char *reply_to = filled_of(mail, "lab_email");
    if (reply_to != NULL && strcmp(reply_to, config.mail_from) == 0)
        reply_to = NULL;
    struct message message = {
        .message_id = text_at(mail, "message_id", ""),
        .date = text_at(mail, "date", ""),
        .from_name = in_language(mail, "lab_en", "lab_zh"),
        .from_address = config.mail_from,
        .to_name = text_of(mail, "to_name"),
        .to_address = text_at(mail, "to_address", ""),
        .reply_to = reply_to,
        .subject = text_at(mail, "subject", ""),
        .text = body,
        .html = html,
        .language = language,
        .stop_url = stop,
    };
    return message_write(out, &message);
}

static enum result settle(struct mail_worker *worker, const json_t *mail,
                          enum mail_outcome outcome, const char *reason, int seconds)
{
    static const char *const events[] = {"mail.sent", "mail.later", "mail.failed",
                                         "mail.unwanted"};
    log_write(outcome == MAIL_FAILED ? LOG_WARNING : LOG_INFO, events[outcome], "id",
              NUM(integer_at(mail, "id")), "attempt", NUM(integer_at(mail, "attempts")),
              "reason", reason, NULL);
    return mail_settle(worker->db, mail, outcome, reason, seconds);
}

static enum result again_later(struct mail_worker *worker, const json_t *mail,
                               const char *words)
{
    int64_t attempts = integer_at(mail, "attempts");
    if (attempts >= TRIES)
        return settle(worker, mail, MAIL_FAILED, words, 0);
    return settle(worker, mail, MAIL_LATER, words, retry_seconds(attempts));
}

static enum result deliver(struct mail_worker *worker, const json_t *mail)
{
    struct buf message = buf_on(arena_current());
    const char *words, *unwanted = text_of(mail, "unwanted");
    if (unwanted != NULL)
        return settle(worker, mail, MAIL_UNWANTED, unwanted, 0);
    enum result written = write_out(&message, mail);
    if (written == INVALID)
        return settle(worker, mail, MAIL_FAILED, "address", 0);
    TRY(written);
    if (worker->smtp == NULL)
        worker->smtp = smtp_open((struct smtp_stop){stopping, late, worker});
    switch (smtp_send(worker->smtp, &words, config.mail_from,
                      text_at(mail, "to_address", ""), &message)) {
    case SMTP_SENT:
        worker->pause_ms = 0;
        return settle(worker, mail, MAIL_SENT, NULL, 0);
    case SMTP_REFUSED:
        return settle(worker, mail, MAIL_FAILED, words, 0);
    case SMTP_LATER:
        return again_later(worker, mail, words);
    case SMTP_NOBODY:
        TRY(again_later(worker, mail, words));
        return BUSY;
    case SMTP_STOPPED:
        return settle(worker, mail, MAIL_LATER, NULL, 0);
    }
    return FAILED;
}

static void longer_pause(struct mail_worker *worker)
{
    int longer = worker->pause_ms * 2;
    worker->pause_ms = longer < PAUSE_LEAST_MS  ? PAUSE_LEAST_MS
                       : longer > PAUSE_MOST_MS ? PAUSE_MOST_MS
                                                : longer;
}

static void close_connection(struct mail_worker *worker)
{
    smtp_close(worker->smtp);
    worker->smtp = NULL;
}

/* One mail, or the wait for one. */
static void step(struct mail_worker *worker)
{
    json_t *mail;
    int seconds;
    enum result result = mail_take(&mail, worker->db, LEASE_SECONDS);
    if (result == OK) {
        result = deliver(worker, mail);
        if (result == OK)
            return;
    } else if (result == NOT_FOUND) {
        close_connection(worker);
        worker->pause_ms = 0;
        result = mail_next(&seconds, worker->db);
        if (result == OK) {
            doze(worker, 1000L * (seconds < 0 || seconds > TICK_SECONDS ? TICK_SECONDS
                                  : seconds < 1                         ? 1
                                                                        : seconds));
            return;
        }
    }
    close_connection(worker);
    longer_pause(worker);
    doze(worker, worker->pause_ms);
}

static void *run(void *data)
{
    struct mail_worker *worker = data;
    struct arena *arena = arena_new();
    arena_enter(arena);
    while (!stopping(worker)) {
        step(worker);
        arena_reset(arena);
    }
    close_connection(worker);
    arena_enter(NULL);
    arena_free(arena);
    return NULL;
}

struct mail_worker *mail_worker_start(const char *conninfo)
{
    if (*config.smtp_url == '\0')
        return NULL;
    struct mail_worker *worker = calloc(1, sizeof *worker);
    pthread_condattr_t attributes;
    if (worker == NULL)
        abort();
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    worker->db = db_new(conninfo);
    if (pthread_create(&worker->thread, NULL, run, worker) != 0)
        abort();
    return worker;
}

/* The worker's own writes are no news to it. */
void mail_worker_wake(struct mail_worker *worker)
{
    if (worker == NULL || pthread_equal(pthread_self(), worker->thread))
        return;
    pthread_mutex_lock(&worker->lock);
    worker->woken = true;
    pthread_cond_signal(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
}

void mail_worker_halt(struct mail_worker *worker, int drain_seconds)
{
    if (worker == NULL)
        return;
    atomic_store(&worker->late, clock_ms() + 1000LL * drain_seconds);
    pthread_mutex_lock(&worker->lock);
    atomic_store(&worker->stopping, true);
    pthread_cond_signal(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
}

void mail_worker_stop(struct mail_worker *worker)
{
    if (worker == NULL)
        return;
    pthread_join(worker->thread, NULL);
    db_free(worker->db);
    pthread_mutex_destroy(&worker->lock);
    pthread_cond_destroy(&worker->changed);
    free(worker);
}
