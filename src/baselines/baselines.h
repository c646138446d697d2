/* Random features: the maps that entropic optimal features are compared with, behind the same interface as lifts.
 *
 * All are deterministic: the bits of a feature depend on options, data and row alone, not on threads, nor on how rows
 * are cut into calls. Inputs are in [0,1]; what lies outside counts as the nearer end, as in lifts. */
#ifndef ENT_BASELINES_BASELINES_H
#define ENT_BASELINES_BASELINES_H

#include "lift/map.h"

typedef enum ent_random_method {
  ENT_RANDOM_RKS = 0,  /* random kitchen sinks (Rahimi and Recht): sqrt(2/M) cos(g.x + b) */
  ENT_RANDOM_ORF = 1,  /* orthogonal random features (Yu and others): g from orthogonal blocks; gauss only */
  ENT_RANDOM_LKRF = 2, /* learnt kernels (Sinha and Duchi): candidates weighted by how well they align with targets */
  ENT_RANDOM_EERF = 3, /* energy-based exploration (Shahrampour and others): the candidates that align best */
  ENT_RANDOM_NYSTROEM = 4, /* the kernel at landmarks, made orthonormal */
  ENT_RANDOM_QMC = 5,      /* RKS with points that fill space more evenly than random ones */
  ENT_RANDOM_SORF = 6      /* structured ORF (Yu and others): blocks of fast Walsh-Hadamard transforms; gauss only */
} ent_random_method;

typedef enum ent_random_kernel {
  ENT_RANDOM_LAPLACE = 0, /* exp(-sigma |x-y|_1) */
  ENT_RANDOM_GAUSS = 1,   /* exp(-sigma^2 |x-y|_2^2 / 2) */
  ENT_RANDOM_SOBOLEV = 2  /* the product of 1 + sigma min(x,y); Nystroem only */
} ent_random_kernel;

typedef enum ent_random_landmarks {
  ENT_LANDMARKS_UNIFORM = 0, /* rows at random, none twice */
  ENT_LANDMARKS_SPREAD = 1,  /* each with a probability in proportion to its squared distance to those before
                                (k-means++) */
  ENT_LANDMARKS_RPC = 2      /* randomly pivoted Cholesky (Chen, Epperly, Tropp and Webber): in proportion to what those
                                before leave of its kernel; if they leave nothing of any row, further ones uniformly */
} ent_random_landmarks;

/* Start from ent_random_options_default. */
typedef struct ent_random_options {
  ent_random_method method;       /* default RKS */
  ent_random_kernel kernel;       /* default gauss */
  double sigma;                   /* 1e-6 .. 1e6; default 1 */
  size_t features;                /* M >= 1; default 100 */
  size_t candidates;              /* LKRF, EERF: how many times M are drawn, 1 or more; default 10 */
  double rho;                     /* LKRF: how far weights may be from uniform; negative (default): candidates - 1 */
  uint64_t seed;                  /* default 1 */
  ent_random_landmarks landmarks; /* Nystroem; default uniform */
} ent_random_options;

ent_random_options ent_random_options_default(void);

/* Training rows; all borrowed for the call. Classes are targets of their own, one against the rest. */
typedef struct ent_random_data {
  const double *x; /* x[row * stride + input] */
  size_t rows, stride;
  const double *y; /* y[row * y_stride + target]; LKRF and EERF only */
  size_t targets, y_stride;
  const double *weights; /* of rows in alignments, or NULL: all 1; a row of weight 0 has no effect */
} ent_random_data;

typedef struct ent_random_map ent_random_map;

/* LKRF and EERF learn from rows and targets, Nystroem from rows; the others need no data, which may then be NULL. */
entropic_status ent_random_create(entropic_context *context, const ent_random_options *options, size_t inputs,
                                  const ent_random_data *data, ent_random_map **map);
void ent_random_free(ent_random_map *map);
/* The map is borrowed. */
ent_map ent_map_of_random(const ent_random_map *map);

/* "RKS", "laplace"; NULL for a number that is none. */
const char *ent_random_method_name(ent_random_method method);
const char *ent_random_kernel_name(ent_random_kernel kernel);

/* The source paper's rule for sigma: 1 / the mean Euclidean distance of a row to its 50th nearest neighbour, the row itself
 * not counted; with fewer rows to the farthest. Only the rows of the data are used. Exact up to 20,000 rows; of more rows,
 * the mean is over a random choice of 20,000, each against all. BAD_DATA if there are fewer than two rows or that mean is
 * 0. */
entropic_status ent_random_bandwidth(entropic_context *context, const ent_random_data *data, size_t inputs,
                                     uint64_t seed, double *sigma);

#endif
