/* Scaling of each input to [0,1]: what a scaler is made of. */
#ifndef ENT_AXIS_SCALER_H
#define ENT_AXIS_SCALER_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "columns/inputs.h"

#define ENT_KNOTS 1024

/* How one input is scaled: by knots (two of them for min-max; one for an input that was constant), by cells if it is a
 * category, or not at all. */
typedef struct ent_scale {
  size_t knots;
  double *at, *height; /* of the knots, both ascending; one allocation */
  size_t categories;   /* above 0: code c goes to the middle of cell c of cells; anything else to that of the last */
  size_t cells;        /* categories + 1, or + 2 if missing values have a cell of their own, number `categories` */
  bool missing;        /* a number that is missing stays so, NaN, instead of becoming 1/2 */
  bool fixed;          /* by two knots that were given, not learnt */
  bool ignored;        /* whatever the value is, it becomes 1/2 */
  bool beyond;         /* values outside the range go on below 0 and above 1: see ent_scaler_go_beyond */
  size_t distinct;     /* see ent_scaler_distinct */
} ent_scale;

struct entropic_scaler {
  entropic_scaling scaling;
  size_t inputs;
  ent_scale *scales;
};

/* What an input is. */
typedef struct ent_scale_category {
  size_t categories; /* 0: a number */
  bool missing;      /* missing values have a cell of their own; missing numbers stay missing */
  bool fixed;        /* a number whose scale is known, whatever the values are: ends[0] becomes 0 and ends[1] 1 */
  double ends[2];
} ent_scale_category;

/* (x - a) / (b - a) for a <= x <= b, a < b, also where b - a is beyond the range of double. */
static inline double ent_fraction(double x, double a, double b) {
  double width = b - a;
  return isfinite(width) ? (x - a) / width : (x / 2 - a / 2) / (b / 2 - a / 2);
}

/* Learns from rows x inputs values. Missing numbers are left out (BAD_DATA if an input has no
 * others); infinity is refused. kinds[inputs], or NULL: all numbers; codes are not looked at beyond that. */
entropic_status ent_scaler_learn(entropic_context *context, entropic_scaling scaling, const double *values, size_t rows,
                                 size_t inputs, size_t stride, const ent_scale_category *kinds,
                                 entropic_scaler **scaler);
/* The same from inputs wherever they are. A row of weight 2 counts in the ranks as two rows do. */
typedef struct ent_scale_rows {
  ent_inputs values;
  size_t rows, inputs;
  const ent_scale_category *kinds;
  const double *weights; /* [rows], above 0; or NULL: all the same */
  bool between;          /* no knot is a value of few rows: see knots.c */
} ent_scale_rows;
entropic_status ent_scaler_learn_rows(entropic_context *context, entropic_scaling scaling, const ent_scale_rows *from,
                                      entropic_scaler **scaler);
/* The scaler of blend or minmax that ent_scaler_learn would learn from the values of `ranks`, without sorting them again.
 * `ranks` is of quantile; the rows are those it was learnt from. */
entropic_status ent_scaler_derive_rows(entropic_context *context, const entropic_scaler *ranks,
                                       entropic_scaling scaling, const ent_scale_rows *rows, entropic_scaler **scaler);
/* entropic_scaler_apply without a context: nothing is done if a pointer is NULL. */
void ent_scaler_apply(const entropic_scaler *scaler, const double *values, size_t rows, size_t stride, double *scaled);
/* The same, but a missing number becomes 1/2, the middle, unless it stays missing. */
void ent_scaler_fill(const entropic_scaler *scaler, const double *values, size_t rows, size_t stride, double *scaled);
/* The same, with so many numbers from a scaled row to the next. */
void ent_scaler_fill_wide(const entropic_scaler *scaler, const double *values, size_t rows, size_t stride,
                          double *scaled, size_t width);
/* The same as ent_scaler_fill for any number of rows, by several threads. It may be done in place. */
entropic_status ent_scaler_fill_all(entropic_context *context, const entropic_scaler *scaler, const double *values,
                                    size_t rows, size_t stride, double *scaled);
