/* Makes random feature maps for random_maps.py. The job is on standard input, the answer on standard output, both plain
 * numbers. The job is a word, names, and numbers:
 *     map METHOD KERNEL sigma features candidates rho seed landmarks threads rows inputs targets  x  y  weights
 *     weights rho count  alignments
 *     bandwidth seed rows inputs  x
 *     pivots KERNEL sigma features seeds rows inputs  x      (landmarks by randomly pivoted Cholesky, for each seed)
 *     exact KERNEL sigma count rows inputs targets tests  lambdas  x  y  weights  x to predict
 * The answer: one line for each array, its name and its numbers. */
#include "python/_numbers.h"
#include "baselines/map.h"
#include "solve/exact.h"

static entropic_context *context;

static void need(entropic_status status) {
  if (status != ENTROPIC_OK)
    stop(entropic_context_message(context));
}

static void show_sizes(const char *name, const size_t *values, size_t count) {
  double *numbers = calloc(count + 1, sizeof *numbers);
  for (size_t i = 0; i < count; i++)
    numbers[i] = (double)values[i];
  show(name, numbers, count);
  free(numbers);
}

static void show_map(const ent_random_map *map, const double *x, size_t rows) {
  ent_map face = ent_map_of_random(map);
  size_t features = face.features, candidates = features * map->options.candidates;
  double *z = calloc(rows * features + 1, sizeof *z);
  void *scratch = NULL;
  need(face.calls->scratch_create(context, face.self, &scratch));
  need(face.calls->dense(context, face.self, scratch, x, rows, face.inputs, z, rows));
  face.calls->scratch_free(scratch);
  show("z", z, rows * features); /* column-major */
  free(z);
  if (map->frequencies != NULL) {
    show("frequencies", map->frequencies, map->panels * ENT_PANEL * map->inputs);
    show("phases", map->phases, features);
  }
  if (map->signs != NULL) {
    show("signs", map->signs, (features + map->order - 1) / map->order * 3 * map->order);
    show("phases", map->phases, features);
  }
  if (map->chosen != NULL)
    show_sizes("chosen", map->chosen, features);
  if (map->alignments != NULL)
    show("alignments", map->alignments, candidates);
  if (map->weights != NULL)
    show("weights", map->weights, candidates);
  show("jitter", &map->jitter, 1);
}

static ent_random_method read_method(void) {
  char name[32];
  int m = 0;
  if (scanf("%31s", name) != 1)
    stop("a method was expected");
  while (ent_random_method_name((ent_random_method)m) != NULL &&
         strcmp(ent_random_method_name((ent_random_method)m), name) != 0)
    m++;
  return (ent_random_method)m; /* one behind the last is refused */
}

static ent_random_kernel read_kernel(void) {
  char name[32];
  int k = 0;
  if (scanf("%31s", name) != 1)
    stop("a kernel was expected");
  while (ent_random_kernel_name((ent_random_kernel)k) != NULL &&
         strcmp(ent_random_kernel_name((ent_random_kernel)k), name) != 0)
    k++;
  return (ent_random_kernel)k;
}

static void run_map(void) {
  ent_random_options options = ent_random_options_default();
  ent_random_data data = {.rows = 0};
  ent_random_map *map = NULL;
  options.method = read_method();
  options.kernel = read_kernel();
  options.sigma = read_number();
  options.features = read_size();
  options.candidates = read_size();
  options.rho = read_number();
  options.seed = (uint64_t)read_size();
  options.landmarks = (ent_random_landmarks)read_size();
  need(entropic_context_set_threads(context, (int)read_size()));
  data.rows = read_size();
  data.stride = read_size();
  data.targets = data.y_stride = read_size();
  double *x = read_array(data.rows * data.stride), *y = read_array(data.rows * data.targets);
  double *weights = read_array(data.rows);
  data.x = x;
  data.y = y;
  data.weights = weights;
  need(ent_random_create(context, &options, data.stride, &data, &map));
  show_map(map, x, data.rows);
  ent_random_free(map);
  free(x);
  free(y);
  free(weights);
}

static void run_weights(void) {
  double rho = read_number();
  size_t count = read_size();
  double *alignments = read_array(count), *weights = calloc(count + 1, sizeof *weights);
  need(ent_alignment_weights(context, alignments, count, rho, weights));
  show("weights", weights, count);
  free(alignments);
  free(weights);
}

static void run_bandwidth(void) {
  size_t seed = read_size(), rows = read_size(), inputs = read_size();
  double *x = read_array(rows * inputs), sigma = 0;
  const ent_random_data data = {.x = x, .rows = rows, .stride = inputs};
  need(ent_random_bandwidth(context, &data, inputs, seed, &sigma));
  show("sigma", &sigma, 1);
  free(x);
}

static void run_pivots(void) {
  ent_random_options options = ent_random_options_default();
  options.method = ENT_RANDOM_NYSTROEM;
  options.landmarks = ENT_LANDMARKS_RPC;
  options.kernel = read_kernel();
  options.sigma = read_number();
  options.features = read_size();
  size_t seeds = read_size(), rows = read_size(), inputs = read_size();
  double *x = read_array(rows * inputs);
  const ent_random_data data = {.x = x, .rows = rows, .stride = inputs};
  size_t *chosen = calloc(seeds * options.features + 1, sizeof *chosen);
  for (size_t seed = 0; seed < seeds; seed++) {
    ent_random_map *map = NULL;
    options.seed = seed;
    need(ent_random_create(context, &options, inputs, &data, &map));
    memcpy(chosen + seed * options.features, map->chosen, options.features * sizeof *chosen);
    ent_random_free(map);
  }
  show_sizes("chosen", chosen, seeds * options.features);
  free(chosen);
  free(x);
}

static void run_exact(void) {
  ent_exact_ridge_task task = {.kernel = read_kernel()};
  task.sigma = read_number();
  task.count = read_size();
  task.data.rows = read_size();
  task.inputs = task.data.stride = task.stride = read_size();
  task.data.targets = task.data.y_stride = read_size();
  task.rows = read_size();
  double *lambdas = read_array(task.count), *x = read_array(task.data.rows * task.inputs);
  double *y = read_array(task.data.rows * task.data.targets), *weights = read_array(task.data.rows);
  double *tests = read_array(task.rows * task.inputs);
  double *predictions = calloc(task.count * task.rows * task.data.targets + 1, sizeof *predictions);
  task.lambdas = lambdas;
  task.data.x = x;
  task.data.y = y;
  task.data.weights = weights;
  task.x = tests;
  need(ent_exact_ridge(context, &task, predictions));
  show("predictions", predictions, task.count * task.rows * task.data.targets);
  free(lambdas);
  free(x);
  free(y);
  free(weights);
  free(tests);
  free(predictions);
}

int main(void) {
  static const struct {
    const char *word;
    void (*run)(void);
  } runs[] = {{"map", run_map},
              {"weights", run_weights},
              {"bandwidth", run_bandwidth},
              {"pivots", run_pivots},
              {"exact", run_exact}};
  char word[32];
  if (entropic_context_create(&context) != ENTROPIC_OK || scanf("%31s", word) != 1)
    stop("a job was expected");
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
    if (strcmp(word, runs[i].word) == 0)
      runs[i].run();
  entropic_context_free(context);
  return EXIT_SUCCESS;
}
