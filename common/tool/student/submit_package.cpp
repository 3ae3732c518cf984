#include "common/tool/student/submit_package.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "common/base/error.hpp"
#include "common/base/files/files.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/intake/package.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/handout/handout.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* top = "submission";  // the folder in the zip: the same for everybody

/// Headers of a lesson that are not the student's: its problem, and what a handout lists.
bool is_ours(const json& handout, const StepEntry& step, const std::string& name) {
  return name == "problem.hpp" ||
         (handout.is_object() && handout["files"].contains("lessons/" + step.lesson + "/" + name));
}

bool is_header(const fs::path& file) {
  return file.extension() == ".hpp" || file.extension() == ".cuh" || file.extension() == ".h";
}

/// What was predicted last of each number, without when.
std::string predicted(const std::vector<const StepEntry*>& steps, const Predictions& predictions) {
  json list = json::array();
  for (const StepEntry* step : steps)
    for (const Prediction& p : predictions.last_of(step->path()))
      list.push_back({{"step", p.step},
                      {"metric", p.metric},
                      {"value", p.value},
                      {"size", p.size},
                      {"after_profile", p.after_profile}});
  if (list.empty()) return "";
  return report::dump({{"schema", "gpu-ladder-predictions/1"}, {"predictions", list}}, 1) + "\n";
}

}  // namespace

SubmitPackage make_package(const fs::path& root, const std::vector<const StepEntry*>& steps,
                           const Predictions& predictions, const fs::path& pristine) {
  const json handout = handout_of(root);
  std::map<std::string, std::string> offered;  // by their paths in the manifest
  const auto offer = [&](const std::string& path, const std::string& bytes) {
    if (!bytes.empty()) offered[path] = bytes;
  };
  grade::Wanted wanted;
  std::set<std::string> lessons;
  for (const StepEntry* step : steps) {
    lessons.insert(step->lesson);
    wanted.steps.push_back(step->lesson + "/" + step->file);
    offer(wanted.steps.back(), read_text(source_of(root, "lessons", *step)));
    for (const auto& entry : fs::directory_iterator(root / "lessons" / step->lesson))
      if (const std::string name = entry.path().filename(); entry.is_regular_file() && is_header(name)) {
        if (is_ours(handout, *step, name))
          wanted.ours.push_back(name);
        else
          offer(step->lesson + "/" + name, read_text(entry.path()));
      }
  }
  offer("notes.md", read_text(root / "notes.md"));
  offer("predictions.json", predicted(steps, predictions));
  const fs::path folder = pristine.string() + "-offered";
  fs::create_directories(folder);
  for (const auto& [path, bytes] : offered) write_text(folder / path, bytes);

  SubmitPackage package{.files = {}, .manifest = {}, .taken = grade::take(folder, wanted, pristine)};
  std::vector<grade::PackageFile> files;
  for (const grade::TakenFile& file : package.taken.files) {
    const auto from = offered.find(file.from);
    if (from == offered.end()) continue;  // a name that no compiler finds either
    files.push_back({file.path, from->second});
    package.files["lessons/" + file.path] = {from->second};
  }
  for (const auto& [name, sum] : package.taken.beside) {
    files.push_back({name, offered.at(name)});
    package.files[name] = {files.back().bytes};
  }
  package.manifest = grade::manifest_of(fmt::format("{}", fmt::join(lessons, ", ")),
                                        handout.is_object() ? handout.value("version", "") : "", files);
  package.files["manifest.json"] = {report::dump(package.manifest, 1) + "\n"};
  return package;
}

std::string write_package(const SubmitPackage& package, const fs::path& file) {
  try {
    grade::write_zip(file, package.files, top);
  } catch (const Error& error) {
    throw UsageError{error.what()};
  }
  return package.manifest["receipt"];
}

}  // namespace ladder
