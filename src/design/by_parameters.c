#include "design/by_parameters.h"

#include <string.h>

#include "axis/expression.h"
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
  for (int i = 0; i < ENT_TEXTS; i++)
    *ent_text_of(&axis, i) = ent_parameters_text(parameters, ent_text_names[i]);
  return axis;
}

/* Whether texts number first .. last are there: p and q, or the four of an equation. None is fine; some are not. */
static entropic_status check_all(entropic_context *context, const entropic_parameters *parameters, int first, int last,
                                 bool *given) {
  char one[ENT_SPELLING_SIZE], other[ENT_SPELLING_SIZE];
  int there = -1, absent = -1;
  for (int i = last; i >= first; i--)
    if (ent_parameters_is_set(parameters, ent_text_names[i]))
      there = i;
    else
      absent = i;
  *given = there >= 0;
  if (there < 0 || absent < 0)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s needs %s too",
                  ent_parameters_spelling(parameters, ent_text_names[there], one),
                  ent_parameters_spelling(parameters, ent_text_names[absent], other));
}

/* Whether every text is an expression. */
static entropic_status check_expressions(entropic_context *context, const entropic_parameters *parameters) {
  char spelling[ENT_SPELLING_SIZE];
  ent_expression expression;
  for (int i = 0; i < ENT_TEXTS; i++) {
    const char *text = ent_parameters_text(parameters, ent_text_names[i]);
    bool end = i >= ENT_TEXT_LEFT;
    ent_expression_form form = {.name = ent_parameters_spelling(parameters, ent_text_names[i], spelling),
                                .variables = end ? ENT_VARIABLE_W : ENT_VARIABLE_X | ENT_VARIABLE_W,
                                .values = end ? 2 : 1};
    entropic_status status = text == NULL ? ENTROPIC_OK : ent_expression_parse(context, text, &form, &expression);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* The texts of a custom kernel, and whether there has to be some. */
static entropic_status check_custom(entropic_context *context, const entropic_parameters *parameters,
                                    const entropic_axis_options *axis) {
  char kernel[ENT_SPELLING_SIZE], names[ENT_TEXTS][ENT_SPELLING_SIZE];
  bool custom = entropic_family_has(axis->family, ENTROPIC_TRAIT_FUNCTIONS), pair = false, equation = false;
  ent_parameters_spelling(parameters, "kernel", kernel);
  for (int i = 0; i < ENT_TEXTS; i++) {
    ent_parameters_spelling(parameters, ent_text_names[i], names[i]);
    if (!custom && ent_parameters_is_set(parameters, ent_text_names[i]))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s needs %s custom", names[i], kernel);
  }
  entropic_status status = check_all(context, parameters, 0, ENT_TEXT_ALPHA - 1, &pair);
  if (status != ENTROPIC_OK)
    return status;
  status = check_all(context, parameters, ENT_TEXT_ALPHA, ENT_TEXTS - 1, &equation);
  if (status != ENTROPIC_OK)
    return status;
  if (custom && pair == equation)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s custom needs %s and %s, or %s, %s, %s and %s%s", kernel,
                    names[0], names[1], names[2], names[3], names[4], names[5], pair ? ", not both" : "");
  return check_expressions(context, parameters);
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
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s cannot be combined with %s %s, which has no smooth atoms", one,
                    ent_parameters_spelling(parameters, "kernel", other), entropic_family_name(axis->family));
  return ENTROPIC_OK;
}

entropic_status ent_design_check(entropic_context *context, const entropic_parameters *parameters) {
  char one[ENT_SPELLING_SIZE], other[ENT_SPELLING_SIZE];
  entropic_axis_options axis = ent_axis_by(parameters);
  if (ent_parameters_is_set(parameters, "features") && ent_parameters_is_set(parameters, "nonzeros"))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s and %s cannot be combined",
                    ent_parameters_spelling(parameters, "features", one),
                    ent_parameters_spelling(parameters, "nonzeros", other));
  if (ent_parameters_is(parameters, "select", "paper") && axis.basis != ENTROPIC_BASIS_INTERIOR)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s paper needs %s interior",
                    ent_parameters_spelling(parameters, "select", one),
                    ent_parameters_spelling(parameters, "basis", other));
  entropic_status status = check_custom(context, parameters, &axis);
  if (status != ENTROPIC_OK)
    return status;
  if (!(ent_axis_traits(&axis) & ENTROPIC_TRAIT_OMEGA) && ent_parameters_is_set(parameters, "omega"))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s cannot be combined with %s %s, which has no parameter%s",
                    ent_parameters_spelling(parameters, "omega", one),
                    ent_parameters_spelling(parameters, "kernel", other), entropic_family_name(axis.family),
                    ent_is_text(&axis) ? ": its expressions have no w" : "");
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

