/* The root: see root.h. */
#include "loss/root.h"

#include <math.h>
#include <stddef.h>

#define COMMON_ROWS ((size_t)10) /* an end that so many rows share is the origin */
#define ORIGIN_BITS 16           /* any other is rounded outward, to so many bits of the range; fewer cost accuracy */

/* ---- How it is found ---- */

static double weight_of(const ent_link_targets *targets, size_t row) {
  return targets->weights == NULL ? 1 : targets->weights[row];
}

static double weight_sum(const ent_link_targets *targets) {
  double sum = 0;
  for (size_t r = 0; r < targets->rows; r++)
    sum += weight_of(targets, r);
  return sum;
}

/* The origin of an end of the range: that of a single row would be its target. Powers of two as units change nothing. */
static double find_origin(const ent_link_targets *targets, double end, double other) {
  size_t count = 0;
  for (size_t r = 0; r < targets->rows; r++)
    count += weight_of(targets, r) > 0 && targets->y[r * targets->stride] == end;
  int exponent;
  frexp(end - other, &exponent);
  double step = ldexp(1, exponent - ORIGIN_BITS), steps = end < other ? floor(end / step) : ceil(end / step);
  return count >= COMMON_ROWS || !isfinite(step * steps) || !(step > 0) ? end : step * steps;
}

double ent_root_find(const ent_link_targets *targets, bool rounded, ent_link *link) {
  double weight = weight_sum(targets), mean = 0, squares = 0, cubes = 0, least = INFINITY, most = -INFINITY;
  for (size_t r = 0; r < targets->rows; r++) {
    double y = targets->y[r * targets->stride];
    if (!(weight_of(targets, r) > 0))
      continue;
    mean += weight_of(targets, r) / weight * y;
    least = fmin(least, y);
    most = fmax(most, y);
  }
  for (size_t r = 0; r < targets->rows; r++) {
    double off = targets->y[r * targets->stride] - mean, part = weight_of(targets, r) / weight;
    squares += part * off * off;
    cubes += part * off * off * off;
  }
  double end = cubes < 0 ? most : least, other = cubes < 0 ? least : most;
  *link = (ent_link){.number = ENT_LINK_ROOT,
                     .sign = cubes < 0 ? -1 : 1,
                     .origin = rounded ? find_origin(targets, end, other) : end,
                     .inverse_temperature = 1};
  return least < most && squares > 0 ? fabs(cubes) / (squares * sqrt(squares)) : 0;
}

static double square_of(double root) {
  return root > 0 ? root * root : 0;
}

double ent_root_bias(const ent_link *link, const ent_link_targets *targets, const double *roots) {
  double weight = weight_sum(targets), bias = 0;
  for (size_t r = 0; r < targets->rows; r++)
    bias += weight_of(targets, r) / weight *
            (link->sign * (targets->y[r * targets->stride] - link->origin) - square_of(roots[r]));
  return fmax(bias, 0);
}

/* ---- The link ---- */

static void predict(const ent_link *link, size_t count, double *values) {
  for (size_t i = 0; i < count; i++)
    values[i] = link->origin + link->sign * (square_of(values[i]) + link->bias);
}

static double slope(const ent_link *link, double score) {
  return link->sign * 2 * fmax(score, 0);
}

static double score_of_target(const ent_link *link, double target) {
  return sqrt(fmax(link->sign * (target - link->origin), 0));
}

static double score_of_prediction(const ent_link *link, double prediction) {
  return score_of_target(link, prediction - link->sign * link->bias);
}

/* The bias belongs to the mean, not to quantiles. */
static double target_of_score(const ent_link *link, double score) {
  return link->origin + link->sign * square_of(score);
}

static bool takes(const ent_link *link, double target) {
  return !(link->sign * (target - link->origin) < 0);
}

/* The square of a normal number about the score: its variance is (2 score off)^2 + 2 off^4. */
static double deviation(const ent_link *link, double score, double off) {
  (void)link;
  return off * sqrt(4 * score * score + 2 * off * off);
}

static double size_of(double size) {
  return size * size;
}

static void ends(const ent_link *link, double *least, double *most) {
  double end = 0; /* the prediction of a score of 0 */
  predict(link, 1, &end);
  *(link->sign > 0 ? least : most) = end;
}

static void targets_of(const ent_link *link, double *least, double *most) {
  double far = link->origin + link->sign * *most * *most; /* what is beyond the origin counts as the origin */
  *least = link->sign > 0 ? -INFINITY : far;
  *most = link->sign > 0 ? far : INFINITY;
}

static int unit(int unit) {
  return unit / 2;
}

static void restore_units(ent_link *link, int unit) {
  link->origin = ldexp(link->origin, unit);
  link->bias = ldexp(link->bias, unit);
}

static const ent_link_parameter parameters[] = {
    {"origin", "origin of a root", offsetof(ent_link, origin), true, true},
    {"bias", "retransformation bias", offsetof(ent_link, bias), true, false}};

const ent_link_family ent_link_root = {
    .name = "root",
    .scale_words = " (of roots)",
    .scale_name = "root",
    .reading =
        "The model learnt the root of the target, so that effects add up on the scale of the root. What an effect "
        "does to the prediction itself depends on the others.",
    .traits = ENT_LINK_NUMBERS | ENT_LINK_TRANSFORMS | ENT_LINK_ONE_TARGET | ENT_LINK_DIRECTED,
    .since = 3,
    .code = 1,
    .scale = ENTROPIC_TARGET_SCALE_ROOT,
    .object = "root",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof *parameters,
    .predict = predict,
    .slope = slope,
    .score = score_of_target,
    .score_of_prediction = score_of_prediction,
    .target = target_of_score,
    .takes = takes,
    .deviation = deviation,
    .size = size_of,
    .ends = ends,
    .targets = targets_of,
    .unit = unit,
    .restore_units = restore_units,
    /* In double the score is that of the prediction, as the model has it; in float the root of so few digits would be off by
     * more than the score. */
    .c = {.predict = "  /* The root was learnt: of how far the target is from its origin. */\n"
                     "  y = y > 0 ? y * y : 0;\n"
                     "  y = {origin} {+} (y + {bias});\n",
          .score = "  double off = predicted {-} {bias:double} - {origin:double};\n"
                   "  (void)score;\n"
                   "  off = {minus}off;\n"
                   "  return off > 0 ? sqrt(off) : 0;\n",
          .score_single = "  (void)predicted;\n"
                          "  return score > 0 ? (double)score : 0;\n",
          .target = "  double square = score > 0 ? score * score : 0;\n"
                    "  return {origin:double} {+} square;\n"},
    .js = {.constant = "{sign: {sign}, origin: {origin}, bias: {bias}}",
           .predict = ENT_ROOT_JS_PREDICT,
           .score = ENT_ROOT_JS_SCORE,
           .target = ENT_ROOT_JS_TARGET}};
