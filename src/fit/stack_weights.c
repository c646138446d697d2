/* The weights of a stack: see stack_weights.h. The loss is convex in the weights, so it is made smaller by moving weight
 * from one candidate to another, pair by pair, until nothing changes. */
#include "fit/stack_weights.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"

#define PRIOR_ROWS 20.0  /* equal weights count as so many rows */
#define UNITS 256.0      /* of a weight */
#define LEAST (1.0 / 32) /* a weight below is none */
#define SWEEPS 50        /* over all pairs, at most */
#define STEPS 24         /* of the search along one pair */
#define GOLDEN 0.6180339887498949
#define POLLED ((size_t)4096) /* rows between two polls */

typedef struct ent_stack_search {
  const ent_stack_rows *rows;
  size_t without;
  double penalty;                     /* of a squared distance from equal weights */
  double equal[ENT_STACK_CANDIDATES]; /* those */
  double *room;                       /* [scores] */
} ent_stack_search;

void ent_stack_mix(const ent_stack_rows *rows, const double *weights, size_t i, double *mix) {
  for (size_t k = 0; k < rows->scores; k++) {
    mix[k] = 0;
    for (size_t c = 0; c < ENT_STACK_CANDIDATES; c++)
      mix[k] += weights[c] > 0 ? weights[c] * rows->candidate[c][i * rows->scores + k] : 0;
  }
}

