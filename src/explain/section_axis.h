/* The sections of a one-dimensional kernel at many coordinates, its nodes: their sums over rows, and the mean of the
 * product of any two. The rows are at the nodes too, so that all of it takes a few steps for each node or pair of
 * nodes, whatever the number of rows.
 *
 * Nodes ascend. Where the kernel is p(min) q(max), what is left of a node is carried to the next one by a factor. Where
 * it has a kink, sums of |x - c| are made of sums of 1 and x up to c. With a <= b the mean of k(x,a) k(x,b) is
 *     k(a,b) (L_a / k(a,a) + the sum over a < x < b of k(x,x) + R_b / k(b,b)),
 * where L_a and R_b are the means of k(x,a)^2 over x <= a and of k(x,b)^2 over x >= b: for products of p and q. */
#ifndef ENT_EXPLAIN_SECTION_AXIS_H
#define ENT_EXPLAIN_SECTION_AXIS_H

#include "axis/kernel.h"

typedef struct ent_section_axis {
  const ent_axis *axis;
  ent_section_form form;
  bool missing;   /* the last node is of rows where the input is missing */
  size_t count;   /* nodes */
  size_t present; /* those that are not missing */
  double *nodes;  /* [count] distinct; NaN if missing */
  double *shares; /* [count] of the rows */
  double *means;  /* [count] of the section at each node */
  double *room;   /* what the others point into */
  /* Of products of p and q, for a <= b: k(a,b) is left[a] right[b], unless that leaves the range of numbers and both
   * are NULL; the mean of k(x,a) k(x,b) is k(a,b) (before[a] + behind[b]). All are [present]. */
  double *left, *right, *before, *behind;
  size_t rank;              /* of kinks: functions beside |x - c|: 1, x - 1/2 and smooth atoms */
  double *own, *of, *kinks; /* [present x rank] see section_axis.c */
  double *sums;             /* [3 x present] shares up to a node, times 1, x - 1/2 and its square */
} ent_section_axis;

/* Of nodes[count], ascending, distinct, in [0,1], the last NaN if `missing`, and as many shares; both are copied. */
entropic_status ent_section_axis_create(entropic_context *context, const ent_axis *axis, const double *nodes,
                                        const double *shares, size_t count, ent_section_axis *made);
void ent_section_axis_clear(ent_section_axis *axis);

/* sums[node] = the sum over all nodes x of weights[x] k(x, node). */
void ent_section_axis_sums(const ent_section_axis *axis, const double *weights, double *sums);
/* products[node] = the mean of the product of the sections at the node and at node number `a`. */
void ent_section_axis_products(const ent_section_axis *axis, size_t a, double *products);

/* A coordinate as nodes have it: within [0,1], and of a category the middle of its cell. */
double ent_section_node(const ent_axis *axis, double x);

#endif
