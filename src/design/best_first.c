/* Best-first search: lists groups in order of their keys, each once, for any number of inputs.
 *
 * Inputs are sorted by what leaving the first tier costs. A state of the search is a group; it is stored as its last term
 * and the state without that term. From a group whose last active input is at position d, tier t, come: tier t+1 there;
 * the next input at its tier 1 besides; and, only if t = 1, the next input instead. Every group is reached in exactly one
 * way, and never before a better one. */
#define _GNU_SOURCE /* qsort_r */
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "design/tiers.h"

#define NO_STATE UINT32_MAX

typedef struct ent_state {
  ent_key key;
  uint32_t prefix; /* the state without the last term; NO_STATE for the root */
  uint32_t position, tier;
} ent_state;

typedef struct ent_design_search {
  const entropic_design_options *options;
  const ent_restriction *restriction; /* NULL: none */
  entropic_design *design;
  ent_ladders *ladders;
  size_t *position_input; /* inputs that have a second tier, in search order */
  size_t positions;
  ent_state *states;
  size_t state_count, state_capacity;
  uint32_t *heap;
  size_t heap_count, heap_capacity;
  size_t *baseless; /* inputs without a base level */
  size_t baseless_count;
  int64_t root_cost;      /* of a feature with every input at its first tier */
  entropic_term *terms;   /* of the group at hand, by input */
  const ent_tier **tiers; /* beside them */
  size_t *active;         /* [inputs] room for the active inputs of a state */
} ent_design_search;

static const ent_ladder *ladder_at(const ent_design_search *search, uint32_t position) {
  return &search->ladders->ladders[search->position_input[position]];
}

/* Lexicographic order of terms; both states have the same number of them. */
static int compare_paths(const ent_design_search *search, uint32_t a, uint32_t b) {
  if (a == b)
    return 0;
  const ent_state *left = &search->states[a], *right = &search->states[b];
  int order = compare_paths(search, left->prefix, right->prefix);
  if (order != 0)
    return order;
  if (left->position != right->position)
    return left->position < right->position ? -1 : 1;
  return (left->tier > right->tier) - (left->tier < right->tier);
}

static bool comes_before(const ent_design_search *search, uint32_t a, uint32_t b) {
  int order = ent_key_compare(&search->states[a].key, &search->states[b].key);
  return order != 0 ? order < 0 : compare_paths(search, a, b) < 0;
}

static entropic_status push(entropic_context *context, ent_design_search *search, ent_state state) {
  if (search->state_count >= NO_STATE)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "the design needs more than %u search states", NO_STATE);
  if (!ent_reserve(context, &search->states, &search->state_capacity, search->state_count + 1, sizeof *search->states))
    return ENTROPIC_NO_MEMORY;
  if (!ent_reserve(context, &search->heap, &search->heap_capacity, search->heap_count + 1, sizeof *search->heap))
    return ENTROPIC_NO_MEMORY;
  uint32_t id = (uint32_t)search->state_count++;
  search->states[id] = state;
  size_t hole = search->heap_count++;
  while (hole > 0 && comes_before(search, id, search->heap[(hole - 1) / 2])) {
    search->heap[hole] = search->heap[(hole - 1) / 2];
    hole = (hole - 1) / 2;
  }
  search->heap[hole] = id;
  return ENTROPIC_OK;
}

static uint32_t pop(ent_design_search *search) {
  uint32_t top = search->heap[0], last = search->heap[--search->heap_count];
  size_t hole = 0;
  for (;;) {
    size_t child = 2 * hole + 1;
    if (child >= search->heap_count)
      break;
    if (child + 1 < search->heap_count && comes_before(search, search->heap[child + 1], search->heap[child]))
      child++;
    if (!comes_before(search, search->heap[child], last))
      break;
    search->heap[hole] = search->heap[child];
    hole = child;
  }
  search->heap[hole] = last;
  return top;
}

/* The first position, from `position` on, at which an input may be active besides those of a state: where the restriction
 * forbids a group, it forbids all that have more active inputs. */
