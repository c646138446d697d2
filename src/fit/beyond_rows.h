/* Outer validation rows outside the range that their run has learnt from: what is kept of them. See outer_beyond.h. */
#ifndef ENT_FIT_BEYOND_ROWS_H
#define ENT_FIT_BEYOND_ROWS_H

#include "loss/link.h"

/* Which rows are kept: those outside the training rows of the run, or the outermost of the rows themselves. */
typedef enum ent_beyond_kind { ENT_BEYOND_OUTSIDE = 0, ENT_BEYOND_OUTERMOST = 1, ENT_BEYOND_KINDS = 2 } ent_beyond_kind;

/* A row that is outside in some inputs, and one of these. */
typedef struct ent_beyond_row {
  size_t at;           /* number among the outer validation rows */
  size_t number;       /* in its data set */
  size_t first, count; /* entries */
  size_t run;
} ent_beyond_row;

/* What predictions of a run are made of scores by; bounds follow in an array of their own. */
typedef struct ent_beyond_run {
  ent_link link;
  double inverse_temperature;
} ent_beyond_run;

typedef struct ent_beyond {
  size_t rows, entries, runs;
  ent_beyond_row *row;
  double *scores;    /* [rows x scores] with all values at the ends */
  size_t *inputs;    /* [entries] */
  double *distances; /* [entries] from the nearest end, in ranges */
  double *parts;     /* [entries x scores] what the line of the input adds if it goes on */
  ent_beyond_run *run;
  double *bounds; /* [runs x scores x 2] of predictions of numbers */
  size_t row_capacity, score_capacity, input_capacity, distance_capacity, part_capacity, run_capacity, bound_capacity;
} ent_beyond;

void ent_beyond_clear(ent_beyond *beyond);
/* Forgets the rows from number `first` among outer validation rows on. */
void ent_beyond_drop(ent_beyond *beyond, size_t first);
/* Appends the rows of another, whose numbers among outer validation rows start at `at`. */
entropic_status ent_beyond_append(entropic_context *context, const ent_beyond *from, size_t scores, size_t at,
                                  ent_beyond *to);

#endif
