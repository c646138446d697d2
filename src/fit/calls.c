/* The public calls about data sets and models: pointers and sizes of structs are checked, parameters become options here. */
#include <math.h>
#include <stddef.h>

#include "base/memory.h"
#include "base/sized.h"
#include "entropic/interval.h"
#include "fit/options.h"
#include "model/intervals.h"
#include "fit/reports.h"
#include "model/row_reader.h"
#include "fit/terms.h"
#include "dataset/dataset.h"

entropic_status entropic_dataset_create(entropic_context *context, const entropic_table *table,
                                        const entropic_parameters *parameters, entropic_dataset **dataset) {
  ENT_NEED(context, table);
  ENT_NEED(context, dataset);
  bool fit = parameters != NULL && (parameters->purpose & ENTROPIC_PURPOSE_FIT) != 0;
  size_t sample = fit ? (size_t)ent_parameters_integer(parameters, "sample", ENT_SAMPLE_ROWS) : 0;
  return ent_dataset_create_sampled(context, table, ent_task_by(parameters), sample, dataset);
}

entropic_status entropic_dataset_describe(entropic_context *context, const entropic_dataset *dataset,
                                          entropic_dataset_info *info, size_t size) {
  ENT_NEED(context, dataset);
  ENT_NEED(context, info);
  entropic_dataset_info known = ent_dataset_describe(dataset);
  return ent_sized_give(context, info, size, &known, sizeof known);
}

entropic_status entropic_model_describe(entropic_context *context, const entropic_model *model,
                                        entropic_model_info *info, size_t size) {
  ENT_NEED(context, model);
  ENT_NEED(context, info);
  entropic_model_info known = ent_model_describe(model);
  return ent_sized_give(context, info, size, &known, sizeof known);
}

entropic_status entropic_model_input(entropic_context *context, const entropic_model *model, size_t input,
                                     entropic_input_info *info, size_t size) {
  ENT_NEED(context, model);
  ENT_NEED(context, info);
  entropic_input_info known;
  entropic_status status = ent_model_input(context, model, input, &known);
  return status != ENTROPIC_OK ? status : ent_sized_give(context, info, size, &known, sizeof known);
}

/* A fit, its options being known, and the report about it if that is wanted. */
static entropic_status fit_and_report(entropic_context *context, const entropic_dataset *train,
                                      const entropic_dataset *valid, const ent_fit_options *options,
                                      entropic_report **report, entropic_model **model) {
  ent_fit_report found;
  entropic_model *made = NULL;
  entropic_report *written;
  entropic_status status = ent_model_fit(context, train, valid, options, &found, &made);
  if (status != ENTROPIC_OK)
    return status;
  if (report != NULL) {
    status = entropic_report_create(context, &written);
    if (status != ENTROPIC_OK)
      goto fail;
    ent_report_fit(written, made, &(ent_fit_data){train, valid}, options, &found);
    status = ent_report_finish(context, written, report);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  *model = made;
  return ENTROPIC_OK;
fail:
  entropic_model_free(made);
  return status;
}

entropic_status entropic_fit(entropic_context *context, const entropic_dataset *train, const entropic_dataset *valid,
                             const entropic_parameters *parameters, entropic_report **report, entropic_model **model) {
  ENT_NEED(context, train);
  ENT_NEED(context, model);
  entropic_status status = ent_parameters_need(context, parameters, ENTROPIC_PURPOSE_FIT);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_fit_check(context, parameters);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_fit_check_task(context, parameters, train->schema.task);
  if (status != ENTROPIC_OK)
    return status;
  ent_fit_options options;
  ent_restriction *restriction = NULL;
  double *omegas = ent_new(context, train->schema.inputs + 1, sizeof *omegas);
  if (omegas == NULL)
    return ENTROPIC_NO_MEMORY;
  status = ent_fit_options_by(context, parameters, train->schema.inputs, omegas, &options);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_restriction_by(context, parameters, train, &restriction);
  if (status != ENTROPIC_OK)
    goto done;
  options.restriction = restriction;
  if (options.seconds > 0) /* what reading has left of it, which may be nothing */
    options.seconds = fmax(options.seconds - train->read_seconds, 1e-9);
  status = fit_and_report(context, train, valid, &options, report, model);
  if (status == ENTROPIC_OK && report != NULL && ent_parameters_integer(parameters, "memory", 0) > 0)
    entropic_report_add_integer(*report, "memory_bytes", ent_parameters_integer(parameters, "memory", 0));
done:
  ent_restriction_free(restriction);
  ent_delete(omegas);
  return status;
}

/* The report about scores; level 0: without intervals. */
static entropic_status score_and_report(entropic_context *context, const entropic_model *model,
                                        entropic_row_reader *reader, double level, entropic_report **report) {
  ent_score_figures scores = {.level = level};
  entropic_data_warnings warnings = {0};
  entropic_report *made;
  entropic_status status = ent_model_score_at(context, model, reader, &warnings, &scores);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_report_create(context, &made);
  if (status != ENTROPIC_OK)
    return status;
  ent_report_scores(made, model->schema.task, &scores, &warnings);
  entropic_report_add_flag(made, "validation_current", !model->outdated);
  return ent_report_finish(context, made, report);
}

entropic_status entropic_model_score(entropic_context *context, const entropic_model *model,
                                     entropic_row_reader *reader, entropic_report **report) {
  ENT_NEED(context, model);
  ENT_NEED(context, reader);
  ENT_NEED(context, report);
  return score_and_report(context, model, reader, 0, report);
}

entropic_status entropic_model_score_intervals(entropic_context *context, const entropic_model *model,
                                               entropic_row_reader *reader, double level, entropic_report **report) {
  ENT_NEED(context, model);
  ENT_NEED(context, reader);
  ENT_NEED(context, report);
  entropic_status status = ent_interval_check_level(context, model, level); /* also of level 0 */
  return status != ENTROPIC_OK ? status : score_and_report(context, model, reader, level, report);
}
