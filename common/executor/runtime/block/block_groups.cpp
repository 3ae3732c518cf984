/// @file
/// Groups of threads that are no warp and no block: those at a barrier object, those that have converged,
/// tiles of several warps. And what threads copy asynchronously.

#include <algorithm>

#include "common/executor/include/executor/barrier.h"
#include "common/executor/runtime/block/block.hpp"
#include "common/executor/runtime/observer.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {

// ---------------------------------------------------------------- objects

void BlockRunner::wait_at(const void* object, Site site) {
  if (observer) observer->thread_pauses(current_, Pause::barrier, site);
  Wait wait{site};
  wait.object = object;
  threads_[current_].state = State::at_object;
  park(State::at_object, wait);
}

void BlockRunner::wake(const void* object) {
  for (unsigned place = 0; place < count_; ++place) {
    const auto thread = static_cast<unsigned>(order_[place]);
    if (threads_[thread].state != State::at_object) continue;
    if (static_cast<const Wait*>(threads_[thread].fiber->wait)->object == object) make_ready(thread);
  }
}

// ---------------------------------------------------------------- converged threads

bool BlockRunner::warp_can_run(unsigned warp) const {
  for (unsigned thread = warp * 32; thread < std::min(count_, warp * 32 + 32); ++thread) {
    const State state = threads_[thread].state;
    if (state == State::unstarted || state == State::ready || state == State::running) return true;
  }
  return false;
}

/// Threads of a warp that come to the same line before any of them goes on: as a GPU runs them, in lockstep.
unsigned BlockRunner::converge(Site site) {
  const unsigned me = current_, lane = me % 32;
  Warp& warp = warps_[me / 32];
  if (observer) observer->thread_pauses(me, Pause::warp, site);
  warp.converging |= 1u << lane;
  threads_[me].state = State::converging;
  Wait wait{site};
  park(State::converging, wait);
  return warp.converged[lane];
}

/// Those at the line of the first lane.
void BlockRunner::release_converged(unsigned warp_number) {
  Warp& warp = warps_[warp_number];
  unsigned together = 0;
  const Site* line = nullptr;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(warp.converging >> lane & 1)) continue;
    const Site& site = static_cast<const Wait*>(threads_[warp_number * 32 + lane].fiber->wait)->site;
    if (!line) line = &site;
    if (site.line == line->line) together |= 1u << lane;
  }
  warp.converging &= ~together;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(together >> lane & 1)) continue;
    warp.converged[lane] = together;
    make_ready(warp_number * 32 + lane);
  }
}

// ---------------------------------------------------------------- tiles of several warps

TileValues BlockRunner::exchange_in_tile(unsigned first, unsigned count, std::uint64_t value, Site site) {
  const auto same = [&](const TileMeeting& tile) { return tile.first == first && tile.count == count; };
  auto found = std::ranges::find_if(tiles_, same);
  if (found == tiles_.end()) {
    found = tiles_.insert(tiles_.end(), TileMeeting{first, count, 0, 0, {}, {}});
    for (int set = 0; set < 2; ++set) {
      found->value[set].resize(count);
      found->present[set].resize(count);
    }
  }
  TileMeeting& tile = *found;
  const unsigned me = current_ - first, set = tile.passed & 1;
  if (tile.arrived == 0) std::fill(tile.present[set].begin(), tile.present[set].end(), false);
  tile.value[set][me] = value;
  tile.present[set][me] = true;
  ++tile.arrived;
  if (observer) observer->object_released(current_, &tile);
  const unsigned passed = tile.passed;
  pass_tile(tile);
  while (tile.passed == passed) wait_at(&tile, site);
  if (observer) observer->object_acquired(current_, &tile);
  return {tile.value[set].data(), &tile.present[set]};
}

/// Lets the tile go on when all of its threads that have not exited are there.
void BlockRunner::pass_tile(TileMeeting& tile) {
  unsigned live = 0;
  for (unsigned thread = tile.first; thread < std::min(count_, tile.first + tile.count); ++thread)
    live += threads_[thread].state != State::exited;
  if (tile.arrived == 0 || tile.arrived < live) return;
  tile.arrived = 0;
  ++tile.passed;
  wake(&tile);
}

void BlockRunner::pass_tiles_without(unsigned thread) {
  for (TileMeeting& tile : tiles_)
    if (thread >= tile.first && thread < tile.first + tile.count) pass_tile(tile);
}

bool TileValues::has(unsigned rank) const {
  return (*static_cast<const std::vector<bool>*>(present))[rank];
}

// ---------------------------------------------------------------- asynchronous copies

void add_async_copy(const AsyncCopy& copy) {
  if (!in_kernel()) fatal({}, "an asynchronous copy of a kernel is started by the host");
  current_runner->async_copies().push_back(copy);
}

unsigned committed_async_copies() {
  return in_kernel() ? current_runner->async_groups() : 0;
}

unsigned commit_async_copies() {
  const unsigned group = ++current_runner->async_groups();
  for (AsyncCopy& copy : current_runner->async_copies())
    if (!copy.barrier && copy.group == 0) copy.group = group;
  return group;
}

namespace {

template <class Matches>
bool remove_first(AsyncCopy* copy, Matches matches) {
  std::vector<AsyncCopy>& copies = current_runner->async_copies();
  const auto found = std::ranges::find_if(copies, matches);
  if (found == copies.end()) return false;
  *copy = *found;
  copies.erase(found);
  return true;
}

}  // namespace

bool take_async_copy(unsigned last, AsyncCopy* copy) {
  return remove_first(copy, [last](const AsyncCopy& c) { return c.group != 0 && c.group <= last; });
}
bool take_async_copy(const void* barrier, AsyncCopy* copy) {
  return remove_first(copy, [barrier](const AsyncCopy& c) { return c.barrier == barrier; });
}

}  // namespace ladder::executor
