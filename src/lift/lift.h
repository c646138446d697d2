/* The plan by which rows become features.
 *
 * Rows are taken ENT_TILE at a time and transposed into columns, so that every step is the same operation on ENT_TILE numbers
 * side by side ("a vector" below). Of each (input, level) that the design uses, a *factor*, the value and the atom at each
 * row are computed once. Groups form a prefix tree over their terms: the vector of a group is that of its parent times
 * one factor. Vectors are kept in numbered slots of the workspace.
 *
 * Inputs whose base level is not the constant 1 enter through the product of all bases at the root, and through factors
 * divided by the base. That works as long as no factor vanishes, overflows or loses bits; rows where one might
 * (extended_range.c) are computed again with exponents carried separately. */
#ifndef ENT_LIFT_LIFT_H
#define ENT_LIFT_LIFT_H

#include "design/design.h"

#define ENT_TILE 32
#define ENT_CHUNK 64 /* groups whose vectors wait together to be transposed into rows */
#define ENT_NONE UINT32_MAX

/* A row is computed without care if, summed over the inputs, the largest exponents (in size) that one of its factors has
 * stay below this: half of what a double holds, since a quotient of two factors must fit as well. */
#define ENT_SAFE_EXPONENTS 500

/* Below this a positive x is computed with care. */
#define ENT_TINY 0x1p-60

typedef struct ent_factor {
  const ent_axis *axis;
  const ent_level *level;
  uint32_t column;    /* which of the inputs in use */
  uint32_t values;    /* the vector that it is computed from: that of its column, or one of those that go on */
  uint32_t slot;      /* its vector */
  uint32_t atom_slot; /* the vector of its atoms, if it has several */
  uint32_t base;      /* the factor that is its input's base and divides it; ENT_NONE if that is the constant 1 */
  bool in_slot; /* its vector is computed into its slot; false if the one node that needs it computes it in place */
} ent_factor;

/* How the atom of a row in a group becomes a column. */
typedef enum ent_lookup {
  ENT_LOOKUP_ONE,   /* one atom, one column */
  ENT_LOOKUP_RANGE, /* column = first + atom, if atom < count */
  ENT_LOOKUP_TABLE, /* column = table[atom], -1 for none */
  ENT_LOOKUP_LIST   /* binary search for atom in list */
} ent_lookup;

typedef struct ent_place {
  uint64_t atom;
  int32_t column;
} ent_place;

/* What a node does, from the most special to the most general. */
typedef enum ent_lift_step {
  ENT_STEP_LINE,    /* one column, a line of one input, computed straight into place */
  ENT_STEP_HAT,     /* one column, the hat of level 1 of one input, likewise */
  ENT_STEP_HATS,    /* few columns, the hats of a deeper level of one input, likewise */
  ENT_STEP_PRODUCT, /* one column, a product on which nothing builds */
  ENT_STEP_SPREAD,  /* few columns, of a factor that is in a slot */
  ENT_STEP_FEW,     /* few columns of any kind */
  ENT_STEP_ANY      /* any number of columns, or none */
} ent_lift_step;

/* Groups of so few columns are written column by column, more by looking up the column of each row. */
#define ENT_FEW 8

/* Hats of levels with so few atoms are computed straight into place. Each costs more than selecting its rows from the
 * vector of all, but neither that nor the atoms have to be kept, which saves more. */
#define ENT_DIRECT 4

/* One step: vector[parent] times vector[factor_slot], kept in vector[store] if others build on it. */
typedef struct ent_node {
  ent_lift_step step;
  ent_lookup lookup;
  uint32_t parent, factor_slot;
  uint32_t column; /* lines and hats: the vector that they are computed from */
  uint32_t store;  /* or ENT_NONE */
  uint32_t atoms;  /* the vector of its atoms; ENT_NONE if it has one atom */
  uint32_t factor; /* if both its parent and its last factor have several atoms: that factor; otherwise ENT_NONE */
  uint32_t parent_atoms; /* and the vector of the parent's atoms */
  uint32_t emit;         /* its place in a row that has all groups; ENT_NONE if nothing is written */
  int32_t first;         /* the column, or the first one */
  int32_t count;         /* columns in all */
  double scale, centre;  /* lines and hats; of hats centre is the number of cells */
  size_t places;         /* where its table or list starts */
} ent_node;

