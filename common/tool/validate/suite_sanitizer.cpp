#include "common/tool/validate/suite_sanitizer.hpp"

#include <fmt/format.h>

#include <string_view>

#include "common/base/files/files.hpp"
#include "common/base/usage_error.hpp"
#include "common/tool/validate/sanitizer_log.hpp"
#include "common/trace/programs.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr const char* suite_tools[] = {"memcheck", "racecheck", "initcheck", "synccheck"};

}  // namespace

SanitizerPrograms find_sanitizer() {
  const SanitizerPrograms found{find_program("nvcc"), find_program("compute-sanitizer")};
  if (found.nvcc.empty()) throw UsageError{"--device cuda: nvcc was not found; install the CUDA toolkit"};
  if (found.sanitizer.empty())
    throw UsageError{
        "--device cuda: compute-sanitizer was not found; it is in the CUDA toolkit's folder bin"};
  return found;
}

namespace {

ProcessResult build(const SanitizerPrograms& programs, const ProgramRequest& request,
                    const fs::path& program) {
  std::vector<std::string> words = {
      programs.nvcc, "-std=" + request.standard, "-arch=native", "-lineinfo", "-w", "-o", program.string()};
  for (const fs::path& folder : request.include_dirs) words.push_back("-I" + folder.string());
  for (const std::string& define : request.defines) words.push_back("-D" + define);
  for (const fs::path& source : request.sources) words.push_back(source.string());
  return run_process({.arguments = words, .folder = program.parent_path(), .seconds = 300});
}

/// One tool, one run.
ProcessResult run_under(const SanitizerPrograms& programs, const ProgramRequest& request, const char* tool,
                        const fs::path& program, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {programs.sanitizer, "--tool", tool, "--print-limit", "1000"};
  if (std::string_view(tool) == "memcheck") words.insert(words.end(), {"--leak-check", "full"});
  if (std::string_view(tool) == "racecheck") words.insert(words.end(), {"--racecheck-report", "all"});
  words.push_back(program.string());
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_process({.arguments = words, .seconds = request.seconds, .max_output = std::size_t{4} << 20});
}

}  // namespace

SuiteResult sanitize(const SanitizerPrograms& programs, const ProgramRequest& request,
                     const std::vector<std::vector<std::string>>& runs, const fs::path& folder) {
  SuiteResult result;
  const fs::path program = folder / "program";
  const ProcessResult built = build(programs, request, program);
  result.seconds = built.seconds;
  if (!built.ok()) {
    result.verdict = "BUILD ERROR";
    result.not_judged = "nvcc does not compile it";
    result.message = built.output.substr(0, built.output.find('\n'));
    return result;
  }
  for (const std::vector<std::string>& arguments : runs)
    for (const char* tool : suite_tools) {
      const ProcessResult ended = run_under(programs, request, tool, program, arguments);
      result.seconds += ended.seconds;
      if (ended.interrupted) result.not_judged = "interrupted";
      if (ended.timed_out) result.errors.insert("timeout");
      SanitizerLog said = read_sanitizer_log(ended.output);
      result.errors.merge(said.errors);
      result.warnings.merge(said.warnings);
      if (result.first.empty() && !said.first.empty()) result.first = fmt::format("{}: {}", tool, said.first);
      if (result.message.empty() && !said.unknown.empty()) result.message = "not understood: " + said.unknown;
    }
  if (result.errors == std::set<std::string>{"timeout"})
    result.message = fmt::format("did not end in {:.0f} s under compute-sanitizer", request.seconds);
  result.verdict = result.errors.empty() ? "PASS" : "WRONG";
  return result;
}

}  // namespace ladder
