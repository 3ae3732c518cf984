/// @file
/// Programs of other people, built by ninja in a folder of their own: B/programs/NAME-HASH.

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "common/base/files/files.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/sha256.hpp"
#include "common/tool/build/lint.hpp"
#include "common/tool/build/toolchain.hpp"
#include "common/tool/program/program.hpp"
#include "common/tool/program/program_ninja.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kept_folders = 24;  ///< programs whose objects are kept for the next call
constexpr std::size_t shown_errors = 3;

/// The oldest folders go, so that checking many programs does not fill the disk. Those that CMake builds
/// there (common/programs) have no hash in their names, and stay.
void sweep(const fs::path& programs) {
  static const std::regex own(".+-[0-9a-f]{12}");
  std::error_code ignored;
  std::vector<std::pair<fs::file_time_type, fs::path>> folders;
  for (const auto& entry : fs::directory_iterator(programs, ignored))
    if (std::regex_match(entry.path().filename().string(), own))
      folders.emplace_back(fs::last_write_time(entry.path(), ignored), entry.path());
  std::sort(folders.rbegin(), folders.rend());
  for (std::size_t i = kept_folders; i < folders.size(); ++i) fs::remove_all(folders[i].second, ignored);
}

/// A folder for these sources, flags and mode: another request gets another folder.
fs::path folder_for(const fs::path& programs, const ProgramRequest& request, const std::string& ninja) {
  const fs::path folder =
      programs / fmt::format("{}-{}", request.sources.front().stem().string(), sha256(ninja).substr(0, 12));
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem)
    throw UsageError{fmt::format("cannot make the folder {}: {}", folder.string(), problem.message())};
  fs::last_write_time(folder, fs::file_time_type::clock::now(), problem);
  sweep(programs);
  return folder;
}

/// Builds what of ours a program is linked with.
void build_executor(Context& context, const Toolchain& tools, bool observed) {
  const auto failures =
      context.build.make((observed ? tools.observed : tools.plain).targets, context.build_progress());
  if (!failures.empty() && !interrupted())
    throw UsageError{fmt::format("the executor itself does not build: {}", failures.begin()->second.line())};
}

/// What g++ accepted and nvcc would not.
void add_lint_errors(const fs::path& folder, const std::vector<std::string>& targets, BuiltProgram& built) {
  for (const std::string& target : targets) {
    const std::string output = read_text(folder / target);
    built.lint_crashed = built.lint_crashed || lint_crashed(output);
    for (const BuildFailure& error : lint_errors(output, fs::current_path(), folder))
      if (built.errors.size() < shown_errors) built.errors.push_back(error);
    if (!built.errors.empty() && built.output.empty()) built.output = output;
  }
}

}  // namespace

BuiltProgram build_program(Context& context, const ProgramRequest& request, bool observed) {
  const Toolchain tools = read_toolchain(context.build.harness_folder());
  build_executor(context, tools, observed);
  const std::string ninja = program_ninja(tools, request, observed);
  const fs::path programs = request.builds.empty() ? context.build.folder() / "programs" : request.builds;
  const fs::path folder = folder_for(programs, request, ninja);
  if (read_text(folder / "build.ninja") != ninja) write_text(folder / "build.ninja", ninja);

  Build build(fs::current_path(), folder);
  BuiltProgram built;
  built.file = folder / "program";
  std::vector<std::string> targets = lint_targets(tools, request, observed);
  targets.push_back("program");
  const auto failures = build.make(targets, context.build_progress());
  targets.pop_back();
  context.terminal.begin_work();
  built.interrupted = interrupted();
  if (const auto failed = failures.find("program"); failed != failures.end()) {
    built.output = failed->second.output;
    built.errors = first_errors(built.output, fs::current_path(), folder, shown_errors);
  } else if (add_lint_errors(folder, targets, built); !built.errors.empty()) {
    return built;
  } else if (!built.interrupted && !request.keep.empty() && !observed) {
    std::error_code problem;
    fs::copy_file(built.file, request.keep, fs::copy_options::overwrite_existing, problem);
    if (problem)
      throw UsageError{fmt::format("cannot write {}: {}", request.keep.string(), problem.message())};
  }
  return built;
}

}  // namespace ladder
