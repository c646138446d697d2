/* NumPy archives, taken apart byte by byte. */
#include "unit/tests.h"

#include <zlib.h>

#include "base/memory.h"
#include "lift/npz.h"

static size_t starts[] = {0, 2, 2, 5};
static int32_t indices[] = {0, 3, 1, 2, 6};
static double values[] = {1.5, -2, 0.1, 1e300, 4};
static const entropic_csr csr = {.rows = 3, .columns = 7, .starts = starts, .indices = indices, .values = values};

static uint64_t number(const unsigned char *bytes, int size) {
  uint64_t value = 0;
  for (int i = size - 1; i >= 0; i--)
    value = value << 8 | bytes[i];
  return value;
}

/* One member as the directory describes it. */
typedef struct member {
  char name[32];
  uint64_t size, offset;
  uint32_t crc;
} member;

/* 64-bit numbers stand in an extra field, for those 32-bit ones alone that are all ones. */
static const unsigned char *read_entry(const unsigned char *p, member *entry, int wide) {
  assert_int_equal(number(p, 4), 0x02014b50);
  assert_int_equal(number(p + 6, 2), wide ? 45 : 20);
  assert_int_equal(number(p + 10, 2), 0);  /* stored */
  assert_int_equal(number(p + 14, 2), 33); /* 1 January 1980 */
  entry->crc = (uint32_t)number(p + 16, 4);
  entry->size = number(p + 24, 4);
  assert_true(number(p + 20, 4) == entry->size);
  size_t name = number(p + 28, 2), extra = number(p + 30, 2);
  entry->offset = number(p + 42, 4);
  assert_true(name < sizeof entry->name);
  memcpy(entry->name, p + 46, name);
  entry->name[name] = '\0';
  const unsigned char *field = p + 46 + name, *end = field + extra;
  if (extra > 0) {
    assert_true(wide);
    assert_int_equal(number(field, 2), 1);
    assert_int_equal(number(field + 2, 2), extra - 4);
    field += 4;
  }
  if (entry->size == 0xffffffff) {
    entry->size = number(field, 8);
    assert_true(number(field + 8, 8) == entry->size);
    field += 16;
  }
  if (entry->offset == 0xffffffff) {
    entry->offset = number(field, 8);
    field += 8;
  }
  assert_ptr_equal(field, end);
  return end;
}

/* Checks the entry before the data against the directory; returns the data. */
static const unsigned char *find_data(const unsigned char *bytes, const member *entry) {
  const unsigned char *p = bytes + entry->offset;
  assert_int_equal(number(p, 4), 0x04034b50);
  assert_int_equal(number(p + 8, 2), 0);
  assert_int_equal(number(p + 14, 4), entry->crc);
  size_t name = number(p + 26, 2), extra = number(p + 28, 2);
  assert_memory_equal(p + 30, entry->name, name);
  if (extra > 0) {
    const unsigned char *field = p + 30 + name;
    assert_int_equal(extra, 20);
    assert_int_equal(number(field, 2), 1);
    assert_int_equal(number(field + 2, 2), 16);
    assert_int_equal(number(field + 4, 8), entry->size);
    assert_int_equal(number(field + 12, 8), entry->size);
    assert_int_equal(number(p + 18, 4), 0xffffffff);
    assert_int_equal(number(p + 22, 4), 0xffffffff);
  } else {
    assert_int_equal(number(p + 18, 4), entry->size);
    assert_int_equal(number(p + 22, 4), entry->size);
  }
  const unsigned char *data = p + 30 + name + extra;
  assert_int_equal(crc32_z(0, data, entry->size), entry->crc);
  return data;
}

static void check_array(const unsigned char *data, size_t size, const char *header, const void *elements,
                        size_t count) {
  assert_memory_equal(data, "\x93NUMPY\x01\x00", 8);
  size_t length = number(data + 8, 2);
  assert_int_equal((length + 10) % 64, 0);
  assert_memory_equal(data + 10, header, strlen(header));
  for (size_t i = 10 + strlen(header); i < length + 9; i++)
    assert_int_equal(data[i], ' ');
  assert_int_equal(data[length + 9], '\n');
  assert_int_equal(size, length + 10 + count);
  assert_memory_equal(data + length + 10, elements, count);
}

