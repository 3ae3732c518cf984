#include "common/tool/handout/handout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

#include "common/base/text/step_name.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/course/student_course.hpp"
#include "common/grade/intake/package.hpp"
#include "common/report/results/results.hpp"
#include "common/skeleton/skeletonize.hpp"
#include "common/tool/handout/handout_lesson.hpp"
#include "common/tool/handout/insertions.hpp"
#include "common/tool/machine/software.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Of common: what is read or compiled only by people who work on this repository, and where students get it,
/// by people who teach. The build does without (grade.cmake, course.cmake, tool.cmake).
bool is_of_others(const std::string& path, bool of_students) {
  static const std::regex of_dev(
      R"(common/(programs|sitegen|tool/(maintain|validate|templates|suites))/.*|common/tool/dev_verbs\.cpp)");
  static const std::regex of_class(
      R"(common/tool/(course|exam|grading|gradescope|review)/.*|common/tool/(class_verbs\.cpp|image.*\.sh|oci\.sh)|)"
      R"(common/tool/handout/(handout|handout_lesson|insertions)\.cpp|common/tool/build/prebuild\..*|)"
      R"(common/report/html/grade_.*|)"
      R"(common/grade/(?!grade\.cmake|intake/|sha256|README).*|)"
      R"(common/course/(?!durations|assignment_rungs|course\.cmake|course_file\.hpp|questions|student_course|time_zone|times|README).*)");
  return std::regex_match(path, of_dev) || (of_students && std::regex_match(path, of_class));
}

/// What students and judges need of the folders that are no lesson's. A new page for students is named here.
bool is_shared(const std::string& path, bool of_students) {
  static const std::set<std::string> top = {"CMakeLists.txt", "CMakePresets.json", "LICENSE",
                                            "ladder",         ".gitignore",        ".gitattributes",
                                            ".clang-format",  ".vscode/tasks.json"};
  static const std::regex docs(
      R"(docs/((design|elsewhere|executor|glossary|gpu-times|measuring|profiler-permission|programs|)"
      R"(remote|rungs|student|top|wide-accesses)\.md|)"
      R"(design\.svg|results\.schema\.json|results/.*))");
  if (top.contains(path)) return true;
  if (path.starts_with("common/")) return !is_of_others(path, of_students);
  return of_students && std::regex_match(path, docs);
}

}  // namespace

std::vector<std::string> repository_files(const fs::path& root) {
  std::vector<std::string> files;
  if (fs::exists(root / ".git")) {
    const ProcessResult listed =
        run_process({.arguments = {"git", "-c", "core.quotePath=off", "-C", root, "ls-files"},
                     .seconds = 60,
                     .output_only = true});
    if (!listed.ok()) throw UsageError{fmt::format("git cannot list the files of {}", root.string())};
    for (const std::string& path : lines_of(listed.output))
      if (fs::is_regular_file(root / path)) files.push_back(path);
    return files;
  }
  for (auto at = fs::recursive_directory_iterator(root); at != fs::recursive_directory_iterator(); ++at) {
    const std::string name = at->path().filename(),
                      path = at->path().lexically_relative(root).generic_string();
    const bool hidden =
        name.starts_with('.') && path != ".gitignore" && path != ".gitattributes" && path != ".clang-format";
    if (at->is_directory() && (hidden || fs::exists(at->path() / "CMakeCache.txt") || path == "build"))
      at.disable_recursion_pending();
    if (at->is_regular_file() && !hidden) files.push_back(path);
  }
  return files;
}

namespace {

bool is_step_file(const std::string& path, const std::string& lesson) {
  static const std::regex step(step_file_pattern);
  const std::string folder = "lessons/" + lesson + "/";
  return path.starts_with(folder) && std::regex_match(path.substr(folder.size()), step);
}

/// Makes a handout from the request: first the lessons, then the rest, then the list of all.
class HandoutBuilder {
 public:
  HandoutBuilder(Context& context, const HandoutRequest& request)
      : context_(context), wish_(request), chosen_(request.rungs.begin(), request.rungs.end()) {
    std::vector<std::string> names;
    for (const StepEntry* step : chosen_) names.push_back(step->lesson);
    lessons_ = context.catalogue.resolve_lessons(names);
  }

