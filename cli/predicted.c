/* Predictions as columns: see predicted.h. */
#include "predicted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_VALUES ((size_t)1 << 20)
#define BLOCK_ROWS ((size_t)8192)
#define BLOCK_EFFECTS ((size_t)1 << 17) /* so few that their text stays in the cache until the system has taken it */
#define LEAST_ROWS ((size_t)16)
#define PARTS ((size_t)8) /* of a block, for threads */

/* Some rows of a block, which a thread writes. */
struct predicted_part {
  cli_output *text;
  double *numbers; /* of a row */
  char *set;       /* of a row */
};

void predicted_clear(cli_predicted *predicted) {
  for (size_t i = 0; predicted->parts && i < predicted->part_count; i++) {
    output_free(predicted->parts[i].text);
    free(predicted->parts[i].numbers);
    free(predicted->parts[i].set);
  }
  free(predicted->parts);
  free(predicted->predictions);
  free(predicted->probabilities);
  free(predicted->effects);
  free(predicted->prefix);
  intervals_clear(&predicted->intervals);
  carried_clear(&predicted->carried);
  entropic_explanation_free(predicted->explanation);
}

/* ---- Names ---- */

/* The class or the target that a score is of. */
static const char *score_name(const cli_predicted *predicted, size_t score) {
  if (predicted->info.task == ENTROPIC_TASK_REGRESSION)
    return entropic_model_target(predicted->model, score);
  return predicted->info.scores > 1 ? entropic_model_class(predicted->model, score) : "";
}

/* The columns of a score: the score itself, and what it is made of. */
static void write_effects_header(const cli_predicted *predicted, size_t score, cli_output *output) {
  bool several = predicted->info.scores > 1;
  const char *name = several ? score_name(predicted, score) : "";
  output_character(output, ',');
  output_field(output, several ? "score_" : "score", name);
  snprintf(predicted->prefix, predicted->prefix_size, several ? "effect_%s_" : "effect_", name);
  output_character(output, ',');
  output_field(output, predicted->prefix, "base");
  for (size_t i = 0; i + 1 < predicted->effect_count; i++) {
    entropic_input_info input;
    size_t number = entropic_explanation_input(predicted->explanation, i);
    output_character(output, ',');
    if (!entropic_model_input(NULL, predicted->model, number, &input, sizeof input))
      output_field(output, predicted->prefix, input.name);
  }
}

void predicted_header(const cli_predicted *predicted, cli_output *output) {
  carried_header(&predicted->carried, output);
  if (predicted->info.targets == 1)
    output_string(output, "prediction");
  for (size_t t = 0; t < predicted->info.targets && predicted->info.targets > 1; t++) {
    if (t)
      output_character(output, ',');
    output_field(output, "prediction_", entropic_model_target(predicted->model, t));
  }
  for (size_t c = 0; c < predicted->info.classes && predicted->probabilities; c++) {
    output_character(output, ',');
    output_field(output, "p_", entropic_model_class(predicted->model, c));
  }
  intervals_header(&predicted->intervals, output);
  for (size_t k = 0; k < predicted->info.scores && predicted->effects; k++)
    write_effects_header(predicted, k, output);
  output_character(output, '\n');
}

/* Is a name that of a column: `first`, of several targets with their names behind it? */
static bool is_column(const cli_predicted *predicted, const char *first, const char *name) {
  size_t length = strlen(first);
  if (strncmp(name, first, length))
    return false;
  if (predicted->info.targets == 1)
    return !name[length];
  for (size_t t = 0; t < predicted->info.targets; t++)
    if (name[length] == '_' && !strcmp(name + length + 1, entropic_model_target(predicted->model, t)))
      return true;
  return false;
}

bool predicted_has(const void *user, const char *name) {
  const cli_predicted *predicted = user;
  bool interval = predicted->intervals.level >= 0, classes = predicted->info.task == ENTROPIC_TASK_CLASSIFICATION;
  for (size_t c = 0; c < predicted->info.classes && predicted->probabilities; c++)
    if (!strncmp(name, "p_", 2) && !strcmp(name + 2, entropic_model_class(predicted->model, c)))
      return true;
  return is_column(predicted, "prediction", name) || (predicted->intervals.std && is_column(predicted, "std", name)) ||
         (interval && classes && is_column(predicted, "set", name)) ||
         (interval && !classes && (is_column(predicted, "lower", name) || is_column(predicted, "upper", name))) ||
         (predicted->effects && (!strncmp(name, "score", 5) || !strncmp(name, "effect_", 7)));
}

/* ---- Room ---- */

/* Takes the model apart. */
static int take_apart(const cli_session *session, const char *path, cli_predicted *predicted) {
  entropic_status status = entropic_explain(session->context, predicted->model, NULL, &predicted->explanation);
  if (status)
    return complain_about(session, path, status);
  predicted->effect_count = 1 + entropic_explanation_inputs(predicted->explanation);
  for (size_t k = 0; k < predicted->info.scores; k++) {
    size_t size = strlen(score_name(predicted, k)) + sizeof "effect__";
    predicted->prefix_size = size > predicted->prefix_size ? size : predicted->prefix_size;
  }
  predicted->prefix = calloc(predicted->prefix_size, 1);
  return predicted->prefix ? EXIT_DONE : complain_memory(session);
}

