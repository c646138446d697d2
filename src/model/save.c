/* Saving models. Every section is written twice, first to count its bytes, so that nothing has to be kept in memory. */
#include <math.h>
#include <string.h>

#include "base/output.h"
#include "base/progress.h"
#include "design/design.h"
#include "loss/loss.h"
#include "model/format.h"
#include "model/statistics_file.h"

/* The oldest version of the format that has all that is in a component. */
static uint32_t component_version(const ent_component *component) {
  bool newer = component->scaler->scaling == ENTROPIC_SCALING_BLEND ||
               (component->design != NULL && component->design->criterion == ENT_CRITERION_RESIDUAL);
  uint32_t since = 1;
  for (size_t i = 0; i < component->kernel->distinct_count; i++) {
    const ent_axis *axis = component->kernel->distinct[i];
    newer |= axis->options.missing != 0;
    since = axis->family->since > since ? axis->family->since : since;
  }
  return newer && since < 2 ? 2 : since;
}

/* The oldest version of the format that has all that is in the model. */
static uint32_t version_of(const entropic_model *model) {
  bool newest = ent_model_used(model) < model->schema.inputs || model->bounds != NULL || model->main.features == 0 ||
                model->validation == ENTROPIC_VALIDATION_FORWARD;
  uint32_t version = newest ? 4 : ent_link_of(&model->link)->since, since = ent_loss_of(model->loss)->since;
  version = ent_link_of(&model->link)->since > version ? ent_link_of(&model->link)->since : version;
  for (size_t i = 0; i < model->schema.inputs; i++)
    if (model->schema.input[i].derived)
      return ENT_MEANS_VERSION;
  if (model->more_count > 0)
    return ENT_COMPONENT_VERSION;
  version = since > version ? since : version;
  for (size_t i = 0; i < model->schema.inputs; i++) {
    since = model->schema.input[i].part != ENT_PART_NONE ? ENT_PARTS_VERSION : model->schema.input[i].date ? 2 : 1;
    version = since > version ? since : version;
  }
  since = component_version(&model->main);
  return since > version ? since : version;
}

/* Version 3 has a root, and counts from there. */
static void put_link(ent_packer *packer, const ent_link *link, bool newest) {
  const ent_link_family *family = ent_link_of(link);
  if (newest || ent_link_code(link) > 0)
    ent_pack_byte(packer, newest ? ent_link_code(link) : ent_link_code(link) - family->code);
  for (size_t i = 0; i < family->parameter_count; i++)
    if (family->parameters[i].in_file)
      ent_pack_double(packer, ent_link_parameter_value(link, &family->parameters[i]));
}

static void put_info(ent_packer *packer, const entropic_model *model) {
  ent_pack_byte(packer, model->schema.task);
  ent_pack_byte(packer, model->loss);
  ent_pack_byte(packer, model->solver);
  ent_pack_byte(packer, model->converged);
  ent_pack_byte(packer, model->validation);
  ent_pack_count(packer, model->rows);
  ent_pack_count(packer, model->folds);
  ent_pack_count(packer, model->validation_rows);
  ent_pack_u64(packer, model->seed);
  ent_pack_double(packer, model->lambda);
  ent_pack_double(packer, model->link.inverse_temperature);
  ent_pack_double(packer, model->nonzeros);
  ent_pack_double(packer, model->validation_error);
  ent_pack_double(packer, model->validation_loss);
  bool newest = version_of(model) >= 4;
  put_link(packer, &model->link, newest);
  if (ent_loss_of(model->loss)->parameter != NULL)
    ent_pack_double(packer, model->loss_parameter);
}

static void put_names(ent_packer *packer, char *const *names, size_t count) {
  ent_pack_count(packer, count);
  for (size_t i = 0; i < count; i++)
    ent_pack_text(packer, names[i]);
}

static void put_schema(ent_packer *packer, const entropic_model *model) {
  const ent_schema *schema = &model->schema;
  ent_pack_count(packer, schema->inputs);
  for (size_t i = 0; i < schema->inputs; i++) {
    const ent_input *input = &schema->input[i];
    ent_pack_text(packer, input->name);
    ent_pack_byte(packer, (input->missing ? ENT_INPUT_MISSING : 0) | (input->date ? ENT_INPUT_DATE : 0) |
                              (input->unused ? ENT_INPUT_UNUSED : 0) | (input->was_category ? ENT_INPUT_CATEGORY : 0) |
                              (input->derived ? ENT_INPUT_DERIVED : 0));
    if (!input->unused)
      put_names(packer, input->category, input->categories);
  }
  put_names(packer, schema->target, schema->targets);
  put_names(packer, schema->class_name, schema->classes);
}

