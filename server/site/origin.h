/* Where the site is, for what leaves it: "https://lab.example", without a slash behind.
 * The option base_url, else where the program listens; never what a request says of
 * itself. */
#ifndef LABD_SITE_ORIGIN_H
#define LABD_SITE_ORIGIN_H

/* On the current arena. */
const char *origin_of_site(void);

#endif
