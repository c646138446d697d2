/* entropic paper: the source paper's experiments, run anew. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "about.h"
#include "commands.h"
#include "output.h"
#include "signals.h"
#include "study/study.h"

typedef struct paper_settings {
  const char *data, *html, *checkpoint, *only, *results;
  uint64_t runs, seed, most;
  bool quick, json, claims;
} paper_settings;

static const cli_option paper_options[] = {
    {.name = "data",
     .kind = OPTION_TEXT,
     .offset = offsetof(paper_settings, data),
     .value = "DIR",
     .help = "the folder that holds the data sets (../shared/data if it is there)"},
    {.name = "runs",
     .kind = OPTION_COUNT,
     .offset = offsetof(paper_settings, runs),
     .value = "N",
     .least = 1,
     .most = 1000,
     .help = "how many splits of each data set (50)"},
    {.name = "only",
     .kind = OPTION_TEXT,
     .offset = offsetof(paper_settings, only),
     .value = "PARTS",
     .help = "runs these experiments alone, comma separated: energy, grid,\nsuperconductivity, mnist, table2 (each set "
             "with the paper's number of\nfeatures), table3, kernels, rates, sparse, claims; or none"},
    {.name = "results",
     .kind = OPTION_TEXT,
     .offset = offsetof(paper_settings, results),
     .value = "FILE",
     .help = "results as JSON: what is not run is taken from FILE, if it is there, and\nall results are written to it"},
    {.name = "most",
     .kind = OPTION_COUNT,
     .offset = offsetof(paper_settings, most),
     .value = "M",
     .least = 20,
     .most = 1000000,
     .help = "leaves out larger numbers of features (those above 320 take longest),\nand exact kernel ridge"},
    {.name = "quick",
     .kind = OPTION_FLAG,
     .offset = offsetof(paper_settings, quick),
     .help = "a first look in two minutes: one run, fewer rows and sizes, and\nprincipal components instead of an "
             "auto-encoder"},
    {.name = "claims",
     .kind = OPTION_FLAG,
     .offset = offsetof(paper_settings, claims),
     .help =
         "checks every claim of the paper instead, a line each; needs no data, and\nwrites a page only with --html"},
    {.name = "html",
     .kind = OPTION_TEXT,
     .offset = offsetof(paper_settings, html),
     .value = "FILE",
     .help = "the page to write (paper.html)"},
    {.name = "checkpoint",
     .kind = OPTION_TEXT,
     .offset = offsetof(paper_settings, checkpoint),
     .value = "DIR",
     .help =
         "the folder that runs are logged in as they are done; the same\ncommand goes on from there (the page's name "
         "with .runs for .html;\n\"none\", and with --quick: nowhere)"},
    {.name = "seed",
     .kind = OPTION_COUNT,
     .offset = offsetof(paper_settings, seed),
     .value = "K",
     .most = UINT64_MAX,
     .help = "of the splits and of random features (1)"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(paper_settings, json),
     .help = "one JSON object instead of lines"},
    {0}};

static int run_paper(cli_session *session, int argc, char **argv);

const cli_command paper_command = {
    .name = "paper",
    .summary = "the source paper's experiments, run anew, as one page",
    .usage = "[options]",
    .text = "Runs the experiments of the paper the features come from: the error on four data sets\n"
            "against the number of features, training times and non-zeros, for entropic optimal\n"
            "features, random features and Nystroem; and more, which need no data: what\n"
            "the boundary functions are for, how well features stand for the kernel, how fast the error\n"
            "falls with the number of rows, and where sparse features pay.\n"
            "An interrupted run goes on where it was when the same command is given again.\n"
            "--only runs some of the experiments and --results keeps the results of all in one file, so\n"
            "that they can be run one by one; --only none draws the page from the file alone.\n"
            "Writes one page with all charts and tables, and prints four tables, tab separated, with an\n"
            "empty line between two: errors; our methods against each baseline, run by run; time and\n"
            "non-zeros; training times with features given.\n"
            "With --claims it measures what the paper claims instead, theorem by theorem, and prints\n"
            "number, claim, value, limit and whether it holds. The status is 3 unless all claims hold.",
    .example = "entropic paper --quick --data none --html paper.html",
    .options = paper_options,
    .threads = true,
    .least = 0,
    .most = 0,
    .run = run_paper,
};

static bool is_folder(const char *path) {
  struct stat info;
  return !stat(path, &info) && S_ISDIR(info.st_mode);
}

static void mention_none(const cli_session *session) {
  notice(session, "no data sets: only the parts that need none are run; scripts/fetch-data DIR in the source tree "
                  "downloads them, and --data DIR is their folder");
}

/* What was left out for want of data. */
static void mention_missing(const cli_session *session, const paper_settings *settings, const ent_paper *paper) {
  size_t missing = 0, sets = ent_paper_sets(paper);
  for (size_t i = 0; i < sets; i++)
    missing += !ent_paper_comparison(paper, i);
  for (size_t i = 0; i < sets && settings->data && missing; i++) {
    const char *files, *name = ent_paper_set(paper, i, &files);
    if (!ent_paper_comparison(paper, i))
      notice(session, "%s is skipped: %s is incomplete in %s", name, files, settings->data);
  }
  if (missing == sets && settings->data)
    mention_none(session);
}

