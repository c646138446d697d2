/* The sums behind marginals: see marginal_sums.h. */
#include "model/marginal_sums.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define PAIR ((size_t)3) /* sums of an atom and a coarser level */
#define MOST_LEVELS ENT_LEVEL_LIMIT
#define MOST_SCALE 300       /* exponents of scales are within: powers of two of three of them are doubles */
#define MARGIN (1 + 0x1p-20) /* above the bound of a level: its last bits may depend on the C library */
#define MOST_VALUE 0x1p48    /* of an integer: of a weight beyond 64 times the scale of weights it would be more */

static size_t sums_of_atom(size_t place) {
  return 2 + PAIR * place;
}

/* Where the sums of the atoms of each level begin, and where they end: start[level_count + 1]. */
static size_t find_starts(const ent_marginal *m, size_t first, size_t *start) {
  for (size_t p = 0; p < m->level_count; p++) {
    if (start != NULL)
      start[p] = first;
    first += (m->first[p + 1] - m->first[p]) * sums_of_atom(p);
  }
  return first;
}

size_t ent_marginal_sum_count(const ent_marginals *layout) {
  size_t count = 1;
  for (size_t i = 0; i < layout->inputs; i++)
    count = find_starts(&layout->input[i], count, NULL);
  return count;
}

entropic_status ent_marginal_statistics(entropic_context *context, const entropic_model *model, ent_fixed **fixed) {
  ent_marginals *layout = NULL;
  ent_fixed *made = NULL;
  entropic_status status = ent_frozen_statistics(context, model->frozen, &made);
  if (status != ENTROPIC_OK)
    return status;
  if (model->totals != NULL && model->totals->side_count == 0)
    goto done;
  status = ent_marginals_create(context, model->main.design, &layout);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_fixed_start_side(context, made, ent_marginal_sum_count(layout));
done:
  ent_marginals_free(layout);
  if (status != ENTROPIC_OK) {
    ent_fixed_free(made);
    return status;
  }
  *fixed = made;
  return ENTROPIC_OK;
}

/* The exponent of a level: no atom of it is above 2 to this power. */
static int exponent_of(const ent_axis *axis, size_t level) {
  int exponent = ent_fixed_exponent(ent_level_bound(axis, &axis->levels[level]) * MARGIN);
  return abs(exponent) <= MOST_SCALE ? exponent : exponent < 0 ? -MOST_SCALE : MOST_SCALE;
}

/* ---- Rows ---- */

typedef struct ent_marginal_summing {
  const ent_marginals *layout;
  const entropic_kernel *kernel;
  const size_t *first; /* [inputs] the first sum of each input */
  int root_exponent;   /* of roots of weights */
  ent_int128 *sums;
} ent_marginal_summing;

static ent_int128 integer_of(double value) {
  return (ent_int128)(int64_t)rint(fmin(fmax(value, -MOST_VALUE), MOST_VALUE));
}

/* The sums of one row. */
static void add_row(const ent_marginal *m, const ent_marginal_atom *row, const ent_int128 *q, size_t count,
                    ent_int128 one, const size_t *start, ent_int128 *sums) {
  for (size_t i = 0; i < count; i++) {
    size_t place = row[i].level;
    ent_int128 *at = sums + start[place] + (row[i].atom - m->first[place]) * sums_of_atom(place);
    at[0] += q[i] * one;
    for (size_t k = 0; k < i; k++) {
      ent_int128 *pair = at + 1 + PAIR * row[k].level;
      pair[0] += 1;
      pair[1] += (ent_int128)(row[k].atom - m->first[row[k].level]) + 1;
      pair[2] += q[i] * q[k];
    }
    at[1 + PAIR * place] += q[i] * q[i];
  }
}

static bool add_exactly(void *self, size_t input, const ent_marginal_step *step, const double *weights, size_t rows) {
  const ent_marginal_summing *job = self;
  const ent_marginal *m = &job->layout->input[input];
  const ent_axis *axis = job->kernel->axes[input];
  size_t start[MOST_LEVELS];
  double scale[MOST_LEVELS], unit = ldexp(1, ENT_EXACT_BITS - job->root_exponent);
  find_starts(m, job->first[input], start);
  for (size_t p = 0; p < m->level_count; p++)
    scale[p] = ldexp(unit, -exponent_of(axis, m->levels[p]));
  for (size_t r = 0; r < rows; r++) {
    double root = weights == NULL ? 1 : sqrt(weights[r]);
    ent_int128 q[MOST_LEVELS];
    size_t count = ent_marginal_step_row(m, step, r);
    for (size_t i = 0; i < count; i++)
      q[i] = integer_of(step->row[i].value * root * scale[step->row[i].level]);
    add_row(m, step->row, q, count, integer_of(root * unit), start, job->sums);
  }
  return true;
}

