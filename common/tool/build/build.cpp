#include "common/tool/build/build.hpp"

#include <fmt/format.h>

#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <thread>
#include <utility>

#include "common/base/files/file_lock.hpp"
#include "common/base/files/files.hpp"
#include "common/base/process/process.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/tool/build/compiler_output.hpp"
#include "common/tool/build/mutant_build.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// A name as ninja -t inputs prints it: in quotes as for a shell when it has a blank or a ~.
std::string unquoted(std::string name) {
  if (name.size() < 2 || name.front() != '\'' || name.back() != '\'') return name;
  name = name.substr(1, name.size() - 2);
  for (std::size_t at; (at = name.find("'\\''")) != std::string::npos;) name.replace(at, 4, "'");
  return name;
}

/// Objects and similar targets, which a target is made of, and second names: nine tenths of all.
bool is_inner(const std::string& name) {
  return name.starts_with("/") || name.find("CMakeFiles/") != std::string::npos;
}

/// Another one when the file was written again.
std::string version_of(const fs::path& file) {
  struct stat found {};
  if (stat(file.c_str(), &found) != 0) return "none";
  return fmt::format("{} {}.{:09} {}", found.st_ino, found.st_mtim.tv_sec, found.st_mtim.tv_nsec,
                     found.st_size);
}

constexpr int whole_lock = 9;

/// Of mutants, in the build folder: what is built now, and what is built while nothing else is.
constexpr const char *mutants_file = "mutants.ninja", *ahead_file = "mutants-ahead.ninja";

/// Whether ./ladder has handed its lock on to us: a test may have another file there.
bool is_whole_lock(const fs::path& folder) {
  struct stat ours {
  }, file{};
  return fstat(whole_lock, &ours) == 0 && stat((folder / ".lock").c_str(), &file) == 0 &&
         ours.st_dev == file.st_dev && ours.st_ino == file.st_ino;
}

/// LADDER_SHARED=tests, of scripts that the verb test starts side by side: it holds the
/// lock, so that whoever waited for it would never go on. What a script needs is built before; what is
/// missing all the same is built by one script after another.
bool among_tests() {
  const char* shared = std::getenv("LADDER_SHARED");
  return shared && std::string(shared) == "tests";
}

}  // namespace

Build::Build(fs::path root, fs::path folder, std::optional<Harness> harness)
    : root_(std::move(root)),
      folder_(std::move(folder)),
      harness_(std::move(harness)),
      mutants_(std::make_shared<MutantBuild>(root_, folder_)) {
  if (!harness_ && !fs::exists(folder_ / "build.ninja"))
    throw UsageError{fmt::format("{} is not configured; start the tool through ./ladder", folder_.string())};
  shared_ = as_it_stands_ = std::getenv("LADDER_SHARED") && is_whole_lock(folder_);
  const char* const checked = std::getenv("LADDER_CHECKED");
  checked_ = checked && folder_ == checked;
  unsetenv("LADDER_CHECKED");  // what we start comes later
}

void Build::share() {
  if (shared_ || !is_whole_lock(folder_)) return;
  wait_for_lock(whole_lock, LOCK_SH);
  shared_ = true;
}

void Build::alone() {
  if (!shared_) return;
  if (!try_lock(whole_lock, LOCK_EX)) {
    std::fprintf(stderr, "ladder: something is to be built: waiting for others that judge in %s\n",
                 folder_.c_str());
    wait_for_lock(whole_lock, LOCK_EX);
  }
  shared_ = as_it_stands_ = false;
}

bool Build::all_there(const std::vector<std::string>& targets) const {
  return std::all_of(targets.begin(), targets.end(),
                     [&](const std::string& target) { return fs::exists(file(target)); });
}

void Build::configure() {
  alone();
  const ProcessResult configured =
      run_process({.arguments = {"ninja", "-C", folder_, "build.ninja"}, .seconds = 300, .for_all = true});
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
}

