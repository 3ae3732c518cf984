#include "common/base/observation/launch_sum.hpp"

#include <algorithm>
#include <string>
#include <tuple>

namespace ladder {
namespace {

/// Accesses of a kernel that are kept apart; more are joined by their line, whatever array they access.
constexpr std::size_t max_lines = 500;

double wasted_a_request(const LineCounters& line) {
  return cost_of(line).wasted / static_cast<double>(std::max<std::uint64_t>(1, line.requests));
}

void add_line(LineCounters& to, const LineCounters& more) {
  if (more.worst && (!to.worst || wasted_a_request(more) > wasted_a_request(to))) to.worst = more.worst;
  add_counts(to, more);
}

void add_branches(std::vector<BranchCounters>& all, const std::vector<BranchCounters>& more) {
  for (const BranchCounters& branch : more) {
    const auto same = std::ranges::find_if(all, [&](const BranchCounters& b) {
      return b.site.line == branch.site.line && b.site.file == branch.site.file;
    });
    if (same == all.end()) {
      all.push_back(branch);
    } else {
      same->executed += branch.executed;
      same->divergent += branch.divergent;
      same->idle += branch.idle;
    }
  }
}

double threads_of(const LaunchCounters& launch) {
  double threads = 1;
  for (int i = 0; i < 3; ++i) threads *= static_cast<double>(launch.grid[i]) * launch.block[i];
  return threads;
}

}  // namespace

LineCost cost_of(const LineCounters& line) {
  LineCost cost;
  const auto amount = [](std::uint64_t n) { return static_cast<double>(n); };
  if (line.operation == "atomic") {
    cost.passes =
        std::min(amount(line.lanes), amount(line.requests) * amount(line.most_lanes_at_one_address));
    cost.wasted = std::max(0.0, cost.passes - amount(line.requests));
  } else if (line.space == "shared") {
    cost.passes = amount(line.wavefronts);
    cost.wasted = cost.passes - amount(line.necessary_wavefronts);
  } else {
    cost.passes = amount(line.sectors) / 4;
    cost.wasted = cost.passes - amount(line.necessary_sectors) / 4;
  }
  cost.wasted = std::max(0.0, cost.wasted);
  return cost;
}

void add_counts(LineCounters& to, const LineCounters& more) {
  to.requests += more.requests, to.lanes += more.lanes, to.distinct_bytes += more.distinct_bytes;
  to.sectors += more.sectors, to.necessary_sectors += more.necessary_sectors;
  to.wavefronts += more.wavefronts, to.necessary_wavefronts += more.necessary_wavefronts;
  to.most_lanes_at_one_address = std::max(to.most_lanes_at_one_address, more.most_lanes_at_one_address);
  to.intervals += more.intervals, to.object_bytes = std::max(to.object_bytes, more.object_bytes);
}

double counter_of(const LaunchCounters& launch, const char* name) {
  const auto found = launch.counters.find(name);
  return found == launch.counters.end() ? 0 : found->second;
}

void add_lines(std::vector<LineCounters>& all, const std::vector<LineCounters>& more) {
  // One line may read two arrays: each has its own access.
  const auto place = [](const LineCounters& l) {
    return std::tie(l.site.file, l.site.line, l.space, l.operation, l.size);
  };
  const auto object = [](const LineCounters& l) { return l.worst ? l.worst->object : std::string(); };
  for (const LineCounters& line : more) {
    const bool apart = all.size() < max_lines;
    const auto same = std::ranges::find_if(all, [&](const LineCounters& l) {
      return place(l) == place(line) && (!apart || object(l) == object(line));
    });
    if (same == all.end())
      all.push_back(line);
    else
      add_line(*same, line);
  }
}

void add_launch(LaunchCounters& sum, const LaunchCounters& more) {
  sum.blocks = sum.all_blocks() + more.all_blocks();
  sum.launches += more.launches;
  sum.observed_blocks += more.observed_blocks;
  if (threads_of(more) > threads_of(sum)) {
    sum.grid = more.grid, sum.block = more.block;
    sum.static_shared = more.static_shared, sum.dynamic_shared = more.dynamic_shared;
  }
  // When one launch did not count something, the sum is unknown.
  for (const auto& [name, why] : more.skipped) sum.skipped.emplace(name, why), sum.counters.erase(name);
  for (const auto& [name, amount] : more.counters)
    if (!sum.skipped.count(name)) sum.counters[name] += amount;
  add_lines(sum.lines, more.lines);
  add_branches(sum.branches, more.branches);
}

}  // namespace ladder
