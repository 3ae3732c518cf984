#include "common/executor/observe/skipped_barriers.hpp"

#include <string_view>

namespace ladder::executor {

void SkippedBarriers::block_begins() {
  barriers_.clear();
  next_interval();
  first_ = interval_;
  skipped_ = false;
}

void SkippedBarriers::next_interval() {
  ++interval_;
  exits_ = false;
}

void SkippedBarriers::thread_exits(unsigned thread) {
  exited_ = thread;
  exits_ = true;
}

void SkippedBarriers::ran(std::uint32_t code, bool left, bool stayed) {
  Steps& steps = steps_.at(code);
  if (left) steps.left = interval_;
  if (stayed) steps.stayed = interval_;
  if (!skipped_ || steps.skipped < first_ || steps.skipped == interval_) return;
  SkippedBarrier& barrier = barriers_[steps.barrier];
  if (barrier.code == 0) barrier.code = code;
}

void SkippedBarriers::barrier_passed(unsigned live, unsigned threads, Site site, bool of_grid) {
  if (live < threads) {
    const std::size_t number = number_of({site, threads - live, threads, exited_, 0, of_grid});
    if (exits_) {
      for (auto& [code, steps] : steps_.all()) {
        if (steps.left != interval_ || steps.stayed == interval_) continue;
        steps.skipped = interval_;
        steps.barrier = number;
        skipped_ = true;
      }
    }
  }
  next_interval();
}

std::size_t SkippedBarriers::number_of(const SkippedBarrier& barrier) {
  for (std::size_t i = 0; i < barriers_.size(); ++i)
    if (barriers_[i].site.line == barrier.site.line &&
        std::string_view(barriers_[i].site.file) == barrier.site.file)
      return i;
  barriers_.push_back(barrier);
  return barriers_.size() - 1;
}

}  // namespace ladder::executor
