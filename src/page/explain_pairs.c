/* The effects of pairs and of more inputs, in JSON: explain_numbers.c describes it. */
#include <stdio.h>

#include "base/memory.h"
#include "base/progress.h"
#include "explain/higher.h"
#include "page/explain_writer.h"

#define LISTED_PAIRS ((size_t)400)
#define DRAWN_PAIRS ((size_t)40)
#define LISTED_SETS ((size_t)100)

static void add_map(ent_explain_writer *w, size_t pair) {
  const ent_pair_effect *of = &w->x->shares->pairs[pair];
  size_t start = w->out->length, a = w->rank[of->a], b = w->rank[of->b];
  size_t cells = ent_effect_points_all(&w->coarse->points[of->a]) * ent_effect_points_all(&w->coarse->points[of->b]);
  ent_json_open_list(&w->json, "z");
  for (size_t k = 0; k < w->x->model->scores; k++) {
    entropic_status status = ent_effect_grid_pair(w->out->context, w->coarse, pair, k, w->effects);
    w->out->status = w->out->status != ENTROPIC_OK ? w->out->status : status;
    ent_explain_add_list(&w->json, NULL, w->effects, cells, 4);
  }
  ent_json_close(&w->json);
  if (w->x->sample.count > 0) {
    ent_effect_grid_count(w->coarse, pair, w->counts);
    ent_json_open_list(&w->json, "p");
    for (size_t c = 0; c < cells; c++)
      ent_json_add_integer(&w->json, NULL, w->counts[c]);
    ent_json_close(&w->json);
  }
  if (ent_explain_take_back(w, start))
    return;
  w->in_pair[a] = w->in_pair[b] = true;
}

void ent_explain_add_pairs(ent_explain_writer *w) {
  const ent_effect_shares *s = w->x->shares;
  char place[24];
  ent_json_line(&w->json);
  ent_json_open_list(&w->json, "pairs");
  for (size_t i = 0; i < s->pair_count && i < LISTED_PAIRS; i++) {
    const ent_pair_effect *of = &s->pairs[w->pairs[i].number];
    if (w->rank[of->a] >= w->listed || w->rank[of->b] >= w->listed || !(w->pairs[i].total > 0))
      continue;
    ent_json_line(&w->json);
    ent_json_open_object(&w->json, NULL);
    ent_json_add_integer(&w->json, "a", w->rank[of->a]);
    ent_json_add_integer(&w->json, "b", w->rank[of->b]);
    ent_explain_add_shares(w, "sS", of->variances, 1);
    ent_explain_add_dependence(w, w->x->effects->used + w->pairs[i].number);
    w->out->status = w->out->status != ENTROPIC_OK ? w->out->status : ent_poll(w->out->context);
    if (i < DRAWN_PAIRS)
      add_map(w, w->pairs[i].number);
    ent_json_close(&w->json);
  }
  ent_json_close(&w->json);
  ent_json_line(&w->json);
  ent_json_open_object(&w->json, "grids");
  for (size_t i = 0; i < w->x->effects->used; i++) {
    if (!w->in_pair[i])
      continue;
    snprintf(place, sizeof place, "%zu", i);
    ent_json_line(&w->json);
    ent_json_open_object(&w->json, place);
    ent_json_add_integer(&w->json, "k", 0);
    ent_explain_add_points(w, &w->coarse->points[w->inputs[i].number], w->inputs[i].number, false);
    ent_json_close(&w->json);
  }
  ent_json_close(&w->json);
}

static void add_set(ent_explain_writer *w, const ent_higher_set *set) {
  ent_json_open_object(&w->json, NULL);
  ent_json_open_list(&w->json, "i");
  for (size_t i = 0; i < set->order; i++)
    ent_json_add_integer(&w->json, NULL, w->rank[set->inputs[i]]);
  ent_json_close(&w->json);
  ent_explain_add_shares(w, "sS", set->variances, 1);
  ent_json_close(&w->json);
}

entropic_status ent_explain_add_sets(ent_explain_writer *w) {
  ent_higher_effects *higher = NULL;
  size_t written = 0;
  entropic_status status = ent_higher_effects_create(w->out->context, w->x->effects, &higher);
  if (status != ENTROPIC_OK)
    return status;
  ent_json_line(&w->json);
  ent_json_add_integer(&w->json, "setCount", higher->count);
  ent_json_add_integer(&w->json, "setsLeftOut", (uint64_t)higher->left_out);
  ent_json_open_list(&w->json, "sets");
  for (size_t i = 0; i < higher->count && written < LISTED_SETS; i++) {
    const ent_higher_set *set = &higher->sets[i];
    bool listed = set->total > 0;
    for (size_t k = 0; k < set->order; k++)
      listed = listed && w->rank[set->inputs[k]] < w->listed;
    if (!listed)
      continue;
    ent_json_line(&w->json);
    add_set(w, set);
    written++;
  }
  ent_json_close(&w->json);
  ent_higher_effects_free(higher);
  return ENTROPIC_OK;
}
