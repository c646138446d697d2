/* The experiment with sparse features: see sparse.h. */
#include "study/sparse.h"

#include <math.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "study/sparse_model.h"

#define NOISE 0.05 /* the deviation of the function is 1 */
#define REPEATS 3
#define GROWTH_FIRST ((size_t)256)
#define STAGE "sparse features"

/* Streams of random numbers. */
enum { TRAINING_ROWS = 1, VALIDATION_ROWS, TEST_ROWS, STREAMS = 100 };

/* Grids for the validation rows. With more than GRID features: the scale that was best with fewer, and the next. */
static const double omegas[] = {2, 8, 32, 128, 512}, sigmas[] = {1, 2, 4, 8, 16, 32, 64, 128};
static const double ridges[] = {1e-3, 1e-2, 1e-1, 1, 10};
#define GRID ((size_t)512)
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* How many times more features the next point has. */
static const size_t factors[ENT_SPARSE_METHODS] = {[ENT_SPARSE_EOF] = 4, [ENT_SPARSE_RKS] = 2};

/* The full experiment. The most features are those that take half a minute or so. */
static const ent_sparse_setting full_settings[] = {
    {ENT_SPARSE_ALIGNED, 2, 10000, {50000, 4096}},  {ENT_SPARSE_ALIGNED, 2, 100000, {50000, 2048}},
    {ENT_SPARSE_ALIGNED, 2, 1000000, {4096, 1024}}, {ENT_SPARSE_ALIGNED, 3, 10000, {50000, 4096}},
    {ENT_SPARSE_ALIGNED, 3, 100000, {16384, 2048}}, {ENT_SPARSE_ALIGNED, 3, 1000000, {1024, 512}},
    {ENT_SPARSE_ALIGNED, 4, 10000, {16384, 4096}},  {ENT_SPARSE_ALIGNED, 4, 100000, {4096, 2048}},
    {ENT_SPARSE_ALIGNED, 5, 10000, {4096, 4096}},   {ENT_SPARSE_ALIGNED, 5, 100000, {4096, 2048}},
    {ENT_SPARSE_ALIGNED, 6, 10000, {4096, 4096}},   {ENT_SPARSE_ALIGNED, 6, 100000, {4096, 2048}},
    {ENT_SPARSE_OBLIQUE, 2, 10000, {16384, 4096}},  {ENT_SPARSE_OBLIQUE, 3, 10000, {16384, 4096}},
    {ENT_SPARSE_OBLIQUE, 4, 10000, {4096, 4096}},   {ENT_SPARSE_OBLIQUE, 5, 10000, {4096, 4096}},
    {ENT_SPARSE_OBLIQUE, 6, 10000, {4096, 4096}}};
static const ent_sparse_setting quick_settings[] = {{ENT_SPARSE_ALIGNED, 2, 2000, {1024, 256}},
                                                    {ENT_SPARSE_ALIGNED, 3, 2000, {1024, 256}},
                                                    {ENT_SPARSE_OBLIQUE, 3, 2000, {256, 256}}};

ent_sparse_options ent_sparse_options_default(bool quick, uint64_t seed) {
  return (ent_sparse_options){.settings = quick ? quick_settings : full_settings,
                              .count = quick ? COUNT(quick_settings) : COUNT(full_settings),
                              .first = {[ENT_SPARSE_EOF] = 64, [ENT_SPARSE_RKS] = quick ? 64 : 128},
                              .tuning_rows = quick ? 1000 : 8000,
                              .tuning_features = quick ? 128 : 2048,
                              .validation_rows = quick ? 500 : 2000,
                              .test_rows = quick ? 1000 : 10000,
                              .growth_most = quick ? 16384 : 50000,
                              .cholesky_most = quick ? 512 : 4096,
                              .tolerance = 1e-3,
                              .repeat_seconds = quick ? 0 : 0.5,
                              .seed = seed};
}

/* A setting under way. */
typedef struct ent_sparse_task {
  const ent_sparse_options *options;
  const ent_sparse_setting *setting;
  ent_sparse_truth truth;
  ent_sparse_sample rows, validation, test; /* test rows have no noise */
} ent_sparse_task;

