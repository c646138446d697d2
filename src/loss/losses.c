/* The table of losses: see loss.h. */
#include "loss/loss.h"

#include <stdlib.h>

/* By number, as enumerators and files have them. */
static const ent_loss *const losses[] = {
#define ENT_LOSS_ROW(name, number, table) [number] = &ent_loss_##table,
    ENTROPIC_LOSS_MAP(ENT_LOSS_ROW)
#undef ENT_LOSS_ROW
};

#define NUMBERS (sizeof losses / sizeof losses[0])

const ent_loss *ent_loss_of(entropic_loss loss) {
  return (size_t)loss < NUMBERS ? losses[loss] : NULL;
}

const ent_loss *ent_loss_at(size_t place) {
  for (size_t i = 0; i < NUMBERS; i++)
    if (losses[i] != NULL && place-- == 0)
      return losses[i];
  return NULL;
}

bool ent_loss_has(entropic_loss loss, unsigned traits) {
  const ent_loss *found = ent_loss_of(loss);
  return found != NULL && (found->traits & traits) == traits;
}

entropic_loss ent_loss_first(unsigned traits) {
  for (size_t i = 0; i < NUMBERS; i++)
    if (ent_loss_has((entropic_loss)i, traits))
      return (entropic_loss)i;
  return ENTROPIC_LOSS_AUTO;
}

/* Whether the one comes before the other: it is worth its time longer; of equal ones the first in the table. */
static bool is_before(size_t one, size_t other) {
  double a = losses[one]->contest.most_values, b = losses[other]->contest.most_values;
  return a > b || (a == b && one < other);
}

entropic_loss ent_loss_compared(size_t rank) {
  for (size_t i = 0; i < NUMBERS; i++) {
    size_t before = 0;
    if (losses[i] == NULL || !(losses[i]->contest.most_values > 0))
      continue;
    for (size_t other = 0; other < NUMBERS; other++)
      before += losses[other] != NULL && is_before(other, i);
    if (before == rank)
      return (entropic_loss)i;
  }
  return ENTROPIC_LOSS_AUTO;
}

double ent_loss_deviance(const ent_loss *loss, double target, double score, double parameter) {
  double slope;
  return loss->deviance != NULL ? loss->deviance(target, score, parameter)
                                : loss->row(target, score, 1, parameter, &slope);
}

const char *ent_loss_name(entropic_loss loss) {
  const ent_loss *found = ent_loss_of(loss);
  return loss == ENTROPIC_LOSS_AUTO ? "auto" : found == NULL ? NULL : found->name;
}

/* What a loss asks for that has a place in the table and no code yet; NULL: nothing. */
static const char *not_built(const ent_loss *loss) {
  if (loss->method == ENT_METHOD_IRLS)
    return "Newton steps for numbers";
  if (loss->link != ENT_LINK_IDENTITY)
    return "a link other than the identity";
  if (loss->outputs > 1)
    return "several outputs";
  if (loss->given != NULL)
    return "a parameter that the user gives";
  return loss->traits & ENT_LOSS_OFFSETS ? "offsets of rows" : NULL;
}

/* Steps of one ridge go nowhere by a loss that bends more than the square. */
static const char *lacks_of_majorised(const ent_loss *loss) {
  if (loss->row == NULL)
    return "row, the loss of a row, which its method needs";
  if (!(loss->tolerance > 0))
    return "tolerance, which its method needs";
  return loss->traits & (ENT_LOSS_KINKS | ENT_LOSS_STEEP) ? "the bound of the second derivative that its method needs"
                                                          : NULL;
}

entropic_status ent_loss_check_table(entropic_context *context, const ent_loss *loss) {
  if (loss == NULL)
    return ent_fail(context, ENTROPIC_SYSTEM, "a loss is not complete: it has no table");
  const char *name = loss->name == NULL ? "" : loss->name, *lacks = NULL;
  if (loss->name == NULL)
    lacks = "name";
  else if (loss->help == NULL)
    lacks = "help, a line";
  else if (!(loss->traits & (ENT_LOSS_NUMBERS | ENT_LOSS_CLASSES)))
    lacks = "what it is for among its traits: numbers or classes";
  else if ((unsigned)loss->method >= ENT_METHODS)
    lacks = "method";
  else if (loss->since == 0)
    lacks = "since, the version of files that has it";
  else if (loss->parameter != NULL && (loss->traits & ENT_LOSS_CLASSES))
    lacks = "a parameter for classes: it is found from residuals of numbers";
  else if (loss->method == ENT_METHOD_NEWTON && (loss->traits & ENT_LOSS_NUMBERS))
    lacks = "a method for numbers";
  else if ((loss->traits & ENT_LOSS_STATISTICS) && loss->method != ENT_METHOD_RIDGE)
    lacks = "statistics, as its minimum is no linear system";
  else if ((loss->traits & ENT_LOSS_GRADIENT_SUMS) && loss->method != ENT_METHOD_NEWTON)
    lacks = "sums of a gradient";
  else if (loss->method == ENT_METHOD_IRLS && (loss->row == NULL || loss->curvature == NULL))
    lacks = "the loss of a row, or its curvature, which its method needs";
  else if (loss->contest.most_values > 0 && !(loss->traits & ENT_LOSS_CLASSES))
    lacks = "classes, as losses of numbers are compared by nothing";
  else if (loss->method == ENT_METHOD_MAJORISED)
    lacks = lacks_of_majorised(loss);
  if (lacks == NULL && not_built(loss) != NULL)
    return ent_fail(context, ENTROPIC_SYSTEM, "the loss '%s' needs %s, which is not built", name, not_built(loss));
  if (lacks == NULL)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_SYSTEM, "the loss '%s' is not complete: it lacks %s", name, lacks);
}

entropic_status ent_loss_check(entropic_context *context, entropic_loss loss) {
  const ent_loss *found = ent_loss_of(loss);
  if (found == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "loss is %d, expected one of entropic_loss", (int)loss);
  return ent_loss_check_table(context, found);
}

static int compare_sizes(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

double ent_loss_deviation(double *sizes, size_t count) {
  static const double median_of_normal = 0.6744897501960817; /* of the absolute value of a standard normal variable */
  if (count == 0)
    return 0;
  qsort(sizes, count, sizeof *sizes, compare_sizes);
  return (sizes[(count - 1) / 2] + sizes[count / 2]) / 2 / median_of_normal;
}
