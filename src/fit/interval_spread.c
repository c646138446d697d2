/* The spread of residuals: see interval_spread.h. */
#include "fit/interval_spread.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/portable.h"
#include "base/progress.h"
#include "dataset/dataset.h"

#define BIN_ROWS ((size_t)25)  /* of a bin, at least */
#define LEAST_BINS ((size_t)2) /* below which a variable is no candidate */
#define LEAST_ROWS ((size_t)100)
#define PRIOR_ROWS 1.0     /* of the mean spread, that count in each bin: more make small spreads too large */
#define PRIOR_MISSING 3.0  /* likewise where the variable is missing: such rows may be few */
#define LEAST_FACTOR 0.05  /* of a bin */
#define GAIN_LEAST 3.0     /* of the log likelihood, beyond the logarithm of the number of candidates */
#define FACTOR_DIGITS 6    /* that are kept of factors and knots */
#define LATER_CANDIDATES 8 /* the best of the first round, which the later ones look at */

/* A variable, divided into bins. Bin number `bins` has the rows where it is missing. */
typedef struct ent_binned {
  size_t axis, bins;
  bool smooth;                 /* neighbouring bins resemble each other: it is no category */
  double *values;              /* [rows] */
  size_t *bin_of;              /* [rows] */
  double at[ENT_SPREAD_KNOTS]; /* the mean value of each bin */
  double least, most;          /* values */
} ent_binned;

typedef struct ent_spread_candidate {
  size_t axis;
  double gain;
} ent_spread_candidate;

/* What the search works with. */
typedef struct ent_spread_search {
  const ent_spread_rows *rows;
  double weight;       /* of all rows */
  double *spreads;     /* [rows] so far, by other folds */
  double *whole;       /* [rows] so far, by all rows */
  double *tried;       /* [rows] spreads with the candidate */
  ent_weighted *order; /* [rows] room */
  ent_binned binned;
  ent_spread_candidate *candidates; /* [1 + inputs] */
  size_t candidate_count;
} ent_spread_search;

/* ---- Bins ---- */

static int compare_order(const void *a, const void *b) {
  const ent_weighted *x = a, *y = b;
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return x->weight < y->weight ? -1 : x->weight > y->weight;
}

static void read_values(const ent_spread_rows *rows, size_t axis, double *values) {
  if (axis == ENT_BY_SCORE) {
    for (size_t r = 0; r < rows->count; r++)
      values[r] = rows->scores[r];
    return;
  }
  ent_inputs_cursor cursor;
  ent_inputs inputs = ent_dataset_inputs(rows->data);
  ent_inputs_start(&inputs, axis, rows->data->rows, &cursor);
  size_t categories = rows->model->schema.input[axis].categories;
  for (size_t r = 0; r < rows->count; r++) {
    double value = ent_inputs_at(&cursor, rows->numbers[r]);
    values[r] = categories > 0 && !(value < (double)categories) ? NAN : value;
  }
}

/* Deals order[count], sorted by value, to bins of about equally many rows; equal values share a bin. */
static void deal_bins(ent_binned *binned, const ent_weighted *order, size_t count) {
  size_t most = count / BIN_ROWS < ENT_SPREAD_KNOTS ? count / BIN_ROWS : ENT_SPREAD_KNOTS, start = 0;
  binned->bins = 0;
  binned->least = count == 0 ? 0 : order[0].value;
  binned->most = count == 0 ? 0 : order[count - 1].value;
  for (size_t i = 0; i < count && binned->bins < most; i++) {
    size_t left = most - binned->bins, size = (count - start + left - 1) / left;
    bool last = i + 1 == count, split = !last && order[i].value != order[i + 1].value;
    bool full = i + 1 - start >= size && count - (i + 1) >= BIN_ROWS && split;
    binned->bin_of[(size_t)order[i].weight] = binned->bins;
    if (!full && !last)
      continue;
    double sum = 0;
    for (size_t j = start; j <= i; j++)
      sum += (order[j].value - order[start].value) / (double)(i + 1 - start);
    binned->at[binned->bins++] = ent_round_digits(order[start].value + sum, FACTOR_DIGITS);
    start = i + 1;
  }
  for (size_t b = 1; b < binned->bins; b++)
    if (!(isfinite(binned->at[b]) && binned->at[b] > binned->at[b - 1]))
      binned->bins = 0; /* values too far from each other, or too close to tell them apart in so few digits */
}

