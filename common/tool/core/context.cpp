#include "common/tool/core/context.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>

#include "common/base/files/json_file.hpp"
#include "common/base/usage_error.hpp"
#include "common/model/document_json.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/catalogue/typed_names.hpp"
#include "common/tool/core/build_lock.hpp"
#include "common/tool/core/student_state.hpp"

namespace ladder {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

fs::path checkout() {
  if (const char* set = std::getenv("LADDER_ROOT"); set && *set) return fs::absolute(set);
  const std::string cache = read_text(build_folder() / "CMakeCache.txt");
  const std::string key = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  const auto at = cache.find(key);
  if (at == std::string::npos) throw UsageError{"LADDER_ROOT is not set; start the tool through ./ladder"};
  return cache.substr(at + key.size(), cache.find('\n', at) - at - key.size());
}

/// The files of .ladder/ that have names of rungs, as they read with the names of now, where that differs.
std::map<std::string, std::string> with_names_of_now(const fs::path& state, const Renames& renames) {
  std::map<std::string, std::string> changed;
  for (const char* name : {"state.json", "hints.json", "predictions.json"})
    if (json document = read_json(state / name); document.is_object() && renames.apply(document))
      changed[name] = report::dump(document, 1) + "\n";
  const std::string history = read_text(state / "history.jsonl");
  if (std::string now = renames.text(history, ""); now != history) changed["history.jsonl"] = std::move(now);
  return changed;
}

/// What an older copy kept of rungs that are called otherwise now; silent where it cannot be written. Nobody
/// is waited for where nothing is left to take over, as at every call but the first.
void take_over_names(Context& context) {
  const fs::path state = context.state_folder();
  if (!fs::exists(state)) return;
  if (const Renames renames = context.catalogue.renames(state);
      renames.none() || (renames.all_applied() && with_names_of_now(state, renames).empty()))
    return;
  const BuildLock lock(context);  // another ./ladder appends to the history
  const Renames renames = context.catalogue.renames(state);
  try {
    for (const auto& [name, text] : with_names_of_now(state, renames)) write_text(state / name, text);
    renames.keep();
  } catch (const UsageError&) {
  }
}

/// The lesson of the last verdict; empty: there is none.
std::string last_lesson(const fs::path& state) {
  const auto history = read_history(state / "history.jsonl");
  const std::string step = history.empty() ? "" : history.back()["step"].get<std::string>();
  return step.substr(0, step.find('/'));
}

/// For verbs whose names are rungs: what was typed, as the catalogue names it.
void read_names(Context& context) {
  static const std::set<std::string> verbs = {"check", "watch", "profile", "bench",  "hint", "diff",
                                              "start", "reset", "predict", "submit", "list", "run"};
  std::vector<std::string>& names = context.options.names;
  if (names.empty() || !verbs.contains(context.options.verb)) return;
  std::error_code ignored;
  const TypedNames typed(context.catalogue, context.root, fs::current_path(ignored),
                         last_lesson(context.state_folder()));
  names = typed.meant(names);
}

/// Short enough to be typed again.
std::uint64_t fresh_seed() {
  return std::random_device{}() % 1000000;
}

}  // namespace

Context::Context(Options given)
    : options(std::move(given)),
      root(checkout()),
      terminal(options.json == "-"),
      build(root, build_folder(), Harness::from_environment()),
      catalogue(root),
      seed(options.seed.value_or(fresh_seed())) {
  if (catalogue.lessons.empty()) throw UsageError{fmt::format("no lessons in {}/lessons", root.string())};
  take_over_names(*this);
  read_names(*this);
  for (const LessonEntry& lesson : catalogue.lessons)
    for (const std::string& file : lesson.left_files)
      for (const OldName& old : lesson.old_names)
        if (fs::path(file).stem() == old.was)
          terminal.print(
              fmt::format("lessons/{0}/{1} is of an older copy: the rung is called {2} now. What you wrote "
                          "there belongs into "
                          "lessons/{0}/{2}{3}.",
                          lesson.name, file, old.now, fs::path(file).extension().string()));
}

const Placer& Context::placer() {
  if (!placer_) placer_ = std::make_unique<Placer>(find_devices(), options.device);
  return *placer_;
}

BuildProgress Context::build_progress() {
  return [this](const std::string& what, double share) { terminal.progress(what, share); };
}

void Context::refuse_mistakes(const std::vector<LessonEntry*>& lessons) const {
  std::vector<std::string> mistakes;
  for (const LessonEntry* lesson : lessons)
    if (!lesson->problem.empty()) mistakes.push_back(lesson->problem);
  if (!mistakes.empty()) throw UsageError{fmt::format("{}", fmt::join(mistakes, "\n"))};
}

void Context::need_tables(const std::vector<LessonEntry*>& lessons) {
  refuse_mistakes(lessons);
  build.refresh();
  check_tables(lessons);
  for (const LessonEntry* lesson : lessons)
    if (!lesson->problem.empty()) throw UsageError{lesson->name + ": " + lesson->problem};
}

const StepEntry& Context::only_step(const std::vector<std::string>& names, const std::string& example) {
  const auto found = catalogue.resolve(names);
  if (found.size() != 1)
    throw UsageError{fmt::format("'{}' is a lesson; name a rung. {}", names[0], example)};
  return *found[0];
}

const StepEntry& Context::named_step(const std::vector<std::string>& names, const std::string& example) {
  const StepEntry& step = only_step(names, example);
  need_tables({&catalogue.lesson(step.lesson)});
  return step;
}

void Context::check_tables(const std::vector<LessonEntry*>& lessons) {
  for (LessonEntry* lesson : lessons) {
    if (build.harness())
      if (const std::string why = build.harness()->differs(root, lesson->name); !why.empty())
        throw UsageError{why};
    if (interrupted())
      lesson->problem = "interrupted";  // and no table of an ended call is shown as if it had gone on
  }
}

const fs::path& Context::scratch() {
  if (!scratch_) scratch_ = std::make_unique<ScratchFolder>();
  return scratch_->path();
}

fs::path Context::state_folder() const {
  return ladder::state_folder(root, build.folder());
}

void Context::write_json(const model::Document& document) const {
  if (!options.json.empty()) write_json(to_json(document));
}

void Context::write_json(const json& document) const {
  if (options.json.empty()) return;
  const std::string text = report::dump(document, 1) + "\n";
  if (options.json != "-") return write_text(options.json, text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0) throw UsageError{"cannot write the JSON to standard output"};
}

}  // namespace ladder
