/* Shares of centres. Whatever is said of variances is a sum over pairs of products: of a feature and a centre, and of
 * two centres. With, for each input, s_d the mean of the product of both factors and m_d the product of their means, a
 * pair adds
 *
 *   prod s_d - prod m_d                                      to the variance,
 *   (s_d - m_d) prod over e != d of m_e, or of s_e           to that of input d alone, or to its total,
 *   (s_a - m_a) (s_b - m_b) prod over e != a, b of m_e       to that of a pair of inputs,
 *
 * times both weights. All s_d of one product and every node of an input are found at once (section_axis.h), so N
 * centres of D inputs take N^2 D / 2 of these, and of products for pairs of inputs N^2 D^2 / 4. */
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "explain/shares.h"

#define CHUNKS ((size_t)64)         /* of products; sums of chunks are added in their order */
#define LANES ((size_t)64)          /* centres at a time */
#define POLL_WORK ((size_t)1 << 21) /* quantities of pairs: about 2 ms */

double ent_effect_shares_products(const ent_effects *e, bool pairs) {
  double before = (double)e->features, sum = 0;
  for (size_t c = 0; c < e->part_count; c++)
    if (e->parts[c].sections != NULL) {
      double centres = (double)e->parts[c].sections->centres;
      sum += centres * (before + 0.5 * centres);
      before += centres;
    }
  return sum * ((double)e->used + (pairs ? (double)ent_pair_count(e->used) : 0));
}

/* One product, and its factors beside those of all centres of a component. */
typedef struct ent_beside {
  const ent_effects *effects;
  const ent_sections *sections; /* of these centres */
  size_t first;                 /* the first of them that it is compared with */
  double *weights;              /* [scores] in units */
  double *means;                /* [used] of its factors, 1 where it has none */
  bool *there;                  /* [used] whether it has a factor */
  double *products;             /* [nodes] the means of products with the sections, where there is a factor */
  double *rows;                 /* training points: a function of an input at each, times their shares */
  double *by_node;              /* the same by nodes */
  /* Of LANES centres, for each input, and one more: */
  double *second, *mean, *second_behind, *mean_behind;
  double *sums; /* [scores x quantities] the variance, inputs alone, totals, pairs */
  size_t quantities;
} ent_beside;

/* ---- Factors ---- */

/* Means of products of the sections of an input and a function of its training points, which is in b->rows. */
static void take_function(ent_beside *b, size_t place) {
  const ent_sections *s = b->sections;
  const ent_section_axis *axis = &s->axes[place];
  const ent_training_input *training = &b->effects->points->input[s->inputs[place]];
  const uint32_t *nodes = s->points + s->point_places[place];
  memset(b->by_node, 0, axis->count * sizeof *b->by_node);
  for (size_t k = 0; k < training->count; k++)
    b->by_node[nodes[k]] += training->shares[k] * b->rows[k];
  ent_section_axis_sums(axis, b->by_node, b->products + s->places[place]);
  b->there[place] = true;
}

/* The component that an atom of an input is of, and its number there. */
static size_t part_of(const ent_effects *e, ent_effect_factor *factor) {
  size_t part = 0;
  while (factor->atom >= e->parts[part].marginals->input[e->inputs[factor->input]].count)
    factor->atom -= (uint32_t)e->parts[part++].marginals->input[e->inputs[factor->input]].count;
  return part;
}

static void take_feature(ent_beside *b, size_t feature) {
  const ent_effects *e = b->effects;
  for (size_t k = 0; k < e->used; k++) {
    b->means[k] = 1;
    b->there[k] = false;
  }
  for (size_t i = e->starts[feature]; i < e->starts[feature + 1]; i++) {
    ent_effect_factor factor = e->factors[i];
    size_t place = factor.input;
    b->means[place] = ent_effect_factor_mean(e, factor);
    size_t part = part_of(e, &factor);
    ent_training_points_atom(e->model, e->marginals, e->points, part, e->inputs[place], factor.atom, b->rows);
    take_function(b, place);
  }
  for (size_t k = 0; k < e->model->scores; k++)
    b->weights[k] = e->weights[k * e->features + feature] * e->inverse_unit;
  b->first = 0;
}

