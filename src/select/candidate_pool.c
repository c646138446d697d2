/* The pool of candidates: see candidate_pool.h. */
#include "select/candidate_pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define TINY_OMEGA 1e-6            /* of inputs that are not used: their groups come last */
#define MILD_OMEGA 3.0             /* the largest omega of the first design */
#define MILD_SHARE 0.75            /* the largest share of its levels; the constant has 1 */
#define SAMPLE_ROWS ((size_t)6000) /* the first design is of so many rows */
#define SORTED_FIRST ((size_t)2)   /* children sorted first for each that is wanted: some of them may be equal */

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

/* Where a group stands in the hash table, or would stand. */
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

/* Sets share and atoms from the terms. Returns whether the pool may have such a group. */
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

/* Caches all levels of some inputs, for their shares. */
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

/* An omega small enough that the constant is the best level of an input. Shares are proportional to omega. */
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
    axes[i].omega = is_used(candidates, inputs[i]) ? mild_omega(candidates, inputs[i]) : TINY_OMEGA;
  }
  entropic_status status = entropic_kernel_create(context, axes, count, count, mild);
  ent_delete(axes);
  return status;
}

/* A group of a design of some inputs, without its constant levels. Returns false if it has more inputs than a group of the
 * pool may have, or one that is not used. */
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

/* Adds the groups of the entropic design of some inputs, ascending, by the criterion "data" on some of the rows. */
static entropic_status add_design(entropic_context *context, ent_candidate_pool *candidates, const size_t *inputs,
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
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_design_create(context, mild, &options, &design);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t g = 0; g < design->group_count; g++) {
    ent_candidate_group group;
    if (!take_terms(candidates, inputs, design, &design->groups[g], &group) || !complete(candidates, &group))
      continue;
    status = add(context, candidates, &group);
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
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
    goto done;
  for (size_t i = 0; i < inputs; i++)
    if (is_used(made, i))
      list[count++] = i;
  status = need_levels(context, made, list, count);
  if (status != ENTROPIC_OK)
    goto done;
  /* The design has the unused inputs, too, with a tiny omega: their groups come last. */
  for (size_t i = 0; i < inputs; i++)
    list[i] = i;
  status = add_design(context, made, list, inputs, features);
  if (status != ENTROPIC_OK)
    goto done;
  *candidates = made;
  made = NULL;
done:
  ent_delete(list);
  ent_candidate_pool_free(made);
  return status;
}

/* Whether a level may bring its input into a group: the first level of each kind may, but not hats if there are
 * polynomials. */
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
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = list_openings(context, made, &terms, &count);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_level_cache_need(context, cache, terms, count);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < count; i++) {
    ent_candidate_group group = {.terms = {terms[i]}, .order = 1};
    if (!complete(made, &group))
      continue;
    status = add(context, made, &group);
    if (status != ENTROPIC_OK)
      goto done;
  }
  *candidates = made;
  made = NULL;
done:
  ent_delete(terms);
  ent_candidate_pool_free(made);
  return status;
}

entropic_status ent_candidate_pool_focus(entropic_context *context, ent_candidate_pool *candidates, const bool *near,
                                         size_t features) {
  size_t inputs = candidates->kernel->inputs, count = 0;
  size_t *list = ent_new(context, inputs, sizeof *list);
  entropic_status status = ENTROPIC_NO_MEMORY;
  candidates->near = ent_new(context, inputs, sizeof *candidates->near);
  if (list == NULL || candidates->near == NULL)
    goto done;
  for (size_t i = 0; i < inputs; i++) {
    candidates->near[i] = near[i] && is_used(candidates, i);
    if (candidates->near[i])
      list[count++] = i;
  }
  status = ENTROPIC_OK;
  if (count == 0)
    goto done;
  status = need_levels(context, candidates, list, count);
  if (status != ENTROPIC_OK)
    goto done;
  status = add_design(context, candidates, list, count, features);
done:
  ent_delete(list);
  return status;
}

/* The inputs of features selected lately become near. */
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

