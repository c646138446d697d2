/* Messages between processes: see message.h. */
#include "columns/message.h"

#include <string.h>
#include <zlib.h>

#include "base/output.h"

#define ENT_MESSAGE_KIND ((size_t)8)
#define ENT_MESSAGE_SUM ((size_t)4)
#define ENT_MESSAGE_VERSION UINT32_C(1)

void ent_message_free(ent_message *message) {
  entropic_bytes_free(message->bytes);
  *message = (ent_message){0};
}

entropic_status ent_message_begin(entropic_context *context, const char *kind, ent_packer *packer) {
  *packer = (ent_packer){.context = context};
  entropic_status status = ent_output_create_memory(context, &packer->output);
  if (status != ENTROPIC_OK)
    return status;
  ent_pack_bytes(packer, kind, ENT_MESSAGE_KIND);
  ent_pack_u32(packer, ENT_MESSAGE_VERSION);
  return ENTROPIC_OK;
}

entropic_status ent_message_end(ent_packer *packer, ent_message *message) {
  ent_pack_flush(packer);
  ent_pack_u32(packer, packer->sum);
  ent_pack_flush(packer);
  entropic_status status = packer->status;
  if (status != ENTROPIC_OK)
    goto done;
  status = entropic_output_commit(packer->context, packer->output);
  if (status != ENTROPIC_OK)
    goto done;
  ent_output_take(packer->output, &message->bytes, &message->count);
done:
  entropic_output_free(packer->output);
  packer->output = NULL;
  return status;
}

entropic_status ent_message_open(entropic_context *context, const ent_message *message, const char *kind,
                                 ent_unpacker *unpacker) {
  size_t head = ENT_MESSAGE_KIND + 4, count = message->bytes == NULL ? 0 : message->count;
  *unpacker = (ent_unpacker){.context = context, .name = "message of a shard", .bytes = message->bytes};
  if (count < head + ENT_MESSAGE_SUM || memcmp(message->bytes, kind, ENT_MESSAGE_KIND) != 0)
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: found %zu bytes of another kind, expected %s", unpacker->name,
                    count, kind);
  unpacker->at = count - ENT_MESSAGE_SUM;
  unpacker->end = count;
  uint32_t sum = ent_unpack_u32(unpacker, "a checksum");
  unpacker->at = ENT_MESSAGE_KIND;
  unpacker->end = count - ENT_MESSAGE_SUM;
  if (sum != (uint32_t)crc32_z(0, message->bytes, unpacker->end))
    return ent_fail(context, ENTROPIC_BAD_DATA, "%s: the checksum of its %zu bytes is wrong: it is damaged",
                    unpacker->name, count);
  unpacker->version = ent_unpack_u32(unpacker, "a version");
  if (unpacker->version != ENT_MESSAGE_VERSION)
    ent_unpack_refuse(unpacker, ENT_MESSAGE_KIND, "found version %u, expected %u", unpacker->version,
                      ENT_MESSAGE_VERSION);
  return unpacker->status;
}

entropic_status ent_message_close(ent_unpacker *unpacker) {
  if (ent_unpack_left(unpacker) > 0)
    ent_unpack_refuse(unpacker, unpacker->at, "found %zu bytes more, expected the end", ent_unpack_left(unpacker));
  return unpacker->status;
}
