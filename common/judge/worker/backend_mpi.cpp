#include <mpi.h>

#include "common/judge/worker/worker.hpp"

namespace ladder {
namespace {

class Mpi final : public Backend {
 public:
  Mpi(int* argc, char*** argv) {
    int provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // so that a step's check() names its line
    MPI_Comm_dup(MPI_COMM_WORLD, &own_);  // so that the harness' barrier cannot meet a message of the step
  }
  const char* name() const override { return "mpi"; }
  std::string device() const override { return std::to_string(ranks_) + " processes"; }
  int rank() const override { return rank_; }
  void together() override { MPI_Barrier(own_); }

 private:
  int rank_ = 0, ranks_ = 1;
  MPI_Comm own_ = MPI_COMM_NULL;
};

}  // namespace

Backend& backend(int* argc, char*** argv) {
  static Mpi mpi(argc, argv);
  return mpi;
}

}  // namespace ladder
