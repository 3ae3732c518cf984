#include "common/executor/observe/counters/site_counters.hpp"

#include <algorithm>

namespace ladder::executor {

void SiteCounters::count(const Request& request, const Addresses& addresses) {
  const std::uint64_t first = addresses.first();
  // Sectors depend on where the first lane is in its sector, wavefronts only on where it is in its word.
  const auto phase = static_cast<unsigned>(first % (space == Space::shared ? 4 : sector_bytes));
  std::uint64_t differs = (last_.mask ^ addresses.mask) | (last_.phase ^ phase);
  for (unsigned i = 0; i < 32; ++i) differs |= (addresses.lane[i] - first) ^ last_.distance[i];
  if (differs) {
    for (unsigned i = 0; i < 32; ++i) last_.distance[i] = addresses.lane[i] - first;
    last_.mask = addresses.mask;
    last_.phase = phase;
    last_.shape = space == Space::shared           ? shared_shape(addresses)
                  : operation == Operation::atomic ? atomic_shape(addresses)
                                                   : global_shape(addresses);
  }
  const Shape& shape = last_.shape;
  ++requests;
  lanes += static_cast<unsigned>(__builtin_popcount(addresses.mask));
  distinct_bytes += shape.distinct_bytes;
  sectors += shape.sectors;
  necessary_sectors += shape.necessary_sectors;
  wavefronts += shape.wavefronts;
  necessary_wavefronts += shape.necessary_wavefronts;
  most_lanes_at_one_address =
      std::max<std::uint64_t>(most_lanes_at_one_address, shape.most_lanes_at_one_address);
  const RequestContext& where = request.context;
  if (where.block != last_block_ || where.interval != last_interval_) ++intervals;
  last_block_ = where.block;
  last_interval_ = where.interval;
  object_bytes =
      std::max(object_bytes, static_cast<std::uint64_t>(request.object->end - request.object->begin));
  keep_example(request, shape);
}

void SiteCounters::keep_example(const Request& request, const Shape& shape) {
  const unsigned excess = operation == Operation::atomic ? shape.most_lanes_at_one_address
                          : space == Space::shared       ? shape.wavefronts - shape.necessary_wavefronts
                                                         : shape.sectors - shape.necessary_sectors;
  if (worst && excess <= worst->excess) return;
  worst = Example{request.context.block, request.warp,          request.mask,        excess,
                  request.object,        request.object->begin, request.object->end, {}};
  for (unsigned lane = 0; lane < 32; ++lane)
    if (request.mask >> lane & 1) worst->address[lane] = request.address[lane];
}

void SiteCounters::add(const SiteCounters& other) {
  code = other.code;
  space = other.space;
  operation = other.operation;
  size = other.size;
  requests += other.requests;
  lanes += other.lanes;
  distinct_bytes += other.distinct_bytes;
  sectors += other.sectors;
  necessary_sectors += other.necessary_sectors;
  wavefronts += other.wavefronts;
  necessary_wavefronts += other.necessary_wavefronts;
  most_lanes_at_one_address = std::max(most_lanes_at_one_address, other.most_lanes_at_one_address);
  intervals += other.intervals;
  object_bytes = std::max(object_bytes, other.object_bytes);
  if (!other.worst) return;
  // The CPU thread that runs a block varies: the example must not depend on it.
  const bool better = !worst || other.worst->excess > worst->excess ||
                      (other.worst->excess == worst->excess && other.worst->block < worst->block);
  if (better) worst = other.worst;
}

void LaunchTotals::add(const LaunchTotals& other) {
  for (const auto& [key, site] : other.sites.all()) sites.at(key).add(site);
  for (const auto& [key, branch] : other.branches.all()) {
    SiteBranches& sum = branches.at(key);
    sum.code = branch.code;
    sum.add(branch);
  }
  for (const auto& [code, block] : other.blocks.all()) blocks.at(code).add(block);
  observed_blocks += other.observed_blocks;
  barriers += other.barriers;
  most_barriers = std::max(most_barriers, other.most_barriers);
  grid_barriers = std::max(grid_barriers, other.grid_barriers);
  warp_barriers += other.warp_barriers;
  accesses += other.accesses;
  results += other.results;
  idle_blocks += other.idle_blocks;
  idle_accesses += other.idle_accesses;
  std::size_t shared = 0;
  for (const auto& [begin, bytes] : other.shared_variables) shared += bytes;
  static_shared = std::max(static_shared, shared);
}

void LaunchTotals::clear() {
  sites.clear();
  branches.clear();
  blocks.clear();
  shared_variables.clear();
  static_shared = 0;
  observed_blocks = barriers = most_barriers = grid_barriers = warp_barriers = accesses = 0;
  results = idle_blocks = idle_accesses = 0;
}

}  // namespace ladder::executor
