/// @file
/// The hint about what was measured, and the section of the page: never an answer.
// Guards: docs/student.md#hints

#include "common/tool/standing/measured_hint.hpp"

#include <filesystem>
#include <regex>

#include "common/base/files/files.hpp"
#include "common/base/text/step_name.hpp"
#include "common/model/result_json.hpp"
#include "common/trace/metrics.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;
using nlohmann::json;

namespace {

std::vector<HintBlock> hint_of(const json& last) {
  return measured_hint(model::step_from_json(last));
}

}  // namespace

TEST_CASE("measured hint: the class that failed first is asked about") {
  const auto blocks =
      hint_of({{"verdict", "WRONG"},
               {"message", "n = 33: 4 of 9 wrong"},
               {"details",
                json::array({json::array({"What happened", "In line 4 …"}), json::array({"Next", "again"})})},
               {"cases",
                {{{"class", "general"}, {"passed", 5}, {"of", 5}},
                 {{"class", "tails"}, {"passed", 0}, {"of", 4}},
                 {{"class", "thin"}, {"passed", 1}, {"of", 2}}}}});
  REQUIRE(blocks.size() == 2);  // the judge knows the cause: nothing is asked about the class
  CHECK(blocks[0] == HintBlock("Measured", "wrong: tails (0 of 4), thin (1 of 2). Right: general (5 of 5)."));
  CHECK(blocks[1] == HintBlock("What happened", "In line 4 …"));
  const auto unknown = hint_of(
      {{"verdict", "WRONG"},
       {"cases",
        {{{"class", "general"}, {"passed", 5}, {"of", 5}}, {{"class", "tails"}, {"passed", 0}, {"of", 4}}}}});
  CHECK(unknown[1].second == question_of_class("tails"));
  const auto strange = hint_of(
      {{"verdict", "WRONG"}, {"cases", json::array({{{"class", "blue"}, {"passed", 0}, {"of", 1}}})}});
  CHECK(strange[1].second == "What is special about the cases of class 'blue'?");
  const auto all = hint_of(
      {{"verdict", "WRONG"},
       {"cases",
        {{{"class", "blue"}, {"passed", 0}, {"of", 1}}, {{"class", "general"}, {"passed", 0}, {"of", 4}}}}});
  CHECK(all[1].second == question_of_class("general"));
}

TEST_CASE("measured hint: about a finding it says more than the finding, and nothing else") {
  for (const char* words :
       {"race in shared memory, line 24", "race in device memory", "race between threads, lines 4 and 9",
        "access out of bounds, line 7", "read of memory that nobody wrote",
        "barrier that not all threads reach", "barrier with a phase that does not end",
        "shuffle from a lane that is not there", "result read before it is there",
        "memory that is never freed", "host memory and device memory mixed up",
        "use of memory that was freed", "misaligned access", "two streams touch the same data unordered"}) {
    INFO(words);
    const auto blocks = hint_of({{"verdict", "WRONG"},
                                 {"message", std::string("right results, but at n = 64: ") + words},
                                 {"details", json::array({json::array({"What happened", "Thread (0,0) …"}),
                                                          json::array({"Think", "Which threads?"})})},
                                 {"cases", json::array({{{"class", "general"}, {"passed", 1}, {"of", 5}}})}});
    CHECK(blocks.back().first == "Try");
    for (const auto& [heading, text] : blocks) {
      CHECK(heading != "Ask yourself");
      CHECK(text.find("--size") == std::string::npos);
    }
  }
}

TEST_CASE("measured hint: where the judge knows the cause, its question is the only one") {
  const auto blocks = hint_of(
      {{"verdict", "WRONG"},
       {"details", json::array({json::array({"What happened", "a race, line 4"}),
                                json::array({"Where it is", "C holds the transpose"}),
                                json::array({"Think", "Which thread?"}), json::array({"Next", "again"})})},
       {"cases", {{{"class", "general"}, {"passed", 0}, {"of", 5}}}}});
  REQUIRE(blocks.size() == 4);
  CHECK(blocks[1].second == "a race, line 4");
  CHECK(blocks[3] == HintBlock("Think", "Which thread?"));
  for (const auto& [heading, text] : blocks) CHECK(heading != "Ask yourself");
}

