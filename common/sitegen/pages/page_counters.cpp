/// @file
/// What the top rungs keep busy, from docs/top/counters/LESSON-MACHINE.json: the table of docs/top.md, and
/// lines of lessons' pages.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common/base/files/json_file.hpp"
#include "common/base/text/step_name.hpp"
#include "common/report/results/page_text.hpp"
#include "common/report/results/top_profile.hpp"
#include "common/report/text/table.hpp"
#include "common/sitegen/pages/page_parts.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* shown_shape = "4096";  // of several, on a rung's page

/// The row of a rung that its page shows; null: there is none.
const json* shown_row(const json& stored, const std::string& rung) {
  const json* shown = nullptr;
  for (const json& row : stored.at("rows"))
    if (row.value("rung", "") == rung && (!shown || row.value("shape", "") == shown_shape)) shown = &row;
  return shown;
}

/// "16 x 8 x 8: 66.1 TFLOP/s, 8 x 8 x 4: 33.4 TFLOP/s, 0.51 times as fast"
std::string loops_text(const std::vector<json>& loops) {
  std::string text;
  for (const json& loop : loops) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", loop.value("operation", ""),
                        short_rate(loop.at("rate").get<double>(), "FLOP/s"));
    if (&loop != &loops.front())
      text += fmt::format(", **{:.2f}** times as fast",
                          loop.at("rate").get<double>() / loops.front().at("rate").get<double>());
  }
  return text;
}

}  // namespace

PartMaker::Lines PartMaker::counters(const std::string& page, const std::string& lesson) const {
  rows(lesson);  // there is such a lesson
  std::vector<fs::path> files;
  if (fs::exists(root_ / "docs/top/counters"))
    for (const auto& entry : fs::directory_iterator(root_ / "docs/top/counters"))
      if (entry.path().filename().string().starts_with(lesson + "-")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  Lines lines;
  for (const fs::path& path : files) {
    const json stored = need_json(path);
    const fs::path file = path.lexically_relative(root_);
    lines.insert(
        lines.end(),
        {fmt::format("On {}, from {}: {}, commit {}. Percent of the peak.", stored.value("device", ""),
                     link(page, file, "counters/" + file.filename().string()), stored.value("date", ""),
                     stored.value("commit", "").substr(0, 10)),
         ""});
    Lines titles = {"size", "", "time"};
    for (const TopCounter& counter : top_counters()) titles.push_back(counter.title);
    for (const std::string& line : markdown_head(titles)) lines.push_back(line);
    for (const json& row : stored.at("rows")) lines.push_back(markdown_row(top_profile_cells(row)));
    lines.push_back("");
  }
  if (lines.empty()) return {"*not measured yet on any machine with a GPU*"};
  lines.pop_back();
  return lines;
}

PartMaker::Lines PartMaker::counters_command(const std::string& lesson, const std::string& kernels) const {
  rows(lesson);
  Lines lines = {"```sh"};
  for (const std::string& line : top_profile_command(lesson, kernels)) lines.push_back(line);
  lines.push_back("```");
  return lines;
}

PartMaker::Lines PartMaker::busy_of(const std::string& page, const StoredMachine& machine,
                                    const std::string& lesson, const std::string& name) const {
  Lines lines;
  const std::string rung = id_of(name), file = fmt::format("{}-{}.json", lesson, machine.folder);
  const std::string where = link(page, "docs/top.md", "the top rungs");
  if (const fs::path path = root_ / "docs/top/counters" / file; fs::exists(path)) {
    const json stored = need_json(path);
    if (const json* row = shown_row(stored, rung)) {
      std::string line = fmt::format("- {}, by ncu, n = {}, percent of the peak: {}", machine.name,
                                     row->value("shape", ""), top_profile_words(row->at("counted")));
      if (top_profile_has_several(*row)) {
        const json& longest = row->at("longest");
        line += fmt::format("; `{}` alone, {} of the time: {}", top_profile_kernel(longest),
                            per_cent(longest.value("share", 0.0)), top_profile_words(longest.at("counted")));
      }
      lines.push_back(fmt::format("{} ({})", line, where));
    }
  }
  if (const fs::path path = root_ / "docs/top" / file; fs::exists(path)) {
    std::vector<json> loops;
    for (const json& loop : need_json(path).value("loops", json::array()))
      if (loop.value("rung", "") == rung) loops.push_back(loop);
    if (!loops.empty())
      lines.push_back(
          fmt::format("- {}, a loop of operations on registers alone: {}", machine.name, loops_text(loops)));
  }
  return lines;
}

}  // namespace ladder::report
