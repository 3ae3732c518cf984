/// @file
/// check FILE.cu…: a program of somebody else's, run on the executor, and what was wrong in it.

#include <fmt/format.h>
#include <string.h>

#include "common/base/text/numbers.hpp"
#include "common/base/text/text.hpp"
#include "common/report/results/results.hpp"
#include "common/report/text/table.hpp"
#include "common/tool/build/lint.hpp"
#include "common/tool/build/source_excerpt.hpp"
#include "common/tool/program/finding_text.hpp"
#include "common/tool/program/program.hpp"
#include "common/tool/program/program_end.hpp"
#include "common/tool/program/program_input.hpp"
#include "common/tool/student/feedback.hpp"

namespace ladder {
namespace {

using nlohmann::json;

/// A verdict and the line that explains it.
struct Judged {
  std::string verdict, message;
};

/// How the run ended, when it did not end well; else an empty verdict.
Judged judge_run(const ProcessResult& ended, const ProgramRequest& request) {
  if (ended.interrupted) return {"NOT RUN", "interrupted"};
  if (ended.timed_out)
    return {"TIMEOUT", fmt::format("did not end in {:.0f} s; --seconds gives it more", request.seconds)};
  if (ended.out_of_memory)
    return {"CRASHED", fmt::format("needed more than {:.1f} GiB of memory; --memory gives it more",
                                   static_cast<double>(request.memory_bytes) / (1 << 30))};
  if (const std::string cause = cause_of_end(ended); !cause.empty())
    return {is_endless(cause) ? "TIMEOUT" : "CRASHED", cause};
  if (ended.signal != 0)
    return {"CRASHED", fmt::format("signal {} ({})", ended.signal, strsignal(ended.signal))};
  return {};
}

std::string findings_line(const Observation& seen) {
  std::string text;
  for (const char* severity : {"error", "warning", "note"})
    if (const std::size_t n = seen.findings_of(severity); n > 0)
      text += (text.empty() ? "" : ", ") + counted(n, severity);
  const Observation::Blocks blocks = seen.blocks();
  if (blocks.observed == 0 && blocks.all > 0 && text.empty()) return "findings SKIPPED";
  if (blocks.observed < blocks.all)
    return fmt::format("findings: {} in {} of {} blocks", text.empty() ? "none" : text, blocks.observed,
                       blocks.all);
  return text.empty() ? "no findings" : text;
}

Judged judge_program(const ProcessResult& run, const ProgramRequest& request, const Observation& seen) {
  const std::string times = fmt::format("exit status {}, {}", run.status, report::short_time(run.seconds));
  if (const Judged bad = judge_run(run, request); !bad.verdict.empty())
    return {bad.verdict, bad.message + found_before_the_end(seen)};
  const bool known = seen.incomplete.empty() || !seen.findings.empty() || seen.blocks().observed > 0;
  const bool good = run.status == 0 && seen.findings_of("error") == 0;
  return {good ? "PASS" : "WRONG", times + "; " + (known ? findings_line(seen) : "findings SKIPPED")};
}

std::string command_line(const ProgramRequest& request) {
  std::string text;
  for (const std::string& word : request.arguments) text += " " + word;
  return request.name() + text;
}

json to_json(const BuildFailure& failure) {
  return {{"where", failure.where}, {"text", failure.text}, {"hint", failure.hint}};
}

/// The document of schema gpu-ladder/3; no lesson is in it.
model::Document document_of(const Context& context, const ProgramRequest& request, const Judged& judged) {
  model::Document document = report::document("check", context.seed);
  json sources = json::array();
  for (const auto& source : request.sources) sources.push_back(source.string());
  document.program = {{"sources", sources},
                      {"arguments", request.arguments},
                      {"verdict", judged.verdict},
                      {"message", judged.message}};
  return document;
}

std::string hint_for_program(const BuildFailure& failure) {
  if (failure.text.find("undefined reference to `main'") != std::string::npos)
    return "a program has a main function: is the file that it is in named too?";
  if (failure.text.find("undefined reference") != std::string::npos)
    return "is the file that defines it named too?";
  // Some hints speak of what a step has: its lesson, our wrappers.
  for (const char* word : {"the lesson", "problem.hpp", "common/device"})
    if (failure.hint.find(word) != std::string::npos) return "";
  return failure.hint;
}

Judged judge_build(const BuiltProgram& built) {
  return {built.interrupted ? "NOT RUN" : "BUILD ERROR",
          built.interrupted ? "interrupted" : built.errors.front().line()};
}

int show_build_errors(Context& context, const ProgramRequest& request, BuiltProgram built) {
  if (!built.errors.empty()) {  // the caller's own files, read with the caller's rights
    BuildFailure& first = built.errors.front();
    const std::string where = first.where;
    first = with_source(first, where.substr(0, where.rfind(':')));
    if (first.where != where) built.errors.resize(1);  // a brace was left open: the other errors come of that
  }
  const Judged judged = judge_build(built);
  const auto width = static_cast<std::size_t>(context.terminal.width());
  std::string text = fmt::format("{}  {}  {}\n", context.terminal.bold(request.name()),
                                 context.terminal.verdict(judged.verdict), judged.message);
  json errors = json::array();
  for (std::size_t i = 0; i < built.errors.size(); ++i) {
    if (i > 0) text += feedback_block("Also", built.errors[i].line(), width);
    if (!built.errors[i].excerpt.empty()) text += feedback_block("Source", built.errors[i].excerpt, width);
    if (const std::string hint = hint_for_program(built.errors[i]); !hint.empty())
      text += feedback_block("Think", hint, width);
    errors.push_back(to_json(built.errors[i]));
  }
  context.terminal.print(text);
  model::Document document = document_of(context, request, judged);
  document.program["errors"] = errors;
  document.program["build_output"] =
      with_paths_in(std::filesystem::current_path().string(), built.output).substr(0, 20000);
  context.write_json(document);
  return 1;
}

/// What was observed; with a reason instead where there is no observed mode or no use in it.
Observation observe(Context& context, const ProgramRequest& request, const ProcessResult& plain) {
  Observation none;
  if (plain.interrupted) {
    none.incomplete = "interrupted";
  } else if (context.options.plain) {
    none.incomplete = "you asked for --plain";
  } else {
    ObservedProgram observed = observe_program(context, request, &plain);
    if (observed.built.interrupted) none.incomplete = "interrupted";
    if (!observed.built.errors.empty())
      none.incomplete = "the observed program does not compile: " + observed.built.errors.front().line();
    if (observed.built.ok()) return std::move(observed.observation);
  }
  return none;
}

/// The error that ended the program, where it was observed, too: what the first line would say again.
const Finding* observed_end(const Judged& judged, const ProcessResult& run, const Observation& seen) {
  if (judged.verdict != "CRASHED" || !ended_by_executor(run)) return nullptr;
  for (const Finding& finding : seen.findings)
    if (finding.severity == "error" &&
        (finding.fatal || judged.message.find(fmt::format("({}:{})", finding.site.file, finding.site.line)) !=
                              std::string::npos))
      return &finding;
  return nullptr;
}

/// What the executor said below its error, of a program that was not observed: kernel, block and thread.
std::string said_below(const ProcessResult& run) {
  const auto lines = lines_of(run.output.substr(executors_message_begin(run.output)));
  std::string text;
  for (std::size_t i = 1; i < lines.size(); ++i) text += lines[i] + "\n";
  return text;
}

/// Each sentence once: what the finding says in full is named only by its place elsewhere.
std::string judged_program_text(const Context& context, const ProgramRequest& request, const Judged& judged,
                                const ProcessResult& run, const Observation& seen,
                                const ProgramInput& input) {
  const auto width = static_cast<std::size_t>(context.terminal.width());
  const Finding* const end = observed_end(judged, run, seen);
  std::string message = judged.message;
  if (end && judged.message.find(end->message.substr(0, 60)) != std::string::npos)
    message = end->site.line > 0
                  ? fmt::format("ended at {}:{} by the error below", end->site.file, end->site.line)
                  : "ended by the error below";
  std::string text;
  for (const std::string& line :
       report::wrapped(fmt::format("{}  {}  {}", context.terminal.bold(command_line(request)),
                                   context.terminal.verdict(judged.verdict), message),
                       width))
    text += line + "\n";
  if (!end && ended_by_executor(run)) text += said_below(run);
  text += findings_text(seen.findings, width);
  if (!input.note.empty()) text += feedback_block("Input", input.note, width);
  const bool ended_badly = judged.verdict == "CRASHED" || (judged.verdict == "WRONG" && run.status != 0);
  if (const std::string missing = ended_badly ? missing_arguments(request) : ""; !missing.empty())
    text += feedback_block("Next", missing, width);
  const bool in_part = seen.blocks().observed > 0;
  std::string incomplete = seen.incomplete;
  if (end && !end->message.empty()) replace_all(incomplete, end->message, "the error above");
  const bool endless = judged.verdict == "TIMEOUT" && seen.findings_of("error") > 0;  // the finding says it
  if (!incomplete.empty() && !endless)
    text += feedback_block(in_part ? "Observed in part" : "Not observed", incomplete, width);
  return text;
}

}  // namespace

ProgramVerdict verdict_on(Context& context, const ProgramRequest& request, bool show) {
  ProgramVerdict all;
  all.built = build_program(context, request, false);
  Judged judged;
  if (!all.built.ok()) {
    judged = judge_build(all.built);
  } else {
    all.run = run_program(context, request, all.built, show);
    // Its last line ends here, before the progress of what follows is shown.
    if (show && !all.run.output.empty() && all.run.output.back() != '\n') context.terminal.print("");
    all.seen = observe(context, request, all.run);
    judged = judge_program(all.run, request, all.seen);
  }
  all.verdict = judged.verdict, all.message = judged.message;
  return all;
}

int check_program(Context& context) {
  ProgramRequest request = program_request(context.options);
  const ProgramInput input = program_input(context, request);
  request.input = input.file;
  const ProgramVerdict all = verdict_on(context, request, true);
  if (!all.built.ok()) return show_build_errors(context, request, all.built);
  const ProcessResult& run = all.run;
  const Observation& seen = all.seen;
  const Judged judged{all.verdict, all.message};

  std::string text = judged_program_text(context, request, judged, run, seen, input);
  if (all.built.lint_crashed)
    text += feedback_block("Not checked", lint_gave_up, static_cast<std::size_t>(context.terminal.width()));
  context.terminal.print(text);

  model::Document document = document_of(context, request, judged);
  document.program["exit_status"] = run.status;
  document.program["seconds"] = run.seconds;
  document.program["output"] = run.output;
  document.program["observation"] = to_json(seen);
  context.write_json(document);
  return judged.verdict == "PASS" && (seen.incomplete.empty() || !context.options.strict) ? 0 : 1;
}

}  // namespace ladder
