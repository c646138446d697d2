/* Effects of three inputs and more: see higher.h. */
#include "explain/higher.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"

#define MOST_PRODUCTS ((size_t)1 << 19) /* more take too long to be worth it */
#define MOST_FACTORS ((size_t)12)       /* of a feature */

/* A product of atoms of three inputs or more. */
typedef struct ent_atom_product {
  size_t order;
  ent_effect_factor *factors; /* by input */
  double *coefficients;       /* [scores] */
} ent_atom_product;

typedef struct ent_higher_work {
  const ent_effects *effects;
  size_t count;
  ent_atom_product *products;
  ent_effect_factor *factor_room;
  double *coefficient_room;
} ent_higher_work;

void ent_higher_effects_free(ent_higher_effects *higher) {
  if (higher == NULL)
    return;
  ent_delete(higher->sets);
  ent_delete(higher->input_room);
  ent_delete(higher->variance_room);
  ent_delete(higher);
}

/* How many products and factors all subsets of three factors and more of all features have. False if they are too many. */
static bool count_products(const ent_effects *e, size_t *products, size_t *factors) {
  *products = *factors = 0;
  if (e->points != NULL)
    return false;
  for (size_t f = 0; f < e->features; f++) {
    size_t n = e->starts[f + 1] - e->starts[f];
    if (n > MOST_FACTORS)
      return false;
    if (n < 3)
      continue;
    *products += ((size_t)1 << n) - 1 - n - n * (n - 1) / 2;
    *factors += n * ((size_t)1 << (n - 1)) - n - n * (n - 1);
    if (*products > MOST_PRODUCTS / e->model->scores)
      return false;
  }
  return true;
}

/* The subsets of a feature's factors: the atoms of the subset, times the means of the others. */
static void list_feature(ent_higher_work *w, size_t feature, size_t *at) {
  const ent_effects *e = w->effects;
  const entropic_model *model = e->model;
  const ent_effect_factor *factors = e->factors + e->starts[feature];
  size_t n = e->starts[feature + 1] - e->starts[feature];
  for (unsigned subset = 0; subset < 1U << n; subset++) {
    if (__builtin_popcount(subset) < 3)
      continue;
    ent_atom_product *product = &w->products[w->count];
    double means = 1;
    *product = (ent_atom_product){.factors = w->factor_room + *at,
                                  .coefficients = w->coefficient_room + w->count++ * model->scores};
    for (size_t i = 0; i < n; i++) {
      if (subset >> i & 1)
        product->factors[product->order++] = factors[i];
      else
        means *= ent_effect_factor_mean(e, factors[i]);
    }
    for (size_t k = 0; k < model->scores; k++)
      product->coefficients[k] = e->weights[k * e->features + feature] * means;
    *at += product->order;
  }
}

static int compare_inputs(const ent_atom_product *x, const ent_atom_product *y) {
  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  for (size_t i = 0; i < x->order; i++)
    if (x->factors[i].input != y->factors[i].input)
      return x->factors[i].input < y->factors[i].input ? -1 : 1;
  return 0;
}

static int compare_atoms(const ent_atom_product *x, const ent_atom_product *y) {
  for (size_t i = 0; i < x->order; i++)
    if (x->factors[i].atom != y->factors[i].atom)
      return x->factors[i].atom < y->factors[i].atom ? -1 : 1;
  return 0;
}

/* Equal products stay in the order of their features, so that sums do not depend on the sort. */
static int compare_products(const void *a, const void *b) {
  const ent_atom_product *x = a, *y = b;
  int inputs = compare_inputs(x, y), atoms = inputs == 0 ? compare_atoms(x, y) : 0;
  return inputs != 0 ? inputs : atoms != 0 ? atoms : x->coefficients < y->coefficients ? -1 : 1;
}

/* Equal products become one. */
static void join_products(ent_higher_work *w) {
  size_t count = 0;
  if (w->count > 0)
    qsort(w->products, w->count, sizeof *w->products, compare_products);
  for (size_t i = 0; i < w->count; i++) {
    ent_atom_product *last = count == 0 ? NULL : &w->products[count - 1];
    if (last == NULL || compare_inputs(last, &w->products[i]) != 0 || compare_atoms(last, &w->products[i]) != 0) {
      w->products[count++] = w->products[i];
      continue;
    }
    for (size_t k = 0; k < w->effects->model->scores; k++)
      last->coefficients[k] += w->products[i].coefficients[k];
  }
  w->count = count;
}

