/* Gathers the pilot's page from its queries; see pilot.h. */
#include "db/store/pilot.h"

#include "db/connection.h"
#include "db/store/pilot.sql.h"
#include "server/base/buf.h"
#include "server/base/document.h"

enum result pilot_read(json_t **pilot, struct db *db, int64_t collection)
{
    static const struct {
        const char *key;
        const struct query *query;
    } lists[] = {
        {"sections",    &pilot_sections   },
        {"corrections", &pilot_corrections},
        {"feedback",    &pilot_feedback   },
        {"changed",     &pilot_changed    },
    };
    json_t *version, *people, *list;
    TRY(db_row(&version, db, &pilot_version, NUM(collection)));
    int64_t id = integer_at(version, "id");
    TRY(db_row(&people, db, &pilot_people, NUM(collection), NUM(id)));
    *pilot = json_pack("{s:O, s:O}", "version", version, "people", people);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        TRY(db_rows(&list, db, lists[i].query, NUM(collection), NUM(id)));
        json_object_set(*pilot, lists[i].key, list);
    }
    return OK;
}
