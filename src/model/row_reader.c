/* Feeds. The model says which columns there have to be and how each is read; the file is read once, in blocks, so that a
 * pipe will do. */
#include "model/row_reader.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "data/files.h"
#include "data/memory_source.h"
#include "data/table.h"
void entropic_row_reader_free(entropic_row_reader *reader) {
  if (reader == NULL)
    return;
  for (size_t i = 0; reader->categories != NULL && i < reader->schema.inputs; i++)
    ent_names_free(reader->categories[i]);
  ent_delete(reader->categories);
  ent_names_free(reader->classes);
  ent_schema_clear(&reader->schema);
  ent_means_free(reader->means);
  ent_dictionary_free(reader->names);
  ent_source_free(reader->source);
  ent_delete(reader->input);
  ent_delete(reader->target);
  ent_delete(reader->block);
  ent_delete(reader);
}

const char *entropic_row_reader_notice(const entropic_row_reader *reader, size_t index) {
  return reader == NULL ? NULL : ent_source_notice(reader->source, index);
}

/* The number of a column that has no name but x and that number, or 0 for LIBSVM's label; otherwise ENT_NO_COLUMN. */
static size_t number_of(const char *name, bool libsvm) {
  size_t number = 0, length = strlen(name);
  if (libsvm && strcmp(name, "label") == 0)
    return 0;
  if (length < 2 || length > 8 || name[0] != 'x' || name[1] == '0')
    return ENT_NO_COLUMN;
  for (size_t i = 1; i < length; i++) {
    if (name[i] < '0' || name[i] > '9')
      return ENT_NO_COLUMN;
    number = number * 10 + (size_t)(name[i] - '0');
  }
  return number;
}

/* Are all inputs called by number? *most is the largest number of an input, or of a target if `targets`. */
static bool has_numbers(const ent_schema *schema, bool libsvm, bool targets, size_t *most) {
  *most = 1;
  for (size_t i = 0; i < schema->inputs + (targets ? schema->targets : 0); i++) {
    bool input = i < schema->inputs;
    if (input && (ent_part_is_made(schema->input[i].part) || schema->input[i].derived))
      continue; /* it has the name of its date, or no column */
    size_t number = number_of(input ? schema->input[i].name : schema->target[i - schema->inputs], libsvm);
    if (number == ENT_NO_COLUMN && input)
      return false;
    if (number != ENT_NO_COLUMN && number > *most)
      *most = number;
  }
  return true;
}

static entropic_status find_names(entropic_context *context, entropic_row_reader *reader, const ent_source *source) {
  const ent_columns *columns = &source->columns;
  const ent_schema *schema = &reader->schema;
  ent_dictionary *index = NULL;
  entropic_status status = ent_columns_index(context, columns, &index);
  if (status != ENTROPIC_OK)
    return status;
  uint32_t code;
  for (size_t i = 0; i < schema->inputs; i++) {
    const char *name = schema->input[ent_schema_date_of(schema, i)].name;
    if (schema->input[i].unused || schema->input[i].derived)
      continue;
    if (!ent_schema_find_column(index, name, source->bytes == NULL, &code)) {
      status = ent_schema_fail_column(context, schema, columns, ", which is an input of the model", name);
      goto done;
    }
    reader->input[i] = code;
  }
  for (size_t i = 0; i < schema->targets && reader->with_targets; i++) {
    const char *name = schema->target[i];
    if (ent_schema_find_column(index, name, source->bytes == NULL, &code)) {
      reader->target[i] = code;
    } else if (source->format == ENTROPIC_FORMAT_LIBSVM && schema->targets == 1) {
      reader->target[i] = 0;
    } else {
      status = ent_schema_fail_column(context, schema, columns, ", which is the model's target", name);
      goto done;
    }
  }
done:
  ent_dictionary_free(index);
  return status;
}

static entropic_status fail_places(entropic_context *context, const entropic_row_reader *reader,
                                   const ent_columns *columns) {
  if (!reader->with_targets)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "%s has no names and %zu column%s, expected %zu, one for each input of the model, or a header",
                    columns->file, columns->count, columns->count == 1 ? "" : "s", ent_schema_columns(&reader->schema));
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "%s has no names and %zu column%s, expected a header that names the model's %zu inputs and %s",
                  columns->file, columns->count, columns->count == 1 ? "" : "s", ent_schema_columns(&reader->schema),
                  reader->schema.targets == 1 ? "target" : "targets");
}

