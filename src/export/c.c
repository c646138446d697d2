/* A model as one file of C99: tables, and a short loop over them, which is in model.c.in. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "export/languages.h"
#include "export/template.h"

#define LITERAL ((size_t)4000)       /* bytes: compilers need not take literals of more than 4095 */
#define MOST_SLOTS ((size_t)1 << 16) /* a prediction has their values on the stack */

/* ---- Names ---- */

/* Names of one kind: of inputs, classes, targets, or of the categories of one input after the other. */
typedef struct ent_name_table {
  const char *table;
  const ent_export_parts *parts;
  size_t lists;
  size_t (*count)(const ent_export_parts *parts, size_t list);
  const char *(*name)(const ent_export_parts *parts, size_t list, size_t number);
} ent_name_table;

static size_t count_inputs(const ent_export_parts *parts, size_t list) {
  (void)list;
  return parts->effects->used;
}
static const char *name_input(const ent_export_parts *parts, size_t list, size_t number) {
  (void)list;
  return ent_export_schema(parts, number)->name;
}
static const char *name_column(const ent_export_parts *parts, size_t list, size_t number) {
  (void)list;
  return ent_export_column(parts, number);
}
static size_t count_categories(const ent_export_parts *parts, size_t list) {
  return ent_export_schema(parts, list)->categories;
}
static const char *name_category(const ent_export_parts *parts, size_t list, size_t number) {
  return ent_export_schema(parts, list)->category[number];
}
static size_t count_outcomes(const ent_export_parts *parts, size_t list) {
  (void)list;
  const ent_schema *schema = &parts->model->schema;
  return ent_schema_has_classes(schema) ? schema->classes : schema->targets;
}
static const char *name_outcome(const ent_export_parts *parts, size_t list, size_t number) {
  (void)list;
  const ent_schema *schema = &parts->model->schema;
  return ent_schema_has_classes(schema) ? schema->class_name[number] : schema->target[number];
}

/* A name that is too long for a literal, as a table of characters. */
static void write_long_name(ent_export_text *text, const char *table, size_t number, const char *name) {
  ent_export_format(text, "static const char @%s_%zu[] = {", table, number);
  for (size_t i = 0; name[i] != '\0'; i++) {
    char octal[16];
    snprintf(octal, sizeof octal, "%s'\\%03o',", i % 16 == 0 ? "\n  " : " ", (unsigned)(unsigned char)name[i]);
    ent_export_plain(text, octal);
  }
  ent_export_plain(text, " 0};\n");
}

static void write_names(ent_export_text *text, const ent_name_table *names) {
  const ent_export_parts *parts = names->parts;
  size_t number = 0;
  for (size_t l = 0; l < names->lists; l++)
    for (size_t i = 0; i < names->count(parts, l); i++, number++)
      if (strlen(names->name(parts, l, i)) > LITERAL)
        write_long_name(text, names->table, number, names->name(parts, l, i));
  ent_export_format(text, "static const char *const @%s[] = {", names->table);
  number = 0;
  for (size_t l = 0; l < names->lists; l++)
    for (size_t i = 0; i < names->count(parts, l); i++, number++) {
      const char *name = names->name(parts, l, i);
      ent_export_plain(text, number > 0 ? ",\n  " : "\n  ");
      if (strlen(name) > LITERAL)
        ent_export_format(text, "@%s_%zu", names->table, number);
      else
        ent_export_c_string(text, name);
    }
  ent_export_plain(text, number > 0 ? "};\n" : "\"\"};\n"); /* C has no empty tables */
}

static void write_all_names(ent_export_text *text, const ent_export_parts *parts) {
  const ent_name_table tables[] = {{"input_names", parts, 1, count_inputs, name_input},
                                   {"categories", parts, parts->effects->used, count_categories, name_category},
                                   {"outcomes", parts, 1, count_outcomes, name_outcome}};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    write_names(text, &tables[i]);
}

void ent_export_c_columns(ent_export_text *text, const ent_export_parts *parts) {
  write_names(text, &(ent_name_table){"column_names", parts, 1, count_inputs, name_column});
}

/* ---- Tables ---- */

static void write_numbers(ent_export_text *text, const char *name, const double *values, size_t count) {
  ent_export_format(text, "static const @real @%s[] = {", name);
  ent_export_table_begin(text, "");
  for (size_t i = 0; i < count; i++)
    ent_export_table_number(text, values[i]);
  ent_export_table_end(text, "};\n");
}

