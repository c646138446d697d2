/* The auto-encoder: its derivatives against central differences, its training against plain loops, real digits. */
#include "unit/lifting.h"
#include "unit/listening.h"
#include "unit/shared_data.h"

#include "base/memory.h"
#include "study/encoder.h"
#include "study/digits.h"
#include "study/network.h"
#include "study/pca.h"

enum { ROWS = 150, INPUTS = 9 };

static float x[ROWS * INPUTS];

/* Rows that have three numbers each behind them, rectified. */
static int start_rows(void **state) {
  (void)state;
  entropic_random random = entropic_random_start(5, 6);
  for (size_t r = 0; r < ROWS; r++) {
    double a = entropic_random_uniform(&random), b = entropic_random_uniform(&random);
    for (size_t i = 0; i < INPUTS; i++)
      x[r * INPUTS + i] = (float)(0.5 + 0.5 * sin(6 * a + (double)i) * cos(3 * b * (double)i));
  }
  return 0;
}

static ent_encoder_options small_options(void) {
  ent_encoder_options options = ent_encoder_options_default();
  options.hidden_count = 2;
  options.hidden[0] = 8;
  options.hidden[1] = 6;
  options.code = 3;
  options.epochs = 4;
  options.batch = 70;
  options.rate = 0.01;
  return options;
}

static ent_encoder *train(const ent_encoder_options *options, int threads) {
  entropic_context *context = context_with(threads);
  ent_encoder *encoder = NULL;
  ASSERT_OK(context, ent_encoder_train(context, options, x, ROWS, INPUTS, &encoder));
  entropic_context_free(context);
  return encoder;
}

/* ---- The same in plain loops ------------------------------------------------------------------------------- */

#define PLAIN_WIDTH 9
#define PLAIN_LAYERS 4

static const size_t widths[] = {INPUTS, 8, 3, 8, INPUTS};
static const bool rectified[] = {true, false, true, false};

static ent_network *make_network(uint64_t seed) {
  ent_network *network = NULL;
  assert_int_equal(ent_network_create(NULL, widths, rectified, PLAIN_LAYERS, seed, &network), ENTROPIC_OK);
  return network;
}

/* The mean over the first `rows` rows of the cross-entropy; parameters as the network lays them out. states[] gets the
 * values after each layer of the last row. */
static long double plain_loss(const double *parameters, size_t rows, long double states[][PLAIN_WIDTH]) {
  long double loss = 0;
  for (size_t r = 0; r < rows; r++) {
    for (size_t i = 0; i < INPUTS; i++)
      states[0][i] = (long double)x[r * INPUTS + i];
    const double *p = parameters;
    for (size_t l = 0; l < PLAIN_LAYERS; l++) {
      for (size_t o = 0; o < widths[l + 1]; o++) {
        long double sum = (long double)p[o];
        for (size_t i = 0; i < widths[l]; i++)
          sum += (long double)p[(i + 1) * widths[l + 1] + o] * states[l][i];
        states[l + 1][o] = l + 1 == PLAIN_LAYERS ? 1 / (1 + expl(-sum)) : rectified[l] && sum < 0 ? 0 : sum;
      }
      p += widths[l + 1] * (widths[l] + 1);
    }
    for (size_t i = 0; i < INPUTS; i++) {
      long double out = states[PLAIN_LAYERS][i], in = states[0][i];
      loss -= in * logl(out) + (1 - in) * logl(1 - out);
    }
  }
  return loss / (long double)rows;
}

static double difference(double *parameters, size_t at, size_t rows) {
  long double states[PLAIN_LAYERS + 1][PLAIN_WIDTH], loss[2];
  double before = parameters[at], step = 1e-6;
  for (int side = 0; side < 2; side++) {
    parameters[at] = before + (side ? step : -step);
    loss[side] = plain_loss(parameters, rows, states);
  }
  parameters[at] = before;
  return (double)((loss[1] - loss[0]) / (2 * (long double)step));
}

/* All derivatives of the mean loss of the first rows, tile by tile. */
static double all_gradients(const ent_network *network, size_t rows, double *gradient) {
  ent_states *states = NULL;
  double *tile = calloc(network->tile_values, sizeof *tile);
  assert_int_equal(ent_states_create(NULL, network, rows, true, &states), ENTROPIC_OK);
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < INPUTS; i++)
      states->values[0][r * (INPUTS + 1) + 1 + i] = (double)x[r * INPUTS + i];
  ent_network_forward(network, states, 0, network->count, 0, rows);
  double squares = ent_network_backward(network, states, 0, rows, 1 / (double)rows);
  size_t seen = 0;
  for (size_t t = 0; t < network->tiles; t++) {
    size_t count, at = ent_network_gradient(network, states, rows, t, tile, &count);
    assert_int_equal(at, seen);
    memcpy(gradient + at, tile, count * sizeof *tile);
    seen += count;
  }
  assert_int_equal(seen, network->parameters);
  ent_states_free(states);
  free(tile);
  return squares;
}