static void bin_axis(ent_spread_search *search, size_t axis) {
  const ent_spread_rows *rows = search->rows;
  ent_binned *binned = &search->binned;
  size_t count = 0;
  binned->axis = axis;
  binned->smooth = axis == ENT_BY_SCORE || rows->model->schema.input[axis].categories == 0;
  read_values(rows, axis, binned->values);
  for (size_t r = 0; r < rows->count; r++)
    if (!isnan(binned->values[r]))
      search->order[count++] = (ent_weighted){binned->values[r], (double)r};
  qsort(search->order, count, sizeof *search->order, compare_order);
  deal_bins(binned, search->order, count);
  for (size_t r = 0; r < rows->count; r++)
    if (isnan(binned->values[r]))
      binned->bin_of[r] = binned->bins;
}

/* ---- Factors ---- */

/* Sums of weights, and of residuals over spread, of a bin. */
typedef struct ent_bin_sum {
  double weight, sum, rows;
} ent_bin_sum;

/* Moves the knot of an outermost bin outwards, along the line through it and the next one: to the last value, at most
 * by half of the distance between both. */
static void extend(double last, double next_at, double next_factor, double *at, double *factor) {
  double step = 0.5 * (*at - next_at), share = fmin(fabs(last - *at), fabs(step)) / fabs(2 * step);
  double moved = ent_round_digits(*at + 2 * step * share, FACTOR_DIGITS);
  if (!isfinite(moved) || (moved - *at) * step <= 0)
    return;
  *at = moved;
  *factor = ent_round_digits(fmax(*factor + share * (*factor - next_factor), 0.5 * *factor), FACTOR_DIGITS);
}

/* Factors of the bins from the rows of all folds but one; from all rows if there is no such fold. */
static void make_factor(const ent_spread_search *search, const double *spreads, size_t without,
                        ent_spread_factor *factor) {
  const ent_spread_rows *rows = search->rows;
  const ent_binned *binned = &search->binned;
  ent_bin_sum sums[ENT_SPREAD_KNOTS + 1] = {{0}}, all = {0};
  for (size_t r = 0; r < rows->count; r++) {
    if (rows->fold_of[r] == without)
      continue;
    ent_bin_sum *bin = &sums[binned->bin_of[r]];
    bin->weight += rows->weights[r];
    bin->sum += rows->weights[r] * rows->residuals[r] / spreads[r];
    bin->rows++;
  }
  for (size_t b = 0; b <= binned->bins; b++) {
    all.weight += sums[b].weight;
    all.sum += sums[b].sum;
    all.rows += sums[b].rows;
  }
  double mean = all.sum / all.weight, raw[ENT_SPREAD_KNOTS + 1];
  for (size_t b = 0; b <= binned->bins; b++) {
    double prior = (b < binned->bins ? PRIOR_ROWS : PRIOR_MISSING) * all.weight / all.rows;
    raw[b] = (sums[b].sum + prior * mean) / (sums[b].weight + prior) / mean;
  }
  *factor = (ent_spread_factor){.axis = binned->axis, .knots = binned->bins};
  for (size_t b = 0; b < binned->bins; b++) {
    bool smooth = binned->smooth && b > 0 && b + 1 < binned->bins;
    double value = smooth ? 0.25 * raw[b - 1] + 0.5 * raw[b] + 0.25 * raw[b + 1] : raw[b];
    factor->at[b] = binned->at[b];
    factor->factor[b] = ent_round_digits(fmax(value, LEAST_FACTOR), FACTOR_DIGITS);
  }
  size_t last = binned->bins - 1;
  if (binned->smooth) {
    extend(binned->least, factor->at[1], factor->factor[1], &factor->at[0], &factor->factor[0]);
    extend(binned->most, factor->at[last - 1], factor->factor[last - 1], &factor->at[last], &factor->factor[last]);
  }
  factor->missing = ent_round_digits(fmax(raw[binned->bins], LEAST_FACTOR), FACTOR_DIGITS);
}

