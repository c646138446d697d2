#include "methods.h"

static void errors_as_json(cli_json *json, const double *errors, size_t runs) {
  json_open(json, "errors", '[');
  for (size_t i = 0; i < runs; i++)
    json_number(json, NULL, errors[i]);
  json_close(json, ']');
}

void references_as_json(cli_json *json, const entropic_comparison *comparison) {
  entropic_method_result constant;
  const double *errors = NULL;
  entropic_comparison_constant(NULL, comparison, &constant, &errors);
  json_open(json, "references", '{');
  json_open(json, constant.name, '{');
  json_number(json, "error", constant.error);
  json_number(json, "sd", constant.sd);
  errors_as_json(json, errors, constant.runs);
  json_close(json, '}');
  json_close(json, '}');
}

void methods_as_json(cli_json *json, const entropic_comparison *comparison) {
  json_open(json, "methods", '[');
  for (size_t i = 0; i < entropic_comparison_count(comparison); i++) {
    entropic_method_result c;
    const double *errors = NULL;
    entropic_comparison_get(NULL, comparison, i, &c);
    entropic_comparison_errors(NULL, comparison, i, &errors);
    json_open(json, NULL, '{');
    json_string(json, "name", c.name);
    json_truth(json, "tuned", c.tuned);
    json_count(json, "features", c.features);
    json_count(json, "runs", c.runs);
    json_number(json, "error", c.error);
    json_number(json, "sd", c.sd);
    errors_as_json(json, errors, c.runs);
    json_number(json, "train_seconds", c.train_seconds);
    json_number(json, "lift_seconds", c.lift_seconds);
    json_number(json, "nonzeros", c.nonzeros);
    json_number(json, "bandwidth", c.bandwidth);
    json_string(json, "scale", entropic_scaling_name(c.scaling));
    json_close(json, '}');
  }
  json_close(json, ']');
}

void methods_as_text(cli_output *output, const entropic_comparison *comparison) {
  output_string(output, "method\tbandwidth\tfeatures\terror\tsd\ttrain_seconds\tlift_seconds\tnonzeros\tscale\n");
  for (size_t i = 0; i < entropic_comparison_count(comparison); i++) {
    entropic_method_result c;
    entropic_comparison_get(NULL, comparison, i, &c);
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
    output_character(output, '\n');
  }
}
