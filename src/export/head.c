/* What exports say about themselves, in their first comment. */
#include <string.h>

#include "columns/date.h"
#include "export/languages.h"

#define LISTED ((size_t)50) /* categories of an input, or classes */

static void numbers_of(ent_export_text *text, const ent_export_parts *parts, size_t place) {
  const ent_scale *scale = ent_export_scale(parts, place);
  const ent_input *input = ent_export_schema(parts, place);
  char shown[ENTROPIC_NUMBER_SIZE], date[ENT_DATE_SIZE];
  ent_export_plain(text, input->date                                  ? "a date, in days since 1970-01-01"
                         : input->notation == ENT_NOTATION_CLOCK      ? "a time, in seconds since midnight"
                         : ent_export_scale(parts, place)->knots == 0 ? "a number from 0 to 1"
                                                                      : "a number");
  for (size_t k = 0; k < 2 && scale->knots > 0; k++) {
    double at = scale->at[k == 0 ? 0 : scale->knots - 1];
    ent_export_plain(text, k == 0 ? ", from " : " to ");
    entropic_format_double(at, shown);
    ent_export_plain(text, shown);
    if (!input->date)
      continue;
    ent_export_plain(text, " (");
    ent_export_plain(text, ent_format_date(at, date));
    ent_export_plain(text, ")");
  }
  if (scale->knots > 0)
    ent_export_plain(text, scale->fixed ? ", which are one point" : " in the training rows");
}

static void categories_of(ent_export_text *text, const ent_input *input, bool missing) {
  ent_export_format(text, "a category%s, the code of one of %zu:", missing ? ", may be missing" : "",
                    input->categories);
  for (size_t c = 0; c < input->categories && c < LISTED; c++) {
    ent_export_format(text, "\n *        %zu  ", c);
    ent_export_comment(text, input->category[c]);
  }
  if (input->categories > LISTED)
    ent_export_plain(text, "\n *        and so on");
}

static void list_inputs(ent_export_text *text, const ent_export_parts *parts) {
  for (size_t i = 0; i < parts->effects->used; i++) {
    const ent_input *input = ent_export_schema(parts, i);
    ent_export_format(text, " *   %zu  ", i);
    ent_export_comment(text, input->name);
    ent_export_plain(text, ": ");
    ent_export_plain(text, input->part == ENT_PART_YEARDAY ? "the day of the year as in a leap year, "
                           : input->part == ENT_PART_HOUR  ? "the hour with its fraction, "
                                                           : "");
    bool missing = ent_export_keeps_missing(parts, i);
    if (input->categories > 0)
      categories_of(text, input, missing);
    else
      numbers_of(text, parts, i);
    ent_export_plain(text, input->categories == 0 && missing ? "; may be missing\n" : "\n");
  }
  if (parts->effects->used == 0)
    ent_export_plain(text, " *   none: the model is a constant\n");
}

static void list_outcomes(ent_export_text *text, const ent_schema *schema) {
  ent_export_plain(text, ent_schema_has_classes(schema) ? " * Classes of " : " * Predicted: ");
  for (size_t k = 0; k < schema->targets; k++) {
    ent_export_plain(text, k > 0 ? ", " : "");
    ent_export_comment(text, schema->target[k]);
  }
  ent_export_plain(text, "\n");
  for (size_t k = 0; k < schema->classes && k < LISTED; k++) {
    ent_export_format(text, " *   %zu  ", k);
    ent_export_comment(text, schema->class_name[k]);
    ent_export_plain(text, "\n");
  }
  if (schema->classes > LISTED)
    ent_export_plain(text, " *   and so on\n");
}

/* The name of the kernel of the numbers; of a model of categories alone, theirs. */
static const char *kernel_name(const ent_export_parts *parts) {
  const entropic_kernel *kernel = parts->model->main.kernel;
  const ent_axis *found = kernel->axes[parts->effects->used > 0 ? ent_export_input(parts, 0) : 0];
  for (size_t i = 0; i < parts->effects->used && (found->traits & ENTROPIC_TRAIT_CATEGORIES) != 0; i++)
    found = kernel->axes[ent_export_input(parts, i)];
  return found->family->name;
}

