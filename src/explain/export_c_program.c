/* The program of a C99 file: a main that reads CSV. */
#include <string.h>

#include "explain/export_languages.h"

static const char program_begin[] = "\n"
                                    "#if defined ENTROPIC_EXPORT_MAIN && !defined ENTROPIC_EXPORT_TEST\n"
                                    "/* Reads rows from standard input: comma-separated, with a header that has the "
                                    "names of the inputs, in any order and\n"
                                    " * among other columns. Numbers are plain; dates are YYYY-MM-DD, perhaps with T "
                                    "or a blank, HH:MM or HH:MM:SS and Z.\n"
                                    " * Writes a line for each row. An argument is a level: intervals of that level "
                                    "are written, too. Returns 1 if something\n"
                                    " * cannot be read. */\n"
                                    "#include <stdio.h>\n"
                                    "#include <stdlib.h>\n"
                                    "\n"
                                    "enum { @most_columns = 16384, @digits = (int)sizeof(@real) * 2 + 1 };\n"
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

static const char number_header[] =
    "\n"
    "static void @write_header(void) {\n"
    "  int k;\n"
    "  for (k = 0; k < $_TARGETS; k++) {\n"
    "    if (k > 0)\n"
    "      putchar(',');\n"
    "    @write_name($_TARGETS > 1 ? \"prediction_\" : \"prediction\", $_TARGETS > 1 ? @outcome_name(k) : \"\");\n"
    "  }\n";

static const char end_header[] =
    "  for (k = 0; k < 2 * $_TARGETS && @level > 0; k++) {\n"
    "    putchar(',');\n"
    "    @write_name(k % 2 ? $_TARGETS > 1 ? \"upper_\" : \"upper\" : $_TARGETS > 1 ? \"lower_\" : \"lower\",\n"
    "                $_TARGETS > 1 ? @outcome_name(k / 2) : \"\");\n"
    "  }\n";

static const char number_row[] = "}\n"
                                 "\n"
                                 "static void @write_row(const @real *x) {\n"
                                 "  @real prediction[$_TARGETS];\n"
                                 "  int k;\n"
                                 "  @predict(x, prediction);\n"
                                 "  for (k = 0; k < $_TARGETS; k++)\n"
                                 "    printf(\"%s%.*g\", k ? \",\" : \"\", @digits, (double)prediction[k]);\n";

static const char end_row[] = "  if (@level > 0) {\n"
                              "    @real lower[$_TARGETS], upper[$_TARGETS];\n"
                              "    @interval(x, @level, lower, upper);\n"
                              "    for (k = 0; k < $_TARGETS; k++)\n"
                              "      printf(\",%.*g,%.*g\", @digits, (double)lower[k], @digits, (double)upper[k]);\n"
                              "  }\n";

static const char set_program[] = "\n"
                                  "/* A name in the field of a set, which is quoted: names with blanks or quotes, or "
                                  "none, have quotes of their own. */\n"
                                  "static void @write_class(const char *name) {\n"
                                  "  int own = *name == 0 || name[strcspn(name, \" \\t\\\"\")] != 0;\n"
                                  "  printf(\"%s\", own ? \"\\\"\\\"\" : \"\");\n"
                                  "  for (; *name; name++)\n"
                                  "    if (*name == '\"')\n"
                                  "      printf(\"\\\"\\\"\\\"\\\"\");\n"
                                  "    else\n"
                                  "      putchar(*name);\n"
                                  "  printf(\"%s\", own ? \"\\\"\\\"\" : \"\");\n"
                                  "}\n"
                                  "\n"
                                  "static void @write_set(const @real *x) {\n"
                                  "  unsigned char set[$_CLASSES];\n"
                                  "  int k, count = 0;\n"
                                  "  @class_set(x, @level, set);\n"
                                  "  printf(\",\\\"\");\n"
                                  "  for (k = 0; k < $_CLASSES; k++)\n"
                                  "    if (set[k]) {\n"
                                  "      printf(\"%s\", count++ ? \" \" : \"\");\n"
                                  "      @write_class(@outcome_name(k));\n"
                                  "    }\n"
                                  "  putchar('\"');\n"
                                  "}\n";

static const char class_header[] = "\n"
                                   "static void @write_header(void) {\n"
                                   "  int k;\n"
                                   "  printf(\"prediction\");\n"
                                   "  for (k = 0; k < $_CLASSES; k++) {\n"
                                   "    putchar(',');\n"
                                   "    @write_name(\"p_\", @outcome_name(k));\n"
                                   "  }\n";

static const char set_header[] = "  printf(\"%s\", @level > 0 ? \",set\" : \"\");\n";

static const char class_row[] = "}\n"
                                "\n"
                                "static void @write_row(const @real *x) {\n"
                                "  @real prediction[1], probabilities[$_CLASSES];\n"
                                "  int k;\n"
                                "  @predict(x, prediction);\n"
                                "  @probabilities(x, probabilities);\n"
                                "  @write_name(\"\", @outcome_name((int)prediction[0]));\n"
                                "  for (k = 0; k < $_CLASSES; k++)\n"
                                "    printf(\",%.*g\", @digits, (double)probabilities[k]);\n";

static const char set_row[] = "  if (@level > 0)\n    @write_set(x);\n";

static const char take_level[] =
    "\n"
    "static int @take_level(const char *text) {\n"
    "  char *end;\n"
    "  @level = strtod(text, &end);\n"
    "  if (end != text && *end == 0 && @is_level(@level))\n"
    "    return 1;\n"
    "  fprintf(stderr, \"level: found '%.40s', expected a number above 0, at most %.9g\\n\", text,\n"
    "          $_INTERVAL_ROWS / ($_INTERVAL_ROWS + 1.0));\n"
    "  return 0;\n"
    "}\n";

static const char no_level[] = "\n"
                               "static int @take_level(const char *text) {\n"
                               "  fprintf(stderr, \"level: found '%.40s', but the model has no intervals\\n\", text);\n"
                               "  return 0;\n"
                               "}\n";

static const char program_end[] =
    "\n"
    "int main(int argc, char **argv) {\n"
    "  int columns, column, c;\n"
    "  if (argc > 1 && !@take_level(argv[1]))\n"
    "    return 1;\n"
    "  columns = @read_header();\n"
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

/* The header and the rows. */
static void write_answers(ent_export_text *text, const ent_export_parts *parts) {
  bool classes = parts->model->schema.classes > 0, intervals = parts->model->intervals != NULL;
  if (classes && intervals)
    ent_export_code(text, set_program);
  ent_export_code(text, classes ? class_header : number_header);
  if (intervals)
    ent_export_code(text, classes ? set_header : end_header);
  ent_export_code(text, classes ? class_row : number_row);
  if (intervals)
    ent_export_code(text, classes ? set_row : end_row);
  ent_export_plain(text, "}\n");
}

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
  if (parts->model->intervals != NULL)
    ent_export_code(text, "static double @level; /* of intervals; 0: none */\n");
  ent_export_code(text, program_reading);
  ent_export_code(text, program_values);
  write_answers(text, parts);
  ent_export_code(text, parts->model->intervals != NULL ? take_level : no_level);
  ent_export_code(text, program_end);
}
