/* The tables of a scaler in fewer bytes, for pages. Knots are mostly decimals of few digits, and heights ranks: whole numbers,
 * of which the differences are kept, compressed. They are unpacked to the same doubles, bit by bit. */
#include "page/explain_page.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/progress.h"
#include "explain/input_distribution.h"

#define PART_BYTES ((size_t)1 << 16) /* compressed between two polls: a few ms */
#define MOST_DECIMALS 17
#define MOST_WHOLE 9007199254740992.0 /* 2^53 */

/* How many decimals all knots have at most; -1 if they are not that few, or too large. */
static int decimals_of(const ent_scale *scale) {
  for (int decimals = 0; decimals <= MOST_DECIMALS; decimals++) {
    double unit = pow(10, decimals);
    bool whole = true;
    for (size_t k = 0; k < scale->knots && whole; k++) {
      double number = rint(scale->at[k] * unit);
      if (!(fabs(number) < MOST_WHOLE))
        return -1;
      whole = number / unit == scale->at[k];
    }
    if (whole)
      return decimals;
  }
  return -1;
}

static void add_knots(ent_json *json, const ent_scale *scale) {
  int decimals = decimals_of(scale);
  double unit = pow(10, decimals < 0 ? 0 : decimals), before = 0;
  ent_json_open_list(json, NULL);
  ent_json_add_number(json, NULL, decimals);
  for (size_t k = 0; k < scale->knots; k++) {
    double number = rint(scale->at[k] * unit);
    ent_json_add_number(json, NULL, decimals < 0 ? scale->at[k] : number - before);
    before = number;
  }
  ent_json_close(json);
}

/* The height of a rank, as the page computes it. */
static double height_of(const ent_scale *scale, size_t knot, double rank, double ranks, bool blended) {
  double height = rank / ranks, first = scale->at[0];
  return blended ? (height + (scale->at[knot] - first) / (scale->at[scale->knots - 1] - first)) / 2 : height;
}

static double rank_of(const entropic_scaler *scaler, size_t input, size_t knot, double ranks) {
  return rint(ent_scale_knot_rank(scaler, input, knot) * ranks);
}

static void add_heights(ent_json *json, const entropic_scaler *scaler, size_t input, size_t rows) {
  const ent_scale *scale = &scaler->scales[input];
  bool blended = scaler->scaling == ENTROPIC_SCALING_BLEND, ranked = ent_scale_knows_ranks(scaler, input);
  double ranks = 2 * (double)rows, before = 0;
  for (size_t k = 0; k < scale->knots && ranked; k++)
    ranked = height_of(scale, k, rank_of(scaler, input, k, ranks), ranks, blended) == scale->height[k];
  ent_json_open_list(json, NULL);
  ent_json_add_number(json, NULL, ranked ? ranks : 0);
  ent_json_add_integer(json, NULL, ranked && blended);
  for (size_t k = 0; k < scale->knots; k++) {
    double rank = ranked ? rank_of(scaler, input, k, ranks) : 0;
    ent_json_add_number(json, NULL, ranked ? rank - before : scale->height[k]);
    before = rank;
  }
  ent_json_close(json);
}

static void write_tables(ent_text *out, const ent_effects *e) {
  ent_json json = {.text = out, .compact = true};
  ent_json_open_object(&json, NULL);
  for (int heights = 0; heights < 2; heights++) {
    ent_json_open_list(&json, heights ? "heights" : "knots");
    for (size_t s = 0; s < e->part_count * e->used; s++) { /* in the order of exports */
      const entropic_scaler *scaler = e->parts[s / e->used].component->scaler;
      size_t input = e->inputs[s % e->used];
      if (scaler->scales[input].knots == 0)
        continue;
      out->status = out->status != ENTROPIC_OK ? out->status : ent_poll(out->context);
      ent_json_line(&json);
      if (heights)
        add_heights(&json, scaler, input, e->model->rows);
      else
        add_knots(&json, &scaler->scales[input]);
    }
    ent_json_close(&json);
  }
  ent_json_close(&json);
}