static entropic_random stream(const ent_sparse_task *task, uint64_t number) {
  const ent_sparse_setting *s = task->setting;
  return entropic_random_start(task->options->seed, number + STREAMS * (s->inputs + 10 * (uint64_t)s->target));
}

static entropic_status task_start(entropic_context *context, ent_sparse_task *task) {
  const ent_sparse_setting *s = task->setting;
  entropic_status status = ent_sparse_truth_make(context, s->target, s->inputs, &task->truth);
  if (status != ENTROPIC_OK)
    return status;
  task->rows.count = s->rows;
  task->validation.count = task->options->validation_rows;
  task->test.count = task->options->test_rows;
  status = ent_sparse_sample_make(context, &task->truth, stream(task, TRAINING_ROWS), NOISE, &task->rows);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_sparse_sample_make(context, &task->truth, stream(task, VALIDATION_ROWS), NOISE, &task->validation);
  if (status != ENTROPIC_OK)
    return status;
  return ent_sparse_sample_make(context, &task->truth, stream(task, TEST_ROWS), 0, &task->test);
}

static void task_clear(ent_sparse_task *task) {
  ent_sparse_sample_clear(&task->rows);
  ent_sparse_sample_clear(&task->validation);
  ent_sparse_sample_clear(&task->test);
}

/* Tries one kernel with every lambda; the best so far stays in the point. */
static entropic_status try_kernel(entropic_context *context, const ent_sparse_task *task,
                                  const ent_sparse_request *request, double *least, ent_sparse_point *point) {
  double errors[COUNT(ridges)];
  ent_sparse_sample rows = task->rows;
  ent_sparse_model model = {0};
  ent_sparse_point trial;
  rows.count = rows.count < task->options->tuning_rows ? rows.count : task->options->tuning_rows;
  entropic_status status = ent_sparse_model_train(context, request, &rows, &model, &trial);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_sparse_model_errors(context, &model, &task->validation, errors);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < COUNT(ridges); i++)
    if (errors[i] < *least) {
      *least = errors[i];
      point->scale = request->scale;
      point->ridge = ridges[i];
      point->is_gauss = request->is_gauss;
    }
done:
  ent_sparse_model_clear(&model);
  return status;
}

