/* All rows of a table of which a data set has a sample: see dataset.h. */
#include "dataset/dataset.h"

#include <math.h>

#include "base/memory.h"
#include "base/progress.h"

#define READ_ROWS ((size_t)1024) /* values of a column at a time */

void ent_all_rows_free(ent_all_rows *all) {
  if (all == NULL)
    return;
  entropic_table_free(all->table);
  ent_delete(all->least);
  ent_delete(all->most);
  ent_delete(all);
}

/* The least and the most value of a column of numbers, as far as there are values; least > most if there are none. Shards
 * have said so when they read their rows. */
static entropic_status find_range(entropic_context *context, const entropic_table *table, size_t column, double *least,
                                  double *most) {
  double values[READ_ROWS];
  size_t rows = table->remote == NULL ? table->source->rows : 0;
  *least = table->remote == NULL ? (double)INFINITY : table->source->columns.list[column].lowest;
  *most = table->remote == NULL ? (double)-INFINITY : table->source->columns.list[column].highest;
  for (size_t from = 0; from < rows; from += READ_ROWS) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    size_t count = rows - from < READ_ROWS ? rows - from : READ_ROWS;
    ent_table_read(table, column, from, count, values);
    for (size_t i = 0; i < count; i++) {
      *least = values[i] < *least ? values[i] : *least;
      *most = values[i] > *most ? values[i] : *most;
    }
  }
  return ENTROPIC_OK;
}

entropic_status ent_all_rows_of_table(entropic_context *context, const entropic_table *table, const size_t *target,
                                      size_t targets, size_t weight, ent_all_rows **all) {
  ent_all_rows *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  *made = (ent_all_rows){.table = ent_table_share(table),
                         .rows = table->remote == NULL ? table->source->rows : table->total,
                         .least = ent_new(context, targets, sizeof *made->least),
                         .most = ent_new(context, targets, sizeof *made->most),
                         .most_weight = 1};
  entropic_status status = made->least == NULL || made->most == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status != ENTROPIC_OK)
    goto fail;
  for (size_t t = 0; t < targets; t++) {
    status = find_range(context, table, target[t], &made->least[t], &made->most[t]);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  double least;
  if (weight != SIZE_MAX)
    status = find_range(context, table, weight, &least, &made->most_weight);
  if (status != ENTROPIC_OK)
    goto fail;
  *all = made;
  return ENTROPIC_OK;
fail:
  ent_all_rows_free(made);
  return status;
}
