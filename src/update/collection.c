/* Collecting statistics: see collection.h.
 *
 * A source of rows for ent_fixed_collect is made of a row reader: rows without a target are left out, targets
 * are transformed and split, weights are those that are frozen, rows with small whole weights are repeated. The source
 * goes back to its first row once, after its first block, which it keeps: so a pipe will do. */
#include "update/collection.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "lift/map.h"
#include "model/marginal_sums.h"

#define RAW_ROWS ((size_t)1024)
#define RAW_VALUES ((size_t)1 << 20) /* a block has fewer rows if they are very long */

typedef struct ent_collection {
  const entropic_model *model;
  entropic_row_reader *reader;
  ent_collected *collected;
  size_t inputs, targets; /* of the data */
  size_t columns;         /* of the targets in statistics */
  /* Rows as they come. */
  double *raw_x, *raw_y, *raw_weights;
  size_t raw_capacity, raw_count, raw_at;
  size_t raw_first; /* the number of the first of them */
  size_t repeats;   /* how often the last row is still to be repeated */
  bool ended;
  /* Rows as they are handed out. */
  double *x, *y, *weights;
  size_t capacity;
  size_t blocks;     /* handed out */
  size_t held, used; /* rows of the first block, after going back; of these, handed out again */
  size_t first;      /* the number of the next row */
  /* The sums behind marginals, where the statistics have them; each row is added as it comes. */
  ent_marginals *layout;
  ent_int128 *side;
  double *plain; /* weights of rows for that: without the factors of missing values */
} ent_collection;

static void collection_clear(ent_collection *c) {
  ent_delete(c->raw_x);
  ent_delete(c->raw_y);
  ent_delete(c->raw_weights);
  ent_delete(c->x);
  ent_delete(c->y);
  ent_delete(c->weights);
  ent_marginals_free(c->layout);
  ent_delete(c->side);
  ent_delete(c->plain);
}

