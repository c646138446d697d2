/* Lemma 1: the claims about the worst function of norm 1, measured as an eigenvalue: see remainder.h.
 *
 * Which features: the M best by the paper's criterion, the maximum, with M such that S_n is whole. For bridge, which is
 * zero at both ends, they are S_n as printed. The completed basis of centred with omega 4 has the maxima 1, 1 and 2^(1-l)
 * of its boundary atoms and of its hats of level l: the best features are then S_n of any of the inputs, with a boundary
 * atom of each other input. Products of up to BEYOND weights more than the set has are taken. Those left out would make the
 * eigenvalue larger by 1.3 % (D = 1), 2 % (D = 2) and 2 to 4 % (D = 3), nearly the same at each n. */
#include <stdio.h>

#include "base/progress.h"
#include "claims/remainder.h"

#define PI 3.14159265358979323846
#define BEYOND 3
#define SETS_MOST 8

/* A kernel, and the sets S_n, n = first .. last. */
typedef struct ent_lemma_case {
  const char *name;
  entropic_family family;
  double omega;
  size_t inputs;
  unsigned first, last;
} ent_lemma_case;

static const ent_lemma_case lemma_cases[] = {
    {"D = 1", ENTROPIC_FAMILY_CENTRED, 4, 1, 1, 6},
    {"D = 2, completed", ENTROPIC_FAMILY_CENTRED, 4, 2, 2, 6},
    {"D = 3, completed", ENTROPIC_FAMILY_CENTRED, 4, 3, 2, 5},
    {"D = 2, as printed", ENTROPIC_FAMILY_BRIDGE, 1, 2, 2, 7},
    {"D = 3, as printed", ENTROPIC_FAMILY_BRIDGE, 1, 3, 2, 6},
};
#define CASES (sizeof lemma_cases / sizeof *lemma_cases)

/* The worst squared error of M features, for each set. */
typedef struct ent_worst_errors {
  size_t count;
  double features[SETS_MOST], error[SETS_MOST];
} ent_worst_errors;

/* M: S_n of any of the inputs, with a boundary atom of each other input. */
static entropic_status count_features(entropic_context *context, const ent_subject *subject, size_t inputs,
                                      size_t boundaries, unsigned n, size_t *features) {
  double choices = 1; /* of which inputs have boundary atoms, and which ones */
  *features = 0;
  for (size_t active = inputs; active > 0; active--) {
    uint64_t size = 0, nonzeros = 0;
    entropic_status status = subject->size(context, active, n, &size, &nonzeros);
    if (status != ENTROPIC_OK)
      return status;
    *features += (size_t)(choices * (double)size);
    choices = choices * (double)(active * boundaries) / (double)(inputs - active + 1);
  }
  *features += (size_t)choices;
  return ENTROPIC_OK;
}

/* The eigenvalue for one set. */
static entropic_status worst_of(entropic_context *context, const ent_subject *subject, const ent_lemma_case *at,
                                unsigned n, int beyond, ent_worst_errors *worst) {
  int depth = (int)n - 1 + beyond;
  const entropic_axis_options options = ent_claim_axis_options(at->family, at->omega, ENTROPIC_BASIS_FULL, depth + 1);
  entropic_design_options choice = ent_design_options_default();
  entropic_kernel *kernel = NULL;
  entropic_design *design = NULL;
  ent_remainder *remainder = NULL;
  ent_claim_axis axis;
  entropic_status status = ent_kernel_create(context, &options, 1, at->inputs, &kernel);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_claim_axis_of(context, subject, kernel, 0, &axis);
  if (status != ENTROPIC_OK)
    goto done;
  choice.criterion = ENTROPIC_CRITERION_SUP;
  status = count_features(context, subject, at->inputs, axis.boundaries, n, &choice.features);
  if (status != ENTROPIC_OK)
    goto done;
  status = subject->design(context, kernel, &choice, &design);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_remainder_create(context, &axis, at->inputs, depth, &remainder);
  if (status != ENTROPIC_OK)
    goto done;
  worst->features[worst->count] = (double)choice.features;
  status = ent_remainder_eigenvalue(context, remainder, design, &worst->error[worst->count++]);
done:
  ent_remainder_free(remainder);
  entropic_design_free(design);
  entropic_kernel_free(kernel);
  return status;
}

