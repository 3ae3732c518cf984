/// @file
/// The verb reset: the skeleton of a step back in its place; what was there is kept.

#include "common/tool/student/reset.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"
#include "common/skeleton/skeletonize.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/core/student_state.hpp"
#include "common/tool/handout/handout.hpp"
#include "common/tool/standing/progress.hpp"
#include "common/tool/student/skeleton_file.hpp"

namespace ladder {

namespace fs = std::filesystem;

Skeleton find_skeleton(const Context& context, const StepEntry& step) {
  if (const std::string kept = read_text(context.root / pristine_path(step)); !kept.empty())
    return {kept, "as handed out"};
  const std::string path = "lessons/" + step.lesson + "/" + step.file;
  for (const char* version : {"handout", "HEAD"}) {
    const ProcessResult shown =
        run_process({.arguments = {"git", "show", std::string(version) + ":./" + path},
                     .folder = context.root,
                     .seconds = 20,
                     .output_only = true});
    if (shown.ok() && !shown.output.empty()) return {shown.output, std::string("git, ") + version};
  }
  const fs::path solution = source_of(context.root, "solutions", step);
  const std::string text = read_text(solution);
  if (text.empty())
    throw UsageError{
        fmt::format("no skeleton of {}: not in git, and {} is not there", step.label(), solution.string())};
  return {cut::skeleton(text, solution.string()), "cut from the solution"};
}

namespace {

std::string path_of(const StepEntry& step) {
  return "lessons/" + step.lesson + "/" + step.file;
}

/// @param kept  where the old file is; empty: it is in its place
model::DocumentStep stated(const StepEntry& step, const std::string& from, const std::string& kept = "") {
  model::DocumentStep entry = step.stated();
  entry.from = from, entry.kept = kept;
  return entry;
}

/// Of the steps that are named, or of all that the last start or reset has replaced.
int undo(Context& context) {
  const OldFiles old_files(context.root, context.state_folder());
  std::vector<std::string> names = context.options.names;
  if (names.empty())
    for (const std::string& path : old_files.replaced_last()) names.push_back(path);
  if (names.empty()) throw UsageError{"nothing was replaced: .ladder/old has no file of a rung"};
  std::vector<model::DocumentStep> done;
  bool all = true;
  for (const StepEntry* step : context.catalogue.resolve(names)) {
    const bool back = old_files.bring_back(path_of(*step));
    all = all && back;
    context.terminal.say(back ? fmt::format("{}  {} is as it was before. Once more, and this is undone",
                                            step->label(), path_of(*step))
                              : fmt::format("{}  nothing was replaced there", step->label()));
    done.push_back(stated(*step, back ? ".ladder/old" : ""));
  }
  context.write_json(report::document("reset", context.seed, context.catalogue.by_lesson(done)));
  return all ? 0 : 1;
}

}  // namespace

bool may_replace(Context& context, const std::vector<const StepEntry*>& steps) {
  const Progress progress(context);
  std::vector<std::string> passed;
  for (const StepEntry* step : steps)
    if (progress.done(*step)) passed.push_back(step->label());
  if (passed.empty() || context.options.yes) return true;
  const bool one = passed.size() == 1;
  const std::string what = fmt::format("{} {}", fmt::join(passed, ", "), one ? "PASSes" : "PASS");
  if (context.terminal.confirms(what + ". Replace " + (one ? "it" : "them") + "?")) return true;
  context.terminal.say(
      fmt::format("Nothing was replaced: {}. With --yes {} replaced, and kept in .ladder/old.", what,
                  one ? "it is" : "they are"));
  return false;
}

void add_reset_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_flag("--undo", o.undo, "bring back what the last start or reset has replaced");
  app.add_flag("--yes", o.yes, "ask nothing, also where a PASS is replaced");
}

int reset(Context& context) {
  if (context.options.undo) return undo(context);
  if (context.options.names.empty()) throw UsageError{"reset what? For example: ./ladder reset 03/g2"};
  std::vector<const StepEntry*> steps;
  std::vector<Skeleton> skeletons;
  std::vector<model::DocumentStep> done;
  for (const StepEntry* step : context.catalogue.resolve(context.options.names)) {
    Skeleton skeleton = find_skeleton(context, *step);
    if (read_text(source_of(context.root, "lessons", *step)) == skeleton.text) {
      context.terminal.say(fmt::format("{}  {} is the skeleton already", step->label(), path_of(*step)));
      done.push_back(stated(*step, skeleton.from));
    } else {
      steps.push_back(step), skeletons.push_back(std::move(skeleton));
    }
  }
  if (!may_replace(context, steps)) return 1;
  const OldFiles old_files(context.root, context.state_folder());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StepEntry& step = *steps[i];
    const std::string copy = old_files.keep(path_of(step));
    write_text(source_of(context.root, "lessons", step), skeletons[i].text);
    context.terminal.say(fmt::format(
        "{}  {} is the skeleton again ({}){}", step.label(), path_of(step), skeletons[i].from,
        copy.empty()
            ? ""
            : fmt::format("; yours is kept in {}. Back: ./ladder reset {} --undo", copy, step.label())));
    done.push_back(stated(step, skeletons[i].from, copy.empty() ? "" : (context.root / copy).string()));
  }
  context.write_json(report::document("reset", context.seed, context.catalogue.by_lesson(done)));
  return 0;
}

}  // namespace ladder
