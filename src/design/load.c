/* Reading a saved design back: every number is checked before it is used. The format is described in save.c. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "design/loader.h"

/* A short file must not keep anyone waiting. */
#define MOST_TEXTS ((size_t)16 * ENT_TEXT_AXES_MOST)

static bool take_int(ent_loader *loader, int most, int *value) {
  uint64_t number;
  if (!ent_take_integer(loader, (uint64_t)most, ' ', &number))
    return false;
  *value = (int)number;
  return true;
}

static bool take_cost(ent_loader *loader, int64_t *cost) {
  bool negative = loader->at[0] == '-';
  loader->at += negative;
  uint64_t number;
  if (!ent_take_integer(loader, INT64_MAX, ' ', &number))
    return false;
  *cost = negative ? -(int64_t)number : (int64_t)number;
  return true;
}

static bool find_criterion(const char *name, entropic_criterion *criterion) {
  for (int i = 0; ent_criterion_name(i) != NULL; i++) {
    if (strcmp(name, ent_criterion_name(i)) != 0)
      continue;
    *criterion = (entropic_criterion)i;
    return true;
  }
  return false;
}

/* A design that says for which columns it is comes from the kernel alone. */
static entropic_status load_criterion(ent_loader *loader, entropic_criterion *criterion) {
  entropic_status status = ent_loader_next(loader, "a criterion");
  if (status != ENTROPIC_OK)
    return status;
  if (!(ent_take_word(loader, "criterion") && find_criterion(loader->at, criterion)))
    return ent_loader_expected(loader, "'criterion' and one of l2, sup, data, residual");
  if (loader->columns != NULL && *criterion != ENTROPIC_CRITERION_L2 && *criterion != ENTROPIC_CRITERION_SUP)
    return ent_loader_expected(loader, "l2 or sup, which need no data");
  return ENTROPIC_OK;
}

static entropic_status load_head(ent_loader *loader, entropic_criterion *criterion, uint64_t *inputs) {
  entropic_status status = ent_loader_next(loader, ENT_DESIGN_FIRST_LINE);
  if (status != ENTROPIC_OK)
    return status;
  bool columns = strcmp(loader->at, ENT_DESIGN_FIRST_LINE_COLUMNS) == 0;
  loader->texts = columns || strcmp(loader->at, ENT_DESIGN_FIRST_LINE_TEXT) == 0;
  if (!loader->texts && strcmp(loader->at, ENT_DESIGN_FIRST_LINE) != 0)
    return ent_loader_expected(loader, "'" ENT_DESIGN_FIRST_LINE "', '" ENT_DESIGN_FIRST_LINE_TEXT
                                       "' or '" ENT_DESIGN_FIRST_LINE_COLUMNS "'");
  if (columns)
    status = ent_load_columns(loader);
  if (status != ENTROPIC_OK)
    return status;
  status = load_criterion(loader, criterion);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_loader_next(loader, "the number of inputs");
  if (status != ENTROPIC_OK)
    return status;
  if (!(ent_take_word(loader, "inputs") && ent_take_integer(loader, ENT_MAX_SAVED_INPUTS, ' ', inputs) && *inputs > 0 &&
        *loader->at == '\0'))
    return ent_loader_expected(loader, "'inputs' and a number from 1 to 1048576");
  if (columns && *inputs != loader->columns->inputs)
    return ent_fail(loader->context, ENTROPIC_BAD_DATA,
                    "%s, line %zu: found %" PRIu64 " inputs, expected the %zu above", loader->lines.bytes->name,
                    loader->lines.line, *inputs, loader->columns->inputs);
  return ENTROPIC_OK;
}

/* The name of a family that can be saved; a custom one as text. */
static bool take_family(ent_loader *loader, entropic_axis_options *options) {
  for (size_t i = 0; i < ent_family_count(); i++) {
    entropic_family family = (entropic_family)i;
    bool text = loader->texts && entropic_family_has(family, ENTROPIC_TRAIT_FUNCTIONS);
    if ((text || entropic_family_has(family, ENTROPIC_TRAIT_SAVED)) &&
        ent_take_word(loader, entropic_family_name(family))) {
      options->family = family;
      return true;
    }
  }
  return false;
}

static bool take_category(ent_loader *loader, entropic_axis_options *options) {
  uint64_t categories;
  if (!(ent_take_word(loader, "omega") && ent_take_double(loader, &options->omega) &&
        ent_take_word(loader, "categories") && ent_take_integer(loader, ENT_MAX_CATEGORIES, ' ', &categories) &&
        *loader->at == '\0'))
    return false;
  options->categories = (size_t)categories;
  return true;
}

