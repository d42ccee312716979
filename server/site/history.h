/* What something said at any time: its versions, who made them and from where, what two
 * of them differ in, and going back to one. */
#ifndef LABD_SITE_HISTORY_H
#define LABD_SITE_HISTORY_H

#include "server/http/router.h"

handler admin_history_show, admin_history_restore, my_history_show;

#endif
