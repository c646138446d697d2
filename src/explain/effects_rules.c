/* Rules of Gauss for effects: how many nodes a feature needs.
 *
 * The integrand of a feature of T factors is a polynomial of degree T - 1, so T / 2 nodes are exact. Far fewer will do if T
 * is large. If each factor goes from its mean to its value without a change of sign, the integrand is a sum of Bernstein
 * polynomials with coefficients of one sign. So its relative error is at most the largest relative error of a rule on
 * a Bernstein polynomial of degree T - 1. These are peaks at least 1 / (2 sqrt(T)) wide, and the error of n nodes is about
 * exp(-2 n^2 / T): with n = sqrt(20 T) it is below 2e-17 for all T up to ENT_EFFECT_FACTORS.
 *
 * A factor that changes its sign may make the integrand as much smaller as the peak is narrow, 1 / (2 sqrt(T)). So each of
 * these asks for an error that is smaller by that. Where there are many of them, the T / 2 nodes are fewer. */
#include <math.h>

#include "base/memory.h"
#include "base/progress.h"
#include "explain/effects_rows.h"

#define LOG_ERROR 40.0 /* minus the logarithm of the relative error, about */
#define POLL_STEPS ((size_t)1 << 16)

/* The rule on [0,1]: zeros of the Legendre polynomial by Newton's method. It is exact up to degree 2 count - 1. */
static void set_rule(size_t count, double *nodes, double *weights) {
  for (size_t i = 0; i < count; i++) {
    double x = cos(3.14159265358979323846 * ((double)i + 0.75) / ((double)count + 0.5)), slope = 1;
    for (int step = 0; step < 100; step++) {
      double before = 1, value = x;
      for (size_t j = 2; j <= count; j++) {
        double next = ((2 * (double)j - 1) * x * value - ((double)j - 1) * before) / (double)j;
        before = value;
        value = next;
      }
      slope = (double)count * (x * value - before) / (x * x - 1);
      double change = value / slope;
      x -= change;
      if (fabs(change) < 1e-16)
        break;
    }
    nodes[i] = 0.5 * (1 - x);
    weights[i] = 1 / ((1 - x * x) * slope * slope);
  }
}

/* The same for many nodes. In y = 1 - x, and in differences of the polynomials, what is near 0 keeps its digits: there
 * the weights would lose some. The rule is symmetric. */
