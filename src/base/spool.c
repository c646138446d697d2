/* Spools: see spool.h. */
#define _GNU_SOURCE
#include "base/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/residency.h"
#include "base/text.h"

struct ent_spool {
  char *directory;
  int descriptor;
  uint64_t size, expected;
  int error;     /* of the first write that failed: all others fail, too, as bytes are missing then */
  uint64_t most; /* a limit of the process on the size of files: a write beyond it would end the process by a signal */
  ent_mapping mapping;
  bool mapped;
};

const char *ent_size_text(uint64_t bytes, char text[ENT_SIZE_TEXT]) {
  static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  double value = (double)bytes;
  size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < sizeof units / sizeof *units; unit++)
    value /= 1000;
  int digits = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  snprintf(text, ENT_SIZE_TEXT, "%.*f %s", digits, value, bytes == 1 ? "byte" : units[unit]);
  return text;
}

/* A file without a name, where the file system has such; otherwise one whose name is removed at once. Returns an errno. */
static int open_unnamed(ent_spool *spool) {
#ifdef O_TMPFILE
  spool->descriptor = open(spool->directory, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
  if (spool->descriptor >= 0)
    return 0;
#endif
  char name[PATH_MAX];
  if (snprintf(name, sizeof name, "%s/.entropic-spool-XXXXXX", spool->directory) >= PATH_MAX)
    return ENAMETOOLONG;
  spool->descriptor = mkostemp(name, O_CLOEXEC);
  if (spool->descriptor < 0)
    return errno;
  return unlink(name) == 0 ? 0 : errno;
}

static const char *usual_directory(void) {
  const char *given = getenv("TMPDIR");
  return given == NULL || *given == '\0' ? "/tmp" : given;
}

entropic_status ent_spool_create(entropic_context *context, const ent_spool_options *options, ent_spool **spool) {
  const char *directory = options->directory == NULL ? usual_directory() : options->directory;
  ent_spool *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ENTROPIC_NO_MEMORY;
  char text[ENT_SHOW_SIZE];
  struct rlimit limit;
  made->descriptor = -1;
  made->mapping.bound = options->memory;
  made->most = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : UINT64_MAX;
  made->directory = ent_new_text(context, directory, strlen(directory));
  if (made->directory == NULL)
    goto fail;
  int error = open_unnamed(made);
  if (error != 0) {
    status = ent_fail(context, ENTROPIC_SYSTEM, "cannot create a spool file in '%s': %s", directory,
                      ent_error_text(error, text));
    goto fail;
  }
  *spool = made;
  return ENTROPIC_OK;
fail:
  ent_spool_free(made);
  return status;
}

static void unmap(ent_spool *spool) {
  if (!spool->mapped)
    return;
  ent_residency_remove(&spool->mapping);
  munmap(spool->mapping.bytes, spool->mapping.count);
  spool->mapped = false;
}

void ent_spool_free(ent_spool *spool) {
  if (spool == NULL)
    return;
  unmap(spool);
  if (spool->descriptor >= 0)
    close(spool->descriptor);
  ent_delete(spool->directory);
  ent_delete(spool);
}

uint64_t ent_spool_size(const ent_spool *spool) {
  return spool->size;
}

const char *ent_spool_directory(const ent_spool *spool) {
  return spool->directory;
}

void ent_spool_expect(ent_spool *spool, uint64_t size) {
  spool->expected = size;
}

static entropic_status fail_write(entropic_context *context, ent_spool *spool, int error) {
  spool->error = error;
  char text[ENT_SHOW_SIZE], size[ENT_SIZE_TEXT], whole[ENT_SIZE_TEXT], needs[80] = "";
  ent_size_text(spool->size, size);
  if (spool->expected > spool->size)
    snprintf(needs, sizeof needs, " and needs about %s", ent_size_text(spool->expected, whole));
  switch (error) {
  case ENOSPC:
    return ent_fail(context, ENTROPIC_SYSTEM, "no space left in '%s': the spool has %s so far%s", spool->directory,
                    size, needs);
  case EDQUOT:
    return ent_fail(context, ENTROPIC_SYSTEM, "the quota in '%s' is used up: the spool has %s so far%s",
                    spool->directory, size, needs);
  case EFBIG:
    return ent_fail(context, ENTROPIC_SYSTEM, "a file in '%s' cannot be larger: the spool has %s so far%s",
                    spool->directory, size, needs);
  default:
    return ent_fail(context, ENTROPIC_SYSTEM, "cannot write to the spool in '%s', which has %s so far: %s",
                    spool->directory, size, ent_error_text(error, text));
  }
}

entropic_status ent_spool_append(entropic_context *context, ent_spool *spool, const void *bytes, size_t count) {
  const char *from = bytes;
  if (spool->error != 0)
    return fail_write(context, spool, spool->error);
  while (count > 0) {
    uint64_t room = spool->most > spool->size ? spool->most - spool->size : 0;
    if (room == 0)
      return fail_write(context, spool, EFBIG);
    ssize_t written = write(spool->descriptor, from, count < room ? count : (size_t)room);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return fail_write(context, spool, written < 0 ? errno : ENOSPC);
    from += written;
    count -= (size_t)written;
    spool->size += (uint64_t)written;
  }
  return ENTROPIC_OK;
}

entropic_status ent_spool_restart(entropic_context *context, ent_spool *spool) {
  unmap(spool);
  spool->size = spool->expected = 0;
  if (ftruncate(spool->descriptor, 0) != 0 || lseek(spool->descriptor, 0, SEEK_SET) != 0)
    return fail_write(context, spool, errno);
  return ENTROPIC_OK;
}

static entropic_status fail_read(entropic_context *context, const ent_spool *spool, int error) {
  char text[ENT_SHOW_SIZE];
  return ent_fail(context, ENTROPIC_SYSTEM, "cannot read the spool in '%s': %s", spool->directory,
                  error == 0 ? "it ends too early" : ent_error_text(error, text));
}

entropic_status ent_spool_read(entropic_context *context, const ent_spool *spool, uint64_t place, void *to,
                               size_t count) {
  char *at = to;
  while (count > 0) {
    ssize_t got = pread(spool->descriptor, at, count, (off_t)place);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return fail_read(context, spool, got < 0 ? errno : 0);
    at += got;
    count -= (size_t)got;
    place += (uint64_t)got;
  }
  return ENTROPIC_OK;
}

entropic_status ent_spool_map(entropic_context *context, ent_spool *spool, const unsigned char **bytes) {
  *bytes = spool->mapped ? spool->mapping.bytes : NULL;
  if (spool->mapped || spool->size == 0)
    return ENTROPIC_OK;
  char text[ENT_SHOW_SIZE], size[ENT_SIZE_TEXT];
  void *mapped = MAP_FAILED;
  errno = ENOMEM;
  if (spool->size <= SIZE_MAX)
    mapped = mmap(NULL, (size_t)spool->size, PROT_READ, MAP_SHARED, spool->descriptor, 0);
  if (mapped == MAP_FAILED)
    return ent_fail(context, errno == ENOMEM ? ENTROPIC_NO_MEMORY : ENTROPIC_SYSTEM,
                    "cannot map the spool of %s in '%s' into memory: %s", ent_size_text(spool->size, size),
                    spool->directory, ent_error_text(errno, text));
  spool->mapping.bytes = mapped;
  spool->mapping.count = (size_t)spool->size;
  spool->mapped = true;
  if (spool->mapping.bound > 0)
    ent_residency_add(&spool->mapping);
  *bytes = mapped;
  return ENTROPIC_OK;
}
