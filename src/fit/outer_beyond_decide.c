/* Which lines go on outside the range learnt from, by outer validation rows: see outer_beyond.h. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "design/design.h"
#include "lift/lift.h"
#include "fit/outer_beyond.h"
#include "fit/outer_forms.h"

#define OUTSIDE_ROWS 5 /* of an input: with fewer, the outermost rows count as well */
#define LEAST_ROWS 2   /* one row says nothing */
#define FAR 0.05       /* of a range: nearer rows say nothing of where the line of a full model goes */

/* Room for one row. */
typedef struct ent_beyond_room {
  double *scores, *probabilities;
  ent_outer_row row;
} ent_beyond_room;

static void clear_room(ent_beyond_room *room) {
  ent_delete(room->scores);
  ent_delete(room->probabilities);
  ent_delete(room->row.errors);
  ent_delete(room->row.predictions);
}

static entropic_status new_room(entropic_context *context, const ent_fit *fit, ent_beyond_room *room) {
  room->scores = ent_new(context, fit->scores, sizeof *room->scores);
  room->probabilities = ent_new(context, fit->train->schema.classes, sizeof *room->probabilities);
  room->row.errors = ent_new(context, fit->scores, sizeof *room->row.errors);
  room->row.predictions = ent_new(context, fit->scores, sizeof *room->row.predictions);
  return room->scores == NULL || room->probabilities == NULL || room->row.errors == NULL ||
                 room->row.predictions == NULL
             ? ENTROPIC_NO_MEMORY
             : ENTROPIC_OK;
}

/* Scores row r where the lines of some of its entries go on, one alone or those of the inputs that do; room->row has what
 * follows. */
#define NO_ENTRY SIZE_MAX
static double loss_of(const ent_fit *fit, const ent_beyond *beyond, size_t r, size_t entry, const bool *goes_on,
                      ent_beyond_room *room) {
  const ent_beyond_row *row = &beyond->row[r];
  const ent_beyond_run *run = &beyond->run[row->run];
  size_t scores = fit->scores;
  memcpy(room->scores, beyond->scores + r * scores, scores * sizeof *room->scores);
  for (size_t e = row->first; e < row->first + row->count; e++)
    for (size_t k = 0; k < scores && (e == entry || (goes_on != NULL && goes_on[beyond->inputs[e]])); k++)
      room->scores[k] += beyond->parts[e * scores + k];
  if (!ent_schema_has_classes(&fit->train->schema)) {
    const double *bounds = beyond->bounds + row->run * scores * 2;
    ent_link_predict(&run->link, 1, room->scores);
    for (size_t k = 0; k < scores; k++)
      room->scores[k] = fmin(fmax(room->scores[k], bounds[2 * k]), bounds[2 * k + 1]);
  }
  ent_outer_score_row(fit, run->inverse_temperature, row->number, room->scores, room->probabilities, &room->row);
  return room->row.loss;
}

/* What going on gains, of one input. */
typedef struct ent_beyond_gain {
  double sum, squares;
  size_t rows;
} ent_beyond_gain;

/* gains[inputs] of rows of one kind. */
static void find_gains(const ent_fit *fit, const ent_outer *outer, const ent_beyond *beyond, ent_beyond_room *room,
                       ent_beyond_gain *gains) {
  for (size_t r = 0; r < beyond->rows; r++) {
    double base = loss_of(fit, beyond, r, NO_ENTRY, NULL, room), weight = outer->weights[beyond->row[r].at];
    for (size_t e = beyond->row[r].first; e < beyond->row[r].first + beyond->row[r].count; e++) {
      if (beyond->distances[e] < FAR)
        continue;
      double gain = weight * (base - loss_of(fit, beyond, r, e, NULL, room));
      ent_beyond_gain *of = &gains[beyond->inputs[e]];
      of->sum += gain;
      of->squares += gain * gain;
      of->rows++;
    }
  }
}

/* What it gains in all if these go on. */
static double total_gain(const ent_fit *fit, const ent_outer *outer, const ent_beyond *beyond, const bool *goes_on,
                         ent_beyond_room *room) {
  double gain = 0;
  for (size_t r = 0; r < beyond->rows; r++)
    gain += outer->weights[beyond->row[r].at] *
            (loss_of(fit, beyond, r, NO_ENTRY, NULL, room) - loss_of(fit, beyond, r, NO_ENTRY, goes_on, room));
  return gain;
}

/* Inputs one by one: several rows must say so, not one alone. */
static void choose_inputs(const ent_fit *fit, const ent_beyond_gain *outside, const ent_beyond_gain *outermost,
                          bool *goes_on) {
  for (size_t i = 0; i < fit->inputs; i++) {
    ent_beyond_gain by = outside[i];
    if (by.rows < OUTSIDE_ROWS) {
      by.sum += outermost[i].sum;
      by.squares += outermost[i].squares;
      by.rows += outermost[i].rows;
    }
    goes_on[i] = by.rows >= LEAST_ROWS && by.sum > sqrt(by.squares);
  }
}

