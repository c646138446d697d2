/* The logit of two classes: one score, the log odds of the second. */
#include "loss/class_text.h"
#include "loss/link.h"

#include <math.h>
#include <stddef.h>

static size_t decide(size_t classes, const double *scores) {
  (void)classes;
  return scores[0] > 0;
}

/* The smaller of the two is computed without cancellation. */
static void chances(size_t classes, const double *scores, double *probabilities) {
  (void)classes;
  double score = scores[0], small = exp(-fabs(score)) / (1 + exp(-fabs(score)));
  probabilities[1] = score < 0 ? small : 1 - small;
  probabilities[0] = score < 0 ? 1 - small : small;
}

static void constant(size_t classes, const double *weights, double sum, double *scores) {
  (void)classes, (void)sum;
  scores[0] = log(weights[1] / weights[0]);
}

static double steepest(const ent_link *link) {
  return link->inverse_temperature / 4;
}

static const ent_link_parameter parameters[] = {
    {"inverse_temperature", "inverse temperature", offsetof(ent_link, inverse_temperature), false, false}};

const ent_link_family ent_link_logit = {
    .name = "logit",
    .scale_words = "",
    .reading = ENT_CLASSES_READING,
    .traits = ENT_LINK_CLASSES | ENT_LINK_ONE_SCORE | ENT_LINK_ONE_TARGET,
    .since = 1,
    .classes = 2,
    .scale = ENTROPIC_TARGET_SCALE_PLAIN,
    .figure = "logloss",
    .parameters = parameters,
    .parameter_count = 1,
    .decide = decide,
    .chances = chances,
    .constant = constant,
    .steepest = steepest,
    .c = {.decide = "  return scores[0] > 0;\n",
          .chances = "  model_real score = model_inverse_temperature * scores[0], rest = MODEL_EXP(score < 0 ? score : "
                     "-score);\n"
                     "  model_real small = rest / (1 + rest);\n"
                     "  probabilities[1] = score < 0 ? small : 1 - small;\n"
                     "  probabilities[0] = score < 0 ? 1 - small : small;\n"},
    .js = {.constant = "null", .decide = ENT_CLASSES_JS_DECIDE, .chances = ENT_CLASSES_JS_CHANCES}};
