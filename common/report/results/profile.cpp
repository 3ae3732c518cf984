/// @file
/// What the views of a profile have in common: groups of launches, lines by what they waste, sentences.

#include "common/report/results/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <tuple>

#include "common/base/text/numbers.hpp"
#include "common/base/text/target_text.hpp"
#include "common/report/text/table.hpp"
#include "common/trace/access_text.hpp"
#include "common/trace/metrics.hpp"
#include "common/trace/ncu.hpp"
#include "common/trace/occupancy.hpp"

namespace ladder::report {
namespace {

double threads_of(const LaunchCounters& launch) {
  const LaunchShape shape = shape_of(launch);
  return shape.blocks * shape.threads;
}

void add_to(KernelGroup& group, const LaunchCounters& launch) {
  const double blocks = shape_of(launch).blocks;
  group.launches += launch.launches;
  if (group.launches == launch.launches) {
    group.sum = group.largest = launch;
    group.blocks = {blocks, blocks};
    return;
  }
  if (threads_of(launch) > threads_of(group.largest)) group.largest = launch;
  group.blocks = {std::min(group.blocks[0], blocks), std::max(group.blocks[1], blocks)};
  add_launch(group.sum, launch);
}

}  // namespace

std::vector<KernelGroup> kernel_groups(const Observation& observation) {
  std::vector<KernelGroup> groups;
  for (const LaunchCounters& launch : observation.launches) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const KernelGroup& g) {
      return g.kernel == launch.kernel && g.site.file == launch.site.file && g.site.line == launch.site.line;
    });
    if (same == groups.end()) {
      groups.push_back({launch.kernel, launch.site, 0, {}, {}, {}});
      add_to(groups.back(), launch);
    } else {
      add_to(*same, launch);
    }
  }
  return groups;
}

bool wastes(const LineCounters& line) {
  return cost_of(line).wasted > 0 && !is_ideal(line);
}

std::vector<LineCounters> worst_lines(const Observation& observation, std::size_t most) {
  std::vector<LineCounters> all;
  for (const LaunchCounters& launch : observation.launches) add_lines(all, launch.lines);
  std::stable_sort(all.begin(), all.end(), [](const LineCounters& a, const LineCounters& b) {
    const LineCost x = cost_of(a), y = cost_of(b);
    return std::tie(x.wasted, x.passes) > std::tie(y.wasted, y.passes);
  });
  if (std::ranges::any_of(all, wastes))
    std::erase_if(all, [](const LineCounters& line) { return !wastes(line); });
  if (all.size() > most) all.resize(most);
  return all;
}

std::string source_text(const Profile& profile, const SourceLine& site) {
  const auto file = profile.sources.find(site.file);
  if (file == profile.sources.end()) return "";
  std::istringstream lines(file->second);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number)
    if (number == site.line) return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
  return "";
}

std::string target_sentence(const ProfileTarget& t) {
  return ladder::target_sentence(t.metric, t.amount, t.necessary, t.formula, t.ratio(), t.relation, t.bound);
}

std::string device_sentence(const KernelGroup& group, const DeviceLimits& device) {
  const LaunchShape shape = shape_of(group.largest);
  const Occupancy o = occupancy(shape, device);
  if (!o.impossible.empty()) return "cannot run there: " + o.impossible;
  const Waves w = waves(shape, device);
  const std::string registers = shape.registers ? fmt::format("{} registers per thread", *shape.registers)
                                                : std::string("registers not known");
  const bool model = device.name == executor_limits().name;
  return fmt::format(
      "{}{} block{} per multiprocessor, {} of its warps, limited by {} ({}); {} block{} in {:.3g} wave{} on "
      "{} "
      "multiprocessors: {} of the places have work",
      model ? "a model of a GPU, since none is here (--as H200 names another): " : "", o.blocks,
      o.blocks == 1 ? "" : "s", per_cent(o.share), o.limited_by, registers, amount_text(shape.blocks),
      shape.blocks == 1 ? "" : "s", w.waves, w.waves == 1 ? "" : "s", device.multiprocessors,
      per_cent(w.tail_efficiency));
}

std::string no_kernels_sentence(const Profile& profile) {
  const double kernels = profile.trace ? metrics::kernels(*profile.trace) : 0;
  if (kernels == 0) return "No kernel was launched.";
  if (kernels == 1) return "Its one kernel was a call of a library: what is inside of it is not counted.";
  return fmt::format("All {} kernels were calls of a library: what is inside of them is not counted.",
                     amount_text(kernels));
}

