/* Softmax: one score for each class. */
#include "loss/class_text.h"
#include "loss/link.h"

#include <math.h>
#include <stddef.h>

static size_t decide(size_t classes, const double *scores) {
  size_t best = 0;
  for (size_t k = 1; k < classes; k++)
    if (scores[k] > scores[best])
      best = k;
  return best;
}

static void chances(size_t classes, const double *scores, double *probabilities) {
  double most = scores[0], sum = 0;
  for (size_t k = 1; k < classes; k++)
    most = fmax(most, scores[k]);
  for (size_t k = 0; k < classes; k++)
    sum += probabilities[k] = exp(scores[k] - most);
  for (size_t k = 0; k < classes; k++)
    probabilities[k] /= sum;
}

static void constant(size_t classes, const double *weights, double sum, double *scores) {
  for (size_t k = 0; k < classes; k++)
    scores[k] = log(weights[k] / sum);
}

static double steepest(const ent_link *link) {
  return link->inverse_temperature / 2;
}

static const ent_link_parameter parameters[] = {
    {"inverse_temperature", "inverse temperature", offsetof(ent_link, inverse_temperature), false, false}};

const ent_link_family ent_link_softmax = {
    .name = "softmax",
    .scale_words = "",
    .reading = ENT_CLASSES_READING,
    .traits = ENT_LINK_CLASSES | ENT_LINK_ONE_TARGET,
    .since = 1,
    .scale = ENTROPIC_TARGET_SCALE_PLAIN,
    .figure = "logloss",
    .parameters = parameters,
    .parameter_count = 1,
    .decide = decide,
    .chances = chances,
    .constant = constant,
    .steepest = steepest,
    .c =
        {.decide = "  int k, best = 0;\n"
                   "  for (k = 1; k < MODEL_CLASSES; k++)\n"
                   "    if (scores[k] > scores[best])\n"
                   "      best = k;\n"
                   "  return best;\n",
         .chances =
             "  model_real most = scores[model_best(scores)], sum = 0;\n"
             "  int k;\n"
             "  for (k = 0; k < MODEL_CLASSES; k++)\n"
             "    sum += probabilities[k] = scores[k] == most ? 1 : MODEL_EXP(model_inverse_temperature * (scores[k] - "
             "most));\n"
             "  for (k = 0; k < MODEL_CLASSES; k++)\n"
             "    probabilities[k] /= sum;\n"},
    .js = {.constant = "null", .decide = ENT_CLASSES_JS_DECIDE, .chances = ENT_CLASSES_JS_CHANCES}};
