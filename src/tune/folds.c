/* Folds, and rows picked by number: see folds.h. */
#include "tune/folds.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

entropic_status ent_rows_by_class(entropic_context *context, const ent_fold_options *split, entropic_random *random,
                                  size_t *sorted) {
  size_t classes = split->labels == NULL ? 1 : split->classes;
  size_t *order = ent_new(context, split->rows, sizeof *order);
  size_t *starts = ent_new(context, classes + 1, sizeof *starts);
  entropic_status status = order == NULL || starts == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status != ENTROPIC_OK)
    goto end;
  entropic_random_permutation(random, split->rows, order);
  for (size_t r = 0; r < split->rows; r++)
    starts[split->labels == NULL ? 1 : (size_t)split->labels[r] + 1]++;
  for (size_t c = 0; c < classes; c++)
    starts[c + 1] += starts[c];
  for (size_t i = 0; i < split->rows; i++) {
    size_t row = order[i];
    sorted[starts[split->labels == NULL ? 0 : (size_t)split->labels[row]]++] = row;
  }
end:
  ent_delete(order);
  ent_delete(starts);
  return status;
}

/* Whether a class that occurs has fewer rows than there are folds. */
static bool some_class_is_rare(const ent_fold_options *split, const size_t *sorted, size_t folds) {
  size_t count = 0;
  for (size_t i = 0; split->labels != NULL && i < split->rows; i++) {
    bool starts = i == 0 || split->labels[sorted[i]] != split->labels[sorted[i - 1]];
    if (starts && i > 0 && count < folds)
      return true;
    count = starts ? 1 : count + 1;
  }
  return split->labels != NULL && count < folds;
}

/* Class by class, the rows of each in random order, to the folds in turn: no fold has more than one row of a class
 * above any other. A class of fewer rows than folds is in some of them alone; which ones must not follow from the order
 * of the classes, as the first folds may be all that is validated on: then folds are numbered at random. */
static entropic_status deal_rows(entropic_context *context, const ent_fold_options *split, entropic_random *random,
                                 size_t *fold_of, size_t folds) {
  size_t *sorted = ent_new(context, split->rows, sizeof *sorted), *names = ent_new(context, folds, sizeof *names);
  entropic_status status =
      sorted == NULL || names == NULL ? ENTROPIC_NO_MEMORY : ent_rows_by_class(context, split, random, sorted);
  if (status != ENTROPIC_OK)
    goto end;
  for (size_t k = 0; k < folds; k++)
    names[k] = k;
  if (some_class_is_rare(split, sorted, folds))
    entropic_random_permutation(random, folds, names);
  for (size_t i = 0; i < split->rows; i++)
    fold_of[sorted[i]] = names[i % folds];
end:
  ent_delete(sorted);
  ent_delete(names);
  return status;
}

/* Groups in random order, each to the fold that has the fewest rows so far. */
static entropic_status deal_groups(entropic_context *context, const ent_fold_options *split, entropic_random *random,
                                   size_t groups, size_t *fold_of, size_t folds) {
  size_t *order = ent_new(context, groups, sizeof *order), *sizes = ent_new(context, groups, sizeof *sizes);
  size_t *place = ent_new(context, groups, sizeof *place), *filled = ent_new(context, folds, sizeof *filled);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (order != NULL && sizes != NULL && place != NULL && filled != NULL) {
    status = ENTROPIC_OK;
    for (size_t r = 0; r < split->rows; r++)
      sizes[(size_t)split->groups[r]]++;
    entropic_random_permutation(random, groups, order);
    for (size_t i = 0; i < groups; i++) {
      size_t least = 0;
      for (size_t k = 1; k < folds; k++)
        if (filled[k] < filled[least])
          least = k;
      place[order[i]] = least;
      filled[least] += sizes[order[i]];
    }
    for (size_t r = 0; r < split->rows; r++)
      fold_of[r] = place[(size_t)split->groups[r]];
  }
  ent_delete(order);
  ent_delete(sizes);
  ent_delete(place);
  ent_delete(filled);
  return status;
}

