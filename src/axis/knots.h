/* Knots between values. A model may be all that is left of some rows, so none of its knots is a value that few rows had.
 *
 * A value that ENT_COMMON_ROWS rows share is a knot at its mid-rank. Between two neighbours that are not both common there
 * is a knot half-way, whose height is the share of rows up to there: so every other value lies within its own step of the
 * distribution function, with one more knot where that would be at an end of the step. An end that is not common is
 * rounded outward, to about 3 digits of the range. */
#ifndef ENT_AXIS_KNOTS_H
#define ENT_AXIS_KNOTS_H

#include <stddef.h>
#include <stdint.h>

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
