/// @file
/// Lists and their users: plan.json (what the tool writes is what the judge reads), and the kinds of findings.
// Guards: docs/design.md#the-life-of-a-check

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <set>

#include "common/base/files.hpp"
#include "tests/common/catch.hpp"

namespace {

using Keys = std::set<std::string>;

std::string source(const std::string& file) {
  const std::string text = ladder::read_text(LADDER_PROJECT "/common/" + file);
  REQUIRE(!text.empty());
  return text;
}

/// What a pattern has in its parentheses, wherever it matches.
Keys matches(const std::string& text, const std::string& pattern) {
  const std::regex keys(pattern);
  Keys found;
  for (std::sregex_iterator i(text.begin(), text.end(), keys), end; i != end; ++i) found.insert((*i)[1]);
  return found;
}

Keys both(Keys one, const Keys& other) {
  one.insert(other.begin(), other.end());
  return one;
}

Keys without(const Keys& all, const Keys& some) {
  Keys left;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::inserter(left, left.end()));
  return left;
}

Keys read_by_judge() {
  const std::string text = source("judge/plan.cpp");
  return both(matches(text, R"re((?:\.at|\.value)\("([a-z0-9_]+)")re"),
              matches(text, R"re(peers_of\(j, "([a-z]+)")re"));
}

Keys written_by_tool() {
  std::string text = source("tool/judging/plan_file.cpp");
  const auto begin = text.find("void add_sanitized"), end = text.find("double judge_limit");
  REQUIRE(begin < end);
  REQUIRE(end != std::string::npos);
  text = text.substr(begin, end - begin);
  const std::string peers = source("tool/judging/peers.cpp");
  REQUIRE(peers.find("json plan_entry") != std::string::npos);
  text += peers.substr(peers.find("json plan_entry"));
  const std::string rates = source("tool/machine/ceilings.cpp");
  const auto from = rates.rfind("json rates_of"), to = rates.find("json measure_ceilings");
  REQUIRE(from < to);
  // Without the names of measured lines, which are no fields.
  text += std::regex_replace(rates.substr(from, to - from), std::regex(R"(best_of\([^)]*\))"), "");
  return both(matches(text, R"re(\{\s*"([a-z0-9_]+)",\s)re"),
              both(matches(text, R"re((?:plan|step|rates)\["([a-z_]+)"\])re"),
                   matches(text, R"re(put\("([a-z]+)")re")));
}

}  // namespace

TEST_CASE("plan.json: every field that the tool writes is read by the judge") {
  CHECK(without(written_by_tool(), read_by_judge()) == Keys{});
}

TEST_CASE("plan.json: every field that the judge reads is written by the tool, or by tests only") {
  const Keys of_tests = {"powercap", "nvml"};
  const Keys of_verbs = {"cell_seconds", "only",          "under",         "sandbox",
                         "disk_bytes",   "key_is_secret", "private_tests", "only_case",
                         "time_bounds",  "full",          "zero",          "points"};  // in what a verb adds
  for (const std::string& key : of_verbs)
    CHECK((source("tool/judging/judge_names.cpp") + source("tool/maintain/reproduce.cpp") +
           source("tool/student/profile.cpp") + source("tool/grading/grade_one.cpp") +
           source("tool/course/calibrate.cpp") + source("tool/student/check.cpp"))
              .find("\"" + key + "\"") != std::string::npos);
  CHECK(without(read_by_judge(), written_by_tool()) == both(of_tests, of_verbs));
}

namespace {

Keys in_table() {
  const std::string text = source("judge/findings.cpp");
  const auto begin = text.find("kind_texts{{"), end = text.find("}};", begin);
  REQUIRE(begin != std::string::npos);
  REQUIRE(end != std::string::npos);
  return matches(text.substr(begin, end - begin), R"re(\n    \{"([a-z-]+)")re");
}

/// The sources that find something: the executor's observed mode, Oclgrind's log, sanitizers of CPU steps.
std::string finders() {
  std::string text;
  for (const char* folder : {"executor/observe", "judge", "trace"})
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(LADDER_PROJECT "/common/") + folder)) {
      const std::string name = entry.path().filename();
      const bool finds = std::string(folder) == "executor/observe" || name.ends_with("san_report.cpp") ||
                         name.starts_with("sanitizer_report") || name.starts_with("oclgrind");
      if (finds && entry.is_regular_file()) text += ladder::read_text(entry.path());
    }
  return text;
}

}  // namespace

TEST_CASE(
    "kinds of findings: what finds something uses those of the judge's table, and each of them is used") {
  const Keys table = in_table();
  REQUIRE(table.size() > 15);
  const std::string text = finders(), planted = source("programs/planted/planted.json");
  Keys used = matches(text, R"re(kind = "([a-z-]+)")re");
  used.merge(matches(planted, R"re("kind": "([a-z-]+)")re"));
  REQUIRE(used.size() > 10);
  for (const std::string& kind : used) {
    INFO("not in the table of common/judge/findings.cpp: " << kind);
    CHECK(table.contains(kind));
  }
  for (const std::string& kind : table) {
    INFO("nothing finds it: " << kind);
    CHECK(text.find('"' + kind + '"') != std::string::npos);
  }
}
