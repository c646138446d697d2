/* The loops of gradient_code.h, written once. A file that includes this defines before:
 *     LANES           doubles of a vector
 *     LARGER(a, b)    of two vectors; of a NaN and a number, any of both */
#ifndef ENT_SUMS_GRADIENT_STEPS_H
#define ENT_SUMS_GRADIENT_STEPS_H

#include <math.h>

#include "axis/hyperbolic.h"
#include "base/portable.h"
#include "loss/link.h"
#include "sums/gradient_code.h"

typedef double ent_gradient_lanes __attribute__((vector_size(8 * LANES)));
typedef int64_t ent_gradient_words __attribute__((vector_size(8 * LANES)));
typedef double ent_gradient_lanes_at __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

#define INLINE static inline __attribute__((always_inline))

INLINE ent_gradient_lanes load(const double *from) {
  return *(const ent_gradient_lanes_at *)from;
}

/* One score. The probability of the wrong class is computed without cancellation. */
static void rows_of_two(const ent_gradient_rows *of) {
  size_t rows = of->rows;
  const double *labels = of->labels, *weights = of->weights;
  double *restrict u = of->u, *restrict losses = of->loss, *restrict margins = of->margin;
  for (size_t r = 0; r < rows; r++) {
    double score = u[r], sign = 2 * labels[r] - 1, margin = sign * score, odds = ent_exp(-fabs(margin));
    double wrong = (margin < 0 ? 1 : odds) / (1 + odds);
    double loss = ent_log1p(odds) + (margin < 0 ? -margin : 0);
    double broken = score - score; /* 0, or NaN */
    u[r] = -sign * weights[r] * wrong;
    losses[r] = (loss < ENT_GRADIENT_MOST_LOSS ? loss : ENT_GRADIENT_MOST_LOSS) + broken;
    margins[r] = margin;
  }
}

/* Margins, and the largest score of each row; into the losses, 0 or NaN. */
static void margins_of_many(const ent_gradient_rows *of) {
  size_t rows = of->rows;
  const double *labels = of->labels, *u = of->u;
  double *restrict most = of->most, *restrict other = of->sum, *restrict own = of->margin, *restrict broken = of->loss;
  for (size_t r = 0; r < rows; r++) {
    other[r] = own[r] = -INFINITY;
    broken[r] = 0;
  }
  for (size_t k = 0; k < of->classes; k++) {
    const double *score = u + k * rows;
    double label = (double)k;
    for (size_t r = 0; r < rows; r++) {
      double now = labels[r] == label ? score[r] : own[r];
      double best = labels[r] != label && score[r] > other[r] ? score[r] : other[r];
      own[r] = now;
      other[r] = best;
      broken[r] += score[r] - score[r];
    }
  }
  for (size_t r = 0; r < rows; r++) {
    most[r] = own[r] > other[r] ? own[r] : other[r];
    own[r] -= other[r];
  }
}

/* A score for each class. The loss is log(sum of exp(score - most)) + (most - own), and most - own = max(-margin, 0). */
static void rows_of_many(const ent_gradient_rows *of) {
  size_t rows = of->rows;
  const double *labels = of->labels, *weights = of->weights, *most = of->most, *margins = of->margin;
  double *restrict sum = of->sum, *restrict losses = of->loss;
  margins_of_many(of);
  for (size_t r = 0; r < rows; r++)
    sum[r] = 0;
  for (size_t k = 0; k < of->classes; k++) {
    double *restrict u = of->u + k * rows;
    for (size_t r = 0; r < rows; r++)
      sum[r] += u[r] = ent_exp(u[r] - most[r]);
  }
  for (size_t r = 0; r < rows; r++) {
    double loss = ent_log1p(sum[r] - 1) + (margins[r] < 0 ? -margins[r] : 0);
    losses[r] += loss < ENT_GRADIENT_MOST_LOSS ? loss : ENT_GRADIENT_MOST_LOSS;
  }
  for (size_t k = 0; k < of->classes; k++) {
    double *restrict u = of->u + k * rows, label = (double)k;
    for (size_t r = 0; r < rows; r++)
      u[r] = weights[r] * (u[r] / sum[r] - (labels[r] == label ? 1.0 : 0.0));
  }
}

