#include "common/tool/maintain/checks/format.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <regex>

#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "common/base/text/text.hpp"
#include "common/skeleton/place.hpp"
#include "common/skeleton/wrap.hpp"
#include "common/tool/handout/handout.hpp"
#include "common/tool/maintain/checks/attacks.hpp"
#include "common/tool/maintain/testing/test_parts.hpp"
#include "common/trace/programs.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

/// Why neither layout nor length of lines are ours; empty: they are.
std::string written_by_others(const std::string& file) {
  static const std::regex attempt("[^/]*/[0-9][0-9]-[^/]*/attempts/.*");
  if (is_kept_submission(file)) return "it is handed in by a stranger, in their own layout";
  return std::regex_match(file, attempt) ? "it is a student's; what is said of it names its lines" : "";
}

/// Our sources in these folders, all if there are none, that are `wanted`.
std::vector<std::string> sources_of(const fs::path& root, const std::vector<std::string>& below,
                                    const std::function<bool(const std::string&)>& wanted) {
  static const std::regex source("(common|tests|lessons|solutions)/.*[.](cpp|hpp|cu|cuh|cl|c|h)");
  std::vector<std::string> files;
  for (const std::string& file : repository_files(root)) {
    const auto holds_it = [&](const std::string& folder) { return file.starts_with(folder); };
    if (std::regex_match(file, source) && (below.empty() || std::ranges::any_of(below, holds_it)) &&
        wanted(file))
      files.push_back(file);
  }
  return files;
}

/// Whether blanks divide a line: where clang-format and people can break it.
bool has_several_words(std::string_view line) {
  line = trim(line);
  if (line.starts_with("//")) line = trim(line.substr(std::min(line.find_first_not_of('/'), line.size())));
  return line.find(' ') != line.npos;
}

constexpr const char* cut_from_solution = "it is cut from its solution";

/// How many files one call gets.
constexpr std::size_t files_of_a_call = 100;

/// Lines by file of what clang-format prints: "FILE:12:3: warning: code should be clang-formatted".
std::map<std::string, std::vector<int>> lines_by_file(const std::string& printed) {
  static const std::regex one("(.*):([0-9]+):[0-9]+: .*clang-format.*");
  std::map<std::string, std::vector<int>> lines;
  std::smatch found;
  for (const std::string& line : lines_of(printed)) {
    if (!std::regex_match(line, found, one)) continue;
    std::vector<int>& of_file = lines[found[1]];
    if (const int number = std::stoi(found[2]); of_file.empty() || of_file.back() != number)
      of_file.push_back(number);
  }
  return lines;
}

}  // namespace

Formatter find_formatter(const std::vector<std::string>& names) {
  std::string others;
  for (const std::string& name : names) {
    const std::string program = find_program(name);
    if (program.empty()) continue;
    const ProcessResult said = run_process({.arguments = {program, "--version"}, .seconds = 20});
    static const std::regex version("version ([0-9]+)");
    std::smatch found;
    const bool known = said.ok() && std::regex_search(said.output, found, version);
    if (known && std::stoi(found[1]) == format_version) return {program, ""};
    others = known ? fmt::format("; {} is of version {}, which lays out some lines otherwise", program,
                                 found[1].str())
                   : fmt::format("; {} does not say its version", program);
  }
  return {"",
          fmt::format("clang-format {0} is not here (package clang-format-{0}){1}", format_version, others)};
}

Formatter find_formatter() {
  return find_formatter({fmt::format("clang-format-{}", format_version), "clang-format"});
}

void lay_out(const fs::path& root, const std::vector<std::string>& files, const Formatter& formatter) {
  static const std::regex source(R"(.*[.](cpp|hpp|cu|cuh|cl|c|h))");
  for (const std::string& file : files)
    if (!formatter.program.empty() && std::regex_match(file, source) && layout_stays(root, file).empty())
      // without a .clang-format of its own, a checkout keeps the templates' layout, not LLVM's
      run_process({.arguments = {formatter.program, "-i", "--style=file", "--fallback-style=none",
                                 (root / file).string()}});
}

