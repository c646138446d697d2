/* Intervals in a C99 file: tables and functions. Levels, and knots of the spread, are double in files of float, too: close
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

static void write_spreads(ent_export_text *text, const ent_export_parts *parts) {
  const ent_intervals *intervals = parts->model->intervals;
  size_t start = 0, count = 0;
  ent_export_code(
      text, "/* Factors of the spread: the target, the input or -1 for the score, where the knots begin, how many,\n"
            " * and the factor of what is missing. */\n"
            "static const struct @spread_table {\n"
            "  int target, input, start, knots;\n"
            "  double missing;\n"
            "} @spreads[] = {\n");
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

static void write_quantiles(ent_export_text *text, const ent_intervals *intervals) {
  ent_export_format(
      text,
      "\n/* Quantiles of residuals, %zu for each target: level 1 - (1 - (i + 1) / %zu)^2 for number i. */\n"
      "static const @real @quantiles[] = {",
      ENT_QUANTILES, ENT_QUANTILES);
  ent_export_table_begin(text, "");
  for (size_t t = 0; t < intervals->count; t++)
    for (size_t i = 0; i < ENT_QUANTILES; i++)
      ent_export_table_number(text, intervals->target[t].quantiles[i]);
  ent_export_table_end(text, "};\n");
}

/* ---- Functions ---- */

static const char quantile[] = "\n"
                               "static double @quantile_level(int i) {\n"
                               "  double left = 1 - (i + 1) / 256.0;\n"
                               "  return 1 - left * left;\n"
                               "}\n"
                               "\n"
                               "/* The quantile of a level: linear between two of the table. */\n"
                               "static double @quantile(int target, double level) {\n"
                               "  const @real *of = @quantiles + 256 * target;\n"
                               "  int above = 0, step;\n"
                               "  double low, from, share;\n"
                               "  for (step = 128; step > 0; step /= 2)\n"
                               "    if (@quantile_level(above + step - 1) < level)\n"
                               "      above += step;\n"
                               "  low = above > 0 ? @quantile_level(above - 1) : 0;\n"
                               "  from = above > 0 ? (double)of[above - 1] : 0;\n"
                               "  share = (level - low) / (@quantile_level(above) - low);\n"
                               "  return share >= 1 ? (double)of[above] : from + share * ((double)of[above] - from);\n"
                               "}\n"
                               "\n"
                               "static int @is_level(double level) {\n"
                               "  return level > 0 && level <= $_INTERVAL_ROWS / ($_INTERVAL_ROWS + 1.0);\n"
                               "}\n";

static const char spread[] =
    "\n"
    "/* A factor of the spread: linear between knots, constant beyond them. */\n"
    "static double @spread_factor(const struct @spread_table *of, double value) {\n"
    "  const double *at = @spread_knots + of->start, *factor = @spread_factors + of->start;\n"
    "  int i = 1;\n"
    "  if (value != value)\n"
    "    return of->missing;\n"
    "  if (value <= at[0] || value > at[of->knots - 1])\n"
    "    return factor[value <= at[0] ? 0 : of->knots - 1];\n"
    "  while (at[i] < value)\n"
    "    i++;\n"
    "  return factor[i - 1] + (value - at[i - 1]) / (at[i] - at[i - 1]) * (factor[i] - factor[i - 1]);\n"
    "}\n"
    "\n"
    "/* How wide the residuals of a target spread at a row. */\n"
    "static double @spread(int target, const @real *x, double score) {\n"
    "  double product = 1, value;\n"
    "  int f;\n"
    "  for (f = 0; f < @spread_count; f++) {\n"
    "    const struct @spread_table *of = &@spreads[f];\n"
    "    uint32_t categories = of->input < 0 ? 0 : @inputs[of->input].categories;\n"
    "    if (of->target != target)\n"
    "      continue;\n"
    "    value = of->input < 0 ? score : (double)x[of->input];\n"
    "    if (categories > 0 && !(value >= 0 && value < categories && (double)(uint32_t)value == value))\n"
    "      value = (double)NAN;\n"
    "    product *= @spread_factor(of, value);\n"
    "  }\n"
    "  return product;\n"
    "}\n";

