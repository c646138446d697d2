/* The choices of the pilot search, one after the other: see pilot_search.h. */
#include "tune/pilot_search.h"

#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "loss/root.h"
#include "tune/pilot_setting.h"
#include "tune/rules.h"

static const double omega_grid[] = ENT_OMEGAS, worth_shares[] = ENT_WORTH_SHARES;
static const size_t simpler_orders[] = ENT_SIMPLER_ORDERS;
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The best setting with another omega. */
static entropic_status try_omega(entropic_context *context, ent_pilot *pilot, double omega, double part) {
  ent_pilot_setting setting = pilot->setting;
  setting.omega = omega;
  return ent_pilot_try(context, pilot, setting, ENT_PILOT_ERROR, part);
}

/* The best setting with another view. */
static entropic_status try_view(entropic_context *context, ent_pilot *pilot, size_t view) {
  ent_pilot_setting setting = pilot->setting;
  setting.view = view;
  return ent_pilot_try(context, pilot, setting, ENT_PILOT_ERROR, 1);
}

/* Two omegas in a row have to be worse, so the first three are always validated. */
static entropic_status prepare_omegas(entropic_context *context, ent_pilot *pilot) {
  ent_pilot_setting settings[3];
  for (size_t i = 0; i < COUNT(settings); i++) {
    settings[i] = pilot->setting;
    settings[i].omega = omega_grid[i];
  }
  ent_progress_at(context, "trying kernels", 0, 1);
  return ent_pilot_prepare(context, pilot, settings, COUNT(settings));
}

/* First omega with the first view, from the largest down until two in a row were worse. Then the other views with that
 * omega, as long as the next is better. */
static entropic_status choose_kernel(entropic_context *context, ent_pilot *pilot) {
  const ent_recipe *recipe = pilot->recipe;
  bool given = recipe->options.omegas != NULL;
  const double *omegas = given ? recipe->options.omegas : omega_grid;
  size_t count = given ? 1 : COUNT(omega_grid), splits = count + recipe->view_count - 1, worse = 0;
  pilot->setting.omega = omegas[0];
  entropic_status status = given ? ENTROPIC_OK : prepare_omegas(context, pilot);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < splits; i++) {
    ent_progress_at(context, "trying kernels", i, splits);
    status =
        i < count ? try_omega(context, pilot, omegas[i], ENT_CLEARLY_BETTER) : try_view(context, pilot, i + 1 - count);
    if (status != ENTROPIC_OK)
      return status;
    if (i >= count && !pilot->taken)
      break;
    worse = i < count && !pilot->taken && pilot->last.error > ENT_UPHILL * pilot->best.error ? worse + 1 : 0;
    if (worse == 2)
      i = count - 1;
  }
  return ENTROPIC_OK;
}

/* The root of the target for the rows that take part, and the skewness of their target. */
static entropic_status find_root(entropic_context *context, const ent_recipe *recipe, ent_link *link,
                                 double *skewness) {
  const ent_validation_splits *splits = recipe->splits;
  const ent_block *rows = &splits->train;
  double *weights = ent_new(context, rows->rows, sizeof *weights);
  if (weights == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t r = 0; r < rows->rows; r++)
    weights[r] = ent_takes_part(splits, r) ? ent_weight(rows, r) : 0;
  const ent_link_targets targets = {rows->rows, rows->y, rows->y_stride, weights};
  *skewness = ent_root_find(&targets, recipe->options.rounded, link);
  ent_delete(weights);
  return ENTROPIC_OK;
}

