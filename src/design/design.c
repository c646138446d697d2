/* Designs: creation, and what the public interface says of them. */
#define _GNU_SOURCE /* qsort_r */
#include "design/design.h"
#include "base/memory.h"
#include "base/portable.h"
#include "base/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const criterion_names[] = {[ENTROPIC_CRITERION_L2] = "l2",
                                              [ENTROPIC_CRITERION_SUP] = "sup",
                                              [ENTROPIC_CRITERION_DATA] = "data",
                                              [ENT_CRITERION_RESIDUAL] = "residual"};
#define CRITERION_COUNT (sizeof criterion_names / sizeof criterion_names[0])

const char *ent_criterion_name(int criterion) {
  return criterion >= 0 && (size_t)criterion < CRITERION_COUNT ? criterion_names[criterion] : NULL;
}

const char *entropic_criterion_name(entropic_criterion criterion) {
  return criterion == ENT_CRITERION_RESIDUAL ? NULL : ent_criterion_name((int)criterion);
}

entropic_design_options ent_design_options_default(void) {
  return (entropic_design_options){.size = sizeof(entropic_design_options),
                                   .select = ENTROPIC_SELECT_ENTROPY,
                                   .criterion = ENTROPIC_CRITERION_L2,
                                   .seed = 1};
}

static entropic_status check_sample(entropic_context *context, const entropic_kernel *kernel,
                                    const entropic_design_options *options) {
  if (options->sample == NULL || options->sample_rows == 0) {
    if (options->criterion == ENTROPIC_CRITERION_DATA)
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "sample: criterion data needs at least one row");
    return ENTROPIC_OK;
  }
  for (size_t row = 0; row < options->sample_rows; row++) {
    for (size_t i = 0; i < kernel->inputs; i++) {
      double x = options->sample[row * kernel->inputs + i];
      if (!ent_accepts(kernel->axes[i], x))
        return ent_fail(context, ENTROPIC_BAD_DATA, "sample: row %zu, column %zu: %g is not a finite number", row + 1,
                        i + 1, x);
    }
  }
  return ENTROPIC_OK;
}

static entropic_status check_options(entropic_context *context, const entropic_kernel *kernel,
                                     const entropic_design_options *options) {
  if (options->select != ENTROPIC_SELECT_ENTROPY && options->select != ENTROPIC_SELECT_PAPER)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "select: %d is neither entropy nor paper", (int)options->select);
  if (entropic_criterion_name(options->criterion) == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "criterion: %d is not one of l2, sup, data",
                    (int)options->criterion);
  if ((options->features == 0) == (options->nonzeros == 0))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "features, nonzeros: set exactly one of them");
  if (options->features > ENT_MAX_FEATURES)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "features: %zu is above the limit of %zu", options->features,
                    ENT_MAX_FEATURES);
  if (options->select == ENTROPIC_SELECT_PAPER) {
    if (options->features == 0)
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "nonzeros: select paper needs a number of features");
    if (options->criterion == ENTROPIC_CRITERION_DATA)
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "criterion: select paper cannot use data");
    if (options->max_order > 0)
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "max_order: select paper has no such limit");
    for (size_t i = 0; i < kernel->inputs; i++)
      if (kernel->axes[i]->options.basis != ENTROPIC_BASIS_INTERIOR)
        return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "basis: select paper needs the interior basis");
  }
  return check_sample(context, kernel, options);
}

/* A design that is being created. */
typedef struct ent_design_creation {
  const entropic_design_options *options;
  const ent_restriction *restriction;
  entropic_design *design;
} ent_design_creation;

static entropic_status choose_features(entropic_context *context, void *arguments) {
  ent_design_creation *creation = arguments;
  entropic_status status = creation->options->select == ENTROPIC_SELECT_PAPER
                               ? ent_paper_choice(context, creation->options, creation->design)
                               : ent_best_first(context, creation->options, creation->restriction, creation->design);
  return status != ENTROPIC_OK ? status : ent_design_finish(context, creation->design);
}

entropic_status ent_design_create(entropic_context *context, const entropic_kernel *kernel,
                                  const entropic_design_options *options, entropic_design **design) {
  return ent_design_create_restricted(context, kernel, options, NULL, design);
}

entropic_status ent_design_create_restricted(entropic_context *context, const entropic_kernel *kernel,
                                             const entropic_design_options *options, const ent_restriction *restriction,
                                             entropic_design **design) {
  entropic_status status = check_options(context, kernel, options);
  if (status != ENTROPIC_OK)
    return status;
  if (restriction != NULL && options->select == ENTROPIC_SELECT_PAPER)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "select paper cannot be restricted to some inputs");
  ent_design_creation creation = {options, restriction, ent_design_new(context, kernel, options->criterion)};
  if (creation.design == NULL)
    return ENTROPIC_NO_MEMORY;
  status = ent_call_run(context, "choosing features", choose_features, &creation);
  if (status != ENTROPIC_OK) {
    entropic_design_free(creation.design);
    return status;
  }
  *design = creation.design;
  return ENTROPIC_OK;
}