size_t ent_group_count(const ent_fold_options *split) {
  size_t groups = 0;
  for (size_t r = 0; r < split->rows; r++)
    groups = (size_t)split->groups[r] >= groups ? (size_t)split->groups[r] + 1 : groups;
  return groups;
}

/* A row with its time. */
typedef struct ent_moment {
  double time;
  size_t row;
} ent_moment;

static int compare_moments(const void *a, const void *b) {
  const ent_moment *first = a, *second = b;
  if (first->time != second->time)
    return first->time < second->time ? -1 : 1;
  return first->row < second->row ? -1 : first->row > second->row;
}

/* The block of the rows first .. end - 1 in the order of time, which have one time. Blocks count from the earliest that
 * is judged; `blocks` is what is only learnt from. */
static size_t block_of(size_t first, size_t end, size_t rows, size_t learnt, size_t blocks) {
  size_t middle = first + (end - first - 1) / 2;
  if (first == 0 || (middle < learnt && end < rows))
    return blocks;
  if (middle < learnt)
    return blocks - 1;
  return (middle - learnt) * blocks / (rows - learnt);
}

/* Blocks in the order of time, the latest first; *folds becomes how many have rows. */
static entropic_status deal_time(entropic_context *context, const ent_fold_options *split, size_t *fold_of,
                                 size_t *folds) {
  size_t rows = split->rows, learnt = split->learnt > 0 ? split->learnt : rows / 2, blocks = *folds, used = 0;
  ent_moment *order = ent_new(context, rows, sizeof *order);
  if (order == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < rows; r++)
    order[r] = (ent_moment){split->time[r], r};
  qsort(order, rows, sizeof *order, compare_moments);
  size_t last = blocks; /* from the latest on: blocks without rows get no number */
  for (size_t end = rows, first; end > 0; end = first) {
    first = end - 1;
    while (first > 0 && order[first - 1].time == order[first].time)
      first--;
    size_t block = block_of(first, end, rows, learnt, blocks);
    used += block < blocks && block != last;
    last = block;
    for (size_t i = first; i < end; i++)
      fold_of[order[i].row] = block == blocks ? used : used - 1;
  }
  ent_delete(order);
  *folds = used;
  return ENTROPIC_OK;
}

entropic_status ent_folds_deal(entropic_context *context, const ent_fold_options *split, uint64_t seed, size_t *fold_of,
                               size_t *folds) {
  if (split->time != NULL)
    return deal_time(context, split, fold_of, folds);
  size_t units = split->groups == NULL ? split->rows : ent_group_count(split);
  size_t count = *folds < units ? *folds : units;
  count = count < 1 ? 1 : count;
  entropic_random random = entropic_random_start(seed, 0);
  entropic_status status = split->groups == NULL ? deal_rows(context, split, &random, fold_of, count)
                                                 : deal_groups(context, split, &random, units, fold_of, count);
  if (status == ENTROPIC_OK)
    *folds = count;
  return status;
}

entropic_status ent_folds_deal_some(entropic_context *context, const ent_fold_options *split, const size_t *numbers,
                                    size_t count, uint64_t seed, size_t *fold_of, size_t *folds) {
  double *labels = split->labels == NULL ? NULL : ent_new(context, count, sizeof *labels);
  double *groups = split->groups == NULL ? NULL : ent_new(context, count, sizeof *groups);
  double *time = split->time == NULL ? NULL : ent_new(context, count, sizeof *time);
  size_t *dealt = ent_new(context, count, sizeof *dealt), *renamed = NULL, next = 0;
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (dealt == NULL || (split->labels != NULL && labels == NULL) || (split->groups != NULL && groups == NULL) ||
      (split->time != NULL && time == NULL))
    goto done;
  renamed = ent_new(context, split->rows, sizeof *renamed); /* groups that are left, counted from 1 on */
  if (renamed == NULL)
    goto done;
  for (size_t i = 0; i < count; i++) {
    if (labels != NULL)
      labels[i] = split->labels[numbers[i]];
    if (time != NULL)
      time[i] = split->time[numbers[i]];
    if (groups != NULL) {
      size_t *name = &renamed[(size_t)split->groups[numbers[i]]];
      *name = *name == 0 ? ++next : *name;
      groups[i] = (double)(*name - 1);
    }
  }
  ent_fold_options some = {.rows = count, .labels = labels, .classes = split->classes, .groups = groups, .time = time};
  status = ent_folds_deal(context, &some, seed, dealt, folds);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t r = 0; r < split->rows; r++)
    fold_of[r] = ENT_NO_FOLD;
  for (size_t i = 0; i < count; i++)
    fold_of[numbers[i]] = dealt[i];