std::string bound_sentence(const LowerBound& bound) {
  if (bound.parts.empty())
    return "no bound: it has no published limits; --as \"GTX 1660\" names a device that has";
  std::vector<BoundPart> parts = bound.parts;
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  std::string text = fmt::format("at least {}: ", short_time(bound.seconds));
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += fmt::format("{}{} {}", i ? ", " : "", parts[i].what, short_time(parts[i].seconds));
  return text + ". A bound from published limits, no prediction: real times are longer";
}

std::vector<CounterRow> counter_rows(const KernelGroup& group, const Observation* hardware) {
  struct Named {
    const char* counter;
    const char* name;
    const char* over;    ///< the counter that it is divided by for the remark; null: none
    const char* remark;  ///< "{} per request"
  };
  static constexpr Named names[] = {
      {"global_load_requests", "load requests, device memory", nullptr, nullptr},
      {"global_load_sectors", "load sectors", "global_load_requests", "per request"},
      {"global_store_requests", "store requests, device memory", nullptr, nullptr},
      {"global_store_sectors", "store sectors", "global_store_requests", "per request"},
      {"global_bytes", "bytes asked for", nullptr, nullptr},
      {"necessary_sectors", "sectors that these requests need", nullptr, nullptr},
      {"global_atomic_requests", "atomic requests, device memory", nullptr, nullptr},
      {"global_atomic_sectors", "atomic sectors", "global_atomic_requests", "per request"},
      {"global_atomics", "atomics of lanes, device memory", nullptr, nullptr},
      {"shared_load_requests", "load requests, shared memory", nullptr, nullptr},
      {"shared_load_wavefronts", "load wavefronts", "shared_load_requests", "per request"},
      {"shared_store_requests", "store requests, shared memory", nullptr, nullptr},
      {"shared_store_wavefronts", "store wavefronts", "shared_store_requests", "per request"},
      {"necessary_wavefronts", "wavefronts that these requests need", nullptr, nullptr},
      {"shared_atomics", "atomics of lanes, shared memory", nullptr, nullptr},
      {"barriers", "barriers of blocks", nullptr, nullptr},
      {"most_barriers", "barriers of the busiest block", nullptr, nullptr},
      {"grid_barriers", "barriers of the grid", nullptr, nullptr},
      {"warp_barriers", "warp operations (shuffles, votes, __syncwarp)", nullptr, nullptr},
      {"branches", "branches of warps", nullptr, nullptr},
      {"divergent_branches", "divergent branches", "branches", "of the branches"},
      {"local_bytes", "bytes of local memory", nullptr, nullptr},
      {"fp64_operations", "FP64 operations", nullptr, nullptr},
  };
  std::vector<const LaunchCounters*> counted;
  if (hardware)
    for (const LaunchCounters& launch : hardware->launches)
      if (kernel_base_name(launch.kernel) == kernel_base_name(group.kernel)) counted.push_back(&launch);
  const auto& counters = group.sum.counters;
  std::vector<CounterRow> rows;
  for (const Named& named : names) {
    CounterRow row{named.name, {}, "", {}};
    const auto found = counters.find(named.counter);
    if (found != counters.end()) row.amount = found->second;
    if (const auto why = group.sum.skipped.find(named.counter); why != group.sum.skipped.end())
      row.remark = why->second;
    if (named.over && row.amount)
      if (const auto over = counters.find(named.over); over != counters.end() && over->second > 0)
        row.remark = fmt::format("{} {}", short_number(*row.amount / over->second), named.remark);
    double sum = 0;
    std::size_t known = 0;
    for (const LaunchCounters* launch : counted)
      if (const auto at = launch->counters.find(named.counter); at != launch->counters.end())
        sum += at->second, ++known;
    if (known > 0 && known == counted.size()) row.hardware = sum;
    const bool zero = row.amount.value_or(0) == 0 && row.hardware.value_or(0) == 0 && row.remark.empty();
    if (!zero) rows.push_back(row);
  }
  const auto warps = counters.find("instructions_warps"), lanes = counters.find("instructions_lanes");
  if (warps != counters.end() && lanes != counters.end() && warps->second > 0)
    rows.push_back({"active lanes of a warp, mean", lanes->second / warps->second, "of 32", {}});
  return rows;
}

}  // namespace ladder::report
