/* Target means of the rows of a data set: see target_means.h.
 *
 * Sums are integers, so no order of rows, and no number of threads, changes a bit: weights and targets are divided by
 * powers of two at or above the largest of them, and rounded to so many bits that the sum over all rows still fits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/mix.h"
#include "base/portable.h"
#include "base/progress.h"
#include "base/sort.h"
#include "base/threads.h"
#include "dataset/target_means.h"

#define SUM_BITS 61                          /* of the largest sum there could be */
#define NO_KEY UINT64_MAX                    /* of a row where a category is missing or was not seen */
#define FOLD_SALT UINT64_C(0x74617267657473) /* other hashes of row numbers choose other rows */

/* A row of a set that is being made, in the order in which its sums are. */
typedef struct ent_means_item {
  uint64_t key;
  uint64_t order; /* its row number; with time its place among all rows by time */
} ent_means_item;

/* Sums over some rows: weights, then weighted targets. */
typedef struct ent_means_sums {
  int64_t weight, targets[ENT_MEANS_COLUMNS];
} ent_means_sums;

/* What the sets are made of. */
typedef struct ent_means_work {
  const ent_means_rows *rows;
  const entropic_dataset *data;
  size_t columns, width; /* width: columns and the amount */
  int bits;              /* integers are values below 1 times 2 to this power */
  int target_unit[ENT_MEANS_COLUMNS];
  ent_means_sums *amount; /* [rows] of each row alone; nothing of one that is not active */
  ent_means_sums total;
  double overall[ENT_MEANS_COLUMNS]; /* in the units of the sums */
  double row_weight;                 /* that of a row on average, in those units */
  uint8_t *fold;                     /* [rows]; NULL: there is time */
  size_t *by_time;                   /* [rows] in the order of time; NULL: there is none */
  ent_target_means *means;
  double **values;
} ent_means_work;

static bool is_active(const ent_means_work *work, size_t row) {
  return work->rows->active == NULL || work->rows->active[row];
}

/* Target `column` of a row; of classes whether it is that one. */
static double target_of(const ent_means_work *work, size_t row, size_t column) {
  const entropic_dataset *data = work->data;
  if (!ent_schema_has_classes(&data->schema))
    return data->y[row * data->schema.targets + column];
  return (size_t)data->y[row] == (work->columns == 1 ? 1 : column) ? 1 : 0;
}

static double weight_of(const ent_means_work *work, size_t row) {
  return work->data->weights == NULL ? 1 : work->data->weights[row];
}

/* The power of two that is at or above the size of each target, and that of weights. */
static int find_units(ent_means_work *work) {
  double most_weight = 0;
  int weight_unit;
  for (size_t r = 0; r < work->data->rows; r++)
    most_weight = is_active(work, r) ? fmax(most_weight, weight_of(work, r)) : most_weight;
  frexp(most_weight, &weight_unit);
  for (size_t k = 0; k < work->columns; k++) {
    double most = 0;
    for (size_t r = 0; r < work->data->rows; r++)
      most = is_active(work, r) ? fmax(most, fabs(target_of(work, r, k))) : most;
    frexp(most, &work->target_unit[k]);
  }
  return weight_unit;
}

static void add(ent_means_sums *sums, const ent_means_sums *more, size_t columns) {
  sums->weight += more->weight;
  for (size_t k = 0; k < columns; k++)
    sums->targets[k] += more->targets[k];
}

/* Weights and targets of all rows as integers, and their sums. */
static void set_amounts(ent_means_work *work) {
  int weight_unit = find_units(work), row_bits = 0;
  size_t active = 0;
  for (size_t rows = work->data->rows; rows > 0; rows /= 2)
    row_bits++;
  work->bits = SUM_BITS - row_bits;
  for (size_t r = 0; r < work->data->rows; r++) {
    if (!is_active(work, r))
      continue;
    double weight = ldexp(weight_of(work, r), -weight_unit);
    ent_means_sums *amount = &work->amount[r];
    amount->weight = llrint(ldexp(weight, work->bits));
    for (size_t k = 0; k < work->columns; k++)
      amount->targets[k] = llrint(ldexp(weight * ldexp(target_of(work, r, k), -work->target_unit[k]), work->bits));
    add(&work->total, amount, work->columns);
    active++;
  }
  work->row_weight = (double)work->total.weight / (double)(active > 0 ? active : 1);
  for (size_t k = 0; k < work->columns; k++)
    work->overall[k] = work->total.weight > 0 ? (double)work->total.targets[k] / (double)work->total.weight : 0;
}