/* Feeds the text in parts; there is room for all it becomes. */
static entropic_status deflate_parts(entropic_context *context, const ent_text *text, z_stream *stream, size_t room) {
  stream->next_in = (Bytef *)text->bytes;
  for (size_t left = text->length; left > 0;) {
    size_t part = left < PART_BYTES ? left : PART_BYTES;
    entropic_status status = ent_poll(context);
    if (status != ENTROPIC_OK)
      return status;
    left -= part;
    stream->avail_in = (uInt)part;
    size_t unused = room - stream->total_out;
    stream->avail_out = (uInt)(unused < UINT_MAX ? unused : UINT_MAX);
    int done = deflate(stream, left > 0 ? Z_NO_FLUSH : Z_FINISH);
    if (done != (left > 0 ? Z_OK : Z_STREAM_END))
      return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory while compressing %zu bytes", text->length);
  }
  return ENTROPIC_OK;
}

static entropic_status compress_text(entropic_context *context, const ent_text *text, unsigned char **bytes,
                                     size_t *count) {
  z_stream stream = {0};
  unsigned char *made = NULL;
  if (deflateInit(&stream, Z_BEST_COMPRESSION) != Z_OK)
    return ent_fail(context, ENTROPIC_NO_MEMORY, "out of memory while compressing %zu bytes", text->length);
  entropic_status status = ENTROPIC_NO_MEMORY;
  uLong room = deflateBound(&stream, (uLong)text->length);
  made = ent_new(context, room, 1);
  if (made == NULL)
    goto done;
  stream.next_out = made;
  status = deflate_parts(context, text, &stream, room);
  if (status != ENTROPIC_OK)
    goto done;
  *bytes = made;
  *count = stream.total_out;
  made = NULL;
done:
  deflateEnd(&stream);
  ent_delete(made);
  return status;
}

/* Copies a module from *at up to a table of that name, and what stands in its place; *at is behind the table. */
static bool replace_table(ent_text *out, const char *name, const char **at, const char *instead) {
  char head[64] = "const ";
  strcat(strcat(head, name), " = new Float64Array([");
  const char *start = strstr(*at, head), *end = start == NULL ? NULL : strstr(start, "]);\n");
  if (end == NULL)
    return false;
  ent_text_bytes(out, *at, (size_t)(start - *at));
  ent_text_add(out, instead);
  *at = end + strlen("]);\n");
  return true;
}

void ent_explain_strip(ent_text *out, const char *module) {
  static const char head[] = "\nconst check = {\n", tail[] = "\n};\n";
  const char *start = strstr(module, head), *end = start == NULL ? NULL : strstr(start, tail);
  if (end == NULL) {
    ent_text_add(out, module);
    return;
  }
  ent_text_bytes(out, module, (size_t)(start - module));
  ent_text_add(out, "\nconst check = null;\n");
  ent_text_add(out, end + strlen(tail));
}

void ent_explain_pack(ent_text *out, const ent_effects *effects, const char *module) {
  ent_text tables = {.context = out->context};
  unsigned char *bytes = NULL;
  size_t count = 0, start = out->length;
  write_tables(&tables, effects);
  entropic_status status = tables.status;
  if (status == ENTROPIC_OK)
    status = compress_text(out->context, &tables, &bytes, &count);
  ent_text_free(&tables);
  if (status != ENTROPIC_OK) {
    out->status = out->status != ENTROPIC_OK ? out->status : status;
    return;
  }
  const char *at = module;
  ent_text_add(out, "const packedText = \"");
  ent_text_base64(out, bytes, count);
  ent_text_add(out, "\";\n");
  ent_text_add(out, ent_explain_unpacking);
  bool found = replace_table(out, "knots", &at, "const knots = unpackKnots(packed.knots);\n") &&
               replace_table(out, "heights", &at, "const heights = unpackHeights(packed.heights, knots);\n");
  if (!found && out->status == ENTROPIC_OK) /* a module of another form is left as it is */
    out->length = start;
  ent_explain_strip(out, found ? at : module);
  ent_delete(bytes);
}
