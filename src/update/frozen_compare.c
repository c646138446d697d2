/* Whether the statistics of two models go together, and if not, why. */
#include <stdio.h>
#include <string.h>

#include "base/sha256.h"
#include "base/text.h"
#include "model/format.h"
#include "model/frozen.h"
#include "model/statistics_file.h"

static bool same_bytes(const void *a, const void *b, size_t count) {
  return count == 0 || memcmp(a, b, count) == 0;
}

/* Factors, NULL where there are none. */
static bool same_factors(const double *a, const double *b, size_t count) {
  return (a == NULL) == (b == NULL) && (a == NULL || same_bytes(a, b, count * sizeof *a));
}

/* What differs between the members: "the number of members", "the features of member 2". */
static bool find_member(const ent_frozen *a, const ent_frozen *b, char text[ENT_SHOW_SIZE]) {
  const char *what = NULL;
  size_t member = 0;
  for (size_t m = 0; m < a->member_count && a->member_count == b->member_count && what == NULL; m++) {
    const ent_frozen_member *x = &a->members[m], *y = &b->members[m];
    member = m + 1;
    if (x->count != y->count || (x->features == NULL) != (y->features == NULL) ||
        (x->features != NULL && !same_bytes(x->features, y->features, x->count * sizeof *x->features)))
      what = "features";
    else if (memcmp(&x->lambda, &y->lambda, sizeof x->lambda) != 0)
      what = "lambda";
  }
  if (a->member_count != b->member_count)
    snprintf(text, ENT_SHOW_SIZE, "the number of members");
  else if (what != NULL)
    snprintf(text, ENT_SHOW_SIZE, "the %s of member %zu", what, member);
  return a->member_count != b->member_count || what != NULL;
}

/* What differs between scales and weights; NULL if nothing does. The sections before are equal. */
static const char *find_scale(const ent_frozen *a, const ent_frozen *b) {
  if (!same_bytes(a->exponents, b->exponents, a->features * sizeof *a->exponents))
    return "the scales of features";
  if (!same_bytes(a->target_exponent, b->target_exponent, a->scores * sizeof *a->target_exponent))
    return "the scale of the target";
  if (!same_bytes(a->shift, b->shift, a->scores * sizeof *a->shift))
    return "the shift of the target";
  if (a->root_exponent != b->root_exponent)
    return "the scale of weights";
  if (!same_factors(a->missing, b->missing, a->inputs))
    return "the factors of missing values";
  return same_factors(a->class_weight, b->class_weight, a->classes) ? NULL : "the weights of classes";
}

static bool same_names(char *const *a, size_t a_count, char *const *b, size_t b_count) {
  bool same = a_count == b_count;
  for (size_t i = 0; i < a_count && same; i++)
    same = strcmp(a[i], b[i]) == 0;
  return same;
}

/* What differs between schemas. */
static void find_column(const ent_schema *a, const ent_schema *b, char text[ENT_SHOW_SIZE]) {
  const char *what = "how columns are read";
  bool inputs = a->inputs == b->inputs;
  for (size_t i = 0; i < a->inputs && inputs; i++)
    inputs = strcmp(a->input[i].name, b->input[i].name) == 0;
  for (size_t i = 0; i < a->inputs && inputs; i++)
    if (a->input[i].unused != b->input[i].unused)
      what = "the inputs in use";
  if (!inputs)
    what = "the inputs";
  else if (!same_names(a->target, a->targets, b->target, b->targets))
    what = "the targets";
  else if (!same_names(a->class_name, a->classes, b->class_name, b->classes))
    what = "the classes";
  snprintf(text, ENT_SHOW_SIZE, "%s", what);
  for (size_t i = 0; i < a->inputs && inputs; i++)
    if (!same_names(a->input[i].category, a->input[i].categories, b->input[i].category, b->input[i].categories))
      snprintf(text, ENT_SHOW_SIZE, "the categories of input %zu", i + 1);
}

/* What differs between what is known of the fits; NULL if nothing does that matters. */
static const char *find_info(const entropic_model *a, const entropic_model *b) {
  if (a->schema.task != b->schema.task)
    return "the task";
  if (!ent_link_equal(&a->link, &b->link))
    return "the target transform";
  if (a->lambda != b->lambda)
    return "lambda";
  return a->link.inverse_temperature != b->link.inverse_temperature ? "the inverse temperature"
                                                                    : "the seed or the non-zeros a row";
}

static bool same_section(const entropic_model *a, const entropic_model *b, ent_section section) {
  uint8_t one[ENT_SHA256_SIZE], other[ENT_SHA256_SIZE];
  ent_statistics_hash_section(a, section, one);
  ent_statistics_hash_section(b, section, other);
  return memcmp(one, other, sizeof one) == 0;
}

/* What differs first: columns, then the features, then how rows are weighted and solved. NULL if nothing does. */
static const char *find_difference(const entropic_model *one, const entropic_model *other, char text[ENT_SHOW_SIZE]) {
  static const char *const parts[ENT_SECTIONS] = {[ENT_SECTION_SCALER] = "the scaler",
                                                  [ENT_SECTION_KERNEL] = "the kernel",
                                                  [ENT_SECTION_DESIGN] = "the features",
                                                  [ENT_SECTION_WEIGHTS] = "the range of predictions"};
  if (!same_section(one, other, ENT_SECTION_SCHEMA)) {
    find_column(&one->schema, &other->schema, text);
    return text;
  }
  for (int i = 0; i < ENT_SECTIONS; i++)
    if (parts[i] != NULL && !same_section(one, other, (ent_section)i))
      return parts[i];
  if (find_member(one->frozen, other->frozen, text))
    return text;
  const char *what = find_scale(one->frozen, other->frozen);
  if (what != NULL)
    return what;
  return same_section(one, other, ENT_SECTION_INFO) ? NULL : find_info(one, other);
}

entropic_status ent_frozen_compare(entropic_context *context, const entropic_model *one, const entropic_model *other) {
  char text[ENT_SHOW_SIZE];
  const char *what = find_difference(one, other, text);
  if (what == NULL)
    return ENTROPIC_OK;
  return ent_fail(context, ENTROPIC_BAD_DATA,
                  "they differ in %s; expected statistics that were collected for the same design", what);
}
