#pragma once
/// @file
/// The ranks of a worker that mpirun starts.

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

namespace ladder {

/// MPI from its start on. It is never ended: a worker ends without destructors.
class MpiRanks {
 public:
  /// @param level  MPI_THREAD_MULTIPLE where streams send messages from threads of their own
  MpiRanks(int* argc, char*** argv, int level) {
    int provided;
    MPI_Init_thread(argc, argv, level, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // so that a step's check() names its line
    MPI_Comm_dup(MPI_COMM_WORLD, &own_);  // so that the harness' barrier cannot meet a message of the step
  }
  int rank() const { return rank_; }
  int count() const { return count_; }
  void together() const { MPI_Barrier(own_); }

 private:
  int rank_ = 0, count_ = 1;
  MPI_Comm own_ = MPI_COMM_NULL;
};

}  // namespace ladder
