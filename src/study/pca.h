/* Principal components: the orthonormal directions of largest variance. */
#ifndef ENT_STUDY_PCA_H
#define ENT_STUDY_PCA_H

#include "base/context.h"

typedef struct ent_pca {
  size_t inputs, count;
  double *mean;      /* of each input */
  double *vectors;   /* count x inputs, one after the other, orthonormal; the largest entry of each is positive */
  double *variances; /* along each, descending: sums of squares over rows - 1 */
  double total;      /* the variance in all directions */
} ent_pca;

/* The first `count` components of x[rows x inputs], at least 2 rows of finite numbers. The same bits for any number of
 * threads. */
entropic_status ent_pca_create(entropic_context *context, const float *x, size_t rows, size_t inputs, size_t count,
                               ent_pca **pca);
void ent_pca_free(ent_pca *pca);

/* codes[rows x count]: coordinates of the centred rows along each component. */
entropic_status ent_pca_codes(entropic_context *context, const ent_pca *pca, const float *x, size_t rows,
                              double *codes);

#endif