/* A stretch of nodes that take the same step and write columns next to each other. */
typedef struct ent_run {
  uint32_t first_node, nodes;
  ent_lift_step step;
} ent_run;

/* What has a version for each instruction set. All work on whole tiles. Atoms are kept as doubles, which hold them
 * exactly, so that they are compared in vectors of the same width as values. */
typedef struct ent_code {
  const char *name;
  /* Transposes ENT_TILE rows into columns [inputs in use][ENT_TILE]; returns whether all are from ENT_TINY to 1. */
  bool (*load)(const entropic_lift *lift, const double *x, size_t stride, double *columns);
  /* Clamps columns to [0,1]. Sets bit r of *rare where a value of row r is positive but below ENT_TINY; returns whether
   * all were finite. */
  bool (*clamp)(const entropic_lift *lift, double *columns, uint32_t *rare);
  /* Values and atoms of all factors that are in a slot. */
  void (*factors)(const entropic_lift *lift, entropic_workspace *workspace);
  /* A bit for each row that must be computed with care. */
  uint32_t (*rare)(const entropic_lift *lift, entropic_workspace *workspace);
  /* The product of all bases to the root; other factors of their inputs are divided by them. */
  void (*bases)(const entropic_lift *lift, entropic_workspace *workspace);
  /* The columns of a run of any step but ENT_STEP_ANY, from out on, stride apart. */
  void (*columns)(const entropic_lift *lift, entropic_workspace *workspace, const ent_node *nodes, size_t count,
                  double *out, size_t stride);
  /* The vectors of any nodes. */
  void (*vectors)(const entropic_lift *lift, entropic_workspace *workspace, const ent_node *nodes, size_t count,
                  double *out);
  /* rows[r * stride + i] = chunk[i * ENT_TILE + r] for i < count; returns whether any was 0. */
  bool (*transpose)(const double *chunk, size_t count, double *rows, size_t stride);
  /* sums[r] += weights[columns[i]] * vectors[i * ENT_TILE + r], for one i < count after the other. */
  void (*add)(const double *vectors, const int32_t *columns, size_t count, const double *weights, double *sums);
  /* sums[r] += weights[columns[r]] * values[r]. */
  void (*gather)(const double *values, const int32_t *columns, const double *weights, double *sums);
} ent_code;

extern const ent_code ent_code_reference;
#if defined(__x86_64__)
extern const ent_code ent_code_avx2, ent_code_avx512;
#endif

struct entropic_lift {
  entropic_kernel *kernel;
  const ent_code *code;
  size_t inputs, features;
  uint32_t column_count;  /* inputs in use */
  uint32_t *column_input; /* which they are */
  uint32_t beyond_count;  /* of these, how many have a line that goes on outside [0,1] (design.h) */
  uint32_t *beyond;       /* their columns; the vectors that are not clamped to [0,1] follow those of all columns */
  uint32_t factor_count;
  ent_factor *factors;
  uint32_t base_count; /* inputs with a base that is not constant */
  uint32_t *bases;     /* their factors */
  bool missing;        /* values of some inputs may be missing */
  bool careful;        /* nothing is known beforehand: look at the exponents of each row */
  size_t node_count;
  ent_node *nodes;
  size_t run_count;
  ent_run *runs;
  uint32_t emit_count;
  uint32_t *emit_nodes;
  size_t *emit_terms; /* emit_count + 1: where its factors start in term_factors */
  uint32_t *term_factors;
  int32_t *emit_columns; /* the column of groups that have one, to be copied to each row */
  bool unsorted;         /* groups share terms: a row's columns come out of order */
  ent_place *places;     /* lists */
  int32_t *tables;
  uint32_t slot_count;      /* vectors kept: 0 is all ones, 1 the root */
  uint32_t atom_slot_count; /* vectors of atoms: 0 is for those that nobody builds on */
};

