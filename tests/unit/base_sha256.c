/* SHA-256 against the standard's examples, in pieces of any size. */
#include "unit/tests.h"

#include "base/sha256.h"

typedef struct hashed {
  const char *text;
  size_t repeats;
  const char *digest;
} hashed;

static const hashed examples[] = {
    {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
     1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
};

static void to_text(ent_sha256 *hash, char text[65]) {
  uint8_t digest[ENT_SHA256_SIZE];
  ent_sha256_finish(hash, digest);
  for (size_t i = 0; i < ENT_SHA256_SIZE; i++)
    snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

static void examples_of_the_standard(void **state) {
  (void)state;
  for (size_t e = 0; e < COUNT(examples); e++) {
    char text[65];
    ent_sha256 hash = ent_sha256_start();
    for (size_t i = 0; i < examples[e].repeats; i++)
      ent_sha256_add(&hash, examples[e].text, strlen(examples[e].text));
    to_text(&hash, text);
    assert_string_equal(text, examples[e].digest);
  }
}

/* Any cut of the bytes gives the same hash. */
static void pieces(void **state) {
  (void)state;
  uint8_t bytes[300];
  char whole[65], cut[65];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (uint8_t)(i * 37 + 11);
  for (size_t length = 0; length <= sizeof bytes; length += 7) {
    ent_sha256 hash = ent_sha256_start();
    ent_sha256_add(&hash, bytes, length);
    to_text(&hash, whole);
    for (size_t first = 0; first <= length; first += 5) {
      hash = ent_sha256_start();
      ent_sha256_add(&hash, bytes, first);
      ent_sha256_add(&hash, bytes + first, 0);
      ent_sha256_add(&hash, bytes + first, length - first);
      to_text(&hash, cut);
      assert_string_equal(cut, whole);
    }
  }
}

SUITE(base_sha256) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(examples_of_the_standard), cmocka_unit_test(pieces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
