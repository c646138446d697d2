/* IDX files: what is read, what is refused, and the real ones. */
#include "unit/shared_data.h"

#include <zlib.h>

#include "base/memory.h"
#include "study/digits.h"

#include "unit/fixture.h"

/* Two images, 2 high and 3 wide; three labels. */
static const unsigned char images_file[] = {0, 0, 8, 3, 0, 0, 0,   2, 0,  0,   0,  2,   0, 0,
                                            0, 3, 0, 1, 2, 3, 128, 0, 10, 255, 13, 127, 0, 7};
static const unsigned char labels_file[] = {0, 0, 8, 1, 0, 0, 0, 3, 5, 0, 9};

static void check_images(const char *path) {
  ent_images *images = NULL;
  assert_int_equal(ent_images_read(context, path, &images), ENTROPIC_OK);
  assert_int_equal(images->rows, 2);
  assert_int_equal(images->height, 2);
  assert_int_equal(images->width, 3);
  assert_int_equal(images->inputs, 6);
  for (size_t i = 0; i < 12; i++)
    assert_close(images->pixels[i], images_file[16 + i] / 255.0, 1e-7);
  assert_true(images->pixels[7] == 1 && images->pixels[0] == 0);
  ent_images_free(images);
}

static void plain_and_gzipped_files_are_read(void **state) {
  const char *path = in_folder(state, "images");
  write_file(path, images_file, sizeof images_file);
  check_images(path);
  path = in_folder(state, "images.gz");
  gzFile file = gzopen(path, "wb");
  assert_int_equal(gzwrite(file, images_file, sizeof images_file), sizeof images_file);
  gzclose(file);
  check_images(path);
  path = in_folder(state, "labels");
  write_file(path, labels_file, sizeof labels_file);
  unsigned char *labels = NULL;
  size_t rows = 0;
  assert_int_equal(ent_labels_read(context, path, &labels, &rows), ENTROPIC_OK);
  assert_int_equal(rows, 3);
  assert_memory_equal(labels, labels_file + 8, 3);
  ent_delete(labels);
}

static void refuse(void **state, const void *bytes, size_t count, entropic_status status, const char *message) {
  const char *path = in_folder(state, "refused");
  write_file(path, bytes, count);
  ent_images *images = (void *)&context;
  assert_int_equal(ent_images_read(context, path, &images), status);
  assert_message(context, "refused");
  assert_message(context, message);
  assert_ptr_equal(images, &context);
}

static void wrong_files_are_refused(void **state) {
  refuse(state, labels_file, sizeof labels_file, ENTROPIC_BAD_DATA,
         "found the magic number 0x00000801, expected 0x00000803 (IDX images)");
  refuse(state, images_file, 3, ENTROPIC_BAD_DATA, "found 3 bytes, expected 16; the file is truncated");
  refuse(state, images_file, 0, ENTROPIC_BAD_DATA, "found 0 bytes, expected 16");
  refuse(state, images_file, 15, ENTROPIC_BAD_DATA, "found 15 bytes, expected 16; the file is truncated");
  for (size_t count = 16; count < sizeof images_file; count++) {
    char message[100];
    snprintf(message, sizeof message, "found %zu bytes, expected 28; the file is truncated", count);
    refuse(state, images_file, count, ENTROPIC_BAD_DATA, message);
  }
  unsigned char changed[sizeof images_file + 1] = {0};
  memcpy(changed, images_file, sizeof images_file);
  refuse(state, changed, sizeof changed, ENTROPIC_BAD_DATA,
         "there are bytes after the last element, expected 28 bytes");
  changed[11] = 0;
  refuse(state, changed, sizeof images_file, ENTROPIC_BAD_DATA, "dimension 2 is 0, expected 1 to 65536");
  changed[11] = 2;
  changed[12] = 1;
  refuse(state, changed, sizeof images_file, ENTROPIC_BAD_DATA, "dimension 3 is 16777219, expected 1 to 65536");
  changed[12] = 0;
  memset(changed + 4, 255, 4); /* four thousand million images are not allocated before they are there */
  refuse(state, changed, sizeof images_file, ENTROPIC_BAD_DATA, "found 28 bytes, expected 25769803786");

  unsigned char *labels = (void *)&context;
  size_t rows = 77;
  assert_int_equal(ent_labels_read(context, in_folder(state, "refused"), &labels, &rows), ENTROPIC_BAD_DATA);
  assert_message(context, "found the magic number 0x00000803, expected 0x00000801 (IDX labels)");
  assert_int_equal(ent_labels_read(context, in_folder(state, "nothing"), &labels, &rows), ENTROPIC_SYSTEM);
  assert_message(context, "nothing");
  assert_true(rows == 77 && labels == (void *)&context);
}

static void mnist_is_what_it_is(void **state) {
  (void)state;
  need_data();
  unsigned char *labels = NULL;
  size_t rows = 0, digits[10] = {0};
  assert_int_equal(ent_labels_read(context, data("train-labels-idx1-ubyte.gz"), &labels, &rows), ENTROPIC_OK);
  assert_int_equal(rows, 60000);
  for (size_t r = 0; r < rows; r++) {
    assert_true(labels[r] < 10);
    digits[labels[r]]++;
  }
  assert_int_equal(digits[0], 5923);
  assert_int_equal(digits[1], 6742);
  ent_delete(labels);
  ent_images *images = NULL;
  assert_int_equal(ent_images_read(context, data("t10k-images-idx3-ubyte.gz"), &images), ENTROPIC_OK);
  assert_true(images->rows == 10000 && images->height == 28 && images->width == 28);
  double sum = 0;
  for (size_t i = 0; i < images->rows * images->inputs; i++)
    sum += (double)images->pixels[i];
  assert_close(sum / (double)(images->rows * images->inputs), 33.791224489795916 / 255,
               1e-8); /* found with NumPy; pixels are rounded */
  ent_images_free(images);
}

SUITE(study_idx) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_and_gzipped_files_are_read),
      cmocka_unit_test(wrong_files_are_refused),
      cmocka_unit_test(mnist_is_what_it_is),
  };
  return cmocka_run_group_tests_name("study_idx", tests, start_in_folder, stop_in_folder);
}