/* The same in place, of values[rows * inputs]. */
static inline void ent_scaler_fill_own(const entropic_scaler *scaler, double *values, size_t rows) {
  ent_scaler_fill(scaler, values, rows, scaler->inputs, values);
}

/* A copy of a scaler, which the caller frees. */
entropic_status ent_scaler_copy(entropic_context *context, const entropic_scaler *scaler, entropic_scaler **copy);

/* How many distinct numbers an input had when the scaler was learnt, not counting missing ones; ENT_MANY_NUMBERS if there were
 * that many or more. 0 for a category, and for an input whose scale was set from parts. */
#define ENT_MANY_NUMBERS ((size_t)33)
size_t ent_scaler_distinct(const entropic_scaler *scaler, size_t input);

/* How one input is scaled, as it is stored. */
typedef struct ent_scale_parts {
  const double *at, *height; /* of the knots; NULL if there are none */
  size_t knots;
  size_t categories; /* 0: a number */
  bool missing;      /* as in ent_scale_category */
  bool fixed;        /* likewise: two knots of heights 0 and 1, with any scaling */
} ent_scale_parts;

/* A scaler from parts that were stored: start makes one of numbers left as they are; set says how one input is scaled, for
 * each that is not left so. The parts are copied, after every check (BAD_DATA, with the input): quantile and blend 1 to
 * ENT_KNOTS knots, min-max 1 or 2, none 0; `at` finite and strictly ascending; heights in [0,1] that do not descend, 1/2 for
 * a single knot, 0 and 1 for min-max; a category has no knots. */
entropic_status ent_scaler_start(entropic_context *context, entropic_scaling scaling, size_t inputs,
                                 entropic_scaler **scaler);
entropic_status ent_scaler_set(entropic_context *context, entropic_scaler *scaler, size_t input,
                               const ent_scale_parts *parts);
/* Whether an input can go on beyond its range: a number by min-max or blend that was not constant. */
bool ent_scaler_has_slope(const entropic_scaler *scaler, size_t input);
/* The scaled length of one unit of an input outside its range: 1 / range for min-max, half of that for blend, whose ranks
 * do not go on. 0 if it cannot go on. Its range may be beyond that of double; then the length is 0, too. */
double ent_scaler_slope(const entropic_scaler *scaler, size_t input);
/* From now on values outside the range go on in units of the input, at most one range beyond each end: to -1 and 2 for
 * min-max, to -1/2 and 3/2 for blend. BAD_ARGUMENT if it cannot. */
entropic_status ent_scaler_go_beyond(entropic_context *context, entropic_scaler *scaler, size_t input);
/* From now on every value of this input becomes 1/2; its knots are let go. */
void ent_scaler_ignore(entropic_scaler *scaler, size_t input);

/* ---- Knots (knots.c) ---- */

/* Knots between values. A model may be all that is left of some rows, so none of its knots is a value that few rows had.
 *
 * A value that ENT_COMMON_ROWS rows share is a knot at its mid-rank. Between two neighbours that are not both common there
 * is a knot half-way, whose height is the share of rows up to there: so every other value lies within its own step of the
 * distribution function, with one more knot where that would be at an end of the step. An end that is not common is
 * rounded outward, to about 3 digits of the range. */

#define ENT_COMMON_ROWS ((size_t)10)

/* Distinct values, ascending, with their mid-ranks. */
typedef struct ent_knot_values {
  const double *at, *height;
  const uint8_t *common; /* [count] whether ENT_COMMON_ROWS rows share it */
  size_t count;          /* at least 1 */
  size_t rows;           /* mid-ranks are multiples of 1/(2 rows); 0: rows have weights */
} ent_knot_values;

/* The most knots there can be, and the knots: at[], strictly ascending, and height[], not descending. Returns how many. */
size_t ent_knots_most(const ent_knot_values *values);
size_t ent_knots_between(const ent_knot_values *values, double *at, double *height);

/* An end of the range from least to most, further out (direction -1 or 1) by at most 1/100 of the range: the next multiple of a
 * power of ten. It is never the end itself, but where doubles end. */
double ent_knot_outward(double end, double least, double most, int direction);

#endif