static bool has_notations(const ent_schema *schema) {
  for (size_t i = 0; i < schema->inputs; i++)
    if (schema->input[i].notation != ENT_NOTATION_PLAIN)
      return true;
  return schema->target_notation != NULL;
}

/* How inputs and targets are written, where some are not plain. */
static void put_notations(ent_packer *packer, const ent_schema *schema) {
  if (!has_notations(schema))
    return;
  ent_pack_bytes(packer, ENT_NOTATION_TAG, 4);
  ent_pack_u64(packer, schema->inputs + schema->targets);
  for (size_t i = 0; i < schema->inputs; i++)
    ent_pack_byte(packer, schema->input[i].notation);
  for (size_t i = 0; i < schema->targets; i++)
    ent_pack_byte(packer, ent_schema_target_notation(schema, i));
}

/* What inputs have of their columns, where some are dates or made of them. */
static void put_parts(ent_packer *packer, const ent_schema *schema) {
  bool any = false;
  for (size_t i = 0; i < schema->inputs; i++)
    any = any || schema->input[i].part != ENT_PART_NONE;
  if (!any)
    return;
  ent_pack_bytes(packer, ENT_PARTS_TAG, 4);
  ent_pack_u64(packer, schema->inputs);
  for (size_t i = 0; i < schema->inputs; i++)
    ent_pack_byte(packer, schema->input[i].part);
}

/* The marks of missing values, where the caller gave some. */
static void put_marks(ent_packer *packer, const ent_schema *schema) {
  if (schema->missing_marks == NULL)
    return;
  ent_packer length = {.count = 0};
  ent_pack_text(&length, schema->missing_marks);
  ent_pack_bytes(packer, ENT_MARKS_TAG, 4);
  ent_pack_u64(packer, length.count);
  ent_pack_text(packer, schema->missing_marks);
}

/* Whose missing values are refused, where there are such inputs. */
static void put_complete(ent_packer *packer, const ent_schema *schema) {
  bool any = false;
  for (size_t i = 0; i < schema->inputs; i++)
    any = any || schema->input[i].complete;
  if (!any)
    return;
  ent_pack_bytes(packer, ENT_COMPLETE_TAG, 4);
  ent_pack_u64(packer, schema->inputs);
  for (size_t i = 0; i < schema->inputs; i++)
    ent_pack_byte(packer, schema->input[i].complete);
}

/* The lists of terms, where features were restricted to them. */
static void put_terms(ent_packer *packer, const ent_schema *schema) {
  ent_packer length = {.count = 0};
  bool given = false;
  for (int kind = 0; kind < ENT_RESTRICT_KINDS; kind++) {
    given = given || schema->terms[kind] != NULL;
    ent_pack_text(&length, schema->terms[kind] == NULL ? "" : schema->terms[kind]);
  }
  if (!given)
    return;
  ent_pack_bytes(packer, ENT_TERMS_TAG, 4);
  ent_pack_u64(packer, length.count);
  for (int kind = 0; kind < ENT_RESTRICT_KINDS; kind++)
    ent_pack_text(packer, schema->terms[kind] == NULL ? "" : schema->terms[kind]);
}

static void put_scaler(ent_packer *packer, const entropic_model *model) {
  ent_pack_byte(packer, model->main.scaler->scaling - ENTROPIC_SCALING_QUANTILE); /* files count from 0 */
  for (size_t i = 0; i < model->schema.inputs; i++) {
    const ent_scale *scale = &model->main.scaler->scales[i];
    if (model->schema.input[i].categories > 0 || model->schema.input[i].unused)
      continue; /* the schema says it all */
    ent_pack_count(packer, scale->knots);
    ent_pack_doubles(packer, scale->at, scale->knots);
    ent_pack_doubles(packer, scale->height, scale->knots);
  }
}