/* A centre of the same component, or of another one. */
static void take_centre(ent_beside *b, const ent_sections *of, size_t centre) {
  const ent_effects *e = b->effects;
  for (size_t k = 0; k < e->used; k++) {
    uint32_t node = of->nodes[centre * of->used + k];
    b->means[k] = of->axes[k].means[node];
    b->there[k] = true;
    if (of == b->sections) {
      ent_section_axis_products(&of->axes[k], node, b->products + of->places[k]);
      continue;
    }
    const uint32_t *points = of->points + of->point_places[k];
    for (size_t i = of->point_places[k]; i < of->point_places[k + 1]; i++)
      b->rows[i - of->point_places[k]] =
          ent_kernel_axis_value(of->component->kernel, of->inputs[k],
                                of->axes[k].nodes[points[i - of->point_places[k]]], of->axes[k].nodes[node]);
    take_function(b, k);
  }
  for (size_t k = 0; k < e->model->scores; k++)
    b->weights[k] = of->component->weights[k * of->centres + centre] * e->inverse_unit;
  b->first = of == b->sections ? centre : 0;
}

/* ---- Sums ---- */

/* Adds a quantity of LANES pairs to the sums of all scores: weights[score x LANES]. */
static void add_quantity(const ent_beside *b, size_t quantity, const double *values, const double *weights) {
  for (size_t k = 0; k < b->effects->model->scores; k++) {
    double sum = 0;
    for (size_t l = 0; l < LANES; l++)
      sum += values[l] * weights[k * LANES + l];
    b->sums[k * b->quantities + quantity] += sum;
  }
}

/* The means of products with some centres, and products of all inputs from one on. Lanes behind the last centre are 0.
 */
static void set_lanes(const ent_beside *b, size_t first, size_t count) {
  const ent_sections *s = b->sections;
  for (size_t k = 0; k < s->used; k++) {
    const double *means = s->axes[k].means, *products = b->products + s->places[k];
    double *second = b->second + k * LANES, *mean = b->mean + k * LANES;
    for (size_t l = 0; l < count; l++) {
      uint32_t node = s->nodes[(first + l) * s->used + k];
      mean[l] = b->means[k] * means[node];
      second[l] = b->there[k] ? products[node] : mean[l];
    }
    for (size_t l = count; l < LANES; l++)
      mean[l] = second[l] = 0;
  }
  for (size_t l = 0; l < LANES; l++)
    b->second_behind[s->used * LANES + l] = b->mean_behind[s->used * LANES + l] = 1;
  for (size_t k = s->used; k > 0; k--)
    for (size_t l = 0; l < LANES; l++) {
      size_t at = (k - 1) * LANES + l;
      b->second_behind[at] = b->second_behind[at + LANES] * b->second[at];
      b->mean_behind[at] = b->mean_behind[at + LANES] * b->mean[at];
    }
}

/* The pairs of input a with those behind it. */
static void add_pairs(const ent_beside *b, size_t a, const double *before, const double *weights) {
  size_t used = b->effects->used, quantity = 1 + 2 * used + ent_pair_number(used, a, a + 1);
  double between[LANES], values[LANES];
  for (size_t l = 0; l < LANES; l++)
    between[l] = before[l] * (b->second[a * LANES + l] - b->mean[a * LANES + l]);
  for (size_t c = a + 1; c < used; c++, quantity++) {
    const double *second = b->second + c * LANES, *mean = b->mean + c * LANES;
    const double *behind = b->mean_behind + (c + 1) * LANES;
    for (size_t l = 0; l < LANES; l++) {
      values[l] = between[l] * (second[l] - mean[l]) * behind[l];
      between[l] *= mean[l];
    }
    if (b->there[c])
      add_quantity(b, quantity, values, weights);
  }
}

