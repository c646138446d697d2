/* The public call that compares: parameters become options here. */
#include "base/memory.h"
#include "compare/comparison.h"
#include "design/by_parameters.h"
#include "fit/options.h"

entropic_status entropic_compare(entropic_context *context, const entropic_dataset *dataset,
                                 const entropic_parameters *parameters, entropic_comparison **comparison) {
  ENT_NEED(context, dataset);
  ENT_NEED(context, comparison);
  entropic_status status = ent_parameters_need(context, parameters, ENTROPIC_PURPOSE_COMPARE);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_design_check(context, parameters);
  if (status != ENTROPIC_OK)
    return status;
  entropic_axis_options axis = ent_axis_by(parameters);
  ent_compare_options options = ent_compare_options_default();
  options.axis = &axis;
  size_t count = ent_parameters_items(parameters, "features"), *features = NULL;
  options.runs = (size_t)ent_parameters_integer(parameters, "runs", options.runs);
  options.seed = ent_parameters_integer(parameters, "seed", options.seed);
  options.scaling = ent_scaling_by(parameters, options.scaling);
  if (count > 0) {
    features = ent_new(context, count, sizeof *features);
    if (features == NULL)
      return ENTROPIC_NO_MEMORY;
    double value = 0;
    for (size_t i = 0; i < count && ent_parameters_item(parameters, "features", i, &value); i++)
      features[i] = (size_t)value;
    options.features = features;
    options.feature_count = count;
  }
  status = ent_compare(context, dataset, &options, comparison);
  ent_delete(features);
  return status;
}
