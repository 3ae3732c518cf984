/// @file
/// The CUDA recorder on a real GPU, where there is one.
// Guards: common/trace/README.md

#include "tests/common/catch.hpp"
#include "tests/common/shell.hpp"

TEST_CASE("CUDA: a small program on a GPU, exactly") {
#ifndef LADDER_TRACED_CUDA
  LADDER_SKIP("trace: nvcc or CUPTI is not installed");
#else
  const ladder::test::Finished finished =
      ladder::test::run("CUDA_INJECTION64_PATH=" LADDER_CUDA_RECORDER " " LADDER_TRACED_CUDA);
  if (finished.code == 77) LADDER_SKIP("trace: no GPU");
  INFO(finished.output);
  REQUIRE(finished.code == 0);
  const std::string text = "\n" + finished.output;
  const auto says = [&](const std::string& line) { return ladder::test::contains(text, "\n" + line + "\n"); };
  CHECK(says("recorders cuda"));
  CHECK(says("bytes_to_device 8388608"));
  CHECK(says("bytes_to_host 8388608"));
  CHECK(says("pageable_bytes 8388608"));
  CHECK(says("launches 5"));  // three kernels and two graphs
  CHECK(says("kernels 9"));
  CHECK(says("waits 4"));
  CHECK(says("work_items 9437184"));
  CHECK(says("name twice"));
  CHECK(says("tied 1"));
  CHECK(says("shared 1024"));
#endif
}
