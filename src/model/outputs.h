/* Outputs of rows: what is asked for of them, all from one pass in which each block of rows is checked, scaled and lifted
 * once. */
#ifndef ENT_MODEL_OUTPUTS_H
#define ENT_MODEL_OUTPUTS_H

#include "lift/lift.h"
#include "model/model.h"

/* What a later room makes of the same scaled rows, on the workers of the pass. */
typedef struct ent_rows_work {
  entropic_status (*start)(entropic_context *context, void *self, size_t workers);
  entropic_status (*add)(entropic_context *context, void *self, const ent_lift_rows *rows, int worker);
  void *self;
} ent_rows_work;

/* What is asked for; what is NULL is not. The arrays are those of entropic_outputs. */
typedef struct ent_outputs {
  double *scores, *predictions, *probabilities;
  bool open;    /* predictions may pass the bounds */
  double level; /* of intervals and sets of classes */
  double *lower, *upper;
  unsigned char *class_sets;
  double *deviations;
  entropic_data_warnings *warnings; /* counts are added */
  const ent_rows_work *more;
} ent_outputs;

/* Checks what is asked for, and makes it of rows in the units of the data. On failure arrays may hold anything; the
 * warnings do not change. */
entropic_status ent_model_outputs(entropic_context *context, const entropic_model *model, const ent_lift_rows *rows,
                                  const ent_outputs *outputs);

/* ---- One block ---- */

/* BAD_ARGUMENT if the model cannot give what is asked for. */
entropic_status ent_outputs_check(entropic_context *context, const entropic_model *model, const ent_outputs *outputs);
/* Whether any of it is made of scores. */
bool ent_outputs_need_scores(const ent_outputs *outputs);
/* Numbers of scratch memory for each row. */
size_t ent_outputs_room(const entropic_model *model);
/* Fills in what is made of the scores of some rows, which are those from rows->first on; room[rows->count *
 * ent_outputs_room] is scratch memory. Warnings are counted in *warnings if they are asked for. */
void ent_outputs_fill(const entropic_model *model, const ent_outputs *outputs, const ent_lift_rows *rows,
                      const double *scores, double *room, entropic_data_warnings *warnings);
void ent_data_warnings_add(const entropic_data_warnings *from, entropic_data_warnings *to);

#endif
