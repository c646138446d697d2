/* Results of comparisons that were saved: see comparison_saved.h. */
#include "study/comparison_saved.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define MOST_SIZES ((size_t)64)
#define MOST_RUNS 1000.0

static entropic_status refuse(entropic_context *context, const char *name, const char *what, const char *of) {
  return ent_fail(context, ENTROPIC_BAD_DATA, "%s: no %s of %s, or not as expected", name, what,
                  of == NULL ? "a method" : of);
}

/* A whole number from 0 to `most` under a key; false if there is none. */
static bool read_count(const ent_json_value *value, const char *key, double most, size_t *count) {
  double number = ent_json_number(ent_json_get(value, key));
  if (!(number >= 0 && number <= most && number == floor(number)))
    return false;
  *count = (size_t)number;
  return true;
}

entropic_status ent_request_load(entropic_context *context, const char *name, const ent_json_value *value,
                                 ent_request *request) {
  const char *method = ent_json_string(ent_json_get(value, "name"));
  const ent_json_value *tuned = ent_json_get(value, "tuned");
  ent_request made = {.method = method == NULL ? ENT_COMPARE_METHODS : ent_compare_method_find(method)};
  if (made.method == ENT_COMPARE_METHODS)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: '%s' is not a method", name, method == NULL ? "" : method);
  if (tuned == NULL || (tuned->kind != ENT_JSON_TRUE && tuned->kind != ENT_JSON_FALSE))
    return refuse(context, name, "\"tuned\"", method);
  made.tuned = tuned->kind == ENT_JSON_TRUE;
  if (ent_json_get(value, "budget") != NULL) {
    if (!read_count(value, "budget", 1e9, &made.nonzeros) || made.nonzeros == 0)
      return refuse(context, name, "\"budget\"", method);
  } else if (!ent_compare_method_is_exact(made.method) &&
             (!read_count(value, "features", 1e9, &made.features) || made.features == 0)) {
    return refuse(context, name, "\"features\"", method);
  }
  *request = made;
  return ENTROPIC_OK;
}

static bool same_request(const ent_request *a, const ent_request *b) {
  return a->method == b->method && a->tuned == b->tuned && a->features == b->features && a->nonzeros == b->nonzeros;
}

/* ---- One experiment ---------------------------------------------------------------------------------------- */

static bool load_summary(const ent_json_value *value, const ent_request *request, ent_experiment_summary *summary) {
  const char *kernel = ent_json_string(ent_json_get(value, "kernel"));
  const char *scale = ent_json_string(ent_json_get(value, "scale"));
  if (kernel == NULL || scale == NULL)
    return false;
  for (size_t i = 0; i < ent_compare_method_kernels(request->method); i++)
    if (strcmp(ent_compare_method_kernel(request->method, i), kernel) == 0)
      summary->kernel = ent_compare_method_kernel(request->method, i);
  summary->scaling = ENTROPIC_SCALING_QUANTILE;
  while (summary->scaling < ENTROPIC_SCALING_BLEND && strcmp(entropic_scaling_name(summary->scaling), scale) != 0)
    summary->scaling++;
  summary->bandwidth = ent_json_number(ent_json_get(value, "bandwidth"));
  summary->nonzeros = ent_json_number(ent_json_get(value, "nonzeros"));
  summary->features = ent_json_number(ent_json_get(value, "made_features"));
  return summary->kernel != NULL && strcmp(entropic_scaling_name(summary->scaling), scale) == 0 &&
         summary->bandwidth > 0 && summary->nonzeros >= 0 && summary->features >= 1;
}

