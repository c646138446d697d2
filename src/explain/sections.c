/* Centres as products of sections: see sections.h. */
#include "explain/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/sort.h"

void ent_sections_free(ent_sections *sections) {
  if (sections == NULL)
    return;
  for (size_t k = 0; sections->axes != NULL && k < sections->used; k++)
    ent_section_axis_clear(&sections->axes[k]);
  ent_delete(sections->axes);
  ent_delete(sections->nodes);
  ent_delete(sections->points);
  ent_delete(sections->point_places);
  ent_delete(sections->places);
  ent_delete(sections);
}

/* A coordinate of a centre or of a training point. */
typedef struct ent_coordinate {
  double at;
  size_t number; /* of the centre, or the number of centres and that of the point */
} ent_coordinate;

static int compare_coordinates(const void *a, const void *b) {
  const ent_coordinate *x = a, *y = b;
  if (isnan(x->at) != isnan(y->at))
    return isnan(x->at) ? 1 : -1;
  if (x->at != y->at && !isnan(x->at))
    return x->at < y->at ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

/* The nodes of an input are the coordinates of the centres and of the training points. */
static entropic_status set_axis(entropic_context *context, ent_sections *s, const ent_training_input *training,
                                const double *at, size_t place) {
  size_t input = s->inputs[place], all = s->centres + training->count, count = 0;
  size_t inputs = s->component->kernel->inputs;
  const ent_axis *axis = s->component->kernel->axes[input];
  ent_coordinate *list = ent_new(context, all, sizeof *list);
  double *nodes = ent_new_matrix(context, all, 2, sizeof *nodes), *shares = nodes == NULL ? NULL : nodes + all;
  entropic_status status = list == NULL || nodes == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < all; i++) {
    double x = i < s->centres ? s->component->centres[i * inputs + input] : at[i - s->centres];
    list[i] = (ent_coordinate){ent_section_node(axis, x), i};
  }
  status = ent_sort(context, list, all, sizeof *list, compare_coordinates);
  if (status != ENTROPIC_OK)
    goto done;
  for (size_t i = 0; i < all; i++) {
    bool same = i > 0 && (list[i].at == nodes[count - 1] || isnan(nodes[count - 1]));
    if (!same)
      nodes[count++] = list[i].at;
    if (list[i].number < s->centres) {
      s->nodes[list[i].number * s->used + place] = (uint32_t)(count - 1);
      continue;
    }
    shares[count - 1] += training->shares[list[i].number - s->centres];
    s->points[s->point_places[place] + list[i].number - s->centres] = (uint32_t)(count - 1);
  }
  status = ent_section_axis_create(context, axis, nodes, shares, count, &s->axes[place]);
  s->places[place + 1] = s->places[place] + count;
done:
  ent_delete(list);
  ent_delete(nodes);
  return status;
}

entropic_status ent_sections_create(entropic_context *context, const entropic_model *model, size_t component,
                                    const ent_training_points *points, const size_t *inputs, size_t used,
                                    ent_sections **sections) {
  entropic_status status = ENTROPIC_NO_MEMORY;
  ent_sections *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return status;
  made->component = ent_model_component(model, component);
  made->centres = made->component->features;
  made->used = used;
  made->inputs = inputs;
  made->axes = ent_new(context, used, sizeof *made->axes);
  made->nodes = ent_new_matrix(context, made->centres, used, sizeof *made->nodes);
  made->point_places = ent_new(context, used + 1, sizeof *made->point_places);
  made->places = ent_new(context, used + 1, sizeof *made->places);
  if (made->axes == NULL || made->nodes == NULL || made->point_places == NULL || made->places == NULL)
    goto done;
  for (size_t k = 0; k < used; k++)
    made->point_places[k + 1] = made->point_places[k] + points->input[inputs[k]].count;
  made->points = ent_new(context, made->point_places[used], sizeof *made->points);
  if (made->points == NULL)
    goto done;
  for (size_t k = 0; k < used; k++) {
    const ent_training_input *training = &points->input[inputs[k]];
    status = ent_poll(context);
    if (status != ENTROPIC_OK)
      goto done;
    status = set_axis(context, made, training, training->at + component * training->count, k);
    if (status != ENTROPIC_OK)
      goto done;
  }
  *sections = made;
  made = NULL;
done:
  ent_sections_free(made);
  return status;
}

void ent_sections_values(const ent_sections *s, size_t centre, const double *x, size_t rows, size_t stride,
                         size_t stride_out, double *values) {
  const entropic_kernel *kernel = s->component->kernel;
  const double *at = s->component->centres + centre * kernel->inputs;
  for (size_t k = 0; k < s->used; k++) {
    size_t input = s->inputs[k];
    double mean = ent_section_mean(s, centre, k);
    for (size_t r = 0; r < rows; r++)
      values[k * stride_out + r] = ent_kernel_axis_value(kernel, input, x[r * stride + input], at[input]) - mean;
  }
}

void ent_sections_others(const ent_sections *s, size_t centre, double *behind, double *others, double *pairs) {
  double before = 1;
  behind[s->used] = 1;
  for (size_t k = s->used; k > 0; k--)
    behind[k - 1] = behind[k] * ent_section_mean(s, centre, k - 1);
  for (size_t a = 0; a < s->used; a++) {
    double between = before; /* all before b but a */
    others[a] = before * behind[a + 1];
    for (size_t b = a + 1; b < s->used && pairs != NULL; b++) {
      *pairs++ = between * behind[b + 1];
      between *= ent_section_mean(s, centre, b);
    }
    before *= ent_section_mean(s, centre, a);
  }
}

double ent_sections_product(const ent_sections *s, size_t centre) {
  double product = 1;
  for (size_t k = 0; k < s->used; k++)
    product *= ent_section_mean(s, centre, k);
  return product;
}
