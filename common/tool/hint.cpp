/// @file
/// The verb hint: the hints of a step, one more each time it is asked for.

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "common/base/json_file.hpp"
#include "common/report/results.hpp"
#include "common/tool/context.hpp"
#include "common/tool/names.hpp"
#include "common/tool/progress.hpp"

namespace ladder {
namespace {

using nlohmann::json;

std::vector<std::string> hints_of(const StepEntry& step) {
  std::vector<std::string> hints;
  if (!step.row.is_object()) return hints;
  for (const json& hint : step.row.value("hints", json::array()))
    if (hint.is_string() && hint != "") hints.push_back(hint);
  return hints;
}

/// The step that was judged last among those that are begun and do not pass; null when there is none.
const StepEntry* missed_last(Context& context, const Progress& progress) {
  std::map<std::string, int> judged;  // by step: the line of its last verdict
  std::istringstream history(read_text(context.state_folder() / "history.jsonl"));
  std::string line;
  for (int number = 1; std::getline(history, line); ++number)
    if (const json entry = json::parse(line, nullptr, false); entry.is_object())
      judged[entry.value("step", "")] = number;
  const StepEntry* last = nullptr;
  for (const LessonEntry* lesson : context.catalogue.resolve_lessons({}))
    for (const StepEntry& step : lesson->steps) {
      const std::string state = progress.state(step);
      if (!judged.count(step.path()) || progress.done(step) || state == "not started" || state == "given")
        continue;
      if (!last || judged[step.path()] > judged[last->path()]) last = &step;
    }
  return last;
}

/// How many hints of each step have been shown.
class Shown {
 public:
  explicit Shown(const Context& context) : file_(context.state_folder() / "hints.json") {
    levels_ = read_json(file_);
    if (!levels_.is_object()) levels_ = json::object();
  }
  /// Counts one more. Silent when it cannot be kept: the first hint then comes again.
  std::size_t one_more(const std::string& key, std::size_t most) {
    const json before = levels_.value(key, json(0));
    const std::size_t level =
        std::min(most, (before.is_number_unsigned() ? before.get<std::size_t>() : 0) + 1);
    levels_[key] = level;
    try {
      write_text(file_, report::dump(levels_, 1));
    } catch (const UsageError&) {
    }
    return level;
  }

 private:
  std::filesystem::path file_;
  json levels_;
};

/// What is said in place of a hint; empty when there is one to show.
std::string why_none(const StepEntry& step, const std::string& state) {
  const std::string page = "lessons/" + step.lesson + "/README.md";
  if (state == "PASS") return fmt::format("{} PASSes: there is nothing to hint at.", step.label());
  if (state == "SKIPPED")
    return fmt::format("{} is right; what is not measured cannot be measured here: ./ladder doctor says why.",
                       step.label());
  if (state == "given")
    return fmt::format("{} is given whole: predict, run, explain. Its section: {}", step.label(), page);
  if (hints_of(step).empty())
    return fmt::format("no hint is written for {}. Its section in {} says what is to hold.", step.label(),
                       page);
  return "";
}

std::string next_of(const StepEntry& step, std::size_t level, std::size_t all) {
  const std::string check = "./ladder check " + step.label();
  if (level < all) return fmt::format("{}   ·   one hint more: ./ladder hint {}", check, step.label());
  return fmt::format("{}   ·   that was the last hint; its questions on the page: lessons/{}/README.md",
                     check, step.lesson);
}

json document_of(const LessonEntry& lesson, const StepEntry& step, const std::string& state,
                 const std::vector<std::string>& shown) {
  const json entry = {{"lesson", step.lesson},
                      {"name", step.name},
                      {"file", step.file},
                      {"state", state},
                      {"hints", json(shown)}};
  return report::document("hint", nullptr, 0,
                          {{{"name", lesson.name}, {"title", lesson.title}, {"steps", {entry}}}});
}

void nothing_missed(Context& context) {
  context.terminal.print(
      "Nothing was missed: no step that you began has failed its last check.\n"
      "Next: ./ladder says where you are; ./ladder check 03/g2 judges a step; ./ladder hint 03/g2 hints at "
      "one.");
  context.write_json(report::document("hint", nullptr, 0, json::array()));
}

}  // namespace

int hint(Context& context) {
  const auto& names = context.options.names;
  if (names.size() > 1) throw UsageError{"one step at a time. For example: ./ladder hint 03/g2"};
  const auto named = context.catalogue.resolve(names);
  if (!names.empty() && named.size() != 1)
    throw UsageError{
        fmt::format("'{}' is a lesson; name a step. For example: ./ladder hint 03/g2", names[0])};
  context.build.refresh();
  context.read_tables(context.catalogue.resolve_lessons(names));
  const Progress progress(context);
  const StepEntry* step =
      names.empty() ? missed_last(context, progress) : context.catalogue.resolve(names)[0];
  if (!step) return nothing_missed(context), 0;

  const std::string state = progress.state(*step), none = why_none(*step, state);
  std::vector<std::string> hints = hints_of(*step);
  if (!none.empty()) {
    context.terminal.print(none);
    hints.clear();
  } else {
    const std::size_t all = hints.size(), level = Shown(context).one_more(step->path(), all);
    const auto width = static_cast<std::size_t>(context.terminal.width());
    hints.resize(level);
    std::string text = context.terminal.bold(step->label()) + " " + step->file + "  " + state + "\n";
    for (std::size_t i = 0; i < level; ++i)
      text += feedback_block(fmt::format("Hint {} of {}", i + 1, all), hints[i], width);
    context.terminal.print(text + feedback_block("Next", next_of(*step, level, all), width));
  }
  context.write_json(document_of(context.catalogue.lesson(step->lesson), *step, state, hints));
  return 0;
}

}  // namespace ladder
