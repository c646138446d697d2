/* A model as JSON: docs/export-format.md says what the keys are. */
#include "base/report.h"
#include "export/languages.h"

#include <math.h>
#include <string.h>

#define JSON_VERSION 1           /* of most models */
#define JSON_BEYOND_VERSION 2    /* some lines go on outside the training range */
#define JSON_COMPONENT_VERSION 3 /* inputs are scaled in more than one way */
#define JSON_CENTRE_VERSION 4    /* it contains training rows */

static const char *const shape_names[ENT_EXPORT_SHAPES] = {
    [ENT_EXPORT_CONSTANT] = "constant", [ENT_EXPORT_CATEGORY] = "category", [ENT_EXPORT_MISSING] = "missing",
    [ENT_EXPORT_LINE] = "line",         [ENT_EXPORT_HAT] = "hat",           [ENT_EXPORT_LEGENDRE] = "legendre",
    [ENT_EXPORT_EVEN] = "even",         [ENT_EXPORT_ODD] = "odd",           [ENT_EXPORT_SINH_HAT] = "sinh_hat",
    [ENT_EXPORT_SERIES] = "series"};

static void add_numbers(entropic_report *report, const char *key, const double *values, size_t count) {
  entropic_report_open_list(report, key);
  for (size_t i = 0; i < count; i++)
    entropic_report_add_number(report, NULL, values[i]);
  entropic_report_close(report);
}

static void add_names(entropic_report *report, const char *key, char *const *names, size_t count) {
  entropic_report_open_list(report, key);
  for (size_t i = 0; i < count; i++)
    entropic_report_add_text(report, NULL, names[i]);
  entropic_report_close(report);
}

static void add_series(entropic_report *report, const ent_export_series *series, size_t number) {
  entropic_report_open_list(report, "pieces");
  for (size_t i = series->starts[number]; i < series->starts[number + 1]; i++) {
    const ent_export_piece *piece = &series->pieces[i];
    entropic_report_open_object(report, NULL);
    entropic_report_add_number(report, "first", piece->first);
    entropic_report_add_number(report, "last", piece->last);
    add_numbers(report, "terms", series->terms + piece->term, piece->terms);
    entropic_report_close(report);
  }
  entropic_report_close(report);
}

static void add_atoms(entropic_report *report, const ent_export_parts *parts, size_t place,
                      const ent_export_level *level) {
  const ent_marginal *m = ent_export_marginal(parts, place);
  size_t first = level->slot - ent_export_first_slot(parts, place);
  entropic_report_open_list(report, "atoms");
  for (size_t a = 0; a < level->count; a++) {
    entropic_report_open_object(report, NULL);
    entropic_report_add_integer(report, "slot", level->slot + a);
    entropic_report_add_integer(report, "atom", m->atoms[first + a]);
    if (parts->has_effects)
      entropic_report_add_number(report, "mean", m->means[first + a]);
    if (level->shape == ENT_EXPORT_SERIES)
      add_series(report, &parts->series, level->number + a);
    entropic_report_close(report);
  }
  entropic_report_close(report);
}

static void add_levels(entropic_report *report, const ent_export_parts *parts, size_t place) {
  static const char *const keys[ENT_EXPORT_NUMBERS] = {"scale", "rate", "small_scale"};
  entropic_report_open_list(report, "levels");
  for (size_t l = parts->level_starts[place]; l < parts->level_starts[place + 1]; l++) {
    const ent_export_level *level = &parts->levels[l];
    entropic_report_open_object(report, NULL);
    entropic_report_add_text(report, "shape", shape_names[level->shape]);
    entropic_report_add_integer(report, "depth", (uint64_t)level->depth);
    for (size_t i = 0; i < ENT_EXPORT_NUMBERS && i < ent_export_number_count(level->shape); i++) {
      const char *key = level->shape == ENT_EXPORT_LINE && i == 1       ? "centre"
                        : level->shape == ENT_EXPORT_LEGENDRE && i == 1 ? "degree"
                                                                        : keys[i];
      entropic_report_add_number(report, key, parts->numbers[level->number + i]);
    }
    add_atoms(report, parts, place, level);
    entropic_report_close(report);
  }
  entropic_report_close(report);
}

