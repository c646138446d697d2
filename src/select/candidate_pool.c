/* The pool of candidates: see candidate_pool.h. */
#include "select/candidate_pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define HARDLY_ANY_OMEGA 1e-6 /* of inputs that are not used: their groups come last */
#define MILD_OMEGA 3.0
#define MILD_SHARE 0.75            /* at most, of a level; the constant has 1 */
#define SAMPLE_ROWS ((size_t)6000) /* to begin with */
#define OFFERS ((size_t)2)         /* children sorted for each that is wanted, at first: several may be the same */

static const ent_level *level_of(const ent_candidate_pool *candidates, entropic_term term) {
  return &candidates->kernel->axes[term.input]->levels[term.level];
}

static bool is_used(const ent_candidate_pool *candidates, size_t input) {
  return candidates->used == NULL || candidates->used[input];
}

static bool is_near(const ent_candidate_pool *candidates, size_t input) {
  return is_used(candidates, input) && (candidates->near == NULL || candidates->near[input]);
}

static uint64_t hash_of(const ent_candidate_group *group) {
  uint64_t hash = 0x9e3779b97f4a7c15;
  for (size_t t = 0; t < group->order; t++) {
    hash = (hash ^ group->terms[t].input) * 0xff51afd7ed558ccd;
    hash = (hash ^ (hash >> 33) ^ group->terms[t].level) * 0xc4ceb9fe1a85ec53;
  }
  return hash ^ (hash >> 29);
}

static bool is_same(const ent_candidate_group *a, const ent_candidate_group *b) {
  return a->order == b->order && memcmp(a->terms, b->terms, a->order * sizeof *a->terms) == 0;
}

/* Where a group stands in the table, or would. */
static size_t place_of(const ent_candidate_pool *candidates, const ent_candidate_group *group) {
  size_t place = hash_of(group) & (candidates->place_count - 1);
  while (candidates->places[place] != 0 && !is_same(&candidates->groups[candidates->places[place] - 1], group))
    place = (place + 1) & (candidates->place_count - 1);
  return place;
}

