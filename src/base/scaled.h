/* Products of many factors, kept as mantissa 2^exponent, so that intermediate products neither overflow nor underflow.
 * The mantissa is a long double. */
#ifndef ENT_BASE_SCALED_H
#define ENT_BASE_SCALED_H

#include <math.h>

typedef struct ent_scaled {
  long double mantissa;
  long exponent;
} ent_scaled;

static inline ent_scaled ent_scaled_one(void) {
  return (ent_scaled){.mantissa = 1};
}

static inline void ent_scaled_multiply(ent_scaled *product, double value) {
  int of_value, of_product;
  double mantissa = frexp(value, &of_value);
  product->mantissa = frexpl(product->mantissa * mantissa, &of_product);
  product->exponent += of_value + of_product;
}

/* The product divided by 2^shift, rounded once; 0 on underflow, infinity on overflow. */
static inline double ent_scaled_value(ent_scaled product, long shift) {
  long exponent = product.exponent - shift;
  return (double)ldexpl(product.mantissa, (int)(exponent < -1200 ? -1200 : exponent > 1200 ? 1200 : exponent));
}

#endif
