/// @file
/// What is wrong with the rungs of a course file: unknown ones, and ones whose solution something else gives
/// away.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/base/error.hpp"
#include "common/base/usage_error.hpp"
#include "common/course/deadlines.hpp"
#include "common/course/platforms/roster.hpp"
#include "common/skeleton/handout_skeleton.hpp"
#include "common/skeleton/skeletonize.hpp"
#include "common/tool/grading/course_verb.hpp"

namespace ladder {
namespace {

using course::Assignment;
using course::Course;

/// A rung of the course, where the lessons have it.
struct Graded {
  const Assignment* assignment;
  const StepEntry* step;
  std::string solution{};
  std::vector<cut::Region> regions{};
  Place place() const { return assignment->place_of(step->label()); }
  bool is_released_before(course::sys_seconds moment) const {
    return assignment->answers == "after_deadline" && assignment->due < moment;
  }
};

/// Code that says what is to be written: a line or two could stand anywhere.
bool says_something(const cut::Region& region) {
  return cut::is_secret(region) && region.lines >= 3;
}

class Rungs {
 public:
  Rungs(Context& context, const Course& course) : context_(context), course_(course) {}

  std::vector<std::string> problems() {
    find();
    for (const Graded& one : rungs_) look_at_row(one);
    for (const Graded& one : rungs_)
      for (const Graded& other : rungs_)
        if (&one != &other && one.step->lesson == other.step->lesson) look_at_pair(one, other);
    return std::move(problems_);
  }

 private:
  void add(Place place, const std::string& what) { problems_.push_back(course_.at(place, what)); }

  void find() {
    std::vector<std::string> names;
    for (const Assignment& one : course_.assignments)
      for (const std::string& name : one.rung_names()) try {
          context_.catalogue.resolve({name});
          names.push_back(name);
        } catch (const UsageError& error) {
          add(one.place_of(name), error.text);
        }
    if (names.empty()) return;
    context_.need_tables(context_.catalogue.resolve_lessons(names));
    for (const Assignment& one : course_.assignments)
      for (const std::string& name : one.rung_names()) {
        if (std::find(names.begin(), names.end(), name) == names.end()) continue;
        Graded graded{.assignment = &one, .step = context_.catalogue.resolve({name}).front()};
        const auto file = source_of(context_.root, "solutions", *graded.step);
        graded.solution = read_text(file);
        if (cut::has_regions(graded.solution))
          graded.regions = cut::regions_of(graded.solution, file.string(), graded.step->id());
        rungs_.push_back(std::move(graded));
      }
  }

  void look_at_row(const Graded& one) {
    const std::string label = one.step->label();
    const nlohmann::json& row = one.step->row;
    if (!row.is_object()) return;
    if (one.step->kind() == "D")
      add(one.place(), fmt::format("{} is a demonstration: it is given whole, and earns no points", label));
    std::vector<std::string> metrics;
    for (const auto& target : row.value("targets", nlohmann::json::array()))
      metrics.push_back(target.value("metric", ""));
    for (const course::Predict& predict : one.assignment->predict)
      if (predict.rung == label && std::find(metrics.begin(), metrics.end(), predict.metric) == metrics.end())
        add(predict.place, fmt::format("{} of {}", unknown("metric", predict.metric, metrics), label));
    const auto& time = one.assignment->time;
    const bool timed = time && std::find(time->rungs.begin(), time->rungs.end(), label) != time->rungs.end();
    if (timed && row.value("points", nlohmann::json::object()).value("time", 0.0) <= 0 &&
        time->bounds.empty())
      add(time->place,
          fmt::format("time: {} has no bound of time in its row: give bounds, as ./ladder grade calibrate "
                      "writes them, or omit it",
                      label));
  }

  /// Whether what is handed out or released of `other` shows what is to be written in `one`, before that is
  /// due.
  void look_at_pair(const Graded& one, const Graded& other) {
    if (one.regions.empty()) return;
    const std::string shown = other.assignment->opens < one.assignment->due ? skeleton_of(other) : "";
    const bool released = other.is_released_before(one.assignment->due);
    const std::string solution = released ? cut::without_blanks(other.solution) : "";
    for (const cut::Region& region : one.regions) {
      if (!says_something(region)) continue;
      const std::string code = cut::without_blanks(region);
      const std::string what =
          fmt::format("what is to be written in {} (line {} of its solution), due {}", one.step->label(),
                      region.line, course_.timezone.text(one.assignment->due));
      if (shown.find(code) != shown.npos) {
        add(other.place(), fmt::format("the skeleton of {} shows {}: let it open later, or grade one of both",
                                       other.step->label(), what));
        return;
      }
      if (solution.find(code) != solution.npos) {
        add(other.assignment->place,
            fmt::format("the answers of {}, released at {}, show in {} {}: put both into one assignment, or "
                        "release later",
                        other.assignment->name, course_.timezone.text(other.assignment->due),
                        other.step->label(), what));
        return;
      }
    }
  }

  /// As a handout has it when the assignment opens, without blanks.
  const std::string& skeleton_of(const Graded& one) {
    const auto [at, fresh] = skeletons_.try_emplace(&one);
    if (!fresh) return at->second;
    std::vector<cut::Region> earlier;
    for (const StepEntry& step : context_.catalogue.lesson(one.step->lesson).steps) {
      if (step.name == one.step->name) break;
      const std::string solution = read_text(source_of(context_.root, "solutions", step));
      const bool released = std::any_of(rungs_.begin(), rungs_.end(), [&](const Graded& other) {
        return other.step->path() == step.path() && other.is_released_before(one.assignment->opens);
      });
      if (released || !cut::has_regions(solution)) continue;
      for (cut::Region& region : cut::regions_of(solution, step.file, step.id()))
        earlier.push_back(std::move(region));
    }
    const bool whole = !cut::has_regions(one.solution);
    return at->second = cut::without_blanks(
               whole ? one.solution : cut::course_skeleton(one.solution, one.step->file, earlier).text);
  }

  Context& context_;
  const Course& course_;
  std::vector<Graded> rungs_{};
  std::map<const Graded*, std::string> skeletons_{};
  std::vector<std::string> problems_{};
};

}  // namespace

std::vector<std::string> problems_of_files(const course::Course& course) {
  std::vector<std::string> problems;
  const auto attempt = [&](const auto& read) {
    try {
      read();
    } catch (const Error& error) {
      problems.emplace_back(error.what());
    }
  };
  if (!course.roster.empty()) attempt([&] { course::read_roster(course.roster); });
  attempt([&] { course::read_extensions(course); });
  if (!course.key.empty() && !std::filesystem::exists(course.key))
    problems.push_back(fmt::format("{}: no class key {}; ./ladder grade key {} makes one",
                                   course.file.string(), course.key.string(), course.key.string()));
  return problems;
}

std::vector<std::string> problems_of_rungs(Context& context, const Course& course) {
  return Rungs(context, course).problems();
}

}  // namespace ladder
