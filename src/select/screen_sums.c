/* The sums of screening: see screen_sums.h.
 *
 * At a row at most one feature of a group is not zero, so a row adds to the sums of one feature only, its cell. The loop
 * over rows waits for memory: a row that adds to the cell of the row before waits until that sum is stored. So groups of
 * few features have several copies of their sums, and rows go to them in turn. */
#include "select/screen_sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define STEP ((size_t)512)        /* rows at a time */
#define COPIES ((size_t)4)        /* of the sums of a group; STEP is a multiple */
#define MOST_COPIED ((size_t)256) /* sums of a group that has copies: they fit the first cache */

/* Two sums, in one register. */
typedef double ent_pair __attribute__((vector_size(16)));
typedef double ent_pair_at __attribute__((vector_size(16), aligned(8), may_alias)); /* anywhere in memory */

/* Four rows, in one register. */
typedef float ent_four __attribute__((vector_size(16)));
typedef float ent_four_at __attribute__((vector_size(16), aligned(4), may_alias)); /* anywhere in memory */

struct ent_screen_sums {
  const ent_candidate_pool *candidates;
  const ent_residual *residual;
  size_t rows, width; /* width: targets + 1 */
  double *sums;       /* width for each feature, and for each copy */
  /* The product of the first levels of a group, all but its last. */
  entropic_term first[ENT_CANDIDATE_ORDER];
  size_t first_order;   /* 0: none */
  const float *values;  /* at each row; NULL if it is 1 */
  const uint32_t *cell; /* which feature of these levels is not zero; NULL if they have one only */
  float *value_room;    /* [rows], for products of two levels and more */
  uint32_t *cell_room;  /* [rows] */
};

void ent_screen_sums_free(ent_screen_sums *sums) {
  if (sums == NULL)
    return;
  ent_delete(sums->sums);
  ent_delete(sums->value_room);
  ent_delete(sums->cell_room);
  ent_delete(sums);
}

entropic_status ent_screen_sums_create(entropic_context *context, const ent_candidate_pool *candidates,
                                       const ent_residual *residual, ent_screen_sums **sums) {
  uint64_t most = MOST_COPIED * COPIES; /* more than enough for copies */
  for (size_t g = 0; g < candidates->count; g++)
    most = candidates->groups[g].atoms > most ? candidates->groups[g].atoms : most;
  ent_screen_sums *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->candidates = candidates;
  made->residual = residual;
  made->rows = candidates->cache->rows;
  made->width = residual->targets + 1;
  made->sums = ent_new_matrix(context, (size_t)most, made->width, sizeof *made->sums);
  made->value_room = ent_new(context, made->rows, sizeof *made->value_room);
  made->cell_room = ent_new(context, made->rows, sizeof *made->cell_room);
  if (made->sums == NULL || made->value_room == NULL || made->cell_room == NULL) {
    ent_screen_sums_free(made);
    return ENTROPIC_NO_MEMORY;
  }
  *sums = made;
  return ENTROPIC_OK;
}

static const ent_level_column *column_of(const ent_screen_sums *s, entropic_term term) {
  return &s->candidates->cache->columns[term.input][term.level];
}

/* out = a b; out may be a. */
static void multiply(const float *a, const float *b, size_t rows, float *out) {
  for (size_t r = 0; r < rows; r++)
    out[r] = a[r] * b[r];
}

/* out = the cell of two factors, the second of which has so many; out may be a. */
static void combine(const uint32_t *a, const uint32_t *b, uint32_t atoms, size_t rows, uint32_t *out) {
  if ((atoms & (atoms - 1)) != 0) {
    for (size_t r = 0; r < rows; r++)
      out[r] = a[r] * atoms + b[r];
    return;
  }
  int shift = __builtin_ctz(atoms);
  for (size_t r = 0; r < rows; r++)
    out[r] = (a[r] << shift) + b[r];
}

/* Multiplies the product of the first levels by one more. */
static void add_level(ent_screen_sums *s, entropic_term term) {
  const ent_level_column *column = column_of(s, term);
  if (s->values != NULL)
    multiply(s->values, column->values, s->rows, s->value_room);
  s->values = s->values == NULL ? column->values : s->value_room;
  if (column->atoms == NULL)
    return;
  uint32_t atoms = (uint32_t)s->candidates->kernel->axes[term.input]->levels[term.level].info.atoms;
  if (s->cell != NULL)
    combine(s->cell, column->atoms, atoms, s->rows, s->cell_room);
  s->cell = s->cell == NULL ? column->atoms : s->cell_room;
}