/* Chooses for point->features; `fewer` is what was chosen with fewer features, NULL for the first. */
static entropic_status choose(entropic_context *context, const ent_sparse_task *task, ent_sparse_method method,
                              const ent_sparse_point *fewer, ent_sparse_point *point) {
  bool ours = method == ENT_SPARSE_EOF, grid = fewer == NULL || point->features <= (double)GRID;
  const double *scales = ours ? omegas : sigmas, next = ours ? 4 : 2;
  size_t count = ours ? COUNT(omegas) : COUNT(sigmas), most = task->options->tuning_features;
  double least = INFINITY;
  for (size_t i = 0; i < (ours ? count : 2 * count); i++) {
    const ent_sparse_request request = {.method = method,
                                        .inputs = task->setting->inputs,
                                        .features = point->features < (double)most ? (size_t)point->features : most,
                                        .scale = scales[i % count],
                                        .is_gauss = i >= count,
                                        .seed = task->options->seed,
                                        .ridges = ridges,
                                        .ridge_count = COUNT(ridges),
                                        .cholesky_most = SIZE_MAX};
    if (!grid && (request.is_gauss != fewer->is_gauss ||
                  (request.scale != fewer->scale && request.scale != next * fewer->scale)))
      continue;
    entropic_status status = try_kernel(context, task, &request, &least, point);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Predictions for their time. */
static entropic_status time_predictions(entropic_context *context, const ent_sparse_task *task,
                                        const ent_sparse_model *model, ent_sparse_point *point) {
  double *predictions = ent_new(context, task->test.count, sizeof *predictions);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (predictions == NULL)
    return status;
  point->predict = INFINITY;
  for (int i = 0; i < REPEATS; i++) {
    double start = ent_seconds();
    status = ent_sparse_model_predict(context, model, &task->test, predictions);
    if (status != ENTROPIC_OK)
      goto done;
    point->predict = fmin(point->predict, (ent_seconds() - start) / (double)task->test.count);
  }
done:
  ent_delete(predictions);
  return status;
}

/* Trains once and fills in all of the point; times are the least of this and former trainings. */
static entropic_status measure_once(entropic_context *context, const ent_sparse_task *task,
                                    const ent_sparse_request *request, bool first, ent_sparse_point *point) {
  ent_sparse_model model = {0};
  ent_sparse_point former = *point;
  entropic_status status = ent_sparse_model_train(context, request, &task->rows, &model, point);
  if (status != ENTROPIC_OK)
    goto done;
  if (!first) {
    point->train = fmin(point->train, former.train);
    point->gram = fmin(point->gram, former.gram);
    goto done;
  }
  status = ent_sparse_model_errors(context, &model, &task->test, &point->error);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_sparse_model_count(context, &model, &task->test, point);
  if (status != ENTROPIC_OK)
    goto done;
  status = time_predictions(context, task, &model, point);
done:
  ent_sparse_model_clear(&model);
  return status;
}

static entropic_status measure_point(entropic_context *context, const ent_sparse_task *task,
                                     const ent_sparse_request *request, ent_sparse_point *point) {
  for (int i = 0; i < REPEATS && (i == 0 || point->train < task->options->repeat_seconds); i++) {
    entropic_status status = measure_once(context, task, request, i == 0, point);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* What was chosen for so many features, or for as many as choosing takes; NULL if nothing was. */
static const ent_sparse_point *chosen_for(const ent_sparse_curve *curve, double features, size_t most) {
  for (size_t i = 0; curve != NULL && i < curve->count; i++)
    if (curve->points[i].features == features || (features > (double)most && curve->points[i].features >= (double)most))
      return &curve->points[i];
  return NULL;
}

/* Chooses and measures the next point of a curve. `known` is the curve with fewer rows, NULL if there is none. */
static entropic_status next_point(entropic_context *context, const ent_sparse_task *task, ent_sparse_method method,
                                  const ent_sparse_curve *known, ent_sparse_curve *curve) {
  const ent_sparse_options *options = task->options;
  ent_sparse_point *point = &curve->points[curve->count];
  const ent_sparse_point *found = chosen_for(known, point->features, options->tuning_features);
  if (found == NULL)
    found = chosen_for(curve, point->features, options->tuning_features);
  if (found == NULL) {
    entropic_status status = choose(context, task, method, curve->count > 0 ? point - 1 : NULL, point);
    if (status != ENTROPIC_OK)
      return status;
  } else {
    point->scale = found->scale;
    point->ridge = found->ridge;
    point->is_gauss = found->is_gauss;
  }
  const ent_sparse_request request = {.method = method,
                                      .inputs = task->setting->inputs,
                                      .features = (size_t)point->features,
                                      .scale = point->scale,
                                      .is_gauss = point->is_gauss,
                                      .seed = options->seed,
                                      .ridges = &point->ridge,
                                      .ridge_count = 1,
                                      .cholesky_most = method == ENT_SPARSE_EOF ? options->cholesky_most : SIZE_MAX,
                                      .tolerance = options->tolerance};
  entropic_status status = measure_point(context, task, &request, point);
  curve->count++;
  return status;
}

static entropic_status measure_curve(entropic_context *context, const ent_sparse_task *task, ent_sparse_method method,
                                     const ent_sparse_curve *known, ent_sparse_curve *curve) {
  size_t most = task->setting->most[method];
  for (size_t m = task->options->first[method]; curve->count < ENT_SPARSE_POINTS; m *= factors[method]) {
    curve->points[curve->count].features = (double)(m < most ? m : most);
    entropic_status status = next_point(context, task, method, known, curve);
    if (status != ENTROPIC_OK || m >= most)
      return status;
  }
  return ENTROPIC_OK;
}

/* One setting; what was chosen for the same function and inputs is taken over. */
static entropic_status measure_case(entropic_context *context, ent_sparse_task *task, ent_sparse *result) {
  const ent_sparse_setting *s = task->setting;
  ent_sparse_case *one = &result->cases[result->count], *before = result->count > 0 ? one - 1 : NULL;
  bool same = before != NULL && before->target == s->target && before->inputs == s->inputs;
  *one = (ent_sparse_case){.target = s->target, .inputs = s->inputs, .rows = s->rows};
  entropic_status status = task_start(context, task);
  for (ent_sparse_method method = 0; status == ENTROPIC_OK && method < ENT_SPARSE_METHODS; method++)
    status = measure_curve(context, task, method, same ? &before->curves[method] : NULL, &one->curves[method]);
  if (status != ENTROPIC_OK)
    return status;
  result->count++;
  return ENTROPIC_OK;
}

/* Non-zeros and products of EOF for more features than are trained. */
static entropic_status count_growth(entropic_context *context, const ent_sparse_task *task, double omega,
                                    ent_sparse_growth *growth) {
  size_t most = task->options->growth_most, features = GROWTH_FIRST;
  *growth = (ent_sparse_growth){.inputs = task->setting->inputs};
  for (; growth->count < ENT_SPARSE_POINTS; features *= factors[ENT_SPARSE_EOF]) {
    bool last = features >= most;
    ent_sparse_model model = {0};
    ent_sparse_point point;
    const ent_sparse_request request = {
        .method = ENT_SPARSE_EOF, .inputs = growth->inputs, .features = last ? most : features, .scale = omega};
    entropic_status status = ent_sparse_model_make(context, &request, &model);
    if (status == ENTROPIC_OK)
      status = ent_sparse_model_count(context, &model, &task->test, &point);
    ent_sparse_model_clear(&model);
    if (status != ENTROPIC_OK)
      return status;
    growth->features[growth->count] = (double)request.features;
    growth->nonzeros[growth->count] = point.nonzeros;
    growth->products[growth->count++] = point.products;
    if (last)
      break;
  }
  return ENTROPIC_OK;
}

/* A setting and, for the first of each number of inputs, what is counted. */
static entropic_status run_setting(entropic_context *context, ent_sparse_task *task, ent_sparse *result) {
  const ent_sparse_setting *s = task->setting;
  size_t known = result->growth_count;
  entropic_status status = measure_case(context, task, result);
  if (status != ENTROPIC_OK)
    return status;
  bool counted = known > 0 && result->growth[known - 1].inputs == s->inputs;
  if (s->target != ENT_SPARSE_ALIGNED || counted || task->options->growth_most == 0)
    return ENTROPIC_OK;
  const ent_sparse_curve *curve = &result->cases[result->count - 1].curves[ENT_SPARSE_EOF];
  status = count_growth(context, task, curve->points[curve->count - 1].scale, &result->growth[known]);
  result->growth_count += status == ENTROPIC_OK;
  return status;
}

static entropic_status check_options(entropic_context *context, const ent_sparse_options *options) {
  if (options->count < 1 || options->count > ENT_SPARSE_CASES)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%zu settings, expected 1 to %d", options->count, ENT_SPARSE_CASES);
  for (size_t i = 0; i < options->count; i++) {
    const ent_sparse_setting *s = &options->settings[i];
    if (s->inputs < ENT_SPARSE_LEAST || s->inputs > ENT_SPARSE_MOST || s->rows < 1)
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "setting %zu: %zu inputs and %zu rows, expected %d to %d inputs",
                      i + 1, s->inputs, s->rows, ENT_SPARSE_LEAST, ENT_SPARSE_MOST);
  }
  return ENTROPIC_OK;
}

entropic_status ent_sparse_run(entropic_context *context, const ent_sparse_options *options, ent_sparse *result) {
  entropic_status status = check_options(context, options);
  if (status != ENTROPIC_OK)
    return status;
  int threads = ent_context_threads(context);
  entropic_context_set_threads(context, 1);
  result->count = result->growth_count = 0;
  for (size_t i = 0; status == ENTROPIC_OK && i < options->count; i++) {
    ent_sparse_task task = {.options = options, .setting = &options->settings[i]};
    ent_progress_at(context, STAGE, i, options->count);
    ent_progress former = ent_progress_hold(context);
    status = run_setting(context, &task, result);
    ent_progress_leave(context, former);
    task_clear(&task);
  }
  entropic_context_set_threads(context, threads);
  return status;
}

entropic_status ent_sparse_measure(entropic_context *context, bool quick, uint64_t seed, ent_sparse *result) {
  const ent_sparse_options options = ent_sparse_options_default(quick, seed);
  return ent_sparse_run(context, &options, result);
}
