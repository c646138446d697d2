/* The functions of a C99 file: those that the model needs. */
#include "explain/export_languages.h"

/* ---- What callers see ---- */

static const char how_to_call[] = " *\n"
                                  " * x[$_INPUTS] is a row. What is missing is NAN; a category that was not seen is "
                                  "any other number. Values beyond the\n"
                                  " * training range count as its ends. Nothing is allocated, kept or printed, and "
                                  "many threads may call the functions at\n";

static const char how_to_build[] =
    " *\n"
    " *   #define $_DECLARATIONS\n"
    " *   #include \"this file\"\n"
    " *\n"
    " * -DENTROPIC_EXPORT_TEST adds a main that compares predictions with those of the model: it returns 0 if they are "
    "the\n"
    " * same. -DENTROPIC_EXPORT_MAIN adds one that reads rows as CSV with a header and writes predictions.\n"
    " */\n"
    "#ifndef $_H\n"
    "#define $_H\n"
    "\n";

static const char common_calls[] =
    "\n"
    "/* The number of an input by its name, -1 if there is none; and its name. */\n"
    "int @input(const char *name);\n"
    "const char *@input_name(int input);\n"
    "/* The code of a category; of one that was not seen, the number of categories. NAN if the input is a number. */\n"
    "@real @category(int input, const char *name);\n"
    "/* The name of a class, or of a target. */\n"
    "const char *@outcome_name(int number);\n"
    "/* scores[$_SCORES]: what predictions are made of. */\n"
    "void @scores(const @real *x, @real *scores);\n";

static const char number_calls[] = "/* prediction[$_TARGETS]. */\n"
                                   "void @predict(const @real *x, @real *prediction);\n";

static const char class_calls[] = "/* prediction[1]: the number of the class. */\n"
                                  "void @predict(const @real *x, @real *prediction);\n"
                                  "/* probabilities[$_CLASSES]: they sum to 1. */\n"
                                  "void @probabilities(const @real *x, @real *probabilities);\n";

static const char effect_calls[] = "/* effects[$_SCORES * (1 + $_INPUTS)]: of each score first its mean over the "
                                   "training rows, with independent inputs,\n"
                                   " * then the effect of each input, its Shapley value. They add up to the score. */\n"
                                   "void @effects(const @real *x, @real *effects);\n";

void ent_export_c_declarations(ent_export_text *text, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  size_t classes = model->schema.classes;
  ent_export_code(text, how_to_call);
  ent_export_format(text, " * once; a prediction takes about %zu bytes of stack. To declare them elsewhere:\n",
                    (parts->slots + parts->effects->used + model->scores + 32) * (text->single ? 4 : 8));
  ent_export_code(text, how_to_build);
  ent_export_format(text, "#define $_INPUTS %zu\n", parts->effects->used);
  ent_export_format(text, classes > 0 ? "#define $_CLASSES %zu\n" : "#define $_TARGETS %zu\n",
                    classes > 0 ? classes : model->schema.targets);
  ent_export_format(text, "#define $_SCORES %zu\n", model->scores);
  ent_export_code(text, text->single ? "typedef float @real;\n" : "typedef double @real;\n");
  ent_export_code(text, common_calls);
  ent_export_code(text, classes > 0 ? class_calls : number_calls);
  ent_export_code(text, parts->has_effects ? effect_calls
                                           : "/* No effects: the model keeps no marginals of its training rows. */\n");
  ent_export_code(text, "\n#endif\n#ifndef $_DECLARATIONS\n\n#include <stdint.h>\n#include <string.h>\n");
  ent_export_plain(text, "#include <math.h>\n\n");
  ent_export_code(text, text->single ? "#define $_EXP expf\n#define $_SINH sinhf\n"
                                     : "#define $_EXP exp\n#define $_SINH sinh\n");
  ent_export_format(text, "enum { @slots = %zu, @most = %zu }; /* atoms in use, and factors of a feature */\n",
                    parts->slots, parts->most);
  ent_export_format(text, "typedef %s @factor;\n", ent_export_integer_type(parts->slots));
  ent_export_code(text, "static const uint32_t @none = 0xffffffff;\n\n");
}

