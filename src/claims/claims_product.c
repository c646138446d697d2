/* Theorem 2: the claims about products over several inputs, on lifted features.
 *
 * A feature is a product of one atom for each input, each a combination of kernels at up to three points. So the feature
 * is a combination of the product kernel at up to 3^D points, and its inner product with another feature is the same
 * combination of that one's values there, which are lifted. */
#include <string.h>

#include "base/progress.h"
#include "claims/claims_atoms.h"

#define INPUTS_MOST 3
#define FEATURES 80
#define DEPTH 5

static const struct {
  size_t inputs;
  ent_axis_case axes[INPUTS_MOST];
} product_cases[] = {
    {2, {{ENTROPIC_FAMILY_LAPLACE, 1}, {ENTROPIC_FAMILY_LAPLACE, 8}}},
    {2, {{ENTROPIC_FAMILY_SOBOLEV, 0.3}, {ENTROPIC_FAMILY_COSH, 4}}},
    {3, {{ENTROPIC_FAMILY_LAPLACE, 2}, {ENTROPIC_FAMILY_CENTRED, 1}, {ENTROPIC_FAMILY_BROWNIAN, 1}}},
    {3, {{ENTROPIC_FAMILY_COSH, 1}, {ENTROPIC_FAMILY_BRIDGE, 1}, {ENTROPIC_FAMILY_LAPLACE, 0.3}}},
};
#define CASES (sizeof product_cases / sizeof *product_cases)

/* The features of one design, and where their combinations need them. */
typedef struct ent_lifted_product {
  entropic_kernel *kernel;
  entropic_design *design;
  ent_claim_axis axes[INPUTS_MOST];
  size_t inputs, features;
  bool *inside;    /* for each feature, whether it is a product of hats alone */
  size_t *starts;  /* features + 1: where its points start */
  double *weights; /* of each point */
  double *points;  /* x inputs */
  entropic_csr *z;
  double *gram; /* features x features: inner products */
} ent_lifted_product;

static void product_close(ent_lifted_product *product) {
  entropic_kernel_free(product->kernel);
  entropic_design_free(product->design);
  entropic_csr_free(product->z);
  ent_delete(product->inside);
  ent_delete(product->starts);
  ent_delete(product->weights);
  ent_delete(product->points);
  ent_delete(product->gram);
}

/* The combination of one input's atom: of a level of the kernel, which holds hats or one boundary atom. */
static ent_combination combination_of(const ent_claim_axis *axis, size_t level, uint64_t atom, bool *inside) {
  for (size_t j = 0; j < axis->boundaries; j++)
    if (axis->boundary[j] == level) {
      *inside = false;
      return ent_boundary_combination(axis, j);
    }
  int l = 1;
  while (l < axis->depth && axis->hats[l] != level)
    l++;
  return ent_hat_combination(axis, l, atom);
}

/* Appends the points of one feature: the product of the combinations of its inputs. */
static void append_points(ent_lifted_product *product, size_t feature, const ent_combination *parts) {
  size_t at = product->starts[feature], total = 1;
  for (size_t d = 0; d < product->inputs; d++)
    total *= parts[d].count;
  for (size_t i = 0; i < total; i++) {
    size_t rest = i;
    product->weights[at + i] = 1;
    for (size_t d = 0; d < product->inputs; d++) {
      product->weights[at + i] *= parts[d].weights[rest % parts[d].count];
      product->points[(at + i) * product->inputs + d] = parts[d].points[rest % parts[d].count];
      rest /= parts[d].count;
    }
  }
  product->starts[feature + 1] = at + total;
}

/* The atoms of a feature of a group, by its number there: see entropic_group. */
static void fill_feature(ent_lifted_product *product, const entropic_group *group, size_t k) {
  ent_combination parts[INPUTS_MOST];
  uint64_t rest = group->members != NULL ? group->members[k] : k;
  size_t feature = group->first_feature + k, term = group->terms_count;
  product->inside[feature] = true;
  for (size_t d = product->inputs; d-- > 0;) {
    size_t level = entropic_design_base(product->design, d);
    uint64_t atom = 0;
    if (term > 0 && group->terms[term - 1].input == d) {
      entropic_level info = {.atoms = 1};
      level = group->terms[--term].level;
      (void)ent_kernel_level(NULL, product->kernel, d, level, &info);
      atom = rest % info.atoms;
      rest /= info.atoms;
    }
    parts[d] = combination_of(&product->axes[d], level, atom, &product->inside[feature]);
  }
  append_points(product, feature, parts);
}

