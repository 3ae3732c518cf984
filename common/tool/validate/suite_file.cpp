/// @file
/// Labels of a suite: a TOML description, whose patterns read file names and comments, or a CSV table.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <sstream>

#include "common/base/error.hpp"
#include "common/base/files/files.hpp"
#include "common/base/files/toml_entries.hpp"
#include "common/base/usage_error.hpp"
#include "common/course/platforms/table.hpp"
#include "common/grade/sha256.hpp"
#include "common/tool/validate/suite.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::set<std::string>>& known_classes() {
  static const std::map<std::string, std::set<std::string>> classes = {
      {"race", {"shared-race", "global-race", "same-value-race"}},
      {"bounds", {"out-of-bounds", "use-after-free", "misaligned", "null", "invalid-free"}},
      {"uninitialised", {"uninitialised"}},
      {"barrier", {"barrier", "exited-before-barrier"}},
      {"shuffle", {"shuffle"}},
      {"order", {"missing-dependence", "early-read", "host-access"}},
      {"leak", {"leak"}},
      {"livelock", {"timeout", "crash", "endless"}},
      {"crash", {"crash", "exit-status", "stack-overflow"}},
      {"launch", {"launch"}},
      {"lost-text", {"lost-text"}},
      {"read-only", {"read-only"}},
      {"any", {"*"}},
  };
  return classes;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

/// The comments that a source begins with: GPUVerify's kernels say there what is expected of them.
std::string head_of(const std::string& source) {
  std::string head;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line) && head.size() < 4096;) {
    if (line.find_first_not_of(" \t\r") != std::string::npos && line.rfind("//", 0) != 0) break;
    head += line + "\n";
  }
  return head;
}

