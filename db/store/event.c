/* The audit trail. */
#include "db/store/event.h"

#include "db/connection.h"
#include "db/store/event.sql.h"
#include "db/store/join.h"
#include "server/base/buf.h"

const struct actor command_line = {0, "command line", NULL};

enum result event_add(struct db *db, const struct actor *actor, const struct event *event)
{
    return db_run(NULL, db, &event_insert, ID(actor->account), actor->name, event->action,
                  event->entity, ID(event->target), ID(event->change), actor->request_id,
                  event->detail == NULL ? NULL : json_dumps(event->detail, 0), db->peer);
}

enum result event_list(json_t **events, struct db *db, int64_t before, int limit)
{
    return db_rows(events, db, &event_rows, ID(before), NUM(limit));
}

enum result event_of(json_t **events, struct db *db, const char *entity, int64_t target,
                     int limit)
{
    return db_rows(events, db, &event_rows_of, entity, NUM(target), NUM(limit));
}
