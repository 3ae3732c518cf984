#pragma once
/// @file
/// Threads that copy rows of a matrix together. Given: what the host does in g7.

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace dgemm {

/// Rows that the host copies, between a matrix and pinned memory.
struct Rows {
  double* to;
  std::size_t ld_to;
  const double* from;
  std::size_t ld_from;
  int rows, columns;
};

/// The caller and threads that wait for it: one thread copies about 10 GB a second, less than PCIe moves.
/// They live as long as the team, because to start them for each chunk would take as long as to copy it.
class CopyTeam {
 public:
  /// About what a thread copies before it asks for more.
  static constexpr std::size_t share_bytes = std::size_t(512) << 10;

  /// @param bytes  of the largest copy: the team has no more threads than that has shares
  explicit CopyTeam(std::size_t bytes) {
    const int processors = std::clamp(int(std::thread::hardware_concurrency()), 1, 8);
    const int size = std::clamp(int(bytes / share_bytes), 1, processors);
    try {
      for (int t = 1; t < size; ++t) others_.emplace_back([this] { help(); });
    } catch (const std::system_error&) {  // no further thread can be started: the team is smaller
    }
  }

  ~CopyTeam() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    begun_.notify_all();
    for (std::thread& other : others_) other.join();
  }

  CopyTeam(const CopyTeam&) = delete;
  CopyTeam& operator=(const CopyTeam&) = delete;

  /// @return its threads, the caller's not counted.
  std::size_t others() const { return others_.size(); }

  /// Copies the rows. Two streams may let the host copy at once: then one copy waits for the other.
  void copy(const Rows& rows) {
    const std::lock_guard one_copy(copying_);
    const std::size_t row_bytes = std::max(std::size_t(rows.columns) * sizeof(double), sizeof(double));
    {
      const std::lock_guard lock(mutex_);
      rows_ = &rows;
      rows_of_share_ = int(std::max<std::size_t>(share_bytes / row_bytes, 1));
      next_row_ = 0;
    }
    if (rows.rows > rows_of_share_) begun_.notify_all();
    copy_shares(rows);
    std::unique_lock lock(mutex_);
    rows_ = nullptr;  // who has not begun yet no longer does
    finished_.wait(lock, [this] { return helping_ == 0; });
  }

 private:
  /// What another thread does as long as the team lives.
  void help() {
    std::unique_lock lock(mutex_);
    for (;;) {
      begun_.wait(lock, [this] { return ended_ || (rows_ != nullptr && next_row_ < rows_->rows); });
      if (ended_) return;
      const Rows& rows = *rows_;
      ++helping_;
      lock.unlock();
      copy_shares(rows);
      lock.lock();
      if (--helping_ == 0) finished_.notify_one();
    }
  }

  /// Copies one share after another until none is left.
  void copy_shares(const Rows& r) {
    for (int begin; (begin = next_row_.fetch_add(rows_of_share_)) < r.rows;)
      for (int i = begin; i < std::min(begin + rows_of_share_, r.rows); ++i)
        std::memcpy(r.to + i * r.ld_to, r.from + i * r.ld_from, r.columns * sizeof(double));
  }

  std::mutex copying_, mutex_;
  std::condition_variable begun_, finished_;
  const Rows* rows_ = nullptr;    // what is copied; null: nothing
  int rows_of_share_ = 1;         // these three change only while nobody copies
  std::atomic<int> next_row_{0};  // the first one of the next share
  int helping_ = 0;               // threads that copy, the caller's not counted
  bool ended_ = false;
  std::vector<std::thread> others_;  // last: they use what is above
};

}  // namespace dgemm
