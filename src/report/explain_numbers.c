/* An explanation as the numbers of its pictures, in JSON. Keys are short, as there are many of them:
 *
 *   inputs[]  best first: n name, i place in a row of the exported model, k kind (n number, d date, t time of day, c
 *             category), f and t shares of each score alone and in all, F and T the same of all scores together, o and
 *             v own and covariance over the rows, m whether it may be missing, q a typical value, r range
 *             x points, y effects on each score there, the missing one last; s shares of the rows at the points, h at
 *             even bins over the range; c names of categories, l how many have no point; d whether a number has only
 *             these values. Inputs without x have no picture.
 *   pairs[]   best first: a and b, by their place among the inputs; s shares of each score, S of all, o and v; z effects
 *             on each score at the points g of both inputs, row by row; p rows there.
 *   grids     by the place of an input: the points of its pairs.
 *   start[]   rows to start from, as the exported model takes them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "explain/grid.h"
#include "explain/ranks.h"
#include "report/explain_page.h"

#define NAME_BYTES ((size_t)240)
#define LISTED_INPUTS ((size_t)2000)
#define LISTED_PAIRS ((size_t)400)
#define DRAWN_PAIRS ((size_t)40)
#define CATEGORIES ((size_t)60) /* of a picture */
#define COARSE_STEPS ((size_t)17)
#define COARSE_POINTS ((size_t)18)
#define BINS ((size_t)40)
#define START_ROWS ((size_t)12)

typedef struct ent_ranked {
  size_t number; /* the place of an input, or the number of a pair */
  double total;
} ent_ranked;

typedef struct ent_explain_writer {
  ent_text *out;
  const entropic_explanation *x;
  ent_effect_grid *fine, *coarse;
  ent_ranked *inputs, *pairs; /* best first */
  size_t *rank;               /* of each input */
  bool *in_pair;              /* of each input by rank: its coarse points are wanted */
  double *effects;
  size_t *counts;
  double variance; /* of all scores */
  size_t end;      /* where pictures must end */
} ent_explain_writer;

/* ---- Numbers ---- */

/* So many significant digits, or null. */
static void add_rounded(ent_text *out, double value, int digits) {
  if (isfinite(value) && value != 0) {
    int power = digits - 1 - (int)floor(log10(fabs(value)));
    double scale = pow(10, abs(power));
    double rounded = power >= 0 ? rint(value * scale) / scale : rint(value / scale) * scale;
    value = isfinite(rounded) ? rounded : value;
  }
  ent_text_json_number(out, value);
}

static void add_list(ent_text *out, const char *key, const double *values, size_t count, int digits) {
  ent_text_format(out, ",\"%s\":[", key);
  for (size_t i = 0; i < count; i++) {
    ent_text_add(out, i > 0 ? "," : "");
    add_rounded(out, values[i], digits);
  }
  ent_text_add(out, "]");
}

/* A name, cut where it is too long to be shown. */
static void add_name(ent_text *out, const char *name) {
  char cut[NAME_BYTES + 8];
  size_t length = strlen(name), at = 0;
  if (length <= NAME_BYTES) {
    ent_text_json(out, name);
    return;
  }
  while (at < NAME_BYTES - 4) {
    uint32_t code;
    size_t size = ent_utf8(name + at, length - at, &code);
    at += size == 0 ? 1 : size;
  }
  memcpy(cut, name, at);
  strcpy(cut + at, "\xe2\x80\xa6");
  ent_text_json(out, cut);
}

static double share_of(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

static double add_up(const double *values, size_t count, size_t stride) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += values[i * stride];
  return sum;
}

