/* An explanation as the numbers of its pictures, in JSON. Keys are short, as there are many of them:
 *
 *   inputs[]  best first: n name, i place in a row of the exported model, k kind (n number, d date, t time of day, c
 *             category), w 1 of dates whose time of day counts, f and t shares of each score alone and in all, F and T the
 *             same of all scores together, o and v own and covariance over the rows, m whether it may be missing, q a
 *             typical value, r range
 *             x points, y effects on each score there, the missing one last; b for each score the lowest and the highest
 *             effect of the fold models there, if the model keeps these; s shares of the rows at the points, h at even
 *             bins over the range; c names of categories, l how many have no point; d whether a number has only
 *             these values. Inputs without x have no picture.
 *   pairs[]   best first: a and b, by their place among the inputs; s shares of each score, S of all, o and v; z effects
 *             on each score at the points g of both inputs, row by row; p rows there.
 *   grids     by the place of an input: the points of its pairs.
 *   sets[]    of three inputs and more, best first: i places among the inputs, s and S as of pairs.
 *   start[]   rows to start from, as the exported model takes them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/sort.h"
#include "explain/input_distribution.h"
#include "model/member_effects.h"
#include "page/explain_page.h"
#include "page/explain_writer.h"

#define FIRST_INPUTS ((size_t)20) /* which the page draws at once */
#define POINTS ((size_t)100)      /* categories, or distinct numbers, of a picture */
#define COARSE_STEPS ((size_t)17)
#define COARSE_POINTS ((size_t)24)
#define BINS ((size_t)40)
#define START_ROWS ((size_t)12)
#define START_VALUES ((size_t)4000) /* of all of them */

/* ---- Inputs ---- */

static const ent_scale *scale_at(const ent_explain_writer *w, size_t place) {
  return &w->x->model->main.scaler->scales[w->x->effects->inputs[place]];
}

static const ent_input *input_at(const ent_explain_writer *w, size_t place) {
  return &w->x->model->schema.input[w->x->effects->inputs[place]];
}

/* The share of the rows in even bins over the range of a number. */
static void add_bins(ent_explain_writer *w, size_t place) {
  const ent_scale *scale = scale_at(w, place);
  const ent_row_sample *sample = &w->x->sample;
  size_t input = w->x->effects->inputs[place];
  double shares[BINS] = {0}, low = scale->knots > 0 ? scale->at[0] : 0,
         width = (scale->knots > 0 ? scale->at[scale->knots - 1] : 1) - low, below = 0;
  bool ranks = ent_scale_knows_ranks(w->x->model->main.scaler, input);
  if (!isfinite(width) || !(width > 0) || (sample->count == 0 && !ranks))
    return;
  for (size_t r = 0; r < sample->count; r++) {
    double at = floor((sample->x[r * sample->inputs + input] - low) / width * (double)BINS);
    if (!isnan(at))
      shares[at < 0 ? 0 : at >= (double)BINS ? BINS - 1 : (size_t)at] += 1 / (double)sample->count;
  }
  for (size_t b = 0; b < BINS && sample->count == 0; b++) {
    double rank = b + 1 == BINS
                      ? 1
                      : ent_scale_rank(w->x->model->main.scaler, input, low + width * ((double)b + 1) / (double)BINS);
    shares[b] = rank - below;
    below = rank;
  }
  ent_explain_add_list(&w->json, "h", shares, BINS, 3);
}

/* The fold models: for each score [lowest, highest]. */
static void add_bands(ent_explain_writer *w, const ent_effect_grid *grid, size_t place) {
  size_t count = ent_effect_points_all(&grid->points[place]);
  double *low = w->effects, *high = w->effects + grid->most;
  if (!ent_effect_grid_has_bands(grid))
    return;
  ent_json_open_list(&w->json, "b");
  for (size_t k = 0; k < w->x->model->scores; k++) {
    ent_effect_grid_band(grid, place, k, low, high);
    ent_json_open_list(&w->json, NULL);
    ent_explain_add_list(&w->json, NULL, low, count, 6);
    ent_explain_add_list(&w->json, NULL, high, count, 6);
    ent_json_close(&w->json);
  }
  ent_json_close(&w->json);
}

static void add_curve(ent_explain_writer *w, size_t place) {
  const ent_effect_grid *grid = w->rank[place] < FIRST_INPUTS ? w->fine : w->rough;
  const ent_effect_points *points = &grid->points[place];
  size_t start = w->out->length;
  ent_explain_add_points(w, points, place, true);
  if (input_at(w, place)->categories == 0 && !points->distinct)
    add_bins(w, place);
  ent_json_open_list(&w->json, "y");
  for (size_t k = 0; k < w->x->model->scores; k++) {
    ent_effect_grid_main(grid, place, k, w->effects);
    ent_explain_add_list(&w->json, NULL, w->effects, ent_effect_points_all(points), 6);
  }
  ent_json_close(&w->json);
  add_bands(w, grid, place);
  ent_explain_take_back(w, start);
}

/* Whether the times of day of dates count: there is an input of hours, or knots lie neither on days nor half-way between;
 * but for the ends, which may be rounded. */
