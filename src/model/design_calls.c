/* The public calls about designs of text for statistics: a model without weights that has seen no row. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "columns/dictionary.h"
#include "design/by_parameters.h"
#include "lift/lift.h"
#include "lift/map.h"
#include "loss/loss.h"
#include "model/frozen.h"

/* A short text must not ask for all the memory there is. */
#define MOST_FEATURES ((size_t)1 << 20)
#define BEYOND_SCALES "that is beyond the scales of statistics; expected numbers and a width between 1e-88 and 1e88"

/* The scale of the target by its range; false if that is out of range. */
static bool scale_target(const ent_design_columns *columns, double *shift, int *exponent) {
  double low = columns->target_low / 2, high = columns->target_high / 2; /* halves, so that nothing overflows */
  return ent_frozen_scale_target(low + high, high - low, shift, exponent);
}

static entropic_status check_target(entropic_context *context, const entropic_parameters *parameters,
                                    const ent_design_columns *columns) {
  char spelling[ENT_SPELLING_SIZE];
  double shift;
  int exponent;
  if (columns->classes > 0 || scale_target(columns, &shift, &exponent))
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s %s: " BEYOND_SCALES,
                  ent_parameters_spelling(parameters, "target-range", spelling),
                  ent_parameters_text(parameters, "target-range"));
}

entropic_status entropic_frozen_design_make(entropic_context *context, const entropic_parameters *parameters,
                                            unsigned char **bytes, size_t *count) {
  ENT_NEED(context, parameters);
  ENT_NEED(context, bytes);
  ENT_NEED(context, count);
  ent_design_columns *columns = NULL;
  entropic_kernel *kernel = NULL;
  entropic_design *design = NULL;
  entropic_design_options options;
  entropic_status status = ent_parameters_need(context, parameters, ENTROPIC_PURPOSE_COLLECT);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_design_columns_by(context, parameters, &columns);
  if (status != ENTROPIC_OK)
    goto done;
  status = check_target(context, parameters, columns);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_kernel_of_columns(context, parameters, columns, &kernel);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_design_options_by(context, parameters, &options);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_design_create(context, kernel, &options, &design);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_design_save_columns(context, design, columns, bytes, count);
done:
  entropic_design_free(design);
  entropic_kernel_free(kernel);
  ent_design_columns_free(columns);
  return status;
}

/* Moves names; the list is then that of the schema. */
static void move_names(char ***from, size_t *from_count, char ***to, size_t *to_count) {
  *to = *from;
  *to_count = *from_count;
  *from = NULL;
  *from_count = 0;
}

/* The schema takes all names over. */
static entropic_status set_schema(entropic_context *context, ent_design_columns *columns, ent_schema *schema) {
  schema->task = columns->classes > 0 ? ENTROPIC_TASK_CLASSIFICATION : ENTROPIC_TASK_REGRESSION;
  schema->input = ent_new(context, columns->inputs, sizeof *schema->input);
  schema->target = ent_new(context, 1, sizeof *schema->target);
  if (schema->input == NULL || schema->target == NULL)
    return ENTROPIC_NO_MEMORY;
  schema->inputs = columns->inputs;
  schema->targets = 1;
  schema->target[0] = columns->target;
  columns->target = NULL;
  for (size_t i = 0; i < schema->inputs; i++) {
    ent_design_input *from = &columns->input[i];
    ent_input *to = &schema->input[i];
    to->name = from->name;
    from->name = NULL;
    to->missing = from->missing;
    to->complete = !from->missing;
    move_names(&from->category, &from->categories, &to->category, &to->categories);
  }
  move_names(&columns->class_name, &columns->classes, &schema->class_name, &schema->classes);
  return !ent_schema_has_classes(schema) ? ENTROPIC_OK : ent_names_sort(context, schema->class_name, schema->classes);
}

