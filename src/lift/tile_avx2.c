/* The same steps with AVX2, four rows at a time. Compiled with -mavx2 and without contraction; called only where the
 * processor has it. */
#include "lift/lift.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>

static void transpose(__m256d a, __m256d b, __m256d c, __m256d d, __m256d turned[4]) {
  __m256d ab_low = _mm256_unpacklo_pd(a, b), ab_high = _mm256_unpackhi_pd(a, b);
  __m256d cd_low = _mm256_unpacklo_pd(c, d), cd_high = _mm256_unpackhi_pd(c, d);
  turned[0] = _mm256_permute2f128_pd(ab_low, cd_low, 0x20);
  turned[1] = _mm256_permute2f128_pd(ab_high, cd_high, 0x20);
  turned[2] = _mm256_permute2f128_pd(ab_low, cd_low, 0x31);
  turned[3] = _mm256_permute2f128_pd(ab_high, cd_high, 0x31);
}

/* What loading looks out for, gathered over the tile. */
typedef struct ent_watch {
  __m256d finite;             /* all ones while everything is finite */
  __m256d tiny[ENT_TILE / 4]; /* rows with a tiny value */
} ent_watch;

static __m256d clamp_and_watch(__m256d value, size_t block, ent_watch *watch) {
  const __m256d zero = _mm256_setzero_pd();
  /* a finite number minus itself is 0; infinity and NaN give NaN */
  watch->finite = _mm256_and_pd(watch->finite, _mm256_cmp_pd(_mm256_sub_pd(value, value), zero, _CMP_EQ_OQ));
  __m256d clamped = _mm256_min_pd(_mm256_max_pd(value, zero), _mm256_set1_pd(1));
  __m256d tiny = _mm256_and_pd(_mm256_cmp_pd(clamped, zero, _CMP_GT_OQ),
                               _mm256_cmp_pd(clamped, _mm256_set1_pd(ENT_TINY), _CMP_LT_OQ));
  watch->tiny[block] = _mm256_or_pd(watch->tiny[block], tiny);
  return clamped;
}

static bool load(const entropic_lift *lift, const double *x, size_t stride, double *columns, uint32_t *rare) {
  ent_watch watch = {.finite = _mm256_castsi256_pd(_mm256_set1_epi64x(-1))};
  const uint32_t *input = lift->column_input;
  for (size_t block = 0; block < ENT_TILE / 4; block++) {
    const double *row = x + 4 * block * stride;
    size_t c = 0;
    for (; c + 4 <= lift->column_count; c += 4) {
      __m256d turned[4];
      const double *at = row + input[c];
      if (input[c + 3] == input[c] + 3) {
        transpose(_mm256_loadu_pd(at), _mm256_loadu_pd(at + stride), _mm256_loadu_pd(at + 2 * stride),
                  _mm256_loadu_pd(at + 3 * stride), turned);
      } else {
        for (size_t i = 0; i < 4; i++) {
          at = row + input[c + i];
          turned[i] = _mm256_set_pd(at[3 * stride], at[2 * stride], at[stride], at[0]);
        }
      }
      for (size_t i = 0; i < 4; i++)
        _mm256_store_pd(columns + (c + i) * ENT_TILE + 4 * block, clamp_and_watch(turned[i], block, &watch));
    }
    for (; c < lift->column_count; c++) {
      const double *at = row + input[c];
      __m256d value = _mm256_set_pd(at[3 * stride], at[2 * stride], at[stride], at[0]);
      _mm256_store_pd(columns + c * ENT_TILE + 4 * block, clamp_and_watch(value, block, &watch));
    }
  }
  for (size_t block = 0; block < ENT_TILE / 4; block++)
    *rare |= (uint32_t)_mm256_movemask_pd(watch.tiny[block]) << (4 * block);
  return _mm256_movemask_pd(watch.finite) == 15;
}

static void line_values(const ent_level *level, const double *x, double *values) {
  const __m256d scale = _mm256_set1_pd(level->scale), centre = _mm256_set1_pd(level->centre);
  for (size_t r = 0; r < ENT_TILE; r += 4)
    _mm256_store_pd(values + r, _mm256_mul_pd(scale, _mm256_sub_pd(_mm256_load_pd(x + r), centre)));
}