void Build::refresh() {
  if (harness_) {
    // A file that did not change is not written: ninja would look at all that it has built.
    const std::string text = harness_->ninja(root_, folder_);
    if (read_text(folder_ / "build.ninja") != text) write_text(folder_ / "build.ninja", text);
    targets_.clear();
    for (const std::string& target : harness_->targets()) targets_[target] = "prebuilt";
    mutants_->refresh({});
    inner_known_ = true;
    return;
  }
  if (!as_it_stands_ && !std::exchange(checked_, false)) configure();
  read_targets();
}

void Build::read_targets() {
  const fs::path file = folder_ / ".targets";
  const std::string version = version_of(folder_ / "build.ninja") + "\n";
  std::string list = read_text(file);
  inner_known_ = !list.starts_with(version);
  if (inner_known_) {
    const ProcessResult listed = run_process({.arguments = {"ninja", "-C", folder_, "-t", "targets", "all"}});
    list = listed.output;
    std::string kept = listed.ok() ? version : "";
    for (const std::string& line : lines_of(list))
      if (!is_inner(line)) kept += line + "\n";
    try {
      write_text(file, kept);
    } catch (const UsageError&) {  // a folder that others have built: asked again the next time
    }
  }
  take_targets(list);
}

void Build::take_targets(const std::string& list) const {
  targets_.clear();
  for (const std::string& line : lines_of(list))
    if (const auto colon = line.rfind(": "); colon != std::string::npos)
      targets_[line.substr(0, colon)] = line.substr(colon + 2);
  take_templates();
}

void Build::take_templates() const {
  std::set<std::string> templates;
  std::erase_if(targets_, [&](const auto& target) {
    const bool is_template = target.first.find(template_rung) != std::string::npos;
    if (is_template && target.first.starts_with("workers/")) templates.insert(target.first);
    return is_template;
  });
  mutants_->refresh(std::move(templates));
}

bool Build::knows(const std::string& target) const {
  if (targets_.count(target) > 0 || mutants_->makes(target)) return true;
  if (inner_known_ || !is_inner(target)) return false;
  const ProcessResult listed = run_process({.arguments = {"ninja", "-C", folder_, "-t", "targets", "all"}});
  if (listed.interrupted) return false;  // half of the list would hide what there is from the next call
  take_targets(listed.output);
  inner_known_ = true;
  return targets_.count(target) > 0;
}

std::vector<std::string> Build::beginning_with(const std::string& prefix) const {
  std::vector<std::string> found;
  for (auto at = targets_.lower_bound(prefix); at != targets_.end() && at->first.rfind(prefix, 0) == 0; ++at)
    if (at->first.find("CMakeFiles/") == std::string::npos) found.push_back(at->first);
  for (const std::string& target : mutants_->beginning_with(prefix))
    if (!targets_.contains(target)) found.push_back(target);
  return found;
}

std::string Build::log() const {
  return read_text(folder_ / ".ninja_log") + read_text(folder_ / "generated" / "mutants" / ".ninja_log");
}

std::vector<std::string> Build::programs_in(const std::string& prefix) const {
  std::vector<std::string> found;
  for (const std::string& target : beginning_with(prefix))
    if (target.find('/', prefix.size()) == std::string::npos &&
        targets_.at(target).find("EXECUTABLE") != std::string::npos)
      found.push_back(target);
  return found;
}

std::set<std::string> Build::inputs_of(const std::string& target, const char* file) const {
  std::istringstream lines(
      run_process({.arguments = {"ninja", "-C", folder_, "-f", file, "-t", "inputs", target}}).output);
  std::set<std::string> inputs = {target};
  for (std::string line; std::getline(lines, line);) inputs.insert(unquoted(line));
  return inputs;
}

void Build::ahead(std::vector<std::string> targets) {
  const Rest rest(*this);
  ahead_ = std::move(targets);
  std::erase_if(ahead_, [&](const std::string& target) {
    return !knows(target) || (harness_ && !harness_->compiles(target));
  });
  const std::vector<std::string> mutants = of_mutants(ahead_);
  ahead_mutants_ = !mutants.empty();
  if (!ahead_mutants_) return;
  std::erase_if(ahead_, [&](const std::string& target) { return targets_.count(target) == 0; });
  ahead_ = with_needs(std::move(ahead_), mutants);
  mutants_->put_together();
  mutants_->write(mutants, ahead_file);
}

