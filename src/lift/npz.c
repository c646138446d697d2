/* Compressed sparse rows as scipy.sparse.save_npz writes them: a ZIP archive of five arrays in NumPy's format, stored
 * without compression. No times are kept, so equal rows give equal bytes. */
#include "lift/npz.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"

_Static_assert(sizeof(size_t) == sizeof(int64_t), "starts are written as they are, as 64-bit integers");

#define ENT_WIDE UINT32_C(0xffffffff) /* in a 32-bit field: look at the 64-bit one */

/* One array of the archive. */
typedef struct ent_npz_member {
  const char *name;
  const char *type;  /* NumPy's name of the element type */
  char shape[48];    /* as a Python tuple */
  const void *bytes; /* the elements */
  size_t count;      /* of bytes */
  char header[ENT_NPY_HEADER];
  uint32_t crc;
  uint64_t size, offset; /* in the archive: header and elements; where its entry starts */
} ent_npz_member;

/* A few numbers of a ZIP record, least byte first whatever the machine. */
typedef struct ent_record {
  unsigned char bytes[128];
  size_t used;
} ent_record;

static void put(ent_record *record, int size, uint64_t value) {
  for (int i = 0; i < size; i++)
    record->bytes[record->used++] = (unsigned char)(value >> (8 * i));
}

