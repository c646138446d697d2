/* The parts of an export: see parts.h. */
#include "export/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/text.h"
#include "model/joint.h"

void ent_export_parts_free(ent_export_parts *parts) {
  if (parts == NULL)
    return;
  ent_export_rows_clear(&parts->check);
  ent_export_series_clear(&parts->series);
  ent_delete(parts->knots);
  ent_delete(parts->kernels);
  ent_delete(parts->numbers);
  ent_delete(parts->level_starts);
  ent_delete(parts->levels);
  ent_delete(parts->slot_atoms);
  ent_delete(parts->slot_inputs);
  ent_effects_free(parts->effects);
  ent_marginals_free(parts->atoms);
  ent_delete(parts);
}

/* Features as products: by the marginals, or by what their atoms are if none were kept. */
static entropic_status take_features(entropic_context *context, ent_export_parts *parts) {
  const entropic_model *model = parts->model;
  entropic_status status = ENTROPIC_OK;
  parts->centres = ent_model_centres(model);
  parts->has_effects = model->marginals != NULL || parts->centres > 0;
  if (!parts->has_effects)
    status = ent_model_atoms(context, model, &parts->atoms);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_effects_create(context, model, parts->has_effects ? model->marginals : parts->atoms, &parts->effects);
  if (status != ENTROPIC_OK)
    return status;
  parts->slots = ent_effects_atoms(parts->effects);
  parts->scaled = parts->effects->used * ent_model_components(model);
  parts->most = parts->effects->most;
  return ENTROPIC_OK;
}

static entropic_status take_kernels(entropic_context *context, ent_export_parts *parts) {
  char shown[ENT_SHOW_SIZE];
  parts->kernels = ent_new(context, parts->scaled, sizeof *parts->kernels);
  if (parts->kernels == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < parts->scaled; i++) {
    const char *name = ent_export_schema(parts, ent_export_owner(parts, i))->name;
    const ent_axis *axis = ent_export_axis(parts, i);
    if (ent_export_sections(parts, i) == NULL)
      continue;
    parts->kernels[i] = ent_axis_formula(axis);
    if (parts->kernels[i].shape == ENT_FORMULA_NONE)
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                      "the model contains %zu training rows, and the %s kernel of input '%s'%s has no formula in "
                      "exports: it cannot be exported",
                      parts->centres, axis->family->name, ent_show(name, strlen(name), shown),
                      axis->options.smooth > 0 ? " with smooth atoms" : "");
  }
  return ENTROPIC_OK;
}

double ent_export_coordinate(const ent_export_parts *parts, size_t scaled, size_t centre) {
  const ent_component *component = ent_export_part(parts, scaled)->component;
  size_t inputs = parts->model->schema.inputs, input = ent_export_input(parts, ent_export_owner(parts, scaled));
  const ent_axis *axis = component->kernel->axes[input];
  double at = ent_section_node(axis, component->centres[centre * inputs + input]);
  double cells = (double)axis->options.categories;
  if (axis->family->form != ENT_SECTION_CELLS)
    return isnan(at) ? -1 : at;
  return floor(at * (cells + 1)) < cells ? floor(at * (cells + 1)) : -2;
}

double ent_export_missing_kernel(const ent_export_parts *parts, size_t scaled) {
  const ent_axis *axis = ent_export_axis(parts, scaled);
  return axis->options.missing ? 1 + axis->options.omega : 0;
}

/* The series of all atoms of a level. */
static entropic_status add_series(entropic_context *context, ent_export_parts *parts, size_t place,
                                  const ent_export_level *made) {
  const ent_marginal *m = ent_export_marginal(parts, place);
  const ent_axis *axis = ent_export_axis(parts, place);
  size_t first = made->slot - ent_export_first_slot(parts, place);
  const ent_level *level = &axis->levels[m->levels[m->places[first]]];
  for (size_t a = first; a < first + made->count; a++) {
    bool smooth = true;
    entropic_status status = ent_export_series_add(context, &parts->series, axis, level, m->atoms[a], &smooth);
    if (status != ENTROPIC_OK)
      return status;
    if (!smooth) {
      const char *name = ent_export_schema(parts, ent_export_owner(parts, place))->name;
      char shown[ENT_SHOW_SIZE];
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                      "the %s kernel of input '%s' cannot be exported: an atom of its level %d is not smooth to 14 "
                      "digits",
                      axis->family->name, ent_show(name, strlen(name), shown), level->info.order);
    }
  }
  return ENTROPIC_OK;
}

/* Where these numbers stand, which inputs of the same kernel share. */
static size_t place_numbers(ent_export_parts *parts, const double *numbers, size_t count) {
  for (size_t start = 0; start + count <= parts->number_count; start++)
    if (memcmp(parts->numbers + start, numbers, count * sizeof *numbers) == 0)
      return start;
  memcpy(parts->numbers + parts->number_count, numbers, count * sizeof *numbers);
  parts->number_count += count;
  return parts->number_count - count;
}