/* Shares of an effect: of each score, and of all together. */
static void add_shares(const ent_explain_writer *w, const char *keys, const double *variances, size_t stride) {
  size_t scores = w->x->model->scores;
  ent_text_format(w->out, ",\"%c\":", keys[1]);
  add_rounded(w->out, share_of(add_up(variances, scores, stride), w->variance), 6);
  if (scores == 1)
    return;
  ent_text_format(w->out, ",\"%c\":[", keys[0]);
  for (size_t k = 0; k < scores; k++) {
    ent_text_add(w->out, k > 0 ? "," : "");
    add_rounded(w->out, share_of(variances[k * stride], w->x->shares->variances[k]), 4);
  }
  ent_text_add(w->out, "]");
}

/* What the rows say about an effect. */
static void add_dependence(const ent_explain_writer *w, size_t effect) {
  const ent_effect_dependence *d = w->x->dependence;
  if (d == NULL)
    return;
  size_t scores = w->x->model->scores;
  double whole = add_up(d->variances, scores, 1);
  ent_text_add(w->out, ",\"o\":");
  add_rounded(w->out, share_of(add_up(d->own + effect, scores, d->effects), whole), 6);
  ent_text_add(w->out, ",\"v\":");
  add_rounded(w->out, share_of(add_up(d->covariance + effect, scores, d->effects), whole), 6);
}

/* ---- Inputs ---- */

static const ent_scale *scale_at(const ent_explain_writer *w, size_t place) {
  return &w->x->model->scaler->scales[w->x->effects->inputs[place]];
}

static const ent_input *input_at(const ent_explain_writer *w, size_t place) {
  return &w->x->model->schema.input[w->x->effects->inputs[place]];
}

/* The share of the rows in even bins over the range of a number. */
static void add_bins(const ent_explain_writer *w, size_t place) {
  const ent_scale *scale = scale_at(w, place);
  const ent_row_sample *sample = &w->x->sample;
  size_t input = w->x->effects->inputs[place];
  double shares[BINS] = {0}, low = scale->knots > 0 ? scale->at[0] : 0,
         width = (scale->knots > 0 ? scale->at[scale->knots - 1] : 1) - low, below = 0;
  bool ranks = ent_scale_knows_ranks(w->x->model->scaler, input);
  if (!isfinite(width) || !(width > 0) || (sample->count == 0 && !ranks))
    return;
  for (size_t r = 0; r < sample->count; r++) {
    double at = floor((sample->x[r * sample->inputs + input] - low) / width * (double)BINS);
    if (!isnan(at))
      shares[at < 0 ? 0 : at >= (double)BINS ? BINS - 1 : (size_t)at] += 1 / (double)sample->count;
  }
  for (size_t b = 0; b < BINS && sample->count == 0; b++) {
    double rank =
        b + 1 == BINS ? 1 : ent_scale_rank(w->x->model->scaler, input, low + width * ((double)b + 1) / (double)BINS);
    shares[b] = rank - below;
    below = rank;
  }
  add_list(w->out, "h", shares, BINS, 3);
}

/* Points of a grid: where they are, and how many rows are there if that is known. */
static void add_points(const ent_explain_writer *w, const ent_effect_points *points, size_t place, bool shares) {
  const ent_input *input = input_at(w, place);
  ent_text_format(w->out, ",\"d\":%d", points->distinct ? 1 : 0);
  add_list(w->out, "x", points->at, points->count, 9);
  if (input->categories > 0) {
    ent_text_add(w->out, ",\"c\":[");
    for (size_t p = 0; p < points->count; p++) {
      ent_text_add(w->out, p > 0 ? "," : "");
      add_name(w->out, input->category[(size_t)points->at[p]]);
    }
    ent_text_format(w->out, "],\"l\":%zu", points->left);
  }
  if (shares)
    add_list(w->out, "s", points->shares, ent_effect_points_all(points), 3);
}

