/* The marginals of a model: see marginals.h. */
#include "model/marginals.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"

#define BLOCK_ROWS ((size_t)4096) /* taken from a source at a time */

void ent_marginals_free(ent_marginals *marginals) {
  if (marginals == NULL)
    return;
  for (size_t i = 0; marginals->input != NULL && i < marginals->inputs; i++) {
    ent_marginal *m = &marginals->input[i];
    ent_delete(m->levels);
    ent_delete(m->first);
    ent_delete(m->atoms);
    ent_delete(m->places);
    ent_delete(m->means);
    ent_delete(m->partners);
    ent_delete(m->products);
    ent_delete(m->all);
  }
  for (size_t c = 0; marginals->parts != NULL && c < marginals->part_count; c++)
    ent_marginals_free(marginals->parts[c]);
  ent_delete(marginals->parts);
  ent_delete(marginals->input);
  ent_delete(marginals);
}

/* ---- The atoms in use ---- */

/* An atom of an input. */
typedef struct ent_use {
  uint64_t atoms; /* that its level has: levels are ordered by it */
  size_t level;
  uint64_t atom;
} ent_use;

typedef struct ent_uses {
  ent_use *list;
  size_t count, capacity;
} ent_uses;

static int compare_uses(const void *a, const void *b) {
  const ent_use *x = a, *y = b;
  if (x->atoms != y->atoms)
    return x->atoms < y->atoms ? -1 : 1;
  if (x->level != y->level)
    return x->level < y->level ? -1 : 1;
  return x->atom < y->atom ? -1 : x->atom > y->atom;
}

static entropic_status add_use(entropic_context *context, const entropic_kernel *kernel, entropic_term term,
                               uint64_t atom, ent_uses *uses) {
  if (!ent_reserve(context, &uses->list, &uses->capacity, uses->count + 1, sizeof *uses->list))
    return ENTROPIC_NO_MEMORY;
  uint64_t atoms = kernel->axes[term.input]->levels[term.level].info.atoms;
  uses->list[uses->count++] = (ent_use){.atoms = atoms, .level = term.level, .atom = atom};
  return ENTROPIC_OK;
}

/* The atoms of a feature of a group, for each of its terms. */
static entropic_status add_feature(entropic_context *context, const entropic_design *design, const ent_group *group,
                                   uint64_t member, ent_uses *uses) {
  for (size_t t = group->term_count; t > 0; t--) {
    entropic_term term = design->terms[group->first_term + t - 1];
    uint64_t atoms = design->kernel->axes[term.input]->levels[term.level].info.atoms;
    entropic_status status = add_use(context, design->kernel, term, member % atoms, &uses[term.input]);
    if (status != ENTROPIC_OK)
      return status;
    member /= atoms;
  }
  return ENTROPIC_OK;
}

static entropic_status list_uses(entropic_context *context, const entropic_design *design, ent_uses *uses) {
  for (size_t i = 0; i < design->kernel->inputs; i++) {
    size_t base = design->base[i];
    if (base == ENTROPIC_NO_LEVEL || design->kernel->axes[i]->levels[base].shape == ENT_SHAPE_ONE)
      continue;
    entropic_status status = add_use(context, design->kernel, (entropic_term){.input = i, .level = base}, 0, &uses[i]);
    if (status != ENTROPIC_OK)
      return status;
  }
  for (size_t g = 0; g < design->group_count; g++) {
    const ent_group *group = &design->groups[g];
    for (size_t f = 0; f < group->features; f++) {
      uint64_t member = group->first_member == ENT_ALL_MEMBERS ? f : design->members[group->first_member + f];
      entropic_status status = add_feature(context, design, group, member, uses);
      if (status != ENTROPIC_OK)
        return status;
    }
  }
  return ENTROPIC_OK;
}

