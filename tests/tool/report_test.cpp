/// @file
/// Tables, figures, and the merging of a step's kinds.
// Guards: docs/rungs.md#what-the-words-mean

#include "common/model/document_json.hpp"
#include "common/model/result_json.hpp"
#include "common/report/figures/figures.hpp"
#include "common/report/results/results.hpp"
#include "common/report/results/shown_verdict.hpp"
#include "common/report/terminal/lesson_table.hpp"
#include "common/report/text/table.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;
using namespace ladder::report;
using nlohmann::json;

namespace {

model::StepResult facts() {
  model::StepResult step;
  step.lesson = "03-dgemm", step.name = "g1_naive", step.file = "g1_naive.cu", step.kind = "R";
  step.tree = "solutions", step.backend = step.device = "executor", step.data = "resident";
  return step;
}

json record(const std::string& kind, const std::string& verdict, const std::string& message) {
  return {{"record", "verdict"}, {"kind", kind},  {"verdict", verdict},
          {"message", message},  {"points", 2.0}, {"max_points", 4.0}};
}

/// The result of records, one of each kind unless it is said otherwise.
json result_of(const std::vector<json>& records, std::vector<TestKind> planned = {},
               const std::string& why_not = "") {
  std::vector<model::Record> all;
  for (const json& one : records) all.push_back(model::record_from_json(one));
  if (planned.empty())
    for (const model::Record& one : all) planned.push_back(one.kind);
  return to_json(merge(facts(), all, planned, why_not));
}

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    most = std::max(most, columns(text.substr(at, end - at)));
    at = end + 1;
  }
  return most;
}

}  // namespace

TEST_CASE("columns count letters, not bytes or colours") {
  CHECK(columns("±4 %") == 4);
  CHECK(columns("\x1b[32mPASS\x1b[0m") == 4);
  CHECK(shortened("±12345", 4) == "±12…");
}

