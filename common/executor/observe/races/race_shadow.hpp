#pragma once
/// @file
/// Finds unordered accesses of two threads to the same bytes, one of them a write.

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "common/executor/observe/addresses/objects.hpp"
#include "common/executor/observe/counters/request.hpp"
#include "common/executor/observe/races/releases.hpp"

namespace ladder::executor {

/// One access of a warp, as long as cells may refer to it.
struct AccessRecord {
  std::uint64_t block = 0;
  std::uint32_t code = 0, interval = 0, meetings = 0;
  std::uint32_t in_interval =
      0;                       ///< the warp's executions of this access since the last barrier, with this one
  std::uint32_t in_block = 0;  ///< and since the block's start
  std::uint16_t warp = 0;
  Operation operation = Operation::load;
  bool atomic = false, is_volatile = false;
  bool arrived = false;        ///< of a copy: its thread has waited for it
  std::uint8_t ordering = 0;   ///< of an atomic: Request::ordering
  std::uint32_t position = 0;  ///< ThreadTime::position
};

/// One of the two parties of a race.
struct Party {
  AccessRecord access;
  unsigned lane = 0;
  unsigned thread() const { return access.warp * 32u + lane; }
};

/// A barrier of the block, for messages.
struct PassedBarrier {
  Site site{};
  unsigned times = 0;  ///< this site, in this block
};

struct Race {
  Party first, second;  ///< in the order in which the requests came
  const TrackedObject* object = nullptr;
  std::size_t offset = 0;
  unsigned size = 0;
  bool same_value = false;        ///< both wrote the same
  bool same_instruction = false;  ///< two lanes of one request
  bool one_loop = false;    ///< between two barriers a warp came to one of them as often as to the other
  PassedBarrier barrier{};  ///< the last one before both, when they are of one block
  Disorder disorder{};      ///< how the two threads synchronise

  /// A read between a copy's begin and the time when its thread has waited for it, or both are of one thread.
  bool copy_in_flight() const {
    return first.access.operation == Operation::copy && second.access.operation == Operation::load &&
           (first.access.arrived || first.access.interval != second.access.interval || one_thread());
  }
  bool one_thread() const { return one_warp() && first.lane == second.lane; }
  bool one_warp() const {
    return first.access.block == second.access.block && first.access.warp == second.access.warp;
  }
};

/// A read of shared memory that no thread of the block had written.
struct UninitialisedRead {
  Party reader;
  const TrackedObject* object = nullptr;
  std::size_t offset = 0;
  unsigned size = 0;
};

/// A thread releases or acquires an object like a cuda::barrier.
struct Synchronisation {
  const void* object;
  std::uint64_t number;  ///< in the order in which they happened
  std::uint32_t interval;
  unsigned thread;
  bool release;
};

/// Checks the accesses of one block after the other. Requests of an interval may come in any order of warps.
///
/// Numbers of records show the order: an access is ordered before the present one when it is from an earlier
/// interval of the block, or from an earlier launch; then no record needs to be read.
class RaceShadow {
 public:
  std::function<void(const Race&)> on_race;
  std::function<void(const UninitialisedRead&)> on_uninitialised_read;

  /// @param in_phases blocks come several times, from one barrier of the grid to the next, and keep their
  /// shared memory
  /// @param parallel several threads of the machine ran them: the order of atomics is not known exactly
  void begin_launch(bool in_phases, bool parallel);
  void begin_block(std::uint64_t block);
  void barrier(Site site);
  void end_block() { close_interval(); }
  /// After the last block.
  void end_launch();
  /// The rest of the block is not known, so its current interval cannot be checked.
  void cut_block();
  /// Whether a block of the launch has released data to others: by a fence and an atomic, or similar.
  bool orders_blocks() const { return orders_blocks_; }
  /// All blocks have met: what came before is ordered before what follows.
  void grid_barrier();
  void add(const Request& request);
  void synchronise(const Synchronisation& event);

  /// A range of an object that the present launch touched.
  struct Touched {
    const TrackedObject* object;
    std::size_t begin, end;
    bool write;
    bool atomic;  ///< the last access of its kind
  };
  std::vector<Touched> touched() const;
  /// Whether another thread wrote there in the same launch, and no barrier of one block is between it and the
  /// read.
  bool written_concurrently(const UninitialisedRead& read) const;