static void add_curve(const ent_explain_writer *w, size_t place) {
  const ent_effect_points *points = &w->fine->points[place];
  size_t start = w->out->length;
  add_points(w, points, place, true);
  if (input_at(w, place)->categories == 0 && !points->distinct)
    add_bins(w, place);
  ent_text_add(w->out, ",\"y\":[");
  for (size_t k = 0; k < w->x->model->scores; k++) {
    ent_effect_grid_main(w->fine, place, k, w->effects);
    ent_text_add(w->out, k > 0 ? ",[" : "[");
    for (size_t p = 0; p < ent_effect_points_all(points); p++) {
      ent_text_add(w->out, p > 0 ? "," : "");
      add_rounded(w->out, w->effects[p], 6);
    }
    ent_text_add(w->out, "]");
  }
  ent_text_add(w->out, "]");
  if (w->out->status == ENTROPIC_OK && w->out->length > w->end) { /* there is no room for it */
    w->out->length = start;
    w->out->bytes[start] = '\0';
  }
}

static void add_input(const ent_explain_writer *w, size_t place) {
  const ent_input *input = input_at(w, place);
  const ent_scale *scale = scale_at(w, place);
  const ent_effect_shares *s = w->x->shares;
  size_t used = w->x->effects->used;
  ent_text_add(w->out, "{\"n\":");
  add_name(w->out, input->name);
  ent_text_format(w->out, ",\"i\":%zu,\"k\":\"%s\",\"m\":%d", place,
                  input->categories > 0                   ? "c"
                  : input->date                           ? "d"
                  : input->notation == ENT_NOTATION_CLOCK ? "t"
                                                          : "n",
                  w->fine->points[place].missing ? 1 : 0);
  add_shares(w, "fF", s->first + place, used);
  add_shares(w, "tT", s->total + place, used);
  add_dependence(w, place);
  ent_text_add(w->out, ",\"q\":");
  ent_text_json_number(w->out, ent_effect_typical(w->x->effects, place));
  if (input->categories == 0) {
    double range[2] = {scale->knots > 0 ? scale->at[0] : 0, scale->knots > 0 ? scale->at[scale->knots - 1] : 1};
    add_list(w->out, "r", range, 2, 17);
  }
  add_curve(w, place);
  ent_text_add(w->out, "}");
}

/* ---- Pairs ---- */

static void add_map(const ent_explain_writer *w, size_t pair) {
  const ent_pair_effect *of = &w->x->shares->pairs[pair];
  size_t start = w->out->length, a = w->rank[of->a], b = w->rank[of->b];
  size_t cells = ent_effect_points_all(&w->coarse->points[of->a]) * ent_effect_points_all(&w->coarse->points[of->b]);
  ent_text_add(w->out, ",\"z\":[");
  for (size_t k = 0; k < w->x->model->scores; k++) {
    ent_effect_grid_pair(w->coarse, pair, k, w->effects);
    ent_text_add(w->out, k > 0 ? ",[" : "[");
    for (size_t c = 0; c < cells; c++) {
      ent_text_add(w->out, c > 0 ? "," : "");
      add_rounded(w->out, w->effects[c], 4);
    }
    ent_text_add(w->out, "]");
  }
  ent_text_add(w->out, "]");
  if (w->x->sample.count > 0) {
    ent_effect_grid_count(w->coarse, pair, w->counts);
    ent_text_add(w->out, ",\"p\":[");
    for (size_t c = 0; c < cells; c++)
      ent_text_format(w->out, c > 0 ? ",%zu" : "%zu", w->counts[c]);
    ent_text_add(w->out, "]");
  }
  if (w->out->status == ENTROPIC_OK && w->out->length > w->end) {
    w->out->length = start;
    w->out->bytes[start] = '\0';
    return;
  }
  w->in_pair[a] = w->in_pair[b] = true;
}

