/* What is to be learnt: numbers or classes, and which. See dataset.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dataset/layout.h"

#define ENT_CLASSES_MOST 10000
/* So many distinct values may be classes when nobody said so, and when some are no whole numbers. */
#define ENT_CLASSES_LIKELY 100

/* Distinct values of a column of numbers, each as the bytes of a double in a dictionary. */
typedef struct ent_distinct {
  ent_dictionary *values;
  size_t count; /* the search ends when there is one more than asked for */
  bool whole;   /* those seen are integers */
} ent_distinct;

static double distinct_value(const ent_distinct *distinct, size_t code) {
  double value;
  memcpy(&value, ent_dictionary_text(distinct->values, code), sizeof value);
  return value;
}

/* One more value, which may have been there before. */
static entropic_status add_distinct(entropic_context *context, double value, ent_distinct *distinct) {
  uint32_t code;
  bool is_new;
  value += 0.0; /* so that -0 is 0 */
  entropic_status status =
      ent_dictionary_code(context, distinct->values, (const char *)&value, sizeof value, &code, &is_new);
  if (status != ENTROPIC_OK)
    return status;
  distinct->count = ent_dictionary_size(distinct->values);
  distinct->whole = distinct->whole && value == floor(value);
  return ENTROPIC_OK;
}