/* The spreads with one more factor, which has not seen the fold of a row. */
static void try_factor(const ent_spread_search *search, double *tried) {
  const ent_spread_rows *rows = search->rows;
  ent_spread_factor factor;
  for (size_t fold = 0; fold < ENT_SPREAD_FOLDS; fold++) {
    make_factor(search, search->spreads, fold, &factor);
    for (size_t r = 0; r < rows->count; r++)
      if (rows->fold_of[r] == fold)
        tried[r] = search->spreads[r] * ent_spread_factor_at(&factor, search->binned.values[r]);
  }
}

/* ---- What a factor is worth ---- */

/* The log likelihood of residuals that are exponential with mean c times the spread, c being the best one: up to a
 * constant, and as a sum over rows. */
static double likelihood(const ent_spread_search *search, const double *spreads) {
  const ent_spread_rows *rows = search->rows;
  double sum = 0, logs = 0;
  for (size_t r = 0; r < rows->count; r++) {
    double share = rows->weights[r] / search->weight;
    sum += share * rows->residuals[r] / spreads[r];
    logs += share * ent_log2(spreads[r]);
  }
  return -M_LN2 * (double)rows->count * (ent_log2(sum) + logs);
}

/* The mean width of intervals at some levels, each in units of the width without a spread. */
static double mean_width(const ent_spread_search *search, const double *spreads) {
  static const double levels[] = {0.8, 0.9, 0.95};
  const ent_spread_rows *rows = search->rows;
  double mean = 0, quantiles[ENT_QUANTILES], plain[ENT_QUANTILES], width = 0;
  for (size_t r = 0; r < rows->count; r++) {
    mean += rows->weights[r] / search->weight * spreads[r];
    search->order[r] = (ent_weighted){rows->residuals[r] / spreads[r], rows->weights[r]};
  }
  ent_quantiles_of(search->order, rows->count, rows->count, quantiles);
  for (size_t r = 0; r < rows->count; r++)
    search->order[r] = (ent_weighted){rows->residuals[r], rows->weights[r]};
  ent_quantiles_of(search->order, rows->count, rows->count, plain);
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
    width += mean * ent_quantile_at(quantiles, levels[i]) / ent_quantile_at(plain, levels[i]);
  return width;
}

static int compare_gains(const void *a, const void *b) {
  const ent_spread_candidate *x = a, *y = b;
  if (x->gain != y->gain)
    return x->gain > y->gain ? -1 : 1;
  return x->axis + 1 < y->axis + 1 ? -1 : 1; /* the prediction first */
}

/* One round: the gains of all candidates, best first. */
static entropic_status rank_candidates(entropic_context *context, ent_spread_search *search) {
  double before = likelihood(search, search->spreads);
  for (size_t c = 0; c < search->candidate_count; c++) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    bin_axis(search, search->candidates[c].axis);
    search->candidates[c].gain = -INFINITY;
    if (search->binned.bins < LEAST_BINS)
      continue;
    try_factor(search, search->tried);
    double gain = likelihood(search, search->tried) - before;
    search->candidates[c].gain = gain > 0 ? gain : -INFINITY;
  }
  qsort(search->candidates, search->candidate_count, sizeof *search->candidates, compare_gains);
  return ENTROPIC_OK;
}

