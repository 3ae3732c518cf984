/// @file
/// The verb reset: the skeleton of a step back in its place; what was there is kept.

#include <fmt/format.h>

#include "common/report/results.hpp"
#include "common/tool/context.hpp"
#include "common/tool/cut.hpp"
#include "common/tool/handout.hpp"
#include "common/tool/kept.hpp"
#include "common/tool/names.hpp"
#include "common/tool/skeleton_file.hpp"

namespace ladder {

namespace fs = std::filesystem;

Skeleton find_skeleton(const Context& context, const StepEntry& step) {
  if (const std::string kept = read_text(context.root / pristine_path(step)); !kept.empty())
    return {kept, "as handed out"};
  const std::string path = "lessons/" + step.lesson + "/" + step.file;
  for (const char* version : {"handout", "HEAD"}) {
    const Ended shown = run_process({.arguments = {"git", "show", std::string(version) + ":./" + path},
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

int reset(Context& context) {
  if (context.options.names.empty()) throw UsageError{"reset what? For example: ./ladder reset 03/g2"};
  const auto steps = context.catalogue.resolve(context.options.names);
  const OldFiles old_files(context.root, context.state_folder());
  std::vector<nlohmann::json> done;
  for (const StepEntry* step : steps) {
    const Skeleton skeleton = find_skeleton(context, *step);
    const fs::path file = source_of(context.root, "lessons", *step);
    const std::string old = read_text(file), shown = "lessons/" + step->lesson + "/" + step->file;
    nlohmann::json entry = {
        {"lesson", step->lesson}, {"name", step->name}, {"file", step->file}, {"from", skeleton.from}};
    if (old == skeleton.text) {
      context.terminal.print(fmt::format("{}  {} is the skeleton already", step->label(), shown));
    } else {
      const std::string copy = old_files.keep(shown);
      if (!copy.empty()) entry["kept"] = (context.root / copy).string();
      const std::string kept = copy.empty() ? "" : "; yours is kept in " + copy;
      write_text(file, skeleton.text);
      context.terminal.print(
          fmt::format("{}  {} is the skeleton again ({}){}", step->label(), shown, skeleton.from, kept));
    }
    if (done.empty() || done.back()["name"] != step->lesson)
      done.push_back({{"name", step->lesson}, {"steps", nlohmann::json::array()}});
    done.back()["steps"].push_back(entry);
  }
  context.write_json(report::document("reset", nullptr, context.seed, done));
  return 0;
}

}  // namespace ladder