/* ln(1 + exp(x)) without overflow. */
static double softplus(double x) {
  return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

/* ln of the sum of exponentials of scores. */
static double log_sum(const double *scores, size_t count) {
  double most = scores[0], sum = 0;
  for (size_t k = 1; k < count; k++)
    most = fmax(most, scores[k]);
  for (size_t k = 0; k < count; k++)
    sum += exp(scores[k] - most);
  return most + log(sum);
}

/* The loss of row i at its scores. */
static double loss_of(const ent_stack_rows *rows, size_t i, const double *mix) {
  size_t number = rows->numbers[i];
  double loss = 0;
  if (rows->classes > 0) {
    size_t label = (size_t)rows->y[number];
    return rows->scores == 1 ? softplus(label == 1 ? -mix[0] : mix[0]) : log_sum(mix, rows->scores) - mix[label];
  }
  for (size_t k = 0; k < rows->scores; k++) {
    double off = mix[k] - rows->y[number * rows->scores + k];
    loss += off * off / rows->scale[k] / (double)rows->scores;
  }
  return loss;
}

double ent_stack_correction(const ent_stack_rows *rows, const double *weights, size_t i, const double *mix) {
  double share = weights[rows->averaged] * weights[rows->averaged], sum = 0;
  const double *variances = rows->variances + i * rows->scores;
  double all = rows->classes > 0 && rows->scores > 1 ? log_sum(mix, rows->scores) : 0;
  for (size_t k = 0; k < rows->scores; k++) {
    double p = rows->classes == 0 ? 0 : rows->scores == 1 ? 1 / (1 + exp(-mix[0])) : exp(mix[k] - all);
    sum += rows->classes > 0 ? p * (1 - p) / 2 * variances[k] : variances[k] / rows->scale[k] / (double)rows->scores;
  }
  return share * sum;
}

/* The mean loss, less what the mean of runs is worth, and the penalty. */
static entropic_status objective(entropic_context *context, const ent_stack_search *s, const double *weights,
                                 double *value) {
  const ent_stack_rows *rows = s->rows;
  double sum = 0, weight = 0, distance = 0;
  for (size_t i = 0; i < rows->rows; i++) {
    if (i % POLLED == 0) {
      entropic_status status = ent_poll(context);
      if (status != ENTROPIC_OK)
        return status;
    }
    if (rows->part_of[i] == s->without || rows->weights[i] == 0)
      continue;
    ent_stack_mix(rows, weights, i, s->room);
    sum += rows->weights[i] * (loss_of(rows, i, s->room) - ent_stack_correction(rows, weights, i, s->room));
    weight += rows->weights[i];
  }
  for (size_t c = 0; c < ENT_STACK_CANDIDATES; c++)
    distance += (weights[c] - s->equal[c]) * (weights[c] - s->equal[c]);
  *value = sum / weight + s->penalty * distance;
  return ENTROPIC_OK;
}

/* The objective with `moved` of the weight of both candidates at the first one. */
static entropic_status along(entropic_context *context, const ent_stack_search *s, const double *weights, size_t a,
                             size_t b, double share, double *value) {
  double own[ENT_STACK_CANDIDATES], both = weights[a] + weights[b];
  memcpy(own, weights, sizeof own);
  own[a] = share * both;
  own[b] = both - own[a];
  return objective(context, s, own, value);
}

/* The best split of the weight of two candidates between them, by golden sections; ends are looked at, too. */
static entropic_status split_pair(entropic_context *context, const ent_stack_search *s, size_t a, size_t b,
                                  double *weights, double *best) {
  double low = 0, high = 1, at[2] = {1 - GOLDEN, GOLDEN}, value[2], end, share = -1, both = weights[a] + weights[b];
  entropic_status status = ENTROPIC_OK;
  if (!(both > 0))
    return ENTROPIC_OK;
  for (int i = 0; i < 2 && status == ENTROPIC_OK; i++)
    status = along(context, s, weights, a, b, at[i], &value[i]);
  for (int step = 0; step < STEPS && status == ENTROPIC_OK; step++) {
    bool left = value[0] <= value[1];
    low = left ? low : at[0];
    high = left ? at[1] : high;
    at[left] = at[!left];
    value[left] = value[!left];
    at[!left] = left ? high - GOLDEN * (high - low) : low + GOLDEN * (high - low);
    status = along(context, s, weights, a, b, at[!left], &value[!left]);
  }
  const double shares[] = {at[0], at[1], 0, 1};
  for (size_t i = 0; i < sizeof shares / sizeof *shares && status == ENTROPIC_OK; i++) {
    status = along(context, s, weights, a, b, shares[i], &end);
    if (status == ENTROPIC_OK && end < *best) {
      *best = end;
      share = shares[i];
    }
  }
  if (status == ENTROPIC_OK && share >= 0) {
    weights[a] = share * both;
    weights[b] = both - weights[a];
  }
  return status;
}

/* Weights that are next to none become none; the others multiples of a unit, whose sum is 1. */
static void round_weights(double *weights) {
  double sum = 0, left = UNITS;
  size_t most = 0;
  for (size_t c = 0; c < ENT_STACK_CANDIDATES; c++) {
    weights[c] = weights[c] < LEAST ? 0 : weights[c];
    sum += weights[c];
    most = weights[c] > weights[most] ? c : most;
  }
  for (size_t c = 0; c < ENT_STACK_CANDIDATES; c++) {
    weights[c] = floor(weights[c] / sum * UNITS + 0.5);
    left -= weights[c];
  }
  weights[most] += left;
  for (size_t c = 0; c < ENT_STACK_CANDIDATES; c++)
    weights[c] /= UNITS;
}

/* Equal weights of all but the constant, and how much they count. */
static entropic_status search_start(entropic_context *context, ent_stack_search *s) {
  const ent_stack_rows *rows = s->rows;
  double count = 0, rows_in = 0, least = INFINITY;
  for (size_t c = 1; c < ENT_STACK_CANDIDATES; c++)
    count += rows->candidate[c] != NULL;
  for (size_t c = 0; c < ENT_STACK_CANDIDATES; c++)
    s->equal[c] = c > 0 && rows->candidate[c] != NULL ? 1 / count : 0;
  for (size_t i = 0; i < rows->rows; i++)
    rows_in += rows->part_of[i] != s->without && rows->weights[i] > 0;
  for (size_t c = 0; c < ENT_STACK_CANDIDATES; c++) {
    double alone[ENT_STACK_CANDIDATES] = {0}, value;
    if (rows->candidate[c] == NULL)
      continue;
    alone[c] = 1;
    entropic_status status = objective(context, s, alone, &value);
    if (status != ENTROPIC_OK)
      return status;
    least = fmin(least, value);
  }
  s->penalty = fmax(least, 0) * PRIOR_ROWS / (rows_in + PRIOR_ROWS);
  return ENTROPIC_OK;
}

entropic_status ent_stack_weigh(entropic_context *context, const ent_stack_rows *rows, size_t without,
                                double weights[ENT_STACK_CANDIDATES]) {
  ent_stack_search s = {.rows = rows, .without = without, .room = ent_new(context, rows->scores, sizeof *s.room)};
  if (s.room == NULL)
    return ENTROPIC_NO_MEMORY;
  double best = INFINITY, before;
  entropic_status status = search_start(context, &s);
  if (status != ENTROPIC_OK)
    goto done;
  memcpy(weights, s.equal, sizeof s.equal);
  status = objective(context, &s, weights, &best);
  for (int sweep = 0; sweep < SWEEPS && status == ENTROPIC_OK; sweep++) {
    before = best;
    for (size_t a = 0; a < ENT_STACK_CANDIDATES; a++)
      for (size_t b = a + 1; b < ENT_STACK_CANDIDATES && status == ENTROPIC_OK; b++)
        if (rows->candidate[a] != NULL && rows->candidate[b] != NULL)
          status = split_pair(context, &s, a, b, weights, &best);
    if (!(best < before - 1e-9 * fabs(before)))
      break;
  }
  round_weights(weights);
done:
  ent_delete(s.room);
  return status;
}
