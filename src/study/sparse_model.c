/* Models of the experiment with sparse features: see sparse_model.h. */
#include "study/sparse_model.h"

#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "design/design.h"
#include "lift/lift.h"
#include "sums/pass.h"

#define MOST_STEPS ((size_t)500) /* what is not solved then shows in the error */
#define STEP_COST 500.0          /* products for each non-zero that all steps take, by measurement */
#define HEAD ((size_t)512)
#define COUNT_BLOCK ((size_t)64)

/* The grade of the Gram matrix of either method: the faster one. Its rounding is far below the least lambda N. */
#define GRADE ENT_GRADE_ORDER_FREE

static entropic_status make_eof(entropic_context *context, const ent_sparse_request *request, ent_lifting *lifting) {
  entropic_axis_options axes[ENT_SPARSE_MOST];
  for (size_t d = 0; d < request->inputs; d++) {
    axes[d] = ent_axis_options_default();
    axes[d].omega = request->scale;
  }
  const ent_features features = {.axes = axes, .inputs = request->inputs, .design = ent_design_options_default()};
  return ent_features_make(context, &features, 0, request->features, lifting);
}

static entropic_status make_rks(entropic_context *context, const ent_sparse_request *request, ent_random_map **map) {
  ent_random_options options = ent_random_options_default();
  options.kernel = request->is_gauss ? ENT_RANDOM_GAUSS : ENT_RANDOM_LAPLACE;
  options.sigma = request->scale;
  options.features = request->features;
  options.seed = request->seed;
  return ent_random_create(context, &options, request->inputs, NULL, map);
}

entropic_status ent_sparse_model_make(entropic_context *context, const ent_sparse_request *request,
                                      ent_sparse_model *model) {
  bool ours = request->method == ENT_SPARSE_EOF;
  entropic_status status =
      ours ? make_eof(context, request, &model->lifting) : make_rks(context, request, &model->random);
  if (status != ENTROPIC_OK)
    return status;
  model->map = ours ? model->lifting.map : ent_map_of_random(model->random);
  return ENTROPIC_OK;
}

static entropic_status solve_by_gram(entropic_context *context, const ent_sparse_request *request, const ent_rows *rows,
                                     ent_sparse_model *model, double *gram) {
  ent_statistics *statistics = NULL;
  double start = ent_seconds(), *lambdas = ent_new(context, request->ridge_count, sizeof *lambdas);
  if (lambdas == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < request->ridge_count; i++)
    lambdas[i] = request->ridges[i] / (double)rows->count;
  entropic_status status = ent_statistics_of_rows(context, &model->map, rows, GRADE, &statistics);
  if (status != ENTROPIC_OK)
    goto done;
  *gram = ent_seconds() - start;
  status = ent_ridge_solve(context, statistics, lambdas, request->ridge_count, ENT_METHOD_CHOLESKY, &model->ridge);
done:
  ent_statistics_free(statistics);
  ent_delete(lambdas);
  return status;
}

static entropic_status solve_by_steps(entropic_context *context, const ent_sparse_request *request,
                                      const ent_rows *rows, ent_sparse_model *model, double *steps) {
  const ent_iterate_options options = {
      .tolerance = request->tolerance, .most_steps = MOST_STEPS, .head = HEAD, .keep = true};
  entropic_status status = ent_ridge_iterate(context, &model->map, rows, request->ridges[0] / (double)rows->count,
                                             options, &model->iterated);
  if (status != ENTROPIC_OK)
    return status;
  *steps = (double)model->iterated->steps;
  return ENTROPIC_OK;
}

/* By the Gram matrix, or by conjugate gradients? What takes fewer operations, counting some hundred steps. Passes lift
 * rows with many non-zeros densely, which makes steps slow. */
static bool is_by_gram(const ent_sparse_request *request, const ent_map *map, size_t rows) {
  double n = (double)map->nonzeros, m = (double)map->features, all = (double)rows;
  if (map->features > request->cholesky_most)
    return false;
  return request->ridge_count > 1 || 8 * n >= m || all * n * (n + 1) / 2 + m * m * m / 6 <= STEP_COST * all * n;
}

entropic_status ent_sparse_model_train(entropic_context *context, const ent_sparse_request *request,
                                       const ent_sparse_sample *rows, ent_sparse_model *model,
                                       ent_sparse_point *point) {
  ent_memory_rows memory = {
      .all = {.rows = rows->count, .x = rows->x, .x_stride = request->inputs, .y = rows->y, .y_stride = 1},
      .inputs = request->inputs,
      .targets = 1};
  ent_rows source = ent_rows_of_memory(&memory);
  double start = ent_seconds();
  point->gram = NAN;
  point->steps = 0;
  entropic_status status = ent_sparse_model_make(context, request, model);
  if (status != ENTROPIC_OK)
    return status;
  status = is_by_gram(request, &model->map, rows->count)
               ? solve_by_gram(context, request, &source, model, &point->gram)
               : solve_by_steps(context, request, &source, model, &point->steps);
  point->train = ent_seconds() - start;
  return status;
}

