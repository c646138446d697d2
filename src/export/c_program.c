/* The program of a C99 file: a main that reads CSV. */
#include <math.h>
#include <string.h>

#include "export/languages.h"

static const char program_begin[] =
    "\n"
    "#if defined ENTROPIC_EXPORT_MAIN && !defined ENTROPIC_EXPORT_TEST\n"
    "/* Reads rows from standard input: comma-separated, with a header that has the names of the inputs, in any order "
    "and\n"
    " * among other columns. Numbers are plain; dates are YYYY-MM-DD, perhaps with T or a blank, HH:MM or HH:MM:SS and "
    "Z.\n"
    " * Writes a line for each row. An argument is a level: intervals of that level are written, too. Returns 1 if "
    "something\n"
    " * cannot be read. */\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "\n"
    "enum { @most_columns = 16384, @digits = (int)sizeof(@real) * 2 + 1 };\n"
    "static char @field[65536];\n"
    "/* The first input of a column, and the next one of the column of an input; -1: none. */\n"
    "static int @column_inputs[@most_columns], @next_inputs[$_INPUTS + 1];\n"
    "static int @least_columns; /* of a row */\n"
    "static unsigned long @line = 1;\n"
    "static int @quoted; /* the field was */\n"
    "static int @filled; /* it is not empty */\n"
    "static int @used;   /* the row has a field that is not empty */\n"
    "\n"
    "/* Which inputs are dates, or made of them; marks of missing values. */\n";

