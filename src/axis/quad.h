/* 113-bit numbers, in which p and q of a custom kernel are computed once, when the kernel is made. Their arithmetic and
 * their functions are software, so they have the same bits on every processor; and differences of p and q keep the digits
 * of a double. Nothing of this is used where rows are lifted. */
#ifndef ENT_AXIS_QUAD_H
#define ENT_AXIS_QUAD_H

#include <math.h>

#if defined __SIZEOF_FLOAT128__ && !defined __cppcheck__ /* which does not know that type */

__extension__ typedef __float128 ent_quad;
#define ENT_QUAD_CALL(name) name##f128

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

#endif

static inline ent_quad ent_quad_abs(ent_quad x) {
  return x < 0 ? -x : x;
}

/* To 107 bits: a double, and the double of what is left. */
static inline ent_quad ent_quad_pi(void) {
  return (ent_quad)0x1.921fb54442d18p+1 + 0x1.1a62633145c07p-53;
}
static inline ent_quad ent_quad_e(void) {
  return (ent_quad)0x1.5bf0a8b145769p+1 + 0x1.4d57ee2b1013ap-53;
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
