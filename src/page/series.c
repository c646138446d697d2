/* Series of a chart: lines, bands, error bars, markers. Colours come from the class of the group (see style.c), so that
 * they can differ between light and dark. */
#include <math.h>

#include "page/parts.h"

/* From where the pen is; about nine units across. What lies inside an outline twice is a hole. */
static const char *const markers[ENT_SERIES_LOOKS] = {
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",                                                              /* disc */
    "m-3.6-3.6h7.2v7.2h-7.2z",                                                                         /* square */
    "m0-5l4.8 8.2h-9.6z",                                                                              /* triangle */
    "m0-5.2l5.2 5.2-5.2 5.2-5.2-5.2z",                                                                 /* diamond */
    "m0 5l4.8-8.2h-9.6z",                                                                              /* downwards */
    "m-1.6-4.8h3.2v3.2h3.2v3.2h-3.2v3.2h-3.2v-3.2h-3.2v-3.2h3.2z",                                     /* plus */
    "m-3-5.2l3 3 3-3 2.2 2.2-3 3 3 3-2.2 2.2-3-3-3 3-2.2-2.2 3-3-3-3z",                                /* cross */
    "m-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0-9.2 0zm2.3 0a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0-4.6 0z", /* ring */
    "m-4.2-4.2h8.4v8.4h-8.4zm2 2h4.4v4.4h-4.4z",                                                       /* frame */
    "m0-6l1.5 4h4.2l-3.4 2.6 1.2 4.1-3.5-2.4-3.5 2.4 1.2-4.1-3.4-2.6h4.2z",                            /* star */
    "m-5 0l8.2-4.8v9.6z",                                                                              /* leftwards */
    "m5 0l-8.2-4.8v9.6z",                                                                              /* rightwards */
    "m0-6l6 6-6 6-6-6zm0 3l-3 3 3 3 3-3z",      /* open diamond */
    "m0-6.2l5.9 10.1h-11.8zm0 4.2l-2.3 4h4.6z", /* open triangle */
    "m-5.4-1.7h10.8v3.4h-10.8z",                /* bar */
    "m-1.7-5.4h3.4v10.8h-3.4z",                 /* post */
};

bool ent_point_fits(const ent_plot *plot, const ent_series *series, size_t i) {
  return ent_span_fits(&plot->x, series->x[i]) && ent_span_fits(&plot->y, series->y[i]);
}

static void write_point(ent_text *out, char command, double x, double y) {
  ent_text_bytes(out, &command, 1);
  ent_text_place(out, x);
  ent_text_add(out, " ");
  ent_text_place(out, y);
}

size_t ent_series_look(const ent_chart *chart, size_t index) {
  size_t look = chart->series[index].look;
  return (look > 0 ? look - 1 : index) % ENT_SERIES_LOOKS;
}

void ent_write_series_class(ent_text *out, const ent_chart *chart, size_t index) {
  const ent_series *series = &chart->series[index];
  if (series->frontier)
    ent_text_add(out, "class=\"s f\"");
  else
    ent_text_format(out, "class=\"s s%zu%s\"", ent_series_look(chart, index), series->dashed ? " d" : "");
}

void ent_write_marker(ent_text *out, size_t look, double x, double y) {
  ent_text_add(out, "<path class=\"m\" d=\"");
  write_point(out, 'M', x, y);
  ent_text_format(out, "%s\"/>", markers[look % ENT_SERIES_LOOKS]);
}

static void write_line(const ent_plot *plot, const ent_series *series) {
  ent_text *out = plot->out;
  bool drawn = false, pen_down = false, alone = false;
  for (size_t i = 0; i < series->count; i++) {
    if (!ent_point_fits(plot, series, i)) {
      /* A point between two gaps: a line of no length has round ends, and is seen. */
      ent_text_add(out, alone ? "h0" : "");
      pen_down = alone = false;
      continue;
    }
    double x = ent_plot_x(plot, series->x[i]), y = ent_plot_y(plot, series->y[i]);
    ent_text_add(out, drawn ? "" : "<path class=\"l\" d=\"");
    if (pen_down && series->style == ENT_SERIES_STEPS) {
      ent_text_add(out, "H");
      ent_text_place(out, x);
      ent_text_add(out, "V");
      ent_text_place(out, y);
    } else {
      write_point(out, pen_down ? 'L' : 'M', x, y);
    }
    alone = !pen_down;
    drawn = pen_down = true;
  }
  ent_text_add(out, alone ? "h0" : "");
  ent_text_add(out, drawn ? "\"/>" : "");
}

