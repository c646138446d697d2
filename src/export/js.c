/* A model as a module of JavaScript (ES2015): tables, and the same short loop over them, which is in model.js. */
#include "export/languages.h"
#include "export/template.h"

#include <math.h>

static void begin_numbers(ent_export_text *text, const char *name) {
  ent_export_format(text, "const %s = new Float64Array([", name);
  ent_export_table_begin(text, "");
}

static void begin_integers(ent_export_text *text, const char *name) {
  ent_export_format(text, "const %s = new Uint32Array([", name);
  ent_export_table_begin(text, "");
}

static void write_numbers(ent_export_text *text, const char *name, const double *values, size_t count) {
  begin_numbers(text, name);
  for (size_t i = 0; i < count; i++)
    ent_export_table_number(text, values[i]);
  ent_export_table_end(text, "]);\n");
}

/* A list of names in brackets. */
static void write_names(ent_export_text *text, char *const *names, size_t count) {
  ent_export_plain(text, "[");
  for (size_t i = 0; i < count; i++) {
    ent_export_plain(text, i > 0 ? ", " : "");
    ent_export_js_string(text, names[i]);
  }
  ent_export_plain(text, "]");
}

/* The public list of inputs. */
static void write_inputs(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_plain(text, "export const inputs = [");
  for (size_t i = 0; i < parts->effects->used; i++) {
    const ent_input *input = ent_export_schema(parts, i);
    const ent_scale *scale = ent_export_scale(parts, i);
    ent_export_plain(text, i > 0 ? ",\n  {name: " : "\n  {name: ");
    ent_export_js_string(text, input->name);
    ent_export_plain(text, input->categories > 0 ? ", type: \"category\""
                           : input->date         ? ", type: \"date\""
                                                 : ", type: \"number\"");
    if (ent_part_is_made(input->part)) {
      ent_export_plain(text, ", column: ");
      ent_export_js_string(text, ent_export_column(parts, i));
      ent_export_format(text, ", part: \"%s\"", ent_part_name(input->part));
    }
    ent_export_plain(text, ent_export_keeps_missing(parts, i) ? ", missing: true" : ", missing: false");
    if (input->categories > 0) {
      ent_export_plain(text, ", categories: ");
      write_names(text, input->category, input->categories);
    }
    if (scale->knots > 0) {
      ent_export_plain(text, ", range: [");
      ent_export_number(text, scale->at[0]);
      ent_export_plain(text, ", ");
      ent_export_number(text, scale->at[scale->knots - 1]);
      ent_export_plain(text, "]");
    }
    ent_export_plain(text, "}");
  }
  ent_export_plain(text, "];\n");
}

static void write_scaler(ent_export_text *text, const ent_export_parts *parts) {
  size_t scaled = parts->scaled, knot = 0;
  begin_integers(text, "knotStarts");
  for (size_t i = 0; i <= scaled; i++) {
    ent_export_table_integer(text, (long long)knot);
    knot += i < scaled ? ent_export_scale(parts, i)->knots : 0;
  }
  ent_export_table_end(text, "]);\n");
  begin_integers(text, "levelStarts");
  for (size_t i = 0; i <= scaled; i++)
    ent_export_table_integer(text, (long long)parts->level_starts[i]);
  ent_export_table_end(text, "]);\n");
  ent_export_plain(text, "const keepsMissing = [");
  for (size_t i = 0; i < scaled; i++)
    ent_export_format(text, "%s%d", i > 0 ? ", " : "", ent_export_keeps_missing(parts, i));
  ent_export_plain(text, "];\n");
  for (int heights = 0; heights < 2; heights++) {
    begin_numbers(text, heights ? "heights" : "knots");
    for (size_t i = 0; i < scaled; i++) {
      const ent_scale *scale = ent_export_scale(parts, i);
      for (size_t k = 0; k < scale->knots; k++)
        ent_export_table_number(text, heights ? scale->height[k] : scale->at[k]);
    }
    ent_export_table_end(text, "]);\n");
  }
}

/* Inputs whose line goes on outside the training range. */
static void write_beyond(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_plain(text, "const beyond = [");
  for (size_t i = 0; i < parts->scaled; i++) {
    if (!ent_export_goes_beyond(parts, i))
      continue;
    ent_export_format(text, "[%zu, %zu, [", i, ent_export_owner(parts, i));
    for (size_t k = 0; k < parts->model->scores; k++) {
      ent_export_plain(text, k > 0 ? ", " : "");
      ent_export_number(text, ent_export_beyond(parts, i, k));
    }
    ent_export_plain(text, "]], ");
  }
  ent_export_plain(text, "];\n");
}

static void write_levels(ent_export_text *text, const ent_export_parts *parts) {
  begin_integers(text, "levels");
  for (size_t i = 0; i < parts->level_count; i++) {
    const ent_export_level *level = &parts->levels[i];
    const size_t fields[] = {(size_t)level->shape, (size_t)level->depth, level->slot, level->count, level->number};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
      ent_export_table_integer(text, (long long)fields[k]);
  }
  ent_export_table_end(text, "]);\n");
  write_numbers(text, "numbers", parts->numbers, parts->number_count);
  begin_integers(text, "atoms");
  for (size_t s = 0; s < parts->slots; s++)
    ent_export_table_integer(text, (long long)parts->slot_atoms[s]);
  ent_export_table_end(text, "]);\n");
}

