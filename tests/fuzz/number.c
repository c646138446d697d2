/* Any text as a number, compared with the C library's parser; any double as text and back. */
#define _GNU_SOURCE
#include "memory_file.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static bool same(double a, double b) {
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void there_and_back(double value) {
  char text[ENTROPIC_NUMBER_SIZE], shorter[64];
  double again = 0;
  size_t length = entropic_format_double(value, text);
  DEMAND(length < ENTROPIC_NUMBER_SIZE && strlen(text) == length);
  DEMAND(entropic_parse_double(text, length, &again) == ENTROPIC_OK && same(value, again));
  DEMAND(same(strtod(text, NULL), value));
  size_t digits = 0;
  for (const char *c = text; *c != '\0' && *c != 'e'; c++)
    digits += (*c >= '1' && *c <= '9') || (*c == '0' && digits > 0);
  for (size_t tail = strcspn(text, "e"); tail > 0 && (text[tail - 1] == '0' || text[tail - 1] == '.'); tail--)
    digits -= text[tail - 1] == '0' && digits > 0;
  if (!isfinite(value) || digits < 2)
    return;
  snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 2, value); /* one digit less is another number */
  DEMAND(!same(strtod(shorter, NULL), value));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  char *text = malloc(count + 1); /* the text has no terminating 0 */
  DEMAND(text != NULL);
  memcpy(text, bytes, count);
  text[count] = '\0';
  double value = 12345;
  entropic_status status = entropic_parse_double((const char *)bytes, count, &value);
  DEMAND(status == ENTROPIC_OK || status == ENTROPIC_BAD_DATA || status == ENTROPIC_TOO_LARGE);
  if (status != ENTROPIC_OK)
    DEMAND(value == 12345);
  char *end = text;
  if (status != ENTROPIC_BAD_DATA) {
    double expected = strtod(text, &end);
    DEMAND(end == text + count);
    DEMAND(status == ENTROPIC_OK ? same(value, expected) : isinf(expected));
  }
  if (status == ENTROPIC_OK)
    there_and_back(value);
  if (count >= sizeof value) {
    memcpy(&value, bytes, sizeof value);
    there_and_back(value);
  }
  free(text);
  return 0;
}