static void add_lanes(const ent_beside *b, const double *weights) {
  size_t used = b->effects->used;
  bool pairs = b->quantities > 1 + 2 * used;
  double values[LANES], seconds[LANES], means[LANES];
  for (size_t l = 0; l < LANES; l++) {
    values[l] = b->second_behind[l] - b->mean_behind[l];
    seconds[l] = means[l] = 1;
  }
  add_quantity(b, 0, values, weights);
  for (size_t k = 0; k < used; k++) {
    const double *second = b->second + k * LANES, *mean = b->mean + k * LANES;
    for (size_t l = 0; l < LANES && b->there[k]; l++)
      values[l] = (second[l] - mean[l]) * means[l] * b->mean_behind[(k + 1) * LANES + l];
    if (b->there[k])
      add_quantity(b, 1 + k, values, weights);
    for (size_t l = 0; l < LANES && b->there[k]; l++)
      values[l] = (second[l] - mean[l]) * seconds[l] * b->second_behind[(k + 1) * LANES + l];
    if (b->there[k])
      add_quantity(b, 1 + used + k, values, weights);
    if (b->there[k] && pairs && k + 1 < used)
      add_pairs(b, k, means, weights);
    for (size_t l = 0; l < LANES; l++) {
      seconds[l] *= second[l];
      means[l] *= mean[l];
    }
  }
}

/* Compares the product with all centres from b->first on; each of two centres is compared with the other once. */
static entropic_status add_product(entropic_context *context, const ent_beside *b, bool same, double *weights) {
  const ent_sections *s = b->sections;
  size_t work = POLL_WORK;
  for (size_t first = b->first; first < s->centres; first += LANES) {
    work += b->quantities * LANES;
    if (work >= POLL_WORK) {
      entropic_status status = ent_poll(context);
      if (status != ENTROPIC_OK)
        return status;
      work = 0;
    }
    size_t count = s->centres - first < LANES ? s->centres - first : LANES;
    for (size_t k = 0; k < b->effects->model->scores; k++)
      for (size_t l = 0; l < LANES; l++) {
        double weight = l < count ? s->component->weights[k * s->centres + first + l] * b->effects->inverse_unit : 0;
        weights[k * LANES + l] = weight * b->weights[k] * (same && first + l == b->first ? 1 : 2);
      }
    set_lanes(b, first, count);
    add_lanes(b, weights);
  }
  return ENTROPIC_OK;
}

/* ---- Chunks ---- */

typedef struct ent_centre_job {
  const ent_effect_shares *shares;
  size_t part, quantities;
  double *sums; /* [CHUNKS x scores x quantities] */
} ent_centre_job;

static size_t most_points(const ent_effects *e) {
  size_t most = 0;
  for (size_t k = 0; k < e->used; k++) {
    size_t count = e->points->input[e->inputs[k]].count;
    most = count > most ? count : most;
  }
  return most;
}

/* All numbers of a chunk in one allocation. */
static double *make_room(entropic_context *context, ent_beside *b, double **weights) {
  const ent_effects *e = b->effects;
  size_t nodes = b->sections->places[e->used], most = most_points(e), lanes = (e->used + 1) * LANES;
  size_t scores = e->model->scores, count = scores * (1 + LANES) + e->used + 2 * nodes + most + 4 * lanes;
  double *room = ent_new(context, count, sizeof *room), *at = room;
  b->there = ent_new(context, e->used, sizeof *b->there);
  if (room == NULL || b->there == NULL) {
    ent_delete(room);
    ent_delete(b->there);
    return NULL;
  }
  b->weights = at;
  *weights = b->weights + scores;
  b->means = *weights + scores * LANES;
  b->products = b->means + e->used;
  b->by_node = b->products + nodes;
  b->rows = b->by_node + nodes;
  b->second = b->rows + most;
  b->mean = b->second + lanes;
  b->second_behind = b->mean + lanes;
  b->mean_behind = b->second_behind + lanes;
  return room;
}

