#include "common/tool/catalogue/todos.hpp"

#include <algorithm>
#include <array>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view todo_mark = "TODO";

bool is_text(const fs::path& file) {
  static const std::array<std::string, 9> endings = {".hpp",     ".cpp",      ".cu",    ".cuh", ".md",
                                                     ".mutants", ".variants", ".cmake", ".toml"};
  return std::find(endings.begin(), endings.end(), file.extension().string()) != endings.end();
}

/// The skeleton of a solution that is there.
bool is_cut(const fs::path& root, const LessonEntry& lesson, const fs::path& file) {
  return file.parent_path() == root / "lessons" / lesson.name &&
         fs::exists(root / "solutions" / lesson.name / file.filename());
}

/// What is to be done, without the quotes and commas that end a line of code.
std::string rest_of(const std::string& line, std::size_t at) {
  const std::string text = line.substr(at);
  return text.substr(0, text.find_last_not_of(" \t\r\",}") + 1);
}

void add_lines(const fs::path& root, const fs::path& file, std::vector<Todo>& todos) {
  std::size_t number = 0;
  bool generated = false;
  for (const std::string& line : lines_of(read_text(file))) {
    ++number;
    if (line.find("<!-- generated:") != line.npos) generated = true;
    if (line.find("<!-- end -->") != line.npos) generated = false;
    const auto at = line.find(todo_mark);
    if (at != line.npos && !generated)
      todos.push_back({file.lexically_relative(root).string(), number, rest_of(line, at)});
  }
}

}  // namespace

std::vector<Todo> todos_of(const fs::path& root, const LessonEntry& lesson) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const char* tree : {"lessons", "solutions", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(root / tree / lesson.name, ignored))
      if (is_text(entry.path()) && !is_cut(root, lesson, entry.path())) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Todo> todos;
  for (const fs::path& file : files) add_lines(root, file, todos);
  return todos;
}

std::set<std::string> unfinished(const LessonEntry& lesson, const std::vector<Todo>& todos) {
  std::set<std::string> names;
  for (const StepEntry& step : lesson.steps) {
    const bool in_files = std::any_of(todos.begin(), todos.end(),
                                      [&](const Todo& t) { return fs::path(t.file).stem() == step.name; });
    if (in_files || step.row.dump().find(todo_mark) != std::string::npos) names.insert(step.name);
  }
  return names;
}

}  // namespace ladder
