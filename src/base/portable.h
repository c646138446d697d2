/* Numbers that are the same on every processor. The C library has several versions of its logarithms and exponentials,
 * with and without fused multiply-add; their last bits differ. */
#ifndef ENT_BASE_PORTABLE_H
#define ENT_BASE_PORTABLE_H

/* The logarithm to base 2 of a finite number above 0, within 2 units in the last place; exact for powers of two. */
double ent_log2(double x);

/* The nearest decimal number of `digits` significant digits, 1 to 15, as a double; halves are rounded away from 0. NaN
 * and infinity stay. For figures that are kept: last bits, which may depend on the processor, do not show. */
double ent_round_digits(double value, int digits);

#endif
