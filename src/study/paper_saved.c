/* Results of the paper that were saved as JSON, read back. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "study/comparison_saved.h"
#include "study/paper.h"
#include "study/printed.h"

/* A file of results that is being read. */
typedef struct ent_saved {
  const char *path;
  ent_paper *paper;
} ent_saved;

static entropic_status refuse(entropic_context *context, const ent_saved *saved, const char *what) {
  return ent_fail(context, ENTROPIC_BAD_DATA, "%s: %s is not as expected", saved->path, what);
}

/* Results of other editions, seeds or of a short run would be put together with those of this run. */
static entropic_status check_head(entropic_context *context, const ent_saved *saved, const ent_json_value *root) {
  const ent_paper *paper = saved->paper;
  const ent_json_value *quick = ent_json_get(root, "quick");
  double edition = ent_json_number(ent_json_get(root, "edition")), seed = ent_json_number(ent_json_get(root, "seed"));
  if (root->kind != ENT_JSON_OBJECT || quick == NULL)
    return refuse(context, saved, "the file, which is to hold results of the paper,");
  if (edition != ENT_PAPER_EDITION)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: results of edition %g, expected edition %d", saved->path, edition,
                    ENT_PAPER_EDITION);
  if (seed != (double)paper->seed)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: results of seed %.0f, expected %llu", saved->path, seed,
                    (unsigned long long)paper->seed);
  if ((quick->kind == ENT_JSON_TRUE) != paper->quick)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: results %s, expected those %s", saved->path,
                    paper->quick ? "of a whole run" : "of a run in short",
                    paper->quick ? "in short" : "of a whole run");
  return ENTROPIC_OK;
}

