/* Blocks of rows in fixed point: formats, and memory. */
#include "sums/fixed_block.h"

#include <math.h>

#include "base/memory.h"

entropic_status ent_fixed_check_lifted(entropic_context *context, const ent_fixed *fixed, const ent_lifted *lifted) {
  if (lifted->features != fixed->features || (fixed->targets > 0 && lifted->block.y == NULL))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "rows of %zu features, %s targets, do not match statistics of %zu features and %zu targets",
                    lifted->features, lifted->block.y == NULL ? "without" : "with", fixed->features, fixed->targets);
  return ENTROPIC_OK;
}

entropic_status ent_fixed_fail_value(entropic_context *context, const ent_fixed *fixed, size_t row, size_t column,
                                     size_t slices) {
  if (column == fixed->features)
    return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu: the root of its weight is beyond 2^%d, the scale of the 1",
                    row + 1, fixed->exponents[column]);
  bool feature = column < fixed->features;
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "row %zu, %s %zu: its value, times the root of the weight, is not within its scale of 2^%d", row + 1,
                  feature ? "feature" : "target", feature ? column + 1 : (column - fixed->features - 1) / slices + 1,
                  fixed->exponents[column]);
}

void ent_fixed_format_free(ent_fixed_format *format) {
  if (format == NULL)
    return;
  ent_delete(format->targets);
  ent_delete(format);
}

entropic_status ent_fixed_format_create(entropic_context *context, const ent_fixed *fixed,
                                        const ent_fixed_layout *layout, const ent_fixed_options *options, size_t width,
                                        ent_fixed_format **format) {
  size_t capacity = options->block_rows, full = layout->full * ENT_FIXED_PANEL, dense = layout->dense * ENT_FIXED_PANEL;
  if (capacity == 0 || capacity > ENT_FIXED_BLOCK_ROWS)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "blocks of %zu rows; expected 1 to %zu", capacity,
                    ENT_FIXED_BLOCK_ROWS);
  if (ent_fixed_sum_count(layout) > UINT32_MAX || layout->panels >= UINT32_MAX / (ENT_FIXED_PANEL * capacity))
    return ent_fail(context, ENTROPIC_TOO_LARGE, "statistics of %zu columns", layout->columns);
  ent_fixed_format *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->fixed = fixed;
  made->layout = layout;
  made->code = options->code;
  made->capacity = capacity;
  made->width = width < fixed->size ? width : fixed->size;
  made->word_planes = ent_fixed_word_planes(fixed->grade, options->code);
  made->panel_words = (dense + ENT_FIXED_PANEL) * capacity;
  made->full_words = made->code->wide ? 0 : full * capacity;
  made->lists = layout->panels * ENT_FIXED_PANEL - full;
  made->stride = (capacity + 15) / 16 * 16 + 16;
  made->list_words = (made->lists + 1) * made->stride;
  made->targets = ent_new(context, layout->columns, sizeof *made->targets);
  if (made->targets == NULL) {
    ent_fixed_format_free(made);
    return ENTROPIC_NO_MEMORY;
  }
  for (size_t j = 0; j < layout->columns; j++) {
    size_t place = layout->place[j], within = place % ENT_FIXED_PANEL, panel = place / ENT_FIXED_PANEL;
    bool listed = place >= full;
    size_t word = (panel < layout->dense ? panel : layout->dense) * ENT_FIXED_PANEL * capacity;
    word += made->code->wide ? within : ent_fixed_lane(within);
    made->targets[j] = (ent_fixed_target){.factor = ldexp(1, ent_grade_bits(fixed->grade) - fixed->exponents[j]),
                                          .panel = (uint32_t)word,
                                          .list = (uint32_t)(listed ? place - full : made->lists),
                                          .step = listed};
  }
  *format = made;
  return ENTROPIC_OK;
}

void ent_fixed_block_free(ent_fixed_block *block) {
  if (block == NULL)
    return;
  ent_delete(block->panels);
  ent_delete(block->full);
  ent_delete(block->values);
  ent_delete(block->offsets);
  ent_delete(block->counts);
  ent_delete(block->negatives);
  ent_delete(block->column_sums);
  ent_delete(block->row_starts);
  ent_delete(block->row_at);
  ent_delete(block->row_columns);
  ent_delete(block->row_values);
  ent_delete(block);
}

entropic_status ent_fixed_block_create(entropic_context *context, const ent_fixed_format *format,
                                       ent_fixed_block **block) {
  size_t word = format->code->wide ? sizeof(int64_t) : sizeof(int32_t), planes = format->word_planes;
  size_t columns = format->layout->columns;
  size_t rarest = (format->layout->panels - format->layout->dense) * ENT_FIXED_PANEL; /* in no panel */
  rarest = rarest < format->width ? rarest : format->width;
  ent_fixed_block *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->format = format;
  made->panels = ent_new_matrix(context, planes, format->panel_words, word);
  made->full = ent_new_matrix(context, planes, format->full_words, sizeof *made->full);
  made->values = ent_new_matrix(context, planes, format->list_words, word);
  made->offsets = ent_new(context, format->list_words, sizeof *made->offsets);
  made->counts = ent_new(context, format->lists + 1, sizeof *made->counts);
  made->negatives = ent_new(context, format->lists + 1, sizeof *made->negatives);
  made->column_sums = ent_new(context, columns, sizeof *made->column_sums);
  made->row_starts = ent_new(context, format->capacity + 1, sizeof *made->row_starts);
  made->row_at = ent_new_matrix(context, format->capacity, rarest, sizeof *made->row_at);
  made->row_columns = ent_new_matrix(context, format->capacity, rarest, sizeof *made->row_columns);
  made->row_values = ent_new_matrix(context, format->capacity, rarest, sizeof *made->row_values);
  if (made->panels == NULL || made->full == NULL || made->values == NULL || made->offsets == NULL ||
      made->counts == NULL || made->negatives == NULL || made->column_sums == NULL || made->row_starts == NULL ||
      made->row_at == NULL || made->row_columns == NULL || made->row_values == NULL) {
    ent_fixed_block_free(made);
    return ENTROPIC_NO_MEMORY;
  }
  *block = made;
  return ENTROPIC_OK;
}
