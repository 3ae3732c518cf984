/// @file
/// The verb update: a newer handout in the place of the one that is here. What changes is prepared in
/// .handout/next; its renaming to .handout/update decides; finish_update.sh then moves file after file, and
/// ./ladder does so first where it was interrupted.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/sha256.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/handout/handout.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// What changes: a file's new state, or none where it goes.
using UpdatePlan = std::map<std::string, std::optional<grade::TreeFile>>;

std::optional<grade::TreeFile> file_at(const fs::path& file) {
  if (!fs::exists(file)) return std::nullopt;
  return grade::TreeFile{read_text(file),
                         (fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none};
}

/// ".handout/skeletons/03-dgemm/g1_naive.cu" of "lessons/03-dgemm/g1_naive.cu", and that of notes.md; empty:
/// no file of a lesson.
std::string pristine_of(const std::string& path) {
  if (path == "notes.md") return pristine_notes;
  return path.starts_with("lessons/") ? ".handout/skeletons/" + path.substr(8) : "";
}

std::string first_difference(const std::string& a, const std::string& b) {
  const auto old = lines_of(a), now = lines_of(b);
  const auto at = std::mismatch(
      old.begin(), old.begin() + static_cast<std::ptrdiff_t>(std::min(old.size(), now.size())), now.begin());
  return fmt::format("line {}", at.first - old.begin() + 1);
}

/// A newer handout compared with what is here.
class Comparison {
 public:
  Comparison(const fs::path& root, const grade::Tree& now)
      : root_(root), now_(now), old_files_(handout_of(root)["files"]) {}

  void compare() {
    for (const auto& [path, file] : now_) {
      if (path == handout_file || is_step(path)) continue;
      const auto here = file_at(root_ / path);
      if (here == file) continue;
      plan[path] = file;
      if (here && is_changed(path, here->bytes))
        said.push_back(fmt::format(
            "{} was changed here, and is the handout's again: yours is in .handout/undo/old/", path));
    }
    for (const auto& [path, file] : now_)
      if (is_step(path)) step(path, file);
    for (const auto& [path, sum] : old_files_.items())
      if (!now_.contains(path) && !fs::path(path).is_absolute() && !is_step(path) && fs::exists(root_ / path))
        plan[path] = std::nullopt;
    plan[handout_file] = now_.at(handout_file);
  }

  UpdatePlan plan;
  std::vector<std::string> said;

 private:
  /// Files that students write: those that a handout has a pristine skeleton of.
  bool is_step(const std::string& path) const {
    const std::string pristine = pristine_of(path);
    return !pristine.empty() && (now_.contains(pristine) || old_files_.contains(pristine));
  }

  bool is_changed(const std::string& path, const std::string& bytes) const {
    return !old_files_.contains(path) || sha256(bytes) != old_files_[path];
  }

  void step(const std::string& path, const grade::TreeFile& file) {
    const auto here = file_at(root_ / path);
    const std::string before = read_text(root_ / pristine_of(path));
    if (!here && !old_files_.contains(path)) {
      plan[path] = file;
      said.push_back(path + " is new");
    } else if (!here) {
      said.push_back(fmt::format(
          "{} was removed or renamed here, and is left alone: ./ladder reset puts its skeleton there", path));
    } else if (here->bytes == file.bytes || before == file.bytes) {
    } else if (here->bytes == before) {
      plan[path] = file;
      said.push_back(path + " has a new skeleton; you had not begun it");
    } else {
      plan[path + ".new"] = file;
      said.push_back(
          fmt::format("{} is yours and stays; its skeleton has changed from {} on: the new one is {}.new",
                      path, first_difference(before, file.bytes), fs::path(path).filename().string()));
    }
  }

  const fs::path root_;
  const grade::Tree& now_;
  const json old_files_;
};

/// Back to what the last update moved aside; steps that were written since then stay.
UpdatePlan undoing(const fs::path& root, std::vector<std::string>& said) {
  const fs::path undo = root / ".handout/undo";
  UpdatePlan plan;
  for (const std::string& line : lines_of(read_text(undo / "list"))) {
    const std::string path = line.substr(2), pristine = pristine_of(path);
    const std::string skeleton = pristine.empty() ? "" : read_text(root / pristine);
    if (const auto here = file_at(root / path); !skeleton.empty() && here && here->bytes != skeleton) {
      said.push_back(path + " was written since the update, and stays");
      continue;
    }
    plan[path] = file_at(undo / "old" / path);
  }
  if (plan.empty()) throw UsageError{"no update to undo"};
  return plan;
}

/// Prepares next to, decides by one rename, and moves.
void carry_out(Context& context, const UpdatePlan& plan) {
  const fs::path next = context.root / ".handout/next", update = context.root / ".handout/update";
  fs::remove_all(next);
  std::string list;
  for (const auto& [path, file] : plan) {
    list += (file ? "+ " : "- ") + path + "\n";
    if (!file) continue;
    write_text(next / "new" / path, file->bytes);
    if (file->executable)
      fs::permissions(next / "new" / path,
                      fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                      fs::perm_options::add);
  }
  write_text(next / "finish.sh", read_text(context.root / "common/tool/finish_update.sh"));
  write_text(next / "list", list);
  fs::rename(next, update);
  const ProcessResult moved =
      run_process({.arguments = {"sh", update / "finish.sh", context.root}, .seconds = 600});
  if (!moved.ok() && fs::exists(update))
    throw UsageError{
        fmt::format("the update was interrupted: the next ./ladder finishes it. {}", moved.output)};
}

}  // namespace

void add_update_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_flag("--undo", o.handout.undo, "back to the handout before the last update");
}

int update_handout(Context& context) {
  const auto& names = context.options.names;
  const bool undo = context.options.handout.undo;
  if (names.size() != (undo ? 0 : 1))
    throw UsageError{"update with what? For example: ./ladder update hw2-2.zip; or --undo"};
  const json before = handout_of(context.root);
  if (before.is_null()) throw UsageError{"this copy is not a handout: update it with git pull"};
  UpdatePlan plan;
  std::vector<std::string> said;
  if (undo) {
    plan = undoing(context.root, said);
  } else {
    const grade::Tree now = read_handout(names[0]);
    if (handout_of(now)["version"] == before["version"])
      throw UsageError{fmt::format("handout {} is already installed", before["version"].get<std::string>())};
    Comparison comparison(context.root, now);
    comparison.compare();
    plan = std::move(comparison.plan), said = std::move(comparison.said);
  }
  carry_out(context, plan);
  for (const std::string& line : said) context.terminal.print(line);
  context.terminal.print(
      fmt::format("handout {} instead of {}, {} files changed. Back: ./ladder update --undo",
                  handout_of(context.root)["version"].get<std::string>(),
                  before["version"].get<std::string>(), plan.size()));
  context.write_json(report::document("update", context.seed));
  return 0;
}

}  // namespace ladder