static int report(const cli_session *session, const paper_settings *settings, const ent_paper *paper) {
  entropic_status status =
      settings->json ? ent_paper_json(session->context, paper, "-") : ent_paper_text(session->context, paper, "-");
  if (status)
    return write_failure(session, status);
  for (size_t inputs = 1; inputs <= 5 && !settings->json; inputs++) {
    double interval[2], slope = ent_paper_slope(paper, inputs, interval);
    if (!isnan(slope))
      notice(session, "rate, %zu input%s: the excess risk falls as rows to the power %.2f (%.2f to %.2f)", inputs,
             inputs == 1 ? "" : "s", slope, interval[0], interval[1]);
  }
  return EXIT_DONE;
}

static int draw(const cli_session *session, const paper_settings *settings, const ent_paper *paper) {
  char date[ABOUT_DATE_SIZE], *command = NULL;
  int result = about_foot(session, date, &command);
  if (result)
    return result;
  const ent_study_names names = {.date = date, .command = command};
  signals_hold();
  entropic_status status = ent_paper_html(session->context, paper, &names, settings->html);
  signals_release();
  free(command);
  return signals_pending() ? signals_pending() : status ? write_failure(session, status) : EXIT_DONE;
}

static int save_results(const cli_session *session, const paper_settings *settings, const ent_paper *paper) {
  if (!settings->results)
    return EXIT_DONE;
  signals_hold();
  entropic_status status = ent_paper_json(session->context, paper, settings->results);
  signals_release();
  return signals_pending() ? signals_pending() : status ? write_failure(session, status) : EXIT_DONE;
}

/* Where runs are logged if nobody said so, to be freed; NULL if memory ran out. */
static char *default_checkpoint(const char *html) {
  static const char ending[] = ".html", instead[] = ".runs";
  size_t length = strlen(html), size = length + sizeof instead;
  char *path = malloc(size);
  if (!path)
    return NULL;
  if (length >= sizeof ending && !strcmp(html + length + 1 - sizeof ending, ending))
    length -= sizeof ending - 1;
  snprintf(path, size, "%.*s%s", (int)length, html, instead);
  return path;
}

static int work(const cli_session *session, const paper_settings *settings) {
  ent_paper_options options = ent_paper_options_default();
  ent_paper *paper = NULL;
  options.data = settings->data;
  options.runs = (size_t)settings->runs;
  options.quick = settings->quick;
  options.seed = settings->seed;
  options.checkpoint = settings->checkpoint;
  options.only = settings->only;
  options.most = (size_t)settings->most;
  options.results = settings->results;
  if (!settings->data && !settings->only)
    mention_none(session);
  double start = seconds_now();
  entropic_status status = ent_paper_run(session->context, &options, &paper);
  progress_end(session->bar);
  if (status)
    return complain_library(session, status);
  if (!settings->only)
    mention_missing(session, settings, paper);
  int result = save_results(session, settings, paper);
  if (result)
    goto done;
  result = draw(session, settings, paper);
  if (result)
    goto done;
  notice(session, "%s written, %.0f s", settings->html, seconds_now() - start);
  result = report(session, settings, paper);
done:
  ent_paper_free(paper);
  return result;
}

