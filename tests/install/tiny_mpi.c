/* A minimal program over ranks: each says that it has no shard, and all of them are told. */
#define ENTROPIC_EXPERIMENTAL
#include <entropic/entropic_mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  int level;
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
    return 1;
  entropic_context *context = NULL;
  if (entropic_context_create(&context) != ENTROPIC_OK)
    return 1;
  entropic_cluster *cluster = NULL;
  entropic_status status = entropic_cluster_create(context, MPI_COMM_WORLD, NULL, NULL, &cluster);
  puts(entropic_context_message(context));
  entropic_cluster_free(cluster);
  entropic_context_free(context);
  MPI_Finalize();
  return status != ENTROPIC_OK && cluster == NULL ? 0 : 1;
}
