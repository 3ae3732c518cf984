#include "common/trace/oclgrind_plugin/totals.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

namespace ladder::oclgrind_plugin {
namespace {

std::string_view operation_of(Action action) {
  switch (action) {
    case Action::global_load:
    case Action::local_load:
      return "load";
    case Action::global_store:
    case Action::local_store:
      return "store";
    default:
      return "atomic";
  }
}

/// How much more than necessary an access costs, as a key to compare by.
auto badness(const Shape& cost, bool local) {
  const unsigned is = local ? cost.wavefronts : cost.sectors;
  const unsigned minimum = local ? cost.necessary_wavefronts : cost.necessary_sectors;
  return std::pair(is - std::min(is, minimum), is);
}

/// The worse of two examples, of equal ones the earlier one: the same in every run, however many threads
/// there are.
bool worse(const PlaceTotals& a, const PlaceTotals& b, bool local) {
  const auto of_a = badness(a.worst_cost, local), of_b = badness(b.worst_cost, local);
  if (of_a != of_b) return of_a > of_b;
  const auto place = [](const WarpPosition& p) {
    return std::tuple(p.group[2], p.group[1], p.group[0], p.warp);
  };
  return place(a.worst_at) < place(b.worst_at);
}

void keep_worse(PlaceTotals& mine, const PlaceTotals& other, bool local) {
  if (mine.worst.mask != 0 && !worse(other, mine, local)) return;
  mine.worst = other.worst;
  mine.worst_cost = other.worst_cost;
  mine.worst_at = other.worst_at;
}

void add(LineCounters& sum, const LineCounters& part) {
  sum.requests += part.requests;
  sum.lanes += part.lanes;
  sum.distinct_bytes += part.distinct_bytes;
  sum.sectors += part.sectors;
  sum.necessary_sectors += part.necessary_sectors;
  sum.wavefronts += part.wavefronts;
  sum.necessary_wavefronts += part.necessary_wavefronts;
  sum.most_lanes_at_one_address = std::max(sum.most_lanes_at_one_address, part.most_lanes_at_one_address);
}

/// Whether the lanes of a warp went different ways.
bool diverges(const Execution& branch) {
  const auto first = static_cast<std::size_t>(std::countr_zero(branch.mask));
  for (std::size_t lane = first; lane < warp_size; ++lane)
    if (branch.mask >> lane & 1 && branch.value[lane] != branch.value[first]) return true;
  return false;
}

PlaceTotals of_access(const Place& place, const Execution& execution, const WarpPosition& at) {
  const Addresses addresses = addresses_of(execution, place.size);
  const Shape cost = is_local(place.action) ? shared_shape(addresses) : global_shape(addresses);
  PlaceTotals one;
  one.line.requests = 1;
  one.line.lanes = static_cast<std::uint64_t>(std::popcount(execution.mask));
  one.line.distinct_bytes = cost.distinct_bytes;
  one.line.sectors = cost.sectors;
  one.line.necessary_sectors = cost.necessary_sectors;
  one.line.wavefronts = cost.wavefronts;
  one.line.necessary_wavefronts = cost.necessary_wavefronts;
  if (operation_of(place.action) == "atomic")
    one.line.most_lanes_at_one_address = cost.most_lanes_at_one_address;
  one.worst = execution;
  one.worst_cost = cost;
  one.worst_at = at;
  return one;
}

WarpAccess example_of(const PlaceTotals& totals, Action action, const Totals::Locate& locate) {
  WarpAccess example;
  example.block = totals.worst_at.group;
  example.warp = totals.worst_at.warp;
  example.mask = totals.worst.mask;
  example.at.assign(warp_size, -1);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if (!(example.mask >> lane & 1)) continue;
    const auto [object, offset] = locate(action, totals.worst.value[lane]);
    if (example.object.empty()) example.object = object;
    if (object == example.object) example.at[lane] = offset;
  }
  return example;
}

/// A launch's sums from those of its lines.
void sum_up(const LineCounters& line, std::map<std::string, double>& counters) {
  const std::string space = line.space + "_";
  const bool global = line.space == "global";
  const auto add = [&](const std::string& name, std::uint64_t count) {
    counters[name] += static_cast<double>(count);
  };
  if (line.operation == "atomic") {
    add(space + "atomics", line.lanes);
    add(space + "atomic_requests", line.requests);
    if (global) add("global_atomic_sectors", line.sectors);
    return;
  }
  add(space + line.operation + "_requests", line.requests);
  if (global) {
    add(space + line.operation + "_sectors", line.sectors);
    add("global_bytes", line.lanes * line.size);
    add("distinct_global_bytes", line.distinct_bytes);
    add("necessary_sectors", line.necessary_sectors);
  } else {
    add(space + line.operation + "_wavefronts", line.wavefronts);
    add("necessary_wavefronts", line.necessary_wavefronts);
  }
}

}  // namespace

