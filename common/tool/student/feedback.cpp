#include "common/tool/student/feedback.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/base/files/files.hpp"
#include "common/base/text/numbers.hpp"
#include "common/base/text/points_text.hpp"
#include "common/base/text/text.hpp"
#include "common/report/results/predicted_number.hpp"
#include "common/report/results/results.hpp"
#include "common/report/results/shown_verdict.hpp"
#include "common/report/text/table.hpp"
#include "common/tool/build/lint.hpp"
#include "common/tool/build/source_excerpt.hpp"
#include "common/tool/judging/missed_text.hpp"
#include "common/tool/standing/assignment.hpp"
#include "common/tool/standing/next_rung.hpp"
#include "common/tool/standing/predictions.hpp"
#include "common/trace/metrics.hpp"

namespace ladder {

using nlohmann::json;

namespace {

/// What asks for a text that a person reads: alone at home there is none.
bool is_for_a_course(const std::string& text) {
  return text.find("notes.md") != std::string::npos;
}

}  // namespace

std::string feedback(const Context& context, const model::StepResult& step) {
  const std::string verdict = report::shown_verdict(step), remark = report::remark_of(step);
  std::string text = context.terminal.bold(report::label(step)) + " " + step.file + "  " +
                     context.terminal.verdict(verdict) + (remark.empty() ? "" : ", " + remark);
  const std::string missed = missed_message(step);
  if (const std::string message = missed.empty() ? report::shown_message(step) : missed; !message.empty())
    text += "  " + message;
  if (step.max_points && missed.empty())
    text += fmt::format("   {} points", points_text(step.points.value_or(0), *step.max_points, "/"));
  const auto width = static_cast<std::size_t>(context.terminal.width());
  std::string out;
  for (const std::string& line : report::wrapped(text, width)) out += line + "\n";
  for (const auto& [heading, numbers] : missed_numbers(step)) out += feedback_block(heading, numbers, width);
  if (!step.device.empty() && step.device != "cpu" && verdict != "SKIPPED")
    out += context.terminal.dim(feedback_block("On", step.device, width));
  for (const model::Target& target : step.targets)
    if (!target.reason.empty() && step.message.find(target.reason) == std::string::npos)
      out += feedback_block(target.verdict == Verdict::inconclusive ? "Open" : "Not measured",
                            target.metric + ": " + target.reason, width);
  static const std::set<std::string> of_learners = {"check", "watch", "profile", "diff", "bench"};
  const bool people_read =
      !of_learners.contains(context.options.verb) || course_of_handout(context.root).has_value();
  for (const auto& [heading, block] : step.details)
    if (people_read || !is_for_a_course(block)) {
      std::string words = block;
      if (!people_read) replace_all(words, ": a person looks at it", "");
      out += feedback_block(heading, words, width);
    }
  return out;
}

namespace {

bool is_next(const std::pair<std::string, std::string>& detail) {
  return detail.first == "Next";
}

/// The judge's own advice comes first.
bool says_next(const model::StepResult& result) {
  return std::any_of(result.details.begin(), result.details.end(), is_next);
}

/// Whether a number of kernels was missed: a profile shows the lines that it comes from.
bool missed_a_counter(const StepEntry& step, const model::StepResult& result) {
  if (!is_cuda(step.family()) && step.family() != "opencl") return false;
  return std::any_of(result.targets.begin(), result.targets.end(), [](const model::Target& target) {
    if (target.verdict != Verdict::missed || target.metric.empty()) return false;
    const Source source = find_metric(target.metric).source;
    return source == Source::counters || source == Source::device || source == Source::instructions;
  });
}

std::string next_line(Context& context, const Progress& progress, const StepEntry& step,
                      const model::StepResult& result) {
  const Verdict verdict = result.verdict;
  const std::string check = with_options_of(context.options, "./ladder check " + step.label());
  const bool done = report::is_done(result);
  if ((verdict == Verdict::skipped && !done) || verdict == Verdict::not_run || says_next(result)) return "";
  const bool watches = context.options.verb == "watch";
  if (verdict == Verdict::build_error) return watches ? "fix it and save it" : check;
  if (verdict == Verdict::not_started)
    return fmt::format("write lessons/{}/{}, its TASK comments say what; then {}", step.lesson, step.file,
                       watches ? "delete the line ladder::task() and save it" : check);
  const std::string& key = context.options.key;
  if (!done) {
    const std::string lines = !missed_a_counter(step, result) ? ""
                              : watches                       ? "; in another terminal: "
                                                              : "; the lines that it comes from: ";
    const std::string profile =
        lines.empty() ? "" : lines + with_options_of(context.options, "./ladder profile " + step.label());
    if (watches) return "save it again, with the same inputs" + profile;
    Options again = context.options;
    if (key.empty()) again.seed = context.seed;
    return "again: " + with_options_of(again, "./ladder check " + step.label()) + profile;
  }
  if (context.options.tree != "lessons") return "";
  const StepEntry* next = next_after(context, progress, step).step;
  if (!next) return "all required rungs of this lesson are done; ./ladder list shows the next lesson";
  const std::string idea = next->row.is_object() ? next->row.value("idea", "") : "";
  return fmt::format("{}: {}  lessons/{}/{}", next->label(), idea, next->lesson, next->file);
}

/// Whether a hint may help: the step ran, it was the student's, and there is one.
bool hint_helps(const Context& context, const StepEntry& step, const model::StepResult& result) {
  const Verdict verdict = result.verdict;
  const bool ran = verdict == Verdict::wrong || verdict == Verdict::missed || verdict == Verdict::crashed ||
                   verdict == Verdict::timeout;
  const json hints = step.row.is_object() ? step.row.value("hints", json::array()) : json::array();
  return ran && context.options.tree == "lessons" && !hints.empty() && hints[0] != "";
}

/// The size at which the step's row measures a metric; 0: it does not.
int size_of_target(const StepEntry& step, const std::string& metric) {
  if (!step.row.is_object()) return 0;
  for (const json& target : step.row.value("targets", json::array()))
    if (target.value("metric", "") == metric) return target.value("size", 0);
  return 0;
}

/// What the student predicted of the numbers that this check has measured, next to them: a sentence each.
std::vector<std::string> predicted(Context& context, const StepEntry& step, const model::StepResult& result) {
  std::vector<std::string> sentences;
  const Predictions predictions(context.state_folder() / "predictions.json");
  for (const Prediction& said : predictions.last_of(step.path()))
    for (const model::Target& target : result.targets) {
      if (target.metric != said.metric || !target.amount) continue;
      if (said.size != 0 && said.size != size_of_target(step, target.metric)) {
        sentences.push_back(
            fmt::format("You predicted {} {} at size {}: ./ladder profile {} --size {} says what it is.",
                        amount_text(said.value), said.metric, said.size, step.label(), said.size));
        continue;
      }
      sentences.push_back(report::prediction_sentence(
          {said.metric, said.value, said.size, said.after_profile, target.amount, ""}));
    }
  return sentences;
}

constexpr const char* the_twin =
    "the twin: the executor emulates tensor cores, clusters and bulk copies; a GPU that has them uses them";

/// Shows the line of a kernel that does not compile when the step runs, as of a step that does not compile at
/// all.
void show_kernels_line(const Context& context, const StepEntry& step, model::StepResult& told) {
  constexpr std::string_view mark = "the kernels do not compile: line ";
  const std::string& message = told.message;
  const auto at = message.find(mark);
  if (at == message.npos || context.options.tree != "lessons") return;
  const std::string place = message.substr(at + mark.size());
  const auto colon = place.find(": ");
  if (colon == place.npos) return;
  const BuildFailure failure =
      with_source({step.file + ":" + place.substr(0, colon), place.substr(colon + 2), "", ""},
                  source_of(context.root, "lessons", step));
  if (failure.excerpt.empty()) return;
  told.details.insert(told.details.begin(), {"Source", failure.excerpt});
}

/// Why nobody looked at the rules of host and device; empty where they were looked at, or need not be.
std::string why_not_linted(const Context& context, const StepEntry& step, const model::StepResult& result) {
  if (!is_cuda(step.family()) || result.backend != "executor" || result.verdict == Verdict::build_error ||
      result.verdict == Verdict::not_started || result.verdict == Verdict::not_run)
    return "";
  const std::string target =
      fmt::format("workers/{}/{}/{}.lint", context.options.tree, step.lesson, step.name);
  if (!context.build.knows(target)) return no_lint;
  return lint_crashed(read_text(context.build.file(target))) ? lint_gave_up : "";
}

}  // namespace

std::string with_options_of(const Options& mine, std::string call) {
  const auto add = [&](const std::string& option, const std::string& value) {
    if (!value.empty() && call.find(" " + option + " ") == call.npos) call += " " + option + " " + value;
  };
  add("--size", mine.size > 0 ? std::to_string(mine.size) : "");
  add("--matrix", mine.matrix.empty() ? "" : shell_word(mine.matrix));
  add("--device", mine.device.find(' ') == mine.device.npos ? mine.device : '"' + mine.device + '"');
  add("--tree", mine.tree == "solutions" ? mine.tree : "");
  if (call.starts_with("./ladder check ")) {
    add("--class", mine.class_name);
    add("--private", mine.grade.private_tests);
    add("--seed", mine.seed && mine.key.empty() ? std::to_string(*mine.seed) : mine.key);
  }
  return report::unbroken(call);
}

std::string next_text(Context& context, const Progress& progress, const StepEntry& step,
                      const model::StepResult& result) {
  const std::string next = next_line(context, progress, step, result);
  return next.empty() ? "" : feedback_block("Next", next, static_cast<std::size_t>(context.terminal.width()));
}

std::string judged_text(Context& context, const Progress& progress, const StepEntry& step,
                        const model::StepResult& result, bool one_of_several) {
  const auto width = static_cast<std::size_t>(context.terminal.width());
  model::StepResult told = result;
  for (auto& detail : told.details)
    if (is_next(detail)) {
      const std::string call = with_options_of(context.options, detail.second);
      // The terminal of watch takes keys, not commands.
      detail.second =
          context.options.verb == "watch" ? "save it again, or in another terminal: " + call : call;
    }
  show_kernels_line(context, step, told);
  std::string text = feedback(context, told);
  if (const std::string why = why_not_linted(context, step, result); !why.empty())
    text += feedback_block("Not checked", why, width);
  if (report::is_twin(result)) text += feedback_block("Judged", the_twin, width);
  for (const std::string& sentence : predicted(context, step, result))
    text += feedback_block("Predicted", sentence, width);
  if (!one_of_several || !report::is_done(result)) text += next_text(context, progress, step, result);
  if (hint_helps(context, step, result))
    text += feedback_block("Stuck?", "./ladder hint " + step.label(), width);
  return text;
}

namespace {

using StepResults = std::vector<model::StepResult>;

/// The steps of which that is true.
int count_of(const StepResults& steps, bool (*is)(const model::StepResult&)) {
  return static_cast<int>(std::count_if(steps.begin(), steps.end(), is));
}

bool is_right_twin(const model::StepResult& step) {
  return step.verdict == Verdict::pass && report::is_twin(step);
}

/// PASS with a remark.
bool has_gap(const model::StepResult& step) {
  return step.verdict == Verdict::skipped && report::is_done(step);
}

/// "81 PASS (1 of them with a number that could not be measured here), 2 SKIPPED"
std::string counts_text(const StepResults& steps, int& all) {
  std::map<Verdict, int> counts;
  for (const model::StepResult& step : steps) ++counts[step.verdict];
  const int gaps = count_of(steps, has_gap);
  counts[Verdict::pass] += gaps;
  counts[Verdict::skipped] -= gaps;
  std::string parts;
  for (const auto& [verdict, n] : counts) {
    if (n == 0) continue;
    all += n;
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", n, name(verdict));
    if (verdict == Verdict::pass && gaps > 0)
      parts += fmt::format(" ({} of them with a number that could not be measured here)", gaps);
  }
  return parts;
}

/// Which rungs have a remark, and which could not be decided, and why: a line for each reason.
std::string reasons_text(const StepResults& steps) {
  std::string text;
  for (const auto& [remark, labels] : report::labels_by(steps, report::remark_of))
    text += fmt::format("\nPASS, {}: {}.", remark, fmt::join(labels, ", "));
  for (const auto& [why, labels] : report::labels_by(steps, report::why_open))
    text += fmt::format("\nINCONCLUSIVE, {}: {}. Neither met nor missed, and no failure.", why,
                        fmt::join(labels, ", "));
  return text;
}

}  // namespace

std::string summary(const model::Document& document) {
  int all = 0;
  StepResults steps;
  for (const model::LessonResults& lesson : document.lessons) {
    steps.insert(steps.end(), lesson.steps.begin(), lesson.steps.end());
  }
  const std::string parts = counts_text(steps, all);
  std::string text = fmt::format("{}: {}.  Seed {}.", counted(all, "rung"),
                                 parts.empty() ? "nothing judged" : parts, document.seed.value_or(0));
  text += reasons_text(steps);
  if (const int twins = count_of(steps, is_right_twin); twins > 0)
    text += fmt::format("\n{} of the PASS {} by a twin: the executor emulates what a GPU does otherwise.",
                        twins, twins == 1 ? "is" : "are");
  if (const std::string could = report::gaps(steps); !could.empty())
    text += fmt::format("\nNot confined: rungs {}.", could);
  for (const model::LessonResults& lesson : document.lessons)
    for (const std::string& problem : lesson.problems) text += "\nproblem: " + problem;
  return text;
}

}  // namespace ladder