static entropic_status make_work(entropic_context *context, size_t products, size_t factors, ent_higher_work *w) {
  size_t scores = w->effects->model->scores, at = 0;
  w->products = ent_new(context, products, sizeof *w->products);
  w->factor_room = ent_new(context, factors, sizeof *w->factor_room);
  w->coefficient_room = ent_new_matrix(context, products, scores, sizeof *w->coefficient_room);
  if (w->products == NULL || w->factor_room == NULL || w->coefficient_room == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t f = 0; f < w->effects->features; f++)
    if (w->effects->starts[f + 1] - w->effects->starts[f] >= 3)
      list_feature(w, f, &at);
  join_products(w);
  return ENTROPIC_OK;
}

/* The covariance of two products of the same inputs. */
static double covariance_of(const ent_effects *e, const ent_atom_product *x, const ent_atom_product *y) {
  double covariance = 1;
  for (size_t i = 0; i < x->order && covariance != 0; i++)
    covariance *= ent_marginal_covariance(&e->marginals->input[e->inputs[x->factors[i].input]], x->factors[i].atom,
                                          y->factors[i].atom);
  return covariance;
}

static entropic_status find_variances(entropic_context *context, const ent_effects *e, const ent_atom_product *products,
                                      size_t count, double *variances) {
  for (size_t i = 0; i < count; i++) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t j = i; j < count; j++) {
      double covariance = covariance_of(e, &products[i], &products[j]) * (i == j ? 1 : 2);
      for (size_t k = 0; k < e->model->scores; k++)
        variances[k] += covariance * (products[i].coefficients[k] * e->inverse_unit) *
                        (products[j].coefficients[k] * e->inverse_unit);
    }
  }
  return ENTROPIC_OK;
}

static int compare_sets(const void *a, const void *b) {
  const ent_higher_set *x = a, *y = b;
  if (x->total != y->total)
    return x->total > y->total ? -1 : 1;
  return x->inputs < y->inputs ? -1 : 1;
}

/* Products that are of the same inputs follow each other: a set each. */
static entropic_status list_sets(entropic_context *context, const ent_higher_work *w, ent_higher_effects *made) {
  const ent_effects *e = w->effects;
  size_t sets = 0, inputs = 0, scores = e->model->scores, next;
  for (size_t i = 0; i < w->count; i++)
    if (i == 0 || compare_inputs(&w->products[i - 1], &w->products[i]) != 0) {
      sets++;
      inputs += w->products[i].order;
    }
  made->sets = ent_new(context, sets, sizeof *made->sets);
  made->input_room = ent_new(context, inputs, sizeof *made->input_room);
  made->variance_room = ent_new_matrix(context, sets, scores, sizeof *made->variance_room);
  if (made->sets == NULL || made->input_room == NULL || made->variance_room == NULL)
    return ENTROPIC_NO_MEMORY;
  inputs = 0;
  for (size_t i = 0; i < w->count; i = next) {
    ent_higher_set *set = &made->sets[made->count];
    *set = (ent_higher_set){w->products[i].order, made->input_room + inputs,
                            made->variance_room + made->count++ * scores, 0};
    for (size_t k = 0; k < set->order; k++)
      made->input_room[inputs++] = w->products[i].factors[k].input;
    for (next = i + 1; next < w->count && compare_inputs(&w->products[i], &w->products[next]) == 0;)
      next++;
    entropic_status status = find_variances(context, e, w->products + i, next - i, set->variances);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t k = 0; k < scores; k++)
      set->total += set->variances[k];
  }
  if (made->count > 0)
    qsort(made->sets, made->count, sizeof *made->sets, compare_sets);
  return ENTROPIC_OK;
}

entropic_status ent_higher_effects_create(entropic_context *context, const ent_effects *effects,
                                          ent_higher_effects **higher) {
  ent_higher_work w = {.effects = effects};
  size_t products = 0, factors = 0;
  ent_higher_effects *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_OK;
  made->left_out = !count_products(effects, &products, &factors);
  if (!made->left_out) {
    status = make_work(context, products, factors, &w);
    if (status != ENTROPIC_OK)
      goto done;
    status = list_sets(context, &w, made);
    if (status != ENTROPIC_OK)
      goto done;
  }
  *higher = made;
  made = NULL;
done:
  ent_delete(w.products);
  ent_delete(w.factor_room);
  ent_delete(w.coefficient_room);
  ent_higher_effects_free(made);
  return status;
}