/* The rounds of trainings: lists of equal length. */
static entropic_status load_times(entropic_context *context, const ent_json_value *value, ent_times *times,
                                  bool *fine) {
  static const char *const keys[] = {"trainings", "makings", "liftings", "givens"};
  double seconds[sizeof keys / sizeof *keys][ENT_MOST_ROUNDS];
  size_t count = ent_json_numbers(ent_json_get(value, keys[0]), seconds[0], ENT_MOST_ROUNDS);
  *fine = count <= ENT_MOST_ROUNDS;
  for (size_t i = 1; i < sizeof keys / sizeof *keys; i++) {
    size_t more = ent_json_numbers(ent_json_get(value, keys[i]), seconds[i], ENT_MOST_ROUNDS);
    *fine = *fine && (more == count || (i == 3 && more == 0));
    for (size_t k = 0; k < ENT_MOST_ROUNDS && more == 0; k++)
      seconds[i][k] = NAN;
  }
  if (!*fine)
    return ENTROPIC_OK;
  times->rounds = ent_new(context, count, sizeof *times->rounds);
  if (times->rounds == NULL)
    return ENTROPIC_NO_MEMORY;
  times->count = count;
  for (size_t k = 0; k < count; k++)
    times->rounds[k] = (ent_logged_time){
        {.train = seconds[0][k], .make = seconds[1][k], .lift = seconds[2][k], .given = seconds[3][k]}, NAN};
  return ENTROPIC_OK;
}

/* Errors of runs; false if there are none, too many, or any is no number. */
static bool load_errors(const ent_json_value *value, ent_experiment *experiment) {
  size_t count = ent_json_numbers(ent_json_get(value, "errors"), experiment->errors, experiment->most_runs);
  if (count == 0 || count > experiment->most_runs)
    return false;
  for (size_t i = 0; i < count; i++)
    if (!(experiment->errors[i] >= 0))
      return false;
  experiment->runs = count;
  return true;
}

entropic_status ent_experiment_load(entropic_context *context, const char *name, const ent_json_value *value,
                                    ent_experiment *experiment) {
  const char *method = ent_compare_method_name(experiment->request.method);
  const char *made_by = ent_json_string(ent_json_get(value, "made_by"));
  bool fine;
  if (!load_errors(value, experiment))
    return refuse(context, name, "\"errors\"", method);
  if (!load_summary(value, &experiment->request, &experiment->summary))
    return refuse(context, name, "kernel, scale, bandwidth, non-zeros or features", method);
  entropic_status status = load_times(context, value, &experiment->times, &fine);
  if (status != ENTROPIC_OK)
    return status;
  if (!fine)
    return refuse(context, name, "times", method);
  if (made_by != NULL) {
    experiment->made_by = ent_new_text(context, made_by, strlen(made_by));
    if (experiment->made_by == NULL)
      return ENTROPIC_NO_MEMORY;
  }
  ent_delete(experiment->performances);
  experiment->performances = NULL;
  return ENTROPIC_OK;
}

/* ---- A comparison ------------------------------------------------------------------------------------------ */

/* The sizes that experiments have; each list ascending. */
typedef struct ent_saved_plan {
  size_t sizes[MOST_SIZES], size_count, large[MOST_SIZES], large_count, budgets[MOST_SIZES], budget_count;
  size_t runs;
  bool exact;
} ent_saved_plan;

static void add_size(size_t *sizes, size_t *count, size_t size) {
  size_t at = 0;
  while (at < *count && sizes[at] < size)
    at++;
  if ((at < *count && sizes[at] == size) || *count == MOST_SIZES)
    return;
  memmove(sizes + at + 1, sizes + at, (*count - at) * sizeof *sizes);
  sizes[at] = size;
  ++*count;
}

/* Notes the sizes of a request: by the rule, all methods have it; tuned alone, it is a large one. */
static void plan_add(ent_saved_plan *plan, const ent_request *request, size_t runs) {
  plan->runs = runs > plan->runs ? runs : plan->runs;
  if (ent_compare_method_is_exact(request->method))
    plan->exact = true;
  else if (request->nonzeros > 0)
    add_size(plan->budgets, &plan->budget_count, request->nonzeros);
  else if (!request->tuned)
    add_size(plan->sizes, &plan->size_count, request->features);
  else
    add_size(plan->large, &plan->large_count, request->features);
}

