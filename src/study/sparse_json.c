/* The experiment with sparse features as JSON. Costs at equal error and exponents are made from the points; they are
 * written for readers, not to be read back. */
#include "study/paper.h"

static void add_point(ent_text *text, const ent_sparse_point *point, const char *kernel) {
  ent_text_format(text, "{\"kernel\": \"%s\", \"features\": ", kernel);
  ent_text_json_number(text, point->features);
  ent_json_member(text, "nonzeros", point->nonzeros);
  ent_json_member(text, "products", point->products);
  ent_json_member(text, "error", point->error);
  ent_json_member(text, "train_seconds", point->train);
  ent_json_member(text, "gram_seconds", point->gram);
  ent_json_member(text, "predict_seconds", point->predict);
  ent_json_member(text, "steps", point->steps);
  ent_json_member(text, "scale", point->scale);
  ent_json_member(text, "ridge", point->ridge);
  ent_text_add(text, "}");
}

static void add_curve(ent_text *text, const char *key, const ent_sparse_curve *curve, bool ours) {
  ent_text_format(text, ", \"%s\": [", key);
  for (size_t i = 0; i < curve->count; i++) {
    ent_text_add(text, i > 0 ? ", " : "");
    add_point(text, &curve->points[i], ours ? "centred" : curve->points[i].is_gauss ? "gauss" : "laplace");
  }
  ent_text_add(text, "]");
}

static void add_cost(ent_text *text, const char *key, const ent_sparse_cost *cost) {
  ent_text_format(text, ", \"%s\": ", key);
  if (!cost->reached) {
    ent_text_add(text, "null");
    return;
  }
  ent_text_add(text, "{\"features\": ");
  ent_text_json_number(text, cost->features);
  ent_json_member(text, "nonzeros", cost->nonzeros);
  ent_json_member(text, "train_seconds", cost->train);
  ent_json_member(text, "predict_seconds", cost->predict);
  ent_text_add(text, "}");
}

static void add_case(ent_text *text, const ent_sparse_case *one) {
  ent_sparse_equal equals[ENT_SPARSE_LEVELS];
  size_t count = ent_sparse_equals(one, equals);
  ent_text_format(text, "{\"target\": \"%s\", \"inputs\": %zu, \"rows\": %zu", ent_sparse_target_name(one->target),
                  one->inputs, one->rows);
  add_curve(text, "eof", &one->curves[ENT_SPARSE_EOF], true);
  add_curve(text, "rks", &one->curves[ENT_SPARSE_RKS], false);
  ent_text_add(text, ", \"equal\": [");
  for (size_t i = 0; i < count; i++) {
    ent_text_add(text, i > 0 ? ", {\"error\": " : "{\"error\": ");
    ent_text_json_number(text, equals[i].error);
    add_cost(text, "eof", &equals[i].costs[ENT_SPARSE_EOF]);
    add_cost(text, "rks", &equals[i].costs[ENT_SPARSE_RKS]);
    ent_text_add(text, "}");
  }
  ent_text_add(text, "]}");
}

static void add_growth(ent_text *text, const ent_sparse *sparse, const ent_sparse_growth *growth) {
  const ent_sparse_exponents exponents = ent_sparse_exponents_of(sparse, growth);
  ent_text_format(text, "{\"inputs\": %zu, ", growth->inputs);
  ent_json_list(text, "features", growth->features, growth->count, false);
  ent_json_list(text, "nonzeros", growth->nonzeros, growth->count, false);
  ent_json_list(text, "products", growth->products, growth->count, true);
  ent_text_add(text, ", \"exponents\": {\"nonzeros\": ");
  ent_text_json_number(text, exponents.nonzeros);
  ent_json_member(text, "products", exponents.products);
  ent_json_member(text, "gram_seconds", exponents.gram);
  ent_text_add(text, "}}");
}

void ent_paper_sparse_json(ent_text *text, const ent_paper *paper) {
  const ent_sparse *sparse = &paper->sparse;
  ent_text_add(text, ", \"sparse\": {\"cases\": [");
  for (size_t i = 0; i < sparse->count; i++) {
    ent_text_add(text, i > 0 ? ", " : "");
    add_case(text, &sparse->cases[i]);
  }
  ent_text_add(text, "], \"growth\": [");
  for (size_t i = 0; i < sparse->growth_count; i++) {
    ent_text_add(text, i > 0 ? ", " : "");
    add_growth(text, sparse, &sparse->growth[i]);
  }
  ent_text_add(text, "]}");
}
