#pragma once
/// @file
/// Barriers that are objects in memory: what cuda::barrier, pipelines and tiles of several warps are made of.

#include <stddef.h>
#include <stdint.h>

#include "executor/async_copy.h"
#include "executor/site.h"
#include "executor/threads.h"

#include "executor/unobserved_begin.h"

namespace ladder::executor {

/// 8 bytes, as a GPU's. Without a constructor: it lies in shared memory.
struct BarrierObject {
  uint16_t expected;  ///< arrivals a phase
  uint16_t pending;   ///< arrivals that this phase still needs
  uint32_t phase;     ///< phases that have ended
};

void barrier_init(BarrierObject* barrier, unsigned expected, const Site& site);
/// @param drop the caller will not come to later phases. @return the phase that it arrived at
unsigned barrier_arrive(BarrierObject* barrier, unsigned count, bool drop, const Site& site);
/// Waits until this many phases have ended.
void barrier_wait(const BarrierObject* barrier, unsigned phases, const Site& site);
bool barrier_passed(const BarrierObject* barrier, unsigned phases);
/// Parity of the phase that is going on.
bool barrier_parity(const BarrierObject* barrier, const Site& site);
/// Waits until the phase with that parity has ended.
void barrier_wait_parity(const BarrierObject* barrier, bool parity, const Site& site);

/// @name What the observed mode sees of a barrier: its beginning, a release by each arrival, an acquisition
/// by each wait that has ended. Inlined, as an atomic's, so that their place in the program of the thread is
/// known.
/// @{
LADDER_EXECUTOR_INLINE void observe_begin(BarrierObject* barrier) {
  observe_atomic_store(barrier, sizeof *barrier, 0);
}
LADDER_EXECUTOR_INLINE void observe_arrival(BarrierObject* barrier) {
  observe_atomic(barrier, sizeof *barrier, ordering::releases);
}
LADDER_EXECUTOR_INLINE void observe_wait(const BarrierObject* barrier) {
  observe_atomic_load(barrier, sizeof *barrier, ordering::acquires);
}
/// @}

/// Waits until wake_at_object(object). For threads of one block.
void wait_at_object(const void* object, const Site& site);
void wake_at_object(const void* object);

/// Lanes of the caller's warp that have come to the same line and can go on together.
unsigned converged_lanes(const Site& site);

/// What the threads of a tile brought.
struct TileValues {
  const uint64_t* value;
  const void* present;
  bool has(unsigned rank) const;  ///< exited threads brought nothing
  LADDER_EXECUTOR_UNOBSERVED uint64_t operator[](unsigned rank) const { return value[rank]; }
};
/// Waits for all threads of the tile that begins at thread `first` of the block.
TileValues tile_exchange(unsigned first, unsigned count, uint64_t value, const Site& site);

}  // namespace ladder::executor

#include "executor/unobserved_end.h"
