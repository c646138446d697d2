/* Which columns and rows of a table make a data set: see dataset.h. */
#include <math.h>
#include <string.h>

#include "base/progress.h"
#include "columns/date.h"
#include "data/hash_sample.h"
#include "dataset/layout.h"

entropic_status ent_layout_start(entropic_context *context, const entropic_table *table, size_t inputs, size_t targets,
                                 ent_layout *layout) {
  *layout = (ent_layout){.table = table,
                         .columns = &table->source->columns,
                         .inputs = inputs,
                         .targets = targets,
                         .weight = ENT_NOWHERE,
                         .group = ENT_NOWHERE,
                         .time = ENT_NOWHERE};
  for (size_t i = 0; i < layout->columns->count; i++) {
    entropic_role role = layout->columns->list[i].role;
    if (role == ENTROPIC_ROLE_WEIGHT)
      layout->weight = i;
    if (role == ENTROPIC_ROLE_GROUP)
      layout->group = i;
    if (layout->columns->list[i].time)
      layout->time = i;
  }
  layout->input = ent_new_matrix(context, inputs, ENT_DATE_PARTS, sizeof *layout->input);
  layout->part = ent_new_matrix(context, inputs, ENT_DATE_PARTS, sizeof *layout->part);
  layout->target = ent_new(context, targets, sizeof *layout->target);
  return layout->input == NULL || layout->part == NULL || layout->target == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

void ent_layout_refill(ent_layout_cursor *cursor, size_t row) {
  const entropic_table *table = cursor->layout->table;
  size_t left = table->source->rows - row;
  cursor->first = row;
  cursor->count = left < ENT_CURSOR_ROWS ? left : ENT_CURSOR_ROWS;
  ent_table_read(table, cursor->column, row, cursor->count, cursor->values);
}

void ent_layout_clear(ent_layout *layout) {
  ent_delete(layout->input);
  ent_delete(layout->part);
  ent_delete(layout->target);
  ent_delete(layout->row);
  *layout = (ent_layout){0};
}

/* The text of a value as it was written, or nearly so. */
static const char *text_of(const ent_column *column, double value, char buffer[ENT_DATE_SIZE]) {
  if (isnan(value))
    return ent_column_missing_text(column, value);
  if (column->mode == ENT_MODE_TEXT)
    return ent_dictionary_text(column->dictionary, (size_t)value);
  if (column->mode == ENT_MODE_DATE)
    return ent_format_date(value, buffer);
  entropic_format_double(value, buffer);
  return buffer;
}

entropic_status ent_layout_fail(entropic_context *context, const ent_layout *layout, size_t row, size_t column,
                                const char *expected) {
  char buffer[ENT_DATE_SIZE];
  const char *text = text_of(&layout->columns->list[column], ent_layout_value(layout, row, column), buffer);
  const uint64_t *number = layout->table->number;
  size_t place = number == NULL ? layout->row[row] : (size_t)number[layout->row[row]];
  const ent_column_cell cell = {column, place + layout->columns->first, text, strlen(text), '.'};
  return ent_columns_fail(context, layout->columns, &cell, expected);
}

entropic_status ent_layout_refuse_text(entropic_context *context, const ent_layout *layout, size_t column,
                                       const char *expected) {
  const ent_column *of = &layout->columns->list[column];
  if (of->mode != ENT_MODE_TEXT)
    return ENTROPIC_OK;
  size_t first = layout->rows; /* with any value, for columns that are text because the caller says so */
  ent_layout_cursor cursor;
  ent_layout_cursor_start(layout, column, &cursor);
  for (size_t row = 0; row < layout->rows; row++) {
    double value = ent_layout_at(&cursor, row);
    if (isnan(value))
      continue;
    if (ent_dictionary_marked(of->dictionary, (uint32_t)value))
      return ent_layout_fail(context, layout, row, column, expected);
    first = first == layout->rows ? row : first;
  }
  return first < layout->rows ? ent_layout_fail(context, layout, first, column, expected) : ENTROPIC_OK;
}

/* The weight of a row that has all its targets; the cursor is that of the weights. */
static entropic_status find_weight(entropic_context *context, const ent_layout *layout, size_t row,
                                   ent_layout_cursor *cursor, double *weight) {
  *weight = 1;
  if (layout->weight == ENT_NOWHERE || layout->columns->list[layout->weight].mode == ENT_MODE_TEXT)
    return ENTROPIC_OK; /* text is refused when it is known which rows are in use */
  *weight = ent_layout_at(cursor, row);
  return *weight >= 0 ? ENTROPIC_OK : ent_layout_fail(context, layout, row, layout->weight, "a weight of 0 or more");
}

/* Whether rows of the table have all their targets. */
static void find_targets(const ent_layout *layout, size_t from, size_t count, bool there[ENT_CURSOR_ROWS]) {
  ent_layout_cursor cursor;
  for (size_t r = 0; r < count; r++)
    there[r] = true;
  for (size_t i = 0; i < layout->targets; i++) {
    ent_layout_cursor_start(layout, layout->target[i], &cursor);
    for (size_t r = 0; r < count; r++)
      there[r] = there[r] && !isnan(ent_layout_at_row(&cursor, from + r));
  }
}

/* Adds a row of the table to those in use if it has a weight; it has its targets. */
static entropic_status add_row(entropic_context *context, ent_layout *layout, size_t row, ent_layout_cursor *weights,
                               entropic_dataset *dataset) {
  double weight;
  layout->row[layout->rows] = row;
  entropic_status status = find_weight(context, layout, layout->rows, weights, &weight);
  if (status != ENTROPIC_OK)
    return status;
  dataset->without_weight += weight == 0;
  layout->rows += weight > 0;
  return ENTROPIC_OK;
}

/* Room for the rows that will be looked at, and which these are. */
static entropic_status start_rows(entropic_context *context, ent_layout *layout, size_t most, ent_hash_sample *sample) {
  const entropic_table *table = layout->table;
  size_t rows = table->source->rows;
  layout->sampled = table->total > rows || (most > 0 && rows > most);
  layout->rows = 0;
  layout->row = ent_new(context, most > 0 && rows > most ? most : rows, sizeof *layout->row);
  return layout->row == NULL ? ENTROPIC_NO_MEMORY
                             : ent_hash_sample_create(context, rows, most > 0 ? most : rows, sample);
}

entropic_status ent_layout_find_rows(entropic_context *context, ent_layout *layout, size_t sample,
                                     entropic_dataset *dataset) {
  size_t rows = layout->table->source->rows;
  ent_layout_cursor weights;
  ent_hash_sample taken;
  ent_layout_cursor_start(layout, layout->weight, &weights);
  entropic_status status = start_rows(context, layout, sample, &taken);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t from = 0; from < rows; from += ENT_CURSOR_ROWS) {
    size_t count = rows - from < ENT_CURSOR_ROWS ? rows - from : ENT_CURSOR_ROWS;
    bool there[ENT_CURSOR_ROWS];
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    find_targets(layout, from, count, there);
    for (size_t r = 0; r < count; r++) {
      if (!ent_hash_sample_takes(&taken, from + r))
        continue;
      if (there[r])
        status = add_row(context, layout, from + r, &weights, dataset);
      else
        dataset->without_target++;
      if (status != ENTROPIC_OK)
        return status;
    }
  }
  if (layout->rows > 0)
    return layout->weight == ENT_NOWHERE
               ? ENTROPIC_OK
               : ent_layout_refuse_text(context, layout, layout->weight, "a number as the row's weight");
  const char *name = layout->columns->list[layout->target[0]].name;
  char shown[ENT_SHOW_SIZE];
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "%s: none of the %zu rows can be used: %zu have no target (%s), %zu have weight 0",
                  layout->columns->file, rows, dataset->without_target, ent_show(name, strlen(name), shown),
                  dataset->without_weight);
}

