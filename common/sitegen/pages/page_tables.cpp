#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "common/base/text/step_name.hpp"
#include "common/report/figures/figures.hpp"
#include "common/report/results/page_text.hpp"
#include "common/report/results/performance.hpp"
#include "common/report/results/step_view.hpp"
#include "common/report/text/table.hpp"
#include "common/sitegen/pages/page_parts.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const char* const about_executor = "The executor shows mistakes and counts; it measures no times.";

bool runs_on(const StoredDocument& document, const std::string& backend) {
  for (const model::LessonResults& lesson : document.results.lessons)
    for (const model::DocumentStep& step : lesson.steps)
      if (step.backend == backend) return true;
  return false;
}

/// Whether rungs of a GPU can have times of that machine: one without a run is still to be measured.
bool may_have_gpu(const StoredMachine& machine) {
  return !machine.run || runs_on(*machine.run, "cuda") ||
         !gpus_of(machine.run->results.machine.value_or(model::Machine{})).empty();
}

/// The notes below a table: why numbers are missing.
void add_reasons(std::vector<std::string>& lines, const Reasons& reasons) {
  for (const auto& [reason, metrics] : reasons)
    lines.insert(lines.end(),
                 {"", fmt::format("– (not measured): {}: {}.", fmt::join(metrics, ", "), reason)});
}

/// What a gain is of, next to the time of a call, and over which rung where that is not the one above.
std::string gain_words(const model::Gain& gain, const std::string& above) {
  const bool is_rung = gain.over.find('.') == gain.over.npos;
  return (is_rung && !above.empty() && gain.over != above ? " over " + id_of(gain.over) : "") +
         (!gain.kernels.empty()  ? " in its kernels"
          : gain.clock == "call" ? ""
                                 : " on the device");
}

}  // namespace

PartMaker::Lines PartMaker::table(const std::string& page, const std::string& which) const {
  const StoredMachine* chosen = nullptr;
  for (const StoredMachine& machine : machines_) {
    const bool suits = which == "run-" + machine.folder ||
                       (which == "run-executor" && machine.run && runs_on(*machine.run, "executor"));
    if (suits && !chosen) chosen = &machine;
  }
  if (!chosen || !chosen->run)
    return {chosen              ? not_measured(chosen->name)
            : machines_.empty() ? nothing_stored
                                : not_measured(machines_.front().name)};
  Lines lines = markdown_head({"rung", "verdict", "target", "time", "against baseline"});
  Reasons reasons;
  for (const auto& [lesson, table] : tables_)
    for (const json& row : table.at("steps")) {
      const std::string step_name = row.value("name", ""),
                        name = fmt::format("{}/{}", lesson.substr(0, 2), spoken(step_name));
      const auto steps = chosen->run->step(lesson, step_name);
      if (steps.empty()) lines.push_back(markdown_row({name, not_yet, "", "", ""}));
      for (const model::StepResult& result : steps) {
        const StepView step = view_of(result);
        const bool timed = result.backend != "executor";
        lines.push_back(markdown_row({name, step.verdict_with_remark(), targets_short(result, reasons),
                                      timed ? step.time : "", timed ? step.baseline : ""}));
      }
    }
  add_reasons(lines, reasons);
  lines.insert(lines.end(),
               {"", source_of(page, *chosen->run) +
                        (runs_on(*chosen->run, "executor") ? std::string(" ") + about_executor : "")});
  return lines;
}

PartMaker::Lines PartMaker::ladder_figures(const std::string& page, const std::string& lesson) {
  struct Shown {
    const StoredMachine* machine;
    LadderFigure figure;
  };
  std::vector<Shown> all;
  for (const StoredMachine* machine : all_machines())
    if (const model::LessonResults* results = machine->run ? machine->run->lesson(lesson) : nullptr)
      for (LadderFigure& figure : report::ladder_figures(*results, machine->run->results, rows(lesson)))
        if (figure.on_device && figure.rungs() > 1 && figure.shows_a_gain())
          all.push_back({machine, std::move(figure)});
  // The longest ladder first, and where each rung was timed next to the program without its idea; one picture
  // for each kind of rungs.
  std::ranges::stable_sort(all, std::ranges::greater{},
                           [](const Shown& one) { return std::pair(one.figure.rungs(), one.figure.pairs); });
  Lines lines, kinds, links;
  for (const auto& [machine, figure] : all) {
    if (std::ranges::find(kinds, figure.kind) != kinds.end()) continue;
    const std::string file = fmt::format("lessons/{}/figures/{}-ladder-{}{}.svg", lesson, lesson.substr(0, 2),
                                         machine->folder, kinds.empty() ? "" : "-" + figure.kind);
    kinds.push_back(figure.kind);
    lines.insert(lines.end(), {shown(page, file, ladder_steps(figure), figure.caption.alternative), ""});
    const std::string source = link(page, machine->run->file, machine->name);
    if (std::ranges::find(links, source) == links.end()) links.push_back(source);
  }
  if (lines.empty()) return {machines_.empty() ? nothing_stored : "*no ladder measured yet*"};
  lines.push_back(fmt::format("Every number: {}, and the stored runs of {}.",
                              link(page, "docs/gpu-times.md", "the times of all rungs"),
                              fmt::join(links, ", ")));
  return lines;
}

