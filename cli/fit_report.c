/* The notices of `fit`, and its summary as text and as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "fit.h"
#include "models.h"

#define NAMED_MOST 5

static const char *plural(size_t count) {
  return count == 1 ? "" : "s";
}

/* "a, b and 7 more". */
typedef struct cli_names {
  char text[640];
  size_t used, count;
} cli_names;

static void add_name(cli_names *names, const char *name) {
  if (names->count < NAMED_MOST && names->used < sizeof names->text)
    names->used += (size_t)snprintf(names->text + names->used, sizeof names->text - names->used, "%s%.100s",
                                    names->count ? ", " : "", name);
  names->count++;
}

static const char *end_names(cli_names *names) {
  if (names->count > NAMED_MOST && names->used < sizeof names->text)
    snprintf(names->text + names->used, sizeof names->text - names->used, " and %zu more", names->count - NAMED_MOST);
  return names->text;
}

/* "same (constant)", or "b (copy of a)" if there is an original. */
static void add_explained(cli_names *names, const char *name, const char *why, const char *original) {
  char text[100];
  snprintf(text, sizeof text, "%.40s (%s%.40s)", name, why, original ? original : "");
  add_name(names, text);
}

/* Lists the inputs that were dropped for one reason. */
static void mention_dropped(const cli_session *session, const entropic_dataset *data, entropic_type reason,
                            const char *words) {
  cli_names names = {.count = 0};
  entropic_type why;
  const char *name, *original;
  for (size_t i = 0; (name = entropic_dataset_dropped(data, i, &why)); i++)
    if (why == reason && (original = entropic_dataset_original(data, i)))
      add_explained(&names, name, "of ", original);
    else if (why == reason)
      add_name(&names, name);
  if (names.count)
    notice(session, "%zu input%s dropped, %s: %s", names.count, plural(names.count), words, end_names(&names));
}

/* The inputs of one type, and what they are taken for. */
static void mention_type(const cli_session *session, const entropic_table *table, entropic_type type,
                         const char *words) {
  cli_names names = {.count = 0};
  entropic_column column;
  for (size_t i = 0; !entropic_table_column(NULL, table, i, &column); i++)
    if (column.type == type && column.role == ENTROPIC_ROLE_INPUT)
      add_name(&names, column.name);
  if (names.count)
    notice(session, "%zu input%s of %s: %s", names.count, plural(names.count), words, end_names(&names));
}

void fit_mention_columns(const cli_session *session, const entropic_table *table) {
  mention_type(session, table, ENTROPIC_TYPE_DATE, "dates, taken as days since 1970-01-01");
  mention_type(session, table, ENTROPIC_TYPE_CATEGORY, "categories");
  size_t empty = entropic_table_empty(table);
  if (empty)
    notice(session, "%zu column%s without name or value at the end of the lines left out", empty, plural(empty));
}

void fit_mention_task(const cli_session *session, const entropic_table *table, const entropic_dataset *train) {
  entropic_dataset_info info = entropic_dataset_describe(train);
  entropic_column column;
  bool text = false, date = false;
  if (!info.task_found)
    return;
  for (size_t i = 0; i < entropic_table_columns(table); i++)
    if (!entropic_table_column(NULL, table, i, &column) && column.role == ENTROPIC_ROLE_TARGET) {
      text = text || column.text;
      date = date || column.type == ENTROPIC_TYPE_DATE;
    }
  if (text)
    notice(session, "the target is text: %zu classes", info.classes);
  else if (info.task == ENTROPIC_TASK_CLASSIFICATION)
    notice(session, "the target is taken for %zu classes; --task regression takes it for a number", info.classes);
  else if (!date) /* of dates more is said */
    notice(session, "the target is taken for a number; --task classification takes its values for classes");
}

void fit_mention(const cli_session *session, const fit_settings *settings, const entropic_dataset *train,
                 const entropic_dataset *valid) {
  entropic_dataset_info info = entropic_dataset_describe(train);
  mention_dropped(session, train, ENTROPIC_TYPE_CONSTANT, "the same in every row");
  mention_dropped(session, train, ENTROPIC_TYPE_IDENTIFIER, "for numbering or naming the rows");
  mention_dropped(session, train, ENTROPIC_TYPE_COPY, "copies of other inputs");
  if (info.without_target)
    notice(session, "%zu row%s without a target dropped", info.without_target, plural(info.without_target));
  if (info.without_weight)
    notice(session, "%zu row%s of weight 0 dropped", info.without_weight, plural(info.without_weight));
  if (info.flat)
    notice(session, "the target is the same in every row: there is nothing to learn but that");
  if (info.groups == 1 && !valid)
    notice(session,
           "all rows are of one group of --groups %s: none can be held out, and what is not given is not searched for",
           settings->groups);
  if (info.one_time && !valid)
    notice(session,
           "--time %s is the same in every row: none can be held out, and what is not given is not searched for",
           settings->time);
  bool kept = entropic_family_has((entropic_family)settings->recipe.kernel, ENTROPIC_TRAIT_MISSING) &&
              settings->recipe.basis == ENTROPIC_BASIS_FULL;
  if (info.missing)
    notice(session, "%zu missing value%s: %s", info.missing, plural(info.missing),
           kept ? "the model has features of its own for them"
                : "a number stands at its middle, a category is one of its own");
  if (!valid)
    return;
  info = entropic_dataset_describe(valid);
  if (info.without_target)
    notice(session, "%s: %zu row%s without a target dropped", settings->valid, info.without_target,
           plural(info.without_target));
  if (info.unseen)
    notice(session, "%s: %zu value%s of categories that DATA do not have", settings->valid, info.unseen,
           plural(info.unseen));
}

