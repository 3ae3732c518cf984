/// @file
/// The part "attacks" of the verb test: hostile submissions and honest ones are graded as ./ladder grade does
/// it.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "common/base/files/json_file.hpp"
#include "common/base/process/sandbox.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/key.hpp"
#include "common/tool/grading/grade_batch.hpp"
#include "common/tool/maintain/checks/attacks.hpp"
#include "common/tool/maintain/testing/test_parts.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;
using Records = std::map<std::string, model::GradeRecord>;  ///< by name of the submission

/// One batch: the cases of one mode, and what they must not read.
class AttackBatch {
 public:
  AttackBatch(Context& context, std::string mode, const fs::path& folder, std::vector<GradingCase> cases)
      : mode_(std::move(mode)), folder_(folder / mode_), cases_(std::move(cases)) {
    fs::create_directories(folder_ / "temporary");
    grade::write_new_key(folder_ / "canary");
    secret_ = grade::hex(grade::read_key(folder_ / "canary"));
    for (const char* folder_of_others : {"other", "submissions/another/03-dgemm"})
      fs::create_directories(folder_ / folder_of_others);
    hide(folder_ / "root-only");
    hide(folder_ / "other/work.cu");
    fs::permissions(folder_ / "root-only", fs::perms::owner_read);
    grade::write_new_key(folder_ / "class.key");
    const Marks marks = {{"@SECRET@", folder_ / "root-only"},    {"@OTHER@", folder_ / "other/work.cu"},
                         {"@KEY@", folder_ / "class.key"},       {"@ROOT@", context.root},
                         {"@TEMPORARY@", folder_ / "temporary"}, {"@OUT@", folder_ / "grades"}};
    for (const GradingCase& one : cases_) pack(one, folder_ / "submissions", marks);
  }

  /// Grades; counts each case. @return the records
  Records grade(TestSummary& summary) {
    std::set<std::string> rungs;
    for (const GradingCase& one : cases_) rungs.insert(one.lesson + "/" + one.step);
    const ProcessResult ended = run_process(
        {.arguments = {fs::read_symlink("/proc/self/exe"), "grade", folder_ / "submissions", "--out",
                       folder_ / "grades", "--rungs", fmt::format("{}", fmt::join(rungs, ",")), "--sandbox",
                       mode_, "--key", folder_ / "class.key"},
         .environment = {{"TMPDIR", folder_ / "temporary"}, {"LADDER_CANARY", secret_}},
         .seconds = 3 * 3600});
    Records records;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_ / "grades/records", none)) {
      const json record = read_json(entry.path());
      if (!record.is_object()) continue;
      auto graded = model::grade_record_from_json(record, entry.path().string());
      const std::string name = graded.submission.name;  // first: the assignment takes the record away
      if (name != "reference") records[name] = std::move(graded);  // it stays there when it has failed
    }
    if (records.size() < cases_.size() || !ended.ok()) summary.fail("attacks, mode " + mode_, ended.output);
    for (const GradingCase& one : cases_) judge_case(one, records, summary);
    look_for_secrets(summary);
    return records;
  }

 private:
  void hide(const fs::path& file) const { write_text(file, "// " + secret_ + "\n"); }

  void judge_case(const GradingCase& one, const Records& records, TestSummary& summary) const {
    const std::string name = fmt::format("{} {}/{}~{}, mode {}", one.hostile ? "attack" : "honest",
                                         one.lesson, one.step, one.name, mode_);
    const auto record = records.find(one.submission());
    if (record == records.end()) return summary.fail(name, "it was not graded");
    const std::string why = wrong_grade(one, mode_, record->second);
    summary.expect(why.empty(), name, why);
  }

  /// Nothing that could be read in grades, logs and pages says what was hidden.
  void look_for_secrets(TestSummary& summary) const {
    std::vector<std::string> found = leftovers(folder_ / "temporary");
    const std::string key = grade::hex(grade::read_key(folder_ / "class.key"));
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "grades"))
      if (entry.is_regular_file()) {
        const std::string text = read_text(entry.path());
        if (text.find(secret_) != text.npos || text.find(key) != text.npos)
          found.push_back("a secret in " + entry.path().string());
        else if (entry.path().extension() == ".html" && text.find("<script>ladder") != text.npos)
          found.push_back("a script of a submission in " + entry.path().string());
      }
    for (const auto& entry : fs::directory_iterator(folder_ / "temporary"))
      found.push_back("folder " + entry.path().string());
    summary.expect(found.empty(), fmt::format("nothing is left or read, mode {}", mode_),
                   fmt::format("{}", fmt::join(found, "\n")));
  }

  std::string mode_;
  fs::path folder_;
  std::vector<GradingCase> cases_;
  std::string secret_;
};

