/* Horizontal bars: a table of names, bars and values, so that long names wrap and all of it can be read aloud. Each bar
 * is a drawing that is stretched to the room there is. */
#include <math.h>

#include "page/parts.h"

/* What all bars span, always with zero; 100 units wide. */
typedef struct bar_scale {
  double low, high;
} bar_scale;

static double place(const bar_scale *scale, double value) {
  return 100 * ((value - scale->low) / (scale->high - scale->low));
}

static bool drawable(double value) {
  return fabs(value) <= ENT_SPAN_LARGEST;
}

static void include_values(bar_scale *scale, const double *values, size_t count) {
  for (size_t i = 0; values != NULL && i < count; i++)
    if (drawable(values[i])) {
      scale->low = fmin(scale->low, values[i]);
      scale->high = fmax(scale->high, values[i]);
    }
}

static void write_attribute(ent_text *out, const char *name, double value) {
  ent_text_format(out, " %s=\"", name);
  ent_text_place(out, value);
  ent_text_add(out, "\"");
}

static void write_bar(ent_text *out, const ent_bars *bars, const bar_scale *scale, size_t i) {
  ent_text_add(out, "<svg viewBox=\"0 0 100 14\" preserveAspectRatio=\"none\" class=\"s s0\" aria-hidden=\"true\">");
  double zero = place(scale, 0);
  if (drawable(bars->values[i])) {
    double end = place(scale, bars->values[i]);
    ent_text_add(out, "<rect y=\"1\" height=\"12\"");
    write_attribute(out, "x", fmin(zero, end));
    write_attribute(out, "width", fabs(end - zero));
    ent_text_add(out, "/>");
  }
  if (bars->low != NULL && bars->high != NULL && drawable(bars->low[i]) && drawable(bars->high[i])) {
    ent_text_add(out, "<line class=\"w\" y1=\"7\" y2=\"7\"");
    write_attribute(out, "x1", place(scale, bars->low[i]));
    write_attribute(out, "x2", place(scale, bars->high[i]));
    ent_text_add(out, "/>");
  }
  ent_text_add(out, "<line class=\"z\" y1=\"0\" y2=\"14\"");
  write_attribute(out, "x1", zero);
  write_attribute(out, "x2", zero);
  ent_text_add(out, "/></svg>");
}

static void write_header(ent_text *out, const ent_bars *bars) {
  ent_text_add(out, "<thead><tr><th scope=\"col\">");
  ent_text_escape(out, bars->name_title);
  ent_text_add(out, "</th><th scope=\"col\" colspan=\"2\">");
  ent_text_escape(out, bars->value_title);
  ent_text_add(out, "</th></tr></thead>\n");
}

void ent_write_bars(ent_text *out, const ent_bars *bars) {
  bar_scale scale = {0, 0};
  char shown[ENT_SHOWN_NUMBER];
  include_values(&scale, bars->values, bars->count);
  include_values(&scale, bars->low, bars->count);
  include_values(&scale, bars->high, bars->count);
  if (scale.low == scale.high)
    scale.high = 1;
  ent_text_add(out, "<table class=\"bars\">\n");
  if (bars->name_title != NULL || bars->value_title != NULL)
    write_header(out, bars);
  ent_text_add(out, "<tbody>\n");
  for (size_t i = 0; i < bars->count; i++) {
    ent_text_add(out, "<tr><th scope=\"row\">");
    ent_text_escape(out, bars->names[i]);
    ent_text_add(out, "</th><td class=\"bar\">");
    write_bar(out, bars, &scale, i);
    ent_text_format(out, "</td><td>%s", ent_show_number(bars->values[i], bars->digits > 0 ? bars->digits : 3, shown));
    ent_text_escape(out, isnan(bars->values[i]) ? NULL : bars->unit);
    ent_text_add(out, "</td></tr>\n");
  }
  ent_text_add(out, bars->count == 0 ? "<tr><td>no data</td></tr>\n" : "");
  ent_text_add(out, "</tbody></table>\n");
  ent_write_note(out, bars->note);
}