/* The values of a set for rows with such sums. */
static void put_values(const ent_means_work *work, const ent_means_sums *sums, double *values) {
  double prior = ENT_MEANS_PRIOR * work->row_weight, weight = (double)sums->weight;
  for (size_t k = 0; k < work->columns; k++) {
    double mean =
        weight > 0 ? ((double)sums->targets[k] + prior * work->overall[k]) / (weight + prior) : work->overall[k];
    values[k] = ldexp(mean, work->target_unit[k]);
  }
  values[work->columns] = weight > 0 ? ent_log1p(weight / work->row_weight) : 0;
}

/* ---- One set ---- */

static int compare_items(const void *a, const void *b) {
  const ent_means_item *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return (x->order > y->order) - (x->order < y->order);
}

static size_t row_of(const ent_means_work *work, const ent_means_item *item) {
  return work->by_time == NULL ? item->order : work->by_time[item->order];
}

/* The keys of all rows, sorted. */
static entropic_status sort_rows(entropic_context *context, const ent_means_work *work, const ent_mean_set *set,
                                 ent_means_item *items) {
  const ent_inputs from = ent_dataset_inputs(work->data);
  ent_inputs_cursor cursor;
  size_t rows = work->data->rows;
  for (size_t r = 0; r < rows; r++)
    items[r] = (ent_means_item){.order = r};
  for (int i = 0; i < 2 && set->of[i] != ENT_NO_INPUT; i++) {
    ent_inputs_start(&from, set->of[i], rows, &cursor);
    for (size_t r = 0; r < rows; r++) {
      double code = ent_inputs_at(&cursor, r);
      bool known = code >= 0 && code < (double)set->levels[i] && items[r].key != NO_KEY;
      items[r].key = known ? items[r].key * set->levels[i] + (uint64_t)code : NO_KEY;
    }
  }
  if (work->by_time != NULL) { /* from rows in their own order to their order in time */
    ent_means_item *copy = ent_new_raw(context, rows, 1, sizeof *copy);
    if (copy == NULL)
      return ENTROPIC_NO_MEMORY;
    memcpy(copy, items, rows * sizeof *items);
    for (size_t p = 0; p < rows; p++)
      items[p] = (ent_means_item){copy[work->by_time[p]].key, p};
    ent_delete(copy);
  }
  return ent_sort(context, items, rows, sizeof *items, compare_items);
}

/* Rows of one key: those that are not active, and all without folds or time, get the means of all. */
static void put_by_folds(const ent_means_work *work, const ent_means_item *items, size_t count,
                         const ent_means_sums *all, double *values) {
  ent_means_sums without[ENT_MEANS_FOLDS];
  for (size_t f = 0; f < ENT_MEANS_FOLDS; f++)
    without[f] = *all;
  for (size_t i = 0; i < count; i++) {
    size_t row = row_of(work, &items[i]);
    const ent_means_sums *amount = &work->amount[row];
    ent_means_sums *sums = &without[work->fold[row]];
    sums->weight -= amount->weight;
    for (size_t k = 0; k < work->columns; k++)
      sums->targets[k] -= amount->targets[k];
  }
  for (size_t i = 0; i < count; i++) {
    size_t row = row_of(work, &items[i]);
    put_values(work, is_active(work, row) ? &without[work->fold[row]] : all, values + row * work->width);
  }
}

