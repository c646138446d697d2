/* Charts: axes, legend and notes; series.c draws the data. Titles, legend and notes are HTML, which wraps by itself; in
 * the drawing stand only the labels of ticks. */
#define _GNU_SOURCE /* memmem */
#include <math.h>
#include <string.h>

#include "page/parts.h"

#define LEGEND_MANY 7 /* entries from which on they stand in columns */

/* Points that are not drawn although they are numbers. */
typedef struct left_out {
  size_t below; /* not above zero on a logarithmic axis */
  size_t large; /* infinite or nearly */
  size_t cut;   /* error bars that reach below a logarithmic axis */
} left_out;

static void count_left_out(const ent_plot *plot, const ent_series *series, size_t i, left_out *out) {
  double x = series->x[i], y = series->y[i];
  if (isnan(x) || isnan(y))
    return;
  if (!ent_point_fits(plot, series, i)) {
    bool below = (plot->x.logarithmic && x <= 0) || (plot->y.logarithmic && y <= 0);
    out->below += below;
    out->large += !below;
  } else if (series->low != NULL && plot->y.logarithmic && series->low[i] <= 0) {
    out->cut++;
  }
}

/* What the axes have to span: all points that are drawn, and their error bars. */
static left_out measure(ent_plot *plot) {
  const ent_chart *chart = plot->chart;
  left_out out = {0};
  ent_span_start(&plot->x, chart->x.logarithmic);
  ent_span_start(&plot->y, chart->y.logarithmic);
  for (size_t s = 0; s < chart->series_count; s++) {
    const ent_series *series = &chart->series[s];
    for (size_t i = 0; i < series->count; i++) {
      if (!series->frontier) /* whose points are those of others */
        count_left_out(plot, series, i, &out);
      if (!ent_point_fits(plot, series, i))
        continue;
      ent_span_add(&plot->x, series->x[i]);
      ent_span_add(&plot->y, series->y[i]);
      if (series->low != NULL)
        ent_span_add(&plot->y, series->low[i]);
      if (series->high != NULL)
        ent_span_add(&plot->y, series->high[i]);
    }
  }
  return out;
}

/* Room for labels, then which of them there is room for. */
static void lay_out(ent_plot *plot, double width, double height, double font) {
  plot->width = width;
  plot->height = height;
  plot->font = font;
  ent_ticks_make(&plot->x, &plot->x_ticks);
  ent_ticks_make(&plot->y, &plot->y_ticks);
  double label = 0;
  for (size_t i = 0; i < plot->y_ticks.count; i++)
    label = fmax(label, ent_label_width(plot->y_ticks.tick[i].label));
  double first = ent_label_width(plot->x_ticks.tick[0].label) / 2;
  double last = ent_label_width(plot->x_ticks.tick[plot->x_ticks.count - 1].label) / 2;
  plot->left = fmax(label * font + 12, first * font + 2);
  plot->right = width - fmax(last * font + 2, 10);
  plot->top = 10;
  plot->bottom = height - 2.1 * font;
  ent_ticks_thin(&plot->x, &plot->x_ticks, plot->right - plot->left, font, false);
  ent_ticks_thin(&plot->y, &plot->y_ticks, plot->bottom - plot->top, font, true);
}

static void write_rule(ent_text *out, const char *class, double x, double y, char direction, double to) {
  ent_text_format(out, "<path class=\"%s\" d=\"M", class);
  ent_text_place(out, x);
  ent_text_add(out, " ");
  ent_text_place(out, y);
  ent_text_bytes(out, &direction, 1);
  ent_text_place(out, to);
  ent_text_add(out, "\"/>");
}

static void write_label(ent_text *out, const char *label, double x, double y) {
  const char *raised = strchr(label, '^');
  ent_text_add(out, "<text x=\"");
  ent_text_place(out, x);
  ent_text_add(out, "\" y=\"");
  ent_text_place(out, y);
  ent_text_add(out, "\">");
  ent_text_escape_bytes(out, label, raised == NULL ? strlen(label) : (size_t)(raised - label));
  if (raised != NULL) {
    ent_text_add(out, "<tspan class=\"p\" dy=\"-.45em\">");
    ent_text_escape(out, raised + 1);
    ent_text_add(out, "</tspan>");
  }
  ent_text_add(out, "</text>");
}