/* What is written of an axis; the number of categories follows from the schema. */
static bool same_axis(const entropic_axis_options *a, const entropic_axis_options *b) {
  return a->family == b->family && a->basis == b->basis && a->max_level == b->max_level && a->smooth == b->smooth &&
         (a->unit_height != 0) == (b->unit_height != 0) && (a->missing != 0) == (b->missing != 0) &&
         a->omega == b->omega && ent_same_text(a, b);
}

/* The texts of a custom kernel. */
static void put_texts(ent_packer *packer, const entropic_axis_options *options) {
  entropic_axis_options copy = *options;
  if (!ent_is_text(options))
    return;
  ent_pack_byte(packer, options->p_text != NULL ? ENT_CUSTOM_PAIR : ENT_CUSTOM_EQUATION);
  for (int i = 0; i < ENT_TEXTS; i++)
    if (*ent_text_of(&copy, i) != NULL)
      ent_pack_text(packer, *ent_text_of(&copy, i));
}

static void put_kernel(ent_packer *packer, const entropic_model *model) {
  const entropic_kernel *kernel = model->main.kernel;
  for (size_t i = ent_next_used(&model->schema, 0), end; i < kernel->inputs; i = end) {
    const entropic_axis_options *options = &kernel->axes[i]->options;
    size_t run = 1;
    for (end = ent_next_used(&model->schema, i + 1);
         end < kernel->inputs && same_axis(options, &kernel->axes[end]->options);
         end = ent_next_used(&model->schema, end + 1))
      run++;
    ent_pack_count(packer, run);
    ent_pack_byte(packer, options->family);
    ent_pack_byte(packer, options->basis);
    ent_pack_byte(packer, (unsigned)options->max_level);
    ent_pack_byte(packer, (unsigned)options->smooth);
    ent_pack_byte(packer, (options->unit_height ? ENT_AXIS_UNIT : 0) | (options->missing ? ENT_AXIS_MISSING : 0));
    ent_pack_double(packer, options->omega);
    put_texts(packer, options);
  }
}

static void put_group(ent_packer *packer, const entropic_design *design, const ent_group *group) {
  ent_pack_signed(packer, group->cost);
  ent_pack_count(packer, group->term_count);
  for (size_t t = 0, next = 0; t < group->term_count; t++) {
    entropic_term term = design->terms[group->first_term + t];
    ent_pack_count(packer, term.input - next);
    ent_pack_count(packer, term.level);
    next = term.input + 1;
  }
  bool all = group->first_member == ENT_ALL_MEMBERS;
  ent_pack_count(packer, all ? 0 : group->features);
  uint64_t next = 0;
  for (size_t i = 0; !all && i < group->features; i++) {
    uint64_t member = design->members[group->first_member + i];
    ent_pack_count(packer, member - next);
    next = member + 1;
  }
}

static void put_design(ent_packer *packer, const entropic_model *model) {
  const entropic_design *design = model->main.design;
  ent_pack_byte(packer, design->criterion);
  ent_pack_byte(packer, design->exhausted != 0);
  for (size_t i = ent_next_used(&model->schema, 0), end; i < model->schema.inputs; i = end) {
    size_t run = 1;
    for (end = ent_next_used(&model->schema, i + 1); end < model->schema.inputs && design->base[end] == design->base[i];
         end = ent_next_used(&model->schema, end + 1))
      run++;
    ent_pack_count(packer, run);
    ent_pack_count(packer, design->base[i] == ENTROPIC_NO_LEVEL ? 0 : design->base[i] + 1);
  }
  ent_pack_count(packer, design->group_count);
  for (size_t g = 0; g < design->group_count; g++)
    put_group(packer, design, &design->groups[g]);
}

/* The inputs whose line goes on, where there are any. */
static void put_beyond(ent_packer *packer, const entropic_model *model) {
  if (model->main.design == NULL || model->main.design->beyond == NULL)
    return;
  ent_pack_bytes(packer, ENT_BEYOND_TAG, 4);
  ent_pack_u64(packer, model->schema.inputs);
  for (size_t i = 0; i < model->schema.inputs; i++)
    ent_pack_byte(packer, model->main.design->beyond[i]);
}

static void put_points(ent_packer *packer, const entropic_model *model) {
  ent_pack_count(packer, model->main.features);
  ent_pack_doubles(packer, model->main.centres, model->main.features * model->schema.inputs);
}