/* The same with time: active rows get the means of those before them, none of their own time among these. */
static void put_by_time(const ent_means_work *work, const ent_means_item *items, size_t count,
                        const ent_means_sums *all, double *values) {
  ent_means_sums before = {0};
  const double *time = work->data->time;
  for (size_t first = 0, next; first < count; first = next) {
    double now = time[row_of(work, &items[first])];
    for (next = first; next < count && time[row_of(work, &items[next])] == now; next++) {
      size_t row = row_of(work, &items[next]);
      put_values(work, is_active(work, row) ? &before : all, values + row * work->width);
    }
    for (size_t i = first; i < next; i++)
      add(&before, &work->amount[row_of(work, &items[i])], work->columns);
  }
}

/* How many keys have active rows. */
static size_t count_keys(const ent_means_work *work, const ent_means_item *items) {
  size_t count = 0, rows = work->data->rows;
  for (size_t first = 0, next; first < rows && items[first].key != NO_KEY; first = next) {
    bool any = false;
    for (next = first; next < rows && items[next].key == items[first].key; next++)
      any = any || is_active(work, row_of(work, &items[next]));
    count += any;
  }
  return count;
}

/* Fills a set that has room for its keys, and the values of all rows. */
static void fill_set(const ent_means_work *work, const ent_means_item *items, ent_mean_set *set, double *values) {
  size_t rows = work->data->rows, at = 0;
  double row_values[ENT_MEANS_COLUMNS + 1];
  const ent_means_sums nothing = {0};
  for (size_t first = 0, next; first < rows; first = next) {
    ent_means_sums all = {0};
    for (next = first; next < rows && items[next].key == items[first].key; next++)
      add(&all, &work->amount[row_of(work, &items[next])], work->columns);
    if (items[first].key == NO_KEY) {
      for (size_t i = first; i < next; i++)
        put_values(work, &nothing, values + row_of(work, &items[i]) * work->width);
      continue;
    }
    if (work->by_time != NULL)
      put_by_time(work, items + first, next - first, &all, values);
    else
      put_by_folds(work, items + first, next - first, &all, values);
    bool any = false;
    for (size_t i = first; i < next && !any; i++)
      any = is_active(work, row_of(work, &items[i]));
    if (!any)
      continue;
    put_values(work, &all, row_values);
    set->keys[at] = items[first].key;
    memcpy(set->means + at * work->columns, row_values, work->columns * sizeof *row_values);
    set->amounts[at++] = row_values[work->columns];
  }
  set->count = at;
}

static entropic_status make_set(entropic_context *context, const ent_means_work *work, size_t number) {
  ent_mean_set *set = &work->means->sets[number];
  size_t rows = work->data->rows, count;
  ent_means_item *items = ent_new_raw(context, rows, 1, sizeof *items);
  double *values = work->values[number] = ent_new_raw(context, rows, work->width, sizeof *values);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (items == NULL || values == NULL)
    goto done;
  status = sort_rows(context, work, set, items);
  if (status != ENTROPIC_OK)
    goto done;
  count = count_keys(work, items);
  set->keys = ent_new(context, count, sizeof *set->keys);
  set->means = ent_new_matrix(context, count, work->columns, sizeof *set->means);
  set->amounts = ent_new(context, count, sizeof *set->amounts);
  status = set->keys == NULL || set->means == NULL || set->amounts == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status == ENTROPIC_OK)
    fill_set(work, items, set, values);
done:
  ent_delete(items);
  return status;
}

/* Sets from number `first` on. */
typedef struct ent_means_tasks {
  const ent_means_work *work;
  size_t first;
} ent_means_tasks;

static entropic_status make_task(entropic_context *context, void *shared, size_t task, int worker) {
  const ent_means_tasks *tasks = shared;
  (void)worker;
  return make_set(context, tasks->work, tasks->first + task);
}

/* ---- All sets ---- */

typedef struct ent_means_time {
  double time;
  size_t row;
} ent_means_time;