static entropic_status load_sets(entropic_context *context, const ent_saved *saved, const ent_json_value *list) {
  for (const ent_json_value *at = ent_json_first(list); at != NULL; at = at->next) {
    const char *name = ent_json_string(ent_json_get(at, "name"));
    size_t set = 0;
    while (set < ENT_SETS && (name == NULL || strcmp(ent_sets[set].name, name) != 0))
      set++;
    if (set == ENT_SETS || saved->paper->comparisons[set] != NULL)
      return refuse(context, saved, "the name of a set");
    entropic_status status = ent_comparison_load(context, saved->path, at, &saved->paper->comparisons[set]);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

static entropic_status load_given(entropic_context *context, const ent_saved *saved, const ent_json_value *list) {
  size_t count = list == NULL ? 0 : list->count, i = 0;
  ent_experiments *given = &saved->paper->given;
  if (count == 0)
    return ENTROPIC_OK;
  ent_request *requests = ent_new(context, count, sizeof *requests);
  if (requests == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_OK;
  for (const ent_json_value *at = ent_json_first(list); at != NULL; at = at->next) {
    status = ent_request_load(context, saved->path, at, &requests[i++]);
    if (status != ENTROPIC_OK)
      goto done;
  }
  status = ent_experiments_start(context, requests, count, 1, given);
  if (status != ENTROPIC_OK)
    goto done;
  given->runs = 1;
  given->sizes = ent_printed_sizes;
  given->size_count = ENT_PRINTED_SIZES;
  i = 0;
  for (const ent_json_value *at = ent_json_first(list); at != NULL; at = at->next) {
    status = ent_experiment_load(context, saved->path, at, &given->list[i++]);
    if (status != ENTROPIC_OK)
      goto done;
  }
done:
  ent_delete(requests);
  return status;
}

/* A list of exactly so many numbers, none of them NaN. */
static bool load_list(const ent_json_value *value, const char *key, double *numbers, size_t count) {
  if (ent_json_numbers(ent_json_get(value, key), numbers, count) != count)
    return false;
  for (size_t i = 0; i < count; i++)
    if (isnan(numbers[i]))
      return false;
  return true;
}

static entropic_status load_kernels(entropic_context *context, const ent_saved *saved, const ent_json_value *list) {
  size_t i = 0;
  for (const ent_json_value *at = ent_json_first(list); at != NULL; at = at->next, i++) {
    ent_approximation *a = &saved->paper->approximations[i < ENT_PAPER_APPROXIMATIONS ? i : 0];
    double inputs = ent_json_number(ent_json_get(at, "inputs"));
    bool fine = i < ENT_PAPER_APPROXIMATIONS && inputs >= 1 && inputs <= 100 &&
                load_list(at, "features", a->features, ENT_APPROXIMATIONS) &&
                load_list(at, "eof", a->complete, ENT_APPROXIMATIONS) &&
                load_list(at, "printed", a->printed, ENT_APPROXIMATIONS) &&
                load_list(at, "rks", a->random, ENT_APPROXIMATIONS);
    if (!fine)
      return refuse(context, saved, "an entry of \"kernels\"");
    a->inputs = (size_t)inputs;
  }
  return ENTROPIC_OK;
}

static bool load_rate(const ent_json_value *value, ent_rate *rate) {
  double inputs = ent_json_number(ent_json_get(value, "inputs")), runs = ent_json_number(ent_json_get(value, "runs"));
  const char *rule = ent_json_string(ent_json_get(value, "rule"));
  const ent_json_value *rows = ent_json_get(value, "rows"), *risks = ent_json_first(ent_json_get(value, "risks"));
  if (rule == NULL || rows == NULL || rows->count < 2 || rows->count > ENT_RATE_MOST || !(inputs >= 1 && inputs <= 8) ||
      !(runs >= 1 && runs <= ENT_RATE_RUNS))
    return false;
  rate->inputs = (size_t)inputs;
  rate->runs = (size_t)runs;
  rate->count = rows->count;
  while (rate->rule < ENT_RATE_RULES && strcmp(ent_rate_rule_name(rate->rule), rule) != 0)
    rate->rule++;
  if (rate->rule == ENT_RATE_RULES || !load_list(value, "rows", rate->rows, rate->count) ||
      !load_list(value, "features", rate->features, rate->count))
    return false;
  for (size_t i = 0; i < rate->count; i++, risks = risks->next)
    if (risks == NULL || ent_json_numbers(risks, rate->risks[i], rate->runs) != rate->runs)
      return false;
  ent_rate_fit(rate);
  return true;
}

static entropic_status load_rates(entropic_context *context, const ent_saved *saved, const ent_json_value *list) {
  size_t i = 0;
  for (const ent_json_value *at = ent_json_first(list); at != NULL; at = at->next, i++)
    if (i == ENT_PAPER_RATES || !load_rate(at, &saved->paper->rates[i]))
      return refuse(context, saved, "an entry of \"rates\"");
  return ENTROPIC_OK;
}

/* By name: a claim that the file does not know stays NaN. */
static void load_claims(ent_paper *paper, const ent_json_value *list) {
  paper->has_claims = list != NULL;
  for (size_t i = 0; i < ENT_CLAIMS; i++)
    paper->claims[i] = (ent_claim_result){.value = NAN};
  for (const ent_json_value *at = ent_json_first(list); at != NULL; at = at->next) {
    const char *name = ent_json_string(ent_json_get(at, "name")), *note = ent_json_string(ent_json_get(at, "note"));
    for (size_t i = 0; name != NULL && i < ENT_CLAIMS; i++)
      if (strcmp(ent_claim_list[i].name, name) == 0) {
        paper->claims[i].value = ent_json_number(ent_json_get(at, "value"));
        snprintf(paper->claims[i].note, sizeof paper->claims[i].note, "%s", note == NULL ? "" : note);
      }
  }
}

entropic_status ent_paper_load(entropic_context *context, const char *path, ent_paper *paper) {
  ent_json_document *document = NULL;
  const ent_saved saved = {path, paper};
  entropic_status status = ent_json_load(context, path, &document);
  if (status != ENTROPIC_OK)
    return status;
  const ent_json_value *root = ent_json_root(document);
  const char *processor = ent_json_string(ent_json_get(root, "processor"));
  status = check_head(context, &saved, root);
  if (status != ENTROPIC_OK)
    goto done;
  if (processor != NULL)
    snprintf(paper->processor, sizeof paper->processor, "%s", processor);
  status = load_sets(context, &saved, ent_json_get(root, "sets"));
  if (status != ENTROPIC_OK)
    goto done;
  status = load_given(context, &saved, ent_json_get(root, "given"));
  if (status != ENTROPIC_OK)
    goto done;
  status = load_kernels(context, &saved, ent_json_get(root, "kernels"));
  if (status != ENTROPIC_OK)
    goto done;
  status = load_rates(context, &saved, ent_json_get(root, "rates"));
  if (status != ENTROPIC_OK)
    goto done;
  if (!ent_sparse_load(ent_json_get(root, "sparse"), &paper->sparse)) {
    status = refuse(context, &saved, "\"sparse\"");
    goto done;
  }
  load_claims(paper, ent_json_get(root, "claims"));
done:
  ent_json_free(document);
  return status;
}
