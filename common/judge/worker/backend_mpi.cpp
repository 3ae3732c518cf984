#include "common/judge/worker/mpi_ranks.hpp"
#include "common/judge/worker/worker.hpp"

namespace ladder {
namespace {

class Mpi final : public Backend {
 public:
  Mpi(int* argc, char*** argv) : ranks_(argc, argv, MPI_THREAD_FUNNELED) {}
  const char* name() const override { return "mpi"; }
  std::string device() const override {
    return std::to_string(ranks_.count()) + " processes" + ranks_.where();
  }
  int rank() const override { return ranks_.rank(); }
  void together() override { ranks_.together(); }
  void settle() override { ranks_.settle(); }

 private:
  MpiRanks ranks_;
};

}  // namespace

Backend& backend(int* argc, char*** argv) {
  static Mpi mpi(argc, argv);
  return mpi;
}

}  // namespace ladder
