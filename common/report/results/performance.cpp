#include "common/report/results/performance.hpp"

#include <fmt/format.h>

#include "common/report/results/page_text.hpp"
#include "common/report/text/table.hpp"
#include "common/trace/devices.hpp"

namespace ladder::report {
namespace {

using model::StepResult;
using nlohmann::json;

/// "1.21 TFLOP/s", "3.4 GB/s".
std::string rate_text(double amount, const std::string& unit) {
  const std::string base = unit == "flop" ? "FLOP/s" : unit == "op" ? "OP/s" : "B/s";
  return short_rate(amount, base);
}

/// The ceiling of a rung whose row says what limits it; nothing where it does not.
std::optional<model::Roof> own_ceiling_of(const json& row, const model::Work& work, const GpuRates& rates) {
  const auto operations = work.unit == "flop" && !work.fp64 ? work.amount : work.fp64;
  if (!operations) return {};
  const OwnCeiling own = own_ceiling(*operations, work.bytes.value_or(0), row.value("bytes_per_flop", 0.0),
                                     row.value("matrix_products", true), rates);
  return own.ceiling.empty() ? std::nullopt : std::optional(model::Roof{own.ceiling, own.seconds});
}

}  // namespace

std::optional<double> device_seconds(const StepResult& step) {
  return step.time && step.time->device ? step.time->device->median : std::nullopt;
}

std::optional<TimedLibrary> library_on_device(const StepResult& step) {
  const auto mine = device_seconds(step);
  if (!mine || *mine <= 0 || !step.time->device->peers || step.time->device->peers->empty()) return {};
  const auto& [name, seconds] = *step.time->device->peers->begin();
  return TimedLibrary{name, seconds / *mine};
}

std::optional<Performance> performance_of(const StepResult& step) {
  if (!step.time) return {};
  const model::Time& call = *step.time;
  const bool by_device = device_seconds(step) && step.data == "resident";
  Performance p{.seconds = by_device ? *call.device->median : call.seconds.median, .by_device = by_device};
  if (p.seconds <= 0) return {};
  p.low = by_device                ? call.device->low.value_or(p.seconds)
          : has_ends(call.seconds) ? call.seconds.low
                                   : p.seconds;
  p.high = by_device                ? call.device->high.value_or(p.seconds)
           : has_ends(call.seconds) ? call.seconds.high
                                    : p.seconds;
  const model::Work& work = call.work;
  if (!work.amount || !work.seconds || step.backend == "executor") return p;  // its time is not a GPU's
  p.rate = rate_text(*work.amount / p.seconds, work.unit);
  const model::Roof roof = work.roof.value_or(model::Roof{work.ceiling, *work.seconds});
  p.share = roof.seconds / p.seconds;
  p.ceiling = roof.ceiling;
  return p;
}

std::string percent_text(double share) {
  return 100 * share < 9.5 ? fmt::format("{:.2g} %", 100 * share) : fmt::format("{:.0f} %", 100 * share);
}

std::string share_text(const Performance& p) {
  return p.share > 0 ? percent_text(p.share) + " of the " + ceiling_words(p.ceiling) : "";
}

bool ceiling_binds(const Performance& p) {
  constexpr double least = 0.1;
  return p.share >= least;
}

std::string ceiling_words(const std::string& stored) {
  if (stored.starts_with("link ")) return "PCIe bandwidth";
  return stored + (stored == "memory" || stored == "cache" ? " bandwidth" : " peak");
}

void name_ceilings(model::Document& run) {
  const StoredDocument document{"", run};
  for (model::LessonResults& lesson : run.lessons)
    for (model::DocumentStep& step : lesson.steps) {
      if (!step.time || step.time->work.ceiling != "FP64") continue;
      model::Work& work = step.time->work;
      const auto machine = document.machine_of(lesson.name, step.name);
      if (!machine || !work.amount || !work.seconds) continue;
      for (const model::Device& d : machine->devices) {
        if (d.id != step.device || d.kind != "gpu") continue;
        const DeviceLimits* limits = device_called(d.name, d.compute_units);
        if (limits && *work.amount / *work.seconds > 1.2 * limits->fp64_peak()) work.ceiling = "FP64 tensor";
      }
    }
}

void name_own_ceilings(model::Document& run, const std::map<std::string, json>& tables,
                       const GpuRates& rates) {
  for (model::LessonResults& lesson : run.lessons) {
    const auto table = tables.find(lesson.name);
    if (table == tables.end()) continue;
    const json rows = table->second.value("steps", json::array());
    for (model::DocumentStep& step : lesson.steps) {
      if (step.backend != "cuda" || !step.time) continue;
      model::Work& work = step.time->work;
      if (const auto roof = own_ceiling_of(row_called(rows, step.name), work, rates)) work.roof = roof;
    }
  }
}

}  // namespace ladder::report
