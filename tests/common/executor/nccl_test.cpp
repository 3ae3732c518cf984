/// @file
/// NCCL of the executor, between processes of mpirun.
// Guards: common/executor/README.md

#include <algorithm>
#include <sstream>
#include <vector>

#include "tests/common/catch.hpp"
#include "tests/common/executor/run.hpp"

namespace {

using namespace ladder::test;

Result started(int ranks, const std::string& what) {
  return run("env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -np " +
             std::to_string(ranks) + " " LADDER_PROGRAMS "/nccl " + what);
}

/// The lines of all ranks, sorted.
std::vector<std::string> lines(int ranks, const std::string& what) {
  const Result result = started(ranks, what);
  INFO(what << "\n" << result.out << result.err);
  CHECK(result.status == 0);
  std::istringstream text(result.out);
  std::vector<std::string> all;
  for (std::string line; std::getline(text, line);) all.push_back(line);
  std::sort(all.begin(), all.end());
  return all;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("NCCL: a collective takes its turn among the kernels of its stream") {
  CHECK(lines(3, "broadcast") == Lines{"rank 0: 112 112", "rank 1: 112 112", "rank 2: 112 112"});
  CHECK(lines(1, "broadcast") == Lines{"rank 0: 110 110"});
}

TEST_CASE("NCCL: reductions and gathers") {
  CHECK(lines(3, "reductions") ==
        Lines{"rank 0: -1 -1", "rank 0: 3 3", "rank 1: 3 3", "rank 1: 6 6", "rank 2: -1 -1", "rank 2: 3 3"});
  CHECK(lines(3, "gather") == Lines{"rank 0: 0 0 1 1 2 2", "rank 1: 0 0 1 1 2 2", "rank 2: 0 0 1 1 2 2"});
}

TEST_CASE("NCCL: in a group all ranks may send before they receive") {
  CHECK(lines(4, "ring") == Lines{"rank 0: 3 1", "rank 1: 0 2", "rank 2: 1 3", "rank 3: 2 0"});
}

TEST_CASE("NCCL: communicators of rows, columns and some processes") {
  CHECK(lines(4, "grid") == Lines{"rank 0: 0", "rank 0: 1", "rank 0: part of 1", "rank 1: 1", "rank 1: 1",
                                  "rank 1: part of 0", "rank 2: 0", "rank 2: 3", "rank 2: part of 0",
                                  "rank 3: 1", "rank 3: 3", "rank 3: part of 0"});
  CHECK(lines(3, "some") == Lines{"rank 1: 2", "rank 2: 2"});
}

TEST_CASE("NCCL: bytes are counted once for each other rank that must get them") {
  CHECK(lines(3, "bytes") == Lines{"rank 0: s480 r480 s480 r480 s12 r12",
                                   "rank 1: r240 s240 s480 r480 s12 r12",
                                   "rank 2: r240 s240 s480 r480 s12 r12"});
}

TEST_CASE("NCCL: mistakes are errors with a reason") {
  CHECK(started(2, "x host").prints("ncclBroadcast: the send buffer is not in device memory"));
  CHECK(started(2, "x root").prints("root 2 is none of the communicator's 2 ranks"));
  CHECK(started(2, "x end").prints("40 bytes, does not lie in one piece of device memory"));
  CHECK(started(2, "x piece").prints("not where the piece of rank 1 begins there"));
  const Result count = started(2, "x count");
  CHECK(count.status != 0);
  CHECK(count.says("programs/nccl.cu:"));
  CHECK(count.says("Do all ranks name the same count, type and root?"));
  CHECK(started(2, "level").prints("call MPI_Init_thread with MPI_THREAD_MULTIPLE before"));
}
