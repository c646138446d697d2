/* A stack as a model: what the runs have made, trained on all rows, and the simple forms, as components. See stack.h.
 *
 * Runs with the same scaling whose kernels differ in omega alone have the same atoms but for their size, so their models are
 * added up to one component. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "fit/kernel_form.h"
#include "fit/outer.h"
#include "fit/outer_forms.h"

/* Parts of the sum, each with weights of the stack in it. */
typedef struct ent_stack_parts {
  ent_member *members; /* [count] lifting, weights and offsets */
  size_t *views;       /* [count] */
  size_t count, most;
} ent_stack_parts;

static void parts_clear(ent_stack_parts *parts) {
  ent_members_free(parts->members, parts->count);
  ent_delete(parts->views);
  *parts = (ent_stack_parts){0};
}

static entropic_status parts_start(entropic_context *context, const ent_stack *stack, ent_stack_parts *parts) {
  *parts = (ent_stack_parts){.most = 1}; /* the linear form */
  for (size_t r = 0; r < stack->run_count; r++)
    parts->most += stack->runs[r].outcome.member_count;
  parts->members = ent_new(context, parts->most, sizeof *parts->members);
  parts->views = ent_new(context, parts->most, sizeof *parts->views);
  return parts->members == NULL || parts->views == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* Moves a function of features to the parts, times `share`. */
static void add_part(ent_stack_parts *parts, ent_lifting *lifting, double **weights, double **offsets, size_t scores,
                     double share, size_t view) {
  ent_member *part = &parts->members[parts->count];
  *part = (ent_member){.lifting = *lifting, .scores = scores, .weights = *weights, .offsets = *offsets};
  *lifting = (ent_lifting){0};
  *weights = *offsets = NULL;
  for (size_t i = 0; i < scores * part->lifting.map.features; i++)
    part->weights[i] *= share;
  for (size_t k = 0; k < scores; k++)
    part->offsets[k] *= share;
  parts->views[parts->count++] = view;
}

/* The weights of a run again, from all rows; then its members are parts. */
static entropic_status take_run(entropic_context *context, const ent_fit *fit, ent_stack_run *run, double share,
                                ent_stack_parts *parts) {
  ent_fit all = *fit;
  ent_fit_outcome *outcome = &run->outcome;
  size_t count = outcome->member_count;
  ent_fit_use(&all, run->view);
  entropic_status status = ent_fit_finish(context, &all, outcome, &run->class_validation, run->loss);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t m = 0; m < count; m++) {
    ent_member *member = &outcome->members[m];
    add_part(parts, &member->lifting, &member->weights, &member->offsets, fit->scores,
             share * run->class_validation.inverse_temperature / (double)count, run->view);
  }
  return ENTROPIC_OK;
}

/* A simple form, trained on all rows; its part or its offsets are added. */
static entropic_status take_simple(entropic_context *context, const ent_fit *fit, ent_form form, double share,
                                   ent_stack_parts *parts, double *offsets) {
  ent_fit own = *fit;
  ent_fitted fitted = {.form = form};
  if (share == 0)
    return ENTROPIC_OK;
  entropic_status status = ent_outer_fit_simple(context, &own, &fitted);
  if (status != ENTROPIC_OK)
    goto done;
  share *= fitted.class_validation.inverse_temperature;
  ent_learnt *learnt = &fitted.outcome.learnt;
  if (form == ENT_FORM_LINEAR)
    add_part(parts, &fitted.outcome.lifting, &learnt->weights, &learnt->offsets, fit->scores, share,
             ent_fit_view(&own));
  for (size_t k = 0; k < fit->scores && form == ENT_FORM_CONSTANT; k++)
    offsets[k] += share * learnt->offsets[k];
done:
  ent_fitted_clear(&fitted);
  return status;
}

/* All parts of the sum; offsets[scores] become those of all of them. */
static entropic_status take_parts(entropic_context *context, const ent_fit *fit, ent_stack *stack,
                                  ent_stack_parts *parts, double *offsets) {
  entropic_status status = parts_start(context, stack, parts);
  for (size_t r = 0; r < stack->run_count && status == ENTROPIC_OK && stack->weights[ENT_FORM_FULL] > 0; r++) {
    ent_progress_at(context, "solving", r, stack->run_count);
    status = take_run(context, fit, &stack->runs[r], stack->weights[ENT_FORM_FULL] / (double)stack->run_count, parts);
  }
  if (status == ENTROPIC_OK)
    status = take_simple(context, fit, ENT_FORM_LINEAR, stack->weights[ENT_FORM_LINEAR], parts, offsets);
  if (status == ENTROPIC_OK)
    status = take_simple(context, fit, ENT_FORM_CONSTANT, stack->weights[ENT_FORM_CONSTANT], parts, offsets);
  for (size_t p = 0; p < parts->count && status == ENTROPIC_OK; p++)
    for (size_t k = 0; k < fit->scores; k++)
      offsets[k] += parts->members[p].offsets[k];
  return status;
}