static bool has_size(const size_t *sizes, size_t count, size_t size) {
  size_t i = 0;
  while (i < count && sizes[i] != size)
    i++;
  return i < count;
}

/* A comparison with these sizes, and no run yet. */
static entropic_status plan_start(entropic_context *context, ent_saved_plan *plan, entropic_comparison **comparison) {
  size_t large = 0;
  for (size_t i = 0; i < plan->large_count; i++)
    if (!has_size(plan->sizes, plan->size_count, plan->large[i]))
      plan->large[large++] = plan->large[i];
  const ent_experiment_plan whole = {.sizes = plan->sizes,
                                     .size_count = plan->size_count,
                                     .large = plan->large,
                                     .large_count = large,
                                     .large_runs = plan->runs,
                                     .budgets = plan->budgets,
                                     .budget_count = plan->budget_count,
                                     .exact_runs = plan->exact ? plan->runs : 0};
  entropic_status status = ent_comparison_start(context, &whole, plan->runs, comparison);
  if (status == ENTROPIC_OK)
    (*comparison)->experiments.runs = plan->runs;
  return status;
}

static ent_experiment *find_experiment(ent_experiments *experiments, const ent_request *request) {
  for (size_t i = 0; i < experiments->count; i++)
    if (same_request(&experiments->list[i].request, request))
      return &experiments->list[i];
  return NULL;
}

/* Both lists of experiments of a comparison in JSON, one after the other. */
typedef entropic_status (*ent_visit)(entropic_context *context, const char *name, const ent_json_value *value,
                                     void *to);

static entropic_status visit_experiments(entropic_context *context, const char *name, const ent_json_value *value,
                                         ent_visit visit, void *to) {
  static const char *const keys[] = {"methods", "budgets"};
  for (size_t i = 0; i < 2; i++)
    for (const ent_json_value *at = ent_json_first(ent_json_get(value, keys[i])); at != NULL; at = at->next) {
      entropic_status status = visit(context, name, at, to);
      if (status != ENTROPIC_OK)
        return status;
    }
  return ENTROPIC_OK;
}

static entropic_status visit_plan(entropic_context *context, const char *name, const ent_json_value *value, void *to) {
  ent_request request = {0};
  size_t runs;
  entropic_status status = ent_request_load(context, name, value, &request);
  if (status != ENTROPIC_OK)
    return status;
  if (!read_count(value, "runs", MOST_RUNS, &runs) || runs == 0)
    return refuse(context, name, "\"runs\"", ent_compare_method_name(request.method));
  plan_add(to, &request, runs);
  return ENTROPIC_OK;
}

static entropic_status visit_load(entropic_context *context, const char *name, const ent_json_value *value, void *to) {
  entropic_comparison *comparison = to;
  ent_request request = {0};
  entropic_status status = ent_request_load(context, name, value, &request);
  if (status != ENTROPIC_OK)
    return status;
  ent_experiment *experiment = find_experiment(&comparison->experiments, &request);
  if (experiment == NULL || experiment->runs > 0)
    return refuse(context, name, "one experiment of this size", ent_compare_method_name(request.method));
  return ent_experiment_load(context, name, value, experiment);
}

/* What was measured on a busy machine is said by the first round alone: the mean over rounds is then the same. */
static void put_load(ent_experiments *experiments, double load) {
  for (size_t i = 0; i < experiments->count; i++)
    if (experiments->list[i].times.count > 0) {
      experiments->list[i].times.rounds[0].others = load;
      return;
    }
}

/* Whether every experiment has results. */
static bool is_whole(const ent_experiments *experiments) {
  for (size_t i = 0; i < experiments->count; i++)
    if (experiments->list[i].runs == 0)
      return false;
  return experiments->count > 0;
}

