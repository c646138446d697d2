/* The data sets of the source paper: see sets.h. */
#include "study/sets.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "data/table.h"
#include "dataset/dataset.h"
#include "model/model.h"
#include "study/digits.h"

#define QUICK_ROWS ((size_t)2000)
#define DIGIT_ROWS ((size_t)20000)

const ent_set_info ent_sets[ENT_SETS] = {
    {"energy", "Energy Efficiency", "energy_efficiency.csv.gz", "RMSE, target in [-1,1]", false, 60, 128},
    {"grid", "Electrical Grid Stability", "grid_stability.csv.gz", "share of wrong classes", false, 60, 338},
    {"superconductivity", "Superconductivity", "superconductivity.csv.gz", "RMSE, target in [-1,1]", true, 160, 161},
    {"mnist", "MNIST",
     "train-images-idx3-ubyte.gz,train-labels-idx1-ubyte.gz,t10k-images-idx3-ubyte.gz,t10k-labels-idx1-ubyte.gz",
     "share of wrong digits", false, 80, 2048}};

/* The tables among them. */
typedef struct ent_set_table {
  const char *target, *ignore;
  size_t train, test;
} ent_set_table;

static const ent_set_table tables[] = {
    {"Y1", "Y2", 512, 256}, {"stabf", "stab", 7000, 3000}, {"critical_temp", NULL, 15000, 6263}};

static entropic_status path_of(entropic_context *context, const char *folder, const char *file, size_t length,
                               char path[ENT_STUDY_PATH]) {
  int written = snprintf(path, ENT_STUDY_PATH, "%s/%.*s", folder, (int)length, file);
  return written < ENT_STUDY_PATH ? ENTROPIC_OK
                                  : ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: the path is too long", folder);
}

bool ent_set_there(const char *folder, size_t set) {
  char path[ENT_STUDY_PATH];
  for (const char *file = ent_sets[set].files; *file != '\0';) {
    size_t length = strcspn(file, ",");
    if (path_of(NULL, folder, file, length, path) != ENTROPIC_OK || access(path, R_OK) != 0)
      return false;
    file += length + (file[length] == ',');
  }
  return true;
}

/* Scales targets to [-1,1]. */
static void scale_targets(ent_split_table *split_table) {
  double least = split_table->y[0], most = split_table->y[0];
  for (size_t r = 0; r < split_table->rows; r++) {
    least = split_table->y[r] < least ? split_table->y[r] : least;
    most = split_table->y[r] > most ? split_table->y[r] : most;
  }
  for (size_t r = 0; r < split_table->rows && most > least; r++)
    split_table->y[r] = 2 * (split_table->y[r] - least) / (most - least) - 1;
}

static entropic_status load_table(entropic_context *context, const char *folder, size_t set, ent_set *loaded) {
  char path[ENT_STUDY_PATH];
  entropic_table *table = NULL;
  entropic_dataset *dataset = NULL;
  size_t least = tables[set].train + tables[set].test;
  ent_read_options options = ent_read_options_default();
  options.roles.targets = tables[set].target;
  options.roles.ignore = tables[set].ignore;
  entropic_status status = path_of(context, folder, ent_sets[set].files, strlen(ent_sets[set].files), path);
  if (status != ENTROPIC_OK)
    return status;
  status = ent_table_load(context, path, &options, &table);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_dataset_create(context, table, ENTROPIC_TASK_AUTO, &dataset);
  if (status != ENTROPIC_OK)
    goto done;
  status = ent_split_table_of_dataset(context, dataset, &loaded->split_table);
  if (status != ENTROPIC_OK)
    goto done;
  if (loaded->split_table.rows < least) {
    status = ent_fail(context, ENTROPIC_BAD_DATA, "%s: %zu rows, expected at least %zu", path, loaded->split_table.rows,
                      least);
    goto done;
  }
  if (loaded->split_table.classes == 0)
    scale_targets(&loaded->split_table);
  loaded->train = tables[set].train;
  loaded->test = tables[set].test;
done:
  entropic_dataset_free(dataset);
  entropic_table_free(table);
  return status;
}

static entropic_status load_digits(entropic_context *context, const ent_set_options *options, ent_set *loaded) {
  entropic_status status = ent_digits_load(context, options, &loaded->split_table, &loaded->test);
  if (status != ENTROPIC_OK)
    return status;
  loaded->fixed_test = loaded->test;
  loaded->train = DIGIT_ROWS;
  return ENTROPIC_OK;
}

entropic_status ent_set_load(entropic_context *context, size_t set, const ent_set_options *options, ent_set *loaded) {
  ent_set made = {0};
  bool is_table = set < sizeof tables / sizeof *tables;
  entropic_status status =
      is_table ? load_table(context, options->folder, set, &made) : load_digits(context, options, &made);
  if (status != ENTROPIC_OK)
    goto fail;
  if (options->quick && made.train > QUICK_ROWS)
    made.train = QUICK_ROWS;
  size_t candidates = made.split_table.rows - made.fixed_test;
  if (candidates < made.train) {
    status = ent_fail(context, ENTROPIC_BAD_DATA, "%s: %s: %zu training rows, expected at least %zu", options->folder,
                      ent_sets[set].title, candidates, made.train);
    goto fail;
  }
  *loaded = made;
  return ENTROPIC_OK;
fail:
  ent_set_clear(&made);
  *loaded = made;
  return status;
}

void ent_set_clear(ent_set *set) {
  ent_split_table_clear(&set->split_table);
  *set = (ent_set){0};
}

entropic_status ent_set_cut(entropic_context *context, const ent_set *set, uint64_t seed, ent_split_cut *cut) {
  size_t candidates = set->split_table.rows - set->fixed_test;
  size_t *numbers = ent_new(context, set->split_table.rows, sizeof *numbers);
  if (numbers == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_random random = entropic_random_start(seed, 3);
  entropic_random_permutation(&random, candidates, numbers);
  for (size_t i = 0; i < set->fixed_test; i++)
    numbers[set->train + i] = candidates + i;
  const ent_split_numbers rows = {.numbers = numbers, .train = set->train, .test = set->test};
  entropic_status status = ent_split_table_cut(context, &set->split_table, &rows, ENTROPIC_SCALING_QUANTILE, cut);
  ent_delete(numbers);
  return status;
}
