/* Effects of a few rows at a time: what the two ways to add up features share. */
#ifndef ENT_EXPLAIN_EFFECTS_ROWS_H
#define ENT_EXPLAIN_EFFECTS_ROWS_H

#include "explain/effects.h"

/* What the rows of a task need. Of each of these, ENT_EFFECT_ROWS numbers for each of: */
typedef struct ent_effect_room {
  double *values;   /* atoms: how far they are from their means */
  double *parts;    /* factors of a feature, at most: its Shapley values */
  double *behind;   /* as many and 1: products of the factors from one on */
  double *sums;     /* scores x inputs in use: what is added up */
  double *ratios;   /* atoms; these three only where there are bases: see effects_bases.c */
  double *partners; /* atoms */
  double *inverses; /* inputs in use */
  /* Only where there are centres: */
  double *sections; /* inputs in use: how far those of a centre are from their means */
  double *means;    /* [inputs in use] of the sections of a centre */
  size_t width;     /* how many of the numbers are rows, or 0 beside them: at most ENT_EFFECT_ROWS */
} ent_effect_room;

/* The rules of Gauss that the features need, where the effects of rows can be had; TOO_LARGE as ent_effects_create says. */
entropic_status ent_effect_rules_create(entropic_context *context, ent_effects *effects);

/* The active atoms of features where there are bases. */
#define ENT_NO_SLOT UINT32_MAX
struct ent_effect_bases {
  uint32_t *base;  /* [used] the slot of its base atom; ENT_NO_SLOT if that is constant */
  size_t *starts;  /* [features + 1] */
  uint32_t *slots; /* active atoms of each feature */
};

/* What has a version for each instruction set, all with the same bits; the functions of these names call it. */
typedef struct ent_effect_code {
  const char *name;
  void (*values)(const ent_effects *effects, const double *x, size_t rows, size_t stride, double *values);
  entropic_status (*add)(entropic_context *context, const ent_effects *effects, const ent_effect_room *room);
  entropic_status (*add_bases)(entropic_context *context, const ent_effects *effects, const ent_effect_room *room);
  void (*split_product)(const ent_effects *effects, const ent_effect_room *room);
} ent_effect_code;

extern const ent_effect_code ent_effect_code_reference;
#if defined(__x86_64__)
extern const ent_effect_code ent_effect_code_avx2, ent_effect_code_avx512;
#endif
/* Those that this processor has, the fastest first; NULL behind the last. */
const ent_effect_code *ent_effect_code_of(size_t index);

/* Tables of the atoms of a component's levels: atoms by their number in the level, ENT_NO_ATOM if one is not in use. Each begins with how many
 * numbers it has; that is 0 for levels with larger numbers, which are searched. */
entropic_status ent_effect_tables_create(entropic_context *context, const ent_effects *effects, ent_effect_part *part);

entropic_status ent_effect_room_create(entropic_context *context, const ent_effects *effects, ent_effect_room *room);
void ent_effect_room_clear(ent_effect_room *room);

/* Adds all features to the sums, by the values of the room: each for itself. */
entropic_status ent_effects_add(entropic_context *context, const ent_effects *effects, const ent_effect_room *room);

/* Adds the centres of a component to the sums, at scaled rows of the component. */
entropic_status ent_effects_add_centres(entropic_context *context, const ent_effects *effects,
                                        const ent_sections *sections, const ent_block *rows,
                                        const ent_effect_room *room);

/* The same as ent_effects_add in less time where there are bases. Values must suit: no base atom has another sign than
 * its mean. */
entropic_status ent_effect_bases_create(entropic_context *context, const ent_effects *effects,
                                        ent_effect_bases **bases);
void ent_effect_bases_free(ent_effect_bases *bases);
bool ent_effect_bases_suit(const ent_effects *effects, const ent_effect_room *room);
entropic_status ent_effect_bases_add(entropic_context *context, const ent_effects *effects,
                                     const ent_effect_room *room);

#endif
