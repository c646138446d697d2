/* Inputs that repeat an earlier one: see layout.h. All columns are walked over at once, a few rows at a time: first to
 * give each a hash, then, for those that share one, to compare value by value. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "dataset/layout.h"

/* What stands for a missing value; texts are numbered where no number is. */
#define MISSING_BITS UINT64_C(0x7ff8000000000000)
#define TEXT_BITS UINT64_C(0xfff8000000000000)

/* What is in the inputs, so that equal values have equal bits. */
typedef struct ent_content {
  const ent_layout *layout;
  ent_dictionary *texts; /* of all inputs */
  uint32_t **code;       /* of each input that is text: the codes of its texts among those of all; otherwise NULL */
} ent_content;

/* An input that may repeat another one. */
typedef struct ent_suspect {
  uint64_t hash;
  size_t input, original;
  bool same; /* so far */
} ent_suspect;

static void close_content(ent_content *content) {
  for (size_t i = 0; content->code != NULL && i < content->layout->inputs; i++)
    ent_delete(content->code[i]);
  ent_delete(content->code);
  ent_dictionary_free(content->texts);
}

/* Codes of a column are its own: the same text may have another one elsewhere. */
static entropic_status number_texts(entropic_context *context, ent_content *content, size_t input) {
  const ent_column *column = &content->layout->columns->list[content->layout->input[input]];
  if (column->mode != ENT_MODE_TEXT)
    return ENTROPIC_OK;
  size_t count = ent_dictionary_size(column->dictionary);
  uint32_t *code = content->code[input] = ent_new(context, count, sizeof *code);
  if (code == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t i = 0; i < count; i++) {
    const char *text = ent_dictionary_text(column->dictionary, i);
    bool is_new;
    entropic_status status = ent_dictionary_code(context, content->texts, text, strlen(text), &code[i], &is_new);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

static entropic_status open_content(entropic_context *context, const ent_layout *layout, ent_content *content) {
  *content = (ent_content){.layout = layout};
  content->code = ent_new(context, layout->inputs, sizeof *content->code);
  if (content->code == NULL)
    return ENTROPIC_NO_MEMORY;
  entropic_status status = ent_dictionary_create(context, &content->texts);
  if (status != ENTROPIC_OK)
    return status;
  for (size_t i = 0; i < layout->inputs; i++) {
    status = number_texts(context, content, i);
    if (status != ENTROPIC_OK)
      return status;
  }
  return ENTROPIC_OK;
}

/* Rows at a time: one where a table is stored row after row, so that memory is read in order. */
static size_t block_of(const ent_content *content) {
  return content->layout->table->values != NULL ? 1 : ENT_CURSOR_ROWS;
}

static inline uint64_t bits_at(const ent_content *content, ent_layout_cursor *cursor, size_t row, size_t input) {
  double value = ent_layout_at(cursor, row);
  if (isnan(value))
    return MISSING_BITS;
  if (content->code[input] != NULL)
    return TEXT_BITS + content->code[input][(size_t)value];
  uint64_t bits;
  value += 0.0; /* so that -0 is 0 */
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static int compare_suspects(const void *a, const void *b) {
  const ent_suspect *left = a, *right = b;
  if (left->hash != right->hash)
    return left->hash < right->hash ? -1 : 1;
  return (left->input > right->input) - (left->input < right->input);
}

/* All inputs, sorted by hash; those of one hash in their order. */
static entropic_status list_suspects(entropic_context *context, const ent_content *content, ent_suspect *suspects) {
  size_t inputs = content->layout->inputs;
  for (size_t i = 0; i < inputs; i++)
    suspects[i] = (ent_suspect){.hash = ENT_HASH_START, .input = i};
  size_t block = block_of(content), rows = content->layout->rows;
  ent_layout_cursor cursor;
  for (size_t from = 0; from < rows; from += block) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t i = 0; i < inputs; i++) {
      ent_layout_cursor_start(content->layout, content->layout->input[i], &cursor);
      for (size_t row = from; row < rows && row < from + block; row++)
        suspects[i].hash = ent_hash_step(suspects[i].hash, bits_at(content, &cursor, row, i));
    }
  }
  qsort(suspects, inputs, sizeof *suspects, compare_suspects);
  return ENTROPIC_OK;
}

/* Takes the first of each hash off the list, as the original of the others; returns how many these are. */
static size_t take_originals(ent_suspect *suspects, size_t count) {
  size_t left = 0, original = 0;
  uint64_t hash = 0;
  for (size_t i = 0; i < count; i++) {
    ent_suspect suspect = suspects[i];
    if (i == 0 || suspect.hash != hash) {
      hash = suspect.hash;
      original = suspect.input;
    } else {
      suspect.original = original;
      suspect.same = true;
      suspects[left++] = suspect;
    }
  }
  return left;
}

static entropic_status compare_rows(entropic_context *context, const ent_content *content, ent_suspect *suspects,
                                    size_t count) {
  size_t block = block_of(content), rows = content->layout->rows;
  const size_t *input = content->layout->input;
  ent_layout_cursor cursor, other;
  for (size_t from = 0; from < rows && count > 0; from += block) {
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    for (size_t i = 0; i < count; i++) {
      ent_suspect *suspect = &suspects[i];
      ent_layout_cursor_start(content->layout, input[suspect->input], &cursor);
      ent_layout_cursor_start(content->layout, input[suspect->original], &other);
      for (size_t row = from; row < rows && row < from + block && suspect->same; row++)
        suspect->same =
            bits_at(content, &cursor, row, suspect->input) == bits_at(content, &other, row, suspect->original);
    }
  }
  return ENTROPIC_OK;
}

entropic_status ent_layout_find_copies(entropic_context *context, const ent_layout *layout, size_t *original) {
  ent_content content;
  ent_suspect *suspects = NULL;
  entropic_status status = open_content(context, layout, &content);
  if (status != ENTROPIC_OK)
    goto fail;
  suspects = ent_new(context, layout->inputs, sizeof *suspects);
  status = suspects == NULL ? ENTROPIC_NO_MEMORY : ENTROPIC_OK;
  if (status != ENTROPIC_OK)
    goto fail;
  status = list_suspects(context, &content, suspects);
  if (status != ENTROPIC_OK)
    goto fail;
  for (size_t i = 0; i < layout->inputs; i++)
    original[i] = ENT_NOWHERE;
  /* Once, unless inputs that differ share a hash: then those that are left are compared with each other. */
  for (size_t count = layout->inputs; count > 0;) {
    size_t left = take_originals(suspects, count);
    status = compare_rows(context, &content, suspects, left);
    if (status != ENTROPIC_OK)
      goto fail;
    count = 0;
    for (size_t i = 0; i < left; i++)
      if (suspects[i].same)
        original[suspects[i].input] = layout->input[suspects[i].original];
      else
        suspects[count++] = suspects[i];
  }
fail:
  ent_delete(suspects);
  close_content(&content);
  return status;
}
