/* What the boundary functions are for: see boundary.h. */
#include "study/boundary.h"

#include <math.h>

#include "base/factor.h"
#include "base/memory.h"
#include "design/design.h"
#include "lift/features.h"

#define OMEGA 1.0
#define JITTER 1e-14 /* times the largest diagonal entry, added so that the Cholesky factor exists */

/* The Gram matrix of the columns of z[rows x features], upper triangle, and their products with the truth. */
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

/* The normal equations. */
static entropic_status solve(entropic_context *context, const double *z, size_t features,
                             const ent_boundary_points *points, double *fitted) {
  size_t rows = points->rows;
  double *gram = ent_new(context, features * features, sizeof *gram);
  double *weights = ent_new(context, features, sizeof *weights);
  bool positive = false;
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (gram == NULL || weights == NULL)
    goto done;
  multiply(z, features, rows, points->truth, gram, weights);
  status = ent_cholesky(context, gram, features, &positive);
  if (status != ENTROPIC_OK)
    goto done;
  if (!positive) {
    status = ent_fail(context, ENTROPIC_BAD_DATA, "%zu features that depend on each other", features);
    goto done;
  }
  status = ent_cholesky_solve(context, gram, features, weights, 1);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t r = 0; r < rows; r++) {
    fitted[r] = 0;
    for (size_t j = 0; j < features; j++)
      fitted[r] += z[j * rows + r] * weights[j];
  }
done:
  ent_delete(gram);
  ent_delete(weights);
  return status;
}

entropic_status ent_boundary_fit(entropic_context *context, entropic_family family, entropic_basis basis,
                                 size_t features, const ent_boundary_points *points, double *fitted) {
  entropic_axis_options axis = ent_axis_options_default();
  axis.family = family;
  axis.basis = basis;
  axis.omega = OMEGA;
  ent_features wanted = {.axes = &axis, .inputs = 1, .design = ent_design_options_default()};
  ent_lifting lifting = {0};
  const ent_map *map = &lifting.map;
  size_t rows = points->rows;
  void *scratch = NULL;
  double *z = NULL;
  entropic_status status = ent_features_make(context, &wanted, 0, features, &lifting);
  if (status != ENTROPIC_OK)
    return status;
  status = ENTROPIC_NO_MEMORY;
  z = ent_new(context, rows * map->features, sizeof *z);
  if (z == NULL)
    goto done;
  status = map->calls->scratch_create(context, map->self, &scratch);
  if (status != ENTROPIC_OK)
    goto done;
  status = map->calls->dense(context, map->self, scratch, points->x, rows, 1, z, rows);
  if (status != ENTROPIC_OK)
    goto done;
  status = solve(context, z, map->features, points, fitted);
done:
  if (scratch != NULL)
    map->calls->scratch_free(scratch);
  ent_delete(z);
  ent_lifting_clear(&lifting);
  return status;
}

/* The atoms of the centred kernel: its two boundary functions, and the hats of the first levels. */
static entropic_status draw_atoms(entropic_context *context, ent_boundary *result) {
  entropic_axis_options axis = ent_axis_options_default();
  entropic_kernel *kernel = NULL;
  axis.omega = OMEGA;
  entropic_status status = ent_kernel_create(context, &axis, 1, 1, &kernel);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t level = 0, pair = 0; level < entropic_kernel_levels(kernel, 0); level++) {
    entropic_level info;
    uint64_t atom;
    status = ent_kernel_level(context, kernel, 0, level, &info);
    if (status != ENTROPIC_OK)
      goto done;
    bool hat = info.kind == ENTROPIC_LEVEL_KIND_HAT;
    if (hat ? info.order > ENT_BOUNDARY_LEVELS : pair == 2)
      continue;
    double *curve = hat ? result->hats[info.order - 1] : result->pair[pair++];
    for (size_t i = 0; i < ENT_BOUNDARY_POINTS; i++) {
      status = entropic_kernel_atom(context, kernel, 0, level, result->x[i], &atom, &curve[i]);
      if (status != ENTROPIC_OK)
        goto done;
    }
  }
done:
  entropic_kernel_free(kernel);
  return status;
}

static entropic_status fit_grid(entropic_context *context, entropic_family family, entropic_basis basis,
                                size_t features, const ent_boundary *result, double *fitted) {
  const ent_boundary_points grid = {.x = result->x, .truth = result->truth, .rows = ENT_BOUNDARY_POINTS};
  return ent_boundary_fit(context, family, basis, features, &grid, fitted);
}

/* The residuals of a fit by features of the laplace kernel: root mean square, and the largest. */
static entropic_status measure(entropic_context *context, entropic_basis basis, size_t features,
                               const ent_boundary *result, double *error, double *worst) {
  double fitted[ENT_BOUNDARY_POINTS], sum = 0, most = 0;
  entropic_status status = fit_grid(context, ENTROPIC_FAMILY_LAPLACE, basis, features, result, fitted);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < ENT_BOUNDARY_POINTS; i++) {
    double residual = fitted[i] - result->truth[i];
    sum += residual * residual;
    most = fmax(most, fabs(residual));
  }
  *error = sqrt(sum / ENT_BOUNDARY_POINTS);
  *worst = most;
  return ENTROPIC_OK;
}

entropic_status ent_boundary_measure(entropic_context *context, ent_boundary *result) {
  for (size_t i = 0; i < ENT_BOUNDARY_POINTS; i++) {
    result->x[i] = (double)i / (ENT_BOUNDARY_POINTS - 1);
    result->truth[i] = 1 + result->x[i];
  }
  entropic_status status = draw_atoms(context, result);
  if (status != ENTROPIC_OK)
    return status;
  status = fit_grid(context, ENTROPIC_FAMILY_CENTRED, ENTROPIC_BASIS_INTERIOR, 7, result, result->coarse);
  if (status != ENTROPIC_OK)
    return status;
  status = fit_grid(context, ENTROPIC_FAMILY_CENTRED, ENTROPIC_BASIS_INTERIOR, 31, result, result->fine);
  if (status != ENTROPIC_OK)
    return status;
  status = fit_grid(context, ENTROPIC_FAMILY_CENTRED, ENTROPIC_BASIS_FULL, 2, result, result->pair_alone);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < ENT_BOUNDARY_SIZES; i++) {
    size_t hats = ((size_t)2 << i) - 1;
    result->hat_count[i] = (double)hats;
    status = measure(context, ENTROPIC_BASIS_INTERIOR, hats, result, &result->without[i], &result->worst_without[i]);
    if (status != ENTROPIC_OK)
      return status;
    status = measure(context, ENTROPIC_BASIS_FULL, hats + 2, result, &result->with[i], &result->worst_with[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}