/* The root of the target: from the first setting on, or compared with the plain target if that is skewed. */
static entropic_status choose_root(entropic_context *context, ent_pilot *pilot, bool first) {
  const ent_recipe *recipe = pilot->recipe;
  ent_link *link = &pilot->result->link;
  ent_root root = recipe->options.root;
  bool possible = recipe->splits->targets == 1 && !recipe->classes && root != ENT_ROOT_NEVER;
  if (!possible || first != (root == ENT_ROOT_ALWAYS))
    return ENTROPIC_OK;
  double skewness = 0;
  entropic_status status = find_root(context, recipe, link, &skewness);
  if (status != ENTROPIC_OK)
    return status;
  if (first) {
    pilot->setting.link = link;
    return ENTROPIC_OK;
  }
  if (skewness >= ENT_SKEWED) {
    ent_pilot_setting setting = pilot->setting;
    setting.link = link;
    ent_progress_at(context, "trying the root", 0, 1);
    status = ent_pilot_try(context, pilot, setting, ENT_PILOT_ERROR, 1);
  }
  if (pilot->setting.link == NULL)
    *link = ent_link_for(0);
  return status;
}

/* fewer[inputs]: the used inputs that are worth more than this share of all. Returns how many. */
static size_t find_worthy(const ent_pilot *pilot, const bool *used, double share, bool *fewer) {
  size_t inputs = pilot->setting.recipe->splits->inputs, count = 0;
  double sum = 0;
  for (size_t d = 0; d < inputs; d++)
    sum += pilot->best.worth[d];
  for (size_t d = 0; d < inputs; d++) {
    fewer[d] = used[d] && pilot->best.worth[d] > share * sum;
    count += fewer[d];
  }
  return count;
}

/* used[inputs]: those that features may depend on. Returns how many. */
static size_t find_allowed(const ent_recipe *recipe, bool *used) {
  size_t count = 0;
  for (size_t i = 0; i < recipe->splits->inputs; i++) {
    used[i] = ent_restriction_has(recipe->features->restriction, i);
    count += used[i];
  }
  return count;
}

/* Leaves out inputs that explained little, if that is as good. used[inputs] has those that may be used and becomes those
 * that stay, *left how many. */
static entropic_status choose_inputs(entropic_context *context, ent_pilot *pilot, bool *used, size_t *left) {
  const size_t inputs = pilot->setting.recipe->splits->inputs, shares = COUNT(worth_shares);
  bool *fewer = ent_new(context, inputs, sizeof *fewer);
  if (fewer == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; i < shares; i++) {
    size_t count = find_worthy(pilot, used, worth_shares[i], fewer);
    if (count == 0 || count == *left)
      continue;
    ent_progress_at(context, "trying inputs", i, shares);
    ent_pilot_setting setting = pilot->setting;
    setting.used = fewer;
    status = ent_pilot_try(context, pilot, setting, ENT_PILOT_ERROR, ENT_AS_GOOD);
    if (status != ENTROPIC_OK)
      break;
    if (pilot->taken) {
      memcpy(used, fewer, inputs * sizeof *used);
      pilot->setting.used = used;
      *left = count;
    }
  }
  ent_delete(fewer);
  return status;
}

/* Inputs that are offered are taken if they are clearly better, the first of them and then all. used[inputs] becomes
 * those that may be used, *allowed how many. */
static entropic_status choose_offer(entropic_context *context, ent_pilot *pilot, bool *used, size_t *allowed) {
  const ent_recipe_offer *offer = &pilot->recipe->offer;
  if (offer->recipe == NULL)
    return ENTROPIC_OK;
  const size_t narrow = pilot->recipe->splits->inputs, wide = offer->recipe->splits->inputs;
  const size_t counts[] = {narrow + offer->singles, wide};
  bool *first = ent_new(context, wide, sizeof *first);
  entropic_status status = first == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  for (size_t i = 0; i < COUNT(counts) && status == ENTROPIC_OK; i++) {
    ent_pilot_setting setting = pilot->setting;
    if (i > 0 && (!pilot->taken || counts[i] == counts[i - 1]))
      break;
    ent_progress_at(context, "trying target means", i, COUNT(counts));
    for (size_t d = 0; d < wide; d++)
      first[d] = d < counts[0];
    setting.recipe = offer->recipe;
    setting.used = i == 0 ? first : NULL;
    status = ent_pilot_try(context, pilot, setting, ENT_PILOT_ERROR, i == 0 ? ENT_OFFER_BETTER : ENT_CLEARLY_BETTER);
    if (pilot->taken)
      *allowed = counts[i];
  }
  if (pilot->setting.recipe == offer->recipe) {
    for (size_t d = 0; d < wide; d++)
      used[d] = d < *allowed;
    pilot->setting.used = used;
  }
  ent_delete(first);
  return status;
}

