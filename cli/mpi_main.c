/* entropic-mpi: the command on ranks of MPI. `mpirun -n R entropic-mpi fit ...` has the options and the answers of
 * `entropic fit`; each rank reads its part of the table. Rank 0 speaks, the others are silent. */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "entropic/mpi.h"

typedef struct mpi_state {
  entropic_shard *shard;
  entropic_cluster *cluster;
  bool agreed; /* on whether all ranks begin */
} mpi_state;

#define HEARD_SIZE 4096

/* The last message that this rank has said and nobody has heard, without the name of the command. Lines that do not begin with
 * that name, such as a list of commands, are no messages. */
static void take_heard(char text[HEARD_SIZE]) {
  char all[HEARD_SIZE];
  const char name[] = "entropic", *found = NULL;
  fflush(stderr);
  off_t end = lseek(STDERR_FILENO, 0, SEEK_END), from = end < HEARD_SIZE ? 0 : end - HEARD_SIZE + 1;
  ssize_t count = end > 0 ? pread(STDERR_FILENO, all, HEARD_SIZE - 1, from) : 0;
  all[count > 0 ? count : 0] = 0;
  for (const char *line = all; line != NULL && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
    found = strncmp(line, name, sizeof name - 1) ? found : line;
  const char *colon = found ? strstr(found, ": ") : NULL;
  snprintf(text, HEARD_SIZE, "%s", colon ? colon + 2 : "");
  text[strcspn(text, "\n")] = 0;
}

/* Collective, at least once on each rank: `result` is why a rank cannot begin, `begins` whether it is about to. If all are, it is
 * EXIT_DONE; otherwise the exit status for all of them, and rank 0 says why. */
static int agree(mpi_state *state, int rank, int result, bool begins) {
  struct {
    int failed, rank;
  } mine = {!begins || result, rank}, first;
  char text[HEARD_SIZE] = "";
  state->agreed = true;
  MPI_Allreduce(&mine, &first, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
  if (!first.failed)
    return EXIT_DONE;
  int all = result ? result : EXIT_USAGE;
  if (rank == first.rank && rank > 0)
    take_heard(text);
  MPI_Bcast(&all, 1, MPI_INT, first.rank, MPI_COMM_WORLD);
  MPI_Bcast(text, HEARD_SIZE, MPI_CHAR, first.rank, MPI_COMM_WORLD);
  if (rank == 0 && first.rank > 0)
    fprintf(stderr, "entropic-mpi: rank %d cannot begin: %s\n", first.rank,
            *text ? text : "it was given other arguments; expected the same for every rank");
  return mine.failed && !result ? result : all;
}

/* ---- Options of ranks ---- */

#define SHOWN_NAME 64
#define SHOWN_VALUE 200

/* An option as a rank has it. Values longer than that are compared by their hash. */
typedef struct mpi_option {
  char name[SHOWN_NAME], value[SHOWN_VALUE];
  uint64_t hash;
} mpi_option;

/* FNV-1a. */
static uint64_t hash_of(const char *text) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return hash;
}

static void take_option(const char *name, const char *value, mpi_option *option) {
  *option = (mpi_option){.hash = hash_of(value)};
  snprintf(option->name, SHOWN_NAME, "%s", name);
  snprintf(option->value, SHOWN_VALUE, "%s", *value ? value : "not set");
}

/* What a rank may have for itself: its memory, and the folder for what does not fit into it. */
static bool is_own(const char *name) {
  return !strcmp(name, "memory") || !strcmp(name, "spool");
}

/* Collective: this option on rank 0 against mine. Keeps the first that differs in *other, and returns whether one did. */
static bool compare_option(const mpi_option *mine, bool differs, mpi_option *first, mpi_option *other) {
  mpi_option theirs = *mine;
  MPI_Bcast(&theirs, (int)sizeof theirs, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (differs || (!strcmp(theirs.name, mine->name) && theirs.hash == mine->hash))
    return differs;
  *first = theirs;
  *other = *mine;
  return true;
}

/* Collective: EXIT_DONE if the version and all parameters are those of rank 0, otherwise EXIT_USAGE on every rank. Paths are
 * not compared: what is in the files is, when the cluster is made. */
static int compare_options(const cli_session *session) {
  mpi_option mine, first = {0}, other = {0};
  take_option("version", entropic_version(), &mine);
  bool differs = compare_option(&mine, false, &first, &other);
  uint64_t count = entropic_parameter_count();
  MPI_Bcast(&count, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD); /* another version may have more of them, or fewer */
  for (size_t i = 0; i < count; i++) {
    entropic_parameter info = {.name = ""};
    entropic_parameter_describe(session->context, i, &info, sizeof info);
    const char *value = is_own(info.name) ? NULL : entropic_parameters_get(session->parameters, info.name);
    take_option(info.name, value ? value : "", &mine);
    differs = compare_option(&mine, differs, &first, &other);
  }
  struct {
    int differs, rank;
  } here = {differs, session->cluster->rank}, found;
  MPI_Allreduce(&here, &found, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
  if (!found.differs)
    return EXIT_DONE;
  MPI_Bcast(&first, (int)sizeof first, MPI_BYTE, found.rank, MPI_COMM_WORLD);
  MPI_Bcast(&other, (int)sizeof other, MPI_BYTE, found.rank, MPI_COMM_WORLD);
  return complain(session, EXIT_USAGE, "--%s differs: rank 0 has %s, rank %d has %s; expected the same on every rank",
                  first.name, first.value, found.rank, other.value);
}

static int begin(const cli_session *session, const char *data, const char *checkpoint) {
  const cli_cluster *ranks = session->cluster;
  mpi_state *state = ranks->self;
  int result = agree(state, ranks->rank, EXIT_DONE, true);
  if (result)
    return result;
  result = compare_options(session);
  if (result)
    return result;
  if (checkpoint && ranks->rank == 0)
    mkdir(checkpoint, 0777); /* what is wrong with the folder is said when it is written to */
  entropic_status status = entropic_shard_open(session->context, data, session->parameters, (size_t)ranks->rank,
                                               (size_t)ranks->size, &state->shard);
  result = agree(state, ranks->rank, status ? complain_library(session, status) : EXIT_DONE, true);
  if (result)
    return result;
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

/* Only one rank has something to say. What another one says goes to a file without a name, for rank 0 to repeat if need
 * be. */
static void be_silent(void) {
  if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
    _exit(EXIT_SYSTEM);
  FILE *heard = tmpfile();
  if (heard)
    dup2(fileno(heard), STDERR_FILENO);
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
  if (!state.agreed) /* the others must not wait for this rank */
    result = agree(&state, cluster.rank, result, false);
  MPI_Finalize();
  return result;
}
