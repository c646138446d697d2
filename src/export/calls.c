/* The calls of the interface about exports. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/parameters.h"
#include "base/progress.h"
#include "entropic/explain.h"
#include "export/languages.h"
#include "lift/lift.h"

/* An export on its way. */
typedef struct ent_export_job {
  const entropic_model *model;
  const entropic_parameters *parameters;
  const char *path; /* NULL: memory */
  entropic_output *output;
} ent_export_job;

/* The languages, by name. */
static const struct ent_language {
  const char *name;
  bool single; /* it has numbers of single precision */
  entropic_status (*write)(ent_export_text *text, const ent_export_parts *parts);
} languages[] = {
#define ENT_LANGUAGE_ENTRY(name, single, endings, help) {#name, single, ent_export_##name},
    ENT_LANGUAGE_MAP(ENT_LANGUAGE_ENTRY)
#undef ENT_LANGUAGE_ENTRY
};

#define ENT_LANGUAGE_NAME(name, single, endings, help) " " #name
static const char language_names[] = ENT_LANGUAGE_MAP(ENT_LANGUAGE_NAME);
#undef ENT_LANGUAGE_NAME

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The prefix of names, in both cases. */
static entropic_status take_name(entropic_context *context, const entropic_parameters *parameters,
                                 ent_export_text *text) {
  const char *given = ent_parameters_text(parameters, "name"), *name = given == NULL ? "model" : given;
  char spelled[ENT_SPELLING_SIZE];
  size_t length = strlen(name);
  bool sound = length > 0 && length <= ENT_EXPORT_NAME && is_letter(name[0]);
  for (size_t i = 0; i < length && sound; i++) {
    sound = is_letter(name[i]) || (name[i] >= '0' && name[i] <= '9') || name[i] == '_';
    text->name[i] = name[i];
    text->upper[i] = (char)(name[i] >= 'a' && name[i] <= 'z' ? name[i] - 'a' + 'A' : name[i]);
  }
  if (sound)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                  "%s: found '%.40s', expected a letter, then letters, digits or _, %d in all at most",
                  ent_parameters_spelling(parameters, "name", spelled), name, ENT_EXPORT_NAME);
}

/* The largest value of the kernel of a component, about: k(x,x) at 17 places and where inputs are missing. */
static double largest_kernel(const entropic_kernel *kernel) {
  double product = 1;
  for (size_t i = 0; i < kernel->inputs; i++) {
    double largest = kernel->axes[i]->options.missing ? ent_kernel_axis_value(kernel, i, NAN, NAN) : 0;
    for (int k = 0; k <= 16; k++)
      largest = fmax(largest, ent_kernel_axis_value(kernel, i, k / 16.0, k / 16.0));
    product *= largest;
  }
  return product;
}

/* Adds what the features, or centres, of a component add to each score at most. */
static entropic_status add_bounds(entropic_context *context, const ent_component *component, size_t scores,
                                  double *sums) {
  double kernel = component->design == NULL ? largest_kernel(component->kernel) : 0;
  for (size_t i = 0; i < scores * component->features && component->design == NULL; i++)
    sums[i / component->features] += fabs(component->weights[i]) * kernel;
  if (component->design == NULL)
    return ENTROPIC_OK;
  int *exponents = ent_new(context, component->features, sizeof *exponents);
  if (exponents == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_lift_exponents(component->lift, exponents);
  for (size_t k = 0; k < scores; k++)
    for (size_t f = 0; f < component->features; f++)
      sums[k] += ldexp(fabs(component->weights[k * component->features + f]), exponents[f]);
  ent_delete(exponents);
  return ENTROPIC_OK;
}

/* TOO_LARGE unless the scores of all rows are numbers of the export: bounds of features times weights add up to less than the
 * largest one. What infinity becomes would be no answer. */
static entropic_status check_range(entropic_context *context, const entropic_model *model, bool single) {
  double most = single ? FLT_MAX : DBL_MAX, largest = 0;
  double *sums = ent_new(context, model->scores, sizeof *sums);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (sums == NULL)
    goto done;
  for (size_t c = 0; c < ent_model_components(model); c++) {
    status = add_bounds(context, ent_model_component(model, c), model->scores, sums);
    if (status != ENTROPIC_OK)
      goto done;
  }
  for (size_t k = 0; k < model->scores; k++) {
    double sum = fabs(model->offsets[k]) + sums[k];
    sum = ent_link_size(&model->link, sum) + fabs(model->link.origin) + model->link.bias;
    largest = sum <= largest ? largest : sum; /* NaN stays */
  }
  bool lost = single && largest > 0 && largest < FLT_MIN; /* all weights would be 0 */
  if (single && !(largest <= most && !lost))
    status = ent_fail(context, ENTROPIC_TOO_LARGE,
                      "float: a number of the model is beyond the range of float, %g; export it without float",
                      lost ? (double)FLT_MIN : most);
  else if (!(largest <= most))
    status = ent_fail(context, ENTROPIC_TOO_LARGE,
                      "scores may be outside the range of a double, %g: the model cannot be exported", most);
done:
  ent_delete(sums);
  return status;
}

/* The language that was asked for, the first one if none was; and whether it has numbers of single precision if these
 * were. */
static entropic_status find_language(entropic_context *context, const entropic_parameters *parameters, bool single,
                                     const struct ent_language **found) {
  const size_t count = sizeof languages / sizeof *languages;
  const char *name = ent_parameters_text(parameters, "lang");
  char spelled[ENT_SPELLING_SIZE];
  size_t i = 0;
  while (name != NULL && i < count && strcmp(name, languages[i].name) != 0)
    i++;
  if (i == count)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: found '%.40s', expected one of%s",
                    ent_parameters_spelling(parameters, "lang", spelled), name, language_names);
  if (single && !languages[i].single)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: %s has no single precision",
                    ent_parameters_spelling(parameters, "float", spelled), languages[i].name);
  *found = &languages[i];
  return ENTROPIC_OK;
}