TEST_CASE("text is wrapped at blanks; double blanks and given breaks stay") {
  CHECK(wrapped("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrapped("a  b\nc", 20) == std::vector<std::string>{"a  b", "c"});
  CHECK(wrapped("abcdefgh", 3) == std::vector<std::string>{"abc", "def", "gh"});
  CHECK(wrapped("", 10) == std::vector<std::string>{""});
}

TEST_CASE("numbers are short") {
  CHECK(short_number(0.304) == "0.304");
  CHECK(short_number(274432) == "274,432");
  CHECK(short_number(3.67) == "3.67");
  CHECK(short_number(-1234567) == "-1,234,567");
  CHECK(short_time(0.0123) == "12.3 ms");
}

TEST_CASE("a table fits its width: wraps, then drops, and says so") {
  Table table({{"step"}, {"number", true, false, 1}, {"words", false, true}});
  table.add({"g1", "12", "a long sentence that will not fit on one line of this table"});
  table.add({"g2", "1", "±"});
  CHECK(widest(table.text(200)) < 80);
  CHECK(widest(table.text(40)) <= 40);
  CHECK(table.text(40).find("number") != std::string::npos);
  CHECK(table.text(24).find("too narrow for: number") != std::string::npos);
  Table empty_column({{"a"}, {"never"}});
  empty_column.add({"x", ""});
  CHECK(empty_column.text(80).find("never") == std::string::npos);
}

TEST_CASE("the worst kind is the rung's verdict; one without a record is NOT RUN") {
  const auto right = record("correctness", "PASS", "right in all 5 classes.");
  const auto missed = record("targets", "MISSED", "sectors 3.67x");
  const json step = result_of({right, missed});
  CHECK(step["verdict"] == "MISSED");
  CHECK(step["message"] == "right in all 5 classes.  sectors 3.67x");
  CHECK(step["points"] == 4.0);
  CHECK(step["max_points"] == 8.0);
  const json gone = result_of({right}, {TestKind::correctness, TestKind::targets}, "the judge died");
  CHECK(gone["verdict"] == "NOT RUN");
  CHECK(gone["message"] == "the judge died");
  CHECK_THROWS(result_of({record("correctness", "GREAT", "")}));
}

TEST_CASE("a cause is told once: kinds that came to the same end say it in other words") {
  const auto told = [](const char* kind, const char* message, const char* detail) {
    json r = record(kind, "CRASHED", message);
    r["details"] = json::array({json::array({"What happened", detail})});
    return r;
  };
  const json step =
      result_of({told("correctness", "1 x 1: the kernel accesses B", "thread 1 writes B[1]"),
                 told("targets", "333 x 333: the kernel accesses B", "thread 9 writes B[110889]"),
                 told("findings", "1 x 1: out of bounds, line 16", "thread 1 writes B[1]")});
  CHECK(step["message"] == "1 x 1: the kernel accesses B");
  CHECK(step["details"].size() == 1);
  CHECK(step["kinds"].size() == 3);  // what each said is in the document
}

TEST_CASE("two records of one kind: somebody forges") {
  const auto forged = record("correctness", "PASS", "right"),
             own = record("correctness", "WRONG", "n = 1: wrong");
  const json step = result_of({forged, own}, {TestKind::correctness});
  CHECK(step["verdict"] == "REJECTED");
  CHECK(step.value("points", 0.0) == 0.0);
}

TEST_CASE("PASS means that every number was measured: right with one that was not is SKIPPED, and done") {
  const auto skipped = record("targets", "SKIPPED", "sectors not measured: no counters");
  const json right = result_of({record("correctness", "PASS", "right"), skipped});
  CHECK(right["verdict"] == "SKIPPED");
  CHECK(right["message"] == "right; sectors not measured: no counters");
  CHECK(is_done(model::step_from_json(right)));
  CHECK_FALSE(is_done(model::step_from_json(result_of({skipped}))));
  CHECK_FALSE(is_done(decided(facts(), Verdict::skipped, "no GPU here")));
  const auto race = record("findings", "WRONG", "race in shared memory");
  const json racing = result_of({record("correctness", "PASS", "right"), skipped, race});
  CHECK(racing["verdict"] == "WRONG");
}

TEST_CASE(
    "right with a number that was not measured reads as PASS with a remark; what could not run does not") {
  auto skipped = record("targets", "SKIPPED",
                        "barriers not measured: no counters (package x); sweeps 1x of 3 necessary");
  skipped["targets"] = {
      {{"metric", "barriers:update"}, {"verdict", "SKIPPED"}, {"reason", "no counters (package x)"}},
      {{"metric", "sweeps"}, {"verdict", "PASS"}, {"reason", ""}}};
  skipped["message"] = "barriers:update not measured: no counters (package x); sweeps 1x of 3 necessary";
  const auto findings = record("findings", "SKIPPED", "findings: no counters (package x)");
  const auto merged = [&](const char* correctness) {
    return result_of({record("correctness", correctness, "right"), skipped, findings});
  };
  const json right = merged("PASS");
  CHECK(right["verdict"] == "SKIPPED");
  CHECK(shown_verdict(model::step_from_json(right)) == "PASS");
  CHECK(remark_of(model::step_from_json(right)) ==
        "barriers:update and findings not measured (no counters, package x)");
  CHECK(short_remark_of(model::step_from_json(right)) == "barriers and findings not measured");
  CHECK(shown_message(model::step_from_json(right)) == "right; sweeps 1x of 3 necessary");
  for (const json& other :
       {merged("SKIPPED"), merged("WRONG"), to_json(decided(facts(), Verdict::skipped, "no GPU here")),
        result_of({skipped})}) {
    CHECK(shown_verdict(model::step_from_json(other)) == other["verdict"]);
    CHECK(remark_of(model::step_from_json(other)).empty());
    CHECK(shown_message(model::step_from_json(other)) == other["message"]);
  }
  const std::string text =
      lesson_table(model::lesson_from_json({{"name", "03-dgemm"}, {"steps", {right, right}}}), 120, {});
  INFO(text);
  CHECK(text.find("PASS, barriers and findings not measured") != std::string::npos);
  CHECK(
      text.find("03/g1, 03/g1 PASS  barriers:update and findings not measured (no counters, package x)\n") !=
      std::string::npos);
  CHECK(text.find("SKIPPED") == std::string::npos);
}

TEST_CASE("why a number is open: a busy machine, one that differs from itself, or unequal cores") {
  const auto open = [](const char* kind, double load) {
    json step = result_of({record(kind, "INCONCLUSIVE", "")});
    step["time"] = {{"foreign_load", load}};
    return why_open(model::step_from_json(step));
  };
  CHECK(open("time", 0.45) == "this machine was busy: 45 %");
  CHECK(open("time", 0.02) ==
        "the same program, timed twice here, differs by more than what was to be decided");
  CHECK(open("targets", 0.45) == "its cores are not equal now, or other programs used them");
  CHECK(why_open(model::step_from_json(result_of({record("time", "MISSED", "")}))).empty());
}

TEST_CASE("a number earns no points where the program has a race") {
  json met = record("targets", "PASS", "sectors 1.0x");
  met["points"] = 4.0;
  met["targets"] = json::array({{{"metric", "sectors"}, {"points", 4.0}, {"max_points", 4.0}}});
  const auto with = [&](const char* findings) {
    return result_of({record("correctness", "PASS", "right"), met, record("findings", findings, "")});
  };
  const double all = with("PASS")["points"];
  const json racing = with("WRONG");
  CHECK(all - racing["points"].get<double>() == 4.0);
  CHECK(racing["max_points"] == with("PASS")["max_points"]);
  CHECK(racing["targets"][0]["points"] == 0.0);
  CHECK(racing["kinds"][1]["points"] == 0.0);
  CHECK(with("SKIPPED")["points"] == all);  // findings that could not be looked for accuse nobody
}

TEST_CASE("strict counts SKIPPED; a problem is never a success") {
  const auto document_of = [](Verdict verdict) {
    model::DocumentStep step;
    step.verdict = verdict;
    return document("check", 1, {{.name = "x", .steps = {step}}});
  };
  CHECK(all_passed(document_of(Verdict::pass), true));
  CHECK(all_passed(document_of(Verdict::skipped), false));
  CHECK_FALSE(all_passed(document_of(Verdict::skipped), true));
  CHECK_FALSE(all_passed(document_of(Verdict::not_run), false));
  CHECK_FALSE(all_passed(document_of(Verdict::inconclusive), false));
  CHECK(all_passed(document_of(Verdict::inconclusive), false, Undecided::passes));
  CHECK_FALSE(all_passed(document_of(Verdict::inconclusive), true, Undecided::passes));
  CHECK_FALSE(all_passed(document_of(Verdict::missed), false, Undecided::passes));
  model::Document broken = document_of(Verdict::pass);
  broken.lessons[0].problems = {"no judge"};
  CHECK_FALSE(all_passed(broken, false));
}

TEST_CASE("bytes that are no UTF-8 do not break the JSON") {
  CHECK_NOTHROW(dump(json{{"message", "\xff\xfe"}}));
}

TEST_CASE("a lesson's table fits 100 columns with everything in it") {
  json step = result_of({record("correctness", "PASS", "right")});
  step["time"] = {{"median", 0.0123}, {"low", 0.012}, {"high", 0.0126}, {"runs", 15}};
  step["ratio"] = {{"baseline", 12.3}, {"below", 1.8}, {"cuBLAS", 0.31}, {"floor", 0.2}};
  step["error"] = {{"measure", "x"}, {"value", 1e-16}, {"bound", 1e-14}};
  step["targets"] = {{{"metric", "sectors"},
                      {"relation", "<="},
                      {"bound", 1.1},
                      {"measured", 1.02},
                      {"met", true},
                      {"reason", ""}}};
  const std::string text = lesson_table(
      model::lesson_from_json({{"name", "03-dgemm"}, {"title", "Matrix product"}, {"steps", {step}}}), 100,
      {});
  CHECK(widest(text) <= 100);
  for (const char* part : {"g1_naive", "PASS", "12.3 ms ±2 %", "12.3x", "0.310x", "1.02"})
    CHECK(text.find(part) != std::string::npos);
  step["points"] = 7.96, step["max_points"] = 8;
  CHECK(lesson_table(model::lesson_from_json({{"name", "03-dgemm"}, {"steps", {step}}}), 120, {})
            .find("7.96/8") != std::string::npos);
}

TEST_CASE("a lesson's table has the device's own time and the percent of the ceiling, or says why not") {
  json g1 = {{"lesson", "03-dgemm"},
             {"name", "g1_naive"},
             {"backend", "cuda"},
             {"data", "resident"},
             {"verdict", "PASS"}};
  g1["time"] = {{"median", 0.0123},
                {"device", {{"median", 0.01}, {"low", 0.0099}, {"high", 0.0101}}},
                {"work", {{"ceiling", "FP64"}, {"unit", "flop"}, {"amount", 1.7e10}, {"seconds", 0.0035}}}};
  json g9 = g1;
  g9["name"] = "g9_hybrid";
  g9["time"]["device"] = {{"reason", "the loader takes no layers"}};
  g9["time"]["work"] = {{"reason", "CPU and GPU share the work"}};
  const std::string text =
      lesson_table(model::lesson_from_json({{"name", "03-dgemm"}, {"steps", {g1, g9}}}), 200, {});
  for (const char* part :
       {"12.3 ms", "10 ms ±1 %", "1.70 TFLOP/s, 35 % of the FP64 peak",
        "no device time  03/g9: the loader takes", "no percent  03/g9: CPU and GPU share the work"}) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("what a kernel did not confine is at the table's foot, once") {
  json one = record("correctness", "PASS", ""), other = record("targets", "PASS", "");
  one["unconfined"] = other["unconfined"] = {"could write anywhere"};
  const json step = result_of({one, other});
  CHECK(step.at("unconfined") == json({"could write anywhere"}));
  const std::string text =
      lesson_table(model::lesson_from_json({{"name", "03-dgemm"}, {"steps", {step, step}}}), 120, {});
  INFO(text);
  CHECK(text.find("not confined  rungs could write anywhere\n") != std::string::npos);
  CHECK(text.find("not confined") == text.rfind("not confined"));
  const json clean = result_of({record("correctness", "PASS", "")});
  CHECK(lesson_table(model::lesson_from_json({{"name", "03-dgemm"}, {"steps", {clean}}}), 120, {})
            .find("not confined") == std::string::npos);
}

TEST_CASE(
    "times measured next to other programs have a note, and a number that could not be decided is open") {
  json step = result_of({record("targets", "INCONCLUSIVE", "")});
  step["time"] = {{"median", 0.01}, {"low", 0.01}, {"high", 0.01}, {"foreign_load", 0.947}};
  step["targets"] = {{{"metric", "balance"},
                      {"measured", 1.25},
                      {"met", nullptr},
                      {"relation", "<="},
                      {"bound", 1.2},
                      {"reason", "equal work has 1.49"},
                      {"verdict", "INCONCLUSIVE"}}};
  const std::string text =
      lesson_table(model::lesson_from_json({{"name", "03-dgemm"}, {"steps", {step}}}), 120, {});
  INFO(text);
  CHECK(text.find("busy  other programs used up to 95 % of this machine while") != std::string::npos);
  CHECK(text.find("balance open  equal work has 1.49") != std::string::npos);
  CHECK(text.find("not measured") == std::string::npos);
  step["time"]["foreign_load"] = 0.02;
  CHECK(lesson_table(model::lesson_from_json({{"name", "03-dgemm"}, {"steps", {step}}}), 120, {})
            .find("busy") == std::string::npos);
}

TEST_CASE("energy: a column where it was read, else one line that says why it was not") {
  json time = record("time", "PASS", "");
  const auto table_of = [&](const json& energy, std::size_t width = 120) {
    if (!energy.is_null()) time["energy"] = energy;
    const json step = result_of({time}), other = result_of({time});
    return lesson_table(model::lesson_from_json({{"name", "03-dgemm"}, {"steps", {step, other}}}), width, {});
  };
  const auto times = [](const std::string& text, const std::string& part) {
    int count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
  };
  CHECK(times(table_of(nullptr), "energy") == 0);
  const std::string without = table_of({{"reason", "the counters are closed"}});
  CHECK(times(without, "energy") == 1);
  CHECK(times(without, "energy  not readable here: the counters are closed\n") == 1);
  json energy = {{"joules", 0.0123}, {"calls", 40}, {"seconds", 0.51}, {"source", "GPU and processor"}};
  const std::string with = table_of(energy);
  CHECK(times(with, "12.3 mJ") == 2);
  CHECK(times(with, "energy  a call, of GPU and processor; with what idles meanwhile\n") == 1);
  energy["source"] = "GPU", energy["reason"] = "the counters are closed";
  CHECK(times(table_of(energy), "of GPU; with what idles meanwhile. Not in it: the counters are closed\n") ==
        1);
}

TEST_CASE("energies are short") {
  CHECK(short_energy(0.0123) == "12.3 mJ");
  CHECK(short_energy(2500) == "2.50 kJ");
  CHECK(short_energy(3e-5) == "30 uJ");
}

TEST_CASE("time against n labels its lines at their ends") {
  TimeFigure figure{{"Blocking pays from n = 256", "words", ""},
                    {{"baseline", Part::baseline, {{64, 1e-4}, {1024, 0.4}}},
                     {"g1", Part::rung, {{64, 2e-4}, {1024, 0.1}}}}};
  const std::string svg = time_against_n(figure);
  CHECK(svg.find(">baseline</text>") != std::string::npos);
  CHECK(svg.find("n³") != std::string::npos);
  CHECK(svg.find("nan") == std::string::npos);
}
