/* The columns of a design by parameters.
 *
 * The parameter ranges lists the inputs: "x1=0:1,x2=-5:5,colour=red|green". A value without '=' is the name of a file
 * with one input a line; lines that begin with # are left out. A ? at the end says that values may be missing: they get
 * an atom of their own. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "data/lines.h"
#include "design/by_parameters.h"

/* A piece of a text. */
typedef struct ent_range_text {
  const char *at;
  size_t length;
} ent_range_text;

/* Where a failure is. */
typedef struct ent_range_place {
  const char *name; /* of the file, or as the parameter is spelled */
  size_t number;    /* of the line, or of the item */
  const char *number_of;
  entropic_status status; /* of failures: bad data in a file, a bad argument in a parameter */
} ent_range_place;

static ent_range_text trim(ent_range_text piece) {
  while (piece.length > 0 && piece.at[0] == ' ') {
    piece.at++;
    piece.length--;
  }
  while (piece.length > 0 && piece.at[piece.length - 1] == ' ')
    piece.length--;
  return piece;
}

/* Cuts the part before a character off the front, with the character; all if it is not there. False if nothing is left. */
static bool cut(ent_range_text *rest, char at, ent_range_text *part) {
  if (rest->at == NULL)
    return false;
  const char *found = memchr(rest->at, at, rest->length);
  *part = *rest;
  if (found == NULL) {
    *rest = (ent_range_text){NULL, 0};
  } else {
    part->length = (size_t)(found - rest->at);
    *rest = (ent_range_text){found + 1, rest->length - part->length - 1};
  }
  *part = trim(*part);
  return true;
}

/* LO:HI. */
static bool take_ends(ent_range_text text, double *low, double *high) {
  ent_range_text first;
  return cut(&text, ':', &first) && text.at != NULL &&
         entropic_parse_double(first.at, first.length, low) == ENTROPIC_OK &&
         entropic_parse_double(trim(text).at, trim(text).length, high) == ENTROPIC_OK &&
         ent_design_is_range(*low, *high);
}

static entropic_status locate(entropic_context *context, const ent_range_place *place, entropic_status status) {
  char message[ENT_MESSAGE_SIZE];
  if (status == ENTROPIC_OK || status == ENTROPIC_NO_MEMORY)
    return status;
  snprintf(message, sizeof message, "%s", context != NULL ? context->message : "");
  return ent_fail(context, place->status, "%s, %s %zu: %s", place->name, place->number_of, place->number, message);
}

/* One input: NAME=LO:HI or NAME=A|B, either with a ? behind it. */
static entropic_status add_input(entropic_context *context, ent_range_text item, ent_design_columns *columns) {
  char shown[ENT_SHOW_SIZE];
  ent_range_text name, rest = item, category;
  bool there = cut(&rest, '=', &name) && rest.at != NULL;
  rest = trim(rest);
  bool missing = there && rest.length > 0 && rest.at[rest.length - 1] == '?';
  rest.length -= missing;
  bool categories = there && memchr(rest.at, '|', rest.length) != NULL;
  double low = 0, high = 0;
  if (!there || (!categories && !take_ends(trim(rest), &low, &high)))
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "found '%s', expected NAME=LO:HI, with numbers LO < HI, or categories NAME=A|B|C; a ? behind it "
                    "says that values may be missing",
                    ent_show(item.at, item.length, shown));
  entropic_status status = ent_design_add_input(context, columns, name.at, name.length);
  if (status != ENTROPIC_OK)
    return status;
  ent_design_input *input = &columns->input[columns->inputs - 1];
  input->low = low;
  input->high = high;
  input->missing = missing;
  while (categories && cut(&rest, '|', &category)) {
    status = ent_design_add_category(context, columns, category.at, category.length);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (ent_design_atoms(input) > ENT_MAX_CATEGORIES)
    return ent_fail(context, ENTROPIC_BAD_DATA, "found %zu categories, expected at most %zu", input->categories,
                    (size_t)ENT_MAX_CATEGORIES - missing);
  return ENTROPIC_OK;
}

/* One input of each line. */
static entropic_status read_lines(entropic_context *context, ent_lines *lines, ent_design_columns *columns) {
  for (;;) {
    bool more;
    entropic_status status = ent_lines_next(context, lines, &more);
    if (status != ENTROPIC_OK)
      return status;
    if (!more)
      break;
    const ent_range_place place = {lines->bytes->name, lines->line, "line", ENTROPIC_BAD_DATA};
    if (lines->text[0] == '#')
      continue;
    status = locate(context, &place, add_input(context, (ent_range_text){lines->text, strlen(lines->text)}, columns));
    if (status != ENTROPIC_OK)
      return status;
  }
  return columns->inputs > 0 ? ENTROPIC_OK
                             : ent_fail(context, ENTROPIC_BAD_DATA,
                                        "%s: found no inputs, expected a line NAME=LO:HI for each", lines->bytes->name);
}

