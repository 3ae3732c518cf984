/// @file
/// The verb new, for a course: a copy of the skeletons that is cut rung by rung, and solutions that are released into it.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/base/json_file.hpp"
#include "common/report/results.hpp"
#include "common/tool/authoring.hpp"
#include "common/tool/course.hpp"
#include "common/tool/cut.hpp"
#include "common/tool/names.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A course's copy: its skeletons, and which solutions were released into it.
class Course {
 public:
  Course(const Context& context, fs::path folder) : context_(context), folder_(std::move(folder)) {
    const json list = read_json(file());
    if (!list.is_object()) return;
    for (const json& name : list.value("released", json::array())) released_.insert(name.get<std::string>());
    for (const json& name : list.value("lessons", json::array())) lessons_.insert(name.get<std::string>());
  }

  bool is_there() const { return !lessons_.empty(); }
  bool has(const std::string& lesson) const { return lessons_.contains(lesson); }
  void add_lesson(const std::string& lesson) { lessons_.insert(lesson); }
  void release(const StepEntry& step) { released_.insert(step.path()); }
  fs::path path(const char* tree, const StepEntry& step) const { return source_of(folder_, tree, step); }

  /// The skeletons of a lesson as this copy has them; a demonstration is given whole.
  std::map<const StepEntry*, cut::CourseSkeleton> skeletons(const LessonEntry& lesson) const {
    std::map<const StepEntry*, cut::CourseSkeleton> all;
    std::vector<cut::Region> earlier;
    for (const StepEntry& step : lesson.steps) {
      const fs::path file = source_of(context_.root, "solutions", step);
      const std::string solution = read_text(file);
      if (!cut::has_regions(solution)) {
        all[&step].text = solution;
        continue;
      }
      all[&step] = cut::course_skeleton(solution, file.string(), earlier);
      if (released_.contains(step.path())) continue;
      for (cut::Region& region : cut::regions_of(solution, file.string(), step.id()))
        earlier.push_back(std::move(region));
    }
    return all;
  }

  void save() const {
    write_text(file(), report::dump({{"lessons", lessons_}, {"released", released_}}, 1) + "\n");
  }

 private:
  fs::path file() const { return folder_ / "course.json"; }
  const Context& context_;
  fs::path folder_;
  std::set<std::string> lessons_, released_;
};

std::string lines_of(const StepEntry& step, const cut::CourseSkeleton& skeleton) {
  std::string text = fmt::format("{:<6} {:>3} lines to write", step.label(), skeleton.to_write);
  if (skeleton.to_copy > 0)
    text += fmt::format(", {} to copy from {}", skeleton.to_copy, fmt::join(skeleton.rungs, ", "));
  return text;
}

std::vector<std::string> without_two(const std::vector<std::string>& names) {
  return {names.begin() + 2, names.end()};
}

/// The order of rungs is the table's.
void read_tables(Context& context, const std::vector<LessonEntry*>& lessons) {
  context.build.refresh();
  context.read_tables(lessons);
  for (const LessonEntry* lesson : lessons)
    if (!lesson->problem.empty()) throw UsageError{lesson->name + ": " + lesson->problem};
}

}  // namespace

void new_course(Context& context) {
  const fs::path folder = context.options.names[1];
  const auto lessons = context.catalogue.resolve_lessons(without_two(context.options.names));
  read_tables(context, lessons);
  if (fs::exists(folder) && fs::equivalent(folder, context.root))
    throw UsageError{"a course has a folder of its own: these are the skeletons that everybody has"};
  Course course(context, folder);
  if (course.is_there())
    throw UsageError{fmt::format("{} is a course already: nothing was written", folder.string())};
  for (const LessonEntry* lesson : lessons) {
    course.add_lesson(lesson->name);
    const auto skeletons = course.skeletons(*lesson);
    for (const StepEntry& step : lesson->steps) {
      const auto& skeleton = skeletons.at(&step);
      write_text(course.path("lessons", step), skeleton.text);
      if (skeleton.to_write > 0) context.terminal.print(lines_of(step, skeleton));
    }
  }
  course.save();
  context.terminal.print(fmt::format("written: {}. Later: ./ladder new release {} {}",
                                     (folder / "lessons").string(), folder.string(),
                                     lessons.front()->number() + "/g1"));
}

void new_release(Context& context) {
  const auto& names = context.options.names;
  const fs::path folder = names[1];
  Course course(context, folder);
  if (!course.is_there())
    throw UsageError{
        fmt::format("{} is no course: ./ladder new course {} makes one", folder.string(), folder.string())};
  if (names.size() < 3)
    throw UsageError{
        fmt::format("release what? For example: ./ladder new release {} 03/g2", folder.string())};
  const auto typed = without_two(names);
  const auto lessons = context.catalogue.resolve_lessons(typed);
  read_tables(context, lessons);
  const auto steps = context.catalogue.resolve(typed);
  for (const LessonEntry* lesson : lessons)
    if (!course.has(lesson->name))
      throw UsageError{fmt::format("{} is not in {}: nothing was written", lesson->name, folder.string())};
  const Course before = course;
  for (const StepEntry* step : steps) course.release(*step);
  // All or none: what somebody has changed is not written over.
  std::vector<std::pair<const StepEntry*, std::string>> changed;
  for (const LessonEntry* lesson : lessons) {
    const auto old = before.skeletons(*lesson), now = course.skeletons(*lesson);
    for (const StepEntry& step : lesson->steps) {
      if (old.at(&step).text == now.at(&step).text) continue;
      if (const fs::path file = course.path("lessons", step); read_text(file) != old.at(&step).text)
        throw UsageError{fmt::format("{} was changed since it was cut: nothing was written", file.string())};
      changed.emplace_back(&step, now.at(&step).text);
    }
  }
  for (const StepEntry* step : steps) {
    write_text(course.path("solutions", *step), read_text(source_of(context.root, "solutions", *step)));
    context.terminal.print("written: " + course.path("solutions", *step).string());
  }
  for (const auto& [step, text] : changed) {
    write_text(course.path("lessons", *step), text);
    context.terminal.print("written: " + course.path("lessons", *step).string());
  }
  course.save();
}

}  // namespace ladder
