/* The pool of candidates: see candidate_pool.h. */
#include "select/candidate_pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "select/pool_parts.h"

#define TINY_OMEGA 1e-6            /* of inputs that are not used: their groups come last */
#define MILD_OMEGA 3.0             /* the largest omega of the first design */
#define MILD_SHARE 0.75            /* the largest share of its levels; the constant has 1 */
#define SAMPLE_ROWS ((size_t)6000) /* the first design is of so many rows */

static const ent_level *level_of(const ent_candidate_pool *candidates, entropic_term term) {
  return &candidates->kernel->axes[term.input]->levels[term.level];
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

bool ent_candidate_pool_has(const ent_candidate_pool *candidates, const ent_candidate_group *group) {
  return candidates->places[place_of(candidates, group)] != 0;
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

entropic_status ent_candidate_pool_add(entropic_context *context, ent_candidate_pool *candidates,
                                       const ent_candidate_group *group) {
  entropic_status status = ent_poll(context);
  if (status != ENTROPIC_OK)
    return status;
  if (2 * (candidates->count + 1) > candidates->place_count) {
    status = grow_places(context, candidates);
    if (status != ENTROPIC_OK)
      return status;
  }
  size_t place = place_of(candidates, group);
  if (candidates->places[place] != 0)
    return ENTROPIC_OK;
  if (!ent_reserve(context, &candidates->groups, &candidates->capacity, candidates->count + 1,
                   sizeof *candidates->groups))
    return ENTROPIC_NO_MEMORY;
  candidates->groups[candidates->count++] = *group;
  candidates->places[place] = (uint32_t)candidates->count;
  return ENTROPIC_OK;
}

/* Whether the limits of the pool allow a group of its inputs. */
static bool is_allowed(const ent_candidate_pool *candidates, const ent_candidate_group *group) {
  size_t inputs[ENT_CANDIDATE_ORDER];
  for (size_t t = 0; t < group->order; t++)
    inputs[t] = group->terms[t].input;
  return ent_restriction_allows(candidates->limits.restriction, inputs, group->order);
}

bool ent_candidate_complete(const ent_candidate_pool *candidates, ent_candidate_group *group) {
  group->share = 1;
  group->atoms = 1;
  for (size_t t = 0; t < group->order; t++) {
    entropic_term term = group->terms[t];
    group->share *= candidates->cache->columns[term.input][term.level].share;
    group->atoms *= level_of(candidates, term)->info.atoms; /* cannot overflow: at most 2^16 so far times 2^30 */
    if (group->atoms > ENT_CANDIDATE_ATOMS && group->order > 1)
      return false;
  }
  return group->share > 0 && is_allowed(candidates, group);
}

entropic_status ent_candidate_pool_need(entropic_context *context, ent_candidate_pool *candidates, const size_t *inputs,
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
    axes[i].omega = ent_is_used(candidates, inputs[i]) ? mild_omega(candidates, inputs[i]) : TINY_OMEGA;
  }
  entropic_status status = ent_kernel_create(context, axes, count, count, mild);
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
    if (group->order == candidates->limits.max_order || !ent_is_used(candidates, inputs[i]))
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
  entropic_design_options options = ent_design_options_default();
  double *sample = ent_new_matrix(context, rows, count, sizeof *sample);
  if (sample == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < count; i++)
      sample[r * count + i] = cache->x[r * cache->stride + inputs[i]];
  options.criterion = ENTROPIC_CRITERION_DATA;
  options.features = features;
  options.max_order = candidates->limits.max_order;
  options.sample = sample;
  options.sample_rows = rows;
  ent_restriction allowed;
  const ent_restriction *restriction = NULL;
  if (candidates->limits.restriction != NULL) {
    allowed = *candidates->limits.restriction;
    allowed.numbers = inputs;
    restriction = &allowed;
  }
  entropic_design *design = NULL;
  entropic_kernel *mild = NULL;
  entropic_status status = make_mild(context, candidates, inputs, count, &mild);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_design_create_restricted(context, mild, &options, restriction, &design);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t g = 0; g < design->group_count; g++) {
    ent_candidate_group group;
    if (!take_terms(candidates, inputs, design, &design->groups[g], &group) ||
        !ent_candidate_complete(candidates, &group))
      continue;
    status = ent_candidate_pool_add(context, candidates, &group);
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
  entropic_design_free(design);
  entropic_kernel_free(mild);
  ent_delete(sample);
  return status;
}

static ent_candidate_pool *new_candidates(entropic_context *context, ent_level_cache *cache,
                                          const ent_pool_limits *limits) {
  ent_candidate_pool *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return NULL;
  made->kernel = cache->kernel;
  made->cache = cache;
  made->limits = *limits;
  if (limits->max_order == 0 || limits->max_order > ENT_CANDIDATE_ORDER)
    made->limits.max_order = ENT_CANDIDATE_ORDER;
  return made;
}

entropic_status ent_candidate_pool_create(entropic_context *context, ent_level_cache *cache, size_t features,
                                          const ent_pool_limits *limits, ent_candidate_pool **candidates) {
  size_t inputs = cache->kernel->inputs, count = 0;
  ent_candidate_pool *made = new_candidates(context, cache, limits);
  size_t *list = ent_new(context, inputs, sizeof *list);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (made == NULL || list == NULL)
    goto done;
  for (size_t i = 0; i < inputs; i++)
    if (ent_is_used(made, i))
      list[count++] = i;
  status = ent_candidate_pool_need(context, made, list, count);
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

bool ent_level_opens(const ent_axis *axis, size_t level) {
  bool periodic = (axis->traits & ENTROPIC_TRAIT_PERIODIC) != 0;
  switch (axis->levels[level].info.kind) {
  case ENTROPIC_LEVEL_KIND_CONSTANT:
  case ENTROPIC_LEVEL_KIND_EVEN:
    return false;
  case ENTROPIC_LEVEL_KIND_LEGENDRE: /* a cosine says nothing of its sine */
    return axis->levels[level].info.order == 2 || (periodic && axis->levels[level].info.order == 3);
  case ENTROPIC_LEVEL_KIND_HAT: /* where there is no line to start from */
    return axis->levels[level].info.order == 1 && (axis->options.smooth < 2 || periodic);
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
    for (size_t l = 0; ent_is_used(candidates, i) && l < axis->level_count; l++) {
      if (!ent_level_opens(axis, l))
        continue;
      if (!ent_reserve(context, terms, &capacity, *count + 1, sizeof **terms))
        return ENTROPIC_NO_MEMORY;
      (*terms)[(*count)++] = (entropic_term){.input = i, .level = l};
    }
  }
  return ENTROPIC_OK;
}

entropic_status ent_candidate_pool_open(entropic_context *context, ent_level_cache *cache,
                                        const ent_pool_limits *limits, ent_candidate_pool **candidates) {
  entropic_term *terms = NULL;
  size_t count = 0;
  ent_candidate_pool *made = new_candidates(context, cache, limits);
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
    if (!ent_candidate_complete(made, &group))
      continue;
    status = ent_candidate_pool_add(context, made, &group);
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
    candidates->near[i] = near[i] && ent_is_used(candidates, i);
    if (candidates->near[i])
      list[count++] = i;
  }
  status = ENTROPIC_OK;
  if (count == 0)
    goto done;
  status = ent_candidate_pool_need(context, candidates, list, count);
  if (status != ENTROPIC_OK)
    goto done;
  status = add_design(context, candidates, list, count, features);
done:
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
