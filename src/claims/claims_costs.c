/* The claims about what features cost, and about what they give for it. */
#include <stdio.h>

#include "base/progress.h"
#include "claims/claims_atoms.h"

#define COUNTED_INPUTS 6
#define COUNTED_SETS 8
#define ROWS 32
#define RATE_RUNS 10

/* ---- The sets S_n ------------------------------------------------------------------------------------------ */

/* Features and groups with levels l_1 + .. + l_D <= sum, each l_d >= 1, one by one. */
static void count_levels(size_t inputs, unsigned sum, uint64_t atoms, uint64_t *features, uint64_t *groups) {
  if (inputs == 0) {
    *features += atoms;
    ++*groups;
    return;
  }
  for (unsigned l = 1; l + (inputs - 1) <= sum; l++)
    count_levels(inputs - 1, sum - l, atoms << (l - 1), features, groups);
}

/* n over k. */
static uint64_t binomial(uint64_t n, uint64_t k) {
  uint64_t value = 1;
  for (uint64_t i = 1; i <= k; i++)
    value = value * (n - k + i) / i;
  return value;
}

static uint64_t printed_size(size_t inputs, unsigned n) {
  uint64_t size = 0;
  for (uint64_t s = inputs; s < n + inputs; s++)
    size += binomial(s - 1, inputs - 1) << (s - inputs);
  return size;
}

/* Sizes that the formula, the subject and the count do not agree on. */
entropic_status ent_claim_size(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  static const size_t many[] = {8, 12, 32, 81};
  finding->title = "Sizes of S_n";
  finding->x_title = "n";
  finding->y_title = "features";
  finding->y_logarithmic = true;
  for (size_t i = 0; i < COUNTED_INPUTS + sizeof many / sizeof *many; i++) {
    size_t inputs = i < COUNTED_INPUTS ? i + 1 : many[i - COUNTED_INPUTS];
    for (unsigned n = 1; n <= (i < COUNTED_INPUTS ? COUNTED_SETS : 4); n++) {
      uint64_t features = 0, nonzeros = 0, counted = 0, groups = 0;
      entropic_status status = subject->size(context, inputs, n, &features, &nonzeros);
      if (status != ENTROPIC_OK)
        return status;
      if (i < COUNTED_INPUTS)
        count_levels(inputs, n + (unsigned)inputs - 1, 1, &counted, &groups);
      else {
        counted = printed_size(inputs, n); /* too deep to be counted one by one */
        groups = binomial(n + inputs - 1, inputs);
      }
      finding->value += features != counted || features != printed_size(inputs, n) || nonzeros != groups ||
                        nonzeros != binomial(n + inputs - 1, inputs);
      if (inputs == 1 || inputs == 2 || inputs == 3 || inputs == 6) {
        char name[64];
        snprintf(name, sizeof name, "D = %zu", inputs);
        ent_series_put(ent_finding_series(finding, name), n, (double)features);
      }
    }
  }
  return ENTROPIC_OK;
}

/* ---- The share of non-zeros -------------------------------------------------------------------------------- */

#define SHARED_INPUTS 8
#define SHARED_SETS 24

/* Of a row of S_n, as the subject counts them. */
static entropic_status share_of(entropic_context *context, const ent_subject *subject, size_t inputs, unsigned n,
                                double *share) {
  uint64_t features = 0, nonzeros = 0;
  entropic_status status = subject->size(context, inputs, n, &features, &nonzeros);
  *share = (double)nonzeros / (double)features;
  return status;
}

static void label_shares(ent_finding *finding) {
  finding->x_title = "n";
  finding->y_logarithmic = true;
}

/* The last term of |S_n|, 2^(n-1) C(n+D-2,D-1), is a D 2^(n-1) / (n+D-1) th of the non-zeros. So the share is at most
 * 2 (n+D-1) / (D 2^n), and n+D-1 <= nD. */