static int compare_times(const void *a, const void *b) {
  const ent_means_time *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static entropic_status sort_times(entropic_context *context, ent_means_work *work) {
  size_t rows = work->data->rows;
  ent_means_time *times = ent_new_raw(context, rows, 1, sizeof *times);
  work->by_time = ent_new(context, rows, sizeof *work->by_time);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (times == NULL || work->by_time == NULL)
    goto done;
  for (size_t r = 0; r < rows; r++)
    times[r] = (ent_means_time){work->data->time[r], r};
  status = ent_sort(context, times, rows, sizeof *times, compare_times);
  for (size_t p = 0; p < rows && status == ENTROPIC_OK; p++)
    work->by_time[p] = times[p].row;
done:
  ent_delete(times);
  return status;
}

size_t ent_means_fold(uint64_t number) {
  return (size_t)(ent_mix(number ^ FOLD_SALT) % ENT_MEANS_FOLDS);
}

static entropic_status deal_rows(entropic_context *context, ent_means_work *work) {
  const entropic_dataset *data = work->data;
  if (data->time != NULL)
    return sort_times(context, work);
  work->fold = ent_new(context, data->rows, 1);
  if (work->fold == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < data->rows; r++) {
    uint64_t number = data->groups == NULL ? r : (uint64_t)data->groups[r];
    work->fold[r] = (uint8_t)ent_means_fold(number);
  }
  return ENTROPIC_OK;
}

static size_t count_singles(const ent_schema *schema) {
  size_t count = 0;
  for (size_t i = 0; i < schema->inputs; i++)
    count += schema->input[i].categories > ENT_MEANS_LEVELS;
  return count;
}

/* By how much the means of a set are nearer to the targets than the overall mean is, as squares in the units of the sums.
 * The sums are in the order of the rows. */
static double gain_of(const ent_means_work *work, const double *values) {
  double gain = 0;
  for (size_t k = 0; k < work->columns; k++) {
    double overall = ldexp(work->overall[k], work->target_unit[k]), sum = 0;
    for (size_t r = 0; r < work->data->rows; r++) {
      if (!is_active(work, r))
        continue;
      double target = target_of(work, r, k);
      double off = ldexp(target - values[r * work->width + k], -work->target_unit[k]);
      double far = ldexp(target - overall, -work->target_unit[k]);
      sum += weight_of(work, r) * (far * far - off * off);
    }
    gain += sum;
  }
  return gain;
}

/* A category, and what its means gain. */
typedef struct ent_means_gain {
  double gain;
  size_t set;
} ent_means_gain;

static int compare_gains(const void *a, const void *b) {
  const ent_means_gain *x = a, *y = b;
  if (x->gain != y->gain)
    return x->gain > y->gain ? -1 : 1;
  return (x->set > y->set) - (x->set < y->set);
}

static int compare_sets(const void *a, const void *b) {
  const ent_means_gain *x = a, *y = b;
  return (x->set > y->set) - (x->set < y->set);
}

/* The sets of those single categories whose means gain something, the best of them, ascending; returns how many. */
static entropic_status find_best(entropic_context *context, const ent_means_work *work, size_t singles,
                                 ent_means_gain **best, size_t *count) {
  ent_means_gain *gains = *best = ent_new(context, singles, sizeof *gains);
  if (gains == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t s = 0; s < singles; s++)
    gains[s] = (ent_means_gain){gain_of(work, work->values[s]), s};
  qsort(gains, singles, sizeof *gains, compare_gains);
  for (*count = 0; *count < singles && *count < ENT_MEANS_PAIRED && gains[*count].gain > 0;)
    ++*count;
  qsort(gains, *count, sizeof *gains, compare_sets);
  return ENTROPIC_OK;
}

/* The sets of pairs of the best categories, no more than there is room for; returns how many. */
static size_t add_pairs(const ent_means_work *work, const ent_means_gain *best, size_t count, size_t room) {
  ent_target_means *means = work->means;
  size_t at = means->set_count;
  for (size_t a = 0; a < count; a++)
    for (size_t b = a + 1; b < count && at - means->set_count < room; b++, at++) {
      const ent_mean_set *first = &means->sets[best[a].set], *second = &means->sets[best[b].set];
      means->sets[at] =
          (ent_mean_set){.of = {first->of[0], second->of[0]}, .levels = {first->levels[0], second->levels[0]}};
    }
  return at - means->set_count;
}

static void add_singles(const ent_schema *schema, ent_target_means *means) {
  for (size_t i = 0, at = 0; i < schema->inputs; i++)
    if (schema->input[i].categories > ENT_MEANS_LEVELS)
      means->sets[at++] = (ent_mean_set){.of = {i, ENT_NO_INPUT}, .levels = {schema->input[i].categories, 1}};
}

/* All inputs of single categories, and the means of pairs. */
static void list_inputs(ent_target_means *means, size_t first, size_t singles) {
  size_t at = 0;
  for (size_t s = 0; s < means->set_count; s++)
    for (size_t k = 0; k < means->columns + (s < singles); k++) {
      means->inputs[at] = (ent_mean_input){first + at, s, k};
      at++;
      means->singles += s < singles;
    }
  means->input_count = at;
}

/* Fills work, whose means have the singles and room for pairs. */
static entropic_status make_sets(entropic_context *context, ent_means_work *work, size_t singles, size_t pairs) {
  ent_target_means *means = work->means;
  ent_means_gain *best = NULL;
  size_t count = 0;
  means->set_count = singles;
  add_singles(&work->data->schema, means);
  entropic_status status = deal_rows(context, work);
  if (status != ENTROPIC_OK)
    return status;
  set_amounts(work);
  for (size_t k = 0; k < work->columns; k++)
    means->overall[k] = ldexp(work->overall[k], work->target_unit[k]);
  ent_means_tasks tasks = {work, 0};
  status = ent_parallel(context, singles, make_task, &tasks);
  if (status != ENTROPIC_OK)
    return status;
  status = find_best(context, work, singles, &best, &count);
  if (status != ENTROPIC_OK)
    goto done;
  tasks.first = singles;
  pairs = add_pairs(work, best, count, pairs);
  means->set_count += pairs;
  status = ent_parallel(context, pairs, make_task, &tasks);
  list_inputs(means, work->data->schema.inputs, singles);
done:
  ent_delete(best);
  return status;
}

void ent_means_free_values(double **values, size_t sets) {
  for (size_t s = 0; values != NULL && s < sets; s++)
    ent_delete(values[s]);
  ent_delete(values);
}

entropic_status ent_means_make(entropic_context *context, const ent_means_rows *rows, ent_target_means **means,
                               double ***values) {
  const entropic_dataset *data = rows->data;
  ent_means_work work = {.rows = rows, .data = data, .columns = ent_means_columns(&data->schema)};
  size_t singles = count_singles(&data->schema), width = work.width = work.columns + 1;
  size_t paired = singles < ENT_MEANS_PAIRED ? singles : ENT_MEANS_PAIRED;
  size_t pairs = paired * (paired - (paired > 0)) / 2;
  *means = NULL;
  *values = NULL;
  if (work.columns == 0 || singles == 0 || singles * width > rows->most)
    return ENTROPIC_OK;
  size_t room = (rows->most - singles * width) / work.columns;
  pairs = pairs < room ? pairs : room;
  work.means = ent_means_new(context, work.columns, singles + pairs, singles * width + pairs * work.columns);
  work.values = ent_new(context, singles + pairs, sizeof *work.values);
  work.amount = ent_new(context, data->rows, sizeof *work.amount);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (work.means == NULL || work.values == NULL || work.amount == NULL)
    goto done;
  status = make_sets(context, &work, singles, pairs);
done:
  ent_delete(work.amount);
  ent_delete(work.fold);
  ent_delete(work.by_time);
  if (status != ENTROPIC_OK) {
    ent_means_free_values(work.values, singles + pairs);
    ent_means_free(work.means);
    return status;
  }
  *means = work.means;
  *values = work.values;
  return ENTROPIC_OK;
}
