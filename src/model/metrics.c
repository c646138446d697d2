/* Measures of numbers and classes. Sums are taken for each block and then added up, so that rounding does not grow with
 * the number of rows; squares are of differences from a running mean. Numbers count in units of a power of two, so that
 * no square leaves the range of a double and the bits do not depend on the unit. See metrics.h. */
#include "model/metrics.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/threads.h"
#include "tune/classes.h"

/* The least exponent of a unit: one over it is a finite double, and squares of the least double are above 0 in it. */
#define ENT_LEAST_UNIT (-900)

/* What is known of a target that is a number. Errors count in units of 2^error_unit and differences from the origin in
 * units of 2^spread_unit, powers of two that no value so far is above. */
typedef struct ent_moments {
  double origin;            /* its first value, from which the others are counted: equal ones then are exactly 0 */
  double mean, spread;      /* of the others; spread is the sum of squares around the mean */
  double squares, absolute; /* of the errors */
  int spread_unit, error_unit;
} ent_moments;

/* One target of a block of rows. */
typedef struct ent_metrics_block {
  const double *y, *predicted, *weights;
  size_t rows, stride;
  double weight, before; /* the weight of the block and of all blocks before it */
  int headroom;          /* values are divided by 2^headroom, so that differences do not overflow */
} ent_metrics_block;

/* A row on the curve of a class: how likely the class was, and the row's weight, negative if it has another class. */
typedef struct ent_ranked {
  double chance, weight;
} ent_ranked;

struct ent_metrics {
  size_t targets, classes, rows;
  double weight;
  ent_moments *moments; /* of each target */
  double wrong, loss;
  size_t curves; /* one for each class; of two classes one says it all */
  ent_ranked **ranked;
  size_t *capacities;
};

entropic_status ent_metrics_create(entropic_context *context, size_t targets, size_t classes, ent_metrics **metrics) {
  ent_metrics *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->targets = targets;
  made->classes = classes;
  made->curves = classes == 2 ? 1 : classes;
  made->moments = ent_new(context, targets, sizeof *made->moments);
  made->ranked = ent_new(context, made->curves, sizeof *made->ranked);
  made->capacities = ent_new(context, made->curves, sizeof *made->capacities);
  if (made->moments == NULL || made->ranked == NULL || made->capacities == NULL) {
    ent_metrics_free(made);
    return ENTROPIC_NO_MEMORY;
  }
  for (size_t i = 0; i < targets; i++)
    made->moments[i].spread_unit = made->moments[i].error_unit = ENT_LEAST_UNIT;
  *metrics = made;
  return ENTROPIC_OK;
}

void ent_metrics_free(ent_metrics *metrics) {
  if (metrics == NULL)
    return;
  for (size_t i = 0; metrics->ranked != NULL && i < metrics->curves; i++)
    ent_delete(metrics->ranked[i]);
  ent_delete(metrics->ranked);
  ent_delete(metrics->capacities);
  ent_delete(metrics->moments);
  ent_delete(metrics);
}

/* The largest of `rows` absolute values of to - from; from may be NULL. NaN is passed over. */
static double largest_difference(const double *to, const double *from, const ent_metrics_block *block) {
  double largest = 0, scale = ldexp(1, -block->headroom);
  for (size_t row = 0; row < block->rows; row++) {
    size_t at = row * block->stride;
    double value = fabs(scale * to[at] - (from == NULL ? 0 : scale * from[at]));
    largest = value > largest ? value : largest;
  }
  return largest;
}

/* The exponent of a power of two that is not below `largest` 2^headroom, nor below `least`. */
static int unit_above(double largest, int headroom, int least) {
  int exponent = DBL_MAX_EXP;
  if (isfinite(largest))
    frexp(largest, &exponent);
  exponent += headroom;
  return exponent > least ? exponent : least;
}

