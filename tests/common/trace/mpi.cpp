/// @file
/// The MPI recorder under a real mpirun, with two and three ranks.
// Guards: common/trace/README.md

#include <sstream>
#include <vector>

#include "tests/common/catch.hpp"
#include "tests/common/shell.hpp"

#ifdef LADDER_TRACED_MPI

namespace {

using Bytes = std::vector<int>;  // by rank

struct Result {
  Bytes sent, received, peer;
  bool recorded = true;
};

Result traced(int ranks, const std::string& what) {
  const std::string command =
      "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -np " +
      std::to_string(ranks) + " -x LD_PRELOAD=" LADDER_MPI_RECORDER " " LADDER_TRACED_MPI " " + what;
  const ladder::test::Finished finished = ladder::test::run(command);
  INFO(command << "\n" << finished.output);
  REQUIRE(finished.code == 0);
  Result result{Bytes(ranks, -1), Bytes(ranks, -1), Bytes(ranks, -1)};
  std::istringstream lines(finished.output);
  for (std::string line; std::getline(lines, line);) {
    int rank, sent, received, peer;
    char recorder[16] = "";
    if (std::sscanf(line.c_str(), "rank %d sent %d received %d peer %d [%15[a-z]]", &rank, &sent, &received,
                    &peer, recorder) < 4)
      continue;
    result.sent.at(rank) = sent;
    result.received.at(rank) = received;
    result.peer.at(rank) = peer;
    result.recorded = result.recorded && std::string(recorder) == "mpi";
  }
  return result;
}

}  // namespace

TEST_CASE("MPI: bytes sent between two ranks") {
  const Result send = traced(2, "send");
  CHECK(send.recorded);
  CHECK(send.sent == Bytes{48, 0});
  CHECK(send.received == Bytes{0, 48});  // not the 64 that there was room for
  CHECK(send.peer == Bytes{1, -1});
  CHECK(traced(2, "vector").sent == Bytes{48, 0});
  CHECK(traced(2, "sendrecv").sent == Bytes{48, 48});
  CHECK(traced(2, "self").sent == Bytes{0, 0});
  CHECK(traced(2, "persistent").sent == Bytes{144, 0});
  CHECK(traced(2, "put").sent == Bytes{48, 16});
}

TEST_CASE("MPI: the model of the collectives, three ranks") {
  CHECK(traced(3, "ring").sent == Bytes{48, 48, 48});
  CHECK(traced(3, "bcast").sent == Bytes{96, 0, 0});
  CHECK(traced(3, "ibcast").sent == Bytes{96, 0, 0});
  CHECK(traced(3, "scatter").sent == Bytes{96, 0, 0});
  CHECK(traced(3, "scatterv").sent == Bytes{16 + 24, 0, 0});
  CHECK(traced(3, "gatherv").sent == Bytes{0, 16, 24});
  CHECK(traced(3, "gather in place").sent == Bytes{0, 48, 48});
  CHECK(traced(3, "allgather").sent == Bytes{96, 96, 96});
  CHECK(traced(3, "allgatherv").sent == Bytes{16, 32, 48});
  CHECK(traced(3, "reduce").sent == Bytes{0, 48, 48});
  CHECK(traced(3, "allreduce").sent == Bytes{64, 64, 64});
  CHECK(traced(3, "alltoall").sent == Bytes{96, 96, 96});
}

TEST_CASE("MPI: the peer is a rank of the world, whatever the communicator") {
  const Result split = traced(3, "split");
  CHECK(split.sent == Bytes{0, 48, 0});
  CHECK(split.peer == Bytes{-1, 2, -1});
}

#else

TEST_CASE("MPI recorder") {
  LADDER_SKIP("trace: MPI is not installed");
}

#endif