entropic_status ent_marginal_sums_add(entropic_context *context, const ent_marginals *layout,
                                      const entropic_model *model, const ent_block *rows, ent_int128 *sums) {
  size_t *first = ent_new(context, layout->inputs + 1, sizeof *first);
  if (first == NULL)
    return ENTROPIC_NO_MEMORY;
  first[0] = 1;
  for (size_t i = 0; i < layout->inputs; i++)
    first[i + 1] = find_starts(&layout->input[i], first[i], NULL);
  ent_marginal_summing job = {layout, model->main.kernel, first, model->frozen->root_exponent, sums};
  entropic_status status =
      ent_marginals_accumulate(context, layout, model->main.kernel, rows, (ent_marginal_adding){add_exactly, &job});
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t r = 0; r < rows->rows; r++) {
    ent_int128 one = integer_of(ldexp(sqrt(ent_weight(rows, r)), ENT_EXACT_BITS - job.root_exponent));
    sums[0] += one * one;
  }
done:
  ent_delete(first);
  return status;
}

/* ---- Means ---- */

/* Sums of an input, from which its means follow. */
typedef struct ent_marginal_means {
  ent_marginal *m;
  const ent_int128 *sums; /* of the input */
  int exponent[MOST_LEVELS];
  double weight;
} ent_marginal_means;

/* One atom; false if no rows have these sums. */
static bool set_atom(const ent_marginal_means *of, size_t u, const ent_int128 *at) {
  ent_marginal *m = of->m;
  size_t place = m->places[u], row = u * m->level_count;
  m->means[u] = ldexp((double)at[0] / of->weight, of->exponent[place]);
  for (size_t p = 0; p < place; p++) {
    const ent_int128 *pair = at + 1 + PAIR * p;
    if (pair[0] == 0 && pair[1] == 0 && pair[2] == 0)
      continue;
    ent_int128 atoms = (ent_int128)(m->first[p + 1] - m->first[p]);
    if (pair[0] <= 0 || pair[1] % pair[0] != 0 || pair[1] / pair[0] < 1 || pair[1] / pair[0] > atoms)
      return false;
    m->partners[row + p] = (uint32_t)(m->first[p] + (size_t)(pair[1] / pair[0]) - 1);
    m->products[row + p] = ldexp((double)pair[2] / of->weight, of->exponent[place] + of->exponent[p]);
  }
  ent_int128 square = at[1 + PAIR * place];
  if (square > 0) {
    m->partners[row + place] = (uint32_t)u;
    m->products[row + place] = ldexp((double)square / of->weight, 2 * of->exponent[place]);
  }
  return square >= 0;
}

static bool set_input(ent_marginal_means *of, const ent_axis *axis, size_t *first) {
  ent_marginal *m = of->m;
  size_t start[MOST_LEVELS];
  bool possible = true;
  *first = find_starts(m, *first, start);
  for (size_t p = 0; p < m->level_count; p++)
    of->exponent[p] = exponent_of(axis, m->levels[p]);
  for (size_t u = 0; u < m->count && possible; u++) {
    size_t place = m->places[u];
    possible = set_atom(of, u, of->sums + start[place] + (u - m->first[place]) * sums_of_atom(place));
  }
  return possible;
}

entropic_status ent_marginals_of_statistics(entropic_context *context, const entropic_model *model,
                                            const ent_fixed *fixed, ent_marginals **marginals) {
  ent_marginals *made = NULL;
  size_t first = 1;
  *marginals = NULL;
  ent_int128 weight = fixed->side_count == 0 ? 0 : fixed->side[0];
  if (weight <= 0)
    return ENTROPIC_OK;
  entropic_status status = ent_marginals_create(context, model->main.design, &made);
  if (status != ENTROPIC_OK)
    return status;
  bool possible = ent_marginal_sum_count(made) == fixed->side_count;
  for (size_t i = 0; i < made->inputs && possible; i++) {
    ent_marginal_means of = {.m = &made->input[i], .sums = fixed->side, .weight = (double)weight};
    possible = set_input(&of, model->main.kernel->axes[i], &first);
  }
  made->weight = 1;
  if (possible)
    *marginals = made;
  else
    ent_marginals_free(made);
  return ENTROPIC_OK;
}

entropic_status ent_marginals_renew(entropic_context *context, entropic_model *model) {
  ent_marginals *made = NULL;
  entropic_status status = ent_marginals_of_statistics(context, model, model->totals, &made);
  if (status != ENTROPIC_OK)
    return status;
  ent_marginals_free(model->marginals);
  model->marginals = made;
  return ENTROPIC_OK;
}
