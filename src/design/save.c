/* Designs as text files: kernel, base levels, groups. Inputs, levels and members count from 1.
 *
 *   entropic design 1
 *   criterion l2
 *   inputs 4
 *   axis 2 centred full omega 1 level 16 smooth 0 unit 0     (2 inputs in a row with these options)
 *   axis 1 centred full omega 1 level 16 smooth 0 unit 0 missing 1     (with an atom for missing values)
 *   axis 1 category omega 1 categories 12
 *   axis 1 custom full omega 2 level 16 smooth 0 unit 0      (its expressions follow: p and q, or alpha, beta, left, right)
 *   p 1 + w*x
 *   q 1
 *   base 4 1                                                 (4 inputs in a row with base level 1; 0 for none)
 *   groups 2 exhausted 0
 *   0                                                        (cost, then terms input:level)
 *   15397385462 2:2 = 1 3                                    (behind = the members, if not all)
 *
 * A design with a custom kernel starts with "entropic design 2". There the same terms may come in several groups, each with
 * members of its own: atoms of one level may differ in score.
 *
 * A design that says for which columns it is starts with "entropic design 3"; kernels may be custom. Then come, before
 * the criterion, which is l2 or sup:
 *
 *   columns 2                                                (the number of inputs)
 *   input age                                                (its name, to the end of the line)
 *   range 0 120                                              (the ends of a number: what is beyond counts as the end)
 *   missing refused                                          (or atom: missing values have one of their own)
 *   input colour
 *   categories 2
 *   category red
 *   category green
 *   missing atom
 *   target price
 *   range 0 1000000                                          (or the classes; two or more:)
 *   classes 2
 *   class no
 *   class yes
 *   inverse-temperature 2                                    (probabilities are those of scores times this)
 *   lambda 0.0001
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "design/columns.h"

typedef struct ent_writer {
  entropic_context *context;
  entropic_output *output;
  entropic_status status; /* the first failure; later writes do nothing */
} ent_writer;

static void put(ent_writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(ent_writer *writer, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (writer->status == ENTROPIC_OK)
    writer->status = entropic_output_write(writer->context, writer->output, text, (size_t)length);
}

/* A word and a text, which may be long. */
static void put_line(ent_writer *writer, const char *word, const char *text) {
  put(writer, "%s ", word);
  if (writer->status == ENTROPIC_OK)
    writer->status = entropic_output_write(writer->context, writer->output, text, strlen(text));
  put(writer, "\n");
}

static void put_texts(ent_writer *writer, const entropic_axis_options *options) {
  entropic_axis_options copy = *options;
  for (int i = 0; i < ENT_TEXTS; i++) {
    const char *text = *ent_text_of(&copy, i);
    if (text != NULL)
      put_line(writer, ent_text_names[i], text);
  }
}

static void put_axes(ent_writer *writer, const entropic_design *design) {
  const entropic_kernel *kernel = design->kernel;
  for (size_t i = 0, run; i < kernel->inputs; i += run) {
    for (run = 1; i + run < kernel->inputs && kernel->axes[i + run] == kernel->axes[i]; run++)
      ;
    const entropic_axis_options *options = &kernel->axes[i]->options;
    char omega[ENTROPIC_NUMBER_SIZE];
    entropic_format_double(options->omega, omega);
    const char *family = entropic_family_name(options->family);
    if (entropic_family_has(options->family, ENTROPIC_TRAIT_CATEGORIES))
      put(writer, "axis %zu %s omega %s categories %zu\n", run, family, omega, options->categories);
    else
      put(writer, "axis %zu %s %s omega %s level %d smooth %d unit %d%s\n", run, family,
          options->basis == ENTROPIC_BASIS_FULL ? "full" : "interior", omega, options->max_level, options->smooth,
          options->unit_height != 0, options->missing ? " missing 1" : "");
    put_texts(writer, options);
  }
  for (size_t i = 0, run; i < kernel->inputs; i += run) {
    for (run = 1; i + run < kernel->inputs && design->base[i + run] == design->base[i]; run++)
      ;
    put(writer, "base %zu %zu\n", run, design->base[i] == ENTROPIC_NO_LEVEL ? 0 : design->base[i] + 1);
  }
}

static void put_group(ent_writer *writer, const entropic_design *design, const ent_group *group) {
  put(writer, "%" PRId64, group->cost);
  for (size_t i = 0; i < group->term_count; i++) {
    entropic_term term = design->terms[group->first_term + i];
    put(writer, " %zu:%zu", term.input + 1, term.level + 1);
  }
  if (group->first_member != ENT_ALL_MEMBERS) {
    put(writer, " =");
    for (size_t i = 0; i < group->features; i++)
      put(writer, " %" PRIu64, design->members[group->first_member + i] + 1);
  }
  put(writer, "\n");
}

static entropic_status check(entropic_context *context, const entropic_design *design, const char *path) {
  for (size_t i = 0; i < design->kernel->distinct_count; i++) {
    const ent_axis *axis = design->kernel->distinct[i];
    if (!(axis->traits & ENTROPIC_TRAIT_SAVED))
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s: a design of a %s kernel by functions cannot be saved", path,
                      axis->family->name);
  }
  if (design->kernel->inputs > ENT_MAX_SAVED_INPUTS)
    return ent_fail(context, ENTROPIC_TOO_LARGE, "%s: designs of more than %zu inputs cannot be saved", path,
                    ENT_MAX_SAVED_INPUTS);
  return ENTROPIC_OK;
}

