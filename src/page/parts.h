/* What pages are put together from; each part knows only the text it is written to. */
#ifndef ENT_PAGE_PARTS_H
#define ENT_PAGE_PARTS_H

#include "page/page.h"
#include "page/ticks.h"

/* A drawing of a chart: its size in units of its viewBox, which are about pixels, and where the data lie in it. */
typedef struct ent_plot {
  ent_text *out;
  const ent_chart *chart;
  double width, height, font;
  double left, right, top, bottom;
  ent_report_span x, y;
  ent_ticks x_ticks, y_ticks;
} ent_plot;

static inline double ent_plot_x(const ent_plot *plot, double x) {
  return plot->left + (plot->right - plot->left) * ent_span_place(&plot->x, x);
}
static inline double ent_plot_y(const ent_plot *plot, double y) {
  return plot->bottom - (plot->bottom - plot->top) * ent_span_place(&plot->y, y);
}

/* Is point i drawn, or is it a gap? */
bool ent_point_fits(const ent_plot *plot, const ent_series *series, size_t i);
void ent_write_series(const ent_plot *plot, size_t index);
/* The number of its look, 0 .. ENT_SERIES_LOOKS - 1. */
size_t ent_series_look(const ent_chart *chart, size_t index);
/* class="..." of all that belongs to a series: its look and its dashes. */
void ent_write_series_class(ent_text *out, const ent_chart *chart, size_t index);
/* The marker of a look at a point of a drawing. */
void ent_write_marker(ent_text *out, size_t look, double x, double y);

/* The inside of a figure or table, after its caption. A chart is drawn for wide and for narrow screens, of which the
 * style shows one; in panels only the narrow one is wanted, and a shared legend is left to the panels. */
void ent_write_chart(ent_text *out, const ent_chart *chart, bool in_panels);
/* Adds the entries of a chart that are not there yet. */
void ent_legend_add(ent_legend *legend, const ent_chart *chart);
/* Writes the legend, unless it is empty, and empties it. label is plain text that says which charts it is of. */
void ent_legend_end(ent_legend *legend, ent_text *out, const char *label);
void ent_write_table(ent_text *out, const ent_table *table);
/* <p class="note">, unless note is NULL. */
void ent_write_note(ent_text *out, const char *note);

/* page.css and page.js, 0-terminated: how pages look and how their tables are sorted. Neither holds < or &, so that pages
 * stay well-formed XML.
 *
 * Without the script the tables are tables all the same. A click sorts upwards, the next one downwards, the third restores
 * what was; what is empty comes last. Each group of rows is sorted by itself. */
extern const char ent_page_style[];
extern const char ent_page_script[];

#endif