static void put_weights(ent_packer *packer, const entropic_model *model) {
  if (version_of(model) >= 4)
    ent_pack_byte(packer, model->bounds != NULL);
  for (size_t k = 0; k < model->scores; k++) {
    ent_pack_double(packer, model->offsets == NULL ? 0 : model->offsets[k]);
    if (model->bounds != NULL)
      ent_pack_doubles(packer, model->bounds + 2 * k, 2);
    for (size_t i = 0; model->main.weights == NULL && i < model->main.features; i++)
      ent_pack_double(packer, 0);
    if (model->main.weights != NULL)
      ent_pack_doubles(packer, model->main.weights + k * model->main.features, model->main.features);
  }
}

static void (*const writers[ENT_SECTIONS])(ent_packer *packer, const entropic_model *model) = {
    put_info, put_schema, put_scaler, put_kernel, put_design, put_points, put_weights};

void ent_save_section(ent_packer *packer, const entropic_model *model, ent_section section) {
  if (!ent_has_section(model->main.design == NULL, section))
    return;
  ent_packer length = {.count = 0};
  writers[section](&length, model);
  ent_pack_bytes(packer, ent_section_tags[section], 4);
  ent_pack_u64(packer, length.count);
  writers[section](packer, model);
  if (section == ENT_SECTION_SCHEMA) {
    put_notations(packer, &model->schema);
    put_parts(packer, &model->schema);
    put_marks(packer, &model->schema);
    put_complete(packer, &model->schema);
    put_terms(packer, &model->schema);
    ent_save_means(packer, model);
  }
  if (section == ENT_SECTION_DESIGN)
    put_beyond(packer, model);
}

/* The sections of a component, as if it were that of a model without offsets and bounds. */
static void put_component(ent_packer *packer, const entropic_model *model, size_t component) {
  entropic_model view = *model;
  view.main = *ent_model_component(model, component);
  view.offsets = view.bounds = NULL;
  for (int i = ENT_SECTION_SCALER; i < ENT_SECTIONS; i++)
    ent_save_section(packer, &view, (ent_section)i);
}

static void put_components(ent_packer *packer, const entropic_model *model) {
  for (size_t c = 1; c < ent_model_components(model); c++) {
    ent_packer length = {.count = 0};
    put_component(&length, model, c);
    ent_pack_bytes(packer, ENT_COMPONENT_TAG, 4);
    ent_pack_u64(packer, length.count);
    put_component(packer, model, c);
  }
}

void ent_save_sections(ent_packer *packer, const entropic_model *model) {
  for (int i = 0; i < ENT_SECTIONS; i++)
    ent_save_section(packer, model, (ent_section)i);
  put_components(packer, model);
  ent_save_statistics(packer, model);
  ent_save_marginals(packer, model);
  ent_save_intervals(packer, model);
  ent_save_member_effects(packer, model);
}

static bool all_finite(const double *values, size_t count) {
  bool finite = true;
  for (size_t i = 0; i < count; i++)
    finite = finite && isfinite(values[i]);
  return finite;
}

/* Whether what is written of a component can be read back. */
static entropic_status check_component(entropic_context *context, const entropic_model *model,
                                       const ent_component *component, const char *path) {
  for (size_t i = 0; i < component->kernel->distinct_count; i++) {
    const ent_axis *axis = component->kernel->distinct[i];
    if (!(axis->traits & ENTROPIC_TRAIT_SAVED))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: a model of a %s kernel by functions cannot be saved", path,
                      axis->family->name);
  }
  if (component->weights != NULL && !all_finite(component->weights, model->scores * component->features))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: a model with weights that are not finite cannot be saved",
                    path);
  return ENTROPIC_OK;
}

/* Whether what is written can be read back. */
entropic_status ent_save_check(entropic_context *context, const entropic_model *model, const char *path) {
  if (model->schema.inputs > ENT_MAX_SAVED_INPUTS)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "%s: models of more than %zu inputs cannot be saved", path,
                    ENT_MAX_SAVED_INPUTS);
  if (ent_model_components(model) > ENT_MOST_COMPONENTS)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "%s: models of more than %d components cannot be saved", path,
                    ENT_MOST_COMPONENTS);
  for (size_t c = 0; c < ent_model_components(model); c++) {
    entropic_status status = check_component(context, model, ent_model_component(model, c), path);
    if (status != ENTROPIC_OK)
      return status;
  }
  const double numbers[] = {model->lambda, model->link.inverse_temperature, model->nonzeros, model->link.origin,
                            model->link.bias};
  if ((model->offsets != NULL && !all_finite(model->offsets, model->scores)) ||
      !all_finite(numbers, sizeof numbers / sizeof numbers[0]))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: a model with weights that are not finite cannot be saved",
                    path);
  return ENTROPIC_OK;
}