static entropic_status allocate(entropic_context *context, ent_lifted_product *product) {
  size_t features = product->features = entropic_design_features(product->design), most = features * 27;
  product->inside = ent_new(context, features, sizeof *product->inside);
  product->starts = ent_new(context, features + 1, sizeof *product->starts);
  product->weights = ent_new(context, most, sizeof *product->weights);
  product->points = ent_new(context, most * product->inputs, sizeof *product->points);
  product->gram = ent_new(context, features * features, sizeof *product->gram);
  bool all = product->inside != NULL && product->starts != NULL && product->weights != NULL &&
             product->points != NULL && product->gram != NULL;
  return all ? ENTROPIC_OK : ENTROPIC_NO_MEMORY;
}

/* Kernel and design of a case. */
static entropic_status product_open(entropic_context *context, const ent_subject *subject, size_t number,
                                    entropic_basis basis, int depth, ent_lifted_product *product) {
  entropic_axis_options axes[INPUTS_MOST];
  entropic_design_options options = ent_design_options_default();
  *product = (ent_lifted_product){.inputs = product_cases[number].inputs};
  for (size_t d = 0; d < product->inputs; d++)
    axes[d] =
        ent_claim_axis_options(product_cases[number].axes[d].family, product_cases[number].axes[d].omega, basis, depth);
  options.features = depth == DEPTH ? FEATURES : 4096;
  entropic_status status = ent_kernel_create(context, axes, product->inputs, product->inputs, &product->kernel);
  for (size_t d = 0; status == ENTROPIC_OK && d < product->inputs; d++)
    status = ent_claim_axis_of(context, subject, product->kernel, d, &product->axes[d]);
  if (status != ENTROPIC_OK)
    return status;
  status = subject->design(context, product->kernel, &options, &product->design);
  if (status != ENTROPIC_OK)
    return status;
  return allocate(context, product);
}

/* All inner products: gram[s][t] = the sum over the points of s of their weights times feature t there. */
static entropic_status multiply(entropic_context *context, const ent_subject *subject, ent_lifted_product *product) {
  for (size_t g = 0; g < entropic_design_groups(product->design); g++) {
    entropic_group group;
    entropic_status status = ent_design_group(context, product->design, g, &group);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t k = 0; k < group.features; k++)
      fill_feature(product, &group, k);
  }
  size_t rows = product->starts[product->features];
  entropic_status status = subject->lift(context, product->design, product->points, rows, &product->z);
  if (status != ENTROPIC_OK)
    return status;
  memset(product->gram, 0, product->features * product->features * sizeof *product->gram);
  for (size_t s = 0; s < product->features; s++)
    for (size_t r = product->starts[s]; r < product->starts[s + 1]; r++)
      for (size_t i = product->z->starts[r]; i < product->z->starts[r + 1]; i++)
        product->gram[s * product->features + (size_t)product->z->indices[i]] +=
            product->weights[r] * product->z->values[i];
  return ENTROPIC_OK;
}

/* Which entries of the Gram matrix a claim is about. */
typedef bool (*ent_entry_wanted)(const ent_lifted_product *product, size_t s, size_t t);

static bool both_inside(const ent_lifted_product *product, size_t s, size_t t) {
  return s != t && product->inside[s] && product->inside[t];
}

static bool one_on_face(const ent_lifted_product *product, size_t s, size_t t) {
  return s != t && !(product->inside[s] && product->inside[t]);
}

static bool diagonal(const ent_lifted_product *product, size_t s, size_t t) {
  (void)product;
  return s == t;
}

