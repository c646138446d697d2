/* Locks of files: see file_lock.h. A lock belongs to the file that was opened, not to its name: after a rename the name leads
 * to another file, so it is looked up again once the lock is held. */
#include "base/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Replacing a file takes milliseconds. */
#define ENT_LOCK_SECONDS 10.0
#define ENT_LOCK_PAUSE 0.005
/* So often the name may lead to another file by the time that the lock is held. */
#define ENT_LOCK_TRIES 1000

ent_file_lock ent_file_lock_take(int descriptor, double seconds) {
  const struct timespec pause = {0, (long)(ENT_LOCK_PAUSE * 1e9)};
  double waited = 0;
  for (;;) {
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
      return ENT_FILE_LOCKED;
    if (errno != EWOULDBLOCK && errno != EINTR)
      return ENT_FILE_NO_LOCK;
    if (waited >= seconds)
      return ENT_FILE_BUSY;
    nanosleep(&pause, NULL);
    waited += ENT_LOCK_PAUSE;
  }
}

static bool has_bytes(int descriptor, const struct stat *about, const unsigned char *bytes, size_t count) {
  unsigned char chunk[16384];
  if (about->st_size < 0 || (unsigned long long)about->st_size != count)
    return false;
  while (count > 0) {
    ssize_t got = read(descriptor, chunk, count < sizeof chunk ? count : sizeof chunk);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0 || memcmp(chunk, bytes, (size_t)got) != 0)
      return false;
    bytes += got;
    count -= (size_t)got;
  }
  return true;
}

/* One try; *again: the name leads to another file by now. */
static ent_file_verdict hold(const char *path, const void *bytes, size_t count, int descriptor, bool *again) {
  struct stat opened, named;
  if (ent_file_lock_take(descriptor, ENT_LOCK_SECONDS) == ENT_FILE_BUSY)
    return ENT_FILE_HELD;
  if (fstat(descriptor, &opened) != 0)
    return ENT_FILE_FAILED;
  if (stat(path, &named) != 0)
    return errno == ENOENT ? ENT_FILE_CHANGED : ENT_FILE_FAILED;
  *again = opened.st_dev != named.st_dev || opened.st_ino != named.st_ino;
  return !*again && has_bytes(descriptor, &opened, bytes, count) ? ENT_FILE_SAME : ENT_FILE_CHANGED;
}

ent_file_verdict ent_file_hold(const char *path, const void *bytes, size_t count, int *descriptor) {
  ent_file_verdict verdict = ENT_FILE_HELD;
  bool again = true;
  for (int i = 0; i < ENT_LOCK_TRIES && again; i++) {
    again = false;
    *descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (*descriptor < 0)
      return errno == ENOENT ? ENT_FILE_CHANGED : ENT_FILE_FAILED;
    verdict = hold(path, bytes, count, *descriptor, &again);
    if (verdict == ENT_FILE_SAME)
      return verdict;
    int error = errno;
    close(*descriptor);
    errno = error;
  }
  return verdict;
}
