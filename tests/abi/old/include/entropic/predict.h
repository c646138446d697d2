/* Predictions and all that belongs to them in one call: each row is scaled and lifted once, whatever is asked for. Stable. */
#ifndef ENTROPIC_PREDICT_H
#define ENTROPIC_PREDICT_H

#include "entropic/explain.h"
#include "entropic/interval.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is asked for of rows. Arrays belong to the caller; what is NULL is not computed. Start from entropic_outputs_init. */
typedef struct entropic_outputs {
  size_t size; /* of this struct, as the caller knows it: set by entropic_outputs_init */
  /* scores[row * scores + score], the fitted functions themselves: of numbers on the scale that is learnt, of two classes
   * the score of the second (above 0: it is predicted), otherwise one for each class (the largest is predicted). */
  double *scores;
  /* predictions[row * targets + target]: numbers, clamped to the model's range if it has one, or the index of the class. */
  double *predictions;
  /* probabilities[row * classes + class], which sum to 1. The predicted class has the largest one; of equal ones it is
   * the first. */
  double *probabilities;
  /* Of lower, upper and class_sets: above 0 and up to n/(n + 1), where n is interval_rows of entropic_model_info. */
  double level;
  /* lower[row * targets + target] and upper: the interval of the target, in its units. The prediction before it is clamped
   * is inside; then the ends are clamped as predictions are. Of a root target they are squares of the ends of the root,
   * without the bias, so they are not symmetric. */
  double *lower, *upper;
  /* class_sets[row * classes + class]: 1 for the classes of the set, otherwise 0. The predicted class is always in it. */
  unsigned char *class_sets;
  /* deviations[row * targets + target]: the standard deviation of the target about its prediction, which is the root mean
   * square of the residuals, times the spread. */
  double *deviations;
  /* effects[(row * scores + score) * (1 + inputs) + i], where `inputs` is entropic_explanation_inputs: first the base, which
   * is the same for all rows, then the effect of each input, its Shapley value. They add up to the score. They need
   * an explanation of this model. */
  const entropic_explanation *explanation;
  double *effects;
  /* Counts are added: `clamped` only if there are predictions. warnings_size is sizeof(entropic_data_warnings) as the
   * caller knows it. */
  entropic_data_warnings *warnings;
  size_t warnings_size;
} entropic_outputs;

/* Nothing is asked for. size is sizeof(entropic_outputs) as the caller knows it. BAD_ARGUMENT if outputs is NULL. */
ENTROPIC_API entropic_status entropic_outputs_init(entropic_outputs *outputs, size_t size);

/* Rows as for entropic_model_predict. No bit of an output depends on what else is asked for, on how rows are divided into
 * calls, or on the number of threads. BAD_ARGUMENT if the model cannot give what is asked for: probabilities and class sets
 * of numbers, intervals and deviations of classes, any of the last three of a model without intervals, or a level that
 * it does not have. So a call with 0 rows finds out whether it can. If a row is refused, or the call is cancelled, the
 * arrays may hold anything; the counts of warnings do not change then. */
ENTROPIC_API entropic_status entropic_predict(entropic_context *context, const entropic_model *model, const double *x,
                                              size_t rows, size_t stride, const entropic_outputs *outputs);

#ifdef __cplusplus
}
#endif
#endif
