#include "common/tool/catalogue/typed_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <regex>

#include "common/base/text/step_name.hpp"
#include "common/base/usage_error.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// With an extension it is a file, which may be somebody's program: then all of the name must be a rung's.
bool is_named(const StepEntry& step, const std::string& word) {
  const std::string name = lower(word);
  return name == step.id() || name == step.name || name == step.idea() || name == step.file;
}

/// As short as it can be.
std::string name_of(const LessonEntry& lesson, const StepEntry& step) {
  const auto same = [&](const StepEntry& other) { return other.id() == step.id(); };
  return std::count_if(lesson.steps.begin(), lesson.steps.end(), same) == 1 ? step.label() : step.path();
}

/// "g1", "g1-g3", "g1-3": a rung or a range without its lesson.
bool is_bare(const std::string& word) {
  static const std::regex pattern(fmt::format("[{0}][0-9]{{1,2}}(-[{0}]?[0-9]{{1,2}})?", tracks),
                                  std::regex::icase);
  return std::regex_match(word, pattern);
}

/// g1-3 is g1-g3.
std::string whole_range(const std::string& word) {
  static const std::regex pattern(fmt::format("([{}])([0-9]{{1,2}})-([0-9]{{1,2}})", tracks),
                                  std::regex::icase);
  return lower(std::regex_replace(word, pattern, "$1$2-$1$3"));
}

}  // namespace

TypedNames::TypedNames(const Catalogue& catalogue, fs::path root, fs::path folder, std::string last_lesson)
    : catalogue_(catalogue),
      root_(std::move(root)),
      folder_(std::move(folder)),
      last_lesson_(std::move(last_lesson)) {}

const LessonEntry* TypedNames::lesson_of(const std::string& word) const {
  const std::string name = lower(word);
  for (const LessonEntry& lesson : catalogue_.lessons)
    if (name == lesson.name || name == lesson.number() || name == lesson.word() ||
        "0" + name == lesson.number())
      return &lesson;
  return nullptr;
}

/// A step's file or a lesson's folder, in one of the trees.
std::string TypedNames::of_path(const std::string& word) const {
  std::error_code problem;
  const fs::path path = fs::weakly_canonical(folder_ / word, problem);
  if (problem || !fs::exists(path, problem)) return "";
  for (const char* tree : {"lessons", "solutions"}) {
    const fs::path inside = path.lexically_relative(fs::weakly_canonical(root_ / tree, problem));
    if (inside.empty() || *inside.begin() == ".." || inside == ".") continue;
    const LessonEntry* lesson = lesson_of(*inside.begin());
    if (!lesson) continue;
    if (inside == fs::path(lesson->name)) return lesson->name;
    for (const StepEntry& step : lesson->steps)
      if (inside == fs::path(lesson->name) / step.file) return name_of(*lesson, step);
  }
  return "";
}

std::string TypedNames::of_lesson(const std::string& lesson, const std::string& rung) const {
  const LessonEntry* in = lesson_of(lesson);
  if (!in) return "";
  if (is_bare(rung) && rung.find('-') != rung.npos) return in->number() + "/" + whole_range(rung);
  for (const StepEntry& step : in->steps)
    if (is_named(step, rung)) return name_of(*in, step);
  return "";
}

std::string TypedNames::of_any_lesson(const std::string& rung) const {
  std::vector<std::string> lessons, candidates;
  const std::string first = rung.substr(0, is_bare(rung) ? rung.find('-') : rung.npos);
  for (const LessonEntry& lesson : catalogue_.lessons)
    for (const StepEntry& step : lesson.steps)
      if (is_named(step, first)) {
        lessons.push_back(lesson.name);
        candidates.push_back(fmt::format("{} ({})", step.label(), step.idea()));
      }
  if (lessons.empty()) return "";
  if (lessons.size() == 1) return of_lesson(lessons.front(), rung);
  if (std::find(lessons.begin(), lessons.end(), last_lesson_) != lessons.end())
    return of_lesson(last_lesson_, rung);
  throw UsageError{fmt::format("name a rung with its lesson: {}", fmt::join(candidates, ", "))};
}

std::string TypedNames::meant_word(const std::string& word) const {
  static const std::regex joined(
      fmt::format(
          "(.+?)[-_.:/ ]?([{0}][0-9]{{1,2}}(-[{0}]?[0-9]{{1,2}})?|[{0}][0-9]{{1,2}}_\\w+(\\.cu|\\.cpp)?)",
          tracks),
      std::regex::icase);
  if (const std::string found = of_path(word); !found.empty()) return found;
  std::error_code ignored;
  if (fs::is_regular_file(folder_ / word, ignored)) return "";  // of a program
  if (lesson_of(word)) return lower(word);
  if (const auto slash = word.find('/'); slash != word.npos)
    if (const std::string found = of_lesson(word.substr(0, slash), word.substr(slash + 1)); !found.empty())
      return found;
  if (std::smatch parts; std::regex_match(word, parts, joined))
    if (const std::string found = of_lesson(parts[1], parts[2]); !found.empty()) return found;
  return word.find_first_of("/=") == word.npos ? of_any_lesson(word) : "";
}

std::vector<std::string> TypedNames::meant(const std::vector<std::string>& words) const {
  std::vector<std::string> names;
  const LessonEntry* before = nullptr;  // "00 g1 g2": a lesson, and rungs of it
  bool has_rungs = false;
  for (const std::string& word : words) {
    const LessonEntry* lesson = lesson_of(word);
    const std::string own = before && is_bare(word) ? of_lesson(before->name, word) : "";
    if (!own.empty()) {
      if (!has_rungs) names.pop_back();
      has_rungs = true;
      names.push_back(own);
      continue;
    }
    before = lesson, has_rungs = false;
    const std::string found = meant_word(word);
    names.push_back(found.empty() ? word : found);
  }
  return names;
}

}  // namespace ladder
