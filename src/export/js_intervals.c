/* The tables of intervals in a module of JavaScript. */
#include "export/languages.h"

static void write_list(ent_export_text *text, const char *key, const double *values, size_t count) {
  ent_export_plain(text, key);
  for (size_t i = 0; i < count; i++) {
    ent_export_plain(text, i > 0 ? ", " : "");
    ent_export_number(text, values[i]);
  }
  ent_export_plain(text, "]");
}

static void write_spread(ent_export_text *text, const ent_export_parts *parts, const ent_spread *spread) {
  ent_export_plain(text, "  [");
  for (size_t f = 0; f < spread->count; f++) {
    const ent_spread_factor *factor = &spread->factors[f];
    long long input = factor->axis == ENT_BY_SCORE ? -1 : (long long)ent_export_place(parts, factor->axis);
    ent_export_format(text, "%s\n    {input: %lld, missing: ", f > 0 ? "," : "", input);
    ent_export_number(text, factor->missing);
    write_list(text, ",\n     knots: [", factor->at, factor->knots);
    write_list(text, ",\n     factors: [", factor->factor, factor->knots);
    ent_export_plain(text, "}");
  }
  ent_export_plain(text, "]");
}

void ent_export_js_quantiles(ent_export_text *text, const ent_export_parts *parts) {
  const ent_intervals *intervals = parts->model->intervals;
  ent_export_plain(text, "/** The highest level of intervals. */\nexport const highestLevel = ");
  ent_export_number(text, ent_highest_level(intervals->rows));
  ent_export_format(text,
                    ";\n/* Of each target: quantile i has the level 1 - (1 - (i + 1) / %zu)^2. */\n"
                    "const quantileCount = %zu, quantiles = new Float64Array([",
                    ENT_QUANTILES, ENT_QUANTILES);
  ent_export_table_begin(text, "");
  for (size_t t = 0; t < intervals->count; t++)
    for (size_t i = 0; i < ENT_QUANTILES; i++)
      ent_export_table_number(text, intervals->target[t].quantiles[i]);
  ent_export_table_end(text, "]);\n");
}

void ent_export_js_spreads(ent_export_text *text, const ent_export_parts *parts) {
  const ent_intervals *intervals = parts->model->intervals;
  for (size_t t = 0; t < intervals->count; t++) {
    write_spread(text, parts, &intervals->target[t].spread);
    ent_export_plain(text, t + 1 < intervals->count ? ",\n" : "];\n");
  }
}
