/* entropic fit: learns from a table. */
#include "fit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "about.h"
#include "commands.h"
#include "models.h"
#include "signals.h"

static const cli_option fit_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TEXT,
     .offset = offsetof(fit_settings, path),
     .value = "MODEL",
     .help = "the model file (DATA without its endings, with .entropic);\n- is standard output"},
    {.name = "valid",
     .kind = OPTION_TEXT,
     .offset = offsetof(fit_settings, valid),
     .value = "FILE",
     .help = "validation rows, half of them to choose by and half to score\n(parts of DATA in turn)"},
    {.name = "html",
     .kind = OPTION_TEXT,
     .offset = offsetof(fit_settings, html),
     .value = "FILE",
     .help = "draws it: a page of its own, with the error by number of features"},
    {.name = "checkpoint",
     .kind = OPTION_TEXT,
     .offset = offsetof(fit_settings, checkpoint),
     .value = "DIR",
     .help = "with entropic-mpi: keeps what ranks have found in this folder, so\nthat a run that was killed can go on"},
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
            "text or .npy, plain, .gz or .zst; Parquet; one file, several, a folder or a pattern; a\n"
            "DuckDB database; - is standard input). Numbers, categories and missing values are taken\n"
            "as they are. A column of dates is several inputs: DATE, its trend, and where they vary\n"
            "DATE:yearday, DATE:weekday and DATE:hour, by the clock as written. What is not given is\n"
            "found out: the task from the target; omega, lambda and the number of features by\n"
            "validation.",
    .example = "entropic generate friedman1 -o friedman1.csv\n"
               "entropic fit friedman1.csv --target y\n"
               "entropic info friedman1.entropic",
    .options = fit_options,
    .purpose = ENTROPIC_PURPOSE_FIT,
    .threads = true,
    .operands = {"DATA"},
    .least = 1,
    .most = 1,
    .several = true,
    .run = run_fit,
};

/* FILE of --valid, ready to validate with. */
static int prepare_valid(const cli_session *session, const char *path, const entropic_table *schema,
                         const entropic_dataset *train, entropic_dataset **valid) {
  entropic_table *table = NULL;
  int result = reading_load(session, path, schema, &table);
  if (result)
    return result;
  entropic_status status = entropic_dataset_create_with_schema(session->context, table, train, valid);
  entropic_table_free(table);
  return status ? complain_about(session, path, status) : EXIT_DONE;
}

/* DATA, and FILE of --valid, ready to learn from. */
static int prepare(const cli_session *session, const fit_settings *settings, const char *data, entropic_dataset **train,
                   entropic_dataset **valid) {
  entropic_table *table = NULL;
  int result = reading_learn(session, data, &table, train);
  if (result)
    goto done;
  fit_mention_columns(session, table);
  mention_classes(session, *train);
  fit_mention_task(session, table, *train);
  if (settings->valid)
    result = prepare_valid(session, settings->valid, table, *train, valid);
done:
  entropic_table_free(table);
  return result;
}

static int draw(const cli_session *session, const fit_settings *settings, const char *data, const entropic_model *model,
                entropic_report *report) {
  int result = about_report(session, report);
  if (result)
    return result;
  char *name = about_name(data);
  if (!name)
    return complain_memory(session);
  signals_hold();
  entropic_status status = entropic_fit_html(session->context, model, report, name, settings->html);
  signals_release();
  free(name);
  if (signals_pending())
    return signals_pending();
  return status ? write_failure(session, status) : EXIT_DONE;
}

static int work(const cli_session *session, const fit_settings *settings, const char *data) {
  entropic_dataset *train = NULL, *valid = NULL;
  entropic_report *report = NULL;
  entropic_model *model = NULL;
  int result = prepare(session, settings, data, &train, &valid);
  if (result)
    goto done;
  fit_mention(session, train, valid != NULL);
  if (valid)
    fit_mention_valid(session, settings->valid, valid);
  entropic_status status = entropic_fit(session->context, train, valid, session->parameters, &report, &model);
  if (status) {
    result = complain_library(session, status);
    goto done;
  }
  result = model_save(session, model, settings->path);
  if (result)
    goto done;
  if (settings->html) {
    result = draw(session, settings, data, model, report);
    if (result)
      goto done;
  }
  result = fit_summarise(session, settings, model, report);
done:
  entropic_model_free(model);
  entropic_report_free(report);
  entropic_dataset_free(valid);
  entropic_dataset_free(train);
  return result;
}

/* Which options go with which, and where the model goes. */
static int check(const cli_session *session, const fit_settings *settings, const char *data) {
  entropic_status status = entropic_parameters_check(session->context, session->parameters);
  if (status)
    return complain_library(session, status);
  if (settings->valid && entropic_parameters_is_set(session->parameters, "folds"))
    return complain(session, EXIT_USAGE, "--folds and --valid cannot be combined");
  if (settings->valid && !strcmp(settings->valid, "-") && !strcmp(data, "-"))
    return complain(session, EXIT_USAGE, "DATA and --valid cannot both come from standard input");
  const cli_destination places[] = {{"the model", settings->path, false},
                                    {"the page", settings->html, false},
                                    {"the summary", settings->json ? "-" : NULL, false},
                                    {"DATA", data, true},
                                    {"the rows of --valid", settings->valid, true}};
  int result = destinations_check(session, places, sizeof places / sizeof *places);
  if (result)
    return result;
  result = check_writable(session, settings->path);
  if (result)
    return result;
  if (settings->html) {
    char date[ABOUT_DATE_SIZE];
    result = check_writable(session, settings->html);
    if (result)
      return result;
    result = about_date(session, date);
    if (result)
      return result;
  }
  return settings->valid ? check_data(session, settings->valid) : EXIT_DONE;
}

/* Where the model goes if nobody said so: *made is to be freed. */
static int name_model(const cli_session *session, const char *data, fit_settings *settings, char **made) {
  struct stat info;
  if (settings->path)
    return EXIT_DONE;
  if (!strcmp(data, "-") || (!stat(data, &info) && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)))
    return complain(session, EXIT_USAGE, "-o MODEL is required: DATA has no file name to derive one from");
  settings->path = *made = about_with_ending(data, ".entropic");
  if (*made)
    return EXIT_DONE;
  complain_memory(session);
  return EXIT_SYSTEM;
}

static int check_and_work(const cli_session *session, const fit_settings *settings, const char *data) {
  if (settings->checkpoint && !session->cluster)
    return complain(session, EXIT_USAGE, "--checkpoint needs entropic-mpi: mpirun -n R entropic-mpi fit ...");
  int result = check(session, settings, data);
  return result ? result : work(session, settings, data);
}

/* Rank 0 works, and the others answer its questions until it is done. */
static int work_on_ranks(const cli_session *session, const fit_settings *settings, const char *data) {
  const cli_cluster *cluster = session->cluster;
  int result = cluster->begin(session, data, settings->checkpoint);
  if (result)
    return result;
  if (cluster->rank > 0)
    return cluster->serve(session);
  result = check_and_work(session, settings, data);
  cluster->end(session, result);
  return result;
}

static int run_fit(cli_session *session, int argc, char **argv) {
  fit_settings settings = {0};
  cli_arguments arguments;
  int result = options_parse(session, &fit_command, argc, argv, &settings, &arguments);
  if (result >= 0)
    return result;
  const char *data = arguments.plain[0];
  char *made = NULL;
  result = name_model(session, data, &settings, &made);
  if (result)
    return result;
  if (session->cluster)
    result = work_on_ranks(session, &settings, data);
  else
    result = check_and_work(session, &settings, data);
  free(made);
  return result;
}
