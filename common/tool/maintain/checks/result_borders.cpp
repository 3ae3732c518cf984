#include "common/tool/maintain/checks/result_borders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <span>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// Files that read or write JSON which has such fields, and why no structure is between.
constexpr std::string_view border_files[] = {
    "common/grade/record_file.cpp",         // says what a record lacks that is no whole one
    "common/tool/catalogue/old_names.cpp",  // renames in documents of any schema, and leaves the rest alone
    "common/tool/maintain/hardware.cpp",    // executor.json, whose parts stay as they were stored
};

/// Files that read a table of rungs, or how a program is built, which have steps and targets, too.
constexpr std::string_view table_files[] = {
    "common/report/results/performance.cpp",   "common/sitegen/merge_run.cpp",
    "common/sitegen/pages/page_gpu_times.cpp", "common/sitegen/pages/page_on_gpu.cpp",
    "common/sitegen/pages/page_paper.cpp",     "common/sitegen/pages/page_parts.cpp",
    "common/sitegen/pages/page_syllabus.cpp",  "common/sitegen/pages/page_tables.cpp",
    "common/sitegen/pages/page_values.cpp",    "common/sitegen/slides/slides.cpp",
    "common/tool/build/harness.cpp",           "common/tool/build/toolchain.cpp",
    "common/tool/catalogue/catalogue.cpp",     "common/tool/course/course_rungs.cpp",
    "common/tool/exam/exam_bank.cpp",          "common/tool/grading/submission/grade_recipes.cpp",
    "common/tool/judging/plan_file.cpp",       "common/tool/maintain/checks/tree_checks.cpp",
    "common/tool/student/feedback.cpp",        "common/tool/student/predict.cpp",
};

bool is_among(const std::string& file, std::span<const std::string_view> files) {
  return std::find(files.begin(), files.end(), file) != files.end();
}

bool is_border(const std::string& file) {
  return file.starts_with("common/model/") || is_among(file, border_files);
}

bool is_source(const fs::path& file) {
  return file.extension() == ".cpp" || file.extension() == ".hpp";
}

/// Where one of these names is a key, a line each.
std::vector<std::string> keys_in(const std::string& file, const std::string& text, const char* names) {
  const std::regex key(fmt::format(R"re((?:\[|[.](?:value|at|contains)\()"({})")re", names));
  std::vector<std::string> found;
  int number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    std::smatch match;
    if (std::regex_search(line, match, key))
      found.push_back(fmt::format("{}:{}: \"{}\"", file, number, match[1].str()));
  }
  return found;
}

constexpr const char* result_keys =
    "lessons|reproductions|verdict|kinds|failed_case|ratio_interval|machine|times|cases";
constexpr const char* table_keys = "steps|targets";

std::string off_the_list(std::string_view file, const char* what) {
  return fmt::format(
      "{} takes nothing of a {} by its key: take it off the list in "
      "common/tool/maintain/checks/result_borders.cpp",
      file, what);
}

}  // namespace

std::vector<std::string> results_by_key(const std::string& file, const std::string& text) {
  if (is_among(file, table_files)) return keys_in(file, text, result_keys);
  return keys_in(file, text, fmt::format("{}|{}", result_keys, table_keys).c_str());
}

std::vector<std::string> wrong_result_borders(const fs::path& root) {
  std::vector<std::string> wrong;
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(root / "common", none)) {
    const std::string file = entry.path().lexically_relative(root).string();
    if (!is_source(entry.path()) || is_border(file)) continue;
    for (const std::string& line : results_by_key(file, read_text(entry.path())))
      wrong.push_back(line + " of a result is taken by its key: take the structure of common/model");
  }
  for (const std::string_view file : border_files)
    if (results_by_key("", read_text(root / file)).empty()) wrong.push_back(off_the_list(file, "result"));
  for (const std::string_view file : table_files)
    if (keys_in("", read_text(root / file), table_keys).empty()) wrong.push_back(off_the_list(file, "table"));
  return wrong;
}

}  // namespace ladder