/* A linear model goes on as a whole if that gains anything in all, as that is what a linear model is. */
static bool goes_on_as_a_whole(const ent_fit *fit, const ent_outer *outer, ent_form form, ent_beyond_room *room,
                               bool *goes_on) {
  size_t rows = 0;
  double gain = 0;
  if (form == ENT_FORM_FULL)
    return false;
  for (size_t i = 0; i < fit->inputs; i++)
    goes_on[i] = true;
  for (int kind = 0; kind < 2; kind++) {
    rows += outer->beyond[form][kind].rows;
    gain += total_gain(fit, outer, &outer->beyond[form][kind], goes_on, room);
  }
  return rows >= LEAST_ROWS && gain > 0;
}

/* Rows outside are scored as the lines now go. */
static void score_anew(const ent_fit *fit, const ent_beyond *beyond, ent_form form, const bool *goes_on,
                       ent_beyond_room *room, ent_outer *outer) {
  size_t targets = outer->targets;
  for (size_t r = 0; r < beyond->rows; r++) {
    size_t at = beyond->row[r].at;
    outer->losses[form][at] = loss_of(fit, beyond, r, NO_ENTRY, goes_on, room);
    memcpy(outer->errors[form] + at * targets, room->row.errors, targets * sizeof(double));
    memcpy(outer->predictions[form] + at * targets, room->row.predictions, targets * sizeof(double));
  }
}

entropic_status ent_beyond_decide(entropic_context *context, const ent_fit *fit, ent_outer *outer, ent_form form) {
  const ent_beyond *outside = &outer->beyond[form][ENT_BEYOND_OUTSIDE],
                   *outermost = &outer->beyond[form][ENT_BEYOND_OUTERMOST];
  ent_beyond_room room = {0};
  ent_beyond_gain *gains = ent_new_matrix(context, fit->inputs, 2, sizeof *gains);
  bool *goes_on = outer->goes_on[form] = ent_new(context, fit->inputs, sizeof *goes_on);
  entropic_status status = gains == NULL || goes_on == NULL ? ENTROPIC_NO_MEMORY : new_room(context, fit, &room);
  if (status != ENTROPIC_OK || outside->rows + outermost->rows == 0)
    goto done;
  if (!goes_on_as_a_whole(fit, outer, form, &room, goes_on)) {
    find_gains(fit, outer, outside, &room, gains);
    find_gains(fit, outer, outermost, &room, gains + fit->inputs);
    choose_inputs(fit, gains, gains + fit->inputs, goes_on);
    if (!(total_gain(fit, outer, outside, goes_on, &room) + total_gain(fit, outer, outermost, goes_on, &room) > 0))
      memset(goes_on, 0, fit->inputs * sizeof *goes_on);
  }
  score_anew(fit, outside, form, goes_on, &room, outer);
done:
  clear_room(&room);
  ent_delete(gains);
  return status;
}

/* Lines of one component that go on. */
static entropic_status apply(entropic_context *context, const bool *goes_on, const ent_schema *schema,
                             ent_component *component) {
  entropic_lift *lift = NULL;
  if (goes_on == NULL || component->design == NULL)
    return ENTROPIC_OK;
  for (size_t i = 0; i < schema->inputs; i++) {
    if (schema->input[i].derived || !goes_on[i] || schema->input[i].unused ||
        !ent_scaler_has_slope(component->scaler, i) || ent_design_line(component->design, i) == SIZE_MAX)
      continue;
    entropic_status status = ent_component_go_beyond(context, component, i);
    if (status != ENTROPIC_OK)
      return status;
  }
  if (component->design->beyond == NULL)
    return ENTROPIC_OK;
  entropic_status status = entropic_lift_create(context, component->design, &lift);
  if (status != ENTROPIC_OK)
    return status;
  entropic_lift_free(component->lift);
  component->lift = lift;
  return ENTROPIC_OK;
}

entropic_status ent_beyond_apply(entropic_context *context, const ent_fitted *fitted, entropic_model *model) {
  bool *const *goes_on = fitted->outer.goes_on;
  if (fitted->form != ENT_FORM_STACK)
    return apply(context, goes_on[fitted->form], &model->schema, &model->main);
  if (ent_schema_has_classes(&model->schema)) /* scores that the stack was judged by have no lines that go on */
    return ENTROPIC_OK;
  bool linear = fitted->stack.weights[ENT_FORM_LINEAR] > 0; /* it is the last component of features */
  size_t last = model->more_count;
  while (last > 0 && model->more[last - 1].design == NULL)
    last--;
  entropic_status status = apply(context, goes_on[ENT_FORM_FULL], &model->schema, &model->main);
  for (size_t c = 0; c < model->more_count && status == ENTROPIC_OK; c++) {
    ent_form form = linear && c + 1 == last ? ENT_FORM_LINEAR : ENT_FORM_FULL;
    status = apply(context, goes_on[form], &model->schema, &model->more[c]);
  }
  return status;
}
