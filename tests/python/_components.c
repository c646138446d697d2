/* Principal components of the rows on standard input: threads rows inputs count x (row by row). */
#include "python/_numbers.h"

#include "study/pca.h"

int main(void) {
  entropic_context *context = NULL;
  ent_pca *pca = NULL;
  if (entropic_context_create(&context) != ENTROPIC_OK ||
      entropic_context_set_threads(context, (int)read_size()) != ENTROPIC_OK)
    stop("no context");
  size_t rows = read_size(), inputs = read_size(), count = read_size();
  double *numbers = read_array(rows * inputs), *codes = calloc(rows * count + 1, sizeof *codes);
  float *x = calloc(rows * inputs + 1, sizeof *x);
  if (x == NULL || codes == NULL)
    stop("out of memory");
  for (size_t i = 0; i < rows * inputs; i++)
    x[i] = (float)numbers[i];
  if (ent_pca_create(context, x, rows, inputs, count, &pca) != ENTROPIC_OK ||
      ent_pca_codes(context, pca, x, rows, codes) != ENTROPIC_OK)
    stop(entropic_context_message(context));
  show("mean", pca->mean, inputs);
  show("vectors", pca->vectors, count * inputs);
  show("variances", pca->variances, count);
  show("total", &pca->total, 1);
  show("codes", codes, rows * count);
  ent_pca_free(pca);
  entropic_context_free(context);
  free(numbers);
  free(codes);
  free(x);
  return EXIT_SUCCESS;
}
