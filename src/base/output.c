/* Files that appear complete or not at all. Bytes go to a temporary file in the directory of the target, which is
 * renamed over the target on commit. Standard output, devices and pipes cannot be replaced and are written directly. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file_lock.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"

#define ENT_OUTPUT_BUFFER ((size_t)1 << 16)
#define ENT_OUTPUT_AHEAD ((off_t)1 << 20) /* bytes after which the disk may begin */

struct entropic_output {
  char name[PATH_MAX];      /* as the caller gave it, for messages */
  char target[PATH_MAX];    /* the file that symbolic links lead to */
  char temporary[PATH_MAX]; /* "" if there is none */
  int descriptor;           /* -1 when closed */
  bool borrowed;            /* standard output, which we do not close */
  int error;                /* errno of the first failed write; nothing is written after it */
  bool committed;
  bool memory;          /* bytes are kept here, not written to a file */
  const void *expected; /* what the target has to have when it is replaced; NULL: anything */
  size_t expected_count;
  unsigned char *bytes;
  size_t count, capacity;
  off_t written, begun; /* bytes in the file; of those, how many the system was told to bring to the disk */
  size_t used;
  char buffer[ENT_OUTPUT_BUFFER];
};

static entropic_status fail_system(entropic_context *context, const char *action, const char *name, int error) {
  char text[ENT_SHOW_SIZE];
  if (strcmp(name, "-") == 0)
    return ent_fail(context, ENTROPIC_SYSTEM, "cannot %s standard output: %s", action, ent_error_text(error, text));
  return ent_fail(context, ENTROPIC_SYSTEM, "cannot %s '%s': %s", action, name, ent_error_text(error, text));
}

/* The length of the directory in a path, with its slash. */
static size_t directory_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* Replaces target by the file that its symbolic links lead to, even one that does not exist yet, so that the links
 * stay. Returns an errno. */
static int follow_links(char target[PATH_MAX]) {
  for (int links = 0; links < 40; links++) {
    char destination[PATH_MAX];
    ssize_t length = readlink(target, destination, sizeof destination - 1);
    if (length < 0)
      return 0; /* no link, or no such file; any other error comes up again when the file is created */
    destination[length] = '\0';
    size_t directory = destination[0] == '/' ? 0 : directory_length(target);
    if (directory + (size_t)length >= PATH_MAX)
      return ENAMETOOLONG;
    memcpy(target + directory, destination, (size_t)length + 1);
  }
  return ELOOP;
}

/* A number that other processes and threads hardly use at the same time; O_EXCL catches the rest. */
static uint64_t fresh_number(void) {
  static atomic_uint_fast64_t calls;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t seed = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  entropic_random random = entropic_random_start(seed, (uint64_t)getpid() << 32 ^ atomic_fetch_add(&calls, 1));
  return entropic_random_bits(&random);
}

/* Creates the temporary file with the permissions of the older file, or those of the umask if there is none. Its
 * permissions are never wider than its final ones, not even before fchmod. Returns an errno. */
static int open_temporary(entropic_output *output, const struct stat *older) {
  size_t directory = directory_length(output->target);
  mode_t mode = older == NULL ? 0666 : older->st_mode & 0777;
  for (int attempt = 0; attempt < 100; attempt++) {
    int length = snprintf(output->temporary, PATH_MAX, "%.*s.entropic-%016llx", (int)directory, output->target,
                          (unsigned long long)fresh_number());
    if (length >= PATH_MAX)
      break;
    output->descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (output->descriptor >= 0) {
      /* Only the superuser can change the owner; for others the file then belongs to the writing user. */
      if (older != NULL && (older->st_uid != geteuid() || older->st_gid != getegid()) &&
          fchown(output->descriptor, older->st_uid, older->st_gid) != 0)
        errno = 0;
      return older != NULL && fchmod(output->descriptor, mode) != 0 ? errno : 0;
    }
    if (errno != EEXIST) {
      output->temporary[0] = '\0';
      return errno;
    }
  }
  output->temporary[0] = '\0';
  return ENAMETOOLONG;
}

