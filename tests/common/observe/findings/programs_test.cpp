/// @file
/// Programs that were written for the plain executor: nothing is found in them but what they do on purpose.
// Guards: common/executor/README.md#limits

#include "tests/common/catch.hpp"
#include "tests/common/executor/run.hpp"

#include <algorithm>
#include <set>

#include "common/base/observation/observation.hpp"

using ladder::Finding;
using ladder::test::Result;

namespace {

struct Run {
  Result result;
  std::vector<Finding> findings;
  std::string text;
};

Run run_observed(const std::string& name, const std::string& settings = "") {
  const std::string record = "/tmp/ladder-programs-test-" + std::to_string(getpid()) + ".json";
  Run run;
  run.result = ladder::test::run("env LADDER_EXECUTOR_OBSERVE=" + record + " " + settings +
                                 " " LADDER_OBSERVED "/observed-" + name);
  run.findings = ladder::parse_observation(ladder::test::read_file(record)).findings;
  std::remove(record.c_str());
  for (const Finding& finding : run.findings)
    run.text += finding.kind + " " + finding.site.file + ":" + std::to_string(finding.site.line) + " " +
                finding.message + "\n";
  return run;
}

/// What is found, each kind once.
std::set<std::string> kinds(const Run& run) {
  std::set<std::string> result;
  for (const Finding& finding : run.findings) result.insert(finding.severity + " " + finding.kind);
  return result;
}

using Kinds = std::set<std::string>;

}  // namespace

TEST_CASE("nothing is found in correct programs") {
  for (const std::string settings :
       {"", "LADDER_EXECUTOR_ORDER=1", "LADDER_EXECUTOR_ORDER=5", "LADDER_EXECUTOR_THREADS=3"}) {
    const Run run = run_observed("correct", settings);
    INFO(settings << "\n" << run.text << run.result.err);
    CHECK(kinds(run) == Kinds{"warning exited-before-barrier"});  // of threads that leave early
    CHECK(!run.result.prints("WRONG"));
    CHECK(run.result.status == 0);
  }
}

TEST_CASE("nothing is found in correct programs that are observed in part") {
  for (const std::string name : {"correct", "device", "solutions"}) {
    const Run run = run_observed(name, "LADDER_EXECUTOR_OBSERVE_LIMIT=2000");
    INFO(name << "\n" << run.text << run.result.err);
    CHECK(std::ranges::none_of(run.findings, [](const Finding& f) { return f.severity == "error"; }));
    CHECK(run.result.status == 0);
  }
}

TEST_CASE("nothing is found in programs that ask the device, or write launches in odd ways") {
  const Run device = run_observed("device"), syntax = run_observed("syntax");
  INFO(device.text << syntax.text);
  CHECK(device.findings.empty());
  CHECK(kinds(syntax) ==
        Kinds{"warning same-value-race"});  // several blocks of one kernel fill the same array
}

TEST_CASE("nothing is found in asynchronous copies that are waited for, by pipelines, barriers and groups") {
  for (const std::string name : {"pipelines", "groups"})
    for (const std::string settings : {"", "LADDER_EXECUTOR_ORDER=1", "LADDER_EXECUTOR_ORDER=5"}) {
      const Run run = run_observed(name, settings);
      INFO(name << " " << settings << "\n" << run.text << run.result.err);
      CHECK(run.result.prints("OK"));
      CHECK(!run.result.prints("WRONG"));
      CHECK(run.findings.empty());
    }
}

TEST_CASE("nothing is found where threads synchronise by locks, flags and tickets") {
  for (const std::string name : {"locks", "messages"})
    for (const std::string settings : {"", "LADDER_EXECUTOR_ORDER=1", "LADDER_EXECUTOR_ORDER=5",
                                       "LADDER_EXECUTOR_THREADS=3", "LADDER_EXECUTOR_OBSERVE_LIMIT=500"}) {
      const Run run = run_observed(name, settings);
      INFO(name << " " << settings << "\n" << run.result.out << run.text << run.result.err);
      CHECK(run.result.prints(name == "locks" ? "OK of each block" : "OK there and back"));
      CHECK(!run.result.prints("WRONG"));
      CHECK(run.findings.empty());
    }
}

TEST_CASE("streams: what is read before the wait on purpose is found, and nothing else") {
  const Run run = run_observed("streams");
  INFO(run.text);
  CHECK(kinds(run) == Kinds{"error early-read", "error missing-dependence"});
  CHECK(run.findings.size() == 3);
}

TEST_CASE("nothing is found in the solutions") {
  const Run run = run_observed("solutions");
  INFO(run.text << run.result.err);
  CHECK(run.result.prints("OK"));
  CHECK(run.result.status == 0);
  CHECK(run.findings.empty());
}
