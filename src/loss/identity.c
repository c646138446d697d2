/* The identity: a score is the prediction. */
#include "loss/link.h"
#include "loss/root.h"

static void predict(const ent_link *link, size_t count, double *values) {
  (void)link, (void)count, (void)values;
}

static double slope(const ent_link *link, double score) {
  (void)link, (void)score;
  return 1;
}

static double same(const ent_link *link, double value) {
  (void)link;
  return value;
}

const ent_link_family ent_link_identity = {
    .name = "identity",
    .scale_words = "",
    .reading =
        "Effects are in the units of the target. All effects of a row and the base add up to its prediction, up to "
        "the bounds of predictions.",
    .traits = ENT_LINK_NUMBERS,
    .since = 1,
    .scale = ENTROPIC_TARGET_SCALE_PLAIN,
    .predict = predict,
    .slope = slope,
    .score = same,
    .score_of_prediction = same,
    .target = same,
    .c = {.predict = "",
          .score = "  (void)predicted;\n"
                   "  return (double)score;\n",
          .score_single = "  (void)predicted;\n"
                          "  return (double)score;\n",
          .target = "  return score;\n"},
    /* Modules have one text for both: the constant `root` is null here. */
    .js = {
        .constant = "null", .predict = ENT_ROOT_JS_PREDICT, .score = ENT_ROOT_JS_SCORE, .target = ENT_ROOT_JS_TARGET}};