static entropic_status find_distinct(entropic_context *context, const ent_layout *layout, size_t column, size_t most,
                                     ent_distinct *distinct) {
  *distinct = (ent_distinct){.whole = true};
  entropic_status status = ent_dictionary_create(context, &distinct->values);
  if (status != ENTROPIC_OK)
    return status;
  ent_layout_cursor cursor;
  ent_layout_cursor_start(layout, column, &cursor);
  for (size_t row = 0; row < layout->rows && distinct->count <= most; row++) {
    status = add_distinct(context, ent_layout_at(&cursor, row), distinct);
    if (status != ENTROPIC_OK)
      return status;
  }
  /* Values that no row of a sample has. */
  const ent_dictionary *spellings = layout->sampled ? layout->columns->list[column].spellings : NULL;
  for (size_t i = 0; i < ent_dictionary_size(spellings) && distinct->count <= most; i++) {
    double value;
    memcpy(&value, ent_dictionary_text(spellings, i), sizeof value);
    status = add_distinct(context, value, distinct);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* How a value is written, from the target's spellings. */
typedef struct ent_spelling {
  double value;
  const char *text;
} ent_spelling;

static int compare_spellings(const void *a, const void *b) {
  const ent_spelling *left = a, *right = b;
  if (left->value != right->value)
    return left->value < right->value ? -1 : 1;
  return strcmp(left->text, right->text);
}

/* All spellings by value, then by text; none if they were not kept. */
typedef struct ent_spellings {
  ent_spelling *list;
  size_t count;
} ent_spellings;

/* Free the list. */
static entropic_status list_spellings(entropic_context *context, const ent_column *column, ent_spellings *spellings) {
  size_t count = spellings->count = ent_dictionary_size(column->spellings);
  ent_spelling *list = spellings->list = ent_new(context, count, sizeof *list);
  if (list == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < count; i++) {
    const char *key = ent_dictionary_text(column->spellings, i);
    memcpy(&list[i].value, key, sizeof(double));
    list[i].text = key + sizeof(double);
  }
  qsort(list, count, sizeof *list, compare_spellings);
  return ENTROPIC_OK;
}

/* Names the class of a value as it is written, if that is a number to everybody, otherwise by its shortest decimal. */
static entropic_status name_class(entropic_context *context, const ent_layout *layout, const ent_spellings *spellings,
                                  double value, ent_notices *notices, char **name) {
  const ent_spelling *list = spellings->list;
  size_t count = spellings->count, low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (list[middle].value < value)
      low = middle + 1;
    else
      high = middle;
  }
  double number;
  char shortest[ENTROPIC_NUMBER_SIZE];
  entropic_format_double(value, shortest);
  bool spelled = low < count && list[low].value == value &&
                 entropic_parse_double(list[low].text, strlen(list[low].text), &number) == ENTROPIC_OK &&
                 number == value;
  const char *text = spelled ? list[low].text : shortest;
  *name = ent_new_text(context, text, strlen(text));
  if (*name == NULL)
    return ENTROPIC_NO_MEMORY;
  bool again = spelled && low + 1 < count && list[low + 1].value == value;
  return again ? ent_layout_warn_spelling(context, layout, layout->target[0], text, list[low + 1].text, notices)
               : ENTROPIC_OK;
}

/* The names of the classes that were found, sorted. */
static entropic_status name_classes(entropic_context *context, const ent_layout *layout, const ent_distinct *found,
                                    entropic_dataset *dataset) {
  ent_schema *schema = &dataset->schema;
  ent_spellings spellings;
  entropic_status status = list_spellings(context, &layout->columns->list[layout->target[0]], &spellings);
  if (status != ENTROPIC_OK)
    return status;
  schema->class_name = ent_new(context, found->count, sizeof *schema->class_name);
  status = ENTROPIC_NO_MEMORY;
  if (schema->class_name == NULL)
    goto done;
  schema->classes = found->count;
  for (size_t i = 0; i < schema->classes; i++) {
    status =
        name_class(context, layout, &spellings, distinct_value(found, i), &dataset->notices, &schema->class_name[i]);
    if (status != ENTROPIC_OK)
      goto done;
  }
  status = ent_names_sort(context, schema->class_name, schema->classes);
done:
  ent_delete(spellings.list);
  return status;
}

/* The classes of a column of numbers; also decides, if the task is open, whether they are any. */
static entropic_status number_classes(entropic_context *context, const ent_layout *layout, entropic_dataset *dataset,
                                      bool open, bool *are) {
  size_t column = layout->target[0], most = ENT_CLASSES_MOST;
  const ent_column *of = &layout->columns->list[column];
  bool libsvm = layout->table->source->format == ENTROPIC_FORMAT_LIBSVM;
  char name[ENT_SHOW_SIZE];
  ent_show(of->name, strlen(of->name), name);
  *are = false;
  if (of->mode == ENT_MODE_DATE)
    return open ? ENTROPIC_OK
                : ent_fail(
                      context, ENTROPIC_BAD_DATA,
                      "column %zu (%s) holds dates, expected classes (list it as categorical to treat them as classes)",
                      column + 1, name);
  if (open)
    most = libsvm ? ENT_CLASSES_LIKELY : 2;
  ent_distinct found;
  entropic_status status = find_distinct(context, layout, column, most, &found);
  *are = found.count <= most && (!open || (found.count >= 2 && (found.whole || !libsvm || found.count == 2)));
  if (status != ENTROPIC_OK || (open && !*are))
    goto end;
  if (found.count > most || (!found.whole && found.count > ENT_CLASSES_LIKELY))
    status = ent_fail(context, ENTROPIC_BAD_DATA,
                      "column %zu (%s) has over %d distinct values%s, too many for classes; regression learns numbers",
                      column + 1, name, found.whole ? ENT_CLASSES_MOST : ENT_CLASSES_LIKELY,
                      found.whole ? "" : ", some of them not whole numbers");
  else
    status = name_classes(context, layout, &found, dataset);
end:
  ent_dictionary_free(found.values);
  return status;
}

static entropic_status text_classes(entropic_context *context, const ent_layout *layout, entropic_dataset *dataset) {
  ent_schema *schema = &dataset->schema;
  size_t column = layout->target[0];
  entropic_status status =
      ent_layout_names(context, layout, column, &dataset->notices, &schema->class_name, &schema->classes);
  if (status != ENTROPIC_OK)
    return status;
  if (schema->classes > ENT_CLASSES_MOST) {
    char name[ENT_SHOW_SIZE];
    const char *of = layout->columns->list[column].name;
    return ent_fail(context, ENTROPIC_BAD_DATA, "column %zu (%s) has %zu distinct values, expected at most %d classes",
                    column + 1, ent_show(of, strlen(of), name), schema->classes, ENT_CLASSES_MOST);
  }
  return status;
}

entropic_status ent_layout_find_task(entropic_context *context, const ent_layout *layout, entropic_task task,
                                     entropic_dataset *dataset) {
  ent_schema *schema = &dataset->schema;
  const ent_column *target = &layout->columns->list[layout->target[0]];
  bool classes = task != ENTROPIC_TASK_REGRESSION && layout->targets == 1, open = task == ENTROPIC_TASK_AUTO;
  if (task == ENTROPIC_TASK_CLASSIFICATION && !classes)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "there are %zu targets, expected one to learn classes",
                    layout->targets);
  entropic_status status = ENTROPIC_OK;
  if (classes && target->mode == ENT_MODE_TEXT)
    status = text_classes(context, layout, dataset);
  else if (classes)
    status = number_classes(context, layout, dataset, open, &classes);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < layout->targets && !classes; i++) {
    status = ent_layout_refuse_text(context, layout, layout->target[i],
                                    layout->targets == 1 ? "a number (text can be learnt as classes)"
                                                         : "a number (of several targets none can be text)");
    if (status != ENTROPIC_OK)
      return status;
  }
  dataset->task_found = open;
  schema->task = classes ? ENTROPIC_TASK_CLASSIFICATION : ENTROPIC_TASK_REGRESSION;
  if (!classes || schema->classes > 1)
    return ENTROPIC_OK;
  char name[ENT_SHOW_SIZE], value[ENT_SHOW_SIZE];
  return ent_fail(context, ENTROPIC_BAD_DATA, "column %zu (%s) is '%s' in every row, expected two classes or more",
                  layout->target[0] + 1, ent_show(target->name, strlen(target->name), name),
                  ent_show(schema->class_name[0], strlen(schema->class_name[0]), value));
}
