/* Sections about the data and the kernel: how the model came about, schema, scaler, axes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "columns/dictionary.h"
#include "design/design.h"
#include "loss/loss.h"
#include "model/format.h"

/* The parameters of a link that stand behind its number. */
static void take_link_parameters(ent_unpacker *unpacker, ent_link *link) {
  const ent_link_family *family = ent_link_of(link);
  for (size_t i = 0; i < family->parameter_count; i++) {
    const ent_link_parameter *parameter = &family->parameters[i];
    char what[ENT_SHOW_SIZE];
    size_t at = unpacker->at;
    if (!parameter->in_file)
      continue;
    snprintf(what, sizeof what, "the %s", parameter->what);
    double value = ent_unpack_double(unpacker, what);
    *ent_link_parameter_of(link, parameter) = value;
    if (ent_unpack_fine(unpacker) && !parameter->may_be_negative && !(value >= 0))
      ent_unpack_refuse(unpacker, at, "found a %s of %g, expected one that is not negative", parameter->what, value);
  }
}

/* From version 3 on, which is for models of a root; later ones may have another, or none but that of the task. */
static void take_link(ent_unpacker *unpacker, bool classes, ent_link *link) {
  size_t at = unpacker->at;
  bool any = unpacker->version >= 4;
  unsigned code = (unsigned)ent_unpack_byte(unpacker, 0, any ? ent_link_most_code() : 1,
                                            "the end of the target that its root is from") +
                  (any ? 0 : ent_link_code(&(ent_link){.number = ENT_LINK_ROOT, .sign = 1}));
  if (!ent_unpack_fine(unpacker) || code == 0)
    return;
  if (!ent_link_from_code(code, link) || unpacker->version < ent_link_of(link)->since) {
    ent_unpack_refuse(unpacker, at, "found %u, expected the number of a link", code);
    return;
  }
  take_link_parameters(unpacker, link);
  if (ent_unpack_fine(unpacker) && classes)
    ent_unpack_refuse(unpacker, at, "found the %s of a target, expected none with classes", ent_link_of(link)->name);
}

