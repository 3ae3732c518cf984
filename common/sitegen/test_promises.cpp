#include "common/sitegen/test_promises.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "common/base/files/whole_file.hpp"
#include "common/base/text/markdown.hpp"
#include "common/base/text/text.hpp"
#include "common/report/results/test_part.hpp"
#include "common/sitegen/site_text.hpp"

namespace ladder::report {
namespace {

namespace fs = std::filesystem;

/// The text of a line of comment, without its sign; nothing for code.
std::optional<std::string> comment_in(const std::string& line) {
  static const std::regex comment(R"(\s*(///?|#) ?(.*))");
  std::smatch found;
  if (line.starts_with("#include") || line.starts_with("#pragma") || !std::regex_match(line, found, comment))
    return {};
  return found[2].str();
}

/// Up to the first full stop that ends a sentence.
std::string first_sentence(const std::string& text) {
  static const std::regex end(R"([.!?](?= [A-Z`*.]|$))");
  std::smatch found;
  return std::regex_search(text, found, end) ? found.prefix().str() + found.str() : text;
}

/// The name of a page's file, and of a heading on it; empty where only the page is meant.
std::pair<std::string, std::string> parts_of(const std::string& guarded) {
  const auto hash = guarded.find('#');
  return {guarded.substr(0, hash), hash == guarded.npos ? "" : guarded.substr(hash + 1)};
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::recursive_directory_iterator(folder, none))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// The folders whose sources are unit tests: those of lessons are judges.
std::vector<fs::path> unit_test_files(const fs::path& root) {
  std::vector<fs::path> files = files_below(root / "tests/common");
  for (fs::path& file : files_below(root / "tests/tool")) files.push_back(std::move(file));
  return files;
}

/// What is wrong with the promise of a part, source or script.
void look_at(const fs::path& root, const TestPromise& promise, std::vector<std::string>& wrong) {
  if (promise.proves.empty())
    wrong.push_back(promise.file + " does not say what it proves: begin it with a comment of one sentence");
  if (promise.guards.empty())
    wrong.push_back(
        promise.file +
        " does not say which promise it guards: add the line \"Guards: docs/PAGE.md#HEADING\" to its "
        "first comment");
  for (const std::string& guarded : promise.guards)
    if (heading_of(root, guarded).empty())
      wrong.push_back(fmt::format(
          "{} guards {}, but {}: name a heading that is there, as the page's links do", promise.file, guarded,
          fs::exists(root / parts_of(guarded).first) ? "that page has no such heading"
                                                     : "there is no such page"));
}

}  // namespace

TestPromise promise_of(const fs::path& root, const fs::path& file) {
  static const std::regex test_case(R"(^\s*(TEST_CASE|SCENARIO)\()");
  TestPromise promise{.file = file.lexically_relative(root).generic_string(), .proves = {}, .guards = {}};
  std::string text;
  bool head = true, whole = false;
  for (const std::string& line : lines_of(read_text(file))) {
    promise.cases += std::regex_search(line, test_case) ? 1 : 0;
    if (!head || line.starts_with("#!") || line.starts_with("# shellcheck")) continue;
    const auto comment = comment_in(line);
    head = comment.has_value();
    if (!head || *comment == "@file") continue;
    if (comment->starts_with("Guards: ")) {
      std::istringstream list(comment->substr(8));
      for (std::string one; std::getline(list, one, ',');) promise.guards.emplace_back(trim(one));
      whole = true;
    } else if (comment->empty() || comment->front() == ' ') {
      whole = true;  // the usage of a script, or the next paragraph
    } else if (!whole) {
      text += (text.empty() ? "" : " ") + *comment;
    }
  }
  promise.proves = first_sentence(text);
  return promise;
}

/// The sources of a program, with those of the object libraries that it takes in.
static std::string with_objects(std::string sources, const std::string& cmake) {
  static const std::regex objects(R"(\$<TARGET_OBJECTS:([\w-]+)>)");
  for (std::smatch found; std::regex_search(sources, found, objects);) {
    const std::string begin = fmt::format("add_library({} OBJECT ", found[1].str());
    const auto at = cmake.find(begin);
    const std::string theirs =
        at == cmake.npos ? "" : cmake.substr(at + begin.size(), cmake.find(')', at) - at - begin.size());
    sources.replace(static_cast<std::size_t>(found.position()), static_cast<std::size_t>(found.length()),
                    theirs);
  }
  return sources;
}

std::vector<TestProgram> test_programs(const fs::path& root) {
  static const std::regex call(R"((?:ladder_unit_test|tool_test|target_sources)\((test-[\w-]+)\s([^)]*)\))");
  std::map<std::string, TestProgram> programs;
  for (const fs::path& file : unit_test_files(root)) {
    if (file.filename() != "CMakeLists.txt") continue;
    const std::string text = read_text(file);
    for (auto at = std::sregex_iterator(text.begin(), text.end(), call); at != std::sregex_iterator(); ++at) {
      TestProgram& program = programs[(*at)[1]];
      program.name = (*at)[1];
      std::istringstream sources(with_objects((*at)[2], text));
      for (std::string word; sources >> word;)
        if (TestPromise source = promise_of(root, file.parent_path() / word); source.cases > 0)
          program.sources.push_back(std::move(source));
    }
  }
  std::vector<TestProgram> list;
  for (auto& [name, program] : programs) list.push_back(std::move(program));
  return list;
}

std::vector<TestPromise> test_scripts(const fs::path& root) {
  std::set<fs::path> files;
  for (const fs::path& file : files_below(root / "tests"))
    if (file.filename().string().ends_with("_test.sh")) files.insert(file);
  for (const TestPart& part : test_part_table())
    for (const std::string& script : part.scripts)
      if (fs::exists(root / script)) files.insert(root / script);
  std::vector<TestPromise> scripts;
  for (const fs::path& file : files) scripts.push_back(promise_of(root, file));
  return scripts;
}

std::string heading_of(const fs::path& root, const std::string& guarded) {
  const auto [page, name] = parts_of(guarded);
  static const std::regex heading("#+ (.*)");
  bool fenced = false;
  std::smatch found;
  for (const std::string& line : lines_of(read_text(root / page))) {
    fenced ^= is_code_fence(line);
    if (!fenced && std::regex_match(line, found, heading) && (name.empty() || heading_slug(found[1]) == name))
      return found[1];
  }
  return "";
}

std::vector<std::string> wrong_promises(const fs::path& root) {
  std::vector<std::string> wrong;
  if (!fs::exists(root / "tests/common") && !fs::exists(root / "tests/tool")) return wrong;
  for (const TestPart& part : test_part_table())
    look_at(root,
            {.file = "common/report/results/test_part.cpp: part " + part.name,
             .proves = part.proves,
             .guards = part.guards},
            wrong);
  std::set<std::string> in_programs;
  for (const TestProgram& program : test_programs(root)) {
    if (program.sources.empty()) wrong.push_back(program.name + " has no source with a TEST_CASE");
    for (const TestPromise& source : program.sources) {
      in_programs.insert(source.file);
      look_at(root, source, wrong);
    }
  }
  for (const fs::path& file : unit_test_files(root)) {
    if (!file.filename().string().ends_with("_test.cpp")) continue;  // others may belong to a judge
    const TestPromise source = promise_of(root, file);
    if (source.cases > 0 && !in_programs.contains(source.file))
      wrong.push_back(source.file +
                      " is in no program: name it in a ladder_unit_test() of its CMakeLists.txt");
  }
  for (const TestPromise& script : test_scripts(root)) look_at(root, script, wrong);
  return wrong;
}

}  // namespace ladder::report
