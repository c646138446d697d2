/* Points of inputs and the atoms there: see grid.h. */
#include "explain/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "explain/input_distribution.h"
#include "model/member_effects.h"

#define LEAST_SHARE 1e-12 /* of a value that rows have: rounding is far below */

void ent_effect_grid_free(ent_effect_grid *grid) {
  if (grid == NULL)
    return;
  ent_delete(grid->points);
  ent_delete(grid->room);
  ent_delete(grid->values);
  ent_delete(grid->scaled);
  ent_delete(grid->mains);
  ent_delete(grid);
}

/* ---- Points ---- */

/* Distinct values by their mid-ranks: a rank is what lies below and half of what is there. */
static void set_distinct_shares(const ent_effects *e, size_t input, ent_effect_points *points) {
  const entropic_scaler *scaler = e->model->main.scaler;
  double below = 0;
  bool known = ent_scale_knows_ranks(scaler, input);
  for (size_t k = 0; k < points->count; k++) {
    double share = known ? 2 * (ent_scale_knot_rank(scaler, input, k) - below) : NAN;
    points->shares[k] = known && share < 0 ? 0 : share;
    below += known ? share : 0;
  }
}

/* Whether the knots of an input are its values: each then has a share of its own. Knots that lie between values
 * (axis/knots.c) have heights that leave nothing for them. */
static bool knots_are_values(const entropic_scaler *scaler, size_t input) {
  double below = 0;
  bool values = ent_scale_knows_ranks(scaler, input);
  for (size_t k = 0; k < scaler->scales[input].knots && values; k++) {
    double share = 2 * (ent_scale_knot_rank(scaler, input, k) - below);
    values = share > LEAST_SHARE;
    below += share;
  }
  return values;
}

static void set_numbers(const ent_effect_grid *grid, size_t place, size_t steps) {
  const ent_effects *e = grid->explanation->effects;
  size_t input = e->inputs[place];
  const ent_scale *scale = &e->model->main.scaler->scales[input];
  ent_effect_points *points = &grid->points[place];
  points->distinct = scale->knots > 0 && scale->knots <= grid->most - 1 && scale->knots <= ENT_DISTINCT_POINTS &&
                     (scale->knots == 1 || knots_are_values(e->model->main.scaler, input));
  if (points->distinct) {
    points->count = scale->knots;
    memcpy(points->at, scale->at, scale->knots * sizeof *points->at);
    set_distinct_shares(e, input, points);
    return;
  }
  for (size_t s = 0; s <= steps; s++) {
    double x = ent_scale_invert(scale, (double)s / (double)steps);
    if (points->count == 0 || x > points->at[points->count - 1]) {
      points->shares[points->count] = NAN;
      points->at[points->count++] = x;
    }
  }
}

typedef struct ent_listed_code {
  size_t code;
  double share;
} ent_listed_code;

static int compare_codes(const void *a, const void *b) {
  const ent_listed_code *x = a, *y = b;
  if (x->share != y->share)
    return x->share > y->share ? -1 : 1;
  return x->code < y->code ? -1 : 1;
}

/* Of many categories the most frequent ones. */
static entropic_status set_categories(entropic_context *context, const ent_effect_grid *grid, size_t place) {
  const ent_effects *e = grid->explanation->effects;
  const ent_scale *scale = &e->model->main.scaler->scales[e->inputs[place]];
  ent_effect_points *points = &grid->points[place];
  ent_listed_code *codes = ent_new(context, scale->categories, sizeof *codes);
  if (codes == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t c = 0; c < scale->categories; c++) {
    double share = ent_effect_share(e, place, ent_scale_cell(scale, c));
    codes[c] = (ent_listed_code){c, share >= 0 ? share : -1};
  }
  points->count = scale->categories < grid->most - 1 ? scale->categories : grid->most - 1;
  points->left = scale->categories - points->count;
  if (points->left > 0)
    qsort(codes, scale->categories, sizeof *codes, compare_codes);
  for (size_t c = 0; c < points->count; c++) {
    points->at[c] = (double)codes[c].code;
    points->shares[c] = codes[c].share < 0 ? NAN : codes[c].share;
  }
  ent_delete(codes);
  return ENTROPIC_OK;
}

static entropic_status set_points(entropic_context *context, const ent_effect_grid *grid, size_t place, size_t steps) {
  const ent_effects *e = grid->explanation->effects;
  const ent_scale *scale = &e->model->main.scaler->scales[e->inputs[place]];
  ent_effect_points *points = &grid->points[place];
  points->at = grid->room + 3 * place * grid->most;
  points->scaled = points->at + grid->most;
  points->shares = points->scaled + grid->most;
  if (scale->categories > 0) {
    entropic_status status = set_categories(context, grid, place);
    if (status != ENTROPIC_OK)
      return status;
  } else {
    set_numbers(grid, place, steps);
  }
  points->missing = scale->categories > 0 ? scale->cells > scale->categories + 1 : scale->missing;
  if (!points->missing)
    return ENTROPIC_OK;
  points->at[points->count] = NAN;
  double scaled = scale->categories > 0 ? ent_scale_cell(scale, scale->categories) : NAN;
  double share = ent_effect_share(e, place, scaled);
  points->shares[points->count] = share;
  for (size_t k = 0; k < points->count && scale->categories == 0 && share >= 0; k++)
    points->shares[k] *= 1 - share; /* ranks are among the rows that are not missing */
  return ENTROPIC_OK;
}