static bool has_text(const entropic_kernel *kernel) {
  bool any = false;
  for (size_t i = 0; i < kernel->distinct_count; i++)
    any = any || ent_is_text(&kernel->distinct[i]->options);
  return any;
}

static void put_number(ent_writer *writer, const char *word, double value) {
  char number[ENTROPIC_NUMBER_SIZE];
  entropic_format_double(value, number);
  put(writer, "%s %s\n", word, number);
}

static void put_range(ent_writer *writer, double low, double high) {
  char first[ENTROPIC_NUMBER_SIZE], last[ENTROPIC_NUMBER_SIZE];
  entropic_format_double(low, first);
  entropic_format_double(high, last);
  put(writer, "range %s %s\n", first, last);
}

static void put_columns(ent_writer *writer, const ent_design_columns *columns) {
  put(writer, "columns %zu\n", columns->inputs);
  for (size_t i = 0; i < columns->inputs; i++) {
    const ent_design_input *input = &columns->input[i];
    put_line(writer, "input", input->name);
    if (input->categories == 0)
      put_range(writer, input->low, input->high);
    else
      put(writer, "categories %zu\n", input->categories);
    for (size_t k = 0; k < input->categories; k++)
      put_line(writer, "category", input->category[k]);
    put(writer, "missing %s\n", input->missing ? "atom" : "refused");
  }
  put_line(writer, "target", columns->target);
  if (columns->classes == 0)
    put_range(writer, columns->target_low, columns->target_high);
  else
    put(writer, "classes %zu\n", columns->classes);
  for (size_t k = 0; k < columns->classes; k++)
    put_line(writer, "class", columns->class_name[k]);
  if (columns->classes > 0)
    put_number(writer, "inverse-temperature", columns->inverse_temperature);
  put_number(writer, "lambda", columns->lambda);
}

/* Writes and commits. columns may be NULL. */
static entropic_status write_design(entropic_context *context, const entropic_design *design,
                                    const ent_design_columns *columns, entropic_output *output) {
  ent_writer writer = {.context = context, .output = output};
  put(&writer, "%s\n",
      columns != NULL            ? ENT_DESIGN_FIRST_LINE_COLUMNS
      : has_text(design->kernel) ? ENT_DESIGN_FIRST_LINE_TEXT
                                 : ENT_DESIGN_FIRST_LINE);
  if (columns != NULL)
    put_columns(&writer, columns);
  put(&writer, "criterion %s\ninputs %zu\n", ent_criterion_name((int)design->criterion), design->kernel->inputs);
  put_axes(&writer, design);
  put(&writer, "groups %zu exhausted %d\n", design->group_count, design->exhausted);
  for (size_t i = 0; i < design->group_count; i++)
    put_group(&writer, design, &design->groups[i]);
  return writer.status != ENTROPIC_OK ? writer.status : entropic_output_commit(context, output);
}

entropic_status entropic_design_save(entropic_context *context, const entropic_design *design, const char *path) {
  ENT_NEED(context, design);
  ENT_NEED(context, path);
  entropic_output *output = NULL;
  entropic_status status = check(context, design, path);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_output_create(context, path, &output);
  if (status != ENTROPIC_OK)
    return status;
  status = write_design(context, design, NULL, output);
  entropic_output_free(output);
  return status;
}

entropic_status ent_design_save_columns(entropic_context *context, const entropic_design *design,
                                        const ent_design_columns *columns, unsigned char **bytes, size_t *count) {
  entropic_output *output = NULL;
  entropic_status status = check(context, design, "memory");
  if (status != ENTROPIC_OK)
    return status;
  status = ent_output_create_memory(context, &output);
  if (status != ENTROPIC_OK)
    return status;
  status = write_design(context, design, columns, output);
  if (status != ENTROPIC_OK)
    goto done;
  ent_output_take(output, bytes, count);
done:
  entropic_output_free(output);
  return status;
}

entropic_status entropic_design_save_memory(entropic_context *context, const entropic_design *design,
                                            unsigned char **bytes, size_t *count) {
  ENT_NEED(context, design);
  ENT_NEED(context, bytes);
  ENT_NEED(context, count);
  return ent_design_save_columns(context, design, NULL, bytes, count);
}