static bool take_axis(ent_loader *loader, entropic_axis_options *options) {
  *options = ent_axis_options_default();
  if (!take_family(loader, options))
    return false;
  if (entropic_family_has(options->family, ENTROPIC_TRAIT_CATEGORIES))
    return take_category(loader, options);
  options->basis = ent_take_word(loader, "interior") ? ENTROPIC_BASIS_INTERIOR : ENTROPIC_BASIS_FULL;
  if (options->basis == ENTROPIC_BASIS_FULL && !ent_take_word(loader, "full"))
    return false;
  return ent_take_word(loader, "omega") && ent_take_double(loader, &options->omega) && ent_take_word(loader, "level") &&
         take_int(loader, ENTROPIC_MAX_LEVEL, &options->max_level) && ent_take_word(loader, "smooth") &&
         take_int(loader, 8, &options->smooth) && ent_take_word(loader, "unit") &&
         take_int(loader, 1, &options->unit_height) &&
         (!ent_take_word(loader, "missing") || take_int(loader, 1, &options->missing)) && *loader->at == '\0';
}

/* A text of a custom kernel, on a line of its own. */
static entropic_status load_text(ent_loader *loader, int number, entropic_axis_options *options) {
  char what[64];
  snprintf(what, sizeof what, "'%s' and an expression", ent_text_names[number]);
  if (!ent_take_word(loader, ent_text_names[number]))
    return ent_loader_expected(loader, what);
  if (!ent_reserve(loader->context, &loader->kept, &loader->kept_capacity, loader->kept_count + 1,
                   sizeof *loader->kept))
    return ENTROPIC_NO_MEMORY;
  char *text = ent_new_text(loader->context, loader->at, strlen(loader->at));
  if (text == NULL)
    return ENTROPIC_NO_MEMORY;
  *ent_text_of(options, number) = loader->kept[loader->kept_count++] = text;
  return ENTROPIC_OK;
}

/* The texts of a custom kernel: p and q, or an equation. */
static entropic_status load_texts(ent_loader *loader, entropic_axis_options *options) {
  entropic_status status = ent_loader_next(loader, "'p' or 'alpha' and an expression");
  if (status != ENTROPIC_OK)
    return status;
  bool equation = strncmp(loader->at, "alpha", 5) == 0;
  for (int i = equation ? ENT_TEXT_ALPHA : 0, end = equation ? ENT_TEXTS : ENT_TEXT_ALPHA;;) {
    status = load_text(loader, i, options);
    if (status != ENTROPIC_OK || ++i == end)
      return status;
    status = ent_loader_next(loader, "another expression");
    if (status != ENTROPIC_OK)
      return status;
  }
}

/* Whether there can be such an axis: it is made, and freed again. Deep levels of a custom one take time: the kernel checks
 * those, when all is read. */
static entropic_status check_axis(ent_loader *loader, const entropic_axis_options *options) {
  ent_axis *axis = NULL;
  entropic_axis_options checked = *options;
  if (ent_is_text(options) && options->max_level > 1)
    checked.max_level = 1;
  if (loader->kept_count > MOST_TEXTS)
    return ent_loader_expected(loader, "no more custom kernels: there are too many");
  entropic_status status = ent_axis_create(loader->context, &checked, &axis);
  ent_axis_free(axis);
  return ent_loader_locate(loader, status, loader->lines.line);
}

static entropic_status load_axes(ent_loader *loader, size_t inputs) {
  for (uint64_t i = 0, run; i < inputs; i += run) {
    entropic_status status = ent_loader_next(loader, "the axis of an input");
    if (status != ENTROPIC_OK)
      return status;
    entropic_axis_options options;
    if (!(ent_take_word(loader, "axis") && ent_take_integer(loader, inputs - i, ' ', &run) && run > 0 &&
          take_axis(loader, &options)))
      return ent_loader_expected(loader,
                                 "'axis', a number of inputs, a kernel, its basis, omega, level, smooth and unit, or "
                                 "'category', omega and categories");
    if (entropic_family_has(options.family, ENTROPIC_TRAIT_FUNCTIONS))
      status = load_texts(loader, &options);
    if (status != ENTROPIC_OK)
      return status;
    status = check_axis(loader, &options);
    if (status != ENTROPIC_OK)
      return status;
    status = ent_load_check_axis(loader, &options, (size_t)i, (size_t)run);
    if (status != ENTROPIC_OK)
      return status;
    for (uint64_t j = i; j < i + run; j++)
      loader->axes[j] = options;
  }
  return ENTROPIC_OK;
}

