/* Any bytes as a table: it is refused with a message, or it is read completely, with the same rows as a whole and
 * block by block. The first byte chooses the read options. */
#define _GNU_SOURCE
#include "memory_file.h"

#include <string.h>

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static ent_read_options options_of(uint8_t choice) {
  ent_read_options options = ent_read_options_default();
  options.numbers_only = choice & 1;
  options.format = (entropic_format)(choice >> 1 & 3);
  options.libsvm_any_order = choice >> 3 & 1;
  options.libsvm_from_zero = choice >> 4 & 1;
  if (choice & 32)
    options.roles.categorical = "1";
  if (choice & 64)
    options.missing = "-1,x";
  if (choice & 128)
    options.delimiter = ' ';
  return options;
}

static void check_failure(entropic_context *context, entropic_status status) {
  DEMAND(entropic_context_message(context)[0] != '\0');
  DEMAND(status == ENTROPIC_BAD_DATA || status == ENTROPIC_TOO_LARGE || status == ENTROPIC_BAD_ARGUMENT);
}

/* After a survey the blocks have the same rows. */
static void check_blocks(entropic_context *context, const char *path, const ent_read_options *options,
                         const entropic_table *table) {
  size_t rows = entropic_table_rows(table), columns = entropic_table_columns(table), total = 0, got = 1;
  ent_source *source = NULL;
  DEMAND(ent_source_open(context, path, options, &source) == ENTROPIC_OK);
  DEMAND(ent_source_survey(context, source) == ENTROPIC_OK);
  DEMAND(source->rows == rows && source->columns.count == columns);
  double *block = malloc(3 * columns * sizeof *block);
  DEMAND(block != NULL);
  while (got > 0) {
    DEMAND(ent_source_read(context, source, block, 3, &got) == ENTROPIC_OK);
    DEMAND(total + got <= rows);
    DEMAND(memcmp(block, entropic_table_values(table) + total * columns, got * columns * sizeof *block) == 0);
    total += got;
  }
  DEMAND(total == rows);
  free(block);
  ent_source_free(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  if (count == 0)
    return 0;
  char path[64];
  const ent_read_options options = options_of(bytes[0]);
  int file = memory_file(bytes + 1, count - 1, path);
  entropic_context *context = NULL;
  entropic_table *table = NULL;
  DEMAND(entropic_context_create(&context) == ENTROPIC_OK);
  entropic_status status = ent_table_load(context, path, &options, &table);
  if (status != ENTROPIC_OK) {
    DEMAND(table == NULL);
    check_failure(context, status);
  } else {
    size_t columns = entropic_table_columns(table);
    DEMAND(columns > 0 && entropic_table_rows(table) > 0);
    for (size_t i = 0; i < columns; i++) {
      entropic_column column;
      DEMAND(column_of_table(context, table, i, &column) == ENTROPIC_OK);
      DEMAND(strlen(column.name) <= count + 32 && column.missing <= entropic_table_rows(table));
      DEMAND(column.categories == 0 || entropic_table_category(table, i, column.categories - 1) != NULL);
    }
    DEMAND(entropic_table_name(table, columns) == NULL);
    check_blocks(context, path, &options, table);
  }
  close(file);
  entropic_table_free(table);
  entropic_context_free(context);
  return 0;
}
