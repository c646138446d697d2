/* The constants C of atoms: what they are, what features carry of them, and in which order they come. */
#include "claims/claims_atoms.h"

#define LEVELS 12
#define DEEPEST ENTROPIC_MAX_LEVEL
#define POINTS 64 /* points of expansions are multiples of 1/POINTS */

static const double omegas[] = {0.3, 1, 8};
#define OMEGAS (sizeof omegas / sizeof *omegas)

/* The largest error of the expansion if hats carry sqrt(C), and if they carry C. */
static void expansion_errors(const ent_claim_axis *atoms, double *root, double *whole) {
  for (int i = 0; i <= POINTS; i++)
    for (int j = 0; j <= i; j++) {
      double x = (double)i / POINTS, y = (double)j / POINTS, sums[2];
      sums[0] = sums[1] = ent_claim_axis_sum(atoms, 0, x, y);
      for (int l = 1; l <= LEVELS; l++) {
        uint64_t atom = 0;
        double value = ent_hats_at(atoms, l, x, &atom), product = value * ent_hat_at(atoms, l, atom, y);
        sums[0] += product;
        sums[1] += product != 0 ? product * ent_hat_constant(atoms, l, atom) : product;
      }
      double k = ent_claim_axis_kernel(atoms, x, y);
      *root = ent_worse(*root, fabs(sums[0] - k));
      *whole = ent_worse(*whole, fabs(sums[1] - k));
    }
}

/* With C the sum has C twice. */
entropic_status ent_claim_root(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Error of z(x).z(y) for the laplace kernel";
  finding->x_title = "omega";
  finding->y_title = "largest error";
  finding->x_logarithmic = finding->y_logarithmic = true;
  for (size_t i = 0; i < OMEGAS; i++) {
    const entropic_axis_options options =
        ent_claim_axis_options(ENTROPIC_FAMILY_LAPLACE, omegas[i], ENTROPIC_BASIS_FULL, LEVELS);
    ent_claim_axis atoms;
    double root = 0, whole = 0;
    entropic_status status = ent_claim_axis_open(context, subject, &options, &atoms);
    if (status != ENTROPIC_OK) {
      ent_claim_axis_close(&atoms);
      return status;
    }
    expansion_errors(&atoms, &root, &whole);
    ent_claim_axis_close(&atoms);
    finding->value = ent_worse(finding->value, root / whole);
    ent_series_put(ent_finding_series(finding, "z carries sqrt(C)"), omegas[i], root);
    ent_series_put(ent_finding_series(finding, "z carries C, as printed"), omegas[i], whole);
  }
  return ENTROPIC_OK;
}

/* constants[l] of the laplace kernel, l = 1 .. DEEPEST. */
static entropic_status constants_of(entropic_context *context, const ent_subject *subject, double omega,
                                    double *constants) {
  const entropic_axis_options options =
      ent_claim_axis_options(ENTROPIC_FAMILY_LAPLACE, omega, ENTROPIC_BASIS_FULL, DEEPEST);
  ent_claim_axis atoms;
  entropic_status status = ent_claim_axis_open(context, subject, &options, &atoms);
  for (int l = 1; status == ENTROPIC_OK && l <= DEEPEST; l++)
    constants[l] = ent_hat_constant(&atoms, l, 0);
  ent_claim_axis_close(&atoms);
  return status;
}

static void label_constants(ent_finding *finding) {
  finding->title = "C of the laplace kernel, omega 8";
  finding->x_title = "level";
  finding->y_title = "C";
  finding->y_logarithmic = true;
}

/* The largest relative difference from what is expected of w 2^-l. */
static entropic_status compare_constants(entropic_context *context, const ent_subject *subject,
                                         double (*expected)(double), const char *name, ent_finding *finding) {
  label_constants(finding);
  for (size_t i = 0; i < OMEGAS; i++) {
    double constants[DEEPEST + 1];
    entropic_status status = constants_of(context, subject, omegas[i], constants);
    if (status != ENTROPIC_OK)
      return status;
    for (int l = 1; l <= DEEPEST; l++) {
      double wanted = expected(ldexp(omegas[i], -l));
      finding->value = ent_worse(finding->value, fabs(constants[l] / wanted - 1));
      if (omegas[i] == 8 && l <= LEVELS) {
        ent_series_put(ent_finding_series(finding, "measured"), l, constants[l]);
        ent_claim_series *series = ent_finding_series(finding, name);
        series->dashed = true;
        ent_series_put(series, l, wanted);
      }
    }
  }
  return ENTROPIC_OK;
}

