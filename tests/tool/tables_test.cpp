/// @file
/// Lists and their users: the kinds of findings.
// Guards: docs/design.md#the-life-of-a-check

#include <filesystem>
#include <regex>
#include <set>

#include "common/base/files/files.hpp"
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

Keys in_table() {
  const std::string text = source("judge/findings/findings.cpp");
  const auto begin = text.find("kind_texts{{"), end = text.find("}};", begin);
  REQUIRE(begin != std::string::npos);
  REQUIRE(end != std::string::npos);
  return matches(text.substr(begin, end - begin), R"re(\n    \{"([a-z-]+)")re");
}

/// The sources that find something: the executor's observed mode, Oclgrind's log, sanitizers of CPU steps.
std::string finders() {
  std::string text;
  for (const char* folder : {"executor/observe", "judge/worker", "judge/findings", "trace"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(LADDER_PROJECT "/common/") + folder)) {
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
    INFO("not in the table of common/judge/findings/findings.cpp: " << kind);
    CHECK(table.contains(kind));
  }
  for (const std::string& kind : table) {
    INFO("nothing finds it: " << kind);
    CHECK(text.find('"' + kind + '"') != std::string::npos);
  }
}
