/* Making the plan: factors, then the steps in an order in which every parent comes before its children and columns come
 * out ascending. */
#include <stdlib.h>

#include "lift/tree.h"

enum { SLOT_ONES = 0, SLOT_ROOT = 1, SLOTS_FIXED = 2 };

typedef struct ent_planner {
  entropic_context *context;
  const entropic_design *design;
  entropic_lift *lift;
  uint32_t **level_factor; /* by input and level: the factor, ENT_NONE before it has one; inputs not in use: NULL */
  uint32_t *beyond_factor; /* by input: the line of its own that goes on; ENT_NONE if there is none */
  uint32_t *factor_of;     /* by term of the design */
  uint32_t *branches_of;   /* by factor: how many branches end with it */
  size_t factor_capacity, node_capacity, run_capacity, place_capacity, table_capacity;
  size_t place_count, table_count;
  ent_tree tree;
} ent_planner;

static bool is_one(const ent_level *level) {
  return level->shape == ENT_SHAPE_ONE;
}

/* ---- Factors ---- */

/* Whether a term is all of a group, the line of an input that goes on. */
static bool goes_beyond(const entropic_design *design, size_t group) {
  return design->beyond != NULL && design->beyond[design->terms[design->groups[group].first_term].input] &&
         ent_design_is_line(design, group);
}

/* beyond: a line of its own is wanted, apart from that of products. */
static entropic_status use_factor(ent_planner *planner, size_t input, size_t level, bool beyond, uint32_t *factor) {
  entropic_lift *lift = planner->lift;
  const ent_axis *axis = planner->design->kernel->axes[input];
  if (planner->level_factor[input] == NULL) {
    uint32_t *map = ent_new(planner->context, axis->level_count, sizeof *map);
    if (map == NULL)
      return ENTROPIC_NO_MEMORY;
    for (size_t i = 0; i < axis->level_count; i++)
      map[i] = ENT_NONE;
    planner->level_factor[input] = map;
    lift->column_input[lift->column_count++] = (uint32_t)input;
  }
  uint32_t *known = beyond ? &planner->beyond_factor[input] : &planner->level_factor[input][level];
  if (*known == ENT_NONE) {
    if (!ent_reserve(planner->context, &lift->factors, &planner->factor_capacity, lift->factor_count + 1,
                     sizeof *lift->factors))
      return ENTROPIC_NO_MEMORY;
    *known = lift->factor_count++;
    lift->factors[*known] = (ent_factor){.axis = axis,
                                         .level = &axis->levels[level],
                                         .column = (uint32_t)input /* until all are known */,
                                         .base = ENT_NONE,
                                         .in_slot = true};
  }
  *factor = *known;
  return ENTROPIC_OK;
}

