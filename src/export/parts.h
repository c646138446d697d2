/* What an export is made of: a model as tables, whatever language they are written in.
 *
 * A row has a value for each input in use. A value is scaled to [0,1]. Levels of the input then have an atom and its value
 * there. Atoms in use are numbered through all levels of all inputs: slots. A feature is a product of the values of some
 * slots, and a score the sum of an offset and of weights times features. */
#ifndef ENT_EXPORT_PARTS_H
#define ENT_EXPORT_PARTS_H

#include "design/design.h"
#include "explain/effects.h"
#include "model/intervals.h"

/* The numbers of a level, by shape: see docs/export-format.md, whose names these are. */
typedef enum ent_export_shape {
  ENT_EXPORT_CONSTANT, /* value */
  ENT_EXPORT_CATEGORY, /* value: the atom is the code */
  ENT_EXPORT_MISSING,  /* value, where the input is missing */
  ENT_EXPORT_LINE,     /* scale, centre */
  ENT_EXPORT_HAT,      /* scale */
  ENT_EXPORT_LEGENDRE, /* scale, degree */
  ENT_EXPORT_EVEN,     /* scale, rate */
  ENT_EXPORT_ODD,      /* scale, rate, small scale */
  ENT_EXPORT_SINH_HAT, /* scale, rate, small scale */
  ENT_EXPORT_SERIES,   /* of each atom a piecewise Chebyshev series */
  ENT_EXPORT_SHAPES
} ent_export_shape;

#define ENT_EXPORT_NUMBERS 3 /* of a level, at most */

typedef struct ent_export_level {
  ent_export_shape shape;
  int depth;          /* the cells of its hats: 2^(depth - 1); 0: it has no cells */
  size_t slot, count; /* its atoms in use */
  size_t number;      /* where its numbers begin; of series, where its atoms begin among all that are series */
} ent_export_level;

typedef struct ent_export_piece {
  double first, last;
  size_t term, terms;
} ent_export_piece;

/* Series of atoms: number `s` has pieces starts[s] .. starts[s + 1] - 1, by place. */
typedef struct ent_export_series {
  size_t *starts;
  size_t count, start_capacity;
  ent_export_piece *pieces;
  size_t piece_count, piece_capacity;
  double *terms;
  size_t term_count, term_capacity;
} ent_export_series;

/* Whole numbers close to a line: number k is base + step * k + some bits, but for the last number, which is apart. */
typedef struct ent_export_sequence {
  int64_t base, step, last;
  unsigned bits; /* of each number, at most ENT_EXPORT_MOST_BITS; 0: it is the line itself */
  bool plain;    /* these stand in a table of 16 bits: it is faster to search in */
} ent_export_sequence;

#define ENT_EXPORT_MOST_BITS 55u

/* What rounded places may change: a score by a 2^42nd of its range (2.3e-13), and a scaled value by 2^-36. */
#define ENT_EXPORT_ROUNDING 0x1p-42
#define ENT_EXPORT_MOST_ROUNDING 0x1p-36

/* How the knots of an input can be written shorter. Places are mostly decimals: whole numbers of some unit. If that takes
 * more bits than predictions need, they are rounded to a larger unit. Heights are mostly ranks: whole numbers of half a
 * row, of blended scaling with a part that is linear in the place. */
typedef struct ent_export_knots {
  bool whole; /* a place is a whole number over unit, to the last bit unless it is rounded */
  bool rounded;
  double unit;                /* 1 unless they are */
  bool ranked;                /* a height is rank / ranks + (place - first place) / width */
  double ranks;               /* 0 unless they are */
  double width;               /* 0: without the second part */
  ent_export_sequence places; /* the whole numbers */
  ent_export_sequence rank;   /* the ranks */
  size_t places_number;       /* among all sequences */
  size_t rank_number;
  bool shared; /* the ranks are those of an input before it */
} ent_export_knots;

/* Rows to test an export with, and the model's answers. */
typedef struct ent_export_rows {
  size_t rows;
  double *x;             /* [rows x inputs in use] in the units of the data */
  double *scores;        /* [rows x scores] */
  double *predictions;   /* [rows x targets]; a class that is too close to call is NaN */
  double *probabilities; /* [rows x classes]; NULL for numbers */
  double *effects;       /* [rows x scores x (1 + inputs in use)]; NULL without marginals */
  double *levels;        /* [rows] of intervals; these three are NULL without intervals */
  double *intervals;     /* [rows x 2 targets] of a row first the lower ends; NULL for classes */
  double *sets;          /* [rows x classes] 1: in the set, NaN: too close to call; NULL for numbers */
  double magnitude;      /* the largest sum of the sizes of what a score is the sum of: rounding is relative to it */
} ent_export_rows;

