#pragma once
/// @file
/// Operations of streams, and accesses of the host, that access the same data in no order.

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/executor/observe/addresses/objects.hpp"
#include "common/executor/observe/counters/lines.hpp"
#include "common/executor/runtime/observer.hpp"

namespace ladder::executor {

/// A vector clock: for every stream, by its index, the number of its last operation that comes before.
class StreamClock {
 public:
  std::uint64_t of(std::size_t place) const { return place < last_.size() ? last_[place] : 0; }
  void raise(std::size_t place, std::uint64_t number);
  void join(const StreamClock& other);

 private:
  std::vector<std::uint64_t> last_;
};

/// Follows the order made by streams, events and waits of the host, and which operation accesses which data.
///
/// An operation is kept until the host knows that it is done and all that was queued before that has run.
/// Events come from the host's thread and from the one that runs the queue: the caller locks.
class OrderingChecker {
 public:
  void queued(const QueuedOperation& operation);
  /// The memory that the kernel of operation `id` accessed.
  void kernel_touched(std::uint64_t id, const std::string& kernel, const Object& object, std::size_t begin,
                      std::size_t end, bool write, bool atomic);
  /// A host function that a stream calls accesses memory: in the order of its stream, not of the host's
  /// program.
  void function_touched(std::uint64_t id, const TrackedObject& object, const char* address, std::size_t bytes,
                        bool write);
  /// A host function that a stream calls comes after everything before it in that stream.
  void began(std::uint64_t id);
  void ended(std::uint64_t id);
  void host_waited(const std::vector<std::uint64_t>& ids);
  void host_waited_for_all();
  void host_accessed(const TrackedObject& object, const char* address, std::size_t bytes, bool write,
                     std::uint32_t code);
  /// An allocation is freed: as if the operation wrote all of it. @param id 0: the host's own call, which
  /// waits for everything
  void freed(std::uint64_t id, const TrackedObject& object);

  /// @param id of the kernel that touches the address
  std::optional<Finding> freed_concurrently(std::uint64_t id, const char* address, const std::string& kernel);

  /// Operations that the host has not waited for, by id.
  std::set<std::uint64_t> not_waited_for() const;
  /// Whether there is memory that the host must not access now.
  bool checks_host() const { return !operations_.empty(); }

 private:
  struct Range {
    const char *begin, *end;
  };
  /// What is read, or written, or accessed by atomics alone, by address; no two overlap.
  using Ranges = std::vector<Range>;
  enum Use : unsigned { reads, writes, atomics };
  struct Stream {
    std::size_t place;       ///< in every StreamClock: streams are numbered as they are seen
    std::uint64_t last = 0;  ///< number of its last operation
  };
  struct Operation {
    std::uint64_t id, stream, number;
    std::size_t place;                ///< of its stream
    std::string call, kernel, freed;  ///< the name of what cudaFreeAsync has freed
    Site site;
    StreamClock before;            ///< and itself
    std::array<Ranges, 3> ranges;  ///< by Use
  };
  /// The part of an operation that is compared for each pair of operations; small, to be fast.
  struct Entry {
    std::uint64_t id;
    std::size_t place;
    std::uint64_t number;
    const Operation* operation;
  };
  /// Operations that the host came to know to be done in one wait.
  struct Known {
    std::uint64_t at;  ///< the next operation's id then
    std::vector<std::uint64_t> ids;
  };
  struct HostAccess {
    const TrackedObject* object;
    Range range;
    bool write;
    unsigned size;  ///< of one access
    std::uint32_t code;
    std::uint64_t at;     ///< id of the next operation then
    std::uint64_t waits;  ///< of the host, until then
    StreamClock known;
  };

  HostAccess* note_access(const TrackedObject& object, const Range& range, bool write, std::uint32_t code);
  static Entry entry_of(const Operation& operation);
  static void tidy(Ranges& ranges);
  static const Range* overlap(const Ranges& a, const Ranges& b);
  static std::string name_of(const Operation& operation);
  static std::string operation_text(const Operation& operation, bool write);
  void check(const Operation& later, const Operation& earlier);
  void check(const Operation& operation, const HostAccess& access);
  static Finding finding_of(const Operation& later, bool later_writes, const Operation& earlier,
                            bool earlier_writes, const std::string& object);
  void report(const Operation& operation, bool write, const HostAccess& access);
  void note_known();
  void forget();

  void add_range(Operation& operation, const Object& object, Range range, Use use);

  // Ids increase. What the host knew to be done when it queued `at` comes before all operations from `at` on:
  // when nothing earlier waits any more, nothing can conflict with it, and forget() drops it.
  std::map<std::uint64_t, Operation> operations_;  // by id
  std::set<std::uint64_t> waiting_;                // those that have not run
  std::vector<Entry> done_;                        // those that have
  std::vector<Entry> unknown_;                     // those of which the host does not know that they are done
  std::deque<Known> known_;                        // the others, as the host came to know of them
  std::set<std::uint64_t> touch_host_;             // those that touch pinned or managed memory
  std::map<std::uint64_t, Stream> streams_;        // by number of the stream
  StreamClock host_;
  std::uint64_t waits_ = 0;  // that raised it
  std::vector<HostAccess> host_accesses_;
  std::uint64_t next_id_ = 1;
};

}  // namespace ladder::executor
