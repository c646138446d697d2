/* The pool of candidates: see pool.h. */
#include "learn/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define HARDLY_ANY_OMEGA 1e-6 /* of inputs that are not used: their groups come last */
#define MILD_OMEGA 3.0
#define MILD_SHARE 0.75            /* at most, of a level; the constant has 1 */
#define SAMPLE_ROWS ((size_t)6000) /* to begin with */

static const ent_level *level_of(const ent_pool *pool, entropic_term term) {
  return &pool->kernel->axes[term.input]->levels[term.level];
}

static bool is_used(const ent_pool *pool, size_t input) {
  return pool->used == NULL || pool->used[input];
}

static uint64_t hash_of(const ent_pooled *group) {
  uint64_t hash = 0x9e3779b97f4a7c15;
  for (size_t t = 0; t < group->order; t++) {
    hash = (hash ^ group->terms[t].input) * 0xff51afd7ed558ccd;
    hash = (hash ^ (hash >> 33) ^ group->terms[t].level) * 0xc4ceb9fe1a85ec53;
  }
  return hash ^ (hash >> 29);
}

static bool is_same(const ent_pooled *a, const ent_pooled *b) {
  return a->order == b->order && memcmp(a->terms, b->terms, a->order * sizeof *a->terms) == 0;
}

/* Where a group stands in the table, or would. */
static size_t place_of(const ent_pool *pool, const ent_pooled *group) {
  size_t place = hash_of(group) & (pool->place_count - 1);
  while (pool->places[place] != 0 && !is_same(&pool->groups[pool->places[place] - 1], group))
    place = (place + 1) & (pool->place_count - 1);
  return place;
}

