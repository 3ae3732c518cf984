/// @file
/// Every planted mistake is found, with its line and its words; the same code without it is silent.
// Guards: common/executor/README.md#messages

#include "tests/common/catch.hpp"
#include "tests/common/executor/run.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/base/observation/observation.hpp"

using ladder::Finding;
using ladder::Observation;
using ladder::test::line_with;
using ladder::test::Result;
using nlohmann::json;

namespace {

const json& table() {
  static const json all = json::parse(ladder::test::read_file(LADDER_SOURCES "/planted.json"));
  return all;
}

struct PlantedRun {
  Result result;
  Observation observation;
};

PlantedRun run(const json& planted, const std::string& version, const std::string& settings = "") {
  const std::string record = "/tmp/ladder-findings-test-" + std::to_string(getpid()) + ".json";
  const std::string command =
      planted["program"].get<std::string>() + " " + planted["case"].get<std::string>() + " " + version;
  PlantedRun run;
  run.result = ladder::test::run_program(command, "LADDER_EXECUTOR_OBSERVE=" + record + " " + settings);
  run.observation = ladder::parse_observation(ladder::test::read_file(record));
  std::remove(record.c_str());
  return run;
}

/// The same once for all test cases: what they look at in a run that is like any other.
const PlantedRun& first_run(const json& planted, const std::string& version) {
  static std::map<std::pair<std::string, std::string>, PlantedRun> runs;
  const auto [at, fresh] = runs.try_emplace({planted.dump(), version});
  if (fresh) at->second = run(planted, version);
  return at->second;
}

/// Whether the line is the one with that mark.
bool at_mark(const ladder::SourceLine& site, const json& planted, const std::string& mark) {
  const std::string place = site.file + ":" + std::to_string(site.line);
  return place.ends_with("/" + line_with(planted["program"].get<std::string>() + ".cu", mark));
}

bool has_words(const Finding& finding, const json& words) {
  const std::string text = finding.message + " " + finding.meaning;
  for (const json& word : words)
    if (text.find(word.get<std::string>()) == std::string::npos) return false;
  return true;
}

bool is_expected(const Finding& finding, const json& planted) {
  if (finding.kind != planted["kind"].get<std::string>()) return false;
  if (finding.severity != planted["severity"].get<std::string>()) return false;
  if (!has_words(finding, planted["words"])) return false;
  const std::string line = planted["line"];
  if (!planted.contains("other")) return at_mark(finding.site, planted, line);
  // Which of two parties comes first is the judge's choice.
  const std::string other = planted["other"];
  return finding.other &&
         ((at_mark(finding.site, planted, line) && at_mark(finding.other->site, planted, other)) ||
          (at_mark(finding.site, planted, other) && at_mark(finding.other->site, planted, line)));
}

std::string text_of(const PlantedRun& run) {
  std::string text = run.result.out + run.result.err + "status " + std::to_string(run.result.status) + "\n";
  for (const Finding& finding : run.observation.findings)
    text +=
        finding.severity + " " + finding.kind + " " + finding.site.file + ":" +
        std::to_string(finding.site.line) + " " + finding.operation + " " + finding.address + ": " +
        finding.message + " / " + finding.meaning + " / other " +
        (finding.other ? finding.other->site.file + ":" + std::to_string(finding.other->site.line) : "none") +
        "\n";
  return text;
}

int expected_status(const json& planted) {
  return planted["ends"] == true ? 86 : planted["severity"] == "error" ? 87 : 0;
}

}  // namespace

TEST_CASE("every planted mistake is found at its line") {
  REQUIRE(table().size() >= 30);
  for (const json& planted : table()) {
    const PlantedRun& wrong = first_run(planted, "wrong");
    INFO(planted["program"] << " " << planted["case"] << ": " << planted["what"] << "\n" << text_of(wrong));
    const auto& findings = wrong.observation.findings;
    CHECK(std::any_of(findings.begin(), findings.end(),
                      [&](const Finding& f) { return is_expected(f, planted); }));
    CHECK(wrong.result.status == expected_status(planted));
  }
}

TEST_CASE("the corrected version of every planted mistake is silent") {
  for (const json& planted : table()) {
    const PlantedRun& right = first_run(planted, "right");
    INFO(planted["program"] << " " << planted["case"] << "\n" << text_of(right));
    CHECK(right.result.status == 0);
    CHECK(right.observation.findings.empty());
    CHECK(right.result.err.empty());
  }
}

TEST_CASE("an index that nobody wrote is told before the place that it led to") {
  // Two findings: not of the table.
  const json both = {{"program", "memory"}, {"case", "index-never-written"}};
  const PlantedRun wrong = run(both, "wrong"), right = run(both, "right");
  INFO(text_of(wrong) << text_of(right));
  REQUIRE(wrong.observation.findings.size() > 1);
  CHECK(wrong.observation.findings[0].kind == "uninitialised");
  CHECK(wrong.observation.findings[1].kind == "out-of-bounds");
  CHECK(right.observation.findings.empty());
}

TEST_CASE("the race that is told first is one across warps, for which a barrier of the warp is not enough") {
  const json tiles = {{"program", "shared"}, {"case", "two-tiles"}};  // two findings: not of the table
  const PlantedRun wrong = run(tiles, "wrong"), right = run(tiles, "right");
  INFO(text_of(wrong) << text_of(right));
  std::vector<Finding> races;
  for (const Finding& finding : wrong.observation.findings)
    if (finding.kind == "shared-race") races.push_back(finding);
  REQUIRE(races.size() == 2);
  CHECK(races[0].address.starts_with("Bs"));
  CHECK(has_words(races[0], json::array({"of different warps", "use a __syncthreads()"})));
  CHECK(races[1].address.starts_with("As"));
  CHECK(has_words(races[1], json::array({"put a __syncwarp() between the two accesses"})));
  CHECK(right.observation.findings.empty());
}

TEST_CASE("a launch that is refused is no finding when the program asks, or is told") {
  const json asks = {{"program", "launches"}, {"case", "refused-and-asked"}};
  const PlantedRun run_of_it = run(asks, "right");
  INFO(text_of(run_of_it));
  CHECK(run_of_it.observation.findings.empty());
  CHECK(run_of_it.result.status == 0);
}

TEST_CASE("findings are the same in every run") {
  for (const json& planted : table())
    CHECK(text_of(first_run(planted, "wrong")) == text_of(run(planted, "wrong")));
}

TEST_CASE("findings do not depend on the order in which threads and blocks run") {
  for (const json& planted : table()) {
    for (const std::string order : {"1", "5"}) {
      const PlantedRun wrong = run(planted, "wrong", "LADDER_EXECUTOR_ORDER=" + order);
      INFO(planted["program"] << " " << planted["case"] << " order " << order << "\n" << text_of(wrong));
      const auto& findings = wrong.observation.findings;
      const auto same = [&](const Finding& finding) {
        return finding.kind == planted["kind"].get<std::string>();
      };
      CHECK(std::any_of(findings.begin(), findings.end(), same));
      const PlantedRun right = run(planted, "right", "LADDER_EXECUTOR_ORDER=" + order);
      INFO(text_of(right));
      CHECK(right.observation.findings.empty());
    }
  }
}

TEST_CASE("the corrected versions are silent when they are observed in part, too") {
  for (const json& planted : table()) {
    const PlantedRun right = run(planted, "right", "LADDER_EXECUTOR_OBSERVE_LIMIT=64");
    INFO(planted["program"] << " " << planted["case"] << "\n" << text_of(right));
    CHECK(right.result.status == 0);
    CHECK(right.observation.findings.empty());
    CHECK(right.result.err.empty());
  }
}
