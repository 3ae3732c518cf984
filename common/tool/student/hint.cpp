/// @file
/// The verb hint: first what the last verdict measured, then the hints of a step, one more each time it is
/// asked for.

#include "common/tool/student/hint.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/text/markdown.hpp"
#include "common/base/text/numbers.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"
#include "common/report/text/table.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/core/student_state.hpp"
#include "common/tool/standing/measured_hint.hpp"
#include "common/tool/standing/next_rung.hpp"
#include "common/tool/standing/progress.hpp"
#include "common/tool/student/feedback.hpp"

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

/// The next step where it is begun, else the one that was judged last of those that are; null when there is
/// none.
const StepEntry* step_to_hint_at(Context& context, const Progress& progress) {
  const auto missed = [&](const StepEntry& step) { return progress.is_begun(step) && !progress.done(step); };
  const StepEntry* next = next_rung(context, progress).step;
  return next && missed(*next) ? next : judged_last(context, progress, missed);
}

constexpr const char* page_heading = "The page";
constexpr std::size_t max_static = 3;  // two hints of the row, and the page's section

/// What hints of each step have been shown, in .ladder/hints.json.
class Shown {
 public:
  explicit Shown(const Context& context)
      : file_(context.state_folder() / "hints.json"), all_(read_state_file(file_)) {}

  /// Counts one more. A verdict that no hint was about yet comes first, and unlocks nothing.
  /// @param source  of the file that was judged; empty: nothing was measured that a hint could be about
  /// @return how many of the static ones are known now
  std::size_t one_more(const std::string& key, const std::string& source, std::size_t most) {
    json one = all_.value(key, json());
    if (one.is_number_unsigned()) one = {{"level", one}, {"asked", one}};  // of older copies
    if (!one.is_object()) one = json::object();
    std::size_t level = number(one, "level");
    const bool about_verdict = !source.empty() && one.value("measured", json()) != source;
    fresh_ = about_verdict ? Fresh::measured : level < most ? Fresh::next : Fresh::none;
    if (!about_verdict) level = std::min(most, level + 1);
    one["level"] = level;
    asked_ = number(one, "asked") + 1;
    one["asked"] = asked_;
    if (!source.empty()) one["measured"] = source;
    all_[key] = one;
    try {  // silent when it cannot be kept: the first hint then comes again
      write_text(file_, report::dump(all_, 1) + "\n");
    } catch (const UsageError&) {
    }
    return std::min(most, level);
  }
  std::size_t asked() const { return asked_; }

  /// What this call shows and no call before has shown. Where that is nothing, all comes again.
  enum class Fresh { measured, next, none };
  Fresh fresh() const { return fresh_; }

 private:
  static std::size_t number(const json& one, const char* field) {
    const json value = one.value(field, json());
    return value.is_number_unsigned() ? value.get<std::size_t>() : 0;
  }
  std::filesystem::path file_;
  json all_;
  std::size_t asked_ = 0;
  Fresh fresh_ = Fresh::none;
};

/// What is said instead of a hint; empty when there is one to show.
std::string why_none(const StepEntry& step, const std::string& state) {
  if (state == "PASS")
    return fmt::format(
        "{0} PASSes: there is nothing to hint at. Yours next to the reference, both measured: "
        "./ladder diff {0}",
        step.label());
  if (state == "SKIPPED")
    return fmt::format("{} is right; what is not measured cannot be measured here: ./ladder doctor says why.",
                       step.label());
  if (state == "given")
    return fmt::format("{} is given whole: predict, run, explain. Its section: lessons/{}/README.md",
                       step.label(), step.lesson);
  return "";
}

/// A step's static levels: the hints of its row, then its section of the page.
std::vector<HintBlock> static_levels(const Context& context, const StepEntry& step) {
  std::vector<HintBlock> levels;
  const auto hints = hints_of(step);
  for (std::size_t i = 0; i < hints.size(); ++i)
    levels.emplace_back(fmt::format("Hint {} of {}", i + 1, hints.size()), hints[i]);
  const std::string page = "lessons/" + step.lesson + "/README.md";
  if (const std::string section = page_section(read_text(context.root / page), step.id()); !section.empty())
    levels.emplace_back(page_heading, section + "\nAnswers are folded there: " + page);
  if (levels.size() > max_static) levels.resize(max_static);
  return levels;
}