static entropic_status export_model(entropic_context *context, void *arguments) {
  ent_export_job *job = arguments;
  ent_export_text text = {.context = context, .single = ent_parameters_flag(job->parameters, "float")};
  ent_export_parts *parts = NULL;
  const struct ent_language *language = NULL;
  entropic_status status = find_language(context, job->parameters, text.single, &language);
  if (status != ENTROPIC_OK)
    return status;
  status = take_name(context, job->parameters, &text);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_export_parts_create(context, job->model, text.single, &parts);
  if (status != ENTROPIC_OK)
    return status;
  status = check_range(context, job->model, text.single);
  if (status != ENTROPIC_OK)
    goto done;
  status = job->path == NULL ? ent_output_create_memory(context, &job->output)
                             : entropic_output_create(context, job->path, &job->output);
  if (status != ENTROPIC_OK)
    goto done;
  text.output = job->output;
  status = language->write(&text, parts);
done:
  ent_export_parts_free(parts);
  return status;
}

/* The name of the first input in use that is made of categories. */
static const char *first_made(const ent_schema *schema) {
  size_t i = 0;
  while (i + 1 < schema->inputs && (!schema->input[i].derived || schema->input[i].unused))
    i++;
  return schema->input[i].name;
}

static entropic_status run(entropic_context *context, ent_export_job *job) {
  if (job->model->means != NULL)
    return ent_fail(
        context, ENTROPIC_BAD_ARGUMENT,
        "the model has inputs that are made of categories, such as '%s', whose tables no export has; expected "
        "a model without them (--target-means no)",
        first_made(&job->model->schema));
  entropic_status status = ent_parameters_need(context, job->parameters, ENTROPIC_PURPOSE_EXPORT);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_call_run(context, "exporting", export_model, job);
  return status != ENTROPIC_OK ? status : entropic_output_commit(context, job->output);
}

entropic_status entropic_model_export(entropic_context *context, const entropic_model *model,
                                      const entropic_parameters *parameters, const char *path) {
  ENT_NEED(context, model);
  ENT_NEED(context, path);
  ent_export_job job = {.model = model, .parameters = parameters, .path = path};
  entropic_status status = run(context, &job);
  entropic_output_free(job.output);
  return status;
}

entropic_status entropic_model_export_memory(entropic_context *context, const entropic_model *model,
                                             const entropic_parameters *parameters, unsigned char **bytes,
                                             size_t *count) {
  ENT_NEED(context, model);
  ENT_NEED(context, bytes);
  ENT_NEED(context, count);
  ent_export_job job = {.model = model, .parameters = parameters};
  entropic_status status = run(context, &job);
  if (status != ENTROPIC_OK)
    goto done;
  ent_output_take(job.output, bytes, count);
done:
  entropic_output_free(job.output);
  return status;
}
