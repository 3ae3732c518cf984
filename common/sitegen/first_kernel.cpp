#include "common/sitegen/first_kernel.hpp"

#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "common/base/text/markdown.hpp"
#include "common/base/text/text.hpp"

namespace ladder::report {
namespace {

constexpr const char *first_page = "lessons/00-first-steps/README.md",
                     *first_skeleton = "lessons/00-first-steps/g1_first_kernel.cu";

/// The heading with which a text begins.
std::string title_of(const std::string& section) {
  return std::string(trim(section.substr(0, section.find('\n')).substr(section.find_first_not_of('#'))));
}

/// A source down to the end of the task that begins there, as code of a page.
std::string code_to_first_task(const std::string& source, std::size_t task) {
  std::string code = "```\n";
  std::size_t at = 0;
  for (const std::string& line : lines_of(source)) {
    if (at > task && !trim(line).starts_with("//")) break;
    code += line + '\n';
    at += line.size() + 1;
  }
  return code;
}

}  // namespace

std::vector<PageProblem> first_kernel_problems(const std::string& readme, const std::string& page,
                                               const std::string& skeleton) {
  const std::string link = "lessons/00-first-steps/README.md", students = "## For students\n",
                    path = "<!-- generated: path", write = "- **Write.**", task = "// TASK";
  const auto linked = readme.find(link), asked = readme.find(students), table = readme.find(path),
             written = page.find(write), begun = skeleton.find(task);
  std::vector<PageProblem> problems;
  for (const auto& [at, file, lacks] :
       {std::tuple(linked, "README.md", link), std::tuple(asked, "README.md", students),
        std::tuple(table, "README.md", path), std::tuple(written, first_page, write),
        std::tuple(begun, first_skeleton, task)})
    if (at == std::string::npos)
      problems.push_back({file, 0, fmt::format("the way to the first kernel has no '{}'", trim(lacks))});
  if (!problems.empty()) return problems;

  std::vector<std::pair<std::string, std::size_t>> parts = {
      {"README.md", words_of(readme.substr(0, readme.find('\n', linked)), Reading::all) +
                        words_of(readme.substr(asked, table - asked), Reading::all)}};
  std::string section;
  for (const std::string& line : lines_of(page.substr(0, page.find('\n', written) + 1))) {
    if (heading_level(line) > 0 && !section.empty()) {
      parts.emplace_back(title_of(section), words_of(section, Reading::all));
      section.clear();
    }
    section += line + '\n';
  }
  parts.emplace_back(title_of(section), words_of(section, Reading::all));
  parts.emplace_back(first_skeleton, words_of(code_to_first_task(skeleton, begun), Reading::all));

  std::size_t all = 0;
  std::string where;
  for (const auto& [name, words] : parts) {
    all += words;
    where += fmt::format("{}{} {}", where.empty() ? "" : ", ", name, words);
  }
  if (all > max_before_first_kernel)
    problems.push_back({first_page, 0,
                        fmt::format("a newcomer reads {} words before the first kernel, more than {}: {}",
                                    all, max_before_first_kernel, where)});
  return problems;
}

}  // namespace ladder::report
