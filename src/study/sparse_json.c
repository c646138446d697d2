/* The experiment with sparse features as JSON, written and read back. Costs at equal error and exponents are made from the
 * points; they are written for readers, and not read back. */
#include <math.h>
#include <string.h>

#include "study/paper.h"

static void add_point(ent_json *json, const ent_sparse_point *point, const char *kernel) {
  ent_json_open_object(json, NULL);
  ent_json_add_text(json, "kernel", kernel);
  ent_json_add_number(json, "features", point->features);
  ent_json_add_number(json, "nonzeros", point->nonzeros);
  ent_json_add_number(json, "products", point->products);
  ent_json_add_number(json, "error", point->error);
  ent_json_add_number(json, "train_seconds", point->train);
  ent_json_add_number(json, "gram_seconds", point->gram);
  ent_json_add_number(json, "predict_seconds", point->predict);
  ent_json_add_number(json, "steps", point->steps);
  ent_json_add_number(json, "scale", point->scale);
  ent_json_add_number(json, "ridge", point->ridge);
  ent_json_close(json);
}

static void add_curve(ent_json *json, const char *key, const ent_sparse_curve *curve, bool ours) {
  ent_json_open_list(json, key);
  for (size_t i = 0; i < curve->count; i++)
    add_point(json, &curve->points[i], ours ? "centred" : curve->points[i].is_gauss ? "gauss" : "laplace");
  ent_json_close(json);
}

static void add_cost(ent_json *json, const char *key, const ent_sparse_cost *cost) {
  if (!cost->reached) {
    ent_json_add_plain(json, key, "null");
    return;
  }
  ent_json_open_object(json, key);
  ent_json_add_number(json, "features", cost->features);
  ent_json_add_number(json, "nonzeros", cost->nonzeros);
  ent_json_add_number(json, "train_seconds", cost->train);
  ent_json_add_number(json, "predict_seconds", cost->predict);
  ent_json_close(json);
}

static void add_case(ent_json *json, const ent_sparse_case *one) {
  ent_sparse_equal equals[ENT_SPARSE_LEVELS];
  size_t count = ent_sparse_equals(one, equals);
  ent_json_open_object(json, NULL);
  ent_json_add_text(json, "target", ent_sparse_target_name(one->target));
  ent_json_add_integer(json, "inputs", one->inputs);
  ent_json_add_integer(json, "rows", one->rows);
  add_curve(json, "eof", &one->curves[ENT_SPARSE_EOF], true);
  add_curve(json, "rks", &one->curves[ENT_SPARSE_RKS], false);
  ent_json_open_list(json, "equal");
  for (size_t i = 0; i < count; i++) {
    ent_json_open_object(json, NULL);
    ent_json_add_number(json, "error", equals[i].error);
    add_cost(json, "eof", &equals[i].costs[ENT_SPARSE_EOF]);
    add_cost(json, "rks", &equals[i].costs[ENT_SPARSE_RKS]);
    ent_json_close(json);
  }
  ent_json_close(json);
  ent_json_close(json);
}

static void add_growth(ent_json *json, const ent_sparse *sparse, const ent_sparse_growth *growth) {
  const ent_sparse_exponents exponents = ent_sparse_exponents_of(sparse, growth);
  ent_json_open_object(json, NULL);
  ent_json_add_integer(json, "inputs", growth->inputs);
  ent_json_add_numbers(json, "features", growth->features, growth->count);
  ent_json_add_numbers(json, "nonzeros", growth->nonzeros, growth->count);
  ent_json_add_numbers(json, "products", growth->products, growth->count);
  ent_json_open_object(json, "exponents");
  ent_json_add_number(json, "nonzeros", exponents.nonzeros);
  ent_json_add_number(json, "products", exponents.products);
  ent_json_add_number(json, "gram_seconds", exponents.gram);
  ent_json_close(json);
  ent_json_close(json);
}

void ent_paper_sparse_json(ent_json *json, const ent_paper *paper) {
  const ent_sparse *sparse = &paper->sparse;
  if (sparse->count == 0)
    return;
  ent_json_line(json);
  ent_json_open_object(json, "sparse");
  ent_json_open_list(json, "cases");
  for (size_t i = 0; i < sparse->count; i++) {
    ent_json_line(json);
    add_case(json, &sparse->cases[i]);
  }
  ent_json_close(json);
  ent_json_open_list(json, "growth");
  for (size_t i = 0; i < sparse->growth_count; i++) {
    ent_json_line(json);
    add_growth(json, sparse, &sparse->growth[i]);
  }
  ent_json_close(json);
  ent_json_close(json);
}

