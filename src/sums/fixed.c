/* Statistics in fixed point: creation, sums, and their doubles. */
#include "sums/fixed.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

int ent_fixed_exponent(double sup) {
  int exponent;
  if (!isfinite(sup))
    return ENT_FIXED_MOST_EXPONENT + 1;
  double mantissa = frexp(fabs(sup), &exponent);
  return mantissa == 0 ? 0 : mantissa == 0.5 ? exponent - 1 : exponent;
}

void ent_fixed_free(ent_fixed *fixed) {
  if (fixed == NULL)
    return;
  ent_delete(fixed->exponents);
  ent_delete(fixed->shift);
  ent_delete(fixed->totals);
  ent_delete(fixed->side);
  ent_delete(fixed);
}

entropic_status ent_fixed_start_side(entropic_context *context, ent_fixed *fixed, size_t count) {
  ent_int128 *side = ent_new(context, count, sizeof *side);
  if (side == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_delete(fixed->side);
  fixed->side = side;
  fixed->side_count = count;
  return ENTROPIC_OK;
}

void ent_fixed_drop_side(ent_fixed *fixed) {
  ent_delete(fixed->side);
  fixed->side = NULL;
  fixed->side_count = 0;
}

static bool both_have_side(const ent_fixed *a, const ent_fixed *b) {
  return a->side_count == b->side_count;
}

ent_fixed_shape ent_fixed_shape_of(const ent_fixed *fixed) {
  return (ent_fixed_shape){.grade = fixed->grade,
                           .features = fixed->features,
                           .targets = fixed->targets,
                           .exponents = fixed->exponents,
                           .shift = fixed->shift};
}

static entropic_status check_shape(entropic_context *context, const ent_fixed_shape *shape, size_t size) {
  if ((unsigned)shape->grade >= ENT_GRADE_COUNT)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "grade %d of statistics; expected 0 or 1", (int)shape->grade);
  for (size_t j = 0; j < size; j++)
    if (shape->exponents[j] < -ENT_FIXED_MOST_EXPONENT || shape->exponents[j] > ENT_FIXED_MOST_EXPONENT)
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "column %zu: a scale of 2^%d; expected 2^%d to 2^%d", j + 1,
                      shape->exponents[j], -ENT_FIXED_MOST_EXPONENT, ENT_FIXED_MOST_EXPONENT);
  for (size_t t = 0; shape->shift != NULL && t < shape->targets; t++)
    if (!isfinite(shape->shift[t]))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "target %zu: a shift of %g; expected a finite number", t + 1,
                      shape->shift[t]);
  return ENTROPIC_OK;
}

entropic_status ent_fixed_create(entropic_context *context, const ent_fixed_shape *shape, ent_fixed **fixed) {
  ENT_NEED(context, shape);
  ENT_NEED(context, shape->exponents);
  ENT_NEED(context, fixed);
  size_t size, count;
  if (!ent_add(shape->features, shape->targets, &size) || size > INT32_MAX - 1)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "statistics of %zu features and %zu targets", shape->features,
                    shape->targets);
  size += 1;
  count = size * (size + 1) / 2;
  entropic_status status = check_shape(context, shape, size);
  if (status != ENTROPIC_OK)
    return status;
  ent_fixed *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->grade = shape->grade;
  made->features = shape->features;
  made->targets = shape->targets;
  made->size = size;
  made->exponents = ent_new(context, size, sizeof *made->exponents);
  made->shift = ent_new(context, shape->targets, sizeof *made->shift);
  made->totals = ent_new(context, count, sizeof *made->totals);
  if (made->exponents == NULL || made->shift == NULL || made->totals == NULL) {
    ent_fixed_free(made);
    return ENTROPIC_NO_MEMORY;
  }
  memcpy(made->exponents, shape->exponents, size * sizeof *made->exponents);
  for (size_t t = 0; shape->shift != NULL && t < shape->targets; t++)
    made->shift[t] = shape->shift[t] + 0.0; /* no -0: equal shifts are equal bytes */
  *fixed = made;
  return ENTROPIC_OK;
}