/* What the column of an input makes of its axis. */
static void set_column(const ent_design_input *input, entropic_axis_options *axis) {
  if (input->categories > 0) {
    *axis = ent_axis_options_default();
    axis->family = ENTROPIC_FAMILY_CATEGORY;
    axis->categories = ent_design_atoms(input);
  } else
    axis->missing = input->missing;
}

/* The kernel of some axes, all of which are by the parameters; `columns` may be NULL. One axis stands for all inputs if
 * they are alike. */
static entropic_status create_kernel(entropic_context *context, const entropic_parameters *parameters, size_t inputs,
                                     const ent_design_columns *columns, entropic_kernel **kernel) {
  size_t count = 0;
  double *omegas = ent_new(context, inputs + 1, sizeof *omegas);
  entropic_axis_options *axes = ent_new(context, inputs + 1, sizeof *axes);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (omegas == NULL || axes == NULL)
    goto done;
  status = ent_omegas_by(context, parameters, inputs, omegas, &count);
  if (status != ENTROPIC_OK)
    goto done;
  size_t distinct = count > 1 || columns != NULL ? inputs : 1;
  for (size_t i = 0; i < distinct; i++) {
    axes[i] = ent_axis_by(parameters);
    if (columns != NULL)
      set_column(&columns->input[i], &axes[i]);
    axes[i].omega = count > 0 ? omegas[count > 1 ? i : 0] : axes[i].omega;
  }
  status = ent_kernel_create(context, axes, distinct, inputs, kernel);
done:
  ent_delete(axes);
  ent_delete(omegas);
  return status;
}

entropic_status ent_kernel_by(entropic_context *context, const entropic_parameters *parameters, size_t inputs,
                              entropic_kernel **kernel) {
  entropic_status status = ent_design_check(context, parameters);
  return status != ENTROPIC_OK ? status : create_kernel(context, parameters, inputs, NULL, kernel);
}

entropic_status ent_kernel_of_columns(entropic_context *context, const entropic_parameters *parameters,
                                      const ent_design_columns *columns, entropic_kernel **kernel) {
  entropic_status status = ent_design_check(context, parameters);
  return status != ENTROPIC_OK ? status : create_kernel(context, parameters, columns->inputs, columns, kernel);
}

entropic_status ent_design_options_by(entropic_context *context, const entropic_parameters *parameters,
                                      entropic_design_options *options) {
  char one[ENT_SPELLING_SIZE], other[ENT_SPELLING_SIZE];
  bool paper = ent_parameters_is(parameters, "select", "paper");
  *options = ent_design_options_default();
  options->select = paper ? ENTROPIC_SELECT_PAPER : ENTROPIC_SELECT_ENTROPY;
  options->criterion = (entropic_criterion)ent_parameters_choice(parameters, "criterion", ent_criterion_name, 0,
                                                                 (int)options->criterion);
  options->nonzeros = (size_t)ent_parameters_integer(parameters, "nonzeros", 0);
  options->features =
      options->nonzeros > 0 ? 0 : (size_t)ent_parameters_integer(parameters, "features", FEATURES_DEFAULT);
  options->max_order = (size_t)ent_parameters_integer(parameters, "max-order", 0);
  options->seed = ent_parameters_integer(parameters, "seed", options->seed);
  if (!paper && ent_parameters_is_set(parameters, "seed"))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s needs %s paper: nothing else is random",
                    ent_parameters_spelling(parameters, "seed", one),
                    ent_parameters_spelling(parameters, "select", other));
  return ENTROPIC_OK;
}
