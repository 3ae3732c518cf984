#pragma once
/// @file
/// Synchronisation by threads: a fence and an atomic on one side, an atomic on the same address on the other.

#include <bitset>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "common/executor/runtime/block.hpp"

namespace ladder::executor {

/// A thread of the launch in an interval between two barriers.
struct ThreadTime {
  std::uint64_t block = 0;
  std::uint32_t interval = 0;  ///< barriers that its block had passed
  unsigned thread = 0;         ///< in its block
};

/// "The last block adds up", locks, flags: what a thread did before it released an address comes before what a thread does
/// that saw the release. So does what its block did before its last barrier.
///
/// When in doubt, accesses count as ordered: it is not checked whether the reader used the value that it got, nor in which
/// order a thread released and wrote between two barriers.
class Releases {
 public:
  void begin_launch();
  void begin_block() { fenced_.reset(); }
  void fence(unsigned thread) { fenced_.set(thread); }
  bool fenced(unsigned thread) const { return fenced_.test(thread); }

  /// @param number place in the order of atomics
  void release(std::uint64_t address, std::uint64_t number, const ThreadTime& at);
  void acquire(std::uint64_t address, std::uint64_t number, const ThreadTime& at) {
    new_acquires_.push_back({address, number, at});
  }
  /// Call it before ordered() when something was released or acquired.
  void close_interval();

  /// Whether one of the two comes before the other.
  bool ordered(const ThreadTime& a, const ThreadTime& b) const {
    return !releases_.empty() && (before(a, b) || before(b, a));
  }

 private:
  struct Point {
    std::uint64_t address, number;
    ThreadTime at;
  };
  using Acquires = std::unordered_map<std::uint64_t, std::vector<Point>>;  // by block

  bool before(const ThreadTime& a, const ThreadTime& b) const;

  std::bitset<most_threads> fenced_;
  std::unordered_map<std::uint64_t, std::vector<Point>> releases_;  // by block
  std::unordered_map<std::uint64_t, Acquires> acquires_;            // by released address
  std::vector<Point> new_acquires_;
};

}  // namespace ladder::executor
