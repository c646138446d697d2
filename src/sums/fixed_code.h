/* The loops that multiply columns in fixed point, for each kind of processor. All give the same integers.
 *
 * Narrow codes take words of 32 bits: numbers of at most 2^23. Their products are added to one plane of 64-bit sums. The
 * order-free grade has one word a value. The exact grade has two slices of 23 bits, q = h 2^23 + l, and takes three
 * products (Karatsuba): of h, of l, and of h + l. Tiles take the same numbers as doubles: a product is at most 2^46, the
 * sum of 128 of them at most 2^53, hence exact in any order, fused or not. Doubles are the faster ones in tiles, integers
 * in axpys, each by a tenth.
 *
 * Wide codes take words of 64 bits. Products of up to 104 bits are added to two planes, the low 52 bits to one, the rest
 * to the other, as the IFMA instructions do. Carries go to the second, so that low sums are in [0, 2^52). IFMA multiplies
 * numbers without sign, so panels hold q + 2^45, and lists the size of q, positive ones apart from negative ones. What
 * the 2^45 add is subtracted when the sums are added to totals. */
#ifndef ENT_SUMS_FIXED_CODE_H
#define ENT_SUMS_FIXED_CODE_H

#include <stdbool.h>

#include "sums/fixed.h"
#include "sums/fixed_layout.h"

#define ENT_FIXED_SLICE_BITS 23           /* of a slice of the exact grade */
#define ENT_FIXED_TILE_ROWS ((size_t)128) /* products of narrow words that doubles can add */
#define ENT_FIXED_LOW_BITS 52             /* of the low plane of wide codes */

/* Narrow panels interleave the two halves of 16 columns. So the even words of a register belong to 8 neighbouring columns,
 * and so do the odd ones; a multiplication that takes every other word gives sums in their order. */
static inline size_t ent_fixed_lane(size_t column) {
  return column / 16 * 16 + column % 8 * 2 + column / 8 % 2;
}

/* Lists of non-zeros, one for each column. */
typedef struct ent_fixed_lists {
  const void *values;      /* [column * stride + i] words; wide: sizes of q, negative ones from the end on, downwards */
  const uint16_t *offsets; /* the row times ENT_FIXED_PANEL */
  size_t stride;
  const uint32_t *counts;    /* [column] non-zeros; wide: positive ones */
  const uint32_t *negatives; /* [column] wide only: negative ones */
} ent_fixed_lists;

/* Which sums of a tile are wanted: of columns i < a and j < b; on the diagonal, where both panels are the same one, only
 * those with i <= j. Others may be computed or not. */
typedef struct ent_fixed_extent {
  size_t a, b;
  bool diagonal;
} ent_fixed_extent;

/* Eight neighbouring columns of a panel, as dense rows are lifted. */
#define ENT_FIXED_STRIP 8
typedef struct ent_fixed_strip {
  const double *values[ENT_FIXED_STRIP]; /* [rows] of each column */
  double factors[ENT_FIXED_STRIP];       /* 2^(b - e) */
  const double *roots;                   /* [rows] that the values are multiplied by before they are rounded */
  double limit;                          /* 2^b + 1/2 */
  int64_t sums[ENT_FIXED_STRIP];         /* wide only: q of all rows are added */
} ent_fixed_strip;

typedef struct ent_fixed_code {
  const char *name;
  bool wide;
  /* For each of `columns` lists: sums[column * ENT_FIXED_PANEL + i] += the sum over its non-zeros of their value times
   * element i of that row of the panel. Wide: the high parts go to high, which narrow codes do not use. */
  void (*axpy)(const ent_fixed_lists *lists, size_t columns, const void *panel, int64_t *sums, int64_t *high);
  /* sums[j * ENT_FIXED_PANEL + i] += the sum over rows of element i of panel a times element j of panel b, for
   * those that are wanted. Narrow: panels of doubles, columns in their order. */
  void (*tile)(const void *a, const void *b, const ent_fixed_extent *extent, size_t rows, int64_t *sums, int64_t *high);
  /* Rounds rows of a strip into rows of a panel, from `to` on: doubles, or wide words. Of narrow codes, for the order-free
   * grade alone. False if a value is beyond its scale. */
  bool (*round)(ent_fixed_strip *strip, size_t rows, void *to);
} ent_fixed_code;

/* All there are. Those for AVX need a processor with these instructions; the last one AVX-512 with IFMA. */
extern const ent_fixed_code ent_fixed_narrow_reference, ent_fixed_narrow_avx2, ent_fixed_narrow_avx512;
extern const ent_fixed_code ent_fixed_wide_reference, ent_fixed_wide_avx512;

/* The codes that run on this processor and serve the grade, the fastest first; how many. */
#define ENT_FIXED_MOST_CODES 5
size_t ent_fixed_codes(ent_grade grade, const ent_fixed_code *codes[ENT_FIXED_MOST_CODES]);

/* How many planes of words a block has, and how many planes of sums. */
static inline size_t ent_fixed_word_planes(ent_grade grade, const ent_fixed_code *code) {
  return code->wide || grade == ENT_GRADE_ORDER_FREE ? 1 : 3;
}
static inline size_t ent_fixed_sum_planes(ent_grade grade, const ent_fixed_code *code) {
  return code->wide ? 2 : ent_fixed_word_planes(grade, code);
}

#endif
