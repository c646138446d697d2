/* The sixteen digits of two numbers below 10^8. */
#ifndef ENT_BASE_SIXTEEN_H
#define ENT_BASE_SIXTEEN_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Writes eight digits with zeros in front; returns how many zeros are at their end. */
static inline int ent_write_eight(uint32_t n, char text[8]) {
  int zeros = 0;
  for (int i = 7; i >= 0; i--, n /= 10) {
    text[i] = (char)('0' + n % 10);
    zeros += zeros == 7 - i && n % 10 == 0;
  }
  return zeros;
}

/* Writes eight digits of each, with zeros in front; returns how many zeros are at the end of all. The plain version. */
static inline int ent_write_sixteen_reference(uint32_t high, uint32_t low, char text[16]) {
  int before = ent_write_eight(high, text), behind = ent_write_eight(low, text + 8);
  return behind == 8 ? 8 + before : behind;
}

static inline int ent_write_sixteen(uint32_t high, uint32_t low, char text[16]) {
#if defined(__SSE2__)
  /* Each step halves the numbers of a register: n / 10^k stays in the lower half, the rest goes to the upper one. The
   * quotients come from products with rounded reciprocals, which are exact for numbers so small. */
  const __m128i reciprocal = _mm_set1_epi32((int)0xd1b71759); /* 2^45 / 10^4 */
  __m128i n = _mm_set_epi64x((long long)low, (long long)high);
  __m128i fours = _mm_srli_epi64(_mm_mul_epu32(n, reciprocal), 45);
  n = _mm_or_si128(fours, _mm_slli_epi64(_mm_sub_epi32(n, _mm_mul_epu32(fours, _mm_set1_epi32(10000))), 32));
  __m128i twos = _mm_srli_epi16(_mm_mulhi_epu16(n, _mm_set1_epi16(5243)), 3); /* 2^19 / 100 */
  n = _mm_or_si128(twos, _mm_slli_epi32(_mm_sub_epi16(n, _mm_mullo_epi16(twos, _mm_set1_epi16(100))), 16));
  __m128i ones = _mm_mulhi_epu16(n, _mm_set1_epi16(6554)); /* 2^16 / 10 */
  n = _mm_or_si128(ones, _mm_slli_epi16(_mm_sub_epi16(n, _mm_mullo_epi16(ones, _mm_set1_epi16(10))), 8));
  _mm_storeu_si128((__m128i *)(void *)text, _mm_or_si128(n, _mm_set1_epi8('0')));
  unsigned others = 0xffffu ^ (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(n, _mm_setzero_si128()));
  return __builtin_clz(others << 1 | 1) - 15;
#else
  return ent_write_sixteen_reference(high, low, text);
#endif
}

#endif
