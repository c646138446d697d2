/* Fits small models of all kinds, saves each as NAME.entropic in the given folder, and prints its predictions, for a
 * script with its own reader of model files. Output: "model NAME", then one line for each row: the inputs (codes of
 * categories, nan for missing values), "=", and the predictions (numbers, or probabilities). */
#include <math.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "dataset/dataset.h"

enum { ROWS = 120, INPUTS = 4, MOST_OUTPUTS = 3, SHOWN = 40 };

typedef struct kind {
  const char *name;
  entropic_family family;
  entropic_basis basis;
  int smooth;
  double omega;
  entropic_scaling scaling;
  entropic_solver solver;
  entropic_loss loss;
  size_t classes; /* 0: numbers */
  size_t targets;
  size_t features;
  entropic_target_scale target;
  const char *p, *q; /* of a custom kernel */
} kind;

static const kind kinds[] = {
    {"centred", ENTROPIC_FAMILY_CENTRED, ENTROPIC_BASIS_FULL, 0, 1, ENTROPIC_SCALING_QUANTILE, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_LOSS_SQUARED, 0, 1, 150, ENTROPIC_TARGET_SCALE_AUTO, NULL, NULL},
    {"smooth", ENTROPIC_FAMILY_CENTRED, ENTROPIC_BASIS_FULL, 3, 0.5, ENTROPIC_SCALING_MINMAX, ENTROPIC_SOLVER_DUAL,
     ENTROPIC_LOSS_SQUARED, 0, 2, 200, ENTROPIC_TARGET_SCALE_AUTO, NULL, NULL},
    {"sobolev", ENTROPIC_FAMILY_SOBOLEV, ENTROPIC_BASIS_FULL, 0, 2, ENTROPIC_SCALING_NONE, ENTROPIC_SOLVER_ITERATIVE,
     ENTROPIC_LOSS_SQUARED, 0, 3, 90, ENTROPIC_TARGET_SCALE_AUTO, NULL, NULL},
    {"blend", ENTROPIC_FAMILY_CENTRED, ENTROPIC_BASIS_FULL, 2, 1, ENTROPIC_SCALING_BLEND, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_LOSS_SQUARED, 3, 1, 120, ENTROPIC_TARGET_SCALE_AUTO, NULL, NULL},
    {"laplace", ENTROPIC_FAMILY_LAPLACE, ENTROPIC_BASIS_FULL, 0, 1.5, ENTROPIC_SCALING_QUANTILE, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_LOSS_SQUARED, 0, 1, 120, ENTROPIC_TARGET_SCALE_AUTO, NULL, NULL},
    {"laplace-9", ENTROPIC_FAMILY_LAPLACE, ENTROPIC_BASIS_FULL, 0, 9, ENTROPIC_SCALING_MINMAX, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_LOSS_LOGISTIC, 2, 1, 120, ENTROPIC_TARGET_SCALE_AUTO, NULL, NULL},
    {"cosh", ENTROPIC_FAMILY_COSH, ENTROPIC_BASIS_FULL, 0, 3, ENTROPIC_SCALING_QUANTILE, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_LOSS_SQUARED, 3, 1, 100, ENTROPIC_TARGET_SCALE_AUTO, NULL, NULL},
    {"brownian", ENTROPIC_FAMILY_BROWNIAN, ENTROPIC_BASIS_FULL, 0, 1, ENTROPIC_SCALING_QUANTILE, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_LOSS_SQUARED, 0, 1, 60, ENTROPIC_TARGET_SCALE_AUTO, NULL, NULL},
    {"bridge", ENTROPIC_FAMILY_BRIDGE, ENTROPIC_BASIS_FULL, 0, 1, ENTROPIC_SCALING_QUANTILE, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_LOSS_SQUARED, 2, 1, 60, ENTROPIC_TARGET_SCALE_AUTO, NULL, NULL},
    {"neumann", ENTROPIC_FAMILY_NEUMANN, ENTROPIC_BASIS_FULL, 0, 2, ENTROPIC_SCALING_QUANTILE, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_LOSS_SQUARED, 0, 1, 80, ENTROPIC_TARGET_SCALE_AUTO, NULL, NULL},
    {"interior", ENTROPIC_FAMILY_SOBOLEV, ENTROPIC_BASIS_INTERIOR, 0, 1, ENTROPIC_SCALING_QUANTILE,
     ENTROPIC_SOLVER_DIRECT, ENTROPIC_LOSS_LOGISTIC, 3, 1, 60, ENTROPIC_TARGET_SCALE_AUTO, NULL, NULL},
    {"exact", ENTROPIC_FAMILY_CENTRED, ENTROPIC_BASIS_FULL, 0, 1, ENTROPIC_SCALING_QUANTILE, ENTROPIC_SOLVER_EXACT,
     ENTROPIC_LOSS_SQUARED, 0, 2, 0, ENTROPIC_TARGET_SCALE_AUTO, NULL, NULL},
    {"exact-laplace", ENTROPIC_FAMILY_LAPLACE, ENTROPIC_BASIS_FULL, 0, 2, ENTROPIC_SCALING_MINMAX,
     ENTROPIC_SOLVER_EXACT, ENTROPIC_LOSS_SQUARED, 3, 1, 0, ENTROPIC_TARGET_SCALE_AUTO, NULL, NULL},
    {"root", ENTROPIC_FAMILY_CENTRED, ENTROPIC_BASIS_FULL, 2, 1, ENTROPIC_SCALING_QUANTILE, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_LOSS_SQUARED, 0, 1, 30, ENTROPIC_TARGET_SCALE_ROOT, NULL, NULL},
    {"few", ENTROPIC_FAMILY_CENTRED, ENTROPIC_BASIS_FULL, 2, 1, ENTROPIC_SCALING_QUANTILE, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_LOSS_SQUARED, 0, 1, 3, ENTROPIC_TARGET_SCALE_PLAIN, NULL, NULL},
    {"few-root", ENTROPIC_FAMILY_SOBOLEV, ENTROPIC_BASIS_FULL, 0, 1, ENTROPIC_SCALING_BLEND, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_LOSS_SQUARED, 0, 1, 1, ENTROPIC_TARGET_SCALE_ROOT, NULL, NULL},
    {"few-classes", ENTROPIC_FAMILY_CENTRED, ENTROPIC_BASIS_FULL, 0, 1, ENTROPIC_SCALING_MINMAX, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_LOSS_LOGISTIC, 3, 1, 2, ENTROPIC_TARGET_SCALE_AUTO, NULL, NULL},
    {"custom", ENTROPIC_FAMILY_CUSTOM, ENTROPIC_BASIS_FULL, 0, 1.5, ENTROPIC_SCALING_QUANTILE, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_LOSS_SQUARED, 0, 1, 150, ENTROPIC_TARGET_SCALE_AUTO, "exp(w*x) + x^2", "1 + exp(-w*x)"},
    {"custom-zero", ENTROPIC_FAMILY_CUSTOM, ENTROPIC_BASIS_FULL, 0, 2, ENTROPIC_SCALING_MINMAX, ENTROPIC_SOLVER_DIRECT,
     ENTROPIC_LOSS_SQUARED, 3, 1, 120, ENTROPIC_TARGET_SCALE_AUTO, "exp(x^2) - 1 + x/10", "1 + w*(1 - x)^3"},
    {"custom-constant", ENTROPIC_FAMILY_CUSTOM, ENTROPIC_BASIS_FULL, 0, 3, ENTROPIC_SCALING_QUANTILE,
     ENTROPIC_SOLVER_DIRECT, ENTROPIC_LOSS_SQUARED, 0, 1, 90, ENTROPIC_TARGET_SCALE_AUTO, "3 + w*sqrt(1 + x)",
     "2 - sqrt(1 + x)"},
    {"custom-interior", ENTROPIC_FAMILY_CUSTOM, ENTROPIC_BASIS_INTERIOR, 0, 1, ENTROPIC_SCALING_QUANTILE,
     ENTROPIC_SOLVER_DIRECT, ENTROPIC_LOSS_SQUARED, 0, 2, 60, ENTROPIC_TARGET_SCALE_AUTO, "1/(2 - x)", "2 - x"},
    {"exact-custom", ENTROPIC_FAMILY_CUSTOM, ENTROPIC_BASIS_FULL, 0, 1, ENTROPIC_SCALING_MINMAX, ENTROPIC_SOLVER_EXACT,
     ENTROPIC_LOSS_SQUARED, 0, 1, 0, ENTROPIC_TARGET_SCALE_AUTO, "exp(w*x)", "exp(-2*w*x)"},
};