/* An end of an error bar as a place in the drawing; what lies below a logarithmic axis is cut there. NaN for none. */
static double bar_end(const ent_plot *plot, const double *ends, size_t i) {
  if (ends == NULL || isnan(ends[i]))
    return NAN;
  if (ent_span_fits(&plot->y, ends[i]))
    return ent_plot_y(plot, ends[i]);
  return ends[i] > 1 ? plot->top : plot->bottom;
}

static void write_error_bar(const ent_plot *plot, const ent_series *series, size_t i) {
  ent_text *out = plot->out;
  double x = ent_plot_x(plot, series->x[i]), middle = ent_plot_y(plot, series->y[i]);
  double low = bar_end(plot, series->low, i), high = bar_end(plot, series->high, i);
  if (isnan(low) && isnan(high))
    return;
  ent_text_add(out, "<path class=\"e\" d=\"");
  write_point(out, 'M', x, isnan(low) ? middle : low);
  ent_text_add(out, "V");
  ent_text_place(out, isnan(high) ? middle : high);
  if (!isnan(low)) {
    write_point(out, 'M', x - 3, low);
    ent_text_add(out, "h6");
  }
  if (!isnan(high)) {
    write_point(out, 'M', x - 3, high);
    ent_text_add(out, "h6");
  }
  ent_text_add(out, "\"/>");
}

static bool in_band(const ent_plot *plot, const ent_series *series, size_t i) {
  return ent_point_fits(plot, series, i) && !isnan(series->low[i]) && !isnan(series->high[i]);
}

/* One edge of a band, from point `from` to point `to`, in either direction. */
static void write_edge(const ent_plot *plot, const ent_series *series, const double *ends, size_t from, size_t to) {
  bool back = to < from, steps = series->style == ENT_SERIES_STEPS;
  for (size_t i = from;; i += back ? (size_t)-1 : 1) {
    double x = ent_plot_x(plot, series->x[i]), y = bar_end(plot, ends, i);
    if (i != from && steps && !back)
      write_point(plot->out, 'L', x, bar_end(plot, ends, i - 1));
    write_point(plot->out, i == from && !back ? 'M' : 'L', x, y);
    if (i == to)
      return;
    if (steps && back)
      write_point(plot->out, 'L', x, bar_end(plot, ends, i - 1));
  }
}

static void write_band(const ent_plot *plot, const ent_series *series) {
  if (series->low == NULL || series->high == NULL)
    return;
  for (size_t from = 0, to; from < series->count; from = to + 1) {
    to = from;
    if (!in_band(plot, series, from))
      continue;
    while (to + 1 < series->count && in_band(plot, series, to + 1))
      to++;
    if (to == from)
      continue;
    ent_text_add(plot->out, "<path class=\"b\" d=\"");
    write_edge(plot, series, series->high, from, to);
    write_edge(plot, series, series->low, to, from);
    ent_text_add(plot->out, "z\"/>");
  }
}

