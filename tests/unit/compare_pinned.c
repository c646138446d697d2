/* The bytes of the designs of the source paper's methods. Results of `entropic paper` are kept and compared over years, so
 * EOF, EOF-printed and EOF-inset must have the same features whatever becomes of the rules of fits. A hash that changes
 * here means that results of earlier versions are no longer of these methods: change the code back, not the hash.
 *
 * The hashes of features are of whole numbers and names, the same on every processor. Values of lifted rows are rounded to
 * nine digits first, which leaves no room for the last bits of exp or of the order of products. EOF-select follows the
 * rules of fits and is not pinned; its results say which version made them. */
#include "unit/tests.h"

#include "base/sha256.h"
#include "compare/method.h"
#include "design/design.h"
#include "page/page.h"

#define ROWS 5
#define HEX (2 * ENT_SHA256_SIZE + 1)

static entropic_context *context;

typedef struct pinned {
  ent_compare_method method;
  size_t inputs, features, nonzeros;
  double bandwidth;
  uint64_t seed;
  const char *design, *values; /* SHA-256 */
} pinned;

/* The sizes of table 2 of the paper: Energy, Grid, Superconductivity, MNIST. EOF has omega 1 there, as it has no rule. */
static const pinned cases[] = {
    {ENT_COMPARE_ENTROPY, 8, 60, 0, 1, 1, "44bc08911ee97ff14da3a2a71df58f193e9dca1d08925542a4a5700b4194118e",
     "b7806baf2320a9a6fc4c912aa02a5bc878aea3a543c7210b2f853d20cecd9ad2"},
    {ENT_COMPARE_ENTROPY, 12, 60, 0, 1, 1, "a31f54b1095773768bd52f5bc4d91eb0787ddecb542fdbbc30f7dd430d7a31e0",
     "c69f4d20089c78b942e7f0ba3a7a4cd76c3a3c15e3861696fe1648b412c1e853"},
    {ENT_COMPARE_ENTROPY, 81, 160, 0, 1, 1, "9744d44bfcaf8d93335651de8c3de829d3c470836af380a9bc6038dcb34ae5c7",
     "df3beeeb315434f23f7d1b486b9541d860ca06278b3a4ebc68b44ecea7aaf11c"},
    {ENT_COMPARE_ENTROPY, 32, 80, 0, 1, 1, "932e43c9ce093935f1b64f9ba9077e38b6d2d5b8cfbcf3f079c663c027eb856e",
     "c39719b0e97424407c686f0e9a9afa5a0ea8e735bdb52062c972433ae4c1aa53"},
    {ENT_COMPARE_ENTROPY, 8, 60, 0, 0.1, 1, "832fc8d7034a13908cb8cf5321d1b8d7b1da98ceea4dee9028c5d01be63d0dba",
     "6f92ca99e14f09f8d815842eba280f8d6eada1dedcc86fc5290124ccc1b9ce24"},
    {ENT_COMPARE_ENTROPY, 8, 0, 60, 1, 1, "1d9dbd15f5f22e66f7c8fc8281889a353a50abda9d986d7c5d91f64193de7388",
     "c57774f18ba9fc579d4dc89a58fed32aecde99e68695b45604a3a75a3b5e426e"},
    {ENT_COMPARE_ENTROPY, 12, 0, 320, 4, 1, "8f8887943e1112258c5f12ba00014897ad9df41316edf3227804828e8c5e2be6",
     "534c31c2077fa73ad8e6890a7358304f88f7de64769aa1e5732f8a7ec3157443"},
    {ENT_COMPARE_PRINTED, 8, 60, 0, 1.25, 1, "5f0e1012e806c7d6da716ed23c77dae6593757596641ca2acdde5d7580d46441",
     "4298a6d1edbbc4d5e4fcc4fa9bfc1509370b3bfe5352122756cb94b97e595eb8"},
    {ENT_COMPARE_PRINTED, 12, 60, 0, 0.75, 1, "cfff56874e0aead4375a7c8db572fc6e81e6c9e5512bbed7367f2a3d53f9bd8f",
     "f3b8d53804be606453da5f83fc4aa7db26370d07254826e6d92ca56fe9b38d87"},
    {ENT_COMPARE_PRINTED, 81, 160, 0, 0.25, 1, "57180d80ddb7bb3b5bb6665854aff1c4f7e512cca711d6a307c2bcd5a5e46dd6",
     "d39e71cb054236de52f6413dcf4915f00d054fe36b02d3c18c6f6e7c0e5511a0"},
    {ENT_COMPARE_PRINTED, 32, 80, 0, 0.5, 1, "4bbe56d4d0b2d00b3baf2dfaa0060fa581075ef50cab4c3cdf5d4e9f2506b571",
     "b16dd9ef32f30233c9fcd529b4c7b55283194d394c1bfef40e35ec52002ede33"},
    {ENT_COMPARE_PRINTED, 8, 60, 0, 1.25, 2, "21e28b26452b69fd568deed07419f5a18faab8ec75cad90499337a08b317f925",
     "ab0321bd0862cf0c86a5c85114e5a643c134f0fb95db440b7a24a2c753231555"},
    {ENT_COMPARE_INSET, 8, 60, 0, 6.25, 1, "5f0e1012e806c7d6da716ed23c77dae6593757596641ca2acdde5d7580d46441",
     "b47d4e1ac253db9990d5e59b26a1a12ab7fdddf59e37e3bc82df53f9d126f6f9"},
    {ENT_COMPARE_INSET, 12, 60, 0, 3.75, 7, "1e4f194f0398a8714dcfe86cf6f4baaefb00db9029117b8fcb31cfc7b2d70e26",
     "4206e54601a3455cefd1274292bc47b054821b09c5b86cf5cfba3fb095ab77ff"},
    {ENT_COMPARE_INSET, 81, 160, 0, 1.25, 1, "57180d80ddb7bb3b5bb6665854aff1c4f7e512cca711d6a307c2bcd5a5e46dd6",
     "bc052c4e74c51a3768c7e5937cf55169d809f905e5cbb6940a33bc3709546287"},
    {ENT_COMPARE_INSET, 32, 80, 0, 2.5, 1, "4bbe56d4d0b2d00b3baf2dfaa0060fa581075ef50cab4c3cdf5d4e9f2506b571",
     "1572b34daa319ade6032392fa0b3296ac6cf6b1eb9231fa2147f624af6657f4f"},
};

