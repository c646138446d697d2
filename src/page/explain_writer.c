/* Numbers, names and shares in JSON: see explain_writer.h. */
#include "page/explain_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define NAME_BYTES ((size_t)240)

void ent_explain_add_number(ent_json *json, const char *key, double value, int digits) {
  if (isfinite(value) && value != 0 && digits < 17) {
    int power = digits - 1 - (int)floor(log10(fabs(value)));
    double scale = pow(10, abs(power));
    double rounded = power >= 0 ? rint(value * scale) / scale : rint(value / scale) * scale;
    value = isfinite(rounded) ? rounded : value;
  }
  ent_json_add_number(json, key, value);
}

void ent_explain_add_list(ent_json *json, const char *key, const double *values, size_t count, int digits) {
  ent_json_open_list(json, key);
  for (size_t i = 0; i < count; i++)
    ent_explain_add_number(json, NULL, values[i], digits);
  ent_json_close(json);
}

void ent_explain_add_name(ent_json *json, const char *key, const char *name) {
  char cut[NAME_BYTES + 8];
  size_t length = strlen(name), at = 0;
  if (length <= NAME_BYTES) {
    ent_json_add_text(json, key, name);
    return;
  }
  while (at < NAME_BYTES - 4) {
    uint32_t code;
    size_t size = ent_utf8(name + at, length - at, &code);
    at += size == 0 ? 1 : size;
  }
  memcpy(cut, name, at);
  strcpy(cut + at, "\xe2\x80\xa6");
  ent_json_add_text(json, key, cut);
}

double ent_explain_share(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

double ent_explain_sum(const double *values, size_t count, size_t stride) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += values[i * stride];
  return sum;
}

void ent_explain_add_shares(ent_explain_writer *w, const char *keys, const double *variances, size_t stride) {
  size_t scores = w->x->model->scores;
  const char each[] = {keys[0], '\0'};
  ent_explain_add_number(&w->json, keys + 1, ent_explain_share(ent_explain_sum(variances, scores, stride), w->variance),
                         6);
  if (scores == 1)
    return;
  ent_json_open_list(&w->json, each);
  for (size_t k = 0; k < scores; k++)
    ent_explain_add_number(&w->json, NULL, ent_explain_share(variances[k * stride], w->x->shares->variances[k]), 4);
  ent_json_close(&w->json);
}

void ent_explain_add_dependence(ent_explain_writer *w, size_t effect) {
  const ent_effect_dependence *d = w->x->dependence;
  if (d == NULL)
    return;
  size_t scores = w->x->model->scores;
  double whole = ent_explain_sum(d->variances, scores, 1);
  double own = ent_explain_sum(d->own + effect, scores, d->effects);
  double covariance = ent_explain_sum(d->covariance + effect, scores, d->effects);
  ent_explain_add_number(&w->json, "o", ent_explain_share(own, whole), 6);
  ent_explain_add_number(&w->json, "v", ent_explain_share(covariance, whole), 6);
}

void ent_explain_add_points(ent_explain_writer *w, const ent_effect_points *points, size_t place, bool shares) {
  const ent_input *input = &w->x->model->schema.input[w->x->effects->inputs[place]];
  ent_json_add_integer(&w->json, "d", points->distinct);
  ent_explain_add_list(&w->json, "x", points->at, points->count, 9);
  if (input->categories > 0) {
    ent_json_open_list(&w->json, "c");
    for (size_t p = 0; p < points->count; p++)
      ent_explain_add_name(&w->json, NULL, input->category[(size_t)points->at[p]]);
    ent_json_close(&w->json);
    ent_json_add_integer(&w->json, "l", points->left);
  }
  if (shares)
    ent_explain_add_list(&w->json, "s", points->shares, ent_effect_points_all(points), 3);
}

bool ent_explain_take_back(const ent_explain_writer *w, size_t start) {
  if (w->out->status != ENTROPIC_OK || w->out->length <= w->end)
    return false;
  w->out->length = start;
  w->out->bytes[start] = '\0';
  return true;
}
