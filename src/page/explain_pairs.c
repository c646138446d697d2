/* The effects of pairs and of more inputs, in JSON: explain_numbers.c describes it. */
#include "base/memory.h"
#include "base/progress.h"
#include "explain/higher.h"
#include "page/explain_writer.h"

#define LISTED_PAIRS ((size_t)400)
#define DRAWN_PAIRS ((size_t)40)
#define LISTED_SETS ((size_t)100)

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
      ent_explain_add_number(w->out, w->effects[c], 4);
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
  if (ent_explain_take_back(w, start))
    return;
  w->in_pair[a] = w->in_pair[b] = true;
}

void ent_explain_add_pairs(const ent_explain_writer *w) {
  const ent_effect_shares *s = w->x->shares;
  size_t written = 0;
  ent_text_add(w->out, ",\n\"pairs\":[");
  for (size_t i = 0; i < s->pair_count && i < LISTED_PAIRS; i++) {
    const ent_pair_effect *of = &s->pairs[w->pairs[i].number];
    if (w->rank[of->a] >= w->listed || w->rank[of->b] >= w->listed || !(w->pairs[i].total > 0))
      continue;
    ent_text_format(w->out, "%s{\"a\":%zu,\"b\":%zu", written++ > 0 ? ",\n" : "", w->rank[of->a], w->rank[of->b]);
    ent_explain_add_shares(w, "sS", of->variances, 1);
    ent_explain_add_dependence(w, w->x->effects->used + w->pairs[i].number);
    w->out->status = w->out->status != ENTROPIC_OK ? w->out->status : ent_poll(w->out->context);
    if (i < DRAWN_PAIRS)
      add_map(w, w->pairs[i].number);
    ent_text_add(w->out, "}");
  }
  ent_text_add(w->out, "],\n\"grids\":{");
  written = 0;
  for (size_t i = 0; i < w->x->effects->used; i++) {
    if (!w->in_pair[i])
      continue;
    ent_text_format(w->out, "%s\"%zu\":{\"k\":0", written++ > 0 ? ",\n" : "", i);
    ent_explain_add_points(w, &w->coarse->points[w->inputs[i].number], w->inputs[i].number, false);
    ent_text_add(w->out, "}");
  }
  ent_text_add(w->out, "}");
}

static void add_set(const ent_explain_writer *w, const ent_higher_set *set) {
  for (size_t i = 0; i < set->order; i++)
    ent_text_format(w->out, i > 0 ? ",%zu" : "{\"i\":[%zu", w->rank[set->inputs[i]]);
  ent_text_add(w->out, "]");
  ent_explain_add_shares(w, "sS", set->variances, 1);
  ent_text_add(w->out, "}");
}

entropic_status ent_explain_add_sets(const ent_explain_writer *w) {
  ent_higher_effects *higher = NULL;
  size_t written = 0;
  entropic_status status = ent_higher_effects_create(w->out->context, w->x->effects, &higher);
  if (status != ENTROPIC_OK)
    return status;
  ent_text_format(w->out, ",\n\"setCount\":%zu,\"setsLeftOut\":%d,\"sets\":[", higher->count, higher->left_out);
  for (size_t i = 0; i < higher->count && written < LISTED_SETS; i++) {
    const ent_higher_set *set = &higher->sets[i];
    bool listed = set->total > 0;
    for (size_t k = 0; k < set->order; k++)
      listed = listed && w->rank[set->inputs[k]] < w->listed;
    if (!listed)
      continue;
    ent_text_add(w->out, written++ > 0 ? ",\n" : "");
    add_set(w, set);
  }
  ent_text_add(w->out, "]");
  ent_higher_effects_free(higher);
  return ENTROPIC_OK;
}