static int compare_inputs(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Inputs in use in ascending order, so that a tile can be loaded four neighbours at a time; factors learn their column,
 * base and slot. */
static void number_columns(ent_planner *planner) {
  entropic_lift *lift = planner->lift;
  const entropic_design *design = planner->design;
  qsort(lift->column_input, lift->column_count, sizeof *lift->column_input, compare_inputs);
  lift->slot_count = SLOTS_FIXED;
  lift->atom_slot_count = 1;
  for (uint32_t c = 0; c < lift->column_count; c++) {
    size_t input = lift->column_input[c], base = design->base[input];
    const ent_axis *axis = design->kernel->axes[input];
    uint32_t divisor = ENT_NONE;
    if (base != ENTROPIC_NO_LEVEL && !is_one(&axis->levels[base]))
      divisor = planner->level_factor[input][base];
    for (size_t level = 0; level < axis->level_count; level++) {
      uint32_t at = planner->level_factor[input][level];
      if (at == ENT_NONE)
        continue;
      lift->factors[at].column = lift->factors[at].values = c;
      lift->factors[at].slot = lift->slot_count++;
      if (lift->factors[at].level->info.atoms > 1)
        lift->factors[at].atom_slot = lift->atom_slot_count++;
      lift->factors[at].base = at == divisor ? ENT_NONE : divisor;
    }
    if (divisor != ENT_NONE)
      lift->bases[lift->base_count++] = divisor;
    uint32_t beyond = planner->beyond_factor[input];
    if (beyond == ENT_NONE)
      continue;
    lift->factors[beyond].column = c;
    lift->factors[beyond].values = lift->column_count + lift->beyond_count;
    lift->factors[beyond].slot = lift->slot_count++;
    lift->beyond[lift->beyond_count++] = c;
  }
}

static entropic_status collect_factors(ent_planner *planner) {
  const entropic_design *design = planner->design;
  const entropic_kernel *kernel = design->kernel;
  entropic_lift *lift = planner->lift;
  lift->column_input = ent_new(planner->context, kernel->inputs, sizeof *lift->column_input);
  lift->bases = ent_new(planner->context, kernel->inputs, sizeof *lift->bases);
  lift->beyond = ent_new(planner->context, kernel->inputs, sizeof *lift->beyond);
  planner->beyond_factor = ent_new(planner->context, kernel->inputs, sizeof *planner->beyond_factor);
  planner->level_factor = ent_new(planner->context, kernel->inputs, sizeof *planner->level_factor);
  planner->factor_of = ent_new(planner->context, design->term_count, sizeof *planner->factor_of);
  if (lift->column_input == NULL || lift->bases == NULL || lift->beyond == NULL || planner->beyond_factor == NULL ||
      planner->level_factor == NULL || planner->factor_of == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t input = 0; input < kernel->inputs; input++)
    planner->beyond_factor[input] = ENT_NONE;
  for (size_t input = 0; input < kernel->inputs; input++) {
    size_t base = design->base[input];
    uint32_t ignored;
    if (base == ENTROPIC_NO_LEVEL || is_one(&kernel->axes[input]->levels[base]))
      continue;
    entropic_status status = use_factor(planner, input, base, false, &ignored);
    if (status != ENTROPIC_OK)
      return status;
  }
  for (size_t g = 0; g < design->group_count; g++)
    for (size_t t = 0; t < design->groups[g].term_count; t++) {
      size_t i = design->groups[g].first_term + t;
      entropic_status status = use_factor(planner, design->terms[i].input, design->terms[i].level,
                                          t == 0 && goes_beyond(design, g), &planner->factor_of[i]);
      if (status != ENTROPIC_OK)
        return status;
    }
  number_columns(planner);
  return ENTROPIC_OK;
}

/* ---- Columns of a group's atoms ---- */

static entropic_status add_table(ent_planner *planner, ent_node *node, uint64_t atoms) {
  entropic_lift *lift = planner->lift;
  if (!ent_reserve(planner->context, &lift->tables, &planner->table_capacity, planner->table_count + (size_t)atoms,
                   sizeof *lift->tables))
    return ENTROPIC_NO_MEMORY;
  node->lookup = ENT_LOOKUP_TABLE;
  node->places = planner->table_count;
  for (uint64_t i = 0; i < atoms; i++)
    lift->tables[planner->table_count++] = -1;
  return ENTROPIC_OK;
}

static int compare_places(const void *a, const void *b) {
  const ent_place *x = a, *y = b;
  return (x->atom > y->atom) - (x->atom < y->atom);
}

/* A table where it is small against the columns it serves, otherwise a sorted list. */
static entropic_status add_lookup(ent_planner *planner, const ent_branch *branch, ent_node *node) {
  const entropic_design *design = planner->design;
  entropic_lift *lift = planner->lift;
  uint64_t atoms = design->groups[planner->tree.order[branch->group_begin]].atoms;
  size_t features = 0;
  for (size_t i = branch->group_begin; i < branch->group_end; i++)
    features += design->groups[planner->tree.order[i]].features;
  node->count = (int32_t)features;
  bool table = atoms <= 4 * (uint64_t)features + 64;
  if (table) {
    entropic_status status = add_table(planner, node, atoms);
    if (status != ENTROPIC_OK)
      return status;
  } else {
    if (!ent_reserve(planner->context, &lift->places, &planner->place_capacity, planner->place_count + features,
                     sizeof *lift->places))
      return ENTROPIC_NO_MEMORY;
    node->lookup = ENT_LOOKUP_LIST;
    node->places = planner->place_count;
  }
  for (size_t i = branch->group_begin; i < branch->group_end; i++) {
    const ent_group *group = &design->groups[planner->tree.order[i]];
    for (size_t j = 0; j < group->features; j++) {
      ent_place place = {.atom = design->members[group->first_member + j],
                         .column = (int32_t)(group->first_feature + j)};
      if (table)
        lift->tables[node->places + place.atom] = place.column;
      else
        lift->places[planner->place_count++] = place;
    }
  }
  if (!table)
    qsort(lift->places + node->places, features, sizeof *lift->places, compare_places);
  return ENTROPIC_OK;
}

static const ent_group *first_group(const ent_planner *planner, const ent_branch *branch) {
  return &planner->design->groups[planner->tree.order[branch->group_begin]];
}

static bool is_alone(const ent_branch *branch) {
  return branch->group_end - branch->group_begin == 1;
}

/* Whether the columns of a branch are one after the other those of the first atoms, or of all. */
static bool is_range(const ent_planner *planner, const ent_branch *branch) {
  const ent_group *group = first_group(planner, branch);
  return is_alone(branch) &&
         (group->first_member == ENT_ALL_MEMBERS ||
          planner->design->members[group->first_member + group->features - 1] + 1 == group->features);
}

static entropic_status set_lookup(ent_planner *planner, const ent_branch *branch, ent_node *node) {
  const ent_group *group = first_group(planner, branch);
  node->first = (int32_t)group->first_feature;
  node->count = (int32_t)group->features;
  if (!is_alone(branch))
    planner->lift->unsorted = true;
  if (!is_range(planner, branch))
    return add_lookup(planner, branch, node);
  node->lookup = group->atoms == 1 ? ENT_LOOKUP_ONE : ENT_LOOKUP_RANGE;
  return ENTROPIC_OK;
}

/* ---- Steps ---- */

/* Under a root of all ones a branch is its one factor: nothing to multiply, and nothing to keep twice. */
static bool is_bare(const ent_planner *planner, const ent_branch *branch) {
  return branch->parent == 0 && planner->lift->base_count == 0;
}

/* A factor that serves a single node as it is needs no slot. Where rows must be looked at, that is done in slots. */
static bool is_direct(const ent_planner *planner, const ent_branch *branch) {
  const ent_level *level = planner->lift->factors[branch->factor].level;
  bool quick = level->shape == ENT_SHAPE_LINE || (level->shape == ENT_SHAPE_HAT && level->info.atoms <= ENT_DIRECT);
  return quick && is_bare(planner, branch) && planner->branches_of[branch->factor] == 1 && !branch->has_children &&
         !planner->lift->careful && is_range(planner, branch);
}

/* Where the vectors of a branch come from and where they are kept. */
static void set_sources(ent_planner *planner, ent_branch *branch, ent_node *node) {
  entropic_lift *lift = planner->lift;
  ent_factor *factor = &lift->factors[branch->factor];
  const ent_branch *parent = &planner->tree.branches[branch->parent];
  bool new_atoms = factor->level->info.atoms > 1;
  node->parent = is_bare(planner, branch) ? SLOT_ONES : parent->slot;
  node->factor_slot = factor->slot;
  node->atoms = branch->atom_slot = new_atoms ? factor->atom_slot : parent->atom_slot;
  if (is_direct(planner, branch)) {
    node->step = factor->level->shape == ENT_SHAPE_LINE ? ENT_STEP_LINE
                 : factor->level->info.order == 1       ? ENT_STEP_HAT
                                                        : ENT_STEP_HATS;
    node->column = factor->values;
    node->scale = factor->level->scale;
    node->centre = node->step == ENT_STEP_HATS ? (double)factor->level->info.atoms : factor->level->centre;
    factor->in_slot = false;
  }
  if (new_atoms && parent->atom_slot != ENT_NONE) {
    node->factor = branch->factor;
    node->parent_atoms = parent->atom_slot;
    node->atoms = branch->atom_slot = branch->has_children ? lift->atom_slot_count++ : 0;
  }
  if (branch->has_children)
    branch->slot = is_bare(planner, branch) ? factor->slot : (node->store = lift->slot_count++);
}

static entropic_status add_node(ent_planner *planner, uint32_t at, bool emit) {
  entropic_lift *lift = planner->lift;
  ent_branch *branch = &planner->tree.branches[at];
  if (!ent_reserve(planner->context, &lift->nodes, &planner->node_capacity, lift->node_count + 1, sizeof *lift->nodes))
    return ENTROPIC_NO_MEMORY;
  ent_node node = {.step = ENT_STEP_ANY,
                   .parent = branch->slot,
                   .factor_slot = SLOT_ONES,
                   .store = ENT_NONE,
                   .atoms = branch->atom_slot,
                   .factor = ENT_NONE,
                   .parent_atoms = ENT_NONE,
                   .emit = ENT_NONE};
  if (branch->slot == ENT_NONE) /* otherwise it is there already: a copy will do */
    set_sources(planner, branch, &node);
  if (emit) {
    entropic_status status = set_lookup(planner, branch, &node);
    if (status != ENTROPIC_OK)
      return status;
    node.emit = lift->emit_count;
    lift->emit_nodes[lift->emit_count++] = (uint32_t)lift->node_count;
  }
  lift->nodes[lift->node_count++] = node;
  return ENTROPIC_OK;
}

/* Makes sure that the vector of a branch is kept before a child needs it. */
static entropic_status need(ent_planner *planner, uint32_t at) {
  ent_branch *branch = &planner->tree.branches[at];
  if (branch->slot != ENT_NONE)
    return ENTROPIC_OK;
  if (is_bare(planner, branch)) {
    const ent_factor *factor = &planner->lift->factors[branch->factor];
    branch->slot = factor->slot;
    branch->atom_slot = factor->level->info.atoms > 1 ? factor->atom_slot : ENT_NONE;
    return ENTROPIC_OK;
  }
  entropic_status status = need(planner, branch->parent);
  if (status != ENTROPIC_OK)
    return status;
  return add_node(planner, at, false);
}

static entropic_status add_nodes(ent_planner *planner) {
  const entropic_design *design = planner->design;
  entropic_lift *lift = planner->lift;
  ent_tree *tree = &planner->tree;
  tree->branches[0].slot = SLOT_ROOT;
  lift->emit_nodes = ent_new(planner->context, design->nonzeros, sizeof *lift->emit_nodes);
  lift->emit_terms = ent_new(planner->context, design->nonzeros + 1, sizeof *lift->emit_terms);
  lift->term_factors = ent_new(planner->context, design->term_count, sizeof *lift->term_factors);
  lift->emit_columns = ent_new(planner->context, design->nonzeros, sizeof *lift->emit_columns);
  if (lift->emit_nodes == NULL || lift->emit_terms == NULL || lift->term_factors == NULL || lift->emit_columns == NULL)
    return ENTROPIC_NO_MEMORY;
  size_t terms = 0;
  for (size_t g = 0; g < design->group_count; g++) {
    uint32_t at = tree->group_branch[g];
    if (tree->order[tree->branches[at].group_begin] != g)
      continue; /* written by the first group of the same terms */
    entropic_status status = at == 0 ? ENTROPIC_OK : need(planner, tree->branches[at].parent);
    if (status != ENTROPIC_OK)
      return status;
    status = add_node(planner, at, true);
    if (status != ENTROPIC_OK)
      return status;
    const ent_node *node = &lift->nodes[lift->node_count - 1];
    lift->emit_columns[node->emit] = node->lookup == ENT_LOOKUP_ONE ? node->first : -1;
    for (size_t t = 0; t < design->groups[g].term_count; t++)
      lift->term_factors[terms++] = planner->factor_of[design->groups[g].first_term + t];
    lift->emit_terms[lift->emit_count] = terms;
  }
  return ENTROPIC_OK;
}

/* The most special step that does what the node must; lines and hats know theirs already. */
static ent_lift_step choose_step(const ent_node *node) {
  bool one = node->lookup == ENT_LOOKUP_ONE, builds = node->store != ENT_NONE || node->factor != ENT_NONE;
  if (node->step != ENT_STEP_ANY || node->emit == ENT_NONE)
    return node->step;
  if (one && !builds)
    return ENT_STEP_PRODUCT;
  bool few = one || (node->lookup == ENT_LOOKUP_RANGE && node->count <= ENT_FEW);
  if (few && !builds && node->parent == SLOT_ONES)
    return ENT_STEP_SPREAD;
  return few ? ENT_STEP_FEW : ENT_STEP_ANY;
}

static entropic_status add_runs(ent_planner *planner) {
  entropic_lift *lift = planner->lift;
  for (size_t i = 0; i < lift->node_count; i++) {
    ent_node *node = &lift->nodes[i];
    const ent_node *before = node - 1;
    node->step = choose_step(node);
    ent_run *last = lift->run_count > 0 ? &lift->runs[lift->run_count - 1] : NULL;
    if (last != NULL && last->step == node->step && node->step != ENT_STEP_ANY &&
        node->first == before->first + before->count) {
      last->nodes++;
      continue;
    }
    if (!ent_reserve(planner->context, &lift->runs, &planner->run_capacity, lift->run_count + 1, sizeof *lift->runs))
      return ENTROPIC_NO_MEMORY;
    lift->runs[lift->run_count++] = (ent_run){.first_node = (uint32_t)i, .nodes = 1, .step = node->step};
  }
  return ENTROPIC_OK;
}

/* ---- Whether rows need to be looked at ---- */

static long exponent_bound(const ent_level *level) {
  long low = -(long)level->floor, high = level->ceiling;
  return low > high ? low : high;
}

/* Products along the tree are products of one value for each input: bases, but for a group's terms. If the most extreme
 * of these stays well inside the range of double, no row needs care but those with tiny inputs. */
static bool must_be_careful(const ent_planner *planner) {
  const entropic_lift *lift = planner->lift;
  long bases = 0;
  for (uint32_t i = 0; i < lift->base_count; i++) {
    const ent_level *level = lift->factors[lift->bases[i]].level;
    if (level->vanishes)
      return true;
    bases += exponent_bound(level);
  }
  for (size_t g = 0; g < planner->design->group_count; g++) {
    const ent_group *group = &planner->design->groups[g];
    long sum = bases;
    for (size_t t = 0; t < group->term_count; t++) {
      const ent_factor *factor = &lift->factors[planner->factor_of[group->first_term + t]];
      sum += exponent_bound(factor->level);
      if (factor->base != ENT_NONE)
        sum += exponent_bound(lift->factors[factor->base].level);
    }
    if (sum > 900)
      return true;
  }
  return false;
}

static entropic_status count_branches(ent_planner *planner) {
  planner->branches_of = ent_new(planner->context, planner->lift->factor_count, sizeof *planner->branches_of);
  if (planner->branches_of == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 1; i < planner->tree.count; i++)
    planner->branches_of[planner->tree.branches[i].factor]++;
  return ENTROPIC_OK;
}

entropic_status ent_plan(entropic_context *context, const entropic_design *design, entropic_lift *lift) {
  ent_planner planner = {.context = context, .design = design, .lift = lift};
  lift->inputs = design->kernel->inputs;
  lift->features = design->features;
  for (size_t i = 0; i < design->kernel->distinct_count; i++)
    lift->missing |= design->kernel->distinct[i]->options.missing != 0;
  entropic_status status = collect_factors(&planner);
  if (status != ENTROPIC_OK)
    goto done;
  lift->careful = must_be_careful(&planner);
  status = ent_tree_build(context, &(ent_tree_terms){design, planner.factor_of, lift->factors}, &planner.tree);
  if (status != ENTROPIC_OK)
    goto done;
  status = count_branches(&planner);
  if (status != ENTROPIC_OK)
    goto done;
  status = add_nodes(&planner);
  if (status != ENTROPIC_OK)
    goto done;
  status = add_runs(&planner);
done:
  ent_tree_free(&planner.tree);
  for (size_t i = 0; planner.level_factor != NULL && i < design->kernel->inputs; i++)
    ent_delete(planner.level_factor[i]);
  ent_delete(planner.level_factor);
  ent_delete(planner.beyond_factor);
  ent_delete(planner.factor_of);
  ent_delete(planner.branches_of);
  return status;
}
