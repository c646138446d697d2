/* The table of links: see link.h. */
#include "loss/link.h"

#include <math.h>

static const ent_link_family *const families[ENT_LINKS] = {
#define ENT_LINK_ROW(name, table) [ENT_LINK_##name] = &ent_link_##table,
    ENT_LINK_MAP(ENT_LINK_ROW)
#undef ENT_LINK_ROW
};

const ent_link_family *ent_link_at(ent_link_number number) {
  return (unsigned)number < ENT_LINKS ? families[number] : NULL;
}

const ent_link_family *ent_link_of(const ent_link *link) {
  return families[link->number];
}

/* That of numbers is the first one. */
static ent_link_number number_for(size_t classes) {
  for (size_t i = 0; i < ENT_LINKS; i++)
    if ((families[i]->traits & (classes > 0 ? ENT_LINK_CLASSES : ENT_LINK_NUMBERS)) &&
        (families[i]->classes == 0 || classes == families[i]->classes))
      return (ent_link_number)i;
  return ENT_LINK_IDENTITY;
}

ent_link ent_link_for(size_t classes) {
  return (ent_link){.number = number_for(classes), .inverse_temperature = 1};
}

/* ---- Is it complete? ---- */

static bool has_text_of_numbers(const ent_link_text *text) {
  return text->predict != NULL && text->score != NULL && text->target != NULL;
}

static const char *lacks_of_numbers(const ent_link_family *family) {
  if (family->predict == NULL || family->slope == NULL)
    return "predictions, or their slope";
  if (family->score == NULL || family->score_of_prediction == NULL || family->target == NULL)
    return "a way back, which intervals need";
  if (family->scale_name != NULL && (family->size == NULL || family->ends == NULL || family->targets == NULL))
    return "sizes and ends of predictions and targets";
  if (family->scale_name != NULL && (family->unit == NULL || family->restore_units == NULL))
    return "units";
  if ((family->traits & ENT_LINK_CHECKS_TARGETS) && family->takes == NULL)
    return "which targets it takes";
  if (!has_text_of_numbers(&family->c) || family->c.score_single == NULL || !has_text_of_numbers(&family->js) ||
      family->js.constant == NULL)
    return "texts in C and JavaScript";
  return NULL;
}

static const char *lacks_of_classes(const ent_link_family *family) {
  if (family->decide == NULL || family->chances == NULL || family->steepest == NULL || family->constant == NULL)
    return "a decision, probabilities, their slope, or scores of shares";
  if (family->figure == NULL)
    return "the name of the loss of validation";
  if (family->c.decide == NULL || family->c.chances == NULL || family->js.decide == NULL ||
      family->js.chances == NULL || family->js.constant == NULL)
    return "texts in C and JavaScript";
  return NULL;
}

entropic_status ent_link_check_table(entropic_context *context, const ent_link_family *family) {
  if (family == NULL)
    return ent_fail(context, ENTROPIC_SYSTEM, "a link is not complete: it has no table");
  const char *name = family->name == NULL ? "" : family->name, *lacks = NULL;
  unsigned kinds = family->traits & (ENT_LINK_NUMBERS | ENT_LINK_CLASSES);
  if (family->name == NULL || family->scale_words == NULL || family->reading == NULL)
    lacks = "a name, or words for its scale";
  else if (kinds != ENT_LINK_NUMBERS && kinds != ENT_LINK_CLASSES)
    lacks = "what it is for: numbers or classes";
  else if (family->since == 0 || family->scale == ENTROPIC_TARGET_SCALE_AUTO)
    lacks = "the version of files that has it, or its scale in the interface";
  else if (family->parameter_count > 0 && family->parameters == NULL)
    lacks = "its parameters";
  else
    lacks = kinds == ENT_LINK_NUMBERS ? lacks_of_numbers(family) : lacks_of_classes(family);
  for (size_t i = 0; lacks == NULL && i < family->parameter_count; i++)
    if (family->parameters[i].name == NULL || family->parameters[i].what == NULL)
      lacks = "the name of a parameter";
  if (lacks == NULL)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_SYSTEM, "the link '%s' is not complete: it lacks %s", name, lacks);
}

/* ---- Files ---- */

static unsigned last_code(const ent_link_family *family) {
  return family->code + (family->traits & ENT_LINK_DIRECTED ? 1 : 0);
}

