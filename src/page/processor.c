/* The name of the processor, for the foot of pages. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "page/page.h"

#define START 4096 /* of /proc/cpuinfo: the first processor is within */

/* The value of the line "key : value" of a text; false if there is none. */
static bool find_value(const char *text, const char *key, char *value, size_t size) {
  size_t length = strlen(key);
  for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *after = line + length;
    if (strncmp(line, key, length) != 0 || strchr(" \t:", *after) == NULL)
      continue;
    after += strspn(after, " \t:");
    snprintf(value, size, "%.*s", (int)strcspn(after, "\n"), after);
    return *value != '\0';
  }
  return false;
}

/* The start of a file as a text; false if it cannot be read. */
static bool read_start(const char *path, char text[START]) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  ssize_t count = read(file, text, START - 1);
  close(file);
  text[count > 0 ? count : 0] = '\0';
  return count > 0;
}

const char *ent_processor_name(char name[ENT_PROCESSOR_NAME]) {
  char text[START];
  struct utsname machine;
  if (read_start("/proc/cpuinfo", text) && find_value(text, "model name", name, ENT_PROCESSOR_NAME))
    return name;
  snprintf(name, ENT_PROCESSOR_NAME, "%s", uname(&machine) == 0 ? machine.machine : "unknown");
  return name;
}