int fit_list_columns(const cli_session *session, const entropic_table *table, fit_outcome *outcome) {
  entropic_column column;
  outcome->columns = calloc(entropic_table_columns(table) + 1, sizeof *outcome->columns);
  if (!outcome->columns)
    return complain_memory(session);
  for (size_t i = 0; !entropic_table_column(NULL, table, i, &column); i++) {
    char *name = strdup(column.name);
    if (!name)
      return complain_memory(session);
    outcome->columns[outcome->column_count++] = (fit_column){name, column.role, column.type};
  }
  return EXIT_DONE;
}

void fit_outcome_clear(fit_outcome *outcome) {
  for (size_t i = 0; i < outcome->column_count; i++)
    free(outcome->columns[i].name);
  free(outcome->columns);
}

/* Called for each column that is not used, with why, and the input that it is a copy of, if it is. */
typedef void (*ignored_visit)(void *user, const char *name, const char *why, const char *original);

static const char *dropped_name(entropic_type why) {
  return why == ENTROPIC_TYPE_CONSTANT ? "constant" : why == ENTROPIC_TYPE_COPY ? "copy" : "identifier";
}

static void visit_ignored(const entropic_dataset *data, const fit_outcome *outcome, ignored_visit visit, void *user) {
  entropic_type why;
  const char *name;
  for (size_t i = 0; (name = entropic_dataset_dropped(data, i, &why)); i++)
    visit(user, name, dropped_name(why), entropic_dataset_original(data, i));
  for (size_t i = 0; i < outcome->column_count; i++)
    if (outcome->columns[i].role == ENTROPIC_ROLE_IGNORED)
      visit(user, outcome->columns[i].name, "asked", NULL);
}

static void name_ignored(void *user, const char *name, const char *why, const char *original) {
  add_explained(user, name, original ? "copy of " : why, original);
}

/* How many features each model has at most: what is written may be several models as one, and then has more. */
static size_t features_of_one(const entropic_model *model, const fit_outcome *outcome) {
  const entropic_fit_report *report = &outcome->report;
  entropic_model_info info = entropic_model_describe(model);
  bool selected = info.select == ENTROPIC_SELECT_RESIDUAL && report->path_count > 0;
  return selected ? report->path[report->path_count - 1].features : info.features;
}

typedef struct summary_lines {
  const cli_session *session;
  size_t short_of; /* features that were asked for and are not there; 0 if they are */
} summary_lines;

static void print_line(void *user, const char *name, const char *value) {
  const summary_lines *lines = user;
  char more[512];
  if (lines->short_of && !strcmp(name, "features")) {
    snprintf(more, sizeof more, "%.400s; %zu were asked for", value, lines->short_of);
    value = more;
  }
  summary_line(lines->session, name, value);
}

static void print_summary(const cli_session *session, const fit_settings *settings, const entropic_dataset *train,
                          const entropic_model *model, const fit_outcome *outcome) {
  const entropic_fit_report *report = &outcome->report;
  cli_names names = {.count = 0};
  char value[512];
  summary_lines lines = {session, outcome->asked > features_of_one(model, outcome) ? outcome->asked : 0};
  model_summarise(model, report, print_line, &lines);
  visit_ignored(train, outcome, name_ignored, &names);
  if (names.count)
    summary_line(session, "ignored", end_names(&names));
  snprintf(value, sizeof value, "%.2f (reading %.2f, design %.2f, lift %.2f, gram %.2f, solve %.2f)", outcome->total,
           outcome->read, report->design, report->lift, report->gram, report->solve);
  summary_line(session, "seconds", value);
  uint64_t size = file_size(settings->path);
  if (size)
    snprintf(value, sizeof value, "%.400s, %llu bytes", settings->path, (unsigned long long)size);
  else
    snprintf(value, sizeof value, "%.400s", strcmp(settings->path, "-") ? settings->path : "to standard output");
  summary_line(session, "model", value);
}

static uint64_t peak_bytes(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) ? 0 : (uint64_t)usage.ru_maxrss * 1024;
}

static void ignored_as_json(void *user, const char *name, const char *why, const char *original) {
  cli_json *json = user;
  json_open(json, NULL, '{');
  json_string(json, "name", name);
  json_string(json, "why", why);
  if (original)
    json_string(json, "of", original);
  json_close(json, '}');
}