/* The kernel of an input, as docs/export-format.md writes it. */
static void add_kernel(entropic_report *report, const ent_export_parts *parts, size_t scaled) {
  static const char *const shapes[ENT_FORMULA_SHAPES] = {[ENT_FORMULA_KINK] = "kink",
                                                         [ENT_FORMULA_MIN] = "min",
                                                         [ENT_FORMULA_BRIDGE] = "bridge",
                                                         [ENT_FORMULA_DECAY] = "decay",
                                                         [ENT_FORMULA_EXPONENTIALS] = "exponentials",
                                                         [ENT_FORMULA_SINH] = "sinh",
                                                         [ENT_FORMULA_CELLS] = "category"};
  if (ent_export_sections(parts, scaled) == NULL)
    return;
  entropic_report_open_object(report, "kernel");
  entropic_report_add_text(report, "shape", shapes[parts->kernels[scaled].shape]);
  add_numbers(report, "numbers", parts->kernels[scaled].numbers, ENT_FORMULA_NUMBERS);
  if (ent_export_missing_kernel(parts, scaled) > 0)
    entropic_report_add_number(report, "missing", ent_export_missing_kernel(parts, scaled));
  entropic_report_close(report);
}

/* How a component scales an input, and its levels. */
static void add_scaled(entropic_report *report, const ent_export_parts *parts, size_t scaled) {
  const ent_scale *scale = ent_export_scale(parts, scaled);
  if (scale->categories == 0) {
    add_numbers(report, "knots", scale->at, scale->knots);
    add_numbers(report, "heights", scale->height, scale->knots);
  }
  if (ent_export_goes_beyond(parts, scaled)) {
    entropic_report_open_list(report, "beyond");
    for (size_t k = 0; k < parts->model->scores; k++)
      entropic_report_add_number(report, NULL, ent_export_beyond(parts, scaled, k));
    entropic_report_close(report);
  }
  add_levels(report, parts, scaled);
  add_kernel(report, parts, scaled);
}

static void add_inputs(entropic_report *report, const ent_export_parts *parts) {
  entropic_report_open_list(report, "inputs");
  for (size_t i = 0; i < parts->effects->used; i++) {
    const ent_input *input = ent_export_schema(parts, i);
    entropic_report_open_object(report, NULL);
    entropic_report_add_text(report, "name", input->name);
    entropic_report_add_text(report, "type", input->categories > 0 ? "category" : input->date ? "date" : "number");
    if (ent_part_is_made(input->part)) {
      entropic_report_add_text(report, "column", ent_export_column(parts, i));
      entropic_report_add_text(report, "part", ent_part_name(input->part));
    }
    entropic_report_add_flag(report, "missing", ent_export_keeps_missing(parts, i));
    if (input->categories > 0)
      add_names(report, "categories", input->category, input->categories);
    add_scaled(report, parts, i);
    if (parts->scaled > parts->effects->used)
      entropic_report_open_list(report, "more");
    for (size_t s = i + parts->effects->used; s < parts->scaled; s += parts->effects->used) {
      entropic_report_open_object(report, NULL);
      entropic_report_add_flag(report, "missing", ent_export_keeps_missing(parts, s));
      add_scaled(report, parts, s);
      entropic_report_close(report);
    }
    if (parts->scaled > parts->effects->used)
      entropic_report_close(report);
    entropic_report_close(report);
  }
  entropic_report_close(report);
}

