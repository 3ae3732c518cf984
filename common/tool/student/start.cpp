/// @file
/// The verb start: a step begins from the rung below it, the student's own or the reference; what was there
/// is kept.

#include "common/tool/student/start.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <regex>

#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"
#include "common/skeleton/region_marks.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/core/student_state.hpp"
#include "common/tool/standing/progress.hpp"
#include "common/tool/student/skeleton_file.hpp"
#include "common/tool/student/task_places.hpp"

namespace ladder {
namespace {

using Lines = std::vector<std::string>;

constexpr const char* example = "For example: ./ladder start 03/g4 --from reference";

/// What is between the parentheses of a function's definition, without blanks; empty: there is none.
std::string parameters(const std::string& source, const std::string& function) {
  const std::regex definition("\\b" + function + R"(\s*\(([^(){};]*)\)\s*\{)");
  std::smatch found;
  if (!std::regex_search(source, found, definition)) return "";
  return "(" + std::regex_replace(found[1].str(), std::regex(R"(\s+)"), "") + ")";
}

/// The comment that a source begins with.
std::size_t end_of_header(const Lines& lines) {
  std::size_t end = 0;
  while (end < lines.size() && lines[end].starts_with("///")) ++end;
  return end;
}

/// The tasks that the lower rung has no function for, each with the one that it is in.
Lines tasks_on_top(const std::vector<SkeletonTask>& tasks) {
  Lines top;
  if (!tasks.empty())
    top = {"",
           "// What this rung asks for and the code below has no function for; the rest is in front of that "
           "code."};
  for (const SkeletonTask& task : tasks) {
    if (!task.function.empty()) top.push_back("// In " + task.function + ":");
    for (const std::string& line : task.lines) top.push_back(cut::Parts(line).rest);
  }
  return top;
}

/// The rung below in the same track; null for the first one.
const StepEntry* below(Context& context, const StepEntry& step) {
  const StepEntry* lower = nullptr;
  for (const StepEntry& one : context.catalogue.lesson(step.lesson).steps) {
    if (one.name == step.name) return lower;
    if (one.track() == step.track()) lower = &one;
  }
  return nullptr;
}

/// Where the beginning is read, and what messages call it.
struct Origin {
  std::string text, name;
};

Origin origin_of(Context& context, const StepEntry& step, const Progress& progress) {
  const std::string& from = context.options.from;
  const StepEntry* lower = below(context, step);
  if (!lower)
    throw UsageError{fmt::format(
        "{0} is the first of its track: it begins with its skeleton, ./ladder reset {0}", step.label())};
  if (from == "reference") {
    const std::string text = read_text(source_of(context.root, "solutions", *lower));
    if (text.empty())
      throw UsageError{
          fmt::format("this copy has no reference of {}. From your own: ./ladder start {} --from mine",
                      lower->label(), step.label())};
    return {text, "the reference of " + lower->label()};
  }
  const std::string state = progress.state(*lower);
  if (state == "no file" || state == "not started")
    throw UsageError{fmt::format(
        "your {} is not written yet. From the reference, where the copy has it: ./ladder start {} "
        "--from reference",
        lower->label(), step.label())};
  return {read_text(source_of(context.root, "lessons", *lower)),
          fmt::format("your {} ({})", lower->label(), state)};
}

/// @throws UsageError for what cannot begin from something else, or would be given away
void require_startable(Context& context, const StepEntry& step) {
  const std::string& from = context.options.from;
  if (step.row.is_object() && step.kind() == "D")
    throw UsageError{fmt::format("{} is given whole: there is nothing to write", step.label())};
  if (from == "mine" || from == "reference") return;
  const StepEntry& named = *context.catalogue.resolve({from})[0];
  if (named.path() == step.path())
    throw UsageError{
        fmt::format("the reference of {0} itself is shown after PASS: ./ladder diff {0}", step.label())};
  throw UsageError{
      fmt::format("--from must be mine or reference: your version of the rung below {}, or the given one. {}",
                  step.label(), example)};
}

}  // namespace

std::string without_marks(const std::string& solution) {
  std::string left;
  bool task_text = false;
  for (const std::string& line : lines_of(solution)) {
    const cut::Parts parts(line);
    const bool begins = parts.rest.starts_with(cut::begin_mark);
    task_text = begins || (task_text && parts.rest.starts_with("//  "));
    if (!task_text && !parts.rest.starts_with(cut::end_mark) && !parts.rest.starts_with(cut::keep_mark))
      left += line + "\n";
  }
  return left;
}

std::string begun_from(const std::string& lower, const std::string& was, const std::string& skeleton,
                       const std::string& now) {
  const std::string wanted = parameters(skeleton, now);
  if (wanted.empty() || parameters(lower, was) != wanted) return "";
  const Lines own = lines_of(skeleton);
  Lines source = lines_of(without_marks(lower));
  const std::regex name("\\b" + was + "\\b");
  for (std::string& line : source) line = std::regex_replace(line, name, now);
  Lines out(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(end_of_header(own)));
  source.erase(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(end_of_header(source)));
  const Lines top = tasks_on_top(put_tasks(skeleton_tasks(own), source));
  out.insert(out.end(), top.begin(), top.end());
  out.insert(out.end(), source.begin(), source.end());
  std::string text;
  for (const std::string& line : out) text += line + "\n";
  return text;
}

void add_start_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_option("--from", o.from,
                 "mine (the default) or reference: the rung below, as you wrote it or as it is given")
      ->type_name("mine|reference");
  app.add_flag("--yes", o.yes, "ask nothing, also where a PASS is replaced");
}

int start(Context& context) {
  if (context.options.names.size() != 1) throw UsageError{fmt::format("start which rung? {}", example)};
  const StepEntry& step = context.named_step(context.options.names, example);
  const std::string& lesson = step.lesson;
  const Progress progress(context);
  require_startable(context, step);
  const Origin origin = origin_of(context, step, progress);
  const StepEntry& lower = *below(context, step);
  const std::string text =
      begun_from(origin.text, lower.idea(), find_skeleton(context, step).text, step.idea());
  if (text.empty())
    throw UsageError{fmt::format("{} is not built on {}: their functions differ. It begins with its skeleton",
                                 step.label(), lower.label())};
  if (!may_replace(context, {&step})) return 1;
  const std::string path = "lessons/" + lesson + "/" + step.file;
  const std::string kept = OldFiles(context.root, context.state_folder()).keep(path);
  write_text(context.root / path, text);
  context.terminal.say(fmt::format("{}  {} begins from {}{}", step.label(), path, origin.name,
                                   kept.empty() ? "" : "; what was there is kept in " + kept));
  if (context.options.from == "reference" && !progress.done(lower) && progress.state(lower) != "given")
    context.terminal.say(fmt::format("It shows what {0} asks for, and {0} is: {1}. Write that one too.",
                                     lower.label(), progress.shown_state(lower)));
  context.terminal.say(
      fmt::format("Next: its tasks, // TASK, are in front of the code that they change; then ./ladder check "
                  "{0}. Back to what was "
                  "there: ./ladder reset {0} "
                  "--undo; to the skeleton: ./ladder reset {0}",
                  step.label()));
  model::DocumentStep entry = step.stated();
  entry.from = origin.name, entry.kept = kept;
  context.write_json(report::document("start", context.seed, context.catalogue.by_lesson({entry})));
  return 0;
}

}  // namespace ladder