  Handout make() {
    const auto repository = repository_files(context_.root);
    const auto common = common_lines(context_.root, context_.catalogue.lessons);
    for (const std::string& path : repository)
      if (is_shared(path, wish_.skeletons)) copy(path);
    for (const LessonEntry* lesson : lessons_) add_lesson(*lesson, repository, common);
    if (wish_.skeletons) add_readme();
    if (!wish_.notes.empty()) made_.files["notes.md"] = made_.files[pristine_notes] = {wish_.notes};
    if (!wish_.course.empty()) made_.files[course::student_course_file] = {wish_.course};
    look_for_secrets();
    if (wish_.skeletons) add_list();
    return std::move(made_);
  }

 private:
  void copy(const std::string& path) {
    const fs::path file = context_.root / path;
    made_.files[path] = {read_text(file),
                         (fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none};
  }

  void add_lesson(const LessonEntry& lesson, const std::vector<std::string>& repository,
                  const std::set<std::string>& common) {
    const HandoutLesson parts = lesson_of_handout(context_.root, lesson, chosen_, wish_.released, common);
    for (const auto& [secret, rung] : parts.secrets) {
      secrets_[lesson.name].emplace(secret, lesson.number() + "/" + rung);
      secrets_[""].emplace(secret, lesson.number() + "/" + rung);
    }
    made_.withheld.insert(made_.withheld.end(), parts.withheld.begin(), parts.withheld.end());
    const std::string given = "lessons/" + lesson.name + "/", tests = "tests/" + lesson.name + "/";
    for (const std::string& path : repository) {
      if (path.starts_with(given) && !is_step_file(path, lesson.name) &&
          !parts.headers.contains(path.substr(given.size())))
        if (wish_.skeletons || path.ends_with("pp") || path.find("/given/") != path.npos ||
            path.ends_with(".cuh") || path.ends_with("/rungs.toml"))
          copy(path);
      if (path.starts_with(tests) && is_of_judge(path.substr(tests.size())) && !includes(path, parts.headers))
        copy(path);
    }
    if (wish_.skeletons) add_steps(lesson, parts);
    cut_words(lesson, parts);
  }

  /// Of tests/NN-name: not mutants, attempts, variants and benches, and not the values of the pages' answers.
  static bool is_of_judge(const std::string& path) {
    return path != "answers.cpp" && (path.find('/') == path.npos || path.starts_with("peers/"));
  }

  bool includes(const std::string& path, const std::set<std::string>& headers) const {
    const std::string text = headers.empty() ? "" : read_text(context_.root / path);
    return std::any_of(headers.begin(), headers.end(), [&](const std::string& name) {
      return text.find("#include \"" + name + "\"") != text.npos;
    });
  }

  void add_steps(const LessonEntry& lesson, const HandoutLesson& parts) {
    for (const auto& [step, text] : parts.steps) {
      made_.files["lessons/" + lesson.name + "/" + step->file] = made_.files[pristine_path(*step)] = {text};
      rungs_.push_back(step->path());
    }
    for (const StepEntry& step : lesson.steps)
      if (wish_.released.contains(step.path())) copy("solutions/" + lesson.name + "/" + step.file);
  }

  /// Pages without answers, the table without hints of what is not there.
  void cut_words(const LessonEntry& lesson, const HandoutLesson& parts) {
    std::set<std::string> files, open;
    bool all_open = true;
    for (const auto& [step, text] : parts.steps) files.insert(step->file);
    for (const StepEntry& step : lesson.steps) {
      if (wish_.released.contains(step.path()))
        open.insert(step.id());
      else if (chosen_.contains(&step))
        all_open = false;
    }
    const std::string folder = "lessons/" + lesson.name + "/";
    for (auto& [path, file] : made_.files) {
      if (!path.starts_with(folder)) continue;
      if (path.ends_with(".md")) file.bytes = without_answers(file.bytes, lesson.number(), open, all_open);
      if (path.ends_with("/rungs.toml")) file.bytes = without_hints(file.bytes, files);
    }
  }

  void add_readme() {
    const fs::path file = context_.root / "common/tool/templates/handout/README.md.in";
    std::string list, first;
    for (const LessonEntry* lesson : lessons_) {
      std::vector<std::string> labels;
      for (const StepEntry& step : lesson->steps)
        if (made_.files.contains(pristine_path(step))) labels.push_back(step.label());
      if (labels.empty()) continue;
      if (first.empty()) first = labels.front();
      list += fmt::format("- [{0}](lessons/{1}/README.md): {2}\n",
                          lesson->title.empty() ? lesson->name : lesson->title, lesson->name,
                          fmt::join(labels, ", "));
    }
    if (list.empty())
      throw UsageError{"nothing is left to hand out: " + fmt::format("{}", fmt::join(made_.withheld, "; "))};
    made_.files["README.md"] = {filled(read_text(file), {{"rungs", list}, {"first", first}})};
  }

  /// The lesson that a file belongs to; empty: all of them.
  std::string lesson_of(const std::string& path) const {
    for (const LessonEntry* lesson : lessons_)
      if (path.find("/" + lesson->name + "/") != path.npos) return lesson->name;
    return "";
  }

  /// Each file as one line without blanks; what a page writes as &lt; is read, and literals are joined as the
  /// compiler does. In a lesson its own secrets are looked for: a later one begins with what an earlier one
  /// has taught.
  void look_for_secrets() const {
    std::map<std::string, cut::SecretSearch> searches;
    for (const auto& [lesson, secrets] : secrets_) searches.emplace(lesson, secrets);
    for (const auto& [path, file] : made_.files) {
      const auto of = searches.find(lesson_of(path));
      if (path.starts_with("solutions/") || of == searches.end()) continue;  // released
      const cut::SecretSearch& search = of->second;
      std::string text = cut::squeezed(file.bytes);
      for (const auto& [written, read] :
           {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"\"\"", ""}})
        replace_all(text, written, read);
      const auto* shown = search.in(text);
      if (!shown) shown = search.in(cut::without_blanks(file.bytes));
      if (shown)
        throw UsageError{fmt::format("{} shows a line of the solution of {}: {}; nothing was written", path,
                                     shown->second, shown->first)};
    }
  }