typedef struct ent_export_parts {
  const entropic_model *model;
  ent_marginals *atoms; /* the slots, where the model keeps no marginals */
  ent_effects *effects; /* features as products */
  bool has_effects;     /* there are means: marginals are kept, or centres are the training rows */
  size_t slots, most;   /* most: factors of a feature */
  size_t scaled; /* scaled inputs: the inputs in use as the first component scales them, then the second, and so on */
  ent_export_level *levels;
  size_t level_count;
  size_t *level_starts; /* [scaled + 1] */
  uint64_t *slot_atoms; /* [slots] the number of each atom in its level */
  size_t *slot_inputs;  /* [slots] the input in use that each atom is of */
  double *numbers;      /* of levels */
  size_t number_count;
  ent_export_series series;
  bool used[ENT_EXPORT_SHAPES]; /* which shapes there are */
  ent_export_knots *knots;      /* [scaled] */
  ent_formula *kernels;         /* [scaled] of components of centres; of others nothing */
  size_t centres;               /* of all components */
  bool wide;                    /* knots are further apart than the largest number */
  ent_export_rows check;
  char hash[2 * ENT_SHA256_SIZE + 1]; /* of the model's file; "" if it cannot be saved */
} ent_export_parts;

/* The model must outlive them. single: rows to test with are of floats. BAD_ARGUMENT, with the input, for features of
 * kernels that are not smooth enough, and for centres of kernels without a formula. */
entropic_status ent_export_parts_create(entropic_context *context, const entropic_model *model, bool single,
                                        ent_export_parts **parts);
void ent_export_parts_free(ent_export_parts *parts);

/* Of an input in use: its number in the model, its name and the like. */
static inline size_t ent_export_input(const ent_export_parts *parts, size_t place) {
  return parts->effects->inputs[place];
}
static inline const ent_input *ent_export_schema(const ent_export_parts *parts, size_t place) {
  return &parts->model->schema.input[ent_export_input(parts, place)];
}
/* Of a scaled input: its component, its input in use, its scale and axis, its marginal, and the slot of its first atom. */
static inline const ent_effect_part *ent_export_part(const ent_export_parts *parts, size_t scaled) {
  return &parts->effects->parts[scaled / parts->effects->used];
}
static inline size_t ent_export_owner(const ent_export_parts *parts, size_t scaled) {
  return scaled % parts->effects->used;
}
static inline const ent_scale *ent_export_scale(const ent_export_parts *parts, size_t scaled) {
  size_t input = ent_export_input(parts, ent_export_owner(parts, scaled));
  return &ent_export_part(parts, scaled)->component->scaler->scales[input];
}
static inline const ent_axis *ent_export_axis(const ent_export_parts *parts, size_t scaled) {
  return ent_export_part(parts, scaled)
      ->component->kernel->axes[ent_export_input(parts, ent_export_owner(parts, scaled))];
}
static inline const ent_marginal *ent_export_marginal(const ent_export_parts *parts, size_t scaled) {
  return &ent_export_part(parts, scaled)->marginals->input[ent_export_input(parts, ent_export_owner(parts, scaled))];
}
static inline size_t ent_export_first_slot(const ent_export_parts *parts, size_t scaled) {
  return ent_export_part(parts, scaled)->places[ent_export_owner(parts, scaled)];
}
/* Of an input in use: the means of its atoms, of all components. */
static inline const ent_marginal *ent_export_joint(const ent_export_parts *parts, size_t place) {
  return &parts->effects->marginals->input[ent_export_input(parts, place)];
}
/* The place among those in use of an input that a spread depends on. */
static inline size_t ent_export_place(const ent_export_parts *parts, size_t input) {
  size_t place = 0;
  while (place + 1 < parts->effects->used && ent_export_input(parts, place) != input)
    place++;
  return place;
}
/* What the line of a scaled input that goes on adds to a score at one range outside its range; 0: it does not go on. */
static inline double ent_export_beyond(const ent_export_parts *parts, size_t scaled, size_t score) {
  const ent_effect_part *part = ent_export_part(parts, scaled);
  size_t at = ent_export_owner(parts, scaled) * parts->model->scores + score;
  double slope = part->beyond == NULL ? 0 : part->beyond[at];
  return part->component->scaler->scaling == ENTROPIC_SCALING_BLEND ? slope / 2 : slope;
}
static inline bool ent_export_goes_beyond(const ent_export_parts *parts, size_t scaled) {
  const entropic_design *design = ent_export_part(parts, scaled)->component->design;
  const bool *beyond = design == NULL ? NULL : design->beyond;
  return beyond != NULL && beyond[ent_export_input(parts, ent_export_owner(parts, scaled))];
}
/* The slot of a factor. */
static inline size_t ent_export_slot(const ent_export_parts *parts, ent_effect_factor factor) {
  return parts->effects->places[factor.input] + factor.atom;
}
/* Whether values of an input that are missing stay missing, or have an atom of their own; otherwise they are 1/2 after
 * scaling, or a category that was not seen. */