/* Blocks of so many rows that they are worth spreading over threads, and yet no burden where inputs are many. */
static int make_room(const cli_session *session, bool proba, cli_predicted *predicted) {
  size_t inputs = predicted->info.inputs, classes = predicted->info.classes, targets = predicted->info.targets;
  size_t effects = predicted->info.scores * predicted->effect_count;
  size_t rows = BLOCK_VALUES / (inputs + classes + targets + effects);
  rows = rows > BLOCK_ROWS ? BLOCK_ROWS : rows;
  rows = rows * effects > BLOCK_EFFECTS ? BLOCK_EFFECTS / effects : rows;
  rows = rows < LEAST_ROWS ? LEAST_ROWS : rows;
  predicted->capacity = rows;
  predicted->part_rows = (rows + PARTS - 1) / PARTS;
  predicted->predictions = calloc(rows * targets, sizeof *predicted->predictions);
  predicted->probabilities = proba ? calloc(rows * classes, sizeof *predicted->probabilities) : NULL;
  predicted->effects = effects ? calloc(rows * effects, sizeof *predicted->effects) : NULL;
  bool complete = predicted->predictions && (!proba || predicted->probabilities) && (!effects || predicted->effects);
  return complete ? EXIT_DONE : complain_memory(session);
}

static int make_parts(const cli_session *session, cli_predicted *predicted) {
  size_t numbers = predicted->info.targets + intervals_width(&predicted->intervals);
  numbers += predicted->info.scores * (1 + predicted->effect_count); /* the score, too */
  predicted->part_count = PARTS;
  predicted->parts = calloc(predicted->part_count, sizeof *predicted->parts);
  bool complete = predicted->parts != NULL;
  for (size_t i = 0; i < predicted->part_count && complete; i++) {
    predicted_part *part = &predicted->parts[i];
    part->text = output_in_memory(session);
    part->numbers = calloc(numbers, sizeof *part->numbers);
    part->set = calloc(intervals_set_size(&predicted->intervals), 1);
    complete = part->text && part->numbers && part->set;
  }
  return complete ? EXIT_DONE : complain_memory(session);
}

int predicted_start(const cli_session *session, const char *path, bool proba, bool effects, cli_predicted *predicted) {
  int result = effects ? take_apart(session, path, predicted) : EXIT_DONE;
  if (result)
    return result;
  result = make_room(session, proba, predicted);
  if (result)
    return result;
  result = intervals_start(session, predicted->model, predicted->capacity, &predicted->intervals);
  return result ? result : make_parts(session, predicted);
}

void predicted_ask(const cli_predicted *predicted, entropic_outputs *outputs) {
  outputs->predictions = predicted->predictions;
  outputs->probabilities = predicted->probabilities;
  outputs->explanation = predicted->explanation;
  outputs->effects = predicted->effects;
  intervals_ask(&predicted->intervals, outputs);
}

/* ---- Rows ---- */

/* The score is the sum of the effects as they are written, but for the rounding of sums. */
static double *add_effects(const cli_predicted *predicted, size_t row, double *numbers) {
  size_t count = predicted->effect_count;
  const double *effects = predicted->effects + row * predicted->info.scores * count;
  for (size_t k = 0; k < predicted->info.scores; k++, effects += count, numbers += 1 + count) {
    double score = 0;
    for (size_t i = 0; i < count; i++)
      score += effects[i];
    numbers[0] = score;
    memcpy(numbers + 1, effects, count * sizeof *effects);
  }
  return numbers;
}

static void write_class(const cli_predicted *predicted, const predicted_part *part, size_t row) {
  size_t classes = predicted->info.classes;
  output_field(part->text, "", entropic_model_class(predicted->model, (size_t)predicted->predictions[row]));
  if (predicted->probabilities) {
    output_character(part->text, ',');
    output_numbers(part->text, predicted->probabilities + row * classes, classes);
  }
  if (predicted->intervals.sets)
    intervals_write_set(&predicted->intervals, row, part->set, part->text);
}

/* What is a number comes last, and goes out together. */
static void write_row(const cli_predicted *predicted, const predicted_part *part, size_t row) {
  size_t targets = predicted->info.targets;
  double *end = part->numbers;
  carried_write(&predicted->carried, part->text, row);
  if (predicted->info.classes) {
    write_class(predicted, part, row);
  } else {
    memcpy(end, predicted->predictions + row * targets, targets * sizeof *end);
    intervals_numbers(&predicted->intervals, row, end + targets);
    end += targets + intervals_width(&predicted->intervals);
  }
  if (predicted->effects)
    end = add_effects(predicted, row, end);
  if (predicted->info.classes && end > part->numbers)
    output_character(part->text, ',');
  output_numbers(part->text, part->numbers, (size_t)(end - part->numbers));
  output_character(part->text, '\n');
}

/* The rows of a block, for threads. */
typedef struct predicted_rows {
  const cli_predicted *predicted;
  size_t count;
} predicted_rows;

static void write_part(void *user, size_t number) {
  const predicted_rows *rows = user;
  size_t each = rows->predicted->part_rows, end = (number + 1) * each;
  for (size_t row = number * each; row < end && row < rows->count; row++)
    write_row(rows->predicted, &rows->predicted->parts[number], row);
}

entropic_status predicted_write(const cli_session *session, const cli_predicted *predicted, size_t rows,
                                cli_output *output) {
  predicted_rows all = {predicted, rows};
  size_t parts = (rows + predicted->part_rows - 1) / predicted->part_rows;
  entropic_status status = entropic_tasks_run(session->context, parts, write_part, &all);
  for (size_t i = 0; i < parts && !status; i++)
    output_append(output, predicted->parts[i].text);
  return status;
}
