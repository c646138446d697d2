/* Outer validation rows outside the range that their run has learnt from: see outer_beyond.h. */
#include "fit/outer_beyond.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "design/design.h"
#include "fit/outer_forms.h"

/* Rows on each side of an input that count as outermost: one of so many, but no more than that. */
#define OUTERMOST_SHARE ((size_t)20)
#define OUTERMOST_MOST ((size_t)10)

void ent_beyond_clear(ent_beyond *beyond) {
  ent_delete(beyond->row);
  ent_delete(beyond->scores);
  ent_delete(beyond->inputs);
  ent_delete(beyond->distances);
  ent_delete(beyond->parts);
  ent_delete(beyond->run);
  ent_delete(beyond->bounds);
  *beyond = (ent_beyond){0};
}

/* Makes room for one array; false without. */
static bool reserve(entropic_context *context, void *array, size_t *capacity, size_t needed, size_t size) {
  return ent_reserve(context, array, capacity, needed > 0 ? needed : 1, size);
}

/* Room for so many rows, entries and runs in all. */
static entropic_status reserve_all(entropic_context *context, ent_beyond *b, size_t scores, size_t rows, size_t entries,
                                   size_t runs) {
  bool done = reserve(context, &b->row, &b->row_capacity, rows, sizeof *b->row) &&
              reserve(context, &b->scores, &b->score_capacity, rows * scores, sizeof *b->scores) &&
              reserve(context, &b->inputs, &b->input_capacity, entries, sizeof *b->inputs) &&
              reserve(context, &b->distances, &b->distance_capacity, entries, sizeof *b->distances) &&
              reserve(context, &b->parts, &b->part_capacity, entries * scores, sizeof *b->parts) &&
              reserve(context, &b->run, &b->run_capacity, runs, sizeof *b->run) &&
              reserve(context, &b->bounds, &b->bound_capacity, runs * scores * 2, sizeof *b->bounds);
  return done ? ENTROPIC_OK : ENTROPIC_NO_MEMORY;
}

entropic_status ent_beyond_append(entropic_context *context, const ent_beyond *from, size_t scores, size_t at,
                                  ent_beyond *to) {
  if (from->rows == 0)
    return ENTROPIC_OK;
  entropic_status status =
      reserve_all(context, to, scores, to->rows + from->rows, to->entries + from->entries, to->runs + from->runs);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t r = 0; r < from->rows; r++) {
    ent_beyond_row row = from->row[r];
    row.at += at;
    row.first += to->entries;
    row.run += to->runs;
    to->row[to->rows + r] = row;
  }
  memcpy(to->scores + to->rows * scores, from->scores, from->rows * scores * sizeof *to->scores);
  memcpy(to->inputs + to->entries, from->inputs, from->entries * sizeof *to->inputs);
  memcpy(to->distances + to->entries, from->distances, from->entries * sizeof *to->distances);
  memcpy(to->parts + to->entries * scores, from->parts, from->entries * scores * sizeof *to->parts);
  memcpy(to->run + to->runs, from->run, from->runs * sizeof *to->run);
  memcpy(to->bounds + to->runs * scores * 2, from->bounds, from->runs * scores * 2 * sizeof *to->bounds);
  to->rows += from->rows;
  to->entries += from->entries;
  to->runs += from->runs;
  return ENTROPIC_OK;
}

void ent_beyond_drop(ent_beyond *beyond, size_t first) {
  while (beyond->rows > 0 && beyond->row[beyond->rows - 1].at >= first)
    beyond->entries = beyond->row[--beyond->rows].first;
}

/* ---- Ends and slopes ---- */

/* Of each input: the ends of the range, as they are and scaled, and what a unit of the input beyond them adds to scores. */
typedef struct ent_beyond_ends {
  double *low, *high, *scaled_low, *scaled_high; /* [inputs] */
  double *slopes;                                /* [inputs x scores] */
} ent_beyond_ends;

static void clear_ends(ent_beyond_ends *ends) {
  ent_delete(ends->low);
  ent_delete(ends->slopes);
}