static void begin_integers(ent_export_text *text, const char *name, size_t most) {
  ent_export_format(text, "static const %s @%s[] = {", ent_export_integer_type(most), name);
  ent_export_table_begin(text, "");
}

static void write_levels(ent_export_text *text, const ent_export_parts *parts) {
  uint64_t most = 0;
  for (size_t i = 0; i < parts->level_count; i++) {
    const ent_export_level *level = &parts->levels[i];
    ent_export_format(text, "  {%d, %d, %zu, %zu, %zu}%s\n", (int)level->shape, level->depth, level->slot, level->count,
                      level->number, i + 1 < parts->level_count ? "," : "};");
  }
  if (parts->level_count == 0)
    ent_export_plain(text, "  {0, 0, 0, 0, 0}};\n");
  write_numbers(text, "numbers", parts->numbers, parts->number_count);
  for (size_t s = 0; s < parts->slots; s++)
    most = parts->slot_atoms[s] > most ? parts->slot_atoms[s] : most;
  begin_integers(text, "atoms", (size_t)most);
  for (size_t s = 0; s < parts->slots; s++)
    ent_export_table_integer(text, (long long)parts->slot_atoms[s]);
  ent_export_table_end(text, "};\n");
}

static void write_series(ent_export_text *text, const ent_export_parts *parts) {
  const ent_export_series *series = &parts->series;
  begin_integers(text, "series", series->piece_count);
  for (size_t i = 0; i <= series->count; i++)
    ent_export_table_integer(text, (long long)series->starts[i]);
  ent_export_table_end(text, "};\n");
  ent_export_code(text, "static const struct @piece_table {\n"
                        "  @real first, last;\n"
                        "  uint32_t term, terms;\n"
                        "} @pieces[] = {\n");
  for (size_t i = 0; i < series->piece_count; i++) {
    const ent_export_piece *piece = &series->pieces[i];
    ent_export_plain(text, "  {");
    ent_export_number(text, piece->first);
    ent_export_plain(text, ", ");
    ent_export_number(text, piece->last);
    ent_export_format(text, ", %zu, %zu}%s\n", piece->term, piece->terms, i + 1 < series->piece_count ? "," : "};");
  }
  write_numbers(text, "terms", series->terms, series->term_count);
}

/* Features go by their number of factors, so that the loop over factors always has the same length for a while. */
static size_t factors_of(const ent_effects *e, size_t feature) {
  return e->starts[feature + 1] - e->starts[feature];
}

static void write_factors(ent_export_text *text, const ent_export_parts *parts) {
  const ent_effects *e = parts->effects;
  size_t features = parts->effects->features;
  ent_export_plain(text,
                   "/* How many features have 0, 1, 2 and more factors; the factors, as atoms; the weights. */\n");
  begin_integers(text, "counts", features);
  for (size_t n = 0; n <= parts->most; n++) {
    size_t count = 0;
    for (size_t f = 0; f < features; f++)
      count += factors_of(e, f) == n;
    ent_export_table_integer(text, (long long)count);
  }
  ent_export_table_end(text, "};\n");
  begin_integers(text, "factors", parts->slots);
  for (size_t n = 0; n <= parts->most; n++)
    for (size_t f = 0; f < features; f++)
      for (size_t i = e->starts[f]; factors_of(e, f) == n && i < e->starts[f + 1]; i++)
        ent_export_table_integer(text, (long long)ent_export_slot(parts, e->factors[i]));
  ent_export_table_end(text, "};\n");
}

static void write_features(ent_export_text *text, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  write_factors(text, parts);
  ent_export_code(text, "static const @real @weights[] = {");
  ent_export_table_begin(text, "");
  for (size_t n = 0; n <= parts->most; n++)
    for (size_t f = 0; f < parts->effects->features; f++)
      for (size_t k = 0; k < model->scores && factors_of(parts->effects, f) == n; k++)
        ent_export_table_number(text, parts->effects->weights[k * parts->effects->features + f]);
  ent_export_table_end(text, "};\n");
  write_numbers(text, "offsets", model->offsets, model->scores);
  if (model->bounds != NULL)
    write_numbers(text, "bounds", model->bounds, 2 * model->schema.targets);
}

