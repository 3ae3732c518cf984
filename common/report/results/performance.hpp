#pragma once
/// @file
/// What a step's time means: by which clock, work per second, share of the ceiling that limits it.

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "common/report/results/result_store.hpp"
#include "common/trace/own_ceiling.hpp"

namespace ladder::report {

/// A step's time and what it means. For a step whose data are on the device it is the device's own time,
/// where that is known: it does not contain what the host and the harness add.
struct Performance {
  double seconds = 0;
  double low = 0, high = 0;  ///< interval of the median
  bool by_device = false;    ///< the device's clock, and not the judge's
  std::string rate{};        ///< "1.21 TFLOP/s"; empty: the row has no model of its work
  double share = 0;          ///< of the ceiling that limits the step; 0: not known
  std::string ceiling{};     ///< as stored: "FP64 tensor", "memory", "link to the device"
};

/// Whether more than the median is known.
inline bool has_ends(const Interval& time) {
  return time.high > 0;
}

/// Nothing when the step was not timed.
std::optional<Performance> performance_of(const model::StepResult& step);

/// Seconds of a call by the device's clock; nothing when it was not measured.
std::optional<double> device_seconds(const model::StepResult& step);

/// A library that had the same problem, and its time over the step's, both by the device's clock; nothing
/// where one is not known.
std::optional<TimedLibrary> library_on_device(const model::StepResult& step);

/// "35 %", "0.2 %".
std::string percent_text(double share);

/// A ceiling as pages call it: "FP64 tensor peak", "memory bandwidth", "PCIe bandwidth".
std::string ceiling_words(const std::string& stored);

/// "35 % of the FP64 tensor peak"; empty when it is not known.
std::string share_text(const Performance& performance);

/// Whether the rung is near enough to its ceiling for it to mean something: below a tenth other costs bind.
bool ceiling_binds(const Performance& performance);

/// Names the FP64 ceiling of GPUs in a stored run: where a device does more than its published peak, the rate
/// is that of its tensor cores. Runs from before the judge said so have "FP64" for both.
void name_ceilings(model::Document& run);

/// Where a rung's row says what its ceiling is, the CUDA results of a stored run get that one, as the field
/// `roof` of their work. Operations that are no matrix products have the vector units; a rung that says how
/// many bytes its plan moves has the memory, or the cache that holds the problem. Where the rate is not known
/// there is no percent.
/// @param tables  of the lessons, by name
void name_own_ceilings(model::Document& run, const std::map<std::string, nlohmann::json>& tables,
                       const GpuRates& rates);

}  // namespace ladder::report