/* ---- Names and scaling ---- */

static const char names[] = "\n"
                            "int @input(const char *name) {\n"
                            "  int i;\n"
                            "  for (i = 0; i < $_INPUTS; i++)\n"
                            "    if (strcmp(name, @input_names[i]) == 0)\n"
                            "      return i;\n"
                            "  return -1;\n"
                            "}\n"
                            "\n"
                            "const char *@input_name(int input) {\n"
                            "  return input >= 0 && input < $_INPUTS ? @input_names[input] : \"\";\n"
                            "}\n"
                            "\n"
                            "@real @category(int input, const char *name) {\n"
                            "  uint32_t c, count = input >= 0 && input < $_INPUTS ? @inputs[input].categories : 0;\n"
                            "  for (c = 0; c < count; c++)\n"
                            "    if (strcmp(name, @categories[@inputs[input].category + c]) == 0)\n"
                            "      break;\n"
                            "  return count > 0 ? (@real)c : (@real)NAN;\n"
                            "}\n";

static const char scaling[] =
    "\n"
    "/* The height of a knot, so many units from the first. */\n"
    "static @real @height(const struct @input_table *input, uint32_t knot, @real distance) {\n"
    "  if (!input->ranked)\n"
    "    return @heights[input->height + knot];\n"
    "  return (@real)@ranks[input->height + knot] / input->ranks + (input->width > 0 ? distance / input->width : 0);\n"
    "}\n"
    "\n"
    "/* To [0,1]: linear between knots. */\n"
    "static @real @scale(const struct @input_table *input, @real x) {\n"
    "  const @real *at = @knots + input->knot;\n"
    "  const int16_t *place = @places + input->knot;\n"
    "  uint32_t low = 0, count = input->knots, last = count - 1, step, end;\n"
    "  @real u = x * input->unit, first = input->first * input->unit, a, b, bottom, top;\n"
    "  if (count == 0)\n"
    "    return x > 0 ? (x < 1 ? x : 1) : 0;\n"
    "  if (count == 1)\n"
    "    return (@real)0.5;\n"
    "  if (x < input->first)\n"
    "    return 0;\n"
    "  if (x >= input->last)\n"
    "    return x > input->last ? 1 : @height(input, last, input->last * input->unit - first);\n"
    "  if (input->whole) {\n"
    "    int32_t below = (int32_t)u;\n"
    "    below -= (@real)below > u;\n"
    "    for (; count > 3; count -= 3 * step) { /* without branches that cannot be foretold */\n"
    "      step = count / 4;\n"
    "      low += step * (uint32_t)((place[low + step] <= below) + (place[low + 2 * step] <= below) +\n"
    "                               (place[low + 3 * step] <= below));\n"
    "    }\n"
    "    for (end = low + count; low + 1 < end && place[low + 1] <= below; low++)\n"
    "      continue;\n"
    "  } else {\n"
    "    for (; count > 3; count -= 3 * step) {\n"
    "      step = count / 4;\n"
    "      low += step * (uint32_t)((at[low + step] <= u) + (at[low + 2 * step] <= u) + (at[low + 3 * step] <= u));\n"
    "    }\n"
    "    for (end = low + count; low + 1 < end && at[low + 1] <= u; low++)\n"
    "      continue;\n"
    "  }\n"
    "  low -= low == last; /* by rounding */\n"
    "  a = input->whole ? (@real)place[low] : at[low];\n"
    "  b = input->whole ? (@real)place[low + 1] : at[low + 1];\n"
    "  bottom = @height(input, low, a - first);\n"
    "  top = @height(input, low + 1, b - first);\n";

