/* The table of LaTeX commands, for latex_symbol.c. */
#ifndef LABD_TEXT_LATEX_COMMANDS_H
#define LABD_TEXT_LATEX_COMMANDS_H

#include "server/text/latex_symbol.h"

extern const struct latex_meaning latex_commands[];
extern const size_t latex_command_count;

#endif
