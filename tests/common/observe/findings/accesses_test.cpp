/// @file
/// Accesses that the compiler makes late, or without asking, are recorded like all others; and what is read
/// without a value counts only where it can matter.
// Guards: docs/executor.md

#include "tests/common/catch.hpp"
#include "tests/common/executor/run.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include "common/base/observation/observation.hpp"

using ladder::Finding;
using ladder::LaunchCounters;
using ladder::Observation;
using ladder::test::Result;

namespace {

struct SeenRun {
  Result result;
  Observation observation;
  std::string text;
};

SeenRun look_at(const std::string& command) {
  const std::string record = "/tmp/ladder-accesses-test-" + std::to_string(getpid()) + ".json";
  SeenRun run;
  run.result =
      ladder::test::run("env LADDER_EXECUTOR_OBSERVE=" + record + " " LADDER_OBSERVED "/observed-" + command);
  run.observation = ladder::parse_observation(ladder::test::read_file(record));
  std::remove(record.c_str());
  run.text = command + "\n" + run.result.out + run.result.err;
  for (const Finding& finding : run.observation.findings)
    run.text += finding.severity + " " + finding.kind + " " + finding.site.file + ":" +
                std::to_string(finding.site.line) + " " + finding.message + "\n";
  return run;
}

/// Bytes by operation.
std::map<std::string, std::uint64_t> bytes_of(const Observation& observation, const std::string& kernel) {
  std::map<std::string, std::uint64_t> bytes;
  for (const LaunchCounters& launch : observation.launches)
    if (launch.kernel == kernel)
      for (const ladder::LineCounters& line : launch.lines) bytes[line.operation] += line.lanes * line.size;
  return bytes;
}

/// How often each function of accesses.cu calls each hook that records an access.
std::map<std::string, int> hooks_of(const std::string& compiler) {
  const std::string file = "/tmp/ladder-hooks-" + std::to_string(getpid()) + ".cpp";
  const std::string source = LADDER_PROJECT "/tests/common/observe/findings/accesses.cu";
  const Result made =
      ladder::test::run(LADDER_CU2CPP " " + source + " " + file + " && " + compiler + " " LADDER_FLAGS " @" +
                        file + ".options -w -DMOST_BYTES=32 -S -o - " + file);
  for (const char* more : {"", ".options"}) std::remove((file + more).c_str());
  INFO(made.err);
  CHECK(made.status == 0);
  std::map<std::string, int> hooks;
  std::istringstream lines(made.out);
  std::string function;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != '\t' && line[0] != '.' && line.ends_with(":")) function = line;
    for (const std::string hook : {"__tsan_", "ladder_observed_", "observe_atomic"}) {
      const auto at = line.find(hook);
      if (at == line.npos || line.find("__tsan_func") != line.npos || line.find('"') != line.npos) continue;
      ++hooks[function + line.substr(at, line.find('@', at) - at)];
    }
  }
  return hooks;
}

bool is_struct_line(const ladder::SourceLine& site) {
  std::ifstream file(LADDER_PROJECT "/" + site.file);
  std::string line;
  for (int i = 0; i < site.line; ++i) std::getline(file, line);
  return line.starts_with("struct") || line.empty();
}

/// Severities of what is found, worst first.
std::string worst(const SeenRun& run) {
  for (const char* severity : {"error", "warning", "note"})
    if (run.observation.findings_of(severity) > 0) return severity;
  return "nothing";
}

}  // namespace

TEST_CASE("whatever the compiler makes of an access, it is recorded: reads, writes and atomics") {
  const SeenRun run = look_at("accesses");
  INFO(run.text);
  REQUIRE(run.observation.findings.size() ==
          1);  // a shared array that nobody writes: no load of it may be taken for zero
  CHECK(run.observation.findings[0].kind == "uninitialised");
  CHECK(run.observation.findings[0].kernel == "never_shared");
  std::istringstream lines(run.result.out);
  std::string kernel;
  int kernels = 0;
  for (std::uint64_t reads = 0, writes = 0, atomics = 0; lines >> kernel >> reads >> writes >> atomics;
       ++kernels) {
    auto bytes = bytes_of(run.observation, kernel);
    INFO(kernel);
    if (kernel == "virtual_pointer") {  // also by the constructor of the base
      CHECK(bytes["store"] >= writes);
    } else if (kernel == "bit_field") {  // the unit that has the field is changed
      CHECK(bytes["load"] >= reads);
      CHECK(bytes["store"] >= writes);
    } else {
      CHECK(bytes["load"] == reads);
      CHECK(bytes["store"] == writes);
    }
    CHECK(bytes["atomic"] == atomics);
  }
  CHECK(kernels == 35);
}

TEST_CASE("g++ for 64-bit Arm calls the same hooks in every function", "[other-machine]") {
  if (ladder::test::run("which aarch64-linux-gnu-g++").status != 0)
    LADDER_SKIP("hooks on 64-bit Arm: no cross compiler (package g++-aarch64-linux-gnu)");
  const auto here = hooks_of(LADDER_CXX), arm = hooks_of("aarch64-linux-gnu-g++");
  CHECK(here.size() > 100);
  for (const auto& [hook, count] : here) {
    INFO(hook);
    CHECK(arm.contains(hook));
    if (arm.contains(hook)) CHECK(arm.at(hook) == count);
  }
  CHECK(arm.size() == here.size());
}

TEST_CASE("what has no value is an error where it matters, and only there") {
  const SeenRun names = look_at("matters");
  std::istringstream list(names.result.out);
  int cases = 0;
  for (std::string name, expected; list >> name >> expected; ++cases) {
    const SeenRun right = look_at("matters " + name + " right"),
                  wrong = look_at("matters " + name + " wrong");
    INFO(right.text << wrong.text);
    CHECK(right.result.prints("OK"));
    CHECK(right.result.status == 0);
    CHECK(worst(right) == expected);
    CHECK(worst(wrong) == "error");
    for (const Finding& finding :
         wrong.observation.findings)  // not the line of the structure, which has its copy constructor
      CHECK(!is_struct_line(finding.site));
    CHECK(wrong.result.status == 87);
  }
  CHECK(cases >= 20);
}