/* Sorts the atoms of an input, without repeats. Returns how many levels they have. */
static size_t sort_uses(ent_uses *uses) {
  size_t kept = 0, levels = 0;
  if (uses->count > 0)
    qsort(uses->list, uses->count, sizeof *uses->list, compare_uses);
  for (size_t i = 0; i < uses->count; i++) {
    if (kept > 0 && compare_uses(&uses->list[kept - 1], &uses->list[i]) == 0)
      continue;
    levels += kept == 0 || uses->list[kept - 1].level != uses->list[i].level;
    uses->list[kept++] = uses->list[i];
  }
  uses->count = kept;
  return levels;
}

static entropic_status marginal_start(entropic_context *context, ent_uses *uses, ent_marginal *m) {
  size_t levels = sort_uses(uses), count = uses->count;
  if (count >= ENT_NO_ATOM)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "%zu atoms of an input", count);
  *m = (ent_marginal){.level_count = levels, .count = count};
  m->levels = ent_new(context, levels, sizeof *m->levels);
  m->first = ent_new(context, levels + 1, sizeof *m->first);
  m->atoms = ent_new(context, count, sizeof *m->atoms);
  m->places = ent_new(context, count, sizeof *m->places);
  m->means = ent_new(context, count, sizeof *m->means);
  m->partners = ent_new_matrix(context, count, levels, sizeof *m->partners);
  m->products = ent_new_matrix(context, count, levels, sizeof *m->products);
  if (m->levels == NULL || m->first == NULL || m->atoms == NULL || m->places == NULL || m->means == NULL ||
      m->partners == NULL || m->products == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0, level = 0; i < count; i++) {
    if (i == 0 || uses->list[i].level != uses->list[i - 1].level) {
      m->levels[level] = uses->list[i].level;
      m->first[level++] = i;
    }
    m->atoms[i] = uses->list[i].atom;
    m->places[i] = (uint32_t)(level - 1);
  }
  m->first[levels] = count;
  for (size_t i = 0; i < count * levels; i++)
    m->partners[i] = ENT_NO_ATOM;
  return ENTROPIC_OK;
}

entropic_status ent_marginals_create(entropic_context *context, const entropic_design *design,
                                     ent_marginals **marginals) {
  size_t inputs = design->kernel->inputs;
  ent_uses *uses = ent_new(context, inputs, sizeof *uses);
  ent_marginals *made = ent_new(context, 1, sizeof *made);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (uses == NULL || made == NULL)
    goto done;
  made->inputs = inputs;
  made->input = ent_new(context, inputs, sizeof *made->input);
  if (made->input == NULL)
    goto done;
  status = list_uses(context, design, uses);
  for (size_t i = 0; i < inputs && status == ENTROPIC_OK; i++)
    status = marginal_start(context, &uses[i], &made->input[i]);
  if (status != ENTROPIC_OK)
    goto done;
  *marginals = made;
  made = NULL;
done:
  for (size_t i = 0; uses != NULL && i < inputs; i++)
    ent_delete(uses[i].list);
  ent_delete(uses);
  ent_marginals_free(made);
  return status;
}

uint32_t ent_marginal_in_level(const ent_marginal *marginal, size_t place, uint64_t atom) {
  size_t low = marginal->first[place], high = marginal->first[place + 1];
  if (atom < high - low && marginal->atoms[low + atom] == atom) /* mostly the first atoms of a level are all in use */
    return (uint32_t)(low + atom);
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (marginal->atoms[middle] < atom)
      low = middle + 1;
    else
      high = middle;
  }
  return low < marginal->first[place + 1] && marginal->atoms[low] == atom ? (uint32_t)low : ENT_NO_ATOM;
}

uint32_t ent_marginal_find(const ent_marginal *marginal, size_t level, uint64_t atom) {
  for (size_t p = 0; p < marginal->level_count; p++)
    if (marginal->levels[p] == level)
      return ent_marginal_in_level(marginal, p, atom);
  return ENT_NO_ATOM;
}

/* ---- Rows ---- */

