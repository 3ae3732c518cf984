#pragma once
/// @file
/// Whether results come from kernels: the numbers that kernels, and libraries of the device, have stored
/// since the observation began.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "common/base/observation/observation.hpp"
#include "common/executor/observe/counters/request.hpp"
#include "common/executor/runtime/observer.hpp"

namespace ladder::executor {

/// Numbers of 8, 4 and 1 bytes, by their hash: up to a bound, above which it is full.
class ValueSet {
 public:
  void clear();
  /// All words of a piece of memory. Of 8 bytes both halves, too: a float may be stored with its neighbour.
  void add(const void* address, std::size_t bytes);
  void insert(std::uint64_t value, unsigned size);
  bool has(std::uint64_t value, unsigned size) const;
  bool full() const { return full_; }

 private:
  std::size_t slot_of(std::uint64_t key) const;

  std::vector<std::uint64_t> slots_;  // by hash; 0: free
  std::size_t used_ = 0;
  bool full_ = false;
};

/// Any thread may call it. Values, not places: a step may pack, transpose and copy its results as it likes.
class KernelValues {
 public:
  static KernelValues& get();

  /// An observation begins.
  void clear();
  /// An input of the problem: copying it computes nothing.
  void input(const void* data, std::size_t bytes);
  /// What is in memory when a kernel's store, or its atomic operation, has been replayed.
  void add(const Request& request);
  /// The operation has run: what a library of the device has written, or the host has copied to the device.
  void follow(const QueuedOperation& operation);
  /// Counts the elements of a result, those that the call has changed and that are not zero.
  /// @param before  what was there before the call; null: the byte `filling` everywhere
  void count(const char* after, const char* before, char filling, std::size_t bytes, std::size_t element);
  /// Nothing when no result was counted.
  std::optional<ResultOrigin> origin();

 private:
  void upload(const char* begin, std::size_t bytes);

  std::mutex mutex_;
  ValueSet stored_, inputs_;
  ValueSet uploaded_;  // before a kernel stored them, and no inputs
  std::optional<ResultOrigin> origin_;
};

}  // namespace ladder::executor

/// Says where an input of the call is, when the observation has begun.
extern "C" void ladder_observe_input(const void* data, unsigned long bytes);

/// Says where a result of the call is, before the observation ends. @param before  may be null; see
/// KernelValues::count
extern "C" void ladder_observe_output(const void* after, const void* before, char filling,
                                      unsigned long bytes, unsigned long element);
