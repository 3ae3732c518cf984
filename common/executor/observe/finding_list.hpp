#pragma once
/// @file
/// The findings of an observation: merged by what they are and the lines involved.

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "common/base/observation/observation.hpp"

namespace ladder::executor {

/// Any thread may add.
class FindingList {
 public:
  static FindingList& get();

  /// The first finding of each pair of lines is kept, later ones are counted.
  /// @param narrow  it is within a warp: one of the same lines across warps takes its place, since it needs
  /// more
  void add(Finding finding, bool narrow = false);
  /// Most severe first, then races for which a barrier of the warp is not enough, then by line.
  std::vector<Finding> all() const;
  void clear();
  /// Notes that the error which will end the process is among them.
  void set_fatal() { has_fatal_ = true; }
  bool has_fatal() const { return has_fatal_; }

 private:
  using Line = std::tuple<std::string, int, std::string>;
  using Key = std::tuple<std::string, std::string, std::string, Line, Line, std::string>;

  static Key key_of(const Finding& finding);
  bool explained_by_race(const Finding& finding) const;

  mutable std::mutex mutex_;
  std::map<Key, Finding> findings_;
  std::set<Key> narrow_;  // of these
  std::atomic<bool> has_fatal_{false};
};

}  // namespace ladder::executor