static const char fraction[] = "  u = bottom + (top - bottom) * ((u - a) / (b - a));\n";
static const char wide_fraction[] = "  u = bottom + (top - bottom) * ((u / 2 - a / 2) / (b / 2 - a / 2));\n";

static const char levels[] = "  return u < top ? u : top;\n"
                             "}\n"
                             "\n"
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
    "}\n"
    "\n"
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
    "    }\n"
    "}\n";

/* ---- Predictions ---- */

static const char numbers_begin[] = "\n"
                                    "const char *@outcome_name(int number) {\n"
                                    "  return number >= 0 && number < $_TARGETS ? @outcomes[number] : \"\";\n"
                                    "}\n"
                                    "\n"
                                    "void @predict(const @real *x, @real *prediction) {\n"
                                    "  int k;\n"
                                    "  @scores(x, prediction);\n"
                                    "  for (k = 0; k < $_TARGETS; k++) {\n"
                                    "    @real y = prediction[k];\n";

static const char bounds[] = "    y = y < @bounds[2 * k] ? @bounds[2 * k] : y > @bounds[2 * k + 1] ? @bounds[2 * k + "
                             "1] : y;\n";

static void write_numbers_predicted(ent_export_text *text, const entropic_model *model) {
  ent_export_code(text, numbers_begin);
  if (model->transform.sign != 0) {
    ent_export_plain(text, "    /* The root was learnt: of how far the target is from its origin. */\n"
                           "    y = y > 0 ? y * y : 0;\n    y = ");
    ent_export_number(text, model->transform.origin);
    ent_export_plain(text, model->transform.sign > 0 ? " + (y + " : " - (y + ");
    ent_export_number(text, model->transform.bias);
    ent_export_plain(text, ");\n");
  }
  if (model->bounds != NULL)
    ent_export_code(text, bounds);
  ent_export_plain(text, "    prediction[k] = y;\n  }\n}\n");
}

static const char two_classes[] =
    "\n"
    "static int @best(const @real *scores) {\n"
    "  return scores[0] > 0;\n"
    "}\n"
    "\n"
    "static void @softmax(const @real *scores, @real *probabilities) {\n"
    "  @real score = @inverse_temperature * scores[0], rest = $_EXP(score < 0 ? score : -score);\n"
    "  @real small = rest / (1 + rest);\n"
    "  probabilities[1] = score < 0 ? small : 1 - small;\n"
    "  probabilities[0] = score < 0 ? 1 - small : small;\n"
    "}\n";

static const char many_classes[] =
    "\n"
    "static int @best(const @real *scores) {\n"
    "  int k, best = 0;\n"
    "  for (k = 1; k < $_CLASSES; k++)\n"
    "    if (scores[k] > scores[best])\n"
    "      best = k;\n"
    "  return best;\n"
    "}\n"
    "\n"
    "static void @softmax(const @real *scores, @real *probabilities) {\n"
    "  @real most = scores[@best(scores)], sum = 0;\n"
    "  int k;\n"
    "  for (k = 0; k < $_CLASSES; k++)\n"
    "    sum += probabilities[k] = scores[k] == most ? 1 : $_EXP(@inverse_temperature * (scores[k] - most));\n"
    "  for (k = 0; k < $_CLASSES; k++)\n"
    "    probabilities[k] /= sum;\n"
    "}\n";

static const char classes_predicted[] = "\n"
                                        "const char *@outcome_name(int number) {\n"
                                        "  return number >= 0 && number < $_CLASSES ? @outcomes[number] : \"\";\n"
                                        "}\n"
                                        "\n"
                                        "void @predict(const @real *x, @real *prediction) {\n"
                                        "  @real scores[$_SCORES];\n"
                                        "  @scores(x, scores);\n"
                                        "  prediction[0] = (@real)@best(scores);\n"
                                        "}\n"
                                        "\n"
                                        "void @probabilities(const @real *x, @real *probabilities) {\n"
                                        "  @real scores[$_SCORES];\n"
                                        "  int k, best;\n"
                                        "  @scores(x, scores);\n"
                                        "  @softmax(scores, probabilities);\n"
                                        "  best = @best(scores);\n"
                                        "  for (k = 0; k < best; k++) /* rounding may have made equal what is not */\n"
                                        "    if (probabilities[k] >= probabilities[best])\n"
                                        "      probabilities[k] = probabilities[best] * @just_below_one;\n"
                                        "}\n";