entropic_status ent_claim_share(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Share of non-zeros in a row of S_n";
  finding->y_title = "share";
  label_shares(finding);
  for (size_t inputs = 1; inputs <= SHARED_INPUTS; inputs++)
    for (unsigned n = 1; n <= SHARED_SETS; n++) {
      double share = 0, bound = ldexp(2.0 * n, -(int)n);
      entropic_status status = share_of(context, subject, inputs, n, &share);
      if (status != ENTROPIC_OK)
        return status;
      finding->value = ent_worse(finding->value, share / bound);
      if (inputs == 1) {
        ent_claim_series *series = ent_finding_series(finding, "2n/2^n");
        series->dashed = series->curve = true;
        ent_series_put(series, n, bound);
      }
      if (inputs == 1 || inputs == 3 || inputs == SHARED_INPUTS) {
        char name[64];
        snprintf(name, sizeof name, "D = %zu", inputs);
        ent_series_put(ent_finding_series(finding, name), n, share);
      }
    }
  return ENTROPIC_OK;
}

/* The non-zeros are n^D/D! and the features 2^n n^(D-1)/(D-1)!, both times 1 + O(1/n). With many inputs n = 24 is still
 * far from the limit: D = 8 is drawn, and said. */
entropic_status ent_claim_share_limit(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  static const size_t drawn[] = {1, 2, 3, 8};
  finding->title = "Share of non-zeros in a row of S_n, over n/(D 2^n)";
  finding->y_title = "ratio";
  label_shares(finding);
  for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
    double share = 0, ratio = 0;
    char name[64], shown[ENT_SHOWN_NUMBER];
    snprintf(name, sizeof name, "D = %zu", drawn[i]);
    for (unsigned n = 2; n <= SHARED_SETS; n++) {
      entropic_status status = share_of(context, subject, drawn[i], n, &share);
      if (status != ENTROPIC_OK)
        return status;
      ratio = share * (double)drawn[i] * ldexp(1, (int)n) / n;
      ent_series_put(ent_finding_series(finding, name), n, ratio);
    }
    if (drawn[i] <= 3)
      finding->value = ent_worse(finding->value, fabs(ratio - 1));
    else
      snprintf(finding->note, sizeof finding->note, "D = %zu: %s times n/(D 2^n)", drawn[i],
               ent_show_number(ratio, 4, shown));
  }
  return ENTROPIC_OK;
}

/* ---- Rows -------------------------------------------------------------------------------------------------- */

/* As many features as S_n has: all of it, or the best ones of the completed basis. */
typedef struct ent_counted_set {
  size_t inputs;
  unsigned n;
  bool completed;
} ent_counted_set;

/* Rows lifted by them: a row has counts[r] non-zeros. */
static entropic_status lift_set(entropic_context *context, const ent_subject *subject, const ent_counted_set *set,
                                size_t counts[ROWS]) {
  const entropic_axis_options axis = ent_claim_axis_options(
      ENTROPIC_FAMILY_LAPLACE, 1, set->completed ? ENTROPIC_BASIS_FULL : ENTROPIC_BASIS_INTERIOR, 16);
  size_t inputs = set->inputs;
  entropic_design_options options = ent_design_options_default();
  entropic_kernel *kernel = NULL;
  entropic_design *design = NULL;
  entropic_csr *csr = NULL;
  double x[ROWS * COUNTED_INPUTS];
  entropic_random random = entropic_random_start(inputs, set->n);
  for (size_t i = 0; i < ROWS * inputs; i++)
    x[i] = entropic_random_uniform(&random);
  options.select = set->completed ? ENTROPIC_SELECT_ENTROPY : ENTROPIC_SELECT_PAPER;
  options.features = (size_t)printed_size(inputs, set->n);
  entropic_status status = ent_poll(context);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_kernel_create(context, &axis, 1, inputs, &kernel);
  if (status != ENTROPIC_OK)
    return status;
  status = subject->design(context, kernel, &options, &design);
  if (status != ENTROPIC_OK)
    goto done;
  status = subject->lift(context, design, x, ROWS, &csr);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t r = 0; r < ROWS; r++)
    counts[r] = csr->starts[r + 1] - csr->starts[r];
done:
  entropic_csr_free(csr);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
  return status;
}

