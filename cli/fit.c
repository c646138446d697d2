/* entropic fit: learns from a table. */
#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "commands.h"
#include "signals.h"

#define MOST_FEATURES 2147483647

static const cli_option fit_options[] = {
    {.name = "target",
     .kind = OPTION_TEXT,
     .offset = offsetof(fit_settings, target),
     .value = "COLS",
     .help = "the column to predict: a name or a number from 1; several numbers\nare predicted together (COL,COL); "
             "LIBSVM text has its label"},
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .offset = offsetof(fit_settings, path),
     .value = "MODEL",
     .help = "the model file (DATA without its endings, with .entropic);\n- is standard output"},
    {.name = "weights",
     .kind = OPTION_TEXT,
     .offset = offsetof(fit_settings, weights),
     .value = "COL",
     .help = "how much each row counts; weight 2 fits like the row twice"},
    {.name = "groups",
     .kind = OPTION_TEXT,
     .offset = offsetof(fit_settings, groups),
     .value = "COL",
     .help = "rows with the same value here stay together in validation"},
    {.name = "time",
     .kind = OPTION_TEXT,
     .offset = offsetof(fit_settings, time),
     .value = "COL",
     .help = "rows are a time series in the order of this column, a number or a\ndate: validation learns from "
             "earlier rows and predicts later ones; it\nstays an input unless it is ignored"},
    {.name = "ignore",
     .kind = OPTION_TEXTS,
     .offset = offsetof(fit_settings, ignore),
     .value = "COLS",
     .help = "columns to leave out: names or numbers, comma separated;\nmay be repeated"},
    {.name = "keep",
     .kind = OPTION_TEXTS,
     .offset = offsetof(fit_settings, keep),
     .value = "COLS",
     .help = "inputs however they look: row numbers, names of rows, constants"},
    {.name = "categorical",
     .kind = OPTION_TEXTS,
     .offset = offsetof(fit_settings, categorical),
     .value = "COLS",
     .help = "columns that are categories although they hold numbers"},
    {.name = "task",
     .kind = OPTION_CHOICE,
     .offset = offsetof(fit_settings, task),
     .value = "auto|regression|classification",
     .help = "what the target is; auto: text, or two values, are classes"},
    {.name = "loss",
     .kind = OPTION_CHOICE,
     .offset = offsetof(fit_settings, loss),
     .value = "auto|squared|logistic|hinge",
     .help = "logistic and hinge (squared) are for classes (auto: whichever\nvalidates better)"},
    {.name = "class-weight",
     .kind = OPTION_CHOICE,
     .offset = offsetof(fit_settings, class_weight),
     .value = "none|balanced",
     .help = "balanced: classes of few rows count more, so that all count the same;\nfor classes (none)"},
    {.name = "scale",
     .kind = OPTION_CHOICE,
     .offset = offsetof(fit_settings, scaling),
     .value = "quantile|minmax|none|blend|auto",
     .help = "how inputs are brought to [0,1] (auto: quantile, blend or\nminmax, whichever validates better)"},
    {.name = "target-scale",
     .kind = OPTION_CHOICE,
     .offset = offsetof(fit_settings, target_scale),
     .value = "auto|plain|root",
     .help = "what is learnt of a number: itself (plain), or the root of how far it\nis from its crowded end, for "
             "counts and the like (auto: the root if\nthe target is skewed and that validates better)"},
    {.name = "features",
     .kind = OPTION_COUNT,
     .offset = offsetof(fit_settings, recipe.features),
     .value = "M",
     .least = 1,
     .most = MOST_FEATURES,
     .word = "theory",
     .word_count = ENTROPIC_FEATURES_THEORY,
     .help = "how many features; auto (the default): by validation;\ntheory: N^(1/4) for N rows"},
    {.name = "nonzeros",
     .kind = OPTION_COUNT,
     .offset = offsetof(fit_settings, recipe.nonzeros),
     .value = "B",
     .least = 1,
     .most = MOST_FEATURES,
     .help = "instead: how many non-zeros a row at most"},
    {.name = "select",
     .kind = OPTION_CHOICE,
     .offset = offsetof(fit_settings, select),
     .value = "auto|entropy|residual",
     .help =
         "how features are chosen: by the kernel alone (entropy), or from the\ndata (residual; auto: that, where the "
         "kernel and other options allow it)"},
    {.name = "ensemble",
     .kind = OPTION_COUNT,
     .offset = offsetof(fit_settings, ensemble),
     .value = "K",
     .least = 1,
     .most = 100,
     .help = "averages so many selected models into one (auto: several where that\nis cheap; at most one a fold)"},
    {.name = "seconds",
     .kind = OPTION_NUMBER,
     .offset = offsetof(fit_settings, seconds),
     .value = "T",
     .low = 0.001,
     .high = 1e9,
     .help = "begins no step of the search that would end later than this, reading\nincluded; what comes out "
             "then depends on the machine"},
    {.name = "omega",
     .kind = OPTION_TEXT,
     .offset = offsetof(fit_settings, recipe.omega),
     .value = "W",
     .help = "the kernel's parameter, 1e-6 to 1e4, or a comma list, one for each\ninput; auto (the default): by "
             "validation; bridge has none"},
    {.name = "lambda",
     .kind = OPTION_NUMBER,
     .offset = offsetof(fit_settings, lambda),
     .value = "L",
     .low = 0,
     .high = 1e300,
     .word = "theory",
     .word_number = ENTROPIC_LAMBDA_THEORY,
     .help = "the ridge; auto (the default): by validation;\ntheory: N^(-1/2) for N rows"},
    {.name = "solver",
     .kind = OPTION_CHOICE,
     .offset = offsetof(fit_settings, solver),
     .value = "auto|direct|dual|iterative|exact",
     .help = "equations in the features, in the rows, or by steps (auto: the\ncheapest); exact: the kernel itself, "
             "without features"},
    {.name = "valid",
     .kind = OPTION_TEXT,
     .offset = offsetof(fit_settings, valid),
     .value = "FILE",
     .help = "validation rows, half of them to choose by and half to score\n(parts of DATA in turn)"},
    {.name = "folds",
     .kind = OPTION_COUNT,
     .offset = offsetof(fit_settings, folds),
     .value = "K",
     .least = 2,
     .most = 100,
     .help = "how many parts (5)"},
    {.name = "seed",
     .kind = OPTION_COUNT,
     .offset = offsetof(fit_settings, recipe.seed),
     .value = "K",
     .most = UINT64_MAX,
     .help = "of the parts, and of --choice paper (1)"},
    OPTION_ROW_THREADS(fit_settings),
    {.name = "html",
     .kind = OPTION_TEXT,
     .offset = offsetof(fit_settings, html),
     .value = "FILE",
     .help = "draws it: a page of its own, with the error by number of features"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(fit_settings, json),
     .help = "a summary as JSON on standard output"},
    {0}};

