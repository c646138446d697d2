/* Loading models: the file as a whole, its head, its sum, and the sections one after the other. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/text.h"
#include "lift/lift.h"
#include "model/statistics_file.h"

typedef struct ent_loaded {
  bool statistics; /* that is what is expected, not a model */
  uint8_t *bytes;
  size_t count, capacity;
} ent_loaded;

/* Reads up to `limit` bytes in all. */
static entropic_status read_up_to(entropic_context *context, int file, const char *name, size_t limit,
                                  ent_loaded *loaded) {
  while (loaded->count < limit) {
    /* Memory grows with what has come, whatever the head says. */
    size_t left = limit - loaded->count, step = loaded->count < 65536 ? 65536 : loaded->count;
    size_t part = left < step ? left : step;
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    if (!ent_reserve(context, &loaded->bytes, &loaded->capacity, loaded->count + part, 1))
      return ENTROPIC_NO_MEMORY;
    ssize_t got = read(file, loaded->bytes + loaded->count, part);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0) {
      char text[ENT_SHOW_SIZE];
      return ent_fail(context, ENTROPIC_SYSTEM, "cannot read '%s': %s", name, ent_error_text(errno, text));
    }
    if (got == 0)
      break;
    loaded->count += (size_t)got;
  }
  return ENTROPIC_OK;
}

/* The first bytes are those of a file of ours; `known` of them are there. */
static entropic_status check_magic(entropic_context *context, const char *name, const ent_loaded *loaded,
                                   size_t known) {
  const char *magic = loaded->statistics ? ENT_STATISTICS_MAGIC : ENT_MODEL_MAGIC;
  const char *other = loaded->statistics ? ENT_MODEL_MAGIC : ENT_STATISTICS_MAGIC;
  const char *what = loaded->statistics ? "a file of Entropic's statistics" : "an Entropic model";
  size_t first = known < 4 ? known : 4;
  if (known >= 4 && memcmp(loaded->bytes, other, first) == 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: not %s, but %s", name, what,
                    loaded->statistics ? "a model" : "statistics: a model has to be solved from them");
  if (known == 0 || memcmp(loaded->bytes, magic, first) != 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: not %s%s", name, what, known == 0 ? ": it is empty" : "");
  if (memcmp(loaded->bytes, magic, known) != 0)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "%s: not %s as it was written: its line ends were changed, as if it were text", name, what);
  return ENTROPIC_OK;
}

/* What the first bytes say: the length of the file, or that it is none of ours. */
static entropic_status check_head(entropic_context *context, const char *name, const ent_loaded *loaded,
                                  uint64_t *length) {
  ent_unpacker head = {.context = context, .name = name, .bytes = loaded->bytes, .end = loaded->count};
  size_t known = loaded->count < ENT_MAGIC_SIZE ? loaded->count : ENT_MAGIC_SIZE;
  entropic_status status = check_magic(context, name, loaded, known);
  if (status != ENTROPIC_OK)
    return status;
  if (loaded->count < ENT_HEAD_SIZE)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: is cut short at byte %zu", name, loaded->count);
  head.at = ENT_MAGIC_SIZE;
  uint32_t version = ent_unpack_u32(&head, "a version");
  *length = ent_unpack_u64(&head, "a length");
  if (version > ENT_MODEL_VERSION)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "%s: a newer version of Entropic wrote it: format %" PRIu32 ", expected at most %" PRIu32, name,
                    version, ENT_MODEL_VERSION);
  if (version == 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: byte %zu: found format 0, expected 1 to %" PRIu32, name,
                    ENT_MAGIC_SIZE, ENT_MODEL_VERSION);
  if (*length < ENT_HEAD_SIZE + ENT_SUM_SIZE || *length > ENT_MODEL_MOST_BYTES)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "%s: byte %zu: found a length of %" PRIu64 " bytes, expected %zu to %" PRIu64, name,
                    ENT_MAGIC_SIZE + 4, *length, ENT_HEAD_SIZE + ENT_SUM_SIZE, ENT_MODEL_MOST_BYTES);
  return ENTROPIC_OK;
}

/* Whether what was loaded has the length and the sum that it says. */
static entropic_status check_whole(entropic_context *context, const char *name, const ent_loaded *loaded,
                                   uint64_t length) {
  if (loaded->count < length)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: is cut short at byte %zu, expected %" PRIu64 " bytes", name,
                    loaded->count, length);
  if (loaded->count > length)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: byte %" PRIu64 ": found more bytes, expected the end of the file",
                    name, length);
  size_t end = loaded->count - ENT_SUM_SIZE;
  ent_unpacker tail = {.context = context, .name = name, .bytes = loaded->bytes, .at = end, .end = loaded->count};
  uint32_t written = ent_unpack_u32(&tail, "a checksum");
  uint32_t found = (uint32_t)crc32_z(0, loaded->bytes, end);
  if (found != written)
    return ent_fail(context, ENTROPIC_BAD_DATA,
                    "%s: checksum %08" PRIx32 ", expected %08" PRIx32 ": the file is damaged", name, found, written);
  return ENTROPIC_OK;
}

