#include "common/judge/findings/sanitizer_rules.hpp"

#include <sstream>

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
void judge_findings_of(const char* tool, const std::string& printed, TestReport& report) {
  const std::string summary = line_with(printed, " SUMMARY: ");
  if (summary.empty()) {
    report.set(Verdict::crashed, std::string(tool) + " ended without a summary");
    report.detail("Printed", printed.substr(0, 2000));
  } else if (summary.find(" SUMMARY: 0 ") == std::string::npos) {
    report.set(Verdict::wrong, std::string(tool) + ": " + summary.substr(summary.find(" SUMMARY: ") + 1));
    report.detail("Printed", printed.substr(0, 2000));
  }
}

}  // namespace ladder
