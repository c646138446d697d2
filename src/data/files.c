/* Paths, folders and patterns: see files.h. */
#include "data/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

/* Whatever is wrong with one of several files is bad data. */
static entropic_status fail_system(entropic_context *context, const char *path, int error) {
  char text[ENT_SHOW_SIZE];
  return ent_fail(context, ENTROPIC_BAD_DATA, "cannot read '%s': %s", path, ent_error_text(error, text));
}

void ent_files_clear(ent_files *files) {
  for (size_t i = 0; i < files->count; i++)
    ent_delete(files->path[i]);
  ent_delete(files->path);
  ent_delete(files->label);
  ent_delete(files->first_empty);
  *files = (ent_files){0};
}

static entropic_status add_file(entropic_context *context, ent_files *files, const char *path, size_t length) {
  if (!ent_reserve(context, &files->path, &files->capacity, files->count + 1, sizeof *files->path))
    return ENTROPIC_NO_MEMORY;
  files->path[files->count] = ent_new_text(context, path, length);
  if (files->path[files->count] == NULL)
    return ENTROPIC_NO_MEMORY;
  files->count++;
  return ENTROPIC_OK;
}

static int compare_paths(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The files from `first` on in the order of their bytes, whatever the locale. */
static void sort_files(ent_files *files, size_t first) {
  if (files->count > first)
    qsort(files->path + first, files->count - first, sizeof *files->path, compare_paths);
}

static bool ends_with(const char *name, size_t *length, const char *ending) {
  size_t of = strlen(ending);
  if (*length <= of || !ent_same_word(name + *length - of, of, ending))
    return false;
  *length -= of;
  return true;
}

/* What a file of a folder holds, by its name. */
typedef enum ent_folder_kind { ENT_FOLDER_OTHER, ENT_FOLDER_TABLE, ENT_FOLDER_PARQUET } ent_folder_kind;

static ent_folder_kind kind_by_name(const char *name) {
  static const char *const endings[] = {".csv", ".tsv", ".tab", ".txt", ".data", ".libsvm", ".svm", ".npy"};
  size_t length = strlen(name);
  if (name[0] == '.' || name[0] == '_')
    return ENT_FOLDER_OTHER;
  if (ends_with(name, &length, ".parquet") || ends_with(name, &length, ".pq"))
    return ENT_FOLDER_PARQUET;
  if (!ends_with(name, &length, ".gz"))
    ends_with(name, &length, ".zst");
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
    if (ends_with(name, &length, endings[i]))
      return ENT_FOLDER_TABLE;
  return ENT_FOLDER_OTHER;
}

/* Adds the files of an open folder, and counts them by kind. */
static entropic_status list_folder(entropic_context *context, DIR *folder, const char *path, ent_files *files,
                                   size_t counts[3]) {
  size_t length = strlen(path);
  const char *slash = length > 0 && path[length - 1] == '/' ? "" : "/";
  struct dirent *entry;
  while ((entry = readdir(folder)) != NULL) {
    ent_folder_kind kind = kind_by_name(entry->d_name);
    counts[kind] += entry->d_name[0] != '.';
    if (kind == ENT_FOLDER_OTHER)
      continue;
    size_t room = length + strlen(entry->d_name) + 2;
    char *whole = ent_new(context, room, 1);
    if (whole == NULL)
      return ENTROPIC_NO_MEMORY;
    int used = snprintf(whole, room, "%s%s%s", path, slash, entry->d_name);
    entropic_status status = add_file(context, files, whole, (size_t)used);
    ent_delete(whole);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

static entropic_status add_folder(entropic_context *context, const char *path, ent_files *files) {
  size_t first = files->count, counts[3] = {0};
  DIR *folder = opendir(path);
  if (folder == NULL)
    return fail_system(context, path, errno);
  entropic_status status = list_folder(context, folder, path, files, counts);
  closedir(folder);
  if (status != ENTROPIC_OK)
    return status;
  if (counts[ENT_FOLDER_TABLE] > 0 && counts[ENT_FOLDER_PARQUET] > 0)
    return ent_fail(
        context, ENTROPIC_BAD_DATA,
        "the folder '%s' has %zu Parquet file%s and %zu other table%s, expected one kind; a pattern such as "
        "'*.parquet' chooses",
        path, counts[ENT_FOLDER_PARQUET], counts[ENT_FOLDER_PARQUET] == 1 ? "" : "s", counts[ENT_FOLDER_TABLE],
        counts[ENT_FOLDER_TABLE] == 1 ? "" : "s");
  if (files->count == first)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "the folder '%s' has %zu file%s and no table, expected .csv, .tsv, .txt, .libsvm (also with .gz or "
                    ".zst) or .parquet",
                    path, counts[ENT_FOLDER_OTHER], counts[ENT_FOLDER_OTHER] == 1 ? "" : "s");
  sort_files(files, first);
  return ENTROPIC_OK;
}

static entropic_status add_pattern(entropic_context *context, const char *pattern, ent_files *files) {
  glob_t found = {0};
  size_t first = files->count;
  entropic_status status = ENTROPIC_OK;
  int code = glob(pattern, GLOB_NOSORT, NULL, &found);
  if (code == GLOB_NOSPACE)
    status = ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory while looking for '%s'", pattern);
  else if (code != 0)
    status = ent_fail(context, ENTROPIC_BAD_DATA, "cannot read '%s': no file matches this pattern", pattern);
  for (size_t i = 0; code == 0 && i < found.gl_pathc && status == ENTROPIC_OK; i++)
    status = add_file(context, files, found.gl_pathv[i], strlen(found.gl_pathv[i]));
  globfree(&found);
  if (status == ENTROPIC_OK)
    sort_files(files, first);
  return status;
}

/* Adds what one path stands for. */
static entropic_status add_path(entropic_context *context, const char *path, ent_files *files) {
  struct stat about;
  bool exists = stat(path, &about) == 0;
  if (exists && S_ISDIR(about.st_mode))
    return add_folder(context, path, files);
  if (!exists && errno == ENOENT && strpbrk(path, "*?[") != NULL)
    return add_pattern(context, path, files);
  return add_file(context, files, path, strlen(path));
}

/* Adds each of several paths. */
static entropic_status add_paths(entropic_context *context, const char *paths, ent_files *files) {
  entropic_status status = ENTROPIC_OK;
  for (const char *next = paths; *next != '\0' && status == ENTROPIC_OK;) {
    size_t length = strcspn(next, "\n");
    char *path = length == 0 ? NULL : ent_new_text(context, next, length);
    if (length > 0 && path == NULL)
      return ENTROPIC_NO_MEMORY;
    if (path != NULL)
      status = add_path(context, path, files);
    ent_delete(path);
    next += length + (next[length] == '\n');
  }
  return status;
}

/* Checks one of several files, so that what is wrong with the last one is not found after all others have been read. */
static entropic_status check_file(entropic_context *context, const char *path, ent_files *files, bool *empty) {
  struct stat about;
  size_t length = strlen(path);
  if (strcmp(path, "-") == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "standard input cannot be read together with files");
  if (stat(path, &about) != 0)
    return fail_system(context, path, errno);
  if (S_ISDIR(about.st_mode))
    return fail_system(context, path, EISDIR);
  if (!S_ISREG(about.st_mode))
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT,
                    "'%s' is not a regular file: it cannot be read together with others", path);
  if (access(path, R_OK) != 0)
    return fail_system(context, path, errno);
  *empty = about.st_size == 0;
  files->size += (uint64_t)about.st_size;
  files->packed = files->packed || ends_with(path, &length, ".gz") || ends_with(path, &length, ".zst");
  return ENTROPIC_OK;
}

/* Checks several files, and leaves out those without a byte. */
static entropic_status check_files(entropic_context *context, ent_files *files) {
  size_t kept = 0, count = files->count;
  entropic_status status = ENTROPIC_OK;
  for (size_t i = 0; i < count; i++) {
    bool empty = false;
    status = status != ENTROPIC_OK ? status : check_file(context, files->path[i], files, &empty);
    if (!empty) {
      files->path[kept++] = files->path[i];
      continue;
    }
    if (files->empty++ == 0)
      files->first_empty = files->path[i];
    else
      ent_delete(files->path[i]);
  }
  files->count = kept;
  if (status == ENTROPIC_OK && kept == 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s and %zu more files are empty, expected rows", files->first_empty,
                    count - 1);
  return status;
}

/* By the first bytes of the first file. What cannot be read is left to its reader, which says why. */
static ent_file_kind find_kind(const char *path) {
  char bytes[12] = "";
  struct stat about;
  if (strcmp(path, "-") == 0 || stat(path, &about) != 0 || !S_ISREG(about.st_mode))
    return ENT_FILE_OTHER;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return ENT_FILE_OTHER;
  ssize_t count = read(descriptor, bytes, sizeof bytes);
  close(descriptor);
  if (count >= 4 && memcmp(bytes, "PAR1", 4) == 0)
    return ENT_FILE_PARQUET;
  return count == sizeof bytes && memcmp(bytes + 8, "DUCK", 4) == 0 ? ENT_FILE_DATABASE : ENT_FILE_OTHER;
}

/* What the files are called: the path as it was given, or the first and how many others. */
static entropic_status set_label(entropic_context *context, const char *path, ent_files *files) {
  char more[64] = "";
  if (strchr(path, '\n') != NULL || files->count == 1) {
    path = files->path[0];
    if (files->count > 1)
      snprintf(more, sizeof more, " and %zu more file%s", files->count - 1, files->count == 2 ? "" : "s");
  }
  size_t room = strlen(path) + strlen(more) + 1;
  files->label = ent_new(context, room, 1);
  if (files->label == NULL)
    return ENTROPIC_NO_MEMORY;
  snprintf(files->label, room, "%s%s", path, more);
  return ENTROPIC_OK;
}

entropic_status ent_files_find(entropic_context *context, const char *path, ent_files *files) {
  struct stat about;
  bool several = strchr(path, '\n') != NULL && stat(path, &about) != 0;
  *files = (ent_files){0};
  entropic_status status = several ? add_paths(context, path, files) : add_path(context, path, files);
  if (status != ENTROPIC_OK)
    return status;
  if (files->count == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "the list of paths is empty, expected one or more");
  if (files->count > 1) {
    status = check_files(context, files);
    if (status != ENTROPIC_OK)
      return status;
  }
  files->kind = find_kind(files->path[0]);
  return set_label(context, path, files);
}

entropic_status ent_paths_join(entropic_context *context, const char *const *paths, size_t count, char **path) {
  size_t length = 0;
  if (count == 0)
    return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "paths has none, expected 1 or more");
  for (size_t i = 0; i < count; i++) {
    if (paths[i] == NULL)
      return ent_fail(context, ENTROPIC_BAD_ARGUMENT, "paths[%zu] is NULL", i);
    length += strlen(paths[i]) + 1;
  }
  char *to = ent_new(context, length, 1);
  if (to == NULL)
    return ENTROPIC_NO_MEMORY;
  *path = to;
  for (size_t i = 0; i < count; i++) {
    size_t bytes = strlen(paths[i]);
    memcpy(to, paths[i], bytes);
    to[bytes] = i + 1 < count ? '\n' : 0;
    to += bytes + 1;
  }
  return ENTROPIC_OK;
}
