/* Exact, order-free statistics of the squared loss: integers in fixed point.
 *
 * Column j is a feature, the constant 1 or a target, in this order, as in statistics.h. It has a scale 2^e_j, a power of
 * two at or above sup |z_j|. A value z of a row of weight w enters as the integer
 *
 *     q = rint(z sqrt(w) / 2^e_j * 2^b),   |q| <= 2^b,
 *
 * with z sqrt(w) rounded once. The statistic of columns i <= j is the sum over rows of q_i q_j, an integer of 128 bits. It
 * is defined as that integer. So every order of rows, blocks, threads and shards, and every code, gives the same bytes, and
 * subtracting rows gives back the bytes from before they were added.
 *
 * A scale is frozen with the features. It must hold with the weights: z sqrt(w), not z, has to stay within it. Rows whose
 * weights are integers could enter as repeated rows, w q_i q_j, which would not round the root. That is not done yet. */
#ifndef ENT_SUMS_FIXED_H
#define ENT_SUMS_FIXED_H

#include <stddef.h>
#include <stdint.h>

#include "sums/pass.h"
#include "sums/statistics.h"

/* Numbers as bytes, the least significant first. */

/* Writes the low bytes of a number; returns what follows them. */
static inline unsigned char *ent_write_number(unsigned char *to, uint64_t number, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    to[i] = (unsigned char)(number >> (8 * i));
  return to + bytes;
}

/* Reads a number of so many bytes, at most 8, and moves on. */
static inline uint64_t ent_read_number(const unsigned char **from, size_t bytes) {
  uint64_t number = 0;
  for (size_t i = 0; i < bytes; i++)
    number |= (uint64_t)(*from)[i] << (8 * i);
  *from += bytes;
  return number;
}

__extension__ typedef __int128 ent_int128;

/* The same of 16 bytes. */
static inline unsigned char *ent_write_wide(unsigned char *to, ent_int128 number) {
  to = ent_write_number(to, (uint64_t)number, 8);
  return ent_write_number(to, (uint64_t)(number >> 64), 8);
}

static inline ent_int128 ent_read_wide(const unsigned char **from) {
  uint64_t low = ent_read_number(from, 8), high = ent_read_number(from, 8);
  return (ent_int128)(int64_t)high * ((ent_int128)1 << 64) + low;
}

#define ENT_FIXED_MOST_ROWS (UINT64_C(1) << 36) /* below 2^(127 - 2 * 45), where the totals could overflow */
#define ENT_FIXED_MOST_EXPONENT 505             /* of a scale, up and down: products of two stay normal doubles */

/* What rows are reduced to. Two of them go together if all of this is equal. */
typedef struct ent_fixed_shape {
  ent_grade grade;
  size_t features, targets;
  const int *exponents; /* [features + 1 + targets] e_j, of features, the 1, targets */
  const double *shift;  /* [targets] subtracted from each target; NULL: 0 */
} ent_fixed_shape;

typedef struct ent_fixed {
  ent_grade grade;
  size_t features, targets;
  size_t size; /* features + 1 + targets */
  int *exponents;
  double *shift;
  uint64_t rows;      /* how many had a weight above 0 */
  ent_int128 *totals; /* [size (size + 1) / 2] upper triangle, column after column */
  /* Further sums over the same rows, whatever they are: the caller collects them. Sums of two statistics that both have
   * them have their sums. */
  size_t side_count; /* 0: there are none */
  ent_int128 *side;
} ent_fixed;

/* b of a grade. */
#define ENT_ORDER_FREE_BITS 23
#define ENT_EXACT_BITS 45
static inline int ent_grade_bits(ent_grade grade) {
  return grade == ENT_GRADE_EXACT ? ENT_EXACT_BITS : ENT_ORDER_FREE_BITS;
}

/* Where the total of columns i <= j stands. */
static inline size_t ent_fixed_index(size_t i, size_t j) {
  return j * (j + 1) / 2 + i;
}

/* The exponent of the smallest power of two at or above |sup|; that of 1 for 0. It may be beyond
 * ENT_FIXED_MOST_EXPONENT, which ent_fixed_create refuses; so it does if |sup| is not finite. */
int ent_fixed_exponent(double sup);

/* Statistics of no rows; the shape is copied. BAD_ARGUMENT if an exponent is out of range or a shift not finite. */
entropic_status ent_fixed_create(entropic_context *context, const ent_fixed_shape *shape, ent_fixed **fixed);
void ent_fixed_free(ent_fixed *fixed);
/* Room for so many further sums, all 0; and without them. */
entropic_status ent_fixed_start_side(entropic_context *context, ent_fixed *fixed, size_t count);
void ent_fixed_drop_side(ent_fixed *fixed);

/* The shape, borrowed. */
ent_fixed_shape ent_fixed_shape_of(const ent_fixed *fixed);

/* sum += other: merges. BAD_ARGUMENT unless both have the same shape; TOO_LARGE beyond ENT_FIXED_MOST_ROWS. On failure
 * the sum is as it was. */
entropic_status ent_fixed_add(entropic_context *context, ent_fixed *sum, const ent_fixed *other);

/* sum -= other: forgets. BAD_ARGUMENT unless both have the same shape; BAD_DATA if other has more rows than sum, or if a
 * diagonal entry would become negative: then those rows were never added. The converse cannot be known. On failure the
 * sum is as it was. */
entropic_status ent_fixed_subtract(entropic_context *context, ent_fixed *sum, const ent_fixed *other);

/* Whether there can be so many rows with these sums: no product is beyond 2^(2b), and no sum of squares is negative. With
 * `without`, of the same shape, the same of the difference. */
bool ent_fixed_possible(const ent_fixed *fixed, const ent_fixed *without);
/* How rows are collected. Nothing of this shows in the result. */
typedef struct ent_fixed_options {
  double full;                       /* panels of at least this density are multiplied in tiles */
  double dense;                      /* panels of at least this density are stored as panels */
  size_t block_rows;                 /* at most ENT_FIXED_BLOCK_ROWS (fixed_block.h) */
  const struct ent_fixed_code *code; /* of fixed_code.h */
} ent_fixed_options;

ent_fixed_options ent_fixed_options_default(ent_grade grade);

/* Adds all rows of the source, on the context's threads. NULL options: the default ones. BAD_DATA as above. On failure the
 * statistics are as they were. */
entropic_status ent_fixed_collect(entropic_context *context, ent_fixed *fixed, const ent_map *map, const ent_rows *rows,
                                  const ent_fixed_options *options);

#endif
