#pragma once
/// @file
/// The ranks of a worker that mpirun starts.

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <string>

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
    count_nodes();
    settle();
  }
  int rank() const { return rank_; }
  int count() const { return count_; }
  /// " on 2 nodes", and "" on one.
  std::string where() const { return nodes_ > 1 ? " on " + std::to_string(nodes_) + " nodes" : ""; }
  void together() const { MPI_Barrier(own_); }
  /// Until all messages have arrived that other nodes wait for. A send may return with its message in a queue
  /// of this process, which moves only inside of MPI's functions, and the rank calls none while it waits for
  /// the judge. Who leaves the first barrier knows that all have received what they waited for; who leaves
  /// the second one, that the first barrier's own messages have arrived.
  void settle() const {
    if (nodes_ == 1) return;  // shared memory needs no help
    together();
    together();
  }

 private:
  void count_nodes() {
    MPI_Comm node = MPI_COMM_NULL;
    int place = 0;
    MPI_Comm_split_type(own_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &place);
    const int is_first = place == 0;
    MPI_Allreduce(&is_first, &nodes_, 1, MPI_INT, MPI_SUM, own_);
    MPI_Comm_free(&node);
  }

  int rank_ = 0, count_ = 1, nodes_ = 1;
  MPI_Comm own_ = MPI_COMM_NULL;
};

}  // namespace ladder
