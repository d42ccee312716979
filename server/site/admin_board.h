/* The organiser's side of a collection's answers: /admin/collections/:id and below. */
#ifndef LABD_SITE_ADMIN_BOARD_H
#define LABD_SITE_ADMIN_BOARD_H

#include "server/http/router.h"

/* admin_board.c */
handler admin_board_show, admin_board_live;
/* admin_board_act.c */
handler admin_board_act;
/* admin_board_person.c */
handler admin_board_person;

/* Adds what a row shows beside its data: state_class, mail_class, overdue. */
void board_dress(json_t *people);

#endif
