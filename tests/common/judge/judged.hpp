#pragma once
/// @file
/// Runs the probe lesson's judge on planned steps, and reads what it wrote.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "common/lesson/rung_json.hpp"
#include "common/lesson/rungs_file.hpp"
#include "tests/common/catch.hpp"

namespace ladder::test {

namespace fs = std::filesystem;
using nlohmann::json;

inline const std::string build = LADDER_BUILD;

/// A folder for one run of the judge.
struct Scratch {
  fs::path path;
  explicit Scratch(const fs::path& where = fs::temp_directory_path()) {
    std::string pattern = (where / "ladder-judge-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()));
    path = pattern;
  }
  ~Scratch() {
    std::error_code ignored;  // a worker that was killed may still write into it
    fs::remove_all(path, ignored);
  }
};

inline json planned(const std::string& row, const std::string& function, const std::string& backend = "cpu") {
  return {{"step", row},
          {"tree", "tests"},
          {"mutant", function},
          {"backend", backend},
          {"device", backend},
          {"worker", build + "/workers/probe/" + function + "." + backend},
          {"observed", backend == "executor" ? build + "/workers/probe/" + function + ".observed" : ""}};
}

inline json plan_of(const Scratch& scratch, const json& steps, const json& kinds) {
  const std::string baseline = build + "/workers/probe/baseline.cpu";
  return {{"schema", "gpu-ladder-plan/3"},
          {"lesson", "99-probe"},
          {"table", to_json(read_rungs(fs::path(LADDER_PROBE) / "99-probe" / "rungs.toml"))},
          {"seed", 7},
          {"root", LADDER_ROOT_FOLDER},
          {"scratch", scratch.path.string()},
          {"results", (scratch.path / "results.jsonl").string()},
          {"confine", build + "/bin/confine"},
          {"kinds", kinds},
          {"steps", steps},
          {"peers", {{{"name", "baseline"}, {"backend", "cpu"}, {"worker", baseline}, {"device", "cpu"}}}},
          {"limits", {{"call_seconds", 1.5}, {"memory_bytes", 256 << 20}}},
          {"recorders",
           {{"opencl", build + "/lib/libladder-trace-opencl.so"},
            {"nccl", build + "/lib/libladder-trace-nccl.so"}}},
          {"environment", {{"OMP_NUM_THREADS", "2"}, {"LADDER_OPENCL_DEVICE", "0:0"}}}};
}

inline pid_t start_judge(const Scratch& scratch, const json& plan) {
  const fs::path file = scratch.path / "plan.json";
  std::ofstream(file) << plan;
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::setenv("LADDER_PLAN", file.c_str(), 1);
    static_cast<void>(std::freopen("/dev/null", "w", stdout));
    ::execl(LADDER_JUDGE, LADDER_JUDGE, nullptr);
    ::_exit(127);
  }
  return pid;
}

inline std::vector<json> verdicts(const Scratch& scratch) {
  std::vector<json> found;
  std::ifstream file(scratch.path / "results.jsonl");
  for (std::string line; std::getline(file, line);)
    if (const json record = json::parse(line); record.at("record") == "verdict") found.push_back(record);
  return found;
}

inline std::vector<json> judged_by(const Scratch& scratch, const json& plan) {
  int status = 0;
  ::waitpid(start_judge(scratch, plan), &status, 0);
  return verdicts(scratch);
}

inline std::vector<json> judged(const json& steps, const json& kinds) {
  const Scratch scratch;
  return judged_by(scratch, plan_of(scratch, steps, kinds));
}

inline json judged_once(const std::string& row, const std::string& function, const std::string& kind,
                        const std::string& backend = "cpu") {
  const std::vector<json> found = judged(json::array({planned(row, function, backend)}), {kind});
  REQUIRE(found.size() == 1);
  return found.front();
}

/// Processes whose command line contains @p text.
inline int processes_with(const std::string& text) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ostringstream line;
    line << std::ifstream(entry.path() / "cmdline")
                .rdbuf();  // empty when it has ended meanwhile: an iterator would throw
    count += line.str().find(text) != std::string::npos;
  }
  return count;
}

}  // namespace ladder::test
