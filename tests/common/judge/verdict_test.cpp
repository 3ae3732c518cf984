// Every verdict that a judge can give, reached by a step that earns it. Real workers, a real judge.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/common/catch.hpp"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string build = LADDER_BUILD;

/// A folder for one run of the judge.
struct Scratch {
  fs::path path;
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "ladder-judge-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  ~Scratch() { fs::remove_all(path); }
};

json planned(const std::string& row, const std::string& function, const std::string& backend = "cpu") {
  return {{"step", row},        {"tree", "tests"},
          {"mutant", function}, {"backend", backend},
          {"device", backend},  {"worker", build + "/workers/probe/" + function + "." + backend}};
}

json plan_of(const Scratch& scratch, const json& steps, const json& kinds) {
  const std::string baseline = build + "/workers/probe/baseline.cpu";
  return {{"schema", "gpu-ladder-plan/1"},
          {"lesson", "99-probe"},
          {"seed", 7},
          {"scratch", scratch.path.string()},
          {"results", (scratch.path / "results.jsonl").string()},
          {"kinds", kinds},
          {"steps", steps},
          {"peers", {{{"name", "baseline"}, {"backend", "cpu"}, {"worker", baseline}, {"device", "cpu"}}}},
          {"limits", {{"call_seconds", 1.5}, {"memory_bytes", 256 << 20}}},
          {"recorders", {{"opencl", build + "/lib/libladder-trace-opencl.so"}}},
          {"environment", {{"OMP_NUM_THREADS", "2"}, {"LADDER_OPENCL_DEVICE", "0:0"}}}};
}

pid_t start_judge(const Scratch& scratch, const json& plan) {
  const fs::path file = scratch.path / "plan.json";
  std::ofstream(file) << plan;
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::setenv("LADDER_PLAN", file.c_str(), 1);
    static_cast<void>(std::freopen("/dev/null", "w", stdout));
    const std::string judge = build + "/judges/99-probe";
    ::execl(judge.c_str(), judge.c_str(), nullptr);
    ::_exit(127);
  }
  return pid;
}

std::vector<json> verdicts(const Scratch& scratch) {
  std::vector<json> found;
  std::ifstream file(scratch.path / "results.jsonl");
  for (std::string line; std::getline(file, line);)
    if (const json record = json::parse(line); record.at("record") == "verdict") found.push_back(record);
  return found;
}

std::vector<json> judged(const json& steps, const json& kinds) {
  const Scratch scratch;
  int status = 0;
  ::waitpid(start_judge(scratch, plan_of(scratch, steps, kinds)), &status, 0);
  return verdicts(scratch);
}

json judged_once(const std::string& row, const std::string& function, const std::string& kind,
                 const std::string& backend = "cpu") {
  const std::vector<json> found = judged(json::array({planned(row, function, backend)}), {kind});
  REQUIRE(found.size() == 1);
  return found.front();
}

/// Processes whose command line contains @p text.
int processes_with(const std::string& text) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    const std::string line((std::istreambuf_iterator<char>(file)), {});
    count += line.find(text) != std::string::npos;
  }
  return count;
}

}  // namespace

TEST_CASE("correctness: each misbehaviour gets its verdict and words that help") {
  struct Expected {
    const char* function;
    const char* verdict;
    const char* words;
  };
  const Expected all[] = {
      {"right", "PASS", ""},
      {"wrong", "WRONG", "first y[2]: expected"},
      {"leaves_nan", "WRONG", "nan"},
      {"not_started", "NOT STARTED", "ladder::task()"},
      {"throws", "CRASHED", "the device is not in the mood"},
      {"throws_a_number", "CRASHED", "not a std::exception"},
      {"crashes", "CRASHED", "signal 11"},
      {"aborts", "CRASHED", "signal 6"},
      {"exits", "CRASHED", "exit code 0 before it had returned"},
      {"hangs", "TIMEOUT", "did not return within 1.5 s"},
      {"writes_input", "CRASHED", "inputs are read-only"},
      {"writes_behind", "WRONG", "wrote next to array 2"},
      {"writes_far_behind", "CRASHED", "an index is out of range"},
      {"frees_input", "CRASHED", "invalid pointer"},
      {"prints_megabytes", "PASS", ""},
      {"allocates", "CRASHED", "bad_alloc"},
      {"maps", "CRASHED", "used more than 256 MiB"},
      {"forks", "PASS", ""},
      {"leaves_a_thread", "WRONG", "expected"},
      {"remembers", "WRONG", "expected"},
      {"answers_for_the_harness", "REJECTED", "talks to the judge"},
      {"sends_nonsense", "REJECTED", "talks to the judge"},
  };
  json steps = json::array();
  for (const Expected& e : all) steps.push_back(planned("c1_plain", e.function));
  const std::vector<json> found = judged(steps, {"correctness"});
  REQUIRE(found.size() == std::size(all));  // one step's end is not the others'
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO(all[i].function << ": " << found[i].dump());
    CHECK(found[i].at("mutant") == all[i].function);
    CHECK(found[i].at("verdict") == all[i].verdict);
    const std::string message = found[i].at("message");
    CHECK(message.find(all[i].words) != std::string::npos);
    CHECK(message.find('\n') == std::string::npos);
  }
  CHECK(processes_with("/workers/probe/") == 0);
}