std::string PartMaker::cell_of(const std::string& page, const StoredMachine& machine,
                               const std::string& lesson, const std::string& name, const std::string& above,
                               const std::string& usual_size) const {
  std::string cell;
  for (const model::StepResult& step :
       machine.run ? machine.run->step(lesson, name) : std::vector<model::StepResult>{}) {
    const bool gpu = of_gpu(step, machine.run->machine_of(lesson, name)),
               executor = step.backend == "executor";
    if (is_track_of_gpu(name.front()) && !gpu) continue;
    // One clock in all cells of a column.
    const auto seconds = executor ? std::nullopt : clock_seconds(step, true);
    // What could not be counted on that machine is said under *Measured*.
    const std::string whole = view_of(step).verdict_with_remark();
    const std::string verdict =
        seconds && whole.starts_with("PASS") ? "" : whole + (executor ? " on the executor" : "");
    cell += (cell.empty() ? "" : "<br>") + verdict;
    if (!seconds) continue;
    cell += (verdict.empty() ? "" : ", ") + short_time(*seconds);
    if (size_of(step) != usual_size) cell += " at " + size_of(step);
    const auto gain = gpu ? gain_of(step) : ratio_of(step, "baseline");
    if (gain)
      cell +=
          fmt::format(", **{}x**{}", short_number(*gain), gpu ? gain_words(*step.gain, above) : " baseline");
    if (gain && gpu)
      if (const std::string size = size_text(step.gain->size_name, step.gain->problem); size != size_of(step))
        cell += " at " + size;
    if (gain && gpu && !experiment_of(lesson, name).empty()) cell += ", experiment";
  }
  if (const std::string top = top_of(page, machine, lesson, name, false); !top.empty())
    cell += (cell.empty() ? "" : "<br>") + top;
  return cell.empty() ? not_yet : cell;
}

std::string PartMaker::usual_size_of(const StoredMachine& machine, const std::string& lesson,
                                     char track) const {
  std::map<std::string, int> rungs;  // by size
  for (const json& row : rows(lesson))
    if (const std::string name = row.value("name", ""); machine.run && name[0] == track)
      for (const model::StepResult& step : machine.run->step(lesson, name))
        if (!size_of(step).empty() && step.backend != "executor") ++rungs[size_of(step)];
  const auto most = std::ranges::max_element(rungs, {}, [](const auto& one) { return one.second; });
  return most == rungs.end() ? "" : most->first;
}

PartMaker::Lines PartMaker::ladder_table(const std::string& page, const std::string& lesson) const {
  if (machines_.empty()) return {nothing_stored};
  Lines lines;
  bool gpu = false;
  for (const char track : tracks) {
    Lines table;
    double hours = 0;
    Lines titles = {"rung", "hours", "idea"}, names;
    std::vector<Lines> rungs;  // their cells
    for (const json& row : rows(lesson)) {
      const std::string name = row.value("name", "");
      if (name.empty() || name[0] != track) continue;
      const std::string file = fmt::format("lessons/{}/{}", lesson, row.value("file", name));
      rungs.push_back({link(page, file, id_of(name)) + " " + row.value("kind", ""),
                       fmt::format("{:g}", row.value("hours", 0.0)), row.value("idea", "")});
      names.push_back(name);
      hours += row.value("hours", 0.0);
    }
    for (const StoredMachine* machine : all_machines()) {
      if (is_track_of_gpu(track) ? !may_have_gpu(*machine) : !machine->in_lessons) continue;
      const std::string size = usual_size_of(*machine, lesson, track);
      Lines column;
      for (std::size_t i = 0; i < names.size(); ++i)
        column.push_back(cell_of(page, *machine, lesson, names[i], i > 0 ? names[i - 1] : "", size));
      if (std::ranges::all_of(column, [](const std::string& cell) { return cell == not_yet; })) continue;
      titles.push_back((is_track_of_gpu(track) ? machine->name : on_cpu(*machine)) +
                       (size.empty() ? "" : ", " + size));
      for (std::size_t i = 0; i < names.size(); ++i) rungs[i].push_back(column[i]);
    }
    for (const Lines& cells : rungs) table.push_back(markdown_row(cells));
    if (table.empty()) continue;
    gpu = gpu || is_track_of_gpu(track);
    if (!lines.empty()) lines.push_back("");
    lines.insert(lines.end(), {fmt::format("**{}** · {:g} h", heading_of_track(track), hours), ""});
    for (const std::string& line : markdown_head(titles)) lines.push_back(line);
    lines.insert(lines.end(), table.begin(), table.end());
  }
  lines.insert(
      lines.end(),
      {"",
       fmt::format(
           "R required, S stretch, D demonstration. Times are of a call. In bold: on a CPU the baseline's "
           "time "
           "over it{}. "
           "[What the words mean]({}).",
           gpu ? "; on a GPU what the idea gains, the time without it over the time with it: of a call, "
                 "unless "
                 "the cell says *on the device* or *in its kernels*, which are a part of a call"
               : "",
           fs::path("docs/glossary.md").lexically_relative(fs::path(page).parent_path()).generic_string()),
       ""});
  for (const StoredMachine* machine : all_machines()) {
    if (machine->run && machine->run->lesson(lesson)) {
      if (machine->in_lessons || gpu) lines.push_back(source_of(page, *machine->run, lesson));
    } else if (machine->in_lessons) {
      lines.push_back(not_measured(machine->name) + ".");
    }
  }
  return lines;
}

}  // namespace ladder::report
