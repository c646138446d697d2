/* The columns of predict: predictions and all that is asked for with them, written row by row. */
#ifndef ENTROPIC_CLI_PREDICTED_H
#define ENTROPIC_CLI_PREDICTED_H

#include "carried.h"
#include "intervals.h"

typedef struct predicted_part predicted_part;

/* What the columns of a block of rows are made of. */
typedef struct cli_predicted {
  const entropic_model *model;
  entropic_model_info info;
  size_t capacity;                     /* rows of a block */
  double *predictions, *probabilities; /* probabilities only with --proba */
  entropic_explanation *explanation;   /* only with --effects, as the next four */
  size_t effect_count;                 /* base and inputs, of a score */
  char *prefix;                        /* of the names of columns of a score */
  size_t prefix_size;
  double *effects;
  cli_intervals intervals; /* with --interval or --std */
  cli_carried carried;     /* with --with */
  predicted_part *parts;   /* what threads write of a block */
  size_t part_count, part_rows;
} cli_predicted;

/* Makes room for a block, where the model, the level of intervals and whether there are deviations are set. path: of the
 * model, for messages. An exit status. */
int predicted_start(const cli_session *session, const char *path, bool proba, bool effects, cli_predicted *predicted);
void predicted_clear(cli_predicted *predicted);
/* Whether a column has this name, of effects any name of their kind: a carried_taken of cli_predicted. */
bool predicted_has(const void *predicted, const char *name);
void predicted_header(const cli_predicted *predicted, cli_output *output);
/* Asks for all that the columns are made of. */
void predicted_ask(const cli_predicted *predicted, entropic_outputs *outputs);
/* Writes the rows of a block, on the threads of the session. */
entropic_status predicted_write(const cli_session *session, const cli_predicted *predicted, size_t rows,
                                cli_output *output);

#endif
