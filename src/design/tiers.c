#include "design/tiers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"

int ent_key_compare(const ent_key *a, const ent_key *b) {
  if (a->cost != b->cost)
    return a->cost < b->cost ? -1 : 1;
  if (a->active != b->active)
    return a->active < b->active ? -1 : 1;
  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  if (a->mass != b->mass)
    return a->mass < b->mass ? -1 : 1;
  return (a->depth > b->depth) - (a->depth < b->depth);
}

ent_key ent_key_add(const ent_key *a, const ent_key *b) {
  return (ent_key){a->cost + b->cost, a->active + b->active, a->kind + b->kind, a->mass + b->mass, a->depth + b->depth};
}

ent_key ent_key_subtract(const ent_key *a, const ent_key *b) {
  return (ent_key){a->cost - b->cost, a->active - b->active, a->kind - b->kind, a->mass - b->mass, a->depth - b->depth};
}

/* One column of the sample, sorted, with room for what a level makes of it. */
typedef struct ent_design_column {
  size_t rows;
  double *x, *values;
  uint32_t *atoms;
} ent_design_column;

/* Missing values come last. */
static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x > y) - (x < y);
}

static void load_column(ent_design_column *column, const entropic_design_options *options, size_t inputs,
                        size_t input) {
  for (size_t row = 0; row < column->rows; row++)
    column->x[row] = ent_clamp(options->sample[row * inputs + input]);
  qsort(column->x, column->rows, sizeof *column->x, compare_doubles);
}

/* Mean square of a level over the column, and how many of its atoms the column reaches (atoms follow the order of x, so
 * each is one run). What is none of the categories reaches none of their atoms; what is missing, none that is 0 there. */
static double column_mass(const ent_axis *axis, const ent_level *level, ent_design_column *column, size_t *reached) {
  level->evaluate(axis, level, column->x, column->rows, column->atoms, column->values);
  double sum = 0;
  bool category = level->info.kind == ENTROPIC_LEVEL_KIND_CATEGORY;
  *reached = 0;
  for (size_t row = 0; row < column->rows; row++) {
    bool none = column->values[row] == 0 && (category || isnan(column->x[row]));
    sum += column->values[row] * column->values[row];
    *reached += !none && (row == 0 || column->atoms[row] != column->atoms[row - 1]);
  }
  return sum / (double)column->rows;
}

static int64_t kind_rank(entropic_level_kind kind) {
  bool local =
      kind == ENTROPIC_LEVEL_KIND_HAT || kind == ENTROPIC_LEVEL_KIND_CATEGORY || kind == ENTROPIC_LEVEL_KIND_MISSING;
  return local ? 2 : kind == ENTROPIC_LEVEL_KIND_LEGENDRE ? 1 : 0;
}

/* The mass of a level that the sample does not reach: above the cost of any score. */
static const int64_t no_mass = 1200 * ENT_COST_UNIT;

typedef struct ent_tier_scoring {
  entropic_criterion criterion;
  bool by_group;             /* the number of non-zeros is given: a level's score is that of all its atoms together */
  ent_design_column *column; /* NULL without a sample */
} ent_tier_scoring;

/* Appends a tier unless its score is 0 (a level that the sample does not reach). */
static void append_tier(ent_ladder *ladder, ent_tier tier, double score, double multiplicity) {
  if (!(score > 0))
    return;
  tier.feature_cost = ent_cost(score);
  tier.key.cost = ent_cost(score * multiplicity);
  ladder->tiers[ladder->count++] = tier;
}

static int compare_tiers(const void *a, const void *b) {
  const ent_tier *left = a, *right = b;
  int order = ent_key_compare(&left->key, &right->key);
  if (order != 0)
    return order;
  if (left->level != right->level)
    return left->level < right->level ? -1 : 1;
  return (left->first_atom > right->first_atom) - (left->first_atom < right->first_atom);
}

/* Whether each atom has a tier of its own: where atoms differ in score. Not where whole levels are added (by_group), nor
 * where the sample gives one score to a level. */
static bool by_atom(const ent_level *level, const ent_tier_scoring *scoring) {
  return level->uneven && !scoring->by_group && scoring->criterion != ENTROPIC_CRITERION_DATA;
}

static void append_level(ent_ladder *ladder, const ent_axis *axis, size_t index, const ent_tier_scoring *scoring) {
  const ent_level *level = &axis->levels[index];
  size_t reached = 0;
  double mass = scoring->column != NULL ? column_mass(axis, level, scoring->column, &reached) : 0;
  ent_tier tier = {.level = index,
                   .atoms = level->info.atoms,
                   .key = {.kind = kind_rank(level->info.kind), .depth = level->info.order}};
  if (scoring->column != NULL)
    tier.key.mass = mass > 0 ? ent_cost(mass) : no_mass;
  if (by_atom(level, scoring)) {
    tier.atoms = 1;
    for (; tier.first_atom < level->info.atoms; tier.first_atom++)
      append_tier(ladder, tier, axis->family->atom_score(axis, level, tier.first_atom, scoring->criterion), 1);
  } else if (scoring->criterion == ENTROPIC_CRITERION_DATA) {
    if (reached > 0)
      append_tier(ladder, tier, mass / (double)reached, scoring->by_group ? (double)reached : 1);
  } else {
    append_tier(ladder, tier, ent_level_score(level, scoring->criterion), scoring->by_group ? (double)tier.atoms : 1);
  }
}