static entropic_status read_model(entropic_context *context, int file, const char *name, ent_loaded *loaded) {
  uint64_t length = 0;
  entropic_status status = read_up_to(context, file, name, ENT_HEAD_SIZE, loaded);
  if (status != ENTROPIC_OK)
    return status;
  status = check_head(context, name, loaded, &length);
  if (status != ENTROPIC_OK)
    return status;
  status = read_up_to(context, file, name, (size_t)length + 1, loaded);
  return status != ENTROPIC_OK ? status : check_whole(context, name, loaded, length);
}

static entropic_status read_file(entropic_context *context, const char *path, const char *name, ent_loaded *loaded) {
  bool standard = strcmp(path, "-") == 0;
  int file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (file < 0) {
    char text[ENT_SHOW_SIZE];
    return ent_fail(context, ENTROPIC_SYSTEM, "cannot read '%s': %s", name, ent_error_text(errno, text));
  }
  entropic_status status = read_model(context, file, name, loaded);
  if (!standard)
    close(file);
  return status;
}

static void (*const readers[ENT_SECTIONS])(ent_unpacker *unpacker, entropic_model *model) = {
    ent_load_info,   ent_load_schema, ent_load_scaler, ent_load_kernel,
    ent_load_design, ent_load_points, ent_load_weights};

static bool is_known(const uint8_t *tag) {
  for (int i = 0; i < ENT_SECTIONS; i++)
    if (memcmp(tag, ent_section_tags[i], 4) == 0)
      return true;
  return false;
}

static bool is_letter(uint8_t byte, uint8_t first) {
  return byte >= first && byte < first + 26;
}

/* Says what is wrong with a section that is not the one expected ("" for the end), unless it may be skipped. */
static void check_stranger(ent_unpacker *unpacker, size_t at, const char *tag) {
  const uint8_t *found = unpacker->bytes + at;
  char shown[ENT_SHOW_SIZE];
  ent_show((const char *)found, 4, shown);
  for (int i = 0; i < 4; i++)
    if (!is_letter(found[i], 'A') && !is_letter(found[i], 'a')) {
      ent_unpack_refuse(unpacker, at, "found '%s', expected the name of a section", shown);
      return;
    }
  if (is_known(found))
    ent_unpack_refuse(unpacker, at, "found section %s, expected %s", shown, tag[0] == '\0' ? "no other" : tag);
  else if (is_letter(found[0], 'A'))
    ent_unpack_refuse(unpacker, at, "section %s is not known: a newer version of Entropic wrote the file", shown);
}

/* Goes to the section of that tag, over those that may be skipped; to the end for "". The section's end is returned. */
static size_t find_section(ent_unpacker *unpacker, const char *tag) {
  while (ent_unpack_fine(unpacker) && (tag[0] != '\0' || ent_unpack_left(unpacker) > 0)) {
    size_t at = unpacker->at;
    if (ent_unpack_left(unpacker) < ENT_SECTION_HEAD_SIZE) {
      ent_unpack_refuse(unpacker, at, "found the end of the sections, expected %s", tag[0] == '\0' ? "no more" : tag);
      break;
    }
    unpacker->at += 4;
    uint64_t length = ent_unpack_u64(unpacker, "a length");
    bool wanted = tag[0] != '\0' && memcmp(unpacker->bytes + at, tag, 4) == 0;
    if (!wanted)
      check_stranger(unpacker, at, tag);
    if (length > ent_unpack_left(unpacker))
      ent_unpack_refuse(unpacker, at + 4, "found a section of %" PRIu64 " bytes, expected at most %zu", length,
                        ent_unpack_left(unpacker));
    if (!ent_unpack_fine(unpacker))
      break;
    if (wanted)
      return unpacker->at + (size_t)length;
    unpacker->at += (size_t)length;
  }
  return unpacker->at;
}

/* Reads a section up to its end. */
static void load_to_end(ent_unpacker *unpacker, const char *tag, size_t section_end,
                        void (*read)(ent_unpacker *unpacker, entropic_model *model), entropic_model *model) {
  size_t end = unpacker->end;
  if (!ent_unpack_fine(unpacker))
    return;
  unpacker->end = section_end;
  read(unpacker, model);
  if (unpacker->at < unpacker->end)
    ent_unpack_refuse(unpacker, unpacker->at, "found more bytes, expected the end of section %s", tag);
  unpacker->end = end;
}

