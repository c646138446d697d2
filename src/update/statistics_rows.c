/* The public calls that read rows into statistics: collect, update, forget. */
#include <string.h>

#include "base/blas.h"
#include "base/progress.h"
#include "base/report.h"
#include "model/intervals.h"
#include "model/marginal_sums.h"
#include "model/member_effects.h"
#include "model/row_reader.h"
#include "model/statistics_file.h"
#include "update/collection.h"
#include "update/statistics_calls.h"

/* Rows that are added to the statistics of a model, or forgotten. */
typedef struct ent_row_change {
  entropic_model *model;
  entropic_row_reader *reader;
  bool forget;
  bool solve;  /* the weights are solved anew */
  bool report; /* one is wanted */
  /* What is found: */
  ent_fixed *rows;
  ent_collected collected;
  ent_solution solution;
  ent_marginals *marginals;         /* of the rows there are then */
  uint8_t receipt[ENT_SHA256_SIZE]; /* with the change */
  entropic_report *made;
} ent_row_change;

void ent_report_rows(entropic_report *report, const ent_collected *collected, uint64_t total_rows) {
  entropic_report_add_integer(report, "rows", collected->rows);
  entropic_report_add_integer(report, "total_rows", total_rows);
  entropic_report_add_integer(report, "dropped_rows", collected->without_target + collected->without_weight);
  entropic_report_add_integer(report, "outside", collected->warnings.outside);
  entropic_report_add_integer(report, "unseen", collected->warnings.unseen);
  entropic_report_add_integer(report, "missing", collected->warnings.missing);
  entropic_report_add_integer(report, "beyond_origin", collected->beyond_origin);
  entropic_report_add_integer(report, "continued", collected->warnings.continued);
}

/* The report about the rows, while the model has them. */
static entropic_status report_rows(entropic_context *context, ent_row_change *change) {
  char receipt[ENTROPIC_RECEIPT_SIZE];
  entropic_report *made;
  entropic_status status = entropic_report_create(context, &made);
  if (status != ENTROPIC_OK)
    return status;
  ent_statistics_receipt_text(change->receipt, receipt);
  ent_report_rows(made, &change->collected, change->model->total_rows);
  entropic_report_add_text(made, "receipt", receipt);
  if (change->solve)
    entropic_report_add_integer(made, "marginals_dropped",
                                change->model->marginals != NULL && change->marginals == NULL);
  return ent_report_finish(context, made, &change->made);
}

/* All that follows from the changed statistics, which the model has for as long as this lasts. */
static entropic_status follow_change(entropic_context *context, ent_row_change *change) {
  entropic_status status = ENTROPIC_OK;
  if (change->solve)
    status = ent_solution_find(context, change->model, ENT_LAMBDA_OF_DESIGN, &change->solution);
  if (status != ENTROPIC_OK)
    return status;
  if (change->solve)
    status = ent_marginals_of_statistics(context, change->model, change->model->totals, &change->marginals);
  if (status != ENTROPIC_OK)
    return status;
  if (change->report || change->model->validated)
    status = ent_statistics_hash(context, change->model, change->receipt);
  if (status != ENTROPIC_OK)
    return status;
  return change->report ? report_rows(context, change) : ENTROPIC_OK;
}

/* Finds out what the change comes to; the model is as it was. */
static entropic_status try_change(entropic_context *context, void *arguments) {
  ent_row_change *change = arguments;
  entropic_status status = ent_marginal_statistics(context, change->model, &change->rows);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_collect(context, change->model, change->reader, NULL, change->rows, &change->collected);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_statistics_change(context, change->model, change->rows, change->collected.rows, change->forget);
  if (status != ENTROPIC_OK)
    return status;
  status = follow_change(context, change);
  ent_statistics_change(NULL, change->model, change->rows, change->collected.rows, !change->forget);
  return status;
}

/* The receipt of before would tell whether a guess of what was forgotten is right. So it goes, unless it is that of now. */
static void mark_validation(const ent_row_change *change) {
  entropic_model *model = change->model;
  model->outdated = model->validated && memcmp(change->receipt, model->validated_receipt, ENT_SHA256_SIZE) != 0;
  if (model->outdated && change->forget)
    memset(model->validated_receipt, 0, ENT_SHA256_SIZE);
}

static void apply_change(ent_row_change *change) {
  entropic_model *model = change->model;
  ent_statistics_change(NULL, model, change->rows, change->collected.rows, change->forget);
  if (!change->solve)
    return;
  ent_solution_apply(&change->solution, model);
  ent_model_drop_intervals(model); /* they are those of other weights */
  ent_model_drop_member_effects(model);
  ent_marginals_free(model->marginals); /* without sums behind them they are those of other rows */
  model->marginals = change->marginals;
  change->marginals = NULL;
  mark_validation(change);
}

entropic_status ent_statistics_check_reader(entropic_context *context, const entropic_model *model,
                                            const entropic_row_reader *reader) {
  const ent_schema *schema = &model->schema, *other = &reader->schema;
  if (schema->inputs != other->inputs || schema->targets != other->targets || schema->classes != other->classes)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the reader was opened for another model");
  return reader->with_targets ? ENTROPIC_OK
                              : ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the reader was opened without targets");
}

/* A long call: it is applied, and the report handed out, once it cannot be cancelled any more. */
static entropic_status run_change(entropic_context *context, const char *stage, ent_row_change *change,
                                  entropic_report **report) {
  entropic_status status = ent_statistics_check_reader(context, change->model, change->reader);
  if (status != ENTROPIC_OK)
    return status;
  change->report = report != NULL;
  ent_blas_prepare(context);
  status = ent_call_run(context, stage, try_change, change);
  if (status != ENTROPIC_OK)
    goto done;
  apply_change(change);
  if (report != NULL) {
    *report = change->made;
    change->made = NULL;
  }
done:
  entropic_report_free(change->made);
  ent_solution_clear(&change->solution);
  ent_marginals_free(change->marginals);
  ent_fixed_free(change->rows);
  return status;
}

entropic_status entropic_statistics_collect(entropic_context *context, entropic_statistics *statistics,
                                            entropic_row_reader *reader, entropic_report **report) {
  ENT_NEED(context, statistics);
  ENT_NEED(context, reader);
  ent_row_change change = {.model = statistics->design.model, .reader = reader};
  return run_change(context, "collecting", &change, report);
}

static entropic_status change_model(entropic_context *context, entropic_model *model, entropic_row_reader *reader,
                                    bool forget, entropic_report **report) {
  entropic_status status = ent_statistics_check_kept(context, model);
  if (status != ENTROPIC_OK)
    return status;
  ent_row_change change = {.model = model, .reader = reader, .forget = forget, .solve = true};
  return run_change(context, forget ? "forgetting" : "updating", &change, report);
}

entropic_status entropic_model_update(entropic_context *context, entropic_model *model, entropic_row_reader *reader,
                                      entropic_report **report) {
  ENT_NEED(context, model);
  ENT_NEED(context, reader);
  return change_model(context, model, reader, false, report);
}

entropic_status entropic_model_forget(entropic_context *context, entropic_model *model, entropic_row_reader *reader,
                                      entropic_report **report) {
  ENT_NEED(context, model);
  ENT_NEED(context, reader);
  return change_model(context, model, reader, true, report);
}
