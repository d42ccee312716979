/* Text of databases and web services, with whatever markup they left in it, to plain
 * Unicode text: HTML, JATS and MathML tags go (what stands in <script> and <style> with
 * them), sub- and superscripts become characters where Unicode has all of them, entities
 * become what they stand for. A < that opens no tag stays.
 *
 * The input is well-formed UTF-8 of any content; time is linear. The result is as
 * latex_text() makes it: NFC, no control or invisible characters, white space is single
 * spaces and none at the ends; a NUL stands behind it. */
#ifndef LABD_TEXT_PLAIN_H
#define LABD_TEXT_PLAIN_H

#include "server/base/arena.h"
#include "server/base/slice.h"

struct slice plain_text(struct arena *arena, struct slice source);

#endif