static void gradients_are_central_differences(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 3; seed++) {
    ent_network *network = make_network(seed);
    double gradient[400], length = 0;
    assert_true(network->parameters <= 400);
    for (size_t o = 0; o < 8; o++) /* so that what is added matters */
      network->values[o] = 0.1 * (double)o;
    all_gradients(network, 20, gradient);
    for (size_t i = 0; i < network->parameters; i++)
      length += gradient[i] * gradient[i];
    length = sqrt(length);
    assert_true(length > 0.1);
    for (size_t i = 0; i < network->parameters; i++)
      assert_close(gradient[i], difference(network->values, i, 20), 1e-6 * (fabs(gradient[i]) + 1e-2 * length));
    ent_network_free(network);
  }
}

/* Wide layers have several tiles; what they make together is as wide. Their derivatives are those of sums of columns. */
static void tiles_cover_all_parameters(void **state) {
  (void)state;
  const size_t broad[] = {INPUTS, 3000, 2, 3000, INPUTS};
  ent_network *network = NULL;
  assert_int_equal(ent_network_create(NULL, broad, rectified, PLAIN_LAYERS, 1, &network), ENTROPIC_OK);
  assert_true(network->tiles > PLAIN_LAYERS);
  double *gradient = calloc(network->parameters, sizeof *gradient), *parts = calloc(network->parameters, sizeof *parts);
  all_gradients(network, 2, gradient);
  double squares[2] = {all_gradients(network, 1, parts), 0};
  assert_true(squares[0] > 0);
  for (size_t i = 0; i < network->parameters; i++)
    gradient[i] = 2 * gradient[i] - parts[i]; /* of the second row alone */
  float first[INPUTS];
  memcpy(first, x, sizeof first);
  memcpy(x, x + INPUTS, sizeof first);
  all_gradients(network, 1, parts);
  memcpy(x, first, sizeof first);
  for (size_t i = 0; i < network->parameters; i++)
    assert_close(gradient[i], parts[i], 1e-10);
  free(gradient);
  free(parts);
  ent_network_free(network);
}

/* Turned codes have the same distances. */
static double distance(const double *codes, size_t a, size_t b) {
  double sum = 0;
  for (size_t k = 0; k < 3; k++)
    sum += (codes[a * 3 + k] - codes[b * 3 + k]) * (codes[a * 3 + k] - codes[b * 3 + k]);
  return sqrt(sum);
}

/* Minibatches of all rows are the same in any order, so plain Adam must arrive at the same code, but for its axes. */
static void training_is_adam(void **state) {
  (void)state;
  enum { FEW = 40 };
  ent_encoder *encoder = NULL;
  ent_encoder_options options = ent_encoder_options_default();
  options.hidden[0] = 8;
  options.code = 3;
  options.epochs = 5;
  options.batch = 1000;
  options.rate = 0.02;
  options.seed = 9;
  assert_int_equal(ent_encoder_train(NULL, &options, x, FEW, INPUTS, &encoder), ENTROPIC_OK);
  ent_network *network = make_network(9);
  double gradient[400], first[400] = {0}, second[400] = {0};
  for (int step = 1; step <= 5; step++) {
    double rate = 0.02 * (1 - (step - 1) / 5.0);
    for (size_t i = 0; i < network->parameters; i++)
      gradient[i] = difference(network->values, i, FEW);
    for (size_t i = 0; i < network->parameters; i++) {
      first[i] = 0.9 * first[i] + 0.1 * gradient[i];
      second[i] = 0.999 * second[i] + 0.001 * gradient[i] * gradient[i];
      network->values[i] -=
          rate * (first[i] / (1 - pow(0.9, step))) / (sqrt(second[i] / (1 - pow(0.999, step))) + 1e-8);
    }
  }
  long double states[PLAIN_LAYERS + 1][PLAIN_WIDTH];
  double codes[FEW * 3], plain[FEW * 3], reconstructed[FEW * INPUTS], error = 0, squares = 0;
  assert_int_equal(ent_encoder_codes(NULL, encoder, x, FEW, codes), ENTROPIC_OK);
  assert_int_equal(ent_encoder_reconstruct(NULL, encoder, x, FEW, reconstructed, &error), ENTROPIC_OK);
  for (size_t rows = 1; rows <= FEW; rows += 3) {
    plain_loss(network->values, rows, states);
    for (size_t k = 0; k < 3; k++)
      plain[(rows - 1) * 3 + k] = (double)states[2][k];
    assert_close(distance(codes, rows - 1, 0), distance(plain, rows - 1, 0), 1e-6);
    for (size_t i = 0; i < INPUTS; i++)
      assert_close(reconstructed[(rows - 1) * INPUTS + i], states[4][i], 1e-6);
  }
  for (size_t i = 0; i < FEW * INPUTS; i++)
    squares += (reconstructed[i] - (double)x[i]) * (reconstructed[i] - (double)x[i]);
  assert_close(error, squares / (FEW * INPUTS), 1e-12);
  ent_network_free(network);
  ent_encoder_free(encoder);
}

