/// @file
/// Counts of instructions: Oclgrind's words, and a real run where it is installed.
// Guards: common/trace/README.md#how-an-opencl-step-is-observed

#include "common/trace/oclgrind/oclgrind.hpp"

#include "common/trace/metrics.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/trace/oclgrind_run.hpp"
#include "tests/common/trace/traces.hpp"

using namespace ladder;

namespace {

constexpr const char* words = R"(the program's own line
Instructions executed for kernel 'update':
         161 - br
          50 - load global (200 bytes)
      1,234  - fmul
           3 - switch

not a number - br
         999 - br
the program's own words, without an end of the line: Instructions executed for kernel 'pivot':
          10 - br
Instructions executed for kernel 'update':
           1 - br
)";

}  // namespace

TEST_CASE("Oclgrind's words are read") {
  const InstructionCounts counts = parse_instruction_counts(words);
  REQUIRE(counts.size() == 2);
  CHECK(counts.at("update").at("br") == 162);  // two launches; not the 999, which belong to no kernel
  CHECK(counts.at("update").at("load global") == 50);
  CHECK(counts.at("update").at("fmul") == 1234);
  CHECK(branches(counts) == 162 + 3 + 10);
  CHECK(branches(counts, "pivot") == 10);
  CHECK(metric("branches:pivot", {}, {.instructions = &counts}) == 10);
  CHECK(test::contains(test::error_of([&] { branches(counts, "other"); }), "no kernel 'other'"));
  CHECK(parse_instruction_counts("").empty());
  CHECK(test::contains(test::error_of([] { branches({}); }), "no kernel"));
}

TEST_CASE("a program runs under Oclgrind") {
#ifndef LADDER_SMALL_OPENCL
  LADDER_SKIP("trace: OpenCL is not installed");
#else
  const Oclgrind oclgrind = find_oclgrind();  // without the plugin: that is a choice
  if (!oclgrind.missing.empty()) LADDER_SKIP("trace: " + oclgrind.missing);
  const test::Finished finished =
      test::run_under(oclgrind.environment_of_instructions(), LADDER_SMALL_OPENCL);
  INFO(finished.output);
  REQUIRE(finished.code == 0);
  const InstructionCounts counts = parse_instruction_counts(finished.output);
  REQUIRE(counts.size() == 2);
  // A conditional branch each; those 50 that go in come out by a jump. Two launches.
  CHECK(branches(counts, "guarded") == 2 * (64 + 50));
  CHECK(branches(counts, "looped") >= 50);
  CHECK(counts.at("guarded").at("store global") == 2 * 50);
  // The plugin chooses other work-groups; what work-items execute is the same.
  if (const Oclgrind with_plugin = test::oclgrind_of_tests(); with_plugin.missing.empty())
    CHECK(parse_instruction_counts(
              test::run_under(with_plugin.environment_of_instructions(), LADDER_SMALL_OPENCL).output) ==
          counts);
#endif
}