void ent_load_info(ent_unpacker *unpacker, entropic_model *model) {
  size_t start = unpacker->at;
  model->schema.task =
      (entropic_task)ent_unpack_byte(unpacker, ENTROPIC_TASK_REGRESSION, ENTROPIC_TASK_CLASSIFICATION, "a task");
  model->loss = (entropic_loss)ent_unpack_byte(unpacker, 1, UINT8_MAX, "a loss");
  const ent_loss *loss = ent_loss_of(model->loss);
  if (ent_unpack_fine(unpacker) && loss == NULL)
    ent_unpack_refuse(unpacker, start + 1, "found %d, expected a loss", (int)model->loss);
  model->solver = (entropic_solver)ent_unpack_byte(unpacker, ENTROPIC_SOLVER_DIRECT, ENTROPIC_SOLVER_EXACT, "a solver");
  model->converged = ent_unpack_byte(unpacker, 0, 1, "whether the fit converged") == 1;
  unsigned last = unpacker->version >= 4 ? ENTROPIC_VALIDATION_FORWARD : ENTROPIC_VALIDATION_PART;
  model->validation =
      (entropic_validation)ent_unpack_byte(unpacker, ENTROPIC_VALIDATION_NONE, last, "a kind of validation");
  uint64_t least = unpacker->statistics ? 0 : 1; /* statistics count their rows elsewhere */
  model->rows =
      (size_t)ent_unpack_count(unpacker, least, least * ENT_MODEL_MOST_ROWS, "the number of rows learnt from");
  model->folds = (size_t)ent_unpack_count(unpacker, 0, ENT_MODEL_MOST_ROWS, "the number of folds");
  model->validation_rows =
      (size_t)ent_unpack_count(unpacker, 0, ENT_MODEL_MOST_ROWS, "the number of rows of validation");
  model->seed = ent_unpack_u64(unpacker, "the seed");
  bool folds = model->validation == ENTROPIC_VALIDATION_FOLDS || model->validation == ENTROPIC_VALIDATION_PART;
  bool forward = model->validation == ENTROPIC_VALIDATION_FORWARD;
  if (ent_unpack_fine(unpacker) && (forward ? model->folds == 0 : folds != (model->folds > 1)))
    ent_unpack_refuse(unpacker, start + 4, "found %zu folds, expected %s with this kind of validation", model->folds,
                      forward ? "1 or more"
                      : folds ? "2 or more"
                              : "0");
  if (ent_unpack_fine(unpacker) && (model->validation == ENTROPIC_VALIDATION_NONE) != (model->validation_rows == 0))
    ent_unpack_refuse(unpacker, start + 4, "found %zu rows of validation, expected %s", model->validation_rows,
                      model->validation_rows == 0 ? "some as there was one" : "none as there was none");
  size_t at = unpacker->at;
  model->lambda = ent_unpack_double(unpacker, "lambda");
  model->link.inverse_temperature = ent_unpack_double(unpacker, "the inverse temperature");
  model->nonzeros = ent_unpack_double(unpacker, "the non-zeros of a row");
  model->validation_error = ent_unpack_measure(unpacker, "the error of validation");
  model->validation_loss = ent_unpack_measure(unpacker, "the loss of validation");
  bool classes = model->schema.task == ENTROPIC_TASK_CLASSIFICATION;
  if (unpacker->version >= 3)
    take_link(unpacker, classes, &model->link);
  size_t parameter = unpacker->at;
  if (loss != NULL && loss->parameter != NULL)
    model->loss_parameter = ent_unpack_double(unpacker, "the parameter of the loss");
  if (!ent_unpack_fine(unpacker) || loss == NULL)
    return;
  if (!(loss->traits & (classes ? ENT_LOSS_CLASSES : ENT_LOSS_NUMBERS)))
    ent_unpack_refuse(unpacker, start + 1, "found the %s loss with %s, expected one that is for them", loss->name,
                      classes ? "classes" : "numbers");
  if (unpacker->version < loss->since)
    ent_unpack_refuse(unpacker, start + 1, "found the %s loss in a file of version %u, expected version %u or later",
                      loss->name, (unsigned)unpacker->version, (unsigned)loss->since);
  if (!(model->loss_parameter >= 0))
    ent_unpack_refuse(unpacker, parameter, "found %g, expected a parameter of the loss that is not negative",
                      model->loss_parameter);
  if (!(model->lambda >= 0))
    ent_unpack_refuse(unpacker, at, "found lambda %g, expected one that is not negative", model->lambda);
  if (!(model->link.inverse_temperature > 0))
    ent_unpack_refuse(unpacker, at + 8, "found an inverse temperature of %g, expected one above 0",
                      model->link.inverse_temperature);
  if (model->link.inverse_temperature != 1 && !(classes && !(loss->traits & ENT_LOSS_PROBABILITIES)))
    ent_unpack_refuse(unpacker, at + 8, "found an inverse temperature of %g, expected 1 with this task and loss",
                      model->link.inverse_temperature);
  if (!(model->nonzeros >= 0))
    ent_unpack_refuse(unpacker, at + 16, "found %g non-zeros a row, expected no negative number", model->nonzeros);
}

/* No name may come twice; sorted: they must be in the order of names. */
static void check_names(ent_unpacker *unpacker, size_t at, char *const *names, size_t count, bool sorted,
                        const char *what) {
  if (!ent_unpack_fine(unpacker))
    return;
  char **order = ent_new(unpacker->context, count, sizeof *order), shown[ENT_SHOW_SIZE];
  if (order == NULL) {
    ent_unpack_adopt(unpacker, at, ENTROPIC_NO_MEMORY);
    return;
  }
  memcpy(order, names, count * sizeof *order);
  ent_unpack_adopt(unpacker, at, ent_names_sort(unpacker->context, order, count));
  for (size_t i = 0; i < count && ent_unpack_fine(unpacker); i++) {
    const char *name = ent_show(order[i], strlen(order[i]), shown);
    if (i > 0 && strcmp(order[i - 1], order[i]) == 0)
      ent_unpack_refuse(unpacker, at, "found '%s' twice, expected %s of different names", name, what);
    else if (sorted && order[i] != names[i])
      ent_unpack_refuse(unpacker, at, "found '%s' out of its place, expected %s in sorted order", name, what);
  }
  ent_delete(order);
}

/* A list of names. *count is set as soon as there is room for them, so that they can be freed. */
static void take_names(ent_unpacker *unpacker, size_t least, size_t most, bool sorted, const char *what, char ***list,
                       size_t *count) {
  size_t at = unpacker->at, names = ent_unpack_many(unpacker, least, most, 1, what);
  if (!ent_unpack_fine(unpacker))
    return;
  *list = ent_new(unpacker->context, names, sizeof **list);
  if (*list == NULL) {
    ent_unpack_adopt(unpacker, at, ENTROPIC_NO_MEMORY);
    return;
  }
  *count = names;
  for (size_t i = 0; i < names && ent_unpack_fine(unpacker); i++)
    (*list)[i] = ent_unpack_text(unpacker, "a name");
  check_names(unpacker, at, *list, names, sorted, what);
}

