/* Answers in a folder: see transport.h. */
#include "mpi/transport.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/sha256.h"

#define PATH_MOST 4096

/* The name of the file. */
static entropic_status name_file(entropic_context *context, const ent_checkpoint_place *place, const void *question,
                                 size_t size, char path[PATH_MOST]) {
  uint8_t digest[ENT_SHA256_SIZE];
  char hex[2 * ENT_SHA256_SIZE + 1];
  char of[64];
  ent_sha256 hash = ent_sha256_start();
  int length = snprintf(of, sizeof of, "%d/%d %zu ", place->rank, place->size, size);
  ent_sha256_add(&hash, of, (size_t)length);
  ent_sha256_add(&hash, question, size);
  ent_sha256_add(&hash, place->identity, strlen(place->identity));
  ent_sha256_finish(&hash, digest);
  for (size_t i = 0; i < ENT_SHA256_SIZE; i++)
    snprintf(hex + 2 * i, 3, "%02x", digest[i]);
  if (snprintf(path, PATH_MOST, "%s/%.32s.answer", place->folder, hex) >= PATH_MOST)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%.200s...: the name of the folder is too long", place->folder);
  return ENTROPIC_OK;
}

/* Reads a whole file, an answer and the hash behind it. */
static entropic_status read_file(entropic_context *context, FILE *file, unsigned char **bytes, size_t *count,
                                 bool *found) {
  long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  uint8_t digest[ENT_SHA256_SIZE];
  if (size < (long)ENT_SHA256_SIZE || fseek(file, 0, SEEK_SET) != 0)
    return ENTROPIC_OK;
  size_t used = (size_t)size - ENT_SHA256_SIZE;
  unsigned char *read = ent_new_raw(context, (size_t)size, 1, 1);
  if (read == NULL)
    return ENTROPIC_NO_MEMORY;
  bool whole = fread(read, 1, (size_t)size, file) == (size_t)size;
  ent_sha256 hash = ent_sha256_start();
  ent_sha256_add(&hash, read, whole ? used : 0);
  ent_sha256_finish(&hash, digest);
  if (!whole || memcmp(digest, read + used, ENT_SHA256_SIZE) != 0) {
    ent_delete(read);
    return ENTROPIC_OK;
  }
  *bytes = read;
  *count = used;
  *found = true;
  return ENTROPIC_OK;
}

entropic_status ent_checkpoint_find(entropic_context *context, const ent_checkpoint_place *place, const void *question,
                                    size_t size, unsigned char **bytes, size_t *count, bool *found) {
  char path[PATH_MOST];
  *found = false;
  if (place->folder == NULL)
    return ENTROPIC_OK;
  entropic_status status = name_file(context, place, question, size, path);
  if (status != ENTROPIC_OK)
    return status;
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return ENTROPIC_OK;
  status = read_file(context, file, bytes, count, found);
  fclose(file);
  return status;
}

entropic_status ent_checkpoint_keep(entropic_context *context, const ent_checkpoint_place *place, const void *question,
                                    size_t size, const void *bytes, size_t count) {
  char path[PATH_MOST];
  uint8_t digest[ENT_SHA256_SIZE];
  entropic_output *output = NULL;
  if (place->folder == NULL)
    return ENTROPIC_OK;
  entropic_status status = name_file(context, place, question, size, path);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_output_create(context, path, &output);
  if (status != ENTROPIC_OK)
    return status;
  ent_sha256 hash = ent_sha256_start();
  ent_sha256_add(&hash, bytes, count);
  ent_sha256_finish(&hash, digest);
  status = entropic_output_write(context, output, bytes, count);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_output_write(context, output, digest, sizeof digest);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_output_commit(context, output);
done:
  entropic_output_free(output);
  return status;
}