/* Atoms at the points of all inputs: row p has point p of each. */
static entropic_status find_values(entropic_context *context, const ent_effect_grid *grid) {
  const ent_effects *e = grid->explanation->effects;
  const entropic_model *model = e->model;
  size_t inputs = model->schema.inputs, width = ent_model_width(model), atoms = ent_effects_atoms(e);
  double *x = ent_new_matrix(context, ENT_EFFECT_ROWS, inputs, sizeof *x);
  double *scaled = ent_new_matrix(context, ENT_EFFECT_ROWS, width, sizeof *scaled);
  double *values = ent_new_matrix(context, atoms, ENT_EFFECT_ROWS, sizeof *values);
  entropic_status status = x == NULL || scaled == NULL || values == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  for (size_t first = 0; first < grid->most && status == ENTROPIC_OK; first += ENT_EFFECT_ROWS) {
    size_t rows = grid->most - first < ENT_EFFECT_ROWS ? grid->most - first : ENT_EFFECT_ROWS;
    status = ent_poll(context);
    for (size_t r = 0; r < rows; r++)
      for (size_t i = 0; i < e->used; i++) {
        size_t all = ent_effect_points_all(&grid->points[i]);
        x[r * inputs + e->inputs[i]] = grid->points[i].at[first + r < all ? first + r : 0];
      }
    ent_model_scale(model, x, rows, inputs, scaled);
    for (size_t r = 0; r < rows; r++)
      for (size_t i = 0; i < e->used; i++)
        grid->points[i].scaled[first + r] = scaled[r * width + e->inputs[i]];
    ent_effects_values(e, scaled, rows, width, values);
    for (size_t u = 0; u < atoms; u++)
      memcpy(grid->values + u * grid->most + first, values + u * ENT_EFFECT_ROWS, rows * sizeof *values);
    if (grid->scaled != NULL)
      memcpy(grid->scaled + first * width, scaled, rows * width * sizeof *scaled);
  }
  ent_delete(x);
  ent_delete(scaled);
  ent_delete(values);
  return status;
}

/* The point that a scaled value is nearest to. Categories have cells of their own: those without a point, and what was
 * not seen, have none, SIZE_MAX. */
static size_t nearest_point(const ent_effect_grid *grid, size_t place, double scaled) {
  const ent_effects *e = grid->explanation->effects;
  const ent_effect_points *points = &grid->points[place];
  scaled = ent_clamp(scaled); /* lines may go on outside */
  bool category = e->model->main.scaler->scales[e->inputs[place]].categories > 0;
  size_t found = SIZE_MAX;
  double least = category ? 1e-9 : INFINITY;
  if (isnan(scaled))
    return points->missing ? points->count : SIZE_MAX;
  for (size_t p = 0; p < points->count + (category && points->missing ? 1 : 0); p++)
    if (fabs(points->scaled[p] - scaled) < least) {
      least = fabs(points->scaled[p] - scaled);
      found = p;
    }
  return found;
}

/* Shares of the rows of the sample, in the place of those that the model knows. */
static void count_sample(const ent_effect_grid *grid, size_t place) {
  const ent_effects *e = grid->explanation->effects;
  const ent_row_sample *sample = &grid->explanation->sample;
  const ent_effect_points *points = &grid->points[place];
  bool numbers = e->model->main.scaler->scales[e->inputs[place]].categories == 0;
  size_t all = ent_effect_points_all(points);
  for (size_t p = 0; p < all; p++)
    points->shares[p] = 0;
  for (size_t r = 0; r < sample->count; r++) {
    size_t at = nearest_point(grid, place, sample->scaled[r * sample->width + e->inputs[place]]);
    if (at != SIZE_MAX)
      points->shares[at] += 1 / (double)sample->count;
  }
  for (size_t p = 0; p < points->count && numbers && !points->distinct; p++)
    points->shares[p] = NAN;
}

