/// @file
/// The verb reset: the skeleton of a step back in its place; what was there is kept.

#include <fmt/format.h>

#include <ctime>

#include "common/report/results.hpp"
#include "common/tool/context.hpp"
#include "common/tool/cut.hpp"
#include "common/tool/handout.hpp"
#include "common/tool/names.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

struct Skeleton {
  std::string text;
  std::string from;  ///< where it was found, for the message
};

/// The file as handed out (.handout/, else git's tag `handout`), else as cloned (HEAD), else cut from the solution.
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

fs::path time_folder(const Context& context) {
  char now[32];
  const std::time_t clock = std::time(nullptr);
  std::tm local{};
  std::strftime(now, sizeof now, "%Y-%m-%d-%H%M%S", localtime_r(&clock, &local));
  fs::path folder = context.state_folder() / "old" / now;
  for (int i = 2; fs::exists(folder); ++i)
    folder = context.state_folder() / "old" / fmt::format("{}-{}", now, i);
  return folder;
}

}  // namespace

int reset(Context& context) {
  if (context.options.names.empty()) throw UsageError{"reset what? For example: ./ladder reset 03/g2"};
  const auto steps = context.catalogue.resolve(context.options.names);
  const fs::path folder = time_folder(context);
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
      std::string kept;
      if (!old.empty()) {
        const fs::path copy = folder / shown;
        write_text(copy, old);
        entry["kept"] = copy.string();
        kept = fmt::format("; yours is kept in {}",
                           copy.lexically_relative(context.root).string().rfind("..", 0) == 0
                               ? copy.string()
                               : copy.lexically_relative(context.root).string());
      }
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
