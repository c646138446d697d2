/* The functions of a C99 file from a scaled row to its scores: atoms, features. */
#include "export/languages.h"

/* ---- Cells ---- */

static const char levels[] = "\n"
                             "/* The cell of x, and how far up its hat x is: 0 at the ends, 1 in the middle. */\n"
                             "static uint32_t @cell(@real x, int depth, @real *height) {\n"
                             "  uint32_t cells = (uint32_t)1 << (depth - 1), cell;\n"
                             "  @real u = x * (@real)cells, f;\n"
                             "  cell = (uint32_t)u;\n"
                             "  if (cell >= cells)\n"
                             "    cell = cells - 1;\n"
                             "  f = u - (@real)cell;\n"
                             "  *height = 2 * (f < 1 - f ? f : 1 - f);\n"
                             "  return cell;\n"
                             "}\n"
                             "\n"
                             "/* Where an atom of a level stands among those in use. */\n"
                             "static uint32_t @slot(const struct @level_table *level, uint32_t atom) {\n"
                             "  uint32_t low = level->slot, count = level->count, half;\n"
                             "  for (; count > 1; count -= half) {\n"
                             "    half = count / 2;\n"
                             "    if (@atoms[low + half] <= atom)\n"
                             "      low += half;\n"
                             "  }\n"
                             "  return @atoms[low] == atom ? low : @none;\n"
                             "}\n";

/* ---- Values of atoms ---- */

static const char sinh_double[] = "\n"
                                  "/* p[2] sinh(y), where |y| is large by exponentials that cannot overflow. */\n"
                                  "static @real @sinh(const @real *p, @real y, @real far) {\n"
                                  "  @real size = y < 0 ? -y : y, value;\n"
                                  "  if (size <= 1)\n"
                                  "    return p[2] * $_SINH(y);\n"
                                  "  value = p[0] * $_EXP(far) * (1 - $_EXP(-2 * size));\n"
                                  "  return y < 0 ? -value : value;\n"
                                  "}\n";

static const char series[] = "\n"
                             "/* A Chebyshev series, on the piece that x is in. */\n"
                             "static @real @series_at(uint32_t number, @real x) {\n"
                             "  uint32_t i = @series[number], k;\n"
                             "  @real t, one = 0, two = 0, next;\n"
                             "  const @real *terms;\n"
                             "  while (i + 1 < @series[number + 1] && x > @pieces[i].last)\n"
                             "    i++;\n"
                             "  t = 2 * ((x - @pieces[i].first) / (@pieces[i].last - @pieces[i].first)) - 1;\n"
                             "  terms = @terms + @pieces[i].term;\n"
                             "  for (k = @pieces[i].terms - 1; k > 0; k--) {\n"
                             "    next = 2 * t * one - two + terms[k];\n"
                             "    two = one;\n"
                             "    one = next;\n"
                             "  }\n"
                             "  return t * one - two + terms[0];\n"
                             "}\n";

static const char legendre[] = "\n"
                               "static @real @legendre(int degree, @real t) {\n"
                               "  @real before = 1, value = t, next;\n"
                               "  int j;\n"
                               "  for (j = 2; j <= degree; j++) {\n"
                               "    next = ((2 * j - 1) * t * value - (j - 1) * before) / j;\n"
                               "    before = value;\n"
                               "    value = next;\n"
                               "  }\n"
                               "  return value;\n"
                               "}\n";

static const char value_begin[] = "\n"
                                  "/* The value of an atom in use at x; of hats by their height. */\n"
                                  "static @real @value(const struct @level_table *level, uint32_t slot, @real x, @real "
                                  "height) {\n"
                                  "  const @real *p = @numbers;\n"
                                  "  (void)slot, (void)x, (void)height;\n";

static const char value_series[] = "  if (level->shape == 9)\n"
                                   "    return @series_at(level->number + slot - level->slot, x);\n";

/* By shape; those without a line are p[0]. */
static const char *const cases[ENT_EXPORT_SHAPES] = {
    [ENT_EXPORT_LINE] = "  case 3: /* line */\n    return p[0] * (x - p[1]);\n",
    [ENT_EXPORT_HAT] = "  case 4: /* hat */\n    return p[0] * height;\n",
    [ENT_EXPORT_LEGENDRE] = "  case 5: /* Legendre polynomial */\n    return p[0] * @legendre((int)p[1], 2 * x - 1);\n",
    [ENT_EXPORT_EVEN] = "  case 6: /* even exponentials */\n"
                        "    return p[0] * ($_EXP(-p[1] * x) + $_EXP(-p[1] * (1 - x)));\n",
    [ENT_EXPORT_ODD] = "  case 7: /* odd exponentials */\n"
                       "    return @sinh(p, p[1] * (x - (@real)0.5), -p[1] * (x < 1 - x ? x : 1 - x));\n",
    [ENT_EXPORT_SINH_HAT] = "  case 8: /* hyperbolic hat */\n"
                            "    return @sinh(p, p[1] * height, p[1] * (height - 1));\n"};

static void write_value(ent_export_text *text, const ent_export_parts *parts) {
  const bool *used = parts->used;
  if (used[ENT_EXPORT_ODD] || used[ENT_EXPORT_SINH_HAT])
    ent_export_code(text, sinh_double);
  if (used[ENT_EXPORT_SERIES])
    ent_export_code(text, series);
  if (used[ENT_EXPORT_LEGENDRE])
    ent_export_code(text, legendre);
  ent_export_code(text, value_begin);
  if (used[ENT_EXPORT_SERIES])
    ent_export_code(text, value_series);
  ent_export_plain(text, "  p += level->number;\n  switch (level->shape) {\n");
  for (int shape = 0; shape < ENT_EXPORT_SHAPES; shape++)
    if (used[shape] && cases[shape] != NULL)
      ent_export_code(text, cases[shape]);
  ent_export_plain(text, "  default:\n    return p[0];\n  }\n}\n");
}

