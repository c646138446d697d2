/* The table of links: every one is complete, slopes are derivatives, and scores come back from targets and predictions. One
 * that lacks something is refused. */
#include "unit/tests.h"

#include "loss/link.h"

/* With parameters that are not those of a beginning. */
static ent_link sample(ent_link_number number, double sign) {
  bool directed = ent_link_at(number)->traits & ENT_LINK_DIRECTED;
  return (ent_link){
      .number = number, .sign = directed ? sign : 0, .origin = 3, .bias = 0.25, .inverse_temperature = 0.7};
}

static bool is_of_numbers(ent_link_number number) {
  return ent_link_at(number)->traits & ENT_LINK_NUMBERS;
}

static void all_are_complete(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  for (int i = 0; i < ENT_LINKS; i++) {
    const ent_link_family *family = ent_link_at((ent_link_number)i);
    ASSERT_OK(context, ent_link_check_table(context, family));
    for (int other = 0; other < i; other++)
      assert_string_not_equal(family->name, ent_link_at((ent_link_number)other)->name);
  }
#define NAMED(member, table)                                                                                           \
  assert_ptr_equal(ent_link_at(ENT_LINK_##member), &ent_link_##table);                                                 \
  assert_string_equal(ent_link_##table.name, #table);
  ENT_LINK_MAP(NAMED)
  assert_null(ent_link_at(ENT_LINKS));
  assert_null(ent_link_at((ent_link_number)-1));
  assert_int_equal((ent_link){0}.number, ENT_LINK_IDENTITY);
  entropic_context_free(context);
}

/* What a model has if nothing else is said. */
static void those_of_a_task(void **state) {
  (void)state;
  static const struct {
    size_t classes, scores;
    ent_link_number link;
  } cases[] = {{0, 0, ENT_LINK_IDENTITY},
               {1, 1, ENT_LINK_SOFTMAX},
               {2, 1, ENT_LINK_LOGIT},
               {3, 3, ENT_LINK_SOFTMAX},
               {100, 100, ENT_LINK_SOFTMAX}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    ent_link link = ent_link_for(cases[i].classes);
    assert_int_equal(link.number, cases[i].link);
    assert_true(link.inverse_temperature == 1 && link.sign == 0 && link.origin == 0 && link.bias == 0);
    assert_int_equal(ent_link_code(&link), 0);
    assert_int_equal(ent_class_scores(cases[i].classes), cases[i].scores);
  }
}

/* Numbers in files: none twice, and back to the link. */
static void codes(void **state) {
  (void)state;
  for (int i = 0; i < ENT_LINKS; i++)
    for (double sign = -1; sign <= 1; sign += 2) {
      ent_link link = sample((ent_link_number)i, sign), found = {0};
      unsigned code = ent_link_code(&link);
      assert_true(code <= ent_link_most_code());
      if (code == 0)
        continue;
      assert_true(ent_link_from_code(code, &found));
      assert_true(found.number == link.number && found.sign == link.sign);
    }
  ent_link untouched = {.number = ENT_LINK_LOGIT};
  assert_false(ent_link_from_code(0, &untouched));
  assert_false(ent_link_from_code(ent_link_most_code() + 1, &untouched));
  assert_int_equal(untouched.number, ENT_LINK_LOGIT);
}

static void equal_ones(void **state) {
  (void)state;
  ent_link a = sample(ENT_LINK_ROOT, 1), b = a;
  assert_true(ent_link_equal(&a, &b));
  b.bias = 1;
  assert_false(ent_link_equal(&a, &b));
  b = a, b.origin = 1;
  assert_false(ent_link_equal(&a, &b));
  b = a, b.sign = -1;
  assert_false(ent_link_equal(&a, &b));
  b = a, b.number = ENT_LINK_IDENTITY;
  assert_false(ent_link_equal(&a, &b));
}

/* Derivatives by differences, and the same direction everywhere. */
static void slopes(void **state) {
  (void)state;
  const double step = 1e-6;
  for (int i = 0; i < ENT_LINKS; i++)
    for (double sign = -1; sign <= 1 && is_of_numbers((ent_link_number)i); sign += 2) {
      ent_link link = sample((ent_link_number)i, sign);
      double direction = 0;
      for (double score = -2.03; score < 3; score += 0.11) {
        double around[] = {score - step, score + step}, slope = ent_link_of(&link)->slope(&link, score);
        ent_link_predict(&link, 2, around);
        assert_close(slope, (around[1] - around[0]) / (2 * step), 1e-5 * (1 + fabs(slope)));
        assert_true(direction * slope >= 0);
        if (slope == 0)
          continue;
        direction = slope;
        assert_close(ent_link_deviation(&link, score, 1e-7), fabs(slope) * 1e-7, 1e-13 + 1e-5 * fabs(slope) * 1e-7);
        assert_close(ent_link_deviation(&link, score, 0), 0, 0);
      }
      assert_true(direction != 0);
    }
}

/* From scores to targets and predictions, and back where they are not level. */
static void there_and_back(void **state) {
  (void)state;
  for (int i = 0; i < ENT_LINKS; i++)
    for (double sign = -1; sign <= 1 && is_of_numbers((ent_link_number)i); sign += 2) {
      ent_link link = sample((ent_link_number)i, sign);
      const ent_link_family *family = ent_link_of(&link);
      double least, most;
      ent_link_ends(&link, &least, &most);
      for (double score = -2.03; score < 3; score += 0.11) {
        double prediction = score, target = ent_link_target(&link, score), back = ent_link_score(&link, target);
        ent_link_predict(&link, 1, &prediction);
        assert_true(ent_link_takes(&link, target));
        assert_true(prediction >= least && prediction <= most);
        assert_true(fabs(prediction - target) <= link.bias + 1e-12);
        assert_close(ent_link_target(&link, back), target, 1e-12);
        if (family->slope(&link, score) == 0)
          continue;
        assert_close(back, score, 1e-12);
        assert_close(ent_link_score_of_prediction(&link, prediction), score, 1e-12);
        /* Scores between two ends have targets between theirs. */
        double low = score - 0.05, high = score;
        ent_link_targets_between(&link, &low, &high);
        assert_true(target >= low - 1e-12 && target <= high + 1e-12);
      }
      assert_true(ent_link_size(&link, 5) >= 5);
    }
}

/* Parameters and scores in other units, powers of 4, say the same. */
static void units(void **state) {
  (void)state;
  for (int i = 0; i < ENT_LINKS; i++)
    for (double sign = -1; sign <= 1 && is_of_numbers((ent_link_number)i); sign += 2)
      for (int unit = -6; unit <= 8; unit += 2) {
        ent_link link = sample((ent_link_number)i, sign), restored = link;
        double own = 1.75, other = ldexp(1.75, ent_link_unit(&link, unit));
        ent_link_restore_units(&restored, unit);
        ent_link_predict(&link, 1, &own);
        ent_link_predict(&restored, 1, &other);
        assert_close(other, ldexp(own, unit), 1e-12 * fabs(other));
      }
}

static void probabilities(void **state) {
  (void)state;
  const double step = 1e-6;
  for (size_t classes = 2; classes <= 5; classes++) {
    ent_link link = ent_link_for(classes);
    const ent_link_family *family = ent_link_of(&link);
    double scores[5], p[5], moved[5];
    size_t count = ent_class_scores(classes);
    link.inverse_temperature = 0.7;
    for (int t = 0; t < 40; t++) {
      double sum = 0;
      for (size_t k = 0; k < count; k++)
        scores[k] = 3 * sin(5.0 * t + 2.0 * (double)k + (double)classes);
      size_t best = ent_class_of(classes, scores);
      ent_link_probabilities(&link, classes, scores, p);
      for (size_t k = 0; k < classes; k++) {
        sum += p[k];
        assert_true(p[k] > 0 && p[k] <= p[best] && (p[k] < p[best] || k >= best));
      }
      assert_close(sum, 1, 1e-14);
      for (size_t k = 0; k < count; k++) /* each its own way */
        scores[k] += step * (k % 2 == 0 ? 1 : -1);
      ent_link_probabilities(&link, classes, scores, moved);
      for (size_t k = 0; k < classes; k++)
        assert_true(fabs(moved[k] - p[k]) <= step * family->steepest(&link) * (1 + 1e-4));
    }
  }
}

/* Scores of shares have them as probabilities. */
static void shares(void **state) {
  (void)state;
  static const double weights[] = {3, 1, 4, 1.5, 9};
  for (size_t classes = 2; classes <= COUNT(weights); classes++) {
    ent_link link = ent_link_for(classes);
    double sum = 0, scores[COUNT(weights)], p[COUNT(weights)];
    for (size_t k = 0; k < classes; k++)
      sum += weights[k];
    ent_link_of(&link)->constant(classes, weights, sum, scores);
    ent_link_probabilities(&link, classes, scores, p);
    for (size_t k = 0; k < classes; k++)
      assert_close(p[k], weights[k] / sum, 1e-14);
  }
}

static bool takes_above(const ent_link *link, double target) {
  return target > link->origin;
}

/* A link that checks targets says which row it does not take. */
static void targets_that_are_refused(void **state) {
  (void)state;
  entropic_context *context = context_with(1);
  const ent_link link = sample(ENT_LINK_IDENTITY, 1);
  const double y[] = {4, -1, 5, -1, 3, -1};
  ent_link_family family = ent_link_identity;
  ASSERT_OK(context, ent_link_check_targets(context, &family, &link, y, 3, 2));
  family.traits |= ENT_LINK_CHECKS_TARGETS;
  assert_int_equal(ent_link_check_table(context, &family), ENTROPIC_SYSTEM);
  assert_message(context, "which targets it takes");
  family.takes = takes_above;
  ASSERT_OK(context, ent_link_check_table(context, &family));
  ASSERT_OK(context, ent_link_check_targets(context, &family, &link, y, 2, 2));
  assert_int_equal(ent_link_check_targets(context, &family, &link, y, 3, 2), ENTROPIC_BAD_DATA);
  assert_message(context, "row 3: found the target 3, which the identity link does not take");
  entropic_context_free(context);
}

/* Tables that somebody has not finished. */
static void half_of_one_is_refused(void **state) {
  (void)state;
  const ent_link_family whole = ent_link_root, of_classes = ent_link_logit;
  struct {
    ent_link_family family;
    const char *lacks;
  } cases[30];
  size_t count = 0;
#define WITHOUT(from, member, words)                                                                                   \
  cases[count].family = from;                                                                                          \
  memset(&cases[count].family.member, 0, sizeof cases[count].family.member);                                           \
  cases[count++].lacks = words;
  WITHOUT(whole, name, "a name")
  WITHOUT(whole, scale_words, "words for its scale")
  WITHOUT(whole, reading, "words for its scale")
  WITHOUT(whole, traits, "numbers or classes")
  WITHOUT(whole, since, "version of files")
  WITHOUT(whole, scale, "its scale in the interface")
  WITHOUT(whole, parameters, "its parameters")
  WITHOUT(whole, predict, "predictions")
  WITHOUT(whole, slope, "their slope")
  WITHOUT(whole, score, "a way back")
  WITHOUT(whole, score_of_prediction, "a way back")
  WITHOUT(whole, target, "a way back")
  WITHOUT(whole, size, "sizes and ends")
  WITHOUT(whole, ends, "sizes and ends")
  WITHOUT(whole, targets, "sizes and ends")
  WITHOUT(whole, unit, "units")
  WITHOUT(whole, restore_units, "units")
  WITHOUT(whole, c.predict, "texts")
  WITHOUT(whole, c.score_single, "texts")
  WITHOUT(whole, js.constant, "texts")
  WITHOUT(whole, js.target, "texts")
  WITHOUT(of_classes, decide, "a decision")
  WITHOUT(of_classes, chances, "probabilities")
  WITHOUT(of_classes, steepest, "their slope")
  WITHOUT(of_classes, constant, "scores of shares")
  WITHOUT(of_classes, figure, "the loss of validation")
  WITHOUT(of_classes, c.chances, "texts")
  WITHOUT(of_classes, js.decide, "texts")
#undef WITHOUT
  entropic_context *context = context_with(1);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(ent_link_check_table(context, &cases[i].family), ENTROPIC_SYSTEM);
    assert_message(context, cases[i].lacks);
    assert_message(context, "is not complete");
  }
  ent_link_parameter nameless[] = {{.what = "something"}};
  ent_link_family family = whole;
  family.parameters = nameless;
  family.parameter_count = 1;
  assert_int_equal(ent_link_check_table(context, &family), ENTROPIC_SYSTEM);
  assert_message(context, "the name of a parameter");
  assert_int_equal(ent_link_check_table(context, NULL), ENTROPIC_SYSTEM);
  assert_message(context, "it has no table");
  entropic_context_free(context);
}

SUITE(loss_link) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_are_complete),
      cmocka_unit_test(those_of_a_task),
      cmocka_unit_test(codes),
      cmocka_unit_test(equal_ones),
      cmocka_unit_test(slopes),
      cmocka_unit_test(there_and_back),
      cmocka_unit_test(units),
      cmocka_unit_test(probabilities),
      cmocka_unit_test(shares),
      cmocka_unit_test(targets_that_are_refused),
      cmocka_unit_test(half_of_one_is_refused),
  };
  return cmocka_run_group_tests_name("loss_link", tests, NULL, NULL);
}