std::vector<std::string> Build::of_mutants(const std::vector<std::string>& targets) const {
  std::vector<std::string> mutants;
  for (const std::string& target : targets)
    if (targets_.count(target) == 0 && mutants_->makes(target)) mutants.push_back(target);
  return mutants;
}

std::vector<std::string> Build::with_needs(std::vector<std::string> others,
                                           const std::vector<std::string>& mutants) const {
  std::set<std::string> known(others.begin(), others.end());
  for (const std::string& needed : mutants_->needs(mutants))
    if (knows(needed) && known.insert(needed).second) others.push_back(needed);
  return others;
}

Build::Rest::Rest(Build& build) : build_(build) {
  if (build_.resting_++ == 0 && !build_.frozen_) build_.background_.end();
}

Build::Rest::~Rest() {
  if (--build_.resting_ == 0) build_.go_on();
}

void Build::go_on() {
  if (frozen_ || interrupted() || (ahead_.empty() && !ahead_mutants_)) return;
  Command ninja{.arguments = {"ninja", "-C", folder_, "-k", "0", "-j",
                              std::to_string(std::thread::hardware_concurrency())},
                .environment = {{"LC_ALL", "C.UTF-8"}},
                .for_all = true};
  ninja.arguments.insert(ninja.arguments.end(), ahead_.begin(), ahead_.end());
  if (ahead_.empty()) ninja.arguments.insert(ninja.arguments.end(), {"-f", ahead_file, "all"});
  background_.start(ninja);
}

std::map<std::string, BuildFailure> Build::make(const std::vector<std::string>& targets,
                                                const BuildProgress& progress) {
  std::vector<std::string> mine = targets;
  if (harness_) std::erase_if(mine, [&](const auto& target) { return !harness_->compiles(target); });
  if (frozen_) return remembered(mine);
  if (mine.empty() || (as_it_stands_ && all_there(mine))) return {};
  if (as_it_stands_ && among_tests()) {
    const FileLock one_after_another(folder_ / ".built-by-scripts");
    return build_all(mine, progress);
  }
  if (as_it_stands_) configure();  // alone from here on
  alone();
  if (resting_ == 0 && !background_.running()) {  // all of it is there
    if (ahead_.empty()) ahead_mutants_ = false;
    ahead_.clear();
  }
  const Rest rest(*this);
  return build_all(mine, progress);
}

std::map<std::string, BuildFailure> Build::build_all(const std::vector<std::string>& targets,
                                                     const BuildProgress& progress) {
  const std::vector<std::string> mutants = of_mutants(targets);
  if (mutants.empty()) return build(targets, progress);
  std::vector<std::string> others = targets;
  std::erase_if(others, [&](const std::string& target) { return targets_.count(target) == 0; });
  const std::set<std::string> asked(others.begin(), others.end());
  auto failures = build(with_needs(std::move(others), mutants), progress);
  std::optional<BuildFailure> none_of_mutants;
  for (const std::string& needed : mutants_->needs(mutants))
    if (failures.contains(needed)) none_of_mutants = failures.at(needed);
  std::erase_if(failures, [&](const auto& failure) { return !asked.contains(failure.first); });
  if (!none_of_mutants) {
    failures.merge(build_mutants(mutants, progress));
  } else {
    for (const std::string& target : mutants) {
      failures[target] = *none_of_mutants;
      std::error_code ignored;
      if (!interrupted()) fs::remove(file(target), ignored);
    }
  }
  return failures;
}