TEST_CASE("measured hint: the number that missed, one at a time") {
  const json met = {
      {"metric", "bytes"}, {"relation", "<="}, {"bound", 1.1}, {"measured", 1.0}, {"verdict", "PASS"}};
  json missed = met, other = met;
  missed.update({{"metric", "sectors per flop"}, {"measured", 3.67}, {"verdict", "MISSED"}});
  missed["necessary_amount"] = 74752;
  other.update({{"metric", "barriers"}, {"verdict", "MISSED"}});
  const auto blocks = hint_of({{"verdict", "MISSED"}, {"targets", {met, missed, other}}});
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].second == "sectors per flop: 3.67 × the minimum (limit 1.10)");
  CHECK(blocks[1].second == question_of_metric("sectors_per_flop"));
  // Where the judge has seen the lines it asks about them, not about the metric.
  const auto with_lines = hint_of({{"verdict", "MISSED"},
                                   {"targets", {met, missed}},
                                   {"details", json::array({json::array({"Think", "Which blocks?"})})}});
  REQUIRE(with_lines.size() == 2);
  CHECK(with_lines[1] == HintBlock("Think", "Which blocks?"));
}

TEST_CASE("measured hint: other verdicts say their message, and what needs no hint has none") {
  const auto crashed = hint_of({{"verdict", "CRASHED"}, {"message", "signal 11"}});
  REQUIRE(crashed.size() == 2);
  CHECK(crashed[0].second == "CRASHED: signal 11");
  const auto shuffle = hint_of({{"verdict", "CRASHED"},
                                {"message", "shuffle from a lane that is not there"},
                                {"details", json::array({json::array({"Think", "Which lanes?"})})}});
  REQUIRE(shuffle.size() == 3);
  CHECK(shuffle[1] == HintBlock("Think", "Which lanes?"));
  CHECK(shuffle[2].first == "Try");
  for (const char* none : {"PASS", "SKIPPED", "NOT STARTED"}) CHECK(hint_of({{"verdict", none}}).empty());
  CHECK(measured_hint({}).empty());
}

TEST_CASE("measured hint: each metric has a question, with or without a kernel's name") {
  for (const Metric& metric : all_metrics()) {
    INFO(metric.name);
    CHECK(question_of_metric(metric.name) != "");
    CHECK(question_of_metric(std::string(metric.name) + ":kernel") == question_of_metric(metric.name));
  }
  CHECK(question_of_metric("smell").empty());
}

TEST_CASE("page section: one rung, without folds, pictures and generated parts") {
  const std::string page =
      "# T\n\n### g1 · One\n\nOther.\n\n### g2 · Two\n\n*Idea.* Do.\n\n![p](p.svg)\n- **Predict.** \\_\\_ "
      "<!-- = g2.n -->5<!-- . -->\n  <details><summary>Answer</summary>It\nis 7.</details>\n- **Write.** "
      "It.\n\n"
      "<!-- generated: measured x -->\n- PASS\n<!-- end -->\n\n## Beyond\n\nMore.\n";
  CHECK(page_section(page, "g2") ==
        "### g2 · Two\n\n*Idea.* Do.\n\n- **Predict.** __ 5\n\n- **Write.** It.\n");
  CHECK(page_section(page, "g3").empty());
  CHECK(page_section(page, "g").empty());
}

TEST_CASE("page section: each rung of each lesson has one, and no fold is in it") {
  const std::regex step(step_file_pattern);
  std::size_t rungs = 0;
  for (const auto& lesson : std::filesystem::directory_iterator(LADDER_PROJECT "/lessons")) {
    const std::string page = read_text(lesson.path() / "README.md");
    for (const auto& file : std::filesystem::directory_iterator(lesson.path())) {
      const std::string name = file.path().filename();
      if (!std::regex_match(name, step)) continue;
      INFO(file.path());
      const std::string section = page_section(page, name.substr(0, name.find('_')));
      CHECK(section.size() > 200);
      CHECK(section.find("details") == std::string::npos);
      ++rungs;
    }
  }
  CHECK(rungs > 50);
}