std::string layout_stays(const fs::path& root, const std::string& file) {
  if (const std::string why = written_by_others(file); !why.empty()) return why;
  if (file == "solutions/03-dgemm/g5_async_copies.cu")
    return "clang-format 14 indents its END SOLUTION before a #pragma as if it belonged to the line above";
  static const std::regex step("lessons/([^/]*/[^/]*[.](cpp|cu))");
  std::smatch found;
  if (std::regex_match(file, found, step) && fs::exists(root / "solutions" / found[1].str()))
    return cut_from_solution;
  return "";
}

std::vector<std::string> sources_to_format(const fs::path& root, const std::vector<std::string>& below) {
  return sources_of(root, below, [&](const std::string& file) { return layout_stays(root, file).empty(); });
}

std::vector<std::string> sources_to_count(const fs::path& root, const std::vector<std::string>& below) {
  return sources_of(root, below, [](const std::string& file) { return written_by_others(file).empty(); });
}

std::vector<LongLine> long_lines(const std::string& source, bool kernels) {
  std::vector<LongLine> found;
  cut::Place place;
  bool counts = true;
  int number = 0;
  for (const std::string& line : lines_of(source)) {
    ++number;
    if (trim(line) == "// clang-format off") counts = false;
    if (trim(line) == "// clang-format on") counts = true;
    const bool raw = place.in_raw_string() || line.find("R\"") != line.npos;
    place.pass(line);
    const std::size_t columns = cut::columns_of(line);
    if (columns > cut::max_columns && counts && (kernels || !raw) && has_several_words(line))
      found.push_back({number, columns});
  }
  return found;
}

void check_columns(const fs::path& root, const std::vector<std::string>& files, TestSummary& summary) {
  for (const std::string& file : files) {
    const bool kernels = file.starts_with("lessons/") || file.starts_with("solutions/");
    const auto lines = long_lines(read_text(root / file), kernels);
    std::string text = layout_stays(root, file) == cut_from_solution ? "to be wrapped in its solution" : "";
    for (const LongLine& line : lines)
      text +=
          fmt::format("\n{}:{}: {} columns, at most {}", file, line.number, line.columns, cut::max_columns);
    summary.expect(lines.empty(),
                   fmt::format("format: {}:{}", file, lines.empty() ? 1 : lines.front().number),
                   std::string(trim(text)));
  }
}

void check_format(const fs::path& root, const std::vector<std::string>& files, const Formatter& formatter,
                  TestSummary& summary) {
  for (std::size_t at = 0; at < files.size(); at += files_of_a_call) {
    const std::size_t end = std::min(files.size(), at + files_of_a_call);
    Command command{.arguments = {formatter.program, "--dry-run", "-Werror", "--style=file"}, .folder = root};
    for (std::size_t i = at; i < end; ++i) command.arguments.push_back(files[i]);
    const ProcessResult ended = run_process(command);
    const auto lines = lines_by_file(ended.output);
    if (!ended.ok() && lines.empty()) {
      summary.fail("format: " + formatter.program, ended.error + ended.output);
      continue;
    }
    summary.pass(static_cast<int>(end - at - lines.size()));
    for (const auto& [file, numbers] : lines)
      summary.fail(fmt::format("format: {}:{}", file, numbers.front()),
                   fmt::format("not laid out as .clang-format says, in {} {}\nclang-format-{} -i {}",
                               numbers.size() == 1 ? "line" : "lines", fmt::join(numbers, ", "),
                               format_version, file));
  }
}

TestJobs format_jobs(Context& context, const Lessons& lessons, TestSummary& summary) {
  const Formatter formatter = find_formatter();
  if (!formatter.missing.empty()) summary.skip("format: the layout of sources", formatter.missing);
  std::vector<std::string> below;
  if (!context.options.names.empty())
    for (const LessonEntry* lesson : lessons)
      for (const char* tree : {"lessons", "solutions", "tests"})
        below.push_back(fmt::format("{}/{}/", tree, lesson->name));
  TestJob job{.part = "format", .name = "layout of sources", .cost = 30};
  job.work = [root = context.root, below, formatter](JobReport& report) {
    check_columns(root, sources_to_count(root, below), report.summary);
    if (formatter.missing.empty())
      check_format(root, sources_to_format(root, below), formatter, report.summary);
  };
  return {job};
}

}  // namespace ladder
