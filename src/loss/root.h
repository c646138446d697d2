/* The root of a skewed target: how it is found.
 *
 * Counts, prices and durations have many small values and few large ones. Their errors grow with the values, and effects
 * multiply. The root of the distance from the crowded end has errors of about one size, and effects that rather add up.
 * Predictions f of the root are squared. E[f]^2 <= E[f^2], so the variance of the root is added: the retransformation
 * bias. */
#ifndef ENT_LOSS_ROOT_H
#define ENT_LOSS_ROOT_H

#include "loss/link.h"

/* Targets of rows, all borrowed. */
typedef struct ent_link_targets {
  size_t rows;
  const double *y; /* y[row * stride] */
  size_t stride;
  const double *weights; /* not negative; NULL: all 1 */
} ent_link_targets;

/* The root that suits the targets of positive weight: from their crowded end, rounded outward if asked for, unless ten rows
 * share it. Its bias is 0. Returns the absolute skewness of the target; 0 if it does not vary. Other units or another sign of
 * the target change nothing but the origin and the sign. */
double ent_root_find(const ent_link_targets *targets, bool rounded, ent_link *link);

/* The bias with which squares of the predicted roots, [rows], are right on average. */
double ent_root_bias(const ent_link *link, const ent_link_targets *targets, const double *roots);

#define ENT_ROOT_JS_PREDICT                                                                                            \
  "  return root ? root.origin + root.sign * ((score > 0 ? score * score : 0) + root.bias) : score;\n"
#define ENT_ROOT_JS_SCORE                                                                                              \
  "    const score = root\n"                                                                                           \
  "      ? Math.sqrt(Math.max(root.sign * (predicted - root.sign * root.bias - root.origin), 0)) : predicted;\n"
#define ENT_ROOT_JS_TARGET "      root ? root.origin + root.sign * (end > 0 ? end * end : 0) : end);\n"

#endif