entropic_design *ent_design_new(entropic_context *context, const entropic_kernel *kernel,
                                entropic_criterion criterion) {
  entropic_design *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return NULL;
  made->kernel = ent_kernel_hold(kernel);
  made->criterion = criterion;
  made->base = ent_new(context, kernel->inputs, sizeof *made->base);
  if (made->base == NULL) {
    entropic_design_free(made);
    return NULL;
  }
  return made;
}

void entropic_design_free(entropic_design *design) {
  if (design == NULL)
    return;
  entropic_kernel_free(design->kernel);
  ent_delete(design->base);
  ent_delete(design->groups);
  ent_delete(design->terms);
  ent_delete(design->members);
  ent_delete(design->beyond);
  ent_delete(design);
}

int64_t ent_cost(double score) {
  int exponent;
  double mantissa = frexp(score, &exponent);
  return llround(-ent_log2(mantissa) * (double)ENT_COST_UNIT) - exponent * ENT_COST_UNIT;
}

uint64_t ent_atoms(const entropic_kernel *kernel, const entropic_term *terms, size_t term_count) {
  uint64_t product = 1;
  for (size_t i = 0; i < term_count; i++)
    if (__builtin_mul_overflow(product, kernel->axes[terms[i].input]->levels[terms[i].level].info.atoms, &product))
      return UINT64_MAX;
  return product;
}

entropic_status ent_design_append(entropic_context *context, entropic_design *design, const entropic_term *terms,
                                  size_t term_count, int64_t cost, const uint64_t *members, size_t features) {
  if (features > ENT_MAX_FEATURES - design->features)
    return ent_fail(context, ENTROPIC_TOO_LARGE, ENT_TOO_MANY_FEATURES, ENT_MAX_FEATURES);
  uint64_t atoms = ent_atoms(design->kernel, terms, term_count);
  if (atoms > ENT_MAX_ATOMS)
    return ent_fail(context, ENTROPIC_TOO_LARGE,
                    "a group of the design has more than 2^53 atoms: lower max_level or max_order");
  if (!ent_reserve(context, &design->groups, &design->group_capacity, design->group_count + 1, sizeof *design->groups))
    return ENTROPIC_NO_MEMORY;
  if (!ent_reserve(context, &design->terms, &design->term_capacity, design->term_count + term_count,
                   sizeof *design->terms))
    return ENTROPIC_NO_MEMORY;
  ent_group group = {.first_term = design->term_count,
                     .term_count = term_count,
                     .first_feature = design->features,
                     .features = features,
                     .first_member = ENT_ALL_MEMBERS,
                     .atoms = atoms,
                     .cost = cost};
  if (members != NULL) {
    if (!ent_reserve(context, &design->members, &design->member_capacity, design->member_count + features,
                     sizeof *design->members))
      return ENTROPIC_NO_MEMORY;
    memcpy(design->members + design->member_count, members, features * sizeof *members);
    group.first_member = design->member_count;
    design->member_count += features;
  }
  if (term_count > 0)
    memcpy(design->terms + design->term_count, terms, term_count * sizeof *terms);
  design->term_count += term_count;
  design->groups[design->group_count++] = group;
  design->features += features;
  return ENTROPIC_OK;
}

static int compare_terms(const entropic_design *design, size_t a, size_t b) {
  const ent_group *left = &design->groups[a], *right = &design->groups[b];
  for (size_t i = 0; i < left->term_count && i < right->term_count; i++) {
    entropic_term x = design->terms[left->first_term + i], y = design->terms[right->first_term + i];
    if (x.input != y.input)
      return x.input < y.input ? -1 : 1;
    if (x.level != y.level)
      return x.level < y.level ? -1 : 1;
  }
  return (left->term_count > right->term_count) - (left->term_count < right->term_count);
}

static int compare_groups(const void *a, const void *b, void *design) {
  size_t left = *(const size_t *)a, right = *(const size_t *)b;
  int order = compare_terms(design, left, right);
  return order != 0 ? order : (left > right) - (left < right);
}

size_t *ent_design_by_terms(entropic_context *context, const entropic_design *design) {
  size_t *order = ent_new(context, design->group_count, sizeof *order);
  if (order == NULL)
    return NULL;
  for (size_t i = 0; i < design->group_count; i++)
    order[i] = i;
  qsort_r(order, design->group_count, sizeof *order, compare_groups, (void *)design);
  return order;
}

bool ent_same_terms(const entropic_design *design, size_t a, size_t b) {
  return compare_terms(design, a, b) == 0;
}

