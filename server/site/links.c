/* Whether addresses on visitors' pages still lead somewhere: a few of them every quarter
 * of an hour, each about once a month. */
#include "db/store/lookup.h"
#include "server/base/config.h"
#include "server/base/document.h"
#include "server/lookup/fetch.h"
#include "server/site/job.h"

#include <string.h>

enum { LINKS_AT_ONCE = 10, EVERY_SECONDS = 15 * 60 };

/* Servers that refuse machines, or are down for a day, have lost nothing. */
static bool leads_nowhere(const struct fetched *fetched)
{
    if (fetched->error != NULL)
        return strcmp(fetched->error, "host") == 0 ||
               strcmp(fetched->error, "refused") == 0 ||
               strcmp(fetched->error, "private") == 0 ||
               strcmp(fetched->error, "tls") == 0;
    return fetched->status == 404 || fetched->status == 410;
}

static enum result check(struct job *job, const char *url, const char *contact)
{
    struct fetched fetched;
    struct fetch fetch = {.url = url,
                          .head = true,
                          .private = config.private_links,
                          .contact = contact,
                          .stopping = job->stopping,
                          .data = job->data};
    enum result result = fetch_get(&fetched, &fetch);
    if (result == OK && fetched.status >= 400) { /* some answer nothing but GET */
        fetch.head = false;
        result = fetch_get(&fetched, &fetch);
        if (result == FAILED && strcmp(fetched.error, "too_large") == 0)
            fetched = (struct fetched){.status = 200};
    }
    if (job->stopping(job->data))
        return BUSY;
    return link_note(job->db, url, fetched.status, fetched.error,
                     leads_nowhere(&fetched));
}

enum result links_job(struct job *job)
{
    json_t *urls, *row;
    size_t index;
    const char *contact;
    TRY(lookup_lab_contact(&contact, job->db));
    TRY(links_due(&urls, job->db, LINKS_AT_ONCE));
    json_array_foreach(urls, index, row)
        TRY(check(job, text_at(row, "url", ""), contact));
    job->seconds = EVERY_SECONDS;
    return OK;
}
