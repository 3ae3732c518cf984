/// @file
/// One run of an autograder on Gradescope: the rungs of a submission, one after another, each by `grade` in a
/// process of its own, within the platform's time. results.json is there before the first rung and is written
/// again after each.

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>

#include "common/base/error.hpp"
#include "common/base/files/json_file.hpp"
#include "common/base/usage_error.hpp"
#include "common/course/marks.hpp"
#include "common/grade/record.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/grading/grade_batch.hpp"
#include "common/tool/grading/gradescope.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using gradescope::Settings;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr double min_seconds = 20;  // for one rung: with less it would be ended before it has a verdict
constexpr const char* not_in_time = "not judged in time: resubmit";
constexpr const char* our_fault = "not judged, by a fault of the autograder: tell your instructor";

class GradescopeRun {
 public:
  GradescopeRun(Context& context, const fs::path& autograder)
      : context_(context),
        autograder_(autograder),
        settings_(gradescope::settings_from(read_text(autograder / "source/gradescope.json"))),
        metadata_(read_json(autograder / "submission_metadata.json")),
        waiting_(settings_.rungs) {
    if (!metadata_.is_object()) metadata_ = json::object();
  }

  /// @return whether every rung was judged
  bool grade() {
    if (const auto limited = gradescope::beyond_the_day(metadata_, settings_.per_day)) {
      write_text(autograder_ / "results/results.json", report::dump(*limited, 1) + "\n");
      return true;
    }
    write();
    const std::vector<std::string> rungs = waiting_;
    for (const std::string& rung : rungs) {
      if (left() < min_seconds || interrupted()) break;
      take(rung, judged(rung));
      write();
    }
    return waiting_.empty() && failed_.empty();
  }

 private:
  double left() const {
    return settings_.seconds - std::chrono::duration<double>(Clock::now() - begun_).count();
  }

  /// Grades one rung in a process of its own. @return its record, where there is one
  std::optional<model::GradeRecord> judged(const std::string& rung) {
    const fs::path out = context_.scratch() / std::to_string(waiting_.size());
    const fs::path ours = autograder_ / "source/secret",
                   submission = gradescope::import_submissions(autograder_);
    // Standard output is for the instructor alone: what failed is there.
    std::vector<std::string> arguments = {context_.build.file("bin/ladder-class"),
                                          "grade",
                                          submission.parent_path(),
                                          "--only=" + submission.filename().string(),
                                          "--out",
                                          out,
                                          "--rungs",
                                          rung,
                                          "--key",
                                          ours / "platform.key",
                                          "--reference",
                                          ours / "reference.json",
                                          "--jobs",
                                          "1",
                                          "--attempt",
                                          std::to_string(gradescope::attempt_of(metadata_))};
    const course::Allow& allow = settings_.assignment.allow;
    for (const std::string& symbol : allow.symbols) arguments.push_back("--allow-symbols=" + symbol);
    for (const std::string& header : allow.headers) arguments.push_back("--allow-headers=" + header);
    const ProcessResult ended = run_process({.arguments = arguments, .seconds = left()});
    context_.terminal.print(fmt::format("{}: {:.0f} s\n{}", rung, ended.seconds, ended.output + ended.error));
    in_time_ = !ended.timed_out;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(out / "records", none))
      if (auto record = grade::whole_record(entry.path())) return record;
    return std::nullopt;
  }

  void take(const std::string& rung, const std::optional<model::GradeRecord>& record) {
    if (record && gradescope::is_judged(*record)) {
      gradescope::add_steps(record_, *record);
      std::erase(waiting_, rung);
    } else if (in_time_) {
      failed_.push_back(rung);
      std::erase(waiting_, rung);
    }
  }

  void write() {
    auto scaled = record_;
    if (scaled) scaled = course::in_points_of(settings_.assignment, std::move(*scaled));
    model::GradescopeResults results = gradescope::results_of(scaled, waiting_, not_in_time);
    if (!failed_.empty()) {
      const model::GradescopeResults more = gradescope::results_of(std::nullopt, failed_, our_fault);
      results.tests.insert(results.tests.end(), more.tests.begin(), more.tests.end());
      results.output += "\n" + more.output;
    }
    write_text(autograder_ / "results/results.json", report::dump(to_json(results), 1) + "\n");
  }

  Context& context_;
  fs::path autograder_;
  Settings settings_;
  json metadata_;
  std::optional<model::GradeRecord> record_{};
  std::vector<std::string> waiting_, failed_{};
  bool in_time_ = true;
  Clock::time_point begun_ = Clock::now();
};

}  // namespace

int grade_for_gradescope(Context& context) {
  ::umask(022);  // the machine is this run's alone, and the platform reads what it writes
  if (context.options.names.size() != 1)
    throw UsageError{"grade gradescope FOLDER: the folder is /autograder, as the platform makes it"};
  GradescopeRun run(context, context.options.names[0]);
  return run.grade() ? 0 : 1;
}

}  // namespace ladder