static entropic_status set_long_rule(entropic_context *context, size_t count, double *nodes, double *weights) {
  double n = (double)count;
  size_t work = 0;
  for (size_t i = 0; i < (count + 1) / 2; i++) {
    double half = sin(0.5 * 3.14159265358979323846 * ((double)i + 0.75) / (n + 0.5)), y = 2 * half * half, weight = 0;
    for (int step = 0; step < 10; step++) {
      double difference = -y, before = 1, value = 1 - y;
      for (size_t j = 2; j <= count; j++) {
        difference = (((double)j - 1) * difference - (2 * (double)j - 1) * y * value) / (double)j;
        before = value;
        value += difference;
      }
      double around = y * (2 - y), slope = n * (before - (1 - y) * value) / around, change = value / slope;
      y += change;
      weight = 1 / (around * slope * slope);
      if (fabs(change) <= 1e-15 * y)
        break;
    }
    nodes[i] = 0.5 * y;
    nodes[count - 1 - i] = 1 - 0.5 * y;
    weights[i] = weights[count - 1 - i] = weight;
    work += count;
    if (work < POLL_STEPS)
      continue;
    work = 0;
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* The nodes for a feature of so many factors, of which so many may change their sign. */
static size_t nodes_for(size_t factors, size_t changes) {
  double digits = LOG_ERROR + 0.5 * (double)changes * log(4 * (double)factors);
  double few = ceil(sqrt(0.5 * (double)factors * digits));
  size_t exact = (factors + 1) / 2;
  return exact <= ENT_RULES || few >= (double)exact ? exact : few <= ENT_RULES ? ENT_RULES + 1 : (size_t)few;
}

/* How many factors of a feature have an atom that may have another sign than its mean. */
static size_t count_changes(const ent_effects *e, size_t feature) {
  size_t changes = 0;
  for (size_t i = e->starts[feature]; i < e->starts[feature + 1]; i++) {
    const ent_level *level = ent_effect_level(e, e->factors[i]);
    changes += !(level->positive && ent_effect_factor_mean(e, e->factors[i]) >= 0);
  }
  return changes;
}

/* How many nodes the rule of long features has. */
static entropic_status set_long_nodes(entropic_context *context, ent_effects *e) {
  for (size_t f = 0; f < e->features; f++) {
    size_t factors = e->starts[f + 1] - e->starts[f];
    if (factors > ENT_EFFECT_FACTORS)
      return ent_fail(context, ENTROPIC_TOO_LARGE,
                      "feature %zu has %zu inputs: effects are computed for features of at most %zu", f + 1, factors,
                      ENT_EFFECT_FACTORS);
    size_t nodes = factors <= 2 * ENT_RULES ? 0 : nodes_for(factors, count_changes(e, f));
    e->long_nodes = nodes > e->long_nodes ? nodes : e->long_nodes;
    e->longest = factors > e->starts[e->longest + 1] - e->starts[e->longest] ? f : e->longest;
  }
  if (e->points != NULL && e->used > ENT_EFFECT_FACTORS)
    return ent_fail(context, ENTROPIC_TOO_LARGE,
                    "the model has %zu inputs: effects are computed for centres of at most %zu", e->used,
                    ENT_EFFECT_FACTORS);
  size_t nodes = e->points == NULL || e->used <= 2 * ENT_RULES ? 0 : nodes_for(e->used, e->used);
  e->long_nodes = nodes > e->long_nodes ? nodes : e->long_nodes;
  return ENTROPIC_OK;
}

static double products_of(const ent_effects *e, size_t feature) {
  size_t factors = e->starts[feature + 1] - e->starts[feature], first;
  return (double)factors * (double)ent_effect_rule(e, factors, &first);
}

static bool are_rows_possible(const ent_effects *e) {
  bool fine = e->features == 0 || products_of(e, e->longest) <= ENT_EFFECT_PRODUCTS;
  return fine && e->row_products <= ENT_EFFECT_MOST;
}

entropic_status ent_effects_check_rows(entropic_context *context, const ent_effects *e) {
  if (are_rows_possible(e))
    return ENTROPIC_OK;
  if (e->row_products > ENT_EFFECT_MOST)
    return ent_fail(context, ENTROPIC_TOO_LARGE,
                    "%s of up to %zu inputs: the effects of a row would take %.1e products; at most %.0e are computed",
                    e->points == NULL ? "features" : "features and centres", e->most, e->row_products, ENT_EFFECT_MOST);
  return ent_fail(
      context, ENTROPIC_TOO_LARGE,
      "feature %zu has %zu inputs: its effects on a row would take %.1e products; at most %.0e are computed",
      e->longest + 1, e->most, products_of(e, e->longest), ENT_EFFECT_PRODUCTS);
}

/* The rules of 1 node, 2 nodes and so on, one after the other, and that of long features. */
entropic_status ent_effect_rules_create(entropic_context *context, ent_effects *e) {
  entropic_status status = set_long_nodes(context, e);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t f = 0; f < e->features; f++)
    e->row_products += products_of(e, f);
  size_t first, nodes = ent_effect_rule(e, e->used, &first);
  e->row_products += (double)ent_model_centres(e->model) * (double)e->used * (double)nodes;
  if (!are_rows_possible(e))
    return ENTROPIC_OK;
  size_t largest = (e->most + 1) / 2, each = largest < ENT_RULES ? largest : ENT_RULES;
  first = each * (each + 1) / 2;
  e->rule_numbers = first + e->long_nodes;
  e->nodes = ent_new(context, e->rule_numbers, sizeof *e->nodes);
  e->node_weights = ent_new(context, e->rule_numbers, sizeof *e->node_weights);
  if (e->nodes == NULL || e->node_weights == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t count = 1; count <= each; count++)
    set_rule(count, e->nodes + count * (count - 1) / 2, e->node_weights + count * (count - 1) / 2);
  return set_long_rule(context, e->long_nodes, e->nodes + first, e->node_weights + first);
}
