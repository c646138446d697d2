/* What a process sees of the files that a table is in: see worker.h. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sha256.h"
#include "data/files.h"
#include "shard/worker.h"

/* Bytes at each end of a file that are compared. */
#define ENT_VIEW_BYTES 65536

static void add_bytes(ent_sha256 *hash, int descriptor, uint64_t at, uint64_t end) {
  unsigned char chunk[4096];
  while (at < end) {
    size_t wanted = end - at < sizeof chunk ? (size_t)(end - at) : sizeof chunk;
    ssize_t got = pread(descriptor, chunk, wanted, (off_t)at);
    if (got <= 0)
      return; /* whoever can read them has another hash */
    ent_sha256_add(hash, chunk, (size_t)got);
    at += (uint64_t)got;
  }
}

static void add_file(const char *path, ent_sha256 *hash, ent_shard_view *view) {
  struct stat about;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor < 0)
    return;
  if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_size >= 0) {
    uint64_t size = (uint64_t)about.st_size, head = size < ENT_VIEW_BYTES ? size : ENT_VIEW_BYTES;
    uint64_t tail = size - head < ENT_VIEW_BYTES ? head : size - ENT_VIEW_BYTES;
    view->files++;
    view->bytes += size;
    ent_sha256_add(hash, &size, sizeof size);
    add_bytes(hash, descriptor, 0, head);
    add_bytes(hash, descriptor, tail, size);
  }
  close(descriptor);
}

void ent_shard_look(const entropic_shard *shard, ent_shard_view *view) {
  ent_files files = {0};
  ent_sha256 hash = ent_sha256_start();
  memset(view, 0, sizeof *view);
  if (shard->path == NULL || shard->parts < 2)
    return; /* a table of its own */
  view->shared = 1;
  if (ent_files_find(NULL, shard->path, &files) == ENTROPIC_OK)
    for (size_t i = 0; i < files.count; i++)
      add_file(files.path[i], &hash, view);
  ent_files_clear(&files);
  ent_sha256_finish(&hash, view->digest);
}
