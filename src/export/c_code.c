/* The functions of a C99 file: those that the model needs. */
#include <string.h>

#include "export/languages.h"

/* ---- What callers see ---- */

static const char how_to_call[] =
    " *\n"
    " * x[$_INPUTS] is a row. What is missing is NAN; a category that was not seen is "
    "any other number. Values outside the\n"
    " * training range count as its ends, but lines may go on. Nothing is allocated, kept or printed, and "
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
    "/* The number of an input by its name, -1 if there is none; and its name. Blanks around names and categories do "
    "not\n"
    " * count. */\n"
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

static const char interval_calls[] =
    "/* Ends of an interval that has the target with about the probability `level`: lower[$_TARGETS], "
    "upper[$_TARGETS].\n"
    " * It is a share of all rows that are like the training rows, not of each kind of row. Levels are above 0 and at\n"
    " * most $_INTERVAL_ROWS / ($_INTERVAL_ROWS + 1). Returns 0; -1 for other levels, with NAN. */\n"
    "int @interval(const @real *x, double level, @real *lower, @real *upper);\n";

static const char set_calls[] =
    "/* set[$_CLASSES]: 1 for the classes of a set that has the right one with about the probability `level`. The\n"
    " * predicted class is always in it. It is a share of all rows that are like the training rows, not of each kind\n"
    " * of row. Levels are above 0 and at most $_INTERVAL_ROWS / ($_INTERVAL_ROWS + 1). Returns 0; -1 for other "
    "levels,\n"
    " * with an empty set. */\n"
    "int @class_set(const @real *x, double level, unsigned char *set);\n";

static const char date_calls[] =
    "/* The value of an input that is part of a date, from days since 1970-01-01 by the clock of the data; of other "
    "inputs\n"
    " * the days. */\n"
    "@real @date_part(int input, double days);\n";

/* The largest number in the tables of inputs and levels, at most. */
static size_t largest_index(const ent_export_parts *parts) {
  size_t knots = 0, categories = 0, most = UINT8_MAX + 1; /* never bytes */
  for (size_t i = 0; i < parts->effects->used; i++) {
    knots += ent_export_scale(parts, i)->knots;
    categories += ent_export_scale(parts, i)->categories;
  }
  const size_t numbers[] = {knots,        categories,          2 * parts->effects->used, parts->level_count,
                            parts->slots, parts->number_count, parts->series.count};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    most = numbers[i] > most ? numbers[i] : most;
  return most;
}

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
  if (model->intervals != NULL)
    ent_export_format(text, "#define $_INTERVAL_ROWS %zu\n", model->intervals->rows);
  ent_export_code(text, text->single ? "typedef float @real;\n" : "typedef double @real;\n");
  ent_export_code(text, common_calls);
  if (ent_export_has_parts(parts))
    ent_export_code(text, date_calls);
  ent_export_code(text, classes > 0 ? class_calls : number_calls);
  ent_export_code(text, parts->has_effects ? effect_calls
                                           : "/* No effects: the model keeps no marginals of its training rows. */\n");
  ent_export_code(text, model->intervals == NULL ? "/* No intervals: the model has none. */\n"
                        : classes > 0            ? set_calls
                                                 : interval_calls);
  ent_export_code(text, "\n#endif\n#ifndef $_DECLARATIONS\n\n#include <stdint.h>\n#include <string.h>\n");
  ent_export_plain(text, "#include <math.h>\n\n");
  ent_export_code(text, text->single ? "#define $_EXP expf\n#define $_SINH sinhf\n"
                                     : "#define $_EXP exp\n#define $_SINH sinh\n");
  ent_export_format(text, "enum { @slots = %zu, @most = %zu }; /* atoms in use, and factors of a feature */\n",
                    parts->slots, parts->most);
  ent_export_format(text, "typedef %s @factor;\n", ent_export_integer_type(parts->slots));
  ent_export_format(text, "typedef %s @index;\n", ent_export_integer_type(largest_index(parts)));
  ent_export_code(text, "static const uint32_t @none = 0xffffffff;\n\n");
}

/* ---- Names ---- */

static const char find_name[] =
    "\n"
    "/* The place of a text in a list, as it is or without the blanks around it; `count` if it is not there. */\n"
    "static uint32_t @find_text(const char *const *list, uint32_t count, const char *text) {\n"
    "  size_t length = strlen(text);\n"
    "  uint32_t c;\n"
    "  for (c = 0; c < count; c++)\n"
    "    if (strcmp(text, list[c]) == 0)\n"
    "      return c;\n"
    "  for (; *text == ' ' || *text == '\\t'; length--)\n"
    "    text++;\n"
    "  while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\\t'))\n"
    "    length--;\n"
    "  for (c = 0; c < count; c++)\n"
    "    if (strncmp(text, list[c], length) == 0 && list[c][length] == 0)\n"
    "      break;\n"
    "  return c;\n"
    "}\n";

static const char find_number[] =
    "\n"
    "#include <stdlib.h>\n"
    "\n"
    "/* A text as a number; 0 if it is none. */\n"
    "static int @text_number(const char *text, double *value) {\n"
    "  char *end;\n"
    "  size_t used;\n"
    "  text += strspn(text, \" \\t\");\n"
    "  used = strspn(text, \"+-.0123456789eE\");\n"
    "  *value = strtod(text, &end);\n"
    "  return used > 0 && end == text + used && end[strspn(end, \" \\t\")] == 0;\n"
    "}\n"
    "\n"
    "/* Categories that are numbers may be written in other ways: 1.0 is 1. */\n"
    "static uint32_t @find_number(const char *const *list, uint32_t count, const char *text) {\n"
    "  double value, other;\n"
    "  uint32_t c = count;\n"
    "  if (@text_number(text, &value))\n"
    "    for (c = 0; c < count; c++)\n"
    "      if (@text_number(list[c], &other) && other == value)\n"
    "        break;\n"
    "  return c;\n"
    "}\n";

