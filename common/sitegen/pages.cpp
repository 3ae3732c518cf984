#include "common/sitegen/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include "common/base/files/whole_file.hpp"
#include "common/base/text/markdown.hpp"
#include "common/sitegen/pages/page_parts.hpp"
#include "common/sitegen/pages/page_values.hpp"
#include "common/sitegen/prerequisites.hpp"

namespace ladder::report {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool is_end(const std::string& line) {
  static const std::regex pattern(R"(\s*<!-- end -->\s*)");
  return std::regex_match(line, pattern);
}

bool has_mark(const std::string& line) {
  return line.find("<!-- generated:") != std::string::npos;
}

/// A mark: its indentation, kind and arguments.
struct Mark {
  std::string indent, kind;
  std::vector<std::string> arguments;
};

bool read_mark(const std::string& line, Mark& mark) {
  static const std::regex pattern(R"((\s*)<!-- generated: (\S+)((?: +\S+)*) -->\s*)");
  std::smatch found;
  if (!std::regex_match(line, found, pattern)) return false;
  mark = {found[1], found[2], {}};
  std::istringstream arguments(found[3]);
  for (std::string one; arguments >> one;) mark.arguments.push_back(one);
  return true;
}

/// "lessons/03-dgemm/figures/draw-g2-tiles.svg": the pictures of all lessons, each of which a page makes.
Lines figures_of_lessons(const fs::path& root) {
  Lines files;
  if (!fs::is_directory(root / "lessons")) return files;
  for (const auto& lesson : fs::directory_iterator(root / "lessons"))
    if (const fs::path folder = lesson.path() / "figures"; fs::is_directory(folder))
      for (const auto& figure : fs::directory_iterator(folder))
        files.push_back(figure.path().lexically_relative(root));
  std::ranges::sort(files);
  return files;
}

/// The line after a mark's old content: after its end, or directly after the mark when the end is missing.
std::size_t after_block(const Lines& lines, std::size_t mark) {
  for (std::size_t i = mark + 1; i < lines.size() && !has_mark(lines[i]); ++i)
    if (is_end(lines[i])) return i + 1;
  return mark + 1;
}

/// One page with its marks filled.
class Page {
 public:
  Page(std::string file, PartMaker& parts, PageValues& values, std::vector<PageProblem>& problems)
      : file_(std::move(file)), parts_(parts), values_(values), problems_(problems) {}

  std::string filled(const Lines& lines) {
    bool fenced = false;
    for (std::size_t i = 0; i < lines.size();) {
      fenced ^= is_code_fence(lines[i]);
      Mark mark;
      if (fenced || (!has_mark(lines[i]) && !is_end(lines[i]))) {
        put(fenced || !PageValues::has_value(lines[i]) ? lines[i]
                                                       : values_.filled(file_, i + 1, lines[i], problems_));
        ++i;
      } else if (read_mark(lines[i], mark)) {
        fill(mark, lines[i], i + 1);
        i = after_block(lines, i);
      } else {
        problems_.push_back(
            {file_, i + 1, is_end(lines[i]) ? "an end without a mark" : "a mark is on a line of its own"});
        put(lines[i++]);
      }
    }
    return text_;
  }

 private:
  void put(const std::string& line) { text_ += line + "\n"; }

  void fill(const Mark& mark, const std::string& line, std::size_t number) {
    put(line);
    try {
      const Lines content = parts_.part(file_, mark.kind, mark.arguments);
      // A Markdown table or list begins after an empty line, and an HTML comment ends at one.
      put("");
      for (const std::string& one : content) put(one.empty() ? "" : mark.indent + one);
      put("");
    } catch (const UnknownPart& error) {
      problems_.push_back({file_, number, error.what()});
    }
    put(mark.indent + "<!-- end -->");
  }

  std::string file_, text_;
  PartMaker& parts_;
  PageValues& values_;
  std::vector<PageProblem>& problems_;
};

std::vector<fs::path> page_files(const fs::path& root) {
  std::vector<fs::path> files;
  std::error_code none;
  if (fs::exists(root / "README.md")) files.push_back(root / "README.md");
  std::vector<fs::path> folders = {root / "docs"};
  for (const auto& entry : fs::directory_iterator(root / "lessons", none)) folders.push_back(entry.path());
  for (const fs::path& folder : folders)
    for (const auto& entry : fs::directory_iterator(folder, none))
      if (entry.path().extension() == ".md") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// The first line that differs, for the person who edited it by hand.
PageProblem difference(const std::string& file, const std::string& is, const std::string& should) {
  const Lines a = lines_of(is), b = lines_of(should);
  std::size_t i = 0;
  while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
  const auto at = [&](const Lines& lines) {
    return i < lines.size() ? lines[i] : std::string("(end of the file)");
  };
  return {file, i + 1, fmt::format("is\n{}\nthe stored runs say\n{}", at(a), at(b))};
}

}  // namespace

std::string PageProblem::sentence() const {
  return line > 0 ? fmt::format("{}:{}: {}", file, line, text) : fmt::format("{}: {}", file, text);
}

Pages generate_pages(const fs::path& root, const Tables& tables, const std::string& below) {
  Pages pages;
  PartMaker parts(root, tables);
  PageValues values(root, tables);
  pages.problems = values.wrong(below);
  for (PageProblem& one : prerequisite_problems(tables, below)) pages.problems.push_back(std::move(one));
  for (const fs::path& path : page_files(root)) {
    const std::string file = path.lexically_relative(root);
    if (!file.starts_with(below)) continue;
    const std::string text = read_text(path);
    const Lines lines = lines_of(text);
    if (std::none_of(lines.begin(), lines.end(),
                     [](const std::string& line) { return has_mark(line) || PageValues::has_value(line); }))
      continue;
    pages.files[file] = Page(file, parts, values, pages.problems).filled(lines);
  }
  pages.unused = values.unused(below);
  for (const auto& [file, svg] : parts.figures()) pages.files[file] = svg;
  return pages;
}

std::vector<PageProblem> check_pages(const fs::path& root, const Tables& tables, const std::string& below) {
  const Pages pages = generate_pages(root, tables, below);
  std::vector<PageProblem> problems = pages.problems;
  if (!problems.empty()) return problems;  // what follows would only be their consequences
  problems = pages.unused;
  if (below.empty())
    for (const std::string& file : figures_of_lessons(root))
      if (!pages.files.contains(file)) problems.push_back({file, 0, "no page has this figure: remove it"});
  for (const auto& [file, text] : pages.files) {
    const std::string there = read_text(root / file);
    if (there == text) continue;
    if (fs::path(file).extension() == ".svg")
      problems.push_back(
          {file, 0,
           there.empty() ? "the figure is missing" : "the figure is not the one of the stored runs"});
    else
      problems.push_back(difference(file, there, text));
  }
  return problems;
}

std::vector<std::string> write_pages(const fs::path& root, const Pages& pages) {
  std::vector<std::string> written;
  for (const auto& [file, text] : pages.files) {
    if (read_text(root / file) == text) continue;
    fs::create_directories((root / file).parent_path());
    std::ofstream out(root / file, std::ios::binary);
    if (!(out << text) || !out.flush()) throw std::runtime_error("cannot write " + (root / file).string());
    written.push_back(file);
  }
  return written;
}

}  // namespace ladder::report