/* Finds for each of the sorted names the first that is the same number, such as "1" for "1.0", or itself. */
static entropic_status find_firsts(entropic_context *context, char *const *list, size_t count, size_t *first) {
  ent_names *names = NULL;
  entropic_status status = ent_names_create(context, list, count, &names);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < count; i++) {
    double number;
    entropic_status parsed = entropic_parse_double(list[i], strlen(list[i]), &number);
    first[i] = parsed == ENTROPIC_OK && isfinite(number) ? ent_names_find_number(names, number) : i;
    if (parsed == ENTROPIC_NO_MEMORY) {
      status = ent_fail(context, parsed, "out of memory");
      goto done;
    }
  }
done:
  ent_names_free(names);
  return status;
}

entropic_status ent_layout_warn_spelling(entropic_context *context, const ent_layout *layout, size_t column,
                                         const char *name, const char *other, ent_notices *notices) {
  const char *of = layout->columns->list[column].name;
  char shown[ENT_SHOW_SIZE], first[ENT_SHOW_SIZE], second[ENT_SHOW_SIZE];
  ent_show(name, strlen(name), first);
  return ent_notices_add(context, notices, "column %s: '%s' and '%s' are the same number and become one class, %s",
                         ent_show(of, strlen(of), shown), first, ent_show(other, strlen(other), second), first);
}