/* One of each family of numbers that can be saved and is not in the list under its name. */
static kind kind_of_family(entropic_family family) {
  return (kind){.name = entropic_family_name(family),
                .family = family,
                .omega = 1,
                .scaling = ENTROPIC_SCALING_QUANTILE,
                .solver = ENTROPIC_SOLVER_DIRECT,
                .loss = ENTROPIC_LOSS_SQUARED,
                .targets = 1,
                .features = 100};
}

static bool is_listed(entropic_family family) {
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (strcmp(kinds[i].name, entropic_family_name(family)) == 0)
      return true;
  return false;
}

static void need(const entropic_context *context, entropic_status status) {
  if (status == ENTROPIC_OK)
    return;
  fprintf(stderr, "python-model: %s\n", entropic_context_message(context));
  exit(EXIT_FAILURE);
}

/* A number, a category and a number with missing values, a number with many equal values, and targets. */
static void fill(const kind *k, double *values, size_t columns) {
  entropic_random random = entropic_random_start(7, k->targets);
  for (size_t r = 0; r < ROWS; r++) {
    double *row = values + r * columns, gap = entropic_random_uniform(&random);
    row[0] = k->scaling == ENTROPIC_SCALING_NONE ? entropic_random_uniform(&random) : entropic_random_normal(&random);
    row[1] = gap < 0.1 ? NAN : (double)entropic_random_below(&random, 4);
    row[2] = gap > 0.9 ? NAN : entropic_random_uniform(&random);
    row[3] = (double)entropic_random_below(&random, 5) / 4;
    double sum = sin(row[0]) + (gap < 0.1 ? 1 : row[1] / 4) + (gap > 0.9 ? 0 : row[2] * row[3]);
    for (size_t t = 0; t < k->targets; t++)
      row[INPUTS + t] = k->classes > 0 ? floor(fmin((double)k->classes - 1, fmax(0, sum * (double)k->classes / 2)))
                                       : sum * (double)(t + 1) + 0.1 * entropic_random_normal(&random);
  }
}

