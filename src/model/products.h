/* The features of a design as products of atoms: what effects of inputs are made of.
 *
 * With m_d the mean of the atom of input d in a feature and v_d what its value differs from it, a feature is the product
 * over its inputs of m_d + v_d. Multiplied out, the part of no v_d is its mean; the part of one v_d alone is what it adds
 * to the main effect of that input. */
#ifndef ENT_MODEL_PRODUCTS_H
#define ENT_MODEL_PRODUCTS_H

#include "model/marginals.h"

/* The atom of one input in a feature. */
typedef struct ent_product_factor {
  uint32_t input; /* by place among those in use */
  uint32_t atom;  /* as marginals number them */
} ent_product_factor;

typedef struct ent_products {
  const entropic_design *design; /* borrowed, as the marginals; NULL of several components */
  const ent_marginals *marginals;
  size_t features;
  size_t used;    /* inputs in use, by the marginals */
  size_t *inputs; /* [used] their numbers */
  size_t *starts; /* [features + 1] */
  ent_product_factor *factors;
  size_t most;    /* factors of a feature */
  size_t *places; /* [used + 1] where the atoms of each input begin among those of all */
} ent_products;

/* The marginals have all atoms of the design; they may have more. Without a design, as of centres, there are no
 * features. */
entropic_status ent_products_create(entropic_context *context, const entropic_design *design,
                                    const ent_marginals *marginals, ent_products **products);
void ent_products_free(ent_products *products);

/* The features of several components one after the other. `marginals` are those of all of them: each input has the atoms of
 * the first component, then those of the second, and so on. */
entropic_status ent_products_join(entropic_context *context, ent_products *const *parts, size_t count,
                                  const ent_marginals *marginals, ent_products **products);

/* Inputs whose base level is not the constant are factors of every feature that has no other level of them. */
bool ent_products_has_base(const entropic_design *design, size_t input);

/* The mean of a factor's atom. */
static inline double ent_product_factor_mean(const ent_products *products, ent_product_factor factor) {
  return products->marginals->input[products->inputs[factor.input]].means[factor.atom];
}

/* Main effects of weights[score * features + feature]: mains[score * atoms + atom], such that the main effect of an input is
 * the sum over its atoms of these times how far the atom is from its mean. */
entropic_status ent_products_mains(entropic_context *context, const ent_products *products, const double *weights,
                                   size_t scores, double *mains);

#endif