/* Of names that are the same number the first stays; *count becomes how many are left. */
static entropic_status merge_numbers(entropic_context *context, const ent_layout *layout, size_t column, char **list,
                                     size_t *count, ent_notices *notices) {
  size_t left = 0;
  size_t *first = ent_new(context, *count, sizeof *first);
  if (first == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = find_firsts(context, list, *count, first);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < *count && notices != NULL; i++) {
    if (first[i] == i)
      continue;
    status = ent_layout_warn_spelling(context, layout, column, list[first[i]], list[i], notices);
    if (status != ENTROPIC_OK)
      goto done;
  }
  for (size_t i = 0; i < *count; i++) {
    if (first[i] == i)
      list[left++] = list[i];
    else
      ent_delete(list[i]);
  }
  *count = left;
done:
  ent_delete(first);
  return status;
}

entropic_status ent_layout_names(entropic_context *context, const ent_layout *layout, size_t column,
                                 ent_notices *notices, char ***list, size_t *count) {
  const ent_dictionary *dictionary = layout->columns->list[column].dictionary;
  size_t codes = ent_dictionary_size(dictionary), used = 0;
  entropic_status status = ENTROPIC_NO_MEMORY;
  char **names = NULL;
  unsigned char *seen = ent_new(context, codes, 1);
  if (seen == NULL)
    return status;
  ent_layout_cursor cursor;
  ent_layout_cursor_start(layout, column, &cursor);
  for (size_t row = 0; row < layout->rows && !layout->sampled; row++) {
    double code = ent_layout_at(&cursor, row);
    if (!isnan(code))
      seen[(size_t)code] = 1;
  }
  for (size_t code = 0; code < codes; code++) {
    seen[code] |= layout->sampled; /* in a row that is not in the sample, if in none of these */
    used += seen[code];
  }
  names = ent_new(context, used, sizeof *names);
  if (names == NULL)
    goto fail;
  used = 0;
  for (size_t code = 0; code < codes; code++) {
    if (!seen[code])
      continue;
    const char *text = ent_dictionary_text(dictionary, code);
    names[used] = ent_new_text(context, text, strlen(text));
    if (names[used++] == NULL)
      goto fail;
  }
  status = ent_names_sort(context, names, used);
  if (status != ENTROPIC_OK)
    goto fail;
  status = merge_numbers(context, layout, column, names, &used, notices);
  if (status != ENTROPIC_OK)
    goto fail;
  ent_delete(seen);
  *list = names;
  *count = used;
  return ENTROPIC_OK;
fail:
  for (size_t i = 0; i < used && names != NULL; i++)
    ent_delete(names[i]);
  ent_delete(names);
  ent_delete(seen);
  return status;
}
