#pragma once
/// @file
/// Detects races and reads of uninitialised memory, request by request.

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "common/base/observation/observation.hpp"
#include "common/executor/observe/definedness/undefined_value_uses.hpp"
#include "common/executor/observe/definedness/uninitialised_reads.hpp"
#include "common/executor/observe/races/race_finding.hpp"
#include "common/executor/observe/races/race_shadow.hpp"

namespace ladder::executor {

/// The events of one block of a launch whose blocks run at the same time: checked when the launch is over,
/// block by block, so that the record does not depend on their speed.
class DeferredEvents {
 public:
  explicit DeferredEvents(std::uint64_t block) : block_(block) {}

  void add(const Request& request);
  void clear() { entries_.clear(); }
  void add_barrier(Site site) { entries_.push_back({Kind::barrier, site, nullptr, {}}); }
  void add_grid_barrier() { entries_.push_back({Kind::grid_barrier, {}, nullptr, {}}); }
  void add(const Synchronisation& event) { entries_.push_back({Kind::synchronisation, {}, nullptr, event}); }
  std::uint64_t block() const { return block_; }

  /// Replays up to the next grid barrier, or the end. @return whether something is left
  template <class Shadow>
  bool replay(Shadow& to) {
    while (at_ < entries_.size()) {
      const Entry& entry = entries_[at_++];
      if (entry.kind == Kind::grid_barrier) return true;
      if (entry.kind == Kind::barrier)
        to.barrier(entry.site);
      else if (entry.kind == Kind::synchronisation)
        to.synchronise(entry.event);
      else
        to.add(entry.request->request);
    }
    return false;
  }

 private:
  enum class Kind : std::uint8_t { request, barrier, grid_barrier, synchronisation };

  /// A request with its own copies of what it points to.
  struct Stored {
    RequestContext context;
    Request request;
    std::array<std::uint64_t, 32> address, value;
    std::array<std::uint16_t, 32> undefined;
    std::array<std::uint32_t, 32> meetings;

    explicit Stored(const Request& from);
  };
  struct Entry {
    Kind kind;
    Site site;
    std::unique_ptr<Stored> request;
    Synchronisation event;
  };

  std::uint64_t block_;
  std::vector<Entry> entries_;
  std::size_t at_ = 0;
};

/// Accepts requests and barriers from any CPU thread.
class RaceDetector {
 public:
  RaceDetector();

  void launch_begins(const Kernel& kernel);
  /// @param all_blocks whether all blocks were seen; if not, others may have written what these read
  /// @return false when nothing can be said: blocks wait for each other, perhaps for blocks that were not
  /// seen
  bool launch_ends(bool all_blocks);
  void forget_launch();
  void block_begins(std::uint64_t index);
  void block_ends();
  /// The rest of the running block is not observed, so its last interval is not checked.
  void block_cut();
  bool deferred_events_full() const { return deferred_requests_ > max_deferred_requests; }
  void barrier_passed(Site site);
  void grid_barrier_reached();
  void add(const Request& request);
  void undefined_shuffle(const UndefinedShuffle& shuffle);
  /// The running thread releases an object, or acquires it.
  void synchronise(unsigned thread, const void* object, bool release);

  /// Of the launch that has ended; empty when it is not needed.
  std::vector<RaceShadow::Touched> touched() const { return shadow_.touched(); }

 private:
  /// The two detectors that receive deferred events.
  struct Targets {
    RaceDetector& detector;
    void barrier(Site site) { detector.shadow_.barrier(site); }
    void synchronise(const Synchronisation& event) { detector.shadow_.synchronise(event); }
    void add(const Request& request);
  };
  template <class What>
  struct Counted {
    What first;
    std::uint64_t count;
  };
  /// Requests that wait for the end of the launch; each has 700 bytes.
  static constexpr std::uint64_t max_deferred_requests = std::uint64_t{1} << 21;
  using Seen = std::tuple<std::uint32_t, std::uint32_t, bool, bool>;

  void replay_deferred();
  void record(const Race& race);
  void record(const UninitialisedRead& read);
  static bool is_narrow(const Race& race) { return race.one_warp(); }
  static bool is_narrow(const UninitialisedRead&) { return false; }
  bool is_unused(const Race&) const { return false; }
  bool is_unused(const UninitialisedRead& read) const {
    return value_uses_.is_unused(read.reader.access.code);
  }
  void report_findings();
  void report_shuffles();

  RaceShadow shadow_;
  UninitialisedReadDetector uninitialised_;
  UndefinedValueUses value_uses_;
  const Kernel* kernel_ = nullptr;
  bool immediately_ = true;  // blocks run one after the other: checked as they run
  std::atomic<std::uint64_t> synchronisations_{0};
  std::mutex mutex_;
  std::deque<DeferredEvents> deferred_;
  std::atomic<std::uint64_t> deferred_requests_{0};  // requests of the launch
  // Of the launch, by code: most are seen often. Put into words when it is over, on a stack that is large
  // enough.
  std::map<Seen, Counted<Race>> races_;
  std::map<std::uint32_t, Counted<UninitialisedRead>> uninitialised_reads_;
  std::vector<UndefinedShuffle> shuffles_;  // the first of each line
};

}  // namespace ladder::executor
