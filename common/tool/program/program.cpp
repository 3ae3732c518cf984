/// @file
/// The program that a command line names.

#include "common/tool/program/program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/usage_error.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

const std::vector<std::string> extensions = {".cu", ".cpp", ".cc", ".cxx", ".c"};

bool has_source_name(const std::string& word) {
  return std::find(extensions.begin(), extensions.end(), fs::path(word).extension()) != extensions.end();
}

/// Steps may be named by their files too: those come first.
bool is_step(const Catalogue& catalogue, const std::string& word) {
  const fs::path path(word);
  for (const LessonEntry& lesson : catalogue.lessons)
    for (const StepEntry& step : lesson.steps)
      if (path.filename() == step.file && path.parent_path().filename() == lesson.name) return true;
  for (const LessonEntry& lesson : catalogue.lessons)  // the catalogue says what they are called now
    for (const OldName& old : lesson.old_names)
      if (path.stem() == old.was && path.parent_path().filename() == lesson.name) return true;
  return false;
}

fs::path source_path(const std::string& word) {
  std::error_code ignored;
  const fs::path path = fs::absolute(word).lexically_normal();
  if (!fs::exists(path, ignored)) throw UsageError{fmt::format("no such file: {}", word)};
  if (!fs::is_regular_file(path, ignored)) throw UsageError{fmt::format("{} is not a file", word)};
  return path;
}

fs::path folder_path(const std::string& word) {
  std::error_code ignored;
  if (!fs::is_directory(word, ignored)) throw UsageError{fmt::format("-I {}: no such folder", word)};
  return fs::absolute(word).lexically_normal();
}

}  // namespace

bool names_program(const Catalogue& catalogue, const std::vector<std::string>& names) {
  const auto is_file = [&](const std::string& w) { return has_source_name(w) && !is_step(catalogue, w); };
  const auto files = std::count_if(names.begin(), names.end(), is_file);
  if (files > 0 && files < static_cast<std::ptrdiff_t>(names.size())) {
    const auto other = std::find_if_not(names.begin(), names.end(), is_file);
    throw UsageError{
        fmt::format("'{}' is no source file of a program (.cu, .cpp, .cc, .cxx, .c); rungs and programs are "
                    "checked one after the other, and a program's own arguments stand after --",
                    *other)};
  }
  return files > 0;
}

void refuse_program_options(const Options& options) {
  refuse_typed(options, {"-I", "-D", "--std", "--seconds", "--memory", "-o", "--plain"},
               "is for the files of a program: ./ladder check FILE.cu");
}

ProgramRequest program_request(const Options& options) {
  refuse_typed(options, {"--device", "--tree", "--seed", "--size", "--class", "--matrix", "--under"},
               "is for rungs; a program runs on the executor, and makes its own inputs");
  ProgramRequest request;
  for (const std::string& word : options.names) request.sources.push_back(source_path(word));
  if (std::none_of(request.sources.begin(), request.sources.end(),
                   [](const fs::path& p) { return p.extension() == ".cu"; }))
    throw UsageError{fmt::format("{}: a CUDA program has at least one .cu file", options.names.front())};
  for (const std::string& word : options.include_dirs) request.include_dirs.push_back(folder_path(word));
  request.defines = options.defines;
  request.standard = options.standard;
  request.arguments = options.arguments;
  request.seconds = options.seconds;
  request.memory_bytes = static_cast<std::size_t>(options.memory_gib * (std::size_t{1} << 30));
  if (!options.output.empty()) request.keep = fs::absolute(options.output);
  return request;
}

}  // namespace ladder
