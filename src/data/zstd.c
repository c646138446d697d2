/* libzstd by its stable interface: see stream.h. */
#include <pthread.h>
#include <string.h>

#include "base/dynamic.h"
#include "base/memory.h"
#include "data/stream.h"

/* The structs of its interface. */
typedef struct ent_zstd_in {
  const void *bytes;
  size_t size, at;
} ent_zstd_in;

typedef struct ent_zstd_out {
  void *bytes;
  size_t size, at;
} ent_zstd_out;

typedef struct ent_zstd_functions {
  void *(*create)(void);
  size_t (*free)(void *stream);
  size_t (*decompress)(void *stream, ent_zstd_out *to, ent_zstd_in *from);
  unsigned (*is_error)(size_t code);
  const char *(*error_name)(size_t code);
} ent_zstd_functions;

typedef struct ent_zstd {
  void *stream;
  bool open;
  const char *problem;
} ent_zstd;

static ent_zstd_functions functions;
static char library_problem[ENT_DYNAMIC_PROBLEM];
static bool library_there;

static void load_library(void) {
  static const char *const names[] = {"libzstd.so.1", "libzstd.so", NULL};
  static const ent_dynamic_symbol symbols[] = {
      {"ZSTD_createDStream", offsetof(ent_zstd_functions, create), false},
      {"ZSTD_freeDStream", offsetof(ent_zstd_functions, free), false},
      {"ZSTD_decompressStream", offsetof(ent_zstd_functions, decompress), false},
      {"ZSTD_isError", offsetof(ent_zstd_functions, is_error), false},
      {"ZSTD_getErrorName", offsetof(ent_zstd_functions, error_name), false},
  };
  const ent_dynamic_request request = {"ENTROPIC_ZSTD", names, symbols, sizeof symbols / sizeof symbols[0]};
  library_there = ent_dynamic_load(&request, &functions, library_problem);
}

static bool begins(const unsigned char *first) {
  /* A frame of data, or one that is skipped, as some programs put first. */
  return memcmp(first, "\x28\xb5\x2f\xfd", 4) == 0 ||
         ((first[0] & 0xf0) == 0x50 && memcmp(first + 1, "\x2a\x4d\x18", 3) == 0);
}

static ent_codec_fault create(void **decoder) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_library);
  if (!library_there)
    return ENT_CODEC_NO_LIBRARY;
  ent_zstd *made = ent_new(NULL, 1, sizeof *made);
  if (made == NULL)
    return ENT_CODEC_NO_MEMORY;
  made->stream = functions.create();
  if (made->stream == NULL) {
    ent_delete(made);
    return ENT_CODEC_NO_MEMORY;
  }
  *decoder = made;
  return ENT_CODEC_GOOD;
}

static void free_decoder(void *decoder) {
  ent_zstd *zstd = decoder;
  if (zstd == NULL)
    return;
  functions.free(zstd->stream);
  ent_delete(zstd);
}

static ent_codec_fault decompress(void *decoder, const void *from, size_t *used, void *to, size_t *made) {
  ent_zstd *zstd = decoder;
  ent_zstd_in in = {from, *used, 0};
  ent_zstd_out out = {to, *made, 0};
  size_t left = functions.decompress(zstd->stream, &out, &in);
  *used = in.at;
  *made = out.at;
  if (!functions.is_error(left)) {
    zstd->open = left > 0;
    return ENT_CODEC_GOOD;
  }
  zstd->problem = functions.error_name(left);
  return strstr(zstd->problem, "not enough memory") != NULL ? ENT_CODEC_NO_MEMORY : ENT_CODEC_CORRUPT;
}

static bool is_open(const void *decoder) {
  return ((const ent_zstd *)decoder)->open;
}

static const char *problem(const void *decoder) {
  const ent_zstd *zstd = decoder;
  return zstd == NULL ? library_problem : zstd->problem == NULL ? "" : zstd->problem;
}

const ent_codec ent_codec_zstd = {"zstd", 4, begins, create, free_decoder, decompress, is_open, problem};