static void add_pairs(const ent_explain_writer *w) {
  const ent_effect_shares *s = w->x->shares;
  ent_text_add(w->out, ",\n\"pairs\":[");
  for (size_t i = 0; i < s->pair_count && i < LISTED_PAIRS; i++) {
    const ent_pair_effect *of = &s->pairs[w->pairs[i].number];
    if (w->rank[of->a] >= LISTED_INPUTS || w->rank[of->b] >= LISTED_INPUTS || !(w->pairs[i].total > 0))
      continue;
    ent_text_format(w->out, "%s{\"a\":%zu,\"b\":%zu", i > 0 ? ",\n" : "", w->rank[of->a], w->rank[of->b]);
    add_shares(w, "sS", of->variances, 1);
    add_dependence(w, w->x->effects->used + w->pairs[i].number);
    if (i < DRAWN_PAIRS)
      add_map(w, w->pairs[i].number);
    ent_text_add(w->out, "}");
  }
  ent_text_add(w->out, "],\n\"grids\":{");
  size_t written = 0;
  for (size_t i = 0; i < w->x->effects->used; i++) {
    if (!w->in_pair[i])
      continue;
    ent_text_format(w->out, "%s\"%zu\":{\"k\":0", written++ > 0 ? ",\n" : "", i);
    add_points(w, &w->coarse->points[w->inputs[i].number], w->inputs[i].number, false);
    ent_text_add(w->out, "}");
  }
  ent_text_add(w->out, "}");
}

/* ---- The model ---- */

static void add_names(ent_text *out, const char *key, char *const *names, size_t count) {
  ent_text_format(out, ",\n\"%s\":[", key);
  for (size_t i = 0; i < count; i++) {
    ent_text_add(out, i > 0 ? "," : "");
    add_name(out, names[i]);
  }
  ent_text_add(out, "]");
}

static void add_model(const ent_explain_writer *w) {
  const entropic_model *model = w->x->model;
  const ent_schema *schema = &model->schema;
  const ent_effect_shares *s = w->x->shares;
  size_t used = w->x->effects->used;
  ent_text_format(w->out, "{\"rows\":%zu,\"sample\":%zu,\"trainingRows\":%zu,\"inputCount\":%zu,\"pairCount\":%zu",
                  w->x->sample.seen, w->x->sample.count, model->rows, used, s->pair_count);
  add_names(w->out, "targets", schema->target, schema->targets);
  add_names(w->out, "classes", schema->class_name, schema->classes);
  add_list(w->out, "base", w->x->effects->base, model->scores, 17);
  add_list(w->out, "variance", s->variances, model->scores, 9);
  ent_text_add(w->out, ",\"temperature\":");
  ent_text_json_number(w->out, model->inverse_temperature);
  if (model->transform.sign != 0 && schema->classes == 0)
    add_list(w->out, "root", (double[]){model->transform.sign, model->transform.origin, model->transform.bias}, 3, 17);
  if (model->bounds != NULL && schema->classes == 0)
    add_list(w->out, "bounds", model->bounds, 2 * schema->targets, 17);
  double rest =
      w->variance - add_up(s->first, model->scores * used, 1) - add_up(s->pair_room, model->scores * s->pair_count, 1);
  ent_text_add(w->out, ",\"higher\":");
  if (s->left_out)
    ent_text_add(w->out, "null");
  else
    add_rounded(w->out, fmax(share_of(rest, w->variance), 0), 6);
}

/* Rows to start from: a typical one, and some of those that were read. */
static void add_start(const ent_explain_writer *w) {
  const ent_effects *e = w->x->effects;
  const ent_row_sample *sample = &w->x->sample;
  size_t rows = sample->count < START_ROWS ? sample->count : START_ROWS;
  ent_text_add(w->out, ",\n\"start\":[[0");
  for (size_t i = 0; i < e->used; i++) {
    ent_text_add(w->out, ",");
    ent_text_json_number(w->out, ent_effect_typical(e, i));
  }
  ent_text_add(w->out, "]");
  for (size_t r = 0; r < rows; r++) {
    size_t row = r * sample->count / rows;
    ent_text_format(w->out, ",\n[%zu", 1 + row * sample->stride);
    for (size_t i = 0; i < e->used; i++) {
      ent_text_add(w->out, ",");
      ent_text_json_number(w->out, sample->x[row * sample->inputs + e->inputs[i]]);
    }
    ent_text_add(w->out, "]");
  }
  ent_text_add(w->out, "]");
}

