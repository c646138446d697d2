/* What both links of classes say in JavaScript and on pages. */
#ifndef ENT_LOSS_CLASS_TEXT_H
#define ENT_LOSS_CLASS_TEXT_H

#define ENT_CLASSES_JS_DECIDE                                                                                          \
  "  if (classes.length === 2) return sums[0] > 0 ? 1 : 0;\n"                                                          \
  "  return sums.reduce((found, score, k) => (score > sums[found] ? k : found), 0);\n"
#define ENT_CLASSES_JS_CHANCES                                                                                         \
  "  if (classes.length === 2) {\n"                                                                                    \
  "    const score = inverseTemperature * sums[0], rest = Math.exp(-Math.abs(score)), small = rest / (1 + rest);\n"    \
  "    all = score < 0 ? [1 - small, small] : [small, 1 - small];\n"                                                   \
  "  } else {\n"                                                                                                       \
  "    const most = sums[first];\n"                                                                                    \
  "    all = sums.map((score) => (score === most ? 1 : Math.exp(inverseTemperature * (score - most))));\n"             \
  "    const total = all.reduce((a, b) => a + b, 0);\n"                                                                \
  "    all = all.map((chance) => chance / total);\n"                                                                   \
  "  }\n"

/* What effects are, for the reader of a page. */
#define ENT_CLASSES_READING                                                                                            \
  "A score is what the model adds up; probabilities follow from scores. All effects are on the scale of scores: an "   \
  "effect of +1 is the same step whatever the other inputs are, while what it does to a probability depends on them."

#endif
