/* The boundary functions as charts and JSON. */
#include "study/paper.h"

static ent_series curve(const char *name, const double *x, const double *y, bool dashed) {
  return (ent_series){
      .name = name, .count = ENT_BOUNDARY_POINTS, .x = x, .y = y, .style = ENT_SERIES_CURVE, .dashed = dashed};
}

void ent_paper_add_boundary(ent_page *page, const ent_paper *paper) {
  const ent_boundary *b = &paper->boundary;
  ent_page_section(page, "What the boundary functions are for");
  ent_page_paragraph(
      page, "The paper's features are products of hats, and all hats are zero at 0 and at 1. So is every "
            "function made of them: they span not the space of the kernel but the part of it that vanishes "
            "wherever some input is at an end of its range. Two more functions of each input, orthogonal to all "
            "hats, span the rest: for the centred kernel the constant 1 and a line, for the laplace kernel "
            "an even and an odd function of the same kind. EOF and EOF-select have them, EOF-printed has not.");
  const ent_series atoms[] = {
      curve("hat, level 1", b->x, b->hats[0], false), curve("hats, level 2", b->x, b->hats[1], false),
      curve("hats, level 3", b->x, b->hats[2], false), curve("boundary: constant", b->x, b->pair[0], true),
      curve("boundary: line", b->x, b->pair[1], true)};
  const ent_series fits[] = {curve("1 + x", b->x, b->truth, false), curve("7 hats", b->x, b->coarse, false),
                             curve("31 hats", b->x, b->fine, false),
                             curve("the two boundary functions", b->x, b->pair_alone, true)};
  const ent_series errors[] = {
      {.name = "hats alone", .count = ENT_BOUNDARY_SIZES, .x = b->hat_count, .y = b->without},
      {.name = "hats and boundary functions", .count = ENT_BOUNDARY_SIZES, .x = b->hat_count, .y = b->with}};
  ent_page_panels_start(page);
  ent_page_chart(page, &(ent_chart){.title = "Atoms of one input (centred kernel, omega 1)",
                                    .x.title = "x",
                                    .y.title = "atom of norm 1",
                                    .series = atoms,
                                    .series_count = sizeof atoms / sizeof *atoms});
  ent_page_chart(page, &(ent_chart){.title = "1 + x by least squares",
                                    .x.title = "x",
                                    .y.title = "value",
                                    .series = fits,
                                    .series_count = sizeof fits / sizeof *fits});
  ent_page_chart(page, &(ent_chart){.title = "What is missing of 1 + x (laplace kernel, omega 1)",
                                    .x = {.title = "hats", .logarithmic = true},
                                    .y = {.title = "root of the mean square", .logarithmic = true},
                                    .series = errors,
                                    .series_count = sizeof errors / sizeof *errors});
  ent_page_panels_end(page);
}

void ent_paper_boundary_json(ent_json *json, const ent_paper *paper) {
  const ent_boundary *b = &paper->boundary;
  ent_json_line(json);
  ent_json_open_object(json, "boundary");
  ent_json_add_numbers(json, "hats", b->hat_count, ENT_BOUNDARY_SIZES);
  ent_json_add_numbers(json, "without", b->without, ENT_BOUNDARY_SIZES);
  ent_json_add_numbers(json, "worst_without", b->worst_without, ENT_BOUNDARY_SIZES);
  ent_json_add_numbers(json, "with", b->with, ENT_BOUNDARY_SIZES);
  ent_json_add_numbers(json, "worst_with", b->worst_with, ENT_BOUNDARY_SIZES);
  ent_json_close(json);
}
