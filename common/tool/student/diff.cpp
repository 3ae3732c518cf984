/// @file
/// The verb diff: after PASS, a student's step next to the reference: what differs, and what both measured.

#include "common/tool/student/diff.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"
#include "common/report/results/shown_verdict.hpp"
#include "common/report/text/table.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/core/unified_diff.hpp"
#include "common/tool/judging/judging.hpp"
#include "common/tool/standing/progress.hpp"
#include "common/tool/student/start.hpp"

namespace ladder {
namespace {

/// The step's result in a tree: correctness, and the targets that need no clock.
model::StepResult judged_in(Context& context, const std::string& tree) {
  context.options.tree = tree;
  model::StepResult found;
  judge_names(context,
              {.kinds = {TestKind::correctness, TestKind::targets},
               .step_ready = [&](const StepEntry&, const model::StepResult& result) { found = result; }});
  return found;
}

std::string measured(const model::StepResult& result, const std::string& metric) {
  for (const model::Target& target : result.targets)
    if (target.metric == metric && target.measured) return report::short_number(*target.measured);
  return "-";
}

std::string table_of(const Context& context, const model::StepResult& own,
                     const model::StepResult& reference) {
  report::Table table(
      {{"number, over the minimum", false, true}, {"yours", true}, {"reference", true}, {"bound"}});
  table.add({"verdict", report::shown_verdict(own), report::shown_verdict(reference), ""});
  for (const model::Target& target : reference.targets)
    table.add({target.metric, measured(own, target.metric), measured(reference, target.metric),
               target.relation + " " + report::short_number(target.bound)});
  return table.text(static_cast<std::size_t>(context.terminal.width()));
}

/// @throws UsageError while the step does not pass, and where there is no reference
void require_allowed(const Context& context, const StepEntry& step, const Progress& progress) {
  const bool given = progress.state(step) == "given";
  if (!progress.done(step) && !given)
    throw UsageError{
        fmt::format("the reference of {0} is shown after PASS, and {0} is: {1}. Next: ./ladder check {0}",
                    step.label(), progress.state(step))};
  if (!std::filesystem::exists(source_of(context.root, "solutions", step)))
    throw UsageError{fmt::format(
        "this copy has no reference of {}: solutions/ comes with a later handout, if at all", step.label())};
}

}  // namespace

void add_diff_options(CLI::App& app, Options& o, Typed& typed) {
  add_json(app, o);
  add_device_options(app, o, typed);
  add_inputs(app, typed);
}

int difference_to_reference(Context& context) {
  if (context.options.names.size() != 1) throw UsageError{"name one rung. For example: ./ladder diff 03/g2"};
  const StepEntry& step = context.named_step(context.options.names, "For example: ./ladder diff 03/g2");
  require_allowed(context, step, Progress(context));
  const std::string path = step.lesson + "/" + step.file;
  const auto reference_code = context.scratch() / "reference" / step.file;  // the course's marks are not code
  write_text(reference_code, without_marks(read_text(source_of(context.root, "solutions", step))));
  const std::string text = difference(reference_code, source_of(context.root, "lessons", step),
                                      "solutions/" + path, "lessons/" + path);
  context.terminal.print(text.empty() ? "No difference: your file is the reference, word for word."
                                      : "- is the reference, + is yours.\n" + text);
  const model::StepResult own = judged_in(context, "lessons"), reference = judged_in(context, "solutions");
  context.terminal.print(table_of(context, own, reference));
  context.terminal.print("Less is not always better: say in notes.md where you differ on purpose.");
  model::DocumentStep result{own};
  result.reference = reference;
  model::Document document = report::document("diff", context.seed, context.catalogue.by_lesson({result}));
  document.interrupted = interrupted();
  context.write_json(document);
  return report::is_done(own) && !interrupted() ? 0 : 1;
}

}  // namespace ladder
