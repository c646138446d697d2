/* Scalers: learnt from data, or put together from stored parts. What they do to values is in scale.c.
 *
 * Quantile: the distinct values seen become knots whose height is the mid-rank (values below + half of those equal)
 * / n, with straight lines between them: monotone and continuous from the smallest value, at height c/(2n) if it was
 * seen c times, to the largest, at 1 - c/(2n). Where rows have weights, sums of these are counted. Outside that range
 * the map steps to 0 and 1 exactly, so that a value never seen differs from the extremes that were. Past 1024 distinct
 * values only some become knots, spread evenly over the heights: no skipped value is off by more than 1/511, and values
 * that many rows share are not skipped. In fits, knots lie between values (knots.c): models tell no value of a row.
 *
 * Blend: the mean of that and of min-max. Both are straight between knots, so it is the same knots at other heights.
 *
 * An input that was constant becomes 1/2 whatever its value later: nothing has been learnt about it, so nothing may
 * follow from it. */
#include "axis/scaler.h"

#include <math.h>
#include <string.h>

#include "axis/axis.h"
#include "base/threads.h"

static const char *const scaling_names[] = {
    [ENTROPIC_SCALING_QUANTILE] = "quantile", [ENTROPIC_SCALING_MINMAX] = "minmax", [ENTROPIC_SCALING_NONE] = "none",
    [ENTROPIC_SCALING_BLEND] = "blend",       [ENTROPIC_SCALING_AUTO] = "auto",
};

const char *entropic_scaling_name(entropic_scaling scaling) {
  return (size_t)scaling < sizeof scaling_names / sizeof scaling_names[0] ? scaling_names[scaling] : NULL;
}

/* Auto is for fits to resolve. */
static bool is_scaling(entropic_scaling scaling) {
  return entropic_scaling_name(scaling) != NULL && scaling != ENTROPIC_SCALING_AUTO;
}

void entropic_scaler_free(entropic_scaler *scaler) {
  if (scaler == NULL)
    return;
  for (size_t input = 0; scaler->scales != NULL && input < scaler->inputs; input++)
    ent_delete(scaler->scales[input].at);
  ent_delete(scaler->scales);
  ent_delete(scaler);
}

entropic_status ent_scaler_copy(entropic_context *context, const entropic_scaler *scaler, entropic_scaler **copy) {
  entropic_scaler *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  *made = (entropic_scaler){.scaling = scaler->scaling, .inputs = scaler->inputs};
  made->scales = ent_new(context, scaler->inputs, sizeof *made->scales);
  if (made->scales == NULL)
    goto fail;
  for (size_t i = 0; i < scaler->inputs; i++) {
    const ent_scale *from = &scaler->scales[i];
    ent_scale *to = &made->scales[i];
    *to = *from;
    to->at = to->height = NULL;
    if (from->at == NULL)
      continue;
    to->at = ent_new_matrix(context, from->knots, 2, sizeof *to->at);
    if (to->at == NULL)
      goto fail;
    to->height = to->at + from->knots;
    memcpy(to->at, from->at, from->knots * sizeof *to->at);
    memcpy(to->height, from->height, from->knots * sizeof *to->at);
  }
  *copy = made;
  return ENTROPIC_OK;
fail:
  entropic_scaler_free(made);
  return ENTROPIC_NO_MEMORY;
}

