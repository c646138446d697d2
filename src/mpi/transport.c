/* Bytes between ranks: see transport.h. */
#include "mpi/transport.h"

#include <time.h>

#include "base/memory.h"

#define PIECE ((size_t)1 << 30) /* bytes of a message: their number is an int */
#define TAG 1
#define LONGEST_NAP 2000000 /* nanoseconds */

entropic_status ent_transport_open(entropic_context *context, MPI_Comm communicator, ent_transport *transport) {
  *transport = (ent_transport){0};
  if (MPI_Comm_dup(communicator, &transport->communicator) != MPI_SUCCESS)
    return ent_fail(context, ENTROPIC_SYSTEM, "MPI has no further communicator");
  transport->open = true;
  MPI_Comm_rank(transport->communicator, &transport->rank);
  MPI_Comm_size(transport->communicator, &transport->size);
  return ENTROPIC_OK;
}

void ent_transport_close(ent_transport *transport) {
  if (transport->open)
    MPI_Comm_free(&transport->communicator);
  transport->open = false;
}

/* Waits for a request, with naps that grow. */
static void wait_for(MPI_Request *request) {
  struct timespec nap = {.tv_nsec = 20000};
  for (int done = 0;;) {
    MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (done)
      return;
    nanosleep(&nap, NULL);
    nap.tv_nsec = nap.tv_nsec * 2 < LONGEST_NAP ? nap.tv_nsec * 2 : LONGEST_NAP;
  }
}

bool ent_transport_agree(ent_transport *transport, bool yes) {
  int mine = yes, all = 0;
  MPI_Request request;
  MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_MIN, transport->communicator, &request);
  wait_for(&request);
  return all != 0;
}

void ent_transport_gather(ent_transport *transport, const void *mine, size_t size, void *all) {
  MPI_Request request;
  MPI_Iallgather(mine, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, transport->communicator, &request);
  wait_for(&request);
}

static void broadcast(ent_transport *transport, void *bytes, size_t count) {
  for (size_t at = 0; at < count; at += PIECE) {
    size_t left = count - at < PIECE ? count - at : PIECE;
    MPI_Request request;
    MPI_Ibcast((char *)bytes + at, (int)left, MPI_BYTE, 0, transport->communicator, &request);
    wait_for(&request);
    transport->bytes += left;
    transport->messages++;
  }
}

uint64_t ent_transport_size(ent_transport *transport, uint64_t number) {
  broadcast(transport, &number, sizeof number);
  return number;
}

entropic_status ent_transport_share(entropic_context *context, ent_transport *transport, const void *bytes,
                                    size_t count) {
  (void)context;
  ent_transport_size(transport, count);
  broadcast(transport, (void *)(uintptr_t)bytes, count); /* the root's are only read */
  return ENTROPIC_OK;
}

/* Room that others rely on. */
static unsigned char *need_room(entropic_context *context, ent_transport *transport, size_t count) {
  unsigned char *bytes = ent_new_raw(context, count, 1, 1);
  if (bytes == NULL)
    MPI_Abort(transport->communicator, 3);
  return bytes;
}

entropic_status ent_transport_take(entropic_context *context, ent_transport *transport, size_t count,
                                   unsigned char **bytes) {
  unsigned char *room = need_room(context, transport, count);
  if (room == NULL)
    return ENTROPIC_NO_MEMORY;
  broadcast(transport, room, count);
  *bytes = room;
  return ENTROPIC_OK;
}

static void send_piece(ent_transport *transport, int to, const void *bytes, size_t count) {
  MPI_Request request;
  MPI_Isend(bytes, (int)count, MPI_BYTE, to, TAG, transport->communicator, &request);
  wait_for(&request);
  transport->bytes += count;
  transport->messages++;
}

static void receive_piece(ent_transport *transport, int from, void *bytes, size_t count) {
  MPI_Request request;
  MPI_Irecv(bytes, (int)count, MPI_BYTE, from, TAG, transport->communicator, &request);
  wait_for(&request);
  transport->bytes += count;
  transport->messages++;
}

entropic_status ent_transport_send(entropic_context *context, ent_transport *transport, int to, const void *bytes,
                                   size_t count) {
  (void)context;
  uint64_t size = count;
  send_piece(transport, to, &size, sizeof size);
  for (size_t at = 0; at < count; at += PIECE)
    send_piece(transport, to, (const char *)bytes + at, count - at < PIECE ? count - at : PIECE);
  return ENTROPIC_OK;
}

entropic_status ent_transport_receive(entropic_context *context, ent_transport *transport, int from,
                                      unsigned char **bytes, size_t *count) {
  uint64_t size = 0;
  receive_piece(transport, from, &size, sizeof size);
  unsigned char *room = need_room(context, transport, (size_t)size);
  if (room == NULL)
    return ENTROPIC_NO_MEMORY;
  for (size_t at = 0; at < size; at += PIECE)
    receive_piece(transport, from, room + at, size - at < PIECE ? (size_t)size - at : PIECE);
  *bytes = room;
  *count = (size_t)size;
  return ENTROPIC_OK;
}
