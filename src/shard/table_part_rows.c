/* The rows of a part, once the whole table is known: their codes, and those of them that are in a sample. See table_part.h. */
#include <math.h>
#include <string.h>

#include "shard/table_part.h"

#define ENT_ROWS_KIND "ENTrows1"

/* ---- Codes of the whole table ---- */

/* The place of each text of a dictionary in another, from 0; its size for those that are not there. */
static entropic_status map_texts(entropic_context *context, const ent_dictionary *from, const ent_dictionary *to,
                                 uint32_t **map) {
  size_t size = ent_dictionary_size(from);
  uint32_t none = (uint32_t)ent_dictionary_size(to);
  *map = ent_new(context, size, sizeof **map);
  if (*map == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < size; i++) {
    const ent_dictionary_item item = ent_dictionary_get(from, (uint32_t)i);
    if (to == NULL || !ent_dictionary_find(to, item.text, item.length, &(*map)[i]))
      (*map)[i] = none;
  }
  return ENTROPIC_OK;
}

/* How the values of a column change. */
typedef struct ent_code_map {
  uint32_t *codes; /* of texts; NULL: it has none */
  size_t count, none;
  uint32_t *missing; /* numbers of texts of missing cells, from 0; NULL: likewise */
  size_t missing_count, missing_none;
} ent_code_map;

static double map_value(const ent_code_map *map, double value) {
  if (isnan(value)) {
    size_t number = map->missing == NULL ? 0 : ent_cell_missing_number(value);
    if (number == 0)
      return value;
    size_t found = number <= map->missing_count ? map->missing[number - 1] : map->missing_none;
    return ent_cell_set_missing_number(value, found < map->missing_none ? found + 1 : 0);
  }
  if (map->codes == NULL)
    return value;
  size_t code = (size_t)value;
  return code < map->count && map->codes[code] < map->none ? (double)map->codes[code] : (double)NAN;
}

static void map_store(ent_column_store *store, size_t column, const ent_code_map *map) {
  int32_t *codes = store->memory[column];
  double *values = store->memory[column];
  if (codes == NULL || store->numbers[column] != &store->own[column])
    return; /* numbers, as they are */
  bool coded = store->own[column].element == ENTROPIC_ELEMENT_INT32;
  for (size_t row = 0; row < store->rows; row++) {
    if (!coded) {
      values[row] = map_value(map, values[row]);
    } else if (codes[row] >= 0) {
      double code = map_value(map, codes[row]);
      codes[row] = isnan(code) ? -1 : (int32_t)code;
    }
  }
}

static entropic_status map_column(entropic_context *context, entropic_table *table, size_t index,
                                  const ent_column *to) {
  const ent_column *from = &table->source->columns.list[index];
  size_t stride = table->source->columns.count;
  ent_code_map map = {.count = ent_dictionary_size(from->dictionary),
                      .none = ent_dictionary_size(to->dictionary),
                      .missing_count = ent_dictionary_size(from->missing_texts),
                      .missing_none = ent_dictionary_size(to->missing_texts)};
  entropic_status status = ENTROPIC_OK;
  if (from->mode == ENT_MODE_TEXT)
    status = map_texts(context, from->dictionary, to->dictionary, &map.codes);
  if (status != ENTROPIC_OK)
    goto done;
  if (map.missing_count > 0)
    status = map_texts(context, from->missing_texts, to->missing_texts, &map.missing);
  if (status != ENTROPIC_OK || (map.codes == NULL && map.missing == NULL))
    goto done;
  if (table->store != NULL)
    map_store(table->store, index, &map);
  else
    for (size_t row = 0; row < table->source->rows; row++)
      table->values[row * stride + index] = map_value(&map, table->values[row * stride + index]);
done:
  ent_delete(map.codes);
  ent_delete(map.missing);
  return status;
}

static entropic_status check_survey(entropic_context *context, const ent_shard *shard, const ent_column_survey *all) {
  const ent_columns *columns = &shard->table->source->columns;
  bool read = shard->borrowed || (shard->read && !shard->failed);
  if (!read || shard->completed)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the shard is %s, expected one that has been read",
                    read ? "complete" : "not read");
  if (all->failed || all->reread || all->columns.count != columns->count)
    return ent_fail(context, ENTROPIC_BAD_DATA, "the column survey is of another table, or of a part of one");
  for (size_t i = 0; i < columns->count; i++)
    if ((columns->list[i].mode == ENT_MODE_TEXT) != (all->columns.list[i].mode == ENT_MODE_TEXT))
      return ent_fail(context, ENTROPIC_BAD_DATA, "column %zu was not read as the column survey says", i + 1);
  bool shared = shard->table->store != NULL && atomic_load(&shard->table->store->users) > 1;
  return !shared
             ? ENTROPIC_OK
             : ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the table is in use, expected one that nothing else reads");
}

entropic_status ent_shard_complete(entropic_context *context, ent_shard *shard, const ent_message *all,
                                   uint64_t first_row) {
  ent_column_survey survey;
  ent_source *source = shard->table->source;
  entropic_status status = ent_column_survey_unpack(context, all, &survey);
  if (status != ENTROPIC_OK)
    return status;
  status = check_survey(context, shard, &survey);
  for (size_t i = 0; i < source->columns.count && status == ENTROPIC_OK; i++)
    status = map_column(context, shard->table, i, &survey.columns.list[i]);
  if (status != ENTROPIC_OK)
    goto done;
  if (source->bytes != NULL)
    ent_source_close(source);
  /* The columns are exchanged, so that the old ones are freed; the name of the file stays. */
  ent_columns former = source->columns;
  source->columns = survey.columns;
  source->columns.file = former.file;
  source->columns.first += (size_t)first_row;
  survey.columns = former;
  for (size_t i = 0; i < former.count; i++) { /* `growth` goes by the count of columns, which is the same */
    source->columns.list[i].known = former.list[i].known;
    source->columns.list[i].expected = former.list[i].expected;
  }
  shard->first_row = first_row;
  shard->completed = true;
  ent_message_free(&shard->survey);
done:
  ent_column_survey_free(&survey);
  return status;
}