static int run_fit(cli_session *session, int argc, char **argv);

const cli_command fit_command = {
    .name = "fit",
    .summary = "learns from a table and writes a model",
    .usage = "DATA --target COL [-o MODEL] [options]",
    .text = "Learns to predict the target from the other columns of DATA (CSV and the like, LIBSVM\n"
            "text or .npy, plain or gzipped; - is standard input). Numbers, categories and missing\n"
            "values are taken as they are. What is not given is found out: the task from the target;\n"
            "omega, lambda and the number of features by validation.",
    .example = "entropic generate friedman1 -o friedman1.csv\n"
               "entropic fit friedman1.csv --target y\n"
               "entropic info friedman1.entropic",
    .tables = {fit_options, shape_options, reading_options, common_options},
    .operands = {"DATA"},
    .least = 1,
    .most = 1,
    .run = run_fit,
};

static bool cut_ending(char *name, const char *ending) {
  size_t length = strlen(name), tail = strlen(ending);
  if (length <= tail || name[length - tail - 1] == '/' || strcasecmp(name + length - tail, ending))
    return false;
  name[length - tail] = 0;
  return true;
}

/* The model's name if none is given, to be freed: DATA without endings, and .entropic. */
static char *default_path(const char *data) {
  static const char *const endings[] = {".csv",  ".tsv",    ".tab", ".txt",      ".dat",
                                        ".data", ".libsvm", ".svm", ".svmlight", ".npy"};
  const char *added = ".entropic";
  char *path = malloc(strlen(data) + strlen(added) + 1);
  if (!path)
    return NULL;
  strcpy(path, data);
  cut_ending(path, ".gz");
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (cut_ending(path, endings[i]))
      break;
  return strcat(path, added);
}

/* DATA, and FILE of --valid, ready to learn from. */
static int prepare(const cli_session *session, const fit_settings *settings, const char *data, entropic_dataset **train,
                   entropic_dataset **valid, fit_outcome *outcome) {
  reading_columns columns = {.target = settings->target,
                             .weights = settings->weights,
                             .groups = settings->groups,
                             .ignore = &settings->ignore,
                             .categorical = &settings->categorical,
                             .keep = &settings->keep,
                             .time = settings->time};
  entropic_table *table = NULL, *extra = NULL;
  int result = reading_load(session, &settings->reading, &columns, data, NULL, &table);
  if (result)
    return result;
  result = reading_check_target(session, &columns, table);
  if (result)
    goto done;
  entropic_status status = entropic_dataset_create(session->context, table, (entropic_task)settings->task, train);
  if (status) {
    result = complain_about(session, data, status);
    goto done;
  }
  fit_mention_columns(session, table);
  reading_mention_classes(session, *train);
  fit_mention_task(session, table, *train);
  result = fit_list_columns(session, table, outcome);
  if (result || !settings->valid)
    goto done;
  columns.groups = NULL; /* validation rows need no groups */
  result = reading_load(session, &settings->reading, &columns, settings->valid, table, &extra);
  if (result)
    goto done;
  status = entropic_dataset_create_with_schema(session->context, extra, *train, valid);
  if (status)
    result = complain_about(session, settings->valid, status);
done:
  entropic_table_free(table);
  entropic_table_free(extra);
  return result;
}

