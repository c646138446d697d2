/* The two programs of a C99 file: its test, and one that reads CSV. */
#include <math.h>
#include <string.h>

#include "explain/export_languages.h"

/* ---- The test ---- */

static const char test_begin[] = "\n"
                                 "#ifdef ENTROPIC_EXPORT_TEST\n"
                                 "#include <stdio.h>\n"
                                 "\n"
                                 "/* Rows, and what the model says of them. */\n";

static const char differ[] =
    "\n"
    "/* Whether numbers differ by more than rounding, relative to `most` or to the largest wanted. Those wanted that "
    "are\n"
    " * NAN are not compared. */\n"
    "static int @differ(const char *what, const @real *found, const @real *wanted, long count, @real most) {\n"
    "  @real worst = 0, off;\n"
    "  long i, differing = 0;\n"
    "  for (i = 0; i < count; i++) {\n"
    "    off = wanted[i] < 0 ? -wanted[i] : wanted[i];\n"
    "    most = off > most ? off : most;\n"
    "  }\n"
    "  for (i = 0; i < count; i++) {\n"
    "    off = found[i] < wanted[i] ? wanted[i] - found[i] : found[i] - wanted[i];\n"
    "    if (wanted[i] != wanted[i])\n"
    "      continue;\n"
    "    differing += !(off <= @tolerance * most);\n"
    "    worst = off > worst ? off : worst;\n"
    "  }\n"
    "  printf(\"%s %s: %ld numbers, largest %g, largest difference %g\\n\", differing ? \"DIFFER\" : \"same\", what, "
    "count,\n"
    "         (double)most, (double)worst);\n"
    "  return differing > 0;\n"
    "}\n"
    "\n"
    "int main(void) {\n"
    "  int failed = 0, r;\n";

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

static const char test_set[] = "\n"
                               "static void @test_set(const @real *x, double level, @real *to) {\n"
                               "  unsigned char set[$_CLASSES];\n"
                               "  int k, failed = @class_set(x, level, set);\n"
                               "  for (k = 0; k < $_CLASSES; k++)\n"
                               "    to[k] = failed ? -1 : (@real)set[k];\n"
                               "}\n"
                               "\n";

