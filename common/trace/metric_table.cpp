/// @file
/// The registry of metrics by name.

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "common/base/error.hpp"
#include "common/trace/metrics.hpp"

namespace ladder {
namespace {

template <double (*function)(const Trace&)>
double of_trace(const Trace& trace, const Extras&, std::string_view) {
  return function(trace);
}

double filtered_work_items(const Trace& trace, const Extras&, std::string_view kernel) {
  return metrics::work_items(trace, kernel);
}

double filtered_chain(const Trace& trace, const Extras&, std::string_view kernel) {
  return metrics::chain(trace, kernel);
}

double filtered_path(const Trace& trace, const Extras&, std::string_view kernel) {
  return metrics::path(trace, kernel);
}

double tail_efficiency_on_device(const Trace&, const Extras& extras, std::string_view kernel) {
  if (!extras.observation) throw NotCounted("waves need a run of the observed mode");
  return metrics::tail_efficiency(*extras.observation, extras.device ? *extras.device : executor_limits(),
                                  kernel);
}

double balance_of_threads(const Trace&, const Extras& extras, std::string_view) {
  return metrics::balance(extras.cpu_seconds, extras.threads);
}

template <double (*function)(const Observation&, std::string_view)>
double of_counters(const Trace&, const Extras& extras, std::string_view kernel) {
  if (!extras.observation) throw NotCounted("counters need a run of the observed mode");
  return function(*extras.observation, kernel);
}

double counted_branches(const Trace& trace, const Extras& extras, std::string_view kernel) {
  if (extras.observation) return of_counters<metrics::executed_branches>(trace, extras, kernel);
  if (!extras.instructions) throw Error("branches need a run under Oclgrind");
  return branches(*extras.instructions, kernel);
}

/// @param counter  whose sum over the launches is the metric
template <const char* counter>
double sum_of_counter(const Trace&, const Extras& extras, std::string_view kernel) {
  if (!extras.observation) throw NotCounted("counters need a run of the observed mode");
  const auto sum = extras.observation->sum(counter, kernel);
  if (!sum) throw NotCounted(std::string("this run did not count ") + counter);
  return *sum;
}
constexpr char fp64_operations[] = "fp64_operations", fp64_instructions[] = "fp64_instructions",
               conversions[] = "conversions", divergent_branches[] = "divergent_branches";

constexpr Metric rows[] = {
    {"bytes_to_device", "bytes", Source::device, "copied to the device", "transfers, host to device", "",
     of_trace<metrics::bytes_to_device>},
    {"bytes_to_host", "bytes", Source::device, "copied to the host", "transfers, device to host", "",
     of_trace<metrics::bytes_to_host>},
    {"bytes", "bytes", Source::device, "copied to and from the device", "transfers", "",
     of_trace<metrics::bytes>},
    {"pageable_bytes", "bytes", Source::device, "copied to or from pageable host memory",
     "pageable transfers", "", of_trace<metrics::pageable_bytes>},
    {"launches", "calls", Source::device, "launch calls of the host", "kernel launches", "",
     of_trace<metrics::launches>},
    {"kernels", "kernels", Source::device, "kernels that ran", "kernels", "", of_trace<metrics::kernels>},
    {"waits", "calls", Source::device, "times that the host waited for the device", "host synchronisations",
     "", of_trace<metrics::waits>},
    {"peak_device_bytes", "bytes", Source::device, "most device memory allocated at once",
     "peak device memory", "", of_trace<metrics::peak_device_bytes>},
    {"work_items", "work-items", Source::device, "work-items launched", "threads launched", "",
     filtered_work_items},
    {"chain", "share", Source::device, "longest dependent path over the sum, by stated costs",
     "share of the critical path", "", filtered_chain},
    {"path", "seconds", Source::device, "longest dependent path, by stated costs", "critical path", "",
     filtered_path},
    {"overlap", "share", Source::device, "copies and kernels at the same time over the shorter of them",
     "overlap of copies and kernels", "", of_trace<metrics::overlap>},
    {"bytes_sent", "bytes", Source::ranks, "sent to other ranks", "communication volume", "",
     of_trace<metrics::bytes_sent>},
    {"balance", "ratio", Source::worker, "processor time of the busiest thread over the mean",
     "load imbalance", "", balance_of_threads},
    {"branches", "branches", Source::instructions, "executed branch instructions", "branch instructions",
     "branches", counted_branches},
    {"sectors", "sectors", Source::counters, "32-byte sectors requested from L1", "sectors",
     "global_load_sectors global_store_sectors global_atomic_sectors", of_counters<metrics::sectors>},
    {"sectors_per_flop", "sectors", Source::counters, "sectors, for the flops of the contract",
     "sectors per operation", "global_load_sectors global_store_sectors global_atomic_sectors",
     of_counters<metrics::sectors>},
    {"sweeps", "sweeps", Source::counters, "sectors, against those of one pass over the data",
     "passes over the data", "global_load_sectors global_store_sectors global_atomic_sectors",
     of_counters<metrics::sectors>},
    {"wavefronts", "wavefronts", Source::counters, "passes of shared memory", "shared-memory wavefronts",
     "shared_load_wavefronts shared_store_wavefronts", of_counters<metrics::wavefronts>},
    {"wavefronts_per_fma", "wavefronts", Source::counters,
     "passes of shared memory, for the multiply-adds of the contract",
     "shared-memory wavefronts per multiply-add", "shared_load_wavefronts shared_store_wavefronts",
     of_counters<metrics::wavefronts>},
    {"requests_per_byte", "requests", Source::counters, "load requests, for the bytes of the contract",
     "load instructions per byte", "global_load_requests", of_counters<metrics::load_requests>},
    {"barriers", "barriers", Source::counters, "barriers per block", "barriers per block",
     "sass__inst_executed_per_opcode", of_counters<metrics::barriers_per_block>},
    {"most_barriers", "barriers", Source::counters, "barriers of the block that executes the most",
     "barriers of the busiest block", "", of_counters<metrics::most_barriers>},
    {"grid_barriers", "barriers", Source::counters, "barriers of the whole grid that a block passes",
     "barriers of the grid", "", of_counters<metrics::grid_barriers>},
    {"atomics", "atomics", Source::counters, "global atomic operations", "atomic operations",
     "global_atomic_requests", of_counters<metrics::atomics>},
    {"local_bytes", "bytes", Source::counters, "local memory moved", "local memory traffic", "local_bytes",
     of_counters<metrics::local_bytes>},
    {"fp64_operations", "operations", Source::counters,
     "additions, multiplications, divisions, roots of doubles", "double-precision operations",
     "fp64_operations", sum_of_counter<fp64_operations>},
    {"fp64_instructions", "instructions", Source::counters,
     "instructions of FP64 units, those of divisions, roots and functions too",
     "double-precision instructions",
     "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum "
     "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum "
     "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
     sum_of_counter<fp64_instructions>},
    {"conversions", "conversions", Source::counters, "doubles made of other numbers, and others of doubles",
     "type conversions", "smsp__sass_thread_inst_executed_op_conversion_pred_on.sum",
     sum_of_counter<conversions>},
    {"divergent_branches", "branches", Source::counters, "branches at which lanes of a warp part",
     "divergent branches", "divergent_branches", sum_of_counter<divergent_branches>},
    {"active_lanes", "lanes", Source::counters, "active lanes of a warp", "active threads per warp",
     "instructions_lanes instructions_warps", of_counters<metrics::active_lanes>},
    {"tail_efficiency", "share", Source::counters, "blocks over the places in their whole waves",
     "wave efficiency (tail effect)",
     "launch__waves_per_multiprocessor launch__occupancy_limit_registers launch__occupancy_limit_shared_mem",
     tail_efficiency_on_device, true},
    {"findings", "findings", Source::counters, "races, out-of-bounds and uninitialised accesses",
     "diagnostics of a memory and a race checker", "", of_counters<metrics::findings>},
    {"ulps", "units in the last place", Source::result, "distance of the result from the exact one",
     "ulp error", "", nullptr},
};

/// The name and the kernel filter after the colon.
std::pair<std::string_view, std::string_view> split(std::string_view name) {
  const auto colon = name.find(':');
  if (colon == name.npos) return {name, {}};
  return {name.substr(0, colon), name.substr(colon + 1)};
}

/// Levenshtein distance.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] != b[j]);
      diagonal = std::exchange(row[j + 1], std::min({row[j] + 1, row[j + 1] + 1, changed}));
    }
  }
  return row.back();
}

}  // namespace

std::span<const Metric> all_metrics() {
  return rows;
}

const Metric& find_metric(std::string_view name) {
  // Contracts are read by people: "sectors per flop" is sectors_per_flop.
  std::string wanted(split(name).first.substr(0, 64));
  std::ranges::replace(wanted, ' ', '_');
  if (const auto found =
          std::ranges::find(rows, wanted, [](const Metric& row) { return std::string_view(row.name); });
      found != std::end(rows))
    return *found;
  std::vector<const char*> names;
  for (const Metric& row : rows) names.push_back(row.name);
  std::ranges::stable_sort(names, {}, [&](const char* candidate) { return distance(wanted, candidate); });
  throw Error("no metric '" + wanted + "'; the nearest are " + names[0] + ", " + names[1] + ", " + names[2]);
}

double metric(std::string_view name, const Trace& trace, const Extras& extras) {
  const Metric& row = find_metric(name);
  if (!row.compute) throw Error(std::string(row.name) + " is not read from a trace");
  return row.compute(trace, extras, split(name).second);
}

}  // namespace ladder
