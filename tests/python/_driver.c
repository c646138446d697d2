/* Runs one fit for a Python script, which checks it against other software. The job is on standard input, the answer on
 * standard output, both plain numbers. The job: a word, then
 *     rows inputs targets features classes threads grade count lambda...  x (row by row)  y (row by row)  weights.
 * The answer: one line for each array, its name and its numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/dual.h"
#include "solve/iterate.h"
#include "solve/logistic.h"
#include "sums/pass.h"
#include "solve/ridge.h"
#include "python/_numbers.h"

#define MOST_LAMBDAS 64
#define FOLDS 5

typedef struct job {
  char word[32];
  size_t rows, inputs, targets, features, classes, threads, grade, count;
  double lambdas[MOST_LAMBDAS];
  double *x, *y, *weights;
  entropic_context *context;
  entropic_kernel *kernel;
  entropic_lift *lift;
  ent_map map;
  ent_memory_rows memory;
  ent_rows source;
} job;

static void need(const job *j, entropic_status status) {
  if (status != ENTROPIC_OK)
    stop(entropic_context_message(j->context));
}

static void read_job(job *j) {
  if (scanf("%31s", j->word) != 1)
    stop("a job was expected");
  size_t *sizes[] = {&j->rows, &j->inputs, &j->targets, &j->features, &j->classes, &j->threads, &j->grade, &j->count};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    *sizes[i] = read_size();
  if (j->count > MOST_LAMBDAS)
    stop("too many lambdas");
  for (size_t i = 0; i < j->count; i++)
    j->lambdas[i] = read_number();
  j->x = read_array(j->rows * j->inputs);
  j->y = read_array(j->rows * j->targets);
  j->weights = read_array(j->rows);
  entropic_axis_options axis = ent_axis_options_default();
  entropic_design_options options = ent_design_options_default();
  entropic_design *design = NULL;
  options.features = j->features;
  if (entropic_context_create(&j->context) != ENTROPIC_OK)
    stop("out of memory");
  need(j, entropic_context_set_threads(j->context, (int)j->threads));
  need(j, ent_kernel_create(j->context, &axis, 1, j->inputs, &j->kernel));
  need(j, ent_design_create(j->context, j->kernel, &options, &design));
  need(j, entropic_lift_create(j->context, design, &j->lift));
  entropic_design_free(design);
  j->map = ent_map_of_lift(j->lift);
  j->memory.all = (ent_block){
      .rows = j->rows, .x = j->x, .x_stride = j->inputs, .y = j->y, .y_stride = j->targets, .weights = j->weights};
  j->memory.inputs = j->inputs;
  j->memory.targets = j->targets;
  j->source = ent_rows_of_memory(&j->memory);
}

/* The lifted rows, one line each. */
static void show_lifted(const job *j) {
  double *z = calloc(j->features, sizeof *z);
  entropic_workspace *workspace = NULL;
  need(j, entropic_workspace_create(j->context, j->lift, &workspace));
  for (size_t r = 0; r < j->rows; r++) {
    need(j, entropic_lift_dense(j->context, j->lift, workspace, j->x + r * j->inputs, 1, j->inputs, z, 1));
    show("z", z, j->features);
  }
  entropic_workspace_free(workspace);
  free(z);
}

static size_t fold_of(void *user, size_t row) {
  (void)user;
  return row % FOLDS;
}

