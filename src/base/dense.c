/* Products of blocks that are packed for the tiles of dense_code.h. */
#include "base/dense.h"

#include <string.h>

#include "base/memory.h"
#include "base/processor.h"

size_t ent_dense_codes(const ent_dense_code *codes[ENT_DENSE_MOST_CODES]) {
  size_t count = 0;
#if defined(__x86_64__)
  if (ent_processor_has_avx512())
    codes[count++] = &ent_dense_avx512;
  if (ent_processor_has_avx2())
    codes[count++] = &ent_dense_avx2;
#endif
  codes[count++] = &ent_dense_reference;
  return count;
}

const ent_dense_code *ent_dense_best(void) {
  const ent_dense_code *codes[ENT_DENSE_MOST_CODES];
  ent_dense_codes(codes);
  return codes[0];
}

/* The doubles that a block of at most `most` rows and columns takes, in whole tiles, and a strip of them. */
static size_t block_size(size_t most) {
  size_t rows = most < ENT_DENSE_MOST_ROWS ? ENT_DENSE_MOST_ROWS : most;
  if (rows >= ENT_DENSE_ROWS)
    return ENT_DENSE_BLOCK;
  size_t size = (rows + ENT_DENSE_MOST_ROWS) * (rows < ENT_DENSE_DEPTH ? rows : ENT_DENSE_DEPTH);
  return size < ENT_DENSE_BLOCK ? size : ENT_DENSE_BLOCK;
}

