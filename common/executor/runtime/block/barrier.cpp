/// @file
/// Barrier objects. A lock, because a barrier in global memory may be used by several blocks.

#include "common/executor/include/executor/barrier.h"

#include <mutex>

#include "common/executor/runtime/block/block.hpp"
#include "common/executor/runtime/memory.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {
namespace {

std::mutex mutex;

/// Shared memory begins with all bits set.
constexpr std::uint16_t not_initialised = 0xFFFF;

std::string where() {
  return in_kernel() ? "\n    in kernel " + current_runner->kernel()->name + ", " + where_in_grid() : "";
}

void check_initialised(const BarrierObject* barrier, Site site) {
  if (barrier->expected == not_initialised)
    fatal(site, "this cuda::barrier is not initialised: let one thread call init(), then __syncthreads()" +
                    where());
}

}  // namespace

void barrier_init(BarrierObject* barrier, unsigned expected, const Site& site) {
  if (expected == 0 || expected >= not_initialised)
    fatal(site, "a cuda::barrier for " + std::to_string(expected) + " threads" + where());
  std::lock_guard lock(mutex);
  *barrier = {static_cast<std::uint16_t>(expected), static_cast<std::uint16_t>(expected), 0};
}

unsigned barrier_arrive(BarrierObject* barrier, unsigned count, bool drop, const Site& site) {
  std::unique_lock lock(mutex);
  check_initialised(barrier, site);
  if (count > barrier->pending)
    fatal(site, "more threads arrive at a cuda::barrier than the " + std::to_string(barrier->expected) +
                    " that it was initialised for" + where());
  const unsigned phase = barrier->phase;
  barrier->pending = static_cast<std::uint16_t>(barrier->pending - count);
  if (drop) --barrier->expected;
  if (barrier->pending > 0) return phase;
  barrier->pending = barrier->expected;
  ++barrier->phase;
  lock.unlock();
  wake_at_object(barrier);
  return phase;
}

bool barrier_passed(const BarrierObject* barrier, unsigned phases) {
  std::lock_guard lock(mutex);
  return static_cast<std::int32_t>(barrier->phase - phases) >= 0;
}

bool barrier_parity(const BarrierObject* barrier, const Site& site) {
  std::lock_guard lock(mutex);
  check_initialised(barrier, site);
  return barrier->phase & 1;
}

namespace {

template <class Passed>
void wait_until(Passed passed, const BarrierObject* barrier, const Site& site) {
  check_initialised(barrier, site);
  // Only the block's own threads wake each other; in global memory another block may be the one to come.
  const bool of_device = DeviceMemory::get().contains(barrier);
  while (!passed()) {
    if (of_device)
      yield_thread();
    else
      wait_at_object(barrier, site);
  }
}

}  // namespace

void barrier_wait(const BarrierObject* barrier, unsigned phases, const Site& site) {
  wait_until([&] { return barrier_passed(barrier, phases); }, barrier, site);
}

void barrier_wait_parity(const BarrierObject* barrier, bool parity, const Site& site) {
  wait_until([&] { return barrier_parity(barrier, site) != parity; }, barrier, site);
}

}  // namespace ladder::executor
