/* The rows a command works on: the columns of a table that are inputs, scaled to [0,1], and the target. */
#ifndef ENTROPIC_CLI_INPUTS_H
#define ENTROPIC_CLI_INPUTS_H

#include "reading.h"

typedef struct cli_inputs {
  size_t rows, count;
  double *values; /* rows x count, row after row */
  double *target; /* rows, or NULL */
  char **names;   /* count */
} cli_inputs;

/* Reads the table at path; an exit status. Free with inputs_free, also after a failure (which leaves it empty). */
int inputs_read(const cli_session *session, const char *path, cli_inputs *inputs);
/* Says that there is no target, if there is none, and then more: "" or what follows from it. */
void inputs_mention(const cli_session *session, const cli_inputs *inputs, const char *more);
/* The scaling that --scale asks for. */
entropic_scaling inputs_scaling(const cli_session *session);
/* Brings the values to [0,1] in place; those that --scale none leaves outside are clamped, with a notice. */
int inputs_scale(const cli_session *session, const char *path, cli_inputs *inputs);
void inputs_free(cli_inputs *inputs);

#endif
