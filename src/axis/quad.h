/* 113-bit numbers, in which p and q of a custom kernel are computed once, when the kernel is made. Their arithmetic and
 * their functions are software, so they have the same bits on every processor; and differences of p and q keep the digits
 * of a double. Nothing of this is used where rows are lifted. */
#ifndef ENT_AXIS_QUAD_H
#define ENT_AXIS_QUAD_H

#include <math.h>

#ifdef __SIZEOF_FLOAT128__

__extension__ typedef __float128 ent_quad;
#define ENT_QUAD_CALL(name) name##f128
#define ENT_QUAD_CONSTANT(number) __extension__ number##Q

/* The C library has these, but its header shows them neither to every compiler nor with every standard. */
#define ENT_QUAD_ONE(name) ent_quad name##f128(ent_quad x);
ENT_QUAD_ONE(exp)
ENT_QUAD_ONE(expm1)
ENT_QUAD_ONE(log)
ENT_QUAD_ONE(log1p)
ENT_QUAD_ONE(sqrt)
ENT_QUAD_ONE(cbrt)
ENT_QUAD_ONE(sin)
ENT_QUAD_ONE(cos)
ENT_QUAD_ONE(tan)
ENT_QUAD_ONE(asin)
ENT_QUAD_ONE(acos)
ENT_QUAD_ONE(atan)
ENT_QUAD_ONE(sinh)
ENT_QUAD_ONE(cosh)
ENT_QUAD_ONE(tanh)
ENT_QUAD_ONE(asinh)
ENT_QUAD_ONE(acosh)
ENT_QUAD_ONE(atanh)
ENT_QUAD_ONE(erf)
#undef ENT_QUAD_ONE
ent_quad powf128(ent_quad x, ent_quad y);

#else /* long double has 113 bits */

typedef long double ent_quad;
#define ENT_QUAD_CALL(name) name##l
#define ENT_QUAD_CONSTANT(number) number##L

#endif

static inline ent_quad ent_quad_abs(ent_quad x) {
  return x < 0 ? -x : x;
}

/* NaN if one of them is. */
static inline ent_quad ent_quad_larger(ent_quad x, ent_quad y) {
  return x != x || y <= x ? x : y;
}

/* For messages: NaN without a sign. */
static inline double ent_quad_shown(ent_quad x) {
  return x != x ? NAN : (double)x;
}

/* Also beyond the range of a double. */
static inline int ent_quad_finite(ent_quad x) {
  return x - x == 0;
}

#endif