static void write_series(ent_export_text *text, const ent_export_parts *parts) {
  const ent_export_series *series = &parts->series;
  begin_integers(text, "series");
  for (size_t i = 0; i <= series->count; i++)
    ent_export_table_integer(text, (long long)series->starts[i]);
  ent_export_table_end(text, "]);\n");
  begin_numbers(text, "pieces");
  for (size_t i = 0; i < series->piece_count; i++) {
    ent_export_table_number(text, series->pieces[i].first);
    ent_export_table_number(text, series->pieces[i].last);
  }
  ent_export_table_end(text, "]);\n");
  begin_integers(text, "termStarts");
  for (size_t i = 0; i < series->piece_count; i++)
    ent_export_table_integer(text, (long long)series->pieces[i].term);
  ent_export_table_integer(text, (long long)series->term_count);
  ent_export_table_end(text, "]);\n");
  write_numbers(text, "terms", series->terms, series->term_count);
}

static void write_features(ent_export_text *text, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  const ent_effects *e = parts->effects;
  begin_integers(text, "ends");
  for (size_t f = 0; f < parts->effects->features; f++)
    ent_export_table_integer(text, (long long)e->starts[f + 1]);
  ent_export_table_end(text, "]);\n");
  begin_integers(text, "factors");
  for (size_t i = 0; i < e->starts[parts->effects->features]; i++)
    ent_export_table_integer(text, (long long)ent_export_slot(parts, e->factors[i]));
  ent_export_table_end(text, "]);\n");
  begin_numbers(text, "weights");
  for (size_t f = 0; f < parts->effects->features; f++)
    for (size_t k = 0; k < model->scores; k++)
      ent_export_table_number(text, parts->effects->weights[k * parts->effects->features + f]);
  ent_export_table_end(text, "]);\n");
  write_numbers(text, "offsets", model->offsets, model->scores);
  if (model->bounds != NULL)
    write_numbers(text, "bounds", model->bounds, 2 * model->schema.targets);
}

static void write_means(ent_export_text *text, const ent_export_parts *parts) {
  const ent_effects *e = parts->effects;
  begin_integers(text, "owners");
  for (size_t s = 0; s < parts->slots; s++)
    ent_export_table_integer(text, (long long)parts->slot_inputs[s]);
  ent_export_table_end(text, "]);\n");
  begin_numbers(text, "means");
  for (size_t i = 0; i < e->used; i++)
    for (size_t a = 0; a < ent_export_joint(parts, i)->count; a++)
      ent_export_table_number(text, ent_export_joint(parts, i)->means[a]);
  ent_export_table_end(text, "]);\n");
  write_numbers(text, "base", e->base, parts->model->scores);
  write_numbers(text, "nodes", e->nodes, e->rule_numbers);
  write_numbers(text, "nodeWeights", e->node_weights, e->rule_numbers);
}

/* Components that are sums over training rows, and what each row has. */
static void write_centres(ent_export_text *text, const ent_export_parts *parts) {
  const ent_effects *e = parts->effects;
  ent_export_plain(text,
                   "/* Components that are sums over training rows: the first scaled input, how many rows, and for\n"
                   " * each input the shape of its kernel, what it is of two missing values (0: they have no place),\n"
                   " * and its numbers. */\n"
                   "const centres = [");
  for (size_t c = 0; c < e->part_count; c++) {
    if (e->parts[c].sections == NULL)
      continue;
    ent_export_format(text, "\n  [%zu, %zu, [", c * e->used, e->parts[c].sections->centres);
    for (size_t i = 0; i < e->used; i++) {
      ent_export_format(text, "%s[%d, ", i > 0 ? ", " : "", (int)parts->kernels[c * e->used + i].shape);
      ent_export_number(text, ent_export_missing_kernel(parts, c * e->used + i));
      for (size_t n = 0; n < ENT_FORMULA_NUMBERS; n++) {
        ent_export_plain(text, ", ");
        ent_export_number(text, parts->kernels[c * e->used + i].numbers[n]);
      }
      ent_export_plain(text, "]");
    }
    ent_export_plain(text, "]],");
  }
  ent_export_plain(text,
                   "];\n/* Of each of these rows: its scaled inputs, its weights, the means of its kernels. */\n");
  for (int table = 0; table < 3; table++) {
    begin_numbers(text, table == 0 ? "coordinates" : table == 1 ? "centreWeights" : "centreMeans");
    for (size_t c = 0; c < e->part_count; c++) {
      const ent_sections *of = e->parts[c].sections;
      for (size_t j = 0; of != NULL && j < of->centres; j++)
        for (size_t i = 0; i < (table == 1 ? parts->model->scores : e->used); i++)
          ent_export_table_number(text, table == 0   ? ent_export_coordinate(parts, c * e->used + i, j)
                                        : table == 1 ? of->component->weights[i * of->centres + j]
                                                     : ent_section_mean(of, j, i));
    }
    ent_export_table_end(text, "]);\n");
  }
}

