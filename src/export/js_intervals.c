/* Intervals in a module of JavaScript: tables and functions. */
#include "export/languages.h"

/* ---- Tables ---- */

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

static void write_tables(ent_export_text *text, const ent_export_parts *parts) {
  const ent_intervals *intervals = parts->model->intervals;
  ent_export_plain(text, "\n/** The highest level of intervals. */\nexport const highestLevel = ");
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
  if (parts->model->schema.classes > 0)
    return;
  ent_export_plain(text,
                   "/* Of each target: the factors of its spread. Input -1 is the score. */\nconst spreads = [\n");
  for (size_t t = 0; t < intervals->count; t++) {
    write_spread(text, parts, &intervals->target[t].spread);
    ent_export_plain(text, t + 1 < intervals->count ? ",\n" : "];\n");
  }
}

/* ---- Functions ---- */

static const char quantile[] =
    "\n"
    "function quantileLevel(i) {\n"
    "  const left = 1 - (i + 1) / quantileCount;\n"
    "  return 1 - left * left;\n"
    "}\n"
    "\n"
    "/* The quantile of a level: linear between two of the table. */\n"
    "function quantileAt(target, level) {\n"
    "  const first = quantileCount * target;\n"
    "  let above = 0;\n"
    "  for (let step = quantileCount >> 1; step > 0; step >>= 1)\n"
    "    if (quantileLevel(above + step - 1) < level) above += step;\n"
    "  const low = above > 0 ? quantileLevel(above - 1) : 0, from = above > 0 ? quantiles[first + above - 1] : 0;\n"
    "  const share = (level - low) / (quantileLevel(above) - low), to = quantiles[first + above];\n"
    "  return share >= 1 ? to : from + share * (to - from);\n"
    "}\n"
    "\n"
    "function checkLevel(level) {\n"
    "  if (!(level > 0 && level <= highestLevel))\n"
    "    throw new RangeError(\"level: found \" + level + \", expected a number above 0, at most \" + highestLevel);\n"
    "}\n";

static const char numbers[] =
    "\n"
    "/* Linear between knots, constant beyond them. */\n"
    "function factorAt(of, value) {\n"
    "  const last = of.knots.length - 1;\n"
    "  if (isNaN(value)) return of.missing;\n"
    "  if (value <= of.knots[0]) return of.factors[0];\n"
    "  if (value > of.knots[last]) return of.factors[last];\n"
    "  let i = 1;\n"
    "  while (of.knots[i] < value) i++;\n"
    "  const share = (value - of.knots[i - 1]) / (of.knots[i] - of.knots[i - 1]);\n"
    "  return of.factors[i - 1] + share * (of.factors[i] - of.factors[i - 1]);\n"
    "}\n"
    "\n"
    "/* How wide the residuals of a target spread at a row. */\n"
    "function spreadAt(target, x, score) {\n"
    "  return spreads[target].reduce((product, of) => {\n"
    "    let value = of.input < 0 ? score : x[of.input];\n"
    "    const names = of.input < 0 ? undefined : inputs[of.input].categories;\n"
    "    if (names && !(value >= 0 && value < names.length && Math.floor(value) === value)) value = NaN;\n"
    "    return product * factorAt(of, value);\n"
    "  }, 1);\n"
    "}\n"
    "\n"
    "/* Lower and upper end for each target. */\n"
    "function endsOf(x, level) {\n"
    "  return scoresOf(x).map((sum, k) => {\n"
    "    const predicted = open(sum);\n"
    "    const score = root\n"
    "      ? Math.sqrt(Math.max(root.sign * (predicted - root.sign * root.bias - root.origin), 0)) : predicted;\n"
    "    const half = quantileAt(k, level) * spreadAt(k, x, score);\n"
    "    const ends = [score - half, score + half].map((end) =>\n"
    "      root ? root.origin + root.sign * (end > 0 ? end * end : 0) : end);\n"
    "    return [clamp(Math.min(ends[0], ends[1], predicted), k), clamp(Math.max(ends[0], ends[1], predicted), k)];\n"
    "  });\n"
    "}\n"
    "\n"
    "/**\n"
    " * Lower and upper end of an interval that has the target with about this probability; of several targets a list "
    "of\n"
    " * both for each. About rows that are like the training rows: it is a share of rows, not of each kind of row.\n"
    " * @param {Object<string, *>|ArrayLike<number>} row\n"
    " * @param {number} [level] above 0, at most highestLevel\n"
    " * @returns {number[]|number[][]}\n"
    " */\n"
    "export function interval(row, level = 0.9) {\n"
    "  checkLevel(level);\n"
    "  const all = endsOf(encode(row), level);\n"
    "  return targets.length > 1 ? all : all[0];\n"
    "}\n";

static const char classes[] =
    "\n"
    "/* For each class 1 if it is in the set, otherwise 0. */\n"
    "function setOf(x, level) {\n"
    "  const q = quantileAt(0, level), first = predictAll(x)[0];\n"
    "  return chances(x).map((chance, k) => (1 - chance <= q || k === first ? 1 : 0));\n"
    "}\n"
    "\n"
    "/**\n"
    " * The names of the classes in a set that has the right one with about this probability. The predicted class is "
    "always\n"
    " * in it. About rows that are like the training rows: it is a share of rows, not of each kind of row.\n"
    " * @param {Object<string, *>|ArrayLike<number>} row\n"
    " * @param {number} [level] above 0, at most highestLevel\n"
    " * @returns {string[]}\n"
    " */\n"
    "export function classSet(row, level = 0.9) {\n"
    "  checkLevel(level);\n"
    "  const all = setOf(encode(row), level);\n"
    "  return classes.filter((name, k) => all[k] > 0);\n"
    "}\n";

void ent_export_js_intervals(ent_export_text *text, const ent_export_parts *parts) {
  if (parts->model->intervals == NULL) {
    ent_export_plain(text, "\n/* No intervals: the model has none. */\n");
    return;
  }
  write_tables(text, parts);
  ent_export_plain(text, quantile);
  ent_export_plain(text, parts->model->schema.classes > 0 ? classes : numbers);
}