/* Every claim, as lines or JSON, and as a page if one is asked for. */
static int report_claims(const cli_session *session, const paper_settings *settings, const ent_claims *claims) {
  entropic_status status = ENTROPIC_OK;
  if (settings->html) {
    signals_hold();
    status = ent_claims_html(session->context, claims, settings->html);
    signals_release();
  }
  if (signals_pending())
    return signals_pending();
  if (status)
    return write_failure(session, status);
  status =
      settings->json ? ent_claims_json(session->context, claims, "-") : ent_claims_text(session->context, claims, "-");
  if (status)
    return write_failure(session, status);
  size_t failed = ent_claims_failed(claims), count = ent_claims_count(claims);
  if (failed)
    return complain(session, EXIT_SYSTEM, "%zu of %zu claims %s not hold", failed, count, failed == 1 ? "does" : "do");
  notice(session, "all %zu claims hold", count);
  return EXIT_DONE;
}

static int work_claims(const cli_session *session, const paper_settings *settings) {
  ent_claims *claims = NULL;
  entropic_status status = ent_claims_check(session->context, &claims);
  progress_end(session->bar);
  if (status)
    return complain_library(session, status);
  int result = report_claims(session, settings, claims);
  ent_claims_free(claims);
  return result;
}

/* What all claims together take no notice of is refused. Otherwise looks for data where none are named. */
static int complete(const cli_session *session, paper_settings *settings) {
  if (settings->claims) {
    const char *odd = settings->data      ? "data"
                      : settings->runs    ? "runs"
                      : settings->quick   ? "quick"
                      : settings->only    ? "only"
                      : settings->most    ? "most"
                      : settings->results ? "results"
                                          : NULL;
    return odd ? complain(session, EXIT_USAGE, "--claims and --%s cannot be combined", odd) : EXIT_DONE;
  }
  if (!settings->html)
    settings->html = "paper.html";
  if (!settings->runs)
    settings->runs = 50;
  if (settings->data && !strcmp(settings->data, "none"))
    settings->data = NULL;
  else if (settings->data && !is_folder(settings->data))
    return complain(session, EXIT_DATA, "%s: no such folder", settings->data);
  else if (!settings->data && is_folder("../shared/data"))
    settings->data = "../shared/data";
  return EXIT_DONE;
}

static int run_paper(cli_session *session, int argc, char **argv) {
  paper_settings settings = {.seed = 1};
  cli_arguments arguments;
  int result = options_parse(session, &paper_command, argc, argv, &settings, &arguments);
  if (result >= 0)
    return result;
  result = complete(session, &settings);
  if (result)
    return result;
  const cli_destination places[] = {
      {"the page", settings.html, false}, {"the numbers", "-", false}, {"the results", settings.results, false}};
  result = destinations_check(session, places, sizeof places / sizeof *places);
  if (result)
    return result;
  const char *files[] = {settings.html, settings.results};
  for (size_t i = 0; i < 2; i++) {
    result = files[i] ? check_writable(session, files[i]) : EXIT_DONE;
    if (result)
      return result;
  }
  if (settings.claims)
    return work_claims(session, &settings);
  char *made = NULL;
  if (settings.checkpoint && !strcmp(settings.checkpoint, "none")) {
    settings.checkpoint = NULL;
  } else if (!settings.checkpoint && !settings.quick && settings.data) {
    settings.checkpoint = made = default_checkpoint(strcmp(settings.html, "-") ? settings.html : "paper.html");
    if (!made)
      return complain_memory(session);
  }
  result = work(session, &settings);
  free(made);
  return result;
}
