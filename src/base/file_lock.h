/* Files that several processes change: one at a time, and none unseen by the others. */
#ifndef ENT_BASE_FILE_LOCK_H
#define ENT_BASE_FILE_LOCK_H

#include <stdbool.h>
#include <stddef.h>

typedef enum ent_file_lock {
  ENT_FILE_LOCKED, /* until the descriptor is closed, or the process ends */
  ENT_FILE_BUSY,   /* another process has it */
  ENT_FILE_NO_LOCK /* the file system has no locks */
} ent_file_lock;

/* Locks an open file for this process alone. Waits so many seconds for another one that has it. */
ent_file_lock ent_file_lock_take(int descriptor, double seconds);

typedef enum ent_file_verdict {
  ENT_FILE_SAME,    /* it has these bytes */
  ENT_FILE_CHANGED, /* it has others, or is not there any more */
  ENT_FILE_HELD,    /* another process has it locked for long */
  ENT_FILE_FAILED   /* errno says why */
} ent_file_verdict;

/* Locks the file of that name, and compares it with bytes[count], which it had before. With SAME it stays locked until
 * *descriptor is closed by the caller: whoever replaces it meanwhile in the same way waits, and then finds it changed. */
ent_file_verdict ent_file_hold(const char *path, const void *bytes, size_t count, int *descriptor);

#endif
