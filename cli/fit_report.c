/* The notices of `fit`, and its summary. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit.h"
#include "models.h"

#define HEAVY 0.5 /* of the squared validation error: from this share on a few rows decide */

#define NAMED_MOST 5
#define SECONDS_SHOWN 0.005 /* less would be 0.00 */

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
  char text[128];
  snprintf(text, sizeof text, "%.40s (%.31s%.40s)", name, why, original ? original : "");
  add_name(names, text);
}

/* Lists the inputs that were dropped for one reason. */
static void mention_dropped(const cli_session *session, const entropic_dataset *data, entropic_column_type reason,
                            const char *words) {
  cli_names names = {.count = 0};
  entropic_column_type why;
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
static void mention_type(const cli_session *session, const entropic_table *table, entropic_column_type type,
                         const char *words) {
  cli_names names = {.count = 0};
  entropic_column column;
  for (size_t i = 0; !entropic_table_column(NULL, table, i, &column, sizeof column); i++)
    if (column.type == type && column.role == ENTROPIC_ROLE_INPUT)
      add_name(&names, column.name);
  if (names.count)
    notice(session, "%zu input%s of %s: %s", names.count, plural(names.count), words, end_names(&names));
}

void fit_mention_columns(const cli_session *session, const entropic_table *table) {
  mention_type(session, table, ENTROPIC_COLUMN_TYPE_DATE,
               "dates, taken as days since 1970-01-01 and their calendar parts");
  mention_type(session, table, ENTROPIC_COLUMN_TYPE_CATEGORY, "categories");
  size_t empty = entropic_table_empty(table);
  if (empty)
    notice(session, "%zu trailing column%s without a name or a value dropped", empty, plural(empty));
}

void fit_mention_task(const cli_session *session, const entropic_table *table, const entropic_dataset *train) {
  entropic_dataset_info info;
  entropic_column column;
  bool text = false, date = false;
  if (entropic_dataset_describe(NULL, train, &info, sizeof info) || !info.task_found)
    return;
  for (size_t i = 0; i < entropic_table_columns(table); i++)
    if (!entropic_table_column(NULL, table, i, &column, sizeof column) && column.role == ENTROPIC_ROLE_TARGET) {
      text = text || column.text;
      date = date || column.type == ENTROPIC_COLUMN_TYPE_DATE;
    }
  if (text)
    notice(session, "the target is text: %zu classes", info.classes);
  else if (info.task == ENTROPIC_TASK_CLASSIFICATION)
    notice(session, "the target is treated as %zu classes; --task regression treats it as a number", info.classes);
  else if (!date) /* of dates more is said */
    notice(session, "the target is treated as a number; --task classification treats its values as classes");
}

/* Whether the kernel has features of its own for missing values. */
static bool keeps_missing(const entropic_parameters *parameters) {
  entropic_family family;
  return entropic_family_find(entropic_parameters_get(parameters, "kernel"), &family) &&
         entropic_family_has(family, ENTROPIC_TRAIT_MISSING) &&
         !strcmp(entropic_parameters_get(parameters, "basis"), "full");
}

/* Where no row can be held out. */
static void mention_unsplit(const cli_session *session, const entropic_dataset_info *info) {
  if (info->groups == 1)
    notice(
        session,
        "--groups %s puts all rows into one group: none can be held out, so options that are not given are not tuned",
        entropic_parameters_get(session->parameters, "groups"));
  if (info->one_time)
    notice(session,
           "--time %s is the same in every row: none can be held out, so options that are not given are not tuned",
           entropic_parameters_get(session->parameters, "time"));
}

void fit_mention(const cli_session *session, const entropic_dataset *train, bool validated) {
  entropic_dataset_info info;
  if (entropic_dataset_describe(NULL, train, &info, sizeof info))
    return;
  mention_dropped(session, train, ENTROPIC_COLUMN_TYPE_CONSTANT, "the same in every row");
  mention_dropped(session, train, ENTROPIC_COLUMN_TYPE_IDENTIFIER, "for numbering or naming the rows");
  mention_dropped(session, train, ENTROPIC_COLUMN_TYPE_COPY, "copies of other inputs");
  if (info.without_target)
    notice(session, "%zu row%s without a target dropped", info.without_target, plural(info.without_target));
  if (info.without_weight)
    notice(session, "%zu row%s of weight 0 dropped", info.without_weight, plural(info.without_weight));
  if (info.constant_target)
    notice(session, "the target is the same in every row: the model is that constant");
  if (!validated)
    mention_unsplit(session, &info);
  if (info.missing)
    notice(session, "%zu missing value%s: %s", info.missing, plural(info.missing),
           keeps_missing(session->parameters)
               ? "the model has separate features for them"
               : "a missing number counts as the middle of its range, a missing category as a category of its own");
}

void fit_mention_valid(const cli_session *session, const char *path, const entropic_dataset *valid) {
  entropic_dataset_info info;
  if (entropic_dataset_describe(NULL, valid, &info, sizeof info))
    return;
  if (info.without_target)
    notice(session, "%s: %zu row%s without a target dropped", path, info.without_target, plural(info.without_target));
  if (info.unseen)
    notice(session, "%s: %zu value%s of categories that are not in DATA", path, info.unseen, plural(info.unseen));
}

/* "same (constant), b (copy of a)": the columns that are not used, and why. */
static void name_ignored(const entropic_report *report, cli_names *names) {
  size_t count = entropic_report_size(report, "set_aside");
  for (size_t i = 0; i < count; i++) {
    char path[64], name[128] = "", why[32] = "", original[128] = "";
    if (i < NAMED_MOST) { /* of the others the number is enough */
      snprintf(path, sizeof path, "set_aside.%zu.name", i);
      entropic_report_text(report, path, name, sizeof name);
      snprintf(path, sizeof path, "set_aside.%zu.why", i);
      entropic_report_text(report, path, why, sizeof why);
      snprintf(path, sizeof path, "set_aside.%zu.of", i);
      entropic_report_text(report, path, original, sizeof original);
    }
    add_explained(names, name, *original ? "copy of " : why, original);
  }
}

/* How many features each model has at most: what is written may be several models as one, and then has more. */
static size_t features_of_one(const entropic_report *report, bool selected) {
  char path[64];
  size_t steps = entropic_report_size(report, "path");
  if (!selected || steps == 0)
    return report_count(report, "features");
  snprintf(path, sizeof path, "path.%zu.features", steps - 1);
  return report_count(report, path);
}

typedef struct summary_lines {
  const cli_session *session;
  size_t short_of; /* features that were asked for and are not there; 0 if they are */
} summary_lines;

static void print_line(void *user, const char *name, const char *value) {
  const summary_lines *lines = user;
  char more[512];
  if (lines->short_of && !strcmp(name, "features")) {
    snprintf(more, sizeof more, "%.400s; %zu were requested", value, lines->short_of);
    value = more;
  }
  summary_line(lines->session, name, value);
}

/* "1.52 (reading 0.01, validation 0.40, ...)"; of the less usual parts those that would be 0.00 are left out. */
static void print_seconds(const cli_session *session, const entropic_report *report) {
  static const struct {
    const char *key, *name;
    bool always;
  } parts[] = {{"read", "reading", true},
               {"prepare", "scaling", false},
               {"validation", "validation", false},
               {"design", "design", true},
               {"lift", "lift", true},
               {"gram", "gram", true},
               {"solve", "solve", true},
               {"intervals", "intervals", false},
               {"collect", "statistics", false},
               {"other", "other", false}};
  char value[512], path[32];
  size_t used = (size_t)snprintf(value, sizeof value, "%.2f", report_number(report, "seconds.total")), shown = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    snprintf(path, sizeof path, "seconds.%s", parts[i].key);
    double seconds = report_number(report, path);
    if (parts[i].always || seconds >= SECONDS_SHOWN)
      used += (size_t)snprintf(value + used, sizeof value - used, "%s%s %.2f", shown++ ? ", " : " (", parts[i].name,
                               seconds);
  }
  snprintf(value + used, sizeof value - used, ")");
  summary_line(session, "seconds", value);
}

