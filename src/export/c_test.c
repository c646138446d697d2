/* The test of a C99 file: rows with the answers of the model, and the calls that are compared with them. */
#include <math.h>

#include "export/languages.h"

static void write_table(ent_export_text *text, const char *name, const double *values, size_t count) {
  ent_export_format(text, "static const @real @%s[] = {", name);
  for (size_t i = 0; i < count; i++) {
    ent_export_plain(text, i == 0 ? "\n  " : i % 6 == 0 ? ",\n  " : ", ");
    if (isnan(values[i]))
      ent_export_plain(text, "NAN");
    else
      ent_export_number(text, values[i]);
  }
  ent_export_plain(text, count > 0 ? "};\n" : "0};\n");
}

static void write_intervals(ent_export_text *text, const entropic_model *model, const ent_export_rows *check) {
  size_t rows = check->rows, classes = model->schema.classes;
  ent_export_code(text, "static const double @test_levels[] = {");
  for (size_t r = 0; r < rows; r++) {
    ent_export_plain(text, r > 0 ? ", " : "");
    ent_export_double(text, check->levels[r]);
  }
  ent_export_plain(text, "};\n");
  if (classes > 0)
    write_table(text, "test_sets", check->sets, rows * classes);
  else
    write_table(text, "test_intervals", check->intervals, rows * 2 * model->schema.targets);
}

/* A function to test: of each row it gives `width` numbers. Rounding is relative to `most`, or to the largest number. The
 * call has the row number r at x and writes to `to`. */
typedef struct ent_tested {
  const char *function, *call, *table;
  size_t width;
  double most;
} ent_tested;

/* Calls the function for all rows and compares. */
static void write_comparison(ent_export_text *text, size_t rows, const ent_tested *tested) {
  ent_export_format(text,
                    "  {\n"
                    "    static @real found[%zu];\n"
                    "    for (r = 0; r < %zu; r++) {\n"
                    "      const @real *x = @test_rows + r * $_INPUTS;\n"
                    "      @real *to = found + r * %zu;\n"
                    "      %s;\n"
                    "    }\n"
                    "    failed += @differ(\"%s\", found, @%s, %zu, ",
                    rows * tested->width, rows, tested->width, tested->call, tested->function, tested->table,
                    rows * tested->width);
  ent_export_number(text, tested->most);
  ent_export_plain(text, ");\n  }\n");
}

static double largest(const double *values, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++)
    most = fmax(most, fabs(values[i]));
  return most;
}

/* Rounding is relative to what scores are made of, which may cancel. Of doubles that does not matter to 12 digits, but
 * with centres, whose weights may be large. A probability changes by at most a quarter of what its score does; effects
 * add up to the score. */
void ent_export_c_comparisons(ent_export_text *text, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  size_t rows = parts->check.rows, classes = model->schema.classes;
  bool intervals = model->intervals != NULL;
  bool cancels = text->single || parts->centres > 0;
  double most = cancels ? parts->check.magnitude : largest(parts->check.scores, rows * model->scores);
  double predicted = classes > 0 ? 0 : ent_link_size(&model->link, most);
  const ent_tested tested[] = {
      {"scores", "@scores(x, to)", "test_scores", model->scores, most},
      {"predict", "@predict(x, to)", "test_predictions", model->schema.targets, predicted},
      {"probabilities", "@probabilities(x, to)", "test_probabilities", classes,
       fmax(1, model->link.inverse_temperature * most / 4)},
      {"effects", "@effects(x, to)", "test_effects",
       parts->has_effects ? model->scores * (1 + parts->effects->used) : 0, most},
      {"interval", "failed += @interval(x, @test_levels[r], to, to + $_TARGETS) != 0", "test_intervals",
       intervals && classes == 0 ? 2 * model->schema.targets : 0, predicted},
      {"class_set", "@test_set(x, @test_levels[r], to)", "test_sets", intervals ? classes : 0, 1}};
  for (size_t i = 0; i < sizeof tested / sizeof *tested; i++)
    if (tested[i].width > 0)
      write_comparison(text, rows, &tested[i]);
}

void ent_export_c_test_tables(ent_export_text *text, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  const ent_export_rows *check = &parts->check;
  size_t rows = check->rows, used = parts->effects->used, effects = model->scores * (1 + used);
  write_table(text, "test_rows", check->x, rows * used);
  write_table(text, "test_scores", check->scores, rows * model->scores);
  write_table(text, "test_predictions", check->predictions, rows * model->schema.targets);
  if (ent_schema_has_classes(&model->schema))
    write_table(text, "test_probabilities", check->probabilities, rows * model->schema.classes);
  if (parts->has_effects)
    write_table(text, "test_effects", check->effects, rows * effects);
  if (model->intervals != NULL)
    write_intervals(text, model, check);
}