/* Numbers are scaled by the ends of their ranges. */
static entropic_status set_scaler(entropic_context *context, const ent_design_columns *columns, entropic_model *model) {
  static const double heights[2] = {0, 1};
  entropic_status status =
      ent_scaler_start(context, ENTROPIC_SCALING_MINMAX, model->schema.inputs, &model->main.scaler);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < model->schema.inputs; i++) {
    const ent_input *input = &model->schema.input[i];
    const double ends[2] = {columns->input[i].low, columns->input[i].high};
    ent_scale_parts parts = {.categories = input->categories, .missing = input->missing};
    if (input->categories == 0) {
      parts.at = ends;
      parts.height = heights;
      parts.knots = 2;
    }
    status = ent_scaler_set(context, model->main.scaler, i, &parts);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Scales of statistics: those of targets by the range that was given. */
static entropic_status set_frozen(entropic_context *context, const ent_design_columns *columns, entropic_model *model) {
  bool classes = ent_schema_has_classes(&model->schema), usable = true;
  ent_frozen *frozen = ent_frozen_new(context, model, 1, false, false);
  if (frozen == NULL)
    return ENTROPIC_NO_MEMORY;
  model->frozen = frozen;
  frozen->members[0] = (ent_frozen_member){.lambda = columns->lambda, .count = frozen->features};
  ent_map map = ent_map_of_lift(model->main.lift);
  map.calls->exponents(map.self, frozen->exponents);
  if (!classes)
    usable = scale_target(columns, &frozen->shift[0], &frozen->target_exponent[0]);
  if (usable && ent_frozen_is_within_range(frozen))
    return ENTROPIC_OK;
  return usable ? ent_fail(context, ENTROPIC_BAD_DATA, "a feature is beyond the scales of statistics")
                : ent_fail(context, ENTROPIC_BAD_DATA, "the target ranges from %g to %g: " BEYOND_SCALES,
                           columns->target_low, columns->target_high);
}

/* Fills in a model, which takes the design over. */
static entropic_status set_model(entropic_context *context, ent_design_columns *columns, entropic_design *design,
                                 entropic_model *model) {
  model->main.design = design;
  model->main.kernel = ent_kernel_hold(design->kernel);
  if (design->features > MOST_FEATURES)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "found %zu features, expected at most %zu: statistics grow with their square", design->features,
                    MOST_FEATURES);
  entropic_status status = set_schema(context, columns, &model->schema);
  if (status != ENTROPIC_OK)
    return status;
  size_t classes = model->schema.classes;
  model->loss = ent_loss_default();
  model->solver = ENTROPIC_SOLVER_DIRECT;
  model->scores = classes > 0 ? ent_class_scores(classes) : 1;
  model->main.features = design->features;
  model->link = ent_link_for(classes);
  if (classes > 0)
    model->link.inverse_temperature = columns->inverse_temperature;
  model->nonzeros = (double)design->nonzeros;
  model->lambda = columns->lambda;
  model->converged = true;
  model->validation = ENTROPIC_VALIDATION_NONE;
  ent_model_set_figures(model, NAN, NAN);
  model->main.weights = ent_new_matrix(context, model->scores, model->main.features, sizeof *model->main.weights);
  model->offsets = ent_new(context, model->scores, sizeof *model->offsets);
  if (model->main.weights == NULL || model->offsets == NULL)
    return ENTROPIC_NO_MEMORY;
  status = set_scaler(context, columns, model);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_lift_create(context, design, &model->main.lift);
  if (status != ENTROPIC_OK)
    return status;
  status = set_frozen(context, columns, model);
  if (status != ENTROPIC_OK)
    return status;
  return ent_model_drop_unused(context, model);
}

/* Says of a failure of bad data in which text it came up. */
static entropic_status locate(entropic_context *context, const ent_design_place *place, entropic_status status) {
  char message[ENT_MESSAGE_SIZE];
  if (status != ENTROPIC_BAD_DATA)
    return status;
  snprintf(message, sizeof message, "%s", context != NULL ? context->message : "");
  return ent_fail(context, status, "%s: %s", place->path != NULL ? place->path : "memory", message);
}

static entropic_status load_model(entropic_context *context, const ent_design_place *place, entropic_model **model) {
  ent_design_columns *columns = NULL;
  entropic_design *design = NULL;
  entropic_model *made = NULL;
  entropic_status status = ent_design_load_columns(context, place, &columns, &design);
  if (status != ENTROPIC_OK)
    return status;
  status = ENTROPIC_NO_MEMORY;
  made = ent_new(context, 1, sizeof *made);
  if (made == NULL) {
    entropic_design_free(design);
    goto done;
  }
  status = locate(context, place, set_model(context, columns, design, made));
  if (status != ENTROPIC_OK)
    goto done;
  *model = made;
  made = NULL;
done:
  entropic_model_free(made);
  ent_design_columns_free(columns);
  return status;
}

static entropic_status load(entropic_context *context, const ent_design_place *place, entropic_frozen_design **design) {
  entropic_frozen_design *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = load_model(context, place, &made->model);
  if (status != ENTROPIC_OK) {
    ent_delete(made);
    return status;
  }
  *design = made;
  return ENTROPIC_OK;
}

entropic_status entropic_frozen_design_load(entropic_context *context, const char *path,
                                            entropic_frozen_design **design) {
  ENT_NEED(context, path);
  ENT_NEED(context, design);
  return load(context, &(ent_design_place){.path = path}, design);
}

entropic_status entropic_frozen_design_load_memory(entropic_context *context, const void *bytes, size_t count,
                                                   entropic_frozen_design **design) {
  ENT_NEED(context, bytes);
  ENT_NEED(context, design);
  return load(context, &(ent_design_place){.bytes = bytes, .count = count}, design);
}

void entropic_frozen_design_free(entropic_frozen_design *design) {
  if (design == NULL)
    return;
  entropic_model_free(design->model);
  ent_delete(design);
}

const entropic_model *entropic_frozen_design_model(const entropic_frozen_design *design) {
  return design == NULL ? NULL : design->model;
}

entropic_status entropic_row_reader_open_design(entropic_context *context, const entropic_frozen_design *design,
                                                const char *const *paths, size_t count,
                                                const entropic_parameters *parameters, entropic_row_reader **reader) {
  ENT_NEED(context, design);
  ENT_NEED(context, paths);
  ENT_NEED(context, reader);
  return entropic_row_reader_open(context, design->model, paths, count, parameters, true, reader);
}

entropic_status entropic_row_reader_open_design_table(entropic_context *context, const entropic_frozen_design *design,
                                                      const entropic_table *table, entropic_row_reader **reader) {
  ENT_NEED(context, design);
  ENT_NEED(context, table);
  ENT_NEED(context, reader);
  return entropic_row_reader_open_table(context, design->model, table, true, reader);
}