static void add_features(entropic_report *report, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  const ent_effects *e = parts->effects;
  entropic_report_open_list(report, "features");
  for (size_t f = 0; f < parts->effects->features; f++) {
    entropic_report_open_object(report, NULL);
    entropic_report_open_list(report, "slots");
    for (size_t i = e->starts[f]; i < e->starts[f + 1]; i++)
      entropic_report_add_integer(report, NULL, ent_export_slot(parts, e->factors[i]));
    entropic_report_close(report);
    entropic_report_open_list(report, "weights");
    for (size_t k = 0; k < model->scores; k++)
      entropic_report_add_number(report, NULL, parts->effects->weights[k * parts->effects->features + f]);
    entropic_report_close(report);
    entropic_report_close(report);
  }
  entropic_report_close(report);
}

/* One object for each component of centres. */
static void add_centres(entropic_report *report, const ent_export_parts *parts) {
  const ent_effects *e = parts->effects;
  if (parts->centres == 0)
    return;
  entropic_report_open_list(report, "centres");
  for (size_t c = 0; c < e->part_count; c++) {
    const ent_sections *of = e->parts[c].sections;
    if (of == NULL)
      continue;
    entropic_report_open_object(report, NULL);
    entropic_report_add_integer(report, "component", c);
    entropic_report_open_list(report, "rows");
    for (size_t j = 0; j < of->centres; j++) {
      entropic_report_open_object(report, NULL);
      entropic_report_open_list(report, "at");
      for (size_t i = 0; i < e->used; i++)
        entropic_report_add_number(report, NULL, ent_export_coordinate(parts, c * e->used + i, j));
      entropic_report_close(report);
      entropic_report_open_list(report, "weights");
      for (size_t k = 0; k < parts->model->scores; k++)
        entropic_report_add_number(report, NULL, of->component->weights[k * of->centres + j]);
      entropic_report_close(report);
      entropic_report_open_list(report, "means");
      for (size_t i = 0; i < e->used; i++)
        entropic_report_add_number(report, NULL, ent_section_mean(of, j, i));
      entropic_report_close(report);
      entropic_report_close(report);
    }
    entropic_report_close(report);
    entropic_report_close(report);
  }
  entropic_report_close(report);
}

static void add_link(entropic_report *report, const ent_link *link) {
  const ent_link_family *family = ent_link_of(link);
  if (family->object != NULL)
    entropic_report_open_object(report, family->object);
  if (family->traits & ENT_LINK_DIRECTED)
    entropic_report_add_number(report, "sign", link->sign);
  for (size_t i = 0; i < family->parameter_count; i++)
    entropic_report_add_number(report, family->parameters[i].name,
                               ent_link_parameter_value(link, &family->parameters[i]));
  if (family->object != NULL)
    entropic_report_close(report);
}

static void add_outcome(entropic_report *report, const entropic_model *model) {
  const ent_schema *schema = &model->schema;
  entropic_report_add_text(report, "task", ent_schema_has_classes(schema) ? "classification" : "regression");
  add_names(report, "targets", schema->target, schema->targets);
  add_names(report, "classes", schema->class_name, schema->classes);
  add_link(report, &model->link);
  entropic_report_open_list(report, "bounds");
  for (size_t k = 0; model->bounds != NULL && k < schema->targets; k++)
    add_numbers(report, NULL, model->bounds + 2 * k, 2);
  entropic_report_close(report);
}

static void add_spread(entropic_report *report, const ent_export_parts *parts, const ent_spread *spread) {
  entropic_report_open_list(report, "spread");
  for (size_t f = 0; f < spread->count; f++) {
    const ent_spread_factor *factor = &spread->factors[f];
    bool score = factor->axis == ENT_BY_SCORE;
    entropic_report_open_object(report, NULL);
    entropic_report_add_text(report, "by", score ? "score" : "input");
    if (!score)
      entropic_report_add_integer(report, "input", ent_export_place(parts, factor->axis));
    add_numbers(report, "knots", factor->at, factor->knots);
    add_numbers(report, "factors", factor->factor, factor->knots);
    entropic_report_add_number(report, "missing", factor->missing);
    entropic_report_close(report);
  }
  entropic_report_close(report);
}