static entropic_status load_bases(ent_loader *loader) {
  entropic_design *design = loader->design;
  size_t inputs = design->kernel->inputs;
  for (uint64_t i = 0, run, level; i < inputs; i += run) {
    entropic_status status = ent_loader_next(loader, "the base level of an input");
    if (status != ENTROPIC_OK)
      return status;
    if (!(ent_take_word(loader, "base") && ent_take_integer(loader, inputs - i, ' ', &run) && run > 0 &&
          ent_take_integer(loader, ENT_LEVEL_LIMIT, ' ', &level) && *loader->at == '\0'))
      return ent_loader_expected(loader, "'base', a number of inputs and a level");
    for (uint64_t j = i; j < i + run; j++) {
      design->base[j] = level == 0 ? ENTROPIC_NO_LEVEL : (size_t)level - 1;
      if (!ent_is_base(design->kernel, (size_t)j, design->base[j]))
        return ent_loader_expected(loader, "a base level that the input has, with a single atom");
    }
  }
  loader->unbased = ent_design_unbased(design);
  return ENTROPIC_OK;
}

/* Terms up to the end of the line or '='. Inputs without a base level must all be there. */
static entropic_status load_terms(ent_loader *loader, size_t *count) {
  const entropic_design *design = loader->design;
  size_t next = 0;
  *count = 0;
  while (*loader->at != '\0' && *loader->at != '=') {
    uint64_t input, level;
    entropic_term term;
    if (!(ent_take_integer(loader, design->kernel->inputs, ':', &input) && input > 0 &&
          ent_take_integer(loader, ENT_LEVEL_LIMIT, ' ', &level) && level > 0 &&
          ent_is_term(design, next, term = (entropic_term){(size_t)input - 1, (size_t)level - 1})))
      return ent_loader_expected(loader,
                                 "terms input:level, by input, with levels that the input has besides its base level");
    next = (size_t)input;
    loader->terms[(*count)++] = term;
  }
  if (!ent_has_unbased(design, loader->terms, *count, loader->unbased))
    return ent_loader_expected(loader, "a term for every input without base level");
  return ENTROPIC_OK;
}

static entropic_status load_members(ent_loader *loader, uint64_t atoms, size_t *count) {
  uint64_t before = 0, member;
  *count = 0;
  while (*loader->at != '\0') {
    if (!(ent_take_integer(loader, atoms, ' ', &member) && member > before))
      return ent_loader_expected(loader, "members of the group, ascending");
    if (!ent_reserve(loader->context, &loader->members, &loader->member_capacity, *count + 1, sizeof *loader->members))
      return ENTROPIC_NO_MEMORY;
    loader->members[(*count)++] = member - 1;
    before = member;
  }
  return *count > 0 ? ENTROPIC_OK : ent_loader_expected(loader, "members behind '='");
}

static entropic_status load_group(ent_loader *loader) {
  int64_t cost;
  size_t term_count, features;
  entropic_status status = ent_loader_next(loader, "another group");
  if (status != ENTROPIC_OK)
    return status;
  if (!take_cost(loader, &cost))
    return ent_loader_expected(loader, "a group: its cost, then terms");
  status = load_terms(loader, &term_count);
  if (status != ENTROPIC_OK)
    return status;
  uint64_t atoms = ent_atoms(loader->design->kernel, loader->terms, term_count);
  if (!ent_take_word(loader, "=")) {
    if (*loader->at != '\0' || atoms > ENT_MAX_FEATURES)
      return ent_loader_expected(loader, "a group of at most 2147483647 features");
    status = ent_design_append(loader->context, loader->design, loader->terms, term_count, cost, NULL, (size_t)atoms);
    return ent_loader_locate(loader, status, loader->lines.line);
  }
  status = load_members(loader, atoms, &features);
  if (status != ENTROPIC_OK)
    return status;
  status =
      ent_design_append(loader->context, loader->design, loader->terms, term_count, cost, loader->members, features);
  return ent_loader_locate(loader, status, loader->lines.line);
}

/* The same terms may not come twice, but for single atoms of custom kernels. */
static entropic_status check_repeats(ent_loader *loader) {
  size_t repeated;
  entropic_status status = ent_design_find_repeat(loader->context, loader->design, &repeated);
  if (status != ENTROPIC_OK || repeated == SIZE_MAX)
    return status;
  return ent_fail(loader->context, ENTROPIC_BAD_DATA, "%s, line %zu: the terms of this group stand in another one too",
                  loader->lines.bytes->name, loader->first_group_line + repeated);
}

