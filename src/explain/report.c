/* Explanations as reports. */
#include <math.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/report.h"
#include "base/sort.h"
#include "explain/explanation.h"
#include "model/member_effects.h"

/* An input or a pair, with its shares. */
typedef struct ent_listed {
  size_t number;          /* of the input or of the pair */
  double share, total;    /* total: inputs only */
  double own, covariance; /* with rows only */
} ent_listed;

static int compare_shares(const void *a, const void *b) {
  const ent_listed *x = a, *y = b;
  if (x->total != y->total)
    return x->total > y->total ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

static double add_up(const double *values, size_t count, size_t stride) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += values[i * stride];
  return sum;
}

static double share_of(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

/* Shares of what rows say about an effect. */
static void set_dependence(const entropic_explanation *x, size_t effect, ent_listed *listed) {
  const ent_effect_dependence *d = x->dependence;
  if (d == NULL)
    return;
  double whole = add_up(d->variances, x->model->scores, 1);
  listed->own = share_of(add_up(d->own + effect, x->model->scores, d->effects), whole);
  listed->covariance = share_of(add_up(d->covariance + effect, x->model->scores, d->effects), whole);
}

static void add_dependence(entropic_report *report, const entropic_explanation *x, const ent_listed *listed) {
  if (x->dependence == NULL)
    return;
  entropic_report_add_number(report, "own", listed->own);
  entropic_report_add_number(report, "covariance", listed->covariance);
}

static const char *name_of(const entropic_explanation *x, size_t place) {
  return x->model->schema.input[x->effects->inputs[place]].name;
}

static entropic_status add_inputs(entropic_context *context, entropic_report *report, const entropic_explanation *x,
                                  double variance) {
  const ent_effect_shares *s = x->shares;
  size_t used = x->effects->used, scores = x->model->scores;
  ent_listed *list = ent_new(context, used, sizeof *list);
  if (list == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < used; i++) {
    list[i] = (ent_listed){.number = i,
                           .share = share_of(add_up(s->first + i, scores, used), variance),
                           .total = share_of(add_up(s->total + i, scores, used), variance)};
    set_dependence(x, i, &list[i]);
  }
  entropic_status status = ent_sort(context, list, used, sizeof *list, compare_shares);
  if (status != ENTROPIC_OK)
    goto done;
  entropic_report_open_list(report, "inputs");
  for (size_t i = 0; i < used; i++) {
    entropic_report_open_object(report, NULL);
    entropic_report_add_text(report, "name", name_of(x, list[i].number));
    entropic_report_add_number(report, "first", list[i].share);
    entropic_report_add_number(report, "total", list[i].total);
    add_dependence(report, x, &list[i]);
    entropic_report_close(report);
  }
  entropic_report_close(report);
done:
  ent_delete(list);
  return status;
}

static entropic_status add_pairs(entropic_context *context, entropic_report *report, const entropic_explanation *x,
                                 double variance) {
  const ent_effect_shares *s = x->shares;
  ent_listed *list = ent_new(context, s->pair_count, sizeof *list);
  if (list == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t p = 0; p < s->pair_count; p++) {
    double share = share_of(add_up(s->pairs[p].variances, x->model->scores, 1), variance);
    list[p] = (ent_listed){.number = p, .share = share, .total = share};
    set_dependence(x, x->effects->used + p, &list[p]);
  }
  entropic_status status = ent_sort(context, list, s->pair_count, sizeof *list, compare_shares);
  if (status != ENTROPIC_OK)
    goto done;
  entropic_report_open_list(report, "pairs");
  for (size_t p = 0; p < s->pair_count; p++) {
    entropic_report_open_object(report, NULL);
    entropic_report_open_list(report, "names");
    entropic_report_add_text(report, NULL, name_of(x, s->pairs[list[p].number].a));
    entropic_report_add_text(report, NULL, name_of(x, s->pairs[list[p].number].b));
    entropic_report_close(report);
    entropic_report_add_number(report, "share", list[p].share);
    add_dependence(report, x, &list[p]);
    entropic_report_close(report);
  }
  entropic_report_close(report);
done:
  ent_delete(list);
  return status;
}

/* What is due to three inputs and more. */
static void add_higher(entropic_report *report, const entropic_explanation *x, double variance) {
  const ent_effect_shares *s = x->shares;
  double rest = variance - add_up(s->first, x->model->scores * x->effects->used, 1) -
                add_up(s->pair_room, x->model->scores * s->pair_count, 1);
  ent_listed higher = {.share = share_of(rest, variance)};
  set_dependence(x, x->effects->used + s->pair_count, &higher);
  entropic_report_add_number(report, "higher", higher.share > 0 ? higher.share : 0);
  if (x->dependence == NULL)
    return;
  entropic_report_add_number(report, "higher_own", higher.own);
  entropic_report_add_number(report, "higher_covariance", higher.covariance);
}

/* Each score, where there are several. */
static void add_scores(entropic_report *report, const entropic_explanation *x) {
  const entropic_model *model = x->model;
  size_t used = x->effects->used;
  if (model->scores == 1)
    return;
  entropic_report_open_list(report, "scores");
  for (size_t k = 0; k < model->scores; k++) {
    const char *name = ent_schema_has_classes(&model->schema) ? model->schema.class_name[k] : model->schema.target[k];
    entropic_report_open_object(report, NULL);
    entropic_report_add_text(report, "name", name);
    entropic_report_add_number(report, "base", x->effects->base[k]);
    entropic_report_add_number(report, "variance", ldexp(x->shares->variances[k], 2 * x->effects->unit));
    entropic_report_open_list(report, "inputs");
    for (size_t i = 0; i < used; i++) {
      entropic_report_open_object(report, NULL);
      entropic_report_add_text(report, "name", name_of(x, i));
      entropic_report_add_number(report, "first", share_of(x->shares->first[k * used + i], x->shares->variances[k]));
      entropic_report_add_number(report, "total", share_of(x->shares->total[k * used + i], x->shares->variances[k]));
      entropic_report_close(report);
    }
    entropic_report_close(report);
    entropic_report_close(report);
  }
  entropic_report_close(report);
}

typedef struct ent_reporting {
  const entropic_explanation *explanation;
  entropic_report *report; /* what is made */
} ent_reporting;

static entropic_status make_report(entropic_context *context, void *arguments) {
  ent_reporting *job = arguments;
  const entropic_explanation *x = job->explanation;
  entropic_report *made = NULL;
  entropic_status status = ent_explanation_complete(context, x);
  if (status != ENTROPIC_OK)
    return status;
  double variance = add_up(x->shares->variances, x->model->scores, 1);
  status = entropic_report_create(context, &made);
  if (status != ENTROPIC_OK)
    return status;
  ent_report_poll(made, context);
  entropic_report_add_number(made, "variance", ldexp(variance, 2 * x->effects->unit));
  if (x->model->scores == 1)
    entropic_report_add_number(made, "base", x->effects->base[0]);
  entropic_report_add_integer(made, "rows", x->sample.seen);
  entropic_report_add_integer(made, "members", ent_model_effect_members(x->model));
  entropic_report_add_text(made, "marginals", x->own == NULL ? "model" : "rows");
  status = add_inputs(context, made, x, variance);
  if (status != ENTROPIC_OK)
    goto done;
  if (x->shares->left_out) {
    ent_report_add_null(made, "pairs");
  } else {
    status = add_pairs(context, made, x, variance);
    if (status != ENTROPIC_OK)
      goto done;
    add_higher(made, x, variance);
  }
  add_scores(made, x);
  status = ent_report_finish(context, made, &job->report);
  made = NULL;
done:
  entropic_report_free(made);
  return status;
}

entropic_status entropic_explanation_report(entropic_context *context, const entropic_explanation *explanation,
                                            entropic_report **report) {
  ENT_NEED(context, explanation);
  ENT_NEED(context, report);
  ent_reporting job = {.explanation = explanation};
  entropic_status status = ent_call_run(context, "reporting", make_report, &job);
  if (status != ENTROPIC_OK) {
    entropic_report_free(job.report);
    return status;
  }
  *report = job.report;
  return ENTROPIC_OK;
}
