/* The marginals of a model: of each input it uses, the means and products of the atoms that its features are made of, over
 * the training rows. Whatever is said of effects of inputs is relative to them. */
#ifndef ENT_MODEL_MARGINALS_H
#define ENT_MODEL_MARGINALS_H

#include "design/design.h"
#include "sums/rows.h"

#define ENT_NO_ATOM UINT32_MAX

/* One input. Its atoms in use are numbered, those of levels of fewer atoms first. The supports of levels are nested: where
 * an atom of a finer level is not zero, the same atom of each coarser level is not zero, or none is. */
typedef struct ent_marginal {
  size_t level_count; /* levels in use */
  size_t *levels;     /* [level_count] */
  size_t *first;      /* [level_count + 1] the first atom of each level */
  size_t count;       /* atoms; 0: the input is not in use */
  uint64_t *atoms;    /* [count] their numbers in their level, ascending */
  uint32_t *places;   /* [count] their level, as its place in levels */
  double *means;      /* [count] */
  /* For an atom and each level up to its own: which atom of that level is not zero where this one is, or ENT_NO_ATOM if
   * that never happened, and the mean of the product of both. */
  uint32_t *partners; /* [count * level_count] */
  double *products;
  double *all; /* [count * count] of several components: see joint.h. NULL of one */
} ent_marginal;

typedef struct ent_marginals {
  size_t inputs;
  bool all_used; /* inputs without atoms are in use too: a component is of centres */
  ent_marginal *input;
  double weight; /* of the rows so far, while they are collected; then 1 */
  size_t part_count;
  struct ent_marginals *
      *parts; /* [part_count] of each component, where there are several: see joint.h; otherwise NULL */
} ent_marginals;

/* The marginals of one of the components that they are of. */
static inline const ent_marginals *ent_marginals_part(const ent_marginals *marginals, size_t component) {
  return marginals->parts == NULL ? marginals : marginals->parts[component];
}

/* The atoms of a design, without moments. TOO_LARGE beyond 2^32 - 2 atoms of an input. */
entropic_status ent_marginals_create(entropic_context *context, const entropic_design *design,
                                     ent_marginals **marginals);
void ent_marginals_free(ent_marginals *marginals);

/* Adds rows, scaled: on the context's threads, one input each. The kernel is the design's. */
entropic_status ent_marginals_add(entropic_context *context, ent_marginals *marginals, const entropic_kernel *kernel,
                                  const ent_block *rows);
/* An atom that is not zero at a row. */
typedef struct ent_marginal_atom {
  size_t level; /* its place in levels */
  uint32_t atom;
  double value;
} ent_marginal_atom;

/* Which atoms of an input are not zero at some rows, and their values: for each level, ENT_MARGINAL_STEP of them. */
#define ENT_MARGINAL_STEP ((size_t)256) /* values of all levels of an input stay in the cache */
typedef struct ent_marginal_step {
  uint32_t *atoms;
  double *values;
  ent_marginal_atom *row; /* [levels + 1] room for those of one row */
} ent_marginal_step;

/* What becomes of rows: of some of one input, on some thread. False if levels are not nested. */
typedef struct ent_marginal_adding {
  bool (*add)(void *self, size_t input, const ent_marginal_step *step, const double *weights, size_t rows);
  void *self;
} ent_marginal_adding;

/* All inputs of scaled rows, one task each. */
entropic_status ent_marginals_accumulate(entropic_context *context, const ent_marginals *marginals,
                                         const entropic_kernel *kernel, const ent_block *rows,
                                         ent_marginal_adding adding);
/* Lists the atoms of a row in step->row, coarser levels first, and returns how many there are. */
size_t ent_marginal_step_row(const ent_marginal *marginal, const ent_marginal_step *step, size_t row);

/* Sums become means; to be called once. BAD_DATA if no row has a weight. */
entropic_status ent_marginals_finish(entropic_context *context, ent_marginals *marginals);

/* The marginals of all rows of a source, or of evenly spaced ones where there are more than ENT_MARGINAL_ROWS. */
#define ENT_MARGINAL_ROWS ((size_t)1 << 16)
entropic_status ent_marginals_of_rows(entropic_context *context, const entropic_design *design, const ent_rows *rows,
                                      size_t count, ent_marginals **marginals);

/* The number of an atom, or ENT_NO_ATOM if it is not in use; the level by its number, or by its place in levels. */
uint32_t ent_marginal_find(const ent_marginal *marginal, size_t level, uint64_t atom);
uint32_t ent_marginal_in_level(const ent_marginal *marginal, size_t place, uint64_t atom);

/* The mean of the product of two atoms of an input. */
static inline double ent_marginal_product(const ent_marginal *marginal, uint32_t a, uint32_t b) {
  if (marginal->all != NULL)
    return marginal->all[a * marginal->count + b];
  uint32_t coarse = a < b ? a : b, fine = a < b ? b : a;
  size_t at = fine * marginal->level_count + marginal->places[coarse];
  return marginal->partners[at] == coarse ? marginal->products[at] : 0;
}

/* Their covariance. */
static inline double ent_marginal_covariance(const ent_marginal *marginal, uint32_t a, uint32_t b) {
  return ent_marginal_product(marginal, a, b) - marginal->means[a] * marginal->means[b];
}

#endif