/* ---- All of it ---- */

static int compare_ranked(const void *a, const void *b) {
  const ent_ranked *x = a, *y = b;
  if (x->total != y->total)
    return x->total > y->total ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

static void rank_all(const ent_explain_writer *w) {
  const ent_effect_shares *s = w->x->shares;
  size_t used = w->x->effects->used, scores = w->x->model->scores;
  for (size_t i = 0; i < used; i++)
    w->inputs[i] = (ent_ranked){i, add_up(s->total + i, scores, used)};
  for (size_t p = 0; p < s->pair_count; p++)
    w->pairs[p] = (ent_ranked){p, add_up(s->pairs[p].variances, scores, 1)};
  if (used > 0)
    qsort(w->inputs, used, sizeof *w->inputs, compare_ranked);
  if (s->pair_count > 0)
    qsort(w->pairs, s->pair_count, sizeof *w->pairs, compare_ranked);
  for (size_t i = 0; i < used; i++)
    w->rank[w->inputs[i].number] = i;
}

/* As many points as there is room for. */
static size_t choose_steps(const entropic_explanation *x, size_t most) {
  size_t steps = 128, curves = (x->effects->used + 1) * (x->model->scores + 2);
  while (steps > 32 && curves * steps * 9 > most / 2)
    steps /= 2;
  return steps;
}

static entropic_status start_writer(ent_explain_writer *w, size_t most) {
  entropic_context *context = w->out->context;
  size_t used = w->x->effects->used, steps = choose_steps(w->x, most);
  entropic_status status = ent_effect_grid_create(context, w->x, steps, CATEGORIES, &w->fine);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_effect_grid_create(context, w->x, COARSE_STEPS, COARSE_POINTS, &w->coarse);
  if (status != ENTROPIC_OK)
    return status;
  w->inputs = ent_new(context, used, sizeof *w->inputs);
  w->pairs = ent_new(context, w->x->shares->pair_count, sizeof *w->pairs);
  w->rank = ent_new(context, used, sizeof *w->rank);
  w->in_pair = ent_new(context, used, sizeof *w->in_pair);
  size_t cells = w->coarse->most * w->coarse->most;
  w->effects = ent_new(context, cells > w->fine->most ? cells : w->fine->most, sizeof *w->effects);
  w->counts = ent_new(context, cells, sizeof *w->counts);
  if (w->inputs == NULL || w->pairs == NULL || w->rank == NULL || w->in_pair == NULL || w->effects == NULL ||
      w->counts == NULL)
    return ENTROPIC_NO_MEMORY;
  w->variance = add_up(w->x->shares->variances, w->x->model->scores, 1);
  rank_all(w);
  return ENTROPIC_OK;
}

void ent_explain_numbers(ent_text *text, const entropic_explanation *explanation, size_t most) {
  ent_explain_writer w = {.out = text, .x = explanation};
  size_t first = text->length;
  entropic_status status = text->status == ENTROPIC_OK ? start_writer(&w, most) : text->status;
  if (status != ENTROPIC_OK)
    goto done;
  add_model(&w);
  w.end = first + most / 3 * 2;
  ent_text_add(text, ",\n\"inputs\":[");
  for (size_t i = 0; i < explanation->effects->used && i < LISTED_INPUTS; i++) {
    ent_text_add(text, i > 0 ? ",\n" : "");
    add_input(&w, w.inputs[i].number);
  }
  ent_text_add(text, "]");
  w.end = first + most;
  add_pairs(&w);
  add_start(&w);
  ent_text_add(text, "}");
done:
  if (text->status == ENTROPIC_OK)
    text->status = status;
  ent_effect_grid_free(w.fine);
  ent_effect_grid_free(w.coarse);
  ent_delete(w.inputs);
  ent_delete(w.pairs);
  ent_delete(w.rank);
  ent_delete(w.in_pair);
  ent_delete(w.effects);
  ent_delete(w.counts);
}
