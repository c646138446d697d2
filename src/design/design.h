/* A design: an ordered list of groups of features. */
#ifndef ENT_DESIGN_DESIGN_H
#define ENT_DESIGN_DESIGN_H

#include "axis/kernel.h"
#include "base/parameters.h"
#include "design/restriction.h"

/* The criterion of designs that a fit has selected from the data: files have this number. */
#define ENT_CRITERION_RESIDUAL ((entropic_criterion)3)
/* "l2", "residual"; NULL for a number that is none. */
const char *ent_criterion_name(int criterion);

/* The calls of the interface without sizes of structs: the rooms know them. */
entropic_design_options ent_design_options_default(void);
entropic_status ent_design_create(entropic_context *context, const entropic_kernel *kernel,
                                  const entropic_design_options *options, entropic_design **design);
/* The same with groups that a restriction allows alone; NULL: all. Their inputs need a level that is the constant: it is
 * the base, whatever its score. BAD_ARGUMENT with a message if an input has none, or the choice is the paper's. */
entropic_status ent_design_create_restricted(entropic_context *context, const entropic_kernel *kernel,
                                             const entropic_design_options *options, const ent_restriction *restriction,
                                             entropic_design **design);
entropic_status ent_design_group(entropic_context *context, const entropic_design *design, size_t group,
                                 entropic_group *info);

/* |S_n| and the non-zeros of a row for the paper's set of level n >= 1 in D >= 1 inputs; TOO_LARGE past 2^64 - 1. */
entropic_status ent_paper_size(entropic_context *context, size_t inputs, unsigned n, uint64_t *features,
                               uint64_t *nonzeros);

/* Columns are numbered with int32_t in compressed sparse rows. */
#define ENT_MAX_FEATURES ((size_t)INT32_MAX)
/* Atoms of a group are counted in doubles when rows are lifted. */
#define ENT_MAX_ATOMS (UINT64_C(1) << 53)
#define ENT_ALL_MEMBERS SIZE_MAX
#define ENT_TOO_MANY_FEATURES                                                                                          \
  "the design passes %zu features: ask for fewer non-zeros, a lower max_level or a lower max_order"

/* Scores are compared as integers, -log2(score) in units of 2^-32, so that ties are ties on every machine. */
#define ENT_COST_UNIT ((int64_t)1 << 32)

typedef struct ent_group {
  size_t first_term, term_count;
  size_t first_feature, features;
  size_t first_member; /* in members, or ENT_ALL_MEMBERS */
  uint64_t atoms;
  int64_t cost;
} ent_group;

struct entropic_design {
  entropic_kernel *kernel;
  entropic_criterion criterion;
  int exhausted;
  size_t features;
  size_t nonzeros;
  size_t *base; /* level of each input where it is no term of a group, or ENTROPIC_NO_LEVEL if it always is one */
  ent_group *groups;
  size_t group_count, group_capacity;
  entropic_term *terms;
  size_t term_count, term_capacity;
  uint64_t *members;
  size_t member_count, member_capacity;
  bool *beyond; /* [inputs] whose line of their own goes on outside [0,1] (ent_design_go_beyond); NULL: none */
};

#define ENT_BEYOND_MOST 1 /* how far outside [0,1] a line goes on */
/* Whether the group is the line of one input alone, of a design in which all other inputs are the constant 1 there. */
bool ent_design_is_line(const entropic_design *design, size_t group);
/* The group that is the line of an input alone; SIZE_MAX if there is none. */
size_t ent_design_line(const entropic_design *design, size_t input);
/* From now on lifts of the design let the line of this input alone go on where it is outside [0,1], by ENT_BEYOND_MOST at
 * most. All other features take values outside for the nearest end. BAD_ARGUMENT if there is no such line. */
entropic_status ent_design_go_beyond(entropic_context *context, entropic_design *design, size_t input);

/* An empty design that holds the kernel; base levels are still to be filled in. NULL with a message on failure. */
entropic_design *ent_design_new(entropic_context *context, const entropic_kernel *kernel, entropic_criterion criterion);

/* Appends a group. Terms are by input, ascending; members are `features` atoms, ascending, or NULL for all of them. */
entropic_status ent_design_append(entropic_context *context, entropic_design *design, const entropic_term *terms,
                                  size_t term_count, int64_t cost, const uint64_t *members, size_t features);

/* Counts non-zeros and checks that no feature can overflow; the last step of making a design. */
entropic_status ent_design_finish(entropic_context *context, entropic_design *design);

/* Group numbers such that groups of the same terms are neighbours: sorted by terms, then by number. NULL on failure;
 * release with ent_delete. */
size_t *ent_design_by_terms(entropic_context *context, const entropic_design *design);
bool ent_same_terms(const entropic_design *design, size_t a, size_t b);

/* For designs that come from files (check.c). Whether an input can have this base level: one of its own, with a single
 * atom, or ENTROPIC_NO_LEVEL. */
bool ent_is_base(const entropic_kernel *kernel, size_t input, size_t level);
/* How many inputs have no base level, and whether these terms, ascending by input, have all of them. */
size_t ent_design_unbased(const entropic_design *design);
bool ent_has_unbased(const entropic_design *design, const entropic_term *terms, size_t count, size_t unbased);
/* Whether there can be such a term behind those of inputs below `next`. */
bool ent_is_term(const entropic_design *design, size_t next, entropic_term term);
/* A group of which the terms stand in another one too, where no term is of a custom kernel; or where one is, but an atom
 * is a member of both, or a group has all its atoms. SIZE_MAX if there is none. Of a finished design. */
entropic_status ent_design_find_repeat(entropic_context *context, const entropic_design *design, size_t *group);

/* -log2(score) as an integer; powers of two are taken out first, so that scores which differ by such a factor have costs
 * which differ by exactly that much. score > 0. */
int64_t ent_cost(double score);

/* Product of the levels' numbers of atoms; UINT64_MAX if it is larger still. */
uint64_t ent_atoms(const entropic_kernel *kernel, const entropic_term *terms, size_t term_count);

/* A saved design of more inputs than this would let a short file ask for a lot of memory. */
#define ENT_MAX_SAVED_INPUTS ((size_t)1 << 20)

/* What a saved design starts with. */
#define ENT_DESIGN_FIRST_LINE "entropic design 1"
#define ENT_DESIGN_FIRST_LINE_TEXT "entropic design 2"    /* where some kernel is custom, as text */
#define ENT_DESIGN_FIRST_LINE_COLUMNS "entropic design 3" /* where it says for which columns it is */

/* Two ways to fill a design. */
entropic_status ent_best_first(entropic_context *context, const entropic_design_options *options,
                               const ent_restriction *restriction, entropic_design *design);
entropic_status ent_paper_choice(entropic_context *context, const entropic_design_options *options,
                                 entropic_design *design);

#endif
