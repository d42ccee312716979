/* Whoever wants no more reminders of a collection: /mail/stop/:token. */
#ifndef LABD_SITE_MAIL_STOP_H
#define LABD_SITE_MAIL_STOP_H

#include "server/http/router.h"

handler mail_stop_show, mail_stop_submit;

#endif
