/* The public calls about statistics but those that read rows: create, describe, merge, solve, receipt, save and load. */
#include <stdio.h>
#include <string.h>

#include "base/blas.h"
#include "base/memory.h"
#include "base/parameters.h"
#include "base/progress.h"
#include "base/sized.h"
#include "model/frozen.h"
#include "model/marginal_sums.h"
#include "model/statistics_file.h"
#include "update/statistics_calls.h"

void entropic_statistics_free(entropic_statistics *statistics) {
  if (statistics == NULL)
    return;
  entropic_model_free(statistics->design.model);
  ent_delete(statistics);
}

const entropic_frozen_design *entropic_statistics_design(const entropic_statistics *statistics) {
  return statistics == NULL ? NULL : &statistics->design;
}

/* Takes a model over. */
static entropic_status wrap(entropic_context *context, entropic_model *model, entropic_statistics **statistics) {
  entropic_statistics *made = ent_new(context, 1, sizeof *made);
  if (made == NULL) {
    entropic_model_free(model);
    return ENTROPIC_NO_MEMORY;
  }
  made->design.model = model;
  *statistics = made;
  return ENTROPIC_OK;
}

/* A model without weights that has the statistics of another one, and all that is frozen of it. */
static entropic_status copy_statistics(entropic_context *context, const entropic_model *model, entropic_model **copy) {
  entropic_model view = ent_statistics_view(model);
  unsigned char *bytes = NULL;
  size_t count = 0;
  entropic_status status = ent_save_memory(context, &view, true, &bytes, &count);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_load_memory(context, bytes, count, true, copy);
  entropic_bytes_free(bytes);
  return status;
}

entropic_status entropic_statistics_create(entropic_context *context, const entropic_model *model,
                                           entropic_statistics **statistics) {
  ENT_NEED(context, model);
  ENT_NEED(context, statistics);
  entropic_status status = ent_frozen_check(context, model);
  if (status != ENTROPIC_OK)
    return status;
  entropic_model empty = *model, *copy = NULL;
  empty.total_rows = 0;
  status = ent_marginal_statistics(context, model, &empty.totals);
  if (status != ENTROPIC_OK)
    return status;
  status = copy_statistics(context, &empty, &copy);
  ent_fixed_free(empty.totals);
  return status != ENTROPIC_OK ? status : wrap(context, copy, statistics);
}

entropic_status entropic_statistics_create_for_design(entropic_context *context, const entropic_frozen_design *design,
                                                      entropic_statistics **statistics) {
  ENT_NEED(context, design);
  ENT_NEED(context, statistics);
  return entropic_statistics_create(context, design->model, statistics);
}

entropic_status ent_statistics_check_kept(entropic_context *context, const entropic_model *model) {
  entropic_status status = model->totals != NULL ? ENTROPIC_OK : ent_frozen_check(context, model);
  if (status != ENTROPIC_OK || model->totals != NULL)
    return status;
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "the model does not keep the statistics of its rows; expected one that was fitted with "
                  "keep-statistics (--keep-statistics)");
}

entropic_status entropic_statistics_of_model(entropic_context *context, const entropic_model *model,
                                             entropic_statistics **statistics) {
  ENT_NEED(context, model);
  ENT_NEED(context, statistics);
  entropic_model *copy = NULL;
  entropic_status status = ent_statistics_check_kept(context, model);
  if (status != ENTROPIC_OK)
    return status;
  status = copy_statistics(context, model, &copy);
  return status != ENTROPIC_OK ? status : wrap(context, copy, statistics);
}

entropic_status entropic_statistics_describe(entropic_context *context, const entropic_statistics *statistics,
                                             entropic_statistics_info *info, size_t size) {
  ENT_NEED(context, statistics);
  ENT_NEED(context, info);
  const entropic_model *model = statistics->design.model;
  size_t columns = model->totals->size;
  entropic_statistics_info known = {.rows = model->total_rows,
                                    .features = model->main.features,
                                    .members = model->frozen->member_count,
                                    .targets = model->scores,
                                    .integers = (uint64_t)columns * (columns + 1) / 2};
  return ent_sized_give(context, info, size, &known, sizeof known);
}

void ent_statistics_receipt_text(const uint8_t digest[ENT_SHA256_SIZE], char receipt[ENTROPIC_RECEIPT_SIZE]) {
  for (size_t i = 0; i < ENT_SHA256_SIZE; i++)
    snprintf(receipt + 2 * i, 3, "%02x", digest[i]);
}

entropic_status entropic_model_receipt(entropic_context *context, const entropic_model *model, char *receipt) {
  ENT_NEED(context, model);
  ENT_NEED(context, receipt);
  uint8_t digest[ENT_SHA256_SIZE];
  entropic_status status = ent_statistics_check_kept(context, model);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_statistics_hash(context, model, digest);
  if (status != ENTROPIC_OK)
    return status;
  ent_statistics_receipt_text(digest, receipt);
  return ENTROPIC_OK;
}

entropic_status entropic_statistics_receipt(entropic_context *context, const entropic_statistics *statistics,
                                            char *receipt) {
  ENT_NEED(context, statistics);
  return entropic_model_receipt(context, statistics->design.model, receipt);
}

