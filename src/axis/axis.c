/* Creating axes from options. */
#include "axis/shapes.h"

#include <math.h>
#include <string.h>

#include "axis/expression.h"

entropic_axis_options ent_axis_options_default(void) {
  return (entropic_axis_options){.size = sizeof(entropic_axis_options),
                                 .family = ENTROPIC_FAMILY_CENTRED,
                                 .basis = ENTROPIC_BASIS_FULL,
                                 .omega = 1,
                                 .max_level = 16};
}

bool ent_takes_missing(const entropic_axis_options *options) {
  return entropic_family_has(options->family, ENTROPIC_TRAIT_MISSING) && options->basis == ENTROPIC_BASIS_FULL;
}

const char *const ent_text_names[ENT_TEXTS] = {"p", "q", "alpha", "beta", "left", "right"};

const char **ent_text_of(entropic_axis_options *options, int text) {
  const char **const texts[ENT_TEXTS] = {&options->p_text,    &options->q_text,    &options->alpha_text,
                                         &options->beta_text, &options->left_text, &options->right_text};
  return texts[text];
}

/* The same of options that are not changed. */
static const char *text_of(const entropic_axis_options *options, int text) {
  return *ent_text_of((entropic_axis_options *)options, text);
}

bool ent_is_text(const entropic_axis_options *options) {
  bool any = false;
  for (int i = 0; i < ENT_TEXTS; i++)
    any = any || text_of(options, i) != NULL;
  return any;
}

size_t ent_text_trim(const char **text) {
  if (*text == NULL)
    return 0;
  *text += strspn(*text, " \t");
  size_t length = strlen(*text);
  while (length > 0 && ((*text)[length - 1] == ' ' || (*text)[length - 1] == '\t'))
    length--;
  return length;
}

bool ent_same_text(const entropic_axis_options *a, const entropic_axis_options *b) {
  for (int i = 0; i < ENT_TEXTS; i++) {
    const char *one = text_of(a, i), *other = text_of(b, i);
    if ((one == NULL) != (other == NULL))
      return false;
    size_t length = ent_text_trim(&one);
    if (ent_text_trim(&other) != length || (length > 0 && memcmp(one, other, length) != 0))
      return false;
  }
  return true;
}

unsigned ent_axis_traits(const entropic_axis_options *options) {
  const ent_family *family = ent_family_of(options->family);
  if (family == NULL || !(family->traits & ENTROPIC_TRAIT_FUNCTIONS) || !ent_is_text(options))
    return family == NULL ? 0 : family->traits;
  unsigned traits = family->traits | ENTROPIC_TRAIT_SAVED;
  for (int i = 0; i < ENT_TEXTS; i++)
    traits |= ent_expression_has_w(text_of(options, i)) ? ENTROPIC_TRAIT_OMEGA : 0;
  return traits;
}

/* What the family has to say of its options, as its traits say it. */
static entropic_status check_traits(entropic_context *context, const entropic_axis_options *options) {
  const ent_family *family = ent_family_of(options->family);
  char names[ENT_FAMILIES_SIZE];
  if (ent_is_text(options) && !(family->traits & ENTROPIC_TRAIT_FUNCTIONS))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "the %s kernel takes no text for p, q or an equation: that needs %s", family->name,
                    ent_families_with(ENTROPIC_TRAIT_FUNCTIONS, names));
  if ((ent_axis_traits(options) & ENTROPIC_TRAIT_OMEGA) && !(options->omega >= 1e-6 && options->omega <= 1e4))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "omega: %g is not between 1e-6 and 1e4", options->omega);
  if (options->smooth > 0 && !((family->traits & ENTROPIC_TRAIT_SMOOTH) && options->basis == ENTROPIC_BASIS_FULL))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "smooth: needs the %s kernel with its full basis",
                    ent_families_with(ENTROPIC_TRAIT_SMOOTH, names));
  if (options->missing && !ent_takes_missing(options))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "missing: needs the %s kernel with its full basis",
                    ent_families_with(ENTROPIC_TRAIT_MISSING, names));
  if (options->categories > 0 && !(family->traits & ENTROPIC_TRAIT_CATEGORIES))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "categories: %zu, expected 0: the %s kernel is one of numbers",
                    options->categories, family->name);
  return ENTROPIC_OK;
}

static entropic_status check_options(entropic_context *context, const entropic_axis_options *options) {
  if (ent_family_of(options->family) == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "family: %d is not a family of kernels", (int)options->family);
  if (options->basis != ENTROPIC_BASIS_FULL && options->basis != ENTROPIC_BASIS_INTERIOR)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "basis: %d is neither full nor interior", (int)options->basis);
  if (options->max_level < 0 || options->max_level > ENTROPIC_MAX_LEVEL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "max_level: %d is not between 0 and %d", options->max_level,
                    ENTROPIC_MAX_LEVEL);
  if (options->smooth < 0 || options->smooth > 8 || options->smooth == 1)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "smooth: %d is neither 0 nor between 2 and 8", options->smooth);
  if (options->unit_height && options->basis != ENTROPIC_BASIS_INTERIOR)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "unit_height: needs the interior basis");
  return check_traits(context, options);
}

entropic_status ent_axis_create(entropic_context *context, const entropic_axis_options *options, ent_axis **axis) {
  entropic_status status = check_options(context, options);
  if (status != ENTROPIC_OK)
    return status;
  ent_axis *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->family = ent_family_of(options->family);
  made->options = *options;
  made->traits = ent_axis_traits(options);
  if (!(made->traits & ENTROPIC_TRAIT_OMEGA))
    made->options.omega = 1;
  if (!(made->family->traits & ENTROPIC_TRAIT_HATS))
    made->options.max_level = 0;
  made->options.missing = options->missing != 0;
  status = ENTROPIC_NO_MEMORY;
  made->levels = ent_new(context, ENT_LEVEL_LIMIT, sizeof *made->levels);
  if (made->levels == NULL)
    goto fail;
  status = made->family->prepare(context, made);
  if (status != ENTROPIC_OK)
    goto fail;
  if (made->level_count == 0) {
    status = ent_fail(context, ENTROPIC_BAD_ARGUMENT, "max_level: 0 leaves the %s kernel without any atom",
                      made->family->name);
    goto fail;
  }
  if (made->options.missing)
    ent_append_missing(made);
  *axis = made;
  return ENTROPIC_OK;
fail:
  ent_axis_free(made);
  return status;
}

void ent_axis_free(ent_axis *axis) {
  if (axis == NULL)
    return;
  if (axis->family->release != NULL)
    axis->family->release(axis);
  ent_delete(axis->levels);
  ent_delete(axis);
}

ent_level *ent_axis_append(ent_axis *axis) {
  return &axis->levels[axis->level_count++];
}

double ent_level_score(const ent_level *level, entropic_criterion criterion) {
  return criterion == ENTROPIC_CRITERION_SUP ? level->info.sup : level->info.l2;
}

double ent_level_bound(const ent_axis *axis, const ent_level *level) {
  if (axis->options.family == ENTROPIC_FAMILY_CUSTOM)
    return ldexp(1, level->ceiling);
  return axis->options.unit_height ? 1 : sqrt(level->info.sup);
}

double ent_clamp(double x) {
  return x > 0 ? (x < 1 ? x : 1) : x <= 0 ? 0 : x; /* -0 becomes 0 */
}

ent_formula ent_axis_formula(const ent_axis *axis) {
  bool has = axis->family->formula != NULL && axis->options.smooth == 0;
  return has ? axis->family->formula(axis) : (ent_formula){0};
}
