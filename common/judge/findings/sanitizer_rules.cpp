#include "common/judge/findings/sanitizer_rules.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "common/base/files/whole_file.hpp"
#include "common/judge/findings/bulk_copy_races.hpp"
#include "common/trace/programs.hpp"

namespace ladder {
namespace {

/// The first line that contains @p part.
std::string line_with(const std::string& text, const std::string& part) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find(part) != std::string::npos) return line;
  return "";
}

/// The text of a file next to a step or given with its lesson, by the name that compute-sanitizer prints;
/// empty: it is in neither place.
std::string text_of(const std::string& file, const PlannedStep& step) {
  for (const std::filesystem::path& folder : {std::filesystem::path(step.source).parent_path(),
                                              std::filesystem::path(plan().root) / "lessons" / plan().lesson})
    if (auto text = whole_file(folder / std::filesystem::path(file).filename())) return *text;
  return "";
}

}  // namespace

Launch launch_under(const char* tool, const PlannedStep& step, Data data) {
  if (step.backend != "cuda")
    throw Failure{
        Verdict::skipped, "compute-sanitizer looks at CUDA on a GPU; this runs on " + step.backend, {}};
  const std::string sanitizer = find_program("compute-sanitizer");
  if (sanitizer.empty())
    throw Failure{Verdict::skipped, "compute-sanitizer is not installed (part of the CUDA Toolkit)", {}};
  Launch launch = launch_of(step, data);
  launch.under = {sanitizer, "--tool", tool, "--error-exitcode", "99"};
  launch.patience = 6;  // the first call of a library makes the tool read all of its kernels
  return launch;
}

// "========= ERROR SUMMARY: 0 errors", "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0
// warnings)"
void judge_findings_of(const char* tool, const PlannedStep& step, const std::string& printed,
                       TestReport& report) {
  const std::string summary = line_with(printed, " SUMMARY: ");
  const RacesPrinted races = races_printed(
      printed, [&](const std::string& file, int line) { return is_bulk_copy(text_of(file, step), line); });
  if (races.of_bulk_copies > 0)
    report.detail(
        "Bulk copies",
        fmt::format("{} does not follow the barriers that count their bytes: what it prints of {} place{} is "
                    "left out, and judged by the executor (--device executor)",
                    tool, races.of_bulk_copies, races.of_bulk_copies == 1 ? "" : "s"));
  if (summary.empty()) {
    report.set(Verdict::crashed, std::string(tool) + " ended without a summary");
    report.detail("Printed", printed.substr(0, 2000));
  } else if (summary.find(" SUMMARY: 0 ") == std::string::npos &&
             (races.others > 0 || races.of_bulk_copies == 0)) {
    report.set(Verdict::wrong, std::string(tool) + ": " + summary.substr(summary.find(" SUMMARY: ") + 1));
    report.detail("Printed", printed.substr(0, 2000));
  }
}

}  // namespace ladder