static void check_inputs(ent_unpacker *unpacker, size_t at, const ent_schema *schema) {
  if (!ent_unpack_fine(unpacker))
    return;
  char **names = ent_new(unpacker->context, schema->inputs, sizeof *names);
  if (names == NULL) {
    ent_unpack_adopt(unpacker, at, ENTROPIC_NO_MEMORY);
    return;
  }
  for (size_t i = 0; i < schema->inputs; i++)
    names[i] = schema->input[i].name;
  check_names(unpacker, at, names, schema->inputs, false, "inputs");
  ent_delete(names);
}

static void take_input(ent_unpacker *unpacker, entropic_solver solver, ent_input *input) {
  static const unsigned most[] = {ENT_INPUT_MISSING, ENT_INPUT_MISSING | ENT_INPUT_DATE,
                                  ENT_INPUT_MISSING | ENT_INPUT_DATE | ENT_INPUT_UNUSED | ENT_INPUT_CATEGORY,
                                  ENT_INPUT_DERIVED | ENT_INPUT_UNUSED};
  input->name = ent_unpack_text(unpacker, "the name of an input");
  size_t at = unpacker->at;
  uint64_t marks = ent_unpack_byte(unpacker, 0,
                                   most[unpacker->version == 1                  ? 0
                                        : unpacker->version < 4                 ? 1
                                        : unpacker->version < ENT_MEANS_VERSION ? 2
                                                                                : 3],
                                   "whether values were missing and what kind of input it is");
  input->missing = (marks & ENT_INPUT_MISSING) != 0;
  input->date = (marks & ENT_INPUT_DATE) != 0;
  input->unused = (marks & ENT_INPUT_UNUSED) != 0;
  input->was_category = (marks & ENT_INPUT_CATEGORY) != 0;
  input->derived = (marks & ENT_INPUT_DERIVED) != 0;
  if (!input->unused)
    take_names(unpacker, 0, ENT_MAX_CATEGORIES, false, "categories", &input->category, &input->categories);
  if (ent_unpack_fine(unpacker) && input->date && (input->categories > 0 || input->was_category))
    ent_unpack_refuse(unpacker, at, "found a date with categories, expected one or the other");
  if (ent_unpack_fine(unpacker) && input->derived &&
      (input->missing || input->date || input->categories > 0 || input->was_category))
    ent_unpack_refuse(unpacker, at, "found an input that is made of categories with other marks, expected a number");
  if (ent_unpack_fine(unpacker) && input->was_category && !input->unused)
    ent_unpack_refuse(unpacker, at, "found a mark of categories that are not kept, expected it only without use");
  if (ent_unpack_fine(unpacker) && input->unused && solver == ENTROPIC_SOLVER_EXACT)
    ent_unpack_refuse(unpacker, at, "found an input that is not used, expected none with the exact solver");
}

void ent_load_schema(ent_unpacker *unpacker, entropic_model *model) {
  ent_schema *schema = &model->schema;
  /* An input takes two bytes at least: no name, a mark; one that is used a third, no categories. */
  size_t at = unpacker->at, inputs = ent_unpack_many(unpacker, 1, ENT_MAX_SAVED_INPUTS, 2, "the number of inputs");
  if (!ent_unpack_fine(unpacker))
    return;
  schema->input = ent_new(unpacker->context, inputs, sizeof *schema->input);
  if (schema->input == NULL) {
    ent_unpack_adopt(unpacker, at, ENTROPIC_NO_MEMORY);
    return;
  }
  schema->inputs = inputs;
  for (size_t i = 0; i < inputs && ent_unpack_fine(unpacker); i++)
    take_input(unpacker, model->solver, &schema->input[i]);
  check_inputs(unpacker, at, schema);
  bool classes = schema->task == ENTROPIC_TASK_CLASSIFICATION;
  bool single = classes || ent_link_has(&model->link, ENT_LINK_ONE_TARGET);
  take_names(unpacker, 1, single ? 1 : INT32_MAX, false, "targets", &schema->target, &schema->targets);
  take_names(unpacker, classes ? 2 : 0, classes ? INT32_MAX : 0, true, "classes", &schema->class_name,
             &schema->classes);
  model->scores = classes ? ent_class_scores(schema->classes) : schema->targets;
  if (classes)
    model->link.number = ent_link_for(schema->classes).number;
}

