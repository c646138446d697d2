/* Shares of inputs and pairs: see shares.h. */
#include "explain/shares.h"

#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/sort.h"
#include "base/threads.h"

#define CHUNKS ((size_t)64)            /* of features; sums of chunks are added in their order */
#define MOST_ENTRIES ((size_t)1 << 23) /* of pairs: more take too long to be worth it */
#define POLL_WORK ((size_t)1 << 18)    /* factors or pairs, below 10 ms */

void ent_effect_shares_free(ent_effect_shares *shares) {
  if (shares == NULL)
    return;
  ent_delete(shares->variances);
  ent_delete(shares->first);
  ent_delete(shares->total);
  ent_delete(shares->mains);
  for (size_t c = 0; shares->node_mains != NULL && c < shares->effects->part_count; c++)
    ent_delete(shares->node_mains[c]);
  ent_delete(shares->node_mains);
  ent_delete(shares->entries);
  ent_delete(shares->entry_room);
  ent_delete(shares->pairs);
  ent_delete(shares->pair_room);
  ent_delete(shares);
}

static const ent_marginal *marginal_of(const ent_effects *e, uint32_t input) {
  return &e->marginals->input[e->inputs[input]];
}

/* ---- All effects, and those with an input ---- */

typedef struct ent_total_job {
  const ent_effects *effects;
  double *sums; /* for each chunk: for each score the variance, then the total of each input */
} ent_total_job;

/* What two features share: for each input of both, the covariance of its atoms and the mean of their product. */
typedef struct ent_shared {
  size_t count;
  double rest;        /* the product of the means of all atoms of inputs that only one of them has */
  uint32_t *inputs;   /* [most] */
  double *covariance; /* [most] */
  double *product;    /* [most] */
  double *behind;     /* [most + 1] room: products from one on */
} ent_shared;

static void compare_features(const ent_effects *e, size_t i, size_t j, ent_shared *shared) {
  size_t a = e->starts[i], b = e->starts[j];
  shared->count = 0;
  shared->rest = 1;
  while (a < e->starts[i + 1] || b < e->starts[j + 1]) {
    bool of_a = a < e->starts[i + 1], of_b = b < e->starts[j + 1];
    if (of_a && of_b && e->factors[a].input == e->factors[b].input) {
      const ent_marginal *m = marginal_of(e, e->factors[a].input);
      uint32_t left = e->factors[a].atom, right = e->factors[b].atom;
      double product = ent_marginal_product(m, left, right);
      shared->inputs[shared->count] = e->factors[a].input;
      shared->product[shared->count] = product;
      shared->covariance[shared->count++] = product - m->means[left] * m->means[right];
      a++;
      b++;
    } else if (of_a && (!of_b || e->factors[a].input < e->factors[b].input)) {
      shared->rest *= ent_effect_factor_mean(e, e->factors[a++]);
    } else {
      shared->rest *= ent_effect_factor_mean(e, e->factors[b++]);
    }
  }
}

/* Adds the covariance of two features to the sums, for all scores: sums[score * (1 + used)]. */
static void add_covariance(const ent_effects *e, size_t i, size_t j, const ent_shared *shared, double *sums) {
  const entropic_model *model = e->model;
  double products = shared->rest, means = shared->rest;
  shared->behind[shared->count] = 1;
  for (size_t s = shared->count; s > 0; s--)
    shared->behind[s - 1] = shared->behind[s] * shared->product[s - 1];
  for (size_t s = 0; s < shared->count; s++) {
    products *= shared->product[s];
    means *= shared->product[s] - shared->covariance[s];
  }
  for (size_t k = 0; k < model->scores; k++) {
    const double *weights = e->weights + k * e->features;
    double both = weights[i] * e->inverse_unit * (weights[j] * e->inverse_unit) * (i == j ? 1 : 2),
           *of_score = sums + k * (1 + e->used);
    of_score[0] += both * (products - means);
    double before = shared->rest;
    for (size_t s = 0; s < shared->count; s++) {
      of_score[1 + shared->inputs[s]] += both * shared->covariance[s] * (before * shared->behind[s + 1]);
      before *= shared->product[s];
    }
  }
}

