/* The parts that outer validation leaves out: see outer_parts.h. */
#include "fit/outer_parts.h"

#include <string.h>

#include "base/memory.h"
#include "fit/outer.h"
#include "tune/folds.h"

#define OUTER_STREAM 7 /* of random numbers: parts are not those of the folds */

void ent_outer_parts_clear(ent_outer_parts *p) {
  ent_delete(p->part_of);
  ent_delete(p->in);
  ent_delete(p->out);
  ent_delete(p->fold_of);
  *p = (ent_outer_parts){0};
}

static ent_fold_options split_of(const entropic_dataset *d) {
  return (ent_fold_options){.rows = d->rows,
                            .labels = ent_schema_has_classes(&d->schema) ? d->y : NULL,
                            .classes = d->schema.classes,
                            .groups = d->groups,
                            .time = d->time};
}

entropic_status ent_outer_deal(entropic_context *context, const entropic_dataset *data, uint64_t seed, size_t *part_of,
                               size_t *parts) {
  ent_fold_options split = split_of(data);
  split.time = NULL;
  entropic_random random = entropic_random_start(seed, OUTER_STREAM);
  return ent_folds_deal(context, &split, entropic_random_bits(&random), part_of, parts);
}

entropic_status ent_outer_parts_start(entropic_context *context, const entropic_dataset *data,
                                      const ent_outer_dealing *dealing, ent_outer_parts *p) {
  *p = (ent_outer_parts){.parts = dealing->parts, .forward = data->time != NULL};
  p->part_of = ent_new(context, data->rows, sizeof *p->part_of);
  p->in = ent_new(context, data->rows, sizeof *p->in);
  p->out = ent_new(context, data->rows, sizeof *p->out);
  p->fold_of = ent_new(context, data->rows, sizeof *p->fold_of);
  if (p->part_of == NULL || p->in == NULL || p->out == NULL || p->fold_of == NULL)
    return ENTROPIC_NO_MEMORY;
  if (!p->forward)
    return ent_outer_deal(context, data, dealing->seed, p->part_of, &p->parts);
  ent_fold_options split = split_of(data);
  split.initial = dealing->learnt;
  return ent_folds_deal(context, &split, dealing->seed, p->part_of, &p->parts);
}

entropic_status ent_outer_leave_out(entropic_context *context, const ent_fit *fit, size_t part, ent_outer_parts *p,
                                    size_t *folds) {
  ent_fold_options split = split_of(fit->train);
  p->in_count = p->out_count = 0;
  for (size_t r = 0; r < fit->train->rows; r++)
    if (p->part_of[r] == part)
      p->out[p->out_count++] = r;
    else if (ent_is_training_fold(p->part_of[r], part, p->forward))
      p->in[p->in_count++] = r;
  *folds = fit->options->folds;
  return ent_folds_deal_some(context, &split, (ent_row_list){p->in, p->in_count}, fit->options->seed, p->fold_of,
                             folds);
}

entropic_status ent_outer_keep_part(entropic_context *context, ent_outer_parts *p) {
  size_t *out = ent_new(context, p->out_count, sizeof *out);
  if (out == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(out, p->out, p->out_count * sizeof *out);
  ent_delete(p->out);
  ent_delete(p->in);
  ent_delete(p->part_of);
  p->out = out;
  p->in = p->part_of = NULL;
  return ENTROPIC_OK;
}

entropic_status ent_outer_halve(entropic_context *context, const entropic_dataset *valid, uint64_t seed,
                                ent_outer_parts *p, bool *split) {
  ent_outer_dealing dealing = {.seed = seed, .parts = valid->time != NULL ? 1 : 2};
  *split = false;
  entropic_status status = ent_outer_parts_start(context, valid, &dealing, p);
  if (status != ENTROPIC_OK)
    return status;
  if (p->forward && p->parts > 0) {
    *split = true;
    return ENTROPIC_OK;
  }
  if (p->forward) { /* there is one time only */
    p->parts = 2;
    status = ent_outer_deal(context, valid, seed, p->part_of, &p->parts);
  }
  *split = p->parts > 1;
  return status;
}
