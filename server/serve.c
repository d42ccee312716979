/* `labd serve`: opens what the program needs, in the order it is needed, serves until it
 * is told to stop, and closes everything again. */
#include "db/connection.h"
#include "db/listener.h"
#include "server/base/arena.h"
#include "server/base/config.h"
#include "server/base/log.h"
#include "server/command.h"
#include "server/dispatch.h"
#include "server/form/forms.h"
#include "server/guard/password.h"
#include "server/http/daemon.h"
#include "server/lookup/lookup.h"
#include "server/mail/order.h"
#include "server/mail/smtp.h"
#include "server/mail/text.h"
#include "server/mail/worker.h"
#include "server/routes.h"
#include "server/site/jobs.h"
#include "server/site/ready.h"
#include "server/site/site.h"
#include "server/view/view.h"
#include "tables.h"

#include <malloc.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>

static struct page_cache *pages;
static struct mail_worker *_Atomic mails;
static struct jobs *_Atomic jobs;

/* The listener's three words, passed on to the page cache; of what this instance wrote
 * itself, the sender of mails and the doer of jobs hear too. */
static void content_changed(uint64_t tables)
{
    page_cache_touch(pages, tables);
    if ((tables & TABLE_BIT(TABLE_MAIL)) != 0)
        mail_worker_wake(mails);
    if ((tables & TABLE_BIT(TABLE_JOB)) != 0)
        jobs_wake(jobs);
}

static void listener_lost(void)
{
    page_cache_bypass(pages, true);
}

static void listener_back(void)
{
    page_cache_bypass(pages, false);
}

static void *open_connection(void *conninfo)
{
    return db_new(conninfo);
}

static void close_connection(void *db)
{
    db_free(db);
}

static const char *home_path(struct arena *arena, const char *name)
{
    return arena_print(arena, "%s/%s", config.home, name);
}

/* Templates, forms and files: all that is read once. */
static int open_site(struct arena *arena)
{
    char problem[512];
    if (*config.home == '\0')
        return complain("templates/ is not beside the program; set --home=FOLDER");
    if (view_open(&site.view, config.home, config.theme, config.development, problem,
                  sizeof problem) != OK ||
        forms_open(&site.forms, config.home, config.theme, config.development, problem,
                   sizeof problem) != OK)
        return complain("%s", problem);
    mail_use(site.view);
    const char *folder = home_path(arena, "static");
    if (statics_load(&site.statics, folder, config.development) != OK)
        return complain("%s can't be read", folder);
    site.routes = all_routes;
    const char *common = home_path(arena, "templates/common_passwords.txt");
    if (password_load(common) != OK)
        return complain("%s can't be read", common);
    return STATUS_FINE;
}

static void close_site(void)
{
    statics_free(site.statics);
    forms_close(site.forms);
    view_close(site.view);
}

/* The signals that end the program, kept from every thread but the waiting one. */
static sigset_t stop_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    return signals;
}

static int serve(struct arena *arena, const char *conninfo)
{
    sigset_t signals = stop_signals();
    int signal_number;
    struct listener *listener;
    struct daemon *daemon;
    struct daemon_options options = daemon_options(&config);
    /* Whoever develops wants to see the template just changed. */
    pages = page_cache_new(config.development ? 0 : (size_t)config.cache_bytes);
    page_cache_bypass(pages, true); /* until the listener listens */
    db_on_write(content_changed);
    options.router = router_new(arena, all_routes);
    options.pages = pages;
    options.statics = site.statics;
    options.work = dispatch;
    options.context = arena_string(arena, conninfo);
    options.worker_start = open_connection;
    options.worker_stop = close_connection;
    listener =
        listener_start(conninfo, (struct listener_events){content_changed, listener_lost,
                                                          listener_back});
    int status = STATUS_FINE;
    if (daemon_start(&daemon, &options) != OK) {
        status = complain("can't listen on %s port %ld; is it taken?", config.host,
                          config.port);
    } else {
        ready_watch(daemon);
        mail_set_origin(config.host, daemon_port(daemon));
        mails = mail_worker_start(conninfo);
        if (mails == NULL)
            log_info("mail.waiting", "reason", "smtp_url is not set");
        jobs = jobs_start(conninfo);
        printf("http://%s:%d/\n", config.host, daemon_port(daemon));
        if (mails == NULL)
            printf("Mails wait at /admin/outbox: no mail server is set (smtp_url).\n");
        (void)fflush(stdout); /* nobody need read it */
        sigwait(&signals, &signal_number);
        log_info("stopping", "signal", signal_number == SIGINT ? "INT" : "TERM");
        struct jobs *doer = jobs;
        jobs = NULL;
        jobs_stop(doer);
        mail_worker_halt(mails, (int)config.drain_seconds);
        if (daemon_stop(daemon) != OK)
            _Exit(complain("a handler did not end in time"));
        struct mail_worker *worker = mails;
        mails = NULL;
        mail_worker_stop(worker);
    }
    listener_stop(listener);
    page_cache_free(pages);
    return status;
}

int command_serve(const struct arguments *arguments)
{
    (void)arguments;
    const char *conninfo;
    if (sodium_init() < 0)
        return complain("libsodium can't be set up");
    if (smtp_options_fault() != NULL)
        return complain("%s", smtp_options_fault());
    if (lookup_options_fault() != NULL)
        return complain("%s", lookup_options_fault());
    if (db_find(&conninfo) != OK)
        return complain("no database: set LABD_DATABASE, or `make run` once");
    struct arena *arena = arena_new();
    struct arena *before = arena_enter(arena);
    int status = open_site(arena);
    malloc_trim(0); /* what reading the templates took */
    if (status == STATUS_FINE)
        status = serve(arena, conninfo);
    close_site();
    arena_enter(before);
    arena_free(arena);
    return status;
}
