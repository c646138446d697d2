/* One output of entropic_predict at a time. */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include "entropic/predict.h"

static inline entropic_outputs no_outputs(void) {
  entropic_outputs outputs;
  assert_int_equal(entropic_outputs_init(&outputs, sizeof outputs), ENTROPIC_OK);
  return outputs;
}

static inline entropic_status predict_scores(entropic_context *of, const entropic_model *model, const double *x,
                                             size_t rows, size_t stride, double *scores) {
  entropic_outputs outputs = no_outputs();
  outputs.scores = scores;
  return entropic_predict(of, model, x, rows, stride, &outputs);
}

static inline entropic_status predict_intervals(entropic_context *of, const entropic_model *model, double level,
                                                const double *x, size_t rows, size_t stride, double *lower,
                                                double *upper) {
  entropic_outputs outputs = no_outputs();
  outputs.level = level;
  outputs.lower = lower;
  outputs.upper = upper;
  return entropic_predict(of, model, x, rows, stride, &outputs);
}

static inline entropic_status predict_deviations(entropic_context *of, const entropic_model *model, const double *x,
                                                 size_t rows, size_t stride, double *deviations) {
  entropic_outputs outputs = no_outputs();
  outputs.deviations = deviations;
  return entropic_predict(of, model, x, rows, stride, &outputs);
}

static inline entropic_status predict_class_sets(entropic_context *of, const entropic_model *model, double level,
                                                 const double *x, size_t rows, size_t stride, unsigned char *sets) {
  entropic_outputs outputs = no_outputs();
  outputs.level = level;
  outputs.class_sets = sets;
  return entropic_predict(of, model, x, rows, stride, &outputs);
}

static inline entropic_status predict_effects(entropic_context *of, const entropic_model *model,
                                              const entropic_explanation *explanation, const double *x, size_t rows,
                                              size_t stride, double *effects) {
  entropic_outputs outputs = no_outputs();
  outputs.explanation = explanation;
  outputs.effects = effects;
  return entropic_predict(of, model, x, rows, stride, &outputs);
}

#endif