/* Can all targets be found in a file without names: by number, or as LIBSVM's label? */
static bool has_target_numbers(const ent_schema *schema, bool libsvm) {
  for (size_t i = 0; i < schema->targets && !(libsvm && schema->targets == 1); i++)
    if (number_of(schema->target[i], libsvm) == ENT_NO_COLUMN)
      return false;
  return true;
}

/* A file that does not name its columns: by the model's names if these are numbers, otherwise in order, where nothing
 * but the inputs may be there. */
static entropic_status find_places(entropic_context *context, entropic_row_reader *reader, const ent_source *source) {
  const ent_schema *schema = &reader->schema;
  const ent_columns *columns = &source->columns;
  bool libsvm = source->format == ENTROPIC_FORMAT_LIBSVM;
  size_t most, first = libsvm ? 1 : 0;
  bool in_order = columns->count == ent_schema_columns(schema) + first &&
                  (!reader->with_targets || (libsvm && schema->targets == 1));
  bool numbered = has_numbers(schema, libsvm, reader->with_targets, &most) && columns->count >= most + first &&
                  (!reader->with_targets || has_target_numbers(schema, libsvm));
  if (numbered && (!in_order || libsvm))
    return find_names(context, reader, source);
  if (!in_order)
    return fail_places(context, reader, columns);
  for (size_t i = 0, column = first; i < schema->inputs; i++)
    reader->input[i] = schema->input[i].derived                  ? ENT_NO_COLUMN
                       : ent_part_is_made(schema->input[i].part) ? column - 1
                                                                 : column++;
  if (reader->with_targets)
    reader->target[0] = 0;
  return ENTROPIC_OK;
}

static entropic_status find_weight(entropic_context *context, entropic_row_reader *reader, ent_columns *columns) {
  reader->weight = ENT_NO_COLUMN;
  if (reader->weights == NULL)
    return ENTROPIC_OK;
  ent_dictionary *taken = NULL;
  entropic_status status = ent_schema_names(context, &reader->schema, &taken);
  if (status != ENTROPIC_OK)
    return status;
  ent_column_query query = {.name = reader->weights, strlen(reader->weights), .taken = taken};
  status = ent_columns_find(context, columns, &query, &reader->weight);
  ent_dictionary_free(taken);
  if (status != ENTROPIC_OK)
    return status;
  ent_column *column = &columns->list[reader->weight];
  char shown[ENT_SHOW_SIZE];
  if (column->mode != ENT_MODE_SKIP)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "column %s is part of the model and cannot be the weight",
                    ent_show(column->name, strlen(column->name), shown));
  column->mode = ENT_MODE_WEIGHT;
  return ENTROPIC_OK;
}

static void take_column(ent_column *column, const ent_names *known, ent_notation notation, const char *expected) {
  column->mode = known != NULL ? ENT_MODE_TEXT : ENT_MODE_NUMBER;
  if (known == NULL && notation != ENT_NOTATION_PLAIN)
    ent_column_set_notation(column, notation);
  column->notation = notation;
  column->known = known;
  column->expected = expected;
}

/* Finds the columns once the file has been looked at, and says how they are read. */
static entropic_status fit_columns(entropic_context *context, void *user, ent_source *source) {
  entropic_row_reader *reader = user;
  const ent_schema *schema = &reader->schema;
  ent_columns *columns = &source->columns;
  entropic_status status = columns->named ? find_names(context, reader, source) : find_places(context, reader, source);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < columns->count; i++)
    columns->list[i].mode = ENT_MODE_SKIP;
  for (size_t i = 0; i < schema->inputs; i++) {
    if (schema->input[i].unused || schema->input[i].derived)
      reader->input[i] = ENT_NO_COLUMN;
    else
      take_column(&columns->list[reader->input[i]], reader->categories[i], ent_schema_reading(schema, i), NULL);
  }
  for (size_t i = 0; i < schema->targets && reader->with_targets; i++)
    take_column(&columns->list[reader->target[i]], reader->classes, ent_schema_target_notation(schema, i),
                reader->expected);
  return find_weight(context, reader, columns);
}

