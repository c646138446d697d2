/* One input as a subject has it: its atoms, and inner products in the kernel's space.
 *
 * By the reproducing property <k(.,s), k(.,t)> = k(s,t). An atom is a sum of kernels at three points (an end, the node,
 * an end), so inner products of atoms are finite sums of values of the kernel: no integral is taken. */
#ifndef ENT_CLAIMS_CLAIMS_ATOMS_H
#define ENT_CLAIMS_CLAIMS_ATOMS_H

#include "claims/claims.h"

typedef struct ent_claim_axis {
  entropic_context *context;
  const ent_subject *subject;
  entropic_kernel *kernel; /* owned, unless it is borrowed */
  bool borrowed;
  size_t input;
  size_t boundaries, boundary[2];      /* levels that hold boundary atoms */
  int depth;                           /* of hats */
  size_t hats[ENTROPIC_MAX_LEVEL + 1]; /* hats[l]: which level of the kernel holds the hats of level l */
} ent_claim_axis;

/* Of a kernel of one input. Release with ent_claim_axis_close, also after a failure. */
entropic_status ent_claim_axis_open(entropic_context *context, const ent_subject *subject,
                                    const entropic_axis_options *options, ent_claim_axis *atoms);
/* One input of a kernel, which is borrowed. */
entropic_status ent_claim_axis_of(entropic_context *context, const ent_subject *subject, const entropic_kernel *kernel,
                                  size_t input, ent_claim_axis *atoms);
void ent_claim_axis_close(ent_claim_axis *atoms);

/* Options of a family with this omega and depth. */
entropic_axis_options ent_claim_axis_options(entropic_family family, double omega, entropic_basis basis, int depth);

/* k(x,y). */
double ent_claim_axis_kernel(const ent_claim_axis *atoms, double x, double y);
/* The value at x of the atom of norm 1 number i of hats of level l, 0 where another atom of the level is not 0; the same
 * for the one that is not 0 at x. NaN if the subject fails. */
double ent_hat_at(const ent_claim_axis *atoms, int l, uint64_t i, double x);
double ent_hats_at(const ent_claim_axis *atoms, int l, double x, uint64_t *i);
double ent_boundary_at(const ent_claim_axis *atoms, size_t j, double x);
/* The square of its height at its node: C. */
double ent_hat_constant(const ent_claim_axis *atoms, int l, uint64_t i);
/* The node of an atom: (2i + 1) 2^-l. */
double ent_hat_node(int l, uint64_t i);
/* The sum of all atoms at x times at y, of hats up to level l. */
double ent_claim_axis_sum(const ent_claim_axis *atoms, int l, double x, double y);

/* The function sum of weights[j] k(., points[j]). */
typedef struct ent_combination {
  size_t count;
  double points[3], weights[3];
} ent_combination;

/* The combination of kernels at these points that has these values there. Points where k is 0 are left out. */
ent_combination ent_combine(const ent_claim_axis *atoms, const double *points, const double *values, size_t count);
ent_combination ent_hat_combination(const ent_claim_axis *atoms, int l, uint64_t i);
ent_combination ent_boundary_combination(const ent_claim_axis *atoms, size_t j);
double ent_combination_at(const ent_claim_axis *atoms, const ent_combination *f, double x);
/* <f, g>: by values of the kernel alone; and of f with hat i of level l, or boundary atom j, by values of that. */
double ent_combination_inner(const ent_claim_axis *atoms, const ent_combination *f, const ent_combination *g);
double ent_combination_hat(const ent_claim_axis *atoms, const ent_combination *f, int l, uint64_t i);
double ent_combination_boundary(const ent_claim_axis *atoms, const ent_combination *f, size_t j);

/* Kernels to try: families and omegas. */
typedef struct ent_axis_case {
  entropic_family family;
  double omega;
} ent_axis_case;

#define ENT_AXIS_CASES 19
extern const ent_axis_case ent_axis_cases[ENT_AXIS_CASES];

/* Custom pairs p, q that are none of the families: y'' = 8 x y (Airy), and powers of 1 + x (Euler). */
#define ENT_PAIRS 2
entropic_axis_options ent_pair_options(size_t pair, int depth);

/* Measures something of one kernel, and keeps the worst in the finding. */
typedef void (*ent_axis_visit)(const ent_claim_axis *atoms, ent_finding *finding);

/* Visits a kernel of one input; all families; the custom pairs. */
entropic_status ent_claim_visit_axis(entropic_context *context, const ent_subject *subject,
                                     const entropic_axis_options *options, ent_axis_visit visit, ent_finding *finding);
entropic_status ent_claim_visit_cases(entropic_context *context, const ent_subject *subject, int depth,
                                      ent_axis_visit visit, ent_finding *finding);
entropic_status ent_claim_visit_pairs(entropic_context *context, const ent_subject *subject, int depth,
                                      ent_axis_visit visit, ent_finding *finding);
/* Whether it is the kernel of this family with this omega: for pictures, which show a few of them. */
bool ent_claim_axis_is(const ent_claim_axis *atoms, entropic_family family, double omega);

#endif
