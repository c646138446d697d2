/* MNIST with 32 inputs: codes of an auto-encoder, or principal components. */
#ifndef ENT_STUDY_DIGITS_H
#define ENT_STUDY_DIGITS_H

#include "study/sets.h"

#define ENT_DIGIT_INPUTS 32

/* All images of the folder, the test images last (*test of them), with 10 classes. The encoder is trained on the
 * training images alone. quick: principal components. On failure *split_table is as it was. */
entropic_status ent_digits_load(entropic_context *context, const ent_set_options *options, ent_split_table *split_table,
                                size_t *test);

#endif
