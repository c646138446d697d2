/* Random kitchen sinks, the baseline: z(x) = sqrt(2/M) cos(G x + b) with random G and b, so that E z(x).z(y) = k(x,y).
 * Written to be as fast as it can be made, for a race that is fair. */
#ifndef ENTROPIC_BENCH_RKS_H
#define ENTROPIC_BENCH_RKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rks {
  size_t inputs, features;
  double *frequencies; /* in turns (so cos(2 pi ...)), inputs x features: a feature's entries lie `features` apart */
  double *phases;      /* features, in turns */
  double scale;        /* sqrt(2/M) */
  size_t panel;        /* features worked on at a time; set to `features` at first, smaller may be faster */
  bool library_cosine; /* take the C library's vector cosine, not the faster one made for the purpose */
} rks;

/* Of the product Laplace kernel exp(-omega sum |x-y|): Cauchy frequencies. Returns 0, or -1 without memory. */
int rks_create(size_t inputs, size_t features, double omega, uint64_t seed, rks *sinks);
void rks_free(rks *sinks);

/* Call first in main: makes OpenBLAS single-threaded and, if `tell`, use the instructions this processor has (versions
 * older than the processor fall back to the slowest code they have). Both are read when the library is loaded, so this
 * sets the environment and starts the program again, unless that has been done. */
void rks_prepare_blas(char **argv, bool tell);
/* Whether the program runs because of a call with `tell`. */
bool rks_blas_was_told(void);
/* The name of the code OpenBLAS uses, such as "SkylakeX". */
const char *rks_blas_code(void);

/* x is rows x inputs, row after row. Into z, features of a row side by side: z[row * features + column]. */
void rks_lift_rows(const rks *sinks, const double *x, size_t rows, double *z);
/* Into z, rows of a feature side by side: z[column * rows + row], as BLAS takes it. */
void rks_lift_columns(const rks *sinks, const double *x, size_t rows, double *z);

#endif