entropic_status ent_effect_grid_create(entropic_context *context, const entropic_explanation *explanation, size_t steps,
                                       size_t most, ent_effect_grid **grid) {
  const ent_effects *e = explanation->effects;
  ent_effect_grid *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->explanation = explanation;
  made->most = (most > steps + 1 ? most : steps + 1) + 1;
  made->points = ent_new(context, e->used, sizeof *made->points);
  made->room = ent_new_matrix(context, e->used, 3 * made->most, sizeof *made->room);
  made->values = ent_new_matrix(context, ent_effects_atoms(e), made->most, sizeof *made->values);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (made->points == NULL || made->room == NULL || made->values == NULL)
    goto done;
  if (e->points != NULL) {
    made->scaled = ent_new_matrix(context, made->most, ent_model_width(e->model), sizeof *made->scaled);
    made->mains = ent_new_matrix(context, e->model->scores * e->used, made->most, sizeof *made->mains);
    if (made->scaled == NULL || made->mains == NULL)
      goto done;
  }
  for (size_t i = 0; i < e->used; i++) {
    status = set_points(context, made, i, steps);
    if (status != ENTROPIC_OK)
      goto done;
  }
  status = find_values(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < e->used && explanation->sample.count > 0; i++)
    count_sample(made, i);
  if (e->points != NULL)
    status = ent_effect_grid_add_centres(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  *grid = made;
  made = NULL;
done:
  ent_effect_grid_free(made);
  return status;
}

/* ---- Effects ---- */

void ent_effect_grid_main(const ent_effect_grid *grid, size_t place, size_t score, double *effects) {
  const ent_effects *e = grid->explanation->effects;
  const double *mains = grid->explanation->shares->mains + score * ent_effects_atoms(e);
  size_t all = ent_effect_points_all(&grid->points[place]);
  memset(effects, 0, all * sizeof *effects);
  if (grid->mains != NULL)
    memcpy(effects, grid->mains + (score * e->used + place) * grid->most, all * sizeof *effects);
  for (size_t u = e->places[place]; u < e->places[place + 1]; u++)
    for (size_t p = 0; p < all; p++)
      effects[p] += mains[u] * grid->values[u * grid->most + p];
}

bool ent_effect_grid_has_bands(const ent_effect_grid *grid) {
  return grid->explanation->model->member_effects != NULL && grid->explanation->own == NULL;
}

/* The main effect of a member at a point, in units of the coefficients of its input and score. */
static double member_effect(const ent_effect_grid *grid, size_t place, size_t score, size_t member, size_t point) {
  const ent_member_effects *e = grid->explanation->model->member_effects;
  double sum = 0;
  for (size_t u = e->places[place]; u < e->places[place + 1]; u++)
    sum += e->values[(u * e->scores + score) * e->members + member] * grid->values[u * grid->most + point];
  return sum;
}

void ent_effect_grid_band(const ent_effect_grid *grid, size_t place, size_t score, double *low, double *high) {
  const ent_member_effects *e = grid->explanation->model->member_effects;
  int exponent = e->exponents[place * e->scores + score] - ENT_MEMBER_EFFECT_BITS;
  for (size_t p = 0; p < ent_effect_points_all(&grid->points[place]); p++) {
    double least = INFINITY, most = -INFINITY;
    for (size_t m = 0; m < e->members; m++) {
      double effect = member_effect(grid, place, score, m, p);
      least = fmin(least, effect);
      most = fmax(most, effect);
    }
    low[p] = ldexp(least, exponent);
    high[p] = ldexp(most, exponent);
  }
}

entropic_status ent_effect_grid_pair(entropic_context *context, const ent_effect_grid *grid, size_t pair, size_t score,
                                     double *effects) {
  const ent_effects *e = grid->explanation->effects;
  const ent_effect_shares *s = grid->explanation->shares;
  const ent_pair_effect *of = &s->pairs[pair];
  size_t rows = ent_effect_points_all(&grid->points[of->a]), columns = ent_effect_points_all(&grid->points[of->b]);
  memset(effects, 0, rows * columns * sizeof *effects);
  for (size_t i = of->first; i < of->first + of->count; i++) {
    const ent_pair_entry *entry = &s->entries[i];
    const double *a = grid->values + (e->places[of->a] + entry->a.atom) * grid->most;
    const double *b = grid->values + (e->places[of->b] + entry->b.atom) * grid->most;
    for (size_t r = 0; r < rows; r++) {
      double factor = entry->coefficients[score] * a[r];
      for (size_t c = 0; c < columns; c++)
        effects[r * columns + c] += factor * b[c];
    }
  }
  return e->points == NULL ? ENTROPIC_OK : ent_effect_grid_add_pair(context, grid, pair, score, effects);
}

void ent_effect_grid_count(const ent_effect_grid *grid, size_t pair, size_t *counts) {
  const entropic_explanation *x = grid->explanation;
  const ent_effects *e = x->effects;
  const ent_pair_effect *of = &x->shares->pairs[pair];
  const size_t places[2] = {of->a, of->b};
  size_t columns = ent_effect_points_all(&grid->points[of->b]);
  memset(counts, 0, ent_effect_points_all(&grid->points[of->a]) * columns * sizeof *counts);
  for (size_t r = 0; r < x->sample.count; r++) {
    size_t at[2];
    for (size_t k = 0; k < 2; k++)
      at[k] = nearest_point(grid, places[k], x->sample.scaled[r * x->sample.width + e->inputs[places[k]]]);
    if (at[0] != SIZE_MAX && at[1] != SIZE_MAX)
      counts[at[0] * columns + at[1]]++;
  }
}
