/* The loops of gradient sums (gradient_sums.h) for each kind of processor: for any, for AVX2 and for AVX-512. All give the
 * same integers. */
#ifndef ENT_SUMS_GRADIENT_CODE_H
#define ENT_SUMS_GRADIENT_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ENT_GRADIENT_BITS 46            /* of a product */
#define ENT_GRADIENT_ROWS ((size_t)128) /* so many products add up to at most 2^53: a double holds that exactly */
#define ENT_GRADIENT_MOST_LOSS 0x1p40   /* a larger one counts as this */

/* How the products u z of a column become integers: rint(u z / unit), at most 2^ENT_GRADIENT_BITS. Added to `magic`, a
 * product is rounded to a multiple of the unit, half to even, which then stands in the low bits. */
typedef struct ent_gradient_scale {
  double magic; /* 1.5 * 2^52 units */
  double per;   /* 1 / unit */
  double limit; /* of |z|: 2^e (1 + 2^-47), so bounds of features need not allow for rounding */
} ent_gradient_scale;

/* Some rows at known scores. */
typedef struct ent_gradient_rows {
  size_t rows, classes;
  const double *labels; /* class numbers */
  const double *weights;
  double *u;          /* [k * rows + r] in: scores; out: the gradient of the weighted loss in them */
  double *loss;       /* [rows] not weighted, at most ENT_GRADIENT_MOST_LOSS; NaN if a score is not finite */
  double *margin;     /* [rows] the score of the right class less the best other */
  double *most, *sum; /* [rows] work space */
} ent_gradient_rows;

/* A dense block of lifted rows. */
typedef struct ent_gradient_block {
  size_t rows, columns, scores; /* at most ENT_GRADIENT_ROWS rows */
  const double *z;              /* rows x columns, columns ld apart */
  size_t ld;
  const double *u; /* u[k * u_ld + r] */
  size_t u_ld;
  const ent_gradient_scale *scales; /* [columns] */
  int64_t *sums;                    /* sums[k * sums_ld + column] */
  size_t sums_ld;
} ent_gradient_block;

typedef struct ent_gradient_code {
  const char *name;
  /* Losses, margins and gradients of rows. */
  void (*rows)(const ent_gradient_rows *rows);
  /* Adds the integers of all products to sums. False if a value of z is beyond its limit or NaN; then sums are
   * undefined. */
  bool (*add)(const ent_gradient_block *block);
} ent_gradient_code;

/* All there are. The last two need a processor with these instructions. */
extern const ent_gradient_code ent_gradient_reference, ent_gradient_avx2, ent_gradient_avx512;

/* The codes that run on this processor, the fastest first; how many. */
#define ENT_GRADIENT_MOST_CODES 3
size_t ent_gradient_codes(const ent_gradient_code *codes[ENT_GRADIENT_MOST_CODES]);

#endif