void ent_npy_header(char *text, const char *type, const char *shape) {
  memset(text, ' ', ENT_NPY_HEADER);
  memcpy(text, "\x93NUMPY\x01\x00", 8);
  text[8] = (char)(ENT_NPY_HEADER - 10);
  text[9] = 0;
  int length =
      snprintf(text + 10, ENT_NPY_HEADER - 10, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
  text[10 + length] = ' '; /* where snprintf put its 0 */
  text[ENT_NPY_HEADER - 1] = '\n';
}

static void describe(ent_npz_member *member) {
  ent_npy_header(member->header, member->type, member->shape);
  member->size = sizeof member->header + member->count;
  member->crc = (uint32_t)crc32_z(0, (const unsigned char *)member->header, sizeof member->header);
  member->crc = (uint32_t)crc32_z(member->crc, member->bytes, member->count);
}

/* What the entry before the data and the one in the directory have in common. */
static void put_entry(ent_record *record, const ent_npz_member *member, bool wide_size, size_t extra) {
  put(record, 2, 0);          /* flags */
  put(record, 2, 0);          /* stored */
  put(record, 2, 0);          /* time */
  put(record, 2, 1 << 5 | 1); /* date: 1 January 1980, ZIP's first day */
  put(record, 4, member->crc);
  put(record, 4, wide_size ? ENT_WIDE : member->size); /* compressed */
  put(record, 4, wide_size ? ENT_WIDE : member->size); /* as it is */
  put(record, 2, strlen(member->name));
  put(record, 2, extra);
}

static entropic_status write_member(entropic_context *context, entropic_output *output, ent_npz_member *member,
                                    uint64_t wide, uint64_t *offset) {
  bool wide_size = member->size >= wide;
  ent_record record = {.used = 0};
  put(&record, 4, 0x04034b50);
  put(&record, 2, wide_size ? 45 : 20); /* the version of ZIP needed */
  put_entry(&record, member, wide_size, wide_size ? 20 : 0);
  memcpy(record.bytes + record.used, member->name, strlen(member->name));
  record.used += strlen(member->name);
  if (wide_size) {
    put(&record, 2, 1);
    put(&record, 2, 16);
    put(&record, 8, member->size);
    put(&record, 8, member->size);
  }
  member->offset = *offset;
  *offset += record.used + member->size;
  entropic_status status = entropic_output_write(context, output, record.bytes, record.used);
  if (status != ENTROPIC_OK)
    return status;
  status = entropic_output_write(context, output, member->header, sizeof member->header);
  if (status != ENTROPIC_OK)
    return status;
  return entropic_output_write(context, output, member->bytes, member->count);
}

static entropic_status write_directory_entry(entropic_context *context, entropic_output *output,
                                             const ent_npz_member *member, uint64_t wide, uint64_t *offset) {
  bool wide_size = member->size >= wide, wide_offset = member->offset >= wide;
  size_t extra = (wide_size ? 16u : 0u) + (wide_offset ? 8u : 0u);
  ent_record record = {.used = 0};
  put(&record, 4, 0x02014b50);
  put(&record, 2, extra > 0 ? 45 : 20); /* made by */
  put(&record, 2, extra > 0 ? 45 : 20); /* needed */
  put_entry(&record, member, wide_size, extra > 0 ? extra + 4 : 0);
  put(&record, 2, 0); /* comment */
  put(&record, 2, 0); /* disk */
  put(&record, 2, 0); /* internal attributes */
  put(&record, 4, 0); /* external attributes */
  put(&record, 4, wide_offset ? ENT_WIDE : member->offset);
  memcpy(record.bytes + record.used, member->name, strlen(member->name));
  record.used += strlen(member->name);
  if (extra > 0) {
    put(&record, 2, 1);
    put(&record, 2, extra);
  }
  if (wide_size) {
    put(&record, 8, member->size);
    put(&record, 8, member->size);
  }
  if (wide_offset)
    put(&record, 8, member->offset);
  *offset += record.used;
  return entropic_output_write(context, output, record.bytes, record.used);
}

/* The end of the archive: how many members there are, and where the directory is. */
static entropic_status write_end(entropic_context *context, entropic_output *output, size_t members, uint64_t directory,
                                 uint64_t end, uint64_t wide) {
  ent_record record = {.used = 0};
  bool wide_offset = directory >= wide;
  if (wide_offset) {
    put(&record, 4, 0x06064b50);
    put(&record, 8, 44); /* bytes of this record that follow */
    put(&record, 2, 45);
    put(&record, 2, 45);
    put(&record, 4, 0);
    put(&record, 4, 0);
    put(&record, 8, members);
    put(&record, 8, members);
    put(&record, 8, end - directory);
    put(&record, 8, directory);
    put(&record, 4, 0x07064b50);
    put(&record, 4, 0);
    put(&record, 8, end);
    put(&record, 4, 1);
  }
  put(&record, 4, 0x06054b50);
  put(&record, 2, 0);
  put(&record, 2, 0);
  put(&record, 2, members);
  put(&record, 2, members);
  put(&record, 4, end - directory);
  put(&record, 4, wide_offset ? ENT_WIDE : directory);
  put(&record, 2, 0);
  return entropic_output_write(context, output, record.bytes, record.used);
}

entropic_status ent_save_npz(entropic_context *context, const entropic_csr *csr, const char *path, uint64_t wide) {
  size_t entries = csr->starts[csr->rows];
  int64_t shape[2] = {(int64_t)csr->rows, (int64_t)csr->columns};
  ent_npz_member members[] = {
      {.name = "indices.npy", .type = ENT_NPY_ORDER "i4", .bytes = csr->indices, .count = entries * sizeof(int32_t)},
      {.name = "indptr.npy",
       .type = ENT_NPY_ORDER "i8",
       .bytes = csr->starts,
       .count = (csr->rows + 1) * sizeof(int64_t)},
      {.name = "format.npy", .type = "|S3", .shape = "()", .bytes = "csr", .count = 3},
      {.name = "shape.npy", .type = ENT_NPY_ORDER "i8", .shape = "(2,)", .bytes = shape, .count = sizeof shape},
      {.name = "data.npy", .type = ENT_NPY_ORDER "f8", .bytes = csr->values, .count = entries * sizeof(double)},
  };
  const size_t count = sizeof members / sizeof members[0];
  snprintf(members[0].shape, sizeof members[0].shape, "(%zu,)", entries);
  snprintf(members[1].shape, sizeof members[1].shape, "(%zu,)", csr->rows + 1);
  snprintf(members[4].shape, sizeof members[4].shape, "(%zu,)", entries);

  entropic_output *output = NULL;
  entropic_status status = entropic_output_create(context, path, &output);
  if (status != ENTROPIC_OK)
    return status;
  uint64_t offset = 0;
  for (size_t i = 0; i < count; i++) {
    describe(&members[i]);
    status = write_member(context, output, &members[i], wide, &offset);
    if (status != ENTROPIC_OK)
      goto done;
  }
  uint64_t directory = offset;
  for (size_t i = 0; i < count; i++) {
    status = write_directory_entry(context, output, &members[i], wide, &offset);
    if (status != ENTROPIC_OK)
      goto done;
  }
  status = write_end(context, output, count, directory, offset, wide);
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_output_commit(context, output);
done:
  entropic_output_free(output);
  return status;
}

entropic_status entropic_csr_save_npz(entropic_context *context, const entropic_csr *csr, const char *path) {
  if (csr == NULL || path == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", csr == NULL ? "csr" : "path");
  return ent_save_npz(context, csr, path, ENT_WIDE);
}

void entropic_csr_free(entropic_csr *csr) {
  if (csr == NULL)
    return;
  ent_delete(csr->starts);
  ent_delete(csr->indices);
  ent_delete(csr->values);
  ent_delete(csr);
}