static void add_errors(ent_moments *moments, const ent_metrics_block *block) {
  double squares = 0, absolute = 0, scale = ldexp(1, -block->headroom);
  double largest = largest_difference(block->predicted, block->y, block);
  int unit = unit_above(largest, block->headroom, moments->error_unit), grown = moments->error_unit - unit;
  double in_units = ldexp(1, block->headroom - unit);
  for (size_t row = 0; row < block->rows; row++) {
    size_t at = row * block->stride;
    double error = (scale * block->predicted[at] - scale * block->y[at]) * in_units;
    squares += block->weights[row] * (error * error);
    absolute += block->weights[row] * fabs(error);
  }
  moments->squares = ldexp(moments->squares, 2 * grown) + squares;
  moments->absolute = ldexp(moments->absolute, grown) + absolute;
  moments->error_unit = unit;
}

static double from_origin(const ent_moments *moments, const ent_metrics_block *block, size_t row) {
  double scale = ldexp(1, -block->headroom);
  return scale * block->y[row * block->stride] - scale * moments->origin;
}

static void add_spread(ent_moments *moments, const ent_metrics_block *block) {
  double largest = 0, sum = 0, spread = 0;
  for (size_t row = 0; row < block->rows; row++)
    largest = fmax(largest, fabs(from_origin(moments, block, row)));
  int unit = unit_above(largest, block->headroom, moments->spread_unit), grown = moments->spread_unit - unit;
  double in_units = ldexp(1, block->headroom - unit);
  for (size_t row = 0; row < block->rows; row++)
    sum += block->weights[row] * (from_origin(moments, block, row) * in_units);
  double mean = sum / block->weight;
  for (size_t row = 0; row < block->rows; row++) {
    double from_mean = from_origin(moments, block, row) * in_units - mean;
    spread += block->weights[row] * (from_mean * from_mean);
  }
  double before = ldexp(moments->mean, grown), apart = mean - before;
  double share = block->weight / (block->before + block->weight);
  moments->spread = ldexp(moments->spread, 2 * grown) + (spread + apart * apart * block->before * share);
  moments->mean = before + apart * share;
  moments->spread_unit = unit;
}

static void add_numbers(ent_moments *moments, ent_metrics_block *block) {
  if (block->before == 0)
    moments->origin = block->y[0];
  double largest = fmax(largest_difference(block->y, NULL, block), largest_difference(block->predicted, NULL, block));
  block->headroom = fmax(largest, fabs(moments->origin)) > DBL_MAX / 4 ? 2 : 0;
  add_errors(moments, block);
  add_spread(moments, block);
}

static size_t likeliest(const double *chances, size_t classes) {
  size_t best = 0;
  for (size_t k = 1; k < classes; k++)
    best = chances[k] > chances[best] ? k : best;
  return best;
}

static entropic_status add_classes(entropic_context *context, ent_metrics *metrics, const double *y,
                                   const double *chances, const double *weights, size_t rows) {
  size_t classes = metrics->classes, skipped = classes - metrics->curves; /* of two, the curve is the second's */
  for (size_t k = 0; k < metrics->curves; k++) {
    ent_ranked **ranked = &metrics->ranked[k];
    if (!ent_reserve(context, ranked, &metrics->capacities[k], metrics->rows + rows, sizeof **ranked))
      return ENTROPIC_NO_MEMORY;
    for (size_t row = 0; row < rows; row++)
      (*ranked)[metrics->rows + row] = (ent_ranked){chances[row * classes + k + skipped],
                                                    (size_t)y[row] == k + skipped ? weights[row] : -weights[row]};
  }
  double wrong = 0, loss = 0;
  for (size_t row = 0; row < rows; row++) {
    const double *of = chances + row * classes;
    double chance = of[(size_t)y[row]];
    wrong += likeliest(of, classes) == (size_t)y[row] ? 0 : weights[row];
    loss -= weights[row] * log(chance > ENT_LEAST_PROBABILITY ? chance : ENT_LEAST_PROBABILITY);
  }
  metrics->wrong += wrong;
  metrics->loss += loss;
  return ENTROPIC_OK;
}

