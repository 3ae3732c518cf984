/// @file
/// The report of a block that cannot go on: which threads wait where, and which are missing.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/executor/runtime/block/block.hpp"
#include "common/executor/runtime/observer.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {
namespace {

std::string hexadecimal(unsigned mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

const char* name_of(WarpOperation operation) {
  switch (operation) {
    case WarpOperation::sync:
      return "__syncwarp()";
    case WarpOperation::shuffle:
      return "a warp shuffle";
    case WarpOperation::vote:
      return "a warp vote";
    case WarpOperation::match:
      return "a warp match";
    case WarpOperation::reduce:
      return "a warp reduction";
    case WarpOperation::matrix:
      return "a tensor-core operation";
  }
  return "a warp operation";
}

}  // namespace

std::string BlockRunner::describe_wait(State state, const Wait* wait) const {
  switch (state) {
    case State::at_barrier:
      return "wait at __syncthreads(), " + to_string(wait->site);
    case State::at_grid_barrier:
      return "wait at grid.sync(), " + to_string(wait->site);
    case State::at_warp:
      return "wait in " + std::string(name_of(wait->operation)) + " of the lanes " + hexadecimal(wait->mask) +
             ", " + to_string(wait->site);
    case State::at_object:
      return "wait at a cuda::barrier, a pipeline or a tile of several warps, " + to_string(wait->site);
    case State::exited:
      return "have left the kernel";
    default:
      return "run";
  }
}

void BlockRunner::report_stuck() {
  struct Group {
    State state;
    const Wait* wait;
    unsigned threads, first;
  };
  std::vector<Group> groups;
  for (unsigned t = 0; t < count_; ++t) {
    const State state = threads_[t].state;
    const Wait* wait = state == State::exited ? nullptr : static_cast<const Wait*>(threads_[t].fiber->wait);
    Group* same = nullptr;
    for (Group& group : groups) {
      const bool equal =
          group.state == state &&
          (!wait || (group.wait->site.line == wait->site.line && group.wait->mask == wait->mask));
      if (equal) same = &group;
    }
    if (same)
      ++same->threads;
    else
      groups.push_back({state, wait, 1, t});
  }
  Site site;
  std::string details;
  for (const Group& group : groups) {
    if (group.wait && site.line == 0) site = group.wait->site;
    details += "\n    " + std::to_string(group.threads) +
               (group.threads == 1 ? " thread, " : " threads, first ") + to_string(index_of(group.first)) +
               ": " + describe_wait(group.state, group.wait);
  }
  const bool for_arrivals = std::ranges::all_of(groups, [](const Group& group) {
    return group.state == State::at_object || group.state == State::exited;
  });
  const std::string what =
      for_arrivals
          ? "a phase of a barrier does not end: arrivals are missing, or it is long over"
          : "barrier divergence: the threads of a block wait for each other at different places, none "
            "can go on";
  fatal(site, what + details + "\n    in kernel " + kernel_->name + " launched at " +
                  to_string(kernel_->site) + ", block " + to_string(static_cast<uint3>(blockIdx)));
}

/// Legal on Volta and later, and nearly always a mistake: said once.
void BlockRunner::note_second_site(Site site) {
  if (observer) return observer->barrier_of_two_sites(first_site_, site);
  static std::atomic<bool> reported{false};
  if (reported.exchange(true)) return;
  warn(site, "some threads of a block are at this __syncthreads(), others at the one of line " +
                 std::to_string(first_site_.line) +
                 ": a barrier in a branch that not all threads take\n    in kernel " + kernel_->name + ", " +
                 where_in_grid());
}

std::uint64_t undefined_lane(int lane, unsigned mask, const Site& site) {
  if (observer) observer->undefined_shuffle(lane, mask, site);
  return current_runner->first_contents() * 0x0101010101010101u;
}

void report_missing_lane(int lane, unsigned mask, const Site& site, WarpOperation operation) {
  const bool named = mask >> lane & 1;
  fatal(site, std::string(name_of(operation)) + " reads lane " + std::to_string(lane) +
                  (named ? ", which has left the kernel or does not exist"
                         : ", which is not in the mask " + hexadecimal(mask)) +
                  ": the value is undefined\n    in kernel " + current_runner->kernel()->name + ", " +
                  where_in_grid());
}

// ---------------------------------------------------------------- what kernels call

namespace {

BlockRunner& runner(const char* what, Site site) {
  if (!in_kernel())
    fatal(site, std::string(what) +
                    " is called by the host: only a kernel that was launched with <<<grid, block>>> may");
  return *current_runner;
}

}  // namespace

void block_barrier(const Site& site) {
  runner("__syncthreads()", site).barrier(site);
}
int block_vote(Vote vote, bool predicate, const Site& site) {
  return runner("__syncthreads()", site).vote(vote, predicate, site);
}
void grid_barrier(const Site& site) {
  runner("grid.sync()", site).grid_barrier(site);
}
WarpValues warp_exchange(WarpOperation operation, unsigned mask, std::uint64_t value, const Site& site) {
  return runner("a warp function", site).exchange(operation, mask, value, site);
}
int lane() {
  return runner("a warp function", {}).lane();
}
void* dynamic_shared() {
  return runner("extern __shared__ memory", {}).dynamic_shared();
}
bool grid_can_wait() {
  return in_kernel() && current_runner->kernel()->cooperative;
}
void wait_at_object(const void* object, const Site& site) {
  runner("a barrier of a block", site).wait_at(object, site);
}
void wake_at_object(const void* object) {
  if (in_kernel()) current_runner->wake(object);
}
unsigned converged_lanes(const Site& site) {
  return runner("__activemask() or coalesced_threads()", site).converge(site);
}
TileValues tile_exchange(unsigned first, unsigned count, std::uint64_t value, const Site& site) {
  return runner("a tile of several warps", site).exchange_in_tile(first, count, value, site);
}
void yield_thread() {
  if (in_kernel()) current_runner->yield();
}
void trap(const Site& site) {
  fatal(site, "the kernel calls __trap()\n    in " + where_in_grid());
}

}  // namespace ladder::executor