static entropic_status all_worst_of(entropic_context *context, const ent_subject *subject, const ent_lemma_case *at,
                                    int beyond, ent_worst_errors *worst) {
  *worst = (ent_worst_errors){0};
  for (unsigned n = at->first; n <= at->last; n++) {
    entropic_status status = worst_of(context, subject, at, n, beyond, worst);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* ---- Claims ------------------------------------------------------------------------------------------------ */

static void label(ent_finding *finding) {
  finding->x_title = "features, M";
  finding->x_logarithmic = finding->y_logarithmic = true;
}

/* On each of the M - 1 cells of width 1/(M - 1) what is left of the kernel is w times that of a Brownian bridge, which has
 * the largest eigenvalue (width/pi)^2. */
entropic_status ent_claim_worst(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  ent_worst_errors worst;
  finding->title = "Largest squared error of a function of norm 1, one input";
  finding->y_title = "squared error";
  label(finding);
  entropic_status status = all_worst_of(context, subject, &lemma_cases[0], BEYOND + 2, &worst);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < worst.count; i++) {
    double width = 1 / (worst.features[i] - 1), exact = lemma_cases[0].omega * width * width / (PI * PI);
    finding->value = ent_worse(finding->value, fabs(worst.error[i] / exact - 1));
    ent_series_put(ent_finding_series(finding, "measured"), worst.features[i], worst.error[i]);
    ent_claim_series *series = ent_finding_series(finding, "w/(pi (M-1))^2");
    series->dashed = series->curve = true;
    ent_series_put(series, worst.features[i], exact);
  }
  return ENTROPIC_OK;
}

/* The growth from one set to the next, over the last half of them. */
entropic_status ent_claim_lemma(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  finding->title = "Largest squared error of a function of norm 1, over M^-2 log^(4D-4) M";
  finding->y_title = "ratio";
  label(finding);
  for (size_t i = 0; i < CASES; i++) {
    ent_worst_errors worst;
    double former = NAN;
    entropic_status status = all_worst_of(context, subject, &lemma_cases[i], BEYOND, &worst);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t k = 0; k < worst.count; k++) {
      double m = worst.features[k];
      double ratio = worst.error[k] * m * m / pow(log(m), 4 * (double)lemma_cases[i].inputs - 4);
      if (k >= worst.count / 2)
        finding->value = ent_worse(finding->value, ratio / former);
      former = ratio;
      if (lemma_cases[i].inputs > 1)
        ent_series_put(ent_finding_series(finding, lemma_cases[i].name), m, ratio);
    }
  }
  return ENTROPIC_OK;
}

/* The slope of log(error M^2) against log(log M), over the last half of the sets. */
entropic_status ent_claim_logarithm(entropic_context *context, const ent_subject *subject, ent_finding *finding) {
  char shown[CASES][ENT_SHOWN_NUMBER];
  finding->title = "Largest squared error of a function of norm 1, times M^2";
  finding->x_title = "log M";
  finding->y_title = "squared error times M^2";
  finding->x_logarithmic = finding->y_logarithmic = true;
  for (size_t i = 1; i < CASES; i++) {
    ent_worst_errors worst;
    double logarithms[SETS_MOST], scaled[SETS_MOST];
    entropic_status status = all_worst_of(context, subject, &lemma_cases[i], BEYOND, &worst);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t k = 0; k < worst.count; k++) {
      logarithms[k] = log(worst.features[k]);
      scaled[k] = worst.error[k] * worst.features[k] * worst.features[k];
      ent_series_put(ent_finding_series(finding, lemma_cases[i].name), logarithms[k], scaled[k]);
    }
    size_t half = worst.count / 2;
    double exponent = ent_log_slope(logarithms + half, scaled + half, worst.count - half);
    finding->value = ent_worse(finding->value, exponent / (4 * (double)lemma_cases[i].inputs - 4));
    ent_show_fixed(exponent, 2, shown[i]);
  }
  snprintf(
      finding->note, sizeof finding->note,
      "e = %s (D = 2) and %s (D = 3) of the completed basis, %s and %s of the printed one; 4D-4 = 4 and 8, 3D-3 = 3 "
      "and 6",
      shown[1], shown[2], shown[3], shown[4]);
  return ENTROPIC_OK;
}