static void check_archive(const char *path, const entropic_csr *rows, int wide) {
  size_t size, entries = rows->starts[rows->rows];
  unsigned char *bytes = (unsigned char *)read_whole(path, &size);
  const unsigned char *end = bytes + size - 22;
  assert_int_equal(number(end, 4), 0x06054b50);
  assert_int_equal(number(end + 8, 2), 5);
  assert_int_equal(number(end + 10, 2), 5);
  uint64_t directory = number(end + 16, 4), directory_size = number(end + 12, 4);
  const unsigned char *directory_end = end;
  if (wide) {
    assert_true(directory == 0xffffffff);
    assert_int_equal(number(end - 20, 4), 0x07064b50);
    const unsigned char *record = bytes + number(end - 12, 8);
    assert_ptr_equal(record, end - 76);
    assert_int_equal(number(record, 4), 0x06064b50);
    assert_int_equal(number(record + 4, 8), 44);
    assert_int_equal(number(record + 24, 8), 5);
    assert_int_equal(number(record + 32, 8), 5);
    assert_int_equal(number(record + 40, 8), directory_size);
    directory = number(record + 48, 8);
    directory_end = record;
  }
  char flat[80], starting[80];
  snprintf(flat, sizeof flat, "'fortran_order': False, 'shape': (%zu,), }", entries);
  snprintf(starting, sizeof starting, "{'descr': '<i8', 'fortran_order': False, 'shape': (%zu,), }", rows->rows + 1);
  const unsigned char *p = bytes + directory;
  static const char *const arrays[] = {"data.npy", "indices.npy", "indptr.npy", "shape.npy", "format.npy"};
  int seen[COUNT(arrays)] = {0};
  for (size_t i = 0; i < COUNT(arrays); i++) {
    member entry;
    p = read_entry(p, &entry, wide);
    for (size_t k = 0; k < COUNT(arrays); k++)
      seen[k] += strcmp(entry.name, arrays[k]) == 0;
    const unsigned char *data = find_data(bytes, &entry);
    char header[128];
    const int64_t shape[2] = {(int64_t)rows->rows, (int64_t)rows->columns};
    if (strcmp(entry.name, "data.npy") == 0) {
      snprintf(header, sizeof header, "{'descr': '<f8', %s", flat);
      check_array(data, entry.size, header, rows->values, entries * 8);
    } else if (strcmp(entry.name, "indices.npy") == 0) {
      snprintf(header, sizeof header, "{'descr': '<i4', %s", flat);
      check_array(data, entry.size, header, rows->indices, entries * 4);
    } else if (strcmp(entry.name, "indptr.npy") == 0) {
      check_array(data, entry.size, starting, rows->starts, (rows->rows + 1) * 8);
    } else if (strcmp(entry.name, "shape.npy") == 0) {
      check_array(data, entry.size, "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }", shape, sizeof shape);
    } else if (strcmp(entry.name, "format.npy") == 0) {
      check_array(data, entry.size, "{'descr': '|S3', 'fortran_order': False, 'shape': (), }", "csr", 3);
    }
  }
  for (size_t i = 0; i < COUNT(arrays); i++)
    assert_int_equal(seen[i], 1);
  assert_ptr_equal(p, directory_end);
  assert_true((uint64_t)(directory_end - bytes) - directory == directory_size);
  free(bytes);
}

static void archives_hold_the_rows(void **state) {
  const char *path = in_folder(state, "rows.npz");
  assert_int_equal(entropic_csr_save_npz(NULL, &csr, path), ENTROPIC_OK);
  check_archive(path, &csr, 0);
}

static void empty_rows_are_saved(void **state) {
  size_t none[4] = {0};
  const entropic_csr empty = {.rows = 3, .columns = 2, .starts = none, .indices = indices, .values = values};
  const entropic_csr nothing = {.rows = 0, .columns = 0, .starts = none, .indices = indices, .values = values};
  const char *path = in_folder(state, "empty.npz");
  assert_int_equal(entropic_csr_save_npz(NULL, &empty, path), ENTROPIC_OK);
  check_archive(path, &empty, 0);
  assert_int_equal(entropic_csr_save_npz(NULL, &nothing, path), ENTROPIC_OK);
  check_archive(path, &nothing, 0);
}