static void print_summary(const cli_session *session, const fit_settings *settings, const entropic_model *model,
                          const entropic_report *report, size_t short_of) {
  cli_names names = {.count = 0};
  char value[512];
  summary_lines lines = {session, short_of};
  model_summarise(model, report, print_line, &lines);
  name_ignored(report, &names);
  if (names.count)
    summary_line(session, "ignored", end_names(&names));
  print_seconds(session, report);
  uint64_t size = file_size(settings->path);
  if (size)
    snprintf(value, sizeof value, "%.400s, %llu bytes", settings->path, (unsigned long long)size);
  else
    snprintf(value, sizeof value, "%.400s", strcmp(settings->path, "-") ? settings->path : "to standard output");
  summary_line(session, "model", value);
}

/* Where fewer models could be averaged than --ensemble asks for. */
static void mention_members(const cli_session *session, const entropic_report *report, bool selected, bool validated) {
  const char *text = entropic_parameters_get(session->parameters, "ensemble");
  size_t members = report_count(report, "members");
  double asked;
  members = members ? members : 1;
  if (entropic_parse_double(text, strlen(text), &asked) || asked <= (double)members || report_count(report, "hurried"))
    return;
  notice(session, "--ensemble %.0f: only %zu model%s can be averaged, %s", asked, members, plural(members),
         !selected   ? "as features are not selected from the data"
         : validated ? "as --valid gives one split"
                     : "one for each fold");
}

