/// @file
/// What .ladder/ keeps: a crash takes nothing with it; time from verdicts.
// Guards: docs/student.md#what-is-kept

#include "common/tool/core/student_state.hpp"

#include "common/base/files/files.hpp"
#include "common/model/student_json.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

std::size_t broken_files(const fs::path& folder) {
  std::size_t n = 0;
  for (const auto& entry : fs::directory_iterator(folder))
    n += entry.path().filename().string().find(".broken-") != std::string::npos;
  return n;
}

json verdict(const char* step, double time) {
  return {{"step", step}, {"time", time}};
}

}  // namespace

TEST_CASE("kept: a half-written file is set aside, whole ones and missing ones are not") {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "state.json";
  CHECK(read_state_file(file) == json::object());
  CHECK(broken_files(folder.path()) == 0);
  write_text(file, R"({"a": 1})");
  CHECK(read_state_file(file) == json({{"a", 1}}));
  for (const char* text : {R"({"a": )", "[1]", ""}) {
    write_text(file, text);
    CHECK(read_state_file(file) == json::object());
    CHECK_FALSE(fs::exists(file));
  }
  CHECK(broken_files(folder.path()) == 3);  // of one second: each has a name of its own
}

TEST_CASE("kept: a history that a crash cut off in a line goes on in the next one") {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "new" / "history.jsonl";
  CHECK(append_history(file, "{\"step\":\"a\"}\n"));
  write_text(file, read_text(file) + "{\"step\":\"b");
  CHECK(append_history(file, "{\"step\":\"c\"}\n"));
  const auto entries = read_history(file);
  REQUIRE(entries.size() == 2);
  CHECK(entries[1]["step"] == "c");
  CHECK(read_text(file).find("{\"step\":\"b\n") != std::string::npos);
  CHECK(read_history(folder.path() / "none").empty());
}

TEST_CASE("kept: time is counted from verdict to verdict, a long pause begins a new session") {
  const double begin = 1e9, pause = session_pause, lead = session_lead;
  const auto spent =
      time_spent({verdict("b", begin + 600), verdict("a", begin), verdict("a", begin + 700 + pause)});
  CHECK(spent.sessions == 2);
  CHECK(spent.seconds == lead + 600 + lead);
  CHECK(spent.by_step.at("a") == 2 * lead);
  CHECK(spent.by_step.at("b") == 600);
  CHECK(time_spent({}).sessions == 0);
  CHECK(time_spent({json({{"step", "a"}, {"time", "soon"}})}).sessions == 0);
  CHECK(hours_text(0) == "-");
  CHECK(hours_text(20) == "1 min");
  CHECK(hours_text(3600) == "1 h");
  CHECK(hours_text(7830) == "2 h 11 min");
}

TEST_CASE("kept: old files lie below their own path, two of one second apart") {
  const ScratchFolder folder;
  write_text(folder.path() / "lessons/x.cu", "mine\n");
  const OldFiles one(folder.path(), folder.path() / ".ladder");
  const std::string first = one.keep("lessons/x.cu");
  CHECK(first.find(".ladder/old/") == 0);
  CHECK(read_text(folder.path() / first) == "mine\n");
  CHECK(OldFiles(folder.path(), folder.path() / ".ladder").keep("lessons/x.cu") != first);
  CHECK(one.keep("lessons/none.cu").empty());
}

TEST_CASE("kept: a verdict comes back as it was written; other versions' fields are passed over") {
  model::KeptVerdict kept;
  kept.verdict = Verdict::missed, kept.source = "5e", kept.time = 5, kept.points = 7.5;
  kept.details = {{"What happened", "32 sectors per request"}};
  kept.timed = model::KeptTimes{.ratio = {{"cuBLAS", 0.5}}};
  json entry = model::to_json(kept);
  CHECK_FALSE(entry.contains("step"));
  CHECK_FALSE(entry.contains("cases"));
  CHECK(entry["timed"]["ratio"]["cuBLAS"] == 0.5);
  CHECK_FALSE(model::to_json(static_cast<const model::HistoryEntry&>(kept)).contains("details"));
  entry["of a later version"] = 1;
  const auto read = model::kept_verdict_from_json(entry);
  REQUIRE(read);
  entry.erase("of a later version");
  CHECK(model::to_json(*read) == entry);
  entry["points"] = "7.5";
  CHECK_FALSE(model::kept_verdict_from_json(entry));
  CHECK_FALSE(model::kept_verdict_from_json({{"verdict", "MISSED"}}));  // of no file
  CHECK_FALSE(model::kept_verdict_from_json("MISSED"));
}

TEST_CASE("kept: what the last report has shown; another file is none") {
  const model::LastReport report{"2026-11-29", {{"03/g2", {"PASS", 8, {{"sectors", 1.5}}}}}};
  const auto read = model::last_report_from_json(model::to_json(report));
  REQUIRE(read);
  CHECK(read->date == report.date);
  CHECK(read->steps.at("03/g2").numbers.at("sectors") == 1.5);
  CHECK_FALSE(model::last_report_from_json(nullptr));
}