static entropic_status add_level(entropic_context *context, ent_export_parts *parts, size_t place, size_t p) {
  const ent_marginal *m = ent_export_marginal(parts, place);
  const ent_axis *axis = ent_export_axis(parts, place);
  const ent_level *level = &axis->levels[m->levels[p]];
  ent_export_level *made = &parts->levels[parts->level_count++];
  double numbers[ENT_EXPORT_NUMBERS];
  size_t count;
  *made = (ent_export_level){.slot = ent_export_first_slot(parts, place) + m->first[p],
                             .count = m->first[p + 1] - m->first[p],
                             .depth = level->info.kind == ENTROPIC_LEVEL_KIND_HAT ? level->info.order : 0};
  made->shape = ent_export_recognise(axis, level, numbers, &count);
  made->number = made->shape == ENT_EXPORT_SERIES ? parts->series.count : place_numbers(parts, numbers, count);
  parts->used[made->shape] = true;
  return made->shape == ENT_EXPORT_SERIES ? add_series(context, parts, place, made) : ENTROPIC_OK;
}

/* Which atom of which input each slot has. */
static void fill_slots(const ent_export_parts *parts, size_t scaled) {
  const ent_marginal *m = ent_export_marginal(parts, scaled);
  size_t first = ent_export_first_slot(parts, scaled);
  for (size_t a = 0; a < m->count; a++) {
    parts->slot_atoms[first + a] = m->atoms[a];
    parts->slot_inputs[first + a] = ent_export_owner(parts, scaled);
  }
}

static entropic_status take_levels(entropic_context *context, ent_export_parts *parts) {
  size_t scaled = parts->scaled, levels = 0;
  for (size_t i = 0; i < scaled; i++)
    levels += ent_export_marginal(parts, i)->level_count;
  parts->levels = ent_new(context, levels, sizeof *parts->levels);
  parts->level_starts = ent_new(context, scaled + 1, sizeof *parts->level_starts);
  parts->numbers = ent_new_matrix(context, levels, ENT_EXPORT_NUMBERS, sizeof *parts->numbers);
  parts->slot_atoms = ent_new(context, parts->slots, sizeof *parts->slot_atoms);
  parts->slot_inputs = ent_new(context, parts->slots, sizeof *parts->slot_inputs);
  if (parts->levels == NULL || parts->level_starts == NULL || parts->numbers == NULL || parts->slot_atoms == NULL ||
      parts->slot_inputs == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < scaled; i++) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t p = 0; p < ent_export_marginal(parts, i)->level_count; p++) {
      status = add_level(context, parts, i, p);
      if (status != ENTROPIC_OK)
        return status;
    }
    parts->level_starts[i + 1] = parts->level_count;
    fill_slots(parts, i);
  }
  return ENTROPIC_OK;
}

static entropic_status take_knots(entropic_context *context, ent_export_parts *parts, bool single) {
  size_t scaled = parts->scaled;
  parts->knots = ent_new(context, scaled, sizeof *parts->knots);
  double *tolerances = ent_new(context, scaled, sizeof *tolerances);
  entropic_status status = ENTROPIC_NO_MEMORY;
  if (parts->knots == NULL || tolerances == NULL)
    goto done;
  status = ent_export_tolerances(context, parts, tolerances);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < scaled; i++) {
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      goto done;
    const ent_scale *scale = ent_export_scale(parts, i);
    parts->knots[i] = ent_export_shorten(scale, parts->model->rows, single, tolerances[i]);
    for (size_t k = 1; k < scale->knots; k++)
      parts->wide = parts->wide || !isfinite(scale->at[k] - scale->at[k - 1]);
  }
  ent_export_number_sequences(parts);
done:
  ent_delete(tolerances);
  return status;
}

#define HASH_BYTES ((size_t)1 << 20) /* between two polls */

/* Of the file that the model would be saved in. */
static entropic_status take_hash(entropic_context *context, ent_export_parts *parts) {
  unsigned char *bytes = NULL;
  size_t count = 0;
  entropic_status status = entropic_model_save_memory(context, parts->model, &bytes, &count);
  if (status == ENTROPIC_BAD_ARGUMENT)
    return ENTROPIC_OK; /* of a custom kernel by functions: there is no file */
  if (status != ENTROPIC_OK)
    return status;
  uint8_t digest[ENT_SHA256_SIZE];
  ent_sha256 hash = ent_sha256_start();
  for (size_t at = 0; at < count; at += HASH_BYTES) {
    ent_sha256_add(&hash, bytes + at, count - at < HASH_BYTES ? count - at : HASH_BYTES);
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      goto done;
  }
  ent_sha256_finish(&hash, digest);
  for (size_t i = 0; i < ENT_SHA256_SIZE; i++)
    snprintf(parts->hash + 2 * i, 3, "%02x", (unsigned)digest[i]);
done:
  entropic_bytes_free(bytes);
  return status;
}

entropic_status ent_export_parts_create(entropic_context *context, const entropic_model *model, bool single,
                                        ent_export_parts **parts) {
  ent_export_parts *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->model = model;
  entropic_status status = take_features(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  status = take_kernels(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  status = take_levels(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_export_rows_make(context, made, single);
  if (status != ENTROPIC_OK)
    goto done;
  status = take_knots(context, made, single);
  if (status != ENTROPIC_OK)
    goto done;
  status = take_hash(context, made);
  if (status != ENTROPIC_OK)
    goto done;
  *parts = made;
  made = NULL;
done:
  ent_export_parts_free(made);
  return status;
}
