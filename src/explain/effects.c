/* Effects of rows: see effects.h. */
#include "explain/effects.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/processor.h"
#include "base/threads.h"
#include "explain/effects_rows.h"

#define BLOCK_ROWS (8 * ENT_EFFECT_ROWS) /* a task */
#define LANES ((size_t)8)                /* rows are counted in eights: few of them take less time */
#define MOST_TABLE ((size_t)4096)        /* numbers of atoms of a level that are looked up */
#define MOST_UNIT 1000                   /* 2^-unit is a normal number */

void ent_effects_free(ent_effects *effects) {
  if (effects == NULL)
    return;
  for (size_t c = 0; effects->parts != NULL && c < effects->part_count; c++) {
    ent_delete(effects->parts[c].places);
    ent_delete(effects->parts[c].table_starts);
    ent_delete(effects->parts[c].tables);
    ent_delete(effects->parts[c].beyond);
    ent_sections_free(effects->parts[c].sections);
  }
  ent_delete(effects->parts);
  ent_products_free(effects->products);
  ent_delete(effects->joint_weights);
  ent_delete(effects->base);
  ent_delete(effects->nodes);
  ent_delete(effects->node_weights);
  ent_effect_bases_free(effects->bases);
  ent_training_points_free(effects->points);
  ent_marginals_free(effects->own);
  ent_delete(effects);
}

/* Squares of weights must neither overflow nor underflow. */
static void set_unit(ent_effects *e) {
  double most = 0;
  for (size_t c = 0; c < e->part_count; c++) {
    const ent_component *component = e->parts[c].component;
    for (size_t i = 0; i < e->model->scores * component->features; i++)
      most = fmax(most, fabs(component->weights[i]));
  }
  if (most > 0)
    frexp(most, &e->unit);
  e->unit = e->unit > MOST_UNIT ? MOST_UNIT : e->unit < -MOST_UNIT ? -MOST_UNIT : e->unit;
  e->inverse_unit = ldexp(1, -e->unit);
}

static entropic_status set_base(entropic_context *context, ent_effects *e) {
  const entropic_model *model = e->model;
  e->base = ent_new(context, model->scores, sizeof *e->base);
  if (e->base == NULL)
    return ENTROPIC_NO_MEMORY;
  memcpy(e->base, model->offsets, model->scores * sizeof *e->base);
  for (size_t f = 0; f < e->features; f++) {
    double mean = 1;
    for (size_t i = e->starts[f]; i < e->starts[f + 1]; i++)
      mean *= ent_effect_factor_mean(e, e->factors[i]);
    for (size_t k = 0; k < model->scores; k++)
      e->base[k] += e->weights[k * e->features + f] * mean;
  }
  for (size_t c = 0; c < e->part_count; c++) {
    const ent_sections *sections = e->parts[c].sections;
    for (size_t j = 0; sections != NULL && j < sections->centres; j++) {
      double mean = ent_sections_product(sections, j);
      for (size_t k = 0; k < model->scores; k++)
        e->base[k] += sections->component->weights[k * sections->centres + j] * mean;
    }
  }
  return ENTROPIC_OK;
}

/* The slopes of lines that go on, where there are any. */
static entropic_status set_beyond(entropic_context *context, const ent_effects *e, ent_effect_part *part) {
  size_t scores = e->model->scores;
  if (part->component->design == NULL || part->component->design->beyond == NULL)
    return ENTROPIC_OK;
  part->beyond = ent_new_matrix(context, e->used, scores, sizeof *part->beyond);
  if (part->beyond == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < e->used; i++)
    for (size_t k = 0; k < scores; k++)
      part->beyond[i * scores + k] = ent_component_beyond_slope(part->component, e->inputs[i], k);
  return ENTROPIC_OK;
}

/* How many features of their own components have. */
static size_t count_features(const ent_component *component) {
  return component->design == NULL ? 0 : component->features;
}