static entropic_status grow_places(entropic_context *context, ent_candidate_pool *candidates) {
  size_t count = candidates->place_count == 0 ? 1 << 12 : 2 * candidates->place_count;
  uint32_t *places = ent_new(context, count, sizeof *places);
  if (places == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_delete(candidates->places);
  candidates->places = places;
  candidates->place_count = count;
  for (size_t g = 0; g < candidates->count; g++)
    places[place_of(candidates, &candidates->groups[g])] = (uint32_t)(g + 1);
  return ENTROPIC_OK;
}

/* Adds a group unless it is there. */
static entropic_status add(entropic_context *context, ent_candidate_pool *candidates,
                           const ent_candidate_group *group) {
  if (2 * (candidates->count + 1) > candidates->place_count) {
    entropic_status status = grow_places(context, candidates);
    if (status != ENTROPIC_OK)
      return status;
  }
  size_t place = place_of(candidates, group);
  if (candidates->places[place] != 0)
    return ENTROPIC_OK;
  void *grown =
      ent_grow(context, candidates->groups, &candidates->capacity, candidates->count + 1, sizeof *candidates->groups);
  if (grown == NULL)
    return ENTROPIC_NO_MEMORY;
  candidates->groups = grown;
  candidates->groups[candidates->count++] = *group;
  candidates->places[place] = (uint32_t)candidates->count;
  return ENTROPIC_OK;
}

/* Fills in what follows from the terms; false if such a group is not wanted. */
static bool complete(const ent_candidate_pool *candidates, ent_candidate_group *group) {
  group->share = 1;
  group->atoms = 1;
  for (size_t t = 0; t < group->order; t++) {
    entropic_term term = group->terms[t];
    group->share *= candidates->cache->columns[term.input][term.level].share;
    group->atoms *= level_of(candidates, term)->info.atoms; /* cannot overflow: at most 2^16 so far times 2^30 */
    if (group->atoms > ENT_CANDIDATE_ATOMS && group->order > 1)
      return false;
  }
  return group->share > 0;
}

/* The columns of all levels of some inputs, for their shares. */
static entropic_status need_levels(entropic_context *context, ent_candidate_pool *candidates, const size_t *inputs,
                                   size_t count) {
  size_t levels = 0, i = 0;
  for (size_t k = 0; k < count; k++)
    levels += candidates->kernel->axes[inputs[k]]->level_count;
  entropic_term *terms = ent_new(context, levels, sizeof *terms);
  if (terms == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t k = 0; k < count; k++)
    for (size_t l = 0; l < candidates->kernel->axes[inputs[k]]->level_count; l++)
      terms[i++] = (entropic_term){.input = inputs[k], .level = l};
  entropic_status status = ent_level_cache_need(context, candidates->cache, terms, levels);
  ent_delete(terms);
  return status;
}

/* An omega small enough that the constant is the best level of an input. Shares go with omega. */
static double mild_omega(const ent_candidate_pool *candidates, size_t input) {
  double omega = candidates->kernel->axes[input]->options.omega, most = 0;
  for (size_t l = 1; l < candidates->kernel->axes[input]->level_count; l++)
    most = fmax(most, candidates->cache->columns[input][l].share);
  return fmin(fmin(omega, MILD_OMEGA), most > 0 ? MILD_SHARE / most * omega : omega);
}

/* The kernel of some inputs with mild omegas. */
static entropic_status make_mild(entropic_context *context, const ent_candidate_pool *candidates, const size_t *inputs,
                                 size_t count, entropic_kernel **mild) {
  entropic_axis_options *axes = ent_new(context, count, sizeof *axes);
  if (axes == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < count; i++) {
    axes[i] = candidates->kernel->axes[inputs[i]]->options;
    axes[i].omega = is_used(candidates, inputs[i]) ? mild_omega(candidates, inputs[i]) : HARDLY_ANY_OMEGA;
  }
  entropic_status status = entropic_kernel_create(context, axes, count, count, mild);
  ent_delete(axes);
  return status;
}

/* A group of a design of some inputs with nothing but constants left out, whatever the design's base is; false if it has
 * too many inputs for the pool. */
static bool take_terms(const ent_candidate_pool *candidates, const size_t *inputs, const entropic_design *design,
                       const ent_group *from, ent_candidate_group *group) {
  const entropic_term *terms = design->terms + from->first_term;
  *group = (ent_candidate_group){0};
  for (size_t i = 0, t = 0; i < design->kernel->inputs; i++) {
    bool active = t < from->term_count && terms[t].input == i;
    size_t level = active ? terms[t++].level : design->base[i];
    if (level == 0)
      continue;
    if (group->order == candidates->max_order || !is_used(candidates, inputs[i]))
      return false;
    group->terms[group->order++] = (entropic_term){.input = inputs[i], .level = level};
  }
  return true;
}

/* Adds the entropic design of some inputs, ascending, by the criterion "data" on some of the rows. */
static entropic_status begin(entropic_context *context, ent_candidate_pool *candidates, const size_t *inputs,
                             size_t count, size_t features) {
  const ent_level_cache *cache = candidates->cache;
  size_t rows = cache->rows < SAMPLE_ROWS ? cache->rows : SAMPLE_ROWS;
  entropic_design_options options = entropic_design_options_default();
  double *sample = ent_new_matrix(context, rows, count, sizeof *sample);
  if (sample == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < count; i++)
      sample[r * count + i] = cache->x[r * cache->stride + inputs[i]];
  options.criterion = ENTROPIC_DATA;
  options.features = features;
  options.max_order = candidates->max_order;
  options.sample = sample;
  options.sample_rows = rows;
  entropic_design *design = NULL;
  entropic_kernel *mild = NULL;
  entropic_status status = make_mild(context, candidates, inputs, count, &mild);
  if (status == ENTROPIC_OK)
    status = entropic_design_create(context, mild, &options, &design);
  for (size_t g = 0; status == ENTROPIC_OK && g < design->group_count; g++) {
    ent_candidate_group group;
    if (take_terms(candidates, inputs, design, &design->groups[g], &group) && complete(candidates, &group))
      status = add(context, candidates, &group);
  }
  entropic_design_free(design);
  entropic_kernel_free(mild);
  ent_delete(sample);
  return status;
}

static ent_candidate_pool *new_candidates(entropic_context *context, ent_level_cache *cache, size_t max_order,
                                          const bool *used) {
  ent_candidate_pool *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return NULL;
  made->kernel = cache->kernel;
  made->cache = cache;
  made->used = used;
  made->max_order = max_order == 0 || max_order > ENT_CANDIDATE_ORDER ? ENT_CANDIDATE_ORDER : max_order;
  return made;
}

entropic_status ent_candidate_pool_create(entropic_context *context, ent_level_cache *cache, size_t features,
                                          size_t max_order, const bool *used, ent_candidate_pool **candidates) {
  size_t inputs = cache->kernel->inputs, count = 0;
  ent_candidate_pool *made = new_candidates(context, cache, max_order, used);
  size_t *list = ent_new(context, inputs, sizeof *list);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (made == NULL || list == NULL)
    goto fail;
  for (size_t i = 0; i < inputs; i++)
    if (is_used(made, i))
      list[count++] = i;
  status = need_levels(context, made, list, count);
  /* The design has the others, too, with an omega of hardly anything: they take up its last places. */
  for (size_t i = 0; i < inputs; i++)
    list[i] = i;
  if (status == ENTROPIC_OK)
    status = begin(context, made, list, inputs, features);
fail:
  ent_delete(list);
  if (status == ENTROPIC_OK)
    *candidates = made;
  else
    ent_candidate_pool_free(made);
  return status;
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

/* The first levels of all inputs that are used. */
static entropic_status list_openings(entropic_context *context, const ent_candidate_pool *candidates,
                                     entropic_term **terms, size_t *count) {
  size_t capacity = 0;
  *terms = NULL;
  *count = 0;
  for (size_t i = 0; i < candidates->kernel->inputs; i++) {
    const ent_axis *axis = candidates->kernel->axes[i];
    for (size_t l = 0; is_used(candidates, i) && l < axis->level_count; l++) {
      if (!opens(axis, l))
        continue;
      void *grown = ent_grow(context, *terms, &capacity, *count + 1, sizeof **terms);
      if (grown == NULL)
        return ENTROPIC_NO_MEMORY;
      *terms = grown;
      (*terms)[(*count)++] = (entropic_term){.input = i, .level = l};
    }
  }
  return ENTROPIC_OK;
}

entropic_status ent_candidate_pool_open(entropic_context *context, ent_level_cache *cache, size_t max_order,
                                        const bool *used, ent_candidate_pool **candidates) {
  entropic_term *terms = NULL;
  size_t count = 0;
  ent_candidate_pool *made = new_candidates(context, cache, max_order, used);
  entropic_status status = made == NULL ? ENTROPIC_NO_MEMORY : list_openings(context, made, &terms, &count);
  if (status == ENTROPIC_OK)
    status = ent_level_cache_need(context, cache, terms, count);
  for (size_t i = 0; i < count && status == ENTROPIC_OK; i++) {
    ent_candidate_group group = {.terms = {terms[i]}, .order = 1};
    if (complete(made, &group))
      status = add(context, made, &group);
  }
  ent_delete(terms);
  if (status == ENTROPIC_OK)
    *candidates = made;
  else
    ent_candidate_pool_free(made);
  return status;
}

entropic_status ent_candidate_pool_focus(entropic_context *context, ent_candidate_pool *candidates, const bool *near,
                                         size_t features) {
  size_t inputs = candidates->kernel->inputs, count = 0;
  size_t *list = ent_new(context, inputs, sizeof *list);
  candidates->near = ent_new(context, inputs, sizeof *candidates->near);
  entropic_status status = list == NULL || candidates->near == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  for (size_t i = 0; i < inputs && status == ENTROPIC_OK; i++) {
    candidates->near[i] = near[i] && is_used(candidates, i);
    if (candidates->near[i])
      list[count++] = i;
  }
  if (status == ENTROPIC_OK && count > 0)
    status = need_levels(context, candidates, list, count);
  if (status == ENTROPIC_OK && count > 0)
    status = begin(context, candidates, list, count, features);
  ent_delete(list);
  return status;
}

/* The inputs of what was chosen lately become near. */
static entropic_status widen(entropic_context *context, ent_candidate_pool *candidates) {
  size_t count = 0;
  size_t *list = ent_new(context, candidates->kernel->inputs, sizeof *list);
  if (list == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t g = 0; g < candidates->count; g++) {
    const ent_candidate_group *group = &candidates->groups[g];
    for (size_t t = 0; group->fresh && t < group->order; t++) {
      size_t input = group->terms[t].input;
      if (!candidates->near[input])
        list[count++] = input;
      candidates->near[input] = true;
    }
  }
  entropic_status status = need_levels(context, candidates, list, count);
  ent_delete(list);
  return status;
}

void ent_candidate_pool_free(ent_candidate_pool *candidates) {
  if (candidates == NULL)
    return;
  for (size_t g = 0; g < candidates->count; g++)
    ent_delete(candidates->groups[g].marks);
  ent_delete(candidates->groups);
  ent_delete(candidates->places);
  ent_delete(candidates->near);
  ent_delete(candidates);
}

entropic_status ent_candidate_pool_choose(entropic_context *context, ent_candidate_pool *candidates, size_t group,
                                          uint64_t member, double worth) {
  ent_candidate_group *from = &candidates->groups[group];
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
  ent_candidate_group group;
  double promise;
} ent_child;

typedef struct ent_children {
  ent_child *list;
  size_t count, capacity;
} ent_children;

static entropic_status offer(entropic_context *context, const ent_candidate_pool *candidates,
                             const ent_candidate_group *parent, ent_candidate_group group, ent_children *children) {
  group.worth = 0;
  group.chosen = 0;
  group.marks = NULL;
  group.fresh = false;
  if (!complete(candidates, &group) || candidates->places[place_of(candidates, &group)] != 0)
    return ENTROPIC_OK;
  void *grown = ent_grow(context, children->list, &children->capacity, children->count + 1, sizeof *children->list);
  if (grown == NULL)
    return ENTROPIC_NO_MEMORY;
  children->list = grown;
  children->list[children->count++] =
      (ent_child){.group = group, .promise = parent->worth * (group.share / parent->share)};
  return ENTROPIC_OK;
}

/* Whether `next` is a finer level than `level` of the same input, by one step. */
static bool follows(const ent_level *level, const ent_level *next) {
  if (level->info.kind == ENTROPIC_KIND_LINEAR)
    return (next->info.kind == ENTROPIC_KIND_LEGENDRE && next->info.order == 2) ||
           (next->info.kind == ENTROPIC_KIND_HAT && next->info.order == 1);
  return next->info.kind == level->info.kind && next->info.order == level->info.order + 1 &&
         (level->info.kind == ENTROPIC_KIND_LEGENDRE || level->info.kind == ENTROPIC_KIND_HAT);
}

/* The parent one step finer at one of its terms. */
static entropic_status offer_finer(entropic_context *context, const ent_candidate_pool *candidates,
                                   const ent_candidate_group *from, size_t term, ent_children *children) {
  const ent_axis *axis = candidates->kernel->axes[from->terms[term].input];
  entropic_status status = ENTROPIC_OK;
  for (size_t l = 0; l < axis->level_count && status == ENTROPIC_OK; l++) {
    if (!follows(&axis->levels[from->terms[term].level], &axis->levels[l]))
      continue;
    ent_candidate_group child = *from;
    child.terms[term].level = l;
    status = offer(context, candidates, from, child, children);
  }
  return status;
}

/* The parent with one input more, before one of its terms or behind all. */
static entropic_status offer_larger(entropic_context *context, const ent_candidate_pool *candidates,
                                    const ent_candidate_group *from, size_t term, size_t input,
                                    ent_children *children) {
  const ent_axis *axis = candidates->kernel->axes[input];
  entropic_status status = ENTROPIC_OK;
  for (size_t l = 0; l < axis->level_count && status == ENTROPIC_OK; l++) {
    if (!opens(axis, l))
      continue;
    ent_candidate_group child = *from;
    memmove(child.terms + term + 1, child.terms + term, (from->order - term) * sizeof *child.terms);
    child.terms[term] = (entropic_term){.input = input, .level = l};
    child.order++;
    status = offer(context, candidates, from, child, children);
  }
  return status;
}

static entropic_status offer_children(entropic_context *context, const ent_candidate_pool *candidates, size_t parent,
                                      ent_children *children) {
  const ent_candidate_group *from = &candidates->groups[parent];
  entropic_status status = ENTROPIC_OK;
  size_t term = 0;
  for (size_t d = 0; d < candidates->kernel->inputs && status == ENTROPIC_OK; d++) {
    if (term < from->order && from->terms[term].input == d)
      status = offer_finer(context, candidates, from, term++, children);
    else if (from->order < candidates->max_order && is_near(candidates, d))
      status = offer_larger(context, candidates, from, term, d, children);
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

/* The number of that rank, 0 the largest, by Hoare's selection; the list is put in another order. */
static double number_of_rank(double *list, size_t count, size_t rank) {
  ptrdiff_t low = 0, high = (ptrdiff_t)count - 1, wanted = (ptrdiff_t)rank;
  while (low < high) {
    double pivot = list[wanted];
    ptrdiff_t i = low, j = high;
    while (i <= j) {
      while (list[i] > pivot)
        i++;
      while (list[j] < pivot)
        j--;
      if (i <= j) {
        double moved = list[i];
        list[i++] = list[j];
        list[j--] = moved;
      }
    }
    low = j < wanted ? i : low;
    high = wanted < i ? j : high;
  }
  return list[wanted];
}

/* Puts the most promising children first, `most` or a few more of the same promise, in any order; *count of them. */
static entropic_status put_first(entropic_context *context, ent_children *children, size_t most, size_t *count) {
  *count = children->count;
  if (children->count <= most)
    return ENTROPIC_OK;
  double *promises = ent_new(context, children->count, sizeof *promises);
  if (promises == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < children->count; i++)
    promises[i] = children->list[i].promise;
  double least = number_of_rank(promises, children->count, most - 1);
  ent_delete(promises);
  *count = 0;
  for (size_t i = 0; i < children->count; i++)
    if (children->list[i].promise >= least) {
      ent_child child = children->list[i];
      children->list[i] = children->list[*count];
      children->list[(*count)++] = child;
    }
  return ENTROPIC_OK;
}

/* Adds some children, the most promising first, until there are so many groups. Two parents may have offered the same
 * child; the better offer comes first, the other finds it there. */
static entropic_status add_children(entropic_context *context, ent_candidate_pool *candidates, ent_child *list,
                                    size_t count, size_t end) {
  entropic_status status = ENTROPIC_OK;
  if (count > 0 && candidates->count < end)
    qsort(list, count, sizeof *list, compare_children);
  for (size_t i = 0; i < count && candidates->count < end && status == ENTROPIC_OK; i++)
    status = add(context, candidates, &list[i].group);
  return status;
}

entropic_status ent_candidate_pool_grow(entropic_context *context, ent_candidate_pool *candidates, size_t most) {
  ent_children children = {0};
  entropic_status status = candidates->near != NULL ? widen(context, candidates) : ENTROPIC_OK;
  size_t count = candidates->count, end = count + most, first = 0;
  for (size_t g = 0; g < count && status == ENTROPIC_OK; g++)
    if (candidates->groups[g].fresh) {
      status = offer_children(context, candidates, g, &children);
      candidates->groups[g].fresh = false;
    }
  /* Nearly always the first of them will do: of many, the others need not be sorted. */
  if (status == ENTROPIC_OK)
    status = put_first(context, &children, OFFERS * most, &first);
  if (status == ENTROPIC_OK)
    status = add_children(context, candidates, children.list, first, end);
  if (status == ENTROPIC_OK)
    status = add_children(context, candidates, children.list + first, children.count - first, end);
  ent_delete(children.list);
  return status;
}
