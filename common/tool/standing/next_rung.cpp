#include "common/tool/standing/next_rung.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/tool/core/student_state.hpp"
#include "common/tool/standing/assignment.hpp"
#include "common/tool/standing/course_view.hpp"

namespace ladder {
namespace {

using nlohmann::json;

bool is_required(const StepEntry& step) {
  return step.row.is_object() && step.kind() == "R";
}

std::string why_at_it(const Progress& progress, const StepEntry& step, std::time_t now) {
  const LastVerdict last = *progress.last(step);
  const bool is_right = last.result.verdict == Verdict::skipped;  // else it would not be kept
  const std::string verdict(name(is_right ? Verdict::pass : last.result.verdict));
  const std::string &message = last.result.message, when = ago(last.time, now);
  if (!progress.last_of_present(step))
    return fmt::format("you were at it {}, and have changed it since {}: it wants to be judged again", when,
                       verdict);
  return fmt::format("you were at it {}: {}{}{}", when, verdict, message.empty() ? "" : ", ", message);
}

using Steps = std::vector<const StepEntry*>;

Steps all_of(const LessonEntry& lesson) {
  Steps steps;
  for (const StepEntry& step : lesson.steps) steps.push_back(&step);
  return steps;
}

/// Looks for what is left to do.
class Search {
 public:
  Search(Context& context, const Progress& progress, const Among& among)
      : context_(context), progress_(progress), among_(among) {}

  /// What an open assignment asks for; nothing where the course file has rungs that this copy does not have.
  NextRung of_course(const StepEntry* at) const {
    try {
      return asked_for(at);
    } catch (const UsageError&) {
      return {};
    }
  }

  /// Of the ladder that one is on: the next required rung, else one that was left out below.
  NextRung of_ladder(const StepEntry& at) const {
    const StepEntry* step = first_left(all_of(context_.catalogue.lesson(at.lesson)), &at, true);
    if (!step) return {};
    return {.step = step,
            .why = fmt::format("{} is done, and this is the next required rung of its ladder that is left",
                               at.label())};
  }

  NextRung of_path(const Steps& path, const std::string& where) const {
    const StepEntry* step = first_left(path, nullptr, true);
    if (!step) return {};
    const StepEntry* done = nullptr;
    for (const StepEntry* one : path) {
      if (one == step) break;
      if (is_required(*one)) done = one;
    }
    return {
        .step = step,
        .why = done ? fmt::format("{} is done, and this is the next required rung {}", done->label(), where)
                    : fmt::format("the first required rung {}", where)};
  }

  NextRung of_all_paths() const {
    Steps path;
    try {
      path = path_of_readme(context_);
    } catch (const UsageError&) {  // of rungs that this copy does not have
    }
    if (NextRung next = of_path(path, "of the path in README.md"); next.step) return next;
    const auto all = context_.catalogue.resolve({});
    return of_path({all.begin(), all.end()}, "in the order of the lessons");
  }

 private:
  /// Of the open assignments the one that is due first, and what it asks for.
  NextRung asked_for(const StepEntry* at) const {
    NextRung next;
    const auto course = course_of_handout(context_.root);
    const course::Assignment* of = nullptr;
    if (!course) return next;
    for (const course::Assignment& one : course->assignments) {
      if (now_in_seconds() > one.due || now_in_seconds() < one.opens || (of && one.due >= of->due)) continue;
      Steps steps;
      for (const auto& [rung, points] : one.rungs) steps.push_back(context_.catalogue.resolve({rung})[0]);
      if (const StepEntry* step = first_left(steps, at, false)) {
        of = &one;
        next = {.step = step, .why = fmt::format("{} asks for it, due {}", one.name, local_text(one.due))};
      }
    }
    return next;
  }

  /// The first one after `at`, from the beginning again after the last; `at` itself is not one.
  const StepEntry* first_left(const Steps& steps, const StepEntry* at, bool required) const {
    const auto after = std::find(steps.begin(), steps.end(), at);
    Steps turned(after == steps.end() ? steps.begin() : after, steps.end());
    turned.insert(turned.end(), steps.begin(), after == steps.end() ? steps.begin() : after);
    for (const StepEntry* step : turned)
      if (step != at && (!required || is_required(*step)) && progress_.left_to_do(*step) &&
          (!among_ || among_(*step)))
        return step;
    return nullptr;
  }

  Context& context_;
  const Progress& progress_;
  const Among& among_;
};

}  // namespace

std::vector<const StepEntry*> path_of_readme(Context& context) {
  static const std::regex mark(R"(<!-- generated: path (.*) -->)"), open(R"((.*/[a-z])([0-9]+)-)");
  std::vector<const StepEntry*> path;
  for (const std::string& line : lines_of(read_text(context.root / "README.md"))) {
    std::smatch found;
    if (!std::regex_match(line, found, mark)) continue;
    std::istringstream words(found[1].str());
    for (std::string word; words >> word;) {
      std::smatch part;
      const bool is_open = std::regex_match(word, part, open);
      const std::string typed = is_open ? word.substr(0, word.find('/')) : word;
      for (const StepEntry* step : context.catalogue.resolve(without_ranges(context.catalogue, {typed})))
        if (!is_open || (step->track() == part[1].str().back() &&
                         std::stoi(step->id().substr(1)) >= std::stoi(part[2].str())))
          path.push_back(step);
    }
    return path;
  }
  return path;
}

const StepEntry* judged_last(Context& context, const Progress& progress, const Among& among) {
  std::map<std::string, int> line;  // by step, its last one in the history: the order within a second
  int number = 0;
  for (const json& entry : read_history(context.state_folder() / "history.jsonl"))
    line[entry["step"]] = ++number;
  const auto key = [&](const StepEntry& step) {
    const std::optional<LastVerdict> found = progress.last(step);
    return std::pair(found ? found->time : 0, line[step.path()]);
  };
  const StepEntry* last = nullptr;
  for (const StepEntry* step : context.catalogue.resolve({}))
    if (key(*step).first > 0 && (!among || among(*step)) && (!last || key(*step) > key(*last))) last = step;
  return last;
}

NextRung next_after(Context& context, const Progress& progress, const StepEntry& at, const Among& among) {
  const Search search(context, progress, among);
  if (NextRung next = search.of_course(&at); next.step) return next;
  return search.of_ladder(at);
}

NextRung next_rung(Context& context, const Progress& progress, const Among& among) {
  const Search search(context, progress, among);
  const StepEntry* at = judged_last(context, progress, [&](const StepEntry& step) {
    return progress.is_begun(step) && (!among || among(step));
  });
  NextRung next;
  if (at && !progress.done(*at)) {
    const auto now = std::chrono::system_clock::to_time_t(now_in_seconds());
    next = {.step = at, .why = why_at_it(progress, *at, now)};
  } else if (at) {
    next = next_after(context, progress, *at, among);
  } else {
    next = search.of_course(nullptr);
  }
  NextRung path = search.of_all_paths();
  if (!next.step) return path;
  if (path.step && path.step->lesson != next.step->lesson) next.other = path.step, next.why_other = path.why;
  return next;
}

}  // namespace ladder
