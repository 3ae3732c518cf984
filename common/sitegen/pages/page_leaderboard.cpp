/// @file
/// The top rungs next to the library, from docs/top/LESSON-MACHINE.json, and LESSON-MACHINE-cpu.json for
/// those of the processor: programs of tests/NN-name/benches write these files.

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// The values of a field in the order of their first rows.
std::vector<std::string> values_in_order(const json& rows, const char* field, bool timed) {
  std::vector<std::string> all;
  for (const json& row : rows)
    if (row.contains("seconds") == timed)
      if (const std::string one = row.value(field, ""); std::find(all.begin(), all.end(), one) == all.end())
        all.push_back(one);
  return all;
}

/// The library, then the rungs as a ladder has them: more than one program may have added to a file.
std::vector<std::string> rungs_in_order(const json& rows, const std::string& library) {
  auto all = values_in_order(rows, "rung", true);
  std::sort(all.begin(), all.end(), [&](const std::string& a, const std::string& b) {
    return std::pair(a != library, a) < std::pair(b != library, b);
  });
  return all;
}

/// In what a table gives rates.
struct Unit {
  const char* name;
  double flops;
};
constexpr Unit of_gpus{"TFLOP/s", 1e12}, of_processors{"GFLOP/s", 1e9};

/// "**1.06** (1.05 to 1.07)<br>2.36 ms<br>58.2, 88 %": the library's time over the rung's; its time, its
/// rate, and the share of the ceiling.
std::string time_cell(const json& row, const std::string& library, double ceiling, const Unit& unit) {
  const double seconds = row.at("seconds").at("median");
  const double rate = row.at("operations").get<double>() / seconds;
  const double share = rate / ceiling;
  const std::string cell = fmt::format("{}<br>{}, {}", short_time(seconds), short_number(rate / unit.flops),
                                       share < 0.1 ? fmt::format("{:.1f} %", 100 * share) : per_cent(share));
  if (row.value("rung", "") == library) return cell;
  const json& ratio = row.at("ratio");
  return fmt::format("**{:.2f}** ({:.2f} to {:.2f})<br>{}", ratio.at("median").get<double>(),
                     ratio.at("low").get<double>(), ratio.at("high").get<double>(), cell);
}

std::string error_cell(const json& row) {
  const json& error = row.at("error");
  return fmt::format("{} ({})", short_number(error.at("median").get<double>()),
                     short_number(error.at("worst").get<double>()));
}

/// A line for each shape and kind of matrices, with a cell for each rung: "–" where it was not measured.
/// @param cell  the text of a row
template <class Cell>
std::vector<std::string> lines_per_shape(const json& rows, const std::vector<std::string>& rungs, bool timed,
                                         const Cell& cell) {
  std::vector<std::string> lines;
  for (const std::string& shape : values_in_order(rows, "shape", timed))
    for (const std::string& data : values_in_order(rows, "data", timed)) {
      std::vector<std::string> cells = {shape, data};
      bool any = false;
      for (const std::string& rung : rungs) {
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const json& one) {
          return one.contains("seconds") == timed && one.value("shape", "") == shape &&
                 one.value("data", "") == data && one.value("rung", "") == rung;
        });
        any |= row != rows.end();
        cells.push_back(row == rows.end() ? "–" : cell(*row));
      }
      if (any) lines.push_back(markdown_row(cells));
    }
  return lines;
}

}  // namespace

std::string PartMaker::top_of(const std::string& page, const StoredMachine& machine,
                              const std::string& lesson, const std::string& name, bool each) const {
  const bool host = !is_track_of_gpu(name.front());
  const fs::path path =
      root_ / "docs/top" / fmt::format("{}-{}{}.json", lesson, machine.folder, host ? top_of_host : "");
  if (!fs::exists(path)) return "";
  const json run = need_json(path);
  std::vector<std::string> sizes, ratios;
  double least = 0, most = 0;
  for (const json& row : run.at("rows")) {
    const std::string shape = row.value("shape", "");
    if (row.value("rung", "") != id_of(name) || !row.contains("ratio") ||
        shape.find_first_not_of("0123456789") != std::string::npos)
      continue;
    const double ratio = row.at("ratio").at("median");
    least = ratios.empty() ? ratio : std::min(least, ratio);
    most = ratios.empty() ? ratio : std::max(most, ratio);
    sizes.push_back(shape);
    ratios.push_back(fmt::format("{:.2f}", ratio));
  }
  if (sizes.empty()) return "";
  const std::string library = run.at("library");
  if (!each)
    return link(page, "docs/top.md", fmt::format("{:.2f} to {:.2f} times {}'s speed", least, most, library)) +
           ", n = " + sizes.front() + " to " + sizes.back();
  return fmt::format("{}**{}** times {}'s speed at n = {} ({}: intervals, errors, other shapes)",
                     host ? "" : "on resident data ", fmt::join(ratios, ", "), library,
                     fmt::join(sizes, ", "), link(page, "docs/top.md", "the top rungs"));
}

PartMaker::Lines PartMaker::leaderboard(const std::string& page, const std::string& lesson) const {
  rows(lesson);  // there is such a lesson
  std::vector<fs::path> files;
  if (fs::exists(root_ / "docs/top"))
    for (const auto& entry : fs::directory_iterator(root_ / "docs/top"))
      if (entry.path().filename().string().starts_with(lesson + "-")) files.push_back(entry.path());
  const auto of_host = [](const fs::path& file) { return file.stem().string().ends_with(top_of_host); };
  std::sort(files.begin(), files.end(), [&](const fs::path& a, const fs::path& b) {
    return std::pair(of_host(a), a) < std::pair(of_host(b), b);
  });
  Lines lines;
  const auto add = [&](const Lines& more) { lines.insert(lines.end(), more.begin(), more.end()); };
  for (const fs::path& path : files) {
    const json run = need_json(path), &stored = run.at("rows");
    const fs::path file = path.lexically_relative(root_);
    const std::string library = run.at("library");
    const double ceiling = run.at("ceiling").at("rate");
    const Unit& unit = run.value("host", false) ? of_processors : of_gpus;
    const std::vector<std::string> rungs = rungs_in_order(stored, library);
    std::vector<std::string> head = {"size", "matrices"};
    head.insert(head.end(), rungs.begin(), rungs.end());
    add({fmt::format("### {} on {}", lesson, run.value("device", "")), "",
         fmt::format("From {}: {}, commit {}. {}: {}.", link(page, file, file.filename().string()),
                     run.value("date", ""), run.value("commit", "").substr(0, 10),
                     run.at("ceiling").value("name", ""), short_rate(ceiling, "FLOP/s")),
         "",
         fmt::format("**{}'s time over the rung's**, median of {} rounds and its interval; time of "
                     "a call, {}, and share of that ceiling.",
                     library, run.value("rounds", 0), unit.name),
         ""});
    add(markdown_head(head));
    add(lines_per_shape(stored, rungs, true,
                        [&](const json& row) { return time_cell(row, library, ceiling, unit); }));
    add({"", fmt::format("Errors in units of {}: median, and worst.", run.value("error_unit", "")), ""});
    add(markdown_head(head));
    add(lines_per_shape(stored, rungs, false, error_cell));
    add(lines_per_shape(stored, rungs, true, error_cell));
    lines.push_back("");
  }
  if (lines.empty()) return {"*not measured yet*"};
  lines.pop_back();
  return lines;
}

}  // namespace ladder::report