static uint32_t next_allowed(ent_design_search *search, uint32_t id, uint32_t position) {
  size_t count = 0;
  if (search->restriction == NULL)
    return position;
  for (const ent_state *state = &search->states[id]; state->prefix != NO_STATE; state = &search->states[state->prefix])
    search->active[count++] = search->position_input[state->position];
  for (; position < search->positions; position++) {
    search->active[count] = search->position_input[position];
    if (ent_restriction_allows(search->restriction, search->active, count + 1))
      break;
  }
  return position;
}

/* The state with `tier` at `position` added to (or, in a sibling, put in place of the last term of) its prefix. */
static entropic_status push_term(entropic_context *context, ent_design_search *search, uint32_t prefix,
                                 uint32_t position, uint32_t tier) {
  if (tier == 1)
    position = next_allowed(search, prefix, position);
  if (position >= search->positions)
    return ENTROPIC_OK;
  const ent_ladder *ladder = ladder_at(search, position);
  if (tier >= ladder->count)
    return ENTROPIC_OK;
  ent_key step = ent_key_subtract(&ladder->tiers[tier].key, &ladder->tiers[0].key);
  ent_key key = ent_key_add(&search->states[prefix].key, &step);
  return push(context, search, (ent_state){.key = key, .prefix = prefix, .position = position, .tier = tier});
}

static entropic_status push_successors(entropic_context *context, ent_design_search *search, uint32_t id) {
  ent_state state = search->states[id]; /* a copy: pushing moves the array */
  size_t max_order = search->options->max_order;
  bool may_add = max_order == 0 || (uint64_t)state.key.active < max_order;
  if (state.prefix == NO_STATE)
    return may_add ? push_term(context, search, id, 0, 1) : ENTROPIC_OK;
  entropic_status status = push_term(context, search, state.prefix, state.position, state.tier + 1);
  if (status != ENTROPIC_OK)
    return status;
  if (may_add) {
    status = push_term(context, search, id, state.position + 1, 1);
    if (status != ENTROPIC_OK)
      return status;
  }
  return state.tier == 1 ? push_term(context, search, state.prefix, state.position + 1, 1) : ENTROPIC_OK;
}

/* Puts a term into its place by input, unless the input has one already. */
static size_t insert_term(ent_design_search *search, size_t count, size_t input, size_t tier) {
  size_t place = count;
  while (place > 0 && search->terms[place - 1].input > input)
    place--;
  if (place > 0 && search->terms[place - 1].input == input)
    return count;
  memmove(search->terms + place + 1, search->terms + place, (count - place) * sizeof *search->terms);
  memmove(search->tiers + place + 1, search->tiers + place, (count - place) * sizeof *search->tiers);
  search->tiers[place] = &search->ladders->ladders[input].tiers[tier];
  search->terms[place] = (entropic_term){.input = input, .level = search->tiers[place]->level};
  return count + 1;
}

/* Writes out the terms of a state; inputs that have no base level are always among them. */
static size_t collect_terms(ent_design_search *search, uint32_t id) {
  size_t count = 0;
  for (const ent_state *state = &search->states[id]; state->prefix != NO_STATE; state = &search->states[state->prefix])
    count = insert_term(search, count, search->position_input[state->position], state->tier);
  for (size_t i = 0; i < search->baseless_count; i++)
    count = insert_term(search, count, search->baseless[i], 0);
  return count;
}

