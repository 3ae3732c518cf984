#include "common/tool/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "common/tool/names.hpp"
#include "common/tool/process.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// What ninja said of one command that failed.
struct FailedCommand {
  std::vector<std::string> outputs;
  std::string text;
};

std::vector<FailedCommand> failed_commands(const std::string& output) {
  std::vector<FailedCommand> failed;
  std::istringstream in(output);
  bool inside = false, command_line = false;
  static const std::regex status("^\\[[0-9]+/[0-9]+\\] .*");
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("FAILED: ", 0) == 0) {
      std::istringstream names(line.substr(8));
      failed.emplace_back();
      for (std::string name; names >> name;) failed.back().outputs.push_back(name);
      inside = command_line = true;
    } else if (std::regex_match(line, status) || line.rfind("ninja: ", 0) == 0) {
      inside = false;
    } else if (inside && command_line) {
      command_line = false;  // ninja repeats the command; nobody wants to read it
    } else if (inside) {
      failed.back().text += line + "\n";
    }
  }
  return failed;
}

/// A name as ninja -t inputs prints it: in quotes as for a shell when it has a blank or a ~.
std::string unquoted(std::string name) {
  if (name.size() < 2 || name.front() != '\'' || name.back() != '\'') return name;
  name = name.substr(1, name.size() - 2);
  for (std::size_t at; (at = name.find("'\\''")) != std::string::npos;) name.replace(at, 4, "'");
  return name;
}

/// Texts that beginners meet, and what they usually mean.
const char* hint_of(const std::string& text) {
  struct Hint {
    const char* part;
    const char* meaning;
  };
  static constexpr Hint hints[] = {
      {"undefined reference",
       "the function that the contract names must be defined with exactly its name and parameters"},
      {"was not declared in this scope",
       "is the name spelled as where it is declared, and declared before this line?"},
      {"has not been declared", "is the name spelled as in the contract?"},
      {"expected ';'", "look at the end of the line before as well"},
      {"expected '}'", "a bracket that was opened above is not closed"},
      {"no matching function", "compare the number and the types of the arguments with the declaration"},
      {"invalid conversion", "compare the types on both sides"},
      {"No such file", "is the header's name spelled as in common/device?"},
      {"is not a member of", "the contract's header lists what the namespace has"},
      {"No space left", "the disk is full: free some space, then repeat"},
  };
  for (const Hint& h : hints)
    if (text.find(h.part) != std::string::npos) return h.meaning;
  return "";
}

}  // namespace

BuildFailure first_error(const std::string& output, const fs::path& root, const fs::path& from) {
  // g++ and clang: file:line:column: error: text   nvcc: file(line): error: text   linker: … undefined reference to …
  static const std::regex gcc("^([^\\s:][^:]*):([0-9]+)(?::[0-9]+)?: (?:fatal )?error: (.*)$");
  static const std::regex nvcc("^([^\\s(][^(]*)\\(([0-9]+)\\): error[^:]*: (.*)$");
  static const std::regex cut("^cut: ([^:]+):([0-9]+): (.*)$");
  static const std::regex any(
      "(ninja: error: .*|undefined reference to .*|multiple definition of .*|.*[Ee]rror: .*|.*No space "
      "left.*)");
  BuildFailure failure;
  failure.output = output;
  std::istringstream in(output);
  std::string fallback;
  for (std::string line; std::getline(in, line);) {
    std::smatch m;
    if (std::regex_match(line, m, gcc) || std::regex_match(line, m, nvcc) || std::regex_match(line, m, cut)) {
      fs::path file = m[1].str();
      std::error_code ignored;
      const auto near = fs::absolute(from / file, ignored).lexically_normal().lexically_relative(root);
      if (!near.empty() && *near.begin() != "..") file = near;
      failure.where = fmt::format("{}:{}", file.string(), m[2].str());
      failure.text = m[3];
      break;
    }
    if (fallback.empty() && std::regex_search(line, m, any)) fallback = m[1];
  }
  if (failure.text.empty()) failure.text = fallback;
  if (failure.text.empty()) failure.text = output.substr(0, output.find('\n'));
  if (failure.text.empty()) failure.text = "the build stopped without saying why";
  failure.hint = hint_of(failure.text);
  return failure;
}

Build::Build(fs::path root, fs::path folder) : root_(std::move(root)), folder_(std::move(folder)) {
  if (!fs::exists(folder_ / "build.ninja"))
    throw UsageError{fmt::format("{} is not configured; start the tool through ./ladder", folder_.string())};
}