/* Adds the best candidate if it is worth it; it is none afterwards. */
static bool add_best(ent_spread_search *search, double least, ent_spread *spread) {
  const ent_spread_candidate *best = search->candidates;
  const ent_spread_rows *rows = search->rows;
  if (search->candidate_count == 0 || !(best->gain >= least))
    return false;
  bin_axis(search, best->axis);
  try_factor(search, search->tried);
  if (!(mean_width(search, search->tried) < mean_width(search, search->spreads)))
    return false;
  ent_spread_factor *factor = &spread->factors[spread->count++];
  make_factor(search, search->whole, ENT_SPREAD_FOLDS, factor);
  for (size_t r = 0; r < rows->count; r++) {
    search->spreads[r] = search->tried[r];
    search->whole[r] *= ent_spread_factor_at(factor, search->binned.values[r]);
  }
  search->candidates++;
  search->candidate_count--;
  return true;
}

/* Whether there are rows enough outside of each fold: groups may be few. */
static bool folds_are_fair(const ent_spread_rows *rows) {
  size_t counts[ENT_SPREAD_FOLDS] = {0}, most = 0;
  for (size_t r = 0; r < rows->count; r++)
    counts[rows->fold_of[r]]++;
  for (size_t fold = 0; fold < ENT_SPREAD_FOLDS; fold++)
    most = counts[fold] > most ? counts[fold] : most;
  return 2 * most <= rows->count;
}

static entropic_status run(entropic_context *context, ent_spread_search *search, ent_spread *spread) {
  const ent_spread_rows *rows = search->rows;
  double sum = 0;
  for (size_t r = 0; r < rows->count; r++) {
    search->weight += rows->weights[r];
    sum += rows->weights[r] * rows->residuals[r];
    search->spreads[r] = search->whole[r] = 1;
  }
  search->candidates[search->candidate_count++].axis = ENT_BY_SCORE;
  for (size_t i = 0; i < rows->model->schema.inputs; i++)
    if (!rows->model->schema.input[i].unused)
      search->candidates[search->candidate_count++].axis = i;
  double least = GAIN_LEAST + M_LN2 * ent_log2((double)search->candidate_count);
  if (rows->count < LEAST_ROWS || !(sum > 0) || !folds_are_fair(rows))
    return ENTROPIC_OK;
  while (spread->count < ENT_SPREAD_FACTORS) {
    entropic_status status = rank_candidates(context, search);
    if (status != ENTROPIC_OK)
      return status;
    if (!add_best(search, least, spread))
      break;
    if (search->candidate_count > LATER_CANDIDATES)
      search->candidate_count = LATER_CANDIDATES;
  }
  return ENTROPIC_OK;
}

entropic_status ent_spread_find(entropic_context *context, const ent_spread_rows *rows, ent_spread *spread,
                                double *spreads) {
  size_t count = rows->count;
  ent_spread_candidate *candidates = ent_new(context, 1 + rows->model->schema.inputs, sizeof *candidates);
  ent_spread_search search = {.rows = rows,
                              .spreads = spreads,
                              .whole = ent_new(context, count, sizeof *search.whole),
                              .tried = ent_new(context, count, sizeof *search.tried),
                              .order = ent_new(context, count, sizeof *search.order),
                              .binned = {.values = ent_new(context, count, sizeof *search.binned.values),
                                         .bin_of = ent_new(context, count, sizeof *search.binned.bin_of)},
                              .candidates = candidates};
  spread->count = 0;
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (candidates == NULL || search.whole == NULL || search.tried == NULL || search.order == NULL ||
      search.binned.values == NULL || search.binned.bin_of == NULL)
    goto done;
  status = run(context, &search, spread);
done:
  ent_delete(candidates);
  ent_delete(search.whole);
  ent_delete(search.tried);
  ent_delete(search.order);
  ent_delete(search.binned.values);
  ent_delete(search.binned.bin_of);
  return status;
}
