/* Any bytes as a table: it is read, or refused with a message; what is read is all there. */
#define _GNU_SOURCE
#include "memory_file.h"

#include <string.h>

#include "entropic/entropic.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  char path[64];
  int file = memory_file(bytes, count, path);
  entropic_context *context = NULL;
  entropic_table *table = NULL;
  DEMAND(entropic_context_create(&context) == ENTROPIC_OK);
  entropic_status status = entropic_table_read(context, path, &table);
  close(file);
  if (status != ENTROPIC_OK) {
    DEMAND(table == NULL && entropic_context_message(context)[0] != '\0');
    DEMAND(status == ENTROPIC_BAD_DATA || status == ENTROPIC_TOO_LARGE);
  } else {
    size_t rows = entropic_table_rows(table), columns = entropic_table_columns(table);
    const double *values = entropic_table_values(table);
    volatile double last = 0; /* every value is there to be read */
    DEMAND(columns > 0);
    for (size_t i = 0; i < rows * columns; i++)
      last = values[i];
    (void)last;
    for (size_t i = 0; i < columns; i++)
      DEMAND(entropic_table_name(table, i) != NULL && strlen(entropic_table_name(table, i)) <= count + 32);
    DEMAND(entropic_table_name(table, columns) == NULL);
  }
  entropic_table_free(table);
  entropic_context_free(context);
  return 0;
}
