/* `labd bounce`: a filter for the mail system. Its statuses are those of sysexits.h, by
 * which mail systems decide whether to try again. */
#include "server/mail/bounce.h"
#include "db/connection.h"
#include "db/store/mail.h"
#include "server/base/buf.h"
#include "server/base/log.h"
#include "server/command.h"

#include <stdio.h>
#include <sysexits.h>

/* All is read, or the mail system would take the closed pipe for a failure. */
static struct slice read_message(FILE *in)
{
    struct buf message = buf_on(arena_current());
    char piece[16384];
    size_t got;
    while ((got = fread(piece, 1, sizeof piece, in)) > 0) {
        size_t room = BOUNCE_BYTES - message.length;
        buf_append(&message, piece, got < room ? got : room);
    }
    return (struct slice){message.data, message.length};
}

static int mark(const struct bounce *bounce)
{
    struct db *db = connect_database();
    if (db == NULL)
        return EX_TEMPFAIL;
    enum result marked = mail_bounced(db, bounce->message_id, bounce->words);
    db_free(db);
    if (marked == OK) {
        log_info("mail.bounced", "message_id", bounce->message_id);
        return EX_OK;
    }
    if (marked == NOT_FOUND) {
        complain("no mail here has the id <%s>", bounce->message_id);
        return EX_DATAERR;
    }
    complain("the bounce can't be noted: %s", result_name(marked));
    return EX_TEMPFAIL;
}

int command_bounce(const struct arguments *arguments)
{
    (void)arguments;
    struct bounce bounce = bounce_read(read_message(stdin));
    switch (bounce.kind) {
    case BOUNCE_FAILED:
        return mark(&bounce);
    case BOUNCE_DELAYED:
        log_info("mail.delayed", "message_id", bounce.message_id, "words", bounce.words);
        return EX_OK;
    case BOUNCE_NONE:
        break;
    }
    complain("this is no bounce of a mail of ours");
    return EX_DATAERR;
}