static void write_intervals(ent_export_text *text, const entropic_model *model, const ent_export_rows *check) {
  size_t rows = check->rows, classes = model->schema.classes;
  ent_export_code(text, "static const double @test_levels[] = {");
  for (size_t r = 0; r < rows; r++) {
    ent_export_plain(text, r > 0 ? ", " : "");
    ent_export_double(text, check->levels[r]);
  }
  ent_export_plain(text, "};\n");
  if (classes > 0) {
    write_table(text, "test_sets", check->sets, rows * classes);
    ent_export_code(text, test_set);
  } else {
    write_table(text, "test_intervals", check->intervals, rows * 2 * model->schema.targets);
  }
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

/* Rounding is relative to what scores are made of, which may cancel. Of doubles that does not matter to 12 digits. A
 * probability changes by at most a quarter of what its score does; effects add up to the score. */
static void write_comparisons(ent_export_text *text, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  size_t rows = parts->check.rows, classes = model->schema.classes;
  bool intervals = model->intervals != NULL;
  double most = text->single ? parts->check.magnitude : largest(parts->check.scores, rows * model->scores);
  double predicted = classes > 0 ? 0 : model->transform.sign != 0 ? most * most : most;
  const ent_tested tested[] = {
      {"scores", "@scores(x, to)", "test_scores", model->scores, most},
      {"predict", "@predict(x, to)", "test_predictions", model->schema.targets, predicted},
      {"probabilities", "@probabilities(x, to)", "test_probabilities", classes,
       fmax(1, model->inverse_temperature * most / 4)},
      {"effects", "@effects(x, to)", "test_effects",
       parts->has_effects ? model->scores * (1 + parts->effects->used) : 0, most},
      {"interval", "failed += @interval(x, @test_levels[r], to, to + $_TARGETS) != 0", "test_intervals",
       intervals && classes == 0 ? 2 * model->schema.targets : 0, predicted},
      {"class_set", "@test_set(x, @test_levels[r], to)", "test_sets", intervals ? classes : 0, 1}};
  for (size_t i = 0; i < sizeof tested / sizeof *tested; i++)
    if (tested[i].width > 0)
      write_comparison(text, rows, &tested[i]);
}

void ent_export_c_test(ent_export_text *text, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  const ent_export_rows *check = &parts->check;
  size_t rows = check->rows, used = parts->effects->used, effects = model->scores * (1 + used);
  ent_export_code(text, test_begin);
  write_table(text, "test_rows", check->x, rows * used);
  write_table(text, "test_scores", check->scores, rows * model->scores);
  write_table(text, "test_predictions", check->predictions, rows * model->schema.targets);
  if (model->schema.classes > 0)
    write_table(text, "test_probabilities", check->probabilities, rows * model->schema.classes);
  if (parts->has_effects)
    write_table(text, "test_effects", check->effects, rows * effects);
  if (model->intervals != NULL)
    write_intervals(text, model, check);
  ent_export_code(text, text->single ? "static const @real @tolerance = 1e-5f;\n"
                                     : "static const @real @tolerance = 1e-12;\n");
  ent_export_code(text, differ);
  write_comparisons(text, parts);
  ent_export_plain(text, "  return failed > 0;\n}\n#endif\n");
}

/* ---- The program ---- */

static const char program_begin[] = "\n"
                                    "#if defined ENTROPIC_EXPORT_MAIN && !defined ENTROPIC_EXPORT_TEST\n"
                                    "/* Reads rows from standard input: comma-separated, with a header that has the "
                                    "names of the inputs, in any order and\n"
                                    " * among other columns. Numbers are plain; dates are YYYY-MM-DD, perhaps with T "
                                    "or a blank, HH:MM or HH:MM:SS and Z.\n"
                                    " * Writes a line for each row. Returns 1 if something cannot be read. */\n"
                                    "#include <stdio.h>\n"
                                    "#include <stdlib.h>\n"
                                    "\n"
                                    "enum { @most_columns = 16384 };\n"
                                    "static char @field[65536];\n"
                                    "static int @column_inputs[@most_columns];\n"
                                    "static unsigned long @line = 1;\n"
                                    "static int @quoted; /* the field was */\n"
                                    "\n"
                                    "/* Which inputs are dates; marks of missing values. */\n";

static const char program_reading[] =
    "\n"
    "/* Reads a field; returns what stands behind it: a comma, a newline or EOF. */\n"
    "static int @read_field(void) {\n"
    "  size_t count = 0;\n"
    "  int c = getchar(), quoted = c == '\"';\n"
    "  @quoted = quoted;\n"
    "  if (quoted)\n"
    "    c = getchar();\n"
    "  for (;; c = getchar()) {\n"
    "    if (quoted && c == '\"') {\n"
    "      c = getchar();\n"
    "      quoted = c == '\"';\n"
    "    }\n"
    "    @line += c == '\\n';\n"
    "    if (c == EOF || (!quoted && (c == ',' || c == '\\n')))\n"
    "      break;\n"
    "    if (c == '\\r' && !quoted)\n"
    "      continue;\n"
    "    if (count + 1 == sizeof @field) {\n"
    "      fprintf(stderr, \"line %lu: a field of over %lu bytes\\n\", @line, (unsigned long)count);\n"
    "      exit(1);\n"
    "    }\n"
    "    @field[count++] = (char)c;\n"
    "  }\n"
    "  @field[count] = 0;\n"
    "  return c;\n"
    "}\n"
    "\n"
    "/* Days since 1970-01-01. */\n"
    "static int @read_date(const char *text, double *days) {\n"
    "  static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};\n"
    "  int year, month, day, hour = 0, minute = 0, used = 0, more = 0, leap;\n"
    "  double second = 0;\n"
    "  if (sscanf(text, \"%4d-%2d-%2d%n\", &year, &month, &day, &used) != 3 || month < 1 || month > 12 || day < 1)\n"
    "    return 0;\n"
    "  text += used;\n"
    "  if (*text == 'T' || *text == ' ') {\n"
    "    if (sscanf(++text, \"%2d:%2d%n\", &hour, &minute, &used) != 2)\n"
    "      return 0;\n"
    "    text += used;\n"
    "    if (*text == ':' && sscanf(text, \":%lf%n\", &second, &more) == 1)\n"
    "      text += more;\n"
    "    if (*text == 'Z')\n"
    "      text++;\n"
    "  }\n"
    "  leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;\n"
    "  used = month == 12 ? 31 : before[month] - before[month - 1] + (month == 2 && leap);\n"
    "  if (*text || day > used || year < 1 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || !(second >= 0 && "
    "second < "
    "61))\n"
    "    return 0;\n"
    "  year--;\n"
    "  *days = 365.0 * (year - 1969) + (year / 4 - 492) - (year / 100 - 19) + (year / 400 - 4) + before[month - 1] +\n"
    "          (month > 2 && leap) + day - 1;\n"
    "  *days += (hour * 3600.0 + minute * 60.0 + second) / 86400;\n"
    "  return 1;\n"
    "}\n"
    "\n"
    "static int @lower(int c) {\n"
    "  return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;\n"
    "}\n"
    "\n"
    "/* Whether a text is empty or one of some marks, in letters of any case. */\n"
    "static int @is_marked(const char *text, const char *mark) {\n"
    "  size_t length = strlen(text), own, i;\n"
    "  for (; *mark; mark += own + (mark[own] == ',')) {\n"
    "    own = strcspn(mark, \",\");\n"
    "    for (i = 0; own == length && i < own && @lower(mark[i]) == @lower(text[i]); i++)\n"
    "      continue;\n"
    "    if (own == length && i == own)\n"
    "      return 1;\n"
    "  }\n"
    "  return length == 0;\n"
    "}\n"
    "\n";

static const char program_values[] =
    "/* The value of an input, from the field. */\n"
    "static @real @read_value(int input) {\n"
    "  char *end = @field;\n"
    "  double value = 0;\n"
    "  int sound;\n"
    "  if (@is_marked(@field, @marks) || (@inputs[input].categories == 0 && @is_marked(@field, @number_marks)))\n"
    "    return (@real)NAN;\n"
    "  if (@inputs[input].categories > 0)\n"
    "    return @category(input, @field);\n"
    "  if (@dates[input]) {\n"
    "    sound = @read_date(@field, &value);\n"
    "  } else {\n"
    "    value = strtod(@field, &end);\n"
    "    sound = end != @field && end[strspn(end, \" \\t\")] == 0 && value - value == 0;\n"
    "  }\n"
    "  if (!sound) {\n"
    "    fprintf(stderr, \"line %lu: found '%.40s', expected a %s\\n\", @line, @field, @dates[input] ? \"date\" : "
    "\"number\");\n"
    "    exit(1);\n"
    "  }\n"
    "  return (@real)value;\n"
    "}\n"
    "\n"
    "/* The inputs of the columns; returns how many columns there are. */\n"
    "static int @read_header(void) {\n"
    "  int seen[$_INPUTS + 1] = {0}, columns = 0, i, c;\n"
    "  do {\n"
    "    c = @read_field();\n"
    "    if (columns == @most_columns) {\n"
    "      fprintf(stderr, \"line 1: more than %d columns\\n\", (int)@most_columns);\n"
    "      exit(1);\n"
    "    }\n"
    "    if (columns == 0 && strncmp(@field, \"\\357\\273\\277\", 3) == 0)\n"
    "      memmove(@field, @field + 3, strlen(@field + 3) + 1);\n"
    "    i = @column_inputs[columns++] = @input(@field);\n"
    "    if (i >= 0)\n"
    "      seen[i] = 1;\n"
    "  } while (c == ',');\n"
    "  for (i = 0; i < $_INPUTS; i++)\n"
    "    if (!seen[i]) {\n"
    "      fprintf(stderr, \"line 1: found no column '%.200s'\\n\", @input_name(i));\n"
    "      exit(1);\n"
    "    }\n"
    "  return columns;\n"
    "}\n"
    "\n"
    "/* A name as a field of CSV. */\n"
    "static void @write_name(const char *before, const char *name) {\n"
    "  int quoted = name[strcspn(name, \",\\\"\\r\\n\")] != 0;\n"
    "  printf(\"%s%s\", quoted ? \"\\\"\" : \"\", before);\n"
    "  for (; *name; name++) {\n"
    "    putchar(*name);\n"
    "    if (*name == '\"')\n"
    "      putchar(*name);\n"
    "  }\n"
    "  if (quoted)\n"
    "    putchar('\"');\n"
    "}\n";

static const char number_program[] =
    "\n"
    "static void @write_header(void) {\n"
    "  int k;\n"
    "  for (k = 0; k < $_TARGETS; k++) {\n"
    "    if (k > 0)\n"
    "      putchar(',');\n"
    "    @write_name($_TARGETS > 1 ? \"prediction_\" : \"prediction\", $_TARGETS > 1 ? @outcome_name(k) : \"\");\n"
    "  }\n"
    "}\n"
    "\n"
    "static void @write_row(const @real *x) {\n"
    "  @real prediction[$_TARGETS];\n"
    "  int k;\n"
    "  @predict(x, prediction);\n"
    "  for (k = 0; k < $_TARGETS; k++)\n"
    "    printf(\"%s%.*g\", k ? \",\" : \"\", (int)sizeof(@real) * 2 + 1, (double)prediction[k]);\n"
    "}\n";

static const char class_program[] = "\n"
                                    "static void @write_header(void) {\n"
                                    "  int k;\n"
                                    "  printf(\"prediction\");\n"
                                    "  for (k = 0; k < $_CLASSES; k++) {\n"
                                    "    putchar(',');\n"
                                    "    @write_name(\"p_\", @outcome_name(k));\n"
                                    "  }\n"
                                    "}\n"
                                    "\n"
                                    "static void @write_row(const @real *x) {\n"
                                    "  @real prediction[1], probabilities[$_CLASSES];\n"
                                    "  int k;\n"
                                    "  @predict(x, prediction);\n"
                                    "  @probabilities(x, probabilities);\n"
                                    "  @write_name(\"\", @outcome_name((int)prediction[0]));\n"
                                    "  for (k = 0; k < $_CLASSES; k++)\n"
                                    "    printf(\",%.*g\", (int)sizeof(@real) * 2 + 1, (double)probabilities[k]);\n"
                                    "}\n";

static const char program_end[] =
    "\n"
    "int main(void) {\n"
    "  int columns = @read_header(), column, c;\n"
    "  @write_header();\n"
    "  putchar('\\n');\n"
    "  for (;;) {\n"
    "    @real x[$_INPUTS + 1] = {0};\n"
    "    unsigned long line = @line;\n"
    "    column = 0;\n"
    "    do {\n"
    "      c = @read_field();\n"
    "      if (c == EOF && column == 0 && @field[0] == 0)\n"
    "        return fflush(stdout) != 0;\n"
    "      if (column < columns && @column_inputs[column] >= 0)\n"
    "        x[@column_inputs[column]] = @read_value(@column_inputs[column]);\n"
    "      column++;\n"
    "    } while (c == ',');\n"
    "    if (column == 1 && @field[0] == 0 && !@quoted)\n"
    "      continue; /* a blank line */\n"
    "    if (column != columns) {\n"
    "      fprintf(stderr, \"line %lu: found %d fields, expected %d\\n\", line, column, columns);\n"
    "      return 1;\n"
    "    }\n"
    "    @write_row(x);\n"
    "    putchar('\\n');\n"
    "  }\n"
    "}\n"
    "#endif\n";

void ent_export_c_program(ent_export_text *text, const ent_export_parts *parts) {
  const ent_schema *schema = &parts->model->schema;
  ent_export_code(text, program_begin);
  ent_export_code(text, "static const unsigned char @dates[] = {");
  for (size_t i = 0; i < parts->effects->used; i++)
    ent_export_plain(text, ent_export_schema(parts, i)->date ? "1, " : "0, ");
  ent_export_code(text, "0};\nstatic const char @marks[] = ");
  const char *marks = schema->missing_marks;
  ent_export_c_string(text, marks != NULL && strlen(marks) < 4000 ? marks : "?,NA,N/A,nan,null");
  ent_export_code(text, ";\nstatic const char @number_marks[] = \"None,nil,#N/A,#NA,\\\\N,<NA>,NaT,-,--,.\";\n");
  ent_export_code(text, program_reading);
  ent_export_code(text, program_values);
  ent_export_code(text, schema->classes > 0 ? class_program : number_program);
  ent_export_code(text, program_end);
}