static bool go_together(const ent_stack_parts *parts, size_t a, size_t b) {
  const entropic_design *x = parts->members[a].lifting.design, *y = parts->members[b].lifting.design;
  return parts->views[a] == parts->views[b] && ent_kernels_alike(x->kernel, y->kernel) &&
         memcmp(x->base, y->base, x->kernel->inputs * sizeof *x->base) == 0;
}

/* The sum of part `first` and of those after it that go together with it, which are emptied. */
static entropic_status add_up(entropic_context *context, ent_stack_parts *parts, size_t first, ent_member *sum) {
  ent_member *alike = ent_new(context, parts->count, sizeof *alike);
  size_t count = 0;
  if (alike == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t p = first; p < parts->count; p++)
    if (parts->members[p].lifting.design != NULL && (p == first || go_together(parts, first, p)))
      alike[count++] = parts->members[p];
  entropic_status status = ent_average(context, alike, count, sum, NULL);
  for (size_t i = 0; i < sum->scores * sum->lifting.map.features && status == ENTROPIC_OK; i++)
    sum->weights[i] *= (double)count;
  for (size_t p = parts->count; status == ENTROPIC_OK && p-- > first;)
    if (parts->members[p].lifting.design != NULL && (p == first || go_together(parts, first, p)))
      ent_member_clear(&parts->members[p]);
  ent_delete(alike);
  return status;
}

/* The kernel with all rows as centres, as a component; its offsets are added. */
static entropic_status take_kernel(entropic_context *context, ent_fit *fit, double share, ent_component_list *list,
                                   double *offsets) {
  ent_kernel_form form;
  if (share == 0)
    return ENTROPIC_OK;
  entropic_status status = ent_kernel_form_fit(context, fit, &form);
  if (status != ENTROPIC_OK)
    goto done;
  if (!form.made) {
    status = ent_fail(context, ENTROPIC_BAD_DATA, "the equations of the kernel have no solution in doubles");
    goto done;
  }
  ent_component *component = &list->components[list->count];
  ent_fit_use(fit, form.view);
  status = ent_scaler_copy(context, fit->scaler, &component->scaler);
  list->nonzeros[list->count++] = (double)form.rows;
  if (status != ENTROPIC_OK)
    goto done;
  share *= form.inverse_temperature;
  for (size_t i = 0; i < form.scores * form.rows; i++)
    form.coefficients[i] *= share;
  for (size_t k = 0; k < form.scores; k++)
    offsets[k] += share * form.means[k];
  component->kernel = form.kernel;
  component->features = form.rows;
  component->centres = form.centres;
  component->weights = form.coefficients;
  form.kernel = NULL;
  form.centres = form.coefficients = NULL;
done:
  ent_kernel_form_clear(&form);
  return status;
}

static void list_clear(ent_component_list *list) {
  for (size_t c = 0; c < list->count && list->components != NULL; c++)
    ent_component_clear(&list->components[c]);
  ent_delete(list->components);
  ent_delete(list->nonzeros);
}

/* A function of features as a component. */
static entropic_status to_component(entropic_context *context, ent_fit *fit, size_t view, ent_member *sum,
                                    ent_component_list *list) {
  ent_component *component = &list->components[list->count];
  ent_fit_use(fit, view);
  entropic_status status = ent_scaler_copy(context, fit->scaler, &component->scaler);
  list->count++;
  if (status != ENTROPIC_OK)
    return status;
  status = ent_fit_count_nonzeros(context, fit, &sum->lifting.map, &list->nonzeros[list->count - 1]);
  if (status != ENTROPIC_OK)
    return status;
  component->kernel = ent_kernel_hold(entropic_design_kernel(sum->lifting.design));
  component->design = sum->lifting.design;
  component->lift = sum->lifting.lift;
  component->features = sum->lifting.map.features;
  component->weights = sum->weights;
  sum->lifting = (ent_lifting){0};
  sum->weights = NULL;
  return ENTROPIC_OK;
}

