/* Statistics of the rows of sheets: models to collect for, rows in any order, bytes to compare. */
#ifndef COLLECTING_H
#define COLLECTING_H

#include "unit/fitting.h"

#include "update/collection.h"
#include "update/statistics_calls.h"
#include "model/statistics_file.h"

/* What is collected for: a sheet, and how it is fitted. */
typedef struct collecting {
  const char *name;
  entropic_task task;
  size_t inputs, targets, classes;
  int with;
  size_t members; /* 1: features by entropy */
  bool missing;   /* some values of the first input are */
  bool balanced;  /* classes are weighted */
} collecting;

static const collecting collectings[] = {
    {"numbers", ENTROPIC_TASK_REGRESSION, 3, 1, 0, PLAIN, 1, false, false},
    {"members", ENTROPIC_TASK_REGRESSION, 3, 1, 0, PLAIN, 3, false, false},
    {"weights", ENTROPIC_TASK_REGRESSION, 3, 2, 0, WITH_WEIGHTS, 1, false, false},
    {"missing", ENTROPIC_TASK_REGRESSION, 3, 1, 0, PLAIN, 2, true, false},
    {"two classes", ENTROPIC_TASK_CLASSIFICATION, 3, 1, 2, PLAIN, 2, false, true},
    {"four classes", ENTROPIC_TASK_CLASSIFICATION, 3, 1, 4, WITH_WEIGHTS, 1, false, false},
};
#define COLLECTINGS COUNT(collectings)

static inline const collecting *collecting_named(const char *name) {
  for (size_t i = 0; i < COLLECTINGS; i++)
    if (strcmp(collectings[i].name, name) == 0)
      return &collectings[i];
  fail_msg("nothing is collected for %s", name);
  return NULL;
}

static inline sheet collecting_sheet(const collecting *c, size_t rows, uint64_t seed) {
  sheet s = sheet_start(rows, c->inputs, c->targets, c->with, seed);
  if (c->classes > 0)
    sheet_classes(&s, c->classes);
  for (size_t r = 0; r < rows && c->missing; r += 3)
    sheet_row(&s, r)[0] = NAN;
  for (size_t r = 0; r < rows && s.weighted; r++) { /* whole ones too, some of which are not repeated */
    double *weight = sheet_row(&s, r) + s.inputs + s.targets;
    *weight = r % 5 == 0 ? 3 : r % 7 == 0 ? 1 : r % 50 == 1 ? 64.5 : *weight;
  }
  return s;
}

static inline ent_fit_options collecting_options(const collecting *c) {
  ent_fit_options options = fixed_options(1e-3, 20);
  if (c->members > 1) {
    options.select = ENTROPIC_SELECT_RESIDUAL;
    options.ensemble = c->members;
    options.features = 15;
  }
  options.loss = ENTROPIC_LOSS_SQUARED;
  options.class_weight = c->balanced ? ENTROPIC_CLASS_WEIGHT_BALANCED : ENTROPIC_CLASS_WEIGHT_NONE;
  options.keep_statistics = true;
  return options;
}

static inline entropic_model *collecting_fit(entropic_context *context, const collecting *c, const sheet *s) {
  ent_fit_options options = collecting_options(c);
  return fit_sheet(context, s, c->task, &options);
}

/* Some rows of a sheet, by number. */
static inline sheet sheet_some(const sheet *s, const size_t *rows, size_t count) {
  sheet some = *s;
  some.rows = count;
  some.values = calloc(count * s->columns + 1, sizeof *some.values);
  assert_non_null(some.values);
  for (size_t i = 0; i < count; i++)
    memcpy(sheet_row(&some, i), sheet_row(s, rows[i]), s->columns * sizeof *some.values);
  return some;
}

/* A reader of the rows of a sheet, and the table that it reads. */
typedef struct sheet_reader {
  entropic_table *table;
  entropic_row_reader *reader;
} sheet_reader;

static inline sheet_reader read_sheet(entropic_context *context, const entropic_model *model, const sheet *s) {
  sheet_reader made = {.table = table_of(context, s)};
  ASSERT_OK(context, entropic_row_reader_open_table(context, model, made.table, 1, &made.reader));
  return made;
}

static inline void sheet_reader_stop(sheet_reader *reader) {
  entropic_row_reader_free(reader->reader);
  entropic_table_free(reader->table);
}

static inline void collect_sheet(entropic_context *context, entropic_statistics *statistics, const sheet *s) {
  if (s->rows == 0)
    return;
  sheet_reader reader = read_sheet(context, entropic_frozen_design_model(entropic_statistics_design(statistics)), s);
  ASSERT_OK(context, entropic_statistics_collect(context, statistics, reader.reader, NULL));
  sheet_reader_stop(&reader);
}

/* Statistics of some rows. */
static inline entropic_statistics *collected_of(entropic_context *context, const entropic_model *model, const sheet *s,
                                                const size_t *rows, size_t count) {
  entropic_statistics *statistics = NULL;
  ASSERT_OK(context, entropic_statistics_create(context, model, &statistics));
  sheet some = sheet_some(s, rows, count);
  collect_sheet(context, statistics, &some);
  sheet_stop(&some);
  return statistics;
}

static inline void change_by_sheet(entropic_context *context, entropic_model *model, const sheet *s, bool forget) {
  sheet_reader reader = read_sheet(context, model, s);
  ASSERT_OK(context, forget ? entropic_model_forget(context, model, reader.reader, NULL)
                            : entropic_model_update(context, model, reader.reader, NULL));
  sheet_reader_stop(&reader);
}

/* Bytes that belong to the test. */
typedef struct held_bytes {
  unsigned char *bytes;
  size_t count;
} held_bytes;

static inline held_bytes bytes_of_statistics(entropic_context *context, const entropic_statistics *statistics) {
  held_bytes held;
  ASSERT_OK(context, entropic_statistics_save_memory(context, statistics, &held.bytes, &held.count));
  return held;
}

static inline held_bytes bytes_of_model(entropic_context *context, const entropic_model *model) {
  held_bytes held;
  ASSERT_OK(context, entropic_model_save_memory(context, model, &held.bytes, &held.count));
  return held;
}

static inline void assert_same_bytes(held_bytes a, held_bytes b) {
  assert_int_equal(a.count, b.count);
  assert_memory_equal(a.bytes, b.bytes, a.count);
}

#endif
