/// @file
/// Examples: every ./ladder line of README, pages and help is one that the tool understands, with names that
/// exist.
// Guards: README.md

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "common/base/files/files.hpp"
#include "common/base/usage_error.hpp"
#include "common/tool/catalogue/catalogue.hpp"
#include "common/tool/core/options.hpp"
#include "common/tool/core/verbs.hpp"
#include "common/tool/machine/software.hpp"
#include "common/tool/standing/predictions.hpp"
#include "common/trace/devices.hpp"
#include "tests/tool/program_folder.hpp"

namespace fs = std::filesystem;

namespace {

const fs::path root = LADDER_PROJECT;

struct Example {
  std::string line, where;
};

/// The words after ./ladder, without a comment and where the output goes; a number where a page leaves it to
/// the reader.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  bool quoted = false, open = false;
  for (const char letter : line) {
    if ((letter == '#' || letter == '>') && !open) break;  // a comment; the shell's
    if (letter == '"') {
      quoted = !quoted;
    } else if (letter == ' ' && !quoted) {
      open = false;
      continue;
    }
    if (!open) words.emplace_back();
    open = true;
    if (letter != '"' && letter != '[' && letter != ']') words.back() += letter;
  }
  for (std::string& word : words) {
    for (std::size_t at; (at = word.find("…")) != std::string::npos;) word.erase(at, std::string("…").size());
    if (const auto at = word.find("=_"); at != std::string::npos) word = word.substr(0, at) + "=1";
  }
  std::erase(words, "");
  words.erase(words.begin());
  return words;
}

/// Every ./ladder … of a text: to the end of its code, or of the line. Of a terminal's lines only what was
/// typed: a verdict names several commands in a line.
void take_examples(const std::string& text, const std::string& where, std::vector<Example>& all) {
  std::istringstream in(text);
  bool terminal = false;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("```", 0) == 0) terminal = line == "```console";
    if (terminal && line.rfind("$ ", 0) != 0) continue;
    for (std::size_t at = line.find("./ladder"); at != std::string::npos;
         at = line.find("./ladder", at + 1)) {
      const char before = at > 0 ? line[at - 1] : ' ';  // `./ladder …`, or <code>./ladder …</code> in a fold
      const bool code = before == '`' || before == '>';
      const std::string rest =
          line.substr(at, code ? line.find(before == '`' ? '`' : '<', at) - at : std::string::npos);
      if (rest == "./ladder" || rest.rfind("./ladder ", 0) == 0) all.push_back({rest, where});
    }
  }
}

ladder::ProcessResult tool(std::vector<std::string> words) {
  return ladder::test::ProgramFolder().tool(std::move(words));
}

std::vector<Example> examples() {
  std::vector<Example> all;
  std::vector<fs::path> pages = {root / "README.md"};
  for (const char* folder : {"docs", "common", "lessons"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      // tests.md has sentences of tests: "./ladder installs, …"
      if (entry.path().extension() == ".md" && entry.path().filename() != "tests.md")
        pages.push_back(entry.path());
  for (const fs::path& page : pages)
    take_examples(ladder::read_text(page), page.lexically_relative(root).string(), all);
  for (std::string verb : ladder::names_of(ladder::dev_verbs())) {
    const ladder::ProcessResult help = tool({verb, "--help"});
    CHECK(help.ok());
    take_examples(help.output.substr(help.output.find("Example")), verb + " --help", all);
  }
  return all;
}

/// Whether a name stands for a file of the reader's, a program or a handout, not for a step.
bool is_program(const std::string& name) {
  const std::string extension = fs::path(name).extension();
  return extension == ".cu" || extension == ".cpp" || extension == ".c" || extension == ".zip";
}

/// "03/g1-g3" is rungs of one lesson.
std::string first_of_range(const std::string& rungs) {
  return rungs.substr(0, rungs.find('-', rungs.find('/')));
}

/// The steps that a verb of grading names, next to folders and files of the reader's; a range by its first
/// rung.
std::vector<std::string> graded_steps(const ladder::Options& o) {
  std::vector<std::string> steps;
  for (const auto& rungs : {o.grade.rungs, o.handout.released})
    for (const std::string& rung : rungs) steps.push_back(first_of_range(rung));
  if (o.verb != "grade" && o.names.size() > 2) steps.push_back(o.names[2]);
  return steps;
}

/// What is wrong with an example; empty when the tool would go to work.
std::string wrong_with(const Example& example, ladder::Catalogue& catalogue) try {
  std::vector<std::string> words = words_of(example.line);
  std::vector<char*> arguments;
  words.insert(words.begin(), "./ladder");
  for (std::string& word : words) arguments.push_back(word.data());
  ladder::Options o;
  if (std::find(words.begin(), words.end(), "--help") != words.end()) return "";
  if (words.size() > 1 && (words[1] == "help" || words[1] == "--version")) return "";  // of ./ladder itself
  if (const auto status =
          ladder::read_options(static_cast<int>(arguments.size()), arguments.data(), o, ladder::dev_verbs()))
    return "ends with status " + std::to_string(*status);
  const auto parts = ladder::test_parts();
  for (const std::string& part : o.parts)
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) return "no part of test: " + part;
  // Names of what is not there yet, or files and words of the verb.
  if (o.verb == "new" || o.verb == "results" || o.verb == "course" || o.verb == "update") return "";
  if (o.verb == "image" && !o.names.empty() && o.names[0] == "prebuild") return "";
  if (!o.as.empty() && !ladder::find_device(o.as)) return "no device " + o.as;
  const std::set<std::string> of_grades = {"grade", "review",     "open",   "amend",   "regrade",   "exam",
                                           "viva",  "similarity", "course", "handout", "solutions", "update"};
  std::vector<std::string> names;
  if (of_grades.contains(o.verb)) {
    catalogue.resolve(graded_steps(o));
    return "";
  }
  for (const std::string& name : o.names) {
    if (o.verb == "predict" && ladder::looks_like_prediction(name))
      ladder::parse_prediction(name);
    else if (!is_program(name))
      names.push_back(o.verb == "submit" ? first_of_range(name) : name);
  }
  if (o.verb == "image") std::erase(names, "prebuild");
  if (o.verb == "validate") std::erase(names, "findings");
  if (o.verb == "reproduce" && !names.empty() && names[0] == "executor") {
    const std::set<std::string> known = {"programs", "solutions", "findings", "costs"};
    names.erase(names.begin());
    std::erase_if(names, [&](const std::string& name) { return known.contains(name); });
  }
  for (const ladder::StepEntry* step : catalogue.resolve(names))
    if (!names.empty() && !o.tree.empty() && !fs::exists(ladder::source_of(root, o.tree, *step)))
      return step->path() + " is not in " + o.tree;
  if (!o.class_name.empty())
    for (const ladder::LessonEntry* lesson : catalogue.resolve_lessons(names))
      lesson->size_of_class(o.class_name);
  return "";
} catch (const ladder::UsageError& error) {
  return error.text;
}

/// The rung and the lesson that docs/adding-a-lesson.md adds as its examples.
bool is_new(const Example& example) {
  return example.where == "docs/adding-a-lesson.md" &&
         (example.line.find("03/c3") != std::string::npos || example.line.find(" 10") != std::string::npos);
}

/// The first words of a list of packages: for which verbs they are.
std::set<std::string> groups_of(const fs::path& list) {
  std::set<std::string> groups;
  std::istringstream lines(ladder::read_text(list));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line[0] != '#') groups.insert(line.substr(0, line.find(' ')));
  return groups;
}

}  // namespace