static void write_axes(const ent_plot *plot) {
  ent_text *out = plot->out;
  ent_text_add(out, "<g class=\"y\">");
  for (size_t i = 0; i < plot->y_ticks.minors; i++)
    write_rule(out, "k", plot->left - 3, ent_plot_y(plot, plot->y_ticks.minor[i]), 'H', plot->left);
  for (size_t i = 0; i < plot->y_ticks.count; i++) {
    const ent_tick *tick = &plot->y_ticks.tick[i];
    double y = ent_plot_y(plot, tick->at);
    if (tick->labelled || !plot->y.logarithmic) /* else it has a minor tick */
      write_rule(out, "g", plot->left, y, 'H', plot->right);
    if (tick->labelled)
      write_label(out, tick->label, plot->left - 8, y + 0.35 * plot->font);
  }
  ent_text_add(out, "</g>\n<g class=\"x\">");
  write_rule(out, "a", plot->left, plot->bottom, 'H', plot->right);
  for (size_t i = 0; i < plot->x_ticks.minors; i++)
    write_rule(out, "k", ent_plot_x(plot, plot->x_ticks.minor[i]), plot->bottom, 'V', plot->bottom + 3);
  for (size_t i = 0; i < plot->x_ticks.count; i++) {
    const ent_tick *tick = &plot->x_ticks.tick[i];
    double x = ent_plot_x(plot, tick->at);
    if (tick->labelled || !plot->x.logarithmic)
      write_rule(out, "a", x, plot->bottom, 'V', plot->bottom + 5);
    if (tick->labelled)
      write_label(out, tick->label, x, plot->bottom + 1.6 * plot->font);
  }
  ent_text_add(out, "</g>\n");
}

/* The point of least y that is drawn; series->count if there is none. */
static size_t lowest_point(const ent_plot *plot, const ent_series *series) {
  size_t lowest = series->count;
  for (size_t i = 0; i < series->count; i++)
    if (ent_point_fits(plot, series, i) && (lowest == series->count || series->y[i] < series->y[lowest]))
      lowest = i;
  return lowest;
}

/* What the drawing shows, for those who do not see it: its title, what is drawn against what, and where each series is
 * lowest. */
static void write_alternative(const ent_plot *plot) {
  ent_text *out = plot->out;
  const ent_chart *chart = plot->chart;
  char x[ENT_SHOWN_NUMBER], y[ENT_SHOWN_NUMBER];
  ent_text_escape(out, chart->title == NULL ? "Chart" : chart->title);
  if (chart->x.title != NULL && chart->y.title != NULL) {
    ent_text_add(out, ". ");
    ent_text_escape(out, chart->y.title);
    ent_text_add(out, " against ");
    ent_text_escape(out, chart->x.title);
  }
  for (size_t s = 0; s < chart->series_count; s++) {
    const ent_series *series = &chart->series[s];
    size_t lowest = lowest_point(plot, series);
    if (series->name == NULL || lowest == series->count)
      continue;
    ent_text_add(out, "; ");
    ent_text_escape(out, series->name);
    ent_text_format(out, ": lowest %s at ", ent_show_number(series->y[lowest], 3, y));
    ent_text_add(out, ent_show_number(series->x[lowest], 3, x));
  }
  ent_text_add(out, ".");
}

static void write_drawing(ent_plot *plot, const char *class, double width, double height, double font, bool empty) {
  ent_text *out = plot->out;
  const ent_chart *chart = plot->chart;
  lay_out(plot, width, height, font);
  ent_text_format(out, "<svg class=\"%s\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", class, (int)width,
                  (int)height);
  write_alternative(plot);
  ent_text_add(out, "\">\n");
  write_axes(plot);
  for (size_t s = 0; s < chart->series_count; s++)
    if (chart->series[s].frontier)
      ent_write_series(plot, s);
  for (size_t s = 0; s < chart->series_count; s++)
    if (!chart->series[s].frontier)
      ent_write_series(plot, s);
  if (empty) {
    ent_text_add(out, "<g class=\"x\">");
    write_label(out, "no data", (plot->left + plot->right) / 2, (plot->top + plot->bottom) / 2);
    ent_text_add(out, "</g>\n");
  }
  ent_text_add(out, "</svg>\n");
}