/* The fields for files past 4 GiB, in a small one: sizes and offsets alike, or, as in a file of one large member, only
 * some of them. */
static void large_fields_are_right(void **state) {
  const char *path = in_folder(state, "wide.npz");
  assert_int_equal(ent_save_npz(NULL, &csr, path, 0), ENTROPIC_OK);
  check_archive(path, &csr, 1);
}

static void only_large_members_get_large_fields(void **state) {
  const char *path = in_folder(state, "mixed.npz");
  size_t size;
  /* indptr is 160 bytes, data 168; indices starts at 0; all others are smaller or further on. */
  assert_int_equal(ent_save_npz(NULL, &csr, path, 165), ENTROPIC_OK);
  unsigned char *bytes = (unsigned char *)read_whole(path, &size);
  const unsigned char *record = bytes + size - 22 - 76;
  const unsigned char *p = bytes + number(record + 48, 8);
  int wide_sizes = 0, wide_offsets = 0;
  for (int i = 0; i < 5; i++) {
    member entry;
    int has_extra = number(p + 30, 2) > 0;
    wide_sizes += number(p + 24, 4) == 0xffffffff;
    wide_offsets += number(p + 42, 4) == 0xffffffff;
    p = read_entry(p, &entry, has_extra);
    find_data(bytes, &entry);
  }
  assert_int_equal(wide_sizes, 1);
  assert_int_equal(wide_offsets, 4);
  free(bytes);
}

static void equal_rows_give_equal_bytes(void **state) {
  const char *first = in_folder(state, "first.npz"), *second = in_folder(state, "second.npz");
  assert_int_equal(entropic_csr_save_npz(NULL, &csr, first), ENTROPIC_OK);
  assert_int_equal(entropic_csr_save_npz(NULL, &csr, second), ENTROPIC_OK);
  size_t first_size, second_size;
  char *a = read_whole(first, &first_size), *b = read_whole(second, &second_size);
  assert_int_equal(first_size, second_size);
  assert_memory_equal(a, b, first_size);
  free(a);
  free(b);
}

static void failures_are_reported(void **state) {
  entropic_context *context = NULL;
  assert_int_equal(entropic_context_create(&context), ENTROPIC_OK);
  const char *path = in_folder(state, "none/rows.npz");
  assert_int_equal(entropic_csr_save_npz(context, &csr, path), ENTROPIC_SYSTEM);
  assert_message(context, path);
  assert_int_equal(entropic_csr_save_npz(context, NULL, path), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "csr");
  assert_int_equal(entropic_csr_save_npz(context, &csr, NULL), ENTROPIC_BAD_ARGUMENT);
  assert_message(context, "path");
  if (access("/dev/full", W_OK) == 0)
    assert_int_equal(entropic_csr_save_npz(context, &csr, "/dev/full"), ENTROPIC_SYSTEM);
  entropic_context_free(context);
}

/* Under valgrind or a sanitizer this shows that every part is released. */
static void rows_are_freed(void **state) {
  (void)state;
  entropic_csr_free(NULL);
  entropic_csr *rows = ent_new(NULL, 1, sizeof *rows);
  assert_non_null(rows);
  entropic_csr_free(rows);
  rows = ent_new(NULL, 1, sizeof *rows);
  assert_non_null(rows);
  rows->starts = ent_new(NULL, 2, sizeof *rows->starts);
  rows->indices = ent_new(NULL, 2, sizeof *rows->indices);
  rows->values = ent_new(NULL, 2, sizeof *rows->values);
  entropic_csr_free(rows);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

SUITE(lift_npz) {
  const struct CMUnitTest tests[] = {
      TEST(archives_hold_the_rows),
      TEST(empty_rows_are_saved),
      TEST(large_fields_are_right),
      TEST(only_large_members_get_large_fields),
      TEST(equal_rows_give_equal_bytes),
      TEST(failures_are_reported),
      TEST(rows_are_freed),
  };
  return cmocka_run_group_tests_name("lift_npz", tests, NULL, NULL);
}