/* The largest of those entries, of the designs of all cases; drawn: the largest of each feature of the first one. */
static entropic_status visit_grams(entropic_context *context, const ent_subject *subject, entropic_basis basis,
                                   ent_entry_wanted wanted, ent_finding *finding) {
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; status == ENTROPIC_OK && i < CASES; i++) {
    ent_lifted_product product;
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    status = product_open(context, subject, i, basis, DEPTH, &product);
    if (status == ENTROPIC_OK)
      status = multiply(context, subject, &product);
    for (size_t s = 0; status == ENTROPIC_OK && s < product.features; s++) {
      double worst = 0;
      for (size_t t = 0; t < product.features; t++)
        if (wanted(&product, s, t))
          worst = ent_worse(worst, fabs(product.gram[s * product.features + t] - (s == t ? 1 : 0)));
      finding->value = ent_worse(finding->value, worst);
      if (i < 2) {
        ent_claim_series *series = ent_finding_series(finding, i == 0 ? "laplace x laplace" : "sobolev x cosh");
        series->dots = true;
        ent_series_put(series, (double)s + 1, worst);
      }
    }
    product_close(&product);
  }
  finding->x_title = "number of the feature";
  finding->y_logarithmic = true;
  return status;
}

entropic_status ent_claim_products(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Gram matrix of products of hats: largest entry of a row off the diagonal (rounding errors)";
  finding->y_title = "largest inner product";
  return visit_grams(context, subject, ENTROPIC_BASIS_INTERIOR, both_inside, finding);
}

entropic_status ent_claim_faces(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Gram matrix with boundary atoms: largest entry of a row off the diagonal (rounding errors)";
  finding->y_title = "largest inner product";
  return visit_grams(context, subject, ENTROPIC_BASIS_FULL, one_on_face, finding);
}

entropic_status ent_claim_product_norms(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Squared norms of features minus 1 (rounding errors)";
  finding->y_title = "difference";
  return visit_grams(context, subject, ENTROPIC_BASIS_FULL, diagonal, finding);
}

/* ---- The expansion ----------------------------------------------------------------------------------------- */

#define PRODUCT_POINTS 60

/* Multiples of 2^-depth, the corners among them: deeper hats are zero there, so that few levels give the kernel. */
static void place_points(size_t inputs, int depth, double *x) {
  entropic_random random = entropic_random_start(4195, inputs);
  for (size_t i = 0; i < PRODUCT_POINTS * inputs; i++)
    x[i] = ldexp(floor(ldexp(entropic_random_uniform(&random), depth) + 0.5), -depth);
  for (size_t d = 0; d < inputs; d++)
    x[d] = (double)(d % 2);
}

static entropic_status expand(entropic_context *context, const ent_subject *subject, ent_lifted_product *product,
                              int depth, double *worst) {
  double x[PRODUCT_POINTS * INPUTS_MOST];
  size_t inputs = product->inputs;
  place_points(inputs, depth, x);
  entropic_status status = subject->lift(context, product->design, x, PRODUCT_POINTS, &product->z);
  if (status != ENTROPIC_OK)
    return status;
  const entropic_csr *z = product->z;
  for (size_t r = 0; r < PRODUCT_POINTS; r++)
    for (size_t s = 0; s <= r; s++) {
      double sum = 0, kernel = 1;
      for (size_t i = z->starts[r], j = z->starts[s]; i < z->starts[r + 1] && j < z->starts[s + 1];) {
        if (z->indices[i] == z->indices[j])
          sum += z->values[i] * z->values[j];
        bool first = z->indices[i] <= z->indices[j], second = z->indices[j] <= z->indices[i];
        i += first;
        j += second;
      }
      for (size_t d = 0; d < inputs; d++)
        kernel *= ent_claim_axis_kernel(&product->axes[d], x[r * inputs + d], x[s * inputs + d]);
      *worst = ent_worse(*worst, fabs(sum - kernel) / fmax(1, fabs(kernel)));
    }
  return ENTROPIC_OK;
}

entropic_status ent_claim_product_expansion(entropic_context *context, const ent_subject *subject,
                                            ent_finding *finding) {
  for (size_t i = 0; i < CASES; i++) {
    ent_lifted_product product;
    int depth = product_cases[i].inputs == 2 ? 4 : 3;
    entropic_status status = product_open(context, subject, i, ENTROPIC_BASIS_FULL, depth, &product);
    if (status != ENTROPIC_OK) {
      product_close(&product);
      return status;
    }
    status = expand(context, subject, &product, depth, &finding->value);
    product_close(&product);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}
