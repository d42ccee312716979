/* /my/publications: which works are a member's; /my/entered: what co-authors send in. */
#ifndef LABD_SITE_MY_WORKS_H
#define LABD_SITE_MY_WORKS_H

#include "server/http/router.h"

handler my_works_index, my_works_say, my_entered_index, my_entered_say;

#endif