static entropic_status add_chunk(entropic_context *context, void *shared, size_t chunk, int worker) {
  (void)worker;
  const ent_total_job *job = shared;
  const ent_effects *e = job->effects;
  size_t features = e->features;
  double *sums = job->sums + chunk * e->model->scores * (1 + e->used);
  ent_shared both = {.inputs = ent_new(context, e->most, sizeof *both.inputs),
                     .covariance = ent_new(context, e->most, sizeof *both.covariance),
                     .product = ent_new(context, e->most, sizeof *both.product),
                     .behind = ent_new(context, e->most + 1, sizeof *both.behind)};
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (both.inputs == NULL || both.covariance == NULL || both.product == NULL || both.behind == NULL)
    goto done;
  status = ENTROPIC_OK;
  size_t work = 0; /* factors compared since the last poll */
  for (size_t i = chunk; i < features; i += CHUNKS)
    for (size_t j = i; j < features; j++) {
      if (j == i || work >= POLL_WORK) {
        work = 0;
        status = ent_poll(context);
        if (status != ENTROPIC_OK)
          goto done;
      }
      compare_features(e, i, j, &both);
      if (both.count > 0)
        add_covariance(e, i, j, &both, sums);
      work += 1 + e->starts[j + 1] - e->starts[j];
    }
done:
  ent_delete(both.inputs);
  ent_delete(both.covariance);
  ent_delete(both.product);
  ent_delete(both.behind);
  return status;
}

static entropic_status find_totals(entropic_context *context, ent_effect_shares *s) {
  const ent_effects *e = s->effects;
  size_t scores = e->model->scores, length = scores * (1 + e->used);
  ent_total_job job = {.effects = e, .sums = ent_new_matrix(context, CHUNKS, length, sizeof *job.sums)};
  if (job.sums == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_parallel(context, CHUNKS, add_chunk, &job);
  for (size_t c = 0; c < CHUNKS; c++)
    for (size_t k = 0; k < scores; k++) {
      const double *sums = job.sums + c * length + k * (1 + e->used);
      s->variances[k] += sums[0];
      for (size_t i = 0; i < e->used; i++)
        s->total[k * e->used + i] += sums[1 + i];
    }
  ent_delete(job.sums);
  return status;
}

/* ---- Inputs alone ---- */

/* The variance of the main effect with these coefficients. Atoms that are never both other than zero have a covariance of
 * minus the product of their means: these are added up at once, not pair by pair. */
static double main_variance(const ent_marginal *m, const double *coefficients, double unit) {
  double sum = 0, means = 0;
  for (uint32_t u = 0; m->all != NULL && u < m->count; u++)
    for (uint32_t v = 0; v <= u; v++)
      sum += (v == u ? 1 : 2) * (coefficients[u] * unit) * (coefficients[v] * unit) * ent_marginal_covariance(m, u, v);
  for (uint32_t u = 0; m->all == NULL && u < m->count; u++) {
    double own = coefficients[u] * unit, met = 0; /* coefficients times means of the atoms before u that it meets */
    for (size_t p = 0; p <= m->places[u]; p++) {
      uint32_t v = m->partners[u * m->level_count + p];
      if (v == ENT_NO_ATOM)
        continue;
      double other = coefficients[v] * unit;
      sum += (v == u ? 1 : 2) * own * other * ent_marginal_covariance(m, u, v);
      met += v == u ? 0 : other * m->means[v];
    }
    bool alone = m->partners[u * m->level_count + m->places[u]] == ENT_NO_ATOM;
    own *= m->means[u];
    sum -= 2 * own * (means - met) + (alone ? own * own : 0);
    means += own;
  }
  return sum;
}

static entropic_status find_mains(entropic_context *context, ent_effect_shares *s) {
  const ent_effects *e = s->effects;
  const entropic_model *model = e->model;
  size_t atoms = ent_effects_atoms(e);
  entropic_status status = ent_products_mains(context, e->products, e->weights, model->scores, s->mains);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t k = 0; k < model->scores; k++)
    for (uint32_t i = 0; i < e->used; i++) {
      const ent_marginal *m = marginal_of(e, i);
      const double *c = s->mains + k * atoms + e->places[i];
      s->first[k * e->used + i] = main_variance(m, c, e->inverse_unit);
    }
  return ENTROPIC_OK;
}

/* ---- Pairs ---- */

static int compare_entries(const void *a, const void *b) {
  const ent_pair_entry *x = a, *y = b;
  const uint32_t left[] = {x->a.input, x->b.input, x->a.atom, x->b.atom};
  const uint32_t right[] = {y->a.input, y->b.input, y->a.atom, y->b.atom};
  for (int i = 0; i < 4; i++)
    if (left[i] != right[i])
      return left[i] < right[i] ? -1 : 1;
  return x->coefficients < y->coefficients ? -1 : x->coefficients > y->coefficients; /* features in their order */
}