/* Inputs that explain nothing favour a small omega, as it leaves out their products. After they are left out, larger
 * omegas are validated again, as long as the next is better. */
static entropic_status retry_larger_omegas(entropic_context *context, ent_pilot *pilot) {
  size_t at = 0;
  while (omega_grid[at] > pilot->setting.omega)
    at++;
  pilot->taken = true;
  while (at > 0 && pilot->taken) {
    entropic_status status = try_omega(context, pilot, omega_grid[--at], 1);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Whether there are Legendre atoms that may be left out. */
static bool may_drop_smooth(const ent_recipe *recipe) {
  bool has = false;
  for (size_t i = 0; i < recipe->features->inputs; i++)
    has |= recipe->features->axes[i].smooth > 0;
  return has && !recipe->options.smooth_given;
}

/* Simpler products, which vary less between the rows: hats alone, then fewer inputs, as long as the next is better. Not
 * for classes: a class does not depend on how large a score is. */
static entropic_status choose_products(entropic_context *context, ent_pilot *pilot) {
  const ent_recipe *recipe = pilot->recipe;
  ent_pilot_setting setting = pilot->setting;
  ent_progress_at(context, "trying products", 0, 1);
  if (may_drop_smooth(recipe)) {
    setting.products.without_smooth = true;
    entropic_status status = ent_pilot_try(context, pilot, setting, ENT_PILOT_TAIL, ENT_MUCH_BETTER);
    if (status != ENTROPIC_OK)
      return status;
  }
  for (size_t i = 0; i < COUNT(simpler_orders) && recipe->features->design.max_order == 0; i++) {
    if (pilot->best.order <= simpler_orders[i] || (i > 0 && !pilot->taken))
      break;
    setting = pilot->setting;
    setting.products.max_order = simpler_orders[i];
    entropic_status status = ent_pilot_try(context, pilot, setting, ENT_PILOT_TAIL, ENT_MUCH_BETTER);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* All choices, one after the other. */
static entropic_status choose(entropic_context *context, ent_pilot *pilot, bool *used) {
  const ent_recipe *recipe = pilot->recipe;
  size_t allowed = find_allowed(recipe, used), left = allowed;
  entropic_status status = choose_root(context, pilot, true);
  if (status != ENTROPIC_OK)
    return status;
  status = choose_kernel(context, pilot);
  if (status != ENTROPIC_OK)
    return status;
  status = choose_root(context, pilot, false);
  if (status != ENTROPIC_OK)
    return status;
  status = choose_offer(context, pilot, used, &allowed);
  if (status != ENTROPIC_OK)
    return status;
  left = allowed;
  status = choose_inputs(context, pilot, used, &left);
  if (status != ENTROPIC_OK)
    return status;
  if (recipe->options.omegas == NULL && 2 * left <= allowed) {
    status = retry_larger_omegas(context, pilot);
    if (status != ENTROPIC_OK)
      return status;
  }
  return recipe->classes ? ENTROPIC_OK : choose_products(context, pilot);
}

entropic_status ent_pilot_search(entropic_context *context, const ent_recipe *recipe, size_t max_features, size_t *view,
                                 ent_search_result *result, bool *used) {
  ent_pilot pilot;
  entropic_status status = ent_pilot_start(context, recipe, max_features, result, &pilot);
  if (status != ENTROPIC_OK)
    goto done;
  status = choose(context, &pilot, used);
  if (status != ENTROPIC_OK)
    goto done;
  *view = pilot.setting.view;
  result->wide = pilot.setting.recipe != recipe;
  result->omega = pilot.setting.omega;
  result->products = pilot.setting.products;
done:
  ent_pilot_clear(&pilot);
  return status;
}
