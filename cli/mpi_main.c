/* entropic-mpi: the command on ranks of MPI. `mpirun -n R entropic-mpi fit ...` has the options and the answers of
 * `entropic fit`; each rank reads its part of the table. Rank 0 speaks, the others are silent. */
#include <mpi.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "entropic/mpi.h"

typedef struct mpi_state {
  entropic_shard *shard;
  entropic_cluster *cluster;
} mpi_state;

static int begin(const cli_session *session, const char *data, const char *checkpoint) {
  const cli_cluster *ranks = session->cluster;
  mpi_state *state = ranks->self;
  if (checkpoint && ranks->rank == 0)
    mkdir(checkpoint, 0777); /* what is wrong with the folder is said when it is written to */
  entropic_status status = entropic_shard_open(session->context, data, session->parameters, (size_t)ranks->rank,
                                               (size_t)ranks->size, &state->shard);
  if (!status)
    status = entropic_cluster_create(session->context, MPI_COMM_WORLD, state->shard, checkpoint, &state->cluster);
  return status ? complain_library(session, status) : EXIT_DONE;
}

static entropic_status load(const cli_session *session, entropic_table **table) {
  const cli_cluster *ranks = session->cluster;
  mpi_state *state = ranks->self;
  return entropic_table_of_shards(session->context, entropic_cluster_exchange, state->cluster, (size_t)ranks->size,
                                  session->parameters, table);
}

static int serve(const cli_session *session) {
  mpi_state *state = session->cluster->self;
  int result = (int)entropic_cluster_serve(session->context, state->cluster);
  entropic_cluster_free(state->cluster);
  entropic_shard_free(state->shard);
  return result;
}

/* The exit status goes to the others in the place of a status. */
static void end(const cli_session *session, int result) {
  mpi_state *state = session->cluster->self;
  entropic_cluster_end(session->context, state->cluster, (entropic_status)result);
  entropic_cluster_free(state->cluster);
  entropic_shard_free(state->shard);
}

/* The processors of this machine, for its ranks. */
static int count_threads(void) {
  MPI_Comm near;
  int ranks = 1;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &near) == MPI_SUCCESS) {
    MPI_Comm_size(near, &ranks);
    MPI_Comm_free(&near);
  }
  return processors > ranks ? (int)(processors / ranks) : 1;
}

/* Only one rank has something to say. */
static void be_silent(void) {
  if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
    _exit(EXIT_SYSTEM);
}

int main(int argc, char **argv) {
  int level;
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
    return EXIT_SYSTEM;
  mpi_state state = {0};
  cli_cluster cluster = {.self = &state, .begin = begin, .load = load, .serve = serve, .end = end};
  MPI_Comm_rank(MPI_COMM_WORLD, &cluster.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &cluster.size);
  cluster.threads = count_threads();
  if (cluster.rank > 0)
    be_silent();
  int result = EXIT_SYSTEM;
  if (level >= MPI_THREAD_SERIALIZED)
    result = command_main(argc, argv, &cluster);
  else if (cluster.rank == 0)
    fprintf(stderr, "entropic-mpi: this MPI has no threads; expected MPI_THREAD_SERIALIZED\n");
  MPI_Finalize();
  return result;
}