void ent_export_head(ent_export_text *text, const ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  ent_export_format(text, " * A model of Entropic %s, learnt from %zu rows: %zu features of %zu inputs, %s kernel.\n",
                    entropic_version(), model->rows, parts->effects->features, parts->effects->used,
                    kernel_name(parts));
  if (parts->centres > 0)
    ent_export_format(text,
                      " * It contains %zu training rows, scaled, which anyone can read from this file. A prediction\n"
                      " * takes a value of the kernel for each of them and each of the %zu inputs, %zu in all.\n",
                      parts->centres, parts->effects->used, parts->centres * parts->effects->used);
  if (parts->hash[0] != '\0')
    ent_export_format(text, " * SHA-256 of the model's file: %s\n", parts->hash);
  ent_export_plain(text, " * Written by `entropic export`; change the model, not this file.\n *\n");
  list_outcomes(text, &model->schema);
  ent_export_plain(text, " * Inputs, in the order of a row:\n");
  list_inputs(text, parts);
  if (model->intervals == NULL) {
    ent_export_plain(text, " * No intervals: the model has none. Its fit left no rows out, or it was changed since.\n");
    return;
  }
  char shown[ENTROPIC_NUMBER_SIZE];
  entropic_format_double(ent_highest_level(model->intervals->rows), shown);
  ent_export_format(text, " * %s come from %zu rows: levels are above 0 and at most %s.\n",
                    ent_schema_has_classes(&model->schema) ? "Sets of classes" : "Intervals", model->intervals->rows,
                    shown);
}

/* What names take. */
static size_t name_bytes(const ent_export_parts *parts) {
  const ent_schema *schema = &parts->model->schema;
  size_t bytes = 0;
  for (size_t i = 0; i < parts->effects->used; i++) {
    const ent_input *input = ent_export_schema(parts, i);
    bytes += strlen(input->name) + 9;
    for (size_t c = 0; c < input->categories; c++)
      bytes += strlen(input->category[c]) + 9;
  }
  for (size_t k = 0; k < schema->classes; k++)
    bytes += strlen(schema->class_name[k]) + 9;
  return bytes;
}

entropic_status ent_export_check_size(ent_export_text *text, const ent_export_parts *parts, const char *language) {
  const entropic_model *model = parts->model;
  double number = text->single ? 4 : 8, knots = 0;
  size_t factors = parts->effects->starts[parts->effects->features];
  for (size_t i = 0; i < parts->scaled; i++)
    knots += 2 * (double)ent_export_scale(parts, i)->knots;
  double bytes =
      number * (knots + (double)parts->effects->features * (double)model->scores + (double)parts->series.term_count) +
      4 * ((double)factors + (double)parts->effects->features + 3 * (double)parts->slots) + (double)name_bytes(parts);
  bytes += number * (double)parts->centres * (double)(2 * parts->effects->used + model->scores);
  if (model->intervals != NULL)
    bytes += (double)model->intervals->count * (double)sizeof(ent_interval);
  if (bytes <= (double)ENT_EXPORT_MOST_BYTES)
    return ENTROPIC_OK;
  return ent_fail(
      text->context, ENTROPIC_TOO_LARGE,
      "the model is too large for %s: its tables take %.0f MB (%zu features of %zu scores, %zu factors, %zu "
      "atoms, %zu training rows), expected at most %zu MB",
      language, bytes / 1048576, parts->effects->features, model->scores, factors, parts->slots, parts->centres,
      ENT_EXPORT_MOST_BYTES >> 20);
}

const char *ent_export_marks(const ent_export_parts *parts) {
  const char *marks = parts->model->schema.missing_marks;
  return marks != NULL && strlen(marks) < 4000 ? marks : "?,NA,N/A,nan,null";
}