static void add_intervals(entropic_report *report, const ent_export_parts *parts) {
  const ent_intervals *intervals = parts->model->intervals;
  if (intervals == NULL)
    return;
  entropic_report_open_object(report, "intervals");
  entropic_report_add_integer(report, "rows", intervals->rows);
  entropic_report_add_number(report, "highest_level", ent_highest_level(intervals->rows));
  entropic_report_open_list(report, "targets");
  for (size_t t = 0; t < intervals->count; t++) {
    const ent_interval *interval = &intervals->target[t];
    entropic_report_open_object(report, NULL);
    add_numbers(report, "quantiles", interval->quantiles, ENT_QUANTILES);
    if (!ent_schema_has_classes(&parts->model->schema)) {
      entropic_report_add_number(report, "deviation", interval->deviation);
      add_spread(report, parts, &interval->spread);
    }
    entropic_report_close(report);
  }
  entropic_report_close(report);
  entropic_report_close(report);
}

/* Lists of rows. */
static void add_rows(entropic_report *report, const char *key, const double *values, size_t rows, size_t width) {
  entropic_report_open_list(report, key);
  for (size_t r = 0; r < rows; r++)
    add_numbers(report, NULL, values + r * width, width);
  entropic_report_close(report);
}

static void add_check(entropic_report *report, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  const ent_export_rows *check = &parts->check;
  size_t rows = check->rows, used = parts->effects->used;
  entropic_report_open_object(report, "check");
  add_rows(report, "rows", check->x, rows, used);
  add_rows(report, "scores", check->scores, rows, model->scores);
  add_rows(report, "predictions", check->predictions, rows, model->schema.targets);
  if (ent_schema_has_classes(&model->schema))
    add_rows(report, "probabilities", check->probabilities, rows, model->schema.classes);
  if (parts->has_effects)
    add_rows(report, "effects", check->effects, rows, model->scores * (1 + used));
  if (model->intervals != NULL) {
    add_numbers(report, "levels", check->levels, rows);
    if (ent_schema_has_classes(&model->schema))
      add_rows(report, "sets", check->sets, rows, model->schema.classes);
    else
      add_rows(report, "intervals", check->intervals, rows, 2 * model->schema.targets);
  }
  entropic_report_close(report);
}

static uint64_t version_of(const ent_export_parts *parts) {
  bool several = ent_model_components(parts->model) > 1;
  return parts->centres > 0                          ? JSON_CENTRE_VERSION
         : several                                   ? JSON_COMPONENT_VERSION
         : parts->model->main.design->beyond != NULL ? JSON_BEYOND_VERSION
                                                     : JSON_VERSION;
}

entropic_status ent_export_json(ent_export_text *text, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  entropic_report *made = NULL, *report = NULL;
  entropic_status status = entropic_report_create(text->context, &made);
  if (status != ENTROPIC_OK)
    return status;
  ent_report_poll(made, text->context);
  entropic_report_add_text(made, "format", "entropic-model");
  entropic_report_add_integer(made, "format_version", version_of(parts));
  entropic_report_add_text(made, "entropic_version", entropic_version());
  entropic_report_add_text(made, "hash", parts->hash[0] != '\0' ? parts->hash : NULL);
  entropic_report_add_integer(made, "training_rows", model->rows);
  add_outcome(made, model);
  add_inputs(made, parts);
  add_features(made, parts);
  add_centres(made, parts);
  add_numbers(made, "offsets", model->offsets, model->scores);
  if (parts->has_effects)
    add_numbers(made, "base", parts->effects->base, model->scores);
  add_intervals(made, parts);
  add_check(made, parts);
  status = ent_report_finish(text->context, made, &report);
  if (status != ENTROPIC_OK)
    return status;
  ent_export_plain(text, entropic_report_json(report));
  ent_export_plain(text, "\n");
  entropic_report_free(report);
  return text->status;
}