entropic_status ent_candidate_pool_select(entropic_context *context, ent_candidate_pool *candidates, size_t group,
                                          uint64_t member, double worth) {
  ent_candidate_group *from = &candidates->groups[group];
  if (from->marks == NULL)
    from->marks = ent_new(context, (size_t)(from->atoms + 63) / 64, sizeof *from->marks);
  if (from->marks == NULL)
    return ENTROPIC_NO_MEMORY;
  from->marks[member / 64] |= UINT64_C(1) << (member % 64);
  from->worth = from->fresh && from->worth > worth ? from->worth : worth;
  from->fresh = true;
  from->selected++;
  return ENTROPIC_OK;
}

/* A child of a group of the pool, and its expected worth. */
typedef struct ent_child {
  ent_candidate_group group;
  double promise;
} ent_child;

typedef struct ent_children {
  ent_child *list;
  size_t count, capacity;
} ent_children;

/* Adds a child to the list, unless the pool has it. */
static entropic_status offer(entropic_context *context, const ent_candidate_pool *candidates,
                             const ent_candidate_group *parent, ent_candidate_group group, ent_children *children) {
  group.worth = 0;
  group.selected = 0;
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
  for (size_t l = 0; l < axis->level_count; l++) {
    if (!follows(&axis->levels[from->terms[term].level], &axis->levels[l]))
      continue;
    ent_candidate_group child = *from;
    child.terms[term].level = l;
    entropic_status status = offer(context, candidates, from, child, children);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* The parent with one input more, before one of its terms or behind all. */
static entropic_status offer_larger(entropic_context *context, const ent_candidate_pool *candidates,
                                    const ent_candidate_group *from, size_t term, size_t input,
                                    ent_children *children) {
  const ent_axis *axis = candidates->kernel->axes[input];
  for (size_t l = 0; l < axis->level_count; l++) {
    if (!opens(axis, l))
      continue;
    ent_candidate_group child = *from;
    memmove(child.terms + term + 1, child.terms + term, (from->order - term) * sizeof *child.terms);
    child.terms[term] = (entropic_term){.input = input, .level = l};
    child.order++;
    entropic_status status = offer(context, candidates, from, child, children);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

static entropic_status offer_children(entropic_context *context, const ent_candidate_pool *candidates, size_t parent,
                                      ent_children *children) {
  const ent_candidate_group *from = &candidates->groups[parent];
  size_t term = 0;
  for (size_t d = 0; d < candidates->kernel->inputs; d++) {
    entropic_status status = ENTROPIC_OK;
    if (term < from->order && from->terms[term].input == d)
      status = offer_finer(context, candidates, from, term++, children);
    else if (from->order < candidates->max_order && is_near(candidates, d))
      status = offer_larger(context, candidates, from, term, d, children);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
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

/* The number of that rank, 0 being the largest, by Hoare's quickselect. The list is reordered. */
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

/* Puts the most promising children first, in any order: `most` of them, or a few more if promises are equal. *count
 * becomes how many. */
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

/* Adds some children, the most promising first, until the pool has `end` groups. Two parents may have offered the same
 * child; the better offer comes first. */
static entropic_status add_children(entropic_context *context, ent_candidate_pool *candidates, ent_child *list,
                                    size_t count, size_t end) {
  if (count > 0 && candidates->count < end)
    qsort(list, count, sizeof *list, compare_children);
  for (size_t i = 0; i < count && candidates->count < end; i++) {
    entropic_status status = add(context, candidates, &list[i].group);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

entropic_status ent_candidate_pool_grow(entropic_context *context, ent_candidate_pool *candidates, size_t most) {
  ent_children children = {0};
  entropic_status status = candidates->near != NULL ? widen(context, candidates) : ENTROPIC_OK;
  if (status != ENTROPIC_OK)
    return status;
  size_t count = candidates->count, end = count + most, first = 0;
  for (size_t g = 0; g < count; g++)
    if (candidates->groups[g].fresh) {
      status = offer_children(context, candidates, g, &children);
      if (status != ENTROPIC_OK)
        goto done;
      candidates->groups[g].fresh = false;
    }
  /* The first children nearly always suffice. Then the others need not be sorted. */
  status = put_first(context, &children, SORTED_FIRST * most, &first);
  if (status != ENTROPIC_OK)
    goto done;
  status = add_children(context, candidates, children.list, first, end);
  if (status != ENTROPIC_OK)
    goto done;
  status = add_children(context, candidates, children.list + first, children.count - first, end);
done:
  ent_delete(children.list);
  return status;
}