static bool is_number(const char *name) {
  double number;
  return entropic_parse_double(name, strlen(name), &number) == ENTROPIC_OK;
}

/* The names that a header must have: of the inputs in use, or of the targets if there are none of these. Where one of
 * them is a number a line that has them all may as well be a row; then those of all inputs. */
static entropic_status list_names(entropic_context *context, const ent_schema *schema, entropic_row_reader *reader) {
  size_t used = 0;
  bool distinctive = true; /* no row can be taken for the names */
  entropic_status status = ent_dictionary_create(context, &reader->names);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < schema->inputs; i++) {
    const char *name = schema->input[ent_schema_date_of(schema, i)].name;
    used += !schema->input[i].unused && !schema->input[i].derived;
    distinctive = distinctive && (schema->input[i].unused || schema->input[i].derived || !is_number(name));
  }
  bool by_target = used == 0 && reader->with_targets && !is_number(schema->target[0]);
  distinctive = distinctive && (used > 0 || by_target);
  for (size_t i = 0; i < schema->inputs; i++) {
    if ((distinctive && schema->input[i].unused) || schema->input[i].derived)
      continue;
    status = ent_dictionary_add(context, reader->names, schema->input[ent_schema_date_of(schema, i)].name);
    if (status != ENTROPIC_OK)
      return status;
  }
  for (size_t i = 0; i < schema->targets && by_target; i++) {
    status = ent_dictionary_add(context, reader->names, schema->target[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* All that is needed of the model. */
static entropic_status take_model(entropic_context *context, const entropic_model *model, entropic_row_reader *reader) {
  const ent_schema *schema = &model->schema;
  reader->means = ent_means_share(model->means);
  entropic_status status = ent_schema_copy(context, schema, &reader->schema);
  if (status != ENTROPIC_OK)
    return status;
  reader->input = ent_new(context, schema->inputs, sizeof *reader->input);
  reader->target = ent_new(context, schema->targets, sizeof *reader->target);
  reader->categories = ent_new(context, schema->inputs, sizeof(ent_names *));
  if (reader->input == NULL || reader->target == NULL || reader->categories == NULL)
    return ENTROPIC_NO_MEMORY;
  status = list_names(context, schema, reader);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < schema->inputs; i++) {
    const ent_input *input = &schema->input[i];
    if (input->categories == 0 || ent_part_is_made(input->part))
      continue;
    status = ent_names_create(context, input->category, input->categories, &reader->categories[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (ent_schema_has_classes(schema))
    status = ent_names_create(context, schema->class_name, schema->classes, &reader->classes);
  ent_schema_expect_class(schema, reader->expected);
  return status;
}

/* Room for the columns of some rows. */
static entropic_status make_block(entropic_context *context, entropic_row_reader *reader) {
  size_t columns = reader->source->columns.count;
  reader->first_line = reader->source->bytes == NULL ? 0 : reader->source->bytes->line;
  reader->block_rows = ENT_BLOCK_VALUES / columns + 1;
  reader->block = ent_new(context, reader->block_rows * columns, sizeof *reader->block);
  return reader->block == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

static entropic_status open_reader(entropic_context *context, const entropic_model *model, const char *path,
                                   const ent_read_options *options, entropic_row_reader *reader) {
  const ent_schema *schema = &model->schema;
  entropic_status status = take_model(context, model, reader);
  if (status != ENTROPIC_OK)
    return status;
  ent_read_options adapted = *options;
  if (adapted.missing == NULL)
    adapted.missing = schema->missing_marks;
  size_t numbers;
  /* LIBSVM text leaves out zeros: what is not there up to the model's last input is 0. */
  adapted.libsvm_inputs = has_numbers(schema, true, true, &numbers) ? numbers : schema->inputs;
  reader->weights = options->roles.weights;
  ent_fitting fitting = {reader->names, has_numbers(schema, false, false, &numbers), fit_columns, reader};
  status = ent_source_open_fitted(context, path, &adapted, &fitting, &reader->source);
  reader->weights = NULL;
  return status != ENTROPIC_OK ? status : make_block(context, reader);
}

entropic_status ent_row_reader_open(entropic_context *context, const entropic_model *model, const char *path,
                                    const ent_read_options *options, int with_targets, entropic_row_reader **reader) {
  if (model == NULL || path == NULL || reader == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL",
                    model == NULL  ? "model"
                    : path == NULL ? "path"
                                   : "reader");
  ent_read_options standard = ent_read_options_default();
  options = options == NULL ? &standard : options;
  const ent_roles *roles = &options->roles;
  if (roles->targets != NULL || roles->groups != NULL || roles->ignore != NULL || roles->categorical != NULL ||
      roles->keep != NULL || roles->time != NULL || roles->schema_of != NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "a role other than weights is set, expected none: the model defines the other columns");
  if (roles->weights != NULL && !with_targets)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "weights need targets");
  entropic_row_reader *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->with_targets = with_targets != 0;
  entropic_status status = open_reader(context, model, path, options, made);
  if (status != ENTROPIC_OK) {
    entropic_row_reader_free(made);
    return status;
  }
  *reader = made;
  return ENTROPIC_OK;
}

entropic_status entropic_row_reader_open(entropic_context *context, const entropic_model *model,
                                         const char *const *paths, size_t count, const entropic_parameters *parameters,
                                         int with_targets, entropic_row_reader **reader) {
  ENT_NEED(context, model);
  ENT_NEED(context, paths);
  ENT_NEED(context, reader);
  char *path = NULL;
  entropic_status status = ent_paths_join(context, paths, count, &path);
  if (status != ENTROPIC_OK)
    return status;
  ent_read_options options = ent_read_options_by(parameters);
  status = ent_row_reader_open(context, model, path, &options, with_targets, reader);
  ent_delete(path);
  return status;
}

/* The columns of a table in the place of a file's. */
static entropic_status open_table(entropic_context *context, const entropic_model *model, const entropic_table *table,
                                  entropic_row_reader *reader) {
  const ent_schema *schema = &model->schema;
  const ent_columns *columns = &table->source->columns;
  entropic_status status = take_model(context, model, reader);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < columns->count && reader->with_targets; i++)
    if (columns->list[i].role == ENTROPIC_ROLE_WEIGHT)
      reader->weights = columns->list[i].name;
  ent_fitting fitting = {.names = reader->names, .fit = fit_columns, .user = reader};
  ent_memory_options options = {.fitting = &fitting, .missing = schema->missing_marks};
  status = ent_table_views(context, table, &options.store);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_source_of_columns(context, &options, &reader->source);
  ent_column_store_free(options.store);
  reader->weights = NULL;
  return status != ENTROPIC_OK ? status : make_block(context, reader);
}

entropic_status entropic_row_reader_open_table(entropic_context *context, const entropic_model *model,
                                               const entropic_table *table, int with_targets,
                                               entropic_row_reader **reader) {
  if (model == NULL || table == NULL || reader == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL",
                    model == NULL   ? "model"
                    : table == NULL ? "table"
                                    : "reader");
  entropic_row_reader *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->with_targets = with_targets != 0;
  entropic_status status = open_table(context, model, table, made);
  if (status != ENTROPIC_OK) {
    entropic_row_reader_free(made);
    return status;
  }
  *reader = made;
  return ENTROPIC_OK;
}

/* Room for a row; y and weight may be NULL. */
typedef struct ent_reader_row {
  double *x, *y, *weight;
} ent_reader_row;

/* One row of the block, number `row` of the file. */
static entropic_status take_row(entropic_context *context, const entropic_row_reader *reader, const double *cells,
                                size_t row, const ent_reader_row *to) {
  const ent_schema *schema = &reader->schema;
  double *x = to->x, *y = to->y, *weight = to->weight;
  bool complete = reader->with_targets;
  for (size_t i = 0; i < schema->inputs; i++)
    x[i] = reader->input[i] == ENT_NO_COLUMN ? NAN : ent_part_value(schema->input[i].part, cells[reader->input[i]]);
  for (size_t i = 0; i < schema->targets && y != NULL; i++) {
    y[i] = reader->with_targets ? cells[reader->target[i]] : NAN;
    complete = complete && !isnan(y[i]);
  }
  if (weight == NULL)
    return ENTROPIC_OK;
  *weight = reader->weight == ENT_NO_COLUMN ? 1 : cells[reader->weight];
  if (!isnan(*weight))
    return ENTROPIC_OK;
  const ent_columns *columns = &reader->source->columns;
  const char *name = columns->list[reader->weight].name;
  const char *found = ent_column_missing_text(&columns->list[reader->weight], *weight);
  char shown[ENT_SHOW_SIZE], cell[ENT_SHOW_SIZE];
  *weight = 0; /* of a row without a target it does not matter */
  return !complete ? ENTROPIC_OK
                   : ent_fail(context, ENTROPIC_BAD_DATA, "%s, row %zu, column %zu (%s): found '%s', expected a weight",
                              columns->file, row, reader->weight + 1, ent_show(name, strlen(name), shown),
                              ent_show(found, strlen(found), cell));
}

entropic_status entropic_row_reader_next(entropic_context *context, entropic_row_reader *reader, size_t capacity,
                                         double *x, double *y, double *weights, size_t *rows) {
  if (reader == NULL || x == NULL || rows == NULL || capacity == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "reader, x or rows is NULL, or capacity is 0");
  if (reader->with_targets && (y == NULL || weights == NULL))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "y or weights is NULL, expected room as the reader has targets");
  if (reader->dataset != NULL) {
    ent_dataset_rows_next(reader, capacity, x, y, weights, rows);
    return ENTROPIC_OK;
  }
  const size_t inputs = reader->schema.inputs, targets = reader->schema.targets,
               columns = reader->source->columns.count;
  size_t used = 0, count = 1;
  ent_carry_forget(reader->source->carry);
  while (used < capacity && count > 0) {
    size_t left = capacity - used, before = reader->source->row;
    entropic_status status = ent_source_read(context, reader->source, reader->block,
                                             left < reader->block_rows ? left : reader->block_rows, &count);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t row = 0; row < count; row++, used++) {
      ent_reader_row to = {x + used * inputs, y == NULL ? NULL : y + used * targets,
                           weights == NULL ? NULL : weights + used};
      status = take_row(context, reader, reader->block + row * columns, before + row + 1, &to);
      if (status != ENTROPIC_OK)
        return status;
    }
  }
  ent_means_fill(reader->means, x, used, inputs);
  *rows = used;
  return ENTROPIC_OK;
}

entropic_status ent_row_reader_fail(entropic_context *context, const entropic_row_reader *reader, size_t row,
                                    size_t column, double value, const char *expected) {
  size_t targets = reader->schema.targets;
  char text[ENTROPIC_NUMBER_SIZE], shown[ENT_SHOW_SIZE];
  entropic_format_double(value, text);
  if (reader->dataset != NULL)
    return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu, %s: found %s, expected %s", row + 1,
                    column == SIZE_MAX ? "its weight"
                    : column < targets ? "its target"
                                       : "an input",
                    text, expected);
  const ent_source *source = reader->source;
  const ent_columns *columns = &source->columns;
  bool lines = source->bytes != NULL && source->bytes->line - reader->first_line == source->row; /* each row is one */
  size_t place = column == SIZE_MAX ? reader->weight
                 : column < targets ? reader->target[column]
                                    : reader->input[column - targets];
  const char *name = place == ENT_NO_COLUMN ? "weight" : columns->list[place].name;
  ent_file_place where = {columns->file, row + 1};
  if (lines)
    where = ent_columns_place(columns, reader->first_line + row);
  return ent_fail(context, ENTROPIC_BAD_DATA, "%s, %s %zu (%s): found %s, expected %s", where.file,
                  lines ? "line" : "row", where.line, ent_show(name, strlen(name), shown),
                  isnan(value) ? "no value" : text, expected);
}

size_t entropic_row_reader_line(const entropic_row_reader *reader) {
  if (reader == NULL)
    return 0;
  const ent_source *source = reader->source;
  return source->bytes == NULL ? source->row + 1 : source->bytes->line;
}