/* Codes of the training rows have mean 0 and no covariance; the first vary most. */
static void codes_have_principal_axes(void **state) {
  (void)state;
  ent_encoder_options options = small_options();
  ent_encoder *encoder = train(&options, 2);
  double codes[ROWS * 3], products[3][4] = {{0}};
  assert_int_equal(ent_encoder_codes(NULL, encoder, x, ROWS, codes), ENTROPIC_OK);
  for (size_t r = 0; r < ROWS; r++)
    for (size_t a = 0; a < 3; a++)
      for (size_t b = 0; b < 4; b++)
        products[a][b] += codes[r * 3 + a] * (b == 3 ? 1 : codes[r * 3 + b]) / ROWS;
  for (size_t a = 0; a < 3; a++) {
    assert_close(products[a][3], 0, 1e-6);
    for (size_t b = 0; b < a; b++) {
      assert_close(products[a][b], 0, 1e-6 * products[0][0]);
      assert_true(products[a][a] <= products[b][b]);
    }
  }
  assert_true(products[2][2] > 0);
  ent_encoder_free(encoder);
}

static void bits_do_not_depend_on_threads(void **state) {
  (void)state;
  ent_encoder_options options = small_options();
  static double codes[4][ROWS * 3];
  double errors[4];
  for (int threads = 0; threads <= 3; threads++) {
    options.seed = threads == 0 ? 2 : 1;
    ent_encoder *encoder = train(&options, threads == 0 ? 1 : threads);
    entropic_context *context = context_with(threads == 0 ? 1 : threads);
    ASSERT_OK(context, ent_encoder_codes(context, encoder, x, ROWS, codes[threads]));
    errors[threads] = ent_encoder_training_error(encoder);
    ent_encoder_free(encoder);
    entropic_context_free(context);
  }
  for (int threads = 2; threads <= 3; threads++) {
    assert_memory_equal(codes[threads], codes[1], sizeof codes[1]);
    assert_memory_equal(&errors[threads], &errors[1], sizeof errors[1]);
  }
  assert_true(memcmp(codes[0], codes[1], sizeof codes[1]) != 0); /* another seed */
}

typedef struct reports {
  size_t count;
  double last;
} reports;

static int report(void *user, const char *stage, double done) {
  reports *r = user;
  if (strcmp(stage, "auto-encoder") != 0) /* what was before */
    return 0;
  assert_true(done >= r->last && done <= 1);
  r->count += r->count == 0 || done > r->last;
  r->last = done;
  return 0;
}

static void progress_is_reported(void **state) {
  (void)state;
  ent_encoder_options options = small_options();
  ent_encoder *encoder = NULL;
  reports seen = {0};
  entropic_context *context = context_with(1);
  ent_call call;
  listen_start(context, &call, report, &seen);
  ASSERT_OK(context, ent_encoder_train(context, &options, x, ROWS, INPUTS, &encoder));
  listen_stop(context);
  assert_int_equal(seen.count, 4 * 3);
  assert_true(seen.last == 11.0 / 12);
  ent_encoder_free(encoder);
  entropic_context_free(context);
}

#define WRONG(status, text, ...)                                                                                       \
  do {                                                                                                                 \
    ent_encoder_options options = small_options();                                                                     \
    __VA_ARGS__;                                                                                                       \
    assert_int_equal(ent_encoder_train(context, &options, x, rows, INPUTS, &encoder), status);                         \
    assert_message(context, text);                                                                                     \
    assert_null(encoder);                                                                                              \
  } while (0)