typedef struct ent_marginal_rows {
  const ent_marginals *marginals;
  const entropic_kernel *kernel;
  const ent_block *rows;
  const size_t *used; /* the inputs in use */
  ent_marginal_adding adding;
} ent_marginal_rows;

size_t ent_marginal_step_row(const ent_marginal *m, const ent_marginal_step *step, size_t row) {
  size_t count = 0;
  for (size_t p = 0; p < m->level_count; p++) {
    size_t at = p * ENT_MARGINAL_STEP + row;
    step->row[count] = (ent_marginal_atom){p, step->atoms[at], step->values[at]};
    count += step->row[count].atom != ENT_NO_ATOM && step->row[count].value != 0;
  }
  return count;
}

/* Adds up some rows of an input; false if levels are not nested. */
static bool add_step(void *self, size_t input, const ent_marginal_step *step, const double *weights, size_t rows) {
  ent_marginal *m = &((ent_marginals *)self)->input[input];
  size_t levels = m->level_count;
  const ent_marginal_atom *row = step->row;
  for (size_t r = 0; r < rows; r++) {
    size_t count = ent_marginal_step_row(m, step, r);
    for (size_t i = 0; i < count; i++) {
      double value = row[i].value * (weights == NULL ? 1 : weights[r]);
      uint32_t *partners = m->partners + row[i].atom * levels;
      double *products = m->products + row[i].atom * levels;
      m->means[row[i].atom] += value;
      for (size_t k = 0; k <= i; k++) {
        if (partners[row[k].level] != row[k].atom && partners[row[k].level] != ENT_NO_ATOM)
          return false;
        partners[row[k].level] = row[k].atom;
        products[row[k].level] += value * row[k].value;
      }
    }
  }
  return true;
}

static void evaluate_step(const ent_marginal *m, const ent_axis *axis, const double *x, size_t rows,
                          const ent_marginal_step *step) {
  for (size_t p = 0; p < m->level_count; p++) {
    const ent_level *level = &axis->levels[m->levels[p]];
    uint32_t *atoms = step->atoms + p * ENT_MARGINAL_STEP;
    level->evaluate(axis, level, x, rows, atoms, step->values + p * ENT_MARGINAL_STEP);
    for (size_t r = 0; r < rows; r++)
      atoms[r] = ent_marginal_in_level(m, p, atoms[r]);
  }
}

/* All rows of an input. */
static entropic_status add_input(entropic_context *context, void *shared, size_t task, int worker) {
  (void)worker;
  const ent_marginal_rows *job = shared;
  const ent_block *block = job->rows;
  size_t input = job->used[task];
  const ent_marginal *m = &job->marginals->input[input];
  ent_marginal_step step = {.atoms = ent_new_matrix(context, m->level_count, ENT_MARGINAL_STEP, sizeof *step.atoms),
                            .values = ent_new_matrix(context, m->level_count, ENT_MARGINAL_STEP, sizeof *step.values),
                            .row = ent_new(context, m->level_count + 1, sizeof *step.row)};
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (step.atoms == NULL || step.values == NULL || step.row == NULL)
    goto done;
  status = ENTROPIC_OK;
  for (size_t first = 0; first < block->rows && status == ENTROPIC_OK; first += ENT_MARGINAL_STEP) {
    size_t rows = block->rows - first < ENT_MARGINAL_STEP ? block->rows - first : ENT_MARGINAL_STEP;
    double x[ENT_MARGINAL_STEP];
    for (size_t r = 0; r < rows; r++)
      x[r] = ent_clamp(block->x[(first + r) * block->x_stride + input]);
    evaluate_step(m, job->kernel->axes[input], x, rows, &step);
    if (!job->adding.add(job->adding.self, input, &step, block->weights == NULL ? NULL : block->weights + first, rows))
      status =
          ent_fail(context, ENTROPIC_BAD_ARGUMENT, "input %zu: the supports of its levels are not nested", input + 1);
  }
done:
  ent_delete(step.atoms);
  ent_delete(step.values);
  ent_delete(step.row);
  return status;
}

