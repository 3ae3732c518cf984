/// @file
/// The executor on 64-bit Arm: cross-compiled, run under qemu.
// Guards: docs/elsewhere.md#macos-arm64

#include "tests/common/catch.hpp"
#include "tests/common/executor/run.hpp"

using ladder::test::Result;
using ladder::test::run;

TEST_CASE("the executor works on 64-bit Arm", "[other-machine]") {
  if (ladder::test::read_file(LADDER_PROGRAMS "/arm/correct").empty())
    LADDER_SKIP("executor on 64-bit Arm: no cross compiler (package g++-aarch64-linux-gnu)");
  if (run("which qemu-aarch64").status != 0)
    LADDER_SKIP("executor on 64-bit Arm: no qemu-aarch64 (package qemu-user)");
  const std::string arm =
      "env LADDER_EXECUTOR_DELAY=5000 qemu-aarch64 -L /usr/aarch64-linux-gnu " LADDER_PROGRAMS "/arm/";
  for (const std::string program : {"correct", "streams"}) {
    const Result result = run(arm + program);
    INFO(program << "\n" << result.out << result.err);
    CHECK(result.status == 0);
    CHECK(result.prints("OK"));
    CHECK(!result.prints("WRONG"));
  }
  const Result stuck = run(arm + "mistakes barrier-divergence wrong");
  INFO(stuck.err);
  CHECK(stuck.status == 86);
  CHECK(stuck.says(ladder::test::line_with("mistakes.cu", "barrier-divergence") +
                   ": error: barrier divergence"));
  const Result past_the_end = run(arm + "mistakes past-the-end wrong");
  INFO(past_the_end.err);
  CHECK(past_the_end.status == 86);
  CHECK(past_the_end.says("error: the kernel accesses the element past the end of the 32768 bytes"));
  const Result misaligned =
      run(arm + "mistakes misaligned-vector wrong");  // which the processor itself allows
  INFO(misaligned.err);
  CHECK(misaligned.status == 86);
  CHECK(misaligned.says(ladder::test::line_with("mistakes.cu", "misaligned-vector") +
                        ": error: the kernel reads at a misaligned address"));
}
