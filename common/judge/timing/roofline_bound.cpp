#include "common/judge/timing/roofline_bound.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/judge/test_report.hpp"
#include "common/judge/timing/time_result.hpp"

namespace ladder {
namespace {

/// The tolerance for errors of the ceilings, which are measured, too.
constexpr double slack = 0.1;

/// The least bytes of a pass that reach the device's memory: a cache may already hold inputs, and keep
/// outputs.
double beyond_cache(const Work& work, const Ceilings& c) {
  return work.passes * std::max(0.0, work.bytes - 2 * c.cache_bytes);
}

}  // namespace

TimeLowerBound time_lower_bound(const Work& work, const Transfers& transfers, const Ceilings& c) {
  TimeLowerBound least;
  if (*work.none != 0) return least.reason = work.none, least;
  if (!c.why_not.empty()) return least.reason = c.why_not, least;
  const auto binds = [&](const char* ceiling, const char* unit, double amount, double rate) {
    if (amount <= 0 || rate <= 0) return 0.0;
    const double seconds = amount / rate;
    if (seconds > least.binding.seconds) least.binding = {ceiling, unit, amount, seconds};
    return seconds;
  };
  const double all = work.passes * work.bytes;
  const bool in_cache = c.cache > 0 && work.bytes <= c.cache_bytes;
  double floor =
      std::max({binds(c.fp64_tensor ? "FP64 tensor" : "FP64", "flop", work.fp64, c.fp64),
                binds("FP32", "flop", work.fp32, c.fp32), binds("integer", "op", work.integer, c.integer),
                binds("link to the device", "byte", transfers.to_device, c.to_device),
                binds("link from the device", "byte", transfers.from_device, c.from_device)});
  if (in_cache)
    binds("cache", "byte", all, c.cache);
  else
    binds("memory", "byte", all, c.memory);
  if (c.cache > 0) floor = std::max(floor, all / c.cache);
  if (c.memory > 0) floor = std::max(floor, beyond_cache(work, c) / c.memory);
  if (work.bytes > 0 && !in_cache && c.memory <= 0)
    least.reason =
        "the memory bandwidth is not known: other programs were busy when it was measured; ./ladder "
        "doctor "
        "measures it again";
  least.floor = (1 - slack) * floor;
  if (least.binding.ceiling.empty() && least.reason.empty())
    least.reason = "none of its ceilings is known for this device";
  return least;
}

OwnCeiling own_ceiling(const Step& row, const Work& work, const Ceilings& c) {
  if (*work.none != 0 || work.fp64 <= 0) return {};
  const OwnCeiling own = own_ceiling(work.fp64, work.bytes, row.bytes_per_flop, row.matrix_products,
                                     {c.fp64_vector, c.memory, c.cache, c.cache_bytes});
  return own.seconds > 0 ? own : OwnCeiling{};
}

const Ceilings& ceilings_of(const PlannedStep& step) {
  static const Ceilings none{.why_not = "the ceilings of this device were not measured"};
  const auto found = plan().ceilings.find(step.backend);
  return found == plan().ceilings.end() ? none : found->second;
}

model::Work recorded(const Work& work, const TimeLowerBound& least) {
  model::Work known{.formula = work.formula, .reason = least.reason};
  if (*work.none == 0 && work.fp64 > 0) known.fp64 = work.fp64;
  if (*work.none == 0 && work.bytes > 0) known.bytes = work.bytes * work.passes;
  if (!least.reason.empty()) return known;
  known.ceiling = least.binding.ceiling;
  known.unit = least.binding.unit;
  known.amount = least.binding.amount;
  known.seconds = least.binding.seconds;
  known.floor = least.floor;
  if (!least.roof.ceiling.empty()) known.roof = model::Roof{least.roof.ceiling, least.roof.seconds};
  return known;
}

Transfers transfers_of(const PlannedStep& step, const Step& row, const ProblemShape& problem) {
  Transfers bytes;
  if (row.data != Data::host || !runs_on_gpu(step)) return bytes;
  for (const ArrayShape& array : problem.arrays) {
    if (is_input(array.role)) bytes.to_device += double(array.bytes);
    if (is_output(array.role) && array.role != Role::out_on_device) bytes.from_device += double(array.bytes);
  }
  return bytes;
}

void judge_floor(const TimeResult& result, TestReport& report) {
  if (!(result.seconds.median < result.least.floor)) return;
  const std::string before = report.verdict() == Verdict::review ? report.message() + "; " : "";
  report.set(
      Verdict::review,
      before +
          fmt::format("faster than can be: {:.3g} ms a call, and what this problem asks for takes at "
                      "least {:.3g} ms at "
                      "this device's ceilings, less 10 %: which part of the work is not done in the call?",
                      1e3 * result.seconds.median, 1e3 * result.least.floor));
  report.detail("What is asked for", result.work.formula);
}

}  // namespace ladder
