/// @file
/// The names that no step of a batch may define: those of the harness, and of the libraries that steps are linked with.

#include <fmt/format.h>

#include <string_view>

#include "common/grade/symbols.hpp"
#include "common/tool/grading.hpp"

namespace ladder {
namespace {

/// Symbols that files define for others.
std::set<std::string> names_defined_in(std::vector<std::string> files, const char* table) {
  std::vector<std::string> command = {"nm", "-P", "--defined-only", table};
  command.insert(command.end(), files.begin(), files.end());
  const Ended ended = run_process({.arguments = std::move(command), .seconds = 60, .output_only = true});
  grade::Symbols found = grade::symbols_from(ended.output);
  found.defined.merge(found.data);
  if (table == std::string_view("-D")) found.defined.merge(found.weak);  // the C library's write() is weak
  return found.defined;
}

/// The libraries that steps are linked with, or call.
std::vector<std::string> shared_libraries() {
  std::vector<std::string> files;
  for (const char* name :
       {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgomp.so.1", "libOpenCL.so.1", "libmpi.so.40"}) {
    const Ended found = run_process(
        {.arguments = {"c++", std::string("-print-file-name=") + name}, .seconds = 20, .output_only = true});
    const std::string file = found.output.substr(0, found.output.find('\n'));
    if (file.starts_with("/")) files.push_back(file);
  }
  return files;
}

}  // namespace

void find_symbols(Batch& batch) {
  const std::string build = batch.context.build.harness_folder().string();
  std::set<std::string> archives;
  for (const GradedStep& step : batch.steps)
    for (const Recipe& recipe : step.recipes)
      for (const std::string& file : recipe.reads)
        if (file.starts_with(build) && file.ends_with(".a")) archives.insert(file);
  if (!archives.empty()) batch.harness_names = names_defined_in({archives.begin(), archives.end()}, "-g");
  batch.library_names = names_defined_in(shared_libraries(), "-D");
}

}  // namespace ladder
