/* The recipe: its members are those of paths made one by one. */
#include "unit/recipes.h"

#include "base/threads.h"

enum { ROWS = 120, INPUTS = 3, FOLDS = 5 };

static const double given = 1;

static void members_start(setting *at, bool skewed) {
  setting_start(at, (ground_options){.rows = ROWS, .inputs = INPUTS, .targets = 1, .folds = FOLDS, .seed = 3});
  for (size_t r = 0; r < ROWS && skewed; r++)
    at->g.y[r] = exp(at->g.y[r]);
  at->recipe.options.omegas = &given;
  at->recipe.options.root = skewed ? ENT_ROOT_ALWAYS : ENT_ROOT_NEVER;
}

/* The best step of the path that a member comes from; sizes end where those of the recipe do. */
static ent_select_step best_of_path(setting *at, size_t part, const ent_link *link, ent_product_limits products) {
  ent_split split;
  ent_selection selection;
  ent_search_result found = {0};
  ent_path_options options = {.omega = given,
                              .products = products,
                              .rows = ENT_SELECT_ROWS,
                              .validation_rows = ENT_SELECT_VALIDATION_ROWS,
                              .max_features = 2 * ROWS,
                              .selection_loss = ENT_BY_SQUARES,
                              .link = link};
  ASSERT_OK(context, ent_split_rows(context, &at->g.splits, part, &split));
  ASSERT_OK(context, ent_split_select(context, &at->recipe, &split, &options, &found, &selection));
  ent_select_step best = *ent_best_step(&selection, ENT_AS_GOOD);
  ent_selection_clear(&selection);
  ent_split_clear(&split);
  return best;
}

/* Each has the features of its path; averaged, a tenth of its lambda, but all of it if there was no time for a
 * second. */
static void members_are_paths(void **state) {
  (void)state;
  for (int skewed = 0; skewed < 2; skewed++)
    for (int stopped_early = 0; stopped_early < 2; stopped_early++) {
      setting at;
      ent_search_result found;
      ent_member *members = NULL;
      size_t view = 0;
      size_t count = 0;
      double bias = 0;
      members_start(&at, skewed);
      at.g.splits.deadline = stopped_early ? ent_seconds() : 0;
      ASSERT_OK(context, ent_recipe_run(context, &at.recipe, &view, &found, &members, &count));
      assert_int_equal(count, stopped_early ? 1 : FOLDS);
      assert_true(found.stopped_early == stopped_early);
      for (size_t m = 0; m < count; m++) {
        at.g.splits.deadline = stopped_early ? ent_seconds() : 0;
        ent_select_step best = best_of_path(&at, m, skewed ? &found.link : NULL, found.products);
        if (!stopped_early) {
          assert_int_equal(members[m].lifting.map.features, best.features);
          assert_close(members[m].lambda, 0.1 * best.lambda, 1e-12 * best.lambda);
        } else {
          assert_true(members[m].lambda >= 0.99e-7); /* as low as a path goes */
        }
        bias += best.bias / (double)count;
      }
      assert_true(found.link.sign == skewed);
      assert_true(skewed == (found.link.bias > 0));
      if (!stopped_early)
        assert_close(found.link.bias, bias, 1e-12 * bias);
      ent_members_free(members, count);
      ent_search_result_clear(&found);
      ground_stop(&at.g);
    }
}

/* With a deadline that is over, the lambda of the single member is that of the first step of its path. */
static void the_only_member_keeps_its_lambda(void **state) {
  (void)state;
  setting at;
  ent_search_result found;
  ent_member *members = NULL;
  size_t view = 0;
  size_t count = 0;
  members_start(&at, false);
  at.recipe.options.members = 3;
  at.g.splits.deadline = ent_seconds();
  ASSERT_OK(context, ent_recipe_run(context, &at.recipe, &view, &found, &members, &count));
  assert_int_equal(count, 1);
  assert_int_equal(found.curve.count, 1);
  assert_true(members[0].lambda == found.curve.steps[0].lambda);
  assert_true(found.lambda == members[0].lambda);
  ent_members_free(members, count);
  ent_search_result_clear(&found);
  ground_stop(&at.g);
}

SUITE(tune_recipe) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(members_are_paths),
                                     cmocka_unit_test(the_only_member_keeps_its_lambda)};
  return cmocka_run_group_tests_name("tune_recipe", tests, start, stop);
}