/* Makes the product of the first levels of a group, unless it is there. */
static void set_first(ent_screen_sums *s, const ent_candidate_group *group) {
  size_t order = group->order == 0 ? 0 : group->order - 1;
  if (order == s->first_order && memcmp(s->first, group->terms, order * sizeof *s->first) == 0)
    return;
  s->values = NULL;
  s->cell = NULL;
  s->first_order = order;
  memcpy(s->first, group->terms, order * sizeof *s->first);
  for (size_t t = 0; t < order; t++)
    add_level(s, group->terms[t]);
}

/* The value of a group at some rows, in room[rows] or in the cache. */
static const float *values_of(const ent_screen_sums *s, const ent_candidate_group *group, size_t first, size_t rows,
                              float *room) {
  if (group->order == 0) {
    for (size_t r = 0; r < rows; r++)
      room[r] = 1;
    return room;
  }
  const float *last = column_of(s, group->terms[group->order - 1])->values + first;
  if (s->values == NULL)
    return last;
  multiply(s->values + first, last, rows, room);
  return room;
}

/* Which feature of a group is not zero at some rows, in room[rows] or in the cache; NULL if the group has one only. */
static const uint32_t *cells_of(const ent_screen_sums *s, const ent_candidate_group *group, size_t first, size_t rows,
                                uint32_t *room) {
  const uint32_t *before = s->cell == NULL ? NULL : s->cell + first;
  if (group->order == 0)
    return NULL;
  entropic_term term = group->terms[group->order - 1];
  const ent_level_column *last = column_of(s, term);
  if (last->atoms == NULL)
    return before;
  if (before == NULL)
    return last->atoms + first;
  combine(before, last->atoms + first, (uint32_t)s->candidates->kernel->axes[term.input]->levels[term.level].info.atoms,
          rows, room);
  return room;
}

/* The values times the rows' weights: values themselves if all are 1. */
static const float *weigh(const ent_residual *residual, size_t first, size_t rows, const float *values, float *room) {
  if (residual->weights == NULL)
    return values;
  multiply(residual->weights + first, values, rows, room);
  return room;
}

static double add_up(ent_four low, ent_four high) {
  return (double)low[0] + (double)low[1] + (double)low[2] + (double)low[3] + (double)high[0] + (double)high[1] +
         (double)high[2] + (double)high[3];
}

static ent_four load(const float *from) {
  return *(const ent_four_at *)from;
}

/* One feature, one target: sums[0] += f.R, sums[1] += |f|^2. */
static void add_single(const float *values, const float *weighted, const float *y, size_t rows, double *sums) {
  ent_four products[2] = {{0}}, squares[2] = {{0}};
  size_t full = rows / 8 * 8;
  for (size_t r = 0; r < full; r += 8) {
    ent_four low = load(values + r), high = load(values + r + 4);
    products[0] += low * load(y + r);
    products[1] += high * load(y + r + 4);
    squares[0] += low * load(weighted + r);
    squares[1] += high * load(weighted + r + 4);
  }
  sums[0] += add_up(products[0], products[1]);
  sums[1] += add_up(squares[0], squares[1]);
  for (size_t r = full; r < rows; r++) {
    sums[0] += (double)(values[r] * y[r]);
    sums[1] += (double)(values[r] * weighted[r]);
  }
}

static void add_pair(double *at, const float *terms) {
  *(ent_pair_at *)at += (ent_pair){(double)terms[0], (double)terms[1]};
}

/* Many features, one target: the same for the cell of each row. Row r goes to copies[r % COPIES] of the sums. */
static void add_pairs(const float *values, const float *weighted, const float *y, const uint32_t *cells, size_t rows,
                      double *const copies[COPIES]) {
  float terms[2 * STEP];
  for (size_t r = 0; r < rows; r++) {
    terms[2 * r] = values[r] * y[r];
    terms[2 * r + 1] = values[r] * weighted[r];
  }
  size_t full = rows / COPIES * COPIES;
  for (size_t r = 0; r < full; r += COPIES)
    for (size_t i = 0; i < COPIES; i++)
      add_pair(copies[i] + 2 * (size_t)cells[r + i], terms + 2 * (r + i));
  for (size_t r = full; r < rows; r++)
    add_pair(copies[r - full] + 2 * (size_t)cells[r], terms + 2 * r);
}