void Build::refresh() {
  const Ended configured =
      run_process({.arguments = {"ninja", "-C", folder_, "build.ninja"}, .seconds = 300});
  if (!configured.error.empty()) throw UsageError{"cannot start ninja: " + configured.error};
  if (!configured.ok() && !configured.interrupted) {
    const BuildFailure why = first_error(configured.output, root_, folder_);
    std::string text = why.text;
    // CMake prints "CMake Error at file:line (command):" and the reason below it.
    if (const auto at = configured.output.find("CMake Error"); at != std::string::npos) {
      text = configured.output.substr(at, 400);
      std::replace(text.begin(), text.end(), '\n', ' ');
    }
    throw UsageError{"configuring the build failed: " + text};
  }
  targets_.clear();
  std::istringstream list(
      run_process({.arguments = {"ninja", "-C", folder_, "-t", "targets", "all"}}).output);
  for (std::string line; std::getline(list, line);)
    if (const auto colon = line.rfind(": "); colon != std::string::npos)
      targets_[line.substr(0, colon)] = line.substr(colon + 2);
}

std::vector<std::string> Build::beginning_with(const std::string& prefix) const {
  std::vector<std::string> found;
  for (auto at = targets_.lower_bound(prefix); at != targets_.end() && at->first.rfind(prefix, 0) == 0; ++at)
    if (at->first.find("CMakeFiles/") == std::string::npos) found.push_back(at->first);
  return found;
}

std::vector<std::string> Build::programs_in(const std::string& prefix) const {
  std::vector<std::string> found;
  for (const std::string& target : beginning_with(prefix))
    if (target.find('/', prefix.size()) == std::string::npos &&
        targets_.at(target).find("EXECUTABLE") != std::string::npos)
      found.push_back(target);
  return found;
}

std::set<std::string> Build::inputs_of(const std::string& target) const {
  std::istringstream lines(
      run_process({.arguments = {"ninja", "-C", folder_, "-t", "inputs", target}}).output);
  std::set<std::string> inputs = {target};
  for (std::string line; std::getline(lines, line);) inputs.insert(unquoted(line));
  return inputs;
}

std::map<std::string, BuildFailure> Build::make(const std::vector<std::string>& targets,
                                                const BuildProgress& progress) {
  std::map<std::string, BuildFailure> failures;
  if (targets.empty()) return failures;
  Command ninja{.arguments = {"ninja", "-C", folder_, "-k", "0"},
                .environment = {{"NINJA_STATUS", "[%f/%t] "}},
                .seconds = 3600};
  ninja.arguments.insert(ninja.arguments.end(), targets.begin(), targets.end());
  std::string rest;
  const auto tick = [&](const std::string& fresh) {
    rest += fresh;
    static const std::regex status("\\[([0-9]+)/([0-9]+)\\] ([^\\n]*)\\n");
    std::smatch m;
    std::string what;
    double share = 0;
    for (; std::regex_search(rest, m, status); rest = m.suffix().str()) {
      share = std::stod(m[1]) / std::max(1.0, std::stod(m[2]));
      what = m[3];
    }
    if (!what.empty() && progress) progress("building: " + what, share);
  };
  const Ended ended = run_process(ninja, tick);
  if (!ended.error.empty()) throw UsageError{"cannot start ninja: " + ended.error};
  if (ended.ok()) return failures;

  // With -k 0 everything was built but the failed commands and what needs their outputs. (ninja -n cannot be asked
  // instead: with CMake's checked globs it always wants to configure first.)
  const auto commands = failed_commands(ended.output);
  for (const std::string& target : targets) {
    BuildFailure failure = first_error(ended.output, root_, folder_);
    if (ended.interrupted) failure = {"", "interrupted while it was built", "", ""};
    if (ended.timed_out) failure = {"", "the build took more than an hour", "", ""};
    if (ended.status != 0 && !ended.interrupted && !ended.timed_out && !commands.empty()) {
      const auto needed = inputs_of(target);
      const auto failed = std::find_if(commands.begin(), commands.end(), [&](const FailedCommand& c) {
        return std::any_of(c.outputs.begin(), c.outputs.end(),
                           [&](const std::string& o) { return needed.count(o) > 0; });
      });
      if (failed == commands.end()) continue;
      failure = first_error(failed->text, root_, folder_);
    }
    failures[target] = failure;
    std::error_code ignored;
    fs::remove(file(target), ignored);
  }
  return failures;
}

}  // namespace ladder