entropic_status ent_marginals_accumulate(entropic_context *context, const ent_marginals *marginals,
                                         const entropic_kernel *kernel, const ent_block *rows,
                                         ent_marginal_adding adding) {
  size_t *used = ent_new(context, marginals->inputs, sizeof *used), count = 0;
  if (used == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < marginals->inputs; i++)
    if (marginals->input[i].count > 0)
      used[count++] = i;
  ent_marginal_rows job = {.marginals = marginals, .kernel = kernel, .rows = rows, .used = used, .adding = adding};
  entropic_status status = ent_parallel(context, count, add_input, &job);
  ent_delete(used);
  return status;
}

entropic_status ent_marginals_add(entropic_context *context, ent_marginals *marginals, const entropic_kernel *kernel,
                                  const ent_block *rows) {
  entropic_status status =
      ent_marginals_accumulate(context, marginals, kernel, rows, (ent_marginal_adding){add_step, marginals});
  for (size_t r = 0; r < rows->rows; r++)
    marginals->weight += ent_weight(rows, r);
  return status;
}

entropic_status ent_marginals_finish(entropic_context *context, ent_marginals *marginals) {
  if (!(marginals->weight > 0))
    return ent_fail(context, ENTROPIC_BAD_DATA, "no row has a weight; effects are relative to the mean of rows");
  for (size_t i = 0; i < marginals->inputs; i++) {
    ent_marginal *m = &marginals->input[i];
    for (size_t u = 0; u < m->count; u++)
      m->means[u] /= marginals->weight;
    for (size_t u = 0; u < m->count * m->level_count; u++)
      m->products[u] /= marginals->weight;
  }
  marginals->weight = 1;
  return ENTROPIC_OK;
}

/* Every so many-th row of a block, moved to its front: `skip` of them come before the first. */
static void thin(ent_block *block, double *x, double *weights, size_t inputs, size_t skip, size_t stride) {
  size_t kept = 0;
  for (size_t r = skip; r < block->rows; r += stride, kept++) {
    memcpy(x + kept * inputs, block->x + r * block->x_stride, inputs * sizeof *x);
    weights[kept] = ent_weight(block, r);
  }
  block->x = x;
  block->x_stride = inputs;
  block->weights = weights;
  block->rows = kept;
}

entropic_status ent_marginals_of_rows(entropic_context *context, const entropic_design *design, const ent_rows *rows,
                                      size_t count, ent_marginals **marginals) {
  size_t stride = count <= ENT_MARGINAL_ROWS ? 1 : (count + ENT_MARGINAL_ROWS - 1) / ENT_MARGINAL_ROWS, next = 0;
  ent_marginals *made = NULL;
  double *x = ent_new_matrix(context, BLOCK_ROWS, rows->inputs, sizeof *x);
  double *weights = ent_new(context, BLOCK_ROWS, sizeof *weights);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (x == NULL || weights == NULL)
    goto done;
  status = ent_marginals_create(context, design, &made);
  if (status != ENTROPIC_OK)
    goto done;
  status = rows->rewind(context, rows->self);
  while (status == ENTROPIC_OK) {
    ent_block block;
    status = ent_rows_take(context, rows, BLOCK_ROWS, &block);
    if (status != ENTROPIC_OK || block.rows == 0)
      break;
    size_t end = block.first + block.rows;
    if (next >= end)
      continue;
    size_t skip = next - block.first;
    next += (end - next + stride - 1) / stride * stride;
    thin(&block, x, weights, rows->inputs, skip, stride);
    status = ent_marginals_add(context, made, design->kernel, &block);
  }
  if (status == ENTROPIC_OK)
    status = ent_marginals_finish(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  *marginals = made;
  made = NULL;
done:
  ent_delete(x);
  ent_delete(weights);
  ent_marginals_free(made);
  return status;
}