/* A line of the legend: a piece of the series, and its name. */
static void write_entry(ent_text *out, const ent_chart *chart, size_t index) {
  const ent_series *series = &chart->series[index];
  bool marked = series->style == ENT_SERIES_MARKED || series->style == ENT_SERIES_DOTS;
  ent_text_add(out, "<li><svg ");
  ent_write_series_class(out, chart, index);
  ent_text_add(out, " viewBox=\"0 0 30 12\" aria-hidden=\"true\">");
  if (series->frontier || series->style != ENT_SERIES_DOTS)
    ent_text_add(out, "<path class=\"l\" d=\"M1 6H29\"/>");
  if (marked && !series->frontier)
    ent_write_marker(out, ent_series_look(chart, index), 15, 6);
  ent_text_add(out, "</svg><span>");
  ent_text_escape(out, series->name);
  ent_text_add(out, "</span></li>\n");
}

static void start_legend(ent_text *out, size_t count, const char *label) {
  ent_text_format(out, "<ul class=\"legend%s\"", count >= LEGEND_MANY ? " many" : "");
  if (label != NULL)
    ent_text_format(out, " aria-label=\"%s\"", label);
  ent_text_add(out, ">\n");
}

static void write_legend(ent_text *out, const ent_chart *chart) {
  size_t named = 0;
  for (size_t s = 0; s < chart->series_count; s++)
    named += chart->series[s].name != NULL;
  if (named == 0)
    return;
  start_legend(out, named, NULL);
  for (size_t s = 0; s < chart->series_count; s++)
    if (chart->series[s].name != NULL)
      write_entry(out, chart, s);
  ent_text_add(out, "</ul>\n");
}

void ent_legend_add(ent_legend *legend, const ent_chart *chart) {
  ent_text *entries = &legend->entries;
  for (size_t s = 0; s < chart->series_count; s++) {
    size_t before = entries->length;
    if (chart->series[s].name == NULL)
      continue;
    write_entry(entries, chart, s);
    if (entries->status != ENTROPIC_OK)
      return;
    if (before > 0 && memmem(entries->bytes, before, entries->bytes + before, entries->length - before) != NULL)
      entries->bytes[entries->length = before] = '\0';
    else
      legend->count++;
  }
}

void ent_legend_end(ent_legend *legend, ent_text *out, const char *label) {
  if (out->status == ENTROPIC_OK)
    out->status = legend->entries.status;
  if (legend->count > 0) {
    start_legend(out, legend->count, label);
    ent_text_bytes(out, legend->entries.bytes, legend->entries.length);
    ent_text_add(out, "</ul>\n");
  }
  ent_text_free(&legend->entries);
  legend->count = 0;
}

void ent_write_note(ent_text *out, const char *note) {
  if (note == NULL)
    return;
  ent_text_add(out, "<p class=\"note\">");
  ent_text_prose(out, note);
  ent_text_add(out, "</p>\n");
}

static void write_axis_title(ent_text *out, const char *class, const char *title) {
  if (title == NULL)
    return;
  ent_text_format(out, "<p class=\"%s\" aria-hidden=\"true\">", class);
  ent_text_escape(out, title);
  ent_text_add(out, "</p>\n");
}

/* "<count> point" or "<count> points", and the rest. */
static void write_count(ent_text *out, size_t count, const char *what, const char *one, const char *many) {
  if (count > 0)
    ent_text_format(out, "<p class=\"note\">%zu %s%s %s</p>\n", count, what, count == 1 ? "" : "s",
                    count == 1 ? one : many);
}

void ent_write_chart(ent_text *out, const ent_chart *chart, bool in_panels) {
  ent_plot plot = {.out = out, .chart = chart};
  left_out missing = measure(&plot);
  bool empty = !(plot.x.low <= plot.x.high);
  ent_span_finish(&plot.x, chart->x.zero);
  ent_span_finish(&plot.y, chart->y.zero);
  write_axis_title(out, "yt", chart->y.title);
  if (!in_panels)
    write_drawing(&plot, "plot wide", 720, 380, 13, empty);
  write_drawing(&plot, in_panels ? "plot" : "plot narrow", 360, 260, 12, empty);
  write_axis_title(out, "xt", chart->x.title);
  if (!(in_panels && chart->shared_legend))
    write_legend(out, chart);
  write_count(out, missing.below, "point", "is not above zero and has no place on a logarithmic axis.",
              "are not above zero and have no place on a logarithmic axis.");
  write_count(out, missing.large, "point", "is too large or too close to zero to be drawn.",
              "are too large or too close to zero to be drawn.");
  write_count(out, missing.cut, "error bar", "reaches zero or below and is cut off at the logarithmic axis.",
              "reach zero or below and are cut off at the logarithmic axis.");
  ent_write_note(out, chart->note);
}