static void run_ridge(job *j) {
  ent_statistics *total = NULL, *parts[FOLDS];
  ent_ridge *ridge = NULL;
  double *errors = calloc(j->count * j->targets, sizeof *errors);
  need(j, ent_statistics_create(j->context, j->features, j->targets, NULL, &total));
  for (size_t k = 0; k < FOLDS; k++)
    need(j, ent_statistics_create(j->context, j->features, j->targets, NULL, &parts[k]));
  ent_statistics_folds folds = {.statistics = parts, .count = FOLDS, .fold = fold_of, .total = total};
  need(j, ent_statistics_collect_folds(j->context, &folds, &j->map, &j->source,
                                       &(ent_collect_options){.grade = (ent_grade)j->grade}));
  need(j, ent_ridge_solve_gcv(j->context, total, j->lambdas, j->count, ENT_METHOD_AUTO, &ridge));
  need(j, ent_ridge_cross_validate(j->context, &(ent_ridge_sets){.total = total, .set = parts, .count = FOLDS},
                                   j->lambdas, j->count, ENT_METHOD_AUTO, errors));
  show("gram", total->gram, total->size * total->size);
  show("weights", ridge->weights, j->count * j->targets * j->features);
  show("means", ridge->means, j->targets);
  show("gcv", ridge->gcv, j->count * j->targets);
  show("freedom", ridge->freedom, j->count);
  show("errors", errors, j->count * j->targets);
  for (size_t k = 0; k < FOLDS; k++)
    ent_statistics_free(parts[k]);
  ent_statistics_free(total);
  ent_ridge_free(ridge);
  free(errors);
}

static void run_dual(job *j) {
  ent_dual *dual = NULL;
  double *predictions = calloc(j->rows * j->targets, sizeof *predictions);
  need(j, ent_dual_of_map(j->context, &j->map, &j->source, j->lambdas, j->count, &dual));
  show("weights", dual->weights, j->count * j->targets * j->features);
  ent_dual_free(dual);
  need(j, ent_dual_of_kernel(j->context, j->kernel, &j->source, j->lambdas, j->count, &dual));
  need(j, ent_dual_predict(j->context, dual, j->kernel, 0,
                           &(ent_block){.rows = j->rows, .x = j->x, .x_stride = j->inputs}, predictions));
  show("coefficients", dual->coefficients, j->count * j->targets * j->rows);
  show("predictions", predictions, j->rows * j->targets);
  ent_dual_free(dual);
  free(predictions);
}

static void run_iterate(job *j) {
  ent_iterated *it = NULL;
  ent_iterate_options options = ent_iterate_options_default();
  options.head = j->features / 4;
  need(j, ent_ridge_iterate(j->context, &j->map, &j->source, j->lambdas[0], options, &it));
  double converged = it->converged;
  show("weights", it->weights, j->targets * j->features);
  show("converged", &converged, 1);
  ent_iterated_free(it);
}

static void run_logistic(job *j) {
  ent_logistic *fit = NULL;
  need(j, ent_logistic_fit(j->context,
                           &(ent_logistic_problem){
                               .map = &j->map, .rows = &j->source, .classes = j->classes, .lambda = j->lambdas[0]},
                           ent_logistic_options_default(), &fit));
  double *scores = calloc(j->rows * fit->scores, sizeof *scores), end = (double)fit->end;
  double *probabilities = calloc(j->rows * j->classes, sizeof *probabilities);
  need(j, ent_scores(j->context, &j->map, &(ent_block){.rows = j->rows, .x = j->x, .x_stride = j->inputs},
                     &(ent_linear){fit->weights, fit->offsets, fit->scores}, scores));
  for (size_t r = 0; r < j->rows; r++)
    ent_probabilities(j->classes, scores + r * fit->scores, probabilities + r * j->classes);
  show("weights", fit->weights, fit->scores * j->features);
  show("probabilities", probabilities, j->rows * j->classes);
  show("objective", &fit->objective, 1);
  show("end", &end, 1);
  ent_logistic_free(fit);
  free(scores);
  free(probabilities);
}

int main(void) {
  static const struct {
    const char *word;
    void (*run)(job *j);
  } runs[] = {{"ridge", run_ridge}, {"dual", run_dual}, {"iterate", run_iterate}, {"logistic", run_logistic}};
  job j = {0};
  read_job(&j);
  show_lifted(&j);
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
    if (strcmp(j.word, runs[i].word) == 0)
      runs[i].run(&j);
  free(j.x);
  free(j.y);
  free(j.weights);
  entropic_lift_free(j.lift);
  entropic_kernel_free(j.kernel);
  entropic_context_free(j.context);
  return EXIT_SUCCESS;
}
