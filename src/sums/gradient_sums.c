/* Sums of the gradient: creation, sums of sums, and their doubles. */
#include "sums/gradient_sums.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "loss/link.h"

void ent_gradient_sums_free(ent_gradient_sums *sums) {
  if (sums == NULL)
    return;
  ent_delete(sums->exponents);
  ent_delete(sums->weights);
  ent_delete(sums->gradient);
  ent_delete(sums);
}

static size_t gradient_count(const ent_gradient_sums *sums) {
  return sums->scores * (sums->features + 1);
}

void ent_gradient_sums_clear(ent_gradient_sums *sums) {
  sums->has_point = false;
  memset(sums->point, 0, sizeof sums->point);
  sums->rows = sums->misplaced = sums->broken = 0;
  sums->margin = -INFINITY;
  sums->loss = 0;
  memset(sums->weights, 0, sums->classes * sizeof *sums->weights);
  memset(sums->gradient, 0, gradient_count(sums) * sizeof *sums->gradient);
}

entropic_status ent_gradient_sums_check(entropic_context *context, const ent_gradient_sums *sums) {
  int weight = sums->weight_exponent;
  if (weight < -ENT_GRADIENT_MOST_WEIGHT || weight > ENT_GRADIENT_MOST_WEIGHT)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "weights: a scale of 2^%d; expected 2^%d to 2^%d", weight,
                    -ENT_GRADIENT_MOST_WEIGHT, ENT_GRADIENT_MOST_WEIGHT);
  for (size_t j = 0; j < sums->features; j++)
    if (sums->exponents[j] < -ENT_FIXED_MOST_EXPONENT || sums->exponents[j] > ENT_FIXED_MOST_EXPONENT)
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "feature %zu: a scale of 2^%d; expected 2^%d to 2^%d", j + 1,
                      sums->exponents[j], -ENT_FIXED_MOST_EXPONENT, ENT_FIXED_MOST_EXPONENT);
  return ENTROPIC_OK;
}

ent_gradient_sums *ent_gradient_sums_new(entropic_context *context, size_t features, size_t classes) {
  ent_gradient_sums *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return NULL;
  made->features = features;
  made->classes = classes;
  made->scores = ent_class_scores(classes);
  made->exponents = ent_new(context, features, sizeof *made->exponents);
  made->weights = ent_new(context, classes, sizeof *made->weights);
  made->gradient = ent_new_matrix(context, made->scores, features + 1, sizeof *made->gradient);
  if (made->exponents == NULL || made->weights == NULL || made->gradient == NULL) {
    ent_gradient_sums_free(made);
    return NULL;
  }
  ent_gradient_sums_clear(made);
  return made;
}

entropic_status ent_gradient_sums_create(entropic_context *context, const ent_map *map, size_t classes,
                                         int weight_exponent, ent_gradient_sums **sums) {
  if (classes < 2 || classes > INT32_MAX)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "sums of %zu classes; expected at least 2", classes);
  ent_gradient_sums *made = ent_gradient_sums_new(context, map->features, classes);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->weight_exponent = weight_exponent;
  map->calls->exponents(map->self, made->exponents);
  entropic_status status = ent_gradient_sums_check(context, made);
  if (status != ENTROPIC_OK) {
    ent_gradient_sums_free(made);
    return status;
  }
  *sums = made;
  return ENTROPIC_OK;
}

static bool go_together(const ent_gradient_sums *a, const ent_gradient_sums *b) {
  return a->features == b->features && a->classes == b->classes && a->weight_exponent == b->weight_exponent &&
         memcmp(a->exponents, b->exponents, a->features * sizeof *a->exponents) == 0;
}

entropic_status ent_gradient_sums_add(entropic_context *context, ent_gradient_sums *sum,
                                      const ent_gradient_sums *other) {
  if (!go_together(sum, other))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "sums of %zu features and %zu classes, weights up to 2^%d, do not match sums of %zu features and "
                    "%zu classes, weights up to 2^%d: expected the same features, classes and scales",
                    sum->features, sum->classes, sum->weight_exponent, other->features, other->classes,
                    other->weight_exponent);
  if (!other->has_point)
    return ENTROPIC_OK;
  if (sum->has_point && memcmp(sum->point, other->point, sizeof sum->point) != 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "sums at different weights cannot be added");
  if (sum->rows > ENT_FIXED_MOST_ROWS - other->rows)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "sums of more than %llu rows",
                    (unsigned long long)ENT_FIXED_MOST_ROWS);
  sum->has_point = true;
  memcpy(sum->point, other->point, sizeof sum->point);
  sum->rows += other->rows;
  sum->misplaced += other->misplaced;
  sum->broken += other->broken;
  sum->margin = fmax(sum->margin, other->margin);
  sum->loss += other->loss;
  for (size_t k = 0; k < sum->classes; k++)
    sum->weights[k] += other->weights[k];
  for (size_t i = 0; i < gradient_count(sum); i++)
    sum->gradient[i] += other->gradient[i];
  return ENTROPIC_OK;
}

void ent_gradient_sums_gradient(const ent_gradient_sums *sums, double *gradient) {
  size_t length = sums->features + 1;
  for (size_t k = 0; k < sums->scores; k++)
    for (size_t j = 0; j < length; j++) {
      int exponent = j < sums->features ? sums->exponents[j] : 0;
      gradient[k * length + j] =
          ldexp((double)sums->gradient[k * length + j], sums->weight_exponent + exponent - ENT_GRADIENT_BITS);
    }
}

double ent_gradient_sums_loss(const ent_gradient_sums *sums) {
  return ldexp((double)sums->loss, sums->weight_exponent - ENT_GRADIENT_BITS);
}

double ent_gradient_sums_weight(const ent_gradient_sums *sums) {
  ent_int128 total = 0;
  for (size_t k = 0; k < sums->classes; k++)
    total += sums->weights[k];
  return ldexp((double)total, sums->weight_exponent - ENT_GRADIENT_BITS);
}