/* A notation other than plain goes with numbers; that of a date is one of dates. */
static bool is_fitting(const ent_input *input, ent_notation notation) {
  return notation == ENT_NOTATION_PLAIN || (input->categories == 0 && ent_notation_is_date(notation) == input->date);
}

void ent_load_notations(ent_unpacker *unpacker, entropic_model *model) {
  ent_schema *schema = &model->schema;
  for (size_t i = 0; i < schema->inputs && ent_unpack_fine(unpacker); i++) {
    size_t at = unpacker->at;
    ent_input *input = &schema->input[i];
    input->notation = (ent_notation)ent_unpack_byte(unpacker, 0, ENT_NOTATIONS - 1, "how an input is written");
    if (ent_unpack_fine(unpacker) && !is_fitting(input, input->notation))
      ent_unpack_refuse(unpacker, at, "found the notation %d, expected one that goes with the input", input->notation);
  }
  if (!ent_unpack_fine(unpacker))
    return;
  schema->target_notation = ent_new(unpacker->context, schema->targets, 1);
  if (schema->target_notation == NULL) {
    ent_unpack_adopt(unpacker, unpacker->at, ENTROPIC_NO_MEMORY);
    return;
  }
  for (size_t i = 0; i < schema->targets && ent_unpack_fine(unpacker); i++)
    schema->target_notation[i] = (uint8_t)ent_unpack_byte(unpacker, 0, ENT_NOTATIONS - 1, "how a target is written");
}

/* Whether the parts of inputs go together: see ent_input. */
static bool is_fitting_part(const ent_schema *schema, size_t input) {
  const ent_input *of = &schema->input[input];
  bool made = ent_part_is_made(of->part), weekday = of->part == ENT_PART_WEEKDAY;
  if (!made)
    return of->date || of->part == ENT_PART_NONE;
  if (of->date || input == 0 || of[-1].part == ENT_PART_NONE || of[-1].part >= of->part ||
      of->categories != (weekday && !of->unused ? ENT_WEEKDAYS : 0) || (of->was_category && !weekday))
    return false;
  const char *whole = schema->input[ent_schema_date_of(schema, input)].name;
  size_t length = strlen(whole);
  return strncmp(of->name, whole, length) == 0 && of->name[length] == ':' &&
         strcmp(of->name + length + 1, ent_part_name(of->part)) == 0;
}

void ent_load_parts(ent_unpacker *unpacker, entropic_model *model) {
  ent_schema *schema = &model->schema;
  size_t at = unpacker->at, found = 0;
  if (unpacker->version < ENT_PARTS_VERSION)
    ent_unpack_refuse(unpacker, at, "found parts of dates in format %" PRIu32 ", which has none before format %" PRIu32,
                      unpacker->version, ENT_PARTS_VERSION);
  for (size_t i = 0; i < schema->inputs && ent_unpack_fine(unpacker); i++) {
    schema->input[i].part = (ent_date_part)ent_unpack_byte(unpacker, 0, ENT_DATE_PARTS - 1, "the part of a date");
    found += schema->input[i].part != ENT_PART_NONE;
    if (ent_unpack_fine(unpacker) && !is_fitting_part(schema, i))
      ent_unpack_refuse(unpacker, at + i, "found the part %d, expected one that goes with the input",
                        schema->input[i].part);
  }
  if (ent_unpack_fine(unpacker) && found == 0)
    ent_unpack_refuse(unpacker, at, "found no part of a date, expected one or no such section");
}

void ent_load_marks(ent_unpacker *unpacker, entropic_model *model) {
  model->schema.missing_marks = ent_unpack_text(unpacker, "marks of missing values");
}

void ent_load_complete(ent_unpacker *unpacker, entropic_model *model) {
  size_t at = unpacker->at, refused = 0;
  for (size_t i = 0; i < model->schema.inputs && ent_unpack_fine(unpacker); i++) {
    ent_input *input = &model->schema.input[i];
    unsigned most = input->unused || input->missing ? 0 : 1;
    input->complete = ent_unpack_byte(unpacker, 0, most, "whether missing values of an input are refused") == 1;
    refused += input->complete;
  }
  if (ent_unpack_fine(unpacker) && refused == 0)
    ent_unpack_refuse(unpacker, at, "found no input whose missing values are refused, expected one or no such section");
}

