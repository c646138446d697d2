/* What studies read and learn their inputs with, each allocation failing in turn. */
#include "unit/lifting.h"

#include "base/blas.h"
#include "base/memory.h"
#include "fault/failing_malloc.h"
#include "study/encoder.h"
#include "study/idx.h"
#include "study/npy.h"
#include "study/pca.h"

enum { ROWS = 150, INPUTS = 6, CODE = 2 };

static entropic_context *context;
static float x[ROWS * INPUTS];
static double codes[ROWS * CODE];
static ent_encoder *trained;
static const char *images_path, *labels_path, *npy_path;

static entropic_status read_images(void *argument) {
  (void)argument;
  ent_images *images = untouched();
  entropic_status status = ent_images_read(context, images_path, &images);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, images);
  ent_images_free(images);
  return ENTROPIC_OK;
}

static entropic_status read_labels(void *argument) {
  (void)argument;
  unsigned char *labels = untouched();
  size_t rows = 7;
  entropic_status status = ent_labels_read(context, labels_path, &labels, &rows);
  if (status != ENTROPIC_OK) {
    assert_int_equal(rows, 7);
    return check_failed(status, context, labels);
  }
  ent_delete(labels);
  return ENTROPIC_OK;
}

static entropic_status components(void *argument) {
  (void)argument;
  ent_pca *pca = untouched();
  entropic_status status = ent_pca_create(context, x, ROWS, INPUTS, CODE, &pca);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, pca);
  status = ent_pca_codes(context, pca, x, ROWS, codes);
  ent_pca_free(pca);
  return status == ENTROPIC_OK ? status : check_failed(status, context, untouched());
}

static ent_encoder_options options(void) {
  ent_encoder_options made = ent_encoder_options_default();
  made.hidden[0] = 5;
  made.code = CODE;
  made.epochs = 1;
  made.batch = 100;
  return made;
}

static entropic_status train(void *argument) {
  (void)argument;
  ent_encoder *encoder = untouched();
  ent_encoder_options small = options();
  entropic_status status = ent_encoder_train(context, &small, x, ROWS, INPUTS, NULL, NULL, &encoder);
  if (status != ENTROPIC_OK)
    return check_failed(status, context, encoder);
  ent_encoder_free(encoder);
  return ENTROPIC_OK;
}

static entropic_status encode(void *argument) {
  (void)argument;
  entropic_status status = ent_encoder_codes(context, trained, x, ROWS, codes);
  return status == ENTROPIC_OK ? status : check_failed(status, context, untouched());
}

static entropic_status reconstruct(void *argument) {
  (void)argument;
  double error = -7;
  entropic_status status = ent_encoder_reconstruct(context, trained, x, ROWS, NULL, &error);
  if (status == ENTROPIC_OK)
    return status;
  assert_true(error == -7);
  return check_failed(status, context, untouched());
}

static entropic_status save(void *argument) {
  (void)argument;
  entropic_status status = ent_npy_save(context, codes, ROWS, CODE, npy_path);
  return status == ENTROPIC_OK ? status : check_failed(status, context, untouched());
}

static int start(void **state) {
  static const unsigned char images[] = {0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 9, 8, 7, 6};
  static const unsigned char labels[] = {0, 0, 8, 1, 0, 0, 0, 3, 5, 0, 9};
  const ent_blas *blas;
  ent_encoder_options small = options();
  if (make_folder(state) != 0)
    return -1;
  images_path = in_folder(state, "images");
  labels_path = in_folder(state, "labels");
  npy_path = in_folder(state, "codes.npy");
  write_file(images_path, images, sizeof images);
  write_file(labels_path, labels, sizeof labels);
  context = context_with(1);
  for (size_t i = 0; i < ROWS * INPUTS; i++)
    x[i] = (float)(i * i % 17) / 17;
  assert_int_equal(ent_blas_get(context, &blas), ENTROPIC_OK); /* it is loaded once in the life of the process */
  return ent_encoder_train(context, &small, x, ROWS, INPUTS, NULL, NULL, &trained) != ENTROPIC_OK;
}

static int stop(void **state) {
  ent_encoder_free(trained);
  entropic_context_free(context);
  return remove_folder(state);
}

static void files(void **state) {
  (void)state;
  assert_true(expect_each_allocation_failure(read_images, NULL) > 4);
  assert_true(expect_each_allocation_failure(read_labels, NULL) > 3);
  assert_true(expect_each_allocation_failure(save, NULL) > 0);
}

static void learning(void **state) {
  (void)state;
  for (int threads = 1; threads <= 3; threads++) {
    assert_int_equal(entropic_context_set_threads(context, threads), ENTROPIC_OK);
    assert_true(expect_each_allocation_failure(components, NULL) > 8);
    assert_true(expect_each_allocation_failure(train, NULL) > 12);
    assert_true(expect_each_allocation_failure(encode, NULL) > 5);
    assert_true(expect_each_allocation_failure(reconstruct, NULL) > 6);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(files), cmocka_unit_test(learning)};
  return cmocka_run_group_tests_name("study_faults", tests, start, stop);
}