static const char plain_ends[] = "\n"
                                 "static double @score_of(@real score, @real predicted) {\n"
                                 "  (void)predicted;\n"
                                 "  return (double)score;\n"
                                 "}\n"
                                 "\n"
                                 "static double @target_of(double score) {\n"
                                 "  return score;\n"
                                 "}\n";

static const char ends[] =
    "\n"
    "int @interval(const @real *x, double level, @real *lower, @real *upper) {\n"
    "  @real scores[$_TARGETS];\n"
    "  int k;\n"
    "  if (!@is_level(level)) {\n"
    "    for (k = 0; k < $_TARGETS; k++)\n"
    "      lower[k] = upper[k] = (@real)NAN;\n"
    "    return -1;\n"
    "  }\n"
    "  @scores(x, scores);\n"
    "  for (k = 0; k < $_TARGETS; k++) {\n"
    "    double predicted = (double)@open(scores[k]), score = @score_of(scores[k], (@real)predicted);\n"
    "    double half = @quantile(k, level) * @spread(k, x, score);\n"
    "    double a = @target_of(score - half), b = @target_of(score + half);\n"
    "    double low = a < b ? a : b, high = a < b ? b : a;\n"
    "    lower[k] = @clamp((@real)(low < predicted ? low : predicted), k);\n"
    "    upper[k] = @clamp((@real)(high > predicted ? high : predicted), k);\n"
    "  }\n"
    "  return 0;\n"
    "}\n";

static const char sets[] = "\n"
                           "int @class_set(const @real *x, double level, unsigned char *set) {\n"
                           "  @real scores[$_SCORES], probabilities[$_CLASSES];\n"
                           "  double q = @quantile(0, level);\n"
                           "  int k;\n"
                           "  memset(set, 0, $_CLASSES);\n"
                           "  if (!@is_level(level))\n"
                           "    return -1;\n"
                           "  @probabilities(x, probabilities);\n"
                           "  for (k = 0; k < $_CLASSES; k++)\n"
                           "    set[k] = 1 - (double)probabilities[k] <= q;\n"
                           "  @scores(x, scores);\n"
                           "  set[@best(scores)] = 1;\n"
                           "  return 0;\n"
                           "}\n";

/* Of a root. In double the score is that of the prediction, as the model has it; in float the root of so few digits would
 * be off by more than the score. */
static void write_root(ent_export_text *text, const ent_target_transform *transform) {
  ent_export_code(text, "\n/* The root again, of a prediction; and the target that has a root. */\n"
                        "static double @score_of(@real score, @real predicted) {\n");
  if (text->single) {
    ent_export_plain(text, "  (void)predicted;\n  return score > 0 ? (double)score : 0;\n}\n\n");
  } else {
    ent_export_plain(text, "  double off = ");
    ent_export_plain(text, transform->sign > 0 ? "predicted - " : "predicted + ");
    ent_export_double(text, transform->bias);
    ent_export_plain(text, " - ");
    ent_export_double(text, transform->origin);
    ent_export_format(text, ";\n  (void)score;\n  off = %s;\n  return off > 0 ? sqrt(off) : 0;\n}\n\n",
                      transform->sign > 0 ? "off" : "-off");
  }
  ent_export_code(text, "static double @target_of(double score) {\n  double square = score > 0 ? score * score : 0;\n"
                        "  return ");
  ent_export_double(text, transform->origin);
  ent_export_format(text, " %s square;\n}\n", transform->sign > 0 ? "+" : "-");
}

void ent_export_c_intervals(ent_export_text *text, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  if (model->intervals == NULL)
    return;
  write_quantiles(text, model->intervals);
  if (model->schema.classes == 0)
    write_spreads(text, parts);
  ent_export_code(text, quantile);
  if (model->schema.classes > 0) {
    ent_export_code(text, sets);
    return;
  }
  ent_export_code(text, spread);
  if (model->transform.sign != 0)
    write_root(text, &model->transform);
  else
    ent_export_code(text, plain_ends);
  ent_export_code(text, ends);
}