/// What to say of a step of which nothing was measured as it is now.
std::string not_measured_now(const StepEntry& step, const std::string& state) {
  return fmt::format("{}. After ./ladder check {} the hint is about what was measured.",
                     state == "not started" ? "not started" : "not judged as it is now", step.label());
}

std::string next_of(const StepEntry& step, std::size_t level, std::size_t all) {
  const std::string check = "./ladder check " + step.label();
  if (level < all) return fmt::format("{}   ·   another hint: ./ladder hint {}", check, step.label());
  return check + "   ·   that was the last hint; call it again to see all of them";
}

/// A section of a page over the whole width; what lines up in it stays as it is.
std::string section_text(const std::string& section, std::size_t width) {
  std::string text;
  bool drawn = false;
  for (const std::string& line : lines_of(section)) {
    const bool fence = is_code_fence(line);
    drawn = drawn != fence;
    if (fence) continue;
    if (drawn || line.empty()) {
      text += line + "\n";
    } else {
      for (const std::string& part : report::wrapped(line, width)) text += part + "\n";
    }
  }
  return text;
}

/// The hints as text: what is new, or all where nothing is. @param level  how many of the static ones
std::string hint_text(const Context& context, const StepEntry& step, const std::string& state,
                      const std::vector<HintBlock>& measured, const std::vector<HintBlock>& levels,
                      std::size_t level, const Shown& counts) {
  const auto width = static_cast<std::size_t>(context.terminal.width());
  std::string text = context.terminal.bold(step.label()) + " " + step.file + "  " + state + "\n";
  const bool all = counts.fresh() == Shown::Fresh::none, only_next = counts.fresh() == Shown::Fresh::next;
  if (!only_next)
    for (const auto& [heading, words] : measured) text += feedback_block(heading, words, width);
  if (measured.empty()) text += feedback_block("Measured", not_measured_now(step, state), width);
  for (std::size_t i = all ? 0 : only_next ? level - 1 : level; i < level; ++i)
    text += levels[i].first == page_heading ? "\n" + section_text(levels[i].second, width) + "\n"
                                            : feedback_block(levels[i].first, levels[i].second, width);
  text += feedback_block("Next", next_of(step, level, levels.size()), width);
  return text +
         context.terminal.dim(feedback_block(
             "Hints", counted(counts.asked(), "hint") + " of this rung so far; they cost nothing", width));
}

void nothing_missed(Context& context, const StepEntry* next) {
  context.terminal.print("Nothing was missed: no rung that you began has failed its last check.");
  context.terminal.print(
      next ? fmt::format("Next: {0}; ./ladder hint {0} hints at it, ./ladder says why it is next.",
                         next->label())
           : "Every required rung PASSes.");
  context.write_json(report::document("hint", 0));
}

}  // namespace

int hint(Context& context) {
  const auto& names = context.options.names;
  if (names.size() > 1) throw UsageError{"one rung at a time. For example: ./ladder hint 03/g2"};
  const StepEntry* step = nullptr;
  if (names.empty()) {
    context.build.refresh();
    context.check_tables(context.catalogue.resolve_lessons({}));
  } else {
    step = &context.named_step(names, "For example: ./ladder hint 03/g2");
  }
  const Progress progress(context);
  if (!step) step = step_to_hint_at(context, progress);
  if (!step) return nothing_missed(context, next_rung(context, progress).step), 0;

  const std::string state = progress.state(*step), none = why_none(*step, state);
  std::vector<std::string> shown;
  if (!none.empty()) {
    context.terminal.print(none);
  } else {
    const model::StepResult last = progress.last_of_present(*step).value_or(LastVerdict{}).result;
    const auto measured = measured_hint(last);
    const auto levels = static_levels(context, *step);
    Shown counts(context);
    const std::size_t level =
        counts.one_more(step->path(), measured.empty() ? "" : last.source, levels.size());
    context.terminal.print(hint_text(context, *step, state, measured, levels, level, counts));
    for (const auto& [heading, words] : measured) shown.push_back(heading + ": " + words);
    for (std::size_t i = 0; i < level; ++i) shown.push_back(levels[i].second);
  }
  model::DocumentStep entry = step->stated();
  entry.state = state, entry.hints = shown;
  context.write_json(report::document("hint", 0, context.catalogue.by_lesson({entry})));
  return 0;
}

}  // namespace ladder
