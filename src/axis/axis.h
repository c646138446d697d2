/* One input: its one-dimensional kernel and the levels of atoms that expand it.
 *
 * An axis is a list of levels. A level has any number of atoms, of which at most one is not zero at any point, so "which
 * atom, and its value" says all there is to know of a level at x. Every kind of input fits this: hats, boundary atoms,
 * polynomials (one atom), categories (an atom for each value, a missing one perhaps among them), missing numbers (one
 * atom). A family is one file that fills in the levels. What follows (design, lift) knows levels only. */
#ifndef ENT_AXIS_AXIS_H
#define ENT_AXIS_AXIS_H

#include <math.h>
#include <stdbool.h>

#include "base/memory.h"

typedef struct ent_axis ent_axis;
typedef struct ent_level ent_level;

/* Which atom is non-zero at each of x[count] (in [0,1], or NaN on an axis with an atom for missing values), and its value
 * there. */
typedef void (*ent_evaluate)(const ent_axis *axis, const ent_level *level, const double *x, size_t count,
                             uint32_t *atoms, double *values);

/* Shapes that other rooms may compute in their own, faster way, from the numbers of the level alone. */
typedef enum ent_shape {
  ENT_SHAPE_ONE,  /* 1 */
  ENT_SHAPE_LINE, /* scale * (x - centre) */
  ENT_SHAPE_HAT,  /* scale * height of a piecewise linear hat of level `order` */
  ENT_SHAPE_EVEN, /* see hyperbolic.h for these */
  ENT_SHAPE_SMALL_EVEN,
  ENT_SHAPE_ODD,
  ENT_SHAPE_SMALL_ODD,
  ENT_SHAPE_SINH_HAT,
  ENT_SHAPE_SMALL_SINH_HAT,
  ENT_SHAPE_GENERAL /* only `evaluate` knows */
} ent_shape;

struct ent_level {
  entropic_level info;
  ent_shape shape;
  ent_evaluate evaluate;
  ent_evaluate present; /* on an axis with an atom for missing values: what it is where x is not missing */
  double scale;         /* factor of the shape: the square root of c, or 1 for atoms of unit height */
  double rate;          /* hyperbolic hats: w h; hyperbolic boundary atoms: w */
  double small_scale;   /* hyperbolic atoms: factor of sinh and cosh where their argument is small */
  double centre;        /* lines */
  int floor;            /* where x is 0 or at least 2^-60, a value is either 0 or at least 2^floor in size */
  int ceiling;          /* and never above 2^ceiling */
  bool vanishes;        /* some atom, or its neighbour's gap, can be 0 in [0,1] */
  bool positive;        /* no atom is below 0 in [0,1] */
  bool uneven;          /* the atoms of this level have different scores: see atom_score */
};

/* What a kernel is as a function of two points, by which sums over many points are made in few steps. With the interior
 * basis every kernel is a product. */
typedef enum ent_section_form {
  ENT_SECTION_PRODUCT, /* p(min(x,y)) q(max(x,y)) */
  ENT_SECTION_KINK,    /* 1 + w/4 + twist w (x-1/2)(y-1/2) - w |x-y| / 2, and smooth atoms */
  ENT_SECTION_CELLS    /* 1 + w/4 where both are in the same cell other than the last, otherwise 1 */
} ent_section_form;

/* The kernel of an axis as a formula of x and y, for programs that are not ours. m = min(x,y), M = max(x,y), d = M - m
 * and s = x + y; n are the numbers. */
#define ENT_FORMULA_NUMBERS 5
typedef enum ent_formula_shape {
  ENT_FORMULA_NONE,
  ENT_FORMULA_KINK,         /* n0 + n1 (x-1/2)(y-1/2) - n2 d */
  ENT_FORMULA_MIN,          /* n0 + n1 m */
  ENT_FORMULA_BRIDGE,       /* n0 m (1-M) */
  ENT_FORMULA_DECAY,        /* exp(-n0 d) */
  ENT_FORMULA_EXPONENTIALS, /* n0 (exp(-n1 d) + n2 exp(-n1 s) + n3 exp(-n1 (2-s)) + n4 exp(-n1 (2-d))) */
  ENT_FORMULA_SINH,         /* n0 exp(-n1 d) expm1(-2 n1 m) expm1(-2 n1 (1-M)) */
  ENT_FORMULA_CELLS,        /* n0, and n0 + n1 in the same cell other than the last */
  ENT_FORMULA_SHAPES
} ent_formula_shape;

typedef struct ent_formula {
  ent_formula_shape shape;
  double numbers[ENT_FORMULA_NUMBERS];
} ent_formula;

/* A family of kernels: what it can do, and how. One file each, and one line in ENTROPIC_FAMILY_MAP; all other code asks
 * this table. docs/adding-a-kernel.md leads through a new one. */
