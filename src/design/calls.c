/* The public calls about designs, parameters and languages: pointers and sizes of structs are checked, parameters become
 * options here. */
#include <stddef.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/sized.h"
#include "design/by_parameters.h"
#include "design/language_map.h"
#include "entropic/entropic.h"

/* The struct as it was when it was first published. */
#define DESIGN_LEAST (offsetof(entropic_design_options, seed) + sizeof(uint64_t))

entropic_status entropic_design_options_init(entropic_design_options *options, size_t size) {
  entropic_design_options known = ent_design_options_default();
  known.size = size;
  return ent_sized_give(NULL, options, size, &known, sizeof known);
}

entropic_status entropic_design_create(entropic_context *context, const entropic_kernel *kernel,
                                       const entropic_design_options *options, entropic_design **design) {
  ENT_NEED(context, kernel);
  ENT_NEED(context, options);
  ENT_NEED(context, design);
  entropic_design_options known;
  entropic_status status = ent_sized_take(context, &known, sizeof known, DESIGN_LEAST, options, options->size);
  return status != ENTROPIC_OK ? status : ent_design_create(context, kernel, &known, design);
}

entropic_status entropic_design_group(entropic_context *context, const entropic_design *design, size_t group,
                                      entropic_group *info, size_t size) {
  ENT_NEED(context, design);
  ENT_NEED(context, info);
  entropic_group known;
  entropic_status status = ent_design_group(context, design, group, &known);
  return status != ENTROPIC_OK ? status : ent_sized_give(context, info, size, &known, sizeof known);
}

uint64_t entropic_design_atom(const entropic_design *design, const entropic_group *group, size_t term,
                              uint64_t feature) {
  if (design == NULL || group == NULL || term >= group->terms_count)
    return 0;
  const entropic_kernel *kernel = entropic_design_kernel(design);
  entropic_level level = {.atoms = 1};
  for (size_t t = group->terms_count; t > term; t--) { /* the last term counts fastest */
    feature /= level.atoms;
    if (ent_kernel_level(NULL, kernel, group->terms[t - 1].input, group->terms[t - 1].level, &level) != ENTROPIC_OK)
      return 0;
  }
  return feature % level.atoms;
}

entropic_criterion entropic_design_criterion(const entropic_design *design) {
  return design == NULL || design->criterion == ENT_CRITERION_RESIDUAL ? ENTROPIC_CRITERION_L2 : design->criterion;
}

entropic_status entropic_design_make(entropic_context *context, const entropic_parameters *parameters, size_t inputs,
                                     const double *sample, size_t sample_rows, entropic_design **design) {
  ENT_NEED(context, design);
  entropic_kernel *kernel = NULL;
  entropic_status status = ent_parameters_need(context, parameters, ENTROPIC_PURPOSE_DESIGN | ENTROPIC_PURPOSE_COLLECT);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_kernel_by(context, parameters, inputs, &kernel);
  if (status != ENTROPIC_OK)
    return status;
  entropic_design_options options;
  status = ent_design_options_by(context, parameters, &options);
  if (status != ENTROPIC_OK)
    goto done;
  if (options.criterion == ENTROPIC_CRITERION_DATA) {
    options.sample = sample;
    options.sample_rows = sample_rows;
  }
  status = ent_design_create(context, kernel, &options, design);
done:
  entropic_kernel_free(kernel);
  return status;
}

size_t entropic_parameter_count(void) {
  return ent_parameter_rows.count;
}

entropic_status entropic_parameter_describe(entropic_context *context, size_t index, entropic_parameter *info,
                                            size_t size) {
  ENT_NEED(context, info);
  if (index >= ent_parameter_rows.count)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "index: %zu; there are %zu parameters", index,
                    ent_parameter_rows.count);
  return ent_sized_give(context, info, size, &ent_parameter_rows.rows[index].info, sizeof *info);
}

size_t entropic_parameter_choice(size_t index, size_t choice, char *name, size_t size, const char **help) {
  const char *about = "", *found = NULL;
  size_t length = 0;
  if (index < ent_parameter_rows.count && ent_parameter_rows.rows[index].info.type == ENTROPIC_PARAMETER_CHOICE)
    found = ent_parameter_choice(&ent_parameter_rows.rows[index], choice, &length, &about);
  if (help != NULL)
    *help = about;
  if (name != NULL && size > 0)
    snprintf(name, size, "%.*s", (int)length, found == NULL ? "" : found);
  return length;
}

entropic_status entropic_parameters_create(entropic_context *context, entropic_purpose purpose,
                                           entropic_parameters **parameters) {
  ENT_NEED(context, parameters);
  if (purpose != ENTROPIC_PURPOSE_READ && purpose != ENTROPIC_PURPOSE_FIT && purpose != ENTROPIC_PURPOSE_DESIGN &&
      purpose != ENTROPIC_PURPOSE_COMPARE && purpose != ENTROPIC_PURPOSE_SOLVE && purpose != ENTROPIC_PURPOSE_EXPORT &&
      purpose != ENTROPIC_PURPOSE_COLLECT)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "purpose: %d is not one of entropic_purpose", (int)purpose);
  return ent_parameters_create(context, &ent_parameter_rows, (unsigned)purpose, parameters);
}

static const struct ent_language_row {
  const char *name, *endings, *help;
} rows[] = {
#define ENT_LANGUAGE_ROW(name, single, endings, help) {#name, endings, help},
    ENT_LANGUAGE_MAP(ENT_LANGUAGE_ROW)
#undef ENT_LANGUAGE_ROW
};

size_t entropic_language_count(void) {
  return sizeof rows / sizeof rows[0];
}

const char *entropic_language_name(size_t language) {
  return language < entropic_language_count() ? rows[language].name : NULL;
}

const char *ent_language_help(size_t language) {
  return language < entropic_language_count() ? rows[language].help : NULL;
}

const char *entropic_language_endings(size_t language) {
  return language < entropic_language_count() ? rows[language].endings : NULL;
}
