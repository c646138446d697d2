/* What the boundary functions are for: see boundary.h. */
#include "study/boundary.h"

#include <math.h>

#include "base/factor.h"
#include "base/memory.h"
#include "lift/features.h"

#define OMEGA 1.0
#define JITTER 1e-14 /* of the largest of the diagonal, so that there is a factor */

/* Products of all columns of z[rows x features], the upper triangle, and of them with the truth. */
static void multiply(const double *z, size_t features, size_t rows, const double *truth, double *gram, double *right) {
  double most = 0;
  for (size_t j = 0; j < features; j++) {
    const double *a = z + j * rows;
    right[j] = 0;
    for (size_t r = 0; r < rows; r++)
      right[j] += a[r] * truth[r];
    for (size_t i = 0; i <= j; i++) {
      double sum = 0;
      for (size_t r = 0; r < rows; r++)
        sum += a[r] * z[i * rows + r];
      gram[j * features + i] = sum;
    }
    most = fmax(most, gram[j * features + j]);
  }
  for (size_t j = 0; j < features; j++)
    gram[j * features + j] += JITTER * most;
}

static entropic_status solve(entropic_context *context, const double *z, size_t features, size_t rows,
                             const double *truth, double *fitted) {
  double *gram = ent_new(context, features * features, sizeof *gram);
  double *weights = ent_new(context, features, sizeof *weights);
  bool positive = false;
  entropic_status status = gram == NULL || weights == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status == ENTROPIC_OK) {
    multiply(z, features, rows, truth, gram, weights);
    status = ent_cholesky(context, gram, features, &positive);
  }
  if (status == ENTROPIC_OK && !positive)
    status = ent_fail(context, ENTROPIC_BAD_DATA, "%zu features that depend on each other", features);
  if (status == ENTROPIC_OK)
    status = ent_cholesky_solve(context, gram, features, weights, 1);
  for (size_t r = 0; r < rows && status == ENTROPIC_OK; r++) {
    fitted[r] = 0;
    for (size_t j = 0; j < features; j++)
      fitted[r] += z[j * rows + r] * weights[j];
  }
  ent_delete(gram);
  ent_delete(weights);
  return status;
}

entropic_status ent_boundary_fit(entropic_context *context, entropic_family family, entropic_basis basis,
                                 size_t features, const double *x, const double *truth, size_t rows, double *fitted) {
  entropic_axis_options axis = entropic_axis_options_default();
  axis.family = family;
  axis.basis = basis;
  axis.omega = OMEGA;
  ent_features wanted = {.axes = &axis, .inputs = 1, .design = entropic_design_options_default()};
  ent_lifting lifting = {0};
  void *scratch = NULL;
  double *z = NULL;
  entropic_status status = ent_features_make(context, &wanted, 0, features, &lifting);
  const ent_map *map = &lifting.map;
  if (status == ENTROPIC_OK) {
    z = ent_new(context, rows * map->features, sizeof *z);
    status = z == NULL ? ENTROPIC_NO_MEMORY : map->calls->scratch_create(context, map->self, &scratch);
  }
  if (status == ENTROPIC_OK)
    status = map->calls->dense(context, map->self, scratch, x, rows, 1, z, rows);
  if (status == ENTROPIC_OK)
    status = solve(context, z, map->features, rows, truth, fitted);
  if (scratch != NULL)
    map->calls->scratch_free(scratch);
  ent_delete(z);
  ent_lifting_clear(&lifting);
  return status;
}

/* The atoms of a kernel's levels, boundary functions first and then hats. */
static entropic_status draw_atoms(entropic_context *context, ent_boundary *result) {
  entropic_axis_options axis = entropic_axis_options_default();
  entropic_kernel *kernel = NULL;
  axis.omega = OMEGA;
  entropic_status status = entropic_kernel_create(context, &axis, 1, 1, &kernel);
  size_t levels = status == ENTROPIC_OK ? entropic_kernel_levels(kernel, 0) : 0, pair = 0;
  for (size_t level = 0; level < levels && status == ENTROPIC_OK; level++) {
    entropic_level info;
    uint64_t atom;
    status = entropic_kernel_level(context, kernel, 0, level, &info);
    bool hat = info.kind == ENTROPIC_KIND_HAT;
    if (status != ENTROPIC_OK || (hat ? info.order > ENT_BOUNDARY_LEVELS : pair == 2))
      continue;
    double *curve = hat ? result->hats[info.order - 1] : result->pair[pair++];
    for (size_t i = 0; i < ENT_BOUNDARY_POINTS && status == ENTROPIC_OK; i++)
      status = entropic_kernel_atom(context, kernel, 0, level, result->x[i], &atom, &curve[i]);
  }
  entropic_kernel_free(kernel);
  return status;
}

static entropic_status fit_grid(entropic_context *context, entropic_family family, entropic_basis basis,
                                size_t features, const ent_boundary *result, double *fitted) {
  return ent_boundary_fit(context, family, basis, features, result->x, result->truth, ENT_BOUNDARY_POINTS, fitted);
}

/* How far a fit by laplace's features is from the truth. */
static entropic_status measure(entropic_context *context, entropic_basis basis, size_t features,
                               const ent_boundary *result, double *error, double *worst) {
  double fitted[ENT_BOUNDARY_POINTS], sum = 0, most = 0;
  entropic_status status = fit_grid(context, ENTROPIC_LAPLACE, basis, features, result, fitted);
  for (size_t i = 0; i < ENT_BOUNDARY_POINTS && status == ENTROPIC_OK; i++) {
    double missing = fitted[i] - result->truth[i];
    sum += missing * missing;
    most = fmax(most, fabs(missing));
  }
  *error = sqrt(sum / ENT_BOUNDARY_POINTS);
  *worst = most;
  return status;
}

entropic_status ent_boundary_measure(entropic_context *context, ent_boundary *result) {
  for (size_t i = 0; i < ENT_BOUNDARY_POINTS; i++) {
    result->x[i] = (double)i / (ENT_BOUNDARY_POINTS - 1);
    result->truth[i] = 1 + result->x[i];
  }
  entropic_status status = draw_atoms(context, result);
  if (status == ENTROPIC_OK)
    status = fit_grid(context, ENTROPIC_CENTRED, ENTROPIC_INTERIOR, 7, result, result->coarse);
  if (status == ENTROPIC_OK)
    status = fit_grid(context, ENTROPIC_CENTRED, ENTROPIC_INTERIOR, 31, result, result->fine);
  if (status == ENTROPIC_OK)
    status = fit_grid(context, ENTROPIC_CENTRED, ENTROPIC_FULL, 2, result, result->pair_alone);
  for (size_t i = 0; i < ENT_BOUNDARY_SIZES && status == ENTROPIC_OK; i++) {
    size_t hats = ((size_t)2 << i) - 1;
    result->hat_count[i] = (double)hats;
    status = measure(context, ENTROPIC_INTERIOR, hats, result, &result->without[i], &result->worst_without[i]);
    if (status == ENTROPIC_OK)
      status = measure(context, ENTROPIC_FULL, hats + 2, result, &result->with[i], &result->worst_with[i]);
  }
  return status;
}