typedef struct ent_family {
  const char *name;
  const char *help;      /* one line; people see it in the help of the command */
  unsigned traits;       /* bits of entropic_trait */
  uint32_t since;        /* the first format of model files that knows the family */
  ent_section_form form; /* with the full basis */
  double twist;          /* of a kink */
  /* Appends the levels; checks what only this family knows about its options. */
  entropic_status (*prepare)(entropic_context *context, ent_axis *axis);
  /* k(x,y) for x <= y; with the interior basis, the interior part. */
  double (*kernel)(const ent_axis *axis, double x, double y);
  /* Score of one atom of an uneven level; NULL for families that have none. */
  double (*atom_score)(const ent_axis *axis, const ent_level *level, uint64_t atom, entropic_criterion criterion);
  ent_formula (*formula)(const ent_axis *axis); /* without smooth atoms; NULL for families that have none */
  void (*release)(ent_axis *axis);              /* NULL if there is nothing to release */
} ent_family;

/* What most families of numbers have. */
#define ENT_TRAITS_PLAIN (ENTROPIC_TRAIT_OMEGA | ENTROPIC_TRAIT_HATS | ENTROPIC_TRAIT_SAVED)

#define ENT_FAMILY_DECLARE(name, number, table) extern const ent_family ent_family_##table;
ENTROPIC_FAMILY_MAP(ENT_FAMILY_DECLARE)
#undef ENT_FAMILY_DECLARE

/* The table of a family; NULL for a number that is none. */
const ent_family *ent_family_of(entropic_family family);

/* How many families there are: they have the numbers 0 to count - 1. */
size_t ent_family_count(void);
/* "exp(-w|x-y|)", one line about a family: the text lives for ever; NULL for a number that is no family. */
const char *ent_family_help(entropic_family family);

/* The names of the families that have these traits, "centred or sobolev", for messages. Returns text. */
#define ENT_FAMILIES_SIZE 256
const char *ent_families_with(unsigned traits, char text[ENT_FAMILIES_SIZE]);

/* The traits of an axis of these options: those of its family. A custom kernel as text can be saved, and has omega if w
 * stands in the text. */
unsigned ent_axis_traits(const entropic_axis_options *options);
/* Whether a custom kernel is given as text; and whether these texts are the same, but for blanks around them. */
bool ent_is_text(const entropic_axis_options *options);
bool ent_same_text(const entropic_axis_options *a, const entropic_axis_options *b);
/* The start and the length of a text without blanks around it; 0 for NULL. */
size_t ent_text_trim(const char **text);

/* The texts of a custom kernel by number, 0 to ENT_TEXTS - 1, with their names. p and q come first. */
#define ENT_TEXTS 6
#define ENT_TEXT_ALPHA 2 /* from here on those of an equation */
#define ENT_TEXT_LEFT 4  /* from here on those of its ends: two values each */
extern const char *const ent_text_names[ENT_TEXTS];
const char **ent_text_of(entropic_axis_options *options, int text);

struct ent_axis {
  entropic_axis_options options;
  const ent_family *family;
  unsigned traits;
  size_t level_count;
  ent_level *levels;
  void *extra; /* the family's own */
};

entropic_axis_options ent_axis_options_default(void);
entropic_status ent_axis_create(entropic_context *context, const entropic_axis_options *options, ent_axis **axis);
void ent_axis_free(ent_axis *axis);

/* The formula of the kernel; of shape NONE if it has none, as with smooth atoms and custom kernels. */
ent_formula ent_axis_formula(const ent_axis *axis);

/* The most atoms a category axis has. */
#define ENT_MAX_CATEGORIES ((size_t)1 << 24)

/* Whether an axis of these options may have an atom for missing values. */
bool ent_takes_missing(const entropic_axis_options *options);
/* Whether x is a value that the axis takes: finite, or missing where it has an atom for that. */
static inline bool ent_accepts(const ent_axis *axis, double x) {
  return isfinite(x) || (axis->options.missing && isnan(x));
}

/* The next free level; prepare may append at most ENT_LEVEL_LIMIT. */
#define ENT_LEVEL_LIMIT (ENTROPIC_MAX_LEVEL + 16)
ent_level *ent_axis_append(ent_axis *axis);

/* Of a level that is not uneven, or on average over one that is; criterion l2 or sup. */
double ent_level_score(const ent_level *level, entropic_criterion criterion);

/* The largest value of any atom of a level, in size, but for rounding; of custom kernels up to four times that. */
double ent_level_bound(const ent_axis *axis, const ent_level *level);

/* x into [0,1]; NaN stays. */
double ent_clamp(double x);

/* The cell of x in [0,1] at level l >= 1, and how far up its hat x is: 0 at the ends of the support, 1 at the node.
 * Exact: no rounding takes place. */
uint32_t ent_cell(double x, int level, double *height);

#endif