static entropic_status new_ends(entropic_context *context, const ent_fit *fit, ent_beyond_ends *ends) {
  ends->low = ent_new_matrix(context, fit->inputs, 4, sizeof *ends->low);
  ends->slopes = ent_new_matrix(context, fit->inputs, fit->scores, sizeof *ends->slopes);
  if (ends->low == NULL || ends->slopes == NULL)
    return ENTROPIC_NO_MEMORY;
  ends->high = ends->low + fit->inputs;
  ends->scaled_low = ends->high + fit->inputs;
  ends->scaled_high = ends->scaled_low + fit->inputs;
  return ENTROPIC_OK;
}

/* The range of the training rows that take part. */
static void find_range(const ent_fit *fit, size_t input, ent_beyond_ends *ends) {
  const ent_inputs from = ent_dataset_inputs(fit->train);
  ent_inputs_cursor cursor;
  double low = INFINITY, high = -INFINITY;
  ent_inputs_start(&from, input, fit->train->rows, &cursor);
  for (size_t r = 0; r < fit->train->rows; r++) {
    double value = ent_inputs_at(&cursor, r);
    if (!ent_takes_part(&fit->splits, r))
      continue;
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
  ends->low[input] = low;
  ends->high[input] = high;
}

static int compare_numbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The range without the outermost of some rows; values[count] is room. */
static void find_inner_range(const ent_fit *fit, const ent_beyond_block *block, size_t input, double *values,
                             ent_beyond_ends *ends) {
  const ent_inputs from = ent_dataset_inputs(ent_outer_data(fit));
  size_t count = 0;
  for (size_t r = 0; r < block->count; r++) {
    ent_inputs_column(&from, input, block->numbers[r], 1, &values[count], 1);
    count += isnan(values[count]) ? 0 : 1;
  }
  qsort(values, count, sizeof *values, compare_numbers);
  size_t outermost = count / OUTERMOST_SHARE < OUTERMOST_MOST ? count / OUTERMOST_SHARE : OUTERMOST_MOST;
  ends->low[input] = outermost > 0 ? values[outermost] : -INFINITY;
  ends->high[input] = outermost > 0 ? values[count - 1 - outermost] : INFINITY;
}

/* Adds the lines of one model to the slopes, in scaled units. */
static void add_slopes(const ent_fit *fit, const entropic_design *design, const double *weights, double share,
                       double *slopes) {
  for (size_t g = 0; g < design->group_count; g++) {
    if (!ent_design_is_line(design, g))
      continue;
    const entropic_term *term = &design->terms[design->groups[g].first_term];
    double scale = design->kernel->axes[term->input]->levels[term->level].scale;
    for (size_t k = 0; k < fit->scores; k++)
      slopes[term->input * fit->scores + k] +=
          share * scale * weights[k * design->features + design->groups[g].first_feature];
  }
}

static void find_slopes(const ent_fit *fit, const ent_fit_outcome *outcome, double *slopes) {
  for (size_t m = 0; outcome->members != NULL && m < outcome->member_count; m++)
    add_slopes(fit, outcome->members[m].lifting.design, outcome->members[m].weights, 1 / (double)outcome->member_count,
               slopes);
  if (outcome->members == NULL && outcome->kernel == NULL)
    add_slopes(fit, outcome->lifting.design, outcome->learnt.weights, 1, slopes);
  for (size_t i = 0; i < fit->inputs; i++)
    for (size_t k = 0; k < fit->scores; k++)
      slopes[i * fit->scores + k] *= ent_scaler_slope(fit->scaler, i);
}

/* Ends of all numbers; categories have none. */
static entropic_status find_ends(entropic_context *context, const ent_fit *fit, const ent_fit_outcome *outcome,
                                 ent_beyond_kind kind, const ent_beyond_block *block, ent_beyond_ends *ends) {
  entropic_status status = new_ends(context, fit, ends);
  if (status != ENTROPIC_OK)
    return status;
  double *values = ent_new(context, block->count, sizeof *values);
  if (values == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < fit->inputs; i++) {
    ends->low[i] = -INFINITY;
    ends->high[i] = INFINITY;
    if (fit->train->schema.input[i].categories > 0 || fit->train->schema.input[i].derived ||
        fit->scaler->scales[i].knots < 2)
      continue;
    if (kind == ENT_BEYOND_OUTSIDE)
      find_range(fit, i, ends);
    else if (ent_scaler_has_slope(fit->scaler, i))
      find_inner_range(fit, block, i, values, ends);
  }
  ent_scaler_fill(fit->scaler, ends->low, 1, fit->inputs, ends->scaled_low);
  ent_scaler_fill(fit->scaler, ends->high, 1, fit->inputs, ends->scaled_high);
  find_slopes(fit, outcome, ends->slopes);
  ent_delete(values);
  return ENTROPIC_OK;
}

/* ---- Rows ---- */

/* How far a value is outside, at most one range and with its sign; 0 inside, or if it is missing. */
static double distance(const ent_beyond_ends *ends, size_t input, double value) {
  double low = ends->low[input], high = ends->high[input];
  if (value > high)
    return fmin(value - high, high - low);
  return value < low ? -fmin(low - value, high - low) : 0;
}

/* Clamps a row; each input that is outside becomes an entry, if a line could go on. */
static entropic_status clamp_row(entropic_context *context, const ent_fit *fit, const ent_beyond_ends *ends,
                                 const double *values, double *scaled, ent_beyond *beyond) {
  size_t scores = fit->scores;
  for (size_t i = 0; i < fit->inputs; i++) {
    double off = distance(ends, i, values[i]);
    if (!(fabs(off) > 0))
      continue;
    scaled[i] = off > 0 ? ends->scaled_high[i] : ends->scaled_low[i];
    if (!isfinite(off) || ends->slopes[i * scores] * ends->slopes[i * scores] == 0)
      continue;
    entropic_status status =
        reserve_all(context, beyond, scores, beyond->rows + 1, beyond->entries + 1, beyond->runs + 1);
    if (status != ENTROPIC_OK)
      return status;
    beyond->inputs[beyond->entries] = i;
    beyond->distances[beyond->entries] = fabs(off) / (ends->high[i] - ends->low[i]);
    for (size_t k = 0; k < scores; k++)
      beyond->parts[beyond->entries * scores + k] = off * ends->slopes[i * scores + k];
    beyond->entries++;
  }
  return ENTROPIC_OK;
}

entropic_status ent_beyond_clamp(entropic_context *context, const ent_fit *fit, const ent_fitted *fitted,
                                 ent_beyond_kind kind, const ent_beyond_block *block, ent_beyond *beyond) {
  const ent_inputs from = ent_dataset_inputs(ent_outer_data(fit));
  ent_beyond_ends ends = {0};
  double *values = ent_new(context, fit->inputs, sizeof *values);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (values == NULL)
    goto done;
  ent_beyond_drop(beyond, block->first); /* of a run that failed */
  status = find_ends(context, fit, &fitted->outcome, kind, block, &ends);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t r = 0; r < block->count; r++) {
    size_t first = beyond->entries;
    ent_inputs_gather(&from, fit->inputs, &block->numbers[r], 1, values);
    status = clamp_row(context, fit, &ends, values, block->x + r * fit->inputs, beyond);
    if (status != ENTROPIC_OK)
      goto done;
    if (beyond->entries > first)
      beyond->row[beyond->rows++] = (ent_beyond_row){.at = block->first + r,
                                                     .number = block->numbers[r],
                                                     .first = first,
                                                     .count = beyond->entries - first,
                                                     .run = beyond->runs};
  }
done:
  clear_ends(&ends);
  ent_delete(values);
  return status;
}

void ent_beyond_set_scores(const ent_fit *fit, const ent_fitted *fitted, size_t first, const double *scores,
                           const double *bounds, ent_beyond *beyond) {
  size_t width = fit->scores;
  if (beyond->rows == 0 || beyond->row[beyond->rows - 1].run != beyond->runs)
    return; /* no row of this run is outside */
  for (size_t r = beyond->rows; r > 0 && beyond->row[r - 1].run == beyond->runs; r--)
    memcpy(beyond->scores + (r - 1) * width, scores + (beyond->row[r - 1].at - first) * width, width * sizeof *scores);
  beyond->run[beyond->runs] = (ent_beyond_run){fitted->outcome.link, fitted->class_validation.inverse_temperature};
  for (size_t k = 0; k < width; k++) {
    beyond->bounds[(beyond->runs * width + k) * 2] = bounds == NULL ? -INFINITY : bounds[2 * k];
    beyond->bounds[(beyond->runs * width + k) * 2 + 1] = bounds == NULL ? INFINITY : bounds[2 * k + 1];
  }
  beyond->runs++;
}