static const char names[] = "\n"
                            "int @input(const char *name) {\n"
                            "  uint32_t i = @find_text(@input_names, $_INPUTS, name);\n"
                            "  return i != $_INPUTS ? (int)i : -1;\n"
                            "}\n"
                            "\n"
                            "const char *@input_name(int input) {\n"
                            "  return input >= 0 && input < $_INPUTS ? @input_names[input] : \"\";\n"
                            "}\n"
                            "\n"
                            "@real @category(int input, const char *name) {\n"
                            "  uint32_t c, count = input >= 0 && input < $_INPUTS ? @inputs[input].categories : 0;\n"
                            "  if (count == 0)\n"
                            "    return (@real)NAN;\n"
                            "  c = @find_text(@categories + @inputs[input].category, count, name);\n";

static const char names_number[] = "  if (c == count)\n"
                                   "    c = @find_number(@categories + @inputs[input].category, count, name);\n";

static const char names_end[] = "  return (@real)c;\n}\n";

/* Is a category of the model a number? */
static bool has_numbers(const ent_export_parts *parts) {
  double number;
  for (size_t i = 0; i < parts->effects->used; i++) {
    const ent_input *input = ent_export_schema(parts, i);
    for (size_t c = 0; c < input->categories; c++)
      if (entropic_parse_double(input->category[c], strlen(input->category[c]), &number) == ENTROPIC_OK)
        return true;
  }
  return false;
}

static void write_names(ent_export_text *text, const ent_export_parts *parts) {
  bool numbers = has_numbers(parts);
  ent_export_code(text, find_name);
  if (numbers)
    ent_export_code(text, find_number);
  ent_export_code(text, names);
  if (numbers)
    ent_export_code(text, names_number);
  ent_export_code(text, names_end);
}

/* ---- Predictions ---- */

static const char numbers_begin[] = "\n"
                                    "const char *@outcome_name(int number) {\n"
                                    "  return number >= 0 && number < $_TARGETS ? @outcomes[number] : \"\";\n"
                                    "}\n"
                                    "\n"
                                    "/* A score as a prediction, before it is clamped. */\n"
                                    "static @real @open(@real y) {\n";

static const char bounds[] = "  return y < @bounds[2 * k] ? @bounds[2 * k] : y > @bounds[2 * k + 1] ? @bounds[2 * k + "
                             "1] : y;\n";

static const char numbers_end[] = "}\n"
                                  "\n"
                                  "void @predict(const @real *x, @real *prediction) {\n"
                                  "  int k;\n"
                                  "  @scores(x, prediction);\n"
                                  "  for (k = 0; k < $_TARGETS; k++)\n"
                                  "    prediction[k] = @clamp(@open(prediction[k]), k);\n"
                                  "}\n";

static void write_numbers_predicted(ent_export_text *text, const entropic_model *model) {
  ent_export_code(text, numbers_begin);
  if (model->transform.sign != 0) {
    ent_export_plain(text, "  /* The root was learnt: of how far the target is from its origin. */\n"
                           "  y = y > 0 ? y * y : 0;\n  y = ");
    ent_export_number(text, model->transform.origin);
    ent_export_plain(text, model->transform.sign > 0 ? " + (y + " : " - (y + ");
    ent_export_number(text, model->transform.bias);
    ent_export_plain(text, ");\n");
  }
  ent_export_code(text, "  return y;\n}\n\nstatic @real @clamp(@real y, int k) {\n");
  ent_export_code(text, model->bounds != NULL ? bounds : "  (void)k;\n  return y;\n");
  ent_export_code(text, numbers_end);
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
    "  int rule = (count + 1) / 2, first = rule * (rule - 1) / 2, i, q;\n"
    "  @real behind[@most + 1];\n";

/* Features of more factors share one rule: see ent_effect_rule. */
#define LARGEST_RULE "  if (rule > %zu) {\n    rule = %zu;\n    first = %zu;\n  }\n"

static const char effects_nodes[] =
    "  for (i = 0; i < count; i++)\n"
    "    part[i] = 0;\n"
    "  for (q = first; q < first + rule; q++) {\n"
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
    "    }\n";

static const char effects_beyond[] =
    "  for (f = 0; f < @beyond_count; f++)\n"
    "    for (k = 0; k < $_SCORES; k++)\n"
    "      effects[k * (1 + $_INPUTS) + 1 + @beyond[f].input] +=\n"
    "          @beyond[f].slope[k] * @outside(&@inputs[@beyond[f].input], x[@beyond[f].input]);\n";

static void write_effects(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_code(text, effects_text);
  if (parts->most > 2 * ENT_RULES)
    ent_export_format(text, LARGEST_RULE, ENT_RULES, parts->effects->long_nodes, ENT_RULES * (ENT_RULES + 1) / 2);
  ent_export_code(text, effects_nodes);
}

void ent_export_c_functions(ent_export_text *text, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  write_names(text, parts);
  ent_export_c_dates(text, parts);
  ent_export_c_scores(text, parts);
  if (model->schema.classes > 0)
    write_classes_predicted(text, model);
  else
    write_numbers_predicted(text, model);
  if (parts->has_effects) {
    write_effects(text, parts);
    ent_export_code(text, model->design->beyond != NULL ? effects_beyond : "");
    ent_export_plain(text, "}\n");
  }
  ent_export_c_intervals(text, parts);
}