static bool shapes_are_equal(const ent_fixed *a, const ent_fixed *b) {
  return a->grade == b->grade && a->features == b->features && a->targets == b->targets &&
         memcmp(a->exponents, b->exponents, a->size * sizeof *a->exponents) == 0 &&
         memcmp(a->shift, b->shift, a->targets * sizeof *a->shift) == 0;
}

static entropic_status check_pair(entropic_context *context, const ent_fixed *sum, const ent_fixed *other) {
  ENT_NEED(context, sum);
  ENT_NEED(context, other);
  if (!shapes_are_equal(sum, other))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "statistics of %zu features and %zu targets, grade %d, do not match statistics of %zu features and "
                    "%zu targets, grade %d: expected the same features, targets, scales, shifts and grade",
                    sum->features, sum->targets, (int)sum->grade, other->features, other->targets, (int)other->grade);
  return ENTROPIC_OK;
}

entropic_status ent_fixed_add(entropic_context *context, ent_fixed *sum, const ent_fixed *other) {
  entropic_status status = check_pair(context, sum, other);
  if (status != ENTROPIC_OK)
    return status;
  if (sum->rows > ENT_FIXED_MOST_ROWS - other->rows)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "statistics of more than %llu rows",
                    (unsigned long long)ENT_FIXED_MOST_ROWS);
  for (size_t i = 0; i < sum->size * (sum->size + 1) / 2; i++)
    sum->totals[i] += other->totals[i];
  for (size_t i = 0; i < sum->side_count && both_have_side(sum, other); i++)
    sum->side[i] += other->side[i];
  sum->rows += other->rows;
  return ENTROPIC_OK;
}

entropic_status ent_fixed_subtract(entropic_context *context, ent_fixed *sum, const ent_fixed *other) {
  entropic_status status = check_pair(context, sum, other);
  if (status != ENTROPIC_OK)
    return status;
  if (sum->rows < other->rows)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%llu rows cannot be subtracted from %llu: they were never added",
                    (unsigned long long)other->rows, (unsigned long long)sum->rows);
  for (size_t j = 0; j < sum->size; j++)
    if (sum->totals[ent_fixed_index(j, j)] < other->totals[ent_fixed_index(j, j)])
      return ent_fail(context, ENTROPIC_BAD_DATA,
                      "the sum of squares of column %zu would become negative: these rows were never added", j + 1);
  for (size_t i = 0; i < sum->size * (sum->size + 1) / 2; i++)
    sum->totals[i] -= other->totals[i];
  for (size_t i = 0; i < sum->side_count && both_have_side(sum, other); i++)
    sum->side[i] -= other->side[i];
  sum->rows -= other->rows;
  return ENTROPIC_OK;
}

/* Whether fixed-point statistics can be those of rows. */

bool ent_fixed_possible(const ent_fixed *fixed, const ent_fixed *without) {
  uint64_t less = without == NULL ? 0 : without->rows;
  if (less > fixed->rows || fixed->rows > ENT_FIXED_MOST_ROWS)
    return false;
  ent_int128 most = (ent_int128)(fixed->rows - less) << (2 * ent_grade_bits(fixed->grade));
  for (size_t i = 0; i < fixed->size * (fixed->size + 1) / 2; i++) {
    ent_int128 total = fixed->totals[i];
    if (without != NULL && __builtin_sub_overflow(total, without->totals[i], &total))
      return false;
    if (total > most || total < -most)
      return false;
  }
  for (size_t j = 0; j < fixed->size; j++) {
    size_t at = ent_fixed_index(j, j);
    if (fixed->totals[at] < (without == NULL ? 0 : without->totals[at]))
      return false;
  }
  return true;
}