/* Several targets: sums[cell * width + k] += f R_k, and the square behind them. cells NULL: all 0. */
static void add_targets(const float *values, const float *weighted, const float *y, const uint32_t *cells, size_t rows,
                        size_t targets, double *const copies[COPIES]) {
  for (size_t r = 0; r < rows; r++) {
    double *at = copies[r % COPIES] + (cells == NULL ? 0 : (size_t)cells[r] * (targets + 1));
    double value = (double)values[r];
    size_t k = 0;
    for (; k + 2 <= targets; k += 2)
      *(ent_pair_at *)(at + k) += value * (ent_pair){(double)y[r * targets + k], (double)y[r * targets + k + 1]};
    for (; k < targets; k++)
      at[k] += value * (double)y[r * targets + k];
    at[targets] += value * (double)weighted[r];
  }
}

const double *ent_screen_sums_of(ent_screen_sums *s, const ent_candidate_group *group) {
  size_t targets = s->width - 1, features = (size_t)group->atoms;
  size_t length = features * s->width, copies = length <= MOST_COPIED ? COPIES : 1;
  double *of_copies[COPIES];
  for (size_t i = 0; i < COPIES; i++)
    of_copies[i] = s->sums + (i < copies ? i * length : 0);
  memset(s->sums, 0, copies * length * sizeof *s->sums);
  set_first(s, group);
  for (size_t first = 0; first < s->rows; first += STEP) {
    size_t rows = s->rows - first < STEP ? s->rows - first : STEP;
    uint32_t cell_room[STEP];
    float value_room[STEP], weighted_room[STEP];
    const float *values = values_of(s, group, first, rows, value_room);
    const uint32_t *cells = cells_of(s, group, first, rows, cell_room);
    const float *weighted = weigh(s->residual, first, rows, values, weighted_room);
    const float *y = s->residual->values + first * targets;
    if (targets == 1 && cells == NULL)
      add_single(values, weighted, y, rows, s->sums);
    else if (targets == 1)
      add_pairs(values, weighted, y, cells, rows, of_copies);
    else
      add_targets(values, weighted, y, cells, rows, targets, of_copies);
  }
  for (size_t i = length; i < copies * length; i++)
    s->sums[i % length] += s->sums[i];
  return s->sums;
}

/* A group's number and its terms, to be sorted. */
typedef struct ent_ordered {
  const ent_candidate_group *group;
  uint32_t number;
} ent_ordered;

static int compare_terms(const void *a, const void *b) {
  const ent_candidate_group *x = ((const ent_ordered *)a)->group, *y = ((const ent_ordered *)b)->group;
  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  for (size_t t = 0; t < x->order; t++) {
    if (x->terms[t].input != y->terms[t].input)
      return x->terms[t].input < y->terms[t].input ? -1 : 1;
    if (x->terms[t].level != y->terms[t].level)
      return x->terms[t].level < y->terms[t].level ? -1 : 1;
  }
  return 0;
}

entropic_status ent_screen_order(entropic_context *context, const ent_candidate_pool *candidates, uint32_t **order) {
  ent_ordered *list = ent_new(context, candidates->count, sizeof *list);
  uint32_t *made = ent_new(context, candidates->count, sizeof *made);
  if (list == NULL || made == NULL) {
    ent_delete(list);
    ent_delete(made);
    return ENTROPIC_NO_MEMORY;
  }
  for (size_t g = 0; g < candidates->count; g++)
    list[g] = (ent_ordered){.group = &candidates->groups[g], .number = (uint32_t)g};
  if (candidates->count > 0)
    qsort(list, candidates->count, sizeof *list, compare_terms);
  for (size_t g = 0; g < candidates->count; g++)
    made[g] = list[g].number;
  ent_delete(list);
  *order = made;
  return ENTROPIC_OK;
}