static const char program_reading[] =
    "\n"
    "/* The next character. A line may end with a carriage return before its newline. */\n"
    "static int @next(void) {\n"
    "  int c = getchar();\n"
    "  if (c != '\\r')\n"
    "    return c;\n"
    "  c = getchar();\n"
    "  if (c == '\\n' || c == EOF)\n"
    "    return c;\n"
    "  ungetc(c, stdin);\n"
    "  return '\\r';\n"
    "}\n"
    "\n"
    "static void @fail(unsigned long line, const char *what) {\n"
    "  fprintf(stderr, \"line %lu: %s\\n\", line, what);\n"
    "  exit(1);\n"
    "}\n"
    "\n"
    "static void @keep(size_t at, int c) {\n"
    "  if (c == 0)\n"
    "    @fail(@line, \"there is a NUL byte, expected text\");\n"
    "  if (at + 1 == sizeof @field)\n"
    "    @fail(@line, \"a field is too long\");\n"
    "  @field[at] = (char)c;\n"
    "}\n"
    "\n"
    "/* Reads what is in quotes, and the blanks behind them; returns how many characters it has, and what stands "
    "behind it. */\n"
    "static size_t @read_quoted(int *behind) {\n"
    "  unsigned long first = @line;\n"
    "  size_t count = 0;\n"
    "  int c;\n"
    "  for (;;) {\n"
    "    c = getchar();\n"
    "    if (c == '\"') {\n"
    "      c = @next();\n"
    "      if (c != '\"')\n"
    "        break;\n"
    "    }\n"
    "    if (c == EOF)\n"
    "      @fail(first, \"a quote is opened and never closed\");\n"
    "    @line += c == '\\n';\n"
    "    @keep(count++, c);\n"
    "  }\n"
    "  while (c == ' ' || c == '\\t' || c == '\\r')\n"
    "    c = @next();\n"
    "  if (c != ',' && c != '\\n' && c != EOF)\n"
    "    @fail(@line, \"there is text after a closing quote, expected the end of the field\");\n"
    "  *behind = c;\n"
    "  return count;\n"
    "}\n"
    "\n"
    "/* Reads a field, without the blanks around it unless they are in quotes; returns what stands behind it: a comma, "
    "a\n"
    " * newline or EOF. */\n"
    "static int @read_field(void) {\n"
    "  size_t count = 0, kept = 0; /* blanks behind field[kept] may be the last */\n"
    "  int c = @next();\n"
    "  while (c == ' ' || c == '\\t')\n"
    "    c = @next();\n"
    "  @quoted = c == '\"';\n"
    "  if (@quoted)\n"
    "    kept = @read_quoted(&c);\n"
    "  for (; c != ',' && c != '\\n' && c != EOF; c = @next()) {\n"
    "    @keep(count++, c);\n"
    "    if (c != ' ' && c != '\\t')\n"
    "      kept = count;\n"
    "  }\n"
    "  @field[kept] = 0;\n"
    "  @filled = kept > 0 || @quoted;\n"
    "  @used |= @filled;\n"
    "  return c;\n"
    "}\n"
    "\n"
    "/* The number that so many digits are; -1 if there are fewer. */\n"
    "static int @take_digits(const char **text, int count) {\n"
    "  int value = 0;\n"
    "  for (; count > 0; count--, ++*text) {\n"
    "    if (**text < '0' || **text > '9')\n"
    "      return -1;\n"
    "    value = 10 * value + (**text - '0');\n"
    "  }\n"
    "  return value;\n"
    "}\n"
    "\n"
    "static int @take(const char **text, char mark) {\n"
    "  if (**text != mark)\n"
    "    return 0;\n"
    "  ++*text;\n"
    "  return 1;\n"
    "}\n"
    "\n"
    "/* Seconds with their fraction, if there is one; below 0 if they are none. */\n"
    "static double @take_seconds(const char **text) {\n"
    "  int whole = @take_digits(text, 2);\n"
    "  double fraction = 0, unit = 1;\n"
    "  if (whole >= 0 && @take(text, '.')) {\n"
    "    if (**text < '0' || **text > '9')\n"
    "      return -1;\n"
    "    for (; **text >= '0' && **text <= '9'; ++*text)\n"
    "      if (unit < 1e15) { /* more make no difference */\n"
    "        fraction = 10 * fraction + (**text - '0');\n"
    "        unit *= 10;\n"
    "      }\n"
    "  }\n"
    "  return whole + fraction / unit;\n"
    "}\n"
    "\n"
    "/* Days since 1970-01-01. */\n"
    "static int @read_date(const char *text, double *days) {\n"
    "  static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};\n"
    "  int year = @take_digits(&text, 4), month = 0, day = 0, hour = 0, minute = 0, last, leap;\n"
    "  double second = 0;\n"
    "  if (year >= 0 && @take(&text, '-'))\n"
    "    month = @take_digits(&text, 2);\n"
    "  if (month > 0 && @take(&text, '-'))\n"
    "    day = @take_digits(&text, 2);\n"
    "  if (day > 0 && (@take(&text, 'T') || @take(&text, ' '))) {\n"
    "    hour = @take_digits(&text, 2);\n"
    "    minute = hour >= 0 && @take(&text, ':') ? @take_digits(&text, 2) : -1;\n"
    "    if (minute >= 0 && @take(&text, ':'))\n"
    "      second = @take_seconds(&text);\n";

static const char program_zone[] =
    "    if (minute >= 0 && second >= 0 && !@take(&text, 'Z') && *text) { /* the zone changes nothing: its clock "
    "counts */\n"
    "      int hours, minutes = 0;\n"
    "      @take(&text, ' ');\n"
    "      if (strcmp(text, \"UTC\") == 0) {\n"
    "        text += 3;\n"
    "      } else {\n"
    "        hours = @take(&text, '+') || @take(&text, '-') ? @take_digits(&text, 2) : -1;\n"
    "        if (hours >= 0 && (@take(&text, ':') || *text))\n"
    "          minutes = @take_digits(&text, 2);\n"
    "        if (hours < 0 || hours > 14 || minutes < 0 || minutes > 59)\n"
    "          return 0;\n"
    "      }\n"
    "    }\n";

static const char program_utc[] = "    @take(&text, 'Z');\n";

