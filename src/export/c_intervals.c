/* Intervals in a C99 file: tables. Levels, and knots of the spread, are double in files of float, too: close
 * to level 1 quantiles differ much, and knots may be close to each other. */
#include "export/languages.h"

/* ---- Tables ---- */

/* One of the two tables of all knots: where they are, or their factors. */
static void write_knots(ent_export_text *text, const ent_intervals *intervals, bool factors) {
  ent_export_format(text, "static const double @spread_%s[] = {", factors ? "factors" : "knots");
  size_t count = 0;
  for (size_t t = 0; t < intervals->count; t++)
    for (size_t f = 0; f < intervals->target[t].spread.count; f++) {
      const ent_spread_factor *factor = &intervals->target[t].spread.factors[f];
      for (size_t i = 0; i < factor->knots; i++, count++) {
        ent_export_plain(text, count == 0 ? "\n  " : count % 8 == 0 ? ",\n  " : ", ");
        ent_export_double(text, factors ? factor->factor[i] : factor->at[i]);
      }
    }
  ent_export_plain(text, count > 0 ? "};\n" : "0};\n");
}

void ent_export_c_spreads(ent_export_text *text, const ent_export_parts *parts) {
  const ent_intervals *intervals = parts->model->intervals;
  size_t start = 0, count = 0;
  for (size_t t = 0; t < intervals->count; t++)
    for (size_t f = 0; f < intervals->target[t].spread.count; f++, count++) {
      const ent_spread_factor *factor = &intervals->target[t].spread.factors[f];
      long long input = factor->axis == ENT_BY_SCORE ? -1 : (long long)ent_export_place(parts, factor->axis);
      ent_export_format(text, "  {%zu, %lld, %zu, %zu, ", t, input, start, factor->knots);
      ent_export_double(text, factor->missing);
      ent_export_plain(text, "},\n");
      start += factor->knots;
    }
  ent_export_plain(text, "  {-1, -1, 0, 0, 1}};\n");
  ent_export_format(text, "enum { @spread_count = %zu };\n", count);
  write_knots(text, intervals, false);
  write_knots(text, intervals, true);
}

void ent_export_c_quantiles(ent_export_text *text, const ent_export_parts *parts) {
  const ent_intervals *intervals = parts->model->intervals;
  ent_export_format(text,
                    "/* Quantiles of residuals, %zu for each target: level 1 - (1 - (i + 1) / %zu)^2 for number i. */\n"
                    "static const @real @quantiles[] = {",
                    ENT_QUANTILES, ENT_QUANTILES);
  ent_export_table_begin(text, "");
  for (size_t t = 0; t < intervals->count; t++)
    for (size_t i = 0; i < ENT_QUANTILES; i++)
      ent_export_table_number(text, intervals->target[t].quantiles[i]);
  ent_export_table_end(text, "};\n");
}
