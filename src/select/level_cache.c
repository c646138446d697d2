/* The level cache: see level_cache.h. */
#include "select/level_cache.h"

#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"

#define STEP ((size_t)256)      /* rows at a time: their values of a few inputs fit the first cache */
#define TASK_TERMS ((size_t)16) /* levels a task fills */

entropic_status ent_level_cache_create(entropic_context *context, const entropic_kernel *kernel, const double *x,
                                       size_t rows, size_t stride, ent_level_cache **cache) {
  ent_level_cache *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  *made = (ent_level_cache){.kernel = kernel, .x = x, .rows = rows, .stride = stride};
  made->columns = ent_new(context, kernel->inputs, sizeof *made->columns);
  bool complete = made->columns != NULL;
  for (size_t i = 0; complete && i < kernel->inputs; i++) {
    made->columns[i] = ent_new(context, kernel->axes[i]->level_count, sizeof *made->columns[i]);
    complete = made->columns[i] != NULL;
  }
  if (!complete) {
    ent_level_cache_free(made);
    return ENTROPIC_NO_MEMORY;
  }
  *cache = made;
  return ENTROPIC_OK;
}

void ent_level_cache_free(ent_level_cache *cache) {
  if (cache == NULL)
    return;
  for (size_t i = 0; cache->columns != NULL && i < cache->kernel->inputs; i++) {
    for (size_t l = 0; cache->columns[i] != NULL && l < cache->kernel->axes[i]->level_count; l++) {
      ent_delete(cache->columns[i][l].atoms);
      ent_delete(cache->columns[i][l].values);
    }
    ent_delete(cache->columns[i]);
  }
  ent_delete(cache->columns);
  ent_delete(cache);
}

typedef struct ent_filling {
  ent_level_cache *cache;
  const entropic_term *terms;
  size_t count;
} ent_filling;

/* The column's share of the kernel on these rows. */
static entropic_status set_share(entropic_context *context, size_t rows, uint64_t atoms, ent_level_column *column) {
  double sum = 0;
  size_t occur = 0;
  bool *seen = ent_new(context, atoms, sizeof *seen);
  if (seen == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < rows; r++) {
    double value = (double)column->values[r];
    size_t atom = column->atoms == NULL ? 0 : column->atoms[r];
    sum += value * value;
    if (value != 0 && !seen[atom]) {
      seen[atom] = true;
      occur++;
    }
  }
  ent_delete(seen);
  column->share = occur == 0 ? 0 : sum / (double)rows / (double)occur;
  return ENTROPIC_OK;
}

/* Room for the column of a level. */
static entropic_status column_start(entropic_context *context, const ent_level_cache *cache, entropic_term term,
                                    ent_level_column *column) {
  bool several = cache->kernel->axes[term.input]->levels[term.level].info.atoms > 1;
  *column = (ent_level_column){.values = ent_new(context, cache->rows, sizeof *column->values)};
  if (several)
    column->atoms = ent_new(context, cache->rows, sizeof *column->atoms);
  return column->values == NULL || (several && column->atoms == NULL) ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* Some rows of some columns. Terms of one input are adjacent, so that its values are gathered once. */
static void fill_rows(const ent_level_cache *cache, const entropic_term *terms, size_t count, size_t first,
                      ent_level_column *columns) {
  size_t rows = cache->rows - first < STEP ? cache->rows - first : STEP;
  double x[STEP], values[STEP];
  uint32_t which[STEP];
  for (size_t i = 0; i < count; i++) {
    const ent_axis *axis = cache->kernel->axes[terms[i].input];
    const ent_level *level = &axis->levels[terms[i].level];
    for (size_t r = 0; (i == 0 || terms[i].input != terms[i - 1].input) && r < rows; r++)
      x[r] = cache->x[(first + r) * cache->stride + terms[i].input];
    level->evaluate(axis, level, x, rows, which, values);
    for (size_t r = 0; r < rows; r++)
      columns[i].values[first + r] = (float)values[r];
    if (columns[i].atoms != NULL)
      memcpy(columns[i].atoms + first, which, rows * sizeof *which);
  }
}

static entropic_status fill(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  const ent_filling *filling = shared;
  ent_level_cache *cache = filling->cache;
  const entropic_term *terms = filling->terms + task * TASK_TERMS;
  size_t left = filling->count - task * TASK_TERMS, count = left < TASK_TERMS ? left : TASK_TERMS;
  ent_level_column columns[TASK_TERMS] = {{0}};
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; i < count; i++) {
    status = column_start(context, cache, terms[i], &columns[i]);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  for (size_t first = 0; first < cache->rows; first += STEP) {
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      goto fail;
    fill_rows(cache, terms, count, first, columns);
  }
  for (size_t i = 0; i < count; i++) {
    uint64_t atoms = cache->kernel->axes[terms[i].input]->levels[terms[i].level].info.atoms;
    status = set_share(context, cache->rows, atoms, &columns[i]);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  for (size_t i = 0; i < count; i++)
    cache->columns[terms[i].input][terms[i].level] = columns[i];
  return ENTROPIC_OK;
fail:
  for (size_t i = 0; i < count; i++) {
    ent_delete(columns[i].values);
    ent_delete(columns[i].atoms);
  }
  return status;
}

entropic_status ent_level_cache_need(entropic_context *context, ent_level_cache *cache, const entropic_term *terms,
                                     size_t count) {
  entropic_term *missing = ent_new(context, count, sizeof *missing);
  if (missing == NULL)
    return ENTROPIC_NO_MEMORY;
  size_t wanted = 0;
  /* A share of -1 marks a column as listed, so that it is not listed twice. Filling it sets the share. */
  for (size_t i = 0; i < count; i++) {
    ent_level_column *column = &cache->columns[terms[i].input][terms[i].level];
    if (column->values == NULL && column->share == 0) {
      column->share = -1;
      missing[wanted++] = terms[i];
    }
  }
  ent_filling filling = {.cache = cache, .terms = missing, .count = wanted};
  entropic_status status = ent_parallel(context, (wanted + TASK_TERMS - 1) / TASK_TERMS, fill, &filling);
  for (size_t i = 0; i < wanted; i++) {
    ent_level_column *column = &cache->columns[missing[i].input][missing[i].level];
    column->share = column->share < 0 ? 0 : column->share;
  }
  ent_delete(missing);
  return status;
}
