#include "common/executor/observe/releases.hpp"

#include <algorithm>

namespace ladder::executor {

void Releases::begin_launch() {
  releases_.clear();
  acquires_.clear();
  new_acquires_.clear();
}

void Releases::release(std::uint64_t address, std::uint64_t number, const ThreadTime& at) {
  releases_[at.block].push_back({address, number, at});
  acquires_.try_emplace(address);
}

/// Only acquires of released addresses are kept; all others would fill the memory.
void Releases::close_interval() {
  for (const Point& point : new_acquires_)
    if (const auto found = acquires_.find(point.address); found != acquires_.end())
      found->second[point.at.block].push_back(point);
  new_acquires_.clear();
}

bool Releases::before(const ThreadTime& a, const ThreadTime& b) const {
  const auto released = releases_.find(a.block);
  if (released == releases_.end()) return false;
  return std::ranges::any_of(released->second, [&](const Point& release) {
    if (release.at.thread != a.thread && release.at.interval <= a.interval) return false;
    const Acquires& acquires = acquires_.at(release.address);
    const auto acquired = acquires.find(b.block);
    if (acquired == acquires.end()) return false;
    return std::ranges::any_of(acquired->second, [&](const Point& acquire) {
      return acquire.number > release.number &&
             (acquire.at.thread == b.thread || acquire.at.interval < b.interval);
    });
  });
}

}  // namespace ladder::executor