void ent_load_terms(ent_unpacker *unpacker, entropic_model *model) {
  size_t at = unpacker->at;
  bool given = false;
  for (int kind = 0; kind < ENT_RESTRICT_KINDS && ent_unpack_fine(unpacker); kind++) {
    char *text = ent_unpack_text(unpacker, "terms of features");
    if (text != NULL && *text != 0) {
      model->schema.terms[kind] = text;
      given = true;
    } else {
      ent_delete(text);
    }
  }
  if (ent_unpack_fine(unpacker) && !given)
    ent_unpack_refuse(unpacker, at, "found no terms, expected those that features are restricted to");
}

/* How one input is scaled. */
static void take_scale(ent_unpacker *unpacker, const ent_input *kind, size_t input, entropic_scaler *scaler) {
  size_t at = unpacker->at, knots = 0;
  double *places = NULL, *heights = NULL;
  if (kind->categories == 0) {
    knots = ent_unpack_many(unpacker, 0, ENT_KNOTS, 16, "a number of knots");
    places = ent_unpack_doubles(unpacker, knots, false, "a knot");
    heights = ent_unpack_doubles(unpacker, knots, false, "the height of a knot");
  }
  double ends[2];
  ent_scale_parts parts = {.at = places,
                           .height = heights,
                           .knots = knots,
                           .categories = kind->categories,
                           .missing = kind->categories > 0 && kind->missing,
                           .fixed = ent_part_ends(kind->part, ends)};
  if (ent_unpack_fine(unpacker) && parts.fixed && !(knots == 2 && places[0] == ends[0] && places[1] == ends[1]))
    ent_unpack_refuse(unpacker, at, "found other knots, expected those of the part of a date");
  if (ent_unpack_fine(unpacker))
    ent_unpack_adopt(unpacker, at, ent_scaler_set(unpacker->context, scaler, input, &parts));
  ent_delete(places);
  ent_delete(heights);
}

void ent_load_scaler(ent_unpacker *unpacker, entropic_model *model) {
  size_t at = unpacker->at;
  entropic_scaling last = unpacker->version == 1 ? ENTROPIC_SCALING_NONE : ENTROPIC_SCALING_BLEND;
  uint64_t scaling = ent_unpack_byte(unpacker, 0, last - ENTROPIC_SCALING_QUANTILE, "a kind of scaling") +
                     ENTROPIC_SCALING_QUANTILE; /* files count from 0 */
  if (!ent_unpack_fine(unpacker))
    return;
  const ent_schema *schema = &model->schema;
  ent_unpack_adopt(unpacker, at,
                   ent_scaler_start(unpacker->context, (entropic_scaling)scaling, schema->inputs, &model->main.scaler));
  for (size_t i = ent_next_used(schema, 0); i < schema->inputs && ent_unpack_fine(unpacker);
       i = ent_next_used(schema, i + 1))
    take_scale(unpacker, &schema->input[i], i, model->main.scaler);
}

/* The texts of custom kernels, until there is a kernel that has copies. */
typedef struct ent_kept_texts {
  char **texts;
  size_t count, capacity;
} ent_kept_texts;

/* The texts of a custom kernel: p and q, or an equation. */
static void take_texts(ent_unpacker *unpacker, ent_kept_texts *kept, entropic_axis_options *options) {
  bool pair = ent_unpack_byte(unpacker, ENT_CUSTOM_PAIR, ENT_CUSTOM_EQUATION, "how a custom kernel is written") ==
              ENT_CUSTOM_PAIR;
  for (int i = pair ? 0 : ENT_TEXT_ALPHA; i < (pair ? ENT_TEXT_ALPHA : ENT_TEXTS) && ent_unpack_fine(unpacker); i++) {
    if (!ent_reserve(unpacker->context, &kept->texts, &kept->capacity, kept->count + 1, sizeof *kept->texts)) {
      ent_unpack_adopt(unpacker, unpacker->at, ENTROPIC_NO_MEMORY);
      return;
    }
    char *text = ent_unpack_text(unpacker, "an expression");
    if (text == NULL)
      return;
    *ent_text_of(options, i) = kept->texts[kept->count++] = text;
  }
}

