#pragma once
/// @file
/// Work on the host that belongs to a chain: a panel, a set-up thread, a search for the pivot. And what
/// libraries touch.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <thread>

#include "common/base/event.h"

// A step also runs where nothing is recorded and no sink is loaded: the two functions are then null.
extern "C" int ladder_sink_active(void) __attribute__((weak));
extern "C" uint64_t ladder_sink_record(const struct ladder_event*, const uint64_t*, size_t)
    __attribute__((weak));
extern "C" void ladder_sink_times(uint64_t, uint64_t, uint64_t) __attribute__((weak));
// ThreadSanitizer's, where it watches.
extern "C" void __tsan_read_range(void*, unsigned long) __attribute__((weak));
extern "C" void __tsan_write_range(void*, unsigned long) __attribute__((weak));

namespace ladder {

/// Records the time from its construction to its end as one LADDER_HOST event; nothing when no trace is
/// taken.
///
///     {
///       ladder::HostWork work("panel");
///       factorise_panel(…);
///     }
class HostWork {
 public:
  /// @param name   what the trace calls it, at most 63 characters
  /// @param bytes  that it reads and writes: `chain` then counts them. 0: it counts the time that the work
  /// took
  explicit HostWork(const char* name, std::uint64_t bytes = 0) {
    if (!ladder_sink_active || !ladder_sink_active()) return;
    ladder_event event = {};
    event.kind = LADDER_HOST;
    event.bytes = bytes;
    event.device = event.peer = -1;
    std::snprintf(event.name, sizeof event.name, "%s", name);
    begin_ = now();
    // Recorded when it begins: ids are in the order of the host's program, and the chain follows that order.
    id_ = ladder_sink_record(&event, nullptr, 0);
  }
  ~HostWork() {
    if (id_ != 0) ladder_sink_times(id_, begin_, now());
  }
  HostWork(const HostWork&) = delete;
  HostWork& operator=(const HostWork&) = delete;

 private:
  static std::uint64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
  std::uint64_t begin_ = 0;
  std::uint64_t id_ = 0;
};

/// Tells race detectors what a library's routine reads or writes, because they do not see inside a library.
/// The writing thread then yields to the other threads: in a small problem one thread may have done all
/// before another one begins.
template <class T>
void library_reads(const T* first, std::size_t count) {
  if (__tsan_read_range) __tsan_read_range(const_cast<T*>(first), count * sizeof(T));
}
template <class T>
void library_writes(T* first, std::size_t count) {
  if (!__tsan_write_range) return;
  __tsan_write_range(first, count * sizeof(T));
  std::this_thread::sleep_for(std::chrono::microseconds(50));
}

}  // namespace ladder