static entropic_status grow_places(entropic_context *context, ent_pool *pool) {
  size_t count = pool->place_count == 0 ? 1 << 12 : 2 * pool->place_count;
  uint32_t *places = ent_new(context, count, sizeof *places);
  if (places == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_delete(pool->places);
  pool->places = places;
  pool->place_count = count;
  for (size_t g = 0; g < pool->count; g++)
    places[place_of(pool, &pool->groups[g])] = (uint32_t)(g + 1);
  return ENTROPIC_OK;
}

/* Adds a group unless it is there. */
static entropic_status add(entropic_context *context, ent_pool *pool, const ent_pooled *group) {
  if (2 * (pool->count + 1) > pool->place_count) {
    entropic_status status = grow_places(context, pool);
    if (status != ENTROPIC_OK)
      return status;
  }
  size_t place = place_of(pool, group);
  if (pool->places[place] != 0)
    return ENTROPIC_OK;
  void *grown = ent_grow(context, pool->groups, &pool->capacity, pool->count + 1, sizeof *pool->groups);
  if (grown == NULL)
    return ENTROPIC_NO_MEMORY;
  pool->groups = grown;
  pool->groups[pool->count++] = *group;
  pool->places[place] = (uint32_t)pool->count;
  return ENTROPIC_OK;
}

/* Fills in what follows from the terms; false if such a group is not wanted. */
static bool complete(const ent_pool *pool, ent_pooled *group) {
  group->share = 1;
  group->atoms = 1;
  for (size_t t = 0; t < group->order; t++) {
    entropic_term term = group->terms[t];
    group->share *= pool->activity->columns[term.input][term.level].share;
    group->atoms *= level_of(pool, term)->info.atoms; /* cannot overflow: at most 2^16 so far times 2^30 */
    if (group->atoms > ENT_POOL_ATOMS && group->order > 1)
      return false;
  }
  return group->share > 0;
}

/* The columns of all levels, for their shares. */
static entropic_status need_all(entropic_context *context, ent_pool *pool) {
  size_t count = 0, i = 0;
  for (size_t d = 0; d < pool->kernel->inputs; d++)
    count += pool->kernel->axes[d]->level_count;
  entropic_term *terms = ent_new(context, count, sizeof *terms);
  if (terms == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t d = 0; d < pool->kernel->inputs; d++)
    for (size_t l = 0; l < pool->kernel->axes[d]->level_count; l++)
      terms[i++] = (entropic_term){.input = d, .level = l};
  entropic_status status = ent_activity_need(context, pool->activity, terms, count);
  ent_delete(terms);
  return status;
}

/* An omega small enough that the constant is the best level of an input. Shares go with omega. */
static double mild_omega(const ent_pool *pool, size_t input) {
  double omega = pool->kernel->axes[input]->options.omega, most = 0;
  for (size_t l = 1; l < pool->kernel->axes[input]->level_count; l++)
    most = fmax(most, pool->activity->columns[input][l].share);
  return fmin(fmin(omega, MILD_OMEGA), most > 0 ? MILD_SHARE / most * omega : omega);
}

/* The same kernel with mild omegas. */
static entropic_status make_mild(entropic_context *context, const ent_pool *pool, entropic_kernel **mild) {
  const entropic_kernel *kernel = pool->kernel;
  entropic_axis_options *axes = ent_new(context, kernel->inputs, sizeof *axes);
  if (axes == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < kernel->inputs; i++) {
    axes[i] = kernel->axes[i]->options;
    axes[i].omega = is_used(pool, i) ? mild_omega(pool, i) : HARDLY_ANY_OMEGA;
  }
  entropic_status status = entropic_kernel_create(context, axes, kernel->inputs, kernel->inputs, mild);
  ent_delete(axes);
  return status;
}

/* A group of a design with nothing but constants left out, whatever the design's base is; false if it has too many
 * inputs for the pool. */
static bool take_terms(const ent_pool *pool, const entropic_design *design, const ent_group *from, ent_pooled *group) {
  const entropic_term *terms = design->terms + from->first_term;
  *group = (ent_pooled){0};
  for (size_t i = 0, t = 0; i < design->kernel->inputs; i++) {
    bool active = t < from->term_count && terms[t].input == i;
    size_t level = active ? terms[t++].level : design->base[i];
    if (level == 0)
      continue;
    if (group->order == pool->max_order || !is_used(pool, i))
      return false;
    group->terms[group->order++] = (entropic_term){.input = i, .level = level};
  }
  return true;
}

/* The entropic design by the criterion "data" on some of the rows. */
static entropic_status begin(entropic_context *context, ent_pool *pool, size_t features) {
  const ent_activity *activity = pool->activity;
  size_t rows = activity->rows < SAMPLE_ROWS ? activity->rows : SAMPLE_ROWS, inputs = pool->kernel->inputs;
  entropic_design_options options = entropic_design_options_default();
  double *sample = ent_new_matrix(context, rows, inputs, sizeof *sample);
  if (sample == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < rows; r++)
    memcpy(sample + r * inputs, activity->x + r * activity->stride, inputs * sizeof *sample);
  options.criterion = ENTROPIC_DATA;
  options.features = features;
  options.max_order = pool->max_order;
  options.sample = sample;
  options.sample_rows = rows;
  entropic_design *design = NULL;
  entropic_kernel *mild = NULL;
  entropic_status status = make_mild(context, pool, &mild);
  if (status == ENTROPIC_OK)
    status = entropic_design_create(context, mild, &options, &design);
  for (size_t g = 0; status == ENTROPIC_OK && g < design->group_count; g++) {
    ent_pooled group;
    if (take_terms(pool, design, &design->groups[g], &group) && complete(pool, &group))
      status = add(context, pool, &group);
  }
  entropic_design_free(design);
  entropic_kernel_free(mild);
  ent_delete(sample);
  return status;
}

entropic_status ent_pool_create(entropic_context *context, ent_activity *activity, size_t features, size_t max_order,
                                const bool *used, ent_pool **pool) {
  ent_pool *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->kernel = activity->kernel;
  made->activity = activity;
  made->used = used;
  made->max_order = max_order == 0 || max_order > ENT_POOL_ORDER ? ENT_POOL_ORDER : max_order;
  entropic_status status = need_all(context, made);
  if (status == ENTROPIC_OK)
    status = begin(context, made, features);
  if (status != ENTROPIC_OK) {
    ent_pool_free(made);
    return status;
  }
  *pool = made;
  return ENTROPIC_OK;
}

void ent_pool_free(ent_pool *pool) {
  if (pool == NULL)
    return;
  for (size_t g = 0; g < pool->count; g++)
    ent_delete(pool->groups[g].marks);
  ent_delete(pool->groups);
  ent_delete(pool->places);
  ent_delete(pool);
}

entropic_status ent_pool_choose(entropic_context *context, ent_pool *pool, size_t group, uint64_t member,
                                double worth) {
  ent_pooled *from = &pool->groups[group];
  if (from->marks == NULL)
    from->marks = ent_new(context, (size_t)(from->atoms + 63) / 64, sizeof *from->marks);
  if (from->marks == NULL)
    return ENTROPIC_NO_MEMORY;
  from->marks[member / 64] |= UINT64_C(1) << (member % 64);
  from->worth = from->fresh && from->worth > worth ? from->worth : worth;
  from->fresh = true;
  from->chosen++;
  return ENTROPIC_OK;
}

/* Children of the pool's groups, each with what it promises. */
typedef struct ent_child {
  ent_pooled group;
  double promise;
} ent_child;

typedef struct ent_children {
  ent_child *list;
  size_t count, capacity;
} ent_children;

static entropic_status offer(entropic_context *context, const ent_pool *pool, const ent_pooled *parent,
                             ent_pooled group, ent_children *children) {
  group.worth = 0;
  group.chosen = 0;
  group.marks = NULL;
  group.fresh = false;
  if (!complete(pool, &group) || pool->places[place_of(pool, &group)] != 0)
    return ENTROPIC_OK;
  void *grown = ent_grow(context, children->list, &children->capacity, children->count + 1, sizeof *children->list);
  if (grown == NULL)
    return ENTROPIC_NO_MEMORY;
  children->list = grown;
  children->list[children->count++] =
      (ent_child){.group = group, .promise = parent->worth * (group.share / parent->share)};
  return ENTROPIC_OK;
}

/* Whether an input may come in by this level: the first of each kind, but hats not where there are polynomials. */
static bool opens(const ent_axis *axis, size_t level) {
  switch (axis->levels[level].info.kind) {
  case ENTROPIC_KIND_CONSTANT:
  case ENTROPIC_KIND_EVEN:
    return false;
  case ENTROPIC_KIND_LEGENDRE:
    return axis->levels[level].info.order == 2;
  case ENTROPIC_KIND_HAT:
    return axis->levels[level].info.order == 1 && axis->options.smooth < 2;
  default:
    return true;
  }
}

/* Whether `next` is a finer level than `level` of the same input, by one step. */
static bool follows(const ent_level *level, const ent_level *next) {
  if (level->info.kind == ENTROPIC_KIND_LINEAR)
    return (next->info.kind == ENTROPIC_KIND_LEGENDRE && next->info.order == 2) ||
           (next->info.kind == ENTROPIC_KIND_HAT && next->info.order == 1);
  return next->info.kind == level->info.kind && next->info.order == level->info.order + 1 &&
         (level->info.kind == ENTROPIC_KIND_LEGENDRE || level->info.kind == ENTROPIC_KIND_HAT);
}

static entropic_status offer_children(entropic_context *context, const ent_pool *pool, size_t parent,
                                      ent_children *children) {
  const ent_pooled *from = &pool->groups[parent];
  entropic_status status = ENTROPIC_OK;
  size_t term = 0;
  for (size_t d = 0; d < pool->kernel->inputs && status == ENTROPIC_OK; d++) {
    const ent_axis *axis = pool->kernel->axes[d];
    bool active = term < from->order && from->terms[term].input == d;
    for (size_t l = 0; l < axis->level_count && status == ENTROPIC_OK; l++) {
      ent_pooled child = *from;
      if (active) {
        if (!follows(&axis->levels[from->terms[term].level], &axis->levels[l]))
          continue;
        child.terms[term].level = l;
      } else {
        if (!is_used(pool, d) || !opens(axis, l) || from->order >= pool->max_order)
          continue;
        memmove(child.terms + term + 1, child.terms + term, (from->order - term) * sizeof *child.terms);
        child.terms[term] = (entropic_term){.input = d, .level = l};
        child.order++;
      }
      status = offer(context, pool, from, child, children);
    }
    term += active;
  }
  return status;
}

static int compare_children(const void *a, const void *b) {
  const ent_child *x = a, *y = b;
  if (x->promise != y->promise)
    return x->promise > y->promise ? -1 : 1;
  if (x->group.order != y->group.order)
    return x->group.order < y->group.order ? -1 : 1;
  for (size_t t = 0; t < x->group.order; t++) {
    entropic_term left = x->group.terms[t], right = y->group.terms[t];
    if (left.input != right.input)
      return left.input < right.input ? -1 : 1;
    if (left.level != right.level)
      return left.level < right.level ? -1 : 1;
  }
  return 0;
}

entropic_status ent_pool_grow(entropic_context *context, ent_pool *pool, size_t most) {
  ent_children children = {0};
  entropic_status status = ENTROPIC_OK;
  size_t count = pool->count, end = count + most;
  for (size_t g = 0; g < count && status == ENTROPIC_OK; g++)
    if (pool->groups[g].fresh) {
      status = offer_children(context, pool, g, &children);
      pool->groups[g].fresh = false;
    }
  if (children.count > 0)
    qsort(children.list, children.count, sizeof *children.list, compare_children);
  /* Two parents may have offered the same child; the better offer comes first, the other finds it there. */
  for (size_t i = 0; i < children.count && pool->count < end && status == ENTROPIC_OK; i++)
    status = add(context, pool, &children.list[i].group);
  ent_delete(children.list);
  return status;
}