static entropic_fit_options fit_choices(const fit_settings *settings) {
  entropic_fit_options options = entropic_fit_options_default();
  options.loss = (entropic_loss)settings->loss;
  options.solver = (entropic_solver)settings->solver;
  options.select = (entropic_select)settings->select;
  options.class_weight = (entropic_class_weight)settings->class_weight;
  options.ensemble = (size_t)settings->ensemble;
  options.target_scale = (entropic_target_scale)settings->target_scale;
  options.scaling = (entropic_scaling)settings->scaling;
  options.axis = recipe_axis(&settings->recipe);
  if (settings->recipe.smooth == SMOOTH_AUTO)
    options.axis.smooth = ENTROPIC_SMOOTH_AUTO;
  options.lambda = settings->lambda;
  options.features = (size_t)settings->recipe.features;
  options.nonzeros = (size_t)settings->recipe.nonzeros;
  options.choice = (entropic_choice)settings->recipe.choice;
  options.criterion = (entropic_criterion)settings->recipe.criterion;
  options.max_order = (size_t)settings->recipe.max_order;
  options.seed = settings->recipe.seed;
  options.folds = (size_t)settings->folds;
  return options;
}

static bool is_loss_of_classes(const fit_settings *settings) {
  return settings->loss == ENTROPIC_LOSS_LOGISTIC || settings->loss == ENTROPIC_LOSS_HINGE;
}

static int learn(const cli_session *session, const fit_settings *settings, const entropic_dataset *train,
                 const entropic_dataset *valid, fit_outcome *outcome, entropic_model **model) {
  if (is_loss_of_classes(settings) && entropic_dataset_describe(train).task == ENTROPIC_TASK_REGRESSION)
    return complain(session, EXIT_USAGE, "--loss %s is for classes, and the target is a number",
                    entropic_loss_name((entropic_loss)settings->loss));
  if (settings->class_weight && entropic_dataset_describe(train).task == ENTROPIC_TASK_REGRESSION)
    return complain(session, EXIT_USAGE, "--class-weight balanced is for classes, and the target is a number");
  entropic_fit_options options = fit_choices(settings);
  double *omegas;
  int result =
      recipe_omegas(session, &settings->recipe, entropic_dataset_describe(train).inputs, &omegas, &options.omega_count);
  if (result)
    return result;
  options.omegas = omegas;
  if (settings->seconds > 0) /* what reading has left of it, which may be nothing */
    options.seconds = fmax(settings->seconds - (seconds_now() - outcome->start), 1e-9);
  cli_progress bar = progress_start(session, "learning");
  progress_listen(&bar);
  entropic_status status = entropic_fit(session->context, train, valid, &options, &outcome->report, model);
  progress_end(&bar);
  free(omegas);
  if (options.features != ENTROPIC_FEATURES_THEORY)
    outcome->asked = options.features;
  return status ? complain_library(session, status) : EXIT_DONE;
}

/* An interrupted fit ends at once; an interrupted write is waited for, so that no temporary file is left. */
static int save(const cli_session *session, const entropic_model *model, const char *path) {
  bool held = strcmp(path, "-") != 0;
  if (held)
    signals_hold();
  entropic_status status = entropic_model_save(session->context, model, path);
  if (held)
    signals_release();
  if (signals_pending())
    return signals_pending();
  return status ? write_failure(session, status) : EXIT_DONE;
}

static int draw(const cli_session *session, const fit_settings *settings, const char *data, const entropic_model *model,
                const fit_outcome *outcome) {
  signals_hold();
  entropic_status status = entropic_fit_html(session->context, model, &outcome->report, data, settings->html);
  signals_release();
  if (signals_pending())
    return signals_pending();
  return status ? write_failure(session, status) : EXIT_DONE;
}

