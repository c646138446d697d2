/* A component of centres as a sum of products, one for each centre: of the sections of the kernel of each input at its
 * coordinates. With mu the mean of a section over the training rows, effects are made of sections less their means, as
 * those of features are of atoms less theirs (effects.h). */
#ifndef ENT_EXPLAIN_SECTIONS_H
#define ENT_EXPLAIN_SECTIONS_H

#include "explain/section_axis.h"
#include "explain/training_points.h"

typedef struct ent_sections {
  const ent_component *component; /* borrowed */
  size_t centres, used;
  const size_t *inputs;   /* [used] borrowed */
  ent_section_axis *axes; /* [used] */
  uint32_t *nodes;        /* [centres x used] */
  uint32_t *points;       /* [point_places[used]] the node of each training point */
  size_t *point_places;   /* [used + 1] where those of each input begin */
  size_t *places;         /* [used + 1] where the nodes of each input begin among those of all */
} ent_sections;

/* Of component number `component`. inputs[used] are all inputs. */
entropic_status ent_sections_create(entropic_context *context, const entropic_model *model, size_t component,
                                    const ent_training_points *points, const size_t *inputs, size_t used,
                                    ent_sections **sections);
void ent_sections_free(ent_sections *sections);

static inline double ent_section_mean(const ent_sections *s, size_t centre, size_t place) {
  return s->axes[place].means[s->nodes[centre * s->used + place]];
}

/* How far the sections of a centre are from their means at scaled rows: values[place * stride_out + row]. x are those
 * of the component. */
void ent_sections_values(const ent_sections *s, size_t centre, const double *x, size_t rows, size_t stride,
                         size_t stride_out, double *values);

/* The products of the means of a centre but that of one input, others[used], and but those of two, by input:
 * pairs[used (used - 1) / 2], or NULL. behind[used + 1] is room. */
void ent_sections_others(const ent_sections *s, size_t centre, double *behind, double *others, double *pairs);
/* The product of all. */
double ent_sections_product(const ent_sections *s, size_t centre);

/* How many pairs there are of so many inputs, and the number of one of them, a < b. */
static inline size_t ent_pair_count(size_t inputs) {
  return inputs * (inputs - (inputs > 0)) / 2;
}
static inline size_t ent_pair_number(size_t inputs, size_t a, size_t b) {
  return a * (2 * inputs - a - 1) / 2 + b - a - 1;
}

#endif