static bool has_times(const ent_explain_writer *w, size_t place) {
  const ent_schema *schema = &w->x->model->schema;
  const ent_scale *scale = scale_at(w, place);
  for (size_t i = w->x->effects->inputs[place] + 1; i < schema->inputs && ent_part_is_made(schema->input[i].part); i++)
    if (schema->input[i].part == ENT_PART_HOUR)
      return true;
  for (size_t k = 1; k + 1 < scale->knots; k++)
    if (2 * scale->at[k] != floor(2 * scale->at[k]))
      return true;
  return false;
}

static void add_input(ent_explain_writer *w, size_t place) {
  const ent_input *input = input_at(w, place);
  const ent_scale *scale = scale_at(w, place);
  const ent_effect_shares *s = w->x->shares;
  size_t used = w->x->effects->used;
  ent_json_open_object(&w->json, NULL);
  ent_explain_add_name(&w->json, "n", input->name);
  ent_json_add_integer(&w->json, "i", place);
  ent_json_add_text(&w->json, "k",
                    input->categories > 0                   ? "c"
                    : input->date                           ? "d"
                    : input->notation == ENT_NOTATION_CLOCK ? "t"
                                                            : "n");
  ent_json_add_integer(&w->json, "m", w->fine->points[place].missing);
  if (input->date && has_times(w, place))
    ent_json_add_integer(&w->json, "w", 1);
  ent_explain_add_shares(w, "fF", s->first + place, used);
  ent_explain_add_shares(w, "tT", s->total + place, used);
  ent_explain_add_dependence(w, place);
  ent_json_add_number(&w->json, "q", ent_effect_typical(w->x->effects, place));
  if (input->categories == 0) {
    double range[2] = {scale->knots > 0 ? scale->at[0] : 0, scale->knots > 0 ? scale->at[scale->knots - 1] : 1};
    ent_explain_add_list(&w->json, "r", range, 2, 17);
  }
  add_curve(w, place);
  ent_json_close(&w->json);
}

/* ---- The model ---- */

static void add_names(ent_json *json, const char *key, char *const *names, size_t count) {
  ent_json_line(json);
  ent_json_open_list(json, key);
  for (size_t i = 0; i < count; i++)
    ent_explain_add_name(json, NULL, names[i]);
  ent_json_close(json);
}

/* The script makes predictions of roots. Of other scales it knows the name, and shows scores. */
static void add_link(ent_explain_writer *w, const ent_link *link) {
  const ent_link_family *family = ent_link_of(link);
  if (link->number == ENT_LINK_ROOT)
    ent_explain_add_list(&w->json, "root", (double[]){link->sign, link->origin, link->bias}, 3, 17);
  else if (family->scale_name != NULL)
    ent_json_add_text(&w->json, "scale", family->scale_name);
}

static void add_model(ent_explain_writer *w) {
  const entropic_model *model = w->x->model;
  const ent_schema *schema = &model->schema;
  const ent_effect_shares *s = w->x->shares;
  size_t used = w->x->effects->used;
  ent_json_add_integer(&w->json, "rows", w->x->sample.seen);
  ent_json_add_integer(&w->json, "sample", w->x->sample.count);
  ent_json_add_integer(&w->json, "trainingRows", model->rows);
  ent_json_add_integer(&w->json, "inputCount", used);
  ent_json_add_integer(&w->json, "pairCount", s->pair_count);
  ent_json_add_integer(&w->json, "members", ent_effect_grid_has_bands(w->fine) ? ent_model_effect_members(model) : 0);
  add_names(&w->json, "targets", schema->target, schema->targets);
  add_names(&w->json, "classes", schema->class_name, schema->classes);
  ent_explain_add_list(&w->json, "base", w->x->effects->base, model->scores, 17);
  ent_json_open_list(&w->json, "variance");
  for (size_t k = 0; k < model->scores; k++)
    ent_explain_add_number(&w->json, NULL, ldexp(s->variances[k], 2 * w->x->effects->unit), 9);
  ent_json_close(&w->json);
  ent_json_add_number(&w->json, "temperature", model->link.inverse_temperature);
  add_link(w, &model->link);
  if (model->bounds != NULL)
    ent_explain_add_list(&w->json, "bounds", model->bounds, 2 * schema->targets, 17);
  double rest = w->variance - ent_explain_sum(s->first, model->scores * used, 1) -
                ent_explain_sum(s->pair_room, model->scores * s->pair_count, 1);
  double higher = s->left_out ? NAN : fmax(ent_explain_share(rest, w->variance), 0);
  ent_explain_add_number(&w->json, "higher", higher, 6);
}

