/* From a table to sparse rows: make a table, scale it, choose 100 features, lift it, look at the first row.
 *
 * The steps are those of `entropic features`, and its options go by the same names. Each handle is freed once; the lift
 * keeps what it needs of the design. */
#include <stdio.h>
#include <stdlib.h>

#include "entropic/entropic.h"

#include "friedman.h"

#define ROWS 1000

typedef struct handles {
  entropic_context *context;
  entropic_scaler *scaler;
  entropic_parameters *parameters;
  entropic_design *design;
  entropic_lift *lift;
  entropic_csr *csr;
  double *table;  /* inputs and y, row after row */
  double *scaled; /* inputs alone, in [0,1] */
} handles;

static entropic_status lift_rows(handles *h) {
  friedman_fill(h->table, ROWS);

  /* The table has y in its last column: rows are inputs + 1 doubles apart, of which the scaler takes the first. */
  entropic_status status =
      entropic_scaler_create(h->context, ENTROPIC_SCALING_QUANTILE, h->table, ROWS, INPUTS, COLUMNS, &h->scaler);
  if (status)
    return status;
  status = entropic_scaler_apply(h->context, h->scaler, h->table, ROWS, COLUMNS, h->scaled);
  if (status)
    return status;

  /* Kernel and features: what is not set has its default. No sample is needed, so two tables are lifted alike. */
  status = entropic_parameters_create(h->context, ENTROPIC_PURPOSE_DESIGN, &h->parameters);
  if (status)
    return status;
  status = entropic_parameters_set(h->context, h->parameters, "features", "100");
  if (status)
    return status;
  status = entropic_design_make(h->context, h->parameters, INPUTS, NULL, 0, &h->design);
  if (status)
    return status;

  status = entropic_lift_create(h->context, h->design, &h->lift);
  if (status)
    return status;
  return entropic_lift_csr(h->context, h->lift, h->scaled, ROWS, INPUTS, &h->csr);
}

int main(void) {
  handles h = {0};
  int result = EXIT_FAILURE;
  if (entropic_context_create(&h.context))
    return EXIT_FAILURE;
  h.table = calloc(ROWS * COLUMNS, sizeof *h.table);
  h.scaled = calloc(ROWS * INPUTS, sizeof *h.scaled);
  if (!h.table || !h.scaled) {
    fprintf(stderr, "lift_rows: out of memory\n");
    goto end;
  }
  if (lift_rows(&h)) {
    fprintf(stderr, "lift_rows: %s\n", entropic_context_message(h.context));
    goto end;
  }
  printf("%zu rows, %zu features, %zu numbers stored\n", h.csr->rows, h.csr->columns, h.csr->starts[h.csr->rows]);
  printf("the first row begins");
  for (size_t i = 0; i < 5 && i < h.csr->starts[1]; i++)
    printf(" %d:%.4f", (int)h.csr->indices[i] + 1, h.csr->values[i]);
  printf("\n");
  result = h.csr->rows == ROWS && h.csr->columns == 100 ? EXIT_SUCCESS : EXIT_FAILURE;

end:
  entropic_csr_free(h.csr);
  entropic_lift_free(h.lift);
  entropic_design_free(h.design);
  entropic_parameters_free(h.parameters);
  entropic_scaler_free(h.scaler);
  free(h.scaled);
  free(h.table);
  entropic_context_free(h.context);
  return result;
}
