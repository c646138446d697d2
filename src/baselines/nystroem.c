/* The Nystroem map: z(x) = U'^-1 k(x), k(x) the kernel between x and the landmarks, U'U = K + jitter I that between the
 * landmarks; so z(x).z(y) = k(x)' (K + jitter I)^-1 k(y), the kernel itself where x or y is a landmark, up to the jitter.
 *
 * U' z = k is solved by forward substitution, one panel of features after the other. First the products with the features
 * of earlier panels are subtracted, by the loops of wide.h with these features as inputs. Then the unknowns of the panel
 * are solved one by one with its diagonal block of U, the corner. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/factor.h"
#include "base/threads.h"
#include "baselines/map.h"

ent_point_kernel ent_kernel_of_map(const ent_random_map *map) {
  return (ent_point_kernel){
      .kernel = map->options.kernel, .sigma = map->options.sigma, .inputs = map->inputs, .code = map->code};
}

entropic_status ent_kernel_overflow(entropic_context *context, const ent_random_map *map) {
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "sigma: %g; the kernel is outside the range of a double",
                  map->options.sigma);
}

typedef struct ent_landmark_matrix {
  const ent_random_map *map;
  ent_point_kernel kernel;
  double *k;      /* landmarks x landmarks */
  double *strips; /* one for each worker */
} ent_landmark_matrix;

/* The rows of a strip of landmarks: all of it, though half would do. */
static entropic_status fill_strip(entropic_context *context, void *shared, size_t task, int worker) {
  const ent_landmark_matrix *job = shared;
  const ent_random_map *map = job->map;
  size_t n = map->options.features, first = task * ENT_STRIP, rows = n - first < ENT_STRIP ? n - first : ENT_STRIP;
  double *strip = job->strips + (size_t)worker * map->inputs * ENT_STRIP, values[ENT_STRIP];
  const ent_strip_source source = {.x = map->landmarks, .inputs = map->inputs, .stride = map->inputs};
  entropic_status status = ent_strip_load(context, map->code, &source, first, rows, strip);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t j = 0; j < n; j++) {
    ent_point_kernel_values(&job->kernel, strip, map->landmarks + j * map->inputs, values);
    memcpy(job->k + j * n + first, values, rows * sizeof *values);
  }
  return ENTROPIC_OK;
}

/* Where the panel's part of -U begins: panel p has ENT_PANEL p rows of ENT_PANEL. */
static size_t factors_before(size_t panel) {
  return panel * (panel - (panel > 0)) / 2 * ENT_PANEL * ENT_PANEL;
}

/* Features beyond the last have 0 in their columns and 1 on the diagonal. */
static void pack(ent_random_map *map, const double *u) {
  size_t n = map->options.features;
  for (size_t p = 0; p < map->panels; p++) {
    double *factors = map->factors + factors_before(p), *corner = map->corners + p * ENT_PANEL * ENT_PANEL;
    for (size_t f = 0; f < ENT_PANEL; f++) {
      size_t j = p * ENT_PANEL + f;
      for (size_t i = 0; i < p * ENT_PANEL; i++)
        factors[i * ENT_PANEL + f] = j < n ? -u[j * n + i] : 0;
      for (size_t i = 0; i <= f; i++)
        corner[i * ENT_PANEL + f] = j < n ? u[j * n + p * ENT_PANEL + i] : (double)(i == f);
    }
  }
}

/* Fills the matrix, adds that share of its mean diagonal entry to the diagonal, and tries the Cholesky factor. */
static entropic_status try_factor(entropic_context *context, ent_random_map *map, ent_landmark_matrix *job,
                                  double share, bool *positive) {
  size_t n = map->options.features;
  double trace = 0;
  entropic_status status = ent_parallel(context, n / ENT_STRIP + (n % ENT_STRIP > 0), fill_strip, job);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < n; i++)
    trace += job->k[i * n + i];
  map->jitter = share * trace / (double)n;
  if (!isfinite(map->jitter))
    return ent_kernel_overflow(context, map);
  for (size_t i = 0; i < n; i++)
    job->k[i * n + i] += map->jitter;
  return ent_cholesky(context, job->k, n, positive);
}

entropic_status ent_nystroem_prepare(entropic_context *context, ent_random_map *map) {
  size_t n = map->options.features, strips = n / ENT_STRIP + (n % ENT_STRIP > 0);
  ent_landmark_matrix job = {.map = map, .kernel = ent_kernel_of_map(map)};
  entropic_status status = ENTROPIC_NO_MEMORY;
  map->panels = n / ENT_PANEL + (n % ENT_PANEL > 0);
  job.k = ent_new_product(context, n, n, sizeof *job.k);
  if (job.k == NULL) /* before anything else: this is the largest */
    return ENTROPIC_NO_MEMORY;
  job.strips =
      ent_new_product(context, (size_t)ent_workers(context, strips) * ENT_STRIP, map->inputs, sizeof *job.strips);
  map->factors = ent_new(context, factors_before(map->panels), sizeof *map->factors);
  map->corners = ent_new_product(context, map->panels, (size_t)ENT_PANEL * ENT_PANEL, sizeof *map->corners);
  if (job.strips == NULL || map->factors == NULL || map->corners == NULL)
    goto done;
  /* The first jitter is n roundings of a typical diagonal entry. It grows tenfold until the Cholesky factor exists; at the
   * latest, n times the diagonal makes the matrix positive definite. */
  double share = (double)n * 0x1p-52;
  bool positive = false;
  while (!positive) {
    status = try_factor(context, map, &job, share, &positive);
    if (status != ENTROPIC_OK)
      goto done;
    share *= 10;
  }
  pack(map, job.k);
done:
  ent_delete(job.k);
  ent_delete(job.strips);
  return status;
}

void ent_nystroem_lift(const ent_random_map *map, const double *strip, double *values) {
  const ent_point_kernel kernel = ent_kernel_of_map(map);
  for (size_t j = 0; j < map->options.features; j++)
    ent_point_kernel_values(&kernel, strip, map->landmarks + j * map->inputs, values + j * ENT_STRIP);
  for (size_t p = 0; p < map->panels; p++) {
    double *panel = values + p * ENT_PANEL * ENT_STRIP;
    const double *corner = map->corners + p * ENT_PANEL * ENT_PANEL;
    map->code->products(values, p * ENT_PANEL, map->factors + factors_before(p), panel);
    for (size_t f = 0; f < ENT_PANEL; f++) {
      for (size_t i = 0; i < f; i++)
        for (size_t r = 0; r < ENT_STRIP; r++)
          panel[f * ENT_STRIP + r] -= corner[i * ENT_PANEL + f] * panel[i * ENT_STRIP + r];
      for (size_t r = 0; r < ENT_STRIP; r++)
        panel[f * ENT_STRIP + r] /= corner[f * ENT_PANEL + f];
    }
  }
}
