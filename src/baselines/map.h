/* What random maps are made of. */
#ifndef ENT_BASELINES_MAP_H
#define ENT_BASELINES_MAP_H

#include "base/memory.h"
#include "baselines/wide.h"

struct ent_random_map {
  ent_random_options options;
  size_t inputs, panels; /* panels: of ENT_PANEL features each, the last filled up with zeros */
  const ent_wide_code *code;
  double *frequencies;     /* waves: panel after panel, as wide.h has them */
  double *phases, *scales; /* waves: one for each feature */
  size_t order;            /* SORF: features of a block, a power of two */
  double *signs;           /* SORF: for each block the diagonals of D1, D2 and D3 */
  double *landmarks;       /* Nystroem: one after the other */
  double *factors;         /* Nystroem: panels of -U above the corners, see nystroem.c */
  double *corners;         /* Nystroem: for each panel its ENT_PANEL x ENT_PANEL of U */
  double jitter;           /* Nystroem: what was added to the diagonal */
  size_t *chosen; /* LKRF, EERF: which candidate each feature is, the best first; Nystroem: the row of each landmark */
  double *alignments; /* LKRF, EERF: the squared alignment of each candidate */
  double *weights;    /* LKRF: its weight before the choice */
};

/* Frequencies and phases are kept in turns. */
static const double ent_two_pi = 6.283185307179586;

/* Streams of random numbers, so that each use of a seed has numbers of its own. Block b of orthogonal frequencies, of ORF
 * or SORF, has ENT_STREAM_BLOCKS + b. */
enum { ENT_STREAM_FREQUENCIES, ENT_STREAM_PHASES, ENT_STREAM_LANDMARKS, ENT_STREAM_QUERIES, ENT_STREAM_BLOCKS };
#define ENT_STREAM_PIVOTS (UINT64_C(1) << 63) /* beyond all blocks */

/* ent_new of a x b elements. */
void *ent_new_product(entropic_context *context, size_t a, size_t b, size_t size);

/* Where a wave's frequency is kept. */
static inline double *ent_frequency(const ent_random_map *map, size_t feature, size_t input) {
  return map->frequencies + (feature / ENT_PANEL * map->inputs + input) * ENT_PANEL + feature % ENT_PANEL;
}

/* Frequencies and phases in turns, scales sqrt(2/count), for `count` features of RKS, ORF or QMC; LKRF's and EERF's
 * candidates are RKS. */
entropic_status ent_waves_draw(entropic_context *context, ent_random_map *map, size_t count);
/* Phases, and scales sqrt(2/count), of `count` waves. */
void ent_phases_draw(ent_random_map *map, size_t count);
/* Where the standard normal distribution function is p, 0 < p < 1. */
double ent_normal_quantile(double p);
/* A panel of waves at a strip of rows: out[feature * stride + row]. */
void ent_waves_lift(const ent_random_map *map, const double *strip, size_t panel, double *out, size_t stride);
/* Keeps the waves that `chosen` lists, feature i with scale sqrt(2 factors[i] / features); factors may be NULL: all 1. */
entropic_status ent_waves_keep(entropic_context *context, ent_random_map *map, const double *factors);

/* Signs, phases and scales of SORF. */
entropic_status ent_sorf_draw(entropic_context *context, ent_random_map *map);
/* A block of SORF's features at a strip of rows: out[feature * stride + row], the last block cut. `work`: order strips. */
void ent_sorf_lift(const ent_random_map *map, const double *strip, size_t block, double *work, double *out,
                   size_t stride);

/* The squared alignment of `count` waves with the targets, summed over targets: alignments[count]. */
entropic_status ent_waves_align(entropic_context *context, const ent_random_map *map, size_t count,
                                const ent_random_data *data, double *alignments);
/* LKRF's weights: see align.c. */
entropic_status ent_alignment_weights(entropic_context *context, const double *alignments, size_t count, double rho,
                                      double *weights);
/* 0 .. count-1, those of larger values first, of equal ones the one of lower number. */
entropic_status ent_largest_first(entropic_context *context, const double *values, size_t count, size_t *order);

/* The kernel of Nystroem. */
ent_point_kernel ent_kernel_of_map(const ent_random_map *map);
/* BAD_ARGUMENT: its values are outside the range of a double. */
entropic_status ent_kernel_overflow(entropic_context *context, const ent_random_map *map);
/* Randomly pivoted Cholesky on the kernel matrix of points[count * inputs]: pivots[*found], which are distinct. *found is
 * map->options.features, or fewer if nothing of the matrix is left. */
entropic_status ent_pivots_choose(entropic_context *context, const ent_random_map *map, const double *points,
                                  size_t count, size_t *pivots, size_t *found);
/* map->chosen, map->landmarks. */
entropic_status ent_landmarks_choose(entropic_context *context, ent_random_map *map, const ent_random_data *data);
/* Everything else that Nystroem needs. */
entropic_status ent_nystroem_prepare(entropic_context *context, ent_random_map *map);
/* The features of a strip, values[feature * ENT_STRIP + row], for whole panels. */
void ent_nystroem_lift(const ent_random_map *map, const double *strip, double *values);

/* ent_random_bandwidth with another limit than 20,000. */
entropic_status ent_bandwidth_by(entropic_context *context, const ent_random_data *data, size_t inputs, uint64_t seed,
                                 size_t most_queries, double *sigma);

#endif