static const char values[] =
    "\n"
    "static void @set(const struct @level_table *level, int missing, uint32_t code, @real x, @real *value) {\n"
    "  uint32_t atom = 0, slot;\n"
    "  @real height = 0;\n"
    "  if (level->shape == 1) /* a category */\n"
    "    atom = code;\n"
    "  else if (level->shape == 2 ? !missing : missing && level->shape != 0)\n"
    "    return;\n"
    "  else if (level->depth > 0)\n"
    "    atom = @cell(x, level->depth, &height);\n"
    "  slot = @slot(level, atom);\n"
    "  if (slot != @none)\n"
    "    value[slot] = @value(level, slot, x, height);\n"
    "}\n"
    "\n"
    "/* The values of all atoms in use: value[@slots]. */\n"
    "static void @values(const @real *x, @real *value) {\n"
    "  @real scaled[$_INPUTS + 1];\n"
    "  uint32_t l;\n"
    "  int i;\n"
    "  memset(value, 0, @slots * sizeof *value);\n"
    "  for (i = 0; i < $_INPUTS; i++) /* first all of them: processors search in several tables at once */\n"
    "    scaled[i] = @inputs[i].categories == 0 && x[i] == x[i] ? @scale(&@inputs[i], x[i]) : (@real)0.5;\n"
    "  for (i = 0; i < $_INPUTS; i++) {\n"
    "    const struct @input_table *input = &@inputs[i];\n"
    "    int missing = x[i] != x[i] && input->missing;\n"
    "    uint32_t code = @none;\n"
    "    if (input->categories > 0 && missing)\n"
    "      code = input->categories;\n"
    "    else if (x[i] >= 0 && x[i] < (@real)input->categories && (@real)(uint32_t)x[i] == x[i])\n"
    "      code = (uint32_t)x[i];\n"
    "    for (l = input->level; l < input[1].level; l++)\n"
    "      @set(&@levels[l], missing, code, scaled[i], value);\n"
    "  }\n"
    "}\n";

static const char scores_begin[] = "\n"
                                   "void @scores(const @real *x, @real *scores) {\n"
                                   "  const @factor *factor = @factors;\n"
                                   "  const @real *weight = @weights;\n"
                                   "  @real value[@slots + 1];\n"
                                   "  uint32_t f;\n"
                                   "  int i, k, n;\n"
                                   "  @values(x, value);\n"
                                   "  for (k = 0; k < $_SCORES; k++)\n"
                                   "    scores[k] = @offsets[k];\n"
                                   "  for (n = 0; n <= @most; n++)\n"
                                   "    for (f = @counts[n]; f > 0; f--, factor += n, weight += $_SCORES) {\n"
                                   "      @real product = 1;\n"
                                   "      for (i = 0; i < n; i++)\n"
                                   "        product *= value[factor[i]];\n"
                                   "      for (k = 0; k < $_SCORES; k++)\n"
                                   "        scores[k] += weight[k] * product;\n"
                                   "    }\n";

static const char outside[] =
    "\n"
    "/* How far x is outside the training range, in ranges and at most one: below 0 if it is below. */\n"
    "static @real @outside(const struct @input_table *input, @real x) {\n"
    "  @real half = input->last / 2 - input->first / 2, off = 0;\n"
    "  if (x < input->first)\n"
    "    off = (x / 2 - input->first / 2) / half;\n"
    "  else if (x > input->last)\n"
    "    off = (x / 2 - input->last / 2) / half;\n"
    "  return off < -1 ? -1 : off > 1 ? 1 : off;\n"
    "}\n";

static const char scores_beyond[] = "  for (f = 0; f < @beyond_count; f++)\n"
                                    "    for (k = 0; k < $_SCORES; k++)\n"
                                    "      scores[k] += @beyond[f].slope[k] *\n"
                                    "                   @outside(&@inputs[@beyond[f].input], x[@beyond[f].input]);\n";

/* The lines that go on outside the training range: a table, and how far outside a value is. */
static void write_beyond(ent_export_text *text, const ent_export_parts *parts) {
  size_t count = 0;
  ent_export_code(text,
                  "\n/* Lines that go on outside the training range: what they add to scores one range outside. */\n"
                  "static const struct {\n  int input;\n  @real slope[$_SCORES];\n} @beyond[] = {\n");
  for (size_t i = 0; i < parts->effects->used; i++) {
    if (!ent_export_goes_beyond(parts, i))
      continue;
    count++;
    ent_export_format(text, "  {%zu, {", i);
    for (size_t k = 0; k < parts->model->scores; k++) {
      ent_export_plain(text, k > 0 ? ", " : "");
      ent_export_number(text, ent_export_beyond(parts, i, k));
    }
    ent_export_plain(text, "}},\n");
  }
  ent_export_format(text, "};\nenum { @beyond_count = %zu };\n", count);
  ent_export_code(text, outside);
}

void ent_export_c_scores(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_c_scaling(text, parts);
  ent_export_code(text, levels);
  write_value(text, parts);
  ent_export_code(text, values);
  bool beyond = parts->model->design->beyond != NULL;
  if (beyond)
    write_beyond(text, parts);
  ent_export_code(text, scores_begin);
  ent_export_code(text, beyond ? scores_beyond : "");
  ent_export_code(text, "}\n");
}