unsigned ent_link_code(const ent_link *link) {
  const ent_link_family *family = ent_link_of(link);
  return link->sign < 0 ? last_code(family) : family->code;
}

unsigned ent_link_most_code(void) {
  unsigned most = 0;
  for (size_t i = 0; i < ENT_LINKS; i++)
    most = last_code(families[i]) > most ? last_code(families[i]) : most;
  return most;
}

bool ent_link_from_code(unsigned code, ent_link *link) {
  for (size_t i = 0; i < ENT_LINKS; i++) {
    if (code == 0 || code < families[i]->code || code > last_code(families[i]))
      continue;
    link->number = (ent_link_number)i;
    link->sign = !(families[i]->traits & ENT_LINK_DIRECTED) ? 0 : code == families[i]->code ? 1 : -1;
    return true;
  }
  return false;
}

bool ent_link_equal(const ent_link *a, const ent_link *b) {
  return a->number == b->number && a->sign == b->sign && a->origin == b->origin && a->bias == b->bias;
}

/* ---- Numbers ---- */

bool ent_link_takes(const ent_link *link, double target) {
  const ent_link_family *family = ent_link_of(link);
  return family->takes == NULL || family->takes(link, target);
}

double ent_link_size(const ent_link *link, double size) {
  const ent_link_family *family = ent_link_of(link);
  return family->size == NULL ? size : family->size(size);
}

void ent_link_ends(const ent_link *link, double *least, double *most) {
  const ent_link_family *family = ent_link_of(link);
  *least = -INFINITY;
  *most = INFINITY;
  if (family->ends != NULL)
    family->ends(link, least, most);
}

void ent_link_targets_between(const ent_link *link, double *least, double *most) {
  const ent_link_family *family = ent_link_of(link);
  if (family->targets != NULL)
    family->targets(link, least, most);
}

int ent_link_unit(const ent_link *link, int unit) {
  const ent_link_family *family = ent_link_of(link);
  return family->unit == NULL ? unit : family->unit(unit);
}

void ent_link_restore_units(ent_link *link, int unit) {
  const ent_link_family *family = ent_link_of(link);
  if (family->restore_units != NULL)
    family->restore_units(link, unit);
}

double ent_link_deviation(const ent_link *link, double score, double off) {
  const ent_link_family *family = ent_link_of(link);
  return family->deviation != NULL ? family->deviation(link, score, off) : fabs(family->slope(link, score)) * off;
}

entropic_status ent_link_check_targets(entropic_context *context, const ent_link_family *family, const ent_link *link,
                                       const double *y, size_t rows, size_t stride) {
  for (size_t r = 0; (family->traits & ENT_LINK_CHECKS_TARGETS) && r < rows; r++)
    if (!family->takes(link, y[r * stride]))
      return ent_fail(context, ENTROPIC_BAD_DATA, "row %zu: found the target %g, which the %s link does not take",
                      r + 1, y[r * stride], family->name);
  return ENTROPIC_OK;
}

/* ---- Classes ---- */

size_t ent_class_scores(size_t classes) {
  return families[number_for(classes)]->traits & ENT_LINK_ONE_SCORE ? 1 : classes;
}

size_t ent_class_of(size_t classes, const double *scores) {
  return families[number_for(classes)]->decide(classes, scores);
}

void ent_probabilities(size_t classes, const double *scores, double *probabilities) {
  families[number_for(classes)]->chances(classes, scores, probabilities);
}

void ent_link_probabilities(const ent_link *link, size_t classes, const double *scores, double *probabilities) {
  const ent_link_family *family = ent_link_of(link);
  size_t best = family->decide(classes, scores);
  if (family->traits & ENT_LINK_ONE_SCORE) {
    double score = link->inverse_temperature * scores[0];
    family->chances(classes, &score, probabilities);
  } else {
    /* Differences first: the inverse temperature times a score may be too large, where it does not matter. */
    for (size_t k = 0; k < classes; k++)
      probabilities[k] = scores[k] == scores[best] ? 0 : link->inverse_temperature * (scores[k] - scores[best]);
    family->chances(classes, probabilities, probabilities);
  }
  /* Rounding may have made equal what is not: a class that comes earlier would then seem to be the likeliest. */
  double most = probabilities[best];
  for (size_t k = 0; k < best; k++)
    if (probabilities[k] >= most)
      probabilities[k] = nextafter(most, 0);
}