static bool same_atoms(const ent_pair_entry *x, const ent_pair_entry *y) {
  return x->a.input == y->a.input && x->b.input == y->b.input && x->a.atom == y->a.atom && x->b.atom == y->b.atom;
}

/* The pairs of factors of a feature, from number `at` on; behind[most + 1] is room. Returns the number of the next. */
static size_t list_feature(ent_effect_shares *s, size_t feature, size_t at, double *behind) {
  const ent_effects *e = s->effects;
  const entropic_model *model = e->model;
  const ent_effect_factor *factors = e->factors + e->starts[feature];
  size_t count = e->starts[feature + 1] - e->starts[feature], scores = model->scores;
  double before = 1;
  behind[count] = 1;
  for (size_t i = count; i > 0; i--)
    behind[i - 1] = behind[i] * ent_effect_factor_mean(e, factors[i - 1]);
  for (size_t i = 0; i < count; i++) {
    double between = before; /* the means of all factors before j but i */
    for (size_t j = i + 1; j < count; j++) {
      double *coefficients = s->entry_room + at * scores, mean = between * behind[j + 1];
      for (size_t k = 0; k < scores; k++)
        coefficients[k] = e->weights[k * e->features + feature] * mean;
      s->entries[at++] = (ent_pair_entry){factors[i], factors[j], coefficients};
      between *= ent_effect_factor_mean(e, factors[j]);
    }
    before *= ent_effect_factor_mean(e, factors[i]);
  }
  return at;
}

/* Entries of the same atoms become one. */
static entropic_status join_entries(entropic_context *context, ent_effect_shares *s, size_t count) {
  size_t scores = s->effects->model->scores;
  entropic_status status = ent_sort(context, s->entries, count, sizeof *s->entries, compare_entries);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < count; i++) {
    status = i % POLL_WORK == 0 ? ent_poll(context) : ENTROPIC_OK;
    if (status != ENTROPIC_OK)
      return status;
    if (s->entry_count == 0 || !same_atoms(&s->entries[s->entry_count - 1], &s->entries[i])) {
      s->entries[s->entry_count++] = s->entries[i];
      continue;
    }
    for (size_t k = 0; k < scores; k++)
      s->entries[s->entry_count - 1].coefficients[k] += s->entries[i].coefficients[k];
  }
  return ENTROPIC_OK;
}

