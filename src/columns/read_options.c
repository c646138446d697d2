#include "columns/read_options.h"

static const char *format_name(int number) {
  static const char *const names[] = {"auto", "text", "libsvm", "npy"};
  return (size_t)number < sizeof names / sizeof *names ? names[number] : NULL;
}

ent_read_options ent_read_options_default(void) {
  return (ent_read_options){
      .delimiter = ENT_AUTO, .quote = ENT_AUTO, .decimal = ENT_AUTO, .comment = ENT_AUTO, .header = ENT_AUTO};
}

ent_read_options ent_read_options_by(const entropic_parameters *p) {
  ent_read_options options = ent_read_options_default();
  options.format = (entropic_format)ent_parameters_choice(p, "format", format_name, 0, ENTROPIC_FORMAT_AUTO);
  if (ent_parameters_is_set(p, "header"))
    options.header = ent_parameters_is(p, "header", "yes");
  options.sql = ent_parameters_text(p, "sql");
  options.missing = ent_parameters_text(p, "missing");
  options.libsvm_from_zero = ent_parameters_flag(p, "from-zero");
  options.libsvm_any_order = ent_parameters_flag(p, "any-order");
  options.delimiter = ent_parameters_character(p, "delimiter", ENT_AUTO);
  options.decimal = ent_parameters_character(p, "decimal", ENT_AUTO);
  options.quote = ent_parameters_character(p, "quote", ENT_AUTO);
  options.comment = ent_parameters_character(p, "comment", ENT_AUTO);
  options.memory = ent_parameters_integer(p, "memory", 0);
  options.spool = ent_parameters_text(p, "spool");
  /* Rows that are lifted without a fit are numbers. */
  options.numbers_only = p != NULL && (p->purpose & (ENTROPIC_PURPOSE_DESIGN | ENTROPIC_PURPOSE_COLLECT)) != 0;
  options.roles = (ent_roles){.targets = ent_parameters_text(p, "target"),
                              .weights = ent_parameters_text(p, "weights"),
                              .groups = ent_parameters_text(p, "groups"),
                              .ignore = ent_parameters_text(p, "ignore"),
                              .categorical = ent_parameters_text(p, "categorical"),
                              .keep = ent_parameters_text(p, "keep"),
                              .time = ent_parameters_text(p, "time")};
  return options;
}
