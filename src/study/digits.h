/* MNIST with 32 inputs: codes of an auto-encoder, or principal components. */
#ifndef ENT_STUDY_DIGITS_H
#define ENT_STUDY_DIGITS_H

#include "study/split_table.h"

#define ENT_DIGIT_INPUTS 32

/* All images of the folder, those to test on last (*test of them), with 10 classes. The codes are learnt from the images
 * to learn from alone. quick: principal components. progress, or NULL, is told how far the auto-encoder is. */
entropic_status ent_digits_load(entropic_context *context, const char *folder, bool quick, uint64_t seed,
                                entropic_progress progress, void *user, ent_split_table *split_table, size_t *test);

#endif
