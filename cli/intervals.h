/* The columns of predict that say how far off predictions may be: lower and upper, or set, and std. */
#ifndef ENTROPIC_CLI_INTERVALS_H
#define ENTROPIC_CLI_INTERVALS_H

#include "output.h"

/* An option --interval into a double at that offset, below 0 if it is not given. */
#define INTERVAL_OPTION(at, text)                                                                                      \
  { .name = "interval", .kind = OPTION_NUMBER, .offset = (at), .value = "LEVEL", .low = 0, .high = 1, .help = (text) }

/* Which columns there are, and room for a block of them. */
typedef struct cli_intervals {
  const entropic_model *model;
  entropic_model_info info;
  double level; /* below 0: no intervals */
  bool std;
  double *lower, *upper, *deviations;
  unsigned char *sets; /* of classes */
} cli_intervals;

/* Complains if the model cannot give what is asked for; otherwise makes room for so many rows. An exit status. */
int intervals_start(const cli_session *session, const entropic_model *model, size_t rows, cli_intervals *intervals);
void intervals_clear(cli_intervals *intervals);
/* Names of columns, each with a comma before it. */
void intervals_header(const cli_intervals *intervals, cli_output *output);
/* Asks for the intervals of a block. */
void intervals_ask(const cli_intervals *intervals, entropic_outputs *outputs);
/* How many columns are numbers, and those of a row. */
size_t intervals_width(const cli_intervals *intervals);
void intervals_numbers(const cli_intervals *intervals, size_t row, double *numbers);
/* The set of a row with a comma before it; room[intervals_set_size] is scratch memory. */
size_t intervals_set_size(const cli_intervals *intervals);
void intervals_write_set(const cli_intervals *intervals, size_t row, char *room, cli_output *output);

#endif
