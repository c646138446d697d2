/* Blocks of rows in fixed point, as the loops of fixed_code.h want them: panels of dense columns, lists of the non-zeros of
 * rare ones, and short rows of the rarest. */
#ifndef ENT_SUMS_FIXED_BLOCK_H
#define ENT_SUMS_FIXED_BLOCK_H

#include "sums/fixed.h"
#include "sums/fixed_code.h"
#include "sums/fixed_layout.h"

/* The most rows of a block. Rows times ENT_FIXED_PANEL are below 2^16, and low sums of wide codes below 2^63. */
#define ENT_FIXED_BLOCK_ROWS ((size_t)512)

/* Where the values of a column go. */
typedef struct ent_fixed_target {
  double factor;  /* 2^(b - e) */
  uint32_t panel; /* the word of row 0; of columns in no panel, in one after the last */
  uint32_t list;  /* its list; of full columns, one after the last */
  uint32_t step;  /* from a non-zero of the list to the next: 1; 0 after the last list */
} ent_fixed_target;

/* What all blocks of a collection have in common. */
typedef struct ent_fixed_format {
  const ent_fixed *fixed;         /* only its shape is used */
  const ent_fixed_layout *layout; /* as the code, borrowed */
  const ent_fixed_code *code;
  bool sliced;               /* each target enters as two columns: see ent_fixed_format_create */
  size_t capacity;           /* rows of a block */
  size_t width;              /* the most entries of a row */
  size_t word_planes;        /* of panels and lists */
  size_t panel_words;        /* of all panels and one more, in a plane */
  size_t full_words;         /* of all full panels, in a plane; 0 for wide codes */
  size_t list_words;         /* of all lists and one more, in a plane */
  size_t lists;              /* of positions from the first panel that is not full */
  size_t stride;             /* from a list to the next; no power of two, or lists would share cache sets */
  ent_fixed_target *targets; /* [columns] */
} ent_fixed_format;

/* One block. All but the shared format is its own. */
typedef struct ent_fixed_block {
  const ent_fixed_format *format;
  size_t rows;
  uint64_t weighted;    /* rows with a weight above 0 */
  void *panels;         /* word_planes x panel_words; word plane 0: q, or h; 1: l; 2: h + l */
  double *full;         /* narrow: word_planes x full_words: full panels as doubles, columns in their order */
  void *values;         /* word_planes x list_words; see ent_fixed_lists */
  uint16_t *offsets;    /* [list_words] */
  uint32_t *counts;     /* [lists + 1], as the next */
  uint32_t *negatives;  /* wide only */
  int64_t *column_sums; /* [columns] of q; wide only */
  /* Non-zeros of columns in no panel, row by row, in the order of positions. */
  uint32_t *row_starts;  /* [capacity + 1] */
  uint32_t *row_at;      /* as a lower column: where its sums begin (ent_fixed_sums_at) */
  uint32_t *row_columns; /* as an upper column: its position times ENT_FIXED_PANEL */
  int64_t *row_values;
} ent_fixed_block;

/* The shape of fixed, layout and code are borrowed. `width` is the most values of a row. TOO_LARGE beyond 2^32 sums.
 *
 * Sliced, the statistics have two columns for each target of the rows, one after the other, and one shift for both: the
 * target rounded to the scale of the first, and the rest, which is at most 2^(e - b - 1). */
entropic_status ent_fixed_format_create(entropic_context *context, const ent_fixed *fixed,
                                        const ent_fixed_layout *layout, const ent_fixed_options *options, size_t width,
                                        ent_fixed_format **format);
void ent_fixed_format_free(ent_fixed_format *format);

/* An empty block; the format is borrowed. */
entropic_status ent_fixed_block_create(entropic_context *context, const ent_fixed_format *format,
                                       ent_fixed_block **block);
void ent_fixed_block_free(ent_fixed_block *block);

/* Back to no rows. */
void ent_fixed_block_clear(ent_fixed_block *block);

/* Packs further rows, dense or compressed; there must be room. BAD_DATA, with row and column, if a value is beyond its
 * scale: then the block must be cleared. */
entropic_status ent_fixed_block_add(entropic_context *context, ent_fixed_block *block, const ent_lifted *lifted);

/* To be called after the last rows, before the block is multiplied. */
void ent_fixed_block_finish(ent_fixed_block *block);

/* BAD_ARGUMENT unless the lifted rows have the features of the statistics, and targets if there are any. */
entropic_status ent_fixed_check_lifted(entropic_context *context, const ent_fixed *fixed, const ent_lifted *lifted);

/* BAD_DATA: the value of this column of this row, from 0 on, is beyond its scale. A target has `slices` columns. */
entropic_status ent_fixed_fail_value(entropic_context *context, const ent_fixed *fixed, size_t row, size_t column,
                                     size_t slices);

#endif