entropic_status ent_metrics_add(entropic_context *context, ent_metrics *metrics, const double *y,
                                const double *predicted, const double *weights, size_t rows) {
  double weight = 0;
  if (rows == 0)
    return ENTROPIC_OK;
  for (size_t row = 0; row < rows; row++)
    weight += weights[row];
  if (metrics->classes > 0) {
    entropic_status status = add_classes(context, metrics, y, predicted, weights, rows);
    if (status != ENTROPIC_OK)
      return status;
  }
  for (size_t i = 0; i < metrics->targets && metrics->classes == 0; i++) {
    ent_metrics_block block = {y + i, predicted + i, weights, rows, metrics->targets, weight, metrics->weight, 0};
    add_numbers(&metrics->moments[i], &block);
  }
  metrics->weight += weight;
  metrics->rows += rows;
  return ENTROPIC_OK;
}

static int compare_ranked(const void *a, const void *b) {
  const ent_ranked *left = a, *right = b;
  if (left->chance != right->chance)
    return left->chance < right->chance ? -1 : 1;
  return (left->weight > right->weight) - (left->weight < right->weight);
}

/* The area under a curve: how often a row of the class is likelier to be of it than one that is not, where a tie
 * counts half. NaN if one of the two does not occur. */
static double area(ent_ranked *ranked, size_t rows) {
  qsort(ranked, rows, sizeof *ranked, compare_ranked);
  double inside = 0, outside = 0, pairs = 0;
  for (size_t row = 0; row < rows;) {
    double here_inside = 0, here_outside = 0, chance = ranked[row].chance;
    for (; row < rows && ranked[row].chance == chance; row++) {
      here_inside += ranked[row].weight > 0 ? ranked[row].weight : 0;
      here_outside -= ranked[row].weight < 0 ? ranked[row].weight : 0;
    }
    pairs += here_inside * (outside + here_outside / 2);
    inside += here_inside;
    outside += here_outside;
  }
  return inside > 0 && outside > 0 ? pairs / inside / outside : NAN;
}

typedef struct ent_areas {
  const ent_metrics *metrics;
  double *area;
} ent_areas;

static entropic_status find_area(entropic_context *context, void *shared, size_t task, int worker) {
  (void)context;
  (void)worker;
  ent_areas *areas = shared;
  areas->area[task] = area(areas->metrics->ranked[task], areas->metrics->rows);
  return ENTROPIC_OK;
}

/* The mean over the classes that occur; if only one does, it has no rest to stand out from. */
static entropic_status mean_area(entropic_context *context, const ent_metrics *metrics, double *mean) {
  ent_areas areas = {metrics, ent_new(context, metrics->curves, sizeof(double))};
  if (areas.area == NULL)
    return ENTROPIC_NO_MEMORY;
  double sum = 0;
  size_t count = 0;
  entropic_status status = ent_parallel(context, metrics->curves, find_area, &areas);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t k = 0; k < metrics->curves; k++) {
    sum += isnan(areas.area[k]) ? 0 : areas.area[k];
    count += isnan(areas.area[k]) ? 0 : 1;
  }
  *mean = count == 0 ? NAN : sum / (double)count;
done:
  ent_delete(areas.area);
  return status;
}

entropic_status ent_metrics_finish(entropic_context *context, ent_metrics *metrics, ent_score_figures *scores) {
  double weight = metrics->weight;
  ent_score_figures found = {.rows = metrics->rows, .weight = weight, .loss = NAN};
  if (metrics->classes > 0) {
    entropic_status status = mean_area(context, metrics, &found.auc);
    if (status != ENTROPIC_OK)
      return status;
    found.rmse = found.mae = found.r2 = NAN;
    found.error = metrics->wrong / weight;
    found.accuracy = (weight - metrics->wrong) / weight;
    found.logloss = metrics->loss / weight;
  } else {
    found.error = found.accuracy = found.logloss = found.auc = NAN;
    for (size_t i = 0; i < metrics->targets; i++) {
      const ent_moments *of = &metrics->moments[i];
      double share = 1 / (double)metrics->targets;
      double unexplained = ldexp(of->squares / of->spread, 2 * (of->error_unit - of->spread_unit));
      found.rmse += share * ldexp(sqrt(of->squares / weight), of->error_unit);
      found.mae += share * ldexp(of->absolute / weight, of->error_unit);
      found.r2 += share * (of->spread > 0 ? 1 - unexplained : NAN);
    }
  }
  *scores = found;
  return ENTROPIC_OK;
}
