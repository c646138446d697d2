/* The auto-encoder on MNIST with its default options: its training time, and its reconstruction error on test digits,
 * compared with as many principal components. Arguments: DATA [CODES.npy [THREADS]]. The codes of all 70,000 digits go
 * to CODES.npy. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "lift/npz.h"
#include "study/encoder.h"
#include "study/digits.h"
#include "study/pca.h"

static entropic_context *context;

static void need(entropic_status status) {
  if (status == ENTROPIC_OK)
    return;
  fprintf(stderr, "bench-encoder: %s\n", entropic_context_message(context));
  exit(EXIT_FAILURE);
}

/* values[rows x columns] as an array of NumPy. */
static entropic_status save_npy(const double *values, size_t rows, size_t columns, const char *path) {
  char header[ENT_NPY_HEADER], shape[48];
  snprintf(shape, sizeof shape, "(%zu, %zu)", rows, columns);
  ent_npy_header(header, ENT_NPY_ORDER "f8", shape);
  entropic_output *output = NULL;
  entropic_status status = entropic_output_create(context, path, &output);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_output_write(context, output, header, sizeof header);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_output_write(context, output, values, rows * columns * sizeof *values);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_output_commit(context, output);
done:
  entropic_output_free(output);
  return status;
}

static ent_images *read_images(const char *folder, const char *name) {
  char path[4200];
  ent_images *images = NULL;
  snprintf(path, sizeof path, "%s/%s-images-idx3-ubyte.gz", folder, name);
  need(ent_images_read(context, path, &images));
  return images;
}

/* The reconstruction error of rows. */
static double component_error(const ent_pca *pca, const ent_images *images) {
  double *codes = ent_new_matrix(context, images->rows, pca->count, sizeof *codes), sum = 0;
  need(codes == NULL ? ENTROPIC_NO_MEMORY : ent_pca_codes(context, pca, images->pixels, images->rows, codes));
  for (size_t i = 0; i < images->rows * images->inputs; i++) {
    double apart = (double)images->pixels[i] - pca->mean[i % images->inputs];
    sum += apart * apart;
  }
  for (size_t i = 0; i < images->rows * pca->count; i++)
    sum -= codes[i] * codes[i];
  ent_delete(codes);
  return sum / (double)(images->rows * images->inputs);
}

int main(int count, char **arguments) {
  const char *folder = count > 1 ? arguments[1] : "../shared/data";
  if (entropic_context_create(&context) != ENTROPIC_OK)
    return EXIT_FAILURE;
  need(entropic_context_set_threads(context, count > 3 ? atoi(arguments[3]) : 0));
  double start = ent_seconds();
  ent_images *train = read_images(folder, "train"), *test = read_images(folder, "t10k");
  printf("reading        %6.2f s\n", ent_seconds() - start);

  ent_encoder_options options = ent_encoder_options_default();
  start = ent_seconds();
  ent_pca *pca = NULL;
  need(ent_pca_create(context, train->pixels, train->rows, train->inputs, options.code, &pca));
  double seconds = ent_seconds() - start;
  printf("%zu components %6.2f s   mean square a pixel %.6f\n", pca->count, seconds, component_error(pca, test));

  ent_encoder *encoder = NULL;
  double error = 0;
  start = ent_seconds();
  need(ent_encoder_train(context, &options, train->pixels, train->rows, train->inputs, &encoder));
  seconds = ent_seconds() - start;
  need(ent_encoder_reconstruct(context, encoder, test->pixels, test->rows, NULL, &error));
  printf("auto-encoder  %7.2f s   mean square a pixel %.6f, in training %.6f\n", seconds, error,
         ent_encoder_training_error(encoder));
  if (count > 2) {
    size_t rows = train->rows + test->rows;
    double *codes = ent_new_matrix(context, rows, options.code, sizeof *codes);
    need(codes == NULL ? ENTROPIC_NO_MEMORY : ent_encoder_codes(context, encoder, train->pixels, train->rows, codes));
    need(ent_encoder_codes(context, encoder, test->pixels, test->rows, codes + train->rows * options.code));
    need(save_npy(codes, rows, options.code, arguments[2]));
    ent_delete(codes);
  }
  ent_encoder_free(encoder);
  ent_pca_free(pca);
  ent_images_free(train);
  ent_images_free(test);
  entropic_context_free(context);
  return EXIT_SUCCESS;
}
