/* An auto-encoder: a network that reconstructs rows through a narrow layer. The values of that layer, the code, are what
 * the source paper learns from instead of the 784 pixels of a digit.
 *
 * The code layer is linear, the hidden layers on either side are rectified, the outputs logistic. Adam minimises the
 * cross-entropy, in minibatches whose order comes from the seed. In the end the code is rotated to its principal axes, the
 * largest variance first: the network stays the same, and learners that take inputs one by one do better. The same bits
 * for any number of threads. */
#ifndef ENT_STUDY_ENCODER_H
#define ENT_STUDY_ENCODER_H

#include "base/context.h"

#define ENT_ENCODER_HIDDEN_MOST 3

/* Start from ent_encoder_options_default. */
typedef struct ent_encoder_options {
  size_t hidden[ENT_ENCODER_HIDDEN_MOST]; /* widths of the hidden layers before the code; after it in reverse */
  size_t hidden_count;                    /* 0 .. 3; default 1: 256 */
  size_t code;                            /* default 32 */
  size_t epochs;                          /* how often every row is seen; default 25 */
  size_t batch;                           /* rows of a minibatch, 1 .. 65536; default 256 */
  double rate;                            /* of Adam at first, above 0; falls to 0 by the end; default 0.002 */
  uint64_t seed;                          /* default 1 */
} ent_encoder_options;

ent_encoder_options ent_encoder_options_default(void);

typedef struct ent_encoder ent_encoder;

/* x[rows x inputs], from 0 to 1. */
entropic_status ent_encoder_train(entropic_context *context, const ent_encoder_options *options, const float *x,
                                  size_t rows, size_t inputs, ent_encoder **encoder);
void ent_encoder_free(ent_encoder *encoder);

/* The mean square of the residuals of the reconstruction, over rows and inputs, during the last epoch. */
double ent_encoder_training_error(const ent_encoder *encoder);

/* codes[rows x code]. */
entropic_status ent_encoder_codes(entropic_context *context, const ent_encoder *encoder, const float *x, size_t rows,
                                  double *codes);
/* reconstructed[rows x inputs], or NULL; *error, or NULL, becomes the mean square of the residuals over rows and inputs. */
entropic_status ent_encoder_reconstruct(entropic_context *context, const ent_encoder *encoder, const float *x,
                                        size_t rows, double *reconstructed, double *error);

#endif
