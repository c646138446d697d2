/* Sections about what was learnt: features or points, and weights. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "design/design.h"
#include "model/format.h"

/* A group on its way into a design. */
typedef struct ent_taking {
  entropic_design *design;
  const ent_schema *schema;
  size_t unbased; /* inputs without base level */
  entropic_term *terms;
  size_t term_count, term_capacity;
  uint64_t *members;
  size_t member_capacity;
} ent_taking;

/* Inputs that are not used stay at level 0, the constant. */
static void take_bases(ent_unpacker *unpacker, const entropic_model *model) {
  const ent_schema *schema = &model->schema;
  entropic_design *design = model->main.design;
  size_t left = ent_model_used(model);
  for (size_t i = ent_next_used(schema, 0); i < schema->inputs && ent_unpack_fine(unpacker);) {
    size_t at = unpacker->at, run = (size_t)ent_unpack_count(unpacker, 1, left, "a number of inputs");
    size_t level = (size_t)ent_unpack_count(unpacker, 0, ENT_LEVEL_LIMIT, "a base level");
    for (left -= run; run > 0 && ent_unpack_fine(unpacker); run--, i = ent_next_used(schema, i + 1)) {
      design->base[i] = level == 0 ? ENTROPIC_NO_LEVEL : level - 1;
      if (!ent_is_base(design->kernel, i, design->base[i]))
        ent_unpack_refuse(unpacker, at, "found base level %zu for input %zu, expected one it has, with a single atom",
                          level, i + 1);
    }
  }
}

static void take_terms(ent_unpacker *unpacker, ent_taking *taking) {
  const entropic_design *design = taking->design;
  size_t inputs = design->kernel->inputs, start = unpacker->at, next = 0;
  size_t count = ent_unpack_many(unpacker, 0, inputs, 2, "a number of terms");
  if (!ent_reserve(unpacker->context, &taking->terms, &taking->term_capacity, count, sizeof *taking->terms)) {
    ent_unpack_adopt(unpacker, start, ENTROPIC_NO_MEMORY);
    return;
  }
  taking->term_count = count;
  for (size_t i = 0; i < count && ent_unpack_fine(unpacker); i++) {
    size_t at = unpacker->at;
    entropic_term term = {.input = next + (size_t)ent_unpack_count(unpacker, 0, inputs, "the input of a term")};
    term.level = (size_t)ent_unpack_count(unpacker, 0, ENT_LEVEL_LIMIT, "the level of a term");
    if (ent_unpack_fine(unpacker) && !ent_is_term(design, next, term))
      ent_unpack_refuse(unpacker, at, "found level %zu of input %zu, expected a level it has besides its base level",
                        term.level + 1, term.input + 1);
    if (ent_unpack_fine(unpacker) && taking->schema->input[term.input].unused)
      ent_unpack_refuse(unpacker, at, "found a term of input %zu, expected one of an input that is used",
                        term.input + 1);
    taking->terms[i] = term;
    next = term.input + 1;
  }
  if (ent_unpack_fine(unpacker) && !ent_has_unbased(design, taking->terms, count, taking->unbased))
    ent_unpack_refuse(unpacker, start, "found no term of an input without base level, expected one");
}

/* Those of a group of which not all are in use. */
static void take_members(ent_unpacker *unpacker, ent_taking *taking, uint64_t atoms, size_t count) {
  size_t start = unpacker->at;
  if (!ent_reserve(unpacker->context, &taking->members, &taking->member_capacity, count, sizeof *taking->members)) {
    ent_unpack_adopt(unpacker, start, ENTROPIC_NO_MEMORY);
    return;
  }
  uint64_t next = 0;
  for (size_t i = 0; i < count && ent_unpack_fine(unpacker); i++) {
    size_t at = unpacker->at;
    uint64_t gap = ent_unpack_count(unpacker, 0, ENT_MAX_ATOMS, "a member of a group");
    if (gap >= atoms - next) {
      ent_unpack_refuse(unpacker, at, "found a member beyond the %llu atoms of its group", (unsigned long long)atoms);
      return;
    }
    taking->members[i] = next + gap;
    next += gap + 1;
  }
}

static void take_group(ent_unpacker *unpacker, ent_taking *taking) {
  size_t start = unpacker->at;
  int64_t cost = ent_unpack_signed(unpacker, "the cost of a group");
  take_terms(unpacker, taking);
  size_t at = unpacker->at;
  size_t features = ent_unpack_many(unpacker, 0, ENT_MAX_FEATURES, 1, "a number of members");
  if (!ent_unpack_fine(unpacker))
    return;
  uint64_t atoms = ent_atoms(taking->design->kernel, taking->terms, taking->term_count);
  bool all = features == 0;
  if (all && atoms > ENT_MAX_FEATURES)
    ent_unpack_refuse(unpacker, at, "found a group of %llu features, expected at most %zu", (unsigned long long)atoms,
                      ENT_MAX_FEATURES);
  else if (all)
    features = (size_t)atoms;
  else
    take_members(unpacker, taking, atoms, features);
  if (ent_unpack_fine(unpacker))
    ent_unpack_adopt(unpacker, start,
                     ent_design_append(unpacker->context, taking->design, taking->terms, taking->term_count, cost,
                                       all ? NULL : taking->members, features));
}

static void finish_design(ent_unpacker *unpacker, size_t at, entropic_design *design) {
  size_t repeated = SIZE_MAX;
  if (ent_unpack_fine(unpacker))
    ent_unpack_adopt(unpacker, at, ent_design_finish(unpacker->context, design));
  if (ent_unpack_fine(unpacker))
    ent_unpack_adopt(unpacker, at, ent_design_find_repeat(unpacker->context, design, &repeated));
  if (repeated != SIZE_MAX)
    ent_unpack_refuse(unpacker, at, "found group %zu, of which the terms stand in another one too", repeated + 1);
}

