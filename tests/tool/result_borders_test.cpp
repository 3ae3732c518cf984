/// @file
/// Results are structures: a source that takes their fields out of JSON by key is found, unless it reads or
/// writes JSON.
// Guards: docs/contributing.md#layers

#include "common/tool/maintain/checks/result_borders.hpp"

#include <algorithm>

#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;

TEST_CASE("fields of results that are taken by key are found, others are not") {
  const std::string text =
      "if (step[\"verdict\"] == \"PASS\") ++n;\n"
      "for (const auto& k : step.value(\"kinds\", none)) use(k);\n"
      "step.verdict = Verdict::pass;  // \"verdict\"\n"
      "visit(\"verdict\", step.verdict);\n"
      "return document.contains(\"reproductions\") ? row[\"idea\"] : record.at(\"failed_case\");\n"
      "for (const auto& target : row[\"targets\"]) use(target);\n";
  CHECK(results_by_key("common/tool/x.cpp", text) ==
        std::vector<std::string>{"common/tool/x.cpp:1: \"verdict\"", "common/tool/x.cpp:2: \"kinds\"",
                                 "common/tool/x.cpp:5: \"reproductions\"",
                                 "common/tool/x.cpp:6: \"targets\""});
  // A file that reads tables of rungs takes their targets, and nothing of results.
  CHECK(results_by_key("common/sitegen/pages/page_values.cpp", text).size() == 3);
}

TEST_CASE("the borders: a new file that reads results by key, and a listed one that does not, are named") {
  const ScratchFolder scratch;
  const std::string reads = "int f(const json& step) { return step[\"verdict\"].size(); }\n";
  write_text(scratch.path() / "common/tool/student/new.cpp", reads);
  write_text(scratch.path() / "common/tool/student/new.md", reads);
  write_text(scratch.path() / "common/model/result_json.cpp", reads);
  write_text(scratch.path() / "common/grade/record_file.cpp", reads);
  const auto wrong = wrong_result_borders(scratch.path());
  REQUIRE(wrong.size() > 1);
  CHECK(wrong[0] ==
        "common/tool/student/new.cpp:1: \"verdict\" of a result is taken by its key: take the "
        "structure of common/model");
  for (const std::string& why : wrong) CHECK(why.find("common/grade/record_file.cpp") == std::string::npos);
  const auto names = [&](const std::string& words) {
    return std::any_of(wrong.begin(), wrong.end(),
                       [&](const std::string& why) { return why.find(words) != std::string::npos; });
  };
  CHECK(names("takes nothing of a result by its key: take it off the list"));
  CHECK(names("common/tool/student/feedback.cpp takes nothing of a table by its key: take it off the list"));
}
