/* Any bytes as a file of statistics: they are refused with a message, or have a receipt, are the same after saving and
 * loading, are the same after merging and subtracting themselves, and can be solved or are refused. The bytes are loaded
 * twice: as they are, and with length and checksum corrected. */
#define _GNU_SOURCE
#include "memory_file.h"

#include <string.h>
#include <zlib.h>

#include "inside.h"

enum { MOST_FEATURES = 300 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void receipt_of(entropic_context *context, const entropic_statistics *statistics, char *receipt) {
  DEMAND(entropic_statistics_receipt(context, statistics, receipt) == ENTROPIC_OK);
}

static void use(entropic_context *context, entropic_statistics *statistics) {
  char before[ENTROPIC_RECEIPT_SIZE], after[ENTROPIC_RECEIPT_SIZE];
  entropic_statistics_info info;
  entropic_statistics *again = NULL;
  entropic_model *model = NULL;
  unsigned char *bytes = NULL;
  size_t count = 0;
  DEMAND(entropic_statistics_describe(context, statistics, &info, sizeof info) == ENTROPIC_OK);
  receipt_of(context, statistics, before);
  DEMAND(entropic_statistics_save_memory(context, statistics, &bytes, &count) == ENTROPIC_OK);
  DEMAND(entropic_statistics_load_memory(context, bytes, count, &again) == ENTROPIC_OK);
  entropic_bytes_free(bytes);
  receipt_of(context, again, after);
  DEMAND(strcmp(before, after) == 0);
  entropic_status merged = entropic_statistics_merge(context, statistics, again);
  DEMAND(merged == ENTROPIC_OK || merged == ENTROPIC_TOO_LARGE);
  if (merged == ENTROPIC_OK && info.rows > 0)
    DEMAND(entropic_statistics_subtract(context, statistics, again) == ENTROPIC_OK);
  if (info.features <= MOST_FEATURES) {
    entropic_status solved = entropic_statistics_solve(context, statistics, NULL, &model);
    DEMAND(solved == ENTROPIC_OK || solved == ENTROPIC_BAD_DATA);
  }
  entropic_model_free(model);
  entropic_statistics_free(again);
}

static void try_bytes(const uint8_t *bytes, size_t count) {
  entropic_context *context = NULL;
  entropic_statistics *statistics = NULL;
  DEMAND(entropic_context_create(&context) == ENTROPIC_OK);
  DEMAND(entropic_context_set_threads(context, 1) == ENTROPIC_OK);
  entropic_status status = entropic_statistics_load_memory(context, bytes, count, &statistics);
  if (status == ENTROPIC_OK)
    use(context, statistics);
  else
    DEMAND(statistics == NULL && status == ENTROPIC_BAD_DATA && entropic_context_message(context)[0] != '\0');
  entropic_statistics_free(statistics);
  entropic_context_free(context);
}

static void put(uint8_t *at, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++)
    at[i] = (uint8_t)(value >> 8 * i);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  if (count == 0)
    return 0;
  try_bytes(bytes, count);
  if (count < 24)
    return 0;
  uint8_t *fixed = malloc(count);
  DEMAND(fixed != NULL);
  memcpy(fixed, bytes, count);
  put(fixed + 12, count, 8);
  put(fixed + count - 4, crc32_z(0, fixed, count - 4), 4);
  try_bytes(fixed, count);
  free(fixed);
  return 0;
}