/* All pairs of factors of all features. */
static entropic_status list_entries(entropic_context *context, ent_effect_shares *s) {
  const ent_effects *e = s->effects;
  const entropic_model *model = e->model;
  size_t count = 0, scores = model->scores;
  s->left_out = ent_effect_shares_products(e, true) > ENT_CENTRE_MOST;
  for (size_t f = 0; f < e->features; f++) {
    size_t factors = e->starts[f + 1] - e->starts[f];
    count += factors * (factors - (factors > 0)) / 2;
    s->left_out = s->left_out || count > MOST_ENTRIES / scores;
  }
  count = s->left_out ? 0 : count;
  s->entries = ent_new(context, count, sizeof *s->entries);
  s->entry_room = ent_new_matrix(context, count, scores, sizeof *s->entry_room);
  if (s->entries == NULL || s->entry_room == NULL)
    return ENTROPIC_NO_MEMORY;
  if (count == 0)
    return ENTROPIC_OK;
  double *behind = ent_new(context, e->most + 1, sizeof *behind);
  if (behind == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_OK;
  for (size_t f = 0, at = 0; f < e->features; f++) {
    at = list_feature(s, f, at, behind);
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      goto done;
  }
  status = join_entries(context, s, count);
done:
  ent_delete(behind);
  return status;
}

/* Centres have a part in the effect of every pair. */
static entropic_status list_all_pairs(entropic_context *context, ent_effect_shares *s) {
  size_t used = s->effects->used, scores = s->effects->model->scores;
  s->pair_count = s->left_out ? 0 : ent_pair_count(used);
  s->pairs = ent_new(context, s->pair_count, sizeof *s->pairs);
  s->pair_room = ent_new_matrix(context, s->pair_count, scores, sizeof *s->pair_room);
  if (s->pairs == NULL || s->pair_room == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t a = 0; a < used && s->pair_count > 0; a++)
    for (size_t b = a + 1; b < used; b++) {
      size_t number = ent_pair_number(used, a, b);
      s->pairs[number] =
          (ent_pair_effect){.a = (uint32_t)a, .b = (uint32_t)b, .variances = s->pair_room + number * scores};
    }
  for (size_t i = s->entry_count; i > 0; i--) { /* by input */
    ent_pair_effect *pair = &s->pairs[ent_pair_number(used, s->entries[i - 1].a.input, s->entries[i - 1].b.input)];
    pair->first = i - 1;
    pair->count++;
  }
  return ENTROPIC_OK;
}

static entropic_status list_pairs(entropic_context *context, ent_effect_shares *s) {
  size_t count = 0, scores = s->effects->model->scores;
  if (s->effects->points != NULL)
    return list_all_pairs(context, s);
  for (size_t i = 0; i < s->entry_count; i++)
    count += i == 0 || s->entries[i].a.input != s->entries[i - 1].a.input ||
             s->entries[i].b.input != s->entries[i - 1].b.input;
  s->pairs = ent_new(context, count, sizeof *s->pairs);
  s->pair_room = ent_new_matrix(context, count, scores, sizeof *s->pair_room);
  if (s->pairs == NULL || s->pair_room == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < s->entry_count; i++) {
    const ent_pair_entry *entry = &s->entries[i];
    ent_pair_effect *last = s->pair_count == 0 ? NULL : &s->pairs[s->pair_count - 1];
    if (last == NULL || last->a != entry->a.input || last->b != entry->b.input) {
      last = &s->pairs[s->pair_count];
      *last = (ent_pair_effect){
          .a = entry->a.input, .b = entry->b.input, .first = i, .variances = s->pair_room + s->pair_count++ * scores};
    }
    last->count++;
  }
  return ENTROPIC_OK;
}

/* The variance of the effect of a pair. */
static entropic_status find_pair(entropic_context *context, void *shared, size_t number, int worker) {
  (void)worker;
  ent_effect_shares *s = shared;
  ent_pair_effect *pair = &s->pairs[number];
  const ent_marginal *a = marginal_of(s->effects, pair->a), *b = marginal_of(s->effects, pair->b);
  const ent_pair_entry *entries = s->entries + pair->first;
  double unit = s->effects->inverse_unit;
  for (size_t i = 0; i < pair->count; i++) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t j = i; j < pair->count; j++) {
      double covariance = ent_marginal_covariance(a, entries[i].a.atom, entries[j].a.atom) *
                          ent_marginal_covariance(b, entries[i].b.atom, entries[j].b.atom) * (i == j ? 1 : 2);
      for (size_t k = 0; k < s->effects->model->scores; k++)
        pair->variances[k] += covariance * (entries[i].coefficients[k] * unit) * (entries[j].coefficients[k] * unit);
    }
  }
  return ENTROPIC_OK;
}

/* All features are compared with each other, factor by factor: see add_chunk. */
static entropic_status check_comparisons(entropic_context *context, const ent_effects *e) {
  double comparisons = (double)e->features * (double)(e->features > 0 ? e->starts[e->features] : 0);
  double products = ent_effect_shares_products(e, false);
  if (products > ENT_CENTRE_MOST)
    return ent_fail(context, ENTROPIC_TOO_LARGE,
                    "the shares of %zu training rows and %zu inputs would take %.1e products of sections of the "
                    "kernel; at most %.0e are made: effects of rows can be had",
                    ent_model_centres(e->model), e->used, products, ENT_CENTRE_MOST);
  if (comparisons <= ENT_EFFECT_MOST)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_TOO_LARGE,
                  "the shares of %zu features would take %.1e comparisons; at most %.0e are made", e->features,
                  comparisons, ENT_EFFECT_MOST);
}

entropic_status ent_effect_shares_create(entropic_context *context, const ent_effects *effects,
                                         ent_effect_shares **shares) {
  size_t scores = effects->model->scores;
  entropic_status possible = check_comparisons(context, effects);
  if (possible != ENTROPIC_OK)
    return possible;
  ent_effect_shares *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->effects = effects;
  made->variances = ent_new(context, scores, sizeof *made->variances);
  made->first = ent_new_matrix(context, scores, effects->used, sizeof *made->first);
  made->total = ent_new_matrix(context, scores, effects->used, sizeof *made->total);
  made->mains = ent_new_matrix(context, scores, ent_effects_atoms(effects), sizeof *made->mains);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (made->variances == NULL || made->first == NULL || made->total == NULL || made->mains == NULL)
    goto done;
  status = find_mains(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  status = find_totals(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  status = list_entries(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  status = list_pairs(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_parallel(context, made->pair_count, find_pair, made);
  if (status != ENTROPIC_OK)
    goto done;
  if (effects->points != NULL)
    status = ent_effect_shares_add_centres(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  *shares = made;
  made = NULL;
done:
  ent_effect_shares_free(made);
  return status;
}