/* Integers that are ordered as the doubles are. */
static uint64_t key_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double value_of(uint64_t key) {
  uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Sorts by digits of 11 bits, lowest first, with `spare` as second array; several times faster than qsort here. */
static void sort_keys(uint64_t *keys, uint64_t *spare, size_t count) {
  uint64_t *from = keys, *to = spare;
  for (int shift = 0; shift < 64; shift += 11) {
    size_t places[2048] = {0}, place = 0;
    for (size_t i = 0; i < count; i++)
      places[from[i] >> shift & 2047]++;
    if (places[from[0] >> shift & 2047] == count)
      continue; /* all alike in this digit */
    for (size_t digit = 0; digit < 2048; digit++) {
      size_t size = places[digit];
      places[digit] = place;
      place += size;
    }
    for (size_t i = 0; i < count; i++)
      to[places[from[i] >> shift & 2047]++] = from[i];
    uint64_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != keys)
    memcpy(keys, from, count * sizeof *keys);
}

/* Chooses knots among distinct values of heights h[0..count): from one knot the next is the last value within `step`, or
 * the next value if that is further. Writes the chosen indices unless chosen is NULL; returns how many there are. */
static size_t choose_knots(const double *h, size_t count, double step, size_t *chosen) {
  size_t knots = 0, at = 0;
  for (;;) {
    if (chosen != NULL)
      chosen[knots] = at;
    knots++;
    if (at == count - 1)
      return knots;
    size_t low = at + 1, high = count; /* the last index within the step lies below high */
    while (high - low > 1) {
      size_t middle = low + (high - low) / 2;
      if (h[middle] - h[at] <= step)
        low = middle;
      else
        high = middle;
    }
    at = low;
  }
}

/* Copies knots, or those of them that were chosen. */
static entropic_status store_knots(entropic_context *context, const double *at, const double *height,
                                   const size_t *chosen, size_t knots, ent_scale *scale) {
  scale->at = ent_new(context, 2 * knots, sizeof *scale->at);
  if (scale->at == NULL)
    return ENTROPIC_NO_MEMORY;
  scale->height = scale->at + knots;
  scale->knots = knots;
  for (size_t knot = 0; knot < knots; knot++) {
    size_t index = chosen != NULL ? chosen[knot] : knot;
    scale->at[knot] = at[index];
    scale->height[knot] = height[index];
  }
  return ENTROPIC_OK;
}

/* The knots of sorted distinct values. Any two steps together pass `step`, so 511 to the whole range always fit; mostly
 * many more do. */
static entropic_status keep_knots(entropic_context *context, const double *values, const double *heights, size_t count,
                                  ent_scale *scale) {
  size_t chosen[ENT_KNOTS];
  if (count <= ENT_KNOTS)
    return store_knots(context, values, heights, NULL, count, scale);
  double range = heights[count - 1] - heights[0];
  int steps = ENT_KNOTS - 1;
  while (steps > 511 && choose_knots(heights, count, range / steps, NULL) > ENT_KNOTS)
    steps -= 16;
  size_t knots = choose_knots(heights, count, range / steps, chosen);
  return store_knots(context, values, heights, chosen, knots, scale);
}

/* Heights of min-max become a half of all heights; a single knot stays in the middle. */
static void blend_heights(ent_scale *scale) {
  size_t last = scale->knots - 1;
  for (size_t knot = 0; last > 0 && knot <= last; knot++)
    scale->height[knot] = (scale->height[knot] + ent_fraction(scale->at[knot], scale->at[0], scale->at[last])) / 2;
}

/* ---- Learning ---- */

typedef struct ent_learning {
  entropic_scaler *scaler;
  ent_inputs values;
  size_t rows;
  const ent_scale_category *kinds; /* or NULL */
  const double *weights;           /* or NULL */
  bool missing;                    /* missing numbers are left out, not refused */
  bool between;                    /* no knot is a value of few rows */
} ent_learning;

/* The mid-ranks of sorted distinct values, rows counted by their weights. */
static void weigh_heights(const ent_learning *job, size_t input, const double *values, size_t count, double *heights) {
  double total = 0, below = 0;
  ent_inputs_cursor cursor;
  ent_inputs_start(&job->values, input, job->rows, &cursor);
  memset(heights, 0, count * sizeof *heights);
  for (size_t row = 0; row < job->rows; row++) {
    double value = ent_inputs_at(&cursor, row);
    if (isnan(value))
      continue;
    size_t low = 0, high = count;
    while (high - low > 1) {
      size_t middle = low + (high - low) / 2;
      if (values[middle] <= value)
        low = middle;
      else
        high = middle;
    }
    heights[low] += job->weights[row];
    total += job->weights[row];
  }
  for (size_t i = 0; i < count; i++) {
    double above = below + heights[i];
    heights[i] = fmin(0.5 * (below + above) / total, 1); /* sums of other orders may differ in their last bit */
    below = above;
  }
}

/* Knots between sorted distinct values. */
static entropic_status keep_between(entropic_context *context, const ent_knot_values *values, ent_scale *scale) {
  size_t most = ent_knots_most(values);
  double *at = ent_new(context, most, sizeof *at), *height = ent_new(context, most, sizeof *height);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (at == NULL || height == NULL)
    goto done;
  size_t knots = ent_knots_between(values, at, height);
  status = keep_knots(context, at, height, knots, scale);
done:
  ent_delete(at);
  ent_delete(height);
  return status;
}

static entropic_status learn_quantiles(entropic_context *context, const ent_learning *job, size_t input) {
  entropic_status status = ENTROPIC_NO_MEMORY;
  uint64_t *keys = NULL, *spare = NULL;
  uint8_t *common = NULL;
  keys = ent_new(context, job->rows, sizeof *keys);
  if (keys == NULL)
    goto done;
  spare = ent_new(context, job->rows, sizeof *spare);
  if (spare == NULL)
    goto done;
  common = ent_new(context, job->between ? job->rows : 1, sizeof *common);
  if (common == NULL)
    goto done;
  size_t present = 0;
  ent_inputs_cursor cursor;
  ent_inputs_start(&job->values, input, job->rows, &cursor);
  for (size_t row = 0; row < job->rows; row++) {
    double value = ent_inputs_at(&cursor, row) + 0.0; /* + 0.0 makes -0 the same value as 0 */
    if (!isnan(value))
      keys[present++] = key_of(value);
  }
  sort_keys(keys, spare, present);

  /* The spare array has done its work: distinct values take its place, heights that of the keys read already. */
  double *values = (double *)(void *)spare, *heights = (double *)(void *)keys;
  size_t count = 0;
  for (size_t start = 0, end; start < present; start = end) {
    uint64_t key = keys[start];
    for (end = start; end < present && keys[end] == key;)
      end++;
    if (job->between)
      common[count] = end - start >= ENT_COMMON_ROWS;
    values[count] = value_of(key);
    heights[count++] = 0.5 * ((double)start + (double)end) / (double)present;
  }
  if (job->weights != NULL)
    weigh_heights(job, input, values, count, heights);
  const ent_knot_values found = {values, heights, common, count, job->weights == NULL ? present : 0};
  status = job->between ? keep_between(context, &found, &job->scaler->scales[input])
                        : keep_knots(context, values, heights, count, &job->scaler->scales[input]);
  if (status != ENTROPIC_OK)
    goto done;
  if (job->scaler->scaling == ENTROPIC_SCALING_BLEND)
    blend_heights(&job->scaler->scales[input]);
done:
  ent_delete(common);
  ent_delete(spare);
  ent_delete(keys);
  return status;
}

/* How many rows have a value. */
static size_t count_equal(const ent_learning *job, size_t input, double value) {
  size_t count = 0;
  ent_inputs_cursor cursor;
  ent_inputs_start(&job->values, input, job->rows, &cursor);
  for (size_t row = 0; row < job->rows; row++)
    count += ent_inputs_at(&cursor, row) == value;
  return count;
}

static entropic_status learn_range(entropic_context *context, const ent_learning *job, size_t input) {
  double least = INFINITY, most = -INFINITY;
  ent_inputs_cursor cursor;
  ent_inputs_start(&job->values, input, job->rows, &cursor);
  for (size_t row = 0; row < job->rows; row++) {
    double value = ent_inputs_at(&cursor, row);
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  double values[2] = {least, most};
  const double heights[2] = {0, 1}, middle = 0.5;
  for (int end = 0; end < 2 && job->between; end++)
    if (count_equal(job, input, values[end]) < ENT_COMMON_ROWS)
      values[end] = ent_knot_outward(end == 0 ? least : most, least, most, end == 0 ? -1 : 1);
  return least == most ? keep_knots(context, values, &middle, 1, &job->scaler->scales[input])
                       : keep_knots(context, values, heights, 2, &job->scaler->scales[input]);
}

static entropic_status check_values(entropic_context *context, const ent_learning *job, size_t input) {
  size_t missing = 0;
  ent_inputs_cursor cursor;
  ent_inputs_start(&job->values, input, job->rows, &cursor);
  for (size_t row = 0; row < job->rows; row++) {
    double value = ent_inputs_at(&cursor, row);
    if (isfinite(value))
      continue;
    if (!(job->missing && isnan(value)))
      return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu, input %zu: found %s, expected a finite number", row + 1,
                      input + 1,
                      isnan(value) ? "nan"
                      : value > 0  ? "inf"
                                   : "-inf");
    missing++;
  }
  if (missing == job->rows && (job->kinds == NULL || job->kinds[input].categories == 0))
    return ent_fail(context, ENTROPIC_BAD_DATA, "input %zu: all %zu values are missing, expected at least one number",
                    input + 1, job->rows);
  return ENTROPIC_OK;
}

/* How many distinct numbers there are, counted no further than ENT_MANY_NUMBERS. */
static size_t count_distinct(const ent_learning *job, size_t input) {
  double seen[ENT_MANY_NUMBERS]; /* ascending */
  size_t count = 0;
  ent_inputs_cursor cursor;
  ent_inputs_start(&job->values, input, job->rows, &cursor);
  for (size_t row = 0; row < job->rows && count < ENT_MANY_NUMBERS; row++) {
    double value = ent_inputs_at(&cursor, row);
    size_t place = count;
    while (place > 0 && seen[place - 1] > value)
      place--;
    if (isnan(value) || (place > 0 && seen[place - 1] == value))
      continue;
    memmove(seen + place + 1, seen + place, (count - place) * sizeof *seen);
    seen[place] = value;
    count++;
  }
  return count;
}

static void set_cells(ent_scale *scale, size_t categories, bool missing) {
  scale->categories = categories;
  scale->cells = categories + (missing ? 2 : 1);
}

static entropic_status learn_input(entropic_context *context, void *shared, size_t input, int worker) {
  (void)worker;
  const ent_learning *job = shared;
  entropic_status status = check_values(context, job, input);
  if (status != ENTROPIC_OK)
    return status;
  if (job->kinds != NULL && job->kinds[input].categories > 0) {
    set_cells(&job->scaler->scales[input], job->kinds[input].categories, job->kinds[input].missing);
    return ENTROPIC_OK;
  }
  job->scaler->scales[input].missing = job->kinds != NULL && job->kinds[input].missing;
  job->scaler->scales[input].distinct = count_distinct(job, input);
  if (job->kinds != NULL && job->kinds[input].fixed) {
    static const double heights[2] = {0, 1};
    job->scaler->scales[input].fixed = true;
    return store_knots(context, job->kinds[input].ends, heights, NULL, 2, &job->scaler->scales[input]);
  }
  switch (job->scaler->scaling) {
  case ENTROPIC_SCALING_QUANTILE:
  case ENTROPIC_SCALING_BLEND:
    return learn_quantiles(context, job, input);
  case ENTROPIC_SCALING_MINMAX:
    return learn_range(context, job, input);
  default:
    return ENTROPIC_OK;
  }
}

static entropic_status learn(entropic_context *context, entropic_scaling scaling, size_t inputs, ent_learning *job,
                             entropic_scaler **scaler) {
  bool none = job->values.x == NULL && job->values.columns == NULL;
  if (none || scaler == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", none ? "values" : "scaler");
  if (!is_scaling(scaling))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "scaling is %d, expected one of entropic_scaling but auto",
                    (int)scaling);
  if (job->rows == 0 || inputs == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is 0, expected at least 1", job->rows == 0 ? "rows" : "inputs");
  if (job->values.columns == NULL && job->values.stride < inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "stride is %zu, expected at least the %zu inputs",
                    job->values.stride, inputs);
  entropic_status status = ent_scaler_start(context, scaling, inputs, &job->scaler);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_parallel(context, inputs, learn_input, job);
  if (status != ENTROPIC_OK)
    goto fail;
  *scaler = job->scaler;
  return ENTROPIC_OK;
fail:
  entropic_scaler_free(job->scaler);
  return status;
}

entropic_status entropic_scaler_create(entropic_context *context, entropic_scaling scaling, const double *values,
                                       size_t rows, size_t inputs, size_t stride, entropic_scaler **scaler) {
  ent_learning job = {.values = {values, stride, NULL}, .rows = rows};
  return learn(context, scaling, inputs, &job, scaler);
}

entropic_status ent_scaler_learn(entropic_context *context, entropic_scaling scaling, const double *values, size_t rows,
                                 size_t inputs, size_t stride, const ent_scale_category *kinds,
                                 entropic_scaler **scaler) {
  const ent_scale_rows from = {{values, stride, NULL}, rows, inputs, kinds, NULL, false};
  return ent_scaler_learn_rows(context, scaling, &from, scaler);
}

entropic_status ent_scaler_learn_rows(entropic_context *context, entropic_scaling scaling, const ent_scale_rows *from,
                                      entropic_scaler **scaler) {
  ent_learning job = {.values = from->values,
                      .rows = from->rows,
                      .kinds = from->kinds,
                      .weights = from->weights,
                      .missing = true,
                      .between = from->between};
  return learn(context, scaling, from->inputs, &job, scaler);
}

/* A knot at 0 has the sign of the first zero of its input, as learn_range leaves it. */
static double signed_end(double end, const ent_scale_rows *from, size_t input) {
  ent_inputs_cursor cursor;
  ent_inputs_start(&from->values, input, from->rows, &cursor);
  for (size_t row = 0; end == 0 && row < from->rows; row++) {
    double value = ent_inputs_at(&cursor, row);
    if (value == 0)
      return value;
  }
  return end;
}

/* The first and the last knot of an input, as learn_range would find them in its values. */
static entropic_status derive_range(entropic_context *context, const ent_scale *from, const ent_scale_rows *rows,
                                    size_t input, ent_scale *to) {
  const double ends[2] = {signed_end(from->at[0], rows, input), signed_end(from->at[from->knots - 1], rows, input)},
               heights[2] = {0, 1}, middle = 0.5;
  return from->knots == 1 ? store_knots(context, ends, &middle, NULL, 1, to)
                          : store_knots(context, ends, heights, NULL, 2, to);
}

static entropic_status derive_blend(entropic_context *context, const ent_scale *from, ent_scale *to) {
  entropic_status status = store_knots(context, from->at, from->height, NULL, from->knots, to);
  if (status != ENTROPIC_OK)
    return status;
  blend_heights(to);
  return ENTROPIC_OK;
}

entropic_status ent_scaler_derive_rows(entropic_context *context, const entropic_scaler *ranks,
                                       entropic_scaling scaling, const ent_scale_rows *rows, entropic_scaler **scaler) {
  entropic_scaler *made = NULL;
  size_t inputs = ranks->inputs;
  entropic_status status = ent_scaler_start(context, scaling, inputs, &made);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < inputs; i++) {
    const ent_scale *from = &ranks->scales[i];
    ent_scale *to = &made->scales[i];
    *to = *from;
    to->at = to->height = NULL;
    if (from->categories > 0)
      continue;
    status = from->fixed                         ? store_knots(context, from->at, from->height, NULL, from->knots, to)
             : scaling == ENTROPIC_SCALING_BLEND ? derive_blend(context, from, to)
                                                 : derive_range(context, from, rows, i, to);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  *scaler = made;
  return ENTROPIC_OK;
fail:
  entropic_scaler_free(made);
  return status;
}

size_t ent_scaler_distinct(const entropic_scaler *scaler, size_t input) {
  return scaler->scales[input].distinct;
}

/* ---- Stored parts ---- */

entropic_status ent_scaler_start(entropic_context *context, entropic_scaling scaling, size_t inputs,
                                 entropic_scaler **scaler) {
  if (!is_scaling(scaling) || inputs == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "scaling is %d, of %zu inputs", (int)scaling, inputs);
  entropic_scaler *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->scaling = scaling;
  made->inputs = inputs;
  made->scales = ent_new(context, inputs, sizeof *made->scales);
  if (made->scales == NULL) {
    entropic_scaler_free(made);
    return ENTROPIC_NO_MEMORY;
  }
  *scaler = made;
  return ENTROPIC_OK;
}

static entropic_status check_counts(entropic_context *context, const entropic_scaler *scaler, size_t input,
                                    const ent_scale_parts *parts) {
  size_t knots = parts->knots, categories = parts->categories;
  size_t most_categories = ENT_MAX_CATEGORIES - (parts->missing ? 1 : 0);
  static const size_t least[] = {[ENTROPIC_SCALING_QUANTILE] = 1,
                                 [ENTROPIC_SCALING_MINMAX] = 1,
                                 [ENTROPIC_SCALING_NONE] = 0,
                                 [ENTROPIC_SCALING_BLEND] = 1},
                      most[] = {[ENTROPIC_SCALING_QUANTILE] = ENT_KNOTS,
                                [ENTROPIC_SCALING_MINMAX] = 2,
                                [ENTROPIC_SCALING_NONE] = 0,
                                [ENTROPIC_SCALING_BLEND] = ENT_KNOTS};
  if (input >= scaler->inputs)
    return ent_fail(context, ENTROPIC_BAD_DATA, "input %zu: the scaler has %zu", input + 1, scaler->inputs);
  if (categories > 0 && knots > 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "input %zu: found %zu knots, but a category has none", input + 1,
                    knots);
  if (categories > most_categories)
    return ent_fail(context, ENTROPIC_BAD_DATA, "input %zu: found %zu categories, expected at most %zu", input + 1,
                    categories, most_categories);
  if (categories == 0 && !parts->fixed && (knots < least[scaler->scaling] || knots > most[scaler->scaling]))
    return ent_fail(context, ENTROPIC_BAD_DATA, "input %zu: found %zu knots, expected %zu to %zu for scaling %s",
                    input + 1, knots, least[scaler->scaling], most[scaler->scaling],
                    entropic_scaling_name(scaler->scaling));
  return ENTROPIC_OK;
}

/* What learning could have produced. */
static entropic_status check_knots(entropic_context *context, const entropic_scaler *scaler, size_t input,
                                   const ent_scale_parts *parts) {
  const double *at = parts->at, *height = parts->height;
  size_t knots = parts->knots;
  for (size_t i = 0; i < knots; i++) {
    if (!isfinite(at[i]) || (i > 0 && !(at[i] > at[i - 1])))
      return ent_fail(context, ENTROPIC_BAD_DATA, "input %zu: knot %zu is at %g, expected a finite number%s", input + 1,
                      i + 1, at[i], i > 0 ? " above that of the knot before" : "");
    if (!(height[i] >= (i > 0 ? height[i - 1] : 0) && height[i] <= 1))
      return ent_fail(context, ENTROPIC_BAD_DATA, "input %zu: knot %zu has height %.17g, expected %.17g to 1",
                      input + 1, i + 1, height[i], i > 0 ? height[i - 1] : 0.0);
  }
  if (parts->fixed && !(knots == 2 && height[0] == 0 && height[1] == 1))
    return ent_fail(context, ENTROPIC_BAD_DATA, "input %zu: found %zu knots, expected those of a part of a date",
                    input + 1, knots);
  if (knots == 1 && height[0] != 0.5)
    return ent_fail(context, ENTROPIC_BAD_DATA, "input %zu: a single knot has height %.17g, expected 0.5", input + 1,
                    height[0]);
  if (scaler->scaling == ENTROPIC_SCALING_MINMAX && knots == 2 && !(height[0] == 0 && height[1] == 1))
    return ent_fail(context, ENTROPIC_BAD_DATA, "input %zu: heights are %.17g and %.17g, expected 0 and 1", input + 1,
                    height[0], height[1]);
  return ENTROPIC_OK;
}

entropic_status ent_scaler_set(entropic_context *context, entropic_scaler *scaler, size_t input,
                               const ent_scale_parts *parts) {
  entropic_status status = check_counts(context, scaler, input, parts);
  if (status != ENTROPIC_OK)
    return status;
  status = check_knots(context, scaler, input, parts);
  if (status != ENTROPIC_OK)
    return status;
  ent_scale made = {.missing = parts->categories == 0 && parts->missing, .fixed = parts->fixed};
  if (parts->categories > 0)
    set_cells(&made, parts->categories, parts->missing);
  if (parts->knots > 0) {
    status = store_knots(context, parts->at, parts->height, NULL, parts->knots, &made);
    if (status != ENTROPIC_OK)
      return status;
  }
  ent_delete(scaler->scales[input].at);
  scaler->scales[input] = made;
  return ENTROPIC_OK;
}

bool ent_scaler_has_slope(const entropic_scaler *scaler, size_t input) {
  return scaler->scales[input].knots > 1 &&
         (scaler->scaling == ENTROPIC_SCALING_MINMAX || scaler->scaling == ENTROPIC_SCALING_BLEND);
}

double ent_scaler_slope(const entropic_scaler *scaler, size_t input) {
  const ent_scale *scale = &scaler->scales[input];
  if (!ent_scaler_has_slope(scaler, input))
    return 0;
  return (scaler->scaling == ENTROPIC_SCALING_MINMAX ? 1 : 0.5) / (scale->at[scale->knots - 1] - scale->at[0]);
}

entropic_status ent_scaler_go_beyond(entropic_context *context, entropic_scaler *scaler, size_t input) {
  if (!ent_scaler_has_slope(scaler, input))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "input %zu: its scaling has no slope beyond the range", input + 1);
  scaler->scales[input].beyond = true;
  return ENTROPIC_OK;
}

void ent_scaler_ignore(entropic_scaler *scaler, size_t input) {
  ent_delete(scaler->scales[input].at);
  scaler->scales[input] = (ent_scale){.ignored = true};
}
