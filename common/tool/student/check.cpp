/// @file
/// The verb check: build and judge what a student wrote; correctness, targets that need no clock, findings.

#include "common/tool/student/check.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "common/base/files/files.hpp"
#include "common/base/text/step_name.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/results/predicted_number.hpp"
#include "common/report/results/results.hpp"
#include "common/report/text/table.hpp"
#include "common/tool/build/lint.hpp"
#include "common/tool/build/source_excerpt.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/judging/judging.hpp"
#include "common/tool/judging/private_tests.hpp"
#include "common/tool/program/program.hpp"
#include "common/tool/student/next_rung.hpp"
#include "common/tool/student/predictions.hpp"
#include "common/tool/student/progress.hpp"
#include "common/trace/metrics.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

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
  if (!next) return "./ladder: what is required of this lesson is done";
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
      // A number of another size says nothing about this one.
      if (target.metric != said.metric || !target.amount) continue;
      if (said.size != 0 && said.size != size_of_target(step, target.metric)) continue;
      sentences.push_back(report::prediction_sentence(
          {said.metric, said.value, said.size, said.after_profile, target.amount, ""}));
    }
  return sentences;
}

constexpr const char* the_twin =
    "the twin: the executor emulates tensor units; on a GPU that has them, they are used";

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

/// The judges of the named lessons by the tests that --private names.
std::map<std::string, std::vector<std::string>> private_judges(Context& context) {
  std::map<std::string, std::vector<std::string>> judges;
  const fs::path folder = context.options.grade.private_tests;
  if (folder.empty()) return judges;
  context.build.refresh();
  for (const LessonEntry* lesson : context.catalogue.resolve_lessons(context.options.names)) {
    const PrivateTests tests(folder, {lesson->name});
    const auto failures = context.build.make({"judges/" + lesson->name}, context.build_progress());
    if (!failures.empty())
      throw UsageError{
          fmt::format("the judge of {} does not compile: {}", lesson->name, failures.begin()->second.line())};
    judges[lesson->name] = tests.build_judge(context.build, lesson->name, context.scratch() / "private");
  }
  return judges;
}

/// For the verb that judges one such program.
void add_one_program_options(CLI::App& app, Options& o, Typed& typed) {
  add_program_options(app, o, typed);
  app.add_option("-o", o.output, "program: keep it as FILE")->type_name("FILE");
  app.add_flag("--plain", o.plain, "program: run it without looking for findings, which takes longer");
}

}  // namespace

void add_check_options(CLI::App& app, Options& o, Typed& typed) {
  add_judge_options(app, o, typed);
  add_class(app, o);
  app.add_option("--private", o.grade.private_tests,
                 "by published private tests, instead of the lesson's own: the folder with NN-name/*.cpp")
      ->type_name("FOLDER");
  add_matrix(app, o);
  add_remote_options(app, o);
  add_one_program_options(app, o, typed);
}

int check(Context& context) {
  const std::string& private_tests = context.options.grade.private_tests;
  if (context.options.names.empty()) throw UsageError{"check what? For example: ./ladder check 03/g2"};
  if (names_program(context.catalogue, context.options.names)) {
    if (!private_tests.empty()) throw UsageError{"--private needs a rung: a program has no tests"};
    return check_program(context);
  }
  refuse_program_options(context.options);
  Progress progress(context);
  const bool several = context.catalogue.resolve(context.options.names).size() > 1;
  int shown = 0;
  std::optional<std::pair<const StepEntry*, model::StepResult>> last;  // of several rungs that are all done
  const auto step_ready = [&](const StepEntry& step, const model::StepResult& result) {
    if (private_tests.empty() && context.options.matrix.empty()) {  // how far one is, the lesson's tests say
      progress.take(result);
      progress.save();
    }
    context.terminal.print((shown++ > 0 ? "\n" : "") + judged_text(context, progress, step, result, several));
    if (several && report::is_done(result) && (shown == 1 || last))
      last.emplace(&step, result);
    else
      last.reset();
  };
  Request request{.kinds = {TestKind::correctness, TestKind::targets, TestKind::findings},
                  .judges = private_judges(context),
                  .step_ready = step_ready};
  if (!private_tests.empty()) {
    request.kinds = {TestKind::correctness, TestKind::targets};  // as grade judges the private part
    request.plan.private_tests = private_tests;
  }
  const model::Document document = judge_names(context, request);
  context.write_json(document);
  const bool passed = report::all_passed(document, context.options.strict);
  if (shown != 1 || document.interrupted || !document.lessons[0].problems.empty()) {
    context.terminal.print("\n" + summary(document));
    if (last && !document.interrupted)
      context.terminal.print(next_text(context, progress, *last->first, last->second));
  } else if (const std::string could = report::gaps({document.lessons[0].steps[0]}); !could.empty())
    context.terminal.print(feedback_block("Not confined", "this rung " + could,
                                          static_cast<std::size_t>(context.terminal.width())));
  return passed && !document.interrupted ? 0 : 1;
}

}  // namespace ladder