done:
  ent_delete(labels);
  ent_delete(groups);
  ent_delete(time);
  ent_delete(dealt);
  ent_delete(renamed);
  return status;
}

static entropic_status subset_rewind(entropic_context *context, void *self) {
  (void)context;
  ((ent_row_subset *)self)->at = 0;
  return ENTROPIC_OK;
}

static entropic_status subset_room(entropic_context *context, ent_row_subset *subset, size_t rows) {
  if (rows <= subset->capacity)
    return ENTROPIC_OK;
  ent_row_subset_free(subset);
  subset->x = ent_new_matrix(context, rows, subset->inputs, sizeof *subset->x);
  subset->y = ent_new_matrix(context, rows, subset->targets, sizeof *subset->y);
  subset->weights = ent_new(context, rows, sizeof *subset->weights);
  if (subset->x == NULL || subset->y == NULL || subset->weights == NULL) {
    ent_row_subset_free(subset);
    return ENTROPIC_NO_MEMORY;
  }
  subset->capacity = rows;
  return ENTROPIC_OK;
}

static entropic_status subset_next(entropic_context *context, void *self, size_t most, ent_block *block) {
  ent_row_subset *subset = self;
  size_t left = subset->count - subset->at, rows = left < most ? left : most;
  entropic_status status = subset_room(context, subset, rows);
  if (status != ENTROPIC_OK)
    return status;
  const ent_block *all = &subset->all;
  for (size_t r = 0; r < rows; r++) {
    size_t row = subset->numbers[subset->at + r];
    memcpy(subset->x + r * subset->inputs, all->x + row * all->x_stride, subset->inputs * sizeof *subset->x);
    if (all->y != NULL)
      memcpy(subset->y + r * subset->targets, all->y + row * all->y_stride, subset->targets * sizeof *subset->y);
    subset->weights[r] = ent_weight(all, row);
  }
  if (all->scaler != NULL)
    ent_scaler_fill_own(all->scaler, subset->x, rows);
  *block = (ent_block){.first = subset->at,
                       .rows = rows,
                       .x = subset->x,
                       .x_stride = subset->inputs,
                       .y = all->y == NULL ? NULL : subset->y,
                       .y_stride = subset->targets,
                       .weights = all->weights == NULL ? NULL : subset->weights,
                       .missing = all->missing};
  subset->at += rows;
  return ENTROPIC_OK;
}

ent_rows ent_rows_of_subset(ent_row_subset *subset) {
  return (ent_rows){.self = subset,
                    .inputs = subset->inputs,
                    .targets = subset->targets,
                    .count = subset->count,
                    .rewind = subset_rewind,
                    .next = subset_next};
}

void ent_row_subset_free(ent_row_subset *subset) {
  ent_delete(subset->x);
  ent_delete(subset->y);
  ent_delete(subset->weights);
  subset->x = subset->y = subset->weights = NULL;
  subset->capacity = 0;
}

size_t ent_fold_rows(const size_t *fold_of, size_t rows, size_t fold, size_t *numbers) {
  size_t count = 0;
  for (size_t r = 0; r < rows; r++)
    if (fold_of[r] == fold)
      numbers[count++] = r;
  return count;
}
