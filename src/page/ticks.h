/* Axes of charts: which values they span, and where ticks stand. */
#ifndef ENT_PAGE_TICKS_H
#define ENT_PAGE_TICKS_H

#include <stdbool.h>
#include <stddef.h>

/* Values beyond are not drawn: sums of two of them must not overflow. */
#define ENT_SPAN_LARGEST 1e300

/* What an axis spans: started, values added, then finished. */
typedef struct ent_report_span {
  bool logarithmic;
  double low, high; /* low > high: nothing yet */
} ent_report_span;

void ent_span_start(ent_report_span *span, bool logarithmic);
/* Can an axis of this kind show the value? */
bool ent_span_fits(const ent_report_span *span, double value);
/* Values that do not fit are left out. */
void ent_span_add(ent_report_span *span, double value);
/* Leaves some room at both ends, and makes a span of nothing and of one value, too. */
void ent_span_finish(ent_report_span *span, bool zero);
/* From 0 at low to 1 at high. */
double ent_span_place(const ent_report_span *span, double value);

#define ENT_TICKS_MOST 24
#define ENT_TICKS_MINOR 100

typedef struct ent_tick {
  double at;
  char label[32]; /* after ^ stands an exponent, to be raised */
  bool labelled;  /* is there room for the label? */
  int steps;      /* how many steps from zero, or decades from one */
  int rank;       /* on logarithmic axes: 0 for powers of ten, more for what lies between */
} ent_tick;

typedef struct ent_ticks {
  size_t count; /* 3 .. ENT_TICKS_MOST, of a finished span; three at least have labels */
  ent_tick tick[ENT_TICKS_MOST];
  size_t minors; /* on logarithmic axes */
  double minor[ENT_TICKS_MINOR];
} ent_ticks;

/* Round numbers within the span, ascending. */
void ent_ticks_make(const ent_report_span *span, ent_ticks *ticks);
/* About how wide a label is, in units of the size of its font. */
double ent_label_width(const char *label);
/* Takes labels away until no two touch on an axis of that length, but leaves three where these have room; upright: on a
 * vertical axis. */
void ent_ticks_thin(const ent_report_span *span, ent_ticks *ticks, double length, double font, bool upright);

#endif