/* With so many sums behind marginals. */
static entropic_status collection_start(entropic_context *context, ent_collection *c, size_t sums) {
  size_t widest = c->inputs > c->columns ? c->inputs : c->columns;
  c->raw_capacity = RAW_VALUES / widest < RAW_ROWS ? RAW_VALUES / widest + 1 : RAW_ROWS;
  c->raw_x = ent_new_matrix(context, c->raw_capacity, c->inputs, sizeof *c->raw_x);
  c->raw_y = ent_new_matrix(context, c->raw_capacity, c->targets, sizeof *c->raw_y);
  c->raw_weights = ent_new(context, c->raw_capacity, sizeof *c->raw_weights);
  if (sums > 0) {
    entropic_status status = ent_marginals_create(context, c->model->main.design, &c->layout);
    if (status != ENTROPIC_OK)
      return status;
    c->side = ent_new(context, sums, sizeof *c->side);
    if (c->side == NULL)
      return ENTROPIC_NO_MEMORY;
  }
  return c->raw_x == NULL || c->raw_y == NULL || c->raw_weights == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

/* Room for so many rows; those that are there stay. */
static entropic_status make_room(entropic_context *context, ent_collection *c, size_t rows) {
  if (rows <= c->capacity)
    return ENTROPIC_OK;
  double *x = ent_new_matrix(context, rows, c->inputs, sizeof *x);
  double *y = ent_new_matrix(context, rows, c->columns, sizeof *y);
  double *weights = ent_new(context, rows, sizeof *weights);
  double *plain = ent_new(context, rows, sizeof *plain); /* of no use once rows were handed out */
  if (x == NULL || y == NULL || weights == NULL || plain == NULL) {
    ent_delete(plain);
    ent_delete(x);
    ent_delete(y);
    ent_delete(weights);
    return ENTROPIC_NO_MEMORY;
  }
  if (c->held > 0) {
    memcpy(x, c->x, c->held * c->inputs * sizeof *x);
    memcpy(y, c->y, c->held * c->columns * sizeof *y);
    memcpy(weights, c->weights, c->held * sizeof *weights);
  }
  ent_delete(c->x);
  ent_delete(c->y);
  ent_delete(c->weights);
  c->x = x;
  c->y = y;
  c->weights = weights;
  ent_delete(c->plain);
  c->plain = plain;
  c->capacity = rows;
  return ENTROPIC_OK;
}

/* The bounds of a target, for messages. */
static entropic_status fail_target(entropic_context *context, const ent_collection *c, size_t row, size_t target) {
  double least, most, value = c->raw_y[row * c->targets + target];
  char low[ENTROPIC_NUMBER_SIZE], high[ENTROPIC_NUMBER_SIZE], text[256];
  ent_frozen_range(c->model, target, &least, &most);
  entropic_format_double(least, low);
  entropic_format_double(most, high);
  snprintf(text, sizeof text, "a target from %s to %s: the scale of the statistics was frozen with the model", low,
           high);
  return ent_row_reader_fail(context, c->reader, c->raw_first + row, target, value, text);
}

static entropic_status fail_weight(entropic_context *context, const ent_collection *c, size_t row, double weight) {
  char text[256], most[ENTROPIC_NUMBER_SIZE];
  entropic_format_double(ldexp(1, 2 * c->model->frozen->root_exponent), most);
  snprintf(text, sizeof text,
           "a weight of at most %s, or a whole number up to %d: the scale of weights was frozen with the model", most,
           ENT_MOST_REPEATS);
  return ent_row_reader_fail(context, c->reader, c->raw_first + row, SIZE_MAX, weight, text);
}

/* Refuses a row with a missing value of an input that may have none. */
static entropic_status check_complete(entropic_context *context, const ent_collection *c, size_t row) {
  const ent_schema *schema = &c->model->schema;
  const double *x = c->raw_x + row * c->inputs;
  for (size_t i = 0; i < c->inputs; i++)
    if (schema->input[i].complete && isnan(x[i]))
      return ent_row_reader_fail(context, c->reader, c->raw_first + row, c->targets + i, x[i],
                                 schema->input[i].categories > 0
                                     ? "a category: the design has no atom for missing values of this input"
                                     : "a number: the design has no atom for missing values of this input");
  return ENTROPIC_OK;
}

/* The targets of a row as columns of statistics. */
static entropic_status set_targets(entropic_context *context, ent_collection *c, size_t row, double *columns) {
  const ent_frozen *frozen = c->model->frozen;
  const double *y = c->raw_y + row * c->targets;
  const ent_link *link = &c->model->link;
  bool transforms = ent_link_has(link, ENT_LINK_TRANSFORMS);
  if (frozen->classes > 0) {
    for (size_t k = 0; k < frozen->scores; k++)
      columns[k] = (size_t)y[0] == (frozen->scores == 1 ? 1 : k) ? 1 : -1;
    return ENTROPIC_OK;
  }
  for (size_t t = 0; t < frozen->scores; t++) {
    double value = transforms ? ent_link_score(link, y[t]) : y[t];
    c->collected->beyond_origin += !ent_link_takes(link, y[t]);
    if (!ent_fixed_split(value, frozen->shift[t], frozen->target_exponent[t], ENT_FIXED_MOST_SLICES,
                         columns + t * ENT_FIXED_MOST_SLICES))
      return fail_target(context, c, row, t);
  }
  return ENTROPIC_OK;
}

/* Whether a row counts. */
static bool counts(ent_collection *c, size_t row) {
  bool there = true;
  for (size_t t = 0; t < c->targets; t++)
    there = there && !isnan(c->raw_y[row * c->targets + t]);
  bool weighted = c->raw_weights[row] > 0;
  c->collected->without_target += !there;
  c->collected->without_weight += there && !weighted;
  return there && weighted;
}

/* Puts a row at `to`, and notes how often it is to be repeated. */
static entropic_status put_row(entropic_context *context, ent_collection *c, size_t row, size_t to) {
  const double *x = c->raw_x + row * c->inputs;
  size_t label = c->model->frozen->classes > 0 ? (size_t)c->raw_y[row] : 0;
  double weight = ent_frozen_weight(c->model, x, label, c->raw_weights[row]);
  bool whole = weight >= 1 && weight <= ENT_MOST_REPEATS && weight == floor(weight);
  entropic_status status = check_complete(context, c, row);
  if (status != ENTROPIC_OK)
    return status;
  if (!whole && !(sqrt(weight) <= ldexp(1, c->model->frozen->root_exponent) && weight > 0))
    return fail_weight(context, c, row, weight);
  memcpy(c->x + to * c->inputs, x, c->inputs * sizeof *x);
  c->weights[to] = whole ? 1 : weight;
  c->plain[to] = ent_frozen_plain_weight(c->model, label, c->raw_weights[row]) / (whole ? weight : 1);
  c->repeats = whole ? (size_t)weight - 1 : 0;
  status = set_targets(context, c, row, c->y + to * c->columns);
  if (status != ENTROPIC_OK)
    return status;
  ent_model_count_data_warnings(c->model, x, 1, c->inputs, &c->collected->warnings);
  c->collected->rows++;
  return ENTROPIC_OK;
}

/* Rows from number `to` on, until there are `most` or no more come; *count becomes how many there are. */
static entropic_status fill(entropic_context *context, ent_collection *c, size_t to, size_t most, size_t *count) {
  while (to < most && !(c->ended && c->raw_at == c->raw_count && c->repeats == 0)) {
    entropic_status status = ENTROPIC_OK;
    if (c->repeats > 0) { /* of the row before, which may have been the last of another block */
      size_t row = c->raw_at - 1, left = c->repeats - 1;
      ent_collected before = *c->collected;
      status = put_row(context, c, row, to++);
      *c->collected = before;
      c->repeats = left;
    } else if (c->raw_at < c->raw_count) {
      size_t row = c->raw_at++;
      if (counts(c, row))
        status = put_row(context, c, row, to++);
    } else {
      c->raw_first += c->raw_count;
      c->raw_at = 0;
      status = ent_poll(context);
      if (status != ENTROPIC_OK)
        return status;
      status = entropic_row_reader_next(context, c->reader, c->raw_capacity, c->raw_x, c->raw_y, c->raw_weights,
                                        &c->raw_count);
      c->ended = status == ENTROPIC_OK && c->raw_count == 0;
    }
    if (status != ENTROPIC_OK)
      return status;
  }
  *count = to;
  return ENTROPIC_OK;
}

static entropic_status go_back(entropic_context *context, void *self) {
  ent_collection *c = self;
  if (c->blocks > 1)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "rows that are read once cannot be read again");
  c->held = c->blocks == 1 ? c->first : 0;
  c->used = c->first = c->blocks = 0;
  return ENTROPIC_OK;
}