static double log2_height(const entropic_design *design, size_t input, size_t level) {
  const ent_axis *axis = design->kernel->axes[input];
  if (level == ENTROPIC_NO_LEVEL)
    return 0;
  return axis->options.unit_height ? 0 : log2(axis->levels[level].info.sup) / 2;
}

static entropic_status check_overflow(entropic_context *context, const entropic_design *design) {
  double base = 0;
  for (size_t i = 0; i < design->kernel->inputs; i++)
    base += log2_height(design, i, design->base[i]);
  for (size_t g = 0; g < design->group_count; g++) {
    double height = base;
    for (size_t t = 0; t < design->groups[g].term_count; t++) {
      entropic_term term = design->terms[design->groups[g].first_term + t];
      height += log2_height(design, term.input, term.level) - log2_height(design, term.input, design->base[term.input]);
    }
    if (!(height < 1000))
      return ent_fail(context, ENTROPIC_TOO_LARGE,
                      "features of %zu inputs with this omega reach 2^%.0f, beyond a double: lower omega",
                      design->kernel->inputs, height);
  }
  return ENTROPIC_OK;
}

entropic_status ent_design_finish(entropic_context *context, entropic_design *design) {
  size_t *order = ent_design_by_terms(context, design);
  if (order == NULL)
    return ENTROPIC_NO_MEMORY;
  design->nonzeros = design->group_count > 0;
  for (size_t i = 1; i < design->group_count; i++)
    design->nonzeros += !ent_same_terms(design, order[i - 1], order[i]);
  ent_delete(order);
  return check_overflow(context, design);
}

const entropic_kernel *entropic_design_kernel(const entropic_design *design) {
  if (design == NULL)
    return NULL;
  return design->kernel;
}

size_t entropic_design_features(const entropic_design *design) {
  if (design == NULL)
    return 0;
  return design->features;
}

size_t entropic_design_groups(const entropic_design *design) {
  if (design == NULL)
    return 0;
  return design->group_count;
}

size_t entropic_design_nonzeros(const entropic_design *design) {
  if (design == NULL)
    return 0;
  return design->nonzeros;
}

int entropic_design_exhausted(const entropic_design *design) {
  if (design == NULL)
    return 0;
  return design->exhausted;
}

size_t entropic_design_base(const entropic_design *design, size_t input) {
  if (design == NULL || input >= design->kernel->inputs)
    return ENTROPIC_NO_LEVEL;
  return design->base[input];
}

entropic_status ent_design_group(entropic_context *context, const entropic_design *design, size_t group,
                                 entropic_group *info) {
  if (group >= design->group_count)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "group: %zu; the design has %zu groups", group,
                    design->group_count);
  const ent_group *found = &design->groups[group];
  *info = (entropic_group){
      .first_feature = found->first_feature,
      .features = found->features,
      .atoms = found->atoms,
      .members = found->first_member == ENT_ALL_MEMBERS ? NULL : design->members + found->first_member,
      .terms_count = found->term_count,
      .terms = design->terms + found->first_term,
      .log2_score = 0 - (double)found->cost / (double)ENT_COST_UNIT, /* subtracted, so that 0 is not -0 */
  };
  return ENTROPIC_OK;
}

/* Where it is no term of a group, every input is the constant 1. */
static bool has_constant_bases(const entropic_design *design) {
  for (size_t i = 0; i < design->kernel->inputs; i++)
    if (design->base[i] != ENTROPIC_NO_LEVEL && design->kernel->axes[i]->levels[design->base[i]].shape != ENT_SHAPE_ONE)
      return false;
  return true;
}

static bool is_line(const entropic_design *design, size_t group) {
  const ent_group *g = &design->groups[group];
  if (g->term_count != 1)
    return false;
  const entropic_term *term = &design->terms[g->first_term];
  const ent_axis *axis = design->kernel->axes[term->input];
  return axis->options.family == ENTROPIC_FAMILY_CENTRED &&
         axis->levels[term->level].info.kind == ENTROPIC_LEVEL_KIND_LINEAR;
}

bool ent_design_is_line(const entropic_design *design, size_t group) {
  return is_line(design, group) && has_constant_bases(design);
}

size_t ent_design_line(const entropic_design *design, size_t input) {
  for (size_t g = 0; g < design->group_count; g++)
    if (is_line(design, g) && design->terms[design->groups[g].first_term].input == input)
      return has_constant_bases(design) ? g : SIZE_MAX;
  return SIZE_MAX;
}

entropic_status ent_design_go_beyond(entropic_context *context, entropic_design *design, size_t input) {
  if (input >= design->kernel->inputs || ent_design_line(design, input) == SIZE_MAX)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "input %zu: the design has no line of it alone", input + 1);
  if (design->beyond == NULL)
    design->beyond = ent_new(context, design->kernel->inputs, sizeof *design->beyond);
  if (design->beyond == NULL)
    return ENTROPIC_NO_MEMORY;
  design->beyond[input] = true;
  return ENTROPIC_OK;
}