/* A bound that could not be kept. */
static void mention_memory(const cli_session *session, const entropic_report *report) {
  double bound, peak;
  if (!entropic_report_number(report, "memory_bytes", &bound) ||
      !entropic_report_number(report, "peak_rss_bytes", &peak) || !(peak > bound))
    return;
  notice(session,
         "the fit used %.0fM of memory, more than --memory %s: what it keeps besides the table needs that much",
         ceil(peak / 0x1p20), entropic_parameters_get(session->parameters, "memory"));
}

/* Squares of heavy tails: the figure, and the fit, are those of a few rows. */
static void mention_heaviest(const cli_session *session, const entropic_report *report) {
  size_t heaviest = report_count(report, "validation.heaviest_rows"), rows = report_count(report, "validation.rows");
  double share;
  if (!heaviest || !entropic_report_number(report, "validation.heaviest_share", &share) || !(share >= HEAVY))
    return;
  notice(session,
         "%zu of the %zu validation rows %s %.0f %% of the squared error: the figure and the fit depend on a few rows",
         heaviest, rows, heaviest == 1 ? "has" : "have", 100 * share);
}

/* Inputs that no column is: the file then tells of the training rows what it would not otherwise. */
static void mention_means(const cli_session *session, const entropic_report *report) {
  size_t made = report_count(report, "target_means");
  if (made)
    notice(session,
           "%zu input%s made of categories: means of the target by category, and counts of rows; the model holds these "
           "(--target-means no makes none)",
           made, made == 1 ? " is" : "s are");
}

/* Rows that no figure has. */
static void mention_reach(const cli_session *session, const entropic_report *report) {
  size_t left_out = report_count(report, "validation.out_of_reach");
  if (left_out)
    notice(session,
           "%zu validation row%s left out of the validation error: an input lies more than one range outside the "
           "training rows, beyond what is extrapolated; predictions of such rows may be far off",
           left_out, left_out == 1 ? " is" : "s are");
}

int fit_summarise(const cli_session *session, const fit_settings *settings, const entropic_model *model,
                  entropic_report *report) {
  char select[32], ended[256];
  entropic_report_text(report, "select", select, sizeof select);
  bool selected = !strcmp(select, "residual");
  size_t features = report_count(report, "features"), each = features_of_one(report, selected);
  size_t asked = report_count(report, "features_asked");
  if (report_count(report, "hurried"))
    notice(session, "--seconds cut the search short: another machine, or more seconds, may give another model");
  else if (asked > each && selected)
    notice(session, "only %zu features can be selected within these limits, fewer than requested", each);
  else if (asked > each)
    notice(session, "the kernel has only %zu features within these limits, fewer than requested", each);
  if (report_count(report, "largest") == features && features && entropic_model_design(model) &&
      report_count(report, "members") <= 1)
    notice(session, "%zu features, the largest number tried, validated best: a larger --features M may do better",
           features);
  mention_members(session, report, selected, settings->valid != NULL);
  mention_memory(session, report);
  mention_heaviest(session, report);
  mention_reach(session, report);
  mention_means(session, report);
  if (entropic_report_text(report, "ended", ended, sizeof ended))
    notice(session, "the fit did not converge: %s", ended);
  if (!settings->json) {
    print_summary(session, settings, model, report, asked > each ? asked : 0);
    return EXIT_DONE;
  }
  model_place(report, settings->path);
  return report_print(session, report, "-");
}
