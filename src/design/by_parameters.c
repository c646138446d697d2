#include "design/by_parameters.h"

#include <string.h>

#include "base/memory.h"

#define FEATURES_DEFAULT 200

static const char *family_name(int number) {
  return entropic_family_name((entropic_family)number);
}

static const char *basis_name(int number) {
  return number == ENTROPIC_BASIS_FULL ? "full" : number == ENTROPIC_BASIS_INTERIOR ? "interior" : NULL;
}

entropic_axis_options ent_axis_by(const entropic_parameters *parameters) {
  entropic_axis_options axis = ent_axis_options_default();
  axis.family = (entropic_family)ent_parameters_choice(parameters, "kernel", family_name, 0, (int)axis.family);
  axis.basis = (entropic_basis)ent_parameters_choice(parameters, "basis", basis_name, 0, (int)axis.basis);
  axis.max_level = (int)ent_parameters_integer(parameters, "max-level", (uint64_t)axis.max_level);
  axis.smooth = (int)ent_parameters_integer(parameters, "smooth", (uint64_t)axis.smooth);
  return axis;
}

static entropic_status check_smooth(entropic_context *context, const entropic_parameters *parameters,
                                    const entropic_axis_options *axis) {
  char one[ENT_SPELLING_SIZE], other[ENT_SPELLING_SIZE];
  ent_parameters_spelling(parameters, "smooth", one);
  if (axis->smooth == 1)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s 1: the smooth atoms start at degree 2; 0 is for none", one);
  if (axis->smooth > 0 && axis->basis != ENTROPIC_BASIS_FULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s needs %s full", one,
                    ent_parameters_spelling(parameters, "basis", other));
  if (axis->smooth > 0 && !entropic_family_has(axis->family, ENTROPIC_TRAIT_SMOOTH))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s does not go with %s %s, which has no smooth atoms", one,
                    ent_parameters_spelling(parameters, "kernel", other), entropic_family_name(axis->family));
  return ENTROPIC_OK;
}

entropic_status ent_design_check(entropic_context *context, const entropic_parameters *parameters) {
  char one[ENT_SPELLING_SIZE], other[ENT_SPELLING_SIZE];
  entropic_axis_options axis = ent_axis_by(parameters);
  if (ent_parameters_given(parameters, "features") && ent_parameters_given(parameters, "nonzeros"))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "give %s or %s, not both",
                    ent_parameters_spelling(parameters, "features", one),
                    ent_parameters_spelling(parameters, "nonzeros", other));
  if (ent_parameters_is(parameters, "select", "paper") && axis.basis != ENTROPIC_BASIS_INTERIOR)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s paper needs %s interior",
                    ent_parameters_spelling(parameters, "select", one),
                    ent_parameters_spelling(parameters, "basis", other));
  if (!entropic_family_has(axis.family, ENTROPIC_TRAIT_OMEGA) && ent_parameters_given(parameters, "omega"))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s does not go with %s %s, which has no parameter",
                    ent_parameters_spelling(parameters, "omega", one),
                    ent_parameters_spelling(parameters, "kernel", other), entropic_family_name(axis.family));
  return check_smooth(context, parameters, &axis);
}

entropic_status ent_omegas_by(entropic_context *context, const entropic_parameters *parameters, size_t inputs,
                              double *omegas, size_t *count) {
  char spelling[ENT_SPELLING_SIZE];
  size_t given = ent_parameters_items(parameters, "omega");
  if (given > 1 && given != inputs)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s has %zu numbers, there are %zu inputs",
                    ent_parameters_spelling(parameters, "omega", spelling), given, inputs);
  for (size_t i = 0; i < given; i++)
    ent_parameters_item(parameters, "omega", i, &omegas[i]);
  *count = given;
  return ENTROPIC_OK;
}

entropic_status ent_kernel_by(entropic_context *context, const entropic_parameters *parameters, size_t inputs,
                              entropic_kernel **kernel) {
  size_t count = 0;
  double *omegas = NULL;
  entropic_axis_options *axes = NULL;
  entropic_status status = ent_design_check(context, parameters);
  if (status != ENTROPIC_OK)
    return status;
  omegas = ent_new(context, inputs + 1, sizeof *omegas);
  axes = ent_new(context, inputs + 1, sizeof *axes);
  status = ENTROPIC_NO_MEMORY;
  if (omegas == NULL || axes == NULL)
    goto done;
  status = ent_omegas_by(context, parameters, inputs, omegas, &count);
  if (status != ENTROPIC_OK)
    goto done;
  size_t distinct = count > 1 ? count : 1;
  for (size_t i = 0; i < distinct; i++) {
    axes[i] = ent_axis_by(parameters);
    axes[i].omega = count > 0 ? omegas[i] : axes[i].omega;
  }
  status = ent_kernel_create(context, axes, distinct, inputs, kernel);
done:
  ent_delete(axes);
  ent_delete(omegas);
  return status;
}

entropic_status ent_design_options_by(entropic_context *context, const entropic_parameters *parameters,
                                      entropic_design_options *options) {
  char one[ENT_SPELLING_SIZE], other[ENT_SPELLING_SIZE];
  bool paper = ent_parameters_is(parameters, "select", "paper");
  *options = ent_design_options_default();
  options->select = paper ? ENTROPIC_SELECT_PAPER : ENTROPIC_SELECT_ENTROPY;
  options->criterion =
      (entropic_criterion)ent_parameters_choice(parameters, "criterion", ent_criterion_name, 0, options->criterion);
  options->nonzeros = (size_t)ent_parameters_integer(parameters, "nonzeros", 0);
  options->features =
      options->nonzeros > 0 ? 0 : (size_t)ent_parameters_integer(parameters, "features", FEATURES_DEFAULT);
  options->max_order = (size_t)ent_parameters_integer(parameters, "max-order", 0);
  options->seed = ent_parameters_integer(parameters, "seed", options->seed);
  if (!paper && ent_parameters_given(parameters, "seed"))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s needs %s paper: nothing else is random",
                    ent_parameters_spelling(parameters, "seed", one),
                    ent_parameters_spelling(parameters, "select", other));
  return ENTROPIC_OK;
}