/* The features of all components, one after the other. */
static entropic_status join_features(entropic_context *context, ent_effects *e) {
  const entropic_model *model = e->model;
  ent_products **of = ent_new(context, e->part_count, sizeof *of);
  e->joint_weights = ent_new_matrix(context, model->scores, e->features, sizeof *e->joint_weights);
  entropic_status status = of == NULL || e->joint_weights == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  double *to = e->joint_weights;
  for (size_t k = 0; k < model->scores && status == ENTROPIC_OK; k++)
    for (size_t c = 0; c < e->part_count; c++) {
      const ent_component *component = e->parts[c].component;
      size_t features = count_features(component);
      memcpy(to, component->weights + k * component->features, features * sizeof *to);
      to += features;
    }
  for (size_t c = 0; c < e->part_count && status == ENTROPIC_OK; c++)
    status = ent_products_create(context, e->parts[c].component->design, e->parts[c].marginals, &of[c]);
  if (status == ENTROPIC_OK)
    status = ent_products_join(context, of, e->part_count, e->marginals, &e->products);
  for (size_t c = 0; of != NULL && c < e->part_count; c++)
    ent_products_free(of[c]);
  ent_delete(of);
  e->weights = e->joint_weights;
  return status;
}

static entropic_status take_features(entropic_context *context, ent_effects *e) {
  const entropic_model *model = e->model;
  e->part_count = ent_model_components(model);
  e->parts = ent_new(context, e->part_count, sizeof *e->parts);
  if (e->parts == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t c = 0; c < e->part_count; c++) {
    e->parts[c].component = ent_model_component(model, c);
    e->parts[c].marginals = ent_marginals_part(e->marginals, c);
    e->features += count_features(e->parts[c].component);
  }
  e->weights = model->main.weights;
  entropic_status status = e->marginals->parts != NULL
                               ? join_features(context, e)
                               : ent_products_create(context, model->main.design, e->marginals, &e->products);
  if (status != ENTROPIC_OK)
    return status;
  e->used = e->products->used;
  e->inputs = e->products->inputs;
  e->starts = e->products->starts;
  e->factors = e->products->factors;
  e->most = e->points != NULL && e->products->most < e->used ? e->used : e->products->most;
  e->places = e->products->places;
  return ENTROPIC_OK;
}