static void hat_values(const ent_level *level, const double *x, uint32_t *atoms, double *values) {
  const __m256d scale = _mm256_set1_pd(level->scale), one = _mm256_set1_pd(1), two = _mm256_set1_pd(2);
  const __m256d cells = _mm256_set1_pd((double)level->info.atoms);
  const __m256d last = _mm256_sub_pd(cells, one);
  for (size_t r = 0; r < ENT_TILE; r += 4) {
    __m256d u = _mm256_mul_pd(_mm256_load_pd(x + r), cells);
    __m256d cell = _mm256_min_pd(_mm256_floor_pd(u), last);
    __m256d f = _mm256_sub_pd(u, cell);
    __m256d height = _mm256_mul_pd(two, _mm256_min_pd(f, _mm256_sub_pd(one, f)));
    _mm256_store_pd(values + r, _mm256_mul_pd(scale, height));
    if (level->info.atoms > 1)
      _mm_store_si128((__m128i *)(atoms + r), _mm256_cvttpd_epi32(cell));
  }
}

static void factor_values(const ent_factor *factor, const double *x, uint32_t *atoms, double *values) {
  switch (factor->level->shape) {
  case ENT_SHAPE_LINE:
    line_values(factor->level, x, values);
    break;
  case ENT_SHAPE_HAT:
    hat_values(factor->level, x, atoms, values);
    break;
  default:
    factor->level->evaluate(factor->axis, factor->level, x, ENT_TILE, atoms, values);
  }
}

static void run(const ent_node *nodes, size_t count, double *pool, double *out, size_t stride) {
  for (size_t i = 0; i < count; i++) {
    const double *parent = pool + (size_t)nodes[i].parent * ENT_TILE;
    const double *factor = pool + (size_t)nodes[i].factor_slot * ENT_TILE;
    double *to = out + i * stride;
    for (size_t r = 0; r < ENT_TILE; r += 4)
      _mm256_storeu_pd(to + r, _mm256_mul_pd(_mm256_load_pd(parent + r), _mm256_load_pd(factor + r)));
    if (nodes[i].store != ENT_NONE) {
      double *store = pool + (size_t)nodes[i].store * ENT_TILE;
      for (size_t r = 0; r < ENT_TILE; r += 4)
        _mm256_store_pd(store + r, _mm256_loadu_pd(to + r));
    }
  }
}

static bool turn(const double *chunk, size_t count, double *rows, size_t stride) {
  const __m256d zero = _mm256_setzero_pd();
  __m256d zeros = zero;
  bool rest_zero = false;
  for (size_t r = 0; r < ENT_TILE; r += 4) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
      const double *at = chunk + i * ENT_TILE + r;
      __m256d a = _mm256_load_pd(at), b = _mm256_load_pd(at + ENT_TILE);
      __m256d c = _mm256_load_pd(at + 2 * ENT_TILE), d = _mm256_load_pd(at + 3 * ENT_TILE);
      __m256d product_free =
          _mm256_or_pd(_mm256_or_pd(_mm256_cmp_pd(a, zero, _CMP_EQ_OQ), _mm256_cmp_pd(b, zero, _CMP_EQ_OQ)),
                       _mm256_or_pd(_mm256_cmp_pd(c, zero, _CMP_EQ_OQ), _mm256_cmp_pd(d, zero, _CMP_EQ_OQ)));
      zeros = _mm256_or_pd(zeros, product_free);
      __m256d turned[4];
      transpose(a, b, c, d, turned);
      for (size_t k = 0; k < 4; k++)
        _mm256_storeu_pd(rows + (r + k) * stride + i, turned[k]);
    }
    for (; i < count; i++)
      for (size_t k = 0; k < 4; k++) {
        double value = chunk[i * ENT_TILE + r + k];
        rows[(r + k) * stride + i] = value;
        rest_zero = rest_zero || value == 0;
      }
  }
  return rest_zero || _mm256_movemask_pd(zeros) != 0;
}

const ent_code ent_code_avx2 = {.name = "avx2", .load = load, .factor = factor_values, .run = run, .turn = turn};
#endif
