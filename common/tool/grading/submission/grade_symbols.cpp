/// @file
/// The names that no step of a batch may define, those of the harness and of the libraries that steps are
/// linked with, and those of the headers that steps include.

#include <fmt/format.h>

#include <filesystem>
#include <sstream>
#include <string_view>

#include "common/base/files/files.hpp"
#include "common/grade/evidence/symbols.hpp"
#include "common/tool/grading/grading.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// Symbols that files define for others.
std::set<std::string> names_defined_in(std::vector<std::string> files, const char* table) {
  std::vector<std::string> command = {"nm", "-P", "--defined-only", table};
  command.insert(command.end(), files.begin(), files.end());
  const ProcessResult ended =
      run_process({.arguments = std::move(command), .seconds = 60, .output_only = true});
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
    const ProcessResult found = run_process(
        {.arguments = {"c++", std::string("-print-file-name=") + name}, .seconds = 20, .output_only = true});
    const std::string file = found.output.substr(0, found.output.find('\n'));
    if (file.starts_with("/")) files.push_back(file);
  }
  return files;
}

/// The libraries of linear algebra that a recipe links.
void add_linear_algebra(const Recipe& recipe, std::set<std::string>& files) {
  for (const std::string& command : recipe.commands) {
    std::istringstream words(command);
    for (std::string word; words >> word;)
      if (word.starts_with("/") && word.find("blas") != word.npos && word.find(".so") != word.npos)
        files.insert(word);
  }
}

template <class Entries>
void add_words_of(const Entries& entries, std::set<std::string>& words) {
  for (const auto& entry : entries) {
    const fs::path kind = entry.path().extension();
    if (entry.is_regular_file() && kind != ".cu" && kind != ".cpp" && kind != ".md")
      grade::add_words(read_text(entry.path()), words);
  }
}

/// Identifiers in the headers that steps include.
void add_words_of_headers(const fs::path& root, const std::set<std::string>& lessons,
                          grade::Surroundings& around) {
  std::error_code none;
  const fs::path common = root / "common";
  add_words_of(fs::recursive_directory_iterator(common / "executor/include", none), around.executor_words);
  for (const char* folder : {"device", "npb"})
    add_words_of(fs::directory_iterator(common / folder, none), around.device_words);
  for (const char* file : {"base/error.hpp", "base/event.h"})
    grade::add_words(read_text(common / file), around.device_words);
  for (const std::string& lesson : lessons)
    add_words_of(fs::directory_iterator(root / "lessons" / lesson, none), around.lesson_words);
}

}  // namespace

void find_symbols(Batch& batch) {
  const std::string build = batch.context.build.harness_folder().string();
  grade::Surroundings& around = batch.surroundings;
  std::set<std::string> archives, linear_algebra, lessons;
  for (const GradedStep& step : batch.steps) {
    lessons.insert(step.step->lesson);
    for (const Recipe& recipe : step.recipes)
      for (const std::string& file : recipe.reads)
        if (file.starts_with(build) && file.ends_with(".a")) archives.insert(file);
    for (const Recipe& recipe : step.recipes) add_linear_algebra(recipe, linear_algebra);
  }
  if (!archives.empty()) around.harness = names_defined_in({archives.begin(), archives.end()}, "-g");
  around.library = names_defined_in(shared_libraries(), "-D");
  if (!linear_algebra.empty())
    around.linear_algebra = names_defined_in({linear_algebra.begin(), linear_algebra.end()}, "-D");
  add_words_of_headers(batch.context.build.harness_root(), lessons, around);
}

}  // namespace ladder
