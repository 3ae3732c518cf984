/// @file
/// The programs ladder-check, ladder-student, ladder-class and ladder-dev, which differ in their verbs
/// (LADDER_VERBS, a function of verbs.hpp). Started by ./ladder.

#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>

#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/text/table.hpp"
#include "common/tool/core/terminal.hpp"
#include "common/tool/core/verbs.hpp"

namespace {

/// What is to be written is tried before the work: nothing that took minutes is lost for a name that was
/// mistyped.
void try_outputs(const ladder::Options& options) {
  const auto attempt = [](const char* option, const std::filesystem::path& file) {
    try {
      ladder::try_to_write(file);
    } catch (const ladder::UsageError& error) {
      throw ladder::UsageError{std::string(option) + ": " + error.text};
    }
  };
  if (!options.json.empty() && options.json != "-") attempt("--json", options.json);
  if (!options.html.empty()) attempt("--html", options.html);
  if (!options.trace.empty()) attempt("--trace", options.trace);
  if (!options.output.empty()) attempt("-o", options.output);
  if (!options.report.empty()) attempt("--report", std::filesystem::path(options.report) / "report");
}

/// One line; on a terminal as many as it takes, broken between words.
int fail(const std::string& text) {
  const std::size_t width = ladder::width_of_errors();
  for (const std::string& line : ladder::report::wrapped("ladder: " + text, width >= 20 ? width : text.npos))
    std::fprintf(stderr, "%s\n", line.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) try {
  ladder::prepare_processes();
  ladder::Options options;
  const auto verbs = ladder::LADDER_VERBS();
  if (const auto status = ladder::read_options(argc, argv, options, verbs)) return *status;
  if (options.elsewhere) throw ladder::UsageError{"--remote and --fetch are options of the script ./ladder"};
  try_outputs(options);
  return ladder::run_verb(options, verbs);
} catch (const std::exception& error) {
  return fail(error.what());
}