/* What the report of the fit adds to what is known of the model. */
static void report_as_json(cli_json *json, const fit_outcome *outcome) {
  const entropic_fit_report *report = &outcome->report;
  if (outcome->asked)
    json_count(json, "features_asked", outcome->asked);
  else
    json_number(json, "features_asked", NAN);
  json_count(json, "members", report->members);
  json_string(json, "form", entropic_form_name(report->form));
  json_truth(json, "hurried", report->hurried);
  json_open(json, "references", '{');
  json_number(json, "mean", report->mean_error);
  json_number(json, "linear", report->linear_error);
  json_close(json, '}');
  json_open(json, "path", '[');
  for (size_t i = 0; i < report->path_count; i++) {
    const entropic_path_step *step = &report->path[i];
    json_open(json, NULL, '{');
    json_count(json, "features", step->features);
    json_count(json, "members", step->members);
    json_number(json, "lambda", step->lambda);
    json_number(json, "error", step->error);
    json_close(json, '}');
  }
  json_close(json, ']');
}

/* The columns as they were read, whatever became of them. */
static void columns_as_json(cli_json *json, const fit_outcome *outcome) {
  static const char *const roles[] = {"input", "target", "weight", "group", "ignored"};
  static const char *const types[] = {"number", "category", "constant", "identifier", "date", "copy"};
  json_open(json, "columns", '[');
  for (size_t i = 0; i < outcome->column_count; i++) {
    const fit_column *column = &outcome->columns[i];
    json_open(json, NULL, '{');
    json_string(json, "name", column->name);
    json_string(json, "role", roles[column->role]);
    if (column->role == ENTROPIC_ROLE_IGNORED) /* nobody has looked */
      json_null(json, "type");
    else
      json_string(json, "type", types[column->type]);
    json_close(json, '}');
  }
  json_close(json, ']');
}

static int print_json(const cli_session *session, const fit_settings *settings, const entropic_dataset *train,
                      const entropic_model *model, const fit_outcome *outcome) {
  const entropic_fit_report *report = &outcome->report;
  int result = EXIT_DONE;
  cli_output *output = output_begin(session, "-", &result);
  if (!output)
    return result;
  cli_json json = json_start(output);
  json_open(&json, NULL, '{');
  model_describe(&json, model, report);
  report_as_json(&json, outcome);
  entropic_dataset_info info = entropic_dataset_describe(train);
  json_count(&json, "dropped_rows", info.without_target + info.without_weight);
  json_count(&json, "missing", info.missing);
  json_open(&json, "set_aside", '[');
  visit_ignored(train, outcome, ignored_as_json, &json);
  json_close(&json, ']');
  columns_as_json(&json, outcome);
  json_string(&json, "model", settings->path);
  json_count(&json, "model_bytes", file_size(settings->path));
  json_open(&json, "seconds", '{');
  json_number(&json, "read", outcome->read);
  json_number(&json, "design", report->design);
  json_number(&json, "lift", report->lift);
  json_number(&json, "gram", report->gram);
  json_number(&json, "solve", report->solve);
  json_number(&json, "total", outcome->total);
  json_close(&json, '}');
  json_count(&json, "peak_rss_bytes", peak_bytes());
  json_close(&json, '}');
  json_finish(&json);
  return output_end(output, true);
}

/* Where fewer models could be averaged than --ensemble asks for. */
static void mention_members(const cli_session *session, const fit_settings *settings, const entropic_model *model,
                            const fit_outcome *outcome) {
  size_t members = outcome->report.members ? outcome->report.members : 1;
  if (settings->ensemble <= members || outcome->report.hurried)
    return;
  bool selected = entropic_model_describe(model).select == ENTROPIC_SELECT_RESIDUAL;
  notice(session, "--ensemble %llu: there %s %zu model%s, %s", (unsigned long long)settings->ensemble,
         members == 1 ? "is" : "are", members, plural(members),
         !selected         ? "as features are not selected from the data"
         : settings->valid ? "as --valid has one"
                           : "one for each fold");
}

int fit_summarise(const cli_session *session, const fit_settings *settings, const entropic_dataset *train,
                  const entropic_model *model, const fit_outcome *outcome) {
  entropic_model_info info = entropic_model_describe(model);
  size_t features = info.features, each = features_of_one(model, outcome);
  if (outcome->report.hurried)
    notice(session, "--seconds cut the search short: another machine, or more seconds, may give another model");
  else if (outcome->asked > each && info.select == ENTROPIC_SELECT_RESIDUAL)
    notice(session, "selection has %zu features to choose from within its limits, fewer than asked for", each);
  else if (outcome->asked > each)
    notice(session, "the kernel has %zu features within these limits, fewer than asked for", each);
  if (outcome->report.largest == features && features)
    notice(session, "%zu features, the most in the search, were the best: --features M may do better", features);
  mention_members(session, settings, model, outcome);
  if (outcome->report.ended)
    notice(session, "the fit did not converge: %s", outcome->report.ended);
  if (settings->json)
    return print_json(session, settings, train, model, outcome);
  print_summary(session, settings, train, model, outcome);
  return EXIT_DONE;
}
