/* The templates of mails and an account that mails can go to, for tests. */
#ifndef LABD_TESTS_SUPPORT_MAIL_H
#define LABD_TESTS_SUPPORT_MAIL_H

#include "db/store/account.h"
#include "server/base/config.h"
#include "server/mail/order.h"
#include "server/mail/text.h"
#include "server/view/view.h"

#include <criterion/criterion.h>

static inline void mail_test_open(void)
{
    char problem[512];
    struct view *view;
    cr_assert_eq(config_set("home", ".", "test", problem, sizeof problem), OK);
    cr_assert_eq(view_open(&view, ".", "", false, problem, sizeof problem), OK, "%s",
                 problem);
    mail_use(view);
}

static inline void mail_test_close(void)
{
    view_close(mail_view());
    mail_use(NULL);
}

#endif
