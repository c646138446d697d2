/* Target means as a model has them: see target_means.h. */
#include "dataset/target_means.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

ent_target_means *ent_means_new(entropic_context *context, size_t columns, size_t sets, size_t inputs) {
  ent_target_means *means = ent_new(context, 1, sizeof *means);
  if (means == NULL)
    return NULL;
  atomic_init(&means->holders, 1);
  means->columns = columns;
  means->overall = ent_new(context, columns, sizeof *means->overall);
  means->sets = ent_new(context, sets, sizeof *means->sets);
  means->inputs = ent_new(context, inputs, sizeof *means->inputs);
  if (means->overall == NULL || means->sets == NULL || means->inputs == NULL) {
    ent_means_free(means);
    return NULL;
  }
  means->set_count = sets;
  means->input_count = inputs;
  return means;
}

ent_target_means *ent_means_share(ent_target_means *means) {
  if (means != NULL)
    atomic_fetch_add(&means->holders, 1);
  return means;
}

void ent_means_free(ent_target_means *means) {
  if (means == NULL || atomic_fetch_sub(&means->holders, 1) > 1)
    return;
  for (size_t s = 0; s < means->set_count; s++) {
    ent_delete(means->sets[s].keys);
    ent_delete(means->sets[s].means);
    ent_delete(means->sets[s].amounts);
  }
  ent_delete(means->sets);
  ent_delete(means->inputs);
  ent_delete(means->overall);
  ent_delete(means);
}

size_t ent_means_columns(const ent_schema *schema) {
  size_t columns = !ent_schema_has_classes(schema) ? schema->targets : schema->classes == 2 ? 1 : schema->classes;
  return columns <= ENT_MEANS_COLUMNS ? columns : 0;
}

/* The key of a row in a set; false where a category is missing or was not seen. */
static bool find_key(const ent_mean_set *set, const double *x, uint64_t *key) {
  *key = 0;
  for (int i = 0; i < 2 && set->of[i] != ENT_NO_INPUT; i++) {
    double code = x[set->of[i]];
    if (!(code >= 0 && code < (double)set->levels[i]))
      return false;
    *key = *key * set->levels[i] + (uint64_t)code;
  }
  return true;
}

/* The place of the row's key among those of the set; their count if it is not there. */
static size_t find_place(const ent_mean_set *set, const double *x) {
  uint64_t key;
  if (!find_key(set, x, &key))
    return set->count;
  size_t low = 0, high = set->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (set->keys[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low < set->count && set->keys[low] == key ? low : set->count;
}

void ent_means_fill(const ent_target_means *means, double *x, size_t rows, size_t stride) {
  if (means == NULL)
    return;
  for (size_t r = 0; r < rows; r++, x += stride) {
    size_t last = means->set_count, place = 0;
    for (size_t i = 0; i < means->input_count; i++) { /* inputs of one set follow each other */
      const ent_mean_input *input = &means->inputs[i];
      const ent_mean_set *set = &means->sets[input->set];
      if (input->set != last)
        place = find_place(set, x);
      last = input->set;
      bool known = place < set->count, amount = input->column == means->columns;
      double none = amount ? 0 : means->overall[input->column];
      x[input->input] = !known   ? none
                        : amount ? set->amounts[place]
                                 : set->means[place * means->columns + input->column];
    }
  }
}

char *ent_means_name(entropic_context *context, const ent_schema *schema, const ent_target_means *means,
                     const ent_mean_input *of) {
  const ent_mean_set *set = &means->sets[of->set];
  const char *first = schema->input[set->of[0]].name, *between = "", *second = "", *target = NULL;
  if (set->of[1] != ENT_NO_INPUT) {
    between = " x ";
    second = schema->input[set->of[1]].name;
  }
  if (of->column < means->columns && means->columns > 1)
    target = ent_schema_has_classes(schema) ? schema->class_name[of->column] : schema->target[of->column];
  const char *what = of->column == means->columns ? "count" : target != NULL ? "mean of " : "mean";
  target = target == NULL ? "" : target;
  size_t size = strlen(first) + strlen(between) + strlen(second) + strlen(what) + strlen(target) + 4;
  char *name = ent_new(context, size, 1);
  if (name != NULL)
    snprintf(name, size, "%s%s%s (%s%s)", first, between, second, what, target);
  return name;
}

void ent_means_add_needed(const ent_target_means *means, bool *needed) {
  for (size_t i = 0; means != NULL && i < means->input_count; i++) {
    const ent_mean_set *set = &means->sets[means->inputs[i].set];
    for (int k = 0; k < 2 && needed[means->inputs[i].input] && set->of[k] != ENT_NO_INPUT; k++)
      needed[set->of[k]] = true;
  }
}

static entropic_status copy_set(entropic_context *context, const ent_mean_set *from, size_t columns, ent_mean_set *to) {
  *to = (ent_mean_set){.of = {from->of[0], from->of[1]}, .levels = {from->levels[0], from->levels[1]}};
  to->keys = ent_new(context, from->count, sizeof *to->keys);
  to->means = ent_new_matrix(context, from->count, columns, sizeof *to->means);
  to->amounts = ent_new(context, from->count, sizeof *to->amounts);
  if (to->keys == NULL || to->means == NULL || to->amounts == NULL)
    return ENTROPIC_NO_MEMORY;
  to->count = from->count;
  memcpy(to->keys, from->keys, from->count * sizeof *to->keys);
  memcpy(to->means, from->means, from->count * columns * sizeof *to->means);
  memcpy(to->amounts, from->amounts, from->count * sizeof *to->amounts);
  return ENTROPIC_OK;
}

entropic_status ent_means_select(entropic_context *context, const ent_target_means *means, const ent_schema *schema,
                                 ent_target_means **selected) {
  ent_target_means *to = *selected = ent_means_new(context, means->columns, means->set_count, means->input_count);
  if (to == NULL)
    return ENTROPIC_NO_MEMORY;
  to->set_count = to->input_count = 0;
  memcpy(to->overall, means->overall, means->columns * sizeof *to->overall);
  for (size_t i = 0, last = means->set_count; i < means->input_count; i++) {
    ent_mean_input input = means->inputs[i];
    if (schema->input[input.input].unused)
      continue;
    if (input.set != last) {
      entropic_status status = copy_set(context, &means->sets[input.set], means->columns, &to->sets[to->set_count++]);
      if (status != ENTROPIC_OK)
        return status;
    }
    last = input.set;
    input.set = to->set_count - 1;
    to->inputs[to->input_count++] = input;
  }
  return ENTROPIC_OK;
}