static void differentiate_rows(const ent_gradient_rows *of) {
  if (ent_class_scores(of->classes) == 1)
    rows_of_two(of);
  else
    rows_of_many(of);
}

#define COLUMNS 4 /* at a time, of one score; or of */
#define PAIR 2    /* columns at a time, so many scores: */
#define SCORES 4

/* Adds the sum of one column and score, a multiple of the unit. False if it cannot be a sum of such products. */
INLINE bool add_sum(double sum, const ent_gradient_scale *scale, int64_t *to) {
  double integer = sum * scale->per;
  if (!(fabs(integer) <= 0x1p53))
    return false;
  *to += (int64_t)integer;
  return true;
}

/* `columns` columns from `column` on times `scores` scores from `score` on. All sums are exact, so their order does not
 * matter. With `check`, values beyond their limit are looked for. */
INLINE bool add_tile(const ent_gradient_block *block, size_t column, size_t columns, size_t score, size_t scores,
                     bool check) {
  const double *z = block->z + column * block->ld, *u = block->u + score * block->u_ld;
  const ent_gradient_scale *scales = block->scales + column;
  size_t ld = block->ld, u_ld = block->u_ld, full = block->rows / LANES * LANES;
  ent_gradient_lanes sums[COLUMNS][SCORES] = {{{0}}}, most[COLUMNS] = {{0}};
  for (size_t r = 0; r < full; r += LANES) {
    ent_gradient_lanes of_u[SCORES];
#pragma GCC unroll 8
    for (size_t k = 0; k < scores; k++)
      of_u[k] = load(u + k * u_ld + r);
#pragma GCC unroll 8
    for (size_t j = 0; j < columns; j++) {
      ent_gradient_lanes value = load(z + j * ld + r);
      if (check) {
        ent_gradient_lanes size = (ent_gradient_lanes)((ent_gradient_words)value & INT64_MAX);
        most[j] = LARGER(size, most[j]);
      }
#pragma GCC unroll 8
      for (size_t k = 0; k < scores; k++)
        sums[j][k] += (value * of_u[k] + scales[j].magic) - scales[j].magic;
    }
  }
  bool within = true;
#pragma GCC unroll 8
  for (size_t j = 0; j < columns; j++) {
    double largest = 0, totals[SCORES] = {0};
    for (size_t i = 0; i < LANES; i++) {
      largest = most[j][i] > largest ? most[j][i] : largest;
      for (size_t k = 0; k < scores; k++)
        totals[k] += sums[j][k][i];
    }
    for (size_t r = full; r < block->rows; r++) {
      double value = z[j * ld + r];
      largest = fabs(value) > largest ? fabs(value) : largest;
      for (size_t k = 0; k < scores; k++)
        totals[k] += (value * u[k * u_ld + r] + scales[j].magic) - scales[j].magic;
    }
    within &= largest <= scales[j].limit;
    for (size_t k = 0; k < scores; k++)
      within &= add_sum(totals[k], &scales[j], &block->sums[(score + k) * block->sums_ld + column + j]);
  }
  return within;
}

/* Some columns and all scores. */
INLINE bool add_columns(const ent_gradient_block *block, size_t column, size_t columns) {
  bool within = true;
  size_t k = 0;
  for (; columns <= PAIR && k + SCORES <= block->scores; k += SCORES)
    within &= add_tile(block, column, columns, k, SCORES, k == 0);
  for (; k < block->scores; k++)
    within &= add_tile(block, column, columns, k, 1, k == 0);
  return within;
}

static bool add_products(const ent_gradient_block *block) {
  size_t column = 0;
  bool within = true;
  if (block->scores < SCORES)
    for (; column + COLUMNS <= block->columns; column += COLUMNS)
      within &= add_columns(block, column, COLUMNS);
  for (; column + PAIR <= block->columns; column += PAIR)
    within &= add_columns(block, column, PAIR);
  for (; column < block->columns; column++)
    within &= add_columns(block, column, 1);
  return within;
}

#define GRADIENT_CODE(name)                                                                                            \
  { name, differentiate_rows, add_products }

#endif
