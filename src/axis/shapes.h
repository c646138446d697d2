/* The atoms that several families share. Each call appends levels to the axis. */
#ifndef ENT_AXIS_SHAPES_H
#define ENT_AXIS_SHAPES_H

#include "axis/axis.h"

/* The constant 1. */
void ent_append_constant(ent_axis *axis);
/* sqrt(w) (x - centre), with its two scores. */
void ent_append_line(ent_axis *axis, double centre, double sup, double l2);
/* Legendre polynomials of degree 2 .. options.smooth. */
void ent_append_legendre(ent_axis *axis);
/* Piecewise linear hats of level 1 .. options.max_level with c = variance h / 2. */
void ent_append_hats(ent_axis *axis, double variance);
/* The atom sqrt(w) where x is missing, NaN; the levels there are already, all but the constant, become 0 there. */
void ent_append_missing(ent_axis *axis);
/* A level of a custom kernel whose values are at most `most`; nothing is known of how small they can be. */
void ent_append_custom(ent_axis *axis, ent_level level, double most);
/* `sum` and what the smooth atoms add to the kernel. */
double ent_smooth_kernel(const ent_axis *axis, double sum, double x, double y);
/* min(x,y) - xy for x <= y: what the piecewise linear hats of variance 1 add up to. */
double ent_bridge_kernel(double x, double y);

/* scale (exp(-wx) + exp(-w(1-x))) and scale (exp(-w(1-x)) - exp(-wx)). */
void ent_append_even(ent_axis *axis, double scale, double sup, double l2);
void ent_append_odd(ent_axis *axis, double scale, double sup, double l2);
/* Hats sinh(wt)/sinh(wh) with c = factor tanh(wh). */
void ent_append_hyperbolic_hats(ent_axis *axis, double factor);
/* sinh(wx) sinh(w(1-y)) / sinh(w) for x <= y, without overflow. */
double ent_hyperbolic_bridge(double omega, double x, double y);
/* `scale` times that as a formula. */
ent_formula ent_hyperbolic_bridge_formula(double omega, double scale);
/* 1 - x/sinh(x) for x >= 0 to full relative precision. */
double ent_one_minus_x_over_sinh(double x);

#endif