/* Rows to start from: a typical one, and some of those that were read. */
static void add_start(ent_explain_writer *w) {
  const ent_effects *e = w->x->effects;
  const ent_row_sample *sample = &w->x->sample;
  size_t most = START_VALUES / (e->used + 1), rows = sample->count < START_ROWS ? sample->count : START_ROWS;
  rows = rows < most ? rows : most;
  ent_json_line(&w->json);
  ent_json_open_list(&w->json, "start");
  ent_json_open_list(&w->json, NULL);
  ent_json_add_integer(&w->json, NULL, 0);
  for (size_t i = 0; i < e->used; i++)
    ent_json_add_number(&w->json, NULL, ent_effect_typical(e, i));
  ent_json_close(&w->json);
  for (size_t r = 0; r < rows; r++) {
    size_t row = r * sample->count / rows;
    ent_json_line(&w->json);
    ent_json_open_list(&w->json, NULL);
    ent_json_add_integer(&w->json, NULL, 1 + sample->numbers[row]);
    for (size_t i = 0; i < e->used; i++)
      ent_json_add_number(&w->json, NULL, sample->x[row * sample->inputs + e->inputs[i]]);
    ent_json_close(&w->json);
  }
  ent_json_close(&w->json);
}

/* ---- All of it ---- */

static int compare_ranked(const void *a, const void *b) {
  const ent_explain_rank *x = a, *y = b;
  if (x->total != y->total)
    return x->total > y->total ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

static entropic_status rank_all(const ent_explain_writer *w) {
  const ent_effect_shares *s = w->x->shares;
  size_t used = w->x->effects->used, scores = w->x->model->scores;
  for (size_t i = 0; i < used; i++)
    w->inputs[i] = (ent_explain_rank){i, ent_explain_sum(s->total + i, scores, used)};
  for (size_t p = 0; p < s->pair_count; p++)
    w->pairs[p] = (ent_explain_rank){p, ent_explain_sum(s->pairs[p].variances, scores, 1)};
  if (used > 0)
    qsort(w->inputs, used, sizeof *w->inputs, compare_ranked);
  for (size_t i = 0; i < used; i++)
    w->rank[w->inputs[i].number] = i;
  return s->pair_count == 0 ? ENTROPIC_OK
                            : ent_sort(w->out->context, w->pairs, s->pair_count, sizeof *w->pairs, compare_ranked);
}

/* As many points as there is room for; the first inputs have more. */
static void choose_steps(const entropic_explanation *x, size_t most, size_t *fine, size_t *rough) {
  static const size_t tried[][2] = {{128, 128}, {128, 64}, {128, 32}, {64, 32}, {64, 16}, {32, 16}};
  size_t used = x->effects->used, first = used < FIRST_INPUTS ? used : FIRST_INPUTS,
         lines = ent_model_effect_members(x->model) > 0 ? 3 : 1, point = 9 * (lines * x->model->scores + 2);
  for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
    *fine = tried[i][0];
    *rough = tried[i][1];
    if (point * (first * *fine + (used - first) * *rough) <= most / 2)
      return;
  }
}

static entropic_status start_writer(ent_explain_writer *w, size_t most) {
  entropic_context *context = w->out->context;
  size_t used = w->x->effects->used, fine, rough;
  choose_steps(w->x, most, &fine, &rough);
  entropic_status status = ent_effect_grid_create(context, w->x, fine, POINTS, &w->fine);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_effect_grid_create(context, w->x, rough, POINTS, &w->rough);
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
  w->effects = ent_new(context, cells > 2 * w->fine->most ? cells : 2 * w->fine->most, sizeof *w->effects);
  w->counts = ent_new(context, cells, sizeof *w->counts);
  if (w->inputs == NULL || w->pairs == NULL || w->rank == NULL || w->in_pair == NULL || w->effects == NULL ||
      w->counts == NULL)
    return ENTROPIC_NO_MEMORY;
  w->variance = ent_explain_sum(w->x->shares->variances, w->x->model->scores, 1);
  return rank_all(w);
}

void ent_explain_numbers(ent_text *text, const entropic_explanation *explanation, size_t most) {
  ent_explain_writer w = {.out = text, .json = {.text = text, .compact = true, .in_page = true}, .x = explanation};
  size_t first = text->length;
  entropic_status status = text->status == ENTROPIC_OK ? start_writer(&w, most) : text->status;
  if (status != ENTROPIC_OK)
    goto done;
  ent_json_open_object(&w.json, NULL);
  add_model(&w);
  w.end = first + most / 3 * 2;
  ent_json_line(&w.json);
  ent_json_open_list(&w.json, "inputs");
  for (; w.listed < explanation->effects->used && text->length < first + most; w.listed++) {
    text->status = text->status != ENTROPIC_OK ? text->status : ent_poll(text->context);
    ent_json_line(&w.json);
    add_input(&w, w.inputs[w.listed].number);
  }
  ent_json_close(&w.json);
  w.end = first + most;
  ent_explain_add_pairs(&w);
  status = ent_explain_add_sets(&w);
  if (status != ENTROPIC_OK)
    goto done;
  add_start(&w);
  ent_json_close(&w.json);
done:
  if (text->status == ENTROPIC_OK)
    text->status = status;
  ent_effect_grid_free(w.fine);
  ent_effect_grid_free(w.rough);
  ent_effect_grid_free(w.coarse);
  ent_delete(w.inputs);
  ent_delete(w.pairs);
  ent_delete(w.rank);
  ent_delete(w.in_pair);
  ent_delete(w.effects);
  ent_delete(w.counts);
}
