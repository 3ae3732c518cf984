#include "common/executor/observe/observation_builder.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "common/base/observation/launch_sum.hpp"
#include "common/executor/observe/addresses/names.hpp"
#include "common/executor/observe/counters/arithmetic.hpp"
#include "common/executor/observe/counters/lines.hpp"
#include "common/executor/observe/counters/ptxas_info.hpp"
#include "common/executor/runtime/block/block.hpp"
#include "common/executor/runtime/symbols.hpp"

namespace ladder::executor {
namespace {

/// Lines and branches of launches that are listed singly: about 1 KB each in the document.
constexpr std::size_t max_entries = 10'000;
/// Sums by kernel and line.
constexpr std::size_t max_sums = 200;
constexpr std::size_t max_findings = 1000;

const char* name_of(Space space) {
  return space == Space::shared ? "shared" : space == Space::host ? "host" : "global";
}

const char* name_of(Operation operation) {
  return operation == Operation::load ? "load" : operation == Operation::store ? "store" : "atomic";
}

WarpAccess picture(const Kernel& kernel, const Example& example, const SourceLine& line) {
  WarpAccess access{block_index_of(kernel, example.block),
                    example.warp,
                    example.mask,
                    {},
                    object_name(*example.object, line)};
  // Lanes of one instruction may access several objects, where the code selects a pointer: only one is shown.
  const auto begin = reinterpret_cast<std::uintptr_t>(example.begin);
  const auto end = reinterpret_cast<std::uintptr_t>(example.end);
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::uintptr_t address = example.address[lane];
    const bool there = (example.mask >> lane & 1) && address >= begin && address < end;
    access.at.push_back(there ? static_cast<std::int64_t>(address - begin) : -1);
  }
  return access;
}

void add(LineCounters& line, const SiteCounters& site) {
  line.requests += site.requests;
  line.lanes += site.lanes;
  line.distinct_bytes += site.distinct_bytes;
  if (site.space == Space::shared) {
    line.wavefronts += site.wavefronts;
    line.necessary_wavefronts += site.necessary_wavefronts;
    // The sites of a line belong to one loop: they are executed in the same intervals.
    line.intervals = std::max(line.intervals, site.intervals);
    line.object_bytes = std::max(line.object_bytes, site.object_bytes);
  } else {
    line.sectors += site.sectors;
    line.necessary_sectors += site.necessary_sectors;
  }
  if (site.operation == Operation::atomic)
    line.most_lanes_at_one_address = std::max(line.most_lanes_at_one_address, site.most_lanes_at_one_address);
}

/// Sites in the order of the code: the order of pointers differs from run to run.
template <class Value>
std::vector<const Value*> in_order(const SiteTable<Value>& table) {
  std::vector<std::pair<std::uint64_t, const Value*>> all;
  for (const auto& [key, value] : table.all()) all.emplace_back(key, &value);
  std::ranges::sort(all);
  std::vector<const Value*> result;
  for (const auto& [key, value] : all) result.push_back(value);
  return result;
}

/// One entry per line, space, operation, size and object: unrolled loops and inlined functions have several
/// code addresses for one line, and A[i] * B[j] are two accesses of one line.
std::vector<LineCounters> lines_of(const Kernel& kernel, const LaunchTotals& totals) {
  using Key = std::tuple<std::string, int, std::string, std::string, unsigned, std::string>;
  std::map<Key, LineCounters> lines;
  std::map<Key, const Example*> worst;
  for (const SiteCounters* site : in_order(totals.sites)) {
    const SourceLine where = line_of(site->code);
    const std::string object = site->worst ? object_name(*site->worst->object, where) : "";
    const Key key{where.file, where.line, name_of(site->space), name_of(site->operation), site->size, object};
    LineCounters& line = lines[key];
    line.site = where;
    line.space = name_of(site->space);
    line.operation = name_of(site->operation);
    line.size = site->size;
    add(line, *site);
    const Example*& example = worst[key];
    if (site->worst && (!example || site->worst->excess > example->excess)) example = &*site->worst;
  }
  std::vector<LineCounters> result;
  for (auto& [key, line] : lines) {
    if (const Example* example = worst[key]) line.worst = picture(kernel, *example, line.site);
    result.push_back(std::move(line));
  }
  return result;
}

std::vector<BranchCounters> branches_of(const LaunchTotals& totals) {
  std::map<std::pair<std::string, int>, BranchCounters> lines;
  for (const SiteBranches* site : in_order(totals.branches)) {
    if (in_headers(site->code)) continue;
    const SourceLine where = line_of(site->code);
    if (where.file.empty()) continue;
    BranchCounters& line = lines[{where.file, where.line}];
    line.site = where;
    line.executed += site->executed;
    line.divergent += site->divergent;
    line.idle += site->idle;
  }
  std::vector<BranchCounters> result;
  for (const auto& [key, line] : lines) result.push_back(line);
  return result;
}

/// Executions of basic blocks. Those of the executor's headers are a GPU's single instructions; a small
/// kernel may begin with one and have no other.
SiteBlock students_blocks(const LaunchTotals& totals) {
  SiteBlock all, students;
  for (const auto& [code, block] : totals.blocks.all()) {
    all.add(block);
    if (!in_headers(static_cast<std::uint32_t>(code))) students.add(block);
  }
  return students.warps > 0 ? students : all;
}

/// The counters of a launch by the names in observation.hpp, from its lines.
std::map<std::string, double> counters_of(const LaunchCounters& launch, const LaunchTotals& totals) {
  std::map<std::string, double> c;
  for (const char* name : {"global_load_requests",
                           "global_store_requests",
                           "global_load_sectors",
                           "global_store_sectors",
                           "global_bytes",
                           "distinct_global_bytes",
                           "necessary_sectors",
                           "shared_load_requests",
                           "shared_store_requests",
                           "shared_load_wavefronts",
                           "shared_store_wavefronts",
                           "necessary_wavefronts",
                           "global_atomics",
                           "global_atomic_requests",
                           "global_atomic_sectors",
                           "shared_atomics",
                           "shared_atomic_requests",
                           "branches",
                           "divergent_branches",
                           "instructions_lanes",
                           "instructions_warps"})
    c[name] = 0;
  for (const LineCounters& line : launch.lines) {
    const std::string space =
        line.space == "shared" ? "shared" : "global";  // pinned memory is global to a kernel
    if (line.operation == "atomic") {
      c[space + "_atomics"] += static_cast<double>(line.lanes);
      c[space + "_atomic_requests"] += static_cast<double>(line.requests);
      if (space == "global") c["global_atomic_sectors"] += static_cast<double>(line.sectors);
      continue;
    }
    c[space + "_" + line.operation + "_requests"] += static_cast<double>(line.requests);
    if (space == "shared") {
      c["shared_" + line.operation + "_wavefronts"] += static_cast<double>(line.wavefronts);
      c["necessary_wavefronts"] += static_cast<double>(line.necessary_wavefronts);
    } else {
      c["global_" + line.operation + "_sectors"] += static_cast<double>(line.sectors);
      c["global_bytes"] += static_cast<double>(line.lanes * line.size);
      c["distinct_global_bytes"] += static_cast<double>(line.distinct_bytes);
      c["necessary_sectors"] += static_cast<double>(line.necessary_sectors);
    }
  }
  for (const BranchCounters& branch : launch.branches) {
    c["branches"] += static_cast<double>(branch.executed);
    c["divergent_branches"] += static_cast<double>(branch.divergent);
  }
  c["barriers"] = static_cast<double>(totals.barriers);
  c["most_barriers"] = static_cast<double>(totals.most_barriers);
  c["grid_barriers"] = static_cast<double>(totals.grid_barriers);
  c["idle_blocks"] = static_cast<double>(totals.idle_blocks);
  c["idle_accesses"] = static_cast<double>(totals.idle_accesses);
  c["warp_barriers"] = static_cast<double>(totals.warp_barriers);
  const SiteBlock blocks = students_blocks(totals);
  c["instructions_lanes"] = static_cast<double>(blocks.lanes);
  c["instructions_warps"] = static_cast<double>(blocks.warps);
  return c;
}

}  // namespace