static void load_section(ent_unpacker *unpacker, ent_section section, entropic_model *model) {
  size_t section_end = find_section(unpacker, ent_section_tags[section]);
  load_to_end(unpacker, ent_section_tags[section], section_end, readers[section], model);
}

static bool is_next(const ent_unpacker *unpacker, const char *tag) {
  return ent_unpack_fine(unpacker) && ent_unpack_left(unpacker) >= ENT_SECTION_HEAD_SIZE &&
         memcmp(unpacker->bytes + unpacker->at, tag, 4) == 0;
}

/* A section that need not be there, if it comes next. */
static void load_optional(ent_unpacker *unpacker, const char *tag,
                          void (*read)(ent_unpacker *unpacker, entropic_model *model), entropic_model *model) {
  if (is_next(unpacker, tag))
    load_to_end(unpacker, tag, find_section(unpacker, tag), read, model);
}

/* The sections of a component from its scaler on. */
static void load_component_sections(ent_unpacker *unpacker, entropic_model *model, bool points) {
  for (int i = ENT_SECTION_SCALER; i < ENT_SECTIONS; i++) {
    if (!ent_has_section(points, (ent_section)i))
      continue;
    load_section(unpacker, (ent_section)i, model);
    if (i == ENT_SECTION_KERNEL && !points && model->more_count > 0)
      points = is_next(unpacker, ent_section_tags[ENT_SECTION_POINTS]);
    if (i == ENT_SECTION_DESIGN)
      load_optional(unpacker, ENT_BEYOND_TAG, ent_load_beyond, model);
  }
}

/* Another component, read as that of a model that shares the schema. */
static void load_component(ent_unpacker *unpacker, entropic_model *model) {
  size_t start = unpacker->at;
  bool plain = true;
  entropic_model part = {.schema = model->schema, .scores = model->scores, .more_count = model->more_count + 1};
  load_component_sections(unpacker, &part, false);
  find_section(unpacker, "");
  for (size_t k = 0; ent_unpack_fine(unpacker) && k < part.scores; k++)
    plain = plain && part.offsets[k] == 0 && part.bounds == NULL;
  if (!plain)
    ent_unpack_refuse(unpacker, start, "found a further component with offsets or bounds, expected none");
  if (ent_unpack_fine(unpacker) && part.main.design == NULL && ent_model_used(model) < model->schema.inputs)
    ent_unpack_refuse(unpacker, start, "found points beside inputs that are not in use, expected a design");
  if (ent_unpack_fine(unpacker) && model->more_count + 2 > ENT_MOST_COMPONENTS)
    ent_unpack_refuse(unpacker, start, "found more components, expected at most %d", ENT_MOST_COMPONENTS);
  if (ent_unpack_fine(unpacker))
    ent_unpack_adopt(unpacker, start, ent_model_add_component(unpacker->context, model, &part.main));
  ent_component_clear(&part.main);
  ent_delete(part.offsets);
  ent_delete(part.bounds);
}

/* What models of one component know of their statistics. */
static void load_statistics(ent_unpacker *unpacker, entropic_model *model) {
  load_optional(unpacker, ENT_FROZEN_TAG, ent_load_frozen, model);
  load_optional(unpacker, ENT_TOTALS_TAG, ent_load_totals, model);
  load_optional(unpacker, ENT_MARGINAL_SUMS_TAG, ent_load_marginal_sums, model);
  load_optional(unpacker, ENT_VALIDATED_TAG, ent_load_validated, model);
}

static void load_sections(ent_unpacker *unpacker, entropic_model *model) {
  load_section(unpacker, ENT_SECTION_INFO, model);
  load_section(unpacker, ENT_SECTION_SCHEMA, model);
  load_optional(unpacker, ENT_NOTATION_TAG, ent_load_notations, model);
  load_optional(unpacker, ENT_PARTS_TAG, ent_load_parts, model);
  load_optional(unpacker, ENT_MARKS_TAG, ent_load_marks, model);
  load_optional(unpacker, ENT_COMPLETE_TAG, ent_load_complete, model);
  load_optional(unpacker, ENT_TERMS_TAG, ent_load_terms, model);
  load_optional(unpacker, ENT_MEANS_TAG, ent_load_means, model);
  ent_load_check_means(unpacker, model);
  load_component_sections(unpacker, model, model->solver == ENTROPIC_SOLVER_EXACT);
  while (is_next(unpacker, ENT_COMPONENT_TAG) && !unpacker->statistics && unpacker->version >= ENT_COMPONENT_VERSION)
    load_optional(unpacker, ENT_COMPONENT_TAG, load_component, model);
  if (model->more_count == 0)
    load_statistics(unpacker, model);
  load_optional(unpacker, ENT_MARGINALS_TAG, ent_load_marginals, model);
  load_optional(unpacker, ENT_INTERVALS_TAG, ent_load_intervals, model);
  if (model->more_count == 0)
    load_optional(unpacker, ENT_MEMBERS_TAG, ent_load_member_effects, model);
  if (unpacker->statistics)
    ent_load_check_statistics(unpacker, model);
  find_section(unpacker, "");
}

