/* Effects: what each input adds to the scores of a row, relative to the marginals of the training rows.
 *
 * A feature is a product over its inputs of m_d + v_d, where m_d is the mean of its atom of input d and v_d what the row's
 * value differs from it. With t from 0 to 1 the product of m_d + t v_d goes from the mean to the row's value. Its
 * derivative is a sum over the inputs, and the integral of the part of an input is its Shapley value: exact, and the
 * values add up to the feature's difference from its mean. The integrand is a polynomial in t, so Gauss's rule is exact. */
#ifndef ENT_EXPLAIN_EFFECTS_H
#define ENT_EXPLAIN_EFFECTS_H

#include "explain/sections.h"
#include "lift/lift.h"
#include "model/model.h"
#include "model/products.h"

#define ENT_EFFECT_ROWS ((size_t)32) /* at a time; loops over them are vectorised */

typedef ent_product_factor ent_effect_factor;

typedef struct ent_effect_bases ent_effect_bases; /* see effects_rows.h */

/* The atoms of one component of a model. */
typedef struct ent_effect_part {
  const ent_component *component; /* borrowed, as its marginals */
  const ent_marginals *marginals;
  size_t *places;       /* [used] where its atoms of each input begin among those of all */
  size_t *table_starts; /* [levels of all inputs in use] where the table of each begins: see ent_effect_tables_create */
  uint32_t *tables;
  double *beyond; /* [used x scores] what lines that go on add for each scaled unit outside [0,1]; NULL: none does */
  ent_sections *sections; /* of centres, which have no atoms; NULL of features */
} ent_effect_part;

/* The features of a model as products of atoms, and its centres as products of sections (sections.h). */
typedef struct ent_effects {
  const entropic_model *model; /* borrowed, as the marginals */
  const ent_marginals *marginals;
  size_t part_count;
  ent_effect_part
      *parts; /* [part_count] one for each component; scaled rows have the inputs of each: ent_model_scale */
  ent_training_points *points; /* where a component is of centres; otherwise NULL */
  ent_marginals *own;          /* by these points, where no others are known */
  size_t features;             /* of all components, without centres */
  const double *weights;       /* [scores * features] those of score k begin at k * features */
  double *joint_weights;       /* these, where they are of several components; otherwise NULL */
  ent_products *products;      /* which has these: */
  size_t used;                 /* inputs in use */
  const size_t *inputs;        /* [used] their numbers */
  const size_t *starts;        /* [features + 1] */
  const ent_effect_factor *factors;
  size_t most;          /* factors of a feature; of a centre there are `used` */
  const size_t *places; /* [used + 1] where the atoms of each input begin among those of all */
  double *base;         /* [scores] the mean of each score over rows that have the marginals, and independent inputs */
  double *nodes;        /* [rule_numbers] of Gauss's rules on [0,1]: see ent_effect_rule */
  double *node_weights;
  size_t rule_numbers;
  size_t long_nodes;   /* of the rule for features of more than 2 ENT_RULES factors; 0: there are none */
  double row_products; /* of the effects of all features on a row */
  size_t longest;      /* the feature of the most factors */
  int unit;            /* variances are in units of 2^(2 unit), the square of about the largest weight */
  double inverse_unit; /* 2^-unit: weights times this are about 1, whatever the units of the target are */
  const struct ent_effect_code *code;
  ent_effect_bases *bases; /* NULL if all base levels are constant, and with several components */
} ent_effects;

/* The marginals are of the model's components, as ent_model_atoms makes them; NULL: those of its centres, of which it
 * then has some. TOO_LARGE if a feature or a centre has more than ENT_EFFECT_FACTORS inputs. */
#define ENT_EFFECT_FACTORS ((size_t)16384)
entropic_status ent_effects_create(entropic_context *context, const entropic_model *model,
                                   const ent_marginals *marginals /* or NULL */, ent_effects **effects);
void ent_effects_free(ent_effects *effects);

/* The rule for a feature of so many factors: its nodes begin at *first; returns how many they are. Up to ENT_RULES nodes each
 * number has its rule, and that of n nodes begins at n (n - 1) / 2. Features of more factors share one rule of
 * `long_nodes` nodes: see effects_rules.c. */
#define ENT_RULES ((size_t)64)
static inline size_t ent_effect_rule(const ent_effects *effects, size_t factors, size_t *first) {
  size_t nodes = (factors + 1) / 2;
  *first = nodes <= ENT_RULES ? nodes * (nodes - (nodes > 0)) / 2 : ENT_RULES * (ENT_RULES + 1) / 2;
  return nodes <= ENT_RULES ? nodes : effects->long_nodes;
}

/* The level of a factor's atom. */
const ent_level *ent_effect_level(const ent_effects *effects, ent_effect_factor factor);

/* The mean of a factor's atom. */
static inline double ent_effect_factor_mean(const ent_effects *effects, ent_effect_factor factor) {
  return effects->marginals->input[effects->inputs[factor.input]].means[factor.atom];
}

/* TOO_LARGE if the effects of a feature on one row take more than ENT_EFFECT_PRODUCTS products, which is about 15 ms, or
 * those of all features more than ENT_EFFECT_MOST. */
#define ENT_EFFECT_PRODUCTS 1e7
#define ENT_EFFECT_MOST 1e12
entropic_status ent_effects_check_rows(entropic_context *context, const ent_effects *effects);

/* Effects of scaled rows, on the context's threads: out[(row * scores + score) * (1 + used) + i], the base first, then each
 * input in use. They add up to the score. TOO_LARGE as above. */
entropic_status ent_effects_rows(entropic_context *context, const ent_effects *effects, const double *x, size_t rows,
                                 size_t stride, double *out);

/* The same of rows that come block by block, on the workers of a pass of somebody else: begins with all but effects and out
 * zero, and room for that many workers. TOO_LARGE as above. */
typedef struct ent_effect_rows {
  const ent_effects *effects;
  double *out;
  struct ent_effect_room *rooms; /* [workers] */
  size_t workers;
} ent_effect_rows;
entropic_status ent_effect_rows_start(entropic_context *context, ent_effect_rows *job, size_t workers);
/* The effects of scaled rows, those from rows->first on. */
entropic_status ent_effect_rows_add(entropic_context *context, const ent_effect_rows *job, const ent_lift_rows *rows,
                                    int worker);
void ent_effect_rows_end(ent_effect_rows *job);

/* How far the atoms of all inputs are from their means at scaled rows, at most ENT_EFFECT_ROWS:
 * values[atom * ENT_EFFECT_ROWS + row], 0 behind the last row. */
void ent_effects_values(const ent_effects *effects, const double *x, size_t rows, size_t stride, double *values);

/* Adds to effects[ENT_EFFECT_ROWS] of input number `place` of those in use what its line adds outside [0,1], at scaled
 * rows, at most ENT_EFFECT_ROWS. */
void ent_effects_add_beyond(const ent_effects *effects, size_t place, size_t score, const ent_block *rows,
                            double *sums);

/* The number of atoms of all inputs. */
static inline size_t ent_effects_atoms(const ent_effects *effects) {
  return effects->places[effects->used];
}

#endif