struct entropic_workspace {
  double *padded;     /* the last rows of a block, made up to a tile */
  double *columns;    /* column_count + beyond_count vectors */
  uint32_t *missing;  /* column_count: a bit for each row of the tile where a value is missing */
  double *slots;      /* slot_count vectors */
  double *chunk;      /* ENT_CHUNK vectors */
  double *atoms;      /* atom_slot_count vectors */
  double *inverses;   /* factor_count vectors: 1 / base, for factors that are one */
  int64_t *exponents; /* column_count vectors */
  double *row_values; /* factor_count: one row of factors, for rare rows */
  uint32_t *row_atoms;
  double *rare_values; /* emit_count: one row of groups */
  int32_t *rare_columns;
};

/* Fills in all of the lift but code and kernel. */
entropic_status ent_plan(entropic_context *context, const entropic_design *design, entropic_lift *lift);

/* A value that goes on, but not for ever; NaN stays. */
static inline double ent_lift_beyond(double x) {
  return x < -ENT_BEYOND_MOST ? -ENT_BEYOND_MOST : x > 1 + ENT_BEYOND_MOST ? 1 + ENT_BEYOND_MOST : x;
}

/* BAD_ARGUMENT if rows would overlap. */
entropic_status ent_check_stride(entropic_context *context, const entropic_lift *lift, size_t stride);

/* The column of an atom of a node's group; -1 if the design has no such feature. */
int32_t ent_find_column(const entropic_lift *lift, const ent_node *node, uint64_t atom);

/* Rows to lift: x[row * stride + input]. In messages the first is called number first + 1. */
typedef struct ent_lift_rows {
  const double *x;
  size_t count, stride, first;
} ent_lift_rows;

/* Rows that are lifted together. */
typedef struct ent_tile {
  size_t count;  /* at most ENT_TILE */
  uint32_t rare; /* a bit for each row that must be computed again */
} ent_tile;

/* Columns, factors and root of the rows from `first` on, as many as a tile has. */
entropic_status ent_tile_start(entropic_context *context, const entropic_lift *lift, entropic_workspace *workspace,
                               const ent_lift_rows *rows, size_t first, ent_tile *tile);

/* How many of the nodes from `first` on write one column each, at most `most`. */
size_t ent_single_columns(const entropic_lift *lift, size_t first, size_t most);

/* For a node that may have several columns: its vector into values and, if it writes any, its columns (-1 for none). */
void ent_tile_node(const entropic_lift *lift, entropic_workspace *workspace, const ent_node *node, double *values,
                   int32_t *columns);

/* Where compressed rows go, as entropic_lift_sparse has them. */
typedef struct ent_lift_entries {
  size_t *starts;
  int32_t *columns;
  double *values;
} ent_lift_entries;

/* entropic_lift_sparse, with numbers of rows for messages. */
entropic_status ent_lift_sparse(entropic_context *context, const entropic_lift *lift, entropic_workspace *workspace,
                                const ent_lift_rows *rows, const ent_lift_entries *entries);

/* Linear functions of the features. */
typedef struct ent_lift_linear {
  const double *weights; /* count x features */
  const double *offsets; /* count */
  size_t count;
  double *sums; /* count x ENT_TILE of scratch memory */
} ent_lift_linear;

/* Their values without writing the features anywhere: scores[row * count + k] = offsets[k] + the sum of
 * weights[k * features + column] * z(row, column). A row's sum is taken in an order that depends on the lift alone, so it
 * has the same bits whatever the other rows are. Does not allocate. */
entropic_status ent_lift_scores(entropic_context *context, const entropic_lift *lift, entropic_workspace *workspace,
                                const ent_lift_rows *rows, const ent_lift_linear *functions, double *scores);

/* The same of one row, in a fraction of a tile's time: room[ent_lift_row_room(lift)] numbers of scratch memory;
 * functions->sums is not used. False, with scores undefined, if the row must be computed with care or cannot be lifted:
 * ent_lift_scores does that. Does not allocate. */
size_t ent_lift_row_room(const entropic_lift *lift);
bool ent_lift_row(const entropic_lift *lift, const double *x, const ent_lift_linear *functions, double *room,
                  double *scores);

/* exponents[features]: no feature is above 2^exponents[feature] in size, but for rounding. */
void ent_lift_exponents(const entropic_lift *lift, int *exponents);

/* Computes one row of the tile anew (extended_range.c): value and column (-1 for none) of every group, into the workspace's rare_*. */
void ent_extended_row(const entropic_lift *lift, entropic_workspace *workspace, size_t row);

#endif