static entropic_axis_options take_axis(ent_unpacker *unpacker, ent_kept_texts *kept) {
  size_t at = unpacker->at;
  entropic_axis_options options = {0};
  options.family = (entropic_family)ent_unpack_byte(unpacker, 0, (unsigned)ent_family_count() - 1, "a kernel");
  options.basis = (entropic_basis)ent_unpack_byte(unpacker, ENTROPIC_BASIS_FULL, ENTROPIC_BASIS_INTERIOR, "a basis");
  options.max_level = (int)ent_unpack_byte(unpacker, 0, ENTROPIC_MAX_LEVEL, "the deepest level");
  options.smooth = (int)ent_unpack_byte(unpacker, 0, 8, "the degree of smooth atoms");
  unsigned most = unpacker->version == 1 ? ENT_AXIS_UNIT : ENT_AXIS_UNIT | ENT_AXIS_MISSING;
  uint64_t marks = ent_unpack_byte(unpacker, 0, most, "whether hats have height 1 and missing values an atom");
  options.unit_height = (marks & ENT_AXIS_UNIT) != 0;
  options.missing = (marks & ENT_AXIS_MISSING) != 0;
  options.omega = ent_unpack_double(unpacker, "omega");
  if (!ent_unpack_fine(unpacker))
    return options;
  const ent_family *family = ent_family_of(options.family);
  if (family->since > unpacker->version)
    ent_unpack_refuse(unpacker, at, "found the %s kernel in format %" PRIu32 ", which has none before format %" PRIu32,
                      family->name, unpacker->version, family->since);
  else if (family->traits & ENTROPIC_TRAIT_FUNCTIONS)
    take_texts(unpacker, kept, &options);
  return options;
}

/* What only the input knows of its axis, and whether they go together. */
static void set_axis(ent_unpacker *unpacker, size_t at, entropic_model *model, size_t input,
                     entropic_axis_options *axis) {
  const ent_input *of = &model->schema.input[input];
  bool category = of->categories > 0;
  axis->categories = category ? ent_input_atoms(of) : 0;
  if (category != entropic_family_has(axis->family, ENTROPIC_TRAIT_CATEGORIES))
    ent_unpack_refuse(unpacker, at, "found the %s kernel for input %zu, which is a %s",
                      entropic_family_name(axis->family), input + 1, category ? "category" : "number");
  else if (ent_part_is_made(of->part) && !category && !entropic_family_has(axis->family, ENTROPIC_TRAIT_PERIODIC))
    ent_unpack_refuse(unpacker, at, "found the %s kernel for input %zu, which is the part of a date",
                      entropic_family_name(axis->family), input + 1);
  else if (axis->missing && !of->missing)
    ent_unpack_refuse(unpacker, at, "found an atom for missing values of input %zu, which had none", input + 1);
  model->main.scaler->scales[input].missing = axis->missing != 0; /* what has an atom stays missing */
}

void ent_load_kernel(ent_unpacker *unpacker, entropic_model *model) {
  const ent_schema *schema = &model->schema;
  size_t at = unpacker->at, inputs = schema->inputs;
  ent_kept_texts kept = {0};
  entropic_axis_options *axes = ent_new(unpacker->context, inputs, sizeof *axes);
  if (axes == NULL) {
    ent_unpack_adopt(unpacker, at, ENTROPIC_NO_MEMORY);
    return;
  }
  for (size_t i = 0; i < inputs; i++) { /* any that has the constant, for inputs that are not used */
    axes[i] = ent_axis_options_default();
    axes[i].max_level = 0;
  }
  size_t left = ent_model_used(model);
  for (size_t i = ent_next_used(schema, 0); i < inputs && ent_unpack_fine(unpacker);) {
    size_t place = unpacker->at, run = (size_t)ent_unpack_count(unpacker, 1, left, "a number of inputs");
    entropic_axis_options options = take_axis(unpacker, &kept);
    for (left -= run; run > 0 && ent_unpack_fine(unpacker); run--, i = ent_next_used(schema, i + 1)) {
      axes[i] = options;
      set_axis(unpacker, place, model, i, &axes[i]);
    }
  }
  if (ent_unpack_fine(unpacker))
    ent_unpack_adopt(unpacker, at, ent_kernel_create(unpacker->context, axes, inputs, inputs, &model->main.kernel));
  ent_delete(axes);
  for (size_t i = 0; i < kept.count; i++)
    ent_delete(kept.texts[i]);
  ent_delete(kept.texts);
}
