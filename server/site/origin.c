/* The address of the site; see origin.h. */
#include "server/site/origin.h"

#include "server/base/arena.h"
#include "server/base/config.h"

const char *origin_of_site(void)
{
    return *config.base_url != '\0'
               ? config.base_url
               : arena_print(arena_current(), "http://%s:%ld", config.host, config.port);
}