/// Paths of the files below a folder, seen from it, sorted.
std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code problem;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(folder, options, problem), end; at != end; at.increment(problem)) {
    if (problem) throw UsageError{fmt::format("{}: {}", folder.string(), problem.message())};
    if (at->path().filename().string().starts_with(".git")) at.disable_recursion_pending();
    if (at->is_regular_file(problem)) files.push_back(at->path().lexically_relative(folder).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Which programs an entry is about: all of its conditions must hold.
struct Match {
  std::optional<std::regex> path{}, head{};
  std::vector<std::string> contains{};

  bool holds(const std::string& file, const std::string& source) const {
    if (path && !std::regex_search(file, *path)) return false;
    if (head && !std::regex_search(head_of(source), *head)) return false;
    return contains.empty() || std::any_of(contains.begin(), contains.end(), [&](const std::string& text) {
             return source.find(text) != std::string::npos;
           });
  }
};

std::optional<std::regex> read_pattern(Entries& entry, const char* key) {
  const auto text = entry.text(key);
  if (!text) return std::nullopt;
  try {
    return std::regex(*text);
  } catch (const std::regex_error&) {
    entry.problem(key, fmt::format("{} '{}' is no regular expression", key, *text));
    return std::nullopt;
  }
}

Match read_match(Entries& entry) {
  Match match{read_pattern(entry, "path"), read_pattern(entry, "head"), entry.texts("contains")};
  if (!entry.has("path") && !entry.has("head") && !entry.has("contains"))
    entry.problem("path", "says of no program what it is about: path, head or contains");
  return match;
}

/// Reads a description.
class Description {
 public:
  Description(Suite& suite, const fs::path& file) : suite_(suite), file_(file) {}

  void read() {
    try {
      table_ = parse_toml(file_, file_.string());
    } catch (const Error& error) {
      throw UsageError{error.what()};
    }
    Entries entry(table_, "", problems_);
    read_all(entry);
    entry.finish();
    if (problems_.empty()) return;
    throw UsageError{fmt::format("{}", fmt::join(problems_.lines(file_.string()), "\n"))};
  }

 private:
  struct Label {
    std::string name;
    Match match;
  };
  struct NotApplicable {
    std::vector<std::string> labels;  ///< only where it has no other label than these; none: whatever it has
    Match match;
    std::string reason;
    bool clean = false;  ///< only where it has no label
  };

  void read_all(Entries& entry) {
    suite_.name = entry.text("suite", true).value_or("");
    suite_.from = entry.text("from").value_or("");
    suite_.driver = entry.flag("driver").value_or(false);
    suite_.seconds = entry.whole("seconds", 1, 86400).value_or(0);
    runs_ = entry.texts("runs");
    for (const std::string& name : entry.texts("about")) take_kinds(entry, "about", name, suite_.about);
    const auto pattern = read_pattern(entry, "programs");
    for (Entries& one : entry.tables("label")) read_label(one);
    for (Entries& one : entry.tables("not_applicable")) read_not_applicable(one);
    if (auto clean = entry.table("clean")) {
      clean_ = read_match(*clean);
      clean->finish();
    }
    for (Entries& one : entry.tables("program")) read_program(one);
    if (pattern) find_programs(*pattern);
    if (!pattern && suite_.programs.empty() && problems_.empty())
      entry.problem("programs", "programs, a pattern of paths, or [[program]] says which files are programs");
  }

  std::set<std::string> kinds(Entries& entry) {
    std::set<std::string> kinds;
    for (const std::string& kind : entry.texts("kinds")) kinds.insert(kind);
    if (const auto name = entry.text("class", kinds.empty())) take_kinds(entry, "class", *name, kinds);
    return kinds;
  }

  static void take_kinds(Entries& entry, const char* key, const std::string& name,
                         std::set<std::string>& kinds) {
    try {
      kinds.merge(kinds_of_class(name));
    } catch (const UsageError& error) {
      entry.problem(key, error.text);
    }
  }

  void read_label(Entries& entry) {
    Label label{entry.text("name", true).value_or(""), {}};
    const auto known = std::find_if(suite_.classes.begin(), suite_.classes.end(),
                                    [&](const SuiteClass& one) { return one.name == label.name; });
    if (known == suite_.classes.end())
      suite_.classes.push_back({label.name, kinds(entry)});
    else  // another pattern by which a program gets it
      known->kinds.merge(kinds(entry));
    if (entry.has("path") || entry.has("head") || entry.has("contains")) {
      label.match = read_match(entry);
      labels_.push_back(std::move(label));
    }
    entry.finish();
  }

  void read_not_applicable(Entries& entry) {
    NotApplicable one{known_labels(entry, "label"), read_match(entry),
                      entry.text("reason", true).value_or(""), entry.flag("clean").value_or(false)};
    if (one.clean && !one.labels.empty())
      entry.problem("clean", "a program with a label is not free of bugs");
    entry.finish();
    not_applicable_.push_back(std::move(one));
  }

  std::vector<std::string> known_labels(Entries& entry, const char* key) {
    std::vector<std::string> names = entry.texts(key), known;
    for (const SuiteClass& one : suite_.classes) known.push_back(one.name);
    for (const std::string& name : names)
      if (std::find(known.begin(), known.end(), name) == known.end())
        entry.problem(key, unknown("label", name, known));
    return names;
  }

  void read_program(Entries& entry) {
    SuiteProgram program{.file = entry.text("file", true).value_or("")};
    program.labels = known_labels(entry, "label");
    program.not_applicable = entry.text("not_applicable").value_or("");
    program.flags = entry.texts("flags");
    program.runs = entry.has("runs") ? entry.texts("runs") : runs_;
    if (!program.file.empty() && !fs::is_regular_file(suite_.folder / program.file))
      entry.problem("file", fmt::format("no such file: {}", (suite_.folder / program.file).string()));
    entry.finish();
    suite_.programs.push_back(std::move(program));
  }

  static bool is_about(const NotApplicable& entry, const SuiteProgram& program) {
    if (entry.clean) return program.labels.empty();
    const std::vector<std::string>& labels = entry.labels;
    const auto listed = [&](const std::string& label) {
      return std::find(labels.begin(), labels.end(), label) != labels.end();
    };
    return labels.empty() ||
           (!program.labels.empty() && std::all_of(program.labels.begin(), program.labels.end(), listed));
  }

  void find_programs(const std::regex& pattern) {
    for (const std::string& file : files_below(suite_.folder)) {
      if (!std::regex_match(file, pattern)) continue;
      const std::string source = read_text(suite_.folder / file);
      SuiteProgram program{.file = file, .runs = runs_};
      for (const Label& label : labels_)
        if (label.match.holds(file, source) &&
            std::find(program.labels.begin(), program.labels.end(), label.name) == program.labels.end())
          program.labels.push_back(label.name);
      if (program.labels.empty() && clean_ && !clean_->holds(file, source))
        program.not_applicable = "nothing says whether it has a bug";
      for (const NotApplicable& one : not_applicable_)
        if (program.not_applicable.empty() && is_about(one, program) && one.match.holds(file, source))
          program.not_applicable = one.reason;
      suite_.programs.push_back(std::move(program));
    }
  }

  Suite& suite_;
  const fs::path& file_;
  toml::table table_{};
  Problems problems_{};
  std::vector<Label> labels_{};
  std::vector<NotApplicable> not_applicable_{};
  std::optional<Match> clean_{};
  std::vector<std::string> runs_{};
};

/// A class of a CSV table: one that is known, or the kind of a finding.
void add_class(Suite& suite, const std::string& name) {
  const auto same = [&](const SuiteClass& one) { return one.name == name; };
  if (std::none_of(suite.classes.begin(), suite.classes.end(), same))
    suite.classes.push_back({name, kinds_of_class(name)});
}

void read_csv(Suite& suite, const fs::path& file) {
  const course::Table table = course::read_table(file);
  std::string problems;
  const auto problem = [&](int line, const std::string& text) {
    problems += fmt::format("{}{}:{}: {}", problems.empty() ? "" : "\n", file.string(), line, text);
  };
  for (const char* needed : {"program", "class"})
    if (table.column(needed) < 0)
      problem(1, fmt::format("a column {} is missing: program,class,flags,arguments,reason", needed));
  for (const course::Row& row : table.rows) {
    SuiteProgram program{.file = table.field(row, "program")};
    program.flags = words_of(table.field(row, "flags"));
    if (const std::string words = table.field(row, "arguments"); !words.empty()) program.runs = {words};
    program.not_applicable = table.field(row, "reason");
    if (!fs::is_regular_file(suite.folder / program.file))
      problem(row.line, fmt::format("no such file: {}", (suite.folder / program.file).string()));
    for (const std::string& name : words_of(table.field(row, "class"))) {
      if (name == "clean") continue;
      try {
        add_class(suite, name);
        program.labels.push_back(name);
      } catch (const UsageError& error) {
        problem(row.line, error.text);
      }
    }
    suite.programs.push_back(std::move(program));
  }
  if (!problems.empty()) throw UsageError{problems};
}

/// The file that --labels names.
fs::path labels_file(const fs::path& folder, const std::string& labels, const fs::path& known) {
  std::error_code ignored;
  if (labels.empty()) {
    for (const char* name : {"labels.toml", "labels.csv"})
      if (fs::is_regular_file(folder / name, ignored)) return folder / name;
  } else if (fs::is_regular_file(labels, ignored)) {
    return labels;
  }
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(known, ignored))
    names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  if (std::find(names.begin(), names.end(), labels) != names.end()) return known / (labels + ".toml");
  if (labels.empty())
    throw UsageError{fmt::format(
        "{} has no labels.toml or labels.csv, which say what is wrong in each program: --labels FILE, "
        "or one of {}",
        folder.string(), fmt::join(names, ", "))};
  throw UsageError{
      fmt::format("--labels {}: there is no such file; {}", labels, unknown("suite", labels, names))};
}

}  // namespace

