/* Reports: self-contained HTML pages with SVG charts and tables. No network, no library of scripts; light and dark,
 * phone, desk and paper. The same calls give the same bytes, whatever the locale.
 *
 *   ent_page page;
 *   ent_page_start(&page, context, "Six ways to choose features", "What this page shows, in one paragraph.");
 *   ent_page_section(&page, "Errors");
 *   ent_page_chart(&page, &(ent_chart){.title = "Error by features", .x = {"features", .logarithmic = true},
 *                                      .y.title = "test error", .series = series, .series_count = 6});
 *   ent_page_table(&page, &table);
 *   ent_page_foot(&page, &(ent_foot){.date = "2026-11-17", .command = "entropic compare data.csv --target y"});
 *   ent_page_end(&page);
 *   status = ent_page_save(&page, "report.html");
 *   ent_page_free(&page);
 *
 * All texts and arrays are borrowed for the length of the call. Texts may hold any bytes: they are escaped, bytes that
 * are not UTF-8 become U+FFFD, control characters go. In leads, paragraphs, captions and notes, text between backticks is
 * shown as code. Failures are remembered, the calls after one do nothing, and
 * ent_page_save reports the first. NULL for an optional text leaves it out. */
#ifndef ENT_PAGE_PAGE_H
#define ENT_PAGE_PAGE_H

#include "base/text.h"

/* ---- Text for pages ----------------------------------------------------------------------------------------- */

/* Fit for HTML and XML, between tags and within quoted attributes. NULL adds nothing. */
void ent_text_escape(ent_text *text, const char *unsafe);
void ent_text_escape_bytes(ent_text *text, const char *unsafe, size_t count);
/* The same for sentences between tags: what stands between two backticks is put into <code>. */
void ent_text_prose(ent_text *text, const char *unsafe);
/* A coordinate: two digits after the point at most. */
void ent_text_place(ent_text *text, double value);
/* Bytes as letters, digits, + and /, with = at the end (RFC 4648). */
void ent_text_base64(ent_text *text, const uint8_t *bytes, size_t count);
/* Writes the file, whole or not at all ("-" is standard output), or reports the failure remembered. */
entropic_status ent_text_save(ent_text *text, const char *path);

/* ---- Numbers for people ------------------------------------------------------------------------------------ */

#define ENT_SHOWN_NUMBER 64

/* So many significant digits (1 to 17, of 0 the fewest that give the value): 0.01250, 1234, 31,000, 1.25e-7. What is not
 * a number is an en dash. Returns shown. */
const char *ent_show_number(double value, int digits, char shown[ENT_SHOWN_NUMBER]);
/* So many digits after the point (0 to 17): 0.01, 1234.00, 12,345.60. */
const char *ent_show_fixed(double value, int decimals, char shown[ENT_SHOWN_NUMBER]);
/* Copies a number that begins with digits. Five digits or more before the point get a comma before each three, so `to`
 * needs room for a third more. The end of what was written, where a 0 byte stands. */
char *ent_group_digits(const char *number, char *to);

/* ---- Charts ------------------------------------------------------------------------------------------------ */

typedef enum ent_series_style {
  ENT_SERIES_MARKED, /* a line with markers and error bars */
  ENT_SERIES_CURVE,  /* a line alone, for many points; low and high make a band */
  ENT_SERIES_STEPS,  /* as a curve; a value holds until the next x */
  ENT_SERIES_DOTS    /* markers and error bars alone */
} ent_series_style;

/* How many series look different, each with a colour and a marker of its own. */
#define ENT_SERIES_LOOKS 16

/* Points in the order in which they are joined. A point with NaN is a gap. */
typedef struct ent_series {
  const char *name; /* for the legend; NULL: not in it */
  size_t count;
  const double *x, *y;      /* [count] */
  const double *low, *high; /* [count] ends of error bars or band, NaN where there is none; NULL: none at all */
  ent_series_style style;
  bool dashed;
  size_t look;               /* 1 .. ENT_SERIES_LOOKS, the same in every chart; 0: by its place among the series */
  const char *const *labels; /* [count] of points, for the pointer resting on one; NULL: none */
  /* Not these points but the least y up to each x: a thick grey step line behind all series, to the right end of the
   * chart. The order of the points does not matter. With count 0: of the points of all other series. */
  bool frontier;
} ent_series;

typedef struct ent_chart_axis {
  const char *title;
  bool logarithmic; /* points at or below zero are left out, and a note says so */
  bool zero;        /* begins at zero if no value is below; linear axes */
} ent_chart_axis;