/* Scales rows that have come, and adds them to the sums behind marginals. */
static entropic_status finish_rows(entropic_context *context, ent_collection *c, size_t first, size_t count) {
  double *x = c->x + first * c->inputs;
  ent_scaler_fill_own(c->model->main.scaler, x, count);
  if (c->layout == NULL || count == 0)
    return ENTROPIC_OK;
  const ent_block rows = {.rows = count, .x = x, .x_stride = c->inputs, .weights = c->plain + first, .missing = true};
  return ent_marginal_sums_add(context, c->layout, c->model, &rows, c->side);
}

static entropic_status next_block(entropic_context *context, void *self, size_t most, ent_block *block) {
  ent_collection *c = self;
  size_t at = c->used, count;
  if (c->held - c->used >= most && most > 0) { /* the rows that are held suffice */
    count = most;
    c->used += most;
  } else {
    entropic_status status = make_room(context, c, most);
    if (status != ENTROPIC_OK)
      return status;
    size_t kept = c->held - c->used;
    memmove(c->x, c->x + c->used * c->inputs, kept * c->inputs * sizeof *c->x);
    memmove(c->y, c->y + c->used * c->columns, kept * c->columns * sizeof *c->y);
    memmove(c->weights, c->weights + c->used, kept * sizeof *c->weights);
    c->held = c->used = at = 0;
    status = fill(context, c, kept, most, &count);
    if (status != ENTROPIC_OK)
      return status;
    status = finish_rows(context, c, kept, count - kept);
    if (status != ENTROPIC_OK)
      return status;
  }
  *block = (ent_block){.first = c->first,
                       .rows = count,
                       .x = c->x + at * c->inputs,
                       .x_stride = c->inputs,
                       .y = c->y + at * c->columns,
                       .y_stride = c->columns,
                       .weights = c->weights + at,
                       .missing = true};
  c->first += count;
  c->blocks++;
  return ENTROPIC_OK;
}

entropic_status ent_collect(entropic_context *context, const entropic_model *model, entropic_row_reader *reader,
                            const ent_fixed_options *options, ent_fixed *fixed, ent_collected *collected) {
  *collected = (ent_collected){0};
  ent_collection c = {.model = model,
                      .reader = reader,
                      .collected = collected,
                      .inputs = model->schema.inputs,
                      .targets = model->schema.targets,
                      .columns = fixed->targets};
  entropic_status status = collection_start(context, &c, fixed->side_count);
  if (status != ENTROPIC_OK)
    goto done;
  ent_rows rows = {.self = &c, .inputs = c.inputs, .targets = c.columns, .rewind = go_back, .next = next_block};
  ent_map map = ent_map_of_lift(model->main.lift);
  status = ent_fixed_collect(context, fixed, &map, &rows, options);
  for (size_t i = 0; i < fixed->side_count && status == ENTROPIC_OK; i++)
    fixed->side[i] += c.side[i];
done:
  collection_clear(&c);
  return status;
}
