/* Scaling of each input to [0,1].
 *
 * Quantile: the distinct values seen become knots whose height is the mid-rank (values below + half of those equal)
 * / n, with straight lines between them: monotone and continuous from the smallest value, at height c/(2n) if it was
 * seen c times, to the largest, at 1 - c/(2n). Outside that range the map steps to 0 and 1 exactly, so that a value
 * never seen is told from the extremes that were. Past 1024 distinct values only some become knots, spread evenly over
 * the heights: no skipped value is off by more than 1/511, and values that many rows share are not skipped.
 *
 * An input that was constant becomes 1/2 whatever its value later: nothing has been learnt about it, so nothing may
 * follow from it. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

#define ENT_KNOTS 1024

/* How one input is scaled: by knots (two of them for min-max), or not at all if there are none. */
typedef struct ent_scale {
  size_t knots;
  double *at, *height; /* of the knots, both ascending; one allocation */
} ent_scale;

struct entropic_scaler {
  entropic_scaling scaling;
  size_t inputs;
  ent_scale *scales;
};

void entropic_scaler_free(entropic_scaler *scaler) {
  if (scaler == NULL)
    return;
  for (size_t input = 0; scaler->scales != NULL && input < scaler->inputs; input++)
    ent_delete(scaler->scales[input].at);
  ent_delete(scaler->scales);
  ent_delete(scaler);
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

/* Walks from knot to knot over distinct values of heights h[0..count): each time to the last value within `step`, or
 * to the next one if that is further. Writes the chosen indices unless chosen is NULL; returns how many there are. */
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

/* The knots of sorted distinct values. Any two steps together pass `step`, so 511 to the whole range always fit; mostly
 * many more do. */
static entropic_status keep_knots(entropic_context *context, const double *values, const double *heights, size_t count,
                                  ent_scale *scale) {
  size_t chosen[ENT_KNOTS], knots = count;
  if (count > ENT_KNOTS) {
    double range = heights[count - 1] - heights[0];
    int steps = ENT_KNOTS - 1;
    while (steps > 511 && choose_knots(heights, count, range / steps, NULL) > ENT_KNOTS)
      steps -= 16;
    knots = choose_knots(heights, count, range / steps, chosen);
  }
  scale->at = ent_new(context, 2 * knots, sizeof *scale->at);
  if (scale->at == NULL)
    return ENTROPIC_NO_MEMORY;
  scale->height = scale->at + knots;
  scale->knots = knots;
  for (size_t knot = 0; knot < knots; knot++) {
    size_t index = count > ENT_KNOTS ? chosen[knot] : knot;
    scale->at[knot] = values[index];
    scale->height[knot] = heights[index];
  }
  return ENTROPIC_OK;
}

typedef struct ent_learning {
  entropic_scaler *scaler;
  const double *values;
  size_t rows, stride;
} ent_learning;

static entropic_status learn_quantiles(entropic_context *context, const ent_learning *job, size_t input) {
  size_t rows = job->rows;
  uint64_t *keys = ent_new(context, rows, sizeof *keys), *spare = NULL;
  if (keys != NULL)
    spare = ent_new(context, rows, sizeof *spare);
  double *values = NULL, *heights = NULL;
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (spare == NULL)
    goto fail;
  for (size_t row = 0; row < rows; row++)
    keys[row] = key_of(job->values[row * job->stride + input] + 0.0); /* + 0.0 makes -0 the same value as 0 */
  sort_keys(keys, spare, rows);

  /* The spare array has done its work: distinct values take its place, heights that of the keys read already. */
  values = (double *)(void *)spare;
  heights = (double *)(void *)keys;
  size_t count = 0;
  for (size_t start = 0, end; start < rows; start = end) {
    uint64_t key = keys[start];
    for (end = start; end < rows && keys[end] == key;)
      end++;
    values[count] = value_of(key);
    heights[count++] = 0.5 * ((double)start + (double)end) / (double)rows;
  }
  status = keep_knots(context, values, heights, count, &job->scaler->scales[input]);

fail:
  ent_delete(spare);
  ent_delete(keys);
  return status;
}

static entropic_status learn_range(entropic_context *context, const ent_learning *job, size_t input) {
  double least = job->values[input], most = least;
  for (size_t row = 1; row < job->rows; row++) {
    double value = job->values[row * job->stride + input];
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  const double values[2] = {least, most}, heights[2] = {0, 1}, middle = 0.5;
  return least == most ? keep_knots(context, values, &middle, 1, &job->scaler->scales[input])
                       : keep_knots(context, values, heights, 2, &job->scaler->scales[input]);
}

static entropic_status learn_input(entropic_context *context, void *shared, size_t input, int worker) {
  (void)worker;
  const ent_learning *job = shared;
  for (size_t row = 0; row < job->rows; row++) {
    double value = job->values[row * job->stride + input];
    if (!isfinite(value))
      return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu, input %zu: found %s, expected a finite number", row + 1,
                      input + 1,
                      isnan(value) ? "nan"
                      : value > 0  ? "inf"
                                   : "-inf");
  }
  switch (job->scaler->scaling) {
  case ENTROPIC_SCALE_QUANTILE:
    return learn_quantiles(context, job, input);
  case ENTROPIC_SCALE_MINMAX:
    return learn_range(context, job, input);
  default:
    return ENTROPIC_OK;
  }
}

entropic_status entropic_scaler_create(entropic_context *context, entropic_scaling scaling, const double *values,
                                       size_t rows, size_t inputs, size_t stride, entropic_scaler **scaler) {
  if (values == NULL || scaler == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", values == NULL ? "values" : "scaler");
  if (scaling != ENTROPIC_SCALE_QUANTILE && scaling != ENTROPIC_SCALE_MINMAX && scaling != ENTROPIC_SCALE_NONE)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "scaling is %d, expected one of entropic_scaling", (int)scaling);
  if (rows == 0 || inputs == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is 0, expected at least 1", rows == 0 ? "rows" : "inputs");
  if (stride < inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "stride is %zu, expected at least the %zu inputs", stride, inputs);
  entropic_scaler *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_NO_MEMORY;
  made->scaling = scaling;
  made->inputs = inputs;
  made->scales = ent_new(context, inputs, sizeof *made->scales);
  if (made->scales == NULL)
    goto fail;
  ent_learning job = {made, values, rows, stride};
  status = ent_parallel(context, inputs, learn_input, &job);
  if (status != ENTROPIC_OK)
    goto fail;
  *scaler = made;
  return ENTROPIC_OK;

fail:
  entropic_scaler_free(made);
  return status;
}

/* (x - a) / (b - a) for a <= x < b, also where b - a is beyond the range of double. */
static double fraction(double x, double a, double b) {
  double width = b - a;
  return isfinite(width) ? (x - a) / width : (x / 2 - a / 2) / (b / 2 - a / 2);
}

static double scale_value(const ent_scale *scale, double x) {
  const double *at = scale->at, *height = scale->height;
  size_t low = 0, high = scale->knots - 1;
  if (isnan(x))
    return x;
  if (high == 0)
    return 0.5;
  if (x < at[0])
    return 0;
  if (x >= at[high])
    return x > at[high] ? 1 : height[high];
  while (high - low > 1) { /* at[low] <= x < at[high] */
    size_t middle = low + (high - low) / 2;
    if (x < at[middle])
      high = middle;
    else
      low = middle;
  }
  double scaled = height[low] + (height[high] - height[low]) * fraction(x, at[low], at[high]);
  return scaled < height[high] ? scaled : height[high]; /* rounding must not carry it past the next knot */
}

void entropic_scaler_apply(const entropic_scaler *scaler, const double *values, size_t rows, size_t stride,
                           double *scaled) {
  for (size_t row = 0; row < rows; row++)
    for (size_t input = 0; input < scaler->inputs; input++) {
      double value = values[row * stride + input];
      bool as_is = scaler->scales[input].knots == 0;
      scaled[row * scaler->inputs + input] = as_is ? value : scale_value(&scaler->scales[input], value);
    }
}
