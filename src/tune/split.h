/* Training and validation rows of one path of the recipe. */
#ifndef ENT_TUNE_SPLIT_H
#define ENT_TUNE_SPLIT_H

#include "tune/recipe.h"

/* Row numbers in random order. */
typedef struct ent_split {
  size_t *train, *validation;
  size_t train_count, validation_count;
} ent_split;

/* The rows of a path that is validated on part `part` of the splits. On failure *split is empty. */
entropic_status ent_split_rows(entropic_context *context, const ent_validation_splits *splits, size_t part,
                               ent_split *split);
/* Frees and empties. */
void ent_split_clear(ent_split *split);

/* What a path is made with. */
typedef struct ent_path_options {
  size_t view;
  double omega;
  ent_product_limits products;
  size_t rows, validation_rows; /* at most so many are trained and validated on */
  size_t max_features;
  size_t patience; /* as in ent_path_task */
  ent_selection_loss selection_loss;
  const ent_link *link; /* NULL: none */
  ent_path_time time;
} ent_path_options;

/* Makes a path. The result gets the seconds it took, and whether it was stopped early. On failure *selection is empty. */
entropic_status ent_split_select(entropic_context *context, const ent_recipe *recipe, const ent_split *split,
                                 const ent_path_options *options, ent_search_result *result, ent_selection *selection);

#endif
