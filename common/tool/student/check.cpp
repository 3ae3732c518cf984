/// @file
/// The verb check: build and judge what a student wrote; correctness, targets that need no clock, findings.

#include "common/tool/student/check.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>

#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/judging/judging.hpp"
#include "common/tool/judging/private_tests.hpp"
#include "common/tool/program/program.hpp"
#include "common/tool/standing/progress.hpp"
#include "common/tool/student/feedback.hpp"

namespace ladder {
namespace fs = std::filesystem;
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