  void add_list() {
    json files = json::object();
    std::string sums;
    for (const auto& [path, file] : made_.files) {
      const std::string sum = sha256(file.bytes);
      files[path] = sum, sums += sum + "  " + path + "\n";
    }
    made_.version = "H-" + grade::receipt(sha256(sums));
    const json list = {{"schema", handout_schema},
                       {"version", made_.version},
                       {"commit", commit_of(context_.root)},
                       {"rungs", rungs_},
                       {"chosen", paths(wish_.rungs)},
                       {"released", wish_.released},
                       {"files", files}};
    made_.files[handout_file] = {report::dump(list, 1) + "\n"};
  }

  static std::vector<std::string> paths(const std::vector<StepEntry*>& steps) {
    std::vector<std::string> names;
    for (const StepEntry* step : steps) names.push_back(step->path());
    return names;
  }

  Context& context_;
  const HandoutRequest& wish_;
  const std::set<const StepEntry*> chosen_;
  std::vector<LessonEntry*> lessons_;
  std::map<std::string, cut::Secrets> secrets_;  // by lesson; under "" those of all
  std::vector<std::string> rungs_;
  Handout made_;
};

}  // namespace

Handout make_handout(Context& context, const HandoutRequest& request) {
  try {
    return HandoutBuilder(context, request).make();
  } catch (const cut::Error& error) {
    throw UsageError{error.what()};
  }
}

}  // namespace ladder