/* ---- Read back --------------------------------------------------------------------------------------------- */

static double number_of(const ent_json_value *value, const char *key) {
  return ent_json_number(ent_json_get(value, key));
}

static bool load_point(const ent_json_value *value, ent_sparse_point *point) {
  const char *kernel = ent_json_string(ent_json_get(value, "kernel"));
  *point = (ent_sparse_point){.features = number_of(value, "features"),
                              .nonzeros = number_of(value, "nonzeros"),
                              .products = number_of(value, "products"),
                              .error = number_of(value, "error"),
                              .train = number_of(value, "train_seconds"),
                              .gram = number_of(value, "gram_seconds"),
                              .predict = number_of(value, "predict_seconds"),
                              .steps = number_of(value, "steps"),
                              .scale = number_of(value, "scale"),
                              .ridge = number_of(value, "ridge"),
                              .is_gauss = kernel != NULL && strcmp(kernel, "gauss") == 0};
  return kernel != NULL && point->features >= 1 && point->nonzeros >= 0 && point->products >= 0 && point->error >= 0 &&
         point->train >= 0 && point->predict >= 0 && point->steps >= 0 && point->scale > 0 && point->ridge > 0;
}

static bool load_curve(const ent_json_value *list, ent_sparse_curve *curve) {
  for (const ent_json_value *at = ent_json_first(list); at != NULL; at = at->next)
    if (curve->count == ENT_SPARSE_POINTS || !load_point(at, &curve->points[curve->count++]))
      return false;
  return curve->count > 0;
}

/* A count from 1 on; 0 if there is none. */
static size_t count_of(const ent_json_value *value, const char *key) {
  double number = number_of(value, key);
  return number >= 1 && number <= 1e15 && number == floor(number) ? (size_t)number : 0;
}

static bool load_case(const ent_json_value *value, ent_sparse_case *one) {
  const char *target = ent_json_string(ent_json_get(value, "target"));
  while (one->target < ENT_SPARSE_TARGETS &&
         (target == NULL || strcmp(ent_sparse_target_name(one->target), target) != 0))
    one->target++;
  one->inputs = count_of(value, "inputs");
  one->rows = count_of(value, "rows");
  return one->target < ENT_SPARSE_TARGETS && one->inputs > 0 && one->inputs <= ENT_SPARSE_MOST && one->rows > 0 &&
         load_curve(ent_json_get(value, "eof"), &one->curves[ENT_SPARSE_EOF]) &&
         load_curve(ent_json_get(value, "rks"), &one->curves[ENT_SPARSE_RKS]);
}

static bool load_growth(const ent_json_value *value, ent_sparse_growth *growth) {
  growth->inputs = count_of(value, "inputs");
  growth->count = ent_json_numbers(ent_json_get(value, "features"), growth->features, ENT_SPARSE_POINTS);
  return growth->inputs > 0 && growth->count > 0 && growth->count <= ENT_SPARSE_POINTS &&
         ent_json_numbers(ent_json_get(value, "nonzeros"), growth->nonzeros, ENT_SPARSE_POINTS) == growth->count &&
         ent_json_numbers(ent_json_get(value, "products"), growth->products, ENT_SPARSE_POINTS) == growth->count;
}

bool ent_sparse_load(const ent_json_value *value, ent_sparse *sparse) {
  const ent_json_value *cases = ent_json_get(value, "cases"), *growth = ent_json_get(value, "growth");
  for (const ent_json_value *at = ent_json_first(cases); at != NULL; at = at->next)
    if (sparse->count == ENT_SPARSE_CASES || !load_case(at, &sparse->cases[sparse->count++]))
      return false;
  for (const ent_json_value *at = ent_json_first(growth); at != NULL; at = at->next)
    if (sparse->growth_count == ENT_SPARSE_DIMENSIONS || !load_growth(at, &sparse->growth[sparse->growth_count++]))
      return false;
  return true;
}