/* The model that checked bytes hold. */
static entropic_status unpack(entropic_context *context, const char *name, const ent_loaded *loaded,
                              entropic_model **model) {
  entropic_model *made = ent_new(context, 1, sizeof *made);
  if (made == NULL)
    return ENTROPIC_NO_MEMORY;
  ent_unpacker unpacker = {.context = context,
                           .name = name,
                           .bytes = loaded->bytes,
                           .statistics = loaded->statistics,
                           .at = ENT_MAGIC_SIZE,
                           .end = loaded->count - ENT_SUM_SIZE};
  unpacker.version = ent_unpack_u32(&unpacker, "a version");
  unpacker.at = ENT_HEAD_SIZE;
  load_sections(&unpacker, made);
  entropic_status status = unpacker.status;
  if (status != ENTROPIC_OK)
    goto fail;
  for (size_t c = 0; c < ent_model_components(made); c++) {
    ent_component *component = c == 0 ? &made->main : &made->more[c - 1];
    if (component->design != NULL)
      status = entropic_lift_create(context, component->design, &component->lift);
    if (status != ENTROPIC_OK)
      goto fail;
  }
  status = ent_model_drop_unused(context, made);
  if (status != ENTROPIC_OK)
    goto fail;
  *model = made;
  return ENTROPIC_OK;
fail:
  entropic_model_free(made);
  return status;
}

/* A model that is being loaded: from a file, or without a path from memory. */
typedef struct ent_model_loading {
  const char *path;
  ent_loaded loaded;
  entropic_model *model;
} ent_model_loading;

static entropic_status load_file(entropic_context *context, void *arguments) {
  ent_model_loading *loading = arguments;
  const char *path = loading->path, *name = strcmp(path, "-") == 0 ? "standard input" : path;
  entropic_status status = read_file(context, path, name, &loading->loaded);
  if (status != ENTROPIC_OK)
    goto done;
  status = unpack(context, name, &loading->loaded, &loading->model);
done:
  ent_delete(loading->loaded.bytes);
  return status;
}

static entropic_status load_memory(entropic_context *context, void *arguments) {
  ent_model_loading *loading = arguments;
  uint64_t length = 0;
  entropic_status status = check_head(context, "memory", &loading->loaded, &length);
  if (status != ENTROPIC_OK)
    return status;
  status = check_whole(context, "memory", &loading->loaded, length);
  return status != ENTROPIC_OK ? status : unpack(context, "memory", &loading->loaded, &loading->model);
}

static entropic_status load(entropic_context *context, ent_call_work work, ent_model_loading *loading,
                            entropic_model **model) {
  entropic_status status = ent_call_run(context, "reading", work, loading);
  if (status != ENTROPIC_OK) {
    entropic_model_free(loading->model);
    return status;
  }
  *model = loading->model;
  return ENTROPIC_OK;
}

entropic_status ent_load_file(entropic_context *context, const char *path, bool statistics, entropic_model **model) {
  ent_model_loading loading = {.path = path, .loaded = {.statistics = statistics}};
  return load(context, load_file, &loading, model);
}

entropic_status ent_load_memory(entropic_context *context, const void *bytes, size_t count, bool statistics,
                                entropic_model **model) {
  ent_model_loading loading = {
      .loaded = {.statistics = statistics, .bytes = (uint8_t *)bytes, .count = count}}; /* read, never written */
  return load(context, load_memory, &loading, model);
}

entropic_status entropic_model_load(entropic_context *context, const char *path, entropic_model **model) {
  ENT_NEED(context, path);
  ENT_NEED(context, model);
  return ent_load_file(context, path, false, model);
}

entropic_status entropic_model_load_memory(entropic_context *context, const void *bytes, size_t count,
                                           entropic_model **model) {
  ENT_NEED(context, bytes);
  ENT_NEED(context, model);
  return ent_load_memory(context, bytes, count, false, model);
}