std::set<std::string> kinds_of_class(const std::string& name) {
  if (const auto found = known_classes().find(name); found != known_classes().end()) return found->second;
  std::vector<std::string> names = {"clean"};
  for (const auto& [known, kinds] : known_classes()) {
    if (kinds.contains(name)) return {name};
    names.push_back(known);
  }
  throw UsageError{unknown("class", name, names)};
}

Suite read_suite(const fs::path& folder, const std::string& labels, const fs::path& known) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw UsageError{fmt::format("--suite {}: no such folder", folder.string())};
  Suite suite;
  suite.folder = fs::absolute(folder).lexically_normal();
  const fs::path file = labels_file(folder, labels, known);
  suite.name = suite.folder.filename().string();
  try {
    if (file.extension() == ".csv")
      read_csv(suite, file);
    else
      Description(suite, file).read();
  } catch (const Error& error) {
    throw UsageError{error.what()};
  }
  if (suite.programs.empty())
    throw UsageError{
        fmt::format("{}: none of its files is a program by {}", suite.folder.string(), file.string())};
  return suite;
}

void take_sample(Suite& suite, std::size_t programs) {
  if (programs == 0 || programs >= suite.programs.size()) return;
  std::vector<std::pair<std::string, SuiteProgram>> all;
  for (SuiteProgram& one : suite.programs) all.emplace_back(sha256(one.file), std::move(one));
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  all.resize(programs);
  suite.programs.clear();
  for (auto& [hash, one] : all) suite.programs.push_back(std::move(one));
  std::sort(suite.programs.begin(), suite.programs.end(),
            [](const SuiteProgram& a, const SuiteProgram& b) { return a.file < b.file; });
}

}  // namespace ladder
