/* Reading the part of a design about its columns. The format is described in save.c. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "design/loader.h"

typedef entropic_status (*ent_add_name)(entropic_context *context, ent_design_columns *columns, const char *text,
                                        size_t length);

/* What is left of the line is a name. */
static entropic_status add_rest(ent_loader *loader, ent_add_name add) {
  return ent_loader_locate(loader, add(loader->context, loader->columns, loader->at, strlen(loader->at)),
                           loader->lines.line);
}

/* A line of a word and a name. */
static entropic_status load_name(ent_loader *loader, const char *word, const char *what, ent_add_name add) {
  entropic_status status = ent_loader_next(loader, what);
  if (status != ENTROPIC_OK)
    return status;
  if (!ent_take_word(loader, word))
    return ent_loader_expected(loader, what);
  return add_rest(loader, add);
}

/* The two ends of a range, behind its word. */
static entropic_status take_range(ent_loader *loader, double *low, double *high) {
  if (!(ent_take_double(loader, low) && ent_take_double(loader, high) && *loader->at == '\0'))
    return ent_loader_expected(loader, "the two ends of a range");
  if (ent_design_is_range(*low, *high))
    return ENTROPIC_OK;
  return ent_fail(loader->context, ENTROPIC_BAD_DATA,
                  "%s, line %zu: found a range from %g to %g, expected two finite numbers, the smaller one first",
                  loader->lines.bytes->name, loader->lines.line, *low, *high);
}

/* The number of names that follow, behind its word. */
static entropic_status take_count(ent_loader *loader, size_t most, uint64_t *count) {
  return ent_take_integer(loader, most, ' ', count) && *count >= 2 && *loader->at == '\0'
             ? ENTROPIC_OK
             : ent_loader_expected(loader, "how many lines with names follow, 2 or more");
}

static entropic_status load_categories(ent_loader *loader) {
  uint64_t count;
  entropic_status status = take_count(loader, ENT_MAX_CATEGORIES - 1, &count);
  if (status != ENTROPIC_OK)
    return status;
  for (uint64_t i = 0; i < count; i++) {
    status = load_name(loader, "category", "'category' and its name", ent_design_add_category);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

static entropic_status load_missing(ent_loader *loader, bool *missing) {
  entropic_status status = ent_loader_next(loader, "'missing refused' or 'missing atom'");
  if (status != ENTROPIC_OK)
    return status;
  *missing = strcmp(loader->at, "missing atom") == 0;
  return *missing || strcmp(loader->at, "missing refused") == 0
             ? ENTROPIC_OK
             : ent_loader_expected(loader, "'missing refused' or 'missing atom'");
}

static entropic_status load_input(ent_loader *loader) {
  static const char what[] = "'range' and its two ends, or 'categories' and their number";
  entropic_status status = load_name(loader, "input", "'input' and the name of its column", ent_design_add_input);
  if (status != ENTROPIC_OK)
    return status;
  ent_design_input *input = &loader->columns->input[loader->columns->inputs - 1];
  status = ent_loader_next(loader, what);
  if (status != ENTROPIC_OK)
    return status;
  if (ent_take_word(loader, "range"))
    status = take_range(loader, &input->low, &input->high);
  else if (ent_take_word(loader, "categories"))
    status = load_categories(loader);
  else
    status = ent_loader_expected(loader, what);
  return status != ENTROPIC_OK ? status : load_missing(loader, &input->missing);
}

/* A line of a word and a number of at least 0, or above it. */
static entropic_status load_number(ent_loader *loader, const char *word, bool positive, const char *what,
                                   double *value) {
  entropic_status status = ent_loader_next(loader, what);
  if (status != ENTROPIC_OK)
    return status;
  const char *line = loader->at;
  if (ent_take_word(loader, word) && ent_take_double(loader, value) && *loader->at == '\0' && isfinite(*value) &&
      *value >= 0 && (*value > 0 || !positive))
    return ENTROPIC_OK;
  loader->at = line;
  return ent_loader_expected(loader, what);
}

static entropic_status load_classes(ent_loader *loader) {
  uint64_t count;
  entropic_status status = take_count(loader, INT32_MAX, &count);
  if (status != ENTROPIC_OK)
    return status;
  for (uint64_t i = 0; i < count; i++) {
    status = load_name(loader, "class", "'class' and its name", ent_design_add_class);
    if (status != ENTROPIC_OK)
      return status;
  }
  return load_number(loader, "inverse-temperature", true, "'inverse-temperature' and a number above 0",
                     &loader->columns->inverse_temperature);
}

static entropic_status load_target(ent_loader *loader) {
  static const char what[] = "'range' and its two ends, or 'classes' and their number";
  ent_design_columns *columns = loader->columns;
  entropic_status status = load_name(loader, "target", "'target' and the name of its column", ent_design_set_target);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_loader_next(loader, what);
  if (status != ENTROPIC_OK)
    return status;
  if (ent_take_word(loader, "range"))
    return take_range(loader, &columns->target_low, &columns->target_high);
  return ent_take_word(loader, "classes") ? load_classes(loader) : ent_loader_expected(loader, what);
}

entropic_status ent_load_columns(ent_loader *loader) {
  static const char what[] = "'columns' and the number of inputs, from 1 to 1048576";
  uint64_t inputs = 0;
  entropic_status status = ent_design_columns_create(loader->context, &loader->columns);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_loader_next(loader, what);
  if (status != ENTROPIC_OK)
    return status;
  if (!(ent_take_word(loader, "columns") && ent_take_integer(loader, ENT_MAX_SAVED_INPUTS, ' ', &inputs) &&
        inputs > 0 && *loader->at == '\0'))
    return ent_loader_expected(loader, what);
  for (uint64_t i = 0; i < inputs; i++) {
    status = load_input(loader);
    if (status != ENTROPIC_OK)
      return status;
  }
  status = load_target(loader);
  if (status != ENTROPIC_OK)
    return status;
  return load_number(loader, "lambda", false, "'lambda' and a number that is not negative", &loader->columns->lambda);
}

/* What is wrong with an axis for a column; NULL if nothing is. */
static const char *find_mismatch(const entropic_axis_options *axis, const ent_design_input *input) {
  bool categories = entropic_family_has(axis->family, ENTROPIC_TRAIT_CATEGORIES);
  if (categories != (input->categories > 0))
    return categories ? "the kernel of a number" : "the kernel of categories";
  if (categories)
    return axis->categories == ent_design_atoms(input)
               ? NULL
               : "as many categories as the column has, and one more for missing values with an atom";
  if ((axis->missing != 0) == input->missing)
    return NULL;
  return input->missing ? "an atom for missing values" : "no atom for missing values, which are refused";
}

entropic_status ent_load_check_axis(ent_loader *loader, const entropic_axis_options *axis, size_t first, size_t count) {
  for (size_t i = first; loader->columns != NULL && i < first + count; i++) {
    const ent_design_input *input = &loader->columns->input[i];
    const char *what = find_mismatch(axis, input);
    char shown[ENT_SHOW_SIZE];
    if (what != NULL)
      return ent_fail(loader->context, ENTROPIC_BAD_DATA, "%s, line %zu: the axis of input %zu (%s): expected %s",
                      loader->lines.bytes->name, loader->lines.line, i + 1,
                      ent_show(input->name, strlen(input->name), shown), what);
  }
  return ENTROPIC_OK;
}