static void what_is_wrong_is_said(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  ent_encoder *encoder = NULL;
  size_t rows = ROWS;
  WRONG(ENTROPIC_BAD_ARGUMENT, "hidden_count is 4, expected 0 to 3", options.hidden_count = 4);
  WRONG(ENTROPIC_BAD_ARGUMENT, "hidden is 0, expected 1 to 65536", options.hidden[1] = 0);
  WRONG(ENTROPIC_BAD_ARGUMENT, "code is 0, expected 1 to 65536", options.code = 0);
  WRONG(ENTROPIC_BAD_ARGUMENT, "epochs is 0, expected 1 to 1000000", options.epochs = 0);
  WRONG(ENTROPIC_BAD_ARGUMENT, "batch is 65537, expected 1 to 65536", options.batch = 65537);
  WRONG(ENTROPIC_BAD_ARGUMENT, "rate is 0, expected a finite number above 0", options.rate = 0);
  WRONG(ENTROPIC_BAD_ARGUMENT, "rate is nan", options.rate = NAN);
  WRONG(ENTROPIC_BAD_ARGUMENT, "rate is 1e+300, expected less", options.rate = 1e300);
  WRONG(ENTROPIC_TOO_LARGE, "too large for BLAS", options.hidden[0] = 65536, options.hidden[1] = 65536);
  rows = 0;
  WRONG(ENTROPIC_BAD_ARGUMENT, "rows is 0", (void)0);
  rows = ROWS;
  const ent_encoder_options fine = small_options();
  ent_encoder *good = train(&fine, 1);
  const float odd[] = {1.25F, -0.5F, NAN};
  for (size_t i = 0; i < COUNT(odd); i++) {
    float before = x[4 * INPUTS + 2];
    double codes[ROWS * 3] = {7}, error = 7;
    x[4 * INPUTS + 2] = odd[i];
    WRONG(ENTROPIC_BAD_DATA, "row 5, input 3: found ", (void)0);
    assert_message(context, "expected a number from 0 to 1");
    assert_int_equal(ent_encoder_codes(context, good, x, ROWS, codes), ENTROPIC_BAD_DATA);
    assert_int_equal(ent_encoder_reconstruct(context, good, x, ROWS, NULL, &error), ENTROPIC_BAD_DATA);
    assert_true(codes[0] == 7 && error == 7);
    x[4 * INPUTS + 2] = before;
  }
  ent_encoder_free(good);
  ent_encoder_free(NULL);
  entropic_context_free(context);
}

/* Digits through eight numbers: better than eight components, on test digits. */
static void digits_are_squeezed_better_than_by_components(void **state) {
  (void)state;
  need_data();
  enum { LEARNT = 3000, HELD_OUT = 1000, CODE = 8 };
  ent_images *images = NULL;
  ent_pca *pca = NULL;
  ent_encoder *encoder = NULL;
  entropic_context *context = context_with(2);
  ASSERT_OK(context, ent_images_read(context, data("t10k-images-idx3-ubyte.gz"), &images));
  const float *held_out = images->pixels + LEARNT * images->inputs;
  ASSERT_OK(context, ent_pca_create(context, images->pixels, LEARNT, images->inputs, CODE, &pca));
  double *codes = calloc(HELD_OUT * CODE, sizeof *codes), plain = 0, error = 0;
  ASSERT_OK(context, ent_pca_codes(context, pca, held_out, HELD_OUT, codes));
  for (size_t i = 0; i < HELD_OUT * images->inputs; i++) /* what is left is what codes do not have */
    plain +=
        ((double)held_out[i] - pca->mean[i % images->inputs]) * ((double)held_out[i] - pca->mean[i % images->inputs]);
  for (size_t i = 0; i < HELD_OUT * CODE; i++)
    plain -= codes[i] * codes[i];
  plain /= (double)(HELD_OUT * images->inputs);
  ent_encoder_options options = ent_encoder_options_default();
  options.hidden[0] = 64;
  options.code = CODE;
  options.epochs = 6;
  options.batch = 32;
  options.rate = 1e-2;
  ASSERT_OK(context, ent_encoder_train(context, &options, images->pixels, LEARNT, images->inputs, &encoder));
  ASSERT_OK(context, ent_encoder_reconstruct(context, encoder, held_out, HELD_OUT, NULL, &error));
  print_message("# mean square a pixel: %d components %.4f, code %.4f\n", CODE, plain, error);
  assert_true(plain > 0.03 && plain < 0.05);
  assert_true(error > 0 && error < 0.9 * plain);
  free(codes);
  ent_encoder_free(encoder);
  ent_pca_free(pca);
  ent_images_free(images);
  entropic_context_free(context);
}

SUITE(study_encoder) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gradients_are_central_differences),
      cmocka_unit_test(tiles_cover_all_parameters),
      cmocka_unit_test(training_is_adam),
      cmocka_unit_test(codes_have_principal_axes),
      cmocka_unit_test(bits_do_not_depend_on_threads),
      cmocka_unit_test(progress_is_reported),
      cmocka_unit_test(what_is_wrong_is_said),
      cmocka_unit_test(digits_are_squeezed_better_than_by_components),
  };
  return cmocka_run_group_tests_name("study_encoder", tests, start_rows, NULL);
}