/* Opens the output: a temporary file, a device or standard output. Returns an errno. */
static int open_output(entropic_output *output) {
  if (strcmp(output->name, "-") == 0) {
    output->descriptor = STDOUT_FILENO;
    output->borrowed = true;
    return 0;
  }
  struct stat older;
  bool exists = stat(output->name, &older) == 0;
  if (exists && S_ISDIR(older.st_mode))
    return EISDIR;
  if (exists && !S_ISREG(older.st_mode)) {
    output->descriptor = open(output->name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return output->descriptor < 0 ? errno : 0;
  }
  strcpy(output->target, output->name);
  int error = follow_links(output->target);
  return error != 0 ? error : open_temporary(output, exists ? &older : NULL);
}

entropic_status entropic_output_create(entropic_context *context, const char *path, entropic_output **output) {
  if (path == NULL || output == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", path == NULL ? "path" : "output");
  if (path[0] == '\0')
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the name of the file to write is empty");
  if (strlen(path) >= PATH_MAX)
    return fail_system(context, "create", path, ENAMETOOLONG);
  entropic_output *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->descriptor = -1;
  strcpy(made->name, path);
  int error = open_output(made);
  if (error != 0) {
    entropic_output_free(made);
    return fail_system(context, "create", path, error);
  }
  *output = made;
  return ENTROPIC_OK;
}

static int keep_all(entropic_output *output, const char *bytes, size_t count) {
  size_t needed;
  unsigned char *grown = NULL;
  if (output->error == 0 && ent_add(output->count, count, &needed))
    grown = needed <= output->capacity ? output->bytes : ent_grow(NULL, output->bytes, &output->capacity, needed, 1);
  if (grown == NULL) {
    output->error = ENOMEM;
    return ENOMEM;
  }
  output->bytes = grown;
  memcpy(grown + output->count, bytes, count);
  output->count = needed;
  return 0;
}

/* Lets the disk begin, so that fsync has less to wait for. That is a hint: failures show in fsync. */
static void write_ahead(entropic_output *output) {
#if defined(SYNC_FILE_RANGE_WRITE)
  if (output->temporary[0] == '\0' || output->written - output->begun < ENT_OUTPUT_AHEAD)
    return;
  sync_file_range(output->descriptor, output->begun, output->written - output->begun, SYNC_FILE_RANGE_WRITE);
  output->begun = output->written;
#else
  (void)output;
#endif
}

/* Writes all bytes. Returns an errno, which is kept in the output. */
static int write_all(entropic_output *output, const char *bytes, size_t count) {
  if (output->memory)
    return count == 0 ? output->error : keep_all(output, bytes, count);
  while (count > 0 && output->error == 0) {
    ssize_t written = write(output->descriptor, bytes, count);
    if (written >= 0) {
      bytes += written;
      count -= (size_t)written;
      output->written += written;
    } else if (errno != EINTR) {
      output->error = errno;
    }
  }
  write_ahead(output);
  return output->error;
}

static entropic_status fail_write(entropic_context *context, const entropic_output *output) {
  if (output->memory)
    return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory: %zu bytes", output->count);
  return fail_system(context, "write", output->name, output->error);
}

static int flush(entropic_output *output) {
  size_t used = output->used;
  output->used = 0;
  return write_all(output, output->buffer, used);
}

entropic_status entropic_output_write(entropic_context *context, entropic_output *output, const void *bytes,
                                      size_t count) {
  if (output == NULL || (bytes == NULL && count > 0))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "%s is NULL", output == NULL ? "output" : "bytes");
  if (output->committed)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "'%s' has already been committed: nothing more can be written",
                    output->name);
  if (count > ENT_OUTPUT_BUFFER - output->used)
    flush(output);
  if (count >= ENT_OUTPUT_BUFFER)
    write_all(output, bytes, count);
  else if (count > 0) {
    memcpy(output->buffer + output->used, bytes, count);
    output->used += count;
  }
  return output->error == 0 ? ENTROPIC_OK : fail_write(context, output);
}