static void write_classes_predicted(ent_export_text *text, const entropic_model *model) {
  ent_export_code(text, "\nstatic const @real @inverse_temperature = ");
  ent_export_number(text, model->inverse_temperature);
  ent_export_code(text,
                  text->single ? ", @just_below_one = 0.99999994f;\n" : ", @just_below_one = 0.99999999999999989;\n");
  ent_export_code(text, model->schema.classes == 2 ? two_classes : many_classes);
  ent_export_code(text, classes_predicted);
}

static const char effects_text[] =
    "\n"
    "/* A feature is a product of means and of how far atoms are from them. With t from 0 to 1 the product of\n"
    " * mean + t * difference goes from the mean of the feature to its value; the integral of what each factor adds is "
    "its\n"
    " * Shapley value. Gauss's rule is exact. */\n"
    "static void @shapley(const @real *value, const @factor *factor, int count, @real *part) {\n"
    "  int rule = (count + 1) / 2, i, q;\n"
    "  @real behind[@most + 1];\n"
    "  for (i = 0; i < count; i++)\n"
    "    part[i] = 0;\n"
    "  for (q = rule * (rule - 1) / 2; q < rule * (rule + 1) / 2; q++) {\n"
    "    @real t = @nodes[q], before = @node_weights[q];\n"
    "    behind[count] = 1;\n"
    "    for (i = count - 1; i >= 0; i--)\n"
    "      behind[i] = behind[i + 1] * (@means[factor[i]] + t * (value[factor[i]] - @means[factor[i]]));\n"
    "    for (i = 0; i < count; i++) {\n"
    "      part[i] += before * (value[factor[i]] - @means[factor[i]]) * behind[i + 1];\n"
    "      before *= @means[factor[i]] + t * (value[factor[i]] - @means[factor[i]]);\n"
    "    }\n"
    "  }\n"
    "}\n"
    "\n"
    "void @effects(const @real *x, @real *effects) {\n"
    "  const @factor *factor = @factors;\n"
    "  const @real *weight = @weights;\n"
    "  @real value[@slots + 1], part[@most + 1];\n"
    "  uint32_t f;\n"
    "  int i, k, n;\n"
    "  @values(x, value);\n"
    "  for (i = 0; i < $_SCORES * (1 + $_INPUTS); i++)\n"
    "    effects[i] = i % (1 + $_INPUTS) == 0 ? @base[i / (1 + $_INPUTS)] : 0;\n"
    "  for (n = 0; n <= @most; n++)\n"
    "    for (f = @counts[n]; f > 0; f--, factor += n, weight += $_SCORES) {\n"
    "      @shapley(value, factor, n, part);\n"
    "      for (k = 0; k < $_SCORES; k++)\n"
    "        for (i = 0; i < n; i++)\n"
    "          effects[k * (1 + $_INPUTS) + 1 + @owners[factor[i]]] += weight[k] * part[i];\n"
    "    }\n"
    "}\n";

void ent_export_c_functions(ent_export_text *text, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  ent_export_code(text, names);
  ent_export_code(text, scaling);
  ent_export_code(text, parts->wide ? wide_fraction : fraction);
  ent_export_code(text, levels);
  write_value(text, parts);
  ent_export_code(text, values);
  if (model->schema.classes > 0)
    write_classes_predicted(text, model);
  else
    write_numbers_predicted(text, model);
  if (parts->has_effects)
    ent_export_code(text, effects_text);
}