 private:
  /// What a warp has done at one access site.
  struct SiteState {
    std::uint32_t epoch = 0, block_epoch = 0;
    std::uint32_t in_interval = 0, in_block = 0, meetings = 0;
    AccessId id = 0;
  };
  /// Lanes that access the same address.
  struct Run {
    std::uint32_t lanes;
    std::uint64_t value;
    unsigned first() const { return static_cast<unsigned>(std::countr_zero(lanes)); }
  };
  /// What is the same for all cells of one access.
  struct CurrentAccess {
    AccessId id;
    std::uint8_t warp;
    const TrackedObject* object;
    std::size_t offset;
    unsigned size;
  };

  SiteState& state_of(unsigned warp, std::uint32_t code);
  void add_group(const Request& request, std::uint32_t lanes, std::uint32_t meetings, SiteState& site);
  AccessId record(const Request& request, std::uint32_t meetings, SiteState& site);
  template <Operation operation>
  void add_lanes(const Request& request, std::uint32_t lanes);
  template <Operation operation>
  void access(std::uint64_t address, const Run& run, const std::uint64_t* value);
  void select(const TrackedObject& object);
  void load(ShadowCell& cell, const Run& run);
  void store(ShadowCell& cell, const Run& run);
  /// Whether a copy to the cell is in flight, of whatever interval of the block.
  bool copying(const ShadowCell& cell) const { return cell.is_copying() && cell.writer >= block_; }
  bool copied_by(const ShadowCell& cell, const Run& run) const;
  AccessId arrival_of(AccessId copy);
  void note_first_guess(const ShadowCell& cell, const Run& run);
  void keep_reader(ShadowCell& cell, Run& run);
  void check(const ShadowCell& cell, AccessId other, std::uint32_t other_lanes, const Run& run);
  void add_pending(Race race);
  void synchronise(const Request& request);
  void synchronise(const Request& request, unsigned lane, std::uint32_t position);
  void close_interval();
  bool unordered(Race& race);
  bool first_guess(const Race& race) const;
  bool one_loop(const Race& race) const;
  void settle_uninitialised_reads();
  bool both_atomic(const UninitialisedRead& read, const ShadowCell& cell) const;

  const AccessRecord& at(AccessId id) const { return records_[id - base_]; }
  const ShadowCell& cell_of(const UninitialisedRead& read) const;
  /// Whether that access may be unordered with the present one.
  bool open(AccessId id) const { return id >= oldest_ && (id >= interval_ || id < block_); }

  std::uint64_t block_number_ = 0;
  AccessId base_ = 1, next_ = 1;  // of the first record of the launch, of the next one
  AccessId ordered_ = 1;  // earlier ones came before: of earlier launches, or before the grid's barrier
  AccessId block_ = 1, interval_ = 1;  // first of the block, of its interval
  AccessId oldest_ = 1;                // of the object that is looked at: shared memory begins with the block
  AccessId shared_first_ = 1;          // since when shared memory has its contents
  bool in_phases_ = false, parallel_ = false;
  std::uint32_t generation_ = 0;  // goes up when numbering restarts
  std::uint32_t epoch_ = 1, block_epoch_ = 1;
  std::vector<AccessRecord> records_;
  std::unordered_map<std::uint32_t, std::uint32_t> site_index_;  // by code
  std::array<std::vector<SiteState>, max_threads / 32> sites_;   // by warp, index
  std::vector<TrackedObject*> touched_;
  std::vector<PassedBarrier> barriers_;  // of the block, one per site
  PassedBarrier last_barrier_;
  std::vector<Race> pending_;  // of the interval: an order may turn up until its end
  std::vector<Race> unsettled_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool, bool>, unsigned> pending_count_;
  std::vector<UninitialisedRead> uninitialised_;
  Releases releases_;
  bool orders_blocks_ = false;
  /// Of a warp: its last fence, atomic or volatile access.
  struct LastSynchronisation {
    std::uint32_t position, code;
  };
  std::array<LastSynchronisation, max_threads / 32> synchronised_{};
  std::uint32_t position_ = 0;
  std::unordered_set<std::uint32_t>
      first_guesses_;                // loads whose thread goes on with an atomic there, by code
  TrackedObject* object_ = nullptr;  // the last one
  CurrentAccess current_{};
  struct {
    AccessId store, copy, record;
  } arrival_{};  // the last copy that has arrived
};

}  // namespace ladder::executor