/* Makes the rename survive a power failure. The file is in place already, and some file systems cannot sync
 * directories, so errors are ignored. */
static void sync_directory(const entropic_output *output) {
  char directory[PATH_MAX] = ".";
  size_t length = directory_length(output->target);
  if (length > 0) {
    memcpy(directory, output->target, length);
    directory[length] = '\0';
  }
  int descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    fsync(descriptor);
    close(descriptor);
  }
}

/* The target is changed or busy. */
static entropic_status fail_changed(entropic_context *context, entropic_output *output, ent_file_verdict verdict) {
  output->error = verdict == ENT_FILE_FAILED ? errno : EBUSY;
  if (verdict == ENT_FILE_FAILED)
    return fail_system(context, "read", output->name, output->error);
  return ent_fail(
      context, ENTROPIC_SYSTEM,
      verdict == ENT_FILE_HELD
          ? "'%s' is locked by another process; it has been left as it is"
          : "'%s' was changed by another process in the meantime; it has been left as that process wrote it, "
            "so try again",
      output->name);
}

static entropic_status replace_target(entropic_context *context, entropic_output *output) {
  int held = -1;
  entropic_status status = ENTROPIC_OK;
  if (output->expected != NULL) {
    ent_file_verdict verdict = ent_file_hold(output->target, output->expected, output->expected_count, &held);
    if (verdict != ENT_FILE_SAME)
      return fail_changed(context, output, verdict);
  }
  if (rename(output->temporary, output->target) != 0) {
    output->error = errno;
    status = fail_system(context, "replace", output->name, errno);
  } else {
    output->temporary[0] = '\0';
    sync_directory(output);
  }
  if (held >= 0)
    close(held);
  return status;
}

entropic_status entropic_output_commit(entropic_context *context, entropic_output *output) {
  if (output == NULL)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "output is NULL");
  if (output->committed)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "'%s' has already been committed", output->name);
  bool replaces = output->temporary[0] != '\0';
  int error = flush(output);
  if (error == 0 && replaces && fsync(output->descriptor) != 0)
    error = errno;
  if (error == 0 && !output->borrowed && !output->memory) {
    int descriptor = output->descriptor;
    output->descriptor = -1;
    if (close(descriptor) != 0)
      error = errno; /* some network file systems report a full disk only here */
  }
  if (error != 0) {
    output->error = error;
    return fail_write(context, output);
  }
  if (replaces) {
    entropic_status status = replace_target(context, output);
    if (status != ENTROPIC_OK)
      return status;
  }
  output->committed = true;
  return ENTROPIC_OK;
}

void entropic_output_free(entropic_output *output) {
  if (output == NULL)
    return;
  if (output->descriptor >= 0 && !output->borrowed)
    close(output->descriptor);
  if (output->temporary[0] != '\0')
    unlink(output->temporary);
  ent_delete(output->bytes);
  ent_delete(output);
}

entropic_status ent_output_create_memory(entropic_context *context, entropic_output **output) {
  entropic_output *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  made->descriptor = -1;
  made->memory = true;
  strcpy(made->name, "memory");
  *output = made;
  return ENTROPIC_OK;
}

void ent_output_expect(entropic_output *output, const void *bytes, size_t count) {
  output->expected = bytes;
  output->expected_count = count;
}

void ent_output_take(entropic_output *output, unsigned char **bytes, size_t *count) {
  *bytes = output->bytes;
  *count = output->count;
  output->bytes = NULL;
}

void entropic_bytes_free(unsigned char *bytes) {
  ent_delete(bytes);
}
