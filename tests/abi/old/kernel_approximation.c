/* How well M features stand for the kernel: z(x) . z(y) against k(x,y) on random pairs, for growing M.
 *
 * The features are orthogonal and taken best first, so the error only goes down, and no random numbers are involved
 * beyond the pairs themselves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "entropic/entropic.h"

#define INPUTS 2
#define PAIRS 500

/* Ends the program with the library's message if a call failed. */
static void need(entropic_context *context, entropic_status status) {
  if (status == ENTROPIC_OK)
    return;
  fprintf(stderr, "kernel_approximation: %s\n", entropic_context_message(context));
  exit(EXIT_FAILURE);
}

/* Lifts the pairs (rows 2i and 2i+1) and gives the root mean square error of the kernel over them. */
static double error_of(entropic_context *context, entropic_parameters *parameters, size_t features, const double *x) {
  entropic_design *design;
  entropic_lift *lift;
  entropic_workspace *workspace;
  need(context, entropic_parameters_set_integer(context, parameters, "features", features));
  need(context, entropic_design_make(context, parameters, INPUTS, NULL, 0, &design));
  need(context, entropic_lift_create(context, design, &lift));
  need(context, entropic_workspace_create(context, lift, &workspace));

  size_t rows = 2 * PAIRS, columns = entropic_lift_features(lift);
  double *z = malloc(rows * columns * sizeof *z); /* column after column */
  if (!z) {
    fprintf(stderr, "kernel_approximation: out of memory\n");
    exit(EXIT_FAILURE);
  }
  need(context, entropic_lift_dense(context, lift, workspace, x, rows, INPUTS, z, rows));

  const entropic_kernel *kernel = entropic_design_kernel(design); /* lives as long as the design */
  double sum = 0;
  for (size_t i = 0; i < rows; i += 2) {
    double product = 0;
    for (size_t j = 0; j < columns; j++)
      product += z[j * rows + i] * z[j * rows + i + 1];
    double error = product - entropic_kernel_value(kernel, x + i * INPUTS, x + (i + 1) * INPUTS);
    sum += error * error;
  }
  free(z);
  entropic_workspace_free(workspace);
  entropic_lift_free(lift);
  entropic_design_free(design);
  return sqrt(sum / PAIRS);
}

int main(void) {
  entropic_context *context;
  if (entropic_context_create(&context))
    return EXIT_FAILURE;
  /* The options of `entropic design`, by their names: what is not set has its default. */
  entropic_parameters *parameters;
  need(context, entropic_parameters_create(context, ENTROPIC_PURPOSE_DESIGN, &parameters));
  need(context, entropic_parameters_set(context, parameters, "kernel", "laplace"));
  need(context, entropic_parameters_set_number(context, parameters, "omega", 2));

  static double x[2 * PAIRS * INPUTS];
  uint64_t state = 1; /* Knuth's linear congruential generator, of which the high bits are good enough here */
  for (size_t i = 0; i < 2 * PAIRS * INPUTS; i++) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    x[i] = ldexp((double)(state >> 32), -32);
  }

  printf("%8s  %s\n", "features", "error of exp(-2 |x-y|) in 2 inputs");
  double first = error_of(context, parameters, 4, x), last = first;
  for (size_t features = 4; features <= 4096; features *= 4) {
    last = error_of(context, parameters, features, x);
    printf("%8zu  %.2e\n", features, last);
  }
  entropic_parameters_free(parameters);
  entropic_context_free(context);
  /* 4096 features leave less than a twentieth of what 4 leave. */
  return last < 0.05 * first ? EXIT_SUCCESS : EXIT_FAILURE;
}