/* Products of a chunk: features, centres of the components before, and of this one. */
static entropic_status add_chunk(entropic_context *context, void *shared, size_t chunk, int worker) {
  (void)worker;
  const ent_centre_job *job = shared;
  const ent_effects *e = job->shares->effects;
  ent_beside b = {.effects = e,
                  .sections = e->parts[job->part].sections,
                  .sums = job->sums + chunk * e->model->scores * job->quantities,
                  .quantities = job->quantities};
  double *weights = NULL, *room = make_room(context, &b, &weights);
  entropic_status status = room == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  for (size_t f = chunk; f < e->features && status == ENTROPIC_OK; f += CHUNKS) {
    take_feature(&b, f);
    status = add_product(context, &b, false, weights);
  }
  for (size_t c = 0; c <= job->part; c++) {
    const ent_sections *of = e->parts[c].sections;
    for (size_t j = chunk; of != NULL && j < of->centres && status == ENTROPIC_OK; j += CHUNKS) {
      take_centre(&b, of, j);
      status = add_product(context, &b, of == b.sections, weights);
    }
  }
  ent_delete(room);
  ent_delete(room == NULL ? NULL : b.there);
  return status;
}

static entropic_status add_part(entropic_context *context, ent_effect_shares *s, size_t part) {
  const ent_effects *e = s->effects;
  size_t scores = e->model->scores, used = e->used, quantities = 1 + 2 * used + s->pair_count;
  ent_centre_job job = {.shares = s, .part = part, .quantities = quantities};
  job.sums = ent_new_matrix(context, CHUNKS * scores, quantities, sizeof *job.sums);
  if (job.sums == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_parallel(context, CHUNKS, add_chunk, &job);
  for (size_t c = 0; c < CHUNKS; c++)
    for (size_t k = 0; k < scores; k++) {
      const double *sums = job.sums + (c * scores + k) * quantities;
      s->variances[k] += sums[0];
      for (size_t i = 0; i < used; i++) {
        s->first[k * used + i] += sums[1 + i];
        s->total[k * used + i] += sums[1 + used + i];
      }
      for (size_t p = 0; p < s->pair_count; p++)
        s->pairs[p].variances[k] += sums[1 + 2 * used + p];
    }
  ent_delete(job.sums);
  return status;
}

/* Main effects as sums over nodes. */
static entropic_status set_mains(entropic_context *context, ent_effect_shares *s, size_t part) {
  const ent_sections *of = s->effects->parts[part].sections;
  size_t scores = s->effects->model->scores, nodes = of->places[of->used];
  double *others = ent_new(context, 2 * of->used + 1, sizeof *others);
  s->node_mains[part] = ent_new_matrix(context, scores, nodes, sizeof **s->node_mains);
  entropic_status status = others == NULL || s->node_mains[part] == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  for (size_t j = 0; status == ENTROPIC_OK && j < of->centres; j++) {
    ent_sections_others(of, j, others + of->used, others, NULL);
    for (size_t k = 0; k < scores; k++)
      for (size_t i = 0; i < of->used; i++)
        s->node_mains[part][k * nodes + of->places[i] + of->nodes[j * of->used + i]] +=
            of->component->weights[k * of->centres + j] * others[i];
  }
  ent_delete(others);
  return status;
}

entropic_status ent_effect_shares_add_centres(entropic_context *context, ent_effect_shares *s) {
  const ent_effects *e = s->effects;
  s->node_mains = ent_new(context, e->part_count, sizeof *s->node_mains);
  entropic_status status = s->node_mains == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  for (size_t c = 0; c < e->part_count && status == ENTROPIC_OK; c++) {
    if (e->parts[c].sections == NULL)
      continue;
    status = set_mains(context, s, c);
    if (status != ENTROPIC_OK)
      return status;
    status = add_part(context, s, c);
  }
  return status;
}
