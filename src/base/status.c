/* Names and texts of statuses, from the one list in the public header; and the version. */
#include "entropic/entropic.h"

#define ENT_TEXT_OF(number) #number
#define ENT_TEXT(number) ENT_TEXT_OF(number)

const char *entropic_version(void) {
  return ENT_TEXT(ENTROPIC_VERSION_MAJOR) "." ENT_TEXT(ENTROPIC_VERSION_MINOR) "." ENT_TEXT(ENTROPIC_VERSION_PATCH);
}

const char *entropic_status_name(entropic_status status) {
#define ENT_NAME_CASE(name, number, text)                                                                              \
  case ENTROPIC_##name:                                                                                                \
    return #name;
  switch (status) { ENTROPIC_STATUS_MAP(ENT_NAME_CASE) }
#undef ENT_NAME_CASE
  return "UNKNOWN";
}

const char *entropic_status_text(entropic_status status) {
#define ENT_TEXT_CASE(name, number, text)                                                                              \
  case ENTROPIC_##name:                                                                                                \
    return text;
  switch (status) { ENTROPIC_STATUS_MAP(ENT_TEXT_CASE) }
#undef ENT_TEXT_CASE
  return "unknown status";
}