/* Nothing may follow the last group. */
static entropic_status load_end(ent_loader *loader) {
  bool more = false;
  entropic_status status = ent_lines_next(loader->context, &loader->lines, &more);
  if (status != ENTROPIC_OK)
    return status;
  if (more)
    return ent_fail(loader->context, ENTROPIC_BAD_DATA, "%s, line %zu: expected nothing after the last group",
                    loader->lines.bytes->name, loader->lines.line);
  return ENTROPIC_OK;
}

static entropic_status load_groups(ent_loader *loader) {
  uint64_t groups = 0;
  entropic_status status = ent_loader_next(loader, "the number of groups");
  if (status != ENTROPIC_OK)
    return status;
  if (!(ent_take_word(loader, "groups") && ent_take_integer(loader, ENT_MAX_FEATURES, ' ', &groups) && groups > 0 &&
        ent_take_word(loader, "exhausted") && take_int(loader, 1, &loader->design->exhausted) && *loader->at == '\0'))
    return ent_loader_expected(loader, "'groups', their number, 'exhausted' and 0 or 1");
  loader->first_group_line = loader->lines.line + 1;
  for (uint64_t i = 0; i < groups; i++) {
    status = load_group(loader);
    if (status != ENTROPIC_OK)
      return status;
  }
  status = load_end(loader);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_loader_locate(loader, ent_design_finish(loader->context, loader->design), 0);
  if (status != ENTROPIC_OK)
    return status;
  return check_repeats(loader);
}

static entropic_status load_all(ent_loader *loader) {
  entropic_criterion criterion = ENTROPIC_CRITERION_L2;
  uint64_t inputs = 0;
  entropic_status status = load_head(loader, &criterion, &inputs);
  if (status != ENTROPIC_OK)
    return status;
  loader->axes = ent_new(loader->context, (size_t)inputs, sizeof *loader->axes);
  loader->terms = ent_new(loader->context, (size_t)inputs, sizeof *loader->terms);
  if (loader->axes == NULL || loader->terms == NULL)
    return ENTROPIC_NO_MEMORY;
  status = load_axes(loader, (size_t)inputs);
  if (status != ENTROPIC_OK)
    return status;
  entropic_kernel *kernel;
  status = ent_loader_locate(
      loader, ent_kernel_create(loader->context, loader->axes, (size_t)inputs, (size_t)inputs, &kernel), 0);
  if (status != ENTROPIC_OK)
    return status;
  loader->design = ent_design_new(loader->context, kernel, criterion);
  entropic_kernel_free(kernel);
  if (loader->design == NULL)
    return ENTROPIC_NO_MEMORY;
  status = load_bases(loader);
  if (status != ENTROPIC_OK)
    return status;
  return load_groups(loader);
}

entropic_status ent_design_load_columns(entropic_context *context, const ent_design_place *place,
                                        ent_design_columns **columns, entropic_design **design) {
  ent_loader loader = {.context = context, .at = ""};
  entropic_status status = place->path != NULL
                               ? ent_lines_open(context, place->path, &loader.lines)
                               : ent_lines_open_memory(context, place->bytes, place->count, &loader.lines);
  if (status != ENTROPIC_OK)
    return status;
  status = load_all(&loader);
  if (status != ENTROPIC_OK)
    goto done;
  if (columns != NULL && loader.columns == NULL) {
    status = ent_fail(loader.context, ENTROPIC_BAD_DATA,
                      "%s, line 1: found a design that does not say for which columns it is, expected "
                      "'" ENT_DESIGN_FIRST_LINE_COLUMNS "' (entropic design --ranges)",
                      loader.lines.bytes->name);
    goto done;
  }
  if (columns != NULL) {
    *columns = loader.columns;
    loader.columns = NULL;
  }
  *design = loader.design;
  loader.design = NULL;
done:
  entropic_design_free(loader.design);
  ent_design_columns_free(loader.columns);
  ent_lines_close(&loader.lines);
  ent_delete(loader.axes);
  ent_delete(loader.terms);
  ent_delete(loader.members);
  for (size_t i = 0; i < loader.kept_count; i++)
    ent_delete(loader.kept[i]);
  ent_delete(loader.kept);
  return status;
}

entropic_status entropic_design_load(entropic_context *context, const char *path, entropic_design **design) {
  ENT_NEED(context, path);
  ENT_NEED(context, design);
  return ent_design_load_columns(context, &(ent_design_place){.path = path}, NULL, design);
}

entropic_status entropic_design_load_memory(entropic_context *context, const void *bytes, size_t count,
                                            entropic_design **design) {
  ENT_NEED(context, bytes);
  ENT_NEED(context, design);
  return ent_design_load_columns(context, &(ent_design_place){.bytes = bytes, .count = count}, NULL, design);
}
