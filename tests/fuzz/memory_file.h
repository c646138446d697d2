/* Bytes as a file in memory. */
#ifndef MEMORY_FILE_H
#define MEMORY_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Opens a file in memory that holds the bytes; its path goes into path[64]. The caller closes it. */
static inline int memory_file(const uint8_t *bytes, size_t count, char path[64]) {
  int file = memfd_create("fuzz", 0);
  if (file < 0)
    abort();
  for (size_t done = 0; done < count;) {
    ssize_t written = write(file, bytes + done, count - done);
    if (written <= 0)
      abort();
    done += (size_t)written;
  }
  snprintf(path, 64, "/proc/self/fd/%d", file);
  return file;
}

/* An assert that NDEBUG does not remove. */
#define DEMAND(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                  \
      abort();                                                                                                         \
    }                                                                                                                  \
  } while (0)

#endif