static inline bool ent_export_keeps_missing(const ent_export_parts *parts, size_t place) {
  const ent_scale *scale = ent_export_scale(parts, place);
  return scale->categories > 0 ? scale->cells > scale->categories + 1 : scale->missing;
}

/* The centres that the component of a scaled input has; NULL if it has features. */
static inline const ent_sections *ent_export_sections(const ent_export_parts *parts, size_t scaled) {
  return ent_export_part(parts, scaled)->sections;
}
/* The coordinate of a centre: within [0,1], of a category its cell; -1 where a number is missing and the kernel knows
 * that, -2 where a category was not seen. */
double ent_export_coordinate(const ent_export_parts *parts, size_t scaled, size_t centre);
/* What k is of two missing values, where the kernel knows them; otherwise 0. */
double ent_export_missing_kernel(const ent_export_parts *parts, size_t scaled);

/* ---- What these are made by ---- */

/* The shape of a level and its numbers, by how it is evaluated: ENT_EXPORT_SERIES if it is none of those known. */
ent_export_shape ent_export_recognise(const ent_axis *axis, const ent_level *level, double numbers[ENT_EXPORT_NUMBERS],
                                      size_t *count);
/* How many numbers a shape has. */
size_t ent_export_number_count(ent_export_shape shape);

/* How far the scaled values of each input in use may be off: tolerances[inputs in use]; 0: not at all. Levels, and rows to
 * test with, must be there. */
entropic_status ent_export_tolerances(entropic_context *context, const ent_export_parts *parts, double *tolerances);

/* What is true of the knots of a scale. Places are exact, or rounded so that no scaled value is further off than the
 * tolerance; heights are exact to a unit in the last place of 1. rows: that it may have been learnt from; single: whole
 * numbers are those that a float has, and none are rounded. */
ent_export_knots ent_export_shorten(const ent_scale *scale, size_t rows, bool single, double tolerance);
/* The whole number of a knot, and its rank. */
int64_t ent_export_knot_integer(const ent_export_knots *knots, const ent_scale *scale, size_t knot);
int64_t ent_export_rank(const ent_export_knots *knots, const ent_scale *scale, size_t knot);
/* Numbers the sequences of all inputs. Inputs that have the same line of ranks share one. */
void ent_export_number_sequences(ent_export_parts *parts);
/* How many numbers, but the last, may be as far as the line is at some place: rounding included. */
size_t ent_export_span(const ent_export_sequence *sequence, size_t numbers);
/* What is left of a number without the line. `number` is one of both above. */
typedef int64_t (*ent_export_number_at)(const ent_export_knots *knots, const ent_scale *scale, size_t knot);
uint64_t ent_export_left(const ent_export_knots *knots, const ent_scale *scale, ent_export_number_at number,
                         size_t knot);
/* How many words of 64 bits the bits of all numbers are; and one of these words. */
size_t ent_export_word_count(const ent_export_sequence *sequence, size_t numbers);
uint64_t ent_export_word(const ent_export_knots *knots, const ent_scale *scale, ent_export_number_at number,
                         size_t word);

/* Adds the series of one atom: of hats by their number. *smooth says whether there is one; if not, nothing is added. */
entropic_status ent_export_series_add(entropic_context *context, ent_export_series *series, const ent_axis *axis,
                                      const ent_level *level, uint64_t atom, bool *smooth);
void ent_export_series_clear(ent_export_series *series);

entropic_status ent_export_rows_make(entropic_context *context, ent_export_parts *parts, bool single);
void ent_export_rows_clear(ent_export_rows *rows);

#endif
