#pragma once
/// @file
/// A project of one source, for tests of texts that name its lines.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "common/judge/plan.hpp"
#include "common/judge/test_report.hpp"

namespace ladder::test {

/// A project with one source of a few lines, and a plan that names it.
struct Project {
  std::filesystem::path root =
      std::filesystem::temp_directory_path() / ("ladder-feedback-" + std::to_string(::getpid()));
  PlannedStep step;
  Project() {
    std::filesystem::create_directories(root / "lessons");
    std::ofstream(root / "lessons" / "g2_tiles.cu")
        << "// one\n  As[ty][tx] = A[i];   // bring\n"
           "  Bs[ty][tx] = B[i];\n  sum += As[ty][p] * Bs[p][tx];\n";
    std::ofstream(root / "plan.json")
        << R"({"schema":"gpu-ladder-plan/3","lesson":"99-probe","table":{},"scratch":"/tmp","results":"/dev/null","seed":7,"kinds":[],"steps":[],"root":")"
        << root.string() << "\"}";
    ::setenv("LADDER_PLAN", (root / "plan.json").c_str(), 1);
    step.step = "g2_tiles";
    step.source = (root / "lessons" / "g2_tiles.cu").string();
  }
};

/// One for all tests: the plan of a process is read once.
inline const PlannedStep& step() {
  static const Project project;
  return project.step;
}

/// What a report says, line by line: verdict and message, then its details under their headings.
inline std::string text_of(const TestReport& report) {
  std::string text = std::string(name(report.verdict())) + "  " + report.message() + "\n";
  for (const auto& [heading, said] : report.details()) text += heading + " | " + said + "\n";
  return text;
}

}  // namespace ladder::test