void ObservationBuilder::add_launch(const Kernel& kernel, const LaunchTotals& totals,
                                    const std::string& why_less) {
  LaunchCounters launch;
  launch.kernel = kernel.name;
  launch.site = {shown_path(kernel.site.file), kernel.site.line};
  launch.grid = {kernel.grid.x, kernel.grid.y, kernel.grid.z};
  launch.block = {kernel.block.x, kernel.block.y, kernel.block.z};
  launch.static_shared = totals.static_shared;
  launch.dynamic_shared = kernel.shared_bytes;
  launch.observed_blocks = totals.observed_blocks;
  launch.lines = lines_of(kernel, totals);
  launch.branches = branches_of(totals);
  launch.counters = counters_of(launch, totals);
  add_arithmetic(launch, totals);
  add_ptxas_info(launch);
  keep(std::move(launch));
  if (why_less.empty()) return;
  if (why_less_.empty())
    why_less_ = why_less;
  else
    ++more_less_;
}

void ObservationBuilder::keep(LaunchCounters launch) {
  if (summed_ == 0 && entries_ < max_entries) {
    entries_ += 1 + launch.lines.size() + launch.branches.size();
    launches_.push_back(std::move(launch));
    ++alone_;
    return;
  }
  ++summed_;
  const auto sums = launches_.begin() + static_cast<std::ptrdiff_t>(alone_);
  const auto same = std::find_if(sums, launches_.end(), [&](const LaunchCounters& sum) {
    return sum.kernel == launch.kernel && sum.site.line == launch.site.line &&
           sum.site.file == launch.site.file;
  });
  if (same != launches_.end())
    ladder::add_launch(*same, launch);
  else if (launches_.size() < alone_ + max_sums)
    launches_.push_back(std::move(launch));
  else
    ++left_out_;
}

Observation ObservationBuilder::observation(std::vector<Finding> findings) const {
  Observation observation;
  observation.launches = launches_;
  observation.findings = std::move(findings);
  observation.incomplete = why_less_;
  if (more_less_ > 0) observation.incomplete += "; and " + std::to_string(more_less_) + " launches more";
  if (summed_ > 0)
    observation.summed = "the first " + std::to_string(alone_) + " launches stand alone, " +
                         std::to_string(summed_ - left_out_) + " more are summed by kernel and line";
  const auto less = [&](const std::string& why) {
    observation.incomplete += (observation.incomplete.empty() ? "" : "; ") + why;
  };
  if (left_out_ > 0)
    less(std::to_string(left_out_) + " launches are not in the observation, only their findings");
  if (const std::size_t all = observation.findings.size(); all > max_findings) {
    observation.findings.resize(max_findings);  // the least severe ones go
    less(std::to_string(all - max_findings) + " findings are not in the observation");
  }
  return observation;
}

}  // namespace ladder::executor