static entropic_status read_file(entropic_context *context, const char *path, ent_design_columns *columns) {
  ent_lines lines;
  entropic_status status = ent_lines_open(context, path, &lines);
  if (status != ENTROPIC_OK)
    goto done;
  status = read_lines(context, &lines, columns);
done:
  ent_lines_close(&lines);
  return status;
}

static entropic_status read_ranges(entropic_context *context, const entropic_parameters *parameters,
                                   ent_design_columns *columns) {
  char spelling[ENT_SPELLING_SIZE];
  const char *text = ent_parameters_text(parameters, "ranges");
  if (strchr(text, '=') == NULL)
    return read_file(context, text, columns);
  ent_range_place place = {ent_parameters_spelling(parameters, "ranges", spelling), 0, "input", ENTROPIC_BAD_ARGUMENT};
  ent_range_text rest = {text, strlen(text)}, item;
  while (cut(&rest, ',', &item)) {
    place.number++;
    entropic_status status = locate(context, &place, add_input(context, item, columns));
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Names of classes, comma separated. */
static entropic_status read_classes(entropic_context *context, const entropic_parameters *parameters,
                                    ent_design_columns *columns) {
  char spelling[ENT_SPELLING_SIZE];
  const char *text = ent_parameters_text(parameters, "classes");
  ent_range_place place = {ent_parameters_spelling(parameters, "classes", spelling), 0, "class", ENTROPIC_BAD_ARGUMENT};
  ent_range_text rest = {text, strlen(text)}, item;
  while (cut(&rest, ',', &item)) {
    place.number++;
    entropic_status status = locate(context, &place, ent_design_add_class(context, columns, item.at, item.length));
    if (status != ENTROPIC_OK)
      return status;
  }
  return columns->classes >= 2
             ? ENTROPIC_OK
             : ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s %s: expected two classes or more, A,B", place.name, text);
}

static entropic_status read_target(entropic_context *context, const entropic_parameters *parameters,
                                   ent_design_columns *columns) {
  char spelling[ENT_SPELLING_SIZE], shown[ENT_SHOW_SIZE];
  const char *name = ent_parameters_text(parameters, "target"),
             *range = ent_parameters_text(parameters, "target-range");
  const ent_range_place place = {ent_parameters_spelling(parameters, "target", spelling), 1, "column",
                                 ENTROPIC_BAD_ARGUMENT};
  entropic_status status = locate(context, &place, ent_design_set_target(context, columns, name, strlen(name)));
  if (status != ENTROPIC_OK)
    return status;
  if (range == NULL)
    return read_classes(context, parameters, columns);
  if (take_ends((ent_range_text){range, strlen(range)}, &columns->target_low, &columns->target_high))
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s %s: expected LO:HI, two numbers, the smaller one first",
                  ent_parameters_spelling(parameters, "target-range", spelling), ent_show(range, strlen(range), shown));
}

entropic_status ent_design_columns_check(entropic_context *context, const entropic_parameters *parameters) {
  static const char *const others[] = {"target-range", "classes", "lambda"};
  char one[ENT_SPELLING_SIZE], other[ENT_SPELLING_SIZE], third[ENT_SPELLING_SIZE];
  bool ranges = ent_parameters_is_set(parameters, "ranges");
  ent_parameters_spelling(parameters, "ranges", one);
  for (size_t i = 0; !ranges && i < sizeof others / sizeof *others; i++)
    if (ent_parameters_is_set(parameters, others[i]))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s needs %s",
                      ent_parameters_spelling(parameters, others[i], other), one);
  if (!ranges)
    return ENTROPIC_OK;
  if (!ent_parameters_is_set(parameters, "target"))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s needs %s, the name of the column to predict", one,
                    ent_parameters_spelling(parameters, "target", other));
  if (ent_parameters_is_set(parameters, "target-range") == ent_parameters_is_set(parameters, "classes"))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s needs %s for a number or %s for classes, one of them", one,
                    ent_parameters_spelling(parameters, "target-range", other),
                    ent_parameters_spelling(parameters, "classes", third));
  return ENTROPIC_OK;
}

entropic_status ent_design_columns_by(entropic_context *context, const entropic_parameters *parameters,
                                      ent_design_columns **columns) {
  char spelling[ENT_SPELLING_SIZE];
  ent_design_columns *made = NULL;
  if (!ent_parameters_is_set(parameters, "ranges"))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is needed: the inputs with their ranges",
                    ent_parameters_spelling(parameters, "ranges", spelling));
  entropic_status status = ent_design_columns_check(context, parameters);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_design_columns_create(context, &made);
  if (status != ENTROPIC_OK)
    return status;
  status = read_ranges(context, parameters, made);
  if (status != ENTROPIC_OK)
    goto fail;
  status = read_target(context, parameters, made);
  if (status != ENTROPIC_OK)
    goto fail;
  made->lambda = ent_parameters_number(parameters, "lambda", made->lambda);
  *columns = made;
  return ENTROPIC_OK;
fail:
  ent_design_columns_free(made);
  return status;
}