static entropic_model *fit(entropic_context *context, const kind *k) {
  static const char *const names[] = {"number", "category", "gaps", "steps", "y1", "y2", "y3"};
  static const char *const targets[] = {"y1", "y1,y2", "y1,y2,y3"};
  size_t columns = INPUTS + k->targets;
  double *values = calloc(ROWS * columns, sizeof *values);
  if (values == NULL)
    exit(EXIT_FAILURE);
  fill(k, values, columns);
  ent_roles roles = {.targets = targets[k->targets - 1], .categorical = "category"};
  ent_fit_options options = ent_fit_options_default();
  options.loss = k->loss;
  options.solver = k->solver;
  options.scaling = k->scaling;
  options.axis.family = k->family;
  options.axis.basis = k->basis;
  options.axis.smooth = k->smooth;
  options.axis.p_text = k->p;
  options.axis.q_text = k->q;
  options.omegas = &k->omega;
  options.omega_count = 1;
  options.lambda = 1e-3;
  options.features = k->features;
  options.target_scale = k->target;
  entropic_table *table = NULL;
  entropic_dataset *data = NULL;
  entropic_model *model = NULL;
  need(context, ent_table_create(context, values, ROWS, columns, columns, names, &roles, &table));
  need(context, ent_dataset_create(context, table,
                                   k->classes > 0 ? ENTROPIC_TASK_CLASSIFICATION : ENTROPIC_TASK_REGRESSION, &data));
  need(context, ent_model_fit(context, data, NULL, &options, NULL, &model));
  entropic_dataset_free(data);
  entropic_table_free(table);
  free(values);
  return model;
}

/* Also rows outside the training data: ends of the range, unseen categories, missing values. */
static void fill_row(entropic_random *random, double *x) {
  x[0] = 2 * entropic_random_normal(random);
  x[1] = (double)entropic_random_below(random, 7) - 1;
  x[1] = x[1] < 0 ? NAN : x[1];
  x[2] = entropic_random_below(random, 5) == 0 ? NAN : 1.5 * entropic_random_uniform(random) - 0.25;
  x[3] = (double)entropic_random_below(random, 9) / 8;
}

static void show(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    char text[ENTROPIC_NUMBER_SIZE];
    entropic_format_double(values[i], text);
    printf("%s ", text);
  }
}

static void save_and_predict(entropic_context *context, const kind *k, const char *folder, size_t number) {
  char path[4200];
  entropic_model *model = fit(context, k);
  snprintf(path, sizeof path, "%s/%s.entropic", folder, k->name);
  need(context, entropic_model_save(context, model, path));
  printf("model %s\n", k->name);
  entropic_random random = entropic_random_start(3, number);
  for (size_t r = 0; r < SHOWN; r++) {
    double x[INPUTS], out[MOST_OUTPUTS];
    fill_row(&random, x);
    need(context, k->classes > 0 ? entropic_model_probabilities(context, model, x, 1, INPUTS, out)
                                 : entropic_model_predict(context, model, x, 1, INPUTS, out));
    show(x, INPUTS);
    printf("= ");
    show(out, k->classes > 0 ? k->classes : k->targets);
    putchar('\n');
  }
  entropic_model_free(model);
}

int main(int count, char **arguments) {
  entropic_context *context = NULL;
  if (count != 2) {
    fputs("usage: python-model FOLDER\n", stderr);
    return EXIT_FAILURE;
  }
  need(NULL, entropic_context_create(&context));
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    save_and_predict(context, &kinds[i], arguments[1], i);
  for (size_t i = 0; i < ent_family_count(); i++) {
    entropic_family family = (entropic_family)i;
    kind other = kind_of_family(family);
    if (entropic_family_has(family, ENTROPIC_TRAIT_SAVED) && !entropic_family_has(family, ENTROPIC_TRAIT_CATEGORIES) &&
        !entropic_family_has(family, ENTROPIC_TRAIT_PERIODIC) && !is_listed(family))
      save_and_predict(context, &other, arguments[1], 0);
  }
  entropic_context_free(context);
  return EXIT_SUCCESS;
}