/* Components of all parts but the main one, which becomes the outcome's. */
static entropic_status make_components(entropic_context *context, ent_fit *fit, ent_stack_parts *parts,
                                       ent_fit_outcome *outcome, ent_component_list *list, size_t *main_view) {
  for (size_t p = 0; p < parts->count; p++) {
    ent_member sum;
    if (parts->members[p].lifting.design == NULL)
      continue;
    entropic_status status = add_up(context, parts, p, &sum);
    if (status != ENTROPIC_OK)
      return status;
    if (outcome->lifting.design == NULL) {
      outcome->lifting = sum.lifting;
      outcome->learnt =
          (ent_learnt){.features = sum.lifting.map.features, .scores = fit->scores, .count = 1, .weights = sum.weights};
      *main_view = parts->views[p];
      sum.lifting = (ent_lifting){0};
      sum.weights = NULL;
    } else {
      status = to_component(context, fit, parts->views[p], &sum, list);
    }
    ent_member_clear(&sum);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Adds a size of the path of a run to sums over all runs, which are sorted by size. */
static void add_step(const ent_path_step *step, ent_fit_report *report) {
  double members = (double)step->members;
  size_t i = 0;
  while (i < report->path_count && report->path[i].features < step->features)
    i++;
  if (i == report->path_count || report->path[i].features != step->features) {
    if (report->path_count == ENT_PATH_MOST)
      return;
    memmove(report->path + i + 1, report->path + i, (report->path_count++ - i) * sizeof *report->path);
    report->path[i] = (ent_path_step){.features = step->features};
  }
  ent_path_step *sum = &report->path[i];
  sum->members += step->members;
  sum->lambda += members * step->lambda;
  sum->error += members * step->error;
  sum->spread += members * members * step->spread * step->spread;
}

/* The path of all members: means over those that reached a size. */
static void report_path(const ent_stack *stack, ent_fit_report *report) {
  report->path_count = 0;
  for (size_t r = 0; r < stack->run_count; r++)
    for (size_t i = 0; i < stack->runs[r].outcome.report.path_count; i++)
      add_step(&stack->runs[r].outcome.report.path[i], report);
  for (size_t i = 0; i < report->path_count; i++) {
    ent_path_step *mean = &report->path[i];
    double members = (double)mean->members;
    mean->lambda /= members;
    mean->error /= members;
    mean->spread = sqrt(mean->spread) / members;
  }
}

/* What is reported of the runs: features of members, lambda in the mean. Their seconds are those of validation. */
static void report_runs(ent_fitted *fitted) {
  const ent_stack *stack = &fitted->stack;
  ent_fit_outcome *outcome = &fitted->outcome;
  ent_fit_report *report = &outcome->report;
  *report = stack->runs[0].outcome.report;
  report->search = (ent_search_seconds){0};
  report->members = 0;
  report->ended = NULL;
  for (size_t r = 0; r < stack->run_count; r++) {
    const ent_fit_outcome *run = &stack->runs[r].outcome;
    outcome->lambda += run->lambda / (double)stack->run_count;
    report->members += run->member_count;
    report->ended = run->report.ended != NULL ? run->report.ended : report->ended;
    report->largest = run->report.largest > report->largest ? run->report.largest : report->largest;
    report->stopped_early |= run->report.stopped_early;
    for (size_t m = 0; m < run->member_count; m++) {
      size_t features = run->members[m].lifting.map.features;
      report->member_least =
          report->member_least == 0 || features < report->member_least ? features : report->member_least;
      report->member_most = features > report->member_most ? features : report->member_most;
    }
  }
  report_path(stack, report);
  if (stack->weights[ENT_FORM_FULL] == 0) { /* no features of theirs are in the model */
    report->members = 1;
    report->member_least = report->member_most = 0;
  }
  report->stack_runs = stack->run_count;
  memcpy(report->stack, stack->weights, sizeof report->stack);
}

entropic_status ent_stack_assemble(entropic_context *context, ent_fit *fit, ent_fitted *fitted, entropic_model *model) {
  ent_stack *stack = &fitted->stack;
  ent_fit_outcome *outcome = &fitted->outcome;
  ent_stack_parts parts = {0};
  ent_component_list list = {0};
  const ent_class_validation whole = {.inverse_temperature = 1};
  size_t main_view = 0;
  const double start = ent_seconds();
  double *offsets = ent_new(context, fit->scores, sizeof *offsets);
  if (offsets == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_fit_outcome_clear(outcome);
  report_runs(fitted);
  outcome->solver = ENTROPIC_SOLVER_DIRECT;
  outcome->link = ent_link_for(0);
  entropic_status status = take_parts(context, fit, stack, &parts, offsets);
  if (status != ENTROPIC_OK)
    goto done;
  status = ENTROPIC_NO_MEMORY;
  list.components = ent_new(context, parts.count + 1, sizeof *list.components);
  list.nonzeros = ent_new(context, parts.count + 1, sizeof *list.nonzeros);
  if (list.components == NULL || list.nonzeros == NULL)
    goto done;
  status = make_components(context, fit, &parts, outcome, &list, &main_view);
  if (status != ENTROPIC_OK)
    goto done;
  if (outcome->lifting.design == NULL)
    status = ent_fit_constant(context, fit, outcome); /* nothing but the kernel: its offsets are replaced */
  if (status != ENTROPIC_OK)
    goto done;
  status = take_kernel(context, fit, stack->weights[ENT_FORM_KERNEL], &list, offsets);
  if (status != ENTROPIC_OK)
    goto done;
  ent_delete(outcome->learnt.offsets);
  outcome->learnt.offsets = offsets;
  offsets = NULL;
  ent_fit_use(fit, main_view);
  entropic_loss loss = ent_schema_has_classes(&fit->train->schema)
                           ? ent_loss_first(ENT_LOSS_CLASSES | ENT_LOSS_PROBABILITIES)
                           : ent_fit_loss(fit);
  outcome->report.search.solve = ent_seconds() - start;
  status = ent_fit_assemble(context, fit, outcome, &whole, loss, &list, model);
done:
  list_clear(&list);
  parts_clear(&parts);
  ent_delete(offsets);
  return status;
}