static entropic_status fill_ladder(entropic_context *context, const entropic_kernel *kernel, size_t input,
                                   const ent_tier_scoring *scoring, ent_ladder *ladder) {
  const ent_axis *axis = kernel->axes[input];
  size_t most = 0;
  for (size_t i = 0; i < axis->level_count; i++)
    most += by_atom(&axis->levels[i], scoring) ? axis->levels[i].info.atoms : 1;
  ladder->tiers = ent_new(context, most, sizeof *ladder->tiers);
  if (ladder->tiers == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < axis->level_count; i++)
    append_level(ladder, axis, i, scoring);
  if (ladder->count == 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "sample, column %zu: every atom of this input is 0 in all rows",
                    input + 1);
  qsort(ladder->tiers, ladder->count, sizeof *ladder->tiers, compare_tiers);
  for (size_t i = 1; i < ladder->count; i++)
    ladder->tiers[i].key.active = 1;
  return ENTROPIC_OK;
}

static entropic_status fill_ladders(entropic_context *context, const entropic_kernel *kernel,
                                    const entropic_design_options *options, ent_tier_scoring *scoring,
                                    ent_ladders *ladders) {
  for (size_t i = 0; i < kernel->inputs; i++) {
    if (ladders->shared && i > 0 && kernel->axes[i] == kernel->axes[i - 1]) {
      ladders->ladders[i] = ladders->ladders[i - 1];
      continue;
    }
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    if (scoring->column != NULL)
      load_column(scoring->column, options, kernel->inputs, i);
    status = fill_ladder(context, kernel, i, scoring, &ladders->ladders[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_ladders_create(entropic_context *context, const entropic_kernel *kernel,
                                   const entropic_design_options *options, ent_ladders **ladders) {
  bool sampled = options->sample != NULL && options->sample_rows > 0;
  ent_design_column column = {.rows = options->sample_rows};
  ent_tier_scoring scoring = {
      .criterion = options->criterion, .by_group = options->nonzeros > 0, .column = sampled ? &column : NULL};
  entropic_status status = ENTROPIC_NO_MEMORY;
  ent_ladders *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return status;
  made->inputs = kernel->inputs;
  made->shared = !sampled;
  made->ladders = ent_new(context, kernel->inputs, sizeof *made->ladders);
  if (made->ladders == NULL)
    goto done;
  if (sampled) {
    column.x = ent_new(context, column.rows, sizeof *column.x);
    column.values = ent_new(context, column.rows, sizeof *column.values);
    column.atoms = ent_new(context, column.rows, sizeof *column.atoms);
    if (column.x == NULL || column.values == NULL || column.atoms == NULL)
      goto done;
  }
  status = fill_ladders(context, kernel, options, &scoring, made);
  if (status != ENTROPIC_OK)
    goto done;
  *ladders = made;
  made = NULL;
done:
  ent_ladders_free(made);
  ent_delete(column.x);
  ent_delete(column.values);
  ent_delete(column.atoms);
  return status;
}

/* The tier of the constant; the number of tiers if there is none. */
static size_t constant_tier(const ent_axis *axis, const ent_ladder *ladder) {
  size_t t = 0;
  while (t < ladder->count && axis->levels[ladder->tiers[t].level].info.kind != ENTROPIC_LEVEL_KIND_CONSTANT)
    t++;
  return t;
}

entropic_status ent_ladders_begin_constant(entropic_context *context, const entropic_kernel *kernel,
                                           ent_ladders *ladders) {
  for (size_t i = 0; i < kernel->inputs; i++) {
    ent_ladder *ladder = &ladders->ladders[i];
    size_t at = constant_tier(kernel->axes[i], ladder);
    if (at == ladder->count)
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                      "input %zu has no constant atom: every feature depends on it, whatever terms are requested",
                      i + 1);
    if (at == 0)
      continue;
    ent_tier constant = ladder->tiers[at];
    memmove(ladder->tiers + 1, ladder->tiers, at * sizeof *ladder->tiers);
    constant.key.cost = ladder->tiers[1].key.cost; /* search relies on costs that ascend */
    constant.key.active = 0;
    ladder->tiers[0] = constant;
    ladder->tiers[1].key.active = 1;
  }
  return ENTROPIC_OK;
}

void ent_ladders_free(ent_ladders *ladders) {
  if (ladders == NULL)
    return;
  for (size_t i = 0; ladders->ladders != NULL && i < ladders->inputs; i++)
    if (!(ladders->shared && i > 0 && ladders->ladders[i].tiers == ladders->ladders[i - 1].tiers))
      ent_delete(ladders->ladders[i].tiers);
  ent_delete(ladders->ladders);
  ent_delete(ladders);
}