TEST_CASE("a forged record does not pass unnoticed: there are two of one kind") {
  const std::vector<json> found =
      judged(json::array({planned("c1_plain", "forges_a_record")}), {"correctness"});
  REQUIRE(found.size() >= 2);  // the tool rejects a step with two records of a kind
  CHECK(found.back().at("verdict") == "WRONG");
}

TEST_CASE("a worker that was not built from the source is rejected") {
  json step = planned("c1_plain", "right");
  step["source_hash"] = std::string(64, '0');
  const std::vector<json> found = judged(json::array({step}), {"correctness"});
  REQUIRE(found.size() == 1);
  CHECK(found[0].at("verdict") == "REJECTED");
}

TEST_CASE("a step that cannot run here is skipped with the reason") {
  json step = planned("c1_plain", "right");
  step["skip"] = "no GPU on this machine";
  const std::vector<json> found = judged(json::array({step}), {"correctness"});
  REQUIRE(found.size() == 1);
  CHECK(found[0].at("verdict") == "SKIPPED");
  CHECK(found[0].at("message") == "no GPU on this machine");
}

TEST_CASE("targets: met, missed, and not measurable") {
  const json idle = judged_once("c2_balanced", "one_thread_works", "targets");
  CHECK(idle.at("verdict") == "MISSED");
  CHECK(idle.at("targets").at(0).at("measured") == Approx(2).margin(0.1));
  CHECK(idle.at("points") < idle.at("max_points"));
  const json wrong = judged_once("c2_balanced", "wrong", "targets");
  CHECK(wrong.at("verdict") == "WRONG");
  const json counted = judged_once("c4_counted", "right", "targets");
  CHECK(counted.at("verdict") == "SKIPPED");
  CHECK(counted.at("message").get<std::string>().find("counters come with the observed mode") !=
        std::string::npos);
  CHECK(counted.at("targets").at(0).at("met").is_null());
}

TEST_CASE("time: the step's twin sets a bound that cannot be decided") {
  const json twin = judged_once("c3_timed", "right", "time");
  INFO(twin.dump());
  CHECK(twin.at("verdict") == "INCONCLUSIVE");
  CHECK(twin.at("ratio").at("baseline") > 0);
  CHECK(twin.at("points") == twin.at("max_points"));  // the favourable end
}

TEST_CASE("the recorder is there, or no metric is given") {
  if (!fs::exists(build + "/workers/probe/copies_once.opencl") ||
      !fs::exists(build + "/lib/libladder-trace-opencl.so"))
    LADDER_SKIP("no OpenCL headers: the recorder's tests were not built");
  const json once = judged_once("g1_traced", "copies_once", "targets", "opencl");
  if (once.at("message").get<std::string>().find("no OpenCL") != std::string::npos)
    LADDER_SKIP("no OpenCL platform");
  INFO(once.dump());
  CHECK(once.at("verdict") == "PASS");
  CHECK(once.at("targets").at(0).at("amount") == 16 * 1000);
  const json twice = judged_once("g1_traced", "copies_twice", "targets", "opencl");
  CHECK(twice.at("verdict") == "MISSED");
  CHECK(twice.at("targets").at(0).at("measured") == 2);
  CHECK(judged_once("g1_traced", "unloads_the_recorder", "targets", "opencl").at("verdict") == "REVIEW");
}

TEST_CASE("when the judge is told to end, nothing of a step stays behind") {
  const Scratch scratch;
  const pid_t judge =
      start_judge(scratch, plan_of(scratch, json::array({planned("c1_plain", "hangs")}), {"correctness"}));
  for (int i = 0; i < 500 && processes_with("/workers/probe/hangs") == 0; ++i) ::usleep(10'000);
  REQUIRE(processes_with("/workers/probe/hangs") > 0);
  ::kill(judge, SIGHUP);
  int status = 0;
  ::waitpid(judge, &status, 0);
  CHECK(processes_with("/workers/probe/hangs") == 0);
}

TEST_CASE("a full disk is an error of the run, never a verdict") {
  const Scratch scratch;
  json plan = plan_of(scratch, json::array({planned("c1_plain", "right")}), {"correctness"});
  plan["results"] = "/dev/full";
  int status = 0;
  ::waitpid(start_judge(scratch, plan), &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) != 0);
  CHECK(processes_with("/workers/probe/right") == 0);
}