static void hash_text(const ent_text *text, char hex[HEX]) {
  uint8_t digest[ENT_SHA256_SIZE];
  ent_sha256 hash = ent_sha256_start();
  assert_int_equal(text->status, ENTROPIC_OK);
  ent_sha256_add(&hash, text->bytes, text->length);
  ent_sha256_finish(&hash, digest);
  for (size_t i = 0; i < ENT_SHA256_SIZE; i++)
    snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

/* A line for each group, in order: the kind and order of each input's level but for its base, the number of atoms, and
 * which of them are members if not all are. */
static void write_design(const entropic_design *design, ent_text *text) {
  static const char *const kinds[] = {"constant", "even", "linear", "legendre", "hat", "category", "missing"};
  for (size_t g = 0; g < entropic_design_groups(design); g++) {
    entropic_group group;
    ASSERT_OK(context, ent_design_group(context, design, g, &group));
    for (size_t i = 0; i < group.terms_count; i++) {
      entropic_level level;
      ASSERT_OK(context, ent_kernel_level(context, design->kernel, group.terms[i].input, group.terms[i].level, &level));
      ent_text_format(text, "%zu:%s%d ", group.terms[i].input, kinds[level.kind], level.order);
    }
    ent_text_format(text, "/ %llu", (unsigned long long)group.atoms);
    for (size_t i = 0; group.members != NULL && i < group.features; i++)
      ent_text_format(text, " %llu", (unsigned long long)group.members[i]);
    ent_text_add(text, "\n");
  }
}

/* Rows that fill the cube evenly: multiples of a number without a short period, a different one for each input. */
static void fill_rows(const pinned *pin, double *x) {
  for (size_t r = 0; r < ROWS; r++)
    for (size_t d = 0; d < pin->inputs; d++) {
      double at = (double)((r + 1) * (2 * d + 3) * 619 % 1009) / 1009;
      x[r * pin->inputs + d] = pin->method == ENT_COMPARE_INSET ? 0.4 + at / 5 : at;
    }
}

/* The values of the rows, nine digits each. */
static void write_values(const pinned *pin, const ent_map *map, ent_text *text) {
  double *x = calloc(ROWS * pin->inputs, sizeof *x), *z = calloc(ROWS * map->features, sizeof *z);
  void *scratch = NULL;
  assert_true(x != NULL && z != NULL);
  fill_rows(pin, x);
  ASSERT_OK(context, map->calls->scratch_create(context, map->self, &scratch));
  ASSERT_OK(context, map->calls->dense(context, map->self, scratch, x, ROWS, pin->inputs, z, ROWS));
  for (size_t i = 0; i < ROWS * map->features; i++)
    ent_text_format(text, "%.8e\n", z[i] + 0.0); /* no zero below zero */
  map->calls->scratch_free(scratch);
  free(z);
  free(x);
}

static void designs_of_the_paper_stay(void **state) {
  (void)state;
  size_t changed = 0;
  for (size_t i = 0; i < COUNT(cases); i++) {
    const pinned *pin = &cases[i];
    ent_request request = {.method = pin->method, .features = pin->features, .nonzeros = pin->nonzeros};
    ent_trial trial = {.request = &request, .bandwidth = pin->bandwidth, .seed = pin->seed, .inputs = pin->inputs};
    ent_method_features features;
    ent_text design = {.context = context}, values = {.context = context};
    char design_hash[HEX], value_hash[HEX];
    ASSERT_OK(context, ent_method_features_make(context, &trial, &features));
    write_design(features.lifting.design, &design);
    write_values(pin, &features.map, &values);
    hash_text(&design, design_hash);
    hash_text(&values, value_hash);
    if (strcmp(design_hash, pin->design) != 0 || strcmp(value_hash, pin->values) != 0) {
      print_error("%s, %zu inputs, %zu features, %zu non-zeros, omega %g, seed %llu: \"%s\", \"%s\"\n",
                  ent_compare_method_name(pin->method), pin->inputs, pin->features, pin->nonzeros, pin->bandwidth,
                  (unsigned long long)pin->seed, design_hash, value_hash);
      changed++;
    }
    ent_text_free(&values);
    ent_text_free(&design);
    ent_method_features_clear(&features);
  }
  assert_int_equal(changed, 0);
}

SUITE(compare_pinned) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(designs_of_the_paper_stay)};
  context = context_with(1);
  int failed = cmocka_run_group_tests_name("compare_pinned", tests, NULL, NULL);
  entropic_context_free(context);
  return failed;
}