/* Adds the group of a state to the design, or as much of it as the number of features still allows. */
static entropic_status take(entropic_context *context, ent_design_search *search, uint32_t id) {
  entropic_design *design = search->design;
  size_t count = collect_terms(search, id);
  int64_t cost = search->root_cost;
  bool whole_levels = true;
  for (size_t i = 0; i < count; i++) {
    const ent_ladder *ladder = &search->ladders->ladders[search->terms[i].input];
    const ent_axis *axis = design->kernel->axes[search->terms[i].input];
    cost += search->tiers[i]->feature_cost - ladder->tiers[0].feature_cost;
    whole_levels = whole_levels && search->tiers[i]->atoms == axis->levels[search->terms[i].level].info.atoms;
  }
  ent_range range = {.kernel = design->kernel, .terms = search->terms, .tiers = search->tiers, .count = count};
  uint64_t features = ent_range_size(&range);
  uint64_t room = search->options->features > 0 ? search->options->features - design->features : ENT_MAX_FEATURES;
  if (search->options->nonzeros > 0 && design->group_count == 0 && features > room)
    return ent_fail(context, ENTROPIC_TOO_LARGE,
                    "the first group already has more than %zu features: lower max_level or omega", ENT_MAX_FEATURES);
  if (search->options->nonzeros > 0 && features > room)
    return ent_fail(context, ENTROPIC_TOO_LARGE, ENT_TOO_MANY_FEATURES, ENT_MAX_FEATURES);
  size_t wanted = (size_t)(features < room ? features : room);
  if (whole_levels && wanted == features)
    return ent_design_append(context, design, search->terms, count, cost, NULL, wanted);
  uint64_t *members = ent_new(context, wanted, sizeof *members);
  if (members == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_range_choose(context, &range, search->options, design, wanted, members);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_design_append(context, design, search->terms, count, cost, members, wanted);
done:
  ent_delete(members);
  return status;
}

static int compare_positions(const void *a, const void *b, void *ladders) {
  size_t left = *(const size_t *)a, right = *(const size_t *)b;
  const ent_ladder *all = ((const ent_ladders *)ladders)->ladders;
  ent_key x = ent_key_subtract(&all[left].tiers[1].key, &all[left].tiers[0].key);
  ent_key y = ent_key_subtract(&all[right].tiers[1].key, &all[right].tiers[0].key);
  int order = ent_key_compare(&x, &y);
  return order != 0 ? order : (left > right) - (left < right);
}

/* Sorts the inputs and pushes the root, which has every input at its first tier. */
static entropic_status start(entropic_context *context, ent_design_search *search) {
  entropic_design *design = search->design;
  size_t inputs = design->kernel->inputs;
  search->position_input = ent_new(context, inputs, sizeof *search->position_input);
  search->terms = ent_new(context, inputs, sizeof *search->terms);
  search->tiers = ent_new(context, inputs, sizeof *search->tiers);
  search->baseless = ent_new(context, inputs, sizeof *search->baseless);
  search->active = ent_new(context, inputs, sizeof *search->active);
  if (search->position_input == NULL || search->terms == NULL || search->tiers == NULL || search->baseless == NULL ||
      search->active == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_state root = {.prefix = NO_STATE}; /* only differences of keys matter: its own is 0 */
  for (size_t i = 0; i < inputs; i++) {
    const ent_ladder *ladder = &search->ladders->ladders[i];
    bool single = design->kernel->axes[i]->levels[ladder->tiers[0].level].info.atoms == 1;
    design->base[i] = single ? ladder->tiers[0].level : ENTROPIC_NO_LEVEL;
    if (!single)
      search->baseless[search->baseless_count++] = i;
    search->root_cost += ladder->tiers[0].feature_cost;
    if (ladder->count > 1)
      search->position_input[search->positions++] = i;
  }
  qsort_r(search->position_input, search->positions, sizeof *search->position_input, compare_positions,
          search->ladders);
  return push(context, search, root);
}

static bool is_full(const ent_design_search *search) {
  const entropic_design *design = search->design;
  return search->options->features > 0 ? design->features >= search->options->features
                                       : design->group_count >= search->options->nonzeros;
}

entropic_status ent_best_first(entropic_context *context, const entropic_design_options *options,
                               const ent_restriction *restriction, entropic_design *design) {
  ent_design_search search = {.options = options, .restriction = restriction, .design = design};
  entropic_status status = ent_ladders_create(context, design->kernel, options, &search.ladders);
  if (status != ENTROPIC_OK)
    goto done;
  if (restriction != NULL)
    status = ent_ladders_begin_constant(context, design->kernel, search.ladders);
  if (status != ENTROPIC_OK)
    goto done;
  status = start(context, &search);
  if (status != ENTROPIC_OK)
    goto done;
  while (search.heap_count > 0 && !is_full(&search)) {
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      goto done;
    uint32_t id = pop(&search);
    status = take(context, &search, id);
    if (status != ENTROPIC_OK)
      goto done;
    status = push_successors(context, &search, id);
    if (status != ENTROPIC_OK)
      goto done;
  }
  design->exhausted = !is_full(&search);
done:
  ent_ladders_free(search.ladders);
  ent_delete(search.position_input);
  ent_delete(search.baseless);
  ent_delete(search.states);
  ent_delete(search.heap);
  ent_delete(search.terms);
  ent_delete(search.tiers);
  ent_delete(search.active);
  return status;
}