entropic_status ent_comparison_load(entropic_context *context, const char *name, const ent_json_value *value,
                                    entropic_comparison **comparison) {
  ent_saved_plan plan = {.runs = 0};
  entropic_comparison *made = NULL;
  const char *title = ent_json_string(ent_json_get(value, "title"));
  entropic_status status = visit_experiments(context, name, value, visit_plan, &plan);
  if (status != ENTROPIC_OK)
    return status;
  if (plan.runs == 0 || plan.size_count == 0)
    return refuse(context, name, "methods", title);
  status = plan_start(context, &plan, &made);
  if (status != ENTROPIC_OK)
    return status;
  status = visit_experiments(context, name, value, visit_load, made);
  if (status != ENTROPIC_OK)
    goto fail;
  made->scaling = ENTROPIC_SCALING_QUANTILE;
  if (!read_count(value, "rows", 1e15, &made->rows) || !read_count(value, "training_rows", 1e15, &made->train) ||
      !read_count(value, "test_rows", 1e15, &made->test) || !read_count(value, "inputs", 1e9, &made->inputs) ||
      !read_count(value, "classes", 1e6, &made->classes) || made->train == 0 || !is_whole(&made->experiments) ||
      !load_errors(ent_json_get(value, "constant"), &made->experiments.constant)) {
    status = refuse(context, name, "rows, inputs, classes, constant or whole list of methods", title);
    goto fail;
  }
  put_load(&made->experiments, ent_json_number(ent_json_get(value, "load")));
  *comparison = made;
  return ENTROPIC_OK;
fail:
  entropic_comparison_free(made);
  return status;
}

/* ---- Two comparisons --------------------------------------------------------------------------------------- */

static void plan_comparison(ent_saved_plan *plan, const entropic_comparison *comparison) {
  for (size_t i = 0; i < comparison->experiments.count; i++)
    plan_add(plan, &comparison->experiments.list[i].request, comparison->experiments.list[i].runs);
}

/* Exchanges the results of two experiments of one request; each keeps its own kernel. */
static void swap_results(ent_experiment *a, ent_experiment *b) {
  ent_experiment was = *a;
  *a = *b;
  *b = was;
}

entropic_status ent_comparison_merge(entropic_context *context, entropic_comparison *older, entropic_comparison *newer,
                                     entropic_comparison **merged) {
  if (older == NULL) {
    *merged = newer;
    return ENTROPIC_OK;
  }
  ent_saved_plan plan = {.runs = 0};
  entropic_comparison *made = NULL;
  plan_comparison(&plan, older);
  plan_comparison(&plan, newer);
  entropic_status status = plan_start(context, &plan, &made);
  if (status != ENTROPIC_OK)
    goto done;
  made->rows = newer->rows;
  made->train = newer->train;
  made->test = newer->test;
  made->inputs = newer->inputs;
  made->classes = newer->classes;
  made->scaling = newer->scaling;
  double load = ent_experiments_load(&newer->experiments);
  for (size_t i = 0; i < made->experiments.count; i++) {
    ent_experiment *experiment = &made->experiments.list[i];
    ent_experiment *from = find_experiment(&newer->experiments, &experiment->request);
    from = from != NULL ? from : find_experiment(&older->experiments, &experiment->request);
    if (from == NULL) {
      status = ent_fail(context, ENTROPIC_BAD_DATA, "%s has no results of one of the sizes that others have",
                        ent_compare_method_name(experiment->request.method));
      goto done;
    }
    swap_results(experiment, from);
    for (size_t k = 0; k < experiment->times.count; k++)
      experiment->times.rounds[k].others = NAN;
  }
  put_load(&made->experiments, load);
  ent_experiments *longer =
      older->experiments.constant.runs > newer->experiments.constant.runs ? &older->experiments : &newer->experiments;
  swap_results(&made->experiments.constant, &longer->constant);
  *merged = made;
  made = NULL;
done:
  entropic_comparison_free(made);
  entropic_comparison_free(older);
  entropic_comparison_free(newer);
  return status;
}