entropic_status ent_claim_tanh(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  return compare_constants(context, subject, tanh, "tanh(w 2^-l)", finding);
}

entropic_status ent_claim_not_sinh(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  return compare_constants(context, subject, sinh, "sinh(w 2^-l)", finding);
}

/* C of the deepest level over that of the first; infinite unless it falls at every level. */
entropic_status ent_claim_vanish(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  label_constants(finding);
  for (size_t i = 0; i < OMEGAS; i++) {
    double constants[DEEPEST + 1];
    entropic_status status = constants_of(context, subject, omegas[i], constants);
    if (status != ENTROPIC_OK)
      return status;
    finding->value = ent_worse(finding->value, constants[DEEPEST] / constants[1]);
    for (int l = 2; l <= DEEPEST; l++)
      if (!(constants[l] < constants[l - 1]))
        finding->value = INFINITY;
    for (int l = 1; l <= DEEPEST && omegas[i] == 8; l++)
      ent_series_put(ent_finding_series(finding, "measured"), l, constants[l]);
  }
  return ENTROPIC_OK;
}

/* Where the hats of these levels of two inputs come in a design by maximum, omega 8; SIZE_MAX if nowhere. */
static entropic_status place_of(entropic_context *context, const entropic_design *design, const int levels[2],
                                size_t *place) {
  *place = SIZE_MAX;
  for (size_t g = 0; g < entropic_design_groups(design); g++) {
    entropic_group group;
    entropic_status status = ent_design_group(context, design, g, &group);
    if (status != ENTROPIC_OK)
      return status;
    bool same = true;
    for (size_t d = 0, term = 0; d < 2; d++) {
      bool active = term < group.terms_count && group.terms[term].input == d;
      size_t level = active ? group.terms[term++].level : entropic_design_base(design, d);
      same = same && level + 1 == (size_t)levels[d]; /* of the interior basis level 0 holds the hats of level 1 */
    }
    if (same && *place == SIZE_MAX)
      *place = g;
  }
  return ENTROPIC_OK;
}

/* Whether the design takes (3,3) before (4,1). */
static entropic_status takes_deeper_first(entropic_context *context, const ent_subject *subject, bool *first) {
  const entropic_axis_options axis = ent_claim_axis_options(ENTROPIC_FAMILY_LAPLACE, 8, ENTROPIC_BASIS_INTERIOR, 5);
  entropic_design_options options = ent_design_options_default();
  entropic_kernel *kernel = NULL;
  entropic_design *design = NULL;
  size_t shallow, deep;
  entropic_status status = ent_kernel_create(context, &axis, 1, 2, &kernel);
  if (status != ENTROPIC_OK)
    return status;
  options.criterion = ENTROPIC_CRITERION_SUP;
  options.features = 1000;
  status = subject->design(context, kernel, &options, &design);
  if (status != ENTROPIC_OK)
    goto done;
  status = place_of(context, design, (const int[]){4, 1}, &shallow);
  if (status != ENTROPIC_OK)
    goto done;
  status = place_of(context, design, (const int[]){3, 3}, &deep);
  *first = deep < shallow && shallow != SIZE_MAX;
done:
  entropic_design_free(design);
  entropic_kernel_free(kernel);
  return status;
}

/* C_(4,1) over C_(3,3), omega 8: the order by |l| would make it more than 1. Infinite if the design does not know. */
entropic_status ent_claim_order(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  double constants[DEEPEST + 1];
  entropic_status status = constants_of(context, subject, 8, constants);
  if (status != ENTROPIC_OK)
    return status;
  bool first = false;
  status = takes_deeper_first(context, subject, &first);
  if (status != ENTROPIC_OK)
    return status;
  finding->value = first ? constants[4] * constants[1] / (constants[3] * constants[3]) : INFINITY;
  finding->title = "C of pairs of levels, omega 8: the larger sum of levels has the larger C";
  finding->x_title = "level of the first input";
  finding->y_title = "C of two inputs";
  for (int sum = 5; sum <= 6; sum++)
    for (int l = 1; l < sum; l++)
      ent_series_put(ent_finding_series(finding, sum == 5 ? "|l| = 5" : "|l| = 6"), l,
                     constants[l] * constants[sum - l]);
  return ENTROPIC_OK;
}