static const char program_marks[] =
    "  }\n"
    "  if (*text || year < 1 || month < 1 || month > 12 || day < 1 || hour < 0 || hour > 23 || minute < 0 || minute > "
    "59 ||\n"
    "      !(second >= 0 && second < 60))\n"
    "    return 0;\n"
    "  leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;\n"
    "  last = month == 12 ? 31 : before[month] - before[month - 1] + (month == 2 && leap);\n"
    "  if (day > last)\n"
    "    return 0;\n"
    "  year--;\n"
    "  *days = 365.0 * (year - 1969) + (year / 4 - 492) - (year / 100 - 19) + (year / 400 - 4) + before[month - 1] +\n"
    "          (month > 2 && leap) + day - 1;\n"
    "  *days += (hour * 3600.0 + minute * 60.0 + second) / 86400;\n"
    "  return 1;\n"
    "}\n"
    "\n"
    "/* Digits, perhaps with a sign, a point and an exponent; strtod alone would take hexadecimal numbers, too. */\n"
    "static int @read_number(double *value) {\n"
    "  char *end;\n"
    "  *value = strtod(@field, &end);\n"
    "  return *@field && *end == 0 && end == @field + strspn(@field, \"+-.0123456789eE\") && *value - *value == 0;\n"
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
    "/* Blanks in quotes count in categories that have them, and nowhere else. */\n"
    "static void @trim_field(int input) {\n"
    "  uint32_t count = @dates[input] ? 0 : @inputs[input].categories, c;\n"
    "  size_t first = strspn(@field, \" \\t\"), length = strlen(@field);\n"
    "  for (c = 0; c < count; c++)\n"
    "    if (strcmp(@field, @categories[@inputs[input].category + c]) == 0)\n"
    "      return;\n"
    "  while (length > first && (@field[length - 1] == ' ' || @field[length - 1] == '\\t'))\n"
    "    length--;\n"
    "  @field[length] = 0;\n"
    "  memmove(@field, @field + first, length - first + 1);\n"
    "}\n"
    "\n"
    "/* The value of an input, from the field. */\n"
    "static @real @read_value(int input) {\n"
    "  int category = @inputs[input].categories > 0 && !@dates[input], sound, i;\n"
    "  double value;\n"
    "  if (@quoted)\n"
    "    @trim_field(input);\n"
    "  if (@is_marked(@field, @marks) || (!category && @is_marked(@field, @number_marks)))\n"
    "    return (@real)NAN;\n"
    "  sound = @read_number(&value);\n"
    "  for (i = 0; sound && i + 1 < (int)(sizeof @marked_numbers / sizeof *@marked_numbers); i++)\n"
    "    if (value == @marked_numbers[i])\n"
    "      return (@real)NAN;\n"
    "  if (category)\n"
    "    return @category(input, @field);\n"
    "  if (@dates[input])\n"
    "    sound = @read_date(@field, &value);\n";

static const char program_part[] = "  if (@dates[input] && sound)\n"
                                   "    value = @date_part(input, value);\n";

static const char program_header[] =
    "  if (!sound) {\n"
    "    fprintf(stderr, \"line %lu: found '%.40s', expected a %s\\n\", @line, @field, @dates[input] ? \"date\" : "
    "\"number\");\n"
    "    exit(1);\n"
    "  }\n"
    "  return (@real)value;\n"
    "}\n"
    "\n"
    "/* The first input, from a number on, of the column that a field of the header names; -1: none. In quotes blanks\n"
    " * count. */\n"
    "static int @input_of(int i) {\n"
    "  uint32_t count = (uint32_t)($_INPUTS - i), c = @find_text(@column_names + i, count, @field);\n"
    "  return c == count || (@quoted && strcmp(@field, @column_names[i + (int)c]) != 0) ? -1 : i + (int)c;\n"
    "}\n"
    "\n"
    "/* The inputs of the columns; returns how many columns there are. Rows need not have the last ones without a "
    "name. */\n"
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
    "    i = @input_of(0);\n"
    "    if (i >= 0 && seen[i])\n"
    "      i = -1; /* of several columns with one name the first counts */\n"
    "    @column_inputs[columns++] = i;\n"
    "    @least_columns = @filled || columns == 1 ? columns : @least_columns;\n"
    "    for (; i >= 0; i = @next_inputs[i]) {\n"
    "      seen[i] = 1;\n"
    "      @next_inputs[i] = @input_of(i + 1);\n"
    "    }\n"
    "  } while (c == ',');\n"
    "  for (i = 0; i < $_INPUTS; i++)\n"
    "    if (!seen[i]) {\n"
    "      fprintf(stderr, \"line 1: found no column '%.200s'\\n\", @column_names[i]);\n"
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
    "  int columns, column, extra, c, i, rows = 0;\n"
    "  if (argc > 1 && !@take_level(argv[1]))\n"
    "    return 1;\n"
    "  columns = @read_header();\n"
    "  for (;;) {\n"
    "    @real x[$_INPUTS + 1] = {0};\n"
    "    unsigned long line = ++@line;\n"
    "    column = extra = @used = 0;\n"
    "    do {\n"
    "      c = @read_field();\n"
    "      if (c == EOF && column == 0 && !@used) {\n"
    "        if (!rows)\n"
    "          fprintf(stderr, \"found no rows\\n\");\n"
    "        return fflush(stdout) != 0 || !rows;\n"
    "      }\n"
    "      for (i = column < columns ? @column_inputs[column] : -1; i >= 0; i = @next_inputs[i])\n"
    "        x[i] = @read_value(i);\n"
    "      extra |= column >= columns && @filled; /* empty fields at the end are fine */\n"
    "      column++;\n"
    "    } while (c == ',');\n"
    "    if (column == 1 && !@used)\n"
    "      continue; /* a blank line */\n"
    "    for (; !@used && column < columns; column++) /* commas alone: all values are missing */\n"
    "      for (i = @column_inputs[column]; i >= 0; i = @next_inputs[i])\n"
    "        x[i] = (@real)NAN;\n"
    "    if (extra || column < @least_columns) {\n"
    "      fprintf(stderr, \"line %lu: found %d fields, expected %d\\n\", line, column, columns);\n"
    "      return 1;\n"
    "    }\n"
    "    if (!rows) {\n"
    "      @write_header();\n"
    "      putchar('\\n');\n"
    "    }\n"
    "    rows = 1;\n"
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