void ent_sparse_model_clear(ent_sparse_model *model) {
  ent_iterated_free(model->iterated);
  ent_ridge_free(model->ridge);
  ent_random_free(model->random);
  ent_lifting_clear(&model->lifting);
  *model = (ent_sparse_model){0};
}

/* The linear function of ridge number i. */
static ent_linear function_of(const ent_sparse_model *model, size_t i) {
  if (model->iterated != NULL)
    return (ent_linear){model->iterated->weights, model->iterated->means, 1};
  return (ent_linear){model->ridge->weights + i * model->map.features, model->ridge->means, 1};
}

static entropic_status predict_by(entropic_context *context, const ent_sparse_model *model, const ent_linear *function,
                                  const ent_sparse_sample *rows, double *predictions) {
  _Alignas(64) double sums[ENT_TILE]; /* as memory of ent_new is */
  entropic_workspace *workspace = NULL;
  const ent_lift_rows of = {.x = rows->x, .count = rows->count, .stride = model->map.inputs};
  const ent_lift_linear functions = {
      .weights = function->weights, .offsets = function->offsets, .count = 1, .sums = sums};
  if (model->random != NULL)
    return ent_scores(context, &model->map,
                      &(ent_block){.rows = rows->count, .x = rows->x, .x_stride = model->map.inputs}, function,
                      predictions);
  entropic_status status = entropic_workspace_create(context, model->lifting.lift, &workspace);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_lift_scores(context, model->lifting.lift, workspace, &of, &functions, predictions);
  entropic_workspace_free(workspace);
  return status;
}

entropic_status ent_sparse_model_predict(entropic_context *context, const ent_sparse_model *model,
                                         const ent_sparse_sample *rows, double *predictions) {
  const ent_linear function = function_of(model, 0);
  return predict_by(context, model, &function, rows, predictions);
}

entropic_status ent_sparse_model_errors(entropic_context *context, const ent_sparse_model *model,
                                        const ent_sparse_sample *rows, double *errors) {
  size_t count = model->iterated != NULL ? 1 : model->ridge->count;
  double *predictions = ent_new(context, rows->count, sizeof *predictions);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (predictions == NULL)
    return status;
  for (size_t i = 0; i < count; i++) {
    const ent_linear function = function_of(model, i);
    status = predict_by(context, model, &function, rows, predictions);
    if (status != ENTROPIC_OK)
      goto done;
    errors[i] = 0;
    for (size_t r = 0; r < rows->count; r++)
      errors[i] += (predictions[r] - rows->y[r]) * (predictions[r] - rows->y[r]) / (double)rows->count;
    errors[i] = sqrt(errors[i]);
  }
done:
  ent_delete(predictions);
  return status;
}

/* Values of compressed rows that are not zero: n and n (n + 1) / 2 of each row are added. */
static void count_block(const size_t *starts, const double *values, size_t rows, ent_sparse_point *point) {
  for (size_t r = 0; r < rows; r++) {
    double found = 0;
    for (size_t i = starts[r]; i < starts[r + 1]; i++)
      found += values[i] != 0;
    point->nonzeros += found;
    point->products += found * (found + 1) / 2;
  }
}

entropic_status ent_sparse_model_count(entropic_context *context, const ent_sparse_model *model,
                                       const ent_sparse_sample *rows, ent_sparse_point *point) {
  const ent_map *map = &model->map;
  size_t starts[COUNT_BLOCK + 1], room = COUNT_BLOCK * map->nonzeros;
  int32_t *columns = ent_new(context, room, sizeof *columns);
  double *values = ent_new(context, room, sizeof *values);
  void *scratch = NULL;
  entropic_status status = ENTROPIC_NO_MEMORY;
  point->nonzeros = point->products = 0;
  if (columns == NULL || values == NULL)
    goto done;
  status = map->calls->scratch_create(context, map->self, &scratch);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t first = 0; first < rows->count; first += COUNT_BLOCK) {
    size_t left = rows->count - first, count = left < COUNT_BLOCK ? left : COUNT_BLOCK;
    status = map->calls->sparse(context, map->self, scratch, rows->x + first * map->inputs, count, map->inputs, starts,
                                columns, values);
    if (status != ENTROPIC_OK)
      goto done;
    count_block(starts, values, count, point);
  }
  point->nonzeros /= (double)rows->count;
  point->products /= (double)rows->count;
done:
  if (scratch != NULL)
    map->calls->scratch_free(scratch);
  ent_delete(columns);
  ent_delete(values);
  return status;
}
