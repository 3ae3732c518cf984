#pragma once
/// @file
/// Synchronisation by threads: a fence and an atomic on one side, an atomic on the same address on the other.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "common/executor/runtime/block/block.hpp"

namespace ladder::executor {

/// A thread of the launch at a point of its program.
struct ThreadTime {
  std::uint64_t block = 0;
  std::uint32_t interval = 0;  ///< barriers that its block had passed
  std::uint32_t meetings = 0;  ///< how often it had met other lanes of its warp
  std::uint32_t position = 0;  ///< grows with every fence, atomic and volatile access of its warp
  std::uint16_t thread = 0;    ///< in its block
};

/// Why two accesses are not ordered, though their threads synchronise.
enum class Unordered : std::uint8_t {
  unsynchronised,
  atomic_of_block,      ///< the atomic is one of the block only, the threads are of two blocks
  fence_of_block,       ///< so is the fence
  fence_too_early,      ///< the fence comes before the access, not between it and the atomic
  no_fence_after_lock,  ///< a lock is taken, and no fence comes before the access
  no_fence_before_unlock,
};

/// Why a pair of accesses may race.
struct Disorder {
  Unordered why = Unordered::unsynchronised;
  std::uint32_t code = 0;  ///< of the atomic that orders too little
};

/// "The last block adds up", locks, flags: what a thread did before it released an address comes before what
/// a thread does that saw the release. So does what its block did before its last barrier.
///
/// When in doubt, accesses count as ordered: it is not checked whether the reader used the value that it got,
/// and only a thread that takes a lock needs a fence after it.
class Releases {
 public:
  /// One execution of an atomic, or of a volatile access.
  struct Event {
    std::uint64_t address = 0;
    std::uint64_t number = 0;  ///< place in the order of atomics; 0: not known
    ThreadTime at;
    std::uint8_t ordering = 0;  ///< bits of ladder::executor::ordering
    bool reads = false, writes = false;
    bool changed = false;      ///< of an exchange: it has written another value
    bool synchronises = true;  ///< the fences before it, or its own order, let it release
    bool by_object =
        false;  ///< of a cuda::barrier or similar: its place in the thread's program is not known
    std::uint32_t code = 0;
    std::uint32_t fence = 0,
                  wide_fence = 0;  ///< last ones of its thread before it: place in its block's list, from 1
  };

  void begin_launch();
  void begin_block();
  /// @param ordering  its scope
  void fence(const ThreadTime& at, std::uint32_t lanes, unsigned ordering);
  bool fenced(unsigned thread) const { return last_fence_[thread] != 0; }

  void add(Event event);
  /// Call it before disorder() when something was added.
  void close_interval();

  /// Nothing when one of the two comes before the other.
  std::optional<Disorder> disorder(const ThreadTime& a, const ThreadTime& b);

 private:
  struct Fence {
    std::uint32_t position, interval, meetings, lanes;
    std::uint16_t warp;
    bool wide;  ///< for other blocks, too
  };
  /// What a thread did with a lock around an access.
  struct CriticalSection {
    const Event *acquired = nullptr, *released = nullptr;
  };
  using Events = std::vector<Event>;
  using ByBlock = std::unordered_map<std::uint64_t, Events>;

  bool before(const ThreadTime& a, const ThreadTime& b, std::optional<Disorder>& why) const;
  bool seen(const Event& release, const ThreadTime& a, const ThreadTime& b,
            std::optional<Disorder>& why) const;
  bool before_by_others(const ThreadTime& a, const ThreadTime& b);
  const Events& events_at(std::uint64_t address, std::uint64_t block) const;
  bool covers(const Event& release, const ThreadTime& a, bool one_block) const;
  bool fenced_between(const ThreadTime& thread, std::uint32_t after, const ThreadTime& until,
                      bool one_block) const;
  CriticalSection critical_section(std::uint64_t address, const ThreadTime& at) const;
  std::optional<Disorder> fault_of(const CriticalSection& critical_section, const ThreadTime& at,
                                   bool one_block) const;
  std::optional<Disorder> fault_of_lock(const Event& release, const ThreadTime& a, const ThreadTime& b) const;
  Disorder reason(const Event& release, const Event& acquire, const ThreadTime& a, bool one_block) const;
  bool repeats_last(const Event& event);

  std::array<std::uint32_t, max_threads> last_fence_{}, last_wide_fence_{};
  std::array<std::uint32_t, max_threads> last_event_{};           // place in new_events_, from 1
  std::unordered_map<std::uint64_t, std::vector<Fence>> fences_;  // by block
  ByBlock releases_;  // in the order of positions, but for those by objects
  ByBlock object_releases_;
  std::unordered_map<std::uint64_t, ByBlock> events_;                            // by released address
  std::map<std::tuple<std::uint64_t, std::uint64_t, unsigned>, Events> writes_;  // by address, block, thread
  std::vector<Event> new_events_;
  std::vector<Fence>* fences_of_block_ = nullptr;
  std::uint64_t steps_left_ = 0;  // of searches over several threads, in this launch
};

}  // namespace ladder::executor
