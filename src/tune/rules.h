/* The constants of the recipe. What each rule is worth stands in docs/recipe.md. Those of a single path are in
 * select/path.c. */
#ifndef ENT_TUNE_RULES_H
#define ENT_TUNE_RULES_H

/* The pilot search: kernel, scaling and inputs, by short paths; and omega in the grid search. */
#define ENT_PILOT_ROWS ((size_t)6000)            /* training rows of a path; small tables use several parts */
#define ENT_PILOT_VALIDATION_ROWS ((size_t)8000) /* validation rows of a path */
#define ENT_PILOT_SIZE ((size_t)350)             /* features at the end of a path */
#define ENT_BRIEF_SIZE ((size_t)200)             /* the same where only an error is asked for */
#define ENT_BRIEF_LEAST ((size_t)100)            /* and with few inputs, of which so many features are */
#define ENT_BRIEF_INPUTS ((size_t)4)             /* for each input: enough to meet products */
#define ENT_PILOT_SHARE 0.3                      /* of the time left, or more if the models are expected to fit */
#define ENT_PILOT_SETTINGS ((size_t)8)           /* about so many settings are validated */
#define ENT_MODEL_PATHS 4.0                      /* a model's path takes so many times a full pilot path */
#define ENT_HOPELESS 1.3                         /* a setting is dropped if its error is so many times the least */

/* The pilot search for numbers of so few rows, and all paths of their outer validation: shorter paths, and settings are
 * dropped sooner. */
#define ENT_SCARCE_ROWS ((size_t)500)
#define ENT_SCARCE_SHARE 0.6            /* features at the end of a path, as a share of the rows */
#define ENT_SCARCE_PATIENCE ((size_t)2) /* steps in a row without a smaller error, which end a path */
#define ENT_SCARCE_HOPELESS 1.1         /* in place of ENT_HOPELESS */

/* Weights of rows with missing values, by one path before the pilot search. */
#define ENT_MISSINGNESS_OMEGA 1.0
#define ENT_MISSINGNESS_SHARE 0.1 /* of the time left, or more likewise */

#define ENT_SKEWED 1.0 /* from this skewness on the root of a target is a candidate */

/* Omegas in the order of the pilot search, and ascending for grids. With more features larger omegas do better, so a
 * smaller one must be clearly better in the pilot search. */
#define ENT_OMEGAS                                                                                                     \
  { 10, 3, 1, 0.3, 0.1 }
#define ENT_OMEGAS_ASCENDING                                                                                           \
  { 0.1, 0.3, 1, 3, 10 }
#define ENT_CLEARLY_BETTER 0.99 /* an error below this part of the least is clearly better */
#define ENT_UPHILL 1.05         /* an error above so many times the least is worse; two in a row end the search */

/* Inputs that explained less than these shares are left out, one share after the other. */
#define ENT_WORTH_SHARES                                                                                               \
  { 0.003, 0.01, 0.03 }

/* Inputs made of targets (target means) are offered once kernel and scaling are chosen. Their means are of some of the
 * validation rows, too, so they must be clearly better. */
#define ENT_OFFER_BETTER 0.98

/* Simpler products: without Legendre atoms, then of fewer inputs. With more features they would lose otherwise, so they
 * must be much better by a mean square in which the largest square counts twice. */
#define ENT_MUCH_BETTER 0.95
#define ENT_SIMPLER_ORDERS                                                                                             \
  { 2, 1 }

/* The models. */
#define ENT_SELECT_ROWS ((size_t)25000)           /* features are selected by at most so many; weights by all rows */
#define ENT_SELECT_VALIDATION_ROWS ((size_t)8333) /* and validated on at most so many */
#define ENT_MOST_FEATURES ((size_t)2000)          /* at the end of a path: one for each row, at most so many */
#define ENT_FEW_FEATURES ((size_t)1000)           /* fewer rows than this: two for each row, at most so many */
#define ENT_SMALL_TABLE ((size_t)25000)           /* numbers: up to so many rows five models are averaged, then three */
#define ENT_COSTLY_SCORES 400000.0  /* classes: rows times scores, beyond which one model is all there is time for */
#define ENT_FEW_ROWS ((size_t)2000) /* classes: up to so many rows five models are averaged */
#define ENT_FEW_VALUES ((size_t)8)  /* an input of so few values needs no polynomials: hats separate them */
#define ENT_MEAN_LAMBDA 0.1         /* part of the lambda chosen, for weights of averaged models */

#endif
