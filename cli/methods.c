#include "methods.h"

static void errors_as_json(entropic_report *report, const double *errors, size_t runs) {
  entropic_report_open_list(report, "errors");
  for (size_t i = 0; i < runs; i++)
    entropic_report_add_number(report, NULL, errors[i]);
  entropic_report_close(report);
}

void references_as_json(entropic_report *report, const entropic_comparison *comparison) {
  entropic_method_result constant;
  const double *errors = NULL;
  entropic_comparison_constant(NULL, comparison, &constant, sizeof constant, &errors);
  entropic_report_open_object(report, "references");
  entropic_report_open_object(report, constant.name);
  entropic_report_add_number(report, "error", constant.error);
  entropic_report_add_number(report, "sd", constant.sd);
  errors_as_json(report, errors, constant.runs);
  entropic_report_close(report);
  entropic_report_close(report);
}

void methods_as_json(entropic_report *report, const entropic_comparison *comparison) {
  entropic_report_open_list(report, "methods");
  for (size_t i = 0; i < entropic_comparison_count(comparison); i++) {
    entropic_method_result c;
    const double *errors = NULL;
    entropic_comparison_get(NULL, comparison, i, &c, sizeof c);
    entropic_comparison_errors(NULL, comparison, i, &errors);
    entropic_report_open_object(report, NULL);
    entropic_report_add_text(report, "name", c.name);
    entropic_report_add_flag(report, "tuned", c.tuned);
    entropic_report_add_integer(report, "features", c.features);
    entropic_report_add_integer(report, "runs", c.runs);
    entropic_report_add_number(report, "error", c.error);
    entropic_report_add_number(report, "sd", c.sd);
    errors_as_json(report, errors, c.runs);
    entropic_report_add_number(report, "train_seconds", c.train_seconds);
    entropic_report_add_number(report, "train_low", c.train_low);
    entropic_report_add_number(report, "train_high", c.train_high);
    entropic_report_add_number(report, "lift_seconds", c.lift_seconds);
    entropic_report_add_number(report, "nonzeros", c.nonzeros);
    entropic_report_add_number(report, "bandwidth", c.bandwidth);
    entropic_report_add_text(report, "kernel", c.kernel);
    entropic_report_add_text(report, "scale", entropic_scaling_name(c.scaling));
    entropic_report_close(report);
  }
  entropic_report_close(report);
}

void methods_as_text(cli_output *output, const entropic_comparison *comparison) {
  output_string(output, "method\tbandwidth\tfeatures\terror\tsd\ttrain_seconds\tlift_seconds\tnonzeros\tscale\t"
                        "train_low\ttrain_high\tkernel\n");
  for (size_t i = 0; i < entropic_comparison_count(comparison); i++) {
    entropic_method_result c;
    entropic_comparison_get(NULL, comparison, i, &c, sizeof c);
    output_string(output, c.name);
    output_string(output, c.tuned ? "\ttuned\t" : "\trule\t");
    output_count(output, c.features);
    const double numbers[] = {c.error, c.sd, c.train_seconds, c.lift_seconds, c.nonzeros};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
      output_character(output, '\t');
      output_number(output, numbers[k]);
    }
    output_character(output, '\t');
    output_string(output, entropic_scaling_name(c.scaling));
    output_character(output, '\t');
    output_number(output, c.train_low);
    output_character(output, '\t');
    output_number(output, c.train_high);
    output_character(output, '\t');
    output_string(output, c.kernel);
    output_character(output, '\n');
  }
}
