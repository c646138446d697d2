/* The claims as a page: a table of all, and a picture of each that has one. */
#include <stdio.h>

#include "page/page.h"
#include "claims/claims.h"
#include "study/paper.h"

static void add_table(ent_page *page, const ent_claims *claims) {
  enum { NUMBER, HOLDS, VALUE, LIMIT, SOURCE, CLAIM, MEASURED, COLUMNS };
  static const ent_table_column columns[COLUMNS] = {
      {.title = "claim", .fixed = true},      {.title = "holds", .text = true},
      {.title = "value", .digits = 3},        {.title = "limit", .digits = 3},
      {.title = "source", .text = true},      {.title = "what is claimed", .text = true},
      {.title = "the value is", .text = true}};
  ent_table_cell cells[ENT_CLAIMS * COLUMNS] = {{0}};
  char limits[ENT_CLAIMS][ENT_SHOWN_NUMBER + 8];
  for (size_t i = 0; i < ENT_CLAIMS; i++) {
    const ent_claim *claim = &ent_claim_list[i];
    ent_table_cell *row = cells + i * COLUMNS;
    char shown[ENT_SHOWN_NUMBER];
    snprintf(limits[i], sizeof limits[i], "%s %s", claim->at_least ? "≥" : "≤",
             ent_show_number(claim->limit, 3, shown));
    row[NUMBER].value = (double)i + 1;
    row[SOURCE].text = claim->source;
    row[CLAIM].text = claim->text;
    row[MEASURED].text = claim->measured;
    row[VALUE].value = claims->findings[i].value;
    row[LIMIT] = (ent_table_cell){.text = limits[i], .value = claim->limit};
    row[HOLDS].text = ent_claim_holds(claim, claims->findings[i].value) ? "yes" : "no";
  }
  ent_page_table(
      page,
      &(ent_table){
          .title = "All claims", .columns = columns, .column_count = COLUMNS, .cells = cells, .rows = ENT_CLAIMS});
}

static void add_chart(ent_page *page, size_t number, const ent_claim *claim, const ent_finding *finding) {
  ent_series series[ENT_CLAIM_SERIES];
  char title[256], note[1200], shown[2][ENT_SHOWN_NUMBER];
  for (size_t i = 0; i < finding->series_count; i++) {
    const ent_claim_series *s = &finding->series[i];
    series[i] = (ent_series){.name = s->name, .count = s->count, .x = s->x, .y = s->y, .dashed = s->dashed};
    series[i].style = s->curve ? ENT_SERIES_CURVE : s->dots ? ENT_SERIES_DOTS : ENT_SERIES_MARKED;
  }
  snprintf(title, sizeof title, "Claim %zu. %s", number, finding->title);
  snprintf(note, sizeof note, "%s: %s: %s, limit %s %s%s%s.", claim->text, claim->measured,
           ent_show_number(finding->value, 3, shown[0]), claim->at_least ? "≥" : "≤",
           ent_show_number(claim->limit, 3, shown[1]), *finding->note != '\0' ? "; " : "", finding->note);
  ent_page_chart(page, &(ent_chart){.title = title,
                                    .note = note,
                                    .x = {.title = finding->x_title, .logarithmic = finding->x_logarithmic},
                                    .y = {.title = finding->y_title, .logarithmic = finding->y_logarithmic},
                                    .series = series,
                                    .series_count = finding->series_count});
}

entropic_status ent_claims_html(entropic_context *context, const ent_claims *claims, const char *path) {
  ent_page page;
  ent_text json = {.context = context};
  char lead[512];
  size_t failed = ent_claims_failed(claims);
  snprintf(lead, sizeof lead,
           "What L. Ding, R. Tuo and S. Shahrampour, Generalization Guarantees for Sparse Kernel Approximation with "
           "Entropic Optimal Features (ICML 2020), claim, measured with this program. %zu of %d claims hold. Where "
           "the paper errs, the claim is the corrected one and says so.",
           ENT_CLAIMS - failed, ENT_CLAIMS);
  ent_page_start(&page, context, "Entropic optimal features: the claims of the paper", lead);
  ent_page_section(&page, "Claims");
  add_table(&page, claims);
  ent_page_section(&page, "Pictures");
  ent_page_panels_start(&page);
  for (size_t i = 0; i < ENT_CLAIMS; i++)
    if (claims->findings[i].title != NULL && claims->findings[i].series_count > 0)
      add_chart(&page, i + 1, &ent_claim_list[i], &claims->findings[i]);
  ent_page_panels_end(&page);
  ent_claims_numbers(&json, claims);
  return ent_study_page_save(&page, &json, path);
}
