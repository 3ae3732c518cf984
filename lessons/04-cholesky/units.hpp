#pragma once
/// @file
/// Given, for g5 and g6: the units that tasks work on, and the team of threads that runs them.
/// Source: none.

#include <omp.h>

#include <atomic>
#include <exception>
#include <set>
#include <utility>
#include <vector>

#include "pinned_slots.hpp"
#include "tiles.hpp"

namespace cholesky {

/// c1's units: first the blocks, then the border's columns, one each. Unit u has the tile columns first(u),
/// …, end(u) - 1.
class Units {
 public:
  explicit Units(const Problem& p)
      : p_(p),
        blocks_(p.parts - 1),
        border_(p.part_start[blocks_]),
        start_(p.part_start, p.part_start + blocks_) {
    for (int k = border_; k <= p.tile_columns; ++k) start_.push_back(k);
  }
  int count() const { return int(start_.size()) - 1; }
  int blocks() const { return blocks_; }
  int first(int u) const { return start_[u]; }
  int end(int u) const { return start_[u + 1]; }
  /// Of a column of the border.
  int of(int column) const { return blocks_ + column - border_; }
  /// A unit's tiles lie one after the other.
  int first_tile(int u) const { return p_.column_start[first(u)]; }
  int end_tile(int u) const { return p_.column_start[end(u)]; }
  /// The columns of the border that a unit changes.
  std::set<int> rows_below(int u) const {
    std::set<int> rows;
    for (int t = first_tile(u); t < end_tile(u); ++t)
      if (p_.tile_row[t] >= end(u)) rows.insert(p_.tile_row[t]);
    return rows;
  }

 private:
  const Problem& p_;
  int blocks_, border_;
  std::vector<int> start_;
};

/// Runs what tasks do, each by the worker of its thread, until one of them fails.
class Team {
 public:
  explicit Team(std::vector<Worker>& workers) : workers_(workers) {}
  /// Calls work(worker), unless the team has stopped; no exception may leave a task.
  template <class Work>
  void operator()(Work&& work) {
    if (stopped_) return;
    try {
      work(workers_[omp_get_thread_num()]);
    } catch (...) {
      if (!stopped_.exchange(true)) error_ = std::current_exception();
    }
  }
  /// The tasks that follow do nothing. @param info  what the first to stop says is what the rung reports
  void stop(int info) {
    if (!stopped_.exchange(true)) info_ = info;
  }
  bool stopped() const { return stopped_; }
  /// After the parallel region: nothing runs any more and all results are where they belong.
  /// @return info @throws what a task threw first, for it says more than what came of it later
  int end() {
    if (!stopped_)
      for (Worker& w : workers_) w.slots.deliver_all();
    const cudaError_t ended = cudaDeviceSynchronize();
    if (error_) std::rethrow_exception(error_);
    ladder::check(ended);
    return info_;
  }

 private:
  std::vector<Worker>& workers_;
  std::atomic<bool> stopped_{false};
  std::atomic<int> info_{0};
  std::exception_ptr error_;
};

}  // namespace cholesky