entropic_status ent_claim_nonzeros(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Non-zeros a row, counted by lifting S_n";
  finding->x_title = "n";
  finding->y_title = "non-zeros a row";
  finding->y_logarithmic = true;
  for (size_t inputs = 1; inputs <= 4; inputs++)
    for (unsigned n = 1; n <= 5; n++) {
      size_t counts[ROWS];
      const ent_counted_set set = {.inputs = inputs, .n = n};
      entropic_status status = lift_set(context, subject, &set, counts);
      if (status != ENTROPIC_OK)
        return status;
      for (size_t r = 0; r < ROWS; r++)
        finding->value += counts[r] != binomial(n + inputs - 1, inputs);
      char name[64];
      snprintf(name, sizeof name, "D = %zu", inputs);
      ent_series_put(ent_finding_series(finding, name), n, (double)counts[0]);
    }
  return ENTROPIC_OK;
}

/* The largest ratio of the mean over rows of count^power to log2(M+1)^(power D); for the completed basis, which has two
 * more levels of each input, to (log2(M+1) + 2)^(power D). */
static entropic_status measure_ratio(entropic_context *context, const ent_subject *subject, bool completed, int power,
                                     ent_finding *finding) {
  static const unsigned deepest[] = {12, 9, 7};
  finding->x_title = "features, M";
  finding->x_logarithmic = finding->y_logarithmic = true;
  for (size_t inputs = 1; inputs <= 3; inputs++)
    for (unsigned n = 2; n <= deepest[inputs - 1]; n++) {
      const ent_counted_set set = {.inputs = inputs, .n = n, .completed = completed};
      size_t counts[ROWS];
      double mean = 0, features = (double)printed_size(inputs, n);
      entropic_status status = lift_set(context, subject, &set, counts);
      if (status != ENTROPIC_OK)
        return status;
      for (size_t r = 0; r < ROWS; r++)
        mean += pow((double)counts[r], power) / ROWS;
      double logarithm = log2(features + 1) + (completed ? 2 : 0);
      finding->value = ent_worse(finding->value, mean / pow(logarithm, power * (double)inputs));
      char name[64];
      snprintf(name, sizeof name, "D = %zu", inputs);
      ent_series_put(ent_finding_series(finding, name), features, mean);
      if (inputs == 2) {
        ent_claim_series *dense = ent_finding_series(finding, "if rows were dense");
        dense->dashed = true;
        ent_series_put(dense, features, pow(features, power));
      }
    }
  return ENTROPIC_OK;
}

entropic_status ent_claim_sparse(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Non-zeros a row against the number of features";
  finding->y_title = "non-zeros a row";
  return measure_ratio(context, subject, false, 1, finding);
}

entropic_status ent_claim_completed_sparse(entropic_context *context, const ent_subject *subject,
                                           ent_finding *finding) {
  finding->title = "Non-zeros a row of the completed basis, best first";
  finding->y_title = "non-zeros a row";
  return measure_ratio(context, subject, true, 1, finding);
}

/* The Gram matrix takes a product for each pair of non-zeros of a row. */
entropic_status ent_claim_training(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Products a row needs for the Gram matrix";
  finding->y_title = "products a row";
  return measure_ratio(context, subject, false, 2, finding);
}

/* ---- The rate ---------------------------------------------------------------------------------------------- */

entropic_status ent_claim_rate(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  const ent_rate_options options = {.inputs = 1, .first = 8, .last = 16, .runs = RATE_RUNS, .seed = 1};
  ent_rate rates[ENT_RATE_RULES];
  entropic_status status = subject->rate(context, &options, rates);
  if (status != ENTROPIC_OK)
    return status;
  const ent_rate *rate = &rates[ENT_RATE_FOURTH];
  finding->value = rate->all.high;
  finding->title = "Excess risk against the number of rows";
  finding->x_title = "rows, N";
  finding->y_title = "excess risk";
  finding->x_logarithmic = finding->y_logarithmic = true;
  for (size_t i = 0; i < rate->count; i++) {
    ent_series_put(ent_finding_series(finding, ent_rate_rule_name(ENT_RATE_FOURTH)), rate->rows[i], rate->risk[i]);
    ent_series_put(ent_finding_series(finding, ent_rate_rule_name(ENT_RATE_FIXED)), rate->rows[i],
                   rates[ENT_RATE_FIXED].risk[i]);
    ent_claim_series *bound = ent_finding_series(finding, "N^(-1/2), through the first point");
    bound->dashed = bound->curve = true;
    ent_series_put(bound, rate->rows[i], rate->bound[i]);
  }
  return ENTROPIC_OK;
}