typedef struct ent_chart {
  const char *title;
  const char *note; /* below the chart */
  ent_chart_axis x, y;
  const ent_series *series;
  size_t series_count; /* of more than ENT_SERIES_LOOKS some look the same */
  /* In panels: no legend of its own. The panels have one of all charts that share it. Series that are the same must look
   * the same: they have the same name and `look`. */
  bool shared_legend;
} ent_chart;

/* ---- Tables ------------------------------------------------------------------------------------------------ */

typedef enum ent_best { ENT_BEST_NONE, ENT_BEST_LOWEST, ENT_BEST_HIGHEST } ent_best;

typedef struct ent_table_column {
  const char *title;
  bool text;          /* its cells hold texts, otherwise numbers */
  int digits;         /* significant; 0 for four */
  bool fixed;         /* digits are those after the point, and 0 is none */
  ent_best best;      /* marks the best number of the column; not for columns whose rows have different budgets */
  const char *spread; /* what stands after +-, e.g. "standard error": said below the title */
} ent_table_column;

typedef struct ent_table_cell {
  const char *text;     /* shown if not NULL; in a column of numbers it still sorts by value */
  double value;         /* NaN: empty */
  double spread;        /* shown after the value as +- if above 0: two significant digits, or as fixed */
  const char *under[2]; /* smaller, a line each below a number; NULL: none */
} ent_table_cell;

/* The first column names the rows. Rows of different groups are not compared: the best of a column is marked in each
 * group. */
typedef struct ent_table {
  const char *title;
  const char *note;
  const ent_table_column *columns;
  size_t column_count;
  const ent_table_cell *cells; /* [rows][column_count] */
  size_t rows;
  ent_best best;        /* marks the best number of each row */
  const size_t *groups; /* [rows] the number of each row's group; NULL: all are one group */
  /* By number of group: rows that follow each other and are of one group stand below its title, and are sorted among
   * themselves. NULL: rows of all groups stand together. */
  const char *const *group_titles;
} ent_table;

/* ---- Pages ------------------------------------------------------------------------------------------------- */

#define ENT_PROCESSOR_NAME 128

/* Where a page comes from. What is NULL is left out. */
typedef struct ent_foot {
  const char *date;      /* of the day, or of SOURCE_DATE_EPOCH: who writes the page knows */
  const char *command;   /* the command line, quoted so that a shell reads it back */
  const char *processor; /* NULL: that of this machine */
  const char *model;     /* the hash of its file */
  bool seeded;           /* the seed is shown */
  uint64_t seed;
} ent_foot;

/* A style and a script of a page's own, 0-terminated; borrowed until the page is ended. The script is a module at the end of the
 * page. It must not hold "</script" nor "<!--". Such a page has a content security policy: it runs this script and
 * loads nothing. */
typedef struct ent_page_code {
  const char *style, *script;
} ent_page_code;

/* The entries of a legend, each once. */
typedef struct ent_legend {
  ent_text entries;
  size_t count;
} ent_legend;

typedef struct ent_page {
  ent_text text;
  bool in_section, in_panels, footed;
  size_t figures, tables;
  size_t first_figure; /* of the panels */
  ent_legend legend;   /* that charts of the panels share */
  const char *script;
} ent_page;

void ent_page_start(ent_page *page, entropic_context *context, const char *title, const char *lead);
void ent_page_start_scripted(ent_page *page, entropic_context *context, const char *title, const char *lead,
                             const ent_page_code *code);
void ent_page_section(ent_page *page, const char *heading);
void ent_page_paragraph(ent_page *page, const char *paragraph);
/* An empty element of that id, which a script fills. */
void ent_page_place(ent_page *page, const char *id);
void ent_page_note(ent_page *page, const char *note);
/* Short facts side by side: a name and a value each. */
void ent_page_facts(ent_page *page, const char *const (*facts)[2], size_t count);
void ent_page_chart(ent_page *page, const ent_chart *chart);
void ent_page_table(ent_page *page, const ent_table *table);
/* Charts between these two stand side by side, as many as there is room for. */
void ent_page_panels_start(ent_page *page);
void ent_page_panels_end(ent_page *page);
/* The numbers behind the page, for programs: <script type="application/json" id="...">. json is proper JSON. */
void ent_page_json(ent_page *page, const char *id, const char *json);
/* After all else but ent_page_json: date, seed, processor, version and command line. */
void ent_page_foot(ent_page *page, const ent_foot *foot);
void ent_page_end(ent_page *page);
/* After the end: writes the file as ent_text_save does. Or take page.text.bytes, if page.text.status is OK. */
entropic_status ent_page_save(ent_page *page, const char *path);
void ent_page_free(ent_page *page);

/* The name of this machine's processor, or of its architecture where nobody says more. Returns name. */
const char *ent_processor_name(char name[ENT_PROCESSOR_NAME]);

#endif
