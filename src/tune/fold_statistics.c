/* Statistics of training and validation rows: see fold_statistics.h. */
#include "tune/fold_statistics.h"

#include "base/memory.h"
#include "base/progress.h"

void ent_fold_statistics_clear(ent_fold_statistics *s) {
  for (size_t k = 0; s->set != NULL && k < s->sets; k++)
    ent_statistics_free(s->set[k]);
  ent_delete(s->set);
  ent_statistics_free(s->total);
  *s = (ent_fold_statistics){0};
}

size_t ent_set_count(const ent_validation_splits *splits) {
  return splits->valid != NULL ? 1 : splits->forward ? splits->folds + 1 : splits->folds;
}

typedef struct ent_fold_lookup {
  const size_t *fold_of, *numbers;
} ent_fold_lookup;

static size_t look_up(void *user, size_t row) {
  const ent_fold_lookup *lookup = user;
  return lookup->fold_of[lookup->numbers == NULL ? row : lookup->numbers[row]];
}

/* About the mean of each target. It is subtracted before products are added up. */
static void set_shifts(const ent_validation_splits *splits, double *shift) {
  const ent_block *rows = &splits->train;
  for (size_t t = 0; t < splits->targets; t++) {
    double sum = 0, weight = 0;
    for (size_t r = 0; r < rows->rows; r++) {
      double w = ent_takes_part(splits, r) ? ent_weight(rows, r) : 0;
      sum += w * rows->y[r * rows->y_stride + t];
      weight += w;
    }
    shift[t] = weight > 0 ? sum / weight : 0;
  }
}

/* Empty statistics of the total and of each set. On failure there are none. */
static entropic_status statistics_start(entropic_context *context, const ent_validation_splits *splits, size_t features,
                                        ent_fold_statistics *s) {
  *s = (ent_fold_statistics){.sets = ent_set_count(splits)};
  double *shift = ent_new(context, splits->targets, sizeof *shift);
  s->set = ent_new(context, s->sets, sizeof(ent_statistics *));
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (shift == NULL || s->set == NULL)
    goto done;
  set_shifts(splits, shift);
  status = ent_statistics_create(context, features, splits->targets, shift, &s->total);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t k = 0; k < s->sets; k++) {
    status = ent_statistics_create(context, features, splits->targets, shift, &s->set[k]);
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
  ent_delete(shift);
  if (status != ENTROPIC_OK)
    ent_fold_statistics_clear(s);
  return status;
}

/* Statistics of each fold; their sum is the total. */
static entropic_status collect_folds(entropic_context *context, const ent_validation_splits *splits, const ent_map *map,
                                     ent_row_subset *subset, ent_grade grade, ent_fold_statistics *s) {
  ent_fold_lookup lookup = {splits->fold_of, subset->numbers};
  ent_rows rows = ent_rows_of_subset(subset);
  ent_statistics_folds folds = {
      .statistics = s->set, .count = s->sets, .fold = look_up, .user = &lookup, .total = s->total};
  return ent_statistics_collect_folds(context, &folds, map, &rows, &(ent_collect_options){.grade = grade});
}

/* Statistics of the training rows and of the validation rows. */
static entropic_status collect_both(entropic_context *context, const ent_validation_splits *splits, const ent_map *map,
                                    ent_row_subset *subset, ent_grade grade, ent_fold_statistics *s) {
  ent_memory_rows valid = {.all = *splits->valid, .inputs = splits->inputs, .targets = splits->targets};
  ent_rows rows = ent_rows_of_subset(subset), others = ent_rows_of_memory(&valid);
  ent_progress former = ent_progress_enter(context, 0, 2);
  entropic_status status = ent_statistics_collect(context, s->total, map, &rows, grade);
  ent_progress_leave(context, former);
  if (status != ENTROPIC_OK)
    return status;
  former = ent_progress_enter(context, 1, 2);
  status = ent_statistics_collect(context, s->set[0], map, &others, grade);
  ent_progress_leave(context, former);
  ent_memory_rows_clear(&valid);
  return status;
}

entropic_status ent_fold_statistics_collect(entropic_context *context, const ent_validation_splits *splits,
                                            const ent_map *map, ent_row_list rows, ent_grade grade,
                                            ent_fold_statistics *s) {
  ent_row_subset subset = {.from = {.all = splits->train, .inputs = splits->inputs, .targets = splits->targets},
                           .numbers = rows.numbers,
                           .count = rows.count};
  entropic_status status = statistics_start(context, splits, map->features, s);
  if (status != ENTROPIC_OK)
    return status;
  status = splits->valid == NULL ? collect_folds(context, splits, map, &subset, grade, s)
                                 : collect_both(context, splits, map, &subset, grade, s);
  ent_row_subset_clear(&subset);
  if (status != ENTROPIC_OK)
    ent_fold_statistics_clear(s);
  return status;
}

entropic_status ent_fold_statistics_head(entropic_context *context, const ent_fold_statistics *from, size_t features,
                                         ent_fold_statistics *s) {
  *s = (ent_fold_statistics){.sets = from->sets};
  entropic_status status = ENTROPIC_NO_MEMORY;
  s->set = ent_new(context, s->sets, sizeof(ent_statistics *));
  if (s->set == NULL)
    goto fail;
  status = ent_statistics_head(context, from->total, features, &s->total);
  if (status != ENTROPIC_OK)
    goto fail;
  for (size_t k = 0; k < s->sets; k++) {
    status = ent_statistics_head(context, from->set[k], features, &s->set[k]);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  return ENTROPIC_OK;
fail:
  ent_fold_statistics_clear(s);
  return status;
}