std::map<std::string, BuildFailure> Build::build_mutants(const std::vector<std::string>& targets,
                                                         const BuildProgress& progress) {
  mutants_->put_together();
  for (;;) {
    auto failures = mutants_->write(targets, mutants_file);
    std::vector<std::string> left = targets, failed;
    for (const auto& [target, why] : failures) {
      std::error_code ignored;
      fs::remove(file(target), ignored);
    }
    std::erase_if(left, [&](const std::string& target) { return failures.contains(target); });
    if (left.empty()) return failures;
    auto more = build(left, progress, mutants_file);
    for (const auto& [target, why] : more) failed.push_back(target);
    // One that does not compile, or ends its program before main, takes along those that share it: then
    // each gets its own.
    if (interrupted() || !mutants_->take_apart(failed)) {
      failures.merge(more);
      return failures;
    }
  }
}

void Build::remember(const std::map<std::string, BuildFailure>& failures) {
  for (const auto& [target, failure] : failures) failures_[target] = failure;
}

std::map<std::string, BuildFailure> Build::remembered(const std::vector<std::string>& targets) const {
  std::map<std::string, BuildFailure> failures;
  for (const std::string& target : targets) {
    const auto rule = targets_.find(target);
    const bool phony = rule != targets_.end() && rule->second == "phony";
    if (const auto known = failures_.find(target); known != failures_.end())
      failures.insert(*known);
    else if (knows(target) && !phony && !fs::exists(file(target)))
      failures[target] = {"", "it was not built before the job that needs it", "", ""};
  }
  return failures;
}

std::map<std::string, BuildFailure> Build::build(const std::vector<std::string>& targets,
                                                 const BuildProgress& progress, const char* ninja_file) {
  std::map<std::string, BuildFailure> failures;
  if (targets.empty()) return failures;
  Command ninja{.arguments = {"ninja", "-C", folder_, "-f", ninja_file, "-k", "0"},
                // The compilers' messages are read: English and with the same quotes everywhere.
                .environment = {{"NINJA_STATUS", "[%f/%t] "}, {"LC_ALL", "C.UTF-8"}},
                .seconds = 3600,
                .builds = true};
  ninja.arguments.insert(ninja.arguments.end(), targets.begin(), targets.end());
  std::string rest;  // a line that is not complete yet
  const auto tick = [&](const std::string& fresh) {
    rest += fresh;
    int done = 0, all = 0;
    std::string what;
    std::size_t start = 0;
    for (std::size_t end; (end = rest.find('\n', start)) != std::string::npos; start = end + 1)
      if (rest[start] == '[' && std::sscanf(rest.c_str() + start, "[%d/%d]", &done, &all) == 2)
        what = rest.substr(std::min(rest.find(' ', start), end), 200);
    rest.erase(0, start);
    what = what.substr(0, what.find('\n'));
    if (!what.empty() && all > 0 && progress) progress("building:" + what, static_cast<double>(done) / all);
  };
  const ProcessResult ended = run_process(ninja, tick);
  if (!ended.error.empty()) throw UsageError{"cannot start ninja: " + ended.error};
  if (ended.ok()) return failures;

  // With -k 0 everything was built but the failed commands and what needs their outputs. (ninja -n cannot be
  // asked
  // instead: with CMake's checked globs it always wants to configure first.)
  const auto commands = failed_commands(ended.output);
  const BuildFailure of_ninja = first_error(ended.output, root_, folder_);
  for (const std::string& target : targets) {
    BuildFailure failure = of_ninja;
    if (ended.interrupted) failure = {"", "interrupted while it was built", "", ""};
    if (ended.timed_out) failure = {"", "the build took more than an hour", "", ""};
    if (ended.status != 0 && !ended.interrupted && !ended.timed_out && !commands.empty()) {
      const auto needed = inputs_of(target, ninja_file);
      const auto failed = std::find_if(commands.begin(), commands.end(), [&](const FailedCommand& c) {
        return std::any_of(c.outputs.begin(), c.outputs.end(),
                           [&](const std::string& o) { return needed.count(o) > 0; });
      });
      if (failed == commands.end()) continue;
      failure = first_error(failed->text, root_, folder_);
    }
    failures[target] = failure;
    if (ended.interrupted)
      continue;  // nothing is run now; ninja has removed what it was writing, the rest is as it was
    std::error_code ignored;
    fs::remove(file(target), ignored);
  }
  return failures;
}

}  // namespace ladder