/* A model that is being saved: to a file, or without a path to memory. */
typedef struct ent_model_saving {
  const entropic_model *model;
  const char *path;
  bool statistics;
  const void *before; /* what the file has to have until it is replaced; NULL: anything */
  size_t before_count;
  entropic_output *output;
} ent_model_saving;

/* Writes all of the file, which is then ready to be committed. */
static entropic_status write_model(entropic_context *context, void *arguments) {
  ent_model_saving *saving = arguments;
  ent_packer all = {.count = 0}, packer = {.context = context};
  ent_save_sections(&all, saving->model);
  uint64_t length = ENT_HEAD_SIZE + all.count + ENT_SUM_SIZE;
  if (length > ENT_MODEL_MOST_BYTES)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "%s: %s %llu bytes; at most %llu can be saved",
                    saving->path == NULL ? "memory" : saving->path,
                    saving->statistics ? "the statistics take" : "the model takes", (unsigned long long)length,
                    (unsigned long long)ENT_MODEL_MOST_BYTES);
  entropic_status status = saving->path == NULL ? ent_output_create_memory(context, &saving->output)
                                                : entropic_output_create(context, saving->path, &saving->output);
  if (status != ENTROPIC_OK)
    return status;
  ent_output_expect(saving->output, saving->before, saving->before_count);
  packer.output = saving->output;
  ent_pack_bytes(&packer, saving->statistics ? ENT_STATISTICS_MAGIC : ENT_MODEL_MAGIC, ENT_MAGIC_SIZE);
  ent_pack_u32(&packer, version_of(saving->model));
  ent_pack_u64(&packer, length);
  ent_save_sections(&packer, saving->model);
  ent_pack_flush(&packer);
  ent_pack_u32(&packer, packer.sum);
  ent_pack_flush(&packer);
  return packer.status;
}

/* Writes and commits; the output is to be freed also after a failure. */
static entropic_status save(entropic_context *context, ent_model_saving *saving) {
  entropic_status status = ent_save_check(context, saving->model, saving->path == NULL ? "memory" : saving->path);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_call_run(context, "writing", write_model, saving);
  return status != ENTROPIC_OK ? status : entropic_output_commit(context, saving->output);
}

entropic_status ent_save_file(entropic_context *context, const entropic_model *model, bool statistics,
                              const char *path) {
  ent_model_saving saving = {.model = model, .statistics = statistics, .path = path};
  entropic_status status = save(context, &saving);
  entropic_output_free(saving.output);
  return status;
}

entropic_status ent_save_memory(entropic_context *context, const entropic_model *model, bool statistics,
                                unsigned char **bytes, size_t *count) {
  ent_model_saving saving = {.model = model, .statistics = statistics};
  entropic_status status = save(context, &saving);
  if (status != ENTROPIC_OK)
    goto done;
  ent_output_take(saving.output, bytes, count);
done:
  entropic_output_free(saving.output);
  return status;
}

entropic_status entropic_model_save(entropic_context *context, const entropic_model *model, const char *path) {
  ENT_NEED(context, model);
  ENT_NEED(context, path);
  return ent_save_file(context, model, false, path);
}

entropic_status entropic_model_save_over(entropic_context *context, const entropic_model *model, const char *path,
                                         const void *before, size_t count) {
  ENT_NEED(context, model);
  ENT_NEED(context, path);
  ENT_NEED(context, before);
  ent_model_saving saving = {.model = model, .path = path, .before = before, .before_count = count};
  entropic_status status = save(context, &saving);
  entropic_output_free(saving.output);
  return status;
}

entropic_status entropic_model_save_memory(entropic_context *context, const entropic_model *model,
                                           unsigned char **bytes, size_t *count) {
  ENT_NEED(context, model);
  ENT_NEED(context, bytes);
  ENT_NEED(context, count);
  return ent_save_memory(context, model, false, bytes, count);
}
