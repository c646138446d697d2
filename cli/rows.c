#include "rows.h"

#include <stdio.h>

void rows_mention(const cli_session *session, const entropic_report *report) {
  size_t dropped = report_count(report, "dropped_rows"), beyond = report_count(report, "beyond_origin");
  if (dropped)
    notice(session, "%zu row%s without a target or a weight left out", dropped, dropped == 1 ? "" : "s");
  if (beyond)
    notice(session, "%zu target%s beyond the origin of the root transform treated as the origin", beyond,
           beyond == 1 ? "" : "s");
  const entropic_data_warnings warnings = {.outside = report_count(report, "outside"),
                                           .unseen = report_count(report, "unseen"),
                                           .missing = report_count(report, "missing"),
                                           .continued = report_count(report, "continued")};
  mention_warnings(session, &warnings);
}

int rows_print(const cli_session *session, const entropic_report *report, bool json) {
  char receipt[ENTROPIC_RECEIPT_SIZE + 1];
  if (json)
    return report_print(session, report, "-");
  entropic_report_text(report, "receipt", receipt, ENTROPIC_RECEIPT_SIZE);
  snprintf(receipt + ENTROPIC_RECEIPT_SIZE - 1, 2, "\n");
  return output_print(session, receipt);
}