static int work(const cli_session *session, const fit_settings *settings, const char *data) {
  entropic_dataset *train = NULL, *valid = NULL;
  entropic_model *model = NULL;
  fit_outcome outcome = {.start = seconds_now()};
  int result = prepare(session, settings, data, &train, &valid, &outcome);
  if (result)
    goto done;
  outcome.read = seconds_now() - outcome.start;
  fit_mention(session, settings, train, valid);
  result = learn(session, settings, train, valid, &outcome, &model);
  if (result)
    goto done;
  result = save(session, model, settings->path);
  if (result)
    goto done;
  if (settings->html) {
    result = draw(session, settings, data, model, &outcome);
    if (result)
      goto done;
  }
  outcome.total = seconds_now() - outcome.start;
  result = fit_summarise(session, settings, train, model, &outcome);
done:
  fit_outcome_clear(&outcome);
  entropic_model_free(model);
  entropic_dataset_free(valid);
  entropic_dataset_free(train);
  return result;
}

/* Options that speak of features, which the exact kernel does not have. */
static int check_exact(const cli_session *session, const fit_settings *settings, const cli_arguments *arguments) {
  static const char *const refused[] = {"features", "nonzeros", "criterion", "max-level", "max-order", "choice"};
  if (settings->solver != ENTROPIC_SOLVER_EXACT)
    return EXIT_DONE;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (option_given(&fit_command, arguments, refused[i]))
      return complain(session, EXIT_USAGE, "--solver exact has no features: --%s cannot be given", refused[i]);
  if (is_loss_of_classes(settings))
    return complain(session, EXIT_USAGE, "--solver exact is for the squared loss: --loss %s cannot be given",
                    entropic_loss_name((entropic_loss)settings->loss));
  return EXIT_DONE;
}

/* Which options go with which, and where the model goes. */
static int check(const cli_session *session, const fit_settings *settings, const cli_arguments *arguments) {
  int result = check_exact(session, settings, arguments);
  if (result)
    return result;
  result = recipe_check(session, &settings->recipe, &fit_command, arguments);
  if (result)
    return result;
  if (settings->groups && settings->time)
    return complain(session, EXIT_USAGE, "--groups and --time are two ways to split rows: give one of them");
  if (settings->valid && option_given(&fit_command, arguments, "folds"))
    return complain(session, EXIT_USAGE,
                    "--folds is how DATA are parted, which --valid makes needless: give one of them");
  if (is_loss_of_classes(settings) && settings->task == ENTROPIC_TASK_REGRESSION)
    return complain(session, EXIT_USAGE, "--loss %s is for classes, --task regression for numbers",
                    entropic_loss_name((entropic_loss)settings->loss));
  if (settings->valid && !strcmp(settings->valid, "-") && !strcmp(arguments->plain[0], "-"))
    return complain(session, EXIT_USAGE, "DATA and --valid cannot both come from standard input");
  const cli_destination places[] = {{"the model", settings->path, false},
                                    {"the page", settings->html, false},
                                    {"the summary", settings->json ? "-" : NULL, false},
                                    {"DATA", arguments->plain[0], true},
                                    {"the rows of --valid", settings->valid, true}};
  result = destinations_check(session, places, sizeof places / sizeof *places);
  if (result)
    return result;
  result = check_writable(session, settings->path);
  if (result)
    return result;
  if (settings->html) {
    result = check_writable(session, settings->html);
    if (result)
      return result;
  }
  return settings->valid ? check_readable(session, settings->valid) : EXIT_DONE;
}

/* Where the model goes if nobody said so: *made is to be freed. */
static int name_model(const cli_session *session, const char *data, fit_settings *settings, char **made) {
  struct stat info;
  if (settings->path)
    return EXIT_DONE;
  if (!strcmp(data, "-") || (!stat(data, &info) && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)))
    return complain(session, EXIT_USAGE, "-o MODEL is needed: DATA have no name to make one from");
  settings->path = *made = default_path(data);
  return *made ? EXIT_DONE : complain_memory(session);
}

static int run_fit(cli_session *session, int argc, char **argv) {
  entropic_fit_options standard = entropic_fit_options_default();
  fit_settings settings = {
      .scaling = (int)standard.scaling, .lambda = standard.lambda, .folds = standard.folds, .recipe = recipe_default()};
  settings.recipe.smooth = SMOOTH_AUTO;
  common_settings common = {0};
  cli_arguments arguments;
  void *values[] = {&settings, &settings.recipe, &settings.reading, &common};
  int result = options_parse(session, &fit_command, argc, argv, values, &arguments);
  if (result >= 0)
    return result;
  char *made = NULL;
  result = name_model(session, arguments.plain[0], &settings, &made);
  if (result)
    return result;
  result = check(session, &settings, &arguments);
  if (result)
    goto done;
  if (settings.threads)
    entropic_context_set_threads(session->context, (int)settings.threads);
  result = work(session, &settings, arguments.plain[0]);
done:
  free(made);
  return result;
}
