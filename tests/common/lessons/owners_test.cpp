/// @file
/// What common/device/cuda.hpp promises, by the program owners.cu, into which each lesson's headers with
/// device code are linked twice.
// Guards: docs/design.md#where-things-are

#include <string>

#include "tests/common/catch.hpp"
#include "tests/common/shell.hpp"

using ladder::test::contains;

namespace {

/// @return what a command prints, and "failed" where it ends with another status than 0
std::string printed_by(const std::string& command) {
  const ladder::test::Finished ended = ladder::test::run(command);
  return ended.code == 0 ? ended.output : ended.output + "failed";
}

}  // namespace

TEST_CASE(
    "owners wait for a rung that throws; that they are built: headers of lessons can be in two sources") {
  const std::string said = printed_by(LADDER_OWNERS);
  CAPTURE(said);
  CHECK_FALSE(contains(said, "failed"));
  for (const char* line : {"DeviceBuffer waits: 1", "PinnedBuffer waits: 1", "PooledBuffer waits: 1",
                           "PooledPinnedBuffer waits: 1", "pooled in a stream: 1",
                           "pinned memory is pooled: 1", "asked once: 1", "streams have their priorities: 1"})
    CHECK(contains(said, line));
}

TEST_CASE("a device whose blocks have too little shared memory is told by its compute capability") {
  CHECK(contains(printed_by(LADDER_OWNERS " shared"), "72 KiB are there"));
  // 64 KiB as on a GPU of compute capability 7.5; the executor keeps 1 KiB of them
  const std::string said =
      printed_by("env LADDER_EXECUTOR_MULTIPROCESSOR_SHARED=65536 " LADDER_OWNERS " shared");
  CAPTURE(said);
  for (const char* part : {"owners.cu:", "needs 73728 bytes", "compute capability 9.0", "allows 64512"})
    CHECK(contains(said, part));
}

TEST_CASE("rungs that order streams by the legacy default stream are not compiled without it") {
  CHECK(printed_by(LADDER_COMPILE_CUDA LADDER_SHIM).empty());
  const std::string said =
      printed_by(LADDER_COMPILE_CUDA " -DCUDA_API_PER_THREAD_DEFAULT_STREAM" LADDER_SHIM);
  CHECK(contains(said, "legacy default stream"));
  CHECK(contains(said, "failed"));
}
