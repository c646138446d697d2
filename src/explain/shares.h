/* Shares: how much of the variance of a score is due to each input alone, to each pair, and to each input in all. Inputs
 * are taken as independent, each with the marginals of the training rows; then the effects of all sets of inputs have mean
 * zero and are orthogonal, and their variances add up (functional ANOVA; the shares are Sobol indices). All is in closed
 * form. All variances are in the units of effects.h. */
#ifndef ENT_EXPLAIN_SHARES_H
#define ENT_EXPLAIN_SHARES_H

#include "explain/effects.h"

/* A product of two atoms of different inputs. */
typedef struct ent_pair_entry {
  ent_effect_factor a, b; /* a.input < b.input */
  double *coefficients;   /* [scores] */
} ent_pair_entry;

/* The effect of a pair of inputs, beyond those of each alone. */
typedef struct ent_pair_effect {
  uint32_t a, b;       /* places among the inputs in use */
  size_t first, count; /* its entries: products of atoms. Centres have no entries, but a part in every pair */
  double *variances;   /* [scores] */
} ent_pair_effect;

typedef struct ent_effect_shares {
  const ent_effects *effects; /* borrowed */
  double *variances;          /* [scores] of each score */
  double *first, *total;      /* [scores x used] of each input alone, and of all effects that it is in */
  double *mains;       /* [scores x atoms]: the main effect of an input is the sum of these times how far its atoms
                                 are from their means */
  double **node_mains; /* [components] the same of the sections at the nodes of centres: [scores x nodes]; NULL of
                          features */
  size_t entry_count;
  ent_pair_entry *entries;
  double *entry_room;
  size_t pair_count;
  ent_pair_effect *pairs; /* by input */
  double *pair_room;
  bool left_out; /* pairs are too many to be listed */
} ent_effect_shares;

entropic_status ent_effect_shares_create(entropic_context *context, const ent_effects *effects,
                                         ent_effect_shares **shares);
void ent_effect_shares_free(ent_effect_shares *shares);

/* What centres add: first, total, variances, and those of all pairs, which are there; and node_mains. */
entropic_status ent_effect_shares_add_centres(entropic_context *context, ent_effect_shares *shares);
/* How many products of two sections that takes, with or without pairs. At most ENT_CENTRE_MOST are made: some minutes.
 */
#define ENT_CENTRE_MOST 1e11
double ent_effect_shares_products(const ent_effects *effects, bool pairs);

#endif
