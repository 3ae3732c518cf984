/// @file
/// A lesson's rungs under the roofs of each GPU.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "common/base/text/step_name.hpp"
#include "common/report/figures/kernel_figures.hpp"
#include "common/report/figures/machine_figures.hpp"
#include "common/report/results/page_text.hpp"
#include "common/report/results/performance.hpp"
#include "common/report/text/table.hpp"
#include "common/sitegen/pages/page_parts.hpp"

namespace ladder::report {
namespace {

using model::StepResult;
using nlohmann::json;
using Lines = std::vector<std::string>;

/// Double-precision operations that the contract states for the problem that was timed; nothing where they
/// are not stored.
std::optional<double> operations_stated(const StepResult& step) {
  const model::Work& work = step.time->work;
  return work.fp64 ? work.fp64 : work.unit == "flop" ? work.amount : std::nullopt;
}

/// Operations of a benchmark's class as its own record states them: so many a second, times the mean time.
std::optional<double> operations_of_class(const StoredMachine& machine, const std::string& lesson,
                                          const StepResult& step) {
  const std::string& size = step.time->size_name;
  for (const StoredDocument& document : machine.reproductions) {
    const model::LessonResults* results = document.lesson(lesson);
    if (!results) continue;
    for (const model::Reproduction& table : results->reproductions) {
      const auto& columns = table.columns;
      const auto at = [&](const char* name) {
        return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
      };
      if (at("Mop/s") == columns.size() || at("mean, s") == columns.size()) continue;
      for (const std::vector<json>& row : table.rows) {
        if (row.size() < columns.size() || row[at("class")] != json(size.substr(size.rfind(' ') + 1)) ||
            row[at("program")] != step.name)
          continue;
        const std::string mops = row[at("Mop/s")], mean = row[at("mean, s")];
        const double product = 1e6 * std::atof(mops.c_str()) * std::atof(mean.c_str());
        if (product > 0) return product;
      }
    }
  }
  return {};
}

/// What a GPU counted of a solution: its operations, and the bytes of the sectors that its warps asked for.
struct Counted {
  double operations = 0, bytes = 0;
  std::string problem, date;
};

/// @param executor  the document executor.json; its field "hardware" is what ncu counted on the GPU
std::optional<Counted> counted_on_gpu(const std::optional<StoredTable>& executor, const std::string& step) {
  if (!executor) return {};
  for (const json& solution : executor->content.value("solutions", json::array())) {
    if (solution.value("step", "") != step) continue;
    Counted sum{.problem = solution.value("problem", ""), .date = solution.value("date", "")};
    for (const json& kernel : solution.value("kernels", json::array())) {
      const json counters = kernel.value("counters", json::object());
      for (const char* name : {"global_load_sectors", "global_store_sectors"}) {
        const auto sectors = number_in(counters.value(name, json()), "hardware");
        if (!sectors) return {};  // not counted by a GPU
        sum.bytes += 32 * *sectors;
      }
      sum.operations += number_in(counters.value("fp64_operations", json()), "executor").value_or(0);
    }
    if (sum.bytes > 0 && sum.operations > 0) return sum;
  }
  return {};
}

/// The newest count of any GPU: how many sectors warps ask for follows from the program, not from the device,
/// and a rung may have changed since another GPU counted it.
std::optional<Counted> newest_count(const std::vector<StoredMachine>& drawn,
                                    const std::vector<StoredMachine>& further, const std::string& step) {
  std::optional<Counted> newest;
  for (const auto* machines : {&drawn, &further})
    for (const StoredMachine& machine : *machines)
      if (auto count = counted_on_gpu(machine.executor, step);
          count && (!newest || count->date > newest->date))
        newest = std::move(count);
  return newest;
}

/// The highest rate of a ceiling: as doctor measured it, else as the stored run used it.
double highest_rate(const DoctorLines& doctor, const model::Document& run,
                    const std::vector<std::string>& lines, const std::string& ceiling) {
  if (const auto best = doctor.best(lines)) return *best;
  for (const model::LessonResults& lesson : run.lessons)
    for (const model::DocumentStep& step : lesson.steps) {
      if (!step.time || !step.device.starts_with("cuda:")) continue;
      const model::Work& work = step.time->work;
      if (work.ceiling == ceiling && work.amount && work.seconds && *work.seconds > 0)
        return *work.amount / *work.seconds;
    }
  return 0;
}

/// What the picture shows of the fastest point: its share of the peak, or of the L2 roof where bytes limit
/// all.
std::string finding_of(const RooflineFigure& figure, const RooflineFigure::Point& best) {
  const bool three_roofs = figure.roofs.size() == 3;  // L1, L2, memory
  if (three_roofs && std::all_of(figure.points.begin(), figure.points.end(), [&](const auto& point) {
        return point.intensity * figure.roofs[2].bandwidth < figure.peak;
      }))
    return fmt::format(" is on the slope: {} reaches {} of the L2 roof", best.mark,
                       percent_text(best.performance / (best.intensity * figure.roofs[1].bandwidth)));
  return fmt::format(": {} reaches {} of the FP64 peak{}", best.mark,
                     percent_text(best.performance / figure.peak),
                     figure.upper_peak > 0 ? " without tensor cores" : "");
}

}  // namespace

Lines PartMaker::roofline_of(const std::string& page, const std::string& lesson) {
  Lines lines;
  for (const StoredMachine& machine : machines_) {
    const model::Document run = machine.run ? whole_runs_.at(machine.folder) : model::Document{};
    const DeviceLimits* limits = cuda_limits_of(run);
    if (!limits && machine.run) continue;  // no GPU: nothing to draw
    RooflineFigure figure;
    std::string problem;
    Lines without;
    double fastest = 0;  // of all rungs, drawn or not
    for (const json& row : rows(lesson)) {
      const std::string name = row.value("name", "");
      if (!limits || !row.value("file", "").ends_with(".cu")) continue;
      const auto steps = machine.run->step(lesson, name);
      const auto sectors = newest_count(machines_, further_, lesson + "/" + name);
      const auto gpu =
          std::find_if(steps.begin(), steps.end(), [](const StepResult& s) { return s.backend == "cuda"; });
      const bool timed = gpu != steps.end() && device_seconds(*gpu) && gpu->data == "resident";
      auto operations = timed ? operations_stated(*gpu) : std::nullopt;
      if (timed && !operations) operations = operations_of_class(machine, lesson, *gpu);
      if (timed && operations) fastest = std::max(fastest, *operations / *device_seconds(*gpu));
      if (!timed || !sectors || !operations) {
        if (gpu == steps.end() || gpu->data == "resident") without.push_back(name);
        continue;
      }
      if (problem.find(sectors->problem) == std::string::npos)
        problem += (problem.empty() ? "" : " or ") + sectors->problem;
      figure.points.push_back({.label = spoken(name),
                               .intensity = sectors->operations / sectors->bytes,
                               .performance = *operations / *device_seconds(*gpu),
                               .measured = true,
                               .mark = id_of(name)});
    }
    if (figure.points.empty()) {
      lines.push_back("- " + not_measured(machine.name));
      continue;
    }
    const DoctorLines doctor = machine.doctor ? DoctorLines(machine.doctor->results) : DoctorLines();
    const double memory = highest_rate(doctor, run, {"copy", "read"}, "memory");
    figure.roofs = {{"L1 " + short_rate(limits->l1_bandwidth(), "B/s"), limits->l1_bandwidth()}};
    if (const auto l2 = doctor.median("read in cache"))
      figure.roofs.push_back({"L2 " + short_rate(*l2, "B/s"), *l2, true});
    if (memory > 0) figure.roofs.push_back({"memory " + short_rate(memory, "B/s"), memory, true});
    figure.peak = limits->fp64_peak();
    figure.peak_label = "FP64 units " + short_rate(figure.peak, "FLOP/s");
    figure.upper_peak = highest_rate(doctor, run, {"double tensor-core multiply-add"}, "FP64 tensor");
    figure.upper_label = "FP64 tensor " + short_rate(figure.upper_peak, "FLOP/s");
    if (figure.upper_peak < 1.2 * figure.peak) figure.upper_peak = 0;  // the same units
    const auto best =
        std::max_element(figure.points.begin(), figure.points.end(),
                         [](const auto& a, const auto& b) { return a.performance < b.performance; });
    Lines drawn;
    for (const auto& point : figure.points) drawn.push_back(point.mark);
    figure.caption.title =
        "Lesson " + lesson.substr(0, 2) +
        (best->performance < fastest
             ? fmt::format(": {} under the roofs; faster rungs are not counted yet", ranges_of(drawn))
             : finding_of(figure, *best));
    figure.note = "Solid roofs: as published. Dashed: as measured.";
    figure.caption.corner = StoredMachine::facts(*machine.run, lesson);
    figure.caption.alternative =
        short_alternative(fmt::format("Roofline of {}. {}.", machine.name, figure.caption.title));
    std::string numbers;
    for (const auto& p : figure.points)
      numbers += fmt::format("{}{}: {} operations per byte, {}", numbers.empty() ? "" : "; ", p.label,
                             short_number(p.intensity), short_rate(p.performance, "FLOP/s"));
    const std::string file =
        fmt::format("lessons/{}/figures/{}-roofline-{}.svg", lesson, lesson.substr(0, 2), machine.folder);
    lines.insert(lines.end(), {shown(page, file, roofline(figure), figure.caption.alternative), "",
                               "<details><summary>In numbers</summary>" + numbers + ".</details>", ""});
    lines.push_back(fmt::format(
        "{}. Across: FP64 operations (counted) per byte of the sectors that the warps ask L1 for (counted by "
        "a GPU, {}). "
        "Up: the problem's operations over the device time. Roofs: L1 and FP64 units as published, memory{} "
        "as "
        "measured. A "
        "point above a dashed roof is fed by the caches.{}",
        machine.name, problem,
        doctor.median("read in cache") ? ", L2 and FP64 tensor cores" : " and FP64 tensor cores",
        without.empty()
            ? ""
            : fmt::format(" Not drawn, as no GPU has counted or timed them yet: {}.", ranges_of(without))));
    lines.push_back("");
  }
  if (machines_.empty()) lines = {not_yet};
  return lines;
}

}  // namespace ladder::report