entropic_status ent_statistics_change(entropic_context *context, entropic_model *model, const ent_fixed *rows,
                                      uint64_t count, bool forget) {
  if (forget && count > model->total_rows)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%llu rows cannot be forgotten of %llu: they were never added",
                    (unsigned long long)count, (unsigned long long)model->total_rows);
  if (forget && !ent_fixed_possible(model->totals, rows))
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "without these rows, sums would be left that no rows can have: they were never added");
  entropic_status status =
      forget ? ent_fixed_subtract(context, model->totals, rows) : ent_fixed_add(context, model->totals, rows);
  if (status != ENTROPIC_OK)
    return status;
  if (rows->side_count !=
      model->totals->side_count) /* those of an older version: marginals of all rows are not known */
    ent_fixed_drop_side(model->totals);
  model->total_rows = forget ? model->total_rows - count : model->total_rows + count;
  return ENTROPIC_OK;
}

static entropic_status combine(entropic_context *context, entropic_statistics *sum, const entropic_statistics *other,
                               bool forget) {
  entropic_status status = ent_frozen_compare(context, sum->design.model, other->design.model);
  if (status != ENTROPIC_OK)
    return status;
  return ent_statistics_change(context, sum->design.model, other->design.model->totals, other->design.model->total_rows,
                               forget);
}

entropic_status entropic_statistics_merge(entropic_context *context, entropic_statistics *sum,
                                          const entropic_statistics *other) {
  ENT_NEED(context, sum);
  ENT_NEED(context, other);
  return combine(context, sum, other, false);
}

entropic_status entropic_statistics_subtract(entropic_context *context, entropic_statistics *sum,
                                             const entropic_statistics *other) {
  ENT_NEED(context, sum);
  ENT_NEED(context, other);
  return combine(context, sum, other, true);
}

uint64_t entropic_model_statistics_bytes(const entropic_model *model) {
  if (model == NULL || model->totals == NULL)
    return 0;
  ent_packer packer = {.count = 0};
  ent_save_statistics(&packer, model);
  return packer.count;
}

/* lambda as ent_solution_find has it. */
static double lambda_by(const entropic_parameters *parameters) {
  const char *text = parameters == NULL ? NULL : entropic_parameters_get(parameters, "lambda");
  if (text == NULL || strcmp(text, "design") == 0)
    return ENT_LAMBDA_OF_DESIGN;
  return strcmp(text, "auto") == 0 ? ENT_LAMBDA_BY_GCV : ent_parameters_number(parameters, "lambda", 0);
}

/* The arguments of entropic_statistics_solve, and what it gives. */
typedef struct ent_solve_call {
  const entropic_model *from;
  double lambda;
  bool keep;
  entropic_model *model;
} ent_solve_call;

static entropic_status solve(entropic_context *context, void *arguments) {
  ent_solve_call *call = arguments;
  ent_solution solution = {0};
  entropic_status status = ent_solution_find(context, call->from, call->lambda, &solution);
  if (status != ENTROPIC_OK)
    goto done;
  status = copy_statistics(context, call->from, &call->model);
  if (status != ENTROPIC_OK)
    goto done;
  ent_solution_apply(&solution, call->model);
  status = ent_marginals_renew(context, call->model);
  if (status != ENTROPIC_OK)
    goto done;
  if (!call->keep) {
    ent_fixed_free(call->model->totals);
    call->model->totals = NULL;
    call->model->total_rows = 0;
  }
done:
  ent_solution_clear(&solution);
  return status;
}

entropic_status entropic_statistics_solve(entropic_context *context, const entropic_statistics *statistics,
                                          const entropic_parameters *parameters, entropic_model **model) {
  ENT_NEED(context, statistics);
  ENT_NEED(context, model);
  entropic_status status = ent_parameters_need(context, parameters, ENTROPIC_PURPOSE_SOLVE);
  if (status != ENTROPIC_OK)
    return status;
  ent_solve_call call = {.from = statistics->design.model,
                         .lambda = lambda_by(parameters),
                         .keep = ent_parameters_flag(parameters, "keep-statistics")};
  ent_blas_prepare(context);
  status = ent_call_run(context, "solving", solve, &call);
  if (status != ENTROPIC_OK) {
    entropic_model_free(call.model);
    return status;
  }
  *model = call.model;
  return ENTROPIC_OK;
}

entropic_status entropic_statistics_save(entropic_context *context, const entropic_statistics *statistics,
                                         const char *path) {
  ENT_NEED(context, statistics);
  ENT_NEED(context, path);
  entropic_model view = ent_statistics_view(statistics->design.model);
  return ent_save_file(context, &view, true, path);
}

entropic_status entropic_statistics_save_memory(entropic_context *context, const entropic_statistics *statistics,
                                                unsigned char **bytes, size_t *count) {
  ENT_NEED(context, statistics);
  ENT_NEED(context, bytes);
  ENT_NEED(context, count);
  entropic_model view = ent_statistics_view(statistics->design.model);
  return ent_save_memory(context, &view, true, bytes, count);
}

entropic_status entropic_statistics_load(entropic_context *context, const char *path,
                                         entropic_statistics **statistics) {
  ENT_NEED(context, path);
  ENT_NEED(context, statistics);
  entropic_model *model = NULL;
  entropic_status status = ent_load_file(context, path, true, &model);
  return status != ENTROPIC_OK ? status : wrap(context, model, statistics);
}

entropic_status entropic_statistics_load_memory(entropic_context *context, const void *bytes, size_t count,
                                                entropic_statistics **statistics) {
  ENT_NEED(context, bytes);
  ENT_NEED(context, statistics);
  entropic_model *model = NULL;
  entropic_status status = ent_load_memory(context, bytes, count, true, &model);
  return status != ENTROPIC_OK ? status : wrap(context, model, statistics);
}