TEST_CASE("examples of README, pages and help: the options parse, the names exist") {
  if (!fs::exists(root / "solutions")) LADDER_SKIP("examples: this copy has no solutions");
  ladder::Catalogue catalogue(root);
  for (const ladder::LessonEntry& lesson : catalogue.lessons) CHECK(lesson.problem == "");
  const std::vector<Example> all = examples();
  CHECK(all.size() >= 60);
  std::set<std::string> verbs;
  for (const Example& example : all) {
    if (is_new(example)) continue;
    INFO(example.where << ": " << example.line);
    CHECK(wrong_with(example, catalogue) == "");
    if (const auto words = words_of(example.line); !words.empty()) verbs.insert(words[0]);
  }
  // Each has one.
  for (const std::string& verb : ladder::names_of(ladder::dev_verbs())) CHECK(verbs.contains(verb));
}

TEST_CASE("examples: what is wrong in one is found") {
  ladder::Catalogue catalogue(root);
  for (const char* line : {"./ladder chek 03/g2", "./ladder check 03/g99", "./ladder run 99",
                           "./ladder check 03/g2 --sede 7", "./ladder predict 03/g2 sectorz=1",
                           "./ladder test --part units2", "./ladder profile 03/g2 --as H1000",
                           "./ladder run 03 --class Z", "./ladder hint 03/g2 --tree nowhere"}) {
    INFO(line);
    CHECK(wrong_with({line, "here"}, catalogue) != "");
  }
  CHECK(words_of("./ladder check FILE.cu… [-I DIR] -- 100   # a comment") ==
        std::vector<std::string>{"check", "FILE.cu", "-I", "DIR", "--", "100"});
}

TEST_CASE("examples that take no time are run") {
  int count = 0;
  for (const Example& example : examples()) {
    const std::vector<std::string> words = words_of(example.line);
    const bool looks = !words.empty() && (words[0] == "list" || (words[0] == "predict" && words.size() == 2));
    if (!looks) continue;
    INFO(example.where << ": " << example.line);
    const ladder::ProcessResult ended = tool(words);
    INFO(ended.output);
    CHECK(ended.ok());
    ++count;
  }
  CHECK(count >= 2);
}

TEST_CASE("verbs: ./ladder reads the rows that the tool has, and their packages are in packages.txt") {
  auto groups = groups_of(root / "common/tool/packages.txt");
  groups.insert("lessons");  // the back ends and lists of the lessons that are named (packages.sh)
  for (const fs::path& list : ladder::package_lists(root))
    for (const std::string& group : groups_of(list)) {
      INFO(list << ": " << group);
      CHECK(groups.contains(group));  // a lesson asks for packages when the others do
    }
  std::string table;
  for (const char* file : {"check_verbs.cpp", "student_verbs.cpp", "class_verbs.cpp", "dev_verbs.cpp"})
    table += ladder::read_text(root / "common/tool" / file);
  for (const ladder::Verb& verb : ladder::dev_verbs()) {
    // The form in which the shell finds it: the first three fields on a line of their own.
    const std::string row =
        std::string("\n    {\"") + verb.name + "\", \"" + verb.packages + "\", \"" + verb.lock + "\",\n";
    CAPTURE(row);
    CHECK(table.find(row) != std::string::npos);
    const std::string lock = verb.lock, kind = lock.substr(0, lock.find(" but "));
    CHECK((kind == "waits" || kind == "light" || kind == "shares"));
    std::istringstream words(verb.packages);
    for (std::string group; words >> group;) CHECK(groups.contains(group));
  }
}