static void write_means(ent_export_text *text, const ent_export_parts *parts) {
  const ent_effects *e = parts->effects;
  begin_integers(text, "owners", e->used);
  for (size_t s = 0; s < parts->slots; s++)
    ent_export_table_integer(text, (long long)parts->slot_inputs[s]);
  ent_export_table_end(text, "};\n");
  ent_export_code(text, "static const @real @means[] = {");
  ent_export_table_begin(text, "");
  for (size_t i = 0; i < e->used; i++)
    for (size_t a = 0; a < ent_export_joint(parts, i)->count; a++)
      ent_export_table_number(text, ent_export_joint(parts, i)->means[a]);
  ent_export_table_end(text, "};\n");
  write_numbers(text, "base", e->base, parts->model->scores);
  write_numbers(text, "nodes", e->nodes, e->rule_numbers);
  write_numbers(text, "node_weights", e->node_weights, e->rule_numbers);
}

/* ---- Centres ---- */

static void write_kernels(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_code(text, "/* The kernel of each scaled input of these components: its shape, what it is of two missing\n"
                        " * values (0: they have no place), and its numbers. */\n"
                        "static const struct @kernel_table {\n"
                        "  uint8_t shape;\n"
                        "  @real missing, p[5];\n"
                        "} @kernels[] = {\n");
  for (size_t s = 0; s < parts->scaled; s++) {
    if (ent_export_sections(parts, s) == NULL)
      continue;
    ent_export_format(text, "  {%d, ", (int)parts->kernels[s].shape);
    ent_export_number(text, ent_export_missing_kernel(parts, s));
    ent_export_plain(text, ", {");
    for (size_t i = 0; i < ENT_FORMULA_NUMBERS; i++) {
      ent_export_plain(text, i > 0 ? ", " : "");
      ent_export_number(text, parts->kernels[s].numbers[i]);
    }
    ent_export_plain(text, "}},\n");
  }
  ent_export_plain(text, "};\n");
}

/* What a centre has of an input, or of a score. */
typedef double (*ent_centre_number)(const ent_export_parts *parts, size_t component, size_t centre, size_t number);

static double coordinate_of(const ent_export_parts *parts, size_t component, size_t centre, size_t number) {
  return ent_export_coordinate(parts, component * parts->effects->used + number, centre);
}
static double mean_of(const ent_export_parts *parts, size_t component, size_t centre, size_t number) {
  return ent_section_mean(parts->effects->parts[component].sections, centre, number);
}
static double weight_of(const ent_export_parts *parts, size_t component, size_t centre, size_t number) {
  const ent_component *of = parts->effects->parts[component].component;
  return of->weights[number * of->features + centre];
}

static void write_centre_numbers(ent_export_text *text, const ent_export_parts *parts, const char *name, size_t width,
                                 ent_centre_number number) {
  ent_export_format(text, "static const @real @%s[] = {", name);
  ent_export_table_begin(text, "");
  for (size_t c = 0; c < parts->effects->part_count; c++)
    for (size_t j = 0; parts->effects->parts[c].sections != NULL && j < parts->effects->parts[c].sections->centres; j++)
      for (size_t i = 0; i < width; i++)
        ent_export_table_number(text, number(parts, c, j, i));
  ent_export_table_end(text, "};\n");
}

static void write_centres(ent_export_text *text, const ent_export_parts *parts) {
  const ent_effects *e = parts->effects;
  size_t count = 0;
  ent_export_code(text, "/* Components that are sums over training rows: the scaled inputs, and how many rows. */\n"
                        "static const struct @centre_table {\n  uint32_t scaled, rows;\n} @centres[] = {\n");
  for (size_t c = 0; c < e->part_count; c++) {
    if (e->parts[c].sections == NULL)
      continue;
    count++;
    ent_export_format(text, "  {%zu, %zu},\n", c * e->used, e->parts[c].sections->centres);
  }
  ent_export_format(text, "};\nenum { @centre_parts = %zu };\n", count);
  write_kernels(text, parts);
  ent_export_plain(text,
                   "/* Of each of these rows: its scaled inputs, its weights, and the means of its kernels. */\n");
  write_centre_numbers(text, parts, "coordinates", e->used, coordinate_of);
  write_centre_numbers(text, parts, "centre_weights", parts->model->scores, weight_of);
  write_centre_numbers(text, parts, "centre_means", e->used, mean_of);
}

/* ---- The file ---- */

static bool fits_float(double value) {
  return !(fabs(value) > FLT_MAX); /* infinity becomes the largest number */
}

