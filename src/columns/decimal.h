/* Decimal numbers: integers of up to 32 bytes in units of a power of ten. */
#ifndef ENT_COLUMNS_DECIMAL_H
#define ENT_COLUMNS_DECIMAL_H

#include <stddef.h>

#define ENT_DECIMAL_WIDTH 32 /* the most bytes */
/* As many zeros may stand before or behind the digits. */
#define ENT_DECIMAL_PLACES 200

/* The number of a decimal, correctly rounded: bytes[width], width 4, 8, 16 or 32, is a two's complement, the lowest
 * byte first, in units of 10^-decimals. */
double ent_decimal_value(const unsigned char *bytes, size_t width, int decimals);
/* Its text, 0-terminated, with `decimals` digits behind the point; returns the length. |decimals| <=
 * ENT_DECIMAL_PLACES. */
#define ENT_DECIMAL_SIZE 320
size_t ent_decimal_text(const unsigned char *bytes, size_t width, int decimals, char text[ENT_DECIMAL_SIZE]);

#endif