void Totals::add(const Place& place, const Execution& execution, const WarpPosition& at) {
  PlaceTotals& totals = places_[{place.instruction, place.action, place.size}];
  if (place.action != Action::jump) {
    const PlaceTotals one = of_access(place, execution, at);
    oclgrind_plugin::add(totals.line, one.line);
    keep_worse(totals, one, is_local(place.action));
    return;
  }
  block_lanes_ += static_cast<std::uint64_t>(std::popcount(execution.mask));
  ++block_warps_;
  if (place.instruction->kind != Instruction::Kind::branch) return;
  ++totals.line.requests;
  totals.divergent += diverges(execution);
}

void Totals::merge(const Totals& other) {
  for (const auto& [key, part] : other.places_) {
    PlaceTotals& sum = places_[key];
    oclgrind_plugin::add(sum.line, part.line);
    sum.divergent += part.divergent;
    if (part.worst.mask != 0) keep_worse(sum, part, is_local(std::get<Action>(key)));
  }
  skipped_.insert(other.skipped_.begin(), other.skipped_.end());
  barriers_ += other.barriers_;
  groups_ += other.groups_;
  fp64_ += other.fp64_;
  block_lanes_ += other.block_lanes_;
  block_warps_ += other.block_warps_;
}

std::vector<LineCounters> Totals::lines(const Locate& locate) const {
  // By line and object, not by instruction: a compiler that unrolls a loop makes several of one access.
  using Access = std::tuple<std::string, int, Action, unsigned, std::string>;
  std::map<Access, PlaceTotals> accesses;
  for (const auto& [key, totals] : places_) {
    const auto& [instruction, action, size] = key;
    if (action == Action::jump) continue;
    const std::string object = example_of(totals, action, locate).object;
    PlaceTotals& sum = accesses[{instruction->site.file, instruction->site.line, action, size, object}];
    oclgrind_plugin::add(sum.line, totals.line);
    keep_worse(sum, totals, is_local(action));
  }
  std::vector<LineCounters> result;
  for (const auto& [access, totals] : accesses) {
    const auto& [file, number, action, size, object] = access;
    LineCounters line = totals.line;
    line.site = {file, number};
    line.space = is_local(action) ? "shared" : "global";
    line.operation = operation_of(action);
    line.size = size;
    line.worst = example_of(totals, action, locate);
    result.push_back(std::move(line));
  }
  return result;
}

std::vector<BranchCounters> Totals::branches() const {
  std::map<std::pair<std::string, int>, BranchCounters> by_line;
  for (const auto& [key, totals] : places_) {
    const Instruction& instruction = *std::get<const Instruction*>(key);
    if (instruction.kind != Instruction::Kind::branch) continue;
    BranchCounters& branch = by_line[{instruction.site.file, instruction.site.line}];
    branch.site = instruction.site;
    branch.executed += totals.line.requests;
    branch.divergent += totals.divergent;
  }
  std::vector<BranchCounters> result;
  for (const auto& [line, branch] : by_line) result.push_back(branch);
  return result;
}

void Totals::write_to(LaunchCounters& launch, const Locate& locate) const {
  for (const char* name :
       {"global_load_requests", "global_store_requests", "global_load_sectors", "global_store_sectors",
        "global_bytes", "distinct_global_bytes", "necessary_sectors", "shared_load_requests",
        "shared_store_requests", "shared_load_wavefronts", "shared_store_wavefronts", "necessary_wavefronts",
        "global_atomics", "global_atomic_requests", "global_atomic_sectors", "shared_atomics",
        "shared_atomic_requests", "branches", "divergent_branches"})
    launch.counters[name] = 0;
  launch.lines = lines(locate);
  for (const LineCounters& line : launch.lines) sum_up(line, launch.counters);
  launch.branches = branches();
  for (const BranchCounters& branch : launch.branches) {
    launch.counters["branches"] += static_cast<double>(branch.executed);
    launch.counters["divergent_branches"] += static_cast<double>(branch.divergent);
  }
  launch.observed_blocks = groups_;
  launch.counters["barriers"] = static_cast<double>(barriers_);
  launch.counters["fp64_operations"] = static_cast<double>(fp64_);
  launch.counters["instructions_lanes"] = static_cast<double>(block_lanes_);
  launch.counters["instructions_warps"] = static_cast<double>(block_warps_);
  launch.skipped = skipped_;
  launch.skipped["warp_barriers"] = "OpenCL 1.2 has none";
  launch.skipped["local_bytes"] = "Oclgrind does not know a GPU's registers";
  for (const auto& [counter, reason] : launch.skipped) launch.counters.erase(counter);
}

}  // namespace ladder::oclgrind_plugin
