#include "common/tool/watch/watch_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "common/base/files/files.hpp"
#include "common/grade/intake/scan.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

/// What a source includes in quotes, from next to it or from the lesson's folder.
void take_includes(const fs::path& file, const fs::path& folder, std::set<fs::path>& taken) {
  for (const std::string& name : grade::included_by(read_text(file)))
    for (const fs::path& from : {file.parent_path(), folder}) {
      const fs::path included = (from / name).lexically_normal();
      if (fs::exists(included) && taken.insert(included).second) take_includes(included, folder, taken);
    }
}

}  // namespace

std::vector<std::string> steps_touched_by(const fs::path& saved, const LessonEntry& lesson,
                                          const fs::path& folder,
                                          const std::function<bool(const StepEntry&)>& started) {
  std::vector<std::string> touched;
  for (const StepEntry& step : lesson.steps) {
    const fs::path source = folder / step.file;
    if (source == saved) return {step.path()};
    std::set<fs::path> included;
    take_includes(source, folder, included);
    if (included.contains(saved) && started(step)) touched.push_back(step.path());
  }
  return touched;
}

void nearest_first(std::vector<std::string>& steps, const std::string& to,
                   const std::vector<std::string>& order) {
  const auto at = [&](const std::string& name) {
    return std::find(order.begin(), order.end(), name) - order.begin();
  };
  const auto key = [&](const std::string& name) { return std::pair(std::abs(at(name) - at(to)), at(name)); };
  std::sort(steps.begin(), steps.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
}

}  // namespace ladder
