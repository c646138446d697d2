/* Lines of a C99 file that have some numbers of the model. */
#include "export/languages.h"

/* ---- Declarations ---- */

void ent_export_c_stack(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_format(text, " * once; a prediction takes about %zu bytes of stack. To declare them elsewhere:\n",
                    (parts->slots + (parts->centres > 0 ? 5 : 1) * parts->effects->used + parts->model->scores + 32) *
                        (text->single ? 4 : 8));
}

void ent_export_c_counts(ent_export_text *text, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  size_t classes = model->schema.classes;
  ent_export_format(text, "#define $_INPUTS %zu\n", parts->effects->used);
  ent_export_format(text, classes > 0 ? "#define $_CLASSES %zu\n" : "#define $_TARGETS %zu\n",
                    classes > 0 ? classes : model->schema.targets);
  ent_export_format(text, "#define $_SCORES %zu\n", model->scores);
  if (model->intervals != NULL)
    ent_export_format(text, "#define $_INTERVAL_ROWS %zu\n", model->intervals->rows);
}

/* The largest number in the tables of inputs and levels, at most. */
static size_t largest_index(const ent_export_parts *parts) {
  size_t knots = 0, categories = 0, most = UINT8_MAX + 1; /* never bytes */
  for (size_t i = 0; i < parts->scaled; i++) {
    knots += ent_export_scale(parts, i)->knots;
    categories += ent_export_scale(parts, i)->categories;
  }
  const size_t numbers[] = {knots,        categories,          2 * parts->scaled,  parts->level_count,
                            parts->slots, parts->number_count, parts->series.count};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    most = numbers[i] > most ? numbers[i] : most;
  return most;
}

void ent_export_c_types(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_format(text, "enum { @slots = %zu, @most = %zu }; /* atoms in use, and factors of a feature */\n",
                    parts->slots, parts->most);
  if (ent_model_components(parts->model) > 1)
    ent_export_format(text, "enum { @components = %zu };\n", ent_model_components(parts->model));
  ent_export_format(text, "typedef %s @factor;\n", ent_export_integer_type(parts->slots));
  ent_export_format(text, "typedef %s @index;\n", ent_export_integer_type(largest_index(parts)));
}

/* ---- Functions ---- */

void ent_export_c_beyond(ent_export_text *text, const ent_export_parts *parts) {
  size_t count = 0;
  for (size_t i = 0; i < parts->scaled; i++) {
    if (!ent_export_goes_beyond(parts, i))
      continue;
    count++;
    ent_export_format(text, "  {%zu, %zu, {", i, ent_export_owner(parts, i));
    for (size_t k = 0; k < parts->model->scores; k++) {
      ent_export_plain(text, k > 0 ? ", " : "");
      ent_export_number(text, ent_export_beyond(parts, i, k));
    }
    ent_export_plain(text, "}},\n");
  }
  ent_export_format(text, "};\nenum { @beyond_count = %zu };\n", count);
}

void ent_export_c_temperature(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_code(text, "static const @real @inverse_temperature = ");
  ent_export_number(text, parts->model->link.inverse_temperature);
  ent_export_code(text,
                  text->single ? ", @just_below_one = 0.99999994f;\n" : ", @just_below_one = 0.99999999999999989;\n");
}

/* Features of more factors share one rule: see ent_effect_rule. JavaScript has the same lines. */
void ent_export_largest_rule(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_format(text, "  if (rule > %zu) {\n    rule = %zu;\n    first = %zu;\n  }\n", ENT_RULES,
                    parts->effects->long_nodes, ENT_RULES * (ENT_RULES + 1) / 2);
}