std::string table_of(const std::vector<GradingCase>& cases, const std::map<std::string, Records>& by_mode) {
  std::string text;
  for (const bool hostile : {true, false}) {
    text +=
        hostile
            ? "## Attacks\n\n| attack | rung | bwrap | uid | evidence that staff reads "
              "|\n|---|---|---|---|---|\n"
            : "\n## Honest and unusual\n\n| what | rung | bwrap | uid | message |\n|---|---|---|---|---|\n";
    for (const GradingCase& one : cases) {
      if (one.hostile != hostile) continue;
      Records records;  // by mode
      for (const auto& [mode, all] : by_mode)
        if (const auto found = all.find(one.submission()); found != all.end()) records[mode] = found->second;
      text += table_row(one, records);
    }
  }
  return text;
}

/// Whether a list "a,b" has a part of a name; no list has all.
bool is_asked_for(const char* list, const std::string& name) {
  if (!list) return true;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');)
    if (name.find(part) != std::string::npos) return true;
  return false;
}

/// What is asked for by lessons and steps, and by LADDER_ATTACKS, parts of names.
std::vector<GradingCase> wanted_cases(const Context& context, const std::vector<LessonEntry*>& lessons) {
  const char* parts = std::getenv("LADDER_ATTACKS");
  std::vector<GradingCase> cases = grading_cases(context.root);
  std::erase_if(cases, [&](const GradingCase& one) {
    const bool known = std::any_of(lessons.begin(), lessons.end(), [&](const LessonEntry* lesson) {
      return lesson->name == one.lesson &&
             std::any_of(lesson->steps.begin(), lesson->steps.end(),
                         [&](const StepEntry& step) { return step.name == one.step; });
    });
    return !known || !is_asked_for(parts, one.submission());
  });
  return cases;
}

/// A plain test has seconds for this: a fifth of those of one rung, half of them in each mode.
bool takes_its_turn(const GradingCase& one, std::size_t number, const std::string& mode) {
  return one.lesson == "03-dgemm" && one.step == "g1_naive" && number % 10 == (mode == "bwrap" ? 0 : 5);
}

void grade_attacks(Context& context, const std::vector<GradingCase>& cases, bool in_all_modes,
                   TestSummary& summary) {
  Sandbox sandbox{.confine = context.build.file("bin/confine").string()};
  if (::geteuid() == 0) sandbox.uid = sandbox.gid = 64999;
  const SandboxModes modes = modes_here(context, sandbox);
  const ScratchFolder scratch;  // submissions may pass through it, but not look into it
  fs::permissions(scratch.path(), fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  std::map<std::string, Records> records;
  for (const auto& [mode, why_not] :
       {std::pair{std::string("bwrap"), modes.no_bwrap}, {"uid", modes.no_uid}}) {
    std::vector<GradingCase> mine;
    for (std::size_t i = 0; i < cases.size(); ++i)
      if (in_all_modes || takes_its_turn(cases[i], i, mode)) mine.push_back(cases[i]);
    if (mine.empty() || interrupted()) continue;
    if (!why_not.empty()) {
      summary.skip(fmt::format("{} submissions in mode {}", mine.size(), mode), why_not);
      continue;
    }
    AttackBatch batch(context, mode, scratch.path(), mine);
    records[mode] = batch.grade(summary);
  }
  if (const char* file = std::getenv("LADDER_ATTACK_TABLE")) write_text(file, table_of(cases, records));
}

}  // namespace

TestJobs attack_jobs(Context& context, const Lessons& lessons, bool in_all_modes) {
  const std::vector<GradingCase> cases = wanted_cases(context, lessons);
  if (cases.empty()) return {};
  TestJob job{.part = "attacks",
              .name = in_all_modes ? "attacks on grading, all" : "attacks on grading",
              .targets = {"bin/confine", "bin/ladder-class"}};
  job.cost = in_all_modes ? 1500 : 150, job.memory_gib = 3;
  job.owns = {"users"};
  job.holds_build = true;  // grade builds, and two ninjas cannot share a folder
  job.work = [&context, cases, in_all_modes](JobReport& report) {
    grade_attacks(context, cases, in_all_modes, report.summary);
  };
  return {job};
}

}  // namespace ladder