/* Those of the marks that are numbers, which count however they are written; and a last one that is not used. */
static void write_marked_numbers(ent_export_text *text, const char *marks) {
  ent_export_code(text, ";\nstatic const double @marked_numbers[] = {");
  for (const char *p = marks; *p != '\0'; p += *p == ',') {
    size_t length = strcspn(p, ",");
    double value;
    if (entropic_parse_double(p, length, &value) == ENTROPIC_OK && isfinite(value)) {
      char shown[ENTROPIC_NUMBER_SIZE];
      entropic_format_double(value, shown);
      ent_export_plain(text, shown);
      ent_export_plain(text, ", ");
    }
    p += length;
  }
  ent_export_plain(text, "0};\n");
}

/* The columns of inputs by name. */
static void write_columns(ent_export_text *text, const ent_export_parts *parts) {
  if (!ent_export_has_parts(parts)) {
    ent_export_code(text, "static const char *const *const @column_names = @input_names;\n");
    return;
  }
  ent_export_c_columns(text, parts);
}

void ent_export_c_program(ent_export_text *text, const ent_export_parts *parts) {
  ent_export_code(text, program_begin);
  ent_export_code(text, "static const unsigned char @dates[] = {");
  for (size_t i = 0; i < parts->effects->used; i++)
    ent_export_plain(
        text, ent_export_schema(parts, i)->date || ent_part_is_made(ent_export_schema(parts, i)->part) ? "1, " : "0, ");
  ent_export_code(text, "0};\nstatic const char @marks[] = ");
  ent_export_c_string(text, ent_export_marks(parts));
  write_marked_numbers(text, ent_export_marks(parts));
  ent_export_code(text, "static const char @number_marks[] = ");
  ent_export_c_string(text, ENT_EXPORT_NUMBER_MARKS);
  ent_export_code(text, ";\n");
  if (parts->model->intervals != NULL)
    ent_export_code(text, "static double @level; /* of intervals; 0: none */\n");
  write_columns(text, parts);
  ent_export_code(text, program_reading);
  ent_export_code(text, ent_export_has_clock(parts) ? program_zone : program_utc);
  ent_export_code(text, program_marks);
  ent_export_code(text, program_values);
  if (ent_export_has_parts(parts))
    ent_export_code(text, program_part);
  ent_export_code(text, program_header);
  write_answers(text, parts);
  ent_export_code(text, parts->model->intervals != NULL ? take_level : no_level);
  ent_export_code(text, program_end);
}