/* A float holds knots, weights and offsets? Everything else is smaller. */
static entropic_status check_floats(ent_export_text *text, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  bool fits = true;
  for (size_t i = 0; i < parts->effects->features * model->scores; i++)
    fits = fits && fits_float(parts->effects->weights[i]);
  for (size_t k = 0; k < model->scores; k++)
    fits = fits && fits_float(model->offsets[k]);
  for (size_t c = 0; c < parts->effects->part_count; c++) {
    const ent_component *component = parts->effects->parts[c].component;
    for (size_t i = 0; i < component->features * model->scores && component->design == NULL; i++)
      fits = fits && fits_float(component->weights[i]);
  }
  for (size_t i = 0; i < parts->scaled; i++) {
    const ent_scale *scale = ent_export_scale(parts, i);
    for (size_t k = 0; k < scale->knots; k++)
      fits = fits && fits_float(scale->at[k] * 4);
  }
  for (size_t t = 0; model->intervals != NULL && t < model->intervals->count; t++)
    fits = fits && fits_float(model->intervals->target[t].quantiles[ENT_QUANTILES - 1] * 64);
  fits = fits && fits_float(model->link.origin) && fits_float(model->link.bias);
  return fits ? ENTROPIC_OK
              : ent_fail(text->context, ENTROPIC_TOO_LARGE,
                         "float: a number of the model is beyond the range of float, %g; export it without float",
                         (double)FLT_MAX);
}

static entropic_status check(ent_export_text *text, const ent_export_parts *parts) {
  if (parts->slots > MOST_SLOTS)
    return ent_fail(text->context, ENTROPIC_TOO_LARGE,
                    "the model is too large for C: %zu atoms, which a prediction keeps on its stack, expected at most "
                    "%zu; it has %zu features",
                    parts->slots, MOST_SLOTS, parts->effects->features);
  entropic_status status = ent_export_check_size(text, parts, "C");
  if (status != ENTROPIC_OK)
    return status;
  return text->single ? check_floats(text, parts) : ENTROPIC_OK;
}

/* ---- What the link says ---- */

static void write_link(ent_export_text *text, const ent_export_parts *parts, const char *source) {
  ent_export_link(text, &parts->model->link, source);
}

static const ent_link_text *link_of(const ent_export_parts *parts) {
  return &ent_link_of(&parts->model->link)->c;
}

static void write_predict(ent_export_text *text, const ent_export_parts *parts) {
  write_link(text, parts, link_of(parts)->predict);
}

static void write_score_of(ent_export_text *text, const ent_export_parts *parts) {
  write_link(text, parts, text->single ? link_of(parts)->score_single : link_of(parts)->score);
}

static void write_target_of(ent_export_text *text, const ent_export_parts *parts) {
  write_link(text, parts, link_of(parts)->target);
}

static void write_decide(ent_export_text *text, const ent_export_parts *parts) {
  write_link(text, parts, link_of(parts)->decide);
}

static void write_chances(ent_export_text *text, const ent_export_parts *parts) {
  write_link(text, parts, link_of(parts)->chances);
}

static const ent_template_writer writers[] = {{"head", ent_export_head},
                                              {"stack", ent_export_c_stack},
                                              {"counts", ent_export_c_counts},
                                              {"types", ent_export_c_types},
                                              {"names", write_all_names},
                                              {"scaler", ent_export_c_scaler},
                                              {"levels", write_levels},
                                              {"series", write_series},
                                              {"features", write_features},
                                              {"means", write_means},
                                              {"centres", write_centres},
                                              {"date_parts", ent_export_c_date_parts},
                                              {"beyond", ent_export_c_beyond},
                                              {"temperature", ent_export_c_temperature},
                                              {"largest_rule", ent_export_largest_rule},
                                              {"quantiles", ent_export_c_quantiles},
                                              {"spreads", ent_export_c_spreads},
                                              {"predict", write_predict},
                                              {"score_of", write_score_of},
                                              {"target_of", write_target_of},
                                              {"decide", write_decide},
                                              {"chances", write_chances},
                                              {"test_tables", ent_export_c_test_tables},
                                              {"comparisons", ent_export_c_comparisons},
                                              {"program_tables", ent_export_c_program_tables},
                                              {"columns", ent_export_c_program_columns},
                                              {0}};

entropic_status ent_export_c(ent_export_text *text, const ent_export_parts *parts) {
  entropic_status status = check(text, parts);
  if (status != ENTROPIC_OK)
    return status;
  ent_template_write(text, parts, ent_template_c, writers);
  return text->status;
}