void ent_load_design(ent_unpacker *unpacker, entropic_model *model) {
  size_t start = unpacker->at;
  uint64_t criterion = ent_unpack_byte(unpacker, ENTROPIC_CRITERION_L2, ENT_CRITERION_RESIDUAL, "a criterion");
  int exhausted = (int)ent_unpack_byte(unpacker, 0, 1, "whether there were no more features");
  if (!ent_unpack_fine(unpacker))
    return;
  ent_taking taking = {.design = ent_design_new(unpacker->context, model->main.kernel, (entropic_criterion)criterion),
                       .schema = &model->schema};
  model->main.design = taking.design;
  if (taking.design == NULL) {
    ent_unpack_adopt(unpacker, start, ENTROPIC_NO_MEMORY);
    return;
  }
  taking.design->exhausted = exhausted;
  take_bases(unpacker, model);
  taking.unbased = ent_design_unbased(taking.design);
  size_t at = unpacker->at, least = unpacker->version >= 4 ? 0 : 1;
  size_t groups = ent_unpack_many(unpacker, least, ENT_MAX_FEATURES, 3, "a number of groups");
  for (size_t i = 0; i < groups && ent_unpack_fine(unpacker); i++)
    take_group(unpacker, &taking);
  finish_design(unpacker, at, taking.design);
  model->main.features = taking.design->features;
  ent_delete(taking.terms);
  ent_delete(taking.members);
}

void ent_load_points(ent_unpacker *unpacker, entropic_model *model) {
  size_t inputs = model->schema.inputs;
  model->main.features = ent_unpack_many(unpacker, 1, ENT_MAX_FEATURES, 8 * inputs, "a number of points");
  size_t at = unpacker->at;
  model->main.centres = ent_unpack_doubles(unpacker, model->main.features * inputs, true, "a scaled value");
  for (size_t i = 0; ent_unpack_fine(unpacker) && i < model->main.features * inputs; i++)
    if (!ent_accepts(model->main.kernel->axes[i % inputs], model->main.centres[i]))
      ent_unpack_refuse(unpacker, at + 8 * i, "found nan, expected a scaled value, a finite number");
}

/* Lower and upper; either may be infinite, which is none. */
static void take_bounds(ent_unpacker *unpacker, double *bounds) {
  size_t at = unpacker->at;
  for (size_t i = 0; i < 2; i++) {
    uint64_t bits = ent_unpack_u64(unpacker, "a bound of predictions");
    memcpy(&bounds[i], &bits, sizeof bits);
  }
  if (ent_unpack_fine(unpacker) && !(bounds[0] <= bounds[1] && bounds[0] < INFINITY && bounds[1] > -INFINITY))
    ent_unpack_refuse(unpacker, at, "found bounds of %g and %g, expected a lower one that is not above the upper one",
                      bounds[0], bounds[1]);
}

void ent_load_weights(ent_unpacker *unpacker, entropic_model *model) {
  bool bounds = unpacker->version >= 4 && ent_unpack_byte(unpacker, 0, 1, "whether predictions have bounds") == 1;
  size_t start = unpacker->at, left = ent_unpack_left(unpacker), needed;
  if (bounds && ent_schema_has_classes(&model->schema))
    ent_unpack_refuse(unpacker, start - 1, "found bounds of predictions, expected none with classes");
  if (!ent_multiply(model->main.features + (bounds ? 3 : 1), model->scores, &needed) ||
      !ent_multiply(needed, 8, &needed) || needed != left)
    ent_unpack_refuse(unpacker, start, "found %zu bytes of weights, expected %zu weights and %s for each of %zu", left,
                      model->main.features, bounds ? "an offset and two bounds" : "an offset", model->scores);
  if (!ent_unpack_fine(unpacker))
    return;
  model->main.weights = ent_new(unpacker->context, model->scores * model->main.features, sizeof *model->main.weights);
  model->offsets = ent_new(unpacker->context, model->scores, sizeof *model->offsets);
  if (bounds)
    model->bounds = ent_new(unpacker->context, 2 * model->scores, sizeof *model->bounds);
  if (model->main.weights == NULL || model->offsets == NULL || (bounds && model->bounds == NULL)) {
    ent_unpack_adopt(unpacker, start, ENTROPIC_NO_MEMORY);
    return;
  }
  for (size_t k = 0; k < model->scores; k++) {
    model->offsets[k] = ent_unpack_double(unpacker, "an offset");
    if (bounds)
      take_bounds(unpacker, model->bounds + 2 * k);
    for (size_t i = 0; i < model->main.features; i++)
      model->main.weights[k * model->main.features + i] = ent_unpack_double(unpacker, "a weight");
  }
}

void ent_load_beyond(ent_unpacker *unpacker, entropic_model *model) {
  size_t at = unpacker->at, count = 0;
  for (size_t i = 0; i < model->schema.inputs && ent_unpack_fine(unpacker); i++) {
    bool possible = ent_design_line(model->main.design, i) != SIZE_MAX && ent_scaler_has_slope(model->main.scaler, i);
    if (ent_unpack_byte(unpacker, 0, possible ? 1 : 0, "whether the line of an input goes on") == 0)
      continue;
    count++;
    ent_unpack_adopt(unpacker, unpacker->at - 1, ent_component_go_beyond(unpacker->context, &model->main, i));
  }
  if (ent_unpack_fine(unpacker) && count == 0)
    ent_unpack_refuse(unpacker, at, "found no input whose line goes on, expected one or no such section");
}