/* What rows need of each component. */
static entropic_status set_parts(entropic_context *context, const ent_effects *e) {
  for (size_t c = 0; c < e->part_count; c++) {
    ent_effect_part *part = &e->parts[c];
    part->places = ent_new(context, e->used, sizeof *part->places);
    if (part->places == NULL)
      return ENTROPIC_NO_MEMORY;
    for (size_t i = 0; i < e->used; i++)
      part->places[i] = c == 0 ? e->places[i] : part[-1].places[i] + part[-1].marginals->input[e->inputs[i]].count;
    entropic_status status = ent_effect_tables_create(context, e, part);
    if (status != ENTROPIC_OK)
      return status;
    status = set_beyond(context, e, part);
    if (status != ENTROPIC_OK)
      return status;
    if (part->component->design == NULL)
      status = ent_sections_create(context, e->model, c, e->points, e->inputs, e->used, &part->sections);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Where some base level is not constant. Those of several components differ. */
static entropic_status set_bases(entropic_context *context, ent_effects *e) {
  bool any = false;
  for (size_t k = 0; k < e->used && e->marginals->parts == NULL; k++)
    any = any || ent_products_has_base(e->model->main.design, e->inputs[k]);
  return any ? ent_effect_bases_create(context, e, &e->bases) : ENTROPIC_OK;
}

/* Where the training rows are, of a model that has centres. */
static entropic_status find_points(entropic_context *context, ent_effects *e) {
  if (ent_model_centres(e->model) == 0)
    return ENTROPIC_OK;
  entropic_status status = ent_training_points_create(context, e->model, &e->points);
  if (status != ENTROPIC_OK)
    return status;
  if (e->marginals != NULL)
    return ent_training_points_split(context, e->model, e->marginals, e->points);
  status = ent_training_points_marginals(context, e->model, e->points, &e->own);
  e->marginals = e->own;
  return status;
}

entropic_status ent_effects_create(entropic_context *context, const entropic_model *model,
                                   const ent_marginals *marginals, ent_effects **effects) {
  ent_effects *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->model = model;
  made->marginals = marginals;
  made->code = ent_effect_code_of(0);
  entropic_status status = find_points(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  status = take_features(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  set_unit(made);
  status = set_parts(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_effect_rules_create(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  status = set_base(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  status = set_bases(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  *effects = made;
  made = NULL;
done:
  ent_effects_free(made);
  return status;
}

const ent_level *ent_effect_level(const ent_effects *e, ent_effect_factor factor) {
  size_t input = e->inputs[factor.input], atom = factor.atom;
  const ent_effect_part *part = e->parts;
  while (atom >= part->marginals->input[input].count)
    atom -= part++->marginals->input[input].count;
  const ent_marginal *m = &part->marginals->input[input];
  return &part->component->kernel->axes[input]->levels[m->levels[m->places[atom]]];
}

/* ---- Rows ---- */

/* Numbers of atoms below the last one in use and it; 0 if there are too many for a table. */
static size_t table_size(const ent_marginal *m, size_t place) {
  size_t end = m->first[place + 1];
  return end > m->first[place] && m->atoms[end - 1] < MOST_TABLE ? (size_t)m->atoms[end - 1] + 1 : 0;
}

entropic_status ent_effect_tables_create(entropic_context *context, const ent_effects *e, ent_effect_part *part) {
  size_t levels = 0, total = 0;
  for (size_t k = 0; k < e->used; k++)
    for (size_t p = 0; p < part->marginals->input[e->inputs[k]].level_count; p++, levels++)
      total += 1 + table_size(&part->marginals->input[e->inputs[k]], p);
  part->table_starts = ent_new(context, levels, sizeof *part->table_starts);
  part->tables = ent_new(context, total, sizeof *part->tables);
  if (part->table_starts == NULL || part->tables == NULL)
    return ENTROPIC_NO_MEMORY;
  levels = total = 0;
  for (size_t k = 0; k < e->used; k++) {
    const ent_marginal *m = &part->marginals->input[e->inputs[k]];
    for (size_t p = 0; p < m->level_count; p++) {
      size_t size = table_size(m, p);
      part->table_starts[levels++] = total;
      part->tables[total++] = (uint32_t)size;
      for (size_t atom = 0; atom < size; atom++)
        part->tables[total++] = ent_marginal_in_level(m, p, atom);
    }
  }
  return ENTROPIC_OK;
}

const ent_effect_code *ent_effect_code_of(size_t index) {
  const ent_effect_code *codes[3] = {0};
  size_t count = 0;
#if defined(__x86_64__)
  if (ent_processor_has_avx512())
    codes[count++] = &ent_effect_code_avx512;
  if (ent_processor_has_avx2())
    codes[count++] = &ent_effect_code_avx2;
#endif
  codes[count++] = &ent_effect_code_reference;
  return index < count ? codes[index] : NULL;
}

void ent_effects_values(const ent_effects *e, const double *x, size_t rows, size_t stride, double *values) {
  e->code->values(e, x, rows, stride, values);
}

entropic_status ent_effects_add(entropic_context *context, const ent_effects *e, const ent_effect_room *room) {
  return e->code->add(context, e, room);
}

entropic_status ent_effect_bases_add(entropic_context *context, const ent_effects *e, const ent_effect_room *room) {
  return e->code->add_bases(context, e, room);
}

void ent_effects_add_beyond(const ent_effects *e, size_t place, size_t score, const ent_block *rows, double *sums) {
  for (size_t c = 0; c < e->part_count; c++) {
    const double *of = rows->x + c * e->model->schema.inputs + e->inputs[place];
    double slope = e->parts[c].beyond == NULL ? 0 : e->parts[c].beyond[place * e->model->scores + score];
    for (size_t r = 0; r < rows->rows && slope != 0; r++) {
      double x = of[r * rows->x_stride], off = isnan(x) ? 0 : x - ent_clamp(x);
      sums[r] += slope * off;
    }
  }
}

/* At most ENT_EFFECT_ROWS rows. */
static entropic_status split_rows(entropic_context *context, const ent_effects *e, ent_effect_room *room,
                                  const ent_block *rows, double *out) {
  size_t scores = e->model->scores, width = 1 + e->used;
  room->width = (rows->rows + LANES - 1) / LANES * LANES;
  ent_effects_values(e, rows->x, rows->rows, rows->x_stride, room->values);
  memset(room->sums, 0, scores * e->used * ENT_EFFECT_ROWS * sizeof *room->sums);
  entropic_status status = e->bases != NULL && ent_effect_bases_suit(e, room) ? ent_effect_bases_add(context, e, room)
                                                                              : ent_effects_add(context, e, room);
  for (size_t c = 0; c < e->part_count && status == ENTROPIC_OK; c++) {
    ent_block own = *rows;
    own.x += c * e->model->schema.inputs;
    if (e->parts[c].sections != NULL)
      status = ent_effects_add_centres(context, e, e->parts[c].sections, &own, room);
  }
  if (status != ENTROPIC_OK)
    return status;
  for (size_t k = 0; k < scores; k++)
    for (size_t i = 0; i < e->used; i++)
      ent_effects_add_beyond(e, i, k, rows, room->sums + (k * e->used + i) * ENT_EFFECT_ROWS);
  for (size_t r = 0; r < rows->rows; r++)
    for (size_t k = 0; k < scores; k++, out += width) {
      out[0] = e->base[k];
      for (size_t i = 0; i < e->used; i++)
        out[1 + i] = room->sums[(k * e->used + i) * ENT_EFFECT_ROWS + r];
    }
  return status;
}

void ent_effect_room_clear(ent_effect_room *room) {
  ent_delete(room->values);
  ent_delete(room->parts);
  ent_delete(room->behind);
  ent_delete(room->sums);
  ent_delete(room->ratios);
  ent_delete(room->partners);
  ent_delete(room->inverses);
  ent_delete(room->sections);
  ent_delete(room->means);
  *room = (ent_effect_room){0};
}

entropic_status ent_effect_room_create(entropic_context *context, const ent_effects *e, ent_effect_room *room) {
  size_t atoms = ent_effects_atoms(e), shared = e->bases != NULL, centres = e->points != NULL;
  const struct {
    double **numbers;
    size_t count;
  } all[] = {{&room->values, atoms},
             {&room->parts, e->most},
             {&room->behind, e->most + 1},
             {&room->ratios, shared * atoms},
             {&room->partners, shared * atoms},
             {&room->inverses, shared * e->used},
             {&room->sums, e->model->scores * e->used},
             {&room->sections, centres * e->used},
             {&room->means, centres * e->used}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    *all[i].numbers = ent_new_matrix(context, all[i].count, ENT_EFFECT_ROWS, sizeof **all[i].numbers);
    if (*all[i].numbers == NULL) {
      ent_effect_room_clear(room);
      return ENTROPIC_NO_MEMORY;
    }
  }
  room->width = ENT_EFFECT_ROWS;
  return ENTROPIC_OK;
}

entropic_status ent_effect_rows_start(entropic_context *context, ent_effect_rows *job, size_t workers) {
  entropic_status status = ent_effects_check_rows(context, job->effects);
  if (status != ENTROPIC_OK)
    return status;
  job->rooms = ent_new(context, workers, sizeof *job->rooms);
  job->workers = job->rooms == NULL ? 0 : workers;
  return job->rooms == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
}

void ent_effect_rows_end(ent_effect_rows *job) {
  for (size_t i = 0; i < job->workers; i++)
    ent_effect_room_clear(&job->rooms[i]);
  ent_delete(job->rooms);
}

entropic_status ent_effect_rows_add(entropic_context *context, const ent_effect_rows *job, const ent_lift_rows *rows,
                                    int worker) {
  const ent_effects *e = job->effects;
  ent_effect_room *room = &job->rooms[worker];
  size_t width = e->model->scores * (1 + e->used);
  if (room->values == NULL) {
    entropic_status status = ent_effect_room_create(context, e, room);
    if (status != ENTROPIC_OK)
      return status;
  }
  for (size_t first = 0; first < rows->count; first += ENT_EFFECT_ROWS) {
    ent_block own = {.rows = rows->count - first, .x = rows->x + first * rows->stride, .x_stride = rows->stride};
    own.rows = own.rows < ENT_EFFECT_ROWS ? own.rows : ENT_EFFECT_ROWS;
    entropic_status status = split_rows(context, e, room, &own, job->out + (rows->first + first) * width);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* The rows of ent_effects_rows. */
typedef struct ent_effect_all {
  ent_effect_rows job;
  ent_lift_rows rows;
} ent_effect_all;

static entropic_status split_block(entropic_context *context, void *shared, size_t block, int worker) {
  const ent_effect_all *all = shared;
  size_t first = block * BLOCK_ROWS, left = all->rows.count - first;
  const ent_lift_rows own = {.x = all->rows.x + first * all->rows.stride,
                             .count = left < BLOCK_ROWS ? left : BLOCK_ROWS,
                             .stride = all->rows.stride,
                             .first = first};
  return ent_effect_rows_add(context, &all->job, &own, worker);
}

entropic_status ent_effects_rows(entropic_context *context, const ent_effects *effects, const double *x, size_t rows,
                                 size_t stride, double *out) {
  ent_effect_all all = {.job = {.effects = effects, .out = out}, .rows = {.x = x, .count = rows, .stride = stride}};
  size_t blocks = (rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
  entropic_status status = ent_effect_rows_start(context, &all.job, (size_t)ent_workers(context, blocks));
  if (status == ENTROPIC_OK)
    status = ent_parallel(context, blocks, split_block, &all);
  ent_effect_rows_end(&all.job);
  return status;
}