/* What a pointer resting on the point shows. */
static void write_tip(const ent_plot *plot, const ent_series *series, size_t i) {
  ent_text *out = plot->out;
  char shown[ENT_SHOWN_NUMBER];
  const char *titles[] = {plot->chart->x.title, plot->chart->y.title};
  const double values[] = {series->x[i], series->y[i]};
  const char *label = series->labels == NULL ? NULL : series->labels[i];
  ent_text_add(out, "<title>");
  ent_text_escape(out, series->name);
  ent_text_add(out, series->name != NULL && label != NULL ? "\n" : "");
  ent_text_escape(out, label);
  for (int k = 0; k < 2; k++) {
    ent_text_add(out, k > 0 || series->name != NULL || label != NULL ? "\n" : "");
    ent_text_escape(out, titles[k]);
    ent_text_format(out, "%s%s", titles[k] != NULL ? ": " : "", ent_show_number(values[k], k == 0 ? 0 : 4, shown));
  }
  if (series->low != NULL && series->high != NULL && !isnan(series->low[i]) && !isnan(series->high[i])) {
    ent_text_format(out, " (%s", ent_show_number(series->low[i], 4, shown));
    ent_text_format(out, " to %s)", ent_show_number(series->high[i], 4, shown));
  }
  ent_text_add(out, "</title>");
}

static void write_points(const ent_plot *plot, const ent_series *series, size_t look) {
  ent_text *out = plot->out;
  for (size_t i = 0; i < series->count; i++) {
    if (!ent_point_fits(plot, series, i))
      continue;
    ent_text_add(out, "<g>");
    write_tip(plot, series, i);
    write_error_bar(plot, series, i);
    double x = ent_plot_x(plot, series->x[i]), y = ent_plot_y(plot, series->y[i]);
    ent_write_marker(out, look, x, y);
    /* Something larger than the marker for the pointer to find. */
    ent_text_add(out, "<circle class=\"h\" r=\"9\" cx=\"");
    ent_text_place(out, x);
    ent_text_add(out, "\" cy=\"");
    ent_text_place(out, y);
    ent_text_add(out, "\"/></g>");
  }
}

/* The place of a point of a frontier: nothing yet, or the last one found. */
typedef struct frontier_point {
  double x, y;
} frontier_point;

/* Of the points of one series that are better than `last`: the leftmost, of equal ones the lowest, if it is left of
 * *next or below it. */
static void find_next(const ent_plot *plot, const ent_series *series, frontier_point last, frontier_point *next) {
  for (size_t i = 0; i < series->count; i++) {
    double x = series->x[i], y = series->y[i];
    if (ent_point_fits(plot, series, i) && y < last.y && (x < next->x || (x == next->x && y < next->y)))
      *next = (frontier_point){x, y};
  }
}

static void write_frontier(const ent_plot *plot, const ent_series *frontier) {
  ent_text *out = plot->out;
  const ent_chart *chart = plot->chart;
  frontier_point last = {-INFINITY, INFINITY};
  for (bool drawn = false;; drawn = true) {
    frontier_point next = {INFINITY, INFINITY};
    for (size_t s = 0; s < chart->series_count; s++)
      if (frontier->count == 0 ? !chart->series[s].frontier : &chart->series[s] == frontier)
        find_next(plot, &chart->series[s], last, &next);
    if (next.x == INFINITY) {
      if (drawn) {
        ent_text_add(out, "H");
        ent_text_place(out, plot->right);
        ent_text_add(out, "\"/>");
      }
      return;
    }
    double x = ent_plot_x(plot, next.x), y = ent_plot_y(plot, next.y);
    if (drawn) {
      ent_text_add(out, "H");
      ent_text_place(out, x);
      ent_text_add(out, "V");
      ent_text_place(out, y);
    } else {
      ent_text_add(out, "<path class=\"l\" d=\"");
      write_point(out, 'M', x, y);
    }
    last = next;
  }
}

void ent_write_series(const ent_plot *plot, size_t index) {
  const ent_series *series = &plot->chart->series[index];
  bool curve = series->style == ENT_SERIES_CURVE || series->style == ENT_SERIES_STEPS;
  ent_text_add(plot->out, "<g ");
  ent_write_series_class(plot->out, plot->chart, index);
  ent_text_add(plot->out, ">");
  if (series->frontier) {
    write_frontier(plot, series);
  } else {
    if (curve)
      write_band(plot, series);
    if (series->style != ENT_SERIES_DOTS)
      write_line(plot, series);
    if (!curve)
      write_points(plot, series, ent_series_look(plot->chart, index));
  }
  ent_text_add(plot->out, "</g>\n");
}