/* ---- Samples ---- */

static void pack_row(ent_packer *packer, const ent_shard *shard, size_t row) {
  const entropic_table *table = shard->table;
  ent_pack_u64(packer, shard->first_row + row);
  for (size_t column = 0; column < table->source->columns.count; column++) {
    double value;
    uint64_t bits;
    ent_table_read(table, column, row, 1, &value);
    memcpy(&bits, &value, sizeof bits);
    ent_pack_u64(packer, bits);
  }
}

entropic_status ent_shard_sample(entropic_context *context, const ent_shard *shard, const ent_hash_sample *sample,
                                 ent_message *rows) {
  ent_packer packer;
  const entropic_table *table = shard->table;
  uint64_t count = 0;
  if (!shard->completed)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the shard is not complete, expected one that is");
  entropic_status status = ent_message_begin(context, ENT_ROWS_KIND, &packer);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t row = 0; row < table->source->rows; row++)
    count += ent_hash_sample_takes(sample, shard->first_row + row);
  ent_pack_count(&packer, table->source->columns.count);
  ent_pack_count(&packer, count);
  for (size_t row = 0; row < table->source->rows; row++)
    if (ent_hash_sample_takes(sample, shard->first_row + row))
      pack_row(&packer, shard, row);
  return ent_message_end(&packer, rows);
}

/* Reads a row to the end of a table, where there is room for it. */
static void take_row(ent_unpacker *unpacker, entropic_table *table) {
  const ent_columns *columns = &table->source->columns;
  size_t at = unpacker->at, row = table->source->rows++;
  double *values = table->values + row * columns->count;
  table->number[row] = ent_unpack_u64(unpacker, "the number of a row");
  if (table->number[row] >= table->total || (row > 0 && table->number[row] <= table->number[row - 1]))
    ent_unpack_refuse(unpacker, at, "found row %llu, expected a later one of %llu rows",
                      (unsigned long long)table->number[row], (unsigned long long)table->total);
  for (size_t i = 0; i < columns->count; i++) {
    const ent_column *column = &columns->list[i];
    uint64_t bits = ent_unpack_u64(unpacker, "a value");
    memcpy(&values[i], &bits, sizeof bits);
    bool coded = column->mode == ENT_MODE_TEXT && !isnan(values[i]);
    size_t codes = ent_dictionary_size(column->dictionary);
    if (coded && !(values[i] >= 0 && values[i] < (double)codes && values[i] == floor(values[i])))
      ent_unpack_refuse(unpacker, at, "found the code %g, expected one of %zu", values[i], codes);
  }
}

/* Reads the rows of a message to the end of a table. */
static entropic_status take_rows(entropic_context *context, const ent_message *message, entropic_table *table,
                                 size_t *numbers_capacity) {
  const ent_columns *columns = &table->source->columns;
  ent_unpacker unpacker;
  entropic_status status = ent_message_open(context, message, ENT_ROWS_KIND, &unpacker);
  if (status != ENTROPIC_OK)
    return status;
  ent_unpack_count(&unpacker, columns->count, columns->count, "a number of columns");
  size_t rows = ent_unpack_many(&unpacker, 0, SIZE_MAX, (columns->count + 1) * 8, "a number of rows");
  size_t all = table->source->rows + rows;
  if (!ent_reserve(context, &table->values, &table->capacity, all * columns->count, sizeof *table->values))
    return ENTROPIC_NO_MEMORY;
  if (!ent_reserve(context, &table->number, numbers_capacity, all, sizeof *table->number))
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < rows && ent_unpack_fine(&unpacker); i++)
    take_row(&unpacker, table);
  return ent_message_close(&unpacker);
}

/* A table without rows that has the columns of a whole one. */
static entropic_status begin_table(entropic_context *context, const ent_message *all, entropic_table *table) {
  ent_column_survey survey = {0};
  ent_source *source = table->source = ent_new(context, 1, sizeof *source);
  if (source == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_column_survey_unpack(context, all, &survey);
  if (status != ENTROPIC_OK)
    return status;
  if (survey.failed || survey.reread) {
    status = ent_fail(context, ENTROPIC_BAD_DATA, "the column survey is of a part of a table");
    goto done;
  }
  for (size_t i = 0; i < survey.columns.count; i++) /* they are gone with the columns */
    ent_delete(survey.growth[i].steps);
  ent_delete(survey.growth);
  survey.growth = NULL;
  source->columns = survey.columns;
  source->name = survey.file;
  source->format = survey.format;
  source->empty = survey.empty;
  table->total = survey.rows;
  survey.columns = (ent_columns){0};
  survey.file = NULL;
done:
  ent_column_survey_free(&survey);
  return status;
}

entropic_status ent_table_of_sample(entropic_context *context, const ent_message *all, const ent_message *rows,
                                    size_t parts, entropic_table **table) {
  entropic_table *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  size_t capacity = 0;
  entropic_status status = begin_table(context, all, made);
  for (size_t i = 0; i < parts && status == ENTROPIC_OK; i++)
    status = take_rows(context, &rows[i], made, &capacity);
  if (status != ENTROPIC_OK) {
    entropic_table_free(made);
    return status;
  }
  if (made->source->rows == made->total) { /* these are all */
    made->total = 0;
    ent_delete(made->number);
    made->number = NULL;
  }
  *table = made;
  return ENTROPIC_OK;
}