static void write_check(ent_export_text *text, const char *name, const double *values, size_t count) {
  ent_export_format(text, "  %s: [", name);
  for (size_t i = 0; i < count; i++) {
    ent_export_plain(text, i == 0 ? "\n    " : i % 6 == 0 ? ",\n    " : ", ");
    if (isnan(values[i]))
      ent_export_plain(text, "NaN");
    else
      ent_export_number(text, values[i]);
  }
  ent_export_plain(text, "],\n");
}

static void write_rows(ent_export_text *text, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  const ent_export_rows *check = &parts->check;
  size_t rows = check->rows, used = parts->effects->used;
  ent_export_format(text, "const check = {\n  count: %zu,\n  size: ", rows);
  ent_export_number(text, parts->centres > 0 ? check->magnitude : 0); /* of what cancels in a score */
  ent_export_plain(text, ",\n");
  write_check(text, "rows", check->x, rows * used);
  write_check(text, "scores", check->scores, rows * model->scores);
  write_check(text, "predictions", check->predictions, rows * model->schema.targets);
  if (ent_schema_has_classes(&model->schema))
    write_check(text, "probabilities", check->probabilities, rows * model->schema.classes);
  if (parts->has_effects)
    write_check(text, "effects", check->effects, rows * model->scores * (1 + used));
  if (model->intervals != NULL) {
    size_t ends = 2 * model->schema.targets;
    write_check(text, "levels", check->levels, rows);
    if (ent_schema_has_classes(&model->schema))
      write_check(text, "sets", check->sets, rows * model->schema.classes);
    else
      write_check(text, "intervals", check->intervals, rows * ends);
  }
  ent_export_plain(text, "};\n");
}

static void write_facts(ent_export_text *text, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  const ent_schema *schema = &model->schema;
  ent_export_plain(text, "/** What is predicted. @type {ReadonlyArray<string>} */\nexport const targets = ");
  write_names(text, schema->target, schema->targets);
  ent_export_plain(text, ";\n/** Classes, none of a number. @type {ReadonlyArray<string>} */\nexport const classes = ");
  write_names(text, schema->class_name, schema->classes);
  ent_export_format(text, ";\n/** SHA-256 of the model's file. */\nexport const hash = \"%s\";\n", parts->hash);
  ent_export_format(text, "const scoreCount = %zu, featureCount = %zu, slotCount = %zu, mostFactors = %zu;\n",
                    model->scores, parts->effects->features, parts->slots, parts->most);
  ent_export_plain(text, "const inverseTemperature = ");
  ent_export_number(text, model->link.inverse_temperature);
  ent_export_plain(text, ";\n/* Of a target that was learnt as a root. */\nconst root = ");
  ent_export_link(text, &model->link, ent_link_of(&model->link)->js.constant);
  ent_export_plain(text, ";\n");
}

/* Marks of missing values. */
static void write_marks(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_plain(text, "const marks = new Set(");
  ent_export_js_string(text, ent_export_marks(parts));
  ent_export_plain(text, ".toLowerCase().split(\",\"));\nconst numberMarks = new Set(");
  ent_export_js_string(text, ENT_EXPORT_NUMBER_MARKS);
  ent_export_plain(text, ".toLowerCase().split(\",\"));\n");
}

/* ---- What the link says ---- */

static const ent_link_text *link_of(const ent_export_parts *parts) {
  return &ent_link_of(&parts->model->link)->js;
}

static void write_predict(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_link(text, &parts->model->link, link_of(parts)->predict);
}

static void write_score_of(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_link(text, &parts->model->link, link_of(parts)->score);
}

static void write_target_of(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_link(text, &parts->model->link, link_of(parts)->target);
}

static void write_decide(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_link(text, &parts->model->link, link_of(parts)->decide);
}

static void write_chances(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_link(text, &parts->model->link, link_of(parts)->chances);
}

static const ent_template_writer writers[] = {{"head", ent_export_head},
                                              {"inputs", write_inputs},
                                              {"facts", write_facts},
                                              {"scaler", write_scaler},
                                              {"beyond", write_beyond},
                                              {"levels", write_levels},
                                              {"series", write_series},
                                              {"features", write_features},
                                              {"means", write_means},
                                              {"centres", write_centres},
                                              {"rows", write_rows},
                                              {"marks", write_marks},
                                              {"largest_rule", ent_export_largest_rule},
                                              {"quantiles", ent_export_js_quantiles},
                                              {"spreads", ent_export_js_spreads},
                                              {"predict", write_predict},
                                              {"score_of", write_score_of},
                                              {"target_of", write_target_of},
                                              {"decide", write_decide},
                                              {"chances", write_chances},
                                              {0}};

entropic_status ent_export_js(ent_export_text *text, const ent_export_parts *parts) {
  entropic_status status = ent_export_check_size(text, parts, "JavaScript");
  if (status != ENTROPIC_OK)
    return status;
  ent_template_write(text, parts, ent_template_js, writers);
  return text->status;
}
