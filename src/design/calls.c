/* The public calls about designs: pointers and sizes of structs are checked, parameters become options here. */
#include <stddef.h>

#include "base/memory.h"
#include "base/sized.h"
#include "design/by_parameters.h"

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

uint64_t entropic_design_atom(const entropic_design *design, const entropic_group *group, size_t term, uint64_t feature) {
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
