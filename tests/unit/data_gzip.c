/* gzip of several members: read to the last byte, and no damage passes without a word. */
#include "unit/tests.h"

#include <zlib.h>

#include "data/stream.h"
#include "unit/fixture.h"

enum { members = 5, most = 20000 };

/* Members of different sizes, one of them empty, one after the other. */
typedef struct packed_text {
  unsigned char bytes[most];
  size_t count, start[members]; /* where each member begins */
  char text[most];
  size_t length;
} packed_text;

static void add_member(packed_text *p, size_t member, size_t lines) {
  z_stream stream = {0};
  size_t from = p->length;
  for (size_t i = 0; i < lines; i++)
    p->length += (size_t)sprintf(p->text + p->length, "%zu,%zu\n", member, i * 7919 % 1009);
  p->start[member] = p->count;
  assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = (unsigned char *)p->text + from;
  stream.avail_in = (unsigned)(p->length - from);
  stream.next_out = p->bytes + p->count;
  stream.avail_out = (unsigned)(most - p->count);
  assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
  p->count += stream.total_out;
  deflateEnd(&stream);
}

static packed_text *make_members(void) {
  static const size_t lines[members] = {40, 1, 0, 90, 17};
  packed_text *p = calloc(1, sizeof *p);
  assert_non_null(p);
  for (size_t m = 0; m < members; m++)
    add_member(p, m, lines[m]);
  return p;
}

/* Reads a file in pieces; how it ended. */
static ent_stream_end read_all(const char *path, size_t piece, char *to, size_t *count, char *message, size_t size) {
  ent_stream stream;
  ent_stream_open(path, &stream);
  assert_int_equal(stream.end, ENT_STREAM_ON);
  *count = 0;
  while (stream.end == ENT_STREAM_ON) {
    assert_true(*count + piece <= 2 * most);
    *count += ent_stream_read(&stream, to + *count, piece);
  }
  ent_stream_end end = stream.end;
  entropic_status status = ent_stream_status(context, &stream, "f", 3);
  assert_int_equal(status, end == ENT_STREAM_ENDED ? ENTROPIC_OK : ENTROPIC_BAD_DATA);
  snprintf(message, size, "%s", status == ENTROPIC_OK ? "" : entropic_context_message(context));
  ent_stream_close(&stream);
  return end;
}

static void members_are_one_text(void **state) {
  packed_text *p = make_members();
  const char *path = in_folder(state, "whole.gz");
  static char got[2 * most];
  char message[300];
  size_t count;
  static const size_t pieces[] = {1, 2, 3, 7, 100, most};
  for (size_t zeros = 0; zeros < 3; zeros++) {
    memset(p->bytes + p->count, 0, zeros * 512); /* padding is no damage */
    write_file(path, (char *)p->bytes, p->count + zeros * 512);
    for (size_t i = 0; i < COUNT(pieces); i++) {
      assert_int_equal(read_all(path, pieces[i], got, &count, message, sizeof message), ENT_STREAM_ENDED);
      assert_int_equal(count, p->length);
      assert_memory_equal(got, p->text, count);
    }
  }
  free(p);
}

/* Whatever byte is changed: the text is the same, or the end is none. The header has bytes that say nothing of the text
 * (time, system), so that the first happens. */
static void no_damage_is_silent(void **state) {
  packed_text *p = make_members();
  const char *path = in_folder(state, "damaged.gz");
  static char got[2 * most];
  char message[300], expected[300];
  size_t count, refused = 0;
  for (size_t at = 2; at < p->count; at++) {
    unsigned char was = p->bytes[at];
    p->bytes[at] = (unsigned char)(was ^ (1u << at % 8));
    write_file(path, (char *)p->bytes, p->count);
    ent_stream_end end = read_all(path, 64, got, &count, message, sizeof message);
    bool same = count == p->length && memcmp(got, p->text, count) == 0;
    if (end == ENT_STREAM_ENDED && !same)
      fail_msg("byte %zu: %zu of %zu bytes, and a proper end", at, count, p->length);
    refused += end != ENT_STREAM_ENDED;
    p->bytes[at] = was;
  }
  assert_true(refused > p->count - members * 9);
  for (size_t m = 1; m < members; m++)
    for (size_t i = 0; i < 2; i++) {
      p->bytes[p->start[m] + i] ^= 0x40;
      write_file(path, (char *)p->bytes, p->count);
      assert_int_equal(read_all(path, 64, got, &count, message, sizeof message), ENT_STREAM_CORRUPT);
      snprintf(expected, sizeof expected,
               "f, after line 3, byte %zu: the gzip data are corrupt: neither the end of the file nor another gzip "
               "member is here",
               p->start[m] + 1);
      assert_string_equal(message, expected);
      p->bytes[p->start[m] + i] ^= 0x40;
    }
  free(p);
}

static void what_follows_the_last_member(void **state) {
  static const struct {
    const char *bytes;
    size_t count, wrong; /* the byte that is named, from the end of the last member; 0: the file is truncated */
  } tails[] = {
      {"\n", 1, 1},   {"xyz", 3, 1},          {"\0\0\0x", 4, 4}, {"\0\x1f\x8b\x08\0", 5, 2},
      {"\x1f", 1, 0}, {"\x1f\x8b\x08", 3, 0},
  };
  packed_text *p = make_members();
  const char *path = in_folder(state, "tail.gz");
  static char got[2 * most];
  char message[300], expected[300];
  size_t count;
  for (size_t t = 0; t < COUNT(tails); t++) {
    memcpy(p->bytes + p->count, tails[t].bytes, tails[t].count);
    write_file(path, (char *)p->bytes, p->count + tails[t].count);
    ent_stream_end end = read_all(path, 1000, got, &count, message, sizeof message);
    assert_int_equal(end, tails[t].wrong == 0 ? ENT_STREAM_TRUNCATED : ENT_STREAM_CORRUPT);
    assert_int_equal(count, p->length);
    snprintf(expected, sizeof expected, "byte %zu: the gzip data are corrupt", p->count + tails[t].wrong);
    assert_non_null(strstr(message, tails[t].wrong == 0 ? "the file is truncated" : expected));
  }
  free(p);
}

/* A file cut anywhere is truncated, unless the cut is between two members. */
static void cut_anywhere(void **state) {
  packed_text *p = make_members();
  const char *path = in_folder(state, "cut.gz");
  static char got[2 * most];
  char message[300];
  size_t count;
  for (size_t length = 2; length < p->count; length++) {
    bool between = false;
    for (size_t m = 1; m < members; m++)
      between = between || length == p->start[m];
    write_file(path, (char *)p->bytes, length);
    ent_stream_end end = read_all(path, 100, got, &count, message, sizeof message);
    assert_int_equal(end, between ? ENT_STREAM_ENDED : ENT_STREAM_TRUNCATED);
    assert_true(count <= p->length);
    assert_memory_equal(got, p->text, count);
  }
  free(p);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start_in_folder, stop_in_folder)

SUITE(data_gzip) {
  const struct CMUnitTest tests[] = {
      TEST(members_are_one_text),
      TEST(no_damage_is_silent),
      TEST(what_follows_the_last_member),
      TEST(cut_anywhere),
  };
  return cmocka_run_group_tests_name("data_gzip", tests, NULL, NULL);
}