entropic_status ent_dense_create(entropic_context *context, size_t count, size_t most, ent_dense **dense) {
  size_t size = ENT_DENSE_PANEL + block_size(most) / 8 * 8 + 8;
  ent_dense *made = ent_new(context, count, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  double *rooms = ent_new_raw(context, count, size, sizeof *rooms);
  if (rooms == NULL) {
    ent_delete(made);
    return ENTROPIC_NO_MEMORY;
  }
  for (size_t i = 0; i < count; i++)
    made[i] = (ent_dense){.code = ent_dense_best(), .room = rooms + i * size};
  *dense = made;
  return ENTROPIC_OK;
}

void ent_dense_free(ent_dense *dense) {
  if (dense == NULL)
    return;
  ent_delete(dense[0].room);
  ent_delete(dense);
}

/* Part of a task: rows i, columns j and products k from the first on, and how many. */
typedef struct ent_dense_part {
  size_t i, rows, j, columns, k, depth;
} ent_dense_part;

static double element(const ent_operand *m, size_t i, size_t j) {
  bool swap = m->symmetric && i > j;
  return m->at[(ptrdiff_t)(swap ? j : i) * m->row + (ptrdiff_t)(swap ? i : j) * m->column];
}

/* Copies `count` elements that are `apart` from each other: to[k * step]. */
static void copy_line(const double *from, ptrdiff_t apart, size_t count, double *to, size_t step) {
  for (size_t k = 0; k < count; k++)
    to[k * step] = from[(ptrdiff_t)k * apart];
}

/* Strips of code->rows rows of a, one after the other, each with all products: to[strip][k][row]. */
static void pack_a(const ent_dense_code *code, const ent_product_task *task, const ent_dense_part *part, double *to) {
  const ent_operand *a = &task->a;
  for (size_t first = 0; first < part->rows; first += code->rows, to += code->rows * part->depth)
    for (size_t row = 0; row < code->rows; row++) {
      size_t i = part->i + first + row, below = i > part->k ? i - part->k : 0;
      if (first + row >= part->rows) {
        copy_line(&(double){0}, 0, part->depth, to + row, code->rows);
        continue;
      }
      /* Products before `below` are in the lower triangle, of which symmetric operands store the upper one. */
      below = !a->symmetric ? 0 : below < part->depth ? below : part->depth;
      copy_line(a->at + (ptrdiff_t)part->k * a->row + (ptrdiff_t)i * a->column, a->row, below, to + row, code->rows);
      copy_line(a->at + (ptrdiff_t)i * a->row + (ptrdiff_t)(part->k + below) * a->column, a->column,
                part->depth - below, to + row + below * code->rows, code->rows);
    }
}

/* A panel of code->columns columns of b: to[k][column]. */
static void pack_b(const ent_dense_code *code, const ent_product_task *task, const ent_dense_part *part, double *to) {
  const ent_operand *b = &task->b;
  for (size_t j = 0; j < code->columns; j++) {
    if (j >= part->columns)
      copy_line(&(double){0}, 0, part->depth, to + j, code->columns);
    else if (b->symmetric)
      for (size_t k = 0; k < part->depth; k++)
        to[k * code->columns + j] = element(b, part->k + k, part->j + j);
    else
      copy_line(b->at + (ptrdiff_t)part->k * b->row + (ptrdiff_t)(part->j + j) * b->column, b->row, part->depth, to + j,
                code->columns);
  }
}

/* A tile at the edge of c or on its diagonal, through a buffer. */
static void multiply_edge(const ent_dense_code *code, const ent_product_task *task, const ent_dense_part *part,
                          ent_dense_tile tile) {
  double buffer[ENT_DENSE_MOST_ROWS * ENT_DENSE_MOST_COLUMNS] = {0}, *c = tile.c;
  size_t counts[ENT_DENSE_MOST_COLUMNS] = {0};
  for (size_t j = 0; j < part->columns; j++) {
    size_t above = part->j + j + 1 > part->i ? part->j + j + 1 - part->i : 0;
    counts[j] = task->upper && above < part->rows ? above : part->rows;
    memcpy(buffer + j * code->rows, c + j * task->ld, counts[j] * sizeof *c);
  }
  tile.c = buffer;
  tile.c_column = (ptrdiff_t)code->rows;
  code->tile[task->subtract](&tile);
  for (size_t j = 0; j < part->columns; j++)
    memcpy(c + j * task->ld, buffer + j * code->rows, counts[j] * sizeof *c);
}

/* Packing does not pay for what one or two tiles read. Whether a is read where it is, if its rows are adjacent. */
static bool reads_a(const ent_dense_code *code, const ent_product_task *task) {
  return task->a.row == 1 && !task->a.symmetric && !task->upper && task->columns <= code->columns;
}

/* And b. */
static bool reads_b(const ent_dense_code *code, const ent_product_task *task, const ent_dense_part *part) {
  return !task->b.symmetric && !task->upper && task->rows <= 2 * code->rows && part->columns == code->columns;
}

static void set_b(const ent_dense *dense, const ent_product_task *task, const ent_dense_part *part,
                  ent_dense_tile *tile) {
  const ent_operand *b = &task->b;
  if (reads_b(dense->code, task, part)) {
    tile->b = b->at + (ptrdiff_t)part->k * b->row + (ptrdiff_t)part->j * b->column;
    tile->b_step = b->row;
    tile->b_column = b->column;
    return;
  }
  pack_b(dense->code, task, part, dense->room);
  tile->b = dense->room;
  tile->b_step = (ptrdiff_t)dense->code->columns;
  tile->b_column = 1;
}

/* The strip that begins at row part->i, of those from row `first` on. */
static void set_a(const ent_dense *dense, const ent_product_task *task, const ent_dense_part *part, size_t first,
                  ent_dense_tile *tile) {
  const ent_dense_code *code = dense->code;
  double *packed = dense->room + ENT_DENSE_PANEL;
  bool unpacked = reads_a(code, task);
  if (unpacked && part->rows == code->rows) {
    tile->a = task->a.at + part->i + (ptrdiff_t)part->k * task->a.column;
    tile->a_step = task->a.column;
    return;
  }
  if (unpacked) /* the rows end in this strip */
    pack_a(code, task, part, packed);
  tile->a = unpacked ? packed : packed + (part->i - first) * part->depth;
  tile->a_step = (ptrdiff_t)code->rows;
}

/* A panel of columns of c times all strips of a. */
static void multiply_panel(const ent_dense *dense, const ent_product_task *task, ent_dense_part part) {
  const ent_dense_code *code = dense->code;
  size_t first = part.i, end = part.i + part.rows, last = part.j + part.columns;
  ent_dense_tile tile = {.depth = part.depth, .c_column = (ptrdiff_t)task->ld};
  set_b(dense, task, &part, &tile);
  for (; part.i < end && (!task->upper || part.i < last); part.i += code->rows) {
    part.rows = end - part.i < code->rows ? end - part.i : code->rows;
    set_a(dense, task, &part, first, &tile);
    tile.c = task->c + part.j * task->ld + part.i;
    bool whole = part.rows == code->rows && part.columns == code->columns;
    if (whole && (!task->upper || part.i + part.rows <= part.j + 1))
      code->tile[task->subtract](&tile);
    else
      multiply_edge(code, task, &part, tile);
  }
}

/* Whether the columns of a are adjacent in memory, row by row: then one column of c needs no packing. */
static bool is_plain(const ent_product_task *task) {
  return task->a.row == 1 && !task->a.symmetric && !task->b.symmetric && !task->upper && task->columns < ENT_DENSE_FEW;
}

static void multiply_plain(const ent_dense *dense, const ent_product_task *task) {
  for (size_t j = 0; j < task->columns; j++)
    dense->code->column[task->subtract](&(ent_dense_tile){.depth = task->depth,
                                                          .a = task->a.at,
                                                          .a_step = task->a.column,
                                                          .b = task->b.at + (ptrdiff_t)j * task->b.column,
                                                          .b_step = task->b.row,
                                                          .c = task->c + j * task->ld},
                                        task->rows);
}

static size_t at_most(size_t left, size_t most) {
  return left < most ? left : most;
}

void ent_dense_multiply(const ent_dense *dense, const ent_product_task *task) {
  if (is_plain(task)) {
    multiply_plain(dense, task);
    return;
  }
  for (size_t k = 0; k < task->depth; k += ENT_DENSE_DEPTH)
    for (size_t i = 0; i < task->rows; i += ENT_DENSE_ROWS) {
      ent_dense_part part = {.i = i,
                             .rows = at_most(task->rows - i, ENT_DENSE_ROWS),
                             .k = k,
                             .depth = at_most(task->depth - k, ENT_DENSE_DEPTH)};
      size_t first = task->upper ? i / dense->code->columns * dense->code->columns : 0;
      if (first >= task->columns)
        break;
      if (!reads_a(dense->code, task))
        pack_a(dense->code, task, &part, dense->room + ENT_DENSE_PANEL);
      for (part.j = first; part.j < task->columns; part.j += dense->code->columns) {
        part.columns = at_most(task->columns - part.j, dense->code->columns);
        multiply_panel(dense, task, part);
      }
    }
}

void ent_dense_dots(const ent_dense *dense, const ent_dots_task *task) {
  ent_dense_tile tile = {
      .depth = task->rows, .a = task->a, .a_step = (ptrdiff_t)task->ld, .b = task->x, .c = task->out};
  dense->code->dots(&tile, task->columns);
}
